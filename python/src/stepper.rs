//! An engine with the certificate of its run, stepped without the GIL.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use msd::certificate::RunCertificate;
use msd::engine::{Engine, EngineError};
use msd::environment::{StepReport, World};
use msd_view::{Flow, Live};
use pyo3::prelude::*;

use crate::error;

/// How often a long run looks whether Ctrl-C was pressed.
const LOOK: Duration = Duration::from_millis(100);
/// Steps between two looks at the clock.
const STEPS_A_LOOK: u64 = 64;

/// The exception of a Python agent, until the step it stopped has returned.
pub(crate) type Raised = Arc<Mutex<Option<PyErr>>>;

/// World, agents and the certificate of their run so far.
#[derive(Debug, Default)]
pub(crate) struct Runner {
    pub(crate) engine: Engine,
    pub(crate) certificate: RunCertificate,
    pub(crate) raised: Raised,
    /// The report of the last step.
    pub(crate) last: Option<Box<StepReport>>,
    /// The viewer that sees every step.
    pub(crate) live: Option<Arc<Live>>,
}

impl Clone for Runner {
    /// A deep copy; its Python agents are the same objects, and it is not viewed.
    fn clone(&self) -> Self {
        Self {
            engine: self.engine.clone(),
            certificate: self.certificate.clone(),
            raised: Arc::clone(&self.raised),
            last: self.last.clone(),
            live: None,
        }
    }
}

impl Runner {
    pub(crate) fn new(engine: Engine) -> Self {
        Self { engine, ..Self::default() }
    }

    pub(crate) fn world(&self) -> &World {
        self.engine.world()
    }

    /// Takes `count` steps of the world's own length.
    pub(crate) fn step(&mut self, count: u64) -> Result<(), EngineError> {
        let dt = self.engine.world().dt();
        let mut looked = Instant::now();
        for number in 0..count {
            let report = match self.engine.step(dt) {
                Ok(report) => report,
                Err(error) => return Err(self.failed(error)),
            };
            judge(&mut self.certificate, self.engine.world(), &report);
            let mut ends =
                number % STEPS_A_LOOK == STEPS_A_LOOK - 1 && interrupted(&mut looked, &self.raised);
            ends |= shown(&mut self.live, self.engine.world(), &report, &mut looked, &self.raised);
            store(&mut self.last, report);
            if ends {
                break;
            }
        }
        Ok(())
    }

    /// Runs for `seconds`, met exactly.
    pub(crate) fn run(&mut self, seconds: f64) -> Result<u64, EngineError> {
        let Self { engine, certificate, raised, last, live } = self;
        let mut looked = Instant::now();
        let report = engine.run(seconds, |world, step| {
            judge(certificate, world, step);
            let mut ends = step.step % STEPS_A_LOOK == 0 && interrupted(&mut looked, raised);
            ends |= shown(live, world, step, &mut looked, raised);
            store(last, step.clone());
            !ends
        });
        match report {
            Ok(report) => Ok(report.steps),
            Err(error) => Err(self.failed(error)),
        }
    }

    /// Back to the start.
    pub(crate) fn reset(&mut self) {
        self.engine.world_mut().reset();
        self.certificate = RunCertificate::default();
        self.last = None;
    }

    /// Shows the viewer that time begins again from the state there is now.
    pub(crate) fn view_again(&self) {
        if let Some(live) = &self.live {
            let mut looked = Instant::now();
            live.begin_until(self.world(), &mut || interrupted(&mut looked, &self.raised));
        }
    }

    /// Shows the viewer an error.
    fn failed(&self, error: EngineError) -> EngineError {
        if let Some(live) = &self.live {
            live.finish(self.world(), "failed", Some(error.to_string()));
        }
        error
    }

    /// The exception of a step that failed: that of a Python agent or hook where it was the reason.
    pub(crate) fn exception(&self, error: EngineError) -> PyErr {
        self.take_raised().unwrap_or_else(|| error::engine(error))
    }

    /// Ctrl-C during a run that ended well otherwise.
    pub(crate) fn take_raised(&self) -> Option<PyErr> {
        self.raised.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

fn judge(certificate: &mut RunCertificate, world: &World, step: &StepReport) {
    certificate.accumulate(step.step, step.time, &step.certificate, |slot| world.name_of(slot));
}

/// Shows a step to the viewer, if there is one, and waits until the next is due; true if Ctrl-C ended the wait. A viewer that was closed
/// is forgotten.
fn shown(
    live: &mut Option<Arc<Live>>,
    world: &World,
    step: &StepReport,
    looked: &mut Instant,
    raised: &Raised,
) -> bool {
    let Some(viewer) = live else { return false };
    let mut ends = false;
    let mut stopped = || {
        ends = interrupted(looked, raised);
        ends
    };
    if viewer.observe_until(world, step, &mut stopped) == Flow::Stop && !ends {
        *live = None;
    }
    ends
}

/// Keeps a report in the memory of the one before.
fn store(last: &mut Option<Box<StepReport>>, report: StepReport) {
    match last {
        Some(place) => **place = report,
        None => *last = Some(Box::new(report)),
    }
}

/// Lets Python handle signals now and then; true if one of them raised an exception, which is kept.
fn interrupted(looked: &mut Instant, raised: &Raised) -> bool {
    if looked.elapsed() < LOOK {
        return false;
    }
    *looked = Instant::now();
    Python::attach(|py| match py.check_signals() {
        Ok(()) => false,
        Err(error) => {
            *raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            true
        }
    })
}

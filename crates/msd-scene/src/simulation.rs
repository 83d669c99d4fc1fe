//! A scene being run, watched and reported.

use msd::certificate::RunCertificate;
use msd::engine::{Commands, Engine, EngineError};
use msd::environment::{ContactSummary, Phase, StepReport, World};

use crate::build::Built;
use crate::certificate_report::CertificateReport;
use crate::report::{
    BodyReport, ContactReport, EnergyReport, JointReport, Momenta, MomentumReport, Report, SolverReport,
    TimingReport,
};

/// A scene that runs once, from its start.
#[derive(Clone, Debug)]
pub struct Simulation {
    built: Built,
    start: Momenta,
    phases: [f64; Phase::ALL.len()],
    joints: JointReport,
    contacts: ContactSummary,
    certificate: RunCertificate,
    clock: Option<fn() -> f64>,
}

/// How far a run has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Simulated time, s.
    pub time: f64,
    /// Simulated time wanted, s.
    pub duration: f64,
    /// Number of steps.
    pub steps: u64,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// The time wanted was reached.
    Done,
    /// Stopped by the observer.
    Stopped,
    /// A step could not be computed; everything before it stands.
    Failed(EngineError),
}

/// Result of a run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// How it ended.
    pub ending: Ending,
    /// The state and the figures at its end.
    pub report: Report,
}

impl Simulation {
    /// Ready to run.
    #[must_use]
    pub fn new(built: Built) -> Self {
        let start = Momenta::of(built.engine.world());
        Self {
            built,
            start,
            phases: [0.0; Phase::ALL.len()],
            joints: JointReport::default(),
            contacts: ContactSummary::default(),
            certificate: RunCertificate::default(),
            clock: None,
        }
    }

    /// The same, timed with a function that returns seconds from any fixed origin. No result depends on it.
    #[must_use]
    pub fn with_clock(mut self, seconds: fn() -> f64) -> Self {
        self.clock = Some(seconds);
        self.built.engine.world_mut().set_clock(self.clock);
        self
    }

    /// The world.
    #[must_use]
    pub fn world(&self) -> &World {
        self.built.engine.world()
    }

    /// Runs for the scene's duration; `observe` is called after every step and returns false to stop early.
    pub fn run(self, mut observe: impl FnMut(&World, Progress) -> bool) -> Outcome {
        self.run_watched(|world, _, _, progress| observe(world, progress)).0
    }

    /// As [`Simulation::run`]; `observe` also receives the report of the step and the commands of the agents,
    /// and the engine is returned at the end.
    pub fn run_watched(
        mut self,
        mut observe: impl FnMut(&World, &StepReport, Commands<'_>, Progress) -> bool,
    ) -> (Outcome, Engine) {
        let duration = self.built.duration;
        let clock = self.clock;
        let now = || clock.map_or(0.0, |seconds| seconds());
        let began = now();
        let mut stopped = false;
        let Self { built, phases, joints, contacts, certificate, .. } = &mut self;
        let result = built.engine.run_watched(duration, |world, step, commands| {
            contacts.accumulate(&step.contacts);
            certificate.accumulate(step.step, step.time, &step.certificate, |slot| world.name_of(slot));
            for (sum, phase) in phases.iter_mut().zip(Phase::ALL) {
                *sum += step.phases.seconds(phase);
            }
            joints.max_position_error = joints.max_position_error.max(step.joints.position_error);
            joints.max_angle_error = joints.max_angle_error.max(step.joints.angle_error);
            let progress = Progress { time: step.time, duration, steps: step.step };
            stopped = !observe(world, step, commands, progress);
            !stopped
        });
        let total = now() - began;
        let ending = match result {
            Err(error) => Ending::Failed(error),
            Ok(_) if stopped && self.world().time() < duration => Ending::Stopped,
            Ok(_) => Ending::Done,
        };
        (Outcome { ending, report: self.report(total) }, self.built.engine)
    }

    fn report(&self, total_s: f64) -> Report {
        let (world, contacts) = (self.world(), &self.contacts);
        let body = |(name, handle): &(String, _)| Some((name.clone(), BodyReport::of(world, *handle)?));
        Report {
            format: 1,
            scene: self.built.name.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            time: world.time(),
            steps: world.steps(),
            state_hash: world.state_hash().to_string(),
            bodies: self.built.bodies.iter().filter_map(body).collect(),
            energy: EnergyReport::from(&world.energy()),
            momentum: MomentumReport::new(self.start, Momenta::of(world)),
            contacts: ContactReport {
                end: contacts.last as u64,
                max: contacts.most as u64,
                max_penetration: contacts.max_penetration,
            },
            joints: self.joints.clone(),
            solver: SolverReport {
                max_residual: contacts.max_residual,
                max_iterations: contacts.max_iterations as u64,
                unconverged_steps: contacts.unconverged_steps,
                certified: contacts.is_certified(),
            },
            certificate: CertificateReport::from(&self.certificate),
            timing: TimingReport::new(total_s, world.time(), world.steps(), &self.phases),
        }
    }
}

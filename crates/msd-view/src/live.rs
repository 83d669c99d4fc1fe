//! A run that is being computed: its history, and the page's hand on it.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use msd::certificate::{Figure, RunCertificate};
use msd::environment::{StepReport, World};
use msd_scene::certificate_report::CertificateReport;
use msd_scene::report::EnergyReport;
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::drives::{DriveHandle, SharedDrives, drives_of};
use crate::figures::FigureRow;
use crate::frame::FrameBytes;
use crate::hand::{Drag, HandAgent, SharedDrag};
use crate::header::Header;
use crate::history::History;
use crate::pace::{Pace, Pacer};
use crate::snapshot::{Numbering, figures_of};
use crate::source::{Control, Extent, FrameSource};
use crate::{ViewError, default_speed};

/// Behaviour of the run after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// Takes the next step.
    Continue,
    /// Begins again.
    Reset,
    /// Ends.
    Stop,
}

/// A run in the making: the thread that computes it shows every step to [`Live::observe`], pages read the history.
#[derive(Debug)]
pub struct Live {
    header: Arc<str>,
    bodies: Numbering,
    drag: SharedDrag,
    drives: Vec<DriveHandle>,
    driven: SharedDrives,
    may_reset: bool,
    may_drag: bool,
    state: Mutex<State>,
    wake: Condvar,
    changes: watch::Sender<u64>,
}

#[derive(Debug)]
struct State {
    history: History,
    certificate: RunCertificate,
    worst_bodies: Value,
    energy: Value,
    time: f64,
    steps: u64,
    waiting: bool,
    playing: bool,
    step_once: bool,
    wants: Flow,
    pacer: Pacer,
    ended: Option<(String, Option<String>)>,
    state_hash: Option<String>,
}

impl Live {
    /// A run that stands at its start. `wait` holds it until the first page is there.
    ///
    /// # Errors
    /// If the header cannot be written.
    pub fn new(world: &World, mut header: Header, pace: Pace, wait: bool) -> Result<Self, ViewError> {
        if let Pace::Times(speed) = pace {
            header.speed = speed;
        }
        let live = Self {
            bodies: Numbering::of(world, &header.moving),
            drag: SharedDrag::default(),
            drives: drives_of(world).into_iter().map(|(handle, _)| handle).collect(),
            driven: SharedDrives::default(),
            may_reset: true,
            may_drag: true,
            state: Mutex::new(State {
                history: History::new(header.duration),
                certificate: RunCertificate::default(),
                worst_bodies: Value::Null,
                energy: Value::Null,
                time: 0.0,
                steps: 0,
                waiting: wait,
                playing: true,
                step_once: false,
                wants: Flow::Continue,
                pacer: Pacer::new(pace),
                ended: None,
                state_hash: None,
            }),
            wake: Condvar::new(),
            changes: watch::Sender::new(0),
            header: serde_json::to_string(&header)?.into(),
        };
        Ok(live)
    }

    /// The same for a run that pages may hold but not change.
    #[must_use]
    pub fn watched_only(mut self) -> Self {
        (self.may_reset, self.may_drag) = (false, false);
        self
    }

    /// The same for a run that cannot begin again, because it is being recorded.
    #[must_use]
    pub fn without_reset(mut self) -> Self {
        self.may_reset = false;
        self
    }

    /// The pace at which a run of `duration` seconds is pleasant to watch.
    #[must_use]
    pub fn pleasant_pace(duration: f64) -> Pace {
        Pace::Times(default_speed(duration))
    }

    /// The agent through which pages pull at bodies and set drives; give it to the engine.
    #[must_use]
    pub fn hand_agent(&self) -> HandAgent {
        HandAgent { drag: Arc::clone(&self.drag), drives: Arc::clone(&self.driven), sent: BTreeMap::new() }
    }

    /// Takes the start of a run as its first frame, after a reset again, and waits for a page if it shall.
    pub fn begin(&self, world: &World) -> Flow {
        self.begin_until(world, &mut || false)
    }

    /// As [`Live::begin`]; while it waits, `stopped` is asked now and then whether the run is to end.
    pub fn begin_until(&self, world: &World, stopped: &mut dyn FnMut() -> bool) -> Flow {
        *self.drag.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.driven.lock().unwrap_or_else(PoisonError::into_inner).clear();
        let mut state = self.lock();
        state.history.restart();
        state.certificate = RunCertificate::default();
        state.worst_bodies = Value::Null;
        (state.ended, state.state_hash) = (None, None);
        // A wish to stop that came early still holds.
        if state.wants == Flow::Reset {
            (state.wants, state.step_once) = (Flow::Continue, false);
        }
        (state.time, state.steps) = (world.time(), world.steps());
        let ledger = world.energy();
        let mut row = [0.0; 14];
        (row[0], row[1], row[2]) = (world.time(), ledger.kinetic, ledger.potential);
        state.energy = json!(EnergyReport::from(&ledger));
        state.history.store(self.bodies.frame_of(world, row[0]), row);
        self.changes.send_modify(|version| *version += 1);
        while state.waiting && state.wants == Flow::Continue {
            state = self.wait(state, Duration::from_millis(200));
            drop(state);
            let ends = stopped();
            state = self.lock();
            if ends {
                return Flow::Stop;
            }
        }
        state.pacer.begin(world.time());
        if state.playing { state.wants } else { self.hold(state, world, stopped) }
    }

    /// Shown every step: keeps a frame if it is due, and returns when the next step is.
    pub fn observe(&self, world: &World, step: &StepReport) -> Flow {
        self.observe_until(world, step, &mut || false)
    }

    /// As [`Live::observe`]; while it waits, `stopped` is asked now and then whether the run is to end.
    pub fn observe_until(&self, world: &World, step: &StepReport, stopped: &mut dyn FnMut() -> bool) -> Flow {
        let mut state = self.lock();
        state.certificate.accumulate(step.step, step.time, &step.certificate, |slot| world.name_of(slot));
        (state.time, state.steps) = (step.time, step.step);
        if let Some(row) = state.history.step(figures_of(world, step), step.dt) {
            self.keep(&mut state, world, row);
        }
        self.hold(state, world, stopped)
    }

    /// Waits until the next step is due.
    fn hold<'a>(
        &'a self,
        mut state: MutexGuard<'a, State>,
        world: &World,
        stopped: &mut dyn FnMut() -> bool,
    ) -> Flow {
        let mut waited = false;
        loop {
            if std::mem::replace(&mut waited, true) {
                // Asked without the lock: the answer may take its time.
                drop(state);
                let ends = stopped();
                state = self.lock();
                if ends {
                    return Flow::Stop;
                }
            }
            if state.wants != Flow::Continue {
                return state.wants;
            }
            if state.playing {
                let time = state.time;
                let Some(wait) = state.pacer.wait(time) else { return Flow::Continue };
                state = self.wait(state, wait);
            } else if std::mem::take(&mut state.step_once) {
                return Flow::Continue;
            } else {
                // While paused, the page shows the last step.
                if let Some(row) = state.history.take_pending() {
                    self.keep(&mut state, world, row);
                }
                state = self.wait(state, Duration::from_millis(200));
            }
        }
    }

    /// The end of a run: `how` as recordings say it, `message` if it failed.
    pub fn finish(&self, world: &World, how: &str, message: Option<String>) {
        let mut state = self.lock();
        if let Some(row) = state.history.take_pending() {
            self.keep(&mut state, world, row);
        }
        state.ended = Some((how.to_owned(), message));
        state.state_hash = Some(world.state_hash().to_string());
        self.changes.send_modify(|version| *version += 1);
    }

    /// Waits after the end until a page asks for a reset or [`Live::stop`] is called.
    pub fn linger(&self) -> Flow {
        let mut state = self.lock();
        while state.wants == Flow::Continue {
            state = self.wait(state, Duration::from_millis(200));
        }
        state.wants
    }

    /// Ends the run.
    pub fn stop(&self) {
        self.lock().wants = Flow::Stop;
        self.wake.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>, at_most: Duration) -> MutexGuard<'a, State> {
        self.wake.wait_timeout(state, at_most).unwrap_or_else(PoisonError::into_inner).0
    }

    /// Keeps the state of the world as a frame and lets pages know.
    fn keep(&self, state: &mut State, world: &World, row: FigureRow) {
        let worst = &state.certificate.worst;
        let names = |figures: &[Figure]| {
            let slots = figures.iter().filter(|figure| figure.value > 0.0).flat_map(|figure| figure.slots);
            let mut names: Vec<String> = slots.flatten().map(|slot| world.name_of(slot)).collect();
            names.truncate(2);
            names
        };
        state.worst_bodies = json!({
            "contact": names(&[worst.approach, worst.momentum]),
            "impact": names(&[worst.restitution, worst.impact_geometry]),
            "geometry": names(&[worst.overlap_made, worst.overlap]),
            "displacement": names(&[worst.displacement, worst.rotation]),
            "joints": names(&[worst.joint_position, worst.joint_velocity]),
        });
        state.energy = json!(EnergyReport::from(&world.energy()));
        state.history.store(self.bodies.frame_of(world, row[0]), row);
        let time = state.time;
        state.pacer.measure(time);
        self.changes.send_modify(|version| *version += 1);
    }
}

impl FrameSource for Live {
    fn header(&self) -> Arc<str> {
        Arc::clone(&self.header)
    }

    fn status(&self) -> Value {
        let state = self.lock();
        let (ended, message) = match &state.ended {
            Some((how, message)) => (Some(how.as_str()), message.as_deref()),
            None => (None, None),
        };
        json!({
            "playing": state.playing && state.ended.is_none(),
            "ended": ended,
            "message": message,
            "state_hash": state.state_hash,
            "speed": match state.pacer.pace() { Pace::Times(speed) => Some(speed), Pace::Unlimited => None },
            "factor": state.pacer.measured(),
            "time": state.time,
            "steps": state.steps,
            "may_reset": self.may_reset,
            "may_drag": self.may_drag,
            "certificate": CertificateReport::from(&state.certificate),
            "worst_bodies": state.worst_bodies,
            "energy": state.energy,
        })
    }

    fn extent(&self) -> Extent {
        let state = self.lock();
        Extent { epoch: state.history.epoch(), frames: state.history.len() as u32 }
    }

    fn figures(&self, from: u32, to: u32) -> Result<Vec<FigureRow>, String> {
        Ok(self.lock().history.figures(from, to).to_vec())
    }

    fn frame(&self, index: u32) -> Result<Option<Arc<FrameBytes>>, String> {
        Ok(self.lock().history.frame(index))
    }

    fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    fn control(&self, command: Control) -> Result<(), String> {
        let mut state = self.lock();
        let mut drag = self.drag.lock().unwrap_or_else(PoisonError::into_inner);
        let time = state.time;
        match command {
            Control::Play => {
                state.playing = true;
                state.pacer.count_from(time);
            }
            Control::Pause => state.playing = false,
            Control::Step => (state.playing, state.step_once) = (false, true),
            Control::Speed { value: None } => state.pacer.set(Pace::Unlimited, time),
            Control::Speed { value: Some(speed) } => {
                if !(1e-6..=1e9).contains(&speed) {
                    return Err(format!("speed must be between 1e-6 and 1e9, got {speed}"));
                }
                state.pacer.set(Pace::Times(speed), time);
            }
            Control::Reset if !self.may_reset => {
                return Err("this run is being recorded or reported and cannot begin again".to_owned());
            }
            Control::Reset => state.wants = Flow::Reset,
            Control::Drag { .. } if !self.may_drag => {
                return Err(
                    "`msd run --view` only shows a run; `msd view` lets you pull at bodies".to_owned()
                );
            }
            Control::Drag { body, point, target } => {
                let handle = self.bodies.handle(body);
                let body = handle.ok_or_else(|| format!("there is no body {body}"))?;
                let finite = point.iter().chain(&target).all(|number| number.is_finite());
                if !finite {
                    return Err("a body is pulled to a place that is not finite".to_owned());
                }
                *drag = Some(Drag { body, point: point.into(), target: target.into() });
            }
            Control::Release => *drag = None,
            Control::Drive { .. } if !self.may_drag => {
                return Err(
                    "`msd run --view` only shows a run; `msd view` lets you set its drives".to_owned()
                );
            }
            Control::Drive { drive, value } => {
                let handle = self.drives.get(drive as usize).copied();
                let handle = handle.ok_or_else(|| format!("there is no drive {drive}"))?;
                if !value.is_finite() {
                    return Err("a drive is set to a value that is not finite".to_owned());
                }
                self.driven.lock().unwrap_or_else(PoisonError::into_inner).insert(handle, value);
            }
        }
        drop((state, drag));
        self.wake.notify_all();
        self.changes.send_modify(|version| *version += 1);
        Ok(())
    }

    fn first_page(&self) {
        self.lock().waiting = false;
        self.wake.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use msd::engine::Engine;
    use msd::environment::BodyDescription;
    use msd::physics::constraints::{Actuator, HingeJoint, JointEnd};
    use msd::physics::rigid_body::shape::{Shape, Sphere};

    use super::*;

    fn ball() -> Engine {
        let mut world = World::new();
        let shape = Shape::Sphere(Sphere::new(0.1).unwrap());
        world.add_body(BodyDescription::dynamic("ball", shape).mass(1.0)).unwrap();
        Engine::new(world)
    }

    fn live(engine: &Engine, duration: f64) -> Live {
        let header = Header::of_world(engine.world(), "ball", duration, None).unwrap();
        Live::new(engine.world(), header, Pace::Unlimited, false).unwrap()
    }

    #[test]
    fn history_has_the_start_the_end_and_times_in_order() {
        let mut engine = ball();
        let live = live(&engine, 1.0);
        assert_eq!(live.begin(engine.world()), Flow::Continue);
        engine.run(1.0, |world, step| live.observe(world, step) == Flow::Continue).unwrap();
        live.finish(engine.world(), "done", None);
        let frames = live.extent().frames;
        let rows = live.figures(0, frames).unwrap();
        assert_eq!((rows[0][0], rows.last().unwrap()[0]), (0.0, 1.0));
        assert!(rows.windows(2).all(|pair| pair[0][0] < pair[1][0]));
        let (time, poses) = live.frame(frames - 1).unwrap().unwrap().decode_poses().unwrap();
        assert_eq!(time, 1.0);
        assert!((poses[0].frame.position.z + 0.5 * 9.81).abs() < 1e-6);
        let status = live.status();
        assert_eq!(status["certificate"]["certified"], true);
        assert_eq!(status["ended"], "done");
    }

    #[test]
    fn pause_step_and_stop_reach_a_running_thread() {
        let mut engine = ball();
        let live = Arc::new(live(&engine, 1e3));
        live.control(Control::Pause).unwrap();
        let seen = Arc::clone(&live);
        let run = std::thread::spawn(move || {
            if seen.begin(engine.world()) == Flow::Continue {
                engine.run(1e3, |world, step| seen.observe(world, step) == Flow::Continue).unwrap();
            }
            engine.world().steps()
        });
        live.control(Control::Step).unwrap();
        while live.status()["steps"] != 1 {
            std::thread::yield_now();
        }
        std::thread::sleep(Duration::from_millis(20));
        assert_eq!(live.status()["steps"], 1, "it stands after one step");
        live.stop();
        assert_eq!(run.join().unwrap(), 1);
    }

    #[test]
    fn a_drive_set_from_a_page_moves_its_joint_and_is_a_command() {
        let mut world = World::new();
        world.set_gravity(msd::math::Vec3::ZERO).unwrap();
        let shape = Shape::Sphere(Sphere::new(0.1).unwrap());
        let arm = BodyDescription::dynamic("arm", shape).mass(1.0).position(msd::math::Vec3::X);
        let body = world.add_body(arm).unwrap();
        let end = world.joint_end(body).unwrap();
        let hinge = HingeJoint::new(JointEnd::WORLD, end, msd::math::Vec3::ZERO, msd::math::Vec3::Y).unwrap();
        let hinge = world.add_joint("hinge", Arc::new(hinge)).unwrap();
        world.add_actuator("servo", hinge, Actuator::position(100.0, 20.0).unwrap()).unwrap();
        let mut engine = Engine::new(world);
        let header = Header::of_world(engine.world(), "arm", 1.0, None).unwrap();
        assert_eq!((header.drives[0].name.as_str(), header.drives[0].joint), ("servo", Some(0)));
        assert_eq!(header.joints[1].along, Some(0), "an actuator belongs to its joint");
        let live = Live::new(engine.world(), header, Pace::Unlimited, false).unwrap();
        engine.add_agent(live.hand_agent());
        live.begin(engine.world());
        live.control(Control::Drive { drive: 0, value: 0.5 }).unwrap();
        let mut commands = 0;
        engine
            .run_watched(4.0, |_, _, sent| {
                commands += sent.iter().count();
                true
            })
            .unwrap();
        assert!((engine.world().joint_position(hinge).unwrap() - 0.5).abs() < 1e-3);
        assert_eq!(commands, 1, "a value that holds is not commanded again");
    }

    #[test]
    fn nonsense_from_a_page_is_refused() {
        let engine = ball();
        let live = live(&engine, 1.0).without_reset();
        assert!(live.control(Control::Speed { value: Some(f64::NAN) }).is_err());
        assert!(live.control(Control::Reset).is_err());
        assert!(live.control(Control::Drag { body: 9, point: [0.0; 3], target: [0.0; 3] }).is_err());
        let far = [f64::INFINITY, 0.0, 0.0];
        assert!(live.control(Control::Drag { body: 0, point: [0.0; 3], target: far }).is_err());
        assert!(live.control(Control::Drive { drive: 0, value: 1.0 }).is_err(), "there is none");
    }
}

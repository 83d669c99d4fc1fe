//! A run that is being computed: its history, and the page's hand on it.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use msd::certificate::{Figure, RunCertificate};
use msd::environment::{StepReport, World};
use msd::physics::rigid_body::BodyHandle;
use msd_scene::certificate_report::CertificateReport;
use msd_scene::report::EnergyReport;
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::drives::{DriveHandle, SharedDrives, drives_of};
use crate::figures::{FigureRow, merge};
use crate::frame::{ContactPoint, FrameBytes, Pose};
use crate::hand::{Drag, HandAgent, SharedDrag};
use crate::header::Header;
use crate::recorded::joint_loads;
use crate::source::{Control, Extent, FrameSource};
use crate::{ViewError, default_speed};

/// History is thinned to every second frame beyond this many bytes.
const MAX_HISTORY_BYTES: usize = 256 << 20;
/// The same for frames.
const MAX_HISTORY_FRAMES: usize = 20_000;
/// Frames that a run has at most if its steps are short, unless 60 frames a simulated second are fewer.
const FRAMES_OF_A_RUN: f64 = 2000.0;
/// A run this far behind the clock begins to count again, s.
const MAX_LAG: f64 = 0.25;

/// How fast a run goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pace {
    /// As fast as it can be computed.
    Unlimited,
    /// Simulated seconds per second, if it can be computed that fast.
    Times(f64),
}

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
    numbers: BTreeMap<BodyHandle, u32>,
    handles: Vec<BodyHandle>,
    moving: Vec<BodyHandle>,
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
    epoch: u32,
    frames: Vec<Arc<FrameBytes>>,
    figures: Vec<FigureRow>,
    bytes: usize,
    /// Simulated time between frames, s.
    interval: f64,
    next: f64,
    /// Figures of the steps since the last frame.
    pending: Option<FigureRow>,
    certificate: RunCertificate,
    worst_bodies: Value,
    energy: Value,
    time: f64,
    steps: u64,
    waiting: bool,
    playing: bool,
    step_once: bool,
    wants: Flow,
    pace: Pace,
    /// Wall clock and simulated time from which the pace counts.
    anchor: (Instant, f64),
    /// Of the last measurement, and the simulated seconds per second measured.
    measured: (Instant, f64, f64),
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
        let handles: Vec<BodyHandle> = world.handles().collect();
        let now = Instant::now();
        let interval = (1.0 / 60.0_f64).min(header.duration / FRAMES_OF_A_RUN);
        let live = Self {
            numbers: handles.iter().copied().zip(0..).collect(),
            moving: header.moving.iter().map(|number| handles[*number]).collect(),
            handles,
            drag: SharedDrag::default(),
            drives: drives_of(world).into_iter().map(|(handle, _)| handle).collect(),
            driven: SharedDrives::default(),
            may_reset: true,
            may_drag: true,
            state: Mutex::new(State {
                epoch: 0,
                frames: Vec::new(),
                figures: Vec::new(),
                bytes: 0,
                interval,
                next: 0.0,
                pending: None,
                certificate: RunCertificate::default(),
                worst_bodies: Value::Null,
                energy: Value::Null,
                time: 0.0,
                steps: 0,
                waiting: wait,
                playing: true,
                step_once: false,
                wants: Flow::Continue,
                pace,
                anchor: (now, 0.0),
                measured: (now, 0.0, 0.0),
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
        *self.drag.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.driven.lock().unwrap_or_else(PoisonError::into_inner).clear();
        let mut state = self.lock();
        if !state.frames.is_empty() {
            state.epoch += 1;
        }
        let (interval, now) = (state.interval, Instant::now());
        state.frames.clear();
        state.figures.clear();
        state.bytes = 0;
        state.certificate = RunCertificate::default();
        state.worst_bodies = Value::Null;
        (state.ended, state.state_hash, state.pending) = (None, None, None);
        // A wish to stop that came early still holds.
        if state.wants == Flow::Reset {
            (state.wants, state.step_once) = (Flow::Continue, false);
        }
        (state.time, state.steps, state.next) = (world.time(), world.steps(), interval);
        let ledger = world.energy();
        let mut row = [0.0; 14];
        (row[0], row[1], row[2]) = (world.time(), ledger.kinetic, ledger.potential);
        state.energy = json!(EnergyReport::from(&ledger));
        self.store(&mut state, world, row);
        self.changes.send_modify(|version| *version += 1);
        while state.waiting && state.wants == Flow::Continue {
            state = self.wait(state, Duration::from_millis(200));
        }
        state.anchor = (Instant::now(), world.time());
        state.measured = (now, world.time(), 0.0);
        if state.playing { state.wants } else { self.hold(state, world) }
    }

    /// Shown every step: keeps a frame if it is due, and returns when the next step is.
    pub fn observe(&self, world: &World, step: &StepReport) -> Flow {
        let mut state = self.lock();
        state.certificate.accumulate((step.step, step.time), &step.certificate, |slot| world.name_of(slot));
        let row = figures_of(world, step);
        let row = state.pending.map_or(row, |pending| merge(&pending, &row));
        (state.time, state.steps) = (step.time, step.step);
        // A frame is due by time; round-off is no reason to be a whole step late.
        if step.time >= state.next - 0.5 * step.dt.min(state.interval) {
            self.keep(&mut state, world, row);
        } else {
            state.pending = Some(row);
        }
        self.hold(state, world)
    }

    /// Waits until the next step is due.
    fn hold(&self, mut state: MutexGuard<'_, State>, world: &World) -> Flow {
        loop {
            if state.wants != Flow::Continue {
                return state.wants;
            }
            if state.playing {
                let Pace::Times(speed) = state.pace else { return Flow::Continue };
                let (since, from) = state.anchor;
                let early = (state.time - from) / speed - since.elapsed().as_secs_f64();
                if early < -MAX_LAG {
                    state.anchor = (Instant::now(), state.time);
                }
                if early <= 0.0 {
                    return Flow::Continue;
                }
                state = self.wait(state, Duration::from_secs_f64(early.min(0.1)));
            } else if std::mem::take(&mut state.step_once) {
                return Flow::Continue;
            } else {
                // While paused, the page shows the last step.
                if let Some(row) = state.pending {
                    self.keep(&mut state, world, row);
                }
                state = self.wait(state, Duration::from_millis(200));
            }
        }
    }

    /// The end of a run: `how` as recordings say it, `message` if it failed.
    pub fn finish(&self, world: &World, how: &str, message: Option<String>) {
        let mut state = self.lock();
        if let Some(row) = state.pending {
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
        state.pending = None;
        while state.next <= row[0] + 0.5 * state.interval {
            state.next += state.interval.max(1e-12);
        }
        let worst = &state.certificate.worst;
        let names = |figures: &[Figure]| {
            let slots = figures.iter().filter(|figure| figure.value > 0.0).flat_map(|figure| figure.slots);
            let mut names: Vec<String> = slots.flatten().map(|slot| world.name_of(slot)).collect();
            names.truncate(2);
            names
        };
        state.worst_bodies = json!({
            "contact": names(&[worst.approach]),
            "impact": names(&[worst.restitution, worst.impact_geometry]),
            "geometry": names(&[worst.overlap_made, worst.overlap]),
            "displacement": names(&[worst.displacement, worst.rotation]),
            "joints": names(&[worst.joint_position, worst.joint_velocity]),
        });
        state.energy = json!(EnergyReport::from(&world.energy()));
        self.store(state, world, row);
        let (at, from, _) = state.measured;
        let elapsed = at.elapsed().as_secs_f64();
        if elapsed > 0.5 {
            state.measured = (Instant::now(), state.time, (state.time - from) / elapsed);
        }
        self.changes.send_modify(|version| *version += 1);
    }

    fn store(&self, state: &mut State, world: &World, row: FigureRow) {
        let frame = self.frame_of(world, row[0]);
        state.bytes += frame.size();
        state.frames.push(Arc::new(frame));
        state.figures.push(row);
        if state.bytes > MAX_HISTORY_BYTES || state.frames.len() > MAX_HISTORY_FRAMES {
            thin(state);
        }
    }

    fn frame_of(&self, world: &World, time: f64) -> FrameBytes {
        let pose = |handle: &BodyHandle| {
            let view = world.body(*handle).ok()?;
            Some(Pose {
                frame: view.body.frame(view.state),
                velocity: view.state.velocity,
                angular_velocity: view.state.angular_velocity,
                asleep: world.is_asleep(*handle).unwrap_or(false),
            })
        };
        let poses: Vec<Pose> = self.moving.iter().filter_map(pose).collect();
        let number = |handle: &BodyHandle| self.numbers.get(handle).copied();
        let contacts: Vec<ContactPoint> = world
            .contacts()
            .filter_map(|contact| {
                Some(ContactPoint {
                    a: number(&contact.body_a)?,
                    b: number(&contact.body_b)?,
                    position: contact.position,
                    normal: contact.normal,
                    gap: contact.gap,
                    normal_force: contact.normal_force,
                    friction_force: contact.friction_force,
                })
            })
            .collect();
        FrameBytes::encode(time, &poses, &contacts, &joint_loads(world))
    }
}

/// Every second frame goes, and from now on every second is kept.
fn thin(state: &mut State) {
    let (mut frames, mut figures) = (Vec::new(), Vec::new());
    let last = state.frames.len() - 1;
    for (i, (frame, row)) in state.frames.iter().zip(&state.figures).enumerate() {
        if i % 2 == 0 || i == last {
            frames.push(Arc::clone(frame));
            figures.push(if i > 0 { merge(&state.figures[i - 1], row) } else { *row });
        }
    }
    state.bytes = frames.iter().map(|frame| frame.size()).sum();
    (state.frames, state.figures) = (frames, figures);
    state.epoch += 1;
    state.interval *= 2.0;
}

fn figures_of(world: &World, step: &StepReport) -> FigureRow {
    let ledger = world.energy();
    [
        step.time,
        ledger.kinetic,
        ledger.potential,
        ledger.work_in,
        ledger.dissipated,
        ledger.correction,
        ledger.error(),
        step.energy.unexplained,
        step.contacts.contacts as f64,
        step.contacts.max_penetration,
        step.contacts.residual,
        step.certificate.worst_ratio(),
        step.joints.position_error,
        step.joints.angle_error,
    ]
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
            "speed": match state.pace { Pace::Times(speed) => Some(speed), Pace::Unlimited => None },
            "factor": state.measured.2,
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
        Extent { epoch: state.epoch, frames: state.frames.len() as u32 }
    }

    fn figures(&self, from: u32, to: u32) -> Result<Vec<FigureRow>, String> {
        let state = self.lock();
        let to = (to as usize).min(state.figures.len());
        Ok(state.figures.get(from as usize..to).unwrap_or_default().to_vec())
    }

    fn frame(&self, index: u32) -> Result<Option<Arc<FrameBytes>>, String> {
        Ok(self.lock().frames.get(index as usize).cloned())
    }

    fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    fn control(&self, command: Control) -> Result<(), String> {
        let mut state = self.lock();
        let mut drag = self.drag.lock().unwrap_or_else(PoisonError::into_inner);
        let now = (Instant::now(), state.time);
        match command {
            Control::Play => (state.playing, state.anchor) = (true, now),
            Control::Pause => state.playing = false,
            Control::Step => (state.playing, state.step_once) = (false, true),
            Control::Speed { value: None } => state.pace = Pace::Unlimited,
            Control::Speed { value: Some(speed) } => {
                if !(1e-6..=1e9).contains(&speed) {
                    return Err(format!("speed must be between 1e-6 and 1e9, got {speed}"));
                }
                (state.pace, state.anchor) = (Pace::Times(speed), now);
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
                let handle = self.handles.get(body as usize).copied();
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
    fn a_long_history_is_thinned_and_numbered_again() {
        let engine = ball();
        let live = live(&engine, 1.0);
        live.begin(engine.world());
        let mut state = live.lock();
        for i in 0..MAX_HISTORY_FRAMES {
            let mut row = [0.0; 14];
            (row[0], row[9]) = (i as f64, i as f64);
            live.store(&mut state, engine.world(), row);
        }
        assert_eq!(state.epoch, 1);
        assert!(state.frames.len() < MAX_HISTORY_FRAMES * 3 / 4);
        let rows = &state.figures;
        assert!(rows.windows(2).all(|pair| pair[0][0] < pair[1][0]));
        assert_eq!(rows.last().unwrap()[0], (MAX_HISTORY_FRAMES - 1) as f64, "the newest frame stays");
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

//! `World`: owner of bodies, fields, joints, contacts and time.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};

use super::contact::Contacts;
use super::drive_state::DriveState;
use super::energy_ledger::EnergyLedger;
use super::former_body::FormerBody;
use super::joint_event::{BreakLoad, JointEvent, Latch};
use super::simulation_time::SimulationTime;
use super::sleep_state::{Sleep, SleepSettings};
use super::trigger_event::TriggerEvent;
use super::validate::Validator;
use super::workspace::Workspace;
use super::{FaultPolicy, FieldHandle, WorldError};
use crate::certificate::{CertificateSettings, Judge};
use crate::math::{Coordinate, ReferenceFrame, Vec3};
use crate::physics::constraints::{Actuator, ConstraintSet};
use crate::physics::forces::{Field, UniformGravity};
use crate::physics::integration::{AppliedLoad, Integrator, IntoIntegrator, VelocityVerlet};
use crate::physics::rigid_body::{Bodies, BodyHandle, Identity, Inertia, InertialState, RigidBody};
use crate::threads::Threads;

/// Source of revision numbers. No result depends on it.
static NEXT_REVISION: AtomicU64 = AtomicU64::new(1);

/// A slot for a body: the world its body was added to, its generation, and whether it is in use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Slot {
    pub(super) world: u64,
    pub(super) generation: u32,
    pub(super) occupied: bool,
}

/// The state of the world: all that snapshots contain.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct WorldState {
    pub(super) time: SimulationTime,
    pub(super) steps: u64,
    pub(super) states: Vec<InertialState>,
    pub(super) inertias: Vec<Inertia>,
    pub(super) ledger: EnergyLedger,
    pub(super) loads: Vec<AppliedLoad>,
    /// Target poses of kinematic bodies after the next step, by slot.
    pub(super) targets: BTreeMap<usize, ReferenceFrame>,
    /// Motor velocities that replace the original ones, by slot of the joint.
    pub(super) motor_velocities: BTreeMap<usize, f64>,
    /// Controls, activations, turns counted and limits set.
    pub(super) drives: DriveState,
    pub(super) sleep: Sleep,
    /// True if the user changed something since the last energy balance.
    pub(super) modified: bool,
    /// Slots of triggers and of bodies inside them, sorted.
    pub(super) inside: Vec<(u32, u32)>,
}

/// Rigid bodies, the fields that act on them, and their motion.
///
/// Gravity is (0, 0, -9.81) m/s² unless changed.
///
/// `clone` is a deep copy with the same bodies, fields and joints; it accepts all handles of the original.
/// From then on the two are different worlds: a handle of something added to one is refused by the other.
/// ```
/// # use msd::prelude::*;
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut world = World::new();
/// let ball = world.add_body(BodyDescription::dynamic("ball", Shape::Sphere(Sphere::new(0.1)?)).mass(1.0))?;
/// let mut copy = world.clone();
/// assert!(copy.body(ball).is_ok());
/// let added = copy.add_body(BodyDescription::dynamic("second", Shape::Sphere(Sphere::new(0.1)?)).mass(1.0))?;
/// assert_eq!(world.body(added).unwrap_err(), WorldError::ForeignHandle);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct World {
    pub(super) identity: Identity,
    revision: u64,
    pub(super) slots: Vec<Slot>,
    /// Slots without a body. The smallest is filled first, so that the next slot follows from those that are occupied.
    pub(super) vacant: BinaryHeap<Reverse<u32>>,
    pub(super) bodies: Vec<RigidBody>,
    pub(super) names: BTreeMap<String, BodyHandle>,
    pub(super) gravity: Vec3,
    pub(super) fields: Vec<Arc<dyn Field>>,
    pub(super) field_handles: Vec<FieldHandle>,
    pub(super) next_field: u64,
    pub(super) joints: ConstraintSet,
    /// By slot of their constraint.
    pub(super) actuators: BTreeMap<usize, Actuator>,
    pub(super) contacts: Contacts,
    pub(super) judge: Judge,
    pub(super) certificate_settings: CertificateSettings,
    pub(super) integrator: Box<dyn Integrator>,
    pub(super) dt: f64,
    pub(super) clock: Option<fn() -> f64>,
    pub(super) threads: Threads,
    pub(super) sleeping: Option<SleepSettings>,
    pub(super) fault_policy: FaultPolicy,
    pub(super) state: WorldState,
    /// States at the start, by slot, for `reset`.
    pub(super) initial: Vec<InertialState>,
    pub(super) workspace: Workspace,
    /// Bodies before the changes of agents, while commands are applied.
    pub(super) undo: Option<Vec<FormerBody>>,
    /// Loads at which joints break, by slot.
    pub(super) breaks: BTreeMap<usize, BreakLoad>,
    pub(super) latches: BTreeMap<usize, Latch>,
    /// Of the last step.
    pub(super) joint_events: Vec<JointEvent>,
    pub(super) trigger_events: Vec<TriggerEvent>,
    /// Number of trigger volumes.
    pub(super) triggers: usize,
}

/// Gravity is the first field of every world, so that `set_gravity` knows where it is.
const GRAVITY: FieldHandle = FieldHandle { world: 0, number: 0 };

impl Default for World {
    fn default() -> Self {
        Self::new()
    }
}

impl World {
    /// Standard gravity of a world, m/s².
    pub const DEFAULT_GRAVITY: Vec3 = Vec3::new(0.0, 0.0, -9.81);
    /// Step of [`World::run`] unless changed, s.
    pub const DEFAULT_DT: f64 = 0.001;

    /// An empty world under standard gravity.
    #[must_use]
    pub fn new() -> Self {
        let state = WorldState {
            time: SimulationTime::default(),
            steps: 0,
            states: Vec::new(),
            inertias: Vec::new(),
            ledger: EnergyLedger::default(),
            loads: Vec::new(),
            targets: BTreeMap::new(),
            motor_velocities: BTreeMap::new(),
            drives: DriveState::default(),
            sleep: Sleep::default(),
            modified: true,
            inside: Vec::new(),
        };
        Self {
            identity: Identity::default(),
            revision: NEXT_REVISION.fetch_add(1, Ordering::Relaxed),
            slots: Vec::new(),
            vacant: BinaryHeap::new(),
            bodies: Vec::new(),
            names: BTreeMap::new(),
            gravity: Self::DEFAULT_GRAVITY,
            fields: vec![Arc::new(UniformGravity::new(Self::DEFAULT_GRAVITY).expect("a finite constant"))],
            field_handles: vec![GRAVITY],
            next_field: 1,
            joints: ConstraintSet::new(),
            actuators: BTreeMap::new(),
            contacts: Contacts::default(),
            judge: Judge::default(),
            certificate_settings: CertificateSettings::default(),
            integrator: Box::new(VelocityVerlet::new()),
            dt: Self::DEFAULT_DT,
            clock: None,
            threads: Threads::one(),
            sleeping: None,
            fault_policy: FaultPolicy::default(),
            state,
            initial: Vec::new(),
            workspace: Workspace::default(),
            undo: None,
            breaks: BTreeMap::new(),
            latches: BTreeMap::new(),
            joint_events: Vec::new(),
            trigger_events: Vec::new(),
            triggers: 0,
        }
    }

    // ── Settings ────────────────────────────────────────────────────────────────────────────────────────────────

    /// Uniform gravity, m/s²; zero is free space.
    ///
    /// # Errors
    /// If it is not finite.
    pub fn set_gravity(&mut self, acceleration: Vec3) -> Result<(), WorldError> {
        let acceleration = Validator::world().finite("gravity", acceleration)?;
        let index = self.field_handles.iter().position(|handle| *handle == GRAVITY);
        match (index, UniformGravity::new(acceleration)) {
            (Some(i), Ok(field)) if acceleration != Vec3::ZERO => self.fields[i] = Arc::new(field),
            (Some(i), _) => {
                self.fields.remove(i);
                self.field_handles.remove(i);
            }
            (None, Ok(field)) if acceleration != Vec3::ZERO => {
                self.fields.insert(0, Arc::new(field));
                self.field_handles.insert(0, GRAVITY);
            }
            (None, _) => {}
        }
        self.gravity = acceleration;
        self.state.modified = true;
        self.state.sleep.wake_all();
        Ok(())
    }

    /// Uniform gravity, m/s².
    #[must_use]
    pub fn gravity(&self) -> Vec3 {
        self.gravity
    }

    /// The time step of [`World::run`], s.
    ///
    /// # Errors
    /// If it is not positive and finite.
    pub fn set_dt(&mut self, dt: f64) -> Result<(), WorldError> {
        self.dt = Validator::world().positive("dt", dt)?;
        Ok(())
    }

    /// The time step of [`World::run`], s.
    #[must_use]
    pub fn dt(&self) -> f64 {
        self.dt
    }

    /// The integrator.
    pub fn set_integrator(&mut self, integrator: impl IntoIntegrator) {
        self.integrator = integrator.into_integrator();
    }

    /// The integrator.
    #[must_use]
    pub fn integrator(&self) -> &dyn Integrator {
        self.integrator.as_ref()
    }

    /// A function that returns seconds from any fixed origin; the phases of a step are timed with it. The engine has
    /// no clock of its own, and no result depends on this one.
    pub fn set_clock(&mut self, seconds: Option<fn() -> f64>) {
        self.clock = seconds;
    }

    /// The threads that steps may use; one unless changed. No result depends on them.
    pub fn set_threads(&mut self, threads: Threads) {
        self.threads = threads;
    }

    /// The threads that steps may use.
    #[must_use]
    pub fn threads(&self) -> &Threads {
        &self.threads
    }

    // ── Sums ────────────────────────────────────────────────────────────────────────────────────────────────────

    /// Now, s.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.state.time.seconds()
    }

    /// Number of steps so far.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.state.steps
    }

    /// Another number whenever a body or a joint is added or removed. Worlds with the same number, which only copies can
    /// have, have the same bodies and joints.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The energy ledger.
    #[must_use]
    pub fn energy(&self) -> EnergyLedger {
        let mut ledger = self.state.ledger;
        if self.state.modified {
            ledger.rebase(self.measure_energy());
        }
        ledger
    }

    /// Linear momentum of all bodies that forces move, kg·m/s.
    #[must_use]
    pub fn linear_momentum(&self) -> Vec3 {
        self.all_bodies().iter().map(|view| view.state.linear_momentum(view.inertia)).sum()
    }

    /// Angular momentum of all bodies that forces move about a world point, kg·m²/s.
    #[must_use]
    pub fn angular_momentum_about(&self, point: Coordinate) -> Vec3 {
        self.all_bodies().iter().map(|view| view.state.angular_momentum_about(point, view.inertia)).sum()
    }

    /// Back to the start: time zero, every body as it was when it was added (or last placed before the first step).
    pub fn reset(&mut self) {
        self.state.time = SimulationTime::default();
        self.state.steps = 0;
        self.state.states.clone_from(&self.initial);
        self.state.inertias = self.bodies.iter().map(|body| body.inertia).collect();
        self.state.ledger = EnergyLedger::default();
        self.state.loads.clear();
        self.state.targets.clear();
        self.state.motor_velocities.clear();
        self.reset_drives();
        self.state.inside.clear();
        self.joint_events.clear();
        self.trigger_events.clear();
        self.state.sleep.wake_all();
        self.state.modified = true;
        self.contacts.forget();
        self.workspace = Workspace::default();
    }

    // ── Within the crate ────────────────────────────────────────────────────────────────────────────────────────

    /// All bodies as seen by fields and constraints; unused slots are graphical.
    #[must_use]
    pub fn all_bodies(&self) -> Bodies<'_> {
        Bodies { bodies: &self.bodies, inertias: &self.state.inertias, states: &self.state.states }
    }

    /// Call it when a body or a joint was added or removed.
    pub(super) fn bump_revision(&mut self) {
        self.revision = NEXT_REVISION.fetch_add(1, Ordering::Relaxed);
        self.workspace.body_tree.take();
    }

    /// Changes a state for the user; before the first step the change is part of the initial state.
    pub(super) fn modify_state(&mut self, slot: usize, modify: impl FnOnce(&mut InertialState)) {
        self.workspace.store_step_end(&self.state.states);
        modify(&mut self.state.states[slot]);
        self.workspace.body_tree.take();
        if self.state.steps == 0 {
            self.initial[slot] = self.state.states[slot];
        }
        self.state.sleep.wake(slot);
        self.state.modified = true;
    }
}

//! `World`: the one owner of bodies, fields and everything that happens to them.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use serde::{Deserialize, Serialize};

use super::WorldError;
use super::body_description::BodyDescription;
use super::door::Door;
use super::energy_ledger::EnergyLedger;
use super::simulation_time::SimulationTime;
use super::step::Workspace;
use crate::math::{Coordinate, ReferenceFrame, Vec3};
use crate::physics::constraints::{Constraint, ConstraintSet};
use crate::physics::integration::{AppliedLoad, Integrator, VelocityVerlet};
use crate::physics::potential_energy::{ActsOn, Field, UniformGravity};
use crate::physics::rigid_body::{
    Acceleration, Bodies, BodyHandle, BodyKind, BodyView, Inertia, InertialState, RigidBody,
};

/// Gives every world an identity, so that a handle of one is refused by another. No result depends on it.
static NEXT_IDENTITY: AtomicU32 = AtomicU32::new(1);

/// Identifies a field of a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FieldHandle(u64);

/// A slot for a body: how often it was used, and whether it is now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Slot {
    pub(super) generation: u32,
    pub(super) occupied: bool,
}

/// What moves. Snapshots copy this and nothing else.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct WorldState {
    pub(super) time: SimulationTime,
    pub(super) steps: u64,
    pub(super) states: Vec<InertialState>,
    pub(super) inertias: Vec<Inertia>,
    pub(super) ledger: EnergyLedger,
    pub(super) loads: Vec<AppliedLoad>,
    /// Where kinematic bodies are to be after the next step, by slot.
    pub(super) targets: BTreeMap<usize, ReferenceFrame>,
    /// Velocities asked of motors instead of their own, by slot of the joint.
    pub(super) motor_velocities: BTreeMap<usize, f64>,
    /// True if something was changed by hand since the ledger last looked.
    pub(super) touched: bool,
}

/// Rigid bodies, the fields that act on them, and their motion.
///
/// Gravity is (0, 0, -9.81) m/s² unless changed. `clone` is a deep copy that accepts the same handles.
#[derive(Clone, Debug)]
pub struct World {
    identity: u32,
    pub(super) slots: Vec<Slot>,
    pub(super) bodies: Vec<RigidBody>,
    names: BTreeMap<String, BodyHandle>,
    gravity: Vec3,
    pub(super) fields: Vec<Arc<dyn Field>>,
    field_handles: Vec<FieldHandle>,
    next_field: u64,
    pub(super) joints: ConstraintSet,
    pub(super) integrator: Box<dyn Integrator>,
    pub(super) dt: f64,
    pub(super) clock: Option<fn() -> f64>,
    pub(super) state: WorldState,
    /// States at the start, by slot, for `reset`.
    initial: Vec<InertialState>,
    pub(super) workspace: Workspace,
}

/// Gravity is the first field of every world, so that `set_gravity` knows where it is.
const GRAVITY: FieldHandle = FieldHandle(0);

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
            touched: true,
        };
        Self {
            identity: NEXT_IDENTITY.fetch_add(1, Ordering::Relaxed),
            slots: Vec::new(),
            bodies: Vec::new(),
            names: BTreeMap::new(),
            gravity: Self::DEFAULT_GRAVITY,
            fields: vec![Arc::new(UniformGravity::new(Self::DEFAULT_GRAVITY).expect("a finite constant"))],
            field_handles: vec![GRAVITY],
            next_field: 1,
            joints: ConstraintSet::new(),
            integrator: Box::new(VelocityVerlet::new()),
            dt: Self::DEFAULT_DT,
            clock: None,
            state,
            initial: Vec::new(),
            workspace: Workspace::default(),
        }
    }

    // ── Settings ────────────────────────────────────────────────────────────────────────────────────────────────

    /// Uniform gravity, m/s²; zero is free space.
    ///
    /// # Errors
    /// If it is not finite.
    pub fn set_gravity(&mut self, acceleration: Vec3) -> Result<(), WorldError> {
        let acceleration = Door::world().finite("gravity", acceleration)?;
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
        self.state.touched = true;
        Ok(())
    }

    /// Uniform gravity, m/s².
    #[must_use]
    pub fn gravity(&self) -> Vec3 {
        self.gravity
    }

    /// The step that [`World::run`] takes, s.
    ///
    /// # Errors
    /// If it is not positive and finite.
    pub fn set_dt(&mut self, dt: f64) -> Result<(), WorldError> {
        self.dt = Door::world().positive("dt", dt)?;
        Ok(())
    }

    /// The step that [`World::run`] takes, s.
    #[must_use]
    pub fn dt(&self) -> f64 {
        self.dt
    }

    /// The method that moves bodies.
    pub fn set_integrator(&mut self, integrator: Box<dyn Integrator>) {
        self.integrator = integrator;
    }

    /// The method that moves bodies.
    #[must_use]
    pub fn integrator(&self) -> &dyn Integrator {
        self.integrator.as_ref()
    }

    /// A function that returns seconds from any fixed origin; the phases of a step are timed with it. The engine has
    /// no clock of its own, and no result depends on this one.
    pub fn set_clock(&mut self, seconds: Option<fn() -> f64>) {
        self.clock = seconds;
    }

    // ── Bodies ──────────────────────────────────────────────────────────────────────────────────────────────────

    /// Adds a body.
    ///
    /// # Errors
    /// If any of its values is not finite, out of range or inconsistent, or its name is taken.
    pub fn add_body(&mut self, description: BodyDescription) -> Result<BodyHandle, WorldError> {
        let (body, inertia, state) = self.admit(&description)?;
        let everywhere = |field: &&Arc<dyn Field>| matches!(field.acts_on(), ActsOn::Everything);
        self.fields.iter().filter(everywhere).try_for_each(|field| check_fit(field.as_ref(), &body))?;
        let slot = self.slots.iter().position(|slot| !slot.occupied).unwrap_or(self.slots.len());
        if slot == self.slots.len() {
            self.slots.push(Slot { generation: 0, occupied: false });
            self.bodies.push(body);
            self.state.states.push(state);
            self.state.inertias.push(inertia);
            self.initial.push(state);
        } else {
            self.slots[slot].generation += 1;
            self.bodies[slot] = body;
            self.state.states[slot] = state;
            self.state.inertias[slot] = inertia;
            self.initial[slot] = state;
        }
        self.slots[slot].occupied = true;
        let handle = self.handle_of(slot);
        self.names.insert(description.name, handle);
        self.state.touched = true;
        Ok(handle)
    }

    /// Checks a description and turns it into what the world stores.
    fn admit(&self, described: &BodyDescription) -> Result<(RigidBody, Inertia, InertialState), WorldError> {
        let door = Door::body(&described.name);
        door.name()?;
        if self.names.contains_key(&described.name) {
            return Err(WorldError::DuplicateName(described.name.clone()));
        }
        if described.kind != BodyKind::Static
            && described.shape.as_ref().is_some_and(|shape| !shape.is_bounded())
        {
            return Err(kind_error(&described.name, described.kind, "a half-space can only be static"));
        }
        let frame = door.frame(&described.frame)?;
        let body_name = || described.name.clone();
        described.material.validate().map_err(|source| WorldError::Material { body: body_name(), source })?;
        let (inertia, center) =
            described.resolve_mass().map_err(|source| WorldError::Inertia { body: body_name(), source })?;
        let body = RigidBody {
            name: body_name(),
            kind: described.kind,
            shape: described.shape.clone(),
            inertia,
            center_of_mass_local: door.finite("center_of_mass", center)?,
            material: described.material,
            properties: described.properties.clone(),
            linear_damping: door.at_least_zero("linear_damping", described.linear_damping)?,
            angular_damping: door.at_least_zero("angular_damping", described.angular_damping)?,
        };
        let state = InertialState {
            center_of_mass: door.position(body.center_of_mass(&frame))?,
            orientation: frame.orientation,
            velocity: door.finite("velocity", described.velocity)?,
            angular_velocity: door.finite("angular_velocity", described.angular_velocity)?,
        };
        let moves = state.velocity != Vec3::ZERO || state.angular_velocity != Vec3::ZERO;
        if moves && matches!(described.kind, BodyKind::Static | BodyKind::Graphical) {
            return Err(kind_error(&described.name, described.kind, "it cannot have a velocity"));
        }
        Ok((body, inertia, state))
    }

    /// Removes a body and everything applied to it.
    ///
    /// # Errors
    /// If the handle is stale or foreign, or a field or joint refers to the body.
    pub fn remove_body(&mut self, handle: BodyHandle) -> Result<(), WorldError> {
        let slot = self.slot(handle)?;
        let uses = |field: &&Arc<dyn Field>| matches!(field.acts_on(), ActsOn::Bodies(list) if list.contains(&handle));
        if let Some(field) = self.fields.iter().find(uses) {
            let user = format!("the field `{}`", field.type_name());
            return Err(WorldError::InUse { body: self.bodies[slot].name.clone(), user });
        }
        let joined = |(_, name, joint): (_, &str, &Arc<dyn Constraint>)| {
            joint.bodies().contains(&Some(handle)).then(|| format!("the joint `{name}`"))
        };
        if let Some(user) = self.joints.iter().find_map(joined) {
            return Err(WorldError::InUse { body: self.bodies[slot].name.clone(), user });
        }
        self.names.remove(&self.bodies[slot].name);
        self.slots[slot].occupied = false;
        self.bodies[slot] = RigidBody::vacant();
        self.state.inertias[slot] = Inertia::IMMOVABLE;
        self.state.states[slot] = InertialState::AT_REST;
        self.initial[slot] = InertialState::AT_REST;
        self.state.loads.retain(|load| load.slot != slot);
        self.state.targets.remove(&slot);
        self.state.touched = true;
        Ok(())
    }

    /// The body of that name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<BodyHandle> {
        self.names.get(name).copied()
    }

    /// All bodies in the order of their slots.
    pub fn handles(&self) -> impl Iterator<Item = BodyHandle> + '_ {
        (0..self.slots.len()).filter(|slot| self.slots[*slot].occupied).map(|slot| self.handle_of(slot))
    }

    /// Everything about one body now.
    ///
    /// # Errors
    /// If the handle is stale or foreign.
    pub fn body(&self, handle: BodyHandle) -> Result<BodyView<'_>, WorldError> {
        Ok(self.all_bodies().view(self.slot(handle)?))
    }

    /// Pose of the body's frame (what the user placed), world.
    ///
    /// # Errors
    /// If the handle is stale or foreign.
    pub fn frame(&self, handle: BodyHandle) -> Result<ReferenceFrame, WorldError> {
        let view = self.body(handle)?;
        Ok(view.body.frame(view.state))
    }

    /// Mean acceleration over the last step, `Δv/dt` and `Δω/dt`; zero before the first.
    ///
    /// # Errors
    /// If the handle is stale or foreign.
    pub fn acceleration(&self, handle: BodyHandle) -> Result<Acceleration, WorldError> {
        let slot = self.slot(handle)?;
        Ok(self.workspace.acceleration(slot, &self.state.states[slot]))
    }

    // ── Changes by hand: each is booked in the ledger as work put in ────────────────────────────────────────────

    /// Places the body's frame, keeping its velocities.
    ///
    /// # Errors
    /// If the handle is stale or foreign, or the pose is not finite, not unit or too far out.
    pub fn set_frame(&mut self, handle: BodyHandle, frame: ReferenceFrame) -> Result<(), WorldError> {
        let slot = self.slot(handle)?;
        let body = &self.bodies[slot];
        let door = Door::body(&body.name);
        let frame = door.frame(&frame)?;
        let center_of_mass = door.position(body.center_of_mass(&frame))?;
        self.change(slot, |state| {
            state.center_of_mass = center_of_mass;
            state.orientation = frame.orientation;
        });
        Ok(())
    }

    /// Sets the velocity of the centre of mass, world frame, m/s.
    ///
    /// # Errors
    /// If the handle is stale or foreign, the body cannot move, or the value is not finite.
    pub fn set_velocity(&mut self, handle: BodyHandle, velocity: Vec3) -> Result<(), WorldError> {
        let slot = self.moving_slot(handle, "it cannot have a velocity")?;
        let velocity = Door::body(&self.bodies[slot].name).finite("velocity", velocity)?;
        self.change(slot, |state| state.velocity = velocity);
        Ok(())
    }

    /// Sets the angular velocity, world frame, rad/s.
    ///
    /// # Errors
    /// If the handle is stale or foreign, the body cannot move, or the value is not finite.
    pub fn set_angular_velocity(
        &mut self,
        handle: BodyHandle,
        angular_velocity: Vec3,
    ) -> Result<(), WorldError> {
        let slot = self.moving_slot(handle, "it cannot have an angular velocity")?;
        let omega = Door::body(&self.bodies[slot].name).finite("angular_velocity", angular_velocity)?;
        self.change(slot, |state| state.angular_velocity = omega);
        Ok(())
    }

    /// Moves a kinematic body so that its frame is at `target` after the next step.
    ///
    /// # Errors
    /// If the handle is stale or foreign, the body is not kinematic, or the pose is refused.
    pub fn move_kinematic_to(
        &mut self,
        handle: BodyHandle,
        target: ReferenceFrame,
    ) -> Result<(), WorldError> {
        let slot = self.slot(handle)?;
        let body = &self.bodies[slot];
        if body.kind != BodyKind::Kinematic {
            return Err(kind_error(&body.name, body.kind, "only a kinematic body can be given a target"));
        }
        let target = Door::body(&body.name).frame(&target)?;
        self.state.targets.insert(slot, target);
        Ok(())
    }

    // ── Fields ──────────────────────────────────────────────────────────────────────────────────────────────────

    /// Adds a field beside gravity.
    ///
    /// # Errors
    /// If it names a body that is not in this world, or one that lacks what the field needs.
    pub fn add_field(&mut self, field: Arc<dyn Field>) -> Result<FieldHandle, WorldError> {
        match field.acts_on() {
            ActsOn::Everything => {
                self.bodies.iter().try_for_each(|body| check_fit(field.as_ref(), body))?;
            }
            ActsOn::Bodies(handles) => {
                for handle in handles {
                    check_fit(field.as_ref(), &self.bodies[self.slot(*handle)?])?;
                }
            }
        }
        let handle = FieldHandle(self.next_field);
        self.next_field += 1;
        self.fields.push(field);
        self.field_handles.push(handle);
        self.state.touched = true;
        Ok(handle)
    }

    /// Removes a field.
    ///
    /// # Errors
    /// If it is not there.
    pub fn remove_field(&mut self, handle: FieldHandle) -> Result<(), WorldError> {
        let index =
            self.field_handles.iter().position(|h| *h == handle).ok_or(WorldError::StaleHandle("field"))?;
        self.fields.remove(index);
        self.field_handles.remove(index);
        self.state.touched = true;
        Ok(())
    }

    /// All fields, gravity first if there is any.
    #[must_use]
    pub fn fields(&self) -> &[Arc<dyn Field>] {
        &self.fields
    }

    // ── Sums ────────────────────────────────────────────────────────────────────────────────────────────────────

    /// Now, s.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.state.time.seconds()
    }

    /// Steps taken so far.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.state.steps
    }

    /// The energy books.
    #[must_use]
    pub fn energy(&self) -> EnergyLedger {
        let mut ledger = self.state.ledger;
        if self.state.touched {
            let (kinetic, potential) = self.measure_energy();
            ledger.take_over(kinetic, potential);
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
        self.state.touched = true;
        self.workspace = Workspace::default();
    }

    // ── Within the crate ────────────────────────────────────────────────────────────────────────────────────────

    /// All bodies as fields and constraints see them; vacant slots are graphical.
    #[must_use]
    pub fn all_bodies(&self) -> Bodies<'_> {
        Bodies { bodies: &self.bodies, inertias: &self.state.inertias, states: &self.state.states }
    }

    pub(super) fn handle_of(&self, slot: usize) -> BodyHandle {
        BodyHandle::new(self.identity, slot as u32, self.slots[slot].generation)
    }

    /// The slot of a handle of this world whose body is still there.
    pub(super) fn slot(&self, handle: BodyHandle) -> Result<usize, WorldError> {
        if handle.world() != self.identity {
            return Err(WorldError::ForeignHandle);
        }
        match self.slots.get(handle.slot()) {
            Some(slot) if slot.occupied && slot.generation == handle.generation() => Ok(handle.slot()),
            _ => Err(WorldError::StaleHandle("body")),
        }
    }

    /// The slot of a dynamic or kinematic body.
    fn moving_slot(&self, handle: BodyHandle, problem: &'static str) -> Result<usize, WorldError> {
        let slot = self.slot(handle)?;
        let body = &self.bodies[slot];
        match body.kind {
            BodyKind::Dynamic | BodyKind::Kinematic => Ok(slot),
            BodyKind::Static | BodyKind::Graphical => Err(kind_error(&body.name, body.kind, problem)),
        }
    }

    /// The slot of a dynamic body.
    pub(super) fn dynamic_slot(
        &self,
        handle: BodyHandle,
        problem: &'static str,
    ) -> Result<usize, WorldError> {
        let slot = self.slot(handle)?;
        let body = &self.bodies[slot];
        if body.kind == BodyKind::Dynamic {
            Ok(slot)
        } else {
            Err(kind_error(&body.name, body.kind, problem))
        }
    }

    /// Changes a state by hand; before the first step the change is part of the start.
    pub(super) fn change(&mut self, slot: usize, change: impl FnOnce(&mut InertialState)) {
        change(&mut self.state.states[slot]);
        if self.state.steps == 0 {
            self.initial[slot] = self.state.states[slot];
        }
        self.state.touched = true;
    }
}

/// Asks a field whether it can act on a body.
fn check_fit(field: &dyn Field, body: &RigidBody) -> Result<(), WorldError> {
    if body.kind != BodyKind::Dynamic {
        return Ok(());
    }
    field.check_body(body).map_err(|source| WorldError::Field { body: body.name.clone(), source })
}

fn kind_error(body: &str, kind: BodyKind, problem: &'static str) -> WorldError {
    let kind = match kind {
        BodyKind::Dynamic => "dynamic",
        BodyKind::Static => "static",
        BodyKind::Kinematic => "kinematic",
        BodyKind::Graphical => "graphical",
    };
    WorldError::Kind { body: body.to_owned(), kind, problem }
}

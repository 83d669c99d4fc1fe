//! Sleeping: islands at rest are skipped until something wakes them.
//!
//! Off by default ([`World::set_sleeping`]). A body is *still* while no point of it is faster than the
//! tolerance, `|v| + |ω| r ≤ speed`, with r the distance of its farthest point from its centre of mass.
//! Islands of bodies connected by contacts and joints fall asleep together, when all of their bodies have
//! been still for the time window and one of them is supported by something that does not move: a contact
//! under pressure, or a joint. Bodies that drift in free space, alone or docked, never sleep.
//!
//! A sleeping body keeps its pose to the bit and has zero velocity; its remaining kinetic energy is
//! dissipated. It is not integrated, pairs of sleeping bodies are skipped by collision detection, and their
//! contacts are not solved.
//!
//! It wakes, with the rest of its island, at the start of the step in which it could matter: when a contact
//! with an awake or driven body may close within the step, when a load acts on it, when the wrench of a field
//! on it differs (in any bit) from that at falling asleep, when one of its joints is driven, and when the
//! user changes it. Changes to its support (fields, joints, settings, bodies moved or removed by the user)
//! wake everything.

use super::sleep_state::{IslandState, Sleep, SleepIslands, SleepSettings};
use super::validate::Validator;
use super::{World, WorldError};
use crate::math::{Vec3, scalar};
use crate::physics::constraints::{Constraint, MAX_ROWS, Pair};
use crate::physics::forces::{ActsOn, ClosedForm, Field, FieldClass};
use crate::physics::rigid_body::{Bodies, BodyHandle, BodyKind, InertialState, Wrench};
use crate::tolerance;

impl World {
    /// Enables or disables sleeping. Off by default: everything is solved in every step.
    ///
    /// # Errors
    /// If a setting is not positive and finite.
    pub fn set_sleeping(&mut self, settings: Option<SleepSettings>) -> Result<(), WorldError> {
        if let Some(settings) = settings {
            Validator::world().positive("sleep speed", settings.speed)?;
            Validator::world().positive("sleep time", settings.time)?;
        } else {
            self.state.sleep = Sleep::default();
        }
        self.sleeping = settings;
        Ok(())
    }

    /// The sleep thresholds, if sleeping is on.
    #[must_use]
    pub fn sleeping(&self) -> Option<SleepSettings> {
        self.sleeping
    }

    /// True if the body sleeps.
    ///
    /// # Errors
    /// If the handle is stale or foreign.
    pub fn is_asleep(&self, handle: BodyHandle) -> Result<bool, WorldError> {
        Ok(self.state.sleep.is_asleep(self.slot(handle)?))
    }

    /// Wakes a body and the rest of its island.
    ///
    /// # Errors
    /// If the handle is stale or foreign.
    pub fn wake(&mut self, handle: BodyHandle) -> Result<(), WorldError> {
        let slot = self.slot(handle)?;
        self.state.sleep.wake(slot);
        Ok(())
    }

    /// At the start of a step: wakes bodies with new loads.
    pub(super) fn wake_disturbed(&mut self, dt: f64) {
        if self.sleeping.is_none() {
            return;
        }
        let slots = self.bodies.len();
        self.state.sleep.fit(slots);
        self.workspace.sleep.clone_from(&self.state.sleep);
        if !self.state.sleep.any_asleep() {
            return;
        }
        for load in
            self.state.loads.iter().filter(|load| load.force != Vec3::ZERO || load.torque != Vec3::ZERO)
        {
            self.state.sleep.wake(load.slot);
        }
        let (start, end) = (self.time(), self.time() + dt);
        let edge = tolerance::STEP_EDGE * scalar::max(end.abs(), dt);
        for time in [start + edge, end - edge] {
            self.wake_by_joints(time);
            self.wake_by_forces(time);
        }
    }

    fn wake_by_joints(&mut self, time: f64) {
        for (_, _, joint) in self.joints.enabled() {
            let ends = joint.bodies().map(|end| end.map(|handle| handle.slot()));
            let driven = |slot: &usize| self.is_driven(*slot);
            if ends.iter().flatten().any(driven) || changes(joint.as_ref(), &self.state.states, time) {
                ends.into_iter().flatten().for_each(|slot| self.state.sleep.wake(slot));
            }
        }
    }

    fn wake_by_forces(&mut self, time: f64) {
        if !self.fields.iter().any(|field| is_watched(field.as_ref())) {
            return;
        }
        for slot in 0..self.bodies.len() {
            if self.state.sleep.is_asleep(slot) {
                let bodies = self.all_bodies();
                if watched_wrench(self, slot, &bodies, time) != self.state.sleep.held[slot] {
                    self.state.sleep.wake(slot);
                }
            }
        }
    }

    /// True for a kinematic body that moves in the next step.
    fn is_driven(&self, slot: usize) -> bool {
        self.bodies[slot].kind == BodyKind::Kinematic
            && (moves(&self.state.states[slot]) || self.state.targets.contains_key(&slot))
    }

    /// True if no body moves in the next step.
    pub(super) fn everything_sleeps(&self) -> bool {
        self.state.sleep.any_asleep()
            && self.state.loads.is_empty()
            && self.state.targets.is_empty()
            && self.bodies.iter().enumerate().all(|(slot, body)| match body.kind {
                BodyKind::Dynamic => self.state.sleep.is_asleep(slot),
                BodyKind::Kinematic => !moves(&self.state.states[slot]),
                BodyKind::Static | BodyKind::Graphical => true,
            })
    }

    /// At the end of a step, before the energy balance: puts islands to sleep that have been still long
    /// enough. Returns their kinetic energy, J.
    pub(super) fn try_sleep(&mut self, dt: f64) -> f64 {
        let Some(settings) = self.sleeping else { return 0.0 };
        if !self.count_stillness(&settings, dt) {
            return 0.0;
        }
        let mut sleep_islands = std::mem::take(&mut self.workspace.sleep_islands);
        self.group(&mut sleep_islands, &settings, dt);
        let time = self.time() + dt;
        let mut lost = self.joints.rotor_energy(&self.workspace.next, time);
        for slot in 0..self.bodies.len() {
            let root = sleep_islands.union_find.root(slot);
            let IslandState { held, must_stay_awake } = sleep_islands.island_state[root];
            if self.bodies[slot].kind == BodyKind::Dynamic
                && held
                && !must_stay_awake
                && !self.state.sleep.is_asleep(slot)
            {
                lost += self.workspace.next[slot].kinetic_energy(&self.state.inertias[slot]);
                self.workspace.next[slot].reset_motion();
                self.state.sleep.asleep[slot] = true;
                self.state.sleep.group[slot] = root as u32;
            }
        }
        lost -= self.joints.rotor_energy(&self.workspace.next, time);
        self.store_wrenches(time);
        self.workspace.sleep_islands = sleep_islands;
        lost
    }

    /// Updates how long bodies have been still; true if an awake one has been still long enough.
    fn count_stillness(&mut self, settings: &SleepSettings, dt: f64) -> bool {
        self.state.sleep.woken = false;
        let mut tired = false;
        for (slot, body) in self.bodies.iter().enumerate() {
            if body.kind != BodyKind::Dynamic || self.state.sleep.is_asleep(slot) {
                continue;
            }
            let (state, inertia) = (&self.workspace.next[slot], &self.state.inertias[slot]);
            let reach = match &body.shape {
                Some(_) => self.contacts.detector.reach(slot),
                None => (inertia.principal_moments().max_element() * inertia.inverse_mass()).sqrt(),
            };
            let fastest = state.velocity.length() + state.angular_velocity.length() * reach;
            let still = &mut self.state.sleep.still[slot];
            *still = if fastest <= settings.speed { *still + dt } else { 0.0 };
            tired |= *still >= settings.time;
        }
        tired
    }

    /// Builds the islands of awake bodies, with their supports and the reasons to stay awake.
    fn group(&self, sleep_islands: &mut SleepIslands, settings: &SleepSettings, dt: f64) {
        sleep_islands.reset(self.bodies.len());
        let time = self.time() + dt;
        for (slot, _) in self.bodies.iter().enumerate().filter(|(_, b)| b.kind == BodyKind::Dynamic) {
            let view = self.all_bodies().view(slot);
            let unsteady = |field: &dyn Field| {
                acts_on(field, slot)
                    && (field.class() == FieldClass::TimeDependent || field.mass_flow(&view, time) != 0.0)
            };
            let must_stay_awake =
                !self.state.sleep.is_asleep(slot) && self.state.sleep.still[slot] < settings.time;
            let unsteady = self.fields.iter().any(|field| unsteady(field.as_ref()));
            sleep_islands.island_state[slot].must_stay_awake = must_stay_awake || unsteady;
        }
        for pair in self.contacts.detector.contacts() {
            // A body that has been still for so long had the same touching pairs in the step before.
            let pressed = self.contacts.touching.binary_search(&pair.slots()).is_ok();
            self.connect(sleep_islands, [Some(pair.a), Some(pair.b)], pressed);
        }
        for (handle, _, joint) in self.joints.enabled() {
            let ends = joint.bodies().map(|end| end.map(|handle| handle.slot()));
            for &part in self.joints.parts_of(handle.slot()) {
                let other = self.joints.bodies_in(part);
                for (a, b) in [0, 1].into_iter().flat_map(|a| [(a, 0), (a, 1)]) {
                    if ends[a].is_some() && other[b].is_some() {
                        self.connect(sleep_islands, [ends[a], other[b]], false);
                    }
                }
            }
            self.connect(sleep_islands, ends, true);
            if changes(joint.as_ref(), &self.workspace.next, time) {
                ends.into_iter()
                    .flatten()
                    .for_each(|slot| sleep_islands.island_state[slot].must_stay_awake = true);
            }
        }
        sleep_islands.merge_into_roots();
    }

    /// Connects the two ends of a contact or joint (`None` is the world); `holds` says whether it supports a
    /// body.
    fn connect(&self, sleep_islands: &mut SleepIslands, ends: [Option<usize>; 2], holds: bool) {
        let forced = |end: Option<usize>| end.filter(|slot| self.bodies[*slot].kind == BodyKind::Dynamic);
        match (forced(ends[0]), forced(ends[1])) {
            (Some(a), Some(b)) => sleep_islands.union_find.union(a, b),
            (Some(slot), None) | (None, Some(slot)) => {
                let driven = ends.into_iter().flatten().any(|end| {
                    self.bodies[end].kind == BodyKind::Kinematic && moves(&self.workspace.start[end])
                });
                sleep_islands.island_state[slot].held |= holds;
                sleep_islands.island_state[slot].must_stay_awake |= driven;
            }
            (None, None) => {}
        }
    }

    /// Stores the wrenches of watched fields on sleeping bodies in the final poses of the step.
    fn store_wrenches(&mut self, time: f64) {
        for slot in 0..self.bodies.len() {
            if self.state.sleep.is_asleep(slot) && !self.workspace.sleep.is_asleep(slot) {
                let bodies = Bodies { states: &self.workspace.next, ..self.all_bodies() };
                self.state.sleep.held[slot] = watched_wrench(self, slot, &bodies, time);
            }
        }
    }
}

fn moves(state: &InertialState) -> bool {
    state.velocity != Vec3::ZERO || state.angular_velocity != Vec3::ZERO
}

/// True if time drives the joint now.
fn changes(joint: &dyn Constraint, states: &[InertialState], time: f64) -> bool {
    let state = |end: Option<BodyHandle>| end.map_or(&InertialState::AT_REST, |end| &states[end.slot()]);
    let [a, b] = joint.bodies();
    let mut rates = [0.0; MAX_ROWS];
    joint.time_derivative(&Pair { a: state(a), b: state(b) }, time, &mut rates[..joint.dimension()]);
    rates.iter().any(|rate| *rate != 0.0)
}

/// False if the wrench of the field on a body at rest never changes, whatever others do.
fn is_watched(field: &dyn Field) -> bool {
    field.class() != FieldClass::Conservative || field.closed_form() == ClosedForm::Unknown
}

fn acts_on(field: &dyn Field, slot: usize) -> bool {
    match field.acts_on() {
        ActsOn::Everything => true,
        ActsOn::Bodies(handles) => handles.iter().any(|handle| handle.slot() == slot),
    }
}

/// Force and torque of the watched fields on a body.
fn watched_wrench(world: &World, slot: usize, bodies: &Bodies<'_>, time: f64) -> [Vec3; 2] {
    let mut sum = Wrench::ZERO;
    for field in
        world.fields.iter().filter(|field| is_watched(field.as_ref()) && acts_on(field.as_ref(), slot))
    {
        sum += field.wrench(&bodies.view(slot), bodies, time);
    }
    [sum.force, sum.torque]
}

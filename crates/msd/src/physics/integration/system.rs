//! The equations of motion of all bodies during one step.
//!
//! Newton and Euler, world frame: `m v̇ = F`, and `I ω̇ + ω × I ω = τ` with `I = R I_body Rᵀ`. The gyroscopic term is
//! always there; without it a free asymmetric body would not tumble. A body that forces do not move has inverse mass
//! and inverse inertia zero and goes through the same equations.
//!
//! Mass flows at a constant rate during a step, `m(t) = m(t₀) + ṁ (t - t₀)`, and the inertia tensor scales with it.

use std::sync::Arc;

use super::{AppliedLoad, IntegrationError, StepPower, StepWork};
use crate::math::scalar;
use crate::physics::constraints::ConstraintSet;
use crate::physics::forces::{ActsOn, Field, FieldClass};
use crate::physics::rigid_body::{
    Acceleration, Bodies, BodyKind, Inertia, InertialState, RigidBody, Wrench, angular_acceleration,
};
use crate::threads::Threads;
use crate::tolerance;

/// The wrenches on all bodies at one instant, world frame, about the centres of mass, one entry a slot.
#[derive(Clone, Debug, Default)]
pub struct Loads {
    /// Everything that acts.
    pub total: Vec<Wrench>,
    /// The part that does work from outside (external fields, applied loads); empty if there is none.
    pub external: Vec<Wrench>,
    /// The dissipative part; empty if there is none.
    pub dissipative: Vec<Wrench>,
}

impl Loads {
    fn clear(&mut self, len: usize, parts: LoadKinds) {
        let lengths = [len, if parts.external { len } else { 0 }, if parts.dissipative { len } else { 0 }];
        for (wrenches, len) in
            [&mut self.total, &mut self.external, &mut self.dissipative].into_iter().zip(lengths)
        {
            wrenches.clear();
            wrenches.resize(len, Wrench::ZERO);
        }
    }
}

/// Kinds of loads that may be non-zero during the step.
#[derive(Clone, Copy, Debug)]
pub(super) struct LoadKinds {
    pub(super) external: bool,
    pub(super) dissipative: bool,
}

impl LoadKinds {
    fn of(fields: &[Arc<dyn Field>], applied: &[AppliedLoad]) -> Self {
        let any = |class| fields.iter().any(|field| field.class() == class);
        Self {
            external: !applied.is_empty() || any(FieldClass::External),
            dissipative: any(FieldClass::Dissipative),
        }
    }
}

/// A body that gains or loses mass during the step.
#[derive(Clone, Copy, Debug)]
struct MassFlow {
    slot: usize,
    rate: f64,
    at_start: Inertia,
}

/// Everything that decides how bodies accelerate during one step.
#[derive(Debug)]
pub struct System<'a> {
    pub(super) bodies: &'a [RigidBody],
    pub(super) inertias: &'a mut [Inertia],
    fields: &'a [Arc<dyn Field>],
    applied: &'a [AppliedLoad],
    pub(super) start: f64,
    end: f64,
    flows: Vec<MassFlow>,
    pub(super) parts: LoadKinds,
    pub(super) depends_on_velocity: bool,
    /// The same for fields alone.
    pub(super) fields_depend_on_velocity: bool,
    pub(super) constraints: Option<&'a mut ConstraintSet>,
    pub(super) failure: Option<IntegrationError>,
    /// Sleeping bodies by slot, on which nothing acts; may be shorter.
    asleep: &'a [bool],
    pub(super) threads: Threads,
}

impl<'a> System<'a> {
    /// The system of a step from `start` to `start + dt` seconds.
    ///
    /// `inertias` hold the masses at the start; [`System::set_time`] moves them along where mass flows.
    ///
    /// # Errors
    /// If a body would run out of mass within the step.
    pub fn new(
        bodies: &'a [RigidBody],
        inertias: &'a mut [Inertia],
        states: &[InertialState],
        fields: &'a [Arc<dyn Field>],
        applied: &'a [AppliedLoad],
        start: f64,
        dt: f64,
    ) -> Result<Self, IntegrationError> {
        let parts = LoadKinds::of(fields, applied);
        let depends_on_velocity = fields.iter().any(|field| field.depends_on_velocity());
        let flows = Vec::new();
        let mut system = Self {
            bodies,
            inertias,
            fields,
            applied,
            start,
            end: start + dt,
            flows,
            parts,
            depends_on_velocity,
            fields_depend_on_velocity: depends_on_velocity,
            constraints: None,
            failure: None,
            asleep: &[],
            threads: Threads::one(),
        };
        system.collect_mass_flows(states, dt)?;
        Ok(system)
    }

    /// The same system with sleeping bodies, by slot.
    #[must_use]
    pub fn with_sleeping(mut self, asleep: &'a [bool]) -> Self {
        self.asleep = asleep;
        self
    }

    /// The same system on these threads.
    #[must_use]
    pub fn with_threads(mut self, threads: &Threads) -> Self {
        self.threads = threads.clone();
        self
    }

    fn collect_mass_flows(&mut self, states: &[InertialState], dt: f64) -> Result<(), IntegrationError> {
        for (slot, body) in self.bodies.iter().enumerate().filter(|(_, b)| b.kind == BodyKind::Dynamic) {
            let view = self.at(states).view(slot);
            let rate: f64 = self
                .fields
                .iter()
                .filter(|field| acts_on(field.as_ref(), slot))
                .map(|field| field.mass_flow(&view, self.clamp_to_step(self.start)))
                .sum();
            if rate == 0.0 {
                continue;
            }
            let at_start = self.inertias[slot];
            let mass = at_start.mass() + rate * dt;
            if !(mass > 0.0 && mass.is_finite()) {
                return Err(IntegrationError::MassExhausted { body: body.name.clone(), mass });
            }
            self.flows.push(MassFlow { slot, rate, at_start });
        }
        Ok(())
    }

    /// How many slots there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bodies.len()
    }

    /// True if there are no bodies at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }

    /// The bodies with these states.
    #[must_use]
    pub fn at<'s>(&'s self, states: &'s [InertialState]) -> Bodies<'s> {
        Bodies { bodies: self.bodies, inertias: self.inertias, states }
    }

    /// Constants of the bodies, by slot.
    #[must_use]
    pub fn bodies(&self) -> &'a [RigidBody] {
        self.bodies
    }

    /// Mass and inertia at the time last set, by slot.
    #[must_use]
    pub fn inertias(&self) -> &[Inertia] {
        self.inertias
    }

    /// The fields.
    #[must_use]
    pub fn fields(&self) -> &'a [Arc<dyn Field>] {
        self.fields
    }

    /// The one-step loads.
    #[must_use]
    pub fn applied(&self) -> &'a [AppliedLoad] {
        self.applied
    }

    /// True if the body in `slot` gains or loses mass during the step.
    #[must_use]
    pub fn has_mass_flow(&self, slot: usize) -> bool {
        self.flows.iter().any(|flow| flow.slot == slot)
    }

    /// Calls `visit` with the slot of every dynamic body `field` acts on.
    pub fn for_each_target(&self, field: &dyn Field, mut visit: impl FnMut(usize)) {
        for_each_slot(field, self.bodies, &mut visit);
    }

    /// True if something acts whose work crosses the boundary of the system: loads, external fields, drag.
    #[must_use]
    pub fn has_outside_loads(&self) -> bool {
        self.parts.external || self.parts.dissipative
    }

    /// True if any force depends on velocities.
    #[must_use]
    pub fn depends_on_velocity(&self) -> bool {
        self.depends_on_velocity
    }

    /// `time`, moved into the step by a few ulps: a load switched on or off exactly at an end of the step is
    /// evaluated as it is during the step.
    fn clamp_to_step(&self, time: f64) -> f64 {
        let rounding = tolerance::STEP_EDGE * scalar::max(self.end.abs(), self.end - self.start);
        scalar::clamp(time, self.start + rounding, self.end - rounding)
    }

    /// Moves flowing masses to their value at `time`. Every evaluation below does so itself.
    pub fn set_time(&mut self, time: f64) {
        for flow in &self.flows {
            let mass = flow.at_start.mass() + flow.rate * (time - self.start);
            // Positive at both ends of the step (checked when the system was made), so positive between them.
            if let Ok(inertia) = flow.at_start.with_mass(mass) {
                self.inertias[flow.slot] = inertia;
            }
        }
    }

    /// Puts flowing masses back to the start of the step.
    pub fn rewind(&mut self) {
        for flow in &self.flows {
            self.inertias[flow.slot] = flow.at_start;
        }
    }

    /// All wrenches at `time` with the bodies in `states`.
    pub fn loads(&mut self, time: f64, states: &[InertialState], out: &mut Loads) {
        self.set_time(time);
        out.clear(states.len(), self.parts);
        let bodies = self.at(states);
        let instant = self.clamp_to_step(time);
        for field in self.fields {
            let target: &mut [Wrench] = match field.class() {
                FieldClass::External => &mut out.external,
                FieldClass::Dissipative => &mut out.dissipative,
                FieldClass::Conservative | FieldClass::TimeDependent | FieldClass::Gyroscopic => {
                    &mut out.total
                }
            };
            for_each_target(field.as_ref(), &bodies, |slot| {
                if !self.asleep.get(slot).copied().unwrap_or(false) {
                    target[slot] += field.wrench(&bodies.view(slot), &bodies, instant);
                }
            });
        }
        for load in self.applied {
            out.external[load.slot] += load.wrench(&states[load.slot]);
        }
        self.add_joint_forces(time, states, out);
        for part in [&out.external, &out.dissipative] {
            for (total, wrench) in out.total.iter_mut().zip(part) {
                *total += *wrench;
            }
        }
    }

    /// Accelerations at `time` with the bodies in `states`: Newton-Euler with the gyroscopic term, joints held.
    pub fn accelerations(
        &mut self,
        time: f64,
        states: &[InertialState],
        loads: &mut Loads,
        out: &mut Vec<Acceleration>,
    ) -> Result<(), IntegrationError> {
        self.loads(time, states, loads);
        out.clear();
        out.extend(loads.total.iter().zip(states).zip(self.inertias.iter()).map(
            |((wrench, state), inertia)| Acceleration {
                linear: wrench.force * inertia.inverse_mass(),
                angular: angular_acceleration(inertia, state, wrench.torque),
            },
        ));
        self.constrain(time, states, out)
    }

    /// Rates at which energy crosses the boundary of the system now, W.
    pub fn power(&self, time: f64, states: &[InertialState], loads: &Loads) -> StepPower {
        let mut power = StepPower::default();
        for (external, state) in loads.external.iter().zip(states) {
            power.work_in += external.power(state.velocity, state.angular_velocity);
        }
        for (dissipative, state) in loads.dissipative.iter().zip(states) {
            power.dissipated -= dissipative.power(state.velocity, state.angular_velocity);
        }
        let bodies = self.at(states);
        for field in self.fields.iter().filter(|field| field.class() == FieldClass::TimeDependent) {
            for_each_target(field.as_ref(), &bodies, |slot| {
                power.work_in += field.power(&bodies.view(slot), &bodies, time);
            });
        }
        power.work_in += self.mass_flow_power(time, states) + self.driven_power(time, states);
        power
    }

    /// Energy carried by the mass that arrives or leaves, W: `ṁ (½ v² + ½ ω·Iω/m + V/m)`.
    fn mass_flow_power(&self, time: f64, states: &[InertialState]) -> f64 {
        let bodies = self.at(states);
        self.flows
            .iter()
            .map(|flow| {
                let view = bodies.view(flow.slot);
                let kinetic = view.state.kinetic_energy(view.inertia);
                let potential: f64 = self
                    .fields
                    .iter()
                    .filter(|field| acts_on(field.as_ref(), flow.slot) && field.is_proportional_to_mass())
                    .filter_map(|field| field.energy(&view, &bodies, time))
                    .sum();
                flow.rate * (kinetic + potential) * view.inertia.inverse_mass()
            })
            .sum()
    }

    /// Potential energy of all fields and of springs among the constraints, J.
    #[must_use]
    pub fn potential_energy(&self, time: f64, states: &[InertialState]) -> f64 {
        let elastic = self.constraints().map_or(0.0, |constraints| constraints.elastic_energy(states, time));
        elastic + potential_energy(self.fields, &self.at(states), time)
    }

    /// Kinetic energy of all bodies that forces move and of rotors, J.
    #[must_use]
    pub fn kinetic_energy(&self, states: &[InertialState]) -> f64 {
        let rotors = self.constraints().map_or(0.0, |constraints| constraints.rotor_energy(states, self.end));
        let bodies = states.iter().zip(self.inertias.iter());
        rotors + bodies.map(|(state, inertia)| state.kinetic_energy(inertia)).sum::<f64>()
    }

    /// Checks the result of an integrator: finite states with unit quaternions, static bodies unmoved, finite
    /// work.
    pub(crate) fn check_step(
        &self,
        integrator: &'static str,
        before: &[InertialState],
        after: &[InertialState],
        work: &StepWork,
        dt: f64,
    ) -> Result<(), IntegrationError> {
        self.check_finite(after, dt)?;
        let name = |slot: usize| self.bodies[slot].name.clone();
        for (slot, (state, body)) in after.iter().zip(self.bodies).enumerate() {
            let square = state.orientation.length_squared();
            if (square - 1.0).abs() > 2.0 * tolerance::UNIT_QUATERNION {
                return Err(IntegrationError::NotUnit { body: name(slot), integrator, norm: square.sqrt() });
            }
            let stands = matches!(body.kind, BodyKind::Static | BodyKind::Graphical);
            if stands && has_moved(&before[slot], state) {
                return Err(IntegrationError::MovedStatic { body: name(slot), integrator });
            }
        }
        let StepWork { work_in, dissipated, correction } = *work;
        if (work_in + dissipated + correction).is_finite() {
            return Ok(());
        }
        Err(IntegrationError::Work { integrator, work_in, dissipated, correction })
    }

    /// Reports the first body with forces at the start of the step that are not finite, or that would move it
    /// beyond what f64 resolves or give it an infinite energy within `dt`. Called after a failed step to find
    /// its cause.
    pub(crate) fn check_forces(&mut self, states: &[InertialState], dt: f64) -> Result<(), IntegrationError> {
        self.check_fields(states)?;
        let mut loads = Loads::default();
        self.loads(self.start, states, &mut loads);
        for (slot, (wrench, state)) in loads.total.iter().zip(states).enumerate() {
            let inertia = &self.inertias[slot];
            let acceleration = Acceleration {
                linear: wrench.force * inertia.inverse_mass(),
                angular: angular_acceleration(inertia, state, wrench.torque),
            };
            let mut next = *state;
            next.velocity += acceleration.linear * dt;
            next.angular_velocity += acceleration.angular * dt;
            next.center_of_mass += next.velocity * dt;
            let resolved =
                next.center_of_mass.abs().max_element() * f64::EPSILON <= tolerance::POSITION_RESOLUTION;
            if !(resolved && next.is_finite() && next.kinetic_energy(inertia).is_finite()) {
                let (body, Wrench { force, torque }) = (self.bodies[slot].name.clone(), *wrench);
                let (force, torque) = (force.to_array(), torque.to_array());
                return Err(IntegrationError::Overload { body, force, torque, dt });
            }
        }
        Ok(())
    }

    /// The first field whose wrench is not finite with the bodies in `states`, as an error.
    fn check_fields(&self, states: &[InertialState]) -> Result<(), IntegrationError> {
        let (bodies, mut found) = (self.at(states), Ok(()));
        for field in self.fields {
            for_each_target(field.as_ref(), &bodies, |slot| {
                let Wrench { force, torque } =
                    field.wrench(&bodies.view(slot), &bodies, self.clamp_to_step(self.start));
                if found.is_ok() && !(force.is_finite() && torque.is_finite()) {
                    let (body, field) = (self.bodies[slot].name.clone(), field.type_name());
                    let (force, torque) = (force.to_array(), torque.to_array());
                    found = Err(IntegrationError::Field { body, field, force, torque });
                }
            });
        }
        found
    }

    /// The first body whose state is not finite, as an error.
    ///
    /// # Errors
    /// Names that body.
    pub fn check_finite(&self, states: &[InertialState], dt: f64) -> Result<(), IntegrationError> {
        match states.iter().position(|state| !state.is_finite()) {
            None => Ok(()),
            Some(slot) => Err(IntegrationError::NotFinite { body: self.bodies[slot].name.clone(), dt }),
        }
    }
}

/// Potential energy of `fields` with the bodies as they are at `time`, J.
#[must_use]
pub fn potential_energy(fields: &[Arc<dyn Field>], bodies: &Bodies<'_>, time: f64) -> f64 {
    let mut energy = 0.0;
    for field in fields {
        for_each_target(field.as_ref(), bodies, |slot| {
            energy += field.energy(&bodies.view(slot), bodies, time).unwrap_or(0.0);
        });
    }
    energy
}

/// The first field energy that is not finite, with the slot it is of.
pub(crate) fn field_energy_not_finite(
    fields: &[Arc<dyn Field>],
    bodies: &Bodies<'_>,
    time: f64,
) -> Option<(&'static str, usize, f64)> {
    let mut found = None;
    for field in fields {
        for_each_target(field.as_ref(), bodies, |slot| {
            let energy = field.energy(&bodies.view(slot), bodies, time).unwrap_or(0.0);
            if found.is_none() && !energy.is_finite() {
                found = Some((field.type_name(), slot, energy));
            }
        });
    }
    found
}

/// True if a body that stands still has moved. Integrators may round its orientation.
fn has_moved(before: &InertialState, after: &InertialState) -> bool {
    let turned = (1.0 - before.orientation.dot(after.orientation).abs()).abs();
    before.center_of_mass != after.center_of_mass
        || before.velocity != after.velocity
        || before.angular_velocity != after.angular_velocity
        || turned > tolerance::UNIT_QUATERNION
}

fn acts_on(field: &dyn Field, slot: usize) -> bool {
    match field.acts_on() {
        ActsOn::Everything => true,
        ActsOn::Bodies(handles) => handles.iter().any(|handle| handle.slot() == slot),
    }
}

/// Calls `visit` with the slot of every dynamic body the field acts on.
fn for_each_target(field: &dyn Field, bodies: &Bodies<'_>, visit: impl FnMut(usize)) {
    for_each_slot(field, bodies.bodies, visit);
}

fn for_each_slot(field: &dyn Field, bodies: &[RigidBody], mut visit: impl FnMut(usize)) {
    let mut visit_dynamic = |slot: usize| {
        if bodies[slot].kind == BodyKind::Dynamic {
            visit(slot);
        }
    };
    match field.acts_on() {
        ActsOn::Everything => (0..bodies.len()).for_each(&mut visit_dynamic),
        ActsOn::Bodies(handles) => handles.iter().for_each(|handle| visit_dynamic(handle.slot())),
    }
}

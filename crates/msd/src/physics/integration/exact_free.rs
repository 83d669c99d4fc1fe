//! `exact-free`: free flight in closed form, at any step length.
//!
//! A body on which nothing acts, or only uniform gravity, or only the attraction of one centre, moves on a
//! straight line, a parabola or a conic ([`super::kepler_arc`]) and rotates by the solution of Euler and
//! Poinsot ([`super::rotate_torque_free_exact`]). Errors are round-off, whatever dt: energy, momentum and
//! angular momentum are kept to it.
//!
//! Bodies on which something else acts (a field without a closed form, a load of the step, flowing mass,
//! joints anywhere in the world) have no closed form. They are integrated by [`Adaptive`] at a tight
//! tolerance, together with all others, so that fields between bodies see the motion of all; the free ones
//! are then moved to their exact arcs.

use super::{
    Adaptive, IntegrationError, Integrator, StepWork, System, euler_poinsot::rotate_torque_free_exact,
    kepler::kepler_arc,
};
use crate::math::{Coordinate, Vec3};
use crate::physics::forces::{ClosedForm, FieldClass};
use crate::physics::rigid_body::{BodyKind, InertialState};
use crate::tolerance;

/// Closed-form free flight; see the top of this file.
#[derive(Clone, Debug)]
pub struct ExactFree {
    arcs: Vec<FreePath>,
    exact: Vec<InertialState>,
    fallback: Adaptive,
}

/// How the centre of mass of a body moves.
#[derive(Clone, Copy, Debug, PartialEq)]
enum FreePath {
    /// With this constant acceleration, zero included.
    Parabola(Vec3),
    /// About a centre.
    Conic { mu: f64, center: Coordinate },
    /// No closed form.
    Unknown,
}

impl Default for ExactFree {
    fn default() -> Self {
        Self::new(tolerance::EXACT_FREE_FALLBACK)
    }
}

impl ExactFree {
    /// With that relative tolerance for bodies that have no closed form.
    #[must_use]
    pub fn new(fallback_tolerance: f64) -> Self {
        Self { arcs: Vec::new(), exact: Vec::new(), fallback: Adaptive::new(fallback_tolerance) }
    }

    /// Relative tolerance for bodies that have no closed form.
    #[must_use]
    pub fn fallback_tolerance(&self) -> f64 {
        self.fallback.tolerance()
    }

    /// Classifies the bodies; `self.arcs` has one entry a slot.
    fn classify(&mut self, system: &System<'_>) {
        self.arcs.clear();
        self.arcs.extend(system.bodies().iter().enumerate().map(|(slot, body)| {
            let is_free = body.kind != BodyKind::Dynamic
                || (system.constraints().is_none() && !system.has_mass_flow(slot));
            if is_free { FreePath::Parabola(Vec3::ZERO) } else { FreePath::Unknown }
        }));
        for load in system.applied() {
            self.arcs[load.slot] = FreePath::Unknown;
        }
        for field in system.fields() {
            let flight = match field.class() {
                FieldClass::Conservative => field.closed_form(),
                _ => ClosedForm::Unknown,
            };
            system.for_each_target(field.as_ref(), |slot| {
                self.arcs[slot] = self.arcs[slot].combined_with(flight)
            });
        }
    }
}

impl FreePath {
    /// The arc when one more field acts.
    fn combined_with(self, flight: ClosedForm) -> Self {
        match (self, flight) {
            (FreePath::Parabola(sum), ClosedForm::Uniform(acceleration)) => {
                FreePath::Parabola(sum + acceleration)
            }
            (FreePath::Parabola(Vec3::ZERO), ClosedForm::PointMass { mu, center }) => {
                FreePath::Conic { mu, center }
            }
            (FreePath::Conic { mu, center }, ClosedForm::PointMass { mu: more, center: other })
                if center == other =>
            {
                FreePath::Conic { mu: mu + more, center }
            }
            _ => FreePath::Unknown,
        }
    }

    /// Moves the centre of mass; `false` if there is no arc to move it on.
    fn advance(self, state: &mut InertialState, dt: f64) -> bool {
        match self {
            FreePath::Parabola(acceleration) => {
                state.center_of_mass += (state.velocity + acceleration * (0.5 * dt)) * dt;
                state.velocity += acceleration * dt;
                true
            }
            FreePath::Conic { mu, center } => {
                match kepler_arc(mu, state.center_of_mass - center, state.velocity, dt) {
                    Some((position, velocity)) => {
                        state.center_of_mass = center + position;
                        state.velocity = velocity;
                        true
                    }
                    None => false,
                }
            }
            FreePath::Unknown => false,
        }
    }
}

impl Integrator for ExactFree {
    fn name(&self) -> &'static str {
        "exact-free"
    }

    fn describe(&self) -> String {
        format!("exact-free, tolerance {:e}", self.fallback.tolerance())
    }

    fn order(&self) -> Option<u32> {
        None
    }

    fn step(
        &mut self,
        system: &mut System<'_>,
        states: &mut [InertialState],
        time: f64,
        dt: f64,
    ) -> Result<StepWork, IntegrationError> {
        self.classify(system);
        self.exact.clear();
        self.exact.extend_from_slice(states);
        let mut all_are_exact = true;
        for (slot, state) in self.exact.iter_mut().enumerate() {
            if self.arcs[slot].advance(state, dt) {
                rotate_torque_free_exact(&system.inertias()[slot], state, dt);
            } else {
                self.arcs[slot] = FreePath::Unknown;
                all_are_exact = false;
            }
        }
        let mut work = StepWork::default();
        if !all_are_exact {
            work = self.fallback.step(system, states, time, dt)?;
        }
        for ((state, exact), arc) in states.iter_mut().zip(&self.exact).zip(&self.arcs) {
            if *arc != FreePath::Unknown {
                *state = *exact;
            }
        }
        system.check_finite(states, dt)?;
        Ok(work)
    }

    fn clone_box(&self) -> Box<dyn Integrator> {
        Box::new(self.clone())
    }
}

//! Proximal semismooth Newton in velocity space: exact for every mass ratio and for any number of redundant contacts.
//!
//! Repeats [`ProximalStep`] with a regularisation `ε_i = ε w_i` that falls from step to step. Without friction, a
//! step from a solution stays there, and a step from anywhere reduces the error along an eigenvector of the scaled `J
//! M⁻¹ Jᵀ` with eigenvalue σ by `ε/(ε + σ)`: a few steps suffice for every σ that round-off can tell from zero. The
//! component in the null space never changes. From zero impulses the result is therefore the one that shares a load
//! with the least `Σ w_i ‖λ_i‖²`, as symmetric as the scene.
//!
//! ε falls no faster than the residual: a step leaves round-off of `1e-16/ε` of the error in the null space, and the
//! error falls with ε.
//!
//! With friction, the De Saxcé shift `μ ‖u_t‖` is frozen at first, which is a convex problem for each step. Sticking
//! contacts have no shift: their remaining velocity is due to the regularisation, and divided by the smaller one of
//! the next step it would open resting contacts. Once slipping contacts are known, their shift depends on the
//! velocity inside the step. Such a step converges quadratically if its regularisation is large enough for the
//! distance from the solution; otherwise it is discarded, a step with frozen shifts follows, and the next one with
//! moving shifts has a larger regularisation.

use super::constraint_rows::ConstraintRows;
use super::friction_cone::ConeRegion;
use super::newton_matrix::VelocityMatrix;
use super::proximal_step::ProximalStep;
use crate::math::scalar;
use crate::tolerance;

/// First regularisation and its fall from step to step, relative to `tr W/3` of a contact. A step reduces the
/// error by about the regularisation over the relative eigenvalue of `J M⁻¹ Jᵀ`. tuned: stacks of any mass
/// ratio.
pub(super) const SOFTNESS_FIRST: f64 = 1e-3;

/// See [`SOFTNESS_FIRST`].
const SOFTNESS_FALL: f64 = 1e-2;

/// With moving shifts: the first regularisation, its fall after a step that converged, its rise after one
/// that did not, its maximum, and the Newton steps after which that is decided. tuned: sliding and tipping
/// stacks of `contact_stacks`; without Newton's method 40 of 211 contact tests fail.
const MOVING_FIRST: f64 = 1e-4;

/// See [`MOVING_FIRST`].
pub(super) const MOVING_FALL: f64 = 0.1;

/// See [`MOVING_FIRST`].
const SOFTNESS_RISE: f64 = 30.0;

/// See [`MOVING_FIRST`].
pub(super) const SOFTNESS_MOST: f64 = 0.1;

/// See [`MOVING_FIRST`].
const MOVING_STEPS: usize = 10;

/// Newton steps in one proximal step. tuned.
const NEWTON_STEPS: usize = 30;

/// Proximal steps that do not halve the residual before the method stops. tuned: stacks of any mass ratio.
const NEWTON_PATIENCE: usize = 12;

/// Share of `μ λ_n` that the last friction impulse must reach for a contact to count as slipping. tuned.
const ON_CONE: f64 = 0.999;

/// Newton steps in one attempt with friction. tuned: the sequences of `contact_sequences`.
const ATTEMPT_STEPS: usize = 6;

/// Target residual, the one that is enough where another step gains little, and velocity scale, m/s.
#[derive(Clone, Copy, Debug)]
pub(super) struct Goal {
    pub(super) target: f64,
    pub(super) content: f64,
    pub(super) scale: f64,
}

/// Result of the method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Converged {
    /// Residual of the best impulses found, m/s.
    pub(super) residual: f64,
    /// Proximal steps.
    pub(super) steps: usize,
    /// Factorisations of the 6×6-block matrix.
    pub(super) factorisations: usize,
}

/// Result of a few steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Attempt {
    /// m/s; may be larger than before.
    pub(super) residual: f64,
    pub(super) factorisations: usize,
    /// True if the regularised law was solved.
    pub(super) solved: bool,
}

/// Workspace of the method.
#[derive(Clone, Debug, Default)]
pub(super) struct ProximalNewton {
    step: ProximalStep,
    current: Vec<f64>,
    y: Vec<f64>,
    /// ConstraintRows whose shift may move, from the last step.
    slipping: Vec<bool>,
    /// Sticking contacts since the last step, without a shift: their velocity is due to the regularisation.
    sticking: Vec<bool>,
    /// ε of the next step with frozen shifts, and with moving ones.
    frozen_softness: f64,
    moving_softness: f64,
    /// True if the next step keeps its shifts.
    freeze: bool,
}

impl ProximalNewton {
    /// Solves from `impulses` until the residual reaches the target, the factorisations are used up, or steps no
    /// longer help; returns the best in place.
    pub(super) fn run(
        &mut self,
        elements: &ConstraintRows,
        matrix: &mut VelocityMatrix,
        impulses: &mut [f64],
        goal: Goal,
        most_factorisations: usize,
    ) -> Converged {
        self.step.forget();
        self.start(elements, impulses);
        let mut best = Converged { residual: self.refresh(elements), steps: 0, factorisations: 0 };
        let mut stalled = 0;
        while best.residual > goal.target
            && best.factorisations < most_factorisations
            && stalled < NEWTON_PATIENCE
        {
            best.factorisations +=
                self.advance(elements, matrix, goal.scale, most_factorisations - best.factorisations);
            best.steps += 1;
            let residual = self.refresh(elements);
            stalled = if residual < 0.5 * best.residual { 0 } else { stalled + 1 };
            if residual < best.residual {
                best.residual = residual;
                impulses.copy_from_slice(&self.current);
            }
        }
        best
    }

    /// A few Newton steps of Coulomb's law with one regularisation; returns their impulses in place, better or worse.
    /// The shift depends on the velocity at every contact that does not stick by the law itself.
    pub(super) fn attempt(
        &mut self,
        elements: &ConstraintRows,
        matrix: &mut VelocityMatrix,
        impulses: &mut [f64],
        regularisation: f64,
    ) -> Attempt {
        self.start(elements, impulses);
        self.refresh(elements);
        let step = &mut self.step;
        step.forget();
        step.known.clone_from(&self.current);
        step.shifts.clear();
        step.shifts.resize(elements.list.len(), 0.0);
        step.moving.clear();
        for element in &elements.list {
            let own = (&self.current[element.first..], &step.velocities[element.first..]);
            step.moving.push(element.size == 6 || (element.friction > 0.0 && !element.sticks(own.0, own.1)));
        }
        step.regularisation = regularisation;
        let stepped = step.solve(elements, matrix, ATTEMPT_STEPS);
        self.current.clone_from(&self.step.at.impulses);
        let residual = self.refresh(elements);
        impulses.copy_from_slice(&self.current);
        Attempt { residual, factorisations: stepped.factorisations, solved: stepped.solved }
    }

    fn start(&mut self, elements: &ConstraintRows, impulses: &[f64]) {
        self.current.clear();
        self.current.extend_from_slice(impulses);
        self.mark_slipping(elements, impulses);
        self.freeze = !self.slipping.contains(&true);
        self.sticking.clear();
        self.sticking.resize(elements.list.len(), false);
        (self.frozen_softness, self.moving_softness) = (SOFTNESS_FIRST, MOVING_FIRST);
    }

    /// Contacts whose friction is at its limit.
    fn mark_slipping(&mut self, elements: &ConstraintRows, impulses: &[f64]) {
        self.slipping.clear();
        for element in &elements.list {
            let own = &impulses[element.first..element.first + element.size];
            let limit = ON_CONE * element.friction * own[0];
            let slips =
                element.friction > 0.0 && own[0] > 0.0 && own[1] * own[1] + own[2] * own[2] >= limit * limit;
            self.slipping.push(slips);
        }
    }

    /// True if no contact has friction at its limit.
    pub(super) fn nothing_slips(&mut self, elements: &ConstraintRows, impulses: &[f64]) -> bool {
        self.mark_slipping(elements, impulses);
        !self.slipping.contains(&true)
    }

    /// Velocities of the impulses, into the next step; returns the residual.
    fn refresh(&mut self, elements: &ConstraintRows) -> f64 {
        elements.respond(&self.current, &mut self.y);
        elements.velocities(&self.y, &mut self.step.velocities);
        elements.residual(&self.current, &self.step.velocities)
    }

    /// One proximal step; returns its factorisations.
    fn advance(
        &mut self,
        elements: &ConstraintRows,
        matrix: &mut VelocityMatrix,
        scale: f64,
        most: usize,
    ) -> usize {
        let step = &mut self.step;
        step.known.clone_from(&self.current);
        step.shifts.clear();
        step.moving.clear();
        for (index, element) in elements.list.iter().enumerate() {
            let shift = if self.sticking[index] || element.size == 1 {
                0.0
            } else {
                let u = &step.velocities[element.first..];
                element.friction * (u[1] * u[1] + u[2] * u[2]).sqrt()
            };
            step.shifts.push(shift);
            step.moving.push(self.slipping[index] && !self.freeze);
        }
        let any_moves = step.moving.contains(&true);
        let epsilon = if any_moves { self.moving_softness } else { self.frozen_softness };
        step.regularisation = epsilon;
        let limit = if any_moves { MOVING_STEPS } else { NEWTON_STEPS };
        let stepped = step.solve(elements, matrix, most.clamp(1, limit));
        let regularisation = if any_moves { &mut self.moving_softness } else { &mut self.frozen_softness };
        self.freeze = any_moves && !stepped.solved;
        if !stepped.solved {
            *regularisation = scalar::min(*regularisation * SOFTNESS_RISE, SOFTNESS_MOST);
            return stepped.factorisations;
        }
        let fall = if any_moves { MOVING_FALL } else { SOFTNESS_FALL };
        *regularisation = scalar::max(*regularisation * fall, tolerance::SOFTNESS_LEAST);
        self.take(elements, epsilon * scale);
        stepped.factorisations
    }

    /// Accepts the end of a step, and marks slipping elements: those with a velocity above the effect of the
    /// regularisation.
    fn take(&mut self, elements: &ConstraintRows, noticeable: f64) {
        let at = &self.step.at;
        self.current.clone_from(&at.impulses);
        for (index, (element, place)) in elements.list.iter().zip(&at.places).enumerate() {
            self.sticking[index] = place.cone == ConeRegion::Stick;
            if element.size == 1 {
                continue;
            }
            let u = &at.velocities[element.first..];
            let slides = place.cone != ConeRegion::Stick
                && element.friction > 0.0
                && u[1] * u[1] + u[2] * u[2] > noticeable * noticeable;
            self.slipping[index] = slides || place.torsion != 0 || place.rolls;
        }
    }
}

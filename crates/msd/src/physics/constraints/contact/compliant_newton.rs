//! The convex law of compliant contact, which has one solution and Newton's method finds it from anywhere.
//!
//! Contacts give way by their impulse, `ε w λ` (m/s) with `w = tr(J M⁻¹ Jᵀ)/3`, and the De Saxcé shift of sliding contacts is that of the
//! iteration before:
//! ```text
//! λ = Π_K(λ - (u + ε w λ + s e_n)/w),      s = μ ‖ũ_t‖ of the last iteration,  ũ = u + ε w λ
//! ```
//! It is the first proximal step from nothing (`proximal_step`): with `s` given, the minimum of a strictly convex function of the
//! velocities, in 8 to 39 factorisations where rigid contact of many bodies that slide at once is not found in 200. ε falls from
//! 0.1 to [`tolerance::COMPLIANCE`], each solution being the start of the next; then the shifts are followed a few times.
//!
//! Todorov 2014, *Convex and analytically-invertible dynamics with contacts and constraints*; Anitescu 2006 for the convex step and Acary,
//! Cadoux, Lemaréchal and Malick 2011 for following the shifts.

use super::constraint_rows::ConstraintRows;
use super::friction_cone::ConeRegion;
use super::newton_matrix::VelocityMatrix;
use super::proximal_newton::Goal;
use super::proximal_step::ProximalStep;
use crate::math::scalar;
use crate::tolerance;

/// Compliances of the stages before the last, each with the shifts of the one before. Tuned on 60 and 250 cubes that fall: without the first
/// a third of the problems are not solved in the steps below, with fewer at the last compliance shifts still change by 1e-2 of the
/// velocities.
const STAGES: [f64; 5] = [0.1, 1e-2, tolerance::COMPLIANCE, tolerance::COMPLIANCE, tolerance::COMPLIANCE];

/// Change of a shift, relative to the velocity scale, that is not followed, and Newton decrement at which a stage ends whose shifts
/// change anyway, relative to its energy. Tuned.
const SHIFT_FOLLOWED: f64 = 1e-4;
const ROUGH: f64 = 1e-4;

/// Newton steps at one compliance. Tuned: problems of 1 000 contacts take 10 to 20.
const STEPS: usize = 30;

/// The memory of the method, and its solution.
#[derive(Clone, Debug, Default)]
pub(super) struct CompliantNewton {
    step: ProximalStep,
    start: Vec<f64>,
    pub(super) impulses: Vec<f64>,
    /// `s` of every element, m/s, that the solution is of.
    pub(super) shifts: Vec<f64>,
}

impl CompliantNewton {
    /// Solves from `impulses`; returns the factorisations, and whether the law is solved. For contacts without moments, and no rows.
    pub(super) fn run(
        &mut self,
        elements: &ConstraintRows,
        matrix: &mut VelocityMatrix,
        impulses: &[f64],
        goal: Goal,
    ) -> (usize, bool) {
        let Self { step, start, .. } = self;
        step.forget();
        elements.respond(impulses, start);
        let begun = start.iter().any(|y| *y != 0.0);
        step.shifts.clear();
        for element in &elements.list {
            let across = |row: usize| elements.free[row] + elements.velocity(row, element.ends, start);
            let sliding = scalar::hypot(across(element.first + 1), across(element.first + 2));
            step.shifts.push(if begun { element.friction * sliding } else { 0.0 });
        }
        let mut factorisations = 0;
        let mut from = Some(&start[..]);
        for regularisation in STAGES {
            step.regularisation = regularisation;
            factorisations +=
                step.solve_compliant(elements, matrix, from.take(), STEPS, ROUGH).factorisations;
            let changed = follow_shifts(step, elements);
            if regularisation <= tolerance::COMPLIANCE && changed <= SHIFT_FOLLOWED * goal.scale {
                break;
            }
        }
        let ended = step.solve_compliant(elements, matrix, None, STEPS, tolerance::NEWTON_DECREMENT);
        factorisations += ended.factorisations;
        self.shifts.clone_from(&step.shifts);
        self.impulses.clone_from(&step.at.impulses);
        (factorisations, ended.solved)
    }

    /// How fast the fastest contact of the solution slides, m/s.
    pub(super) fn fastest_slip(&self, elements: &ConstraintRows) -> f64 {
        let at = &self.step.at;
        let mut fastest: f64 = 0.0;
        for (element, _) in
            elements.list.iter().zip(&at.places).filter(|(_, place)| place.cone == ConeRegion::Slip)
        {
            let u = &at.velocities[element.first..];
            fastest = scalar::max(fastest, scalar::hypot(u[1], u[2]));
        }
        fastest
    }
}

/// Takes the shifts of the last solution; returns by how much the one of a sliding contact has changed most, m/s.
fn follow_shifts(step: &mut ProximalStep, elements: &ConstraintRows) -> f64 {
    let mut changed: f64 = 0.0;
    for (index, element) in elements.list.iter().enumerate() {
        let own = element.first..element.first + 3;
        let (u, impulse) = (&step.at.velocities[own.clone()], &step.at.impulses[own]);
        let soft = step.regularisation * element.weight;
        let sliding = scalar::hypot(u[1] + soft * impulse[1], u[2] + soft * impulse[2]);
        let shift = match step.at.places[index].cone {
            ConeRegion::Stick => 0.0,
            _ => element.friction * sliding,
        };
        if step.at.places[index].cone == ConeRegion::Slip {
            changed = scalar::max(changed, (shift - step.shifts[index]).abs());
        }
        step.shifts[index] = shift;
    }
    changed
}

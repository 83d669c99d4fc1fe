//! The least impulses that give the velocities of a solution: how redundant contacts share a load.
//!
//! Sweeps load redundant contacts in the order they visit them. The velocities do not depend on that, so the impulses may be
//! exchanged for those with
//! ```text
//! min Σ w_i ‖λ_i‖²     such that  Bᵀ λ = y,   λ_i ∈ F_i
//! ```
//! y being the response of the solution and `F_i` what the law leaves of an impulse once the velocity is known: nothing where a
//! contact opens, any impulse where it sticks, `α (1, -μ t̂)` where it slides along t̂. With `D = G (Gᵀ W G)⁻¹ Gᵀ/ε` over bases G of `F`
//! this is a linear problem of the matrix `1 + Bᵀ D B`: with `λ ← λ + D B (1 + Bᵀ D B)⁻¹ (y - Bᵀ λ)` from zero, the part of
//! `y - Bᵀ λ` along an eigenvalue σ falls by `ε/(ε + σ)` at every turn, with one factor for all of them.
//!
//! A contact that would pull is opened, one that would leave its cone is held to its side, and the problem is solved again. The
//! result depends on the velocities alone, and so is as symmetric as they are.

use super::constraint_rows::{ConstraintBlock, ConstraintRows};
use super::newton_matrix::VelocityMatrix;
use crate::math::{Vec3, scalar};

/// ε relative to the weight of a contact: small beside every eigenvalue that a load has to pass, large beside round-off.
const SOFTNESS: f64 = 1e-6;

/// Times that contacts are opened or held to the side of their cone. Tuned on the piles of `contact_counts`: where three do not
/// suffice, more rarely do.
const ROUNDS: usize = 4;

/// Refinements with one factor. The second already leaves `SOFTNESS²` where contacts respond as strongly as they weigh.
const REFINEMENTS: usize = 6;

/// What the law leaves of an impulse.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Face {
    Open,
    Stick,
    /// Along this vector.
    Side(Vec3),
}

/// The memory of the method.
#[derive(Clone, Debug, Default)]
pub(super) struct MinimumNorm {
    faces: Vec<Face>,
    impulses: Vec<f64>,
    wanted: Vec<f64>,
    off: Vec<f64>,
    step: Vec<f64>,
}

impl MinimumNorm {
    /// Shares the load of `impulses`, which give the velocities `u` and satisfy the law to about `noticeable` m/s. The result is
    /// returned with the factorisations it took; `None` if the velocities cannot be had that way. For contacts without moments alone.
    pub(super) fn share(
        &mut self,
        elements: &ConstraintRows,
        matrix: &mut VelocityMatrix,
        (impulses, u): (&[f64], &[f64]),
        noticeable: f64,
    ) -> (Option<&mut Vec<f64>>, usize) {
        elements.respond(impulses, &mut self.wanted);
        self.faces.clear();
        for element in &elements.list {
            let own = (&impulses[element.first..element.first + 3], &u[element.first..element.first + 3]);
            self.faces.push(face(element, own, noticeable));
        }
        for round in 1..=ROUNDS {
            self.solve(elements, matrix);
            if self.is_allowed(elements) {
                return (Some(&mut self.impulses), round);
            }
        }
        (None, ROUNDS)
    }

    /// The impulses that were found last, or were exchanged for them.
    pub(super) fn last(&mut self) -> &mut Vec<f64> {
        &mut self.impulses
    }

    fn solve(&mut self, elements: &ConstraintRows, matrix: &mut VelocityMatrix) {
        matrix.clear(true);
        for (element, face) in elements.list.iter().zip(&self.faces) {
            let stiff = 1.0 / (SOFTNESS * element.weight);
            match face {
                Face::Open => {}
                Face::Stick => {
                    matrix.add(elements, element, &[[stiff, 0.0, 0.0], [0.0, stiff, 0.0], [0.0, 0.0, stiff]]);
                }
                Face::Side(side) => {
                    let scaled = (*side * (stiff / side.length_squared())).to_array();
                    let side = side.to_array();
                    matrix.add(elements, element, &side.map(|entry| scaled.map(|other| entry * other)));
                }
            }
        }
        matrix.factorise();
        self.impulses.clear();
        self.impulses.resize(elements.rows.len(), 0.0);
        self.off.clone_from(&self.wanted);
        for _ in 0..REFINEMENTS {
            self.step.clone_from(&self.off);
            matrix.solve(&mut self.step);
            let mut change: f64 = 0.0;
            for (element, face) in elements.list.iter().zip(&self.faces) {
                if *face == Face::Open {
                    continue;
                }
                let stiff = 1.0 / (SOFTNESS * element.weight);
                let u = elements.velocity3(element.first, element.ends, &self.step);
                let added = match face {
                    Face::Side(side) => *side * (side.dot(u) * stiff / side.length_squared()),
                    _ => u * stiff,
                };
                change = scalar::max(change, element.weight * added.length());
                let own = &mut self.impulses[element.first..element.first + 3];
                own.iter_mut().zip(added.to_array()).for_each(|(own, added)| *own += added);
            }
            elements.respond(&self.impulses, &mut self.off);
            self.off.iter_mut().zip(&self.wanted).for_each(|(off, wanted)| *off = wanted - *off);
            if change <= f64::EPSILON * elements.largest(&self.impulses) {
                break;
            }
        }
    }

    /// True if every impulse is in its cone; if not, the faces of those that are not are narrowed.
    fn is_allowed(&mut self, elements: &ConstraintRows) -> bool {
        let slack = 8.0 * f64::EPSILON * elements.largest(&self.impulses);
        let mut allowed = true;
        for (element, face) in elements.list.iter().zip(&mut self.faces) {
            let own = &mut self.impulses[element.first..element.first + 3];
            let impulse = Vec3::new(own[0], own[1], own[2]);
            if *face == Face::Open || impulse == Vec3::ZERO {
                continue;
            }
            let across = scalar::hypot(impulse.y, impulse.z);
            if impulse.x * element.weight < -slack {
                (*face, allowed) = (Face::Open, false);
            } else if *face == Face::Stick && across > element.friction * scalar::max(impulse.x, 0.0) {
                if (across - element.friction * impulse.x) * element.weight <= slack {
                    continue;
                }
                let t = impulse / across * element.friction;
                (*face, allowed) = (Face::Side(Vec3::new(1.0, t.y, t.z)), false);
            }
        }
        allowed
    }
}

/// What the law leaves of the impulse of a contact with this impulse and velocity.
fn face(element: &ConstraintBlock, (impulse, u): (&[f64], &[f64]), noticeable: f64) -> Face {
    if element.weight <= 0.0 || (impulse[0] <= 0.0 && u[0] > noticeable) {
        return Face::Open;
    }
    if element.friction == 0.0 {
        return Face::Side(Vec3::X);
    }
    let sliding = scalar::hypot(u[1], u[2]);
    if sliding <= noticeable {
        return Face::Stick;
    }
    let slope = -element.friction / sliding;
    Face::Side(Vec3::new(1.0, slope * u[1], slope * u[2]))
}

//! One proximal step of the contact problem, by semismooth Newton in velocity space.
//!
//! Given impulses `λ_k` with contact velocities `u_k` (bias included), the step is the solution of the law softened by
//! `ε_i` (1/kg): `λ = Π_K(λ_k - (ũ + ...)/ε)`, that is
//! ```text
//! λ_i(z) = Π_K( λ_k - (u_k + B z + s e_n)_i / ε_i ),      g(z) = z - Bᵀ (λ(z) - λ_k) = 0
//! ```
//! with z the change of velocity in units of energy. Everything is a difference to the state at `λ_k`, so round-off is
//! relative to what is still missing and repeated steps refine like iterative refinement.
//!
//! **Frozen shift** (`s_i` given): g is the gradient of the convex function
//! `½‖z‖² + λ_k·B z + Σ ½ ε_i ‖λ_i(z)‖²`, its generalised Hessian is `H = 1 + Bᵀ diag(P_i/ε_i) B` with P the derivative of
//! the projection. Newton with a line search on the slope converges from anywhere.
//!
//! Where no contact slips g is piecewise linear, and a step that changes no region ends the iteration.
//!
//! **Moving shift** (`s_i = μ ‖(u_k + B z)_t‖` at contacts marked as slipping): Coulomb's own, not convex. The
//! derivative gains `Bᵀ (P_i/ε_i) e_n μ t̂ᵀ B`, unsymmetric and of rank at most the number of slipping contacts beside
//! H, so GMRES preconditioned with the factor of H ends after few products. There is no convex function to search along:
//! full steps are taken, which converge quadratically or, where contacts open and close in turn, not at all. The caller
//! then takes more softness.

use super::friction_cone::{ConeRegion, project_with_derivative};
use super::mass_weighted::{EnergyMatrix, MassWeighted};
use crate::math::{Mat3, Vec3, real};
use crate::tolerance;

/// What does not change during the step.
pub(super) struct ProximalStep<'a> {
    pub(super) space: &'a MassWeighted,
    pub(super) friction: &'a [f64],
    /// `λ_k`.
    pub(super) impulses: &'a [Vec3],
    /// `u_k + b e_n`.
    pub(super) velocities: &'a [Vec3],
    /// `s_i`, m/s.
    pub(super) shifts: &'a [f64],
    /// Contacts whose shift moves with the velocity.
    pub(super) moving: &'a [bool],
    /// `ε_i`, 1/kg; infinite for contacts that take no part.
    pub(super) softness: &'a [f64],
}

/// The softened law at one z.
#[derive(Clone, Debug, Default)]
pub(super) struct Evaluation {
    pub(super) z: Vec<f64>,
    pub(super) impulses: Vec<Vec3>,
    pub(super) regions: Vec<ConeRegion>,
    gradient: Vec<f64>,
    /// `P_i/ε_i`.
    stiffness: Vec<Mat3>,
    /// `μ t̂` of contacts whose shift moves.
    slopes: Vec<Vec3>,
    /// `‖z‖² + Σ ε ‖λ - λ_k‖²`.
    energy: f64,
}

/// How a step ended.
pub(super) struct Stepped {
    pub(super) at: Evaluation,
    pub(super) factorisations: usize,
    pub(super) solved: bool,
}

impl ProximalStep<'_> {
    /// Newton's method from z = 0.
    pub(super) fn solve(&self, matrix: &mut EnergyMatrix, most: usize) -> Stepped {
        let moving = self.moving.contains(&true);
        let mut last = f64::INFINITY;
        let mut at = self.evaluate(vec![0.0; self.space.size()]);
        for factorisations in 0..most {
            matrix.factorise(self.space, &at.stiffness);
            let mut direction: Vec<f64> = at.gradient.iter().map(|g| -g).collect();
            if moving {
                direction = self.unsymmetric_direction(matrix, &at, direction);
            } else {
                matrix.solve(&mut direction);
            }
            let size = if moving { dot(&direction, &direction) } else { -dot(&direction, &at.gradient) };
            let next =
                if moving { self.moved(&at, &direction, 1.0) } else { self.search(&at, &direction, -size) };
            let exact = next.regions == at.regions && self.is_linear(&next);
            at = next;
            let small = size <= tolerance::NEWTON_DECREMENT * at.energy;
            // Round-off ends the fall of the decrement before its limit where the softness is small.
            let ended = size <= tolerance::NEWTON_STALLED * at.energy && size > 0.25 * last;
            if small || ended || exact {
                return Stepped { at, factorisations: factorisations + 1, solved: true };
            }
            last = size;
        }
        Stepped { at, factorisations: most, solved: false }
    }

    /// True if the softened law is linear around a point: every contact open, sticking, or without friction. A full step
    /// that changes no region is then exact.
    fn is_linear(&self, at: &Evaluation) -> bool {
        at.regions.iter().zip(self.friction).all(|(&region, &mu)| region != ConeRegion::Slip || mu == 0.0)
    }

    fn evaluate(&self, z: Vec<f64>) -> Evaluation {
        let n = self.impulses.len();
        let mut at = Evaluation { gradient: z.clone(), energy: dot(&z, &z), ..Evaluation::default() };
        for i in 0..n {
            let u = self.velocities[i] + self.space.velocity(i, &z);
            let sliding = real::hypot(u.y, u.z);
            let moves = self.moving[i] && sliding > 0.0;
            let shift = if moves { self.friction[i] * sliding } else { self.shifts[i] };
            let slope =
                if moves { Vec3::new(0.0, u.y, u.z) * (self.friction[i] / sliding) } else { Vec3::ZERO };
            let softened = self.impulses[i] - (u + Vec3::X * shift) / self.softness[i];
            let mut projection = project_with_derivative(softened, self.friction[i]);
            if moves && projection.region == ConeRegion::Slip {
                projection.point = self.sliding_impulse(i, u, softened);
            }
            let change = projection.point - self.impulses[i];
            self.space.add_impulse(i, -change, &mut at.gradient);
            if self.softness[i].is_finite() {
                at.energy += self.softness[i] * change.length_squared();
            }
            at.impulses.push(projection.point);
            at.regions.push(projection.region);
            at.stiffness.push(projection.derivative * (1.0 / self.softness[i]));
            at.slopes.push(slope);
        }
        at.z = z;
        at
    }

    /// The projection of `x = λ_k - (u + μ ‖u_t‖ e_n)/ε` onto the side of the cone, without the cancellation of
    /// `μ ‖u_t‖/ε` in `x_n + μ ‖x_t‖`: `‖x_t‖ - ‖u_t‖/ε` is the difference of the squares over the sum.
    fn sliding_impulse(&self, i: usize, u: Vec3, x: Vec3) -> Vec3 {
        let (known, friction, softness) = (self.impulses[i], self.friction[i], self.softness[i]);
        let (far, sliding) = (real::hypot(x.y, x.z), real::hypot(u.y, u.z) / softness);
        let along = known.y * u.y + known.z * u.z;
        let squares = known.y * known.y + known.z * known.z - 2.0 * along / softness;
        let alpha =
            (known.x - u.x / softness + friction * squares / (far + sliding)) / (1.0 + friction * friction);
        Vec3::new(alpha, friction * alpha * x.y / far, friction * alpha * x.z / far)
    }

    fn moved(&self, at: &Evaluation, direction: &[f64], length: f64) -> Evaluation {
        self.evaluate(at.z.iter().zip(direction).map(|(z, d)| z + length * d).collect())
    }

    /// The full step if the slope along it has not turned up steeply, else a point where it is nearly level, found by
    /// regula falsi with the Illinois rule.
    fn search(&self, at: &Evaluation, direction: &[f64], slope: f64) -> Evaluation {
        let mut next = self.moved(at, direction, 1.0);
        let mut end = dot(direction, &next.gradient);
        let (mut low, mut low_slope, mut high) = (0.0, slope, 1.0);
        for _ in 0..tolerance::LINE_SEARCH_STEPS {
            if end <= -0.5 * slope {
                break;
            }
            let length = low + (high - low) * low_slope / (low_slope - end);
            let middle = self.moved(at, direction, length);
            let level = dot(direction, &middle.gradient);
            if level > 0.0 {
                (high, end, next) = (length, level, middle);
                low_slope *= 0.5;
            } else if level >= 0.5 * slope {
                return middle;
            } else {
                (low, low_slope) = (length, level);
                end *= 0.5;
                if end <= -0.5 * slope {
                    return middle;
                }
            }
        }
        next
    }

    /// GMRES for the unsymmetric derivative, preconditioned from the left with the factor of the symmetric one.
    fn unsymmetric_direction(&self, matrix: &EnergyMatrix, at: &Evaluation, mut rhs: Vec<f64>) -> Vec<f64> {
        matrix.solve(&mut rhs);
        let size = dot(&rhs, &rhs).sqrt();
        if size == 0.0 {
            return rhs;
        }
        rhs.iter_mut().for_each(|entry| *entry /= size);
        let mut basis = vec![rhs];
        let mut images: Vec<Vec<f64>> = Vec::new();
        let mut left = basis[0].clone();
        let mut x = vec![0.0; left.len()];
        // Orthonormal images with the vectors they come from: the residual is projected out as the space grows.
        let mut sources: Vec<Vec<f64>> = Vec::new();
        for k in 0..tolerance::GMRES_VECTORS {
            let mut image = self.preconditioned(matrix, at, &basis[k]);
            let mut fresh = image.clone();
            let mut source = basis[k].clone();
            for _ in 0..2 {
                for (known, from) in images.iter().zip(&sources) {
                    let share = dot(known, &image);
                    add(&mut image, -share, known);
                    add(&mut source, -share, from);
                }
            }
            let length = dot(&image, &image).sqrt();
            if length <= tolerance::GMRES_RESIDUAL {
                break;
            }
            image.iter_mut().chain(&mut source).for_each(|entry| *entry /= length);
            let share = dot(&image, &left);
            add(&mut left, -share, &image);
            add(&mut x, share, &source);
            images.push(image);
            sources.push(source);
            for _ in 0..2 {
                for known in &basis {
                    let share = dot(known, &fresh);
                    add(&mut fresh, -share, known);
                }
            }
            let next = dot(&fresh, &fresh).sqrt();
            if next <= tolerance::GMRES_RESIDUAL || dot(&left, &left).sqrt() <= tolerance::GMRES_RESIDUAL {
                break;
            }
            fresh.iter_mut().for_each(|entry| *entry /= next);
            basis.push(fresh);
        }
        x.iter_mut().for_each(|entry| *entry *= size);
        x
    }

    /// `H⁻¹ (H + Bᵀ (P/ε) e_n μ t̂ᵀ B) x`.
    fn preconditioned(&self, matrix: &EnergyMatrix, at: &Evaluation, x: &[f64]) -> Vec<f64> {
        let mut extra = vec![0.0; x.len()];
        for i in (0..self.impulses.len()).filter(|&i| at.slopes[i] != Vec3::ZERO) {
            let shift = at.slopes[i].dot(self.space.velocity(i, x));
            self.space.add_impulse(i, at.stiffness[i].x_axis * shift, &mut extra);
        }
        matrix.solve(&mut extra);
        add(&mut extra, 1.0, x);
        extra
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn add(to: &mut [f64], factor: f64, what: &[f64]) {
    for (entry, w) in to.iter_mut().zip(what) {
        *entry += factor * w;
    }
}

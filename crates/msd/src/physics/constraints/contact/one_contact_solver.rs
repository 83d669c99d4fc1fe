//! One contact alone, solved exactly with Coulomb's cone.
//!
//! Given `u = W λ + q` (W symmetric positive definite, q the velocity at the contact without its own impulse, bias
//! included), find λ by the law. Three cases:
//!
//! * **open**, `q_n ≥ 0`: λ = 0.
//! * **stick**: `λ = -W⁻¹ q`, if that is in the cone.
//! * **slip**: friction opposes motion, `u_t = -γ λ_t` with `γ ≥ 0`, and the contact stays closed, `u_n = 0`. Eliminating
//!   `λ_n = -(q_n + W_nt·λ_t)/W_nn` leaves
//!   ```text
//!   (S + γ) λ_t = -p,    S = W_tt - W_tn W_nt/W_nn,    p = q_t - W_tn q_n/W_nn
//!   ```
//!   and one scalar equation for γ: `f(γ) = ‖λ_t‖ - μ λ_n = 0`. At γ = 0 this is the stick solution, which is outside
//!   the cone: `f > 0`. As γ → ∞ friction vanishes and `f → μ q_n/W_nn < 0`. So a root exists for every W and μ, and
//!   `λ_n = ‖λ_t‖/μ ≥ 0` there. In the eigenbasis of S, `λ_t` costs two divisions, and the root is bracketed, so that
//!   Newton's steps cannot leave.
//!
//! `u_n = 0` holds by construction, not by projection: clipping a stick solution to the cone lifts sliding bodies.

use crate::math::{Mat3, Vec3, scalar};

/// The impulse of a contact, N·s, in its frame.
#[must_use]
pub fn solve_contact(block: &Mat3, q: Vec3, friction: f64) -> Vec3 {
    LocalContact::new(block).solve(q, friction, 0.0)
}

/// Data of a contact that is constant over repeated solves.
#[derive(Clone, Copy, Debug)]
pub(super) struct LocalContact {
    w_nn: f64,
    /// `W_nt/W_nn`.
    lever: [f64; 2],
    /// S.
    plane: LocalPlane,
    /// `W_nt` in the eigenbasis of S.
    coupling: [f64; 2],
}

impl LocalContact {
    pub(super) fn new(block: &Mat3) -> Self {
        let (w_nn, w_n1, w_n2) = (block.x_axis.x, block.y_axis.x, block.z_axis.x);
        if w_nn <= 0.0 {
            let plane = LocalPlane::new(0.0, 0.0, 0.0);
            return Self { w_nn, lever: [0.0; 2], plane, coupling: [0.0; 2] };
        }
        let plane = LocalPlane::new(
            block.y_axis.y - w_n1 * w_n1 / w_nn,
            block.z_axis.y - w_n1 * w_n2 / w_nn,
            block.z_axis.z - w_n2 * w_n2 / w_nn,
        );
        Self { w_nn, lever: [w_n1 / w_nn, w_n2 / w_nn], plane, coupling: plane.turned([w_n1, w_n2]) }
    }

    /// The impulse for the velocity q without it; `gamma` is where the search for a slip starts, zero if nothing is known.
    pub(super) fn solve(&self, q: Vec3, friction: f64, gamma: f64) -> Vec3 {
        if !(q.x < 0.0 && self.w_nn > 0.0) {
            return Vec3::ZERO;
        }
        if friction == 0.0 {
            return Vec3::new(-q.x / self.w_nn, 0.0, 0.0);
        }
        let demand = self.plane.turned([q.y - self.lever[0] * q.x, q.z - self.lever[1] * q.x]);
        let stick = self.at(0.0, q.x, demand);
        let (held, limit) = (stick.y * stick.y + stick.z * stick.z, friction * stick.x);
        if limit >= 0.0 && held <= limit * limit {
            return stick;
        }
        let root = Root { low: 0.0, high: f64::INFINITY, guess: gamma, unit: self.plane.stiffness[0] };
        self.at(root.find(|gamma| self.excess(gamma, q.x, demand, friction)), q.x, demand)
    }

    fn at(&self, gamma: f64, q_n: f64, demand: [f64; 2]) -> Vec3 {
        let [a, b] = self.plane.impulse(gamma, demand);
        let normal = -(q_n + self.coupling[0] * a + self.coupling[1] * b) / self.w_nn;
        let [y, z] = self.plane.turned_back([a, b]);
        Vec3::new(normal, y, z)
    }

    /// `f(γ)` and `f'(γ)`.
    fn excess(&self, gamma: f64, q_n: f64, demand: [f64; 2], friction: f64) -> (f64, f64) {
        let [a, b] = self.plane.impulse(gamma, demand);
        let [s_a, s_b] = self.plane.stiffness;
        let (da, db) = (-a / (s_a + gamma), -b / (s_b + gamma));
        let length = (a * a + b * b).sqrt();
        let [ca, cb] = self.coupling;
        let normal = -(q_n + ca * a + cb * b) / self.w_nn;
        let slope = (a * da + b * db) / length + friction * (ca * da + cb * db) / self.w_nn;
        (length - friction * normal, slope)
    }
}

/// A symmetric 2×2 matrix by its eigenbasis: motion in a plane against a bounded impulse.
#[derive(Clone, Copy, Debug)]
pub(super) struct LocalPlane {
    /// Eigenvalues, the larger first.
    stiffness: [f64; 2],
    /// First eigenvector; the second is a quarter turn on.
    axis: [f64; 2],
}

impl LocalPlane {
    pub(super) fn new(s11: f64, s12: f64, s22: f64) -> Self {
        let half = 0.5 * (s11 - s22);
        let radius = (half * half + s12 * s12).sqrt();
        let axis = if radius == 0.0 {
            [1.0, 0.0]
        } else {
            let (x, y) = if half >= 0.0 { (half + radius, s12) } else { (s12, radius - half) };
            let length = (x * x + y * y).sqrt();
            [x / length, y / length]
        };
        // The smaller eigenvalue from the determinant: no cancellation.
        let larger = 0.5 * (s11 + s22) + radius;
        let smaller = if larger > 0.0 { scalar::max(0.0, (s11 * s22 - s12 * s12) / larger) } else { 0.0 };
        Self { stiffness: [larger, smaller], axis }
    }

    fn turned(&self, [a, b]: [f64; 2]) -> [f64; 2] {
        [self.axis[0] * a + self.axis[1] * b, self.axis[0] * b - self.axis[1] * a]
    }

    fn turned_back(&self, [a, b]: [f64; 2]) -> [f64; 2] {
        [self.axis[0] * a - self.axis[1] * b, self.axis[1] * a + self.axis[0] * b]
    }

    /// `-(S + γ)⁻¹ demand` in the eigenbasis.
    fn impulse(&self, gamma: f64, demand: [f64; 2]) -> [f64; 2] {
        let component = |k: usize| {
            let stiffness = self.stiffness[k] + gamma;
            if stiffness > 0.0 { -demand[k] / stiffness } else { 0.0 }
        };
        [component(0), component(1)]
    }

    /// The impulse of at most `radius` that stops the motion q, or opposes what is left of it with its full strength.
    pub(super) fn solve(&self, q: [f64; 2], radius: f64) -> [f64; 2] {
        if radius <= 0.0 {
            return [0.0; 2];
        }
        let demand = self.turned(q);
        let stop = self.impulse(0.0, demand);
        if stop[0] * stop[0] + stop[1] * stop[1] <= radius * radius {
            return self.turned_back(stop);
        }
        let excess = |gamma: f64| {
            let [a, b] = self.impulse(gamma, demand);
            let length = (a * a + b * b).sqrt();
            let slope = a * a / (self.stiffness[0] + gamma) + b * b / (self.stiffness[1] + gamma);
            (length - radius, -slope / length)
        };
        let root = Root { low: 0.0, high: f64::INFINITY, guess: 0.0, unit: self.stiffness[0] };
        let found = self.impulse(root.find(excess), demand);
        // On the circle to the last bit, whatever the error of the root.
        let length = (found[0] * found[0] + found[1] * found[1]).sqrt();
        self.turned_back([found[0] * radius / length, found[1] * radius / length])
    }
}

/// The root γ > 0 of a function that is positive at zero and negative far out: Newton's method inside a bracket, bisected
/// where a step would leave it.
struct Root {
    low: f64,
    high: f64,
    guess: f64,
    unit: f64,
}

impl Root {
    fn find(mut self, excess: impl Fn(f64) -> (f64, f64)) -> f64 {
        let mut gamma = if self.guess > 0.0 && self.guess.is_finite() { self.guess } else { self.unit };
        for _ in 0..ROOT_STEPS {
            let (value, slope) = excess(gamma);
            if value > 0.0 {
                self.low = gamma;
            } else {
                self.high = gamma;
            }
            let newton = gamma - value / slope;
            // Convergence is quadratic: the next step would be below round-off.
            if (newton - gamma).abs() <= ROOT_CLOSE * gamma {
                return newton;
            }
            gamma = if newton > self.low && newton < self.high {
                newton
            } else if self.high.is_finite() {
                0.5 * (self.low + self.high)
            } else {
                4.0 * gamma
            };
        }
        gamma
    }
}

/// Last step of Newton's method, relative to the root.
const ROOT_CLOSE: f64 = 1e-8;

/// Bisection alone reaches the last bit of γ in about this many steps.
const ROOT_STEPS: usize = 100;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn law_holds(block: &Mat3, q: Vec3, friction: f64) -> Result<(), TestCaseError> {
        let impulse = solve_contact(block, q, friction);
        let u = *block * impulse + q;
        let scale = q.length();
        let held = scalar::hypot(impulse.y, impulse.z);
        prop_assert!(impulse.x >= 0.0);
        prop_assert!(held <= friction * impulse.x * (1.0 + 1e-9) + 1e-300);
        if impulse.x > 0.0 {
            prop_assert!(u.x.abs() <= 1e-12 * scale, "closed contacts neither lift nor sink: {}", u.x);
        } else {
            prop_assert!(u.x >= 0.0);
        }
        let sliding = scalar::hypot(u.y, u.z);
        if impulse.x > 0.0 && sliding > 1e-9 * scale {
            prop_assert!((held - friction * impulse.x).abs() <= 1e-9 * friction * impulse.x);
            let across = u.y * impulse.z - u.z * impulse.y;
            prop_assert!(across.abs() <= 1e-9 * sliding * held);
            prop_assert!(u.y * impulse.y + u.z * impulse.z <= 0.0);
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]
        #[test]
        fn every_branch_satisfies_the_law(
            entries in prop::array::uniform9(-1.0..1.0f64),
            q in prop::array::uniform3(-2.0..2.0f64),
            friction in 0.0..3.0f64,
        ) {
            let root = Mat3::from_cols_array(&entries);
            let block = root * root.transpose() + Mat3::IDENTITY * 0.05;
            law_holds(&block, Vec3::from_array(q), friction)?;
        }
    }

    #[test]
    fn a_scalar_block_slips_by_the_closed_form() {
        let block = Mat3::IDENTITY * 2.0;
        let impulse = solve_contact(&block, Vec3::new(-30.0, -20.0, 0.0), 0.3);
        assert!((impulse - Vec3::new(15.0, 4.5, 0.0)).length() < 1e-14);
    }

    #[test]
    fn separation_gives_exactly_nothing() {
        assert_eq!(solve_contact(&Mat3::IDENTITY, Vec3::new(0.0, 5.0, 1.0), 0.5), Vec3::ZERO);
    }
}

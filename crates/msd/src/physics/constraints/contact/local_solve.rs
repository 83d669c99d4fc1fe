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

use crate::math::{Mat3, Vec3, real};

/// The impulse of a contact, N·s, in its frame.
#[must_use]
pub fn solve_contact(block: &Mat3, q: Vec3, friction: f64) -> Vec3 {
    let w_nn = block.x_axis.x;
    if !(q.x < 0.0 && w_nn > 0.0) {
        return Vec3::ZERO;
    }
    if friction == 0.0 {
        return Vec3::new(-q.x / w_nn, 0.0, 0.0);
    }
    let reduced = Reduced::new(block, q);
    let stick = reduced.at(0.0);
    if excess(stick, friction) <= 0.0 {
        return stick;
    }
    reduced.at(reduced.slip(friction))
}

fn excess(impulse: Vec3, friction: f64) -> f64 {
    real::hypot(impulse.y, impulse.z) - friction * impulse.x
}

/// The tangential problem in the eigenbasis of S.
struct Reduced {
    w_nn: f64,
    q_n: f64,
    /// `W_nt` in the eigenbasis.
    coupling: [f64; 2],
    /// Eigenvalues of S.
    stiffness: [f64; 2],
    /// p in the eigenbasis.
    demand: [f64; 2],
    /// First eigenvector; the second is a quarter turn on.
    axis: [f64; 2],
}

impl Reduced {
    fn new(block: &Mat3, q: Vec3) -> Self {
        let (w_nn, w_n1, w_n2) = (block.x_axis.x, block.y_axis.x, block.z_axis.x);
        let s11 = block.y_axis.y - w_n1 * w_n1 / w_nn;
        let s22 = block.z_axis.z - w_n2 * w_n2 / w_nn;
        let s12 = block.z_axis.y - w_n1 * w_n2 / w_nn;
        let p = [q.y - w_n1 * q.x / w_nn, q.z - w_n2 * q.x / w_nn];
        let half = 0.5 * (s11 - s22);
        let radius = real::hypot(half, s12);
        let axis = if radius == 0.0 {
            [1.0, 0.0]
        } else {
            let (x, y) = if half >= 0.0 { (half + radius, s12) } else { (s12, radius - half) };
            let length = real::hypot(x, y);
            [x / length, y / length]
        };
        let turned = |a: f64, b: f64| [axis[0] * a + axis[1] * b, axis[0] * b - axis[1] * a];
        let mean = 0.5 * (s11 + s22);
        // The smaller eigenvalue from the determinant: no cancellation.
        let larger = mean + radius;
        let smaller = if larger > 0.0 { real::max(0.0, (s11 * s22 - s12 * s12) / larger) } else { 0.0 };
        Self {
            w_nn,
            q_n: q.x,
            coupling: turned(w_n1, w_n2),
            stiffness: [larger, smaller],
            demand: turned(p[0], p[1]),
            axis,
        }
    }

    /// `λ_t` in the eigenbasis.
    fn friction_at(&self, gamma: f64) -> [f64; 2] {
        let component = |k: usize| {
            let stiffness = self.stiffness[k] + gamma;
            if stiffness > 0.0 { -self.demand[k] / stiffness } else { 0.0 }
        };
        [component(0), component(1)]
    }

    fn at(&self, gamma: f64) -> Vec3 {
        let [a, b] = self.friction_at(gamma);
        let normal = -(self.q_n + self.coupling[0] * a + self.coupling[1] * b) / self.w_nn;
        Vec3::new(normal, self.axis[0] * a - self.axis[1] * b, self.axis[1] * a + self.axis[0] * b)
    }

    /// `f(γ)` and `f'(γ)`.
    fn excess(&self, gamma: f64, friction: f64) -> (f64, f64) {
        let [a, b] = self.friction_at(gamma);
        let (da, db) = (-a / (self.stiffness[0] + gamma), -b / (self.stiffness[1] + gamma));
        let length = real::hypot(a, b);
        let [ca, cb] = self.coupling;
        let normal = -(self.q_n + ca * a + cb * b) / self.w_nn;
        let slope = (a * da + b * db) / length + friction * (ca * da + cb * db) / self.w_nn;
        (length - friction * normal, slope)
    }

    /// The root γ > 0: Newton's method inside a bracket, bisected where a step would leave it or gains little.
    fn slip(&self, friction: f64) -> f64 {
        let mut low = 0.0;
        let mut high = self.stiffness[0];
        while self.excess(high, friction).0 > 0.0 && high < f64::MAX / 8.0 {
            low = high;
            high *= 4.0;
        }
        let mut gamma = 0.5 * (low + high);
        for _ in 0..ROOT_STEPS {
            let (value, slope) = self.excess(gamma, friction);
            if value > 0.0 {
                low = gamma;
            } else {
                high = gamma;
            }
            let newton = gamma - value / slope;
            if (newton - gamma).abs() <= f64::EPSILON * gamma {
                return gamma;
            }
            gamma = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
        }
        gamma
    }
}

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
        let held = real::hypot(impulse.y, impulse.z);
        prop_assert!(impulse.x >= 0.0);
        prop_assert!(held <= friction * impulse.x * (1.0 + 1e-9) + 1e-300);
        if impulse.x > 0.0 {
            prop_assert!(u.x.abs() <= 1e-12 * scale, "closed contacts neither lift nor sink: {}", u.x);
        } else {
            prop_assert!(u.x >= 0.0);
        }
        let sliding = real::hypot(u.y, u.z);
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

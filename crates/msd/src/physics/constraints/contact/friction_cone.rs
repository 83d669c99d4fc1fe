//! Coulomb's cone `K = {λ : ‖λ_t‖ ≤ μ λ_n}`: the nearest point in it, and how that point moves.
//!
//! With `ρ = ‖x_t‖` and the unit vector `e = x_t/ρ`, the nearest point of K to x is
//! ```text
//! x                          if ρ ≤ μ x_n          (inside)
//! 0                          if μ ρ ≤ -x_n         (in the polar cone)
//! α (1, μ e),  α = (x_n + μ ρ)/(1 + μ²)   otherwise (on the side)
//! ```
//! On the side the derivative is `k kᵀ/(1 + μ²) + (μ α/ρ) (1 - e eᵀ)` with `k = (1, μ e)`: symmetric, with eigenvalues
//! in [0, 1] because `μ α ≤ ρ` there. The cone of a frictionless contact is the half line `λ_n ≥ 0, λ_t = 0`, by the same
//! formulas. Components are (n, t₁, t₂).

use crate::math::{Mat3, Vec3, outer_product};

/// Where a point lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConeRegion {
    /// In the polar cone: the projection is the apex, the contact opens.
    Open,
    /// Inside the cone: the contact sticks.
    Stick,
    /// The projection is on the side of the cone: the contact slips.
    Slip,
}

/// A projection with its derivative.
#[derive(Clone, Copy, Debug)]
pub struct ConeProjection {
    /// Nearest point of the cone.
    pub point: Vec3,
    /// `∂point/∂x`, symmetric.
    pub derivative: Mat3,
    /// Which formula applied.
    pub region: ConeRegion,
}

/// The nearest point of the cone.
#[must_use]
pub fn project(x: Vec3, friction: f64) -> Vec3 {
    project_with_region(x, friction).0
}

/// The nearest point of the cone and which formula gave it.
#[must_use]
pub(super) fn project_with_region(x: Vec3, friction: f64) -> (Vec3, ConeRegion) {
    let tangential = Vec3::new(0.0, x.y, x.z);
    let rho = tangential.length();
    let region = region(x.x, rho, friction);
    let point = match region {
        ConeRegion::Open => Vec3::ZERO,
        ConeRegion::Stick => x,
        ConeRegion::Slip => side(x.x, tangential, rho, friction),
    };
    (point, region)
}

/// The nearest point of the cone and its derivative.
#[must_use]
pub fn project_with_derivative(x: Vec3, friction: f64) -> ConeProjection {
    let tangential = Vec3::new(0.0, x.y, x.z);
    let rho = tangential.length();
    let region = region(x.x, rho, friction);
    let (point, derivative) = match region {
        ConeRegion::Open => (Vec3::ZERO, Mat3::ZERO),
        ConeRegion::Stick => (x, Mat3::IDENTITY),
        ConeRegion::Slip => {
            let point = side(x.x, tangential, rho, friction);
            if rho > 0.0 {
                let e = tangential / rho;
                let k = Vec3::X + friction * e;
                let across = Vec3::new(0.0, -e.z, e.y);
                let turning = friction * point.x / rho;
                let along = outer_product(k, k) * (1.0 / (1.0 + friction * friction));
                (point, along + outer_product(across, across) * turning)
            } else {
                (point, outer_product(Vec3::X, Vec3::X))
            }
        }
    };
    ConeProjection { point, derivative, region }
}

fn region(normal: f64, rho: f64, friction: f64) -> ConeRegion {
    if friction * rho <= -normal {
        ConeRegion::Open
    } else if rho <= friction * normal {
        ConeRegion::Stick
    } else {
        ConeRegion::Slip
    }
}

fn side(normal: f64, tangential: Vec3, rho: f64, friction: f64) -> Vec3 {
    let alpha = (normal + friction * rho) / (1.0 + friction * friction);
    let along = if rho > 0.0 { tangential * (friction * alpha / rho) } else { Vec3::ZERO };
    Vec3::new(alpha, along.y, along.z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::scalar;

    fn samples() -> Vec<Vec3> {
        let mut points = Vec::new();
        for i in -3..=3 {
            for j in -3..=3 {
                points.push(Vec3::new(0.7 * f64::from(i), 0.9 * f64::from(j), 0.4 * f64::from(i - j)));
            }
        }
        points
    }

    #[test]
    fn the_projection_is_in_the_cone_and_what_is_left_is_polar() {
        for friction in [0.0, 0.3, 1.0, 4.0] {
            for x in samples() {
                let p = project(x, friction);
                let tangential = scalar::hypot(p.y, p.z);
                assert!(tangential <= friction * p.x + 1e-15 && p.x >= 0.0);
                let left = x - p;
                assert!(left.dot(p).abs() < 1e-14, "what is left is orthogonal: Moreau's decomposition");
                assert!(friction * scalar::hypot(left.y, left.z) <= -left.x + 1e-14 || friction == 0.0);
            }
        }
    }

    #[test]
    fn the_derivative_is_that_of_differences() {
        let h = 1e-6;
        for friction in [0.3, 1.5] {
            for x in samples() {
                let x = x + Vec3::new(0.013, 0.021, -0.017);
                let projection = project_with_derivative(x, friction);
                assert_eq!(projection.point, project(x, friction));
                for d in [Vec3::X, Vec3::Y, Vec3::Z] {
                    let slope = (project(x + h * d, friction) - project(x - h * d, friction)) / (2.0 * h);
                    assert!((slope - projection.derivative * d).length() < 1e-8, "{x} {friction}");
                }
            }
        }
    }
}

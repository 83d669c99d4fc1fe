//! Coordinates, angles, orientations and frames: everything below physics.
//!
//! SI units. World frame right-handed, Z up, X forward, Y left. Orientation is a unit quaternion that takes body
//! directions to world directions; angular velocity is in the world frame unless its name ends in `_body`.

pub mod almost_equal;
mod angle;
mod angular_coordinate;
mod compensated_sum;
pub mod elliptic;
pub(crate) mod kernels;
pub(crate) mod lanes;
pub mod orientation;
mod reference_frame;
pub mod scalar;
pub mod stumpff;
mod symmetric_eigen;
pub(crate) mod wide_lanes;

pub use angle::Angle;
pub use angular_coordinate::{AngularCoordinate, AngularRate};
pub use compensated_sum::CompensatedSum;
pub use kernels::{Registers, limit_registers};
pub use reference_frame::ReferenceFrame;
pub use symmetric_eigen::{SymmetricEigen, symmetric_eigen};

/// 3×3 matrix, column-major.
pub use glam::DMat3 as Mat3;
/// Quaternion; see [`orientation`] for its meaning and for constructors in (w, x, y, z) order.
pub use glam::DQuat as Quat;
/// Three f64 components.
pub use glam::DVec3 as Vec3;

/// A point in space, m. The same numbers as [`Vec3`]; the name says that a translation applies to it.
pub type Coordinate = Vec3;

/// The matrix `[v]×` with `[v]× u = v × u`.
#[must_use]
pub fn cross_matrix(v: Vec3) -> Mat3 {
    Mat3::from_cols(Vec3::new(0.0, v.z, -v.y), Vec3::new(-v.z, 0.0, v.x), Vec3::new(v.y, -v.x, 0.0))
}

/// `a bᵀ`.
#[must_use]
pub fn outer_product(a: Vec3, b: Vec3) -> Mat3 {
    Mat3::from_cols(a * b.x, a * b.y, a * b.z)
}

/// Right-handed frame `n, t₁, t₂` whose tangents depend on the unit normal n alone, without a branch that
/// flickers near an axis of the plane (Duff et al. 2017, "Building an orthonormal basis, revisited"). It is
/// discontinuous where n crosses the plane z = 0: components along t₁ and t₂ that are kept between steps must
/// be carried over as a vector.
#[must_use]
pub fn frame_of_normal(normal: Vec3) -> Mat3 {
    let Vec3 { x, y, z } = normal;
    let sign = if z < 0.0 { -1.0 } else { 1.0 };
    let a = -1.0 / (sign + z);
    let b = x * y * a;
    Mat3::from_cols(
        normal,
        Vec3::new(1.0 + sign * x * x * a, sign * b, -sign * x),
        Vec3::new(b, sign + y * y * a, -y),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_frame_of_a_normal_is_a_rotation() {
        for normal in [Vec3::X, -Vec3::Y, Vec3::Z, -Vec3::Z, Vec3::new(0.6, -0.48, -0.64)] {
            let frame = frame_of_normal(normal);
            assert_eq!(frame.x_axis, normal);
            assert!((frame.transpose() * frame - Mat3::IDENTITY).abs_diff_eq(Mat3::ZERO, 1e-15));
            assert!((frame.determinant() - 1.0).abs() < 1e-15);
        }
    }

    #[test]
    fn the_cross_matrix_crosses() {
        let (v, u) = (Vec3::new(1.0, -2.0, 3.0), Vec3::new(0.5, 4.0, -1.0));
        assert_eq!(cross_matrix(v) * u, v.cross(u));
        assert_eq!(outer_product(v, u) * Vec3::Y, v * u.y);
    }
}

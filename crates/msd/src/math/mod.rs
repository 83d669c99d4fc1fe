//! Coordinates, angles, orientations and frames: everything below physics.
//!
//! SI units. World frame right-handed, Z up, X forward, Y left. Orientation is a unit quaternion that takes body
//! directions to world directions; angular velocity is in the world frame unless its name ends in `_body`.

pub mod almost_equal;
mod angle;
mod angular_coordinate;
mod compensated_sum;
pub mod elliptic;
pub mod orientation;
pub mod real;
mod reference_frame;
pub mod stumpff;
mod symmetric_eigen;

pub use angle::Angle;
pub use angular_coordinate::{AngularCoordinate, AngularRate};
pub use compensated_sum::CompensatedSum;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cross_matrix_crosses() {
        let (v, u) = (Vec3::new(1.0, -2.0, 3.0), Vec3::new(0.5, 4.0, -1.0));
        assert_eq!(cross_matrix(v) * u, v.cross(u));
        assert_eq!(outer_product(v, u) * Vec3::Y, v * u.y);
    }
}

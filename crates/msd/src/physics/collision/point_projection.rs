//! Projection of a point on a surface.

use super::query::distance;
use crate::math::{Coordinate, ReferenceFrame, Vec3};
use crate::physics::rigid_body::shape::{Geometry, Shape, Sphere};

/// Radius of the sphere that represents a point, relative to the shape. tuned.
const PROJECTION_BALL: f64 = 1e-3;

/// The projection of a point; world frame, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Projection {
    /// The nearest point of the surface.
    pub point: Coordinate,
    /// Signed distance of the given point: negative inside.
    pub signed: f64,
    /// Unit outward normal of the surface there.
    pub normal: Vec3,
}

/// The point of the surface of `shape` (at `pose`) nearest to `point`.
///
/// A small sphere represents the point: the nearest point of a surface to a sphere is that of its centre, and
/// the engine has closed forms for spheres. `None` for a point that is not finite.
#[must_use]
pub fn project_point(shape: &Shape, pose: &ReferenceFrame, point: Coordinate) -> Option<Projection> {
    let bounds = shape.bounding_box(&ReferenceFrame::IDENTITY);
    let size = if shape.is_bounded() { bounds.size().max_element() } else { 1.0 };
    let radius = PROJECTION_BALL * size;
    let ball = Shape::Sphere(Sphere::new(radius).ok()?);
    if !point.is_finite() {
        return None;
    }
    let found = distance(shape, pose, &ball, &ReferenceFrame::from_position(point));
    Some(Projection { point: found.witness_a, signed: found.signed + radius, normal: found.normal })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::orientation;
    use crate::physics::rigid_body::shape::{Cone, Cuboid, Cylinder};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_projection_lies_on_the_surface_at_the_signed_distance(
            x in -3.0..3.0_f64, y in -3.0..3.0_f64, z in -3.0..3.0_f64, kind in 0..3_usize
        ) {
            let shape = [
                Shape::Box(Cuboid::new(Vec3::new(1.0, 2.0, 3.0)).unwrap()),
                Shape::Cylinder(Cylinder::new(0.7, 2.0).unwrap()),
                Shape::Cone(Cone::new(1.0, 2.0).unwrap()),
            ][kind].clone();
            let pose = ReferenceFrame::new(Vec3::new(0.1, 0.2, 0.3), orientation::from_rotation_vector(Vec3::ONE));
            let point = Vec3::new(x, y, z);
            let found = project_point(&shape, &pose, point).unwrap();
            let exact = shape.signed_distance(pose.point_to_local(point));
            prop_assert!((found.signed - exact).abs() < 1e-9, "{} {}", found.signed, exact);
            prop_assert!(shape.signed_distance(pose.point_to_local(found.point)).abs() < 1e-9);
            prop_assert!((found.point + found.normal * found.signed - point).length() < 1e-9);
        }
    }

    #[test]
    fn points_that_are_not_finite_are_not_projected() {
        let shape = Shape::Box(Cuboid::new(Vec3::ONE).unwrap());
        assert_eq!(project_point(&shape, &ReferenceFrame::IDENTITY, Vec3::NAN), None);
    }
}

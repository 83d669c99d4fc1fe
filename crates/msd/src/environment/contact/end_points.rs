//! Contact points at the end of a step.
//!
//! A step solves contact at points from its start, or from an impact within it. Users see them with the poses of the
//! end. Each body carries its witness point there, from the centre of mass x with the lever arm r:
//! ```text
//! p' = x' + R r            a vertex, an edge, a face: material of the body
//! p' = x' + R (r - ρn) + ρn    a ball, capsule or rounded shape of radius ρ, or the ball of a tapered capsule that touches: the centre of curvature is material, the normal stays
//! p' = x' + R (r - s) + s'     an ellipsoid: s and s' are its farthest points along n, before and after
//! p' = x' + R o + S (r - o)    a solid of revolution about an axis through o: R without its turn about the axis
//! ```
//! with R the rotation since the point was detected and n the outward normal. Of the two witness points d apart, the contact is midway along the
//! normal, and across it where the feature is that makes it: with the vertex, with the round surface, between two edges.
//! The error is of second order in the angle turned within the step.

use super::contact_constraint::{ContactConstraint, PointMotion};
use super::fast::TouchingPoint;
use crate::math::{Coordinate, Quat, Vec3, orientation};
use crate::physics::rigid_body::shape::{Convex, Shape};
use crate::physics::rigid_body::{InertialState, RigidBody};

/// A body with its states before and after the step.
#[derive(Clone, Copy)]
pub(in crate::environment) struct CarriedBody<'a> {
    pub(in crate::environment) body: &'a RigidBody,
    pub(in crate::environment) before: &'a InertialState,
    pub(in crate::environment) end: &'a InertialState,
}

/// A contact point at the end of a step, world frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::environment) struct EndPoint {
    /// Midway between the surfaces, m.
    pub(in crate::environment) position: Coordinate,
    /// Along the normal, m; negative is overlap.
    pub(in crate::environment) gap: f64,
}

impl CarriedBody<'_> {
    /// Where the body carries a witness point: its orientation and the lever arm when the point was detected (m, world), the outward
    /// normal, and whether the point rolls.
    fn carry(&self, then: Quat, arm: Vec3, outward: Vec3, rolls: bool) -> Vec3 {
        if self.end.orientation == then {
            return arm;
        }
        let turn = orientation::renormalized(self.end.orientation * then.conjugate());
        let origin = then * -self.body.center_of_mass_local;
        match &self.body.shape {
            Some(Shape::Sphere(_)) => turn * origin + (arm - origin),
            Some(Shape::Capsule(capsule)) => {
                let curvature = outward * capsule.radius();
                turn * (arm - curvature) + curvature
            }
            Some(Shape::Rounded(rounded)) => {
                let curvature = outward * rounded.radius();
                turn * (arm - curvature) + curvature
            }
            Some(Shape::TaperedCapsule(pear)) => {
                let curvature = outward * pear.ball_radius_near(then.conjugate() * (arm - origin));
                turn * (arm - curvature) + curvature
            }
            Some(Shape::Ellipsoid(ellipsoid)) => {
                let farthest = |at: Quat| at * ellipsoid.support(at.conjugate() * outward);
                turn * (arm - farthest(then)) + farthest(orientation::renormalized(turn * then))
            }
            Some(Shape::Cylinder(_) | Shape::Cone(_)) => {
                turn * origin + swing(turn, then * Vec3::Z) * (arm - origin)
            }
            // The part of a compound is unknown here; the step treats the point as rolling about the centre of mass.
            Some(Shape::Compound(_)) if rolls => arm,
            _ => turn * arm,
        }
    }
}

/// A rotation without its turn about an axis.
fn swing(turn: Quat, axis: Vec3) -> Quat {
    orientation::between_directions(axis, turn * axis)
}

/// The point at the end, of lever arms at the end; `share` is how far it goes with B across the normal.
fn between([a, b]: [CarriedBody<'_>; 2], [arm_a, arm_b]: [Vec3; 2], normal: Vec3, share: f64) -> EndPoint {
    // Differences of centres first: far from the origin they keep the digits that places have lost.
    let apart = (b.end.center_of_mass - a.end.center_of_mass) + (arm_b - arm_a);
    let gap = normal.dot(apart);
    let across = apart - normal * gap;
    EndPoint { position: a.end.center_of_mass + (arm_a + across * share + normal * (0.5 * gap)), gap }
}

/// How much of the way from A to B a point is on the line between two round surfaces.
fn share_of_arms(arm_a: Vec3, arm_b: Vec3) -> f64 {
    let both = arm_a.length() + arm_b.length();
    if both > 0.0 { arm_a.length() / both } else { 0.5 }
}

impl ContactConstraint {
    /// The point at the end of the step.
    pub(in crate::environment) fn end_point(&self, [a, b]: [CarriedBody<'_>; 2]) -> EndPoint {
        let normal = self.frame.x_axis;
        let [then_a, then_b] = if self.detected.within_step() {
            self.detected.orientations
        } else {
            [a.before.orientation, b.before.orientation]
        };
        let rolls = self.grip.rolls();
        let arms =
            [a.carry(then_a, self.surface_a, normal, rolls), b.carry(then_b, self.surface_b, -normal, rolls)];
        let share = match self.grip {
            PointMotion::A | PointMotion::RollingA => 0.0,
            PointMotion::B | PointMotion::RollingB => 1.0,
            PointMotion::Both => 0.5,
            PointMotion::RollingBoth => share_of_arms(self.surface_a, self.surface_b),
        };
        // The step has measured its initial gap with the same points.
        EndPoint { gap: self.end_gap, ..between([a, b], arms, normal, share) }
    }
}

impl TouchingPoint {
    /// The point at the end of the step. The fast tier stores no features: the point goes with a round surface, or
    /// with the movable body.
    pub(in crate::environment) fn end_point(&self, [a, b]: [CarriedBody<'_>; 2]) -> EndPoint {
        let normal = self.frame.x_axis;
        let arm_a = self.position - a.before.center_of_mass;
        let arm_b = self.position - b.before.center_of_mass;
        let round = |body: &RigidBody| {
            matches!(
                body.shape,
                Some(
                    Shape::Sphere(_)
                        | Shape::Capsule(_)
                        | Shape::Ellipsoid(_)
                        | Shape::Rounded(_)
                        | Shape::TaperedCapsule(_)
                )
            )
        };
        let moves = |side: &CarriedBody<'_>| side.end.center_of_mass != side.before.center_of_mass;
        let share = match ([round(a.body), round(b.body)], [moves(&a), moves(&b)]) {
            ([true, true], _) => share_of_arms(arm_a, arm_b),
            ([true, false], _) | ([false, false], [true, false]) => 0.0,
            ([false, true], _) | ([false, false], [false, true]) => 1.0,
            ([false, false], _) => 0.5,
        };
        let arms = [
            a.carry(a.before.orientation, arm_a, normal, false),
            b.carry(b.before.orientation, arm_b, -normal, false),
        ];
        EndPoint { gap: self.gap, ..between([a, b], arms, normal, share) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::physics::rigid_body::shape::{Capsule, Cuboid, Cylinder, Sphere};

    fn body(shape: Shape) -> RigidBody {
        RigidBody { shape: Some(shape), ..RigidBody::vacant() }
    }

    fn state(center: Vec3, rotation: Vec3) -> InertialState {
        InertialState {
            center_of_mass: center,
            orientation: orientation::from_rotation_vector(rotation),
            ..InertialState::AT_REST
        }
    }

    /// A body that moves by `step` while it turns by `rotation` carries a point of its underside.
    fn carried(shape: Shape, start: Vec3, arm: Vec3, rotation: Vec3) -> Vec3 {
        let body = body(shape);
        let (before, end) = (
            state(Vec3::Z, start),
            InertialState {
                orientation: orientation::from_rotation_vector(rotation)
                    * orientation::from_rotation_vector(start),
                ..state(Vec3::Z, Vec3::ZERO)
            },
        );
        CarriedBody { body: &body, before: &before, end: &end }.carry(before.orientation, arm, -Vec3::Z, true)
    }

    #[test]
    fn the_lowest_point_of_a_round_body_stays_the_lowest() {
        let down = Vec3::new(0.0, 0.0, -0.5);
        let ball = Shape::Sphere(Sphere::new(0.5).expect("a radius"));
        assert!((carried(ball, Vec3::ZERO, down, Vec3::new(0.3, 0.2, 0.1)) - down).length() < 1e-15);
        // A capsule and a cylinder that lie along x and roll about it.
        let lying = Vec3::Y * std::f64::consts::FRAC_PI_2;
        let capsule = Shape::Capsule(Capsule::new(0.5, 2.0).expect("a capsule"));
        let cylinder = Shape::Cylinder(Cylinder::new(0.5, 2.0).expect("a cylinder"));
        for shape in [capsule, cylinder] {
            let arm = Vec3::new(0.8, 0.0, -0.5);
            assert!((carried(shape, lying, arm, Vec3::X * 0.3) - arm).length() < 1e-15);
        }
    }

    #[test]
    fn a_corner_goes_with_its_body() {
        let (arm, rotation) = (Vec3::new(0.5, 0.5, -0.5), Vec3::new(0.1, -0.2, 0.3));
        let cube = Shape::Box(Cuboid::new(Vec3::ONE).expect("a size"));
        let expected = orientation::from_rotation_vector(rotation) * arm;
        assert!((carried(cube, Vec3::ZERO, arm, rotation) - expected).length() < 1e-15);
    }
}

//! Mean geometry of a contact over a span, along which a normal impulse does exactly the work that its gap says.
//!
//! A contact has the gap g₁, the normal n₁ (from A to B) and its witness points where the span ends, and g₀, n₀ and witness points where it
//! begins: those detected there if the contact was there, otherwise those its features had. With the mean normal `n ∥ n₀ + n₁`, the mean
//! lever arms, and the mean relative velocity ū and angular velocity ω of the bodies,
//! ```text
//! ρ = (g₁ - g₀)/h - n·ū         s = n×ω         c = ρ / (‖ū_t‖² + ℓ²‖s‖² + c ℓ² ū_t·(ω×s))
//! normal n + c ū_t, arms + c ℓ² s      ⇒      row · velocities = (g₁ - g₀)/h
//! ```
//! holds exactly, whatever h is: a contact that was closed and stays closed does no work. A vertex, a sphere or a round tip on a plane
//! have ρ = 0; where the contact point wanders over the body (rims, edges), c is of second order. ℓ is the size of the contact, m. c vanishes
//! where bodies neither slide nor roll there. (A discrete gradient: Gonzalez 1996.)

use super::contact_constraint::{ContactConstraint, PointMotion};
use crate::math::{Quat, ReferenceFrame, Vec3, orientation, scalar};
use crate::physics::collision::distance;
use crate::physics::constraints::contact::BodyVelocity;
use crate::physics::rigid_body::shape::{Convex, Shape};
use crate::physics::rigid_body::{InertialState, RigidBody};

/// Cosine between the radial direction of a point of a cylinder or cone and its normal from which the point rolls over the rim; below it is
/// a point of the material.
const ON_RIM: f64 = 0.999;

/// The farthest that a point detected at the start may be from where a feature was, relative to the size of the contact, to be the same.
const SAME_POINT: f64 = 0.25;

/// The most that the normal is tilted, rad, and that the point is moved relative to the size of the contact.
const MOST_TILT: f64 = 0.3;

/// ρh relative to the size of the contact that is left as it is: round-off.
const EXACT: f64 = 1e-13;

/// Contact geometry in the mean of a span.
#[derive(Clone, Copy, Debug)]
pub(super) struct MeanGeometry {
    /// From A to B, unit, world frame.
    pub(super) normal: Vec3,
    /// From the centres of mass, m.
    pub(super) arms: [Vec3; 2],
    /// Change of the gap per velocity along the normal: 1 but for the tilt.
    pub(super) scale: f64,
    /// Mean velocity along the normal, m/s, of the motion whose end it was detected at.
    pub(super) rate: f64,
    /// Gap at the start of the span, m.
    pub(super) before: f64,
    /// Gap that the contact is kept at, m: none, or that of the start if it was closed.
    pub(super) allowed: f64,
}

/// A body from one end of the span to the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side<'a> {
    pub(super) body: &'a RigidBody,
    pub(super) start: &'a InertialState,
    pub(super) end: &'a InertialState,
    /// Mean velocities.
    pub(super) mean: BodyVelocity,
}

/// A contact at the start of the span.
#[derive(Clone, Copy, Debug)]
struct Before {
    normal: Vec3,
    /// Witness points, from the centres of mass, m.
    surfaces: [Vec3; 2],
    gap: f64,
}

impl Default for MeanGeometry {
    /// None.
    fn default() -> Self {
        Self { normal: Vec3::ZERO, arms: [Vec3::ZERO; 2], scale: 1.0, rate: 0.0, before: 0.0, allowed: 0.0 }
    }
}

/// Gap that a contact is kept at, m, whose gap is `before` and that counts as closed up to `closed`; `overlap` (negative or zero) is that
/// of its bodies at the start of the step.
pub(super) fn kept_gap(before: f64, closed: f64, overlap: f64) -> f64 {
    if overlap < -closed {
        overlap
    } else if before <= closed {
        scalar::max(before, -closed)
    } else {
        0.0
    }
}

/// Mean geometry of a point that was detected at the end of a span of `h` seconds. `starts` are the points of its pair that were detected
/// where the span begins.
pub(super) fn mean_geometry(
    candidate: &ContactConstraint,
    starts: &[ContactConstraint],
    sides: &[Side<'_>; 2],
    h: f64,
) -> MeanGeometry {
    let before = before(candidate, starts, sides);
    let [a, b] = sides;
    let between = b.start.center_of_mass - a.start.center_of_mass;
    let arm_a = match candidate.grip {
        PointMotion::A | PointMotion::RollingA => before.surfaces[0],
        PointMotion::B | PointMotion::RollingB => before.surfaces[1] + between,
        PointMotion::Both | PointMotion::RollingBoth => {
            0.5 * (before.surfaces[0] + between + before.surfaces[1])
        }
    };
    let now = candidate.frame.x_axis;
    let sum = now + before.normal;
    let normal = if sum.length_squared() > 0.25 { sum.normalize() } else { now };
    let arms = [0.5 * (arm_a + candidate.arms[0]), 0.5 * (arm_a - between + candidate.arms[1])];
    // A contact that was not closed more than it may be does no work by opening.
    let allowed = kept_gap(before.gap, candidate.closed(), scalar::min(candidate.start_gap(), 0.0));
    let rate = (candidate.gap - scalar::max(before.gap, allowed)) / h;
    let mean = corrected(normal, arms, rate, [a.mean, b.mean], (candidate.size, h));
    let rate = mean.normal.dot(relative(a.mean, b.mean, mean.arms));
    MeanGeometry { rate, before: before.gap, allowed, ..mean }
}

/// Velocity of B's point seen from A's, world frame, m/s.
pub(super) fn relative(a: BodyVelocity, b: BodyVelocity, [arm_a, arm_b]: [Vec3; 2]) -> Vec3 {
    (b.linear - a.linear) + b.angular.cross(arm_b) - a.angular.cross(arm_a)
}

/// Tilts the normal and moves the point so that the gap changes at `rate`.
fn corrected(
    normal: Vec3,
    arms: [Vec3; 2],
    rate: f64,
    [a, b]: [BodyVelocity; 2],
    (size, h): (f64, f64),
) -> MeanGeometry {
    let plain = MeanGeometry { normal, arms, ..MeanGeometry::default() };
    let (velocity, spin) = (relative(a, b, arms), b.angular - a.angular);
    let off = rate - normal.dot(velocity);
    let way = off.abs() * h;
    if way <= EXACT * size || way.is_nan() {
        return plain;
    }
    let slip = velocity - normal * normal.dot(velocity);
    let roll = normal.cross(spin) * size;
    let square = slip.length_squared() + roll.length_squared();
    let bent = size * slip.dot(spin.cross(roll));
    let mut c = 0.0;
    for _ in 0..4 {
        c = off / (square + c * bent);
    }
    let tilted = c.abs() * scalar::max(slip.length(), roll.length());
    if tilted > MOST_TILT || tilted.is_nan() {
        return plain;
    }
    let (tilt, shift) = (normal + slip * c, roll * (c * size));
    let scale = tilt.length();
    MeanGeometry { normal: tilt / scale, arms: arms.map(|arm| arm + shift), scale, ..plain }
}

/// The contact where the span begins: as it was detected there, or as its features were.
fn before(candidate: &ContactConstraint, starts: &[ContactConstraint], sides: &[Side<'_>; 2]) -> Before {
    let carried = carried(candidate, sides);
    if matches!(candidate.grip, PointMotion::A | PointMotion::B) {
        return carried;
    }
    let distance = |point: &ContactConstraint| {
        let [on_a, on_b] = carried.surfaces;
        scalar::min((point.surface_a - on_a).length(), (point.surface_b - on_b).length())
    };
    let same = |point: &&ContactConstraint| {
        !point.is_vacant() && point.frame.x_axis.dot(candidate.frame.x_axis) > 0.5
    };
    let nearest = starts.iter().filter(same).min_by(|p, q| distance(p).total_cmp(&distance(q)));
    match nearest {
        Some(point) if distance(point) <= SAME_POINT * candidate.size => Before {
            normal: point.frame.x_axis,
            surfaces: [point.surface_a, point.surface_b],
            gap: point.gap,
        },
        _ => carried,
    }
}

/// The contact as its features were where the span begins.
fn carried(candidate: &ContactConstraint, [a, b]: &[Side<'_>; 2]) -> Before {
    let now = candidate.frame.x_axis;
    let [with_a, with_b] = [a.back() * now, b.back() * now];
    let between = b.start.center_of_mass - a.start.center_of_mass;
    let [part_a, part_b] = candidate.parts;
    let normal = match candidate.grip {
        // The normal goes with the face.
        PointMotion::A | PointMotion::RollingA => with_b,
        PointMotion::B | PointMotion::RollingB => with_a,
        PointMotion::Both => (with_a + with_b).normalize(),
        PointMotion::RollingBoth if a.is_ellipsoid(part_a) || b.is_ellipsoid(part_b) => {
            nearest_normal([a, b], [part_a, part_b], between).unwrap_or((with_a + with_b).normalize())
        }
        PointMotion::RollingBoth => {
            // From core to core.
            let core_a = a.carried(part_a, candidate.surface_a, now, Vec3::ZERO);
            let core_b = b.carried(part_b, candidate.surface_b, -now, Vec3::ZERO);
            let apart = core_b + between - core_a;
            if apart.dot(now) > 0.0 { apart.normalize() } else { (with_a + with_b).normalize() }
        }
    };
    let on_a = a.carried(part_a, candidate.surface_a, now, normal);
    let on_b = b.carried(part_b, candidate.surface_b, -now, -normal);
    Before { normal, surfaces: [on_a, on_b], gap: normal.dot(on_b + between - on_a) }
}

/// The normal of two parts where the span begins, from their shapes; B is `between` from A then.
fn nearest_normal([a, b]: [&Side<'_>; 2], [part_a, part_b]: [u32; 2], between: Vec3) -> Option<Vec3> {
    let ((shape_a, at_a), (shape_b, mut at_b)) = (a.placed_part(part_a), b.placed_part(part_b));
    at_b.position += between;
    Some(distance(shape_a?, &at_a, shape_b?, &at_b).normal)
}

impl Side<'_> {
    fn is_ellipsoid(&self, part: u32) -> bool {
        matches!(self.part(part).0, Some(Shape::Ellipsoid(_)))
    }

    /// A part and its frame at the start, from the centre of mass in world axes.
    fn placed_part(&self, part: u32) -> (Option<&Shape>, ReferenceFrame) {
        let (shape, frame) = self.part(part);
        let turn = self.start.orientation;
        let position = turn * (frame.position - self.body.center_of_mass_local);
        (shape, ReferenceFrame { position, orientation: turn * frame.orientation })
    }

    /// Turns directions of the end to where they were at the start.
    fn back(&self) -> Quat {
        self.start.orientation * self.end.orientation.conjugate()
    }

    /// Where a witness point with the lever arm `arm` at the end was at the start: the outward normal is `then` there and `now` at the end.
    fn carried(&self, part: u32, arm: Vec3, now: Vec3, then: Vec3) -> Vec3 {
        let back = self.back();
        let (shape, frame) = self.part(part);
        match shape {
            Some(Shape::Sphere(ball)) => back * (arm - now * ball.radius()) + then * ball.radius(),
            Some(Shape::Capsule(capsule)) => back * (arm - now * capsule.radius()) + then * capsule.radius(),
            Some(Shape::Rounded(round)) => back * (arm - now * round.radius()) + then * round.radius(),
            Some(Shape::TaperedCapsule(pear)) => {
                let origin = self.end.orientation * (frame.position - self.body.center_of_mass_local);
                let local = (self.end.orientation * frame.orientation).conjugate() * (arm - origin);
                let radius = pear.ball_radius_near(local);
                back * (arm - now * radius) + then * radius
            }
            Some(Shape::Ellipsoid(ellipsoid)) => {
                let farthest = |at: Quat, outward: Vec3| at * ellipsoid.support(at.conjugate() * outward);
                let [was, is] = [self.start, self.end].map(|state| state.orientation * frame.orientation);
                back * (arm - farthest(is, now)) + farthest(was, then)
            }
            Some(Shape::Cylinder(_) | Shape::Cone(_)) => {
                let origin = self.end.orientation * (frame.position - self.body.center_of_mass_local);
                let axis = self.end.orientation * (frame.orientation * Vec3::Z);
                back * origin + carried_about(axis, back * axis, arm - origin, [now, then])
            }
            _ => back * arm,
        }
    }

    /// The convex shape that a contact names, and its frame in the body.
    fn part(&self, part: u32) -> (Option<&Shape>, ReferenceFrame) {
        match &self.body.shape {
            Some(Shape::Compound(compound)) => match compound.parts().get(part as usize) {
                Some(part) => (Some(&part.shape), part.frame),
                None => (None, ReferenceFrame::IDENTITY),
            },
            shape => (shape.as_ref(), ReferenceFrame::IDENTITY),
        }
    }
}

/// A point of a body of revolution, from its origin: the lowest of its circle stays the lowest, others go with the axis. `axis` is that of
/// the end and `was` that of the start, and so are the outward normals.
fn carried_about(axis: Vec3, was: Vec3, point: Vec3, [now, then]: [Vec3; 2]) -> Vec3 {
    let along = axis.dot(point);
    let radial = point - axis * along;
    let (out, out_before) = (now - axis * axis.dot(now), then - was * was.dot(then));
    let (radius, steep) = (radial.length(), out.length());
    if out_before.length() > 1e-3 && radial.dot(out) > ON_RIM * radius * steep && steep > 1e-3 {
        return was * along + out_before.normalize() * radius;
    }
    orientation::between_directions(axis, was) * point
}

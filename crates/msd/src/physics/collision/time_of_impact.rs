//! Time of impact of two moving shapes.
//!
//! Conservative advancement (Mirtich 1996, *Impulse-based dynamic simulation*, §2.3). At some time let the
//! shapes be apart by `d` along the unit normal `n` from A to B. While they move, no point of A can approach
//! any point of B along that fixed `n` faster than
//!
//! ```text
//! c = n·(v_A - v_B) + |n × ω_A| r_A + |n × ω_B| r_B
//! ```
//!
//! with `r` the largest distance of the shape from the point it turns about. So the shapes stay separated for
//! at least `d / c` seconds, and for ever if `c ≤ 0`. Repeated advancement converges to the first contact
//! from before and never passes it, however fast or thin the shapes are.

use super::query::{Distance, distance};
use crate::math::{Coordinate, ReferenceFrame, Vec3, orientation, scalar};
use crate::physics::rigid_body::shape::{Geometry, Shape};
use crate::tolerance;

/// Limit of conservative advancement iterations. Each closes a constant share of the gap or more. tuned:
/// shapes that graze while rotating need the most.
pub(crate) const IMPACT_ITERATIONS: u32 = 500;

/// A shape that moves with constant linear and angular velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// Pose of the shape's local frame at the start, world.
    pub start: ReferenceFrame,
    /// The centre of rotation (for a free body its centre of mass), in the shape's local frame, m.
    pub center_local: Coordinate,
    /// Velocity of that point, world, m/s.
    pub velocity: Vec3,
    /// World, rad/s.
    pub angular_velocity: Vec3,
}

impl Motion {
    /// A shape at rest.
    #[must_use]
    pub const fn at_rest(start: ReferenceFrame) -> Self {
        Self { start, center_local: Vec3::ZERO, velocity: Vec3::ZERO, angular_velocity: Vec3::ZERO }
    }

    /// A shape that moves without rotating.
    #[must_use]
    pub const fn translating(start: ReferenceFrame, velocity: Vec3) -> Self {
        Self { start, center_local: Vec3::ZERO, velocity, angular_velocity: Vec3::ZERO }
    }

    /// Pose after `time` seconds.
    #[must_use]
    pub fn frame_at(&self, time: f64) -> ReferenceFrame {
        let center = self.start.point_to_parent(self.center_local) + self.velocity * time;
        let turned = orientation::advanced(self.start.orientation, self.angular_velocity, time);
        ReferenceFrame::new(center - turned * self.center_local, turned)
    }

    /// Upper bound of the distance of the shape from its centre of rotation; infinite for an unbounded shape.
    fn reach(&self, shape: &Shape) -> f64 {
        let bounds = shape.bounding_box(&ReferenceFrame::IDENTITY);
        let low = (bounds.min - self.center_local).abs();
        let high = (bounds.max - self.center_local).abs();
        low.max(high).length()
    }

    /// Upper bound of the speed of a point of the shape along the direction due to rotation.
    fn turning_speed(&self, direction: Vec3, reach: f64) -> f64 {
        let rate = direction.cross(self.angular_velocity).length();
        if rate == 0.0 { 0.0 } else { rate * reach }
    }
}

/// Result of [`time_of_impact`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Impact {
    /// They touch for the first time at `time`, within [`tolerance::IMPACT_GAP`] of their size.
    At {
        /// s from the start.
        time: f64,
        /// Gap, places and normal then.
        contact: Distance,
    },
    /// They do not touch within the duration.
    Never,
    /// The iteration limit was reached while they graze each other. They are certainly separated until
    /// `time`.
    Undecided {
        /// s from the start.
        time: f64,
        /// Gap, places and normal then.
        nearest: Distance,
    },
}

/// The first contact of two moving shapes within `duration` seconds; at time 0 if they overlap at the start.
#[must_use]
pub fn time_of_impact(a: &Shape, motion_a: &Motion, b: &Shape, motion_b: &Motion, duration: f64) -> Impact {
    let (reach_a, reach_b) = (motion_a.reach(a), motion_b.reach(b));
    let target = tolerance::IMPACT_GAP * size(reach_a, reach_b);
    let at = |time: f64| distance(a, &motion_a.frame_at(time), b, &motion_b.frame_at(time));
    let mut time = 0.0;
    let mut nearest = at(time);
    for _ in 0..IMPACT_ITERATIONS {
        if nearest.signed <= target {
            return Impact::At { time, contact: nearest };
        }
        let n = nearest.normal;
        let closing = n.dot(motion_a.velocity - motion_b.velocity)
            + motion_a.turning_speed(n, reach_a)
            + motion_b.turning_speed(n, reach_b);
        // Half the target, so that the last step ends inside it.
        let advance = (nearest.signed - 0.5 * target) / closing;
        if closing <= 0.0 || time + advance > duration {
            return Impact::Never;
        }
        time += advance;
        nearest = at(time);
    }
    Impact::Undecided { time, nearest }
}

/// The smaller of the bounded reaches: the length scale of the gap.
fn size(reach_a: f64, reach_b: f64) -> f64 {
    let smaller = scalar::min(reach_a, reach_b);
    if smaller.is_finite() { smaller } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::physics::rigid_body::shape::{Capsule, Cuboid, HalfSpace, Sphere};
    use proptest::prelude::*;

    fn sphere(radius: f64) -> Shape {
        Shape::Sphere(Sphere::new(radius).unwrap())
    }

    fn cuboid(x: f64, y: f64, z: f64) -> Shape {
        Shape::Box(Cuboid::new(Vec3::new(x, y, z)).unwrap())
    }

    fn wall() -> (Shape, Motion) {
        (cuboid(0.01, 2.0, 2.0), Motion::at_rest(ReferenceFrame::IDENTITY))
    }

    fn time(impact: Impact) -> f64 {
        match impact {
            Impact::At { time, .. } => time,
            other => panic!("expected an impact, got {other:?}"),
        }
    }

    #[test]
    fn a_bullet_does_not_pass_a_thin_wall() {
        // 1 cm across at 1000 m/s: 16.7 m in a step of 1/60 s, through a wall of 1 cm at x = 0.
        let (wall, rest) = wall();
        let bullet = Motion::translating(ReferenceFrame::from_position(Vec3::X * -5.0), Vec3::X * 1000.0);
        let found = time(time_of_impact(&sphere(0.005), &bullet, &wall, &rest, 1.0 / 60.0));
        assert!((found - (5.0 - 0.005 - 0.005) / 1000.0).abs() < 1e-12, "{found}");
    }

    #[test]
    fn a_spinning_rod_does_not_pass_a_thin_wall() {
        // A rod of 1 m turning at 100 rad/s about its centre, 0.45 m from the wall: its end reaches the wall when
        // 0.49 cos φ + 0.01 = 0.445 (a capsule of radius 1 cm, half length 0.49), φ measured from the wall's normal.
        let (wall, rest) = wall();
        let rod = Shape::Capsule(Capsule::new(0.01, 0.98).unwrap());
        let start = ReferenceFrame::from_position(Vec3::X * -0.45);
        let spin = Motion { angular_velocity: Vec3::Y * 100.0, ..Motion::at_rest(start) };
        let found = time(time_of_impact(&rod, &spin, &wall, &rest, 1.0 / 60.0));
        let expected = (std::f64::consts::FRAC_PI_2 - scalar::acos(0.435 / 0.49)) / 100.0;
        assert!((found - expected).abs() < 1e-8, "{found} {expected}");
    }

    #[test]
    fn a_falling_sphere_meets_the_ground_when_kinematics_says() {
        let ground = Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0).unwrap());
        let fall =
            Motion::translating(ReferenceFrame::from_position(Vec3::Z * 3.0), Vec3::new(7.0, 0.0, -2.0));
        let found =
            time_of_impact(&ground, &Motion::at_rest(ReferenceFrame::IDENTITY), &sphere(1.0), &fall, 10.0);
        // Found within the impact gap: 1e-9 of the reach √3 m, at 2 m/s.
        assert!((time(found) - 1.0).abs() < 1e-9);
        let Impact::At { contact, .. } = found else { unreachable!() };
        assert!((contact.normal - Vec3::Z).length() < 1e-12 && (contact.witness_a.x - 7.0).abs() < 7e-9);
    }

    #[test]
    fn shapes_that_part_or_pass_never_meet_and_overlap_is_met_at_once() {
        let (wall, rest) = wall();
        let away = Motion::translating(ReferenceFrame::from_position(Vec3::X), Vec3::X);
        assert_eq!(time_of_impact(&wall, &rest, &sphere(0.1), &away, 1e6), Impact::Never);
        let past =
            Motion::translating(ReferenceFrame::from_position(Vec3::new(-5.0, 3.0, 0.0)), Vec3::X * 100.0);
        assert_eq!(time_of_impact(&sphere(0.1), &past, &wall, &rest, 1.0), Impact::Never);
        let inside = Motion::translating(ReferenceFrame::IDENTITY, Vec3::X);
        assert_eq!(time(time_of_impact(&wall, &rest, &sphere(0.1), &inside, 1.0)), 0.0);
    }

    #[test]
    fn orbital_speed_does_not_matter_only_relative_motion_does() {
        let far = Vec3::new(7e6, 0.0, 0.0);
        let common = Vec3::Y * 7600.0;
        let a = Motion::translating(ReferenceFrame::from_position(far), common);
        let b =
            Motion::translating(ReferenceFrame::from_position(far + Vec3::X * 3.0), common - Vec3::X * 0.05);
        let found = time(time_of_impact(&cuboid(1.0, 1.0, 1.0), &a, &cuboid(1.0, 1.0, 1.0), &b, 100.0));
        // One ulp of 7e6 m is 9e-10 m: 2e-8 s at 0.05 m/s.
        assert!((found - 40.0).abs() < 1e-6, "{found}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn the_shapes_are_apart_before_the_impact_and_touch_at_it(
            x in 2.5..6.0_f64, y in -1.0..1.0_f64, z in -1.0..1.0_f64, speed in 0.1..50.0_f64,
            wx in -20.0..20.0_f64, wy in -20.0..20.0_f64, wz in -20.0..20.0_f64
        ) {
            let (a, b) = (cuboid(1.0, 2.0, 0.5), cuboid(0.7, 0.3, 1.5));
            let still = Motion::at_rest(ReferenceFrame::IDENTITY);
            let moving = Motion {
                velocity: Vec3::X * -speed,
                angular_velocity: Vec3::new(wx, wy, wz),
                ..Motion::at_rest(ReferenceFrame::from_position(Vec3::new(x, y, z)))
            };
            if let Impact::At { time, contact } = time_of_impact(&a, &still, &b, &moving, 10.0) {
                prop_assert!(contact.signed.abs() <= 1e-8);
                for i in 0..20 {
                    let earlier = time * f64::from(i) / 20.0;
                    let gap = distance(&a, &still.start, &b, &moving.frame_at(earlier)).signed;
                    prop_assert!(gap >= -1e-12, "overlap of {} at {} of {}", gap, earlier, time);
                }
            }
        }
    }
}

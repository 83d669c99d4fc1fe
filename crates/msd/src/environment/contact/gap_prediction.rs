//! Gap prediction: gaps and relative velocities of the contact points of a manifold along free flight, four at a
//! time.
//!
//! The points of a manifold share bodies and frame, so the quantities that `contact_constraint` derives for one point
//! are computed for four at once, with the same operations in the same order.

use super::contact_constraint::{ContactConstraint, Detected, PairGeometry, PointMotion};
use crate::math::kernels::{Kernel, run_over};
use crate::math::lanes::{Four, Frames, LANES, Lanes, Rotation, Single, Vectors, each, four};
use crate::math::{Quat, Vec3, orientation};
use crate::physics::collision::ContactPoint;
use crate::physics::constraints::contact::BodyVelocity;
use crate::physics::rigid_body::InertialState;

/// Displacement of a contact point with its body within a step up to which it is followed along a straight
/// line, relative to its distance from the centre of mass. tuned.
const POINT_TRAVEL: f64 = 0.3;

/// The candidates in parts of up to four of one manifold, in order.
pub(super) fn patches(candidates: &[ContactConstraint]) -> impl Iterator<Item = &[ContactConstraint]> {
    candidates.chunk_by(ContactConstraint::is_beside).flat_map(|points| points.chunks(LANES))
}

/// The same, to be changed.
pub(super) fn patches_mut(
    candidates: &mut [ContactConstraint],
) -> impl Iterator<Item = &mut [ContactConstraint]> {
    candidates.chunk_by_mut(ContactConstraint::is_beside).flat_map(|points| points.chunks_mut(LANES))
}

/// `u = J v` of points with these lever arms, m/s.
#[inline(always)]
fn relative<L: Lanes>(frame: &Frames<L>, arms: &[Vectors<L>; 2], [a, b]: &[BodyVelocity; 2]) -> Vectors<L> {
    let all = Vectors::<L>::all;
    let turning_b = all(b.angular).cross(arms[1]);
    frame.local(all(b.linear - a.linear) + turning_b - all(a.angular).cross(arms[0]))
}

/// Lever arms of points at `time`, m.
#[inline(always)]
fn arms_at<L: Lanes>(points: [&ContactConstraint; LANES], time: f64) -> [Vectors<L>; 2] {
    let arms = each(points, |point| point.arms_at(time));
    [Vectors::of(each(arms, |arms| arms[0])), Vectors::of(each(arms, |arms| arms[1]))]
}

/// Charts the paths of a patch from `now` to `end`, given the velocities of the bodies then.
pub(super) fn chart(
    points: &mut [ContactConstraint],
    span: (f64, f64),
    at_now: &[BodyVelocity; 2],
    at_end: &[BodyVelocity; 2],
) {
    run_over(points.len(), Chart { points, span, at_now, at_end });
}

struct Chart<'a> {
    points: &'a mut [ContactConstraint],
    span: (f64, f64),
    at_now: &'a [BodyVelocity; 2],
    at_end: &'a [BodyVelocity; 2],
}

impl Kernel for Chart<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { points, span: (now, end), at_now, at_end } = self;
        let all = four(points);
        let frame = Frames::<L>::all(&all[0].frame);
        let arms = arms_at::<L>(all, now);
        let rest = L::splat(end - now);
        let rates = rates::<L>(all, &arms, at_now, end - now);
        let then = [arms[0] + rates[0] * rest, arms[1] + rates[1] * rest];
        let per_second = L::splat(if end > now { 1.0 / (end - now) } else { 0.0 });
        let velocity = relative(&frame, &arms, at_now);
        let acceleration = (relative(&frame, &then, at_end) - velocity) * per_second;
        let free_acceleration = (relative(&frame, &arms, at_end) - velocity) * per_second;
        let (velocity, acceleration, free_acceleration) =
            (velocity.each(), acceleration.each(), free_acceleration.each());
        let (arms, rates) = ([arms[0].each(), arms[1].each()], [rates[0].each(), rates[1].each()]);
        for (k, point) in points.iter_mut().enumerate() {
            let gap = point.gap_at(now);
            (point.arms, point.rates, point.since) =
                ([arms[0][k], arms[1][k]], [rates[0][k], rates[1][k]], now);
            (point.acceleration, point.free_acceleration) = (acceleration[k], free_acceleration[k]);
            point.velocity = velocity[k] - acceleration[k] * now;
            point.offset = gap - now * (point.velocity.x + 0.5 * now * acceleration[k].x);
        }
    }
}

/// How the arms of a patch change, m/s, in `rest` seconds.
#[inline(always)]
fn rates<L: Lanes>(
    points: [&ContactConstraint; LANES],
    arms: &[Vectors<L>; 2],
    [a, b]: &[BodyVelocity; 2],
    rest: f64,
) -> [Vectors<L>; 2] {
    let with_a = Vectors::all(a.angular).cross(arms[0]);
    let with_b = Vectors::all(b.angular).cross(arms[1]);
    let apart = b.linear - a.linear;
    if points.iter().any(|point| point.grip.rolls()) {
        let (arms, turning) = ([arms[0].each(), arms[1].each()], [with_a.each(), with_b.each()]);
        let rates = each([0, 1, 2, 3], |k| {
            points[k].rates_at([arms[0][k], arms[1][k]], [turning[0][k], turning[1][k]], apart, rest)
        });
        return [Vectors::of(each(rates, |rate| rate[0])), Vectors::of(each(rates, |rate| rate[1]))];
    }
    let side = L::load(&each(points, |point| point.grip.side()));
    let (apart, half, sum) = (Vectors::all(apart), L::splat(0.5), with_a + with_b);
    let on_a = by_side(side, with_a, with_b + apart, (sum + apart) * half);
    let on_b = by_side(side, with_a - apart, with_b, (sum - apart) * half);
    let far = L::load(&each(points, |point| POINT_TRAVEL * point.size));
    let travel = on_a.dot(on_a).sqrt().larger(on_b.dot(on_b).sqrt()) * L::splat(rest);
    let stays = Vectors::all(Vec3::ZERO);
    [stays.where_greater(travel, far, on_a), stays.where_greater(travel, far, on_b)]
}

/// With the material of A, of B, or of both, as [`PointMotion::side`] says.
#[inline(always)]
fn by_side<L: Lanes>(side: L, a: Vectors<L>, b: Vectors<L>, both: Vectors<L>) -> Vectors<L> {
    let none = L::splat(0.0);
    a.where_greater(side, none, b.where_greater(none, side, both))
}

/// Lever arms of a patch at one time, m, and the change of u (m/s) by moving the points from there to their positions
/// at another time, with these velocities of the bodies.
pub(super) fn drifts(
    points: &[ContactConstraint],
    times: (f64, f64),
    velocities: [BodyVelocity; 2],
) -> [([Vec3; 2], Vec3); LANES] {
    run_over(points.len(), Drifts { points, times, velocities: &velocities })
}

struct Drifts<'a> {
    points: &'a [ContactConstraint],
    times: (f64, f64),
    velocities: &'a [BodyVelocity; 2],
}

impl Kernel for Drifts<'_> {
    type Output = [([Vec3; 2], Vec3); LANES];

    #[inline(always)]
    fn run<L: Lanes>(self) -> Self::Output {
        let Self { points, times: (from, to), velocities } = self;
        let all = four(points);
        let frame = Frames::<L>::all(&all[0].frame);
        let (arms, then) = (arms_at(all, from), arms_at(all, to));
        let drift = (relative(&frame, &then, velocities) - relative(&frame, &arms, velocities)).each();
        let (arms_a, arms_b) = (arms[0].each(), arms[1].each());
        each([0, 1, 2, 3], |k| ([arms_a[k], arms_b[k]], drift[k]))
    }
}

impl ContactConstraint {
    /// True if another is a point of the same manifold.
    fn is_beside(&self, other: &Self) -> bool {
        let key = |c: &Self| (c.a, c.b, c.origin.pair, c.origin.manifold);
        key(self) == key(other)
    }

    /// `u = J(t) v` in the frame of the contact, m/s.
    pub(super) fn relative_velocity(&self, time: f64, velocities: [BodyVelocity; 2]) -> Vec3 {
        let arms = arms_at::<Single>([self; LANES], time);
        let [velocity, ..] = relative(&Frames::all(&self.frame), &arms, &velocities).each();
        velocity
    }

    /// How the arms change, m/s; `turning` is how fast they would with the material of A and of B. A point that would leave its place
    /// by much in the time left is taken as fixed: its path is not straight anyway.
    fn rates_at(
        &self,
        [arm_a, arm_b]: [Vec3; 2],
        [with_a, with_b]: [Vec3; 2],
        apart: Vec3,
        rest: f64,
    ) -> [Vec3; 2] {
        let rates = match self.grip {
            PointMotion::A => [with_a, with_a - apart],
            PointMotion::B => [with_b + apart, with_b],
            PointMotion::Both => [0.5 * (with_a + with_b + apart), 0.5 * (with_a + with_b - apart)],
            PointMotion::RollingA => [Vec3::ZERO, -apart],
            PointMotion::RollingB => [apart, Vec3::ZERO],
            PointMotion::RollingBoth => {
                let both = arm_a.length() + arm_b.length();
                let share = if both > 0.0 { arm_a.length() / both } else { 0.5 };
                [share * apart, (share - 1.0) * apart]
            }
        };
        let far = POINT_TRAVEL * self.size;
        if rates.iter().any(|rate| rate.length() * rest > far) { [Vec3::ZERO; 2] } else { rates }
    }
}

impl PairGeometry<'_> {
    /// From the centres of mass of A and B to the places of up to four contact points on their surfaces, m, world frame.
    pub(super) fn surfaces(&self, points: &[ContactPoint]) -> [[Vec3; 2]; LANES] {
        run_over(points.len(), Surfaces { sides: self, points })
    }
}

struct Surfaces<'a> {
    sides: &'a PairGeometry<'a>,
    points: &'a [ContactPoint],
}

impl Kernel for Surfaces<'_> {
    type Output = [[Vec3; 2]; LANES];

    #[inline(always)]
    fn run<L: Lanes>(self) -> Self::Output {
        let PairGeometry { a, b, center_a, center_b, .. } = self.sides;
        let all = four(self.points);
        let anchors_a = Vectors::of(each(all, |point| point.anchor_a)) - Vectors::all(*center_a);
        let anchors_b = Vectors::of(each(all, |point| point.anchor_b)) - Vectors::all(*center_b);
        let on_a = Rotation::<L>::by(a.orientation).times(anchors_a).each();
        let on_b = Rotation::<L>::by(b.orientation).times(anchors_b).each();
        each([0, 1, 2, 3], |k| [on_a[k], on_b[k]])
    }
}

/// Gaps of a patch at the end of a step, m, given the states of its bodies before and after it.
pub(super) fn end_gaps(
    points: &[ContactConstraint],
    before: [&InertialState; 2],
    after: [&InertialState; 2],
) -> Four {
    let detected = &points[0].detected;
    let motion = if detected.within_step() {
        PairMotion::since(detected, after)
    } else {
        PairMotion::between(before, after)
    };
    motion.gaps(points)
}

/// How the bodies of a pair have moved in a step.
#[derive(Clone, Copy, Debug)]
struct PairMotion {
    turned: [Quat; 2],
    /// From the centre of mass of A to that of B, before and after, m.
    then: Vec3,
    now: Vec3,
}

impl PairMotion {
    /// From one state to another, each of A and of B.
    fn between(before: [&InertialState; 2], after: [&InertialState; 2]) -> Self {
        let turned = |k: usize| after[k].orientation * before[k].orientation.conjugate();
        Self {
            turned: [turned(0), turned(1)],
            then: before[1].center_of_mass - before[0].center_of_mass,
            now: after[1].center_of_mass - after[0].center_of_mass,
        }
    }

    /// From when the points of a patch were detected, if that was within the step.
    fn since(detected: &Detected, after: [&InertialState; 2]) -> Self {
        let turned = |k: usize| after[k].orientation * detected.orientations[k].conjugate();
        Self {
            turned: [turned(0), turned(1)],
            then: detected.apart,
            now: after[1].center_of_mass - after[0].center_of_mass,
        }
    }

    /// The gaps of a patch after it, m: by the places on the surfaces where these stay with the material, and by the velocity of
    /// the point where it rolls.
    fn gaps(&self, points: &[ContactConstraint]) -> Four {
        let mut gaps = run_over(points.len(), Gaps { motion: self, points });
        let normal = points[0].frame.x_axis;
        for (gap, point) in gaps.iter_mut().zip(points) {
            if point.grip.rolls() {
                *gap = point.gap + normal.dot(self.now - self.then + self.rolled(point));
            }
        }
        gaps
    }

    /// How far the surfaces have rolled past the point of contact, that of B seen from that of A, m.
    fn rolled(&self, point: &ContactConstraint) -> Vec3 {
        let [turn_a, turn_b] = self.turned.map(orientation::rotation_vector);
        turn_b.cross(point.surface_b) - turn_a.cross(point.surface_a)
    }
}

struct Gaps<'a> {
    motion: &'a PairMotion,
    points: &'a [ContactConstraint],
}

impl Kernel for Gaps<'_> {
    type Output = Four;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Four {
        let PairMotion { turned, then, now } = *self.motion;
        let all = four(self.points);
        let normal = all[0].frame.x_axis;
        let [with_a, with_b] = [turned[0] * normal, turned[1] * normal];
        // The normal goes with the face that a vertex is over, and with both bodies where two edges cross.
        let normals = each(all, |point| match point.grip {
            PointMotion::A => with_b,
            PointMotion::B => with_a,
            _ => 0.5 * (with_a + with_b),
        });
        let (turn_a, turn_b) = (Rotation::<L>::by(turned[0]), Rotation::<L>::by(turned[1]));
        let on_a = Vectors::of(each(all, |point| point.surface_a));
        let on_b = Vectors::of(each(all, |point| point.surface_b));
        let apart = Vectors::all(now) + turn_b.times(on_b) - turn_a.times(on_a);
        let was = Vectors::all(then) + on_b - on_a;
        let gap = L::load(&each(all, |point| point.gap));
        (gap + Vectors::of(normals).dot(apart) - Vectors::all(normal).dot(was)).store()
    }
}

#[cfg(test)]
mod tests {
    use super::super::contact_constraint::{FoundPoint, Origin};
    use super::super::contact_hook::PairSurface;
    use super::*;
    use crate::math::frame_of_normal;

    const GRIPS: [PointMotion; 6] = [
        PointMotion::A,
        PointMotion::B,
        PointMotion::Both,
        PointMotion::RollingA,
        PointMotion::RollingB,
        PointMotion::RollingBoth,
    ];

    fn turning_pair() -> [InertialState; 2] {
        let state = |x: f64| InertialState {
            center_of_mass: Vec3::new(x, 0.2, 1.0 + x),
            orientation: Quat::from_scaled_axis(Vec3::new(0.3, -0.2, x)),
            velocity: Vec3::new(0.1, x, -0.4),
            angular_velocity: Vec3::new(x, 0.5, -0.3),
        };
        [state(0.1), state(0.7)]
    }

    /// Points of one manifold with every grip there is.
    fn manifold([a, b]: &[InertialState; 2]) -> Vec<ContactConstraint> {
        let (center_a, center_b) = (Vec3::X * 0.01, Vec3::ZERO);
        let sides =
            PairGeometry { slots: (0, 1), a, b, center_a, center_b, movable_a: true, movable_b: true };
        let points: Vec<ContactPoint> = (0..6)
            .map(|k| ContactPoint {
                anchor_a: Vec3::new(0.3, 0.1 * f64::from(k), 0.5),
                anchor_b: Vec3::new(-0.2, 0.1 * f64::from(k), -0.5),
                distance: 1e-3 * f64::from(k - 2),
                ..ContactPoint::default()
            })
            .collect();
        let surfaces =
            points.chunks(LANES).flat_map(|four| sides.surfaces(four).into_iter().take(four.len()));
        let found = surfaces.zip(&points).zip(GRIPS).map(|((surfaces, point), grip)| FoundPoint {
            origin: Origin { pair: 0, manifold: 0, point: 0 },
            parts: [0; 2],
            surfaces,
            distance: point.distance,
            grip,
            warm_start: Vec3::ZERO,
        });
        let frame = frame_of_normal(Vec3::new(0.6, 0.0, 0.8));
        found.map(|found| ContactConstraint::new(found, &frame, &sides, &PairSurface::default())).collect()
    }

    #[test]
    fn points_side_by_side_have_the_courses_they_have_alone() {
        let pair = turning_pair();
        let now: [BodyVelocity; 2] = pair.map(Into::into);
        let end = now.map(|v| BodyVelocity { linear: v.linear - Vec3::Z * 0.1, ..v });
        let (mut together, mut alone) = (manifold(&pair), manifold(&pair));
        for time in [0.0, 0.004] {
            patches_mut(&mut together).for_each(|points| chart(points, (time, 0.01), &now, &end));
            alone.chunks_mut(1).for_each(|point| chart(point, (time, 0.01), &now, &end));
        }
        assert_eq!(format!("{together:?}"), format!("{alone:?}"));
        assert_eq!(patches(&together).map(<[ContactConstraint]>::len).collect::<Vec<_>>(), [4, 2]);
        for (points, first) in patches(&together).zip([0, 4]) {
            let drifts = drifts(points, (0.005, 0.01), end);
            for (k, point) in points.iter().enumerate() {
                let own = point.relative_velocity(0.01, end) - point.relative_velocity(0.005, end);
                assert_eq!(drifts[k].1, own, "{}", first + k);
            }
        }
    }

    /// Memory of candidates is kept from step to step.
    #[test]
    fn a_candidate_in_the_place_of_another_has_nothing_of_it() {
        let pair = turning_pair();
        let (a, b) = (&pair[0], &pair[1]);
        let sides = PairGeometry {
            slots: (2, 5),
            a,
            b,
            center_a: Vec3::X,
            center_b: Vec3::Y,
            movable_a: true,
            movable_b: false,
        };
        let origin = Origin { pair: 1, manifold: 2, point: 3 };
        let (surfaces, warm_start) = ([Vec3::X, Vec3::Y], Vec3::Z);
        let point =
            FoundPoint { origin, parts: [0; 2], surfaces, distance: 0.1, grip: PointMotion::B, warm_start };
        let frame = frame_of_normal(Vec3::Y);
        let mut place = manifold(&pair)[3];
        let now: [BodyVelocity; 2] = pair.map(Into::into);
        chart(std::slice::from_mut(&mut place), (0.0, 0.01), &now, &now);
        place.detected_at(0.3, &sides);
        (place.infeasible, place.end_gap) = (true, -1.0);
        (place.impact, place.persistent, place.warm_start) = (Vec3::ONE, Vec3::ONE, Vec3::ONE);
        place.found(point, &frame, &sides, &PairSurface::default());
        assert!(!place.detected.within_step());
        // Poses are those of the start then, and not kept.
        place.detected = Detected::default();
        let new = ContactConstraint::new(point, &frame, &sides, &PairSurface::default());
        assert_eq!(format!("{place:?}"), format!("{new:?}"));
    }

    /// The places on both surfaces, and with them the gap, go with the material: turned and moved as one, nothing changes.
    #[test]
    fn gaps_stay_what_they_are_when_both_bodies_move_as_one() {
        let before = turning_pair();
        let turn = Quat::from_scaled_axis(Vec3::new(0.02, 0.01, -0.03));
        let after = before.map(|state| InertialState {
            center_of_mass: turn * state.center_of_mass + Vec3::new(0.1, 0.2, 0.3),
            orientation: turn * state.orientation,
            ..state
        });
        let motion = PairMotion::between([&before[0], &before[1]], [&after[0], &after[1]]);
        for points in patches(&manifold(&before)) {
            for (point, gap) in points.iter().zip(motion.gaps(points)) {
                let rolls = !matches!(point.grip, PointMotion::A | PointMotion::B | PointMotion::Both);
                assert!(rolls || (gap - point.gap).abs() < 1e-15, "{:?} {gap}", point.grip);
            }
        }
    }
}

//! Courses of the contact points of a manifold, four side by side.
//!
//! The points of a manifold have bodies and frame in common, so that what `candidate` derives for one of them is computed for four at
//! once, each by the same operations in the same order as alone.

use wide::f64x4;

use super::candidate::{Candidate, Grip, Sides};
use crate::math::lanes::{Frames, LANES, Lanes, Single, Turn, Vectors, each, four};
use crate::math::{Quat, Vec3, orientation, real};
use crate::physics::collision::ContactPoint;
use crate::physics::constraints::contact::BodyVelocity;
use crate::physics::rigid_body::InertialState;
use crate::tolerance;

/// The candidates in parts of up to four of one manifold, in order.
pub(super) fn patches(candidates: &[Candidate]) -> impl Iterator<Item = &[Candidate]> {
    candidates.chunk_by(Candidate::is_beside).flat_map(|points| points.chunks(LANES))
}

/// The same, to be changed.
pub(super) fn patches_mut(candidates: &mut [Candidate]) -> impl Iterator<Item = &mut [Candidate]> {
    candidates.chunk_by_mut(Candidate::is_beside).flat_map(|points| points.chunks_mut(LANES))
}

/// `u = J v` of points with these lever arms, m/s.
#[inline(always)]
fn relative<L: Lanes>(frame: &Frames<L>, arms: &[Vectors<L>; 2], [a, b]: [BodyVelocity; 2]) -> Vectors<L> {
    let all = Vectors::<L>::all;
    let turning_b = all(b.angular).cross(arms[1]);
    frame.local(all(b.linear - a.linear) + turning_b - all(a.angular).cross(arms[0]))
}

/// Something of A and of B.
#[inline(always)]
fn both<T>(of: impl Fn(usize) -> T) -> [T; 2] {
    [of(0), of(1)]
}

/// Lever arms of points at `time`, m.
#[inline(always)]
fn arms_at<L: Lanes>(points: [&Candidate; LANES], time: f64) -> [Vectors<L>; 2] {
    let arms = each(points, |point| point.arms_at(time));
    both(|k| Vectors::of(each(arms, |arms| arms[k])))
}

/// Charts the courses of a patch from `now` to `end`, given the velocities of the bodies then.
pub(super) fn chart(
    points: &mut [Candidate],
    span: (f64, f64),
    at_now: [BodyVelocity; 2],
    at_end: [BodyVelocity; 2],
) {
    match points {
        [_] => chart_by::<Single>(points, span, at_now, at_end),
        _ => chart_by::<f64x4>(points, span, at_now, at_end),
    }
}

fn chart_by<L: Lanes>(
    points: &mut [Candidate],
    (now, end): (f64, f64),
    at_now: [BodyVelocity; 2],
    at_end: [BodyVelocity; 2],
) {
    let all = four(points);
    let frame = Frames::<L>::all(&all[0].frame);
    let arms = arms_at::<L>(all, now);
    let turning = both(|k| Vectors::all(at_now[k].angular).cross(arms[k]).each());
    let placed = both(|k| arms[k].each());
    let apart = at_now[1].linear - at_now[0].linear;
    let rates = each([0, 1, 2, 3], |k| {
        let (arms, turning) = ([placed[0][k], placed[1][k]], [turning[0][k], turning[1][k]]);
        all[k].rates_at(arms, turning, apart, end - now)
    });
    let rest = L::splat(end - now);
    let then = both(|k| arms[k] + Vectors::of(each(rates, |rate| rate[k])) * rest);
    let per_second = L::splat(1.0 / (end - now));
    let velocity = relative(&frame, &arms, at_now);
    let acceleration = (relative(&frame, &then, at_end) - velocity) * per_second;
    let pressing = (relative(&frame, &arms, at_end) - velocity) * per_second;
    let (velocity, acceleration, pressing) = (velocity.each(), acceleration.each(), pressing.each());
    for (k, point) in points.iter_mut().enumerate() {
        let gap = match point.met_at {
            // It was found along straight lines; forces make it meet earlier or later.
            Some(time) if now == 0.0 => point.gap - time * velocity[k].x,
            _ => point.gap_at(now),
        };
        (point.arms, point.rates, point.since) = ([placed[0][k], placed[1][k]], rates[k], now);
        (point.acceleration, point.pressing) = (acceleration[k], pressing[k]);
        point.velocity = velocity[k] - acceleration[k] * now;
        point.offset = gap - now * (point.velocity.x + 0.5 * now * acceleration[k].x);
    }
}

/// Lever arms of a patch at `from`, m, and what moving the points from there to their places at `to` adds to u (m/s), the bodies
/// moving with these velocities.
pub(super) fn drifts(
    points: &[Candidate],
    times: (f64, f64),
    velocities: [BodyVelocity; 2],
) -> [([Vec3; 2], Vec3); LANES] {
    match points {
        [_] => drifts_by::<Single>(points, times, velocities),
        _ => drifts_by::<f64x4>(points, times, velocities),
    }
}

#[inline(always)]
fn drifts_by<L: Lanes>(
    points: &[Candidate],
    (from, to): (f64, f64),
    velocities: [BodyVelocity; 2],
) -> [([Vec3; 2], Vec3); LANES] {
    let all = four(points);
    let frame = Frames::<L>::all(&all[0].frame);
    let (arms, then) = (arms_at(all, from), arms_at(all, to));
    let drift = (relative(&frame, &then, velocities) - relative(&frame, &arms, velocities)).each();
    let [arms_a, arms_b] = both(|k| arms[k].each());
    each([0, 1, 2, 3], |k| ([arms_a[k], arms_b[k]], drift[k]))
}

impl Candidate {
    /// True if another is a point of the same manifold.
    fn is_beside(&self, other: &Self) -> bool {
        let key = |c: &Self| (c.a, c.b, c.origin.pair, c.origin.manifold);
        key(self) == key(other)
    }

    /// `u = J(t) v` in the frame of the contact, m/s.
    pub(super) fn relative_velocity(&self, time: f64, velocities: [BodyVelocity; 2]) -> Vec3 {
        let arms = arms_at::<Single>([self; LANES], time);
        let [velocity, ..] = relative(&Frames::all(&self.frame), &arms, velocities).each();
        velocity
    }

    /// How the arms change, m/s; `turning` is how fast they would with the material of A and of B. A point that would leave its place
    /// by much in the time left is taken as fixed: its course is not straight anyway.
    #[inline(always)]
    fn rates_at(
        &self,
        [arm_a, arm_b]: [Vec3; 2],
        [with_a, with_b]: [Vec3; 2],
        apart: Vec3,
        rest: f64,
    ) -> [Vec3; 2] {
        if self.met_at.is_some() {
            return self.rates;
        }
        let rates = match self.grip {
            Grip::A => [with_a, with_a - apart],
            Grip::B => [with_b + apart, with_b],
            Grip::Both => [0.5 * (with_a + with_b + apart), 0.5 * (with_a + with_b - apart)],
            Grip::RollingA => [Vec3::ZERO, -apart],
            Grip::RollingB => [apart, Vec3::ZERO],
            Grip::RollingBoth => {
                let both = arm_a.length() + arm_b.length();
                let share = if both > 0.0 { arm_a.length() / both } else { 0.5 };
                [share * apart, (share - 1.0) * apart]
            }
        };
        let far = tolerance::POINT_TRAVEL * self.size;
        if rates.iter().any(|rate| rate.length() * rest > far) { [Vec3::ZERO; 2] } else { rates }
    }
}

impl Sides<'_> {
    /// From the centres of mass of A and B to the places of up to four contact points on their surfaces, m, world frame.
    pub(super) fn surfaces(&self, points: &[ContactPoint]) -> [[Vec3; 2]; LANES] {
        match points {
            [_] => self.surfaces_by::<Single>(points),
            _ => self.surfaces_by::<f64x4>(points),
        }
    }

    fn surfaces_by<L: Lanes>(&self, points: &[ContactPoint]) -> [[Vec3; 2]; LANES] {
        let all = four(points);
        let arm = |turn: Quat, anchors: [Vec3; LANES], center: Vec3| {
            Turn::<L>::by(turn).times(Vectors::of(anchors) - Vectors::all(center)).each()
        };
        let on_a = arm(self.a.orientation, each(all, |point| point.anchor_a), self.center_a);
        let on_b = arm(self.b.orientation, each(all, |point| point.anchor_b), self.center_b);
        each([0, 1, 2, 3], |k| [on_a[k], on_b[k]])
    }
}

/// How the bodies of a pair have moved in a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct PairMotion {
    turned: [Quat; 2],
    /// From the centre of mass of A to that of B, before and after, m.
    then: Vec3,
    now: Vec3,
}

impl PairMotion {
    /// From one state to another, each of A and of B.
    pub(super) fn between(before: [&InertialState; 2], after: [&InertialState; 2]) -> Self {
        let turned = |k: usize| after[k].orientation * before[k].orientation.conjugate();
        Self {
            turned: [turned(0), turned(1)],
            then: before[1].center_of_mass - before[0].center_of_mass,
            now: after[1].center_of_mass - after[0].center_of_mass,
        }
    }

    /// The gaps of a patch after it, m: by the places on the surfaces where these stay with the material, and by the velocity of
    /// the point where it rolls.
    pub(super) fn gaps(&self, points: &[Candidate]) -> [f64; LANES] {
        match points {
            [_] => self.gaps_by::<Single>(points),
            _ => self.gaps_by::<f64x4>(points),
        }
    }

    fn gaps_by<L: Lanes>(&self, points: &[Candidate]) -> [f64; LANES] {
        let all = four(points);
        let normal = all[0].frame.x_axis;
        let [with_a, with_b] = both(|k| self.turned[k] * normal);
        // The normal goes with the face that a vertex is over, and with both bodies where two edges cross.
        let normals = each(all, |point| match point.grip {
            Grip::A => with_b,
            Grip::B => with_a,
            _ => 0.5 * (with_a + with_b),
        });
        let [turn_a, turn_b] = both(|k| Turn::<L>::by(self.turned[k]));
        let on_a = Vectors::of(each(all, |point| point.surface_a));
        let on_b = Vectors::of(each(all, |point| point.surface_b));
        let apart = Vectors::all(self.now) + turn_b.times(on_b) - turn_a.times(on_a);
        let was = Vectors::all(self.then) + on_b - on_a;
        let gap = L::load(&each(all, |point| point.gap));
        let mut gaps = (gap + Vectors::of(normals).dot(apart) - Vectors::all(normal).dot(was)).store();
        for (gap, point) in gaps.iter_mut().zip(points) {
            if point.met_at.is_some() {
                // Found where the bodies are no longer; the next step looks at it from the start.
                *gap = real::max(point.gap, 0.0);
            } else if matches!(point.grip, Grip::RollingA | Grip::RollingB | Grip::RollingBoth) {
                *gap = point.gap + normal.dot(self.now - self.then + self.rolled(point));
            }
        }
        gaps
    }

    /// How far the surfaces have rolled past the point of contact, that of B seen from that of A, m.
    fn rolled(&self, point: &Candidate) -> Vec3 {
        let [turn_a, turn_b] = self.turned.map(orientation::rotation_vector);
        turn_b.cross(point.surface_b) - turn_a.cross(point.surface_a)
    }
}

#[cfg(test)]
mod tests {
    use super::super::candidate::{FoundPoint, Origin};
    use super::*;
    use crate::math::frame_of_normal;
    use crate::physics::rigid_body::Material;

    const GRIPS: [Grip; 6] =
        [Grip::A, Grip::B, Grip::Both, Grip::RollingA, Grip::RollingB, Grip::RollingBoth];

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
    fn manifold([a, b]: &[InertialState; 2]) -> Vec<Candidate> {
        let (center_a, center_b) = (Vec3::X * 0.01, Vec3::ZERO);
        let sides = Sides { slots: (0, 1), a, b, center_a, center_b, movable_a: true, movable_b: true };
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
            surfaces,
            distance: point.distance,
            grip,
            warm: Vec3::ZERO,
        });
        let frame = frame_of_normal(Vec3::new(0.6, 0.0, 0.8));
        found.map(|found| Candidate::new(found, frame, &sides, Material::default())).collect()
    }

    #[test]
    fn points_side_by_side_have_the_courses_they_have_alone() {
        let pair = turning_pair();
        let now: [BodyVelocity; 2] = pair.map(Into::into);
        let end = now.map(|v| BodyVelocity { linear: v.linear - Vec3::Z * 0.1, ..v });
        let (mut together, mut alone) = (manifold(&pair), manifold(&pair));
        for time in [0.0, 0.004] {
            patches_mut(&mut together).for_each(|points| chart(points, (time, 0.01), now, end));
            alone.chunks_mut(1).for_each(|point| chart(point, (time, 0.01), now, end));
        }
        assert_eq!(format!("{together:?}"), format!("{alone:?}"));
        assert_eq!(patches(&together).map(<[Candidate]>::len).collect::<Vec<_>>(), [4, 2]);
        for (points, first) in patches(&together).zip([0, 4]) {
            let drifts = drifts(points, (0.005, 0.01), end);
            for (k, point) in points.iter().enumerate() {
                let own = point.relative_velocity(0.01, end) - point.relative_velocity(0.005, end);
                assert_eq!(drifts[k].1, own, "{}", first + k);
            }
        }
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
                let rolls = !matches!(point.grip, Grip::A | Grip::B | Grip::Both);
                assert!(rolls || (gap - point.gap).abs() < 1e-15, "{:?} {gap}", point.grip);
            }
        }
    }
}

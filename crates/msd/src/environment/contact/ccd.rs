//! Continuous collision detection (CCD): pairs that move or rotate too far in a step for the contact points of its
//! start.
//!
//! A pair uses CCD if its relative motion in one step exceeds half the thickness of the thinner body, or a body
//! rotates by more than [`FAST_TURN`]. The time of impact is then computed by conservative advancement (Mirtich 1996,
//! *Impulse-based dynamic simulation*, §2.3) along the paths of free flight, acceleration and rotation included: with
//! the bodies apart by `d` along n, no point of A approaches B along that n by more than
//! ```text
//! c s + ½ |a_A - a_B| s²,   c = n·(v_A - v_B) + Σ (|n × ω| + |Δω|) reach
//! ```
//! in s seconds, Δω being the change of the angular velocity within the step. So they stay apart for the s at which
//! this is `d`. No velocity is capped and no body tunnels, at any dt: advancement approaches the first contact from
//! before and never overtakes it.

use super::path::{Path, apart};
use crate::math::{Vec3, scalar};
use crate::physics::collision::CONTACT_MARGIN;
use crate::physics::collision::IMPACT_ITERATIONS;
use crate::physics::collision::{ContactManifold, distance, local_bounds, manifold};
use crate::physics::rigid_body::shape::Shape;
use crate::physics::rigid_body::{Inertia, InertialState, RigidBody};
use crate::tolerance;

/// Rotation of a body within a step above which CCD is used, rad. tuned: below it the points of a body move
/// along straight lines to 5 %.
const FAST_TURN: f64 = 0.3;

/// Parts of the rest of a step in which two bodies that have just separated are examined. tuned: spinning
/// rods.
const PARTING_ADVANCES: u32 = 256;

/// Time of impact of a CCD pair.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    pub(super) time: f64,
    pub(super) manifold: ContactManifold,
    /// The bodies then, with their mean velocities from the start of the step.
    pub(super) a: InertialState,
    pub(super) b: InertialState,
}

/// True if two bodies with these states at the start and at the end of a step of `dt` seconds need CCD; `thin` is the
/// smallest extent of the thinner body, m.
pub(super) fn is_fast(start: [&InertialState; 2], end: [&InertialState; 2], thin: f64, dt: f64) -> bool {
    let faster = |one: Vec3, other: Vec3| scalar::max(one.length_squared(), other.length_squared());
    let turns = |k: usize| faster(start[k].angular_velocity, end[k].angular_velocity);
    let travels = faster(start[1].velocity - start[0].velocity, end[1].velocity - end[0].velocity);
    let (far, much) = (0.5 * thin / dt, FAST_TURN / dt);
    travels > far * far || scalar::max(turns(0), turns(1)) > much * much
}

/// A body in free flight.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moving<'a> {
    shape: &'a Shape,
    body: &'a RigidBody,
    start: &'a InertialState,
    path: Path<'a>,
    /// Distance of its farthest point from the centre of mass, m; zero for an unbounded body, which does not rotate.
    reach: f64,
    /// Its largest and its smallest extent, m; infinite for a body without bounds.
    size: f64,
    thin: f64,
    /// Change of its angular velocity within the step, rad/s.
    spin_change: f64,
}

impl<'a> Moving<'a> {
    /// A body that has a shape, from the start of a step of `dt` seconds to its end.
    pub(super) fn new(
        body: &'a RigidBody,
        inertia: &'a Inertia,
        [start, end]: [&'a InertialState; 2],
        dt: f64,
    ) -> Option<Self> {
        Self::on(body, Path::of_flight(start, end, inertia, dt), start)
    }

    /// A body that has a shape, from a state on its path on.
    pub(super) fn on(body: &'a RigidBody, path: Path<'a>, start: &'a InertialState) -> Option<Self> {
        let shape = body.shape.as_ref()?;
        let (mut reach, mut size, mut thin) = (0.0, f64::INFINITY, f64::INFINITY);
        if shape.is_bounded() {
            let (bounds, center) = (local_bounds(shape), body.center_of_mass_local);
            reach = (bounds.min - center).abs().max((bounds.max - center).abs()).length();
            (size, thin) = (bounds.size().max_element(), bounds.size().min_element());
        }
        let spin_change = (path.end.angular_velocity - start.angular_velocity).length();
        Some(Self { shape, body, start, path, reach, size, thin, spin_change })
    }

    /// Largest speed of its points along `normal` by rotation, m/s.
    fn turning_speed(&self, normal: Vec3, state: &InertialState) -> f64 {
        // A ball about its centre of mass does not approach by rotation.
        if matches!(self.shape, Shape::Sphere(_)) && self.body.center_of_mass_local == Vec3::ZERO {
            return 0.0;
        }
        (normal.cross(state.angular_velocity).length() + self.spin_change) * self.reach
    }
}

/// The bodies of a pair at a time, relative to the centre of mass of A.
fn placed([a, b]: [&Moving<'_>; 2], time: f64) -> [InertialState; 2] {
    let mut states = [a.path.at(time), b.path.at(time)];
    states[1].center_of_mass = states[0].center_of_mass + apart(&a.path, &b.path, time);
    states
}

/// True if two bodies move too far in the rest of a step, from `from` on, for the contact points of now.
pub(super) fn is_still_fast(a: &Moving<'_>, b: &Moving<'_>, from: f64) -> bool {
    let (start, end) = ([a.start, b.start], [a.path.end, b.path.end]);
    is_fast(start, end, scalar::min(a.thin, b.thin), a.path.dt - from)
}

/// The first contact of a CCD pair within the step, if there is one; `None` if they touch at its start, to within [`resolved`].
pub(super) fn first_meeting(a: &Moving<'_>, b: &Moving<'_>) -> Option<Meeting> {
    let time = next_contact(a, b, 0.0).filter(|time| *time > 0.0)?;
    let [mut then_a, mut then_b] = placed([a, b], time);
    let frames = [a.body.frame(&then_a), b.body.frame(&then_b)];
    let margin = CONTACT_MARGIN * scalar::min(a.size, b.size);
    let manifold = manifold(a.shape, &frames[0], b.shape, &frames[1], margin);
    for (then, start) in [(&mut then_a, a.start), (&mut then_b, b.start)] {
        then.velocity = 0.5 * (then.velocity + start.velocity);
        then.angular_velocity = 0.5 * (then.angular_velocity + start.angular_velocity);
    }
    Some(Meeting { time, manifold, a: then_a, b: then_b })
}

/// Gap up to which two bodies touch, m.
pub(super) fn resolved(a: &Moving<'_>, b: &Moving<'_>) -> f64 {
    tolerance::IMPACT_GAP * scalar::min(a.size, b.size)
}

/// Time when two bodies that have just separated meet again, s from the start of the step: small advances until they
/// are apart.
pub(super) fn next_contact_after(a: &Moving<'_>, b: &Moving<'_>, from: f64) -> Option<f64> {
    let smaller = scalar::min(a.size, b.size);
    let advance = (a.path.dt - from) / f64::from(PARTING_ADVANCES);
    let (mut time, mut gap) = (from, gap_at([a, b], from));
    for _ in 0..PARTING_ADVANCES {
        if gap > tolerance::IMPACT_GAP * smaller {
            return next_contact(a, b, time);
        }
        time += advance;
        let next = gap_at([a, b], time);
        if next < gap && next < -tolerance::OVERLAP_CERTIFIED * smaller {
            return Some(time);
        }
        gap = next;
    }
    None
}

/// Signed distance of a pair at a time, m.
fn gap_at(pair: [&Moving<'_>; 2], time: f64) -> f64 {
    let ([a, b], states) = (pair, placed(pair, time));
    distance(a.shape, &a.body.frame(&states[0]), b.shape, &b.body.frame(&states[1])).signed
}

/// Time when a pair first touches after a time of the step, s; that time itself if they touch then.
fn next_contact(a: &Moving<'_>, b: &Moving<'_>, from: f64) -> Option<f64> {
    let dt = a.path.dt;
    let pull = (a.path.free_acceleration.linear - b.path.free_acceleration.linear).length();
    let target = resolved(a, b);
    let mut time = from;
    for _ in 0..IMPACT_ITERATIONS {
        let states = placed([a, b], time);
        let frames = [a.body.frame(&states[0]), b.body.frame(&states[1])];
        let nearest = distance(a.shape, &frames[0], b.shape, &frames[1]);
        if nearest.signed <= target {
            break;
        }
        let n = nearest.normal;
        let closing = n.dot(states[0].velocity - states[1].velocity)
            + a.turning_speed(n, &states[0])
            + b.turning_speed(n, &states[1]);
        // Half the target, so that the last advance ends inside it.
        let gap = nearest.signed - 0.5 * target;
        let reached = closing + (closing * closing + 2.0 * pull * gap).sqrt();
        if reached <= 0.0 || time + 2.0 * gap / reached > dt {
            return None;
        }
        time += 2.0 * gap / reached;
    }
    Some(time)
}

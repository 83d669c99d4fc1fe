//! Bounces, last in a step: a point that was met with `u⁻ < 0` and transmitted something leaves with `-e u⁻`.
//!
//! It begins with Poisson's guess, e times what the point transmitted, which is right for a body that lands with several
//! points at once, and goes on by sweeps over the bouncing points, no impulse pulling. What is no faster than the forces of two steps
//! make it does not bounce; in free space everything does. That it gains no energy is for the caller to see to, who knows the
//! whole of it.

use super::bodies::{SoftBodies, SoftBody, untwist};
use super::chunk::{Chunk, FrictionPoint, NormalPoint, Place};
use super::region::SoftRegion;
use crate::math::{Vec3, real};
use crate::physics::constraints::contact::BodyVelocity;
use crate::tolerance;

/// Sweeps over bouncing points.
const SWEEPS: usize = 10;

/// A point that may bounce.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounce {
    pub(super) place: Place,
    restitution: f64,
    /// `u_n⁻`, negative, m/s.
    approach: f64,
    /// N·s.
    pub(super) impulse: f64,
}

impl Bounce {
    /// The point, if it is met fast enough.
    pub(super) fn new(
        place: Place,
        restitution: f64,
        chunk: &Chunk,
        (normal, friction): (&NormalPoint, &FrictionPoint),
        bodies: &[SoftBody],
        dt: f64,
    ) -> Option<Self> {
        let lane = place.lane as usize;
        let [a, b] = chunk.pair(lane).map(|index| &bodies[index]);
        let arms = chunk.arms_of(normal, friction, lane);
        let along = |a: &BodyVelocity, b: &BodyVelocity| chunk.normal_of(lane).dot(between(a, b, arms));
        let approach = along(&a.start, &b.start);
        let pressing = along(&a.acceleration, &b.acceleration).abs();
        let fast = approach < -(2.0 * pressing * dt + tolerance::IMPACT_SPEED);
        fast.then_some(Self { place, restitution, approach, impulse: 0.0 })
    }

    fn target(&self) -> f64 {
        -self.restitution * self.approach
    }

    /// Gives the point an impulse along its normal.
    fn apply(&mut self, change: f64, laid: &LaidOut<'_>, bodies: &mut SoftBodies) {
        let (chunk, lane, arms) = laid.at(&self.place);
        let impulse = chunk.normal_of(lane) * change;
        self.impulse += change;
        for ((index, arm), impulse) in laid.pair(chunk, lane).into_iter().zip(arms).zip([-impulse, impulse]) {
            let body = &bodies.given[index];
            let (linear, angular) = (impulse * body.inverse_mass, body.inverse_inertia * arm.cross(impulse));
            bodies.kick(index, BodyVelocity { linear, angular });
        }
    }

    fn velocity(&self, laid: &LaidOut<'_>, bodies: &SoftBodies) -> f64 {
        let (chunk, lane, arms) = laid.at(&self.place);
        let [a, b] = laid.pair(chunk, lane).map(|index| untwist(&bodies.velocity[index]));
        chunk.normal_of(lane).dot(between(&a, &b, arms))
    }
}

/// The contacts of a region as they are laid out.
struct LaidOut<'a> {
    /// Index of the first body of the region.
    first: usize,
    chunks: &'a [Chunk],
    normals: &'a [NormalPoint],
    frictions: &'a [FrictionPoint],
}

impl LaidOut<'_> {
    /// Indices of the bodies of a lane.
    fn pair(&self, chunk: &Chunk, lane: usize) -> [usize; 2] {
        chunk.pair(lane).map(|index| self.first + index)
    }

    /// Chunk, lane and lever arms of a point.
    fn at(&self, place: &Place) -> (&Chunk, usize, [Vec3; 2]) {
        let (chunk, lane) = (&self.chunks[place.chunk as usize], place.lane as usize);
        let point = place.point as usize;
        (chunk, lane, chunk.arms_of(&self.normals[point], &self.frictions[point], lane))
    }
}

fn between(a: &BodyVelocity, b: &BodyVelocity, [arm_a, arm_b]: [Vec3; 2]) -> Vec3 {
    (b.linear - a.linear) + b.angular.cross(arm_b) - a.angular.cross(arm_a)
}

/// Lets everything bounce that was met.
pub(super) fn bounce(regions: &mut [SoftRegion], bodies: &mut SoftBodies) {
    for region in regions.iter_mut() {
        let SoftRegion { bounces, frictions, .. } = region;
        bounces.retain(|bounce| met(bounce, frictions) > 0.0);
    }
    let all = |regions: &mut [SoftRegion], each: &mut dyn FnMut(&mut Bounce, &LaidOut<'_>)| {
        for region in regions {
            let SoftRegion { bounces, chunks, normals, frictions, .. } = region;
            let laid = LaidOut { first: region.bodies.start, chunks, normals, frictions };
            bounces.iter_mut().for_each(|bounce| each(bounce, &laid));
        }
    };
    all(regions, &mut |bounce, laid| {
        bounce.apply(bounce.restitution * met(bounce, laid.frictions), laid, bodies)
    });
    for _ in 0..SWEEPS {
        all(regions, &mut |bounce, laid| {
            let mass = laid.normals[bounce.place.point as usize].mass[bounce.place.lane as usize];
            let off = bounce.velocity(laid, bodies) - bounce.target();
            let impulse = real::max(0.0, bounce.impulse - mass * off);
            bounce.apply(impulse - bounce.impulse, laid, bodies);
        });
    }
    for SoftRegion { bounces, normals, frictions, .. } in regions {
        for bounce in bounces.iter() {
            let (point, lane) = (bounce.place.point as usize, bounce.place.lane as usize);
            normals[point].offset[lane] = -bounce.target();
            frictions[point].sum[0][lane] += bounce.impulse;
        }
    }
}

/// What a point transmitted along its normal, N·s.
fn met(bounce: &Bounce, frictions: &[FrictionPoint]) -> f64 {
    frictions[bounce.place.point as usize].sum[0][bounce.place.lane as usize]
}

//! Restitution, last in a step: a point that approached with `u_n⁻ < 0` and transmitted an impulse leaves with `-e
//! u_n⁻`.
//!
//! The restitution phase starts from Poisson's hypothesis, e times the normal impulse of the compression phase, which
//! is right for a body that lands with several points at once, and continues with Gauss-Seidel sweeps over the
//! bouncing points: normal impulses do not pull, and friction acts on sliding points, in the disc `‖λ_t‖ ≤ μ λ_n` of
//! this phase's own impulse. Restitution is ignored below the speed that the forces produce in two steps; in free
//! space there is no such threshold. The caller knows the energy of the whole island and limits the gain to zero.
//!
//! A bounce occurs at the end of the step, with the approach velocity of its start. The impact at its own time τ =
//! gap/|u_n⁻| would leave `u = -e (u_n⁻ + a τ) + a (dt - τ)` at the end, and a displacement of about `e |u_n⁻| (dt -
//! τ)`, which is missing here. [`Bounce::impact_error`] is the sum of both as a velocity: a step with such a bounce
//! is certified only where that vanishes.

use super::bodies::{SoftBodies, SoftBody, untwist};
use super::chunk::{Chunk, FrictionPoint, NormalPoint, PointLane};
use crate::math::{Vec3, scalar};
use crate::physics::constraints::contact::BodyVelocity;
use crate::tolerance;

/// A point that may bounce.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounce {
    pub(super) place: PointLane,
    pub(super) restitution: f64,
    friction: f64,
    /// `u_n⁻`, negative, m/s.
    approach: f64,
    /// a: relative acceleration of free flight along the normal, m/s².
    acceleration: f64,
    /// Of the restitution phase, in the frame (n, t₁, t₂), N·s.
    pub(super) impulse: Vec3,
    /// Difference from an impact at its own time, m/s.
    pub(super) impact_error: f64,
}

impl Bounce {
    /// The point, if it approaches fast enough.
    pub(super) fn new(
        place: PointLane,
        restitution: f64,
        chunk: &Chunk,
        normal: &NormalPoint,
        friction: &FrictionPoint,
        bodies: &[SoftBody],
        dt: f64,
    ) -> Option<Self> {
        let lane = place.lane as usize;
        let [a, b] = chunk.pair(lane).map(|index| &bodies[index]);
        let arms = chunk.arms_of(normal, friction, lane);
        let along = |a: &BodyVelocity, b: &BodyVelocity| chunk.normal_of(lane).dot(between(a, b, arms));
        let approach = along(&a.start, &b.start);
        let acceleration = along(&a.acceleration, &b.acceleration);
        let fast = approach < -(2.0 * acceleration.abs() * dt + tolerance::IMPACT_SPEED);
        let friction = chunk.friction[lane];
        let (impulse, impact_error) = (Vec3::ZERO, 0.0);
        fast.then_some(Self { place, restitution, friction, approach, acceleration, impulse, impact_error })
    }

    pub(super) fn target(&self) -> f64 {
        -self.restitution * self.approach
    }

    /// Difference of the velocity `u_n` at the end of a step of `dt` seconds, and of the position there, from those
    /// of an impact at its own time, m/s; `gap` is that at the start of the step.
    pub(super) fn impact_error(&self, u_n: f64, gap: f64, dt: f64) -> f64 {
        let time = scalar::clamp(-gap / self.approach, 0.0, dt);
        let rebound = -self.restitution * (self.approach + self.acceleration * time);
        let missing = rebound * (1.0 - time / dt);
        (rebound + self.acceleration * (dt - time) - u_n).abs() + missing.abs()
    }

    /// Sets the impulse of the point, in the frame.
    pub(super) fn set_impulse(&mut self, impulse: Vec3, laid: &LaidOut<'_>, bodies: &mut SoftBodies) {
        let (chunk, lane, arms) = laid.at(&self.place);
        let change = chunk.frame_of(lane) * (impulse - self.impulse);
        self.impulse = impulse;
        for ((index, arm), impulse) in laid.pair(chunk, lane).into_iter().zip(arms).zip([-change, change]) {
            let body = &bodies.given[index];
            let (linear, angular) = (impulse * body.inverse_mass, body.inverse_inertia * arm.cross(impulse));
            bodies.kick(index, BodyVelocity { linear, angular });
        }
    }

    /// Relative velocity of the point, in the frame, m/s.
    pub(super) fn velocity(&self, laid: &LaidOut<'_>, bodies: &SoftBodies) -> Vec3 {
        let (chunk, lane, arms) = laid.at(&self.place);
        let [a, b] = laid.pair(chunk, lane).map(|index| untwist(&bodies.velocity[index]));
        chunk.frame_of(lane).transpose() * between(&a, &b, arms)
    }

    /// One Gauss-Seidel pass over the point: the normal impulse, then friction.
    pub(super) fn relax(&mut self, laid: &LaidOut<'_>, bodies: &mut SoftBodies) {
        let (point, lane) = (self.place.point as usize, self.place.lane as usize);
        let off = self.velocity(laid, bodies).x - self.target();
        let normal = scalar::max(0.0, self.impulse.x - laid.normals[point].mass[lane] * off);
        self.set_impulse(Vec3 { x: normal, ..self.impulse }, laid, bodies);
        if self.friction > 0.0 {
            let wanted = self.impulse - laid.frictions[point].mass[lane] * self.velocity(laid, bodies);
            let (size, most) = (scalar::hypot(wanted.y, wanted.z), self.friction * normal);
            let shrink = if size > most { most / size } else { 1.0 };
            self.set_impulse(Vec3::new(normal, wanted.y * shrink, wanted.z * shrink), laid, bodies);
        }
    }
}

/// The laid-out contacts of a region.
pub(super) struct LaidOut<'a> {
    /// Index of the first body of the region.
    pub(super) first: usize,
    pub(super) chunks: &'a [Chunk],
    pub(super) normals: &'a [NormalPoint],
    pub(super) frictions: &'a [FrictionPoint],
}

impl LaidOut<'_> {
    /// Indices of the bodies of a lane.
    pub(super) fn pair(&self, chunk: &Chunk, lane: usize) -> [usize; 2] {
        chunk.pair(lane).map(|index| self.first + index)
    }

    /// Chunk, lane and lever arms of a point.
    pub(super) fn at(&self, place: &PointLane) -> (&Chunk, usize, [Vec3; 2]) {
        let (chunk, lane) = (&self.chunks[place.chunk as usize], place.lane as usize);
        let point = place.point as usize;
        (chunk, lane, chunk.arms_of(&self.normals[point], &self.frictions[point], lane))
    }
}

fn between(a: &BodyVelocity, b: &BodyVelocity, [arm_a, arm_b]: [Vec3; 2]) -> Vec3 {
    (b.linear - a.linear) + b.angular.cross(arm_b) - a.angular.cross(arm_a)
}

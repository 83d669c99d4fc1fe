//! The sweeps: warm start, push, relax. One kernel each, over four manifolds.
//!
//! Normal: `λ_n ← max(0, λ_n - m (u_n + offset))`, with a spring where pushing finds overlap (`settings`).
//! Friction: `λ_t ← Π(λ_t - m_t u_t)` on the disc of radius `μ λ_n`, with one m_t for both directions: at its fixed point sliding
//! friction opposes the motion exactly. `u_t` takes in what the normal impulse has just changed.

use super::bodies::Twist;
use super::chunk::{Chunk, FrictionPoint, NormalPoint};
use super::settings::Softness;
use crate::math::lanes::{LANES, Lanes, Symmetric, Vectors};

/// Velocities of the bodies of a chunk, with what their impulses do to them.
struct Sides<L> {
    linear: [Vectors<L>; 2],
    angular: [Vectors<L>; 2],
    inverse_mass: [L; 2],
    inverse_inertia: [Symmetric<L>; 2],
}

#[inline(always)]
pub(super) fn gather<L: Lanes>(of: &[Twist], indices: &[u32; LANES], part: usize) -> Vectors<L> {
    let rows = indices.map(|index| &of[index as usize][part]);
    let axis = |axis: usize| L::load(rows.map(|row| row[axis]));
    Vectors { x: axis(0), y: axis(1), z: axis(2) }
}

#[inline(always)]
fn scatter<L: Lanes>(to: &mut [Twist], indices: &[u32; LANES], part: usize, v: Vectors<L>) {
    let (x, y, z) = (v.x.store(), v.y.store(), v.z.store());
    for (lane, index) in indices.iter().enumerate() {
        to[*index as usize][part] = [x[lane], y[lane], z[lane], 0.0];
    }
}

impl<L: Lanes> Sides<L> {
    #[inline(always)]
    fn gather(chunk: &Chunk, velocity: &[Twist]) -> Self {
        let [a, b] = &chunk.bodies;
        Self {
            linear: [gather(velocity, a, 0), gather(velocity, b, 0)],
            angular: [gather(velocity, a, 1), gather(velocity, b, 1)],
            inverse_mass: chunk.inverse_mass.map(L::load),
            inverse_inertia: [
                Symmetric::load(&chunk.inverse_inertia[0]),
                Symmetric::load(&chunk.inverse_inertia[1]),
            ],
        }
    }

    #[inline(always)]
    fn scatter(&self, chunk: &Chunk, velocity: &mut [Twist]) {
        for side in 0..2 {
            scatter(velocity, &chunk.bodies[side], 0, self.linear[side]);
            scatter(velocity, &chunk.bodies[side], 1, self.angular[side]);
        }
    }

    /// Adds an impulse on B, and reversed on A.
    #[inline(always)]
    fn apply(&mut self, arms: [Vectors<L>; 2], impulse: Vectors<L>) {
        self.linear[0] = self.linear[0] - impulse * self.inverse_mass[0];
        self.linear[1] = self.linear[1] + impulse * self.inverse_mass[1];
        self.angular[0] = self.angular[0] - self.inverse_inertia[0].times(arms[0].cross(impulse));
        self.angular[1] = self.angular[1] + self.inverse_inertia[1].times(arms[1].cross(impulse));
    }
}

/// Applies the impulses that points start from.
pub(super) fn warm_start<L: Lanes>(
    chunk: &Chunk,
    normals: &[NormalPoint],
    frictions: &[FrictionPoint],
    velocity: &mut [Twist],
) {
    let mut sides = Sides::<L>::gather(chunk, velocity);
    let n = Vectors::<L>::load(&chunk.normal);
    let t = chunk.tangents.map(|tangent| Vectors::<L>::load(&tangent));
    let between = Vectors::<L>::load(&chunk.between);
    let mut sum = n * L::splat(0.0);
    let mut moments = [sum; 2];
    for (normal, friction) in normals.iter().zip(frictions) {
        let arm = Vectors::<L>::load(&normal.arm);
        let impulse = n * L::load(normal.impulse)
            + t[0] * L::load(friction.impulse[0])
            + t[1] * L::load(friction.impulse[1]);
        sum = sum + impulse;
        moments[0] = moments[0] + arm.cross(impulse);
        moments[1] = moments[1] + (arm - between).cross(impulse);
    }
    sides.linear[0] = sides.linear[0] - sum * sides.inverse_mass[0];
    sides.linear[1] = sides.linear[1] + sum * sides.inverse_mass[1];
    sides.angular[0] = sides.angular[0] - sides.inverse_inertia[0].times(moments[0]);
    sides.angular[1] = sides.angular[1] + sides.inverse_inertia[1].times(moments[1]);
    sides.scatter(chunk, velocity);
}

/// One sweep over the normals of a chunk, overlap pushed apart.
pub(super) fn push<L: Lanes>(
    chunk: &Chunk,
    normals: &mut [NormalPoint],
    velocity: &mut [Twist],
    displacement: &[Twist],
    softness: &Softness,
    per_second: f64,
) {
    let mut sides = Sides::<L>::gather(chunk, velocity);
    let [a, b] = &chunk.bodies;
    let moved = gather::<L>(displacement, b, 0) - gather(displacement, a, 0);
    let turned = [gather::<L>(displacement, a, 1), gather(displacement, b, 1)];
    let n = Vectors::<L>::load(&chunk.normal);
    let between = Vectors::<L>::load(&chunk.between);
    let along = n.dot(moved);
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let (rate, per_second) = (L::splat(softness.rate), L::splat(per_second));
    let (scale, leak) = (L::splat(softness.scale), L::splat(softness.leak));
    for normal in normals {
        let arm = Vectors::<L>::load(&normal.arm);
        let lever = [arm.cross(n), (arm - between).cross(n)];
        let gap = L::load(normal.gap) + (along + turned[1].dot(lever[1]) - turned[0].dot(lever[0]));
        let bias = zero.where_greater(gap, gap * rate, gap * per_second);
        let share = zero.where_greater(gap, scale, one);
        let lost = zero.where_greater(gap, leak, zero);
        let u = n.dot(sides.linear[1] - sides.linear[0])
            + (sides.angular[1].dot(lever[1]) - sides.angular[0].dot(lever[0]));
        let before = L::load(normal.impulse);
        let after = (before - L::load(normal.mass) * share * (u + bias) - lost * before).larger(zero);
        normal.impulse = after.store();
        // A point that pushes has closed its gap.
        normal.offset = after.where_greater(zero, zero, gap.larger(zero) * per_second).store();
        let change = after - before;
        sides.linear[0] = sides.linear[0] - n * (change * sides.inverse_mass[0]);
        sides.linear[1] = sides.linear[1] + n * (change * sides.inverse_mass[1]);
        sides.angular[0] = sides.angular[0] - sides.inverse_inertia[0].times(lever[0]) * change;
        sides.angular[1] = sides.angular[1] + sides.inverse_inertia[1].times(lever[1]) * change;
    }
    sides.scatter(chunk, velocity);
}

/// One sweep over normals and friction of a chunk, against the order of pushing; adds the impulses to their sums over the step.
pub(super) fn relax<L: Lanes>(
    chunk: &Chunk,
    normals: &mut [NormalPoint],
    frictions: &mut [FrictionPoint],
    velocity: &mut [Twist],
) {
    let mut sides = Sides::<L>::gather(chunk, velocity);
    let n = Vectors::<L>::load(&chunk.normal);
    let t = chunk.tangents.map(|tangent| Vectors::<L>::load(&tangent));
    let between = Vectors::<L>::load(&chunk.between);
    let mu = L::load(chunk.friction);
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    for (normal, friction) in normals.iter_mut().zip(frictions).rev() {
        let arm = Vectors::<L>::load(&normal.arm);
        let arms = [arm, arm - between];
        let u = (sides.linear[1] - sides.linear[0])
            + (sides.angular[1].cross(arms[1]) - sides.angular[0].cross(arms[0]));
        let before = L::load(normal.impulse);
        let mass = L::load(normal.mass);
        let after = (before - mass * (n.dot(u) + L::load(normal.offset))).larger(zero);
        normal.impulse = after.store();
        let change = after - before;

        let held = friction.impulse.map(L::load);
        let mass = L::load(friction.mass);
        let wanted = [0, 1].map(|k| held[k] - mass * (t[k].dot(u) + L::load(friction.coupling[k]) * change));
        let squared = wanted[0] * wanted[0] + wanted[1] * wanted[1];
        let most = mu * after;
        let shrink = squared.where_greater(most * most, most / squared.sqrt(), one);
        let allowed = wanted.map(|wanted| wanted * shrink);
        friction.impulse = allowed.map(L::store);
        for (sum, impulse) in friction.sum.iter_mut().zip([after, allowed[0], allowed[1]]) {
            *sum = (L::load(*sum) + impulse).store();
        }
        sides.apply(arms, n * change + t[0] * (allowed[0] - held[0]) + t[1] * (allowed[1] - held[1]));
    }
    sides.scatter(chunk, velocity);
}

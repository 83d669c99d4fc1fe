//! The sweeps: warm start, push, relax. One kernel each, over four manifolds.
//!
//! Normal: `λ_n ← max(0, λ_n - m (u_n + offset))`, with a spring where pushing finds overlap (`settings`).
//! Friction: `λ_t ← Π(λ_t - m_t u_t)` on the disc of radius `μ λ_n`, with one m_t for both directions: at its fixed point sliding
//! friction opposes the motion exactly. `u_t` takes in what the normal impulse has just changed.

use super::bodies::Twist;
use super::chunk::{Chunk, FrictionPoint, NormalPoint};
use super::settings::Softness;
use crate::math::lanes::{LANES, Lanes, Symmetric, Vectors};

#[inline(always)]
pub(super) fn gather<L: Lanes>(of: &[Twist], indices: &[u32; LANES], part: usize) -> Vectors<L> {
    let [i, j, k, l] = *indices;
    let (p, q) = (&of[i as usize][part], &of[j as usize][part]);
    let (r, s) = (&of[k as usize][part], &of[l as usize][part]);
    Vectors {
        x: L::load([p[0], q[0], r[0], s[0]]),
        y: L::load([p[1], q[1], r[1], s[1]]),
        z: L::load([p[2], q[2], r[2], s[2]]),
    }
}

#[inline(always)]
fn scatter<L: Lanes>(to: &mut [Twist], indices: &[u32; LANES], part: usize, v: Vectors<L>) {
    let (x, y, z) = (v.x.store(), v.y.store(), v.z.store());
    for (lane, index) in indices.iter().enumerate() {
        to[*index as usize][part] = [x[lane], y[lane], z[lane], 0.0];
    }
}

/// Applies the impulses that points start from.
pub(super) fn warm_start<L: Lanes>(
    chunk: &Chunk,
    normals: &[NormalPoint],
    frictions: &[FrictionPoint],
    velocity: &mut [Twist],
) {
    let n = Vectors::<L>::load(&chunk.normal);
    let t = [Vectors::<L>::load(&chunk.tangents[0]), Vectors::load(&chunk.tangents[1])];
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
    for (side, sign) in [(0, L::splat(-1.0)), (1, L::splat(1.0))] {
        let indices = &chunk.bodies[side];
        let spun = Symmetric::<L>::load(&chunk.inverse_inertia[side]).times(moments[side]);
        let pushed = sum * L::load(chunk.inverse_mass[side]);
        let linear = gather::<L>(velocity, indices, 0) + pushed * sign;
        let angular = gather::<L>(velocity, indices, 1) + spun * sign;
        scatter(velocity, indices, 0, linear);
        scatter(velocity, indices, 1, angular);
    }
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
    let [a, b] = &chunk.bodies;
    let moved = gather::<L>(displacement, b, 0) - gather(displacement, a, 0);
    let turned = [gather::<L>(displacement, a, 1), gather(displacement, b, 1)];
    let n = Vectors::<L>::load(&chunk.normal);
    let along = n.dot(moved);
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let (rate, per_second) = (L::splat(softness.rate), L::splat(per_second));
    let (scale, leak) = (L::splat(softness.scale), L::splat(softness.leak));
    // Along the normal only the difference of the linear velocities counts, and one number tells how impulses have changed them.
    let linear = [gather::<L>(velocity, a, 0), gather(velocity, b, 0)];
    let mut angular = [gather::<L>(velocity, a, 1), gather(velocity, b, 1)];
    let inverse_mass = [L::load(chunk.inverse_mass[0]), L::load(chunk.inverse_mass[1])];
    let both = inverse_mass[0] + inverse_mass[1];
    let mut approach = n.dot(linear[1] - linear[0]);
    let mut sum = zero;
    for normal in normals {
        let lever = [Vectors::<L>::load(&normal.lever[0]), Vectors::load(&normal.lever[1])];
        let response = [Vectors::<L>::load(&normal.response[0]), Vectors::load(&normal.response[1])];
        let gap = L::load(normal.gap) + (along + (turned[1].dot(lever[1]) - turned[0].dot(lever[0])));
        let bias = zero.where_greater(gap, gap * rate, gap * per_second);
        let share = zero.where_greater(gap, scale, one);
        let lost = zero.where_greater(gap, leak, zero);
        let u = approach + (angular[1].dot(lever[1]) - angular[0].dot(lever[0]));
        let before = L::load(normal.impulse);
        let after = (before - L::load(normal.mass) * share * (u + bias) - lost * before).larger(zero);
        normal.impulse = after.store();
        // A point that pushes has closed its gap.
        normal.offset = after.where_greater(zero, zero, gap.larger(zero) * per_second).store();
        let change = after - before;
        sum = sum + change;
        approach = approach + change * both;
        angular[0] = angular[0] - response[0] * change;
        angular[1] = angular[1] + response[1] * change;
    }
    scatter(velocity, a, 0, linear[0] - n * (sum * inverse_mass[0]));
    scatter(velocity, b, 0, linear[1] + n * (sum * inverse_mass[1]));
    scatter(velocity, a, 1, angular[0]);
    scatter(velocity, b, 1, angular[1]);
}

/// One sweep over normals and friction of a chunk, against the order of pushing; adds the impulses to their sums over the step.
pub(super) fn relax<L: Lanes>(
    chunk: &Chunk,
    normals: &mut [NormalPoint],
    frictions: &mut [FrictionPoint],
    velocity: &mut [Twist],
) {
    let [a, b] = &chunk.bodies;
    let n = Vectors::<L>::load(&chunk.normal);
    let t = [Vectors::<L>::load(&chunk.tangents[0]), Vectors::load(&chunk.tangents[1])];
    let between = Vectors::<L>::load(&chunk.between);
    let mu = L::load(chunk.friction);
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let inertia =
        [Symmetric::<L>::load(&chunk.inverse_inertia[0]), Symmetric::load(&chunk.inverse_inertia[1])];
    let inverse_mass = [L::load(chunk.inverse_mass[0]), L::load(chunk.inverse_mass[1])];
    let both = inverse_mass[0] + inverse_mass[1];
    let linear = [gather::<L>(velocity, a, 0), gather(velocity, b, 0)];
    let mut angular = [gather::<L>(velocity, a, 1), gather(velocity, b, 1)];
    // What the centres of mass contribute to u, in the frame, and what changes it: the sum of the impulses so far.
    let apart = linear[1] - linear[0];
    let centres = Vectors { x: n.dot(apart), y: t[0].dot(apart), z: t[1].dot(apart) };
    let mut given = Vectors { x: zero, y: zero, z: zero };
    for (normal, friction) in normals.iter_mut().zip(frictions).rev() {
        let arm = Vectors::<L>::load(&normal.arm);
        let arms = [arm, arm - between];
        let spin = angular[1].cross(arms[1]) - angular[0].cross(arms[0]);
        let u = centres + given * both + Vectors { x: n.dot(spin), y: t[0].dot(spin), z: t[1].dot(spin) };
        let before = L::load(normal.impulse);
        let after = (before - L::load(normal.mass) * (u.x + L::load(normal.offset))).larger(zero);
        normal.impulse = after.store();
        let change = after - before;

        let held = [L::load(friction.impulse[0]), L::load(friction.impulse[1])];
        let mass = L::load(friction.mass);
        let wanted = [
            held[0] - mass * (u.y + L::load(friction.coupling[0]) * change),
            held[1] - mass * (u.z + L::load(friction.coupling[1]) * change),
        ];
        let squared = wanted[0] * wanted[0] + wanted[1] * wanted[1];
        let most = mu * after;
        let shrink = squared.where_greater(most * most, most / squared.sqrt(), one);
        let allowed = [wanted[0] * shrink, wanted[1] * shrink];
        friction.impulse = [allowed[0].store(), allowed[1].store()];
        friction.sum[0] = (L::load(friction.sum[0]) + after).store();
        friction.sum[1] = (L::load(friction.sum[1]) + allowed[0]).store();
        friction.sum[2] = (L::load(friction.sum[2]) + allowed[1]).store();

        let own = Vectors { x: change, y: allowed[0] - held[0], z: allowed[1] - held[1] };
        given = given + own;
        let impulse = n * own.x + t[0] * own.y + t[1] * own.z;
        angular[0] = angular[0] - inertia[0].times(arms[0].cross(impulse));
        angular[1] = angular[1] + inertia[1].times(arms[1].cross(impulse));
    }
    let impulse = n * given.x + t[0] * given.y + t[1] * given.z;
    scatter(velocity, a, 0, linear[0] - impulse * inverse_mass[0]);
    scatter(velocity, b, 0, linear[1] + impulse * inverse_mass[1]);
    scatter(velocity, a, 1, angular[0]);
    scatter(velocity, b, 1, angular[1]);
}

#[cfg(test)]
mod tests {
    use super::super::bodies::{SoftBody, twist};
    use super::super::manifold::{SoftManifold, SoftPoint};
    use super::super::prepare::prepare;
    use super::*;
    use crate::math::lanes::Scalars;
    use crate::math::{Mat3, Vec3, frame_of_normal};
    use crate::physics::constraints::contact::BodyVelocity;
    use crate::physics::rigid_body::Material;
    use proptest::prelude::*;
    use wide::f64x4;

    /// Three manifolds between six bodies, from numbers in (-1, 1).
    fn scene(r: &[f64]) -> (Vec<SoftBody>, Vec<SoftManifold>, Vec<SoftPoint>) {
        let v = |k: usize| Vec3::new(r[k % 60], r[(k + 17) % 60], r[(k + 31) % 60]);
        let mut bodies = vec![SoftBody::immovable(BodyVelocity::default())];
        for k in 0..6 {
            let inertia = Mat3::from_diagonal(v(k).abs() + Vec3::splat(0.2));
            let start = BodyVelocity { linear: v(k + 3), angular: v(k + 5) };
            bodies.push(SoftBody {
                inverse_mass: 1.0 / (1.0 + r[k].abs()),
                mass: 1.0 + r[k].abs(),
                inverse_inertia: inertia.inverse(),
                inertia,
                start,
                acceleration: BodyVelocity::default(),
            });
        }
        let (mut manifolds, mut points) = (Vec::new(), Vec::new());
        for k in 0..3_u32 {
            let first = points.len() as u32;
            for p in 0..=k {
                let at = (7 * k + p) as usize;
                points.push(SoftPoint { arm: v(at), gap: 0.01 * r[at], warm: v(at + 1).abs() * 0.1 });
            }
            let normal = (v(k as usize + 9) + Vec3::splat(1e-3)).normalize();
            manifolds.push(SoftManifold {
                body_a: 2 * k + 1,
                body_b: 2 * k + 2,
                frame: frame_of_normal(normal),
                between: v(k as usize + 11),
                material: Material { friction: r[k as usize].abs(), ..Material::default() },
                first,
                count: k + 1,
            });
        }
        (bodies, manifolds, points)
    }

    fn swept<L: Lanes>(r: &[f64]) -> Vec<u64> {
        let (bodies, manifolds, points) = scene(r);
        let (mut normals, mut frictions) = (Vec::new(), Vec::new());
        let chunk = Chunk::fill(&[2, 0, 1], &manifolds, &points, &bodies, &mut normals, &mut frictions);
        let mut velocity: Vec<Twist> = bodies.iter().map(|body| twist(body.start)).collect();
        let displacement: Vec<Twist> = velocity.iter().map(|v| v.map(|row| row.map(|x| 1e-3 * x))).collect();
        prepare::<L>(&chunk, &mut normals, &mut frictions);
        warm_start::<L>(&chunk, &normals, &frictions, &mut velocity);
        let softness = Softness::new(0.16, 2.0, 0.004);
        for _ in 0..3 {
            push::<L>(&chunk, &mut normals, &mut velocity, &displacement, &softness, 250.0);
            relax::<L>(&chunk, &mut normals, &mut frictions, &mut velocity);
        }
        let impulses = normals.iter().map(|point| point.impulse).chain(frictions.iter().flat_map(|f| f.sum));
        velocity.into_iter().flatten().chain(impulses).flatten().map(f64::to_bits).collect()
    }

    proptest! {
        #[test]
        fn wide_and_scalar_sweeps_have_the_same_bits(r in prop::collection::vec(-1.0..1.0_f64, 60)) {
            prop_assert_eq!(swept::<f64x4>(&r), swept::<Scalars>(&r));
        }

        #[test]
        fn impulses_stay_in_the_cone_and_momentum_is_kept(r in prop::collection::vec(-1.0..1.0_f64, 60)) {
            let (bodies, manifolds, points) = scene(&r);
            let (mut normals, mut frictions) = (Vec::new(), Vec::new());
            let chunk = Chunk::fill(&[2], &manifolds, &points, &bodies, &mut normals, &mut frictions);
            let mut velocity: Vec<Twist> = bodies.iter().map(|body| twist(body.start)).collect();
            prepare::<f64x4>(&chunk, &mut normals, &mut frictions);
            relax::<f64x4>(&chunk, &mut normals, &mut frictions, &mut velocity);
            for (normal, friction) in normals.iter().zip(&frictions) {
                let [s, t] = friction.impulse.map(|impulse| impulse[0]);
                prop_assert!((s * s + t * t).sqrt() <= manifolds[2].material.friction * normal.impulse[0] * (1.0 + 1e-12));
            }
            let momentum = |v: &[Twist]| {
                let of = |k: usize| Vec3::new(v[k][0][0], v[k][0][1], v[k][0][2]) * bodies[k].mass;
                of(5) + of(6)
            };
            let before: Vec<Twist> = bodies.iter().map(|body| twist(body.start)).collect();
            prop_assert!((momentum(&velocity) - momentum(&before)).length() < 1e-12);
        }
    }
}

//! The sweeps: warm start, push, relax. One kernel each, over eight manifolds.
//!
//! Normal: `λ_n ← max(0, λ_n - m (u_n + offset))`, with a spring where pushing finds overlap (`settings`).
//! Friction: `λ_t ← Π(λ_t - m_t u_t)` on the disc of radius `μ λ_n`, with one m_t for both directions: at its fixed point sliding
//! friction opposes the motion exactly. `u_t` includes the change by the normal impulse of this pass.
//!
//! Points of a manifold lie over one plane, so that normal rows need three numbers a pair instead of twelve: the
//! normal velocity as a linear function over the plane, and its change by an impulse.
//!
//! Before the points of a manifold are visited in turn, the manifold is solved as a whole: loaded points get the same
//! impulse δ each, such that their mean velocity reaches its target. Visiting the corners of a flat landing face in
//! turn alone would give the whole impulse to the first, rotate the body, and let friction push it sideways.

use super::bodies::Twist;
use super::chunk::{Chunk, FrictionPoint, NormalPoint};
use super::settings::Softness;
use crate::math::lanes::{Arithmetic, Frames, Symmetric, Vectors};
use crate::math::wide_lanes::{WIDE, WideLanes};

#[inline(always)]
pub(super) fn gather<L: WideLanes>(of: &[Twist], indices: &[u32; WIDE], part: usize) -> Vectors<L> {
    let [a, b, c, d, e, f, g, h] = *indices;
    let row = |index: u32| &of[index as usize][part];
    let [x, y, z, _] = L::columns([row(a), row(b), row(c), row(d), row(e), row(f), row(g), row(h)]);
    Vectors { x, y, z }
}

#[inline(always)]
fn scatter<L: WideLanes>(to: &mut [Twist], indices: &[u32; WIDE], part: usize, v: Vectors<L>) {
    let rows = L::rows([v.x, v.y, v.z, L::splat(0.0)]);
    for (index, row) in indices.iter().zip(rows) {
        to[*index as usize][part] = row;
    }
}

/// Applies the warm start.
#[inline(always)]
pub(super) fn warm_start<L: WideLanes>(
    chunk: &Chunk,
    normals: &[NormalPoint],
    frictions: &[FrictionPoint],
    velocity: &mut [Twist],
) {
    let frame = Frames::<L>::load(&chunk.frame);
    let between = Vectors::<L>::load(&chunk.between);
    let (sum, moment) = wrench_of::<L>(normals, frictions);
    let moments = [moment, moment - between.cross(sum)];
    let sum = frame.world(sum);
    for (side, sign) in [(0, L::splat(-1.0)), (1, L::splat(1.0))] {
        let indices = &chunk.bodies[side];
        let spun = frame.world(Symmetric::<L>::load(&chunk.inverse_inertia[side]).times(moments[side]));
        let pushed = sum * L::load(&chunk.inverse_mass[side]);
        let linear = gather::<L>(velocity, indices, 0) + pushed * sign;
        let angular = gather::<L>(velocity, indices, 1) + spun * sign;
        scatter(velocity, indices, 0, linear);
        scatter(velocity, indices, 1, angular);
    }
}

/// Sum of the impulses of the points and of their moments about the centre of mass of A, in the frame.
#[inline(always)]
pub(super) fn wrench_of<L: WideLanes>(
    normals: &[NormalPoint],
    frictions: &[FrictionPoint],
) -> (Vectors<L>, Vectors<L>) {
    let zero = L::splat(0.0);
    let mut sum = Vectors { x: zero, y: zero, z: zero };
    let mut moment = sum;
    for (normal, friction) in normals.iter().zip(frictions) {
        let impulse = Vectors::load(&[normal.impulse, friction.impulse[0], friction.impulse[1]]);
        sum = sum + impulse;
        moment = moment + arm_of::<L>(normal, friction).cross(impulse);
    }
    (sum, moment)
}

/// From the centre of mass of A, in the frame.
#[inline(always)]
pub(super) fn arm_of<L: WideLanes>(normal: &NormalPoint, friction: &FrictionPoint) -> Vectors<L> {
    Vectors::load(&[friction.height, normal.across[0], normal.across[1]])
}

/// The normal velocity of two bodies over the plane of their contact, `u(a, b) = k + a s + b t`, or their displacement.
struct Field<L> {
    at_zero: L,
    along_a: L,
    along_b: L,
}

impl<L: Arithmetic> Field<L> {
    /// Of linear and angular motions in the world.
    #[inline(always)]
    fn of(
        frame: &Frames<L>,
        between: Vectors<L>,
        linear: &[Vectors<L>; 2],
        angular: &[Vectors<L>; 2],
    ) -> Self {
        let [n, t, s] = frame.0;
        let turns = angular[1] - angular[0];
        let (spin_t, spin_s) = (t.dot(angular[1]), s.dot(angular[1]));
        let at_zero = n.dot(linear[1] - linear[0]) + (between.y * spin_s - between.z * spin_t);
        Self { at_zero, along_a: -s.dot(turns), along_b: t.dot(turns) }
    }

    #[inline(always)]
    fn at(&self, a: L, b: L) -> L {
        self.at_zero + (a * self.along_a + b * self.along_b)
    }
}

/// Effect of normal impulses on the field: a unit at (a, b) changes it by `P (1, a, b)`, P symmetric.
struct Response<L> {
    zero_zero: L,
    zero_a: L,
    zero_b: L,
    a_a: L,
    a_b: L,
    b_b: L,
}

impl<L: Arithmetic> Response<L> {
    #[inline(always)]
    fn of(inertia: &[Symmetric<L>; 2], between: Vectors<L>, inverse_mass: L) -> Self {
        let Symmetric([_, _, _, a_yy, a_yz, a_zz]) = inertia[0];
        let Symmetric([_, _, _, b_yy, b_yz, b_zz]) = inertia[1];
        let zero_a = b_yz * between.z - b_zz * between.y;
        let zero_b = b_yz * between.y - b_yy * between.z;
        Self {
            zero_zero: inverse_mass - (between.y * zero_a + between.z * zero_b),
            zero_a,
            zero_b,
            a_a: a_zz + b_zz,
            a_b: -(a_yz + b_yz),
            b_b: a_yy + b_yy,
        }
    }

    #[inline(always)]
    fn apply(&self, impulse: L, a: L, b: L, field: &mut Field<L>) {
        field.at_zero = field.at_zero + (self.zero_zero + (self.zero_a * a + self.zero_b * b)) * impulse;
        field.along_a = field.along_a + (self.zero_a + (self.a_a * a + self.a_b * b)) * impulse;
        field.along_b = field.along_b + (self.zero_b + (self.a_b * a + self.b_b * b)) * impulse;
    }

    /// The same impulse at each of several points.
    #[inline(always)]
    fn apply_to_all(&self, impulse: L, at: &Pressing<L>, field: &mut Field<L>) {
        let (k, a, b) = (at.count, at.sum_a, at.sum_b);
        field.at_zero = field.at_zero + (self.zero_zero * k + (self.zero_a * a + self.zero_b * b)) * impulse;
        field.along_a = field.along_a + (self.zero_a * k + (self.a_a * a + self.a_b * b)) * impulse;
        field.along_b = field.along_b + (self.zero_b * k + (self.a_b * a + self.b_b * b)) * impulse;
    }
}

/// The loaded points of a manifold as one.
struct Pressing<L> {
    count: L,
    sum_a: L,
    sum_b: L,
    /// Sum of the velocity errors, m/s.
    off: L,
    /// Least impulse among them, N·s.
    least: L,
}

impl<L: WideLanes> Pressing<L> {
    #[inline(always)]
    fn none() -> Self {
        let zero = L::splat(0.0);
        Self { count: zero, sum_a: zero, sum_b: zero, off: zero, least: L::splat(f64::MAX) }
    }

    /// One where a point has an impulse or is approached faster than its gap allows, else zero; zero in lanes without
    /// a point.
    #[inline(always)]
    fn is_in(impulse: L, off: L, mass: L) -> L {
        let (zero, one) = (L::splat(0.0), L::splat(1.0));
        let approached = zero.where_greater(off, one, zero);
        mass.where_greater(zero, impulse.where_greater(zero, one, approached), zero)
    }

    #[inline(always)]
    fn take(&mut self, normal: &NormalPoint, [a, b]: [L; 2], impulse: L, off: L) {
        let zero = L::splat(0.0);
        let one = Self::is_in(impulse, off, L::load(&normal.mass));
        self.count = self.count + one;
        (self.sum_a, self.sum_b) = (self.sum_a + one * a, self.sum_b + one * b);
        self.off = self.off + one * off;
        let impulse = one.where_greater(zero, impulse, self.least);
        self.least = self.least.where_greater(impulse, impulse, self.least);
    }

    /// The impulse for each of them, N·s: none pulls in the end.
    #[inline(always)]
    fn share(&self, response: &Response<L>) -> L {
        let (zero, two) = (L::splat(0.0), L::splat(2.0));
        let (k, a, b) = (self.count, self.sum_a, self.sum_b);
        let weight = k * (k * response.zero_zero + two * (a * response.zero_a + b * response.zero_b))
            + (a * a * response.a_a + two * a * b * response.a_b + b * b * response.b_b);
        let several = k.where_greater(L::splat(1.5), zero - self.off / weight, zero);
        several.larger(zero - self.least)
    }
}

/// Push pass: one sweep over the normals of a chunk, with springs at overlaps.
#[inline(always)]
pub(super) fn push<L: WideLanes>(
    chunk: &Chunk,
    normals: &mut [NormalPoint],
    velocity: &mut [Twist],
    displacement: &[Twist],
    regularisation: &Softness,
    per_second: f64,
) {
    let [p, q] = &chunk.bodies;
    let frame = Frames::<L>::load(&chunk.frame);
    let between = Vectors::<L>::load(&chunk.between);
    let inertia =
        [Symmetric::<L>::load(&chunk.inverse_inertia[0]), Symmetric::load(&chunk.inverse_inertia[1])];
    let inverse_mass = [L::load(&chunk.inverse_mass[0]), L::load(&chunk.inverse_mass[1])];
    let moved = Field::of(
        &frame,
        between,
        &[gather::<L>(displacement, p, 0), gather(displacement, q, 0)],
        &[gather(displacement, p, 1), gather(displacement, q, 1)],
    );
    let linear = [gather::<L>(velocity, p, 0), gather(velocity, q, 0)];
    let angular = [gather::<L>(velocity, p, 1), gather(velocity, q, 1)];
    let mut speed = Field::of(&frame, between, &linear, &angular);
    let response = Response::of(&inertia, between, inverse_mass[0] + inverse_mass[1]);
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let (rate, per_second) = (L::splat(regularisation.rate), L::splat(per_second));
    let (scale, impulse_coefficient) =
        (L::splat(regularisation.scale), L::splat(regularisation.impulse_coefficient));
    let bias_of = |gap: L| zero.where_greater(gap, gap * rate, gap * per_second);
    let mut together = Pressing::none();
    for normal in normals.iter() {
        let (a, b) = (L::load(&normal.across[0]), L::load(&normal.across[1]));
        let off = speed.at(a, b) + bias_of(L::load(&normal.gap) + moved.at(a, b));
        together.take(normal, [a, b], L::load(&normal.impulse), off);
    }
    let each = together.share(&response);
    let begun = Field { ..speed };
    response.apply_to_all(each, &together, &mut speed);
    // Sums of the impulses and of their first moments.
    let (mut sum, mut sum_a, mut sum_b) =
        (each * together.count, each * together.sum_a, each * together.sum_b);
    for normal in normals {
        let (a, b) = (L::load(&normal.across[0]), L::load(&normal.across[1]));
        let gap = L::load(&normal.gap) + moved.at(a, b);
        let bias = bias_of(gap);
        let share = zero.where_greater(gap, scale, one);
        let lost = zero.where_greater(gap, impulse_coefficient, zero);
        let u = speed.at(a, b);
        let held = L::load(&normal.impulse);
        let before = held + each * Pressing::is_in(held, begun.at(a, b) + bias, L::load(&normal.mass));
        let after = (before - L::load(&normal.mass) * share * (u + bias) - lost * before).larger(zero);
        normal.impulse = after.store();
        // A point that pushes has closed its gap.
        normal.offset = after.where_greater(zero, zero, gap.larger(zero) * per_second).store();
        let change = after - before;
        response.apply(change, a, b, &mut speed);
        sum = sum + change;
        (sum_a, sum_b) = (sum_a + a * change, sum_b + b * change);
    }
    let n = frame.0[0];
    scatter(velocity, p, 0, linear[0] - n * (sum * inverse_mass[0]));
    scatter(velocity, q, 0, linear[1] + n * (sum * inverse_mass[1]));
    // Moments about the centres of mass: (0, b, -a) a unit.
    let on_a = Vectors { x: zero, y: sum_b, z: -sum_a };
    let on_b = Vectors { x: zero, y: sum_b - between.z * sum, z: between.y * sum - sum_a };
    scatter(velocity, p, 1, angular[0] - frame.world(inertia[0].times(on_a)));
    scatter(velocity, q, 1, angular[1] + frame.world(inertia[1].times(on_b)));
}

/// Relax pass: one sweep over normals and friction of a chunk, in the reverse order of the push; adds the impulses to
/// their sums over the step.
#[inline(always)]
pub(super) fn relax<L: WideLanes>(
    chunk: &Chunk,
    normals: &mut [NormalPoint],
    frictions: &mut [FrictionPoint],
    velocity: &mut [Twist],
) {
    let [a, b] = &chunk.bodies;
    let frame = Frames::<L>::load(&chunk.frame);
    let between = Vectors::<L>::load(&chunk.between);
    let mu = L::load(&chunk.friction);
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let inertia =
        [Symmetric::<L>::load(&chunk.inverse_inertia[0]), Symmetric::load(&chunk.inverse_inertia[1])];
    let inverse_mass = [L::load(&chunk.inverse_mass[0]), L::load(&chunk.inverse_mass[1])];
    let both = inverse_mass[0] + inverse_mass[1];
    let linear = [gather::<L>(velocity, a, 0), gather(velocity, b, 0)];
    let angular = [gather::<L>(velocity, a, 1), gather(velocity, b, 1)];
    // In the frame: velocity of the centres of mass, spins, and the impulses so far.
    let mut centres = frame.local(linear[1] - linear[0]);
    // Belts: friction acts on the velocity of the surfaces.
    centres.y = centres.y + L::load(&chunk.surface[0]);
    centres.z = centres.z + L::load(&chunk.surface[1]);
    let spins = [frame.local(angular[0]), frame.local(angular[1])];
    let speed = Field::of(&frame, between, &linear, &angular);
    let mut together = Pressing::none();
    for normal in normals.iter() {
        let (a, b) = (L::load(&normal.across[0]), L::load(&normal.across[1]));
        together.take(normal, [a, b], L::load(&normal.impulse), speed.at(a, b) + L::load(&normal.offset));
    }
    let each = together.share(&Response::of(&inertia, between, both));
    let mut given = Vectors { x: each * together.count, y: zero, z: zero };
    let on_a = Vectors { x: zero, y: each * together.sum_b, z: -(each * together.sum_a) };
    let mut turned = [inertia[0].times(on_a), inertia[1].times(on_a - between.cross(given))];
    for (normal, friction) in normals.iter_mut().zip(frictions).rev() {
        let arm = arm_of::<L>(normal, friction);
        let arms = [arm, arm - between];
        let spin = [spins[0] - turned[0], spins[1] + turned[1]];
        let u = centres + given * both + (spin[1].cross(arms[1]) - spin[0].cross(arms[0]));
        let (held, offset) = (L::load(&normal.impulse), L::load(&normal.offset));
        let off = speed.at(arm.y, arm.z) + offset;
        let before = held + each * Pressing::is_in(held, off, L::load(&normal.mass));
        let after = (before - L::load(&normal.mass) * (u.x + offset)).larger(zero);
        normal.impulse = after.store();
        let change = after - before;

        let grip = [L::load(&friction.impulse[0]), L::load(&friction.impulse[1])];
        let mass = L::load(&friction.mass);
        let wanted = [
            grip[0] - mass * (u.y + L::load(&friction.coupling[0]) * change),
            grip[1] - mass * (u.z + L::load(&friction.coupling[1]) * change),
        ];
        let squared = wanted[0] * wanted[0] + wanted[1] * wanted[1];
        let most = mu * after;
        let mut allowed = wanted;
        if squared.any_greater(most * most) {
            let shrink = squared.where_greater(most * most, most / squared.sqrt(), one);
            allowed = [wanted[0] * shrink, wanted[1] * shrink];
        }
        friction.impulse = [allowed[0].store(), allowed[1].store()];
        friction.sum[0] = (L::load(&friction.sum[0]) + after).store();
        friction.sum[1] = (L::load(&friction.sum[1]) + allowed[0]).store();
        friction.sum[2] = (L::load(&friction.sum[2]) + allowed[1]).store();

        let own = Vectors { x: change, y: allowed[0] - grip[0], z: allowed[1] - grip[1] };
        given = given + own;
        turned[0] = turned[0] + inertia[0].times(arms[0].cross(own));
        turned[1] = turned[1] + inertia[1].times(arms[1].cross(own));
    }
    let impulse = frame.world(given);
    scatter(velocity, a, 0, linear[0] - impulse * inverse_mass[0]);
    scatter(velocity, b, 0, linear[1] + impulse * inverse_mass[1]);
    scatter(velocity, a, 1, angular[0] - frame.world(turned[0]));
    scatter(velocity, b, 1, angular[1] + frame.world(turned[1]));
}

#[cfg(test)]
mod tests {
    use super::super::bodies::{SoftBody, twist};
    use super::super::chunk::RegionBodies;
    use super::super::manifold::{SoftManifold, SoftPoint, Source};
    use super::super::prepare::prepare;
    use super::*;
    use crate::math::kernels::{self, WideKernel};
    use crate::math::lanes::Scalars;
    use crate::math::wide_lanes::Twin;
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
                points.push(SoftPoint { arm: v(at), gap: 0.01 * r[at], warm_start: v(at + 1).abs() * 0.1 });
            }
            let normal = (v(k as usize + 9) + Vec3::splat(1e-3)).normalize();
            manifolds.push(SoftManifold {
                source: Source::Uncached { pair: 0 },
                body_a: 2 * k + 1,
                body_b: 2 * k + 2,
                frame: frame_of_normal(normal),
                between: v(k as usize + 11),
                material: Material { friction: r[k as usize].abs(), ..Material::default() },
                surface_velocity: Vec3::new(r[0], -r[1], 0.5) * f64::from(k % 2),
                first,
                count: k + 1,
            });
        }
        (bodies, manifolds, points)
    }

    #[inline(always)]
    fn sweep_scene<L: WideLanes>(r: &[f64]) -> Vec<u64> {
        let (bodies, manifolds, points) = scene(r);
        let (mut normals, mut frictions) = (Vec::new(), Vec::new());
        let mut chunk = Chunk::EMPTY;
        chunk.fill(
            &[2, 0, 1],
            &manifolds,
            &points,
            &RegionBodies { given: &bodies, first: 0 },
            &mut normals,
            &mut frictions,
        );
        let mut velocity: Vec<Twist> = bodies.iter().map(|body| twist(body.start)).collect();
        let displacement: Vec<Twist> = velocity.iter().map(|v| v.map(|row| row.map(|x| 1e-3 * x))).collect();
        prepare::<L>(&mut chunk, &mut normals, &mut frictions);
        warm_start::<L>(&chunk, &normals, &frictions, &mut velocity);
        let regularisation = Softness::new(0.16, 2.0, 0.004);
        for _ in 0..3 {
            push::<L>(&chunk, &mut normals, &mut velocity, &displacement, &regularisation, 250.0);
            relax::<L>(&chunk, &mut normals, &mut frictions, &mut velocity);
        }
        let impulses = normals.iter().map(|point| point.impulse).chain(frictions.iter().flat_map(|f| f.sum));
        velocity.into_iter().flatten().flatten().chain(impulses.flatten()).map(f64::to_bits).collect()
    }

    struct SweepKernel<'a>(&'a [f64]);

    impl WideKernel for SweepKernel<'_> {
        type Output = Vec<u64>;

        #[inline(always)]
        fn run<L: WideLanes>(self) -> Vec<u64> {
            sweep_scene::<L>(self.0)
        }
    }

    proptest! {
        #[test]
        fn wide_and_scalar_sweeps_have_the_same_bits(r in prop::collection::vec(-1.0..1.0_f64, 60)) {
            let scalar = sweep_scene::<Twin<Scalars>>(&r);
            prop_assert_eq!(&sweep_scene::<Twin<f64x4>>(&r), &scalar);
            kernels::each_way(|| SweepKernel(&r), |found| assert_eq!(found, scalar));
        }

        #[test]
        fn a_single_point_stops_along_its_normal_and_angular_momentum_is_kept(
            r in prop::collection::vec(-1.0..1.0_f64, 60),
            pushed in any::<bool>(),
        ) {
            let (bodies, manifolds, mut points) = scene(&r);
            (points[0].gap, points[0].warm_start) = (0.0, Vec3::ZERO);
            let (mut normals, mut frictions) = (Vec::new(), Vec::new());
            let mut chunk = Chunk::EMPTY;
            chunk.fill(&[0], &manifolds, &points, &RegionBodies { given: &bodies, first: 0 }, &mut normals, &mut frictions);
            let mut velocity: Vec<Twist> = bodies.iter().map(|body| twist(body.start)).collect();
            let displacement = vec![[[0.0; 4]; 2]; velocity.len()];
            // Seen from where A is, plainly in the world.
            let (arm, between, n) = (points[0].arm, manifolds[0].between, manifolds[0].frame.x_axis);
            let part = |v: &[Twist], k: usize, p: usize| Vec3::new(v[k][p][0], v[k][p][1], v[k][p][2]);
            let normal_speed = |v: &[Twist]| {
                n.dot(part(v, 2, 0) + part(v, 2, 1).cross(arm - between) - part(v, 1, 0) - part(v, 1, 1).cross(arm))
            };
            let momentum = |v: &[Twist]| {
                bodies[1].inertia * part(v, 1, 1)
                    + bodies[2].inertia * part(v, 2, 1)
                    + between.cross(part(v, 2, 0)) * bodies[2].mass
            };
            let (speed, spin) = (normal_speed(&velocity), momentum(&velocity));
            prepare::<Twin<f64x4>>(&mut chunk, &mut normals, &mut frictions);
            if pushed {
                let regularisation = Softness::new(0.16, 2.0, 0.004);
                push::<Twin<f64x4>>(&chunk, &mut normals, &mut velocity, &displacement, &regularisation, 250.0);
                let left = if speed < 0.0 { 0.0 } else { speed };
                prop_assert!((normal_speed(&velocity) - left).abs() < 1e-12);
            } else {
                relax::<Twin<f64x4>>(&chunk, &mut normals, &mut frictions, &mut velocity);
                prop_assert!((normals[0].impulse[0] > 0.0) == (speed < 0.0));
            }
            prop_assert!((momentum(&velocity) - spin).length() < 1e-12);
        }

        #[test]
        fn impulses_stay_in_the_cone_and_momentum_is_kept(r in prop::collection::vec(-1.0..1.0_f64, 60)) {
            let (bodies, manifolds, points) = scene(&r);
            let (mut normals, mut frictions) = (Vec::new(), Vec::new());
            let mut chunk = Chunk::EMPTY;
            chunk.fill(&[2], &manifolds, &points, &RegionBodies { given: &bodies, first: 0 }, &mut normals, &mut frictions);
            let mut velocity: Vec<Twist> = bodies.iter().map(|body| twist(body.start)).collect();
            prepare::<Twin<f64x4>>(&mut chunk, &mut normals, &mut frictions);
            relax::<Twin<f64x4>>(&chunk, &mut normals, &mut frictions, &mut velocity);
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

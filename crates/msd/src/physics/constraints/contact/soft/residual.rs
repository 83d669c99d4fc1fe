//! Residual of the contact law at the end of the last substep, by the formulas of [`super::super::residual`], for
//! eight manifolds at once. Its inputs are contacts and impulses alone, no value that a sweep has stored: velocities
//! are `v* + M⁻¹ Jᵀ λ`, weights follow from lever arms and masses.

use super::bodies::{Twist, accumulate};
use super::chunk::{Chunk, FrictionPoint, NONE, NormalPoint};
use super::sweep::{arm_of, gather, wrench_of};
use crate::math::lanes::{Frames, Symmetric, Vectors};
use crate::math::scalar;
use crate::math::wide_lanes::{Eight, WIDE, WideLanes};

/// Residual of one manifold.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ManifoldResidual {
    /// Largest residual of a point, m/s; infinite if a number is not finite.
    pub residual: f64,
    /// Largest relative velocity of a point without contact impulses, m/s.
    pub scale: f64,
    /// Smallest gap of a point at the start of the step, m.
    pub start_gap: f64,
    /// The same at its end.
    pub end_gap: f64,
}

/// Adds the impulses of a chunk to those on its bodies.
#[inline(always)]
pub(super) fn add_impulses<L: WideLanes>(
    chunk: &Chunk,
    normals: &[NormalPoint],
    frictions: &[FrictionPoint],
    sums: &mut [Twist],
) {
    let frame = Frames::<L>::load(&chunk.frame);
    let between = Vectors::<L>::load(&chunk.between);
    let (sum, moment) = wrench_of::<L>(normals, frictions);
    let moments = [frame.world(moment), frame.world(moment - between.cross(sum))];
    let sum = frame.world(sum);
    let (sum, moments) = (sum.store(), [moments[0].store(), moments[1].store()]);
    for lane in (0..WIDE).filter(|lane| chunk.manifolds[*lane] != NONE) {
        for (side, sign) in [(0, -1.0), (1, 1.0)] {
            let row = |v: &[Eight; 3]| [sign * v[0][lane], sign * v[1][lane], sign * v[2][lane], 0.0];
            let to = &mut sums[chunk.bodies[side][lane] as usize];
            accumulate(to, [row(&sum), row(&moments[side])]);
        }
    }
}

/// Residual of each manifold of a chunk: from velocities without the impulses of the last substep, with them, and
/// displacements.
#[inline(always)]
pub(super) fn judge<L: WideLanes>(
    chunk: &Chunk,
    normals: &[NormalPoint],
    frictions: &[FrictionPoint],
    [free, velocity, displacement]: [&[Twist]; 3],
) -> [ManifoldResidual; WIDE] {
    let [a, b] = &chunk.bodies;
    let frame = Frames::<L>::load(&chunk.frame);
    let between = Vectors::<L>::load(&chunk.between);
    let mut now = Relative::<L>::gather(velocity, a, b, &frame, between);
    now.linear.y = now.linear.y + L::load(&chunk.surface[0]);
    now.linear.z = now.linear.z + L::load(&chunk.surface[1]);
    let free = Relative::<L>::gather(free, a, b, &frame, between);
    let moved = Relative::<L>::gather(displacement, a, b, &frame, between);
    let of = &chunk.inverse_inertia;
    let inertia = [Symmetric::<L>::load(&of[0]), Symmetric::<L>::load(&of[1])];
    let traces = [inertia[0].trace(), inertia[1].trace()];
    let (zero, third) = (L::splat(0.0), L::splat(1.0 / 3.0));
    let linear = L::splat(3.0) * (L::load(&chunk.inverse_mass[0]) + L::load(&chunk.inverse_mass[1]));
    let mu = L::load(&chunk.friction);
    let (largest, infinity) = (L::splat(f64::MAX), L::splat(f64::INFINITY));
    let (mut worst, mut fastest) = (zero, zero);
    let mut nearest = [infinity, infinity];
    for (normal, friction) in normals.iter().zip(frictions) {
        let arm = arm_of::<L>(normal, friction);
        let arms = [arm, arm - between];
        let mut trace = linear;
        for side in 0..2 {
            let r = arms[side];
            trace = trace + (r.dot(r) * traces[side] - r.dot(inertia[side].times(r)));
        }
        let w = trace * third;
        let mut u = now.at(arm);
        u.x = u.x + L::load(&normal.offset);
        let sliding = (u.y * u.y + u.z * u.z).sqrt();
        let shifted = Vectors { x: u.x + mu * sliding, ..u };
        let impulse = Vectors {
            x: L::load(&normal.impulse) * w,
            y: L::load(&friction.impulse[0]) * w,
            z: L::load(&friction.impulse[1]) * w,
        };
        let off = impulse - project(impulse - shifted, mu);
        // A lane without a point has no mass and no weight.
        let live = L::load(&normal.mass);
        let own = live.where_greater(zero, off.dot(off), zero);
        // Comparisons with NaN are false.
        worst = worst.larger(largest.where_greater(own, own, infinity));
        let free = free.at(arm);
        fastest = fastest.larger(live.where_greater(zero, free.dot(free), zero));
        let gap = L::load(&normal.gap);
        for (nearest, gap) in nearest.iter_mut().zip([gap, gap + moved.at(arm).x]) {
            let gap = live.where_greater(zero, gap, *nearest);
            *nearest = nearest.where_greater(gap, gap, *nearest);
        }
    }
    let (worst, fastest) = (worst.sqrt().store(), fastest.sqrt().store());
    let [start_gap, end_gap] = [nearest[0].store(), nearest[1].store()];
    std::array::from_fn(|lane| ManifoldResidual {
        residual: if worst[lane].is_finite() { worst[lane] } else { f64::INFINITY },
        scale: scalar::max(1.0, fastest[lane]),
        start_gap: start_gap[lane],
        end_gap: end_gap[lane],
    })
}

/// Motion of B relative to A in the frame: of the point at the centre of mass of A, and the turning.
struct Relative<L> {
    linear: Vectors<L>,
    angular: Vectors<L>,
}

impl<L: WideLanes> Relative<L> {
    #[inline(always)]
    fn gather(
        of: &[Twist],
        a: &[u32; WIDE],
        b: &[u32; WIDE],
        frame: &Frames<L>,
        between: Vectors<L>,
    ) -> Self {
        let centres = frame.local(gather::<L>(of, b, 0) - gather(of, a, 0));
        let (spin_a, spin_b) = (frame.local(gather::<L>(of, a, 1)), frame.local(gather::<L>(of, b, 1)));
        Self { linear: centres - spin_b.cross(between), angular: spin_b - spin_a }
    }

    #[inline(always)]
    fn at(&self, arm: Vectors<L>) -> Vectors<L> {
        self.linear + self.angular.cross(arm)
    }
}

/// The nearest point of the friction cone.
#[inline(always)]
fn project<L: WideLanes>(x: Vectors<L>, mu: L) -> Vectors<L> {
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let rho = (x.y * x.y + x.z * x.z).sqrt();
    let height = (x.x + mu * rho) / (one + mu * mu);
    let shrink = mu * height / rho;
    let slips = |stays: L, slid: L| rho.where_greater(mu * x.x, slid, stays);
    let opens = |other: L| (zero - x.x).where_greater(mu * rho, zero, other);
    Vectors {
        x: opens(slips(x.x, height)),
        y: opens(slips(x.y, x.y * shrink)),
        z: opens(slips(x.z, x.z * shrink)),
    }
}

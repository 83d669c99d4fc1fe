//! Prepared data of points, constant over a step: effective masses from `W = J M⁻¹ Jᵀ` in the contact frame.
//!
//! In the frame, with the arm r = (h, a, b), the levers have few numbers:
//! `r × n = (0, b, -a)`, `r × t₁ = (-b, 0, h)`, `r × t₂ = (a, -h, 0)`.

use super::chunk::{Chunk, FrictionPoint, NormalPoint};
use crate::math::lanes::{Frames, Symmetric, Vectors};
use crate::math::wide_lanes::WideLanes;

/// Transforms a chunk and its points to the contact frames, and computes effective masses and coupling.
#[inline(always)]
pub(super) fn prepare<L: WideLanes>(
    chunk: &mut Chunk,
    normals: &mut [NormalPoint],
    frictions: &mut [FrictionPoint],
) {
    let frame = Frames::<L>::load(&chunk.frame);
    let between = frame.local(Vectors::load(&chunk.between));
    let of = &chunk.inverse_inertia;
    let inertia =
        [frame.local_matrix(&Symmetric::load(&of[0])), frame.local_matrix(&Symmetric::load(&of[1]))];
    chunk.between = between.store();
    chunk.inverse_inertia = [inertia[0].store(), inertia[1].store()];
    let inverse_mass = L::load(&chunk.inverse_mass[0]) + L::load(&chunk.inverse_mass[1]);
    let (zero, half) = (L::splat(0.0), L::splat(0.5));
    for (normal, friction) in normals.iter_mut().zip(frictions) {
        let [y, z] = normal.across;
        let arm = frame.local(Vectors::load(&[friction.height, y, z]));
        friction.height = arm.x.store();
        normal.across = [arm.y.store(), arm.z.store()];
        let (mut nn, mut tt, mut ss) = (inverse_mass, inverse_mass, inverse_mass);
        let (mut nt, mut ns, mut ts) = (zero, zero, zero);
        for (side, r) in [(0, arm), (1, arm - between)] {
            let (h, a, b) = (r.x, r.y, r.z);
            let Symmetric([xx, xy, xz, yy, yz, zz]) = inertia[side];
            // I⁻¹ (r × n), I⁻¹ (r × t₁) and I⁻¹ (r × t₂), as far as needed.
            let (jn_x, jn_y, jn_z) = (xy * b - xz * a, yy * b - yz * a, yz * b - zz * a);
            let (jt_x, jt_y, jt_z) = (xz * h - xx * b, yz * h - xy * b, zz * h - xz * b);
            let (js_x, js_y) = (xx * a - xy * h, xy * a - yy * h);
            (nn, nt, ns) =
                (nn + (b * jn_y - a * jn_z), nt + (h * jn_z - b * jn_x), ns + (a * jn_x - h * jn_y));
            (tt, ts, ss) =
                (tt + (h * jt_z - b * jt_x), ts + (a * jt_x - h * jt_y), ss + (a * js_x - h * js_y));
        }
        let difference = half * (tt - ss);
        let largest = half * (tt + ss) + (difference * difference + ts * ts).sqrt();
        let live = L::load(&normal.mass);
        normal.mass = nn.where_greater(zero, live / nn, zero).store();
        friction.mass = largest.where_greater(zero, live / largest, zero).store();
        friction.coupling = [nt.store(), ns.store()];
    }
}

//! What a sweep needs of a point and a step does not change: `W = J M⁻¹ Jᵀ` in the frame of the contact.

use super::chunk::{Chunk, FrictionPoint, NormalPoint};
use crate::math::lanes::{Lanes, Symmetric, Vectors};

/// Fills in masses and coupling of the points of a chunk.
pub(super) fn prepare<L: Lanes>(chunk: &Chunk, normals: &mut [NormalPoint], frictions: &mut [FrictionPoint]) {
    let n = Vectors::<L>::load(&chunk.normal);
    let t = Vectors::<L>::load(&chunk.tangents[0]);
    let s = Vectors::<L>::load(&chunk.tangents[1]);
    let between = Vectors::<L>::load(&chunk.between);
    let inverse_mass = L::load(chunk.inverse_mass[0]) + L::load(chunk.inverse_mass[1]);
    let of = &chunk.inverse_inertia;
    let inertia = [Symmetric::<L>::load(&of[0]), Symmetric::<L>::load(&of[1])];
    let (zero, half) = (L::splat(0.0), L::splat(0.5));
    for (normal, friction) in normals.iter_mut().zip(frictions) {
        let arm = Vectors::<L>::load(&normal.arm);
        let arms = [arm, arm - between];
        let (mut nn, mut tt, mut ss) = (inverse_mass, inverse_mass, inverse_mass);
        let (mut nt, mut ns, mut ts) = (zero, zero, zero);
        for side in 0..2 {
            let (rn, rt, rs) = (arms[side].cross(n), arms[side].cross(t), arms[side].cross(s));
            let (jn, jt) = (inertia[side].times(rn), inertia[side].times(rt));
            normal.lever[side] = rn.store();
            normal.response[side] = jn.store();
            (nn, nt, ns) = (nn + rn.dot(jn), nt + rt.dot(jn), ns + rs.dot(jn));
            (tt, ts) = (tt + rt.dot(jt), ts + rs.dot(jt));
            ss = ss + rs.dot(inertia[side].times(rs));
        }
        let difference = half * (tt - ss);
        let largest = half * (tt + ss) + (difference * difference + ts * ts).sqrt();
        let live = L::load(normal.mass);
        normal.mass = nn.where_greater(zero, live / nn, zero).store();
        friction.mass = largest.where_greater(zero, live / largest, zero).store();
        friction.coupling = [nt.store(), ns.store()];
    }
}

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
    let inertia = [0, 1].map(|side| Symmetric::<L>::load(&chunk.inverse_inertia[side]));
    let (zero, half) = (L::splat(0.0), L::splat(0.5));
    for (normal, friction) in normals.iter_mut().zip(frictions) {
        let arm = Vectors::<L>::load(&normal.arm);
        // nn, tt, ss, nt, ns, ts.
        let mut w = [inverse_mass, inverse_mass, inverse_mass, zero, zero, zero];
        for (arm, inertia) in [arm, arm - between].into_iter().zip(&inertia) {
            let [rn, rt, rs] = [arm.cross(n), arm.cross(t), arm.cross(s)];
            let [jn, jt, js] = [inertia.times(rn), inertia.times(rt), inertia.times(rs)];
            let own = [rn.dot(jn), rt.dot(jt), rs.dot(js), rt.dot(jn), rs.dot(jn), rs.dot(jt)];
            for (sum, part) in w.iter_mut().zip(own) {
                *sum = *sum + part;
            }
        }
        let [nn, tt, ss, nt, ns, ts] = w;
        let difference = half * (tt - ss);
        let largest = half * (tt + ss) + (difference * difference + ts * ts).sqrt();
        let live = L::load(normal.mass);
        normal.mass = nn.where_greater(zero, live / nn, zero).store();
        friction.mass = largest.where_greater(zero, live / largest, zero).store();
        friction.coupling = [nt.store(), ns.store()];
    }
}

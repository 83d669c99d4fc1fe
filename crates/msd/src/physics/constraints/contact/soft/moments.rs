//! Rolling and torsional friction: moments m (N·m·s, contact frame, on B) against the relative angular velocity,
//! `‖m_t‖ ≤ ρ λ_n`, `|m_n| ≤ σ λ_n`. Few contacts have them; they are relaxed one by one, after the sweep.

use super::bodies::{BodySpan, row, vector};
use super::chunk::{Chunk, NormalPoint, PointLane};
use crate::math::{Mat3, Vec3, scalar};

/// The moment of one contact point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment {
    pub(super) place: PointLane,
    /// Number of the manifold.
    pub(super) manifold: u32,
    pub(super) rolling: f64,
    pub(super) torsional: f64,
    /// Bound from below of one over the largest eigenvalue of `I_A⁻¹ + I_B⁻¹`, kg m².
    inertia: f64,
    /// m of the substep.
    pub(super) moment: Vec3,
}

impl Moment {
    pub(super) fn new(
        place: PointLane,
        manifold: u32,
        [rolling, torsional]: [f64; 2],
        inverse: Mat3,
    ) -> Self {
        // Gershgorin's circles: exact for balls.
        let rows = [inverse.x_axis, inverse.y_axis, inverse.z_axis].map(|axis| axis.abs().element_sum());
        let largest = rows.into_iter().fold(0.0, scalar::max);
        let inertia = if largest > 0.0 { 1.0 / largest } else { 0.0 };
        Self { place, manifold, rolling, torsional, inertia, moment: Vec3::ZERO }
    }

    /// One local solve.
    pub(super) fn relax(&mut self, chunks: &[Chunk], normals: &[NormalPoint], bodies: &mut BodySpan<'_>) {
        let PointLane { chunk, point, lane } = self.place;
        let (chunk, lane) = (&chunks[chunk as usize], lane as usize);
        let [a, b] = chunk.pair(lane);
        let frame = chunk.frame_of(lane);
        let spin = vector(bodies.velocity[b][1]) - vector(bodies.velocity[a][1]);
        let normal = normals[point as usize].impulse[lane];
        let wanted = self.moment - frame.transpose() * spin * self.inertia;
        let allowed = self.within(wanted, normal);
        let change = frame * (allowed - self.moment);
        self.moment = allowed;
        for (index, change) in [(a, -change), (b, change)] {
            let turned = bodies.given[index].inverse_inertia * change;
            bodies.velocity[index][1] = row(vector(bodies.velocity[index][1]) + turned);
        }
    }

    /// Projection of a moment on the set that a normal impulse allows.
    pub(super) fn within(&self, wanted: Vec3, normal: f64) -> Vec3 {
        let (widest, most) = (self.rolling * normal, self.torsional * normal);
        let across = (wanted.y * wanted.y + wanted.z * wanted.z).sqrt();
        let shrink = if across > widest { widest / across } else { 1.0 };
        Vec3::new(scalar::clamp(wanted.x, -most, most), wanted.y * shrink, wanted.z * shrink)
    }
}

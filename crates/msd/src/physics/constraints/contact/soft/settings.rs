//! Stiffness and substeps of the soft solver.
//!
//! A contact that overlaps is a spring with a damper, of angular frequency ω and damping ratio ζ, integrated
//! implicitly over h:
//! ```text
//! λ⁺ = λ - m s (u + r gap) - l λ,   r = ω/(2ζ + hω),   s = hω (2ζ + hω)/(1 + hω (2ζ + hω)),   l = 1 - s
//! ```
//! ω is in cycles a substep, so that results do not depend on the size of bodies or of the step: a body at rest sinks
//! by `g/ω² = g h²/(2π cycles)²`, and an overlap decays at the rate r.

use serde::{Deserialize, Serialize};

use crate::digest::{Fingerprint, parameters};
use crate::math::scalar;

/// Settings of the soft solver.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SoftSettings {
    /// Substeps a step, from 1 to [`SoftSettings::MOST_SUBSTEPS`].
    pub substeps: usize,
    /// Oscillations of a contact's spring in a substep, above 0 and at most 0.5: beyond, the spring is unstable.
    pub cycles: f64,
    /// Damping ratio of that spring, from 0 to 1000; one is critical.
    pub damping_ratio: f64,
}

impl Fingerprint for SoftSettings {
    parameters!("soft contact": substeps, cycles, damping_ratio);
}

impl Default for SoftSettings {
    fn default() -> Self {
        // tuned.
        Self { substeps: 4, cycles: 0.16, damping_ratio: 2.0 }
    }
}

impl SoftSettings {
    /// Substeps that a step can have.
    pub const MOST_SUBSTEPS: usize = 256;

    /// Substeps, clamped to the range.
    #[must_use]
    pub fn count(&self) -> usize {
        self.substeps.clamp(1, Self::MOST_SUBSTEPS)
    }
}

/// The spring of a contact or joint over one substep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Softness {
    /// r, 1/s.
    pub(super) rate: f64,
    /// s.
    pub(super) scale: f64,
    /// l.
    pub(super) impulse_coefficient: f64,
}

impl Softness {
    /// Of a spring with so many oscillations in a substep of `h` seconds.
    pub(super) fn new(cycles: f64, damping_ratio: f64, h: f64) -> Self {
        let turn = std::f64::consts::TAU * scalar::max(cycles, 0.0);
        let both = 2.0 * scalar::max(damping_ratio, 0.0) + turn;
        let impulse_coefficient = 1.0 / (1.0 + turn * both);
        Self {
            rate: if both > 0.0 { turn / (h * both) } else { 0.0 },
            scale: 1.0 - impulse_coefficient,
            impulse_coefficient,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_at_rest_sinks_by_g_over_omega_squared() {
        // At rest u = 0 and λ = m g h: s r gap = -l g h.
        let (h, cycles) = (1.0 / 240.0, 0.25);
        for damping_ratio in [1.0, 10.0] {
            let soft = Softness::new(cycles, damping_ratio, h);
            let sunk = soft.impulse_coefficient * 9.81 * h / (soft.scale * soft.rate);
            let omega = std::f64::consts::TAU * cycles / h;
            assert!((sunk / (9.81 / (omega * omega)) - 1.0).abs() < 1e-12, "{sunk}");
        }
    }
}

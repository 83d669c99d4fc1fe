//! Energy: the change that contact, impacts and corrections do not explain.
//!
//! ```text
//! unexplained = rise of T + V - work in + dissipated          (corrections of positions are explained by nothing)
//! ```
//! The error of the integrator over free flight is of the order of its method and known at the end of the flight; it
//! is subtracted here and checked over the run. The rest must vanish, except for the error of a contact law solved
//! once for a body that rotates by θ within the step: of third order, `T θ³`.
//!
//! If joints open at the start of a step faster than [`tolerance::JOINT_REPORTED`] (in m/s or rad/s), free flight first
//! stops that, and what it loses there is no error of an integrator: nothing is subtracted.

use super::evidence::{Evidence, LedgerEnergy};
use super::step_certificate::StepCertificate;
use crate::math::scalar;
use crate::tolerance;

/// Energy that free flight leaves unexplained, relative to the energy.
pub(super) fn flight_error(step: &Evidence<'_>) -> f64 {
    let LedgerEnergy { kinetic, potential, unexplained_in_flight, .. } = step.energy;
    let most = kinetic.into_iter().fold(0.0, scalar::max);
    if unexplained_in_flight == 0.0 { 0.0 } else { unexplained_in_flight.abs() / (most + potential.abs()) }
}

/// Checks the ledger of a step, at whose start joints opened at most at the rate `opening`.
pub(super) fn judge(step: &Evidence<'_>, opening: f64, found: &mut StepCertificate) {
    let LedgerEnergy { kinetic, potential, dissipated, correction, unexplained, unexplained_in_flight } =
        step.energy;
    let most = kinetic.into_iter().fold(0.0, scalar::max);
    let scale = most + potential.abs();
    let relative = |joules: f64| if joules == 0.0 { 0.0 } else { joules / scale };
    found.dissipated = dissipated;
    found.dissipated_below_zero = if dissipated >= 0.0 { 0.0 } else { relative(-dissipated) };
    let turn = step.points.iter().fold(0.0, |most, point| {
        let spin = |slot: usize| step.end[slot].angular_velocity.length() * step.dt;
        scalar::max(most, scalar::max(spin(point.a), spin(point.b)))
    });
    let turn = scalar::min(turn, 1.0);
    // Not `>`: NaN is no joint that holds.
    let held = opening <= tolerance::JOINT_REPORTED;
    let of_integrator = if held { unexplained_in_flight } else { 0.0 };
    found.energy_unexplained = unexplained - of_integrator + correction;
    let beyond = found.energy_unexplained.abs() - most * turn * turn * turn;
    found.energy_relative = if beyond <= 0.0 { 0.0 } else { relative(beyond) };
    if scale.is_nan() || unexplained.is_nan() || dissipated.is_nan() {
        found.energy_relative = f64::NAN;
    }
}

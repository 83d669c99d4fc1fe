//! Fallback of RATTLE for bodies that rotate too far in a step: the drift in short pieces, each from velocities
//! tangent to the constraints and closed by position projection. First order; it damps unresolved motion.
//!
//! Velocities along the chord of a piece are not tangent at its end. The kinetic energy removed by the next
//! projection is the damping: it is entered as dissipated, and reported as `damped_energy`. The first projection only
//! removes the normal component of the half kick, which was never motion.

use super::rattle::DriftBodies;
use super::{ConstraintError, ConstraintSet, ConstraintWork};
use crate::math::scalar;
use crate::physics::rigid_body::InertialState;

/// Substeps of a step that RATTLE cannot resolve, at first and at most. tuned.
const JOINT_PIECES: usize = 8;

/// See [`JOINT_PIECES`].
const JOINT_MOST_PIECES: usize = 512;

impl ConstraintSet {
    /// Drifts from `start` in as many pieces as needed to close the joints after each.
    pub(super) fn damped_drift(
        &mut self,
        fixed: DriftBodies<'_>,
        start: &[InertialState],
        states: &mut [InertialState],
        time: f64,
        dt: f64,
        drift: &mut impl FnMut(&mut [InertialState], f64),
    ) -> Result<ConstraintWork, ConstraintError> {
        self.report.damped_drift = true;
        let impulse = self.spare.numbers(&self.step.impulse);
        let rotors = self.spare.numbers(&self.step.rotor_rate);
        let mut pieces = JOINT_PIECES;
        loop {
            states.copy_from_slice(start);
            self.step.impulse.copy_from_slice(&impulse);
            self.step.rotor_rate.copy_from_slice(&rotors);
            match self.drift_in_pieces(fixed, states, time, dt, pieces, drift) {
                // Joints were closed at the start of the drift: an apparent contradiction after a long piece may only
                // be a large error.
                Err(
                    ConstraintError::PositionsNotConverged { .. }
                    | ConstraintError::Contradictory { level: "position", .. },
                ) if pieces < JOINT_MOST_PIECES => {
                    pieces *= 4;
                    self.report.converged = true;
                }
                done => {
                    self.spare.store_numbers(impulse);
                    self.spare.store_numbers(rotors);
                    return done;
                }
            }
        }
    }

    fn drift_in_pieces(
        &mut self,
        fixed: DriftBodies<'_>,
        states: &mut [InertialState],
        time: f64,
        dt: f64,
        pieces: usize,
        drift: &mut impl FnMut(&mut [InertialState], f64),
    ) -> Result<ConstraintWork, ConstraintError> {
        let mut work = ConstraintWork::default();
        let piece = dt / pieces as f64;
        for index in 0..pieces {
            let now = time + index as f64 * piece;
            // A rotor keeps its rate in a piece, whatever its joint does.
            self.step.rotors_advanced = true;
            let before = kinetic_energy(fixed, states) + self.energy_of_rotor_rates();
            let driven = self.make_tangent(fixed, states, now)?;
            let taken = before + driven - kinetic_energy(fixed, states) - self.energy_of_rotor_rates();
            work.work_in += driven;
            work.dissipated += if index > 0 { scalar::max(taken, 0.0) } else { 0.0 };
            drift(states, piece);
            self.project_positions(fixed, states, now + piece)?;
        }
        self.step.at_start = false;
        self.report.damped_energy += work.dissipated;
        Ok(work)
    }
}

fn kinetic_energy(fixed: DriftBodies<'_>, states: &[InertialState]) -> f64 {
    states.iter().zip(fixed.inertias).map(|(state, inertia)| state.kinetic_energy(inertia)).sum()
}

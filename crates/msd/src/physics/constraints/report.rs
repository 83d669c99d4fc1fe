//! Report of the constraints of a step.

use crate::math::Vec3;

/// Figures of one step. Zeros, and converged, for a set without constraints.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConstraintReport {
    /// Scalar rows of all constraints.
    pub rows: usize,
    /// Redundant rows.
    pub dependent_rows: usize,
    /// Limits in contact at the end of the step.
    pub active_limits: usize,
    /// Largest error of a rigid row that measures a length, m.
    pub position_error: f64,
    /// Largest error of a rigid row that measures an angle, rad.
    pub angle_error: f64,
    /// Largest rate of violation after the step, m/s or rad/s.
    pub velocity_error: f64,
    /// Largest residual of a linear solve, relative to its right-hand side.
    pub residual: f64,
    /// Condition of `J M⁻¹ Jᵀ`, estimated from below by one over its smallest relative pivot. Zero where joints form trees and are
    /// eliminated link by link, without that matrix.
    pub condition: f64,
    /// Largest number of factorisations for one active set of limits and motors.
    pub pivoting_steps: usize,
    /// Newton iterations of position projection.
    pub newton_iterations: usize,
    /// Iterations for the impulse over the drift, in methods that have one.
    pub drift_iterations: usize,
    /// Parts of the step, where it does not resolve the motion of joined bodies; zero if undivided.
    pub parts: usize,
    /// True if a drift was too long for the symplectic method, and the damped one replaced it.
    pub damped_drift: bool,
    /// Energy that drift has damped, J; the ledger has it as dissipated.
    pub damped_energy: f64,
    /// False only if a step failed.
    pub converged: bool,
}

impl Default for ConstraintReport {
    fn default() -> Self {
        Self {
            rows: 0,
            dependent_rows: 0,
            active_limits: 0,
            position_error: 0.0,
            angle_error: 0.0,
            velocity_error: 0.0,
            residual: 0.0,
            condition: 0.0,
            pivoting_steps: 0,
            newton_iterations: 0,
            drift_iterations: 0,
            parts: 0,
            damped_drift: false,
            damped_energy: 0.0,
            converged: true,
        }
    }
}

/// Reaction of a joint on its body B, world frame; A feels the opposite.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reaction {
    /// Force on B, N.
    pub force: Vec3,
    /// Torque on B about the anchor, N·m.
    pub torque: Vec3,
}

/// Energy that crossed the boundary through constraints, J.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ConstraintWork {
    /// By motors, by constraints that depend on time, and by bodies moved from outside.
    pub work_in: f64,
    /// Lost in impacts on limits.
    pub dissipated: f64,
}

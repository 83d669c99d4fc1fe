//! Errors of a step.

use thiserror::Error;

use crate::physics::constraints::ConstraintError;

/// Why a step could not be computed. The states may then hold anything; the world discards them.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum IntegrationError {
    /// A state became NaN or infinite.
    #[error(
        "body `{body}`: its state is not finite after this step; the forces on it are not finite, or too large for dt = {dt} s"
    )]
    NotFinite {
        /// Name of the body.
        body: String,
        /// The step, s.
        dt: f64,
    },
    /// A field exerts a force or torque that is NaN or infinite.
    #[error(
        "body `{body}`: the field `{field}` exerts a force or torque on it that is not finite ({force:?} N, {torque:?} N·m); \
         correct the field or remove it"
    )]
    Field {
        /// Name of the body.
        body: String,
        /// Type of the field.
        field: &'static str,
        /// N, world frame.
        force: [f64; 3],
        /// N·m, world frame.
        torque: [f64; 3],
    },
    /// The forces on a body are too large for the step.
    #[error(
        "body `{body}`: the forces on it ({force:?} N, {torque:?} N·m) are too large for dt = {dt} s: they would carry it \
         beyond what double precision resolves; withdraw them or take shorter steps"
    )]
    Overload {
        /// Name of the body.
        body: String,
        /// All forces on it, N, world frame.
        force: [f64; 3],
        /// All torques on it, N·m, world frame.
        torque: [f64; 3],
        /// The step, s.
        dt: f64,
    },
    /// An integrator returned an orientation that is not a unit quaternion.
    #[error(
        "body `{body}`: {integrator} returned an orientation of norm {norm}, must be a unit quaternion to within 1e-6; \
         normalise it in the integrator"
    )]
    NotUnit {
        /// Name of the body.
        body: String,
        /// Name of the method.
        integrator: &'static str,
        /// Norm of the quaternion.
        norm: f64,
    },
    /// An integrator moved a static body.
    #[error("body `{body}`: {integrator} moved it although it is static; carry such bodies along unchanged")]
    MovedStatic {
        /// Name of the body.
        body: String,
        /// Name of the method.
        integrator: &'static str,
    },
    /// An integrator returned work that is NaN or infinite.
    #[error(
        "{integrator}: the work of the step is not finite (in {work_in} J, dissipated {dissipated} J, correction \
         {correction} J)"
    )]
    Work {
        /// Name of the method.
        integrator: &'static str,
        /// J.
        work_in: f64,
        /// J.
        dissipated: f64,
        /// J.
        correction: f64,
    },
    /// An implicit equation was not solved.
    #[error(
        "{integrator}: the implicit equations did not converge in {iterations} iterations (residual {residual:e}, \
         wanted {wanted:e}) at t = {time} s; reduce dt ({dt} s){}",
        stiffer(integrator)
    )]
    NotConverged {
        /// Name of the method.
        integrator: &'static str,
        /// Iterations done.
        iterations: usize,
        /// Relative residual reached.
        residual: f64,
        /// Relative residual wanted.
        wanted: f64,
        /// Time, s.
        time: f64,
        /// The step, s.
        dt: f64,
    },
    /// An adaptive method would need steps too small to advance the time.
    #[error(
        "{integrator}: the tolerance {tolerance:e} would need steps below {step:e} s at t = {time} s (worst body: \
         `{body}`); loosen the tolerance or soften the forces"
    )]
    StepTooSmall {
        /// Name of the method.
        integrator: &'static str,
        /// The requested tolerance.
        tolerance: f64,
        /// The step that was refused, s.
        step: f64,
        /// Time, s.
        time: f64,
        /// Body with the largest error.
        body: String,
    },
    /// Joints could not be held.
    #[error(transparent)]
    Constraint(#[from] ConstraintError),
    /// A body would lose all its mass within the step.
    #[error(
        "body `{body}`: its mass would fall to {mass} kg within this step; stop the flow before it is empty"
    )]
    MassExhausted {
        /// Name of the body.
        body: String,
        /// Mass at the end of the step, kg.
        mass: f64,
    },
}

impl IntegrationError {
    /// The body at fault, if there is one.
    #[must_use]
    pub fn body(&self) -> Option<&str> {
        match self {
            Self::NotFinite { body, .. }
            | Self::Field { body, .. }
            | Self::Overload { body, .. }
            | Self::NotUnit { body, .. }
            | Self::StepTooSmall { body, .. }
            | Self::MassExhausted { body, .. } => Some(body),
            Self::MovedStatic { .. }
            | Self::Work { .. }
            | Self::NotConverged { .. }
            | Self::Constraint(_) => None,
        }
    }
}

/// The advice to use a stiffer method, if there is one.
fn stiffer(integrator: &str) -> &'static str {
    if integrator == "implicit-euler" { "" } else { " or use a stiffer method such as implicit-euler" }
}

//! Limits and motor of the one motion a hinge or a slider leaves free.
//!
//! With s the travel (angle or displacement of B relative to A): the lower limit is the row `s - s_min ≥ 0`, the upper
//! one `s_max - s ≥ 0`, each with a multiplier that only pushes back; the motor is the velocity row `ṡ = target` with
//! `|λ| ≤ max_force`.

use serde::{Deserialize, Serialize};

use super::super::{AxisMemory, ConstraintError, JacobianRow, Limits, RowLaw};
use super::attachment::not_negative;
use crate::digest::{Fingerprint, parameters};

/// A drive along the free motion.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Motor {
    /// Speed of B relative to A it tries to reach, rad/s or m/s.
    pub velocity: f64,
    /// Most torque (N·m) or force (N) it can exert.
    pub max_force: f64,
}

impl Fingerprint for Motor {
    parameters!("motor": velocity, max_force);
}

/// The optional rows along the free motion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Travel {
    pub(super) limits: Option<Limits>,
    pub(super) motor: Option<Motor>,
    /// Position where the joint was made, rad or m.
    pub(super) placed_at: f64,
}

impl Fingerprint for Travel {
    parameters!("travel": limits, motor, placed_at);
}

impl Travel {
    pub(super) fn rows(&self) -> usize {
        2 * usize::from(self.limits.is_some()) + usize::from(self.motor.is_some())
    }

    pub(super) fn law(&self, row: usize) -> RowLaw {
        match (self.limits, self.motor, row) {
            (Some(_), _, 0 | 1) | (_, None, _) => RowLaw::Unilateral,
            (_, Some(motor), _) => RowLaw::Motor { velocity: motor.velocity, max_force: motor.max_force },
        }
    }

    /// Middle of the limits, or the position where the joint was made.
    pub(super) fn center(&self) -> f64 {
        self.limits.map_or(self.placed_at, |limits| 0.5 * (limits.min + limits.max))
    }

    /// Limits that hold now.
    pub(super) fn limits_with(&self, memory: Option<&AxisMemory>) -> Option<Limits> {
        self.limits.map(|made| memory.and_then(|memory| memory.limits).unwrap_or(made))
    }

    pub(super) fn values(&self, travel: f64, memory: Option<&AxisMemory>, out: &mut [f64]) {
        if let Some(limits) = self.limits_with(memory) {
            out[0] = travel - limits.min;
            out[1] = limits.max - travel;
        }
        if self.motor.is_some() {
            out[self.rows() - 1] = 0.0;
        }
    }

    /// True for the row of the motor.
    pub(super) fn is_motor(&self, row: usize) -> bool {
        self.motor.is_some() && row + 1 == self.rows()
    }

    /// Spreads the Jacobian of the travel over the rows.
    pub(super) fn jacobian(&self, travel: JacobianRow, out: &mut [JacobianRow]) {
        if self.limits.is_some() {
            out[0] = travel;
            out[1] = -travel;
        }
        if self.motor.is_some() {
            out[self.rows() - 1] = travel;
        }
    }

    /// Spreads the bias of the travel over the rows.
    pub(super) fn bias(&self, travel: f64, out: &mut [f64]) {
        if self.limits.is_some() {
            out[0] = travel;
            out[1] = -travel;
        }
        if self.motor.is_some() {
            out[self.rows() - 1] = travel;
        }
    }
}

pub(super) fn check_motor(joint: &'static str, motor: Motor) -> Result<(), ConstraintError> {
    not_negative(joint, "max_force of the motor", motor.max_force)?;
    if motor.velocity.is_finite() {
        return Ok(());
    }
    let what = "velocity of the motor";
    Err(ConstraintError::Parameter { joint, what, wanted: "finite", got: motor.velocity })
}

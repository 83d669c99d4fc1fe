//! Errors of constraints.

use thiserror::Error;

/// Why a constraint was refused, or could not be enforced.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ConstraintError {
    /// A parameter is out of range.
    #[error("{joint}: {what} must be {wanted}, got {got}")]
    Parameter {
        /// Type of the joint.
        joint: &'static str,
        /// Which parameter.
        what: &'static str,
        /// The accepted range.
        wanted: &'static str,
        /// The value given.
        got: f64,
    },
    /// Both ends are the same body, or both are the world.
    #[error("joint `{name}`: its two ends must be different bodies, or a body and the world")]
    SameEnds {
        /// The joint.
        name: String,
    },
    /// Another constraint has this name.
    #[error("joint `{name}`: the name is taken; names of joints are unique in a world")]
    DuplicateName {
        /// The name.
        name: String,
    },
    /// The constraint claims no rows, or too many.
    #[error("joint `{name}`: it has {rows} rows, a constraint has 1 to {most}")]
    Dimension {
        /// The joint.
        name: String,
        /// Rows claimed.
        rows: usize,
        /// Rows allowed.
        most: usize,
    },
    /// A handle that is not of this set, or of a constraint that was removed.
    #[error("no joint has this handle: it was removed, or belongs to another world")]
    UnknownHandle,
    /// A value or Jacobian is NaN or infinite.
    #[error(
        "joint `{name}`: its row {row} is not finite at t = {time} s; check its definition and the states of its bodies"
    )]
    NotFinite {
        /// The joint.
        name: String,
        /// The row.
        row: usize,
        /// Time, s.
        time: f64,
    },
    /// Constraints demand different things of the same motion.
    #[error(
        "joints contradict each other at t = {time} s: {} cannot hold together ({level} off by {violation:e}); remove one \
         of them or correct its anchors", quoted(.names)
    )]
    Contradictory {
        /// The joints involved.
        names: Vec<String>,
        /// `position` or `velocity`.
        level: &'static str,
        /// How far off the worst row is, m or rad (per second).
        violation: f64,
        /// Time, s.
        time: f64,
    },
    /// Bodies could not be brought back to where the joints hold.
    #[error(
        "joint `{name}` is off by {error:e} (m or rad) after {iterations} Newton iterations at t = {time} s; reduce dt"
    )]
    PositionsNotConverged {
        /// The worst joint.
        name: String,
        /// Its largest position error, m or rad.
        error: f64,
        /// Iterations done.
        iterations: usize,
        /// Time, s.
        time: f64,
    },
    /// The choice of active limits and saturated motors did not settle.
    #[error(
        "limits and motors did not settle in {iterations} pivoting steps at t = {time} s (joint `{name}` undecided)"
    )]
    ActiveSetNotConverged {
        /// A joint that still wants to change.
        name: String,
        /// Pivoting steps done.
        iterations: usize,
        /// Time, s.
        time: f64,
    },
}

fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

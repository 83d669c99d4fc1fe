//! Attachments of a joint to its two bodies.

use serde::{Deserialize, Serialize};

use super::super::{ConstraintError, Pair};
use crate::digest::{Fingerprint, parameters};
use crate::math::Vec3;
use crate::physics::rigid_body::{BodyHandle, InertialState};
use crate::tolerance;

/// One end of a joint: a body with the state it is in when the joint is made, or the world.
///
/// Joints take anchors and axes in world coordinates and store them in the axes of each body, from its centre of
/// mass.
#[derive(Clone, Copy, Debug)]
pub struct JointEnd<'a> {
    body: Option<BodyHandle>,
    state: &'a InertialState,
}

impl<'a> JointEnd<'a> {
    /// The world.
    pub const WORLD: JointEnd<'static> = JointEnd { body: None, state: &InertialState::AT_REST };

    /// A body, in its present state.
    #[must_use]
    pub const fn body(handle: BodyHandle, state: &'a InertialState) -> Self {
        Self { body: Some(handle), state }
    }
}

/// The bodies of a joint and whether they collide; common to all joints.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct JointBodies {
    pub(super) bodies: [Option<BodyHandle>; 2],
    pub(super) collide: bool,
}

impl Fingerprint for JointBodies {
    parameters!("ends": bodies, collide);
}

impl JointBodies {
    pub(super) fn new(a: JointEnd<'_>, b: JointEnd<'_>) -> Self {
        Self { bodies: [a.body, b.body], collide: false }
    }
}

/// Both states when the joint is made.
pub(super) fn pair<'a>(a: JointEnd<'a>, b: JointEnd<'a>) -> Pair<'a> {
    Pair { a: a.state, b: b.state }
}

/// A world direction scaled to unit length.
pub(super) fn unit_axis(joint: &'static str, axis: Vec3) -> Result<Vec3, ConstraintError> {
    let length = axis.length();
    if !(length > tolerance::UNIT_VECTOR && length.is_finite()) {
        let wanted = "a direction: finite and not zero";
        return Err(ConstraintError::Parameter { joint, what: "length of the axis", wanted, got: length });
    }
    Ok(axis / length)
}

/// A point must be finite.
pub(super) fn finite_point(joint: &'static str, point: Vec3) -> Result<(), ConstraintError> {
    if point.is_finite() {
        return Ok(());
    }
    let got = [point.x, point.y, point.z].into_iter().find(|c| !c.is_finite()).unwrap_or(f64::NAN);
    Err(ConstraintError::Parameter { joint, what: "anchor", wanted: "finite", got })
}

/// A number must be finite.
pub(super) fn finite(joint: &'static str, what: &'static str, got: f64) -> Result<f64, ConstraintError> {
    if got.is_finite() {
        return Ok(got);
    }
    Err(ConstraintError::Parameter { joint, what, wanted: "finite", got })
}

/// A number must be finite and not negative.
pub(super) fn not_negative(joint: &'static str, what: &'static str, got: f64) -> Result<(), ConstraintError> {
    if got >= 0.0 && got.is_finite() {
        return Ok(());
    }
    Err(ConstraintError::Parameter { joint, what, wanted: "finite and at least zero", got })
}

//! Errors of a world.

use thiserror::Error;

use super::snapshot_error::SnapshotError;
use crate::certificate::FirstFailure;
use crate::physics::constraints::ConstraintError;
use crate::physics::constraints::contact::ContactProblemError;
use crate::physics::forces::FieldError;
use crate::physics::integration::IntegrationError;
use crate::physics::rigid_body::{BodyKind, InertiaError, MaterialError};

/// Every error names the culprit, the value and the limit. After an error the world is unchanged.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum WorldError {
    /// An input value is not finite, out of range or inconsistent.
    #[error("{subject}: {field} must be {expected}, got {value}")]
    Invalid {
        /// The subject, such as "body `lander`".
        subject: String,
        /// Which value.
        field: &'static str,
        /// The accepted values.
        expected: &'static str,
        /// The value given.
        value: String,
    },
    /// Mass or inertia of a body.
    #[error("body `{body}`: {source}")]
    Inertia {
        /// Name of the body.
        body: String,
        /// The problem.
        source: InertiaError,
    },
    /// Material of a body.
    #[error("body `{body}`: {source}")]
    Material {
        /// Name of the body.
        body: String,
        /// The problem.
        source: MaterialError,
    },
    /// Two bodies with one name.
    #[error("there is already a body named `{0}`; names are unique in a world")]
    DuplicateName(String),
    /// A handle of another world.
    #[error(
        "this handle belongs to another world; a copy of a world accepts the handles of what it was copied with and still has, \
         everything else is found by its name"
    )]
    ForeignHandle,
    /// A handle of a body, field or joint that was removed.
    #[error("this handle is stale: its {0} has been removed")]
    StaleHandle(&'static str),
    /// A state of other bodies or joints.
    #[error(
        "this state was taken with other bodies or joints (revision {state}, this world has {world}); take states after the last \
         body and joint was added, or store a snapshot"
    )]
    StateOfOtherModel {
        /// Revision of the bodies and joints of the state.
        state: u64,
        /// Revision of those of the world.
        world: u64,
    },
    /// An agent cannot act. The world is as it was before the step.
    #[error("agent `{agent}` at t = {time} s: {reason}")]
    Agent {
        /// Type name of the agent.
        agent: &'static str,
        /// Time at the start of the step, s.
        time: f64,
        /// The reason given by the agent.
        reason: String,
    },
    /// A step that is not certified, where that is required. The world is as it was before the step.
    #[error(
        "step refused, not certified: {0}; take shorter steps, or allow it by turning `require` of the certificate off"
    )]
    NotCertified(Box<FirstFailure>),
    /// Contact gave a body a velocity or position that is not finite.
    #[error(
        "step {step} at t = {time} s: contact gave body `{body}` a velocity or position that is not finite; its masses, velocities or loads are too large for double precision, or a smaller dt is needed"
    )]
    ContactDiverged {
        /// Number of the step.
        step: u64,
        /// Time at its start, s.
        time: f64,
        /// Name of the body.
        body: String,
    },
    /// A contact problem with values that are not finite.
    #[error("step {step} at t = {time} s: {source}")]
    Contact {
        /// Number of the step.
        step: u64,
        /// Time at its start, s.
        time: f64,
        /// The problem.
        source: ContactProblemError,
    },
    /// A user's rule for pairs of materials gave a value out of its range. The world is as it was before the step.
    #[error(
        "step {step} at t = {time} s: bodies `{a}` and `{b}`: the rule for pairs of materials gave {source}"
    )]
    PairMaterial {
        /// Number of the step.
        step: u64,
        /// Time at its start, s.
        time: f64,
        /// Name of body A.
        a: String,
        /// Name of body B.
        b: String,
        /// Which value.
        source: MaterialError,
    },
    /// Something that only one kind of body can do.
    #[error("body `{body}` is {kind}: {problem}")]
    Kind {
        /// Name of the body.
        body: String,
        /// Its kind.
        kind: &'static str,
        /// The operation that is not possible.
        problem: &'static str,
    },
    /// A body that a field or joint refers to cannot be removed.
    #[error("body `{body}` is used by {user}; remove that first")]
    InUse {
        /// Name of the body.
        body: String,
        /// The field or joint that uses it.
        user: String,
    },
    /// Too far from the origin for f64 to place the body as finely as the engine promises.
    #[error(
        "body `{body}`: at {distance:e} m from the origin neighbouring positions are {spacing:e} m apart, coarser \
         than the {limit:e} m this engine promises; move the origin closer"
    )]
    OutOfResolution {
        /// Name of the body.
        body: String,
        /// Largest coordinate, m.
        distance: f64,
        /// One ulp there, m.
        spacing: f64,
        /// The coarsest spacing accepted, m.
        limit: f64,
    },
    /// A step that would move a body to where f64 no longer resolves its position. The world is unchanged.
    #[error("step {step} from t = {time} s failed: {source}")]
    StepOutOfResolution {
        /// Number of the step, from 1.
        step: u64,
        /// Time at its start, s.
        time: f64,
        /// Which body, and where.
        source: Box<WorldError>,
    },
    /// A step that could not be computed. The world is as it was before the step.
    #[error("step {step} from t = {time} s failed: {source}")]
    Step {
        /// Number of the step, from 1.
        step: u64,
        /// Time at its start, s.
        time: f64,
        /// The cause.
        source: IntegrationError,
    },
    /// An energy that is NaN or infinite. The world is as it was before the step.
    #[error("step {step} from t = {time} s failed: {what} of body `{body}` is not finite: {value} J")]
    EnergyNotFinite {
        /// Number of the step, from 1.
        step: u64,
        /// Time at its start, s.
        time: f64,
        /// Which energy, such as "the energy of the field `spring`".
        what: String,
        /// Name of the body.
        body: String,
        /// J.
        value: f64,
    },
    /// The energy of springs among the joints is NaN or infinite. The world is as it was before the step.
    #[error("step {step} from t = {time} s failed: the energy of springs in joints is not finite: {value} J")]
    JointEnergyNotFinite {
        /// Number of the step, from 1.
        step: u64,
        /// Time at its start, s.
        time: f64,
        /// J.
        value: f64,
    },
    /// A joint that was refused.
    #[error(transparent)]
    Joint(#[from] ConstraintError),
    /// A field that cannot act on a body.
    #[error("body `{body}`: {source}")]
    Field {
        /// Name of the body.
        body: String,
        /// The problem.
        source: FieldError,
    },
    /// A snapshot that does not fit.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
}

impl WorldError {
    /// The name of the body at fault, if there is one.
    #[must_use]
    pub fn body(&self) -> Option<&str> {
        match self {
            Self::ContactDiverged { body, .. }
            | Self::OutOfResolution { body, .. }
            | Self::EnergyNotFinite { body, .. } => Some(body),
            Self::StepOutOfResolution { source, .. } => source.body(),
            Self::Step { source, .. } => source.body(),
            _ => None,
        }
    }
}

/// An operation that this kind of body does not support.
pub(super) fn kind_error(body: &str, kind: BodyKind, problem: &'static str) -> WorldError {
    let kind = match kind {
        BodyKind::Dynamic => "dynamic",
        BodyKind::Static => "static",
        BodyKind::Kinematic => "kinematic",
        BodyKind::Graphical => "graphical",
    };
    WorldError::Kind { body: body.to_owned(), kind, problem }
}

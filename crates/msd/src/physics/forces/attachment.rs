//! `Attachment`: where one end of a spring or damper is fixed.

use serde::{Deserialize, Serialize};

use super::FieldError;
use super::field_error::Check;
use crate::digest::{Fingerprint, Hasher};
use crate::math::{Coordinate, Vec3};
use crate::physics::rigid_body::{Bodies, BodyHandle, BodyKind};

/// A point fixed to a body or to the world.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Attachment {
    /// A point of the world, m.
    World(Coordinate),
    /// A point of a body, in the frame of the body (not relative to its centre of mass), m.
    Body(BodyHandle, Coordinate),
}

impl Fingerprint for Attachment {
    fn fingerprint(&self, hasher: &mut Hasher) {
        match self {
            Self::World(point) => {
                hasher.text("world");
                point.fingerprint(hasher);
            }
            Self::Body(body, point) => {
                hasher.text("body");
                body.fingerprint(hasher);
                point.fingerprint(hasher);
            }
        }
    }
}

/// Where an end is now and how it moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct AttachmentPoint {
    pub(super) position: Coordinate,
    pub(super) velocity: Vec3,
    /// From the centre of mass of the body to the end, world frame; zero for the world.
    pub(super) arm: Vec3,
    /// True if forces move it.
    pub(super) is_dynamic: bool,
}

impl Attachment {
    pub(super) fn at(&self, bodies: &Bodies<'_>) -> AttachmentPoint {
        match *self {
            Attachment::World(position) => {
                AttachmentPoint { position, velocity: Vec3::ZERO, arm: Vec3::ZERO, is_dynamic: false }
            }
            Attachment::Body(handle, point) => {
                let body = bodies.get(handle);
                let arm = body.direction_to_world(point - body.body.center_of_mass_local);
                let position = body.state.center_of_mass + arm;
                let is_dynamic = body.body.kind == BodyKind::Dynamic;
                let velocity = body.state.velocity + body.state.angular_velocity.cross(arm);
                AttachmentPoint { position, velocity, arm, is_dynamic }
            }
        }
    }

    pub(super) fn is_on(&self, slot: usize) -> bool {
        matches!(self, Attachment::Body(handle, _) if handle.slot() == slot)
    }

    fn handle(&self) -> Option<BodyHandle> {
        match self {
            Attachment::World(_) => None,
            Attachment::Body(handle, _) => Some(*handle),
        }
    }

    fn point(&self) -> Coordinate {
        match self {
            Attachment::World(point) | Attachment::Body(_, point) => *point,
        }
    }
}

/// The bodies at two ends, which must be different things, at least one of them a body.
pub(super) fn joined_bodies(
    field: &'static str,
    a: &Attachment,
    b: &Attachment,
) -> Result<Vec<BodyHandle>, FieldError> {
    Check(field).finite_vector("first attachment", a.point())?;
    Check(field).finite_vector("second attachment", b.point())?;
    let problem = match (a.handle(), b.handle()) {
        (None, None) => "both ends are fixed to the world; attach at least one to a body",
        (Some(a), Some(b)) if a == b => "both ends are fixed to the same body; attach one to something else",
        (a, b) => return Ok(a.into_iter().chain(b).collect()),
    };
    Err(FieldError::Conflict { field, problem })
}

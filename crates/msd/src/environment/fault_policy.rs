//! Fault policies and quarantined bodies.

use serde::{Deserialize, Serialize};

use super::WorldError;
use crate::physics::rigid_body::BodyHandle;

/// Behaviour of a world when a step cannot be computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum FaultPolicy {
    /// The step returns the error, and the world is unchanged.
    #[default]
    Halt,
    /// If the error has one body at fault, that body is quarantined and the step continues without it;
    /// otherwise as [`FaultPolicy::Halt`].
    Quarantine,
}

/// A body that was removed from the simulation.
#[derive(Clone, Debug, PartialEq)]
pub struct Quarantine {
    /// The body; its handle stays valid.
    pub body: BodyHandle,
    /// Its name.
    pub name: String,
    /// Number of the step that it would have made fail, from 1.
    pub step: u64,
    /// Time at the start of that step, s.
    pub time: f64,
    /// The cause.
    pub cause: WorldError,
    /// Names of the joints that were removed with it.
    pub joints: Vec<String>,
    /// Types of the fields that were removed with it.
    pub fields: Vec<&'static str>,
}

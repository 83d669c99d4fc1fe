//! The world: bodies, fields, joints, contacts and time.

mod articulations;
pub mod batch;
mod bodies;
mod body_changes;
mod body_description;
mod body_tree;
mod certify;
mod contact;
mod contacts;
mod couplings;
mod debug_draw;
mod drive_state;
mod energy_ledger;
mod error;
mod fault;
mod fault_policy;
mod field_handle;
mod fields;
mod former_body;
mod joint_axes;
mod joint_builders;
mod joint_event;
mod joint_events;
mod joints;
mod loads;
mod queries;
mod run;
mod sealed_bytes;
mod sensors;
mod shape_limits;
mod simulation_time;
mod sleep;
mod sleep_state;
mod snapshot;
mod snapshot_error;
mod state;
mod step;
mod step_report;
mod subdivision;
mod trigger_event;
mod triggers;
mod union_find;
mod validate;
mod workspace;
mod world;
mod world_bytes;

pub use body_changes::BodyChange;
pub use body_description::BodyDescription;
pub use contact::{
    AutoLimits, ContactEvent, ContactEventKind, ContactForceEvent, ContactHook, ContactReport, ContactScheme,
    ContactSettings, ContactTier, ContactView, GeometricMean, HookedPair, ImpactRecord, PairMaterials,
    PairResponse,
};
pub use debug_draw::{DrawSettings, DrawnPart};
pub use energy_ledger::{EnergyLedger, StepEnergy};
pub use error::WorldError;
pub use fault_policy::{FaultPolicy, Quarantine};
pub use field_handle::FieldHandle;
pub use joint_builders::{Ground, JointBody};
pub use joint_event::{BreakLoad, JointEvent, JointEventKind};
pub use queries::QueryFilter;
pub use sensors::{Sensor, Site};
pub use simulation_time::{SimulationTime, steps_to_cover};
pub use sleep_state::SleepSettings;
pub use snapshot::Snapshot;
pub use snapshot_error::SnapshotError;
pub use state::State;
pub use step_report::{ContactSummary, JointErrors, Phase, PhaseTimes, RunReport, StepReport};
pub use trigger_event::{TriggerEvent, TriggerEventKind};
pub use world::World;
pub use world_bytes::WorldBytesError;

/// The guide to contact, whose code is compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../../docs/contact.md")]
struct GuideToContact;

/// The guide to supported ranges and failed steps, whose code is compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../../docs/limits.md")]
struct GuideToLimits;

/// The guide to sleep, whose code is compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../../docs/sleep.md")]
struct GuideToSleep;

/// The guide to robots, whose code is compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../../docs/robots.md")]
struct GuideToRobots;

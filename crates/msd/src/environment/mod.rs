//! The world: the one owner of bodies, fields, joints and time.

mod articulations;
pub mod batch;
mod bodies;
mod body_description;
mod certify;
mod contact;
mod contacts;
mod door;
mod energy_ledger;
mod error;
mod fault;
mod fields;
mod groups;
mod joint_axes;
mod joints;
mod loads;
mod queries;
mod run;
mod sensors;
mod shape_limits;
mod simulation_time;
mod sleep;
mod snapshot;
mod state;
mod step;
mod step_report;
mod world;

pub use body_description::BodyDescription;
pub use contact::{
    AutoLimits, ContactEvent, ContactEventKind, ContactReport, ContactSettings, ContactTier, ContactView,
    GeometricMean, ImpactRecord, PairMaterials,
};
pub use energy_ledger::{EnergyLedger, StepEnergy};
pub use error::WorldError;
pub use fault::{FaultPolicy, Quarantine};
pub use fields::FieldHandle;
pub use queries::QueryFilter;
pub use sensors::{Sensor, Site};
pub use simulation_time::{SimulationTime, steps_to_cover};
pub use sleep::SleepSettings;
pub use snapshot::{Snapshot, SnapshotError};
pub use state::State;
pub use step_report::{ContactSummary, JointErrors, Phase, PhaseTimes, RunReport, StepReport};
pub use world::World;

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

//! Recordings: a run in one SQLite file that can be queried, replayed, verified and exported.
//!
//! A [`Recorder`] writes in its own thread while a world runs; a [`Recording`] reads the file, during the run
//! or after. The file holds everything needed to view the run (geometry, static bodies, states, contacts,
//! joint reactions, energies, solver figures, events) and everything needed to run it again (scene,
//! snapshots, commands). Every row and BLOB has a checksum, and a finished file is sealed as a whole.
//!
//! ```
//! use msd::environment::{BodyDescription, World};
//! use msd::physics::rigid_body::shape::{Shape, Sphere};
//! use msd_recording::{RecordOptions, Recorder, Recording};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("drop.msdr");
//! let mut world = World::new();
//! let ball = Shape::Sphere(Sphere::new(0.1)?);
//! world.add_body(BodyDescription::dynamic("ball", ball).mass(1.0).position([0.0, 0.0, 10.0].into()))?;
//!
//! let mut recorder = Recorder::create(&path, &world, &RecordOptions::new().every(0.01))?;
//! for _ in 0..1000 {
//!     let step = world.step(0.001)?;
//!     recorder.observe(&world, &step, [].iter())?;
//! }
//! recorder.finish(&world, "done", None, None)?;
//!
//! let recording = Recording::open(&path)?;
//! let (time, state) = recording.history(recording.body("ball")?)?[100];
//! assert_eq!(time, 1.0);
//! assert!((state.center_of_mass.z - (10.0 - 0.5 * 9.81)).abs() < 1e-12);
//! # Ok(())
//! # }
//! ```

mod appearance;
mod error;
mod export;
mod format;
mod frame;
mod model;
mod plot;
mod read;
mod source;
mod verify;
mod write;

pub use appearance::{RecordedAppearance, RecordedVisual};
pub use error::RecordingError;
pub use export::{ExportFormat, ExportTable};
pub use format::{APPLICATION_ID, EnvelopeError, SCHEMA_VERSION};
pub use frame::{Contact, Event, EventKind, Frame, FrameSummary, JointReaction};
pub use model::{RecordedBody, RecordedJoint};
pub use plot::PlotKind;
pub use read::{
    Anomalies, Extreme, JointSample, Keyframe, Overview, RecordedEnding, Recording, is_recording_file,
};
pub use source::{RecordedFile, RecordedScene};
pub use verify::{Difference, Verification};
pub use write::{Ending, Finished, RecordOptions, Recorder};

/// The code on the user's page compiles.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/recording.md")]
struct RecordingPage;

//! The certificate of a step: its outcome, judged by code that shares nothing with what computed it.
//!
//! A step is certified if all of these hold:
//!
//! | row | figure | certified at |
//! |---|---|---|
//! | contact | residual of Signorini's and Coulomb's laws, approach velocity at closed contacts | 1e-8 m/s, relative above 1 m/s |
//! | impact | restitution obtained against asked, at the instant of the impact; impacts taken inelastically | 1e-9; none |
//! | geometry | true overlap beyond that before the step; pairs that crossed; forces between bodies apart | 1e-6 of the smaller body; none |
//! | displacement | displacement and rotation that velocities do not explain | own overlap before + 1e-6 of the size |
//! | joints | position and velocity error at the end; error at the start | 1e-9; 1e-6 |
//! | energy | unexplained change, corrections counted; dissipation | 1e-9 of the energy and the order of the method; not negative |
//!
//! The judge has its own support functions (`convex`), distances (`distance`) and search for pairs (`geometry`); it imports no
//! solver, no narrow phase and nothing that is remembered between steps by either. Of the engine's word it takes where contacts
//! are said to be and what they are said to have transmitted, and holds both against the states.

mod convex;
mod displacement;
mod distance;
mod energy;
mod evidence;
mod flight_path;
mod geometry;
mod impact_geometry;
mod joints;
mod judge;
mod laws;
mod near_pairs;
mod overlap;
mod run_certificate;
mod step_certificate;

pub use evidence::{BookedEnergy, DeclaredImpact, DeclaredPoint, Evidence, Motion};
pub use joints::JudgedJoint;
pub use judge::{CertificateSettings, Judge, JudgedStep};
pub use run_certificate::{FirstFailure, RunCertificate};
pub use step_certificate::{Check, Failure, Fault, Figure, StepCertificate};

/// The user's page, whose code is compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../../docs/certificate.md")]
struct Guide;

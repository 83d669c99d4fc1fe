//! The certificate of a step: its result, checked by code that imports no solver, no narrow phase and no integrator.
//!
//! A step is certified if all of these hold:
//!
//! | row | figure | certified at |
//! |---|---|---|
//! | contact | residual of Signorini's and Coulomb's laws, approach velocity at closed contacts | 1e-8 m/s, relative above 1 m/s |
//! | impact | actual against required restitution, at the instant of the impact; impacts resolved inelastically | 1e-9; none |
//! | geometry | overlap beyond that before the step; pairs that crossed; forces between separated bodies | 1e-6 of the smaller body; none |
//! | displacement | displacement and rotation that velocities do not explain | own overlap before + 1e-6 of the size |
//! | joints | position and velocity error at the end; error at the start | 1e-9; 1e-6 |
//! | energy | unexplained change, corrections counted; dissipation | 1e-9 of the energy and the order of the method; not negative |
//!
//! It has its own support functions (`convex`), distances (`distance`) and search for pairs (`geometry`), and reads no
//! cache of the engine. It shares the definitions with the engine: shapes, inertias, and the values and Jacobians of
//! constraints. The engine declares positions and impulses of contacts; both are checked against the states.
//! `crates/msd/tests/layers.rs` checks the imports.

mod ascent;
mod box_depth;
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
mod least_depth;
mod momentum;
mod near_pairs;
mod overlap;
mod run_certificate;
mod step_certificate;

pub use evidence::{DeclaredImpact, DeclaredPoint, Evidence, LedgerEnergy, Motion};
pub use joints::JudgedJoint;
pub use judge::{CertificateSettings, Judge, JudgedStep};
pub use run_certificate::{FirstFailure, RunCertificate};
pub use step_certificate::{Check, Failure, Fault, Figure, StepCertificate};

/// The guide to the certificate, whose code is compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../../docs/certificate.md")]
struct Guide;

//! The certificate of a run, in the keys that programs rely on.

use msd::certificate::{Check, RunCertificate};
use serde::Serialize;

/// The certificate of a run: six rows, each the worst of all steps.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CertificateReport {
    /// True if every limit held in every step.
    pub certified: bool,
    /// Steps judged.
    pub steps: u64,
    /// Steps that broke a limit.
    pub failed_steps: u64,
    /// Steps whose geometry was checked.
    pub geometry_steps: u64,
    /// The first failure, in one line; `null` if there was none.
    pub first_failure: Option<FailureReport>,
    /// Signorini's and Coulomb's laws.
    pub contact: ContactRow,
    /// Restitution.
    pub impact: ImpactRow,
    /// Overlap and crossings.
    pub geometry: GeometryRow,
    /// Displacement that velocities do not explain.
    pub displacement: DisplacementRow,
    /// Joints.
    pub joints: JointsRow,
    /// Energy.
    pub energy: ScaledRow,
}

/// The first limit that a run broke.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FailureReport {
    /// Name of the row.
    pub row: &'static str,
    /// The limit that was exceeded.
    pub what: &'static str,
    /// The figure found.
    pub figure: f64,
    /// The certified limit.
    pub limit: f64,
    /// Step, from 1.
    pub step: u64,
    /// Time at the end of the step, s.
    pub time: f64,
    /// Bodies concerned.
    pub bodies: Vec<String>,
    /// All of it in one line.
    pub message: String,
}

/// Row of the contact law.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ContactRow {
    /// Steps that broke a limit of this row.
    pub failed_steps: u64,
    /// m/s, relative above 1 m/s.
    pub residual: f64,
    /// Largest approach velocity at a closed contact, m/s, relative above 1 m/s.
    pub approach_velocity: f64,
    /// Largest change of velocity by contact that contact impulses do not explain, m/s, relative above 1 m/s.
    pub momentum_error: f64,
}

/// Row of the impact law.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ImpactRow {
    /// Steps that broke a limit of this row.
    pub failed_steps: u64,
    /// Largest relative error of the restitution.
    pub restitution_error: f64,
    /// How far the contact points of an impact are from those of its instant, relative to the smaller body.
    pub geometry_error: f64,
    /// Impacts with less restitution than their material demands.
    pub inelastic: u64,
}

/// Row of the geometry.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GeometryRow {
    /// Steps that broke a limit of this row.
    pub failed_steps: u64,
    /// Deepest true overlap, m.
    pub overlap: f64,
    /// Largest overlap made by a step, relative to the smaller body.
    pub overlap_made: f64,
    /// Pairs that passed through each other.
    pub crossings: u64,
    /// Pairs that came near each other on paths that are not known well enough to tell whether they did.
    pub unverified: u64,
    /// Largest distance at which bodies exchanged a force, m.
    pub force_apart: f64,
    /// Deepest overlap along a contact normal that is not one, m.
    pub tilted_normal: f64,
}

/// Row of unexplained displacement.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DisplacementRow {
    /// Steps that broke a limit of this row.
    pub failed_steps: u64,
    /// Relative to the size of the body.
    pub distance: f64,
    /// rad.
    pub angle: f64,
}

/// Row of the joints.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JointsRow {
    /// Steps that broke a limit of this row.
    pub failed_steps: u64,
    /// At the end of a step, m or rad.
    pub position: f64,
    /// At the end of a step, m/s or rad/s, relative above 1.
    pub velocity: f64,
    /// Before a step, m or rad.
    pub before: f64,
}

/// Row of the energy.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScaledRow {
    /// Steps that broke a limit of this row.
    pub failed_steps: u64,
    /// Unexplained in a step, corrections counted, J.
    pub unexplained: f64,
    /// The same beyond the order of the method, relative to the energy.
    pub relative: f64,
    /// Least dissipated in a step, J.
    pub least_dissipated: f64,
}

impl From<&RunCertificate> for CertificateReport {
    fn from(run: &RunCertificate) -> Self {
        let worst = &run.worst;
        let failed = |check: Check| run.failed_by_row[check as usize];
        Self {
            certified: run.is_certified(),
            steps: run.steps,
            failed_steps: run.failed_steps,
            geometry_steps: run.geometry_steps,
            first_failure: run.first_failure.as_ref().map(|first| FailureReport {
                row: first.failure.fault.check().name(),
                what: first.failure.fault.describe(),
                figure: first.failure.figure,
                limit: first.failure.limit,
                step: first.step,
                time: first.time,
                bodies: first.bodies.clone(),
                message: first.to_string(),
            }),
            contact: ContactRow {
                failed_steps: failed(Check::Contact),
                residual: worst.residual,
                approach_velocity: worst.approach.value,
                momentum_error: worst.momentum.value,
            },
            impact: ImpactRow {
                failed_steps: failed(Check::Impact),
                restitution_error: worst.restitution.value,
                geometry_error: worst.impact_geometry.value,
                inelastic: worst.inelastic_impacts as u64,
            },
            geometry: GeometryRow {
                failed_steps: failed(Check::Geometry),
                overlap: worst.overlap.value,
                overlap_made: worst.overlap_made.value,
                crossings: worst.crossings as u64,
                unverified: worst.unverified as u64,
                force_apart: worst.force_apart.value,
                tilted_normal: worst.tilted_normal.value,
            },
            displacement: DisplacementRow {
                failed_steps: failed(Check::Displacement),
                distance: worst.displacement.value,
                angle: worst.rotation.value,
            },
            joints: JointsRow {
                failed_steps: failed(Check::Joints),
                position: worst.joint_position.value,
                velocity: worst.joint_velocity.value,
                before: worst.joint_before.value,
            },
            energy: ScaledRow {
                failed_steps: failed(Check::Energy),
                unexplained: worst.energy_unexplained,
                relative: worst.energy_relative,
                least_dissipated: worst.dissipated,
            },
        }
    }
}

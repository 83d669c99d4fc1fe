//! The certificate of a world: all rows of a step in order.

use serde::{Deserialize, Serialize};

use super::displacement::DisplacementJudge;
use super::evidence::Evidence;
use super::geometry::{GeometryJudge, PairSelection};
use super::joints::JudgedJoint;
use super::momentum::MomentumJudge;
use super::step_certificate::StepCertificate;
use super::{energy, impact_geometry, joints, laws};

/// Settings of the certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CertificateSettings {
    /// Refuse a step that is not certified, instead of reporting it.
    pub require: bool,
    /// After another row has failed, the geometry is examined only once in this many steps. Steps that would be
    /// certified are always examined.
    pub geometry_interval: u64,
    /// Pairs whose motion in a step is below a quarter of the certified overlap are examined only once in this many
    /// steps, and in the first step and after a change by the user. They cannot have made more overlap, nor crossed.
    pub still_interval: u64,
}

impl Default for CertificateSettings {
    fn default() -> Self {
        Self { require: false, geometry_interval: 32, still_interval: 64 }
    }
}

/// The step to check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JudgedStep {
    /// Changes with the set of bodies.
    pub revision: u64,
    /// From 1.
    pub number: u64,
    /// True if the state at the start did not come from a step.
    pub touched: bool,
}

/// Checks steps. Its list of near pairs saves time and changes no figure.
#[derive(Clone, Debug, Default)]
pub struct Judge {
    geometry: GeometryJudge,
    displacement: DisplacementJudge,
    momentum: MomentumJudge,
    /// Revision of its set of bodies.
    revision: u64,
}

impl Judge {
    /// Checks a step.
    pub fn judge<'a>(
        &mut self,
        step: &Evidence<'_>,
        joints: impl Iterator<Item = JudgedJoint<'a>>,
        which: JudgedStep,
        settings: &CertificateSettings,
    ) -> StepCertificate {
        let mut found = StepCertificate::default();
        laws::contact(step, &mut found);
        laws::impact(step, &mut found);
        impact_geometry::judge(step, &mut found);
        self.momentum.begin(step);
        let opening = joints::judge(step, joints, which.touched, &mut self.momentum, &mut found);
        self.momentum.judge(step, &mut found);
        energy::judge(step, opening, &mut found);
        if which.revision != self.revision {
            self.geometry.forget();
            self.revision = which.revision;
        }
        self.geometry.look(step);
        self.displacement.judge(step, &mut self.geometry, &mut found);
        let every = |interval: u64, phase: u64| which.number % interval.max(1) == phase % interval.max(1);
        let looked = if which.touched || every(settings.still_interval, 1) {
            PairSelection::All
        } else if found.is_certified() || every(settings.geometry_interval, 0) {
            PairSelection::Moved
        } else {
            PairSelection::Crossings
        };
        self.geometry.judge(step, looked, &mut found);
        found
    }
}

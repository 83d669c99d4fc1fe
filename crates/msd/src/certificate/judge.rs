//! The judge of a world: all rows of a step, one after another.

use super::displacement::DisplacementJudge;
use super::evidence::Evidence;
use super::geometry::{GeometryJudge, Looked};
use super::joints::JudgedJoint;
use super::step_certificate::StepCertificate;
use super::{energy, impact_geometry, joints, laws};

/// How a world is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CertificateSettings {
    /// Refuse a step that is not certified, instead of reporting it.
    pub require: bool,
    /// Of steps that another row has already failed, the geometry is looked at in every so many only. Steps that would be certified
    /// are always looked at.
    pub geometry_interval: u64,
    /// Pairs that a step moved by less than a quarter of the overlap that is certified are looked at in every so many steps only, the first
    /// and those after a change by hand included. They cannot have made more overlap, nor passed through each other.
    pub still_interval: u64,
}

impl Default for CertificateSettings {
    fn default() -> Self {
        Self { require: false, geometry_interval: 32, still_interval: 64 }
    }
}

/// Which step is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JudgedStep {
    /// Another number whenever there are other bodies.
    pub revision: u64,
    /// From 1.
    pub number: u64,
    /// True if the state at the start was made by other means than a step.
    pub touched: bool,
}

/// Judges one step after another. It remembers which bodies are near each other, which saves time and changes no figure.
#[derive(Clone, Debug, Default)]
pub struct Judge {
    geometry: GeometryJudge,
    displacement: DisplacementJudge,
    /// Revision of the set of bodies it knows.
    revision: u64,
}

impl Judge {
    /// Judges a step.
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
        joints::judge(step, joints, which.touched, &mut found);
        energy::judge(step, &mut found);
        if which.revision != self.revision {
            self.geometry.forget();
            self.revision = which.revision;
        }
        self.geometry.look(step);
        self.displacement.judge(step, &mut self.geometry, &mut found);
        let every = |interval: u64, phase: u64| which.number % interval.max(1) == phase % interval.max(1);
        let looked = if which.touched || every(settings.still_interval, 1) {
            Looked::All
        } else if found.is_certified() || every(settings.geometry_interval, 0) {
            Looked::Moved
        } else {
            Looked::Crossings
        };
        self.geometry.judge(step, looked, &mut found);
        found
    }
}

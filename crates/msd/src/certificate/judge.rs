//! The judge of a world: all rows of a step, one after another.

use super::displacement::DisplacementJudge;
use super::evidence::Evidence;
use super::geometry::GeometryJudge;
use super::joints::JudgedJoint;
use super::step_certificate::StepCertificate;
use super::{energy, impact_geometry, joints, laws};
use crate::physics::rigid_body::InertialState;

/// How a world is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CertificateSettings {
    /// Refuse a step that is not certified, instead of reporting it.
    pub require: bool,
    /// Of steps that another row has already failed, the geometry is looked at in every so many only. Steps that would be certified
    /// are always looked at.
    pub geometry_interval: u64,
}

impl Default for CertificateSettings {
    fn default() -> Self {
        Self { require: false, geometry_interval: 8 }
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

/// Judges one step after another, with memory of which bodies it has looked at.
#[derive(Clone, Debug, Default)]
pub struct Judge {
    geometry: GeometryJudge,
    displacement: DisplacementJudge,
    /// Revision of the set of bodies it knows.
    revision: u64,
}

impl Judge {
    /// Forgets which bodies it has looked at: the next step is looked at as a whole.
    pub fn forget(&mut self) {
        self.geometry.forget();
    }

    /// To be called when the step that was judged last has become the state, with the states at its end.
    pub fn accept(&mut self, end: &[InertialState]) {
        self.geometry.accept(end);
    }

    /// To be called when a step was refused, whether it was judged or not.
    pub fn retract(&mut self) {
        self.geometry.retract();
    }

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
        if found.is_certified() || which.number.is_multiple_of(settings.geometry_interval.max(1)) {
            self.geometry.judge(step, &mut found);
        }
        found
    }
}

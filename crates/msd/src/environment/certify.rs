//! The phase of a step that computes its certificate.

use super::energy_ledger::{EnergySum, StepEnergy};
use super::simulation_time::SimulationTime;
use super::{World, WorldError};
use crate::certificate::{
    CertificateSettings, Evidence, FirstFailure, JudgedJoint, JudgedStep, LedgerEnergy, StepCertificate,
};
use crate::physics::rigid_body::InertialState;

/// Ledger entries up to the end of free flight, J.
#[derive(Clone, Copy, Debug)]
pub(super) struct FlightEnergy {
    pub(super) work_in: f64,
    pub(super) dissipated: f64,
    /// Added by closing joints.
    pub(super) correction: f64,
}

impl World {
    /// Certificate settings.
    #[must_use]
    pub fn certificate_settings(&self) -> &CertificateSettings {
        &self.certificate_settings
    }

    /// Changes the certificate settings from the next step on.
    pub fn set_certificate_settings(&mut self, settings: CertificateSettings) {
        self.certificate_settings = settings;
    }

    /// Name of the body in a slot of this world; empty if there is none.
    #[must_use]
    pub fn name_of(&self, slot: usize) -> String {
        self.bodies.get(slot).map(|body| body.name.clone()).unwrap_or_default()
    }

    /// Phase 7: computes the certificate of the step.
    pub(super) fn certify(
        &mut self,
        time: SimulationTime,
        dt: f64,
        energy: &StepEnergy,
        flight: &FlightEnergy,
    ) -> StepCertificate {
        let energy = self.booked(time, energy, flight);
        let (number, touched) = (self.state.steps + 1, self.workspace.unjudged);
        let revision = self.revision();
        let Self { contacts, workspace, judge, joints, bodies, state, certificate_settings, .. } = self;
        contacts.declare_points(&workspace.start, dt, &mut workspace.points);
        contacts.declare_impacts(&mut workspace.impacts);
        contacts.declare_joints(joints, bodies.len(), &mut workspace.timed_joints);
        let evidence = Evidence {
            bodies,
            inertias: &state.inertias,
            start: &workspace.start,
            flown: if workspace.flies { &workspace.next } else { &workspace.flown },
            end: &workspace.next,
            dt,
            time: time.seconds(),
            excluded: &|a, b| contacts.is_excluded(a, b),
            asleep: &|slot| state.sleep.is_asleep(slot),
            residual: contacts.report.residual,
            inelastic_impacts: contacts.report.inelastic_impacts,
            points: &workspace.points,
            impacts: &workspace.impacts,
            timed_joints: &workspace.timed_joints,
            energy,
        };
        let set = &*joints;
        let joints = set.enabled().map(|(handle, _, joint)| JudgedJoint {
            joint: (joint.as_ref(), set.axis_memory(handle.slot())),
            parts: set.judged_parts(handle.slot()),
        });
        let step = JudgedStep { revision, number, touched };
        judge.judge(&evidence, joints, step, certificate_settings)
    }

    /// Refuses a step that is not certified, if it is to be.
    ///
    /// # Errors
    /// Names the first limit that was broken.
    pub(super) fn require_certified(
        &self,
        found: &StepCertificate,
        time: SimulationTime,
    ) -> Result<(), WorldError> {
        let Some(failure) = found.failure().filter(|_| self.certificate_settings.require) else {
            return Ok(());
        };
        let bodies = failure.slots.into_iter().flatten().map(|slot| self.name_of(slot)).collect();
        let (step, time) = (self.state.steps + 1, time.seconds());
        Err(WorldError::NotCertified(Box::new(FirstFailure { step, time, failure, bodies })))
    }

    /// Ledger entries of the step, with the energy that free flight alone leaves unexplained.
    fn booked(&self, time: SimulationTime, step: &StepEnergy, flight: &FlightEnergy) -> LedgerEnergy {
        let ledger = &self.state.ledger;
        let mut booked = LedgerEnergy {
            kinetic: [ledger.kinetic, step.kinetic, step.kinetic],
            potential: step.potential,
            dissipated: step.dissipated,
            correction: step.correction - flight.correction,
            unexplained: step.unexplained,
            unexplained_in_flight: step.unexplained,
        };
        if self.contacts.report.islands > 0 || self.contacts.report.contacts > 0 || booked.correction != 0.0 {
            let EnergySum { kinetic, potential } = self.energy_of(&self.workspace.flown, time.seconds());
            // Springs and rotors of joints that free flight leaves to contact take no part in it.
            let idle = |states: &[InertialState], at: f64| self.joints.energy_left_to_contact(states, at);
            let idle = idle(&self.workspace.flown, time.seconds()) - idle(&self.workspace.start, self.time());
            let rise = kinetic + potential - ledger.total() - idle;
            booked.kinetic[1] = kinetic;
            booked.unexplained_in_flight = rise - flight.work_in - flight.correction + flight.dissipated;
        }
        booked
    }
}

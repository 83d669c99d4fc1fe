//! Steps in parts: where bodies would pass through each other within a step, or the judge cannot tell, the step is taken in halves, and
//! these in halves again.
//!
//! Contact is linearised over a span, so that a rod that turns by three turns in it, or a body thrown back to where nobody looked for it, is
//! beyond it; half of the span is not, sooner or later. Loads and the velocities of kinematic bodies are those of the whole step in
//! every part. The report of the step is the worst of its parts, its energies are their sums.

use super::contact::{ContactReport, Contacts, ImpactRecord};
use super::step::StepPart;
use super::step_report::{PhaseTimes, StepReport};
use super::world::WorldState;
use super::{World, WorldError};
use crate::math::scalar;
use crate::physics::constraints::{ConstraintReport, ConstraintSet};
use crate::physics::rigid_body::InertialState;

/// State that is restored if a part of a step fails.
struct Saved {
    state: WorldState,
    contacts: Contacts,
    joints: ConstraintSet,
    before: Vec<InertialState>,
    last_dt: f64,
    unjudged: bool,
}

/// Sums over the parts of a step.
#[derive(Default)]
struct Parts {
    impact_records: Vec<ImpactRecord>,
}

impl World {
    /// Divides a step that failed as a whole.
    pub(super) fn advance_in_parts(&mut self, whole: StepPart) -> Result<StepReport, WorldError> {
        let saved = Saved {
            state: self.state.clone(),
            contacts: self.contacts.clone(),
            joints: self.joints.clone(),
            before: self.workspace.before.clone(),
            last_dt: self.workspace.last_dt,
            unjudged: self.workspace.unjudged,
        };
        let mut parts = Parts::default();
        match self.advance_halves(whole, &saved, &mut parts) {
            Ok(report) => {
                self.contacts.report = report.contacts;
                self.contacts.impact_records = parts.impact_records;
                self.state.time = saved.state.time.after(whole.dt);
                self.state.steps = saved.state.steps + 1;
                self.contacts.touched.clone_from(&saved.contacts.touching);
                self.workspace.before.clone_from(&saved.state.states);
                self.workspace.last_dt = whole.dt;
                Ok(StepReport { step: self.state.steps, time: self.time(), dt: whole.dt, ..report })
            }
            Err(error) => {
                self.state = saved.state;
                self.contacts = saved.contacts;
                self.joints = saved.joints;
                self.workspace.before = saved.before;
                self.workspace.last_dt = saved.last_dt;
                self.workspace.unjudged = saved.unjudged;
                Err(error)
            }
        }
    }

    /// Both halves of a span, each in one piece if it can be.
    fn advance_halves(
        &mut self,
        span: StepPart,
        saved: &Saved,
        parts: &mut Parts,
    ) -> Result<StepReport, WorldError> {
        let half = StepPart { dt: 0.5 * span.dt, left: span.left, halvings: span.halvings - 1 };
        let first = self.advance_part(half, saved, parts)?;
        let second = self.advance_part(StepPart { left: span.left - half.dt, ..half }, saved, parts)?;
        Ok(first.followed_by(second))
    }

    fn advance_part(
        &mut self,
        part: StepPart,
        saved: &Saved,
        parts: &mut Parts,
    ) -> Result<StepReport, WorldError> {
        self.state.loads.clone_from(&saved.state.loads);
        self.state.targets.clone_from(&saved.state.targets);
        let taken = self.advance(part);
        self.state.steps = saved.state.steps;
        let Some(report) = taken? else { return self.advance_halves(part, saved, parts) };
        let elapsed = self.time() - part.dt - saved.state.time.seconds();
        let records = self.contacts.impact_records.iter();
        parts
            .impact_records
            .extend(records.map(|record| ImpactRecord { time: elapsed + record.time, ..*record }));
        Ok(report)
    }
}

impl StepReport {
    /// This part of a step and the next as one.
    fn followed_by(mut self, next: Self) -> Self {
        let mut phases = PhaseTimes::default();
        phases.accumulate(&self.phases);
        phases.accumulate(&next.phases);
        let mut energy = next.energy;
        energy.work_in += self.energy.work_in;
        energy.dissipated += self.energy.dissipated;
        energy.correction += self.energy.correction;
        energy.unexplained += self.energy.unexplained;
        self.quarantined.extend(next.quarantined);
        Self {
            parts: self.parts + next.parts,
            energy,
            joints: worst_of_joints(&self.joints, &next.joints),
            contacts: worst_of_contacts(&self.contacts, &next.contacts),
            certificate: self.certificate.worst_with(&next.certificate),
            quarantined: self.quarantined,
            phases,
            ..next
        }
    }
}

fn worst_of_contacts(first: &ContactReport, next: &ContactReport) -> ContactReport {
    ContactReport {
        contacts: next.contacts,
        islands: next.islands.max(first.islands),
        impacts: first.impacts + next.impacts,
        inelastic_impacts: first.inelastic_impacts + next.inelastic_impacts,
        max_penetration: scalar::max(first.max_penetration, next.max_penetration),
        initial_overlap: first.initial_overlap,
        residual: scalar::max(first.residual, next.residual),
        rigid_residual: scalar::max(first.rigid_residual, next.rigid_residual),
        compliant: first.compliant + next.compliant,
        iterations: first.iterations.max(next.iterations),
        solves: first.solves + next.solves,
        sweeps: first.sweeps + next.sweeps,
        factorisations: first.factorisations + next.factorisations,
        unconverged: first.unconverged + next.unconverged,
    }
}

fn worst_of_joints(first: &ConstraintReport, next: &ConstraintReport) -> ConstraintReport {
    ConstraintReport {
        position_error: scalar::max(first.position_error, next.position_error),
        angle_error: scalar::max(first.angle_error, next.angle_error),
        velocity_error: scalar::max(first.velocity_error, next.velocity_error),
        residual: scalar::max(first.residual, next.residual),
        condition: scalar::max(first.condition, next.condition),
        damped_drift: first.damped_drift || next.damped_drift,
        damped_energy: first.damped_energy + next.damped_energy,
        converged: first.converged && next.converged,
        ..*next
    }
}

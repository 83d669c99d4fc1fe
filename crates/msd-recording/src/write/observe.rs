//! From the engine to a recording: the one place that reads worlds and step reports.

use std::ops::Range;

use msd::environment::{ContactEventKind, ContactView, StepReport, World};
use msd::physics::rigid_body::BodyHandle;

use super::batch::Batch;
use crate::RecordingError;
use crate::format::blocks::ContactEntry;
use crate::format::commands::Numbering;
use crate::frame::{Event, EventKind, FrameSummary};

/// States copied at once: less than the 8 KiB from which `memcpy` turns to an instruction that is slow where memory is not
/// in cache.
const COPY: usize = 64;

/// Worst figures of the steps since the last frame.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Worst {
    dt: f64,
    gain: f64,
    penetration: f64,
    residual: f64,
    iterations: u64,
    unconverged: u64,
    joint_position_error: f64,
    joint_angle_error: f64,
}

impl Worst {
    pub(super) fn add(&mut self, step: &StepReport) {
        let worse = |worst: &mut f64, value: f64| {
            if value > *worst || value.is_nan() {
                *worst = value;
            }
        };
        self.dt = step.dt;
        worse(&mut self.gain, step.energy.unexplained);
        worse(&mut self.penetration, step.contacts.max_penetration);
        worse(&mut self.residual, step.contacts.residual);
        self.iterations = self.iterations.max(step.contacts.iterations as u64);
        self.unconverged += u64::from(!step.contacts.is_certified());
        worse(&mut self.joint_position_error, step.joints.position_error);
        worse(&mut self.joint_angle_error, step.joints.angle_error);
    }
}

/// Collects the contents of a frame from a world.
#[derive(Clone, Debug)]
pub(super) struct Observer {
    pub(super) numbering: Numbering,
    /// Slots of the bodies that move, in runs of neighbours.
    moving: Vec<Range<usize>>,
    /// Number of the body in each slot.
    by_slot: Vec<u32>,
    /// Revision of the world for which bodies and joints were last checked.
    revision: u64,
}

impl Observer {
    /// `moving` are slots of bodies.
    pub(super) fn new(numbering: Numbering, moving: &[usize], world: &World) -> Self {
        let slots = numbering.bodies.iter().map(|handle| handle.slot() + 1).max().unwrap_or(0);
        let mut by_slot = vec![0; slots];
        for (number, handle) in numbering.bodies.iter().enumerate() {
            by_slot[handle.slot()] = number as u32;
        }
        let runs = moving
            .chunk_by(|slot, next| slot + 1 == *next)
            .filter_map(|run| Some(*run.first()?..run.last()? + 1));
        Self { numbering, moving: runs.collect(), by_slot, revision: world.revision() }
    }

    /// The number of a body of a world that [`Observer::check_model`] has let through.
    fn number(&self, handle: BodyHandle) -> u32 {
        self.by_slot.get(handle.slot()).copied().unwrap_or(0)
    }

    /// Refuses a world that has other bodies or joints than at the start.
    pub(super) fn check_model(&mut self, world: &World) -> Result<(), RecordingError> {
        if world.revision() == self.revision {
            return Ok(());
        }
        if !world.handles().eq(self.numbering.bodies.iter().copied()) {
            return Err(RecordingError::ModelChanged("bodies"));
        }
        if !world.joints().map(|(handle, ..)| handle).eq(self.numbering.joints.iter().copied()) {
            return Err(RecordingError::ModelChanged("joints"));
        }
        self.revision = world.revision();
        Ok(())
    }

    /// Appends the world as a frame.
    pub(super) fn frame(&self, world: &World, worst: &Worst, batch: &mut Batch) {
        let states = world.all_bodies().states;
        for part in self.moving.iter().flat_map(|run| states[run.clone()].chunks(COPY)) {
            batch.states.extend_from_slice(part);
        }
        for joint in &self.numbering.joints {
            let reaction = world.reaction(*joint).unwrap_or_default();
            batch.reactions.extend(reaction.force.to_array());
            batch.reactions.extend(reaction.torque.to_array());
        }
        let contacts_before = batch.contacts.len();
        self.contacts(world, batch);
        let energy = world.energy();
        batch.frames.push(FrameSummary {
            step: world.steps(),
            time: world.time(),
            dt: worst.dt,
            kinetic: energy.kinetic,
            potential: energy.potential,
            work_in: energy.work_in,
            dissipated: energy.dissipated,
            correction: energy.correction,
            error: energy.error(),
            gain: worst.gain,
            contacts: (batch.contacts.len() - contacts_before) as u64,
            penetration: worst.penetration,
            residual: worst.residual,
            iterations: worst.iterations,
            unconverged: worst.unconverged,
            joint_position_error: worst.joint_position_error,
            joint_angle_error: worst.joint_angle_error,
            checksum: 0,
        });
    }

    /// Appends the contacts of the last step.
    fn contacts(&self, world: &World, batch: &mut Batch) {
        let frame = batch.frames.len() as u32;
        let entry = |view: ContactView| ContactEntry {
            frame,
            a: self.number(view.body_a),
            b: self.number(view.body_b),
            position: view.position,
            normal: view.normal,
            gap: view.gap,
            normal_force: view.normal_force,
            friction_force: view.friction_force,
        };
        let contacts = &mut batch.contacts;
        world.contacts().for_each(|view| contacts.push(entry(view)));
    }

    /// Events of a step, recorded or not.
    pub(super) fn events(&self, world: &World, step: &StepReport) -> Vec<Event> {
        let event = |kind, bodies| Event { step: step.step, time: step.time, kind, bodies };
        let mut events = Vec::new();
        let changes = world.has_contact_changes().then(|| world.contact_events());
        for pair in changes.into_iter().flatten() {
            let kind = match pair.kind {
                ContactEventKind::Begin => EventKind::ContactBegan,
                ContactEventKind::End => EventKind::ContactEnded,
                ContactEventKind::Persist => continue,
            };
            events.push(event(
                kind,
                Some((self.number(pair.body_a) as usize, self.number(pair.body_b) as usize)),
            ));
        }
        if !step.contacts.is_certified() {
            events.push(event(EventKind::Unconverged, None));
        }
        events
    }
}

//! What a page is shown of a world: poses, contacts and joints as a frame, and the figures of a step.

use std::collections::BTreeMap;

use msd::environment::{StepReport, World};
use msd::physics::rigid_body::BodyHandle;

use crate::figures::FigureRow;
use crate::frame::{ContactPoint, FrameBytes, Pose};
use crate::joint_loads::joint_loads;

/// The bodies of a world by the numbers that pages know them by.
#[derive(Debug)]
pub(crate) struct Numbering {
    numbers: BTreeMap<BodyHandle, u32>,
    handles: Vec<BodyHandle>,
    moving: Vec<BodyHandle>,
}

impl Numbering {
    /// Bodies in the order of the world; `moving` are the numbers of those that move.
    pub(crate) fn of(world: &World, moving: &[usize]) -> Self {
        let handles: Vec<BodyHandle> = world.handles().collect();
        Self {
            numbers: handles.iter().copied().zip(0..).collect(),
            moving: moving.iter().map(|number| handles[*number]).collect(),
            handles,
        }
    }

    pub(crate) fn handle(&self, number: u32) -> Option<BodyHandle> {
        self.handles.get(number as usize).copied()
    }

    /// The world as it is now, at a time that a run says.
    pub(crate) fn frame_of(&self, world: &World, time: f64) -> FrameBytes {
        let pose = |handle: &BodyHandle| {
            let view = world.body(*handle).ok()?;
            Some(Pose {
                frame: view.body.frame(view.state),
                velocity: view.state.velocity,
                angular_velocity: view.state.angular_velocity,
                asleep: world.is_asleep(*handle).unwrap_or(false),
            })
        };
        let poses: Vec<Pose> = self.moving.iter().filter_map(pose).collect();
        let number = |handle: &BodyHandle| self.numbers.get(handle).copied();
        let contacts: Vec<ContactPoint> = world
            .contacts()
            .filter_map(|contact| {
                Some(ContactPoint {
                    a: number(&contact.body_a)?,
                    b: number(&contact.body_b)?,
                    position: contact.position,
                    normal: contact.normal,
                    gap: contact.gap,
                    normal_force: contact.normal_force,
                    friction_force: contact.friction_force,
                })
            })
            .collect();
        FrameBytes::encode(time, &poses, &contacts, &joint_loads(world))
    }
}

/// The figures of a step.
pub(crate) fn figures_of(world: &World, step: &StepReport) -> FigureRow {
    let ledger = world.energy();
    [
        step.time,
        ledger.kinetic,
        ledger.potential,
        ledger.work_in,
        ledger.dissipated,
        ledger.correction,
        ledger.error(),
        step.energy.unexplained,
        step.contacts.contacts as f64,
        step.contacts.max_penetration,
        step.contacts.residual,
        step.certificate.worst_ratio(),
        step.joints.position_error,
        step.joints.angle_error,
    ]
}

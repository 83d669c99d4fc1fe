//! Workspace of a step.

use std::sync::OnceLock;

use super::body_tree::BodyTree;
use super::sleep_state::{Sleep, SleepIslands};
use crate::certificate::{DeclaredImpact, DeclaredPoint};
use crate::physics::integration::Loads;
use crate::physics::rigid_body::{Acceleration, Inertia, InertialState};

/// Workspace of a step; no later step depends on its contents.
#[derive(Clone, Debug, Default)]
pub(super) struct Workspace {
    /// The states being computed.
    pub(super) next: Vec<InertialState>,
    /// The states before the last step.
    pub(super) before: Vec<InertialState>,
    /// The states at the start, kinematic bodies with the velocity of the step.
    pub(super) start: Vec<InertialState>,
    /// Contact points and impacts of the step, for the judge.
    pub(super) points: Vec<DeclaredPoint>,
    pub(super) impacts: Vec<DeclaredImpact>,
    pub(super) timed_joints: Vec<[f64; 2]>,
    /// True if the state was changed by other means than a step since the last certificate.
    pub(super) unjudged: bool,
    /// Number of attempts at the step and its parts.
    pub(super) attempts: u32,
    /// Masses at the start.
    pub(super) inertias: Vec<Inertia>,
    /// True without contacts and joints: free flight ends where the step does.
    pub(super) flies: bool,
    /// States at the end of free flight, unless the step ends there.
    pub(super) flown: Vec<InertialState>,
    pub(super) loads: Loads,
    /// Sleep state before the step.
    pub(super) sleep: Sleep,
    pub(super) sleep_islands: SleepIslands,
    /// Length of the last step, s; zero before the first.
    pub(super) last_dt: f64,
    /// The states at the end of the last step, if the user changed some since.
    pub(super) end: Vec<InertialState>,
    pub(super) changed: bool,
    /// Bounding volume tree of the current poses, built by the first query.
    pub(super) body_tree: OnceLock<BodyTree>,
}

impl Workspace {
    /// Mean acceleration over the last step of the body that is now in `state`.
    pub(super) fn acceleration(&self, slot: usize, state: &InertialState) -> Acceleration {
        match self.last_motion(slot, state) {
            Some((before, end)) if self.last_dt > 0.0 => Acceleration {
                linear: (end.velocity - before.velocity) / self.last_dt,
                angular: (end.angular_velocity - before.angular_velocity) / self.last_dt,
            },
            _ => Acceleration::ZERO,
        }
    }

    /// States before and after the last step of the body that is now in `state`; `None` if it has not been in one.
    pub(super) fn last_motion<'a>(
        &'a self,
        slot: usize,
        state: &'a InertialState,
    ) -> Option<(&'a InertialState, &'a InertialState)> {
        let end = if self.changed { self.end.get(slot)? } else { state };
        Some((self.before.get(slot)?, end))
    }

    /// Call it before the user changes a state: keeps the end of the last step for reports.
    pub(super) fn store_step_end(&mut self, states: &[InertialState]) {
        if !self.changed && !self.before.is_empty() {
            self.end.clear();
            self.end.extend_from_slice(states);
            self.changed = true;
        }
    }

    /// Resets a slot for a new body.
    pub(super) fn reset_slot(&mut self, slot: usize, state: &InertialState) {
        for states in [&mut self.before, &mut self.end] {
            if let Some(old) = states.get_mut(slot) {
                *old = *state;
            }
        }
    }
}

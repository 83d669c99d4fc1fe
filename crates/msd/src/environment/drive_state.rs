//! State of joint axes and actuators: controls, filter activations, counted turns, limits that were set.

use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::TAU;

use serde::{Deserialize, Serialize};

use crate::digest::Hasher;
use crate::physics::constraints::{AxisMemory, Limits};
use crate::physics::rigid_body::InertialState;

/// State of joints and actuators by slot of their constraint.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct DriveState {
    /// Controls of actuators; zero where none was set.
    pub(super) controls: BTreeMap<usize, f64>,
    /// Activations of actuators with a filter.
    pub(super) activations: BTreeMap<usize, f64>,
    /// Turns counted and limits set.
    pub(super) axes: BTreeMap<usize, AxisMemory>,
    /// Joints that are switched off, or that a load has broken.
    pub(super) disabled: BTreeSet<usize>,
    /// Latches that have closed, with the states of their bodies then.
    pub(super) latched: BTreeMap<usize, [InertialState; 2]>,
}

impl DriveState {
    /// True if all numbers are finite and belong to slots below `slots`.
    pub(super) fn fits(&self, slots: usize) -> bool {
        let known = |slot: &usize| *slot < slots;
        let finite = |values: &BTreeMap<usize, f64>| values.iter().all(|(k, v)| known(k) && v.is_finite());
        let range = |limits: Limits| limits.min < limits.max;
        finite(&self.controls)
            && finite(&self.activations)
            && self.disabled.iter().all(known)
            && self
                .latched
                .iter()
                .all(|(slot, ends)| known(slot) && ends.iter().all(InertialState::is_finite))
            && self.axes.iter().all(|(slot, memory)| {
                known(slot) && memory.position.is_finite() && memory.limits.is_none_or(range)
            })
    }

    /// Appends this state; empty without settings and full turns.
    pub(super) fn fingerprint(&self, hasher: &mut Hasher) {
        for values in [&self.controls, &self.activations] {
            for (slot, value) in values.iter().filter(|(_, value)| **value != 0.0) {
                hasher.integer(*slot as u64);
                hasher.number(*value);
            }
        }
        for slot in &self.disabled {
            hasher.text("disabled");
            hasher.integer(*slot as u64);
        }
        for slot in self.latched.keys() {
            hasher.text("latched");
            hasher.integer(*slot as u64);
        }
        for (slot, memory) in &self.axes {
            let turns = (memory.position / TAU).round();
            let limits = memory.limits.map(|limits| [limits.min, limits.max]);
            if turns != 0.0 || limits.is_some() {
                hasher.integer(*slot as u64);
                hasher.number(turns);
                limits.iter().for_each(|limits| hasher.numbers(limits));
            }
        }
    }

    pub(super) fn forget(&mut self, slot: usize) {
        self.controls.remove(&slot);
        self.activations.remove(&slot);
        self.axes.remove(&slot);
        self.disabled.remove(&slot);
        self.latched.remove(&slot);
    }
}

//! Pool of buffers for reuse, so that warm steps allocate nothing.

use crate::math::Mat3;
use crate::physics::rigid_body::{Acceleration, InertialState, Wrench};

/// Buffers not in use.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    numbers: Vec<Vec<f64>>,
    states: Vec<Vec<InertialState>>,
    pub(super) flags: Vec<bool>,
    pub(super) accelerations: Vec<Acceleration>,
    /// Inverse inertia tensors.
    pub(super) tensors: Vec<Mat3>,
    /// Total, external and dissipative loads at the start of a step.
    pub(super) wrenches: [Vec<Wrench>; 3],
}

impl Scratch {
    /// A copy of these numbers; to be given back.
    pub(super) fn numbers(&mut self, values: &[f64]) -> Vec<f64> {
        let mut buffer = self.numbers.pop().unwrap_or_default();
        buffer.clear();
        buffer.extend_from_slice(values);
        buffer
    }

    pub(super) fn store_numbers(&mut self, buffer: Vec<f64>) {
        self.numbers.push(buffer);
    }

    /// A copy of these states; to be given back.
    pub(super) fn states(&mut self, values: &[InertialState]) -> Vec<InertialState> {
        let mut buffer = self.states.pop().unwrap_or_default();
        buffer.clear();
        buffer.extend_from_slice(values);
        buffer
    }

    pub(super) fn store_states(&mut self, buffer: Vec<InertialState>) {
        self.states.push(buffer);
    }
}

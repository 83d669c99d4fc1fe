//! The motion between the ends of a step, as an interpolant of order seven.
//!
//! Over each substep `[t₀, t₀+h]` the coordinates of [`super::lie_chart`] are the polynomial of degree seven
//!
//! ```text
//! y(s) = s (F₀ + (1-s) (F₁ + s (F₂ + (1-s) (F₃ + s (F₄ + (1-s) (F₅ + s F₆))))),    s = (t - t₀)/h
//! ```
//!
//! whose coefficients come from the stages (Hairer, Nørsett & Wanner, *Solving Ordinary Differential Equations I*, 2nd ed.,
//! §II.6). It meets the solution and its slope at both ends, and the states it gives have unit quaternions.

use super::dop853::INTERPOLANT;
use super::lie_chart::{ChartOrigin, PER_BODY};
use crate::physics::rigid_body::InertialState;

const TERMS: usize = 7;

/// Interpolates all bodies over the step that filled it; keeps its allocations from step to step.
#[derive(Clone, Debug, Default)]
pub struct DenseOutput {
    bodies: usize,
    dimension: usize,
    spans: Vec<SubstepInterpolant>,
    origins: Vec<ChartOrigin>,
    terms: Vec<f64>,
}

#[derive(Clone, Copy, Debug)]
struct SubstepInterpolant {
    start: f64,
    length: f64,
}

impl DenseOutput {
    /// An empty one, to be filled by [`super::Adaptive::step_dense`].
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// First and last instant covered, s; `None` before it is filled.
    #[must_use]
    pub fn range(&self) -> Option<(f64, f64)> {
        let (first, last) = (self.spans.first()?, self.spans.last()?);
        Some((first.start, last.start + last.length))
    }

    /// Number of substeps of the step.
    #[must_use]
    pub fn substeps(&self) -> usize {
        self.spans.len()
    }

    /// The body in `slot` at `time`; outside the range covered, the nearest substep is continued. `None` if nothing
    /// covers that slot.
    #[must_use]
    pub fn state(&self, slot: usize, time: f64) -> Option<InertialState> {
        if slot >= self.bodies || self.spans.is_empty() {
            return None;
        }
        let index =
            self.spans.partition_point(|span| span.start + span.length < time).min(self.spans.len() - 1);
        let span = self.spans[index];
        let s = (time - span.start) / span.length;
        let terms = &self.terms[index * TERMS * self.dimension..(index + 1) * TERMS * self.dimension];
        let mut y = [0.0; PER_BODY];
        for (component, value) in y.iter_mut().enumerate() {
            let at = slot * PER_BODY + component;
            for term in (0..TERMS).rev() {
                let factor = if term % 2 == 0 { s } else { 1.0 - s };
                *value = (*value + terms[term * self.dimension + at]) * factor;
            }
        }
        Some(self.origins[index * self.bodies + slot].state_after(time - span.start, &y))
    }

    pub(super) fn clear(&mut self, bodies: usize, dimension: usize) {
        self.bodies = bodies;
        self.dimension = dimension;
        self.spans.clear();
        self.origins.clear();
        self.terms.clear();
    }

    /// Adds a substep: its chart, its result `y`, and the slopes of all sixteen stages, one after another.
    pub(super) fn push(
        &mut self,
        start: f64,
        length: f64,
        origins: &[ChartOrigin],
        y: &[f64],
        slopes: &[f64],
    ) {
        let n = self.dimension;
        self.spans.push(SubstepInterpolant { start, length });
        self.origins.extend_from_slice(origins);
        let (first, last) = (&slopes[..n], &slopes[12 * n..13 * n]);
        self.terms.extend_from_slice(y);
        self.terms.extend((0..n).map(|i| length * first[i] - y[i]));
        self.terms.extend((0..n).map(|i| 2.0 * y[i] - length * (last[i] + first[i])));
        for row in &INTERPOLANT {
            self.terms.extend(
                (0..n).map(|i| length * row.iter().map(|&(stage, d)| d * slopes[stage * n + i]).sum::<f64>()),
            );
        }
    }
}

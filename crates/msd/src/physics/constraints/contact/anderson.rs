//! Anderson acceleration of a fixed-point iteration `x ← g(x)` (Anderson 1965; Walker and Ni 2011, type II).
//!
//! With the steps `f_k = g(x_k) - x_k` of the last iterations, the combination of them that is nearest to zero,
//! `min ‖f_k - Σ γ_j Δf_j‖`, extrapolates to `x = g(x_k) - Σ γ_j Δg_j`. For a linear map this is GMRES. The least-squares
//! problem is small and solved by Gram-Schmidt, newest differences first; those that depend on newer ones are left out.

use crate::tolerance;

/// Iterates that Anderson acceleration combines. tuned: without acceleration one pile test fails.
const ANDERSON_WINDOW: usize = 10;

/// The last iterates, in memory that is kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Anderson {
    /// Values and steps, oldest first; those from `used` on are spare.
    history: Vec<(Vec<f64>, Vec<f64>)>,
    used: usize,
    basis: Vec<(Vec<f64>, Vec<f64>)>,
    left: Vec<f64>,
}

impl Anderson {
    /// Forgets everything, after a jump.
    pub(super) fn clear(&mut self) {
        self.used = 0;
    }

    /// Remembers one application of the map: its value and where it came from, each entry in units of `weights`.
    pub(super) fn push(&mut self, value: &[f64], before: &[f64], weights: &[f64]) {
        if self.used > ANDERSON_WINDOW {
            self.history[..self.used].rotate_left(1);
            self.used -= 1;
        }
        if self.history.len() == self.used {
            self.history.push(Default::default());
        }
        let (own, step) = &mut self.history[self.used];
        own.clear();
        step.clear();
        for ((value, before), w) in value.iter().zip(before).zip(weights) {
            own.push(value * w);
            step.push((value - before) * w);
        }
        self.used += 1;
    }

    /// The extrapolated iterate into `x`, in units of the weights; false with fewer than two steps.
    pub(super) fn extrapolate(&mut self, x: &mut Vec<f64>) -> bool {
        let Self { history, used, basis, left } = self;
        let Some((newest, older)) = history[..*used].split_last() else { return false };
        x.clone_from(&newest.0);
        left.clone_from(&newest.1);
        let (mut known, mut later) = (0, newest);
        for earlier in older.iter().rev() {
            if basis.len() == known {
                basis.push(Default::default());
            }
            let (before, rest) = basis.split_at_mut(known);
            let (value, step) = &mut rest[0];
            difference(&later.0, &earlier.0, value);
            difference(&later.1, &earlier.1, step);
            later = earlier;
            let size = dot(step, step);
            for (known_value, known_step) in before {
                let share = dot(known_step, step);
                subtract(step, share, known_step);
                subtract(value, share, known_value);
            }
            let length = dot(step, step).sqrt();
            if length * length <= tolerance::ANDERSON_DEPENDENT * size || length == 0.0 {
                continue;
            }
            step.iter_mut().chain(value.iter_mut()).for_each(|entry| *entry /= length);
            let share = dot(step, left);
            subtract(left, share, step);
            subtract(x, share, value);
            known += 1;
        }
        known > 0
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn difference(a: &[f64], b: &[f64], out: &mut Vec<f64>) {
    out.clear();
    out.extend(a.iter().zip(b).map(|(a, b)| a - b));
}

fn subtract(from: &mut [f64], factor: f64, what: &[f64]) {
    for (entry, w) in from.iter_mut().zip(what) {
        *entry -= factor * w;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_linear_map_is_solved_in_as_many_steps_as_it_has_dimensions() {
        let map = |x: &[f64]| vec![0.9 * x[0] + 0.3 * x[1] + 1.0, -0.2 * x[0] + 0.8 * x[1] - 0.5];
        let mut anderson = Anderson::default();
        let mut x = vec![0.0, 0.0];
        for _ in 0..3 {
            let value = map(&x);
            anderson.push(&value, &x, &[2.0, 0.5]);
            x = value;
        }
        assert!(anderson.extrapolate(&mut x));
        let x = [x[0] / 2.0, x[1] / 0.5];
        let image = map(&x);
        let off = [image[0] - x[0], image[1] - x[1]];
        assert!(dot(&off, &off).sqrt() < 1e-12, "{off:?}");
    }
}

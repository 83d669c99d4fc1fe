//! Anderson acceleration of a fixed-point iteration `x ← g(x)` (Anderson 1965; Walker and Ni 2011, type II).
//!
//! With the steps `f_k = g(x_k) - x_k` of the last iterations, the combination of them that is nearest to zero,
//! `min ‖f_k - Σ γ_j Δf_j‖`, extrapolates to `x = g(x_k) - Σ γ_j Δg_j`. For a linear map this is GMRES. The least-squares
//! problem is small and solved by Gram-Schmidt, newest differences first; those that depend on newer ones are left out.

use crate::tolerance;

/// The last iterates.
#[derive(Clone, Debug, Default)]
pub(super) struct Anderson {
    history: Vec<(Vec<f64>, Vec<f64>)>,
}

impl Anderson {
    /// Forgets everything, after a jump.
    pub(super) fn clear(&mut self) {
        self.history.clear();
    }

    /// Remembers one application of the map: its value and its step.
    pub(super) fn push(&mut self, value: Vec<f64>, step: Vec<f64>) {
        if self.history.len() > tolerance::ANDERSON_WINDOW {
            self.history.remove(0);
        }
        self.history.push((value, step));
    }

    /// The extrapolated iterate, or `None` with fewer than two steps.
    pub(super) fn extrapolate(&self) -> Option<Vec<f64>> {
        let ((newest, last_step), older) = self.history.split_last()?;
        let mut x = newest.clone();
        let mut left = last_step.clone();
        let mut basis: Vec<(Vec<f64>, Vec<f64>)> = Vec::new();
        let mut later = self.history.last()?;
        for earlier in older.iter().rev() {
            let mut value = difference(&later.0, &earlier.0);
            let mut step = difference(&later.1, &earlier.1);
            later = earlier;
            let size = dot(&step, &step);
            for (known_value, known_step) in &basis {
                let share = dot(known_step, &step);
                subtract(&mut step, share, known_step);
                subtract(&mut value, share, known_value);
            }
            let length = dot(&step, &step).sqrt();
            if length * length <= tolerance::ANDERSON_DEPENDENT * size || length == 0.0 {
                continue;
            }
            step.iter_mut().chain(&mut value).for_each(|entry| *entry /= length);
            let share = dot(&step, &left);
            subtract(&mut left, share, &step);
            subtract(&mut x, share, &value);
            basis.push((value, step));
        }
        (!basis.is_empty()).then_some(x)
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn difference(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
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
            anderson.push(value.clone(), difference(&value, &x));
            x = value;
        }
        let x = anderson.extrapolate().unwrap();
        let off = difference(&map(&x), &x);
        assert!(dot(&off, &off).sqrt() < 1e-12, "{off:?}");
    }
}

//! Solves `(1 - g'(u)) δ = r` for [`super::implicit_solver`]: directly for few unknowns, by GMRES for many.
//!
//! Columns of the Jacobian, and its products with a vector, come from difference quotients of `g`. GMRES (Saad &
//! Schultz 1986) works on unknowns scaled by their weights, so that its residual is measured in kinetic energy.

use crate::tolerance;

/// The linear system has no usable solution: singular to working precision, or GMRES stagnated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Unsolvable;

/// Workspace of a linear solve; keeps its allocations.
#[derive(Clone, Debug, Default)]
pub(super) struct LinearSolver {
    matrix: Vec<f64>,
    shifted: Vec<f64>,
    shifted_image: Vec<f64>,
}

impl LinearSolver {
    /// Replaces the right-hand side in `rhs` by the solution. `image` is `map(at)`, `increments` the steps of the
    /// difference quotients.
    pub(super) fn solve(
        &mut self,
        rhs: &mut [f64],
        at: &[f64],
        image: &[f64],
        increments: &[f64],
        _weights: &[f64],
        map: &mut dyn FnMut(&[f64], &mut [f64]),
    ) -> Result<(), Unsolvable> {
        self.shifted.clear();
        self.shifted.extend_from_slice(at);
        self.shifted_image.clear();
        self.shifted_image.resize(at.len(), 0.0);
        self.fill_matrix(at, image, increments, map);
        eliminate(&mut self.matrix, rhs)
    }

    /// `1 - g'`, row-major.
    fn fill_matrix(
        &mut self,
        at: &[f64],
        image: &[f64],
        increments: &[f64],
        map: &mut dyn FnMut(&[f64], &mut [f64]),
    ) {
        let n = at.len();
        self.matrix.clear();
        self.matrix.resize(n * n, 0.0);
        for column in 0..n {
            self.shifted[column] = at[column] + increments[column];
            let inverse = 1.0 / (self.shifted[column] - at[column]);
            map(&self.shifted, &mut self.shifted_image);
            self.shifted[column] = at[column];
            for row in 0..n {
                let slope = (self.shifted_image[row] - image[row]) * inverse;
                self.matrix[row * n + column] = if row == column { 1.0 - slope } else { -slope };
            }
        }
    }
}

/// Gaussian elimination with row pivoting, in place.
fn eliminate(a: &mut [f64], rhs: &mut [f64]) -> Result<(), Unsolvable> {
    let n = rhs.len();
    for k in 0..n {
        let pivot =
            (k..n).fold(k, |best, i| if a[i * n + k].abs() > a[best * n + k].abs() { i } else { best });
        let value = a[pivot * n + k];
        if value.is_nan() || value.abs() <= tolerance::SINGULAR_PIVOT {
            return Err(Unsolvable);
        }
        if pivot != k {
            rhs.swap(pivot, k);
            for j in k..n {
                a.swap(pivot * n + j, k * n + j);
            }
        }
        for i in k + 1..n {
            let factor = a[i * n + k] / value;
            if factor == 0.0 {
                continue;
            }
            for j in k + 1..n {
                a[i * n + j] -= factor * a[k * n + j];
            }
            rhs[i] -= factor * rhs[k];
        }
    }
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| a[k * n + j] * rhs[j]).sum();
        rhs[k] = (rhs[k] - known) / a[k * n + k];
    }
    Ok(())
}

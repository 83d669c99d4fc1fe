//! Solves `(1 - g'(u)) δ = r` for [`super::implicit_solver`]: directly for few unknowns, by GMRES for many.
//!
//! Columns of the Jacobian, and its products with a vector, come from difference quotients of `g`. Unknowns and rows are
//! scaled by their weights, so that metres and radians are both measured in kinetic energy and pivots and residuals can
//! be compared. GMRES (Saad & Schultz, SIAM J. Sci. Stat. Comput. 7, 1986) is restarted when its basis is full; it solves
//! only as accurately as difference quotients allow, Newton's iteration does the rest.

use crate::math::scalar;
use crate::tolerance;

/// Number of unknowns up to which the Jacobian is stored and factorised (32 bodies). tuned: its 192 evaluations and 2e6
/// multiplications are then about what GMRES would need on a stiff system.
const DIRECT_LIMIT: usize = 192;

/// Vectors in the basis of GMRES before it restarts. tuned.
const BASIS: usize = 60;

/// Limit of restarts of GMRES. tuned.
const RESTARTS: usize = 20;

/// The linear system has no usable solution: singular to working precision, or GMRES stagnated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Unsolvable;

/// The point at which `1 - g'` is evaluated.
pub(super) struct Linearization<'a> {
    /// u.
    pub(super) at: &'a [f64],
    /// g(u).
    pub(super) image: &'a [f64],
    /// Steps of the difference quotients.
    pub(super) increments: &'a [f64],
    /// Weights of the unknowns; zero for bodies that forces do not move.
    pub(super) weights: &'a [f64],
}

/// Workspace of a linear solve; keeps its allocations.
#[derive(Clone, Debug, Default)]
pub(super) struct LinearSolver {
    matrix: Vec<f64>,
    shifted: Vec<f64>,
    shifted_image: Vec<f64>,
    solution: Vec<f64>,
    basis: Vec<f64>,
    hessenberg: Vec<f64>,
}

impl LinearSolver {
    /// Replaces the right-hand side in `rhs` by the solution.
    pub(super) fn solve(
        &mut self,
        rhs: &mut [f64],
        problem: &Linearization<'_>,
        map: &mut dyn FnMut(&[f64], &mut [f64]),
    ) -> Result<(), Unsolvable> {
        self.shifted.clear();
        self.shifted.extend_from_slice(problem.at);
        self.shifted_image.clear();
        self.shifted_image.resize(rhs.len(), 0.0);
        for (value, weight) in rhs.iter_mut().zip(problem.weights) {
            *value *= scale(*weight);
        }
        if rhs.len() <= DIRECT_LIMIT {
            self.fill_matrix(problem, map);
            eliminate(&mut self.matrix, rhs)?;
        } else {
            self.gmres(rhs, problem, map)?;
        }
        for (value, weight) in rhs.iter_mut().zip(problem.weights) {
            *value /= scale(*weight);
        }
        Ok(())
    }

    /// `1 - g'`, row-major, scaled.
    fn fill_matrix(&mut self, problem: &Linearization<'_>, map: &mut dyn FnMut(&[f64], &mut [f64])) {
        let Linearization { at, image, increments, weights } = *problem;
        let n = at.len();
        self.matrix.clear();
        self.matrix.resize(n * n, 0.0);
        for column in 0..n {
            self.shifted[column] = at[column] + increments[column];
            let inverse = 1.0 / ((self.shifted[column] - at[column]) * scale(weights[column]));
            map(&self.shifted, &mut self.shifted_image);
            self.shifted[column] = at[column];
            for row in 0..n {
                let slope = (self.shifted_image[row] - image[row]) * scale(weights[row]) * inverse;
                self.matrix[row * n + column] = if row == column { 1.0 - slope } else { -slope };
            }
        }
    }

    fn gmres(
        &mut self,
        rhs: &mut [f64],
        problem: &Linearization<'_>,
        map: &mut dyn FnMut(&[f64], &mut [f64]),
    ) -> Result<(), Unsolvable> {
        let n = rhs.len();
        self.solution.clear();
        self.solution.resize(n, 0.0);
        self.basis.clear();
        self.basis.resize((BASIS + 1) * n, 0.0);
        let wanted = tolerance::LINEAR_SOLVE * length(rhs);
        for _restart in 0..RESTARTS {
            self.basis[..n].copy_from_slice(&self.solution);
            self.apply(0, problem, map);
            for (residual, rhs) in self.basis[n..2 * n].iter_mut().zip(rhs.iter()) {
                *residual = rhs - *residual;
            }
            self.basis.copy_within(n..2 * n, 0);
            let before = length(&self.basis[..n]);
            if before <= wanted {
                rhs.copy_from_slice(&self.solution);
                return Ok(());
            }
            let after = self.cycle(n, before, wanted, problem, map);
            if after.is_nan() || after > 0.999 * before {
                return Err(Unsolvable);
            }
        }
        Err(Unsolvable)
    }

    /// One cycle from the residual in the first basis vector; adds to `self.solution` and returns the new residual.
    fn cycle(
        &mut self,
        n: usize,
        residual: f64,
        wanted: f64,
        problem: &Linearization<'_>,
        map: &mut dyn FnMut(&[f64], &mut [f64]),
    ) -> f64 {
        // Columns of the Hessenberg matrix, made triangular by rotations as they come.
        self.hessenberg.clear();
        self.hessenberg.resize((BASIS + 1) * BASIS, 0.0);
        let mut rotations = [(1.0, 0.0); BASIS];
        let mut target = [0.0; BASIS + 1];
        target[0] = residual;
        self.basis[..n].iter_mut().for_each(|x| *x /= residual);
        let mut used = 0;
        while used < BASIS && target[used].abs() > wanted {
            let column = used * (BASIS + 1);
            self.apply(used, problem, map);
            let last = self.orthogonalize(n, used, column);
            for (k, (c, s)) in rotations[..used].iter().enumerate() {
                let (a, b) = (self.hessenberg[column + k], self.hessenberg[column + k + 1]);
                self.hessenberg[column + k] = c * a + s * b;
                self.hessenberg[column + k + 1] = c * b - s * a;
            }
            let diagonal = self.hessenberg[column + used];
            let radius = (diagonal * diagonal + last * last).sqrt();
            if radius == 0.0 || radius.is_nan() {
                return f64::NAN;
            }
            let (c, s) = (diagonal / radius, last / radius);
            rotations[used] = (c, s);
            self.hessenberg[column + used] = radius;
            target[used + 1] = -s * target[used];
            target[used] *= c;
            used += 1;
            if last == 0.0 {
                break;
            }
        }
        self.add_combination(n, used, &mut target);
        target[used].abs()
    }

    /// Writes `(1 - g') v` for basis vector `index` into the next one.
    fn apply(&mut self, index: usize, problem: &Linearization<'_>, map: &mut dyn FnMut(&[f64], &mut [f64])) {
        let Linearization { at, image, increments, weights } = *problem;
        let n = at.len();
        let (direction, product) = self.basis[index * n..(index + 2) * n].split_at_mut(n);
        let size = length(direction);
        if size == 0.0 {
            product.fill(0.0);
            return;
        }
        let step = weighted(increments, weights) / size;
        for i in 0..n {
            self.shifted[i] = at[i] + step * direction[i] / scale(weights[i]);
        }
        map(&self.shifted, &mut self.shifted_image);
        for i in 0..n {
            product[i] = direction[i] - (self.shifted_image[i] - image[i]) * scale(weights[i]) / step;
        }
    }

    /// Makes basis vector `used + 1` orthogonal to those before it (modified Gram-Schmidt, twice) and returns its length.
    fn orthogonalize(&mut self, n: usize, used: usize, column: usize) -> f64 {
        let (known, rest) = self.basis.split_at_mut((used + 1) * n);
        let new = &mut rest[..n];
        for _pass in 0..2 {
            for (k, old) in known.chunks_exact(n).enumerate() {
                let part: f64 = old.iter().zip(new.iter()).map(|(a, b)| a * b).sum();
                self.hessenberg[column + k] += part;
                new.iter_mut().zip(old).for_each(|(x, y)| *x -= part * y);
            }
        }
        let last = length(new);
        self.hessenberg[column + used + 1] = last;
        if last > 0.0 {
            new.iter_mut().for_each(|x| *x /= last);
        }
        last
    }

    /// Solves the triangular system and adds the combination of basis vectors to the solution.
    fn add_combination(&mut self, n: usize, used: usize, target: &mut [f64]) {
        for k in (0..used).rev() {
            target[k] /= self.hessenberg[k * (BASIS + 1) + k];
            for row in 0..k {
                target[row] -= self.hessenberg[k * (BASIS + 1) + row] * target[k];
            }
        }
        for (k, vector) in self.basis.chunks_exact(n).take(used).enumerate() {
            self.solution.iter_mut().zip(vector).for_each(|(x, v)| *x += target[k] * v);
        }
    }
}

fn scale(weight: f64) -> f64 {
    if weight > 0.0 { weight } else { 1.0 }
}

fn length(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn weighted(x: &[f64], weights: &[f64]) -> f64 {
    x.iter().zip(weights).map(|(x, w)| scalar::square(x * scale(*w))).sum::<f64>().sqrt()
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Chain of `n` unknowns coupled to their neighbours, `g(u) = -s (2u_i - u_{i-1} - u_{i+1})`.
    fn chain(stiffness: f64) -> impl FnMut(&[f64], &mut [f64]) {
        move |u, image| {
            for i in 0..u.len() {
                let before = if i > 0 { u[i - 1] } else { 0.0 };
                let after = if i + 1 < u.len() { u[i + 1] } else { 0.0 };
                image[i] = -stiffness * (2.0 * u[i] - before - after);
            }
        }
    }

    fn solve_chain(n: usize, stiffness: f64) -> f64 {
        let (at, weights) = (vec![0.0; n], vec![1.0; n]);
        let increments = vec![1e-8; n];
        let mut map = chain(stiffness);
        let rhs: Vec<f64> = (0..n).map(|i| 1.0 + (i % 7) as f64).collect();
        let mut solution = rhs.clone();
        let problem = Linearization { at: &at, image: &at, increments: &increments, weights: &weights };
        LinearSolver::default().solve(&mut solution, &problem, &mut map).unwrap();
        let mut image = vec![0.0; n];
        map(&solution, &mut image);
        let worst = |i: usize| (solution[i] - image[i] - rhs[i]).abs();
        (0..n).map(worst).fold(0.0, |a, b| if b > a { b } else { a })
    }

    #[test]
    fn few_unknowns_are_eliminated_and_many_are_iterated() {
        assert!(solve_chain(60, 1e4) < 1e-6, "{:e}", solve_chain(60, 1e4));
        assert!(solve_chain(600, 30.0) < 1e-4, "{:e}", solve_chain(600, 30.0));
    }

    #[test]
    fn a_singular_matrix_is_reported() {
        let mut rhs = [1.0, 2.0];
        assert_eq!(eliminate(&mut [1.0, 1.0, 1.0, 1.0], &mut rhs), Err(Unsolvable));
    }
}

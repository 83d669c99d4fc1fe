//! Springs, dampers and actuators in an update of velocities, where no other force depends on velocity.
//!
//! With the bodies in one place row k exerts `λ_k = clamp(r_k - d_k y_k)` along `J_kᵀ`, `y = J u` its rate at the velocities u at which
//! forces are evaluated, r its force at rate zero. The update is `u = v + h M⁻¹ (F + Σ J_jᵀ (λ_j - λ_j⁻))` with F and λ⁻ the
//! forces at v, so that with `S = J M⁻¹ Jᵀ`
//!
//! `Δy_k = h J_k M⁻¹ F + h Σ_j S_kj (λ_j - λ_j⁻)`.
//!
//! As many unknowns as rows, and linear but for the clamps: rows within their range have `λ = r - d y`, others are at its end. With
//! `z = √d Δy` the matrix `1 + h √d S √d` of the rows within is symmetric and positive definite. Rows change sides until all are
//! consistent.

use crate::physics::rigid_body::Wrench;

/// Rows up to which the dense matrix is used; more are left to the caller. tuned: a third of a million multiplications.
pub(super) const MOST_ROWS: usize = 96;

/// How often rows may change sides, besides once for each row. tuned.
const CHANGES: usize = 8;

/// A row whose force depends on its rate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Resisting {
    /// First and last of its ends in [`ImplicitForces::ends`].
    pub(super) ends: [usize; 2],
    pub(super) damping: f64,
    pub(super) lower: f64,
    pub(super) upper: f64,
    /// Without clamp, and as it is, at the velocities before the update.
    pub(super) raw: f64,
    pub(super) before: f64,
    /// Change of its rate without changes of the forces.
    pub(super) drift: f64,
    /// Force after the update, at the side that is tried.
    pub(super) force: f64,
    pub(super) side: Side,
    /// Change of its rate.
    pub(super) change: f64,
}

/// A movable body of a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct ResistingEnd {
    pub(super) slot: usize,
    /// Part of `Jᵀ`.
    pub(super) unit: Wrench,
    /// Part of `M⁻¹ Jᵀ`.
    pub(super) response: Wrench,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Within,
    Lower,
    Upper,
}

/// Workspace.
#[derive(Clone, Debug, Default)]
pub(super) struct ImplicitForces {
    pub(super) rows: Vec<Resisting>,
    pub(super) ends: Vec<ResistingEnd>,
    coupling: Vec<f64>,
    within: Vec<usize>,
    matrix: Vec<f64>,
    solution: Vec<f64>,
}

impl ImplicitForces {
    /// Finds the forces of the rows at the velocities after `reach` seconds of these wrenches and them; false if they do not settle.
    pub(super) fn solve(&mut self, wrenches: &[Wrench], reach: f64) -> bool {
        let count = self.rows.len();
        self.couple(wrenches, reach);
        for _ in 0..count + CHANGES {
            if !self.solve_within(reach) {
                return false;
            }
            let mut settled = true;
            for k in 0..count {
                let pushes: f64 = (0..count)
                    .map(|j| self.coupling[k * count + j] * (self.rows[j].force - self.rows[j].before))
                    .sum();
                let row = &mut self.rows[k];
                if row.side != Side::Within {
                    row.change = row.drift + reach * pushes;
                }
                let raw = row.raw - row.damping * row.change;
                let side = if raw > row.upper {
                    Side::Upper
                } else if raw < row.lower {
                    Side::Lower
                } else {
                    Side::Within
                };
                settled &= side == row.side;
                row.side = side;
            }
            if settled {
                return true;
            }
        }
        false
    }

    /// Fills S and the changes of rates by the forces as they are.
    fn couple(&mut self, wrenches: &[Wrench], reach: f64) {
        let count = self.rows.len();
        self.coupling.clear();
        self.coupling.resize(count * count, 0.0);
        for k in 0..count {
            let mut drift = 0.0;
            for end in self.ends_of(k) {
                drift += end.response.power(wrenches[end.slot].force, wrenches[end.slot].torque);
            }
            self.rows[k].drift = reach * drift;
            for j in 0..=k {
                let shared = coupling(self.ends_of(k), self.ends_of(j));
                self.coupling[k * count + j] = shared;
                self.coupling[j * count + k] = shared;
            }
        }
    }

    /// The bodies of a row.
    pub(super) fn ends_of(&self, row: usize) -> &[ResistingEnd] {
        let [first, last] = self.rows[row].ends;
        &self.ends[first..last]
    }

    /// Solves for the changes of rates and the forces of the rows within their range, with the others at its ends.
    fn solve_within(&mut self, reach: f64) -> bool {
        let count = self.rows.len();
        self.within.clear();
        self.within.extend((0..count).filter(|&k| self.rows[k].side == Side::Within));
        for row in &mut self.rows {
            row.force = match row.side {
                Side::Within => row.raw,
                Side::Lower => row.lower,
                Side::Upper => row.upper,
            };
        }
        let n = self.within.len();
        self.matrix.clear();
        self.matrix.resize(n * n, 0.0);
        self.solution.clear();
        for (i, &k) in self.within.iter().enumerate() {
            let root = self.rows[k].damping.sqrt();
            let pushes: f64 = (0..count)
                .map(|j| self.coupling[k * count + j] * (self.rows[j].force - self.rows[j].before))
                .sum();
            self.solution.push(root * (self.rows[k].drift + reach * pushes));
            for (j, &l) in self.within[..=i].iter().enumerate() {
                let unit = if i == j { 1.0 } else { 0.0 };
                self.matrix[i * n + j] =
                    unit + reach * root * self.coupling[k * count + l] * self.rows[l].damping.sqrt();
            }
        }
        if !solve_positive(&mut self.matrix, &mut self.solution) {
            return false;
        }
        for (&k, z) in self.within.iter().zip(&self.solution) {
            let row = &mut self.rows[k];
            row.change = z / row.damping.sqrt();
            row.force = row.raw - row.damping * row.change;
        }
        true
    }
}

/// `J_k M⁻¹ J_jᵀ` over the bodies that both share.
fn coupling(k: &[ResistingEnd], j: &[ResistingEnd]) -> f64 {
    let mut sum = 0.0;
    for own in k {
        for other in j.iter().filter(|other| other.slot == own.slot) {
            sum += own.unit.power(other.response.force, other.response.torque);
        }
    }
    sum
}

/// Solves with a positive definite matrix, its lower triangle given, row-major; both are overwritten. False if it is not.
fn solve_positive(matrix: &mut [f64], x: &mut [f64]) -> bool {
    let n = x.len();
    for i in 0..n {
        for j in 0..=i {
            let mut entry = matrix[i * n + j];
            for s in 0..j {
                entry -= matrix[i * n + s] * matrix[j * n + s];
            }
            if i == j {
                if !(entry > 0.0 && entry.is_finite()) {
                    return false;
                }
                matrix[i * n + i] = entry.sqrt();
            } else {
                matrix[i * n + j] = entry / matrix[j * n + j];
            }
        }
        for s in 0..i {
            x[i] -= matrix[i * n + s] * x[s];
        }
        x[i] /= matrix[i * n + i];
    }
    for i in (0..n).rev() {
        x[i] /= matrix[i * n + i];
        for s in 0..i {
            x[s] -= matrix[i * n + s] * x[i];
        }
    }
    true
}

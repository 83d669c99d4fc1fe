//! The rigid rows of one joint, solved together: what they ask of each other is met at once, and sweeps have only contacts and the
//! neighbouring joints left to agree with.
//!
//! With `K = J M⁻¹ Jᵀ` of the rows, factored as `L D Lᵀ` once a step, a local solve is `p ← p - s K⁻¹ (J v - target + r C) - l p`, the
//! law of a single row ([`super::rows`]) with a matrix in the place of a number. A row that depends on those before it has no pivot and
//! is left to them.

use super::bodies::SoftBodies;
use super::rows::{RowState, dot};
use super::settings::Softness;
use crate::tolerance;

/// Rigid rows of a joint at most.
const MOST: usize = 6;

/// Consecutive rows that are solved together: rigid ones of one joint, or a single limit or motor.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowBlock {
    first: u32,
    count: u32,
    /// L below the diagonal, one over D on it; zero where there is no pivot.
    factor: [[f64; MOST]; MOST],
}

impl RowBlock {
    /// Divides rows into blocks, in order.
    pub(super) fn divide(rows: &[RowState], blocks: &mut Vec<Self>) {
        blocks.clear();
        let mut first = 0;
        while first < rows.len() {
            let together = |row: &&RowState| {
                rows[first].row.is_rigid() && row.row.is_rigid() && row.row.joint == rows[first].row.joint
            };
            let count = rows[first..].iter().take(MOST).take_while(together).count().max(1);
            blocks.push(Self::new(first, &rows[first..first + count]));
            first += count;
        }
    }

    fn new(first: usize, rows: &[RowState]) -> Self {
        let mut k = [[0.0; MOST]; MOST];
        for (i, row) in rows.iter().enumerate() {
            for (j, other) in rows.iter().enumerate().take(i + 1) {
                k[i][j] = dot(&row.row.jacobian, &other.response);
            }
        }
        // L D Lᵀ in place, one over D on the diagonal.
        for i in 0..rows.len() {
            let diagonal = k[i][i];
            for j in 0..i {
                let mut sum = k[i][j];
                for m in 0..j {
                    sum -= k[i][m] * k[j][m];
                }
                k[i][j] = sum;
            }
            let mut pivot = diagonal;
            for j in 0..i {
                let scaled = k[i][j] * k[j][j];
                pivot -= scaled * k[i][j];
                k[i][j] = scaled;
            }
            // Without a pivot L is zero below it.
            k[i][i] = if pivot > tolerance::CONSTRAINT_RANK * diagonal { 1.0 / pivot } else { 0.0 };
        }
        Self { first: first as u32, count: rows.len() as u32, factor: k }
    }

    fn rows<'r>(&self, rows: &'r mut [RowState]) -> &'r mut [RowState] {
        &mut rows[self.first as usize..(self.first + self.count) as usize]
    }

    /// Closes what is open: limits as softly as contacts, rigid rows by a spring of their own.
    pub(super) fn push(
        &self,
        rows: &mut [RowState],
        bodies: &mut SoftBodies,
        [limit, joint]: [&Softness; 2],
        per_second: f64,
    ) {
        match self.rows(rows) {
            [row] if !row.row.is_rigid() => row.push(bodies, limit, per_second),
            rows => self.solve(rows, bodies, (joint.rate, joint.scale, joint.leak)),
        }
    }

    pub(super) fn relax(&self, rows: &mut [RowState], bodies: &mut SoftBodies) {
        match self.rows(rows) {
            [row] if !row.row.is_rigid() => row.relax(bodies),
            rows => {
                self.solve(rows, bodies, (0.0, 1.0, 0.0));
                rows.iter_mut().for_each(|row| row.sum += row.impulse);
            }
        }
    }

    fn solve(&self, rows: &mut [RowState], bodies: &mut SoftBodies, (rate, scale, leak): (f64, f64, f64)) {
        let mut off = [0.0; MOST];
        for (off, row) in off.iter_mut().zip(rows.iter()) {
            *off = row.rate(&bodies.velocity) - row.row.target;
            if rate > 0.0 {
                *off += rate * row.open(&bodies.displacement);
            }
        }
        self.substitute(&mut off);
        for (row, off) in rows.iter_mut().zip(off) {
            row.apply(row.impulse - scale * off - leak * row.impulse, bodies);
        }
    }

    /// `K⁻¹ x` in place.
    fn substitute(&self, x: &mut [f64; MOST]) {
        let (k, n) = (&self.factor, self.count as usize);
        for i in 0..n {
            for j in 0..i {
                x[i] -= k[i][j] * x[j];
            }
        }
        for i in 0..n {
            x[i] *= k[i][i];
        }
        for i in (0..n).rev() {
            for j in i + 1..n {
                x[i] -= k[j][i] * x[j];
            }
        }
    }
}

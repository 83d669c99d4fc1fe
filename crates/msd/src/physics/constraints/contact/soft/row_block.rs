//! The rigid rows of one joint as a block: they are solved together, so that sweeps iterate only between joints and
//! contacts.
//!
//! With `K = J M⁻¹ Jᵀ` of the rows, factorised as `L D Lᵀ` once a step, a local solve is
//! `p ← p - s K⁻¹ (J v - target + r C) - l p`, the law of a single row ([`super::rows`]) with a matrix for the number.
//! A row that depends on those before it has no pivot and is left to them.

use std::ops::Range;

use super::bodies::SoftBodies;
use super::rows::{RowState, dot};
use super::settings::Softness;
use crate::tolerance;

/// Rigid rows of a joint at most.
const MOST: usize = 6;

/// Parameters of one pass over the rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pass {
    /// r, s and l, as of [`Softness`].
    pub(super) rate: f64,
    pub(super) scale: f64,
    pub(super) impulse_coefficient: f64,
    /// Time within the step: -1 at its start, 1 at its end.
    pub(super) share: f64,
}

impl Pass {
    /// Push: closes the error with a spring.
    pub(super) fn pushing(joint: &Softness, share: f64) -> Self {
        Self { rate: joint.rate, scale: joint.scale, impulse_coefficient: joint.impulse_coefficient, share }
    }

    /// Relax: velocities without springs.
    pub(super) fn relaxing(share: f64) -> Self {
        Self { rate: 0.0, scale: 1.0, impulse_coefficient: 0.0, share }
    }
}

/// Parameters of a push pass over all joints.
#[derive(Clone, Copy, Debug)]
pub(super) struct PushPass<'a> {
    /// Of rigid rows.
    pub(super) rigid: Pass,
    /// Of rigid rows of joints in many loops.
    pub(super) meshed: Pass,
    /// Of limits: the springs of contacts.
    pub(super) limit: &'a Softness,
    /// 1/h: an open limit may be approached at C/h.
    pub(super) per_second: f64,
}

/// Rows that are solved together.
#[derive(Clone, Copy, Debug)]
pub(super) enum RowBlock {
    /// A ball joint, by number.
    Point(u32),
    /// Consecutive rigid rows of one joint, and the number of their factor.
    Rigid { first: u32, count: u32, factor: u32 },
    /// A single limit or motor.
    Bounded(u32),
}

impl RowBlock {
    /// Divides the rows of a joint, from `first` on, into blocks, in order.
    pub(super) fn divide(
        rows: &[RowState],
        mut first: usize,
        blocks: &mut Vec<Self>,
        factors: &mut Vec<Factor>,
    ) {
        while first < rows.len() {
            let count = rows[first..].iter().take(MOST).take_while(|row| row.row.is_rigid()).count();
            blocks.push(match count {
                0 => Self::Bounded(first as u32),
                _ => Self::Rigid { first: first as u32, count: count as u32, factor: factors.len() as u32 },
            });
            if count > 0 {
                factors.push(Factor::new(&rows[first..first + count]));
            }
            first += count.max(1);
        }
    }

    /// Its rows.
    pub(super) fn range(&self) -> Range<usize> {
        match *self {
            Self::Point(_) => 0..0,
            Self::Rigid { first, count, .. } => first as usize..(first + count) as usize,
            Self::Bounded(row) => row as usize..row as usize + 1,
        }
    }
}

/// `K = L D Lᵀ`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Factor {
    count: usize,
    /// L below the diagonal, one over D on it; zero where there is no pivot.
    factor: [[f64; MOST]; MOST],
}

impl Factor {
    fn new(rows: &[RowState]) -> Self {
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
        Self { count: rows.len(), factor: k }
    }

    pub(super) fn solve(&self, rows: &mut [RowState], bodies: &mut SoftBodies, pass: &Pass) {
        let mut off = [0.0; MOST];
        for (off, row) in off.iter_mut().zip(rows.iter()) {
            *off = row.rate(&bodies.velocity) - row.target(pass.share);
            if pass.rate > 0.0 {
                *off += pass.rate * row.open(&bodies.displacement);
            }
        }
        self.substitute(&mut off);
        for (row, off) in rows.iter_mut().zip(off) {
            row.apply(row.impulse - pass.scale * off - pass.impulse_coefficient * row.impulse, bodies);
        }
    }

    /// `K⁻¹ x` in place.
    fn substitute(&self, x: &mut [f64; MOST]) {
        let (k, n) = (&self.factor, self.count);
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

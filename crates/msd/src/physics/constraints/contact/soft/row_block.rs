//! The rigid rows of one joint, solved together: what they ask of each other is met at once, and sweeps have only contacts and the
//! neighbouring joints left to agree with.
//!
//! With `K = J M⁻¹ Jᵀ` of the rows, factored as `L D Lᵀ` once a step, a local solve is `p ← p - s K⁻¹ (J v - target + r C) - l p`, the
//! law of a single row ([`super::rows`]) with a matrix in the place of a number. A row that depends on those before it has no pivot and
//! is left to them.

use std::ops::Range;

use super::bodies::SoftBodies;
use super::point_block::PointBlock;
use super::rows::{RowState, dot};
use super::settings::Softness;
use crate::tolerance;

/// Rigid rows of a joint at most.
const MOST: usize = 6;

/// What one pass over the rows does.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pass {
    /// r, s and l, as of [`Softness`].
    pub(super) rate: f64,
    pub(super) scale: f64,
    pub(super) leak: f64,
    /// Where in the step it is: -1 at its start, 1 at its end.
    pub(super) share: f64,
}

impl Pass {
    /// Closes what is open by a spring.
    pub(super) fn pushing(joint: &Softness, share: f64) -> Self {
        Self { rate: joint.rate, scale: joint.scale, leak: joint.leak, share }
    }

    /// Asks for velocities alone.
    pub(super) fn relaxing(share: f64) -> Self {
        Self { rate: 0.0, scale: 1.0, leak: 0.0, share }
    }
}

/// Consecutive rows that are solved together: rigid ones of one joint, or a single limit or motor.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowBlock {
    first: u32,
    count: u32,
    /// See [`SoftRow::meshed`](super::SoftRow::meshed).
    pub(super) meshed: bool,
    kind: Kind,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    /// A ball joint.
    Point(PointBlock),
    /// Other rigid rows.
    Rigid(Factor),
    /// A limit or motor.
    Bounded,
}

impl RowBlock {
    /// Divides rows into blocks, in order.
    pub(super) fn divide(rows: &[RowState], bodies: &SoftBodies, blocks: &mut Vec<Self>) {
        blocks.clear();
        let mut first = 0;
        while first < rows.len() {
            let together = |row: &&RowState| {
                rows[first].row.is_rigid() && row.row.is_rigid() && row.row.joint == rows[first].row.joint
            };
            let count = rows[first..].iter().take(MOST).take_while(together).count().max(1);
            let those = &rows[first..first + count];
            let kind = match PointBlock::new(those, bodies) {
                _ if !rows[first].row.is_rigid() => Kind::Bounded,
                Some(point) => Kind::Point(point),
                None => Kind::Rigid(Factor::new(those)),
            };
            let meshed = rows[first].row.meshed;
            blocks.push(Self { first: first as u32, count: count as u32, meshed, kind });
            first += count;
        }
    }

    fn range(&self) -> Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }

    /// Closes what is open: limits as softly as contacts, rigid rows by springs of their own.
    pub(super) fn push(
        &mut self,
        rows: &mut [RowState],
        bodies: &mut SoftBodies,
        [stiff, meshed]: &[Pass; 2],
        (limit, per_second): (&Softness, f64),
    ) {
        let pass = if self.meshed { meshed } else { stiff };
        let range = self.range();
        match &mut self.kind {
            Kind::Point(point) => point.solve(bodies, pass),
            Kind::Rigid(factor) => factor.solve(&mut rows[range], bodies, pass),
            Kind::Bounded => rows[self.first as usize].push(bodies, limit, per_second, pass.share),
        }
    }

    pub(super) fn relax(&mut self, rows: &mut [RowState], bodies: &mut SoftBodies, pass: &Pass) {
        let range = self.range();
        match &mut self.kind {
            Kind::Point(point) => point.relax(bodies, pass),
            Kind::Rigid(factor) => {
                let rows = &mut rows[range];
                factor.solve(rows, bodies, pass);
                rows.iter_mut().for_each(|row| row.sum += row.impulse);
            }
            Kind::Bounded => rows[self.first as usize].relax(bodies, pass.share),
        }
    }

    /// Ends a substep.
    pub(super) fn end(&self, rows: &mut [RowState], bodies: &SoftBodies) {
        if let Kind::Bounded = self.kind {
            rows[self.first as usize].end(bodies);
        }
    }

    /// Forgets the impulses of substeps so far.
    pub(super) fn forget(&mut self, rows: &mut [RowState]) {
        match &mut self.kind {
            Kind::Point(point) => point.forget(),
            _ => rows[self.range()].iter_mut().for_each(|row| row.sum = 0.0),
        }
    }

    /// Leaves impulses with the rows.
    pub(super) fn leave(&self, rows: &mut [RowState]) {
        if let Kind::Point(point) = &self.kind {
            point.leave(&mut rows[self.range()]);
        }
    }
}

/// `K = L D Lᵀ`.
#[derive(Clone, Copy, Debug)]
struct Factor {
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

    fn solve(&self, rows: &mut [RowState], bodies: &mut SoftBodies, pass: &Pass) {
        let mut off = [0.0; MOST];
        for (off, row) in off.iter_mut().zip(rows.iter()) {
            *off = row.rate(&bodies.velocity) - row.target(pass.share);
            if pass.rate > 0.0 {
                *off += pass.rate * row.open(&bodies.displacement);
            }
        }
        self.substitute(&mut off);
        for (row, off) in rows.iter_mut().zip(off) {
            row.apply(row.impulse - pass.scale * off - pass.leak * row.impulse, bodies);
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

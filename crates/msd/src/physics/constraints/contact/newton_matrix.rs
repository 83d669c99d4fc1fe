//! `1 + Σ B_eᵀ D_e B_e` over the nodes of an island, and its factor: 6×6 blocks on the graph of bodies.
//!
//! Every element adds to the blocks of its two nodes and to the one between them. The matrix is never singular however many
//! contacts a face has, contacts with immovable bodies only touch diagonal blocks, and further contacts of a pair add no
//! fill. `D_e` is symmetric for the convex problem; for Coulomb's own it is not, while the pattern stays symmetric.
//!
//! Block LU in minimum-degree order: the diagonal block is split into `L U` (with row exchanges inside the block where the
//! matrix is not symmetric), then for every later block row q
//! ```text
//! W_q = A_qp U⁻¹,   Z_q = L⁻¹ A_pq,   A_rc ← A_rc - W_r Z_c
//! ```
//! A symmetric matrix has `W_q = Z_qᵀ D⁻¹` with D the diagonal of U, and only the lower half of the updates is computed.
//! Plain loops in a fixed order: the same bits everywhere.

use super::constraint_rows::{ConstraintBlock, ConstraintRows, ScaledRow};
use super::ordering::EliminationOrder;

type Block = [[f64; 6]; 6];

const ZERO: Block = [[0.0; 6]; 6];

/// The matrix, its factor, and the order, kept while the graph stands still.
#[derive(Clone, Debug, Default)]
pub(super) struct VelocityMatrix {
    order: EliminationOrder,
    diagonal: Vec<Block>,
    exchanges: Vec<[usize; 6]>,
    /// `A_qp` and then `W_q`, in the order of the pattern.
    lower: Vec<Block>,
    /// `A_pq` and then `Z_q`.
    upper: Vec<Block>,
    symmetric: bool,
    scratch: Vec<f64>,
}

impl VelocityMatrix {
    /// Prepares for the graph of these elements.
    pub(super) fn prepare(&mut self, elements: &ConstraintRows) {
        self.order.update(elements.nodes, elements.edges());
        self.diagonal.resize(elements.nodes, ZERO);
        self.exchanges.resize(elements.nodes, [0; 6]);
        self.lower.resize(self.order.entries(), ZERO);
        self.upper.resize(self.order.entries(), ZERO);
    }

    /// Resets to the unit matrix, to which only symmetric `D_e` will be added, or any.
    pub(super) fn clear(&mut self, symmetric: bool) {
        self.symmetric = symmetric;
        let mut unit = ZERO;
        (0..6).for_each(|k| unit[k][k] = 1.0);
        self.diagonal.fill(unit);
        self.lower.fill(ZERO);
        self.upper.fill(ZERO);
    }

    /// Adds `B_eᵀ D B_e` of an element with N scalar rows.
    pub(super) fn add<const N: usize>(
        &mut self,
        elements: &ConstraintRows,
        element: &ConstraintBlock,
        d: &[[f64; N]; N],
    ) {
        let rows: &[ScaledRow] = &elements.rows[element.first..element.first + N];
        let [a, b] = element.ends.pair;
        for (end, node) in [(0, a), (1, b)] {
            if node < elements.nodes {
                let scaled = scale(rows, d, end);
                accumulate(&mut self.diagonal[self.order.position(node)], rows, end, &scaled);
            }
        }
        if a < elements.nodes && b < elements.nodes && a != b {
            let (p_a, p_b) = (self.order.position(a), self.order.position(b));
            let (early, late, p, q) = if p_a < p_b { (0, 1, p_a, p_b) } else { (1, 0, p_b, p_a) };
            let entry = self.order.entry(p, q);
            accumulate(&mut self.lower[entry], rows, late, &scale(rows, d, early));
            if !self.symmetric {
                accumulate(&mut self.upper[entry], rows, early, &scale(rows, d, late));
            }
        }
        self.add_further(elements, element, d[0][0]);
    }

    /// Adds what a row over more than two bodies has at its further nodes, and between them and the others.
    fn add_further(&mut self, elements: &ConstraintRows, element: &ConstraintBlock, d: f64) {
        let further = element.ends.further();
        for (index, (node, part)) in elements.further[further.clone()].iter().enumerate() {
            let p = self.order.position(*node);
            add_product(&mut self.diagonal[p], part, part, d);
            let others = elements.parts(element);
            let before = others.clone().count() - further.len() + index;
            for (other, on_other) in others.take(before) {
                let q = self.order.position(other);
                let ((early, on_early), (late, on_late)) =
                    if p < q { ((p, part), (q, on_other)) } else { ((q, on_other), (p, part)) };
                let entry = self.order.entry(early, late);
                add_product(&mut self.lower[entry], on_late, on_early, d);
                if !self.symmetric {
                    add_product(&mut self.upper[entry], on_early, on_late, d);
                }
            }
        }
    }

    /// Factorises what was added.
    pub(super) fn factorise(&mut self) {
        for p in 0..self.diagonal.len() {
            let pivot = &mut self.diagonal[p];
            self.exchanges[p] = split(pivot, !self.symmetric);
            let range = self.order.column(p);
            for entry in range.clone() {
                if self.symmetric {
                    self.upper[entry] = transpose(&self.lower[entry]);
                    forward(pivot, &self.exchanges[p], &mut self.upper[entry]);
                    self.lower[entry] = transpose(&self.upper[entry]);
                    for row in &mut self.lower[entry] {
                        (0..6).for_each(|k| row[k] /= pivot[k][k]);
                    }
                } else {
                    forward(pivot, &self.exchanges[p], &mut self.upper[entry]);
                    backward(pivot, &mut self.lower[entry]);
                }
            }
            self.update(range);
        }
    }

    /// `A_rc ← A_rc - W_r Z_c` for all pairs of one column of the pattern.
    fn update(&mut self, range: std::ops::Range<usize>) {
        // Later columns lie behind this one.
        let (lower, lower_later) = self.lower.split_at_mut(range.end);
        let (upper, upper_later) = self.upper.split_at_mut(range.end);
        for c in range.clone() {
            let column = self.order.row(c);
            subtract(&mut self.diagonal[column], &lower[c], &upper[c]);
            let mut target = self.order.column(column).start;
            for r in c + 1..range.end {
                let row = self.order.row(r);
                while self.order.row(target) != row {
                    target += 1;
                }
                subtract(&mut lower_later[target - range.end], &lower[r], &upper[c]);
                if !self.symmetric {
                    subtract(&mut upper_later[target - range.end], &lower[c], &upper[r]);
                }
            }
        }
    }

    /// Solves in place with the last factor. The entries of the last node come back as zero.
    pub(super) fn solve(&mut self, x: &mut [f64]) {
        let nodes = self.diagonal.len();
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear();
        for p in 0..nodes {
            let node = self.order.node(p);
            scratch.extend_from_slice(&x[6 * node..6 * node + 6]);
        }
        for p in 0..nodes {
            let own = forward_vector(&self.diagonal[p], &self.exchanges[p], &scratch[6 * p..6 * p + 6]);
            scratch[6 * p..6 * p + 6].copy_from_slice(&own);
            for entry in self.order.column(p) {
                let q = self.order.row(entry);
                multiply_subtract(&self.lower[entry], &own, &mut scratch[6 * q..6 * q + 6]);
            }
        }
        for p in (0..nodes).rev() {
            let mut own = [0.0; 6];
            own.copy_from_slice(&scratch[6 * p..6 * p + 6]);
            for entry in self.order.column(p) {
                let q = self.order.row(entry);
                let mut other = [0.0; 6];
                other.copy_from_slice(&scratch[6 * q..6 * q + 6]);
                multiply_subtract(&self.upper[entry], &other, &mut own);
            }
            backward_vector(&self.diagonal[p], &mut own);
            scratch[6 * p..6 * p + 6].copy_from_slice(&own);
        }
        x.fill(0.0);
        for p in 0..nodes {
            let node = self.order.node(p);
            x[6 * node..6 * node + 6].copy_from_slice(&scratch[6 * p..6 * p + 6]);
        }
        self.scratch = scratch;
    }
}

/// `D B` on one end.
fn scale<const N: usize>(rows: &[ScaledRow], d: &[[f64; N]; N], end: usize) -> [[f64; 6]; N] {
    let mut scaled = [[0.0; 6]; N];
    for (i, out) in scaled.iter_mut().enumerate() {
        for (j, row) in rows.iter().enumerate() {
            for k in 0..6 {
                out[k] += d[i][j] * row[end][k];
            }
        }
    }
    scaled
}

/// Adds `Bᵀ scaled`.
fn accumulate<const N: usize>(block: &mut Block, rows: &[ScaledRow], end: usize, scaled: &[[f64; 6]; N]) {
    for (row, scaled) in rows.iter().zip(scaled) {
        for r in 0..6 {
            for c in 0..6 {
                block[r][c] += row[end][r] * scaled[c];
            }
        }
    }
}

/// Adds `d left rightᵀ`.
fn add_product(block: &mut Block, left: &[f64; 6], right: &[f64; 6], d: f64) {
    for r in 0..6 {
        for c in 0..6 {
            block[r][c] += d * left[r] * right[c];
        }
    }
}

/// `L U` in place, L with a unit diagonal; returns which row each step exchanged with its own.
fn split(block: &mut Block, exchange: bool) -> [usize; 6] {
    let mut exchanges = [0, 1, 2, 3, 4, 5];
    for k in 0..6 {
        if exchange {
            for i in k + 1..6 {
                if block[i][k].abs() > block[exchanges[k]][k].abs() {
                    exchanges[k] = i;
                }
            }
            block.swap(k, exchanges[k]);
        }
        let pivot = block[k][k];
        for i in k + 1..6 {
            let factor = block[i][k] / pivot;
            block[i][k] = factor;
            for j in k + 1..6 {
                block[i][j] -= factor * block[k][j];
            }
        }
    }
    exchanges
}

/// `L⁻¹ X` with the exchanges of L.
fn forward(factor: &Block, exchanges: &[usize; 6], x: &mut Block) {
    for k in 0..6 {
        x.swap(k, exchanges[k]);
    }
    for k in 0..6 {
        let known = x[k];
        for i in k + 1..6 {
            for j in 0..6 {
                x[i][j] -= factor[i][k] * known[j];
            }
        }
    }
}

/// `X U⁻¹`.
fn backward(factor: &Block, x: &mut Block) {
    for row in x.iter_mut() {
        for k in 0..6 {
            row[k] /= factor[k][k];
            for j in k + 1..6 {
                row[j] -= row[k] * factor[k][j];
            }
        }
    }
}

fn forward_vector(factor: &Block, exchanges: &[usize; 6], x: &[f64]) -> [f64; 6] {
    let mut own = [0.0; 6];
    own.copy_from_slice(x);
    for k in 0..6 {
        own.swap(k, exchanges[k]);
    }
    for k in 0..6 {
        for i in k + 1..6 {
            own[i] -= factor[i][k] * own[k];
        }
    }
    own
}

fn backward_vector(factor: &Block, x: &mut [f64; 6]) {
    for k in (0..6).rev() {
        for j in k + 1..6 {
            x[k] -= factor[k][j] * x[j];
        }
        x[k] /= factor[k][k];
    }
}

fn subtract(target: &mut Block, left: &Block, right: &Block) {
    for i in 0..6 {
        let mut row = target[i];
        for k in 0..6 {
            for j in 0..6 {
                row[j] -= left[i][k] * right[k][j];
            }
        }
        target[i] = row;
    }
}

fn multiply_subtract(block: &Block, x: &[f64; 6], target: &mut [f64]) {
    for (target, row) in target.iter_mut().zip(block) {
        for k in 0..6 {
            *target -= row[k] * x[k];
        }
    }
}

fn transpose(block: &Block) -> Block {
    let mut transposed = ZERO;
    for i in 0..6 {
        for j in 0..6 {
            transposed[j][i] = block[i][j];
        }
    }
    transposed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::physics::constraints::contact::constraint_rows::tests::chain;

    /// Solves a known right-hand side and returns the largest error.
    fn error(d: &[[[f64; 3]; 3]; 3], moments: f64, symmetric: bool) -> f64 {
        let mut elements = ConstraintRows::default();
        elements.prepare(&chain());
        let mut matrix = VelocityMatrix::default();
        matrix.prepare(&elements);
        let wanted: Vec<f64> =
            (0..elements.size()).map(|i| if i < 18 { 1.0 - 0.1 * i as f64 } else { 0.0 }).collect();
        let mut x = wanted.clone();
        matrix.clear(symmetric);
        for (index, element) in elements.list.iter().enumerate() {
            let mut full = [[0.0; 6]; 6];
            for i in 0..6 {
                full[i][i] = moments;
            }
            for (i, j) in (0..9).map(|k| (k / 3, k % 3)) {
                full[i][j] = if index < 3 { d[index][i][j] } else { 2.0 };
            }
            match element.size {
                1 => matrix.add(&elements, element, &[[full[0][0]]]),
                3 => matrix.add(&elements, element, &d[index]),
                _ => matrix.add(&elements, element, &full),
            }
            for i in 0..element.size {
                let mut sum = 0.0;
                for j in 0..element.size {
                    sum += full[i][j] * elements.velocity(element.first + j, element.ends, &wanted);
                }
                elements.add_impulse(element.first + i, element.ends, sum, &mut x);
            }
        }
        matrix.factorise();
        matrix.solve(&mut x);
        x.iter().zip(&wanted).fold(0.0, |worst, (x, w)| crate::math::scalar::max(worst, (x - w).abs()))
    }

    #[test]
    fn the_factor_solves_the_matrix() {
        let d = [1e6, 3.0, 40.0].map(|k| [[k, 0.3 * k, 0.0], [0.3 * k, 0.5 * k, 0.0], [0.0; 3]]);
        assert!(error(&d, 5.0, true) < 1e-9);
        assert!(error(&d, 5.0, false) < 1e-9);
    }

    #[test]
    fn the_factor_solves_a_matrix_that_is_not_symmetric() {
        let d = [1e3, 3.0, 40.0].map(|k| [[k, 0.3 * k, 0.0], [-0.4 * k, 0.5 * k, 0.1], [0.0, 0.7, 0.2]]);
        assert!(error(&d, 5.0, false) < 1e-10);
    }
}

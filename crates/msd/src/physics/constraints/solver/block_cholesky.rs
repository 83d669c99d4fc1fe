//! Sparse block `L D Lᵀ` of a symmetric positive semidefinite matrix, blocks of at most
//! [`MAX_ROWS`](crate::physics::constraints::MAX_ROWS) rows.
//!
//! Right-looking: each column is factorised, scaled and subtracted from the columns to its right, along index lists made
//! once per topology. Plain loops in fixed order, so the result has the same bits everywhere.
//!
//! Pivots reveal the rank. In exact arithmetic the pivot of row k is the part of `A_kk` that earlier rows do not explain;
//! where it falls below a threshold times `A_kk` the row says nothing new. Its pivot is then taken as infinite: the row
//! gets the multiplier zero and does not act on the others. Small pivots of rows that are known to be independent, from how
//! bodies are connected, are those of light links between heavy ones, and are used. Rows masked out by the caller are treated the same way.

use super::ordering::Elimination;
use crate::math::scalar;
use crate::tolerance;

/// Pattern, values and factor.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct BlockCholesky {
    position: Vec<usize>,
    columns: Vec<Column>,
    /// Destinations of the updates of each column, one for every pair of its blocks.
    updates: Vec<Vec<usize>>,
    matrix: Vec<f64>,
    factor: Vec<f64>,
    inverse_pivots: Vec<f64>,
    /// Columns of which some row was used.
    live: Vec<bool>,
    pivots: Vec<f64>,
    /// `L D` of the blocks below the diagonal of the column at hand.
    scaled: Vec<f64>,
}

#[derive(Clone, Debug)]
struct Column {
    /// First scalar row of the node.
    first: usize,
    size: usize,
    diagonal: usize,
    /// Offset of each block below the diagonal, with its position.
    below: Vec<(usize, usize)>,
}

/// Result of a factorisation.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Pivoting {
    /// Smallest pivot that was used, relative to its diagonal entry.
    pub(in super::super) smallest: f64,
    /// Rows left out because they depend on others.
    pub(in super::super) dependent: usize,
}

impl BlockCholesky {
    /// The pattern for nodes with these `(first row, size)` and couplings.
    pub(in super::super) fn new(nodes: &[(usize, usize)], edges: &[(usize, usize)]) -> Self {
        let elimination = Elimination::new(nodes.len(), edges);
        let mut position = vec![0; nodes.len()];
        for (p, &node) in elimination.order.iter().enumerate() {
            position[node] = p;
        }
        let mut length = 0;
        let mut take = |entries: usize| {
            length += entries;
            length - entries
        };
        let mut columns: Vec<Column> = Vec::with_capacity(nodes.len());
        for (p, &node) in elimination.order.iter().enumerate() {
            let (first, size) = nodes[node];
            let diagonal = take(size * size);
            let below = elimination.columns[p]
                .iter()
                .map(|&q| (q, take(nodes[elimination.order[q]].1 * size)))
                .collect();
            columns.push(Column { first, size, diagonal, below });
        }
        let rows = nodes.iter().map(|&(_, size)| size).sum();
        let updates = (0..columns.len()).map(|p| update_targets(&columns, p)).collect();
        Self {
            position,
            columns,
            updates,
            matrix: vec![0.0; length],
            factor: vec![0.0; length],
            inverse_pivots: vec![0.0; rows],
            live: vec![false; nodes.len()],
            pivots: vec![0.0; rows],
            scaled: Vec::new(),
        }
    }

    /// Forgets the numbers of the matrix.
    pub(in super::super) fn clear(&mut self) {
        self.matrix.fill(0.0);
    }

    /// Adds `value(r, c)` to the entries of the block of rows `i` and columns `j`. Call once for each unordered pair.
    pub(in super::super) fn add_block(&mut self, i: usize, j: usize, value: impl Fn(usize, usize) -> f64) {
        let (pi, pj) = (self.position[i], self.position[j]);
        let (low, high) = if pi < pj { (pi, pj) } else { (pj, pi) };
        let (offset, columns) = (block_offset(&self.columns, low, high), self.columns[low].size);
        for r in 0..self.columns[high].size {
            for c in 0..columns {
                let entry = if pi < pj { value(c, r) } else { value(r, c) };
                self.matrix[offset + r * columns + c] += entry;
            }
        }
    }

    /// Factorises the matrix plus `regularisation` on the diagonal, restricted to rows with `used`. A pivot at or below
    /// `threshold` times its diagonal entry takes its row out, and `used` is cleared for it; rows known to be `independent` of
    /// others stay down to round-off.
    pub(in super::super) fn factorise(
        &mut self,
        used: &mut [bool],
        regularisation: &[f64],
        independent: &[bool],
        threshold: f64,
    ) -> Pivoting {
        self.factor.copy_from_slice(&self.matrix);
        let mut pivoting = Pivoting { smallest: 1.0, dependent: 0 };
        let lowest = scalar::min(threshold, tolerance::STAGE_RANK);
        for p in 0..self.columns.len() {
            let Column { first, size, .. } = self.columns[p];
            self.live[p] = used[first..first + size].contains(&true);
            if !self.live[p] {
                continue;
            }
            let threshold = |row: usize| if independent[row] { lowest } else { threshold };
            self.factorise_diagonal(p, used, regularisation, threshold, &mut pivoting);
            for b in 0..self.columns[p].below.len() {
                self.scale_block(p, b);
            }
            self.update_right(p);
        }
        pivoting
    }

    fn factorise_diagonal(
        &mut self,
        p: usize,
        used: &mut [bool],
        regularisation: &[f64],
        threshold: impl Fn(usize) -> f64,
        pivoting: &mut Pivoting,
    ) {
        let Column { first, size, diagonal, .. } = self.columns[p];
        for k in 0..size {
            let row = first + k;
            let full = self.matrix[diagonal + k * size + k] + regularisation[row];
            let mut pivot = self.factor[diagonal + k * size + k] + regularisation[row];
            for s in 0..k {
                let l = self.factor[diagonal + k * size + s];
                pivot -= l * l * self.pivots[first + s];
            }
            let depends = used[row] && !(pivot > threshold(row) * full && full > 0.0);
            if depends {
                used[row] = false;
                pivoting.dependent += 1;
            }
            (self.pivots[row], self.inverse_pivots[row]) =
                if used[row] { (pivot, 1.0 / pivot) } else { (0.0, 0.0) };
            if used[row] && pivot < pivoting.smallest * full {
                pivoting.smallest = pivot / full;
            }
            for r in k + 1..size {
                let mut entry = self.factor[diagonal + r * size + k];
                for s in 0..k {
                    entry -= self.factor[diagonal + r * size + s]
                        * self.pivots[first + s]
                        * self.factor[diagonal + k * size + s];
                }
                self.factor[diagonal + r * size + k] = entry * self.inverse_pivots[row];
            }
        }
    }

    /// `X = B L⁻ᵀ D⁻¹` for one block below the diagonal.
    fn scale_block(&mut self, p: usize, b: usize) {
        let Column { first, size, diagonal, .. } = self.columns[p];
        let (q, offset) = self.columns[p].below[b];
        for r in 0..self.columns[q].size {
            for k in 0..size {
                let mut entry = self.factor[offset + r * size + k];
                for s in 0..k {
                    entry -= self.factor[offset + r * size + s]
                        * self.pivots[first + s]
                        * self.factor[diagonal + k * size + s];
                }
                self.factor[offset + r * size + k] = entry * self.inverse_pivots[first + k];
            }
        }
    }

    fn update_right(&mut self, p: usize) {
        let Column { first, size, ref below, .. } = self.columns[p];
        self.scaled.clear();
        for &(q, offset) in below {
            let entries = &self.factor[offset..offset + self.columns[q].size * size];
            let pivots = self.pivots[first..first + size].iter().cycle();
            self.scaled.extend(entries.iter().zip(pivots).map(|(entry, pivot)| entry * pivot));
        }
        let mut target = self.updates[p].iter();
        for (index, &(qc, offset_c)) in below.iter().enumerate() {
            let columns = self.columns[qc].size;
            let skipped: usize = below[..index].iter().map(|&(q, _)| self.columns[q].size * size).sum();
            let mut scaled = &self.scaled[skipped..];
            for &(qr, _) in &below[index..] {
                let Some(&destination) = target.next() else { return };
                let rows = self.columns[qr].size;
                if (size, rows, columns) == (3, 3, 3) {
                    subtract_product_of_three(&mut self.factor, destination, scaled, offset_c);
                } else {
                    for r in 0..rows {
                        for c in 0..columns {
                            let mut product = 0.0;
                            for s in 0..size {
                                product += scaled[r * size + s] * self.factor[offset_c + c * size + s];
                            }
                            self.factor[destination + r * columns + c] -= product;
                        }
                    }
                }
                scaled = &scaled[rows * size..];
            }
        }
    }

    /// Solves with the factor, in place. Rows that were left out come back as zero.
    pub(in super::super) fn solve(&self, x: &mut [f64]) {
        for (column, _) in self.columns.iter().zip(&self.live).filter(|(_, live)| **live) {
            let Column { first, size, diagonal, ref below } = *column;
            if size == 3 {
                substitute_three(&self.factor[diagonal..], &mut x[first..]);
            } else {
                for k in 0..size {
                    for s in 0..k {
                        x[first + k] -= self.factor[diagonal + k * size + s] * x[first + s];
                    }
                }
            }
            for &(q, offset) in below {
                let Column { first: first_q, size: size_q, .. } = self.columns[q];
                if (size, size_q) == (3, 3) {
                    subtract_three(&self.factor[offset..], x, first, first_q);
                    continue;
                }
                for r in 0..size_q {
                    for k in 0..size {
                        x[first_q + r] -= self.factor[offset + r * size + k] * x[first + k];
                    }
                }
            }
        }
        for (column, live) in self.columns.iter().zip(&self.live).rev() {
            let Column { first, size, diagonal, ref below } = *column;
            if !live {
                x[first..first + size].fill(0.0);
                continue;
            }
            for k in 0..size {
                x[first + k] *= self.inverse_pivots[first + k];
            }
            for &(q, offset) in below {
                let Column { first: first_q, size: size_q, .. } = self.columns[q];
                if (size, size_q) == (3, 3) {
                    subtract_three_transposed(&self.factor[offset..], x, first, first_q);
                    continue;
                }
                for r in 0..size_q {
                    for k in 0..size {
                        x[first + k] -= self.factor[offset + r * size + k] * x[first_q + r];
                    }
                }
            }
            if size == 3 {
                substitute_three_transposed(&self.factor[diagonal..], &mut x[first..]);
                continue;
            }
            for k in (0..size).rev() {
                for r in k + 1..size {
                    x[first + k] -= self.factor[diagonal + r * size + k] * x[first + r];
                }
            }
        }
    }

    /// The diagonal of the matrix into `out`, by scalar row.
    pub(in super::super) fn diagonal(&self, out: &mut [f64]) {
        for Column { first, size, diagonal, .. } in &self.columns {
            for k in 0..*size {
                out[first + k] = self.matrix[diagonal + k * size + k];
            }
        }
    }
}

/// Subtracts `S Lᵀ` from the block at `destination`, with S the first 3 × 3 of `scaled` and L the 3 × 3 at `lower`.
fn subtract_product_of_three(factor: &mut [f64], destination: usize, scaled: &[f64], lower: usize) {
    let (Some(s), Some(&l)) = (scaled.first_chunk::<9>(), factor[lower..].first_chunk::<9>()) else { return };
    let Some(to) = factor[destination..].first_chunk_mut::<9>() else { return };
    for r in 0..3 {
        for c in 0..3 {
            to[3 * r + c] -= s[3 * r] * l[3 * c] + s[3 * r + 1] * l[3 * c + 1] + s[3 * r + 2] * l[3 * c + 2];
        }
    }
}

/// Solves `L y = x` in place, with L the first 3 × 3 of `lower`, ones on its diagonal.
fn substitute_three(lower: &[f64], x: &mut [f64]) {
    let (Some(l), Some(x)) = (lower.first_chunk::<9>(), x.first_chunk_mut::<3>()) else { return };
    x[1] -= l[3] * x[0];
    x[2] -= l[6] * x[0];
    x[2] -= l[7] * x[1];
}

/// Solves `Lᵀ y = x` in place.
fn substitute_three_transposed(lower: &[f64], x: &mut [f64]) {
    let (Some(l), Some(x)) = (lower.first_chunk::<9>(), x.first_chunk_mut::<3>()) else { return };
    x[1] -= l[7] * x[2];
    x[0] -= l[3] * x[1];
    x[0] -= l[6] * x[2];
}

/// Subtracts L times the three numbers of x at `first` from those at `to`, with L the first 3 × 3 of `lower`.
fn subtract_three(lower: &[f64], x: &mut [f64], first: usize, to: usize) {
    let (Some(l), Some(&v)) = (lower.first_chunk::<9>(), x[first..].first_chunk::<3>()) else { return };
    let Some(to) = x[to..].first_chunk_mut::<3>() else { return };
    for r in 0..3 {
        to[r] = to[r] - l[3 * r] * v[0] - l[3 * r + 1] * v[1] - l[3 * r + 2] * v[2];
    }
}

/// Subtracts Lᵀ times the three numbers of x at `from` from those at `first`.
fn subtract_three_transposed(lower: &[f64], x: &mut [f64], first: usize, from: usize) {
    let (Some(l), Some(&v)) = (lower.first_chunk::<9>(), x[from..].first_chunk::<3>()) else { return };
    let Some(to) = x[first..].first_chunk_mut::<3>() else { return };
    for k in 0..3 {
        to[k] = to[k] - l[k] * v[0] - l[3 + k] * v[1] - l[6 + k] * v[2];
    }
}

fn block_offset(columns: &[Column], low: usize, high: usize) -> usize {
    let column = &columns[low];
    if low == high {
        return column.diagonal;
    }
    let index =
        column.below.binary_search_by_key(&high, |&(q, _)| q).expect("coupled blocks are in the pattern");
    column.below[index].1
}

fn update_targets(columns: &[Column], p: usize) -> Vec<usize> {
    let below = &columns[p].below;
    let mut targets = Vec::with_capacity(below.len() * (below.len() + 1) / 2);
    for (index, &(qc, _)) in below.iter().enumerate() {
        targets.extend(below[index..].iter().map(|&(qr, _)| block_offset(columns, qc, qr)));
    }
    targets
}

#[cfg(test)]
mod tests {
    use super::*;

    type Pairs = Vec<(usize, usize)>;

    /// Dense symmetric test matrix of a ring of four nodes with sizes 2, 1, 3, 2.
    fn ring() -> (Pairs, Pairs, Vec<Vec<f64>>) {
        let nodes = vec![(0, 2), (2, 1), (3, 3), (6, 2)];
        let edges = vec![(0, 1), (1, 2), (2, 3), (3, 0)];
        let coupled = |i: usize, j: usize| i == j || edges.contains(&(i, j)) || edges.contains(&(j, i));
        let node_of = |row: usize| nodes.iter().rposition(|&(first, _)| first <= row).unwrap();
        let dense = (0..8)
            .map(|r| {
                (0..8)
                    .map(|c| match (r == c, coupled(node_of(r), node_of(c))) {
                        (true, _) => 9.0 + r as f64,
                        (false, true) => {
                            1.0 / (1.0 + (r + c) as f64) + if (r * c) % 3 == 0 { 0.5 } else { -0.25 }
                        }
                        _ => 0.0,
                    })
                    .collect()
            })
            .collect();
        (nodes, edges, dense)
    }

    fn filled() -> (BlockCholesky, Vec<Vec<f64>>) {
        let (nodes, edges, dense) = ring();
        let mut cholesky = BlockCholesky::new(&nodes, &edges);
        let all = (0..4).map(|i| (i, i)).chain(edges.iter().copied());
        for (i, j) in all {
            cholesky.add_block(i, j, |r, c| dense[nodes[i].0 + r][nodes[j].0 + c]);
        }
        (cholesky, dense)
    }

    #[test]
    fn a_ring_of_blocks_is_solved_to_round_off() {
        let (mut cholesky, dense) = filled();
        let mut used = vec![true; 8];
        let pivoting = cholesky.factorise(&mut used, &[0.0; 8], &[false; 8], 1e-12);
        assert_eq!(pivoting.dependent, 0);
        let wanted: Vec<f64> = (0..8).map(|i| 1.0 - 0.3 * i as f64).collect();
        let mut x: Vec<f64> =
            dense.iter().map(|row| row.iter().zip(&wanted).map(|(a, w)| a * w).sum()).collect();
        cholesky.solve(&mut x);
        for (x, w) in x.iter().zip(&wanted) {
            assert!((x - w).abs() < 1e-14, "{x} {w}");
        }
    }

    #[test]
    fn a_masked_row_gets_zero_and_does_not_act() {
        let (mut cholesky, dense) = filled();
        let mut used = vec![true; 8];
        used[2] = false;
        cholesky.factorise(&mut used, &[0.0; 8], &[false; 8], 1e-12);
        let wanted: Vec<f64> = (0..8).map(|i| if i == 2 { 0.0 } else { 1.0 + i as f64 }).collect();
        let mut x: Vec<f64> =
            dense.iter().map(|row| row.iter().zip(&wanted).map(|(a, w)| a * w).sum()).collect();
        cholesky.solve(&mut x);
        for (x, w) in x.iter().zip(&wanted) {
            assert!((x - w).abs() < 1e-13, "{x} {w}");
        }
    }

    #[test]
    fn a_row_that_repeats_another_is_found() {
        let mut cholesky = BlockCholesky::new(&[(0, 1), (1, 1)], &[(0, 1)]);
        for (i, j) in [(0, 0), (1, 1), (0, 1)] {
            cholesky.add_block(i, j, |_, _| 2.0);
        }
        let mut used = vec![true; 2];
        assert_eq!(cholesky.factorise(&mut used, &[0.0; 2], &[false; 2], 1e-12).dependent, 1);
        assert_eq!(used.iter().filter(|u| **u).count(), 1);
    }
}

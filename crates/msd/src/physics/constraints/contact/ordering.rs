//! The order in which the bodies of an island are eliminated, and the pattern of the factor.
//!
//! Minimum degree with ties by index: a function of the graph alone. It is found again only when the graph has changed, and
//! in memory that is kept.

/// An elimination order with the pattern of the factor, by columns.
#[derive(Clone, Debug, Default)]
pub(super) struct EliminationOrder {
    nodes: usize,
    /// Distinct pairs of nodes, sorted.
    edges: Vec<(u32, u32)>,
    fresh: Vec<(u32, u32)>,
    /// Node eliminated at each position, and the reverse.
    node_at: Vec<usize>,
    position_of: Vec<usize>,
    /// Start of each column in `rows`; one more than there are columns.
    starts: Vec<usize>,
    /// Later positions that a column reaches, ascending.
    rows: Vec<usize>,
    neighbours: Vec<Vec<u32>>,
    merged: Vec<u32>,
    buckets: Vec<Vec<u32>>,
}

impl EliminationOrder {
    /// For the graph with these edges; those that lead out of `0..nodes` or nowhere are passed over.
    pub(super) fn update(&mut self, nodes: usize, edges: impl Iterator<Item = (usize, usize)>) {
        self.fresh.clear();
        let mut last = (u32::MAX, u32::MAX);
        for (a, b) in edges.filter(|&(a, b)| a != b && a < nodes && b < nodes) {
            let edge = if a < b { (a as u32, b as u32) } else { (b as u32, a as u32) };
            if edge != last {
                self.fresh.push(edge);
                last = edge;
            }
        }
        self.fresh.sort_unstable();
        self.fresh.dedup();
        if self.nodes == nodes && self.fresh == self.edges {
            return;
        }
        self.nodes = nodes;
        std::mem::swap(&mut self.fresh, &mut self.edges);
        self.build();
    }

    fn build(&mut self) {
        let n = self.nodes;
        self.neighbours.iter_mut().for_each(Vec::clear);
        if self.neighbours.len() < n {
            self.neighbours.resize(n, Vec::new());
        }
        for &(a, b) in &self.edges {
            self.neighbours[a as usize].push(b);
            self.neighbours[b as usize].push(a);
        }
        self.neighbours[..n].iter_mut().for_each(|list| list.sort_unstable());
        self.node_at.clear();
        self.starts.clear();
        self.rows.clear();
        self.position_of.clear();
        self.position_of.resize(n, usize::MAX);
        self.fill_buckets();
        for position in 0..n {
            let node = self.least_degree();
            self.starts.push(self.rows.len());
            self.node_at.push(node);
            self.position_of[node] = position;
            self.eliminate(node);
        }
        self.starts.push(self.rows.len());
        for position in 0..n {
            let column = self.starts[position]..self.starts[position + 1];
            for row in &mut self.rows[column.clone()] {
                *row = self.position_of[*row];
            }
            self.rows[column].sort_unstable();
        }
    }

    /// Nodes by degree. A node may be in several buckets; only the entry with its degree of now counts.
    fn fill_buckets(&mut self) {
        self.buckets.iter_mut().for_each(Vec::clear);
        if self.buckets.len() < self.nodes {
            self.buckets.resize(self.nodes, Vec::new());
        }
        for node in (0..self.nodes).rev() {
            self.buckets[self.neighbours[node].len()].push(node as u32);
        }
    }

    fn least_degree(&mut self) -> usize {
        for degree in 0..self.nodes {
            while let Some(node) = self.buckets[degree].pop() {
                let node = node as usize;
                if self.position_of[node] == usize::MAX && self.neighbours[node].len() == degree {
                    return node;
                }
            }
        }
        unreachable!("every node that is left is in the bucket of its degree")
    }

    /// Joins the neighbours of a node with each other and takes it out.
    fn eliminate(&mut self, node: usize) {
        let front = std::mem::take(&mut self.neighbours[node]);
        for &i in &front {
            let own = &self.neighbours[i as usize];
            self.merged.clear();
            let (mut x, mut y) = (0, 0);
            while x < own.len() || y < front.len() {
                let next = match (own.get(x), front.get(y)) {
                    (Some(&a), Some(&b)) if a == b => {
                        (x, y) = (x + 1, y + 1);
                        a
                    }
                    (Some(&a), Some(&b)) if a < b => {
                        x += 1;
                        a
                    }
                    (Some(&a), None) => {
                        x += 1;
                        a
                    }
                    (_, Some(&b)) => {
                        y += 1;
                        b
                    }
                    (None, None) => break,
                };
                if next != i && next as usize != node {
                    self.merged.push(next);
                }
            }
            std::mem::swap(&mut self.neighbours[i as usize], &mut self.merged);
            self.buckets[self.neighbours[i as usize].len()].push(i);
        }
        self.rows.extend(front.iter().map(|&i| i as usize));
        self.neighbours[node] = front;
        self.neighbours[node].clear();
    }

    /// Blocks below the diagonal.
    pub(super) fn entries(&self) -> usize {
        self.rows.len()
    }

    /// When a node is eliminated.
    pub(super) fn position(&self, node: usize) -> usize {
        self.position_of[node]
    }

    /// What is eliminated at a position.
    pub(super) fn node(&self, position: usize) -> usize {
        self.node_at[position]
    }

    /// The entries of a column.
    pub(super) fn column(&self, position: usize) -> std::ops::Range<usize> {
        self.starts[position]..self.starts[position + 1]
    }

    /// The position an entry leads to.
    pub(super) fn row(&self, entry: usize) -> usize {
        self.rows[entry]
    }

    /// The entry of column p that leads to q > p. Both must be coupled.
    pub(super) fn entry(&self, p: usize, q: usize) -> usize {
        let range = self.column(p);
        let start = range.start;
        start + self.rows[range].partition_point(|&row| row < q)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_is_eliminated_without_fill_and_a_ring_with_one_entry_each() {
        let mut order = EliminationOrder::default();
        order.update(50, (0..49).map(|i| (i, i + 1)));
        assert_eq!(order.entries(), 49);
        order.update(6, (0..6).map(|i| (i, (i + 1) % 6)));
        assert_eq!(order.entries(), 6 + 3);
        order.update(3, [(0, 3), (1, 1)].into_iter());
        assert_eq!(order.entries(), 0, "edges to the ground or to oneself couple nothing");
    }

    #[test]
    fn every_edge_has_its_entry() {
        let edges = [(0, 4), (1, 4), (2, 3), (3, 4), (0, 2), (2, 0), (1, 3)];
        let mut order = EliminationOrder::default();
        order.update(5, edges.into_iter());
        for (a, b) in edges {
            let (p, q) = (order.position(a), order.position(b));
            let (p, q) = if p < q { (p, q) } else { (q, p) };
            let entry = order.entry(p, q);
            assert!(order.column(p).contains(&entry) && order.row(entry) == q);
        }
    }
}

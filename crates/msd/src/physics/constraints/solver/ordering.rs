//! The order in which constraints are eliminated, and the fill it causes.
//!
//! Two constraints couple when they share a body that can move. Minimum degree with ties by index is a function of the
//! graph alone: along a chain it removes one end after the other and causes no fill, so that a chain of n joints costs
//! O(n). Constraints that all hang on one body couple all with all.

use std::collections::BTreeSet;

/// An elimination order with the pattern of the factor.
#[derive(Clone, Debug, Default)]
pub(super) struct Elimination {
    /// Node eliminated at each position.
    pub(super) order: Vec<usize>,
    /// For each position, the later positions its column reaches, ascending (fill included).
    pub(super) columns: Vec<Vec<usize>>,
}

impl Elimination {
    /// Minimum-degree order of the graph with these undirected edges.
    pub(super) fn new(nodes: usize, edges: &[(usize, usize)]) -> Self {
        let mut neighbours = vec![BTreeSet::new(); nodes];
        for &(i, j) in edges {
            neighbours[i].insert(j);
            neighbours[j].insert(i);
        }
        let mut queue: BTreeSet<(usize, usize)> =
            neighbours.iter().enumerate().map(|(node, set)| (set.len(), node)).collect();
        let mut order = Vec::with_capacity(nodes);
        let mut reached = Vec::with_capacity(nodes);
        while let Some((_, node)) = queue.pop_first() {
            let front: Vec<usize> = std::mem::take(&mut neighbours[node]).into_iter().collect();
            for &i in &front {
                queue.remove(&(neighbours[i].len(), i));
                neighbours[i].remove(&node);
                neighbours[i].extend(front.iter().copied().filter(|&j| j != i));
                queue.insert((neighbours[i].len(), i));
            }
            order.push(node);
            reached.push(front);
        }
        let mut position = vec![0; nodes];
        for (p, &node) in order.iter().enumerate() {
            position[node] = p;
        }
        let columns = reached
            .into_iter()
            .map(|front| {
                let mut column: Vec<usize> = front.into_iter().map(|node| position[node]).collect();
                column.sort_unstable();
                column
            })
            .collect();
        Self { order, columns }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_is_eliminated_without_fill() {
        let edges: Vec<_> = (0..49).map(|i| (i, i + 1)).collect();
        let elimination = Elimination::new(50, &edges);
        let entries: usize = elimination.columns.iter().map(Vec::len).sum();
        assert_eq!(entries, 49);
    }

    #[test]
    fn a_ring_fills_one_entry_per_elimination() {
        let edges: Vec<_> = (0..6).map(|i| (i, (i + 1) % 6)).collect();
        let elimination = Elimination::new(6, &edges);
        let entries: usize = elimination.columns.iter().map(Vec::len).sum();
        assert_eq!(entries, 6 + 3);
        assert_eq!(elimination.order.len(), 6);
    }
}

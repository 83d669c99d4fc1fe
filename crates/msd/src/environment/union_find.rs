//! Union-find (disjoint sets) over bodies that contacts and joints connect: the islands. The smallest index
//! of a set is its root, so that the result does not depend on the order of the connections.

/// Disjoint sets of the indices `0..n`.
#[derive(Clone, Debug, Default)]
pub(in crate::environment) struct UnionFind {
    parent: Vec<u32>,
}

impl UnionFind {
    /// Every index in its own set.
    pub(in crate::environment) fn reset(&mut self, n: usize) {
        self.parent.clear();
        self.parent.extend(0..n as u32);
    }

    /// The smallest index of the set.
    pub(in crate::environment) fn root(&mut self, index: usize) -> usize {
        let mut root = index;
        while self.parent[root] as usize != root {
            root = self.parent[root] as usize;
        }
        let mut walk = index;
        while walk != root {
            walk = std::mem::replace(&mut self.parent[walk], root as u32) as usize;
        }
        root
    }

    pub(in crate::environment) fn union(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a.max(b)] = a.min(b) as u32;
    }
}

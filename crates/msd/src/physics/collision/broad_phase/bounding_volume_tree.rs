//! Dynamic bounding volume tree (BVH) of axis-aligned boxes.
//!
//! Leaves carry ids. A new leaf is inserted next to the sibling that adds the least surface area
//! (surface-area heuristic: the probability that a random query enters a box is proportional to its area),
//! and on the way back up each ancestor may swap a child with a grandchild where that shrinks the tree (tree
//! rotation). Insertion, removal and queries are O(log n) for boxes that do not all overlap. Every decision
//! depends on the sequence of calls alone, never on addresses or time.

use crate::math::{Vec3, scalar};
use crate::physics::rigid_body::shape::{Aabb, Ray};

/// No node.
const NONE: u32 = u32::MAX;

/// Handle of a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaf(u32);

#[derive(Clone, Copy, Debug)]
struct Node {
    aabb: Aabb,
    parent: u32,
    /// Both [`NONE`] in a leaf.
    children: [u32; 2],
    /// Id of a leaf.
    id: u32,
}

/// The tree.
#[derive(Clone, Debug)]
pub struct BoundingVolumeTree {
    nodes: Vec<Node>,
    free: Vec<u32>,
    root: u32,
}

impl Default for BoundingVolumeTree {
    fn default() -> Self {
        Self { nodes: Vec::new(), free: Vec::new(), root: NONE }
    }
}

impl BoundingVolumeTree {
    /// Adds a box with an id.
    pub fn insert(&mut self, aabb: Aabb, id: u32) -> Leaf {
        let leaf = self.allocate(Node { aabb, parent: NONE, children: [NONE; 2], id });
        if self.root == NONE {
            self.root = leaf;
            return Leaf(leaf);
        }
        let sibling = self.best_sibling(&aabb);
        let old_parent = self.nodes[sibling as usize].parent;
        let union = self.nodes[sibling as usize].aabb.union(&aabb);
        let parent =
            self.allocate(Node { aabb: union, parent: old_parent, children: [sibling, leaf], id: 0 });
        self.nodes[sibling as usize].parent = parent;
        self.nodes[leaf as usize].parent = parent;
        self.replace_child(old_parent, sibling, parent);
        self.refit(old_parent);
        Leaf(leaf)
    }

    /// Moves a leaf. If its new box is within that of its grandparent, it keeps its place in the tree, and
    /// only the boxes above it are refitted; otherwise it is inserted again from the root. Returns the leaf,
    /// which may be another one.
    pub fn relocate(&mut self, leaf: Leaf, aabb: Aabb) -> Leaf {
        let Node { parent, id, .. } = self.nodes[leaf.0 as usize];
        let grandparent = if parent == NONE { NONE } else { self.nodes[parent as usize].parent };
        if grandparent == NONE || self.nodes[grandparent as usize].aabb.intersects(&aabb) {
            self.nodes[leaf.0 as usize].aabb = aabb;
            self.refit(parent);
            return leaf;
        }
        self.remove(leaf);
        self.insert(aabb, id)
    }

    /// Removes a leaf.
    pub fn remove(&mut self, leaf: Leaf) {
        let parent = self.nodes[leaf.0 as usize].parent;
        self.free.push(leaf.0);
        if parent == NONE {
            self.root = NONE;
            return;
        }
        let [a, b] = self.nodes[parent as usize].children;
        let sibling = if a == leaf.0 { b } else { a };
        let grandparent = self.nodes[parent as usize].parent;
        self.nodes[sibling as usize].parent = grandparent;
        self.replace_child(grandparent, parent, sibling);
        self.free.push(parent);
        self.refit(grandparent);
    }

    /// The box of a leaf.
    #[must_use]
    pub fn aabb(&self, leaf: Leaf) -> &Aabb {
        &self.nodes[leaf.0 as usize].aabb
    }

    /// Calls `found` with the id of every leaf whose box overlaps `aabb`, in tree order. `stack` is
    /// workspace.
    pub fn overlapping(&self, aabb: &Aabb, stack: &mut Vec<u32>, mut found: impl FnMut(u32)) {
        self.visit(
            stack,
            |node| node.intersects(aabb),
            |id| {
                found(id);
                true
            },
        );
    }

    /// Calls `found` with the id of every leaf whose box the ray hits within the distance last returned;
    /// `found` returns the distance (m) that still matters, so that a hit shortens the search.
    pub fn along_ray(
        &self,
        ray: &Ray,
        max_distance: f64,
        stack: &mut Vec<u32>,
        mut found: impl FnMut(u32) -> f64,
    ) {
        let inverse = Vec3::new(1.0 / ray.direction.x, 1.0 / ray.direction.y, 1.0 / ray.direction.z);
        let reach = std::cell::Cell::new(max_distance);
        let entered =
            |aabb: &Aabb| ray_enters(aabb, ray, inverse).is_some_and(|distance| distance <= reach.get());
        self.visit(stack, entered, |id| {
            reach.set(found(id));
            true
        });
    }

    /// Longest path from the root to a leaf; 0 for an empty tree.
    #[must_use]
    pub fn height(&self) -> usize {
        let mut deepest = 0;
        let mut stack = vec![(self.root, 1)];
        while let Some((node, depth)) = stack.pop() {
            if node != NONE {
                deepest = deepest.max(depth);
                stack.extend(self.nodes[node as usize].children.map(|child| (child, depth + 1)));
            }
        }
        deepest
    }

    fn visit(&self, stack: &mut Vec<u32>, enters: impl Fn(&Aabb) -> bool, mut leaf: impl FnMut(u32) -> bool) {
        stack.clear();
        stack.push(self.root);
        while let Some(index) = stack.pop() {
            if index == NONE {
                continue;
            }
            let node = &self.nodes[index as usize];
            if !enters(&node.aabb) {
                continue;
            }
            if node.children[0] == NONE {
                if !leaf(node.id) {
                    return;
                }
            } else {
                stack.push(node.children[1]);
                stack.push(node.children[0]);
            }
        }
    }

    fn allocate(&mut self, node: Node) -> u32 {
        match self.free.pop() {
            Some(index) => {
                self.nodes[index as usize] = node;
                index
            }
            None => {
                self.nodes.push(node);
                (self.nodes.len() - 1) as u32
            }
        }
    }

    /// Descends towards the child whose box grows least, and stops where pairing with the node itself is cheaper.
    fn best_sibling(&self, aabb: &Aabb) -> u32 {
        let mut index = self.root;
        loop {
            let node = &self.nodes[index as usize];
            let [a, b] = node.children;
            if a == NONE {
                return index;
            }
            let union = node.aabb.union(aabb).surface_area();
            // Cost of stopping here: a new parent of this area. Cost of descending: this box grows anyway.
            let stop = 2.0 * union;
            let inherited = 2.0 * (union - node.aabb.surface_area());
            let descend = |child: u32| {
                let child = &self.nodes[child as usize];
                let grown = child.aabb.union(aabb).surface_area();
                let leaf = child.children[0] == NONE;
                inherited + if leaf { grown } else { grown - child.aabb.surface_area() }
            };
            let (cost_a, cost_b) = (descend(a), descend(b));
            if stop < cost_a && stop < cost_b {
                return index;
            }
            index = if cost_b < cost_a { b } else { a };
        }
    }

    fn replace_child(&mut self, parent: u32, old: u32, new: u32) {
        if parent == NONE {
            self.root = new;
            return;
        }
        let children = &mut self.nodes[parent as usize].children;
        children[usize::from(children[0] != old)] = new;
    }

    /// Recomputes boxes from `index` up to the first that stays as it is, rotating where it shrinks a box.
    fn refit(&mut self, mut index: u32) {
        while index != NONE {
            self.rotate(index);
            let [a, b] = self.nodes[index as usize].children;
            let union = self.nodes[a as usize].aabb.union(&self.nodes[b as usize].aabb);
            let node = &mut self.nodes[index as usize];
            if node.aabb == union {
                return;
            }
            node.aabb = union;
            index = node.parent;
        }
    }

    /// Exchanges a child of `index` with a child of its sibling where the sibling's box shrinks most.
    fn rotate(&mut self, index: u32) {
        let [a, b] = self.nodes[index as usize].children;
        let mut best = (0.0, NONE, NONE);
        for (child, sibling) in [(a, b), (b, a)] {
            let [c, d] = self.nodes[sibling as usize].children;
            if c == NONE {
                continue;
            }
            let area = |x: u32, y: u32| {
                self.nodes[x as usize].aabb.union(&self.nodes[y as usize].aabb).surface_area()
            };
            let now = area(c, d);
            for (grandchild, stays) in [(c, d), (d, c)] {
                let saved = now - area(child, stays);
                if saved > best.0 {
                    best = (saved, child, grandchild);
                }
            }
        }
        let (_, child, grandchild) = best;
        if child != NONE {
            self.exchange(index, child, grandchild);
        }
    }

    fn exchange(&mut self, index: u32, child: u32, grandchild: u32) {
        let sibling = self.nodes[grandchild as usize].parent;
        self.replace_child(index, child, grandchild);
        self.replace_child(sibling, grandchild, child);
        self.nodes[grandchild as usize].parent = index;
        self.nodes[child as usize].parent = sibling;
        let [c, d] = self.nodes[sibling as usize].children;
        self.nodes[sibling as usize].aabb = self.nodes[c as usize].aabb.union(&self.nodes[d as usize].aabb);
    }
}

/// Distance at which a ray enters a box (0 if it starts inside); `None` if it misses.
#[must_use]
fn ray_enters(aabb: &Aabb, ray: &Ray, inverse: Vec3) -> Option<f64> {
    let (mut near, mut far) = (0.0, f64::INFINITY);
    for axis in 0..3 {
        let (low, high) = (aabb.min[axis] - ray.origin[axis], aabb.max[axis] - ray.origin[axis]);
        if ray.direction[axis] == 0.0 {
            if low > 0.0 || high < 0.0 {
                return None;
            }
            continue;
        }
        let (t0, t1) = (low * inverse[axis], high * inverse[axis]);
        near = scalar::max(near, scalar::min(t0, t1));
        far = scalar::min(far, scalar::max(t0, t1));
    }
    (near <= far).then_some(near)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn boxes(count: usize) -> impl Strategy<Value = Vec<Aabb>> {
        prop::collection::vec(
            ((-10.0..10.0_f64), (-10.0..10.0_f64), (-10.0..10.0_f64), (0.0..2.0_f64))
                .prop_map(|(x, y, z, s)| Aabb::new(Vec3::new(x, y, z), Vec3::new(x + s, y + s, z + 0.5 * s))),
            1..count,
        )
    }

    proptest! {
        #[test]
        fn queries_find_what_a_search_through_all_boxes_finds(
            mut all in boxes(60), removed in prop::collection::vec(0..60_usize, 0..20), query in boxes(2),
            moved in prop::collection::vec((0..60_usize, -1.0..1.0_f64, any::<bool>()), 0..60)
        ) {
            let mut tree = BoundingVolumeTree::default();
            let mut leaves: Vec<Option<Leaf>> =
                all.iter().enumerate().map(|(id, aabb)| Some(tree.insert(*aabb, id as u32))).collect();
            for index in removed {
                if let Some(leaf) = leaves.get_mut(index).and_then(Option::take) {
                    tree.remove(leaf);
                }
            }
            for (index, by, far) in moved {
                if let Some(Some(leaf)) = leaves.get_mut(index) {
                    let by = Vec3::new(by, -0.5 * by, 0.2) * if far { 10.0 } else { 0.1 };
                    all[index] = Aabb::new(all[index].min + by, all[index].max + by);
                    *leaf = tree.relocate(*leaf, all[index]);
                }
            }
            let alive = |id: &usize| leaves[*id].is_some();
            let mut found = Vec::new();
            tree.overlapping(&query[0], &mut Vec::new(), |id| found.push(id as usize));
            found.sort_unstable();
            let expected: Vec<usize> =
                (0..all.len()).filter(alive).filter(|id| all[*id].intersects(&query[0])).collect();
            prop_assert_eq!(found, expected);

            let ray = Ray::new(query[0].min, Vec3::new(0.3, -1.0, 0.2)).unwrap();
            let mut hit = Vec::new();
            tree.along_ray(&ray, 15.0, &mut Vec::new(), |id| { hit.push(id as usize); 15.0 });
            hit.sort_unstable();
            let inverse = 1.0 / ray.direction;
            let expected: Vec<usize> = (0..all.len())
                .filter(alive)
                .filter(|id| ray_enters(&all[*id], &ray, inverse).is_some_and(|d| d <= 15.0))
                .collect();
            prop_assert_eq!(hit, expected);
        }
    }

    #[test]
    fn a_row_of_boxes_gives_a_tree_of_logarithmic_height() {
        let mut tree = BoundingVolumeTree::default();
        for id in 0..4096 {
            let x = f64::from(id);
            tree.insert(Aabb::new(Vec3::X * x, Vec3::new(x + 0.9, 1.0, 1.0)), id);
        }
        assert!(tree.height() <= 30, "height {} for 4096 boxes in a row", tree.height());
    }

    /// Boxes of 0.9 m that pass through each other, some 0.2 m a step, over 45 m.
    #[test]
    fn a_tree_whose_boxes_wander_is_at_most_twice_as_large_as_one_built_anew() {
        const WIDE: f64 = 32.0;
        let place = |id: u32, step: f64| {
            let (x, y) = (f64::from(id % 32), f64::from(id / 32));
            let along =
                if id.is_multiple_of(2) { Vec3::new(0.2, 0.1, 0.0) } else { Vec3::new(-0.1, 0.2, 0.0) }
                    * step;
            let at = Vec3::new((x + along.x).rem_euclid(WIDE), (y + along.y).rem_euclid(WIDE), 0.0);
            Aabb::new(at, at + Vec3::new(0.9, 0.9, 1.0))
        };
        let mut tree = BoundingVolumeTree::default();
        let mut leaves: Vec<Leaf> = (0..1024).map(|id| tree.insert(place(id, 0.0), id)).collect();
        for step in 1..200 {
            for id in 0..1024 {
                leaves[id as usize] = tree.relocate(leaves[id as usize], place(id, f64::from(step)));
            }
        }
        let mut anew = BoundingVolumeTree::default();
        (0..1024).for_each(|id| _ = anew.insert(place(id, 199.0), id));
        let area = |tree: &BoundingVolumeTree| {
            let inner = tree.nodes.iter().filter(|node| node.children[0] != NONE);
            inner.map(|node| node.aabb.surface_area()).sum::<f64>()
        };
        let ratio = area(&tree) / area(&anew);
        assert!(ratio < 2.0, "boxes {ratio} times as large");
    }
}

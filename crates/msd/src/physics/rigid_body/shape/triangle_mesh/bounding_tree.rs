//! A binary tree of axis-aligned boxes over triangles, split at the median of the longest axis.
//!
//! Median splits keep the depth at log₂ n, which bounds the stack of every traversal; the order of triangles is fixed
//! by their centres and indices alone, so equal meshes have equal trees.

use crate::math::{Coordinate, Vec3, scalar};
use crate::physics::rigid_body::shape::{Aabb, Ray};

/// Triangles in a leaf at most.
const LEAF_SIZE: usize = 4;

/// Depth of the stack of a traversal: one entry a level, and 2⁶⁴ triangles are enough.
const STACK: usize = 65;

#[derive(Clone, Debug)]
pub(super) struct BoundingTree {
    /// In depth-first order: the left child follows its parent.
    nodes: Vec<Node>,
    /// Triangle indices, leaf after leaf.
    order: Vec<usize>,
}

#[derive(Clone, Debug)]
struct Node {
    bounds: Aabb,
    content: Content,
}

#[derive(Clone, Copy, Debug)]
enum Content {
    /// A range of `order`.
    Leaf { start: usize, end: usize },
    /// The left child is the next node.
    Split { right: usize },
}

impl BoundingTree {
    /// Over the boxes of the triangles, of which there is at least one. They are grown by a few ulp of the largest
    /// coordinate, so that whatever meets a triangle in floating point meets its box.
    pub(super) fn new(boxes: &[Aabb]) -> Self {
        let largest =
            boxes.iter().fold(0.0, |big, b| scalar::max(big, b.min.abs().max(b.max.abs()).max_element()));
        let boxes = &boxes.iter().map(|b| b.expanded(32.0 * f64::EPSILON * largest)).collect::<Vec<_>>();
        let centers: Vec<Coordinate> = boxes.iter().map(Aabb::center).collect();
        let mut tree = Self { nodes: Vec::new(), order: (0..boxes.len()).collect() };
        tree.build(boxes, &centers, 0, boxes.len());
        tree
    }

    fn build(&mut self, boxes: &[Aabb], centers: &[Coordinate], start: usize, end: usize) {
        let range = &mut self.order[start..end];
        let bounds = range.iter().fold(Aabb::EMPTY, |all, &i| all.union(&boxes[i]));
        let index = self.nodes.len();
        self.nodes.push(Node { bounds, content: Content::Leaf { start, end } });
        if end - start <= LEAF_SIZE {
            range.sort_unstable();
            return;
        }
        let spread = Aabb::from_points(range.iter().map(|&i| centers[i])).size();
        let axis = if spread.x >= spread.y && spread.x >= spread.z {
            0
        } else if spread.y >= spread.z {
            1
        } else {
            2
        };
        let middle = (end - start) / 2;
        range.select_nth_unstable_by(middle, |&i, &j| {
            centers[i][axis].total_cmp(&centers[j][axis]).then(i.cmp(&j))
        });
        self.build(boxes, centers, start, start + middle);
        self.nodes[index].content = Content::Split { right: self.nodes.len() };
        self.build(boxes, centers, start + middle, end);
    }

    /// Visits triangles that may be nearest to `point`. The visitor returns the square of the distance beyond which
    /// nothing is of interest any more.
    pub(super) fn visit_nearest(&self, point: Coordinate, mut visit: impl FnMut(usize) -> f64) {
        let distance_squared = |node: usize| {
            let bounds = &self.nodes[node].bounds;
            (bounds.min - point).max(point - bounds.max).max(Vec3::ZERO).length_squared()
        };
        let mut limit = f64::INFINITY;
        let mut stack = Stack::new((0, distance_squared(0)));
        while let Some((node, nearest)) = stack.pop() {
            if nearest > limit {
                continue;
            }
            match self.nodes[node].content {
                Content::Leaf { start, end } => {
                    for &triangle in &self.order[start..end] {
                        limit = visit(triangle);
                    }
                }
                Content::Split { right } => {
                    stack.push_nearer_last(
                        (node + 1, distance_squared(node + 1)),
                        (right, distance_squared(right)),
                    );
                }
            }
        }
    }

    /// Visits triangles whose boxes the line meets between the signed distances `start` and `limit` from its origin. The
    /// visitor gets the current limit and returns the new one.
    pub(super) fn visit_along(
        &self,
        line: &Ray,
        start: f64,
        mut limit: f64,
        mut visit: impl FnMut(usize, f64) -> f64,
    ) {
        let entry =
            |node: usize| entry_distance(&self.nodes[node].bounds, line, start).unwrap_or(f64::INFINITY);
        let mut stack = Stack::new((0, entry(0)));
        while let Some((node, distance)) = stack.pop() {
            if distance > limit || distance == f64::INFINITY {
                continue;
            }
            match self.nodes[node].content {
                Content::Leaf { start, end } => {
                    for &triangle in &self.order[start..end] {
                        limit = visit(triangle, limit);
                    }
                }
                Content::Split { right } => {
                    stack.push_nearer_last((node + 1, entry(node + 1)), (right, entry(right)));
                }
            }
        }
    }

    /// Visits the triangles of every leaf whose box meets `region`.
    pub(super) fn visit_overlapping(&self, region: &Aabb, mut visit: impl FnMut(usize)) {
        let mut stack = Stack::new((0, 0.0));
        while let Some((node, _)) = stack.pop() {
            if !self.nodes[node].bounds.intersects(region) {
                continue;
            }
            match self.nodes[node].content {
                Content::Leaf { start, end } => self.order[start..end].iter().for_each(|&t| visit(t)),
                Content::Split { right } => stack.push_nearer_last((node + 1, 0.0), (right, 0.0)),
            }
        }
    }
}

/// Where a line enters a box at or after `start`; `None` if it does not.
fn entry_distance(bounds: &Aabb, line: &Ray, start: f64) -> Option<f64> {
    let (mut enter, mut exit) = (start, f64::INFINITY);
    for axis in 0..3 {
        let (low, high) = (bounds.min[axis] - line.origin[axis], bounds.max[axis] - line.origin[axis]);
        let rate = line.direction[axis];
        if rate == 0.0 {
            if low > 0.0 || high < 0.0 {
                return None;
            }
            continue;
        }
        let (a, b) = (low / rate, high / rate);
        let (first, last) = if rate > 0.0 { (a, b) } else { (b, a) };
        enter = scalar::max(enter, first);
        exit = scalar::min(exit, last);
    }
    (enter <= exit).then_some(enter)
}

/// Nodes still to visit, each with how near it is.
struct Stack {
    entries: [(usize, f64); STACK],
    length: usize,
}

impl Stack {
    fn new(root: (usize, f64)) -> Self {
        let mut entries = [(0, 0.0); STACK];
        entries[0] = root;
        Self { entries, length: 1 }
    }

    fn pop(&mut self) -> Option<(usize, f64)> {
        self.length = self.length.checked_sub(1)?;
        Some(self.entries[self.length])
    }

    /// Pushes two children so that the nearer one, on a tie the left one, is popped first.
    fn push_nearer_last(&mut self, left: (usize, f64), right: (usize, f64)) {
        let (first, second) = if right.1 < left.1 { (left, right) } else { (right, left) };
        self.entries[self.length] = first;
        self.entries[self.length + 1] = second;
        self.length += 2;
    }
}

//! Quickhull: the exact hull of a cloud as a closed surface of triangles.
//!
//! Every triangle keeps the unprocessed points strictly above it (its conflict list). A step picks the
//! farthest point of one list, the eye; removes all triangles the eye is strictly above; closes the hole with
//! the cone from the eye over its rim, the horizon; and assigns the orphaned points to the triangles of the
//! cone. "Above" is exact, so the surface is convex without tolerance after every step, the visible triangles
//! are always a disc, and an orphan above no triangle of the cone is inside: at a horizon edge between a
//! removed triangle `f` and a kept one `g` the normal of the new triangle is `α n_f + β n_g` with `α ≥ 0`,
//! `β > 0`, so a point that sees both `f` and `g` sees it. Points in the plane of a triangle do not see it; no
//! triangle is ever degenerate, because an eye in line with a horizon edge would lie in the plane of the
//! removed triangle there.
//!
//! A point is left out if it is within the resolution of the surface: the hull only grows, so it stays that
//! close. This is a true distance to a triangle, not to its plane, which near a sharp edge would be far from
//! enough.

use super::closest::distance_squared_to_polygon;
use super::plane::{TrianglePlane, exactly_above};
use super::simplex::{Degeneracy, NONE, initial_simplex, lexicographic};
use crate::math::{Vec3, scalar};

/// The half-edge across an edge of a triangle: triangle × 4 + index of the edge there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EdgeRef(u32);

impl EdgeRef {
    pub(super) fn new(triangle: u32, edge: usize) -> Self {
        Self(triangle << 2 | edge as u32)
    }

    pub(super) fn triangle(self) -> u32 {
        self.0 >> 2
    }

    pub(super) fn edge(self) -> usize {
        (self.0 & 3) as usize
    }
}

/// A triangle of the surface. Edge `i` runs from vertex `i` to the next, counter-clockwise seen from outside.
#[derive(Clone, Copy, Debug)]
pub(super) struct Triangle {
    pub vertices: [u32; 3],
    pub across: [EdgeRef; 3],
    /// First point of the conflict list.
    head: u32,
    /// Its farthest point, and the height of that.
    farthest: u32,
    height: f64,
    /// Twice the number of the last step that visited it, plus one if the eye saw it; [`REMOVED`] once
    /// removed.
    mark: u32,
}

const REMOVED: u32 = u32::MAX;

/// The surface while it is built, in flat arenas indexed by triangle and by point.
pub(super) struct Quickhull<'a> {
    points: &'a [Vec3],
    extent: Vec3,
    resolution: f64,
    triangles: Vec<Triangle>,
    planes: Vec<TrianglePlane>,
    free: Vec<u32>,
    /// Next point of the same conflict list.
    next: Vec<u32>,
    pending: Vec<u32>,
    step: u32,
    visible: Vec<u32>,
    horizon: Vec<EdgeRef>,
    walk: Vec<(u32, usize, usize)>,
    cone: Vec<u32>,
    /// Planes of the cone, in a row for the orphans.
    cone_planes: Vec<TrianglePlane>,
}

impl<'a> Quickhull<'a> {
    /// The hull of the points that `candidates` names. `extent` is the size of the box around all points.
    pub(super) fn of(
        points: &'a [Vec3],
        candidates: impl Iterator<Item = u32> + Clone,
        extent: Vec3,
        resolution: f64,
    ) -> Result<Self, Degeneracy> {
        let simplex = initial_simplex(points, candidates.clone(), extent, resolution)?;
        // Room for a hull of a dozen vertices, so that small clouds do not pay for growing.
        const ROOM: usize = 24;
        let mut hull = Self {
            points,
            extent,
            resolution,
            triangles: Vec::with_capacity(2 * ROOM),
            planes: Vec::with_capacity(2 * ROOM),
            free: Vec::with_capacity(ROOM),
            next: vec![NONE; points.len()],
            pending: Vec::with_capacity(ROOM),
            step: 0,
            visible: Vec::with_capacity(ROOM),
            horizon: Vec::with_capacity(ROOM),
            walk: Vec::with_capacity(ROOM),
            cone: Vec::with_capacity(ROOM),
            cone_planes: Vec::with_capacity(ROOM),
        };
        hull.start(simplex);
        hull.add_points(candidates.filter(|i| !simplex.contains(i)));
        Ok(hull)
    }

    /// Grows the hull over more points; those of the hull itself change nothing.
    pub(super) fn add_points(&mut self, candidates: impl Iterator<Item = u32>) {
        let mut cone = std::mem::take(&mut self.cone);
        cone.clear();
        cone.extend(self.live());
        self.cone_planes.clear();
        self.cone_planes.extend(cone.iter().map(|&t| self.planes[t as usize]));
        self.cone = cone;
        for point in candidates {
            self.assign_conflict(point);
        }
        self.pending.extend(self.cone.iter().rev());
        while let Some(triangle) = self.pending.pop() {
            if let Some(eye) = self.eye_of(triangle) {
                self.insert(eye, triangle);
            }
        }
    }

    /// The triangles of the surface, ascending.
    pub(super) fn live(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.triangles.len() as u32).filter(|&t| self.triangles[t as usize].mark != REMOVED)
    }

    /// Number of triangles of the surface; it has half as many vertices, and two.
    pub(super) fn count(&self) -> usize {
        self.triangles.len() - self.free.len()
    }

    /// One more than the largest index of a triangle.
    pub(super) fn capacity(&self) -> usize {
        self.triangles.len()
    }

    pub(super) fn triangle(&self, t: u32) -> &Triangle {
        &self.triangles[t as usize]
    }

    /// Names the vertices of the finished surface by `number` instead of by the index of their point.
    pub(super) fn renumber(&mut self, number: &[u32]) {
        for triangle in self.triangles.iter_mut().filter(|triangle| triangle.mark != REMOVED) {
            triangle.vertices = triangle.vertices.map(|v| number[v as usize]);
        }
    }

    pub(super) fn plane(&self, t: u32) -> &TrianglePlane {
        &self.planes[t as usize]
    }

    pub(super) fn corners(&self, t: u32) -> [Vec3; 3] {
        self.triangles[t as usize].vertices.map(|v| self.points[v as usize])
    }

    fn start(&mut self, [a, b, c, d]: [u32; 4]) {
        for vertices in [[a, b, c], [b, a, d], [c, b, d], [a, c, d]] {
            self.make(vertices);
        }
        let pairs = [
            [(0, 0), (1, 0)],
            [(0, 1), (2, 0)],
            [(0, 2), (3, 0)],
            [(1, 2), (2, 1)],
            [(2, 2), (3, 1)],
            [(3, 2), (1, 1)],
        ];
        for [(f, e), (g, h)] in pairs {
            self.triangles[f as usize].across[e] = EdgeRef::new(g, h);
            self.triangles[g as usize].across[h] = EdgeRef::new(f, e);
        }
    }

    /// A new triangle of the cone, in the place of a removed one if there is one; its neighbours are still to be set.
    fn make(&mut self, vertices: [u32; 3]) -> u32 {
        let corners = vertices.map(|v| self.points[v as usize]);
        let plane = TrianglePlane::through(corners, self.extent, self.resolution);
        let triangle = Triangle {
            vertices,
            across: [EdgeRef(NONE); 3],
            head: NONE,
            farthest: NONE,
            height: f64::NEG_INFINITY,
            mark: 0,
        };
        self.cone_planes.push(plane);
        if let Some(t) = self.free.pop() {
            self.triangles[t as usize] = triangle;
            self.planes[t as usize] = plane;
            return t;
        }
        self.triangles.push(triangle);
        self.planes.push(plane);
        self.triangles.len() as u32 - 1
    }

    /// True if the point is strictly above the triangle; `height` is its rounded height.
    #[inline]
    fn sees(&self, triangle: u32, point: Vec3, height: f64) -> bool {
        let bound = self.planes[triangle as usize].bound;
        height > bound || height >= -bound && exactly_above(self.corners(triangle), point)
    }

    /// Adds a point to the conflict list of the first triangle of the cone it is clearly above, otherwise of
    /// the first it is above at all; a point above none is inside and dropped.
    fn assign_conflict(&mut self, point: u32) {
        let p = self.points[point as usize];
        let mut barely = None;
        for (k, plane) in self.cone_planes.iter().enumerate() {
            let height = plane.height(p);
            if height > plane.clear {
                return self.push_conflict(self.cone[k], point, height);
            }
            if height >= -plane.bound && barely.is_none() && self.sees(self.cone[k], p, height) {
                barely = Some((self.cone[k], height));
            }
        }
        if let Some((t, height)) = barely {
            self.push_conflict(t, point, height);
        }
    }

    fn push_conflict(&mut self, triangle: u32, point: u32, height: f64) {
        let t = &mut self.triangles[triangle as usize];
        self.next[point as usize] = t.head;
        t.head = point;
        let (farthest, highest) = (t.farthest, t.height);
        if height > highest || height == highest && self.precedes(point, farthest) {
            let t = &mut self.triangles[triangle as usize];
            (t.farthest, t.height) = (point, height);
        }
    }

    fn precedes(&self, point: u32, other: u32) -> bool {
        lexicographic(self.points[point as usize], self.points[other as usize]).is_lt()
    }

    /// The point to insert from a triangle's list, if it has one that is not within the resolution of the surface.
    fn eye_of(&mut self, triangle: u32) -> Option<u32> {
        let t = &self.triangles[triangle as usize];
        if t.mark == REMOVED || t.head == NONE {
            return None;
        }
        if t.height > self.planes[triangle as usize].clear {
            return Some(t.farthest);
        }
        let mut point = t.head;
        let t = &mut self.triangles[triangle as usize];
        (t.head, t.farthest, t.height) = (NONE, NONE, f64::NEG_INFINITY);
        while point != NONE {
            let following = self.next[point as usize];
            let p = self.points[point as usize];
            if !self.is_near_surface(point, triangle) {
                self.push_conflict(triangle, point, self.planes[triangle as usize].height(p));
            }
            point = following;
        }
        let farthest = self.triangles[triangle as usize].farthest;
        (farthest != NONE).then_some(farthest)
    }

    /// True if a point strictly above `triangle` is within the resolution of the surface, whose closest point is on
    /// one of the triangles it is above.
    fn is_near_surface(&mut self, point: u32, triangle: u32) -> bool {
        let p = self.points[point as usize];
        if self.is_within_resolution(triangle, p) {
            return true;
        }
        self.find_horizon(point, triangle);
        self.visible.iter().any(|&t| self.is_within_resolution(t, p))
    }

    /// True if the distance from the point to the triangle is at most the resolution.
    fn is_within_resolution(&self, triangle: u32, p: Vec3) -> bool {
        let (plane, [a, b, c]) = (&self.planes[triangle as usize], self.corners(triangle));
        let edges = [[a, b], [b, c], [c, a]].into_iter();
        let length = plane.normal.length();
        let (normal, height) = (plane.normal / length, plane.height(p) / length);
        let slack = 0.1 * self.resolution;
        distance_squared_to_polygon(p, edges, normal, height, slack) <= scalar::square(self.resolution)
    }

    /// Makes `eye`, a point strictly above `triangle`, a vertex of the hull.
    fn insert(&mut self, eye: u32, triangle: u32) {
        self.find_horizon(eye, triangle);
        self.raise_cone(eye);
        for k in 0..self.visible.len() {
            let removed = self.visible[k];
            let mut point = self.triangles[removed as usize].head;
            while point != NONE {
                let following = self.next[point as usize];
                if point != eye {
                    self.assign_conflict(point);
                }
                point = following;
            }
        }
        for &t in self.cone.iter().rev() {
            if self.triangles[t as usize].head != NONE {
                self.pending.push(t);
            }
        }
        for &t in &self.visible {
            self.triangles[t as usize].mark = REMOVED;
        }
        self.free.append(&mut self.visible);
    }

    /// Fills `visible`, and `horizon` with the edges beyond its rim in counter-clockwise order: a depth-first walk
    /// that, in every triangle it enters, goes round the edges from the one it came through.
    fn find_horizon(&mut self, eye: u32, triangle: u32) {
        self.step += 1;
        let (hidden, seen) = (2 * self.step, 2 * self.step + 1);
        let p = self.points[eye as usize];
        self.visible.clear();
        self.horizon.clear();
        self.triangles[triangle as usize].mark = seen;
        self.visible.push(triangle);
        self.walk.push((triangle, 0, 3));
        while let Some((t, edge, left)) = self.walk.pop() {
            if left > 1 {
                self.walk.push((t, following(edge), left - 1));
            }
            let across = self.triangles[t as usize].across[edge];
            let g = across.triangle();
            if self.triangles[g as usize].mark < hidden {
                let visible = self.sees(g, p, self.planes[g as usize].height(p));
                self.triangles[g as usize].mark = if visible { seen } else { hidden };
                if visible {
                    self.visible.push(g);
                    self.walk.push((g, following(across.edge()), 2));
                    continue;
                }
            }
            if self.triangles[g as usize].mark == hidden {
                self.horizon.push(across);
            }
        }
    }

    /// Joins the eye to every edge of the horizon; fills `cone`.
    fn raise_cone(&mut self, eye: u32) {
        self.cone.clear();
        self.cone_planes.clear();
        for k in 0..self.horizon.len() {
            let beyond = self.horizon[k];
            let outer = &self.triangles[beyond.triangle() as usize];
            let (from, to) = (outer.vertices[following(beyond.edge())], outer.vertices[beyond.edge()]);
            let t = self.make([from, to, eye]);
            self.triangles[t as usize].across[0] = beyond;
            self.triangles[beyond.triangle() as usize].across[beyond.edge()] = EdgeRef::new(t, 0);
            self.cone.push(t);
        }
        let mut previous = self.cone[self.cone.len() - 1];
        for &t in &self.cone {
            self.triangles[previous as usize].across[1] = EdgeRef::new(t, 2);
            self.triangles[t as usize].across[2] = EdgeRef::new(previous, 1);
            previous = t;
        }
    }
}

/// The edge of a triangle that starts where `edge` ends.
#[inline]
pub(super) fn following(edge: usize) -> usize {
    if edge == 2 { 0 } else { edge + 1 }
}

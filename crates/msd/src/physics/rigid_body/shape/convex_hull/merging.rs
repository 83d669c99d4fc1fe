//! Merging of coplanar triangles into polygonal faces.
//!
//! A rotated cube has, by rounding, twelve triangles, no two of them in one plane. A patch starts from the
//! largest free triangle, whose plane supports the hull (every vertex is below it or on it, exactly), and
//! adds neighbours as long as their vertices are within the tolerance below that plane. The face of a patch
//! keeps the plane of its first triangle, so the hull stays below it however narrow the patch is; a plane
//! fitted to the patch would not promise that.
//!
//! A vertex where fewer than three patches meet is no corner of the merged solid: it is rounding that stands
//! out of a face or of an edge. Such vertices are reported, and the caller rebuilds the hull without them.
//! One that is a real corner all the same (it came back) keeps its triangles: the smallest patch it touches
//! is split into triangles. So is a patch whose rim is not one simple, convex loop.

use super::plane::unit_normal;
use super::quickhull::{EdgeRef, Quickhull, following};
use super::simplex::NONE;
use crate::math::{Vec3, scalar};

/// The faces as loops of triangle edges.
pub(super) struct Outline {
    /// The triangle whose plane each face has.
    pub seeds: Vec<u32>,
    /// The loops, counter-clockwise, of faces that are not just their seed.
    polygons: Option<Polygons>,
}

/// Loops in one flat array.
struct Polygons {
    /// The edges (triangle, edge number) of all loops.
    edges: Vec<EdgeRef>,
    /// Where the loop of each face starts in `edges`; one entry more than faces.
    starts: Vec<u32>,
}

impl Outline {
    /// Every triangle a face.
    pub(super) fn triangles(hull: &Quickhull<'_>) -> Self {
        let mut seeds = Vec::with_capacity(hull.count());
        seeds.extend(hull.live());
        Self { seeds, polygons: None }
    }

    /// The loop of a face; `triangle` is room for that of a triangle.
    pub(super) fn rim<'a>(&'a self, face: u32, triangle: &'a mut [EdgeRef; 3]) -> &'a [EdgeRef] {
        let face = face as usize;
        if let Some(Polygons { edges, starts }) = &self.polygons {
            return &edges[starts[face] as usize..starts[face + 1] as usize];
        }
        let seed = self.seeds[face];
        *triangle = [EdgeRef::new(seed, 0), EdgeRef::new(seed, 1), EdgeRef::new(seed, 2)];
        triangle
    }

    /// Number of half-edges.
    pub(super) fn edge_count(&self) -> usize {
        self.polygons.as_ref().map_or(3 * self.seeds.len(), |polygons| polygons.edges.len())
    }
}

/// True if some pair of neighbours might lie within four times the resolution the
/// hull was built with of one plane. The height of either's third vertex over the other's plane, times the length
/// of its normal, is the same number: six times the volume of their tetrahedron.
pub(super) fn has_flat_edge(hull: &Quickhull<'_>, points: &[Vec3]) -> bool {
    hull.live().any(|t| {
        let plane = hull.plane(t);
        hull.triangle(t).across.iter().filter(|across| t < across.triangle()).any(|across| {
            let apex = hull.triangle(across.triangle()).vertices[following(following(across.edge()))];
            let clear = scalar::max(plane.clear, hull.plane(across.triangle()).clear);
            plane.height(points[apex as usize]) >= -5.0 * clear
        })
    })
}

/// A partition of the triangles into connected patches.
pub(super) struct Patches {
    /// Patch of each triangle (of the arena, removed ones included).
    of: Vec<u32>,
    /// First triangle of each patch, and how many it has.
    seeds: Vec<u32>,
    sizes: Vec<u32>,
}

impl Patches {
    /// Grows patches over triangles whose vertices are within `tolerance` of the plane of the first.
    pub(super) fn grow(hull: &Quickhull<'_>, points: &[Vec3], tolerance: f64) -> Self {
        let area = |t: u32| hull.plane(t).normal.length_squared();
        let mut order: Vec<(f64, u32)> = hull.live().map(|t| (area(t), t)).collect();
        order.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut patches = Self { of: vec![NONE; hull.capacity()], seeds: Vec::new(), sizes: Vec::new() };
        for (_, seed) in order {
            if patches.of[seed as usize] == NONE {
                patches.grow_from(seed, hull, points, tolerance);
            }
        }
        patches
    }

    fn grow_from(&mut self, seed: u32, hull: &Quickhull<'_>, points: &[Vec3], tolerance: f64) {
        let patch = self.open(seed);
        let (anchor, normal) = (hull.plane(seed).anchor, unit_normal(hull.corners(seed)));
        let mut front = vec![seed];
        while let Some(t) = front.pop() {
            for across in hull.triangle(t).across {
                let g = across.triangle();
                let apex = hull.triangle(g).vertices[following(following(across.edge()))];
                if self.of[g as usize] == NONE && normal.dot(anchor - points[apex as usize]) <= tolerance {
                    self.of[g as usize] = patch;
                    self.sizes[patch as usize] += 1;
                    front.push(g);
                }
            }
        }
    }

    fn open(&mut self, seed: u32) -> u32 {
        let patch = self.seeds.len() as u32;
        self.of[seed as usize] = patch;
        self.seeds.push(seed);
        self.sizes.push(1);
        patch
    }

    /// Number of patches that meet at each point, counted up to three; zero at points that are no vertex.
    fn valences(&self, hull: &Quickhull<'_>, points: usize) -> Vec<u8> {
        let mut seen = vec![[NONE; 2]; points];
        let mut valences = vec![0; points];
        for t in hull.live() {
            let patch = self.of[t as usize];
            for v in hull.triangle(t).vertices {
                let (seen, valence) = (&mut seen[v as usize], &mut valences[v as usize]);
                if *valence < 3 && !seen.contains(&patch) {
                    if let Some(place) = seen.get_mut(*valence as usize) {
                        *place = patch;
                    }
                    *valence += 1;
                }
            }
        }
        valences
    }

    /// The vertices of the hull: those that are corners of three patches at least, and the redundant others.
    pub(super) fn corners_and_redundant(&self, hull: &Quickhull<'_>, points: usize) -> (Vec<u32>, Vec<u32>) {
        let valences = self.valences(hull, points);
        let vertices = (0..points as u32).filter(|&v| valences[v as usize] != 0);
        vertices.partition(|&v| valences[v as usize] >= 3)
    }

    fn is_rim(&self, hull: &Quickhull<'_>, t: u32, edge: usize) -> bool {
        self.of[hull.triangle(t).across[edge].triangle() as usize] != self.of[t as usize]
    }

    /// The loops of the patches, after taking apart those that cannot be a face.
    pub(super) fn outline(mut self, hull: &Quickhull<'_>, points: &[Vec3], tolerance: f64) -> Outline {
        loop {
            let mut spoiled = self.patches_of_false_corners(hull, points.len());
            let (mut edges, mut starts, mut seeds) = (Vec::new(), vec![0], Vec::new());
            let rims = self.rims(hull);
            let mut visited = vec![NONE; points.len()];
            for patch in 0..self.seeds.len() as u32 {
                if self.sizes[patch as usize] == 0 {
                    continue;
                }
                let start = edges.len();
                let (count, first) = rims[patch as usize];
                let simple = count > 0 && self.trace(first, hull, &mut edges, &mut visited);
                let whole = edges.len() - start == count;
                if !(simple && whole && self.is_convex(patch, &edges[start..], hull, points, tolerance)) {
                    spoiled.push(patch);
                }
                starts.push(edges.len() as u32);
                seeds.push(self.seeds[patch as usize]);
            }
            if spoiled.is_empty() {
                return Outline { seeds, polygons: Some(Polygons { edges, starts }) };
            }
            self.split_patches(&spoiled, hull);
        }
    }

    /// For every vertex where fewer than three patches meet, the smallest patch of several triangles that touches it.
    fn patches_of_false_corners(&self, hull: &Quickhull<'_>, points: usize) -> Vec<u32> {
        let valences = self.valences(hull, points);
        let mut smallest = vec![NONE; points];
        for t in hull.live() {
            let patch = self.of[t as usize];
            let size = self.sizes[patch as usize];
            for v in hull.triangle(t).vertices {
                let held = &mut smallest[v as usize];
                let smaller = *held == NONE || (size, patch) < (self.sizes[*held as usize], *held);
                if valences[v as usize] < 3 && size > 1 && smaller {
                    *held = patch;
                }
            }
        }
        smallest.retain(|&patch| patch != NONE);
        smallest
    }

    /// For every patch the number of its rim edges, and one of them.
    fn rims(&self, hull: &Quickhull<'_>) -> Vec<(usize, EdgeRef)> {
        let mut rims = vec![(0, EdgeRef::new(0, 0)); self.seeds.len()];
        for t in hull.live() {
            for edge in (0..3).filter(|&edge| self.is_rim(hull, t, edge)) {
                let (count, first) = &mut rims[self.of[t as usize] as usize];
                *count += 1;
                *first = EdgeRef::new(t, edge);
            }
        }
        rims
    }

    /// Walks the rim of a patch from one of its rim edges; false if it meets a vertex twice.
    fn trace(
        &self,
        first: EdgeRef,
        hull: &Quickhull<'_>,
        edges: &mut Vec<EdgeRef>,
        visited: &mut [u32],
    ) -> bool {
        let patch = self.of[first.triangle() as usize];
        let mut at = first;
        loop {
            let v = hull.triangle(at.triangle()).vertices[at.edge()];
            if visited[v as usize] == patch {
                return false;
            }
            visited[v as usize] = patch;
            edges.push(at);
            at = EdgeRef::new(at.triangle(), following(at.edge()));
            while !self.is_rim(hull, at.triangle(), at.edge()) {
                let across = hull.triangle(at.triangle()).across[at.edge()];
                at = EdgeRef::new(across.triangle(), following(across.edge()));
            }
            if at == first {
                return true;
            }
        }
    }

    /// False if a corner of the loop is farther than `tolerance` inside the line between its neighbours.
    fn is_convex(
        &self,
        patch: u32,
        rim: &[EdgeRef],
        hull: &Quickhull<'_>,
        points: &[Vec3],
        tolerance: f64,
    ) -> bool {
        if rim.len() == 3 {
            return true;
        }
        let normal = unit_normal(hull.corners(self.seeds[patch as usize]));
        let corner = |at: &EdgeRef| points[hull.triangle(at.triangle()).vertices[at.edge()] as usize];
        let around = |k: usize| corner(&rim[k % rim.len()]);
        (0..rim.len()).all(|k| {
            let [a, b, c] = [around(k), around(k + 1), around(k + 2)];
            (b - a).cross(c - b).dot(normal) >= -tolerance * (c - a).length()
        })
    }

    /// Makes every triangle of the given patches a patch of its own.
    fn split_patches(&mut self, spoiled: &[u32], hull: &Quickhull<'_>) {
        let mut is_spoiled = vec![false; self.seeds.len()];
        for &patch in spoiled {
            is_spoiled[patch as usize] = true;
            self.sizes[patch as usize] = 0;
        }
        for t in hull.live() {
            if is_spoiled.get(self.of[t as usize] as usize) == Some(&true) {
                self.open(t);
            }
        }
    }
}

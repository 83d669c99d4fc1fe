//! The polytope of EPA: a closed, outward-oriented triangulation in fixed storage.
//!
//! Face `f` has corners `v₀ v₁ v₂`, counter-clockwise seen from outside, and across its edge `vₑ vₑ₊₁` the
//! neighbour `adjacent[e]`. Adding a vertex removes the faces visible from it and connects the horizon of
//! this patch to the new vertex. The patch is traversed depth first, edge after edge around every face, which
//! visits its horizon in order; a horizon that is not one loop with two edges more than there are faces
//! inside (Euler) would not leave a closed surface, and the expansion is refused before anything has changed.
//! The slots of the removed faces are reused, so that there are always `2V - 4` faces and no gaps.

use super::simplex::Simplex;
use super::support_function::MinkowskiVertex;
use crate::math::{Vec3, scalar};
use crate::tolerance;

/// A half-edge: a face and the index of its edge, packed in one number.
#[derive(Clone, Copy, Debug)]
struct HalfEdge(u16);

impl HalfEdge {
    const fn new(face: u16, edge: u16) -> Self {
        Self(face << 2 | edge)
    }

    const fn face(self) -> usize {
        (self.0 >> 2) as usize
    }

    const fn edge(self) -> usize {
        (self.0 & 3) as usize
    }
}

#[derive(Clone, Copy, Debug)]
struct Face {
    corners: [u16; 3],
    adjacent: [HalfEdge; 3],
    /// The last vertex that sees the face.
    seen_by: u16,
    normal: Vec3,
}

/// At most `V` vertices and `F = 2V - 4` faces, a multiple of four.
#[derive(Debug)]
pub(super) struct Polytope<const V: usize, const F: usize> {
    vertices: [MinkowskiVertex; V],
    vertex_count: usize,
    faces: [Face; F],
    /// Distance of the origin below each face's plane; infinite for faces that are retired or degenerate.
    offsets: [f64; F],
    face_count: usize,
    scale_squared: f64,
    scale: f64,
}

/// Edges after each of a triangle.
const NEXT: [usize; 3] = [1, 2, 0];

/// Longest horizon; a patch with a longer one is refused.
const RIM: usize = 64;

/// The faces visible from a new vertex: the half-edges beyond the horizon in order, and the faces inside. The
/// storage is reused from vertex to vertex.
#[derive(Debug)]
pub(super) struct Patch {
    rim: [HalfEdge; RIM],
    rim_len: usize,
    inside: [u16; RIM],
    inside_len: usize,
    /// Half-edges still to be visited.
    stack: [HalfEdge; 2 * RIM],
}

impl Patch {
    pub(super) const EMPTY: Self = Self {
        rim: [HalfEdge(0); RIM],
        rim_len: 0,
        inside: [0; RIM],
        inside_len: 0,
        stack: [HalfEdge(0); 2 * RIM],
    };
}

impl<const V: usize, const F: usize> Polytope<V, F> {
    /// Initializes it with four vertices, the first three counter-clockwise seen from the side away from the
    /// fourth.
    pub(super) fn start_from(&mut self, corners: &[MinkowskiVertex; 4]) {
        self.vertices[..4].copy_from_slice(corners);
        self.vertex_count = 4;
        corners.iter().for_each(|v| self.reach_to(v));
        let side = HalfEdge::new;
        for (corners, adjacent) in [
            ([0, 1, 2], [side(3, 2), side(2, 2), side(1, 0)]),
            ([0, 2, 3], [side(0, 2), side(2, 1), side(3, 0)]),
            ([1, 3, 2], [side(3, 1), side(1, 1), side(0, 1)]),
            ([0, 3, 1], [side(1, 2), side(2, 0), side(0, 0)]),
        ] {
            let slot = self.face_count;
            self.face_count += 1;
            self.set_face(slot, corners, adjacent);
        }
    }

    /// Copies the contents of a smaller one.
    pub(super) fn copy_from<const U: usize, const G: usize>(&mut self, smaller: &Polytope<U, G>) {
        self.vertices[..smaller.vertex_count].copy_from_slice(&smaller.vertices[..smaller.vertex_count]);
        self.faces[..smaller.face_count].copy_from_slice(&smaller.faces[..smaller.face_count]);
        self.offsets[..smaller.face_count].copy_from_slice(&smaller.offsets[..smaller.face_count]);
        (self.vertex_count, self.face_count) = (smaller.vertex_count, smaller.face_count);
        (self.scale_squared, self.scale) = (smaller.scale_squared, smaller.scale);
    }

    /// Without vertices.
    pub(super) const VACANT: Self = Self {
        vertices: [MinkowskiVertex::ZERO; V],
        vertex_count: 0,
        faces: [Face { corners: [0; 3], adjacent: [HalfEdge(0); 3], seen_by: 0, normal: Vec3::ZERO }; F],
        offsets: [f64::INFINITY; F],
        face_count: 0,
        scale_squared: 0.0,
        scale: 0.0,
    };

    fn reach_to(&mut self, vertex: &MinkowskiVertex) {
        let squared = vertex.point.length_squared();
        if squared > self.scale_squared {
            (self.scale_squared, self.scale) = (squared, squared.sqrt());
        }
    }

    /// True if no other vertex fits.
    pub(super) fn is_full(&self) -> bool {
        self.vertex_count == V
    }

    /// Largest distance of a vertex from the origin.
    pub(super) fn scale(&self) -> f64 {
        self.scale
    }

    /// The face whose plane is nearest to the origin (most negative first), and its offset.
    pub(super) fn nearest_face(&self) -> Option<(usize, f64)> {
        // Four parallel minimum searches for the value, then its index; unused slots are infinite.
        let mut least = [f64::INFINITY; 4];
        for four in self.offsets[..self.face_count.next_multiple_of(4)].chunks_exact(4) {
            for (least, &offset) in least.iter_mut().zip(four) {
                *least = if offset < *least { offset } else { *least };
            }
        }
        let offset = least.into_iter().fold(f64::INFINITY, scalar::min);
        let face = self.offsets[..self.face_count].iter().position(|&o| o == offset)?;
        (offset < f64::INFINITY).then_some((face, offset))
    }

    pub(super) fn normal(&self, face: usize) -> Vec3 {
        self.faces[face].normal
    }

    pub(super) fn corners(&self, face: usize) -> [u16; 3] {
        self.faces[face].corners
    }

    pub(super) fn vertex(&self, number: u16) -> MinkowskiVertex {
        self.vertices[number as usize]
    }

    /// Corners of the triangle, of all that lie in the plane of `face`, that is nearest to the origin: a facet of the
    /// difference is often several triangles, and only one of them holds the projection.
    pub(super) fn nearest_corners(&self, face: usize) -> [u16; 3] {
        let (normal, offset) = (self.faces[face].normal, self.offsets[face]);
        let same_plane = |f: &usize| {
            self.offsets[*f] - offset <= tolerance::SAME_PLANE * self.scale
                && self.faces[*f].normal.dot(normal) > 1.0 - tolerance::SAME_PLANE
        };
        let distance_to = |corners: [u16; 3]| {
            let mut triangle = Simplex::EMPTY;
            corners.iter().for_each(|c| triangle.push(self.vertex(*c)));
            triangle.reduce_to_nearest().map_or(f64::INFINITY, |v| v.length_squared())
        };
        let (mut best, mut least) = (face, None);
        for f in (0..self.face_count).filter(same_plane) {
            if f != face {
                let least = least.get_or_insert_with(|| distance_to(self.corners(face)));
                let distance = distance_to(self.corners(f));
                if distance < *least || distance == *least && f < best {
                    (best, *least) = (f, distance);
                }
            }
        }
        self.corners(best)
    }

    pub(super) fn contains(&self, vertex: &MinkowskiVertex) -> bool {
        self.vertices[..self.vertex_count].iter().any(|v| v.point == vertex.point)
    }

    /// Excludes the face from further searches.
    pub(super) fn retire(&mut self, face: usize) {
        self.offsets[face] = f64::INFINITY;
    }

    /// Adds a vertex that sees `face`; `round_off` is the height above a plane below which a face is not
    /// visible. False if the storage is full or the surface could not be closed.
    pub(super) fn expand(
        &mut self,
        face: usize,
        vertex: &MinkowskiVertex,
        round_off: f64,
        patch: &mut Patch,
    ) -> bool {
        if self.is_full() || self.find_patch(vertex.point, face, round_off, patch).is_none() {
            return false;
        }
        let (rim, inside) = (&patch.rim[..patch.rim_len], &patch.inside[..patch.inside_len]);
        if rim.len() != inside.len() + 2 || !self.is_loop(rim) {
            return false;
        }
        let apex = self.vertex_count as u16;
        self.vertices[self.vertex_count] = *vertex;
        self.vertex_count += 1;
        self.reach_to(vertex);
        let first_new = self.face_count as u16;
        self.face_count += 2;
        let slot = |k: usize| inside.get(k).copied().unwrap_or(first_new + (k - inside.len().min(k)) as u16);
        for (k, beyond) in rim.iter().enumerate() {
            let (next, last) = (if k + 1 == rim.len() { 0 } else { k + 1 }, (k + rim.len() - 1) % rim.len());
            let [from, to] = self.ends(*beyond);
            // Corners from, to, apex: across the second edge the next face of the fan, across the third the last.
            let adjacent = [*beyond, HalfEdge::new(slot(next), 2), HalfEdge::new(slot(last), 1)];
            self.faces[beyond.face()].adjacent[beyond.edge()] = HalfEdge::new(slot(k), 0);
            self.set_face(slot(k) as usize, [from, to, apex], adjacent);
        }
        true
    }

    /// The faces visible from a new vertex, connected to `face`; `None` if there are too many.
    fn find_patch(&mut self, eye: Vec3, face: usize, round_off: f64, patch: &mut Patch) -> Option<()> {
        // The index of the new vertex marks the search; indices start at zero, hence one more.
        let name = self.vertex_count as u16 + 1;
        (patch.rim_len, patch.inside_len) = (0, 1);
        let stack = &mut patch.stack;
        let mut depth = 0;
        self.faces[face].seen_by = name;
        patch.inside[0] = face as u16;
        for e in [2, 1, 0] {
            stack[depth] = self.faces[face].adjacent[e];
            depth += 1;
        }
        while depth > 0 {
            depth -= 1;
            let side = stack[depth];
            let across = &self.faces[side.face()];
            if across.seen_by == name {
                continue;
            }
            let anchor = self.vertices[across.corners[0] as usize].point;
            if across.normal.dot(eye - anchor) <= round_off {
                *patch.rim.get_mut(patch.rim_len)? = side;
                patch.rim_len += 1;
                continue;
            }
            let second = NEXT[side.edge()];
            *patch.inside.get_mut(patch.inside_len)? = side.face() as u16;
            patch.inside_len += 1;
            *stack.get_mut(depth)? = across.adjacent[NEXT[second]];
            *stack.get_mut(depth + 1)? = across.adjacent[second];
            depth += 2;
            self.faces[side.face()].seen_by = name;
        }
        Some(())
    }

    /// Ends of an edge in the direction of the face on the other side.
    fn ends(&self, beyond: HalfEdge) -> [u16; 2] {
        let corners = &self.faces[beyond.face()].corners;
        [corners[NEXT[beyond.edge()]], corners[beyond.edge()]]
    }

    /// True if every edge starts where the one before ends, and no two at the same vertex.
    fn is_loop(&self, rim: &[HalfEdge]) -> bool {
        let Some(last) = rim.last() else { return false };
        let mut at = self.ends(*last)[1];
        let mut visited = [0_u64; 4];
        for side in rim {
            let [from, to] = self.ends(*side);
            let (word, bit) = (usize::from(from) / 64 % 4, 1_u64 << (from % 64));
            if from != at || visited[word] & bit != 0 {
                return false;
            }
            visited[word] |= bit;
            at = to;
        }
        true
    }

    /// Plane from the corner between the two shortest edges; a face without area is never searched.
    fn set_face(&mut self, slot: usize, corners: [u16; 3], adjacent: [HalfEdge; 3]) {
        let [a, b, c] = corners.map(|i| self.vertices[i as usize].point);
        let (ab, bc, ca) = (b - a, c - b, a - c);
        let (l_ab, l_bc, l_ca) = (ab.length_squared(), bc.length_squared(), ca.length_squared());
        let normal = if l_ab >= l_bc && l_ab >= l_ca {
            bc.cross(ca)
        } else if l_bc >= l_ca {
            ca.cross(ab)
        } else {
            ab.cross(bc)
        };
        let (normal, offset) = match normal.try_normalize() {
            Some(unit) => (unit, scalar::max(scalar::max(unit.dot(a), unit.dot(b)), unit.dot(c))),
            None => (Vec3::ZERO, f64::INFINITY),
        };
        self.faces[slot] = Face { corners, adjacent, seen_by: 0, normal };
        self.offsets[slot] = offset;
    }
}

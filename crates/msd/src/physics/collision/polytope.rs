//! The polytope EPA expands: a closed, outward-oriented triangulation in fixed storage.
//!
//! Face `f` has corners `v₀ v₁ v₂`, counter-clockwise seen from outside, and across its edge `vₑ vₑ₊₁` the neighbour
//! `adjacent[e]`. Adding a vertex removes the faces it sees (found by walking from one of them, so that they form one
//! patch) and joins the boundary of the patch to the new vertex. A step that would not leave a closed surface is
//! refused before anything has changed.

use super::simplex::Simplex;
use super::support_function::MinkowskiVertex;
use crate::math::{Vec3, real};
use crate::tolerance;

#[derive(Clone, Copy, Debug, Default)]
struct Face {
    corners: [u16; 3],
    adjacent: [u16; 3],
    normal: Vec3,
}

/// At most `V` vertices and `F ≥ 2V - 4` faces at a time.
#[derive(Debug)]
pub(super) struct Polytope<const V: usize, const F: usize> {
    vertices: [MinkowskiVertex; V],
    vertex_count: usize,
    faces: [Face; F],
    /// Distance of the origin below each face's plane; infinite for faces that are vacant, retired or degenerate.
    offsets: [f64; F],
    alive: [bool; F],
    face_count: usize,
    scale: f64,
}

/// One edge of the boundary of the visible patch, as the visible face runs through it.
#[derive(Clone, Copy, Default)]
struct HorizonEdge {
    from: u16,
    to: u16,
    beyond: u16,
}

impl<const V: usize, const F: usize> Polytope<V, F> {
    /// From four vertices, the first three counter-clockwise seen from the side away from the fourth.
    pub(super) fn from_tetrahedron(corners: &[MinkowskiVertex; 4]) -> Self {
        let mut polytope = Self {
            vertices: [MinkowskiVertex::default(); V],
            vertex_count: 4,
            faces: [Face::default(); F],
            offsets: [f64::INFINITY; F],
            alive: [false; F],
            face_count: 0,
            scale: 0.0,
        };
        polytope.vertices[..4].copy_from_slice(corners);
        polytope.scale = corners.iter().fold(0.0, |s, v| real::max(s, v.point.length()));
        for (corners, adjacent) in
            [([0, 1, 2], [3, 2, 1]), ([0, 2, 3], [0, 2, 3]), ([1, 3, 2], [3, 1, 0]), ([0, 3, 1], [1, 2, 0])]
        {
            let slot = polytope.face_count;
            polytope.face_count += 1;
            polytope.set_face(slot, corners, adjacent);
        }
        polytope
    }

    /// Largest distance of a vertex from the origin.
    pub(super) fn scale(&self) -> f64 {
        self.scale
    }

    /// The face whose plane is nearest to the origin (most negative first), and its offset.
    pub(super) fn nearest_face(&self) -> Option<(usize, f64)> {
        let mut best = (0, f64::INFINITY);
        for (i, &offset) in self.offsets[..self.face_count].iter().enumerate() {
            if offset < best.1 {
                best = (i, offset);
            }
        }
        (best.1 < f64::INFINITY).then_some(best)
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
        let mut best = (f64::INFINITY, self.corners(face));
        for f in (0..self.face_count).filter(same_plane) {
            let corners = self.corners(f);
            let mut triangle = Simplex::default();
            corners.iter().for_each(|c| triangle.push(self.vertex(*c)));
            let distance = triangle.reduce_to_nearest().map_or(f64::INFINITY, |v| v.length_squared());
            if distance < best.0 {
                best = (distance, corners);
            }
        }
        best.1
    }

    pub(super) fn contains(&self, vertex: &MinkowskiVertex) -> bool {
        self.vertices[..self.vertex_count].iter().any(|v| v.point == vertex.point)
    }

    /// Never offers the face again.
    pub(super) fn retire(&mut self, face: usize) {
        self.offsets[face] = f64::INFINITY;
    }

    /// Adds a vertex that sees `face`; `round_off` is the height above a plane below which it is not seen. False if
    /// there is no room or the surface could not be closed.
    pub(super) fn expand(&mut self, face: usize, vertex: &MinkowskiVertex, round_off: f64) -> bool {
        if self.vertex_count == V {
            return false;
        }
        let mut visible = [false; F];
        let mut stack = [0_u16; F];
        let mut depth = 1;
        stack[0] = face as u16;
        visible[face] = true;
        let mut horizon = [HorizonEdge::default(); F];
        let mut horizon_len = 0;
        while depth > 0 {
            depth -= 1;
            let f = self.faces[stack[depth] as usize];
            for e in 0..3 {
                let neighbour = f.adjacent[e];
                if visible[neighbour as usize] {
                    continue;
                }
                let across = &self.faces[neighbour as usize];
                let anchor = self.vertices[across.corners[0] as usize].point;
                if across.normal.dot(vertex.point - anchor) > round_off {
                    visible[neighbour as usize] = true;
                    stack[depth] = neighbour;
                    depth += 1;
                }
            }
        }
        for i in 0..self.face_count {
            if !visible[i] {
                continue;
            }
            let f = self.faces[i];
            for e in 0..3 {
                if !visible[f.adjacent[e] as usize] {
                    if horizon_len == F {
                        return false;
                    }
                    horizon[horizon_len] =
                        HorizonEdge { from: f.corners[e], to: f.corners[(e + 1) % 3], beyond: f.adjacent[e] };
                    horizon_len += 1;
                }
            }
        }
        self.close(&horizon[..horizon_len], &visible, vertex)
    }

    fn close(&mut self, horizon: &[HorizonEdge], visible: &[bool; F], vertex: &MinkowskiVertex) -> bool {
        const NONE: u16 = u16::MAX;
        let mut slots = [NONE; F];
        let mut starting_at = [NONE; V];
        let mut free = (0..F).filter(|&i| !self.alive[i] || visible[i]);
        for (slot, edge) in slots.iter_mut().zip(horizon) {
            let Some(place) = free.next() else { return false };
            if starting_at[edge.from as usize] != NONE {
                return false;
            }
            *slot = place as u16;
            starting_at[edge.from as usize] = place as u16;
        }
        if horizon.len() < 3 || horizon.iter().any(|edge| starting_at[edge.to as usize] == NONE) {
            return false;
        }
        for i in 0..self.face_count {
            if visible[i] {
                self.alive[i] = false;
                self.offsets[i] = f64::INFINITY;
            }
        }
        let apex = self.vertex_count as u16;
        self.vertices[self.vertex_count] = *vertex;
        self.vertex_count += 1;
        self.scale = real::max(self.scale, vertex.point.length());
        let mut ending_at = [NONE; V];
        for (slot, edge) in slots.iter().zip(horizon) {
            ending_at[edge.to as usize] = *slot;
        }
        for (slot, edge) in slots.iter().zip(horizon) {
            let adjacent = [edge.beyond, starting_at[edge.to as usize], ending_at[edge.from as usize]];
            self.set_face(*slot as usize, [edge.from, edge.to, apex], adjacent);
            let beyond = &mut self.faces[edge.beyond as usize];
            for e in 0..3 {
                if beyond.corners[e] == edge.to && beyond.corners[(e + 1) % 3] == edge.from {
                    beyond.adjacent[e] = *slot;
                }
            }
            self.face_count = self.face_count.max(*slot as usize + 1);
        }
        true
    }

    /// Plane from the corner where the two shortest edges meet; a face without area is never offered.
    fn set_face(&mut self, slot: usize, corners: [u16; 3], adjacent: [u16; 3]) {
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
            Some(unit) => (unit, real::max(real::max(unit.dot(a), unit.dot(b)), unit.dot(c))),
            None => (Vec3::ZERO, f64::INFINITY),
        };
        self.faces[slot] = Face { corners, adjacent, normal };
        self.offsets[slot] = offset;
        self.alive[slot] = true;
    }
}

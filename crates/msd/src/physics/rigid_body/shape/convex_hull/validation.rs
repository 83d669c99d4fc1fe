//! The invariants of a hull, checked one by one without trusting how it was made.

use serde::Deserialize;
use thiserror::Error;

use super::{ConvexHull, Face, HalfEdge};
use crate::math::{Coordinate, Vec3, scalar};
use crate::tolerance;

/// Which invariant of a hull is broken, and where.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum HullDefect {
    /// A coordinate, normal or offset is NaN or infinite, or the resolution is not a finite length.
    #[error("hull: {what} {index} is not finite")]
    NotFinite {
        /// Kind of the element.
        what: &'static str,
        /// Its index.
        index: usize,
    },
    /// An index points outside its array, or arrays do not fit together.
    #[error("hull: {what} {index} is out of range or out of place")]
    Index {
        /// Kind of the element.
        what: &'static str,
        /// Its index.
        index: usize,
    },
    /// A half-edge and its twin do not run in opposite directions between the same vertices.
    #[error("hull: half-edge {0} and its twin do not belong together")]
    Twin(usize),
    /// `V - E + F` is not two, or a vertex has fewer than three edges.
    #[error("hull: {vertices} vertices, {edges} edges and {faces} faces are no closed polyhedron")]
    Euler {
        /// Number of vertices.
        vertices: usize,
        /// Number of edges.
        edges: usize,
        /// Number of faces.
        faces: usize,
    },
    /// A face whose normal is not a unit vector, or does not agree with the direction of its loop.
    #[error("hull: the normal of face {0} is not the unit outward normal of its counter-clockwise loop")]
    Orientation(usize),
    /// A corner of a face too far from its plane.
    #[error("hull: a corner of face {face} is {distance} m off its plane, at most {limit} m is allowed")]
    NotPlanar {
        /// Which face.
        face: usize,
        /// How far off.
        distance: f64,
        /// How far it may be.
        limit: f64,
    },
    /// A corner of a face inside the line between its neighbours.
    #[error("hull: a corner of face {face} is {distance} m inside its polygon, at most {limit} m is allowed")]
    Reflex {
        /// Which face.
        face: usize,
        /// How far inside.
        distance: f64,
        /// How far it may be.
        limit: f64,
    },
    /// A vertex outside a face.
    #[error("hull: vertex {vertex} is {distance} m above face {face}, at most {limit} m is allowed")]
    NotConvex {
        /// Which vertex.
        vertex: usize,
        /// Above which face.
        face: usize,
        /// How far above.
        distance: f64,
        /// How far it may be.
        limit: f64,
    },
}

/// A hull as it was read, before anything is known about it.
#[derive(Deserialize)]
pub(super) struct Unchecked {
    vertices: Vec<Coordinate>,
    faces: Vec<Face>,
    half_edges: Vec<HalfEdge>,
    neighbour_starts: Vec<u32>,
    neighbours: Vec<u32>,
    resolution: f64,
}

impl TryFrom<Unchecked> for ConvexHull {
    type Error = HullDefect;

    fn try_from(read: Unchecked) -> Result<Self, HullDefect> {
        if read.vertices.len() < 4 {
            return Err(HullDefect::Euler {
                vertices: read.vertices.len(),
                edges: read.half_edges.len() / 2,
                faces: read.faces.len(),
            });
        }
        let hull = Self::from_parts(
            read.vertices,
            read.faces,
            read.half_edges,
            read.neighbour_starts,
            read.neighbours,
            read.resolution,
        );
        hull.validate()?;
        Ok(hull)
    }
}

impl ConvexHull {
    /// Checks every invariant: finite numbers, indices, twins, Euler's formula, outward counter-clockwise faces, flat
    /// and convex to the resolution, and every vertex below every face to [`tolerance::HULL_CONVEXITY`].
    ///
    /// # Errors
    /// The first invariant that is broken.
    pub fn validate(&self) -> Result<(), HullDefect> {
        self.validate_numbers()?;
        self.validate_indices()?;
        self.validate_topology()?;
        self.validate_neighbours()?;
        self.validate_faces()
    }

    fn validate_numbers(&self) -> Result<(), HullDefect> {
        let bad = |what, index: Option<usize>| match index {
            Some(index) => Err(HullDefect::NotFinite { what, index }),
            None => Ok(()),
        };
        bad("vertex", self.vertices.iter().position(|v| !v.is_finite()))?;
        bad("face", self.faces.iter().position(|f| !(f.normal.is_finite() && f.offset.is_finite())))?;
        bad("resolution", (!(self.resolution >= 0.0 && self.resolution.is_finite())).then_some(0))
    }

    fn validate_indices(&self) -> Result<(), HullDefect> {
        let (vertices, edges) = (self.vertices.len(), self.half_edges.len());
        let mut start = 0_usize;
        for (f, face) in self.faces.iter().enumerate() {
            let count = face.edge_count as usize;
            if face.first_edge as usize != start || count < 3 || count > edges - start {
                return Err(HullDefect::Index { what: "face", index: f });
            }
            for index in start..start + count {
                let edge = &self.half_edges[index];
                let next = if index + 1 == start + count { start } else { index + 1 };
                let fits = (edge.origin as usize) < vertices && (edge.twin as usize) < edges;
                if !fits || edge.next as usize != next || edge.face as usize != f {
                    return Err(HullDefect::Index { what: "half-edge", index });
                }
            }
            start += count;
        }
        if start == edges { Ok(()) } else { Err(HullDefect::Index { what: "half-edge", index: start }) }
    }

    fn validate_topology(&self) -> Result<(), HullDefect> {
        let mut valences = vec![0_usize; self.vertices.len()];
        for (h, edge) in self.half_edges.iter().enumerate() {
            let twin = &self.half_edges[edge.twin as usize];
            let opposite =
                twin.origin == self.destination(h as u32) && self.destination(edge.twin) == edge.origin;
            if twin.twin as usize != h || !opposite || twin.face == edge.face {
                return Err(HullDefect::Twin(h));
            }
            valences[edge.origin as usize] += 1;
        }
        let (vertices, edges, faces) = (self.vertices.len(), self.edges.len(), self.faces.len());
        if 2 * edges != self.half_edges.len()
            || vertices + faces != edges + 2
            || valences.iter().any(|&valence| valence < 3)
        {
            return Err(HullDefect::Euler { vertices, edges, faces });
        }
        Ok(())
    }

    /// Every edge must be among the neighbours, and the lists within range and symmetric.
    fn validate_neighbours(&self) -> Result<(), HullDefect> {
        let (starts, vertices) = (&self.neighbour_starts, self.vertices.len());
        let ascending = starts.windows(2).all(|w| w[0] <= w[1]);
        let complete = starts.first() == Some(&0) && starts.last() == Some(&(self.neighbours.len() as u32));
        if starts.len() != vertices + 1 || !ascending || !complete {
            return Err(HullDefect::Index { what: "neighbour list", index: 0 });
        }
        for v in 0..vertices as u32 {
            let list = self.neighbours(v);
            let fits = |&w: &u32| (w as usize) < vertices && w != v && self.neighbours(w).contains(&v);
            if !list.iter().all(fits) {
                return Err(HullDefect::Index { what: "neighbour list", index: v as usize });
            }
        }
        let joined = |h: &u32| {
            let origin = self.half_edges[*h as usize].origin;
            self.neighbours(origin).contains(&self.destination(*h))
        };
        match self.edges.iter().position(|h| !joined(h)) {
            Some(index) => Err(HullDefect::Index { what: "neighbour list of edge", index }),
            None => Ok(()),
        }
    }

    fn validate_faces(&self) -> Result<(), HullDefect> {
        let largest = super::simplex::largest_coordinate(&self.vertices);
        let convexity = tolerance::HULL_CONVEXITY * largest;
        for (f, face) in self.faces.iter().enumerate() {
            if (face.normal.length() - 1.0).abs() > tolerance::HULL_CONVEXITY {
                return Err(HullDefect::Orientation(f));
            }
            self.validate_loop(f, face, largest, self.resolution + convexity)?;
            self.validate_corners(f, face, largest, self.resolution + convexity)?;
            for (vertex, &v) in self.vertices.iter().enumerate() {
                let distance = self.height_above(face, v);
                if distance > convexity {
                    return Err(HullDefect::NotConvex { vertex, face: f, distance, limit: convexity });
                }
            }
        }
        Ok(())
    }

    fn validate_loop(&self, f: usize, face: &Face, size: f64, limit: f64) -> Result<(), HullDefect> {
        let mut corners = self.face_vertices(face);
        let anchor = corners.next().unwrap_or_default();
        let mut vector = Vec3::ZERO;
        let mut previous = Vec3::ZERO;
        let mut lowest = 0.0;
        for corner in corners {
            lowest = scalar::min(lowest, face.normal.dot(corner - anchor));
            // Relative to the hull's size: the square of a coordinate may be out of the range of numbers.
            vector += previous.cross((corner - anchor) / size);
            previous = (corner - anchor) / size;
        }
        let offset_error = (face.normal.dot(anchor) - face.offset).abs();
        if vector.dot(face.normal) <= 0.0 {
            return Err(HullDefect::Orientation(f));
        }
        let distance = scalar::max(-lowest, offset_error);
        if distance > limit { Err(HullDefect::NotPlanar { face: f, distance, limit }) } else { Ok(()) }
    }

    fn validate_corners(&self, f: usize, face: &Face, size: f64, limit: f64) -> Result<(), HullDefect> {
        let edges = self.face_edges(face);
        let corner = |k: usize| self.vertices[edges[k % edges.len()].origin as usize];
        for k in 0..edges.len() {
            let [a, b, c] = [corner(k), corner(k + 1), corner(k + 2)];
            let area = ((b - a) / size).cross(c - b).dot(face.normal);
            let distance = -area / ((c - a) / size).length();
            if distance > limit {
                return Err(HullDefect::Reflex { face: f, distance, limit });
            }
        }
        Ok(())
    }
}

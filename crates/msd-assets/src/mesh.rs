//! Indexed triangle meshes as files and the registry hold them.
//!
//! Vertices are in metres in the asset's own frame; triangles wind counter-clockwise seen from outside, so that
//! `(b - a) × (c - a)` points outwards. Volume comes from the divergence theorem, `V = Σ a · (b × c) / 6`.

use msd::{
    math::{Coordinate, Vec3},
    physics::rigid_body::shape::Aabb,
};
use thiserror::Error;

/// Why vertices and triangles do not make a mesh.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum MeshError {
    /// No triangle at all.
    #[error("a mesh needs at least one triangle")]
    NoTriangles,
    /// A coordinate is NaN or infinite.
    #[error("vertex {index} is not finite: ({}, {}, {})", .point.x, .point.y, .point.z)]
    NotFinite {
        /// Which vertex.
        index: usize,
        /// Its coordinates.
        point: Vec3,
    },
    /// A triangle names a vertex that does not exist.
    #[error("triangle {triangle} names vertex {vertex}, but there are only {vertices}")]
    IndexOutOfRange {
        /// Which triangle.
        triangle: usize,
        /// The vertex it names.
        vertex: u32,
        /// How many vertices there are.
        vertices: usize,
    },
}

/// Triangles over shared vertices, every coordinate finite and every index in range.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    vertices: Vec<Coordinate>,
    triangles: Vec<[u32; 3]>,
}

impl Mesh {
    /// A mesh of these triangles, checked.
    ///
    /// # Errors
    /// No triangles, a vertex that is not finite, or an index out of range; each names the first culprit.
    pub fn new(vertices: Vec<Coordinate>, triangles: Vec<[u32; 3]>) -> Result<Self, MeshError> {
        if triangles.is_empty() {
            return Err(MeshError::NoTriangles);
        }
        if let Some(index) = vertices.iter().position(|v| !v.is_finite()) {
            return Err(MeshError::NotFinite { index, point: vertices[index] });
        }
        for (triangle, corners) in triangles.iter().enumerate() {
            if let Some(&vertex) = corners.iter().find(|&&v| v as usize >= vertices.len()) {
                return Err(MeshError::IndexOutOfRange { triangle, vertex, vertices: vertices.len() });
            }
        }
        Ok(Self { vertices, triangles })
    }

    /// Vertices, m.
    #[must_use]
    pub fn vertices(&self) -> &[Coordinate] {
        &self.vertices
    }

    /// Vertex indices of each triangle, counter-clockwise from outside.
    #[must_use]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The smallest axis-aligned box around the vertices.
    #[must_use]
    pub fn bounding_box(&self) -> Aabb {
        Aabb::from_points(self.vertices.iter().copied())
    }

    /// m²; the sum over all triangles.
    #[must_use]
    pub fn surface_area(&self) -> f64 {
        self.corners().map(|[a, b, c]| (b - a).cross(c - a).length() * 0.5).sum()
    }

    /// Signed volume, m³: positive when triangles wind outwards. It means something only where
    /// [`Mesh::is_closed`]. Computed about the centre of the bounding box, so that a small part far from the
    /// origin keeps its digits.
    #[must_use]
    pub fn volume(&self) -> f64 {
        let origin = self.bounding_box().center();
        self.corners().map(|[a, b, c]| (a - origin).dot((b - origin).cross(c - origin))).sum::<f64>() / 6.0
    }

    /// True if every directed edge is matched by exactly one opposite edge: the surface bounds a volume.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        let mut edges: Vec<(u32, u32)> =
            self.triangles.iter().flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]).collect();
        edges.sort_unstable();
        let repeated = edges.windows(2).any(|pair| pair[0] == pair[1]);
        !repeated && edges.iter().all(|&(a, b)| edges.binary_search(&(b, a)).is_ok())
    }

    fn corners(&self) -> impl Iterator<Item = [Coordinate; 3]> + '_ {
        self.triangles.iter().map(|t| t.map(|v| self.vertices[v as usize]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tetrahedron(offset: Vec3) -> Mesh {
        let vertices = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z].map(|v| v + offset).to_vec();
        Mesh::new(vertices, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]).unwrap()
    }

    #[test]
    fn a_closed_mesh_has_the_volume_of_the_divergence_theorem_wherever_it_stands() {
        let mesh = tetrahedron(Vec3::ZERO);
        assert!(mesh.is_closed());
        assert!((mesh.volume() - 1.0 / 6.0).abs() < 1e-15);
        assert!((mesh.surface_area() - (1.5 + 0.75_f64.sqrt())).abs() < 1e-15);
        let far = tetrahedron(Vec3::new(1e6, -2e6, 3e6));
        assert!((far.volume() - 1.0 / 6.0).abs() < 1e-9, "volume {}", far.volume());
    }

    #[test]
    fn a_missing_or_flipped_triangle_opens_the_surface() {
        let whole = tetrahedron(Vec3::ZERO);
        let open = Mesh::new(whole.vertices().to_vec(), whole.triangles()[..3].to_vec()).unwrap();
        assert!(!open.is_closed());
        let mut flipped = whole.triangles().to_vec();
        flipped[0].swap(0, 1);
        assert!(!Mesh::new(whole.vertices().to_vec(), flipped).unwrap().is_closed());
    }

    #[test]
    fn culprits_are_named() {
        let bad = Mesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::NAN], vec![[0, 1, 2]]).unwrap_err();
        assert_eq!(bad.to_string(), "vertex 2 is not finite: (NaN, NaN, NaN)");
        let bad = Mesh::new(vec![Vec3::ZERO, Vec3::X], vec![[0, 1, 2]]).unwrap_err();
        assert_eq!(bad.to_string(), "triangle 0 names vertex 2, but there are only 2");
        assert_eq!(Mesh::new(vec![Vec3::ZERO], vec![]).unwrap_err(), MeshError::NoTriangles);
    }
}

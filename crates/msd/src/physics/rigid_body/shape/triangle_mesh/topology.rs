//! How the triangles of a mesh hang together: neighbours, openness, normals and pseudonormals.

use super::triangle::Feature;
use crate::math::{Coordinate, Vec3, scalar};
use crate::physics::rigid_body::shape::GeometryError;
use crate::tolerance;

#[derive(Clone, Debug)]
pub(super) struct Topology {
    /// Unit face normals.
    normals: Vec<Vec3>,
    /// Across each edge of each triangle.
    neighbours: Vec<[Option<usize>; 3]>,
    /// Sums of face normals weighted by the angle at the vertex.
    vertex_normals: Vec<Vec3>,
    /// The first edge that is not shared by exactly two opposite triangles.
    open_edge: Option<(u32, u32)>,
}

/// One triangle's side: from vertex to vertex, and which triangle and edge that is.
#[derive(Clone, Copy)]
struct MeshEdge {
    vertices: (u32, u32),
    triangle: usize,
    edge: usize,
}

impl Topology {
    pub(super) fn new(vertices: &[Coordinate], triangles: &[[u32; 3]]) -> Result<Self, GeometryError> {
        let mut normals = Vec::with_capacity(triangles.len());
        let mut vertex_normals = vec![Vec3::ZERO; vertices.len()];
        for (index, triangle) in triangles.iter().enumerate() {
            let corners = triangle.map(|vertex| vertices[vertex as usize]);
            let Some(normal) = unit_normal(&corners) else {
                return Err(GeometryError::FlatTriangle { triangle: index, corners });
            };
            normals.push(normal);
            for k in 0..3 {
                vertex_normals[triangle[k] as usize] += normal * angle_at(&corners, k);
            }
        }
        let mut topology =
            Self { normals, neighbours: vec![[None; 3]; triangles.len()], vertex_normals, open_edge: None };
        topology.pair_sides(triangles);
        Ok(topology)
    }

    /// Joins each side with the opposite one; the first side that has none, or several, opens the mesh.
    fn pair_sides(&mut self, triangles: &[[u32; 3]]) {
        let mut sides: Vec<MeshEdge> = Vec::with_capacity(3 * triangles.len());
        for (triangle, t) in triangles.iter().enumerate() {
            sides.extend((0..3).map(|edge| MeshEdge {
                vertices: (t[edge], t[(edge + 1) % 3]),
                triangle,
                edge,
            }));
        }
        let edge_of = |side: &MeshEdge| {
            let (a, b) = side.vertices;
            if a < b { (a, b) } else { (b, a) }
        };
        sides.sort_unstable_by_key(|side| (edge_of(side), side.triangle));
        for edge in sides.chunk_by(|one, other| edge_of(one) == edge_of(other)) {
            match edge {
                [one, other] if one.vertices != other.vertices => {
                    self.neighbours[one.triangle][one.edge] = Some(other.triangle);
                    self.neighbours[other.triangle][other.edge] = Some(one.triangle);
                }
                _ => self.open_edge = self.open_edge.or(Some(edge[0].vertices)),
            }
        }
    }

    pub(super) fn normal(&self, triangle: usize) -> Vec3 {
        self.normals[triangle]
    }

    pub(super) fn neighbour(&self, triangle: usize, edge: usize) -> Option<usize> {
        self.neighbours[triangle][edge]
    }

    pub(super) fn open_edge(&self) -> Option<(u32, u32)> {
        self.open_edge
    }

    /// Angle-weighted pseudonormal at a feature of a triangle with these vertices; not unit.
    pub(super) fn pseudonormal(&self, triangle: usize, vertices: [u32; 3], feature: Feature) -> Vec3 {
        let own = self.normals[triangle];
        match feature {
            Feature::Face => own,
            Feature::Edge(edge) => {
                self.neighbours[triangle][edge].map_or(own, |other| own + self.normals[other])
            }
            Feature::Vertex(corner) => self.vertex_normals[vertices[corner] as usize],
        }
    }
}

/// `None` for a triangle without area. From the two shortest sides, whose cross product cancels least, and scaled, so
/// that tiny and huge triangles have a normal too.
fn unit_normal(corners: &[Coordinate; 3]) -> Option<Vec3> {
    let side = |k: usize| corners[(k + 1) % 3] - corners[k];
    let longest = (0..3).reduce(|a, b| if side(b).length() > side(a).length() { b } else { a })?;
    let (u, v) = (side((longest + 1) % 3), side((longest + 2) % 3));
    let (u, v) = (u / u.abs().max_element(), v / v.abs().max_element());
    let normal = u.cross(v);
    (normal.length() > tolerance::FLAT_TRIANGLE).then(|| normal.normalize())
}

fn angle_at(corners: &[Coordinate; 3], k: usize) -> f64 {
    let u = corners[(k + 1) % 3] - corners[k];
    let v = corners[(k + 2) % 3] - corners[k];
    scalar::atan2(u.cross(v).length(), u.dot(v))
}

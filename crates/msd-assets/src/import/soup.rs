//! Triangles of an importer, before welding.

use std::collections::HashMap;

use msd::math::Vec3;

use super::ImportProblem;
use crate::{Mesh, MeshError};

/// Vertices that may repeat, and triangles over them.
#[derive(Debug, Default)]
pub(super) struct TriangleSoup {
    pub(super) vertices: Vec<Vec3>,
    pub(super) triangles: Vec<[u32; 3]>,
}

impl TriangleSoup {
    /// Merges vertices whose coordinates are equal after `place` (0 and -0 are), in order of first use. Returns the
    /// mesh and how many triangles fell to a line or a point and were left out.
    pub(super) fn weld(self, place: impl Fn(Vec3) -> Vec3) -> Result<(Mesh, usize), ImportProblem> {
        let mut merged: HashMap<[u64; 3], u32> = HashMap::new();
        let mut vertices = Vec::new();
        let mut merge = |index: u32| -> Result<u32, ImportProblem> {
            let Some(&vertex) = self.vertices.get(index as usize) else {
                return Err(ImportProblem::malformed(format!(
                    "a triangle names vertex {index}, but there are only {}",
                    self.vertices.len()
                )));
            };
            let point = place(vertex) + Vec3::ZERO;
            if !point.is_finite() {
                return Err(MeshError::NotFinite { index: index as usize, point: vertex }.into());
            }
            let next = vertices.len() as u32;
            Ok(*merged.entry(point.to_array().map(f64::to_bits)).or_insert_with(|| {
                vertices.push(point);
                next
            }))
        };
        let mut triangles = Vec::with_capacity(self.triangles.len());
        for &[a, b, c] in &self.triangles {
            let [a, b, c] = [merge(a)?, merge(b)?, merge(c)?];
            if a != b && b != c && c != a {
                triangles.push([a, b, c]);
            }
        }
        let dropped = self.triangles.len() - triangles.len();
        Ok((Mesh::new(vertices, triangles)?, dropped))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_corners_become_one_and_collapsed_triangles_are_counted() {
        let soup = TriangleSoup {
            vertices: vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::new(-0.0, 0.0, -0.0), Vec3::X],
            triangles: vec![[0, 1, 2], [3, 2, 4], [0, 3, 1]],
        };
        let (mesh, dropped) = soup.weld(|v| v).unwrap();
        assert_eq!(mesh.vertices(), [Vec3::ZERO, Vec3::X, Vec3::Y]);
        assert_eq!((mesh.triangles(), dropped), ([[0, 1, 2], [0, 2, 1]].as_slice(), 1));
    }
}

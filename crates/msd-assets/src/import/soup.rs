//! Triangles of an importer, before welding.

use std::collections::HashMap;

use msd::math::Vec3;

use super::{ColorRun, ImportProblem};
use crate::{Mesh, MeshError};

/// Vertices that may repeat, and triangles over them.
#[derive(Debug, Default)]
pub(super) struct TriangleSoup {
    pub(super) vertices: Vec<Vec3>,
    pub(super) triangles: Vec<[u32; 3]>,
    /// Colours from the triangle of that number on; empty if the file has none.
    pub(super) colors: Vec<ColorRun>,
}

impl TriangleSoup {
    /// Merges vertices whose coordinates are equal after `place` (0 and -0 are), in order of first use. Returns the
    /// mesh and how many triangles fell to a line or a point and were left out.
    pub(super) fn weld(
        self,
        place: impl Fn(Vec3) -> Vec3,
    ) -> Result<(Mesh, Vec<ColorRun>, usize), ImportProblem> {
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
        let mut colors: Vec<ColorRun> = Vec::new();
        let mut runs = self.colors.iter().copied().peekable();
        for (number, &[a, b, c]) in self.triangles.iter().enumerate() {
            while let Some(run) = runs.next_if(|run| run.first <= number) {
                // A run of which no triangle is left gives way to the next one.
                colors.pop_if(|earlier| earlier.first == triangles.len());
                colors.push(ColorRun { first: triangles.len(), ..run });
            }
            let [a, b, c] = [merge(a)?, merge(b)?, merge(c)?];
            if a != b && b != c && c != a {
                triangles.push([a, b, c]);
            }
        }
        let dropped = self.triangles.len() - triangles.len();
        Ok((Mesh::new(vertices, triangles)?, colors, dropped))
    }
}

#[cfg(test)]
mod tests {
    use msd::physics::rigid_body::Color;

    use super::*;

    fn run(first: usize, red: u8) -> ColorRun {
        ColorRun { first, color: Some(Color::rgb(red, 0, 0)) }
    }

    #[test]
    fn colours_stay_with_their_triangles_when_others_collapse() {
        let soup = TriangleSoup {
            vertices: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
            triangles: vec![[0, 0, 1], [0, 1, 2], [1, 1, 1], [2, 1, 0]],
            colors: vec![run(0, 1), run(1, 2), run(2, 3), run(3, 4)],
        };
        let (mesh, colors, _) = soup.weld(|v| v).unwrap();
        assert_eq!((mesh.triangles().len(), colors), (2, vec![run(0, 2), run(1, 4)]));
    }

    #[test]
    fn equal_corners_become_one_and_collapsed_triangles_are_counted() {
        let soup = TriangleSoup {
            vertices: vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::new(-0.0, 0.0, -0.0), Vec3::X],
            triangles: vec![[0, 1, 2], [3, 2, 4], [0, 3, 1]],
            colors: vec![run(0, 1), run(1, 2), run(2, 3)],
        };
        let (mesh, colors, dropped) = soup.weld(|v| v).unwrap();
        assert_eq!(colors, [run(0, 1), run(1, 2), run(2, 3)]);
        assert_eq!(mesh.vertices(), [Vec3::ZERO, Vec3::X, Vec3::Y]);
        assert_eq!((mesh.triangles(), dropped), ([[0, 1, 2], [0, 2, 1]].as_slice(), 1));
    }
}

//! The surface of a hull as triangles, for programs that know no polygons.

use super::ConvexHull;
use crate::math::{Coordinate, Vec3};
use crate::physics::rigid_body::shape::Geometry;

/// A triangle of the surface of a hull.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HullTriangle {
    /// Counter-clockwise seen from outside, m.
    pub corners: [Coordinate; 3],
    /// Unit, out of the hull: that of its face.
    pub normal: Vec3,
    /// Distance of its plane from the origin along the normal, m.
    pub offset: f64,
}

impl ConvexHull {
    /// All triangles of the surface; faces with more corners are cut as fans from their first.
    ///
    /// ```
    /// # use msd::prelude::*;
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let corners: Vec<Vec3> = (0..8).map(|k| Vec3::new((k & 1) as f64, (k >> 1 & 1) as f64, (k >> 2) as f64)).collect();
    /// let cube = ConvexHull::from_points(&corners)?;
    /// assert_eq!((cube.faces().len(), cube.triangles().len()), (6, 12));
    /// assert!(cube.contains_within(Vec3::new(-5e-7, 0.5, 0.5), 1e-6));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn triangles(&self) -> Vec<HullTriangle> {
        let mut triangles = Vec::new();
        for face in self.faces() {
            let corners: Vec<Coordinate> = self.face_vertices(face).collect();
            for k in 2..corners.len() {
                triangles.push(HullTriangle {
                    corners: [corners[0], corners[k - 1], corners[k]],
                    normal: face.normal,
                    offset: face.offset,
                });
            }
        }
        triangles
    }

    /// True for points inside, on the surface and at most `margin` metres outside.
    #[must_use]
    pub fn contains_within(&self, point: Coordinate, margin: f64) -> bool {
        self.signed_distance(point) <= margin
    }
}

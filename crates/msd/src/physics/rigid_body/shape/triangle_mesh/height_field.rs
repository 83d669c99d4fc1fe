//! Height fields: terrain from heights on a regular grid, as a mesh of triangles.
//!
//! Column i is at `x = (i - (columns - 1)/2) dx`, row j at `y = (j - (rows - 1)/2) dy`: the grid is centred. Each cell is two triangles, cut
//! along the diagonal from its corner of least x and y to that of greatest; in between the surface is theirs, so that contact, rays and
//! distances are exact for it. Upwards (+z) is outside.

use super::TriangleMesh;
use crate::math::Vec3;
use crate::physics::rigid_body::shape::GeometryError;

impl TriangleMesh {
    /// From heights (m) by rows, each of `columns` numbers from least x to greatest, the rows from least y to greatest; `spacing` is the
    /// distance between columns and between rows, m.
    ///
    /// ```
    /// # use msd::prelude::*;
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// // A ramp that rises by one metre over two.
    /// let ramp = TriangleMesh::height_field(3, &[0.0, 0.5, 1.0, 0.0, 0.5, 1.0], [1.0, 4.0])?;
    /// let mut world = World::new();
    /// world.add_body(BodyDescription::fixed("ramp", ramp).friction(0.0))?;
    /// let ray = Ray::new(Vec3::new(0.25, 0.3, 5.0), -Vec3::Z).expect("a direction");
    /// let (_, hit) = world.cast_ray(&ray, 10.0, &QueryFilter::new()).expect("the ramp is below");
    /// assert!((5.0 - hit.distance - 0.625).abs() < 1e-12);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// If there are fewer than two columns or rows, the last row is not complete, or a number is not usable.
    pub fn height_field(columns: usize, heights: &[f64], spacing: [f64; 2]) -> Result<Self, GeometryError> {
        let rows = heights.len().checked_div(columns).unwrap_or(0);
        if columns < 2 || rows < 2 || rows * columns != heights.len() {
            return Err(GeometryError::HeightField { columns, heights: heights.len() });
        }
        for (what, value) in ["distance between columns", "distance between rows"].into_iter().zip(spacing) {
            super::super::geometry::positive_length("height field", what, value)?;
        }
        let [dx, dy] = spacing;
        let (middle_x, middle_y) = (0.5 * (columns - 1) as f64, 0.5 * (rows - 1) as f64);
        let vertices = heights.iter().enumerate().map(|(k, &height)| {
            let (i, j) = ((k % columns) as f64, (k / columns) as f64);
            Vec3::new((i - middle_x) * dx, (j - middle_y) * dy, height)
        });
        let mut triangles = Vec::with_capacity(2 * (columns - 1) * (rows - 1));
        for j in 0..rows - 1 {
            for i in 0..columns - 1 {
                let corner = (j * columns + i) as u32;
                let (right, up) = (corner + 1, corner + columns as u32);
                triangles.push([corner, right, up + 1]);
                triangles.push([corner, up + 1, up]);
            }
        }
        Self::new(vertices.collect(), triangles)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::physics::rigid_body::shape::{Geometry, Ray};

    #[test]
    fn rays_meet_the_heights_of_the_grid_and_planes_in_between() {
        let height = |i: usize, j: usize| 0.3 * i as f64 - 0.1 * (j * j) as f64;
        let heights: Vec<f64> = (0..4).flat_map(|j| (0..5).map(move |i| height(i, j))).collect();
        let field = TriangleMesh::height_field(5, &heights, [0.5, 2.0]).unwrap();
        assert_eq!(field.triangles().len(), 2 * 4 * 3);
        let depth = |x: f64, y: f64| {
            let ray = Ray::new(Vec3::new(x, y, 10.0), -Vec3::Z).unwrap();
            10.0 - field.cast_ray(&ray, 20.0).unwrap().distance
        };
        for j in 0..4 {
            for i in 0..5 {
                let (x, y) = ((i as f64 - 2.0) * 0.5, (j as f64 - 1.5) * 2.0);
                // Just inside of the rim.
                let (x, y) = (x * (1.0 - 1e-12), y * (1.0 - 1e-12));
                assert!((depth(x, y) - height(i, j)).abs() < 1e-9, "{i} {j}");
            }
        }
        // In a cell with corners (0, 0.3, -0.1 + 0.3, -0.1): right of the diagonal the plane through three of them.
        assert!((depth(-0.6, -2.5) - (0.8 * 0.3 - 0.25 * 0.1)).abs() < 1e-12);
        assert!(field.cast_ray(&Ray::new(Vec3::new(1.01, 0.0, 10.0), -Vec3::Z).unwrap(), 20.0).is_none());
    }

    #[test]
    fn grids_that_are_none_are_refused() {
        for (columns, count) in [(0, 4), (1, 4), (3, 3), (3, 7)] {
            let message =
                TriangleMesh::height_field(columns, &vec![0.0; count], [1.0; 2]).unwrap_err().to_string();
            assert!(message.contains("height field"), "{message}");
        }
        assert!(TriangleMesh::height_field(2, &[0.0; 4], [1.0, 0.0]).is_err());
        assert!(TriangleMesh::height_field(2, &[0.0, f64::NAN, 0.0, 0.0], [1.0; 2]).is_err());
    }
}

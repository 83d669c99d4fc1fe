//! The box, centred on the local origin with its edges along the local axes.

use serde::{Deserialize, Serialize};

use super::chord::{self, Chord};
use super::geometry::{inside_or_on, positive_length};
use super::{Aabb, Convex, Geometry, GeometryError, Ray, RayHit};
use crate::digest::{Fingerprint, parameters};
use crate::math::{Coordinate, ReferenceFrame, Vec3};

/// A solid box.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Fields")]
pub struct Cuboid {
    size: Vec3,
}

impl Fingerprint for Cuboid {
    parameters!("box": size);
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    size: Vec3,
}

impl TryFrom<Fields> for Cuboid {
    type Error = GeometryError;
    fn try_from(fields: Fields) -> Result<Self, GeometryError> {
        Self::new(fields.size)
    }
}

impl Cuboid {
    /// From its full edge lengths along x, y and z, m.
    ///
    /// # Errors
    /// If a length is not positive and finite.
    pub fn new(size: Vec3) -> Result<Self, GeometryError> {
        positive_length("box", "size.x", size.x)?;
        positive_length("box", "size.y", size.y)?;
        positive_length("box", "size.z", size.z)?;
        Ok(Self { size })
    }

    /// Full edge lengths, m.
    #[must_use]
    pub fn size(&self) -> Vec3 {
        self.size
    }
}

impl Geometry for Cuboid {
    fn bounding_box(&self, frame: &ReferenceFrame) -> Aabb {
        let r = frame.rotation();
        let half = 0.5 * self.size;
        let reach = r.x_axis.abs() * half.x + r.y_axis.abs() * half.y + r.z_axis.abs() * half.z;
        Aabb::new(frame.position - reach, frame.position + reach)
    }

    fn signed_distance(&self, point: Coordinate) -> f64 {
        let beyond = point.abs() - 0.5 * self.size;
        let deepest = beyond.max_element();
        if deepest <= 0.0 { deepest } else { beyond.max(Vec3::ZERO).length() }
    }

    fn contains(&self, point: Coordinate) -> bool {
        inside_or_on(self.signed_distance(point), self.size.max_element())
    }

    fn cast_ray(&self, ray: &Ray, max_distance: f64) -> Option<RayHit> {
        chord::cast_ray(ray, max_distance, |near| {
            Chord::of_slab(near, Vec3::X, self.size.x)?
                .intersection(Chord::of_slab(near, Vec3::Y, self.size.y)?)?
                .intersection(Chord::of_slab(near, Vec3::Z, self.size.z)?)
        })
    }

    fn volume(&self) -> f64 {
        self.size.x * self.size.y * self.size.z
    }

    fn surface_area(&self) -> f64 {
        let s = self.size;
        2.0 * (s.x * s.y + s.y * s.z + s.z * s.x)
    }

    fn centroid(&self) -> Option<Coordinate> {
        Some(Vec3::ZERO)
    }
}

impl Convex for Cuboid {
    /// Always a corner; a zero component of the direction counts as positive.
    fn support(&self, direction: Vec3) -> Coordinate {
        let corner = |component: f64, size: f64| if component < 0.0 { -0.5 * size } else { 0.5 * size };
        Vec3::new(
            corner(direction.x, self.size.x),
            corner(direction.y, self.size.y),
            corner(direction.z, self.size.z),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn brick() -> Cuboid {
        Cuboid::new(Vec3::new(2.0, 4.0, 6.0)).unwrap()
    }

    #[test]
    fn the_length_at_fault_is_named() {
        let message = Cuboid::new(Vec3::new(1.0, 0.0, 1.0)).unwrap_err().to_string();
        assert_eq!(message, "box: size.y must be positive and finite, got 0 m");
        assert!(serde_json::from_str::<Cuboid>(r#"{"size": [1, 2, -3]}"#).is_err());
        assert_eq!(serde_json::from_str::<Cuboid>(r#"{"size": [2, 4, 6]}"#).unwrap(), brick());
    }

    #[test]
    fn distance_is_to_face_edge_or_corner() {
        for (point, distance) in [
            (Vec3::ZERO, -1.0),
            (Vec3::new(0.0, 1.9, 0.0), -0.1),
            (Vec3::new(1.0, 2.0, 3.0), 0.0),
            (Vec3::new(-2.5, 1.0, 1.0), 1.5),
            (Vec3::new(4.0, -6.0, 0.0), 5.0),
            (Vec3::new(3.0, 4.0, -4.0), 3.0),
        ] {
            assert!((brick().signed_distance(point) - distance).abs() < 1e-15, "{point}");
        }
    }

    #[test]
    fn a_ray_in_the_plane_of_a_face_touches_it() {
        let along_face = Ray::new(Vec3::new(-5.0, 2.0, 0.0), Vec3::X).unwrap();
        assert_eq!(brick().cast_ray(&along_face, 10.0).unwrap().distance, 4.0);
        let outside = Ray::new(Vec3::new(-5.0, 2.000_001, 0.0), Vec3::X).unwrap();
        assert_eq!(brick().cast_ray(&outside, 10.0), None);
    }

    #[test]
    fn the_support_is_a_corner_even_along_an_axis() {
        assert_eq!(brick().support(Vec3::new(0.0, 0.0, -1.0)), Vec3::new(1.0, 2.0, -3.0));
    }
}

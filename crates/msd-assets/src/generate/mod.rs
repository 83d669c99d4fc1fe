//! Generators of common solids: a visual mesh and a collision shape from their dimensions.
//!
//! Spheres, boxes, cylinders, cones, capsules, ellipsoids and planes collide as exact primitives; their meshes are
//! inscribed and visual only. Polyhedra collide as the hull of their corners, a torus as the hull of its mesh
//! (the hole is filled). Shapes are centred on the origin and stand along z, as the engine's are.

mod flat;
mod outline;
mod round;

pub use outline::outline;

use msd::math::Vec3;

use crate::{Asset, AssetError, Collision, Mesh, Primitive};

/// Segments of a circle unless said otherwise.
pub const DEFAULT_SEGMENTS: u32 = 32;

/// Fewest and most segments of a circle.
pub const SEGMENTS_RANGE: std::ops::RangeInclusive<u32> = 3..=512;

/// A shape and its measures, full lengths in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Solid {
    /// A box.
    Box {
        /// Edge lengths.
        size: Vec3,
    },
    /// A ball.
    Sphere {
        /// Radius of the ball.
        radius: f64,
    },
    /// A cylinder along z.
    Cylinder {
        /// Radius of the circle.
        radius: f64,
        /// Bottom to top.
        length: f64,
    },
    /// A cone along z, apex up, the origin at half its height.
    Cone {
        /// Radius of the base.
        radius: f64,
        /// Base to apex.
        length: f64,
    },
    /// A cylinder along z with half-balls on its ends.
    Capsule {
        /// Radius of the circle.
        radius: f64,
        /// Length of the cylinder part.
        length: f64,
    },
    /// An ellipsoid.
    Ellipsoid {
        /// Half lengths along x, y and z.
        radii: Vec3,
    },
    /// A regular tetrahedron.
    Tetrahedron {
        /// Edge length.
        edge: f64,
    },
    /// A regular octahedron.
    Octahedron {
        /// Edge length.
        edge: f64,
    },
    /// A regular icosahedron.
    Icosahedron {
        /// Edge length.
        edge: f64,
    },
    /// A ring around z.
    Torus {
        /// From the centre to the middle of the tube.
        radius: f64,
        /// Radius of the tube; less than `radius`.
        tube_radius: f64,
    },
    /// The ground z = 0: a visual rectangle and a half-space for collision.
    Plane {
        /// Edge of the (square) picture.
        size: f64,
    },
}

impl Solid {
    /// A box with equal edges.
    #[must_use]
    pub const fn cube(size: f64) -> Self {
        Self::Box { size: Vec3::splat(size) }
    }

    /// Its name on the command line.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Box { .. } => "box",
            Self::Sphere { .. } => "sphere",
            Self::Cylinder { .. } => "cylinder",
            Self::Cone { .. } => "cone",
            Self::Capsule { .. } => "capsule",
            Self::Ellipsoid { .. } => "ellipsoid",
            Self::Tetrahedron { .. } => "tetrahedron",
            Self::Octahedron { .. } => "octahedron",
            Self::Icosahedron { .. } => "icosahedron",
            Self::Torus { .. } => "torus",
            Self::Plane { .. } => "plane",
        }
    }

    /// An asset of this shape, with the default material and no mass.
    ///
    /// # Errors
    /// A measure is not positive and finite, or a tube as thick as its ring.
    pub fn asset(&self, name: impl Into<String>) -> Result<Asset, AssetError> {
        self.asset_with_segments(name, DEFAULT_SEGMENTS)
    }

    /// As [`Solid::asset`], with so many segments to a circle in the picture.
    ///
    /// # Errors
    /// As [`Solid::asset`], or segments outside of [`SEGMENTS_RANGE`].
    pub fn asset_with_segments(&self, name: impl Into<String>, segments: u32) -> Result<Asset, AssetError> {
        let mesh = self.mesh(segments)?;
        let collision = self.collision(&mesh);
        Ok(Asset { visual: Some(mesh), collision: Some(collision), ..Asset::new(name) })
    }

    fn mesh(&self, segments: u32) -> Result<Mesh, AssetError> {
        self.validate(segments)?;
        let (vertices, triangles) = match *self {
            Self::Box { size } => flat::cuboid(size),
            Self::Plane { size } => flat::square(size),
            Self::Tetrahedron { edge } => flat::tetrahedron(edge),
            Self::Octahedron { edge } => flat::octahedron(edge),
            Self::Icosahedron { edge } => flat::icosahedron(edge),
            Self::Sphere { radius } => round::icosphere(radius, segments),
            Self::Cylinder { radius, length } => round::cylinder(radius, length, segments),
            Self::Cone { radius, length } => round::cone(radius, length, segments),
            Self::Capsule { radius, length } => round::capsule(radius, length, segments),
            Self::Ellipsoid { radii } => round::ellipsoid(radii, segments),
            Self::Torus { radius, tube_radius } => round::torus(radius, tube_radius, segments),
        };
        Mesh::new(vertices, triangles)
            .map_err(|error| AssetError::invalid(format!("{}: {error}", self.name())))
    }

    fn collision(&self, mesh: &Mesh) -> Collision {
        Collision::Primitive(match *self {
            Self::Box { size } => Primitive::Box { size },
            Self::Sphere { radius } => Primitive::Sphere { radius },
            Self::Cylinder { radius, length } => Primitive::Cylinder { radius, length },
            Self::Cone { radius, length } => Primitive::Cone { radius, length },
            Self::Capsule { radius, length } => Primitive::Capsule { radius, length },
            Self::Ellipsoid { radii } => Primitive::Ellipsoid { radii },
            Self::Plane { .. } => Primitive::Plane { normal: Vec3::Z, offset: 0.0 },
            Self::Tetrahedron { .. }
            | Self::Octahedron { .. }
            | Self::Icosahedron { .. }
            | Self::Torus { .. } => {
                return Collision::Points(mesh.vertices().to_vec());
            }
        })
    }

    fn validate(&self, segments: u32) -> Result<(), AssetError> {
        if !SEGMENTS_RANGE.contains(&segments) {
            return Err(AssetError::invalid(format!(
                "segments must be {} to {}, got {segments}",
                SEGMENTS_RANGE.start(),
                SEGMENTS_RANGE.end()
            )));
        }
        let measures: &[(&str, f64)] = match *self {
            Self::Box { size } => &[("size x", size.x), ("size y", size.y), ("size z", size.z)],
            Self::Sphere { radius } => &[("radius", radius)],
            Self::Cylinder { radius, length }
            | Self::Cone { radius, length }
            | Self::Capsule { radius, length } => &[("radius", radius), ("length", length)],
            Self::Ellipsoid { radii } => {
                &[("radius x", radii.x), ("radius y", radii.y), ("radius z", radii.z)]
            }
            Self::Tetrahedron { edge } | Self::Octahedron { edge } | Self::Icosahedron { edge } => {
                &[("edge", edge)]
            }
            Self::Torus { radius, tube_radius } => &[("radius", radius), ("tube radius", tube_radius)],
            Self::Plane { size } => &[("size", size)],
        };
        if let Some((field, value)) = measures.iter().find(|(_, value)| !(*value > 0.0 && value.is_finite()))
        {
            let name = self.name();
            return Err(AssetError::invalid(format!(
                "{name}: {field} must be positive and finite, got {value} m"
            )));
        }
        match *self {
            Self::Torus { radius, tube_radius } if tube_radius >= radius => {
                Err(AssetError::invalid(format!(
                    "torus: the tube radius must be less than the radius, got {tube_radius} m and {radius} m"
                )))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;

    fn mesh(solid: Solid, segments: u32) -> Mesh {
        solid.asset_with_segments("a", segments).unwrap().visual.unwrap()
    }

    #[test]
    fn polyhedra_have_their_exact_volume_and_unit_edges() {
        let cases = [
            (Solid::cube(1.0), 1.0, 8, 12),
            (Solid::Box { size: Vec3::new(1.0, 2.0, 3.0) }, 6.0, 8, 12),
            (Solid::Tetrahedron { edge: 1.0 }, 2.0_f64.sqrt() / 12.0, 4, 4),
            (Solid::Octahedron { edge: 1.0 }, 2.0_f64.sqrt() / 3.0, 6, 8),
            (Solid::Icosahedron { edge: 1.0 }, 5.0 * (3.0 + 5.0_f64.sqrt()) / 12.0, 12, 20),
        ];
        for (solid, volume, vertices, triangles) in cases {
            let mesh = mesh(solid, 32);
            assert!(mesh.is_closed(), "{}", solid.name());
            assert_eq!((mesh.vertices().len(), mesh.triangles().len()), (vertices, triangles));
            assert!((mesh.volume() - volume).abs() < 1e-14, "{}: {}", solid.name(), mesh.volume());
            assert!(mesh.vertices().iter().sum::<Vec3>().length() < 1e-14, "centred");
        }
        for solid in [
            Solid::Tetrahedron { edge: 2.0 },
            Solid::Octahedron { edge: 2.0 },
            Solid::Icosahedron { edge: 2.0 },
        ] {
            let mesh = mesh(solid, 32);
            for &[a, b, _] in mesh.triangles() {
                let edge = (mesh.vertices()[a as usize] - mesh.vertices()[b as usize]).length();
                assert!((edge - 2.0).abs() < 1e-14, "{}: {edge}", solid.name());
            }
        }
    }

    /// The inscribed mesh of a circle with n segments misses its area by the factor 1 - (2π/n)²/6 + …; surfaces
    /// curved both ways miss at most twice that.
    #[test]
    fn round_meshes_close_and_approach_their_volume_from_inside() {
        let (r, l) = (0.5, 2.0);
        let cases = [
            (Solid::Sphere { radius: r }, 4.0 / 3.0 * PI * r * r * r),
            (Solid::Cylinder { radius: r, length: l }, PI * r * r * l),
            (Solid::Cone { radius: r, length: l }, PI * r * r * l / 3.0),
            (Solid::Capsule { radius: r, length: l }, PI * r * r * l + 4.0 / 3.0 * PI * r * r * r),
            (Solid::Ellipsoid { radii: Vec3::new(r, l, 1.0) }, 4.0 / 3.0 * PI * r * l),
            (Solid::Torus { radius: 1.0, tube_radius: r }, 2.0 * PI * PI * r * r),
        ];
        for (solid, exact) in cases {
            for segments in [3, 8, 33, 128] {
                let mesh = mesh(solid, segments);
                assert!(mesh.is_closed(), "{} with {segments}", solid.name());
                let missing = 1.0 - mesh.volume() / exact;
                let turn = 2.0 * PI / f64::from(segments);
                let bound = 2.0 * turn * turn / 6.0;
                assert!(missing > 0.0 && missing < bound, "{} with {segments}: {missing}", solid.name());
            }
        }
    }

    #[test]
    fn meshes_reach_exactly_as_far_as_their_measures() {
        let capsule = mesh(Solid::Capsule { radius: 0.5, length: 2.0 }, 32).bounding_box();
        assert_eq!((capsule.min.z, capsule.max.z, capsule.max.x), (-1.5, 1.5, 0.5));
        let cone = mesh(Solid::Cone { radius: 1.0, length: 3.0 }, 32).bounding_box();
        assert_eq!((cone.min.z, cone.max.z, cone.max.x), (-1.5, 1.5, 1.0));
        let torus = mesh(Solid::Torus { radius: 1.0, tube_radius: 0.25 }, 32).bounding_box();
        assert_eq!((torus.max.x, torus.max.z), (1.25, 0.25));
    }

    #[test]
    fn impossible_measures_are_named() {
        let refused = |solid: Solid| solid.asset("a").unwrap_err().to_string();
        assert_eq!(
            refused(Solid::Sphere { radius: 0.0 }),
            "sphere: radius must be positive and finite, got 0 m"
        );
        assert_eq!(refused(Solid::cube(f64::NAN)), "box: size x must be positive and finite, got NaN m");
        assert!(refused(Solid::Torus { radius: 1.0, tube_radius: 1.0 }).contains("less than the radius"));
        assert!(Solid::cube(1.0).asset_with_segments("a", 2).unwrap_err().to_string().contains("3 to 512"));
    }
}

//! Collision geometry of an asset: an exact primitive, the hull of points, or a triangle mesh.
//!
//! Primitives follow the shapes of the engine: full lengths in metres, axis along z, centred on the asset's
//! origin.

use msd::{
    math::{Coordinate, Vec3},
    physics::rigid_body::shape::{Aabb, TaperedCapsule},
};

use crate::{Mesh, error::AssetError};

/// An exact shape, in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Primitive {
    /// A ball.
    Sphere {
        /// m.
        radius: f64,
    },
    /// A box.
    Box {
        /// Full edge lengths, m.
        size: Vec3,
    },
    /// A cylinder along z with a half-ball on either end.
    Capsule {
        /// m.
        radius: f64,
        /// Length of the cylinder part, m.
        length: f64,
    },
    /// A cylinder along z.
    Cylinder {
        /// m.
        radius: f64,
        /// m.
        length: f64,
    },
    /// A cone along z, apex up.
    Cone {
        /// Radius of the base, m.
        radius: f64,
        /// Base to apex, m.
        length: f64,
    },
    /// An ellipsoid with its axes along those of the asset.
    Ellipsoid {
        /// Half lengths, m.
        radii: Vec3,
    },
    /// The convex hull of two balls on the z axis, the origin midway between their centres.
    TaperedCapsule {
        /// Of the ball at -z, m.
        bottom_radius: f64,
        /// Of the ball at +z, m.
        top_radius: f64,
        /// From centre to centre, m.
        length: f64,
    },
    /// Everything with `normal · x ≤ offset`.
    Plane {
        /// Unit normal, pointing out of the solid.
        normal: Vec3,
        /// m.
        offset: f64,
    },
}

impl Primitive {
    /// The word for it in scenes and on the command line.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Sphere { .. } => "sphere",
            Self::Box { .. } => "box",
            Self::Capsule { .. } => "capsule",
            Self::Cylinder { .. } => "cylinder",
            Self::Cone { .. } => "cone",
            Self::Ellipsoid { .. } => "ellipsoid",
            Self::TaperedCapsule { .. } => "tapered_capsule",
            Self::Plane { .. } => "plane",
        }
    }

    /// Checks every length and direction.
    ///
    /// # Errors
    /// [`AssetError::Invalid`] with the first value that is out of range.
    pub fn validate(&self) -> Result<(), AssetError> {
        let positive = |field: &str, value: f64| {
            if value > 0.0 && value.is_finite() {
                return Ok(());
            }
            Err(AssetError::invalid(format!(
                "{}: {field} must be positive and finite, got {value} m",
                self.name()
            )))
        };
        match *self {
            Self::Sphere { radius } => positive("radius", radius),
            Self::Box { size } => ["x", "y", "z"]
                .into_iter()
                .zip(size.to_array())
                .try_for_each(|(axis, length)| positive(&format!("size {axis}"), length)),
            Self::Capsule { radius, length }
            | Self::Cylinder { radius, length }
            | Self::Cone { radius, length } => {
                positive("radius", radius).and_then(|()| positive("length", length))
            }
            Self::Ellipsoid { radii } => ["x", "y", "z"]
                .into_iter()
                .zip(radii.to_array())
                .try_for_each(|(axis, radius)| positive(&format!("radius {axis}"), radius)),
            Self::TaperedCapsule { bottom_radius, top_radius, length } => {
                TaperedCapsule::new(bottom_radius, top_radius, length)
                    .map(|_| ())
                    .map_err(|error| AssetError::invalid(error.to_string()))
            }
            Self::Plane { normal, offset } => {
                if (normal.length() - 1.0).abs() > msd::tolerance::UNIT_VECTOR || !normal.is_finite() {
                    return Err(AssetError::invalid(format!(
                        "plane: normal must be a unit vector, got ({}, {}, {})",
                        normal.x, normal.y, normal.z
                    )));
                }
                if !offset.is_finite() {
                    return Err(AssetError::invalid(format!("plane: offset must be finite, got {offset} m")));
                }
                Ok(())
            }
        }
    }
}

/// The geometry contacts are computed on.
#[derive(Clone, Debug, PartialEq)]
pub enum Collision {
    /// An exact shape.
    Primitive(Primitive),
    /// The convex hull of these points, m.
    Points(Vec<Coordinate>),
    /// The triangles themselves; for bodies that do not move.
    Mesh(Mesh),
    /// Convex hulls of points, side by side, m.
    Parts(Vec<Vec<Coordinate>>),
    /// All points within a radius of a box, a cylinder or the hull of points.
    Rounded {
        /// What is inside.
        core: Box<Collision>,
        /// m.
        radius: f64,
    },
}

impl Collision {
    /// Which of the kinds it is, and of which primitive, as one word.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Primitive(primitive) => primitive.name(),
            Self::Points(_) => "hull",
            Self::Mesh(_) => "mesh",
            Self::Parts(_) => "parts",
            Self::Rounded { .. } => "rounded",
        }
    }

    /// The box around the points or vertices; `None` for a primitive, which answers exactly as a shape.
    #[must_use]
    pub fn bounding_box(&self) -> Option<Aabb> {
        match self {
            Self::Primitive(_) => None,
            Self::Points(points) => Some(Aabb::from_points(points.iter().copied())),
            Self::Mesh(mesh) => Some(mesh.bounding_box()),
            Self::Parts(parts) => Some(Aabb::from_points(parts.iter().flatten().copied())),
            Self::Rounded { core, radius } => core.bounding_box().map(|bounds| bounds.expanded(*radius)),
        }
    }

    /// Checks every number. A mesh was checked when it was made.
    ///
    /// # Errors
    /// [`AssetError::Invalid`] with the first value that is out of range.
    pub fn validate(&self) -> Result<(), AssetError> {
        match self {
            Self::Primitive(primitive) => primitive.validate(),
            Self::Points(points) => finite_points(points),
            Self::Parts(parts) if parts.is_empty() => {
                Err(AssetError::invalid("collision parts: at least one is needed, got none"))
            }
            Self::Parts(parts) => parts.iter().try_for_each(|points| finite_points(points)),
            Self::Mesh(_) => Ok(()),
            Self::Rounded { core, radius } => {
                if !matches!(
                    **core,
                    Self::Points(_) | Self::Primitive(Primitive::Box { .. } | Primitive::Cylinder { .. })
                ) {
                    let message = format!(
                        "rounded: the shape inside must be a box, cylinder or hull, got {}",
                        core.kind()
                    );
                    return Err(AssetError::invalid(message));
                }
                if !(*radius > 0.0 && radius.is_finite()) {
                    let message = format!("rounded: radius must be positive and finite, got {radius} m");
                    return Err(AssetError::invalid(message));
                }
                core.validate()
            }
        }
    }
}

fn finite_points(points: &[Coordinate]) -> Result<(), AssetError> {
    if points.is_empty() {
        return Err(AssetError::invalid("collision points: at least one is needed, got none"));
    }
    match points.iter().position(|p| !p.is_finite()) {
        None => Ok(()),
        Some(index) => Err(AssetError::invalid(format!(
            "collision point {index} is not finite: ({}, {}, {})",
            points[index].x, points[index].y, points[index].z
        ))),
    }
}

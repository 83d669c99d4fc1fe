//! `UniformSolid`: mass distribution of a shape of uniform density, per unit of mass.

use super::{MassProperties, closed_forms, mirtich, point_mass_tensor, rotated_tensor};
use crate::math::{Coordinate, Mat3, ReferenceFrame};
use crate::physics::rigid_body::InertiaError;
use crate::physics::rigid_body::shape::convex_hull::Face;
use crate::physics::rigid_body::shape::{Compound, ConvexHull, Shape, TriangleMesh};

/// Volume, centroid and inertia per unit of mass of a solid of even density, in its local frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UniformSolid {
    /// m³.
    pub volume: f64,
    /// m, local frame.
    pub centroid: Coordinate,
    /// About the centroid, local axes, m² (kg·m² a kilogram): `∫ (r² 1 - r rᵀ) dV / V`.
    pub inertia_per_mass: Mat3,
}

impl UniformSolid {
    /// Exact: closed forms for primitives, Mirtich's integrals for polyhedra, the parallel-axis theorem for compounds.
    ///
    /// # Errors
    /// If the shape has no finite volume: a half-space, or a mesh that is not closed.
    pub fn from_shape(shape: &Shape) -> Result<Self, InertiaError> {
        match shape {
            Shape::Sphere(sphere) => Ok(closed_forms::sphere(sphere)),
            Shape::Box(cuboid) => Ok(closed_forms::cuboid(cuboid)),
            Shape::Capsule(capsule) => Ok(closed_forms::capsule(capsule)),
            Shape::Cylinder(cylinder) => Ok(closed_forms::cylinder(cylinder)),
            Shape::Cone(cone) => Ok(closed_forms::cone(cone)),
            Shape::HalfSpace(_) => Err(InertiaError::NoVolume("plane")),
            Shape::Hull(hull) => Self::from_hull(hull),
            Shape::Compound(compound) => Self::from_compound(compound),
            Shape::Mesh(mesh) => Self::from_mesh(mesh),
        }
    }

    /// From a closed polyhedron: vertices and, for each face, the indices of its corners, counter-clockwise
    /// seen from outside. Faces may be triangles or larger polygons, convex or not, but plane.
    fn from_polyhedron<F: AsRef<[u32]>>(vertices: &[Coordinate], faces: &[F]) -> Result<Self, InertiaError> {
        mirtich::polyhedron(vertices, faces).ok_or(InertiaError::NoVolume("polyhedron without volume"))
    }

    fn from_hull(hull: &ConvexHull) -> Result<Self, InertiaError> {
        let corners =
            |face: &Face| hull.face_edges(face).iter().map(|edge| edge.origin).collect::<Vec<u32>>();
        Self::from_polyhedron(hull.vertices(), &hull.faces().iter().map(corners).collect::<Vec<_>>())
    }

    fn from_mesh(mesh: &TriangleMesh) -> Result<Self, InertiaError> {
        if !mesh.is_closed() {
            return Err(InertiaError::NoVolume("mesh that is not closed"));
        }
        Self::from_polyhedron(mesh.vertices(), mesh.triangles())
    }

    fn from_compound(compound: &Compound) -> Result<Self, InertiaError> {
        let mut whole: Option<Self> = None;
        for part in compound.parts() {
            let solid = Self::from_shape(&part.shape)?.placed(&part.frame);
            whole = Some(whole.map_or(solid, |before| before.combined(&solid)));
        }
        whole.ok_or(InertiaError::NoVolume("compound without parts"))
    }

    /// Seen from the frame this solid is placed in.
    fn placed(&self, frame: &ReferenceFrame) -> Self {
        Self {
            volume: self.volume,
            centroid: frame.point_to_parent(self.centroid),
            inertia_per_mass: rotated_tensor(&self.inertia_per_mass, frame.orientation),
        }
    }

    /// Two solids of the same density as one.
    fn combined(&self, other: &Self) -> Self {
        let volume = self.volume + other.volume;
        let (own, share) = (self.volume / volume, other.volume / volume);
        let apart = other.centroid - self.centroid;
        Self {
            volume,
            centroid: self.centroid + apart * share,
            inertia_per_mass: self.inertia_per_mass * own
                + other.inertia_per_mass * share
                + point_mass_tensor(apart) * (own * share),
        }
    }

    /// With this total mass, kg.
    ///
    /// # Errors
    /// If the mass is not positive and finite, or the tensor leaves the range of f64.
    pub fn with_mass(&self, mass: f64) -> Result<MassProperties, InertiaError> {
        if mass > 0.0 && mass.is_finite() {
            self.with_checked_mass(mass)
        } else {
            Err(InertiaError::Mass(mass))
        }
    }

    /// With this density, kg/m³.
    ///
    /// # Errors
    /// If the density is not positive and finite, or mass or tensor leave the range of f64.
    pub fn with_density(&self, density: f64) -> Result<MassProperties, InertiaError> {
        if density > 0.0 && density.is_finite() {
            self.with_checked_mass(density * self.volume)
        } else {
            Err(InertiaError::Density(density))
        }
    }

    fn with_checked_mass(&self, mass: f64) -> Result<MassProperties, InertiaError> {
        MassProperties { mass, center_of_mass: self.centroid, inertia: self.inertia_per_mass * mass }
            .in_range()
    }
}

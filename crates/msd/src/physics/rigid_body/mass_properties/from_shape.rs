//! Mass distribution of any shape: closed forms, Mirtich's integrals, or a sum over parts.

use super::{UniformSolid, closed_forms, mirtich};
use crate::math::{Coordinate, Mat3, Vec3};
use crate::physics::rigid_body::InertiaError;
use crate::physics::rigid_body::shape::convex_hull::Face;
use crate::physics::rigid_body::shape::{Compound, ConvexHull, Shape, SolidMoments, TriangleMesh};

impl UniformSolid {
    /// Exact: closed forms for primitives, Mirtich's integrals for polyhedra, those of parallel bodies for rounded shapes, the parallel-axis theorem for compounds.
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
            Shape::Ellipsoid(ellipsoid) => Ok(closed_forms::ellipsoid(ellipsoid)),
            Shape::Rounded(rounded) => Ok(Self::from_moments(&rounded.moments())),
            Shape::TaperedCapsule(capsule) => Ok(Self::from_moments(&capsule.moments())),
            Shape::HalfSpace(_) => Err(InertiaError::NoVolume("plane")),
            Shape::Hull(hull) => Self::from_hull(hull),
            Shape::Compound(compound) => Self::from_compound(compound),
            Shape::Mesh(mesh) => Self::from_mesh(mesh),
        }
    }

    fn from_moments(moments: &SolidMoments) -> Self {
        let c = moments.covariance;
        let trace = c.x_axis.x + c.y_axis.y + c.z_axis.z;
        Self {
            volume: moments.volume,
            centroid: moments.centroid,
            inertia_per_mass: Mat3::from_diagonal(Vec3::splat(trace)) - c,
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
}

//! `Shape`: any shape a body can have, cheap to clone.
//!
//! Which shape answers is decided by `match`, not by a table of functions: the set of shapes is closed, because the
//! narrow phase knows every pair of them.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{
    Aabb, Capsule, Compound, Cone, Convex, ConvexHull, Cuboid, Cylinder, Ellipsoid, Geometry, HalfSpace, Ray,
    RayHit, Rounded, Sphere, TaperedCapsule, TriangleMesh,
};
use crate::digest::{Fingerprint, Hasher};
use crate::math::{Coordinate, ReferenceFrame, Vec3};

/// A shape in its local frame. Large ones are shared, not copied.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// About the origin.
    Sphere(Sphere),
    /// Centred, edges along the axes.
    Box(Cuboid),
    /// Centred, along z.
    Capsule(Capsule),
    /// Centred, along z.
    Cylinder(Cylinder),
    /// Along z, apex up, the origin at half height.
    Cone(Cone),
    /// Centred, axes along the axes of the frame.
    Ellipsoid(Ellipsoid),
    /// A box, cylinder or hull with a margin around it.
    Rounded(Rounded),
    /// Everything below a plane.
    #[serde(rename = "plane")]
    HalfSpace(HalfSpace),
    /// A convex polyhedron.
    Hull(Arc<ConvexHull>),
    /// Several shapes fixed to each other.
    Compound(Arc<Compound>),
    /// A surface of triangles, for bodies that do not move.
    Mesh(Arc<TriangleMesh>),
    /// Along z, the centres of its balls at equal distances from the origin.
    #[serde(rename = "tapered_capsule")]
    TaperedCapsule(TaperedCapsule),
}

impl Fingerprint for Shape {
    fn fingerprint(&self, hasher: &mut Hasher) {
        match self {
            Self::Sphere(shape) => shape.fingerprint(hasher),
            Self::Box(shape) => shape.fingerprint(hasher),
            Self::Capsule(shape) => shape.fingerprint(hasher),
            Self::Cylinder(shape) => shape.fingerprint(hasher),
            Self::Cone(shape) => shape.fingerprint(hasher),
            Self::Ellipsoid(shape) => shape.fingerprint(hasher),
            Self::Rounded(shape) => shape.fingerprint(hasher),
            Self::HalfSpace(shape) => shape.fingerprint(hasher),
            Self::Hull(shape) => shape.fingerprint(hasher),
            Self::Compound(shape) => shape.fingerprint(hasher),
            Self::Mesh(shape) => shape.fingerprint(hasher),
            Self::TaperedCapsule(shape) => shape.fingerprint(hasher),
        }
    }
}

/// A bounded convex shape, borrowed from a [`Shape`]: what GJK and EPA work on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ConvexShape<'a> {
    /// See [`Shape::Sphere`].
    Sphere(&'a Sphere),
    /// See [`Shape::Box`].
    Box(&'a Cuboid),
    /// See [`Shape::Capsule`].
    Capsule(&'a Capsule),
    /// See [`Shape::Cylinder`].
    Cylinder(&'a Cylinder),
    /// See [`Shape::Cone`].
    Cone(&'a Cone),
    /// See [`Shape::Ellipsoid`].
    Ellipsoid(&'a Ellipsoid),
    /// See [`Shape::Rounded`].
    Rounded(&'a Rounded),
    /// See [`Shape::Hull`].
    Hull(&'a ConvexHull),
    /// See [`Shape::TaperedCapsule`].
    TaperedCapsule(&'a TaperedCapsule),
}

/// Evaluates `$body` with `$shape` bound to the shape inside, whichever it is.
macro_rules! for_any {
    ($of:expr, $shape:ident => $body:expr) => {
        match $of {
            Shape::Sphere($shape) => $body,
            Shape::Box($shape) => $body,
            Shape::Capsule($shape) => $body,
            Shape::Cylinder($shape) => $body,
            Shape::Cone($shape) => $body,
            Shape::Ellipsoid($shape) => $body,
            Shape::Rounded($shape) => $body,
            Shape::HalfSpace($shape) => $body,
            Shape::Hull($shape) => $body,
            Shape::Compound($shape) => $body,
            Shape::Mesh($shape) => $body,
            Shape::TaperedCapsule($shape) => $body,
        }
    };
}

/// The same for convex shapes.
macro_rules! for_any_convex {
    ($of:expr, $shape:ident => $body:expr) => {
        match $of {
            ConvexShape::Sphere($shape) => $body,
            ConvexShape::Box($shape) => $body,
            ConvexShape::Capsule($shape) => $body,
            ConvexShape::Cylinder($shape) => $body,
            ConvexShape::Cone($shape) => $body,
            ConvexShape::Ellipsoid($shape) => $body,
            ConvexShape::Rounded($shape) => $body,
            ConvexShape::Hull($shape) => $body,
            ConvexShape::TaperedCapsule($shape) => $body,
        }
    };
}

impl Shape {
    /// The name scenes use for it.
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Sphere(_) => "sphere",
            Self::Box(_) => "box",
            Self::Capsule(_) => "capsule",
            Self::Cylinder(_) => "cylinder",
            Self::Cone(_) => "cone",
            Self::Ellipsoid(_) => "ellipsoid",
            Self::Rounded(_) => "rounded",
            Self::HalfSpace(_) => "plane",
            Self::Hull(_) => "hull",
            Self::Compound(_) => "compound",
            Self::Mesh(_) => "mesh",
            Self::TaperedCapsule(_) => "tapered_capsule",
        }
    }

    /// The shape as a bounded convex one; `None` for half-space, compound and mesh.
    #[must_use]
    pub fn as_convex(&self) -> Option<ConvexShape<'_>> {
        match self {
            Self::Sphere(sphere) => Some(ConvexShape::Sphere(sphere)),
            Self::Box(cuboid) => Some(ConvexShape::Box(cuboid)),
            Self::Capsule(capsule) => Some(ConvexShape::Capsule(capsule)),
            Self::Cylinder(cylinder) => Some(ConvexShape::Cylinder(cylinder)),
            Self::Cone(cone) => Some(ConvexShape::Cone(cone)),
            Self::Ellipsoid(ellipsoid) => Some(ConvexShape::Ellipsoid(ellipsoid)),
            Self::Rounded(rounded) => Some(ConvexShape::Rounded(rounded)),
            Self::Hull(hull) => Some(ConvexShape::Hull(hull)),
            Self::TaperedCapsule(capsule) => Some(ConvexShape::TaperedCapsule(capsule)),
            Self::HalfSpace(_) | Self::Compound(_) | Self::Mesh(_) => None,
        }
    }

    /// False for a half-space.
    #[must_use]
    pub fn is_bounded(&self) -> bool {
        !matches!(self, Self::HalfSpace(_))
    }

    /// A point of the shape farthest along `direction` (any length but zero), local frame. A half-space has one only
    /// straight along its normal, where every point of its plane is; in all other directions `None`.
    #[must_use]
    pub fn support(&self, direction: Vec3) -> Option<Coordinate> {
        match self {
            Self::HalfSpace(half_space) => half_space.support(direction),
            Self::Compound(compound) => Some(compound.support(direction)),
            Self::Mesh(mesh) => Some(mesh.support(direction)),
            _ => self.as_convex().map(|convex| convex.support(direction)),
        }
    }
}

impl Geometry for Shape {
    fn bounding_box(&self, frame: &ReferenceFrame) -> Aabb {
        for_any!(self, shape => shape.bounding_box(frame))
    }

    fn signed_distance(&self, point: Coordinate) -> f64 {
        for_any!(self, shape => shape.signed_distance(point))
    }

    fn contains(&self, point: Coordinate) -> bool {
        for_any!(self, shape => shape.contains(point))
    }

    fn cast_ray(&self, ray: &Ray, max_distance: f64) -> Option<RayHit> {
        for_any!(self, shape => shape.cast_ray(ray, max_distance))
    }

    fn volume(&self) -> f64 {
        for_any!(self, shape => shape.volume())
    }

    fn surface_area(&self) -> f64 {
        for_any!(self, shape => shape.surface_area())
    }

    fn centroid(&self) -> Option<Coordinate> {
        for_any!(self, shape => shape.centroid())
    }
}

impl Geometry for ConvexShape<'_> {
    fn bounding_box(&self, frame: &ReferenceFrame) -> Aabb {
        for_any_convex!(self, shape => shape.bounding_box(frame))
    }

    fn signed_distance(&self, point: Coordinate) -> f64 {
        for_any_convex!(self, shape => shape.signed_distance(point))
    }

    fn contains(&self, point: Coordinate) -> bool {
        for_any_convex!(self, shape => shape.contains(point))
    }

    fn cast_ray(&self, ray: &Ray, max_distance: f64) -> Option<RayHit> {
        for_any_convex!(self, shape => shape.cast_ray(ray, max_distance))
    }

    fn volume(&self) -> f64 {
        for_any_convex!(self, shape => shape.volume())
    }

    fn surface_area(&self) -> f64 {
        for_any_convex!(self, shape => shape.surface_area())
    }

    fn centroid(&self) -> Option<Coordinate> {
        for_any_convex!(self, shape => shape.centroid())
    }
}

impl Convex for ConvexShape<'_> {
    fn support(&self, direction: Vec3) -> Coordinate {
        for_any_convex!(self, shape => shape.support(direction))
    }
}

impl From<Sphere> for Shape {
    fn from(sphere: Sphere) -> Self {
        Self::Sphere(sphere)
    }
}

impl From<Cuboid> for Shape {
    fn from(cuboid: Cuboid) -> Self {
        Self::Box(cuboid)
    }
}

impl From<Capsule> for Shape {
    fn from(capsule: Capsule) -> Self {
        Self::Capsule(capsule)
    }
}

impl From<Cylinder> for Shape {
    fn from(cylinder: Cylinder) -> Self {
        Self::Cylinder(cylinder)
    }
}

impl From<Cone> for Shape {
    fn from(cone: Cone) -> Self {
        Self::Cone(cone)
    }
}

impl From<Ellipsoid> for Shape {
    fn from(ellipsoid: Ellipsoid) -> Self {
        Self::Ellipsoid(ellipsoid)
    }
}

impl From<Rounded> for Shape {
    fn from(rounded: Rounded) -> Self {
        Self::Rounded(rounded)
    }
}

impl From<TaperedCapsule> for Shape {
    fn from(capsule: TaperedCapsule) -> Self {
        Self::TaperedCapsule(capsule)
    }
}

impl From<HalfSpace> for Shape {
    fn from(half_space: HalfSpace) -> Self {
        Self::HalfSpace(half_space)
    }
}

impl From<ConvexHull> for Shape {
    fn from(hull: ConvexHull) -> Self {
        hull.prepare();
        Self::Hull(Arc::new(hull))
    }
}

impl From<Compound> for Shape {
    fn from(compound: Compound) -> Self {
        Self::Compound(Arc::new(compound))
    }
}

impl From<TriangleMesh> for Shape {
    fn from(mesh: TriangleMesh) -> Self {
        Self::Mesh(Arc::new(mesh))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one_of_each() -> Vec<Shape> {
        let corners = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
        let ball: Shape = Sphere::new(1.0).unwrap().into();
        let part = super::super::CompoundPart { frame: ReferenceFrame::IDENTITY, shape: ball.clone() };
        vec![
            ball,
            Cuboid::new(Vec3::new(0.1, 0.2, 0.3)).unwrap().into(),
            Capsule::new(0.1, 0.2).unwrap().into(),
            Cylinder::new(0.1, 0.2).unwrap().into(),
            Cone::new(0.1, 0.2).unwrap().into(),
            Ellipsoid::new(Vec3::new(0.1, 0.2, 0.3)).unwrap().into(),
            Rounded::new(Cylinder::new(0.1, 0.2).unwrap(), 0.05).unwrap().into(),
            TaperedCapsule::new(0.1, 0.2, 0.3).unwrap().into(),
            HalfSpace::new(Vec3::new(1.0, 2.0, 3.0), 0.1).unwrap().into(),
            ConvexHull::from_points(&corners).unwrap().into(),
            Compound::new(vec![part]).unwrap().into(),
            TriangleMesh::new(corners, vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]).unwrap().into(),
        ]
    }

    #[test]
    fn every_shape_is_written_under_its_name_and_read_back_bit_for_bit() {
        for shape in one_of_each() {
            let text = serde_json::to_string(&shape).unwrap();
            assert!(text.starts_with(&format!("{{\"{}\":", shape.type_name())), "{text}");
            assert_eq!(serde_json::from_str::<Shape>(&text).unwrap(), shape);
        }
    }

    #[test]
    fn all_but_the_half_space_are_bounded_and_have_a_support() {
        for shape in one_of_each() {
            assert_eq!(shape.is_bounded(), shape.type_name() != "plane");
            assert_eq!(shape.is_bounded(), shape.support(-Vec3::X).is_some());
            assert_eq!(shape.is_bounded(), shape.volume().is_finite());
        }
    }

    #[test]
    fn a_shape_seen_as_convex_answers_the_same() {
        let (frame, point) = (ReferenceFrame::from_position(Vec3::Y), Vec3::new(0.3, -0.2, 0.9));
        let ray = Ray::new(Vec3::splat(2.0), -Vec3::splat(0.9)).unwrap();
        let mut convex_shapes = 0;
        for shape in one_of_each() {
            let Some(convex) = shape.as_convex() else { continue };
            convex_shapes += 1;
            assert_eq!(convex.bounding_box(&frame), shape.bounding_box(&frame));
            assert_eq!(convex.signed_distance(point), shape.signed_distance(point));
            assert_eq!(convex.contains(point), shape.contains(point));
            assert_eq!(convex.cast_ray(&ray, 9.0), shape.cast_ray(&ray, 9.0));
            assert_eq!((convex.volume(), convex.centroid()), (shape.volume(), shape.centroid()));
            assert_eq!(convex.surface_area(), shape.surface_area());
            assert_eq!(Some(convex.support(point)), shape.support(point));
        }
        assert_eq!(convex_shapes, 9);
    }

    #[test]
    fn clones_share_what_is_large() {
        let Some(Shape::Mesh(mesh)) = one_of_each().pop() else { panic!("the last is the mesh") };
        let Shape::Mesh(copy) = Shape::Mesh(Arc::clone(&mesh)).clone() else { panic!("a clone is the same") };
        assert!(Arc::ptr_eq(&mesh, &copy));
    }
}

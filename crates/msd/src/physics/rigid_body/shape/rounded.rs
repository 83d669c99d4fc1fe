//! A rounded shape: all points within a radius of a box, a cylinder or a convex hull (its outer parallel body).
//!
//! The signed distance, inside as well as outside, and the support function are those of the core less or plus the radius:
//! ```text
//! h(n) = h_K(n) + r ‖n‖,      d(x) = d_K(x) - r
//! ```
//! Along a ray d is convex, so Newton's method from outside reaches the first hit from before and never passes it.

use std::f64::consts::{FRAC_PI_2, PI};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::geometry::{inside_or_on, positive_length};
use super::parallel_body::{self, SolidMoments};
use super::revolution::{self, Arc as ProfileArc, unit};
use super::{Aabb, Convex, ConvexHull, Cuboid, Cylinder, Geometry, GeometryError, Ray, RayHit};
use crate::digest::{Fingerprint, Hasher};
use crate::math::{Coordinate, ReferenceFrame, Vec3, scalar};

/// Limit of Newton steps of a ray. tuned: a ray that grazes a round edge needs 30.
const RAY_STEPS: u32 = 100;

/// The shape inside.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RoundedCore {
    /// See [`Cuboid`].
    Box(Cuboid),
    /// See [`Cylinder`].
    Cylinder(Cylinder),
    /// See [`ConvexHull`].
    Hull(Arc<ConvexHull>),
}

/// A box, cylinder or hull with everything within a radius of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Fields")]
pub struct Rounded {
    core: RoundedCore,
    radius: f64,
}

impl Fingerprint for Rounded {
    fn fingerprint(&self, hasher: &mut Hasher) {
        hasher.text("rounded");
        match &self.core {
            RoundedCore::Box(core) => core.fingerprint(hasher),
            RoundedCore::Cylinder(core) => core.fingerprint(hasher),
            RoundedCore::Hull(core) => core.fingerprint(hasher),
        }
        self.radius.fingerprint(hasher);
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    core: RoundedCore,
    radius: f64,
}

impl TryFrom<Fields> for Rounded {
    type Error = GeometryError;
    fn try_from(fields: Fields) -> Result<Self, GeometryError> {
        Self::new(fields.core, fields.radius)
    }
}

impl From<Cuboid> for RoundedCore {
    fn from(core: Cuboid) -> Self {
        Self::Box(core)
    }
}

impl From<Cylinder> for RoundedCore {
    fn from(core: Cylinder) -> Self {
        Self::Cylinder(core)
    }
}

impl From<ConvexHull> for RoundedCore {
    fn from(core: ConvexHull) -> Self {
        core.prepare();
        Self::Hull(Arc::new(core))
    }
}

/// Evaluates `$body` with `$shape` bound to the shape inside.
macro_rules! for_core {
    ($of:expr, $shape:ident => $body:expr) => {
        match $of {
            RoundedCore::Box($shape) => $body,
            RoundedCore::Cylinder($shape) => $body,
            RoundedCore::Hull($shape) => $body,
        }
    };
}

impl Rounded {
    /// All points within `radius` metres of the core: the lengths of the core grow by twice the radius.
    ///
    /// # Errors
    /// If the radius is not positive and finite.
    pub fn new(core: impl Into<RoundedCore>, radius: f64) -> Result<Self, GeometryError> {
        Ok(Self { core: core.into(), radius: positive_length("rounded", "radius", radius)? })
    }

    /// The shape inside.
    #[must_use]
    pub fn core(&self) -> &RoundedCore {
        &self.core
    }

    /// m.
    #[must_use]
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Volume, centroid and second moments, in closed form.
    pub(crate) fn moments(&self) -> SolidMoments {
        match &self.core {
            RoundedCore::Box(_) | RoundedCore::Hull(_) => {
                let (vertices, faces, normals) = self.polytope();
                parallel_body::moments(&vertices, &faces, &normals, self.radius)
            }
            RoundedCore::Cylinder(cylinder) => {
                let (radius, half) = (cylinder.radius(), 0.5 * cylinder.length());
                let arc = |z: f64, from: f64| ProfileArc {
                    rho: radius,
                    z,
                    radius: self.radius,
                    from,
                    to: from + FRAC_PI_2,
                };
                let outside = radius + self.radius;
                revolution::moments(
                    &[arc(-half, -FRAC_PI_2), arc(half, 0.0)],
                    &[[(outside, -half), (outside, half)]],
                )
            }
        }
    }

    /// Vertices, faces and normals of the core, if it is a polytope.
    fn polytope(&self) -> (Vec<Coordinate>, Vec<Vec<u32>>, Vec<Vec3>) {
        match &self.core {
            RoundedCore::Box(cuboid) => {
                let side = |k: u32, bit: u32| if k >> bit & 1 == 0 { -0.5 } else { 0.5 };
                let corner = |k: u32| Vec3::new(side(k, 0), side(k, 1), side(k, 2)) * cuboid.size();
                let faces =
                    [[1, 3, 7, 5], [0, 4, 6, 2], [2, 6, 7, 3], [0, 1, 5, 4], [4, 5, 7, 6], [0, 2, 3, 1]];
                let normals = [Vec3::X, -Vec3::X, Vec3::Y, -Vec3::Y, Vec3::Z, -Vec3::Z];
                ((0..8).map(corner).collect(), faces.map(Vec::from).to_vec(), normals.to_vec())
            }
            RoundedCore::Hull(hull) => {
                let corners = |face| hull.face_edges(face).iter().map(|edge| edge.origin).collect();
                let faces = hull.faces().iter().map(corners).collect();
                (hull.vertices().to_vec(), faces, hull.faces().iter().map(|face| face.normal).collect())
            }
            RoundedCore::Cylinder(_) => (Vec::new(), Vec::new(), Vec::new()),
        }
    }

    /// The nearest point of the core to a point outside of it.
    fn nearest_in_core(&self, point: Coordinate) -> Coordinate {
        match &self.core {
            RoundedCore::Box(cuboid) => point.clamp(-0.5 * cuboid.size(), 0.5 * cuboid.size()),
            RoundedCore::Cylinder(cylinder) => {
                let half = 0.5 * cylinder.length();
                let across = Vec3::new(point.x, point.y, 0.0);
                let share = scalar::min(1.0, cylinder.radius() / across.length());
                across * share + Vec3::Z * scalar::clamp(point.z, -half, half)
            }
            RoundedCore::Hull(hull) => hull.nearest_point_outside(point),
        }
    }

    /// Twice the integral of the mean curvature of the core, m.
    fn mean_curvature(&self) -> f64 {
        match &self.core {
            RoundedCore::Cylinder(cylinder) => 2.0 * PI * (cylinder.length() + PI * cylinder.radius()),
            _ => {
                let (vertices, faces, normals) = self.polytope();
                parallel_body::edge_angles(&vertices, &faces, &normals)
            }
        }
    }
}

impl Geometry for Rounded {
    fn bounding_box(&self, frame: &ReferenceFrame) -> Aabb {
        for_core!(&self.core, core => core.bounding_box(frame)).expanded(self.radius)
    }

    fn signed_distance(&self, point: Coordinate) -> f64 {
        for_core!(&self.core, core => core.signed_distance(point)) - self.radius
    }

    fn contains(&self, point: Coordinate) -> bool {
        let extent =
            for_core!(&self.core, core => core.bounding_box(&ReferenceFrame::IDENTITY)).size().max_element();
        inside_or_on(self.signed_distance(point), extent + self.radius)
    }

    fn cast_ray(&self, ray: &Ray, max_distance: f64) -> Option<RayHit> {
        // From the sphere about the shape, so that a distant start costs only the round-off of the distance itself.
        let bounds = self.bounding_box(&ReferenceFrame::IDENTITY);
        let (middle, reach) = ((bounds.min + bounds.max) * 0.5, 0.5 * bounds.size().length());
        let nearest = (middle - ray.origin).dot(ray.direction);
        let mut along = scalar::max(0.0, nearest - 1.001 * reach);
        let size = bounds.size().max_element();
        if self.signed_distance(ray.origin) <= 0.0 {
            return (max_distance >= 0.0).then_some(RayHit { distance: 0.0, normal: -ray.direction });
        }
        for _ in 0..RAY_STEPS {
            let point = ray.at(along);
            let height = self.signed_distance(point);
            let normal = unit(point - self.nearest_in_core(point));
            if height <= 4.0 * f64::EPSILON * size {
                return (along <= max_distance).then_some(RayHit { distance: along, normal });
            }
            let descent = -normal.dot(ray.direction);
            let next = along + height / descent;
            if descent <= 0.0 || next > max_distance || next > nearest + reach {
                return None;
            }
            if next <= along * (1.0 + f64::EPSILON) {
                return (along <= max_distance).then_some(RayHit { distance: along, normal });
            }
            along = next;
        }
        None
    }

    fn volume(&self) -> f64 {
        let r = self.radius;
        let (volume, area) = for_core!(&self.core, core => (core.volume(), core.surface_area()));
        volume + r * (area + r * (0.5 * self.mean_curvature() + r * (4.0 / 3.0 * PI)))
    }

    fn surface_area(&self) -> f64 {
        let r = self.radius;
        for_core!(&self.core, core => core.surface_area()) + r * (self.mean_curvature() + r * (4.0 * PI))
    }

    fn centroid(&self) -> Option<Coordinate> {
        match &self.core {
            RoundedCore::Hull(_) => Some(self.moments().centroid),
            RoundedCore::Box(_) | RoundedCore::Cylinder(_) => Some(Vec3::ZERO),
        }
    }
}

impl Convex for Rounded {
    fn support(&self, direction: Vec3) -> Coordinate {
        for_core!(&self.core, core => core.support(direction)) + unit(direction) * self.radius
    }
}

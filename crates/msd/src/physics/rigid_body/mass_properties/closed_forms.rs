//! Inertia of the primitives, per unit of mass, about the centroid.
//!
//! | shape | about z | about x and y |
//! |---|---|---|
//! | sphere | 2/5 r² | 2/5 r² |
//! | box | (x² + y²)/12 | (y² + z²)/12, (x² + z²)/12 |
//! | cylinder | r²/2 | (3r² + l²)/12 |
//! | cone | 3/10 r² | 3/20 r² + 3/80 l² |
//! | ellipsoid | (a² + b²)/5 | (b² + c²)/5, (a² + c²)/5 |
//! | hemispheres of a capsule | 2/5 r² | 2/5 r² + l²/4 + 3/8 r l |
//!
//! The last row is about the middle of the capsule: a hemisphere has its centroid 3/8 r from its flat side, so its
//! tensor 2/5 r² about the centre of that side becomes `2/5 r² - (3/8 r)² + (l/2 + 3/8 r)²`.

use super::UniformSolid;
use crate::math::{Mat3, Vec3};
use crate::physics::rigid_body::shape::{Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Geometry, Sphere};

/// A solid with the local axes as principal axes.
fn aligned(shape: &impl Geometry, moments: Vec3) -> UniformSolid {
    UniformSolid {
        volume: shape.volume(),
        centroid: shape.centroid().unwrap_or(Vec3::ZERO),
        inertia_per_mass: Mat3::from_diagonal(moments),
    }
}

pub(super) fn sphere(sphere: &Sphere) -> UniformSolid {
    aligned(sphere, Vec3::splat(0.4 * sphere.radius() * sphere.radius()))
}

pub(super) fn cuboid(cuboid: &Cuboid) -> UniformSolid {
    let s = cuboid.size() * cuboid.size();
    aligned(cuboid, Vec3::new(s.y + s.z, s.x + s.z, s.x + s.y) / 12.0)
}

pub(super) fn cylinder(cylinder: &Cylinder) -> UniformSolid {
    let (r2, l2) = (cylinder.radius() * cylinder.radius(), cylinder.length() * cylinder.length());
    let across = (3.0 * r2 + l2) / 12.0;
    aligned(cylinder, Vec3::new(across, across, 0.5 * r2))
}

pub(super) fn cone(cone: &Cone) -> UniformSolid {
    let (r2, l2) = (cone.radius() * cone.radius(), cone.length() * cone.length());
    let across = (12.0 * r2 + 3.0 * l2) / 80.0;
    aligned(cone, Vec3::new(across, across, 0.3 * r2))
}

pub(super) fn ellipsoid(ellipsoid: &Ellipsoid) -> UniformSolid {
    let s = ellipsoid.radii() * ellipsoid.radii();
    aligned(ellipsoid, Vec3::new(s.y + s.z, s.x + s.z, s.x + s.y) / 5.0)
}

pub(super) fn capsule(capsule: &Capsule) -> UniformSolid {
    let (r, l) = (capsule.radius(), capsule.length());
    // The volumes of cylinder and hemispheres are as l to 4/3 r.
    let barrel = l / (l + 4.0 / 3.0 * r);
    let caps = (4.0 / 3.0 * r) / (l + 4.0 / 3.0 * r);
    let along = barrel * 0.5 * r * r + caps * 0.4 * r * r;
    let across = barrel * (3.0 * r * r + l * l) / 12.0 + caps * (0.4 * r * r + 0.25 * l * l + 0.375 * r * l);
    aligned(capsule, Vec3::new(across, across, along))
}

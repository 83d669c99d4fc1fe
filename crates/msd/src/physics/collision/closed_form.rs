//! Closed forms: a point with any simple core, and two segments.
//!
//! With the rounding radii these are sphere against sphere, capsule, tapered capsule, box, cylinder, cone, ellipsoid, triangle and
//! hull, and capsule against capsule.

use super::hull_projection::nearest_on_hull;
use super::simplex::Simplex;
use super::solid::{Core, OnSurface, radial};
use super::support_function::MinkowskiVertex;
use crate::math::{Coordinate, Vec3, scalar};
use crate::physics::rigid_body::shape::nearest_on_two_balls;
use crate::tolerance;

/// Nearest point of the surface of a core to `p` (its local frame); `None` where there is no closed form.
pub(super) fn nearest_on_surface(core: &Core<'_>, p: Coordinate) -> Option<OnSurface> {
    Some(match core {
        Core::Point => away_from(Vec3::ZERO, p, Vec3::Z),
        Core::Segment { half } => away_from(Vec3::Z * scalar::clamp(p.z, -*half, *half), p, Vec3::X),
        Core::Cuboid { half } => on_box(*half, p),
        Core::Cylinder { radius, half } => on_cylinder(*radius, *half, p),
        Core::Cone { radius, half } => on_cone(*radius, *half, p),
        Core::Ellipsoid(ellipsoid) => {
            let near = ellipsoid.nearest_on_surface(p);
            OnSurface { point: near.point, normal: near.normal, distance: near.distance }
        }
        Core::TwoBalls { radii, half } => {
            let near = nearest_on_two_balls(*radii, *half, p);
            OnSurface { point: near.point, normal: near.normal, distance: near.distance }
        }
        Core::Hull(hull) => return nearest_on_hull(hull, p),
        Core::Triangle(corners) => on_triangle(corners, p),
    })
}

fn away_from(nearest: Coordinate, p: Coordinate, if_equal: Vec3) -> OnSurface {
    let offset = p - nearest;
    let distance = offset.length();
    OnSurface { point: nearest, normal: offset.normalize_or(if_equal), distance }
}

fn on_box(half: Vec3, p: Coordinate) -> OnSurface {
    let nearest = p.clamp(-half, half);
    if nearest != p {
        return away_from(nearest, p, Vec3::Z);
    }
    let depth = half - p.abs();
    let axis = if depth.x <= depth.y && depth.x <= depth.z {
        0
    } else if depth.y <= depth.z {
        1
    } else {
        2
    };
    let side = if p[axis] < 0.0 { -1.0 } else { 1.0 };
    let (mut point, mut normal) = (p, Vec3::ZERO);
    point[axis] = side * half[axis];
    normal[axis] = side;
    OnSurface { point, normal, distance: -depth[axis] }
}

/// Unit vector from the axis to `p`; any one across the axis if `p` is on it.
fn outward(p: Coordinate) -> (Vec3, f64) {
    let direction = radial(p);
    if direction == Vec3::ZERO { (Vec3::X, 0.0) } else { (direction, direction.dot(p)) }
}

fn on_cylinder(radius: f64, half: f64, p: Coordinate) -> OnSurface {
    let (out, rho) = outward(p);
    let (side, end) = (rho - radius, p.z.abs() - half);
    let up = if p.z < 0.0 { -Vec3::Z } else { Vec3::Z };
    if side > 0.0 && end > 0.0 {
        return away_from(out * radius + up * half, p, out);
    }
    if side >= end {
        OnSurface { point: out * radius + Vec3::Z * p.z, normal: out, distance: side }
    } else {
        OnSurface { point: out * rho + up * half, normal: up, distance: end }
    }
}

/// In the half-plane of `p` through the axis the cone is a triangle: apex (0, h), rim (r, -h).
fn on_cone(radius: f64, half: f64, p: Coordinate) -> OnSurface {
    let (out, rho) = outward(p);
    let slant = scalar::hypot(radius, 2.0 * half);
    let (n_rho, n_z) = (2.0 * half / slant, radius / slant);
    let below = -half - p.z;
    let from_apex = p.z - half;
    let beyond = n_rho * rho + n_z * from_apex;
    let along = n_z * rho - n_rho * from_apex;
    if below <= 0.0 && beyond <= 0.0 {
        // Inside: the nearer of base and slant.
        return if below >= beyond {
            OnSurface { point: out * rho - Vec3::Z * half, normal: -Vec3::Z, distance: below }
        } else {
            let normal = out * n_rho + Vec3::Z * n_z;
            OnSurface { point: p - normal * beyond, normal, distance: beyond }
        };
    }
    if below > 0.0 && rho <= radius {
        return OnSurface { point: out * rho - Vec3::Z * half, normal: -Vec3::Z, distance: below };
    }
    if along <= 0.0 {
        return away_from(Vec3::Z * half, p, Vec3::Z);
    }
    if along >= slant {
        return away_from(out * radius - Vec3::Z * half, p, out);
    }
    let normal = out * n_rho + Vec3::Z * n_z;
    OnSurface { point: p - normal * beyond, normal, distance: beyond }
}

fn on_triangle(corners: &[Coordinate; 3], p: Coordinate) -> OnSurface {
    let mut simplex = Simplex::default();
    for c in corners {
        simplex.push(MinkowskiVertex { point: *c - p, on_a: *c, ..MinkowskiVertex::default() });
    }
    simplex.reduce_to_nearest();
    let (nearest, _) = simplex.witnesses();
    let face = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize_or(Vec3::Z);
    away_from(nearest, p, face)
}

/// Nearest points of two segments, as parameters in [0, 1] (after Ericson, *Real-Time Collision Detection*, §5.1.9).
pub(super) fn segment_parameters(a: [Coordinate; 2], b: [Coordinate; 2]) -> (f64, f64) {
    let (d1, d2, r) = (a[1] - a[0], b[1] - b[0], a[0] - b[0]);
    let (aa, ee, f) = (d1.length_squared(), d2.length_squared(), d2.dot(r));
    if aa == 0.0 && ee == 0.0 {
        return (0.0, 0.0);
    }
    if aa == 0.0 {
        return (0.0, scalar::clamp(f / ee, 0.0, 1.0));
    }
    let c = d1.dot(r);
    if ee == 0.0 {
        return (scalar::clamp(-c / aa, 0.0, 1.0), 0.0);
    }
    let bb = d1.dot(d2);
    // |d1 × d2|², without the cancellation of aa·ee - bb².
    let denominator = d1.cross(d2).length_squared();
    let mut s = if denominator > f64::EPSILON * f64::EPSILON * aa * ee {
        scalar::clamp((bb * f - c * ee) / denominator, 0.0, 1.0)
    } else {
        parallel_middle(a, b)
    };
    let mut t = (bb * s + f) / ee;
    if t < 0.0 {
        t = 0.0;
        s = scalar::clamp(-c / aa, 0.0, 1.0);
    } else if t > 1.0 {
        t = 1.0;
        s = scalar::clamp((bb - c) / aa, 0.0, 1.0);
    }
    (s, t)
}

/// For parallel segments, the middle of the part of `a` that overlaps `b`.
fn parallel_middle(a: [Coordinate; 2], b: [Coordinate; 2]) -> f64 {
    let d = a[1] - a[0];
    let length_squared = d.length_squared();
    let at = |p: Vec3| scalar::clamp(d.dot(p - a[0]) / length_squared, 0.0, 1.0);
    0.5 * (at(b[0]) + at(b[1]))
}

/// Nearest points of two segments and the unit direction from the first to the second. Where they cross it is the
/// common perpendicular.
pub(super) fn between_segments(
    a: [Coordinate; 2],
    b: [Coordinate; 2],
) -> (Coordinate, Coordinate, Vec3, f64) {
    let (s, t) = segment_parameters(a, b);
    let (p, q) = (a[0] + (a[1] - a[0]) * s, b[0] + (b[1] - b[0]) * t);
    let (d1, d2) = (a[1] - a[0], b[1] - b[0]);
    let (offset, size) = (q - p, scalar::max(d1.length(), d2.length()));
    let distance = offset.length();
    if distance > tolerance::NORMAL_RELIABLE * size {
        return (p, q, offset / distance, distance);
    }
    let cross = d1.cross(d2);
    let parallel = cross.length() <= tolerance::PARALLEL_EDGES * d1.length() * d2.length();
    // Between parallel segments an offset along them is round-off.
    let longer = if d1.length_squared() >= d2.length_squared() { d1 } else { d2 };
    let beside = offset - offset.project_onto(longer);
    let across = if parallel { beside } else { cross };
    let across = across
        .try_normalize()
        .filter(|_| !parallel || beside.length() > tolerance::NORMAL_ROUND_OFF * size)
        .unwrap_or_else(|| d1.try_normalize().map_or(Vec3::X, |unit| unit.any_orthonormal_vector()));
    let interior = |x: f64| x > 0.0 && x < 1.0;
    if interior(s) && interior(t) {
        let normal = if across.dot(offset) < 0.0 { -across } else { across };
        return (p, q, normal, normal.dot(offset));
    }
    (p, q, offset.normalize_or(across), distance)
}

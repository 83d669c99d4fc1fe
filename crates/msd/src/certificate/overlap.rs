//! Signed distance of two bodies of any shape: the least of the signed distances of their convex pieces.
//!
//! Positions are relative to the centre of mass of A, so that no digits are lost far from the origin. Against a
//! half-space the deepest point of the other body is used.

use super::ascent::{Separation, climb, gap_along, nearest_direction};
use super::convex::Piece;
use super::distance::separation;
use crate::math::{ReferenceFrame, Vec3, scalar};
use crate::physics::rigid_body::shape::{Aabb, Geometry, HalfSpace, Shape};
use crate::physics::rigid_body::{InertialState, RigidBody};

/// Least distance of a compound or mesh from another body without near parts, relative to the smaller.
pub(super) const NOTHING_NEAR: f64 = 0.01;

/// A body at an instant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed<'a> {
    pub(super) body: &'a RigidBody,
    pub(super) state: &'a InertialState,
}

impl Placed<'_> {
    /// Frame of the shape, with the origin of positions at `origin`.
    fn frame(&self, origin: Vec3) -> ReferenceFrame {
        let orientation = self.state.orientation;
        let from_center = orientation * -self.body.center_of_mass_local;
        ReferenceFrame { position: (self.state.center_of_mass - origin) + from_center, orientation }
    }
}

/// Query of a pair.
#[derive(Clone, Copy, Debug)]
pub(super) struct Query {
    /// First direction from A to B, of any length.
    pub(super) hint: Vec3,
    /// A lower bound of the distance that ends the search, m.
    pub(super) enough: f64,
    /// Size of the smaller body, m.
    pub(super) size: f64,
}

impl Query {
    /// The bound that ends the search of a further pair of parts: no less than the least gap so far does not matter.
    fn short_of(&self, best: Separation) -> f64 {
        scalar::min(self.enough, best.gap)
    }
}

/// Signed distance of two bodies, m: exact where they are apart, and a lower bound where it is above `enough`.
pub(super) fn signed_distance(a: Placed<'_>, b: Placed<'_>, query: Query) -> Separation {
    let far = Separation { gap: f64::INFINITY, normal: query.hint };
    let (Some(shape_a), Some(shape_b)) = (&a.body.shape, &b.body.shape) else { return far };
    let origin = a.state.center_of_mass;
    let side_a = Side { shape: shape_a, frame: a.frame(origin) };
    let side_b = Side { shape: shape_b, frame: b.frame(origin) };
    between(&side_a, &side_b, query, far)
}

/// Gap of two bodies along a unit direction, if both are single convex pieces; m.
pub(super) fn gap_of_convex(a: Placed<'_>, b: Placed<'_>, normal: Vec3) -> Option<f64> {
    let (shape_a, shape_b) = (a.body.shape.as_ref()?, b.body.shape.as_ref()?);
    let origin = a.state.center_of_mass;
    let (frame_a, frame_b) = (a.frame(origin), b.frame(origin));
    Some(gap_along(&Piece::new(shape_a, &frame_a)?, &Piece::new(shape_b, &frame_b)?, normal))
}

/// By how much bodies overlap along a direction more than along the best direction near it, m: zero for the normal of
/// a contact of two single convex pieces. The gap along the direction is given.
pub(super) fn tilt(a: Placed<'_>, b: Placed<'_>, along: Separation, size: f64) -> f64 {
    let (Some(shape_a), Some(shape_b)) = (&a.body.shape, &b.body.shape) else { return 0.0 };
    let origin = a.state.center_of_mass;
    let (frame_a, frame_b) = (a.frame(origin), b.frame(origin));
    let (Some(one), Some(other)) = (Piece::new(shape_a, &frame_a), Piece::new(shape_b, &frame_b)) else {
        return 0.0;
    };
    let nearby = climb(&one, &other, along, 0.0, size);
    scalar::min(nearby.gap, 0.0) - along.gap
}

/// An upper bound of the distance of two bodies by one point at `arms` from their centres of mass, m: the sum of its
/// distances from both.
/// Infinite for shapes whose distance from a point has no closed form.
pub(super) fn shared_point(a: Placed<'_>, b: Placed<'_>, arms: [Vec3; 2]) -> f64 {
    let from = |placed: Placed<'_>, arm: Vec3| -> f64 {
        let Some(shape) = &placed.body.shape else { return f64::INFINITY };
        let frame = placed.frame(placed.state.center_of_mass);
        if let Shape::HalfSpace(plane) = shape {
            return scalar::max(0.0, plane.normal().dot(frame.point_to_local(arm)) - plane.offset());
        }
        Piece::new(shape, &frame).and_then(|piece| piece.distance_to(arm)).unwrap_or(f64::INFINITY)
    };
    // The arms were computed separately: the point of B is relative to its own centre of mass.
    let apart = (b.state.center_of_mass - a.state.center_of_mass) + arms[1] - arms[0];
    from(a, arms[0]) + from(b, arms[1]) + apart.length()
}

/// How far a point of contact with an outward unit normal is from being one of a body, m: its distance from the nearest convex part, and
/// for a half-space or a single convex piece the error of the normal times the radius of the surface. The point is relative to `origin`;
/// `size` is that of the smaller body, m.
pub(super) fn contact_missed(placed: Placed<'_>, origin: Vec3, point: Vec3, outward: Vec3, size: f64) -> f64 {
    let Some(shape) = &placed.body.shape else { return 0.0 };
    let frame = placed.frame(origin);
    if let Shape::HalfSpace(plane) = shape {
        let above = plane.normal().dot(frame.point_to_local(point)) - plane.offset();
        let tilted = (frame.direction_to_parent(plane.normal()) - outward).length();
        return scalar::max(above.abs(), tilted * size);
    }
    let there = Piece::point(point);
    let from = |piece: &Piece<'_>| {
        let cores = nearest_direction(piece, &there, Vec3::ZERO).map_or(0.0, |(_, distance)| distance);
        scalar::max(cores - piece.radius, 0.0)
    };
    if let Some(piece) = Piece::new(shape, &frame) {
        return scalar::max(from(&piece), piece.normal_missed(point, outward));
    }
    let mut least = f64::INFINITY;
    each_part(&Side { shape, frame }, &Aabb::from_points([point]).expanded(size), |part| {
        let distance = match part {
            Part::Triangle(piece, _) => from(&piece),
            Part::Shape(side) => Piece::new(side.shape, &side.frame).map_or(0.0, |piece| from(&piece)),
        };
        least = scalar::min(least, distance);
    });
    least
}

#[derive(Clone, Copy)]
struct Side<'a> {
    shape: &'a Shape,
    frame: ReferenceFrame,
}

fn nearer(best: Separation, other: Separation) -> Separation {
    if other.gap < best.gap || other.gap.is_nan() { other } else { best }
}

fn turned(found: Separation) -> Separation {
    Separation { normal: -found.normal, ..found }
}

fn between(a: &Side<'_>, b: &Side<'_>, query: Query, best: Separation) -> Separation {
    match (a.shape, b.shape) {
        (Shape::HalfSpace(_), Shape::HalfSpace(_)) => best,
        (Shape::HalfSpace(plane), _) => nearer(best, above(plane, &a.frame, b)),
        (_, Shape::HalfSpace(plane)) => nearer(best, turned(above(plane, &b.frame, a))),
        (Shape::Compound(_) | Shape::Mesh(_), _) => {
            let region = b.shape.bounding_box(&b.frame);
            let mut best = best;
            each_part(a, &region, |part| best = between_part(&part, b, query, best));
            best
        }
        (_, Shape::Compound(_) | Shape::Mesh(_)) => {
            let query = Query { hint: -query.hint, ..query };
            turned(between(b, a, query, turned(best)))
        }
        _ => {
            let (Some(one), Some(other)) = (Piece::new(a.shape, &a.frame), Piece::new(b.shape, &b.frame))
            else {
                return best;
            };
            nearer(best, separation(&one, &other, query.hint, query.short_of(best), query.size))
        }
    }
}

/// Part of a shape: a shape of its own, or a triangle.
enum Part<'a> {
    Shape(Side<'a>),
    Triangle(Piece<'a>, Aabb),
}

/// Parts of a compound or mesh that may be near a region given in the world's axes.
fn each_part<'a>(side: &Side<'a>, region: &Aabb, mut visit: impl FnMut(Part<'a>)) {
    // A part farther from the region than its size cannot be the nearest, once any is near.
    let region = region.expanded(NOTHING_NEAR * region.size().length());
    match side.shape {
        Shape::Compound(compound) => {
            for part in compound.parts() {
                let frame = side.frame.compose(&part.frame);
                let unbounded = !part.shape.is_bounded();
                if unbounded || part.shape.bounding_box(&frame).intersects(&region) {
                    visit(Part::Shape(Side { shape: &part.shape, frame }));
                }
            }
        }
        Shape::Mesh(mesh) => {
            let local = region_in(&side.frame, &region);
            mesh.visit_triangles_in(&local, |triangle| {
                let piece = Piece::triangle(mesh.corners(triangle), &side.frame);
                let corners = mesh.corners(triangle).map(|corner| side.frame.point_to_parent(corner));
                visit(Part::Triangle(piece, Aabb::from_points(corners)));
            });
        }
        _ => visit(Part::Shape(*side)),
    }
}

fn between_part(part: &Part<'_>, b: &Side<'_>, query: Query, best: Separation) -> Separation {
    match part {
        Part::Shape(side) => between(side, b, query, best),
        Part::Triangle(piece, bounds) => {
            let mut best = best;
            match b.shape {
                Shape::Compound(_) | Shape::Mesh(_) => each_part(b, bounds, |other| {
                    best = match other {
                        Part::Shape(side) => {
                            between_part(&Part::Triangle(*piece, *bounds), &side, query, best)
                        }
                        Part::Triangle(other, _) => nearer(
                            best,
                            separation(piece, &other, query.hint, query.short_of(best), query.size),
                        ),
                    };
                }),
                _ => {
                    if let Some(other) = Piece::new(b.shape, &b.frame) {
                        let found = separation(piece, &other, query.hint, query.short_of(best), query.size);
                        best = nearer(best, found);
                    }
                }
            }
            best
        }
    }
}

/// The box around a region of the parent frame, in the local one.
fn region_in(frame: &ReferenceFrame, region: &Aabb) -> Aabb {
    let corner = |i: usize| {
        let pick = |bit: usize, low: f64, high: f64| if i & bit == 0 { low } else { high };
        let point = Vec3::new(
            pick(1, region.min.x, region.max.x),
            pick(2, region.min.y, region.max.y),
            pick(4, region.min.z, region.max.z),
        );
        frame.point_to_local(point)
    };
    Aabb::from_points((0..8).map(corner))
}

/// Height of the lowest point of a bounded side above a plane.
fn above(plane: &HalfSpace, frame: &ReferenceFrame, side: &Side<'_>) -> Separation {
    let normal = frame.direction_to_parent(plane.normal());
    let surface = frame.point_to_parent(plane.normal() * plane.offset());
    let mut best = Separation { gap: f64::INFINITY, normal };
    let lowest = |piece: &Piece<'_>| normal.dot(piece.support(-normal) - surface) - piece.radius;
    match side.shape {
        Shape::Compound(compound) => {
            for part in compound.parts() {
                let frame_of_part = side.frame.compose(&part.frame);
                let part = Side { shape: &part.shape, frame: frame_of_part };
                best = nearer(best, above(plane, frame, &part));
            }
        }
        Shape::Mesh(mesh) => {
            let heights =
                mesh.vertices().iter().map(|v| normal.dot(side.frame.point_to_parent(*v) - surface));
            best.gap = heights.fold(best.gap, scalar::min);
        }
        shape => {
            if let Some(piece) = Piece::new(shape, &side.frame) {
                best.gap = lowest(&piece);
            }
        }
    }
    best
}

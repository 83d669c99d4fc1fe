//! What of a shape lies towards a direction: a face, a disc, a line or a point.
//!
//! Each shape has at most one flat piece and one straight line that face a direction best. Contacts are built from
//! these: a face that faces the normal exactly is a reference to clip against, lines that run across the normal give
//! two points, anything else one. Everything is returned in the frame of A.

use super::manifold::FeatureId;
use super::solid::{Core, corner, radial};
use super::support_function::{RelativePose, SupportFunction};
use crate::math::{Coordinate, Mat3, Vec3};
use crate::physics::rigid_body::shape::ConvexHull;

/// Corners of a face kept for clipping; a face with more is taken by an even choice of its corners.
pub(super) const MAX_CORNERS: usize = 32;

/// A convex polygon, counter-clockwise seen from outside.
#[derive(Clone, Copy, Debug)]
pub(super) struct Polygon {
    pub points: [Coordinate; MAX_CORNERS],
    pub vertices: [u32; MAX_CORNERS],
    pub len: usize,
    /// Names the face; edge k is `edge_base + k`.
    pub edge_base: u32,
}

impl Polygon {
    pub(super) const EMPTY: Self =
        Self { points: [Vec3::ZERO; MAX_CORNERS], vertices: [0; MAX_CORNERS], len: 0, edge_base: 0 };

    pub(super) fn push(&mut self, point: Coordinate, vertex: u32) {
        if self.len < MAX_CORNERS {
            self.points[self.len] = point;
            self.vertices[self.len] = vertex;
            self.len += 1;
        }
    }

    pub(super) fn points(&self) -> &[Coordinate] {
        &self.points[..self.len]
    }

    /// Corner k and the next one.
    pub(super) fn edge(&self, k: usize) -> (Coordinate, Coordinate) {
        (self.points[k], self.points[if k + 1 == self.len { 0 } else { k + 1 }])
    }
}

/// A flat disc with two axes fixed in the shape.
#[derive(Clone, Copy, Debug)]
pub(super) struct Disc {
    pub center: Coordinate,
    pub radius: f64,
    pub u: Vec3,
    pub v: Vec3,
}

/// The piece of surface that faces a direction best.
#[derive(Clone, Copy, Debug)]
pub(super) enum Surface<'s> {
    Polygon(&'s Polygon),
    Disc(Disc),
    Line([Coordinate; 2]),
    Point(Coordinate),
}

/// A piece of surface with its outward normal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Feature<'s> {
    pub surface: Surface<'s>,
    pub normal: Vec3,
    pub id: u32,
}

impl Feature<'_> {
    /// True for pieces with area.
    pub(super) fn is_flat(&self) -> bool {
        matches!(self.surface, Surface::Polygon(_) | Surface::Disc(_))
    }
}

/// Where a core stands in the frame of A.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed<'c> {
    pub core: &'c Core<'c>,
    pub pose: RelativePose,
}

impl<'c> Placed<'c> {
    /// A itself.
    pub(super) fn at_origin(core: &'c Core<'c>) -> Self {
        Self { core, pose: RelativePose { rotation: Mat3::IDENTITY, translation: Vec3::ZERO } }
    }

    /// The piece facing `direction` (unit, frame of A) best. The corners of a face are left in `polygon`, which is
    /// empty.
    pub(super) fn feature_along<'s>(&self, direction: Vec3, polygon: &'s mut Polygon) -> Feature<'s> {
        let d = self.pose.direction_to_b(direction);
        match self.core {
            Core::Cuboid { half } => self.box_face(*half, d, polygon),
            Core::Hull(hull) => self.hull_face(hull, d, polygon),
            Core::Triangle(corners) => self.triangle_face(corners, d, polygon),
            _ => self.curved_feature(d, direction),
        }
    }

    /// The same of a core without corners; `d` is the direction in its local frame.
    fn curved_feature<'s>(&self, d: Vec3, direction: Vec3) -> Feature<'s> {
        match self.core {
            Core::Segment { half } => {
                let normal = (d - Vec3::Z * d.z).normalize_or(d);
                self.line([Vec3::Z * -*half, Vec3::Z * *half], normal)
            }
            Core::Cylinder { radius, half } => {
                let outward = radial(d);
                if d.z * d.z >= 0.5 {
                    let side = if d.z < 0.0 { -1.0 } else { 1.0 };
                    self.disc(Vec3::Z * (side * *half), *radius, Vec3::Z * side)
                } else {
                    let foot = outward * *radius;
                    self.line([foot - Vec3::Z * *half, foot + Vec3::Z * *half], outward)
                }
            }
            Core::Cone { radius, half } => {
                let outward = radial(d);
                let slant =
                    Vec3::new(outward.x * 2.0 * half, outward.y * 2.0 * half, *radius).normalize_or(Vec3::Z);
                if outward == Vec3::ZERO && d.z > 0.0 {
                    self.point(Vec3::Z * *half, direction)
                } else if -d.z >= slant.dot(d) {
                    self.disc(Vec3::Z * -*half, *radius, -Vec3::Z)
                } else {
                    self.line([outward * *radius - Vec3::Z * *half, Vec3::Z * *half], slant)
                }
            }
            _ => self.point(self.core.support(d), direction),
        }
    }

    fn triangle_face<'s>(&self, corners: &[Coordinate; 3], d: Vec3, polygon: &'s mut Polygon) -> Feature<'s> {
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize_or(Vec3::Z);
        let front = normal.dot(d) >= 0.0;
        polygon.edge_base = FeatureId::EDGE;
        for k in if front { [0_u32, 1, 2] } else { [0, 2, 1] } {
            polygon.push(self.pose.point(corners[k as usize]), k);
        }
        self.flat(Surface::Polygon(polygon), if front { normal } else { -normal }, u32::from(!front))
    }

    fn flat<'s>(&self, surface: Surface<'s>, local_normal: Vec3, face: u32) -> Feature<'s> {
        Feature { surface, normal: self.pose.direction(local_normal), id: FeatureId::FACE | face }
    }

    fn point<'s>(&self, local: Coordinate, direction: Vec3) -> Feature<'s> {
        Feature { surface: Surface::Point(self.pose.point(local)), normal: direction, id: FeatureId::VERTEX }
    }

    fn line<'s>(&self, local: [Coordinate; 2], local_normal: Vec3) -> Feature<'s> {
        let surface = Surface::Line(local.map(|p| self.pose.point(p)));
        Feature { surface, normal: self.pose.direction(local_normal), id: FeatureId::CURVE }
    }

    fn disc<'s>(&self, center: Coordinate, radius: f64, local_normal: Vec3) -> Feature<'s> {
        let disc = Disc {
            center: self.pose.point(center),
            radius,
            u: self.pose.rotation.x_axis,
            v: self.pose.rotation.y_axis,
        };
        self.flat(Surface::Disc(disc), local_normal, u32::from(local_normal.z < 0.0))
    }

    fn box_face<'s>(&self, half: Vec3, d: Vec3, polygon: &'s mut Polygon) -> Feature<'s> {
        let size = d.abs();
        let axis = if size.x >= size.y && size.x >= size.z {
            0
        } else if size.y >= size.z {
            1
        } else {
            2
        };
        let positive = d[axis] >= 0.0;
        let face = 2 * axis as u32 + u32::from(positive);
        let (u, v) = (1_u32 << ((axis + 1) % 3), 1_u32 << ((axis + 2) % 3));
        let base = if positive { 1_u32 << axis } else { 0 };
        let loop_of = if positive { [0, u, u | v, v] } else { [0, v, u | v, u] };
        polygon.edge_base = FeatureId::EDGE | (face * 64);
        for k in loop_of {
            polygon.push(self.pose.point(corner(half, base | k)), base | k);
        }
        let mut normal = Vec3::ZERO;
        normal[axis] = if positive { 1.0 } else { -1.0 };
        self.flat(Surface::Polygon(polygon), normal, face)
    }

    fn hull_face<'s>(&self, hull: &ConvexHull, d: Vec3, polygon: &'s mut Polygon) -> Feature<'s> {
        let mut best = (0, f64::NEG_INFINITY);
        for (k, face) in hull.faces().iter().enumerate() {
            let along = face.normal.dot(d);
            if along > best.1 {
                best = (k, along);
            }
        }
        let number = best.0;
        let face = &hull.faces()[number];
        let edges = hull.face_edges(face);
        let stride = edges.len().div_ceil(MAX_CORNERS);
        polygon.edge_base = FeatureId::EDGE | (number as u32).wrapping_mul(64) & 0x3fff_ffff;
        for edge in edges.iter().step_by(stride) {
            polygon.push(self.pose.point(hull.vertices()[edge.origin as usize]), edge.origin);
        }
        self.flat(Surface::Polygon(polygon), face.normal, number as u32)
    }

    /// The straight line of the surface that passes through the support point and runs best across `direction`
    /// (unit, frame of A), with its name.
    pub(super) fn line_along(&self, direction: Vec3) -> Option<([Coordinate; 2], u32)> {
        let d = self.pose.direction_to_b(direction);
        let (ends, id) = match self.core {
            Core::Point => return None,
            Core::Segment { half } => ([Vec3::Z * -*half, Vec3::Z * *half], 0),
            Core::Cuboid { half } => {
                let size = d.abs();
                let axis = if size.x <= size.y && size.x <= size.z {
                    0
                } else if size.y <= size.z {
                    1
                } else {
                    2
                };
                let mut to = Vec3::new(half.x * sign(d.x), half.y * sign(d.y), half.z * sign(d.z));
                let mut from = to;
                from[axis] = -half[axis];
                to[axis] = half[axis];
                let quarter = u32::from(d[(axis + 1) % 3] >= 0.0) + 2 * u32::from(d[(axis + 2) % 3] >= 0.0);
                ([from, to], 4 * axis as u32 + quarter)
            }
            Core::Cylinder { .. } | Core::Cone { .. } => match self.curved_feature(d, direction).surface {
                Surface::Line(ends) => return Some((ends, FeatureId::CURVE)),
                _ => return None,
            },
            Core::Hull(hull) => {
                let from = hull.support_index(d);
                let start = hull.vertices()[from as usize];
                let tilt = |to: &u32| {
                    let edge = hull.vertices()[*to as usize] - start;
                    (edge.dot(d) / edge.length()).abs()
                };
                let to = hull
                    .neighbours(from)
                    .iter()
                    .copied()
                    .reduce(|a, b| if tilt(&b) < tilt(&a) { b } else { a })?;
                let (low, high) = if from < to { (from, to) } else { (to, from) };
                let ends = [hull.vertices()[low as usize], hull.vertices()[high as usize]];
                (ends, (low << 15 | high) & 0x3fff_ffff)
            }
            Core::Triangle(corners) => {
                let (_, from) = self.core.support_vertex(d, 0);
                let start = corners[from as usize];
                let tilt = |to: u32| {
                    let edge = corners[to as usize] - start;
                    (edge.dot(d) / edge.length()).abs()
                };
                let (next, last) = ((from + 1) % 3, (from + 2) % 3);
                let to = if tilt(last) < tilt(next) { last } else { next };
                ([start, corners[to as usize]], if to == next { from } else { to })
            }
        };
        Some((ends.map(|p| self.pose.point(p)), FeatureId::EDGE | id))
    }
}

fn sign(x: f64) -> f64 {
    if x < 0.0 { -1.0 } else { 1.0 }
}

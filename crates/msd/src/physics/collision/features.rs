//! Features of a shape along a direction: a face, a disc, a line or a point.
//!
//! Each shape has at most one flat feature and one straight line that face a direction best. Manifolds are
//! built from these: a face perpendicular to the normal is the reference face for clipping, lines
//! perpendicular to the normal give two points, anything else one. Everything is returned in the frame of A.

use super::manifold::FeatureId;
use super::solid::{Core, corner, radial};
use super::support_function::{RelativePose, SupportFunction};
use crate::math::{Coordinate, Mat3, Vec3};
use crate::physics::rigid_body::shape::{ConvexHull, slant_normal};

/// Sine of the angle between the normal of least overlap and that of a face up to which two faces have a face
/// contact. tuned: stacked boxes tilted by 1e-4 overlap least along an edge-edge axis, which would give one
/// contact point.
pub(super) const FACES_PARALLEL: f64 = 0.02;

/// Sine of the angle of a line with the contact plane up to which it gives two points, each with its own gap.
/// tuned.
pub(super) const LINE_TILT: f64 = 0.1;

/// Largest number of corners for clipping; a larger face is represented by an even selection of its corners.
pub(super) const MAX_CORNERS: usize = 32;

/// Storage for the corners of a face.
#[derive(Clone, Copy, Debug)]
pub(super) struct Polygon<const N: usize> {
    points: [Coordinate; N],
    vertices: [u32; N],
    len: usize,
}

impl<const N: usize> Polygon<N> {
    pub(super) const EMPTY: Self = Self { points: [Vec3::ZERO; N], vertices: [0; N], len: 0 };

    fn push(&mut self, point: Coordinate, vertex: u32) {
        if self.len < N {
            self.points[self.len] = point;
            self.vertices[self.len] = vertex;
            self.len += 1;
        }
    }

    /// The corners with the id of the face; edge k is `edge_base + k`.
    fn outline(&self, edge_base: u32) -> Surface<'_> {
        let (points, vertices) = (&self.points[..self.len], &self.vertices[..self.len]);
        Surface::Polygon(Outline { points, vertices, edge_base })
    }
}

/// A convex polygon, counter-clockwise seen from outside.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outline<'s> {
    pub points: &'s [Coordinate],
    pub vertices: &'s [u32],
    /// Id of the face; edge k is `edge_base + k`.
    pub edge_base: u32,
}

impl Outline<'_> {
    pub(super) fn len(&self) -> usize {
        self.points.len()
    }

    /// Corner k and the next one.
    pub(super) fn edge(&self, k: usize) -> (Coordinate, Coordinate) {
        (self.points[k], self.points[if k + 1 == self.points.len() { 0 } else { k + 1 }])
    }
}

/// The flat feature of a core that faces a direction best, without its corners.
#[derive(Clone, Copy, Debug)]
pub(super) struct FacingFace {
    /// Its number in the core.
    number: u32,
    /// Its outward normal, frame of A; `None` if a line or a point faces the direction best.
    pub normal: Option<Vec3>,
}

/// A flat disc with two axes fixed in the shape.
#[derive(Clone, Copy, Debug)]
pub(super) struct Disc {
    pub center: Coordinate,
    pub radius: f64,
    pub u: Vec3,
    pub v: Vec3,
}

/// The feature that faces a direction best.
#[derive(Clone, Copy, Debug)]
pub(super) enum Surface<'s> {
    Polygon(Outline<'s>),
    Disc(Disc),
    Line([Coordinate; 2]),
    Point(Coordinate),
}

/// A feature with its outward normal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Feature<'s> {
    pub surface: Surface<'s>,
    pub normal: Vec3,
    pub id: u32,
}

/// A core and its pose in the frame of A.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlacedCore<'c> {
    pub core: &'c Core<'c>,
    pub pose: RelativePose,
}

impl<'c> PlacedCore<'c> {
    /// A itself.
    pub(super) fn at_origin(core: &'c Core<'c>) -> Self {
        Self { core, pose: RelativePose { rotation: Mat3::IDENTITY, translation: Vec3::ZERO } }
    }

    /// The flat feature that faces `direction` (unit, frame of A) best.
    pub(super) fn facing(&self, direction: Vec3) -> FacingFace {
        let d = self.pose.direction_to_b(direction);
        let flat = |number: u32, local_normal: Vec3| FacingFace {
            number,
            normal: Some(self.pose.direction(local_normal)),
        };
        match self.core {
            Core::Cuboid { .. } => {
                let size = d.abs();
                let axis = if size.x >= size.y && size.x >= size.z {
                    0
                } else if size.y >= size.z {
                    1
                } else {
                    2
                };
                let positive = d[axis] >= 0.0;
                let mut normal = Vec3::ZERO;
                normal[axis] = if positive { 1.0 } else { -1.0 };
                flat(2 * axis as u32 + u32::from(positive), normal)
            }
            Core::Hull(hull) => {
                let number = hull.face_along(d);
                flat(number, hull.faces()[number as usize].normal)
            }
            Core::Triangle(corners) => {
                let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize_or(Vec3::Z);
                let back = normal.dot(d) < 0.0;
                flat(u32::from(back), if back { -normal } else { normal })
            }
            _ => {
                let feature = self.curved_feature(d, direction);
                let normal = matches!(feature.surface, Surface::Disc(_)).then_some(feature.normal);
                FacingFace { number: 0, normal }
            }
        }
    }

    /// The feature facing `direction` (unit, frame of A) best. The corners of a face are written to
    /// `polygon`, which must be empty; `None` if they do not fit.
    pub(super) fn feature_along<'s, const N: usize>(
        &self,
        direction: Vec3,
        facing: &FacingFace,
        polygon: &'s mut Polygon<N>,
    ) -> Option<Feature<'s>> {
        let (Some(normal), number) = (facing.normal, facing.number) else {
            return Some(self.curved_feature(self.pose.direction_to_b(direction), direction));
        };
        let edge_base = match self.core {
            Core::Cuboid { half } => self.box_face(*half, number, polygon),
            Core::Hull(hull) => {
                if hull.faces()[number as usize].edge_count as usize > N && N < MAX_CORNERS {
                    return None;
                }
                self.hull_face(hull, number, polygon)
            }
            Core::Triangle(corners) => {
                for k in if number == 0 { [0_u32, 1, 2] } else { [0, 2, 1] } {
                    polygon.push(self.pose.point(corners[k as usize]), k);
                }
                FeatureId::EDGE
            }
            _ => return Some(self.curved_feature(self.pose.direction_to_b(direction), direction)),
        };
        Some(Feature { surface: polygon.outline(edge_base), normal, id: FeatureId::FACE | number })
    }

    /// The same for a core without corners; `d` is the direction in its local frame.
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
            Core::TwoBalls { radii, half } => {
                let (q, k) = slant_normal(radii[0], radii[1], *half);
                // The farthest points of both balls: on their common straight line if it faces the direction.
                let ends = [(radii[0], -*half), (radii[1], *half)].map(|(r, z)| d * r + Vec3::Z * z);
                self.line(ends, (radial(d) * q + Vec3::Z * k).normalize_or(d))
            }
            _ => self.point(self.core.support(d), direction),
        }
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

    /// Writes the corners of a face to `polygon` and returns the id of its edges.
    fn box_face<const N: usize>(&self, half: Vec3, face: u32, polygon: &mut Polygon<N>) -> u32 {
        let (axis, positive) = (face / 2, face % 2 == 1);
        let (u, v) = (1_u32 << ((axis + 1) % 3), 1_u32 << ((axis + 2) % 3));
        let base = if positive { 1_u32 << axis } else { 0 };
        for k in if positive { [0, u, u | v, v] } else { [0, v, u | v, u] } {
            polygon.push(self.pose.point(corner(half, base | k)), base | k);
        }
        FeatureId::EDGE | (face * 64)
    }

    /// The same for a hull.
    fn hull_face<const N: usize>(&self, hull: &ConvexHull, number: u32, polygon: &mut Polygon<N>) -> u32 {
        let edges = hull.face_edges(&hull.faces()[number as usize]);
        for edge in edges.iter().step_by(edges.len().div_ceil(N)) {
            polygon.push(self.pose.point(hull.vertices()[edge.origin as usize]), edge.origin);
        }
        FeatureId::EDGE | number.wrapping_mul(64) & 0x3fff_ffff
    }

    /// The straight line of the surface through the support point that is closest to perpendicular to
    /// `direction` (unit, frame of A), with its id.
    pub(super) fn line_along(&self, direction: Vec3) -> Option<([Coordinate; 2], u32)> {
        let d = self.pose.direction_to_b(direction);
        let (ends, id) = match self.core {
            Core::Point | Core::Ellipsoid(_) => return None,
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
            Core::Cylinder { .. } | Core::Cone { .. } | Core::TwoBalls { .. } => {
                match self.curved_feature(d, direction).surface {
                    Surface::Line(ends) => return Some((ends, FeatureId::CURVE)),
                    _ => return None,
                }
            }
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

//! Clipping of an incident feature against a reference face.
//!
//! The reference face is flat with unit normal `n`; "over" means along `n`. A point `p` of the other shape
//! over the face has the gap `n·(p - r)` and its partner on the face is `p - gap n`. Polygons are clipped
//! edge by edge (Sutherland & Hodgman 1974). Discs are not approximated by polygons: their contacts with a
//! polygon are the points of a pattern fixed in the disc that lie over the polygon, the corners of the
//! polygon that lie over the disc, and the crossings of its edges with the rim, all exact.

use super::features::{Disc, Feature, MAX_CORNERS, Outline, Surface};
use super::manifold::FeatureId;
use crate::math::{Coordinate, Vec3, scalar};
use crate::tolerance;

/// Points a clip can yield before they are reduced.
pub(super) const MAX_CLIPPED: usize = 2 * MAX_CORNERS;

/// A point of the incident shape over the reference face.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Clipped {
    /// On the incident shape.
    pub point: Coordinate,
    /// Height over the plane of the reference face.
    pub gap: f64,
    pub reference: u32,
    pub incident: u32,
}

/// A corner of a polygon being clipped: its position, the features that made it, and the edge that leaves it.
#[derive(Clone, Copy, Debug, Default)]
struct Corner {
    point: Coordinate,
    incident: u32,
    reference: u32,
    edge: u32,
}

/// Clipped points in fixed storage; later points are dropped when it is full.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClippedPoints<const ROOM: usize> {
    points: [Clipped; ROOM],
    len: usize,
}

impl<const ROOM: usize> ClippedPoints<ROOM> {
    pub(super) const EMPTY: Self =
        Self { points: [Clipped { point: Vec3::ZERO, gap: 0.0, reference: 0, incident: 0 }; ROOM], len: 0 };

    pub(super) fn as_slice(&self) -> &[Clipped] {
        &self.points[..self.len]
    }
}

/// The reference face as a plane and an outline.
struct Reference<'a, const ROOM: usize> {
    feature: &'a Feature<'a>,
    normal: Vec3,
    origin: Coordinate,
    /// Distance outside an edge or rim that still counts as over the face, m.
    slack: f64,
    margin: f64,
    out: &'a mut ClippedPoints<ROOM>,
}

/// All contact points of `incident` over `reference` with a gap of at most `margin`, written to `out`, which
/// must be empty.
pub(super) fn clip<const ROOM: usize>(
    reference: &Feature<'_>,
    incident: &Feature<'_>,
    margin: f64,
    out: &mut ClippedPoints<ROOM>,
) {
    let (origin, size) = match &reference.surface {
        Surface::Polygon(p) => {
            let squared =
                p.points.iter().fold(0.0, |s, q| scalar::max(s, (*q - p.points[0]).length_squared()));
            (p.points[0], squared.sqrt())
        }
        Surface::Disc(d) => (d.center, d.radius),
        Surface::Line([p, _]) | Surface::Point(p) => (*p, 0.0),
    };
    let slack = tolerance::CLIP_SLACK * size;
    let mut over = Reference { feature: reference, normal: reference.normal, origin, slack, margin, out };
    match &incident.surface {
        Surface::Polygon(polygon) => match &reference.surface {
            Surface::Disc(disc) => over.polygon_over_disc(polygon, incident, disc),
            Surface::Polygon(outline) => over.polygon_over_polygon(polygon, outline),
            Surface::Line(_) | Surface::Point(_) => {}
        },
        Surface::Disc(disc) => over.disc(disc, incident),
        Surface::Line(ends) => over.line(*ends, incident.id),
        Surface::Point(point) if over.covers(*point, None) => over.push(*point, reference.id, incident.id),
        Surface::Point(_) => {}
    }
}

impl<const ROOM: usize> Reference<'_, ROOM> {
    fn push(&mut self, point: Coordinate, reference: u32, incident: u32) {
        let gap = self.normal.dot(point - self.origin);
        if gap <= self.margin && self.out.len < ROOM {
            self.out.points[self.out.len] = Clipped { point, gap, reference, incident };
            self.out.len += 1;
        }
    }

    /// True if the point lies over the face, without testing edge `except` of a polygon.
    fn covers(&self, point: Coordinate, except: Option<usize>) -> bool {
        match &self.feature.surface {
            Surface::Polygon(polygon) => (0..polygon.len())
                .all(|k| Some(k) == except || self.inside_edge(polygon, k, point) >= -self.slack),
            Surface::Disc(disc) => {
                let from = point - disc.center;
                let across = from - self.normal * self.normal.dot(from);
                across.length() <= disc.radius + self.slack
            }
            Surface::Line(_) | Surface::Point(_) => false,
        }
    }

    /// Inward normal of the side of the face over edge k.
    fn inward(&self, polygon: &Outline<'_>, k: usize) -> Vec3 {
        let (a, b) = polygon.edge(k);
        self.normal.cross(b - a).normalize_or_zero()
    }

    /// Distance of a point inside edge k of the reference polygon.
    fn inside_edge(&self, polygon: &Outline<'_>, k: usize, point: Coordinate) -> f64 {
        self.inward(polygon, k).dot(point - polygon.points[k])
    }

    /// Double buffering: the output of one edge is the input of the next.
    fn polygon_over_polygon(&mut self, incident: &Outline<'_>, outline: &Outline<'_>) {
        let mut buffers = [[Corner::default(); ROOM]; 2];
        let mut len = incident.len();
        for k in 0..len {
            buffers[0][k] = Corner {
                point: incident.points[k],
                incident: FeatureId::VERTEX | incident.vertices[k],
                reference: self.feature.id,
                edge: incident.edge_base + k as u32,
            };
        }
        for side in 0..outline.len() {
            let (from, to) = buffers.split_at_mut(1);
            let (current, next) = if side % 2 == 0 { (&from[0], &mut to[0]) } else { (&to[0], &mut from[0]) };
            len = self.cut(outline, side, &current[..len], next);
            if len == 0 {
                return;
            }
        }
        let last = outline.len() % 2;
        for corner in &buffers[last][..len] {
            self.push(corner.point, corner.reference, corner.incident);
        }
    }

    /// Clips a polygon against one side of the outline.
    fn cut(&self, outline: &Outline<'_>, side: usize, corners: &[Corner], out: &mut [Corner]) -> usize {
        let (inward, at) = (self.inward(outline, side), outline.points[side]);
        let reference = outline.edge_base + side as u32;
        let mut count = 0;
        let mut keep = |corner: Corner| {
            if count < out.len() {
                out[count] = corner;
                count += 1;
            }
        };
        let Some(last) = corners.last() else { return 0 };
        let mut from = last;
        let mut d_from = inward.dot(from.point - at);
        for to in corners {
            let d_to = inward.dot(to.point - at);
            let (from_in, to_in) = (d_from >= -self.slack, d_to >= -self.slack);
            if from_in != to_in {
                let t = scalar::clamp(d_from / (d_from - d_to), 0.0, 1.0);
                let point = from.point + (to.point - from.point) * t;
                // The boundary leaves the face here and continues along the reference edge.
                let edge = if from_in { reference } else { from.edge };
                keep(Corner { point, incident: from.edge, reference, edge });
            }
            if to_in {
                keep(*to);
            }
            (from, d_from) = (to, d_to);
        }
        count
    }

    fn line(&mut self, [from, to]: [Coordinate; 2], id: u32) {
        let along = to - from;
        let (mut low, mut high) = (0.0, 1.0);
        let (mut low_id, mut high_id) = (self.feature.id, self.feature.id);
        match &self.feature.surface {
            Surface::Polygon(polygon) => {
                for k in 0..polygon.len() {
                    let inward = self.inward(polygon, k);
                    let (start, slope) = (inward.dot(from - polygon.points[k]), inward.dot(along));
                    let edge = polygon.edge_base + k as u32;
                    if slope.abs() * 2.0 <= self.slack {
                        if start < -self.slack {
                            return;
                        }
                    } else if slope > 0.0 && -start > low * slope {
                        (low, low_id) = (-start / slope, edge);
                    } else if slope < 0.0 && start < high * -slope {
                        (high, high_id) = (start / -slope, edge);
                    }
                }
            }
            Surface::Disc(disc) => {
                let flat = |v: Vec3| v - self.normal * self.normal.dot(v);
                let (p, d) = (flat(from - disc.center), flat(along));
                let Some((enter, leave)) = crossing(p, d, disc.radius + self.slack) else { return };
                (low, high) = (scalar::max(low, enter), scalar::min(high, leave));
            }
            Surface::Line(_) | Surface::Point(_) => return,
        }
        if low <= high {
            self.push(from + along * low, low_id, id);
            if (high - low) * along.length() > self.slack {
                self.push(from + along * high, high_id, id | 1);
            }
        }
    }

    fn disc(&mut self, disc: &Disc, incident: &Feature<'_>) {
        self.pattern(disc, incident);
        match &self.feature.surface {
            Surface::Polygon(outline) => {
                for k in 0..outline.len() {
                    if let Some(point) = self.down_to(outline.points[k], incident, disc) {
                        self.push(point, outline.vertices[k], incident.id);
                    }
                    self.rim_over_edge(outline, k, disc);
                }
            }
            Surface::Disc(reference) => {
                self.pattern_under(reference, incident, |point| point.distance(disc.center) <= disc.radius);
                if incident.normal.cross(self.normal).length() <= tolerance::FEATURE_ALIGNED {
                    self.rims(reference, disc);
                }
            }
            Surface::Line(_) | Surface::Point(_) => {}
        }
    }

    /// Eight points fixed in the disc, and the lowest of the rim if the disc is tilted.
    fn pattern(&mut self, disc: &Disc, incident: &Feature<'_>) {
        let towards = -self.normal;
        let lowest = towards - incident.normal * incident.normal.dot(towards);
        if lowest.length() > tolerance::DISC_TILTED {
            let point = disc.center + lowest.normalize_or_zero() * disc.radius;
            if self.covers(point, None) {
                self.push(point, self.feature.id, FeatureId::CURVE | 8);
            }
        }
        for k in 0..8 {
            let point = disc.center + eighth(disc, k) * disc.radius;
            if self.covers(point, None) {
                self.push(point, self.feature.id, FeatureId::CURVE | k);
            }
        }
    }

    /// Eight points fixed in the reference disc, moved up to the plane of the incident face, where that is covered.
    fn pattern_under(&mut self, disc: &Disc, incident: &Feature<'_>, covered: impl Fn(Coordinate) -> bool) {
        let Some(anchor) = anchor_of(&incident.surface) else { return };
        for k in 0..8 {
            let foot = disc.center + eighth(disc, k) * disc.radius;
            if let Some(point) = self.lift(foot, incident.normal, anchor)
                && covered(point)
            {
                self.push(point, FeatureId::CURVE | k, incident.id);
            }
        }
    }

    /// Along the reference normal to the plane through `anchor` with `plane_normal`.
    fn lift(&self, foot: Coordinate, plane_normal: Vec3, anchor: Coordinate) -> Option<Coordinate> {
        let slope = plane_normal.dot(self.normal);
        (slope.abs() > super::features::LINE_TILT)
            .then(|| foot + self.normal * (plane_normal.dot(anchor - foot) / slope))
    }

    fn down_to(&self, foot: Coordinate, incident: &Feature<'_>, disc: &Disc) -> Option<Coordinate> {
        let point = self.lift(foot, incident.normal, disc.center)?;
        (point.distance(disc.center) <= disc.radius).then_some(point)
    }

    /// Where the side over edge k of the polygon cuts the rim: `s·(c + r (u cos φ + v sin φ) - a) = 0`.
    fn rim_over_edge(&mut self, outline: &Outline<'_>, k: usize, disc: &Disc) {
        let s = self.inward(outline, k);
        let (cos, sin) = (s.dot(disc.u) * disc.radius, s.dot(disc.v) * disc.radius);
        let level = -s.dot(disc.center - outline.points[k]);
        let amplitude = (cos * cos + sin * sin).sqrt();
        if amplitude <= level.abs() {
            return;
        }
        let (cos, sin, level) = (cos / amplitude, sin / amplitude, level / amplitude);
        let across = (1.0 - level * level).sqrt();
        let main = disc.u * cos + disc.v * sin;
        let side = disc.v * cos - disc.u * sin;
        for (turn, name) in [(-across, 16), (across, 17)] {
            let point = disc.center + (main * level + side * turn) * disc.radius;
            if self.covers(point, Some(k)) {
                self.push(point, outline.edge_base + k as u32, FeatureId::CURVE | name);
            }
        }
    }

    /// Where the rims of two parallel discs cross, seen along the normal.
    fn rims(&mut self, reference: &Disc, disc: &Disc) {
        let between = disc.center - reference.center;
        let apart = between - self.normal * self.normal.dot(between);
        let d = apart.length();
        let (r, q) = (reference.radius, disc.radius);
        if d <= (r - q).abs() || d >= r + q {
            return;
        }
        let along = (d * d + q * q - r * r) / (2.0 * d);
        let Some(axis) = apart.try_normalize() else { return };
        let across = self.normal.cross(axis) * scalar::max(q * q - along * along, 0.0).sqrt();
        for (turn, name) in [(-1.0, 16), (1.0, 17)] {
            self.push(disc.center - axis * along + across * turn, self.feature.id, FeatureId::CURVE | name);
        }
    }

    fn polygon_over_disc(&mut self, polygon: &Outline<'_>, incident: &Feature<'_>, disc: &Disc) {
        for k in 0..polygon.len() {
            if self.covers(polygon.points[k], None) {
                self.push(polygon.points[k], self.feature.id, polygon.vertices[k]);
            }
            let (a, b) = polygon.edge(k);
            let flat = |v: Vec3| v - self.normal * self.normal.dot(v);
            if let Some((enter, leave)) = crossing(flat(a - disc.center), flat(b - a), disc.radius) {
                for (t, name) in [(enter, 16), (leave, 17)] {
                    if t > 0.0 && t < 1.0 {
                        self.push(a + (b - a) * t, FeatureId::CURVE | name, polygon.edge_base + k as u32);
                    }
                }
            }
        }
        let inside = |point: Coordinate| {
            (0..polygon.len()).all(|k| {
                let (a, b) = polygon.edge(k);
                incident.normal.cross(b - a).dot(point - a) >= 0.0
            })
        };
        self.pattern_under(disc, incident, inside);
    }
}

fn anchor_of(surface: &Surface<'_>) -> Option<Coordinate> {
    match surface {
        Surface::Polygon(polygon) => polygon.points.first().copied(),
        Surface::Disc(disc) => Some(disc.center),
        Surface::Line(_) | Surface::Point(_) => None,
    }
}

/// Unit vector at k eighths of a turn in the disc.
fn eighth(disc: &Disc, k: u32) -> Vec3 {
    use std::f64::consts::FRAC_1_SQRT_2 as H;
    let (c, s) = [(1.0, 0.0), (H, H), (0.0, 1.0), (-H, H), (-1.0, 0.0), (-H, -H), (0.0, -1.0), (H, -H)]
        [k as usize % 8];
    disc.u * c + disc.v * s
}

/// Parameters where `p + t d` enters and leaves the circle about the origin.
fn crossing(p: Vec3, d: Vec3, radius: f64) -> Option<(f64, f64)> {
    let (a, b, c) = (d.length_squared(), p.dot(d), p.length_squared() - radius * radius);
    if a == 0.0 {
        return (c <= 0.0).then_some((f64::NEG_INFINITY, f64::INFINITY));
    }
    let discriminant = b * b - a * c;
    if discriminant < 0.0 {
        return None;
    }
    let root = discriminant.sqrt();
    Some(((-b - root) / a, (-b + root) / a))
}

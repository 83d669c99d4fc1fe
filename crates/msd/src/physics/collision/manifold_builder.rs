//! Manifold generation: contact points from a contact normal and the features that face each other.
//!
//! A flat feature (face or disc) whose normal is the contact normal is the reference face; the feature of the
//! other shape that faces it best is clipped against it, tilted or not, and every point keeps its own gap.
//! Without a reference face, two parallel lines across the normal give the two ends of their overlap, and
//! lines of round surfaces that cross at a small angle give the witness of the distance query in addition.
//! All other pairs touch in one point, the witness.

use super::clipping::{Clipped, ClippedPoints, MAX_CLIPPED, clip};
use super::features::{FacingFace, Feature, LINE_TILT, MAX_CORNERS, PlacedCore, Polygon, Surface};
use super::manifold::{ContactManifold, ContactPoint, FeatureId, MAX_POINTS, PointKey, reduce_points};
use super::solid::{Core, Solid};
use super::solid_pair::ConvexPair;
use super::support_function::{MinkowskiDifference, RelativePose};
use super::witness::SignedDistance;
use crate::math::{Coordinate, Vec3, scalar};
use crate::tolerance;

/// Overlap (or gap) up to which a nearly parallel face is preferred, relative to half the size of the larger
/// shape. tuned.
pub(super) const SHALLOW: f64 = 0.1;

/// Overlap along the normal of a nearly parallel face beyond the least one, relative to half the size of the larger shape, up to which it is
/// preferred: half of what the certificate allows.
const TILTED: f64 = 0.5 * tolerance::OVERLAP_CERTIFIED;

/// Sine of the angle up to which two lines across the normal count as parallel and give two points. tuned.
const LINES_PARALLEL: f64 = 1e-3;

/// The same for lines of which at least one is on a round surface; their crossing is a third point. tuned.
const ROUND_LINES_PARALLEL: f64 = 0.1;

/// One contact of two cores, frame of A.
#[derive(Clone, Copy, Debug, Default)]
struct CoreContact {
    on_a: Coordinate,
    on_b: Coordinate,
    distance: f64,
    feature: FeatureId,
}

impl CoreContact {
    fn witness(at: &SignedDistance) -> Self {
        Self { on_a: at.on_a, on_b: at.on_b, distance: at.distance, feature: FeatureId::default() }
    }
}

/// Contacts of two cores, before the rounding radii are added and the points are transformed to the world.
#[derive(Clone, Copy, Debug)]
pub(super) struct CoreContacts {
    normal: Vec3,
    points: [CoreContact; MAX_POINTS],
    len: usize,
}

impl CoreContacts {
    fn new(normal: Vec3) -> Self {
        Self { normal, points: [CoreContact::default(); MAX_POINTS], len: 0 }
    }

    /// The witness points of a distance query.
    fn single(at: &SignedDistance) -> Self {
        let mut one = Self::new(at.normal);
        one.push(CoreContact::witness(at));
        one
    }

    fn push(&mut self, touch: CoreContact) {
        if self.len < MAX_POINTS {
            self.points[self.len] = touch;
            self.len += 1;
        }
    }

    fn points(&self) -> &[CoreContact] {
        &self.points[..self.len]
    }

    pub(super) fn count(&self) -> usize {
        self.len
    }

    pub(super) fn deepest(&self) -> f64 {
        self.points().iter().fold(f64::INFINITY, |d, p| scalar::min(d, p.distance))
    }

    /// Mean of the points as deep as `distance`: it lies inside both faces and does not depend on the order
    /// of the points.
    pub(super) fn deepest_pair(&self, distance: f64) -> (Coordinate, Coordinate) {
        let deepest = self.deepest();
        let level = scalar::max(distance, deepest) + tolerance::FEATURE_ALIGNED * distance.abs();
        let (mut on_a, mut on_b, mut count) = (Vec3::ZERO, Vec3::ZERO, 0.0);
        for p in self.points().iter().filter(|p| p.distance <= level) {
            on_a += p.on_a;
            on_b += p.on_b;
            count += 1.0;
        }
        (on_a / count, on_b / count)
    }
}

/// Contacts with a reference face along `normal`, gaps up to `margin`; `None` if there is no such face or no
/// point of the other shape lies over it.
pub(super) fn face_points(
    a: &Core<'_>,
    b: &Core<'_>,
    pose: &RelativePose,
    normal: Vec3,
    margin: f64,
) -> Option<CoreContacts> {
    FacePair::facing_along(a, b, pose, normal, margin).over_face()
}

/// Contacts over the face of A that faces `normal` best and over that of B, gaps up to `margin`, whether or
/// not the faces are perpendicular to it; and the sines of their angles with it. Faces whose normal from A to
/// B is not `wanted` are skipped.
pub(super) fn adjacent_face_points(
    a: &Core<'_>,
    b: &Core<'_>,
    pose: &RelativePose,
    normal: Vec3,
    margin: f64,
    wanted: impl Fn(Vec3) -> bool,
) -> ([Option<CoreContacts>; 2], [f64; 2]) {
    let mut sides = FacePair::facing_along(a, b, pose, normal, margin);
    let found = [0, 1].map(|side| {
        sides.of_b_is_reference = side == 1;
        let outward = sides.facing[side].normal?;
        let wanted = wanted(if sides.of_b_is_reference { -outward } else { outward });
        if wanted { sides.core_contacts().filter(|found| found.len > 0) } else { None }
    });
    (found, sides.sines)
}

/// Up to this number of corners the smaller clipping buffers are used; it covers most hulls.
const FEW_CORNERS: usize = 8;

/// The two features that face each other.
struct FacePair<'c> {
    placed: [PlacedCore<'c>; 2],
    facing: [FacingFace; 2],
    /// Sines of the angles of their normals with the direction; infinite if they are not flat.
    sines: [f64; 2],
    normal: Vec3,
    of_b_is_reference: bool,
    margin: f64,
}

impl<'c> FacePair<'c> {
    fn facing_along(
        a: &'c Core<'c>,
        b: &'c Core<'c>,
        pose: &RelativePose,
        normal: Vec3,
        margin: f64,
    ) -> Self {
        let placed = [PlacedCore::at_origin(a), PlacedCore { core: b, pose: *pose }];
        let facing = [placed[0].facing(normal), placed[1].facing(-normal)];
        let sines = facing.map(|f| f.normal.map_or(f64::INFINITY, |n| n.cross(normal).length()));
        Self { placed, facing, sines, normal, of_b_is_reference: false, margin }
    }

    /// Contacts over a face perpendicular to the normal; `None` if there is no such face or no point lies
    /// over it.
    fn over_face(&mut self) -> Option<CoreContacts> {
        self.of_b_is_reference = self.sines[0] > tolerance::FEATURE_ALIGNED;
        if self.of_b_is_reference && self.sines[1] > tolerance::FEATURE_ALIGNED {
            return None;
        }
        self.core_contacts().filter(|found| found.len > 0)
    }

    /// The same for two faces that are parallel to within an angle with the sine `parallel`; the one closer to perpendicular to the normal is the
    /// reference.
    fn over_parallel_faces(&mut self, parallel: f64) -> Option<CoreContacts> {
        let [sine_a, sine_b] = self.sines;
        if scalar::max(sine_a, sine_b) > parallel {
            return None;
        }
        self.of_b_is_reference = sine_a > sine_b;
        self.core_contacts()
    }

    fn core_contacts(&self) -> Option<CoreContacts> {
        self.core_contacts_within::<FEW_CORNERS, { 2 * FEW_CORNERS }>()
            .or_else(|| self.core_contacts_within::<MAX_CORNERS, MAX_CLIPPED>())
    }

    /// Contacts clipped in buffers of this size; `None` if they are too small.
    fn core_contacts_within<const CORNERS: usize, const ROOM: usize>(&self) -> Option<CoreContacts> {
        let (mut polygon_a, mut polygon_b) = (Polygon::<CORNERS>::EMPTY, Polygon::<CORNERS>::EMPTY);
        let of_a = self.placed[0].feature_along(self.normal, &self.facing[0], &mut polygon_a)?;
        let of_b = self.placed[1].feature_along(-self.normal, &self.facing[1], &mut polygon_b)?;
        // A disc has more points than corners.
        let round = |feature: &Feature<'_>| matches!(feature.surface, Surface::Disc(_));
        if ROOM < MAX_CLIPPED && (round(&of_a) || round(&of_b)) {
            return None;
        }
        let (reference, incident) = if self.of_b_is_reference { (&of_b, &of_a) } else { (&of_a, &of_b) };
        Some(self.clipped::<ROOM>(reference, incident))
    }

    fn clipped<const ROOM: usize>(&self, reference: &Feature<'_>, incident: &Feature<'_>) -> CoreContacts {
        let n = reference.normal;
        let mut clipped = ClippedPoints::<ROOM>::EMPTY;
        clip(reference, incident, self.margin, &mut clipped);
        let clipped = clipped.as_slice();
        let feature = |p: &Clipped| {
            let id = FeatureId { a: p.reference, b: p.incident };
            if self.of_b_is_reference { id.swapped() } else { id }
        };
        let seen = |p: &Clipped| PointKey { place: p.point, distance: p.gap, feature: feature(p) };
        let mut found = CoreContacts::new(if self.of_b_is_reference { -n } else { n });
        for i in reduce_points(clipped, n, MAX_POINTS, seen) {
            let p = &clipped[i];
            let below = p.point - n * p.gap;
            let (on_a, on_b) = if self.of_b_is_reference { (p.point, below) } else { (below, p.point) };
            found.push(CoreContact { on_a, on_b, distance: p.gap, feature: feature(p) });
        }
        found
    }
}

/// Radius of curvature of the side of a core about its straight line; `None` for shapes without one.
fn bend_radius(core: &Core<'_>) -> Option<f64> {
    match core {
        Core::Segment { .. } | Core::Cuboid { .. } | Core::Hull(_) => Some(0.0),
        Core::Cylinder { radius, .. } => Some(*radius),
        Core::Point | Core::Cone { .. } | Core::Ellipsoid(_) | Core::TwoBalls { .. } | Core::Triangle(_) => {
            None
        }
    }
}

/// Sum of the radii of curvature of two lines, if at least one lies on a round surface.
fn round_lines(a: &Core<'_>, b: &Core<'_>) -> Option<f64> {
    let round = |core: &Core<'_>| matches!(core, Core::Segment { .. } | Core::Cylinder { .. });
    if round(a) || round(b) { Some(bend_radius(a)? + bend_radius(b)?) } else { None }
}

/// Two parallel lines: the ends of their overlap.
///
/// Lines of round surfaces that cross at a small angle have one nearest point, which moves from end to end
/// while they rotate by much less than touching at both ends would need. Their ends are separate contacts: a
/// lateral distance s between lines with radii of curvature of sum R widens the gap d to
/// `√((R + d)² + s²) - R`.
fn line_points(
    a: &Core<'_>,
    b: &Core<'_>,
    pose: &RelativePose,
    at: &SignedDistance,
    margin: f64,
) -> Option<CoreContacts> {
    let normal = at.normal;
    let (ends_a, id_a) = PlacedCore::at_origin(a).line_along(normal)?;
    let (ends_b, id_b) = PlacedCore { core: b, pose: *pose }.line_along(-normal)?;
    let (along_a, along_b) = (ends_a[1] - ends_a[0], ends_b[1] - ends_b[0]);
    let steep = |d: Vec3| d.dot(normal).abs() > LINE_TILT * d.length();
    let sine = along_a.cross(along_b).dot(normal).abs() / (along_a.length() * along_b.length());
    let bent = round_lines(a, b).filter(|_| sine <= ROUND_LINES_PARALLEL);
    if steep(along_a) || steep(along_b) || (sine > LINES_PARALLEL && bent.is_none()) {
        return None;
    }
    let axis = (along_a - normal * normal.dot(along_a)).try_normalize()?;
    let slope_b = axis.dot(along_b);
    let (start, stop_a) = (axis.dot(ends_a[0]), axis.dot(ends_a[1]));
    let (b0, b1) = (axis.dot(ends_b[0]), axis.dot(ends_b[1]));
    let (low, high) = (scalar::max(start, scalar::min(b0, b1)), scalar::min(stop_a, scalar::max(b0, b1)));
    let mut found = CoreContacts::new(normal);
    if high - low <= tolerance::CLIP_SLACK * (stop_a - start) {
        return None;
    }
    for (t, end) in [(low, 0), (high, 1)] {
        let mut on_a = ends_a[0] + along_a * ((t - start) / (stop_a - start));
        let mut on_b = ends_b[0] + along_b * ((t - b0) / slope_b);
        let mut distance = normal.dot(on_b - on_a);
        let across = ((on_b - on_a) - normal * distance).length();
        if across > LINES_PARALLEL * (stop_a - start) {
            // Lines that do not overlap along the normal are no line contact.
            let radii = bent?;
            if distance + radii > 0.0 {
                let wider = scalar::hypot(distance + radii, across) - radii - distance;
                on_a -= normal * (0.5 * wider);
                on_b += normal * (0.5 * wider);
                distance += wider;
            }
        }
        if distance <= margin {
            found.push(CoreContact {
                on_a,
                on_b,
                distance,
                feature: FeatureId { a: id_a | end << 29, b: id_b },
            });
        }
    }
    (found.len > 0).then_some(found)
}

/// True if two cores overlap more along the normal of a face than by their signed distance: a corner hangs down beside the face, and what
/// touches is the edge that leads to it.
pub(super) fn is_tilted(
    a: &Core<'_>,
    b: &Core<'_>,
    pose: &RelativePose,
    normal: Vec3,
    separation: f64,
) -> bool {
    let size = scalar::max(a.size(), b.size());
    MinkowskiDifference { a, b, pose: *pose }.reach(normal) > TILTED * size - separation
}

/// All contacts of two cores given their separation, gaps up to `margin`.
fn core_contacts(
    a: &Core<'_>,
    b: &Core<'_>,
    pose: &RelativePose,
    at: &SignedDistance,
    margin: f64,
    faces_parallel: f64,
) -> CoreContacts {
    let size = scalar::max(a.size(), b.size());
    let missed = |found: &CoreContacts| found.deepest() > at.distance + tolerance::WITNESS_MISSED * size;
    let mut sides = FacePair::facing_along(a, b, pose, at.normal, margin);
    match sides.over_face() {
        Some(found) if !missed(&found) => return found,
        _ => {}
    }
    // Two nearly parallel faces with a small overlap are a face contact, even where the edge-edge axis
    // overlaps a little less.
    if at.distance.abs() <= SHALLOW * size {
        match sides.over_parallel_faces(faces_parallel) {
            Some(found)
                if found.len > 2 && !missed(&found) && !is_tilted(a, b, pose, found.normal, at.distance) =>
            {
                return found;
            }
            _ => {}
        }
    }
    line_or_point(a, b, pose, at, margin)
}

/// Contacts without a reference face.
fn line_or_point(
    a: &Core<'_>,
    b: &Core<'_>,
    pose: &RelativePose,
    at: &SignedDistance,
    margin: f64,
) -> CoreContacts {
    let size = scalar::max(a.size(), b.size());
    match line_points(a, b, pose, at, margin) {
        Some(found) if found.deepest() <= at.distance + tolerance::WITNESS_MISSED * size => found,
        Some(mut found) if round_lines(a, b).is_some() => {
            found.push(CoreContact::witness(at));
            found
        }
        _ => CoreContacts::single(at),
    }
}

/// The manifold of two polytopes that are known to have no face contact, written to `out`, which must be
/// empty.
pub(super) fn of_edges(
    a: &Core<'_>,
    b: &Core<'_>,
    pose: &RelativePose,
    at: &SignedDistance,
    margin: f64,
    out: &mut ContactManifold,
) {
    if at.distance <= margin {
        round(&line_or_point(a, b, pose, at, margin), [0.0; 2], pose, out);
    }
}

/// The manifold of two solids in the frame of A, given the signed distance of their cores, written to `out`,
/// which must be empty; nothing is written beyond `margin`.
pub(super) fn manifold(pair: &ConvexPair<'_>, at: &SignedDistance, margin: f64, out: &mut ContactManifold) {
    let ConvexPair { a, b, ref pose, faces_parallel } = *pair;
    let radii = a.radius + b.radius;
    if at.distance - radii > margin {
        return;
    }
    let one_point = |core: &Core<'_>| matches!(core, Core::Point | Core::Ellipsoid(_));
    if one_point(&a.core) || one_point(&b.core) {
        witness(a, b, pose, at, out);
        return;
    }
    let found = core_contacts(&a.core, &b.core, pose, at, margin + radii, faces_parallel);
    round(&found, [a.radius, b.radius], pose, out);
}

/// The witness points of a distance query as the only contact, written to `out`.
pub(super) fn witness(
    a: &Solid<'_>,
    b: &Solid<'_>,
    pose: &RelativePose,
    at: &SignedDistance,
    out: &mut ContactManifold,
) {
    out.normal = at.normal;
    out.push(rounded(&CoreContact::witness(at), at.normal, [a.radius, b.radius], pose));
}

/// Contacts of the rounded solids; all points in the frame of A except the anchor of B.
pub(super) fn round(found: &CoreContacts, radii: [f64; 2], pose: &RelativePose, out: &mut ContactManifold) {
    out.normal = found.normal;
    for touch in found.points() {
        out.push(rounded(touch, found.normal, radii, pose));
    }
}

fn rounded(touch: &CoreContact, normal: Vec3, [of_a, of_b]: [f64; 2], pose: &RelativePose) -> ContactPoint {
    let (on_a, on_b) = (touch.on_a + normal * of_a, touch.on_b - normal * of_b);
    ContactPoint {
        on_a,
        on_b,
        anchor_a: on_a,
        anchor_b: pose.point_to_b(on_b),
        distance: touch.distance - of_a - of_b,
        feature: touch.feature,
    }
}

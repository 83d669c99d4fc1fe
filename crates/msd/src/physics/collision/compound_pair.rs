//! Contacts of a part of a compound with a convex solid, without internal-edge ("ghost") contacts at the
//! seams between parts.
//!
//! Where two parts meet, the faces they share are inside the solid and cannot be touched, yet next to the
//! seam the direction of least penetration of one part alone is often through such a face, or leans towards
//! it: a bump where the surface has none. A face is *covered* at a point if a point just outside it lies in
//! another part. It is *hidden* if it stays covered: where it emerges from the part that covers it, on the
//! side of the other solid, the two faces form a concave corner, and a solid in that corner touches both.
//!
//! A contact whose normal leans on a hidden face is replaced by one along the visible face of least overlap
//! among those the solid protrudes over. If there is no such face, the contact is left to the other parts.

use super::closed_form::nearest_on_surface;
use super::convex_parts::{ConvexPart, visit_parts};
use super::manifold::ContactManifold;
use super::manifold_builder;
use super::solid::{Core, Solid};
use super::solid_pair::ConvexPair;
use super::support_function::{MinkowskiDifference, RelativePose};
use crate::math::{Coordinate, ReferenceFrame, Vec3};
use crate::physics::rigid_body::shape::{Aabb, Shape};
use crate::tolerance;

/// One part of a compound: its pose in the compound, and its index.
#[derive(Clone, Copy)]
pub(super) struct CompoundMember<'a> {
    pub compound: &'a Shape,
    pub frame: ReferenceFrame,
    pub number: u32,
}

/// The contacts `found` of A, a part, with B, without those that other parts of its compound cover.
pub(super) fn without_seams(
    pair: &ConvexPair<'_>,
    part: &CompoundMember<'_>,
    found: ContactManifold,
    margin: f64,
) -> ContactManifold {
    let deepest = found.deepest();
    let Some(touch) = found.points().iter().find(|p| p.distance == deepest) else { return found };
    let seams = Seams { pair, part, step: tolerance::SEAM_STEP * (pair.a.core.size() + pair.a.radius) };
    let (at, nearest) = (touch.anchor_a, pair.pose.point(touch.anchor_b));
    let mut leans = false;
    let mut over_face = false;
    for_each_face(&pair.a.core, &mut |normal, height| {
        let on_face = normal.dot(at) >= height - seams.step;
        let towards = found.normal.dot(normal);
        over_face = over_face || on_face && towards >= 1.0 - tolerance::FEATURE_ALIGNED;
        leans =
            leans || on_face && towards > tolerance::FEATURE_ALIGNED && seams.is_hidden(at, normal, nearest);
    });
    if !leans && (over_face || !seams.is_covered(at, found.normal)) {
        return found;
    }
    along_free_face(&seams, at, nearest, margin)
}

/// The faces of A next to the other parts of its compound.
struct Seams<'a> {
    pair: &'a ConvexPair<'a>,
    part: &'a CompoundMember<'a>,
    /// Distance outside a face at which another part is searched, m.
    step: f64,
}

impl Seams<'_> {
    /// True if a point on the surface of A is covered in the direction `outward`.
    fn is_covered(&self, at: Coordinate, outward: Vec3) -> bool {
        self.part.is_covered(at + outward * self.step, self.slack())
    }

    fn slack(&self) -> f64 {
        tolerance::SEAM_ROUND_OFF * self.step
    }

    /// True if the face of A with the normal `outward` is covered at a point and does not emerge from a part
    /// that covers it on the side of `nearest`, a point of the other solid.
    fn is_hidden(&self, at: Coordinate, outward: Vec3, nearest: Coordinate) -> bool {
        let mut hidden = false;
        self.part.visit_covering(at + outward * self.step, self.slack(), &mut |solid, frame| {
            hidden = hidden || !self.comes_out(at, outward, solid, frame, nearest);
        });
        hidden
    }

    /// True if the face of A, followed from a point inside `cover` (a solid at `frame`) to the plane of the
    /// face of `cover` that `nearest` is least below, continues beyond it. Faces antiparallel to that of A
    /// are its seam and do not count.
    fn comes_out(
        &self,
        at: Coordinate,
        outward: Vec3,
        cover: &Solid<'_>,
        frame: &ReferenceFrame,
        nearest: Coordinate,
    ) -> bool {
        let seen = frame.point_to_local(nearest);
        let mut side: Option<(f64, Vec3, f64)> = None;
        for_each_face(&cover.core, &mut |normal, height| {
            let over = normal.dot(seen) - height;
            let across = frame.direction_to_parent(normal).cross(outward).length();
            if across > tolerance::FEATURE_ALIGNED && side.is_none_or(|(most, ..)| over > most) {
                side = Some((over, normal, height + cover.radius));
            }
        });
        let Some((_, normal, height)) = side else { return false };
        let up = frame.direction_to_parent(normal);
        let along = up - outward * outward.dot(up);
        let sine = along.length();
        let below = height - normal.dot(frame.point_to_local(at));
        // Twice as far over the plane as the point just outside the face is over or below it.
        let beyond = (below + 2.0 * self.step * (1.0 + outward.dot(up).abs())) / sine;
        let place = at + along * (beyond / sine);
        contains(self.pair.a, place - outward * self.step, self.slack()) && !self.is_covered(place, outward)
    }
}

/// The same where B is the part.
pub(super) fn without_seams_of_b(
    pair: &ConvexPair<'_>,
    part: &CompoundMember<'_>,
    found: ContactManifold,
    margin: f64,
) -> ContactManifold {
    let rotation = pair.pose.rotation.transpose();
    let pose = RelativePose { rotation, translation: -(rotation * pair.pose.translation) };
    let mut seen_from_b = found.swapped();
    seen_from_b.normal = rotation * seen_from_b.normal;
    let swapped = ConvexPair { a: pair.b, b: pair.a, pose, ..*pair };
    let mut kept = without_seams(&swapped, part, seen_from_b, margin).swapped();
    kept.normal = pair.pose.rotation * kept.normal;
    kept
}

/// Contacts of B, whose point nearest to A is `nearest`, over the visible face of A with the least overlap
/// next to `place`.
fn along_free_face(
    seams: &Seams<'_>,
    place: Coordinate,
    nearest: Coordinate,
    margin: f64,
) -> ContactManifold {
    let pair = seams.pair;
    let (a, b) = (&pair.a.core, &pair.b.core);
    let difference = MinkowskiDifference { a, b, pose: pair.pose };
    let mut best: Option<(f64, Vec3)> = None;
    for_each_face(a, &mut |normal, height| {
        let on_face = place + normal * (height - normal.dot(place));
        let reach = difference.reach(normal);
        let top = normal.dot(difference.support(-normal, [0; 2]).on_b) + pair.b.radius;
        let least = best.is_none_or(|b| reach < b.0) && top > height + pair.a.radius;
        if least && !seams.is_hidden(on_face, normal, nearest) {
            best = Some((reach, normal));
        }
    });
    let Some((_, normal)) = best else { return ContactManifold::EMPTY };
    let radii = pair.a.radius + pair.b.radius;
    match manifold_builder::face_points(a, b, &pair.pose, normal, margin + radii) {
        Some(over) => {
            let slack = tolerance::SEAM_STEP * a.size();
            let mut kept = ContactManifold::with_normal(normal);
            let mut rounded = ContactManifold::EMPTY;
            manifold_builder::round(&over, [pair.a.radius, pair.b.radius], &pair.pose, &mut rounded);
            for point in rounded.points() {
                if contains(pair.a, point.anchor_a - normal * slack, slack) {
                    kept.push(*point);
                }
            }
            kept
        }
        None => ContactManifold::EMPTY,
    }
}

impl CompoundMember<'_> {
    /// True if a point of the part's frame lies in another part, to within `slack`.
    fn is_covered(&self, local: Coordinate, slack: f64) -> bool {
        let mut covered = false;
        self.visit_covering(local, slack, &mut |_, _| covered = true);
        covered
    }

    /// Visits the other parts that contain a point of the part's frame, to within `slack`, with their poses
    /// in that frame.
    fn visit_covering(
        &self,
        local: Coordinate,
        slack: f64,
        visit: &mut dyn FnMut(&Solid<'_>, &ReferenceFrame),
    ) {
        let point = self.frame.point_to_parent(local);
        let near = Aabb::new(point, point).expanded(slack);
        visit_parts(self.compound, &ReferenceFrame::IDENTITY, &near, &mut |other| {
            if let ConvexPart::Solid(solid) = &other.part
                && other.number != self.number
                && contains(solid, other.frame.point_to_local(point), slack)
            {
                visit(solid, &self.frame.frame_to_local(&other.frame));
            }
        });
    }
}

/// True if a point of the solid's frame is not more than `slack` outside of it.
fn contains(solid: &Solid<'_>, point: Coordinate, slack: f64) -> bool {
    if let Core::Hull(hull) = &solid.core {
        return hull.faces().iter().all(|face| hull.height_above(face, point) <= slack);
    }
    nearest_on_surface(&solid.core, point).is_some_and(|near| near.distance - solid.radius <= slack)
}

/// The flat faces of a core: unit outward normal and height of the plane over the origin.
fn for_each_face(core: &Core<'_>, visit: &mut dyn FnMut(Vec3, f64)) {
    match core {
        Core::Cuboid { half } => {
            for (axis, height) in [(Vec3::X, half.x), (Vec3::Y, half.y), (Vec3::Z, half.z)] {
                visit(axis, height);
                visit(-axis, height);
            }
        }
        Core::Hull(hull) => hull.faces().iter().for_each(|face| visit(face.normal, face.offset)),
        Core::Cylinder { half, .. } => {
            visit(Vec3::Z, *half);
            visit(-Vec3::Z, *half);
        }
        Core::Cone { half, .. } => visit(-Vec3::Z, *half),
        Core::Point
        | Core::Segment { .. }
        | Core::Ellipsoid(_)
        | Core::TwoBalls { .. }
        | Core::Triangle(_) => {}
    }
}

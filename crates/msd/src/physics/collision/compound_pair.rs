//! A part of a compound with a convex solid: contacts that do not catch on the seams between parts.
//!
//! Where two parts meet, the faces they turn to each other are inside the solid and nothing can be touched there, yet
//! next to the seam the shortest way out of one part alone is often through such a face, or leans towards it: a bump
//! where the surface has none. A face is *covered* at a contact if a point just outside it lies in another part. A
//! contact whose normal leans on a covered face is taken instead along the free face with the least overlap, and left
//! to the other parts if nothing of the solid is over that face.

use super::assembly;
use super::closed_form::nearest_on_surface;
use super::convex_pair::ConvexPair;
use super::manifold::ContactManifold;
use super::pieces::{Piece, visit_pieces};
use super::solid::{Core, Solid};
use super::support_function::{MinkowskiDifference, RelativePose};
use crate::math::{Coordinate, ReferenceFrame, Vec3};
use crate::physics::rigid_body::shape::{Aabb, Shape};
use crate::tolerance;

/// One part of a compound: where it stands in the compound, and its number.
#[derive(Clone, Copy)]
pub(super) struct Part<'a> {
    pub compound: &'a Shape,
    pub frame: ReferenceFrame,
    pub number: u32,
}

/// The contacts `found` of A, a part, with B, without what other parts of its compound cover.
pub(super) fn without_seams(
    pair: &ConvexPair<'_>,
    part: &Part<'_>,
    found: ContactManifold,
    margin: f64,
) -> ContactManifold {
    let deepest = found.deepest();
    let Some(touch) = found.points().iter().find(|p| p.distance == deepest) else { return found };
    let size = pair.a.core.size() + pair.a.radius;
    let step = tolerance::SEAM_STEP * size;
    let covered = |at: Coordinate, outward: Vec3| {
        part.is_covered(at + outward * step, tolerance::SEAM_ROUND_OFF * step)
    };
    let mut leans = covered(touch.anchor_a, found.normal);
    for_each_face(&pair.a.core, &mut |normal, height| {
        let on_face = normal.dot(touch.anchor_a) >= height - step;
        let towards = found.normal.dot(normal) > tolerance::FEATURE_ALIGNED;
        leans = leans || on_face && towards && covered(touch.anchor_a, normal);
    });
    if !leans {
        return found;
    }
    along_free_face(pair, touch.anchor_a, &covered, margin)
}

/// The same where B is the part.
pub(super) fn without_seams_of_b(
    pair: &ConvexPair<'_>,
    part: &Part<'_>,
    found: ContactManifold,
    margin: f64,
) -> ContactManifold {
    let rotation = pair.pose.rotation.transpose();
    let pose = RelativePose { rotation, translation: -(rotation * pair.pose.translation) };
    let mut seen_from_b = found.swapped();
    seen_from_b.normal = rotation * seen_from_b.normal;
    let swapped = ConvexPair { a: pair.b, b: pair.a, pose };
    let mut kept = without_seams(&swapped, part, seen_from_b, margin).swapped();
    kept.normal = pair.pose.rotation * kept.normal;
    kept
}

/// Contacts of B over the free face of A with the least overlap.
fn along_free_face(
    pair: &ConvexPair<'_>,
    place: Coordinate,
    covered: &dyn Fn(Coordinate, Vec3) -> bool,
    margin: f64,
) -> ContactManifold {
    let (a, b) = (&pair.a.core, &pair.b.core);
    let difference = MinkowskiDifference { a, b, pose: pair.pose };
    let mut best: Option<(f64, Vec3)> = None;
    for_each_face(a, &mut |normal, height| {
        let on_face = place + normal * (height - normal.dot(place));
        let reach = difference.reach(normal);
        if best.is_none_or(|b| reach < b.0) && !covered(on_face, normal) {
            best = Some((reach, normal));
        }
    });
    let Some((_, normal)) = best else { return ContactManifold::EMPTY };
    let radii = pair.a.radius + pair.b.radius;
    match assembly::face_points(a, b, &pair.pose, normal, margin + radii) {
        Some(over) => {
            let slack = tolerance::SEAM_STEP * a.size();
            let mut kept = ContactManifold::with_normal(normal);
            let mut rounded = ContactManifold::EMPTY;
            assembly::round(&over, [pair.a.radius, pair.b.radius], &pair.pose, &mut rounded);
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

impl Part<'_> {
    /// True if a point of the part's frame lies in another part, to within `slack`.
    fn is_covered(&self, local: Coordinate, slack: f64) -> bool {
        let point = self.frame.point_to_parent(local);
        let mut covered = false;
        let near = Aabb::new(point, point).expanded(slack);
        visit_pieces(self.compound, &ReferenceFrame::IDENTITY, &near, &mut |other| {
            if let Piece::Solid(solid) = &other.piece
                && other.number != self.number
            {
                covered = covered || contains(solid, other.frame.point_to_local(point), slack);
            }
        });
        covered
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
        Core::Point | Core::Segment { .. } | Core::Triangle(_) => {}
    }
}

//! Contacts of two convex parts: parts of a compound, triangles of a mesh, a half-space or a convex shape.

use super::adjacent_faces::prefer_face_contact;
use super::compound_pair::{self, CompoundMember};
use super::convex_parts::{ConvexPart, PlacedPart};
use super::gjk::GjkStart;
use super::half_space_pair;
use super::manifold::ContactManifold;
use super::mesh_pair;
use super::solid_pair::ConvexPair;
use super::support_function::RelativePose;
use super::tube_ends::tube_ends;
use crate::math::ReferenceFrame;
use crate::physics::rigid_body::shape::Shape;

/// Which contacts of a pair are computed.
#[derive(Clone, Copy, Debug)]
pub(super) struct ContactRequest {
    /// Speculative margin, m.
    pub margin: f64,
    /// True for soft contact, which prefers face contacts.
    pub soft: bool,
    /// See [`ConvexPair::faces_parallel`].
    pub faces_parallel: f64,
}

/// Manifold of two parts: normal in the frame of the first shape, anchors in the frames of the parts. Extra
/// contacts with a triangle, or at the ends of tubes, are written to `extra`, which must be empty.
pub(super) fn part_contacts(
    p: &PlacedPart<'_>,
    q: &PlacedPart<'_>,
    request: ContactRequest,
    start: &mut GjkStart,
    extra: &mut [ContactManifold; 2],
) -> ContactManifold {
    let ContactRequest { margin, soft, faces_parallel } = request;
    match (&p.part, &q.part) {
        (ConvexPart::Solid(a), ConvexPart::Solid(b)) => {
            let pose = RelativePose::between(&p.frame, &q.frame);
            let pair = ConvexPair { a, b, pose, faces_parallel };
            let mut found = match p.mesh {
                Some(mesh) => mesh_pair::contacts(&pair, mesh, p.number as usize, margin, start, extra),
                None => pair.contacts(margin, start),
            };
            if p.mesh.is_none() {
                if soft {
                    prefer_face_contact(&pair, margin, &mut found, false);
                }
                *extra = tube_ends(&pair, &found, margin);
            }
            found.normal = p.frame.direction_to_parent(found.normal);
            for also in extra {
                also.normal = p.frame.direction_to_parent(also.normal);
            }
            found
        }
        (ConvexPart::HalfSpace(plane), ConvexPart::Solid(solid)) => {
            let frame = p.frame.frame_to_local(&q.frame);
            let mut found = half_space_pair::contacts(plane.normal(), plane.offset(), solid, &frame, margin);
            found.normal = p.frame.direction_to_parent(found.normal);
            found
        }
        (ConvexPart::Solid(solid), ConvexPart::HalfSpace(plane)) => {
            let frame = q.frame.frame_to_local(&p.frame);
            let mut found = half_space_pair::contacts(plane.normal(), plane.offset(), solid, &frame, margin);
            found.normal = q.frame.direction_to_parent(found.normal);
            found.swapped()
        }
        (ConvexPart::HalfSpace(_), ConvexPart::HalfSpace(_)) => ContactManifold::EMPTY,
    }
}

/// Contacts of two parts without those that other parts of their compounds cover.
pub(super) fn without_seams(
    [first, second]: [&Shape; 2],
    second_in_first: &ReferenceFrame,
    [p, q]: [&PlacedPart<'_>; 2],
    mut found: ContactManifold,
    margin: f64,
) -> ContactManifold {
    let compounds = [first, second].map(|shape| matches!(shape, Shape::Compound(_)));
    let (ConvexPart::Solid(a), ConvexPart::Solid(b)) = (&p.part, &q.part) else { return found };
    if found.is_empty() || compounds == [false; 2] {
        return found;
    }
    let pair = ConvexPair::new(a, b, RelativePose::between(&p.frame, &q.frame));
    found.normal = p.frame.direction_to_local(found.normal);
    if compounds[0] {
        let part = CompoundMember { compound: first, frame: p.frame, number: p.number };
        found = compound_pair::without_seams(&pair, &part, found, margin);
    }
    if compounds[1] {
        let frame = second_in_first.frame_to_local(&q.frame);
        let part = CompoundMember { compound: second, frame, number: q.number };
        found = compound_pair::without_seams_of_b(&pair, &part, found, margin);
    }
    found.normal = p.frame.direction_to_parent(found.normal);
    found
}

/// Transforms anchors from the frames of the parts to those of their shapes.
pub(super) fn anchor_in_shapes(
    manifold: &mut ContactManifold,
    part_a: &ReferenceFrame,
    part_b: &ReferenceFrame,
    second_in_first: &ReferenceFrame,
) {
    for p in manifold.points_mut() {
        if *part_a != ReferenceFrame::IDENTITY {
            p.anchor_a = part_a.point_to_parent(p.anchor_a);
        }
        if part_b != second_in_first {
            p.anchor_b = second_in_first.point_to_local(part_b.point_to_parent(p.anchor_b));
        }
    }
}

//! Distance, overlap and contact queries for any two shapes in any poses.
//!
//! Poses are of the shapes' local frames in a common parent, the world; results are in the world frame with
//! normals from A to B. For compounds and meshes the result is that of their nearest (deepest) pair of convex
//! parts.
//!
//! A pair and its mirror image (A and B exchanged) are the same computation: the pair is sorted first, so
//! that exchanging the arguments negates the normal and swaps the points to the last bit.

use super::collision_result::CollisionResult;
use super::convex_parts::{ConvexPart, PlacedPart, bounds, region_of, visit_parts};
use super::gjk::{Gjk, GjkStart, GjkStatus};
use super::half_space_pair::LocalPlane;
use super::manifold::{ContactManifold, Poses};
use super::manifold_cache::ManifoldCache;
use super::mesh_pair;
use super::pair_order::in_order;
use super::signed_distance;
use super::solid::Solid;
use super::solid_pair::ConvexPair;
use super::support_function::{MinkowskiDifference, RelativePose};
use crate::math::{Coordinate, ReferenceFrame, Vec3, scalar};
use crate::physics::rigid_body::shape::{Aabb, Shape};

/// Signed distance of two shapes; world frame, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// Positive apart, negative overlapping: minus the shortest move that separates them.
    pub signed: f64,
    /// Nearest (deepest) point of A's surface.
    pub witness_a: Coordinate,
    /// Nearest (deepest) point of B's surface: `witness_b - witness_a = signed · normal`.
    pub witness_b: Coordinate,
    /// Unit, from A to B.
    pub normal: Vec3,
}

impl Distance {
    fn swapped(self) -> Self {
        Self { witness_a: self.witness_b, witness_b: self.witness_a, normal: -self.normal, ..self }
    }
}

/// Signed distance and witness points of any two shapes. Two half-spaces overlap without bound unless they face each
/// other; `signed` is then minus infinity.
#[must_use]
pub fn distance(a: &Shape, pose_a: &ReferenceFrame, b: &Shape, pose_b: &ReferenceFrame) -> Distance {
    if in_order(a, pose_a, b, pose_b) {
        ordered_distance(a, pose_a, b, pose_b)
    } else {
        ordered_distance(b, pose_b, a, pose_a).swapped()
    }
}

/// True if the shapes share a point.
#[must_use]
pub fn intersects(a: &Shape, pose_a: &ReferenceFrame, b: &Shape, pose_b: &ReferenceFrame) -> bool {
    if let (Some(convex_a), Some(convex_b)) = (a.as_convex(), b.as_convex()) {
        let (a, b): (Solid<'_>, Solid<'_>) = (convex_a.into(), convex_b.into());
        let difference =
            MinkowskiDifference { a: &a.core, b: &b.core, pose: RelativePose::between(pose_a, pose_b) };
        let radii = a.radius + b.radius;
        let near = Gjk { max_distance: radii, ..Gjk::default() }.distance(&difference, &GjkStart::COLD);
        return near.status == GjkStatus::Overlapping
            || near.status != GjkStatus::BeyondLimit && near.distance() <= radii;
    }
    distance(a, pose_a, b, pose_b).signed <= 0.0
}

/// How two shapes overlap; `None` if they do not.
#[must_use]
pub fn penetration(
    a: &Shape,
    pose_a: &ReferenceFrame,
    b: &Shape,
    pose_b: &ReferenceFrame,
) -> Option<CollisionResult> {
    let found = distance(a, pose_a, b, pose_b);
    (found.signed <= 0.0).then_some(CollisionResult {
        normal: found.normal,
        penetration_depth: -found.signed,
        contact_point_a: found.witness_a,
        contact_point_b: found.witness_b,
    })
}

/// Contact points of two shapes with gaps up to `margin` metres, for a single query; for compounds and meshes
/// the manifold of the deepest pair of parts. A simulation keeps a [`ManifoldCache`] for each pair instead.
#[must_use]
pub fn manifold(
    a: &Shape,
    pose_a: &ReferenceFrame,
    b: &Shape,
    pose_b: &ReferenceFrame,
    margin: f64,
) -> ContactManifold {
    if let (Some(convex_a), Some(convex_b)) = (a.as_convex(), b.as_convex()) {
        let (solid_a, solid_b) = (convex_a.into(), convex_b.into());
        return if in_order(a, pose_a, b, pose_b) {
            convex_manifold(&solid_a, pose_a, &solid_b, pose_b, margin, false)
        } else {
            convex_manifold(&solid_b, pose_b, &solid_a, pose_a, margin, true)
        };
    }
    let mut cache = ManifoldCache::default();
    let mut found = ContactManifold::EMPTY;
    let deeper = |best: &ContactManifold, m: &ContactManifold| m.deepest() < best.deepest();
    for m in cache.update(a, pose_a, b, pose_b, margin) {
        if found.is_empty() || deeper(&found, &m.manifold) {
            found = m.manifold;
        }
    }
    found
}

fn convex_distance(
    a: &Solid<'_>,
    pose_a: &ReferenceFrame,
    b: &Solid<'_>,
    pose_b: &ReferenceFrame,
) -> Distance {
    let found = signed_distance::between(a, b, &RelativePose::between(pose_a, pose_b));
    let turn = pose_a.rotation();
    Distance {
        signed: found.distance,
        witness_a: pose_a.position + turn * found.on_a,
        witness_b: pose_a.position + turn * found.on_b,
        normal: turn * found.normal,
    }
}

fn convex_manifold(
    a: &Solid<'_>,
    pose_a: &ReferenceFrame,
    b: &Solid<'_>,
    pose_b: &ReferenceFrame,
    margin: f64,
    exchanged: bool,
) -> ContactManifold {
    let pair = ConvexPair::new(a, b, RelativePose::between(pose_a, pose_b));
    let mut start = GjkStart::COLD;
    // Most single queries find separated shapes, and a manifold is large.
    let Some(near) = pair.query(margin, &mut start) else { return ContactManifold::EMPTY };
    let mut found = ContactManifold::EMPTY;
    pair.contacts_at(&near, margin, &mut start, &mut found);
    if !found.is_empty() {
        found.place(pose_a.direction_to_parent(found.normal), &Poses::new(pose_a, pose_b));
    }
    if exchanged {
        found.swap();
    }
    found
}

/// Distance of two parts, frame of A.
#[derive(Clone, Copy)]
struct PartDistance {
    signed: f64,
    on_a: Coordinate,
    on_b: Coordinate,
    normal: Vec3,
}

fn ordered_distance(a: &Shape, pose_a: &ReferenceFrame, b: &Shape, pose_b: &ReferenceFrame) -> Distance {
    if let (Some(convex_a), Some(convex_b)) = (a.as_convex(), b.as_convex()) {
        return convex_distance(&convex_a.into(), pose_a, &convex_b.into(), pose_b);
    }
    let b_in_a = pose_a.frame_to_local(pose_b);
    let mut best: Option<PartDistance> = None;
    visit_parts(a, &ReferenceFrame::IDENTITY, &around_nearest(a, b, &b_in_a), &mut |part_a| {
        let region = worth_visiting(&part_a, best.map(|n| n.signed), b, &b_in_a);
        visit_parts(b, &b_in_a, &region, &mut |part_b| {
            let found = part_distance(&part_a, &part_b);
            if best.is_none_or(|n| found.signed < n.signed) {
                best = Some(found);
            }
        });
    });
    if let Shape::Mesh(mesh) = a
        && best.is_none_or(|n| n.signed > 0.0)
    {
        visit_parts(b, &b_in_a, &Aabb::EVERYWHERE, &mut |part_b| {
            let ConvexPart::Solid(solid) = &part_b.part else { return };
            if let Some(way) = mesh_pair::interior_penetration(mesh, solid, &part_b.frame)
                && best.is_none_or(|n| way.distance < n.signed)
            {
                let mesh_pair::InteriorPenetration { distance: signed, on_a, on_b, normal, .. } = way;
                best = Some(PartDistance { signed, on_a, on_b, normal });
            }
        });
    }
    let best = best.unwrap_or(PartDistance {
        signed: f64::INFINITY,
        on_a: Vec3::ZERO,
        on_b: Vec3::ZERO,
        normal: Vec3::Z,
    });
    Distance {
        signed: best.signed,
        witness_a: pose_a.point_to_parent(best.on_a),
        witness_b: pose_a.point_to_parent(best.on_b),
        normal: pose_a.direction_to_parent(best.normal),
    }
}

/// The region that the part of A nearest to B overlaps: for a compound everything no farther from B than the
/// part with the nearest box.
fn around_nearest(a: &Shape, b: &Shape, b_in_a: &ReferenceFrame) -> Aabb {
    let Shape::Compound(compound) = a else { return Aabb::EVERYWHERE };
    if !b.is_bounded() {
        return Aabb::EVERYWHERE;
    }
    let region = region_of(b, b_in_a, 0.0);
    let gaps = compound.part_bounds().iter().map(|bounds| bounds.gap(&region));
    let nearest = compound.parts().iter().zip(gaps).min_by(|p, q| p.1.total_cmp(&q.1));
    let mut least = f64::INFINITY;
    if let Some((part, _)) = nearest {
        visit_parts(&part.shape, &part.frame, &Aabb::EVERYWHERE, &mut |part_a| {
            visit_parts(b, b_in_a, &Aabb::EVERYWHERE, &mut |part_b| {
                least = scalar::min(least, part_distance(&part_a, &part_b).signed);
            });
        });
    }
    region.expanded(scalar::max(least, 0.0))
}

/// The region in which parts of B can be nearer to a part of A than the best distance so far.
fn worth_visiting(part: &PlacedPart<'_>, known: Option<f64>, b: &Shape, b_in_a: &ReferenceFrame) -> Aabb {
    let composite = matches!(b, Shape::Compound(_) | Shape::Mesh(_));
    let ConvexPart::Solid(solid) = &part.part else { return Aabb::EVERYWHERE };
    if !composite && known.is_none() {
        return Aabb::EVERYWHERE;
    }
    let bounds = bounds(solid, &part.frame);
    // A surface point of B gives an upper bound of the distance before any pair is tested.
    let guess = match b {
        Shape::Mesh(mesh) => {
            let center = part.frame.position;
            let on_mesh = b_in_a.point_to_parent(mesh.nearest(b_in_a.point_to_local(center)).point);
            (on_mesh - bounds.center()).length() + 0.5 * bounds.size().length()
        }
        _ => f64::INFINITY,
    };
    let within = known.map_or(guess, |k| scalar::min(guess, k));
    if within.is_finite() { bounds.expanded(scalar::max(within, 0.0)) } else { Aabb::EVERYWHERE }
}

fn part_distance(a: &PlacedPart<'_>, b: &PlacedPart<'_>) -> PartDistance {
    match (&a.part, &b.part) {
        (ConvexPart::Solid(solid_a), ConvexPart::Solid(solid_b)) => {
            let pose = RelativePose::between(&a.frame, &b.frame);
            let s = signed_distance::between(solid_a, solid_b, &pose);
            PartDistance {
                signed: s.distance,
                on_a: a.frame.point_to_parent(s.on_a),
                on_b: a.frame.point_to_parent(s.on_b),
                normal: a.frame.direction_to_parent(s.normal),
            }
        }
        (ConvexPart::HalfSpace(plane), ConvexPart::Solid(solid)) => {
            over_plane(&a.frame, plane.normal(), plane.offset(), solid, b)
        }
        (ConvexPart::Solid(solid), ConvexPart::HalfSpace(plane)) => {
            let n = over_plane(&b.frame, plane.normal(), plane.offset(), solid, a);
            PartDistance { on_a: n.on_b, on_b: n.on_a, normal: -n.normal, ..n }
        }
        (ConvexPart::HalfSpace(p), ConvexPart::HalfSpace(q)) => {
            let (n, m) = (a.frame.direction_to_parent(p.normal()), b.frame.direction_to_parent(q.normal()));
            let on_a = a.frame.point_to_parent(p.normal() * p.offset());
            let on_b = b.frame.point_to_parent(q.normal() * q.offset());
            let facing = n.dot(m) < 0.0 && n.cross(m).length() <= crate::tolerance::FEATURE_ALIGNED;
            let signed = if facing { n.dot(on_b - on_a) } else { f64::NEG_INFINITY };
            PartDistance { signed, on_a, on_b: if facing { on_a + n * signed } else { on_b }, normal: n }
        }
    }
}

/// Distance of a plane, given in `plane_frame`, and a solid, both in the frame of A; the plane counts as A.
fn over_plane(
    plane_frame: &ReferenceFrame,
    normal: Vec3,
    offset: f64,
    solid: &Solid<'_>,
    at: &PlacedPart<'_>,
) -> PartDistance {
    let relative = plane_frame.frame_to_local(&at.frame);
    let (lowest, height) = LocalPlane::new(normal, offset, &relative).lowest(solid);
    let on_b = at.frame.point_to_parent(lowest);
    let normal = plane_frame.direction_to_parent(normal);
    PartDistance { signed: height, on_a: on_b - normal * height, on_b, normal }
}

//! The contact cache of a pair of shapes.
//!
//! - Contact points are matched by feature, then by the nearest point on A, and keep their impulses for warm
//!   starting. Friction impulses are stored as vectors, so that a small rotation of the normal does not
//!   rotate the friction with it.
//! - A separated pair starts from its last separating direction.
//! - A pair whose relative pose has changed little since its manifold was built is recycled (`recycling`):
//!   its points move with the bodies, and their gaps follow from the anchors.
//! - A pair with a proven gap is skipped until it can have closed that gap.

use serde::{Deserialize, Serialize};

use super::adjacent_faces::{adjacent_face_contacts, prefer_face_contact};
use super::contact_impulse::ContactImpulse;
use super::contact_matching;
use super::convex_parts::{ConvexPart, bounds, gap_to_parts, region_of, visit_parts};
use super::features::FACES_PARALLEL;
use super::gjk::GjkStart;
use super::manifold::{ContactManifold, ContactPoint, FeatureId, MAX_POINTS, Poses};
use super::mesh_pair;
use super::pair_order::in_order;
use super::part_pair::{ContactRequest, anchor_in_shapes, part_contacts, without_seams};
use super::persistent_manifold::PersistentManifold;
use super::recycling::{BuiltAt, Recycling, reach_of, rolls, seen_from};
use super::solid_pair::ConvexPair;
use super::support_function::RelativePose;
use super::tube_ends::tube_ends;
use crate::math::{ReferenceFrame, Vec3, scalar};
use crate::physics::rigid_body::shape::{Aabb, Shape, TriangleMesh};

/// The same contacts after a small motion; the normal is fixed in A.
fn follow(manifold: &mut PersistentManifold, poses: &Poses) {
    let normal = poses.rotation_a * manifold.normal_in_a;
    if normal != manifold.manifold.normal {
        for impulse in &mut manifold.impulses[..manifold.manifold.points().len()] {
            *impulse = contact_matching::rotate_friction(impulse, manifold.manifold.normal, normal);
        }
    }
    manifold.manifold.follow(normal, poses);
}

/// The contacts of one pair of shapes over time. All of it is state: a stored and restored cache continues
/// bit by bit like the original. Two caches are equal if they continue alike. Data needed only to rebuild
/// contacts is stored separately, so that recycled and separated pairs do not touch it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ManifoldCache {
    manifolds: Vec<PersistentManifold>,
    built: Option<BuiltAt>,
    /// True if the last update recycled the manifolds.
    #[serde(skip)]
    kept: bool,
    /// Kind of the last update, for rollback.
    #[serde(skip)]
    last: LastUpdate,
    /// Workspace: normals and impulses before they were rotated.
    #[serde(skip)]
    before_rotation: Vec<(Vec3, [ContactImpulse; MAX_POINTS])>,
    rebuild: Box<Rebuild>,
}

/// Warm starts for rebuilding, and the previous contents for rollback.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Rebuild {
    starts: GjkStarts,
    #[serde(skip)]
    previous: Vec<PersistentManifold>,
    #[serde(skip)]
    previous_starts: GjkStarts,
    #[serde(skip)]
    previous_built: Option<BuiltAt>,
}

/// GJK warm starts: of a pair of convex shapes, or of all nearby pairs of parts, sorted by their indices.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct GjkStarts {
    convex: GjkStart,
    parts: Vec<([u32; 2], GjkStart)>,
}

impl GjkStarts {
    fn clear(&mut self) {
        self.convex = GjkStart::COLD;
        self.parts.clear();
    }
}

/// Kind of an update.
#[derive(Clone, Copy, Debug, Default)]
enum LastUpdate {
    /// Positions were moved with the bodies; no later update depends on it.
    #[default]
    Recycled,
    /// Normals rotated; `before_rotation` holds the previous normals and impulses.
    Turned,
    /// Rebuilt; `rebuild` holds the previous contents.
    Rebuilt,
}

impl PartialEq for ManifoldCache {
    fn eq(&self, other: &Self) -> bool {
        self.manifolds == other.manifolds
            && self.rebuild.starts == other.rebuild.starts
            && self.built == other.built
    }
}

impl ManifoldCache {
    /// The manifolds of the last update, sorted by parts; none is empty.
    #[must_use]
    pub fn manifolds(&self) -> &[PersistentManifold] {
        &self.manifolds
    }

    /// The same, for the solver to store impulses in.
    pub fn manifolds_mut(&mut self) -> &mut [PersistentManifold] {
        &mut self.manifolds
    }

    /// Clears everything, impulses included.
    pub fn clear(&mut self) {
        self.manifolds.clear();
        self.rebuild.starts.clear();
        self.built = None;
    }

    /// Rolls back the last update.
    pub fn rollback(&mut self) {
        match std::mem::take(&mut self.last) {
            LastUpdate::Recycled => {}
            LastUpdate::Turned => {
                for (m, (normal, impulses)) in self.manifolds.iter_mut().zip(&self.before_rotation) {
                    (m.manifold.normal, m.impulses) = (*normal, *impulses);
                }
            }
            LastUpdate::Rebuilt => {
                self.swap_buffers();
                self.built = self.rebuild.previous_built;
            }
        }
    }

    /// Contacts of the pair in its present poses (local frames of the shapes in the world) with gaps up to `margin`
    /// metres. Allocates nothing once it has held as many manifolds before.
    pub fn update(
        &mut self,
        a: &Shape,
        pose_a: &ReferenceFrame,
        b: &Shape,
        pose_b: &ReferenceFrame,
        margin: f64,
    ) -> &[PersistentManifold] {
        self.update_by([a, b], [pose_a, pose_b], margin, Recycling::Close)
    }

    /// As [`ManifoldCache::update`], with contacts recycled as far as `recycling` allows.
    pub fn update_by(
        &mut self,
        [a, b]: [&Shape; 2],
        [pose_a, pose_b]: [&ReferenceFrame; 2],
        margin: f64,
        recycling: Recycling,
    ) -> &[PersistentManifold] {
        let kept = self.refresh([a, b], [pose_a, pose_b], margin, recycling);
        if !self.manifolds.is_empty() {
            let poses = Poses::new(pose_a, pose_b);
            if kept {
                self.follow(&poses);
            } else {
                self.manifolds.iter_mut().for_each(|m| m.manifold.place(m.manifold.normal, &poses));
            }
        }
        &self.manifolds
    }

    /// As [`ManifoldCache::update_by`], without world positions. True if the manifolds are recycled: nothing
    /// has changed then, and [`PersistentManifold::at_poses`] evaluates the points at the current poses.
    pub(super) fn refresh(
        &mut self,
        [a, b]: [&Shape; 2],
        [pose_a, pose_b]: [&ReferenceFrame; 2],
        margin: f64,
        recycling: Recycling,
    ) -> bool {
        if let Some(built) = &self.built
            && built.holds_at(&seen_from(pose_a, pose_b), margin, recycling, || rolls(a) || rolls(b))
        {
            self.last = LastUpdate::Recycled;
            self.kept = true;
            return true;
        }
        let soft = matches!(recycling, Recycling::Wide(_));
        let request = ContactRequest { margin, soft, faces_parallel: FACES_PARALLEL };
        self.build([a, b], [pose_a, pose_b], request, recycling);
        false
    }

    /// Contacts of two bodies at the instant at which they touch, in their present poses, with gaps up to `margin` metres; nothing is
    /// recycled. Normals are those of least overlap also where two faces are parallel to within an angle for which
    /// [`ManifoldCache::update`] takes the faces.
    pub(crate) fn at_instant(
        &mut self,
        shapes: [&Shape; 2],
        poses: [&ReferenceFrame; 2],
        margin: f64,
    ) -> &[PersistentManifold] {
        self.clear();
        self.build(
            shapes,
            poses,
            ContactRequest { margin, soft: false, faces_parallel: 0.0 },
            Recycling::Close,
        );
        let poses = Poses::new(poses[0], poses[1]);
        self.manifolds.iter_mut().for_each(|m| m.manifold.place(m.manifold.normal, &poses));
        &self.manifolds
    }

    /// Builds the manifolds.
    fn build(
        &mut self,
        [a, b]: [&Shape; 2],
        [pose_a, pose_b]: [&ReferenceFrame; 2],
        request: ContactRequest,
        recycling: Recycling,
    ) {
        let (margin, b_in_a) = (request.margin, seen_from(pose_a, pose_b));
        self.kept = false;
        self.last = LastUpdate::Rebuilt;
        self.rebuild.previous_built = self.built;
        self.swap_buffers();
        self.rebuild.starts.clear();
        let gap = if in_order(a, pose_a, b, pose_b) {
            self.collect([a, b], pose_a, &pose_a.frame_to_local(pose_b), request, false)
        } else {
            self.collect([b, a], pose_b, &pose_b.frame_to_local(pose_a), request, true)
        };
        self.finish(pose_a);
        self.built = if self.manifolds.is_empty() {
            (gap > margin).then(|| BuiltAt { b_in_a, margin, reach: reach_of(b), gap })
        } else {
            let reach = match recycling {
                // Over a displacement this large, parts of B that were far from its contacts may come near.
                Recycling::Wide(_) if b.is_bounded() => reach_of(b),
                _ => {
                    let anchors = self.manifolds.iter().flat_map(|m| m.manifold.points());
                    anchors.fold(0.0, |r, p| scalar::max(r, p.anchor_b.length_squared())).sqrt()
                }
            };
            Some(BuiltAt { b_in_a, margin, reach, gap: 0.0 })
        };
    }

    /// Swaps the current and the previous contents.
    fn swap_buffers(&mut self) {
        std::mem::swap(&mut self.manifolds, &mut self.rebuild.previous);
        std::mem::swap(&mut self.rebuild.starts, &mut self.rebuild.previous_starts);
    }

    /// True if the last update recycled the manifolds ([`ManifoldCache::refresh`]).
    pub(super) fn is_recycled(&self) -> bool {
        self.kept
    }

    /// Moves the manifolds with the bodies.
    fn follow(&mut self, poses: &Poses) {
        if self.manifolds.iter().any(|m| m.turns_with(poses)) {
            self.before_rotation.clear();
            self.before_rotation.extend(self.manifolds.iter().map(|m| (m.manifold.normal, m.impulses)));
            self.last = LastUpdate::Turned;
        }
        self.manifolds.iter_mut().for_each(|m| follow(m, poses));
    }

    /// Manifolds of all nearby pairs of parts, with anchors but not yet world positions. Returns the proven
    /// distance of the shapes if there are none, m.
    fn collect(
        &mut self,
        [first, second]: [&Shape; 2],
        pose_first: &ReferenceFrame,
        second_in_first: &ReferenceFrame,
        request: ContactRequest,
        swap: bool,
    ) -> f64 {
        let ContactRequest { margin, soft, faces_parallel } = request;
        if let (Some(p), Some(q)) = (first.as_convex(), second.as_convex()) {
            let (p, q) = (p.into(), q.into());
            let pair = ConvexPair { a: &p, b: &q, pose: RelativePose::of(second_in_first), faces_parallel };
            let start = &mut self.rebuild.starts.convex;
            *start = self.rebuild.previous_starts.convex;
            let Some(near) = pair.query(margin, start) else {
                self.manifolds.clear();
                return start.gap;
            };
            // Reuses the manifold of the update before the last.
            self.manifolds.resize(1, PersistentManifold::EMPTY);
            let found = &mut self.manifolds[0];
            found.clear();
            let over_face = pair.contacts_at(&near, margin, start, &mut found.manifold);
            if soft {
                prefer_face_contact(&pair, margin, &mut found.manifold, over_face);
            }
            if found.manifold.is_empty() {
                self.manifolds.clear();
                return start.gap;
            }
            let known = found.manifold;
            let keep = |manifolds: &mut Vec<PersistentManifold>, extra: [ContactManifold; 2]| {
                let all = extra.into_iter().filter(|manifold| !manifold.is_empty());
                manifolds
                    .extend(all.map(|manifold| PersistentManifold { manifold, ..PersistentManifold::EMPTY }));
            };
            if known.points().len() <= 2 {
                if !soft {
                    keep(&mut self.manifolds, adjacent_face_contacts(&pair, &known, margin));
                }
                keep(&mut self.manifolds, tube_ends(&pair, &known, margin));
            }
            for found in &mut self.manifolds {
                found.manifold.normal = pose_first.direction_to_parent(found.manifold.normal);
                if swap {
                    found.manifold.swap();
                }
            }
            return 0.0;
        }
        self.manifolds.clear();
        let around = if composite(first) && second.is_bounded() {
            region_of(second, second_in_first, margin)
        } else {
            Aabb::EVERYWHERE
        };
        visit_parts(first, &ReferenceFrame::IDENTITY, &around, &mut |p| {
            let region = match &p.part {
                ConvexPart::Solid(solid) if composite(second) => bounds(solid, &p.frame).expanded(margin),
                _ => Aabb::EVERYWHERE,
            };
            visit_parts(second, second_in_first, &region, &mut |q| {
                let key = if swap { [q.number, p.number] } else { [p.number, q.number] };
                let before = &self.rebuild.previous_starts.parts;
                let known = before.binary_search_by_key(&key, |s| s.0);
                let mut start = known.map_or(GjkStart::COLD, |k| before[k].1);
                let mut extra = [ContactManifold::EMPTY; 2];
                let found = part_contacts(&p, &q, request, &mut start, &mut extra);
                self.rebuild.starts.parts.push((key, start));
                for found in [found, extra[0], extra[1]].into_iter().filter(|found| !found.is_empty()) {
                    let mut found = without_seams([first, second], second_in_first, [&p, &q], found, margin);
                    anchor_in_shapes(&mut found, &p.frame, &q.frame, second_in_first);
                    self.take(found, key, pose_first, swap);
                }
            });
        });
        if let Shape::Mesh(mesh) = first
            && self.manifolds.is_empty()
        {
            self.collect_interior(mesh, second, pose_first, second_in_first, swap);
        }
        // With several parts, only nearby ones have been tested.
        let none_near = self.rebuild.starts.parts.is_empty() && second.is_bounded();
        if none_near { gap_to_parts(first, &region_of(second, second_in_first, 0.0)) } else { 0.0 }
    }

    /// Contacts that push parts of `second` out of a closed mesh whose surface they do not intersect.
    fn collect_interior(
        &mut self,
        mesh: &TriangleMesh,
        second: &Shape,
        pose_mesh: &ReferenceFrame,
        second_in_mesh: &ReferenceFrame,
        swap: bool,
    ) {
        visit_parts(second, second_in_mesh, &Aabb::EVERYWHERE, &mut |q| {
            let ConvexPart::Solid(solid) = &q.part else { return };
            let Some(way) = mesh_pair::interior_penetration(mesh, solid, &q.frame) else { return };
            let mut found = ContactManifold::with_normal(way.normal);
            found.push(ContactPoint {
                on_a: way.on_a,
                on_b: way.on_b,
                anchor_a: way.on_a,
                anchor_b: second_in_mesh.point_to_local(way.on_b),
                distance: way.distance,
                feature: FeatureId::default(),
            });
            let key = if swap { [q.number, way.triangle] } else { [way.triangle, q.number] };
            self.take(found, key, pose_mesh, swap);
        });
    }

    /// Adds a manifold, unless it is empty, with its world normal and A and B in the caller's order.
    fn take(&mut self, mut found: ContactManifold, key: [u32; 2], pose_first: &ReferenceFrame, swap: bool) {
        if found.is_empty() {
            return;
        }
        found.normal = pose_first.direction_to_parent(found.normal);
        if swap {
            found.swap();
        }
        let [part_a, part_b] = key;
        self.manifolds.push(PersistentManifold {
            part_a,
            part_b,
            manifold: found,
            ..PersistentManifold::EMPTY
        });
    }

    /// Sorts the manifolds, expresses the normals in A and matches the contacts.
    fn finish(&mut self, pose_a: &ReferenceFrame) {
        let key = |m: &PersistentManifold| [m.part_a, m.part_b];
        // Manifolds of the same parts keep their order.
        if !self.manifolds.is_sorted_by_key(key) {
            self.manifolds.sort_unstable_by_key(key);
        }
        self.rebuild.starts.parts.sort_unstable_by_key(|s| s.0);
        for m in &mut self.manifolds {
            // Normals are in the world frame already.
            m.normal_in_a = pose_a.direction_to_local(m.manifold.normal);
        }
        let mut before = self.rebuild.previous.as_slice();
        for now in self.manifolds.chunk_by_mut(|m, n| key(m) == key(n)) {
            let parts = key(&now[0]);
            before = &before[before.partition_point(|m| key(m) < parts)..];
            let same = before.iter().take_while(|m| key(m) == parts).count();
            contact_matching::match_contacts(now, &before[..same]);
        }
    }
}

fn composite(shape: &Shape) -> bool {
    matches!(shape, Shape::Compound(_) | Shape::Mesh(_))
}

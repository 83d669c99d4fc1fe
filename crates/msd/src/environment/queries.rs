//! Ray casts and box queries on the bodies in their current poses.
//!
//! The first query after a change of positions builds a tree of bounding boxes, and all queries until the
//! next change use it: n bodies cost O(n log n) once, a query about O(log n). A world without queries pays
//! nothing.

use super::World;
use super::body_tree::{BodyTree, box_of};
use crate::math::{ReferenceFrame, Vec3};
use crate::physics::rigid_body::shape::{Aabb, Geometry, Ray, RayHit, Shape};
use crate::physics::rigid_body::{BodyHandle, BodyKind, BodyView, CollisionGroups};

/// Filter of a query: by default all bodies that can collide.
///
/// ```
/// # use msd::environment::{QueryFilter, World};
/// # use msd::physics::rigid_body::CollisionGroups;
/// # let world = World::new();
/// # let own: Vec<_> = world.handles().collect();
/// let terrain = CollisionGroups { groups: u32::MAX, mask: 0b100 };
/// let filter = QueryFilter::new().groups(terrain).excluding(&own);
/// ```
#[derive(Clone, Copy, Default)]
pub struct QueryFilter<'a> {
    groups: CollisionGroups,
    excluded: &'a [BodyHandle],
    predicate: Option<&'a dyn Fn(&BodyView<'_>) -> bool>,
    intangible: bool,
}

impl std::fmt::Debug for QueryFilter<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { groups, excluded, predicate, intangible } = self;
        f.debug_struct("QueryFilter")
            .field("groups", groups)
            .field("excluded", excluded)
            .field("predicate", &predicate.is_some())
            .field("intangible", intangible)
            .finish()
    }
}

impl<'a> QueryFilter<'a> {
    /// Every body that can collide.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Only bodies that a body with these groups would collide with.
    #[must_use]
    pub fn groups(self, groups: CollisionGroups) -> Self {
        Self { groups, ..self }
    }

    /// Excludes these bodies.
    #[must_use]
    pub fn excluding(self, excluded: &'a [BodyHandle]) -> Self {
        Self { excluded, ..self }
    }

    /// Only bodies that satisfy the predicate.
    #[must_use]
    pub fn predicate(self, predicate: &'a dyn Fn(&BodyView<'_>) -> bool) -> Self {
        Self { predicate: Some(predicate), ..self }
    }

    /// Also graphical bodies and bodies with [`CollisionGroups::NONE`], whatever the groups of the query.
    #[must_use]
    pub fn with_intangible(self) -> Self {
        Self { intangible: true, ..self }
    }

    fn accepts(&self, handle: BodyHandle, view: &BodyView<'_>) -> bool {
        let groups = view.body.collision;
        let intangible = view.body.kind == BodyKind::Graphical || groups.is_none();
        let seen = if intangible { self.intangible } else { self.groups.allow(groups) };
        seen && !self.excluded.contains(&handle) && self.predicate.is_none_or(|predicate| predicate(view))
    }
}

impl World {
    /// The first body that a ray hits within `max_distance` metres, in the current poses; at equal distances,
    /// the one in the smaller slot.
    #[must_use]
    pub fn cast_ray(
        &self,
        ray: &Ray,
        max_distance: f64,
        filter: &QueryFilter<'_>,
    ) -> Option<(BodyHandle, RayHit)> {
        let bodies = self.all_bodies();
        let mut best: Option<(usize, RayHit)> = None;
        let mut meet = |id: u32| {
            let slot = id as usize;
            let reach = best.map_or(max_distance, |(_, hit)| hit.distance);
            let view = bodies.view(slot);
            if let Some(shape) = &view.body.shape
                && filter.accepts(self.handle_of(slot), &view)
                && let Some(hit) = in_pose(shape, &view.body.frame(view.state), ray, reach)
                && best
                    .is_none_or(|(s, b)| hit.distance < b.distance || hit.distance == b.distance && slot < s)
            {
                best = Some((slot, hit));
            }
            best.map_or(max_distance, |(_, hit)| hit.distance)
        };
        let BodyTree { tree, unbounded } = self.body_tree();
        let reach = unbounded.iter().fold(max_distance, |_, &id| meet(id));
        tree.along_ray(ray, reach, &mut Vec::new(), meet);
        best.map(|(slot, hit)| (self.handle_of(slot), hit))
    }

    /// The bodies whose bounding boxes overlap `aabb` (world) in the current poses, by slot; and half-spaces
    /// that reach into it.
    #[must_use]
    pub fn bodies_in_box(&self, aabb: &Aabb, filter: &QueryFilter<'_>) -> Vec<BodyHandle> {
        let bodies = self.all_bodies();
        let meets = |slot: usize| {
            let view = bodies.view(slot);
            let frame = view.body.frame(view.state);
            filter.accepts(self.handle_of(slot), &view)
                && match &view.body.shape {
                    Some(Shape::HalfSpace(half_space)) => {
                        let normal = frame.direction_to_parent(half_space.normal());
                        let low: Vec3 = aabb.center() - 0.5 * aabb.size() * normal.signum();
                        half_space.signed_distance(frame.point_to_local(low)) <= 0.0
                    }
                    Some(shape) => box_of(shape, &frame).intersects(aabb),
                    None => false,
                }
        };
        let BodyTree { tree, unbounded } = self.body_tree();
        let mut found: Vec<usize> = unbounded.iter().map(|&id| id as usize).collect();
        tree.overlapping(aabb, &mut Vec::new(), |id| found.push(id as usize));
        found.retain(|&slot| meets(slot));
        found.sort_unstable();
        found.into_iter().map(|slot| self.handle_of(slot)).collect()
    }

    fn body_tree(&self) -> &BodyTree {
        self.workspace
            .body_tree
            .get_or_init(|| BodyTree::of(&self.all_bodies(), |slot| self.slots[slot].occupied))
    }
}

/// Casts a world ray at a shape in a pose.
fn in_pose(shape: &Shape, frame: &ReferenceFrame, ray: &Ray, max_distance: f64) -> Option<RayHit> {
    let local =
        Ray { origin: frame.point_to_local(ray.origin), direction: frame.direction_to_local(ray.direction) };
    let hit = shape.cast_ray(&local, max_distance)?;
    Some(RayHit { normal: frame.direction_to_parent(hit.normal), ..hit })
}

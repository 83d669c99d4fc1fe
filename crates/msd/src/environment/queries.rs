//! Queries on the bodies in their current poses: rays, moving shapes, overlaps, nearest points.
//!
//! The first query after a change of positions builds a tree of bounding boxes, and all queries until the
//! next change use it: n bodies cost O(n log n) once, a query about O(log n). A world without queries pays
//! nothing.

use super::World;
use super::body_tree::{BodyTree, box_of};
use crate::math::{Coordinate, ReferenceFrame, Vec3, scalar};
use crate::physics::collision::{Impact, Motion, Projection, intersects, project_point, time_of_impact};
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

    /// Also graphical bodies, triggers and bodies with [`CollisionGroups::NONE`], whatever the groups of the query.
    #[must_use]
    pub fn with_intangible(self) -> Self {
        Self { intangible: true, ..self }
    }

    fn accepts(&self, handle: BodyHandle, view: &BodyView<'_>) -> bool {
        let groups = view.body.collision;
        let intangible = view.body.kind == BodyKind::Graphical || view.body.trigger || groups.is_none();
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

    /// Every body that a ray hits within `max_distance` metres, each with its first hit, by distance and then by slot.
    #[must_use]
    pub fn cast_ray_all(
        &self,
        ray: &Ray,
        max_distance: f64,
        filter: &QueryFilter<'_>,
    ) -> Vec<(BodyHandle, RayHit)> {
        let mut hits: Vec<(usize, RayHit)> = Vec::new();
        let mut meet = |id: u32| {
            let slot = id as usize;
            if let Some((shape, frame)) = self.accepted(slot, filter)
                && let Some(hit) = in_pose(shape, &frame, ray, max_distance)
            {
                hits.push((slot, hit));
            }
            max_distance
        };
        let BodyTree { tree, unbounded } = self.body_tree();
        for &id in unbounded {
            meet(id);
        }
        tree.along_ray(ray, max_distance, &mut Vec::new(), meet);
        hits.sort_by(|(s, a), (t, b)| a.distance.total_cmp(&b.distance).then(s.cmp(t)));
        hits.into_iter().map(|(slot, hit)| (self.handle_of(slot), hit)).collect()
    }

    /// The bodies that share a point with a shape in a pose, by slot.
    #[must_use]
    pub fn overlapping(
        &self,
        shape: &Shape,
        pose: &ReferenceFrame,
        filter: &QueryFilter<'_>,
    ) -> Vec<BodyHandle> {
        let within = shape.is_bounded().then(|| box_of(shape, pose));
        let meets = |slot: &usize| {
            self.accepted(*slot, filter).is_some_and(|(other, frame)| intersects(shape, pose, other, &frame))
        };
        let found = self.candidates(within.as_ref()).into_iter().filter(meets);
        found.map(|slot| self.handle_of(slot)).collect()
    }

    /// The bodies that contain a point (world), by slot. Open meshes contain nothing.
    #[must_use]
    pub fn containing(&self, point: Coordinate, filter: &QueryFilter<'_>) -> Vec<BodyHandle> {
        let contains = |slot: &usize| {
            self.accepted(*slot, filter)
                .is_some_and(|(shape, frame)| shape.contains(frame.point_to_local(point)))
        };
        let found = self.candidates(Some(&Aabb::new(point, point))).into_iter().filter(contains);
        found.map(|slot| self.handle_of(slot)).collect()
    }

    /// The body whose surface is nearest to a point (world) within `max_distance` metres, and the point of it; at equal distances, the one
    /// in the smaller slot. A body that contains the point has a negative distance and is nearer than any that does not.
    #[must_use]
    pub fn nearest_point(
        &self,
        point: Coordinate,
        max_distance: f64,
        filter: &QueryFilter<'_>,
    ) -> Option<(BodyHandle, Projection)> {
        if !point.is_finite() || max_distance.is_nan() {
            return None;
        }
        let within = max_distance
            .is_finite()
            .then(|| Aabb::new(point, point).expanded(scalar::max(max_distance, 0.0)));
        let mut best: Option<(usize, Projection)> = None;
        for slot in self.candidates(within.as_ref()) {
            let Some((shape, frame)) = self.accepted(slot, filter) else { continue };
            let reach = best.as_ref().map_or(max_distance, |(_, nearest)| nearest.signed);
            if shape.is_bounded() && distance_to_box(&box_of(shape, &frame), point) > scalar::max(reach, 0.0)
            {
                continue;
            }
            if let Some(found) = project_point(shape, &frame, point)
                && found.signed <= max_distance
                && best.is_none_or(|(_, nearest)| found.signed < nearest.signed)
            {
                best = Some((slot, found));
            }
        }
        best.map(|(slot, found)| (self.handle_of(slot), found))
    }

    /// The first body that a moving shape touches within `duration` seconds, the bodies where they are now: time and contact are those of
    /// [`time_of_impact`]. Bodies that the shape overlaps at the start count, at time zero. At equal times, the one in the smaller slot.
    ///
    /// ```
    /// # use msd::prelude::*;
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut world = World::new();
    /// let floor = world.add_body(BodyDescription::fixed("floor", HalfSpace::new(Vec3::Z, 0.0)?))?;
    /// let start = ReferenceFrame::from_position(Vec3::new(0.0, 0.0, 3.0));
    /// let hit = world.cast_shape(&Sphere::new(0.5)?.into(), &Motion::translating(start, -Vec3::Z), 10.0, &QueryFilter::new());
    /// let (body, time) = hit.expect("the floor is below");
    /// assert_eq!(body, floor);
    /// assert!((time - 2.5).abs() < 1e-6);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn cast_shape(
        &self,
        shape: &Shape,
        motion: &Motion,
        duration: f64,
        filter: &QueryFilter<'_>,
    ) -> Option<(BodyHandle, f64)> {
        let within = shape.is_bounded().then(|| swept_box(shape, motion, duration));
        let mut best: Option<(usize, f64)> = None;
        for slot in self.candidates(within.as_ref()) {
            let Some((other, frame)) = self.accepted(slot, filter) else { continue };
            let left = best.map_or(duration, |(_, time)| time);
            let time = match time_of_impact(shape, motion, other, &Motion::at_rest(frame), left) {
                Impact::At { time, .. } | Impact::Undecided { time, .. } => time,
                Impact::Never => continue,
            };
            if best.is_none_or(|(_, earliest)| time < earliest) {
                best = Some((slot, time));
            }
        }
        best.map(|(slot, time)| (self.handle_of(slot), time))
    }

    /// Slots whose bounding boxes overlap a box, and those of half-spaces, in order; all slots with a shape for no box.
    pub(super) fn candidates(&self, within: Option<&Aabb>) -> Vec<usize> {
        let Some(within) = within else {
            return (0..self.slots.len()).filter(|slot| self.slots[*slot].occupied).collect();
        };
        let BodyTree { tree, unbounded } = self.body_tree();
        let mut found: Vec<usize> = unbounded.iter().map(|&id| id as usize).collect();
        tree.overlapping(within, &mut Vec::new(), |id| found.push(id as usize));
        found.sort_unstable();
        found
    }

    /// The shape of the body in a slot and its pose, if the filter accepts it.
    fn accepted(&self, slot: usize, filter: &QueryFilter<'_>) -> Option<(&Shape, ReferenceFrame)> {
        let view = self.all_bodies().view(slot);
        let shape = view.body.shape.as_ref()?;
        filter.accepts(self.handle_of(slot), &view).then(|| (shape, view.body.frame(view.state)))
    }

    fn body_tree(&self) -> &BodyTree {
        self.workspace
            .body_tree
            .get_or_init(|| BodyTree::of(&self.all_bodies(), |slot| self.slots[slot].occupied))
    }
}

fn distance_to_box(aabb: &Aabb, point: Coordinate) -> f64 {
    (point - point.clamp(aabb.min, aabb.max)).length()
}

/// A box around everything a moving shape passes through: the ball about its centre of rotation, swept.
fn swept_box(shape: &Shape, motion: &Motion, duration: f64) -> Aabb {
    let bounds = box_of(shape, &ReferenceFrame::IDENTITY);
    let far = (bounds.min - motion.center_local).abs().max((bounds.max - motion.center_local).abs());
    let start = motion.start.point_to_parent(motion.center_local);
    let end = start + motion.velocity * duration;
    Aabb::new(start.min(end), start.max(end)).expanded(far.length())
}

/// Casts a world ray at a shape in a pose.
fn in_pose(shape: &Shape, frame: &ReferenceFrame, ray: &Ray, max_distance: f64) -> Option<RayHit> {
    let local =
        Ray { origin: frame.point_to_local(ray.origin), direction: frame.direction_to_local(ray.direction) };
    let hit = shape.cast_ray(&local, max_distance)?;
    Some(RayHit { normal: frame.direction_to_parent(hit.normal), ..hit })
}

//! `CollisionDetector`: all contacts of a world, step after step.
//!
//! Broad phase, then a manifold cache for every pair whose boxes meet. A contact exists from a margin on, before the
//! shapes touch: `margin = rest margin + closing speed · dt`, so that a contact is there in the step that needs it. Only
//! relative motion enters; bodies moving together at 7.6 km/s have the margins of bodies at rest.

use std::collections::BTreeMap;

use super::broad_phase::{BroadPhase, Filter, PairFilter};
use super::manifold_cache::{ManifoldCache, PersistentManifold};
use crate::math::{Coordinate, ReferenceFrame, Vec3, real};
use crate::physics::rigid_body::shape::{Aabb, Geometry, Ray, RayHit, Shape};
use crate::physics::rigid_body::{Bodies, BodyKind, BodyView};
use crate::tolerance;

/// A body's part in collisions as the detector last saw it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Known {
    filter: Filter,
}

/// Finds and keeps the contacts between bodies.
#[derive(Clone, Debug, Default)]
pub struct CollisionDetector {
    broad: BroadPhase,
    known: BTreeMap<u32, Known>,
    caches: BTreeMap<(u32, u32), ManifoldCache>,
    frames: Vec<ReferenceFrame>,
    stale: Vec<(u32, u32)>,
}

/// One pair of bodies that touch or nearly touch.
#[derive(Clone, Copy, Debug)]
pub struct ContactPair<'a> {
    /// Slot of body A, the smaller one.
    pub a: usize,
    /// Slot of body B. Normals point from A to B.
    pub b: usize,
    /// Contacts, one manifold a pair of convex parts; none is empty.
    pub manifolds: &'a [PersistentManifold],
}

impl CollisionDetector {
    /// Pairs that never collide (jointed bodies).
    pub fn filter_mut(&mut self) -> &mut PairFilter {
        self.broad.filter_mut()
    }

    /// Forgets all contacts and everything about the bodies; the next update starts anew.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Brings the contacts up to date with the bodies, for a step of `dt` seconds from now. `filter` says what a body
    /// collides with; bodies without a shape and graphical ones take no part.
    pub fn update(&mut self, bodies: &Bodies<'_>, dt: f64, filter: impl Fn(&BodyView<'_>) -> Filter) {
        self.place(bodies, dt, filter);
        self.broad.pairs();
        self.forget_parted();
        let Self { broad, caches, frames, .. } = self;
        for &(a, b) in broad.last_pairs() {
            let (view_a, view_b) = (bodies.view(a as usize), bodies.view(b as usize));
            let (Some(shape_a), Some(shape_b)) = (&view_a.body.shape, &view_b.body.shape) else { continue };
            let margin = pair_margin(&view_a, shape_a, &view_b, shape_b, dt);
            let cache = caches.entry((a, b)).or_default();
            cache.update(shape_a, &frames[a as usize], shape_b, &frames[b as usize], margin);
        }
    }

    /// All pairs with contacts, sorted by slots.
    pub fn contacts(&self) -> impl Iterator<Item = ContactPair<'_>> {
        self.caches.iter().filter(|(_, cache)| !cache.manifolds().is_empty()).map(|(&(a, b), cache)| {
            ContactPair { a: a as usize, b: b as usize, manifolds: cache.manifolds() }
        })
    }

    /// The manifolds of one pair, for a solver to leave its impulses in.
    pub fn manifolds_mut(&mut self, a: usize, b: usize) -> &mut [PersistentManifold] {
        self.caches.get_mut(&(a as u32, b as u32)).map_or(&mut [], ManifoldCache::manifolds_mut)
    }

    /// The first body a ray meets within `max_distance` metres, by slot, as of the last update.
    pub fn cast_ray(&mut self, bodies: &Bodies<'_>, ray: &Ray, max_distance: f64) -> Option<(usize, RayHit)> {
        let frames = &self.frames;
        let mut best: Option<(usize, RayHit)> = None;
        self.broad.along_ray(ray, max_distance, |id| {
            let slot = id as usize;
            let reach = best.map_or(max_distance, |(_, hit)| hit.distance);
            if let Some(shape) = &bodies.bodies[slot].shape {
                let hit = ray_in_pose(shape, &frames[slot], ray, reach);
                let nearer = |hit: &RayHit| {
                    best.is_none_or(|(s, b)| {
                        hit.distance < b.distance || (hit.distance == b.distance && slot < s)
                    })
                };
                if let Some(hit) = hit.filter(nearer) {
                    best = Some((slot, hit));
                }
            }
            best.map_or(max_distance, |(_, hit)| hit.distance)
        });
        best
    }

    /// Slots of the bodies whose boxes meet `aabb` (world), as of the last update, ascending.
    pub fn in_box(&mut self, aabb: &Aabb) -> Vec<usize> {
        self.broad.in_box(aabb).into_iter().map(|id| id as usize).collect()
    }

    /// Tells the broad phase where everything is.
    fn place(&mut self, bodies: &Bodies<'_>, dt: f64, filter: impl Fn(&BodyView<'_>) -> Filter) {
        self.frames.clear();
        self.frames.extend(bodies.iter().map(|view| view.body.frame(view.state)));
        self.broad.advance(dt);
        for view in bodies.iter() {
            let id = view.slot as u32;
            let shape = view.body.shape.as_ref().filter(|_| view.body.kind != BodyKind::Graphical);
            let Some(shape) = shape else {
                self.leave(id);
                continue;
            };
            let moves = matches!(view.body.kind, BodyKind::Dynamic | BodyKind::Kinematic);
            let known = Known { filter: Filter { moves, ..filter(&view) } };
            let tight = self.swept_box(&view, shape, dt);
            if self.known.get(&id) == Some(&known) {
                self.broad.update(id, tight, view.state.velocity, dt);
            } else {
                self.leave(id);
                self.broad.insert(id, tight, view.state.velocity, known.filter);
                self.known.insert(id, known);
            }
        }
        // A tree that many leave at once follows their common motion from now on.
        if 2 * self.broad.moved() > self.known.len() {
            self.broad.follow_median_velocity();
        }
    }

    /// The box that holds the shape during the step, relative to the drift of the tree, and the margin around it.
    fn swept_box(&self, view: &BodyView<'_>, shape: &Shape, dt: f64) -> Aabb {
        let now = shape.bounding_box(&self.frames[view.slot]);
        let travel = (view.state.velocity - self.broad.drift()) * dt;
        let turned = turning_speed(view, shape) * dt;
        let swept = now.union(&Aabb::new(now.min + travel, now.max + travel));
        swept.expanded(0.5 * rest_margin(shape) + turned)
    }

    fn leave(&mut self, id: u32) {
        if self.known.remove(&id).is_some() {
            self.broad.remove(id);
        }
    }

    /// Drops the caches of pairs that are no longer close.
    fn forget_parted(&mut self) {
        let Self { broad, caches, stale, .. } = self;
        let close = broad.last_pairs();
        stale.clear();
        stale.extend(caches.keys().filter(|pair| close.binary_search(pair).is_err()));
        for pair in stale.iter() {
            caches.remove(pair);
        }
    }
}

/// Gap up to which contacts of a pair at rest are kept, m.
fn rest_margin(shape: &Shape) -> f64 {
    if shape.is_bounded() {
        tolerance::CONTACT_MARGIN * shape.bounding_box(&ReferenceFrame::IDENTITY).size().max_element()
    } else {
        0.0
    }
}

/// Fastest a point of the body moves because the body turns, m/s, from above.
fn turning_speed(view: &BodyView<'_>, shape: &Shape) -> f64 {
    let rate = view.state.angular_velocity.length();
    if rate == 0.0 || !shape.is_bounded() {
        return 0.0;
    }
    let bounds = shape.bounding_box(&ReferenceFrame::IDENTITY);
    let center: Coordinate = view.body.center_of_mass_local;
    let reach: Vec3 = (bounds.min - center).abs().max((bounds.max - center).abs());
    rate * reach.length()
}

fn pair_margin(a: &BodyView<'_>, shape_a: &Shape, b: &BodyView<'_>, shape_b: &Shape, dt: f64) -> f64 {
    let closing = (a.state.velocity - b.state.velocity).length();
    let turning = turning_speed(a, shape_a) + turning_speed(b, shape_b);
    real::max(rest_margin(shape_a), rest_margin(shape_b)) + (closing + turning) * dt
}

/// Casts a world ray at a shape in a pose.
fn ray_in_pose(shape: &Shape, frame: &ReferenceFrame, ray: &Ray, max_distance: f64) -> Option<RayHit> {
    let local =
        Ray { origin: frame.point_to_local(ray.origin), direction: frame.direction_to_local(ray.direction) };
    let hit = shape.cast_ray(&local, max_distance)?;
    Some(RayHit { normal: frame.direction_to_parent(hit.normal), ..hit })
}

//! `CollisionDetector`: broad phase, narrow phase and contact cache of a world.
//!
//! The broad phase finds pairs with overlapping boxes; each pair has a manifold cache. A contact exists
//! within a speculative margin, before the shapes touch: `margin = rest margin + closing speed · dt`, gravity
//! included, so that a contact is available in the step that needs it. Only relative motion enters; bodies
//! moving together at 7.6 km/s have the margins of bodies at rest.
//!
//! Sleeping bodies ([`Filter::moves`] is false) and pairs of them are skipped; the cache of such a pair is
//! kept until one of them moves.
//!
//! The pair caches are state ([`CollisionDetector::cached_pairs`]); the tree is not, and the pairs depend on
//! the bodies alone: restored from a snapshot, a detector gives the same contacts to the bit.

use super::broad_phase::{BroadPhase, Filter, PairFilter};
use super::manifold::Poses;
use super::pair_list::{PairCache, PairList, Roles};
use super::persistent_manifold::PersistentManifold;
use super::recycling::{Recycling, local_bounds};
use crate::math::kernels::prefetch;
use crate::math::{Coordinate, ReferenceFrame, Vec3, scalar};
use crate::physics::rigid_body::shape::{Aabb, Geometry, Shape};
use crate::physics::rigid_body::{Bodies, BodyKind, BodyView};
use crate::threads::{PAIRS_A_TASK, Threads};

/// Speculative margin of bodies at rest, relative to the smaller shape: the height by which a body at rest
/// may be lifted and still be in contact. tuned.
pub(crate) const CONTACT_MARGIN: f64 = 0.01;

/// A body as of the last update.
#[derive(Clone, Copy, Debug, PartialEq)]
struct BodyEntry {
    filter: Filter,
}

/// Finds and keeps the contacts between bodies.
#[derive(Clone, Debug, Default)]
pub struct CollisionDetector {
    broad: BroadPhase,
    /// By slot; `None` for bodies that do not collide.
    entries: Vec<Option<BodyEntry>>,
    pairs: PairList,
    /// True if a body fell asleep, woke or was added since pairs were last matched.
    activity_changed: bool,
    frames: Vec<ReferenceFrame>,
    extents: Vec<Extent>,
    /// Mean velocity of the bodies that move, m/s: swept boxes are relative to it.
    common_velocity: Vec3,
    /// Acceleration of dynamic bodies, m/s², and of every body where known, by slot.
    gravity: Vec3,
    accelerations: Vec<Vec3>,
    /// True for the fast tier; and true if recycled manifolds are not moved, see
    /// [`CollisionDetector::defer_recycled`].
    soft: bool,
    defers_recycled: bool,
    /// Pairs that pass through each other in this step.
    suspended: Vec<(u32, u32)>,
}

/// Size and rotation of a body in this step, computed once for all of its pairs.
#[derive(Clone, Copy, Debug)]
struct Extent {
    /// Speculative margin of a pair at rest, m.
    rest_margin: f64,
    /// Upper bound of the speed of a point of the body due to rotation, m/s.
    turning_speed: f64,
    /// Upper bound of the distance from the centre of mass to the farthest point of the body, m.
    reach: f64,
    /// Smallest extent of the body's local box, m; infinite for an unbounded body.
    thickness: f64,
    /// Expected in the step, m/s².
    acceleration: Vec3,
}

/// One pair of bodies that touch or nearly touch.
#[derive(Clone, Copy, Debug)]
pub struct ContactPair<'a> {
    /// Index of the pair in the storage; it does not change while the pair is cached.
    pub index: usize,
    /// Slot of body A, the first in the [canonical order](crate::physics::rigid_body::RigidBody::canonical_order).
    pub a: usize,
    /// Slot of body B. Normals point from A to B.
    pub b: usize,
    /// One non-empty manifold for each pair of convex parts in contact.
    pub manifolds: &'a [PersistentManifold],
}

impl ContactPair<'_> {
    /// Both slots, the smaller first.
    #[must_use]
    pub fn slots(&self) -> (u32, u32) {
        (self.a.min(self.b) as u32, self.a.max(self.b) as u32)
    }
}

impl CollisionDetector {
    /// Pairs that never collide (jointed bodies).
    #[must_use]
    pub fn filter(&self) -> &PairFilter {
        self.broad.filter()
    }

    /// Pairs that never collide, to be changed.
    pub fn filter_mut(&mut self) -> &mut PairFilter {
        self.broad.filter_mut()
    }

    /// Recycled manifolds are not moved with the bodies: places, normals and gaps stay as computed, and
    /// [`PersistentManifold::at_poses`] evaluates them. For `soft` contact, which overlaps, pairs are
    /// recycled over motions up to the rest margin of the smaller body ([`Recycling::Wide`]).
    pub(crate) fn defer_recycled(&mut self, soft: bool) {
        (self.defers_recycled, self.soft) = (true, soft);
    }

    /// Expected acceleration of dynamic bodies in all further steps, m/s².
    pub(crate) fn set_expected_gravity(&mut self, gravity: Vec3) {
        self.gravity = gravity;
        self.accelerations.clear();
    }

    /// Expected acceleration of every body in the next update, m/s², by slot.
    pub(crate) fn set_expected_accelerations(&mut self, accelerations: impl Iterator<Item = Vec3>) {
        self.accelerations.clear();
        self.accelerations.extend(accelerations);
    }

    /// True if a displacement of `way` metres in the step was expected, within half of the body's margin.
    pub(crate) fn moved_as_expected(&self, view: &BodyView<'_>, way: Vec3, dt: f64) -> bool {
        let (low, high) = self.expected_displacement(view, dt);
        let (way, leeway) = (way - self.common_velocity * dt, 0.5 * self.extents[view.slot].rest_margin);
        way.cmpge(low - leeway).all() && way.cmple(high + leeway).all()
    }

    /// Bounds of the expected displacement of a body in the step, m, relative to the common velocity.
    fn expected_displacement(&self, view: &BodyView<'_>, dt: f64) -> (Vec3, Vec3) {
        let travel = (view.state.velocity - self.common_velocity) * dt;
        // Control points of the parabola, whose hull contains it.
        let (middle, end) = (0.5 * travel, travel + self.extents[view.slot].acceleration * (0.5 * dt * dt));
        (Vec3::ZERO.min(middle).min(end), Vec3::ZERO.max(middle).max(end))
    }

    /// Clears all contacts and bodies; the next update starts from scratch.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Updates the contacts for a step of `dt` seconds from now. `filter` gives the collision filter of a
    /// body; bodies without a shape and graphical ones do not collide.
    pub fn update(&mut self, bodies: &Bodies<'_>, dt: f64, filter: impl Fn(&BodyView<'_>) -> Filter) {
        self.update_on(&Threads::one(), bodies, dt, filter);
    }

    /// As [`CollisionDetector::update`], on these threads; the contacts are the same to the bit.
    pub fn update_on(
        &mut self,
        threads: &Threads,
        bodies: &Bodies<'_>,
        dt: f64,
        filter: impl Fn(&BodyView<'_>) -> Filter,
    ) {
        self.common_velocity = common_velocity(bodies, &filter);
        self.broad.advance(dt);
        self.pairs.begin();
        self.find(threads, bodies, dt, filter);
    }

    /// Continues the last update after sleeping bodies were woken: computes their contacts too.
    pub(crate) fn update_woken(
        &mut self,
        threads: &Threads,
        bodies: &Bodies<'_>,
        dt: f64,
        filter: impl Fn(&BodyView<'_>) -> Filter,
    ) {
        self.find(threads, bodies, dt, filter);
    }

    /// Narrow phase of all pairs that still need an update.
    fn find(
        &mut self,
        threads: &Threads,
        bodies: &Bodies<'_>,
        dt: f64,
        filter: impl Fn(&BodyView<'_>) -> Filter,
    ) {
        self.place(bodies, dt, filter);
        self.broad.pairs();
        let entries = &self.entries;
        let rests = |slot: u32| entries[slot as usize].is_some_and(|entries| !entries.filter.moves);
        self.pairs.update(self.broad.last_pairs(), std::mem::take(&mut self.activity_changed), rests);
        let (extents, frames) = (&self.extents, &self.frames);
        let (soft, defers_recycled) = (self.soft, self.defers_recycled);
        threads.for_each_chunk(self.pairs.storage_mut(), PAIRS_A_TASK, |_, pairs| {
            for pair in pairs.iter_mut().filter(|pair| pair.needs_update) {
                pair.needs_update = false;
                if pair.roles == Roles::Unknown {
                    let [low, high] = [pair.a, pair.b].map(|slot| &bodies.bodies[slot as usize]);
                    pair.roles =
                        if low.canonical_order(high).is_gt() { Roles::Swapped } else { Roles::BySlot };
                }
                let (a, b) = pair.bodies();
                let (view_a, view_b) = (bodies.view(a), bodies.view(b));
                let (Some(shape_a), Some(shape_b)) = (&view_a.body.shape, &view_b.body.shape) else {
                    continue;
                };
                let closing = closing_speed([&view_a, &view_b], [&extents[a], &extents[b]], dt);
                let (margin, at_rest) = pair_margin(&extents[a], &extents[b], closing, dt);
                let recycling = if soft { Recycling::Wide(at_rest) } else { Recycling::Close };
                let (shapes, poses) = ([shape_a, shape_b], [&frames[a], &frames[b]]);
                if defers_recycled {
                    pair.cache.refresh(shapes, poses, margin, recycling);
                } else {
                    pair.cache.update_by(shapes, poses, margin, recycling);
                }
            }
        });
    }

    /// Rolls back the last update.
    pub fn rollback(&mut self) {
        self.pairs.rollback();
    }

    /// The pair caches, sorted by slots: the state of the detector.
    #[must_use]
    pub fn cached_pairs(&self) -> Vec<PairCache> {
        self.pairs.cached_pairs()
    }

    /// Restores pair caches; everything else is recomputed. False if they are not sorted, and so not from a
    /// detector.
    pub fn restore(&mut self, cached_pairs: Vec<PairCache>) -> bool {
        let sorted = cached_pairs.windows(2).all(|two| two[0].slots() < two[1].slots());
        if sorted {
            let filter = std::mem::take(self.broad.filter_mut());
            self.clear();
            *self.broad.filter_mut() = filter;
            self.pairs = PairList::of(cached_pairs);
        }
        sorted
    }

    /// All pairs with contacts, sorted by slots.
    pub fn contacts(&self) -> impl Iterator<Item = ContactPair<'_>> {
        let suspended = |slots: (u32, u32)| self.suspended.binary_search(&slots).is_ok();
        let touching = self.pairs.iter().filter(move |(_, pair)| {
            !pair.cache.manifolds().is_empty() && (self.suspended.is_empty() || !suspended(pair.slots()))
        });
        touching.map(|(index, pair)| {
            let (a, b) = pair.bodies();
            ContactPair { index, a, b, manifolds: pair.cache.manifolds() }
        })
    }

    /// Leaves these pairs out of [`CollisionDetector::contacts`], by their slots, the smaller first, sorted.
    pub(crate) fn suspend(&mut self, pairs: &[(u32, u32)]) {
        self.suspended.clear();
        self.suspended.extend_from_slice(pairs);
    }

    /// Length of the pair storage: larger than any [`ContactPair::index`].
    pub(crate) fn storage_len(&self) -> usize {
        self.pairs.storage_len()
    }

    /// Slots of the pairs marked by [`ContactPair::index`], sorted.
    pub(crate) fn slots_of(&self, marked: &[bool]) -> impl Iterator<Item = (u32, u32)> {
        self.pairs.slots_of(marked)
    }

    /// The pair at a [`ContactPair::index`], with or without contacts.
    #[must_use]
    pub fn pair(&self, index: usize) -> ContactPair<'_> {
        let cached_pairs = self.pairs.at(index);
        let (a, b) = cached_pairs.bodies();
        ContactPair { index, a, b, manifolds: cached_pairs.cache.manifolds() }
    }

    /// Prefetches a pair cache; its manifolds are separate.
    pub(crate) fn prefetch_pair(&self, index: usize) {
        prefetch(self.pairs.at(index));
    }

    /// Prefetches the manifolds of a pair whose cache is in memory.
    pub(crate) fn prefetch_manifolds(&self, index: usize) {
        self.pairs.at(index).cache.manifolds().iter().for_each(prefetch);
    }

    /// Prefetches the impulse storage of a pair.
    pub(crate) fn prefetch_impulses(&self, index: usize) {
        self.pairs.at(index).cache.manifolds().iter().for_each(PersistentManifold::prefetch_impulses);
    }

    /// The poses of a pair as of the last update, and whether its manifolds are recycled.
    pub(crate) fn poses(&self, pair: &ContactPair<'_>) -> (Poses, bool) {
        (
            Poses::new(&self.frames[pair.a], &self.frames[pair.b]),
            self.pairs.at(pair.index).cache.is_recycled(),
        )
    }

    /// Smallest extent of a body's local box as of the last update, m; infinite for an unbounded body.
    pub(crate) fn thickness(&self, slot: usize) -> f64 {
        self.extents[slot].thickness
    }

    /// Upper bound of the distance from the centre of mass of a body to its farthest point as of the last
    /// update, m.
    pub(crate) fn reach(&self, slot: usize) -> f64 {
        self.extents[slot].reach
    }

    /// The manifolds of one pair, by [`ContactPair::index`], for the solver to store impulses in.
    pub fn manifolds_mut(&mut self, index: usize) -> &mut [PersistentManifold] {
        self.pairs.at_mut(index).cache.manifolds_mut()
    }

    /// The cache of every pair, by [`ContactPair::index`].
    pub(crate) fn pairs_mut(&mut self) -> &mut [PairCache] {
        self.pairs.storage_mut()
    }

    /// Updates the proxies of the broad phase.
    fn place(&mut self, bodies: &Bodies<'_>, dt: f64, filter: impl Fn(&BodyView<'_>) -> Filter) {
        let slots = bodies.bodies.len();
        self.frames.resize(slots, ReferenceFrame::IDENTITY);
        self.extents.resize(slots, Extent::NONE);
        self.entries.resize(slots.max(self.entries.len()), None);
        let standing = self.common_velocity == Vec3::ZERO && self.broad.frame_velocity() == Vec3::ZERO;
        for view in bodies.iter() {
            let (id, slot) = (view.slot as u32, view.slot);
            let forced = view.body.kind == BodyKind::Dynamic;
            let mut filter = filter(&view);
            filter.moves &= forced || view.body.kind == BodyKind::Kinematic;
            let entries = BodyEntry { filter };
            // A body asleep before and now has not moved.
            if forced && !filter.moves && standing && self.entries[slot] == Some(entries) {
                continue;
            }
            self.frames[slot] = view.body.frame(view.state);
            let moved_as_expected = self.accelerations.get(slot).copied();
            let gravity = if forced && view.inertia.is_movable() { self.gravity } else { Vec3::ZERO };
            self.extents[slot] =
                Extent { acceleration: moved_as_expected.unwrap_or(gravity), ..Extent::of(&view) };
            let shape = view.body.shape.as_ref().filter(|_| view.body.kind != BodyKind::Graphical);
            let Some(shape) = shape else {
                self.leave(id);
                continue;
            };
            let tight = self.swept_box(&view, shape, dt);
            if self.entries[slot].is_none() {
                self.broad.insert(id, tight, view.state.velocity, filter);
            } else {
                self.broad.update(id, tight, view.state.velocity, dt);
            }
            if self.entries[slot] != Some(entries) {
                self.broad.set_filter(id, filter);
                self.activity_changed = true;
            }
            self.entries[slot] = Some(entries);
        }
        self.broad.update_frame_velocity();
    }

    /// Box around the shape during the step, relative to the common velocity, with the margin.
    fn swept_box(&self, view: &BodyView<'_>, shape: &Shape, dt: f64) -> Aabb {
        let now = shape.bounding_box(&self.frames[view.slot]);
        let Extent { rest_margin, turning_speed, .. } = self.extents[view.slot];
        let (low, high) = self.expected_displacement(view, dt);
        let swept = Aabb::new(now.min + low, now.max + high);
        swept.expanded(rest_margin + turning_speed * dt)
    }

    /// Removes a body and its pairs, so that a later body in its slot starts without contacts.
    pub(crate) fn remove(&mut self, slot: usize) {
        if slot >= self.entries.len() {
            return;
        }
        let id = slot as u32;
        self.leave(id);
        self.pairs.remove_body(id);
    }

    fn leave(&mut self, id: u32) {
        if self.entries[id as usize].take().is_some() {
            self.broad.remove(id);
        }
    }
}

/// Mean velocity of the dynamic bodies, m/s; zero if some of them sleep.
fn common_velocity(bodies: &Bodies<'_>, filter: impl Fn(&BodyView<'_>) -> Filter) -> Vec3 {
    let (mut sum, mut count) = (Vec3::ZERO, 0.0);
    for view in bodies.iter().filter(|view| view.body.kind == BodyKind::Dynamic) {
        if !filter(&view).moves {
            return Vec3::ZERO;
        }
        sum += view.state.velocity;
        count += 1.0;
    }
    if count > 0.0 { sum / count } else { Vec3::ZERO }
}

impl Extent {
    /// For an unbounded body.
    const NONE: Self = Self {
        rest_margin: 0.0,
        turning_speed: 0.0,
        reach: 0.0,
        thickness: f64::INFINITY,
        acceleration: Vec3::ZERO,
    };

    fn of(view: &BodyView<'_>) -> Self {
        let Some(shape) = view.body.shape.as_ref().filter(|shape| shape.is_bounded()) else {
            return Self::NONE;
        };
        let bounds = local_bounds(shape);
        let size = bounds.size();
        let center: Coordinate = view.body.center_of_mass_local;
        let reach: Vec3 = (bounds.min - center).abs().max((bounds.max - center).abs());
        Self {
            rest_margin: CONTACT_MARGIN * size.max_element(),
            turning_speed: view.state.angular_velocity.length() * reach.length(),
            reach: reach.length(),
            thickness: size.min_element(),
            acceleration: Vec3::ZERO,
        }
    }
}

/// Largest approach speed of two bodies in a step, without rotation, m/s: at its start or at its end.
fn closing_speed(views: [&BodyView<'_>; 2], extents: [&Extent; 2], dt: f64) -> f64 {
    let start = views[1].state.velocity - views[0].state.velocity;
    let gained = extents[1].acceleration - extents[0].acceleration;
    if gained == Vec3::ZERO {
        return start.length();
    }
    scalar::max(start.length_squared(), (start + gained * dt).length_squared()).sqrt()
}

/// Speculative margin of a pair in a step, and its part at rest, m: that of the smaller body; an unbounded
/// body is larger than any other.
fn pair_margin(a: &Extent, b: &Extent, closing: f64, dt: f64) -> (f64, f64) {
    let turning = a.turning_speed + b.turning_speed;
    let of = |extent: &Extent| if extent.rest_margin > 0.0 { extent.rest_margin } else { f64::INFINITY };
    let rest = scalar::min(of(a), of(b));
    (rest + (closing + turning) * dt, rest)
}

//! Watches for bodies that come so close that they may touch.
//!
//! Contact is not simulated yet: bodies pass through each other. A result is only trustworthy if none could have met,
//! so every step the boxes that bodies swept (the box before and the box after it, together) are compared, as seen from
//! a frame that moves along with the mean of all moving bodies: debris in orbit sweeps by its own motion, not by the
//! 7.5 km/s of the orbit. Boxes are larger than bodies: a pair that is reported may have missed, a pair that is not has.

use std::collections::BTreeSet;

use msd::environment::World;
use msd::math::Vec3;
use msd::physics::collision::broad_phase::BroadPhase;
use msd::physics::rigid_body::shape::{Aabb, Geometry};
use msd::physics::rigid_body::{BodyHandle, BodyKind, BodyView};

use crate::build::Built;

/// The pairs of bodies that may have touched so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct OverlapWatch {
    phase: BroadPhase,
    watched: Vec<(BodyHandle, Aabb)>,
    met: BTreeSet<(u32, u32)>,
}

impl OverlapWatch {
    pub(crate) fn new(built: &Built) -> Self {
        let mut watch = Self::default();
        let world = built.engine.world();
        for (handle, filter) in built.filters.iter().filter(|(handle, _)| !built.intangible.contains(handle))
        {
            let Ok(view) = world.body(*handle) else { continue };
            let Some(tight) = bounding_box(&view) else { continue };
            watch.phase.insert(handle.slot() as u32, tight, view.state.velocity, *filter);
            watch.watched.push((*handle, tight));
        }
        for (a, b) in &built.joined {
            watch.phase.filter_mut().exclude(a.slot() as u32, b.slot() as u32);
        }
        watch.compare();
        watch
    }

    /// Looks at the world after a step of `dt` seconds.
    pub(crate) fn look(&mut self, world: &World, dt: f64) {
        self.phase.advance(dt);
        let shift = self.mean_velocity(world) * dt;
        for (handle, before) in &mut self.watched {
            let Ok(view) = world.body(*handle) else { continue };
            let Some(now) = bounding_box(&view) else { continue };
            let moved_along = Aabb::new(before.min + shift, before.max + shift);
            self.phase.update(handle.slot() as u32, moved_along.union(&now), view.state.velocity, dt);
            *before = now;
        }
        if 2 * self.phase.moved() > self.watched.len() {
            self.phase.follow_median_velocity();
        }
        self.compare();
    }

    /// Of the bodies that can move, m/s.
    fn mean_velocity(&self, world: &World) -> Vec3 {
        let moving = self.watched.iter().filter_map(|(handle, _)| world.body(*handle).ok());
        let moving = moving.filter(|view| matches!(view.body.kind, BodyKind::Dynamic | BodyKind::Kinematic));
        let (sum, count) =
            moving.fold((Vec3::ZERO, 0.0), |(sum, n), view| (sum + view.state.velocity, n + 1.0));
        if count > 0.0 { sum / count } else { Vec3::ZERO }
    }

    fn compare(&mut self) {
        self.met.extend(self.phase.pairs());
    }

    /// How many pairs may have touched.
    pub(crate) fn pairs(&self) -> usize {
        self.met.len()
    }

    /// The first pair by slot, if any may have touched.
    pub(crate) fn first(&self) -> Option<(usize, usize)> {
        self.met.first().map(|(a, b)| (*a as usize, *b as usize))
    }
}

/// `None` for a body without a shape, which nothing can touch.
fn bounding_box(view: &BodyView<'_>) -> Option<Aabb> {
    view.body.shape.as_ref().map(|shape| shape.bounding_box(&view.body.frame(view.state)))
}

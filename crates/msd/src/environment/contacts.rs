//! Contacts of a world as a user asks for them.

use super::contact::{ContactEvent, ContactEventKind, ContactReport, ContactSettings, ContactView};
use super::{World, WorldError};
use crate::math::Vec3;
use crate::physics::collision::CollisionDetector;
use crate::physics::rigid_body::shape::{Aabb, Ray, RayHit};
use crate::physics::rigid_body::{Bodies, BodyHandle};

impl World {
    /// How contact is treated.
    #[must_use]
    pub fn contact_settings(&self) -> &ContactSettings {
        &self.contacts.settings
    }

    /// Changes how contact is treated, from the next step on.
    pub fn set_contact_settings(&mut self, settings: ContactSettings) {
        self.contacts.settings = settings;
        self.state.sleep.wake_all();
    }

    /// Lets two bodies pass through each other from the next step on, or collide again.
    ///
    /// # Errors
    /// If a handle is stale or foreign.
    pub fn set_collision(&mut self, a: BodyHandle, b: BodyHandle, collide: bool) -> Result<(), WorldError> {
        let (a, b) = (self.slot(a)? as u32, self.slot(b)? as u32);
        let pair = (a.min(b), a.max(b));
        if collide {
            self.contacts.ignored.remove(&pair);
        } else {
            self.contacts.ignored.insert(pair);
        }
        self.contacts.exclude(&self.joints);
        self.state.sleep.wake_all();
        Ok(())
    }

    /// What contact did in the last step.
    #[must_use]
    pub fn contact_report(&self) -> &ContactReport {
        &self.contacts.report
    }

    /// The contact points that transmitted an impulse in the last step.
    pub fn contacts(&self) -> impl Iterator<Item = ContactView> {
        let per_second = if self.contacts.last_dt > 0.0 { 1.0 / self.contacts.last_dt } else { 0.0 };
        let exact = self.contacts.candidates.iter().filter(|candidate| candidate.is_touching());
        let exact = exact.map(move |c| {
            let force = (c.persistent + c.impact) * per_second;
            ContactView {
                body_a: self.handle_of(c.a),
                body_b: self.handle_of(c.b),
                position: c.position,
                normal: c.frame.x_axis,
                gap: c.end_gap,
                normal_force: force.x,
                friction_force: c.frame * Vec3::new(0.0, force.y, force.z),
            }
        });
        let fast = self.contacts.fast.touching_points().map(move |point| {
            let force = point.impulse * per_second;
            ContactView {
                body_a: self.handle_of(point.a),
                body_b: self.handle_of(point.b),
                position: point.position,
                normal: point.frame.x_axis,
                gap: point.gap,
                normal_force: force.x,
                friction_force: point.frame * Vec3::new(0.0, force.y, force.z),
            }
        });
        exact.chain(fast)
    }

    /// True if two bodies began or ceased to touch in the last step: if not, every event of
    /// [`World::contact_events`] says that a pair goes on touching.
    #[must_use]
    pub fn has_contact_changes(&self) -> bool {
        self.contacts.touching != self.contacts.touched
    }

    /// Pairs of bodies that touch, began to or ceased to in the last step, sorted by slots within each kind.
    pub fn contact_events(&self) -> impl Iterator<Item = ContactEvent> {
        let (now, then) = (&self.contacts.touching, &self.contacts.touched);
        let event = move |kind, &(a, b): &(u32, u32)| ContactEvent {
            kind,
            body_a: self.handle_of(a as usize),
            body_b: self.handle_of(b as usize),
        };
        let current = now.iter().map(move |pair| {
            let kind = match then.binary_search(pair) {
                Ok(_) => ContactEventKind::Persist,
                Err(_) => ContactEventKind::Begin,
            };
            event(kind, pair)
        });
        let ended = then.iter().filter(move |pair| now.binary_search(pair).is_err());
        current.chain(ended.map(move |pair| event(ContactEventKind::End, pair)))
    }

    /// The first body that a ray meets within `max_distance` metres. Bodies are where they were at the start of the last
    /// step; before the first step there are none.
    pub fn cast_ray(&mut self, ray: &Ray, max_distance: f64) -> Option<(BodyHandle, RayHit)> {
        let bodies =
            Bodies { bodies: &self.bodies, inertias: &self.state.inertias, states: &self.state.states };
        let (slot, hit) = self.contacts.detector.cast_ray(&bodies, ray, max_distance)?;
        Some((self.handle_of(slot), hit))
    }

    /// The bodies whose boxes, a little larger than they are, meet `aabb` (world), by slot; of the same time as
    /// [`World::cast_ray`].
    pub fn bodies_in_box(&mut self, aabb: &Aabb) -> Vec<BodyHandle> {
        let mut slots = self.contacts.detector.in_box(aabb);
        slots.retain(|slot| self.slots[*slot].occupied);
        slots.into_iter().map(|slot| self.handle_of(slot)).collect()
    }

    /// What is near what, as of the start of the last step.
    pub fn detector(&mut self) -> &mut CollisionDetector {
        &mut self.contacts.detector
    }
}

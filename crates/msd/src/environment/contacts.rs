//! Contact settings, reports and events of a world.

use std::collections::BTreeMap;

use super::contact::{
    CarriedBody, ContactEvent, ContactEventKind, ContactForceEvent, ContactReport, ContactSettings,
    ContactView, EndPoint, ImpactRecord,
};
use super::{World, WorldError};
use crate::math::Vec3;
use crate::physics::collision::CollisionDetector;
use crate::physics::rigid_body::BodyHandle;

impl World {
    /// Contact settings.
    #[must_use]
    pub fn contact_settings(&self) -> &ContactSettings {
        &self.contacts.settings
    }

    /// Changes the contact settings from the next step on.
    ///
    /// # Errors
    /// If a value is out of its range; the settings are then unchanged.
    pub fn set_contact_settings(&mut self, settings: ContactSettings) -> Result<(), WorldError> {
        settings.validate()?;
        self.contacts.settings = settings;
        self.state.sleep.wake_all();
        Ok(())
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
            self.contacts.include(pair, &self.joints);
        } else {
            self.contacts.ignored.insert(pair);
            self.contacts.detector.filter_mut().exclude(pair.0, pair.1);
        }
        self.state.sleep.wake_all();
        Ok(())
    }

    /// True if two bodies can touch: their filters allow it, no joint and no word of the user keeps them from it, and one of them can be
    /// moved.
    #[must_use]
    pub fn may_collide(&self, a: BodyHandle, b: BodyHandle) -> bool {
        let (Ok(i), Ok(j)) = (self.slot(a), self.slot(b)) else { return false };
        let (one, other) = (&self.bodies[i], &self.bodies[j]);
        let pair = (i.min(j) as u32, i.max(j) as u32);
        (self.state.inertias[i].is_movable() || self.state.inertias[j].is_movable())
            && one.contact_groups().allow(other.contact_groups())
            && !self.contacts.ignored.contains(&pair)
            && self.joints.may_collide(a, b)
    }

    /// Contact report of the last step.
    #[must_use]
    pub fn contact_report(&self) -> &ContactReport {
        &self.contacts.report
    }

    /// Contacts of the last step with restitution, once for each impact, in the exact tier. Slots are those
    /// of the handles of their bodies.
    #[must_use]
    pub fn impact_records(&self) -> &[ImpactRecord] {
        &self.contacts.impact_records
    }

    /// The contact points that transmitted an impulse in the last step, where they were at its end. Bodies that were removed since
    /// have none.
    pub fn contacts(&self) -> impl Iterator<Item = ContactView> {
        let per_second = if self.contacts.last_dt > 0.0 { 1.0 / self.contacts.last_dt } else { 0.0 };
        let exact = self.contacts.candidates.iter().filter(|candidate| candidate.is_touching());
        let exact = exact.filter_map(move |c| {
            let force = (c.persistent + c.impact) * per_second;
            let EndPoint { position, gap } = c.end_point(self.step_motion([c.a, c.b])?);
            let view = ContactView {
                body_a: self.handle_of(c.a),
                body_b: self.handle_of(c.b),
                position,
                normal: c.frame.x_axis,
                gap,
                normal_force: force.x,
                friction_force: c.frame * Vec3::new(0.0, force.y, force.z),
            };
            Some(if c.a < c.b { view } else { view.seen_from_b() })
        });
        let fast = self.contacts.fast.touching_points().filter_map(move |point| {
            let force = point.impulse * per_second;
            let EndPoint { position, gap } = point.end_point(self.step_motion([point.a, point.b])?);
            let view = ContactView {
                body_a: self.handle_of(point.a),
                body_b: self.handle_of(point.b),
                position,
                normal: point.frame.x_axis,
                gap,
                normal_force: force.x,
                friction_force: point.frame * Vec3::new(0.0, force.y, force.z),
            };
            Some(if point.a < point.b { view } else { view.seen_from_b() })
        });
        exact.chain(fast)
    }

    /// Pairs of bodies whose normal forces in the last step sum to more than `threshold`, N; sorted by slots. An impact transmits its
    /// impulse within one step: its mean force is the impulse divided by the length of the step.
    #[must_use]
    pub fn contact_force_events(&self, threshold: f64) -> Vec<ContactForceEvent> {
        let mut pairs: BTreeMap<(usize, usize), ContactForceEvent> = BTreeMap::new();
        for view in self.contacts() {
            let key = (view.body_a.slot(), view.body_b.slot());
            let event = pairs.entry(key).or_insert(ContactForceEvent {
                body_a: view.body_a,
                body_b: view.body_b,
                normal_force: 0.0,
                force: Vec3::ZERO,
                strongest: view,
            });
            event.normal_force += view.normal_force;
            event.force += view.force();
            if view.normal_force > event.strongest.normal_force {
                event.strongest = view;
            }
        }
        pairs.into_values().filter(|event| event.normal_force > threshold).collect()
    }

    /// Motion of two bodies in the last step; `None` if one of them was removed since.
    fn step_motion(&self, slots: [usize; 2]) -> Option<[CarriedBody<'_>; 2]> {
        let of = |slot: usize| {
            if self.contacts.removed.contains(&slot) {
                return None;
            }
            let (before, end) = self.workspace.last_motion(slot, &self.state.states[slot])?;
            Some(CarriedBody { body: &self.bodies[slot], before, end })
        };
        Some([of(slots[0])?, of(slots[1])?])
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

    /// The collision detector, as of the start of the last step.
    pub fn detector(&mut self) -> &mut CollisionDetector {
        &mut self.contacts.detector
    }
}

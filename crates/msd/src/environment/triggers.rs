//! Trigger volumes: bodies that touch nothing and report which bodies are in their shape.
//!
//! After each step the shape of every trigger is compared with the bodies whose filters allow it, dynamic and kinematic ones, in their
//! poses at the end of the step. Who is inside is part of the state, so that a run that is restored reports the same events.

use super::trigger_event::{TriggerEvent, TriggerEventKind};
use super::{World, WorldError};
use crate::physics::rigid_body::{BodyHandle, BodyKind, BodyView};

impl World {
    /// Bodies that entered or left trigger volumes in the last step: those that entered first, each by slots.
    ///
    /// ```
    /// # use msd::prelude::*;
    /// # use msd::environment::TriggerEventKind;
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut world = World::new();
    /// let gate = world.add_body(BodyDescription::fixed("gate", Cuboid::new(Vec3::ONE)?).trigger())?;
    /// let ball = BodyDescription::dynamic("ball", Sphere::new(0.1)?).mass(1.0).position(Vec3::Z);
    /// let ball = world.add_body(ball)?;
    /// let mut passed = Vec::new();
    /// for _ in 0..1000 {
    ///     world.step(1e-3)?;
    ///     passed.extend(world.trigger_events().iter().map(|event| (event.body == ball, event.kind)));
    /// }
    /// assert_eq!(passed, [(true, TriggerEventKind::Enter), (true, TriggerEventKind::Leave)]);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn trigger_events(&self) -> &[TriggerEvent] {
        &self.trigger_events
    }

    /// The bodies inside a trigger volume at the end of the last step, by slot.
    ///
    /// # Errors
    /// If the handle is stale or foreign.
    pub fn inside(&self, trigger: BodyHandle) -> Result<impl Iterator<Item = BodyHandle> + '_, WorldError> {
        let slot = self.slot(trigger)? as u32;
        let pairs = self.state.inside.iter().filter(move |(trigger, _)| *trigger == slot);
        Ok(pairs.map(|(_, body)| self.handle_of(*body as usize)))
    }

    /// After a step: who is inside which trigger.
    pub(super) fn find_triggered(&mut self) {
        self.trigger_events.clear();
        if self.triggers == 0 {
            return;
        }
        let bodies = self.all_bodies();
        let mut inside = Vec::new();
        for trigger in bodies.iter().filter(|view| view.body.trigger) {
            let Some(shape) = &trigger.body.shape else { continue };
            let enters = |view: &BodyView<'_>| {
                let moves = matches!(view.body.kind, BodyKind::Dynamic | BodyKind::Kinematic);
                moves && !view.body.trigger && trigger.body.collision.allow(view.body.collision)
            };
            let filter = super::QueryFilter::new().with_intangible().predicate(&enters);
            let found = self.overlapping(shape, &trigger.body.frame(trigger.state), &filter);
            inside.extend(found.iter().map(|body| (trigger.slot as u32, body.slot() as u32)));
        }
        let event = |&(trigger, body): &(u32, u32), kind| TriggerEvent {
            trigger: self.handle_of(trigger as usize),
            body: self.handle_of(body as usize),
            kind,
        };
        let before = &self.state.inside;
        let entered = inside.iter().filter(|pair| before.binary_search(pair).is_err());
        let left = before.iter().filter(|pair| inside.binary_search(pair).is_err());
        let mut events: Vec<_> = entered.map(|pair| event(pair, TriggerEventKind::Enter)).collect();
        events.extend(left.map(|pair| event(pair, TriggerEventKind::Leave)));
        self.trigger_events = events;
        self.state.inside = inside;
    }
}

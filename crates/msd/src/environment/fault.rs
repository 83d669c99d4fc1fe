//! Fault policy: on a failed step the world halts, or quarantines the body at fault and continues.
//!
//! A quarantined body is graphical from then on: it stays where it was before the step that failed, at rest,
//! and nothing acts on it or touches it. Its joints, and the fields that couple it to other bodies, are
//! removed with it. The others then move, to the last bit, as in a world from which the body was removed by
//! hand before that step, and those that it never acted on as in a world that never had it.

use super::fault_policy::{FaultPolicy, Quarantine};
use super::{World, WorldError};
use crate::physics::forces::ActsOn;
use crate::physics::rigid_body::{BodyKind, Inertia};

impl World {
    /// The fault policy.
    #[must_use]
    pub fn fault_policy(&self) -> FaultPolicy {
        self.fault_policy
    }

    /// Changes the fault policy from the next step on.
    ///
    /// Under [`FaultPolicy::Quarantine`] one body with an absurd load does not stop the others:
    /// ```
    /// # use msd::prelude::*;
    /// # use msd::environment::FaultPolicy;
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut world = World::new();
    /// world.set_fault_policy(FaultPolicy::Quarantine);
    /// let good = world.add_body(BodyDescription::dynamic("good", Shape::Sphere(Sphere::new(0.1)?)).mass(1.0))?;
    /// let bad = BodyDescription::dynamic("bad", Shape::Sphere(Sphere::new(0.1)?)).mass(1.0).position(Vec3::X);
    /// let bad = world.add_body(bad)?;
    /// world.apply_force(bad, Vec3::X * 1e300)?;
    /// let report = world.step(0.01)?;
    /// assert_eq!(report.quarantined[0].name, "bad");
    /// assert!(world.body(good)?.state.velocity.z < 0.0);
    /// assert_eq!(world.body(bad)?.state.velocity, Vec3::ZERO);
    /// # Ok(())
    /// # }
    /// ```
    pub fn set_fault_policy(&mut self, policy: FaultPolicy) {
        self.fault_policy = policy;
    }

    /// The body at fault, if it may be quarantined.
    pub(super) fn at_fault(&self, error: &WorldError) -> Option<usize> {
        if self.fault_policy == FaultPolicy::Halt {
            return None;
        }
        let slot = self.names.get(error.body()?)?.slot();
        matches!(self.bodies[slot].kind, BodyKind::Dynamic | BodyKind::Kinematic).then_some(slot)
    }

    /// Quarantines a body.
    pub(super) fn quarantine(&mut self, slot: usize, cause: WorldError) -> Quarantine {
        let handle = self.handle_of(slot);
        let joined = self.joints.iter().filter(|(_, _, joint)| joint.bodies().contains(&Some(handle)));
        let joined: Vec<_> = joined.map(|(joint, name, _)| (joint, name.to_owned())).collect();
        for (joint, _) in &joined {
            // The handle was listed by the set itself.
            let _ = self.joints.remove(*joint);
            self.state.motor_velocities.remove(&joint.slot());
        }
        let mut removed = Vec::new();
        for index in (0..self.fields.len()).rev() {
            let field = &self.fields[index];
            let named = matches!(field.acts_on(), ActsOn::Bodies(list) if list.contains(&handle));
            if named && field.couples_bodies() {
                removed.push(field.type_name());
                self.fields.remove(index);
                self.field_handles.remove(index);
            }
        }
        removed.reverse();
        let ignored = self.contacts.ignored.clone();
        self.contacts.remove_body(slot);
        self.contacts.ignored = ignored;
        self.contacts.exclude(&self.joints);
        self.state.loads.retain(|load| load.slot != slot);
        self.state.targets.remove(&slot);
        let body = &mut self.bodies[slot];
        let was = std::mem::replace(&mut body.kind, BodyKind::Graphical);
        body.inertia = Inertia::IMMOVABLE;
        self.state.inertias[slot] = Inertia::IMMOVABLE;
        self.state.states[slot].reset_motion();
        self.initial[slot].reset_motion();
        match was {
            BodyKind::Dynamic => self.state.sleep.wake(slot),
            _ => self.state.sleep.wake_all(),
        }
        self.state.modified = true;
        self.bump_revision();
        Quarantine {
            body: handle,
            name: self.bodies[slot].name.clone(),
            step: self.state.steps + 1,
            time: self.time(),
            cause,
            joints: joined.into_iter().map(|(_, name)| name).collect(),
            fields: removed,
        }
    }
}

//! Joints that act: switched on and off, broken by a load, latched by a contact.
//!
//! A joint that is off does nothing: its bodies move and collide as if it were not there, and springs and actuators along its axis are off
//! too. It keeps its name and handle. Whether joints are on is part of the state: snapshots hold it, `reset` restores the start.
//!
//! After each step the reaction of every joint with a [`BreakLoad`] is compared with it; a joint whose reaction is larger is switched off. A
//! latch is a fixed joint between two bodies that is off until the bodies touch; from the end of that step on it holds them as they stand.
//! What is left of their relative velocity is lost at that time, as in an inelastic impact of the two, and booked as dissipated.

use super::energy_ledger::{EnergySum, StepEnergy};
use super::joint_event::{BreakLoad, JointEvent, JointEventKind, Latch};
use super::{World, WorldError};
use crate::math::{Mat3, Vec3, orientation, outer_product};
use crate::physics::constraints::{ConstraintHandle, FixedJoint, JointEnd};
use crate::physics::rigid_body::{BodyHandle, Inertia, InertialState};

impl World {
    /// Switches a joint on or off from the next step on.
    ///
    /// ```
    /// # use msd::prelude::*;
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut world = World::new();
    /// let ball = world.add_body(BodyDescription::dynamic("ball", Sphere::new(0.1)?).mass(1.0))?;
    /// let hook = world.add_fixed_joint("hook", Ground, ball, Vec3::ZERO)?;
    /// world.run(1.0)?;
    /// assert!(world.body(ball)?.state.center_of_mass.length() < 1e-12);
    /// world.set_joint_enabled(hook, false)?;
    /// world.run(1.0)?;
    /// assert!((world.body(ball)?.state.center_of_mass.z + 0.5 * 9.81).abs() < 1e-9);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// If the handle is stale or foreign.
    pub fn set_joint_enabled(&mut self, joint: ConstraintHandle, enabled: bool) -> Result<(), WorldError> {
        self.joints.get(joint)?;
        let disabled = &mut self.state.drives.disabled;
        let changed = if enabled { disabled.remove(&joint.slot()) } else { disabled.insert(joint.slot()) };
        if changed {
            self.follow_drives();
            self.state.modified = true;
            self.state.sleep.wake_all();
        }
        Ok(())
    }

    /// True unless the joint is switched off, broken, or a latch that is open.
    ///
    /// # Errors
    /// If the handle is stale or foreign.
    pub fn is_joint_enabled(&self, joint: ConstraintHandle) -> Result<bool, WorldError> {
        self.joints.get(joint)?;
        Ok(!self.state.drives.disabled.contains(&joint.slot()))
    }

    /// Lets a joint break at a load, or no longer.
    ///
    /// # Errors
    /// If the handle is stale or foreign, or a load is not positive.
    pub fn set_joint_break(
        &mut self,
        joint: ConstraintHandle,
        load: Option<BreakLoad>,
    ) -> Result<(), WorldError> {
        let validator = super::validate::Validator::joint(self.joints.name(joint)?);
        match load {
            Some(BreakLoad { force, torque }) => {
                for (field, value) in [("break force", force), ("break torque", torque)] {
                    if value.is_nan() || value <= 0.0 {
                        return Err(validator.refuse(field, "positive", value));
                    }
                }
                self.breaks.insert(joint.slot(), BreakLoad { force, torque });
            }
            None => {
                self.breaks.remove(&joint.slot());
            }
        }
        Ok(())
    }

    /// Adds a latch: it holds two bodies as they stand at the end of the first step in which they touch.
    ///
    /// # Errors
    /// If a handle is stale or foreign, the bodies are the same, or the name is taken.
    pub fn add_latch(
        &mut self,
        name: &str,
        a: BodyHandle,
        b: BodyHandle,
    ) -> Result<ConstraintHandle, WorldError> {
        let latch = self.fixed_joint(a, b, self.body(a)?.state.center_of_mass)?;
        let joint = self.add_joint(name, latch)?;
        self.latches.insert(joint.slot(), Latch { ends: [a, b], holds: None });
        self.state.drives.disabled.insert(joint.slot());
        self.follow_drives();
        Ok(joint)
    }

    /// Opens a latch, or closes it no more at once: it is off until its bodies touch after they have been apart.
    ///
    /// # Errors
    /// If the handle is stale or foreign, or the joint is no latch.
    pub fn open_latch(&mut self, joint: ConstraintHandle) -> Result<(), WorldError> {
        let name = self.joints.name(joint)?;
        if !self.latches.contains_key(&joint.slot()) {
            let validator = super::validate::Validator::joint(name);
            return Err(validator.refuse("latch", "a joint from `add_latch`", "another joint"));
        }
        self.state.drives.latched.remove(&joint.slot());
        self.set_joint_enabled(joint, false)
    }

    /// Joints that broke or latched in the last step, in the order of their slots.
    #[must_use]
    pub fn joint_events(&self) -> &[JointEvent] {
        &self.joint_events
    }

    /// After a step: breaks and latches.
    pub(super) fn act_on_joints(&mut self) {
        self.joint_events.clear();
        if self.breaks.is_empty() && self.latches.is_empty() {
            return;
        }
        let handles: Vec<_> = self.joints.iter().map(|(handle, ..)| handle).collect();
        for joint in handles {
            let slot = joint.slot();
            let off = self.state.drives.disabled.contains(&slot);
            if let (Some(load), false, Ok(reaction)) =
                (self.breaks.get(&slot), off, self.joints.reaction(joint))
                && load.is_exceeded(&reaction)
            {
                self.state.drives.disabled.insert(slot);
                self.state.drives.latched.remove(&slot);
                self.joint_events.push(JointEvent { joint, kind: JointEventKind::Broken });
                continue;
            }
            if let (Some(latch), true) = (self.latches.get(&slot), off) {
                let [a, b] = latch.ends.map(BodyHandle::slot);
                let pair = (a.min(b) as u32, a.max(b) as u32);
                let began = self.contacts.touching.binary_search(&pair).is_ok()
                    && self.contacts.touched.binary_search(&pair).is_err();
                if began {
                    self.stop_relative_motion([a, b]);
                    let ends = [a, b].map(|slot| self.state.states[slot]);
                    self.state.drives.latched.insert(slot, ends);
                    self.state.drives.disabled.remove(&slot);
                    self.joint_events.push(JointEvent { joint, kind: JointEventKind::Latched });
                }
            }
        }
        if !self.joint_events.is_empty() {
            self.follow_drives();
            self.state.modified = true;
            self.state.sleep.wake_all();
        }
    }

    /// Gives two bodies the velocities of one rigid body with their momenta, or those of the one that nothing moves, and books the kinetic
    /// energy that is lost: `V` of the common centre of mass c, and `ω = I⁻¹ L` with I and L about c.
    fn stop_relative_motion(&mut self, slots: [usize; 2]) {
        let before = self.measure_energy();
        let states = slots.map(|slot| self.state.states[slot]);
        let inertias = slots.map(|slot| self.state.inertias[slot]);
        let (center, velocity, spin) = match inertias.map(|inertia| inertia.is_movable()) {
            [true, true] => common_motion(&states, &inertias),
            [true, false] => (states[1].center_of_mass, states[1].velocity, states[1].angular_velocity),
            _ => (states[0].center_of_mass, states[0].velocity, states[0].angular_velocity),
        };
        for (slot, _) in slots.into_iter().zip(inertias).filter(|(_, inertia)| inertia.is_movable()) {
            self.modify_state(slot, |state| {
                state.velocity = velocity + spin.cross(state.center_of_mass - center);
                state.angular_velocity = spin;
            });
        }
        let after = self.measure_energy();
        let EnergySum { kinetic, potential } = after;
        let dissipated = before.total() - after.total();
        let lost = StepEnergy { kinetic, potential, dissipated, ..StepEnergy::default() };
        self.state.ledger = self.state.ledger.after_step(&lost);
    }

    /// Makes joints follow what the state says of them: which are off, and where latches hold.
    pub(super) fn follow_drives(&mut self) {
        if self.latches.is_empty() && self.state.drives.disabled.is_empty() && !self.joints.has_disabled() {
            return;
        }
        let handles: Vec<_> = self.joints.iter().map(|(handle, ..)| handle).collect();
        for joint in handles {
            let Some(latch) = self.latches.get_mut(&joint.slot()) else { continue };
            let holds = self.state.drives.latched.get(&joint.slot()).copied();
            if latch.holds == holds {
                continue;
            }
            latch.holds = holds;
            if let (Some(states), [a, b]) = (holds, latch.ends)
                && let Ok(held) = held_as(a, b, &states)
            {
                // The ends are those of the joint that is there, so that it is accepted.
                let _ = self.joints.replace(joint, std::sync::Arc::new(held));
            }
        }
        self.joints.disable(&self.state.drives.disabled);
        self.contacts.exclude(&self.joints);
    }
}

/// Centre of mass, its velocity, and the angular velocity of two bodies that move as one.
fn common_motion(states: &[InertialState; 2], inertias: &[Inertia; 2]) -> (Vec3, Vec3, Vec3) {
    let masses = inertias.map(|inertia| 1.0 / inertia.inverse_mass());
    let per_mass = 1.0 / (masses[0] + masses[1]);
    let mean = |of: &dyn Fn(&InertialState) -> Vec3| {
        (of(&states[0]) * masses[0] + of(&states[1]) * masses[1]) * per_mass
    };
    let (center, velocity) = (mean(&|state| state.center_of_mass), mean(&|state| state.velocity));
    let (mut tensor, mut momentum) = (Mat3::ZERO, Vec3::ZERO);
    for ((state, inertia), mass) in states.iter().zip(inertias).zip(masses) {
        let arm = state.center_of_mass - center;
        let own = inertia.tensor_world(&orientation::rotation_matrix(state.orientation));
        tensor += own + (Mat3::IDENTITY * arm.length_squared() - outer_product(arm, arm)) * mass;
        momentum += own * state.angular_velocity + arm.cross(state.velocity - velocity) * mass;
    }
    (center, velocity, tensor.inverse() * momentum)
}

/// A joint that holds two bodies as they were.
fn held_as(
    a: BodyHandle,
    b: BodyHandle,
    states: &[InertialState; 2],
) -> Result<FixedJoint, crate::physics::constraints::ConstraintError> {
    let middle: Vec3 = 0.5 * (states[0].center_of_mass + states[1].center_of_mass);
    FixedJoint::new(JointEnd::body(a, &states[0]), JointEnd::body(b, &states[1]), middle)
}

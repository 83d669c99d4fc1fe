//! Joints that act: switched on and off, broken by a load, latched by a contact.
//!
//! A joint that is off does nothing: its bodies move and collide as if it were not there, and springs and actuators along its axis are off
//! too. It keeps its name and handle. Whether joints are on is part of the state: snapshots hold it, `reset` restores the start.
//!
//! After each step the reaction of every joint with a [`BreakLoad`] is compared with it; a joint whose reaction is larger is switched off. A
//! latch is a fixed joint between two bodies that is off until the bodies touch; from the end of that step on it holds them as they stand.
//! Their remaining relative velocity is lost at that time, in an inelastic impact of the two and all that joints connect with them:
//! `J v⁺ + ∂C/∂t = 0` with `v⁺ = v + M⁻¹ Jᵀ p`. The loss is dissipated in the step that latches, and so is the energy of a spring that a
//! joint takes along when it breaks. A driven or kinematic body at the latch does the work `p · u` with its own velocity u.

use super::energy_ledger::{EnergySum, StepEnergy};
use super::joint_event::{BreakLoad, JointEvent, JointEventKind, Latch};
use super::{World, WorldError};
use crate::math::Vec3;
use crate::physics::constraints::{ConstraintHandle, FixedJoint, JointEnd};
use crate::physics::rigid_body::{Bodies, BodyHandle, InertialState};

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

    /// After a step: joints break and latch. Returns the energy balance of the step with the energy that they dissipated.
    pub(super) fn act_on_joints(&mut self, step: StepEnergy) -> StepEnergy {
        self.joint_events.clear();
        if self.breaks.is_empty() && self.latches.is_empty() {
            return step;
        }
        let mut latched = Vec::new();
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
                let ends = latch.ends.map(BodyHandle::slot);
                let pair = (ends[0].min(ends[1]) as u32, ends[0].max(ends[1]) as u32);
                let began = self.contacts.touching.binary_search(&pair).is_ok()
                    && self.contacts.touched.binary_search(&pair).is_err();
                if began {
                    self.state.drives.latched.insert(slot, ends.map(|slot| self.state.states[slot]));
                    self.state.drives.disabled.remove(&slot);
                    self.joint_events.push(JointEvent { joint, kind: JointEventKind::Latched });
                    latched.extend(ends);
                }
            }
        }
        if self.joint_events.is_empty() {
            return step;
        }
        let before = self.measure_energy();
        self.follow_drives();
        self.state.sleep.wake_all();
        let work_in = if latched.is_empty() { 0.0 } else { self.stop_relative_motion(&latched) };
        let after = self.measure_energy();
        let dissipated = before.total() + work_in - after.total();
        let EnergySum { kinetic, potential } = after;
        let taken = StepEnergy { kinetic, potential, work_in, dissipated, ..StepEnergy::default() };
        self.state.ledger = self.state.ledger.after_step(&taken);
        self.state.modified = false;
        StepEnergy {
            kinetic,
            potential,
            work_in: step.work_in + work_in,
            dissipated: step.dissipated + dissipated,
            ..step
        }
    }

    /// Gives the bodies at latches that have closed, and all that joints connect with them, velocities that obey the joints. Returns
    /// the work of the joints' drives and of bodies that forces do not move.
    fn stop_relative_motion(&mut self, latched: &[usize]) -> f64 {
        let apart = self.apart_from(latched);
        let mut joints = self.joints.clone();
        joints.exclude(&apart);
        let mut states = self.state.states.clone();
        let bodies =
            Bodies { bodies: &self.bodies, inertias: &self.state.inertias, states: &self.state.states };
        // Joints that are not finite are reported by the next step.
        let Ok(work_in) = joints.inelastic_impact(&bodies, &mut states, self.time()) else { return 0.0 };
        for (slot, state) in states.into_iter().enumerate() {
            if state != self.state.states[slot] {
                self.modify_state(slot, |old| *old = state);
            }
        }
        work_in
    }

    /// True for every body that no chain of joints between movable bodies connects with one of `slots`.
    fn apart_from(&self, slots: &[usize]) -> Vec<bool> {
        let mut apart = vec![true; self.bodies.len()];
        slots.iter().for_each(|slot| apart[*slot] = false);
        let movable = |slot: usize| self.state.inertias[slot].is_movable();
        loop {
            let mut grown = false;
            for (_, _, joint) in self.joints.enabled() {
                let [Some(a), Some(b)] = joint.bodies().map(|body| body.map(BodyHandle::slot)) else {
                    continue;
                };
                for (from, to) in [(a, b), (b, a)] {
                    if !apart[from] && movable(from) && apart[to] {
                        (apart[to], grown) = (false, true);
                    }
                }
            }
            if !grown {
                return apart;
            }
        }
    }

    /// Sets joints to their state: which are switched off, and where latches hold.
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

/// A joint that holds two bodies as they were.
fn held_as(
    a: BodyHandle,
    b: BodyHandle,
    states: &[InertialState; 2],
) -> Result<FixedJoint, crate::physics::constraints::ConstraintError> {
    let middle: Vec3 = 0.5 * (states[0].center_of_mass + states[1].center_of_mass);
    FixedJoint::new(JointEnd::body(a, &states[0]), JointEnd::body(b, &states[1]), middle)
}

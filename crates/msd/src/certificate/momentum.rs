//! Balance of linear momentum: contact changed velocities by the impulses that it declares, and by no others.
//!
//! ```text
//! Σ m (v - v_flown) = Σ λ                 over the contact points of the bodies
//! ```
//! with v_flown the velocity at the end of free flight and λ the impulse of a point over the step. Joints transmit
//! impulses between the bodies of a mechanism, which cancel in its sum: the balance is that of every set of bodies
//! that joints connect. A mechanism that is joined to an immovable body may get any impulse there and is left out; its
//! joints have a row of their own.
//!
//! The balance finds forces that act on one side only, forces that are reported and did not act, and bodies that were
//! stopped, deflected or thrown without a contact.

use super::evidence::Evidence;
use super::step_certificate::StepCertificate;
use crate::math::{Vec3, scalar};

/// Momentum of a set of bodies that joints connect.
#[derive(Clone, Copy, Debug, Default)]
struct Balance {
    /// Change by contact beyond what contact points transmitted, kg·m/s.
    change: Vec3,
    /// Mass, kg, and largest speed, m/s.
    mass: f64,
    speed: f64,
    /// True if a joint connects it to an immovable body.
    anchored: bool,
}

/// Workspace of the check.
#[derive(Clone, Debug, Default)]
pub(super) struct MomentumJudge {
    /// A body of the same set with a smaller slot, or the slot itself, by slot.
    parent: Vec<u32>,
    /// By the smallest slot of each set.
    balance: Vec<Balance>,
    /// False if contact did nothing in the step.
    acts: bool,
}

impl MomentumJudge {
    /// Begins a step without joints.
    pub(super) fn begin(&mut self, step: &Evidence<'_>) {
        let mut ends = step.flown.iter().zip(step.end);
        self.acts = !step.points.is_empty() || ends.any(|(flown, end)| flown.velocity != end.velocity);
        if !self.acts {
            return;
        }
        let bodies = step.bodies.len();
        self.parent.clear();
        self.parent.extend(0..bodies as u32);
        self.balance.clear();
        self.balance.resize(bodies, Balance::default());
    }

    /// Connects the bodies of a joint; `None` is the world.
    pub(super) fn connect(&mut self, ends: [Option<usize>; 2], movable: impl Fn(usize) -> bool) {
        if !self.acts {
            return;
        }
        match ends.map(|end| end.filter(|slot| movable(*slot))) {
            [Some(a), Some(b)] => {
                let (a, b) = (self.root(a), self.root(b));
                self.parent[a.max(b)] = a.min(b) as u32;
                self.balance[a.min(b)].anchored |= self.balance[a.max(b)].anchored;
            }
            [Some(slot), None] | [None, Some(slot)] => {
                let root = self.root(slot);
                self.balance[root].anchored = true;
            }
            [None, None] => {}
        }
    }

    fn root(&self, slot: usize) -> usize {
        let mut root = slot;
        while self.parent[root] as usize != root {
            root = self.parent[root] as usize;
        }
        root
    }

    /// Checks every set of bodies. A body that fell asleep at the end was stopped on purpose.
    pub(super) fn judge(&mut self, step: &Evidence<'_>, found: &mut StepCertificate) {
        if !self.acts {
            return;
        }
        for slot in 0..step.bodies.len() {
            let (flown, end, inertia) = (&step.flown[slot], &step.end[slot], &step.inertias[slot]);
            if !inertia.is_movable() || (step.asleep)(slot) {
                continue;
            }
            let root = self.root(slot);
            let balance = &mut self.balance[root];
            let mass = inertia.mass();
            balance.change += (end.velocity - flown.velocity) * mass;
            balance.mass += mass;
            let speed = scalar::max(flown.velocity.length(), end.velocity.length());
            balance.speed = scalar::max(balance.speed, scalar::max(step.start[slot].speed(), speed));
        }
        for point in step.points {
            for (slot, impulse) in [(point.a, -point.transmitted), (point.b, point.transmitted)] {
                let root = self.root(slot);
                self.balance[root].change -= impulse;
            }
        }
        for (slot, balance) in self.balance.iter().enumerate() {
            if balance.anchored || balance.mass == 0.0 {
                continue;
            }
            let velocity = balance.change.length() / (balance.mass * scalar::max(1.0, balance.speed));
            found.momentum.worsen(velocity, [Some(slot), None]);
        }
    }
}

//! Ranks of bodies in an order that does not depend on the order in which they were added.
//!
//! The fast tier stops its Gauss-Seidel sweeps before they have converged, so its result depends on the order of contacts and joints.
//! Slots are given in the order of insertion; names are unique in a world and belong to the bodies. Contacts and joints are
//! therefore sorted by the ranks of their bodies in [`RigidBody::canonical_order`]: two worlds with the same bodies, added in any
//! order, take the same steps to the last bit.

use crate::physics::rigid_body::RigidBody;

/// The rank of every body in the canonical order.
#[derive(Clone, Debug, Default)]
pub(super) struct BodyOrder {
    /// By slot.
    ranks: Vec<u32>,
    /// Slots by rank.
    slots: Vec<u32>,
    is_known: bool,
}

impl BodyOrder {
    /// Call after the bodies have changed.
    pub(super) fn forget(&mut self) {
        self.is_known = false;
    }

    /// Sorts again if bodies have changed. Vacant slots have unused ranks too.
    pub(super) fn update(&mut self, bodies: &[RigidBody]) {
        if self.is_known && self.ranks.len() == bodies.len() {
            return;
        }
        self.slots.clear();
        self.slots.extend(0..bodies.len() as u32);
        self.slots.sort_unstable_by(|a, b| {
            bodies[*a as usize].canonical_order(&bodies[*b as usize]).then_with(|| a.cmp(b))
        });
        self.ranks.clear();
        self.ranks.resize(bodies.len(), 0);
        for (rank, slot) in (0..).zip(&self.slots) {
            self.ranks[*slot as usize] = rank;
        }
        self.is_known = true;
    }

    /// By slot.
    pub(super) fn ranks(&self) -> &[u32] {
        &self.ranks
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::physics::rigid_body::{BodyKind, Inertia};

    #[test]
    fn names_with_numbers_are_in_the_order_of_the_numbers() {
        let mut bodies =
            ["box10", "box9", "a", "box2", "floor"].map(|name| RigidBody::new(name, Inertia::IMMOVABLE));
        bodies[4].kind = BodyKind::Static;
        let mut order = BodyOrder::default();
        order.update(&bodies);
        assert_eq!(order.ranks(), [4, 3, 1, 2, 0], "the floor first");
    }
}

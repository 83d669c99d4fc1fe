//! Joints that free flight leaves to contact: those of bodies that are connected, by contacts and joints, with a contact.
//!
//! Held in free flight first and again with contact, joints would be solved twice, and limits, springs and motors would act on a motion that
//! does not happen. Contacts and joints connect movable bodies.

use super::fast::EXACT_LOOPS;
use super::settings::AutoLimits;
use crate::environment::union_find::UnionFind;
use crate::physics::collision::CollisionDetector;
use crate::physics::constraints::ConstraintSet;
use crate::physics::rigid_body::Inertia;

/// Which groups of bodies leave their joints to contact.
#[derive(Clone, Copy, Debug)]
pub(super) enum Rule<'a> {
    /// None.
    None,
    /// With a contact, or with joints in too many loops to be held exactly.
    Soft,
    /// With a contact.
    Exact,
    /// With a contact, unless they are too large or have cost too much: the iterations of the last exact solution, by slot.
    Affordable { costs: &'a [u32], limits: AutoLimits },
}

/// A group, by its root.
#[derive(Clone, Copy, Debug, Default)]
struct Group {
    points: usize,
    iterations: usize,
    claimed: bool,
}

/// Bodies whose joints are left to contact in a step.
#[derive(Clone, Debug, Default)]
pub(super) struct JointClaims {
    union_find: UnionFind,
    groups: Vec<Group>,
    /// By slot; empty if there are none.
    pub(super) bodies: Vec<bool>,
}

impl JointClaims {
    /// True for a body whose joints are left to contact.
    pub(super) fn has(&self, slot: usize) -> bool {
        self.bodies.get(slot) == Some(&true)
    }

    /// True if there are such bodies.
    pub(super) fn any(&self) -> bool {
        self.bodies.contains(&true)
    }

    /// Chooses them for a step.
    pub(super) fn claim(
        &mut self,
        rule: Rule<'_>,
        detector: &CollisionDetector,
        joints: &ConstraintSet,
        inertias: &[Inertia],
    ) {
        self.bodies.clear();
        if matches!(rule, Rule::None) || joints.is_empty() {
            return;
        }
        let moves = |slot: &usize| inertias[*slot].is_movable();
        let joined = || joints.connections().map(|(ends, loops)| (ends.map(|end| end.filter(moves)), loops));
        self.union_find.reset(inertias.len());
        for pair in detector.contacts().filter(|pair| moves(&pair.a) && moves(&pair.b)) {
            self.union_find.union(pair.a, pair.b);
        }
        for (ends, _) in joined() {
            if let [Some(a), Some(b)] = ends {
                self.union_find.union(a, b);
            }
        }
        let coupled = || joints.coupled_bodies().map(|ends| ends.map(|end| end.filter(moves)));
        for ends in coupled() {
            if let [Some(a), Some(b)] = ends {
                self.union_find.union(a, b);
            }
        }
        self.groups.clear();
        self.groups.resize(inertias.len(), Group::default());
        for pair in detector.contacts() {
            if let Some(slot) = [pair.a, pair.b].into_iter().find(moves) {
                let group = &mut self.groups[self.union_find.root(slot)];
                group.claimed = true;
                group.points +=
                    pair.manifolds.iter().map(|found| found.manifold.points().len()).sum::<usize>();
            }
        }
        match rule {
            Rule::None | Rule::Exact => {}
            Rule::Soft => {
                for (ends, _) in joined().filter(|(_, loops)| *loops > EXACT_LOOPS) {
                    for slot in ends.into_iter().flatten() {
                        self.groups[self.union_find.root(slot)].claimed = true;
                    }
                }
            }
            Rule::Affordable { costs, limits } => {
                for (slot, cost) in costs.iter().enumerate() {
                    let group = &mut self.groups[self.union_find.root(slot)];
                    group.iterations = group.iterations.max(*cost as usize);
                }
                let coupled: Vec<usize> =
                    coupled().flatten().flatten().map(|slot| self.union_find.root(slot)).collect();
                for (root, group) in self.groups.iter_mut().enumerate() {
                    // Only the exact tier solves rows over several joints.
                    let affordable = !limits.exceeded_by(group.points, group.iterations);
                    group.claimed &= affordable || coupled.contains(&root);
                }
            }
        }
        self.bodies.resize(inertias.len(), false);
        for slot in (0..inertias.len()).filter(moves) {
            self.bodies[slot] = self.groups[self.union_find.root(slot)].claimed;
        }
    }
}

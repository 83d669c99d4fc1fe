//! The two recursions: articulated inertias from the leaves to the roots, and the twists that close joints.
//!
//! With the motion `y = X t_parent` handed down and the offset c, the momentum of link and subtree is `I (y + c + S q̇) + p`, p the sum
//! of what its children hand up. Each free direction s carries no impulse along itself: with `U = I s`, `D = s·U` and `u = -s·p`,
//! `q̇ = (u - U·y)/D`; what is left after it is `I - U Uᵀ/D` and `p + U u/D`. Joints of several degrees of freedom are released one
//! direction after the other.

use super::articulated::ArticulatedInertia;
use super::links::{Freedoms, Link};
use crate::math::{Mat3, Quat, Vec3};
use crate::physics::constraints::solver::Twist;
use crate::physics::rigid_body::{Inertia, InertialState, Wrench};

/// A direction in which a joint lets its link move.
#[derive(Clone, Copy, Debug)]
struct Direction {
    twist: Twist,
    /// `U = I s`.
    response: Wrench,
    /// `1/D`.
    inverse: f64,
    /// `u/D` of the solution at hand.
    rate: f64,
}

/// Pose and inertia of a link that its factor was made for.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Made {
    center: Vec3,
    orientation: Quat,
    mass: f64,
    tensor: Mat3,
}

/// The links of all trees, with the workspace of their elimination.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Elimination {
    pub(in super::super) links: Vec<Link>,
    /// What the joint of each link must close.
    pub(in super::super) offsets: Vec<Twist>,
    /// How each link moves to close them.
    pub(in super::super) twists: Vec<Twist>,
    /// How much faster each link moves along its axis than the rotors on it, and how much its rate changes.
    pub(in super::super) leads: Vec<f64>,
    pub(in super::super) rates: Vec<f64>,
    /// What each joint exerts on its link; see [`Elimination::find_wrenches`].
    pub(in super::super) wrenches: Vec<Wrench>,
    directions: Vec<Direction>,
    /// Where the directions of each link begin; one more than links.
    first: Vec<usize>,
    articulated: Vec<ArticulatedInertia>,
    rigid: Vec<ArticulatedInertia>,
    /// From the centre of mass of the parent.
    apart: Vec<Vec3>,
    made: Vec<Made>,
    /// Whether the factor is that with rotors.
    with_rotors: bool,
}

impl Elimination {
    pub(in super::super) fn new(links: Vec<Link>) -> Self {
        let number = links.len();
        Self {
            links,
            offsets: vec![Twist::default(); number],
            twists: vec![Twist::default(); number],
            leads: vec![0.0; number],
            rates: vec![0.0; number],
            wrenches: vec![Wrench::ZERO; number],
            ..Self::default()
        }
    }

    /// Factorises with the bodies as they are, unless they are where they were. False if a pivot is not positive.
    pub(in super::super) fn factorise(
        &mut self,
        inertias: &[Inertia],
        states: &[InertialState],
        with_rotors: bool,
    ) -> bool {
        if self.with_rotors == with_rotors && self.is_made_for(inertias, states) {
            return true;
        }
        self.with_rotors = with_rotors;
        self.made.clear();
        self.rigid.clear();
        self.apart.clear();
        self.directions.clear();
        self.first.clear();
        for link in &self.links {
            let (own, inertia) = (&states[link.slot], &inertias[link.slot]);
            let holder = link.holder(&self.links, states);
            let tensor = inertia.tensor_world(&Mat3::from_quat(own.orientation));
            self.rigid.push(ArticulatedInertia::of_body(inertia.mass(), tensor));
            self.apart.push(own.center_of_mass - holder.center_of_mass);
            self.first.push(self.directions.len());
            let Freedoms { twists, count } = link.freedoms(holder, own);
            self.directions.extend(twists[..count].iter().map(|&twist| Direction {
                twist,
                response: Wrench::ZERO,
                inverse: 0.0,
                rate: 0.0,
            }));
        }
        self.first.push(self.directions.len());
        self.articulated.clone_from(&self.rigid);
        for k in (0..self.links.len()).rev() {
            let mut released = self.articulated[k];
            for direction in &mut self.directions[self.first[k]..self.first[k + 1]] {
                direction.response = released.momentum(&direction.twist);
                let rotor = if with_rotors { self.links[k].rotor } else { 0.0 };
                let pivot = direction.response.power(direction.twist.linear, direction.twist.angular) + rotor;
                direction.inverse = 1.0 / pivot;
                if !(pivot > 0.0 && direction.inverse.is_finite()) {
                    return false;
                }
                released.release(&direction.response, direction.inverse);
            }
            if let Some(parent) = self.links[k].parent {
                self.articulated[parent].add_child(&released, self.apart[k]);
            }
        }
        self.made.extend(self.links.iter().map(|link| made(&inertias[link.slot], &states[link.slot])));
        true
    }

    /// True if the factor is that of the bodies as they are.
    pub(in super::super) fn is_made_for(&self, inertias: &[Inertia], states: &[InertialState]) -> bool {
        self.made.len() == self.links.len()
            && self
                .links
                .iter()
                .zip(&self.made)
                .all(|(link, made_for)| *made_for == made(&inertias[link.slot], &states[link.slot]))
    }

    /// The twists that close the offsets and leads with the least kinetic energy, with the factor.
    pub(in super::super) fn solve(&mut self) {
        self.wrenches.fill(Wrench::ZERO);
        for k in (0..self.links.len()).rev() {
            let mut momentum = self.wrenches[k] + self.articulated[k].momentum(&self.offsets[k]);
            for direction in &mut self.directions[self.first[k]..self.first[k + 1]] {
                let along = momentum.power(direction.twist.linear, direction.twist.angular);
                direction.rate = -(along + self.links[k].rotor * self.leads[k]) * direction.inverse;
                momentum += direction.response * direction.rate;
            }
            if let Some(parent) = self.links[k].parent {
                let torque = momentum.torque + self.apart[k].cross(momentum.force);
                self.wrenches[parent] += Wrench::new(momentum.force, torque);
            }
        }
        for k in 0..self.links.len() {
            let mut twist = self.links[k].parent.map_or(Twist::default(), |parent| {
                let Twist { linear, angular } = self.twists[parent];
                Twist { linear: linear + angular.cross(self.apart[k]), angular }
            });
            for direction in self.directions[self.first[k]..self.first[k + 1]].iter().rev() {
                let along = direction.response.power(twist.linear, twist.angular);
                let rate = direction.rate - along * direction.inverse;
                self.rates[k] = rate;
                twist.linear += direction.twist.linear * rate;
                twist.angular += direction.twist.angular * rate;
            }
            twist.linear += self.offsets[k].linear;
            twist.angular += self.offsets[k].angular;
            self.twists[k] = twist;
        }
    }

    /// `Σ aᵀ M b` over the links: twice the kinetic energy if both are one.
    pub(in super::super) fn product(&self, a: &[Twist], b: &[Twist]) -> f64 {
        let of = |((inertia, a), b): ((&ArticulatedInertia, &Twist), &Twist)| {
            inertia.momentum(b).power(a.linear, a.angular)
        };
        self.rigid.iter().zip(a).zip(b).map(of).sum()
    }

    /// What each joint must exert on its link to change the motion of all links by these twists: the momentum that link and subtree gain.
    pub(in super::super) fn find_wrenches(&mut self, gained: &[Twist]) {
        for (k, twist) in gained.iter().enumerate() {
            self.wrenches[k] = self.rigid[k].momentum(twist);
        }
        for k in (0..self.links.len()).rev() {
            if let Some(parent) = self.links[k].parent {
                let Wrench { force, torque } = self.wrenches[k];
                self.wrenches[parent] += Wrench::new(force, torque + self.apart[k].cross(force));
            }
        }
    }
}

fn made(inertia: &Inertia, state: &InertialState) -> Made {
    Made {
        center: state.center_of_mass,
        orientation: state.orientation,
        mass: inertia.mass(),
        tensor: inertia.tensor_body(),
    }
}

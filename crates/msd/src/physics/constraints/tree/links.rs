//! The links of trees: which body hangs by which joint, how far a joint is open, and the multipliers of its rows.
//!
//! Parents come before their children. A tree without a joint to the world, or to a body that forces do not move, has a root that is
//! free.

use crate::math::{Mat3, Quat, ReferenceFrame, Vec3, scalar};
use crate::physics::constraints::elementary_row::LOCKED;
use crate::physics::constraints::solver::{Block, Twist};
use crate::physics::constraints::{JointFrames, JointMotion, Reaction};
use crate::physics::rigid_body::{InertialState, Wrench};

/// One end of a joint: a point from the centre of mass and three directions, body axes; the joint's axis is the third.
#[derive(Clone, Copy, Debug)]
struct End {
    point: Vec3,
    axes: [Vec3; 3],
}

/// A body of a tree.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Link {
    /// Its body.
    pub(in super::super) slot: usize,
    /// Number of its parent.
    pub(in super::super) parent: Option<usize>,
    /// The body that forces do not move and that it hangs on, if it has no parent and does not hang on the world.
    base: Option<usize>,
    /// Number of the block of its joint; `None` if the link is free.
    pub(in super::super) block: Option<usize>,
    motion: JointMotion,
    /// True if the link is body A of its joint.
    reversed: bool,
    on_parent: End,
    on_link: End,
    /// Inertia of the rotors on its axis, kg·m² or kg.
    pub(in super::super) rotor: f64,
}

/// A constraint that acts on the bodies of a tree and holds none: a spring, an actuator or a rotor.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Rider {
    /// Number of its block.
    pub(in super::super) block: usize,
    /// The link on whose axis a rotor is; `None` for others.
    pub(in super::super) rotor_of: Option<usize>,
}

/// How far a joint is open, or how fast it opens.
#[derive(Clone, Copy, Debug, Default)]
pub(in super::super) struct Closure {
    /// The motion of the link that would close it.
    pub(in super::super) twist: Twist,
    /// Largest error, m and rad, or m/s and rad/s.
    pub(in super::super) length: f64,
    pub(in super::super) angle: f64,
    /// Distances of the two bodies from the origin, m.
    pub(in super::super) reach: f64,
}

impl End {
    fn of(frame: ReferenceFrame) -> Self {
        let turn = Mat3::from_quat(frame.orientation);
        Self { point: frame.position, axes: [turn.col(0), turn.col(1), turn.col(2)] }
    }
}

/// Directions in which a joint lets its link move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Freedoms {
    pub(super) twists: [Twist; 6],
    pub(super) count: usize,
}

/// What a constraint is to a tree.
#[derive(Clone, Copy, Debug)]
pub(in super::super) enum Role {
    /// A joint between a link and its parent.
    Joint(JointFrames),
    /// A rotor of that inertia on the axis of the joint in a block.
    Rotor(usize, f64),
    /// A spring or an actuator.
    Force,
}

/// The links of all bodies that joints of trees connect, parents first, and what rides on them; `None` unless every constraint has a
/// role in a tree, and the joints close no loop.
pub(in super::super) fn find_links(
    blocks: &[Block],
    role: impl Fn(&Block) -> Option<Role>,
) -> Option<(Vec<Link>, Vec<Rider>)> {
    let roles: Vec<Role> = blocks.iter().map(role).collect::<Option<_>>()?;
    let bodies = blocks.iter().flat_map(|block| block.bodies).flatten().max().map_or(0, |slot| slot + 1);
    let mut hanging = vec![Vec::new(); bodies];
    let mut grounded = Vec::new();
    for (number, (block, role)) in blocks.iter().zip(&roles).enumerate() {
        if !matches!(role, Role::Joint(_)) {
            continue;
        }
        let ends = [0, 1].map(|end| block.bodies[end].filter(|_| block.movable[end]));
        match ends {
            [None, None] => return None,
            [Some(slot), None] | [None, Some(slot)] => grounded.push((slot, number)),
            [Some(a), Some(b)] => {
                hanging[a].push(number);
                hanging[b].push(number);
            }
        }
    }
    let mut finder = Finder { blocks, roles, hanging, hung: vec![false; bodies], links: Vec::new() };
    for (slot, number) in grounded {
        finder.hang(slot, None, Some(number))?;
    }
    for slot in 0..bodies {
        if !finder.hung[slot] && !finder.hanging[slot].is_empty() {
            finder.hang(slot, None, None)?;
        }
    }
    let riders = finder.add_riders()?;
    Some((finder.links, riders))
}

struct Finder<'a> {
    blocks: &'a [Block],
    roles: Vec<Role>,
    /// Joints between two bodies that forces move, by body.
    hanging: Vec<Vec<usize>>,
    hung: Vec<bool>,
    links: Vec<Link>,
}

impl Finder<'_> {
    /// Adds a body and all that hangs from it; `None` if a joint closes a loop.
    fn hang(&mut self, slot: usize, parent: Option<usize>, by: Option<usize>) -> Option<()> {
        let mut open = vec![(slot, parent, by)];
        while let Some((slot, parent, by)) = open.pop() {
            if std::mem::replace(&mut self.hung[slot], true) {
                return None;
            }
            let number = self.links.len();
            let link = self.link(slot, parent, by);
            self.links.push(link);
            for &joint in self.hanging[slot].iter().rev().filter(|joint| Some(**joint) != by) {
                let [a, b] = self.blocks[joint].bodies;
                let other = if a == Some(slot) { b? } else { a? };
                open.push((other, Some(number), Some(joint)));
            }
        }
        Some(())
    }

    /// Gives links their rotors; `None` if one is on a joint without a single axis.
    fn add_riders(&mut self) -> Option<Vec<Rider>> {
        let mut riders = Vec::new();
        for (block, role) in self.roles.iter().enumerate() {
            match role {
                Role::Joint(_) => {}
                Role::Force => riders.push(Rider { block, rotor_of: None }),
                Role::Rotor(joint, inertia) => {
                    let number = self.links.iter().position(|link| link.block == Some(*joint))?;
                    let link = &mut self.links[number];
                    if !matches!(link.motion, JointMotion::Hinge | JointMotion::Slider) {
                        return None;
                    }
                    link.rotor += inertia;
                    riders.push(Rider { block, rotor_of: Some(number) });
                }
            }
        }
        Some(riders)
    }

    fn link(&self, slot: usize, parent: Option<usize>, by: Option<usize>) -> Link {
        let joint = by.and_then(|number| match &self.roles[number] {
            Role::Joint(frames) => Some((number, frames)),
            _ => None,
        });
        let Some((number, frames)) = joint else {
            let nowhere = End { point: Vec3::ZERO, axes: [Vec3::X, Vec3::Y, Vec3::Z] };
            return Link {
                slot,
                parent,
                base: None,
                block: None,
                motion: JointMotion::Fixed,
                reversed: false,
                on_parent: nowhere,
                on_link: nowhere,
                rotor: 0.0,
            };
        };
        let block = &self.blocks[number];
        let reversed = block.bodies[0] == Some(slot);
        let [a, b] = [End::of(frames.on_a), End::of(frames.on_b)];
        let (on_parent, on_link) = if reversed { (b, a) } else { (a, b) };
        let other = block.bodies[usize::from(reversed)];
        Link {
            slot,
            parent,
            base: other.filter(|_| parent.is_none()),
            block: by,
            motion: frames.motion,
            reversed,
            on_parent,
            on_link,
            rotor: 0.0,
        }
    }
}

impl Link {
    /// 1, or -1 if the link is body A of its joint: the sense of its position as the joint counts it.
    pub(in super::super) fn sense(&self) -> f64 {
        if self.reversed { -1.0 } else { 1.0 }
    }

    /// Rate of the link along or about the axis of its hinge or slider, rad/s or m/s.
    pub(in super::super) fn axis_rate(&self, holder: &InertialState, own: &InertialState) -> f64 {
        match self.motion {
            JointMotion::Hinge => {
                let axis = own.orientation * self.on_link.axes[2];
                axis.dot(own.angular_velocity - holder.angular_velocity)
            }
            JointMotion::Slider => {
                let at_own = own.orientation * self.on_link.point;
                let from_holder = (own.center_of_mass - holder.center_of_mass) + at_own;
                let rate = (own.velocity + own.angular_velocity.cross(at_own))
                    - (holder.velocity + holder.angular_velocity.cross(from_holder));
                (holder.orientation * self.on_parent.axes[2]).dot(rate)
            }
            JointMotion::Ball | JointMotion::Fixed => 0.0,
        }
    }

    /// Position on the axis as a point of the plane: `[cos q, sin q]` of a hinge, `[0, q]` of a slider.
    fn axis_point(&self, holder: &InertialState, own: &InertialState) -> [f64; 2] {
        let (from, to) = (holder.orientation, own.orientation);
        match self.motion {
            JointMotion::Hinge => {
                let first = to * self.on_link.axes[0];
                [0, 1].map(|k| first.dot(from * self.on_parent.axes[k]))
            }
            JointMotion::Slider => {
                let gap = (own.center_of_mass - holder.center_of_mass)
                    + (to * self.on_link.point - from * self.on_parent.point);
                [0.0, gap.dot(from * self.on_parent.axes[2])]
            }
            JointMotion::Ball | JointMotion::Fixed => [0.0; 2],
        }
    }

    /// How far the link has moved along its axis between two states of all bodies.
    pub(in super::super) fn travelled(
        &self,
        links: &[Link],
        before: &[InertialState],
        after: &[InertialState],
    ) -> f64 {
        self.axis_travel(
            (self.holder(links, before), &before[self.slot]),
            (self.holder(links, after), &after[self.slot]),
        )
    }

    /// How far a hinge (less than half a turn) or slider has moved between two pairs of states of its holder and itself.
    fn axis_travel(
        &self,
        before: (&InertialState, &InertialState),
        after: (&InertialState, &InertialState),
    ) -> f64 {
        let ([x0, y0], [x1, y1]) = (self.axis_point(before.0, before.1), self.axis_point(after.0, after.1));
        match self.motion {
            JointMotion::Hinge => scalar::atan2(x0 * y1 - y0 * x1, x0 * x1 + y0 * y1),
            _ => y1 - y0,
        }
    }

    /// The state of what the link hangs on.
    pub(in super::super) fn holder<'a>(
        &self,
        links: &[Link],
        states: &'a [InertialState],
    ) -> &'a InertialState {
        match (self.parent, self.base) {
            (Some(parent), _) => &states[links[parent].slot],
            (None, Some(base)) => &states[base],
            (None, None) => &InertialState::AT_REST,
        }
    }

    /// True if what the link hangs on does not move, or forces move it.
    pub(in super::super) fn holder_rests(&self, states: &[InertialState]) -> bool {
        self.base.is_none_or(|slot| {
            states[slot].velocity == Vec3::ZERO && states[slot].angular_velocity == Vec3::ZERO
        })
    }

    /// Directions in which the joint lets the link move.
    pub(super) fn freedoms(&self, holder: &InertialState, own: &InertialState) -> Freedoms {
        let still = Twist::default();
        let mut found = Freedoms { twists: [still; 6], count: 0 };
        let axes = [Vec3::X, Vec3::Y, Vec3::Z];
        let arm = || -(own.orientation * self.on_link.point);
        match (self.block, self.motion) {
            (None, _) => {
                for (k, axis) in axes.into_iter().enumerate() {
                    found.twists[k] = Twist { angular: axis, ..still };
                    found.twists[3 + k] = Twist { linear: axis, ..still };
                }
                found.count = 6;
            }
            (_, JointMotion::Fixed) => {}
            (_, JointMotion::Hinge) => {
                let axis = own.orientation * self.on_link.axes[2];
                found.twists[0] = Twist { linear: axis.cross(arm()), angular: axis };
                found.count = 1;
            }
            (_, JointMotion::Slider) => {
                found.twists[0] = Twist { linear: holder.orientation * self.on_parent.axes[2], ..still };
                found.count = 1;
            }
            (_, JointMotion::Ball) => {
                let arm = arm();
                for (k, axis) in axes.into_iter().enumerate() {
                    found.twists[k] = Twist { linear: axis.cross(arm), angular: axis };
                }
                found.count = 3;
            }
        }
        found
    }

    /// How far the joint is open.
    pub(in super::super) fn gap(&self, holder: &InertialState, own: &InertialState) -> Closure {
        if self.block.is_none() {
            return Closure::default();
        }
        let (from, to) = (holder.orientation, own.orientation);
        let (at_holder, at_own) = (from * self.on_parent.point, to * self.on_link.point);
        let mut gap = (own.center_of_mass - holder.center_of_mass) + (at_own - at_holder);
        let turn = match self.motion {
            JointMotion::Ball => Vec3::ZERO,
            JointMotion::Hinge => (to * self.on_link.axes[2]).cross(from * self.on_parent.axes[2]),
            JointMotion::Slider | JointMotion::Fixed => self.misaligned(from, to),
        };
        if self.motion == JointMotion::Slider {
            let axis = from * self.on_parent.axes[2];
            gap -= axis * axis.dot(gap);
        }
        Closure {
            twist: closing(-gap, turn, -at_own),
            length: gap.abs().max_element(),
            angle: turn.abs().max_element(),
            reach: holder.center_of_mass.length() + own.center_of_mass.length(),
        }
    }

    /// How fast the joint opens.
    pub(in super::super) fn opening(&self, holder: &InertialState, own: &InertialState) -> Closure {
        if self.block.is_none() {
            return Closure::default();
        }
        let (at_holder, at_own) =
            (holder.orientation * self.on_parent.point, own.orientation * self.on_link.point);
        let mut spin = own.angular_velocity - holder.angular_velocity;
        let mut rate = (own.velocity + own.angular_velocity.cross(at_own))
            - (holder.velocity + holder.angular_velocity.cross(at_holder));
        match self.motion {
            JointMotion::Fixed => {}
            JointMotion::Ball => spin = Vec3::ZERO,
            JointMotion::Hinge => {
                let axis = own.orientation * self.on_link.axes[2];
                spin -= axis * axis.dot(spin);
            }
            JointMotion::Slider => {
                // The anchor of the link passes points of its holder that are apart from the holder's anchor.
                let apart = (own.center_of_mass - holder.center_of_mass) + (at_own - at_holder);
                rate -= holder.angular_velocity.cross(apart);
                let axis = holder.orientation * self.on_parent.axes[2];
                rate -= axis * axis.dot(rate);
            }
        }
        Closure {
            twist: closing(-rate, -spin, -at_own),
            length: rate.abs().max_element(),
            angle: spin.abs().max_element(),
            reach: 0.0,
        }
    }

    /// The small rotation that aligns the directions on the link with those on its holder.
    fn misaligned(&self, from: Quat, to: Quat) -> Vec3 {
        let mut turn = Vec3::ZERO;
        for (own, other) in self.on_link.axes.iter().zip(&self.on_parent.axes) {
            turn += (to * *own).cross(from * *other);
        }
        turn * 0.5
    }

    /// Unit force and unit torque about the anchor of B that each row exerts on B, for the rows that hold the joint.
    fn row_directions(&self, holder: &InertialState, own: &InertialState) -> ([(Vec3, Vec3); 6], usize) {
        let ([a, b], [from, to]) = if self.reversed {
            ([self.on_link, self.on_parent], [own.orientation, holder.orientation])
        } else {
            ([self.on_parent, self.on_link], [holder.orientation, own.orientation])
        };
        let (e, f) = (|k: usize| from * a.axes[k], |k: usize| to * b.axes[k]);
        let mut rows = [(Vec3::ZERO, Vec3::ZERO); 6];
        let point = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| (axis, Vec3::ZERO));
        let locked = |(i, j): (usize, usize)| (Vec3::ZERO, f(j).cross(e(i)));
        match self.motion {
            JointMotion::Ball => {
                rows[..3].copy_from_slice(&point);
                (rows, 3)
            }
            JointMotion::Hinge => {
                let axis = f(2);
                rows[..3].copy_from_slice(&point);
                rows[3].1 = axis.cross(e(0));
                rows[4].1 = axis.cross(e(1));
                (rows, 5)
            }
            JointMotion::Fixed => {
                rows[..3].copy_from_slice(&point);
                rows[3..].copy_from_slice(&LOCKED.map(locked));
                (rows, 6)
            }
            JointMotion::Slider => {
                (rows[0].0, rows[1].0) = (e(0), e(1));
                rows[2..5].copy_from_slice(&LOCKED.map(locked));
                (rows, 5)
            }
        }
    }

    /// Adds to `out` the multipliers of the rows that hold the joint, for the wrench (or impulse) that it exerts on the link, and returns
    /// the reaction of the joint with their sums.
    pub(in super::super) fn add_multipliers(
        &self,
        holder: &InertialState,
        own: &InertialState,
        wrench: &Wrench,
        out: &mut [f64],
    ) -> Reaction {
        let sense = self.sense();
        let force = wrench.force * sense;
        // About the anchor on body B, where both ends of a slider's rows act.
        let place = if self.reversed {
            (holder.center_of_mass - own.center_of_mass) + holder.orientation * self.on_parent.point
        } else {
            own.orientation * self.on_link.point
        };
        let torque = wrench.torque * sense - place.cross(force);
        let (rows, count) = self.row_directions(holder, own);
        let mut reaction = Reaction::default();
        for (out, (along, about)) in out.iter_mut().zip(&rows[..count]) {
            *out += force.dot(*along) + torque.dot(*about);
            reaction.force += *along * *out;
            reaction.torque += *about * *out;
        }
        reaction
    }
}

/// The motion of a link whose anchor, `-arm` from its centre of mass, moves by `shift` while it turns.
fn closing(shift: Vec3, turn: Vec3, arm: Vec3) -> Twist {
    Twist { linear: shift + turn.cross(arm), angular: turn }
}

impl Closure {
    /// Error in units of round-off `tight` of the coordinates it is computed from; NaN if it is not finite.
    pub(in super::super) fn excess(&self, tight: f64) -> f64 {
        if !(self.length + self.angle).is_finite() {
            return f64::NAN;
        }
        scalar::max(self.length / (1.0 + self.reach), self.angle) / tight
    }
}

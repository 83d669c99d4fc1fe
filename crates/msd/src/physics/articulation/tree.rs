//! The tree: which joints are its edges, where each link is for given q, and q and v of bodies as they are.
//!
//! Joints are taken in the order of their slots; one whose ends are connected already closes a loop and is left out. A tree that is not
//! connected to the world hangs on it by a free joint of its first body. Coordinates are in the order of the bodies, a parent's before
//! its children's.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::spatial::Spatial;
use crate::math::{Quat, ReferenceFrame, Vec3, orientation};
use crate::physics::constraints::{
    ConstraintHandle, ConstraintSet, JointFrames, JointMotion, Pair, RowLaw, Sequence,
};
use crate::physics::rigid_body::{Bodies, BodyHandle, Inertia, InertialState};

/// How a link moves against its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mobility {
    /// In no way.
    Fixed,
    /// About one axis.
    Hinge,
    /// Along one axis.
    Slider,
    /// About a point.
    Ball,
    /// By so many hinges and sliders, one after the other.
    Sequence(usize),
    /// Anyhow.
    Free,
}

impl Mobility {
    /// How many numbers of q it has.
    #[must_use]
    pub fn positions(self) -> usize {
        match self {
            Self::Fixed => 0,
            Self::Hinge | Self::Slider => 1,
            Self::Ball => 4,
            Self::Sequence(joints) => joints,
            Self::Free => 7,
        }
    }

    /// How many numbers of v it has: its degrees of freedom.
    #[must_use]
    pub fn velocities(self) -> usize {
        match self {
            Self::Fixed => 0,
            Self::Hinge | Self::Slider => 1,
            Self::Ball => 3,
            Self::Sequence(joints) => joints,
            Self::Free => 6,
        }
    }
}

/// A body of an articulation, and the joint it hangs by.
#[derive(Clone, Debug)]
pub struct Link {
    /// Its body.
    pub body: BodyHandle,
    /// Name of its body.
    pub name: String,
    /// Number of its parent; `None` if it hangs on the world or on a body that forces do not move.
    pub parent: Option<usize>,
    /// The joint it hangs by; `None` if it is free.
    pub joint: Option<ConstraintHandle>,
    /// Name of the joint, or of the body if it is free.
    pub joint_name: String,
    /// How it moves against its parent.
    pub mobility: Mobility,
    /// Where its numbers begin in q.
    pub first_position: usize,
    /// Where its numbers begin in v.
    pub first_velocity: usize,
    /// The body that does not move by forces and that it hangs on, by slot.
    base: Option<usize>,
    /// The joint's frame in that of the centre of mass of the parent, and of the link; z is the axis.
    on_parent: ReferenceFrame,
    on_link: ReferenceFrame,
    /// Position of the joint where the frames coincide.
    placed_at: f64,
    /// 1, or -1 if the link is body A of its joint.
    sense: f64,
    /// Centre of mass in the frame of the body.
    center_local: Vec3,
    pub(super) inertia: Inertia,
    /// The joints of a sequence, and their handles and names.
    sequence: Option<Arc<Sequence>>,
    axes: Vec<(ConstraintHandle, String)>,
    /// Inertia of the rotors on the axes of its joints, kg·m² or kg, by number of v of the link.
    pub(super) armature: Vec<f64>,
}

/// A tree of links.
#[derive(Clone, Debug, Default)]
pub struct Articulation {
    links: Vec<Link>,
    /// How many numbers q and v have.
    sizes: [usize; 2],
}

/// An edge of the tree, seen from one of its ends.
#[derive(Clone, Copy)]
struct Edge<'c> {
    joint: ConstraintHandle,
    name: &'c str,
    frames: JointFrames,
    sequence: Option<&'c Arc<Sequence>>,
    /// Slots of A and B; `None` is the world.
    ends: [Option<usize>; 2],
}

impl Edge<'_> {
    /// True if a body can hang by it: a sequence carries its body B.
    fn carries(&self, slot: usize) -> bool {
        self.sequence.is_none() || self.ends[1] == Some(slot)
    }
}

impl Articulation {
    /// The tree of all bodies that forces move, or of those that joints connect with one of them.
    #[must_use]
    pub fn of(
        bodies: &Bodies<'_>,
        joints: &ConstraintSet,
        handle: impl Fn(usize) -> BodyHandle,
        only: Option<BodyHandle>,
    ) -> Self {
        let movable = |slot: usize| bodies.inertias[slot].is_movable();
        let mut groups = Groups::new(bodies.len());
        let mut edges: BTreeMap<Option<usize>, Vec<Edge<'_>>> = BTreeMap::new();
        for (joint, name, constraint) in joints.enabled() {
            let sequence = constraint.joint_sequence();
            let of_sequence = |sequence: &Arc<Sequence>| {
                let [on_a, on_b] = sequence.frames();
                JointFrames { motion: JointMotion::Fixed, on_a, on_b, placed_at: 0.0 }
            };
            let Some(frames) = constraint.joint_frames().or(sequence.map(of_sequence)) else { continue };
            let ends = constraint.bodies().map(|end| end.map(|body| body.slot()));
            let moving = ends.map(|end| end.filter(|slot| movable(*slot)));
            if groups.join(moving) {
                for end in moving {
                    edges.entry(end).or_default().push(Edge { joint, name, frames, sequence, ends });
                }
            }
        }
        let mut articulation = Self::default();
        // A tree that is not connected to the world is rooted in its first body.
        let mut number = vec![None; bodies.len()];
        let mut hung: BTreeMap<usize, (Option<usize>, Option<Edge<'_>>)> = BTreeMap::new();
        let mut open: Vec<(Option<usize>, Option<usize>)> = vec![(None, None)];
        let roots = (0..bodies.len()).filter(|slot| movable(*slot) && !groups.is_grounded(*slot));
        let mut rooted = std::collections::BTreeSet::new();
        for slot in roots {
            if rooted.insert(groups.find(slot)) {
                hung.insert(slot, (None, None));
                open.push((Some(slot), None));
            }
        }
        while let Some((end, through)) = open.pop() {
            for edge in edges.get(&end).into_iter().flatten() {
                if through == Some(edge.joint.slot()) {
                    continue;
                }
                for other in edge.ends.into_iter().flatten().filter(|slot| movable(*slot)) {
                    if Some(other) != end && !hung.contains_key(&other) && edge.carries(other) {
                        hung.insert(other, (end, Some(*edge)));
                        open.push((Some(other), Some(edge.joint.slot())));
                    }
                }
            }
        }
        let wanted = only.map(|body| groups.find(body.slot()));
        for slot in (0..bodies.len()).filter(|slot| movable(*slot)) {
            if wanted.is_none_or(|group| groups.find(slot) == group) {
                articulation.hang(slot, &hung, &mut number, bodies, &handle);
            }
        }
        articulation.name_axes(joints);
        articulation.add_rotors(joints);
        articulation
    }

    /// Finds the joints of sequences, in their order.
    fn name_axes(&mut self, joints: &ConstraintSet) {
        for link in &mut self.links {
            let Some(sequence) = &link.sequence else { continue };
            let unnamed = link.joint.map(|joint| (joint, link.joint_name.clone()));
            link.axes.extend(unnamed.into_iter().cycle().take(sequence.len()));
            for (joint, name, constraint) in joints.enabled() {
                match constraint.sequence_axis() {
                    Some((own, k)) if Arc::ptr_eq(own, sequence) => link.axes[k] = (joint, name.to_owned()),
                    _ => {}
                }
            }
        }
    }

    /// Gives links the rotors on the axes of their joints.
    fn add_rotors(&mut self, joints: &ConstraintSet) {
        for link in &mut self.links {
            link.armature = vec![0.0; link.mobility.velocities()];
        }
        for (_, _, constraint) in joints.iter() {
            let (RowLaw::Rotor { inertia }, Some(joint)) = (constraint.law(0), constraint.along()) else {
                continue;
            };
            for link in &mut self.links {
                let number = link.axis_joints().position(|own| own == joint);
                if let Some(k) = number {
                    link.armature[k] += inertia;
                }
            }
        }
    }

    /// Adds a link, its parents first.
    fn hang(
        &mut self,
        slot: usize,
        hung: &BTreeMap<usize, (Option<usize>, Option<Edge<'_>>)>,
        number: &mut [Option<usize>],
        bodies: &Bodies<'_>,
        handle: &impl Fn(usize) -> BodyHandle,
    ) {
        let mut chain = vec![slot];
        while let Some((Some(parent), _)) = chain.last().and_then(|last| hung.get(last)) {
            if number[*parent].is_some() {
                break;
            }
            chain.push(*parent);
        }
        for slot in chain.into_iter().rev().filter(|slot| number[*slot].is_none()).collect::<Vec<_>>() {
            let (parent, edge) = hung.get(&slot).copied().unwrap_or((None, None));
            number[slot] = Some(self.links.len());
            let link =
                link(slot, parent.and_then(|parent| number[parent]), edge, bodies, handle(slot), self.sizes);
            self.sizes[0] += link.mobility.positions();
            self.sizes[1] += link.mobility.velocities();
            self.links.push(link);
        }
    }

    /// The links, parents before their children.
    #[must_use]
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// How many numbers q has.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.sizes[0]
    }

    /// How many numbers v has: the degrees of freedom.
    #[must_use]
    pub fn velocities(&self) -> usize {
        self.sizes[1]
    }

    /// The link of a body.
    #[must_use]
    pub fn link_of(&self, body: BodyHandle) -> Option<usize> {
        self.links.iter().position(|link| link.body == body)
    }

    /// The link that hangs by a joint.
    #[must_use]
    pub fn link_by(&self, joint: ConstraintHandle) -> Option<usize> {
        let hangs = |link: &Link| link.joint == Some(joint) || link.axes.iter().any(|axis| axis.0 == joint);
        self.links.iter().position(hangs)
    }

    /// Numbers in q and v of the hinge or slider of that name.
    #[must_use]
    pub fn coordinate(&self, joint: &str) -> Option<(usize, usize)> {
        self.links.iter().find_map(|link| {
            let k = match link.mobility {
                Mobility::Hinge | Mobility::Slider => (link.joint_name == joint).then_some(0),
                Mobility::Sequence(_) => link.axes.iter().position(|(_, name)| name == joint),
                _ => None,
            }?;
            Some((link.first_position + k, link.first_velocity + k))
        })
    }

    /// Names of the numbers of q: the joint's, with the component behind a dot where it has several.
    #[must_use]
    pub fn position_names(&self) -> Vec<String> {
        self.names(|mobility| match mobility {
            Mobility::Free => &["x", "y", "z", "qw", "qx", "qy", "qz"],
            Mobility::Ball => &["qw", "qx", "qy", "qz"],
            Mobility::Hinge | Mobility::Slider => &[""],
            Mobility::Fixed | Mobility::Sequence(_) => &[],
        })
    }

    /// Names of the numbers of v.
    #[must_use]
    pub fn velocity_names(&self) -> Vec<String> {
        self.names(|mobility| match mobility {
            Mobility::Free => &["vx", "vy", "vz", "wx", "wy", "wz"],
            Mobility::Ball => &["wx", "wy", "wz"],
            Mobility::Hinge | Mobility::Slider => &[""],
            Mobility::Fixed | Mobility::Sequence(_) => &[],
        })
    }

    fn names(&self, parts: impl Fn(Mobility) -> &'static [&'static str]) -> Vec<String> {
        let of = |link: &Link, part: &&str| match *part {
            "" => link.joint_name.clone(),
            part => format!("{}.{part}", link.joint_name),
        };
        let mut names = Vec::new();
        for link in &self.links {
            names.extend(parts(link.mobility).iter().map(|part| of(link, part)));
            names.extend(link.axes.iter().map(|(_, name)| name.clone()));
        }
        names
    }

    /// q of bodies in these states, by slot; angles nearest to those of `near`, which has as many numbers as q or none.
    #[must_use]
    pub fn q(&self, states: &[InertialState], near: &[f64]) -> Vec<f64> {
        let mut q = Vec::with_capacity(self.sizes[0]);
        for link in &self.links {
            let state = &states[link.body.slot()];
            let parent = self.parent_state(link, states);
            let between = link.between(&frame_of(&parent), &frame_of(state));
            match link.mobility {
                Mobility::Fixed => {}
                Mobility::Free => {
                    let origin = state.center_of_mass - state.orientation * link.center_local;
                    q.extend(origin.to_array());
                    q.extend(orientation::to_wxyz(state.orientation));
                }
                Mobility::Ball => {
                    let turn =
                        if link.sense < 0.0 { between.orientation.conjugate() } else { between.orientation };
                    q.extend(orientation::to_wxyz(turn));
                }
                Mobility::Slider => q.push(link.sense * between.position.z + link.placed_at),
                Mobility::Hinge => {
                    let Quat { w, z, .. } = between.orientation;
                    let angle = link.sense * 2.0 * crate::math::scalar::atan2(z, w) + link.placed_at;
                    let near = near.get(q.len()).copied().unwrap_or(link.placed_at);
                    let turn = std::f64::consts::TAU;
                    q.push(angle + turn * ((near - angle) / turn).round());
                }
                Mobility::Sequence(joints) => {
                    let Some(sequence) = &link.sequence else { continue };
                    let now = sequence.at(&Pair { a: &parent, b: state });
                    for k in 0..joints {
                        let near = near.get(q.len()).copied().unwrap_or(sequence.steps()[k].placed_at);
                        q.push(now.position(sequence, k, near));
                    }
                }
            }
        }
        q
    }

    /// v of bodies in these states, by slot.
    #[must_use]
    pub fn v(&self, states: &[InertialState]) -> Vec<f64> {
        let mut v = Vec::with_capacity(self.sizes[1]);
        for link in &self.links {
            let state = &states[link.body.slot()];
            let parent = self.parent_state(link, states);
            let joint = frame_of(&parent).compose(&link.on_parent);
            let spin = state.angular_velocity - parent.angular_velocity;
            match link.mobility {
                Mobility::Fixed => {}
                Mobility::Free => {
                    let origin = state.center_of_mass - state.orientation * link.center_local;
                    v.extend(state.velocity_at(origin).to_array());
                    v.extend(state.angular_velocity_body().to_array());
                }
                Mobility::Ball => {
                    let axes = if link.sense < 0.0 {
                        joint.orientation
                    } else {
                        self.on_link(link, state).orientation
                    };
                    v.extend((axes.conjugate() * spin * link.sense).to_array());
                }
                Mobility::Hinge => v.push(link.sense * spin.dot(joint.orientation * Vec3::Z)),
                Mobility::Slider => {
                    let here = self.on_link(link, state).position;
                    let relative = state.velocity_at(here) - parent.velocity_at(here);
                    v.push(link.sense * relative.dot(joint.orientation * Vec3::Z));
                }
                Mobility::Sequence(joints) => {
                    let Some(sequence) = &link.sequence else { continue };
                    let pair = Pair { a: &parent, b: state };
                    v.extend(&sequence.at(&pair).rates(&pair)[..joints]);
                }
            }
        }
        v
    }

    /// Places all links as q says and lets them move as v says: forward kinematics. `states` are all bodies, by slot.
    ///
    /// # Panics
    /// If q or v has another number of numbers than the articulation.
    pub fn place(&self, q: &[f64], v: &[f64], states: &mut [InertialState]) {
        assert_eq!([q.len(), v.len()], self.sizes, "numbers of q and v");
        for link in &self.links {
            let parent = self.parent_state(link, states);
            let (frame, _) = self.placed(link, q, &frame_of(&parent));
            let origin = frame.position;
            let base = Spatial::new(parent.angular_velocity, parent.velocity_at(origin));
            let mut motion = if link.mobility == Mobility::Free { Spatial::ZERO } else { base };
            let mut columns = Vec::new();
            self.columns(link, &frame, &frame_of(&parent), origin, &mut columns);
            for (column, rate) in columns.iter().zip(&v[link.first_velocity..]) {
                motion += *column * *rate;
            }
            states[link.body.slot()] = InertialState {
                center_of_mass: frame.position,
                orientation: frame.orientation,
                velocity: motion.linear,
                angular_velocity: motion.angular,
            };
        }
    }

    /// Frames of the centres of mass of all links at q, with the world and bodies that do not move as in `states`.
    pub(super) fn frames(&self, q: &[f64], states: &[InertialState]) -> Vec<ReferenceFrame> {
        let mut frames: Vec<ReferenceFrame> = Vec::with_capacity(self.links.len());
        for link in &self.links {
            let parent = match link.parent {
                Some(parent) => frames[parent],
                None => self.parent_frame(link, states),
            };
            frames.push(self.placed(link, q, &parent).0);
        }
        frames
    }

    /// Frame of the centre of mass of a link at q, given that of its parent, and that of the joint on the link.
    fn placed(&self, link: &Link, q: &[f64], parent: &ReferenceFrame) -> (ReferenceFrame, ReferenceFrame) {
        let own = &q[link.first_position..];
        let turned = |turn: Quat| ReferenceFrame::from_orientation(turn);
        let motion = match link.mobility {
            Mobility::Free => {
                let turn = orientation::normalized(orientation::from_wxyz([own[3], own[4], own[5], own[6]]));
                let origin = Vec3::new(own[0], own[1], own[2]);
                let frame = ReferenceFrame::new(origin + turn * link.center_local, turn);
                return (frame, frame);
            }
            Mobility::Fixed => ReferenceFrame::IDENTITY,
            Mobility::Sequence(joints) => {
                let of = |sequence: &Arc<Sequence>| sequence.displacement(&own[..joints]);
                link.sequence.as_ref().map_or(ReferenceFrame::IDENTITY, of)
            }
            Mobility::Hinge => {
                turned(orientation::from_rotation_vector(Vec3::Z * (link.sense * (own[0] - link.placed_at))))
            }
            Mobility::Slider => {
                ReferenceFrame::from_position(Vec3::Z * (link.sense * (own[0] - link.placed_at)))
            }
            Mobility::Ball => {
                let turn = orientation::normalized(orientation::from_wxyz([own[0], own[1], own[2], own[3]]));
                turned(if link.sense < 0.0 { turn.conjugate() } else { turn })
            }
        };
        let joint = parent.compose(&link.on_parent).compose(&motion);
        (joint.compose(&link.on_link.inverse()), joint)
    }

    /// Motions of a link against its parent, one for each number of v, about `origin`, given the frames of both centres of mass.
    pub(super) fn columns(
        &self,
        link: &Link,
        frame: &ReferenceFrame,
        parent: &ReferenceFrame,
        origin: Vec3,
        out: &mut Vec<Spatial>,
    ) {
        let (on_parent, on_link) = (parent.compose(&link.on_parent), frame.compose(&link.on_link));
        let axis = on_parent.orientation * Vec3::Z * link.sense;
        let point = on_link.position - origin;
        match link.mobility {
            Mobility::Fixed => {}
            Mobility::Sequence(joints) => {
                let Some(sequence) = &link.sequence else { return };
                let now = sequence.between(&on_parent, &on_link, on_link.position - on_parent.position);
                out.extend((0..joints).map(|k| {
                    let (angular, linear) = now.motion(k);
                    Spatial::new(angular, linear - angular.cross(point))
                }));
            }
            Mobility::Hinge => out.push(Spatial::rotation(axis, point)),
            Mobility::Slider => out.push(Spatial::new(Vec3::ZERO, axis)),
            Mobility::Ball => {
                let axes = if link.sense < 0.0 { on_parent.orientation } else { on_link.orientation };
                out.extend(Vec3::AXES.map(|axis| Spatial::rotation(axes * axis * link.sense, point)));
            }
            Mobility::Free => {
                let center = frame.position - frame.orientation * link.center_local - origin;
                out.extend(Vec3::AXES.map(|axis| Spatial::new(Vec3::ZERO, axis)));
                out.extend(Vec3::AXES.map(|axis| Spatial::rotation(frame.orientation * axis, center)));
            }
        }
    }

    pub(super) fn parent_frame(&self, link: &Link, states: &[InertialState]) -> ReferenceFrame {
        frame_of(&self.parent_state(link, states))
    }

    /// State of the parent of a link.
    pub(super) fn parent_state(&self, link: &Link, states: &[InertialState]) -> InertialState {
        let slot = link.parent.map(|parent| self.links[parent].body.slot()).or(link.base);
        slot.map_or(InertialState::AT_REST, |slot| states[slot])
    }

    fn on_link(&self, link: &Link, state: &InertialState) -> ReferenceFrame {
        frame_of(state).compose(&link.on_link)
    }
}

impl Link {
    /// Centre of mass in the frame of the body, m.
    pub(super) fn center_local(&self) -> Vec3 {
        self.center_local
    }

    /// The hinges and sliders it hangs by, one for each number of v.
    pub fn axis_joints(&self) -> impl Iterator<Item = ConstraintHandle> {
        let own = match self.mobility {
            Mobility::Hinge | Mobility::Slider => self.joint,
            _ => None,
        };
        own.into_iter().chain(self.axes.iter().map(|(joint, _)| *joint))
    }

    /// How the joint's frame on the link is turned and moved from that on the parent.
    fn between(&self, parent: &ReferenceFrame, own: &ReferenceFrame) -> ReferenceFrame {
        parent.compose(&self.on_parent).frame_to_local(&own.compose(&self.on_link))
    }
}

/// A link that hangs by an edge, or freely.
fn link(
    slot: usize,
    parent: Option<usize>,
    edge: Option<Edge<'_>>,
    bodies: &Bodies<'_>,
    body: BodyHandle,
    [first_position, first_velocity]: [usize; 2],
) -> Link {
    let mut link = Link {
        body,
        name: bodies.bodies[slot].name.clone(),
        parent,
        joint: None,
        joint_name: bodies.bodies[slot].name.clone(),
        mobility: Mobility::Free,
        first_position,
        first_velocity,
        base: None,
        on_parent: ReferenceFrame::IDENTITY,
        on_link: ReferenceFrame::IDENTITY,
        placed_at: 0.0,
        sense: 1.0,
        center_local: bodies.bodies[slot].center_of_mass_local,
        inertia: bodies.inertias[slot],
        sequence: None,
        axes: Vec::new(),
        armature: Vec::new(),
    };
    let Some(Edge { joint, name, frames, sequence, ends }) = edge else { return link };
    let reversed = ends[0] == Some(slot);
    (link.joint, link.joint_name) = (Some(joint), name.to_owned());
    link.mobility = match frames.motion {
        JointMotion::Fixed => Mobility::Fixed,
        JointMotion::Hinge => Mobility::Hinge,
        JointMotion::Slider => Mobility::Slider,
        JointMotion::Ball => Mobility::Ball,
    };
    if let Some(sequence) = sequence {
        (link.mobility, link.sequence) = (Mobility::Sequence(sequence.len()), Some(Arc::clone(sequence)));
    }
    (link.on_parent, link.on_link) =
        if reversed { (frames.on_b, frames.on_a) } else { (frames.on_a, frames.on_b) };
    link.sense = if reversed { -1.0 } else { 1.0 };
    link.placed_at = frames.placed_at;
    link.base = if parent.is_none() { ends[usize::from(reversed)] } else { None };
    link
}

fn frame_of(state: &InertialState) -> ReferenceFrame {
    ReferenceFrame::new(state.center_of_mass, state.orientation)
}

/// Union-find over slots; the last is the world.
struct Groups(Vec<usize>);

impl Groups {
    fn new(slots: usize) -> Self {
        Self((0..=slots).collect())
    }

    fn find(&self, slot: usize) -> usize {
        let mut root = slot;
        while self.0[root] != root {
            root = self.0[root];
        }
        root
    }

    /// Connects two ends; false if they were connected. What does not move is the world.
    fn join(&mut self, ends: [Option<usize>; 2]) -> bool {
        let world = self.0.len() - 1;
        let [a, b] = ends.map(|end| self.find(end.unwrap_or(world)));
        self.0[a] = b;
        a != b
    }

    fn is_grounded(&self, slot: usize) -> bool {
        self.find(slot) == self.find(self.0.len() - 1)
    }
}

//! A tree of links and joints, as robot files describe it, and the bodies and joints of a scene that move like it.
//!
//! Links that nothing lets move against their parents are one rigid body with them: their masses, tensors and shapes
//! are put together in the frame of the topmost link ([`inertial::combined`]), which is exact and leaves no constraint
//! to solve. The topmost link gives the body its name. A tree that is fixed to the
//! world becomes a static body.
//!
//! Frames: the frame of a link is given in that of its parent at joint position zero. Joint k of a link acts after
//! joint k-1: its anchor and axis are given in the link's frame at position zero and carried along by the joints
//! before it.

use std::collections::BTreeMap;

use msd::math::{Quat, ReferenceFrame, Vec3, orientation};
use msd::physics::rigid_body::Color;

use super::inertial::{self, Inertial};
use super::joints::{self, CARRIER, RUBBING_CARRIER};
use super::mjcf::Keyframes;
use super::xml::Problems;
use crate::model::{
    Actuator, AxisJoint, Body, BodyKind, CompoundPart, CompoundShape, Coupling, Field, Joint, Material,
    Orientation, Quaternion, Shape, Visual,
};
use crate::source::{Path, Span};

/// A shape of a link.
#[derive(Clone, Debug)]
pub(super) struct LinkPart {
    pub(super) shape: Shape,
    /// In the link's frame.
    pub(super) frame: ReferenceFrame,
    pub(super) place: Span,
}

/// Geometry that a link shows.
#[derive(Clone, Debug)]
pub(super) struct LinkVisual {
    pub(super) shape: Shape,
    /// In the link's frame.
    pub(super) frame: ReferenceFrame,
    pub(super) color: Option<Color>,
    pub(super) place: Span,
}

/// How a joint lets a link move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Freedom {
    Hinge,
    Slider,
    Ball,
}

/// A joint between a link and its parent.
#[derive(Clone, Debug)]
pub(super) struct LinkJoint {
    pub(super) name: String,
    pub(super) freedom: Freedom,
    /// m, in the link's frame at position zero.
    pub(super) anchor: Vec3,
    /// Axis of any length but zero, in the link's frame at position zero.
    pub(super) axis: Vec3,
    /// Limits of the position, rad or m.
    pub(super) limits: Option<[f64; 2]>,
    /// N·m or N, against the motion.
    pub(super) friction: f64,
    pub(super) spring: Spring,
    /// Inertia of its rotor, kg·m² or kg.
    pub(super) armature: f64,
    /// Time constant (s) and damping ratio of its spring and damper for the inertia that it feels, instead of those of `spring`.
    pub(super) timed_spring: Option<[f64; 2]>,
    /// Where it starts, rad or m.
    pub(super) position: f64,
    /// What the file calls position zero, rad or m.
    pub(super) reference: f64,
    /// True if something refers to it, so that it must stay a joint of its own.
    pub(super) named: bool,
    /// What all its actuators together may exert, N·m or N.
    pub(super) actuator_range: Option<[f64; 2]>,
    pub(super) place: Span,
}

/// Spring and damper of a joint.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Spring {
    /// N·m/rad or N/m.
    pub(super) stiffness: f64,
    /// N·m·s/rad or N·s/m.
    pub(super) damping: f64,
    /// Position at which it is unstressed, rad or m.
    pub(super) rest: f64,
}

impl Spring {
    pub(super) fn acts(&self) -> bool {
        self.stiffness > 0.0 || self.damping > 0.0
    }
}

/// How a link moves against its parent.
#[derive(Clone, Debug)]
pub(super) enum LinkMotion {
    /// Not at all.
    Fixed,
    /// Anywhere.
    Free,
    /// As joints let it, the one nearest to the parent first.
    Joints(Vec<LinkJoint>),
}

/// A link.
#[derive(Clone, Debug)]
pub(super) struct Link {
    pub(super) name: String,
    pub(super) place: Span,
    /// An earlier link, or the world.
    pub(super) parent: Option<usize>,
    /// In the parent's frame, joints at position zero.
    pub(super) frame: ReferenceFrame,
    pub(super) motion: LinkMotion,
    pub(super) inertials: Vec<Inertial>,
    pub(super) parts: Vec<LinkPart>,
    /// Empty if it looks like its parts.
    pub(super) visuals: Vec<LinkVisual>,
    pub(super) material: Option<Material>,
    /// Share of its weight that is carried for it.
    pub(super) gravity_compensation: f64,
    pub(super) groups: Option<Vec<String>>,
    pub(super) mask: Option<Vec<String>>,
}

/// All links, parents before their children.
#[derive(Debug, Default)]
pub(super) struct Mechanism {
    pub(super) links: Vec<Link>,
    /// Whether links may touch what they are joined to if that does not move.
    pub(super) touches_base: bool,
    /// Whether links between joints may go without a mass.
    pub(super) massless_links: bool,
}

/// Bodies and joints of a scene, and where each of them is in the file.
#[derive(Debug, Default)]
pub(super) struct Assembled {
    pub(super) bodies: Vec<Body>,
    pub(super) joints: Vec<Joint>,
    pub(super) couplings: Vec<Coupling>,
    pub(super) actuators: Vec<Actuator>,
    /// Names of the actuators of the file in its order; `None` for those that are not simulated.
    pub(super) actuator_order: Vec<Option<String>>,
    pub(super) keyframes: Keyframes,
    pub(super) fields: Vec<Field>,
    /// What all actuators of a joint together may exert, by its name, N·m or N.
    pub(super) actuator_ranges: Vec<(String, [f64; 2])>,
    pub(super) materials: BTreeMap<String, Material>,
    pub(super) places: Vec<(Path, Span)>,
    /// For each body the topmost link it hangs from.
    pub(super) trees: Vec<usize>,
    /// Differences from the file, with their positions in it.
    pub(super) approximations: Vec<(Span, String)>,
}

impl Assembled {
    pub(super) fn add_body(&mut self, body: Body, tree: usize, place: &Span) -> Path {
        let at = Path::root().key("body").index(self.bodies.len());
        self.places.push((at.clone(), place.clone()));
        self.bodies.push(body);
        self.trees.push(tree);
        at
    }

    /// Where the body of that number is in the file.
    pub(super) fn place_of(&self, body: usize) -> Option<Span> {
        let path = Path::root().key("body").index(body);
        self.places.iter().find(|(at, _)| *at == path).map(|(_, place)| place.clone())
    }

    /// The hinge or slider of that name.
    pub(super) fn axis_joint(&self, name: &str) -> Option<&AxisJoint> {
        let mut axes = self.joints.iter().filter_map(|joint| joint.as_axis());
        axes.find(|(joint, _)| joint.name == name).map(|(joint, _)| joint)
    }

    pub(super) fn add_coupling(&mut self, coupling: Coupling, place: &Span) {
        self.places.push((Path::root().key("coupling").index(self.couplings.len()), place.clone()));
        self.couplings.push(coupling);
    }

    pub(super) fn add_actuator(&mut self, actuator: Actuator, place: &Span) {
        self.places.push((Path::root().key("actuator").index(self.actuators.len()), place.clone()));
        self.actuators.push(actuator);
    }

    pub(super) fn add_joint(&mut self, joint: Joint, place: &Span) {
        self.places.push((Path::root().key("joint").index(self.joints.len()), place.clone()));
        self.joints.push(joint);
    }
}

/// Where a link is and what it is part of.
#[derive(Clone, Debug)]
pub(super) struct PlacedLink {
    /// The topmost link of its body.
    pub(super) owner: usize,
    /// In the frame of that link.
    pub(super) in_owner: ReferenceFrame,
    /// In the world, at t = 0.
    pub(super) frame: ReferenceFrame,
    /// The topmost link it hangs from, by any joints.
    tree: usize,
}

/// Geometry of a body: what can be touched, and what is shown.
struct Solid {
    parts: Vec<LinkPart>,
    visuals: Vec<LinkVisual>,
}

impl Mechanism {
    /// Where every link is at t = 0.
    pub(super) fn placed(&self) -> Vec<PlacedLink> {
        let mut placed: Vec<PlacedLink> = Vec::with_capacity(self.links.len());
        for (i, link) in self.links.iter().enumerate() {
            let parent = link.parent.map(|parent| placed[parent].clone());
            let base = parent.as_ref().map_or(ReferenceFrame::IDENTITY, |parent| parent.frame);
            let frame = match &link.motion {
                LinkMotion::Joints(joints) => joints::displaced(base.compose(&link.frame), joints),
                LinkMotion::Fixed | LinkMotion::Free => base.compose(&link.frame),
            };
            let tree = parent.as_ref().map_or(i, |parent| parent.tree);
            placed.push(match (parent, &link.motion) {
                (Some(parent), LinkMotion::Fixed) => {
                    let in_owner = parent.in_owner.compose(&link.frame);
                    PlacedLink { owner: parent.owner, in_owner, frame, tree }
                }
                _ => PlacedLink { owner: i, in_owner: ReferenceFrame::IDENTITY, frame, tree },
            });
        }
        placed
    }

    /// True if the body of that topmost link is fixed to the world.
    fn stands(&self, owner: usize) -> bool {
        self.links[owner].parent.is_none() && matches!(self.links[owner].motion, LinkMotion::Fixed)
    }

    /// The name of the body that a link is part of; `None` for one that is fixed to the world.
    pub(super) fn body_name(&self, placed: &[PlacedLink], link: usize) -> Option<&str> {
        let owner = placed[link].owner;
        (!self.stands(owner)).then(|| self.links[owner].name.as_str())
    }

    /// The bodies and joints that move like it.
    pub(super) fn assemble(&self, problems: &Problems) -> Assembled {
        let placed = self.placed();
        let mut assembled = Assembled::default();
        let mut names: Vec<Option<String>> = vec![None; self.links.len()];
        let mut members: Vec<Vec<usize>> = vec![Vec::new(); self.links.len()];
        placed.iter().enumerate().for_each(|(i, link)| members[link.owner].push(i));
        let weights = self.weights(&members, &placed);
        let carried = self.carried(&weights, &placed);
        let holders = self.holders(&weights, &placed);
        for (i, link) in self.links.iter().enumerate().filter(|(i, _)| placed[*i].owner == *i) {
            let parts = self.parts(&members[i], &placed);
            let visuals = self.visuals(&members[i], &placed);
            if self.stands(i) {
                names[i] = add_static(link, &placed[i], parts, &visuals, &mut assembled);
                continue;
            }
            let solid = Solid { parts, visuals };
            let (inertial, note) = self.inertial(i, &weights, carried[i], holders[i], problems);
            assembled.approximations.extend(note.map(|note| (inertial.place.clone(), note)));
            // The first link that can be touched says how the body rubs and what it touches.
            let touched =
                members[i].iter().map(|member| &self.links[*member]).find(|member| !member.parts.is_empty());
            let dressing = touched.unwrap_or(link);
            names[i] = Some(link.name.clone());
            if let LinkMotion::Joints(joints) = &link.motion {
                let owner = link.parent.map(|parent| placed[parent].owner);
                let other = owner.and_then(|owner| {
                    let meets = self.stands(owner) && self.touches_base;
                    names[owner].as_deref().filter(|_| !meets)
                });
                let base = link.parent.map_or(ReferenceFrame::IDENTITY, |parent| placed[parent].frame);
                let body = self.body(link, dressing, &placed[i], &inertial, solid, &mut assembled);
                joints::join(other, body, base.compose(&link.frame), joints, &inertial, &mut assembled);
            } else {
                self.body(link, dressing, &placed[i], &inertial, solid, &mut assembled);
            }
        }
        assembled
    }

    /// The shapes of some links in the frame of the body they make.
    fn parts(&self, members: &[usize], placed: &[PlacedLink]) -> Vec<LinkPart> {
        let moved = |member: &usize| {
            let in_owner = placed[*member].in_owner;
            self.links[*member].parts.iter().map(move |part| {
                let frame = in_owner.compose(&part.frame);
                LinkPart { frame, shape: part.shape.clone(), place: part.place.clone() }
            })
        };
        members.iter().flat_map(moved).collect()
    }

    /// What some links show, in the frame of the body they make; a link that says nothing shows its parts if another
    /// link of the body says something.
    fn visuals(&self, members: &[usize], placed: &[PlacedLink]) -> Vec<LinkVisual> {
        if members.iter().all(|member| self.links[*member].visuals.is_empty()) {
            return Vec::new();
        }
        let of_part = |part: &LinkPart| LinkVisual {
            shape: part.shape.clone(),
            frame: part.frame,
            color: None,
            place: part.place.clone(),
        };
        let moved = |member: &usize| {
            let (link, in_owner) = (&self.links[*member], placed[*member].in_owner);
            let shown = match link.visuals.as_slice() {
                [] => link.parts.iter().map(of_part).collect(),
                visuals => visuals.to_vec(),
            };
            let place =
                move |visual: LinkVisual| LinkVisual { frame: in_owner.compose(&visual.frame), ..visual };
            shown.into_iter().map(place)
        };
        members.iter().flat_map(moved).collect()
    }

    /// Mass of each body, at its topmost link, in that link's frame; zero elsewhere.
    fn weights(&self, members: &[Vec<usize>], placed: &[PlacedLink]) -> Vec<Inertial> {
        let in_body = |member: &usize| {
            let frame = placed[*member].in_owner;
            self.links[*member].inertials.iter().map(move |given| given.placed(&frame))
        };
        members.iter().map(|members| inertial::combined(members.iter().flat_map(in_body))).collect()
    }

    /// For each body the heaviest of the bodies nearest to it, among those it carries, that have a mass.
    fn carried(&self, weights: &[Inertial], placed: &[PlacedLink]) -> Vec<Option<usize>> {
        let mut carried: Vec<Option<usize>> = vec![None; self.links.len()];
        for (i, link) in self.links.iter().enumerate().rev().filter(|(i, _)| placed[*i].owner == *i) {
            let nearest = if weights[i].mass > 0.0 { Some(i) } else { carried[i] };
            let (Some(parent), Some(nearest)) = (link.parent, nearest) else { continue };
            let above = &mut carried[placed[parent].owner];
            if above.is_none_or(|other| weights[other].mass < weights[nearest].mass) {
                *above = Some(nearest);
            }
        }
        carried
    }

    /// For each body the nearest of those that hold it that has a mass.
    fn holders(&self, weights: &[Inertial], placed: &[PlacedLink]) -> Vec<Option<usize>> {
        let mut holders: Vec<Option<usize>> = vec![None; self.links.len()];
        for (i, link) in self.links.iter().enumerate().filter(|(i, _)| placed[*i].owner == *i) {
            let above = link.parent.map(|parent| placed[parent].owner);
            holders[i] =
                above.filter(|above| weights[*above].mass > 0.0).or(above.and_then(|above| holders[above]));
        }
        holders
    }

    /// The mass that the body of a topmost link is simulated with, and what about it differs from the file.
    fn inertial(
        &self,
        top: usize,
        weights: &[Inertial],
        carried: Option<usize>,
        holder: Option<usize>,
        problems: &Problems,
    ) -> (Inertial, Option<String>) {
        let link = &self.links[top];
        if weights[top].mass != 0.0 {
            return weights[top].clone().physical();
        }
        if let (true, LinkMotion::Joints(joints)) = (self.massless_links, &link.motion) {
            let rubs = joints.iter().any(|joint| joint.friction > 0.0);
            let (other, share, what) = match carried {
                Some(carried) if !rubs => (Some(carried), CARRIER, "what it carries"),
                Some(carried) => (Some(carried), RUBBING_CARRIER, "what it carries"),
                None => (holder, RUBBING_CARRIER, "what holds it"),
            };
            if let Some(other) = other {
                let note = format!("no mass: weighs {share:e} of {what}, `{}`", self.links[other].name);
                return (weights[other].share(share, &link.place), Some(note));
            }
        }
        // Where something else could not be read, that may be where its mass is.
        if problems.is_empty() {
            let message = format!("`{}` can move but has no mass", link.name);
            problems.add(&link.place, message, "expected a mass and an inertia tensor");
        }
        (Inertial { place: link.place.clone(), ..Inertial::UNIT }, None)
    }

    fn body(
        &self,
        link: &Link,
        dressing: &Link,
        placed: &PlacedLink,
        inertial: &Inertial,
        Solid { parts, visuals }: Solid,
        assembled: &mut Assembled,
    ) -> usize {
        let mut body = link.body(BodyKind::Dynamic, placed.frame);
        body.mass = Some(inertial.mass);
        body.center_of_mass = Some(inertial.center.to_array());
        body.inertia = Some(inertial.tensor.transpose().to_cols_array_2d());
        body.collides = !parts.is_empty();
        let shown = look(&mut body, &parts, &visuals);
        let (shape, places) = shape_of(parts);
        body.shape = shape;
        dressing.dress(&mut body, assembled);
        let at = assembled.add_body(body, placed.tree, &link.place);
        assembled
            .places
            .extend(["mass", "inertia", "center_of_mass"].map(|key| (at.key(key), inertial.place.clone())));
        assembled
            .places
            .extend(shown.into_iter().enumerate().map(|(i, place)| (at.key("visual").index(i), place)));
        assembled
            .places
            .extend(places.into_iter().map(|(path, place)| (join(&at.key("shape"), &path), place)));
        assembled.bodies.len() - 1
    }
}

impl Link {
    fn body(&self, kind: BodyKind, frame: ReferenceFrame) -> Body {
        let position = frame.position.to_array();
        Body { kind, position, orientation: orientation_of(frame.orientation), ..Body::new(&self.name) }
    }

    /// Gives a body the link's surface and groups.
    fn dress(&self, body: &mut Body, assembled: &mut Assembled) {
        if let Some(material) = &self.material {
            let name = body.name.clone();
            assembled.materials.insert(name.clone(), material.clone());
            body.material = Some(name);
        }
        body.groups = self.groups.clone();
        body.mask = self.mask.clone();
    }
}

/// Adds the static bodies of a link that is fixed to the world, and returns the name of the first; planes cannot be
/// parts of a compound and are bodies of their own.
fn add_static(
    link: &Link,
    placed: &PlacedLink,
    parts: Vec<LinkPart>,
    visuals: &[LinkVisual],
    assembled: &mut Assembled,
) -> Option<String> {
    let (planes, solid): (Vec<LinkPart>, Vec<LinkPart>) =
        parts.into_iter().partition(|part| matches!(part.shape, Shape::Plane(_)));
    let groups =
        (!solid.is_empty()).then_some(solid).into_iter().chain(planes.into_iter().map(|plane| vec![plane]));
    let mut first = None;
    for (i, parts) in groups.enumerate() {
        let mut body = link.body(BodyKind::Static, placed.frame);
        if i > 0 {
            body.name = format!("{} {}", link.name, i + 1);
        }
        let place = parts.first().map_or_else(|| link.place.clone(), |part| part.place.clone());
        if let [LinkPart { shape: Shape::Plane(_), frame, .. }] = parts.as_slice() {
            let frame = placed.frame.compose(frame);
            body.position = frame.position.to_array();
            body.orientation = orientation_of(frame.orientation);
            body.shape = Some(parts[0].shape.clone());
            let painted = visuals.iter().find(|visual| visual.place == parts[0].place);
            body.color = painted.and_then(|visual| visual.color).map(|color| color.to_string());
        } else {
            look(&mut body, &parts, visuals);
            body.shape = shape_of(parts).0;
        }
        link.dress(&mut body, assembled);
        first.get_or_insert(body.name.clone());
        assembled.add_body(body, placed.tree, &place);
    }
    first
}

/// Gives a body its colour and its visuals, and says where each visual is in the file. Visuals with the geometry of
/// the parts are a colour only.
fn look(body: &mut Body, parts: &[LinkPart], visuals: &[LinkVisual]) -> Vec<Span> {
    let shown: Vec<&LinkVisual> =
        visuals.iter().filter(|visual| !matches!(visual.shape, Shape::Plane(_))).collect();
    let text = |color: Color| color.to_string();
    let color = shown.first().and_then(|visual| visual.color);
    let one_color = shown.iter().all(|visual| visual.color == color);
    body.color = color.filter(|_| one_color).map(text);
    let same =
        |(part, visual): (&LinkPart, &&LinkVisual)| part.shape == visual.shape && part.frame == visual.frame;
    if one_color && parts.len() == shown.len() && parts.iter().zip(&shown).all(same) {
        return Vec::new();
    }
    let visual = |visual: &&LinkVisual| Visual {
        shape: visual.shape.clone(),
        position: visual.frame.position.to_array(),
        orientation: orientation_of(visual.frame.orientation),
        color: visual.color.filter(|_| !one_color).map(text),
    };
    body.visual = shown.iter().map(visual).collect();
    shown.iter().map(|visual| visual.place.clone()).collect()
}

/// One shape where it can be one, else a compound; and where the parts are in the file.
fn shape_of(mut parts: Vec<LinkPart>) -> (Option<Shape>, Vec<(Path, Span)>) {
    match parts.as_slice() {
        [] => return (None, Vec::new()),
        [only] if only.frame == ReferenceFrame::IDENTITY => {
            let only = parts.remove(0);
            return (Some(only.shape), vec![(Path::root(), only.place)]);
        }
        _ => {}
    }
    let list = Path::root().key("compound").key("parts");
    let places = parts.iter().enumerate().map(|(i, part)| (list.index(i), part.place.clone())).collect();
    let part = |part: LinkPart| CompoundPart {
        shape: part.shape,
        position: part.frame.position.to_array(),
        orientation: orientation_of(part.frame.orientation),
    };
    (Some(Shape::Compound(CompoundShape { parts: parts.into_iter().map(part).collect() })), places)
}

fn join(outer: &Path, inner: &Path) -> Path {
    inner.segments().iter().fold(outer.clone(), |path, segment| match segment {
        crate::source::Segment::Key(key) => path.key(key),
        crate::source::Segment::Index(index) => path.index(*index),
    })
}

pub(super) fn orientation_of(q: Quat) -> Orientation {
    let [w, x, y, z] = orientation::to_wxyz(q);
    Orientation::Quaternion(Quaternion { w, x, y, z })
}

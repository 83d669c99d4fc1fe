//! `<worldbody>` and `<body>`: the tree of bodies.

use std::collections::BTreeMap;

use msd::math::ReferenceFrame;

use super::Model;
use super::collision_filter;
use super::defaults::Styled;
use super::geom::Geom;
use super::joint::JointKind;
use crate::import::inertial::Inertial;
use crate::import::mechanism::{Freedom, Link, LinkMotion};
use crate::import::xml::Element;
use crate::source::Span;

/// The links of a model as they are found.
pub(super) struct Tree<'m, 'c> {
    model: &'m Model<'m, 'c>,
    pub(super) links: Vec<Link>,
    /// Types and affinities of what each link touches with.
    filters: Vec<Option<[u32; 2]>>,
    /// Names in the file of joints that a pose may name.
    joints: Vec<String>,
    unnamed: usize,
    pub(super) sites: Sites,
}

/// A named frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    /// The link it belongs to; `None` for the world.
    pub(super) link: Option<usize>,
    /// In the frame of that link, or of the world.
    pub(super) frame: ReferenceFrame,
}

/// By name.
pub(super) type Sites = BTreeMap<String, Site>;

/// Where an element is.
#[derive(Clone, Copy)]
struct Around<'a> {
    /// The link it belongs to; `None` for the world.
    link: Option<usize>,
    /// The frame its coordinates are in, seen from that link or from the world.
    frame: ReferenceFrame,
    childclass: Option<&'a str>,
    /// Whether geoms here give the body its mass.
    weighs: bool,
}

/// Contents of a body while it is read.
#[derive(Default)]
struct Content {
    given: Option<Inertial>,
    from_geoms: Vec<Inertial>,
    motion: Option<LinkMotion>,
}

impl<'m, 'c> Tree<'m, 'c> {
    pub(super) fn new(model: &'m Model<'m, 'c>) -> Self {
        Self {
            model,
            links: Vec::new(),
            filters: Vec::new(),
            joints: Vec::new(),
            unnamed: 0,
            sites: Sites::new(),
        }
    }

    /// Reads the bodies of the world.
    pub(super) fn world(&mut self, worldbody: &'m Element, base: ReferenceFrame) {
        worldbody.imported();
        let childclass = worldbody.text("childclass");
        let around = Around { link: None, frame: base, childclass, weighs: false };
        self.children(worldbody, around, &mut Content::default());
    }

    fn children(&mut self, element: &'m Element, around: Around<'m>, content: &mut Content) {
        for child in element.children() {
            match child.name.as_str() {
                "body" => self.body(child, around),
                "frame" => {
                    child.imported();
                    child.skip(&["name"]);
                    let frame = around.frame.compose(&self.model.frame(&Styled::plain(child)));
                    let childclass = child.text("childclass").or(around.childclass);
                    self.children(child, Around { frame, childclass, ..around }, content);
                }
                "geom" => self.geom(child, around, content),
                "joint" | "freejoint" => self.joint(child, around, content),
                "inertial" => content.given = self.model.inertial(child),
                "site" => self.site(child, around),
                "camera" | "light" => child.ignored("looks are not simulated"),
                "replicate" => {
                    let childclass = child.text("childclass").or(around.childclass);
                    self.children(child, Around { childclass, ..around }, content);
                }
                "composite" | "flexcomp" | "attach" => {
                    child.ignored("bodies that MuJoCo makes are not read: save the compiled model");
                }
                _ => child.ignored("not known"),
            }
        }
    }

    /// A frame that ties and sensors refer to.
    fn site(&mut self, element: &'m Element, around: Around<'m>) {
        element.imported();
        element.note("a frame");
        element.skip(&["class", "type", "size", "fromto", "material", "rgba", "group", "user"]);
        let styled = self.model.defaults.styled(element, around.childclass, self.model.context.problems);
        let frame = around.frame.compose(&self.model.frame(&styled));
        if let Some(name) = element.text("name") {
            self.sites.insert(self.model.context.named(name), Site { link: around.link, frame });
        }
    }

    fn name(&mut self, element: &Element, what: &str) -> String {
        let given = element.text("name").map(str::to_owned);
        self.unnamed += usize::from(given.is_none());
        self.model.context.named(&given.unwrap_or_else(|| format!("{what} {}", self.unnamed)))
    }

    fn new_link(&mut self, name: String, place: Span, around: Around<'_>, frame: ReferenceFrame) -> usize {
        self.links.push(Link {
            name,
            place,
            parent: around.link,
            frame,
            motion: LinkMotion::Fixed,
            inertials: Vec::new(),
            parts: Vec::new(),
            visuals: Vec::new(),
            material: None,
            gravity_compensation: 0.0,
            groups: None,
            mask: None,
        });
        self.filters.push(None);
        self.links.len() - 1
    }

    fn body(&mut self, element: &'m Element, around: Around<'m>) {
        element.imported();
        element.skip(&["user"]);
        if element.text("mocap") == Some("true") {
            element.note("a mocap body stays where it is until its pose is set");
        }
        let name = self.name(element, "body");
        let compensation = element.number("gravcomp", self.model.context.problems).unwrap_or(0.0);
        if compensation != 0.0 && !self.model.context.alone {
            element.approximated("`gravcomp` is not used: gravity is that of the scene");
        }
        let frame = around.frame.compose(&self.model.frame(&Styled::plain(element)));
        let link = self.new_link(name, element.place.clone(), around, frame);
        self.links[link].gravity_compensation = compensation;
        let childclass = element.text("childclass").or(around.childclass);
        let weighs = match self.model.compiler.inertia_from_geoms {
            Some(from_geoms) => from_geoms,
            None => element.child("inertial").is_none(),
        };
        let inner = Around { link: Some(link), frame: ReferenceFrame::IDENTITY, childclass, weighs };
        let mut content = Content::default();
        self.children(element, inner, &mut content);
        self.links[link].motion = content.motion.unwrap_or(LinkMotion::Fixed);
        self.links[link].inertials = match content.given {
            Some(given) if !weighs => vec![given],
            given => {
                if let (Some(_), Some(inertial)) = (given, element.child("inertial")) {
                    inertial.ignored("the compiler takes masses from geoms");
                }
                content.from_geoms
            }
        };
        if matches!(self.links[link].motion, LinkMotion::Fixed) {
            let held =
                around.link.map_or("the world".to_owned(), |parent| format!("`{}`", self.links[parent].name));
            element.note(format!("held to {held}"));
        }
    }

    fn geom(&mut self, element: &'m Element, around: Around<'m>, content: &mut Content) {
        let styled = self.model.defaults.styled(element, around.childclass, self.model.context.problems);
        // A geom of the world is a body of its own.
        let (link, frame) = match around.link {
            Some(link) => (link, around.frame),
            None => {
                let name = self.name(element, "geom");
                (self.new_link(name, element.place.clone(), around, around.frame), ReferenceFrame::IDENTITY)
            }
        };
        let Some(Geom { part, visual, inertial, material, filter }) =
            self.model.geom(&styled, &frame, around.weighs)
        else {
            return;
        };
        content.from_geoms.extend(inertial);
        let owner = &mut self.links[link];
        owner.visuals.extend(visual);
        if filter == [0, 0] {
            element.note("touches nothing");
            return;
        }
        match &owner.material {
            Some(other) if *other != material => {
                element.approximated(format!(
                    "rubs like the first geom of `{}`: a body has one material",
                    owner.name
                ));
            }
            Some(_) => {}
            None => owner.material = Some(material),
        }
        owner.parts.push(part);
        match &mut self.filters[link] {
            Some(other) if *other != filter => {
                element.approximated(
                    "a body has one `contype` and one `conaffinity`: those of all its geoms together",
                );
                *other = [other[0] | filter[0], other[1] | filter[1]];
            }
            own => *own = Some(filter),
        }
    }

    fn joint(&mut self, element: &'m Element, around: Around<'m>, content: &mut Content) {
        let problems = self.model.context.problems;
        let Some(link) = around.link else {
            problems.add(&element.place, "a joint outside of a body", "expected it in a <body>");
            return;
        };
        let styled = self.model.defaults.styled(element, around.childclass, problems);
        let count = match &content.motion {
            Some(LinkMotion::Joints(joints)) => joints.len(),
            _ => 0,
        };
        let fallback = format!("{} joint {}", self.links[link].name, count + 1);
        let nested = self.links[link].parent.is_some();
        match self.model.joint(&styled, &fallback) {
            Some(JointKind::Free) if nested || content.motion.is_some() => {
                let message = "a free joint in a body that is not at the top level, or with another joint";
                problems.add(&element.place, message, "expected it alone in a body of <worldbody>");
            }
            Some(JointKind::Free) => content.motion = Some(LinkMotion::Free),
            Some(JointKind::One(joint)) => {
                if let (Some(name), true) = (element.text("name"), joint.freedom != Freedom::Ball) {
                    self.joints.push(name.to_owned());
                }
                match content.motion.get_or_insert(LinkMotion::Joints(Vec::new())) {
                    LinkMotion::Joints(joints) => joints.push(*joint),
                    _ => problems.add(
                        &element.place,
                        "a joint in addition to a free joint",
                        "expected one or the other",
                    ),
                }
            }
            None => {}
        }
    }

    /// Every joint of the pose must be there and have a position.
    pub(super) fn check_pose(&self, place: &Span) {
        let context = self.model.context;
        for name in context.options.pose.keys().filter(|name| !self.joints.contains(name)) {
            let message =
                format!("`pose` names the joint `{name}`, which is not a joint that turns or slides");
            context.problems.add(place, message, "expected names of joints of this model");
        }
    }

    /// Scales masses and moments so that all bodies together weigh as much as the compiler says.
    fn set_total_mass(&mut self) {
        let Some(wanted) = self.model.compiler.total_mass else { return };
        let total: f64 = self.links.iter().flat_map(|link| &link.inertials).map(|part| part.mass).sum();
        if total > 0.0 {
            for part in self.links.iter_mut().flat_map(|link| &mut link.inertials) {
                part.mass *= wanted / total;
                part.tensor *= wanted / total;
            }
        }
    }

    /// Sets the total mass and the collision filters.
    pub(super) fn finish(&mut self, contacts: bool) {
        self.set_total_mass();
        if contacts {
            collision_filter::apply(&mut self.links, &self.filters);
        } else {
            self.links.iter_mut().for_each(|link| link.mask = Some(Vec::new()));
        }
    }
}

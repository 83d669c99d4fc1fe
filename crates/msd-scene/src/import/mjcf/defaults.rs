//! `<default>`: classes of attributes, each with what the classes around it say.
//!
//! An element takes an attribute from itself, else from its class, else from the classes around that. Its class is the
//! one it names, else the `childclass` of the nearest body around it, else the outermost.

use std::collections::BTreeMap;

use msd::math::Vec3;

use crate::import::xml::{Attribute, Element, Problems};

/// Attributes of geoms and joints that are understood or that nothing depends on, so that a default that no element
/// needs is not reported as unused.
const UNDERSTOOD: [(&str, &[&str]); 11] = [
    (
        "geom",
        &[
            "type",
            "pos",
            "quat",
            "axisangle",
            "euler",
            "xyaxes",
            "zaxis",
            "size",
            "fromto",
            "mesh",
            "mass",
            "density",
            "friction",
            "condim",
            "contype",
            "conaffinity",
            "group",
            "rgba",
            "material",
            "user",
            "solref",
            "solimp",
            "solmix",
            "priority",
            "margin",
            "gap",
            "fitscale",
        ],
    ),
    (
        "joint",
        &[
            "type",
            "pos",
            "axis",
            "range",
            "limited",
            "ref",
            "frictionloss",
            "damping",
            "stiffness",
            "springref",
            "springdamper",
            "actuatorfrcrange",
            "actuatorfrclimited",
            "actuatorgravcomp",
            "armature",
            "solreflimit",
            "solimplimit",
            "solreffriction",
            "solimpfriction",
            "group",
            "user",
        ],
    ),
    ("motor", ACTUATOR),
    ("position", ACTUATOR),
    ("velocity", ACTUATOR),
    ("general", ACTUATOR),
    (
        "site",
        &[
            "pos",
            "quat",
            "axisangle",
            "euler",
            "xyaxes",
            "zaxis",
            "type",
            "size",
            "fromto",
            "material",
            "rgba",
            "group",
            "user",
        ],
    ),
    ("mesh", &["scale", "refpos", "refquat", "inertia", "maxhullvert"]),
    (
        "material",
        &["rgba", "texture", "emission", "specular", "shininess", "reflectance", "metallic", "roughness"],
    ),
    ("equality", &["active", "solref", "solimp"]),
    ("tendon", TENDON),
];

/// Attributes of tendons.
const TENDON: &[&str] = &[
    "limited",
    "range",
    "solreflimit",
    "solimplimit",
    "solreffriction",
    "solimpfriction",
    "margin",
    "frictionloss",
    "springlength",
    "stiffness",
    "damping",
    "armature",
    "actuatorfrclimited",
    "actuatorfrcrange",
    "width",
    "material",
    "rgba",
    "group",
    "user",
];

/// Attributes of actuators.
const ACTUATOR: &[&str] = &[
    "gear",
    "ctrlrange",
    "ctrllimited",
    "forcerange",
    "forcelimited",
    "kp",
    "kv",
    "dampratio",
    "timeconst",
    "inheritrange",
    "gaintype",
    "gainprm",
    "biastype",
    "biasprm",
    "dyntype",
    "dynprm",
    "group",
    "user",
];

/// The classes of a model.
#[derive(Debug, Default)]
pub(super) struct Defaults<'e> {
    /// Each class as its `<default>` element and those around it, the innermost first.
    classes: BTreeMap<String, Vec<&'e Element>>,
    main: Vec<&'e Element>,
}

impl<'e> Defaults<'e> {
    pub(super) fn read(root: &'e Element, problems: &Problems) -> Self {
        let mut defaults = Self::default();
        for element in root.named("default") {
            defaults.class(element, &[], problems);
        }
        defaults
    }

    fn class(&mut self, element: &'e Element, around: &[&'e Element], problems: &Problems) {
        element.imported();
        let mut chain = vec![element];
        chain.extend(around);
        let name = element.text("class");
        if around.is_empty() {
            self.main.insert(0, element);
        } else if name.is_none() {
            element.missing("class", "a name", problems);
        }
        for child in element.children() {
            match UNDERSTOOD.iter().find(|(name, _)| *name == child.name) {
                _ if child.name == "default" => self.class(child, &chain, problems),
                Some((_, understood)) => {
                    child.imported();
                    child.skip(understood);
                }
                None => child.ignored("no such element is simulated"),
            }
        }
        if let Some(name) = name {
            self.classes.insert(name.to_owned(), chain);
        }
    }

    /// An element with the attributes of its class.
    pub(super) fn styled(
        &self,
        element: &'e Element,
        childclass: Option<&str>,
        problems: &Problems,
    ) -> Styled<'e> {
        // The kinds of equality and those of tendons share one entry among the defaults, the kinds of actuators four.
        let name = element.name.as_str();
        let kinds: &[&str] = match name {
            "connect" | "weld" => &["equality"],
            "fixed" | "spatial" => &["tendon"],
            "motor" | "position" | "velocity" | "general" => &["motor", "position", "velocity", "general"],
            _ => &[name],
        };
        self.styled_as(kinds, element, childclass, problems)
    }

    /// The same with the entries of these names among the defaults.
    pub(super) fn styled_as(
        &self,
        kinds: &[&str],
        element: &'e Element,
        childclass: Option<&str>,
        problems: &Problems,
    ) -> Styled<'e> {
        let own = element.attribute("class");
        let name = own.map(|class| class.value.as_str()).or(childclass);
        let chain = match name {
            None | Some("main") => self.main.clone(),
            Some(name) => self.classes.get(name).cloned().unwrap_or_else(|| {
                let place = own.map_or(&element.place, |class| &class.place);
                problems.add(place, format!("there is no default class named `{name}`"), "");
                Vec::new()
            }),
        };
        let is_kind = |child: &&Element| kinds.contains(&child.name.as_str());
        let defaults = chain.iter().flat_map(|class| class.children().filter(is_kind)).collect();
        Styled { element, defaults }
    }
}

/// An element with what its class says.
#[derive(Debug)]
pub(super) struct Styled<'e> {
    pub(super) element: &'e Element,
    /// The innermost class first.
    defaults: Vec<&'e Element>,
}

impl<'e> Styled<'e> {
    /// An element without a class.
    pub(super) fn plain(element: &'e Element) -> Self {
        Self { element, defaults: Vec::new() }
    }

    fn levels(&self) -> impl Iterator<Item = &'e Element> {
        std::iter::once(self.element).chain(self.defaults.iter().copied())
    }

    pub(super) fn attribute(&self, name: &str) -> Option<&'e Attribute> {
        self.levels().find_map(|level| level.attribute(name))
    }

    /// The first of several ways to say the same that the element itself gives, else its class, and so on.
    pub(super) fn first_of<'n>(&self, names: &[&'n str]) -> Option<(&'n str, &'e Attribute)> {
        self.levels().find_map(|level| names.iter().find_map(|name| Some((*name, level.attribute(name)?))))
    }

    pub(super) fn text(&self, name: &str) -> Option<&'e str> {
        self.attribute(name).map(|attribute| attribute.value.as_str())
    }

    pub(super) fn number(&self, name: &str, problems: &Problems) -> Option<f64> {
        self.attribute(name)?.array::<1>(problems).map(|[number]| number)
    }

    pub(super) fn list(&self, name: &str, problems: &Problems) -> Option<Vec<f64>> {
        self.attribute(name).filter(|attribute| !attribute.value.trim().is_empty())?.list(problems)
    }

    pub(super) fn array<const N: usize>(&self, name: &str, problems: &Problems) -> Option<[f64; N]> {
        self.attribute(name).filter(|attribute| !attribute.value.trim().is_empty())?.array(problems)
    }

    pub(super) fn vector(&self, name: &str, problems: &Problems) -> Option<Vec3> {
        self.array::<3>(name, problems).map(Vec3::from)
    }
}

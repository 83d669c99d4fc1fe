//! `<link>`: mass, shapes and visuals.

use std::collections::BTreeMap;

use msd::math::{Mat3, Vec3, orientation};
use msd::physics::rigid_body::Color;

use super::{geometry, origin};
use crate::import::Context;
use crate::import::inertial::Inertial;
use crate::import::mechanism::{LinkPart, LinkVisual};
use crate::import::xml::{Element, Problems};

/// Contents of a link.
pub(super) struct LinkContent {
    pub(super) inertial: Option<Inertial>,
    pub(super) parts: Vec<LinkPart>,
    pub(super) visuals: Vec<LinkVisual>,
}

/// Colours of a robot's materials by name.
pub(super) type Colors<'e> = BTreeMap<&'e str, Color>;

pub(super) fn read(link: &Element, colors: &Colors<'_>, context: &Context<'_>) -> LinkContent {
    link.imported();
    link.skip(&["type"]);
    let mut content = LinkContent { inertial: None, parts: Vec::new(), visuals: Vec::new() };
    for child in link.children() {
        match child.name.as_str() {
            "inertial" => content.inertial = inertial(child, context.problems),
            "collision" => content.parts.extend(collision(child, context)),
            "visual" => content.visuals.extend(visual(child, colors, context)),
            _ => child.ignored("not known"),
        }
    }
    content
}

/// Mass, centre and tensor; the tensor is about the centre of mass, along the axes of the inertial frame, and is turned
/// into the link's axes: `R I Rᵀ`. `None` for a mass of zero, which is how some files write "none".
fn inertial(element: &Element, problems: &Problems) -> Option<Inertial> {
    element.imported();
    let frame = origin(element, problems);
    let Some(mass) = element.child("mass") else {
        problems.add(&element.place, "<inertial> without a mass", "expected <mass value=\"…\"/>");
        return None;
    };
    mass.imported();
    let kilograms = mass.required_number("value", problems);
    let tensor = element.child("inertia").map(|inertia| tensor(inertia, problems));
    if kilograms == 0.0 {
        element.ignored("a mass of zero");
        return None;
    }
    let Some(tensor) = tensor else {
        problems.add(&element.place, "<inertial> without a tensor", "expected <inertia ixx=\"…\" …/>");
        return None;
    };
    let r = orientation::rotation_matrix(frame.orientation);
    let turned = r * tensor * r.transpose();
    let tensor = (turned + turned.transpose()) * 0.5;
    Some(Inertial { mass: kilograms, center: frame.position, tensor, place: element.place.clone() })
}

fn tensor(element: &Element, problems: &Problems) -> Mat3 {
    element.imported();
    let [xx, yy, zz] = ["ixx", "iyy", "izz"].map(|name| element.required_number(name, problems));
    let [xy, xz, yz] = ["ixy", "ixz", "iyz"].map(|name| element.number(name, problems).unwrap_or(0.0));
    Mat3::from_cols(Vec3::new(xx, xy, xz), Vec3::new(xy, yy, yz), Vec3::new(xz, yz, zz))
}

fn collision(element: &Element, context: &Context<'_>) -> Option<LinkPart> {
    element.imported();
    element.skip(&["name", "group"]);
    let frame = origin(element, context.problems);
    let Some(geometry) = element.child("geometry") else {
        context.problems.add(&element.place, "<collision> without <geometry>", "expected <geometry>");
        return None;
    };
    let shape = geometry::read(geometry, context)?;
    Some(LinkPart { shape, frame, place: element.place.clone() })
}

/// Geometry that is shown, unless it cannot be read.
fn visual(element: &Element, colors: &Colors<'_>, context: &Context<'_>) -> Option<LinkVisual> {
    element.imported();
    element.skip(&["name", "group"]);
    let frame = origin(element, context.problems);
    let color = element.child("material").and_then(|material| {
        material.imported();
        color(material, context.problems)
            .or_else(|| colors.get(material.text("name").unwrap_or_default()).copied())
    });
    let Some(geometry) = element.child("geometry") else {
        element.ignored("a visual without <geometry>");
        return None;
    };
    let shape = context.drawable(geometry::visual(geometry, context)?, geometry)?;
    Some(LinkVisual { shape, frame, color, place: element.place.clone() })
}

/// The colour of a `<material>`, if it gives one.
pub(super) fn color(material: &Element, problems: &Problems) -> Option<Color> {
    if let Some(texture) = material.child("texture") {
        texture.ignored("textures are not drawn");
    }
    let color = material.child("color")?;
    color.imported();
    color.array("rgba", problems).map(Color::from_shares)
}

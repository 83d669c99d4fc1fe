//! `<equality>`: constraints between bodies in addition to the tree of joints.

use msd::math::Vec3;

use super::Model;
use super::defaults::Styled;
use crate::import::mechanism::{Assembled, Mechanism, PlacedLink};
use crate::import::xml::Element;
use crate::model::{Joint, PointJoint};

pub(super) fn add(
    root: &Element,
    model: &Model<'_, '_>,
    mechanism: &Mechanism,
    placed: &[PlacedLink],
    assembled: &mut Assembled,
) {
    for section in root.named("equality") {
        section.imported();
        for (i, element) in section.children().enumerate() {
            if !["connect", "weld"].contains(&element.name.as_str()) {
                element.ignored("only `connect` and `weld` are simulated");
                continue;
            }
            let styled = model.defaults.styled(element, None, model.context.problems);
            let name =
                element.text("name").map_or_else(|| format!("{} {}", element.name, i + 1), str::to_owned);
            tie(&styled, &model.context.named(&name), model, mechanism, placed, assembled);
        }
    }
}

/// A ball joint for `connect`, a fixed one for `weld`.
fn tie(
    styled: &Styled<'_>,
    name: &str,
    model: &Model<'_, '_>,
    mechanism: &Mechanism,
    placed: &[PlacedLink],
    assembled: &mut Assembled,
) {
    let (element, problems) = (styled.element, model.context.problems);
    element.imported();
    element.skip(&["class"]);
    if styled.text("active") == Some("false") {
        return element.ignored("not active");
    }
    if element.attribute("site1").is_some() {
        return element.ignored("ties between sites are not simulated: name bodies");
    }
    let Some(first) = model.link(element, "body1", mechanism) else { return };
    let second = element.attribute("body2").and_then(|_| model.link(element, "body2", mechanism));
    // Two links that are one body, or both fixed to the world, are tied already.
    let bodies = [Some(first), second].map(|link| link.and_then(|link| mechanism.body_name(placed, link)));
    if bodies[0] == bodies[1] {
        return element.note("the two are one body already");
    }
    let is_weld = element.name == "weld";
    let held = if is_weld { second } else { Some(first) };
    let anchor = element.vector("anchor", problems);
    if !is_weld && anchor.is_none() {
        return element.missing("anchor", "3 numbers", problems);
    }
    let anchor = anchor.unwrap_or(Vec3::ZERO);
    let anchor = held.map_or(anchor, |link| placed[link].frame.point_to_parent(anchor));
    if element.array::<7>("relpose", problems).is_some_and(|pose| pose[3..].iter().any(|part| *part != 0.0)) {
        element.approximated("held as placed, not as `relpose` says");
    }
    let [a, b] = bodies.map(|body| body.unwrap_or("world").to_owned());
    let joint = PointJoint {
        name: name.to_owned(),
        a,
        b,
        anchor: anchor.to_array(),
        collide: true,
        break_force: None,
        break_torque: None,
    };
    assembled.add_joint(if is_weld { Joint::Fixed(joint) } else { Joint::Ball(joint) }, &element.place);
}

impl Model<'_, '_> {
    /// The link that an attribute names; an unknown name is reported. The world has no link.
    pub(super) fn link(&self, element: &Element, attribute: &str, mechanism: &Mechanism) -> Option<usize> {
        let name = element.required_text(attribute, self.context.problems)?;
        let wanted = self.context.named(name);
        let found = mechanism.links.iter().position(|link| link.name == wanted);
        if found.is_none() && name != "world" {
            let place = element.attribute(attribute).map_or(&element.place, |attribute| &attribute.place);
            let message = format!("{}: there is no body named `{name}`", element.subject());
            let near =
                crate::grammar::near_name(&wanted, mechanism.links.iter().map(|link| link.name.as_str()));
            let expected = near.map(|near| format!("did you mean `{near}`?")).unwrap_or_default();
            self.context.problems.add(place, message, expected);
        }
        found
    }
}

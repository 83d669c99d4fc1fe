//! `<equality>`: constraints between bodies in addition to the tree of joints.

use msd::math::{ReferenceFrame, Vec3};

use super::Model;
use super::bodies::Sites;
use super::defaults::Styled;
use super::joint::RIGID;
use crate::import::mechanism::{Assembled, Mechanism, PlacedLink};
use crate::import::xml::Element;
use crate::model::{Joint, PointJoint};

/// The model that ties refer to.
pub(super) struct Found<'f> {
    pub(super) mechanism: &'f Mechanism,
    pub(super) placed: &'f [PlacedLink],
    pub(super) sites: &'f Sites,
}

/// Distance of two sites, m, and twice the sine of half the angle between them, that count as none.
const TOGETHER: f64 = 1e-6;

pub(super) fn add(root: &Element, model: &Model<'_, '_>, found: &Found<'_>, assembled: &mut Assembled) {
    for section in root.named("equality") {
        section.imported();
        for (i, element) in section.children().enumerate() {
            if ["joint", "tendon"].contains(&element.name.as_str()) {
                continue;
            }
            if !["connect", "weld"].contains(&element.name.as_str()) {
                element.ignored("only `connect`, `weld`, `joint` and `tendon` are simulated");
                continue;
            }
            let styled = model.defaults.styled(element, None, model.context.problems);
            let name =
                element.text("name").map_or_else(|| format!("{} {}", element.name, i + 1), str::to_owned);
            tie(&styled, &model.context.named(&name), model, found, assembled);
        }
    }
}

/// A ball joint for `connect`, a fixed one for `weld`.
fn tie(styled: &Styled<'_>, name: &str, model: &Model<'_, '_>, found: &Found<'_>, assembled: &mut Assembled) {
    let element = styled.element;
    element.imported();
    element.skip(&["class"]);
    element.without_counterpart(&["solref", "solimp", "torquescale"], RIGID);
    if styled.text("active") == Some("false") {
        return element.ignored("not active");
    }
    let is_weld = element.name == "weld";
    let ends = if element.attribute("site1").is_some() {
        between_sites(element, is_weld, model, found)
    } else {
        between_bodies(element, is_weld, model, found)
    };
    let Some((links, anchor)) = ends else { return };
    // Two links that are one body, or both fixed to the world, are tied already.
    let bodies = links.map(|link| link.and_then(|link| found.mechanism.body_name(found.placed, link)));
    if bodies[0] == bodies[1] {
        return element.note("the two are one body already");
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

/// The two links and where they are tied, world frame, m.
type Tied = ([Option<usize>; 2], Vec3);

fn between_bodies(
    element: &Element,
    is_weld: bool,
    model: &Model<'_, '_>,
    found: &Found<'_>,
) -> Option<Tied> {
    let problems = model.context.problems;
    let first = model.link(element, "body1", found.mechanism)?;
    let second = element.attribute("body2").and_then(|_| model.link(element, "body2", found.mechanism));
    let held = if is_weld { second } else { Some(first) };
    let anchor = element.vector("anchor", problems);
    if !is_weld && anchor.is_none() {
        element.missing("anchor", "3 numbers", problems);
        return None;
    }
    let anchor = anchor.unwrap_or(Vec3::ZERO);
    if element.array::<7>("relpose", problems).is_some_and(|pose| pose[3..].iter().any(|part| *part != 0.0)) {
        element.approximated("held as placed, not as `relpose` says");
    }
    let anchor = held.map_or(anchor, |link| found.placed[link].frame.point_to_parent(anchor));
    Some(([Some(first), second], anchor))
}

fn between_sites(element: &Element, is_weld: bool, model: &Model<'_, '_>, found: &Found<'_>) -> Option<Tied> {
    let site = |attribute: &str| {
        let name = element.required_text(attribute, model.context.problems)?;
        let site = found.sites.get(&model.context.named(name));
        if site.is_none() {
            let place = element.attribute(attribute).map_or(&element.place, |attribute| &attribute.place);
            let message = format!("{}: there is no site named `{name}`", element.subject());
            model.context.problems.add(place, message, "expected the name of a site");
        }
        let world = |link: usize| found.placed[link].frame;
        site.map(|site| (site.link, site.link.map_or(ReferenceFrame::IDENTITY, world).compose(&site.frame)))
    };
    let ((a, on_a), (b, on_b)) = (site("site1")?, site("site2")?);
    let apart = (on_b.position - on_a.position).length();
    let turned = (on_b.orientation.conjugate() * on_a.orientation).xyz().length();
    if apart > TOGETHER || (is_weld && turned > TOGETHER) {
        element.approximated(format!("held as placed, with the sites {apart:.1e} m apart"));
    }
    Some(([a, b], on_a.position))
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

//! `<contact>`: pairs of bodies that do not touch.

use super::Model;
use crate::import::mechanism::{Assembled, Mechanism, PlacedLink};
use crate::import::xml::Element;

pub(super) fn add(
    root: &Element,
    model: &Model<'_, '_>,
    mechanism: &Mechanism,
    placed: &[PlacedLink],
    assembled: &mut Assembled,
) {
    for section in root.named("contact") {
        section.imported();
        for element in section.children() {
            if element.name == "exclude" {
                exclude(element, model, mechanism, placed, assembled);
            } else {
                element.ignored("pairs of geoms have no settings of their own");
            }
        }
    }
}

fn exclude(
    element: &Element,
    model: &Model<'_, '_>,
    mechanism: &Mechanism,
    placed: &[PlacedLink],
    assembled: &mut Assembled,
) {
    element.imported();
    element.skip(&["name"]);
    let links = ["body1", "body2"].map(|end| model.link(element, end, mechanism));
    let [Some(a), Some(b)] = links else { return };
    // One of the two bodies ignores the other; a body fixed to the world may be several, by the name of its
    // link.
    let names = [a, b].map(|link| mechanism.links[placed[link].owner].name.clone());
    let number = |name: &String| assembled.bodies.iter().position(|body| body.name == *name);
    match names.each_ref().map(number) {
        [Some(a), Some(b)] if a != b => assembled.bodies[a].ignores.push(names[1].clone()),
        _ => element.note("the two are one body, or one of them touches nothing"),
    }
}

//! `<replicate>`: copies of what is in it, each a frame further on.
//!
//! Copy i is turned by i times the Euler angles; each is placed an `offset` from the one before, in the frame of that one. Names get the
//! separator and the number of the copy, with leading zeros.

use super::compiler::Compiler;
use super::orientation;
use crate::import::xml::{Element, MOST_ELEMENTS, Problems};
use msd::math::{ReferenceFrame, Vec3};

/// Puts frames with copies into the place of every `replicate`.
pub(super) fn expand(root: &mut Element, problems: &Problems) {
    if !has_any(root) {
        return;
    }
    let compiler = Compiler::read(root, problems);
    let mut elements = 0;
    expand_in(root, &compiler, &mut elements, problems);
}

fn has_any(element: &Element) -> bool {
    element.inner.iter().any(|child| child.name == "replicate" || has_any(child))
}

fn size(element: &Element) -> usize {
    1 + element.inner.iter().map(size).sum::<usize>()
}

fn expand_in(element: &mut Element, compiler: &Compiler, elements: &mut usize, problems: &Problems) {
    for child in &mut element.inner {
        expand_in(child, compiler, elements, problems);
        if child.name != "replicate" {
            continue;
        }
        let count = child.number("count", problems).unwrap_or(1.0);
        let added = count * (1 + child.inner.iter().map(size).sum::<usize>()) as f64;
        if !(count >= 0.0 && count.fract() == 0.0 && *elements as f64 + added <= MOST_ELEMENTS as f64) {
            let expected = format!("expected a whole number that makes at most {MOST_ELEMENTS} elements");
            problems.add(&child.place, format!("replicate: its count is {count}"), expected);
            continue;
        }
        *elements += added as usize;
        child.imported();
        child.inner = copies(child, count as usize, compiler, problems);
    }
}

fn copies(replicate: &Element, count: usize, compiler: &Compiler, problems: &Problems) -> Vec<Element> {
    let offset = replicate.vector("offset", problems).unwrap_or_default();
    let angles = replicate.array::<3>("euler", problems).unwrap_or_default();
    let separator = replicate.text("sep").unwrap_or_default();
    let digits = count.saturating_sub(1).to_string().len();
    let mut position = Vec3::ZERO;
    (0..count)
        .map(|i| {
            let turn = orientation::euler(angles.map(|angle| angle * i as f64), compiler);
            let frame = ReferenceFrame::new(position, turn);
            position = frame.point_to_parent(offset);
            let numbers = |all: &[f64]| all.iter().map(|x| format!("{x:?}")).collect::<Vec<_>>().join(" ");
            let quaternion = msd::math::orientation::to_wxyz(turn);
            let attributes = [("pos", numbers(&frame.position.to_array())), ("quat", numbers(&quaternion))];
            let suffix = format!("{separator}{i:0digits$}");
            let mut inner = replicate.inner.clone();
            inner.iter_mut().for_each(|element| element.append_to_names(&suffix));
            replicate.derived("frame", &attributes, inner)
        })
        .collect()
}

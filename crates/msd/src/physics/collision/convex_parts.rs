//! Any shape as convex parts: a compound is its parts, a mesh its triangles, anything else itself.
//!
//! Parts are placed in the frame of A, so that no digits are lost far from the origin, and only those near a
//! region are visited.

use super::solid::{Core, Solid};
use super::support_function::SupportFunction;
use crate::math::{Mat3, ReferenceFrame, Vec3, scalar};
use crate::physics::rigid_body::shape::{Aabb, Geometry, HalfSpace, Shape, TriangleMesh};
use crate::tolerance;

/// One convex part.
#[derive(Clone, Copy, Debug)]
pub(super) enum ConvexPart<'a> {
    Solid(Solid<'a>),
    HalfSpace(&'a HalfSpace),
}

/// A part, its pose in the frame of A, and its index in its shape.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlacedPart<'a> {
    pub part: ConvexPart<'a>,
    pub frame: ReferenceFrame,
    /// Part of a compound, triangle of a mesh, 0 otherwise.
    pub number: u32,
    /// The mesh whose triangle this is.
    pub mesh: Option<&'a TriangleMesh>,
}

/// Visits the parts of `shape`, placed at `frame`, whose bounding boxes overlap `region`, tested along the
/// axes of the region and along those of their compound.
pub(super) fn visit_parts<'a>(
    shape: &'a Shape,
    frame: &ReferenceFrame,
    region: &Aabb,
    visit: &mut dyn FnMut(PlacedPart<'a>),
) {
    let mut number = 0;
    visit_from(shape, frame, region, &mut number, visit);
}

fn visit_from<'a>(
    shape: &'a Shape,
    frame: &ReferenceFrame,
    region: &Aabb,
    number: &mut u32,
    visit: &mut dyn FnMut(PlacedPart<'a>),
) {
    match shape {
        Shape::Compound(compound) => {
            let near = around_in(region, frame);
            for (part, bounds) in compound.parts().iter().zip(compound.part_bounds()) {
                let leaf = !matches!(part.shape, Shape::Compound(_));
                if leaf && !bounds.intersects(&near) {
                    *number += 1;
                } else {
                    visit_from(&part.shape, &frame.compose(&part.frame), region, number, visit);
                }
            }
            return;
        }
        Shape::Mesh(mesh) => {
            mesh.visit_triangles_in(&to_local(region, frame), |triangle| {
                let part = ConvexPart::Solid(Solid::sharp(Core::Triangle(mesh.corners(triangle))));
                visit(PlacedPart { part, frame: *frame, number: triangle as u32, mesh: Some(mesh) });
            });
        }
        Shape::HalfSpace(half_space) => {
            visit(PlacedPart {
                part: ConvexPart::HalfSpace(half_space),
                frame: *frame,
                number: *number,
                mesh: None,
            });
        }
        _ => {
            // Enlarged as the boxes of a compound's parts are: a part that just touches the region is in it.
            let near = *region == Aabb::EVERYWHERE
                || around_in(region, &ReferenceFrame::IDENTITY).intersects(&shape.bounding_box(frame));
            if let Some(convex) = shape.as_convex().filter(|_| near) {
                let part = ConvexPart::Solid(convex.into());
                visit(PlacedPart { part, frame: *frame, number: *number, mesh: None });
            }
        }
    }
    *number += 1;
}

/// Lower bound of the distance of the parts of a compound from `region`, both in its own frame, m; zero for
/// any other shape.
pub(super) fn gap_to_parts(shape: &Shape, region: &Aabb) -> f64 {
    let Shape::Compound(compound) = shape else { return 0.0 };
    let near = around_in(region, &ReferenceFrame::IDENTITY);
    compound.part_bounds().iter().fold(f64::INFINITY, |gap, bounds| scalar::min(gap, bounds.gap(&near)))
}

/// A box in the local axes of `frame` that contains everything that overlaps `region`, including round-off.
fn around_in(region: &Aabb, frame: &ReferenceFrame) -> Aabb {
    let local = if *frame == ReferenceFrame::IDENTITY { *region } else { to_local(region, frame) };
    let far = scalar::max(local.min.abs().max_element(), local.max.abs().max_element());
    if far.is_finite() {
        local.expanded(tolerance::BOX_ROUND_OFF * (far + frame.position.abs().max_element()))
    } else {
        local
    }
}

/// The smallest box in the local axes of `frame` around a box of its parent.
pub(super) fn to_local(region: &Aabb, frame: &ReferenceFrame) -> Aabb {
    let half = 0.5 * region.size();
    if !half.is_finite() || half.min_element() < 0.0 {
        return if half.min_element() < 0.0 { Aabb::EMPTY } else { Aabb::EVERYWHERE };
    }
    let center = frame.point_to_local(region.center());
    let r: Mat3 = frame.rotation();
    let reach = Vec3::new(r.x_axis.abs().dot(half), r.y_axis.abs().dot(half), r.z_axis.abs().dot(half));
    Aabb::new(center - reach, center + reach)
}

/// Bounding box of a solid in the parent of its frame.
pub(super) fn bounds(solid: &Solid<'_>, frame: &ReferenceFrame) -> Aabb {
    if let Core::Triangle(corners) = &solid.core {
        return Aabb::from_points(corners.iter().map(|c| frame.point_to_parent(*c))).expanded(solid.radius);
    }
    let reach = |axis: Vec3| {
        let local = solid.core.support(frame.direction_to_local(axis));
        frame.point_to_parent(local)
    };
    let max = Vec3::new(reach(Vec3::X).x, reach(Vec3::Y).y, reach(Vec3::Z).z);
    let min = Vec3::new(reach(-Vec3::X).x, reach(-Vec3::Y).y, reach(-Vec3::Z).z);
    Aabb::new(min, max).expanded(solid.radius)
}

/// Bounding box of a shape in the frame of A.
pub(super) fn region_of(shape: &Shape, frame: &ReferenceFrame, margin: f64) -> Aabb {
    shape.bounding_box(frame).expanded(margin)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::orientation::from_rotation_vector;
    use crate::physics::collision::query::{distance, intersects};
    use crate::physics::rigid_body::shape::{Compound, CompoundPart, Cuboid};
    use proptest::prelude::*;

    fn frame(c: [f64; 6]) -> ReferenceFrame {
        ReferenceFrame::new(
            Vec3::new(c[0], c[1], c[2]) * 3.0,
            from_rotation_vector(Vec3::new(c[3], c[4], c[5]) * 3.0),
        )
    }

    proptest! {
        #[test]
        fn the_gap_to_the_parts_of_a_compound_is_never_more_than_the_distance(
            places in prop::collection::vec(prop::array::uniform6(-1.0..1.0_f64), 1..20),
            stands in prop::array::uniform6(-2.0..2.0_f64)
        ) {
            let brick: Shape = Cuboid::new(Vec3::new(0.4, 0.5, 1.0)).unwrap().into();
            let part = |c: &[f64; 6]| CompoundPart { frame: frame(*c), shape: brick.clone() };
            let compound: Shape = Compound::new(places.iter().map(part).collect()).unwrap().into();
            let stands = frame(stands);
            let gap = gap_to_parts(&compound, &brick.bounding_box(&stands));
            let mut nearest = f64::INFINITY;
            visit_parts(&compound, &ReferenceFrame::IDENTITY, &Aabb::EVERYWHERE, &mut |part| {
                nearest = scalar::min(nearest, distance(&brick, &part.frame, &brick, &stands).signed);
            });
            prop_assert!(gap <= scalar::max(nearest, 0.0));
            // A brick is within 1.2 m of any point of its box.
            prop_assert!(gap >= nearest - 2.4);
            let found = distance(&compound, &ReferenceFrame::IDENTITY, &brick, &stands).signed;
            prop_assert!((found - nearest).abs() <= 1e-12 * (1.0 + nearest.abs()), "{found} {nearest}");
        }

        #[test]
        fn parts_of_a_compound_that_meet_the_region_are_visited_and_none_beside_it(
            places in prop::collection::vec(prop::array::uniform6(-1.0..1.0_f64), 5..20),
            stands in prop::array::uniform6(-1.0..1.0_f64), region in prop::array::uniform3(-4.0..4.0_f64),
            far in prop::bool::ANY, nested in prop::bool::ANY
        ) {
            let brick: Shape = Cuboid::new(Vec3::new(0.4, 0.5, 2.0)).unwrap().into();
            let part = |c: &[f64; 6]| CompoundPart { frame: frame(*c), shape: brick.clone() };
            let mut shape: Shape = Compound::new(places.iter().map(part).collect()).unwrap().into();
            if nested {
                shape = Compound::new(vec![CompoundPart { frame: frame(stands), shape }]).unwrap().into();
            }
            let mut stands = frame(stands);
            stands.position += Vec3::X * if far { 1e6 } else { 0.0 };
            let low = stands.position + Vec3::from_array(region);
            let region = Aabb::new(low, low + Vec3::ONE);
            let (mut all, mut near) = (Vec::new(), Vec::new());
            visit_parts(&shape, &stands, &Aabb::EVERYWHERE, &mut |part| all.push((part.number, part.frame)));
            visit_parts(&shape, &stands, &region, &mut |part| near.push((part.number, part.frame)));
            prop_assert!(near.is_sorted_by_key(|part| part.0) && all.len() == places.len());
            let block: Shape = Cuboid::new(Vec3::ONE).unwrap().into();
            let middle = ReferenceFrame::from_position(region.center());
            for part in &all {
                if !brick.bounding_box(&part.1).intersects(&region) {
                    prop_assert!(!near.contains(part));
                } else if !near.contains(part) {
                    prop_assert!(!intersects(&brick, &part.1, &block, &middle));
                }
            }
        }
    }
}

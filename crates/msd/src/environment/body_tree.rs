//! Bounding volume tree of all bodies, for queries.

use crate::math::{Mat3, ReferenceFrame};
use crate::physics::collision::broad_phase::BoundingVolumeTree;
use crate::physics::rigid_body::Bodies;
use crate::physics::rigid_body::shape::{Aabb, Geometry, Shape};
use crate::tolerance;

/// Bounding boxes of all bodies with a shape, by slot.
#[derive(Clone, Debug, Default)]
pub(super) struct BodyTree {
    pub(super) tree: BoundingVolumeTree,
    pub(super) unbounded: Vec<u32>,
}

impl BodyTree {
    /// From the bodies in occupied slots.
    pub(super) fn of(bodies: &Bodies<'_>, occupied: impl Fn(usize) -> bool) -> Self {
        let mut built = Self::default();
        for view in bodies.iter().filter(|view| occupied(view.slot)) {
            let Some(shape) = &view.body.shape else { continue };
            let id = view.slot as u32;
            if shape.is_bounded() {
                let around = box_of(shape, &view.body.frame(view.state));
                let far = around.min.abs().max(around.max.abs()).max_element();
                built.tree.insert(around.expanded(tolerance::BOX_ROUND_OFF * far), id);
            } else {
                built.unbounded.push(id);
            }
        }
        built
    }
}

/// Bounding box of a shape in a pose; for a mesh, around its transformed local box, without visiting every
/// vertex.
pub(super) fn box_of(shape: &Shape, frame: &ReferenceFrame) -> Aabb {
    let Shape::Mesh(mesh) = shape else { return shape.bounding_box(frame) };
    let bounds = mesh.local_bounding_box();
    let Mat3 { x_axis, y_axis, z_axis } = frame.rotation();
    let half = 0.5 * bounds.size();
    let reach = x_axis.abs() * half.x + y_axis.abs() * half.y + z_axis.abs() * half.z;
    let center = frame.point_to_parent(bounds.center());
    Aabb::new(center - reach, center + reach)
}

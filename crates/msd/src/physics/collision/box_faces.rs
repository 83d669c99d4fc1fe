//! Face clipping of two boxes.
//!
//! In the frame of the box that owns the reference face, the face is a rectangle `|x| ≤ h_x, |y| ≤ h_y` and
//! the height over it a linear function, so that clipping the incident face is comparing coordinates:
//! Sutherland & Hodgman 1974 with axis-aligned sides. Points, order and features are those of `clipping`,
//! which does the same for any polygons.

use super::manifold::{ContactManifold, ContactPoint, FeatureId, MAX_POINTS};
use super::support_function::RelativePose;
use crate::math::{Coordinate, Vec3, scalar};
use crate::tolerance;

/// A face of one of two boxes.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoxFace {
    /// Whether it is a face of B.
    pub of_b: bool,
    /// The axis it is perpendicular to.
    pub axis: usize,
    /// True for the positive side of its box.
    pub positive: bool,
}

impl BoxFace {
    fn side(self) -> f64 {
        if self.positive { 1.0 } else { -1.0 }
    }
}

/// A corner of the clipped incident face: its position over the reference face, its gap, the features that
/// made it, and the edge that leaves it.
#[derive(Clone, Copy, Default)]
struct Corner {
    x: f64,
    y: f64,
    gap: f64,
    incident: u32,
    reference: u32,
    edge: u32,
}

/// A side of a rectangle, perpendicular to x or to y.
#[derive(Clone, Copy)]
struct Line {
    across_x: bool,
    /// Its inward normal along that axis, 1 or -1.
    inward: f64,
    offset: f64,
}

impl Line {
    /// How far inside a corner is.
    fn inside(self, c: &Corner) -> f64 {
        self.offset + self.inward * if self.across_x { c.x } else { c.y }
    }
}

/// The reference face seen from its box.
struct Rectangle {
    face: BoxFace,
    half: Vec3,
    slack: f64,
    edge_base: u32,
}

/// How the facing faces of two boxes are oriented relative to a normal.
#[derive(Clone, Copy, Debug)]
pub(super) enum Faces {
    /// One of them is perpendicular to it.
    Across,
    /// Both are nearly perpendicular to it; the better one, with its normal from A to B.
    Parallel(BoxFace, Vec3),
    /// Neither is.
    Oblique,
}

/// The faces along `normal` (unit, frame of A, from A to B), nearly perpendicular to it up to an angle with the sine `parallel`.
pub(super) fn facing_along(pose: &RelativePose, normal: Vec3, parallel: f64) -> Faces {
    let local = pose.direction_to_b(normal);
    let (axis_a, sine_a) = nearest_axis(normal);
    let (axis_b, sine_b) = nearest_axis(local);
    if sine_a <= tolerance::FEATURE_ALIGNED || sine_b <= tolerance::FEATURE_ALIGNED {
        Faces::Across
    } else if sine_a > parallel || sine_b > parallel {
        Faces::Oblique
    } else {
        let (face, out) =
            if sine_a > sine_b { face_of_b(axis_b, local, pose) } else { face_of_a(axis_a, normal) };
        Faces::Parallel(face, out)
    }
}

/// The axis a unit vector is nearest to, and the sine of the angle between them.
fn nearest_axis(unit: Vec3) -> (usize, f64) {
    let size = unit.abs();
    let k = usize::from((size.x < size.y) | (size.x < size.z)) * (1 + usize::from(size.y < size.z));
    let (u, v) = (unit[(k + 1) % 3], unit[(k + 2) % 3]);
    (k, (u * u + v * v).sqrt())
}

/// The faces of A and of B that face each other best along `normal` (unit, frame of A, from A to B), with their normals from A to B.
pub(super) fn both_along(pose: &RelativePose, normal: Vec3) -> [(BoxFace, Vec3); 2] {
    let local = pose.direction_to_b(normal);
    [face_of_a(nearest_axis(normal).0, normal), face_of_b(nearest_axis(local).0, local, pose)]
}

fn face_of_a(axis: usize, normal: Vec3) -> (BoxFace, Vec3) {
    let positive = normal[axis] >= 0.0;
    let mut out = Vec3::ZERO;
    out[axis] = if positive { 1.0 } else { -1.0 };
    (BoxFace { of_b: false, axis, positive }, out)
}

/// The face of B looks back; `local` is the normal in B's frame.
fn face_of_b(axis: usize, local: Vec3, pose: &RelativePose) -> (BoxFace, Vec3) {
    let positive = local[axis] < 0.0;
    let out = pose.rotation.col(axis);
    (BoxFace { of_b: true, axis, positive }, if positive { -out } else { out })
}

/// All points of the boxes (half lengths `half`, of A and B) over a face that faces the other box, with gaps
/// up to `margin`, appended to `out`; frame of A except the anchors of B.
pub(super) fn contacts(
    half: [Vec3; 2],
    pose: &RelativePose,
    face: BoxFace,
    margin: f64,
    out: &mut ContactManifold,
) {
    let mut over = OverFace::facing(half, pose, face);
    over.clip();
    over.write_points(pose, margin, out);
}

/// A reference face of one box and the clipped incident face of the other.
pub(super) struct OverFace {
    rectangle: Rectangle,
    corners: [Corner; MAX_POINTS],
    len: usize,
}

impl OverFace {
    /// The face of the other box that faces `face` best, not yet clipped.
    fn facing(half: [Vec3; 2], pose: &RelativePose, face: BoxFace) -> Self {
        let k = face.axis;
        let [x, y, z] = [pose.rotation.x_axis, pose.rotation.y_axis, pose.rotation.z_axis];
        let towards = if face.of_b { [x, y, z][k] } else { Vec3::new(x[k], y[k], z[k]) };
        let facing = towards * -face.side();
        let size = facing.abs();
        let axis = if size.x >= size.y && size.x >= size.z {
            0
        } else if size.y >= size.z {
            1
        } else {
            2
        };
        Self::between(half, pose, face, BoxFace { of_b: !face.of_b, axis, positive: facing[axis] >= 0.0 })
    }

    /// A face of one box and one of the other, not yet clipped.
    pub(super) fn between(half: [Vec3; 2], pose: &RelativePose, face: BoxFace, incident: BoxFace) -> Self {
        let reference = half[usize::from(face.of_b)];
        let turn = if face.of_b { pose.rotation.transpose() } else { pose.rotation };
        let center = if face.of_b { pose.point_to_b(Vec3::ZERO) } else { pose.translation };
        let size = reference * 2.0;
        let (u, v) = ((face.axis + 1) % 3, (face.axis + 2) % 3);
        let rectangle = Rectangle {
            face,
            half: reference,
            slack: tolerance::CLIP_SLACK * (size[u] * size[u] + size[v] * size[v]).sqrt(),
            edge_base: FeatureId::EDGE | ((2 * face.axis as u32 + u32::from(face.positive)) * 64),
        };
        let mut corners = [Corner::default(); MAX_POINTS];
        let axes = [turn.x_axis, turn.y_axis, turn.z_axis];
        rectangle.incident_face(half[usize::from(incident.of_b)], axes, center, incident, &mut corners);
        Self { rectangle, corners, len: 4 }
    }

    fn corners(&self) -> &[Corner] {
        &self.corners[..self.len]
    }

    /// Bounds of the smallest gap there is over the face, m, before anything is clipped: from below, and from above where the
    /// lowest corner lies over the face.
    pub(super) fn least_gap(&self) -> (f64, f64) {
        let mut lowest = &self.corners()[0];
        for corner in &self.corners()[1..] {
            if corner.gap < lowest.gap {
                lowest = corner;
            }
        }
        (lowest.gap, if self.rectangle.covers(lowest) { lowest.gap } else { f64::INFINITY })
    }

    /// Clips the incident face against the sides of the reference face.
    pub(super) fn clip(&mut self) {
        if self.corners().iter().all(|corner| self.rectangle.covers(corner)) {
            return;
        }
        // Double buffering: the output of one side is the input of the next.
        let mut other = [Corner::default(); MAX_POINTS];
        let (mut from, mut to) = (&mut self.corners, &mut other);
        let mut in_other = false;
        for side in 0..4 {
            let line = self.rectangle.line(side);
            let mut inside = [0.0; MAX_POINTS];
            for (inside, c) in inside.iter_mut().zip(&from[..self.len]) {
                *inside = line.inside(c);
            }
            if inside[..self.len].iter().all(|inside| *inside >= -self.rectangle.slack) {
                continue;
            }
            self.len = self.rectangle.cut(side, &inside, &from[..self.len], to);
            std::mem::swap(&mut from, &mut to);
            in_other = !in_other;
        }
        if in_other {
            self.corners = other;
        }
    }

    /// How many points have gaps up to `margin`, and the smallest of their gaps, m.
    pub(super) fn count_within(&self, margin: f64) -> (usize, f64) {
        let within = self.corners().iter().filter(|c| c.gap <= margin);
        within.fold((0, f64::INFINITY), |(count, least), c| (count + 1, scalar::min(least, c.gap)))
    }

    /// Appends the points with gaps up to `margin` to `out`.
    pub(super) fn write_points(&self, pose: &RelativePose, margin: f64, out: &mut ContactManifold) {
        for c in self.corners().iter().filter(|c| c.gap <= margin) {
            out.push(self.rectangle.contact(c, pose));
        }
    }
}

impl Rectangle {
    /// True if a corner lies over it.
    fn covers(&self, c: &Corner) -> bool {
        let (u, v) = ((self.face.axis + 1) % 3, (self.face.axis + 2) % 3);
        c.x.abs() <= self.half[u] + self.slack && c.y.abs() <= self.half[v] + self.slack
    }

    /// The corners of a face of the other box, whose axes and centre are given in this frame.
    fn incident_face(
        &self,
        half: Vec3,
        axes: [Vec3; 3],
        center: Coordinate,
        BoxFace { axis, positive, .. }: BoxFace,
        out: &mut [Corner; MAX_POINTS],
    ) {
        let k = self.face.axis;
        let (u, v) = ((k + 1) % 3, (k + 2) % 3);
        let face = 2 * axis as u32 + u32::from(positive);
        let (p, q) = (1_u32 << ((axis + 1) % 3), 1_u32 << ((axis + 2) % 3));
        let base = if positive { 1_u32 << axis } else { 0 };
        let around = if positive { [0, p, p | q, q] } else { [0, q, p | q, p] };
        let [x, y, z] = [axes[0] * half.x, axes[1] * half.y, axes[2] * half.z];
        for (slot, (k_edge, step)) in out.iter_mut().zip((0_u32..).zip(around)) {
            let number = base | step;
            let signed = |edge: Vec3, bit: u32| if number & bit != 0 { edge } else { -edge };
            let at = center + signed(x, 1) + signed(y, 2) + signed(z, 4);
            *slot = Corner {
                x: at[u],
                y: at[v],
                gap: self.face.side() * at[k] - self.half[k],
                incident: FeatureId::VERTEX | number,
                reference: FeatureId::FACE | (2 * k as u32 + u32::from(self.face.positive)),
                edge: FeatureId::EDGE | (face * 64 + k_edge),
            };
        }
    }

    /// One side of the rectangle, counted around it counter-clockwise from outside.
    fn line(&self, side: u32) -> Line {
        let k = self.face.axis;
        let (h_x, h_y) = (self.half[(k + 1) % 3], self.half[(k + 2) % 3]);
        // A face on the negative side is traversed with x and y exchanged.
        let turn = if self.face.positive { side } else { 3 - side };
        match turn {
            0 => Line { across_x: false, inward: 1.0, offset: h_y },
            1 => Line { across_x: true, inward: -1.0, offset: h_x },
            2 => Line { across_x: false, inward: -1.0, offset: h_y },
            _ => Line { across_x: true, inward: 1.0, offset: h_x },
        }
    }

    /// Clips a polygon against one side of the rectangle, given the signed distance of each corner to it.
    fn cut(
        &self,
        side: u32,
        inside: &[f64; MAX_POINTS],
        corners: &[Corner],
        out: &mut [Corner; MAX_POINTS],
    ) -> usize {
        let Some(mut from) = corners.last() else { return 0 };
        let mut d_from = inside[corners.len() - 1];
        let mut count = 0;
        let mut keep = |corner: Corner| {
            if let Some(slot) = out.get_mut(count) {
                *slot = corner;
                count += 1;
            }
        };
        for (to, &d_to) in corners.iter().zip(inside) {
            let (from_in, to_in) = (d_from >= -self.slack, d_to >= -self.slack);
            if from_in != to_in {
                let t = scalar::clamp(d_from / (d_from - d_to), 0.0, 1.0);
                let reference = self.edge_base + side;
                keep(Corner {
                    x: from.x + (to.x - from.x) * t,
                    y: from.y + (to.y - from.y) * t,
                    gap: from.gap + (to.gap - from.gap) * t,
                    incident: from.edge,
                    reference,
                    // The boundary leaves the rectangle here and continues along the side.
                    edge: if from_in { reference } else { from.edge },
                });
            }
            if to_in {
                keep(*to);
            }
            (from, d_from) = (to, d_to);
        }
        count
    }

    /// The contact at a corner.
    fn contact(&self, c: &Corner, pose: &RelativePose) -> ContactPoint {
        let k = self.face.axis;
        let (u, v) = ((k + 1) % 3, (k + 2) % 3);
        let (mut on_face, mut over) = ([0.0; 3], [0.0; 3]);
        (on_face[u], on_face[v], on_face[k]) = (c.x, c.y, self.face.side() * self.half[k]);
        (over[u], over[v], over[k]) = (c.x, c.y, self.face.side() * (self.half[k] + c.gap));
        let (on_face, over) = (Vec3::from_array(on_face), Vec3::from_array(over));
        let distance = c.gap;
        if self.face.of_b {
            let (on_a, on_b) = (pose.point(over), pose.point(on_face));
            let feature = FeatureId { a: c.incident, b: c.reference };
            ContactPoint { on_a, on_b, anchor_a: on_a, anchor_b: on_face, distance, feature }
        } else {
            let feature = FeatureId { a: c.reference, b: c.incident };
            let anchor_b = pose.point_to_b(over);
            ContactPoint { on_a: on_face, on_b: over, anchor_a: on_face, anchor_b, distance, feature }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::box_box::greatest_separation;
    use super::super::gjk::GjkStart;
    use super::super::manifold_builder;
    use super::super::solid::{Core, Solid};
    use super::super::solid_pair::ConvexPair;
    use super::super::witness::SignedDistance;
    use super::*;
    use crate::math::ReferenceFrame;
    use crate::math::orientation::from_rotation_vector;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn boxes_that_lie_askew_touch_as_any_polytopes_do(
            c in prop::array::uniform6(-1.0..1.0_f64), h in prop::array::uniform6(0.2..1.0_f64)
        ) {
            let (a, b) = (Vec3::new(h[0], h[1], h[2]), Vec3::new(h[3], h[4], h[5]));
            let turn = Vec3::new(c[3] * 0.01, c[4] * 0.01, c[5]);
            let side = a + b;
            let place = Vec3::new(c[0] * side.x * 0.7, c[1] * side.y * 0.7, side.z - 0.02 * (c[2] + 1.0) * h[2]);
            let frame = ReferenceFrame::new(place, from_rotation_vector(turn));
            let (solid_a, solid_b) = (Solid::sharp(Core::Cuboid { half: a }), Solid::sharp(Core::Cuboid { half: b }));
            let pair =
                ConvexPair::new(&solid_a, &solid_b, RelativePose::between(&ReferenceFrame::IDENTITY, &frame));
            let axis = greatest_separation(a, b, &pair.pose, f64::INFINITY);
            let Some((on_a, on_b)) = axis.edge_witnesses() else { return Ok(()) };
            let at = SignedDistance { normal: axis.normal, distance: axis.separation, on_a, on_b, start: GjkStart::COLD };
            let found = pair.contacts(0.01, &mut GjkStart::default());
            let expected = pair.manifold(&at, 0.01);
            if axis.separation > 0.0 {
                return Ok(());
            }
            prop_assert_eq!(found.points().len(), expected.points().len());
            prop_assert!((found.normal - expected.normal).length() < 1e-14);
            for (p, q) in found.points().iter().zip(expected.points()) {
                prop_assert_eq!(p.feature, q.feature);
                prop_assert!((p.on_a - q.on_a).length() < 1e-14 && (p.distance - q.distance).abs() < 1e-14);
            }
        }

        #[test]
        fn the_points_are_those_of_clipping_any_polygons(
            c in prop::array::uniform6(-1.0..1.0_f64), h in prop::array::uniform6(0.1..1.0_f64), flat in 0..2_u8
        ) {
            let (a, b) = (Vec3::new(h[0], h[1], h[2]), Vec3::new(h[3], h[4], h[5]));
            let turn = Vec3::new(c[3], c[4], c[5]) * if flat == 0 { 1e-3 } else { 3.0 };
            let frame = ReferenceFrame::new(Vec3::new(c[0], c[1], c[2]), from_rotation_vector(turn));
            let pose = RelativePose::between(&ReferenceFrame::IDENTITY, &frame);
            let axis = greatest_separation(a, b, &pose, f64::INFINITY);
            let Some(face) = axis.face else { return Ok(()) };
            let mut found = ContactManifold::with_normal(axis.normal);
            contacts([a, b], &pose, face, 0.1, &mut found);
            let (core_a, core_b) = (Core::Cuboid { half: a }, Core::Cuboid { half: b });
            let Some(any) = manifold_builder::face_points(&core_a, &core_b, &pose, axis.normal, 0.1) else {
                prop_assert!(found.is_empty());
                return Ok(());
            };
            let mut expected = ContactManifold::with_normal(axis.normal);
            manifold_builder::round(&any, [0.0; 2], &pose, &mut expected);
            prop_assert_eq!(found.points().len(), expected.points().len());
            for (p, q) in found.points().iter().zip(expected.points()) {
                prop_assert_eq!(p.feature, q.feature);
                prop_assert!((p.on_a - q.on_a).length() < 1e-14 && (p.on_b - q.on_b).length() < 1e-14);
                prop_assert!((p.anchor_b - q.anchor_b).length() < 1e-14 && (p.distance - q.distance).abs() < 1e-14);
            }
        }
    }
}

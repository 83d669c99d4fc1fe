//! Extra contact points on the faces adjacent to an edge or vertex contact.
//!
//! Two polytopes that touch at an edge or a vertex have one or two points and may rotate about them: within a
//! step a face may close that was not part of the contact. The faces closest to the contact normal, one of
//! each shape, serve as reference faces here. Vertices of the other shape over them have gaps along their
//! normals: none is negative while the shapes are separated, since a point over a face and below its plane is
//! inside. Edge crossings are computed over the face that is closer to the contact normal. Points that exist
//! already are not added twice.
//!
//! For overlapping shapes the contact itself has the penetration depth. A vertex over a face may be deeper,
//! along a longer direction of separation: its depth is limited to that of the contact.

use super::box_faces::{self, OverFace};
use super::manifold::{ContactManifold, ContactPoint};
use super::manifold_builder;
use super::solid::Core;
use super::solid_pair::ConvexPair;
use super::support_function::RelativePose;
use crate::math::{Coordinate, Vec3, scalar};

/// How much deeper a face may overlap than two edges, relative to half the longest extent of the smaller
/// body, and still be the contact of the fast tier. tuned: on cubes poured into a heap; as far as contacts
/// are recycled.
const SOFT_FACE: f64 = 0.02;

/// Points over the faces of A and of B adjacent to the contact `known`, with gaps up to `margin` metres;
/// empty where there are none, and for face contacts. Everything in the frame of A except the anchors of B.
pub(super) fn adjacent_face_contacts(
    pair: &ConvexPair<'_>,
    known: &ContactManifold,
    margin: f64,
) -> [ContactManifold; 2] {
    let mut beside = [ContactManifold::EMPTY; 2];
    let (a, b) = (&pair.a.core, &pair.b.core);
    let flat = pair.a.sharp_edge_count().is_some() && pair.b.sharp_edge_count().is_some();
    if !flat || known.is_empty() || known.points().len() > 2 {
        return beside;
    }
    let (found, sines) =
        manifold_builder::adjacent_face_points(a, b, &pair.pose, known.normal, margin, |_| true);
    let nearer = usize::from(sines[1] < sines[0]);
    let near = super::manifold::SAME_CONTACT * scalar::min(a.size(), b.size());
    let deepest = scalar::min(known.deepest(), 0.0);
    // Vertices over the face farther from the normal come first: over the other they would be measured at a
    // slant.
    for side in [1 - nearer, nearer] {
        let Some(found) = &found[side] else { continue };
        let mut over = ContactManifold::EMPTY;
        manifold_builder::round(found, [0.0; 2], &pair.pose, &mut over);
        beside[side].normal = over.normal;
        for point in over.points() {
            let corner = [point.feature.is_vertex_of_b(), point.feature.is_vertex_of_a()][side];
            if (corner || side == nearer)
                && !is_at(known, point.on_a, near)
                && !is_at(&beside[1 - side], point.on_a, near)
            {
                beside[side].push(lifted(point, over.normal, deepest, pair));
            }
        }
    }
    beside
}

pub(super) fn is_at(manifold: &ContactManifold, place: Coordinate, near: f64) -> bool {
    manifold.points().iter().any(|point| point.on_a.distance_squared(place) <= near * near)
}

/// The point with its depth limited to `deepest`: its position on B is moved out.
pub(super) fn lifted(
    point: &ContactPoint,
    normal: Vec3,
    deepest: f64,
    pair: &ConvexPair<'_>,
) -> ContactPoint {
    if point.distance >= deepest {
        return *point;
    }
    let on_b = point.on_b + normal * (deepest - point.distance);
    ContactPoint { on_b, anchor_b: pair.pose.point_to_b(on_b), distance: deepest, ..*point }
}

/// For soft contact: replaces an edge or vertex contact by the points over a face, if they are as near to
/// within [`SOFT_FACE`] of the smaller size. Frame of A.
///
/// Two stacked boxes, rotated about the common normal and slightly tilted, overlap least along an edge-edge
/// axis: one point, about which both rotate until another edge collides, in every step. Under load they
/// jitter into each other. With the up to eight points over the face they rest.
///
/// `over_face` says that the contact already consists of the points over a face along its normal.
pub(super) fn prefer_face_contact(
    pair: &ConvexPair<'_>,
    margin: f64,
    known: &mut ContactManifold,
    over_face: bool,
) {
    let (a, b) = (&pair.a.core, &pair.b.core);
    let few = (1..=2).contains(&known.points().len());
    if !few || pair.a.sharp_edge_count().is_none() || pair.b.sharp_edge_count().is_none() {
        return;
    }
    let within = SOFT_FACE * scalar::min(a.size(), b.size());
    let along = known.normal;
    let wanted = |normal: Vec3| !over_face || normal != along;
    if let (Core::Cuboid { half: of_a }, Core::Cuboid { half: of_b }) = (a, b) {
        box_face_contact([*of_a, *of_b], &pair.pose, margin, within, known, wanted);
    } else {
        polytope_face_contact(pair, margin, within, known, wanted);
    }
}

/// Uses the face whose nearest point is closest to that of the contact, if they differ by less than `within`
/// metres.
fn polytope_face_contact(
    pair: &ConvexPair<'_>,
    margin: f64,
    within: f64,
    known: &mut ContactManifold,
    wanted: impl Fn(Vec3) -> bool,
) {
    let (nearest, few) = (known.deepest(), known.points().len());
    let mut best = within;
    let (a, b) = (&pair.a.core, &pair.b.core);
    let (found, _) = manifold_builder::adjacent_face_points(a, b, &pair.pose, known.normal, margin, wanted);
    for found in found.iter().flatten() {
        let off = (found.deepest() - nearest).abs();
        if found.count() > few && off < best {
            best = off;
            known.clear();
            manifold_builder::round(found, [0.0; 2], &pair.pose, known);
        }
    }
}

/// The same for two boxes, faster.
fn box_face_contact(
    half: [Vec3; 2],
    pose: &RelativePose,
    margin: f64,
    within: f64,
    known: &mut ContactManifold,
    wanted: impl Fn(Vec3) -> bool,
) {
    let (nearest, few) = (known.deepest(), known.points().len());
    let mut best = within;
    let [of_a, of_b] = box_faces::both_along(pose, known.normal);
    for ((face, normal), (other, _)) in [(of_a, of_b), (of_b, of_a)] {
        if !wanted(normal) {
            continue;
        }
        let mut over = OverFace::between(half, pose, face, other);
        let (least, most) = over.least_gap();
        // The points over the face are farther, or deeper.
        if least - nearest >= best || nearest - most >= best {
            continue;
        }
        over.clip();
        let (count, deepest) = over.count_within(margin);
        let off = (deepest - nearest).abs();
        if count > few && off < best {
            best = off;
            known.clear();
            known.normal = normal;
            over.write_points(pose, margin, known);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::orientation::from_rotation_vector;
    use crate::math::{Quat, ReferenceFrame, scalar};
    use crate::physics::collision::gjk::GjkStart;
    use crate::physics::collision::solid::Solid;
    use crate::physics::rigid_body::shape::{Cuboid, Shape};
    use proptest::prelude::*;

    /// Unit cube B on an edge, which slopes by `t` radians down over the rim y = ½ of the upper face of unit cube A, its middle
    /// `gap` metres above it: edges cross there, and the inner end is ½ sin t higher.
    fn edge_over_rim(t: f64, gap: f64) -> (ContactManifold, [ContactManifold; 2]) {
        let cube: Shape = Cuboid::new(Vec3::ONE).unwrap().into();
        let turned = Quat::from_rotation_x(-t);
        let middle = Vec3::new(0.0, 0.5, 0.5 + gap);
        let center = middle + turned * (Vec3::Z * 0.5_f64.sqrt());
        let orientation = turned * Quat::from_rotation_y(std::f64::consts::FRAC_PI_4);
        let solid = cube.as_convex().unwrap().into();
        let pose = RelativePose::of(&ReferenceFrame::new(center, orientation));
        let pair = ConvexPair::new(&solid, &solid, pose);
        let known = pair.contacts(0.02, &mut { GjkStart::COLD });
        (known, adjacent_face_contacts(&pair, &known, 0.02))
    }

    #[test]
    fn the_inner_end_of_an_edge_over_a_rim_is_known_before_it_comes_down() {
        let t = 0.03;
        let (known, [over_a, over_b]) = edge_over_rim(t, 0.0);
        assert_eq!(known.points().len(), 1, "the edges cross in one point");
        assert!(over_b.is_empty(), "no corner of A is near the faces of B");
        let [end] = over_a.points() else { panic!("one end is over the face: {over_a:?}") };
        assert!(over_a.normal.distance(Vec3::Z) < 1e-15);
        assert!((end.distance - 0.5 * scalar::sin_cos(t).0).abs() < 1e-15, "gap {}", end.distance);
        assert!(end.feature.is_vertex_of_b());
    }

    #[test]
    fn beside_an_overlap_nothing_is_deeper_than_the_overlap() {
        let cube: Shape = Cuboid::new(Vec3::ONE).unwrap().into();
        let solid = cube.as_convex().unwrap().into();
        let pose = RelativePose::of(&ReferenceFrame::new(Vec3::Z * 0.8, Quat::IDENTITY));
        let pair = ConvexPair::new(&solid, &solid, pose);
        let (on_a, on_b) = (Vec3::Z * 0.5, Vec3::Z * 0.3);
        let deep = ContactPoint { on_a, on_b, distance: -0.2, ..ContactPoint::default() };
        let point = lifted(&deep, Vec3::Z, -0.05, &pair);
        assert!((point.on_b - Vec3::Z * 0.45).length() < 1e-15, "{point:?}");
        assert!((point.anchor_b - Vec3::Z * -0.35).length() < 1e-15, "{point:?}");
        assert_eq!(point.distance, -0.05);
        assert_eq!(lifted(&deep, Vec3::Z, -0.3, &pair), deep);
    }

    /// Two unit cubes, one on the other, turned by 45° about the vertical and tilted by up to 0.06 rad about any level axis.
    #[test]
    fn cubes_on_each_other_have_points_over_the_face_where_two_edges_overlap_less() {
        use crate::math::orientation::from_rotation_vector;
        use crate::physics::collision::{ManifoldCache, Recycling};
        let cube: Shape = Cuboid::new(Vec3::ONE).unwrap().into();
        let turn = Quat::from_rotation_z(std::f64::consts::FRAC_PI_4);
        let found = |pose_b: &ReferenceFrame, recycling: Recycling| {
            let mut cache = ManifoldCache::default();
            let poses = [&ReferenceFrame::IDENTITY, pose_b];
            let found = cache.update_by([&cube, &cube], poses, 0.05, recycling)[0].manifold;
            (found.points().len(), found.deepest())
        };
        let (mut of_edges, mut of_edges_still) = (0, 0);
        for k in 0..200 {
            let along = Quat::from_rotation_z(0.1 * f64::from(k)) * Vec3::X;
            let tilt = from_rotation_vector(along * (0.02 + 2e-4 * f64::from(k)));
            let pose_b = ReferenceFrame::new(Vec3::new(0.02, 0.05, 0.97), tilt * turn);
            let (exact, depth) = found(&pose_b, Recycling::Close);
            let (soft, over_face) = found(&pose_b, Recycling::Wide(0.01));
            if exact <= 2 {
                of_edges += 1;
                of_edges_still += usize::from(soft <= 2);
            }
            assert!((depth - over_face).abs() <= SOFT_FACE * 0.5, "{depth} {over_face}");
        }
        assert!(of_edges > 20, "there are contacts of edges: {of_edges}");
        assert_eq!(of_edges_still, 0);
    }

    proptest! {
        #[test]
        fn boxes_prefer_the_same_faces_as_any_polytopes(
            c in prop::array::uniform6(-1.0..1.0_f64), h in prop::array::uniform6(0.2..1.0_f64), flat in 0..2_u8
        ) {
            let half = [Vec3::new(h[0], h[1], h[2]), Vec3::new(h[3], h[4], h[5])];
            let turn = Vec3::new(c[3], c[4], 3.0 * c[5]) * if flat == 0 { 0.05 } else { 1.0 };
            let solids = half.map(|half| Solid::sharp(Core::Cuboid { half }));
            let mut pose = RelativePose::of(&ReferenceFrame::new(
                Vec3::new(c[0], c[1], 0.0) * (half[0] + half[1]),
                from_rotation_vector(turn),
            ));
            // Lowered until they overlap slightly.
            let reach = pose.rotation.transpose().z_axis.abs().dot(half[1]);
            pose.translation.z = half[0].z + reach - 0.02 * (1.0 + c[2]);
            let pair = ConvexPair::new(&solids[0], &solids[1], pose);
            let margin = 0.03;
            let (mut known, start) = (ContactManifold::EMPTY, &mut { GjkStart::COLD });
            let Some(near) = pair.query(margin, start) else { return Ok(()) };
            let over_face = pair.contacts_at(&near, margin, start, &mut known);
            if !(1..=2).contains(&known.points().len()) {
                return Ok(());
            }
            let (mut boxes, mut any) = (known, known);
            box_face_contact(half, &pose, margin, 0.01, &mut boxes, |_| true);
            polytope_face_contact(&pair, margin, 0.01, &mut any, |_| true);
            let mut sooner = [known, known];
            let other = |normal: Vec3| !over_face || normal != known.normal;
            box_face_contact(half, &pose, margin, 0.01, &mut sooner[0], other);
            polytope_face_contact(&pair, margin, 0.01, &mut sooner[1], other);
            prop_assert_eq!(sooner, [boxes, any], "there is no more over the face of the contact");
            let nearest = known.deepest();
            let off = |found: &ContactManifold| (found.deepest() - nearest).abs();
            prop_assert!((off(&boxes) - off(&any)).abs() < 1e-14);
            if (boxes.normal - any.normal).length() > 1e-14 {
                // Either face is acceptable.
                return Ok(());
            }
            prop_assert_eq!(boxes.points().len(), any.points().len());
            for (p, q) in boxes.points().iter().zip(any.points()) {
                prop_assert_eq!(p.feature, q.feature);
                prop_assert!((p.on_a - q.on_a).length() < 1e-14 && (p.on_b - q.on_b).length() < 1e-14);
                prop_assert!((p.anchor_b - q.anchor_b).length() < 1e-14 && (p.distance - q.distance).abs() < 1e-14);
            }
        }
    }
}

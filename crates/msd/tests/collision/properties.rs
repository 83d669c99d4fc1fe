//! Laws every pair obeys, and that nothing a caller can pass makes the narrow phase fail.

#![allow(clippy::unwrap_used, reason = "a test that cannot build its scene has failed")]

use std::sync::Arc;

use msd::math::orientation::from_rotation_vector;
use msd::math::{ReferenceFrame, Vec3, scalar};
use msd::physics::collision::{ManifoldCache, distance, intersects, manifold, penetration};
use msd::physics::rigid_body::shape::{
    Capsule, Compound, CompoundPart, Cone, ConvexHull, Cuboid, Cylinder, Ellipsoid, Geometry, HalfSpace,
    Shape, Sphere, TaperedCapsule, TriangleMesh,
};
use proptest::prelude::*;

fn vector(limit: f64) -> impl Strategy<Value = Vec3> {
    (-limit..limit, -limit..limit, -limit..limit).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

fn frame(limit: f64) -> impl Strategy<Value = ReferenceFrame> {
    (vector(limit), vector(3.0)).prop_map(|(p, r)| ReferenceFrame::new(p, from_rotation_vector(r)))
}

fn convex() -> impl Strategy<Value = Shape> {
    let length = || 0.2..2.0_f64;
    prop_oneof![
        length().prop_map(|r| Sphere::new(r).unwrap().into()),
        (length(), length(), length()).prop_map(|(x, y, z)| Cuboid::new(Vec3::new(x, y, z)).unwrap().into()),
        (length(), length()).prop_map(|(r, l)| Capsule::new(r, l).unwrap().into()),
        (length(), length()).prop_map(|(r, l)| Cylinder::new(r, l).unwrap().into()),
        (length(), length()).prop_map(|(r, l)| Cone::new(r, l).unwrap().into()),
        (length(), length(), length())
            .prop_map(|(x, y, z)| Ellipsoid::new(Vec3::new(x, y, z)).unwrap().into()),
        (length(), length(), length())
            .prop_map(|(a, b, l)| TaperedCapsule::new(a, b, (a - b).abs() + l).unwrap().into()),
        prop::collection::vec(vector(1.0), 8..20)
            .prop_filter_map("flat", |p| ConvexHull::from_points(&p).ok().map(Shape::from)),
    ]
}

fn any_shape() -> impl Strategy<Value = Shape> {
    prop_oneof![
        6 => convex(),
        1 => vector(1.0).prop_filter_map("zero", |n| HalfSpace::new(n, 0.1).ok().map(Shape::from)),
        1 => (convex(), frame(1.0), convex(), frame(1.0)).prop_map(|(a, p, b, q)| {
            let parts = vec![CompoundPart { frame: p, shape: a }, CompoundPart { frame: q, shape: b }];
            Shape::Compound(Arc::new(Compound::new(parts).unwrap()))
        }),
        1 => Just(terrain(4)),
    ]
}

/// A flat square of `n × n` cells of 1 m, two triangles each, about the origin in z = 0.
fn terrain(n: u32) -> Shape {
    let half = f64::from(n) / 2.0;
    let mut vertices = Vec::new();
    let mut triangles = Vec::new();
    for j in 0..=n {
        for i in 0..=n {
            vertices.push(Vec3::new(f64::from(i) - half, f64::from(j) - half, 0.0));
        }
    }
    for j in 0..n {
        for i in 0..n {
            let k = j * (n + 1) + i;
            triangles.push([k, k + 1, k + n + 2]);
            triangles.push([k, k + n + 2, k + n + 1]);
        }
    }
    TriangleMesh::new(vertices, triangles).unwrap().into()
}

fn scaled(shape: &Shape, s: f64) -> Shape {
    match shape {
        Shape::Sphere(x) => Sphere::new(x.radius() * s).unwrap().into(),
        Shape::Box(x) => Cuboid::new(x.size() * s).unwrap().into(),
        Shape::Capsule(x) => Capsule::new(x.radius() * s, x.length() * s).unwrap().into(),
        Shape::Cylinder(x) => Cylinder::new(x.radius() * s, x.length() * s).unwrap().into(),
        Shape::Cone(x) => Cone::new(x.radius() * s, x.length() * s).unwrap().into(),
        Shape::Ellipsoid(x) => Ellipsoid::new(x.radii() * s).unwrap().into(),
        Shape::TaperedCapsule(x) => {
            TaperedCapsule::new(x.bottom_radius() * s, x.top_radius() * s, x.length() * s).unwrap().into()
        }
        Shape::Hull(x) => {
            let points: Vec<Vec3> = x.vertices().iter().map(|v| *v * s).collect();
            ConvexHull::from_points(&points).unwrap().into()
        }
        _ => unreachable!("only convex shapes are scaled"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn exchanging_the_shapes_negates_the_normal(a in any_shape(), b in any_shape(), p in frame(2.0), q in frame(2.0)) {
        let (ab, ba) = (distance(&a, &p, &b, &q), distance(&b, &q, &a, &p));
        prop_assert!(ab.signed == ba.signed);
        if ab.signed.is_finite() {
            prop_assert!((ab.normal + ba.normal).length() < 1e-12);
            prop_assert!((ab.witness_a - ba.witness_b).length() < 1e-12);
        }
    }

    #[test]
    fn exchanging_shapes_in_the_same_pose_negates_the_normal(a in any_shape(), b in any_shape(), p in frame(2.0)) {
        prop_assume!(a != b);
        let (ab, ba) = (distance(&a, &p, &b, &p), distance(&b, &p, &a, &p));
        prop_assert!(ab.signed == ba.signed && ab.normal == -ba.normal);
        prop_assert!(ab.witness_a == ba.witness_b && ab.witness_b == ba.witness_a);
    }

    #[test]
    fn a_rigid_motion_of_the_whole_changes_nothing(
        a in convex(), b in convex(), p in frame(2.0), q in frame(2.0), whole in frame(100.0)
    ) {
        let here = distance(&a, &p, &b, &q);
        let there = distance(&a, &whole.compose(&p), &b, &whole.compose(&q));
        prop_assert!((here.signed - there.signed).abs() < 1e-9, "{} {}", here.signed, there.signed);
    }

    #[test]
    fn distance_scales_with_the_shapes(
        a in convex(), b in convex(), p in frame(2.0), q in frame(2.0), exponent in -10..10_i32
    ) {
        let s = scalar::pow(2.0, f64::from(exponent));
        let here = distance(&a, &p, &b, &q);
        let at = |f: &ReferenceFrame| ReferenceFrame::new(f.position * s, f.orientation);
        let there = distance(&scaled(&a, s), &at(&p), &scaled(&b, s), &at(&q));
        prop_assert!((here.signed - there.signed / s).abs() < 1e-9, "{} {}", here.signed, there.signed / s);
    }

    #[test]
    fn moving_a_shape_changes_the_distance_by_no_more_than_the_move(
        a in convex(), b in convex(), p in frame(2.0), q in frame(2.0), step in vector(0.5)
    ) {
        let before = distance(&a, &p, &b, &q).signed;
        let after = distance(&a, &p, &b, &ReferenceFrame::new(q.position + step, q.orientation)).signed;
        prop_assert!((after - before).abs() <= step.length() + 1e-9, "{before} {after}");
    }

    #[test]
    fn moving_b_out_along_the_normal_separates(a in convex(), b in convex(), p in frame(1.0), q in frame(1.0)) {
        if let Some(hit) = penetration(&a, &p, &b, &q) {
            prop_assert!(intersects(&a, &p, &b, &q) || hit.penetration_depth < 1e-12);
            let out = ReferenceFrame::new(q.position + hit.normal * (hit.penetration_depth + 1e-9), q.orientation);
            prop_assert!(!intersects(&a, &p, &b, &out));
        }
    }

    #[test]
    fn a_pair_followed_from_step_to_step_answers_as_if_seen_for_the_first_time(
        a in convex(), b in convex(), p in frame(1.0), turn in vector(1.0), d in vector(1.0), step in vector(0.02)
    ) {
        // From apart to a little overlap and along.
        let Some(direction) = d.try_normalize() else { return Ok(()) };
        let orientation = from_rotation_vector(turn);
        let at = |t: f64| ReferenceFrame::new(p.position + direction * t, orientation);
        let (mut low, mut high) = (0.0, 8.0);
        for _ in 0..40 {
            let middle = 0.5 * (low + high);
            if distance(&a, &p, &b, &at(middle)).signed > -0.01 { high = middle } else { low = middle }
        }
        let mut cache = ManifoldCache::default();
        let mut pose = at(high);
        for _ in 0..8 {
            pose.position += step * 0.1;
            pose.orientation = from_rotation_vector(step * 0.2) * pose.orientation;
            let cold = manifold(&a, &p, &b, &pose, 0.01);
            let warm = cache.update(&a, &p, &b, &pose, 0.01);
            prop_assert!(warm.is_empty() == cold.is_empty());
            if let [warm] = warm {
                let (followed, sought) = (warm.manifold.deepest(), cold.deepest());
                // A shallow contact at a sharp corner may keep its side where another has become as good.
                let same_side = warm.manifold.normal.dot(cold.normal) > 0.99;
                prop_assert!(followed <= sought + 1e-8, "{followed} {sought}");
                prop_assert!((followed - sought).abs() < if same_side { 1e-8 } else { 0.03 }, "{followed} {sought}");
            }
        }
    }

    #[test]
    fn contact_points_lie_on_both_surfaces(a in convex(), b in convex(), p in frame(1.5), q in frame(1.5)) {
        for point in manifold(&a, &p, &b, &q, 0.05).points() {
            let off_b = b.signed_distance(q.point_to_local(point.on_b));
            let off_a = a.signed_distance(p.point_to_local(point.on_a));
            // A partner of a point far inside may lie inside the reference shape, never outside.
            prop_assert!(off_a <= 1e-6 && off_b <= 1e-6, "{off_a} {off_b}");
            prop_assert!((p.point_to_parent(point.anchor_a) - point.on_a).length() < 1e-9);
            prop_assert!((q.point_to_parent(point.anchor_b) - point.on_b).length() < 1e-9);
        }
    }

    #[test]
    fn arbitrary_finite_numbers_never_fail(
        sizes in prop::array::uniform6(prop_oneof![1e-300..1e-290_f64, 1e-40..1e-39_f64, 1e-6..1e-3_f64, 0.5..2.0_f64, 1e3..1e6_f64, 1e38..1e39_f64, 1e150..1e160_f64]),
        positions in prop::array::uniform6(prop_oneof![Just(0.0), -1e-300..1e-300_f64, -1.0..1.0_f64, -1e9..1e9_f64, -1e39..1e39_f64, -1e160..1e160_f64]),
        turns in prop::array::uniform6(prop_oneof![Just(0.0), -1e-9..1e-9_f64, -3.0..3.0_f64]),
        kinds in (0..7_usize, 0..7_usize),
        margin in prop_oneof![Just(0.0), 1e-12..1e-3_f64, 1.0..1e9_f64],
    ) {
        let make = |kind: usize, s: &[f64]| -> Option<Shape> {
            match kind {
                0 => Sphere::new(s[0]).ok().map(Shape::from),
                1 => Cuboid::new(Vec3::new(s[0], s[1], s[2])).ok().map(Shape::from),
                2 => Capsule::new(s[0], s[1]).ok().map(Shape::from),
                3 => Cylinder::new(s[0], s[1]).ok().map(Shape::from),
                4 => Ellipsoid::new(Vec3::new(s[0], s[1], s[2])).ok().map(Shape::from),
                5 => TaperedCapsule::new(s[0], s[1], s[2]).ok().map(Shape::from),
                _ => Cone::new(s[0], s[1]).ok().map(Shape::from),
            }
        };
        let pose = |p: &[f64], r: &[f64]| {
            ReferenceFrame::new(Vec3::from_slice(p), from_rotation_vector(Vec3::from_slice(r)))
        };
        if let (Some(a), Some(b)) = (make(kinds.0, &sizes[..3]), make(kinds.1, &sizes[3..])) {
            let (p, q) = (pose(&positions[..3], &turns[..3]), pose(&positions[3..], &turns[3..]));
            let found = distance(&a, &p, &b, &q);
            // Sixth powers of lengths must be representable for an answer; beyond, there is none, but no panic either.
            let sane = |x: f64| x == 0.0 || (1e-41..1e41).contains(&x.abs());
            if sizes.iter().chain(&positions).all(|x| sane(*x)) {
                prop_assert!((found.normal.length() - 1.0).abs() < 1e-9, "{found:?}");
                prop_assert!(found.signed.is_finite());
            }
            let _ = manifold(&a, &p, &b, &q, margin);
            let _ = intersects(&a, &p, &b, &q);
        }
    }
}

#[test]
fn tiny_rotations_of_stacked_cubes_keep_four_points_and_the_normal() {
    let cube: Shape = Cuboid::new(Vec3::ONE).unwrap().into();
    for exponent in -16..=-3 {
        let angle = scalar::pow(10.0, f64::from(exponent));
        for axis in [Vec3::X, Vec3::Y, Vec3::Z, Vec3::ONE, Vec3::new(1.0, -2.0, 0.5)] {
            let top = ReferenceFrame::new(Vec3::Z, from_rotation_vector(axis * angle));
            let found = distance(&cube, &ReferenceFrame::IDENTITY, &cube, &top);
            assert!(found.signed.abs() <= 3.0 * angle + 1e-12, "{angle} {axis}: {}", found.signed);
            assert!(found.normal.z > 0.99, "{angle} {axis}: {}", found.normal);
            let points = manifold(&cube, &ReferenceFrame::IDENTITY, &cube, &top, 0.01);
            assert!(points.points().len() >= 4, "{angle} {axis}: {}", points.points().len());
            assert!(points.normal.z > 0.99);
        }
    }
}

#[test]
fn equal_shapes_in_equal_poses_come_apart_along_their_shortest_way() {
    let shapes: [(Shape, f64); 9] = [
        (Sphere::new(0.5).unwrap().into(), 1.0),
        (Cuboid::new(Vec3::new(1.0, 2.0, 3.0)).unwrap().into(), 1.0),
        (Capsule::new(0.5, 1.0).unwrap().into(), 1.0),
        (Cylinder::new(0.5, 3.0).unwrap().into(), 1.0),
        // Across its axis the larger ball has the least width.
        (TaperedCapsule::new(0.5, 0.2, 1.0).unwrap().into(), 1.0),
        (Cylinder::new(2.0, 1.0).unwrap().into(), 1.0),
        (Ellipsoid::new(Vec3::new(1.0, 0.5, 2.0)).unwrap().into(), 1.0),
        (Ellipsoid::new(Vec3::new(2.0, 2.0, 0.5)).unwrap().into(), 1.0),
        (
            ConvexHull::from_points(&[Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z]).unwrap().into(),
            1.0 / 3.0_f64.sqrt(),
        ),
    ];
    for (shape, depth) in &shapes {
        let found = distance(shape, &ReferenceFrame::IDENTITY, shape, &ReferenceFrame::IDENTITY);
        assert!((found.signed + depth).abs() < 1e-9, "{shape:?}: {}", found.signed);
        assert!((found.normal.length() - 1.0).abs() < 1e-12);
    }
}

#[test]
fn contained_shapes_and_slivers_have_their_depth() {
    let large: Shape = Cuboid::new(Vec3::splat(10.0)).unwrap().into();
    let small: Shape = Cylinder::new(0.1, 0.2).unwrap().into();
    let found =
        distance(&large, &ReferenceFrame::IDENTITY, &small, &ReferenceFrame::from_position(Vec3::X * 4.0));
    assert!((found.signed + 1.1).abs() < 1e-9 && (found.normal - Vec3::X).length() < 1e-9, "{found:?}");
    // A plate of aspect 1e6 resting on a box, and crossing another plate.
    let plate: Shape = Cuboid::new(Vec3::new(1e3, 1e3, 1e-3)).unwrap().into();
    let found =
        distance(&large, &ReferenceFrame::IDENTITY, &plate, &ReferenceFrame::from_position(Vec3::Z * 5.0005));
    assert!(found.signed.abs() < 1e-9 && (found.normal - Vec3::Z).length() < 1e-9, "{found:?}");
    let upright =
        ReferenceFrame::from_orientation(from_rotation_vector(Vec3::X * std::f64::consts::FRAC_PI_2));
    let found = distance(&plate, &ReferenceFrame::IDENTITY, &plate, &upright);
    assert!((found.signed + 500.0005).abs() < 1e-6, "{found:?}");
}

#[test]
fn a_box_sliding_over_a_triangulated_floor_feels_no_inner_edge() {
    let floor = terrain(8);
    let cube: Shape = Cuboid::new(Vec3::splat(0.5)).unwrap().into();
    let mut cache = ManifoldCache::default();
    for step in 0..400 {
        let x = -3.0 + 0.015 * f64::from(step);
        for sink in [1e-3, 1e-6, 0.0, -1e-4] {
            let pose = ReferenceFrame::from_position(Vec3::new(x, 0.37 * x, 0.25 - sink));
            let found = cache.update(&floor, &ReferenceFrame::IDENTITY, &cube, &pose, 1e-3);
            assert!(!found.is_empty(), "{x} {sink}");
            for m in found {
                assert!((m.manifold.normal - Vec3::Z).length() < 1e-9, "{x} {sink}: {}", m.manifold.normal);
                assert!((m.manifold.deepest() + sink).abs() < 1e-9, "{x} {sink}: {}", m.manifold.deepest());
            }
        }
    }
}

/// Two slabs side by side, the seam along y at x = 0, the top at z = 0.
fn slabs(parts: &[Shape]) -> Shape {
    let place = |k: usize| Vec3::new(k as f64 * 2.0 - (parts.len() - 1) as f64, 0.0, -0.5);
    let part = |(k, shape): (usize, &Shape)| CompoundPart {
        frame: ReferenceFrame::from_position(place(k)),
        shape: shape.clone(),
    };
    Compound::new(parts.iter().enumerate().map(part).collect()).unwrap().into()
}

#[test]
fn a_body_sliding_over_the_seam_of_a_compound_feels_no_edge() {
    let slab: Shape = Cuboid::new(Vec3::new(2.0, 4.0, 1.0)).unwrap().into();
    let corners: Vec<Vec3> = (0..8_u8)
        .map(|k| {
            let sign = |bit: u8| if k & bit == 0 { -1.0 } else { 1.0 };
            Vec3::new(sign(1), 2.0 * sign(2), 0.5 * sign(4))
        })
        .collect();
    let hull: Shape = ConvexHull::from_points(&corners).unwrap().into();
    let cube: Shape = Cuboid::new(Vec3::splat(0.5)).unwrap().into();
    let ball: Shape = Sphere::new(0.25).unwrap().into();
    let can: Shape = Cylinder::new(0.25, 0.5).unwrap().into();
    for ground in
        [slabs(&[slab.clone(), slab.clone()]), slabs(&[hull.clone(), slab]), slabs(&[hull.clone(), hull])]
    {
        for body in [&cube, &ball, &can] {
            let mut cache = ManifoldCache::default();
            for step in 0..240 {
                let x = -0.6 + 0.005 * f64::from(step) + 1e-5;
                for sink in [2e-3, 1e-6, 0.0, -1e-4] {
                    let pose = ReferenceFrame::from_position(Vec3::new(x, 0.3 * x, 0.25 - sink));
                    for swapped in [false, true] {
                        let at = ReferenceFrame::IDENTITY;
                        let found = if swapped {
                            cache.update(body, &pose, &ground, &at, 1e-3)
                        } else {
                            cache.update(&ground, &at, body, &pose, 1e-3)
                        };
                        let up = if swapped { -Vec3::Z } else { Vec3::Z };
                        let deepest =
                            found.iter().fold(f64::INFINITY, |d, m| scalar::min(d, m.manifold.deepest()));
                        assert!(
                            (deepest + sink).abs() < 1e-9,
                            "{} at {x}, {sink}: {deepest}",
                            body.type_name()
                        );
                        for m in found {
                            let off = (m.manifold.normal - up).length();
                            assert!(off < 1e-9, "{} at {x}, {sink}: {}", body.type_name(), m.manifold.normal);
                        }
                        cache.clear();
                    }
                }
            }
        }
    }
}

#[test]
fn a_body_wholly_inside_a_closed_mesh_overlaps_it_and_is_led_out() {
    let corners: Vec<Vec3> = (0..8_u8)
        .map(|k| Vec3::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2)) * 2.0 - Vec3::ONE)
        .collect();
    let hull = ConvexHull::from_points(&corners).unwrap();
    let triangles = hull.faces().iter().flat_map(|face| {
        let loop_: Vec<u32> = hull.face_edges(face).iter().map(|e| e.origin).collect();
        (1..loop_.len() - 1).map(|k| [loop_[0], loop_[k], loop_[k + 1]]).collect::<Vec<_>>()
    });
    let block: Shape = TriangleMesh::new(hull.vertices().to_vec(), triangles.collect()).unwrap().into();
    let at = ReferenceFrame::IDENTITY;
    for body in [Cuboid::new(Vec3::splat(0.2)).unwrap().into(), Sphere::new(0.1).unwrap().into()] {
        let body: &Shape = &body;
        let pose = ReferenceFrame::from_position(Vec3::new(0.1, -0.2, 0.5));
        let found = distance(&block, &at, body, &pose);
        assert!((found.signed + 0.6).abs() < 1e-12 && (found.normal - Vec3::Z).length() < 1e-12, "{found:?}");
        assert!(intersects(&block, &at, body, &pose));
        let mut cache = ManifoldCache::default();
        let contacts = cache.update(body, &pose, &block, &at, 1e-3);
        assert_eq!(contacts.len(), 1);
        assert!((contacts[0].manifold.normal + Vec3::Z).length() < 1e-12);
        assert!((contacts[0].manifold.deepest() + 0.6).abs() < 1e-12);
        let outside = ReferenceFrame::from_position(Vec3::new(0.1, -0.2, 1.5));
        assert!((distance(&block, &at, body, &outside).signed - 0.4).abs() < 1e-12);
        assert!(cache.update(body, &outside, &block, &at, 1e-3).is_empty());
    }
}

/// Boards narrower than the overlap: the shortest way out of each is sideways, into the next.
#[test]
fn a_box_deep_in_a_floor_of_boards_is_pushed_up() {
    let board: Shape = Cuboid::new(Vec3::new(0.05, 2.0, 1.0)).unwrap().into();
    let part = |k: i32| CompoundPart {
        frame: ReferenceFrame::from_position(Vec3::new(0.05 * f64::from(k), 0.0, -0.5)),
        shape: board.clone(),
    };
    let floor: Shape = Compound::new((-20..=20).map(part).collect()).unwrap().into();
    let cube: Shape = Cuboid::new(Vec3::splat(0.5)).unwrap().into();
    let pose = ReferenceFrame::from_position(Vec3::new(0.013, 0.1, 0.15));
    let mut cache = ManifoldCache::default();
    let found = cache.update(&floor, &ReferenceFrame::IDENTITY, &cube, &pose, 1e-3);
    assert!(found.len() >= 10);
    for m in found {
        assert!((m.manifold.normal - Vec3::Z).length() < 1e-9, "{}", m.manifold.normal);
        assert!((m.manifold.deepest() + 0.1).abs() < 1e-9);
    }
}

/// The end of a row of parts is an edge like any other.
#[test]
fn a_compound_is_touched_sideways_where_nothing_covers_it() {
    let slab: Shape = Cuboid::new(Vec3::new(2.0, 4.0, 1.0)).unwrap().into();
    let ground = slabs(&[slab.clone(), slab]);
    let cube: Shape = Cuboid::new(Vec3::splat(0.5)).unwrap().into();
    let beside = ReferenceFrame::from_position(Vec3::new(2.249, 0.0, -0.3));
    let mut cache = ManifoldCache::default();
    let found = cache.update(&ground, &ReferenceFrame::IDENTITY, &cube, &beside, 1e-3);
    assert_eq!(found.len(), 1);
    assert!((found[0].manifold.normal - Vec3::X).length() < 1e-12);
    assert!((found[0].manifold.deepest() + 1e-3).abs() < 1e-12);
}

#[test]
fn a_standing_cylinder_has_a_stable_pattern_and_a_lying_one_two_points() {
    let floors: [(Shape, ReferenceFrame); 2] = [
        (HalfSpace::new(Vec3::Z, 0.0).unwrap().into(), ReferenceFrame::IDENTITY),
        (
            Cuboid::new(Vec3::new(10.0, 10.0, 1.0)).unwrap().into(),
            ReferenceFrame::from_position(Vec3::Z * -0.5),
        ),
    ];
    let cylinder: Shape = Cylinder::new(0.5, 2.0).unwrap().into();
    for (floor, at) in &floors {
        let standing = manifold(floor, at, &cylinder, &ReferenceFrame::from_position(Vec3::Z), 1e-3);
        assert_eq!(standing.points().len(), 8);
        for tilt in [1e-12, 1e-9, 1e-7] {
            let pose = ReferenceFrame::new(Vec3::Z, from_rotation_vector(Vec3::X * tilt));
            let leaning = manifold(floor, at, &cylinder, &pose, 1e-3);
            for p in leaning.points() {
                assert!(standing.points().iter().any(|q| q.on_b.distance(p.on_b) < 1e-5) || tilt > 1e-9);
            }
        }
        let lying =
            ReferenceFrame::new(Vec3::Z * 0.499, from_rotation_vector(Vec3::Y * std::f64::consts::FRAC_PI_2));
        let lying = manifold(floor, at, &cylinder, &lying, 1e-4);
        assert_eq!(lying.points().len(), 2, "{:?}", lying.points());
        assert!((lying.deepest() + 0.001).abs() < 1e-9);
    }
}

#[test]
fn compounds_answer_with_their_nearest_parts_and_number_them() {
    let part = |x: f64| CompoundPart {
        frame: ReferenceFrame::from_position(Vec3::X * x),
        shape: Sphere::new(0.5).unwrap().into(),
    };
    let dumbbell: Shape = Compound::new(vec![part(-2.0), part(2.0)]).unwrap().into();
    let floor: Shape = HalfSpace::new(Vec3::Z, 0.0).unwrap().into();
    let mut cache = ManifoldCache::default();
    let found = cache.update(
        &floor,
        &ReferenceFrame::IDENTITY,
        &dumbbell,
        &ReferenceFrame::from_position(Vec3::Z * 0.5),
        0.01,
    );
    assert_eq!(found.iter().map(|m| m.part_b).collect::<Vec<_>>(), [0, 1]);
    let box_: Shape = Cuboid::new(Vec3::ONE).unwrap().into();
    let near =
        distance(&dumbbell, &ReferenceFrame::IDENTITY, &box_, &ReferenceFrame::from_position(Vec3::X * 4.0));
    assert!((near.signed - 1.0).abs() < 1e-12 && (near.normal - Vec3::X).length() < 1e-12);
}

//! One test for each bug of collision detection that systems like this one have really had.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

use msd::math::orientation::from_rotation_vector;
use msd::math::{Quat, ReferenceFrame, Vec3, scalar};
use msd::physics::collision::{
    CollisionHandler, Gjk, GjkStart, GjkStatus, MinkowskiDifference, distance, manifold,
};
use msd::physics::rigid_body::shape::{
    Capsule, Compound, CompoundPart, Cone, ConvexHull, Cuboid, Cylinder, Geometry, Shape, Sphere,
    TriangleMesh,
};

fn cuboid(x: f64, y: f64, z: f64) -> Shape {
    Cuboid::new(Vec3::new(x, y, z)).expect("positive lengths").into()
}

fn at(x: f64, y: f64, z: f64) -> ReferenceFrame {
    ReferenceFrame::from_position(Vec3::new(x, y, z))
}

/// A translation added to a direction collapsed manifolds to one point.
#[test]
fn a_manifold_far_from_the_origin_has_all_its_points() {
    for far in [Vec3::ZERO, Vec3::new(100.0, -50.0, 20.0), Vec3::new(1e6, 1e6, -1e6)] {
        let (a, b) =
            (ReferenceFrame::from_position(far), ReferenceFrame::from_position(far + Vec3::Z * 0.99));
        let points = manifold(&cuboid(1.0, 1.0, 1.0), &a, &cuboid(1.0, 1.0, 1.0), &b, 0.0);
        assert_eq!(points.points().len(), 4);
        assert!((points.normal - Vec3::Z).length() < 1e-12);
    }
}

/// EPA asked at exactly zero depth returned 50 m for a 1 m cube on a 100 m floor.
#[test]
fn a_cube_on_a_100_m_floor_is_not_50_m_deep() {
    let (floor, cube) = (cuboid(100.0, 100.0, 100.0), cuboid(1.0, 1.0, 1.0));
    for gap in [0.0, 1e-12, -1e-12, 1e-9, -1e-9, 1e-6, -1e-6, 1e-3, -1e-3] {
        let found = distance(&floor, &at(0.0, 0.0, -50.0), &cube, &at(0.0, 0.0, 0.5 + gap));
        assert!((found.signed - gap).abs() < 1e-12, "{gap}: {}", found.signed);
        // GJK and EPA alone, without separating axes, stand it too.
        let block = Cuboid::new(Vec3::splat(100.0)).expect("positive");
        let small = Cuboid::new(Vec3::ONE).expect("positive");
        let hit = CollisionHandler::default().check_collision(
            &block,
            &at(0.0, 0.0, -50.0),
            &small,
            &at(0.0, 0.0, 0.5 + gap),
        );
        match hit {
            Some(hit) => {
                assert!((hit.penetration_depth + gap).abs() < 1e-9, "{gap}: {}", hit.penetration_depth)
            }
            None => assert!(gap >= 0.0),
        }
    }
}

/// EPA failed for cubes rotated by 1e-7 rad.
#[test]
fn cubes_turned_by_a_hair_are_as_deep_as_unturned_ones() {
    for angle in [1e-12, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6] {
        for axis in [Vec3::X, Vec3::Y, Vec3::Z, Vec3::ONE] {
            let pose = ReferenceFrame::new(Vec3::Z * 0.9, from_rotation_vector(axis * angle));
            let (a, b) =
                (Cuboid::new(Vec3::ONE).expect("positive"), Cuboid::new(Vec3::ONE).expect("positive"));
            let hit = CollisionHandler::default().check_collision(&a, &ReferenceFrame::IDENTITY, &b, &pose);
            let hit = hit.expect("they overlap");
            assert!((hit.penetration_depth - 0.1).abs() < 2.0 * angle + 1e-12, "{angle} {axis}: {hit:?}");
            let found = distance(&a.into(), &ReferenceFrame::IDENTITY, &b.into(), &pose);
            assert!((found.signed + 0.1).abs() < 2.0 * angle + 1e-12);
        }
    }
}

/// The contact point was taken in Minkowski space, the witnesses from the middle of a face.
#[test]
fn witness_points_are_on_the_bodies_where_they_touch() {
    // A small cube sunk into a corner of a large one: the middle of the face would be metres away.
    let found =
        distance(&cuboid(10.0, 10.0, 1.0), &at(0.0, 0.0, -0.5), &cuboid(0.2, 0.2, 0.2), &at(4.0, -4.0, 0.05));
    assert!((found.signed + 0.05).abs() < 1e-12);
    for (w, z) in [(found.witness_a, 0.0), (found.witness_b, -0.05)] {
        assert!((w.x - 4.0).abs() <= 0.1 && (w.y + 4.0).abs() <= 0.1 && (w.z - z).abs() < 1e-12, "{w}");
    }
}

/// One depth for all points: tilted boxes were corrected too far.
#[test]
fn every_point_has_its_own_distance() {
    let tilt = 0.02;
    let pose = ReferenceFrame::new(Vec3::Z * 0.5, from_rotation_vector(Vec3::Y * tilt));
    let points = manifold(&cuboid(10.0, 10.0, 1.0), &at(0.0, 0.0, -0.5), &cuboid(1.0, 1.0, 1.0), &pose, 0.02);
    assert_eq!(points.points().len(), 4);
    for p in points.points() {
        let height = 0.5 - 0.5 * scalar::cos(tilt) - p.anchor_b.x * scalar::sin(tilt);
        assert!((p.distance - height).abs() < 1e-12, "{} {height}", p.distance);
    }
}

/// The first four clipped points were kept.
#[test]
fn two_crossed_squares_touch_in_eight_points_and_four_are_chosen_by_area() {
    let pose = ReferenceFrame::new(Vec3::Z, from_rotation_vector(Vec3::Z * FRAC_PI_4));
    let points =
        manifold(&cuboid(1.0, 1.0, 1.0), &ReferenceFrame::IDENTITY, &cuboid(1.0, 1.0, 1.0), &pose, 0.01);
    assert_eq!(points.points().len(), 8);
    let four = points.reduced_to(4);
    let area: f64 = {
        let mut p: Vec<Vec3> = four.points().iter().map(|p| p.on_a).collect();
        p.sort_by(|a, b| scalar::atan2(a.y, a.x).total_cmp(&scalar::atan2(b.y, b.x)));
        (0..4).map(|k| 0.5 * (p[k].x * p[(k + 1) % 4].y - p[(k + 1) % 4].x * p[k].y)).sum()
    };
    // The octagon has 0.828 m²; four of its corners span at best 0.586 m² (a square).
    assert!(area > 0.5, "{area}");
}

/// A single point for parallel edges: no rocking, no rotation.
#[test]
fn a_cube_on_its_edge_rests_on_two_points() {
    let pose =
        ReferenceFrame::new(Vec3::Z * (0.5_f64.sqrt() - 1e-4), from_rotation_vector(Vec3::X * FRAC_PI_4));
    let points = manifold(&cuboid(10.0, 10.0, 1.0), &at(0.0, 0.0, -0.5), &cuboid(1.0, 1.0, 1.0), &pose, 1e-3);
    assert_eq!(points.points().len(), 2);
    assert!((points.points()[0].on_a.distance(points.points()[1].on_a) - 1.0).abs() < 1e-9);
}

/// Spheres made of triangles: an elastic swap gave 0.28 and 1.72 m/s.
#[test]
fn spheres_touch_along_the_line_of_their_centres_whatever_their_orientation() {
    let sphere: Shape = Sphere::new(0.5).expect("positive").into();
    for k in 0..20 {
        let direction = from_rotation_vector(Vec3::new(0.3, 0.5, 0.7) * f64::from(k)) * Vec3::X;
        let turn = from_rotation_vector(Vec3::new(1.0, 0.2, -0.4) * f64::from(k));
        let points = manifold(
            &sphere,
            &ReferenceFrame::from_orientation(turn),
            &sphere,
            &ReferenceFrame::new(direction * 0.999, turn * turn),
            0.0,
        );
        assert!((points.normal - direction).length() < 1e-15 * 10.0);
        assert!((points.deepest() + 0.001).abs() < 1e-15 * 10.0);
    }
}

/// GJK stopped on an unnormalised dot product: its accuracy depended on the unit of length.
#[test]
fn gjk_is_as_accurate_in_millimetres_as_in_kilometres() {
    for scale in [1e-6, 1e-3, 1.0, 1e3, 1e6] {
        let cube = Cuboid::new(Vec3::splat(scale)).expect("positive");
        let pose = ReferenceFrame::new(
            Vec3::new(2.0, 0.3, -0.1) * scale,
            from_rotation_vector(Vec3::new(FRAC_PI_2, FRAC_PI_4, 0.0)),
        );
        let difference = MinkowskiDifference::new(&cube, &ReferenceFrame::IDENTITY, &cube, &pose);
        let found = Gjk::default().distance(&difference, &GjkStart::COLD);
        let unit = Cuboid::new(Vec3::ONE).expect("positive");
        let unit_pose = ReferenceFrame::new(pose.position / scale, pose.orientation);
        let unit = MinkowskiDifference::new(&unit, &ReferenceFrame::IDENTITY, &unit, &unit_pose);
        let expected = Gjk::default().distance(&unit, &GjkStart::COLD);
        assert_eq!(found.status, GjkStatus::Separated);
        assert!((found.distance() / scale / expected.distance() - 1.0).abs() < 1e-12);
    }
}

/// A cone in its own place: the direction was refined, the points were left off the surface.
#[test]
fn witnesses_of_cones_in_one_place_are_on_their_surfaces() {
    for (radius, length) in [(0.001, 0.01), (1.0, 1.0), (0.3, 5.0), (2.0, 0.4)] {
        let cone: Shape = Cone::new(radius, length).expect("positive").into();
        let found = distance(&cone, &ReferenceFrame::IDENTITY, &cone, &ReferenceFrame::IDENTITY);
        let apart = found.witness_b - found.witness_a - found.normal * found.signed;
        assert!(apart.length() < 1e-12 * length, "{found:?}");
        for witness in [found.witness_a, found.witness_b] {
            let off = cone.signed_distance(witness).abs();
            assert!(off < 1e-9 * length, "{radius} {length}: {off} {found:?}");
        }
    }
}

/// Least overlap of a hull with itself along its face normals and edge cross products, the only candidates.
fn least_width(hull: &ConvexHull) -> f64 {
    let vertices = hull.vertices();
    let edge = |k: &u32| {
        let h = hull.half_edges()[*k as usize];
        vertices[h.origin as usize] - vertices[hull.half_edges()[h.twin as usize].origin as usize]
    };
    let edges: Vec<Vec3> = hull.edges().iter().map(edge).collect();
    let crossed = edges.iter().flat_map(|p| edges.iter().map(|q| p.cross(*q)));
    let directions = hull.faces().iter().map(|f| f.normal).chain(crossed);
    directions.filter_map(Vec3::try_normalize).fold(f64::INFINITY, |least, n| {
        let heights = || vertices.iter().map(|v| v.dot(n));
        let (low, high) =
            (heights().fold(f64::INFINITY, scalar::min), heights().fold(f64::NEG_INFINITY, scalar::max));
        scalar::min(least, high - low)
    })
}

/// A hull in its own place, with faces flat to 1e-10 beside each other: the deepest corner was over the neighbour of the
/// reference face, and the next one was taken for it.
#[test]
fn a_hull_in_its_own_place_overlaps_itself_by_its_least_width() {
    let hull = ConvexHull::from_points(&[
        Vec3::new(-0.16625, -0.11689453125, -0.11186479718140259),
        Vec3::new(-0.16625, 0.0415625, -0.11299804687500001),
        Vec3::new(-0.1246875, -0.0415625, 0.16625000000000076),
        Vec3::new(-0.083125, 0.08961914062500001, -2.91627832993413e-15),
        Vec3::new(0.08312500000000285, 0.1246875, 0.1662500000000034),
        Vec3::new(0.1246875, 7.740245342184506e-11, 0.0),
    ])
    .expect("a hull");
    let width = least_width(&hull);
    let hull: Shape = hull.into();
    let frame = ReferenceFrame::IDENTITY;
    let found = distance(&hull, &frame, &hull, &frame).signed;
    assert!((found + width).abs() < 1e-9, "{found} {width}");
    let contacts = manifold(&hull, &frame, &hull, &frame, 1e-3);
    assert!((contacts.deepest() + width).abs() < 1e-9, "{} {width}", contacts.deepest());
}

/// Hulls thinner than round-off in one place: the distance was zero, the witnesses half a metre apart.
#[test]
fn witnesses_of_flat_hulls_in_one_place_are_opposite_each_other() {
    let sheet: Shape = ConvexHull::from_points(&[
        Vec3::new(-0.93109375, 0.2525, -0.5049999999999742),
        Vec3::new(-0.5049999999999778, -1.6147083670148276e-14, 0.0),
        Vec3::ZERO,
        Vec3::new(0.505, 0.0, 0.0),
    ])
    .expect("a hull")
    .into();
    for offset in [Vec3::ZERO, Vec3::X * 0.1, Vec3::new(-0.1, 0.05, -0.1)] {
        let pose = ReferenceFrame::from_position(offset);
        let found = distance(&sheet, &ReferenceFrame::IDENTITY, &sheet, &pose);
        let apart = found.witness_b - found.witness_a - found.normal * found.signed;
        assert!(apart.length() < 1e-9, "{found:?}");
    }
}

/// A cone at a corner of a hull, where EPA cannot tell many directions apart: a place far outside the hull was taken for
/// a witness on it.
#[test]
fn witnesses_of_a_cone_on_the_corner_of_a_hull_are_on_the_hull() {
    let corners = [
        Vec3::new(0.0, -83.59375, 99.99999999999973),
        Vec3::ZERO,
        Vec3::new(65.76835131332113, -99.99999999999905, -75.0),
        Vec3::new(69.92868354637089, 61.71875, 0.0),
    ];
    let hull: Shape = ConvexHull::from_points(&corners).expect("a hull").into();
    let cone: Shape = Cone::new(0.29379035624746763, 0.54125).expect("positive").into();
    let found = distance(&cone, &ReferenceFrame::IDENTITY, &hull, &ReferenceFrame::IDENTITY);
    let off = [cone.signed_distance(found.witness_a), hull.signed_distance(found.witness_b)];
    assert!(off.iter().all(|off| off.abs() < 1e-5), "{off:?} {found:?}");
}

/// A pair pushed apart by its depth touches. The direction between touching shapes that GJK has after a few steps is
/// noise; from there Newton's method found a direction that is least among its neighbours but far from the least of all,
/// and reported an overlap twice as deep as the one before the push (found by the long run of the random pairs).
#[test]
fn a_cylinder_pushed_off_a_box_by_its_depth_touches_it() {
    let a = cuboid(79.89253798147523, 548.347176865437, 432.4489757415202);
    let pose_a = ReferenceFrame::new(
        Vec3::new(41.86334594875776, -112.10848111028741, 36.59771067931677),
        Quat::from_xyzw(0.8449881146010021, 0.46383067352213564, -0.21501295755941446, 0.15692552553552025),
    );
    let b: Shape = Cylinder::new(405.0775671617022, 211.64189460809357).unwrap().into();
    let pose_b = ReferenceFrame::new(
        Vec3::new(98.0374177997289, -408.24391969601896, 156.85604365630866),
        Quat::from_xyzw(0.5138895198362299, 0.5481813903725704, -0.6520185800858116, 0.10142236377923093),
    );
    let found = distance(&a, &pose_a, &b, &pose_b);
    assert!((found.signed + 78.677_481_172_222).abs() < 1e-9, "{found:?}");
    let moved = ReferenceFrame::new(pose_b.position - found.normal * found.signed, pose_b.orientation);
    let after = distance(&a, &pose_a, &b, &moved);
    assert!(after.signed.abs() < 1e-9, "{after:?}");
}

/// Two corners of this hull are 3e-15 m apart. The normals beside the edge between them are noise; separating axes took
/// its word for it and found the hull half a metre away from itself (found by fuzzing).
#[test]
fn a_hull_with_an_edge_of_round_off_overlaps_itself() {
    let points = [
        Vec3::new(-0.51, 0.25499999999998574, 0.5100000000000089),
        Vec3::new(-0.25499999999998835, 0.3825, -0.50203125),
        Vec3::ZERO,
        Vec3::new(2.8502558386406253e-15, 0.0, 0.0),
        Vec3::new(0.2550000000000002, 0.1275, 0.5100000000000087),
        Vec3::new(0.442265625, 0.474140625, -0.4872405476774916),
    ];
    let hull = ConvexHull::from_points(&points).unwrap();
    let width = least_width(&hull);
    let hull: Shape = hull.into();
    let found = distance(&hull, &ReferenceFrame::IDENTITY, &hull, &ReferenceFrame::IDENTITY);
    assert!((found.signed + width).abs() < 1e-12, "{} {width}", found.signed);
}

/// A flat cone through a long box. EPA ends on a chord of the rim, and its witness was off the box by 2e-7 of the size
/// (found by fuzzing); the one point in which the rim touches its supporting plane is exact.
#[test]
fn witnesses_of_a_flat_cone_in_a_box_are_on_both() {
    let cone: Shape = Cone::new(100.0, 0.6647070107425435).unwrap().into();
    let pose_a = ReferenceFrame::new(
        Vec3::new(1.9999999999999556, 0.0, -2.000000000000034),
        Quat::from_xyzw(-0.09319786424603545, -0.3996993465102457, 0.6559168763245058, 0.6335042555910443),
    );
    let beam = cuboid(0.51, 100.0, 0.3459375);
    let pose_b = at(-1.7963940711663944, 0.0, 0.0);
    let found = distance(&cone, &pose_a, &beam, &pose_b);
    let (on_a, on_b) = (pose_a.point_to_local(found.witness_a), pose_b.point_to_local(found.witness_b));
    assert!(cone.signed_distance(on_a).abs() < 1e-9, "{}", cone.signed_distance(on_a));
    assert!(beam.signed_distance(on_b).abs() < 1e-9, "{}", beam.signed_distance(on_b));
}

/// Two plates in one place but for 4e-15 m. Round-off ended GJK with a distance of 2e-15 m that nothing proved, and it was
/// believed: the plates overlap by their thickness (found by fuzzing).
#[test]
fn plates_in_one_place_but_for_round_off_overlap_by_their_thickness() {
    let plate = cuboid(0.5099999999999869, 0.010000000000007772, 0.14508769941817873);
    let turn = Quat::from_xyzw(0.0, 0.0, 0.9238795325112867, -0.3826834323650897);
    let pose_a = ReferenceFrame::new(Vec3::new(0.078125, 1.0000000000000244, -0.125), turn);
    let pose_b = ReferenceFrame::new(Vec3::new(0.07812500000000358, 1.0000000000000244, -0.125), turn);
    let found = distance(&plate, &pose_a, &plate, &pose_b);
    assert!((found.signed + 0.01).abs() < 1e-13, "{found:?}");
}

/// Parallel capsules in one place but for 1e-7 m: the cross product of their axes is no direction, and the one taken in its
/// place left the witnesses as far beside each other (found by fuzzing).
#[test]
fn witnesses_of_parallel_capsules_almost_in_one_place_are_opposite_each_other() {
    let (short, long) = (Capsule::new(0.1, 0.001).unwrap().into(), Capsule::new(0.1, 0.26).unwrap().into());
    let found = distance(&short, &ReferenceFrame::IDENTITY, &long, &at(-1.09375e-7, 0.0, 0.0));
    let apart = found.witness_b - found.witness_a - found.normal * found.signed;
    assert!(apart.length() < 1e-15, "{found:?}");
    assert!((found.signed + 0.2 - 1.09375e-7).abs() < 1e-15, "{found:?}");
}

/// Two edges that miss each other by a millimetre of 0.2 m: what is nearest is the corner at the end of one, and the normal
/// is along the way to it, not across both edges.
#[test]
fn edges_that_just_do_not_cross_touch_at_a_corner() {
    let a = cuboid(90.506_303_686_317_54, 29.663_440_383_712_583, 43.081_480_871_638_7);
    let b = cuboid(22.888_294_808_280_65, 32.959_788_210_381_28, 163.249_402_888_118_77);
    let frame = |p: [f64; 3], q: [f64; 4]| ReferenceFrame::new(Vec3::from_array(p), Quat::from_array(q));
    let pose_a = frame(
        [29.176_383_831_839_64, 15.341_846_946_732_966, 38.743_449_648_360_97],
        [
            -0.951_918_097_079_441_4,
            0.197_404_083_152_368_5,
            -0.068_684_220_866_814_49,
            0.223_977_771_690_287_54,
        ],
    );
    let pose_b = frame(
        [50.278_006_031_503_83, 18.543_346_913_707_303, -9.906_934_510_438_958],
        [0.869_936_071_288_507_1, 0.301_899_454_279_275_06, -0.377_217_342_635_161, 0.098_868_740_217_831_37],
    );
    let nearest = distance(&a, &pose_a, &b, &pose_b);
    let found = manifold(&a, &pose_a, &b, &pose_b, 0.5);
    assert_eq!(found.points().len(), 1);
    assert!((found.normal - nearest.normal).length() < 1e-9, "{} {}", found.normal, nearest.normal);
    let p = &found.points()[0];
    assert!((p.on_b - p.on_a - found.normal * p.distance).length() < 1e-9, "{p:?}");
}

/// The rim of a flat cone across an edge of a hull. EPA knew the depth to 1e-13 but the direction to 1e-9 rad, which moves
/// the support point along the rim by many times as much: the witness was 4e-6 m off the hull (found by the long run of
/// the random pairs).
#[test]
fn the_witness_of_a_flat_cone_on_the_edge_of_a_hull_is_on_both() {
    let cone: Shape = Cone::new(6.906540690220325, 2.9672787165626144).unwrap().into();
    let pose_a = ReferenceFrame::new(
        Vec3::new(0.3657633467005217, -2.5240157639570966, 0.5552085550639853),
        Quat::from_xyzw(-0.049082164499138076, 0.9047456423522576, 0.40995119601975527, 0.10472001076514696),
    );
    let points = [
        Vec3::new(-12.4040056666543, -0.6141036724889876, 0.5004879941159451),
        Vec3::new(-11.325282541211712, -0.8247531893602724, 0.37409474775130797),
        Vec3::new(-9.676277488321887, -1.2807508274357762, 0.6331013558711608),
        Vec3::new(-7.980465446127506, 1.974425360547824, -0.07513218508256927),
        Vec3::new(-5.706699624856498, 0.05001205944361907, -0.7138936021556617),
        Vec3::new(-4.660409808704537, 2.115784040853454, 0.41142867458742927),
        Vec3::new(-3.1572674261511318, 0.6014541773788883, 1.258332627267605),
        Vec3::new(-1.7870451503468856, 0.9535059741201035, -0.12322837716855416),
        Vec3::new(1.2068045025696759, 0.6293720626404667, 1.450705174318964),
        Vec3::new(4.515781214758828, -1.7419340485065145, -0.347862610754884),
        Vec3::new(9.90606671781792, 0.2850735734742216, 0.9339984886931914),
    ];
    let hull: Shape = ConvexHull::from_points(&points).unwrap().into();
    let pose_b = ReferenceFrame::new(
        Vec3::new(-0.04510081842299518, -4.62744938265698, 0.8522002500235641),
        Quat::from_xyzw(0.7165656769276896, 0.12931253989836797, -0.012623439414539923, 0.6853120066448146),
    );
    let found = distance(&cone, &pose_a, &hull, &pose_b);
    assert!((found.signed + 2.757_150_018_274).abs() < 1e-9, "{found:?}");
    let (on_a, on_b) = (pose_a.point_to_local(found.witness_a), pose_b.point_to_local(found.witness_b));
    assert!(cone.signed_distance(on_a).abs() < 1e-9, "{}", cone.signed_distance(on_a));
    assert!(hull.signed_distance(on_b).abs() < 1e-9, "{}", hull.signed_distance(on_b));
}

/// GJK ended with its bounds apart, and the upper one was the answer: a distance 1.1e-6 m larger than what the supporting
/// planes prove (found by the long run of the random pairs).
#[test]
fn the_distance_of_a_cylinder_and_a_cone_is_what_their_planes_prove() {
    let cylinder: Shape = Cylinder::new(1.8583933986195418, 1.5057859530189017).unwrap().into();
    let pose_a = ReferenceFrame::new(
        Vec3::new(-0.18281113549237699, 0.3735235746516452, -0.5119880516601064),
        Quat::from_xyzw(-0.2596690101888194, -0.656263255614385, -0.464949024232746, 0.5345212337624992),
    );
    let cone: Shape = Cone::new(1.9596026949111662, 0.8935793653813614).unwrap().into();
    let pose_b = ReferenceFrame::new(
        Vec3::new(2.1491127401670087, 2.3836751129411446, 1.4105058749921224),
        Quat::from_xyzw(0.546658905971463, 0.141824752277649, -0.43168962952978357, 0.7033447546686509),
    );
    let found = distance(&cylinder, &pose_a, &cone, &pose_b);
    let n = found.normal;
    let reach = |shape: &Shape, pose: &ReferenceFrame, d: Vec3| {
        d.dot(pose.point_to_parent(shape.support(pose.direction_to_local(d)).unwrap()))
    };
    let gap = -reach(&cylinder, &pose_a, n) - reach(&cone, &pose_b, -n);
    assert!((found.signed - gap).abs() < 1e-12, "{} {gap}", found.signed);
}

/// Parallel segments in one place leave an offset of round-off along themselves; they are parted sideways.
#[test]
fn capsules_inside_each_other_are_parted_across() {
    let turns = [Quat::IDENTITY, from_rotation_vector(Vec3::new(0.3, -1.1, 0.7))];
    for turn in turns {
        for (position, long, short) in
            [(Vec3::ZERO, 0.01, 0.001), (Vec3::new(3.1, -0.7, 12.3), 0.01, 0.001), (Vec3::X, 2.0, 0.3)]
        {
            for shift in [0.0, 1e-17, 0.4 * (long - short)] {
                let pose_a = ReferenceFrame::new(position, turn);
                let pose_b = ReferenceFrame::new(position + turn * (Vec3::Z * shift), turn);
                let (a, b): (Shape, Shape) =
                    (Capsule::new(0.01, long).unwrap().into(), Capsule::new(0.01, short).unwrap().into());
                let found = distance(&a, &pose_a, &b, &pose_b);
                assert!((found.signed + 0.02).abs() < 1e-12, "{found:?}");
                assert!(found.normal.dot(turn * Vec3::Z).abs() < 1e-9, "{found:?}");
                for (shape, pose, witness) in [(&a, &pose_a, found.witness_a), (&b, &pose_b, found.witness_b)]
                {
                    let off = shape.signed_distance(pose.point_to_local(witness));
                    assert!(off.abs() < 1e-12, "{off:e}: {found:?}");
                }
                let back = distance(&b, &pose_b, &a, &pose_a);
                assert_eq!((back.witness_b, back.normal), (found.witness_a, -found.normal));
            }
        }
    }
}

/// A part of a compound that was as near as the nearest part was left out by round-off: an infinite distance.
#[test]
fn the_distance_of_a_compound_of_one_part_is_that_of_the_part() {
    let capsule: Shape = Capsule::new(0.1, 0.35375).unwrap().into();
    for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
        for place in [-1.5427905417507135, -2.0, 1.7, 2.1, 3.0] {
            let sphere: Shape = Sphere::new(1.0099999999999718).unwrap().into();
            let frame = ReferenceFrame::from_position(axis * place);
            let expected = distance(&capsule, &ReferenceFrame::IDENTITY, &sphere, &frame);
            let compound = Compound::new(vec![CompoundPart { frame, shape: sphere }]).unwrap();
            let found =
                distance(&capsule, &ReferenceFrame::IDENTITY, &compound.into(), &ReferenceFrame::IDENTITY);
            assert!((found.signed - expected.signed).abs() < 1e-14, "{axis} {place}: {found:?}");
        }
    }
}

/// Of a needle along the axis of a cone all directions across are nearly equal: EPA ran out of storage 1.3° off, 1.2e-4 m too deep.
#[test]
fn a_needle_in_a_cone_is_parted_across_its_face() {
    let cone: Shape = Cone::new(10.0, 10.0).unwrap().into();
    let turns = [Quat::IDENTITY, from_rotation_vector(Vec3::new(0.3, -1.1, 0.7)), Quat::from_rotation_z(0.4)];
    for turn in turns {
        let pose = ReferenceFrame::new(Vec3::new(0.4, -0.2, 3.0), turn);
        for (thick, wide) in [(0.01, 0.01), (0.01, 0.03), (0.002, 0.05)] {
            let needle = cuboid(thick, wide, 1000.0);
            for found in [distance(&cone, &pose, &needle, &pose), distance(&needle, &pose, &cone, &pose)] {
                assert!((found.signed + 10.0 + 0.5 * thick).abs() < 1e-9, "{thick} {wide}: {found:?}");
                let along = (turn.conjugate() * found.normal).abs();
                assert!((along - Vec3::X).length() < 1e-9 || thick == wide, "{found:?}");
            }
        }
    }
}

/// A triangle through the axis of a cylinder, longer than wide: the witness point was on a chord, 2e-5 m off the surface.
#[test]
fn the_witness_on_the_side_of_a_cylinder_is_on_it() {
    let cylinder: Shape = Cylinder::new(0.001, 0.8146875).unwrap().into();
    let corners = vec![
        Vec3::new(1.0957901253050295e-16, 2.555050520902549e-7, 0.0),
        Vec3::X * 0.088125,
        Vec3::Y * 0.088125,
        Vec3::Z * 0.088125,
    ];
    let faces = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let mesh: Shape = TriangleMesh::new(corners, faces).unwrap().into();
    let at = ReferenceFrame::IDENTITY;
    let found = distance(&cylinder, &at, &mesh, &at);
    let off = cylinder.signed_distance(found.witness_a);
    assert!(off.abs() < 1e-9, "{off:e}: {found:?}");
}

/// The axis of a capsule in the plane of a triangle, beside its edge by less than is resolved: the witness points were as far from opposite
/// each other.
#[test]
fn witnesses_of_a_capsule_in_the_plane_of_a_triangle_are_opposite_each_other() {
    let capsule: Shape = Capsule::new(0.01, 0.1).unwrap().into();
    for beside in [0.0, 1e-12, 6.795832409930026e-10, 1e-8] {
        let corners = vec![Vec3::X * beside, Vec3::X * 0.26, Vec3::Y * 0.26, Vec3::Z * 0.26];
        let faces = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
        let mesh: Shape = TriangleMesh::new(corners, faces).unwrap().into();
        let at = ReferenceFrame::IDENTITY;
        let found = distance(&capsule, &at, &mesh, &at);
        let missed = found.witness_b - found.witness_a - found.normal * found.signed;
        assert!(missed.length() < 1e-12, "{beside:e}: {:e} {found:?}", missed.length());
    }
}

/// A box that slides from one plank onto the next: its edge passes that of the next plank by less than is resolved. The witness points were
/// at the far edge of its side, half a metre from the plank.
#[test]
fn witnesses_of_boxes_whose_edges_nearly_touch_are_on_both() {
    let (plank, cube) = (cuboid(0.9, 4.0, 0.5), cuboid(0.5, 0.5, 0.5));
    for turn in [Vec3::ZERO, Vec3::new(0.3, -0.7, 1.1), Vec3::new(2.0, 0.4, -0.2)] {
        let turn = from_rotation_vector(turn);
        for beside in [1e-12, 2e-11, 6e-11, 1e-9, 1e-7] {
            for above in [-1e-9, -1e-11, 0.0, 1e-12, 1e-11, 2e-11, 1e-9] {
                let on_plank = ReferenceFrame::new(turn * Vec3::new(1.2, 0.0, -0.25), turn);
                let on_cube = ReferenceFrame::new(turn * Vec3::new(0.5 - beside, 0.265, 0.25 + above), turn);
                let found = distance(&plank, &on_plank, &cube, &on_cube);
                let off_a = plank.signed_distance(on_plank.point_to_local(found.witness_a));
                let off_b = cube.signed_distance(on_cube.point_to_local(found.witness_b));
                let close = scalar::max(off_a.abs(), off_b.abs()) < 1e-9;
                assert!(close, "{beside:e} {above:e}: {off_a:e} {off_b:e} {found:?}");
                let missed = found.witness_b - found.witness_a - found.normal * found.signed;
                assert!(missed.length() < 1e-12, "{beside:e} {above:e}: {missed}");
            }
        }
    }
}

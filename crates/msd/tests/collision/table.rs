//! The collision results, row by row: distance, normal and points of pairs of simple shapes, with tolerances.

use msd::math::orientation::from_rotation_vector;
use msd::math::{Quat, ReferenceFrame, Vec3, scalar};
use msd::physics::collision::{ManifoldCache, distance, manifold, penetration};
use msd::physics::rigid_body::shape::{Capsule, ConvexHull, Cuboid, Cylinder, HalfSpace, Shape, Sphere};

fn cube(edge: f64) -> Shape {
    cuboid(edge, edge, edge)
}

fn cuboid(x: f64, y: f64, z: f64) -> Shape {
    Cuboid::new(Vec3::new(x, y, z)).expect("positive lengths").into()
}

fn hull_cube(edge: f64) -> Shape {
    let h = 0.5 * edge;
    let corners: Vec<Vec3> = (0..8)
        .map(|k| {
            Vec3::new(
                if k & 1 == 0 { -h } else { h },
                if k & 2 == 0 { -h } else { h },
                if k & 4 == 0 { -h } else { h },
            )
        })
        .collect();
    ConvexHull::from_points(&corners).expect("a cube").into()
}

fn at(x: f64, y: f64, z: f64) -> ReferenceFrame {
    ReferenceFrame::from_position(Vec3::new(x, y, z))
}

fn turned(position: Vec3, rotation: Vec3) -> ReferenceFrame {
    ReferenceFrame::new(position, from_rotation_vector(rotation))
}

#[test]
fn unit_cubes_overlapping_0_2_along_an_axis_are_0_2_deep_along_it() {
    for (make, name) in [(cube as fn(f64) -> Shape, "box"), (hull_cube, "hull")] {
        for axis in [Vec3::X, Vec3::Y, Vec3::Z, -Vec3::X, -Vec3::Y, -Vec3::Z] {
            let hit = penetration(
                &make(1.0),
                &at(0.0, 0.0, 0.0),
                &make(1.0),
                &ReferenceFrame::from_position(axis * 0.8),
            )
            .unwrap();
            assert!((hit.penetration_depth - 0.2).abs() < 1e-9, "{name} {axis}: {}", hit.penetration_depth);
            assert!((hit.normal - axis).length() < 1e-9, "{name} {axis}: {}", hit.normal);
            let across = hit.contact_point_a - hit.contact_point_b - hit.normal * 0.2;
            assert!(across.length() < 1e-9, "{name} {axis}: {across}");
        }
    }
}

#[test]
fn cubes_of_1_and_2_at_1_2_are_0_3_deep() {
    for a in [cube(1.0), hull_cube(1.0)] {
        let hit = penetration(&a, &at(0.0, 0.0, 0.0), &cube(2.0), &at(1.2, 0.0, 0.0)).unwrap();
        assert!((hit.penetration_depth - 0.3).abs() < 1e-9 && (hit.normal - Vec3::X).length() < 1e-9);
    }
}

#[test]
fn signed_distance_is_right_through_zero() {
    let steps = [1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 0.0];
    let shapes = [
        ("box", cube(1.0)),
        ("hull", hull_cube(1.0)),
        ("cylinder", Cylinder::new(0.5, 1.0).unwrap().into()),
        ("sphere", Sphere::new(0.5).unwrap().into()),
        ("capsule", Capsule::new(0.25, 0.5).unwrap().into()),
    ];
    for (name_a, a) in &shapes {
        for (name_b, b) in &shapes {
            for gap in steps.iter().flat_map(|s| [*s, -*s]).chain([-0.01]) {
                let found = distance(a, &at(0.0, 0.0, 0.0), b, &at(0.0, 0.0, 1.0 + gap));
                assert!((found.signed - gap).abs() < 1e-9, "{name_a}-{name_b} {gap}: {}", found.signed);
                assert!(
                    (found.normal - Vec3::Z).length() < 1e-6,
                    "{name_a}-{name_b} {gap}: {}",
                    found.normal
                );
                let points = manifold(a, &at(0.0, 0.0, 0.0), b, &at(0.0, 0.0, 1.0 + gap), 0.02);
                assert!(!points.is_empty(), "{name_a}-{name_b} {gap}");
                assert!(
                    (points.normal - Vec3::Z).length() < 1e-6,
                    "{name_a}-{name_b} {gap}: {}",
                    points.normal
                );
                assert!(
                    (points.deepest() - gap).abs() < 1e-9,
                    "{name_a}-{name_b} {gap}: {:?}",
                    points.points()
                );
            }
        }
    }
}

#[test]
fn a_pair_far_from_the_origin_is_the_same_pair() {
    let near = distance(&cube(1.0), &at(0.0, 0.0, 0.0), &cube(1.0), &at(0.8, 0.1, 0.2));
    for (far, tolerance) in
        [(Vec3::new(1000.0, 2000.0, 3000.0), 1e-9), (Vec3::X * 7e6, 1e-8), (Vec3::new(1e6, -1e6, 1e6), 1e-8)]
    {
        let (a, b) = (
            ReferenceFrame::from_position(far),
            ReferenceFrame::from_position(far + Vec3::new(0.8, 0.1, 0.2)),
        );
        let found = distance(&cube(1.0), &a, &cube(1.0), &b);
        assert!((found.signed - near.signed).abs() < tolerance, "{far}: {}", found.signed);
        assert!((found.normal - near.normal).length() < tolerance);
        assert!((found.witness_a - far - near.witness_a).length() < tolerance);
    }
}

#[test]
fn a_cube_touching_a_large_floor_has_depth_zero_and_normal_up() {
    let floor = cuboid(100.0, 100.0, 1.0);
    for cube in [cube(1.0), hull_cube(1.0)] {
        for turn in [0.0, 1e-9, 1e-7, 1e-5, 1e-3, 0.3] {
            for lift in [0.0, 1e-12, -1e-12, 1e-9, -1e-9] {
                let pose = turned(Vec3::new(3.0, -2.0, 0.5 + lift), Vec3::Z * turn);
                let found = distance(&floor, &at(0.0, 0.0, -0.5), &cube, &pose);
                assert!((found.signed - lift).abs() < 1e-9, "turn {turn} lift {lift}: {}", found.signed);
                assert!(
                    (found.normal - Vec3::Z).length() < 1e-9,
                    "turn {turn} lift {lift}: {}",
                    found.normal
                );
                let points = manifold(&floor, &at(0.0, 0.0, -0.5), &cube, &pose, 1e-3);
                assert_eq!(points.points().len(), 4, "turn {turn} lift {lift}");
            }
        }
    }
}

#[test]
fn a_cube_0_05_deep_in_a_floor_has_four_corners_0_05_deep() {
    let floors: [(Shape, ReferenceFrame); 2] = [
        (cuboid(100.0, 100.0, 1.0), at(0.0, 0.0, -0.5)),
        (HalfSpace::new(Vec3::Z, 0.0).unwrap().into(), ReferenceFrame::IDENTITY),
    ];
    for (floor, pose) in &floors {
        for cube in [cube(1.0), hull_cube(1.0)] {
            let points = manifold(floor, pose, &cube, &at(2.0, 3.0, 0.45), 0.01);
            assert_eq!(points.points().len(), 4);
            assert!((points.normal - Vec3::Z).length() < 1e-9);
            let mut corners: Vec<_> = points.points().iter().map(|p| (p.on_b.x, p.on_b.y)).collect();
            corners.sort_by(|a, b| a.partial_cmp(b).unwrap());
            for ((x, y), (ex, ey)) in corners.iter().zip([(1.5, 2.5), (1.5, 3.5), (2.5, 2.5), (2.5, 3.5)]) {
                assert!((x - ex).abs() < 1e-9 && (y - ey).abs() < 1e-9);
            }
            for p in points.points() {
                assert!((p.distance + 0.05).abs() < 1e-9);
                assert!(p.on_a.z.abs() < 1e-9 && (p.on_b.z + 0.05).abs() < 1e-9);
            }
        }
    }
}

/// A rotation that takes the body diagonal (1, 1, 1) to -z: corner down.
fn corner_down() -> Quat {
    Quat::from_rotation_arc(Vec3::ONE.normalize(), -Vec3::Z)
}

#[test]
fn a_corner_in_a_face_has_the_face_normal_and_one_point() {
    let height = 0.5 * 3.0_f64.sqrt();
    for cube in [cube(1.0), hull_cube(1.0)] {
        for depth in [1e-9, 1e-6, 1e-3, 0.05] {
            let pose = ReferenceFrame::new(Vec3::new(0.3, 0.2, height - depth), corner_down());
            let points = manifold(&cuboid(10.0, 10.0, 1.0), &at(0.0, 0.0, -0.5), &cube, &pose, 1e-4);
            assert!((points.normal - Vec3::Z).length() < 1e-9);
            assert!((points.deepest() + depth).abs() < 1e-9);
            assert_eq!(points.points().len(), 1);
            assert!((points.points()[0].on_b - Vec3::new(0.3, 0.2, -depth)).length() < 1e-9);
        }
    }
}

#[test]
fn crossed_edges_touch_in_one_point_across_both() {
    // One edge along x on top of A, one along y at the bottom of B.
    let up = ReferenceFrame::from_orientation(from_rotation_vector(Vec3::X * std::f64::consts::FRAC_PI_4));
    let half_diagonal = 0.5 * 2.0_f64.sqrt();
    for (a, b) in [(cube(1.0), cube(1.0)), (hull_cube(1.0), cube(1.0)), (hull_cube(1.0), hull_cube(1.0))] {
        for gap in [-0.05, -1e-6, 0.0, 1e-6, 5e-3] {
            let down = turned(
                Vec3::new(0.1, 0.05, 2.0 * half_diagonal + gap),
                Vec3::Y * std::f64::consts::FRAC_PI_4,
            );
            let points = manifold(&a, &up, &b, &down, 0.01);
            assert!((points.normal - Vec3::Z).length() < 1e-9, "{gap}: {}", points.normal);
            assert_eq!(points.points().len(), 1, "{gap}");
            let p = points.points()[0];
            assert!((p.distance - gap).abs() < 1e-9);
            assert!((p.on_a - Vec3::new(0.1, 0.0, half_diagonal)).length() < 0.06);
            assert!((p.on_b - p.on_a - points.normal * gap).length() < 1e-9);
        }
    }
}

#[test]
fn parallel_edges_touch_in_two_points() {
    let quarter = Vec3::Y * std::f64::consts::FRAC_PI_4;
    let half_diagonal = 0.5 * 2.0_f64.sqrt();
    for b in [cube(1.0), hull_cube(1.0)] {
        // An edge down on a floor.
        let pose = turned(Vec3::new(0.0, 0.0, half_diagonal - 0.001), quarter);
        let points = manifold(&cuboid(10.0, 10.0, 1.0), &at(0.0, 0.0, -0.5), &b, &pose, 1e-3);
        assert_eq!(points.points().len(), 2);
        assert!((points.points()[0].on_a.y - points.points()[1].on_a.y).abs() > 1.0 - 1e-9);
        // An edge on an edge, still apart.
        let pose = turned(Vec3::new(0.0, 0.3, 2.0 * half_diagonal + 0.001), quarter);
        let points = manifold(&cube(1.0), &turned(Vec3::ZERO, quarter), &b, &pose, 0.01);
        assert_eq!(points.points().len(), 2);
        assert!((points.normal - Vec3::Z).length() < 1e-9);
        let apart = points.points()[0].on_a.distance(points.points()[1].on_a);
        assert!((apart - 0.7).abs() < 1e-9);
    }
}

#[test]
fn exchanging_a_and_b_negates_the_normal_and_swaps_the_points() {
    let shapes = [
        cube(1.0),
        hull_cube(0.9),
        Sphere::new(0.5).unwrap().into(),
        Capsule::new(0.3, 0.6).unwrap().into(),
        Cylinder::new(0.4, 1.0).unwrap().into(),
        HalfSpace::new(Vec3::Z, 0.1).unwrap().into(),
    ];
    for a in &shapes {
        for b in &shapes {
            for (k, offset) in [0.3, 0.7, 0.99, 1.3].into_iter().enumerate() {
                let pose_a = turned(Vec3::new(0.1, 0.2, 0.3), Vec3::new(0.1, -0.2, 0.3) * k as f64);
                let pose_b = turned(Vec3::new(0.2, 0.1, 0.3 + offset), Vec3::new(-0.3, 0.1, 0.2) * k as f64);
                let (ab, ba) = (distance(a, &pose_a, b, &pose_b), distance(b, &pose_b, a, &pose_a));
                assert_eq!(ab.signed, ba.signed);
                if ab.signed.is_finite() {
                    assert!((ab.normal + ba.normal).length() <= 1e-12);
                    assert!((ab.witness_a - ba.witness_b).length() <= 1e-12);
                }
                let (ab, ba) =
                    (manifold(a, &pose_a, b, &pose_b, 0.05), manifold(b, &pose_b, a, &pose_a, 0.05));
                assert_eq!(ab.points().len(), ba.points().len());
                for (p, q) in ab.points().iter().zip(ba.points()) {
                    assert!((p.on_a - q.on_b).length() <= 1e-12 && (p.on_b - q.on_a).length() <= 1e-12);
                    assert!((p.distance - q.distance).abs() <= 1e-12);
                }
            }
        }
    }
}

#[test]
fn a_pair_at_rest_keeps_its_points_and_their_impulses() {
    let (floor, cube) = (cuboid(10.0, 10.0, 1.0), cube(1.0));
    let mut cache = ManifoldCache::default();
    cache.update(&floor, &at(0.0, 0.0, -0.5), &cube, &at(0.0, 0.0, 0.5), 1e-2);
    for (k, impulse) in cache.manifolds_mut()[0].impulses.iter_mut().take(4).enumerate() {
        impulse.normal = 1.0 + k as f64;
    }
    // A sub-margin move is recycled, a larger one rebuilt; both keep the impulses.
    for shift in [1e-6, 3e-3] {
        let found = cache.update(&floor, &at(0.0, 0.0, -0.5), &cube, &at(shift, 0.0, 0.5 - shift), 1e-2);
        assert_eq!(found[0].manifold.points().len(), 4);
        for (k, p) in found[0].manifold.points().iter().enumerate() {
            assert!((p.distance + shift).abs() < 1e-12, "{shift}: {}", p.distance);
            assert_eq!(found[0].impulses[k].normal, 1.0 + k as f64);
        }
    }
}

/// Rims, sides and ends of cylinders that touch exactly, apart and overlapping by a hair: the normal is that of the
/// features, known by construction, not that of a search that ends in round-off.
#[test]
fn touching_cylinders_have_the_normals_of_their_features() {
    let can: Shape = Cylinder::new(0.5, 2.0).expect("positive").into();
    let cube: Shape = Cuboid::new(Vec3::splat(2.0)).expect("positive").into();
    let lying = |turn: Vec3| from_rotation_vector(turn * std::f64::consts::FRAC_PI_2);
    let tilted = from_rotation_vector(Vec3::Y * 0.6);
    // The lowest point of the rim of the tilted cylinder below its centre.
    let (sin, cos) = (scalar::sin(0.6), scalar::cos(0.6));
    let low = cos + 0.5 * sin;
    for gap in [0.0, 1e-12, -1e-12, 1e-9, -1e-9, 1e-6] {
        for (first, second, at, normal) in [
            (&can, &can, ReferenceFrame::new(Vec3::X * (1.0 + gap), lying(Vec3::X)), Vec3::X),
            (&can, &can, ReferenceFrame::new(Vec3::Z * (1.0 + low + gap), tilted), Vec3::Z),
            (&cube, &can, ReferenceFrame::new(Vec3::Z * (1.0 + low + gap), tilted), Vec3::Z),
            (&cube, &can, ReferenceFrame::new(Vec3::new(0.3, 0.2, 1.5 + gap), lying(Vec3::Y)), Vec3::Z),
            (&cube, &can, ReferenceFrame::from_position(Vec3::new(0.2, -0.1, 2.0 + gap)), Vec3::Z),
        ] {
            let found = distance(first, &ReferenceFrame::IDENTITY, second, &at);
            assert!((found.signed - gap).abs() < 1e-14, "{gap}: {found:?}");
            assert!((found.normal - normal).length() < 1e-7, "{gap}: {found:?}");
        }
    }
}

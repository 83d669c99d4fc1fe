//! Convex hulls: properties of every cloud, and clouds of earlier failures.

use msd::math::orientation::from_rotation_vector;
use msd::math::{Quat, Vec3, scalar};
use msd::physics::rigid_body::shape::{Convex, ConvexHull, Geometry, GeometryError};
use proptest::prelude::*;

/// Numbers in [-1, 1) from a counter: the same on every machine.
fn noise(seed: u64, index: u64) -> f64 {
    let mut z = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ index.wrapping_mul(0xD1B5_4A32_D192_ED03);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

fn noise_point(seed: u64, index: u64) -> Vec3 {
    Vec3::new(noise(seed, 3 * index), noise(seed, 3 * index + 1), noise(seed, 3 * index + 2))
}

fn ball(seed: u64, count: usize) -> Vec<Vec3> {
    (0..).map(|k| noise_point(seed, k)).filter(|p| p.length_squared() <= 1.0).take(count).collect()
}

fn sphere(seed: u64, count: usize) -> Vec<Vec3> {
    ball(seed, count).into_iter().map(Vec3::normalize).collect()
}

fn cube_corners() -> Vec<Vec3> {
    (0..8).map(|k| Vec3::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2))).collect()
}

fn lattice(n: usize) -> Vec<Vec3> {
    let step = 1.0 / (n - 1) as f64;
    let index = move |k: usize| Vec3::new((k % n) as f64, (k / n % n) as f64, (k / n / n) as f64);
    (0..n * n * n).map(move |k| index(k) * step).collect()
}

fn rim(count: usize, z: f64) -> impl Iterator<Item = Vec3> {
    (0..count).map(move |k| {
        let (sin, cos) = scalar::sin_cos(std::f64::consts::TAU * k as f64 / count as f64);
        Vec3::new(cos, sin, z)
    })
}

fn shuffled(points: &[Vec3], seed: u64) -> Vec<Vec3> {
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by(|a, b| noise(seed, *a as u64).total_cmp(&noise(seed, *b as u64)));
    order.into_iter().map(|k| points[k]).collect()
}

fn moved(points: &[Vec3], rotation: Quat, scale: f64, shift: Vec3) -> Vec<Vec3> {
    points.iter().map(|p| rotation * (*p * scale) + shift).collect()
}

/// The hull, after checking all that must hold for any.
fn hull_of(points: &[Vec3]) -> ConvexHull {
    let hull = ConvexHull::from_points(points).expect("a cloud with volume");
    check(&hull, points);
    hull
}

fn check(hull: &ConvexHull, points: &[Vec3]) {
    assert_eq!(hull.validate(), Ok(()));
    for p in points {
        let distance = hull.signed_distance(*p);
        assert!(distance <= hull.resolution(), "{p:?} is {distance} outside, {} allowed", hull.resolution());
        assert!(hull.contains(*p));
    }
    for v in hull.vertices() {
        assert!(points.contains(v), "a vertex is a point of the input");
    }
}

fn counts(hull: &ConvexHull) -> [usize; 3] {
    [hull.vertices().len(), hull.edges().len(), hull.faces().len()]
}

#[test]
fn a_cube_with_duplicates_and_interior_points_has_8_vertices_6_faces_and_volume_1() {
    let mut points = cube_corners();
    points.extend(cube_corners());
    points.extend(ball(1, 100).iter().map(|p| *p * 0.5 + Vec3::splat(0.5)));
    points.extend([Vec3::new(0.5, 0.5, 0.0), Vec3::new(0.5, 0.0, 0.0), Vec3::new(1.0, 0.3, 0.7)]);
    let hull = hull_of(&points);
    assert_eq!(counts(&hull), [8, 12, 6]);
    assert!((hull.volume() - 1.0).abs() < 1e-12 && (hull.surface_area() - 6.0).abs() < 1e-12);
    assert!((hull.centroid().unwrap() - Vec3::splat(0.5)).length() < 1e-12);
    assert!(hull.faces().iter().all(|face| face.edge_count == 4));
}

#[test]
fn a_lattice_has_the_hull_of_its_corners_however_it_is_turned() {
    for (n, angle) in
        [(2, 0.0), (3, 0.0), (6, 0.0), (2, 1e-9), (5, 1e-9), (5, 1e-7), (5, 1e-3), (9, 0.7), (7, 2.0)]
    {
        for seed in 0..20 {
            let rotation = from_rotation_vector(noise_point(seed, 77) * angle);
            let hull = hull_of(&moved(&lattice(n), rotation, 1.0, Vec3::ZERO));
            assert_eq!(counts(&hull), [8, 12, 6], "n = {n}, angle {angle}, seed {seed}");
            assert!((hull.volume() - 1.0).abs() < 1e-13);
        }
    }
}

#[test]
fn a_lattice_far_away_and_of_any_size_has_the_hull_of_its_corners() {
    for scale in [1e-9, 1e-6, 1e-3, 1.0, 1e3, 1e6, 1e9] {
        for distance in [0.0, 1.0, 1e3, 1e6] {
            for seed in 0..5 {
                let rotation = from_rotation_vector(noise_point(seed, 5));
                let shift = noise_point(seed, 6) * distance;
                if scale < 1e-7 * distance {
                    continue;
                }
                let hull = hull_of(&moved(&lattice(4), rotation, scale, shift));
                assert_eq!(counts(&hull), [8, 12, 6], "scale {scale}, distance {distance}, seed {seed}");
                let coarseness = 1e-14 * (1.0 + distance / scale);
                let volume = scale * scale * scale;
                assert!((hull.volume() - volume).abs() < 3.0 * coarseness * volume);
            }
        }
    }
}

#[test]
fn a_cylinder_has_two_caps_and_as_many_sides_as_its_rim_has_points() {
    for (count, angle) in [(3, 0.0), (8, 0.0), (50, 0.3), (200, 0.0), (200, 1e-9), (200, 1.0), (1000, 0.5)] {
        let points: Vec<Vec3> = rim(count, 0.0).chain(rim(count, 2.0)).collect();
        let rotation = from_rotation_vector(Vec3::new(0.3, 1.0, -0.5) * angle);
        let hull = hull_of(&moved(&points, rotation, 1.0, Vec3::ZERO));
        assert_eq!(counts(&hull), [2 * count, 3 * count, count + 2], "{count} at {angle}");
        let volume = count as f64 * scalar::sin(std::f64::consts::TAU / count as f64);
        assert!((hull.volume() - volume).abs() < 1e-12);
    }
}

#[test]
fn plates_and_needles_are_bodies_down_to_the_resolution() {
    for (thickness, width) in [(1e-9, 1.0), (1e-12, 1.0), (1e-6, 1e-6), (1e-9, 1e-9), (1e-3, 1e-9)] {
        for seed in 0..20 {
            let box_points: Vec<Vec3> =
                lattice(3).iter().map(|p| *p * Vec3::new(1.0, width, thickness)).collect();
            let rotation =
                if seed == 0 { Quat::IDENTITY } else { from_rotation_vector(noise_point(seed, 9)) };
            let hull = hull_of(&moved(&box_points, rotation, 1.0, Vec3::ZERO));
            assert_eq!(counts(&hull), [8, 12, 6], "{thickness} × {width}, seed {seed}");
            let volume = thickness * width;
            let relative = 1e-14 * (1.0 / thickness + 1.0 / width);
            let error = (hull.volume() / volume - 1.0).abs();
            assert!(error <= relative, "{thickness} × {width}, seed {seed}: {error}");
        }
    }
}

#[test]
fn clouds_without_volume_are_refused_with_the_reason() {
    let reason = |points: &[Vec3]| ConvexHull::from_points(points).unwrap_err();
    let v = Vec3::new;
    assert_eq!(reason(&[]), GeometryError::NoPoints);
    let three = [Vec3::X, Vec3::Y, Vec3::Z];
    assert_eq!(reason(&three), GeometryError::TooFewPoints { given: 3, distinct: 3 });
    let repeated = [Vec3::X, Vec3::Y, Vec3::Z, Vec3::X, Vec3::Y, v(1.0, -0.0, 0.0)];
    assert_eq!(reason(&repeated), GeometryError::TooFewPoints { given: 6, distinct: 3 });
    assert_eq!(reason(&[Vec3::ONE; 9]), GeometryError::TooFewPoints { given: 9, distinct: 1 });
    let line: Vec<Vec3> = (0..10).map(|k| v(0.1, -0.3, 0.7) * f64::from(k) + v(1.0, 2.0, 3.0)).collect();
    assert_eq!(reason(&line), GeometryError::Collinear(10));
    let bad = [Vec3::X, Vec3::Y, v(0.0, f64::NAN, 0.0), Vec3::Z];
    assert!(matches!(reason(&bad), GeometryError::NotFinite { index: 2, .. }));
    let bad = [Vec3::X, Vec3::Y, Vec3::Z, v(0.0, 0.0, f64::NEG_INFINITY)];
    assert!(matches!(reason(&bad), GeometryError::NotFinite { index: 3, .. }));
    assert!(matches!(
        ConvexHull::from_points_within(&cube_corners(), -1.0),
        Err(GeometryError::Length { field: "resolution", .. })
    ));
}

#[test]
fn a_sheet_is_coplanar_and_a_wire_collinear_however_rounding_has_bent_them() {
    for seed in 0..50 {
        let rotation = from_rotation_vector(noise_point(seed, 3));
        for (scale, distance) in [(1e-9, 0.0), (1.0, 0.0), (1e9, 0.0), (1.0, 1e6), (1e-2, 10.0)] {
            let shift = noise_point(seed, 4) * distance;
            let sheet: Vec<Vec3> = (0..60).map(|k| noise_point(seed, k) * Vec3::new(1.0, 1.0, 0.0)).collect();
            let error = ConvexHull::from_points(&moved(&sheet, rotation, scale, shift)).unwrap_err();
            assert_eq!(error, GeometryError::Coplanar(60), "seed {seed}, scale {scale}, distance {distance}");
            let wire: Vec<Vec3> = (0..60).map(|k| Vec3::X * noise(seed, k)).collect();
            let error = ConvexHull::from_points(&moved(&wire, rotation, scale, shift)).unwrap_err();
            assert_eq!(
                error,
                GeometryError::Collinear(60),
                "seed {seed}, scale {scale}, distance {distance}"
            );
        }
    }
}

#[test]
fn two_nearly_coincident_points_are_one_vertex_below_the_resolution_and_two_above() {
    let mut points = cube_corners();
    points.push(Vec3::new(1.0 + f64::EPSILON, 1.0, 1.0));
    assert_eq!(counts(&hull_of(&points)), [8, 12, 6]);
    points[8] = Vec3::new(1.0 + 1e-9, 1.0, 1.0);
    let hull = hull_of(&points);
    assert!(
        hull.vertices().contains(&points[8]) && hull.vertices().len() == 8,
        "the old corner is on an edge"
    );
    points[8] = Vec3::new(1.0 + 1e-9, 1.0 - 1e-9, 1.0 - 1e-9);
    assert_eq!(hull_of(&points).vertices().len(), 9);
}

#[test]
fn coordinates_at_the_ends_of_the_range_of_numbers_have_a_hull() {
    for scale in [1e-249, 1e-200, 1e-70, 1e70, 1e200, 1e307] {
        let hull = ConvexHull::from_points(&moved(&lattice(3), Quat::IDENTITY, scale, Vec3::ZERO)).unwrap();
        assert_eq!(counts(&hull), [8, 12, 6], "scale {scale}");
    }
    let mut points = cube_corners();
    points.push(Vec3::new(1e-300, -1e-310, 0.5));
    assert_eq!(counts(&hull_of(&points)), [8, 12, 6]);
}

#[test]
fn coordinates_whose_differences_overflow_are_refused() {
    let points = cube_corners().iter().map(|p| *p * 1.6e308).collect::<Vec<_>>();
    assert!(matches!(ConvexHull::from_points(&points), Err(GeometryError::TooFar { .. })));
}

#[test]
fn points_that_differ_below_the_range_of_the_cloud_do_not_make_the_hull_depend_on_their_order() {
    let mut points: Vec<Vec3> = cube_corners().iter().map(|p| *p * 1e212).collect();
    points.extend([
        Vec3::new(0.0, 0.0, -9e212),
        Vec3::new(1e-40, -3e-50, -9e212),
        Vec3::new(-1e-45, 0.0, -9e212),
    ]);
    let hull = hull_of(&points);
    points.reverse();
    assert_eq!(hull_of(&points), hull);
}

#[test]
fn a_mesh_has_the_hull_of_the_vertices_it_names() {
    let mut vertices = cube_corners();
    vertices.push(Vec3::splat(5.0));
    let triangles = [[0, 1, 2], [3, 4, 5], [6, 7, 0]];
    assert_eq!(counts(&ConvexHull::from_mesh(&vertices, &triangles).unwrap()), [8, 12, 6]);
    assert_eq!(ConvexHull::from_mesh(&vertices, &[]), Err(GeometryError::NoTriangles));
    assert_eq!(
        ConvexHull::from_mesh(&vertices, &[[0, 1, 2], [0, 9, 1]]),
        Err(GeometryError::IndexOutOfRange { triangle: 1, vertex: 9, vertices: 9 })
    );
}

#[test]
fn coordinates_rounded_to_f32_give_a_cube_at_a_resolution_that_knows_it() {
    for seed in 0..20 {
        let rotation = from_rotation_vector(noise_point(seed, 8));
        let points: Vec<Vec3> =
            moved(&lattice(5), rotation, 1.0, Vec3::ZERO).iter().map(|p| p.as_vec3().as_dvec3()).collect();
        let hull = ConvexHull::from_points_within(&points, 1e-6).unwrap();
        check(&hull, &points);
        assert_eq!(counts(&hull), [8, 12, 6]);
    }
}

#[test]
fn points_on_a_sphere_are_all_vertices_and_the_volume_approaches_the_ball() {
    let points = sphere(3, 2000);
    let hull = hull_of(&points);
    assert_eq!(counts(&hull), [2000, 3 * 2000 - 6, 2 * 2000 - 4]);
    let ball_volume = 4.0 / 3.0 * std::f64::consts::PI;
    assert!(hull.volume() < ball_volume && hull.volume() > 0.99 * ball_volume);
}

/// The extreme points of a cloud by definition: a triple spans the plane of a facet if all points are on one side; a
/// point is extreme if the facets through it have no other point in common. Exact predicates, O(n⁴), no shared code.
fn brute_force_vertices(points: &[Vec3]) -> Vec<Vec3> {
    let mut distinct = points.to_vec();
    distinct.sort_by(|a, b| a.to_array().partial_cmp(&b.to_array()).expect("finite"));
    distinct.dedup();
    let coord = |p: Vec3| robust::Coord3D { x: p.x, y: p.y, z: p.z };
    let n = distinct.len();
    let side = |[a, b, c]: [usize; 3], d: usize| {
        robust::orient3d(coord(distinct[a]), coord(distinct[b]), coord(distinct[c]), coord(distinct[d]))
    };
    let mut facets_of: Vec<Vec<Vec<usize>>> = vec![Vec::new(); n];
    for a in 0..n {
        for b in a + 1..n {
            for c in b + 1..n {
                let sides: Vec<f64> = (0..n).map(|d| side([a, b, c], d)).collect();
                let degenerate = sides.iter().all(|s| *s == 0.0);
                let supports = sides.iter().all(|s| *s >= 0.0) || sides.iter().all(|s| *s <= 0.0);
                if supports && !degenerate {
                    let on: Vec<usize> = (0..n).filter(|d| sides[*d] == 0.0).collect();
                    for &d in &on {
                        facets_of[d].push(on.clone());
                    }
                }
            }
        }
    }
    let extreme = |v: usize| {
        let common = |w: usize| w != v && facets_of[v].iter().all(|facet| facet.contains(&w));
        !facets_of[v].is_empty() && !(0..n).any(common)
    };
    (0..n).filter(|v| extreme(*v)).map(|v| distinct[v]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn vertices_are_those_of_exhaustive_enumeration_in_general_position(seed in any::<u64>(), count in 4..13_usize) {
        let points: Vec<Vec3> = (0..count as u64).map(|k| noise_point(seed, k)).collect();
        let hull = hull_of(&points);
        prop_assert_eq!(hull.vertices(), &brute_force_vertices(&points)[..]);
    }

    #[test]
    fn vertices_are_those_of_exhaustive_enumeration_on_a_lattice(seed in any::<u64>(), count in 5..14_usize, side in 2..4_i32) {
        let round = |x: f64| (x * 0.5 * f64::from(side) + 0.5 * f64::from(side)).floor();
        let points: Vec<Vec3> = (0..count as u64)
            .map(|k| noise_point(seed, k))
            .map(|p| Vec3::new(round(p.x), round(p.y), round(p.z)))
            .collect();
        match ConvexHull::from_points(&points) {
            Ok(hull) => {
                check(&hull, &points);
                prop_assert_eq!(hull.vertices(), &brute_force_vertices(&points)[..]);
            }
            Err(_) => prop_assert!(brute_force_vertices(&points).is_empty()),
        }
    }

    #[test]
    fn the_order_of_the_points_and_duplicates_change_no_bit(seed in any::<u64>(), count in 4..120_usize, kind in 0..4) {
        let points = match kind {
            0 => ball(seed, count),
            1 => sphere(seed, count),
            2 => moved(&lattice(4), from_rotation_vector(noise_point(seed, 1)), 1.0, noise_point(seed, 2)),
            _ => lattice(4),
        };
        let hull = hull_of(&points);
        let mut more = shuffled(&points, seed ^ 1);
        more.extend_from_slice(&points[..3]);
        prop_assert_eq!(&hull, &hull_of(&shuffled(&points, seed)));
        prop_assert_eq!(&hull, &hull_of(&more));
    }

    #[test]
    fn rotation_translation_and_scale_move_the_hull_with_its_points(
        seed in any::<u64>(), count in 8..60_usize, exponent in -9..10_i32, far in 0..7_i32
    ) {
        let points = sphere(seed, count);
        let scale = (0..exponent.abs()).fold(1.0, |s, _| if exponent > 0 { s * 10.0 } else { s / 10.0 });
        let shift = noise_point(seed, 1) * (0..far).fold(scale, |s, _| s * 10.0);
        let rotation = from_rotation_vector(noise_point(seed, 2) * 3.0);
        let (hull, image) = (hull_of(&points), hull_of(&moved(&points, rotation, scale, shift)));
        prop_assert_eq!(counts(&hull), counts(&image));
        // Moved coordinates are rounded to ε |shift|: relative to the size, ε 10^far. A thin hull feels it more.
        let coarse = 1e-15 * (0..far).fold(10.0, |s, _| s * 10.0) / hull.volume();
        prop_assert!((image.volume() / (scale * scale * scale) - hull.volume()).abs() < 10.0 * coarse * hull.volume() + 1e-13);
        prop_assert!((image.surface_area() / (scale * scale) - hull.surface_area()).abs() < 10.0 * coarse * hull.surface_area() + 1e-13);
        let centroid = rotation * (hull.centroid().unwrap() * scale) + shift;
        prop_assert!((image.centroid().unwrap() - centroid).length() < 100.0 * coarse * scale);
    }

    #[test]
    fn clouds_squeezed_shifted_and_sheared_have_valid_hulls(
        seed in any::<u64>(), count in 4..60_usize, squeeze in prop::array::uniform3(0..12_i32), far in 0..4_i32
    ) {
        let s = squeeze.map(|k| (0..k).fold(1.0, |s, _| s * 0.1));
        let shift = noise_point(seed, 1_000_000) * (1..far).fold(1.0, |s, _| s * 10.0);
        let rotation = from_rotation_vector(noise_point(seed, 1_000_001) * 3.0);
        let points: Vec<Vec3> =
            ball(seed, count).iter().map(|p| rotation * (*p * Vec3::from_array(s)) + shift).collect();
        match ConvexHull::from_points(&points) {
            Ok(hull) => check(&hull, &points),
            Err(error) => prop_assert!(matches!(error, GeometryError::Coplanar(_) | GeometryError::Collinear(_))),
        }
    }

    #[test]
    fn the_support_is_the_farthest_vertex_by_scan_by_climb_and_from_any_hint(
        seed in any::<u64>(), count in 33..400_usize, kind in 0..3, hint in any::<u32>()
    ) {
        let points: Vec<Vec3> = match kind {
            0 => sphere(seed, count),
            1 => rim(count, 0.0).chain(rim(count, 1.0)).collect(),
            _ => moved(&rim(count, 0.0).chain(rim(count, 1.0)).collect::<Vec<_>>(), from_rotation_vector(noise_point(seed, 5)), 1.0, noise_point(seed, 6)),
        };
        let hull = hull_of(&points);
        let random = noise_point(seed, 7);
        let face = hull.faces()[(seed % hull.faces().len() as u64) as usize].normal;
        for direction in [random, Vec3::X, -Vec3::Z, Vec3::Y, face, -face, Vec3::new(0.0, 1e-17, 1.0)] {
            let highest = hull.vertices().iter().fold(f64::NEG_INFINITY, |h, v| scalar::max(h, v.dot(direction)));
            let from = hull.support_from(hint % hull.vertices().len() as u32, direction);
            for found in [hull.support(direction), hull.vertices()[from as usize]] {
                prop_assert!(found.dot(direction) >= highest - 1e-15, "{} < {highest}", found.dot(direction));
            }
        }
    }

    #[test]
    fn structured_clouds_with_noise_of_any_size_have_valid_hulls(
        seed in any::<u64>(), kind in 0..6, level in 0..14_i32, squeeze in prop::array::uniform3(0..8_i32), turn in any::<bool>()
    ) {
        let s = Vec3::from_array(squeeze.map(|k| (0..k).fold(1.0, |s, _| s * 0.1)));
        let size = (0..level).fold(1e-4, |s, _| s * 0.1);
        let rotation = if turn { from_rotation_vector(noise_point(seed, 11)) } else { Quat::IDENTITY };
        let base: Vec<Vec3> = match kind {
            0 => lattice(4),
            1 => rim(40, 0.0).chain(rim(40, 1.0)).chain(rim(40, 0.5)).collect(),
            2 => rim(30, 0.0).chain([Vec3::Z, Vec3::ZERO]).collect(),
            3 => sphere(seed, 60).iter().map(|p| (*p * 8.0).round() / 8.0).collect(),
            4 => sphere(seed, 8).iter().flat_map(|p| (0..8).map(move |k| *p * (1.0 - 1e-3 * f64::from(k)))).collect(),
            _ => cube_corners().iter().flat_map(|p| std::iter::repeat_n(*p, 8)).collect(),
        };
        let points: Vec<Vec3> = (0..).zip(&base).map(|(k, p)| rotation * ((*p + noise_point(seed, 100 + k) * size) * s)).collect();
        match ConvexHull::from_points(&points) {
            Ok(hull) => {
                check(&hull, &points);
                prop_assert_eq!(hull, hull_of(&shuffled(&points, seed)));
            }
            Err(error) => prop_assert!(matches!(error, GeometryError::Coplanar(_) | GeometryError::Collinear(_))),
        }
    }
}

#[test]
fn the_triangulation_is_the_surface_of_the_hull() {
    let mut state = 7_u64;
    let mut uniform = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    };
    let points: Vec<Vec3> = (0..300).map(|_| Vec3::new(uniform(), uniform(), uniform())).collect();
    let hull = ConvexHull::from_points(&points).expect("a cloud with volume");
    let (vertices, triangles) = ConvexHull::triangulation(&points).expect("a cloud with volume");
    assert_eq!(vertices, hull.vertices());
    assert_eq!(triangles.len(), 2 * vertices.len() - 4, "Euler's formula for triangles");
    let volume: f64 = triangles
        .iter()
        .map(|corners| {
            let [a, b, c] = corners.map(|v| vertices[v as usize]);
            a.dot(b.cross(c)) / 6.0
        })
        .sum();
    assert!((volume - hull.volume()).abs() < 1e-13, "outward triangles: {volume} {}", hull.volume());
    let mut shuffled = points.clone();
    shuffled.reverse();
    assert_eq!(ConvexHull::triangulation(&shuffled).expect("the same"), (vertices, triangles));
    assert!(ConvexHull::triangulation(&points[..3]).is_err());
}

#[test]
fn clouds_of_subnormal_size_are_refused() {
    let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, Vec3::new(0.3, 0.3, -0.2)];
    for size in [5e-324, 1e-311, 1e-307, 1e-260] {
        let refused = ConvexHull::from_points(&corners.map(|corner| corner * size)).unwrap_err();
        assert!(matches!(refused, GeometryError::TooSmall { .. }), "{size:e}: {refused}");
    }
}

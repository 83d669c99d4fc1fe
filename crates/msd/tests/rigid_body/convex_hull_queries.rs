//! Queries of a convex hull: distance, containment, rays, bounding boxes, and refused data.

use msd::math::orientation::from_rotation_vector;
use msd::math::{ReferenceFrame, Vec3, scalar};
use msd::physics::rigid_body::shape::convex_hull::HullDefect;
use msd::physics::rigid_body::shape::{Aabb, ConvexHull, Cuboid, Geometry, Ray};
use proptest::prelude::*;

fn hull_of(points: &[Vec3]) -> ConvexHull {
    ConvexHull::from_points(points).expect("a cloud with volume")
}

fn box_corners(size: Vec3) -> Vec<Vec3> {
    let half = |bit: i32| f64::from(bit & 1) - 0.5;
    (0..8).map(|k| size * Vec3::new(half(k), half(k >> 1), half(k >> 2))).collect()
}

fn direction() -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-1.0..1.0_f64)
        .prop_map(Vec3::from_array)
        .prop_filter("not zero", |v| v.length() > 0.1)
        .prop_map(Vec3::normalize)
}

fn vector(range: f64) -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-range..range).prop_map(Vec3::from_array)
}

#[test]
fn distances_of_a_cube_to_faces_edges_and_vertices_are_exact_to_1e_12() {
    let hull = hull_of(&box_corners(Vec3::splat(2.0)));
    let distance = |x, y, z| hull.signed_distance(Vec3::new(x, y, z));
    for (point, expected) in [
        ((0.0, 0.0, 0.0), -1.0),
        ((0.75, 0.2, -0.3), -0.25),
        ((1.0, 0.3, 0.2), 0.0),
        ((1.0, 1.0, 1.0), 0.0),
        ((3.0, 0.5, -0.5), 2.0),
        ((4.0, 5.0, 0.3), 5.0),
        ((3.0, -4.0, 7.0), 7.0),
    ] {
        let (x, y, z) = point;
        assert!((distance(x, y, z) - expected).abs() < 1e-12, "{point:?}: {}", distance(x, y, z));
        assert_eq!(hull.contains(Vec3::new(x, y, z)), expected <= 0.0, "{point:?}");
    }
    assert!(
        !hull.contains(Vec3::new(1.0 + 1e-12, 0.0, 0.0)) && hull.contains(Vec3::new(1.0 - 1e-12, 0.0, 0.0))
    );
}

#[test]
fn a_hull_a_million_metres_away_measures_as_one_at_the_origin() {
    let shift = Vec3::new(1_048_576.0, -2_097_152.0, 524_288.0);
    let corners = box_corners(Vec3::new(2.0, 4.0, 1.0));
    let (near, far) = (hull_of(&corners), hull_of(&corners.iter().map(|p| *p + shift).collect::<Vec<_>>()));
    assert!(
        (far.volume() - near.volume()).abs() < 1e-12
            && (far.surface_area() - near.surface_area()).abs() < 1e-12
    );
    assert_eq!(far.centroid(), near.centroid().map(|c| c + shift));
    for point in [Vec3::new(0.25, 0.5, 0.125), Vec3::new(3.0, 3.0, 3.0), Vec3::new(1.0, 0.5, 0.25)] {
        assert!((far.signed_distance(point + shift) - near.signed_distance(point)).abs() < 1e-12);
    }
}

#[test]
fn a_point_beyond_the_tip_of_a_sliver_is_as_far_as_the_tip() {
    // A pyramid whose side is a needle of 1e-9 m: beyond its tip every face plane passes within 1e-9 m.
    let points = [Vec3::ZERO, Vec3::new(0.0, 1e-9, 0.0), Vec3::new(0.0, 0.0, 1e-9), Vec3::X];
    let rotation = from_rotation_vector(Vec3::new(0.4, -1.1, 0.7));
    let turned: Vec<Vec3> = points.iter().map(|p| rotation * *p).collect();
    let hull = hull_of(&turned);
    for beyond in [1e-9, 1e-6, 1e-3, 0.5, 20.0] {
        let distance = hull.signed_distance(rotation * (Vec3::X * (1.0 + beyond)));
        assert!((distance - beyond).abs() < 1e-14 + 1e-15 * beyond, "{beyond}: {distance}");
    }
}

#[test]
fn a_ray_along_a_face_or_past_a_corner_of_a_cube_is_decided() {
    let hull = hull_of(&box_corners(Vec3::splat(2.0)));
    let cast = |origin, direction| hull.cast_ray(&Ray::new(origin, direction).expect("a direction"), 100.0);
    let hit = cast(Vec3::new(-3.0, 0.2, 0.1), Vec3::X).expect("a hit");
    assert_eq!((hit.distance, hit.normal), (2.0, -Vec3::X));
    let inside = cast(Vec3::new(0.1, 0.2, 0.3), Vec3::Y).expect("a hit");
    assert_eq!((inside.distance, inside.normal), (0.0, -Vec3::Y));
    assert!(cast(Vec3::new(-3.0, 1.0, 0.0), Vec3::X).is_some(), "a ray in the plane of a face touches it");
    assert!(cast(Vec3::new(-3.0, 1.0 + 1e-12, 0.0), Vec3::X).is_none());
    assert!(cast(Vec3::new(-3.0, 0.0, 0.0), -Vec3::X).is_none(), "behind the origin");
    assert!(hull.cast_ray(&Ray::new(Vec3::new(-3.0, 0.0, 0.0), Vec3::X).expect("unit"), 1.999).is_none());
}

#[test]
fn a_hull_read_back_is_the_hull_that_was_written_and_a_corrupt_one_is_refused() {
    let hull = hull_of(&box_corners(Vec3::new(1.0, 2.0, 3.0)));
    let written = serde_json::to_value(&hull).expect("plain numbers");
    assert_eq!(serde_json::from_value::<ConvexHull>(written).expect("valid"), hull);
    let corrupted = |edit: &dyn Fn(&mut serde_json::Value)| {
        let mut value = serde_json::to_value(&hull).expect("plain numbers");
        edit(&mut value);
        serde_json::from_value::<ConvexHull>(value).expect_err("corrupt").to_string()
    };
    let defect = |d: HullDefect| d.to_string();
    assert_eq!(
        corrupted(&|v| v["half_edges"][3]["origin"] = 8.into()),
        defect(HullDefect::Index { what: "half-edge", index: 3 })
    );
    assert_eq!(
        corrupted(&|v| v["half_edges"][3]["twin"] = 4_000_000_000_u32.into()),
        defect(HullDefect::Index { what: "half-edge", index: 3 })
    );
    assert_eq!(
        corrupted(&|v| v["faces"][1]["first_edge"] = 5.into()),
        defect(HullDefect::Index { what: "face", index: 1 })
    );
    assert_eq!(corrupted(&|v| v["faces"][1]["normal"][0] = 0.5.into()), defect(HullDefect::Orientation(1)));
    assert!(corrupted(&|v| v["faces"][1]["offset"] = 3.0.into()).contains("off its plane"));
    assert!(corrupted(&|v| v["vertices"][0][0] = 3.0.into()).contains("hull: "));
    assert!(corrupted(&|v| v["vertices"] = serde_json::json!([])).contains("no closed polyhedron"));
    assert!(corrupted(&|v| v["neighbours"][0] = 77.into()).contains("neighbour list"));
    assert!(corrupted(&|v| v["neighbour_starts"][2] = 99.into()).contains("neighbour list"));
}

#[test]
fn swapping_two_vertices_breaks_convexity_and_is_noticed() {
    let hull = hull_of(&box_corners(Vec3::ONE));
    let mut value = serde_json::to_value(&hull).expect("plain numbers");
    let first = value["vertices"][0].take();
    value["vertices"][0] = value["vertices"][5].take();
    value["vertices"][5] = first;
    assert!(serde_json::from_value::<ConvexHull>(value).is_err());
}

/// Two sides of a sheet meet at an edge sharper than a blade. A point of the cloud that was left out, because it is above
/// no face by more than the resolution, can be far from the surface: above both sides by a little, beyond the edge by
/// much. It is contained all the same, as the faces say.
#[test]
fn a_point_beyond_the_blade_of_a_sheet_is_contained_though_it_is_not_near() {
    let sheet = [
        Vec3::new(0.536_133_709_473_172_4, 0.263_880_484_038_515_5, 0.503_073_142_897_150_5),
        Vec3::new(0.187_362_186_365_774_23, -0.838_936_269_254_345_6, 0.468_621_788_857_728_4),
        Vec3::new(0.187_362_186_365_767_07, -0.838_936_269_254_348_9, 0.468_621_788_857_727_6),
        Vec3::new(0.420_518_140_512_154_5, -0.829_091_389_892_269, 0.295_234_822_213_116_3),
        Vec3::new(-0.224_190_433_886_609_23, 0.162_484_578_896_852_03, 0.740_887_562_180_825_9),
        Vec3::new(0.673_029_328_930_654_6, 0.467_819_855_720_155_05, 0.454_779_125_059_990_85),
        Vec3::new(0.208_698_256_843_256_66, 0.501_575_061_465_945_9, 0.814_489_121_504_014_8),
    ];
    let hull = hull_of(&sheet);
    let farthest = sheet.iter().map(|p| hull.signed_distance(*p)).fold(0.0, scalar::max);
    assert!(farthest > 1e3 * hull.resolution(), "a case of it: {farthest} m against {} m", hull.resolution());
    for point in &sheet {
        assert!(hull.contains(*point), "{point:?}");
    }
}

proptest! {
    #[test]
    fn every_point_of_a_sheet_is_contained_in_its_hull(
        points in prop::collection::vec((-1.0..1.0_f64, -1.0..1.0_f64, -1.0..1.0_f64), 4..30),
        thickness in -15.0..-9.0_f64
    ) {
        // Down to sheets hardly thicker than the resolution, whose two sides meet at edges sharper than a blade.
        let flat: Vec<Vec3> =
            points.iter().map(|(x, y, z)| Vec3::new(*x, *y, z * scalar::pow(10.0, thickness))).collect();
        if let Ok(hull) = ConvexHull::from_points(&flat) {
            for point in &flat {
                prop_assert!(hull.contains(*point), "{point:?}");
            }
        }
    }

    #[test]
    fn a_hull_of_box_corners_answers_as_the_exact_box(
        size in prop::array::uniform3(0.01..10.0_f64), point in vector(10.0), towards in direction()
    ) {
        let size = Vec3::from_array(size);
        let (hull, exact) = (hull_of(&box_corners(size)), Cuboid::new(size).expect("positive"));
        prop_assert!((hull.signed_distance(point) - exact.signed_distance(point)).abs() < 1e-13);
        prop_assert!((hull.volume() / exact.volume() - 1.0).abs() < 1e-14);
        prop_assert!((hull.surface_area() / exact.surface_area() - 1.0).abs() < 1e-14);
        let ray = Ray::new(point, towards).expect("unit");
        match (hull.cast_ray(&ray, 1e3), exact.cast_ray(&ray, 1e3)) {
            (Some(a), Some(b)) => {
                prop_assert!((a.distance - b.distance).abs() < 1e-12 && (a.normal - b.normal).length() < 1e-12);
            }
            (a, b) => prop_assert_eq!(a.is_some(), b.is_some()),
        }
    }

    #[test]
    fn the_distance_is_that_of_the_closest_point_found_by_descent(
        points in prop::collection::vec(vector(1.0), 6..30), p in vector(4.0)
    ) {
        let hull = hull_of(&points);
        let distance = hull.signed_distance(p);
        // Frank-Wolfe with exact line search over the vertices: an upper bound that converges, and a lower bound
        // from the support in the direction of the point.
        let mut x = hull.vertices()[0];
        let mut gap = f64::INFINITY;
        for _ in 0..20_000 {
            let toward = p - x;
            let s = hull.vertices().iter().copied().fold(x, |s, v| if v.dot(toward) > s.dot(toward) { v } else { s });
            gap = toward.dot(s - x);
            if gap <= 1e-9 { break; }
            x += (s - x) * scalar::clamp(gap / (s - x).length_squared(), 0.0, 1.0);
        }
        let upper = (p - x).length();
        if distance > 0.0 {
            prop_assert!(distance <= upper + 1e-12);
            prop_assert!(distance * distance >= upper * upper - 2.0 * gap - 1e-12, "{distance} {upper} {gap}");
        } else {
            prop_assert!(upper * upper <= 2.0 * gap + 1e-12 && hull.contains(p));
        }
    }

    #[test]
    fn the_bounding_box_of_a_placed_hull_encloses_its_placed_points_and_touches_them(
        points in prop::collection::vec(vector(1.0), 8..120), position in vector(100.0), turn in vector(3.0)
    ) {
        let hull = hull_of(&points);
        let frame = ReferenceFrame::new(position, from_rotation_vector(turn));
        let exact = Aabb::from_points(points.iter().map(|p| frame.point_to_parent(*p)));
        let found = hull.bounding_box(&frame);
        prop_assert!((found.min - exact.min).length() < 1e-13 && (found.max - exact.max).length() < 1e-13);
        let local = hull.local_bounding_box();
        prop_assert_eq!(local, Aabb::from_points(points.iter().copied()));
    }

    #[test]
    fn a_ray_hits_the_surface_where_the_distance_is_zero(
        points in prop::collection::vec(vector(1.0), 6..60), origin in direction(), target in vector(1.0)
    ) {
        let hull = hull_of(&points);
        let origin = origin * 3.0;
        let ray = Ray::new(origin, target - origin).expect("apart");
        match hull.cast_ray(&ray, 10.0) {
            Some(hit) => {
                prop_assert!(hull.signed_distance(ray.at(hit.distance)).abs() < 1e-13);
                prop_assert!(hit.normal.dot(ray.direction) < 0.0);
            }
            None => prop_assert!((0..=600).all(|k| hull.signed_distance(ray.at(f64::from(k) * 0.01)) > 0.0)),
        }
    }
}

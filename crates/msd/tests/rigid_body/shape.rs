//! What every shape must obey, whatever it is: support, bounding box, signed distance and ray cast agree with each
//! other and with the definition of the shape.

#![allow(clippy::unwrap_used, reason = "a test that cannot build its scene has failed")]

use std::f64::consts::{PI, TAU};

use msd::math::{Coordinate, ReferenceFrame, Vec3, orientation, scalar};
use msd::physics::rigid_body::shape::{
    Capsule, Compound, CompoundPart, Cone, Convex, ConvexHull, Cuboid, Cylinder, Ellipsoid, Geometry,
    HalfSpace, Ray, Rounded, Shape, Sphere, TaperedCapsule, TriangleMesh,
};
use proptest::prelude::*;

fn vector(limit: f64) -> impl Strategy<Value = Vec3> {
    (-limit..limit, -limit..limit, -limit..limit).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

fn direction() -> impl Strategy<Value = Vec3> {
    vector(1.0).prop_filter("not too short", |v| v.length() > 0.1).prop_map(|v| v.normalize())
}

fn frame() -> impl Strategy<Value = ReferenceFrame> {
    (vector(10.0), vector(3.0))
        .prop_map(|(p, phi)| ReferenceFrame::new(p, orientation::from_rotation_vector(phi)))
}

/// A length between 1e-3 m and 1e3 m, evenly in its logarithm.
fn size() -> impl Strategy<Value = f64> {
    (-3.0..3.0_f64).prop_map(|exponent| scalar::pow(10.0, exponent))
}

/// A convex primitive with lengths that differ by up to 1e4, and its largest extent.
fn primitive() -> impl Strategy<Value = (Shape, f64)> {
    let part = || (-4.0..0.0_f64).prop_map(|exponent| scalar::pow(10.0, exponent));
    (0..9, size(), part(), part(), part()).prop_map(|(kind, scale, a, b, c)| {
        let (x, y, z) = (a * scale, b * scale, c * scale);
        let shape: Shape = match kind {
            0 => Sphere::new(x).unwrap().into(),
            1 => Cuboid::new(Vec3::new(x, y, z)).unwrap().into(),
            2 => Capsule::new(x, y).unwrap().into(),
            3 => Cylinder::new(x, y).unwrap().into(),
            5 => Rounded::new(Cuboid::new(Vec3::new(x, y, z)).unwrap(), 0.1 * x).unwrap().into(),
            6 => Rounded::new(Cylinder::new(x, y).unwrap(), z).unwrap().into(),
            4 => Ellipsoid::new(Vec3::new(x, y, z)).unwrap().into(),
            7 => TaperedCapsule::new(x, y, (x - y).abs() + z).unwrap().into(),
            _ => Cone::new(x, y).unwrap().into(),
        };
        let extent = shape.bounding_box(&ReferenceFrame::IDENTITY).size().max_element();
        (shape, extent)
    })
}

/// The cube of edge 2 about the origin as twelve triangles.
fn cube_mesh() -> TriangleMesh {
    let side = |i: u32, bit: u32| if i & bit == 0 { -1.0 } else { 1.0 };
    let vertices = (0..8).map(|i| Vec3::new(side(i, 1), side(i, 2), side(i, 4))).collect();
    let quads: [[u32; 4]; 6] =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = quads.iter().flat_map(|q| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]]).collect();
    TriangleMesh::new(vertices, triangles).unwrap()
}

/// A sphere of unit radius with a wavy surface, not convex; closed.
fn wavy_mesh(rings: u32, segments: u32) -> TriangleMesh {
    let point = |theta: f64, phi: f64| {
        let ((st, ct), (sp, cp)) = (scalar::sin_cos(theta), scalar::sin_cos(phi));
        let radius = 1.0 + 0.3 * scalar::sin(3.0 * phi) * st * scalar::cos(2.0 * theta);
        Vec3::new(st * cp, st * sp, ct) * radius
    };
    let mut vertices = vec![Vec3::Z];
    for i in 1..rings {
        let theta = PI * f64::from(i) / f64::from(rings);
        vertices.extend((0..segments).map(|j| point(theta, TAU * f64::from(j) / f64::from(segments))));
    }
    vertices.push(-Vec3::Z);
    let at = |i: u32, j: u32| 1 + (i - 1) * segments + j % segments;
    let last = 1 + (rings - 1) * segments;
    let mut triangles = Vec::new();
    for j in 0..segments {
        triangles.push([0, at(1, j), at(1, j + 1)]);
        triangles.push([last, at(rings - 1, j + 1), at(rings - 1, j)]);
        for i in 1..rings - 1 {
            triangles.push([at(i, j), at(i + 1, j), at(i + 1, j + 1)]);
            triangles.push([at(i, j), at(i + 1, j + 1), at(i, j + 1)]);
        }
    }
    TriangleMesh::new(vertices, triangles).unwrap()
}

/// Where a ray from outside towards the centroid meets the surface.
fn surface_point(shape: &Shape, towards: Vec3, scale: f64) -> Coordinate {
    let center = shape.centroid().unwrap();
    let ray = Ray::new(center + towards * (20.0 * scale), -towards).unwrap();
    ray.at(shape.cast_ray(&ray, f64::INFINITY).unwrap().distance)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn no_point_of_a_shape_lies_beyond_its_support(
        (shape, scale) in primitive(), d in direction(), towards in direction(), depth in 0.0..1.0_f64
    ) {
        let support = shape.support(d).unwrap();
        let center = shape.centroid().unwrap();
        let point = surface_point(&shape, towards, scale).lerp(center, depth);
        prop_assert!(d.dot(point) <= d.dot(support) + 1e-14 * scale);
        prop_assert!(shape.contains(support) && shape.signed_distance(support).abs() < 1e-14 * scale);
    }

    #[test]
    fn support_does_not_depend_on_the_length_of_the_direction((shape, scale) in primitive(), d in direction()) {
        let support = shape.support(d).unwrap();
        for length in [1e-200, 1e-12, 1e12, 1e200] {
            prop_assert!((shape.support(d * length).unwrap() - support).length() < 1e-14 * scale);
        }
    }

    #[test]
    fn the_bounding_box_touches_the_support_on_every_side((shape, scale) in primitive(), frame in frame()) {
        let bounds = shape.bounding_box(&frame);
        for axis in 0..3 {
            let up = Vec3::AXES[axis];
            let top = frame.point_to_parent(shape.support(frame.direction_to_local(up)).unwrap());
            let bottom = frame.point_to_parent(shape.support(frame.direction_to_local(-up)).unwrap());
            prop_assert!((bounds.max[axis] - top[axis]).abs() < 1e-14 * (scale + 10.0));
            prop_assert!((bounds.min[axis] - bottom[axis]).abs() < 1e-14 * (scale + 10.0));
        }
    }

    #[test]
    fn the_gradient_of_the_distance_has_length_one((shape, scale) in primitive(), p in vector(1.5)) {
        let p = p * scale;
        let h = 1e-6 * scale;
        let difference = |step: Vec3| shape.signed_distance(p + step) - shape.signed_distance(p - step);
        let gradient = Vec3::from_array(Vec3::AXES.map(|axis| difference(axis * h) / (2.0 * h)));
        prop_assert!(gradient.length() < 1.0 + 1e-6);
        // Where the nearest point jumps (the medial axis) there is none: the two halves of the difference disagree.
        let smooth = Vec3::AXES.iter().all(|axis| {
            let second = shape.signed_distance(p + *axis * h) + shape.signed_distance(p - *axis * h)
                - 2.0 * shape.signed_distance(p);
            second.abs() < 1e-4 * h
        });
        prop_assert!(!smooth || (gradient.length() - 1.0).abs() < 1e-6);
    }

    #[test]
    fn distance_grows_linearly_along_the_normal_of_a_hit(
        (shape, scale) in primitive(), towards in direction(), out in 0.0..100.0_f64
    ) {
        let center = shape.centroid().unwrap();
        let ray = Ray::new(center + towards * (20.0 * scale), -towards).unwrap();
        let hit = shape.cast_ray(&ray, f64::INFINITY).unwrap();
        let point = ray.at(hit.distance);
        prop_assert!((hit.normal.length() - 1.0).abs() < 1e-14);
        prop_assert!(hit.normal.dot(ray.direction) < 0.0);
        prop_assert!(shape.signed_distance(point).abs() < 2e-14 * scale);
        prop_assert!(shape.contains(point));
        let away = out * scale;
        let distance = shape.signed_distance(point + hit.normal * away);
        prop_assert!((distance - away).abs() < 1e-13 * (scale + away), "{distance} {away} {hit:?}");
    }

    #[test]
    fn the_first_hit_of_any_ray_is_where_the_distance_first_vanishes(
        (shape, scale) in primitive(), p in vector(3.0), d in direction()
    ) {
        let ray = Ray::new(p * scale, d).unwrap();
        // Marching by the distance itself never passes the surface.
        let mut travelled = 0.0;
        for _ in 0..2000 {
            let distance = shape.signed_distance(ray.at(travelled));
            if distance < 1e-12 * scale || travelled > 10.0 * scale {
                break;
            }
            travelled += distance;
        }
        match shape.cast_ray(&ray, f64::INFINITY) {
            Some(hit) => {
                prop_assert!(shape.signed_distance(ray.at(hit.distance)) < 1e-13 * scale);
                // Where the ray grazes, the march stops within 1e-12 of the surface a little early, never late.
                prop_assert!(travelled <= hit.distance + 1e-12 * scale);
                prop_assert!(hit.distance - travelled < 1e-5 * scale);
                if shape.signed_distance(ray.origin) < -1e-13 * scale {
                    prop_assert_eq!((hit.distance, hit.normal), (0.0, -ray.direction));
                }
                prop_assert!(shape.cast_ray(&ray, hit.distance * (1.0 - 1e-12) - 1e-12 * scale).is_none());
            }
            None => prop_assert!(travelled > 9.0 * scale),
        }
    }

    #[test]
    fn a_ray_from_far_away_hits_the_same_surface((shape, scale) in primitive(), towards in direction()) {
        let center = shape.centroid().unwrap();
        let far = Ray::new(center + towards * (1e6 * scale), -towards).unwrap();
        let hit = shape.cast_ray(&far, f64::INFINITY).unwrap();
        // One ulp of the distance is 1e-10 of the size.
        prop_assert!(shape.signed_distance(far.at(hit.distance)).abs() < 1e-9 * scale);
    }

    #[test]
    fn distance_far_away_is_that_to_the_support_plane((shape, scale) in primitive(), towards in direction()) {
        let far = towards * (1e8 * scale);
        let exact = (far - shape.support(towards).unwrap()).dot(towards);
        prop_assert!((shape.signed_distance(far) - exact).abs() < 1e-7 * scale);
    }

    #[test]
    fn a_mesh_of_a_cube_answers_like_the_box(p in vector(3.0), d in direction(), frame in frame()) {
        let (mesh, cuboid) = (cube_mesh(), Cuboid::new(Vec3::splat(2.0)).unwrap());
        prop_assert!((mesh.signed_distance(p) - cuboid.signed_distance(p)).abs() < 1e-15);
        prop_assert_eq!(mesh.contains(p), cuboid.contains(p));
        let (a, b) = (mesh.bounding_box(&frame), cuboid.bounding_box(&frame));
        prop_assert!((a.min - b.min).length() < 1e-14 && (a.max - b.max).length() < 1e-14);
        prop_assert!((d.dot(mesh.support(d)) - d.dot(cuboid.support(d))).abs() < 1e-15);
        let ray = Ray::new(p, d).unwrap();
        match (mesh.cast_ray(&ray, 10.0), cuboid.cast_ray(&ray, 10.0)) {
            (Some(a), Some(b)) => {
                prop_assert!((a.distance - b.distance).abs() < 1e-13);
                prop_assert!((a.normal - b.normal).length() < 1e-15);
            }
            (a, b) => prop_assert_eq!(a, b),
        }
    }

    #[test]
    fn a_mesh_of_a_sharp_tetrahedron_answers_like_the_hull(
        corners in (vector(1.0), vector(1.0), vector(1.0), vector(1.0)), flatten in 0.01..1.0_f64, p in vector(3.0), d in direction()
    ) {
        // Squeezed flat, it has edges and corners at which the normal of a single face would tell inside from outside
        // wrongly.
        let corners = [corners.0, corners.1, corners.2, corners.3].map(|c| c * Vec3::new(1.0, 1.0, flatten));
        let triangles = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
        let mesh = TriangleMesh::new(corners.to_vec(), triangles).unwrap();
        let hull = ConvexHull::from_points(&corners).unwrap();
        prop_assume!(hull.volume() > 1e-4);
        prop_assert!(mesh.is_closed() && (mesh.volume() / hull.volume() - 1.0).abs() < 1e-10);
        prop_assert!((mesh.centroid().unwrap() - hull.centroid().unwrap()).length() < 1e-12);
        prop_assert!((mesh.surface_area() / hull.surface_area() - 1.0).abs() < 1e-13);
        let inner = corners.iter().fold(Vec3::ZERO, |sum, c| sum + *c * 0.25);
        for point in [p, p * 0.3, inner.lerp(p, 0.05), inner.lerp(corners[0], 1.3), corners[1].lerp(corners[2], 0.4)] {
            let (a, b) = (mesh.signed_distance(point), hull.signed_distance(point));
            prop_assert!((a - b).abs() < 1e-13, "{a} {b}");
        }
        let ray = Ray::new(p, d).unwrap();
        match (mesh.cast_ray(&ray, 10.0), hull.cast_ray(&ray, 10.0)) {
            (Some(a), Some(b)) => prop_assert!((a.distance - b.distance).abs() < 1e-9),
            (a, b) => prop_assert_eq!(a, b),
        }
    }

    #[test]
    fn a_half_space_is_its_plane(n in direction(), offset in -5.0..5.0_f64, p in vector(10.0), d in direction()) {
        let half_space = HalfSpace::new(n * 7.0, offset).unwrap();
        let height = half_space.signed_distance(p);
        prop_assert!((height - (n.dot(p) - offset)).abs() < 1e-14);
        prop_assert!(half_space.contains(p - n * height) && half_space.contains(p - n * (height + 1e-9)));
        prop_assert!(!half_space.contains(p - n * (height - 1e-9)));
        let ray = Ray::new(p, d).unwrap();
        match half_space.cast_ray(&ray, f64::INFINITY) {
            Some(hit) if height > 0.0 => {
                let miss = half_space.signed_distance(ray.at(hit.distance));
                prop_assert!(miss.abs() < 1e-15 * (20.0 + hit.distance));
                prop_assert!((hit.normal - n).length() < 1e-15);
            }
            Some(hit) => prop_assert_eq!(hit.distance, 0.0),
            None => prop_assert!(height > 0.0 && d.dot(n) >= 0.0),
        }
    }
}

#[test]
fn mesh_queries_agree_with_looking_at_every_triangle() {
    let mesh = wavy_mesh(12, 24);
    assert!(mesh.is_closed());
    let single = |t: usize| TriangleMesh::new(mesh.corners(t).to_vec(), vec![[0, 1, 2]]).unwrap();
    let alone: Vec<_> = (0..mesh.triangles().len()).map(single).collect();
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let agrees = |(p, d): (Vec3, Vec3)| {
        let brute = alone.iter().map(|t| t.signed_distance(p)).fold(f64::INFINITY, scalar::min);
        prop_assert!((mesh.signed_distance(p).abs() - brute).abs() < 1e-15);
        let ray = Ray::new(p, d).unwrap();
        let hits: Vec<f64> = alone.iter().filter_map(|t| t.cast_ray(&ray, 9.0)).map(|h| h.distance).collect();
        let inside = hits.len() % 2 == 1;
        prop_assert_eq!(mesh.signed_distance(p) < 0.0, inside);
        let first = hits.iter().copied().fold(f64::INFINITY, scalar::min);
        match mesh.cast_ray(&ray, 9.0) {
            Some(hit) if inside => prop_assert_eq!(hit.distance, 0.0),
            Some(hit) => prop_assert!((hit.distance - first).abs() < 1e-14),
            None => prop_assert!(hits.is_empty()),
        }
        Ok(())
    };
    runner.run(&(vector(2.0), direction()), agrees).unwrap();
}

#[test]
fn no_ray_slips_between_two_triangles() {
    let mesh = wavy_mesh(12, 24);
    // Straight at every vertex and at points of every edge, from near and from afar.
    for &triangle in mesh.triangles() {
        let [a, b, c] = triangle.map(|v| mesh.vertices()[v as usize]);
        for target in [a, b, c, a.midpoint(b), b.midpoint(c), a.midpoint(c), a.lerp(b, 0.3)] {
            let out = target.normalize();
            for start in [3.0, 1e3, 1e6] {
                let hit = mesh.cast_ray(&Ray::new(out * start, -out).unwrap(), f64::INFINITY).unwrap();
                assert!((hit.distance - (start - target.length())).abs() < 1e-15 * start, "{target} {start}");
            }
        }
    }
}

#[test]
fn a_compound_is_the_union_of_its_parts() {
    let part = |x: f64, shape: Shape| CompoundPart {
        frame: ReferenceFrame::from_position(Vec3::new(x, 0.0, 0.0)),
        shape,
    };
    let ball: Shape = Sphere::new(1.0).unwrap().into();
    let dumbbell: Shape = Compound::new(vec![part(-3.0, ball.clone()), part(3.0, ball)]).unwrap().into();
    assert_eq!(dumbbell.signed_distance(Vec3::ZERO), 2.0);
    assert_eq!(dumbbell.signed_distance(Vec3::X * 3.0), -1.0);
    assert_eq!(dumbbell.support(Vec3::X), Some(Vec3::X * 4.0));
    assert_eq!(dumbbell.centroid(), Some(Vec3::ZERO));
    let hit = dumbbell.cast_ray(&Ray::new(Vec3::X * 10.0, -Vec3::X).unwrap(), 100.0).unwrap();
    assert_eq!((hit.distance, hit.normal), (6.0, Vec3::X));
    let through = dumbbell.cast_ray(&Ray::new(Vec3::Y * 10.0, -Vec3::Y).unwrap(), 100.0);
    assert_eq!(through, None);
}

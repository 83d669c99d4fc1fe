//! Volume, centroid and inertia against closed forms, against each other, and against the laws every mass
//! distribution obeys.
//!
//! Tensors are about the centre of mass in the tensor sign convention: off-diagonal entries are `-∫ xy dm`.

#![allow(clippy::unwrap_used, reason = "a test that cannot build its scene has failed")]

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use msd::math::{Mat3, Quat, ReferenceFrame, Vec3, orientation, scalar};
use msd::physics::rigid_body::shape::{
    Capsule, Compound, CompoundPart, Cone, ConvexHull, Cuboid, Cylinder, Ellipsoid, Geometry, GeometryError,
    HalfSpace, Rounded, Shape, Sphere, TaperedCapsule, TriangleMesh,
};
use msd::physics::rigid_body::{InertiaError, MassProperties};
use proptest::prelude::*;

/// Largest difference of two tensors relative to the largest entry of the second.
fn relative_error(a: Mat3, b: Mat3) -> f64 {
    let largest = |m: Mat3| m.to_cols_array().iter().fold(0.0, |big, x| scalar::max(big, x.abs()));
    largest(a - b) / largest(b)
}

fn diagonal(x: f64, y: f64, z: f64) -> Mat3 {
    Mat3::from_diagonal(Vec3::new(x, y, z))
}

fn cuboid(x: f64, y: f64, z: f64) -> Shape {
    Cuboid::new(Vec3::new(x, y, z)).unwrap().into()
}

fn weighing(shape: &Shape, mass: f64) -> MassProperties {
    MassProperties::from_shape_with_mass(shape, mass).unwrap()
}

fn of_density(shape: &Shape, density: f64) -> MassProperties {
    MassProperties::from_shape_with_density(shape, density).unwrap()
}

const CUBE_FACES: [[u32; 4]; 6] =
    [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];

/// The corners of a box of this size about a centre, then turned and moved.
fn box_corners(size: Vec3, frame: &ReferenceFrame) -> Vec<Vec3> {
    let side = |i: u32, bit: u32| if i & bit == 0 { -0.5 } else { 0.5 };
    (0..8).map(|i| frame.point_to_parent(size * Vec3::new(side(i, 1), side(i, 2), side(i, 4)))).collect()
}

fn box_mesh(size: Vec3, frame: &ReferenceFrame) -> Shape {
    let triangles = CUBE_FACES.iter().flat_map(|q| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]]).collect();
    TriangleMesh::new(box_corners(size, frame), triangles).unwrap().into()
}

fn hull(points: &[Vec3]) -> Shape {
    ConvexHull::from_points(points).unwrap().into()
}

/// The same box as a primitive at rest, as a mesh and as a hull.
fn box_in_three_ways(size: Vec3) -> [Shape; 3] {
    let rest = ReferenceFrame::IDENTITY;
    [Cuboid::new(size).unwrap().into(), box_mesh(size, &rest), hull(&box_corners(size, &rest))]
}

fn tetrahedron_mesh(corners: [Vec3; 4]) -> Shape {
    let triangles = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    TriangleMesh::new(corners.to_vec(), triangles).unwrap().into()
}

fn regular_tetrahedron(edge: f64) -> [Vec3; 4] {
    let s = edge / 8.0_f64.sqrt();
    [Vec3::new(s, s, s), Vec3::new(s, -s, -s), Vec3::new(-s, s, -s), Vec3::new(-s, -s, s)]
}

/// The surface swept by a profile (ρ, z) from the bottom to the top of the axis, both ends on the axis.
fn revolved(profile: &[(f64, f64)], segments: u32) -> Shape {
    let (first, last) = (profile[0], profile[profile.len() - 1]);
    let mut vertices = vec![Vec3::Z * first.1, Vec3::Z * last.1];
    let rings = &profile[1..profile.len() - 1];
    for &(rho, z) in rings {
        vertices.extend((0..segments).map(|j| {
            let (s, c) = scalar::sin_cos(TAU * f64::from(j) / f64::from(segments));
            Vec3::new(rho * c, rho * s, z)
        }));
    }
    let at = |ring: usize, j: u32| 2 + ring as u32 * segments + j % segments;
    let mut triangles = Vec::new();
    for j in 0..segments {
        triangles.push([0, at(0, j + 1), at(0, j)]);
        triangles.push([1, at(rings.len() - 1, j), at(rings.len() - 1, j + 1)]);
        for ring in 1..rings.len() {
            triangles.push([at(ring - 1, j), at(ring - 1, j + 1), at(ring, j + 1)]);
            triangles.push([at(ring - 1, j), at(ring, j + 1), at(ring, j)]);
        }
    }
    TriangleMesh::new(vertices, triangles).unwrap().into()
}

/// Points of a quarter circle about (0, z) from angle -90° or 0° upwards, `steps` steps.
fn arc(radius: f64, z: f64, from: f64, steps: u32) -> Vec<(f64, f64)> {
    let point = |i: u32| {
        let (s, c) = scalar::sin_cos(from + FRAC_PI_2 * f64::from(i) / f64::from(steps));
        (if c.abs() < 1e-15 { 0.0 } else { radius * c }, z + radius * s)
    };
    (0..=steps).map(point).collect()
}

fn tessellated(shape: &Shape, n: u32) -> Shape {
    match shape {
        Shape::Sphere(s) => {
            let mut profile = arc(s.radius(), 0.0, -FRAC_PI_2, n / 4);
            profile.extend(arc(s.radius(), 0.0, 0.0, n / 4).into_iter().skip(1));
            revolved(&profile, n)
        }
        Shape::Ellipsoid(e) => {
            let Shape::Mesh(ball) = tessellated(&Sphere::new(1.0).unwrap().into(), n) else { unreachable!() };
            let vertices = ball.vertices().iter().map(|vertex| *vertex * e.radii()).collect();
            TriangleMesh::new(vertices, ball.triangles().to_vec()).unwrap().into()
        }
        Shape::Capsule(c) => {
            let mut profile = arc(c.radius(), -0.5 * c.length(), -FRAC_PI_2, n / 4);
            profile.extend(arc(c.radius(), 0.5 * c.length(), 0.0, n / 4));
            revolved(&profile, n)
        }
        Shape::TaperedCapsule(c) => {
            // Where the cone touches the balls.
            let slope = scalar::asin((c.bottom_radius() - c.top_radius()) / c.length());
            let part = |radius: f64, z: f64, from: f64, to: f64| {
                // Up to a half circle.
                (0..=n / 2).map(move |i| {
                    let (s, co) = scalar::sin_cos(from + (to - from) * f64::from(i) / f64::from(n / 2));
                    (if co.abs() < 1e-15 { 0.0 } else { radius * co }, z + radius * s)
                })
            };
            let half = 0.5 * c.length();
            let bottom = part(c.bottom_radius(), -half, -FRAC_PI_2, slope);
            revolved(&bottom.chain(part(c.top_radius(), half, slope, FRAC_PI_2)).collect::<Vec<_>>(), n)
        }
        Shape::Cylinder(c) => {
            let (r, h) = (c.radius(), 0.5 * c.length());
            revolved(&[(0.0, -h), (r, -h), (r, h), (0.0, h)], n)
        }
        Shape::Cone(c) => {
            let (r, h) = (c.radius(), 0.5 * c.length());
            revolved(&[(0.0, -h), (r, -h), (0.0, h)], n)
        }
        _ => unreachable!("only curved shapes are tessellated"),
    }
}

fn curved_shapes() -> [Shape; 7] {
    [
        Sphere::new(1.3).unwrap().into(),
        Capsule::new(0.7, 1.9).unwrap().into(),
        Cylinder::new(0.8, 2.1).unwrap().into(),
        Cone::new(1.1, 1.7).unwrap().into(),
        Ellipsoid::new(Vec3::new(0.6, 1.4, 0.9)).unwrap().into(),
        TaperedCapsule::new(0.9, 0.4, 1.3).unwrap().into(),
        TaperedCapsule::new(0.3, 1.1, 0.9).unwrap().into(),
    ]
}

// ── The promised numbers ────────────────────────────────────────────────────────────────────────────────────────

#[test]
fn a_unit_cube_has_a_sixth_of_its_mass_on_the_diagonal() {
    for mass in [1e-6, 1.0, 5.0, 1e7] {
        let expected = Mat3::IDENTITY * (mass / 6.0);
        for shape in box_in_three_ways(Vec3::ONE) {
            assert!(relative_error(weighing(&shape, mass).inertia(), expected) < 1e-14);
        }
    }
}

#[test]
fn a_box_of_2_3_4_has_25_20_13_twelfths() {
    for mass in [1.0, 24.0] {
        let expected = diagonal(25.0, 20.0, 13.0) * (mass / 12.0);
        for shape in box_in_three_ways(Vec3::new(2.0, 3.0, 4.0)) {
            assert!(relative_error(weighing(&shape, mass).inertia(), expected) < 1e-14);
        }
    }
}

#[test]
fn a_regular_tetrahedron_has_a_twentieth_of_its_mass_times_edge_squared() {
    for edge in [1e-3, 1.0, 7.0, 1e3] {
        let corners = regular_tetrahedron(edge);
        for shape in [tetrahedron_mesh(corners), hull(&corners)] {
            let solid = weighing(&shape, 3.0);
            assert!(relative_error(solid.inertia(), Mat3::IDENTITY * (3.0 * edge * edge / 20.0)) < 1e-14);
        }
    }
}

#[test]
fn a_right_tetrahedron_has_the_textbook_tensor_in_the_tensor_convention() {
    let corners = [Vec3::ZERO, Vec3::X * 5.0, Vec3::Y * 4.0, Vec3::Z * 3.0];
    // ∫ xy dm about the centroid is m ab/20 - m (a/4)(b/4) = 10 - 12.5 = -2.5: the entries are -∫ xy dm.
    let expected = Mat3::from_cols(
        Vec3::new(9.375, 2.5, 1.875),
        Vec3::new(2.5, 12.75, 1.5),
        Vec3::new(1.875, 1.5, 15.375),
    );
    for shape in [tetrahedron_mesh(corners), hull(&corners)] {
        let solid = of_density(&shape, 1.0);
        assert!((solid.mass() / 10.0 - 1.0).abs() < 1e-14);
        assert!((solid.center_of_mass() - Vec3::new(1.25, 1.0, 0.75)).length() < 1e-15);
        assert!(relative_error(solid.inertia(), expected) < 1e-14);
    }
}

#[test]
fn thin_tiny_and_huge_boxes_are_exact() {
    let sizes = [1e-3, 1e-2, 1.0, 10.0, 1e3];
    let mut boxes = vec![Vec3::new(0.01, 1.0, 1.0)];
    boxes.extend(sizes.iter().flat_map(|&x| sizes.iter().map(move |&y| Vec3::new(x, y, 1e-3))));
    boxes.extend(sizes.map(Vec3::splat));
    for size in boxes {
        let s = size * size;
        let expected = diagonal(s.y + s.z, s.x + s.z, s.x + s.y) * (7.0 / 12.0);
        let volume = size.x * size.y * size.z;
        for shape in box_in_three_ways(size) {
            let tensor = weighing(&shape, 7.0).inertia();
            assert!(relative_error(tensor, expected) < 1e-14, "{size}");
            // Each moment by itself too: the smallest is 1e12 times smaller than the largest.
            for k in 0..3 {
                assert!((tensor.col(k)[k] / expected.col(k)[k] - 1.0).abs() < 1e-13, "{size}");
            }
            assert!((of_density(&shape, 2.0).mass() - 2.0 * volume).abs() < 1e-14 * volume, "{size}");
        }
    }
}

#[test]
fn primitives_have_their_closed_forms() {
    for scale in [1e-3, 0.1, 1.0, 1e3] {
        let (r, l, m) = (2.0 * scale, 3.0 * scale, 5.0);
        let s2 = scale * scale;
        let volume_of_pi = PI * scale * s2;
        let capsule_mass = (12.0 * PI, 32.0 / 3.0 * PI, 12.0 * PI + 32.0 / 3.0 * PI);
        let (barrel, caps) = (m * capsule_mass.0 / capsule_mass.2, m * capsule_mass.1 / capsule_mass.2);
        let capsule_across = barrel * (3.0 * 4.0 + 9.0) / 12.0 + caps * (1.6 + 2.25 + 2.25);
        let capsule_along = barrel * 2.0 + caps * 1.6;
        let cases: [(Shape, f64, f64, Vec3); 5] = [
            // m (b² + c²)/5 and its permutations.
            (Ellipsoid::new(Vec3::new(r, l, scale)).unwrap().into(), 8.0, 0.0, Vec3::new(10.0, 5.0, 13.0)),
            (Sphere::new(r).unwrap().into(), 32.0 / 3.0, 0.0, Vec3::splat(8.0)),
            (
                Capsule::new(r, l).unwrap().into(),
                12.0 + 32.0 / 3.0,
                0.0,
                Vec3::new(capsule_across, capsule_across, capsule_along),
            ),
            (Cylinder::new(r, l).unwrap().into(), 12.0, 0.0, Vec3::new(8.75, 8.75, 10.0)),
            // 3/20 m r² + 3/80 m l² and 3/10 m r².
            (Cone::new(r, l).unwrap().into(), 4.0, -0.75 * scale, Vec3::new(4.6875, 4.6875, 6.0)),
        ];
        for (shape, volume, center, moments) in cases {
            let solid = weighing(&shape, m);
            assert!(relative_error(solid.inertia(), Mat3::from_diagonal(moments * s2)) < 1e-15);
            assert!((solid.center_of_mass() - Vec3::Z * center).length() < 1e-15 * scale);
            assert!((shape.volume() / (volume * volume_of_pi) - 1.0).abs() < 1e-15);
            assert!((of_density(&shape, 3.0).mass() / (3.0 * shape.volume()) - 1.0).abs() < 1e-15);
        }
    }
}

#[test]
fn surface_areas_have_their_closed_forms() {
    let shapes: [(Shape, f64); 5] = [
        (Sphere::new(2.0).unwrap().into(), 16.0 * PI),
        (cuboid(1.0, 2.0, 3.0), 22.0),
        (Capsule::new(2.0, 3.0).unwrap().into(), 28.0 * PI),
        (Cylinder::new(2.0, 3.0).unwrap().into(), 20.0 * PI),
        (Cone::new(3.0, 4.0).unwrap().into(), 24.0 * PI),
    ];
    for (shape, area) in shapes {
        assert!((shape.surface_area() / area - 1.0).abs() < 1e-15, "{}", shape.type_name());
    }
}

#[test]
fn a_cube_at_ten_has_its_centroid_at_ten() {
    let frame = ReferenceFrame::from_position(Vec3::X * 10.0);
    let mesh = box_mesh(Vec3::ONE, &frame);
    let part = CompoundPart { frame, shape: cuboid(1.0, 1.0, 1.0) };
    let compound: Shape = Compound::new(vec![part]).unwrap().into();
    let hull = hull(&box_corners(Vec3::ONE, &frame));
    for shape in [mesh, hull, compound] {
        assert!((shape.centroid().unwrap() - Vec3::X * 10.0).length() < 1e-14);
        assert!((weighing(&shape, 1.0).center_of_mass() - Vec3::X * 10.0).length() < 1e-14);
        assert!(relative_error(weighing(&shape, 6.0).inertia(), Mat3::IDENTITY) < 1e-14);
    }
}

#[test]
fn a_needle_and_a_fine_mesh_keep_their_digits() {
    let frame =
        ReferenceFrame::from_orientation(orientation::from_rotation_vector(Vec3::new(0.3, 0.7, -1.1)));
    for size in [Vec3::new(1e-3, 1e-3, 1.0), Vec3::new(1e-3, 1.0, 1e3), Vec3::new(1e-6, 1.0, 1.0)] {
        let exact = weighing(&Cuboid::new(size).unwrap().into(), 1.0).placed(&frame);
        for shape in [box_mesh(size, &frame), hull(&box_corners(size, &frame))] {
            let solid = weighing(&shape, 1.0);
            // The loss is at most the effect of rounding the corners on the smallest thickness.
            let rounding = f64::EPSILON * size.max_element() / size.min_element();
            assert!(relative_error(solid.inertia(), exact.inertia()) < 4.0 * rounding, "{size}");
            let (moments, expected) = (solid.principal().values, exact.principal().values);
            assert!((moments.x / expected.x - 1.0).abs() < 1e-8, "{size}: {moments} {expected}");
        }
    }
    // A cylinder of 40 000 triangles and the prism over the same polygon: closed forms of a regular n-gon.
    let n = 10_000;
    let (s, c) = scalar::sin_cos(PI / f64::from(n));
    let prism = tessellated(&Cylinder::new(1.0, 2.0).unwrap().into(), n);
    let area = f64::from(n) * s * c;
    assert!((of_density(&prism, 1.0).mass() / (2.0 * area) - 1.0).abs() < 1e-14);
    // About the axis of a regular polygon with circumradius 1: (1 + 2 cos²(π/n))/6.
    let about_axis = weighing(&prism, 1.0).inertia().z_axis.z;
    assert!((about_axis / ((1.0 + 2.0 * c * c) / 6.0) - 1.0).abs() < 1e-14);
}

#[test]
fn a_distant_origin_does_not_change_the_inertia() {
    let turned = orientation::from_rotation_vector(Vec3::new(0.4, -1.1, 0.7));
    let size = Vec3::new(0.5, 1.0, 2.0);
    let here = weighing(&box_mesh(size, &ReferenceFrame::from_orientation(turned)), 3.0);
    let far = Vec3::new(1e6, -1e6, 1e6);
    let there = weighing(&box_mesh(size, &ReferenceFrame::new(far, turned)), 3.0);
    // Coordinates at 1e6 m are spaced by 1e-10 m, which is all that may be lost.
    assert!(relative_error(there.inertia(), here.inertia()) < 1e-9);
    assert!((there.center_of_mass() - here.center_of_mass() - far).length() < 1e-9);
}

#[test]
fn duplicates_and_inner_points_leave_a_cube_a_cube() {
    let mut points = box_corners(Vec3::ONE, &ReferenceFrame::IDENTITY);
    points.extend_from_within(..);
    points.extend([
        Vec3::ZERO,
        Vec3::new(0.5, 0.1, 0.2),
        Vec3::new(0.1, -0.2, 0.3),
        Vec3::new(0.5, 0.5, 0.0),
    ]);
    let cube = ConvexHull::from_points(&points).unwrap();
    assert_eq!((cube.vertices().len(), cube.faces().len()), (8, 6));
    assert!((cube.volume() - 1.0).abs() < 1e-15);
    assert!(relative_error(weighing(&cube.into(), 6.0).inertia(), Mat3::IDENTITY) < 1e-14);
}

#[test]
fn points_without_a_hull_are_refused_with_the_reason() {
    let refused = |points: &[Vec3]| ConvexHull::from_points(points).unwrap_err();
    assert_eq!(refused(&[]), GeometryError::NoPoints);
    let few = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::X];
    assert_eq!(refused(&few), GeometryError::TooFewPoints { given: 4, distinct: 3 });
    let line: Vec<Vec3> = (0..5).map(|i| Vec3::new(1.0, 2.0, 3.0) * f64::from(i)).collect();
    assert_eq!(refused(&line), GeometryError::Collinear(5));
    let sheet = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::X + Vec3::Y, Vec3::X * 2.0];
    assert_eq!(refused(&sheet), GeometryError::Coplanar(5));
    let broken = [Vec3::ZERO, Vec3::X, Vec3::new(0.0, f64::NAN, 0.0), Vec3::Z];
    assert!(matches!(refused(&broken), GeometryError::NotFinite { index: 2, .. }));
}

#[test]
fn a_hull_knows_inside_surface_and_outside() {
    let cube = hull(&box_corners(Vec3::ONE, &ReferenceFrame::IDENTITY));
    for (point, distance) in [
        (Vec3::ZERO, -0.5),
        (Vec3::new(0.4, 0.0, 0.0), -0.1),
        (Vec3::new(0.5, 0.1, -0.2), 0.0),
        (Vec3::new(0.5, 0.5, 0.5), 0.0),
        (Vec3::new(0.0, 0.0, -2.5), 2.0),
        (Vec3::new(3.5, 4.5, 0.0), 5.0),
        (Vec3::new(-2.5, 2.5, 1.5), 3.0),
    ] {
        assert!((cube.signed_distance(point) - distance).abs() < 1e-15, "{point}");
        assert_eq!(cube.contains(point), distance <= 0.0, "{point}");
    }
}

// ── Laws ────────────────────────────────────────────────────────────────────────────────────────────────────────

fn vector(limit: f64) -> impl Strategy<Value = Vec3> {
    (-limit..limit, -limit..limit, -limit..limit).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

fn rotation() -> impl Strategy<Value = Quat> {
    vector(3.0).prop_map(orientation::from_rotation_vector)
}

/// A primitive with lengths given in units of `scale`.
fn primitive(kind: u32, lengths: Vec3, scale: f64) -> Shape {
    let l = lengths * scale;
    match kind {
        0 => Sphere::new(l.x).unwrap().into(),
        1 => Cuboid::new(l).unwrap().into(),
        2 => Capsule::new(l.x, l.y).unwrap().into(),
        3 => Cylinder::new(l.x, l.y).unwrap().into(),
        4 => Ellipsoid::new(l).unwrap().into(),
        5 => Rounded::new(Cuboid::new(l).unwrap(), l.x).unwrap().into(),
        6 => Rounded::new(Cylinder::new(l.x, l.y).unwrap(), l.z).unwrap().into(),
        7 => TaperedCapsule::new(l.x, l.y, (l.x - l.y).abs() + l.z).unwrap().into(),
        _ => Cone::new(l.x, l.y).unwrap().into(),
    }
}

fn lengths() -> impl Strategy<Value = Vec3> {
    (0.05..1.0_f64, 0.05..1.0_f64, 0.05..1.0_f64).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

fn compound() -> impl Strategy<Value = Shape> {
    let part = (0..9_u32, lengths(), vector(3.0), rotation()).prop_map(|(kind, l, position, q)| {
        CompoundPart { frame: ReferenceFrame::new(position, q), shape: primitive(kind, l, 1.0) }
    });
    proptest::collection::vec(part, 1..6).prop_map(|parts| Compound::new(parts).unwrap().into())
}

proptest! {
    #[test]
    fn tensors_are_symmetric_positive_and_obey_the_triangle_inequality(shape in compound(), mass in 1e-3..1e3_f64) {
        let solid = weighing(&shape, mass);
        prop_assert_eq!(solid.inertia(), solid.inertia().transpose());
        let moments = solid.principal().values;
        prop_assert!(moments.x > 0.0 && moments.z <= (moments.x + moments.y) * (1.0 + 1e-14));
        let inertia = solid.to_inertia().unwrap();
        prop_assert_eq!(inertia.mass(), mass);
        prop_assert_eq!(inertia.tensor_body(), solid.inertia());
    }

    #[test]
    fn inertia_scales_with_length_squared_and_volume_with_length_cubed(
        kind in 0..5_u32, lengths in lengths(), exponent in -3.0..3.0_f64
    ) {
        let scale = scalar::pow(10.0, exponent);
        let (one, scaled) = (primitive(kind, lengths, 1.0), primitive(kind, lengths, scale));
        let s2 = scale * scale;
        prop_assert!((scaled.volume() / (one.volume() * s2 * scale) - 1.0).abs() < 1e-14);
        prop_assert!((scaled.surface_area() / (one.surface_area() * s2) - 1.0).abs() < 1e-14);
        let same_mass = relative_error(weighing(&scaled, 2.0).inertia(), weighing(&one, 2.0).inertia() * s2);
        prop_assert!(same_mass < 1e-14);
        let same_density =
            relative_error(of_density(&scaled, 2.0).inertia(), of_density(&one, 2.0).inertia() * (s2 * s2 * scale));
        prop_assert!(same_density < 1e-14);
    }

    #[test]
    fn a_box_cut_into_boxes_is_the_box(
        size in lengths(), cuts in (0.01..0.99_f64, 0.01..0.99_f64, 0.01..0.99_f64), frame in (vector(5.0), rotation())
    ) {
        let frame = ReferenceFrame::new(frame.0, frame.1);
        let cut = Vec3::new(cuts.0, cuts.1, cuts.2);
        let parts = (0..8_u32).map(|i| {
            let low = |axis: usize| if i >> axis & 1 == 0 { 0.0 } else { cut[axis] };
            let high = |axis: usize| if i >> axis & 1 == 0 { cut[axis] } else { 1.0 };
            let (a, b) = (Vec3::new(low(0), low(1), low(2)), Vec3::new(high(0), high(1), high(2)));
            let center = ((a + b) * 0.5 - Vec3::splat(0.5)) * size;
            CompoundPart {
                frame: frame.compose(&ReferenceFrame::from_position(center)),
                shape: Cuboid::new((b - a) * size).unwrap().into(),
            }
        });
        let pieces: Shape = Compound::new(parts.collect()).unwrap().into();
        let whole = weighing(&Cuboid::new(size).unwrap().into(), 3.0).placed(&frame);
        let sum = weighing(&pieces, 3.0);
        prop_assert!(relative_error(sum.inertia(), whole.inertia()) < 1e-13);
        prop_assert!((sum.center_of_mass() - whole.center_of_mass()).length() < 1e-14);
        prop_assert!((pieces.centroid().unwrap() - whole.center_of_mass()).length() < 1e-14);
        prop_assert!((pieces.volume() / (size.x * size.y * size.z) - 1.0).abs() < 1e-14);
    }

    #[test]
    fn a_polyhedron_split_at_any_inner_point_is_the_sum_of_its_tetrahedra(
        size in lengths(), inner in vector(0.49), frame in (vector(5.0), rotation())
    ) {
        let frame = ReferenceFrame::new(frame.0, frame.1);
        let whole = of_density(&box_mesh(size, &frame), 2.0);
        let corners = box_corners(size, &frame);
        let apex = frame.point_to_parent(inner * size);
        let fans = CUBE_FACES.iter().flat_map(|q| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]]);
        let tetrahedra = fans.map(|t| {
            let [a, b, c] = t.map(|i| corners[i as usize]);
            of_density(&tetrahedron_mesh([apex, a, c, b]), 2.0)
        });
        let sum = tetrahedra.reduce(|sum, one| sum.combine(&one).unwrap()).unwrap();
        prop_assert!((sum.mass() / whole.mass() - 1.0).abs() < 1e-12);
        prop_assert!((sum.center_of_mass() - whole.center_of_mass()).length() < 1e-13);
        prop_assert!(relative_error(sum.inertia(), whole.inertia()) < 1e-12);
    }

    #[test]
    fn turning_the_shape_turns_the_tensor(size in lengths(), position in vector(5.0), q in rotation()) {
        let frame = ReferenceFrame::new(position, q);
        let straight = weighing(&Cuboid::new(size).unwrap().into(), 3.0);
        let r = frame.rotation();
        let expected = r * straight.inertia() * r.transpose();
        let mesh = weighing(&box_mesh(size, &frame), 3.0);
        prop_assert!(relative_error(mesh.inertia(), expected) < 1e-12);
        prop_assert!((mesh.center_of_mass() - position).length() < 1e-14);
        prop_assert!(relative_error(straight.placed(&frame).inertia(), expected) < 1e-14);
        let back = straight.rotated(q).rotated(q.conjugate());
        prop_assert!(relative_error(back.inertia(), straight.inertia()) < 1e-14);
    }

    #[test]
    fn the_integrals_over_any_hull_agree_with_its_own_volume_and_centroid(
        points in proptest::collection::vec(vector(1.0), 5..40), exponent in -3.0..3.0_f64, q in rotation()
    ) {
        let scale = scalar::pow(10.0, exponent);
        let points: Vec<Vec3> = points.iter().map(|p| *p * scale).collect();
        let hull_here = hull(&points);
        prop_assume!(hull_here.volume() > 1e-3 * scale * scale * scale);
        let here = of_density(&hull_here, 1.0);
        prop_assert!((here.mass() / hull_here.volume() - 1.0).abs() < 1e-13);
        prop_assert!((here.center_of_mass() - hull_here.centroid().unwrap()).length() < 1e-13 * scale);
        // Moved by a million of its own size, and turned.
        let far = Vec3::new(1e6, -1e6, 1e6) * scale;
        let moved: Vec<Vec3> = points.iter().map(|p| far + *p).collect();
        prop_assert!(relative_error(of_density(&hull(&moved), 1.0).inertia(), here.inertia()) < 1e-8);
        let turned: Vec<Vec3> = points.iter().map(|p| q * *p).collect();
        prop_assert!(relative_error(of_density(&hull(&turned), 1.0).inertia(), here.rotated(q).inertia()) < 1e-12);
    }

    #[test]
    fn combining_is_commutative_and_associative(a in compound(), b in compound(), c in compound()) {
        let [a, b, c] = [of_density(&a, 1.0), of_density(&b, 3.0), of_density(&c, 0.2)];
        let left = a.combine(&b).unwrap().combine(&c).unwrap();
        let right = c.combine(&b).unwrap().combine(&a).unwrap();
        prop_assert!((left.mass() - right.mass()).abs() < 1e-14 * left.mass());
        prop_assert!((left.center_of_mass() - right.center_of_mass()).length() < 1e-14);
        prop_assert!(relative_error(left.inertia(), right.inertia()) < 1e-13);
    }
}

#[test]
fn polyhedra_approach_curved_shapes_with_the_square_of_the_edge_length() {
    for shape in curved_shapes() {
        let exact = of_density(&shape, 1.0);
        let error = |n: u32| {
            let rough = of_density(&tessellated(&shape, n), 1.0);
            [
                1.0 - rough.mass() / exact.mass(),
                1.0 - rough.inertia().x_axis.x / exact.inertia().x_axis.x,
                1.0 - rough.inertia().z_axis.z / exact.inertia().z_axis.z,
            ]
        };
        let [coarse, middle, fine] = [error(64), error(128), error(256)];
        for k in 0..3 {
            let order = scalar::ln(middle[k] / fine[k]) / scalar::ln(2.0);
            assert!((order - 2.0).abs() < 0.01, "{}: order {order}", shape.type_name());
            // Two steps of Richardson's extrapolation, for errors in even powers, leave the sixth order.
            let (a, b) = ((4.0 * middle[k] - coarse[k]) / 3.0, (4.0 * fine[k] - middle[k]) / 3.0);
            let extrapolated = (16.0 * b - a) / 15.0;
            assert!(extrapolated.abs() < 1e-9, "{}: {extrapolated:e}", shape.type_name());
        }
    }
}

#[test]
fn counting_points_inside_gives_the_same_volume_and_inertia() {
    // The plastic-number sequence fills a cube evenly: the error falls almost with 1/n, not with 1/√n.
    const COUNT: u32 = 1_000_000;
    const STEP: Vec3 = Vec3::new(0.819_172_513_396_164_5, 0.671_043_606_703_789_3, 0.549_700_477_901_970_3);
    for shape in curved_shapes().into_iter().chain([cuboid(1.0, 2.0, 0.5)]) {
        let exact = of_density(&shape, 1.0);
        let bounds = shape.bounding_box(&ReferenceFrame::IDENTITY);
        let cell = bounds.size().x * bounds.size().y * bounds.size().z / f64::from(COUNT);
        let (mut count, mut first, mut squares) = (0.0, Vec3::ZERO, Vec3::ZERO);
        for i in 0..COUNT {
            let p = bounds.min + (STEP * f64::from(i) + Vec3::splat(0.5)).fract() * bounds.size();
            if shape.contains(p) {
                count += 1.0;
                first += p;
                squares += (p - exact.center_of_mass()) * (p - exact.center_of_mass());
            }
        }
        let moments = Vec3::new(squares.y + squares.z, squares.x + squares.z, squares.x + squares.y) * cell;
        assert!((count * cell / exact.mass() - 1.0).abs() < 1e-3, "{}", shape.type_name());
        assert!((first / count - exact.center_of_mass()).length() < 1e-3, "{}", shape.type_name());
        assert!(
            relative_error(Mat3::from_diagonal(moments), exact.inertia()) < 1e-3,
            "{}",
            shape.type_name()
        );
    }
}

#[test]
fn what_has_no_volume_has_no_mass() {
    let plane: Shape = HalfSpace::new(Vec3::Z, 0.0).unwrap().into();
    let sheet: Shape = TriangleMesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]]).unwrap().into();
    let error = |shape: &Shape| MassProperties::from_shape_with_density(shape, 1.0).unwrap_err();
    assert_eq!(error(&plane), InertiaError::NoVolume("plane"));
    assert_eq!(error(&sheet), InertiaError::NoVolume("mesh that is not closed"));
    assert_eq!((sheet.volume(), sheet.centroid()), (0.0, None));
    assert_eq!((plane.volume(), plane.centroid()), (f64::INFINITY, None));
}

#[test]
fn moments_near_the_end_of_the_range_of_numbers_stay_finite() {
    let tensor = Mat3::from_diagonal(Vec3::new(0.7e308, 0.7e308, 1.2e308));
    let inertia = MassProperties::new(1e155, Vec3::ZERO, tensor).unwrap().to_inertia().unwrap();
    assert_eq!(inertia.tensor_body(), tensor);
}

/// A rounded box is a box, six plates, twelve quarters of cylinders and eight eighths of a ball. Of a quarter of a disc
/// `∫u = r³/3` and `∫u² = π r⁴/16`, of an eighth of a ball `∫u = π r⁴/16` and `∫u² = π r⁵/30`.
#[test]
fn a_rounded_box_weighs_what_its_parts_weigh() {
    for scale in [1e-3, 1.0, 1e3] {
        let (size, r) = (Vec3::new(1.0, 2.0, 3.0) * scale, 0.4 * scale);
        let shape: Shape = Rounded::new(Cuboid::new(size).unwrap(), r).unwrap().into();
        let half = 0.5 * size;
        let (r2, r3) = (r * r, r * r * r);
        let moment = |a: usize| {
            let (b, c) = ((a + 1) % 3, (a + 2) % 3);
            let (ha, hb, hc) = (half[a], half[b], half[c]);
            let slab = ha * ha * ha * (2.0 / 3.0);
            let beyond = ((ha + r) * (ha + r) * (ha + r) - ha * ha * ha) * (2.0 / 3.0);
            let core = slab * 4.0 * hb * hc;
            let plates = beyond * 4.0 * hb * hc + slab * 4.0 * r * (hb + hc);
            let along = slab * PI * r2;
            let quarter = ha * ha * PI * r2 / 4.0 + 2.0 * ha * r3 / 3.0 + PI * r2 * r2 / 16.0;
            let eighth = ha * ha * PI * r3 / 6.0 + 2.0 * ha * PI * r3 * r / 16.0 + PI * r3 * r2 / 30.0;
            core + plates + along + 8.0 * (hb + hc) * quarter + 8.0 * eighth
        };
        let volume = size.x * size.y * size.z
            + 2.0 * r * (size.x * size.y + size.y * size.z + size.z * size.x)
            + PI * r2 * (size.x + size.y + size.z)
            + 4.0 / 3.0 * PI * r3;
        let [x, y, z] = [moment(0), moment(1), moment(2)].map(|m| m / volume);
        let expected = Mat3::from_diagonal(Vec3::new(y + z, x + z, x + y) * 7.0);
        let solid = weighing(&shape, 7.0);
        assert!(relative_error(solid.inertia(), expected) < 1e-14, "{} {expected}", solid.inertia());
        assert!((shape.volume() / volume - 1.0).abs() < 1e-14);
        assert!((of_density(&shape, 1.0).mass() / volume - 1.0).abs() < 1e-14);
        assert!(solid.center_of_mass().length() < 1e-15 * scale);
    }
}

#[test]
fn shapes_that_are_mostly_margin_are_capsules_and_balls() {
    let rod: Shape = Rounded::new(Cylinder::new(1e-9, 2.0).unwrap(), 0.5).unwrap().into();
    let capsule: Shape = Capsule::new(0.5, 2.0).unwrap().into();
    assert!(relative_error(weighing(&rod, 3.0).inertia(), weighing(&capsule, 3.0).inertia()) < 1e-8);
    let speck: Shape = Rounded::new(Cuboid::new(Vec3::splat(1e-9)).unwrap(), 0.5).unwrap().into();
    let ball: Shape = Sphere::new(0.5).unwrap().into();
    assert!(relative_error(weighing(&speck, 3.0).inertia(), weighing(&ball, 3.0).inertia()) < 1e-8);
    assert!((speck.surface_area() / PI - 1.0).abs() < 1e-8);
    assert!((rod.surface_area() / (3.0 * PI) - 1.0).abs() < 1e-8);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    /// The hull of fine balls of points about the corners approaches a rounded hull from inside.
    #[test]
    fn rounded_hulls_weigh_what_fine_hulls_of_their_surface_weigh(
        points in proptest::collection::vec(vector(1.0), 6..12), radius in 0.05..1.0_f64
    ) {
        let Ok(core) = ConvexHull::from_points(&points) else { return Ok(()) };
        let rounded: Shape = Rounded::new(core.clone(), radius).unwrap().into();
        let balls = core.vertices().iter().flat_map(|v| {
            let v = *v;
            (0..1500).map(move |k| {
                let z = 1.0 - (2.0 * f64::from(k) + 1.0) / 1500.0;
                let (s, c) = scalar::sin_cos(2.399_963_229_728_653 * f64::from(k));
                let rho = (1.0 - z * z).sqrt();
                v + Vec3::new(rho * c, rho * s, z) * radius
            })
        });
        let fine: Shape = ConvexHull::from_points(&balls.collect::<Vec<_>>()).unwrap().into();
        let (exact, near) = (of_density(&rounded, 1.0), of_density(&fine, 1.0));
        prop_assert!(near.mass() < exact.mass() && near.mass() > 0.985 * exact.mass());
        prop_assert!(exact.center_of_mass().distance(near.center_of_mass()) < 0.01);
        prop_assert!(relative_error(near.inertia(), exact.inertia()) < 0.03);
        prop_assert!((rounded.volume() / exact.mass() - 1.0).abs() < 1e-12);
        prop_assert!(rounded.centroid().unwrap().distance(exact.center_of_mass()) < 1e-14);
        let area = fine.surface_area() / rounded.surface_area();
        prop_assert!(area < 1.0 && area > 0.98, "{}", area);
    }
}

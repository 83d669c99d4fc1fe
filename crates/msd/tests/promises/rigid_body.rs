//! Library "primitives", physics "convex hull", "mass properties", "forces", "rest", "potential energy".

use msd::environment::{BodyDescription, World};
use msd::math::{AngularCoordinate, Mat3, Vec3};
use msd::physics::forces::{Field, UniformGravity};
use msd::physics::rigid_body::shape::{ConvexHull, Cuboid, Geometry, Shape, TriangleMesh};
use msd::physics::rigid_body::{InertialState, MassProperties, RestThresholds};
use msd::tolerance;

fn box_points(size: Vec3, at: Vec3) -> Vec<Vec3> {
    let corner = |k: u32| Vec3::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2)) - 0.5;
    (0..8).map(|k| at + corner(k) * size).collect()
}

fn hull(points: &[Vec3]) -> Shape {
    ConvexHull::from_points(points).unwrap().into()
}

fn inertia_of(shape: &Shape, mass: f64) -> Mat3 {
    MassProperties::from_shape_with_mass(shape, mass).unwrap().inertia()
}

fn largest_difference(a: Mat3, b: Mat3) -> f64 {
    (a - b).to_cols_array().iter().fold(0.0, |worst: f64, entry| worst.max(entry.abs()))
}

/// Promised: default tolerance 1e-10, 24 bytes for an angular coordinate.
#[test]
fn primitives_have_the_promised_tolerance_and_size() {
    assert_eq!(tolerance::ALMOST_EQUAL, 1e-10);
    assert_eq!(size_of::<AngularCoordinate>(), 24);
}

/// The example of the physics document: the unit tetrahedron has volume 1/6, four vertices and four facets, and contains the origin.
#[test]
fn the_example_tetrahedron_has_its_volume_and_facets() {
    let hull = ConvexHull::from_points(&[Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z]).unwrap();
    assert!((hull.volume() - 1.0 / 6.0).abs() < 1e-15);
    assert_eq!((hull.vertices().len(), hull.faces().len()), (4, 4));
    assert!(hull.contains(Vec3::splat(0.1)) && !hull.contains(Vec3::splat(0.34)));
    // Promised: containment within an ε of 1e-6.
    assert!(hull.signed_distance(Vec3::new(-5e-7, 0.2, 0.2)) <= 1e-6);
    assert!(hull.signed_distance(Vec3::new(-2e-6, 0.2, 0.2)) > 1e-6);
}

/// Promised: m/6 for the unit cube to 1e-10; held to 1e-14.
#[test]
fn a_unit_cube_has_a_sixth_of_its_mass() {
    let found = inertia_of(&hull(&box_points(Vec3::ONE, Vec3::ZERO)), 12.0);
    assert!(largest_difference(found, Mat3::IDENTITY * 2.0) < 1e-14);
}

/// Promised: the box of 2 × 3 × 4 to 1e-10; held to 1e-14 of the tensor.
#[test]
fn a_box_of_2_by_3_by_4_has_the_tensor_of_the_formula() {
    let size = Vec3::new(2.0, 3.0, 4.0);
    let formula = Mat3::from_diagonal(Vec3::new(25.0, 20.0, 13.0) / 12.0);
    assert!(largest_difference(inertia_of(&hull(&box_points(size, Vec3::ZERO)), 1.0), formula) < 1e-14);
    assert!(largest_difference(inertia_of(&Cuboid::new(size).unwrap().into(), 1.0), formula) < 1e-15);
}

/// Promised: equal diagonal elements of a regular tetrahedron to 1e-10; held to 1e-14.
#[test]
fn a_regular_tetrahedron_has_equal_moments() {
    let corners = [[1., 1., 1.], [1., -1., -1.], [-1., 1., -1.], [-1., -1., 1.]].map(Vec3::from);
    let found = inertia_of(&hull(&corners), 1.0);
    // Edge 2√2: m s²/20 = 0.4 kg·m².
    assert!(largest_difference(found, Mat3::IDENTITY * 0.4) < 1e-14);
}

/// Promised: the volume of the integrals is that of the hull to 1e-10; held to 1e-14.
#[test]
fn the_volume_of_the_integrals_is_that_of_the_hull() {
    let points: Vec<Vec3> = {
        let mut random = super::Random(7);
        (0..60).map(|_| random.vector()).collect()
    };
    let hull = ConvexHull::from_points(&points).unwrap();
    let volume = hull.volume();
    let mass = MassProperties::from_shape_with_density(&hull.into(), 1.0).unwrap().mass();
    assert!((mass - volume).abs() < 1e-14 * volume, "{mass} {volume}");
}

/// Promised: 1e-8 at offsets of 1e6; held to 1e-9 for hulls and meshes.
#[test]
fn an_offset_of_a_million_metres_changes_no_moment() {
    let far = Vec3::new(1e6, -1e6, 1e6);
    let triangles = vec![
        [0, 2, 1],
        [1, 2, 3],
        [4, 5, 6],
        [5, 7, 6],
        [0, 1, 4],
        [1, 5, 4],
        [2, 6, 3],
        [3, 6, 7],
        [0, 4, 2],
        [2, 4, 6],
        [1, 3, 5],
        [3, 7, 5],
    ];
    let mesh: Shape = TriangleMesh::new(box_points(Vec3::ONE, far), triangles).unwrap().into();
    for shape in [hull(&box_points(Vec3::ONE, far)), mesh] {
        let found = inertia_of(&shape, 6.0);
        assert!(largest_difference(found, Mat3::IDENTITY) < 1e-9, "{found}");
    }
}

/// The example of the forces section: 10 N, 2 m from the centre of a cube of 1 m and 50 kg, give 0.2 m/s² and 2.4 rad/s².
#[test]
fn ten_newtons_two_metres_out_turn_the_example_cube() {
    let mut world = World::new();
    world.set_gravity(Vec3::ZERO).unwrap();
    let cube = Cuboid::new(Vec3::ONE).unwrap();
    let body = world.add_body(BodyDescription::dynamic("cube", cube).mass(50.0)).unwrap();
    world.apply_force_at(body, Vec3::Y * 10.0, Vec3::X * 2.0).unwrap();
    let dt = 1e-3;
    world.step(dt).unwrap();
    let state = world.body(body).unwrap().state;
    assert!((state.velocity / dt - Vec3::Y * 0.2).length() < 1e-13);
    assert!((state.angular_velocity / dt - Vec3::Z * 2.4).length() < 1e-12);
}

/// Promised: rest below 1e-6 m/s and 1e-6 rad/s.
#[test]
fn rest_is_below_a_micrometre_a_second() {
    let thresholds = RestThresholds::default();
    let moving = |v: f64, w: f64| InertialState {
        velocity: Vec3::X * v,
        angular_velocity: Vec3::Y * w,
        ..InertialState::AT_REST
    };
    assert!(moving(9e-7, 9e-7).is_at_rest(thresholds));
    assert!(!moving(2e-6, 0.0).is_at_rest(thresholds) && !moving(0.0, 2e-6).is_at_rest(thresholds));
}

/// The example of the gravity section: 10 kg weigh (0, 0, -98.1) N and have 9 810 J at 100 m (their sign of V corrected).
#[test]
fn ten_kilograms_at_a_hundred_metres_weigh_98_newtons() {
    let field = UniformGravity::new(Vec3::new(0.0, 0.0, -9.81)).unwrap();
    let mut world = World::new();
    world.set_gravity(Vec3::ZERO).unwrap();
    let ball = BodyDescription::without_shape("ten", 10.0, Mat3::IDENTITY).position(Vec3::Z * 100.0);
    let ball = world.add_body(ball).unwrap();
    let bodies = world.all_bodies();
    let view = world.body(ball).unwrap();
    let wrench = field.wrench(&view, &bodies, 0.0);
    assert!((wrench.force - Vec3::new(0.0, 0.0, -98.1)).length() < 1e-13);
    assert_eq!(wrench.torque, Vec3::ZERO);
    world.set_gravity(Vec3::new(0.0, 0.0, -9.81)).unwrap();
    assert!((world.energy().potential - 9810.0).abs() < 1e-11);
}

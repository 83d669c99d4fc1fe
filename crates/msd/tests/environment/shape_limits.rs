//! Bodies of every size that a world accepts fall, land and rest alike; sizes beyond are refused.

#![allow(clippy::unwrap_used, reason = "a test that cannot build its scene has failed")]

use msd::environment::{BodyDescription, World};
use msd::math::{Mat3, ReferenceFrame, Vec3, scalar};
use msd::physics::rigid_body::shape::{
    Capsule, Compound, CompoundPart, Cone, ConvexHull, Cuboid, Cylinder, Ellipsoid, HalfSpace, Shape, Sphere,
    TaperedCapsule, TriangleMesh,
};
use msd::physics::rigid_body::{CollisionGroups, Material};

fn shapes(size: f64) -> Vec<Shape> {
    let corner = |k: u32| Vec3::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2)) * size;
    let corners: Vec<Vec3> = (0..8).map(|k| corner(k) - Vec3::splat(0.5 * size)).collect();
    vec![
        Cuboid::new(Vec3::splat(size)).unwrap().into(),
        Sphere::new(0.5 * size).unwrap().into(),
        Capsule::new(0.25 * size, 0.5 * size).unwrap().into(),
        Cylinder::new(0.5 * size, size).unwrap().into(),
        Cone::new(0.5 * size, size).unwrap().into(),
        Ellipsoid::new(Vec3::new(0.6, 0.8, 0.5) * size).unwrap().into(),
        TaperedCapsule::new(0.25 * size, 0.15 * size, 0.5 * size).unwrap().into(),
        ConvexHull::from_points(&corners).unwrap().into(),
    ]
}

/// Dropped from a tenth of its size in steps of a fiftieth of the time scale, and left for two of these times.
fn land(size: f64, shape: &Shape, floor: &Shape, top: f64) -> f64 {
    let mut world = World::new();
    let material = Material { restitution: 0.0, ..Material::default() };
    let floor = BodyDescription::fixed("floor", floor.clone()).material(material).position(Vec3::Z * -top);
    world.add_body(floor).unwrap();
    let body = BodyDescription::dynamic("body", shape.clone())
        .density(1000.0)
        .material(material)
        .position(Vec3::Z * 0.6 * size);
    let body = world.add_body(body).unwrap();
    for _ in 0..100 {
        world.step(0.02 * f64::sqrt(size / 9.81)).unwrap();
    }
    world.frame(body).unwrap().position.z / size - 0.5
}

#[test]
fn bodies_of_all_sizes_that_are_accepted_land_and_rest_alike() {
    for exponent in -8..=7 {
        let size = 2.0 * scalar::pow(10.0, f64::from(exponent));
        let slab: Shape = Cuboid::new(Vec3::new(4.0, 4.0, 1.0) * size).unwrap().into();
        let plane: Shape = HalfSpace::new(Vec3::Z, 0.0).unwrap().into();
        for shape in shapes(size) {
            for (floor, top) in [(&plane, 0.0), (&slab, 0.5 * size)] {
                let off = land(size, &shape, floor, top);
                assert!(off.abs() < 1e-7, "{} of {size} m: off by {off:e} of its size", shape.type_name());
            }
        }
    }
}

fn refusal(description: BodyDescription) -> String {
    let mut world = World::new();
    let refused = world.add_body(description).unwrap_err().to_string();
    assert_eq!(world.handles().count(), 0, "nothing has entered");
    refused
}

#[test]
fn sizes_that_contact_cannot_resolve_are_refused_by_name_value_and_range() {
    for size in [1e-22, 1e-10, 2e8, 2e9] {
        for shape in shapes(size) {
            let part = |x: f64| CompoundPart {
                frame: ReferenceFrame::from_position(Vec3::X * x),
                shape: shape.clone(),
            };
            let both: Shape = Compound::new(vec![part(0.0), part(size)]).unwrap().into();
            for shape in [shape.clone(), both] {
                let fixed = refusal(BodyDescription::fixed("brick", shape.clone()));
                assert!(
                    fixed.starts_with("body `brick`: the extent of its shape must be from 1e-9 m to 1e8 m"),
                    "{fixed}"
                );
                let dynamic = BodyDescription::dynamic("brick", shape).mass(1.0);
                assert!(refusal(dynamic.clone()).contains("got "), "{size}");
                // A body without collisions may have any size, if its mass is given.
                let lone = dynamic.collision(CollisionGroups::NONE);
                if size > 1.0 {
                    World::new().add_body(lone).unwrap();
                }
            }
        }
    }
    let foil: Shape = Cuboid::new(Vec3::new(1.0, 1.0, 1e-7)).unwrap().into();
    let thin = refusal(BodyDescription::dynamic("foil", foil).mass(1.0));
    assert!(
        thin.starts_with("body `foil`: the thickness of its shape must be at least 1e-6 of its length"),
        "{thin}"
    );
}

#[test]
fn a_mesh_that_contact_would_move_is_refused_alone_and_inside_compounds() {
    let corners = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
    let solid = TriangleMesh::new(corners.clone(), vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]).unwrap();
    let sheet = TriangleMesh::new(corners, vec![[0, 1, 2]]).unwrap();
    for mesh in [solid, sheet] {
        let shape: Shape = mesh.into();
        let part = CompoundPart { frame: ReferenceFrame::IDENTITY, shape: shape.clone() };
        assert!(Compound::new(vec![part]).is_err());
        let dynamic = BodyDescription::dynamic("rock", shape.clone())
            .mass(1.0)
            .inertia(Mat3::IDENTITY)
            .center_of_mass(Vec3::ZERO);
        let problem = refusal(dynamic.clone());
        assert!(
            problem.starts_with("body `rock` is dynamic: a mesh that is not convex cannot be moved"),
            "{problem}"
        );
        assert!(problem.contains("convex hull"), "{problem}");
        let mut world = World::new();
        world.add_body(BodyDescription::fixed("fixed", shape.clone())).unwrap();
        world.add_body(BodyDescription::kinematic("moved", shape.clone())).unwrap();
        world.add_body(BodyDescription::graphical("seen", shape)).unwrap();
        world.add_body(dynamic.collision(CollisionGroups::NONE)).unwrap();
    }
}

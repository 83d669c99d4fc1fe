//! No bumps where there is no edge: bodies sliding over the inner edges of meshes and over the seams of compounds, whose
//! parts lie side by side, overlap or cross.

#![allow(clippy::unwrap_used, reason = "a test that cannot build its scene has failed")]

use msd::environment::{BodyDescription, World};
use msd::math::orientation::from_rotation_vector;
use msd::math::{ReferenceFrame, Vec3, scalar};
use msd::physics::collision::ManifoldCache;
use msd::physics::rigid_body::Material;
use msd::physics::rigid_body::shape::{
    Capsule, Compound, CompoundPart, Cone, ConvexHull, Cuboid, Cylinder, Shape, Sphere, TriangleMesh,
};

/// A flat square of 6 m at z = 0 in right triangles with legs of `6 / n` metres.
fn tiled(n: u32) -> Shape {
    let place = |k: u32| 6.0 * f64::from(k) / f64::from(n) - 3.0;
    let vertices = (0..=n).flat_map(|i| (0..=n).map(move |j| Vec3::new(place(i), place(j), 0.0))).collect();
    let corner = |i: u32, j: u32| i * (n + 1) + j;
    let tiles = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
    let triangles = tiles
        .flat_map(|(i, j)| {
            let (a, b, c, d) = (corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1));
            [[a, b, c], [a, c, d]]
        })
        .collect();
    TriangleMesh::new(vertices, triangles).unwrap().into()
}

fn compound(parts: impl IntoIterator<Item = (Vec3, Shape)>) -> Shape {
    let part = |(at, shape)| CompoundPart { frame: ReferenceFrame::from_position(at), shape };
    Compound::new(parts.into_iter().map(part).collect()).unwrap().into()
}

fn slab(x: f64, y: f64) -> Shape {
    Cuboid::new(Vec3::new(x, y, 0.5)).unwrap().into()
}

/// Flat grounds with the top at z = 0 and edges inside: tiles, planks that overlap by a third, planks across planks.
fn grounds() -> Vec<(&'static str, Shape)> {
    let along = (-4..=4).map(|k| (Vec3::new(0.6 * f64::from(k), 0.0, -0.25), slab(0.9, 4.0)));
    let across = (-2..=2).map(|k| (Vec3::new(0.0, 0.8 * f64::from(k), -0.25), slab(6.0, 0.9)));
    vec![
        ("coarse tiles", tiled(3)),
        ("fine tiles", tiled(24)),
        ("overlapping planks", compound(along.clone())),
        ("crossing planks", compound(along.chain(across))),
    ]
}

/// Bodies that stand on their lowest point or face at the height that comes with them.
fn bodies() -> Vec<(Shape, f64, Vec3)> {
    let corners: Vec<Vec3> = (0..6)
        .flat_map(|k| {
            let (s, c) = scalar::sin_cos(f64::from(k) * std::f64::consts::FRAC_PI_3);
            [Vec3::new(0.3 * c, 0.3 * s, -0.2), Vec3::new(0.2 * c, 0.2 * s, 0.2)]
        })
        .collect();
    let lying = Vec3::X * std::f64::consts::FRAC_PI_2;
    vec![
        (Cuboid::new(Vec3::splat(0.5)).unwrap().into(), 0.25, Vec3::ZERO),
        (Cuboid::new(Vec3::splat(0.5)).unwrap().into(), 0.25, Vec3::Z * 0.4),
        (ConvexHull::from_points(&corners).unwrap().into(), 0.2, Vec3::Z * 0.1),
        (Sphere::new(0.25).unwrap().into(), 0.25, Vec3::ZERO),
        (Capsule::new(0.2, 0.6).unwrap().into(), 0.2, lying),
        (Cylinder::new(0.25, 0.5).unwrap().into(), 0.25, Vec3::ZERO),
        (Cone::new(0.3, 0.5).unwrap().into(), 0.25, Vec3::ZERO),
    ]
}

#[test]
fn every_body_on_a_flat_ground_has_the_normal_of_the_ground_wherever_it_stands() {
    for (name, ground) in grounds() {
        for (body, height, turn) in bodies() {
            let mut cache = ManifoldCache::default();
            for step in 0..120 {
                let x = -1.2 + 0.02 * f64::from(step) + 1e-5;
                for sink in [2e-3, 1e-6, 0.0, -1e-4] {
                    let place = Vec3::new(x, 0.43 * x, height - sink);
                    let pose = ReferenceFrame::new(place, from_rotation_vector(turn));
                    let found = cache.update(&ground, &ReferenceFrame::IDENTITY, &body, &pose, 1e-3);
                    let what = || format!("{} on {name} at {x}, {sink}", body.type_name());
                    let deepest =
                        found.iter().fold(f64::INFINITY, |d, m| scalar::min(d, m.manifold.deepest()));
                    assert!((deepest + sink).abs() < 1e-9, "{}: {deepest}", what());
                    for m in found {
                        let normal = m.manifold.normal;
                        assert!((normal - Vec3::Z).length() < 1e-9, "{}: {normal}", what());
                    }
                }
            }
        }
    }
}

/// Without friction nothing acts along the ground: a body keeps its velocity over every edge and stays on the ground.
#[test]
fn a_frictionless_body_keeps_its_velocity_over_all_inner_edges() {
    for (name, ground) in grounds() {
        for (body, height, turn) in bodies() {
            let material = Material { friction: 0.0, restitution: 0.0, ..Material::default() };
            let mut world = World::new();
            world.add_body(BodyDescription::fixed("ground", ground.clone()).material(material)).unwrap();
            let slider = BodyDescription::dynamic("slider", body.clone())
                .mass(2.0)
                .material(material)
                .position(Vec3::new(-1.2, -0.5, height))
                .orientation(from_rotation_vector(turn))
                .velocity(Vec3::new(2.0, 0.9, 0.0));
            let slider = world.add_body(slider).unwrap();
            for step in 0..120 {
                world.step(0.01).unwrap();
                let view = world.body(slider).unwrap();
                let (v, w) = (view.state.velocity, view.state.angular_velocity);
                let what = || format!("{} on {name}, step {step}", body.type_name());
                assert!((v - Vec3::new(2.0, 0.9, 0.0)).length() < 1e-9, "{}: {v}", what());
                assert!(w.length() < 1e-9, "{}: turns at {w}", what());
                let rise = world.frame(slider).unwrap().position.z - height;
                assert!(rise.abs() < 1e-6, "{}: {rise} m", what());
            }
        }
    }
}

/// A real edge is felt: over a roof whose sides fall by 45° the normal of a ball goes from one side to the other.
#[test]
fn the_ridge_of_a_roof_has_the_normals_between_its_sides() {
    let corners = [(0.0, 0.0), (-2.0, -2.0), (2.0, -2.0)];
    let vertices =
        corners.iter().flat_map(|(x, z)| [Vec3::new(*x, -2.0, *z), Vec3::new(*x, 2.0, *z)]).collect();
    let roof: Shape =
        TriangleMesh::new(vertices, vec![[0, 1, 3], [0, 3, 2], [0, 4, 5], [0, 5, 1]]).unwrap().into();
    let ball: Shape = Sphere::new(0.25).unwrap().into();
    for tilt in [-0.7, -0.3, 0.0, 0.2, 0.75] {
        let (s, c) = scalar::sin_cos(tilt);
        let normal = Vec3::new(s, 0.0, c);
        let pose = ReferenceFrame::from_position(normal * 0.249);
        let mut cache = ManifoldCache::default();
        let found = cache.update(&roof, &ReferenceFrame::IDENTITY, &ball, &pose, 1e-4);
        assert!(!found.is_empty());
        for m in found {
            assert!((m.manifold.normal - normal).length() < 1e-9, "{tilt}: {}", m.manifold.normal);
            assert!((m.manifold.deepest() + 1e-3).abs() < 1e-9, "{tilt}: {}", m.manifold.deepest());
        }
    }
}

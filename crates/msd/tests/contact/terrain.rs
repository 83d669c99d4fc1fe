//! Bodies of every shape on a bumpy mesh: contacts exactly where the distance to the mesh says so, no force on what is clear
//! of it, nothing inside it.
//!
//! The distance to the mesh is found by brute force, one triangle at a time, each as a mesh of its own.

use msd::environment::{BodyDescription, World};
use msd::math::orientation::from_rotation_vector;
use msd::math::{ReferenceFrame, Vec3, scalar};
use msd::physics::collision::{ManifoldCache, distance};
use msd::physics::rigid_body::shape::{
    Capsule, Compound, CompoundPart, Cone, ConvexHull, Cuboid, Cylinder, Ellipsoid, Geometry, Shape, Sphere,
    TriangleMesh,
};
use msd::physics::rigid_body::{BodyHandle, Material};

/// SplitMix64: the same numbers everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }

    fn vector(&mut self, size: f64) -> Vec3 {
        Vec3::new(self.between(-size, size), self.between(-size, size), self.between(-size, size))
    }
}

/// A square of 2·`half` metres in `n × n` cells of two triangles, heights up to `bump` of a cell, in units of `scale`.
struct Terrain {
    mesh: Shape,
    triangles: Vec<(Shape, [Vec3; 3])>,
}

impl Terrain {
    fn random(random: &mut Random, n: u32, scale: f64, bump: f64) -> Self {
        let cell = 0.3 * scale;
        let place = |k: u32| cell * (f64::from(k) - 0.5 * f64::from(n));
        let mut vertices = Vec::new();
        for i in 0..=n {
            for j in 0..=n {
                vertices.push(Vec3::new(place(i), place(j), cell * bump * random.between(-1.0, 1.0)));
            }
        }
        let corner = |i: u32, j: u32| i * (n + 1) + j;
        let mut triangles = Vec::new();
        for i in 0..n {
            for j in 0..n {
                let (a, b, c, d) = (corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1));
                // Diagonals both ways.
                let two = if (i + j) % 2 == 0 { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] };
                triangles.extend(two);
            }
        }
        let single = |t: &[u32; 3]| {
            let corners = t.map(|v| vertices[v as usize]);
            (Shape::from(TriangleMesh::new(corners.to_vec(), vec![[0, 1, 2]]).unwrap()), corners)
        };
        let singles = triangles.iter().map(single).collect();
        Self { mesh: TriangleMesh::new(vertices, triangles).unwrap().into(), triangles: singles }
    }

    /// Distance of a body from the nearest triangle, m; negative if it meets one.
    fn distance(&self, body: &Shape, pose: &ReferenceFrame) -> f64 {
        let bounds = body.bounding_box(pose);
        let (center, reach) = (bounds.center(), 0.5 * bounds.size().length());
        let mut nearest = f64::INFINITY;
        for (triangle, corners) in &self.triangles {
            let around = corners.iter().fold(f64::INFINITY, |d, p| scalar::min(d, (*p - center).length()));
            let size = (corners[1] - corners[0]).length() + (corners[2] - corners[0]).length();
            if around - size - reach < scalar::max(nearest, 0.0) {
                nearest =
                    scalar::min(nearest, distance(triangle, &ReferenceFrame::IDENTITY, body, pose).signed);
            }
        }
        nearest
    }
}

const KINDS: usize = 9;

/// A body about `size` metres large.
fn body(random: &mut Random, kind: usize, size: f64) -> Shape {
    let mut length = |least: f64| size * random.between(least, 1.0);
    match kind {
        0 => Sphere::new(0.5 * length(0.4)).unwrap().into(),
        1 => Cuboid::new(Vec3::new(length(0.2), length(0.2), length(0.2))).unwrap().into(),
        2 => Capsule::new(0.25 * length(0.3), 0.5 * length(0.2)).unwrap().into(),
        3 => Cylinder::new(0.5 * length(0.2), length(0.2)).unwrap().into(),
        4 => Cone::new(0.5 * length(0.3), length(0.3)).unwrap().into(),
        5 => {
            let points: Vec<Vec3> = (0..12).map(|_| random.vector(0.5 * size)).collect();
            ConvexHull::from_points(&points).unwrap().into()
        }
        8 => Ellipsoid::new(Vec3::new(length(0.2), length(0.2), length(0.2)) * 0.5).unwrap().into(),
        6 => {
            // A hammer: parts that touch.
            let (head, handle) = (0.4 * size, 0.9 * size);
            let part =
                |at: Vec3, shape: Shape| CompoundPart { frame: ReferenceFrame::from_position(at), shape };
            Compound::new(vec![
                part(
                    Vec3::Z * 0.5 * (handle + head),
                    Cuboid::new(Vec3::new(1.6 * head, head, head)).unwrap().into(),
                ),
                part(Vec3::ZERO, Cylinder::new(0.1 * size, handle).unwrap().into()),
            ])
            .unwrap()
            .into()
        }
        _ => {
            // A dumbbell.
            let part = |z: f64, shape: Shape| CompoundPart {
                frame: ReferenceFrame::from_position(Vec3::Z * z),
                shape,
            };
            Compound::new(vec![
                part(-0.4 * size, Sphere::new(0.25 * size).unwrap().into()),
                part(0.4 * size, Sphere::new(0.2 * size).unwrap().into()),
                part(0.0, Capsule::new(0.08 * size, 0.6 * size).unwrap().into()),
            ])
            .unwrap()
            .into()
        }
    }
}

/// Looks at a body in one pose near the surface, clear of it or overlapping a little.
fn look(seed: u64) {
    let mut random = Random(seed);
    let scale = scalar::pow(10.0, random.between(-3.0, 3.0));
    let bump = random.between(0.0, 0.6);
    let terrain = Terrain::random(&mut random, 8, scale, bump);
    let kind = seed as usize % KINDS;
    let size = scale * random.between(0.05, 1.5);
    let shape = body(&mut random, kind, size);
    let margin = 0.01 * size * random.between(0.1, 10.0);
    let turn = from_rotation_vector(random.vector(3.0));
    let above = Vec3::new(random.between(-0.6, 0.6), random.between(-0.6, 0.6), 3.0) * scale;
    // Down to a gap of up to twice the margin, by the distance itself.
    let wanted = margin * random.between(-0.02, 2.0);
    let mut pose = ReferenceFrame::new(above, turn);
    for _ in 0..60 {
        let gap = terrain.distance(&shape, &pose) - wanted;
        pose.position.z -= gap;
        if gap.abs() < 1e-3 * margin {
            break;
        }
    }
    let gap = terrain.distance(&shape, &pose);
    let mut cache = ManifoldCache::default();
    let found = cache.update(&terrain.mesh, &ReferenceFrame::IDENTITY, &shape, &pose, margin);
    let deepest = found.iter().fold(f64::INFINITY, |d, m| scalar::min(d, m.manifold.deepest()));
    let what = || format!("seed {seed}: {} of {size} m at {gap} m, margin {margin} m", shape.type_name());
    let slack = 1e-7 * size;
    if gap > margin + slack {
        assert!(found.is_empty(), "{}: contact of {deepest} m", what());
    } else if gap > slack {
        assert!(deepest >= gap - slack, "{}: contact of {deepest} m", what());
        if gap < margin - slack {
            assert!(deepest <= gap + slack, "{}: nearest contact of {deepest} m", what());
        }
    } else if gap < -slack {
        assert!(deepest < 0.0, "{}: no contact though it overlaps ({deepest} m)", what());
    }
}

#[test]
fn contacts_are_where_the_distance_to_the_mesh_says_so() {
    (0..800).for_each(look);
}

#[test]
#[ignore = "some minutes"]
fn contacts_are_where_the_distance_to_the_mesh_says_so_ten_thousand_times() {
    (10_000..20_000).for_each(look);
}

fn pose_of(world: &World, body: BodyHandle) -> ReferenceFrame {
    world.frame(body).unwrap()
}

/// Throws a body at the terrain. While it is farther from the mesh than it can move in a step, it flies freely; it is
/// never inside by more than a ten-thousandth of its size.
fn fly(seed: u64, steps: u32) {
    let mut random = Random(seed ^ 0x5EED);
    let scale = scalar::pow(10.0, random.between(-1.0, 1.0));
    let bump = random.between(0.0, 0.4);
    let terrain = Terrain::random(&mut random, 12, scale, bump);
    let kind = seed as usize % KINDS;
    let size = scale * random.between(0.15, 0.8);
    let shape = body(&mut random, kind, size);
    let material = Material { friction: random.between(0.0, 0.8), ..Material::default() };
    let dt = random.between(0.2, 1.0) * 1e-3 * scale.sqrt();
    let speed = f64::sqrt(9.81 * scale);
    let mut world = World::new();
    world.add_body(BodyDescription::fixed("terrain", terrain.mesh.clone()).material(material)).unwrap();
    let turn = from_rotation_vector(random.vector(3.0));
    let mut start = ReferenceFrame::new(Vec3::new(0.0, 0.0, 2.0 * scale), turn);
    start.position.z -= 0.97 * terrain.distance(&shape, &start);
    let thrown = BodyDescription::dynamic("body", shape.clone())
        .mass(scalar::pow(10.0, random.between(-1.0, 1.0)))
        .material(material)
        .position(start.position)
        .orientation(turn)
        .velocity(Vec3::new(random.between(-0.3, 0.3), random.between(-0.3, 0.3), -0.2) * speed)
        .angular_velocity(random.vector(2.0) * (speed / scale));
    let thrown = world.add_body(thrown).unwrap();
    let bounds = shape.bounding_box(&ReferenceFrame::IDENTITY);
    let reach = bounds.min.abs().max(bounds.max.abs()).length();
    for step in 0..steps {
        let before = *world.body(thrown).unwrap().state;
        let gap = terrain.distance(&shape, &pose_of(&world, thrown));
        world.step(dt).unwrap();
        let after = *world.body(thrown).unwrap().state;
        let travel =
            (before.velocity.length() + 9.81 * dt + before.angular_velocity.length() * 2.0 * reach) * dt;
        let what = || format!("seed {seed}, step {step}: {} of {size} m, dt {dt} s", shape.type_name());
        if gap > 1.5 * travel {
            let expected = before.velocity + Vec3::Z * (-9.81 * dt);
            let change = (after.velocity - expected).length();
            assert!(change <= 1e-9 * speed, "{}: {gap} m clear and pushed by {change} m/s", what());
        }
        if after.center_of_mass.abs().max_element() > 1.5 * scale {
            break;
        }
        let gap = terrain.distance(&shape, &pose_of(&world, thrown));
        assert!(gap >= -1e-4 * size, "{}: {} of its size inside", what(), -gap / size);
    }
}

#[test]
fn what_is_clear_of_the_mesh_flies_freely_and_nothing_sinks_in() {
    (0..200).for_each(|seed| fly(seed, 150));
}

#[test]
#[ignore = "some hours in a debug build"]
fn what_is_clear_of_the_mesh_flies_freely_and_nothing_sinks_in_ten_thousand_times() {
    (10_000..20_000).for_each(|seed| fly(seed, 150));
}

//! "Worlds" and "One impact" of the promises: bodies that rest, bounce and stack, in whole worlds.

use msd::environment::{BodyDescription, World};
use msd::math::{Quat, Vec3, scalar};
use msd::physics::rigid_body::shape::{Cuboid, HalfSpace, Shape, Sphere};
use msd::physics::rigid_body::{BodyHandle, Material};

const G: f64 = 9.81;

fn surface(friction: f64, restitution: f64) -> Material {
    Material { friction, restitution, ..Material::default() }
}

fn ball(radius: f64) -> Shape {
    Sphere::new(radius).unwrap().into()
}

fn cube(side: f64) -> Shape {
    Cuboid::new(Vec3::splat(side)).unwrap().into()
}

fn floor() -> Shape {
    HalfSpace::new(Vec3::Z, 0.0).unwrap().into()
}

fn world_with_floor(material: Material) -> World {
    let mut world = World::new();
    world.add_body(BodyDescription::fixed("floor", floor()).material(material)).unwrap();
    world
}

fn height(world: &World, body: BodyHandle) -> f64 {
    world.body(body).unwrap().state.center_of_mass.z
}

#[test]
fn an_elastic_sphere_keeps_its_apex_over_fifty_bounces() {
    let steel = surface(0.0, 1.0);
    let mut world = world_with_floor(steel);
    let sphere = world
        .add_body(
            BodyDescription::dynamic("ball", ball(0.5)).mass(1.0).position(Vec3::Z * 1.5).material(steel),
        )
        .unwrap();
    world.set_dt(0.001).unwrap();
    // From rest 1 m above the floor a bounce takes 2 √(2h/g) = 0.903 s.
    let (mut apex, mut bounces, mut rising) = (0.0, 0, false);
    let mut worst: f64 = 0.0;
    while bounces < 50 {
        let report = world.step(0.001).unwrap();
        let v = world.body(sphere).unwrap().state.velocity.z;
        apex = scalar::max(apex, height(&world, sphere));
        if rising && v <= 0.0 {
            worst = scalar::max(worst, (apex - 1.5).abs());
            bounces += 1;
            apex = 0.0;
        }
        rising = v > 0.0;
        assert!(report.energy.unexplained.abs() < 1e-11, "{report:?}");
    }
    assert!(worst < 1e-5, "apex off by {worst:e}: within the parabola between steps, ½ g (dt/2)² = 1.2e-6");
}

#[test]
fn an_elastic_sphere_in_a_closed_box_keeps_its_energy_for_a_thousand_seconds() {
    let steel = surface(0.0, 1.0);
    let mut world = World::new();
    let walls = [(Vec3::Z, 0.0), (-Vec3::Z, -3.0), (Vec3::X, -2.0), (-Vec3::X, -2.0), (Vec3::Y, -1.5)];
    for (k, (normal, offset)) in walls.into_iter().chain([(-Vec3::Y, -1.5)]).enumerate() {
        let wall = Shape::HalfSpace(HalfSpace::new(normal, offset).unwrap());
        world.add_body(BodyDescription::fixed(&format!("wall {k}"), wall).material(steel)).unwrap();
    }
    let sphere = BodyDescription::dynamic("ball", ball(0.25)).mass(2.0).position(Vec3::new(0.3, -0.2, 1.0));
    let sphere = world.add_body(sphere.velocity(Vec3::new(3.1, 2.3, 1.7)).material(steel)).unwrap();
    let start = world.energy().total();
    let (mut worst, mut bounces): (f64, usize) = (0.0, 0);
    for _ in 0..60_000 {
        let report = world.step(1.0 / 60.0).unwrap();
        bounces += report.contacts.impacts;
        worst = worst.max((world.energy().total() / start - 1.0).abs());
        assert!(report.contacts.is_certified());
        let at = world.body(sphere).unwrap().state.center_of_mass;
        assert!(at.x.abs() <= 1.7501 && at.y.abs() <= 1.2501 && at.z >= 0.2499 && at.z <= 2.7501, "{at}");
    }
    println!("energy of {start} J kept to {worst:e} over {bounces} bounces");
    assert!(bounces > 2_000 && worst < 1e-9, "{worst:e} after {bounces} bounces");
}

#[test]
fn a_cube_rests_without_drift_tilt_or_speed() {
    for dt in [0.008, 0.016, 0.032] {
        let mut world = world_with_floor(Material::default());
        let body = world
            .add_body(BodyDescription::dynamic("cube", cube(1.0)).mass(5.0).position(Vec3::Z * 0.5))
            .unwrap();
        for step in 0..1000 {
            let report = world.step(dt).unwrap();
            let state = world.body(body).unwrap().state;
            assert!(state.velocity.length() < 1e-9, "step {step}: {:?}", state.velocity);
            assert!(state.angular_velocity.length() < 1e-9);
            assert!(report.contacts.is_certified() && report.energy.unexplained < 1e-12);
        }
        let state = world.body(body).unwrap().state;
        assert!((state.center_of_mass - Vec3::Z * 0.5).length() < 1e-6);
        assert!(state.orientation.angle_between(Quat::IDENTITY) < 1e-6);
        let weight: f64 = world.contacts().map(|contact| contact.normal_force).sum();
        assert!((weight - 5.0 * G).abs() < 1e-9);
    }
}

/// Runs until `seconds`, asserting in every step that energy does not rise and the problem was solved.
fn watch(world: &mut World, dt: f64, seconds: f64, gain: f64) {
    let steps = (seconds / dt).round() as usize;
    for step in 0..steps {
        let before = world.energy().total();
        let report = world.step(dt).unwrap();
        let risen = world.energy().total() - before - report.energy.correction;
        assert!(risen <= gain, "step {step}: energy rose by {risen:e} J, {:?}", report.energy);
        assert!(report.contacts.is_certified(), "step {step}: {:?}", report.contacts);
    }
}

#[test]
fn a_bouncing_sphere_loses_height_by_the_square_of_restitution_and_comes_to_rest() {
    let rubber = surface(0.0, 0.7);
    let mut world = world_with_floor(rubber);
    let sphere = world
        .add_body(
            BodyDescription::dynamic("ball", ball(0.5)).mass(1.0).position(Vec3::Z * 5.0).material(rubber),
        )
        .unwrap();
    let (mut expected, mut apex, mut rising, mut seen) = (4.5, 0.0, false, 0);
    let mut top = height(&world, sphere);
    for _ in 0..20_000 {
        let before = world.energy().total();
        let report = world.step(0.001).unwrap();
        assert!(world.energy().total() <= before + 1e-9 + report.energy.correction, "{:?}", report.energy);
        let v = world.body(sphere).unwrap().state.velocity.z;
        top = scalar::max(top, height(&world, sphere));
        if rising && v <= 0.0 && seen < 8 {
            expected *= 0.49;
            apex = top - 0.5;
            assert!((apex / expected - 1.0_f64).abs() < 0.01, "apex {apex} instead of {expected}");
            seen += 1;
        }
        if v < 0.0 {
            top = 0.0;
        }
        rising = v > 0.0;
    }
    assert!(seen == 8 && apex > 0.0);
    assert!((height(&world, sphere) - 0.5).abs() < 1e-6, "{:e}", height(&world, sphere) - 0.5);
    assert!(world.body(sphere).unwrap().state.velocity.length() < 1e-9);
}

#[test]
fn an_impact_with_restitution_one_half_keeps_a_quarter_of_the_energy() {
    for dt in [0.001, 1.0 / 60.0] {
        let wood = surface(0.0, 0.5);
        let mut world = world_with_floor(wood);
        let body = world
            .add_body(
                BodyDescription::dynamic("cube", cube(1.0)).mass(2.0).position(Vec3::Z * 3.0).material(wood),
            )
            .unwrap();
        let mut energies = Vec::new();
        while energies.len() < 2 {
            let v = world.body(body).unwrap().state.velocity.z;
            world.step(dt).unwrap();
            let state = world.body(body).unwrap().state;
            if v <= 0.0 && state.velocity.z > 0.0 {
                // Energy of the motion at the height of contact, from that after the step.
                energies.push(
                    0.5 * 2.0 * state.velocity.length_squared() + 2.0 * G * (state.center_of_mass.z - 0.5),
                );
            }
            if energies.len() == 1 && v > 0.0 && state.velocity.z < 0.0 {
                continue;
            }
        }
        let fallen = 2.0 * G * 2.5;
        assert!((energies[0] / fallen - 0.25).abs() < 1e-9, "{:e}", energies[0] / fallen - 0.25);
        assert!((energies[1] / energies[0] - 0.25).abs() < 1e-9);
    }
}

fn stack(count: usize, mass: impl Fn(usize) -> f64) -> (World, Vec<BodyHandle>) {
    let mut world = world_with_floor(Material::default());
    let bodies = (0..count)
        .map(|i| {
            let at = Vec3::Z * (0.5 + i as f64);
            world
                .add_body(
                    BodyDescription::dynamic(&format!("cube {i}"), cube(1.0)).mass(mass(i)).position(at),
                )
                .unwrap()
        })
        .collect();
    (world, bodies)
}

fn largest_drift(world: &World, bodies: &[BodyHandle]) -> f64 {
    bodies.iter().enumerate().fold(0.0, |worst, (i, body)| {
        let place = world.body(*body).unwrap().state.center_of_mass;
        scalar::max(worst, (place - Vec3::Z * (0.5 + i as f64)).length())
    })
}

#[test]
fn a_stack_of_ten_stands() {
    let (mut world, bodies) = stack(10, |_| 1.0);
    watch(&mut world, 1.0 / 60.0, 60.0, 1e-9);
    assert!(largest_drift(&world, &bodies) < 1e-4, "{:e}", largest_drift(&world, &bodies));
}

#[test]
fn a_stack_with_masses_of_one_and_a_thousand_stands() {
    let (mut world, bodies) = stack(10, |i| if i % 2 == 1 { 1e3 } else { 1.0 });
    watch(&mut world, 1.0 / 60.0, 10.0, 1e-6);
    assert!(largest_drift(&world, &bodies) < 1e-6, "{:e}", largest_drift(&world, &bodies));
}

#[test]
fn a_stack_with_masses_of_one_and_a_million_stands() {
    // Impulses on a body of 1 kg are 8e5 N·s here, and rounded to 1e-10: single steps miss the certified residual.
    let (mut world, bodies) = stack(10, |i| if i % 2 == 1 { 1e6 } else { 1.0 });
    world.set_dt(1.0 / 60.0).unwrap();
    let report = world.run(10.0).unwrap();
    assert!(report.contacts.max_residual < 1e-5, "{:?}", report.contacts);
    assert!(largest_drift(&world, &bodies) < 1e-4, "{:e}", largest_drift(&world, &bodies));
}

#[test]
fn a_tilted_cube_settles_flat_and_its_energy_never_rises() {
    let clay = surface(0.5, 0.3);
    let mut world = world_with_floor(clay);
    let tilt = Quat::from_rotation_y(30_f64.to_radians());
    let body =
        BodyDescription::dynamic("cube", cube(1.0)).mass(1.0).position(Vec3::Z * 1.5).orientation(tilt);
    let body = world.add_body(body.material(clay)).unwrap();
    watch(&mut world, 0.001, 6.0, 1e-9);
    let state = world.body(body).unwrap().state;
    assert!((state.center_of_mass.z - 0.5).abs() < 1e-6, "{:e}", state.center_of_mass.z - 0.5);
    assert!(state.velocity.length() < 1e-9 && state.angular_velocity.length() < 1e-9);
    let up = state.orientation.inverse() * Vec3::Z;
    assert!(up.abs().max_element() > 1.0 - 1e-9, "{up:?}");
}

#[test]
fn a_cube_dropped_on_its_corner_gains_nothing() {
    for restitution in [0.0, 0.5, 1.0] {
        for friction in [0.0, 0.5] {
            let material = surface(friction, restitution);
            let mut world = world_with_floor(material);
            let tilt =
                Quat::from_rotation_y(45_f64.to_radians()) * Quat::from_rotation_x(45_f64.to_radians());
            let body = BodyDescription::dynamic("cube", cube(1.0)).mass(1.0).position(Vec3::Z * 2.0);
            world.add_body(body.orientation(tilt).material(material)).unwrap();
            watch(&mut world, 0.001, 3.0, 1e-9);
            let ledger = world.energy();
            assert!(ledger.max_gain <= 1e-9, "e {restitution}, μ {friction}: {:e}", ledger.max_gain);
        }
    }
}

#[test]
fn overlapping_bodies_at_rest_in_free_space_part_without_velocity() {
    let mut world = World::new();
    world.set_gravity(Vec3::ZERO).unwrap();
    let at = |x: f64| BodyDescription::dynamic(&format!("at {x}"), cube(1.0)).mass(1.0).position(Vec3::X * x);
    let (a, b) = (world.add_body(at(0.0)).unwrap(), world.add_body(at(0.99)).unwrap());
    for _ in 0..100 {
        world.step(0.01).unwrap();
    }
    for body in [a, b] {
        let state = world.body(body).unwrap().state;
        assert!(state.velocity.length() <= 1e-12 && state.angular_velocity.length() <= 1e-12);
    }
    let apart = world.body(b).unwrap().state.center_of_mass.x - world.body(a).unwrap().state.center_of_mass.x;
    assert!(apart > 1.0 - 1e-6, "{apart}");
}

#[test]
fn a_fast_cube_does_not_pass_a_thin_wall() {
    for dt in [0.001, 1.0 / 60.0] {
        let mut world = World::new();
        world.set_gravity(Vec3::ZERO).unwrap();
        let wall: Shape = Cuboid::new(Vec3::new(0.01, 5.0, 5.0)).unwrap().into();
        world.add_body(BodyDescription::fixed("wall", wall)).unwrap();
        let body = BodyDescription::dynamic("cube", cube(1.0)).mass(1.0).position(Vec3::X * -3.0);
        let body = world.add_body(body.velocity(Vec3::X * 100.0)).unwrap();
        for _ in 0..100 {
            world.step(dt).unwrap();
        }
        let state = world.body(body).unwrap().state;
        assert!((state.center_of_mass.x + 0.505).abs() < 1e-6, "{:?}", state);
        assert!(state.velocity.length() < 1e-9);
    }
}

#[test]
fn spheres_swap_velocities_and_masses_share_momentum() {
    for (mass, speed, expected) in
        [(1.0, (2.0, -1.0), (-1.0, 2.0)), (10.0, (1.0, 0.0), (9.0 / 11.0, 20.0 / 11.0))]
    {
        let mut world = World::new();
        world.set_gravity(Vec3::ZERO).unwrap();
        let steel = surface(0.0, 1.0);
        let sphere = |name: &str, mass: f64, x: f64, v: f64| {
            let body = BodyDescription::dynamic(name, ball(0.5)).mass(mass).position(Vec3::X * x);
            body.velocity(Vec3::X * v).material(steel)
        };
        let a = world.add_body(sphere("a", mass, -1.0, speed.0)).unwrap();
        let b = world.add_body(sphere("b", 1.0, 0.5, speed.1)).unwrap();
        let before = world.energy().total();
        world.run(1.0).unwrap();
        let v = |body| world.body(body).unwrap().state.velocity;
        assert!((v(a) - Vec3::X * expected.0).length() < 1e-10, "{:?}", v(a));
        assert!((v(b) - Vec3::X * expected.1).length() < 1e-10, "{:?}", v(b));
        assert!((world.energy().total() - before).abs() < 1e-10);
    }
}

#[test]
fn a_cradle_passes_the_blow_on() {
    let mut world = World::new();
    world.set_gravity(Vec3::ZERO).unwrap();
    let steel = surface(0.0, 1.0);
    let balls: Vec<_> = (0..5)
        .map(|i| {
            let x = if i == 0 { -1.5 } else { f64::from(i) };
            let speed = if i == 0 { 1.0 } else { 0.0 };
            let body =
                BodyDescription::dynamic(&format!("ball {i}"), ball(0.5)).mass(1.0).position(Vec3::X * x);
            world.add_body(body.velocity(Vec3::X * speed).material(steel)).unwrap()
        })
        .collect();
    world.run(3.0).unwrap();
    for (i, body) in balls.iter().enumerate() {
        let expected = if i == 4 { 1.0 } else { 0.0 };
        let v = world.body(*body).unwrap().state.velocity.x;
        assert!((v - expected).abs() < 1e-9, "ball {i}: {v}");
    }
}

#[test]
fn balls_in_one_place_are_parted_and_not_refused() {
    let mut world = World::new();
    world.set_gravity(Vec3::ZERO).unwrap();
    let (a, b) = (
        world.add_body(BodyDescription::dynamic("a", ball(0.1)).mass(1.0)).unwrap(),
        world.add_body(BodyDescription::dynamic("b", ball(0.1)).mass(1.0)).unwrap(),
    );
    for _ in 0..10 {
        world.step(0.01).unwrap();
    }
    let place = |body| world.body(body).unwrap().state.center_of_mass;
    assert!((place(a) - place(b)).length() > 0.2 - 1e-6, "{} {}", place(a), place(b));
    assert!(world.body(a).unwrap().state.velocity.length() < 1e-12);
}

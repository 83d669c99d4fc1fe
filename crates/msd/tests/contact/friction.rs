//! "Friction" of the promises: sliding, sticking and rolling in whole worlds.

use msd::environment::{BodyDescription, World};
use msd::math::{Quat, Vec3};
use msd::physics::rigid_body::shape::{Cuboid, HalfSpace, Shape, Sphere};
use msd::physics::rigid_body::{BodyHandle, Material};

const G: f64 = 9.81;

fn surface(friction: f64) -> Material {
    Material { friction, ..Material::default() }
}

/// A slope rising along +x by `angle`, and the direction down it.
fn slope(angle: f64, friction: f64) -> (World, Vec3) {
    let mut world = World::new();
    let normal = Vec3::new(-angle.sin(), 0.0, angle.cos());
    let plane: Shape = HalfSpace::new(normal, 0.0).unwrap().into();
    world.add_body(BodyDescription::fixed("slope", plane).material(surface(friction))).unwrap();
    (world, Vec3::new(-angle.cos(), 0.0, -angle.sin()))
}

fn block_on_slope(world: &mut World, angle: f64, mass: f64, friction: f64) -> BodyHandle {
    let normal = Vec3::new(-angle.sin(), 0.0, angle.cos());
    let block: Shape = Cuboid::new(Vec3::new(1.0, 1.0, 0.5)).unwrap().into();
    let body = BodyDescription::dynamic("block", block).mass(mass).position(normal * 0.25);
    world.add_body(body.orientation(Quat::from_rotation_y(-angle)).material(surface(friction))).unwrap()
}

fn place(world: &World, body: BodyHandle) -> Vec3 {
    world.body(body).unwrap().state.center_of_mass
}

#[test]
fn a_block_below_the_friction_angle_does_not_move_for_a_minute() {
    let angle = 20_f64.to_radians();
    let (mut world, down) = slope(angle, 0.6);
    let block = block_on_slope(&mut world, angle, 10.0, 0.6);
    let start = place(&world, block);
    for _ in 0..6000 {
        let report = world.step(0.01).unwrap();
        assert!(report.contacts.is_certified(), "{:?}", report.contacts);
    }
    assert!((place(&world, block) - start).length() < 1e-6, "{:e}", (place(&world, block) - start).length());
    let normal: f64 = world.contacts().map(|contact| contact.normal_force).sum();
    let friction: Vec3 = world.contacts().map(|contact| contact.friction_force).sum();
    assert!((normal - 10.0 * G * angle.cos()).abs() < 1e-3, "92.18 N: {normal}");
    assert!((friction + down * 10.0 * G * angle.sin()).length() < 1e-3, "33.55 N: {friction}");
}

#[test]
fn a_block_slides_above_the_friction_angle_and_stays_below_it() {
    let mu: f64 = 0.5;
    for dt in [0.001, 0.01] {
        let angle = 0.98 * mu.atan();
        let (mut world, _) = slope(angle, mu);
        let block = block_on_slope(&mut world, angle, 1.0, mu);
        let start = place(&world, block);
        world.set_dt(dt).unwrap();
        world.run(2.0).unwrap();
        assert!((place(&world, block) - start).length() < 1e-6);

        let angle = 1.02 * mu.atan();
        let (mut world, down) = slope(angle, mu);
        let block = block_on_slope(&mut world, angle, 1.0, mu);
        let start = place(&world, block);
        world.set_dt(dt).unwrap();
        let report = world.run(2.0).unwrap();
        let expected = 0.5 * G * (angle.sin() - mu * angle.cos()) * 4.0;
        let slid = (place(&world, block) - start).dot(down);
        assert!((slid / expected - 1.0).abs() < 1e-9, "{slid} instead of {expected}");
        assert!(report.contacts.is_certified() && report.energy.max_gain < 1e-9, "{report:?}");
    }
}

#[test]
fn a_box_thrown_along_the_floor_stops_after_v_squared_over_two_mu_g() {
    for (dt, azimuth) in [(0.001, 0.0), (0.01, 30.0), (1.0 / 60.0, 77.0)] {
        let (mut world, _) = slope(0.0, 0.5);
        let block: Shape = Cuboid::new(Vec3::new(1.0, 1.0, 0.2)).unwrap().into();
        let along = Quat::from_rotation_z(f64::to_radians(azimuth)) * Vec3::X;
        let body = BodyDescription::dynamic("box", block).mass(5.0).position(Vec3::Z * 0.1);
        let block = world.add_body(body.velocity(along * 10.0).material(surface(0.5))).unwrap();
        let (mut last, mut steps) = (10.0, 0);
        while last > 0.0 && steps < 5000 {
            let report = world.step(dt).unwrap();
            let v = world.body(block).unwrap().state.velocity;
            assert!(v.dot(along) <= last + 1e-12, "never faster");
            assert!(v.dot(along) >= -1e-9, "never back");
            assert!(v.z.abs() < 1e-9, "no lift: {v} at step {steps}, dt {dt}: {:?}", report.contacts);
            assert!(report.contacts.is_certified(), "{:?}", report.contacts);
            last = v.dot(along);
            steps += 1;
            if v.length() < 1e-9 {
                break;
            }
        }
        let run = place(&world, block) - Vec3::Z * 0.1;
        let expected = 100.0 / (2.0 * 0.5 * G);
        assert!((run.dot(along) / expected - 1.0).abs() < 1e-3, "{} instead of {expected}", run.dot(along));
        assert!((run - along * run.dot(along)).length() < 1e-6, "no drift aside: {run}");
    }
}

#[test]
fn a_sliding_sphere_rolls_at_five_sevenths_of_its_speed() {
    let (v0, mu) = (7.0, 0.3);
    for azimuth in [0.0, 30.0] {
        let (mut world, _) = slope(0.0, mu);
        let along = Quat::from_rotation_z(f64::to_radians(azimuth)) * Vec3::X;
        let sphere: Shape = Sphere::new(0.2).unwrap().into();
        let body = BodyDescription::dynamic("ball", sphere).mass(1.0).position(Vec3::Z * 0.2);
        let ball = world.add_body(body.velocity(along * v0).material(surface(mu))).unwrap();
        let rolling = 2.0 * v0 / (7.0 * mu * G);
        world.run(0.9 * rolling).unwrap();
        let slip = {
            let state = world.body(ball).unwrap().state;
            (state.velocity + state.angular_velocity.cross(Vec3::Z * -0.2)).length()
        };
        assert!((slip - 0.1 * v0).abs() < 1e-3 * v0, "still slipping at {slip}");
        world.run(0.2 * rolling).unwrap();
        let state = world.body(ball).unwrap().state;
        assert!((state.velocity - along * (5.0 / 7.0 * v0)).length() < 1e-3 * v0, "{}", state.velocity);
        let slip = state.velocity + state.angular_velocity.cross(Vec3::Z * -0.2);
        assert!(slip.length() < 1e-9, "{slip}");
        let before = state.velocity;
        world.run(1.0).unwrap();
        assert!((world.body(ball).unwrap().state.velocity - before).length() < 1e-9, "rolling costs nothing");
    }
}

#[test]
fn a_sphere_rolls_down_an_incline_at_five_sevenths_of_g_sin() {
    let angle = 20_f64.to_radians();
    let (mut world, down) = slope(angle, 0.6);
    let sphere: Shape = Sphere::new(0.3).unwrap().into();
    let normal = Vec3::new(-angle.sin(), 0.0, angle.cos());
    let body = BodyDescription::dynamic("ball", sphere).mass(2.0).position(normal * 0.3);
    let ball = world.add_body(body.material(surface(0.6))).unwrap();
    world.run(2.0).unwrap();
    let travelled = (place(&world, ball) - normal * 0.3).dot(down);
    let expected = 0.5 * 5.0 / 7.0 * G * angle.sin() * 4.0;
    assert!((travelled / expected - 1.0).abs() < 1e-9, "{travelled} instead of {expected}");
}

#[test]
fn without_friction_tangential_momentum_is_kept() {
    let (mut world, _) = slope(0.0, 0.0);
    let block: Shape = Cuboid::new(Vec3::ONE).unwrap().into();
    let body = BodyDescription::dynamic("box", block).mass(3.0).position(Vec3::Z * 0.5);
    let block = world.add_body(body.velocity(Vec3::new(1.5, -2.5, 0.0)).material(surface(0.0))).unwrap();
    world.run(1.0).unwrap();
    let v = world.body(block).unwrap().state.velocity;
    assert!((v.x - 1.5).abs() < 1e-12 && (v.y + 2.5).abs() < 1e-12, "{v}");
}

#[test]
fn rolling_friction_stops_a_ball() {
    // ρ m g = (7/5) m a R at the contact: a = (5/7) ρ g/R.
    let (v0, rho, radius) = (1.0, 0.002, 0.1);
    let (mut world, _) = slope(0.0, 0.8);
    let sphere: Shape = Sphere::new(radius).unwrap().into();
    let material = Material { friction: 0.8, rolling_friction: rho, ..Material::default() };
    world.remove_body(world.find("slope").unwrap()).unwrap();
    let plane: Shape = HalfSpace::new(Vec3::Z, 0.0).unwrap().into();
    world.add_body(BodyDescription::fixed("floor", plane).material(material)).unwrap();
    let body =
        BodyDescription::dynamic("ball", sphere).mass(1.0).position(Vec3::Z * radius).material(material);
    let body = body.velocity(Vec3::X * v0).angular_velocity(Vec3::Y * (v0 / radius));
    let ball = world.add_body(body).unwrap();
    world.run(20.0).unwrap();
    let expected = v0 * v0 / (2.0 * 5.0 / 7.0 * rho * G / radius);
    let rolled = place(&world, ball).x;
    assert!((rolled / expected - 1.0).abs() < 1e-3, "{rolled} instead of {expected}");
    assert!(world.body(ball).unwrap().state.velocity.length() < 1e-9);
}

#[test]
fn a_pushed_block_turns_the_work_of_the_push_into_heat_and_motion() {
    // 30 N along x against friction of 0.5 · 5 kg · g: a = (30 - 24.525)/5.
    let (mut world, _) = slope(0.0, 0.5);
    let block: Shape = Cuboid::new(Vec3::new(1.0, 1.0, 0.2)).unwrap().into();
    let body = BodyDescription::dynamic("box", block).mass(5.0).position(Vec3::Z * 0.1);
    let block = world.add_body(body.material(surface(0.5))).unwrap();
    for _ in 0..1000 {
        world.apply_force(block, Vec3::X * 30.0).unwrap();
        world.step(0.001).unwrap();
    }
    let moved = 0.5 * (30.0 - 0.5 * 5.0 * G) / 5.0;
    assert!((place(&world, block).x - moved).abs() < 1e-9, "{}", place(&world, block).x);
    let energy = world.energy();
    assert!((energy.work_in - 30.0 * moved).abs() < 1e-8, "{energy:?}");
    assert!((energy.dissipated - 0.5 * 5.0 * G * moved).abs() < 1e-8, "{energy:?}");
    assert!(energy.max_error < 1e-9, "{energy:?}");
}

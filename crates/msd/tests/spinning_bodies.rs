//! Bodies that turn by many turns within a step pass through nothing, and a step whose paths are not known is not certified.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use msd::environment::{BodyDescription, StepReport, World};
use msd::math::{Quat, Vec3};
use msd::physics::rigid_body::BodyHandle;
use msd::physics::rigid_body::shape::{Cuboid, Cylinder, Shape};

/// A thin plate through the origin, and a rod above it that falls and spins.
fn rod_over_plate(turn: Quat, rod: Shape, spin: Vec3, height: f64) -> (World, BodyHandle) {
    let mut world = World::new();
    let plate: Shape = Cuboid::new(Vec3::new(2.0, 2.0, 0.001)).unwrap().into();
    world.add_body(BodyDescription::fixed("plate", plate).orientation(turn)).unwrap();
    let rod = BodyDescription::dynamic("rod", rod).mass(0.3).position(Vec3::new(0.05, 0.02, height));
    let rod = world.add_body(rod.angular_velocity(spin)).unwrap();
    (world, rod)
}

/// Which side of the plate a body is on that is not beyond its rim: 1 above, -1 below, 0 if it is.
fn side(world: &World, body: BodyHandle, turn: Quat) -> f64 {
    let at = turn.conjugate() * world.body(body).unwrap().state.center_of_mass;
    if at.x.abs() > 0.8 || at.y.abs() > 0.8 { 0.0 } else { at.z.signum() }
}

/// Steps until the rod leaves the plate over its rim; it must not do so through the plate.
fn stays_above(world: &mut World, rod: BodyHandle, turn: Quat, dt: f64, what: &str) -> Vec<StepReport> {
    let mut reports = Vec::new();
    for step in 0..(1.0 / dt) as usize {
        reports.push(world.step(dt).unwrap());
        match side(world, rod, turn) {
            0.0 => break,
            above => assert!(above > 0.0, "{what}: below the plate after step {step} of {dt} s"),
        }
    }
    reports
}

#[test]
fn a_rod_that_spins_by_many_turns_a_step_does_not_pass_a_thin_plate() {
    let turn = Quat::from_axis_angle(Vec3::new(1.0, 0.3, 0.2).normalize(), 20f64.to_radians());
    let rod: Shape = Cylinder::new(0.002, 0.6).unwrap().into();
    for (dt, height) in [0.002, 0.02, 0.05, 0.1, 0.2].into_iter().flat_map(|dt| [0.3, 0.31, 0.5].map(|z| (dt, z))) {
        let (mut world, body) = rod_over_plate(turn, rod.clone(), Vec3::Y * 90.0, height);
        println!("dt {dt} height {height}");
        let reports = stays_above(&mut world, body, turn, dt, "rod");
        for report in &reports {
            println!("{dt} t {:.3} parts {} {:?}", report.time, report.parts, report.certificate.failure());
            assert_eq!(report.certificate.crossings, 0, "{dt}");
        }
    }
}

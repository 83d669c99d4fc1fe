//! The quadruped of the gallery: statics of a machine that stands on servos.

#![allow(clippy::unwrap_used, reason = "a test ends where a promise is broken")]

use std::path::Path;

use msd::environment::{Sensor, World};
use msd::math::Vec3;
use msd_scene::{LoadOptions, Scene, Simulation};

const G: f64 = 9.81;

fn pushed() -> (msd_scene::report::Report, World) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/quadruped.toml");
    let scene =
        Scene::load_listed(&path, &LoadOptions::default()).unwrap_or_else(|errors| panic!("{errors}")).scene;
    let (outcome, engine) = Simulation::new(scene.build().unwrap()).run_watched(|_, _, _, _| true);
    assert_eq!(outcome.ending, msd_scene::Ending::Done);
    (outcome.report, engine.world().clone())
}

#[test]
fn a_pushed_quadruped_stands_again_and_its_statics_are_those_of_its_posture() {
    let (report, world) = pushed();
    let tree = world.articulation();
    let (q, v, n) = (world.q(&tree), world.v(&tree), tree.velocities());
    assert_eq!((tree.positions(), n), (7 + 12, 6 + 12));
    assert!(report.energy.kinetic < 1e-6, "{:e} J", report.energy.kinetic);
    assert!(v.iter().all(|rate| rate.abs() < 1e-3), "{v:?}");
    // It stands: not lower than servos sag, and upright.
    let (mass, center) = world.center_of_mass(&tree);
    assert!((mass - 13.8).abs() < 1e-12 && center.z > 0.2 && q[3] > 0.99);
    // The feet carry the weight.
    let feet: f64 = ["fl", "fr", "hl", "hr"]
        .iter()
        .map(|leg| world.sense(&Sensor::Touch(world.find(&format!("{leg} shank")).unwrap())).unwrap()[0])
        .sum();
    assert!((feet - mass * G).abs() < 1e-3 * mass * G, "{feet} N for {} N", mass * G);
    // Servos obey their law, and the forces of servos and feet balance gravity: h = τ + Σ Jᵀ f.
    let mut exerted = vec![0.0; n];
    for (handle, name, _) in world.actuators() {
        let joint = world.find_joint(name).unwrap();
        let at = tree.links()[tree.link_by(joint).unwrap()].first_position;
        let law =
            60.0 * (world.control(handle).unwrap() - q[at]) - 2.0 * world.joint_velocity(joint).unwrap();
        let force = world.actuator_force(handle).unwrap();
        assert!((force - law).abs() < 2e-3, "{name}: {force} N·m for {law} N·m");
        exerted[tree.links()[tree.link_by(joint).unwrap()].first_velocity] +=
            world.joint_force(joint).unwrap();
    }
    for contact in world.contacts() {
        for (body, sign) in [(contact.body_a, -1.0), (contact.body_b, 1.0)] {
            let Ok(view) = world.body(body) else { continue };
            let local = view.body.frame(view.state).point_to_local(contact.position);
            let Some(rows) = world.jacobian(&tree, body, local) else { continue };
            let force: Vec3 = contact.force() * sign;
            (0..n).for_each(|j| exerted[j] += (0..3).map(|k| rows[k * n + j] * force[k]).sum::<f64>());
        }
    }
    for (j, (found, bias)) in exerted.iter().zip(world.bias_forces(&tree)).enumerate() {
        assert!((found - bias).abs() < 2e-3 * mass * G * 0.3, "{j}: {found} for {bias}");
    }
}

#[test]
fn the_ledger_of_a_standing_machine_closes() {
    let (report, _) = pushed();
    let energy = &report.energy;
    assert!(energy.max_error < 1e-3 * energy.initial, "{:e} J of {} J", energy.max_error, energy.initial);
}

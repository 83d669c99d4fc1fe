//! Robots of the gallery in motion: a gripper lifts by friction, a quadruped trots on open-loop targets, and a keyframe is reached as often
//! as wanted.

#![allow(clippy::unwrap_used, reason = "a test ends where a promise is broken")]

use std::path::Path;

use msd::math::Vec3;
use msd_scene::{Built, LoadOptions, Scene};

const G: f64 = 9.81;

fn built(name: &str) -> Built {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(name);
    let loaded = Scene::load_listed(&path, &LoadOptions::default());
    loaded.unwrap_or_else(|errors| panic!("{errors}")).scene.build().unwrap()
}

/// How far an overdamped servo sags under the weight of its mass within a time: mass, damping and stiffness.
fn sag_of_servo([mass, damping, stiffness]: [f64; 3], time: f64) -> f64 {
    let (c, k) = (damping / mass, stiffness / mass);
    let root = (0.25 * c * c - k).sqrt();
    let [fast, slow] = [-0.5 * c - root, -0.5 * c + root];
    let left = (fast * (slow * time).exp() - slow * (fast * time).exp()) / (fast - slow);
    G / k * (1.0 - left)
}

#[test]
fn a_gripper_lifts_a_box_by_friction() {
    let mut built = built("gripper.toml");
    let offset = |built: &Built| {
        let at = |name: &str| {
            built.engine.world().body(built.engine.world().find(name).unwrap()).unwrap().state.center_of_mass
        };
        at("palm").z - at("box").z
    };
    // Palm and fingers, 2.2 kg, fall into the servo from rest while each finger travels 20 mm under 20 N.
    let closing = built.engine.run(0.1, |_, _| true).unwrap();
    assert!(closing.certificate.is_certified(), "{:?}", closing.certificate);
    let gripped = offset(&built);
    let sag = sag_of_servo([2.2, 300.0, 4000.0], (2.0 * 0.02 * 0.1 / 20.0_f64).sqrt());
    assert!((gripped - (0.085 - sag)).abs() < 2e-5, "{gripped}, sags by {sag}");
    let lifting = built.engine.run(2.9, |_, _| true).unwrap();
    assert!(lifting.certificate.is_certified(), "{:?}", lifting.certificate);
    assert!((offset(&built) - gripped).abs() < 1e-9, "slipped by {}", offset(&built) - gripped);
    let world = built.engine.world();
    let at = |name: &str| world.body(world.find(name).unwrap()).unwrap().state.center_of_mass;
    // The servo sags by the weight of 2.7 kg over its stiffness.
    let rise = 0.25 - 2.7 * G / 4000.0;
    assert!((at("palm").z - 0.115 - rise).abs() < 1e-3, "{}", at("palm").z);
    // Each finger presses with its motor's 20 N, and both together carry the weight. How they share it, and how much they push against
    // each other across, no law determines: the contacts stick.
    let held = world.find("box").unwrap();
    let mut carried = Vec3::ZERO;
    for finger in ["left finger", "right finger"] {
        let finger = world.find(finger).unwrap();
        let of = |a, b| [a, b] == [held, finger] || [a, b] == [finger, held];
        let force: Vec3 = world
            .contacts()
            .filter(|contact| of(contact.body_a, contact.body_b))
            .map(|contact| if contact.body_b == held { contact.force() } else { -contact.force() })
            .sum();
        assert!((force.x.abs() - 20.0).abs() < 1e-6, "{force}");
        carried += force;
    }
    assert!((carried - Vec3::Z * 0.5 * G).length() < 1e-5, "{carried}");
    let floor = world.find("floor").unwrap();
    assert!(world.contacts().all(|contact| contact.body_a != floor && contact.body_b != floor));
}

#[test]
fn a_quadruped_trots_on_targets_that_know_nothing_of_it() {
    let mut built = built("trot.toml");
    let report = built.engine.run(4.0, |_, _| true).unwrap();
    assert!(report.certificate.is_certified(), "{:?}", report.certificate);
    let world = built.engine.world();
    // The servos put work in, and the ledger closes to round-off.
    let energy = world.energy();
    assert!(energy.work_in.abs() > 1.0 && energy.error().abs() < 1e-9, "{energy:?}");
    let trunk = world.body(world.find("trunk").unwrap()).unwrap().state;
    // About 0.27 m/s, upright, on its feet.
    let (place, up) = (trunk.center_of_mass, trunk.orientation * Vec3::Z);
    assert!(place.x < -0.6 && place.y.abs() < 0.3 && place.z > 0.2, "{place}");
    assert!(up.z > 0.95, "{up}");
}

#[test]
fn a_keyframe_is_the_same_state_a_thousand_times() {
    let mut built = built("quadruped.toml");
    built.reset_to_keyframe("stand").unwrap();
    let first = built.engine.world().state_hash();
    built.engine.step(0.002).unwrap();
    let then = built.engine.world().state_hash();
    for _ in 0..1000 {
        built.reset_to_keyframe("stand").unwrap();
        assert_eq!(built.engine.world().state_hash(), first);
    }
    built.engine.step(0.002).unwrap();
    assert_eq!(built.engine.world().state_hash(), then);
}

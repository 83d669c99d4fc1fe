//! `step_walk SCENE` warms a scene up and then runs one step in `warm_step`, which `benches/step_walk/count` traces.
//! `step_walk` lists the scenes.

use std::hint::black_box;
use std::sync::Arc;

use msd::environment::{BodyDescription, ContactSettings, ContactTier, World};
use msd::math::Vec3;
use msd::physics::constraints::BallJoint;
use msd::physics::rigid_body::shape::{Cuboid, Shape};

const DT: f64 = 1.0 / 60.0;
const WARM_UP: usize = 120;

/// Name of a scene and its constructor.
type Scene = (&'static str, fn() -> World);

const SCENES: [Scene; 4] = [
    ("free body", free_body),
    ("box at rest, exact", box_at_rest),
    ("pyramid of 5 rows, fast", pyramid),
    ("chain of 6 on the floor, exact", chain),
];

fn main() {
    let Some(name) = std::env::args().nth(1) else {
        SCENES.iter().for_each(|(name, _)| println!("{name}"));
        return;
    };
    let Some((_, build)) = SCENES.iter().find(|(known, _)| *known == name) else {
        eprintln!("unknown scene {name}; run without arguments for a list");
        std::process::exit(2);
    };
    let mut world = build();
    for _ in 0..WARM_UP {
        world.step(DT).expect("a valid scene");
    }
    warm_step(&mut world);
    black_box(world.state_hash());
}

/// The traced step; the script finds it by name.
#[inline(never)]
fn warm_step(world: &mut World) {
    black_box(world.step(DT).expect("a valid scene"));
}

fn cube(side: f64) -> Shape {
    Cuboid::new(Vec3::splat(side)).expect("positive").into()
}

fn with_gravity() -> World {
    let mut world = World::new();
    world.set_gravity(Vec3::Z * -9.81).expect("finite");
    world
}

fn with_floor() -> World {
    let mut world = with_gravity();
    let floor = Cuboid::new(Vec3::new(100.0, 100.0, 1.0)).expect("positive");
    world.add_body(BodyDescription::fixed("floor", floor).position(Vec3::Z * -0.5)).expect("a floor");
    world
}

fn free_body() -> World {
    let mut world = with_gravity();
    let shape: Shape = Cuboid::new(Vec3::new(0.3, 0.5, 0.7)).expect("positive").into();
    let body = BodyDescription::dynamic("body", shape).mass(10.0).angular_velocity(Vec3::new(1.0, 2.0, 3.0));
    world.add_body(body).expect("a body");
    world
}

fn box_at_rest() -> World {
    let mut world = with_floor();
    world
        .add_body(BodyDescription::dynamic("box", cube(1.0)).mass(1000.0).position(Vec3::Z * 0.5))
        .expect("a box");
    world
}

fn pyramid() -> World {
    let mut world = with_floor();
    world.set_contact_settings(ContactSettings::with_tier(ContactTier::Fast)).expect("the defaults");
    for row in 0..5_usize {
        for k in 0..5 - row {
            let x = 1.1 * (k as f64 - 0.5 * (4 - row) as f64);
            let described = BodyDescription::dynamic(&format!("{row} {k}"), cube(1.0)).mass(1000.0);
            world.add_body(described.position(Vec3::new(x, 0.0, row as f64 + 0.5))).expect("a box");
        }
    }
    world
}

fn chain() -> World {
    let mut world = with_floor();
    let mut last = None;
    for k in 0..6 {
        let x = 0.5 * f64::from(k);
        let described = BodyDescription::dynamic(&format!("{k}"), cube(0.2)).mass(1.0);
        let link = world.add_body(described.position(Vec3::new(x, 0.0, 0.1))).expect("a link");
        if let Some(last) = last.replace(link) {
            let ends = [last, link].map(|body| world.joint_end(body).expect("of this world"));
            let joint = BallJoint::new(ends[0], ends[1], Vec3::new(x - 0.25, 0.0, 0.1)).expect("a joint");
            world.add_joint(&format!("joint {k}"), Arc::new(joint)).expect("a joint");
        }
    }
    world
}

//! `instructions SCENE` takes a fixed scene through a fixed number of steps; `instructions` lists the scenes.
//!
//! Only what happens inside [`counted`] is counted by `benches/instructions/count`: scenes are built and warmed up before. Each
//! scene takes some hundred million instructions, a few seconds under valgrind.

use std::hint::black_box;
use std::sync::Arc;

use msd::environment::{BodyDescription, ContactSettings, ContactTier, SleepSettings, World};
use msd::math::{Quat, Vec3};
use msd::physics::constraints::{Actuator, BallJoint, HingeJoint, JointEnd, Limits};
use msd::physics::rigid_body::shape::{Cuboid, Shape, Sphere};
use msd::physics::rigid_body::{BodyHandle, CollisionGroups};

const DT: f64 = 1.0 / 60.0;

/// Name, what is built, steps before counting, steps counted.
type Case = (&'static str, fn() -> World, usize, usize);

const CASES: [Case; 15] = [
    ("pyramid-at-rest", || pyramid(12), 30, 60),
    ("pyramid-from-nothing", || pyramid(8), 0, 2),
    ("boxes-poured", || poured(18, |_| cube(0.5)), 50, 4),
    ("balls-poured", || poured(60, |_| Sphere::new(0.25).expect("positive").into()), 40, 8),
    ("fast-pyramid", || fast(pyramid(12)), 30, 60),
    ("fast-boxes-poured", || fast(poured(60, |_| cube(0.5))), 40, 20),
    ("chain", || chain(20), 5, 20),
    ("free-bodies", || free(1000), 5, 40),
    ("pendulum", || hinges(1), 200, 2000),
    ("hinges-7", || hinges(7), 200, 400),
    ("hinges-50", || hinges(50), 200, 60),
    ("humanoid", humanoid, 200, 200),
    ("arm", arm, 200, 400),
    ("heavy-end", || heavy_end(20), 200, 60),
    ("net", || net(10), 20, 10),
];

/// Time steps of the scenes that are not stepped by [`DT`], s.
const STEPS: [(&str, f64); 7] = [
    ("pendulum", 1e-3),
    ("hinges-7", 1e-3),
    ("hinges-50", 1e-3),
    ("humanoid", 1e-3),
    ("arm", 1e-3),
    ("heavy-end", 1.0 / 240.0),
    ("net", 1.0 / 240.0),
];

/// Name, the world, and what is added to it: each addition must cost the same however much there is, so that a cost that grows with the
/// world shows as many times the count.
type Load = (&'static str, fn() -> World, fn(&mut World));

const LOADS: [Load; 3] = [
    ("bodies-added", || asleep(5_000), |world| add_bodies(world, 5_000)),
    ("joints-added", || asleep(5_000), |world| add_joints(world, 4_000)),
    ("pairs-ignored", || asleep(5_000), |world| ignore_pairs(world, 4_000)),
];

fn main() {
    let Some(name) = std::env::args().nth(1) else {
        CASES.iter().for_each(|case| println!("{}", case.0));
        LOADS.iter().for_each(|load| println!("{}", load.0));
        return;
    };
    if let Some((_, build, load)) = LOADS.iter().find(|load| load.0 == name) {
        let mut world = build();
        counted_load(&mut world, *load);
        black_box(world.state_hash());
        return;
    }
    let Some((_, build, before, steps)) = CASES.iter().find(|case| case.0 == name) else {
        eprintln!("no scene is called {name}; without a name the scenes are listed");
        std::process::exit(2);
    };
    let mut world = build();
    let dt = STEPS.iter().find(|step| step.0 == name).map_or(DT, |step| step.1);
    for _ in 0..*before {
        world.step(dt).expect("a sound scene");
    }
    counted(&mut world, dt, *steps);
    black_box(world.state_hash());
}

/// What is counted: the name is what the counter looks for.
#[inline(never)]
fn counted(world: &mut World, dt: f64, steps: usize) {
    for _ in 0..steps {
        black_box(world.step(dt).expect("a sound scene"));
    }
}

/// What is counted of a load.
#[inline(never)]
fn counted_load(world: &mut World, load: fn(&mut World)) {
    load(world);
}

/// Bodies far apart in a world that may sleep, after a step.
fn asleep(count: usize) -> World {
    let mut world = free(count);
    world.set_sleeping(Some(SleepSettings::default())).expect("the defaults");
    world.step(DT).expect("a sound scene");
    world
}

/// Half of them static: these wake everything.
fn add_bodies(world: &mut World, count: usize) {
    for k in 0..count {
        let name = format!("added {k}");
        let body = match k % 2 {
            0 => BodyDescription::dynamic(&name, cube(0.5)).mass(1.0),
            _ => BodyDescription::fixed(&name, cube(0.5)),
        };
        world.add_body(body.position(Vec3::new(-3.0 * k as f64, 0.0, 0.0))).expect("a body");
    }
}

/// The body with a number.
fn body(world: &World, k: usize) -> BodyHandle {
    world.find(&k.to_string()).expect("a body of `free`")
}

fn add_joints(world: &mut World, count: usize) {
    for k in 0..count {
        let (a, b) = (body(world, k), body(world, k + 1));
        let at = world.body(a).expect("of this world").state.center_of_mass;
        world.add_ball_joint(&format!("joint {k}"), a, b, at).expect("a joint");
    }
}

fn ignore_pairs(world: &mut World, count: usize) {
    for k in 0..count {
        let (a, b) = (body(world, k), body(world, k + 2));
        world.set_collision(a, b, false).expect("of this world");
    }
}

fn fast(mut world: World) -> World {
    world.set_contact_settings(ContactSettings::with_tier(ContactTier::Fast)).expect("the defaults");
    world
}

fn cube(side: f64) -> Shape {
    Cuboid::new(Vec3::splat(side)).expect("positive").into()
}

fn grounded() -> World {
    let mut world = World::new();
    world.set_gravity(Vec3::Z * -9.81).expect("finite");
    let floor = Cuboid::new(Vec3::new(100.0, 100.0, 1.0)).expect("positive");
    let floor = BodyDescription::fixed("floor", floor).position(Vec3::Z * -0.5);
    world.add_body(floor).expect("a floor");
    world
}

fn pyramid(rows: usize) -> World {
    let mut world = grounded();
    for row in 0..rows {
        for k in 0..rows - row {
            let x = 1.1 * (k as f64 - 0.5 * (rows - row - 1) as f64);
            let described = BodyDescription::dynamic(&format!("{row} {k}"), cube(1.0)).mass(1000.0);
            world.add_body(described.position(Vec3::new(x, 0.0, row as f64 + 0.5))).expect("a box");
        }
    }
    world
}

/// A shaft of bodies a little out of place and turned, let fall.
fn poured(count: usize, form: fn(usize) -> Shape) -> World {
    let mut world = grounded();
    for (number, side) in [Vec3::X, -Vec3::X, Vec3::Y, -Vec3::Y].into_iter().enumerate() {
        let wall = Cuboid::new(Vec3::new(1.0, 10.0, 40.0)).expect("positive");
        let turn = Quat::from_rotation_arc(Vec3::X, side);
        let described = BodyDescription::fixed(&format!("wall {number}"), wall);
        let placed = described.position(side * 2.0 + Vec3::Z * 20.0).orientation(turn);
        world.add_body(placed).expect("a wall");
    }
    let mut state = 0x9E37_79B9_u64;
    let mut random = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    };
    for k in 0..count {
        let grid = Vec3::new((k % 3) as f64 - 1.0, (k / 3 % 3) as f64 - 1.0, (k / 9) as f64 + 0.6) * 0.95;
        let off = Vec3::new(random(), random(), random());
        let turn = Quat::from_scaled_axis(Vec3::new(random(), random(), random()));
        let described = BodyDescription::dynamic(&format!("{k}"), form(k)).mass(50.0);
        world.add_body(described.position(grid + off * 0.03).orientation(turn)).expect("a body");
    }
    world
}

fn chain(links: usize) -> World {
    let mut world = World::new();
    world.set_gravity(Vec3::Z * -9.81).expect("finite");
    let mut last = world.add_body(BodyDescription::fixed("hook", cube(0.2))).expect("a hook");
    for k in 1..=links {
        let x = 0.5 * k as f64;
        let described = BodyDescription::dynamic(&format!("{k}"), cube(0.2)).mass(1.0);
        let link = world.add_body(described.position(Vec3::X * x)).expect("a link");
        let ends = [last, link].map(|body| world.joint_end(body).expect("of this world"));
        let joint = BallJoint::new(ends[0], ends[1], Vec3::X * (x - 0.25)).expect("a joint");
        world.add_joint(&format!("joint {k}"), Arc::new(joint)).expect("a joint");
        last = link;
    }
    world
}

/// A world with gravity and nothing in it.
fn falling() -> World {
    let mut world = World::new();
    world.set_gravity(Vec3::Z * -9.81).expect("finite");
    world
}

/// Links of 1 kg in a row, each turning on the one before: balls 1 m from the hinge, as the pendulum of `benches/python/compare.py`, or
/// rods of 0.2 m for more than one.
fn hinges(links: usize) -> World {
    let mut world = falling();
    let length = if links == 1 { 2.0 } else { 0.2 };
    let mut last = None;
    for k in 0..links {
        let at = Vec3::X * (length * k as f64);
        let shape: Shape = match links {
            1 => Sphere::new(0.1).expect("positive").into(),
            _ => Cuboid::new(Vec3::new(0.2, 0.05, 0.05)).expect("positive").into(),
        };
        let described = BodyDescription::dynamic(&format!("link {k}"), shape).mass(1.0);
        let link = world.add_body(described.position(at + Vec3::X * (0.5 * length))).expect("a link");
        let a = last.map_or(JointEnd::WORLD, |last| world.joint_end(last).expect("of this world"));
        let b = world.joint_end(link).expect("of this world");
        let axis = if k % 2 == 0 { Vec3::Y } else { Vec3::new(0.0, 1.0, 0.3) };
        let joint = HingeJoint::new(a, b, at, axis).expect("a hinge");
        world.add_joint(&format!("hinge {k}"), Arc::new(joint)).expect("a hinge");
        last = Some(link);
    }
    world
}

/// An arm of seven hinges like those in use: rotors, dampers, limits, and a soft servo on each.
fn arm() -> World {
    let mut world = hinges(7);
    let joints: Vec<_> = world.joints().map(|(joint, ..)| joint).collect();
    for (k, joint) in joints.into_iter().enumerate() {
        world.add_joint_armature(&format!("rotor {k}"), joint, 0.1).expect("a rotor");
        world.add_joint_spring(&format!("damper {k}"), joint, [0.0, 1.0, 0.0]).expect("a damper");
        let servo = Actuator::position(100.0, 10.0).expect("gains");
        let servo = world.add_actuator(&format!("servo {k}"), joint, servo).expect("a servo");
        world.set_control(servo, 0.3).expect("finite");
    }
    world
}

/// Links of 1 kg on ball joints that carry 1000 kg.
fn heavy_end(links: usize) -> World {
    let mut world = falling();
    let mut last = None;
    for k in 0..=links {
        let (size, mass) = if k < links { (0.1, 1.0) } else { (0.5, 1000.0) };
        let at = Vec3::X * (0.2 * k as f64 + 0.1);
        let ball: Shape = Sphere::new(size).expect("positive").into();
        let described = BodyDescription::dynamic(&format!("link {k}"), ball).mass(mass).position(at);
        let link = world.add_body(described.collision(CollisionGroups::NONE)).expect("a link");
        let a = last.map_or(JointEnd::WORLD, |last| world.joint_end(last).expect("of this world"));
        let b = world.joint_end(link).expect("of this world");
        let joint = BallJoint::new(a, b, Vec3::X * (0.2 * k as f64)).expect("a joint");
        world.add_joint(&format!("joint {k}"), Arc::new(joint)).expect("a joint");
        last = Some(link);
    }
    world
}

/// A falling tree of thirteen links: a trunk with two limbs of three links, two of two, a head and a waist, all on hinges with limits
/// they do not reach.
fn humanoid() -> World {
    let mut world = falling();
    let rod: Shape = Cuboid::new(Vec3::new(0.1, 0.1, 0.3)).expect("positive").into();
    let add = |world: &mut World, name: &str, at: Vec3, mass: f64, spin: f64| {
        let described = BodyDescription::dynamic(name, rod.clone()).mass(mass).position(at);
        world.add_body(described.angular_velocity(Vec3::new(0.3, spin, -0.2))).expect("a link")
    };
    let trunk = add(&mut world, "trunk", Vec3::Z, 8.0, 0.1);
    let mut joint = 0;
    for (limb, links, mass) in [(0, 3, 3.0), (1, 3, 3.0), (2, 2, 1.5), (3, 2, 1.5), (4, 1, 3.0), (5, 1, 6.0)]
    {
        let (mut last, side) = (trunk, 0.15 * (limb as f64 - 2.5));
        for k in 0..links {
            let down = -0.35 * (k as f64 + 1.0);
            let at = Vec3::new(0.0, side, 1.0 + if limb == 4 { -down } else { down });
            let link = add(&mut world, &format!("limb {limb} link {k}"), at, mass, 0.0);
            let ends = [last, link].map(|body| world.joint_end(body).expect("of this world"));
            let axis = [Vec3::Y, Vec3::X, Vec3::new(1.0, 1.0, 0.0)][k];
            let anchor = at + Vec3::Z * if limb == 4 { -0.175 } else { 0.175 };
            let hinge = HingeJoint::new(ends[0], ends[1], anchor, axis).expect("a hinge");
            let hinge = hinge.with_limits(Limits { min: -2.0, max: 2.0 }).expect("a range");
            world.add_joint(&format!("joint {joint}"), Arc::new(hinge)).expect("a hinge");
            (last, joint) = (link, joint + 1);
        }
    }
    world
}

/// A square net of balls, each joined to its neighbours, pinned at four corners: loops throughout.
fn net(side: usize) -> World {
    let mut world = falling();
    let ball: Shape = Sphere::new(0.02).expect("positive").into();
    let mut bodies = Vec::new();
    for k in 0..side * side {
        let (row, column) = (k / side, k % side);
        let at = Vec3::new(row as f64, column as f64, 0.0) * 0.1;
        let corner = row % (side - 1) == 0 && column % (side - 1) == 0;
        let name = format!("knot {k}");
        let described = match corner {
            true => BodyDescription::fixed(&name, ball.clone()),
            false => BodyDescription::dynamic(&name, ball.clone()).mass(0.1),
        };
        bodies.push((world.add_body(described.position(at)).expect("a knot"), at));
    }
    for k in 0..side * side {
        let below = (k % side + 1 < side).then_some(k + 1);
        let right = (k + side < side * side).then_some(k + side);
        for other in [below, right].into_iter().flatten() {
            let ends = [k, other].map(|k| world.joint_end(bodies[k].0).expect("of this world"));
            let joint = BallJoint::new(ends[0], ends[1], (bodies[k].1 + bodies[other].1) * 0.5);
            world.add_joint(&format!("{k} {other}"), Arc::new(joint.expect("a joint"))).expect("a joint");
        }
    }
    world
}

fn free(count: usize) -> World {
    let mut world = World::new();
    let shape: Shape = Cuboid::new(Vec3::new(0.3, 0.5, 0.7)).expect("positive").into();
    for k in 0..count {
        let place = Vec3::new((k % 10) as f64, (k / 10 % 10) as f64, (k / 100) as f64) * 3.0;
        let spin = Vec3::new((k % 7) as f64, (k % 5) as f64, (k % 3) as f64) * 0.5;
        let described = BodyDescription::dynamic(&format!("{k}"), shape.clone()).mass(10.0);
        world.add_body(described.position(place).angular_velocity(spin)).expect("a body");
    }
    world
}

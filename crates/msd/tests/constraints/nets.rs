//! Nets of joints: loops everywhere, and redundant rows wherever the net is flat.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use std::sync::Arc;

use msd::environment::{BodyDescription, World};
use msd::math::Vec3;
use msd::physics::constraints::BallJoint;
use msd::physics::rigid_body::shape::Sphere;
use msd::physics::rigid_body::{BodyHandle, CollisionGroups};

const DT: f64 = 1.0 / 60.0;

fn join(world: &mut World, a: BodyHandle, b: BodyHandle, anchor: Vec3) {
    let name = format!("{a:?} {b:?}");
    let (end_a, end_b) = (world.joint_end(a).unwrap(), world.joint_end(b).unwrap());
    let ball = BallJoint::new(end_a, end_b, anchor).unwrap();
    world.add_joint(&name, Arc::new(ball)).unwrap();
}

/// `wide` × `wide` balls of 1 kg, 1 m apart, each joined to its neighbours half way; two corners of a side are held.
fn net(wide: usize) -> World {
    let mut world = World::new();
    let mut handles = Vec::new();
    for k in 0..wide * wide {
        let (x, y) = ((k % wide) as f64, (k / wide) as f64);
        let (name, ball) = (format!("{k}"), Sphere::new(0.2).unwrap());
        let described = if k == 0 || k == wide - 1 {
            BodyDescription::fixed(&name, ball)
        } else {
            BodyDescription::dynamic(&name, ball).mass(1.0)
        };
        let placed = described.position(Vec3::new(x, y, 0.0)).collision(CollisionGroups::NONE);
        handles.push(world.add_body(placed).unwrap());
        if k % wide > 0 {
            join(&mut world, handles[k - 1], handles[k], Vec3::new(x - 0.5, y, 0.0));
        }
        if k >= wide {
            join(&mut world, handles[k - wide], handles[k], Vec3::new(x, y - 0.5, 0.0));
        }
    }
    world
}

/// Largest joint error in `steps` steps of 1/60 s, m, and the most energy the world has had, J; it starts with none.
fn run(world: &mut World, steps: usize) -> (f64, f64) {
    let (mut widest, mut most): (f64, f64) = (0.0, 0.0);
    for _ in 0..steps {
        let report = world.step(DT).unwrap();
        widest = widest.max(report.joints.position_error);
        most = most.max(world.energy().total());
    }
    (widest, most)
}

#[test]
fn a_level_net_leaves_the_plane_and_stays_together() {
    // Level, 6 of its 72 rows depend on others; the least move out of the plane makes them count.
    let mut world = net(4);
    assert_eq!(world.step(DT).unwrap().joints.dependent_rows, 6);
    let (widest, most) = run(&mut world, 120);
    assert!(widest < 1e-8, "open by {widest:e} m");
    // The far side hangs by its joints: it gains the energy of its fall and no more.
    let far = world.find("13").unwrap();
    let height = world.body(far).unwrap().state.center_of_mass.z;
    assert!(height < -0.5, "at {height} m");
    assert!(most < 0.02, "{most} J gained");
}

#[test]
fn a_wide_net_leaves_the_plane_and_stays_together() {
    let mut world = net(7);
    let (widest, _) = run(&mut world, 30);
    assert!(widest < 1e-6, "open by {widest:e} m");
}

#[test]
fn a_net_of_ten_is_not_taken_for_contradictory_where_it_turns_fast() {
    // In its 24th step eight pieces of the drift leave joints too far open to be closed; more pieces do not.
    let mut world = net(10);
    let (widest, _) = run(&mut world, 26);
    assert!(widest < 1e-6, "open by {widest:e} m");
    assert!(world.joint_report().converged);
}

#[test]
fn a_taut_line_between_two_posts_carries_its_weight_straight() {
    // As long as the posts are apart it can only stay straight: it sags by s where its joints open by about s².
    let mut world = World::new();
    let mut last = world
        .add_body(BodyDescription::fixed("0", Sphere::new(0.1).unwrap()).collision(CollisionGroups::NONE))
        .unwrap();
    for k in 1..=8 {
        let (name, ball) = (format!("{k}"), Sphere::new(0.1).unwrap());
        let described = if k == 8 {
            BodyDescription::fixed(&name, ball)
        } else {
            BodyDescription::dynamic(&name, ball).mass(1.0)
        };
        let x = f64::from(k);
        let placed = described.position(Vec3::X * x).collision(CollisionGroups::NONE);
        let body = world.add_body(placed).unwrap();
        join(&mut world, last, body, Vec3::X * (x - 0.5));
        last = body;
    }
    let (widest, most) = run(&mut world, 60);
    assert!(widest < 1e-7, "open by {widest:e} m");
    // The energy of gravity in a step, ½ m (g dt)², bounds the energy at its end.
    assert!(most < 0.5 * 7.0 * (9.81 * DT) * (9.81 * DT), "{most} J gained");
    let middle = world.find("4").unwrap();
    let sag = -world.body(middle).unwrap().state.center_of_mass.z;
    assert!(sag.abs() < 1e-3, "sags by {sag:e} m");
}

//! Many joints in loops under the fast tier: held softly, in substeps, while chains and small loops stay exact.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use std::sync::Arc;

use msd::environment::{BodyDescription, ContactSettings, ContactTier, World};
use msd::math::Vec3;
use msd::physics::constraints::BallJoint;
use msd::physics::rigid_body::shape::Sphere;
use msd::physics::rigid_body::{BodyHandle, CollisionGroups};
use msd::threads::Threads;

const DT: f64 = 1.0 / 60.0;

fn join(world: &mut World, a: BodyHandle, b: BodyHandle, anchor: Vec3) {
    let name = format!("{a:?} {b:?}");
    let (end_a, end_b) = (world.joint_end(a).unwrap(), world.joint_end(b).unwrap());
    world.add_joint(&name, Arc::new(BallJoint::new(end_a, end_b, anchor).unwrap())).unwrap();
}

/// `wide` × `long` balls of 1 kg, 1 m apart, each joined to its neighbours half way. Two corners of a side are as `corner` makes them.
fn net(wide: usize, long: usize, corner: impl Fn(&str) -> BodyDescription) -> World {
    let mut world = World::new();
    world.set_contact_settings(ContactSettings::with_tier(ContactTier::Fast)).unwrap();
    let mut handles = Vec::new();
    for k in 0..wide * long {
        let (x, y) = ((k % wide) as f64, (k / wide) as f64);
        let name = format!("{k}");
        let described = if k == 0 || k + 1 == wide {
            corner(&name)
        } else {
            BodyDescription::dynamic(&name, Sphere::new(0.2).unwrap()).mass(1.0)
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

fn fixed(name: &str) -> BodyDescription {
    BodyDescription::fixed(name, Sphere::new(0.2).unwrap())
}

#[test]
fn a_net_swings_down_together_and_gains_no_energy() {
    // 144 kg on two corners. It falls by most of its length; its joint error is reported.
    let mut world = net(12, 12, fixed);
    let (mut open, mut most, mut lowest) = (0.0_f64, 0.0_f64, 0.0_f64);
    let far = world.find("138").unwrap();
    for _ in 0..300 {
        let report = world.step(DT).unwrap();
        assert!(report.energy.unexplained.abs() < 1e-7, "{:?}", report.energy);
        assert!(report.contacts.residual > 0.0, "soft joints are judged like contacts");
        open = open.max(report.joints.position_error);
        let energy = world.energy();
        most = most.max(energy.total() - energy.correction);
        lowest = lowest.min(world.body(far).unwrap().state.center_of_mass.z);
    }
    assert!(open > 1e-6 && open < 0.1, "open by {open} m");
    assert!(lowest < -8.0, "{lowest} m");
    assert!(most < 1e-6, "{most} J of nothing");
}

#[test]
fn chains_and_small_nets_that_nothing_touches_are_held_exactly() {
    // A chain closes no loop, a net of four by four nine meshes and one between its posts.
    for (wide, long) in [(1, 40), (4, 4)] {
        let mut world = net(wide, long, fixed);
        for _ in 0..60 {
            let report = world.step(DT).unwrap();
            assert!(report.joints.position_error < 1e-8, "{:?}", report.joints);
            assert_eq!(report.contacts.islands, 0);
        }
    }
}

#[test]
fn who_pulls_a_net_does_the_work_it_gains_and_loses() {
    let pulled =
        |name: &str| BodyDescription::kinematic(name, Sphere::new(0.2).unwrap()).velocity(Vec3::Y * -1.0);
    let mut world = net(6, 6, pulled);
    world.set_gravity(Vec3::ZERO).unwrap();
    for _ in 0..240 {
        world.step(DT).unwrap();
    }
    // 34 kg brought to 1 m/s from rest: 17 J, of them at most as much again lost.
    let energy = world.energy();
    assert!(energy.work_in > 8.0 && energy.work_in < 40.0, "{energy:?}");
    let by_books = energy.work_in - energy.dissipated + energy.correction;
    assert!((energy.kinetic - by_books).abs() < 1e-7, "{energy:?}");
    let far = world.body(world.find("33").unwrap()).unwrap().state.center_of_mass.y;
    assert!(far < 5.0 - 2.5, "{far} m: it comes along");
}

#[test]
fn neither_threads_nor_a_snapshot_change_a_bit_of_a_net() {
    // More bodies than are left to one thread.
    let mut world = net(17, 17, fixed);
    let mut other = net(17, 17, fixed);
    other.set_threads(Threads::new(2).unwrap());
    for _ in 0..60 {
        world.step(DT).unwrap();
        other.step(DT).unwrap();
    }
    assert_eq!(world.state_hash(), other.state_hash());
    let mut again = net(17, 17, fixed);
    again.restore(&world.snapshot()).unwrap();
    for _ in 0..30 {
        world.step(DT).unwrap();
        again.step(DT).unwrap();
        assert_eq!(world.state_hash(), again.state_hash());
    }
}

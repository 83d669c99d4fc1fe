//! Reactions of joints at rest against statics by hand, redundant joints, and joints that contradict each other.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use crate::common::{Lab, diagonal};
use msd::math::Vec3;
use msd::physics::constraints::{
    BallJoint, Constraint, ConstraintError, DistanceJoint, FixedJoint, HingeJoint, JointEnd, SliderJoint,
    UniversalJoint,
};
use msd::physics::forces::UniformGravity;
use msd::physics::integration::IntegrationError;
use msd::physics::rigid_body::{BodyHandle, InertialState};

const G: f64 = 9.81;

fn handle(slot: usize) -> BodyHandle {
    BodyHandle::new(0, slot as u32, 0)
}

fn at(x: f64, y: f64, z: f64) -> InertialState {
    InertialState { center_of_mass: Vec3::new(x, y, z), ..InertialState::AT_REST }
}

fn heavy(lab: Lab) -> Lab {
    lab.field(UniformGravity::new(Vec3::new(0.0, 0.0, -G)).unwrap())
}

fn add(lab: &mut Lab, name: &str, joint: impl Constraint + 'static) {
    lab.constraints.add(name, Arc::new(joint)).unwrap();
}

fn reaction(lab: &Lab, name: &str) -> (Vec3, Vec3) {
    let reaction = lab.constraints.reaction(lab.constraints.find(name).unwrap()).unwrap();
    (reaction.force, reaction.torque)
}

const INTEGRATORS: [&str; 3] = ["rk4", "velocity-verlet", "semi-implicit-euler"];

#[test]
fn every_joint_of_a_hanging_chain_carries_what_hangs_below_it() {
    for integrator in INTEGRATORS {
        let mut lab = heavy(Lab::new(integrator));
        for link in 0..10 {
            lab = lab.body(diagonal(1.0 + link as f64, [0.1; 3]), at(0.0, 0.0, -0.5 - link as f64));
        }
        for link in 0..10 {
            let states = lab.states.clone();
            let above =
                if link == 0 { JointEnd::WORLD } else { JointEnd::body(handle(link - 1), &states[link - 1]) };
            let below = JointEnd::body(handle(link), &states[link]);
            let joint = BallJoint::new(above, below, Vec3::new(0.0, 0.0, -(link as f64))).unwrap();
            add(&mut lab, &format!("joint-{link}"), joint);
        }
        lab.run(0.1, 10);
        for link in 0..10 {
            let hanging: f64 = (link..10).map(|below| 1.0 + below as f64).sum();
            let (force, _) = reaction(&lab, &format!("joint-{link}"));
            assert!((force - Vec3::Z * (hanging * G)).length() < 1e-9, "{integrator}, joint {link}: {force}");
        }
        assert!(lab.states.iter().all(|state| state.velocity.length() < 1e-12), "{integrator}");
    }
}

#[test]
fn a_cantilever_is_held_by_its_weight_and_the_moment_of_its_weight() {
    for integrator in INTEGRATORS {
        let beam = at(2.0, 0.0, 0.0);
        let mut lab = heavy(Lab::new(integrator)).body(diagonal(3.0, [0.1, 4.0, 4.0]), beam);
        let wall = FixedJoint::new(JointEnd::WORLD, JointEnd::body(handle(0), &beam), Vec3::ZERO).unwrap();
        add(&mut lab, "wall", wall);
        lab.run(0.1, 10);
        let (force, torque) = reaction(&lab, "wall");
        assert!((force - Vec3::Z * (3.0 * G)).length() < 1e-10, "{integrator}: {force}");
        // The weight at x = 2 turns about -(x × z) = +y; the wall answers with -y.
        assert!((torque - Vec3::Y * (-2.0 * 3.0 * G)).length() < 1e-9, "{integrator}: {torque}");
        assert!((lab.states[0].center_of_mass - beam.center_of_mass).length() < 1e-14);
    }
}

#[test]
fn a_reaction_on_the_world_is_what_the_body_exerts() {
    let body = at(0.0, 0.0, -1.0);
    let mut lab = heavy(Lab::new("rk4")).body(diagonal(2.0, [0.1; 3]), body);
    let hook = BallJoint::new(JointEnd::body(handle(0), &body), JointEnd::WORLD, Vec3::ZERO).unwrap();
    add(&mut lab, "hook", hook);
    lab.run(0.1, 10);
    let (force, _) = reaction(&lab, "hook");
    assert!((force - Vec3::Z * (-2.0 * G)).length() < 1e-10, "{force}");
}

/// A door of 20 kg, 1 m wide, on hinges along the z axis at these heights.
fn door(integrator: &str, heights: &[f64]) -> Lab {
    let panel = at(0.5, 0.0, 1.0);
    let mut lab = heavy(Lab::new(integrator)).body(diagonal(20.0, [7.0, 8.5, 1.7]), panel);
    for height in heights {
        let anchor = Vec3::new(0.0, 0.0, *height);
        let hinge =
            HingeJoint::new(JointEnd::WORLD, JointEnd::body(handle(0), &panel), anchor, Vec3::Z).unwrap();
        add(&mut lab, &format!("hinge-{height}"), hinge);
    }
    lab
}

#[test]
fn a_door_on_three_hinges_hangs_and_shares_its_weight_evenly() {
    for integrator in INTEGRATORS {
        let mut lab = door(integrator, &[0.2, 1.0, 1.8]);
        lab.run(1.0, 100);
        assert_eq!(lab.constraints.report().dependent_rows, 10);
        let names = ["hinge-0.2", "hinge-1", "hinge-1.8"];
        let reactions = names.map(|name| reaction(&lab, name));
        let total: Vec3 = reactions.iter().map(|(force, _)| *force).sum();
        assert!((total - Vec3::Z * (20.0 * G)).length() < 1e-8, "{integrator}: total {total}");
        for (force, _) in reactions {
            assert!((force.z - 20.0 * G / 3.0).abs() < 1e-4, "{integrator}: {force}");
        }
        // Moments about the origin balance the weight at x = 0.5.
        let moment: Vec3 = reactions
            .iter()
            .zip([0.2, 1.0, 1.8])
            .map(|((force, torque), z)| *torque + Vec3::new(0.0, 0.0, z).cross(*force))
            .sum();
        assert!((moment - Vec3::Y * (-0.5 * 20.0 * G)).length() < 1e-7, "{integrator}: moment {moment}");
        assert!(lab.states[0].velocity.length() < 1e-11, "{integrator}: the door moved");
    }
}

#[test]
fn a_door_on_three_hinges_swings_like_a_door_on_one() {
    for integrator in INTEGRATORS {
        let mut swung: Vec<InertialState> = Vec::new();
        for heights in [vec![1.0], vec![0.2, 1.0, 1.8]] {
            let mut lab = door(integrator, &heights);
            lab.states[0].angular_velocity = Vec3::Z * 2.0;
            lab.states[0].velocity = Vec3::Y;
            lab.run(2.0, 400);
            swung.push(lab.states[0]);
        }
        let apart = (swung[0].center_of_mass - swung[1].center_of_mass).length();
        assert!(apart < 1e-9, "{integrator}: {apart:e}");
        let speed = swung[1].angular_velocity.z;
        assert!((speed - 2.0).abs() < 1e-9, "{integrator}: {speed}");
    }
}

#[test]
fn joints_that_contradict_each_other_are_named() {
    let body = at(0.0, 0.0, 0.0);
    let mut lab = heavy(Lab::new("velocity-verlet")).body(diagonal(1.0, [0.1; 3]), body);
    let end = JointEnd::body(handle(0), &body);
    add(&mut lab, "post", FixedJoint::new(JointEnd::WORLD, end, Vec3::ZERO).unwrap());
    let rod = DistanceJoint::new(JointEnd::WORLD, end, Vec3::X * 3.0, Vec3::ZERO).unwrap();
    add(&mut lab, "short rod", rod.with_length(2.0).unwrap());
    let error = lab.try_step(0.0, 0.01).unwrap_err();
    let IntegrationError::Constraint(ConstraintError::Contradictory { names, level, violation, .. }) = &error
    else {
        panic!("{error}");
    };
    assert!(names.contains(&"post".to_owned()) && names.contains(&"short rod".to_owned()), "{error}");
    assert_eq!(*level, "position");
    assert!(*violation > 0.1, "{error}");
}

#[test]
fn joints_that_demand_different_speeds_are_named() {
    // The body is on a slider along x and, at the same time, on a carrier that moves it along y.
    let (body, carrier) = (at(0.0, 0.0, 0.0), InertialState { velocity: Vec3::Y, ..at(0.0, 0.0, 0.0) });
    let mut lab = Lab::new("velocity-verlet")
        .body(diagonal(1.0, [0.1; 3]), body)
        .body(diagonal(1.0, [0.1; 3]), carrier);
    lab.inertias[1] = msd::physics::rigid_body::Inertia::IMMOVABLE;
    lab.bodies[1].kind = msd::physics::rigid_body::BodyKind::Kinematic;
    let end = JointEnd::body(handle(0), &body);
    add(&mut lab, "rail", SliderJoint::new(JointEnd::WORLD, end, Vec3::ZERO, Vec3::X).unwrap());
    add(&mut lab, "carrier", FixedJoint::new(JointEnd::body(handle(1), &carrier), end, Vec3::ZERO).unwrap());
    let error = lab.try_step(0.0, 0.01).unwrap_err();
    let IntegrationError::Constraint(ConstraintError::Contradictory { names, .. }) = &error else {
        panic!("{error}");
    };
    assert!(names.contains(&"rail".to_owned()) && names.contains(&"carrier".to_owned()), "{error}");
}

#[test]
fn a_chain_of_every_joint_hangs_still() {
    for integrator in INTEGRATORS {
        let mut lab = heavy(Lab::new(integrator));
        for link in 0..3 {
            lab = lab.body(diagonal(1.0, [0.1; 3]), at(0.0, 0.0, -0.5 - link as f64));
        }
        let s = lab.states.clone();
        let end = |slot: usize| JointEnd::body(handle(slot), &s[slot]);
        add(
            &mut lab,
            "cross",
            UniversalJoint::new(JointEnd::WORLD, end(0), Vec3::ZERO, Vec3::X, Vec3::Y).unwrap(),
        );
        add(&mut lab, "pin", HingeJoint::new(end(0), end(1), Vec3::Z * -1.0, Vec3::X).unwrap());
        add(&mut lab, "weld", FixedJoint::new(end(1), end(2), Vec3::Z * -2.0).unwrap());
        lab.run(1.0, 100);
        for (state, start) in lab.states.iter().zip(&s) {
            assert!((state.center_of_mass - start.center_of_mass).length() < 1e-12, "{integrator}");
        }
        let (force, _) = reaction(&lab, "pin");
        assert!((force - Vec3::Z * (2.0 * G)).length() < 1e-9, "{integrator}: {force}");
    }
}

#[test]
fn a_set_refuses_what_cannot_be_a_joint() {
    let body = at(0.0, 0.0, 0.0);
    let end = JointEnd::body(handle(0), &body);
    assert!(matches!(
        DistanceJoint::new(JointEnd::WORLD, end, Vec3::ZERO, Vec3::ZERO),
        Err(ConstraintError::Parameter { what: "length", .. })
    ));
    assert!(HingeJoint::new(JointEnd::WORLD, end, Vec3::ZERO, Vec3::ZERO).is_err());
    assert!(BallJoint::new(JointEnd::WORLD, end, Vec3::NAN).is_err());
    assert!(UniversalJoint::new(JointEnd::WORLD, end, Vec3::ZERO, Vec3::X, Vec3::X).is_err());
    let mut lab = Lab::new("rk4");
    let joint = Arc::new(BallJoint::new(JointEnd::WORLD, end, Vec3::ZERO).unwrap());
    let first = lab.constraints.add("a", joint.clone()).unwrap();
    assert!(matches!(lab.constraints.add("a", joint.clone()), Err(ConstraintError::DuplicateName { .. })));
    let same = Arc::new(BallJoint::new(end, end, Vec3::ZERO).unwrap());
    assert!(matches!(lab.constraints.add("b", same), Err(ConstraintError::SameEnds { .. })));
    lab.constraints.remove(first).unwrap();
    let second = lab.constraints.add("c", joint).unwrap();
    assert!(matches!(lab.constraints.get(first), Err(ConstraintError::UnknownHandle)));
    assert_eq!(lab.constraints.name(second).unwrap(), "c");
    assert_eq!(lab.constraints.remove_body(handle(0)), 1);
    assert!(lab.constraints.is_empty());
}

#[test]
fn jointed_bodies_do_not_collide_unless_the_joint_says_so() {
    let (a, b) = (at(0.0, 0.0, 0.0), at(1.0, 0.0, 0.0));
    let ends = (JointEnd::body(handle(0), &a), JointEnd::body(handle(1), &b));
    let joint = BallJoint::new(ends.0, ends.1, Vec3::ZERO).unwrap();
    let mut lab = Lab::new("rk4");
    let pin = lab.constraints.add("pin", Arc::new(joint.clone())).unwrap();
    assert!(!lab.constraints.may_collide(handle(1), handle(0)));
    assert!(lab.constraints.may_collide(handle(0), handle(2)));
    lab.constraints.replace(pin, Arc::new(joint.with_collision())).unwrap();
    assert!(lab.constraints.may_collide(handle(0), handle(1)));
}

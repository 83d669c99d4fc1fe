//! Steps with joints ask for no memory once warm.
#![allow(clippy::unwrap_used)]

mod counting_allocator;

use std::sync::Arc;

use counting_allocator::allocations;
use msd::math::{Mat3, Vec3};
use msd::physics::constraints::{BallJoint, ConstraintSet, HingeJoint, JointEnd, Limits, Motor, SpringJoint};
use msd::physics::forces::{Field, UniformGravity};
use msd::physics::integration::{System, by_name};
use msd::physics::rigid_body::{BodyHandle, Inertia, InertialState, RigidBody};

/// A driven arm with limits, a forearm on a ball joint, and a spring too stiff for the step.
fn machine(states: &[InertialState; 2]) -> ConstraintSet {
    let end = |slot: u32| JointEnd::body(BodyHandle::new(0, slot, 0), &states[slot as usize]);
    let shoulder = HingeJoint::new(JointEnd::WORLD, end(0), Vec3::ZERO, Vec3::Y)
        .unwrap()
        .with_limits(Limits { min: -1.0, max: 0.05 })
        .unwrap()
        .with_motor(Motor { velocity: 1.0, max_force: 3.0 })
        .unwrap();
    let elbow = BallJoint::new(end(0), end(1), Vec3::X).unwrap();
    let tip = Vec3::X * 2.0;
    let spring = SpringJoint::new(JointEnd::WORLD, end(1), tip + Vec3::Z, tip, 1e6, 10.0).unwrap();
    let mut joints = ConstraintSet::new();
    joints.add("shoulder", Arc::new(shoulder)).unwrap();
    joints.add("elbow", Arc::new(elbow)).unwrap();
    joints.add("spring", Arc::new(spring)).unwrap();
    joints
}

#[test]
fn warm_steps_with_joints_limits_motors_and_springs_allocate_nothing() {
    let inertia = Inertia::new(1.0, Mat3::from_diagonal(Vec3::new(0.01, 0.1, 0.1))).unwrap();
    let bodies = [RigidBody::new("arm", inertia), RigidBody::new("forearm", inertia)];
    let gravity: Arc<dyn Field> = Arc::new(UniformGravity::new(Vec3::new(0.0, 0.0, -9.81)).unwrap());
    for name in ["velocity-verlet", "semi-implicit-euler", "rk4"] {
        let mut states =
            [0.5, 1.5].map(|x| InertialState { center_of_mass: Vec3::X * x, ..InertialState::AT_REST });
        let mut joints = machine(&states);
        let (mut inertias, fields, dt) = ([inertia; 2], [gravity.clone()], 1e-3);
        let mut integrator = by_name(name, None).unwrap();
        for step in 0..400 {
            let (time, start) = (f64::from(step) * dt, states);
            let asked = allocations(|| {
                let mut system = System::new(&bodies, &mut inertias, &start, &fields, &[], time, dt)
                    .unwrap()
                    .with_constraints(&mut joints, &start, dt)
                    .unwrap();
                integrator.step(&mut system, &mut states, time, dt).unwrap();
            });
            assert!(step < 300 || asked == 0, "{name}: {asked} allocations in step {step}");
        }
        assert!(joints.report().converged, "{name}");
    }
}

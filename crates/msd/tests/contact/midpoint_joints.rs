//! Joints, springs, motors, brakes and limits of bodies in contact: solved once, closed, and booked by the motion that happened, at every
//! length of the step and in every direction.
use std::sync::Arc;

use msd::certificate::{Failure, Fault};
use msd::environment::{BodyDescription, World};
use msd::math::{Quat, Vec3, orientation};
use msd::physics::constraints::{Actuator, HingeJoint, JointEnd, Limits, Motor};
use msd::physics::rigid_body::shape::{Capsule, Cuboid, HalfSpace, Shape};
use msd::physics::rigid_body::{BodyHandle, Material};

const G: f64 = 9.81;

/// A floor, and the rotation of the whole scene.
struct Scene {
    world: World,
    turn: Quat,
}

impl Scene {
    fn new(turn: Vec3, friction: f64) -> Self {
        let turn = orientation::from_rotation_vector(turn);
        let mut world = World::new();
        world.set_gravity(turn * Vec3::Z * -G).unwrap();
        let floor = HalfSpace::new(turn * Vec3::Z, 0.0).unwrap();
        let material = Material { friction, ..Material::default() };
        world.add_body(BodyDescription::fixed("floor", floor).material(material)).unwrap();
        Self { world, turn }
    }

    fn add(&mut self, name: &str, shape: impl Into<Shape>, mass: f64, at: Vec3, turned: Quat) -> BodyHandle {
        let body = BodyDescription::dynamic(name, shape.into()).mass(mass).friction(0.5);
        self.world.add_body(body.position(self.turn * at).orientation(self.turn * turned)).unwrap()
    }

    fn hinge(&self, a: Option<BodyHandle>, b: BodyHandle, at: Vec3, axis: Vec3) -> HingeJoint {
        let end_a = a.map_or(JointEnd::WORLD, |a| self.world.joint_end(a).unwrap());
        let end_b = self.world.joint_end(b).unwrap();
        HingeJoint::new(end_a, end_b, self.turn * at, self.turn * axis).unwrap()
    }

    /// Runs it; every step in which something touches must be certified, and the ledger of those steps must close. Returns what was
    /// dissipated, and the work put in.
    fn run(&mut self, dt: f64, seconds: f64, what: &str) -> [f64; 2] {
        let mut scale: f64 = 0.0;
        for step in 0..(seconds / dt).round() as usize {
            let report = self.world.step(dt).unwrap();
            let energy = &report.energy;
            scale = scale.max(energy.kinetic.abs() + energy.potential.abs());
            let failure = report.certificate.failure();
            assert!(failure.is_none(), "{what}, dt {dt:.4}, step {step}: {failure:?}");
            assert_eq!(energy.correction, 0.0, "{what}, dt {dt:.4}, step {step}");
            if report.contacts.contacts > 0 {
                let unexplained = energy.unexplained.abs();
                assert!(unexplained < 1e-10 * scale, "{what}, dt {dt:.4}, step {step}: {energy:?}");
            }
        }
        let energy = self.world.energy();
        [energy.dissipated, energy.work_in]
    }
}

const DIRECTIONS: [Vec3; 3] = [Vec3::ZERO, Vec3::new(0.4, -1.1, 0.3), Vec3::new(-2.0, 0.7, 1.9)];
const STEPS: [f64; 3] = [1.0 / 60.0, 1.0 / 240.0, 1e-3];

#[test]
fn a_chain_that_falls_on_the_floor_dissipates_the_same_at_every_step() {
    let mut lost = Vec::new();
    for dt in STEPS {
        for turn in DIRECTIONS {
            let mut scene = Scene::new(turn, 0.5);
            let lying = orientation::from_rotation_vector(Vec3::Y * std::f64::consts::FRAC_PI_2);
            let mut last = None;
            for k in 0..5 {
                let (x, z) = (0.5 * f64::from(k), 0.5 + 0.1 * f64::from(k));
                let link = Capsule::new(0.08, 0.3).unwrap();
                let link = scene.add(&format!("{k}"), link, 1.0, Vec3::new(x, 0.0, z), lying);
                if let Some(last) = last {
                    let at = scene.turn * Vec3::new(x - 0.25, 0.0, z - 0.05);
                    scene.world.add_ball_joint(&format!("joint {k}"), last, link, at).unwrap();
                }
                last = Some(link);
            }
            let [dissipated, work] = scene.run(dt, 2.0, "chain");
            assert_eq!(work, 0.0);
            lost.push(dissipated);
        }
    }
    // It comes to rest on the floor: the energy that it falls by.
    let (least, most) = lost.iter().fold((f64::MAX, 0.0), |(a, b), x| (f64::min(a, *x), f64::max(b, *x)));
    assert!(most - least < 1e-4 * most && least > 10.0, "{lost:?}");
}

/// The spring drives a light arm down onto the floor, where it stays pressed.
#[test]
fn a_sprung_arm_pressed_on_the_floor_books_its_spring_once() {
    for turn in DIRECTIONS {
        for (dt, stiffness, damping) in [(1e-3, 40.0, 0.5), (1e-3, 400.0, 10.0), (1.0 / 240.0, 40.0, 0.0)] {
            let mut scene = Scene::new(turn, 0.5);
            let along = orientation::from_rotation_vector(Vec3::Y * std::f64::consts::FRAC_PI_2);
            let rod = Capsule::new(0.015, 0.37).unwrap();
            let arm = scene.add("arm", rod, 0.2, Vec3::new(0.2, 0.0, 0.1), along);
            let hinge = scene.hinge(None, arm, Vec3::Z * 0.1, Vec3::Y);
            let joint = scene.world.add_joint("hinge", Arc::new(hinge)).unwrap();
            scene.world.add_joint_spring("spring", joint, [stiffness, damping, 0.6]).unwrap();
            // Free flight has its own error of the order of the step.
            let mut touched = false;
            for step in 0..(0.5 / dt) as usize {
                let report = scene.world.step(dt).unwrap();
                touched |= report.contacts.contacts > 0;
                let what = format!("k {stiffness}, dt {dt}, step {step}: {:?}", report.energy);
                // The work of the loaded spring is resolved to its force times the residual of the solver.
                let resolved =
                    |failure: &Failure| failure.fault == Fault::NegativeDissipation && failure.figure < 1e-11;
                let failure = report.certificate.failure().filter(|failure| !resolved(failure));
                assert!(failure.is_none(), "{what} {failure:?}");
                assert_eq!(report.energy.correction, 0.0, "{what}");
                if touched {
                    assert!(report.energy.unexplained.abs() < 1e-10, "{what}");
                }
            }
            assert!(touched);
        }
    }
}

/// A motor turns a rod that sweeps the floor with a limit, a brake and a rotor beside it.
#[test]
fn motors_brakes_limits_rotors_and_actuators_close_the_ledger_in_contact() {
    for turn in DIRECTIONS {
        for dt in STEPS {
            let mut scene = Scene::new(turn, 0.4);
            let cart = Cuboid::new(Vec3::new(0.8, 0.5, 0.2)).unwrap();
            let cart = scene.add("cart", cart, 5.0, Vec3::Z * 0.1, Quat::IDENTITY);
            let rod = || Cuboid::new(Vec3::new(0.06, 0.06, 0.5)).unwrap();
            for (k, side) in [-1.0, 1.0].into_iter().enumerate() {
                let at = Vec3::new(0.3 * side, 0.35 * side, 0.45);
                let rod = scene.add(&format!("rod {k}"), rod(), 0.7, at, Quat::IDENTITY);
                let mut hinge = scene.hinge(Some(cart), rod, at - Vec3::Z * 0.25, Vec3::Y);
                if k == 0 {
                    hinge = hinge.with_motor(Motor { velocity: 2.0, max_force: 3.0 }).unwrap();
                    hinge = hinge.with_limits(Limits { min: -0.5, max: 0.8 }).unwrap();
                }
                let joint = scene.world.add_joint(&format!("hinge {k}"), Arc::new(hinge)).unwrap();
                scene.world.add_joint_armature(&format!("rotor {k}"), joint, 0.02).unwrap();
                if k == 1 {
                    let servo = Actuator::position(30.0, 1.0).unwrap().with_force_range([-2.0, 2.0]).unwrap();
                    let servo = scene.world.add_actuator("servo", joint, servo).unwrap();
                    scene.world.set_control(servo, 0.9).unwrap();
                }
            }
            let [_, work] = scene.run(dt, 1.0, "cart");
            assert_ne!(work, 0.0);
        }
    }
}

//! Constraints: accuracy, Jacobians, reports; a user's constraints of every kind inside a world, next to contact and in the fast tier.

use std::sync::Arc;

use msd::environment::{BodyDescription, ContactSettings, ContactTier, World};
use msd::math::Vec3;
use msd::physics::constraints::{Constraint, DistanceJoint, JacobianRow, JointEnd, Pair, RowLaw};
use msd::physics::integration::by_name;
use msd::physics::rigid_body::BodyHandle;
use msd::physics::rigid_body::shape::{HalfSpace, Sphere};

use super::world_with_ball;

const INTEGRATORS: [&str; 4] = ["velocity-verlet", "semi-implicit-euler", "rk4", "implicit-midpoint"];

/// `C = n·x - offset - rate·t` of one body, with a law.
#[derive(Debug)]
struct Plane {
    body: BodyHandle,
    normal: Vec3,
    rate: f64,
    law: RowLaw,
}

impl Constraint for Plane {
    fn type_name(&self) -> &'static str {
        "plane"
    }

    fn bodies(&self) -> [Option<BodyHandle>; 2] {
        [None, Some(self.body)]
    }

    fn dimension(&self) -> usize {
        1
    }

    fn law(&self, _row: usize) -> RowLaw {
        self.law
    }

    fn value(&self, pair: &Pair<'_>, time: f64, out: &mut [f64]) {
        out[0] = self.normal.dot(pair.b.center_of_mass) - self.rate * time;
    }

    fn jacobian(&self, _pair: &Pair<'_>, _time: f64, out: &mut [JacobianRow]) {
        out[0] = JacobianRow { linear_b: self.normal, ..JacobianRow::ZERO };
    }

    fn time_derivative(&self, _pair: &Pair<'_>, _time: f64, out: &mut [f64]) {
        out[0] = -self.rate;
    }
}

/// A rope over a pulley: `C = z_A + z_B - sum`.
#[derive(Debug)]
struct Atwood {
    ends: [BodyHandle; 2],
    sum: f64,
}

impl Constraint for Atwood {
    fn type_name(&self) -> &'static str {
        "atwood"
    }

    fn bodies(&self) -> [Option<BodyHandle>; 2] {
        self.ends.map(Some)
    }

    fn dimension(&self) -> usize {
        1
    }

    fn value(&self, pair: &Pair<'_>, _time: f64, out: &mut [f64]) {
        out[0] = pair.a.center_of_mass.z + pair.b.center_of_mass.z - self.sum;
    }

    fn jacobian(&self, _pair: &Pair<'_>, _time: f64, out: &mut [JacobianRow]) {
        out[0] = JacobianRow { linear_a: Vec3::Z, linear_b: Vec3::Z, ..JacobianRow::ZERO };
    }
}

fn gravity() -> Vec3 {
    World::DEFAULT_GRAVITY
}

/// Promised: a unilateral constraint of the user is enforced automatically. The ball rests on it with its weight.
#[test]
fn a_users_stop_holds_a_ball() {
    for name in INTEGRATORS {
        let (mut world, ball) = world_with_ball(gravity(), Vec3::ZERO);
        world.set_integrator(by_name(name, None).unwrap());
        let stop = Plane { body: ball, normal: Vec3::Z, rate: 0.0, law: RowLaw::Unilateral };
        let stop = world.add_joint("stop", Arc::new(stop)).unwrap();
        for _ in 0..100 {
            world.step(0.01).unwrap();
        }
        let state = world.body(ball).unwrap().state;
        assert!(state.center_of_mass.z.abs() < 1e-12 && state.velocity.length() < 1e-12, "{name}: {state:?}");
        assert!((world.reaction(stop).unwrap().force.z - 9.81).abs() < 1e-9, "{name}");
        assert!((world.multipliers(stop).unwrap()[0] - 9.81).abs() < 1e-9, "{name}");
    }
}

/// A constraint that depends on time lifts the ball at its rate, and the ledger books the work.
#[test]
fn a_users_lift_follows_time() {
    for name in INTEGRATORS {
        let (mut world, ball) = world_with_ball(gravity(), Vec3::ZERO);
        world.set_integrator(by_name(name, None).unwrap());
        world.set_velocity(ball, Vec3::Z * 0.5).unwrap();
        let lift = Plane { body: ball, normal: Vec3::Z, rate: 0.5, law: RowLaw::Rigid };
        world.add_joint("lift", Arc::new(lift)).unwrap();
        for _ in 0..100 {
            world.step(0.01).unwrap();
        }
        let height = world.body(ball).unwrap().state.center_of_mass.z;
        assert!((height - 0.5).abs() < 1e-12, "{name}: {height}");
        let energy = world.energy();
        assert!((energy.work_in - 9.81 * 0.5).abs() < 1e-6, "{name}: {}", energy.work_in);
        assert!(energy.error().abs() < 1e-6, "{name}");
    }
}

/// A non-holonomic row: a skate that cannot move across its blade slides along it for ever.
#[test]
fn a_users_skate_does_not_slip() {
    for name in INTEGRATORS {
        let (mut world, ball) = world_with_ball(Vec3::ZERO, Vec3::ZERO);
        world.set_integrator(by_name(name, None).unwrap());
        world.set_velocity(ball, Vec3::new(1.0, 1.0, 0.0)).unwrap();
        let law = RowLaw::Motor { velocity: 0.0, max_force: f64::INFINITY };
        world.add_joint("skate", Arc::new(Plane { body: ball, normal: Vec3::Y, rate: 0.0, law })).unwrap();
        for _ in 0..100 {
            world.step(0.01).unwrap();
        }
        let velocity = world.body(ball).unwrap().state.velocity;
        assert!((velocity - Vec3::X).length() < 1e-12, "{name}: {velocity}");
    }
}

/// Two bodies: Atwood's machine of 1 kg and 3 kg falls with g/2. With the heavy one on the ground the floor carries the difference
/// of the weights, in the exact and in the fast tier.
#[test]
fn a_users_pulley_works_alone_and_next_to_contact() {
    let build = |tier, heavy_at: f64| {
        let mut world = World::new();
        world.set_contact_settings(ContactSettings::with_tier(tier)).unwrap();
        world.add_body(BodyDescription::fixed("floor", HalfSpace::new(Vec3::Z, 0.0).unwrap())).unwrap();
        let ball = |name: &str, mass, at| {
            BodyDescription::dynamic(name, Sphere::new(0.1).unwrap()).mass(mass).position(at)
        };
        let light = world.add_body(ball("light", 1.0, Vec3::new(1.0, 0.0, 5.0))).unwrap();
        let heavy = world.add_body(ball("heavy", 3.0, Vec3::Z * heavy_at)).unwrap();
        let rope = Atwood { ends: [light, heavy], sum: 5.0 + heavy_at };
        let rope = world.add_joint("rope", Arc::new(rope)).unwrap();
        (world, heavy, rope)
    };
    let (mut world, heavy, _) = build(ContactTier::Exact, 4.0);
    for _ in 0..50 {
        world.step(0.01).unwrap();
    }
    let speed = world.body(heavy).unwrap().state.velocity.z;
    assert!((speed + 0.5 * 9.81 * 0.5).abs() < 1e-12, "{speed}");
    for (tier, close) in [(ContactTier::Exact, 1e-9), (ContactTier::Fast, 0.05)] {
        let (mut world, _, rope) = build(tier, 0.1);
        for _ in 0..200 {
            world.step(0.01).unwrap();
        }
        let floor: f64 = world.contacts().map(|contact| contact.normal_force).sum();
        assert!((floor - 2.0 * 9.81).abs() < close, "{tier:?}: {floor}");
        let tension = world.multipliers(rope).unwrap()[0];
        assert!((tension - 9.81).abs() < close, "{tier:?}: {tension}");
    }
}

/// Promised: a distance constraint of 5 m about the origin holds over 10 000 steps of 16 ms; the reaction is m v²/d.
#[test]
fn a_distance_holds_over_ten_thousand_steps() {
    let (mut world, ball) = world_with_ball(Vec3::ZERO, Vec3::X * 5.0);
    world.set_velocity(ball, Vec3::Y * 3.0).unwrap();
    let rod = DistanceJoint::new(JointEnd::WORLD, world.joint_end(ball).unwrap(), Vec3::ZERO, Vec3::X * 5.0);
    let rod = world.add_joint("rod", Arc::new(rod.unwrap())).unwrap();
    for _ in 0..10_000 {
        world.step(0.016).unwrap();
        let off = world.body(ball).unwrap().state.center_of_mass.length() - 5.0;
        assert!(off.abs() < 1e-13, "{off}");
    }
    assert!((world.reaction(rod).unwrap().force.length() - 1.8).abs() < 1e-3);
}

/// Promised: without constraints the solver reports that it converged.
#[test]
fn an_empty_set_of_constraints_has_converged() {
    let (mut world, _) = world_with_ball(gravity(), Vec3::ZERO);
    assert!(world.joint_report().converged);
    assert!(world.step(0.01).unwrap().joints.converged);
}

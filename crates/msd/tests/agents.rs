//! Agents act through commands, at their own rate, which the engine holds.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use msd::agent::{Agent, Command, ConstantWrench, PdAttitude, Scripted, VelocityCommand};
use msd::engine::{AssetSource, Engine, EngineError};
use msd::environment::{BodyDescription, World};
use msd::math::{Quat, ReferenceFrame, Vec3, orientation};
use msd::physics::integration::LoadFrame;
use msd::physics::rigid_body::BodyHandle;
use msd::physics::rigid_body::shape::{Shape, Sphere};

fn ball() -> Shape {
    Shape::Sphere(Sphere::new(0.5).unwrap())
}

fn engine_with_ball(mass: f64) -> (Engine, BodyHandle) {
    let mut world = World::new();
    world.set_gravity(Vec3::ZERO).unwrap();
    let body = world.add_body(BodyDescription::dynamic("ball", ball()).mass(mass)).unwrap();
    (Engine::new(world), body)
}

#[test]
fn a_constant_wrench_acts_from_its_start_until_its_end() {
    let (mut engine, body) = engine_with_ball(2.0);
    let wrench = ConstantWrench::new(body, Vec3::X * 4.0, Vec3::ZERO, LoadFrame::World).unwrap();
    engine.add_agent(wrench.during(1.0, 3.0).unwrap());
    engine.run(5.0, |_, _| true).unwrap();
    let state = engine.world().body(body).unwrap().state;
    assert!((state.velocity.x - 4.0).abs() < 1e-12, "F t / m over 2 s: {}", state.velocity.x);
    assert!((state.center_of_mass.x - 12.0).abs() < 1e-11, "½ a t² + v t = 4 + 8");
    // 2000 kicks each round v = 4 m/s by at most half an ulp (4.4e-16): m v δv = 8 × 4.4e-16 J a kick.
    assert!(engine.world().energy().max_error < 2000.0 * 8.0 * 4.4e-16);
}

#[test]
fn attitude_control_settles_at_the_target_as_a_damped_oscillator_does() {
    // Sphere: I = 2/5 m r² = 0.4; stiffness 0.4 and damping 0.8 give critical damping at 1 rad/s:
    // angle(t) = angle₀ (1 + t) exp(-t) for a turn about one axis.
    let (mut engine, body) = engine_with_ball(4.0);
    let target = orientation::from_rotation_vector(Vec3::Z * 1.0);
    engine.add_agent(PdAttitude::new(body, target, 0.4, 0.8).unwrap());
    engine.run(5.0, |_, _| true).unwrap();
    let left = orientation::angle_between(engine.world().body(body).unwrap().state.orientation, target);
    assert!((left - 6.0 * (-5.0_f64).exp()).abs() < 1e-4, "{left}");
}

#[test]
fn the_torque_of_attitude_control_is_limited() {
    let (mut engine, body) = engine_with_ball(4.0);
    let target = orientation::from_rotation_vector(Vec3::Z * 3.0);
    let agent = PdAttitude::new(body, target, 1e6, 0.0).unwrap().with_max_torque(0.4).unwrap();
    engine.add_agent(agent);
    engine.run(1.0, |_, _| true).unwrap();
    let omega = engine.world().body(body).unwrap().state.angular_velocity;
    assert!((omega - Vec3::Z).length() < 1e-9, "τ t / I = 1 rad/s: {omega}");
}

#[test]
fn a_script_holds_each_entry_until_the_next() {
    let (mut engine, body) = engine_with_ball(1.0);
    let push = |force| vec![Command::Wrench { body, force, torque: Vec3::ZERO, frame: LoadFrame::World }];
    let script = Scripted::new(vec![(0.0, push(Vec3::X)), (1.0, vec![]), (2.0, push(-Vec3::X))]).unwrap();
    engine.add_agent(script);
    engine.run(3.0, |_, _| true).unwrap();
    let state = engine.world().body(body).unwrap().state;
    assert!(state.velocity.length() < 1e-12);
    assert!((state.center_of_mass.x - 2.0).abs() < 1e-11, "½ + 1 + ½");
}

#[test]
fn steering_by_velocity_decays_towards_what_was_asked() {
    let (mut engine, body) = engine_with_ball(1.0);
    let mut pilot = VelocityCommand::new(body, LoadFrame::World, 2.0, 1e3, 1e3).unwrap();
    pilot.set_target_velocity(Vec3::Y * 3.0, Vec3::X);
    engine.add_agent(pilot);
    engine.run(1.0, |_, _| true).unwrap();
    let state = engine.world().body(body).unwrap().state;
    let share = 1.0 - (-2.0_f64).exp();
    assert!((state.velocity.y - 3.0 * share).abs() < 3e-3, "held commands are first order in dt");
    assert!((state.angular_velocity.x - share).abs() < 1e-3);
}

/// Counts its turns.
#[derive(Clone, Debug)]
struct Counter {
    period: f64,
    turns: Arc<AtomicU64>,
    times: Arc<Mutex<Vec<f64>>>,
}

impl Agent for Counter {
    fn type_name(&self) -> &'static str {
        "counter"
    }
    fn period(&self) -> Option<f64> {
        Some(self.period)
    }
    fn act(&mut self, world: &World, _: &mut Vec<Command>) {
        self.turns.fetch_add(1, Ordering::Relaxed);
        self.times.lock().unwrap().push(world.time());
    }
    fn clone_box(&self) -> Box<dyn Agent> {
        Box::new(self.clone())
    }
}

#[test]
fn an_agent_acts_at_its_own_rate() {
    let (mut engine, _) = engine_with_ball(1.0);
    let counter = Counter { period: 0.01, turns: Arc::default(), times: Arc::default() };
    engine.add_agent(counter.clone());
    engine.run(1.0, |_, _| true).unwrap();
    assert_eq!(counter.turns.load(Ordering::Relaxed), 100);
    let times = counter.times.lock().unwrap();
    assert!(times.iter().enumerate().all(|(n, time)| (time - n as f64 * 0.01).abs() < 1e-12));
}

#[test]
fn the_engine_updates_to_a_time_and_not_backwards() {
    let (mut engine, _) = engine_with_ball(1.0);
    engine.update(0.25).unwrap();
    engine.update(0.25).unwrap();
    engine.update(1.0).unwrap();
    assert_eq!(engine.world().time(), 1.0);
    assert_eq!(engine.update(0.5).unwrap_err(), EngineError::Past { wanted: 0.5, now: 1.0 });
}

#[test]
fn a_step_that_is_refused_leaves_nothing_of_what_agents_asked() {
    let (mut engine, body) = engine_with_ball(1.0);
    let lift = engine
        .world_mut()
        .add_body(BodyDescription::kinematic("lift", ball()).position(Vec3::Y * 5.0))
        .unwrap();
    let wrench = ConstantWrench::new(body, Vec3::X, Vec3::ZERO, LoadFrame::World).unwrap();
    engine.add_agent(wrench);
    let rise =
        vec![Command::KinematicVelocity { body: lift, velocity: Vec3::Z, angular_velocity: Vec3::ZERO }];
    engine.add_agent(Scripted::new(vec![(0.0, rise)]).unwrap());
    let before = engine.world().state_hash();
    for _ in 0..3 {
        assert!(engine.step(-1.0).is_err());
        assert_eq!(engine.world().state_hash(), before);
    }
    engine.step(1.0).unwrap();
    let velocity = engine.world().body(body).unwrap().state.velocity;
    assert!((velocity - Vec3::X).length() < 1e-15, "one newton for one second, once: {velocity}");
}

#[derive(Debug)]
struct OneBall;

impl AssetSource for OneBall {
    fn describe(&self, asset: &str, body: &str) -> Result<Option<BodyDescription>, String> {
        Ok((asset == "ball").then(|| BodyDescription::dynamic(body, ball()).mass(1.0)))
    }
}

#[test]
fn bodies_are_spawned_by_the_name_of_their_asset() {
    let mut engine = Engine::new(World::new()).with_assets(Arc::new(OneBall));
    let at = ReferenceFrame::new(Vec3::Z, Quat::IDENTITY);
    let body = engine.spawn("ball", "one", at).unwrap();
    assert_eq!(engine.world().frame(body).unwrap(), at);
    assert_eq!(engine.spawn("cube", "two", at).unwrap_err(), EngineError::UnknownAsset("cube".into()));
    assert!(matches!(Engine::default().spawn("ball", "x", at), Err(EngineError::NoAssets(_))));
}

/// Pushes, and gives up at 5 ms.
#[derive(Clone, Debug)]
struct GivesUp {
    body: BodyHandle,
    late: bool,
}

impl Agent for GivesUp {
    fn type_name(&self) -> &'static str {
        "gives-up"
    }

    fn act(&mut self, world: &World, commands: &mut Vec<Command>) {
        self.late = world.time() >= 0.005;
        let (force, torque) = (Vec3::X, Vec3::ZERO);
        commands.push(Command::Wrench { body: self.body, force, torque, frame: LoadFrame::World });
    }

    fn failure(&mut self) -> Option<String> {
        self.late.then(|| "lost its way".to_owned())
    }

    fn clone_box(&self) -> Box<dyn Agent> {
        Box::new(self.clone())
    }
}

#[test]
fn an_agent_that_cannot_act_refuses_the_step() {
    let mut world = World::new();
    let sphere = Shape::Sphere(Sphere::new(0.5).unwrap());
    let body = world.add_body(BodyDescription::dynamic("ball", sphere).mass(1.0)).unwrap();
    let mut engine = Engine::new(world);
    engine.add_agent(GivesUp { body, late: false });
    let refused = engine.run(1.0, |_, _| true).unwrap_err().to_string();
    assert!(refused.contains("agent `gives-up` at t = 0.005 s: lost its way"), "{refused}");
    assert_eq!(engine.world().steps(), 5);
    // No request of it remains.
    let before = engine.world().body(body).unwrap().state.velocity;
    engine.world_mut().step(0.001).unwrap();
    let gained = engine.world().body(body).unwrap().state.velocity - before;
    assert!(gained.x == 0.0 && gained.z < 0.0, "{gained}");
}

//! Agents act through commands, at their own rate, which the engine holds.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use msd::agent::{
    Agent, Approach, Command, ConstantWrench, Docking, DockingControl, DockingPorts, PdAttitude, Scripted,
    VelocityCommand,
};
use msd::engine::{AssetSource, Engine, EngineError};
use msd::environment::{BodyChange, BodyDescription, QueryFilter, World};
use msd::math::{Quat, ReferenceFrame, Vec3, orientation};
use msd::physics::forces::{MagneticDipole, MagneticSource, PointGravity};
use msd::physics::integration::LoadFrame;
use msd::physics::rigid_body::shape::{Cuboid, HalfSpace, Ray, Shape, Sphere};
use msd::physics::rigid_body::{BodyHandle, PropertyValue};

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

/// A chaser 12 m in front of a target in low orbit, which turns at 0.3°/s, and 5 m beside the axis of its port.
fn docking_in_orbit(approach: Approach) -> (Engine, [BodyHandle; 2]) {
    let mu: f64 = 3.986_004_418e14;
    let radius: f64 = 6.778e6;
    let mut world = World::new();
    world.set_gravity(Vec3::ZERO).unwrap();
    world.add_field(PointGravity::new(mu, Vec3::ZERO).unwrap()).unwrap();
    world.set_dt(0.05).unwrap();
    let along = Vec3::Y * (mu / radius).sqrt();
    let craft = |name: &str, mass: f64| {
        let shape = Cuboid::new(Vec3::new(2.0, 2.0, 2.0)).unwrap();
        BodyDescription::dynamic(name, shape).mass(mass).friction(0.3)
    };
    let spin = Vec3::Z * 0.3_f64.to_radians();
    let target = craft("target", 4000.0).position(Vec3::X * radius).velocity(along).angular_velocity(spin);
    let target = world.add_body(target).unwrap();
    let place = Vec3::new(radius + 5.0, -12.0, 2.0);
    let turned = orientation::from_rotation_vector(Vec3::new(0.3, -0.2, 0.1));
    let chaser = craft("chaser", 800.0).position(place).velocity(along).orientation(turned);
    let chaser = world.add_body(chaser).unwrap();
    world.add_latch("latch", target, chaser).unwrap();
    let ports =
        DockingPorts { chaser: Vec3::Y, target: -Vec3::Y, axis: -Vec3::Y, orientation: Quat::IDENTITY };
    let control =
        DockingControl { gain: 0.5, max_force: 200.0, stiffness: 60.0, damping: 500.0, max_torque: 20.0 };
    let mut engine = Engine::new(world);
    let guidance = Docking::new([chaser, target], ports, approach, control).unwrap();
    engine.add_named_agent("guidance", guidance).unwrap();
    (engine, [chaser, target])
}

#[test]
fn a_chaser_docks_at_a_turning_target_at_its_contact_speed() {
    let approach = Approach { standoff: 8.0, ..Approach::default() };
    let (mut engine, [chaser, target]) = docking_in_orbit(approach);
    let mut last = None;
    let mut certified = true;
    engine
        .run(900.0, |world, step| {
            certified &= step.certificate.is_certified();
            if !world.joint_events().is_empty() {
                return false;
            }
            let (a, b) = (*world.body(chaser).unwrap().state, *world.body(target).unwrap().state);
            let apart = a.center_of_mass - b.center_of_mass;
            let relative = a.velocity - b.velocity - b.angular_velocity.cross(apart);
            let place = b.orientation.conjugate() * apart;
            // More than a step before they touch.
            if -place.y - 2.0 > 0.003 {
                last = Some((place, b.orientation.conjugate() * relative, a, b));
            }
            true
        })
        .unwrap();
    assert!(certified);
    let seconds = engine.world().time();
    assert!(seconds < 600.0, "docked after {seconds} s");
    let (place, velocity, a, b) = last.unwrap();
    // Ports on each other to a centimetre, with the attitude to half a degree. The velocity lags behind a wanted one that falls:
    // v' = gain (c + rate x - v) and x' = -v give v = (c + rate x) / (1 - rate/gain) where the thrusters stop.
    assert!(place.with_y(0.0).length() < 0.01 && (place.y + 2.0).abs() < 0.01, "{place}");
    let expected = (0.05 + 0.05 * 0.01) / (1.0 - 0.05 / 0.5);
    assert!((velocity.y / expected - 1.0).abs() < 0.03 && velocity.with_y(0.0).length() < 1e-3, "{velocity}");
    let off = orientation::angle_between(a.orientation, b.orientation);
    assert!(off < 0.5_f64.to_radians(), "{off} rad");
    let guidance: &Docking = engine.agent("guidance").unwrap();
    let (along, lateral) = guidance.offset(engine.world()).unwrap();
    assert!(along.abs() < 0.01 && lateral.length() < 0.01, "{along} {lateral}");
}

/// Beside the port it goes to the standoff first: no point of the way is nearer to the target before it is in the corridor.
#[test]
fn a_chaser_outside_of_the_corridor_goes_to_the_standoff_first() {
    let approach = Approach { standoff: 15.0, corridor: 0.05, ..Approach::default() };
    let (mut engine, _) = docking_in_orbit(approach);
    let mut entered = None;
    for _ in 0..12_000 {
        engine.step(0.05).unwrap();
        let guidance: &Docking = engine.agent("guidance").unwrap();
        let (along, lateral) = guidance.offset(engine.world()).unwrap();
        if lateral.length() <= 0.05 * along + 0.01 {
            entered = Some(along);
            break;
        }
        assert!(along > 9.5, "{along} m at a lateral offset of {lateral}");
    }
    assert!(entered.is_some_and(|along| along > 11.0), "{entered:?}");
}

#[test]
fn a_docking_that_cannot_be_is_refused_by_name() {
    let (engine, bodies) = docking_in_orbit(Approach::default());
    drop(engine);
    let ports =
        DockingPorts { chaser: Vec3::Y, target: -Vec3::Y, axis: -Vec3::Y, orientation: Quat::IDENTITY };
    let control = DockingControl { gain: 0.5, max_force: 1.0, stiffness: 1.0, damping: 1.0, max_torque: 1.0 };
    let refused = |ports: DockingPorts, approach: Approach| {
        Docking::new(bodies, ports, approach, control).unwrap_err().to_string()
    };
    let message = refused(DockingPorts { axis: Vec3::ZERO, ..ports }, Approach::default());
    assert!(message.starts_with("agent `docking`: axis must be a direction that is not zero"), "{message}");
    let message = refused(ports, Approach { rate: -1.0, ..Approach::default() });
    assert_eq!(message, "agent `docking`: rate must be finite and at least 0, got -1");
    let message = refused(ports, Approach { contact_speed: 2.0, ..Approach::default() });
    assert_eq!(
        message,
        "agent `docking`: contact_speed must be at most max_speed, got 2 with a max_speed of 0.5"
    );
}

/// Coils that oppose the change of the field which the body sees, `m = -k dB/dt` with `dB/dt = -ω × B` in its axes (B-dot law): an agent
/// drives the moment that the field acts on.
#[derive(Clone, Debug)]
struct MagneticDetumbling {
    body: BodyHandle,
    flux_density: Vec3,
    gain: f64,
}

impl Agent for MagneticDetumbling {
    fn type_name(&self) -> &'static str {
        "magnetic-detumbling"
    }

    fn act(&mut self, world: &World, commands: &mut Vec<Command>) {
        let state = world.body(self.body).unwrap().state;
        let to_body = state.orientation.conjugate();
        let moment = to_body * state.angular_velocity.cross(self.flux_density) * self.gain;
        let value = PropertyValue::Vector(moment);
        let change = BodyChange::Property { name: "magnetic-dipole".to_owned(), value };
        commands.push(Command::ChangeBody { body: self.body, change: Box::new(change) });
    }

    fn clone_box(&self) -> Box<dyn Agent> {
        Box::new(self.clone())
    }
}

#[test]
fn driven_magnetic_moments_damp_a_tumble_across_the_field() {
    let mut world = World::new();
    world.set_gravity(Vec3::ZERO).unwrap();
    let flux_density = Vec3::new(0.0, 0.0, 3e-5);
    world.add_field(MagneticDipole::new(MagneticSource::Uniform(flux_density)).unwrap()).unwrap();
    let spin = Vec3::new(0.1, 0.0, 0.05);
    let body = BodyDescription::dynamic("satellite", ball()).mass(4.0).angular_velocity(spin);
    let body = world.add_body(body).unwrap();
    let mut engine = Engine::new(world);
    let gain = 1e7;
    engine.add_agent(MagneticDetumbling { body, flux_density, gain });
    let mut before = f64::INFINITY;
    engine
        .run(100.0, |world, _| {
            let speed = world.body(body).unwrap().state.angular_velocity.length();
            assert!(speed <= before * (1.0 + 1e-12), "{speed} after {before}");
            before = speed;
            true
        })
        .unwrap();
    // τ = m × B = -k B² ω⊥, so ω⊥ falls as exp(-k B² t / I), with I = 0.4 kg·m²; the part along B stays.
    let rate = gain * flux_density.length_squared() / 0.4;
    let omega = engine.world().body(body).unwrap().state.angular_velocity;
    let expected = 0.1 * (-rate * 100.0).exp();
    assert!((omega.with_z(0.0).length() / expected - 1.0).abs() < 1e-3, "{omega} {expected}");
    assert!((omega.z - 0.05).abs() < 1e-12, "{omega}");
}

/// An altimeter: agents ask the world, with its queries, where they are.
#[derive(Clone, Debug)]
struct Hover {
    body: BodyHandle,
    height: f64,
}

impl Agent for Hover {
    fn type_name(&self) -> &'static str {
        "hover"
    }

    fn act(&mut self, world: &World, commands: &mut Vec<Command>) {
        let view = world.body(self.body).unwrap();
        let down = Ray::new(view.state.center_of_mass, -Vec3::Z).unwrap();
        let others = QueryFilter::new().excluding(std::slice::from_ref(&self.body));
        let Some((_, hit)) = world.cast_ray(&down, 100.0, &others) else { return };
        let pull = 9.81 + 4.0 * (self.height - hit.distance) - 4.0 * view.state.velocity.z;
        let force = Vec3::Z * (view.mass() * pull);
        commands.push(Command::Wrench {
            body: self.body,
            force,
            torque: Vec3::ZERO,
            frame: LoadFrame::World,
        });
    }

    fn clone_box(&self) -> Box<dyn Agent> {
        Box::new(self.clone())
    }
}

#[test]
fn an_agent_hovers_over_what_its_ray_hits() {
    let mut world = World::new();
    world.add_body(BodyDescription::fixed("ground", HalfSpace::new(Vec3::Z, -2.0).unwrap())).unwrap();
    let drone = BodyDescription::dynamic("drone", ball()).mass(2.0).position(Vec3::Z * 7.0);
    let drone = world.add_body(drone).unwrap();
    let mut engine = Engine::new(world);
    engine.add_agent(Hover { body: drone, height: 3.0 });
    engine.run(10.0, |_, _| true).unwrap();
    // Critically damped at 2 rad/s from 6 m: 6 (1 + 2t) e^-2t = 2.6e-7 m after 10 s.
    let z = engine.world().body(drone).unwrap().state.center_of_mass.z;
    assert!((z - 1.0).abs() < 1e-6, "{z}");
}

//! Steps that fail: the named body, its quarantine, and the continued run without it.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use msd::agent::{Agent, Command};
use msd::engine::Engine;

use msd::environment::{
    BodyDescription, ContactSettings, ContactTier, FaultPolicy, PairMaterials, SleepSettings, World,
    WorldError,
};
use msd::math::{Quat, Vec3, orientation};
use msd::physics::constraints::contact::ExactSolverSettings;
use msd::physics::constraints::contact::soft::SoftSettings;
use msd::physics::constraints::{BallJoint, HingeJoint, JointEnd};
use msd::physics::forces::{ActsOn, Atmosphere, Attachment, Drag, Field, FieldClass, Spring, UniformGravity};
use msd::physics::integration::{
    INTEGRATOR_NAMES, IntegrationError, Integrator, StepWork, System, VelocityVerlet, by_name,
};
use msd::physics::rigid_body::shape::{Capsule, Cuboid, Shape, Sphere};
use msd::physics::rigid_body::{
    Bodies, BodyHandle, BodyKind, BodyView, InertialState, Material, RigidBody, Wrench,
};

const DT: f64 = 1.0 / 120.0;

fn ball(name: &str) -> BodyDescription {
    let shape: Shape = Sphere::new(0.2).unwrap().into();
    BodyDescription::dynamic(name, shape).mass(1.0)
}

/// Some bodies of all kinds that fall onto a floor and onto each other, a pendulum among them.
fn heap(world: &mut World) {
    let floor: Shape = Cuboid::new(Vec3::new(20.0, 20.0, 1.0)).unwrap().into();
    world.add_body(BodyDescription::fixed("floor", floor).position(Vec3::Z * -0.5)).unwrap();
    for k in 0..9 {
        let shape: Shape = match k % 3 {
            0 => Sphere::new(0.3).unwrap().into(),
            1 => Cuboid::new(Vec3::new(0.5, 0.6, 0.4)).unwrap().into(),
            _ => Capsule::new(0.2, 0.4).unwrap().into(),
        };
        let place = Vec3::new(0.1 * f64::from(k % 2), 0.15 * f64::from(k % 4), 0.8 + 0.7 * f64::from(k));
        let turn = orientation::from_rotation_vector(Vec3::new(0.2, 0.3, 0.1) * f64::from(k));
        let body = BodyDescription::dynamic(&format!("body {k}"), shape).density(400.0);
        world.add_body(body.position(place).orientation(turn)).unwrap();
    }
    let bob = world.add_body(ball("bob").position(Vec3::new(6.0, 0.0, 3.0))).unwrap();
    let end = world.joint_end(bob).unwrap();
    let pivot = BallJoint::new(JointEnd::WORLD, end, Vec3::new(5.0, 0.0, 3.0)).unwrap();
    world.add_joint("pivot", Arc::new(pivot)).unwrap();
}

fn states(world: &World, but: &str) -> Vec<(String, InertialState)> {
    let handles = world.handles().map(|handle| world.body(handle).unwrap());
    handles.filter(|view| view.body.name != but).map(|view| (view.body.name.clone(), *view.state)).collect()
}

// ── Loads ───────────────────────────────────────────────────────────────────────────────────────────────────────────

#[test]
fn a_load_that_made_a_step_fail_can_be_withdrawn() {
    let mut world = World::new();
    let (a, b) = (world.add_body(ball("a")).unwrap(), world.add_body(ball("b").position(Vec3::X)).unwrap());
    world.apply_force(a, Vec3::X * 1e308).unwrap();
    world.apply_force(b, Vec3::Y).unwrap();
    for _ in 0..2 {
        let error = world.step(DT).unwrap_err();
        assert_eq!(error.body(), Some("a"), "{error}");
    }
    world.clear_loads_on(a).unwrap();
    world.step(DT).unwrap();
    assert!(world.body(b).unwrap().state.velocity.y > 0.0, "the load on the other body has stayed");
    world.apply_torque(a, Vec3::X * 1e308).unwrap();
    world.apply_force(b, Vec3::Y * 1e308).unwrap();
    assert!(world.step(DT).is_err());
    world.clear_loads();
    world.step(DT).unwrap();
    let (mut other, stale) = (World::new(), a);
    assert_eq!(other.clear_loads_on(stale).unwrap_err(), WorldError::ForeignHandle);
}

#[test]
fn an_impulse_beyond_all_bounds_is_refused_and_changes_nothing() {
    let mut world = World::new();
    let body = world.add_body(ball("ball").mass(0.1)).unwrap();
    let before = world.state_hash();
    assert!(world.apply_impulse(body, Vec3::X * 1e308).is_err());
    // Its linear part alone would be finite.
    assert!(world.apply_impulse_at(body, Vec3::X * 1e300, Vec3::Y * 1e9).is_err());
    assert!(world.apply_angular_impulse(body, Vec3::X * 1e308).is_err());
    assert_eq!(world.state_hash(), before);
}

// ── Quarantine ──────────────────────────────────────────────────────────────────────────────────────────────────────

fn with_poison(tier: ContactTier, sleep: bool, first: bool, at: Vec3) -> (World, BodyHandle) {
    let mut world = World::new();
    world.set_contact_settings(ContactSettings::with_tier(tier)).unwrap();
    world.set_sleeping(sleep.then(SleepSettings::default)).unwrap();
    world.set_fault_policy(FaultPolicy::Quarantine);
    let poison = ball("poison").position(at);
    if first {
        let handle = world.add_body(poison).unwrap();
        heap(&mut world);
        (world, handle)
    } else {
        heap(&mut world);
        let handle = world.add_body(poison).unwrap();
        (world, handle)
    }
}

#[test]
fn others_go_on_as_in_a_world_that_never_had_the_quarantined_body() {
    for tier in [ContactTier::Exact, ContactTier::Fast, ContactTier::Auto] {
        for (sleep, first) in [(false, false), (false, true), (true, false)] {
            let (mut world, poison) = with_poison(tier, sleep, first, Vec3::new(-6.0, 0.0, 50.0));
            let mut without = World::new();
            without.set_contact_settings(ContactSettings::with_tier(tier)).unwrap();
            without.set_sleeping(sleep.then(SleepSettings::default)).unwrap();
            heap(&mut without);
            for step in 0..130 {
                if step == 30 {
                    world.apply_force(poison, Vec3::new(1.0, 2.0, 3.0) * 1e300).unwrap();
                }
                let report = world.step(DT).unwrap();
                let names: Vec<&str> = report.quarantined.iter().map(|taken| taken.name.as_str()).collect();
                assert_eq!(names, if step == 30 { vec!["poison"] } else { vec![] });
                without.step(DT).unwrap();
                assert_eq!(
                    states(&world, "poison"),
                    states(&without, ""),
                    "{tier:?}, sleep {sleep}, step {step}"
                );
            }
            assert!(world.contacts().count() > 2, "the heap has not landed");
            assert_eq!(world.body(poison).unwrap().body.kind, BodyKind::Graphical);
            assert_eq!(world.body(poison).unwrap().state.velocity, Vec3::ZERO);
        }
    }
}

#[test]
fn others_go_on_as_if_the_quarantined_body_had_been_removed_by_hand() {
    for tier in [ContactTier::Exact, ContactTier::Fast] {
        // Under the heap: it falls onto it.
        let (mut world, poison) = with_poison(tier, false, false, Vec3::new(0.05, 0.02, 0.2));
        let floor = world.find("floor").unwrap();
        let touches = |world: &World| {
            let mut pairs = world.contacts().map(|contact| [contact.body_a, contact.body_b]);
            pairs.any(|pair| pair.contains(&poison) && !pair.contains(&floor))
        };
        let struck = (0..140).any(|_| {
            world.step(DT).unwrap();
            touches(&world)
        });
        assert!(struck, "the poisoned body must touch the heap");
        let mut by_hand = world.clone();
        by_hand.remove_body(poison).unwrap();
        world.apply_torque(poison, Vec3::X * 1e300).unwrap();
        for step in 0..40 {
            let report = world.step(DT).unwrap();
            assert_eq!(report.quarantined.len(), usize::from(step == 0));
            by_hand.step(DT).unwrap();
            assert_eq!(states(&world, "poison"), states(&by_hand, ""), "{tier:?}, step {step}");
        }
    }
}

#[test]
fn quarantine_takes_joints_and_springs_along_and_says_so() {
    let mut world = World::new();
    world.set_fault_policy(FaultPolicy::Quarantine);
    let (a, b) = (world.add_body(ball("a")).unwrap(), world.add_body(ball("b").position(Vec3::X)).unwrap());
    let hinge =
        HingeJoint::new(world.joint_end(a).unwrap(), world.joint_end(b).unwrap(), Vec3::X * 0.5, Vec3::Y);
    world.add_joint("hinge", Arc::new(hinge.unwrap())).unwrap();
    let ends = (Attachment::Body(a, Vec3::ZERO), Attachment::Body(b, Vec3::ZERO));
    world.add_field(Arc::new(Spring::new(ends.0, ends.1, 10.0, 0.5).unwrap())).unwrap();
    let air = Drag::new(Atmosphere::Uniform { density: 1.0 }).unwrap().with_drag_area(0.1).unwrap();
    world.add_field(Arc::new(air.acting_on(&[a, b]))).unwrap();
    world.step(DT).unwrap();
    world.apply_force(b, Vec3::X * 1e300).unwrap();
    let report = world.run(0.1).unwrap();
    let [taken] = report.quarantined.as_slice() else { panic!("{:?}", report.quarantined) };
    assert_eq!((taken.name.as_str(), taken.step), ("b", 2));
    assert_eq!((taken.joints.clone(), taken.fields.clone()), (vec!["hinge".to_owned()], vec!["spring"]));
    assert_eq!((world.joints().count(), world.fields().len()), (0, 2), "gravity and drag have stayed");
    assert!(world.energy().error().abs() < 1e-6, "{:?}", world.energy());
    // A failure without a culprit stops the world, as before.
    world.set_integrator(Spoiled(Spoil::Work));
    assert!(world.step(DT).is_err());
}

#[test]
fn the_default_policy_halts() {
    let (mut world, poison) = with_poison(ContactTier::Exact, false, false, Vec3::Z * 50.0);
    world.set_fault_policy(FaultPolicy::default());
    assert_eq!(world.fault_policy(), FaultPolicy::Halt);
    world.apply_force(poison, Vec3::X * 1e300).unwrap();
    let before = world.state_hash();
    assert_eq!(world.step(DT).unwrap_err().body(), Some("poison"));
    assert_eq!(world.state_hash(), before);
}

// ── A user's own integrator ─────────────────────────────────────────────────────────────────────────────────────────

#[derive(Clone, Copy, Debug, PartialEq)]
enum Spoil {
    Norm(f64),
    Static,
    Work,
}

/// Velocity Verlet, and then something that no integrator may do.
#[derive(Clone, Debug)]
struct Spoiled(Spoil);

impl Integrator for Spoiled {
    fn name(&self) -> &'static str {
        "spoiled"
    }

    fn order(&self) -> Option<u32> {
        Some(2)
    }

    fn step(
        &mut self,
        system: &mut System<'_>,
        states: &mut [InertialState],
        time: f64,
        dt: f64,
    ) -> Result<StepWork, IntegrationError> {
        let mut work = VelocityVerlet::new().step(system, states, time, dt)?;
        match self.0 {
            Spoil::Norm(norm) => {
                let q = states[1].orientation;
                states[1].orientation = Quat::from_xyzw(q.x * norm, q.y * norm, q.z * norm, q.w * norm);
            }
            Spoil::Static => states[0].center_of_mass.x += 1e-3,
            Spoil::Work => work.dissipated = f64::NAN,
        }
        Ok(work)
    }

    fn clone_box(&self) -> Box<dyn Integrator> {
        Box::new(self.clone())
    }
}

#[test]
fn an_integrator_that_returns_nonsense_is_refused_by_name() {
    let cases = [
        (Spoil::Norm(5.0), "body `ball`: spoiled returned an orientation of norm 5"),
        (Spoil::Norm(0.0), "body `ball`: spoiled returned an orientation of norm 0"),
        (Spoil::Norm(1.0 + 1e-5), "body `ball`: spoiled returned an orientation of norm 1.00001"),
        (Spoil::Static, "body `wall`: spoiled moved it although it is static"),
        (Spoil::Work, "spoiled: the work of the step is not finite"),
    ];
    for (spoil, expected) in cases {
        let mut world = World::new();
        let wall: Shape = Sphere::new(0.2).unwrap().into();
        world.add_body(BodyDescription::fixed("wall", wall).position(Vec3::X)).unwrap();
        world.add_body(ball("ball")).unwrap();
        world.set_integrator(Spoiled(spoil));
        let before = world.state_hash();
        let error = world.step(DT).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
        assert_eq!(world.state_hash(), before);
        world.set_integrator(Spoiled(Spoil::Norm(1.0)));
        world.step(DT).unwrap();
    }
}

#[test]
fn implicit_euler_does_not_advise_itself() {
    for name in ["implicit-euler", "implicit-midpoint"] {
        let error = IntegrationError::NotConverged {
            integrator: name,
            iterations: 9,
            residual: 1.0,
            wanted: 1e-9,
            time: 0.0,
            dt: 0.1,
        };
        assert_eq!(error.to_string().contains("such as implicit-euler"), name != "implicit-euler", "{error}");
    }
}

// ── A user's own field ──────────────────────────────────────────────────────────────────────────────────────────────

#[derive(Clone, Debug)]
struct Broken {
    force: f64,
    energy: f64,
    bodies: Vec<BodyHandle>,
}

impl Field for Broken {
    fn type_name(&self) -> &'static str {
        "broken"
    }

    fn class(&self) -> FieldClass {
        FieldClass::Conservative
    }

    fn acts_on(&self) -> ActsOn<'_> {
        ActsOn::Bodies(&self.bodies)
    }

    fn wrench(&self, _: &BodyView<'_>, _: &Bodies<'_>, _: f64) -> Wrench {
        Wrench::from_force(Vec3::X * self.force)
    }

    fn energy(&self, _: &BodyView<'_>, _: &Bodies<'_>, _: f64) -> Option<f64> {
        Some(self.energy)
    }
}

#[test]
fn a_field_whose_force_or_energy_is_not_finite_is_refused_by_name() {
    for name in INTEGRATOR_NAMES {
        for (force, energy) in [(f64::NAN, 0.0), (f64::INFINITY, 0.0), (0.0, f64::NAN), (0.0, f64::INFINITY)]
        {
            let mut world = World::new();
            world.set_integrator(by_name(name, None).unwrap());
            let body = world.add_body(ball("ball")).unwrap();
            world.step(DT).unwrap();
            let books = world.energy();
            let broken = world.add_field(Arc::new(Broken { force, energy, bodies: vec![body] })).unwrap();
            let before = world.state_hash();
            for _ in 0..2 {
                let error = world.step(DT).unwrap_err();
                let text = error.to_string();
                assert!(text.contains("field `broken`") && text.contains("body `ball`"), "{name}: {text}");
                assert_eq!(error.body(), Some("ball"));
            }
            assert_eq!(world.state_hash(), before);
            // Nothing of it is left in the ledger.
            world.remove_field(broken).unwrap();
            assert_eq!(world.energy().work_in, books.work_in, "{name}");
            world.step(DT).unwrap();
            assert!(world.energy().error().abs() < 0.01, "{name}: {:?}", world.energy());
        }
    }
}

#[test]
fn a_kinetic_energy_that_overflows_is_refused() {
    let mut world = World::new();
    world.set_gravity(Vec3::ZERO).unwrap();
    world.add_body(ball("slow")).unwrap();
    world.add_body(ball("fast").position(Vec3::X).angular_velocity(Vec3::Z * 1e170)).unwrap();
    let error = world.step(1e-180).unwrap_err();
    assert_eq!(error.body(), Some("fast"), "{error}");
}

// ── Settings and materials ──────────────────────────────────────────────────────────────────────────────────────────

#[test]
fn contact_settings_out_of_range_are_refused_and_change_nothing() {
    let fast = SoftSettings::default();
    let soft = |fast: SoftSettings| ContactSettings { fast, ..ContactSettings::default() };
    let exact = |solver: ExactSolverSettings| ContactSettings { solver, ..ContactSettings::default() };
    let usual = ExactSolverSettings::default();
    let cases = [
        (soft(SoftSettings { substeps: 0, ..fast }), "substeps"),
        (soft(SoftSettings { substeps: 100_000, ..fast }), "substeps"),
        (soft(SoftSettings { cycles: -1.0, ..fast }), "cycles"),
        (soft(SoftSettings { cycles: 0.0, ..fast }), "cycles"),
        (soft(SoftSettings { cycles: 0.6, ..fast }), "cycles"),
        (soft(SoftSettings { cycles: f64::NAN, ..fast }), "cycles"),
        (soft(SoftSettings { damping_ratio: -0.2, ..fast }), "damping ratio"),
        (soft(SoftSettings { damping_ratio: f64::INFINITY, ..fast }), "damping ratio"),
        (exact(ExactSolverSettings { accepted: f64::NAN, ..usual }), "accepted residual"),
        (exact(ExactSolverSettings { accepted: -1.0, ..usual }), "accepted residual"),
        (exact(ExactSolverSettings { target: 0.0, ..usual }), "target residual"),
        (exact(ExactSolverSettings { target: f64::INFINITY, ..usual }), "target residual"),
    ];
    let mut world = World::new();
    let model = world.model_hash();
    for (settings, field) in cases {
        let error = world.set_contact_settings(settings).unwrap_err().to_string();
        assert!(error.starts_with("world: ") && error.contains(field) && error.contains("got"), "{error}");
        assert_eq!(world.model_hash(), model);
    }
    world
        .set_contact_settings(soft(SoftSettings { substeps: 256, cycles: 0.5, damping_ratio: 0.0 }))
        .unwrap();
}

#[derive(Debug)]
struct Combined(Material);

impl PairMaterials for Combined {
    fn combine(&self, _: &RigidBody, _: &RigidBody) -> Material {
        self.0
    }
}

#[test]
fn a_rule_for_pairs_that_gives_values_out_of_range_is_refused_by_both_tiers() {
    let usual = Material::default();
    let cases = [
        (Material { restitution: 3.0, ..usual }, "restitution"),
        (Material { restitution: f64::NAN, ..usual }, "restitution"),
        (Material { friction: f64::NAN, ..usual }, "friction"),
        (Material { friction: -1.0, ..usual }, "friction"),
        (Material { friction: 1e10, ..usual }, "friction"),
        (Material { rolling_friction: f64::INFINITY, ..usual }, "rolling_friction"),
    ];
    for tier in [ContactTier::Exact, ContactTier::Fast, ContactTier::Auto] {
        for (material, field) in cases {
            let mut world = World::new();
            let materials = Arc::new(Combined(material));
            let settings = ContactSettings { materials, ..ContactSettings::with_tier(tier) };
            world.set_contact_settings(settings).unwrap();
            heap(&mut world);
            let error = (0..100).find_map(|_| world.step(DT).err()).expect("the heap lands").to_string();
            assert!(error.contains(field) && error.contains('`'), "{tier:?}: {error}");
        }
    }
}

#[test]
fn friction_beyond_what_contact_resolves_is_refused_on_input() {
    let with = |material: Material| {
        let mut world = World::new();
        world.add_body(ball("ball").material(material)).map(drop)
    };
    let usual = Material::default();
    for value in [1e10, 1e150, 1e300, f64::INFINITY, f64::NAN, -1.0] {
        let error = with(Material { friction: value, ..usual }).unwrap_err().to_string();
        assert!(error.starts_with("body `ball`: friction must be from 0 to"), "{error}");
        let error = with(Material { rolling_friction: value, ..usual }).unwrap_err().to_string();
        assert!(error.starts_with("body `ball`: rolling_friction must be from 0 to"), "{error}");
        let error = with(Material { torsional_friction: value, ..usual }).unwrap_err().to_string();
        assert!(error.starts_with("body `ball`: torsional_friction must be from 0 to"), "{error}");
    }
}

/// At the limit and below, a box that slides stops and stays.
#[test]
fn friction_at_the_limit_holds_in_both_tiers() {
    for friction in [10.0, 100.0, 1e3, msd::tolerance::FRICTION] {
        for tier in [ContactTier::Exact, ContactTier::Fast] {
            let material = Material { friction, ..Material::default() };
            let mut world = World::new();
            world.set_contact_settings(ContactSettings::with_tier(tier)).unwrap();
            let floor: Shape = Cuboid::new(Vec3::new(20.0, 20.0, 1.0)).unwrap().into();
            let floor = BodyDescription::fixed("floor", floor).material(material);
            world.add_body(floor.position(Vec3::Z * -0.5)).unwrap();
            let block: Shape = Cuboid::new(Vec3::new(1.0, 1.0, 0.2)).unwrap().into();
            let block = BodyDescription::dynamic("block", block).mass(2.0).material(material);
            let block = world.add_body(block.position(Vec3::Z * 0.1).velocity(Vec3::X * 0.2)).unwrap();
            let mut certified = true;
            for _ in 0..120 {
                certified &= world.step(DT).unwrap().certificate.is_certified();
            }
            let state = *world.body(block).unwrap().state;
            assert!((state.center_of_mass.z - 0.1).abs() < 1e-3, "μ {friction}, {tier:?}: {state:?}");
            assert!(state.velocity.length() < 1e-3, "μ {friction}, {tier:?}: {state:?}");
            assert!(certified || tier == ContactTier::Fast, "μ {friction}");
        }
    }
}

// ── Agents and reports ──────────────────────────────────────────────────────────────────────────────────────────────

/// Asks for nothing, or for a velocity, at a period of its own.
#[derive(Clone, Debug)]
struct Odd(Option<f64>, Vec<Command>);

impl Agent for Odd {
    fn type_name(&self) -> &'static str {
        "odd"
    }

    fn period(&self) -> Option<f64> {
        self.0
    }

    fn act(&mut self, _: &World, out: &mut Vec<Command>) {
        out.extend(self.1.iter().cloned());
    }

    fn clone_box(&self) -> Box<dyn Agent> {
        Box::new(self.clone())
    }
}

#[test]
fn an_agent_with_a_period_that_is_none_is_refused_by_name() {
    for period in [f64::NAN, -1.0, 0.0, f64::INFINITY] {
        let mut engine = Engine::new(World::new());
        engine.add_agent(Odd(Some(period), Vec::new()));
        let error = engine.step(DT).unwrap_err().to_string();
        assert!(error.starts_with("agent `odd`: period must be positive and finite"), "{error}");
        assert_eq!(engine.world().steps(), 0);
    }
    let mut engine = Engine::new(World::new());
    engine.add_agent(Odd(Some(0.1), Vec::new()));
    engine.step(DT).unwrap();
}

#[test]
fn kinematic_velocities_are_for_kinematic_bodies() {
    let mut world = World::new();
    let body = world.add_body(ball("ball")).unwrap();
    let command = Command::KinematicVelocity { body, velocity: Vec3::X, angular_velocity: Vec3::ZERO };
    let mut engine = Engine::new(world);
    engine.add_agent(Odd(None, vec![command]));
    let error = engine.step(DT).unwrap_err().to_string();
    assert!(error.starts_with("body `ball` is dynamic: only a kinematic body"), "{error}");
    assert_eq!(engine.world().body(body).unwrap().state.velocity, Vec3::ZERO);
}

#[test]
fn a_world_without_joints_has_converged_joints() {
    let mut world = World::new();
    assert!(world.joint_report().converged);
    world.add_body(ball("ball")).unwrap();
    assert!(world.step(DT).unwrap().joints.converged);
}

#[test]
fn gravity_on_a_list_of_bodies_couples_none_of_them() {
    let mut world = World::new();
    let (a, b) = (world.add_body(ball("a")).unwrap(), world.add_body(ball("b").position(Vec3::X)).unwrap());
    let pull = UniformGravity::new(Vec3::Y).unwrap().acting_on(&[a, b]);
    assert!(!pull.couples_bodies());
}

//! A world written to bytes and read back goes on with the same bits; damaged bytes are refused.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use msd::digest::Hasher;
use msd::environment::{BreakLoad, ContactScheme, FaultPolicy, PairMaterials, WorldBytesError};
use msd::math::ReferenceFrame;
use msd::physics::constraints::{Actuator, Limits, SequenceJoint, SequenceStep};
use msd::physics::forces::{
    Atmosphere, Attachment, Damper, Drag, Geopotential, GravityGradient, HarmonicCoefficients,
    MagneticDipole, MagneticSource, PointGravity, PrescribedMotion, RotatingFrame, SolarPressure, Spring,
    ThirdBody, Thruster, Trajectory,
};
use msd::physics::integration::{Adaptive, ExactFree, Rk4};
use msd::physics::rigid_body::shape::{CompoundPart, TriangleMesh};
use msd::physics::rigid_body::{
    Appearance, Color, Material, PropertyValue, RigidBody, Visual, VisualGeometry, VisualMesh,
};
use msd::prelude::*;
use std::sync::Arc;

/// Steps both worlds and compares every bit of their states.
fn go_on_alike(mut original: World, steps: usize, dt: f64) -> World {
    let bytes = original.to_bytes().unwrap();
    let mut read = World::from_bytes(&bytes).unwrap();
    assert!(read.to_bytes().unwrap() == bytes, "other bytes");
    assert_eq!((read.model_hash(), read.state_hash()), (original.model_hash(), original.state_hash()));
    assert_eq!(read.energy(), original.energy());
    // Sequences are shared with their axes again, so that the trees of joints are the same.
    assert_eq!(read.articulation().position_names(), original.articulation().position_names());
    for step in 0..steps {
        let [a, b] = [&mut original, &mut read].map(|world| world.step(dt).unwrap());
        assert_eq!(original.state_hash(), read.state_hash(), "step {step}");
        assert_eq!((a.energy, a.contacts, a.joints), (b.energy, b.contacts, b.joints), "step {step}");
        assert_eq!(original.joint_events().len(), read.joint_events().len(), "step {step}");
        assert_eq!(original.trigger_events().len(), read.trigger_events().len(), "step {step}");
    }
    read
}

fn dynamic(name: &str, shape: impl Into<Shape>, at: Vec3) -> BodyDescription {
    BodyDescription::dynamic(name, shape).mass(1.0).position(at)
}

/// Every shape on a floor, one removed body, groups, rules, properties and an appearance.
fn pile() -> World {
    let mut world = World::new();
    world.add_body(BodyDescription::fixed("floor", HalfSpace::new(Vec3::Z, 0.0).unwrap())).unwrap();
    let gone = world.add_body(dynamic("gone", Sphere::new(0.1).unwrap(), Vec3::X * 9.0)).unwrap();
    let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z].map(|corner| corner * 0.4);
    let part = |x: f64| CompoundPart {
        frame: ReferenceFrame::from_position(Vec3::X * x),
        shape: Cuboid::new(Vec3::splat(0.2)).unwrap().into(),
    };
    let shapes: Vec<Shape> = vec![
        Sphere::new(0.2).unwrap().into(),
        Cuboid::new(Vec3::new(0.3, 0.4, 0.2)).unwrap().into(),
        Capsule::new(0.1, 0.3).unwrap().into(),
        Cylinder::new(0.2, 0.3).unwrap().into(),
        Cone::new(0.2, 0.3).unwrap().into(),
        ConvexHull::from_points(&corners).unwrap().into(),
        Compound::new(vec![part(-0.2), part(0.2)]).unwrap().into(),
    ];
    for (k, shape) in shapes.into_iter().enumerate() {
        let at = Vec3::new(0.25 * (k % 2) as f64, 0.1 * k as f64, 0.5 + 0.45 * k as f64);
        let body = dynamic(&format!("body {k}"), shape, at).angular_velocity(Vec3::new(0.3, 1.0, k as f64));
        world.add_body(body.restitution(0.3).user_data(1 << 100)).unwrap();
    }
    let corners = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
    let mesh = TriangleMesh::new(corners, vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]).unwrap();
    let mesh = BodyDescription::fixed("mesh", Shape::Mesh(Arc::new(mesh))).position(Vec3::X);
    let drawn = VisualMesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]]).unwrap();
    let visual = Visual {
        geometry: VisualGeometry::Mesh(Arc::new(drawn)),
        frame: ReferenceFrame::from_position(Vec3::Y),
        color: Some(Color::rgb(1, 2, 3)),
    };
    world.add_body(mesh.appearance(Appearance { color: None, visuals: vec![visual] })).unwrap();
    let probe = dynamic("probe", Sphere::new(0.1).unwrap(), Vec3::new(3.0, 0.0, 1.0))
        .property("drag-area", PropertyValue::Scalar(0.2))
        .property("magnetic-moment", PropertyValue::Vector(Vec3::X));
    world.add_body(probe.damping(0.1, 0.2)).unwrap();
    let gate = Cuboid::new(Vec3::new(5.0, 5.0, 0.5)).unwrap();
    world.add_body(BodyDescription::fixed("gate", gate).trigger().position(Vec3::Z)).unwrap();
    world.remove_body(gone).unwrap();
    world
}

#[test]
fn a_pile_of_all_shapes_goes_on_with_the_same_bits() {
    for tier in [ContactTier::Exact, ContactTier::Fast, ContactTier::Auto] {
        let mut world = pile();
        world.set_contact_settings(ContactSettings::with_tier(tier)).unwrap();
        world.set_sleeping(Some(SleepSettings::for_tier(tier))).unwrap();
        for _ in 0..40 {
            world.step(0.01).unwrap();
        }
        let read = go_on_alike(world, 100, 0.01);
        let probe = read.body(read.find("probe").unwrap()).unwrap();
        assert_eq!(probe.body.properties.vector("magnetic-moment"), Some(Vec3::X));
        assert_eq!(read.body(read.find("body 3").unwrap()).unwrap().body.user_data, 1 << 100);
        let mesh = read.body(read.find("mesh").unwrap()).unwrap().body;
        assert_eq!(mesh.appearance.as_ref().unwrap().visuals[0].color, Some(Color::rgb(1, 2, 3)));
    }
    let mut world = pile();
    world
        .set_contact_settings(ContactSettings {
            scheme: ContactScheme::Midpoint,
            ..ContactSettings::default()
        })
        .unwrap();
    go_on_alike(world, 60, 0.01);
}

#[test]
fn joints_of_every_type_go_on_with_the_same_bits() {
    let mut world = World::new();
    let ball = |world: &mut World, name: &str, at: Vec3| {
        world.add_body(dynamic(name, Sphere::new(0.1).unwrap(), at)).unwrap()
    };
    let at = |k: usize| Vec3::X * k as f64;
    let bodies: Vec<_> = (0..12).map(|k| ball(&mut world, &format!("b{k}"), at(k))).collect();
    let gone = world.add_ball_joint("gone", Ground, bodies[0], at(0)).unwrap();
    let limits = Limits { min: -0.5, max: 0.5 };
    let limited = world.hinge_joint(Ground, bodies[1], at(1) + Vec3::Z, Vec3::Y).unwrap();
    world.add_joint("hinge", limited.with_limits(limits).unwrap()).unwrap();
    let hinge = world.find_joint("hinge").unwrap();
    world.remove_joint(gone).unwrap();
    // A joint that acts along another one, in a slot before it.
    let servo = world.add_actuator("servo", hinge, Actuator::position(20.0, 2.0).unwrap()).unwrap();
    world.set_control(servo, 0.4).unwrap();
    world.add_joint_armature("rotor", hinge, 0.2).unwrap();
    world.add_joint_spring("torsion", hinge, [3.0, 0.1, 0.2]).unwrap();
    world.set_joint_limits(hinge, Limits { min: -0.3, max: 0.3 }).unwrap();
    world.add_ball_joint("ball", Ground, bodies[0], at(0) + Vec3::Z).unwrap();
    world.add_slider_joint("slider", Ground, bodies[2], at(2), Vec3::new(1.0, 0.0, 1.0)).unwrap();
    world.add_fixed_joint("fixed", bodies[2], bodies[3], at(3)).unwrap();
    world.add_universal_joint("universal", Ground, bodies[4], at(4) + Vec3::Z, [Vec3::X, Vec3::Y]).unwrap();
    world.add_distance_joint("rod", bodies[4], bodies[5], [at(4), at(5)]).unwrap();
    world.add_rope_joint("rope", Ground, bodies[6], [at(6) + Vec3::Z, at(6)]).unwrap();
    world.add_spring_joint("spring", Ground, bodies[7], [at(7) + Vec3::Z, at(7)], 50.0, 1.0).unwrap();
    let weak = world.add_fixed_joint("weak", Ground, bodies[8], at(8)).unwrap();
    world.set_joint_break(weak, Some(BreakLoad::force(15.0))).unwrap();
    world.add_latch("latch", bodies[9], bodies[10]).unwrap();
    world.set_velocity(bodies[9], Vec3::new(4.0, 0.0, 0.0)).unwrap();
    world.apply_impulse(bodies[8], Vec3::Z * 0.3).unwrap();
    let step =
        |slides: bool, axis: Vec3| SequenceStep { slides, anchor: at(11), axis, placed_at: 0.0, center: 0.0 };
    let steps = [step(true, Vec3::X), step(false, Vec3::Y), step(false, Vec3::Z)];
    let sequence = {
        let end = world.body(bodies[11]).unwrap();
        SequenceJoint::new(JointEnd::WORLD, JointEnd::body(bodies[11], end.state), &steps).unwrap()
    };
    let axis = sequence.axis(1).unwrap();
    world.add_joint("sequence", sequence).unwrap();
    let axis = world.add_joint("axis", axis).unwrap();
    world.add_joint_spring("axis spring", axis, [2.0, 0.0, 0.0]).unwrap();
    world.add_distance_joint("off", bodies[0], bodies[1], [at(0), at(1)]).unwrap();
    world.set_joint_enabled(world.find_joint("off").unwrap(), false).unwrap();
    world.set_collision(bodies[0], bodies[1], false).unwrap();
    let world = go_on_alike(world, 60, 0.005);
    assert!(world.is_joint_enabled(world.find_joint("latch").unwrap()).unwrap());
    go_on_alike(world, 100, 0.005);
}

#[test]
fn fields_and_integrators_go_on_with_the_same_bits() {
    for k in 0..4 {
        let mut world = World::new();
        world.set_gravity(Vec3::ZERO).unwrap();
        let craft = |world: &mut World, name: &str, at: Vec3| {
            let body =
                BodyDescription::dynamic(name, Cuboid::new(Vec3::new(1.0, 2.0, 3.0)).unwrap()).mass(100.0);
            let body =
                body.position(at).velocity(Vec3::Y * 7500.0).angular_velocity(Vec3::new(0.1, 0.2, 0.3));
            world
                .add_body(
                    body.property("drag-area", PropertyValue::Scalar(4.0))
                        .property("magnetic-moment", PropertyValue::Vector(Vec3::X)),
                )
                .unwrap()
        };
        let a = craft(&mut world, "a", Vec3::X * 7e6);
        let b = craft(&mut world, "b", Vec3::new(7e6 + 20.0, 0.0, 0.0));
        let mu = 3.986e14;
        let coefficients = HarmonicCoefficients::new().with_zonal(2, 1.08e-3).unwrap();
        world.add_field(PointGravity::new(mu, Vec3::ZERO).unwrap()).unwrap();
        world.add_field(Geopotential::new(mu, 6.378e6, Vec3::ZERO, coefficients).unwrap()).unwrap();
        world.add_field(GravityGradient::new(mu, Vec3::ZERO).unwrap()).unwrap();
        let moon = PrescribedMotion::Circular {
            center: Vec3::ZERO,
            arm: Vec3::X * 3.84e8,
            angular_velocity: Vec3::Z * 2.66e-6,
        };
        world.add_field(ThirdBody::new(4.9e12, Vec3::ZERO, moon.clone()).unwrap()).unwrap();
        world.add_field(MagneticDipole::new(MagneticSource::Uniform(Vec3::Z * 3e-5)).unwrap()).unwrap();
        world.add_field(Drag::new(Atmosphere::Uniform { density: 1e-12 }).unwrap()).unwrap();
        world.add_field(SolarPressure::on_cannonball(moon, 4.0, 1.3).unwrap()).unwrap();
        let ends = || [a, b].map(|body| Attachment::Body(body, Vec3::ZERO));
        let [first, second] = ends();
        world.add_field(Spring::new(first, second, 5.0, 20.0).unwrap()).unwrap();
        let [first, second] = ends();
        world.add_field(Damper::new(first, second, 1.0).unwrap()).unwrap();
        let removed = world.add_field(Thruster::new(a, Vec3::ZERO, Vec3::X, 1.0).unwrap()).unwrap();
        world.add_field(Thruster::new(b, Vec3::Y, Vec3::X, 1.0).unwrap()).unwrap();
        world.remove_field(removed).unwrap();
        for field in RotatingFrame::new(Vec3::ZERO, Vec3::Z * 1e-5).unwrap().fields() {
            world.add_field(field).unwrap();
        }
        match k {
            0 => world.set_integrator(Adaptive::new(1e-9)),
            1 => world.set_integrator(ExactFree::new(1e-10)),
            2 => world.set_integrator(Rk4::new()),
            _ => {}
        }
        world.set_fault_policy(FaultPolicy::Quarantine);
        world.set_dt(0.5).unwrap();
        world.step(0.5).unwrap();
        let read = go_on_alike(world, 20, 0.5);
        assert_eq!((read.dt(), read.fields().len()), (0.5, 12));
    }
}

#[test]
fn handles_of_the_original_are_those_of_another_world() {
    let mut world = World::new();
    let ball = world.add_body(dynamic("ball", Sphere::new(0.1).unwrap(), Vec3::ZERO)).unwrap();
    let joint = world.add_ball_joint("joint", Ground, ball, Vec3::ZERO).unwrap();
    let read = World::from_bytes(&world.to_bytes().unwrap()).unwrap();
    assert!(read.body(ball).is_err() && read.reaction(joint).is_err());
    assert!(read.body(read.find("ball").unwrap()).is_ok());
    let ends = read.joints().next().unwrap().2.bodies();
    assert_eq!(ends, [None, read.find("ball")]);
}

#[derive(Debug)]
struct Even;

impl PairMaterials for Even {
    fn combine(&self, _: &RigidBody, _: &RigidBody) -> Material {
        Material::default()
    }
}

#[derive(Debug)]
struct Parked;

impl Trajectory for Parked {
    fn position(&self, _: f64) -> Vec3 {
        Vec3::X * 1e9
    }

    fn velocity(&self, _: f64) -> Vec3 {
        Vec3::ZERO
    }
}

#[test]
fn types_of_your_own_are_refused_by_name() {
    let mut world = World::new();
    world
        .set_contact_settings(ContactSettings { materials: Arc::new(Even), ..ContactSettings::default() })
        .unwrap();
    let refused = world.to_bytes().unwrap_err();
    assert!(
        refused.to_string().starts_with("the rule that combines materials is of a type of your own"),
        "{refused}"
    );
    let mut world = World::new();
    let parked = PrescribedMotion::Given(Arc::new(Parked));
    world.add_field(ThirdBody::new(1e10, Vec3::ZERO, parked).unwrap()).unwrap();
    assert!(matches!(world.to_bytes(), Err(WorldBytesError::Custom { .. })));
}

/// Makes length and checksum of changed bytes right.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.truncate(bytes.len() - 32);
    let payload = (bytes.len() - 20) as u64;
    bytes[12..20].copy_from_slice(&payload.to_le_bytes());
    let digest = Hasher::digest(&bytes);
    bytes.extend(digest.0);
    bytes
}

#[test]
fn damaged_bytes_are_refused_and_forged_ones_never_panic() {
    let mut world = pile();
    let [a, b] = ["body 0", "body 1"].map(|name| world.find(name).unwrap());
    world.add_hinge_joint("hinge", a, b, Vec3::Z, Vec3::X).unwrap();
    world.add_latch("latch", a, b).unwrap();
    world.run(0.1).unwrap();
    let bytes = world.to_bytes().unwrap();
    assert_eq!(World::from_bytes(b"no world").unwrap_err(), WorldBytesError::NotAWorld);
    let shorter = World::from_bytes(&bytes[..bytes.len() - 1]).unwrap_err();
    assert!(matches!(shorter, WorldBytesError::Length { .. }), "{shorter}");
    let mut other = bytes.clone();
    other[8] = 99;
    assert_eq!(World::from_bytes(&other).unwrap_err(), WorldBytesError::Format { found: 99 });
    let mut other = bytes.clone();
    other[21] = b'9';
    assert!(matches!(World::from_bytes(&sealed(other)), Err(WorldBytesError::Version { .. })));
    let (mut accepted, mut refused) = (0, 0);
    for k in 0..400 {
        let at = 20 + (k * 7919) % (bytes.len() - 52);
        let mut other = bytes.clone();
        other[at] ^= 1 << (k % 8);
        assert!(matches!(World::from_bytes(&other), Err(WorldBytesError::Damaged(_))), "byte {at}");
        if k % 3 == 0 {
            other.remove(at);
        }
        match World::from_bytes(&sealed(other)) {
            Ok(mut read) => {
                accepted += 1;
                for _ in 0..2 {
                    let _ = read.step(0.01);
                }
            }
            Err(_) => refused += 1,
        }
    }
    // Most bytes are numbers of the state, which are any.
    assert!(accepted > 50 && refused > 50, "{accepted} {refused}");
}

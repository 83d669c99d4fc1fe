//! Sequences of calls to worlds, and properties that hold after each of them.
//!
//! A call is eight bytes, so that a property test can shrink it and a fuzzer can mutate it. Every call names a world, and bodies,
//! joints, fields and snapshots by number among all that were ever made: of other worlds and removed ones, too.
//!
//! 1. No call panics. A refused call changes no state.
//! 2. A handle is accepted by exactly the worlds that have what it stands for: the one it was added to and the copies made since, until
//!    it is removed there.
//! 3. A world restores its own snapshot at any time, and restoring or copying it before every step changes no bit of what follows.
//! 4. A snapshot that is accepted later, or by a copy, brings back the state hash and the same next step.
//! 5. States stay finite, orientations unit quaternions.

use std::collections::BTreeSet;
use std::sync::Arc;

use msd::digest::{Digest, Hasher};
use msd::environment::{
    BodyDescription, ContactSettings, ContactTier, FieldHandle, QueryFilter, SleepSettings, Snapshot, World,
    WorldError,
};
use msd::math::{ReferenceFrame, Vec3, orientation};
use msd::physics::constraints::{
    BallJoint, Constraint, ConstraintError, ConstraintHandle, DistanceJoint, FixedJoint, HingeJoint,
    JointEnd, Limits, Motor, SliderJoint, SpringJoint, UniversalJoint,
};
use msd::physics::forces::{Atmosphere, Attachment, Drag, Field, Spring, Thruster};
use msd::physics::integration::{INTEGRATOR_NAMES, by_name};
use msd::physics::rigid_body::shape::{
    Aabb, Capsule, Compound, CompoundPart, Cone, ConvexHull, Cuboid, Cylinder, HalfSpace, Ray, Shape, Sphere,
    TriangleMesh,
};
use msd::physics::rigid_body::{BodyHandle, Material};

const MOST_WORLDS: usize = 3;
const MOST_BODIES: usize = 9;
const MOST_JOINTS: usize = 5;
const MOST_SNAPSHOTS: usize = 6;
/// Step lengths, s. The last three are refused.
const STEPS: [f64; 10] = [1.0 / 240.0, 1.0 / 60.0, 0.01, 1e-3, 0.05, 1e-4, 1.0 / 120.0, 0.0, -0.01, f64::NAN];

/// The kinds of calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    AddBody,
    RemoveBody,
    Place,
    Velocity,
    Spin,
    Force,
    Impulse,
    MoveKinematic,
    AddJoint,
    ReplaceJoint,
    RemoveJoint,
    MotorVelocity,
    AddField,
    RemoveField,
    Collision,
    Tier,
    Sleep,
    Wake,
    Integrator,
    Gravity,
    Step,
    Snapshot,
    Restore,
    Clone,
    Reset,
    Query,
}

/// Steps are the most frequent: between them little happens.
const KINDS: [Kind; 36] = {
    use Kind::*;
    [
        AddBody,
        Step,
        RemoveBody,
        Place,
        Velocity,
        Spin,
        Force,
        Impulse,
        MoveKinematic,
        AddJoint,
        ReplaceJoint,
        RemoveJoint,
        MotorVelocity,
        AddField,
        RemoveField,
        Collision,
        Tier,
        Sleep,
        Wake,
        Integrator,
        Gravity,
        Snapshot,
        Restore,
        Clone,
        Reset,
        Query,
        AddBody,
        AddBody,
        AddBody,
        AddJoint,
        Step,
        Step,
        Step,
        Step,
        Step,
        Query,
    ]
};

/// One call: kind, world, and six bytes of arguments.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    pub kind: Kind,
    pub world: u8,
    pub arguments: [u8; 6],
}

impl Call {
    pub fn from_bytes(bytes: [u8; 8]) -> Self {
        let [kind, world, arguments @ ..] = bytes;
        Self { kind: KINDS[usize::from(kind) % KINDS.len()], world, arguments }
    }

    fn choice(&self, argument: usize, count: usize) -> usize {
        usize::from(self.arguments[argument]) % count
    }

    /// Between -1 and 1.
    fn unit(&self, argument: usize) -> f64 {
        f64::from(self.arguments[argument] as i8) / 128.0
    }

    fn vector(&self, first: usize) -> Vec3 {
        Vec3::new(self.unit(first), self.unit(first + 1), self.unit(first + 2))
    }
}

/// An operation on the world before each step that must make no difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Before {
    Nothing,
    Restoring,
    Copying,
}

/// Something with a handle, and the worlds that have it.
struct Known<H> {
    handle: H,
    worlds: BTreeSet<usize>,
}

/// A snapshot, its state hash, and the result of the next step.
struct Taken {
    snapshot: Snapshot,
    state: Digest,
    next: String,
}

/// Runs the calls and returns one line for each, by which two runs are compared.
pub fn run(calls: &[Call], before: Before) -> Vec<String> {
    let mut bench = Bench {
        worlds: vec![World::new()],
        bodies: Vec::new(),
        joints: Vec::new(),
        fields: Vec::new(),
        snapshots: Vec::new(),
        names: 0,
        before,
    };
    calls.iter().map(|call| bench.call(call)).collect()
}

/// Checks all promises on one sequence.
pub fn check(calls: &[Call]) {
    let plain = run(calls, Before::Nothing);
    for before in [Before::Restoring, Before::Copying] {
        let other = run(calls, before);
        let differs = plain.iter().zip(&other).position(|(a, b)| a != b);
        if let Some(first) = differs {
            panic!(
                "{before:?} before each step changes call {first}, {:?}:\n{}\n{}",
                calls[first], plain[first], other[first]
            );
        }
    }
}

struct Bench {
    worlds: Vec<World>,
    bodies: Vec<Known<BodyHandle>>,
    joints: Vec<Known<ConstraintHandle>>,
    fields: Vec<Known<FieldHandle>>,
    snapshots: Vec<Taken>,
    names: usize,
    before: Before,
}

fn pick<H: Copy>(known: &[Known<H>], number: u8) -> Option<H> {
    (!known.is_empty()).then(|| known[usize::from(number) % known.len()].handle)
}

/// Whether a removed body of another world is called stale or foreign depends on the identity of the world, and on nothing else.
fn told<T>(result: Result<T, WorldError>) -> String {
    match result {
        Ok(_) => "done".to_owned(),
        Err(WorldError::ForeignHandle | WorldError::StaleHandle(_)) => "no such thing".to_owned(),
        Err(error) => error.to_string(),
    }
}

/// Digest of all figures of a step, or why there was none.
fn step(world: &mut World, dt: f64) -> String {
    match world.step(dt) {
        Err(error) => error.to_string(),
        Ok(report) => {
            let (report, energy) = (format!("{report:?}"), format!("{:?}", world.energy()));
            format!(
                "{} {} {}",
                world.state_hash(),
                Hasher::digest(report.as_bytes()),
                Hasher::digest(energy.as_bytes())
            )
        }
    }
}

impl Bench {
    fn call(&mut self, call: &Call) -> String {
        let at = usize::from(call.world) % self.worlds.len();
        let hash = self.worlds[at].state_hash();
        let outcome = match call.kind {
            Kind::AddBody => self.add_body(call, at),
            Kind::RemoveBody => self.remove_body(call, at),
            Kind::AddJoint | Kind::ReplaceJoint => self.join(call, at),
            Kind::RemoveJoint => self.remove_joint(call, at),
            Kind::AddField => self.add_field(call, at),
            Kind::RemoveField => self.remove_field(call, at),
            Kind::Step => self.step(call, at),
            Kind::Snapshot => self.take_snapshot(at),
            Kind::Restore => self.restore(call, at),
            Kind::Clone => self.copy(call, at),
            Kind::Query => self.query(call, at),
            _ => self.change(call, at),
        };
        let world = &self.worlds[at];
        if !outcome.starts_with("done") && call.kind != Kind::Step {
            assert_eq!(world.state_hash(), hash, "{call:?} was refused and changed the state: {outcome}");
        }
        for handle in world.handles() {
            let state = world.body(handle).expect("a handle that the world lists").state;
            assert!(state.is_finite(), "{call:?}: {state:?}");
            assert!((state.orientation.length() - 1.0).abs() < 1e-9, "{call:?}: {:?}", state.orientation);
        }
        self.check_handles();
        format!("{outcome} {}", self.worlds[at].state_hash())
    }

    /// Promise 2.
    fn check_handles(&self) {
        for (at, world) in self.worlds.iter().enumerate() {
            for Known { handle, worlds } in &self.bodies {
                let found = world.body(*handle);
                assert_eq!(found.is_ok(), worlds.contains(&at), "body {handle:?} in world {at}: {found:?}");
            }
            for Known { handle, worlds } in &self.joints {
                let found = world.reaction(*handle);
                assert_eq!(found.is_ok(), worlds.contains(&at), "joint {handle:?} in world {at}: {found:?}");
            }
        }
    }

    fn add_body(&mut self, call: &Call, at: usize) -> String {
        let world = &mut self.worlds[at];
        if world.handles().count() >= MOST_BODIES {
            return "full".to_owned();
        }
        self.names += 1;
        let (name, shape) = (format!("body {}", self.names), shape(call.choice(0, 10)));
        let description = match call.choice(1, 8) {
            0 => BodyDescription::fixed(&name, shape),
            1 => BodyDescription::kinematic(&name, shape),
            2 => BodyDescription::graphical(&name, shape),
            mass => BodyDescription::dynamic(&name, shape).mass(mass as f64 - 2.5),
        };
        let material = Material {
            friction: call.unit(5).abs(),
            restitution: if call.choice(5, 3) == 0 { 1.0 } else { 0.0 },
            ..Material::default()
        };
        let added = world.add_body(
            description
                .position(call.vector(2) * 3.0)
                .orientation(orientation::from_rotation_vector(call.vector(3)))
                .material(material),
        );
        if let Ok(handle) = added {
            self.bodies.push(Known { handle, worlds: BTreeSet::from([at]) });
        }
        told(added)
    }

    fn remove_body(&mut self, call: &Call, at: usize) -> String {
        let Some(handle) = pick(&self.bodies, call.arguments[0]) else { return "none".to_owned() };
        let removed = self.worlds[at].remove_body(handle);
        if removed.is_ok() {
            forget(&mut self.bodies, handle, at);
        }
        told(removed)
    }

    fn join(&mut self, call: &Call, at: usize) -> String {
        let ends = [0, 1].map(|k| pick(&self.bodies, call.arguments[k]));
        let [Some(a), Some(b)] = ends else { return "none".to_owned() };
        let world = &mut self.worlds[at];
        let joint = joint(world, call, a, b);
        let (joint, joints) = match joint {
            Ok(joint) => (joint, world.joints().count()),
            Err(error) => return told::<()>(Err(error)),
        };
        if call.kind == Kind::ReplaceJoint {
            let Some(handle) = pick(&self.joints, call.arguments[5]) else { return "none".to_owned() };
            return told(world.replace_joint(handle, joint));
        }
        if joints >= MOST_JOINTS {
            return "full".to_owned();
        }
        self.names += 1;
        let added = world.add_joint(&format!("joint {}", self.names), joint);
        if let Ok(handle) = added {
            self.joints.push(Known { handle, worlds: BTreeSet::from([at]) });
        }
        told(added)
    }

    fn remove_joint(&mut self, call: &Call, at: usize) -> String {
        let Some(handle) = pick(&self.joints, call.arguments[0]) else { return "none".to_owned() };
        let removed = self.worlds[at].remove_joint(handle);
        if removed.is_ok() {
            forget(&mut self.joints, handle, at);
        }
        told(removed)
    }

    fn add_field(&mut self, call: &Call, at: usize) -> String {
        let Some(body) = pick(&self.bodies, call.arguments[1]) else { return "none".to_owned() };
        let field: Arc<dyn Field> = match call.choice(0, 4) {
            0 => Arc::new(
                Drag::new(Atmosphere::Uniform { density: 1.2 })
                    .and_then(|drag| drag.with_drag_area(0.3))
                    .expect("air"),
            ),
            1 => Arc::new(
                Drag::new(Atmosphere::Uniform { density: 2.0 })
                    .and_then(|drag| drag.with_drag_area(0.3))
                    .expect("air")
                    .acting_on(&[body]),
            ),
            2 => {
                let (a, b) = (Attachment::World(call.vector(2)), Attachment::Body(body, Vec3::ZERO));
                Arc::new(Spring::new(a, b, 30.0, 0.5).expect("a spring"))
            }
            _ => {
                let thruster = Thruster::new(body, Vec3::ZERO, Vec3::Z, 3.0);
                match thruster {
                    Ok(thruster) => Arc::new(thruster),
                    Err(error) => return error.to_string(),
                }
            }
        };
        let added = self.worlds[at].add_field(field);
        if let Ok(handle) = added {
            self.fields.push(Known { handle, worlds: BTreeSet::from([at]) });
        }
        told(added)
    }

    fn remove_field(&mut self, call: &Call, at: usize) -> String {
        let Some(handle) = pick(&self.fields, call.arguments[0]) else { return "none".to_owned() };
        let removed = self.worlds[at].remove_field(handle);
        let had = self.fields.iter().any(|field| field.handle == handle && field.worlds.contains(&at));
        assert_eq!(removed.is_ok(), had, "field {handle:?} in world {at}: {removed:?}");
        forget(&mut self.fields, handle, at);
        told(removed)
    }

    fn change(&mut self, call: &Call, at: usize) -> String {
        let world = &mut self.worlds[at];
        match call.kind {
            Kind::Gravity => return told(world.set_gravity(call.vector(0) * 10.0)),
            Kind::Reset => {
                world.reset();
                return "done".to_owned();
            }
            Kind::Sleep => {
                let settings =
                    [None, Some(SleepSettings::default()), Some(SleepSettings { speed: 1.0, time: 0.02 })];
                return told(world.set_sleeping(settings[call.choice(0, 3)]));
            }
            Kind::Tier => {
                let tiers = [ContactTier::Exact, ContactTier::Fast, ContactTier::Auto];
                let settings = ContactSettings::with_tier(tiers[call.choice(0, 3)]);
                return told(world.set_contact_settings(settings));
            }
            Kind::Integrator => {
                let name = INTEGRATOR_NAMES[call.choice(0, INTEGRATOR_NAMES.len())];
                world.set_integrator(by_name(name, None).expect("a known integrator"));
                return "done".to_owned();
            }
            Kind::MotorVelocity => {
                let Some(joint) = pick(&self.joints, call.arguments[0]) else { return "none".to_owned() };
                return told(world.set_motor_velocity(joint, 4.0 * call.unit(1)));
            }
            _ => {}
        }
        let Some(body) = pick(&self.bodies, call.arguments[0]) else { return "none".to_owned() };
        let frame = ReferenceFrame {
            position: call.vector(1) * 3.0,
            orientation: orientation::from_rotation_vector(call.vector(3)),
        };
        told(match call.kind {
            Kind::Place => world.set_frame(body, frame),
            Kind::Velocity => world.set_velocity(body, call.vector(1) * 5.0),
            Kind::Spin => world.set_angular_velocity(body, call.vector(1) * 20.0),
            Kind::Force => world.apply_force_at(body, call.vector(1) * 50.0, call.vector(3)),
            Kind::Impulse => world.apply_impulse_at(body, call.vector(1), call.vector(3)),
            Kind::MoveKinematic => world.move_kinematic_to(body, frame),
            Kind::Wake => world.wake(body),
            _ => match pick(&self.bodies, call.arguments[1]) {
                Some(other) => world.set_collision(body, other, call.choice(2, 2) == 0),
                None => Ok(()),
            },
        })
    }

    fn step(&mut self, call: &Call, at: usize) -> String {
        let world = &mut self.worlds[at];
        match self.before {
            Before::Nothing => {}
            Before::Restoring => {
                let own = world.snapshot();
                world.restore(&own).unwrap_or_else(|error| panic!("{call:?}: own snapshot refused: {error}"));
            }
            Before::Copying => *world = world.clone(),
        }
        self.check_bytes(call, at);
        let world = &mut self.worlds[at];
        let refused = call.choice(1, 8) == 0;
        let dt = STEPS[if refused { call.choice(0, STEPS.len()) } else { call.choice(0, STEPS.len() - 3) }];
        let mut lines = Vec::new();
        for _ in 0..=call.choice(2, 4) {
            let (steps, state) = (world.steps(), world.state_hash());
            lines.push(step(world, dt));
            if world.steps() == steps {
                assert_eq!(world.state_hash(), state, "{call:?}: a refused step changed the state");
                break;
            }
        }
        lines.join(", ")
    }

    /// Written to bytes and read back, a world has the same hashes, the same bytes, and the same next step.
    fn check_bytes(&mut self, call: &Call, at: usize) {
        if call.choice(3, 4) != 0 {
            return;
        }
        let world = &self.worlds[at];
        let bytes = world.to_bytes().unwrap_or_else(|error| panic!("{call:?}: not written: {error}"));
        let mut read =
            World::from_bytes(&bytes).unwrap_or_else(|error| panic!("{call:?}: not read: {error}"));
        assert_eq!(read.state_hash(), world.state_hash(), "{call:?}");
        assert!(read.to_bytes().as_ref() == Ok(&bytes), "{call:?}: other bytes");
        let mut copy = world.clone();
        assert_eq!(copy.step(STEPS[1]).is_ok(), read.step(STEPS[1]).is_ok(), "{call:?}");
        assert_eq!(copy.state_hash(), read.state_hash(), "{call:?}: the step after reading");
    }

    fn take_snapshot(&mut self, at: usize) -> String {
        if self.snapshots.len() >= MOST_SNAPSHOTS {
            return "full".to_owned();
        }
        let world = &mut self.worlds[at];
        let state = world.state_hash();
        let snapshot = Snapshot::from_bytes(world.snapshot().as_bytes().to_vec()).expect("its own bytes");
        let next = step(&mut world.clone(), STEPS[1]);
        self.snapshots.push(Taken { snapshot, state, next });
        "done".to_owned()
    }

    fn restore(&mut self, call: &Call, at: usize) -> String {
        if self.snapshots.is_empty() {
            return "none".to_owned();
        }
        let Taken { snapshot, state, next } = &self.snapshots[call.choice(0, self.snapshots.len())];
        let world = &mut self.worlds[at];
        let restored = world.restore(snapshot);
        if restored.is_ok() {
            assert_eq!(world.state_hash(), *state, "{call:?}: another state restored");
            assert_eq!(&step(&mut world.clone(), STEPS[1]), next, "{call:?}: another step after restoring");
        }
        told(restored)
    }

    fn copy(&mut self, call: &Call, at: usize) -> String {
        let copy = self.worlds[at].clone();
        assert_eq!(copy.state_hash(), self.worlds[at].state_hash());
        assert_eq!(copy.model_hash(), self.worlds[at].model_hash());
        let to = if self.worlds.len() < MOST_WORLDS {
            self.worlds.push(copy);
            self.worlds.len() - 1
        } else {
            let to = call.choice(0, MOST_WORLDS);
            if to == at {
                return "done".to_owned();
            }
            self.worlds[to] = copy;
            to
        };
        inherit(&mut self.bodies, at, to);
        inherit(&mut self.joints, at, to);
        inherit(&mut self.fields, at, to);
        "done".to_owned()
    }

    /// Everything that can be asked; answers of a restored world differ (it has taken no step), so that none is compared.
    fn query(&mut self, call: &Call, at: usize) -> String {
        let world = &mut self.worlds[at];
        for contact in world.contacts().collect::<Vec<_>>() {
            assert!(world.body(contact.body_a).is_ok() && world.body(contact.body_b).is_ok(), "{contact:?}");
            assert!(contact.position.is_finite() && contact.gap.is_finite(), "{contact:?}");
            assert!(
                (contact.normal.length() - 1.0).abs() < 1e-9 && contact.normal_force >= 0.0,
                "{contact:?}"
            );
        }
        for event in world.contact_events() {
            assert!(world.body(event.body_a).is_ok() && world.body(event.body_b).is_ok(), "{event:?}");
        }
        let _ = (world.energy(), world.linear_momentum(), world.angular_momentum_about(Vec3::ZERO));
        for Known { handle, .. } in &self.bodies {
            let acceleration = world.acceleration(*handle);
            assert_eq!(acceleration.is_ok(), world.frame(*handle).is_ok());
            let _ = world.is_asleep(*handle);
        }
        if let Some(ray) = Ray::new(call.vector(0) * 4.0, call.vector(3))
            && let Some((body, _)) = world.cast_ray(&ray, 10.0, &QueryFilter::default())
        {
            assert!(world.body(body).is_ok());
        }
        let corner = call.vector(0) * 3.0;
        for body in
            world.bodies_in_box(&Aabb::from_points([corner, corner + Vec3::ONE]), &QueryFilter::default())
        {
            assert!(world.body(body).is_ok());
        }
        "done".to_owned()
    }
}

fn forget<H: PartialEq>(known: &mut [Known<H>], handle: H, at: usize) {
    for entry in known.iter_mut().filter(|entry| entry.handle == handle) {
        entry.worlds.remove(&at);
    }
}

/// World `to` is now a copy of world `from`.
fn inherit<H>(known: &mut [Known<H>], from: usize, to: usize) {
    for entry in known {
        if entry.worlds.contains(&from) {
            entry.worlds.insert(to);
        } else {
            entry.worlds.remove(&to);
        }
    }
}

fn joint(
    world: &World,
    call: &Call,
    a: BodyHandle,
    b: BodyHandle,
) -> Result<Arc<dyn Constraint>, WorldError> {
    let b_end = world.joint_end(b)?;
    let a_end = if call.choice(3, 3) == 0 { JointEnd::WORLD } else { world.joint_end(a)? };
    let anchor = world.frame(b)?.position + call.vector(3) * 0.2;
    let axis = [Vec3::X, Vec3::Y, Vec3::Z][call.choice(4, 3)];
    let made = || -> Result<Arc<dyn Constraint>, ConstraintError> {
        Ok(match call.choice(2, 8) {
            0 => Arc::new(BallJoint::new(a_end, b_end, anchor)?),
            1 => Arc::new(HingeJoint::new(a_end, b_end, anchor, axis)?),
            2 => {
                let hinge = HingeJoint::new(a_end, b_end, anchor, axis)?;
                let hinge = hinge.with_limits(Limits { min: -0.5, max: 0.5 })?;
                Arc::new(hinge.with_motor(Motor { velocity: 1.0, max_force: 5.0 })?)
            }
            3 => Arc::new(
                SliderJoint::new(a_end, b_end, anchor, axis)?
                    .with_motor(Motor { velocity: 0.5, max_force: 20.0 })?,
            ),
            4 => Arc::new(FixedJoint::new(a_end, b_end, anchor)?),
            5 => Arc::new(DistanceJoint::new(a_end, b_end, anchor - axis, anchor)?.as_rope()),
            6 => Arc::new(SpringJoint::new(a_end, b_end, anchor - axis, anchor, 40.0, 0.5)?),
            _ => {
                Arc::new(UniversalJoint::new(a_end, b_end, anchor, axis, Vec3::new(axis.y, axis.z, axis.x))?)
            }
        })
    };
    made().map_err(WorldError::from)
}

fn shape(kind: usize) -> Shape {
    let corners = [
        Vec3::new(0.4, 0.3, -0.2),
        Vec3::new(-0.4, 0.3, -0.3),
        Vec3::new(0.1, -0.5, -0.2),
        Vec3::new(0.0, 0.1, 0.5),
        Vec3::new(0.3, -0.2, 0.3),
    ];
    match kind {
        0 => Cuboid::new(Vec3::new(6.0, 6.0, 0.2)).expect("a plate").into(),
        1 => Sphere::new(0.3).expect("a ball").into(),
        2 => Cuboid::new(Vec3::new(0.5, 0.6, 0.7)).expect("a box").into(),
        3 => Capsule::new(0.2, 0.6).expect("a capsule").into(),
        4 => Cylinder::new(0.3, 0.5).expect("a cylinder").into(),
        5 => Cone::new(0.3, 0.6).expect("a cone").into(),
        6 => ConvexHull::from_points(&corners).expect("a hull").into(),
        7 => {
            let part = |x: f64, shape: Shape| CompoundPart {
                frame: ReferenceFrame { position: Vec3::X * x, ..ReferenceFrame::IDENTITY },
                shape,
            };
            let hull = ConvexHull::from_points(&corners).expect("a hull").into();
            let parts = vec![part(-0.3, Sphere::new(0.2).expect("a ball").into()), part(0.3, hull)];
            Compound::new(parts).expect("a compound").into()
        }
        8 => {
            let vertices = vec![
                Vec3::new(-3.0, -3.0, 0.0),
                Vec3::new(3.0, -3.0, 0.1),
                Vec3::new(3.0, 3.0, 0.0),
                Vec3::new(-3.0, 3.0, -0.1),
            ];
            TriangleMesh::new(vertices, vec![[0, 1, 2], [0, 2, 3]]).expect("a sheet").into()
        }
        _ => HalfSpace::new(Vec3::Z, -1.0).expect("a floor").into(),
    }
}

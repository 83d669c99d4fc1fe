//! The scenes in `msd`, solved exactly (the default) or by the fast tier.

use std::sync::{Arc, OnceLock};
use std::time::Instant;

use msd::threads::Threads;
use msd::environment::{BodyDescription, ContactSettings, ContactTier, SleepSettings, StepReport, World};
use msd::math::{ReferenceFrame, Vec3};
use msd::physics::constraints::BallJoint;
use msd::physics::rigid_body::shape::{Compound, CompoundPart, ConvexHull, Cuboid, Shape, Sphere};
use msd::physics::rigid_body::{BodyHandle, CollisionGroups, Material};

use super::scene::{Form, Scene};
use super::{DT, Engine, Options};

pub struct Ours {
    name: &'static str,
    world: World,
    handles: Vec<BodyHandle>,
    report: Option<StepReport>,
    failure: Option<String>,
}

fn seconds() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}

pub fn shape(form: &Form) -> Shape {
    match form {
        Form::Cuboid(size) => Cuboid::new(*size).expect("positive").into(),
        Form::Ball(radius) => Sphere::new(*radius).expect("positive").into(),
        Form::Hull(points) => ConvexHull::from_points(points).expect("a hull").into(),
        Form::Cuboids(parts) => {
            let part = |(frame, size): &(ReferenceFrame, Vec3)| CompoundPart {
                frame: *frame,
                shape: Cuboid::new(*size).expect("positive").into(),
            };
            Compound::new(parts.iter().map(part).collect()).expect("parts").into()
        }
    }
}

/// How contact is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    Exact,
    Fast,
}

impl Tier {
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "msd exact",
            Self::Fast => "msd fast",
        }
    }

    fn tier(self) -> ContactTier {
        match self {
            Self::Exact => ContactTier::Exact,
            Self::Fast => ContactTier::Fast,
        }
    }
}

impl Ours {
    pub fn new(tier: Tier, scene: &Scene, options: Options) -> Self {
        let mut world = World::new();
        world.set_threads(Threads::new(options.threads).expect("threads"));
        world.set_sleeping(options.sleep.then(|| SleepSettings::for_tier(tier.tier()))).expect("the defaults");
        world.set_contact_settings(ContactSettings::with_tier(tier.tier())).expect("the defaults");
        world.set_clock(Some(seconds));
        world.set_gravity(Vec3::Z * -scene.gravity).expect("finite");
        let material = Material { friction: scene.friction, ..Material::default() };
        let groups = if scene.collide { CollisionGroups::ALL } else { CollisionGroups::NONE };
        let add = |(k, body): (usize, &super::scene::Body)| {
            let (name, shape) = (format!("{k}"), shape(&body.form));
            let described = match body.mass {
                Some(mass) => BodyDescription::dynamic(&name, shape)
                    .mass(mass)
                    .velocity(body.velocity)
                    .angular_velocity(body.angular_velocity),
                None if body.is_driven() => BodyDescription::kinematic(&name, shape)
                    .velocity(body.velocity)
                    .angular_velocity(body.angular_velocity),
                None => BodyDescription::fixed(&name, shape),
            };
            let ReferenceFrame { position, orientation } = body.frame;
            let placed = described.position(position).orientation(orientation);
            world.add_body(placed.material(material).collision(groups)).expect("a body")
        };
        let handles: Vec<BodyHandle> = scene.bodies.iter().enumerate().map(add).collect();
        for (k, joint) in scene.joints.iter().enumerate() {
            let end = |body: usize| world.joint_end(handles[body]).expect("a body of the world");
            let ball = BallJoint::new(end(joint.a), end(joint.b), joint.anchor).expect("a joint");
            world.add_joint(&format!("{k}"), Arc::new(ball)).expect("a joint");
        }
        Self { name: tier.name(), world, handles, report: None, failure: None }
    }
}

impl Engine for Ours {
    fn name(&self) -> &'static str {
        self.name
    }

    fn step(&mut self) -> f64 {
        let clock = Instant::now();
        match self.world.step(DT) {
            Ok(report) => self.report = Some(report),
            Err(error) if self.failure.is_none() => {
                eprintln!("msd: {error}");
                self.failure = Some(error.to_string());
            }
            Err(_) => {}
        }
        clock.elapsed().as_secs_f64()
    }

    fn poses(&mut self) -> Vec<ReferenceFrame> {
        self.handles.iter().map(|handle| self.world.frame(*handle).expect("a body")).collect()
    }

    fn report(&self) -> Option<&StepReport> {
        self.report.as_ref()
    }
}

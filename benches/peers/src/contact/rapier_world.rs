// The same source for both precisions, included by `rapier.rs` with `rapier`, its `Real` and `NAME` in scope.

use std::time::Instant;

use msd::math::{Quat, ReferenceFrame, Vec3};
use rapier::prelude::*;

use crate::contact::scene::{Body, Form, Scene};
use crate::contact::{DT, Engine, Options};

pub struct Rapier {
    gravity: Vector,
    pipeline: PhysicsPipeline,
    parameters: IntegrationParameters,
    islands: IslandManager,
    broad_phase: DefaultBroadPhase,
    narrow_phase: NarrowPhase,
    bodies: RigidBodySet,
    colliders: ColliderSet,
    impulse_joints: ImpulseJointSet,
    multibody_joints: MultibodyJointSet,
    soft_bodies: SoftBodySet,
    ccd: CCDSolver,
    handles: Vec<RigidBodyHandle>,
}

fn vector(v: Vec3) -> Vector {
    Vector::new(v.x as Real, v.y as Real, v.z as Real)
}

fn pose(frame: &ReferenceFrame) -> Pose {
    let q = frame.orientation;
    let turn = Rotation::from_xyzw(q.x as Real, q.y as Real, q.z as Real, q.w as Real);
    Pose::from_parts(vector(frame.position), turn)
}

fn body(body: &Body, options: Options) -> RigidBodyBuilder {
        let built = match body.mass {
        Some(_) => RigidBodyBuilder::dynamic(),
        None if body.is_driven() => RigidBodyBuilder::kinematic_velocity_based(),
        None => RigidBodyBuilder::fixed(),
    };
    let moving = built.linvel(vector(body.velocity)).angvel(vector(body.angular_velocity));
    moving.pose(pose(&body.frame)).can_sleep(options.sleep)
}

fn cuboid(size: Vec3) -> SharedShape {
    SharedShape::cuboid(0.5 * size.x as Real, 0.5 * size.y as Real, 0.5 * size.z as Real)
}

fn collider(body: &Body, scene: &Scene) -> ColliderBuilder {
    let built = match &body.form {
        Form::Cuboid(size) => ColliderBuilder::new(cuboid(*size)),
        Form::Ball(radius) => ColliderBuilder::ball(*radius as Real),
        Form::Cuboids(parts) => {
            let parts = parts.iter().map(|(frame, size)| (pose(frame), cuboid(*size)));
            ColliderBuilder::compound(parts.collect())
        }
        Form::Hull(points) => {
            let points: Vec<Vector> = points.iter().copied().map(vector).collect();
            ColliderBuilder::convex_hull(&points).expect("a hull")
        }
    };
    let groups = if scene.collide { InteractionGroups::all() } else { InteractionGroups::none() };
    let mass = body.mass.unwrap_or(0.0) as Real;
    built.friction(scene.friction as Real).mass(mass).collision_groups(groups)
}

impl Rapier {
    pub fn new(scene: &Scene, options: Options) -> Self {
        let (mut bodies, mut colliders) = (RigidBodySet::new(), ColliderSet::new());
        let mut handles = Vec::new();
        for described in &scene.bodies {
            let handle = bodies.insert(body(described, options));
            colliders.insert_with_parent(collider(described, scene), handle, &mut bodies);
            handles.push(handle);
        }
        let mut impulse_joints = ImpulseJointSet::new();
        for joint in &scene.joints {
            let local = |k: usize| vector(scene.bodies[k].frame.point_to_local(joint.anchor));
            let ball =
                SphericalJointBuilder::new().local_anchor1(local(joint.a)).local_anchor2(local(joint.b));
            impulse_joints.insert(handles[joint.a], handles[joint.b], ball.contacts_enabled(false), true);
        }
        Self {
            gravity: vector(Vec3::Z * -scene.gravity),
            pipeline: PhysicsPipeline::new(),
            parameters: IntegrationParameters { dt: DT as Real, ..Default::default() },
            islands: IslandManager::new(),
            broad_phase: DefaultBroadPhase::new(),
            narrow_phase: NarrowPhase::new(),
            bodies,
            colliders,
            impulse_joints,
            multibody_joints: MultibodyJointSet::new(),
            soft_bodies: SoftBodySet::new(),
            ccd: CCDSolver::new(),
            handles,
        }
    }
}

impl Engine for Rapier {
    fn name(&self) -> &'static str {
        NAME
    }

    fn step(&mut self) -> f64 {
        let clock = Instant::now();
        self.pipeline.step(
            self.gravity,
            &self.parameters,
            &mut self.islands,
            &mut self.broad_phase,
            &mut self.narrow_phase,
            &mut self.bodies,
            &mut self.colliders,
            &mut self.impulse_joints,
            &mut self.multibody_joints,
            &mut self.soft_bodies,
            &mut self.ccd,
            &(),
            &(),
        );
        clock.elapsed().as_secs_f64()
    }

    fn poses(&mut self) -> Vec<ReferenceFrame> {
        let pose = |handle: &RigidBodyHandle| {
            let body = &self.bodies[*handle];
            let (p, q) = (body.translation(), *body.rotation());
            let turn = Quat::from_xyzw(q.x.into(), q.y.into(), q.z.into(), q.w.into());
            ReferenceFrame::new(Vec3::new(p.x.into(), p.y.into(), p.z.into()), turn.normalize())
        };
        self.handles.iter().map(pose).collect()
    }
}

//! The scenes in `rapier3d-f64`, with its own defaults but for the step and for sleep, which is off.

use std::time::Instant;

use msd::math::{Quat, ReferenceFrame, Vec3};
use rapier3d_f64::prelude::*;

use super::scene::{Body, Form, Scene};
use super::{DT, Engine};

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
    Vector::new(v.x, v.y, v.z)
}

fn body(body: &Body) -> RigidBodyBuilder {
    let (p, q) = (body.frame.position, body.frame.orientation);
    let pose = Pose::from_parts(vector(p), Rotation::from_xyzw(q.x, q.y, q.z, q.w));
    let built = if body.mass.is_some() { RigidBodyBuilder::dynamic() } else { RigidBodyBuilder::fixed() };
    let moving = built.linvel(vector(body.velocity)).angvel(vector(body.angular_velocity));
    moving.pose(pose).can_sleep(false)
}

fn collider(body: &Body, scene: &Scene) -> ColliderBuilder {
    let built = match &body.form {
        Form::Cuboid(size) => ColliderBuilder::cuboid(0.5 * size.x, 0.5 * size.y, 0.5 * size.z),
        Form::Ball(radius) => ColliderBuilder::ball(*radius),
        Form::Hull(points) => {
            let points: Vec<Vector> = points.iter().copied().map(vector).collect();
            ColliderBuilder::convex_hull(&points).expect("a hull")
        }
    };
    let groups = if scene.collide { InteractionGroups::all() } else { InteractionGroups::none() };
    built.friction(scene.friction).mass(body.mass.unwrap_or(0.0)).collision_groups(groups)
}

impl Rapier {
    pub fn new(scene: &Scene) -> Self {
        let (mut bodies, mut colliders) = (RigidBodySet::new(), ColliderSet::new());
        let mut handles = Vec::new();
        for described in &scene.bodies {
            let handle = bodies.insert(body(described));
            colliders.insert_with_parent(collider(described, scene), handle, &mut bodies);
            handles.push(handle);
        }
        let mut impulse_joints = ImpulseJointSet::new();
        for joint in &scene.joints {
            let local = |k: usize| vector(scene.bodies[k].frame.point_to_local(joint.anchor));
            let ball =
                SphericalJointBuilder::new().local_anchor1(local(joint.a)).local_anchor2(local(joint.b));
            impulse_joints.insert(handles[joint.a], handles[joint.b], ball, true);
        }
        Self {
            gravity: Vector::new(0.0, 0.0, -scene.gravity),
            pipeline: PhysicsPipeline::new(),
            parameters: IntegrationParameters { dt: DT, ..Default::default() },
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
        "rapier3d-f64"
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
            ReferenceFrame::new(Vec3::new(p.x, p.y, p.z), Quat::from_xyzw(q.x, q.y, q.z, q.w).normalize())
        };
        self.handles.iter().map(pose).collect()
    }
}

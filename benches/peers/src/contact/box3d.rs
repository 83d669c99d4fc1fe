//! The scenes in `box3d` (C, f32), with four substeps and everything else its own default.

use std::time::Instant;

use box3d_sys as b3;
use msd::math::{Quat, ReferenceFrame, Vec3};

use super::scene::{Body, Form, Scene};
use super::{DT, Engine, Options};

const SUBSTEPS: i32 = 4;

pub struct Box3d {
    world: b3::b3WorldId,
    bodies: Vec<b3::b3BodyId>,
}

fn vector(v: Vec3) -> b3::b3Vec3 {
    b3::b3Vec3 { x: v.x as f32, y: v.y as f32, z: v.z as f32 }
}

fn quaternion(q: Quat) -> b3::b3Quat {
    b3::b3Quat { v: vector(Vec3::new(q.x, q.y, q.z)), s: q.w as f32 }
}

/// Volume of a form, m³: box3d takes densities.
fn volume(form: &Form) -> f64 {
    use msd::physics::rigid_body::shape::Geometry;
    super::ours::shape(form).volume()
}

impl Box3d {
    pub fn new(scene: &Scene, options: Options) -> Self {
        // SAFETY: definitions come from the library's own defaults, and every pointer outlives its call.
        unsafe {
            let mut definition = b3::b3DefaultWorldDef();
            definition.gravity = vector(Vec3::Z * -scene.gravity);
            definition.enableSleep = options.sleep;
            definition.workerCount = options.threads as u32;
            let world = b3::b3CreateWorld(&raw const definition);
            let bodies: Vec<_> = scene.bodies.iter().map(|body| create(world, body, scene, options)).collect();
            for joint in &scene.joints {
                let local = |k: usize| b3::b3Transform {
                    p: vector(scene.bodies[k].frame.point_to_local(joint.anchor)),
                    q: quaternion(Quat::IDENTITY),
                };
                let mut ball = b3::b3DefaultSphericalJointDef();
                (ball.base.bodyIdA, ball.base.bodyIdB) = (bodies[joint.a], bodies[joint.b]);
                (ball.base.localFrameA, ball.base.localFrameB) = (local(joint.a), local(joint.b));
                b3::b3CreateSphericalJoint(world, &raw const ball);
            }
            Self { world, bodies }
        }
    }
}

unsafe fn create(world: b3::b3WorldId, body: &Body, scene: &Scene, options: Options) -> b3::b3BodyId {
    // SAFETY: as in `Box3d::new`; a hull is copied by the shape made of it.
    unsafe {
        let mut definition = b3::b3DefaultBodyDef();
        definition.type_ = match body.mass {
            Some(_) => b3::b3BodyType_b3_dynamicBody,
            None if body.is_driven() => b3::b3BodyType_b3_kinematicBody,
            None => b3::b3BodyType_b3_staticBody,
        };
        definition.position = vector(body.frame.position);
        definition.rotation = quaternion(body.frame.orientation);
        definition.linearVelocity = vector(body.velocity);
        definition.angularVelocity = vector(body.angular_velocity);
        definition.enableSleep = options.sleep;
        let id = b3::b3CreateBody(world, &raw const definition);
        let mut shape = b3::b3DefaultShapeDef();
        shape.baseMaterial.friction = scene.friction as f32;
        shape.density = body.mass.map_or(0.0, |mass| (mass / volume(&body.form)) as f32);
        if !scene.collide {
            shape.filter.maskBits = 0;
        }
        match &body.form {
            Form::Cuboid(size) => {
                let half = vector(*size * 0.5);
                let hull = b3::b3MakeBoxHull(half.x, half.y, half.z);
                b3::b3CreateHullShape(id, &raw const shape, &raw const hull.base);
            }
            Form::Ball(radius) => {
                let ball = b3::b3Sphere { center: vector(Vec3::ZERO), radius: *radius as f32 };
                b3::b3CreateSphereShape(id, &raw const shape, &raw const ball);
            }
            Form::Hull(points) => {
                let points: Vec<_> = points.iter().copied().map(vector).collect();
                let count = points.len() as i32;
                let hull = b3::b3CreateHull(points.as_ptr(), count, count);
                assert!(!hull.is_null(), "a hull");
                b3::b3CreateHullShape(id, &raw const shape, hull);
                b3::b3DestroyHull(hull);
            }
            Form::Cuboids(parts) => {
                for (frame, size) in parts {
                    let half = vector(*size * 0.5);
                    let place =
                        b3::b3Transform { p: vector(frame.position), q: quaternion(frame.orientation) };
                    let hull = b3::b3MakeTransformedBoxHull(half.x, half.y, half.z, place);
                    b3::b3CreateHullShape(id, &raw const shape, &raw const hull.base);
                }
            }
        }
        id
    }
}

impl Engine for Box3d {
    fn name(&self) -> &'static str {
        "box3d (f32)"
    }

    fn step(&mut self) -> f64 {
        let clock = Instant::now();
        // SAFETY: the world lives as long as `self`.
        unsafe { b3::b3World_Step(self.world, DT as f32, SUBSTEPS) };
        clock.elapsed().as_secs_f64()
    }

    fn poses(&mut self) -> Vec<ReferenceFrame> {
        let pose = |id: &b3::b3BodyId| {
            // SAFETY: bodies live as long as their world.
            let b3::b3Transform { p, q } = unsafe { b3::b3Body_GetTransform(*id) };
            let position = Vec3::new(p.x.into(), p.y.into(), p.z.into());
            let turn = Quat::from_xyzw(q.v.x.into(), q.v.y.into(), q.v.z.into(), q.s.into());
            ReferenceFrame::new(position, turn.normalize())
        };
        self.bodies.iter().map(pose).collect()
    }
}

impl Drop for Box3d {
    fn drop(&mut self) {
        // SAFETY: created in `new`, destroyed once.
        unsafe { b3::b3DestroyWorld(self.world) };
    }
}

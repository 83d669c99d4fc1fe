//! The scenes in Jolt (C++, f32) through `joltc-sys`, with its own defaults but for sleep. The binding has no joints, so that only
//! scenes without them take part, and no way to set gravity, which is 9.81 m/s² along -y: the scene is turned to it.

use std::ffi::c_void;
use std::mem::zeroed;
use std::sync::Once;
use std::time::Instant;

use joltc_sys as jolt;
use msd::math::{Quat, ReferenceFrame, Vec3};
use msd::physics::rigid_body::shape::Geometry;

use super::scene::{Body, Form, Scene};
use super::{DT, Engine, Options};

// The binding leaves the standard library of C++ to whoever links it.
#[link(name = "stdc++")]
unsafe extern "C" {}

/// As many as the largest scene could need.
const MOST_PAIRS: u32 = 1 << 17;
/// Memory for one step, bytes: taken once.
const STEP_MEMORY: u32 = 256 << 20;

pub struct Jolt {
    system: *mut jolt::JPC_PhysicsSystem,
    memory: *mut jolt::JPC_TempAllocatorImpl,
    jobs: *mut jolt::JPC_JobSystemThreadPool,
    bodies: Vec<jolt::JPC_BodyID>,
}

/// Turns the scene's z, which is up, to Jolt's y.
fn upright() -> Quat {
    Quat::from_rotation_x(-std::f64::consts::FRAC_PI_2)
}

fn vector(v: Vec3) -> jolt::JPC_Vec3 {
    jolt::JPC_Vec3 { x: v.x as f32, y: v.y as f32, z: v.z as f32, _w: v.z as f32 }
}

fn quaternion(q: Quat) -> jolt::JPC_Quat {
    jolt::JPC_Quat { x: q.x as f32, y: q.y as f32, z: q.z as f32, w: q.w as f32 }
}

unsafe extern "C" fn layers(_: *const c_void) -> u32 {
    2
}

unsafe extern "C" fn layer_of(_: *const c_void, layer: jolt::JPC_ObjectLayer) -> jolt::JPC_BroadPhaseLayer {
    layer as jolt::JPC_BroadPhaseLayer
}

/// Layer 0 is what forces do not move, 1 the rest.
unsafe extern "C" fn meets_layer(_: *const c_void, a: jolt::JPC_ObjectLayer, b: jolt::JPC_BroadPhaseLayer) -> bool {
    a == 1 || b == 1
}

unsafe extern "C" fn meets(_: *const c_void, a: jolt::JPC_ObjectLayer, b: jolt::JPC_ObjectLayer) -> bool {
    a == 1 || b == 1
}

impl Jolt {
    /// None if the scene has joints.
    pub fn new(scene: &Scene, options: Options) -> Option<Self> {
        if !scene.joints.is_empty() {
            return None;
        }
        static ONCE: Once = Once::new();
        // SAFETY: the library is set up once and before anything else; definitions come from its own defaults, and
        // every pointer outlives its call. The callbacks use no data.
        unsafe {
            ONCE.call_once(|| {
                jolt::JPC_RegisterDefaultAllocator();
                jolt::JPC_FactoryInit();
                jolt::JPC_RegisterTypes();
            });
            let broad = jolt::JPC_BroadPhaseLayerInterfaceFns {
                GetNumBroadPhaseLayers: Some(layers),
                GetBroadPhaseLayer: Some(layer_of),
            };
            let broad = jolt::JPC_BroadPhaseLayerInterface_new(std::ptr::null(), broad);
            let object = jolt::JPC_ObjectVsBroadPhaseLayerFilterFns { ShouldCollide: Some(meets_layer) };
            let object = jolt::JPC_ObjectVsBroadPhaseLayerFilter_new(std::ptr::null(), object);
            let pairs = jolt::JPC_ObjectLayerPairFilterFns { ShouldCollide: Some(meets) };
            let pairs = jolt::JPC_ObjectLayerPairFilter_new(std::ptr::null(), pairs);
            let system = jolt::JPC_PhysicsSystem_new();
            let most = scene.bodies.len() as u32 + 1;
            jolt::JPC_PhysicsSystem_Init(system, most, 0, MOST_PAIRS, MOST_PAIRS, broad, object, pairs);
            let interface = jolt::JPC_PhysicsSystem_GetBodyInterface(system);
            let add = |body: &Body| create(interface, body, scene, options);
            let bodies = scene.bodies.iter().map(add).collect();
            jolt::JPC_PhysicsSystem_OptimizeBroadPhase(system);
            let memory = jolt::JPC_TempAllocatorImpl_new(STEP_MEMORY);
            // The calling thread works too.
            let jobs = jolt::JPC_JobSystemThreadPool_new3(2048, 8, options.threads as i32 - 1);
            Some(Self { system, memory, jobs, bodies })
        }
    }
}

unsafe fn create(
    interface: *mut jolt::JPC_BodyInterface,
    body: &Body,
    scene: &Scene,
    options: Options,
) -> jolt::JPC_BodyID {
    // SAFETY: as in `Jolt::new`.
    unsafe {
        let mut settings: jolt::JPC_BodyCreationSettings = zeroed();
        jolt::JPC_BodyCreationSettings_default(&raw mut settings);
        let turn = upright();
        settings.Position = vector(turn * body.frame.position);
        settings.Rotation = quaternion(turn * body.frame.orientation);
        settings.LinearVelocity = vector(turn * body.velocity);
        settings.AngularVelocity = vector(turn * body.angular_velocity);
        settings.MotionType = match body.mass {
            Some(_) => jolt::JPC_MOTION_TYPE_DYNAMIC,
            None if body.is_driven() => jolt::JPC_MOTION_TYPE_KINEMATIC,
            None => jolt::JPC_MOTION_TYPE_STATIC,
        };
        settings.ObjectLayer = u16::from(body.mass.is_some());
        settings.AllowSleeping = options.sleep;
        settings.Friction = scene.friction as f32;
        settings.GravityFactor = if scene.gravity == 0.0 { 0.0 } else { 1.0 };
        settings.Shape = shape(&body.form, density(body));
        let body = jolt::JPC_BodyInterface_CreateBody(interface, &raw const settings);
        let id = jolt::JPC_Body_GetID(body);
        jolt::JPC_BodyInterface_AddBody(interface, id, jolt::JPC_ACTIVATION_ACTIVATE);
        id
    }
}

fn density(body: &Body) -> f32 {
    body.mass.map_or(1000.0, |mass| (mass / super::ours::shape(&body.form).volume()) as f32)
}

unsafe fn shape(form: &Form, density: f32) -> *mut jolt::JPC_Shape {
    let mut made = std::ptr::null_mut();
    let mut error = std::ptr::null_mut();
    // SAFETY: as in `Jolt::new`.
    let sound = unsafe {
        match form {
            Form::Cuboid(size) => {
                let mut settings: jolt::JPC_BoxShapeSettings = zeroed();
                jolt::JPC_BoxShapeSettings_default(&raw mut settings);
                (settings.Density, settings.HalfExtent) = (density, vector(*size * 0.5));
                jolt::JPC_BoxShapeSettings_Create(&raw const settings, &raw mut made, &raw mut error)
            }
            Form::Ball(radius) => {
                let mut settings: jolt::JPC_SphereShapeSettings = zeroed();
                jolt::JPC_SphereShapeSettings_default(&raw mut settings);
                (settings.Density, settings.Radius) = (density, *radius as f32);
                jolt::JPC_SphereShapeSettings_Create(&raw const settings, &raw mut made, &raw mut error)
            }
            Form::Hull(points) => {
                let points: Vec<_> = points.iter().copied().map(vector).collect();
                let mut settings: jolt::JPC_ConvexHullShapeSettings = zeroed();
                jolt::JPC_ConvexHullShapeSettings_default(&raw mut settings);
                (settings.Density, settings.Points, settings.PointsLen) =
                    (density, points.as_ptr(), points.len());
                jolt::JPC_ConvexHullShapeSettings_Create(&raw const settings, &raw mut made, &raw mut error)
            }
            Form::Cuboids(parts) => {
                let part = |(frame, size): &(ReferenceFrame, Vec3)| {
                    let mut part: jolt::JPC_SubShapeSettings = zeroed();
                    jolt::JPC_SubShapeSettings_default(&raw mut part);
                    part.Shape = shape(&Form::Cuboid(*size), density);
                    part.Position = vector(frame.position);
                    part.Rotation = quaternion(frame.orientation);
                    part
                };
                let parts: Vec<_> = parts.iter().map(part).collect();
                let mut settings: jolt::JPC_StaticCompoundShapeSettings = zeroed();
                jolt::JPC_StaticCompoundShapeSettings_default(&raw mut settings);
                (settings.SubShapes, settings.SubShapesLen) = (parts.as_ptr(), parts.len());
                jolt::JPC_StaticCompoundShapeSettings_Create(
                    &raw const settings,
                    &raw mut made,
                    &raw mut error,
                )
            }
        }
    };
    assert!(sound, "Jolt takes the shape");
    made
}

impl Engine for Jolt {
    fn name(&self) -> &'static str {
        "Jolt (f32)"
    }

    fn step(&mut self) -> f64 {
        let clock = Instant::now();
        // SAFETY: all three live as long as `self`.
        unsafe { jolt::JPC_PhysicsSystem_Update(self.system, DT as f32, 1, self.memory, self.jobs) };
        clock.elapsed().as_secs_f64()
    }

    fn poses(&mut self) -> Vec<ReferenceFrame> {
        let back = upright().conjugate();
        let pose = |id: &jolt::JPC_BodyID| {
            // SAFETY: bodies live as long as their system.
            let (p, q) = unsafe {
                let interface = jolt::JPC_PhysicsSystem_GetBodyInterface(self.system);
                let (mut p, mut q): (jolt::JPC_Vec3, jolt::JPC_Quat) = (zeroed(), zeroed());
                jolt::JPC_BodyInterface_GetPositionAndRotation(interface, *id, &raw mut p, &raw mut q);
                (p, q)
            };
            let position = back * Vec3::new(p.x.into(), p.y.into(), p.z.into());
            let turn = Quat::from_xyzw(q.x.into(), q.y.into(), q.z.into(), q.w.into());
            ReferenceFrame::new(position, (back * turn).normalize())
        };
        self.bodies.iter().map(pose).collect()
    }
}

impl Drop for Jolt {
    fn drop(&mut self) {
        // SAFETY: made in `new`, taken down once, the system last used before.
        unsafe {
            jolt::JPC_PhysicsSystem_delete(self.system);
            jolt::JPC_JobSystemThreadPool_delete(self.jobs);
            jolt::JPC_TempAllocatorImpl_delete(self.memory);
        }
    }
}

//! Random worlds as plans: their contents, the construction of a world, and the output as scene files.
//!
//! A plan follows from a seed, or from the bytes of a fuzzer. It is data, so that a failing one can be made smaller: bodies, joints
//! and fields are left out one by one.

use std::fmt::Write;
use std::sync::Arc;

use msd::environment::{BodyDescription, ContactScheme, ContactSettings, ContactTier, World, WorldError};
use msd::math::{Quat, ReferenceFrame, Vec3, orientation, scalar};
use msd::physics::constraints::{
    BallJoint, Constraint, ConstraintError, DistanceJoint, FixedJoint, HingeJoint, JointEnd, Limits, Motor,
    SequenceJoint, SequenceStep, SliderJoint, SpringJoint, UniversalJoint,
};
use msd::physics::forces::{Atmosphere, Drag, Field, Thruster, UniformGravity};
use msd::physics::integration::{INTEGRATOR_NAMES, by_name};
use msd::physics::rigid_body::Material;
use msd::physics::rigid_body::shape::{
    Capsule, Compound, CompoundPart, Cone, ConvexHull, Cuboid, Cylinder, Ellipsoid, HalfSpace, Shape, Sphere,
    TaperedCapsule, TriangleMesh,
};

/// A stream of numbers: first the bytes given, then SplitMix64.
pub struct Random<'a> {
    bytes: &'a [u8],
    state: u64,
}

impl<'a> Random<'a> {
    pub fn from_seed(seed: u64) -> Self {
        Self { bytes: &[], state: seed }
    }

    /// The numbers of a fuzzer: eight bytes each, and a fixed stream when they are used up.
    #[allow(dead_code, reason = "used by the fuzz targets")]
    pub fn from_bytes(bytes: &'a [u8]) -> Self {
        Self { bytes, state: 0 }
    }

    fn next(&mut self) -> u64 {
        if let Some((first, rest)) = self.bytes.split_first_chunk::<8>() {
            self.bytes = rest;
            return u64::from_le_bytes(*first);
        }
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// In [0, 1).
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Evenly over the orders of magnitude.
    fn magnitude(&mut self, low: f64, high: f64) -> f64 {
        low * scalar::pow(high / low, self.unit())
    }

    fn choice(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }

    fn chance(&mut self, share: f64) -> bool {
        self.unit() < share
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.between(-1.0, 1.0), self.between(-1.0, 1.0), self.between(-1.0, 1.0))
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    Sphere(f64),
    Box(Vec3),
    Capsule(f64, f64),
    Cylinder(f64, f64),
    Cone(f64, f64),
    Ellipsoid(Vec3),
    /// Radii of the bottom and the top, and the distance of their centres.
    TaperedCapsule([f64; 3]),
    Hull(Vec<Vec3>),
    /// Parts and where they are.
    Compound(Vec<(Form, Vec3)>),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Ground {
    None,
    /// A half-space below z = 0.
    Plane,
    /// A slab whose top is z = 0.
    Slab,
    /// Two triangles in the plane z = slope·x, solid side down.
    Mesh(f64),
    /// Terrain of [`COLUMNS`] × [`COLUMNS`] heights below zero, m, and the distance between them, m.
    Heights(Vec<f64>, f64),
}

/// Columns and rows of a terrain.
const COLUMNS: usize = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyRole {
    Dynamic,
    Kinematic,
    Static,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PlannedBody {
    pub name: String,
    pub form: Form,
    pub role: BodyRole,
    pub density: f64,
    pub position: Vec3,
    pub turn: Quat,
    pub velocity: Vec3,
    pub spin: Vec3,
    pub friction: f64,
    pub restitution: f64,
    pub trigger: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JointKind {
    Ball,
    Hinge {
        limits: Option<f64>,
        motor: Option<(f64, f64)>,
    },
    Slider {
        limits: Option<f64>,
        motor: Option<(f64, f64)>,
    },
    Fixed,
    Universal,
    Distance,
    Spring {
        stiffness: f64,
        damping: f64,
    },
    /// Two or three hinges and sliders between the same bodies, through one point about axes at right angles: whether
    /// each slides.
    Sequence {
        slides: [bool; 3],
        count: usize,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub struct PlannedJoint {
    pub name: String,
    /// Name of a body, or `world`.
    pub a: String,
    pub b: String,
    pub anchor: Vec3,
    pub axis: Vec3,
    pub kind: JointKind,
}

#[derive(Clone, Debug, PartialEq)]
pub enum PlannedField {
    Drag { density: f64, area: f64 },
    Pull(Vec3),
    Thruster { body: String, direction: Vec3, thrust: f64 },
}

#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    pub dt: f64,
    pub steps: usize,
    pub tier: ContactTier,
    pub scheme: ContactScheme,
    pub integrator: &'static str,
    pub gravity: Vec3,
    pub ground: Ground,
    pub bodies: Vec<PlannedBody>,
    pub joints: Vec<PlannedJoint>,
    /// Names of bodies that hold each other once they touch.
    pub latches: Vec<[String; 2]>,
    pub fields: Vec<PlannedField>,
}

impl Plan {
    /// A plan of at most so many bodies and steps.
    pub fn random(random: &mut Random<'_>, most_bodies: usize, most_steps: usize) -> Self {
        let dt = random.magnitude(1e-4, 1.0 / 30.0);
        let tier = if random.chance(0.6) { ContactTier::Exact } else { ContactTier::Fast };
        let integrator = if random.chance(0.5) {
            "velocity-verlet"
        } else {
            INTEGRATOR_NAMES[random.choice(INTEGRATOR_NAMES.len())]
        };
        let gravity = match random.choice(4) {
            0 => Vec3::ZERO,
            1 => Vec3::new(random.between(-3.0, 3.0), random.between(-3.0, 3.0), -9.0),
            _ => World::DEFAULT_GRAVITY,
        };
        let ground = match random.choice(4) {
            0 => Ground::None,
            1 => Ground::Plane,
            2 => Ground::Slab,
            _ => Ground::Mesh(random.between(-0.3, 0.3)),
        };
        // Few bodies more often than many.
        let share = random.unit();
        let count = 2 + ((most_bodies.max(2) - 2) as f64 * share * share * share) as usize;
        let mut plan = Self {
            dt,
            steps: 4 + random.choice(most_steps.max(5) - 4),
            tier,
            scheme: ContactScheme::default(),
            integrator,
            gravity,
            ground,
            bodies: Vec::new(),
            joints: Vec::new(),
            latches: Vec::new(),
            fields: Vec::new(),
        };
        let size = random.magnitude(0.05, 0.8);
        // Close enough to meet within the run, however short its steps; some overlap from the start.
        let apart = random.between(1.7, 3.2);
        let speed = if random.chance(0.3) { 0.0 } else { random.magnitude(0.05, 5.0) };
        for k in 0..count {
            let body = planned_body(random, k, (size, apart), speed);
            plan.bodies.push(body);
        }
        plan.join(random);
        plan.act(random);
        plan
    }

    /// The same with terrain, sequences of joints, latches, triggers and both schemes of contact. Apart from
    /// [`Plan::random`], so that its seeds stay the worlds they were.
    pub fn wider(random: &mut Random<'_>, most_bodies: usize, most_steps: usize) -> Self {
        let mut plan = Self::random(random, most_bodies, most_steps);
        if random.chance(0.25) {
            plan.scheme = ContactScheme::MoreauJean;
        }
        let spacing = plan.bodies.iter().fold(0.05, |most, body| scalar::max(most, body.position.z));
        if !matches!(plan.ground, Ground::Plane | Ground::Slab) && random.chance(0.6) {
            let heights = (0..COLUMNS * COLUMNS).map(|_| -0.4 * spacing * random.unit()).collect();
            plan.ground = Ground::Heights(heights, spacing);
        }
        for joint in &mut plan.joints {
            let axial = matches!(joint.kind, JointKind::Hinge { .. } | JointKind::Slider { .. });
            if axial && random.chance(0.4) {
                let slides = [0; 3].map(|_| random.chance(0.4));
                joint.kind = JointKind::Sequence { slides, count: 2 + random.choice(2) };
            }
        }
        let joined: Vec<String> =
            plan.joints.iter().flat_map(|joint| [joint.a.clone(), joint.b.clone()]).collect();
        let free = |body: &PlannedBody| !joined.contains(&body.name);
        for k in 0..plan.bodies.len() {
            if random.chance(0.06) && free(&plan.bodies[k]) && plan.bodies.len() > 2 {
                plan.bodies[k].trigger = true;
            }
        }
        if random.chance(0.3) {
            for pair in plan.bodies.windows(2).step_by(3) {
                let dynamic = |body: &PlannedBody| body.role == BodyRole::Dynamic && !body.trigger;
                if pair.iter().all(|body| dynamic(body) && free(body)) {
                    plan.latches.push([pair[0].name.clone(), pair[1].name.clone()]);
                }
            }
        }
        plan
    }

    /// Chains of neighbours, and some bodies held to the world.
    fn join(&mut self, random: &mut Random<'_>) {
        let share = if random.chance(0.4) { 0.0 } else { random.between(0.1, 0.9) };
        for k in 0..self.bodies.len() {
            if self.bodies[k].role != BodyRole::Dynamic || !random.chance(share) {
                continue;
            }
            let b = &self.bodies[k];
            let previous = k.checked_sub(1).filter(|_| random.chance(0.7)).map(|k| &self.bodies[k]);
            let a = previous.map_or("world".to_owned(), |body| body.name.clone());
            let middle =
                previous.map_or(b.position + random.vector() * 0.3, |a| 0.5 * (a.position + b.position));
            let axis = [Vec3::X, Vec3::Y, Vec3::Z][random.choice(3)];
            let limits = random.chance(0.4).then(|| random.between(0.05, 1.0));
            let motor = random.chance(0.4).then(|| (random.between(-3.0, 3.0), random.magnitude(0.1, 100.0)));
            let kind = match random.choice(8) {
                0 | 1 => JointKind::Ball,
                2 | 3 => JointKind::Hinge { limits, motor },
                4 => JointKind::Slider { limits, motor },
                5 => JointKind::Fixed,
                6 => JointKind::Universal,
                _ if random.chance(0.5) => JointKind::Distance,
                _ => JointKind::Spring {
                    stiffness: random.magnitude(1.0, 1e3),
                    damping: if random.chance(0.5) { 0.0 } else { random.magnitude(0.01, 10.0) },
                },
            };
            let joint =
                PlannedJoint { name: format!("joint {k}"), a, b: b.name.clone(), anchor: middle, axis, kind };
            self.joints.push(joint);
        }
    }

    fn act(&mut self, random: &mut Random<'_>) {
        if random.chance(0.2) {
            self.fields.push(PlannedField::Drag { density: 1.2, area: random.magnitude(0.01, 1.0) });
        }
        if random.chance(0.1) {
            self.fields.push(PlannedField::Pull(random.vector() * 3.0));
        }
        let dynamic = |body: &&PlannedBody| body.role == BodyRole::Dynamic;
        if random.chance(0.2)
            && let Some(body) = self.bodies.iter().find(dynamic)
        {
            let (body, direction) = (body.name.clone(), (Vec3::Z + random.vector() * 0.5).normalize());
            self.fields.push(PlannedField::Thruster { body, direction, thrust: random.magnitude(0.1, 50.0) });
        }
    }

    /// The same without one body and the objects that refer to it.
    pub fn without_body(&self, index: usize) -> Self {
        let mut plan = self.clone();
        let name = plan.bodies.remove(index).name;
        plan.joints.retain(|joint| joint.a != name && joint.b != name);
        plan.latches.retain(|latch| !latch.contains(&name));
        plan.fields.retain(|field| !matches!(field, PlannedField::Thruster { body, .. } if *body == name));
        plan
    }

    /// # Errors
    /// If the world refuses something.
    pub fn build(&self) -> Result<World, WorldError> {
        let mut world = World::new();
        world.set_gravity(self.gravity)?;
        world.set_dt(self.dt)?;
        world.set_integrator(by_name(self.integrator, None).expect("an integrator by its name"));
        let settings = ContactSettings { scheme: self.scheme, ..ContactSettings::with_tier(self.tier) };
        world.set_contact_settings(settings)?;
        if let Some((shape, position)) = self.ground_shape() {
            world.add_body(BodyDescription::fixed("ground", shape).position(position))?;
        }
        for body in &self.bodies {
            let shape = body.form.shape();
            let described = match body.role {
                BodyRole::Dynamic => BodyDescription::dynamic(&body.name, shape).density(body.density),
                BodyRole::Kinematic => BodyDescription::kinematic(&body.name, shape),
                BodyRole::Static => BodyDescription::fixed(&body.name, shape),
            };
            let material =
                Material { friction: body.friction, restitution: body.restitution, ..Material::default() };
            let described = described.position(body.position).orientation(body.turn).material(material);
            let described = if body.trigger { described.trigger() } else { described };
            world.add_body(described.velocity(body.velocity).angular_velocity(body.spin))?;
        }
        for joint in &self.joints {
            if let JointKind::Sequence { slides, count } = joint.kind {
                let made = joint.sequence(&world, &slides[..count])?;
                let axes: Vec<_> = (0..count).map(|k| made.axis(k)).collect();
                world.add_joint(&joint.name, made)?;
                for (k, axis) in axes.into_iter().enumerate() {
                    world.add_joint(&format!("{} {k}", joint.name), axis?)?;
                }
                continue;
            }
            let made = joint.make(&world)?;
            world.add_joint(&joint.name, made)?;
        }
        for [a, b] in &self.latches {
            let body = |name: &str| world.find(name).expect("a body of the plan");
            let (one, other) = (body(a), body(b));
            world.add_latch(&format!("{a} to {b}"), one, other)?;
        }
        for field in &self.fields {
            world.add_field(field.make(&world))?;
        }
        Ok(world)
    }

    pub fn ground_shape(&self) -> Option<(Shape, Vec3)> {
        match self.ground {
            Ground::None => None,
            Ground::Plane => Some((HalfSpace::new(Vec3::Z, 0.0).expect("a plane").into(), Vec3::ZERO)),
            Ground::Slab => {
                Some((Cuboid::new(Vec3::new(60.0, 60.0, 1.0)).expect("a slab").into(), Vec3::Z * -0.5))
            }
            Ground::Mesh(slope) => {
                let mesh = TriangleMesh::new(sheet(slope).to_vec(), SHEET.to_vec()).expect("a sheet");
                Some((mesh.into(), Vec3::ZERO))
            }
            Ground::Heights(ref heights, spacing) => {
                let mesh = TriangleMesh::height_field(COLUMNS, heights, [spacing; 2]).expect("a terrain");
                Some((mesh.into(), Vec3::ZERO))
            }
        }
    }

    /// The plan as a scene file; a mesh is read from `sheet.obj` beside it, whose text is the second value.
    #[allow(dead_code, reason = "the fuzz targets write no files")]
    pub fn scene(&self) -> (String, Option<String>) {
        let mut bodies = Vec::new();
        let mut obj = None;
        let ground = |shape: &str, z: f64| {
            format!(r#"{{"name":"ground","kind":"static","shape":{shape},"position":[0.0,0.0,{z:?}]}}"#)
        };
        match self.ground {
            Ground::None => {}
            Ground::Plane => bodies.push(ground(r#"{"plane":{"normal":[0.0,0.0,1.0]}}"#, 0.0)),
            Ground::Slab => bodies.push(ground(r#"{"box":{"size":[60.0,60.0,1.0]}}"#, -0.5)),
            Ground::Heights(ref heights, spacing) => {
                let heights: Vec<String> = heights.iter().map(|height| format!("{height:?}")).collect();
                let shape = format!(
                    r#"{{"heightfield":{{"columns":{COLUMNS},"spacing":[{spacing:?},{spacing:?}],"heights":[{}]}}}}"#,
                    heights.join(",")
                );
                bodies.push(ground(&shape, 0.0));
            }
            Ground::Mesh(slope) => {
                bodies.push(ground(r#"{"mesh":{"file":"sheet.obj","convex":false}}"#, 0.0));
                let mut text = String::new();
                for Vec3 { x, y, z } in sheet(slope) {
                    let _ = writeln!(text, "v {x:?} {y:?} {z:?}");
                }
                for [a, b, c] in SHEET {
                    let _ = writeln!(text, "f {} {} {}", a + 1, b + 1, c + 1);
                }
                obj = Some(text);
            }
        }
        bodies.extend(self.bodies.iter().map(PlannedBody::scene));
        let mut joints: Vec<String> = self.joints.iter().map(PlannedJoint::scene).collect();
        joints.extend(
            self.latches
                .iter()
                .map(|[a, b]| format!(r#"{{"name":"{a} to {b}","type":"latch","a":"{a}","b":"{b}"}}"#)),
        );
        let fields: Vec<String> = self.fields.iter().map(PlannedField::scene).collect();
        let tier = match self.tier {
            ContactTier::Exact => "exact",
            ContactTier::Fast => "fast",
            ContactTier::Auto => "auto",
        };
        let text = format!(
            "{{\"format\":1,\n\"world\":{{\"dt\":{:?},\"duration\":{:?},\"gravity\":{},\"integrator\":\"{}\",\
             \"solver\":\"{tier}\"}},\n\"body\":[\n{}],\n\"joint\":[\n{}],\n\"field\":[\n{}]}}\n",
            self.dt,
            self.dt * self.steps as f64,
            triple(self.gravity),
            self.integrator,
            bodies.join(",\n"),
            joints.join(",\n"),
            fields.join(",\n"),
        );
        (text, obj)
    }
}

const SHEET: [[u32; 3]; 2] = [[0, 1, 2], [0, 2, 3]];

fn sheet(slope: f64) -> [Vec3; 4] {
    [(-30.0, -30.0), (30.0, -30.0), (30.0, 30.0), (-30.0, 30.0)].map(|(x, y)| Vec3::new(x, y, slope * x))
}

fn planned_body(random: &mut Random<'_>, k: usize, (size, apart): (f64, f64), speed: f64) -> PlannedBody {
    let own = size * random.between(0.6, 1.6);
    let form = planned_form(random, own, true);
    // A loose grid above the ground.
    let cell = Vec3::new((k % 4) as f64, (k / 4 % 4) as f64, (k / 16) as f64);
    let position = (cell + random.vector() * 0.1) * apart * size + Vec3::Z * (apart * 0.5 * size);
    let role = match random.choice(24) {
        0 => BodyRole::Kinematic,
        1 => BodyRole::Static,
        _ => BodyRole::Dynamic,
    };
    let turn = if random.chance(0.3) {
        Quat::IDENTITY
    } else {
        orientation::from_rotation_vector(random.vector() * 3.0)
    };
    let moves = role != BodyRole::Static;
    let (velocity, spin) = (random.vector() * speed, random.vector() * speed);
    PlannedBody {
        name: format!("body {k}"),
        form,
        role,
        density: random.magnitude(50.0, 5000.0),
        position,
        turn,
        velocity: if moves { velocity } else { Vec3::ZERO },
        spin: if moves && random.chance(0.7) { spin } else { Vec3::ZERO },
        friction: if random.chance(0.3) { 0.0 } else { random.between(0.0, 1.2) },
        restitution: match random.choice(3) {
            0 => random.unit(),
            1 if random.chance(0.5) => 1.0,
            _ => 0.0,
        },
        trigger: false,
    }
}

fn planned_form(random: &mut Random<'_>, size: f64, compound: bool) -> Form {
    let [a, b, c] = [0, 1, 2].map(|_| size * random.between(0.4, 1.0));
    match random.choice(8) {
        0 => Form::Sphere(0.5 * a),
        1 => Form::Ellipsoid(Vec3::new(a, b, c) * 0.5),
        2 => Form::Box(Vec3::new(a, b, c)),
        3 if c > 0.7 * size => Form::TaperedCapsule([0.4 * a, 0.2 * b, b]),
        3 => Form::Capsule(0.4 * a, b),
        4 => Form::Cylinder(0.4 * a, b),
        5 => Form::Cone(0.4 * a, b),
        6 if compound => {
            let parts = [-1.0, 1.0].map(|side| {
                let offset = Vec3::new(side * 0.35 * size, 0.1 * size * random.unit(), 0.0);
                (planned_form(random, 0.6 * size, false), offset)
            });
            Form::Compound(parts.to_vec())
        }
        _ => {
            let count = 6 + random.choice(10);
            let mut points: Vec<Vec3> = (0..count).map(|_| random.vector() * 0.5 * size).collect();
            points.extend([Vec3::X, Vec3::Y, Vec3::Z, -Vec3::ONE].map(|corner| corner * 0.3 * size));
            Form::Hull(points)
        }
    }
}

impl Form {
    pub fn shape(&self) -> Shape {
        match self {
            Form::Sphere(radius) => Sphere::new(*radius).expect("a ball").into(),
            Form::Box(size) => Cuboid::new(*size).expect("a box").into(),
            Form::Capsule(radius, length) => Capsule::new(*radius, *length).expect("a capsule").into(),
            Form::Cylinder(radius, length) => Cylinder::new(*radius, *length).expect("a cylinder").into(),
            Form::Cone(radius, length) => Cone::new(*radius, *length).expect("a cone").into(),
            Form::Ellipsoid(radii) => Ellipsoid::new(*radii).expect("an ellipsoid").into(),
            Form::TaperedCapsule([bottom, top, length]) => {
                TaperedCapsule::new(*bottom, *top, *length).expect("a tapered capsule").into()
            }
            Form::Hull(points) => ConvexHull::from_points(points).expect("a hull").into(),
            Form::Compound(parts) => {
                let part = |(form, position): &(Form, Vec3)| CompoundPart {
                    frame: ReferenceFrame::from_position(*position),
                    shape: form.shape(),
                };
                Compound::new(parts.iter().map(part).collect()).expect("a compound").into()
            }
        }
    }

    fn scene(&self) -> String {
        let round = |name: &str, radius: f64, length: f64| {
            format!(r#"{{"{name}":{{"radius":{radius:?},"length":{length:?}}}}}"#)
        };
        match self {
            Form::Sphere(radius) => format!(r#"{{"sphere":{{"radius":{radius:?}}}}}"#),
            Form::Box(size) => format!(r#"{{"box":{{"size":{}}}}}"#, triple(*size)),
            Form::Capsule(radius, length) => round("capsule", *radius, *length),
            Form::Cylinder(radius, length) => round("cylinder", *radius, *length),
            Form::Cone(radius, length) => round("cone", *radius, *length),
            Form::Ellipsoid(radii) => format!(r#"{{"ellipsoid":{{"radii":{}}}}}"#, triple(*radii)),
            Form::TaperedCapsule([bottom, top, length]) => format!(
                r#"{{"tapered_capsule":{{"bottom_radius":{bottom:?},"top_radius":{top:?},"length":{length:?}}}}}"#
            ),
            Form::Hull(points) => {
                let points: Vec<String> = points.iter().map(|point| triple(*point)).collect();
                format!(r#"{{"hull":{{"points":[{}]}}}}"#, points.join(","))
            }
            Form::Compound(parts) => {
                let part = |(form, position): &(Form, Vec3)| {
                    format!(r#"{{"shape":{},"position":{}}}"#, form.scene(), triple(*position))
                };
                let parts: Vec<String> = parts.iter().map(part).collect();
                format!(r#"{{"compound":{{"parts":[{}]}}}}"#, parts.join(","))
            }
        }
    }
}

fn triple(v: Vec3) -> String {
    format!("[{:?},{:?},{:?}]", v.x, v.y, v.z)
}

impl PlannedBody {
    fn scene(&self) -> String {
        let Quat { x, y, z, w } = self.turn;
        let kind = match self.role {
            BodyRole::Dynamic => format!(r#""density":{:?},"#, self.density),
            BodyRole::Kinematic => r#""kind":"kinematic","#.to_owned(),
            BodyRole::Static => r#""kind":"static","#.to_owned(),
        };
        let trigger = if self.trigger { r#""trigger":true,"# } else { "" };
        let moves = if self.role == BodyRole::Static {
            String::new()
        } else {
            format!(r#""velocity":{},"angular_velocity":{},"#, triple(self.velocity), triple(self.spin))
        };
        format!(
            r#"{{"name":"{}",{kind}{trigger}"shape":{},"position":{},"orientation":{{"w":{w:?},"x":{x:?},"y":{y:?},"z":{z:?}}},{moves}"friction":{:?},"restitution":{:?}}}"#,
            self.name,
            self.form.scene(),
            triple(self.position),
            self.friction,
            self.restitution
        )
    }
}

impl PlannedJoint {
    /// The two ends of a distance or spring.
    pub fn ends(&self) -> [Vec3; 2] {
        [self.anchor - self.axis * 0.3, self.anchor]
    }

    /// Axes at right angles, if the first is along x, y or z.
    fn axes(&self) -> [Vec3; 3] {
        let Vec3 { x, y, z } = self.axis;
        [self.axis, Vec3::new(z, x, y), Vec3::new(y, z, x)]
    }

    fn sequence(&self, world: &World, slides: &[bool]) -> Result<SequenceJoint, WorldError> {
        let end = |name: &str| world.find(name).map_or(Ok(JointEnd::WORLD), |body| world.joint_end(body));
        let steps: Vec<SequenceStep> = slides
            .iter()
            .zip(self.axes())
            .map(|(&slides, axis)| SequenceStep {
                slides,
                anchor: self.anchor,
                axis,
                placed_at: 0.0,
                center: 0.0,
            })
            .collect();
        Ok(SequenceJoint::new(end(&self.a)?, end(&self.b)?, &steps)?)
    }

    fn make(&self, world: &World) -> Result<Arc<dyn Constraint>, WorldError> {
        let end = |name: &str| match world.find(name) {
            Some(handle) => world.joint_end(handle),
            None => Ok(JointEnd::WORLD),
        };
        let (a, b) = (end(&self.a)?, end(&self.b)?);
        let (anchor, axis) = (self.anchor, self.axis);
        let limits_of = |range: f64| Limits { min: -range, max: range };
        let motor_of = |(velocity, max_force): (f64, f64)| Motor { velocity, max_force };
        let made = || -> Result<Arc<dyn Constraint>, ConstraintError> {
            Ok(match self.kind {
                JointKind::Ball => Arc::new(BallJoint::new(a, b, anchor)?),
                JointKind::Fixed => Arc::new(FixedJoint::new(a, b, anchor)?),
                JointKind::Hinge { limits, motor } => {
                    let mut joint = HingeJoint::new(a, b, anchor, axis)?;
                    if let Some(range) = limits {
                        joint = joint.with_limits(limits_of(range))?;
                    }
                    if let Some(motor) = motor {
                        joint = joint.with_motor(motor_of(motor))?;
                    }
                    Arc::new(joint)
                }
                JointKind::Slider { limits, motor } => {
                    let mut joint = SliderJoint::new(a, b, anchor, axis)?;
                    if let Some(range) = limits {
                        joint = joint.with_limits(limits_of(range))?;
                    }
                    if let Some(motor) = motor {
                        joint = joint.with_motor(motor_of(motor))?;
                    }
                    Arc::new(joint)
                }
                JointKind::Universal => {
                    Arc::new(UniversalJoint::new(a, b, anchor, axis, Vec3::new(axis.y, axis.z, axis.x))?)
                }
                JointKind::Distance => Arc::new(DistanceJoint::new(a, b, self.ends()[0], self.ends()[1])?),
                JointKind::Spring { stiffness, damping } => {
                    let [on_a, on_b] = self.ends();
                    Arc::new(SpringJoint::new(a, b, on_a, on_b, stiffness, damping)?)
                }
                JointKind::Sequence { .. } => unreachable!("made of several constraints"),
            })
        };
        made().map_err(WorldError::from)
    }

    fn scene(&self) -> String {
        let anchor = triple(self.anchor);
        let [on_a, on_b] = self.ends().map(triple);
        let axis = triple(self.axis);
        let travel = |limits: Option<f64>, motor: Option<(f64, f64)>| {
            let limits =
                limits.map_or(String::new(), |range| format!(r#","limits":[{:?},{range:?}]"#, -range));
            let motor = motor.map_or(String::new(), |(velocity, max_force)| {
                format!(r#","motor":{{"velocity":{velocity:?},"max_force":{max_force:?}}}"#)
            });
            format!(r#""anchor":{anchor},"axis":{axis}{limits}{motor}"#)
        };
        let (kind, rest) = match self.kind {
            JointKind::Ball => ("ball", format!(r#""anchor":{anchor}"#)),
            JointKind::Fixed => ("fixed", format!(r#""anchor":{anchor}"#)),
            JointKind::Hinge { limits, motor } => ("hinge", travel(limits, motor)),
            JointKind::Slider { limits, motor } => ("slider", travel(limits, motor)),
            JointKind::Sequence { slides, count } => {
                let part = |k: usize| {
                    let kind = if slides[k] { "slider" } else { "hinge" };
                    let after =
                        if k == 0 { String::new() } else { format!(r#","after":"{} {}""#, self.name, k - 1) };
                    format!(
                        r#"{{"name":"{} {k}","type":"{kind}","a":"{}","b":"{}","anchor":{anchor},"axis":{}{after}}}"#,
                        self.name,
                        self.a,
                        self.b,
                        triple(self.axes()[k])
                    )
                };
                return (0..count).map(part).collect::<Vec<_>>().join(",\n");
            }
            JointKind::Universal => {
                let second = triple(Vec3::new(self.axis.y, self.axis.z, self.axis.x));
                ("universal", format!(r#""anchor":{anchor},"axis":{axis},"axis_b":{second}"#))
            }
            JointKind::Distance => ("distance", format!(r#""anchor_a":{on_a},"anchor_b":{on_b}"#)),
            JointKind::Spring { stiffness, damping } => (
                "spring",
                format!(
                    r#""anchor_a":{on_a},"anchor_b":{on_b},"stiffness":{stiffness:?},"damping":{damping:?}"#
                ),
            ),
        };
        format!(r#"{{"name":"{}","type":"{kind}","a":"{}","b":"{}",{rest}}}"#, self.name, self.a, self.b)
    }
}

impl PlannedField {
    fn make(&self, world: &World) -> Arc<dyn Field> {
        match self {
            PlannedField::Drag { density, area } => Arc::new(
                Drag::new(Atmosphere::Uniform { density: *density })
                    .and_then(|drag| drag.with_drag_area(*area))
                    .expect("air"),
            ),
            PlannedField::Pull(acceleration) => Arc::new(UniformGravity::new(*acceleration).expect("a pull")),
            PlannedField::Thruster { body, direction, thrust } => {
                let body = world.find(body).expect("a body of the plan");
                Arc::new(Thruster::new(body, Vec3::ZERO, *direction, *thrust).expect("a thruster"))
            }
        }
    }

    fn scene(&self) -> String {
        match self {
            PlannedField::Drag { density, area } => {
                format!(r#"{{"type":"drag","density":{density:?},"drag_area":{area:?}}}"#)
            }
            PlannedField::Pull(acceleration) => {
                format!(r#"{{"type":"uniform-gravity","acceleration":{}}}"#, triple(*acceleration))
            }
            PlannedField::Thruster { body, direction, thrust } => format!(
                r#"{{"type":"thruster","body":"{body}","direction":{},"thrust":{thrust:?}}}"#,
                triple(*direction)
            ),
        }
    }
}

//! Helper for tests of the cost of solves: one island, stepped by the detector and the solver without a world;
//! semi-implicit, no restitution, no position correction.

#![allow(dead_code)]
#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use msd::math::orientation::advanced;
use msd::math::{Mat3, Quat, Vec3};
use msd::physics::collision::CollisionDetector;
use msd::physics::collision::broad_phase::Filter;
use msd::physics::constraints::contact::{
    BodyVelocity, Contact, ContactBody, ContactProblem, ContactSolver, ExactSolverSettings, Impulses,
    SolveReport,
};
use msd::physics::rigid_body::shape::{Cuboid, HalfSpace, Shape, Sphere};
use msd::physics::rigid_body::{Bodies, BodyKind, Inertia, InertialState, RigidBody};

pub(crate) const GRAVITY: f64 = 9.81;

pub(crate) struct Motion {
    pub(crate) dt: f64,
    pub(crate) gravity: Vec3,
    pub(crate) friction: f64,
    pub(crate) bodies: Vec<RigidBody>,
    pub(crate) inertias: Vec<Inertia>,
    pub(crate) states: Vec<InertialState>,
    pub(crate) problem: ContactProblem,
    pub(crate) impulses: Impulses,
    pub(crate) solver: ContactSolver,
    pub(crate) settings: ExactSolverSettings,
    detector: CollisionDetector,
}

impl Motion {
    /// The ground at z = 0, and nothing on it.
    pub(crate) fn new(dt: f64, friction: f64) -> Self {
        let mut motion = Self {
            dt,
            gravity: Vec3::Z * -GRAVITY,
            friction,
            bodies: Vec::new(),
            inertias: Vec::new(),
            states: Vec::new(),
            problem: ContactProblem::default(),
            impulses: Impulses::default(),
            solver: ContactSolver::default(),
            settings: ExactSolverSettings::default(),
            detector: CollisionDetector::default(),
        };
        motion.add(Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0).unwrap()), None, Vec3::ZERO);
        motion
    }

    fn add(&mut self, shape: Shape, inertia: Option<Inertia>, position: Vec3) -> usize {
        let kind = if inertia.is_some() { BodyKind::Dynamic } else { BodyKind::Static };
        let inertia = inertia.unwrap_or(Inertia::IMMOVABLE);
        self.bodies.push(RigidBody { kind, shape: Some(shape), ..RigidBody::new("b", inertia) });
        self.inertias.push(inertia);
        self.states.push(InertialState { center_of_mass: position, ..InertialState::AT_REST });
        self.states.len() - 1
    }

    pub(crate) fn cuboid(&mut self, mass: f64, size: Vec3, position: Vec3) -> usize {
        let s = size * size;
        let tensor = Mat3::from_diagonal(Vec3::new(s.y + s.z, s.x + s.z, s.x + s.y) * (mass / 12.0));
        let inertia = Inertia::new(mass, tensor).unwrap();
        self.add(Shape::Box(Cuboid::new(size).unwrap()), Some(inertia), position)
    }

    pub(crate) fn ball(&mut self, mass: f64, radius: f64, position: Vec3) -> usize {
        let tensor = Mat3::IDENTITY * (0.4 * mass * radius * radius);
        let inertia = Inertia::new(mass, tensor).unwrap();
        self.add(Shape::Sphere(Sphere::new(radius).unwrap()), Some(inertia), position)
    }

    pub(crate) fn wall(&mut self, normal: Vec3, offset: f64) {
        self.add(Shape::HalfSpace(HalfSpace::new(normal, offset).unwrap()), None, Vec3::ZERO);
    }

    pub(crate) fn turn(&mut self, body: usize, orientation: Quat) {
        self.states[body].orientation = orientation;
    }

    /// Finds contacts and poses the problem of the next step, warm impulses included.
    pub(crate) fn pose(&mut self) {
        let view = Bodies { bodies: &self.bodies, inertias: &self.inertias, states: &self.states };
        self.detector.update(&view, self.dt, |_| Filter::default());
        self.problem.clear();
        self.impulses.clear();
        for (state, inertia) in self.states.iter().zip(&self.inertias) {
            self.problem.push_body(contact_body(state, inertia, self.gravity * self.dt, self.dt)).unwrap();
        }
        for pair in self.detector.contacts() {
            let [a, b] = [self.states[pair.a].center_of_mass, self.states[pair.b].center_of_mass];
            for manifold in pair.manifolds {
                let normal = manifold.manifold.normal;
                for (point, known) in manifold.manifold.points().iter().zip(&manifold.impulses) {
                    let [arm_a, arm_b] = [point.on_a - a, point.on_b - b];
                    let mut contact = Contact::touching(pair.a, pair.b, arm_a, arm_b, normal);
                    contact.friction = self.friction;
                    // Round-off of positions is no gap to fall through.
                    let gap = if point.distance < 1e-9 { 0.0 } else { point.distance };
                    contact.speculative_bias = gap / self.dt;
                    self.problem.push_contact(contact).unwrap();
                    self.impulses.contacts.push(Vec3::new(known.normal, known.tangent[0], known.tangent[1]));
                }
            }
        }
    }

    pub(crate) fn solve(&mut self) -> SolveReport {
        self.solver.solve(&self.problem, &mut self.impulses, &self.settings)
    }

    /// Takes the velocities of the solver and moves on.
    pub(crate) fn advance(&mut self) {
        let pairs: Vec<usize> = self.detector.contacts().map(|pair| pair.index).collect();
        let mut impulses = self.impulses.contacts.iter();
        for index in pairs {
            for manifold in self.detector.manifolds_mut(index) {
                let count = manifold.manifold.points().len();
                for (known, impulse) in manifold.impulses[..count].iter_mut().zip(&mut impulses) {
                    known.normal = impulse.x;
                    known.tangent = [impulse.y, impulse.z];
                }
            }
        }
        for ((state, inertia), v) in self.states.iter_mut().zip(&self.inertias).zip(self.solver.velocities())
        {
            if inertia.is_movable() {
                (state.velocity, state.angular_velocity) = (v.linear, v.angular);
                state.center_of_mass += v.linear * self.dt;
                state.orientation = advanced(state.orientation, v.angular, self.dt);
            }
        }
    }

    pub(crate) fn step(&mut self) -> SolveReport {
        self.pose();
        let report = self.solve();
        self.advance();
        report
    }

    /// Kinetic and potential energy, J.
    pub(crate) fn energy(&self) -> f64 {
        let bodies = self.states.iter().zip(&self.inertias).filter(|(_, inertia)| inertia.is_movable());
        bodies
            .map(|(state, inertia)| {
                state.kinetic_energy(inertia) - inertia.mass() * self.gravity.dot(state.center_of_mass)
            })
            .sum()
    }
}

fn contact_body(state: &InertialState, inertia: &Inertia, pull: Vec3, dt: f64) -> ContactBody {
    if !inertia.is_movable() {
        return ContactBody::immovable(BodyVelocity::default());
    }
    let rotation = Mat3::from_quat(state.orientation);
    let (tensor, inverse) = (inertia.tensor_world(&rotation), inertia.inverse_tensor_world(&rotation));
    let omega = state.angular_velocity;
    let gyroscopic = inverse * omega.cross(tensor * omega);
    let free = BodyVelocity { linear: state.velocity + pull, angular: omega - gyroscopic * dt };
    ContactBody { inverse_mass: inertia.inverse_mass(), inverse_inertia: inverse, free }
}

/// Deterministic numbers in [-1, 1).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub(crate) fn vector(&mut self) -> Vec3 {
        Vec3::new(self.number(), self.number(), self.number())
    }

    pub(crate) fn orientation(&mut self) -> Quat {
        Quat::from_xyzw(self.number(), self.number(), self.number(), 1.5).normalize()
    }
}

pub(crate) fn stack(masses: &[f64], friction: f64, dt: f64) -> Motion {
    let mut motion = Motion::new(dt, friction);
    for (k, &mass) in masses.iter().enumerate() {
        motion.cuboid(mass, Vec3::ONE, Vec3::Z * (k as f64 + 0.5));
    }
    motion
}

pub(crate) fn pyramid(rows: usize, friction: f64, dt: f64) -> Motion {
    let mut motion = Motion::new(dt, friction);
    for row in 0..rows {
        for k in 0..rows - row {
            let x = k as f64 * 1.1 + row as f64 * 0.55;
            motion.cuboid(1.0, Vec3::ONE, Vec3::new(x, 0.0, row as f64 + 0.5));
        }
    }
    motion
}

/// Boxes of random sizes dropped into a bin of four walls.
pub(crate) fn pile(count: usize, friction: f64, dt: f64) -> Motion {
    let mut motion = Motion::new(dt, friction);
    for normal in [Vec3::X, -Vec3::X, Vec3::Y, -Vec3::Y] {
        motion.wall(normal, -1.5);
    }
    let mut random = Random(42);
    for k in 0..count {
        let size = Vec3::splat(0.7) + 0.3 * random.vector();
        let at = Vec3::new(0.6 * random.number(), 0.6 * random.number(), 1.0 + 1.3 * k as f64);
        let body = motion.cuboid(1.0, size, at);
        motion.turn(body, random.orientation());
    }
    motion
}

/// Balls dropped into a bin.
pub(crate) fn balls(count: usize, friction: f64, dt: f64) -> Motion {
    let mut motion = Motion::new(dt, friction);
    for normal in [Vec3::X, -Vec3::X, Vec3::Y, -Vec3::Y] {
        motion.wall(normal, -1.0);
    }
    let mut random = Random(43);
    for k in 0..count {
        let at = Vec3::new(0.5 * random.number(), 0.5 * random.number(), 0.5 + 0.5 * k as f64);
        motion.ball(1.0, 0.25 + 0.05 * random.number(), at);
    }
    motion
}

/// Two cards that lean against each other.
pub(crate) fn cards(friction: f64, dt: f64) -> Motion {
    let mut motion = Motion::new(dt, friction);
    let (height, thickness, tilt) = (1.0, 0.02, 0.35f64);
    let (s, c) = (tilt.sin(), tilt.cos());
    // The inner upper edges of both touch above the origin.
    for side in [-1.0, 1.0] {
        let body = motion.cuboid(0.1, Vec3::new(thickness, 0.8, height), Vec3::ZERO);
        motion.turn(body, Quat::from_rotation_y(-side * tilt));
        let x = side * (0.5 * height * s + 0.5 * thickness * c);
        motion.states[body].center_of_mass = Vec3::new(x, 0.0, 0.5 * height * c + 0.5 * thickness * s);
    }
    motion
}

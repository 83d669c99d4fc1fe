//! Helpers for tests of the contact solver: problems assembled without bodies, detection or a world.

#![allow(dead_code)]
#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use msd::math::{Mat3, Vec3};
use msd::physics::constraints::contact::{BodyVelocity, Contact, ContactBody, ContactProblem};

pub(crate) const GRAVITY: f64 = 9.81;
pub(crate) const DT: f64 = 0.01;

/// The ground, index 0 by custom.
pub(crate) fn ground() -> ContactBody {
    ContactBody::immovable(BodyVelocity::default())
}

/// A solid box with full edge lengths, aligned with the axes, with this velocity at the end of a free step.
pub(crate) fn solid_box(mass: f64, size: Vec3, velocity: Vec3) -> ContactBody {
    let squares = size * size;
    let inertia =
        Vec3::new(squares.y + squares.z, squares.x + squares.z, squares.x + squares.y) * (mass / 12.0);
    ContactBody {
        inverse_mass: 1.0 / mass,
        inverse_inertia: Mat3::from_diagonal(1.0 / inertia),
        free: BodyVelocity { linear: velocity, angular: Vec3::ZERO },
    }
}

/// The four corners of the lower face of the box `upper`, on `lower`, whose centre is `below` under that face.
pub(crate) fn face(lower: usize, upper: usize, size: Vec3, below: f64, friction: f64) -> Vec<Contact> {
    let corner = |x: f64, y: f64| {
        let across = Vec3::new(0.5 * x * size.x, 0.5 * y * size.y, 0.0);
        let (arm_a, arm_b) = (across + Vec3::Z * below, across - Vec3::Z * (0.5 * size.z));
        Contact::touching(lower, upper, arm_a, arm_b, Vec3::Z).with_friction(friction)
    };
    vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)]
}

/// Unit cubes on each other on the ground, after one free step in gravity with this velocity along the ground.
pub(crate) fn stack(masses: &[f64], friction: f64, along: Vec3) -> ContactProblem {
    let mut bodies = vec![ground()];
    let mut contacts = Vec::new();
    for (index, &mass) in masses.iter().enumerate() {
        bodies.push(solid_box(mass, Vec3::ONE, along - Vec3::Z * (GRAVITY * DT)));
        let below = if index == 0 { 0.0 } else { 0.5 };
        contacts.extend(face(index, index + 1, Vec3::ONE, below, friction));
    }
    ContactProblem::new(bodies, contacts).unwrap()
}

/// A wall of boxes in courses of `wide` and `wide - 1`, each resting on two.
pub(crate) fn wall(wide: usize, courses: usize, friction: f64, along: Vec3) -> ContactProblem {
    let mut bodies = vec![ground()];
    let mut contacts = Vec::new();
    let mut lower: Vec<(usize, f64)> = Vec::new();
    for course in 0..courses {
        let count = wide - course % 2;
        let shift = 0.5 * (course % 2) as f64;
        let mut row = Vec::new();
        for k in 0..count {
            let (index, x) = (bodies.len(), k as f64 * 1.0 + shift);
            bodies.push(solid_box(2.0, Vec3::ONE, along - Vec3::Z * (GRAVITY * DT)));
            if course == 0 {
                contacts.extend(face(0, index, Vec3::ONE, 0.0, friction));
            }
            for &(below, at) in lower.iter().filter(|&&(_, at)| (at - x).abs() < 0.75) {
                let (left, right) = (at.max(x) - 0.5, at.min(x) + 0.5);
                for (px, py) in [(left, -0.5), (right, -0.5), (right, 0.5), (left, 0.5)] {
                    let (arm_a, arm_b) = (Vec3::new(px - at, py, 0.5), Vec3::new(px - x, py, -0.5));
                    contacts
                        .push(Contact::touching(below, index, arm_a, arm_b, Vec3::Z).with_friction(friction));
                }
            }
            row.push((index, x));
        }
        lower = row;
    }
    ContactProblem::new(bodies, contacts).unwrap()
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

    pub(crate) fn direction(&mut self) -> Vec3 {
        loop {
            let v = self.vector();
            if v.length() > 0.1 && v.length() < 1.0 {
                return v.normalize();
            }
        }
    }
}

/// Bodies with random masses (spread over `decades`), inertias and velocities, and random contacts between them and the
/// ground.
pub(crate) fn random_problem(
    seed: u64,
    bodies: usize,
    contacts: usize,
    friction: f64,
    decades: f64,
) -> ContactProblem {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let mut all = vec![ground()];
    for _ in 0..bodies {
        let mass = 10f64.powf(0.5 * decades * random.number());
        let size = Vec3::splat(1.0) + 0.5 * random.vector();
        let mut body = solid_box(mass, size, random.vector());
        body.free.angular = random.vector();
        all.push(body);
    }
    let list = (0..contacts)
        .map(|k| {
            let b = 1 + k % bodies;
            let a = if k < bodies { b - 1 } else { 0 };
            let normal = (Vec3::Z * 1.5 + random.direction()).normalize();
            let mut contact = Contact::touching(a, b, 0.5 * random.vector(), 0.5 * random.vector(), normal)
                .with_friction(friction);
            contact.speculative_bias = (0.2 * random.number()).max(0.0);
            contact
        })
        .collect();
    ContactProblem::new(all, list).unwrap()
}

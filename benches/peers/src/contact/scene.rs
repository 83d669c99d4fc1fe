//! A scene, as data: every engine builds its world from the same numbers.

use msd::math::{Quat, ReferenceFrame, Vec3};

use super::GRAVITY;

#[derive(Clone, Debug)]
pub enum Form {
    /// Full lengths, m.
    Cuboid(Vec3),
    /// Radius, m.
    Ball(f64),
    /// Points of a convex hull, m.
    Hull(Vec<Vec3>),
    /// Cuboids rigidly together: where, and full lengths, m.
    Cuboids(Vec<(ReferenceFrame, Vec3)>),
}

#[derive(Clone, Debug)]
pub struct Body {
    pub form: Form,
    pub frame: ReferenceFrame,
    pub velocity: Vec3,
    pub angular_velocity: Vec3,
    /// kg; none is not moved by others: it stands still, or goes on as its velocities say.
    pub mass: Option<f64>,
}

impl Body {
    /// True if it moves on a course that nothing changes.
    pub fn is_driven(&self) -> bool {
        self.mass.is_none() && (self.velocity != Vec3::ZERO || self.angular_velocity != Vec3::ZERO)
    }
}

/// A ball joint; body `b` is the next link of body `a`, or closes a loop if it is the next link of another already.
#[derive(Clone, Copy, Debug)]
pub struct Joint {
    pub a: usize,
    pub b: usize,
    /// World, at the start, m.
    pub anchor: Vec3,
}

/// What a scene is judged by besides overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Question {
    /// How far a body has got from where it was put, m.
    Drift,
    /// How far the ends of a joint are apart, m.
    Stretch,
    Nothing,
}

#[derive(Clone, Debug)]
pub struct Scene {
    pub name: String,
    pub bodies: Vec<Body>,
    pub joints: Vec<Joint>,
    pub friction: f64,
    pub gravity: f64,
    pub collide: bool,
    pub question: Question,
    /// Steps counted as moving, from the start, and as settled, at the end.
    pub moving: usize,
    pub settled: usize,
    pub steps: usize,
}

/// xorshift64*, so that the scenes are the same everywhere.
pub struct Random(pub u64);

impl Random {
    pub fn signed(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    pub fn vector(&mut self) -> Vec3 {
        Vec3::new(self.signed(), self.signed(), self.signed())
    }

    pub fn direction(&mut self) -> Vec3 {
        loop {
            let v = self.vector();
            if v.length_squared() <= 1.0 && v.length_squared() > 0.01 {
                return v.normalize();
            }
        }
    }
}

impl Scene {
    pub fn new(name: &str, question: Question) -> Self {
        Self {
            name: name.to_owned(),
            bodies: Vec::new(),
            joints: Vec::new(),
            friction: 0.5,
            gravity: GRAVITY,
            collide: true,
            question,
            moving: 60,
            settled: 60,
            steps: 300,
        }
    }

    pub fn add(&mut self, form: Form, position: Vec3, mass: Option<f64>) -> usize {
        let frame = ReferenceFrame::new(position, Quat::IDENTITY);
        let (velocity, angular_velocity) = (Vec3::ZERO, Vec3::ZERO);
        self.bodies.push(Body { form, frame, velocity, angular_velocity, mass });
        self.bodies.len() - 1
    }

    pub fn floor(&mut self, width: f64) {
        self.add(Form::Cuboid(Vec3::new(width, width, 1.0)), Vec3::new(0.0, 0.0, -0.5), None);
    }
}

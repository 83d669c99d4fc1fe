//! The scenes, as data: every engine builds its world from the same numbers.

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
}

#[derive(Clone, Debug)]
pub struct Body {
    pub form: Form,
    pub frame: ReferenceFrame,
    pub velocity: Vec3,
    pub angular_velocity: Vec3,
    /// kg; none does not move.
    pub mass: Option<f64>,
}

/// A ball joint; body `b` is the next link of body `a`.
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
struct Random(u64);

impl Random {
    fn signed(&mut self) -> f64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.signed(), self.signed(), self.signed())
    }

    fn direction(&mut self) -> Vec3 {
        loop {
            let v = self.vector();
            if v.length_squared() <= 1.0 && v.length_squared() > 0.01 {
                return v.normalize();
            }
        }
    }
}

impl Scene {
    fn new(name: &str, question: Question) -> Self {
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

    fn add(&mut self, form: Form, position: Vec3, mass: Option<f64>) -> usize {
        let frame = ReferenceFrame::new(position, Quat::IDENTITY);
        let (velocity, angular_velocity) = (Vec3::ZERO, Vec3::ZERO);
        self.bodies.push(Body { form, frame, velocity, angular_velocity, mass });
        self.bodies.len() - 1
    }

    fn floor(&mut self, width: f64) {
        self.add(Form::Cuboid(Vec3::new(width, width, 1.0)), Vec3::new(0.0, 0.0, -0.5), None);
    }
}

/// All scenes.
pub fn all() -> Vec<Scene> {
    vec![
        pyramid(20),
        pyramid(40),
        stack(),
        chain(),
        pour("200 boxes poured", 200, 7, |_| Form::Cuboid(Vec3::splat(0.5))),
        pour("1 000 boxes poured", 1000, 10, |_| Form::Cuboid(Vec3::splat(0.5))),
        pour("200 hulls of 12 points poured", 200, 7, |r| hull(12, r)),
        pour("200 hulls of 32 points poured", 200, 7, |r| hull(32, r)),
        pour("500 spheres poured", 500, 9, |_| Form::Ball(0.25)),
        free(10_000),
    ]
}

/// A wall of 1 m cubes in rows of one less each, touching upward and 0.1 m apart sideways.
pub fn pyramid(rows: usize) -> Scene {
    let mut scene = Scene::new(&format!("pyramid of {rows} rows"), Question::Drift);
    scene.floor(4.0 * rows as f64);
    for row in 0..rows {
        let count = rows - row;
        for k in 0..count {
            let x = 1.1 * (k as f64 - 0.5 * (count - 1) as f64);
            scene.add(Form::Cuboid(Vec3::ONE), Vec3::new(x, 0.0, row as f64 + 0.5), Some(1000.0));
        }
    }
    scene
}

/// Nine 1 m cubes of 1 kg with one of 1 000 kg on top.
fn stack() -> Scene {
    let mut scene = Scene::new("stack of ten, 1 000 kg on nine of 1 kg", Question::Drift);
    scene.floor(20.0);
    for k in 0..10 {
        let mass = if k == 9 { 1000.0 } else { 1.0 };
        scene.add(Form::Cuboid(Vec3::ONE), Vec3::new(0.0, 0.0, f64::from(k) + 0.5), Some(mass));
    }
    scene
}

/// Fifty links of 1 kg, 0.5 m apart, held out sideways and let go; the last weighs 1 000 kg. Links do not collide.
fn chain() -> Scene {
    let mut scene = Scene::new("chain of 50, 1 000 kg at the end", Question::Stretch);
    scene.collide = false;
    let mut last = scene.add(Form::Cuboid(Vec3::splat(0.2)), Vec3::ZERO, None);
    for k in 1..=50 {
        let mass = if k == 50 { 1000.0 } else { 1.0 };
        let x = 0.5 * f64::from(k);
        let link = scene.add(Form::Cuboid(Vec3::new(0.4, 0.2, 0.2)), Vec3::new(x, 0.0, 0.0), Some(mass));
        scene.joints.push(Joint { a: last, b: link, anchor: Vec3::new(x - 0.25, 0.0, 0.0) });
        last = link;
    }
    scene
}

fn hull(count: usize, random: &mut Random) -> Form {
    Form::Hull((0..count).map(|_| random.direction() * 0.3).collect())
}

/// Bodies in layers of `wide` × `wide`, each a little out of place and turned at random, let fall into an open box.
fn pour(name: &str, count: usize, wide: usize, mut form: impl FnMut(&mut Random) -> Form) -> Scene {
    const SPACING: f64 = 1.0;
    let mut scene = Scene::new(name, Question::Nothing);
    (scene.moving, scene.steps) = (150, 420);
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    let width = wide as f64 * SPACING;
    scene.floor(width + 4.0);
    for (x, y) in [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)] {
        let side = Vec3::new(x, y, 0.0);
        let size =
            Vec3::new(if x == 0.0 { width + 2.0 } else { 1.0 }, if y == 0.0 { width } else { 1.0 }, width);
        scene.add(Form::Cuboid(size), side * (0.5 * width + 0.5) + Vec3::Z * (0.5 * width), None);
    }
    for k in 0..count {
        let (layer, place) = (k / (wide * wide), k % (wide * wide));
        let grid = Vec3::new((place % wide) as f64, (place / wide) as f64, layer as f64 + 0.5);
        let corner = Vec3::new(0.5 - 0.5 * wide as f64, 0.5 - 0.5 * wide as f64, 0.5);
        let shape = form(&mut random);
        let body = scene.add(shape, (grid + corner) * SPACING + random.vector() * 0.04, Some(50.0));
        scene.bodies[body].frame.orientation = Quat::from_scaled_axis(random.direction() * 2.0);
    }
    scene
}

/// Boxes that turn and drift apart and never meet, without gravity.
fn free(count: usize) -> Scene {
    let mut scene = Scene::new(&format!("{count} free bodies"), Question::Nothing);
    (scene.gravity, scene.moving, scene.settled, scene.steps) = (0.0, 20, 20, 60);
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let wide = (count as f64).cbrt().ceil() as usize;
    for k in 0..count {
        let cell = Vec3::new((k % wide) as f64, (k / wide % wide) as f64, (k / wide / wide) as f64);
        let place = (cell - Vec3::splat(0.5 * wide as f64)) * 3.0;
        let body = scene.add(Form::Cuboid(Vec3::new(0.3, 0.5, 0.7)), place, Some(10.0));
        scene.bodies[body].velocity = place * 0.02;
        scene.bodies[body].angular_velocity = random.vector() * 2.0;
    }
    scene
}

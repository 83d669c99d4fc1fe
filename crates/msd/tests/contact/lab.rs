//! Helpers for tests of contact in a world: boxes and balls on a floor, and checks of a step.

use msd::environment::{BodyDescription, StepReport, World};
use msd::math::{Coordinate, Quat, Vec3, scalar};
use msd::physics::rigid_body::shape::{ConvexHull, Cuboid, HalfSpace, Shape, Sphere};
use msd::physics::rigid_body::{BodyHandle, InertialState, Material};

pub(crate) const G: f64 = 9.81;

pub(crate) fn surface(friction: f64, restitution: f64) -> Material {
    Material { friction, restitution, ..Material::default() }
}

pub(crate) fn ball(radius: f64) -> Shape {
    Sphere::new(radius).unwrap().into()
}

pub(crate) fn cuboid(x: f64, y: f64, z: f64) -> Shape {
    Cuboid::new(Vec3::new(x, y, z)).unwrap().into()
}

pub(crate) fn cube(side: f64) -> Shape {
    cuboid(side, side, side)
}

pub(crate) fn hull(points: &[Coordinate]) -> Shape {
    ConvexHull::from_points(points).unwrap().into()
}

pub(crate) fn floor() -> Shape {
    HalfSpace::new(Vec3::Z, 0.0).unwrap().into()
}

pub(crate) fn free_space() -> World {
    let mut world = World::new();
    world.set_gravity(Vec3::ZERO).unwrap();
    world
}

pub(crate) fn world_with_floor(material: Material) -> World {
    let mut world = World::new();
    world.add_body(BodyDescription::fixed("floor", floor()).material(material)).unwrap();
    world
}

pub(crate) fn state(world: &World, body: BodyHandle) -> InertialState {
    *world.body(body).unwrap().state
}

pub(crate) fn place(world: &World, body: BodyHandle) -> Vec3 {
    state(world, body).center_of_mass
}

pub(crate) fn places(world: &World, bodies: &[BodyHandle]) -> Vec<Vec3> {
    bodies.iter().map(|body| place(world, *body)).collect()
}

/// The largest distance between where bodies were and are.
pub(crate) fn drift(world: &World, bodies: &[BodyHandle], start: &[Vec3]) -> f64 {
    bodies
        .iter()
        .zip(start)
        .fold(0.0, |worst, (body, was)| scalar::max(worst, (place(world, *body) - *was).length()))
}

/// The fastest point of the bodies, m/s: no point of a body is faster than |v| + |ω| r.
pub(crate) fn fastest(world: &World, bodies: &[BodyHandle]) -> f64 {
    bodies.iter().fold(0.0, |most, body| {
        let view = world.body(*body).unwrap();
        let shape = view.body.shape.as_ref().unwrap();
        let reach =
            |axis: Vec3| shape.support(axis).map_or(0.0, |p| (p - view.body.center_of_mass_local).length());
        let radius = Vec3::AXES.iter().fold(0.0, |r, axis| scalar::max(r, reach(*axis)));
        scalar::max(most, view.state.velocity.length() + view.state.angular_velocity.length() * radius)
    })
}

/// Steps to take for `seconds`.
pub(crate) fn steps(seconds: f64, dt: f64) -> usize {
    (seconds / dt).round() as usize
}

/// One step in which the problem was solved and contact gained no energy beyond `gain` J.
pub(crate) fn sound_step(world: &mut World, dt: f64, gain: f64) -> StepReport {
    let report = world.step(dt).unwrap();
    let at = world.steps();
    assert!(report.contacts.is_certified(), "step {at}: {:?}", report.contacts);
    assert!(report.energy.unexplained <= gain, "step {at}: {:?}", report.energy);
    report
}

/// One step in which the problem was solved and the energy did not rise by more than `gain` J.
pub(crate) fn passive_step(world: &mut World, dt: f64, gain: f64) {
    let before = world.energy().total();
    let report = world.step(dt).unwrap();
    let (at, ledger) = (world.steps(), report.energy);
    assert!(report.contacts.is_certified(), "step {at}: {:?}", report.contacts);
    let risen = world.energy().total() - before - ledger.correction - ledger.work_in;
    assert!(risen <= gain, "step {at}: energy rose by {risen:e} J, {ledger:?}");
}

/// A stack of cubes on the floor, from below.
pub(crate) fn stack(count: usize, side: f64, mass: impl Fn(usize) -> f64) -> (World, Vec<BodyHandle>) {
    let mut world = world_with_floor(Material::default());
    let bodies = (0..count)
        .map(|i| {
            let at = Vec3::Z * (side * (0.5 + i as f64));
            let name = format!("cube {i}");
            world.add_body(BodyDescription::dynamic(&name, cube(side)).mass(mass(i)).position(at)).unwrap()
        })
        .collect();
    (world, bodies)
}

/// The generator of Marsaglia's xorshift: the same numbers everywhere.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// In [0, 1).
    pub(crate) fn unit(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    pub(crate) fn orientation(&mut self) -> Quat {
        loop {
            let mut part = || self.between(-1.0, 1.0);
            let q = Quat::from_xyzw(part(), part(), part(), part());
            if (0.01..1.0).contains(&q.length_squared()) {
                return q.normalize();
            }
        }
    }
}

//! A character that walks: a kinematic capsule moved by shape casts, pushing what is light and stopped by what is not.
//!
//! Engines for games have this as a feature; here it is a hundred lines on top of `cast_shape`. Every step the capsule is
//! moved in three parts: up by the height of a step that it can climb, along the ground with up to four slides along walls,
//! and down again to the ground, as long as that is not too steep. Falling is a velocity of its own. The capsule is
//! kinematic: dynamic bodies in its way are pushed by the contact solver with exact contact, and it is never pushed.
//!
//! `cargo run -p msd-sim --example character`

#![allow(
    clippy::disallowed_methods,
    reason = "not part of the engine: its bits need not be equal everywhere"
)]

use msd::physics::collision::distance;
use msd::physics::rigid_body::RigidBody;
use msd::physics::rigid_body::shape::GeometryError;
use msd::prelude::*;

const DT: f64 = 1.0 / 60.0;
/// Kept between the capsule and what it stands on, m.
const SKIN: f64 = 0.01;
const STEP_HEIGHT: f64 = 0.3;
/// Ground whose normal points up by less is a wall: cosine of 50°.
const WALKABLE: f64 = 0.642_787_6;

struct Character {
    body: BodyHandle,
    shape: Shape,
    vertical_speed: f64,
    on_ground: bool,
}

impl Character {
    /// 1.8 m tall, its feet at `place`.
    fn new(world: &mut World, place: Vec3) -> Result<Self, Box<dyn std::error::Error>> {
        let shape: Shape = Capsule::new(0.3, 1.2)?.into();
        let body = BodyDescription::kinematic("character", shape.clone());
        let body = world.add_body(body.position(place + Vec3::Z * (0.9 + SKIN)))?;
        Ok(Self { body, shape, vertical_speed: 0.0, on_ground: true })
    }

    /// How far it can go along `way`, and the normal of what stops it. Only what does not give way stops it.
    fn free_way(&self, world: &World, from: Vec3, way: Vec3) -> (f64, Option<Vec3>) {
        let length = way.length();
        if length == 0.0 {
            return (0.0, None);
        }
        let firm = |view: &BodyView<'_>| view.body.kind != BodyKind::Dynamic;
        let filter = QueryFilter::new().excluding(std::slice::from_ref(&self.body)).predicate(&firm);
        // At 1 m/s, times are distances.
        let motion = Motion::translating(ReferenceFrame::from_position(from), way / length);
        let Some((body, free)) = world.cast_shape(&self.shape, &motion, length + SKIN, &filter) else {
            return (length, None);
        };
        let normal = match (world.body(body), world.frame(body)) {
            (Ok(BodyView { body: RigidBody { shape: Some(other), .. }, .. }), Ok(frame)) => {
                -distance(&self.shape, &motion.frame_at(free), other, &frame).normal
            }
            _ => -way / length,
        };
        ((free - SKIN).clamp(0.0, length), Some(normal))
    }

    /// Whether what lies below the front of the capsule is ground that it can stand on. The capsule itself touches the edge of a
    /// stair with its round end, whose normal there says nothing about the stair.
    fn is_walkable(&self, world: &World, place: Vec3, way: Vec3) -> bool {
        let firm = |view: &BodyView<'_>| view.body.kind != BodyKind::Dynamic;
        let filter = QueryFilter::new().excluding(std::slice::from_ref(&self.body)).predicate(&firm);
        let front = place + way.with_z(0.0).normalize_or_zero() * 0.3;
        let hit = Ray::new(front, -Vec3::Z).and_then(|ray| world.cast_ray(&ray, 1.8, &filter));
        hit.is_none_or(|(_, hit)| hit.normal.z > WALKABLE)
    }

    /// Along the ground, sliding along walls.
    fn slide(&self, world: &World, mut place: Vec3, mut way: Vec3) -> Vec3 {
        for _ in 0..4 {
            let (free, wall) = self.free_way(world, place, way);
            let direction = way.normalize_or_zero();
            place += direction * free;
            let Some(normal) = wall else { break };
            way -= direction * free;
            let across = normal.with_z(0.0).normalize_or_zero();
            way -= across * way.dot(across);
        }
        place
    }

    /// Asks for a horizontal velocity (m/s) and perhaps a jump; call it before each step.
    fn walk(&mut self, world: &mut World, velocity: Vec3, jump: bool) -> Result<(), WorldError> {
        let start = world.frame(self.body)?.position;
        self.vertical_speed =
            if self.on_ground { if jump { 4.0 } else { 0.0 } } else { self.vertical_speed - 9.81 * DT };
        let rising = self.on_ground && jump || self.vertical_speed > 0.0;
        let lift = if self.on_ground && !rising { STEP_HEIGHT } else { 0.0 };
        let (up, _) = self.free_way(world, start, Vec3::Z * (lift + (self.vertical_speed * DT).max(0.0)));
        let mut place = self.slide(world, start + Vec3::Z * up, velocity * DT);
        // Down by the lift, and as far again to stay on stairs that go down.
        let drop = if rising { 0.0 } else { up + lift + (-self.vertical_speed * DT).max(0.0) };
        let (down, ground) = self.free_way(world, place, Vec3::Z * -drop);
        let walkable = self.is_walkable(world, place, velocity);
        self.on_ground = !rising && ground.is_some() && walkable;
        if ground.is_some() && !walkable && lift > 0.0 {
            // What it climbed is too steep: it stays where it was, and slides along the foot of it.
            place = self.slide(world, start, velocity * DT);
            self.on_ground = true;
        } else if ground.is_some() {
            place -= Vec3::Z * down;
        } else {
            // Off an edge: it falls from the height it walked at.
            place -= Vec3::Z * (up + (-self.vertical_speed * DT).max(0.0)).min(drop);
        }
        world.move_kinematic_to(self.body, ReferenceFrame::from_position(place))
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new();
    world.set_dt(DT)?;
    world.add_body(BodyDescription::fixed("ground", HalfSpace::new(Vec3::Z, 0.0)?).friction(0.5))?;
    let block = |name: &str, size: Vec3, place: Vec3| -> Result<BodyDescription, GeometryError> {
        Ok(BodyDescription::fixed(name, Cuboid::new(size)?).position(place))
    };
    // Three stairs of 25 cm, a landing, and a wall that is too high.
    for k in 1..=3 {
        let height = 0.25 * f64::from(k);
        let stair = block(
            &format!("stair {k}"),
            Vec3::new(0.5, 4.0, height),
            Vec3::new(2.0 + 0.5 * f64::from(k), 0.0, 0.5 * height),
        );
        world.add_body(stair?)?;
    }
    world.add_body(block("landing", Vec3::new(2.0, 4.0, 0.75), Vec3::new(4.75, 0.0, 0.375))?)?;
    world.add_body(block("wall", Vec3::new(1.0, 4.0, 2.0), Vec3::new(6.25, 0.0, 1.0))?)?;
    let crate_ = BodyDescription::dynamic("crate", Cuboid::new(Vec3::splat(0.5))?).mass(10.0).friction(0.3);
    let crate_ = world.add_body(crate_.position(Vec3::new(1.0, -4.0, 0.25)))?;
    let mut character = Character::new(&mut world, Vec3::ZERO)?;

    // East, up the stairs and against the wall.
    for _ in 0..300 {
        character.walk(&mut world, Vec3::X * 1.5, false)?;
        world.step(DT)?;
    }
    let place = world.frame(character.body)?.position;
    println!("against the wall at {:.3} m, feet at {:.3} m", place.x, place.z - 0.9);
    assert!((place.x - (5.75 - 0.3 - SKIN)).abs() < 2e-3, "{place}");
    assert!((place.z - 0.9 - SKIN - 0.75).abs() < 2e-3 && character.on_ground, "{place}");

    // A jump: up by v²/2g, and back on the landing.
    let mut highest = 0.0_f64;
    for k in 0..90 {
        character.walk(&mut world, Vec3::ZERO, k == 0)?;
        world.step(DT)?;
        highest = highest.max(world.frame(character.body)?.position.z - place.z);
    }
    println!("jumped {highest:.3} m high");
    assert!((highest - 4.0 * 4.0 / (2.0 * 9.81)).abs() < 0.05 && character.on_ground, "{highest}");

    // West off the stairs, south, and with the crate in front of it.
    for (way, steps) in [(Vec3::X * -1.5, 260), (Vec3::Y * -1.5, 160), (Vec3::X * 1.5, 160)] {
        for _ in 0..steps {
            character.walk(&mut world, way, false)?;
            let report = world.step(DT)?;
            assert!(report.certificate.is_certified());
        }
    }
    let (place, pushed) = (world.frame(character.body)?.position, world.frame(crate_)?.position);
    println!("on the ground at ({:.2}, {:.2}), crate pushed to x = {:.2} m", place.x, place.y, pushed.x);
    assert!((place.z - 0.9 - SKIN).abs() < 2e-3, "{place}");
    assert!(pushed.x - place.x > 0.5 && pushed.x > 1.5, "{pushed} {place}");
    Ok(())
}

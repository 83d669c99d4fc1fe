//! Boxes in a drum of planks that turns: a compound whose parts overlap, so that all its inner corners are seams.
//!
//! Inside, a drum of N planks is the prism `x · n_k ≤ R`, k = 0 … N-1, so how deep a corner of a box is in the wall is
//! `max_k x · n_k - R`, whatever parts the wall is made of.

use std::f64::consts::TAU;

use msd::environment::{BodyDescription, ContactSettings, ContactTier, World};
use msd::math::{Quat, ReferenceFrame, Vec3, orientation};
use msd::physics::rigid_body::BodyHandle;
use msd::physics::rigid_body::shape::{Compound, CompoundPart, Cuboid, Shape};

const RADIUS: f64 = 6.0;
const LENGTH: f64 = 2.0;
const THICKNESS: f64 = 1.0;
const PLANKS: usize = 24;
const SPIN: f64 = 0.7;
const BOX: f64 = 0.3;
/// How far below the axis the lowest boxes start, m.
const BELOW: f64 = 5.35;
const DT: f64 = 1.0 / 60.0;

fn cuboid(size: Vec3) -> Shape {
    Cuboid::new(size).unwrap().into()
}

fn turned(k: usize) -> Quat {
    orientation::from_rotation_vector(Vec3::Y * (TAU / PLANKS as f64 * k as f64))
}

/// Planks as wide as the outside of the drum, so that inside each reaches into its neighbours, and two ends.
fn drum() -> Shape {
    let wide = 2.0 * (RADIUS + THICKNESS) * (0.5 * TAU / PLANKS as f64).tan();
    let plank = |k| CompoundPart {
        frame: ReferenceFrame::new(turned(k) * Vec3::X * (RADIUS + 0.5 * THICKNESS), turned(k)),
        shape: cuboid(Vec3::new(THICKNESS, LENGTH, wide)),
    };
    let across = 2.0 * (RADIUS + THICKNESS);
    let end = |side: f64| CompoundPart {
        frame: ReferenceFrame::from_position(Vec3::Y * side * 0.5 * (LENGTH + THICKNESS)),
        shape: cuboid(Vec3::new(across, THICKNESS, across)),
    };
    Compound::new((0..PLANKS).map(plank).chain([end(-1.0), end(1.0)]).collect()).unwrap().into()
}

struct Drum {
    world: World,
    drum: BodyHandle,
    boxes: Vec<BodyHandle>,
}

impl Drum {
    fn new(tier: ContactTier, columns: usize, layers: usize) -> Self {
        let mut world = World::new();
        world.set_contact_settings(ContactSettings::with_tier(tier)).unwrap();
        let described = BodyDescription::kinematic("drum", drum()).angular_velocity(Vec3::Y * SPIN);
        let drum = world.add_body(described).unwrap();
        let mut boxes = Vec::new();
        for k in 0..3 * columns * layers {
            let (x, y) = ((k % columns) as f64 - 0.5 * (columns - 1) as f64, (k / columns % 3) as f64 - 1.0);
            let place = Vec3::new(0.55 * x, 0.6 * y, -BELOW + 0.55 * (k / (3 * columns)) as f64);
            // Turned by angles that have nothing to do with each other.
            let turn = Vec3::new((k as f64).sin(), (2.3 * k as f64).sin(), (5.1 * k as f64).sin());
            let described = BodyDescription::dynamic(&format!("box {k}"), cuboid(Vec3::splat(BOX)))
                .mass(20.0)
                .position(place)
                .orientation(orientation::from_rotation_vector(turn));
            boxes.push(world.add_body(described).unwrap());
        }
        Self { world, drum, boxes }
    }

    /// How deep the deepest corner of a box is in the wall, m.
    fn depth(&self, handle: BodyHandle) -> f64 {
        let (drum, frame) = (self.world.frame(self.drum).unwrap(), self.world.frame(handle).unwrap());
        let mut depth = f64::NEG_INFINITY;
        for corner in 0..8 {
            let side = |bit: usize| if corner >> bit & 1 == 0 { -0.5 * BOX } else { 0.5 * BOX };
            let local = Vec3::new(side(0), side(1), side(2));
            let place = drum.point_to_local(frame.point_to_parent(local));
            depth = depth.max(place.y.abs() - 0.5 * LENGTH);
            for k in 0..PLANKS {
                depth = depth.max(place.dot(turned(k) * Vec3::X) - RADIUS);
            }
        }
        depth
    }
}

/// Turns the drum for 2 s; returns the greatest depth after a step and the greatest speed of a box.
fn turn(drum: &mut Drum) -> (f64, f64) {
    let (mut depth, mut speed): (f64, f64) = (0.0, 0.0);
    for _ in 0..120 {
        drum.world.step(DT).unwrap();
        for &handle in &drum.boxes {
            depth = depth.max(drum.depth(handle));
            speed = speed.max(drum.world.body(handle).unwrap().state.velocity.length());
        }
    }
    (depth, speed)
}

/// Impacts without restitution give a box no more than the speed of the wall where it is fastest, on top of what it has: its
/// speed of falling from the height it starts at to the bottom.
fn fastest() -> f64 {
    SPIN * RADIUS / (0.5 * TAU / PLANKS as f64).cos() + (2.0 * 9.81 * (RADIUS - BELOW)).sqrt()
}

#[test]
fn boxes_in_a_turning_drum_stay_out_of_its_planks() {
    let mut drum = Drum::new(ContactTier::Exact, 8, 1);
    let (depth, speed) = turn(&mut drum);
    assert!(depth < 1e-3, "{depth} m deep in the wall");
    assert!(speed < fastest(), "{speed} m/s");
    let energy = drum.world.energy();
    assert!(energy.error().abs() < 1e-4 * energy.dissipated, "{energy:?}");
}

#[test]
fn the_fast_tier_keeps_them_in_as_well() {
    let mut drum = Drum::new(ContactTier::Fast, 8, 1);
    let (depth, speed) = turn(&mut drum);
    assert!(depth < 0.01, "{depth} m deep in the wall");
    assert!(speed < fastest(), "{speed} m/s");
}

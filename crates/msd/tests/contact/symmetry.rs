//! Contact is invariant: order of bodies, left and right, snapshots and copies do not matter.

use super::lab::{ball, cube, cuboid, state, surface, world_with_floor};
use msd::environment::{BodyDescription, World};
use msd::math::{Quat, Vec3};
use msd::physics::rigid_body::Material;
use msd::physics::rigid_body::shape::{ConvexHull, Shape};

const SIXTIETH: f64 = 1.0 / 60.0;

/// Balls that fall on each other, bounce, slide and roll; added in this order.
fn balls(order: &[usize], left_is_right: bool) -> World {
    let mirror = |v: Vec3| if left_is_right { Vec3::new(v.x, -v.y, v.z) } else { v };
    let axial = |v: Vec3| if left_is_right { Vec3::new(-v.x, v.y, -v.z) } else { v };
    let material = surface(0.3, 0.4);
    let mut world = world_with_floor(material);
    for &i in order {
        let k = i as f64;
        let at = Vec3::new(0.45 * k, 0.1 * k * (2.0 - k), 0.3 + 0.35 * (k * 3.0 % 5.0));
        let body = BodyDescription::dynamic(&format!("body {i}"), ball(0.25 + 0.02 * k))
            .position(mirror(at))
            .velocity(mirror(Vec3::new(1.5 - k, 0.3 * k - 0.5, 0.0)))
            .angular_velocity(axial(Vec3::new(1.0, 2.0 - k, 3.0)));
        world.add_body(body.mass(1.0 + k).material(material)).unwrap();
    }
    world
}

/// Boxes and balls that fall on each other, bounce, slide and roll; added in this order.
fn heap(order: &[usize], left_is_right: bool) -> World {
    let mirror = |v: Vec3| if left_is_right { Vec3::new(v.x, -v.y, v.z) } else { v };
    // Axial vectors keep what is along the mirrored axis and lose the sign of the rest.
    let axial = |v: Vec3| if left_is_right { Vec3::new(-v.x, v.y, -v.z) } else { v };
    let turned = |axis: Vec3, angle: f64| Quat::from_scaled_axis(axial(axis * angle));
    let material = surface(0.3, 0.4);
    let mut world = world_with_floor(material);
    for &i in order {
        let name = format!("body {i}");
        let body = match i {
            0 => BodyDescription::dynamic(&name, cuboid(1.0, 0.8, 0.6))
                .position(mirror(Vec3::new(0.0, 0.1, 0.3))),
            1 => BodyDescription::dynamic(&name, cube(0.5))
                .position(mirror(Vec3::new(0.1, -0.2, 1.1)))
                .orientation(turned(Vec3::new(1.0, 0.5, 0.2), 0.4)),
            2 => BodyDescription::dynamic(&name, ball(0.25))
                .position(mirror(Vec3::new(-0.2, 0.3, 1.7)))
                .velocity(mirror(Vec3::new(0.3, -0.2, 0.0))),
            3 => BodyDescription::dynamic(&name, ball(0.3))
                .position(mirror(Vec3::new(3.0, 0.0, 0.3)))
                .velocity(mirror(Vec3::new(-2.0, 0.4, 0.0)))
                .angular_velocity(axial(Vec3::new(0.0, 1.0, 3.0))),
            _ => BodyDescription::dynamic(&name, cuboid(0.4, 0.6, 0.2))
                .position(mirror(Vec3::new(-3.0, 0.5, 0.1)))
                .velocity(mirror(Vec3::new(3.0, -0.5, 0.0)))
                .angular_velocity(axial(Vec3::new(0.0, 0.0, 1.5))),
        };
        world.add_body(body.mass(1.0 + i as f64).material(material)).unwrap();
    }
    world
}

/// Velocities are certified to 1e-8 m/s, and a mirror image is solved to other rounding: over the 0.3 to 1 s of these scenes
/// positions can agree to no better than what that adds up to, m.
const ROUND_OFF: f64 = 1e-9;

/// Boxes that land on each other and tumble amplify it: dozens of impacts a second.
const TUMBLING: f64 = 1e-7;

const FORWARD: [usize; 5] = [0, 1, 2, 3, 4];

type Scene = fn(&[usize], bool) -> World;

/// Runs the scene with its bodies added in other orders.
fn order_does_not_matter(scene: Scene) {
    for order in [[4, 3, 2, 1, 0], [2, 0, 4, 1, 3]] {
        let (mut reference, mut other) = (scene(&FORWARD, false), scene(&order, false));
        for _ in 0..60 {
            reference.step(0.005).unwrap();
            other.step(0.005).unwrap();
        }
        for i in FORWARD {
            let name = format!("body {i}");
            let (a, b) = (reference.find(&name).unwrap(), other.find(&name).unwrap());
            let off = (state(&reference, a).center_of_mass - state(&other, b).center_of_mass).length();
            assert!(off < ROUND_OFF, "{name} in order {order:?}: {off:e} m");
        }
    }
}

/// Runs the scene and its mirror image.
fn left_and_right_do_not_matter(scene: Scene, bound: f64) {
    let (mut scene, mut mirrored) = (scene(&FORWARD, false), scene(&FORWARD, true));
    for _ in 0..60 {
        scene.step(0.005).unwrap();
        mirrored.step(0.005).unwrap();
        for i in FORWARD {
            let name = format!("body {i}");
            let (a, b) = (scene.find(&name).unwrap(), mirrored.find(&name).unwrap());
            let (a, b) = (state(&scene, a), state(&mirrored, b));
            let place = Vec3::new(b.center_of_mass.x, -b.center_of_mass.y, b.center_of_mass.z);
            let off = (a.center_of_mass - place).length();
            assert!(off < bound, "{name} at {} s: {off:e} m", scene.time());
        }
    }
}

#[test]
fn the_order_of_balls_changes_nothing_but_round_off() {
    order_does_not_matter(balls);
}

#[test]
fn mirrored_balls_move_as_in_a_mirror() {
    left_and_right_do_not_matter(balls, ROUND_OFF);
}

#[test]
fn the_order_of_boxes_changes_nothing_but_round_off() {
    order_does_not_matter(heap);
}

#[test]
fn mirrored_boxes_move_as_in_a_mirror() {
    left_and_right_do_not_matter(heap, TUMBLING);
}

#[test]
fn a_symmetric_scene_stays_symmetric() {
    let mut world = world_with_floor(surface(0.4, 0.3));
    let sides = [-1.0, 1.0].map(|side| {
        let body = BodyDescription::dynamic(&format!("side {side}"), cube(0.5))
            .mass(1.0)
            .position(Vec3::new(side * 0.6, 0.0, 0.8))
            .orientation(Quat::from_rotation_y(side * 0.5))
            .velocity(Vec3::X * (-side));
        world.add_body(body.material(surface(0.4, 0.3))).unwrap()
    });
    // They meet edge along edge, with faces that are nearly parallel, too: whose face has the normal must not be chosen by round-off.
    for step in 0..200 {
        world.step(0.005).unwrap();
        let [a, b] = sides.map(|body| state(&world, body));
        let back = Vec3::new(-b.center_of_mass.x, b.center_of_mass.y, b.center_of_mass.z);
        let off = (a.center_of_mass - back).length();
        // While both slide to rest on their faces, friction that is shared by four points of each is not unique.
        let bound = if step < 112 { ROUND_OFF } else { 1e-5 };
        assert!(off < bound, "{off:e} m at {} s", world.time());
    }
}

/// A brick of that length, as a box or as a hull.
fn brick(length: f64, as_hull: bool) -> Shape {
    let size = Vec3::new(1.0, 0.6, 0.8) * length;
    if !as_hull {
        return cuboid(size.x, size.y, size.z);
    }
    let sign = |k: usize, bit: usize| if k & bit == 0 { -0.5 } else { 0.5 };
    let corners: Vec<Vec3> = (0..8).map(|k| Vec3::new(sign(k, 1), sign(k, 2), sign(k, 4)) * size).collect();
    Shape::Hull(ConvexHull::from_points(&corners).unwrap().into())
}

/// Two bricks, mirror images of each other, meet edge along edge in the plane between them, turned as a whole by `turn`. Returns how far
/// their velocities afterwards are from mirror images, relative to their speed.
fn asymmetry_of_edges(length: f64, as_hull: bool, angle: f64, dt: f64, turn: Quat) -> f64 {
    let mut world = World::new();
    world.set_gravity(Vec3::ZERO).unwrap();
    let (speed, spin) = (2.0 * length, 1.5);
    // Where the bricks stand when they meet, from the plane.
    let reach = 0.5 * length * (angle.cos().abs() + 0.8 * angle.sin().abs());
    let until = 3.4 * dt;
    let sides = [-1.0, 1.0].map(|side| {
        let start = angle - spin * until;
        let body = BodyDescription::dynamic(&format!("side {side}"), brick(length, as_hull))
            .mass(1.0)
            .position(turn * (Vec3::X * (side * (reach + speed * until))))
            .orientation(turn * Quat::from_rotation_y(side * start))
            .velocity(turn * (Vec3::X * (-side * speed)))
            .angular_velocity(turn * (Vec3::Y * (side * spin)));
        world.add_body(body.material(surface(0.4, 0.3))).unwrap()
    });
    let mut struck = false;
    for _ in 0..6 {
        let report = world.step(dt).unwrap();
        struck |= report.contacts.impacts > 0;
        assert!(report.certificate.is_certified(), "{:?}", report.certificate.failure());
    }
    assert!(struck, "{length} {angle} {dt}: they do not meet");
    let [a, b] = sides.map(|body| turn.conjugate() * state(&world, body).velocity);
    (a - Vec3::new(-b.x, b.y, b.z)).length() / speed
}

/// Every direction between the faces is a normal where edges meet along each other; that of the bodies set apart is no matter of round-off.
#[test]
fn edges_that_meet_along_each_other_part_as_in_a_mirror() {
    let turns = [Quat::IDENTITY, Quat::from_scaled_axis(Vec3::new(0.4, -1.2, 0.7))];
    for turn in turns {
        for (length, dt) in [(0.01, 1e-3), (0.5, 5e-3), (30.0, SIXTIETH)] {
            for angle in [0.04, 0.3, 0.8, 1.3] {
                for as_hull in [false, true] {
                    let off = asymmetry_of_edges(length, as_hull, angle, dt, turn);
                    assert!(off < 1e-9, "{length} m, {angle} rad, {dt} s, hull {as_hull}: {off:e}");
                }
            }
        }
    }
}

/// Hashes of the next `steps` steps.
fn course(world: &mut World, steps: usize) -> Vec<String> {
    (0..steps)
        .map(|_| {
            world.step(SIXTIETH).unwrap();
            world.state_hash().to_string()
        })
        .collect()
}

fn is_taken_up(build: &dyn Fn() -> World, at: usize) {
    let mut world = build();
    for _ in 0..at {
        world.step(SIXTIETH).unwrap();
    }
    let (snapshot, mut copy) = (world.snapshot(), world.clone());
    let expected = course(&mut world, 500);
    let mut restored = build();
    restored.restore(&snapshot).unwrap();
    for (name, other) in [("restored", &mut restored), ("copied", &mut copy)] {
        let hashes = course(other, 500);
        let differs = expected.iter().zip(&hashes).position(|(a, b)| a != b);
        assert_eq!(differs, None, "{name} at step {at}: first step that differs");
    }
    // The world that went on can be taken back as well.
    world.restore(&snapshot).unwrap();
    assert_eq!(course(&mut world, 20), expected[..20]);
}

#[test]
fn a_snapshot_in_the_middle_of_a_heap_is_taken_up_bit_for_bit() {
    for at in [1, 13, 20, 37, 90] {
        is_taken_up(&|| heap(&FORWARD, false), at);
    }
}

#[test]
fn a_snapshot_of_a_sliding_stack_is_taken_up_bit_for_bit() {
    let build = || {
        let mut world = world_with_floor(Material::default());
        for i in 0..4 {
            let body = BodyDescription::dynamic(&format!("cube {i}"), cube(1.0)).mass(1.0);
            let at = Vec3::new(0.1 * f64::from(i % 2), 0.0, 0.5 + f64::from(i));
            world.add_body(body.position(at).velocity(Vec3::new(4.0, 1.0, 0.0))).unwrap();
        }
        world
    };
    for at in [0, 1, 2, 30, 47] {
        is_taken_up(&build, at);
    }
}

#[test]
fn a_snapshot_of_bouncing_and_rolling_balls_is_taken_up_bit_for_bit() {
    let build = || {
        let rubber = surface(0.6, 0.8);
        let mut world = world_with_floor(rubber);
        for i in 0..6 {
            let at = Vec3::new(0.9 * f64::from(i), 0.05 * f64::from(i % 3), 0.4 + 0.7 * f64::from(i % 4));
            let body = BodyDescription::dynamic(&format!("ball {i}"), ball(0.4)).mass(1.0).position(at);
            let body = body.velocity(Vec3::X * (2.0 - f64::from(i))).angular_velocity(Vec3::Y * 3.0);
            world.add_body(body.material(rubber)).unwrap();
        }
        world
    };
    for at in [1, 17, 33, 64] {
        is_taken_up(&build, at);
    }
}

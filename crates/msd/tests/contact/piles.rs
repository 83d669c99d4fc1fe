//! Piles: poured bodies come to rest, and stay at rest.

use super::lab::{
    G, Random, cube, cuboid, drift, fastest, places, sound_step, steps, surface, world_with_floor,
};
use msd::environment::{BodyDescription, World};
use msd::math::Vec3;
use msd::physics::rigid_body::BodyHandle;

const SIXTIETH: f64 = 1.0 / 60.0;

/// Cubes of half a metre and 125 kg, four a layer and turned anyhow, above a well 1.5 m wide.
fn poured(count: usize) -> (World, Vec<BodyHandle>) {
    let rough = surface(0.5, 0.0);
    let mut world = world_with_floor(rough);
    for (name, size, at) in [
        ("east", cuboid(1.0, 3.5, 10.0), Vec3::new(1.25, 0.0, 5.0)),
        ("west", cuboid(1.0, 3.5, 10.0), Vec3::new(-1.25, 0.0, 5.0)),
        ("north", cuboid(3.5, 1.0, 10.0), Vec3::new(0.0, 1.25, 5.0)),
        ("south", cuboid(3.5, 1.0, 10.0), Vec3::new(0.0, -1.25, 5.0)),
    ] {
        world.add_body(BodyDescription::fixed(name, size).position(at).material(rough)).unwrap();
    }
    let mut random = Random(0x5eed);
    let cubes = (0..count)
        .map(|i| {
            let across = |side: bool| if side { 0.35 } else { -0.35 };
            let near = Vec3::new(across(i % 2 == 0), across(i / 2 % 2 == 0), 0.6 + 0.9 * (i / 4) as f64);
            let at = near + Vec3::new(random.between(-0.02, 0.02), random.between(-0.02, 0.02), 0.0);
            let body = BodyDescription::dynamic(&format!("cube {i}"), cube(0.5)).mass(125.0).position(at);
            world.add_body(body.orientation(random.orientation()).material(rough)).unwrap()
        })
        .collect();
    (world, cubes)
}

#[test]
fn poured_cubes_come_to_rest_and_stay() {
    let (mut world, cubes) = poured(16);
    let start = world.energy().total();
    let (mut certified, mut lifted) = (0, 0.0);
    for _ in 0..steps(3.5, SIXTIETH) {
        let report = world.step(SIXTIETH).unwrap();
        if world.time() > 1.0 {
            lifted += report.energy.correction;
        }
        certified += usize::from(report.contacts.is_certified());
        assert!(report.energy.unexplained <= 1e-12 * start, "{:?}", report.energy);
    }
    // A cube that nothing holds for a step falls by ½ g dt², and to push it out again takes m g times that, 1.67 J. In the time in
    // which they settle all of them together are lifted by less than that once.
    let fallen = 125.0 * G * 0.5 * G * SIXTIETH * SIXTIETH;
    assert!(lifted < fallen, "{lifted} J, {fallen} J for one that falls for one step");
    assert!(certified > 150, "{certified} of 210 steps certified");
    let rest = places(&world, &cubes);
    for _ in 0..steps(1.0, SIXTIETH) {
        sound_step(&mut world, SIXTIETH, 1e-12 * start);
        let speed = fastest(&world, &cubes);
        assert!(speed < 1e-9, "{speed:e} m/s at {} s", world.time());
    }
    assert!(drift(&world, &cubes, &rest) < 1e-9, "{:e}", drift(&world, &cubes, &rest));
}

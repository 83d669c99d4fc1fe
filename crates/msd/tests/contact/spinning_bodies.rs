//! Bodies that turn by many turns within a step pass through nothing, and a step whose paths are not known is not certified.

use msd::environment::{BodyDescription, ContactSettings, ContactTier, StepReport, World};
use msd::math::{Quat, ReferenceFrame, Vec3, scalar};
use msd::physics::rigid_body::shape::{
    Capsule, Compound, CompoundPart, Cone, ConvexHull, Cuboid, Cylinder, Shape,
};
use msd::physics::rigid_body::{BodyHandle, Material};

/// A thin plate through the origin, and a rod above it that falls and spins.
fn rod_over_plate(turn: Quat, rod: Shape, spin: Vec3, height: f64) -> (World, BodyHandle) {
    let mut world = World::new();
    let plate: Shape = Cuboid::new(Vec3::new(2.0, 2.0, 0.001)).unwrap().into();
    world.add_body(BodyDescription::fixed("plate", plate).orientation(turn)).unwrap();
    let rod = BodyDescription::dynamic("rod", rod).mass(0.3).position(Vec3::new(0.05, 0.02, height));
    let rod = world.add_body(rod.angular_velocity(spin)).unwrap();
    (world, rod)
}

/// Which side of the plate a body is on that is not beyond its rim: 1 above, -1 below, 0 if it is.
fn side(world: &World, body: BodyHandle, turn: Quat) -> f64 {
    let at = turn.conjugate() * world.body(body).unwrap().state.center_of_mass;
    if at.x.abs() > 0.8 || at.y.abs() > 0.8 { 0.0 } else { at.z.signum() }
}

/// Steps until the rod leaves the plate over its rim; it must not do so through the plate.
fn stays_above(world: &mut World, rod: BodyHandle, turn: Quat, dt: f64, what: &str) -> Vec<StepReport> {
    let mut reports = Vec::new();
    for step in 0..(1.0 / dt) as usize {
        reports.push(world.step(dt).unwrap());
        match side(world, rod, turn) {
            0.0 => break,
            above => assert!(above > 0.0, "{what}: below the plate after step {step} of {dt} s"),
        }
    }
    reports
}

#[test]
fn a_rod_that_spins_by_many_turns_a_step_does_not_pass_a_thin_plate() {
    let turn = Quat::from_axis_angle(Vec3::new(1.0, 0.3, 0.2).normalize(), 20f64.to_radians());
    let rod: Shape = Cylinder::new(0.002, 0.6).unwrap().into();
    for dt in [0.002, 0.02, 0.05, 0.1, 0.2] {
        // From 0.3 m the end of the rod is in the plate at the start.
        for height in [0.3, 0.31, 0.5] {
            let (mut world, body) = rod_over_plate(turn, rod.clone(), Vec3::Y * 90.0, height);
            let reports = stays_above(&mut world, body, turn, dt, "rod");
            for (number, report) in reports.iter().enumerate() {
                let certificate = &report.certificate;
                assert!(!certificate.may_have_crossed(), "{dt} s from {height} m: {certificate:?}");
                let reported = height == 0.3 && number == 0;
                assert!(reported || certificate.is_certified(), "{dt} s: {:?}", certificate.failure());
            }
            let most = reports.iter().map(|report| report.parts).max().unwrap();
            assert!(most > 1 || dt < 0.02, "the rod meets the plate within {dt} s");
        }
    }
}

/// A pseudo-random number from 0 to 1: the next of SplitMix64.
fn random(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut x = *seed;
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (x ^ (x >> 31)) as f64 / u64::MAX as f64
}

fn between(seed: &mut u64, low: f64, high: f64) -> f64 {
    low + (high - low) * random(seed)
}

fn direction(seed: &mut u64) -> Vec3 {
    let vector = Vec3::new(random(seed) - 0.5, random(seed) - 0.5, random(seed) - 0.5);
    vector.try_normalize().unwrap_or(Vec3::X)
}

/// A shape of about that length, mostly slender.
fn slender(seed: &mut u64, length: f64) -> Shape {
    let thin = length * between(seed, 0.005, 0.5);
    match (6.0 * random(seed)) as usize {
        0 => Cuboid::new(Vec3::new(thin, between(seed, thin, length), length)).unwrap().into(),
        1 => Capsule::new(0.5 * thin, length).unwrap().into(),
        2 => Cylinder::new(0.5 * thin, length).unwrap().into(),
        3 => Cone::new(0.5 * thin, length).unwrap().into(),
        4 => {
            let corner = |k: usize, seed: &mut u64| {
                let sign = |bit: usize| if k & bit == 0 { -0.5 } else { 0.5 };
                let blur = Vec3::new(random(seed), random(seed), random(seed)) * 0.3;
                (Vec3::new(sign(1), sign(2), sign(4)) + blur) * Vec3::new(thin, thin, length)
            };
            let corners: Vec<Vec3> = (0..8).map(|k| corner(k, seed)).collect();
            Shape::Hull(ConvexHull::from_points(&corners).unwrap().into())
        }
        _ => {
            let bar = |size: Vec3| Shape::from(Cuboid::new(size).unwrap());
            let arm = 0.5 * length;
            let parts = [
                (bar(Vec3::new(thin, thin, length)), Vec3::ZERO),
                (bar(Vec3::new(arm, thin, thin)), Vec3::new(0.5 * arm, 0.0, 0.5 * length)),
            ];
            let parts = parts.map(|(shape, position)| CompoundPart {
                shape,
                frame: ReferenceFrame { position, ..ReferenceFrame::default() },
            });
            Shape::Compound(Compound::new(parts.into()).unwrap().into())
        }
    }
}

/// Result for a body in a cage of six thin walls.
struct Caged {
    escaped: bool,
    certified: bool,
    steps: usize,
    parts: u32,
}

/// A body of random shape that turns by up to 20 rad a step and goes up to the width of the cage, in a cage with thin walls.
fn caged(case: u64) -> Caged {
    let mut seed = case.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ 0x1234_5678;
    let seed = &mut seed;
    let (dt, wall) = (scalar::exp(between(seed, -7.0, -1.6)), scalar::exp(between(seed, -7.0, -3.0)));
    let mut world = World::new();
    world.set_gravity(direction(seed) * between(seed, 0.0, 20.0)).unwrap();
    if random(seed) < 0.3 {
        let settings = ContactSettings { tier: ContactTier::Fast, ..world.contact_settings().clone() };
        world.set_contact_settings(settings).unwrap();
    }
    let material = Material {
        friction: between(seed, 0.0, 1.0),
        restitution: if random(seed) < 0.5 { 0.0 } else { random(seed) },
        ..Material::default()
    };
    let turn = Quat::from_scaled_axis(direction(seed) * 3.0 * random(seed));
    for (k, axis) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().enumerate() {
        for sign in [-1.0, 1.0] {
            let mut size = Vec3::splat(1.2);
            size[k] = wall;
            let plate = BodyDescription::fixed(&format!("wall {k} {sign}"), Cuboid::new(size).unwrap());
            let position = turn * (axis * (sign * 0.5 * (1.0 + wall)));
            world.add_body(plate.position(position).orientation(turn).material(material)).unwrap();
        }
    }
    let length = between(seed, 0.05, 0.7);
    let body = BodyDescription::dynamic("body", slender(seed, length)).density(1000.0).material(material);
    let body = body
        .orientation(Quat::from_scaled_axis(direction(seed) * 3.0))
        .velocity(direction(seed) * random(seed) / dt);
    let body =
        world.add_body(body.angular_velocity(direction(seed) * (between(seed, 0.0, 20.0) / dt))).unwrap();
    let mut outcome = Caged { escaped: false, certified: true, steps: 0, parts: 0 };
    for _ in 0..12 {
        let Ok(report) = world.step(dt) else { break };
        outcome.certified &= report.certificate.is_certified();
        outcome.steps += 1;
        outcome.parts += report.parts;
        let at = turn.conjugate() * world.body(body).unwrap().state.center_of_mass;
        outcome.escaped |= at.abs().max_element() > 0.5;
    }
    outcome
}

fn cages(cases: std::ops::Range<u64>) {
    let (mut escaped, mut certified, mut steps, mut parts) = (Vec::new(), 0, 0, 0);
    let count = cases.end - cases.start;
    for case in cases {
        let outcome = caged(case);
        assert!(!(outcome.escaped && outcome.certified), "case {case} escaped in silence");
        if outcome.escaped {
            escaped.push(case);
        }
        certified += usize::from(outcome.certified);
        (steps, parts) = (steps + outcome.steps, parts + outcome.parts);
    }
    println!(
        "{count} cages: {certified} certified, {steps} steps in {parts} parts, {} escaped",
        escaped.len()
    );
    assert!(escaped.is_empty(), "escaped: {escaped:?}");
}

#[test]
fn a_body_that_turns_by_up_to_20_rad_a_step_stays_in_its_cage() {
    cages(0..150);
}

#[test]
#[ignore = "takes long: MSD_CASES cages"]
fn many_bodies_stay_in_their_cages() {
    let number =
        |name: &str, usual: u64| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual);
    let first = number("MSD_SEED", 1000);
    cages(first..first + number("MSD_CASES", 10_000));
}

//! Cylinders, capsules and cones that lie along something have contacts at both ends, however they are turned and however
//! little they are out of line.

#![allow(clippy::unwrap_used, reason = "a test that cannot build its scene has failed")]

use msd::math::orientation::from_rotation_vector;
use msd::math::{Quat, ReferenceFrame, Vec3, scalar};
use msd::physics::collision::{ContactManifold, ManifoldCache, distance};
use msd::physics::rigid_body::shape::{Capsule, Cone, Cuboid, Cylinder, HalfSpace, Shape};

struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.between(-1.0, 1.0), self.between(-1.0, 1.0), self.between(-1.0, 1.0))
    }
}

/// How far apart the points of all manifolds are along `axis` (unit, world), m.
fn span(found: &[ContactManifold], axis: Vec3) -> f64 {
    let along = |m: &ContactManifold| m.points().iter().map(|p| axis.dot(p.on_b)).collect::<Vec<_>>();
    let all: Vec<f64> = found.iter().flat_map(along).collect();
    let ends = all
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (scalar::min(l, *x), scalar::max(h, *x)));
    ends.1 - ends.0
}

/// A round body along z, its name, and the radius at its ends: it rests along a line of its surface.
fn round(random: &mut Random, kind: usize) -> (Shape, f64, f64) {
    let (radius, length) = (random.between(0.05, 0.5), random.between(0.3, 2.0));
    match kind {
        0 => (Cylinder::new(radius, length).unwrap().into(), radius, length),
        _ => (Capsule::new(radius, length).unwrap().into(), radius, length),
    }
}

/// Two round bodies side by side, out of line by up to `tilt` radians in any direction, in any common pose.
fn side_by_side(seed: u64, tilt: f64) {
    let mut random = Random(seed);
    let (a, radius_a, length_a) = round(&mut random, seed as usize % 2);
    let (b, radius_b, length_b) = round(&mut random, seed as usize / 2 % 2);
    let length = scalar::min(length_a, length_b);
    let turn = from_rotation_vector(random.vector() * 3.0);
    let about = from_rotation_vector(Vec3::Z * random.between(-3.0, 3.0));
    let lean = from_rotation_vector(Vec3::new(random.between(-tilt, tilt), random.between(-tilt, tilt), 0.0));
    // A little overlap, so that both ends are within the margin.
    let margin = 2.0 * tilt * length + 0.01 * scalar::min(radius_a, radius_b);
    let gap = random.between(-1e-6, 1e-6);
    let place = Vec3::new(random.between(-0.1, 0.1), random.between(-0.1, 0.1), random.between(-0.1, 0.1));
    let pose_a = ReferenceFrame::new(place, turn);
    let between = Vec3::X * (radius_a + radius_b + gap) + Vec3::Z * random.between(-0.1, 0.1) * length;
    let pose_b = ReferenceFrame::new(place + turn * (about * between), turn * (lean * about));
    let mut cache = ManifoldCache::default();
    let found: Vec<ContactManifold> =
        cache.update(&a, &pose_a, &b, &pose_b, margin).iter().map(|m| m.manifold).collect();
    let deepest = found.iter().fold(f64::INFINITY, |d, m| scalar::min(d, m.deepest()));
    let nearest = distance(&a, &pose_a, &b, &pose_b).signed;
    assert!(deepest >= nearest - 1e-14, "seed {seed}, tilt {tilt}: {deepest} m, but {nearest} m apart");
    let span = span(&found, turn * Vec3::Z);
    assert!(
        span >= 0.7 * length,
        "seed {seed}, tilt {tilt}: {} and {}, contacts over {span} m of {length} m",
        a.type_name(),
        b.type_name()
    );
}

#[test]
fn round_bodies_side_by_side_touch_at_both_ends() {
    for tilt in [0.0, 1e-9, 1e-7, 1e-5, 1e-4, 1e-3, 5e-3, 2e-2, 5e-2] {
        (0..100).for_each(|seed| side_by_side(seed, tilt));
    }
}

/// A round body that lies on a box or a half-space, leaning by up to `tilt`.
fn lying(seed: u64, tilt: f64) {
    let mut random = Random(seed);
    let kind = seed as usize % 3;
    let (radius, length) = (random.between(0.05, 0.5), random.between(0.3, 2.0));
    // Along x, its lowest line at z = 0; that of a cone is its slant.
    let (body, height, upright): (Shape, f64, Quat) = match kind {
        0 => (Cylinder::new(radius, length).unwrap().into(), radius, Quat::IDENTITY),
        1 => (Capsule::new(radius, length).unwrap().into(), radius, Quat::IDENTITY),
        _ => {
            let slope = scalar::atan2(radius, length);
            let cone = Cone::new(radius, length).unwrap();
            (cone.into(), 0.5 * radius * scalar::cos(slope), from_rotation_vector(Vec3::Y * slope))
        }
    };
    let side = from_rotation_vector(Vec3::Y * std::f64::consts::FRAC_PI_2);
    let floor: Shape = if seed.is_multiple_of(2) {
        HalfSpace::new(Vec3::Z, 0.0).unwrap().into()
    } else {
        Cuboid::new(Vec3::new(6.0, 6.0, 1.0)).unwrap().into()
    };
    let top = if seed.is_multiple_of(2) { 0.0 } else { 0.5 };
    let turn = from_rotation_vector(random.vector() * 3.0);
    let roll = from_rotation_vector(Vec3::Z * random.between(-3.0, 3.0));
    let lean = from_rotation_vector(Vec3::new(random.between(-tilt, tilt), random.between(-tilt, tilt), 0.0));
    let yaw = from_rotation_vector(Vec3::Z * random.between(-3.0, 3.0));
    let gap = random.between(-1e-6, 1e-6);
    let pose_floor = ReferenceFrame::new(Vec3::ZERO, turn);
    let local = Vec3::new(random.between(-0.5, 0.5), random.between(-0.5, 0.5), top + height + gap);
    let pose = ReferenceFrame::new(turn * local, turn * (yaw * (lean * (upright * (side * roll)))));
    let margin = 2.0 * tilt * length + 0.01 * radius;
    let mut cache = ManifoldCache::default();
    let found: Vec<ContactManifold> =
        cache.update(&floor, &pose_floor, &body, &pose, margin).iter().map(|m| m.manifold).collect();
    let span = span(&found, turn * (yaw * Vec3::X));
    assert!(
        span >= 0.8 * length,
        "seed {seed}, tilt {tilt}: {} on {}, contacts over {span} m of {length} m",
        body.type_name(),
        floor.type_name()
    );
}

#[test]
fn round_bodies_lying_on_a_flat_floor_touch_at_both_ends() {
    for tilt in [0.0, 1e-9, 1e-7, 1e-5, 1e-4, 1e-3, 5e-3, 2e-2, 5e-2] {
        (0..120).for_each(|seed| lying(seed, tilt));
    }
}

//! Lasting contact by the implicit midpoint rule: overlap is prevented, and nothing approaches where contact is closed.
use msd::environment::{BodyDescription, ContactScheme, ContactSettings, World};
use msd::math::{Quat, Vec3};
use msd::physics::rigid_body::shape::{ConvexHull, Cuboid, Shape, Sphere};
use msd::physics::rigid_body::{BodyHandle, Material};

const G: f64 = 9.81;

struct Random(u64);

impl Random {
    fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        low + (high - low) * ((self.0 >> 11) as f64 / (1u64 << 53) as f64)
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.between(-1.0, 1.0), self.between(-1.0, 1.0), self.between(-1.0, 1.0))
    }
}

fn world(scheme: ContactScheme, material: Material) -> World {
    let mut world = World::new();
    world.set_contact_settings(ContactSettings { scheme, ..ContactSettings::default() }).unwrap();
    world.set_gravity(Vec3::Z * -G).unwrap();
    let floor: Shape = Cuboid::new(Vec3::new(50.0, 50.0, 1.0)).unwrap().into();
    world
        .add_body(BodyDescription::fixed("floor", floor).position(Vec3::Z * -0.5).material(material))
        .unwrap();
    world
}

fn state(world: &World, body: BodyHandle) -> (Vec3, Vec3) {
    let state = world.body(body).unwrap().state;
    (state.center_of_mass, state.velocity)
}

fn surface(friction: f64, restitution: f64) -> Material {
    Material { friction, restitution, ..Material::default() }
}

/// A heap of bodies that tumble over each other.
fn heap(scheme: ContactScheme, hulls: bool, count: usize) -> World {
    let material = surface(0.5, 0.0);
    let mut world = world(scheme, material);
    let mut random = Random(11);
    for k in 0..count {
        let shape: Shape = if hulls {
            let points: Vec<Vec3> =
                (0..14).map(|_| random.vector().normalize() * random.between(0.22, 0.3)).collect();
            ConvexHull::from_points(&points).unwrap().into()
        } else {
            Cuboid::new(Vec3::splat(0.5)).unwrap().into()
        };
        let position = Vec3::new(0.3 * (k % 2) as f64, 0.25 * (k % 3) as f64, 0.6 + 0.9 * k as f64);
        let body = BodyDescription::dynamic(&format!("{k}"), shape).mass(random.between(2.0, 20.0));
        let orientation = Quat::from_scaled_axis(random.vector() * 3.0);
        world.add_body(body.position(position).orientation(orientation).material(material)).unwrap();
    }
    world
}

/// Steps that are certified, of all in which something touches, and the deepest overlap.
fn certified(mut world: World, dt: f64, seconds: f64) -> (usize, usize, f64) {
    let (mut good, mut all, mut deepest) = (0, 0, 0.0f64);
    for _ in 0..(seconds / dt) as usize {
        let report = world.step(dt).unwrap();
        if report.contacts.contacts > 0 {
            all += 1;
            good += usize::from(report.certificate.is_certified());
            // Measured from scratch: along the normals of faces, bodies whose edges hold them apart may seem to overlap.
            let overlap = report.certificate.overlap.value;
            deepest = deepest.max(overlap);
            assert!(overlap < 1e-5 || !report.certificate.is_certified());
        }
    }
    (good, all, deepest)
}

#[test]
fn heaps_that_tumble_are_certified_more_often_and_do_not_overlap() {
    for hulls in [false, true] {
        for dt in [1.0 / 240.0, 1e-3] {
            let [old, new] = [ContactScheme::MoreauJean, ContactScheme::Midpoint]
                .map(|scheme| certified(heap(scheme, hulls, 8), dt, 1.2));
            println!("hulls {hulls}, dt {dt:.4}: Moreau-Jean {old:?}, midpoint {new:?}");
            assert!(new.0 * old.1 > old.0 * new.1, "{old:?} {new:?}");
            assert!(hulls || new.2 < 1e-4, "overlap of {} m", new.2);
        }
    }
}

#[test]
fn a_box_slides_to_rest_after_v_squared_over_two_mu_g() {
    let mut random = Random(3);
    for dt in [1.0 / 60.0, 1.0 / 240.0, 1e-3] {
        let (friction, speed, azimuth) =
            (random.between(0.2, 0.7), random.between(1.0, 5.0), random.between(0.0, 6.0));
        let along = Vec3::new(azimuth.cos(), azimuth.sin(), 0.0);
        let mut world = world(ContactScheme::Midpoint, surface(friction, 0.0));
        let shape: Shape = Cuboid::new(Vec3::new(0.8, 0.6, 0.2)).unwrap().into();
        let body = BodyDescription::dynamic("box", shape).mass(5.0).position(Vec3::Z * 0.1);
        let body = world.add_body(body.velocity(along * speed).material(surface(friction, 0.0))).unwrap();
        let stop = speed / (friction * G);
        for _ in 0..((stop + 0.2) / dt) as usize {
            let report = world.step(dt).unwrap();
            assert!(report.energy.dissipated >= -1e-9, "{:?}", report.energy);
            assert!(report.energy.unexplained.abs() < 1e-9, "{:?}", report.energy);
        }
        let (place, velocity) = state(&world, body);
        let way = place.dot(along);
        let expected = speed * speed / (2.0 * friction * G);
        // In the step in which it stops, friction ends a motion that would have lasted for a part of it.
        let one_step = 0.25 * friction * G * dt * dt;
        assert!((way - expected).abs() < one_step + 1e-6, "{way} of {expected} with dt {dt}");
        assert!(velocity.length() < 1e-9, "{velocity}");
        assert!((place.z - 0.1).abs() < 1e-7);
    }
}

#[test]
fn a_ball_bounces_by_its_restitution_and_rests() {
    for (restitution, dt) in [(0.7, 1.0 / 240.0), (0.5, 1.0 / 60.0), (1.0, 1e-3)] {
        let mut world = world(ContactScheme::Midpoint, surface(0.0, restitution));
        let shape: Shape = Sphere::new(0.5).unwrap().into();
        let body = BodyDescription::dynamic("ball", shape).mass(2.0).position(Vec3::Z * 2.5);
        let body = world.add_body(body.material(surface(0.0, restitution))).unwrap();
        let (mut apex, mut up) = (0.0f64, false);
        for _ in 0..(1.6 / dt) as usize {
            world.step(dt).unwrap();
            let (place, velocity) = state(&world, body);
            up |= velocity.z > 0.0;
            if up {
                apex = apex.max(place.z - 0.5);
            }
        }
        let expected = restitution * restitution * 2.0;
        assert!((apex - expected).abs() < 1e-3 * expected + G * dt * dt, "{apex} of {expected}");
    }
}

#[test]
fn a_box_on_a_slope_stays_or_slides_as_friction_says() {
    for (factor, dt) in [(0.98, 1.0 / 60.0), (1.02, 1.0 / 60.0), (1.02, 1e-3)] {
        let (friction, seconds) = (0.4f64, 1.0);
        let angle = factor * friction.atan();
        let turn = Quat::from_scaled_axis(Vec3::Y * angle);
        let mut world = World::new();
        let settings = ContactSettings { scheme: ContactScheme::Midpoint, ..ContactSettings::default() };
        world.set_contact_settings(settings).unwrap();
        world.set_gravity(Vec3::Z * -G).unwrap();
        let slope: Shape = Cuboid::new(Vec3::new(50.0, 5.0, 1.0)).unwrap().into();
        let slope = BodyDescription::fixed("slope", slope).position(turn * Vec3::Z * -0.5).orientation(turn);
        world.add_body(slope.material(surface(friction, 0.0))).unwrap();
        let shape: Shape = Cuboid::new(Vec3::splat(0.4)).unwrap().into();
        let start = turn * Vec3::Z * 0.2;
        let body = BodyDescription::dynamic("box", shape).mass(3.0).position(start).orientation(turn);
        let body = world.add_body(body.material(surface(friction, 0.0))).unwrap();
        let steps = (seconds / dt) as usize;
        for _ in 0..steps {
            world.step(dt).unwrap();
        }
        let time = steps as f64 * dt;
        let way = (state(&world, body).0 - start).dot(turn * Vec3::X);
        let expected =
            if factor < 1.0 { 0.0 } else { 0.5 * G * (angle.sin() - friction * angle.cos()) * time * time };
        assert!((way - expected).abs() < 1e-6 + 1e-3 * expected, "{way} of {expected}");
    }
}

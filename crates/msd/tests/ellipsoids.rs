//! Ellipsoids in motion: rocking on a plane against the equation of motion in closed form, sliding, standing, falling on
//! each other; every step certified, no energy gained.
#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use msd::environment::{BodyDescription, World};
use msd::math::{Mat3, Quat, Vec3, orientation, scalar};
use msd::physics::rigid_body::shape::{Cuboid, Ellipsoid, HalfSpace, Sphere};
use msd::physics::rigid_body::{BodyHandle, Material};

const G: f64 = 9.81;

fn rough() -> Material {
    Material { friction: 2.0, restitution: 0.0, ..Material::default() }
}

/// A plane whose normal is the z axis turned by `turn`, with gravity against it.
fn plane(turn: Quat) -> World {
    let mut world = World::new();
    world.set_gravity(turn * Vec3::Z * -G).unwrap();
    let floor = HalfSpace::new(turn * Vec3::Z, 0.0).unwrap();
    world.add_body(BodyDescription::fixed("floor", floor).material(rough())).unwrap();
    world
}

/// Inclination of an ellipsoid that rolls about its own y axis in its plane of x and z, by Runge-Kutta steps of 1e-4 s.
///
/// The centre is `h(θ) = √(a² sin²θ + c² cos²θ)` above the plane, and the contact is `h'` beside it: rolling, the centre moves
/// with `θ̇ √(h² + h'²)`. With `k = (a² + c²)/5`, the Lagrangian `½ (k + h² + h'²) θ̇² - g h` gives
/// ```text
/// (k + h² + h'²) θ̈ = -h' (h + h'') θ̇² - g h'
/// ```
fn rolled(radii: Vec3, start: f64, duration: f64) -> f64 {
    let (aa, cc) = (radii.x * radii.x, radii.z * radii.z);
    let acceleration = |angle: f64, rate: f64| {
        let (s, c) = scalar::sin_cos(angle);
        let h = (aa * s * s + cc * c * c).sqrt();
        let first = (aa - cc) * s * c / h;
        let second = ((aa - cc) * (c * c - s * s) - first * first) / h;
        let mass = (aa + cc) / 5.0 + h * h + first * first;
        -(first * (h + second) * rate * rate + G * first) / mass
    };
    let steps = (duration / 1e-4).round() as u32;
    let dt = duration / f64::from(steps);
    let (mut x, mut v) = (start, 0.0);
    for _ in 0..steps {
        let (k1, l1) = (v, acceleration(x, v));
        let (k2, l2) = (v + 0.5 * dt * l1, acceleration(x + 0.5 * dt * k1, v + 0.5 * dt * l1));
        let (k3, l3) = (v + 0.5 * dt * l2, acceleration(x + 0.5 * dt * k2, v + 0.5 * dt * l2));
        let (k4, l4) = (v + dt * l3, acceleration(x + dt * k3, v + dt * l3));
        x += dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
        v += dt / 6.0 * (l1 + 2.0 * l2 + 2.0 * l3 + l4);
    }
    x
}

/// An ellipsoid let go at an inclination on the plane, after `duration`: its inclination.
fn rocked(radii: Vec3, turn: Quat, start: f64, dt: f64, duration: f64) -> f64 {
    let mut world = plane(turn);
    let lean = Quat::from_rotation_y(start);
    let (s, c) = scalar::sin_cos(start);
    let height = (radii.x * radii.x * s * s + radii.z * radii.z * c * c).sqrt();
    let stone = BodyDescription::dynamic("stone", Ellipsoid::new(radii).unwrap()).density(2500.0);
    let stone = stone.position(turn * Vec3::Z * height).orientation(turn * lean).material(rough());
    let stone = world.add_body(stone).unwrap();
    let size = world.body(stone).unwrap().inertia.mass() * G * radii.max_element();
    for _ in 0..(duration / dt).round() as u32 {
        let report = world.step(dt).unwrap();
        assert!(report.certificate.is_certified(), "{radii}: {:?}", report.certificate);
    }
    let energy = world.energy();
    assert!(energy.max_gain <= 1e-12 * size, "gained {} of {size}", energy.max_gain);
    // Rolling takes no energy; the velocities at the end of a step do, to second order.
    let way = scalar::square(dt / f64::sqrt(radii.max_element()));
    assert!(energy.dissipated.abs() < 100.0 * way * size, "dissipated {} of {size}", energy.dissipated);
    let up = turn.conjugate() * (world.frame(stone).unwrap().orientation * Vec3::Z);
    scalar::atan2(up.x, up.z)
}

#[test]
fn a_stone_rocks_as_its_equation_of_motion_says() {
    let turns = [Quat::IDENTITY, orientation::from_rotation_vector(Vec3::new(0.7, -1.1, 0.4))];
    for (scale, turn) in [(1.0, turns[0]), (0.01, turns[1]), (30.0, turns[1])] {
        for radii in [Vec3::new(0.3, 0.2, 0.15), Vec3::new(0.5, 0.5, 0.1), Vec3::new(0.25, 0.1, 0.2)] {
            let radii = radii * scale;
            let time = f64::sqrt(scale);
            for start in [0.05, 0.6] {
                let exact = rolled(radii, start, 2.0 * time);
                let off = |dt: f64| (rocked(radii, turn, start, dt * time, 2.0 * time) - exact).abs();
                let (coarse, fine) = (off(4e-3), off(1e-3));
                assert!(fine < 4e-3 * start, "{radii} from {start}: {fine}");
                assert!(fine < 0.3 * coarse + 1e-6, "{radii} from {start}: {coarse}, {fine}");
            }
        }
    }
}

/// Standing on each axis, the lowest position is stable; balanced on the others it stays as long as nothing disturbs it.
#[test]
fn a_stone_stands_with_its_weight_on_the_plane() {
    let radii = Vec3::new(0.3, 0.2, 0.1);
    let turns = [Quat::IDENTITY, Quat::from_rotation_x(std::f64::consts::FRAC_PI_2)];
    for (turn, height) in turns.into_iter().zip([0.1, 0.2]) {
        let mut world = plane(Quat::IDENTITY);
        let stone = BodyDescription::dynamic("stone", Ellipsoid::new(radii).unwrap()).mass(3.0);
        let stone = stone.position(Vec3::Z * height).orientation(turn).material(rough());
        let stone = world.add_body(stone).unwrap();
        for _ in 0..100 {
            assert!(world.step(2e-3).unwrap().certificate.is_certified());
        }
        let contact = world.contacts().next().unwrap();
        assert!((contact.force().z.abs() - 3.0 * G).abs() < 1e-9, "{}", contact.force());
        assert!((world.frame(stone).unwrap().position - Vec3::Z * height).length() < 1e-9);
    }
}

/// Pebbles of all proportions poured on a slab and on each other.
#[test]
fn poured_pebbles_gain_no_energy_and_do_not_overlap() {
    let mut world = World::new();
    world.set_gravity(Vec3::Z * -G).unwrap();
    let slab = Cuboid::new(Vec3::new(4.0, 4.0, 0.2)).unwrap();
    let material = Material { friction: 0.4, restitution: 0.0, ..Material::default() };
    world.add_body(BodyDescription::fixed("slab", slab).position(Vec3::Z * -0.1).material(material)).unwrap();
    let mut bodies: Vec<BodyHandle> = Vec::new();
    for k in 0..12 {
        let t = f64::from(k);
        let radii = Vec3::new(0.08 + 0.02 * (t % 4.0), 0.05 + 0.01 * (t % 3.0), 0.03 + 0.01 * (t % 5.0));
        let body = BodyDescription::dynamic(&format!("pebble {k}"), Ellipsoid::new(radii).unwrap());
        let place = Vec3::new(0.05 * scalar::sin(2.4 * t), 0.05 * scalar::cos(2.4 * t), 0.2 + 0.17 * t);
        let turn = orientation::from_rotation_vector(Vec3::new(0.3 * t, -0.2 * t, 0.5));
        bodies.push(
            world
                .add_body(body.density(2500.0).position(place).orientation(turn).material(material))
                .unwrap(),
        );
    }
    let size = world.energy().total().abs();
    let (mut uncertified, mut worst) = (0, 0.0);
    for _ in 0..480 {
        let report = world.step(1.0 / 240.0).unwrap();
        uncertified += usize::from(!report.certificate.is_certified());
        worst = scalar::max(worst, report.certificate.overlap.value);
    }
    let energy = world.energy();
    // One turns faster than the rotation of the certificate follows.
    assert!(uncertified <= 2, "{uncertified} steps");
    assert!(worst < 1e-6, "overlap of {worst} m");
    assert!(energy.max_gain <= 1e-9 * size, "{} of {size}", energy.max_gain);
    assert!(bodies.iter().all(|body| world.frame(*body).unwrap().position.z > 0.0));
}

/// A ball with its centre of mass off its middle rolls to and fro: contact forces change from step to step, so velocities are solved
/// for in each.
#[test]
fn a_loaded_ball_rolls_with_certified_velocities() {
    for dt in [4e-3, 1e-3] {
        let mut world = plane(Quat::IDENTITY);
        let ball = BodyDescription::dynamic("ball", Sphere::new(0.3).unwrap())
            .mass(10.0)
            .center_of_mass(Vec3::Z * -0.1)
            .inertia(Mat3::IDENTITY * 0.3)
            .position(Vec3::Z * 0.3)
            .orientation(Quat::from_rotation_y(0.6))
            .material(rough());
        world.add_body(ball).unwrap();
        for _ in 0..(2.0 / dt) as u32 {
            let report = world.step(dt).unwrap();
            assert!(report.certificate.is_certified(), "dt {dt}: {:?}", report.certificate.failure());
        }
    }
}

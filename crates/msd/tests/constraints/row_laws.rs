//! Every law of a joint's row under every integrator: on a base at rest, turning and driven, with and without an impact.
//!
//! The scene: a hub turns about z on a hinge; a car of 0.5 kg sits on it, 1 m from the axis, held along the radius by one row of the law in
//! question and by a slider in all other directions. A ball may strike the car from the side, along the circle and a little
//! outwards. Whatever the law, joints stay closed, energy is only taken by dissipation, never made, and the ledger closes to
//! the order of the method.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use msd::certificate::Check;
use msd::environment::{BodyDescription, World, WorldError};
use msd::math::{Mat3, Vec3, scalar};
use msd::physics::constraints::{
    Constraint, FixedJoint, HingeJoint, JointEnd, Limits, Motor, SliderJoint, SpringJoint,
};
use msd::physics::integration::{INTEGRATOR_NAMES, by_name};
use msd::physics::rigid_body::shape::{Cuboid, Shape, Sphere};
use msd::physics::rigid_body::{BodyHandle, Material};

const LAWS: [&str; 9] = [
    "rigid",
    "limit",
    "motor",
    "brake",
    "friction",
    "soft spring",
    "stiff spring",
    "soft damper",
    "stiff damper",
];
const BASES: [&str; 3] = ["at rest", "spinning", "accelerating"];

struct Scene {
    world: World,
    hub: BodyHandle,
    car: BodyHandle,
    torque: f64,
}

fn scene(integrator: &str, law: &str, base: &str, struck: bool) -> Scene {
    let mut world = World::new();
    world.set_gravity(Vec3::ZERO).unwrap();
    world.set_integrator(by_name(integrator, None).unwrap());
    let spin = if base == "spinning" { 1.0 } else { 0.0 };
    let torque = if base == "accelerating" { 3.0 } else { 0.0 };
    let hub = BodyDescription::without_shape("hub", 4.0, Mat3::from_diagonal(Vec3::new(2.3, 2.3, 4.5)));
    let hub = world.add_body(hub.angular_velocity(Vec3::Z * spin)).unwrap();
    let box_: Shape = Cuboid::new(Vec3::splat(0.1)).unwrap().into();
    let car = BodyDescription::dynamic("car", box_).mass(0.5).position(Vec3::X);
    let car = car.velocity(Vec3::Y * spin).angular_velocity(Vec3::Z * spin);
    let smooth = Material { friction: 0.0, restitution: 0.5, ..Material::default() };
    let car = world.add_body(car.material(smooth)).unwrap();
    if struck {
        let ball: Shape = Sphere::new(0.05).unwrap().into();
        let ball = BodyDescription::dynamic("ball", ball).mass(0.2).position(Vec3::new(0.97, 0.6, 0.0));
        world.add_body(ball.velocity(Vec3::new(0.05, -1.0, 0.0)).material(smooth)).unwrap();
    }
    let (on_hub, on_car) = (world.joint_end(hub).unwrap(), world.joint_end(car).unwrap());
    let axle = HingeJoint::new(JointEnd::WORLD, on_hub, Vec3::ZERO, Vec3::Z).unwrap();
    let slider = SliderJoint::new(on_hub, on_car, Vec3::X, Vec3::X).unwrap();
    let motor = |velocity, max_force| slider.clone().with_motor(Motor { velocity, max_force }).unwrap();
    let spring = |stiffness, damping| {
        let spring = SpringJoint::new(on_hub, on_car, Vec3::ZERO, Vec3::X, stiffness, damping).unwrap();
        Some(spring.with_length(0.995).unwrap())
    };
    let (joint, spring): (Arc<dyn Constraint>, _) = match law {
        "rigid" => (Arc::new(FixedJoint::new(on_hub, on_car, Vec3::X).unwrap()), None),
        "limit" => (Arc::new(slider.clone().with_limits(Limits { min: -0.5, max: 0.0 }).unwrap()), None),
        "motor" => (Arc::new(motor(0.2, 100.0)), None),
        "brake" => (Arc::new(motor(0.0, 100.0)), None),
        "friction" => (Arc::new(motor(0.0, 0.1)), None),
        "soft spring" => (Arc::new(slider.clone()), spring(20.0, 0.0)),
        "stiff spring" => (Arc::new(slider.clone()), spring(1e6, 0.0)),
        "soft damper" => (Arc::new(slider.clone()), spring(0.0, 0.5)),
        "stiff damper" => (Arc::new(slider.clone()), spring(0.0, 1e4)),
        other => panic!("{other}"),
    };
    world.add_joint("axle", Arc::new(axle)).unwrap();
    world.add_joint("slide", joint).unwrap();
    if let Some(spring) = spring {
        world.add_joint("spring", Arc::new(spring)).unwrap();
    }
    Scene { world, hub, car, torque }
}

/// Result of a run.
#[derive(Debug, Default)]
struct Figures {
    /// Smallest `dissipated` of a step whose energy is certified, J, and of any step.
    least_dissipated: f64,
    least_reported: f64,
    /// Largest error of the ledger, J.
    ledger: f64,
    /// Largest energy, J.
    energy: f64,
    /// Largest position error of a joint, m or rad.
    joints: f64,
    /// Distance of the car from the axis at the end, m, and its largest change.
    radius: f64,
    /// Energy at the end minus energy at the start minus work in, J.
    gained: f64,
}

fn run(scene: &mut Scene, dt: f64, duration: f64) -> Result<Figures, WorldError> {
    let mut figures = Figures::default();
    for _ in 0..(duration / dt).round() as usize {
        if scene.torque != 0.0 {
            scene.world.apply_torque(scene.hub, Vec3::Z * scene.torque)?;
        }
        let report = scene.world.step(dt)?;
        // A step that an impact cuts short may book a row against a motion that was not: it says so.
        if report.certificate.holds(Check::Energy) {
            figures.least_dissipated = scalar::min(figures.least_dissipated, report.energy.dissipated);
        }
        figures.least_reported = scalar::min(figures.least_reported, report.energy.dissipated);
        figures.energy = scalar::max(figures.energy, report.energy.kinetic + report.energy.potential);
        figures.joints =
            scalar::max(figures.joints, scalar::max(report.joints.position_error, report.joints.angle_error));
    }
    let ledger = scene.world.energy();
    figures.ledger = ledger.max_error;
    figures.gained = ledger.total() - ledger.initial - ledger.work_in;
    let position = |body| scene.world.body(body).unwrap().state.center_of_mass;
    figures.radius = (position(scene.car) - position(scene.hub)).length();
    Ok(figures)
}

/// All integrators, laws and bases, with and without the ball.
fn for_each_case(mut check: impl FnMut(&str, &dyn Fn() -> Scene, [&str; 3], bool)) {
    for struck in [false, true] {
        for law in LAWS {
            for base in BASES {
                for integrator in INTEGRATOR_NAMES {
                    let what = format!("{integrator}, {law}, base {base}, struck: {struck}");
                    let scene = || scene(integrator, law, base, struck);
                    check(&what, &scene, [integrator, law, base], struck);
                }
            }
        }
    }
}

#[test]
fn joints_stay_closed_and_no_row_makes_energy() {
    for_each_case(|what, scene, [integrator, law, _], _| {
        let figures = run(&mut scene(), 0.01, 1.0).unwrap_or_else(|error| panic!("{what}: {error}"));
        assert!(figures.joints < 1e-9, "{what}: {figures:?}");
        // A spring of 1e6 N/m at 1 400 rad/s is not resolved by 10 ms. Its force is that of backward Euler, the path of its ends that of
        // the method: the energy falls to nothing, though not in every single step.
        let unresolved = law == "stiff spring";
        let round_off = if unresolved { 0.15 * 12.5 } else { 1e-12 * figures.energy };
        assert!(figures.least_dissipated >= -round_off, "{what}: {figures:?}");
        assert!(
            figures.least_reported >= -scalar::max(round_off, 1e-6 * figures.energy),
            "{what}: {figures:?}"
        );
        let order = if integrator.ends_with("euler") { 1 } else { 2 };
        let truncation = if order == 1 { 0.01 } else { 1e-4 };
        assert!(figures.gained <= truncation * figures.energy, "{what}: {figures:?}");
    });
}

#[test]
fn the_ledger_closes_to_the_order_of_the_method() {
    for_each_case(|what, scene, [integrator, law, _], struck| {
        if law == "stiff spring" {
            return;
        }
        let [coarse, fine] = [0.01, 0.005].map(|dt| run(&mut scene(), dt, 1.0).unwrap());
        let first_order = integrator.ends_with("euler");
        if struck {
            // The error depends on where in its step the impact falls: a bound instead of a ratio.
            for (dt, figures) in [(0.01, &coarse), (0.005, &fine)] {
                let bound = if first_order { 0.3 * dt } else { 0.2 * dt * dt };
                assert!(figures.ledger <= bound * figures.energy, "{what}: {figures:?}");
            }
            return;
        }
        let ratio = if first_order { 0.62 } else { 0.3 };
        let round_off = 1e-9 * coarse.energy;
        assert!(fine.ledger <= ratio * coarse.ledger + round_off, "{what}: {coarse:?} {fine:?}");
    });
}

#[test]
fn rigid_rows_limits_motors_and_brakes_hold_where_they_should() {
    for_each_case(|what, scene, [integrator, law, base], struck| {
        let figures = run(&mut scene(), 0.01, 1.0).unwrap();
        // The motor needs its first step to reach its speed; methods of second order move by half of it there.
        let (expected, within) = match law {
            "rigid" => (1.0, 1e-9),
            // Implicit methods meet it again after they have passed it at their stage.
            "limit" if !struck && integrator == "implicit-euler" => (1.0, 1e-4),
            "limit" if !struck => (1.0, 1e-6),
            "brake" => (1.0, if struck { 1e-4 } else { 1e-9 }),
            "motor" => (1.2, if struck { 2e-3 } else { 1e-3 + 1e-9 }),
            "friction" if base == "at rest" && !struck => (1.0, 1e-9),
            _ => return,
        };
        assert!((figures.radius - expected).abs() <= within, "{what}: {figures:?}");
    });
}

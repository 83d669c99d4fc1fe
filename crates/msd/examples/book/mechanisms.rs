//! Joints, springs, motors.

use std::f64::consts::{FRAC_PI_2, PI};

use msd::math::scalar;
use msd::physics::integration::by_name;
use msd::prelude::*;

use super::book::{Case, Chapter, Failure};

const METHODS: [&str; 3] = ["velocity-verlet", "implicit-midpoint", "rk4"];

fn case(
    law: &'static str,
    unit: &'static str,
    error: impl Fn(World) -> Result<f64, Failure>,
) -> Result<Case, Failure> {
    let errors = METHODS.into_iter().map(|method| {
        let mut world = World::new();
        world.set_dt(1e-3)?;
        world.set_integrator(by_name(method, None)?);
        error(world)
    });
    Ok(Case { law, unit, errors: errors.collect::<Result<_, _>>()? })
}

fn ball(name: &str, at: Vec3) -> Result<BodyDescription, Failure> {
    Ok(BodyDescription::dynamic(name, Sphere::new(0.1)?).mass(1.5).position(at))
}

/// The complete elliptic integral of the first kind of modulus k, by the arithmetic-geometric mean.
fn elliptic_k(k: f64) -> f64 {
    let (mut a, mut b) = (1.0, (1.0 - k * k).sqrt());
    while (a - b).abs() > 1e-15 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    0.5 * PI / a
}

pub(crate) fn chapter() -> Result<Chapter, Failure> {
    let cases = vec![
        case(
            "pendulum of a ball on a hinge, let go at 90°: back after 4 √(I/(m g l)) K(sin 45°)",
            "m",
            |mut world| {
                let bob = world.add_body(ball("bob", Vec3::X)?)?;
                world.add_hinge_joint("hinge", Ground, bob, Vec3::ZERO, Vec3::Y)?;
                let inertia: f64 = 1.5 * (0.4 * 0.01 + 1.0);
                let period = 4.0 * (inertia / (1.5 * 9.81)).sqrt() * elliptic_k(scalar::sin(0.25 * PI));
                world.run(period)?;
                Ok((world.frame(bob)?.position - Vec3::X).length())
            },
        )?,
        case("the same: energy after 20 s", "J", |mut world| {
            let bob = world.add_body(ball("bob", Vec3::X)?)?;
            world.add_hinge_joint("hinge", Ground, bob, Vec3::ZERO, Vec3::Y)?;
            world.run(20.0)?;
            Ok(world.energy().error())
        })?,
        case(
            "conical pendulum at 60°, a point mass on a rod: ω² = g/(l cos θ), after 5 turns",
            "m",
            |mut world| {
                let start = Vec3::new(scalar::sin(PI / 3.0), 0.0, -scalar::cos(PI / 3.0));
                let rate = (9.81 / scalar::cos(PI / 3.0)).sqrt();
                let mass = Mat3::from_diagonal(Vec3::splat(1e-9));
                let bob = BodyDescription::without_shape("bob", 1.0, mass).position(start);
                let bob = world.add_body(bob.velocity(Vec3::Y * rate * start.x))?;
                world.add_distance_joint("rod", Ground, bob, [Vec3::ZERO, start])?;
                world.run(10.0 * PI / rate)?;
                Ok((world.frame(bob)?.position - start).length())
            },
        )?,
        case("mass on a spring, k = 100 N/m: x = A cos ωt after 3 s", "m", |mut world| {
            world.set_gravity(Vec3::ZERO)?;
            let bob = world.add_body(ball("bob", Vec3::X)?.velocity(Vec3::X * 2.0))?;
            world.add_spring_joint("spring", Ground, bob, [Vec3::ZERO, Vec3::X], 100.0, 0.0)?;
            world.run(3.0)?;
            let omega = (100.0_f64 / 1.5).sqrt();
            Ok(world.frame(bob)?.position.x - 1.0 - 2.0 / omega * scalar::sin(omega * 3.0))
        })?,
        case("chain of 20 balls hangs: force on the hook is the weight, after 1 s", "N", |mut world| {
            let mut last = None;
            let mut hook = None;
            for k in 0..20 {
                let at = -Vec3::Z * (0.3 * f64::from(k) + 0.3);
                let link = world.add_body(ball(&format!("{k}"), at)?)?;
                let pivot = at + Vec3::Z * 0.15;
                match last {
                    None => hook = Some(world.add_ball_joint("hook", Ground, link, pivot)?),
                    Some(last) => {
                        world.add_ball_joint(&format!("joint {k}"), last, link, pivot)?;
                    }
                }
                last = Some(link);
            }
            world.run(1.0)?;
            let hook = hook.ok_or("there is no hook")?;
            Ok((world.reaction(hook)?.force - Vec3::Z * 30.0 * 9.81).length())
        })?,
        case("four-bar linkage without gravity turns 10 s: joints stay closed", "m", |mut world| {
            world.set_gravity(Vec3::ZERO)?;
            let bar = |name: &str, at: Vec3, long: f64, turn: f64| -> Result<BodyDescription, Failure> {
                let bar =
                    BodyDescription::dynamic(name, Cuboid::new(Vec3::new(long, 0.05, 0.05))?).mass(long);
                Ok(bar.position(at).orientation(Quat::from_rotation_z(turn)))
            };
            let crank = world
                .add_body(bar("crank", Vec3::Y * 0.25, 0.5, FRAC_PI_2)?.angular_velocity(Vec3::Z * 3.0))?;
            let coupler = world.add_body(bar("coupler", Vec3::new(0.5, 0.5, 0.0), 1.0, 0.0)?)?;
            let rocker = world.add_body(bar("rocker", Vec3::new(1.0, 0.25, 0.0), 0.5, FRAC_PI_2)?)?;
            world.add_hinge_joint("1", Ground, crank, Vec3::ZERO, Vec3::Z)?;
            world.add_hinge_joint("2", crank, coupler, Vec3::Y * 0.5, Vec3::Z)?;
            world.add_hinge_joint("3", coupler, rocker, Vec3::new(1.0, 0.5, 0.0), Vec3::Z)?;
            world.add_hinge_joint("4", Ground, rocker, Vec3::X, Vec3::Z)?;
            Ok(world.run(10.0)?.joints.position)
        })?,
    ];
    Ok(Chapter {
        title: "Mechanisms",
        about: "Error in steps of 1 ms, with three integrators.",
        columns: METHODS.to_vec(),
        cases,
    })
}

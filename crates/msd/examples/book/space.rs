//! Orbits, tumbling bodies, rockets.

use std::f64::consts::PI;

use msd::math::scalar;
use msd::physics::integration::by_name;
use msd::prelude::*;

use super::book::{Case, Chapter, Failure};

const METHODS: [&str; 3] = ["exact-free", "adaptive", "rk4"];
const MU: f64 = 3.986_004_418e14;

fn case(
    law: &'static str,
    unit: &'static str,
    dt: f64,
    error: impl Fn(World) -> Result<f64, Failure>,
) -> Result<Case, Failure> {
    let errors = METHODS.into_iter().map(|method| {
        let mut world = World::new();
        world.set_gravity(Vec3::ZERO)?;
        world.set_dt(dt)?;
        world.set_integrator(by_name(method, None)?);
        error(world)
    });
    Ok(Case { law, unit, errors: errors.collect::<Result<_, _>>()? })
}

fn craft(at: Vec3, velocity: Vec3) -> Result<BodyDescription, Failure> {
    let cuboid = Cuboid::new(Vec3::new(1.0, 2.0, 3.0))?;
    Ok(BodyDescription::dynamic("craft", cuboid).mass(100.0).position(at).velocity(velocity))
}

pub(crate) fn chapter() -> Result<Chapter, Failure> {
    let cases = vec![
        case(
            "elliptic orbit, e = 0.3, one revolution in steps of 10 s: back where it was",
            "m",
            10.0,
            |mut world| {
                world.add_field(PointGravity::new(MU, Vec3::ZERO)?)?;
                let perigee = 7e6;
                let axis = perigee / 0.7;
                let start = Vec3::X * perigee;
                let speed = (MU * (2.0 / perigee - 1.0 / axis)).sqrt();
                let body = world.add_body(craft(start, Vec3::Y * speed)?)?;
                world.run(2.0 * PI * (axis * axis * axis / MU).sqrt())?;
                Ok((world.body(body)?.state.center_of_mass - start).length())
            },
        )?,
        case(
            "box thrown so that it flips about its middle axis, 60 s in steps of 0.1 s: angular momentum",
            "relative",
            0.1,
            |mut world| {
                let tumbling = craft(Vec3::ZERO, Vec3::ZERO)?.angular_velocity(Vec3::new(0.01, 1.0, 0.02));
                let body = world.add_body(tumbling)?;
                let before = world.angular_momentum_about(Vec3::ZERO);
                world.run(60.0)?;
                let center = world.body(body)?.state.center_of_mass;
                Ok((world.angular_momentum_about(center) - before).length() / before.length())
            },
        )?,
        case("the same: kinetic energy", "relative", 0.1, |mut world| {
            world.add_body(craft(Vec3::ZERO, Vec3::ZERO)?.angular_velocity(Vec3::new(0.01, 1.0, 0.02)))?;
            let before = world.energy().kinetic;
            world.run(60.0)?;
            Ok(world.energy().kinetic / before - 1.0)
        })?,
        case(
            "rocket burns half of its mass in free space: Δv = v_e ln(m₀/m₁)",
            "m/s",
            0.1,
            |mut world| {
                let body = world.add_body(craft(Vec3::ZERO, Vec3::ZERO)?)?;
                // 3 000 m/s exhaust velocity, 1 kg/s.
                let rocket = Thruster::rocket(body, Vec3::ZERO, Vec3::X, 1.0, 3000.0)?.firing(0.0, 50.0)?;
                world.add_field(rocket)?;
                world.run(50.0)?;
                Ok(world.body(body)?.state.velocity.length() - 3000.0 * scalar::ln(2.0))
            },
        )?,
        case("two craft latch at 0.2 m/s: velocity of both from momentum", "m/s", 0.01, |mut world| {
            let ball = |name: &str, mass: f64, x: f64| -> Result<BodyDescription, Failure> {
                Ok(BodyDescription::dynamic(name, Sphere::new(0.5)?).mass(mass).position(Vec3::X * x))
            };
            let target = world.add_body(ball("target", 300.0, 1.503)?)?;
            let chaser = world.add_body(ball("chaser", 100.0, 0.0)?.velocity(Vec3::X * 0.2))?;
            world.add_latch("latch", target, chaser)?;
            world.run(5.0)?;
            let [one, other] = [target, chaser].map(|body| world.body(body).map(|view| view.state.velocity));
            Ok((one? - Vec3::X * 0.05).length() + (other? - Vec3::X * 0.05).length())
        })?,
    ];
    Ok(Chapter {
        title: "Space",
        about: "Error in free flight with three integrators.",
        columns: METHODS.to_vec(),
        cases,
    })
}

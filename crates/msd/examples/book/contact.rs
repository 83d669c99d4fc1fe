//! Impacts, friction, rolling, stacks and belts.

use msd::math::scalar;
use msd::prelude::*;

use super::book::{Chapter, Failure, in_all_tiers, tiers};

const G: f64 = 9.81;
const DT: f64 = 0.005;

fn world(settings: ContactSettings, floor: Material) -> Result<World, Failure> {
    let mut world = World::new();
    world.set_dt(DT)?;
    world.set_contact_settings(settings)?;
    world.add_body(BodyDescription::fixed("floor", HalfSpace::new(Vec3::Z, 0.0)?).material(floor))?;
    Ok(world)
}

fn surface(friction: f64, restitution: f64) -> Material {
    Material { friction, restitution, ..Material::default() }
}

fn ball(at: Vec3, material: Material) -> Result<BodyDescription, Failure> {
    Ok(BodyDescription::dynamic("ball", Sphere::new(0.1)?).mass(2.0).position(at).material(material))
}

fn crate_(at: Vec3, material: Material) -> Result<BodyDescription, Failure> {
    let cuboid = Cuboid::new(Vec3::new(0.4, 0.3, 0.2))?;
    Ok(BodyDescription::dynamic("crate", cuboid).mass(2.0).position(at).material(material))
}

/// Tilts gravity, so that the floor is a slope that falls along x.
fn tilt(world: &mut World, degrees: f64) -> Result<f64, Failure> {
    let slope = degrees * std::f64::consts::PI / 180.0;
    world.set_gravity(Vec3::new(scalar::sin(slope), 0.0, -scalar::cos(slope)) * G)?;
    Ok(slope)
}

pub(crate) fn chapter() -> Result<Chapter, Failure> {
    let cases = vec![
        in_all_tiers("ball dropped 1 m, e = 0.8: rises to e² h", "m", |settings| {
            let material = surface(0.5, 0.8);
            let mut world = world(settings, material)?;
            let body = world.add_body(ball(Vec3::Z * 1.1, material)?)?;
            world.run(0.7)?;
            let state = world.body(body)?.state;
            Ok(state.center_of_mass.z - 0.1 + state.velocity.z * state.velocity.z / (2.0 * G) - 0.64)
        })?,
        in_all_tiers("two equal balls meet at 2 m/s, e = 1: exchange velocities", "m/s", |settings| {
            let material = surface(0.0, 1.0);
            let mut world = world(settings, material)?;
            world.set_gravity(Vec3::ZERO)?;
            let one = world.add_body(ball(Vec3::Z, material)?.velocity(Vec3::X * 2.0))?;
            let other = BodyDescription::dynamic("other", Sphere::new(0.1)?).mass(2.0).material(material);
            let other = world.add_body(other.position(Vec3::new(0.5, 0.0, 1.0)))?;
            world.run(0.3)?;
            let [one, other] = [one, other].map(|body| world.body(body).map(|view| view.state.velocity));
            Ok(one?.length() + (other? - Vec3::X * 2.0).length())
        })?,
        in_all_tiers(
            "ball strikes the floor at 45°, e = 0.6, μ = 0.1: Δv_t = μ (1 + e) v_n",
            "m/s",
            |settings| {
                let material = surface(0.1, 0.6);
                let mut world = world(settings, material)?;
                world.set_gravity(Vec3::ZERO)?;
                let body =
                    world.add_body(ball(Vec3::Z * 0.3, material)?.velocity(Vec3::new(3.0, 0.0, -3.0)))?;
                world.run(0.2)?;
                Ok((world.body(body)?.state.velocity - Vec3::new(3.0 - 0.1 * 1.6 * 3.0, 0.0, 1.8)).length())
            },
        )?,
        in_all_tiers("crate slides to rest from 2 m/s, μ = 0.4: v²/(2 μ g)", "m", |settings| {
            let material = surface(0.4, 0.0);
            let mut world = world(settings, material)?;
            let body = world.add_body(crate_(Vec3::Z * 0.1, material)?.velocity(Vec3::X * 2.0))?;
            world.run(1.0)?;
            Ok(world.frame(body)?.position.x - 4.0 / (2.0 * 0.4 * G))
        })?,
        in_all_tiers("crate on a slope of 20°, μ = 0.5: stays for 2 s", "m", |settings| {
            let material = surface(0.5, 0.0);
            let mut world = world(settings, material)?;
            tilt(&mut world, 20.0)?;
            let body = world.add_body(crate_(Vec3::Z * 0.1, material)?)?;
            world.run(2.0)?;
            Ok(world.frame(body)?.position.x)
        })?,
        in_all_tiers(
            "crate on a slope of 35°, μ = 0.5: a = g (sin θ - μ cos θ), after 1 s",
            "m/s",
            |settings| {
                let material = surface(0.5, 0.0);
                let mut world = world(settings, material)?;
                let slope = tilt(&mut world, 35.0)?;
                let body = world.add_body(crate_(Vec3::Z * 0.1, material)?)?;
                world.run(1.0)?;
                Ok(world.body(body)?.state.velocity.x - G * (scalar::sin(slope) - 0.5 * scalar::cos(slope)))
            },
        )?,
        in_all_tiers("ball pushed at 1 m/s slides, then rolls: 5/7 v", "m/s", |settings| {
            let material = surface(0.3, 0.0);
            let mut world = world(settings, material)?;
            let body = world.add_body(ball(Vec3::Z * 0.1, material)?.velocity(Vec3::X))?;
            world.run(1.0)?;
            Ok(world.body(body)?.state.velocity.x - 5.0 / 7.0)
        })?,
        in_all_tiers("ball rolls down a slope of 20°: a = 5/7 g sin θ, after 1 s", "m/s", |settings| {
            let material = surface(0.5, 0.0);
            let mut world = world(settings, material)?;
            let slope = tilt(&mut world, 20.0)?;
            let body = world.add_body(ball(Vec3::Z * 0.1, material)?)?;
            world.run(1.0)?;
            Ok(world.body(body)?.state.velocity.x - 5.0 / 7.0 * G * scalar::sin(slope))
        })?,
        in_all_tiers("cylinder rolls down a slope of 20°: a = 2/3 g sin θ, after 1 s", "m/s", |settings| {
            let material = surface(0.5, 0.0);
            let mut world = world(settings, material)?;
            let slope = tilt(&mut world, 20.0)?;
            let body =
                BodyDescription::dynamic("cylinder", Cylinder::new(0.1, 0.5)?).mass(2.0).material(material);
            let lying = Quat::from_rotation_x(std::f64::consts::FRAC_PI_2);
            let body = world.add_body(body.position(Vec3::Z * 0.1).orientation(lying))?;
            world.run(1.0)?;
            Ok(world.body(body)?.state.velocity.x - 2.0 / 3.0 * G * scalar::sin(slope))
        })?,
        in_all_tiers(
            "ball rolls to rest against rolling friction ρ = 1 mm: a = 5/7 ρ g/r, after 1 s",
            "m/s",
            |settings| {
                let material = Material { friction: 0.5, rolling_friction: 1e-3, ..Material::default() };
                let mut world = world(settings, material)?;
                let rolling =
                    ball(Vec3::Z * 0.1, material)?.velocity(Vec3::X).angular_velocity(Vec3::Y * 10.0);
                let body = world.add_body(rolling)?;
                world.run(1.0)?;
                Ok(world.body(body)?.state.velocity.x - (1.0 - 5.0 / 7.0 * 1e-2 * G))
            },
        )?,
        in_all_tiers("ten crates stacked rest for 2 s: the top one stays", "m", |settings| {
            let material = surface(0.5, 0.0);
            let mut world = world(settings, material)?;
            let mut top = None;
            for k in 0..10 {
                let at = Vec3::Z * (0.1 + 0.2 * f64::from(k));
                let cuboid = Cuboid::new(Vec3::new(0.4, 0.3, 0.2))?;
                let body = BodyDescription::dynamic(&format!("{k}"), cuboid).mass(2.0).position(at);
                top = Some(world.add_body(body.material(material))?);
            }
            world.run(2.0)?;
            let top = top.ok_or("there is no crate")?;
            Ok((world.frame(top)?.position - Vec3::Z * 1.9).length())
        })?,
        in_all_tiers(
            "1 000 kg on a crate of 2 kg at rest: force on the floor is the weight",
            "N",
            |settings| {
                let material = surface(0.5, 0.0);
                let mut world = world(settings, material)?;
                world.add_body(crate_(Vec3::Z * 0.1, material)?)?;
                let heavy = BodyDescription::dynamic("heavy", Cuboid::new(Vec3::splat(0.3))?).mass(1000.0);
                world.add_body(heavy.position(Vec3::Z * 0.35).material(material))?;
                world.run(1.0)?;
                let floor = world.find("floor").ok_or("there is no floor")?;
                let on_floor = world.contacts().filter(|contact| contact.body_a == floor);
                Ok(on_floor.map(|contact| contact.normal_force).sum::<f64>() - 1002.0 * G)
            },
        )?,
        in_all_tiers(
            "crate on a belt of 1 m/s, μ = 0.3: rides after v/(μ g); work of the belt m v²",
            "J",
            |settings| {
                let material = surface(0.3, 0.0);
                let mut world = World::new();
                world.set_dt(DT)?;
                world.set_contact_settings(settings)?;
                let belt = BodyDescription::fixed("belt", HalfSpace::new(Vec3::Z, 0.0)?).material(material);
                world.add_body(belt.surface_velocity(Vec3::X))?;
                world.add_body(crate_(Vec3::Z * 0.1, material)?)?;
                world.run(1.0)?;
                Ok(world.energy().work_in - 2.0)
            },
        )?,
    ];
    Ok(Chapter {
        title: "Contact",
        about: "Error in steps of 5 ms, in each tier.",
        columns: tiers().map(|(name, _)| name).to_vec(),
        cases,
    })
}

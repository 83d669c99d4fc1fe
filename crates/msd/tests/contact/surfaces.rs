//! Surfaces that move along their bodies, one-way bodies, contact hooks and events with a threshold of force.

use msd::environment::{ContactHook, ContactScheme, HookedPair, PairResponse, WorldError};
use msd::prelude::*;

const G: f64 = 9.81;

/// Both tiers, and both schemes of the exact one, each with the error it has.
fn settings() -> [(ContactSettings, f64); 3] {
    let scheme = |scheme| ContactSettings { scheme, ..ContactSettings::default() };
    [
        (scheme(ContactScheme::MoreauJean), 1e-9),
        (scheme(ContactScheme::Midpoint), 1e-9),
        (ContactSettings::with_tier(ContactTier::Fast), 2e-3),
    ]
}

fn material(friction: f64, restitution: f64) -> Material {
    Material { friction, restitution, ..Material::default() }
}

fn crate_at(name: &str, at: Vec3) -> BodyDescription {
    let cube = Cuboid::new(Vec3::new(0.6, 0.4, 0.2)).unwrap();
    BodyDescription::dynamic(name, cube).mass(2.0).position(at).material(material(0.5, 0.0))
}

fn belt(velocity: Vec3) -> BodyDescription {
    let floor = BodyDescription::fixed("belt", HalfSpace::new(Vec3::Z, 0.0).unwrap());
    floor.material(material(0.5, 0.0)).surface_velocity(velocity)
}

#[test]
fn a_crate_on_a_belt_slides_until_it_rides_and_the_ledger_has_the_work_of_the_belt() {
    for (settings, error) in settings() {
        let mut world = World::new();
        world.set_contact_settings(settings).unwrap();
        world.add_body(belt(Vec3::new(1.2, 0.0, 0.3))).unwrap();
        let crate_ = world.add_body(crate_at("crate", Vec3::Z * 0.1)).unwrap();
        // v = μ g t: 1.2 m/s after 0.2446 s.
        world.run(0.2).unwrap();
        let velocity = world.body(crate_).unwrap().state.velocity;
        assert!((velocity.x - 0.5 * G * 0.2).abs() < 0.01 + error, "{velocity}");
        let report = world.run(0.8).unwrap();
        let velocity = world.body(crate_).unwrap().state.velocity;
        assert!(
            (velocity - Vec3::X * 1.2).length() < error,
            "{velocity}: the part along the normal has no effect"
        );
        // The belt does p·s = m v², half of which is dissipated.
        let energy = world.energy();
        let kinetic = 0.5 * 2.0 * 1.2 * 1.2;
        assert!((energy.work_in - 2.0 * kinetic).abs() < 0.01 * kinetic, "{energy:?}");
        assert!((energy.dissipated - kinetic).abs() < 0.01 * kinetic + 5.0 * error, "{energy:?}");
        assert!(energy.error().abs() < 1e-9, "{energy:?}");
        assert!(error > 1e-6 || report.certificate.is_certified(), "{:?}", report.certificate);
        // It goes on without work or loss.
        let before = world.energy();
        world.run(0.5).unwrap();
        assert!((world.energy().work_in - before.work_in).abs() < 1e-6, "{:?}", world.energy());
        let change = world.body(crate_).unwrap().state.velocity - velocity;
        assert!(change.length() < error, "{change}");
    }
}

#[test]
fn a_jointed_body_rides_on_a_belt_and_the_ledger_has_its_work() {
    for (settings, error) in settings() {
        let mut world = World::new();
        world.set_contact_settings(settings).unwrap();
        world.add_body(belt(Vec3::X)).unwrap();
        let crate_ = world.add_body(crate_at("crate", Vec3::Z * 0.1)).unwrap();
        let lid = Cuboid::new(Vec3::new(0.6, 0.4, 0.02)).unwrap();
        let lid = BodyDescription::dynamic("lid", lid).mass(0.5).position(Vec3::Z * 0.215);
        let lid = world.add_body(lid).unwrap();
        world.add_hinge_joint("hinge", crate_, lid, Vec3::new(0.3, 0.0, 0.21), Vec3::Y).unwrap();
        world.set_collision(crate_, lid, true).unwrap();
        world.add_fixed_joint("lock", crate_, lid, Vec3::new(-0.3, 0.0, 0.21)).unwrap();
        world.run(1.0).unwrap();
        let velocity = world.body(crate_).unwrap().state.velocity;
        assert!((velocity - Vec3::X).length() < 1e-6 + error, "{velocity}");
        let energy = world.energy();
        // m v² of 2.5 kg, half of it kinetic.
        assert!((energy.work_in - 2.5).abs() < 0.03, "{energy:?}");
        assert!((energy.kinetic - 1.25).abs() < 0.01 && energy.error().abs() < 1e-6, "{energy:?}");
    }
}

#[test]
fn a_belt_on_a_cart_keeps_momentum_and_turns_with_its_body() {
    let mut world = World::new();
    world.set_gravity(Vec3::new(0.0, 0.0, -G)).unwrap();
    world
        .add_body(BodyDescription::fixed("ice", HalfSpace::new(Vec3::Z, 0.0).unwrap()).friction(0.0))
        .unwrap();
    let cart = BodyDescription::dynamic("cart", Cuboid::new(Vec3::new(6.0, 2.0, 0.2)).unwrap()).mass(10.0);
    let turned = Quat::from_rotation_z(std::f64::consts::FRAC_PI_2);
    let cart = cart.position(Vec3::Z * 0.1).orientation(turned).surface_velocity(Vec3::X);
    let cart = world.add_body(cart).unwrap();
    let crate_ = world.add_body(crate_at("crate", Vec3::Z * 0.3)).unwrap();
    world.run(1.0).unwrap();
    let [p, q] = [cart, crate_].map(|body| world.body(body).unwrap().state.velocity);
    // Relative velocity 1 m/s along the cart's x axis, which is the world's y axis; 2 q + 10 p = 0.
    assert!((q - p - Vec3::Y).length() < 1e-6, "{p} {q}");
    assert!((2.0 * q + 10.0 * p).length() < 1e-9, "{p} {q}");
    assert!(world.energy().error().abs() < 1e-9, "{:?}", world.energy());
}

#[test]
fn a_ball_that_bounces_off_a_belt_gets_the_friction_of_its_surface() {
    let mut world = World::new();
    world.set_gravity(Vec3::ZERO).unwrap();
    let belt = BodyDescription::fixed("belt", HalfSpace::new(Vec3::Z, 0.0).unwrap());
    world.add_body(belt.material(material(0.1, 0.8)).surface_velocity(Vec3::X * 50.0)).unwrap();
    let ball = BodyDescription::dynamic("ball", Sphere::new(0.1).unwrap()).mass(1.0);
    let ball = ball.position(Vec3::Z * 0.15).velocity(-Vec3::Z * 3.0).material(material(0.1, 0.8));
    let ball = world.add_body(ball).unwrap();
    let report = world.run(0.1).unwrap();
    let state = world.body(ball).unwrap().state;
    // It slides all through the impact: Δv_t = μ (1 + e) v_n, and ω = -5/2 Δv_t/r about y, backwards.
    let pushed = 0.1 * 1.8 * 3.0;
    assert!((state.velocity - Vec3::new(pushed, 0.0, 2.4)).length() < 1e-9, "{}", state.velocity);
    assert!(
        (state.angular_velocity + Vec3::Y * 2.5 * pushed / 0.1).length() < 1e-8,
        "{}",
        state.angular_velocity
    );
    assert_eq!(report.contacts.inelastic_impacts, 0);
    assert!(report.certificate.is_certified(), "{:?}", report.certificate);
    // The belt did m Δv_t s = 27 J of work.
    let energy = world.energy();
    assert!((energy.work_in - pushed * 50.0).abs() < 1e-9 && energy.error().abs() < 1e-9, "{energy:?}");
}

#[test]
fn belts_start_stop_and_turn_by_command() {
    let mut world = World::new();
    let floor = world.add_body(belt(Vec3::ZERO)).unwrap();
    let crate_ = world.add_body(crate_at("crate", Vec3::Z * 0.1)).unwrap();
    world.set_sleeping(Some(SleepSettings::default())).unwrap();
    world.run(1.0).unwrap();
    assert!(world.is_asleep(crate_).unwrap());
    world.set_surface_velocity(floor, Vec3::Y * 0.5).unwrap();
    world.run(1.0).unwrap();
    assert!((world.body(crate_).unwrap().state.velocity - Vec3::Y * 0.5).length() < 1e-9);
    world.set_surface_velocity(floor, Vec3::ZERO).unwrap();
    world.run(1.0).unwrap();
    assert!(world.body(crate_).unwrap().state.velocity.length() < 1e-9);
    let refused = world.set_surface_velocity(floor, Vec3::X * f64::NAN).unwrap_err();
    assert!(matches!(refused, WorldError::Invalid { field: "surface_velocity", .. }), "{refused}");
}

#[test]
fn a_one_way_platform_lets_bodies_through_from_below_and_holds_them_from_above() {
    for (settings, error) in settings() {
        let mut world = World::new();
        world.set_contact_settings(settings).unwrap();
        let platform = BodyDescription::fixed("platform", Cuboid::new(Vec3::new(4.0, 4.0, 0.2)).unwrap());
        world.add_body(platform.one_way(Vec3::Z * 3.0)).unwrap();
        let ball = BodyDescription::dynamic("ball", Sphere::new(0.25).unwrap()).mass(1.0);
        // Rises 1.5 m from 1 m below, and falls onto the platform.
        let ball = ball.position(-Vec3::Z).velocity(Vec3::Z * (2.0 * G * 1.5).sqrt());
        let ball = world.add_body(ball).unwrap();
        let (mut highest, mut certified) = (0.0, true);
        for _ in 0..1500 {
            let report = world.step(2e-3).unwrap();
            certified &= report.certificate.is_certified();
            highest = f64::max(highest, world.frame(ball).unwrap().position.z);
        }
        assert!((highest - 0.5).abs() < 1e-4, "{highest}: the platform slowed it down");
        let rest = world.frame(ball).unwrap().position.z;
        assert!((rest - 0.35).abs() < 1e-3, "{rest}");
        assert!(certified || error > 1e-6);
        // From the side it passes as well.
        let crate_ = crate_at("crate", Vec3::new(4.0, 1.0, 0.0)).velocity(-Vec3::X * 4.0);
        let crate_ = world.add_body(crate_).unwrap();
        world.set_gravity(Vec3::ZERO).unwrap();
        world.run(1.0).unwrap();
        assert!((world.body(crate_).unwrap().state.velocity + Vec3::X * 4.0).length() < 1e-12);
    }
}

/// Sets the friction of everything, and lets bodies without a name that starts with `b` pass.
#[derive(Debug)]
struct Rules {
    friction: f64,
}

impl ContactHook for Rules {
    fn respond(&self, pair: &HookedPair<'_>, response: &mut PairResponse) {
        assert!((pair.normal.length() - 1.0).abs() < 1e-12 && pair.gap < 0.1);
        response.material.friction = self.friction;
        response.enabled &= [pair.body_a, pair.body_b].iter().all(|body| body.name.starts_with('b'));
    }
}

#[test]
fn a_hook_sets_materials_and_lets_pairs_pass() {
    for (settings, _) in settings() {
        let mut world = World::new();
        world.set_contact_settings(settings.with_hook(Rules { friction: 0.1 })).unwrap();
        world.add_body(belt(Vec3::ZERO)).unwrap();
        let slides = world.add_body(crate_at("b1", Vec3::Z * 0.1).velocity(Vec3::X)).unwrap();
        let ghost = world.add_body(crate_at("ghost", Vec3::new(5.0, 0.0, 0.1))).unwrap();
        let snapshot = world.snapshot();
        let report = world.run(0.5).unwrap();
        assert!((world.body(slides).unwrap().state.velocity.x - (1.0 - 0.1 * G * 0.5)).abs() < 1e-2);
        assert!((world.body(ghost).unwrap().state.velocity.z + G * 0.5).abs() < 1e-9);
        assert!(report.certificate.is_certified() || world.contact_settings().tier == ContactTier::Fast);
        let hash = world.state_hash();
        world.restore(&snapshot).unwrap();
        world.run(0.5).unwrap();
        assert_eq!(world.state_hash(), hash);
        assert!(world.to_bytes().unwrap_err().to_string().starts_with("the contact hook"));
        let other = world.contact_settings().clone().with_hook(Rules { friction: -1.0 });
        world.set_contact_settings(other).unwrap();
        let refused = world.step(0.01).unwrap_err();
        assert!(matches!(refused, WorldError::PairMaterial { .. }), "{refused}");
        assert_eq!(world.state_hash(), hash);
        // Another hook is another model.
        assert!(world.restore(&snapshot).is_err());
    }
}

#[test]
fn worlds_with_belts_and_platforms_are_written_and_read() {
    let mut world = World::new();
    world.add_body(belt(Vec3::X)).unwrap();
    let platform = BodyDescription::fixed("platform", Cuboid::new(Vec3::new(4.0, 4.0, 0.2)).unwrap());
    world.add_body(platform.one_way(Vec3::Z).position(Vec3::Z * 2.0)).unwrap();
    world.add_body(crate_at("crate", Vec3::Z * 0.1)).unwrap();
    world.run(0.1).unwrap();
    let mut read = World::from_bytes(&world.to_bytes().unwrap()).unwrap();
    assert_eq!(read.model_hash(), world.model_hash());
    for world in [&mut read, &mut world] {
        world.run(0.5).unwrap();
    }
    assert_eq!(read.state_hash(), world.state_hash());
}

#[test]
fn force_events_name_pairs_above_the_threshold() {
    let mut world = World::new();
    let floor = world.add_body(belt(Vec3::ZERO)).unwrap();
    let light = world.add_body(crate_at("light", Vec3::Z * 0.1)).unwrap();
    let heavy = world.add_body(crate_at("heavy", Vec3::new(3.0, 0.0, 0.1)).mass(7.0)).unwrap();
    world.step(1e-3).unwrap();
    let pairs = |world: &World, threshold: f64| {
        let events = world.contact_force_events(threshold);
        events.iter().map(|event| (event.body_a, event.body_b)).collect::<Vec<_>>()
    };
    assert_eq!(pairs(&world, 10.0), [(floor, light), (floor, heavy)]);
    assert_eq!(pairs(&world, 20.0), [(floor, heavy)]);
    assert!(pairs(&world, 70.0).is_empty());
    let event = world.contact_force_events(20.0)[0];
    assert!((event.normal_force - 7.0 * G).abs() < 1e-9 && (event.force - Vec3::Z * 7.0 * G).length() < 1e-9);
    assert!((event.strongest.normal_force - 7.0 * G / 4.0).abs() < 1e-6);
    // A hammer blow: 2 kg stopped from 3 m/s in one step of 1 ms.
    world.set_velocity(light, -Vec3::Z * 3.0).unwrap();
    world.step(1e-3).unwrap();
    let blow = world.contact_force_events(1000.0);
    assert_eq!(blow.len(), 1);
    assert!((blow[0].normal_force - (6000.0 + 2.0 * G)).abs() < 1e-6, "{:?}", blow[0]);
}

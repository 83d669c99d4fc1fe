//! Changes to bodies in mid-run.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use msd::agent::{Command, Scripted};
use msd::engine::Engine;
use msd::environment::{BodyChange, BodyDescription, World, WorldError};
use msd::math::{Mat3, Vec3};
use msd::physics::forces::{MagneticDipole, MagneticSource};
use msd::physics::rigid_body::shape::{Cuboid, HalfSpace, Sphere};
use msd::physics::rigid_body::{BodyHandle, BodyKind, CollisionGroups, Material, PropertyValue};

fn sliding_box() -> (World, BodyHandle) {
    let mut world = World::new();
    world.add_body(BodyDescription::fixed("floor", HalfSpace::new(Vec3::Z, 0.0).unwrap())).unwrap();
    let cube = BodyDescription::dynamic("box", Cuboid::new(Vec3::ONE).unwrap()).mass(2.0).friction(0.2);
    let cube = world.add_body(cube.position(Vec3::Z * 0.5).velocity(Vec3::X * 4.0)).unwrap();
    (world, cube)
}

fn speed(world: &World, body: BodyHandle) -> f64 {
    world.body(body).unwrap().state.velocity.x
}

#[test]
fn another_material_holds_from_the_next_step_on() {
    let (mut world, cube) = sliding_box();
    world.run(0.5).unwrap();
    assert!((speed(&world, cube) - (4.0 - 0.5 * 0.2 * 9.81)).abs() < 1e-9);
    world.set_material(cube, Material { friction: 0.4, ..Material::default() }).unwrap();
    let before = speed(&world, cube);
    world.run(0.25).unwrap();
    assert!((speed(&world, cube) - (before - 0.25 * 0.4 * 9.81)).abs() < 1e-9);
    let bad = Material { friction: -1.0, ..Material::default() };
    assert!(matches!(world.set_material(cube, bad), Err(WorldError::Material { .. })));
}

#[test]
fn another_mass_changes_forces_and_is_booked_as_work() {
    let (mut world, cube) = sliding_box();
    let tensor = world.body(cube).unwrap().inertia.tensor_body();
    world.set_mass(cube, 6.0).unwrap();
    let view = world.body(cube).unwrap();
    assert_eq!(view.mass(), 6.0);
    assert!((view.inertia.tensor_body().x_axis - tensor.x_axis * 3.0).length() < 1e-15);
    world.set_velocity(cube, Vec3::ZERO).unwrap();
    world.run(0.1).unwrap();
    let force: f64 = world.contacts().map(|contact| contact.normal_force).sum();
    assert!((force - 6.0 * 9.81).abs() < 1e-6, "{force}");
    let (mut world, ball) = sliding_box();
    world.step(1e-3).unwrap();
    let before = world.energy();
    world.set_mass(ball, 4.0).unwrap();
    let after = world.energy();
    assert!((after.work_in - before.work_in - before.total()).abs() < 1e-12 * before.total());
    assert!(after.error().abs() < 1e-9);
    for mass in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(world.set_mass(ball, mass).is_err(), "{mass}");
    }
    assert_eq!(world.body(ball).unwrap().mass(), 4.0);
    world.set_inertia(ball, Mat3::from_diagonal(Vec3::new(1.0, 2.0, 2.5))).unwrap();
    assert!(world.set_inertia(ball, Mat3::from_diagonal(Vec3::new(1.0, 1.0, 9.0))).is_err());
}

#[test]
fn a_body_becomes_static_and_dynamic_again() {
    let (mut world, cube) = sliding_box();
    world.run(0.1).unwrap();
    let tensor = world.body(cube).unwrap().inertia.tensor_body();
    world.set_kind(cube, BodyKind::Static).unwrap();
    let place = world.body(cube).unwrap().state.center_of_mass;
    world.run(0.1).unwrap();
    assert_eq!(world.body(cube).unwrap().state.center_of_mass, place);
    assert_eq!(speed(&world, cube), 0.0);
    world.set_kind(cube, BodyKind::Dynamic).unwrap();
    assert_eq!(
        (world.body(cube).unwrap().mass(), world.body(cube).unwrap().inertia.tensor_body()),
        (2.0, tensor)
    );
    world.apply_impulse(cube, Vec3::X * 2.0).unwrap();
    world.step(1e-3).unwrap();
    assert!(speed(&world, cube) > 0.99);
    // A body that was made static has no mass until it is given one.
    let wall =
        world.add_body(BodyDescription::fixed("wall", Sphere::new(0.5).unwrap()).position(Vec3::Z * 9.0));
    let wall = wall.unwrap();
    let message = world.set_kind(wall, BodyKind::Dynamic).unwrap_err().to_string();
    assert!(message.contains("`wall`") && message.contains("mass"), "{message}");
    world.set_mass(wall, 3.0).unwrap();
    world.set_kind(wall, BodyKind::Dynamic).unwrap();
    world.run(0.1).unwrap();
    assert!((world.body(wall).unwrap().state.velocity.z + 0.981).abs() < 1e-9);
}

#[test]
fn groups_and_shape_change_what_touches() {
    let (mut world, cube) = sliding_box();
    world.set_velocity(cube, Vec3::ZERO).unwrap();
    world.run(0.1).unwrap();
    assert!(world.contacts().count() > 0);
    world.set_shape(cube, Cuboid::new(Vec3::new(1.0, 1.0, 0.5)).unwrap()).unwrap();
    world.run(1.0).unwrap();
    let height = world.body(cube).unwrap().state.center_of_mass.z;
    assert!((height - 0.25).abs() < 1e-6, "falls on its smaller shape: {height}");
    world.set_groups(cube, CollisionGroups::NONE).unwrap();
    world.run(0.5).unwrap();
    assert!(world.body(cube).unwrap().state.center_of_mass.z < -0.9);
    assert_eq!(world.contacts().count(), 0);
}

#[test]
fn damping_and_properties_are_set() {
    let mut world = World::new();
    world.set_gravity(Vec3::ZERO).unwrap();
    let craft = BodyDescription::without_shape("craft", 1.0, Mat3::IDENTITY).velocity(Vec3::X);
    let craft = world.add_body(craft.property("magnetic-dipole", PropertyValue::Vector(Vec3::ZERO))).unwrap();
    world.set_damping(craft, 1.0, 0.0).unwrap();
    world.run(1.0).unwrap();
    assert!((speed(&world, craft) - (-1.0_f64).exp()).abs() < 1e-6);
    assert!(world.set_damping(craft, -1.0, 0.0).is_err());
    // A magnetorquer: 2 A·m² along x in 3 T along y turn with 6 N·m about z.
    world.add_field(MagneticDipole::new(MagneticSource::Uniform(Vec3::Y * 3.0)).unwrap()).unwrap();
    world.step(1e-3).unwrap();
    assert_eq!(world.body(craft).unwrap().state.angular_velocity, Vec3::ZERO);
    world.set_property(craft, "magnetic-dipole", PropertyValue::Vector(Vec3::X * 2.0)).unwrap();
    world.step(1e-3).unwrap();
    let rate = world.body(craft).unwrap().state.angular_velocity.z;
    assert!((rate - 6e-3).abs() < 1e-9, "{rate}");
}

#[test]
fn agents_change_bodies_and_a_refused_step_takes_it_back() {
    let (world, cube) = sliding_box();
    let mut engine = Engine::new(world);
    let change = |change| Command::ChangeBody { body: cube, change: Box::new(change) };
    let light = change(BodyChange::Mass(1.0));
    engine.add_agent(Scripted::new(vec![(0.1, vec![light.clone()])]).unwrap());
    engine.update(0.2).unwrap();
    assert_eq!(engine.world().body(cube).unwrap().mass(), 1.0);
    let bad = change(BodyChange::Mass(-1.0));
    let heavy = change(BodyChange::Mass(9.0));
    engine.add_agent(Scripted::new(vec![(0.0, vec![heavy, bad])]).unwrap());
    let (model, state) = (engine.world().model_hash(), engine.world().state_hash());
    engine.step(1e-3).unwrap_err();
    assert_eq!((engine.world().model_hash(), engine.world().state_hash()), (model, state));
}

#[test]
fn user_data_changes_no_result() {
    let (mut world, cube) = sliding_box();
    let model = world.model_hash();
    world.set_user_data(cube, u128::MAX).unwrap();
    assert_eq!(world.body(cube).unwrap().body.user_data, u128::MAX);
    assert_eq!(world.model_hash(), model);
    assert_eq!(world.bodies().map(|(_, view)| view.body.user_data).sum::<u128>(), u128::MAX);
}

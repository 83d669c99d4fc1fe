//! Nothing passes through anything, however fast or thin.

use msd::environment::{BodyDescription, World};
use msd::math::Vec3;
use msd::physics::rigid_body::Material;
use msd::physics::rigid_body::shape::{Cuboid, Shape, Sphere};

fn thin_wall(material: Material) -> World {
    let mut world = World::new();
    world.set_gravity(Vec3::ZERO).unwrap();
    let wall: Shape = Cuboid::new(Vec3::new(0.01, 5.0, 5.0)).unwrap().into();
    world.add_body(BodyDescription::fixed("wall", wall).material(material)).unwrap();
    world
}

#[test]
fn a_bullet_does_not_pass_a_thin_wall() {
    for restitution in [0.0, 1.0] {
        let material = Material { friction: 0.0, restitution, ..Material::default() };
        let mut world = thin_wall(material);
        let bullet: Shape = Sphere::new(0.005).unwrap().into();
        let bullet =
            BodyDescription::dynamic("bullet", bullet).mass(0.01).position(Vec3::new(-40.0, 0.3, 0.2));
        let bullet = world.add_body(bullet.velocity(Vec3::X * 1000.0).material(material)).unwrap();
        for _ in 0..6 {
            world.step(1.0 / 60.0).unwrap();
        }
        let state = world.body(bullet).unwrap().state;
        assert!(state.center_of_mass.x < -0.009, "{state:?}");
        assert!((state.velocity + Vec3::X * (1000.0 * restitution)).length() < 1e-6, "{state:?}");
        if restitution == 1.0 {
            // 39.99 m to the wall, then back for the rest of 0.1 s.
            assert!((state.center_of_mass.x - (-0.01 - (100.0 - 39.99))).abs() < 1e-6, "{state:?}");
        }
    }
}

#[test]
fn a_spinning_rod_does_not_pass_a_thin_wall() {
    // The rod lies along z beside the wall and turns about y: its tips come round to the wall within one step.
    let mut world = thin_wall(Material::default());
    let rod: Shape = Cuboid::new(Vec3::new(0.02, 0.02, 1.0)).unwrap().into();
    let rod = BodyDescription::dynamic("rod", rod).mass(1.0).position(Vec3::X * -0.4);
    let rod = world.add_body(rod.angular_velocity(Vec3::Y * 100.0)).unwrap();
    for _ in 0..60 {
        let before = world.energy().total();
        world.step(1.0 / 60.0).unwrap();
        let state = world.body(rod).unwrap().state;
        assert!(state.center_of_mass.x < 0.0, "{state:?}");
        assert!(world.energy().total() <= before + 1e-9);
        let axis = state.orientation * Vec3::Z;
        let reach = state.center_of_mass.x + 0.5 * axis.x.abs();
        assert!(reach < 0.05, "the tip is at {reach}, the wall at -0.005 to 0.005");
    }
}

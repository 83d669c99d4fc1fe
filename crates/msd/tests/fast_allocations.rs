//! The fast tier asks for no memory once it has seen as many contacts.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

mod counting_allocator;

use counting_allocator::allocations;
use msd::environment::{BodyDescription, ContactSettings, ContactTier, World};
use msd::math::Vec3;
use msd::physics::rigid_body::shape::{Cuboid, HalfSpace, Shape};

#[test]
fn a_wall_at_rest_asks_for_no_memory() {
    let mut world = World::new();
    world.set_contact_settings(ContactSettings::with_tier(ContactTier::Fast)).unwrap();
    let plane: Shape = HalfSpace::new(Vec3::Z, 0.0).unwrap().into();
    world.add_body(BodyDescription::fixed("floor", plane)).unwrap();
    for k in 0..20 {
        let at = Vec3::new(f64::from(k % 5) * 1.1, 0.0, 0.5 + f64::from(k / 5));
        let cube: Shape = Cuboid::new(Vec3::ONE).unwrap().into();
        world.add_body(BodyDescription::dynamic(&format!("{k}"), cube).mass(1.0).position(at)).unwrap();
    }
    let mut steps = || (0..60).for_each(|_| assert!(world.step(1.0 / 60.0).is_ok()));
    steps();
    steps();
    assert_eq!(allocations(steps), 0);
}

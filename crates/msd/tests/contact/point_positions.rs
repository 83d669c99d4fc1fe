//! Contact points go with the poses of bodies: both are of the end of the step, in both tiers, at any speed of the whole.
use msd::environment::{BodyDescription, ContactSettings, ContactTier, World};
use msd::math::{ReferenceFrame, Vec3, orientation};
use msd::physics::rigid_body::Material;
use msd::physics::rigid_body::shape::{Capsule, Cuboid, Cylinder, HalfSpace, Shape, Sphere};

const TIERS: [ContactTier; 2] = [ContactTier::Exact, ContactTier::Fast];

/// How far a point may be off, as a share of the size of the body. The fast tier carries the points it has found along with both
/// bodies while these slide on each other by less than the margin, 1 % of their size, and reports them midway.
fn share(tier: ContactTier) -> f64 {
    if tier == ContactTier::Exact { 1e-9 } else { 0.01 }
}

fn world(tier: ContactTier) -> World {
    let mut world = World::new();
    world.set_contact_settings(ContactSettings::with_tier(tier)).unwrap();
    world
}

fn floor(world: &mut World) {
    let plane: Shape = HalfSpace::new(Vec3::Z, 0.0).unwrap().into();
    world.add_body(BodyDescription::fixed("floor", plane)).unwrap();
}

fn frame(world: &World, name: &str) -> ReferenceFrame {
    world.frame(world.find(name).unwrap()).unwrap()
}

fn dynamic(shape: impl Into<Shape>) -> BodyDescription {
    BodyDescription::dynamic("body", shape).mass(2.0)
}

/// A tower of two boxes and a ball in orbit: pressed together by a pull, 385 m from where the step began.
#[test]
fn contact_points_of_bodies_in_orbit_are_on_the_bodies() {
    for tier in TIERS {
        for dt in [0.05, 1e-3] {
            for velocity in [Vec3::ZERO, Vec3::new(0.0, 7700.0, 0.0), Vec3::new(3000.0, -5000.0, 4700.0)] {
                let mut world = world(tier);
                world.set_gravity(Vec3::ZERO).unwrap();
                let cube: Shape = Cuboid::new(Vec3::ONE).unwrap().into();
                for (k, name) in ["lower", "upper"].into_iter().enumerate() {
                    let body = BodyDescription::dynamic(name, cube.clone()).mass(100.0);
                    let place = Vec3::new(6.8e6, 0.0, k as f64);
                    world.add_body(body.position(place).velocity(velocity)).unwrap();
                }
                for step in 0..10 {
                    let [lower, upper] = ["lower", "upper"].map(|name| world.find(name).unwrap());
                    world.apply_force(lower, Vec3::Z * 50.0).unwrap();
                    world.apply_force(upper, -Vec3::Z * 50.0).unwrap();
                    world.step(dt).unwrap();
                    let contacts: Vec<_> = world.contacts().collect();
                    assert!(!contacts.is_empty(), "{tier:?} {dt} {velocity}: step {step}");
                    let [lower, upper] = ["lower", "upper"].map(|name| frame(&world, name));
                    for contact in contacts {
                        // Between surfaces that overlap by -gap; f64 resolves 1e-9 m at 6.8e6 m.
                        let within = contact.gap.abs() + 1e-7;
                        let on = |local: Vec3, z: f64| {
                            let out = (local.abs() - Vec3::splat(0.5)).max_element();
                            let off = (local.z - z).abs();
                            assert!(
                                out < within && off < within,
                                "{tier:?} {dt} {velocity}: {local}, gap {}",
                                contact.gap
                            );
                        };
                        on(lower.point_to_local(contact.position), 0.5);
                        on(upper.point_to_local(contact.position), -0.5);
                    }
                }
            }
        }
    }
}

/// The lowest point of a round body is under its centre, however far it rolled within the step.
#[test]
fn a_rolling_body_touches_under_its_axis() {
    let lying = orientation::from_rotation_vector(Vec3::X * std::f64::consts::FRAC_PI_2);
    for tier in TIERS {
        for (radius, speed, dt) in [(0.1, 3.0, 0.01), (0.5, 20.0, 1.0 / 60.0), (2.0, 1.0, 1e-3)] {
            // The fast tier turns contact points with the body over a step: three tenths of a radian are beyond it.
            if tier == ContactTier::Fast && speed * dt > 0.1 * radius {
                continue;
            }
            let shapes: [Shape; 3] = [
                Sphere::new(radius).unwrap().into(),
                Cylinder::new(radius, radius).unwrap().into(),
                Capsule::new(radius, radius).unwrap().into(),
            ];
            for shape in shapes {
                let mut world = world(tier);
                floor(&mut world);
                let body = dynamic(shape.clone()).position(Vec3::Z * radius).orientation(lying);
                let body = body.velocity(Vec3::X * speed).angular_velocity(Vec3::Y * (speed / radius));
                world.add_body(body).unwrap();
                for _ in 0..20 {
                    world.step(dt).unwrap();
                    let center = frame(&world, "body").position;
                    for contact in world.contacts() {
                        let aside = (contact.position - center).x.abs();
                        assert!(
                            aside < share(tier) * radius,
                            "{tier:?} {}: {aside} m aside",
                            shape.type_name()
                        );
                        let off = (contact.position.z - 0.5 * contact.gap).abs();
                        assert!(off < 1e-3 * radius, "{tier:?} {}: {off} m off midway", shape.type_name());
                    }
                }
                assert!(world.contacts().count() > 0, "{tier:?} {}", shape.type_name());
            }
        }
    }
}

/// A box that slides and turns about the vertical touches with its corners.
#[test]
fn a_sliding_box_touches_with_its_corners() {
    for tier in TIERS {
        for dt in [1e-3, 1.0 / 60.0] {
            let mut world = world(tier);
            floor(&mut world);
            let slippery = Material { friction: 0.0, ..Material::default() };
            let body = dynamic(Cuboid::new(Vec3::new(1.0, 0.6, 0.4)).unwrap()).position(Vec3::Z * 0.2);
            let body = body.velocity(Vec3::new(4.0, -3.0, 0.0)).angular_velocity(Vec3::Z * 2.0);
            world.add_body(body.material(slippery)).unwrap();
            for _ in 0..30 {
                world.step(dt).unwrap();
                let pose = frame(&world, "body");
                assert_eq!(world.contacts().count(), 4);
                for contact in world.contacts() {
                    let corner = pose.point_to_local(contact.position).abs() - Vec3::new(0.5, 0.3, 0.2);
                    assert!(
                        corner.abs().max_element() < share(tier),
                        "{tier:?} {dt}: {corner} from a corner"
                    );
                }
            }
        }
    }
}

/// A body that was moved by hand or removed after the step takes no contact point with it.
#[test]
fn changes_after_the_step_do_not_move_its_contacts() {
    for tier in TIERS {
        let mut world = world(tier);
        floor(&mut world);
        world.add_body(dynamic(Sphere::new(0.3).unwrap()).position(Vec3::Z * 0.3)).unwrap();
        (0..3).for_each(|_| drop(world.step(0.01).unwrap()));
        let before: Vec<_> = world.contacts().collect();
        assert_eq!(before.len(), 1);
        let body = world.find("body").unwrap();
        let acceleration = world.acceleration(body).unwrap();
        world
            .set_frame(body, ReferenceFrame { position: Vec3::splat(9.0), ..ReferenceFrame::IDENTITY })
            .unwrap();
        world.set_velocity(body, Vec3::X).unwrap();
        assert_eq!(world.contacts().collect::<Vec<_>>(), before);
        assert_eq!(world.acceleration(body).unwrap(), acceleration);
        world.remove_body(body).unwrap();
        assert_eq!(world.contacts().count(), 0);
        world.add_body(dynamic(Sphere::new(0.3).unwrap()).position(Vec3::Z * 0.3)).unwrap();
        assert_eq!(world.contacts().count(), 0);
    }
}

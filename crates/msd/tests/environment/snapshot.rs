//! Snapshots are identified by the user's declarations: an equal world accepts them at any step, a different one
//! refuses them.
#![allow(clippy::unwrap_used)]

use msd::environment::{BodyDescription, ContactSettings, ContactTier, SleepSettings, World};
use msd::math::{ReferenceFrame, Vec3, orientation};
use msd::physics::rigid_body::Material;
use msd::physics::rigid_body::shape::{
    Capsule, Compound, CompoundPart, Cone, ConvexHull, Cuboid, Cylinder, Shape, Sphere, TriangleMesh,
};

const DT: f64 = 1.0 / 120.0;

fn hull(size: f64) -> Shape {
    let corners = [
        Vec3::new(0.5, 0.4, -0.3),
        Vec3::new(-0.5, 0.4, -0.3),
        Vec3::new(-0.4, -0.5, -0.3),
        Vec3::new(0.4, -0.4, -0.3),
        Vec3::new(0.1, 0.1, 0.6),
        Vec3::new(-0.2, 0.0, 0.5),
    ];
    ConvexHull::from_points(&corners.map(|corner| corner * size)).unwrap().into()
}

/// Shapes that keep tables made when they are first needed, and others, dropped onto a rough sheet and onto each other.
fn heap(tier: ContactTier, sleep: bool) -> World {
    let mut world = World::new();
    world.set_contact_settings(ContactSettings::with_tier(tier)).unwrap();
    world.set_sleeping(sleep.then(SleepSettings::default)).unwrap();
    let corners = [(-5.0, -5.0, 0.0), (5.0, -5.0, 0.2), (5.0, 5.0, 0.0), (-5.0, 5.0, -0.1)];
    let sheet =
        TriangleMesh::new(corners.map(|(x, y, z)| Vec3::new(x, y, z)).to_vec(), vec![[0, 1, 2], [0, 2, 3]]);
    world.add_body(BodyDescription::fixed("sheet", sheet.unwrap())).unwrap();
    let part = |x: f64, shape: Shape| CompoundPart {
        frame: ReferenceFrame { position: Vec3::X * x, ..ReferenceFrame::IDENTITY },
        shape,
    };
    let shapes: [Shape; 8] = [
        hull(0.8),
        hull(1.0),
        Compound::new(vec![part(-0.3, hull(0.5)), part(0.3, hull(0.5))]).unwrap().into(),
        Cuboid::new(Vec3::new(0.5, 0.6, 0.4)).unwrap().into(),
        Cylinder::new(0.3, 0.5).unwrap().into(),
        Cone::new(0.3, 0.5).unwrap().into(),
        Capsule::new(0.2, 0.5).unwrap().into(),
        Sphere::new(0.3).unwrap().into(),
    ];
    for (k, shape) in shapes.into_iter().enumerate() {
        let turn = orientation::from_rotation_vector(Vec3::new(0.3 * k as f64, 0.2, -0.1 * k as f64));
        let place = Vec3::new(0.1 * (k % 3) as f64, 0.1 * (k % 2) as f64, 0.6 + 0.9 * k as f64);
        let body = BodyDescription::dynamic(&format!("body {k}"), shape).density(500.0);
        world.add_body(body.position(place).orientation(turn).velocity(-Vec3::Z)).unwrap();
    }
    world
}

#[test]
fn a_world_built_alike_takes_snapshots_of_any_step() {
    for (tier, sleep) in [(ContactTier::Exact, false), (ContactTier::Fast, true), (ContactTier::Auto, false)]
    {
        let mut world = heap(tier, sleep);
        let model = world.model_hash();
        let mut twin = heap(tier, sleep);
        for step in 0..180 {
            if step % 12 == 0 {
                twin = heap(tier, sleep);
            }
            // From 120 on the twin goes on by itself for a while.
            if step < 120 || step % 12 == 0 {
                twin.restore(&world.snapshot()).unwrap_or_else(|error| panic!("step {step}: {error}"));
            }
            let (expected, found) = (world.step(DT).unwrap(), twin.step(DT).unwrap());
            assert_eq!((world.state_hash(), expected), (twin.state_hash(), found), "{tier:?}, step {step}");
            assert_eq!(world.model_hash(), model, "contact changed the identity of the model");
        }
        assert!(world.contacts().count() > 8);
    }
}

#[test]
fn declared_parameters_distinguish_models() {
    let identity = |change: &dyn Fn(&mut World)| {
        let mut world = World::new();
        change(&mut world);
        world.model_hash()
    };
    let with = |body: BodyDescription| identity(&|world| assert!(world.add_body(body.clone()).is_ok()));
    let body = || BodyDescription::dynamic("body", hull(1.0)).mass(1.0);
    let material = |material: Material| with(body().material(material));
    let usual = Material::default();
    let models = [
        identity(&|_| ()),
        with(body()),
        with(body().mass(1.0 + f64::EPSILON)),
        with(body().damping(1e-9, 0.0)),
        with(body().damping(0.0, 1e-9)),
        with(body().center_of_mass(Vec3::X * 0.01)),
        with(BodyDescription::dynamic("body", hull(1.0 + 1e-15)).mass(1.0)),
        with(BodyDescription::dynamic("other", hull(1.0)).mass(1.0)),
        with(BodyDescription::kinematic("body", hull(1.0))),
        material(Material { friction: usual.friction + 1e-15, ..usual }),
        material(Material { restitution: 1e-15, ..usual }),
        material(Material { rolling_friction: 1e-15, ..usual }),
        material(Material { torsional_friction: 1e-15, ..usual }),
        identity(&|world| world.set_gravity(Vec3::ZERO).unwrap()),
        identity(&|world| world.set_contact_settings(ContactSettings::with_tier(ContactTier::Fast)).unwrap()),
        identity(&|world| world.set_sleeping(Some(SleepSettings::default())).unwrap()),
    ];
    for (k, model) in models.iter().enumerate() {
        assert!(models[..k].iter().all(|other| other != model), "model {k} is taken for another");
    }
    assert_eq!(with(body()), models[1], "built again, it is the same model");
}

#[test]
fn with_sleep_on_a_body_can_be_added_before_a_snapshot() {
    for steps in [0, 1, 60] {
        let mut world = heap(ContactTier::Exact, true);
        for _ in 0..steps {
            world.step(DT).unwrap();
        }
        let ball: Shape = Sphere::new(0.2).unwrap().into();
        let late = BodyDescription::dynamic("late", ball).mass(1.0).position(Vec3::Z * 12.0);
        let late = world.add_body(late).unwrap();
        let snapshot = world.snapshot();
        let mut copy = world.clone();
        copy.step(DT).unwrap();
        let expected = copy.state_hash();
        for world in [&mut world, &mut copy] {
            world.restore(&snapshot).unwrap();
            world.step(DT).unwrap();
            assert_eq!(world.state_hash(), expected);
        }
        // Also with a slot that stands empty.
        world.remove_body(late).unwrap();
        let snapshot = world.snapshot();
        world.restore(&snapshot).unwrap();
    }
}

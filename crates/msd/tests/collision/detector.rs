//! The detector: contacts of many bodies, found once, kept while they last.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use msd::math::{Mat3, Vec3};
use msd::physics::collision::CollisionDetector;
use msd::physics::collision::broad_phase::Filter;
use msd::physics::rigid_body::shape::{Cuboid, HalfSpace, Shape};
use msd::physics::rigid_body::{Bodies, BodyKind, Inertia, InertialState, RigidBody};

struct Scene {
    bodies: Vec<RigidBody>,
    inertias: Vec<Inertia>,
    states: Vec<InertialState>,
}

impl Scene {
    fn new() -> Self {
        Self { bodies: Vec::new(), inertias: Vec::new(), states: Vec::new() }
    }

    fn add(&mut self, shape: Shape, kind: BodyKind, position: Vec3, velocity: Vec3) -> usize {
        let movable = kind == BodyKind::Dynamic;
        let inertia = if movable { Inertia::new(1.0, Mat3::IDENTITY).unwrap() } else { Inertia::IMMOVABLE };
        self.bodies.push(RigidBody { kind, shape: Some(shape), ..RigidBody::new("b", inertia) });
        self.inertias.push(inertia);
        self.states.push(InertialState { center_of_mass: position, velocity, ..InertialState::AT_REST });
        self.states.len() - 1
    }

    fn view(&self) -> Bodies<'_> {
        Bodies { bodies: &self.bodies, inertias: &self.inertias, states: &self.states }
    }

    fn advance(&mut self, dt: f64) {
        self.states.iter_mut().for_each(|state| state.center_of_mass += state.velocity * dt);
    }
}

fn cube() -> Shape {
    Shape::Box(Cuboid::new(Vec3::ONE).unwrap())
}

fn ground() -> Shape {
    Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0).unwrap())
}

fn all(_: &msd::physics::rigid_body::BodyView<'_>) -> Filter {
    Filter::default()
}

#[test]
fn a_cube_on_the_ground_has_four_contacts_with_the_normal_up() {
    let mut scene = Scene::new();
    scene.add(ground(), BodyKind::Static, Vec3::ZERO, Vec3::ZERO);
    scene.add(cube(), BodyKind::Dynamic, Vec3::new(3.0, -2.0, 0.499), Vec3::ZERO);
    scene.add(cube(), BodyKind::Dynamic, Vec3::new(9.0, 0.0, 5.0), Vec3::ZERO);
    let mut detector = CollisionDetector::default();
    detector.update(&scene.view(), 1e-3, all);
    let found: Vec<_> = detector.contacts().collect();
    assert_eq!(found.len(), 1, "the cube in the air touches nothing");
    let (pair, manifold) = (&found[0], &found[0].manifolds[0].manifold);
    assert_eq!((pair.a, pair.b), (0, 1));
    assert!((manifold.normal - Vec3::Z).length() < 1e-12);
    assert_eq!(manifold.points().len(), 4);
    assert!(manifold.points().iter().all(|point| (point.distance + 0.001).abs() < 1e-12));
}

#[test]
fn impulses_stay_with_their_contacts_and_leave_with_them() {
    let mut scene = Scene::new();
    scene.add(ground(), BodyKind::Static, Vec3::ZERO, Vec3::ZERO);
    scene.add(cube(), BodyKind::Dynamic, Vec3::Z * 0.5, Vec3::X * 0.01);
    let mut detector = CollisionDetector::default();
    detector.update(&scene.view(), 1e-3, all);
    for (i, impulse) in detector.manifolds_mut(0)[0].impulses.iter_mut().enumerate() {
        impulse.normal = 1.0 + i as f64;
    }
    let before: Vec<_> = {
        let manifold = &detector.contacts().next().unwrap().manifolds[0];
        manifold
            .manifold
            .points()
            .iter()
            .map(|p| p.feature)
            .zip(manifold.impulses.map(|i| i.normal))
            .collect()
    };
    for _ in 0..100 {
        scene.advance(1e-3);
        detector.update(&scene.view(), 1e-3, all);
    }
    let manifold = &detector.contacts().next().unwrap().manifolds[0];
    for (feature, impulse) in before {
        let now = manifold.manifold.points().iter().position(|p| p.feature == feature).unwrap();
        assert_eq!(manifold.impulses[now].normal, impulse);
    }
    scene.states[1].center_of_mass.z = 10.0;
    detector.update(&scene.view(), 1e-3, all);
    assert_eq!(detector.contacts().count(), 0);
}

#[test]
fn a_contact_is_there_in_the_step_that_needs_it_and_not_long_before() {
    // 100 m/s at a wall 1 m away, dt = 1/60 s: it will be there within this step.
    let mut scene = Scene::new();
    let wall = Shape::Box(Cuboid::new(Vec3::new(0.01, 10.0, 10.0)).unwrap());
    scene.add(wall, BodyKind::Static, Vec3::ZERO, Vec3::ZERO);
    scene.add(cube(), BodyKind::Dynamic, Vec3::X * -1.5, Vec3::X * 100.0);
    let mut detector = CollisionDetector::default();
    detector.update(&scene.view(), 1.0 / 60.0, all);
    assert_eq!(detector.contacts().count(), 1);
    scene.states[1].velocity = Vec3::X;
    detector.update(&scene.view(), 1.0 / 60.0, all);
    assert_eq!(detector.contacts().count(), 0);
}

#[test]
fn contacts_at_orbital_speed_are_those_at_rest() {
    let contacts = |origin: Vec3, common: Vec3| {
        let mut scene = Scene::new();
        for i in 0..5 {
            let at = origin + Vec3::new(1.0005 * f64::from(i), 0.0, 0.0);
            scene.add(cube(), BodyKind::Dynamic, at, common);
        }
        let mut detector = CollisionDetector::default();
        let mut found = Vec::new();
        for _ in 0..50 {
            detector.update(&scene.view(), 0.01, all);
            scene.advance(0.01);
            found = detector.contacts().map(|c| (c.a, c.b, c.manifolds[0].manifold.points().len())).collect();
        }
        found
    };
    let at_rest = contacts(Vec3::ZERO, Vec3::ZERO);
    assert_eq!(at_rest, vec![(0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 4, 4)]);
    assert_eq!(contacts(Vec3::X * 7e6, Vec3::Y * 7600.0), at_rest);
}

#[test]
fn excluded_pairs_and_graphical_bodies_have_no_contacts() {
    let mut scene = Scene::new();
    scene.add(cube(), BodyKind::Dynamic, Vec3::ZERO, Vec3::ZERO);
    scene.add(cube(), BodyKind::Dynamic, Vec3::X * 0.9, Vec3::ZERO);
    scene.add(cube(), BodyKind::Graphical, Vec3::Y * 0.9, Vec3::ZERO);
    let mut detector = CollisionDetector::default();
    detector.update(&scene.view(), 1e-3, all);
    assert_eq!(detector.contacts().count(), 1);
    detector.filter_mut().exclude(0, 1);
    detector.update(&scene.view(), 1e-3, all);
    assert_eq!(detector.contacts().count(), 0);
}

//! Articulations: coordinates, kinematics and dynamics of trees, against each other, against differences and against simulated motion.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::needless_range_loop)]

use std::sync::Arc;

use msd::math::orientation;
use msd::physics::articulation::{Articulation, Mobility};
use msd::physics::constraints::{
    Actuator, BallJoint, Constraint, FixedJoint, HingeJoint, JointEnd, SliderJoint,
};
use msd::physics::integration;
use msd::prelude::*;

struct Random(u64);

impl Random {
    /// In [-1, 1].
    fn number(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        2.0 * (self.0 >> 11) as f64 / (1_u64 << 53) as f64 - 1.0
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.number(), self.number(), self.number())
    }

    fn numbers(&mut self, count: usize) -> Vec<f64> {
        (0..count).map(|_| self.number()).collect()
    }
}

/// A tree of seven bodies with every kind of joint, some the other way round: on a base that floats, or held to the world.
fn tree(seed: u64, floats: bool) -> (World, Articulation) {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    random.numbers(8);
    let mut world = World::new();
    world.set_gravity(random.vector() * 9.0).unwrap();
    let mut bodies = Vec::new();
    for i in 0..7 {
        let size = Vec3::new(0.2, 0.3, 0.5) + random.vector() * 0.1;
        let description = BodyDescription::dynamic(&format!("b{i}"), Shape::Box(Cuboid::new(size).unwrap()))
            .mass(1.5 + random.number())
            .position(random.vector() * 2.0)
            .orientation(orientation::from_rotation_vector(random.vector() * 2.0));
        bodies.push(world.add_body(description).unwrap());
    }
    let parents = [None, Some(0), Some(1), Some(0), Some(3), Some(3), Some(5)];
    for (i, parent) in parents.into_iter().enumerate() {
        let (anchor, axis) = (random.vector() * 2.0, random.vector());
        let own = world.joint_end(bodies[i]).unwrap();
        let other = match parent {
            Some(parent) => world.joint_end(bodies[parent]).unwrap(),
            None if floats => continue,
            None => JointEnd::WORLD,
        };
        let (a, b) = if i % 2 == 1 { (own, other) } else { (other, own) };
        let joint: Arc<dyn Constraint> = match i {
            0 | 1 | 4 => Arc::new(HingeJoint::new(a, b, anchor, axis).unwrap().placed_at(0.3).unwrap()),
            2 | 5 => Arc::new(SliderJoint::new(a, b, anchor, axis).unwrap().placed_at(-0.2).unwrap()),
            3 => Arc::new(BallJoint::new(a, b, anchor).unwrap()),
            _ => Arc::new(FixedJoint::new(a, b, anchor).unwrap()),
        };
        world.add_joint(&format!("j{i}"), joint).unwrap();
    }
    pass_through(&mut world);
    let articulation = world.articulation();
    (world, articulation)
}

/// Nothing touches anything.
fn pass_through(world: &mut World) {
    let bodies: Vec<_> = world.handles().collect();
    for (i, a) in bodies.iter().enumerate() {
        bodies[i + 1..].iter().for_each(|b| world.set_collision(*a, *b, false).unwrap());
    }
}

/// A random q: quaternions of length one.
fn random_q(articulation: &Articulation, random: &mut Random) -> Vec<f64> {
    let mut q = random.numbers(articulation.positions());
    for link in articulation.links() {
        let at = match link.mobility {
            Mobility::Ball => link.first_position,
            Mobility::Free => link.first_position + 3,
            _ => continue,
        };
        let length = q[at..at + 4].iter().map(|x| x * x).sum::<f64>().sqrt();
        q[at..at + 4].iter_mut().for_each(|x| *x /= length);
    }
    q
}

/// q after `h` seconds at constant v, to first order and better.
fn moved(articulation: &Articulation, q: &[f64], v: &[f64], h: f64) -> Vec<f64> {
    let mut moved = q.to_vec();
    for link in articulation.links() {
        let (p, w) = (link.first_position, link.first_velocity);
        let turn = |q: &[f64], spin: &[f64]| {
            let spin = Vec3::new(spin[0], spin[1], spin[2]) * h;
            let turned =
                orientation::from_wxyz([q[0], q[1], q[2], q[3]]) * orientation::from_rotation_vector(spin);
            orientation::to_wxyz(turned)
        };
        match link.mobility {
            Mobility::Fixed => {}
            Mobility::Hinge | Mobility::Slider => moved[p] += h * v[w],
            Mobility::Sequence(joints) => (0..joints).for_each(|k| moved[p + k] += h * v[w + k]),
            Mobility::Ball => moved[p..p + 4].copy_from_slice(&turn(&q[p..], &v[w..])),
            Mobility::Free => {
                (0..3).for_each(|k| moved[p + k] += h * v[w + k]);
                moved[p + 3..p + 7].copy_from_slice(&turn(&q[p + 3..], &v[w + 3..]));
            }
        }
    }
    moved
}

fn close(a: &[f64], b: &[f64], bound: f64, what: &str) {
    assert_eq!(a.len(), b.len());
    let off = a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(off < bound, "{what}: off by {off:e}\n{a:?}\n{b:?}");
}

#[test]
fn coordinates_come_back_as_they_were_set_and_joints_stay_closed() {
    for seed in 1..20 {
        for floats in [false, true] {
            let (mut world, tree) = tree(seed, floats);
            assert_eq!((tree.links().len(), tree.velocities()), (7, if floats { 6 + 7 } else { 8 }));
            let mut random = Random(seed + 77);
            let (q, v) = (random_q(&tree, &mut random), random.numbers(tree.velocities()));
            world.set_qv(&tree, &q, &v).unwrap();
            close(&world.q(&tree), &q, 1e-13, "q");
            close(&world.v(&tree), &v, 1e-12, "v");
            let hinge = world.find_joint("j4").unwrap();
            let link = &tree.links()[tree.link_by(hinge).unwrap()];
            assert!((world.joint_position(hinge).unwrap() - q[link.first_position]).abs() < 1e-13);
            assert!((world.joint_velocity(hinge).unwrap() - v[link.first_velocity]).abs() < 1e-12);
            let report = world.step(1e-6).unwrap();
            assert!(report.energy.correction.abs() < 1e-9, "{:e}", report.energy.correction);
            assert!(world.joint_report().position_error < 1e-12);
        }
    }
}

#[test]
fn names_say_what_each_number_is() {
    let (_, tree) = tree(1, true);
    let names = tree.position_names();
    assert_eq!(
        names[..8],
        ["b0.x", "b0.y", "b0.z", "b0.qw", "b0.qx", "b0.qy", "b0.qz", "j1"].map(String::from)
    );
    assert_eq!((names.len(), tree.velocity_names().len()), (tree.positions(), tree.velocities()));
    assert_eq!(tree.velocity_names()[8..11], ["j3.wx", "j3.wy", "j3.wz"].map(String::from));
}

#[test]
fn velocities_are_the_rates_of_where_links_are() {
    let (mut world, tree) = tree(5, true);
    let mut random = Random(99);
    let (q, v) = (random_q(&tree, &mut random), random.numbers(tree.velocities()));
    let h = 1e-5;
    let place = |world: &mut World, h: f64| {
        world.set_qv(&tree, &moved(&tree, &q, &v, h), &v).unwrap();
        tree.links().iter().map(|link| *world.body(link.body).unwrap().state).collect::<Vec<_>>()
    };
    let (before, now, after) = (place(&mut world, -h), place(&mut world, 0.0), place(&mut world, h));
    for i in 0..7 {
        let velocity = (after[i].center_of_mass - before[i].center_of_mass) / (2.0 * h);
        assert!((velocity - now[i].velocity).length() < 1e-8, "{i}");
        let spin = after[i].orientation * before[i].orientation.conjugate();
        assert!(
            (orientation::rotation_vector(spin) / (2.0 * h) - now[i].angular_velocity).length() < 1e-8,
            "{i}"
        );
    }
}

#[test]
fn mass_matrix_and_jacobian_say_what_velocities_and_energy_are() {
    for seed in 1..10 {
        let (mut world, tree) = tree(seed, seed % 2 == 0);
        let mut random = Random(seed + 7);
        let n = tree.velocities();
        let (q, v) = (random_q(&tree, &mut random), random.numbers(n));
        world.set_qv(&tree, &q, &v).unwrap();
        let matrix = world.mass_matrix(&tree);
        let energy: f64 = (0..n)
            .flat_map(|i| (0..n).map(move |j| (i, j)))
            .map(|(i, j)| 0.5 * v[i] * matrix[i * n + j] * v[j])
            .sum();
        assert!((energy - world.energy().kinetic).abs() < 1e-12 * energy, "½ vᵀ M v");
        for (i, link) in tree.links().iter().enumerate() {
            let point = random.vector();
            let rows = world.jacobian(&tree, link.body, point).unwrap();
            let view = world.body(link.body).unwrap();
            let at = view.body.frame(view.state).point_to_parent(point);
            let row = |k: usize| (0..n).map(|j| rows[k * n + j] * v[j]).sum::<f64>();
            let (velocity, spin) = (Vec3::new(row(0), row(1), row(2)), Vec3::new(row(3), row(4), row(5)));
            assert!((velocity - view.state.velocity_at(at)).length() < 1e-12, "{i}");
            assert!((spin - view.state.angular_velocity).length() < 1e-12, "{i}");
        }
        let (mass, center) = world.center_of_mass(&tree);
        let views = tree.links().iter().map(|link| world.body(link.body).unwrap());
        let moment: Vec3 = views.map(|view| view.state.center_of_mass * view.mass()).sum();
        assert!((center - moment / mass).length() < 1e-13);
    }
}

/// Solves `M x = b` by Gaussian elimination.
fn solved(matrix: &[f64], b: &[f64]) -> Vec<f64> {
    let n = b.len();
    let (mut a, mut x) = (matrix.to_vec(), b.to_vec());
    for k in 0..n {
        for i in k + 1..n {
            let factor = a[i * n + k] / a[k * n + k];
            (k..n).for_each(|j| a[i * n + j] -= factor * a[k * n + j]);
            x[i] -= factor * x[k];
        }
    }
    for k in (0..n).rev() {
        let sum: f64 = (k + 1..n).map(|j| a[k * n + j] * x[j]).sum();
        x[k] = (x[k] - sum) / a[k * n + k];
    }
    x
}

#[test]
fn newton_euler_and_composite_bodies_agree() {
    for seed in 1..10 {
        let (mut world, tree) = tree(seed, seed % 2 == 1);
        let mut random = Random(seed + 3);
        let n = tree.velocities();
        world.set_qv(&tree, &random_q(&tree, &mut random), &random.numbers(n)).unwrap();
        let (matrix, bias) = (world.mass_matrix(&tree), world.bias_forces(&tree));
        for j in 0..n {
            let mut unit = vec![0.0; n];
            unit[j] = 1.0;
            let column: Vec<f64> =
                world.inverse_dynamics(&tree, &unit).iter().zip(&bias).map(|(a, b)| a - b).collect();
            let expected: Vec<f64> = (0..n).map(|i| matrix[i * n + j]).collect();
            close(&column, &expected, 1e-11, "a column of the mass matrix");
        }
    }
}

#[test]
fn simulated_trees_accelerate_as_their_equation_of_motion_says() {
    for seed in 1..6 {
        for floats in [false, true] {
            let (mut world, tree) = tree(seed, floats);
            world.set_integrator(integration::by_name("rk4", None).unwrap());
            let mut random = Random(seed + 13);
            let n = tree.velocities();
            let v = random.numbers(n);
            world.set_qv(&tree, &random_q(&tree, &mut random), &v).unwrap();
            let hinge = world.find_joint("j1").unwrap();
            let motor = world.add_actuator("motor", hinge, Actuator::motor()).unwrap();
            world.set_control(motor, 2.0).unwrap();
            let mut force: Vec<f64> = world.bias_forces(&tree).iter().map(|bias| -bias).collect();
            force[tree.links()[tree.link_by(hinge).unwrap()].first_velocity] += 2.0;
            let expected = solved(&world.mass_matrix(&tree), &force);
            // (-3 v₀ + 4 v₁ - v₂)/2h.
            let h = 1e-4;
            world.step(h).unwrap();
            let one = world.v(&tree);
            world.step(h).unwrap();
            let two = world.v(&tree);
            let found: Vec<f64> = (0..n).map(|i| (-3.0 * v[i] + 4.0 * one[i] - two[i]) / (2.0 * h)).collect();
            let size = expected.iter().map(|a| a.abs()).fold(1.0, f64::max);
            close(&found, &expected, 1e-5 * size * size, "acceleration");
        }
    }
}

#[test]
fn torques_of_inverse_dynamics_make_the_motion_they_were_asked_for() {
    // Computed torque: q̈ = -3 sin t for each hinge of an arm of three, under gravity.
    let mut world = World::new();
    world.set_integrator(integration::by_name("rk4", None).unwrap());
    let mut random = Random(4242);
    let mut motors = Vec::new();
    let mut before = None;
    for i in 0..3 {
        let at = Vec3::X * f64::from(i);
        let shape = Shape::Capsule(Capsule::new(0.1, 0.8).unwrap());
        let description =
            BodyDescription::dynamic(&format!("l{i}"), shape).mass(2.0).position(at + Vec3::X * 0.5);
        let body = world.add_body(description).unwrap();
        let ends =
            (before.map_or(JointEnd::WORLD, |b| world.joint_end(b).unwrap()), world.joint_end(body).unwrap());
        let joint = Arc::new(HingeJoint::new(ends.0, ends.1, at, random.vector()).unwrap());
        let joint = world.add_joint(&format!("j{i}"), joint).unwrap();
        motors.push(world.add_actuator(&format!("m{i}"), joint, Actuator::motor()).unwrap());
        before = Some(body);
    }
    pass_through(&mut world);
    let arm = world.articulation();
    world.set_v(&arm, &[3.0; 3]).unwrap();
    let dt = 5e-4;
    for step in 0..2000 {
        // The torque of a step is that at mid-step, where v and q are unknown: the difference is of second order.
        let wanted = [-3.0 * (dt * (f64::from(step) + 0.5)).sin(); 3];
        let tau = world.inverse_dynamics(&arm, &wanted);
        motors.iter().zip(tau).for_each(|(motor, tau)| world.set_control(*motor, tau).unwrap());
        world.step(dt).unwrap();
    }
    // q = 3 sin t.
    let found = world.q(&arm);
    close(&found, &[3.0 * 1.0_f64.sin(); 3], 0.02, "q after 1 s");
}

#[test]
fn what_does_not_fit_is_refused_and_loops_are_left_out() {
    let (mut world, tree) = tree(2, true);
    let (q, v) = (world.q(&tree), world.v(&tree));
    let text = world.set_qv(&tree, &q[1..], &v).unwrap_err().to_string();
    assert!(text.contains("14 numbers where it has 15") || text.contains("numbers where it has"), "{text}");
    let mut bad = q.clone();
    bad[3..7].fill(0.0);
    let text = world.set_qv(&tree, &bad, &v).unwrap_err().to_string();
    assert!(text.contains("quaternion"), "{text}");
    bad[3] = f64::NAN;
    assert!(world.set_qv(&tree, &bad, &v).is_err());
    close(&world.q(&tree), &q, 1e-15, "unchanged");
    // A further joint between two links closes a loop.
    let [a, b] = [0, 5].map(|i| tree.links()[i].body);
    let ends = (world.joint_end(a).unwrap(), world.joint_end(b).unwrap());
    world.add_joint("loop", Arc::new(BallJoint::new(ends.0, ends.1, Vec3::X).unwrap())).unwrap();
    assert_eq!(world.articulation().velocities(), tree.velocities());
    // One body of its own is a tree of its own.
    let free = world
        .add_body(BodyDescription::dynamic("free", Shape::Sphere(Sphere::new(0.1).unwrap())).mass(1.0))
        .unwrap();
    assert_eq!(world.articulation().velocities(), tree.velocities() + 6);
    assert_eq!(world.articulation_of(free).unwrap().velocities(), 6);
    assert_eq!(world.articulation_of(a).unwrap().velocities(), tree.velocities());
}

#[test]
fn turns_that_are_set_are_counted() {
    let (mut world, tree) = tree(3, false);
    let mut q = world.q(&tree);
    let hinge = world.find_joint("j4").unwrap();
    let at = tree.links()[tree.link_by(hinge).unwrap()].first_position;
    q[at] = 17.5;
    world.set_q(&tree, &q).unwrap();
    assert!((world.joint_position(hinge).unwrap() - 17.5).abs() < 1e-12);
    close(&world.q(&tree), &q, 1e-12, "q");
    world.reset();
    assert!(world.joint_position(hinge).unwrap().abs() < 3.2 || world.steps() == 0);
}

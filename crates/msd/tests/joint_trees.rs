//! Trees of joints, eliminated link by link, against the same joints by rows: the same motion, multipliers, reactions and energies.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use std::sync::Arc;

use msd::math::orientation;
use msd::physics::constraints::{AxisMemory, JacobianRow, JointAxis, Pair, RowLaw, RowUnit};
use msd::physics::forces::FieldClass;
use msd::physics::integration;
use msd::physics::rigid_body::{Bodies, Wrench};
use msd::prelude::*;
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

/// A joint of a type that is not delivered: worlds with one solve all joints by rows.
#[derive(Debug)]
struct ByRows(Arc<dyn Constraint>);

impl Constraint for ByRows {
    fn type_name(&self) -> &'static str {
        "by rows"
    }
    fn bodies(&self) -> [Option<BodyHandle>; 2] {
        self.0.bodies()
    }
    fn dimension(&self) -> usize {
        self.0.dimension()
    }
    fn law(&self, row: usize) -> RowLaw {
        self.0.law(row)
    }
    fn unit(&self, row: usize) -> RowUnit {
        self.0.unit(row)
    }
    fn value(&self, pair: &Pair<'_>, time: f64, out: &mut [f64]) {
        self.0.value(pair, time, out);
    }
    fn value_with(&self, pair: &Pair<'_>, time: f64, memory: &AxisMemory, out: &mut [f64]) {
        self.0.value_with(pair, time, memory, out);
    }
    fn jacobian(&self, pair: &Pair<'_>, time: f64, out: &mut [JacobianRow]) {
        self.0.jacobian(pair, time, out);
    }
    fn bias_acceleration(&self, pair: &Pair<'_>, time: f64, out: &mut [f64]) {
        self.0.bias_acceleration(pair, time, out);
    }
    fn axis(&self) -> Option<JointAxis> {
        self.0.axis()
    }
    fn axis_position(&self, pair: &Pair<'_>, near: f64) -> f64 {
        self.0.axis_position(pair, near)
    }
    fn axis_row(&self, pair: &Pair<'_>) -> (JacobianRow, f64) {
        self.0.axis_row(pair)
    }
    fn anchor(&self, pair: &Pair<'_>) -> Coordinate {
        self.0.anchor(pair)
    }
}

/// A field that says it depends on velocity, and exerts nothing: forces of joints are then found by iteration.
#[derive(Clone, Debug)]
struct Nothing;

impl Field for Nothing {
    fn type_name(&self) -> &'static str {
        "nothing"
    }
    fn energy(&self, _body: &BodyView<'_>, _bodies: &Bodies<'_>, _time: f64) -> Option<f64> {
        None
    }
    fn class(&self) -> FieldClass {
        FieldClass::Dissipative
    }
    fn depends_on_velocity(&self) -> bool {
        true
    }
    fn wrench(&self, _body: &BodyView<'_>, _bodies: &Bodies<'_>, _time: f64) -> Wrench {
        Wrench::ZERO
    }
}

/// One joint of a random tree.
#[derive(Clone, Copy, Debug)]
struct Sprout {
    /// Which of the bodies before it is its parent, as a share of their number.
    parent: f64,
    kind: usize,
    reversed: bool,
    anchor: Vec3,
    axis: Vec3,
    place: Vec3,
    turn: Vec3,
    mass: f64,
    size: Vec3,
}

fn vector(size: f64) -> impl Strategy<Value = Vec3> {
    (-size..size, -size..size, -size..size).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

fn sprout() -> impl Strategy<Value = Sprout> {
    let place = (0.0..1.0_f64, 0..4_usize, any::<bool>(), vector(0.4), vector(1.0), vector(0.5));
    let body = (vector(2.0), -1.0..1.0_f64, vector(0.2));
    (place, body).prop_map(|((parent, kind, reversed, anchor, axis, place), (turn, mass, size))| Sprout {
        parent,
        kind,
        reversed,
        anchor,
        axis: axis + Vec3::Z * 1.5,
        place,
        turn,
        mass: 10.0_f64.powf(mass),
        size: size.abs() + Vec3::splat(0.1),
    })
}

/// Adds a rotor, a spring with a damper and a servo along the axis of a joint, all resolved by steps of a millisecond.
fn ride(world: &mut World, k: usize, joint: ConstraintHandle, sprout: &Sprout) {
    let inertia = 0.05 * sprout.mass * sprout.size.length_squared() * (1.0 + sprout.parent);
    world.add_joint_armature(&format!("rotor {k}"), joint, inertia).unwrap();
    let spring = [20.0 * inertia, 2.0 * inertia, 0.1];
    if k.is_multiple_of(2) {
        world.add_joint_spring(&format!("spring {k}"), joint, spring).unwrap();
    }
    let servo = Actuator::position(10.0 * inertia, 0.5 * inertia).unwrap();
    let servo = world.add_actuator(&format!("servo {k}"), joint, servo).unwrap();
    world.set_control(servo, 0.3).unwrap();
}

/// The tree, hanging on the world or free, by rows or not.
fn tree(sprouts: &[Sprout], hangs: bool, limit: Option<f64>, rows: bool, integrator: &str) -> World {
    grown(sprouts, hangs, limit, rows, integrator, false)
}

fn grown(
    sprouts: &[Sprout],
    hangs: bool,
    limit: Option<f64>,
    rows: bool,
    integrator: &str,
    ridden: bool,
) -> World {
    let mut world = World::new();
    world.set_gravity(Vec3::new(1.0, -3.0, -9.0)).unwrap();
    world.set_integrator(integration::by_name(integrator, None).unwrap());
    let mut bodies: Vec<(BodyHandle, Vec3)> = Vec::new();
    for (k, sprout) in sprouts.iter().enumerate() {
        let parent = (k > 0).then(|| bodies[((k as f64) * sprout.parent) as usize]);
        let at = parent.map_or(Vec3::new(0.3, 0.2, -0.1), |(_, at)| at) + sprout.place;
        let square = sprout.size * sprout.size;
        let moments = Vec3::new(square.y + square.z, square.x + square.z, square.x + square.y);
        let inertia = Mat3::from_diagonal(moments * (sprout.mass / 12.0));
        let described = BodyDescription::without_shape(&format!("link {k}"), sprout.mass, inertia)
            .position(at)
            .orientation(orientation::from_rotation_vector(sprout.turn));
        let described = if hangs { described } else { described.velocity(Vec3::new(0.2, 0.1, 3.0)) };
        let body = world.add_body(described).unwrap();
        bodies.push((body, at));
        if k == 0 && !hangs {
            continue;
        }
        let a = parent.map_or(JointEnd::WORLD, |(parent, _)| world.joint_end(parent).unwrap());
        let b = world.joint_end(body).unwrap();
        let (a, b) = if sprout.reversed { (b, a) } else { (a, b) };
        let (anchor, axis) = (at - sprout.place * 0.5 + sprout.anchor * 0.3, sprout.axis);
        let limits = limit.map(|limit| Limits { min: -limit, max: limit });
        let joint: Arc<dyn Constraint> = match sprout.kind {
            0 => {
                let hinge = HingeJoint::new(a, b, anchor, axis).unwrap();
                Arc::new(limits.map_or(hinge.clone(), |limits| hinge.with_limits(limits).unwrap()))
            }
            1 => {
                let slider = SliderJoint::new(a, b, anchor, axis).unwrap();
                Arc::new(limits.map_or(slider.clone(), |limits| slider.with_limits(limits).unwrap()))
            }
            2 => Arc::new(BallJoint::new(a, b, anchor).unwrap()),
            _ => Arc::new(FixedJoint::new(a, b, anchor).unwrap()),
        };
        let joint = if rows { Arc::new(ByRows(joint)) } else { joint };
        let joint = world.add_joint(&format!("joint {k}"), joint).unwrap();
        if ridden && sprout.kind < 2 {
            ride(&mut world, k, joint, sprout);
        }
    }
    world
}

/// Runs both for a second and compares them.
fn compare(
    sprouts: &[Sprout],
    hangs: bool,
    limit: Option<f64>,
    integrator: &str,
    within: f64,
) -> Result<(), TestCaseError> {
    let worlds = [false, true].map(|rows| tree(sprouts, hangs, limit, rows, integrator));
    compare_worlds(worlds, integrator, within)
}

fn compare_worlds(
    [mut along, mut rows]: [World; 2],
    integrator: &str,
    within: f64,
) -> Result<(), TestCaseError> {
    let start = along.energy().total();
    let mut fastest: f64 = 1.0;
    for step in 0..1000 {
        let (a, b) = (along.step(1e-3), rows.step(1e-3));
        prop_assert_eq!(a.is_ok(), b.is_ok(), "step {}: {:?} {:?}", step, a.err(), b.err());
        let (Ok(a), Ok(b)) = (a, b) else { return Ok(()) };
        if step == 0 && integrator == "velocity-verlet" {
            prop_assert!(a.joints.condition == 0.0 && b.joints.condition >= 1.0, "both ways are taken");
        }
        if b.joints.parts > 0 {
            // Not resolved by the step; both then divide it, and small differences grow.
            return Ok(());
        }
        for ((handle, name, _), (other, ..)) in along.joints().zip(rows.joints()) {
            let (mine, theirs) = (along.reaction(handle).unwrap(), rows.reaction(other).unwrap());
            let size = 1.0 + theirs.force.length() + theirs.torque.length();
            let off = (mine.force - theirs.force).length() + (mine.torque - theirs.torque).length();
            prop_assert!(off <= within.sqrt() * size, "step {step}, {name}: {mine:?} {theirs:?}");
        }
        for ((_, body), (_, other)) in along.bodies().zip(rows.bodies()) {
            let (mine, theirs) = (*body.state, *other.state);
            fastest = fastest.max(theirs.velocity.length() + theirs.angular_velocity.length());
            let place = (mine.center_of_mass - theirs.center_of_mass).length();
            let turn = orientation::angle_between(mine.orientation, theirs.orientation);
            let rate = (mine.velocity - theirs.velocity).length()
                + (mine.angular_velocity - theirs.angular_velocity).length();
            prop_assert!(
                place <= within && turn <= within,
                "{integrator}, step {step}, {}: {place:e} {turn:e} {:?} {:?}",
                body.slot,
                a.joints,
                b.joints
            );
            prop_assert!(rate <= within * fastest * 100.0, "step {step}, {}: {rate:e}", body.slot);
        }
        let size = 1.0 + start.abs() + b.energy.kinetic;
        prop_assert!((a.energy.unexplained - b.energy.unexplained).abs() <= within * size);
        prop_assert_eq!(a.certificate.is_certified(), b.certificate.is_certified());
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn trees_of_all_joints_move_as_by_rows(
        sprouts in prop::collection::vec(sprout(), 2..7), hangs in any::<bool>()
    ) {
        compare(&sprouts, hangs, None, "velocity-verlet", 1e-10)?;
    }

    #[test]
    fn limits_that_are_struck_and_left_do_the_same(
        sprouts in prop::collection::vec(sprout(), 1..4), limit in 0.05..0.8_f64
    ) {
        compare(&sprouts, true, Some(limit), "velocity-verlet", 1e-8)?;
    }

    #[test]
    fn rotors_springs_and_servos_ride_on_trees(
        sprouts in prop::collection::vec(sprout(), 2..5), hangs in any::<bool>(), which in 0..2_usize
    ) {
        let integrator = ["velocity-verlet", "rk4"][which];
        let worlds = [false, true].map(|rows| grown(&sprouts, hangs, None, rows, integrator, true));
        compare_worlds(worlds, integrator, 1e-9)?;
    }

    #[test]
    fn joint_forces_of_an_update_are_those_of_the_iteration(
        sprouts in prop::collection::vec(sprout(), 2..5), hangs in any::<bool>(), most in 0.001..1.0_f64, which in 0..2_usize
    ) {
        let integrator = ["velocity-verlet", "semi-implicit-euler"][which];
        let mut worlds = [0, 1].map(|_| grown(&sprouts, hangs, None, false, integrator, true));
        for world in &mut worlds {
            let servos: Vec<_> = world.joints().filter(|(_, _, joint)| joint.type_name() == "hinge").map(|(joint, ..)| joint).collect();
            for (k, joint) in servos.into_iter().enumerate() {
                // Strong beside its bodies, and often at the end of its range.
                let brake = Actuator::velocity(0.3).unwrap().with_force_range([-most, 0.3 * most]).unwrap();
                let brake = world.add_actuator(&format!("brake {k}"), joint, brake).unwrap();
                world.set_control(brake, 2.0).unwrap();
            }
        }
        worlds[1].add_field(Arc::new(Nothing)).unwrap();
        compare_worlds(worlds, "either", 1e-9)?;
    }

    #[test]
    fn other_integrators_end_their_steps_the_same(
        sprouts in prop::collection::vec(sprout(), 2..5), hangs in any::<bool>(), which in 0..3_usize
    ) {
        // The midpoint rule leaves joints open by its own order; the least displacement that closes them is unique to first order only.
        let within = [1e-9, 1e-9, 1e-7][which];
        compare(&sprouts, hangs, None, ["rk4", "semi-implicit-euler", "implicit-midpoint"][which], within)?;
    }

    #[test]
    fn a_restored_tree_goes_on_with_the_same_bits(
        sprouts in prop::collection::vec(sprout(), 2..7), hangs in any::<bool>(), at in 1..40_usize
    ) {
        let mut world = tree(&sprouts, hangs, Some(0.6), false, "velocity-verlet");
        for _ in 0..at {
            prop_assume!(world.step(1e-3).is_ok());
        }
        let mut restored = World::from_bytes(&world.to_bytes().unwrap()).unwrap();
        for _ in 0..20 {
            prop_assume!(world.step(1e-3).is_ok());
            restored.step(1e-3).unwrap();
            prop_assert_eq!(world.state_hash(), restored.state_hash());
        }
    }
}

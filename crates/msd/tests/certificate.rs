//! The judge is judged: a right step passes, and each deliberately wrong one is found, in the row it belongs to.
//!
//! Every case is tried in several sizes and turned into several directions, since nothing in it may depend on axes or units.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use std::sync::Arc;

use msd::certificate::{
    CertificateSettings, Check, DeclaredImpact, DeclaredPoint, Evidence, Fault, Judge, JudgedStep,
    LedgerEnergy, Motion, StepCertificate,
};
use msd::environment::{BodyDescription, World, WorldError};
use msd::math::{Quat, ReferenceFrame, Vec3};
use msd::physics::constraints::{BallJoint, Constraint, JointEnd};
use msd::physics::rigid_body::shape::{
    Capsule, Compound, CompoundPart, Cone, Cuboid, Cylinder, Ellipsoid, Geometry, Shape, Sphere,
    TaperedCapsule,
};
use msd::physics::rigid_body::{Inertia, InertialState, RigidBody};

const DT: f64 = 1e-3;

/// A step of a few bodies, to be falsified.
#[derive(Clone)]
struct Case {
    bodies: Vec<RigidBody>,
    inertias: Vec<Inertia>,
    start: Vec<InertialState>,
    flown: Vec<InertialState>,
    end: Vec<InertialState>,
    points: Vec<DeclaredPoint>,
    impacts: Vec<DeclaredImpact>,
    energy: LedgerEnergy,
    residual: f64,
    joints: Vec<Arc<dyn Constraint>>,
    touched: bool,
}

impl Case {
    fn judge(&self) -> StepCertificate {
        let evidence = Evidence {
            bodies: &self.bodies,
            inertias: &self.inertias,
            start: &self.start,
            flown: &self.flown,
            end: &self.end,
            dt: DT,
            time: DT,
            excluded: &|_, _| false,
            asleep: &|_| false,
            residual: self.residual,
            inelastic_impacts: 0,
            points: &self.points,
            impacts: &self.impacts,
            timed_joints: &[],
            energy: self.energy,
        };
        let joints = self.joints.iter().map(|joint| joint.as_ref().into());
        let which = JudgedStep { revision: 1, number: 1, touched: self.touched };
        Judge::default().judge(&evidence, joints, which, &CertificateSettings::default())
    }

    #[track_caller]
    fn is_certified(&self) {
        let found = self.judge();
        assert!(found.is_certified(), "{:?}", found.failures().collect::<Vec<_>>());
        assert!(found.geometry_checked);
    }

    #[track_caller]
    fn is_found(&self, fault: Fault) {
        let found = self.judge();
        let faults: Vec<_> = found.failures().map(|failure| failure.fault).collect();
        assert!(faults.contains(&fault), "expected {fault:?}, found {faults:?}");
        assert!(!found.is_certified() && !found.holds(fault.check()) && found.worst_ratio() > 1.0);
    }
}

/// Directions and sizes that cases are tried in.
fn placements() -> Vec<(Quat, f64)> {
    let turns = [
        Quat::IDENTITY,
        Quat::from_rotation_x(0.4) * Quat::from_rotation_z(1.1),
        Quat::from_rotation_y(2.3) * Quat::from_rotation_x(-0.7),
    ];
    turns.into_iter().flat_map(|turn| [0.01, 1.0, 30.0].map(|size| (turn, size))).collect()
}

fn body(name: &str, shape: Shape, inertia: Inertia) -> RigidBody {
    let mut body = RigidBody::new(name, inertia);
    body.shape = Some(shape);
    body
}

fn ball(radius: f64) -> (Shape, Inertia) {
    let inertia =
        Inertia::new(2.0, msd::math::Mat3::from_diagonal(Vec3::splat(0.8 * radius * radius))).unwrap();
    (Sphere::new(radius).unwrap().into(), inertia)
}

fn cube(size: f64) -> (Shape, Inertia) {
    let inertia = Inertia::new(2.0, msd::math::Mat3::from_diagonal(Vec3::splat(size * size / 3.0))).unwrap();
    (Cuboid::new(Vec3::splat(size)).unwrap().into(), inertia)
}

/// A cube or ball of size `size` at rest on a slab, gravity along -z of `turn`.
fn resting((turn, size): (Quat, f64), round: bool) -> Case {
    let slab: Shape = Cuboid::new(Vec3::new(20.0, 20.0, 1.0) * size).unwrap().into();
    let (shape, inertia) = if round { ball(0.5 * size) } else { cube(size) };
    let up = turn * Vec3::Z;
    let state = |height: f64, velocity: f64| InertialState {
        center_of_mass: up * height,
        orientation: turn,
        velocity: up * velocity,
        ..InertialState::default()
    };
    let fall = -9.81 * DT;
    let (below, on_top) = (state(-0.5 * size, 0.0), state(0.5 * size, 0.0));
    let impulse = 2.0 * 9.81 * DT;
    let corners: Vec<Vec3> = if round {
        vec![Vec3::ZERO]
    } else {
        [(1.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (-1.0, 1.0)]
            .map(|(x, y)| turn * Vec3::new(0.5 * x * size, 0.5 * y * size, 0.0))
            .to_vec()
    };
    let share = 1.0 / corners.len() as f64;
    let point = |corner: &Vec3| DeclaredPoint {
        a: 0,
        b: 1,
        normal: up,
        arms: [*corner + up * (0.5 * size), *corner - up * (0.5 * size)],
        gap: 0.0,
        impulse: impulse * share,
        impact: 0.0,
        timed: 0.0,
        transmitted: up * (impulse * share),
        restitution: 0.0,
    };
    let potential = 2.0 * 9.81 * 0.5 * size;
    Case {
        bodies: vec![body("slab", slab, Inertia::IMMOVABLE), body("body", shape, inertia)],
        inertias: vec![Inertia::IMMOVABLE, inertia],
        start: vec![below, on_top],
        flown: vec![below, state(0.5 * size + 0.5 * fall * DT, fall)],
        end: vec![below, on_top],
        points: corners.iter().map(point).collect(),
        impacts: Vec::new(),
        energy: LedgerEnergy { potential, kinetic: [0.0, fall * fall, 0.0], ..LedgerEnergy::default() },
        residual: 0.0,
        joints: Vec::new(),
        touched: false,
    }
}

/// For every placement, round and square.
fn each_resting(check: impl Fn(Case, Vec3, f64)) {
    for placement in placements() {
        for round in [false, true] {
            check(resting(placement, round), placement.0 * Vec3::Z, placement.1);
        }
    }
}

#[test]
fn a_body_at_rest_is_certified() {
    each_resting(|case, _, _| case.is_certified());
}

#[test]
fn half_an_impulse_is_found() {
    each_resting(|mut case, up, _| {
        case.end[1].velocity = up * (-0.5 * 9.81 * DT);
        case.end[1].center_of_mass = case.start[1].center_of_mass + case.end[1].velocity * (0.5 * DT);
        case.points.iter_mut().for_each(|point| point.impulse *= 0.5);
        case.is_found(Fault::Approach);
    });
}

#[test]
fn a_residual_is_found_whatever_it_is_called() {
    each_resting(|mut case, _, _| {
        case.residual = 1e-7;
        case.is_found(Fault::Residual);
        case.residual = f64::NAN;
        case.is_found(Fault::Residual);
    });
}

#[test]
fn a_displaced_body_is_found() {
    each_resting(|mut case, up, size| {
        let sideways = up.any_orthonormal_vector();
        case.end[1].center_of_mass += sideways * (1e-4 * size);
        case.is_found(Fault::Displacement);
    });
}

#[test]
fn a_turned_body_is_found() {
    each_resting(|mut case, up, _| {
        case.end[1].orientation = Quat::from_axis_angle(up, 1e-4) * case.end[1].orientation;
        case.is_found(Fault::Rotation);
    });
}

#[test]
fn a_body_may_leave_the_overlap_it_had() {
    each_resting(|mut case, up, size| {
        let depth = 1e-3 * size;
        case.start[1].center_of_mass -= up * depth;
        case.flown[1].center_of_mass -= up * depth;
        case.end[1].center_of_mass -= up * (0.4 * depth);
        case.is_certified();
        // But not farther.
        case.end[1].center_of_mass += up * (3.0 * depth);
        case.is_found(Fault::Displacement);
    });
}

#[test]
fn a_body_stopped_without_a_contact_is_found() {
    each_resting(|mut case, _, _| {
        case.points.clear();
        case.is_found(Fault::Momentum);
    });
}

#[test]
fn an_impulse_that_did_not_act_as_declared_is_found() {
    each_resting(|case, up, _| {
        // Too large by a thousandth, to the side, on the other body.
        let wrongs = [
            |impulse: Vec3, _: Vec3| impulse * 1.001,
            |impulse: Vec3, up: Vec3| impulse + up.any_orthonormal_vector() * (1e-3 * impulse.length()),
            |impulse: Vec3, _: Vec3| -impulse,
        ];
        for wrong in wrongs {
            let mut case = case.clone();
            case.points.iter_mut().for_each(|point| point.transmitted = wrong(point.transmitted, up));
            case.is_found(Fault::Momentum);
        }
    });
}

#[test]
fn momentum_that_a_joint_transmits_is_balanced_over_the_mechanism() {
    for (turn, size) in placements() {
        let mut world = World::new();
        let ball_at = |name: &str, x: f64| {
            let ball = BodyDescription::dynamic(name, Sphere::new(0.2 * size).unwrap()).mass(2.0);
            ball.position(turn * Vec3::X * (x * size))
        };
        let [one, two] = [ball_at("one", 0.0), ball_at("two", 1.0)].map(|body| world.add_body(body).unwrap());
        let [end_one, end_two] = [one, two].map(|body| world.joint_end(body).unwrap());
        let between = turn * Vec3::X * (0.5 * size);
        let joint: Arc<dyn Constraint> = Arc::new(BallJoint::new(end_one, end_two, between).unwrap());
        let (shape, inertia) = ball(0.2 * size);
        let state = |x: f64, velocity: f64| InertialState {
            center_of_mass: turn * Vec3::X * (x * size),
            velocity: turn * Vec3::X * (velocity * size),
            ..InertialState::default()
        };
        // Left to contact, the two flew apart; the joint stops that.
        let case = Case {
            bodies: vec![body("one", shape.clone(), inertia), body("two", shape, inertia)],
            inertias: vec![inertia; 2],
            start: vec![state(0.0, 0.0), state(1.0, 0.0)],
            flown: vec![state(0.0, -1e-3), state(1.0, 1e-3)],
            end: vec![state(0.0, 0.0), state(1.0, 0.0)],
            points: Vec::new(),
            impacts: Vec::new(),
            energy: LedgerEnergy::default(),
            residual: 0.0,
            joints: vec![joint],
            touched: true,
        };
        case.is_certified();
        let mut wrong = case.clone();
        (wrong.flown[0], wrong.flown[1]) = (state(0.0, 1e-3), state(1.0, 1e-3));
        wrong.is_found(Fault::Momentum);
        let mut wrong = case;
        wrong.joints.clear();
        wrong.is_found(Fault::Momentum);
    }
}

#[test]
fn a_sunken_body_is_found() {
    each_resting(|mut case, up, size| {
        let depth = 1e-4 * size;
        case.flown[1].center_of_mass -= up * depth;
        case.end[1].center_of_mass = case.flown[1].center_of_mass;
        case.is_found(Fault::Overlap);
    });
}

#[test]
fn a_tilted_normal_is_found() {
    each_resting(|mut case, up, _| {
        let axis = up.any_orthonormal_vector();
        let tilt = Quat::from_axis_angle(axis, 0.3);
        case.points.iter_mut().for_each(|point| point.normal = tilt * point.normal);
        case.is_found(Fault::Normal);
    });
}

#[test]
fn a_force_on_a_body_that_does_not_touch_is_found() {
    each_resting(|mut case, up, size| {
        for states in [&mut case.start, &mut case.flown, &mut case.end] {
            states[1].center_of_mass += up * (0.05 * size + 0.1);
        }
        case.points.iter_mut().for_each(|point| point.gap = 0.0);
        case.is_found(Fault::ForceApart);
    });
}

#[test]
fn a_body_behind_a_wall_is_found() {
    for (turn, size) in placements() {
        for (shape, inertia) in [ball(0.5 * size), cube(size)] {
            for thickness in [0.02, 0.3] {
                let across = turn * Vec3::Z;
                let wall: Shape = Cuboid::new(Vec3::new(20.0, 20.0, thickness) * size).unwrap().into();
                let at = |distance: f64| InertialState {
                    center_of_mass: across * (distance * size) + turn * Vec3::X * (0.1 * size),
                    orientation: turn,
                    velocity: across * (-4.0 * size / DT),
                    ..InertialState::default()
                };
                let still = InertialState { orientation: turn, ..InertialState::default() };
                let mut case = Case {
                    bodies: vec![
                        body("wall", wall, Inertia::IMMOVABLE),
                        body("shot", shape.clone(), inertia),
                    ],
                    inertias: vec![Inertia::IMMOVABLE, inertia],
                    start: vec![still, at(2.0)],
                    flown: vec![still, at(-2.0)],
                    end: vec![still, at(-2.0)],
                    points: Vec::new(),
                    impacts: Vec::new(),
                    energy: LedgerEnergy::default(),
                    residual: 0.0,
                    joints: Vec::new(),
                    touched: false,
                };
                case.is_found(Fault::Crossing);
                // One that flies by is not.
                for states in [&mut case.start, &mut case.flown, &mut case.end] {
                    states[1].center_of_mass += turn * Vec3::X * (11.0 * size);
                }
                case.is_certified();
            }
        }
    }
}

/// A hollow box of six slabs as wide as its outside: the centre of every slab is far from where bodies touch it.
fn crate_of_slabs(size: f64) -> Shape {
    let slab = |k: usize| {
        let axis = Vec3::AXES[k / 2];
        let side = if k.is_multiple_of(2) { 1.0 } else { -1.0 };
        CompoundPart {
            frame: ReferenceFrame::from_position(axis * (side * 6.5 * size)),
            shape: Cuboid::new((Vec3::splat(14.0) - axis * 13.0) * size).unwrap().into(),
        }
    };
    Compound::new((0..6).map(slab).collect()).unwrap().into()
}

/// A body in a hollow compound, `depth` times its size deep in two of its walls, at a place that is near their rims or not.
fn in_a_crate((turn, size): (Quat, f64), kind: usize, depth: f64, near_rim: bool) -> Case {
    let shape: Shape = match kind {
        0 => Capsule::new(0.2 * size, 0.6 * size).unwrap().into(),
        1 => Cuboid::new(Vec3::splat(size)).unwrap().into(),
        2 => Cylinder::new(0.5 * size, size).unwrap().into(),
        3 => Cone::new(0.5 * size, size).unwrap().into(),
        4 => Ellipsoid::new(Vec3::new(0.5, 0.3, 0.4) * size).unwrap().into(),
        5 => TaperedCapsule::new(0.3 * size, 0.15 * size, 0.5 * size).unwrap().into(),
        _ => Sphere::new(0.5 * size).unwrap().into(),
    };
    let tilt = Quat::from_rotation_x(1.2) * Quat::from_rotation_y(0.3);
    let orientation = ReferenceFrame { position: Vec3::ZERO, orientation: tilt };
    let bounds = shape.bounding_box(&orientation);
    let away = if near_rim { 5.0 } else { 0.4 } * size;
    let place = Vec3::new(-6.0 * size - bounds.min.x, away, 6.0 * size - bounds.max.z)
        + Vec3::new(-1.0, 0.0, 1.0) * (depth * size);
    let inertia = ball(0.5 * size).1;
    let wall = InertialState { orientation: turn, ..InertialState::default() };
    let start = |velocity: f64| InertialState {
        center_of_mass: turn * (place - Vec3::new(-1.0, 0.0, 1.0) * (depth * size)),
        orientation: turn * tilt,
        velocity: turn * Vec3::new(-1.0, 0.0, 1.0) * velocity,
        ..InertialState::default()
    };
    // It goes on by `depth` in the step.
    let speed = depth * size / DT;
    let end = InertialState { center_of_mass: turn * place, ..start(speed) };
    Case {
        bodies: vec![body("crate", crate_of_slabs(size), Inertia::IMMOVABLE), body("inside", shape, inertia)],
        inertias: vec![Inertia::IMMOVABLE, inertia],
        start: vec![wall, start(speed)],
        flown: vec![wall, end],
        end: vec![wall, end],
        points: Vec::new(),
        impacts: Vec::new(),
        energy: LedgerEnergy { kinetic: [speed * speed; 3], ..LedgerEnergy::default() },
        residual: 0.0,
        joints: Vec::new(),
        touched: true,
    }
}

#[test]
fn a_body_at_the_walls_of_a_hollow_compound_is_as_deep_as_it_is() {
    for placement in placements() {
        for kind in 0..7 {
            for near_rim in [false, true] {
                // The size of a capsule is that along its axis, that of others is as named.
                let sunk = in_a_crate(placement, kind, 1e-4, near_rim);
                sunk.is_found(Fault::Overlap);
                let found = sunk.judge();
                let depth = found.overlap.value / placement.1;
                assert!((depth - 1e-4).abs() < 1e-9, "kind {kind}: {depth}");
                in_a_crate(placement, kind, 2e-7, near_rim).is_certified();
            }
        }
    }
}

#[test]
fn energy_from_nowhere_is_found() {
    each_resting(|case, _, _| {
        let scale = case.energy.potential;
        let mut wrong = case.clone();
        wrong.energy.unexplained = 1e-7 * scale;
        wrong.is_found(Fault::EnergyUnexplained);
        // Work of position correction is from nowhere too.
        let mut wrong = case.clone();
        wrong.energy.correction = 1e-7 * scale;
        wrong.is_found(Fault::EnergyUnexplained);
        let mut wrong = case.clone();
        wrong.energy.dissipated = -1e-9 * scale;
        wrong.is_found(Fault::NegativeDissipation);
        let mut wrong = case;
        wrong.energy.unexplained = f64::NAN;
        wrong.is_found(Fault::EnergyUnexplained);
    });
}

/// A ball against a wall at rest, in the instant of their impact in the middle of the step.
fn bouncing((turn, size): (Quat, f64), restitution: f64) -> Case {
    let mut case = resting((turn, size), true);
    let up = turn * Vec3::Z;
    let speed = 10.0 * size;
    let along = |velocity: f64| Motion { linear: up * velocity, angular: Vec3::ZERO };
    let place = |height: f64, velocity: f64| InertialState {
        center_of_mass: up * (0.5 * size + height),
        velocity: up * velocity,
        orientation: turn,
        ..InertialState::default()
    };
    case.start[1] = place(0.5 * speed * DT, -speed);
    case.flown[1] = place(-0.5 * speed * DT, -speed);
    case.end[1] = place(0.5 * restitution * speed * DT, restitution * speed);
    let still = Motion::default();
    case.impacts = vec![DeclaredImpact {
        a: 0,
        b: 1,
        normal: up,
        arms: [up * (0.5 * size), up * (-0.5 * size)],
        time: 0.5 * DT,
        orientations: [turn; 2],
        restitution,
        transmitted: true,
        before: [still, along(-speed)],
        after: [still, along(restitution * speed)],
    }];
    let impulse = 2.0 * speed * (1.0 + restitution);
    case.points[0] = DeclaredPoint {
        impulse,
        impact: impulse,
        timed: impulse,
        transmitted: up * impulse,
        restitution,
        gap: 0.5 * restitution * speed * DT,
        ..case.points[0]
    };
    case.energy = LedgerEnergy { kinetic: [speed * speed; 3], ..LedgerEnergy::default() };
    case
}

#[test]
fn an_impact_is_certified_and_a_wrong_one_is_found() {
    for placement in placements() {
        for restitution in [0.0, 0.4, 1.0] {
            let case = bouncing(placement, restitution);
            case.is_certified();
            let mut wrong = case.clone();
            wrong.impacts[0].restitution = if restitution > 0.5 { 0.9 } else { restitution + 0.1 };
            wrong.is_found(Fault::Restitution);
            // The normal of another instant.
            let mut wrong = case.clone();
            let tilt = Quat::from_axis_angle(placement.0 * Vec3::X, 0.05);
            wrong.impacts[0].normal = tilt * wrong.impacts[0].normal;
            assert!(!wrong.judge().holds(Check::Impact), "tilted normal");
            // A point next to the ball, on the plane between the two.
            let mut wrong = case.clone();
            let sideways = placement.0 * Vec3::X * (0.1 * placement.1);
            wrong.impacts[0].arms.iter_mut().for_each(|arm| *arm += sideways);
            wrong.is_found(Fault::ImpactGeometry);
            // A point of the ball whose surface has another normal there.
            let mut wrong = case.clone();
            let [below, above] = wrong.impacts[0].arms;
            let on_ball = Quat::from_axis_angle(placement.0 * Vec3::X, 1e-3) * above;
            wrong.impacts[0].arms = [below + on_ball - above, on_ball];
            wrong.is_found(Fault::ImpactGeometry);
            // Another orientation than its rotation leads to.
            let mut wrong = case.clone();
            wrong.impacts[0].orientations[0] = Quat::from_rotation_z(1e-4) * wrong.impacts[0].orientations[0];
            wrong.is_found(Fault::ImpactGeometry);
            // The place of another instant.
            let mut wrong = case;
            wrong.impacts[0].time = 0.1 * DT;
            wrong.is_found(Fault::ImpactGeometry);
        }
    }
}

#[test]
fn an_approach_that_stops_without_a_declared_impact_is_found() {
    for placement in placements() {
        for restitution in [0.3, 1.0] {
            let mut wrong = bouncing(placement, restitution);
            let up = placement.0 * Vec3::Z;
            let speed = 10.0 * placement.1;
            wrong.impacts.clear();
            wrong.end[1].center_of_mass = up * (0.5 * placement.1);
            wrong.end[1].velocity = Vec3::ZERO;
            let impulse = 2.0 * speed;
            let (impact, timed, gap) = (0.0, 0.0, 0.0);
            wrong.points[0] = DeclaredPoint {
                impulse,
                impact,
                timed,
                gap,
                restitution,
                transmitted: up * impulse,
                ..wrong.points[0]
            };
            wrong.is_found(Fault::InelasticImpacts);
            // Without restitution it is what contact does.
            wrong.points[0].restitution = 0.0;
            wrong.is_certified();
        }
    }
}

#[test]
fn a_graze_of_a_spinning_ball_that_contact_stops_is_found() {
    for placement in placements() {
        let up = placement.0 * Vec3::Z;
        let speed = 10.0 * placement.1;
        // At the end of the step it separates already, by its own velocity; contact has pushed it all the same.
        let mut wrong = bouncing(placement, 1.0);
        wrong.impacts.clear();
        for states in [&mut wrong.start, &mut wrong.flown, &mut wrong.end] {
            states[1].velocity = up * speed;
            states[1].angular_velocity = placement.0 * Vec3::X * 100.0;
        }
        let impulse = 0.02 * speed;
        wrong.end[1].velocity += up * (0.5 * impulse);
        wrong.end[1].center_of_mass = wrong.flown[1].center_of_mass + up * speed * DT;
        wrong.flown[1].center_of_mass = wrong.end[1].center_of_mass;
        let (transmitted, impact, timed) = (up * impulse, 0.0, 0.0);
        wrong.points[0] = DeclaredPoint { impulse, transmitted, impact, timed, ..wrong.points[0] };
        wrong.is_found(Fault::InelasticImpacts);
        wrong.points[0].restitution = 0.0;
        assert_eq!(wrong.judge().inelastic_impacts, 0);
    }
}

#[test]
fn an_opened_joint_is_found() {
    for (turn, size) in placements() {
        let mut world = World::new();
        let bob = BodyDescription::dynamic("bob", Sphere::new(0.2 * size).unwrap()).mass(2.0);
        let bob = world.add_body(bob.position(turn * Vec3::X * size)).unwrap();
        let end = world.joint_end(bob).unwrap();
        let joint: Arc<dyn Constraint> = Arc::new(BallJoint::new(JointEnd::WORLD, end, Vec3::ZERO).unwrap());
        let (shape, inertia) = ball(0.2 * size);
        let state = InertialState { center_of_mass: turn * Vec3::X * size, ..InertialState::default() };
        let case = Case {
            bodies: vec![body("bob", shape, inertia)],
            inertias: vec![inertia],
            start: vec![state],
            flown: vec![state],
            end: vec![state],
            points: Vec::new(),
            impacts: Vec::new(),
            energy: LedgerEnergy::default(),
            residual: 0.0,
            joints: vec![joint],
            touched: true,
        };
        case.is_certified();
        let mut wrong = case.clone();
        wrong.end[0].center_of_mass += turn * Vec3::Y * 1e-8;
        wrong.is_found(Fault::JointPosition);
        let mut wrong = case.clone();
        wrong.end[0].velocity = turn * Vec3::X * 1e-7;
        wrong.is_found(Fault::JointVelocity);
        let mut wrong = case;
        wrong.start[0].center_of_mass += turn * Vec3::Y * 1e-5;
        wrong.is_found(Fault::JointBefore);
    }
}

#[test]
fn a_world_refuses_what_is_not_certified_if_it_is_to() {
    let mut world = World::new();
    let cube = BodyDescription::dynamic("cube", Cuboid::new(Vec3::splat(0.5)).unwrap()).mass(1.0);
    let cube = world.add_body(cube).unwrap();
    let end = world.joint_end(cube).unwrap();
    let joint = BallJoint::new(JointEnd::WORLD, end, Vec3::Z * 0.25).unwrap();
    world.add_joint("pivot", Arc::new(joint)).unwrap();
    // Moved out of its joint by hand.
    world.set_frame(cube, ReferenceFrame::from_position(Vec3::X * 1e-3)).unwrap();
    world.set_certificate_settings(CertificateSettings { require: true, ..CertificateSettings::default() });
    let before = world.state_hash();
    match world.step(0.01) {
        Err(WorldError::NotCertified(first)) => {
            assert!(first.bodies.contains(&"cube".to_owned()), "{first}");
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(world.state_hash(), before);
    world.set_certificate_settings(CertificateSettings::default());
    let report = world.step(0.01).unwrap();
    assert!(!report.certificate.is_certified());
    assert!(world.step(0.01).unwrap().certificate.is_certified(), "closed by then");
}

#[test]
fn a_run_tells_its_first_failure_with_time_and_bodies() {
    let mut world = World::new();
    world.set_dt(1.0 / 240.0).unwrap();
    let one = BodyDescription::dynamic("one", Sphere::new(0.5).unwrap()).mass(1.0);
    let two = BodyDescription::dynamic("two", Sphere::new(0.5).unwrap()).mass(1.0);
    let one = world.add_body(one).unwrap();
    let two = world.add_body(two.position(Vec3::X * 2.0)).unwrap();
    let (end_one, end_two) = (world.joint_end(one).unwrap(), world.joint_end(two).unwrap());
    let joint = BallJoint::new(end_one, end_two, Vec3::X).unwrap();
    world.add_joint("link", Arc::new(joint)).unwrap();
    assert!(world.run(0.1).unwrap().certificate.is_certified());
    // Torn apart by hand.
    let torn = ReferenceFrame { position: Vec3::X * 2.01, ..ReferenceFrame::default() };
    world.set_frame(two, torn).unwrap();
    let report = world.run(0.1).unwrap();
    let first = report.certificate.first_failure.clone().unwrap();
    assert_eq!(first.failure.fault, Fault::JointBefore);
    assert_eq!(first.bodies, ["one", "two"]);
    assert_eq!(report.certificate.failed_by_row[Check::Joints as usize], 1);
    assert_eq!(report.certificate.failed_steps, 1);
    assert_eq!(report.certificate.steps, 24);
}

//! Test support: random bodies, and the check that a wrench is minus the gradient of the energy.
//!
//! The derivative of the total energy along a displacement or a world-frame rotation is computed by central
//! differences at steps h, h/2 and h/4, extrapolated twice (Richardson): the error is of order h⁶.

use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

use super::{ActsOn, Field};
use crate::math::{Mat3, Vec3, orientation};
use crate::physics::rigid_body::{Bodies, BodyHandle, BodyKind, Inertia, InertialState, RigidBody, Wrench};

/// Bodies with no world around them.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    pub(super) rigid: Vec<RigidBody>,
    pub(super) inertias: Vec<Inertia>,
    pub(super) states: Vec<InertialState>,
}

impl Sample {
    /// One body at rest at the origin, with unit moments of inertia.
    pub(super) fn of_mass(mass: f64) -> Self {
        Self::of(Inertia::new(mass, Mat3::IDENTITY).unwrap(), InertialState::AT_REST)
    }

    pub(super) fn of(inertia: Inertia, state: InertialState) -> Self {
        Self { rigid: vec![RigidBody::new("body", inertia)], inertias: vec![inertia], states: vec![state] }
    }

    pub(super) fn bodies(&self) -> Bodies<'_> {
        Bodies { bodies: &self.rigid, inertias: &self.inertias, states: &self.states }
    }

    pub(super) fn wrench(&self, field: &dyn Field, slot: usize, time: f64) -> Wrench {
        field.wrench(&self.bodies().view(slot), &self.bodies(), time)
    }

    /// Slots of the dynamic bodies the field acts on.
    pub(super) fn targets(&self, field: &dyn Field) -> Vec<usize> {
        let dynamic = |slot: &usize| self.rigid[*slot].kind == BodyKind::Dynamic;
        match field.acts_on() {
            ActsOn::Everything => (0..self.rigid.len()).filter(dynamic).collect(),
            ActsOn::Bodies(handles) => handles.iter().map(|handle| handle.slot()).filter(dynamic).collect(),
        }
    }

    /// Sum of all shares.
    pub(super) fn energy(&self, field: &dyn Field, time: f64) -> f64 {
        let bodies = self.bodies();
        self.targets(field)
            .into_iter()
            .map(|slot| field.energy(&bodies.view(slot), &bodies, time).expect("a potential"))
            .sum()
    }

    /// `Σ F·v + τ·ω` over all bodies.
    pub(super) fn mechanical_power(&self, field: &dyn Field, time: f64) -> f64 {
        let power = |slot: usize| {
            let state = self.states[slot];
            self.wrench(field, slot, time).power(state.velocity, state.angular_velocity)
        };
        self.targets(field).into_iter().map(power).sum()
    }

    /// Sum of what the field reports as power.
    pub(super) fn power(&self, field: &dyn Field, time: f64) -> f64 {
        let bodies = self.bodies();
        self.targets(field).into_iter().map(|slot| field.power(&bodies.view(slot), &bodies, time)).sum()
    }
}

/// The handle of a slot.
pub(super) fn handle(slot: u32) -> BodyHandle {
    BodyHandle::new(0, slot, 0)
}

/// Components within ±limit.
pub(super) fn vector(limit: f64) -> impl Strategy<Value = Vec3> {
    (-limit..limit, -limit..limit, -limit..limit).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

/// A unit vector.
pub(super) fn direction() -> impl Strategy<Value = Vec3> {
    vector(1.0).prop_filter("too short to have a direction", |v| v.length() > 0.1).prop_map(Vec3::normalize)
}

fn inertia() -> impl Strategy<Value = Inertia> {
    (0.5..20.0_f64, 1.0..2.0_f64, 1.0..2.0_f64, vector(1.5)).prop_map(|(mass, a, b, axes)| {
        let axes = orientation::rotation_matrix(orientation::from_rotation_vector(axes));
        let principal = Mat3::from_diagonal(Vec3::new(a, b, 1.2) * mass * 0.3);
        Inertia::new(mass, axes * principal * axes.transpose()).unwrap()
    })
}

/// `count` triaxial bodies at random within ±extent, turned and moving, with their centres of mass off their origins.
pub(super) fn sample(count: usize, extent: f64) -> impl Strategy<Value = Sample> {
    let body = (inertia(), vector(extent), vector(1.7), vector(10.0), vector(3.0), vector(0.5));
    proptest::collection::vec(body, count).prop_map(|all| {
        let mut sample = Sample { rigid: Vec::new(), inertias: Vec::new(), states: Vec::new() };
        for (inertia, center_of_mass, turn, velocity, angular_velocity, center_of_mass_local) in all {
            let mut body = RigidBody::new("body", inertia);
            body.center_of_mass_local = center_of_mass_local;
            sample.rigid.push(body);
            sample.inertias.push(inertia);
            let orientation = orientation::from_rotation_vector(turn);
            sample.states.push(InertialState { center_of_mass, orientation, velocity, angular_velocity });
        }
        sample
    })
}

/// The derivative at zero of `f`, by differences at steps up to `h`.
pub(super) fn derivative(h: f64, f: impl Fn(f64) -> f64) -> f64 {
    let central = |h: f64| (f(h) - f(-h)) / (2.0 * h);
    let (a, b, c) = (central(h), central(h / 2.0), central(h / 4.0));
    let (ab, bc) = ((4.0 * b - a) / 3.0, (4.0 * c - b) / 3.0);
    (16.0 * bc - ab) / 15.0
}

/// Force and torque on every body against differences of the total energy, to 1e-8 of their magnitude (plus what
/// rounding of the energy leaves). `length` is the distance over which the potential changes by its own size.
pub(super) fn assert_wrench_is_minus_gradient(
    field: &dyn Field,
    sample: &Sample,
    time: f64,
    length: f64,
) -> Result<(), TestCaseError> {
    let bodies = sample.bodies();
    let share = |slot: usize| field.energy(&bodies.view(slot), &bodies, time).map_or(0.0, f64::abs);
    let energy: f64 = sample.targets(field).into_iter().map(share).sum();
    for slot in sample.targets(field) {
        let wrench = sample.wrench(field, slot, time);
        let moved = |axis: Vec3| {
            -derivative(length / 100.0, |h| {
                let mut sample = sample.clone();
                sample.states[slot].center_of_mass += axis * h;
                sample.energy(field, time)
            })
        };
        let turned = |axis: Vec3| {
            -derivative(0.02, |h| {
                let mut sample = sample.clone();
                let turn = orientation::from_rotation_vector(axis * h);
                sample.states[slot].orientation = turn * sample.states[slot].orientation;
                sample.energy(field, time)
            })
        };
        let force = Vec3::new(moved(Vec3::X), moved(Vec3::Y), moved(Vec3::Z));
        let torque = Vec3::new(turned(Vec3::X), turned(Vec3::Y), turned(Vec3::Z));
        let force_tolerance = 1e-8 * wrench.force.length() + 1e-12 * energy / length + 1e-300;
        let torque_tolerance = 1e-8 * wrench.torque.length() + 1e-12 * energy + 1e-300;
        prop_assert!(
            (force - wrench.force).length() <= force_tolerance,
            "force {} differs from minus the gradient {force}",
            wrench.force
        );
        prop_assert!(
            (torque - wrench.torque).length() <= torque_tolerance,
            "torque {} differs from minus the gradient {torque}",
            wrench.torque
        );
    }
    Ok(())
}

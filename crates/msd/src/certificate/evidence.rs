//! Input of the certificate: bodies, states, and the declarations of the engine. Only the first two are trusted.

use crate::math::{Quat, Vec3};
use crate::physics::rigid_body::{Inertia, InertialState, RigidBody};

/// A contact point as the engine declares it, at the end of the step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeclaredPoint {
    /// Slot of body A, the smaller.
    pub a: usize,
    /// Slot of body B.
    pub b: usize,
    /// Unit, world frame, from A to B.
    pub normal: Vec3,
    /// From the centres of mass of A and B to the point, world frame, m.
    pub arms: [Vec3; 2],
    /// Gap at the end, m; infinite for a point that was there earlier in the step.
    pub gap: f64,
    /// Impulse along the normal over the step, impacts included, N·s.
    pub impulse: f64,
    /// Magnitude of the impulses of impacts within the step, N·s.
    pub impact: f64,
    /// Impulse on B over the step, impacts included, world frame, N·s.
    pub transmitted: Vec3,
    /// Coefficient of restitution of the pair.
    pub restitution: f64,
    /// Magnitude of all impulses that acted at times of their own within the step: impacts, and lasting contact between two of them; N·s.
    pub timed: f64,
}

/// Velocities of a body at an instant, world frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Motion {
    /// m/s.
    pub linear: Vec3,
    /// rad/s.
    pub angular: Vec3,
}

impl Motion {
    /// Of the material at an arm from the centre of mass, m/s.
    pub(super) fn at(&self, arm: Vec3) -> Vec3 {
        self.linear + self.angular.cross(arm)
    }
}

/// One contact that was struck in an impact, at its instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeclaredImpact {
    /// Slot of body A.
    pub a: usize,
    /// Slot of body B.
    pub b: usize,
    /// Unit, world frame, from A to B.
    pub normal: Vec3,
    /// From the centres of mass of A and B to the point, m.
    pub arms: [Vec3; 2],
    /// From the start of the step, s.
    pub time: f64,
    /// Orientations of A and B.
    pub orientations: [Quat; 2],
    /// Coefficient of restitution of the pair.
    pub restitution: f64,
    /// True if it transmitted an impulse.
    pub transmitted: bool,
    /// Velocities of A and B before.
    pub before: [Motion; 2],
    /// Velocities of A and B after.
    pub after: [Motion; 2],
}

impl DeclaredImpact {
    /// Normal velocity of B relative to A, m/s.
    pub(super) fn normal_velocity(&self, [a, b]: &[Motion; 2]) -> f64 {
        self.normal.dot(b.at(self.arms[1]) - a.at(self.arms[0]))
    }
}

/// Ledger entries of the step, J.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LedgerEnergy {
    /// Kinetic energy at the start, after free flight and at the end.
    pub kinetic: [f64; 3],
    /// Potential energy at the end.
    pub potential: f64,
    /// Dissipated in the step.
    pub dissipated: f64,
    /// Added by corrections of positions.
    pub correction: f64,
    /// Rise that no entry explains, corrections explained.
    pub unexplained: f64,
    /// The same at the end of free flight: the error of the integrator.
    pub unexplained_in_flight: f64,
}

/// A step, with the data that all checks need.
#[derive(Clone, Copy)]
pub struct Evidence<'a> {
    /// All bodies by slot.
    pub bodies: &'a [RigidBody],
    /// Their masses.
    pub inertias: &'a [Inertia],
    /// States at the start of the step, where free flight ended, and at the end.
    pub start: &'a [InertialState],
    /// See above.
    pub flown: &'a [InertialState],
    /// See above.
    pub end: &'a [InertialState],
    /// Length of the step, s.
    pub dt: f64,
    /// Time at its end, s.
    pub time: f64,
    /// Whether a joint or the user excludes collisions of the pair of slots.
    pub excluded: &'a (dyn Fn(usize, usize) -> bool + 'a),
    /// Whether the body in a slot sleeps at the end.
    pub asleep: &'a (dyn Fn(usize) -> bool + 'a),
    /// Worst residual of the contact law, evaluated by `residual.rs`.
    pub residual: f64,
    /// Contacts with less restitution than required, as the engine reports.
    pub inelastic_impacts: usize,
    /// Contact points.
    pub points: &'a [DeclaredPoint],
    /// Contacts that were struck.
    pub impacts: &'a [DeclaredImpact],
    /// Magnitudes of the impulses of joints that acted at times of their own within the step, N·s, and of their moments about
    /// the centres of mass, N·m·s, by slot; may be empty.
    pub timed_joints: &'a [[f64; 2]],
    /// The ledger of the step.
    pub energy: LedgerEnergy,
}

impl Evidence<'_> {
    /// True if two bodies may collide and one of them moves.
    pub(super) fn may_collide(&self, a: usize, b: usize) -> bool {
        let (one, other) = (&self.bodies[a], &self.bodies[b]);
        let (movable_a, movable_b) = (self.inertias[a].is_movable(), self.inertias[b].is_movable());
        (movable_a || movable_b)
            && one.contact_groups().allow(other.contact_groups())
            && !(self.excluded)(a, b)
    }

    /// Velocity of B relative to A at a contact point at the end of the step, m/s.
    pub(super) fn relative_velocity(&self, point: &DeclaredPoint) -> Vec3 {
        let (a, b) = (&self.end[point.a], &self.end[point.b]);
        (b.velocity + b.angular_velocity.cross(point.arms[1]))
            - (a.velocity + a.angular_velocity.cross(point.arms[0]))
    }
}

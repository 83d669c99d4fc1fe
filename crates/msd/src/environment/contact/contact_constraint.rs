//! A contact point as a step sees it: where it is, and how its gap would change in free flight.
//!
//! The normal is that of the time when the point was detected: the start of the step, or the instant of an impact within it
//! (`impact_geometry`). The point moves with what makes it: a vertex with its body, the crossing
//! of two edges with the mean of both, a point on a round surface with the centre of mass, so that the
//! lever arms `r_A(t)`, `r_B(t)` and with them `J(t)` are known during the step, to second order. With `u(t) = J(t) v(t)` taken as
//! straight between now and the end of the step,
//! ```text
//! u(t) = u₀ + a t,   gap(t) = g₀ + u₀ₙ t + ½ aₙ t²
//! ```
//! and after every change of velocities the path is charted anew from the gap at that time.

use super::contact_hook::PairSurface;
use super::island_problem::StepBodies;
use crate::math::{Coordinate, Mat3, Quat, Vec3, scalar};
use crate::physics::collision::ContactPoint;
use crate::physics::constraints::contact::{BodyVelocity, Contact};
use crate::physics::rigid_body::shape::Shape;
use crate::physics::rigid_body::{Inertia, InertialState, Material, RigidBody};
use crate::tolerance;

/// Where a candidate comes from, so that its impulse can be left there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Origin {
    pub(super) pair: u32,
    pub(super) manifold: u32,
    pub(super) point: u32,
}

impl Origin {
    /// Of a point that the narrow phase does not remember, with a number that those along one normal share.
    pub(super) fn nowhere(manifold: u32) -> Self {
        Self { pair: u32::MAX, manifold, point: 0 }
    }
}

/// What the contact point moves with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum PointMotion {
    /// The material of A.
    #[default]
    A,
    /// The material of B.
    B,
    /// Half with each.
    Both,
    /// The centre of A, which is round: the point rolls over its surface.
    RollingA,
    /// The centre of B, which is round.
    RollingB,
    /// Both centres, each by the share that the other's arm leaves it: the point rolls over both surfaces.
    RollingBoth,
}

/// Two bodies at an instant, as contact geometry needs them.
#[derive(Clone, Copy)]
pub(super) struct PairGeometry<'a> {
    pub(super) slots: (usize, usize),
    pub(super) a: &'a InertialState,
    pub(super) b: &'a InertialState,
    /// Centres of mass in the bodies' own frames, m.
    pub(super) center_a: Coordinate,
    pub(super) center_b: Coordinate,
    pub(super) movable_a: bool,
    pub(super) movable_b: bool,
}

impl<'a> PairGeometry<'a> {
    /// The bodies in two slots.
    pub(super) fn new(
        bodies: &[RigidBody],
        inertias: &[Inertia],
        states: &'a [InertialState],
        slots: (usize, usize),
    ) -> Self {
        let (a, b) = slots;
        Self {
            slots,
            a: &states[a],
            b: &states[b],
            center_a: bodies[a].center_of_mass_local,
            center_b: bodies[b].center_of_mass_local,
            movable_a: inertias[a].is_movable(),
            movable_b: inertias[b].is_movable(),
        }
    }

    /// The bodies of a step in two slots, in these states.
    pub(super) fn at(bodies: &StepBodies<'_>, slots: (usize, usize), [a, b]: [&'a InertialState; 2]) -> Self {
        let center = |slot: usize| bodies.bodies[slot].center_of_mass_local;
        let movable = |slot: usize| bodies.inertias[slot].is_movable();
        Self {
            slots,
            a,
            b,
            center_a: center(slots.0),
            center_b: center(slots.1),
            movable_a: movable(slots.0),
            movable_b: movable(slots.1),
        }
    }

    /// From the centre of mass of A to that of B, m. Differences first: far from the origin they keep the digits that places have lost.
    pub(super) fn between(&self) -> Vec3 {
        self.b.center_of_mass - self.a.center_of_mass
    }

    fn size(&self, arm_a: Vec3, arm_b: Vec3) -> f64 {
        match (self.movable_a, self.movable_b) {
            (true, false) => arm_a.length(),
            (false, true) => arm_b.length(),
            _ => scalar::min(arm_a.length(), arm_b.length()),
        }
    }
}

/// A contact point as the narrow phase found it.
#[derive(Clone, Copy, Debug)]
pub(super) struct FoundPoint {
    pub(super) origin: Origin,
    /// Convex parts of A and B that touch.
    pub(super) parts: [u32; 2],
    /// From the centres of mass to the places on the surfaces of A and B, m.
    pub(super) surfaces: [Vec3; 2],
    /// Gap, m.
    pub(super) distance: f64,
    pub(super) grip: PointMotion,
    /// What it transmitted in the last step, N·s, in the frame.
    pub(super) warm_start: Vec3,
}

/// When a contact point was detected.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Detected {
    /// From the start of the step, s.
    pub(super) time: f64,
    /// If it was later than at the start: orientations of A and B then, and the way from the centre of mass of A to that of B, m.
    pub(super) orientations: [Quat; 2],
    pub(super) apart: Vec3,
}

impl Detected {
    /// True if it was not at the start of the step.
    pub(super) fn within_step(&self) -> bool {
        self.time > 0.0
    }
}

/// One contact point during a step.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::environment) struct ContactConstraint {
    /// Slot of body A, the smaller.
    pub(in crate::environment) a: usize,
    /// Slot of body B.
    pub(in crate::environment) b: usize,
    pub(super) origin: Origin,
    /// Convex parts of A and B that touch.
    pub(super) parts: [u32; 2],
    /// Columns n, t₁, t₂.
    pub(in crate::environment) frame: Mat3,
    /// From the centres of mass to the places on the surfaces when it was detected, m.
    pub(super) surface_a: Vec3,
    pub(super) surface_b: Vec3,
    /// Gap when it was detected, m; infinite for a place without a point.
    pub(super) gap: f64,
    pub(super) detected: Detected,
    /// Deepest overlap of its bodies at the start of the step, if it was detected later, m.
    pub(super) overlap_before: f64,
    /// Distance of the point from the nearer centre of mass of a movable body, m: the size contact is seen at.
    pub(super) size: f64,
    pub(super) grip: PointMotion,
    pub(super) material: Material,
    /// Velocity of B's surface along its body, less that of A, world frame, m/s.
    pub(super) surface_velocity: Vec3,
    /// What it transmitted in the last step, N·s, in the frame.
    pub(super) warm_start: Vec3,

    /// Lever arms at the time `since`, m, and their rates, m/s. The point is on the surface it moves with.
    pub(super) arms: [Vec3; 2],
    pub(super) rates: [Vec3; 2],
    pub(super) since: f64,
    /// u₀, m/s.
    pub(super) velocity: Vec3,
    /// a, m/s².
    pub(super) acceleration: Vec3,
    /// g₀, m.
    pub(super) offset: f64,
    /// The part of a that forces make, the point being where it is; m/s².
    pub(super) free_acceleration: Vec3,

    /// An impact in this step could not stop it: it is held between bodies that nothing stops.
    pub(super) infeasible: bool,

    /// Transmitted by impacts, N·s, in the frame.
    pub(in crate::environment) impact: Vec3,
    /// Transmitted over the step, N·s, in the frame.
    pub(in crate::environment) persistent: Vec3,
    /// Magnitude of what of it was transmitted before the last impact of the step, N·s.
    pub(super) timed: f64,
    /// Gap at the end of the step, m.
    pub(in crate::environment) end_gap: f64,
}

impl ContactConstraint {
    pub(super) fn new(
        found: FoundPoint,
        frame: &Mat3,
        sides: &PairGeometry<'_>,
        surface: &PairSurface,
    ) -> Self {
        let mut candidate = Self::default();
        candidate.found(found, frame, sides, surface);
        candidate
    }

    /// Makes this the candidate of a point, in place.
    #[inline(always)]
    pub(super) fn found(
        &mut self,
        point: FoundPoint,
        frame: &Mat3,
        sides: &PairGeometry<'_>,
        surface: &PairSurface,
    ) {
        let FoundPoint { origin, parts, surfaces: [surface_a, surface_b], distance, grip, warm_start } =
            point;
        let between = sides.between();
        let arm_a = match grip {
            PointMotion::A | PointMotion::RollingA => surface_a,
            PointMotion::B | PointMotion::RollingB => surface_b + between,
            PointMotion::Both | PointMotion::RollingBoth => 0.5 * (surface_a + between + surface_b),
        };
        let arm_b = arm_a - between;
        (self.a, self.b) = sides.slots;
        (self.origin, self.parts) = (origin, parts);
        self.frame = *frame;
        (self.surface_a, self.surface_b) = (surface_a, surface_b);
        (self.gap, self.offset, self.end_gap) = (distance, distance, distance);
        self.detected.time = 0.0;
        self.overlap_before = 0.0;
        // Of balls in one place the overlap is the only size there is.
        self.size = scalar::max(sides.size(arm_a, arm_b), -distance);
        self.grip = grip;
        (self.material, self.surface_velocity) = (surface.material, surface.velocity);
        self.warm_start = warm_start;
        self.arms = [arm_a, arm_b];
        self.rates = [Vec3::ZERO; 2];
        self.since = 0.0;
        (self.velocity, self.acceleration, self.free_acceleration) = (Vec3::ZERO, Vec3::ZERO, Vec3::ZERO);
        self.infeasible = false;
        (self.impact, self.persistent, self.timed) = (Vec3::ZERO, Vec3::ZERO, 0.0);
    }

    /// Makes it one that was detected at a time within the step, with its bodies as they were then.
    pub(super) fn detected_at(&mut self, time: f64, sides: &PairGeometry<'_>) {
        self.detected = Detected {
            time,
            orientations: [sides.a.orientation, sides.b.orientation],
            apart: sides.between(),
        };
        self.since = time;
    }

    /// Makes it a place of a pair without a point.
    pub(super) fn reserve(&mut self, sides: &PairGeometry<'_>, surface: &PairSurface) {
        let PairSurface { material, velocity: surface_velocity } = *surface;
        *self = Self { a: sides.slots.0, b: sides.slots.1, material, surface_velocity, ..Self::default() };
        self.frame = Mat3::IDENTITY;
        self.vacate();
    }

    /// Takes the point out: its place stays, with what it has transmitted.
    pub(super) fn vacate(&mut self) {
        self.origin = Origin::nowhere(u32::MAX);
        (self.gap, self.offset, self.end_gap) = (f64::INFINITY, f64::INFINITY, f64::INFINITY);
        (self.velocity, self.acceleration, self.free_acceleration) = (Vec3::ZERO, Vec3::ZERO, Vec3::ZERO);
    }

    /// True for a place without a point.
    pub(super) fn is_vacant(&self) -> bool {
        self.gap == f64::INFINITY
    }

    /// True if the narrow phase remembers it, and its impulse is to be left there.
    pub(super) fn is_remembered(&self) -> bool {
        self.origin.pair != u32::MAX
    }

    /// Lever arms at a time of the step, m.
    #[inline(always)]
    pub(super) fn arms_at(&self, time: f64) -> [Vec3; 2] {
        let passed = time - self.since;
        [self.arms[0] + self.rates[0] * passed, self.arms[1] + self.rates[1] * passed]
    }

    pub(super) fn velocity_at(&self, time: f64) -> Vec3 {
        self.velocity + self.acceleration * time
    }

    #[inline(always)]
    pub(super) fn gap_at(&self, time: f64) -> f64 {
        self.offset + time * (self.velocity.x + 0.5 * time * self.acceleration.x)
    }

    /// From the centre of mass of A to the point, m.
    pub(super) fn arm_of_a(&self) -> Vec3 {
        self.arms[0]
    }

    /// `aₙ`, m/s².
    pub(super) fn closing_acceleration(&self) -> f64 {
        self.acceleration.x
    }

    /// Takes in that the relative velocity changed by `jump` at `time`.
    pub(super) fn jump(&mut self, time: f64, jump: Vec3) {
        self.velocity += jump;
        self.offset -= time * jump.x;
    }

    /// Takes in that the bodies were moved apart by `distance`, m.
    pub(super) fn widen(&mut self, distance: f64) {
        self.offset += distance;
    }

    /// Gap up to which the contact counts as closed, m.
    pub(super) fn closed(&self) -> f64 {
        tolerance::CONTACT_CLOSED * self.size
    }

    /// Gap at the start of the step, m; of a point that was detected later, the deepest overlap of its bodies then, or zero.
    pub(super) fn start_gap(&self) -> f64 {
        if self.detected.within_step() { -self.overlap_before } else { self.gap }
    }

    /// True if it transmitted something.
    pub(in crate::environment) fn is_touching(&self) -> bool {
        self.persistent.x > 0.0 || self.impact.x > 0.0
    }

    /// The contact for a solver, with J at `time`; bodies are to be filled in.
    pub(super) fn contact(&self, time: f64) -> Contact {
        self.contact_with(self.arms_at(time))
    }

    /// The same with these lever arms.
    pub(super) fn contact_with(&self, [arm_a, arm_b]: [Vec3; 2]) -> Contact {
        Contact {
            body_a: 0,
            body_b: 0,
            arm_a,
            arm_b,
            frame: self.frame,
            friction: self.material.friction,
            rolling_friction: self.material.rolling_friction,
            torsional_friction: self.material.torsional_friction,
            speculative_bias: 0.0,
            rebound: 0.0,
            drift: self.surface_drift(&self.frame),
        }
    }

    /// Material and surface velocity of its pair.
    pub(super) fn surface(&self) -> PairSurface {
        PairSurface { material: self.material, velocity: self.surface_velocity }
    }

    /// Relative velocity of the surfaces along their bodies, in a contact frame, m/s; none along the normal.
    #[inline]
    pub(super) fn surface_drift(&self, frame: &Mat3) -> Vec3 {
        if self.surface_velocity == Vec3::ZERO {
            return Vec3::ZERO;
        }
        let (t, s) = (frame.y_axis, frame.z_axis);
        Vec3::new(0.0, t.dot(self.surface_velocity), s.dot(self.surface_velocity))
    }
}

/// Velocities of the two bodies of a pair, found once for all of its contacts.
#[derive(Debug, Default)]
pub(super) struct PairVelocities {
    slots: Option<(usize, usize)>,
    velocities: [BodyVelocity; 2],
}

impl PairVelocities {
    /// Of a candidate; the last ones if it is of the same pair.
    pub(super) fn of(
        &mut self,
        candidate: &ContactConstraint,
        velocity: impl Fn(usize) -> BodyVelocity,
    ) -> [BodyVelocity; 2] {
        let (a, b) = (candidate.a, candidate.b);
        if self.slots != Some((a, b)) {
            (self.slots, self.velocities) = (Some((a, b)), [velocity(a), velocity(b)]);
        }
        self.velocities
    }
}

impl PointMotion {
    /// True if the point rolls over a round surface.
    #[inline(always)]
    pub(super) fn rolls(self) -> bool {
        matches!(self, Self::RollingA | Self::RollingB | Self::RollingBoth)
    }

    /// Whose material it moves with: 1 for A, -1 for B, 0 for both.
    #[inline(always)]
    pub(super) fn side(self) -> f64 {
        match self {
            Self::A => 1.0,
            Self::B => -1.0,
            _ => 0.0,
        }
    }

    /// What a point between parts of two shapes moves with.
    pub(super) fn of(point: &ContactPoint, [round_a, round_b]: [bool; 2]) -> Self {
        let feature = point.feature;
        match (feature.is_vertex_of_a(), feature.is_vertex_of_b()) {
            _ if round_a && round_b => Self::RollingBoth,
            _ if round_b || feature.is_curve_of_b() => Self::RollingB,
            _ if round_a || feature.is_curve_of_a() => Self::RollingA,
            (true, false) => Self::A,
            (false, true) => Self::B,
            _ => Self::Both,
        }
    }
}

/// True if the part of the shape is round all over.
pub(super) fn is_round(shape: Option<&Shape>, part: u32) -> bool {
    match shape {
        Some(
            Shape::Sphere(_)
            | Shape::Capsule(_)
            | Shape::Ellipsoid(_)
            | Shape::Rounded(_)
            | Shape::TaperedCapsule(_),
        ) => true,
        Some(Shape::Compound(compound)) => {
            compound.parts().get(part as usize).is_some_and(|part| is_round(Some(&part.shape), 0))
        }
        _ => false,
    }
}

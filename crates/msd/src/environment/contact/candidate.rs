//! A contact point as a step sees it: where it is, and how its gap would change in free flight.
//!
//! The normal is that of the start of the step. The point moves with what makes it: a vertex with its body, the crossing
//! of two edges with the mean of both, a point on a round surface with the centre of mass, so that the
//! lever arms `r_A(t)`, `r_B(t)` and with them `J(t)` are known during the step, to second order. With `u(t) = J(t) v(t)` taken as
//! straight between now and the end of the step,
//! ```text
//! u(t) = u₀ + a t,   gap(t) = g₀ + u₀ₙ t + ½ aₙ t²
//! ```
//! and after every change of velocities the course is charted anew from the gap at that time.

use crate::math::{Coordinate, Mat3, Vec3, orientation, real};
use crate::physics::collision::ContactPoint;
use crate::physics::constraints::contact::{BodyVelocity, Contact};
use crate::physics::rigid_body::shape::Shape;
use crate::physics::rigid_body::{Inertia, InertialState, Material, RigidBody};
use crate::tolerance;

/// Where a candidate comes from, so that its impulse can be left there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grip {
    /// The material of A.
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
pub(super) struct Sides<'a> {
    pub(super) slots: (usize, usize),
    pub(super) a: &'a InertialState,
    pub(super) b: &'a InertialState,
    /// Centres of mass in the bodies' own frames, m.
    pub(super) center_a: Coordinate,
    pub(super) center_b: Coordinate,
    pub(super) movable_a: bool,
    pub(super) movable_b: bool,
}

impl<'a> Sides<'a> {
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

    fn size(&self, arm_a: Vec3, arm_b: Vec3) -> f64 {
        match (self.movable_a, self.movable_b) {
            (true, false) => arm_a.length(),
            (false, true) => arm_b.length(),
            _ => real::min(arm_a.length(), arm_b.length()),
        }
    }
}

/// One contact point during a step.
#[derive(Clone, Copy, Debug)]
pub(in crate::environment) struct Candidate {
    /// Slot of body A, the smaller.
    pub(in crate::environment) a: usize,
    /// Slot of body B.
    pub(in crate::environment) b: usize,
    pub(super) origin: Origin,
    /// Columns n, t₁, t₂.
    pub(in crate::environment) frame: Mat3,
    /// The point at the start, world frame, m.
    pub(in crate::environment) position: Coordinate,
    /// From the centres of mass to the places on the surfaces at the start, m.
    surface_a: Vec3,
    surface_b: Vec3,
    /// Gap at the start, m.
    gap: f64,
    /// When it was found, if not at the start of the step, s.
    met_at: Option<f64>,
    /// Distance of the point from the nearer centre of mass of a movable body, m: the size contact is seen at.
    pub(super) size: f64,
    grip: Grip,
    pub(super) material: Material,
    /// What it transmitted in the last step, N·s, in the frame.
    pub(super) warm: Vec3,

    /// Lever arms at the time `since`, m, and their rates, m/s. The point is on the surface it moves with.
    arms: [Vec3; 2],
    rates: [Vec3; 2],
    since: f64,
    /// u₀, m/s.
    velocity: Vec3,
    /// a, m/s².
    acceleration: Vec3,
    /// g₀, m.
    offset: f64,
    /// The part of a that forces make, the point being where it is; m/s².
    pub(super) pressing: Vec3,

    /// An impact in this step could not stop it: it is held between bodies that nothing stops.
    pub(super) crushed: bool,

    /// Transmitted by impacts, N·s, in the frame.
    pub(in crate::environment) impact: Vec3,
    /// Transmitted over the step, N·s, in the frame.
    pub(in crate::environment) persistent: Vec3,
    /// Gap at the end of the step, m.
    pub(in crate::environment) end_gap: f64,
}

impl Candidate {
    pub(super) fn new(
        origin: Origin,
        point: &ContactPoint,
        frame: Mat3,
        sides: &Sides<'_>,
        grip: Grip,
        material: Material,
        warm: Vec3,
    ) -> Self {
        // Differences of centres first: far from the origin they keep the digits that places have lost.
        let between = sides.b.center_of_mass - sides.a.center_of_mass;
        let surface_a = sides.a.orientation * (point.anchor_a - sides.center_a);
        let surface_b = sides.b.orientation * (point.anchor_b - sides.center_b);
        let arm_a = match grip {
            Grip::A | Grip::RollingA => surface_a,
            Grip::B | Grip::RollingB => surface_b + between,
            Grip::Both | Grip::RollingBoth => 0.5 * (surface_a + between + surface_b),
        };
        let arm_b = arm_a - between;
        Self {
            a: sides.slots.0,
            b: sides.slots.1,
            origin,
            frame,
            position: sides.a.center_of_mass + arm_a,
            surface_a,
            surface_b,
            gap: point.distance,
            met_at: None,
            // Of balls in one place the overlap is the only size there is.
            size: real::max(sides.size(arm_a, arm_b), -point.distance),
            grip,
            material,
            warm,
            arms: [arm_a, arm_b],
            rates: [Vec3::ZERO; 2],
            since: 0.0,
            velocity: Vec3::ZERO,
            acceleration: Vec3::ZERO,
            offset: point.distance,
            pressing: Vec3::ZERO,
            crushed: false,
            impact: Vec3::ZERO,
            persistent: Vec3::ZERO,
            end_gap: point.distance,
        }
    }

    /// A point that was found at a time within the step: its lever arms are those then, and its course is made to meet then.
    pub(super) fn met_at(mut self, time: f64) -> Self {
        self.met_at = Some(time);
        self
    }

    /// True if the narrow phase remembers it, and its impulse is to be left there.
    pub(super) fn is_remembered(&self) -> bool {
        self.origin.pair != u32::MAX
    }

    /// `u = J(t) v` in the frame of the contact, m/s.
    pub(super) fn relative_velocity(&self, time: f64, [a, b]: [BodyVelocity; 2]) -> Vec3 {
        let [arm_a, arm_b] = self.arms_at(time);
        let relative = (b.linear - a.linear) + b.angular.cross(arm_b) - a.angular.cross(arm_a);
        self.frame.transpose() * relative
    }

    fn arms_at(&self, time: f64) -> [Vec3; 2] {
        let passed = time - self.since;
        [self.arms[0] + self.rates[0] * passed, self.arms[1] + self.rates[1] * passed]
    }

    /// Charts the course from `now` to `end`, given the velocities of the bodies then.
    pub(super) fn chart(&mut self, now: f64, end: f64, at_now: [BodyVelocity; 2], at_end: [BodyVelocity; 2]) {
        let mut gap = self.gap_at(now);
        self.arms = self.arms_at(now);
        self.since = now;
        self.set_rates(at_now, end - now);
        let velocity = self.relative_velocity(now, at_now);
        let per_second = 1.0 / (end - now);
        self.acceleration = (self.relative_velocity(end, at_end) - velocity) * per_second;
        self.pressing = (self.relative_velocity(now, at_end) - velocity) * per_second;
        if let (Some(time), true) = (self.met_at, now == 0.0) {
            // It was found along straight lines; forces make it meet earlier or later.
            gap = self.gap - time * velocity.x;
        }
        self.velocity = velocity - self.acceleration * now;
        self.offset = gap - now * (self.velocity.x + 0.5 * now * self.acceleration.x);
    }

    /// How the arms change. A point that would leave its place by much in the time left is taken as fixed: its course is not
    /// straight anyway.
    fn set_rates(&mut self, [a, b]: [BodyVelocity; 2], rest: f64) {
        if self.met_at.is_some() {
            return;
        }
        let [arm_a, arm_b] = self.arms;
        let with_a = a.angular.cross(arm_a);
        let with_b = b.angular.cross(arm_b);
        let apart = b.linear - a.linear;
        self.rates = match self.grip {
            Grip::A => [with_a, with_a - apart],
            Grip::B => [with_b + apart, with_b],
            Grip::Both => [0.5 * (with_a + with_b + apart), 0.5 * (with_a + with_b - apart)],
            Grip::RollingA => [Vec3::ZERO, -apart],
            Grip::RollingB => [apart, Vec3::ZERO],
            Grip::RollingBoth => {
                let both = arm_a.length() + arm_b.length();
                let share = if both > 0.0 { arm_a.length() / both } else { 0.5 };
                [share * apart, (share - 1.0) * apart]
            }
        };
        let far = tolerance::POINT_TRAVEL * self.size;
        if self.rates.iter().any(|rate| rate.length() * rest > far) {
            self.rates = [Vec3::ZERO; 2];
        }
    }

    pub(super) fn velocity_at(&self, time: f64) -> Vec3 {
        self.velocity + self.acceleration * time
    }

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

    /// Gap at the start of the step, m; zero for a point that was found later.
    pub(super) fn start_gap(&self) -> f64 {
        if self.met_at.is_none() { self.gap } else { 0.0 }
    }

    /// True if it transmitted something.
    pub(in crate::environment) fn is_touching(&self) -> bool {
        self.persistent.x > 0.0 || self.impact.x > 0.0
    }

    /// The contact for a solver, with J at `time`; bodies are to be filled in.
    pub(super) fn contact(&self, time: f64) -> Contact {
        let [arm_a, arm_b] = self.arms_at(time);
        Contact {
            body_a: 0,
            body_b: 0,
            arm_a,
            arm_b,
            frame: self.frame,
            friction: self.material.friction,
            rolling_friction: self.material.rolling_friction,
            torsional_friction: self.material.torsional_friction,
            gap_rate: 0.0,
            rebound: 0.0,
            drift: Vec3::ZERO,
        }
    }

    /// What moving the point from its place at `from` to that at `to` adds to u, the bodies moving with these velocities.
    pub(super) fn drift(&self, from: f64, to: f64, velocities: [BodyVelocity; 2]) -> Vec3 {
        self.relative_velocity(to, velocities) - self.relative_velocity(from, velocities)
    }

    /// The gap after the bodies have moved, m: by the places on the surfaces where these stay with the material, and by
    /// the velocity of the point where it rolls.
    pub(super) fn gap_after(&self, before: &Sides<'_>, after: &Sides<'_>) -> f64 {
        let normal = self.frame.x_axis;
        if self.met_at.is_some() {
            // Found where the bodies are no longer; the next step looks at it from the start.
            return real::max(self.gap, 0.0);
        }
        let turned_a = after.a.orientation * before.a.orientation.conjugate();
        let turned_b = after.b.orientation * before.b.orientation.conjugate();
        let then = before.b.center_of_mass - before.a.center_of_mass;
        let now = after.b.center_of_mass - after.a.center_of_mass;
        if matches!(self.grip, Grip::RollingA | Grip::RollingB | Grip::RollingBoth) {
            let turn = |rotation| orientation::rotation_vector(rotation);
            let swept = turn(turned_b).cross(self.surface_b) - turn(turned_a).cross(self.surface_a);
            return self.gap + normal.dot(now - then + swept);
        }
        // The normal goes with the face that a vertex is over, and with both bodies where two edges cross.
        let normal_now = match self.grip {
            Grip::A => turned_b * normal,
            Grip::B => turned_a * normal,
            _ => 0.5 * (turned_a * normal + turned_b * normal),
        };
        let apart = now + turned_b * self.surface_b - turned_a * self.surface_a;
        let was = then + self.surface_b - self.surface_a;
        self.gap + normal_now.dot(apart) - normal.dot(was)
    }
}

impl Grip {
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
        Some(Shape::Sphere(_) | Shape::Capsule(_)) => true,
        Some(Shape::Compound(compound)) => {
            compound.parts().get(part as usize).is_some_and(|part| is_round(Some(&part.shape), 0))
        }
        _ => false,
    }
}

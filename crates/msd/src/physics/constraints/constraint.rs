//! The `Constraint` trait.
//!
//! A constraint is `m` scalar rows between two bodies, or between a body and the world. A row has a value `C(q, t)`,
//! a Jacobian with `Ċ = J v + ∂C/∂t`, and a law of its multiplier λ. With λ in N (rows that measure a length) or N·m
//! (rows that measure an angle) the generalised force on the bodies is `Jᵀλ`. Differentiating once more, `C̈ = J a +
//! c` with the bias `c = J̇ v + d/dt ∂C/∂t`; the multipliers of a rigid row make it vanish.
//!
//! The definition is independent of the solver, which sees rows only.

use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{ConstraintHandle, JacobianRow, Limits, Pair};
use crate::digest::Hasher;
use crate::math::{Coordinate, ReferenceFrame, Vec3, orientation, scalar};
use crate::physics::rigid_body::{BodyHandle, InertialState};
use crate::tolerance;

/// Most rows one constraint may have: five of a hinge, two limits and a motor.
pub const MAX_ROWS: usize = 8;

/// Law of the multiplier λ of a row.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum RowLaw {
    /// `C = 0` exactly, λ free.
    Rigid,
    /// A spring and damper along the row: `λ = -stiffness·C - damping·Ċ`. The compliance is `1/stiffness`.
    Soft {
        /// N/m, or N·m/rad.
        stiffness: f64,
        /// N·s/m, or N·m·s/rad.
        damping: f64,
    },
    /// `C ≥ 0`, `λ ≥ 0`, `λ C = 0`: a stop. Impacts on it are inelastic.
    Unilateral,
    /// An actuator: `λ = clamp(force - stiffness·C - damping·Ċ, lower, upper)`. Its work is put in from outside: unlike that of a
    /// spring, its energy is not part of the total.
    Drive {
        /// λ at `C = Ċ = 0`, N or N·m.
        force: f64,
        /// N/m, or N·m/rad.
        stiffness: f64,
        /// N·s/m, or N·m·s/rad.
        damping: f64,
        /// Least λ; may be -∞.
        lower: f64,
        /// Greatest λ; may be ∞.
        upper: f64,
    },
    /// A rotor geared to the row: `λ = -inertia·C̈`. Its kinetic energy `½ inertia·Ċ²` is part of the total. C may be counted from
    /// anywhere.
    Rotor {
        /// kg (rows that measure a length), or kg·m².
        inertia: f64,
    },
    /// A part of the row of another constraint, [`Constraint::leader`]: C and J are added to those of that row, over other bodies, and
    /// the multiplier is that of that row.
    Part,
    /// `Ċ` is driven to `velocity` with `|λ| ≤ max_force`; the value `C` of the row is not used. With `velocity` zero
    /// this is a brake, or dry friction of a given force.
    Motor {
        /// m/s, or rad/s.
        velocity: f64,
        /// N, or N·m.
        max_force: f64,
    },
}

/// Quantity that a row measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowUnit {
    /// m; the multiplier is a force, N.
    Length,
    /// rad (or a dimensionless sine of one); the multiplier is a torque, N·m.
    Angle,
}

/// A point of each body that a constraint holds together, world frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeldPoint {
    /// From the centre of mass of A, and of B, m.
    pub arms: [Vec3; 2],
    /// From the point of A to that of B, m.
    pub gap: Vec3,
}

impl HeldPoint {
    /// `ḋ` of the gap, m/s, given velocities and angular velocities of A and B.
    #[must_use]
    pub fn rate(arms: [Vec3; 2], [a, b]: [(Vec3, Vec3); 2]) -> Vec3 {
        (b.0 + b.1.cross(arms[1])) - (a.0 + a.1.cross(arms[0]))
    }
}

/// State of the axis of a joint that the poses of its bodies do not determine.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AxisMemory {
    /// Position along or about the axis, rad or m: how full turns are counted.
    pub position: f64,
    /// Limits instead of those the joint was made with.
    pub limits: Option<Limits>,
}

/// How a joint lets B move against A.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointMotion {
    /// Not at all.
    Fixed,
    /// About the z axis of its frame.
    Hinge,
    /// Along the z axis of its frame.
    Slider,
    /// About its origin.
    Ball,
}

/// The frame of a joint on both bodies, each from the centre of mass in body axes. Both coincide at the position `placed_at`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointFrames {
    /// How B moves against A.
    pub motion: JointMotion,
    /// On body A.
    pub on_a: ReferenceFrame,
    /// On body B.
    pub on_b: ReferenceFrame,
    /// Position of a hinge (rad) or slider (m) there.
    pub placed_at: f64,
}

/// The axis that a joint leaves free.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointAxis {
    /// Quantity of the position along it.
    pub unit: RowUnit,
    /// Position next to which angles are counted without other state, rad or m: the middle of the limits, or the
    /// position at construction.
    pub center: f64,
    /// Position where the joint was made, rad or m: where counting starts.
    pub placed_at: f64,
    /// Limits as made.
    pub limits: Option<Limits>,
}

/// `C(q, t)` with its derivatives, between two bodies. Immutable: to change a parameter, replace the constraint.
pub trait Constraint: Any + Debug + Send + Sync {
    /// The name used in scenes and messages, such as `hinge`.
    fn type_name(&self) -> &'static str;

    /// Appends every parameter that changes a result: snapshots and recordings refuse a model whose fingerprint differs.
    ///
    /// Unless overridden, the type name and the `Debug` text, which must then show every parameter and no state (tables
    /// built at first use, counters). Override it for a constraint with state.
    fn fingerprint(&self, hasher: &mut Hasher) {
        hasher.text(self.type_name());
        hasher.text(&format!("{self:?}"));
    }

    /// Body A and body B; `None` is the world. At least one must be a body, and they must differ.
    fn bodies(&self) -> [Option<BodyHandle>; 2];

    /// Number of rows, 1 to [`MAX_ROWS`].
    fn dimension(&self) -> usize;

    /// The law of a row; rigid unless overridden.
    fn law(&self, _row: usize) -> RowLaw {
        RowLaw::Rigid
    }

    /// Quantity that a row measures; a length unless overridden.
    fn unit(&self, _row: usize) -> RowUnit {
        RowUnit::Length
    }

    /// `C(q, t)` of every row into `out`, which has [`Constraint::dimension`] entries. Motor rows may leave theirs.
    fn value(&self, pair: &Pair<'_>, time: f64, out: &mut [f64]);

    /// `J` of every row into `out`.
    fn jacobian(&self, pair: &Pair<'_>, time: f64, out: &mut [JacobianRow]);

    /// As [`Constraint::value`], with the state of its own axis or of the axis it acts along.
    fn value_with(&self, pair: &Pair<'_>, time: f64, _memory: &AxisMemory, out: &mut [f64]) {
        self.value(pair, time, out);
    }

    /// The one axis that a joint leaves free, if it leaves one.
    fn axis(&self) -> Option<JointAxis> {
        None
    }

    /// Position of B along or about the axis, m or rad; an angle within half a turn of `near`.
    fn axis_position(&self, _pair: &Pair<'_>, _near: f64) -> f64 {
        0.0
    }

    /// `J` of the position along the axis, and its bias.
    fn axis_row(&self, _pair: &Pair<'_>) -> (JacobianRow, f64) {
        (JacobianRow::ZERO, 0.0)
    }

    /// Where the joint is on both bodies, for trees of joints; `None` for a constraint that is no joint of one.
    fn joint_frames(&self) -> Option<JointFrames> {
        None
    }

    /// The sequence of joints whose bodies the constraint holds, for trees of joints.
    ///
    /// It is an `Arc<Sequence>`, untyped here because sequences are made of what this file defines.
    fn joint_sequence(&self) -> Option<&dyn Any> {
        None
    }

    /// The sequence that the constraint is a joint of, and its number there.
    fn sequence_axis(&self) -> Option<(&dyn Any, usize)> {
        None
    }

    /// The joint along whose axis the constraint acts, for actuators and springs of joints.
    fn along(&self) -> Option<ConstraintHandle> {
        None
    }

    /// The constraint whose one row it is a part of, for those with [`RowLaw::Part`].
    fn leader(&self) -> Option<ConstraintHandle> {
        None
    }

    /// The same along the axis of another joint, for constraints that act along one.
    fn on_joint(&self, _joint: &Arc<dyn Constraint>) -> Option<Arc<dyn Constraint>> {
        None
    }

    /// The travel s that the motor of a row drives, with `ṡ = J v`, m or rad; angles up to full turns. A motor whose travel is known
    /// holds its velocity as exactly as a rigid row holds a position; one without meets it at the end of every step.
    fn motor_travel(&self, _row: usize, _pair: &Pair<'_>) -> Option<f64> {
        None
    }

    /// `∂C/∂t` at fixed positions into `out`, which comes filled with zeros; nothing to do for a constraint that does
    /// not depend on time.
    fn time_derivative(&self, _pair: &Pair<'_>, _time: f64, _out: &mut [f64]) {}

    /// The bias `J̇ v + d/dt ∂C/∂t`: `C̈` without accelerations.
    ///
    /// The default differentiates `J v + ∂C/∂t` along the motion at constant v and ω, by central differences of
    /// fourth order: good to about 1e-12 of the size of the terms.
    fn bias_acceleration(&self, pair: &Pair<'_>, time: f64, out: &mut [f64]) {
        bias_by_differences(self, pair, time, out);
    }

    /// World point about which the reaction torque is reported; the centre of mass of B (of A if B is the world)
    /// unless overridden.
    fn anchor(&self, pair: &Pair<'_>) -> Coordinate {
        if self.bodies()[1].is_some() { pair.b.center_of_mass } else { pair.a.center_of_mass }
    }

    /// The points it holds together, if its rows are their gap along the axes of the world and no others, whatever the bodies do: a
    /// solver may treat the three as a block. `None` unless overridden.
    fn held_point(&self, _pair: &Pair<'_>) -> Option<HeldPoint> {
        None
    }

    /// Whether the two bodies still collide with each other.
    fn collide(&self) -> bool {
        false
    }
}

/// A constraint that is given away: itself, or shared already. Lets [`World::add_joint`](crate::environment::World::add_joint) take a joint
/// as it is.
pub trait IntoConstraint {
    /// Shared, as worlds keep it.
    fn into_constraint(self) -> Arc<dyn Constraint>;
}

impl<C: Constraint + 'static> IntoConstraint for C {
    fn into_constraint(self) -> Arc<dyn Constraint> {
        Arc::new(self)
    }
}

impl<C: Constraint + 'static> IntoConstraint for Arc<C> {
    fn into_constraint(self) -> Arc<dyn Constraint> {
        self
    }
}

impl IntoConstraint for Arc<dyn Constraint> {
    fn into_constraint(self) -> Arc<dyn Constraint> {
        self
    }
}

/// Rates `Ċ = J v + ∂C/∂t` of a constraint.
pub(super) fn rates<C: Constraint + ?Sized>(constraint: &C, pair: &Pair<'_>, time: f64) -> [f64; MAX_ROWS] {
    let rows = constraint.dimension();
    let mut jacobian = [JacobianRow::ZERO; MAX_ROWS];
    let mut rate = [0.0; MAX_ROWS];
    constraint.jacobian(pair, time, &mut jacobian[..rows]);
    constraint.time_derivative(pair, time, &mut rate[..rows]);
    for row in 0..rows {
        rate[row] += jacobian[row].velocity(pair.a, pair.b);
    }
    rate
}

/// `f'(0) ≈ (8 (f(h) - f(-h)) - (f(2h) - f(-2h))) / 12h` with `f` the rate along the motion at constant velocities.
fn bias_by_differences<C: Constraint + ?Sized>(constraint: &C, pair: &Pair<'_>, time: f64, out: &mut [f64]) {
    let spin = pair.a.angular_velocity.length() + pair.b.angular_velocity.length();
    let drift = (pair.b.velocity - pair.a.velocity).length();
    let h = tolerance::BIAS_DIFFERENCE / scalar::max(1.0, spin + drift);
    let at = |s: f64| {
        let (a, b) = (coasted(pair.a, s), coasted(pair.b, s));
        rates(constraint, &Pair { a: &a, b: &b }, time + s)
    };
    let (near, far) = ((at(h), at(-h)), (at(2.0 * h), at(-2.0 * h)));
    for (row, bias) in out.iter_mut().enumerate() {
        *bias = (8.0 * (near.0[row] - near.1[row]) - (far.0[row] - far.1[row])) / (12.0 * h);
    }
}

/// The state after `s` seconds at constant velocity and angular velocity.
fn coasted(state: &InertialState, s: f64) -> InertialState {
    InertialState {
        center_of_mass: state.center_of_mass + state.velocity * s,
        orientation: orientation::advanced(state.orientation, state.angular_velocity, s),
        ..*state
    }
}

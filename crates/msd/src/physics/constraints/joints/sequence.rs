//! A sequence of hinges and sliders between two bodies, as one joint: its kinematics.
//!
//! Joint k turns about, or slides along, an axis that the joints before it carry. With `ξ_k` its twist where the joint was made, in a
//! frame F of A that coincides there with a frame of B, the pose of B against A is the product of exponentials
//! `T(q) = exp(ξ₁ q₁) … exp(ξ_d q_d)` (Brockett 1984; Murray, Li & Sastry, *A Mathematical Introduction to Robotic Manipulation*, §3.2).
//! Up to three hinges whose axes are independent and up to three sliders, in any order, d ≤ 5. There is no body between them, so there
//! is nothing to weigh.
//!
//! *Positions from poses.* Sliders do not turn anything, so the rotation `R` of B against A is that of the hinges alone:
//! - one: the azimuth of `R e` about a, with e ⟂ a;
//! - two: `R a₂ = E₁ a₂` gives `q₁` as the azimuth from `a₂` to `R a₂` about `a₁`, and `Rᵀ a₁ = E₂⁻¹ a₁` gives `q₂`;
//! - three: `a₁·E₂ a₃ = a₁·R a₃` is `A cos q₂ + B sin q₂ = C`, of the two solutions the one on the side of the singularity where the
//!   middle of the range of q₂ is; then `q₁` and `q₃` as above. These are the subproblems of Paden and Kahan.
//!
//! With p the place of the origin of F on B and `p(q)` where the hinges alone would take it, `d = p - p(q) = Σ q_s u_s` over the
//! sliders, which is linear.
//!
//! *Rates.* World axes, spatial vectors at the point O = p: hinge k is `s_k = (a_k, a_k × (O - p_k))`, a slider `(0, u_k)`. With `g_h`
//! the dual basis of the axes (`g_h·a_j = δ_hj`, in their span) and `u*` that of the slides,
//! `q̇_h = g_h·ω`, `q̇_s = u*_s·(v - Σ_h l_h q̇_h)` for the relative velocity (ω, v) of B at O and `l_h = a_h × (O - p_h)`.
//! Rows that hold what is left: `n·ω = 0` with n ⟂ all a, and `m·(v - Σ l_h q̇_h) = 0` with m ⟂ all u. Each is a force f and a torque
//! τ about O with a constant power on every `s_k` (0 or 1), so its bias is
//! `J̇ v = Σ ± f·(-ω × v_c) - Σ_k w·(V_{k-1} × s_k) q̇_k`, with `V_{k-1}` the spatial velocity of what carries axis k.

use serde::{Deserialize, Serialize};

use super::super::elementary_row::LOCKED;
use super::super::pair::local_point;
use super::super::{ConstraintError, JacobianRow, Pair};
use super::attachment::{finite, finite_point, unit_axis};
use crate::digest::{Fingerprint, parameters};
use crate::math::{Coordinate, Quat, ReferenceFrame, Vec3, orientation, scalar};
use crate::physics::rigid_body::InertialState;

const NAME: &str = "sequence";

/// Most hinges, and most sliders, of a sequence.
const MOST: usize = 3;

/// Most joints of a sequence: six leave nothing to hold.
pub const MAX_SEQUENCE: usize = 5;

/// Sine of the least angle between the axes of a sequence.
const INDEPENDENT: f64 = 1e-3;

/// Least volume that the axes of three hinges are taken to span.
const SINGULAR: f64 = 1e-6;

/// One joint of a sequence, world coordinates where the sequence is made.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SequenceStep {
    /// True if B slides along the axis, false if it turns about it.
    pub slides: bool,
    /// A point of the axis, m.
    pub anchor: Coordinate,
    /// Direction of any length but zero.
    pub axis: Vec3,
    /// Position where the sequence is made, rad or m.
    pub placed_at: f64,
    /// Middle of its range, rad or m: of the second of three hinges it says on which side of the singularity positions are.
    pub center: f64,
}

/// The joints of a sequence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sequence {
    /// The common frame on A and on B, from the centres of mass in body axes.
    on_a: ReferenceFrame,
    on_b: ReferenceFrame,
    /// In the common frame, axes of unit length.
    steps: Vec<SequenceStep>,
    hinges: Vec<usize>,
    sliders: Vec<usize>,
    /// Two directions perpendicular to the last hinge, or to the first slider without one.
    across: [Vec3; 2],
}

impl Fingerprint for Sequence {
    parameters!("sequence": on_a, on_b, steps; hinges, sliders, across);
}

impl Fingerprint for SequenceStep {
    parameters!("step": slides, anchor, axis, placed_at, center);
}

impl Sequence {
    /// True if hinges and sliders are those of the joints, as the constructor makes them.
    pub(super) fn is_sound(&self) -> bool {
        let of = |slides: bool| (0..self.steps.len()).filter(move |&k| self.steps[k].slides == slides);
        (2..=MAX_SEQUENCE).contains(&self.steps.len())
            && [&self.hinges, &self.sliders].iter().all(|group| group.len() <= MOST)
            && self.hinges.iter().copied().eq(of(false))
            && self.sliders.iter().copied().eq(of(true))
    }

    /// From the states of the bodies and the joints in their order from A to B.
    ///
    /// # Errors
    /// If there are fewer than two joints or more than five, more than three hinges or sliders, an axis is no direction, or the axes of
    /// hinges, or of sliders, are not independent.
    pub(super) fn new(pair: &Pair<'_>, steps: &[SequenceStep]) -> Result<Self, ConstraintError> {
        let refuse = |what, wanted, got| Err(ConstraintError::Parameter { joint: NAME, what, wanted, got });
        if !(2..=MAX_SEQUENCE).contains(&steps.len()) {
            return refuse("number of joints", "2 to 5", steps.len() as f64);
        }
        let origin = steps.iter().rev().find(|step| !step.slides).unwrap_or(&steps[0]).anchor;
        let frame = |state: &InertialState| {
            ReferenceFrame::new(local_point(state, origin), state.orientation.conjugate())
        };
        let mut own = Vec::with_capacity(steps.len());
        for step in steps {
            finite_point(NAME, step.anchor)?;
            finite(NAME, "position as placed", step.placed_at)?;
            finite(NAME, "middle of the range", step.center)?;
            own.push(SequenceStep {
                axis: unit_axis(NAME, step.axis)?,
                anchor: step.anchor - origin,
                ..*step
            });
        }
        let of = |slides: bool| (0..own.len()).filter(|&k| own[k].slides == slides).collect::<Vec<_>>();
        let (hinges, sliders) = (of(false), of(true));
        for group in [&hinges, &sliders] {
            if group.len() > MOST {
                return refuse("joints of one kind", "at most 3 hinges and 3 sliders", group.len() as f64);
            }
            let axes: Vec<Vec3> = group.iter().map(|&k| own[k].axis).collect();
            let spread = spread(&axes, group == &sliders);
            if spread < INDEPENDENT {
                return refuse("sine between the axes", "axes that are independent", spread);
            }
        }
        let along = hinges.last().or(sliders.first()).map_or(Vec3::Z, |&k| own[k].axis);
        let first = along.any_orthonormal_vector();
        let across = [first, along.cross(first)];
        Ok(Self { on_a: frame(pair.a), on_b: frame(pair.b), steps: own, hinges, sliders, across })
    }

    /// How many joints there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Never: a sequence has two joints at least.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The joints, anchors and unit axes in the common frame.
    #[must_use]
    pub fn steps(&self) -> &[SequenceStep] {
        &self.steps
    }

    /// The common frame on A and on B, from the centres of mass in body axes.
    #[must_use]
    pub fn frames(&self) -> [ReferenceFrame; 2] {
        [self.on_a, self.on_b]
    }

    /// Number of rows that hold what the joints leave: six less the number of joints.
    pub(super) fn rows(&self) -> usize {
        6 - self.steps.len()
    }

    /// How many of them hold a rotation; the others hold lengths.
    pub(super) fn rotation_rows(&self) -> usize {
        3 - self.hinges.len()
    }

    /// Frame of B against that of A where joints are at these positions.
    #[must_use]
    pub fn displacement(&self, positions: &[f64]) -> ReferenceFrame {
        let mut frame = ReferenceFrame::IDENTITY;
        for (step, position) in self.steps.iter().zip(positions) {
            frame = frame.compose(&step.moved(position - step.placed_at));
        }
        frame
    }

    /// The joints with the bodies as they are.
    #[must_use]
    pub fn at(&self, pair: &Pair<'_>) -> SequenceNow {
        let frame_of = |state: &InertialState| ReferenceFrame::new(state.center_of_mass, state.orientation);
        let a = frame_of(pair.a).compose(&self.on_a);
        let b = frame_of(pair.b).compose(&self.on_b);
        // The difference of the centres first: it is exact where they are close, far from the origin too.
        let apart = (pair.b.center_of_mass - pair.a.center_of_mass)
            + (pair.b.orientation * self.on_b.position - pair.a.orientation * self.on_a.position);
        self.between(&a, &b, apart)
    }

    /// The joints between two frames, `apart` from the first to the second.
    #[must_use]
    pub fn between(&self, a: &ReferenceFrame, b: &ReferenceFrame, apart: Vec3) -> SequenceNow {
        let turn = a.orientation.conjugate() * b.orientation;
        let mut now = SequenceNow { count: self.steps.len(), ..SequenceNow::default() };
        self.angles(turn, &mut now.moved);
        // Axes and points as the joints before them carry them; sliders are let out below.
        let mut carried = ReferenceFrame::from_orientation(a.orientation);
        for (k, step) in self.steps.iter().enumerate() {
            now.slides[k] = step.slides;
            now.axes[k] = carried.direction_to_parent(step.axis);
            now.points[k] = carried.point_to_parent(step.anchor);
            if !step.slides {
                carried = carried.compose(&step.moved(now.moved[k]));
            }
        }
        if let [_, .., last] | [last] = self.hinges[..] {
            now.axes[last] = b.orientation * self.steps[last].axis;
        }
        let open = apart - carried.position;
        self.let_out(open, &mut now);
        // What sliders before a hinge have moved, the hinge has moved by as well; all points from O.
        let mut slid = Vec3::ZERO;
        for k in 0..now.count {
            now.points[k] += slid - apart;
            if now.slides[k] {
                slid += now.axes[k] * now.moved[k];
            }
        }
        now.origin = b.position;
        self.hold(open, a, b, &mut now);
        now
    }

    /// Angles of the hinges, rad from where the sequence was made, in (-π, π].
    fn angles(&self, turn: Quat, moved: &mut [f64; MAX_SEQUENCE]) {
        let axis = |nth: usize| self.steps[self.hinges[nth]].axis;
        match self.hinges[..] {
            [k] => moved[k] = azimuth(axis(0), self.across[0], turn * self.across[0]),
            [first, second] => {
                moved[first] = azimuth(axis(0), axis(1), turn * axis(1));
                moved[second] = -azimuth(axis(1), axis(0), turn.conjugate() * axis(0));
            }
            [first, second, third] => {
                let (a1, a2, a3) = (axis(0), axis(1), axis(2));
                let along = a1.dot(a2) * a2.dot(a3);
                let (x, y) = (a1.dot(a3) - along, a1.dot(a2.cross(a3)));
                let height = a1.dot(turn * a3) - along;
                let across = scalar::max(x * x + y * y - height * height, 0.0).sqrt();
                let (middle, half) = (scalar::atan2(y, x), scalar::atan2(across, height));
                let step = &self.steps[second];
                let center = step.center - step.placed_at;
                let near = |angle: f64| wrapped(angle - center) + center;
                let (low, high) = (near(middle - half), near(middle + half));
                let q2 = if (low - center).abs() <= (high - center).abs() { low } else { high };
                moved[second] = q2;
                let about = |turned: f64| orientation::from_rotation_vector(a2 * turned);
                moved[first] = azimuth(a1, about(q2) * a3, turn * a3);
                moved[third] = -azimuth(a3, about(-q2) * a1, turn.conjugate() * a1);
            }
            _ => {}
        }
    }

    /// Positions of the sliders and their dual basis, given what they must span.
    fn let_out(&self, open: Vec3, now: &mut SequenceNow) {
        for group in [&self.sliders, &self.hinges] {
            let mut axes = [Vec3::ZERO; MOST];
            for (axis, &k) in axes.iter_mut().zip(group) {
                *axis = now.axes[k];
            }
            for (&k, dual) in group.iter().zip(duals(axes, group.len())) {
                now.duals[k] = dual;
                if now.slides[k] {
                    now.moved[k] = dual.dot(open);
                }
            }
        }
    }

    /// Directions in which the bodies are held, and how far they are from it.
    fn hold(&self, open: Vec3, a: &ReferenceFrame, b: &ReferenceFrame, now: &mut SequenceNow) {
        let (mut held, mut values) = ([Vec3::ZERO; MAX_SEQUENCE], [0.0; MAX_SEQUENCE]);
        let mut row = 0;
        let mut add = |direction: Vec3, value: f64| {
            (held[row], values[row]) = (direction, value);
            row += 1;
        };
        match self.hinges[..] {
            [] => {
                let axes = Vec3::AXES;
                for (i, j) in LOCKED {
                    let (u, w) = (a.orientation * axes[i], b.orientation * axes[j]);
                    add(w.cross(u), u.dot(w));
                }
            }
            [k] => {
                let axis = b.orientation * self.steps[k].axis;
                for across in self.across {
                    let across = a.orientation * across;
                    add(axis.cross(across), across.dot(axis));
                }
            }
            [first, second] => {
                let (u, w) =
                    (a.orientation * self.steps[first].axis, b.orientation * self.steps[second].axis);
                add(w.cross(u), u.dot(w) - self.steps[first].axis.dot(self.steps[second].axis));
            }
            _ => {}
        }
        match self.sliders[..] {
            [] => Vec3::AXES.into_iter().for_each(|axis| add(axis, axis.dot(open))),
            [k] => {
                // Carried with the slider, so that they turn as it does.
                let axis = now.axes[k];
                let first = self.carried_across(k, a, now);
                for across in [first, axis.cross(first)] {
                    add(across, across.dot(open));
                }
            }
            [first, second] => {
                let across = now.axes[first].cross(now.axes[second]).normalize_or_zero();
                add(across, across.dot(open));
            }
            _ => {}
        }
        (now.held, now.values) = (held, values);
    }

    /// A unit vector perpendicular to the axis of a slider, as the hinges before it carry it.
    fn carried_across(&self, slider: usize, a: &ReferenceFrame, now: &SequenceNow) -> Vec3 {
        let mut turn = a.orientation;
        for (k, step) in self.steps.iter().enumerate().take(slider).filter(|(_, step)| !step.slides) {
            turn *= orientation::from_rotation_vector(step.axis * now.moved[k]);
        }
        turn * self.steps[slider].axis.any_orthonormal_vector()
    }
}

impl SequenceStep {
    /// What the joint does to what it carries.
    fn moved(&self, by: f64) -> ReferenceFrame {
        if self.slides {
            return ReferenceFrame::from_position(self.axis * by);
        }
        let turn = orientation::from_rotation_vector(self.axis * by);
        ReferenceFrame::new(self.anchor - turn * self.anchor, turn)
    }
}

/// The joints of a sequence at one instant, world axes.
#[derive(Clone, Copy, Debug, Default)]
pub struct SequenceNow {
    count: usize,
    slides: [bool; MAX_SEQUENCE],
    /// How far each has moved since the sequence was made, rad or m; angles in (-π, π].
    moved: [f64; MAX_SEQUENCE],
    axes: [Vec3; MAX_SEQUENCE],
    /// A point of each axis, from O.
    points: [Vec3; MAX_SEQUENCE],
    duals: [Vec3; MAX_SEQUENCE],
    /// Directions that are held: rotations first, then lengths; and how far the bodies are from it.
    held: [Vec3; MAX_SEQUENCE],
    values: [f64; MAX_SEQUENCE],
    /// O: where the frame of B is.
    origin: Coordinate,
}

/// A force and a torque about O.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RowWrench {
    force: Vec3,
    torque: Vec3,
}

impl SequenceNow {
    /// Position of a joint, rad or m; an angle within half a turn of `near`.
    #[must_use]
    pub fn position(&self, sequence: &Sequence, k: usize, near: f64) -> f64 {
        let position = self.moved[k] + sequence.steps[k].placed_at;
        let off = near - position;
        if self.slides[k] { position } else { position + (off - wrapped(off)) }
    }

    /// Motion of B along joint k at one unit a second: angular velocity, and velocity at O.
    #[must_use]
    pub fn motion(&self, k: usize) -> (Vec3, Vec3) {
        if self.slides[k] {
            (Vec3::ZERO, self.axes[k])
        } else {
            (self.axes[k], self.points[k].cross(self.axes[k]))
        }
    }

    /// Where the frame of B is.
    #[must_use]
    pub fn origin(&self) -> Coordinate {
        self.origin
    }

    /// Value of a row that holds.
    pub(super) fn value(&self, row: usize) -> f64 {
        self.values[row]
    }

    /// A row that holds, of which so many hold a rotation.
    pub(super) fn held_wrench(&self, row: usize, rotations: usize) -> RowWrench {
        if row < rotations {
            return RowWrench { force: Vec3::ZERO, torque: self.held[row] };
        }
        self.beyond_hinges(self.held[row])
    }

    /// The row of the position of joint k.
    pub(super) fn axis_wrench(&self, k: usize) -> RowWrench {
        if self.slides[k] {
            self.beyond_hinges(self.duals[k])
        } else {
            RowWrench { force: Vec3::ZERO, torque: self.duals[k] }
        }
    }

    /// `m·(v - Σ l_h q̇_h)`.
    fn beyond_hinges(&self, direction: Vec3) -> RowWrench {
        let mut torque = Vec3::ZERO;
        for k in (0..self.count).filter(|&k| !self.slides[k]) {
            torque -= self.duals[k] * direction.dot(self.motion(k).1);
        }
        RowWrench { force: direction, torque }
    }

    /// J of a row.
    pub(super) fn row(&self, wrench: &RowWrench, pair: &Pair<'_>) -> JacobianRow {
        let about =
            |state: &InertialState| (self.origin - state.center_of_mass).cross(wrench.force) + wrench.torque;
        JacobianRow {
            linear_a: -wrench.force,
            angular_a: -about(pair.a),
            linear_b: wrench.force,
            angular_b: about(pair.b),
        }
    }

    /// Spatial velocity of A or B at O.
    fn velocity(&self, state: &InertialState) -> (Vec3, Vec3) {
        let spin = state.angular_velocity;
        (spin, state.velocity + spin.cross(self.origin - state.center_of_mass))
    }

    /// Rates of all joints.
    pub(crate) fn rates(&self, pair: &Pair<'_>) -> [f64; MAX_SEQUENCE] {
        let ((wa, va), (wb, vb)) = (self.velocity(pair.a), self.velocity(pair.b));
        let (spin, mut velocity) = (wb - wa, vb - va);
        let mut rates = [0.0; MAX_SEQUENCE];
        for k in (0..self.count).filter(|&k| !self.slides[k]) {
            rates[k] = self.duals[k].dot(spin);
            velocity -= self.motion(k).1 * rates[k];
        }
        for k in (0..self.count).filter(|&k| self.slides[k]) {
            rates[k] = self.duals[k].dot(velocity);
        }
        rates
    }

    /// `Σ_k (V_{k-1} × s_k) q̇_k`, angular and linear part.
    fn carried_acceleration(&self, pair: &Pair<'_>) -> (Vec3, Vec3) {
        let rates = self.rates(pair);
        let (mut spin, mut velocity) = self.velocity(pair.a);
        let (mut angular, mut linear) = (Vec3::ZERO, Vec3::ZERO);
        for (k, rate) in rates.into_iter().enumerate().take(self.count) {
            let (axis, along) = self.motion(k);
            angular += spin.cross(axis) * rate;
            linear += (spin.cross(along) + velocity.cross(axis)) * rate;
            spin += axis * rate;
            velocity += along * rate;
        }
        (angular, linear)
    }

    /// Biases of some rows.
    pub(super) fn biases(&self, pair: &Pair<'_>, wrenches: &[RowWrench], out: &mut [f64]) {
        let (angular, linear) = self.carried_acceleration(pair);
        // dV/dt of a body at a fixed point: its accelerations less ω × v_c.
        let turning = |state: &InertialState| state.angular_velocity.cross(state.velocity);
        let fixed = turning(pair.a) - turning(pair.b);
        for (wrench, bias) in wrenches.iter().zip(out) {
            *bias = wrench.force.dot(fixed - linear) - wrench.torque.dot(angular);
        }
    }
}

/// The dual basis of up to three independent axes in their span: `dual_i·axis_j = δ_ij`.
fn duals([a, b, c]: [Vec3; MOST], count: usize) -> [Vec3; MOST] {
    match count {
        1 => [a / a.length_squared(), Vec3::ZERO, Vec3::ZERO],
        2 => {
            let normal = a.cross(b);
            let square = normal.length_squared();
            [b.cross(normal) / square, normal.cross(a) / square, Vec3::ZERO]
        }
        3 => {
            let volume = a.dot(b.cross(c));
            // At the singularity of three hinges rates are not determined: they stay finite.
            let volume = if volume.abs() < SINGULAR { SINGULAR.copysign(volume) } else { volume };
            [b.cross(c) / volume, c.cross(a) / volume, a.cross(b) / volume]
        }
        _ => [Vec3::ZERO; MOST],
    }
}

/// Sine of the least angle between axes that follow each other, or the volume of three that slide; one for fewer.
fn spread(axes: &[Vec3], slide: bool) -> f64 {
    match axes {
        [a, b] => a.cross(*b).length(),
        [a, b, c] if slide => a.dot(b.cross(*c)).abs(),
        [a, b, c] => scalar::min(a.cross(*b).length(), b.cross(*c).length()),
        _ => 1.0,
    }
}

/// Angle from `from` to `to` about a unit axis, rad, in (-π, π].
fn azimuth(axis: Vec3, from: Vec3, to: Vec3) -> f64 {
    let flat = from - axis * axis.dot(from);
    scalar::atan2(axis.dot(flat.cross(to)), flat.dot(to))
}

/// An angle in [-π, π].
fn wrapped(angle: f64) -> f64 {
    use std::f64::consts::TAU;
    angle - TAU * (angle / TAU).round()
}

//! Rows of joints, limits and motors among soft contacts: swept before them, and once more after them in a push pass.
//! Joints in many loops are pushed once, with springs as soft as those of contacts, so that one relax pass can remove
//! the velocity that the push added.
//!
//! Islands of the fast tier have no joint impulses from free flight: p is the whole impulse of a substep. (Where an
//! island of the exact tier falls back to the soft solver, free flight has held its joints, and p is the addition due
//! to contact.) A push closes the error `C = C₀ + J q` with the spring of a contact, and lets an open limit be
//! approached at `C/h`; a relax pass enforces `J v = target` within the bounds. The work of a motor is `p J ½
//! (v_before + v_after)` in each substep.

use super::bodies::{SoftBodies, Twist, vector};
use super::settings::Softness;
use crate::math::{Vec3, scalar};
use crate::physics::constraints::JacobianRow;

/// One row.
#[derive(Clone, Copy, Debug)]
pub struct SoftRow {
    /// Index of body A.
    pub body_a: u32,
    /// Index of body B.
    pub body_b: u32,
    /// Over `[v_A, ω_A, v_B, ω_B]`, world frame.
    pub jacobian: JacobianRow,
    /// `J v` where the row holds, in the middle of the step.
    pub target: f64,
    /// Change of `J v` in the second half of the step: the target passes from `target - turning` at the start of the
    /// step to `target + turning` at its end, so that a joint force on rotating bodies does no net work.
    pub turning: f64,
    /// Bounds of p in a substep, as of [`super::super::Row`].
    pub lower: f64,
    /// See `lower`.
    pub upper: f64,
    /// C at the start of the step, m or rad; `None` for drives.
    pub value: Option<f64>,
    /// One of many joints in loops, between which sweeps converge slowly.
    pub in_joint_mesh: bool,
    /// Impulse of a substep that warm-starts it.
    pub warm_start: f64,
    /// A rotor geared to the row, if the row is one.
    pub rotor: Option<SoftRotor>,
}

/// A rotor: `J v` is its rate, which an impulse p of the row changes by `-p/I`.
#[derive(Clone, Copy, Debug)]
pub struct SoftRotor {
    /// 1/I, 1/kg or 1/(kg·m²).
    pub inverse_inertia: f64,
    /// Its rate where the step starts, m/s or rad/s.
    pub rate: f64,
}

impl SoftRow {
    /// True for a row without bounds on p.
    pub(super) fn is_rigid(&self) -> bool {
        self.value.is_some() && self.lower == f64::NEG_INFINITY && self.upper == f64::INFINITY
    }
}

/// A row with its prepared data.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowState {
    pub(super) row: SoftRow,
    /// `M⁻¹ Jᵀ`: change of velocity by a unit impulse.
    pub(super) response: JacobianRow,
    /// `J M⁻¹ Jᵀ`.
    pub(super) weight: f64,
    pub(super) impulse: f64,
    /// Velocity at which an open limit may be approached, m/s or rad/s.
    pub(super) offset: f64,
    /// Rate of its rotor where the substep starts, m/s or rad/s, and what an impulse of one slows it by.
    rotor_rate: f64,
    inverse_rotor: f64,
    /// Impulses of all substeps, and the work they did, J.
    pub(super) sum: f64,
    pub(super) work: f64,
}

impl RowState {
    pub(super) fn new(row: SoftRow, bodies: &SoftBodies) -> Self {
        let (a, b) = (&bodies.given[row.body_a as usize], &bodies.given[row.body_b as usize]);
        let j = &row.jacobian;
        let response = JacobianRow {
            linear_a: j.linear_a * a.inverse_mass,
            angular_a: a.inverse_inertia * j.angular_a,
            linear_b: j.linear_b * b.inverse_mass,
            angular_b: b.inverse_inertia * j.angular_b,
        };
        let weight = dot(j, &response);
        Self {
            row,
            response,
            weight,
            impulse: scalar::clamp(row.warm_start, row.lower, row.upper),
            offset: 0.0,
            rotor_rate: row.rotor.map_or(0.0, |rotor| rotor.rate),
            inverse_rotor: row.rotor.map_or(0.0, |rotor| rotor.inverse_inertia),
            sum: 0.0,
            work: 0.0,
        }
    }

    /// `J` times velocities or displacements.
    pub(super) fn rate(&self, of: &[Twist]) -> f64 {
        let (a, b) = (&of[self.row.body_a as usize], &of[self.row.body_b as usize]);
        let j = &self.row.jacobian;
        j.linear_a.dot(vector(a[0]))
            + j.angular_a.dot(vector(a[1]))
            + j.linear_b.dot(vector(b[0]))
            + j.angular_b.dot(vector(b[1]))
    }

    /// C now, m or rad; zero for drives.
    pub(super) fn open(&self, displacement: &[Twist]) -> f64 {
        self.row.value.map_or(0.0, |value| value + self.rate(displacement))
    }

    /// Target at a time within the step between -1 and 1.
    pub(super) fn target(&self, share: f64) -> f64 {
        self.row.target + self.row.turning * share
    }

    pub(super) fn push(
        &mut self,
        bodies: &mut SoftBodies,
        regularisation: &Softness,
        per_second: f64,
        share: f64,
    ) {
        if self.row.value.is_none() || self.weight <= 0.0 {
            return;
        }
        let open = self.open(&bodies.displacement);
        // An open limit may be approached.
        let free = self.row.lower > f64::NEG_INFINITY && open > 0.0;
        let bias = open * if free { per_second } else { regularisation.rate };
        let off = self.rate(&bodies.velocity) - self.target(share) + bias;
        let (scale, impulse_coefficient) =
            if free { (1.0, 0.0) } else { (regularisation.scale, regularisation.impulse_coefficient) };
        self.apply(self.impulse - scale * off / self.weight - impulse_coefficient * self.impulse, bodies);
        // A limit with an impulse has been reached.
        self.offset = if free && self.impulse <= self.row.lower { bias } else { 0.0 };
    }

    pub(super) fn relax(&mut self, bodies: &mut SoftBodies, share: f64) {
        if self.weight > 0.0 {
            let target = self.target(share) + self.rotor_target();
            let off = self.rate(&bodies.velocity) - target + self.offset;
            self.apply(self.impulse - off / (self.weight + self.inverse_rotor), bodies);
        }
        self.sum += self.impulse;
    }

    /// Rate of its rotor after the impulse so far; zero without one.
    fn rotor_target(&self) -> f64 {
        self.rotor_rate - self.inverse_rotor * self.impulse
    }

    /// Applies the warm start.
    pub(super) fn warm_start(&mut self, bodies: &mut SoftBodies) {
        let begun = std::mem::take(&mut self.impulse);
        self.apply(begun, bodies);
    }

    /// Ends a substep.
    pub(super) fn end(&mut self, bodies: &SoftBodies) {
        if self.row.rotor.is_some() {
            self.rotor_rate = self.rotor_target();
        } else if self.row.value.is_none() {
            self.work += 0.5 * self.impulse * (self.rate(&bodies.begun) + self.rate(&bodies.velocity));
        }
    }

    /// Residual of the row with the velocities of the residual, m/s.
    pub(super) fn residual(&self, bodies: &SoftBodies) -> f64 {
        if self.weight <= 0.0 || self.row.rotor.is_some() {
            return 0.0;
        }
        let [a, b] = [self.row.body_a, self.row.body_b].map(|index| &bodies.given[index as usize]);
        let length = ((a.inverse_mass + b.inverse_mass) / self.weight).sqrt();
        let off = self.rate(&bodies.judged) - self.target(1.0) + self.offset;
        let wanted = scalar::clamp(self.impulse - off / self.weight, self.row.lower, self.row.upper);
        let own = (self.impulse - wanted).abs() * self.weight * length;
        if own.is_finite() { own } else { f64::INFINITY }
    }

    pub(super) fn apply(&mut self, wanted: f64, bodies: &mut SoftBodies) {
        let allowed = scalar::clamp(wanted, self.row.lower, self.row.upper);
        let change = allowed - self.impulse;
        self.impulse = allowed;
        let SoftRow { body_a, body_b, .. } = self.row;
        let JacobianRow { linear_a, angular_a, linear_b, angular_b } = self.response;
        for (index, linear, angular) in [(body_a, linear_a, angular_a), (body_b, linear_b, angular_b)] {
            let velocity = &mut bodies.velocity[index as usize];
            add(&mut velocity[0], linear * change);
            add(&mut velocity[1], angular * change);
        }
    }
}

/// `J M⁻¹ J'ᵀ`, from `M⁻¹ J'ᵀ`.
pub(super) fn dot(j: &JacobianRow, response: &JacobianRow) -> f64 {
    j.linear_a.dot(response.linear_a)
        + j.angular_a.dot(response.angular_a)
        + j.linear_b.dot(response.linear_b)
        + j.angular_b.dot(response.angular_b)
}

fn add(row: &mut [f64; 4], v: Vec3) {
    row[0] += v.x;
    row[1] += v.y;
    row[2] += v.z;
}

//! Couplings of joint positions: one row over any number of joints.
//!
//! `C = Σ_k f_k(q_k)` with q_k the positions of hinges (rad) and sliders (m) and f_k polynomials of degree four at most. With
//! `f' = df/dq`, `Ċ = Σ f_k' q̇_k`, so the Jacobian is the sum of `f_k' J_k` over the pairs of bodies of all joints, and the bias is
//! `Σ f_k' b_k + f_k'' q̇_k²` with b_k that of the axis. Full turns of a hinge count where f is linear; a curved f takes its angle within
//! half a turn of the middle of its limits. The multiplier λ acts on every joint with `f_k' λ`, a torque in N·m or a
//! force in N about or along its axis.
//!
//! The law of the row is one of a joint: rigid (gears, `equality/joint` of MJCF, `mimic` of URDF), a spring with a damper, a limit, dry
//! friction or an actuator (fixed tendons). A [`Constraint`] has two bodies; a coupling is therefore one constraint a joint. The first, its
//! leader, has the law; the others have [`RowLaw::Part`]: what they are worth is added to the row of the leader, wherever rows are used.

use std::sync::Arc;

use super::super::{
    AxisMemory, Constraint, ConstraintError, ConstraintHandle, JacobianRow, JointAxis, Pair, RowLaw, RowUnit,
};
use super::attachment::finite;
use crate::digest::Hasher;
use crate::math::Coordinate;
use crate::physics::rigid_body::BodyHandle;

const NAME: &str = "coupling";

/// The share of one joint in a coupling: `f(q) = Σ_i coefficients[i] qⁱ`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointTerm {
    /// A hinge or slider.
    pub joint: ConstraintHandle,
    /// Of the powers 0 to 4 of its position, rad or m.
    pub coefficients: [f64; 5],
}

impl JointTerm {
    /// `factor q`.
    #[must_use]
    pub const fn linear(joint: ConstraintHandle, factor: f64) -> Self {
        Self { joint, coefficients: [0.0, factor, 0.0, 0.0, 0.0] }
    }

    /// `constant + factor q`.
    #[must_use]
    pub const fn affine(joint: ConstraintHandle, constant: f64, factor: f64) -> Self {
        Self { joint, coefficients: [constant, factor, 0.0, 0.0, 0.0] }
    }

    /// All coefficients times a factor.
    #[must_use]
    pub fn scaled(mut self, factor: f64) -> Self {
        self.coefficients.iter_mut().for_each(|coefficient| *coefficient *= factor);
        self
    }
}

/// One joint of a coupling, as a constraint.
#[derive(Clone, Debug)]
pub struct CoupledJoint {
    term: JointTerm,
    axis: JointAxis,
    owner: Arc<dyn Constraint>,
    law: RowLaw,
    leader: Option<ConstraintHandle>,
}

impl CoupledJoint {
    /// The first joint of a coupling, which has its law.
    ///
    /// # Errors
    /// If a coefficient is not finite, the joint has no axis, or the law is none of a coupling.
    pub fn leading(
        term: JointTerm,
        owner: Arc<dyn Constraint>,
        law: RowLaw,
    ) -> Result<Self, ConstraintError> {
        let (what, wanted) = ("law", "rigid, a spring, a limit, dry friction or an actuator");
        match law {
            RowLaw::Rigid | RowLaw::Unilateral => {}
            RowLaw::Soft { stiffness, damping } if stiffness >= 0.0 && damping >= 0.0 => {
                finite(NAME, "stiffness", stiffness)?;
                finite(NAME, "damping", damping)?;
            }
            RowLaw::Motor { velocity, max_force } if max_force >= 0.0 => {
                finite(NAME, "velocity", velocity)?;
            }
            RowLaw::Drive { force, stiffness, damping, lower, upper } if lower <= upper => {
                finite(NAME, "force", force)?;
                finite(NAME, "stiffness", stiffness)?;
                finite(NAME, "damping", damping)?;
            }
            _ => return Err(ConstraintError::Parameter { joint: NAME, what, wanted, got: f64::NAN }),
        }
        Self::new(term, owner, law, None)
    }

    /// A further joint of the coupling of `leader`.
    ///
    /// # Errors
    /// If a coefficient is not finite, or the joint has no axis.
    pub fn following(
        leader: ConstraintHandle,
        term: JointTerm,
        owner: Arc<dyn Constraint>,
    ) -> Result<Self, ConstraintError> {
        Self::new(term, owner, RowLaw::Part, Some(leader))
    }

    fn new(
        term: JointTerm,
        owner: Arc<dyn Constraint>,
        law: RowLaw,
        leader: Option<ConstraintHandle>,
    ) -> Result<Self, ConstraintError> {
        for coefficient in term.coefficients {
            finite(NAME, "coefficient", coefficient)?;
        }
        let (what, wanted) = ("axes of the joint", "one: a hinge or a slider");
        let axis = owner.axis().ok_or(ConstraintError::Parameter { joint: NAME, what, wanted, got: 0.0 })?;
        Ok(Self { term, axis, owner, law, leader })
    }

    /// Its share of the coupling.
    #[must_use]
    pub fn term(&self) -> &JointTerm {
        &self.term
    }

    /// f, f' and f'' at a position, by Horner's rule.
    fn at(&self, q: f64) -> [f64; 3] {
        let [a0, a1, a2, a3, a4] = self.term.coefficients;
        [
            a0 + q * (a1 + q * (a2 + q * (a3 + q * a4))),
            a1 + q * (2.0 * a2 + q * (3.0 * a3 + q * 4.0 * a4)),
            2.0 * a2 + q * (6.0 * a3 + q * 12.0 * a4),
        ]
    }

    /// True if f' depends on where the joint is.
    fn is_curved(&self) -> bool {
        self.term.coefficients[2..].iter().any(|coefficient| *coefficient != 0.0)
    }

    fn slopes(&self, pair: &Pair<'_>) -> [f64; 2] {
        let q = if self.is_curved() { self.owner.axis_position(pair, self.axis.center) } else { 0.0 };
        let [_, slope, curvature] = self.at(q);
        [slope, curvature]
    }
}

impl Constraint for CoupledJoint {
    fn type_name(&self) -> &'static str {
        NAME
    }

    fn fingerprint(&self, hasher: &mut Hasher) {
        hasher.text(NAME);
        hasher.integer(self.term.joint.slot() as u64);
        hasher.integer(self.leader.map_or(0, |leader| 1 + leader.slot() as u64));
        hasher.numbers(&self.term.coefficients);
        hasher.text(&format!("{:?}", self.law));
    }

    fn bodies(&self) -> [Option<BodyHandle>; 2] {
        self.owner.bodies()
    }

    fn dimension(&self) -> usize {
        1
    }

    fn law(&self, _row: usize) -> RowLaw {
        self.law
    }

    fn unit(&self, _row: usize) -> RowUnit {
        self.axis.unit
    }

    fn value(&self, pair: &Pair<'_>, _time: f64, out: &mut [f64]) {
        out[0] = self.at(self.owner.axis_position(pair, self.axis.center))[0];
    }

    fn value_with(&self, pair: &Pair<'_>, _time: f64, memory: &AxisMemory, out: &mut [f64]) {
        let near = if self.is_curved() { self.axis.center } else { memory.position };
        out[0] = self.at(self.owner.axis_position(pair, near))[0];
    }

    fn jacobian(&self, pair: &Pair<'_>, _time: f64, out: &mut [JacobianRow]) {
        out[0] = self.owner.axis_row(pair).0 * self.slopes(pair)[0];
    }

    fn bias_acceleration(&self, pair: &Pair<'_>, _time: f64, out: &mut [f64]) {
        let ([slope, curvature], (row, bias)) = (self.slopes(pair), self.owner.axis_row(pair));
        let rate = row.velocity(pair.a, pair.b);
        out[0] = slope * bias + curvature * rate * rate;
    }

    fn anchor(&self, pair: &Pair<'_>) -> Coordinate {
        self.owner.anchor(pair)
    }

    fn along(&self) -> Option<ConstraintHandle> {
        Some(self.term.joint)
    }

    fn leader(&self) -> Option<ConstraintHandle> {
        self.leader
    }

    fn on_joint(&self, joint: &Arc<dyn Constraint>) -> Option<Arc<dyn Constraint>> {
        Some(Arc::new(Self { axis: joint.axis()?, owner: Arc::clone(joint), ..self.clone() }))
    }

    fn collide(&self) -> bool {
        self.owner.collide()
    }
}

//! Couplings of joint positions: gears, mimic joints, and fixed tendons with limits, springs, friction and actuators.

use std::sync::Arc;

use super::joint_axes::PREFIX;
use super::validate::Validator;
use super::{World, WorldError};
use crate::physics::constraints::{Actuator, ConstraintHandle, CoupledJoint, JointTerm, RowLaw};

impl World {
    // ── Couplings ───────────────────────────────────────────────────────────────────────────────────────────────

    /// Adds a row over the positions of several joints, `C = Σ f_k(q_k)`, with a law: [`RowLaw::Rigid`] for gears and mimic joints,
    /// [`RowLaw::Soft`] for a spring with a damper, [`RowLaw::Unilateral`] for a limit, `C ≥ 0`, [`RowLaw::Motor`] for dry friction.
    ///
    /// It is a constraint of its own under `name`, and one more for each further joint, named `name` with a number; the handle is that of
    /// the first, and [`World::remove_joint`] removes all.
    ///
    /// # Errors
    /// If there is no term, a handle is stale or foreign, a joint has no axis or is there twice, a number is out of range, or the name is
    /// taken.
    pub fn add_coupling(
        &mut self,
        name: &str,
        terms: &[JointTerm],
        law: RowLaw,
    ) -> Result<ConstraintHandle, WorldError> {
        let refuse = |what, expected, got: &str| Validator::joint(name).refuse(what, expected, got);
        let Some((first, further)) = terms.split_first() else {
            return Err(refuse("joints of a coupling", "at least one", "none"));
        };
        for (nth, term) in terms.iter().enumerate() {
            self.joint_position(term.joint)?;
            if terms[..nth].iter().any(|other| other.joint == term.joint) {
                return Err(refuse("joints of a coupling", "each once", self.joints.name(term.joint)?));
            }
        }
        let owner = |joint| self.joints.get(joint).map(Arc::clone);
        let leading = CoupledJoint::leading(*first, owner(first.joint)?, law)?;
        let owners: Vec<_> = further.iter().map(|term| owner(term.joint)).collect::<Result<_, _>>()?;
        let leader = self.add_joint(name, Arc::new(leading))?;
        for (nth, (term, owner)) in further.iter().zip(owners).enumerate() {
            let added = CoupledJoint::following(leader, *term, owner)
                .map_err(WorldError::from)
                .and_then(|part| self.add_joint(&format!("{name} ({})", nth + 2), Arc::new(part)));
            if let Err(problem) = added {
                self.remove_joint(leader)?;
                return Err(problem);
            }
        }
        Ok(leader)
    }

    /// Adds an actuator that pulls along a fixed tendon, `l = gear Σ f_k(q_k)`: as [`World::add_actuator`], over several joints.
    ///
    /// # Errors
    /// As [`World::add_coupling`].
    pub fn add_tendon_actuator(
        &mut self,
        name: &str,
        terms: &[JointTerm],
        actuator: Actuator,
    ) -> Result<ConstraintHandle, WorldError> {
        let terms: Vec<_> = terms.iter().map(|term| term.scaled(actuator.gear())).collect();
        let handle = self.add_coupling(&format!("{PREFIX}{name}"), &terms, actuator.law())?;
        self.actuators.insert(handle.slot(), actuator);
        Ok(handle)
    }

    /// `C` of a coupling now: the length of a tendon less where its spring or limit is, or the error of a gear; rad or m.
    ///
    /// # Errors
    /// If the handle is stale, foreign or not of a coupling.
    pub fn coupling_position(&self, coupling: ConstraintHandle) -> Result<f64, WorldError> {
        let mut sum = 0.0;
        for (term, position, _) in self.coupled_joints(coupling)? {
            let [a0, a1, a2, a3, a4] = term.coefficients;
            sum += a0 + position * (a1 + position * (a2 + position * (a3 + position * a4)));
        }
        Ok(sum)
    }

    /// `Ċ` of a coupling now, rad/s or m/s.
    ///
    /// # Errors
    /// If the handle is stale, foreign or not of a coupling.
    pub fn coupling_velocity(&self, coupling: ConstraintHandle) -> Result<f64, WorldError> {
        let mut sum = 0.0;
        for (term, position, velocity) in self.coupled_joints(coupling)? {
            let [_, a1, a2, a3, a4] = term.coefficients;
            sum += (a1 + position * (2.0 * a2 + position * (3.0 * a3 + position * 4.0 * a4))) * velocity;
        }
        Ok(sum)
    }

    /// Multiplier of a coupling in the last step: the tension of a tendon, N or N·m.
    ///
    /// # Errors
    /// If the handle is stale or foreign.
    pub fn coupling_force(&self, coupling: ConstraintHandle) -> Result<f64, WorldError> {
        Ok(self.joints.multipliers(coupling)?.first().copied().unwrap_or(0.0))
    }

    /// The terms of a coupling with positions and velocities of their joints.
    fn coupled_joints(&self, coupling: ConstraintHandle) -> Result<Vec<(JointTerm, f64, f64)>, WorldError> {
        let mut terms = Vec::new();
        self.joints.get(coupling)?;
        for handle in self.joints.coupled_with(coupling) {
            let any: &dyn std::any::Any = self.joints.get(handle)?.as_ref();
            let Some(part) = any.downcast_ref::<CoupledJoint>() else {
                let validator = Validator::joint(self.joints.name(coupling)?);
                return Err(validator.refuse("handle", "that of a coupling", "another joint"));
            };
            let term = *part.term();
            terms.push((term, self.joint_position(term.joint)?, self.joint_velocity(term.joint)?));
        }
        Ok(terms)
    }
}

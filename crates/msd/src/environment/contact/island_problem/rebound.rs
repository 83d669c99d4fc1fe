//! The second stage of an impact, by Poisson's hypothesis: contacts that were pressed part with what restitution gives back.
//!
//! The impulse of the first stage times restitution says how fast each contact would part; that velocity is asked for in a second
//! solution, in which contacts still only push. If it gains energy, it is asked for half as much.

use super::super::report::ContactReport;
use super::{IslandProblem, velocity};
use crate::math::{Vec3, real};
use crate::physics::constraints::contact::{BodyVelocity, ContactBody, ContactProblemError};
use crate::tolerance;

impl IslandProblem {
    /// Poisson's second stage, after [`IslandProblem::solve`]: restitution by index of the candidate.
    pub(in super::super) fn rebound(
        &mut self,
        restitution: impl Fn(usize) -> f64,
        report: &mut ContactReport,
    ) -> Result<(), ContactProblemError> {
        if !self.expand(restitution) {
            return Ok(());
        }
        for _ in 0..tolerance::REBOUND_HALVINGS {
            for (contact, rebound) in self.rebounds.iter().enumerate() {
                self.problem.set_rebound(contact, *rebound)?;
            }
            self.rebounding.clone_from(&self.impulses);
            let outcome = self.solver.solve(&self.problem, &mut self.rebounding, &self.settings);
            let (gained, lost) = self.energy(&self.rebounding.contacts, self.solver.velocities());
            if gained <= tolerance::REBOUND_GAIN * lost {
                report.judge(&outcome);
                std::mem::swap(&mut self.impulses, &mut self.rebounding);
                self.velocities.clear();
                self.velocities.extend_from_slice(self.solver.velocities());
                break;
            }
            self.rebounds.iter_mut().for_each(|rebound| *rebound *= 0.5);
        }
        Ok(())
    }

    /// The velocities contacts are to part with; false if none is to.
    fn expand(&mut self, restitution: impl Fn(usize) -> f64) -> bool {
        let (bodies, impulses) = (self.problem.bodies(), &self.impulses.contacts);
        self.expanded.clear();
        self.expanded.extend_from_slice(&self.velocities);
        for ((contact, impulse), index) in self.problem.contacts().iter().zip(impulses).zip(&self.chosen) {
            let expansion = contact.frame.x_axis * (restitution(*index) * impulse.x);
            for (body, arm, impulse) in
                [(contact.body_a, contact.arm_a, -expansion), (contact.body_b, contact.arm_b, expansion)]
            {
                self.expanded[body].linear += impulse * bodies[body].inverse_mass;
                self.expanded[body].angular += bodies[body].inverse_inertia * arm.cross(impulse);
            }
        }
        self.expand_rows(&restitution);
        let impulses = &self.impulses.contacts;
        self.rebounds.clear();
        for ((contact, impulse), index) in self.problem.contacts().iter().zip(impulses).zip(&self.chosen) {
            let parts = restitution(*index) > 0.0 && impulse.x > 0.0;
            let rebound = real::max(0.0, velocity(contact, &self.expanded).x);
            self.rebounds.push(if parts { rebound } else { 0.0 });
        }
        self.rebounds.iter().any(|rebound| *rebound > 0.0)
    }

    /// Joints take part in the expansion with the mean restitution of the contacts.
    fn expand_rows(&mut self, restitution: &impl Fn(usize) -> f64) {
        let (mut returned, mut given) = (0.0, 0.0);
        for (impulse, index) in self.impulses.contacts.iter().zip(&self.chosen) {
            returned += restitution(*index) * impulse.x;
            given += impulse.x;
        }
        let share = if given > 0.0 { returned / given } else { 0.0 };
        let rigid = self
            .problem
            .rows()
            .iter()
            .zip(&self.impulses.rows)
            .filter(|(row, _)| row.lower == f64::NEG_INFINITY);
        for (row, impulse) in rigid {
            for (body, wrench) in [(row.body_a, row.jacobian.on_a()), (row.body_b, row.jacobian.on_b())] {
                let ContactBody { inverse_mass, inverse_inertia, .. } = self.problem.bodies()[body];
                self.expanded[body].linear += wrench.force * (share * impulse * inverse_mass);
                self.expanded[body].angular += inverse_inertia * wrench.torque * (share * impulse);
            }
        }
    }

    /// Energy that relative motion would gain and lose at the contacts, J: `Σ λ·½(u⁻ + u⁺)` split by sign.
    fn energy(&self, impulses: &[Vec3], velocities: &[BodyVelocity]) -> (f64, f64) {
        let (mut total, mut lost) = (0.0, 0.0);
        for (contact, impulse) in self.problem.contacts().iter().zip(impulses) {
            let mean = 0.5 * (self.free_velocity(contact) + velocity(contact, velocities));
            total += impulse.dot(mean);
            lost += impulse.dot(mean).abs();
        }
        (real::max(total, 0.0), lost)
    }
}

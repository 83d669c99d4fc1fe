//! Restitution of an impact, by Newton's kinematic law at every contact point.
//!
//! With `u⁻` and `u⁺` the relative velocities of a contact before and after, e its restitution and λ its impulse,
//! ```text
//! 0 ≤ λ_n  ⊥  u_n⁺ - r ≥ 0,     r = max(0, -e u_n⁻),     λ_t by Coulomb's law on u_t⁺
//! ```
//! so that a struck contact leaves with `-e u_n⁻`, whatever its friction and lever arms, and a contact that others
//! drive apart faster is not held. The law is the same for contacts struck at the same instant: a body that lands
//! flat with equal restitution at all its points has `u⁺ = -e u⁻` at each, and the result does not depend on how
//! redundant points share the impulse (with Poisson's law, `λ_expansion = e λ_compression`, it would). Closed
//! contacts without approach are inactive while the impacts of an instant are resolved in sequence (`impacts`), as in
//! Newton's cradle.
//!
//! **Energy.** Contacts change the energy by `ΔE = Σ λ·½(u⁻ + u⁺)` plus the work of moments. Without friction and
//! with every `u_n⁻ ≤ 0` it is `-½ Σ (1 - e) λ_n |u_n⁻| ≤ 0`. Where friction reverses a motion, or separating bodies
//! are pushed by others, Newton's law can gain energy (Kane and Levinson 1985, *Dynamics*, §3.7). All rebounds are
//! then scaled by the largest common factor without a gain, computed by bisection: at zero ΔE ≤ 0 always. Contacts
//! with less than their rebound are counted in [`ContactReport::inelastic_impacts`]. Round-off is measured against `Σ
//! ‖λ‖ (‖u⁻‖ + ‖u⁺‖)`, which does not vanish in an elastic impact.
//!
//! A single contact without joints and moments is solved in closed form, to round-off at any speed and mass.

use super::super::report::ContactReport;
use super::{IslandProblem, velocity};
use crate::math::scalar;
use crate::physics::constraints::contact::{
    BodyVelocity, ContactProblemError, ExactSolverSettings, newton_rebound, solve_contact,
};
use crate::tolerance;

impl IslandProblem {
    /// Solves an impact with these coefficients of restitution, by index of the candidate; zero for a contact without
    /// rebound. Returns the number of contacts with less rebound than required.
    pub(in super::super) fn solve_impact(
        &mut self,
        restitution: impl Fn(usize) -> f64,
        report: &mut ContactReport,
    ) -> Result<usize, ContactProblemError> {
        self.rebounds.clear();
        for (contact, index) in self.problem.contacts().iter().zip(&self.chosen) {
            let approach = self.free_velocity(contact).x;
            self.rebounds.push(scalar::max(0.0, newton_rebound(restitution(*index), approach)));
        }
        self.bounce(1.0, report)?;
        if self.rebounds.iter().all(|rebound| *rebound == 0.0) {
            return Ok(0);
        }
        if self.gains_energy() {
            // The largest factor without a gain: `low` has none, `high` has one.
            let (mut low, mut high) = (0.0, 1.0);
            for _ in 0..tolerance::REBOUND_BISECTIONS {
                let share = 0.5 * (low + high);
                self.bounce(share, &mut ContactReport::default())?;
                if self.gains_energy() {
                    high = share;
                } else {
                    low = share;
                }
            }
            self.bounce(low, report)?;
        }
        Ok(self.problem.contacts().iter().zip(&self.rebounds).filter(|(c, r)| self.is_missed(c, **r)).count())
    }

    /// True if a contact leaves with less than its required rebound.
    fn is_missed(&self, contact: &super::Contact, rebound: f64) -> bool {
        let obtained = velocity(contact, &self.velocities).x;
        rebound > 0.0
            && obtained < rebound - tolerance::REBOUND_OBTAINED * scalar::max(rebound, self.fastest())
    }

    /// True if the active contact with this index has restitution and reached its rebound.
    pub(in super::super) fn bounced(&self, nth: usize) -> bool {
        self.rebounds[nth] > 0.0 && !self.is_missed(&self.problem.contacts()[nth], self.rebounds[nth])
    }

    /// The fastest required rebound, m/s.
    fn fastest(&self) -> f64 {
        self.rebounds.iter().copied().fold(0.0, scalar::max)
    }

    /// Solves with this fraction of the rebounds.
    fn bounce(&mut self, share: f64, report: &mut ContactReport) -> Result<(), ContactProblemError> {
        for (contact, rebound) in self.rebounds.iter().enumerate() {
            self.problem.set_rebound(contact, share * rebound)?;
        }
        if let ([contact], []) = (self.problem.contacts(), self.problem.rows()) {
            let mut wanted = self.free_velocity(contact) + contact.drift;
            wanted.x -= contact.rebound;
            self.impulses.contacts[0] = solve_contact(&self.problem.block(0), wanted, contact.friction);
        }
        // Slow impacts are solved as accurately as fast ones, relative to their speed.
        let speed =
            self.problem.contacts().iter().map(|c| self.free_velocity(c).length()).fold(0.0, scalar::max);
        let finer = scalar::clamp(speed, tolerance::REBOUND_OBTAINED, 1.0);
        let ExactSolverSettings { target, accepted, .. } = self.settings;
        let settings =
            ExactSolverSettings { target: target * finer, accepted: accepted * finer, ..self.settings };
        self.solve_by(settings, settings.accepted, report);
        Ok(())
    }

    /// True if the contacts do more work on the bodies than round-off explains.
    fn gains_energy(&self) -> bool {
        let (mut work, mut scale) = (0.0, 0.0);
        for (nth, (contact, impulse)) in
            self.problem.contacts().iter().zip(&self.impulses.contacts).enumerate()
        {
            let (before, after) = (self.free_velocity(contact), velocity(contact, &self.velocities));
            // What belts put in is no gain of the impact.
            work += impulse.dot(0.5 * (before + after) + contact.drift) + self.moment_work(nth);
            scale += impulse.length() * (before.length() + after.length() + contact.drift.length());
        }
        work > tolerance::REBOUND_GAIN * scale
    }

    /// Velocities of the bodies of a chosen contact before and after, world frame.
    pub(in super::super) fn body_velocities(&self, nth: usize) -> [[BodyVelocity; 2]; 2] {
        let contact = &self.problem.contacts()[nth];
        let ends = [contact.body_a, contact.body_b];
        [ends.map(|end| self.problem.bodies()[end].free), ends.map(|end| self.velocities[end])]
    }

    /// No contact rebounds.
    pub(in super::super) fn forget_rebounds(&mut self) {
        self.rebounds.clear();
        self.rebounds.resize(self.problem.contacts().len(), 0.0);
    }
}

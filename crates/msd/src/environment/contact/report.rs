//! Report of contact in a step, with the residual of its problems.

use crate::math::scalar;
use crate::physics::constraints::contact::SolveReport;

/// Contact in one step, or the worst of many.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactReport {
    /// Points that transmitted an impulse.
    pub contacts: usize,
    /// Groups of bodies that were solved together.
    pub islands: usize,
    /// Impacts inside the step, at times of their own.
    pub impacts: usize,
    /// Contacts that asked for restitution in an impact and got less: where it would have gained energy, and where so many meet
    /// within a step that not all are taken at their own times.
    pub inelastic_impacts: usize,
    /// Deepest overlap, m: what the points of the step leave at its end, or what was found at its start, if that is more. (What
    /// two bodies make that turn into each other within a step is seen at the start of the next.)
    pub max_penetration: f64,
    /// Deepest overlap at the start of the step beyond [`crate::tolerance::POSITION_SLOP`], m: placed by the user, or left by the step
    /// before. It is pushed out at a bounded speed, velocities untouched. Not measured by the fast tier.
    pub initial_overlap: f64,
    /// Worst residual of an island: how far velocities are from Coulomb's and Signorini's laws in m/s, divided by the
    /// velocity scale of the island where that is above 1 m/s. Evaluated from problem and impulses; no solver code is
    /// involved.
    pub residual: f64,
    /// Sweeps and factorisations of the island that needed most.
    pub iterations: usize,
    /// Problems that were solved, of all islands.
    pub solves: usize,
    /// Sweeps of Gauss-Seidel, of all islands.
    pub sweeps: usize,
    /// Factorisations by Newton's method and the interior point, of all islands.
    pub factorisations: usize,
    /// Islands whose residual is above [`crate::tolerance::CONTACT_CERTIFIED`].
    pub unconverged: usize,
}

impl Default for ContactReport {
    fn default() -> Self {
        Self {
            contacts: 0,
            islands: 0,
            impacts: 0,
            inelastic_impacts: 0,
            max_penetration: 0.0,
            initial_overlap: 0.0,
            residual: 0.0,
            iterations: 0,
            solves: 0,
            sweeps: 0,
            factorisations: 0,
            unconverged: 0,
        }
    }
}

impl ContactReport {
    /// True if every island was solved to the certified residual.
    #[must_use]
    pub fn is_certified(&self) -> bool {
        self.unconverged == 0
    }

    /// Takes in an island that was judged on its own.
    pub(super) fn take_in(&mut self, island: &Self) {
        self.impacts += island.impacts;
        self.inelastic_impacts += island.inelastic_impacts;
        self.residual = scalar::max(self.residual, island.residual);
        self.unconverged += island.unconverged;
        self.count(island);
    }

    /// Takes in the work on problems whose solutions are not used.
    pub(super) fn count(&mut self, tried: &Self) {
        self.iterations = self.iterations.max(tried.iterations);
        self.solves += tried.solves;
        self.sweeps += tried.sweeps;
        self.factorisations += tried.factorisations;
    }

    /// Takes in the verdict on one problem of an island.
    pub(super) fn judge(&mut self, outcome: &SolveReport) {
        let relative = outcome.residual / outcome.velocity_scale;
        self.residual = if relative.is_nan() { f64::INFINITY } else { scalar::max(self.residual, relative) };
        self.iterations = self.iterations.max(outcome.iterations.factorisations + outcome.iterations.sweeps);
        self.solves += 1;
        self.sweeps += outcome.iterations.sweeps;
        self.factorisations += outcome.iterations.factorisations;
        self.unconverged += usize::from(!outcome.converged);
    }
}

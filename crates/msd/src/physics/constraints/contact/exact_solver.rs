//! The exact solver of one island: a short chain of methods with counted budgets ([`ContactMethod::Exact`](super::ContactMethod::Exact)).
//!
//! 0. **Warm start.** Near a solution in which nothing slips, a linear step or two: it is one.
//! 1. **Sweeps** (`gauss_seidel`), up to 256 contacts with friction and without rows of joints: at most 100 with Anderson acceleration, beyond 64
//!    contacts as long as 20 of them leave a third of the residual. One linear problem then shares the load of redundant contacts, which
//!    sweeps load by their order (`minimum_norm`).
//! 2. **Proximal Newton** (`proximal_newton`) without friction, or with rows of joints from nothing.
//! 3. Near a solution with friction, **Newton steps of Coulomb's own law** with less and less softness.
//! 4. **Compliant contact** (`compliant_newton`), which always converges, and from there the steps of 3: for up to 256 contacts, or any number of
//!    which none slides. The **interior point** (`interior_point`) once and the steps of 3 again are the only fallback.
//! 5. If the rigid law is still not solved, the solution is **that of compliant contact**, declared as such with the residual of the
//!    rigid law next to it. An iterate that has not converged is never used.
//!
//! Contacts with moments and rows of joints have no compliant law here: for them Newton steps and sweeps take turns instead.
//!
//! Where nothing moves, a last step or two: what is left of a resting island would add up from step to step until it has to be solved
//! again. Budgets are counts, so results do not depend on the machine.

use super::constraint_rows::ConstraintRows;
use super::gauss_seidel::ANDERSON_PERIOD;
use super::gauss_seidel::SweepKind;
use super::problem::ContactProblem;
use super::proximal_newton::Goal;
use super::proximal_newton::{MOVING_FALL, SOFTNESS_FIRST, SOFTNESS_MOST};
use super::settings::{ExactSolverSettings, Iterations};
use super::solver::ContactSolver;
use crate::math::scalar;
use crate::tolerance;

/// Residual, relative to the fastest contact of the island, that is accepted while the island moves. tuned:
/// without it, and without the handling of flat faces, `contact_stacks` takes 2.4 times as long.
const BESIDE_MOTION: f64 = 1e-5;

/// Residual to which islands at rest are refined, relative to the target, and the factorisations allowed for
/// it. tuned: without it four tests of resting stacks and mass ratio 1e6 fail.
const CONTACT_POLISHED: f64 = 1e-2;

/// See [`CONTACT_POLISHED`].
const POLISHING_FACTORISATIONS: usize = 4;

/// Residual, relative to the velocity scale, from which Newton steps with friction precede the interior-point
/// method, and their regularisation. tuned: sliding and tipping stacks of `contact_sequences`.
const NEAR_SOLUTION: f64 = 1e-3;

/// See [`NEAR_SOLUTION`].
const NEAR_SOFTNESS: f64 = 1e-4;

/// Share of the residual below which an attempt is progress; the growth allowed to one that solved its
/// regularised law; the attempts that may fail; and the growth of the largest impulse, relative to the first
/// or to the one that stops the largest velocity, beyond which an attempt is rejected. tuned: tumbling piles
/// with redundant sliding contacts in `contact_piles`.
const ATTEMPT_PROGRESS: f64 = 0.3;

/// See [`ATTEMPT_PROGRESS`].
const ATTEMPT_GROWTH: f64 = 5.0;

/// See [`ATTEMPT_PROGRESS`].
const ATTEMPT_FAILURES: usize = 3;

/// See [`ATTEMPT_PROGRESS`].
const ATTEMPT_LOAD: f64 = 10.0;

/// Budget of the alternation of frictional Newton steps and sweeps: factorisations times contacts. tuned:
/// tumbling piles of 250 cubes.
const ALTERNATION_EFFORT: usize = 40_000;

/// Residual, relative to the accepted one, that the last alternation leaves: a third of the certified
/// residual at rest. tuned: tumbling piles.
const ROUNDS_CONTENT: f64 = 15.0;

/// Rounds that do not halve the residual before an alternation ends. tuned: tumbling piles.
const ROUNDS_PATIENCE: usize = 3;

/// Largest mass ratio of an island that starts with sweeps. tuned: with the sweeps from a warm start.
const SWEEP_MASS_RATIO: f64 = 1e3;

/// Residual, relative to the velocity scale, at which Newton steps replace the interior point. tuned: the
/// interior point reaches about six digits.
const INTERIOR_CLOSE: f64 = 1e-6;

/// Contacts up to which sweeps come first, those up to which all are used up, and sweeps in a block. Tuned: on problems of falling piles 100
/// sweeps solve all with up to 4 contacts, nine in ten with up to 64, and one in four with up to 256.
const SWEPT_CONTACTS: usize = 256;
const ALWAYS_SWEPT: usize = 64;
const SWEEP_BLOCK: usize = 20;

/// Contacts that are solved as symmetrically as they are loaded, if they are near a solution: a body that slides on a face.
const FEW_CONTACTS: usize = 8;

/// Contacts, some of them redundant, that start from a few symmetric Newton steps if they are far from a solution, and the factorisations of
/// these: sweeps then change little of how a load is shared, and so of how fast what slides on a face turns.
const EVEN_CONTACTS: usize = 32;
const EVEN_FACTORISATIONS: usize = 6;

/// Residual relative to the fastest contact at which sweeps end.
const SWEPT_BESIDE_MOTION: f64 = 1e-6;

/// Factorisations for islands in which nothing slid in the last step.
const RESTING_FACTORISATIONS: usize = 6;

/// Contacts up to which the rigid law is sought where they slide. Tuned: beyond, one problem in five is solved in fewer than 60 factorisations.
const RIGID_CONTACTS: usize = 256;

/// Times that Newton steps and sweeps take turns beyond [`ALWAYS_SWEPT`] contacts.
const FEW_ALTERNATIONS: usize = 2;

/// Sliding at which bodies of compliant contact count as at rest, in compliances of the velocity scale.
const STILL_COMPLIANCES: f64 = 10.0;

impl ContactSolver {
    pub(super) fn solve_exact(
        &mut self,
        problem: &ContactProblem,
        settings: &ExactSolverSettings,
        iterations: &mut Iterations,
    ) {
        let scale = problem.velocity_scale();
        let enough = scalar::max(settings.target * scale, settings.accepted);
        let goal = Goal { target: settings.target * scale, scale };
        let mut residual = self.residual();
        let begun = self.flat.iter().any(|&impulse| impulse != 0.0);
        if begun
            && residual <= tolerance::CONTACT_CERTIFIED
            && self.polish(residual, goal, iterations) <= goal.target
        {
            return;
        }
        // What rests and is loaded a little otherwise: linear steps find it, to more digits than sweeps.
        let near = begun && residual <= NEAR_SOLUTION * scale;
        if near && self.newton.nothing_slips(&self.elements, &self.flat) {
            residual =
                self.refine(goal, settings.first_factorisations.min(RESTING_FACTORISATIONS), iterations);
            if residual <= enough {
                self.polish(residual, goal, iterations);
                return;
            }
        }
        if problem.is_frictionless() {
            self.solve_without_friction(residual, goal, enough, settings, iterations);
            return;
        }
        let contacts = problem.contacts().len();
        let plain = problem.rows().is_empty() && !problem.has_moments();
        let redundant = has_redundant_contacts(&self.elements);
        if near && plain && redundant && contacts <= FEW_CONTACTS {
            // Where redundant contacts slide, how fast depends on how they share the load.
            residual = self.approach(residual, goal, NEAR_SOFTNESS, iterations).0;
            if residual <= enough {
                self.polish(residual, goal, iterations);
                return;
            }
        }
        let swept = problem.rows().is_empty()
            && contacts <= SWEPT_CONTACTS
            && has_similar_masses(problem)
            && (plain || !redundant);
        if swept && plain && redundant && !near && contacts <= EVEN_CONTACTS && settings.opening_sweeps > 0 {
            residual = self.refine(goal, settings.first_factorisations.min(EVEN_FACTORISATIONS), iterations);
        }
        if swept {
            residual = self.sweep_while_it_pays(problem, residual, goal, settings, iterations);
        }
        let swept_enough = swept && residual <= self.swept_enough(problem, enough);
        if !swept_enough {
            if !begun && !swept && contacts <= RIGID_CONTACTS {
                residual = self.refine(goal, settings.first_factorisations, iterations);
            }
            residual = self.solve_with_friction(problem, residual, (goal, enough), settings, iterations);
        }
        if self.is_compliant {
            return;
        }
        if swept && redundant {
            residual = self.share_load(residual, scalar::max(enough, residual), iterations);
        }
        if residual <= enough {
            self.polish(residual, goal, iterations);
        }
    }

    /// Proximal Newton, and in turn with sweeps if that is not enough.
    fn solve_without_friction(
        &mut self,
        mut residual: f64,
        goal: Goal,
        enough: f64,
        settings: &ExactSolverSettings,
        iterations: &mut Iterations,
    ) {
        if residual > goal.target {
            residual = self.refine(goal, settings.first_factorisations, iterations);
        }
        residual = self.alternate_proximal(residual, goal, ROUNDS_CONTENT * enough, settings, iterations);
        if residual <= enough {
            self.polish(residual, goal, iterations);
        }
    }

    /// A residual of sweeps that is good enough, m/s: of many contacts one small beside how fast they move. Velocities may miss its square root
    /// where a contact is about to slide.
    fn swept_enough(&mut self, problem: &ContactProblem, enough: f64) -> f64 {
        if problem.contacts().len() <= ALWAYS_SWEPT {
            return enough;
        }
        self.residual();
        let speed = self.elements.fastest(problem, &self.flat, &self.u);
        scalar::max(enough, scalar::min(SWEPT_BESIDE_MOTION * speed, 0.01 * tolerance::CONTACT_CERTIFIED))
    }

    /// Sweeps in blocks until the residual is small beside the motion, they are used up, or, of many contacts, a block leaves more than a
    /// third; returns the residual.
    fn sweep_while_it_pays(
        &mut self,
        problem: &ContactProblem,
        mut residual: f64,
        goal: Goal,
        settings: &ExactSolverSettings,
        iterations: &mut Iterations,
    ) -> f64 {
        let contacts = problem.contacts().len();
        for _ in 0..settings.opening_sweeps / SWEEP_BLOCK {
            let before = residual;
            residual = self.sweep(residual, goal.target, SWEEP_BLOCK, iterations);
            let pays = contacts <= ALWAYS_SWEPT || residual <= before / 3.0;
            if !pays || residual <= self.swept_enough(problem, goal.target) {
                break;
            }
        }
        residual
    }

    /// Exchanges the impulses of a solution for the least that give its velocities; returns the residual, at most `enough`.
    fn share_load(&mut self, residual: f64, enough: f64, iterations: &mut Iterations) -> f64 {
        self.prepare_matrix();
        self.residual();
        let Self { minimum_norm, elements, matrix, flat, u, .. } = self;
        let noticeable = scalar::max(residual, 0.1 * enough);
        let (shared, factorisations) = minimum_norm.share(elements, matrix, (flat, u), noticeable);
        iterations.factorisations += factorisations;
        let Some(shared) = shared else { return residual };
        std::mem::swap(flat, shared);
        let now = self.residual();
        if now <= enough {
            return now;
        }
        std::mem::swap(&mut self.flat, self.minimum_norm.last());
        residual
    }

    /// Where nothing moves, solves far beyond the target; returns the residual.
    fn polish(&mut self, residual: f64, goal: Goal, iterations: &mut Iterations) -> f64 {
        let polished = Goal { target: CONTACT_POLISHED * goal.target, ..goal };
        if residual <= scalar::max(polished.target, tolerance::ROUND_OFF_ACCEPTED * self.round_off()) {
            return residual;
        }
        if self.newton.nothing_slips(&self.elements, &self.flat) {
            return self.refine(polished, POLISHING_FACTORISATIONS, iterations);
        }
        // Friction may be at its limit and nothing move.
        self.residual();
        if self.elements.fastest_slip(&self.flat, &self.u) <= tolerance::CONTACT_STILL {
            return self.approach(residual, polished, NEAR_SOFTNESS, iterations).0;
        }
        residual
    }

    /// Proximal Newton and sweeps in turn; returns the residual.
    fn alternate_proximal(
        &mut self,
        mut residual: f64,
        goal: Goal,
        enough: f64,
        settings: &ExactSolverSettings,
        iterations: &mut Iterations,
    ) -> f64 {
        let mut stalled = 0;
        for _ in 0..settings.rounds {
            if residual <= scalar::max(enough, self.round_off()) || stalled == ROUNDS_PATIENCE {
                break;
            }
            let before = residual;
            residual = self.refine(goal, settings.factorisations, iterations);
            if residual > scalar::max(enough, self.round_off()) {
                residual = self.sweep(residual, goal.target, settings.sweeps, iterations);
            }
            stalled = if residual > 0.5 * before { stalled + 1 } else { 0 };
        }
        residual
    }

    /// A residual that is small beside how fast contacts move, and certified, m/s.
    fn beside_motion(&mut self, problem: &ContactProblem) -> f64 {
        self.residual();
        let speed = self.elements.fastest(problem, &self.flat, &self.u);
        scalar::min(BESIDE_MOTION * speed, 0.5 * tolerance::CONTACT_CERTIFIED)
    }

    /// The interior point; returns the residual.
    fn run_interior_point(
        &mut self,
        residual: f64,
        goal: Goal,
        enough: f64,
        settings: &ExactSolverSettings,
        iterations: &mut Iterations,
    ) -> f64 {
        self.prepare_matrix();
        let Self { interior, elements, matrix, flat, .. } = self;
        let close = scalar::max(enough, INTERIOR_CLOSE * goal.scale);
        let (best, done) = interior.run(elements, matrix, flat, (residual, close), settings.interior_steps);
        iterations.factorisations += done;
        best
    }

    /// Steps 3 to 5; returns the residual of the rigid law.
    fn solve_with_friction(
        &mut self,
        problem: &ContactProblem,
        mut residual: f64,
        (goal, enough): (Goal, f64),
        settings: &ExactSolverSettings,
        iterations: &mut Iterations,
    ) -> f64 {
        let contacts = problem.contacts().len();
        let plain = problem.rows().is_empty() && !problem.has_moments();
        if residual <= NEAR_SOLUTION * goal.scale {
            residual = self.approach(residual, goal, NEAR_SOFTNESS, iterations).0;
        }
        let content = scalar::max(ROUNDS_CONTENT * enough, self.beside_motion(problem));
        if residual > content && contacts <= RIGID_CONTACTS && settings.interior_steps > 0 {
            residual = self.run_interior_point(residual, goal, enough, settings, iterations);
            residual = self.approach(residual, goal, NEAR_SOFTNESS, iterations).0;
        }
        if residual > content && (contacts <= RIGID_CONTACTS || !plain) {
            let most =
                if contacts <= ALWAYS_SWEPT || !plain { settings.alternations } else { FEW_ALTERNATIONS };
            let settings = ExactSolverSettings { alternations: settings.alternations.min(most), ..*settings };
            residual = self.alternate(residual, goal, enough, &settings, iterations);
            if contacts <= ALWAYS_SWEPT || !plain {
                residual = self.alternate_proximal(residual, goal, content, &settings, iterations);
            }
        }
        let mut compliant = false;
        if residual > content && plain && settings.alternations > 0 {
            let rests;
            (compliant, rests) = self.solve_compliant(goal, iterations);
            if rests {
                residual = self.harden(residual, goal, enough, settings, iterations);
            }
        }
        self.is_compliant = compliant && residual > tolerance::CONTACT_CERTIFIED * goal.scale;
        residual
    }

    /// Solves the law of compliant contact from where we are; returns whether it is solved and whether everything rests in it.
    fn solve_compliant(&mut self, goal: Goal, iterations: &mut Iterations) -> (bool, bool) {
        self.prepare_matrix();
        let Self { compliant, elements, matrix, flat, .. } = self;
        let (factorisations, solved) = compliant.run(elements, matrix, flat, goal);
        iterations.factorisations += factorisations;
        let still = STILL_COMPLIANCES * tolerance::COMPLIANCE * goal.scale;
        (solved, solved && compliant.fastest_slip(elements) <= still)
    }

    /// Methods of the rigid law from the solution of the compliant one, taken if they are better; returns the residual.
    fn harden(
        &mut self,
        residual: f64,
        goal: Goal,
        enough: f64,
        settings: &ExactSolverSettings,
        iterations: &mut Iterations,
    ) -> f64 {
        self.before.clone_from(&self.flat);
        self.flat.clone_from(&self.compliant.impulses);
        let mut hardened = self.refine(goal, settings.first_factorisations, iterations);
        if hardened > enough {
            hardened = self.run_interior_point(hardened, goal, enough, settings, iterations);
            hardened = self.approach(hardened, goal, NEAR_SOFTNESS, iterations).0;
        }
        if hardened < residual {
            return hardened;
        }
        std::mem::swap(&mut self.flat, &mut self.before);
        residual
    }

    /// Newton steps of Coulomb's own law with less and less softness; returns the residual, a softness to go on from and
    /// whether the last step was solved.
    ///
    /// Where redundant contacts slip, the residual does not fall at first: loads must move by the residual over the softness until
    /// the friction of some is at its limit. A step that solves its softened law is therefore followed even if the residual
    /// rises a little, and the best is kept. One that does not, or with loads that nothing could explain (there may be no
    /// solution), is tried again with a softness closer to the last.
    fn approach(
        &mut self,
        residual: f64,
        Goal { target: enough, scale }: Goal,
        mut regularisation: f64,
        iterations: &mut Iterations,
    ) -> (f64, f64, bool) {
        self.prepare_matrix();
        self.current.clone_from(&self.flat);
        let slips = !self.newton.nothing_slips(&self.elements, &self.flat);
        let heaviest = ATTEMPT_LOAD * scalar::max(scale, self.elements.largest(&self.flat));
        let (mut best, mut now, mut good) = (residual, residual, regularisation);
        let (mut fall, mut failures, mut solved) = (MOVING_FALL, 0, true);
        while best > enough && failures < ATTEMPT_FAILURES {
            self.trial.clone_from(&self.current);
            let attempt =
                self.newton.attempt(&self.elements, &mut self.matrix, &mut self.trial, regularisation);
            iterations.factorisations += attempt.factorisations;
            solved = attempt.solved;
            let sound = self.elements.largest(&self.trial) <= heaviest;
            let falls = sound && attempt.residual < ATTEMPT_PROGRESS * now;
            let follows = sound && solved && slips && attempt.residual < ATTEMPT_GROWTH * now;
            if (falls || follows) && attempt.residual < best {
                best = attempt.residual;
                self.flat.clone_from(&self.trial);
            }
            if falls || follows {
                if !falls && regularisation <= tolerance::SOFTNESS_LEAST {
                    break;
                }
                self.current.clone_from(&self.trial);
                (now, good) = (attempt.residual, regularisation);
                fall = scalar::max(MOVING_FALL, 0.5 * fall);
            } else if slips {
                fall = fall.sqrt();
                failures += 1;
            } else {
                break;
            }
            regularisation = scalar::max(good * fall, tolerance::SOFTNESS_LEAST);
        }
        (best, regularisation, solved)
    }

    fn alternate(
        &mut self,
        mut residual: f64,
        goal: Goal,
        enough: f64,
        settings: &ExactSolverSettings,
        iterations: &mut Iterations,
    ) -> f64 {
        let (mut regularisation, mut stalled) = (SOFTNESS_FIRST, 0);
        let most = iterations.factorisations + ALTERNATION_EFFORT / self.elements.list.len().max(1);
        for _ in 0..settings.alternations {
            if iterations.factorisations > most {
                break;
            }
            let before = residual;
            let solved;
            (residual, regularisation, solved) =
                self.approach(residual, Goal { target: enough, ..goal }, regularisation, iterations);
            if residual <= scalar::max(enough, self.round_off()) || stalled == ROUNDS_PATIENCE {
                break;
            }
            // `trial` is where the last Newton step led.
            if self.trial.iter().any(|impulse| !impulse.is_finite()) {
                self.trial.clone_from(&self.flat);
            }
            let few = ANDERSON_PERIOD;
            let Self { sweeps, elements, trial, .. } = self;
            let swept = sweeps.run(elements, trial, goal.target, few, SweepKind::Exact);
            iterations.sweeps += swept.sweeps;
            if swept.residual < residual {
                std::mem::swap(&mut self.trial, &mut self.flat);
                residual = swept.residual;
            } else {
                residual = self.sweep(residual, goal.target, settings.first_sweeps, iterations);
            }
            if !solved {
                regularisation = scalar::min(10.0 * regularisation, SOFTNESS_MOST);
            }
            stalled = if residual > 0.5 * before { stalled + 1 } else { 0 };
        }
        residual
    }

    /// Proximal Newton; returns the residual.
    pub(super) fn refine(&mut self, goal: Goal, most: usize, iterations: &mut Iterations) -> f64 {
        self.prepare_matrix();
        let Self { newton, elements, matrix, flat, .. } = self;
        let ended = newton.run(elements, matrix, flat, goal, most);
        iterations.factorisations += ended.factorisations;
        ended.residual
    }

    /// Sweeps, taken if they are better; returns the residual.
    fn sweep(&mut self, residual: f64, target: f64, most: usize, iterations: &mut Iterations) -> f64 {
        self.trial.clone_from(&self.flat);
        let swept = self.sweeps.run(&self.elements, &mut self.trial, target, most, SweepKind::Exact);
        iterations.sweeps += swept.sweeps;
        if swept.residual < residual {
            std::mem::swap(&mut self.trial, &mut self.flat);
            return swept.residual;
        }
        residual
    }

    fn prepare_matrix(&mut self) {
        if !self.matrix_is_ready {
            self.matrix.prepare(&self.elements);
            self.matrix_is_ready = true;
        }
    }
}

/// True if two contacts are between the same bodies, as the points of a face are.
fn has_redundant_contacts(elements: &ConstraintRows) -> bool {
    let next = elements.list.windows(2).any(|pair| pair[0].ends == pair[1].ends);
    next || elements
        .list
        .iter()
        .enumerate()
        .any(|(k, own)| elements.list[..k].iter().any(|e| e.ends == own.ends))
}

fn has_similar_masses(problem: &ContactProblem) -> bool {
    let (mut least, mut most) = (f64::INFINITY, 0.0);
    for body in problem.bodies().iter().filter(|body| body.is_movable()) {
        least = scalar::min(least, body.inverse_mass);
        most = scalar::max(most, body.inverse_mass);
    }
    most <= SWEEP_MASS_RATIO * least
}

//! From the cheapest method to the strongest, for one island ([`ContactMethod::Exact`](super::ContactMethod::Exact)).
//!
//! 0. Near a solution in which nothing slips, a linear step or two: it is one.
//! 1. Sweeps of Gauss-Seidel while they pay, if masses are not too different and if there is a start or every pair of bodies
//!    has one contact only: from nothing, sweeps would load redundant contacts in the order they are visited. For the same
//!    reason small islands with redundant contacts and friction are swept only if the Newton steps of 3 and the interior
//!    point of 4 alone do not solve them.
//! 2. From nothing or without friction: proximal Newton, for any mass ratio, as symmetric as the scene. Many contacts with friction
//!    and nothing else are left to 4.
//! 3. With friction, near a solution or with joints: Newton steps of Coulomb's own law and sweeps in turn. Where a Newton step leads away,
//!    sweeps put right what it did to single contacts, and the better of that and sweeps alone is taken.
//! 4. With friction, far from it: the interior point, which brings any island to some six digits, and then 3 again.
//! 5. Proximal Newton and sweeps in turn while the residual falls, if what was found is not certified with some room.
//! 6. Where nothing slips, a last step or two (linear ones, if friction is nowhere at its limit): what is left of a resting island
//!    would add up from step to step until it has to be solved again.
//!
//! Each starts from the best found before. The first three aim at the target, the others are content with what the start would
//! have been accepted for: a start that is just good enough would soon not be, as what it misses adds up from step to
//! step. Budgets are counts, so results do not depend on the machine. Where many contacts slip at once no method gets far at a
//! price worth paying: with friction, a start and more than [`STRONG_CONTACTS`] contacts, 4 is left out, and so is 5 unless
//! the solution is near.

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

/// Frictional contacts above which the interior point and Newton's method are left out far from a solution.
/// tuned: tumbling piles, where they rarely converge within the budget.
const STRONG_CONTACTS: usize = 4000;

/// Frictional contacts up to which solvers that share a load symmetrically precede sweeps. tuned: mirrored
/// pairs of boxes; off, two tests of symmetry fail.
const SYMMETRIC_CONTACTS: usize = 32;

/// Frictional contacts above which proximal Newton and sweeps alternate only once. tuned: tumbling piles.
const FEW_CONTACTS: usize = 128;

/// Budget of that alternation: factorisations times contacts. tuned: tumbling piles of 250 cubes, where later
/// rounds waste 89 % of their time.
const NEWTON_EFFORT: usize = 24_000;

/// Budget of the alternation of frictional Newton steps and sweeps: factorisations times contacts. tuned:
/// tumbling piles of 250 cubes.
const ALTERNATION_EFFORT: usize = 40_000;

/// Budget of the sweeps that replace them: sweeps times contacts, so that results do not depend on the
/// machine. tuned: tumbling piles.
const SWEEP_EFFORT: usize = 100_000;

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

impl ContactSolver {
    pub(super) fn solve_exact(
        &mut self,
        problem: &ContactProblem,
        settings: &ExactSolverSettings,
        iterations: &mut Iterations,
    ) {
        let scale = problem.velocity_scale();
        let enough = scalar::max(settings.target * scale, settings.accepted);
        let goal = Goal { target: settings.target * scale, content: enough, scale };
        let mut residual = self.residual();
        let with_friction = !problem.is_frictionless();
        let begun = self.flat.iter().any(|&impulse| impulse != 0.0);
        if begun
            && residual <= tolerance::CONTACT_CERTIFIED
            && self.polish(residual, goal, iterations) <= goal.target
        {
            return;
        }
        let started = begun || settings.first_factorisations == 0 || has_single_contacts(&self.elements);
        let swept = started && has_similar_masses(problem) && problem.rows().is_empty();
        if swept
            && with_friction
            && is_small(&self.elements)
            && self.solve_symmetrically(problem, goal, enough, settings, iterations)
        {
            return;
        }
        // Many contacts with a start, far from the solution: much moves, and only sweeps are worth their price.
        let many = with_friction && swept && problem.contacts().len() > STRONG_CONTACTS;
        if swept {
            residual = self.sweep(residual, goal.target, settings.opening_sweeps, iterations);
            if many && residual > NEAR_SOLUTION * scale {
                let most = SWEEP_EFFORT / problem.contacts().len();
                residual = self.sweep(residual, goal.target, most.max(settings.opening_sweeps), iterations);
            }
        }
        let contacts = problem.contacts().len();
        let plain = problem.rows().is_empty() && !problem.has_moments();
        // What many contacts with friction do is found by the interior point, whose impulses stay off the sides of their cones.
        let inside = with_friction && plain && contacts > FEW_CONTACTS;
        if residual > goal.target && !inside && !(begun && with_friction) {
            residual = self.refine(goal, settings.first_factorisations, iterations);
        }
        let mut content = ROUNDS_CONTENT * enough;
        if residual > content {
            content = scalar::max(content, self.beside_motion(problem));
        }
        if residual > goal.target && with_friction {
            let enough = if contacts > FEW_CONTACTS { content } else { enough };
            residual = self.solve_with_friction(residual, goal, enough, many, settings, iterations);
        }
        if !many || residual <= NEAR_SOLUTION * scale {
            let some = with_friction && contacts > FEW_CONTACTS;
            let once = ExactSolverSettings {
                rounds: settings.rounds.min(1),
                factorisations: settings.factorisations.min(NEWTON_EFFORT / contacts.max(1)),
                ..*settings
            };
            let settings = if some { &once } else { settings };
            residual = self.alternate_proximal(residual, goal, content, settings, iterations);
        }
        if residual <= enough {
            self.polish(residual, goal, iterations);
        }
    }

    /// Where nothing slips, solves far beyond the target; returns the residual.
    fn polish(&mut self, residual: f64, goal: Goal, iterations: &mut Iterations) -> f64 {
        let target = CONTACT_POLISHED * goal.target;
        let polished = Goal { target, content: target, ..goal };
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

    /// Solves without sweeps, which load redundant contacts by their order where Newton steps and the interior point load them
    /// alike. False, and nothing has changed, if that is not enough.
    ///
    /// What turns over one of its edges while the others stick slides there by the turn times how far they have lifted. Friction
    /// at its limit for so little is not worth an uneven share of the load: a residual small beside the motion is enough.
    fn solve_symmetrically(
        &mut self,
        problem: &ContactProblem,
        goal: Goal,
        enough: f64,
        settings: &ExactSolverSettings,
        iterations: &mut Iterations,
    ) -> bool {
        let mut residual = self.residual();
        self.start.clone_from(&self.flat);
        if residual <= NEAR_SOLUTION * goal.scale {
            residual = self.approach(residual, goal, NEAR_SOFTNESS, iterations).0;
        }
        if residual > enough {
            residual = self.run_interior_point(residual, goal, enough, settings, iterations);
            residual = self.approach(residual, goal, NEAR_SOFTNESS, iterations).0;
        }
        let enough = scalar::max(enough, self.beside_motion(problem));
        // Loads without bound, where there is no solution, cancel each other and say nothing.
        if residual <= enough && self.round_off() <= enough {
            self.polish(residual, goal, iterations);
            return true;
        }
        self.flat.clone_from(&self.start);
        false
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

    fn solve_with_friction(
        &mut self,
        mut residual: f64,
        goal: Goal,
        enough: f64,
        many: bool,
        settings: &ExactSolverSettings,
        iterations: &mut Iterations,
    ) -> f64 {
        let joined = self.elements.list.iter().any(|element| element.size == 1);
        if joined || residual <= NEAR_SOLUTION * goal.scale {
            let regularisation = first_softness(residual, goal);
            residual = self.approach(residual, goal, regularisation, iterations).0;
            if residual > enough && residual <= NEAR_SOLUTION * goal.scale {
                residual = self.alternate(residual, goal, enough, settings, iterations);
            }
        }
        if residual > enough && !many {
            residual = self.run_interior_point(residual, goal, enough, settings, iterations);
            if residual > enough {
                residual = self.alternate(residual, goal, enough, settings, iterations);
            }
        }
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
        Goal { target: enough, content, scale }: Goal,
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
            if !falls && best <= content {
                break;
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

/// Regularisation that Newton steps with friction begin with.
fn first_softness(residual: f64, goal: Goal) -> f64 {
    if residual <= NEAR_SOLUTION * goal.scale { NEAR_SOFTNESS } else { SOFTNESS_FIRST }
}

/// True if no contact follows one between the same bodies, as the points of a face do.
fn has_single_contacts(elements: &ConstraintRows) -> bool {
    elements.list.windows(2).all(|pair| pair[0].ends != pair[1].ends)
}

/// True for few contacts of which some are redundant.
fn is_small(elements: &ConstraintRows) -> bool {
    elements.list.len() <= SYMMETRIC_CONTACTS && !has_single_contacts(elements)
}

fn has_similar_masses(problem: &ContactProblem) -> bool {
    let (mut least, mut most) = (f64::INFINITY, 0.0);
    for body in problem.bodies().iter().filter(|body| body.is_movable()) {
        least = scalar::min(least, body.inverse_mass);
        most = scalar::max(most, body.inverse_mass);
    }
    most <= SWEEP_MASS_RATIO * least
}

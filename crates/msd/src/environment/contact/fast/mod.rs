//! The fast tier of a world: the soft solver ([`crate::physics::constraints::contact::soft`]) for all islands of the
//! tier.
//!
//! 1. `soft_step`: divides contacts and joint rows into batches of islands that share no movable body; solves the
//!    batches on all threads.
//! 2. `prepare`: passes manifolds of the detector, and CCD contacts, to the solver.
//! 3. `island_batch`: passes bodies, and joints by `joints`; solves; finds connected groups for energy and residual.
//! 4. `write_back`: states, energy balance and residual. A group whose contacts would gain energy is damped.
//! 5. `impulse_cache`: impulses for the next warm start, and touching pairs.

mod dissection;
mod fast_step;
mod impulse_cache;
mod island_batch;
mod joints;
mod ordering;
mod pair_contacts;
mod prepare;
mod results;
mod soft_step;
mod write_back;

pub(in crate::environment::contact) use fast_step::FastStep;
pub(in crate::environment::contact) use joints::EXACT_LOOPS;
pub(in crate::environment) use soft_step::FastTier;
pub(in crate::environment) use write_back::TouchingPoint;

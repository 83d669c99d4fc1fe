//! The fast tier in a world: soft contact in substeps ([`crate::physics::constraints::contact::soft`]) for all islands that it
//! is asked for, together.
//!
//! 1. `soft_step`: contacts and the rows that hang on them divided into parts that share no movable body; the parts on all threads.
//! 2. `prepare`: manifolds of the detector, and meetings of fast pairs, as the solver wants them.
//! 3. `island_batch`: bodies in, and joints by `joints`, solve; bodies that contacts and joints connect, to keep energy and residual apart.
//! 4. `write_back`: states, energy books and verdicts out. Contact that would have gained energy in a group is scaled back.
//! 5. `impulse_cache`: impulses for the next step, and who touches.

mod dissection;
mod impulse_cache;
mod island_batch;
mod joints;
mod prepare;
mod soft_step;
mod write_back;

pub(in crate::environment) use soft_step::FastTier;
pub(in crate::environment) use write_back::TouchingPoint;

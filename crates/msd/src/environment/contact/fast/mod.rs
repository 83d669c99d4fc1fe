//! The fast tier in a world: soft contact in substeps ([`crate::physics::constraints::contact::soft`]) for all islands that it
//! is asked for, together.
//!
//! 1. `tier`: contacts and the rows that hang on them divided into parts that share no movable body; the parts on all threads.
//! 2. `collect`: manifolds of the detector, and meetings of fast pairs, as the solver wants them.
//! 3. `part`: bodies in, and joints by `joints`, solve; bodies that contacts and joints connect, to keep energy and residual apart.
//! 4. `outcome`: states, energy books and verdicts out. Contact that would have gained energy in a group is scaled back.
//! 5. `keepsakes`: impulses for the next step, and who touches.

mod arrangement;
mod collect;
mod joints;
mod keepsakes;
mod outcome;
mod part;
mod tier;

pub(in crate::environment) use outcome::TouchingPoint;
pub(in crate::environment) use tier::FastTier;

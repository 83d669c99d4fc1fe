//! The fast tier in a world: soft contact in substeps ([`crate::physics::constraints::contact::soft`]) for all islands that it
//! is asked for, together.
//!
//! 1. `collect`: manifolds of the detector, and meetings of fast pairs, as the solver wants them.
//! 2. `crate::environment::groups`: bodies that contacts and joints connect, to keep energy and residual apart.
//! 3. `tier`: bodies and rows in, solve.
//! 4. `outcome`: states, energy books and verdicts out. Contact that would have gained energy in a group is scaled back.

mod collect;
mod outcome;
mod tier;

pub(in crate::environment) use tier::FastTier;

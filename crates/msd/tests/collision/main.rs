//! Tests of `physics::collision`.

mod detector;
mod manifold_cache;
mod oracle;
mod properties;
mod regressions;
mod seams;
mod table;
mod touching;
mod tube_ends;

//! Tests of `physics::constraints::contact`: the contact problem of one island and its solvers, without a world.

#[path = "../contact_motion/mod.rs"]
mod contact_motion;
#[path = "../contact_scenes/mod.rs"]
mod contact_scenes;

mod convex;
mod enumeration;
mod examples;
mod rows;
mod sequences;
mod solver;

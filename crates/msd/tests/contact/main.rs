//! Contact in worlds: resting, sliding, impacts, stacks, terrain, continuous detection.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

mod continuous_detection;
mod docking;
mod drum;
mod energy_and_order;
mod friction;
mod impact_laws;
mod joints;
mod lab;
mod midpoint;
mod midpoint_joints;
mod momentum;
mod piles;
mod point_positions;
mod refinement;
mod resting;
mod solver_counts;
mod spinning_bodies;
mod stacks;
mod surfaces;
mod symmetry;
mod terrain;
mod traps;

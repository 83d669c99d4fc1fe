//! The laws: rigid bodies, the fields that act on them, the constraints that join them, and how they move.

pub mod articulation;
pub mod collision;
pub mod constraints;
pub mod integration;
pub mod potential_energy;
pub mod rigid_body;

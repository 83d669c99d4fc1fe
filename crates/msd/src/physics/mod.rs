//! Physics: rigid bodies, collision detection, force fields, constraints and integrators.

pub mod collision;
pub mod constraints;
pub mod forces;
pub mod integration;
pub mod rigid_body;

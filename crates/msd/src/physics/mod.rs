//! The laws: rigid bodies, the fields that act on them, the constraints that join them, and how they move.

pub mod collision;
pub mod constraints;
pub mod forces;
pub mod integration;
pub mod rigid_body;

//! Collision detection: which bodies are close, how far, where, and which way.

pub mod broad_phase;

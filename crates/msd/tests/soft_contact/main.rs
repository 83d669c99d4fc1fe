//! Tests of the fast tier: `physics::constraints::contact::soft` and `environment::contact::fast`.

#[path = "../contact_scenes/mod.rs"]
mod contact_scenes;

mod impacts;
mod joints;
mod nets;
mod order;
mod tier;

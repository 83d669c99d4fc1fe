//! Tests of `environment`.

mod batch;
mod body_changes;
mod failed_steps;
mod fault;
mod handles;
mod joint_events;
mod joints;
mod queries;
mod shape_limits;
mod sleep;
mod snapshot;
mod state;
mod threads;
mod world;
mod world_bytes;

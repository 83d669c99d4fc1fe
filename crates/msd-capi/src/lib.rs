//! The engine and the scene reader for C: a library with the functions of `include/msd.h`.
//!
//! ```c
//! msd_world *world = msd_world_from_file("scenes/pendulum.toml");
//! if (!world) { fputs(msd_last_error(), stderr); return 1; }
//! while (msd_world_time(world) < 1.0) msd_world_step(world, 0);
//! msd_world_free(world);
//! ```
//!
//! The header is written by hand; a test compares its functions with those of [`abi`], and a C program that uses all of them is
//! compiled and run as a test. The library has no state but the last error of each thread.

pub mod abi;
mod world;

pub use world::{Energy, World};

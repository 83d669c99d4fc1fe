//! The engine and the scene reader for pages in a browser: a WebAssembly module with a C interface and no imports.
//!
//! A page keeps one [`Session`] for each simulation: it gives it the files that the scene names, loads the scene, advances it by
//! steps and reads poses straight from the memory of the module. The functions of the interface are in [`abi`]; the order of calls is
//!
//! ```text
//! s = msd_session_new()
//! msd_session_file(s, path, text)        for each file the scene names
//! msd_session_load(s, name, text)        0, or 1 with the problems as text in the output
//! msd_session_model(s)                   JSON in the output: bodies with their geometry
//! msd_session_step(s, count)             0, 1 (refused; the reason in the output) or 2 (the end of the scene)
//! msd_session_poses(s)                   pointer to 7 numbers a body: position and quaternion (x, y, z, w)
//! msd_session_hash(s)                    the state hash in the output: the same text as on any other machine
//! ```
//!
//! All arithmetic is that of the native engine, with the same bits: `.ci/wasm` compares the state hash of every scene of the gallery.

pub mod abi;
mod model;
mod session;

pub use session::{Session, StepOutcome};

//! Articulations: trees of links, with their generalised coordinates q and velocities v.
//!
//! Bodies are simulated in maximal coordinates, each with a pose of its own, and joints hold them together. An [`Articulation`] reads
//! the same bodies as a tree: each link hangs on its parent by one joint of 0, 1, 3 or 6 degrees of freedom, and q and v say where all
//! links are and how they move. It is a view: it holds no state, and a joint that closes a loop is not part of it.
//!
//! Coordinates, as in MuJoCo:
//!
//! | joint | q | v |
//! |---|---|---|
//! | free | position of the body's frame (m), orientation (w, x, y, z) | velocity of the frame's origin (world axes, m/s), angular velocity (body axes, rad/s) |
//! | ball | orientation of B from A (w, x, y, z), identity as made | angular velocity of B from A (axes of B, rad/s) |
//! | hinge | angle, rad | rad/s |
//! | slider | travel, m | m/s |
//! | fixed | – | – |
//!
//! Algorithms: recursive Newton-Euler and composite rigid bodies (Featherstone, *Rigid Body Dynamics Algorithms*, 2008, chapters 5
//! and 6), with all spatial vectors in world axes about one common point, so that nothing is transformed from link to link.

mod dynamics;
mod spatial;
mod tree;

pub use tree::{Articulation, Link, Mobility};

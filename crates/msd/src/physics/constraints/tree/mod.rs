//! Elimination along trees of joints: the same impulses as the rows of [`super::solver`] give, in time proportional to the number of links.
//!
//! Where hinges, sliders, balls and fixed joints form trees without loops, `A λ = b` need not be assembled. A link's twist is
//! `t = X t_parent + c + S q̇`: X carries the parent's motion to its centre of mass, S are the directions that the joint leaves free,
//! and c is what the joint must close, position or rate. The impulses that do so with the least kinetic energy follow from one
//! recursion from the leaves to the roots and one back, with articulated inertias (Featherstone, *Rigid Body Dynamics Algorithms*, ch. 7).
//! Rows and this recursion solve the same problem; tests hold one against the other.
//!
//! A rotor on the axis of a hinge or slider adds its inertia to the pivot of that axis ([`super::rotor`]).
//!
//! [`links`] finds the trees and knows the joints, [`articulated`] is the 6 × 6 inertia, [`elimination`] the two recursions.

mod articulated;
mod elimination;
mod links;
mod workspace;

pub(super) use elimination::Elimination;
pub(super) use links::{Rider, Role, find_links};
pub(super) use workspace::{TreeDrift, TreeStep};

//! The judge of contact solutions. It knows the problem and the law, and no solver.
//!
//! De Saxcé and Feng (1998): with `ũ = u + b e_n + μ ‖u_t‖ e_n` the whole of Signorini's and Coulomb's laws is
//! ```text
//! K ∋ λ ⊥ ũ ∈ K*      ⇔      λ = Π_K(λ - ũ/w)   for any w > 0
//! ```
//! (K the friction cone, K* its dual: `ũ_n ≥ μ ‖ũ_t‖` says `u_n + b ≥ 0`, and orthogonality says that sliding friction
//! opposes motion with its full strength and that an open contact has no impulse.) The residual of a contact is
//! ```text
//! r = w ‖λ - Π_K(λ - ũ/w)‖,   w = tr(J M⁻¹ Jᵀ)/3
//! ```
//! in m/s: by about how much velocities miss the law. Velocities are computed from the impulses here, whatever a solver
//! believes them to be. A number that is not finite makes the residual infinite.

use super::friction_cone::project;
use super::problem::{BodyVelocity, ContactProblem};
use crate::math::{Vec3, real};
use crate::tolerance;

/// The law that impulses were checked against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactLaw {
    /// Unilateral contact without friction: a linear complementarity problem.
    Frictionless,
    /// Unilateral contact with Coulomb's friction, not its convex approximation.
    Coulomb,
}

/// How well impulses satisfy the law.
#[derive(Clone, Debug, PartialEq)]
pub struct Certificate {
    /// The law: frictionless only if no contact has friction.
    pub law: ContactLaw,
    /// Largest residual of a contact, m/s.
    pub residual: f64,
    /// The contact that has it.
    pub worst: Option<usize>,
    /// m/s: what residuals are relative to, at least 1.
    pub scale: f64,
}

impl Certificate {
    /// `residual / scale`.
    #[must_use]
    pub fn relative(&self) -> f64 {
        self.residual / self.scale
    }

    /// True if the law holds to [`tolerance::CONTACT_CERTIFIED`].
    #[must_use]
    pub fn is_certified(&self) -> bool {
        self.relative() <= tolerance::CONTACT_CERTIFIED
    }
}

/// Judges impulses.
#[must_use]
pub fn certify(problem: &ContactProblem, impulses: &[Vec3]) -> Certificate {
    let law = if problem.is_frictionless() { ContactLaw::Frictionless } else { ContactLaw::Coulomb };
    let scale = problem.velocity_scale();
    if impulses.len() != problem.contacts().len() {
        return Certificate { law, residual: f64::INFINITY, worst: None, scale };
    }
    let velocities = problem.velocities(impulses);
    let (mut residual, mut worst) = (0.0, None);
    for (contact, &impulse) in impulses.iter().enumerate() {
        let own = contact_residual(problem, contact, impulse, &velocities);
        if own > residual {
            (residual, worst) = (own, Some(contact));
        }
    }
    Certificate { law, residual, worst, scale }
}

/// The residual of one contact, m/s, for velocities that belong to the impulses.
#[must_use]
pub fn contact_residual(
    problem: &ContactProblem,
    contact: usize,
    impulse: Vec3,
    velocities: &[BodyVelocity],
) -> f64 {
    let c = &problem.contacts()[contact];
    let w = problem.weight(contact);
    let u = problem.contact_velocity(contact, velocities);
    if !(impulse.is_finite() && u.is_finite()) {
        return f64::INFINITY;
    }
    let shifted = u + Vec3::X * (c.bias() + c.friction * real::hypot(u.y, u.z));
    if w > 0.0 {
        let residual = w * (impulse - project(impulse - shifted / w, c.friction)).length();
        return if residual.is_finite() { residual } else { f64::INFINITY };
    }
    // Between immovable bodies no impulse changes anything, and none is wanted.
    if impulse == Vec3::ZERO { 0.0 } else { f64::INFINITY }
}

/// The residual of the convex problem in which the shifts `μ ‖u_t‖` are given instead of taken from u; m/s.
#[must_use]
pub fn convex_residual(problem: &ContactProblem, impulses: &[Vec3], shifts: &[f64]) -> f64 {
    let velocities = problem.velocities(impulses);
    let mut residual = 0.0;
    for (contact, (&impulse, shift)) in impulses.iter().zip(shifts).enumerate() {
        let c = &problem.contacts()[contact];
        let w = problem.weight(contact);
        if w > 0.0 {
            let u = problem.contact_velocity(contact, &velocities) + Vec3::X * (c.bias() + shift);
            let own = w * (impulse - project(impulse - u / w, c.friction)).length();
            residual = if own.is_finite() { real::max(residual, own) } else { f64::INFINITY };
        }
    }
    residual
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Mat3;
    use crate::physics::constraints::contact::problem::{Contact, ContactBody};

    /// A 2 kg block sliding along +x at 3 m/s on the ground, no rotation; μ = 0.4, free fall of 0.1 m/s.
    fn sliding() -> ContactProblem {
        let free = BodyVelocity { linear: Vec3::new(3.0, 0.0, -0.1), angular: Vec3::ZERO };
        let block = ContactBody { inverse_mass: 0.5, inverse_inertia: Mat3::ZERO, free };
        let mut contact = Contact::touching(0, 1, Vec3::ZERO, Vec3::ZERO, Vec3::Z).with_friction(0.4);
        (contact.body_a, contact.body_b) = (1, 0);
        contact.frame = Mat3::from_cols(Vec3::Z, Vec3::X, Vec3::Y);
        ContactProblem::new(vec![block, ContactBody::immovable(BodyVelocity::default())], vec![contact])
            .unwrap()
    }

    fn residual(impulse: Vec3) -> f64 {
        certify(&sliding(), &[impulse]).residual
    }

    #[test]
    fn the_right_impulse_is_certified() {
        let certificate = certify(&sliding(), &[Vec3::new(0.2, -0.08, 0.0)]);
        assert!(certificate.residual < 1e-15 && certificate.is_certified());
        assert_eq!(certificate.law, ContactLaw::Coulomb);
        assert!((certificate.scale - 9.01_f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn wrong_impulses_are_caught() {
        assert!(residual(Vec3::new(-0.2, 0.0, 0.0)) > 0.1, "pulling");
        assert!(residual(Vec3::ZERO) > 0.05, "none where the bodies approach");
        assert!(residual(Vec3::new(0.2, -0.12, 0.0)) > 0.01, "outside the cone");
        assert!(residual(Vec3::new(0.2, -0.04, 0.0)) > 0.01, "weaker than Coulomb while sliding");
        assert!(residual(Vec3::new(0.2, 0.08, 0.0)) > 0.05, "along the motion");
        assert!(residual(Vec3::new(0.2, 0.0, -0.08)) > 0.05, "across the motion");
        assert!(residual(Vec3::new(0.4, -0.16, 0.0)) > 0.05, "lifting");
    }

    #[test]
    fn the_associated_solution_is_not_coulombs() {
        // Minimising kinetic energy over the cone lifts the block: u_n = μ ‖u_t‖.
        let problem = sliding();
        let mu: f64 = 0.4;
        let normal = (0.1 + mu * 3.0) / (0.5 * (1.0 + mu * mu));
        let convex = Vec3::new(normal, -mu * normal, 0.0);
        assert!(convex_residual(&problem, &[convex], &[0.0]) < 1e-14);
        assert!(certify(&problem, &[convex]).residual > 0.5);
    }

    #[test]
    fn numbers_that_are_not_finite_are_never_certified() {
        for bad in [f64::NAN, f64::INFINITY] {
            assert_eq!(residual(Vec3::new(bad, 0.0, 0.0)), f64::INFINITY);
            assert_eq!(residual(Vec3::new(0.2, bad, 0.0)), f64::INFINITY);
        }
        assert!(!certify(&sliding(), &[]).is_certified());
    }
}

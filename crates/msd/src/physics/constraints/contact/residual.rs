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
//! believes them to be. A number that is not finite makes the residual infinite, and no residual is less than the round-off of the
//! velocity that the impulse alone gives, `ε w λ_n`: loads without bound that cancel each other prove nothing.
//!
//! Moments against rolling and spinning, and rows of joints, by the same construction with the set their impulse may be in:
//! ```text
//! r = ℓ w_m ‖m_t - Π(m_t - ω_t/w_m)‖  on the disc of radius ρ λ_n;   about n on the interval ±σ λ_n
//! r = ℓ w_r |p - Π(p - (J v - target)/w_r)|  on [lower, upper]
//! ```
//! with `w_m = tr(I_A⁻¹ + I_B⁻¹)/3`, `w_r = J M⁻¹ Jᵀ`. Their velocities may be in rad/s. The length ℓ turns them into m/s:
//! [`ContactProblem::moment_length`] and [`ContactProblem::row_length`], the radius of gyration for a rotation.

use super::body::BodyVelocity;
use super::impulses::Impulses;
use super::problem::ContactProblem;
use crate::math::{Vec3, scalar};
use crate::tolerance;

/// The nearest point to x of the cone `‖λ_t‖ ≤ μ λ_n`, in the plane of n and x_t: solvers have a projection of their own, with derivatives.
fn project(x: Vec3, friction: f64) -> Vec3 {
    let slip = (x.y * x.y + x.z * x.z).sqrt();
    if x.x >= 0.0 && slip <= friction * x.x {
        return x;
    }
    // Along the generator (1, μ) of the cone on the side of x.
    let along = (x.x + friction * slip) / (1.0 + friction * friction);
    if along <= 0.0 {
        return Vec3::ZERO;
    }
    let share = if slip > 0.0 { friction * along / slip } else { 0.0 };
    Vec3::new(along, share * x.y, share * x.z)
}

/// The law that impulses were checked against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactLaw {
    /// Unilateral contact without friction: a linear complementarity problem.
    Frictionless,
    /// Unilateral contact with Coulomb's friction, not its convex approximation.
    Coulomb,
    /// The same of contacts that give way by [`tolerance::COMPLIANCE`] times their impulse and weight, in m/s, with the shift of De Saxcé
    /// of the iteration before: convex, and solved where the rigid law is not.
    Compliant,
}

/// How well impulses satisfy the law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Certificate {
    /// The law: frictionless only if no contact has friction.
    pub law: ContactLaw,
    /// Largest residual, m/s.
    pub residual: f64,
    /// The contact that has it; `None` if it is a row, or nothing is off.
    pub worst: Option<usize>,
    /// The row that has it.
    pub worst_row: Option<usize>,
    /// m/s: what residuals are relative to, at least 1.
    pub scale: f64,
}

impl Certificate {
    /// `residual / scale`.
    #[must_use]
    pub fn relative(&self) -> f64 {
        self.residual / self.scale
    }

    /// True if the law holds to [`tolerance::CONTACT_CERTIFIED`], that of compliant contact to [`tolerance::COMPLIANT_CERTIFIED`].
    #[must_use]
    pub fn is_certified(&self) -> bool {
        let limit = match self.law {
            ContactLaw::Compliant => tolerance::COMPLIANT_CERTIFIED,
            ContactLaw::Frictionless | ContactLaw::Coulomb => tolerance::CONTACT_CERTIFIED,
        };
        self.relative() <= limit
    }
}

/// Judges impulses at contacts, of a problem without rows or moments.
#[must_use]
pub fn certify(problem: &ContactProblem, impulses: &[Vec3]) -> Certificate {
    let moments = vec![Vec3::ZERO; problem.contacts().len()];
    let all = Impulses { contacts: impulses.to_vec(), moments, rows: vec![0.0; problem.rows().len()] };
    judge(problem, &all, &mut Vec::new())
}

/// Judges impulses, and leaves the velocities they give.
pub fn judge(
    problem: &ContactProblem,
    impulses: &Impulses,
    velocities: &mut Vec<BodyVelocity>,
) -> Certificate {
    let law = if problem.is_frictionless() { ContactLaw::Frictionless } else { ContactLaw::Coulomb };
    let scale = problem.velocity_scale();
    let mut certificate = Certificate { law, residual: 0.0, worst: None, worst_row: None, scale };
    problem.velocities_of(impulses, velocities);
    let Impulses { contacts, moments, rows } = impulses;
    let (n, m) = (problem.contacts().len(), problem.rows().len());
    if contacts.len() != n || moments.len() != n || rows.len() != m {
        return Certificate { residual: f64::INFINITY, ..certificate };
    }
    for patch in problem.patches() {
        let moving = problem.patch_velocities(patch.clone(), velocities);
        for (contact, velocity) in patch.zip(moving) {
            let impulse = contacts[contact];
            let mut own = residual_at(problem, contact, impulse, velocity);
            if problem.has_moments() || moments[contact] != Vec3::ZERO {
                let turning = moment_residual(problem, contact, impulse.x, moments[contact], velocities);
                own = scalar::max(own, turning);
            }
            if own > certificate.residual {
                (certificate.residual, certificate.worst) = (own, Some(contact));
            }
        }
    }
    for (row, &p) in rows.iter().enumerate() {
        let own = row_residual(problem, row, p, velocities);
        if own > certificate.residual {
            (certificate.residual, certificate.worst, certificate.worst_row) = (own, None, Some(row));
        }
    }
    certificate
}

/// Judges impulses by the law of compliant contact with these shifts, m/s. Not for moments or rows.
pub fn judge_compliant(
    problem: &ContactProblem,
    impulses: &Impulses,
    shifts: &[f64],
    velocities: &mut Vec<BodyVelocity>,
) -> Certificate {
    let (law, scale) = (ContactLaw::Compliant, problem.velocity_scale());
    let mut certificate = Certificate { law, residual: 0.0, worst: None, worst_row: None, scale };
    problem.velocities_of(impulses, velocities);
    if shifts.len() != problem.contacts().len() || problem.has_moments() || !problem.rows().is_empty() {
        return Certificate { residual: f64::INFINITY, ..certificate };
    }
    for (contact, (&impulse, shift)) in impulses.contacts.iter().zip(shifts).enumerate() {
        let (c, w) = (&problem.contacts()[contact], problem.weight(contact));
        if w <= 0.0 {
            continue;
        }
        let given = impulse * (tolerance::COMPLIANCE * w);
        let u = problem.contact_velocity(contact, velocities) + c.offset() + given + Vec3::X * *shift;
        let own = finite((impulse * w - project(impulse * w - u, c.friction)).length());
        if own > certificate.residual {
            (certificate.residual, certificate.worst) = (own, Some(contact));
        }
    }
    certificate
}

/// The residual of one contact, m/s, for velocities that belong to the impulses.
#[must_use]
pub fn contact_residual(
    problem: &ContactProblem,
    contact: usize,
    impulse: Vec3,
    velocities: &[BodyVelocity],
) -> f64 {
    residual_at(problem, contact, impulse, problem.contact_velocity(contact, velocities))
}

/// The same for `J v` of the contact.
#[inline]
fn residual_at(problem: &ContactProblem, contact: usize, impulse: Vec3, velocity: Vec3) -> f64 {
    let c = &problem.contacts()[contact];
    let w = problem.weight(contact);
    let u = velocity + c.offset();
    let sliding = (u.y * u.y + u.z * u.z).sqrt();
    let shifted = Vec3::new(u.x + c.friction * sliding, u.y, u.z);
    if w > 0.0 {
        let missed = (impulse * w - project(impulse * w - shifted, c.friction)).length();
        return finite(scalar::max(missed, f64::EPSILON * (impulse.x * w).abs()));
    }
    // Between immovable bodies no impulse changes anything, and none is wanted.
    if impulse == Vec3::ZERO { 0.0 } else { f64::INFINITY }
}

/// The residual of the moment at a contact with this normal impulse, m/s.
#[must_use]
pub fn moment_residual(
    problem: &ContactProblem,
    contact: usize,
    normal: f64,
    moment: Vec3,
    velocities: &[BodyVelocity],
) -> f64 {
    let c = &problem.contacts()[contact];
    let w = problem.moment_weight(contact);
    if w <= 0.0 || !c.has_moment() {
        return if moment == Vec3::ZERO { 0.0 } else { f64::INFINITY };
    }
    let normal = scalar::max(0.0, normal);
    let wanted = moment - problem.relative_spin(contact, velocities) / w;
    let (most, widest) = (c.torsional_friction * normal, c.rolling_friction * normal);
    let across = (wanted.y * wanted.y + wanted.z * wanted.z).sqrt();
    let shrink = if across > widest { widest / across } else { 1.0 };
    let allowed = Vec3::new(scalar::clamp(wanted.x, -most, most), wanted.y * shrink, wanted.z * shrink);
    finite((moment - allowed).length() * w * problem.moment_length(contact))
}

/// The residual of one row, m/s.
#[must_use]
pub fn row_residual(problem: &ContactProblem, row: usize, p: f64, velocities: &[BodyVelocity]) -> f64 {
    let r = &problem.rows()[row];
    let w = problem.row_weight(row);
    if w <= 0.0 {
        return if p == r.idle() { 0.0 } else { f64::INFINITY };
    }
    let wanted = p - (problem.row_velocity(row, velocities) + r.regularisation * p - r.target) / w;
    finite((p - scalar::clamp(wanted, r.lower, r.upper)).abs() * w * problem.row_length(row))
}

fn finite(residual: f64) -> f64 {
    if residual.is_finite() { residual } else { f64::INFINITY }
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
            let u = problem.contact_velocity(contact, &velocities) + c.offset() + Vec3::X * *shift;
            residual =
                scalar::max(residual, finite(w * (impulse - project(impulse - u / w, c.friction)).length()));
        }
    }
    residual
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Mat3;
    use crate::physics::constraints::JacobianRow;
    use crate::physics::constraints::contact::body::ContactBody;
    use crate::physics::constraints::contact::contact_point::{Contact, Row};

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

    #[test]
    fn loads_without_bound_that_cancel_each_other_are_not_certified() {
        // Between a floor and a ceiling that nothing moves, any equal loads leave the block as it is.
        let block =
            ContactBody { inverse_mass: 0.5, inverse_inertia: Mat3::ZERO, free: BodyVelocity::default() };
        let wall = || ContactBody::immovable(BodyVelocity::default());
        let below = Contact::touching(1, 0, Vec3::ZERO, Vec3::ZERO, Vec3::Z);
        let above = Contact::touching(2, 0, Vec3::ZERO, Vec3::ZERO, -Vec3::Z);
        let problem = ContactProblem::new(vec![block, wall(), wall()], vec![below, above]).unwrap();
        let squeezed = |load: f64| certify(&problem, &[Vec3::X * load, Vec3::X * load]);
        assert!(squeezed(1.0).is_certified());
        assert!(!squeezed(1e10).is_certified(), "{:e}", squeezed(1e10).residual);
        assert!(!squeezed(1e70).is_certified());
    }

    /// A disc of 2 kg, I = 0.1 kg m², pressed to the ground with 0.2 N·s, with this spin; and a motor about y that wants
    /// 5 rad/s and has 0.3 N·m·s.
    fn turning(spin: Vec3, motor: bool) -> ContactProblem {
        let free = BodyVelocity { linear: Vec3::Z * -0.1, angular: spin };
        let disc = ContactBody { inverse_mass: 0.5, inverse_inertia: Mat3::IDENTITY * 10.0, free };
        let mut contact = Contact::touching(0, 1, Vec3::ZERO, Vec3::ZERO, Vec3::Z);
        (contact.rolling_friction, contact.torsional_friction) = (0.02, 0.05);
        contact.frame = Mat3::from_cols(Vec3::Z, Vec3::X, Vec3::Y);
        let row = Row::rigid(0, 1, JacobianRow::relative_rotation(Vec3::Y), 5.0);
        let row = Row { lower: -0.3, upper: 0.3, ..row };
        let ground = ContactBody::immovable(BodyVelocity::default());
        let rows = if motor { vec![row] } else { vec![] };
        ContactProblem::with_rows(vec![ground, disc], vec![contact], rows).unwrap()
    }

    fn judged(problem: &ContactProblem, moment: Vec3, rows: Vec<f64>) -> f64 {
        let all = Impulses { contacts: vec![Vec3::X * 0.2], moments: vec![moment], rows };
        judge(problem, &all, &mut Vec::new()).residual
    }

    #[test]
    fn a_moment_that_stops_the_spin_is_certified() {
        let problem = turning(Vec3::new(0.03, 0.0, 0.05), false);
        let judged = |moment: Vec3| judged(&problem, moment, vec![]);
        assert!(judged(Vec3::new(-0.005, -0.003, 0.0)) < 1e-15);
        assert!(judged(Vec3::new(-0.004, -0.003, 0.0)) > 1e-3, "weaker than it could be");
        assert!(judged(Vec3::new(-0.011, -0.003, 0.0)) > 1e-3, "stronger than it may be");
    }

    #[test]
    fn a_motor_at_its_strength_is_certified_and_one_that_idles_is_not() {
        let problem = turning(Vec3::ZERO, true);
        // The motor gives 3 rad/s, of which rolling friction of 0.004 N·m·s takes 0.04.
        assert!(judged(&problem, Vec3::new(0.0, 0.0, -0.004), vec![0.3]) < 1e-15);
        assert!(judged(&problem, Vec3::new(0.0, 0.0, -0.004), vec![0.2]) > 0.1);
        assert!(judged(&problem, Vec3::new(0.0, 0.0, 0.004), vec![0.3]) > 1e-3, "along the motion");
        assert!((problem.row_length(0) - 0.05f64.sqrt()).abs() < 1e-15, "the radius of gyration");
    }
}

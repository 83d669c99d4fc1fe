//! The contact problem of one island at the velocity level, and nothing that solves it.
//!
//! A contact has the unit normal n from A towards B, two unit tangents `t₁, t₂` (`n, t₁, t₂` right-handed), and the
//! lever arms `r_A`, `r_B` from the centres of mass to the contact point; world frame throughout. Its three rows are
//! ```text
//! J = [-dᵀ, -(r_A × d)ᵀ, dᵀ, (r_B × d)ᵀ]   over [v_A, ω_A, v_B, ω_B],   d = n, t₁, t₂
//! ```
//! so that `u = J v` is the velocity of the point of B relative to that of A, in the contact frame; approaching means
//! `u_n < 0`. Impulses `λ = (λ_n, λ_t₁, λ_t₂)` in N·s act on B as they are and on A reversed, which is `Jᵀλ`:
//! ```text
//! v⁺ = v* + M⁻¹ Jᵀ λ,    u = J v⁺
//! ```
//! with v* what the bodies would do without contact. The law, for every contact:
//! ```text
//! 0 ≤ λ_n ⊥ u_n + b ≥ 0,   ‖λ_t‖ ≤ μ λ_n,   u_t ≠ 0 ⇒ λ_t = -μ λ_n u_t/‖u_t‖
//! ```
//! `b = gap_rate - rebound`: a gap may close within the step (`gap_rate = max(gap, 0)/dt`), and an impact leaves with
//! `rebound = -e u_n⁻` of the approach before the forces of the step. Overlap is not corrected here.
//!
//! Immovable bodies have zero inverse mass and inertia and go through the same code; a velocity they may have.

use crate::math::{Mat3, Vec3, cross_matrix, real};
use crate::tolerance;

/// Linear velocity of the centre of mass (m/s) and angular velocity (rad/s), world frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BodyVelocity {
    /// Of the centre of mass, m/s.
    pub linear: Vec3,
    /// World frame, rad/s.
    pub angular: Vec3,
}

/// A body as contacts see it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactBody {
    /// 1/kg; zero for an immovable body.
    pub inverse_mass: f64,
    /// World frame, about the centre of mass, 1/(kg m²); symmetric, positive semidefinite.
    pub inverse_inertia: Mat3,
    /// v*: the velocity at the end of the step without contact impulses.
    pub free: BodyVelocity,
}

impl ContactBody {
    /// A body that contact does not move.
    #[must_use]
    pub fn immovable(free: BodyVelocity) -> Self {
        Self { inverse_mass: 0.0, inverse_inertia: Mat3::ZERO, free }
    }

    /// False if no impulse changes its velocity.
    #[must_use]
    pub fn is_movable(&self) -> bool {
        self.inverse_mass > 0.0
    }
}

/// A point where two bodies may push each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Index of body A.
    pub body_a: usize,
    /// Index of body B.
    pub body_b: usize,
    /// From the centre of mass of A to the point, m.
    pub arm_a: Vec3,
    /// From the centre of mass of B to the point, m.
    pub arm_b: Vec3,
    /// Columns n, t₁, t₂: unit, right-handed, n from A towards B.
    pub frame: Mat3,
    /// Coulomb's μ of the pair.
    pub friction: f64,
    /// `max(gap, 0)/dt`, m/s: how fast the gap may close.
    pub gap_rate: f64,
    /// Least normal velocity after the impact, m/s; zero without restitution.
    pub rebound: f64,
}

impl Contact {
    /// A touching contact without friction or restitution, with tangents chosen from the normal alone.
    #[must_use]
    pub fn touching(body_a: usize, body_b: usize, arm_a: Vec3, arm_b: Vec3, normal: Vec3) -> Self {
        let frame = contact_frame(normal);
        Self { body_a, body_b, arm_a, arm_b, frame, friction: 0.0, gap_rate: 0.0, rebound: 0.0 }
    }

    /// The same contact with friction.
    #[must_use]
    pub fn with_friction(self, friction: f64) -> Self {
        Self { friction, ..self }
    }

    /// The velocity added to `u_n` in the complementarity condition, m/s.
    #[must_use]
    pub fn bias(&self) -> f64 {
        self.gap_rate - self.rebound
    }
}

/// Normal velocity that an impact leaves with, by Newton's law: `-e u_n⁻` if approaching (`u_n⁻ < 0`), else zero.
#[must_use]
pub fn newton_rebound(restitution: f64, approach: f64) -> f64 {
    if approach < 0.0 { -restitution * approach } else { 0.0 }
}

/// The frame of a contact, `n, t₁, t₂` as columns.
pub use crate::math::frame_of_normal as contact_frame;

/// Why a contact problem cannot be posed.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ContactProblemError {
    /// A mass, inertia or velocity that is not finite, or a negative inverse mass.
    #[error("body {body}: inverse mass, inverse inertia and velocity must be finite and not negative")]
    Body {
        /// Index of the body.
        body: usize,
    },
    /// Two bodies are needed.
    #[error("contact {contact}: bodies {a} and {b} must be two different ones of {bodies}")]
    Pair {
        /// Index of the contact.
        contact: usize,
        /// Body A.
        a: usize,
        /// Body B.
        b: usize,
        /// Bodies there are.
        bodies: usize,
    },
    /// A frame that is not orthonormal.
    #[error("contact {contact}: normal and tangents must be orthonormal, off by {error}")]
    Frame {
        /// Index of the contact.
        contact: usize,
        /// Largest entry of `FᵀF - 1`.
        error: f64,
    },
    /// A coefficient of friction below zero, or a number that is not finite.
    #[error(
        "contact {contact}: friction must be at least 0, and arms and biases finite (friction {friction})"
    )]
    Contact {
        /// Index of the contact.
        contact: usize,
        /// The friction given.
        friction: f64,
    },
}

/// Bodies and contacts of one island.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactProblem {
    bodies: Vec<ContactBody>,
    contacts: Vec<Contact>,
    blocks: Vec<Mat3>,
}

impl ContactProblem {
    /// Checks the data and computes the blocks `J_i M⁻¹ J_iᵀ`.
    ///
    /// # Errors
    /// Names the first body or contact that makes no sense.
    pub fn new(bodies: Vec<ContactBody>, contacts: Vec<Contact>) -> Result<Self, ContactProblemError> {
        for (body, b) in bodies.iter().enumerate() {
            let finite = b.inverse_mass.is_finite()
                && b.inverse_inertia.is_finite()
                && b.free.linear.is_finite()
                && b.free.angular.is_finite();
            if !finite || b.inverse_mass < 0.0 {
                return Err(ContactProblemError::Body { body });
            }
        }
        for (index, contact) in contacts.iter().enumerate() {
            check(index, contact, bodies.len())?;
        }
        let blocks = contacts.iter().map(|contact| delassus(&bodies, contact)).collect();
        Ok(Self { bodies, contacts, blocks })
    }

    /// The bodies.
    #[must_use]
    pub fn bodies(&self) -> &[ContactBody] {
        &self.bodies
    }

    /// The contacts.
    #[must_use]
    pub fn contacts(&self) -> &[Contact] {
        &self.contacts
    }

    /// `W_i = J_i M⁻¹ J_iᵀ` of a contact, 1/kg: how its own impulse changes its own velocity.
    #[must_use]
    pub fn block(&self, contact: usize) -> Mat3 {
        self.blocks[contact]
    }

    /// `w_i = tr W_i / 3`, 1/kg: turns impulses of a contact into velocities.
    #[must_use]
    pub fn weight(&self, contact: usize) -> f64 {
        let w = self.blocks[contact];
        (w.x_axis.x + w.y_axis.y + w.z_axis.z) / 3.0
    }

    /// The same problem with every μ zero.
    #[must_use]
    pub fn frictionless(&self) -> Self {
        let contacts = self.contacts.iter().map(|contact| contact.with_friction(0.0)).collect();
        Self { bodies: self.bodies.clone(), contacts, blocks: self.blocks.clone() }
    }

    /// True if no contact has friction.
    #[must_use]
    pub fn is_frictionless(&self) -> bool {
        self.contacts.iter().all(|contact| contact.friction == 0.0)
    }

    /// `v* + M⁻¹ Jᵀ λ`: the one place where impulses become velocities.
    #[must_use]
    pub fn velocities(&self, impulses: &[Vec3]) -> Vec<BodyVelocity> {
        let mut velocities = self.response(impulses);
        for (body, v) in self.bodies.iter().zip(&mut velocities) {
            v.linear += body.free.linear;
            v.angular += body.free.angular;
        }
        velocities
    }

    /// `M⁻¹ Jᵀ λ`.
    pub(super) fn response(&self, impulses: &[Vec3]) -> Vec<BodyVelocity> {
        let mut sums = vec![BodyVelocity::default(); self.bodies.len()];
        for (contact, &impulse) in self.contacts.iter().zip(impulses) {
            let impulse = contact.frame * impulse;
            let (a, b) = (contact.body_a, contact.body_b);
            sums[a].linear -= impulse;
            sums[a].angular -= contact.arm_a.cross(impulse);
            sums[b].linear += impulse;
            sums[b].angular += contact.arm_b.cross(impulse);
        }
        for (body, sum) in self.bodies.iter().zip(&mut sums) {
            sum.linear *= body.inverse_mass;
            sum.angular = body.inverse_inertia * sum.angular;
        }
        sums
    }

    /// `u = J v` of a contact, m/s, in its frame; the bias is not in it.
    #[must_use]
    pub fn contact_velocity(&self, contact: usize, velocities: &[BodyVelocity]) -> Vec3 {
        let c = &self.contacts[contact];
        let (a, b) = (velocities[c.body_a], velocities[c.body_b]);
        let relative = b.linear + b.angular.cross(c.arm_b) - a.linear - a.angular.cross(c.arm_a);
        c.frame.transpose() * relative
    }

    /// Adds the effect of one impulse to velocities, as [`Self::velocities`] would.
    pub(super) fn apply(&self, contact: usize, impulse: Vec3, velocities: &mut [BodyVelocity]) {
        let c = &self.contacts[contact];
        let impulse = c.frame * impulse;
        for (body, arm, impulse) in [(c.body_a, c.arm_a, -impulse), (c.body_b, c.arm_b, impulse)] {
            let ContactBody { inverse_mass, inverse_inertia, .. } = self.bodies[body];
            velocities[body].linear += inverse_mass * impulse;
            velocities[body].angular += inverse_inertia * arm.cross(impulse);
        }
    }

    /// True if a solver's velocities are those its impulses give, to round-off of the sums involved. Every solver that
    /// keeps velocities of its own asserts this in debug builds.
    #[must_use]
    pub fn agrees(&self, impulses: &[Vec3], velocities: &[BodyVelocity]) -> bool {
        let mut size: f64 = self.velocity_scale();
        for (index, &impulse) in impulses.iter().enumerate() {
            size = real::max(size, self.weight(index) * impulse.length());
        }
        let slack = tolerance::CONTACT_BOOKKEEPING * size;
        let own = self.velocities(impulses);
        (0..self.contacts.len()).all(|index| {
            let difference = self.contact_velocity(index, &own) - self.contact_velocity(index, velocities);
            difference.length() <= slack
        })
    }

    /// The velocity residuals are measured against, m/s: the largest relative velocity or bias at a contact before any
    /// impulse, and at least 1 m/s.
    #[must_use]
    pub fn velocity_scale(&self) -> f64 {
        let free: Vec<BodyVelocity> = self.bodies.iter().map(|body| body.free).collect();
        let mut scale: f64 = 1.0;
        for (index, contact) in self.contacts.iter().enumerate() {
            scale = real::max(scale, self.contact_velocity(index, &free).length());
            scale = real::max(scale, contact.rebound.abs());
        }
        scale
    }

    /// The residual that rounding these impulses leaves, relative to the velocity scale.
    #[must_use]
    pub fn round_off(&self, impulses: &[Vec3]) -> f64 {
        let mut largest = 0.0;
        for (i, impulse) in impulses.iter().enumerate() {
            largest = real::max(largest, self.weight(i) * impulse.length());
        }
        tolerance::CONTACT_ROUND_OFF * largest / self.velocity_scale()
    }

    /// Kinetic energy of the movable bodies with these velocities, J.
    #[must_use]
    pub fn kinetic_energy(&self, velocities: &[BodyVelocity]) -> f64 {
        let mut energy = 0.0;
        for (body, v) in self.bodies.iter().zip(velocities).filter(|(body, _)| body.is_movable()) {
            energy += 0.5 * v.linear.length_squared() / body.inverse_mass;
            let inertia = body.inverse_inertia.inverse();
            if inertia.is_finite() {
                energy += 0.5 * v.angular.dot(inertia * v.angular);
            }
        }
        energy
    }
}

fn check(index: usize, contact: &Contact, bodies: usize) -> Result<(), ContactProblemError> {
    let Contact { body_a: a, body_b: b, frame, friction, .. } = *contact;
    if a >= bodies || b >= bodies || a == b {
        return Err(ContactProblemError::Pair { contact: index, a, b, bodies });
    }
    let off = frame.transpose() * frame - Mat3::IDENTITY;
    let error = off.to_cols_array().iter().fold(0.0, |worst, e| real::max(worst, e.abs()));
    if !(error <= tolerance::UNIT_VECTOR && frame.is_finite()) {
        return Err(ContactProblemError::Frame { contact: index, error });
    }
    let finite = contact.arm_a.is_finite()
        && contact.arm_b.is_finite()
        && contact.gap_rate.is_finite()
        && contact.rebound.is_finite();
    if !(finite && friction.is_finite() && friction >= 0.0) {
        return Err(ContactProblemError::Contact { contact: index, friction });
    }
    Ok(())
}

/// `Fᵀ (Σ 1/m + [r]× I⁻¹ [r]×ᵀ) F`.
fn delassus(bodies: &[ContactBody], contact: &Contact) -> Mat3 {
    let point = |body: usize, arm: Vec3| {
        let cross = cross_matrix(arm);
        let ContactBody { inverse_mass, inverse_inertia, .. } = bodies[body];
        Mat3::from_diagonal(Vec3::splat(inverse_mass)) + cross * inverse_inertia * cross.transpose()
    };
    let sum = point(contact.body_a, contact.arm_a) + point(contact.body_b, contact.arm_b);
    contact.frame.transpose() * sum * contact.frame
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair() -> ContactProblem {
        let body = |inverse_mass: f64, linear: Vec3| ContactBody {
            inverse_mass,
            inverse_inertia: Mat3::from_diagonal(Vec3::new(6.0, 5.0, 4.0) * inverse_mass),
            free: BodyVelocity { linear, angular: Vec3::new(0.1, -0.2, 0.3) },
        };
        let normal = Vec3::new(2.0, -1.0, 2.0) / 3.0;
        let contact = Contact::touching(0, 1, Vec3::new(0.5, 0.4, 0.1), Vec3::new(-0.5, 0.3, 0.2), normal);
        ContactProblem::new(vec![body(0.5, Vec3::X), body(1.0, Vec3::ZERO)], vec![contact]).unwrap()
    }

    #[test]
    fn frames_are_right_handed_for_every_normal() {
        for normal in [Vec3::X, Vec3::Y, Vec3::Z, -Vec3::Z, Vec3::new(0.6, 0.0, -0.8)] {
            let frame = contact_frame(normal);
            assert!((frame.determinant() - 1.0).abs() < 1e-15);
            assert!(
                ((frame.transpose() * frame - Mat3::IDENTITY).to_cols_array().iter())
                    .all(|e| e.abs() < 1e-15)
            );
        }
    }

    #[test]
    fn the_block_is_the_change_of_velocity_by_a_unit_impulse() {
        let problem = pair();
        let free = problem.contact_velocity(0, &problem.velocities(&[Vec3::ZERO]));
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            let moved = problem.contact_velocity(0, &problem.velocities(&[axis]));
            assert!((moved - free - problem.block(0) * axis).length() < 1e-14);
        }
    }

    #[test]
    fn impulses_conserve_momentum_and_add_the_work_they_do() {
        let problem = pair();
        let impulse = Vec3::new(0.7, -0.2, 0.4);
        let (before, after) = (problem.velocities(&[Vec3::ZERO]), problem.velocities(&[impulse]));
        let momentum = |v: &[BodyVelocity]| 2.0 * v[0].linear + v[1].linear;
        assert!((momentum(&after) - momentum(&before)).length() < 1e-15);
        let mean = 0.5 * (problem.contact_velocity(0, &before) + problem.contact_velocity(0, &after));
        let gained = problem.kinetic_energy(&after) - problem.kinetic_energy(&before);
        assert!((gained - mean.dot(impulse)).abs() < 1e-14);
    }

    #[test]
    fn velocities_that_forgot_an_impulse_do_not_agree() {
        let problem = pair();
        let free = problem.velocities(&[Vec3::ZERO]);
        assert!(!problem.agrees(&[Vec3::X], &free));
        let mut moved = free;
        problem.apply(0, Vec3::X, &mut moved);
        assert!(problem.agrees(&[Vec3::X], &moved));
    }

    #[test]
    fn senseless_problems_are_refused_by_name() {
        let good = pair();
        let refuse = |change: &dyn Fn(&mut Contact)| {
            let mut contact = good.contacts()[0];
            change(&mut contact);
            ContactProblem::new(good.bodies().to_vec(), vec![contact]).unwrap_err()
        };
        assert!(matches!(refuse(&|c| c.body_b = 0), ContactProblemError::Pair { contact: 0, .. }));
        assert!(matches!(refuse(&|c| c.frame *= 2.0), ContactProblemError::Frame { contact: 0, .. }));
        assert!(matches!(refuse(&|c| c.friction = -0.1), ContactProblemError::Contact { .. }));
        assert!(matches!(refuse(&|c| c.gap_rate = f64::NAN), ContactProblemError::Contact { .. }));
    }
}

//! The contact problem of one island at the velocity level, without a solver.
//!
//! A contact has the unit normal n from A towards B, two unit tangents `t₁, t₂` (`n, t₁, t₂` right-handed), and the
//! lever arms `r_A`, `r_B` from the centres of mass to the contact point; world frame throughout. Its three rows are
//! ```text
//! J = [-dᵀ, -(r_A × d)ᵀ, dᵀ, (r_B × d)ᵀ]   over [v_A, ω_A, v_B, ω_B],   d = n, t₁, t₂
//! ```
//! so that `u = J v + drift` is the velocity of the point of B relative to that of A, in the contact frame; approaching
//! means `u_n < 0`. Impulses `λ = (λ_n, λ_t₁, λ_t₂)` in N·s act on B as they are and on A reversed, which is `Jᵀλ`:
//! ```text
//! v⁺ = v* + M⁻¹ Jᵀ λ,    u = J v⁺ + drift
//! ```
//! with v* what the bodies would do without contact. The law, for every contact:
//! ```text
//! 0 ≤ λ_n ⊥ u_n + b ≥ 0,   ‖λ_t‖ ≤ μ λ_n,   u_t ≠ 0 ⇒ λ_t = -μ λ_n u_t/‖u_t‖
//! ```
//! `b = speculative_bias - rebound`: a gap may close within the step (`speculative_bias = max(gap, 0)/dt`), and an impact leaves with
//! `rebound = -e u_n⁻` of the approach before the forces of the step. Overlap is not corrected here.
//!
//! Where a pair resists rolling or spinning, a moment m (N·m·s, contact frame, on B as it is and on A reversed) opposes the
//! relative angular velocity `ω = Fᵀ(ω_B - ω_A)` in the same way, with bounds from the same normal impulse:
//! ```text
//! ‖m_t‖ ≤ ρ λ_n,  ω_t ≠ 0 ⇒ m_t = -ρ λ_n ω_t/‖ω_t‖;     |m_n| ≤ σ λ_n,  ω_n ≠ 0 ⇒ m_n = -σ λ_n sign ω_n
//! ```
//! Joints, limits and motors that touch the same bodies are [`Row`]s of the same problem.
//!
//! Immovable bodies have zero inverse mass and inertia and go through the same code; a velocity they may have.

use std::ops::Range;

use super::body::ContactBody;
use super::contact_point::{Contact, FurtherEnd, Row};
use super::error::ContactProblemError;
use super::impulses::Impulses;
use super::operators::{along, arms, relative};
use crate::math::kernels::{Kernel, run_over};
use crate::math::lanes::{Four, LANES, Lanes};
use crate::math::{Mat3, Vec3, cross_matrix, scalar};
use crate::physics::rigid_body::Wrench;
use crate::tolerance;

/// Bodies, contacts and rows of one island. Filled once or refilled in place.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactProblem {
    bodies: Vec<ContactBody>,
    contacts: Vec<Contact>,
    /// Contacts that are evaluated together, as ranges of all; in order.
    patches: Vec<Patch>,
    rows: Vec<Row>,
    /// Bodies of rows beyond A and B, sorted by row.
    further: Vec<FurtherEnd>,
    /// `tr W/3` of every contact.
    weights: Vec<f64>,
    /// `J M⁻¹ Jᵀ` of every row.
    row_weights: Vec<f64>,
    scale: f64,
    has_friction: bool,
    has_moments: bool,
}

impl Default for ContactProblem {
    fn default() -> Self {
        Self {
            bodies: Vec::new(),
            contacts: Vec::new(),
            patches: Vec::new(),
            rows: Vec::new(),
            further: Vec::new(),
            weights: Vec::new(),
            row_weights: Vec::new(),
            scale: 1.0,
            has_friction: false,
            has_moments: false,
        }
    }
}

impl ContactProblem {
    /// A problem without joints.
    ///
    /// # Errors
    /// Names the first invalid body or contact.
    pub fn new(bodies: Vec<ContactBody>, contacts: Vec<Contact>) -> Result<Self, ContactProblemError> {
        Self::with_rows(bodies, contacts, Vec::new())
    }

    /// A problem with joints.
    ///
    /// # Errors
    /// Names the first invalid body, contact or row.
    pub fn with_rows(
        bodies: Vec<ContactBody>,
        contacts: Vec<Contact>,
        rows: Vec<Row>,
    ) -> Result<Self, ContactProblemError> {
        let mut problem = Self::default();
        for body in bodies {
            problem.push_body(body)?;
        }
        for contact in contacts {
            problem.push_contact(contact)?;
        }
        for row in rows {
            problem.push_row(row)?;
        }
        Ok(problem)
    }

    /// Clears it, keeping its memory.
    pub fn clear(&mut self) {
        self.bodies.clear();
        self.contacts.clear();
        self.patches.clear();
        self.rows.clear();
        self.further.clear();
        self.weights.clear();
        self.row_weights.clear();
        (self.scale, self.has_friction, self.has_moments) = (1.0, false, false);
    }

    /// Reserves memory for more bodies and contacts.
    pub(crate) fn reserve(&mut self, bodies: usize, contacts: usize) {
        self.bodies.reserve(bodies);
        self.contacts.reserve(contacts);
        self.patches.reserve(contacts);
        self.weights.reserve(contacts);
    }

    /// Adds a body and returns its index.
    ///
    /// # Errors
    /// If a number is not finite, or the inverse mass negative.
    pub fn push_body(&mut self, body: ContactBody) -> Result<usize, ContactProblemError> {
        let index = self.bodies.len();
        if !body.is_sensible() {
            return Err(ContactProblemError::Body { body: index });
        }
        self.bodies.push(body);
        Ok(index)
    }

    /// Adds a contact between bodies already there and returns its index.
    ///
    /// # Errors
    /// If it is invalid.
    pub fn push_contact(&mut self, contact: Contact) -> Result<usize, ContactProblemError> {
        self.push_contacts(&[contact])?;
        Ok(self.contacts.len() - 1)
    }

    /// Adds contacts between bodies already there. The problem is the same as if they were added one by one;
    /// consecutive points of one face are evaluated together.
    ///
    /// # Errors
    /// If one is invalid; some of those before it have been added.
    pub fn push_contacts(&mut self, contacts: &[Contact]) -> Result<(), ContactProblemError> {
        self.contacts.extend_from_slice(contacts);
        self.take_in_staged()
    }

    /// Stages a contact: it is added by [`ContactProblem::take_in_staged`] once it is validated.
    #[inline]
    pub(crate) fn stage(&mut self, contact: Contact) {
        self.contacts.push(contact);
    }

    /// Adds the staged contacts.
    ///
    /// # Errors
    /// As [`ContactProblem::push_contacts`]; contacts that were not added are dropped.
    pub(crate) fn take_in_staged(&mut self) -> Result<(), ContactProblemError> {
        let mut start = self.weights.len();
        while start < self.contacts.len() {
            let rest = &self.contacts[start..];
            let beside = rest.iter().take(LANES).take_while(|contact| contact.is_beside(&rest[0])).count();
            self.take_in(start..start + beside)?;
            start += beside;
        }
        Ok(())
    }

    /// The same for up to four staged points of one manifold, between the same bodies and in the same frame.
    pub(crate) fn take_in_staged_patch(&mut self) -> Result<(), ContactProblemError> {
        let patch = self.weights.len()..self.contacts.len();
        debug_assert!(patch.len() <= LANES);
        debug_assert!(self.contacts[patch.clone()].iter().all(|c| c.is_beside(&self.contacts[patch.start])));
        if patch.is_empty() { Ok(()) } else { self.take_in(patch) }
    }

    /// Adds a patch: its weights, and its velocities without impulses. If it is invalid, it and those after it are
    /// dropped.
    fn take_in(&mut self, patch: Range<usize>) -> Result<(), ContactProblemError> {
        let start = patch.start;
        let taken = self.look_at(patch);
        if taken.is_err() {
            self.contacts.truncate(start);
            self.weights.truncate(start);
        }
        taken
    }

    fn look_at(&mut self, patch: Range<usize>) -> Result<(), ContactProblemError> {
        let points = &self.contacts[patch.clone()];
        points[0].check_frame(patch.start)?;
        points[0].check_pair(patch.start, self.bodies.len())?;
        let (a, b) = (&self.bodies[points[0].body_a], &self.bodies[points[0].body_b]);
        let (weights, free) = run_over(points.len(), FirstLook { points, a, b });
        self.weights.extend_from_slice(&weights[..points.len()]);
        for (k, (index, contact)) in patch.clone().zip(points).enumerate() {
            let speed = (free[k] + contact.drift).length();
            // Where what follows from them is finite, arms and offset are.
            if (speed + weights[k] + contact.speculative_bias + contact.rebound) * 0.0 != 0.0 {
                contact.check_numbers(index)?;
            }
            contact.check_friction(index)?;
            self.has_friction |= contact.friction > 0.0;
            self.has_moments |= contact.has_moment();
            self.scale = scalar::max(self.scale, scalar::max(contact.rebound.abs(), speed));
        }
        self.patches.push(Patch { start: patch.start, end: patch.end });
        Ok(())
    }

    /// Adds a row between bodies already there and returns its index.
    ///
    /// # Errors
    /// If it is invalid.
    pub fn push_row(&mut self, row: Row) -> Result<usize, ContactProblemError> {
        self.push_coupled_row(row, &[])
    }

    /// Adds a row over more than two bodies: the Jacobians of `parts`, whose other fields are not used, are added to its own.
    ///
    /// # Errors
    /// If it is invalid.
    pub fn push_coupled_row(&mut self, mut row: Row, parts: &[Row]) -> Result<usize, ContactProblemError> {
        let index = self.rows.len();
        row.check(index, self.bodies.len())?;
        for part in parts {
            if let Err(error) = part.check(index, self.bodies.len()) {
                self.further.retain(|end| end.row < index);
                return Err(error);
            }
            let ends = [(part.body_a, part.jacobian.on_a()), (part.body_b, part.jacobian.on_b())];
            ends.into_iter().for_each(|(body, wrench)| self.add_end(index, &mut row, body, wrench));
        }
        let (a, b) = (&self.bodies[row.body_a], &self.bodies[row.body_b]);
        let j = &row.jacobian;
        let mut weight = a.inverse_mass * j.linear_a.length_squared()
            + j.angular_a.dot(a.inverse_inertia * j.angular_a)
            + b.inverse_mass * j.linear_b.length_squared()
            + j.angular_b.dot(b.inverse_inertia * j.angular_b);
        let mut rate = along(&row, &a.free, &b.free);
        for end in self.further_ends(index) {
            let (body, Wrench { force, torque }) = (&self.bodies[end.body], end.wrench);
            weight += body.inverse_mass * force.length_squared() + torque.dot(body.inverse_inertia * torque);
            rate += end.wrench.power(body.free.linear, body.free.angular);
        }
        self.rows.push(row);
        self.row_weights.push(weight);
        let off = (rate - row.target).abs() * self.row_length(index);
        self.scale = scalar::max(self.scale, off);
        Ok(index)
    }

    /// Adds a body to a row that is about to be pushed, or a wrench to one that it has.
    fn add_end(&mut self, index: usize, row: &mut Row, body: usize, wrench: Wrench) {
        if body == row.body_a {
            row.jacobian.linear_a += wrench.force;
            row.jacobian.angular_a += wrench.torque;
        } else if body == row.body_b {
            row.jacobian.linear_b += wrench.force;
            row.jacobian.angular_b += wrench.torque;
        } else {
            let known = self.further.iter_mut().rev().take_while(|end| end.row == index);
            match known.into_iter().find(|end| end.body == body) {
                Some(end) => end.wrench += wrench,
                None => self.further.push(FurtherEnd { row: index, body, wrench }),
            }
        }
    }

    /// Bodies of a row beyond A and B.
    #[must_use]
    pub fn further_ends(&self, row: usize) -> &[FurtherEnd] {
        if self.further.is_empty() {
            return &[];
        }
        let first = self.further.partition_point(|end| end.row < row);
        let last = self.further.partition_point(|end| end.row <= row);
        &self.further[first..last]
    }

    /// The bodies.
    #[must_use]
    pub fn bodies(&self) -> &[ContactBody] {
        &self.bodies
    }

    /// Sets the least normal velocity a contact parts with, m/s.
    ///
    /// # Errors
    /// If it is not finite.
    pub fn set_rebound(&mut self, contact: usize, rebound: f64) -> Result<(), ContactProblemError> {
        let Contact { friction, .. } = self.contacts[contact];
        if !rebound.is_finite() {
            return Err(ContactProblemError::Contact { contact, friction });
        }
        self.contacts[contact].rebound = rebound;
        self.scale = scalar::max(self.scale, rebound.abs());
        Ok(())
    }

    /// The contacts.
    #[must_use]
    pub fn contacts(&self) -> &[Contact] {
        &self.contacts
    }

    /// The contacts in parts of up to four between the same bodies and along the same normal, in order.
    pub fn patches(&self) -> impl Iterator<Item = Range<usize>> {
        self.patches.iter().map(|patch| patch.start..patch.end)
    }

    /// The rows.
    #[must_use]
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// `W_i = J_i M⁻¹ J_iᵀ` of a contact, 1/kg: change of its own velocity by its own impulse (inverse effective
    /// mass).
    #[must_use]
    pub fn block(&self, contact: usize) -> Mat3 {
        let contact = &self.contacts[contact];
        let point = |body: usize, arm: Vec3| {
            let cross = cross_matrix(arm);
            let ContactBody { inverse_mass, inverse_inertia, .. } = self.bodies[body];
            Mat3::from_diagonal(Vec3::splat(inverse_mass)) + cross * inverse_inertia * cross.transpose()
        };
        let sum = point(contact.body_a, contact.arm_a) + point(contact.body_b, contact.arm_b);
        contact.frame.transpose() * sum * contact.frame
    }

    /// `w_i = tr W_i / 3`, 1/kg: turns impulses of a contact into velocities.
    #[must_use]
    pub fn weight(&self, contact: usize) -> f64 {
        self.weights[contact]
    }

    /// `tr(I_A⁻¹ + I_B⁻¹)/3`, 1/(kg m²): turns moments at a contact into angular velocities.
    #[must_use]
    pub fn moment_weight(&self, contact: usize) -> f64 {
        let c = &self.contacts[contact];
        self.bodies[c.body_a].mean_inverse_inertia() + self.bodies[c.body_b].mean_inverse_inertia()
    }

    /// `J M⁻¹ Jᵀ` of a row.
    #[must_use]
    pub fn row_weight(&self, row: usize) -> f64 {
        self.row_weights[row]
    }

    /// Metres by which `J v` of a row is multiplied to be a velocity in m/s whatever the row measures:
    /// `√((1/m_A + 1/m_B)/(J M⁻¹ Jᵀ))`, one for a distance between centres of mass and the radius of gyration for a rotation.
    /// A mass point as heavy as the pair has with that velocity the energy the row is off by.
    #[must_use]
    pub fn row_length(&self, row: usize) -> f64 {
        let Row { body_a, body_b, .. } = self.rows[row];
        length(self.inverse_masses(body_a, body_b), self.row_weights[row])
    }

    /// The same for moments at a contact: `√((1/m_A + 1/m_B)/(tr(I_A⁻¹ + I_B⁻¹)/3))`, m.
    #[must_use]
    pub fn moment_length(&self, contact: usize) -> f64 {
        let Contact { body_a, body_b, .. } = self.contacts[contact];
        length(self.inverse_masses(body_a, body_b), self.moment_weight(contact))
    }

    fn inverse_masses(&self, a: usize, b: usize) -> f64 {
        self.bodies[a].inverse_mass + self.bodies[b].inverse_mass
    }

    /// The same problem with every coefficient of friction zero.
    #[must_use]
    pub fn frictionless(&self) -> Self {
        let mut problem = self.clone();
        for contact in &mut problem.contacts {
            (contact.friction, contact.rolling_friction, contact.torsional_friction) = (0.0, 0.0, 0.0);
        }
        (problem.has_friction, problem.has_moments) = (false, false);
        problem
    }

    /// True if no contact has friction of any kind.
    #[must_use]
    pub fn is_frictionless(&self) -> bool {
        !(self.has_friction || self.has_moments)
    }

    /// True if a contact resists rolling or spinning.
    #[must_use]
    pub fn has_moments(&self) -> bool {
        self.has_moments
    }

    /// The velocity residuals are measured against, m/s: the largest relative velocity or bias at a contact or row before
    /// any impulse, and at least 1 m/s.
    #[must_use]
    pub fn velocity_scale(&self) -> f64 {
        self.scale
    }

    /// The residual that rounding these impulses leaves, relative to the velocity scale.
    #[must_use]
    pub fn round_off(&self, impulses: &Impulses) -> f64 {
        tolerance::CONTACT_ROUND_OFF * self.largest(impulses) / self.scale
    }

    /// The largest velocity that one of the impulses alone would cause, m/s.
    pub(super) fn largest(&self, impulses: &Impulses) -> f64 {
        let mut largest = 0.0;
        for (impulse, w) in impulses.contacts.iter().zip(&self.weights) {
            largest = scalar::max(largest, w * w * impulse.length_squared());
        }
        largest = largest.sqrt();
        for (row, p) in impulses.rows.iter().enumerate() {
            largest = scalar::max(largest, self.row_weights[row] * p.abs() * self.row_length(row));
        }
        largest
    }
}

fn length(inverse_mass: f64, weight: f64) -> f64 {
    if inverse_mass > 0.0 && weight > 0.0 { (inverse_mass / weight).sqrt() } else { 1.0 }
}

/// Some contacts of all.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Patch {
    start: usize,
    end: usize,
}

/// `tr W/3` of up to four contacts between the bodies, 1/kg, and their `J v*`, m/s.
struct FirstLook<'a> {
    points: &'a [Contact],
    a: &'a ContactBody,
    b: &'a ContactBody,
}

impl Kernel for FirstLook<'_> {
    type Output = (Four, [Vec3; LANES]);

    #[inline(always)]
    fn run<L: Lanes>(self) -> Self::Output {
        let Self { points, a, b } = self;
        let arms = arms::<L>(points);
        let weights = (a.trace_at(arms[0]) + b.trace_at(arms[1])) / L::splat(3.0);
        (weights.store(), relative(arms, &points[0].frame, &a.free, &b.free))
    }
}

#[cfg(test)]
mod tests {
    use super::super::body::BodyVelocity;
    use super::*;
    use crate::physics::constraints::JacobianRow;

    fn pair() -> ContactProblem {
        let body = |inverse_mass: f64, linear: Vec3| ContactBody {
            inverse_mass,
            inverse_inertia: Mat3::from_diagonal(Vec3::new(6.0, 5.0, 4.0) * inverse_mass),
            free: BodyVelocity { linear, angular: Vec3::new(0.1, -0.2, 0.3) },
        };
        let normal = Vec3::new(2.0, -1.0, 2.0) / 3.0;
        let contact = Contact::touching(0, 1, Vec3::new(0.5, 0.4, 0.1), Vec3::new(-0.5, 0.3, 0.2), normal);
        let row = Row::rigid(0, 1, JacobianRow::relative_rotation(Vec3::new(0.0, 0.6, 0.8)), 0.0);
        ContactProblem::with_rows(vec![body(0.5, Vec3::X), body(1.0, Vec3::ZERO)], vec![contact], vec![row])
            .unwrap()
    }

    #[test]
    fn a_point_that_makes_no_sense_is_refused_by_its_number_with_those_beside_it() {
        let mut problem = pair();
        let sound = problem.contacts()[0];
        let bad = [
            Contact { arm_a: Vec3::new(0.0, f64::NAN, 0.0), ..sound },
            Contact { arm_b: Vec3::X * f64::INFINITY, ..sound },
            Contact { speculative_bias: f64::NAN, ..sound },
            Contact { drift: Vec3::Z * f64::INFINITY, ..sound },
            Contact { friction: -0.1, ..sound },
            Contact { torsional_friction: f64::NAN, ..sound },
        ];
        for contact in bad {
            let refused = problem.push_contacts(&[sound, contact, sound]);
            assert!(matches!(refused, Err(ContactProblemError::Contact { contact: 2, .. })), "{contact:?}");
            assert_eq!((problem.contacts().len(), problem.patches().count()), (1, 1));
        }
        problem.push_contacts(&[sound, sound]).unwrap();
        assert_eq!((problem.contacts().len(), problem.weight(2)), (3, problem.weight(0)));
    }

    #[test]
    fn the_block_is_the_change_of_velocity_by_a_unit_impulse() {
        let problem = pair();
        let free = problem.contact_velocity(0, &problem.velocities(&[Vec3::ZERO]));
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            let moved = problem.contact_velocity(0, &problem.velocities(&[axis]));
            assert!((moved - free - problem.block(0) * axis).length() < 1e-14);
        }
        let w = problem.block(0);
        let trace = w.x_axis.x + w.y_axis.y + w.z_axis.z;
        assert!((problem.weight(0) - trace / 3.0).abs() < 1e-14);
    }

    #[test]
    fn the_weight_of_a_row_is_the_change_of_its_velocity_by_a_unit_impulse() {
        let problem = pair();
        let mut impulses = Impulses::none(&problem);
        let (mut before, mut after) = (Vec::new(), Vec::new());
        problem.velocities_of(&impulses, &mut before);
        impulses.rows[0] = 1.0;
        problem.velocities_of(&impulses, &mut after);
        let change = problem.row_velocity(0, &after) - problem.row_velocity(0, &before);
        assert!((change - problem.row_weight(0)).abs() < 1e-14);
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
        let mut impulses = Impulses::none(&problem);
        impulses.contacts[0] = Vec3::X;
        assert!(!problem.agrees(&impulses, &free));
        assert!(problem.agrees(&impulses, &problem.velocities(&[Vec3::X])));
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
        assert!(matches!(refuse(&|c| c.rolling_friction = -0.1), ContactProblemError::Contact { .. }));
        assert!(matches!(refuse(&|c| c.speculative_bias = f64::NAN), ContactProblemError::Contact { .. }));
        assert!(matches!(refuse(&|c| c.drift.y = f64::NAN), ContactProblemError::Contact { .. }));
    }

    #[test]
    fn a_refilled_problem_is_the_same_problem() {
        let good = pair();
        let mut again = good.frictionless();
        again.clear();
        assert_eq!(again, ContactProblem::default());
        for &body in good.bodies() {
            again.push_body(body).unwrap();
        }
        again.push_contact(good.contacts()[0]).unwrap();
        again.push_row(good.rows()[0]).unwrap();
        assert_eq!(again, good);
    }

    #[test]
    fn contacts_added_together_are_those_added_one_by_one() {
        let mut one_by_one = pair();
        let contact = one_by_one.contacts()[0];
        let mut together = one_by_one.clone();
        let moved = |k: usize| Contact { arm_a: contact.arm_a + Vec3::X * k as f64, ..contact };
        let turned = Contact::touching(1, 0, Vec3::X, Vec3::Y, Vec3::Y);
        let more = [moved(1), moved(2), moved(3), moved(4), moved(5), turned];
        together.push_contacts(&more).unwrap();
        more.iter().for_each(|contact| assert!(one_by_one.push_contact(*contact).is_ok()));
        let lengths: Vec<usize> = together.patches().map(|patch| patch.len()).collect();
        assert_eq!(lengths, [1, 4, 1, 1]);
        assert_eq!(together.weights, one_by_one.weights);
        assert_eq!(together.velocity_scale(), one_by_one.velocity_scale());
        let impulses: Vec<Vec3> = (0..7).map(|k| Vec3::new(1.0, 0.1 * f64::from(k), -0.2)).collect();
        let certify = crate::physics::constraints::contact::certify;
        assert_eq!(certify(&together, &impulses), certify(&one_by_one, &impulses));
    }

    #[test]
    fn a_contact_that_is_refused_leaves_nothing_behind() {
        let mut problem = pair();
        let contact = problem.contacts()[0];
        let bad = Contact { friction: f64::NAN, ..contact };
        assert!(problem.push_contacts(&[contact, bad]).is_err());
        assert_eq!(problem, pair());
    }
}

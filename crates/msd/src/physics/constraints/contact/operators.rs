//! The operators J and M⁻¹ Jᵀ: velocities from impulses, and velocities of contacts and rows. Contacts of a patch,
//! which are between the same bodies and have the same frame, are evaluated four at a time.

use std::ops::Range;

use super::body::BodyVelocity;
use super::contact_point::{Contact, Row};
use super::impulses::Impulses;
use super::problem::ContactProblem;
use crate::math::kernels::{Kernel, run_over};
use crate::math::lanes::{Frames, LANES, Lanes, Vectors, each, four};
use crate::math::{Mat3, Vec3, scalar};
use crate::tolerance;

impl ContactProblem {
    /// `v* + M⁻¹ Jᵀ λ` for impulses at contacts alone.
    #[must_use]
    pub fn velocities(&self, impulses: &[Vec3]) -> Vec<BodyVelocity> {
        let mut velocities = Vec::new();
        self.velocities_into(impulses, &[], &[], &mut velocities);
        velocities
    }

    /// `v* + M⁻¹ Jᵀ λ`: the one place where impulses become velocities.
    pub fn velocities_of(&self, impulses: &Impulses, velocities: &mut Vec<BodyVelocity>) {
        self.velocities_into(&impulses.contacts, &impulses.moments, &impulses.rows, velocities);
    }

    fn velocities_into(
        &self,
        impulses: &[Vec3],
        moments: &[Vec3],
        rows: &[f64],
        sums: &mut Vec<BodyVelocity>,
    ) {
        sums.clear();
        sums.resize(self.bodies().len(), BodyVelocity::default());
        for (contact, &impulse) in self.contacts().iter().zip(impulses).filter(|(_, l)| **l != Vec3::ZERO) {
            let impulse = contact.frame * impulse;
            let (a, b) = (contact.body_a, contact.body_b);
            sums[a].linear -= impulse;
            sums[a].angular -= contact.arm_a.cross(impulse);
            sums[b].linear += impulse;
            sums[b].angular += contact.arm_b.cross(impulse);
        }
        for (contact, &moment) in self.contacts().iter().zip(moments).filter(|(_, m)| **m != Vec3::ZERO) {
            let moment = contact.frame * moment;
            sums[contact.body_a].angular -= moment;
            sums[contact.body_b].angular += moment;
        }
        for (index, (row, &p)) in self.rows().iter().zip(rows).enumerate() {
            for end in self.further_ends(index) {
                sums[end.body].linear += end.wrench.force * p;
                sums[end.body].angular += end.wrench.torque * p;
            }
            let j = &row.jacobian;
            sums[row.body_a].linear += j.linear_a * p;
            sums[row.body_a].angular += j.angular_a * p;
            sums[row.body_b].linear += j.linear_b * p;
            sums[row.body_b].angular += j.angular_b * p;
        }
        for (body, sum) in self.bodies().iter().zip(sums) {
            sum.linear = body.free.linear + body.inverse_mass * sum.linear;
            sum.angular = body.free.angular + body.inverse_inertia * sum.angular;
        }
    }

    /// `J v` of a contact, m/s, in its frame; drift and bias are not in it.
    #[must_use]
    pub fn contact_velocity(&self, contact: usize, velocities: &[BodyVelocity]) -> Vec3 {
        let [velocity, ..] = self.patch_velocities(contact..contact + 1, velocities);
        velocity
    }

    /// The same of every contact of a patch; entries beyond its length are undefined.
    #[must_use]
    pub fn patch_velocities(&self, patch: Range<usize>, velocities: &[BodyVelocity]) -> [Vec3; LANES] {
        let points = &self.contacts()[patch];
        let (a, b) = (&velocities[points[0].body_a], &velocities[points[0].body_b]);
        run_over(points.len(), RelativeVelocities { points, a, b })
    }

    /// `ω_B - ω_A` in the frame of a contact, rad/s.
    #[must_use]
    pub fn relative_spin(&self, contact: usize, velocities: &[BodyVelocity]) -> Vec3 {
        let c = &self.contacts()[contact];
        c.frame.transpose() * (velocities[c.body_b].angular - velocities[c.body_a].angular)
    }

    /// `J v` of a row; the target is not in it.
    #[must_use]
    pub fn row_velocity(&self, row: usize, velocities: &[BodyVelocity]) -> f64 {
        let further = self.further_ends(row).iter().fold(0.0, |sum, end| {
            let v = &velocities[end.body];
            sum + end.wrench.power(v.linear, v.angular)
        });
        let row = &self.rows()[row];
        along(row, &velocities[row.body_a], &velocities[row.body_b]) + further
    }

    /// True if a solver's velocities are those its impulses give, to round-off of the sums involved. Every solver that
    /// keeps velocities of its own asserts this in debug builds.
    #[must_use]
    pub fn agrees(&self, impulses: &Impulses, velocities: &[BodyVelocity]) -> bool {
        let slack =
            tolerance::CONTACT_BOOKKEEPING * scalar::max(self.velocity_scale(), self.largest(impulses));
        let mut own = Vec::new();
        self.velocities_of(impulses, &mut own);
        let contacts = (0..self.contacts().len()).all(|index| {
            let difference = self.contact_velocity(index, &own) - self.contact_velocity(index, velocities);
            difference.length() <= slack
        });
        contacts
            && (0..self.rows().len()).all(|index| {
                let off = self.row_velocity(index, &own) - self.row_velocity(index, velocities);
                off.abs() * self.row_length(index) <= slack
            })
    }

    /// Kinetic energy of the movable bodies with these velocities, J.
    #[must_use]
    pub fn kinetic_energy(&self, velocities: &[BodyVelocity]) -> f64 {
        let mut energy = 0.0;
        for (body, v) in self.bodies().iter().zip(velocities).filter(|(body, _)| body.is_movable()) {
            if body.inverse_mass > 0.0 {
                energy += 0.5 * v.linear.length_squared() / body.inverse_mass;
            }
            let inertia = body.inverse_inertia.inverse();
            if inertia.is_finite() {
                energy += 0.5 * v.angular.dot(inertia * v.angular);
            }
        }
        energy
    }
}

/// Lever arms of up to four contacts side by side; the last is repeated.
#[inline(always)]
pub(super) fn arms<L: Lanes>(points: &[Contact]) -> [Vectors<L>; 2] {
    let points = four(points);
    [Vectors::of(each(points, |c| c.arm_a)), Vectors::of(each(points, |c| c.arm_b))]
}

/// `J v` of up to four contacts with these arms between the same bodies and in the same frame.
#[inline(always)]
pub(super) fn relative<L: Lanes>(
    [arm_a, arm_b]: [Vectors<L>; 2],
    frame: &Mat3,
    a: &BodyVelocity,
    b: &BodyVelocity,
) -> [Vec3; LANES] {
    let all = Vectors::<L>::all;
    let relative = all(b.linear) + all(b.angular).cross(arm_b) - all(a.linear) - all(a.angular).cross(arm_a);
    Frames::all(frame).local(relative).each()
}

struct RelativeVelocities<'a> {
    points: &'a [Contact],
    a: &'a BodyVelocity,
    b: &'a BodyVelocity,
}

impl Kernel for RelativeVelocities<'_> {
    type Output = [Vec3; LANES];

    #[inline(always)]
    fn run<L: Lanes>(self) -> Self::Output {
        relative::<L>(arms(self.points), &self.points[0].frame, self.a, self.b)
    }
}

pub(super) fn along(row: &Row, a: &BodyVelocity, b: &BodyVelocity) -> f64 {
    let j = &row.jacobian;
    j.linear_a.dot(a.linear)
        + j.angular_a.dot(a.angular)
        + j.linear_b.dot(b.linear)
        + j.angular_b.dot(b.angular)
}

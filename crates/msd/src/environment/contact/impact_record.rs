//! Declared impacts: required restitution, impulse and velocities of each contact, for the certificate.

use crate::math::{Quat, Vec3};
use crate::physics::constraints::contact::BodyVelocity;

/// One contact that was struck in one impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImpactRecord {
    /// Slot of body A, the smaller.
    pub a: usize,
    /// Slot of body B.
    pub b: usize,
    /// From the start of the step, s.
    pub time: f64,
    /// Unit vector from A to B, world frame, at the instant of the impact.
    pub normal: Vec3,
    /// From the centre of mass of A to the contact point, world frame, m, at the instant.
    pub arm_a: Vec3,
    /// From the centre of mass of B to the contact point, world frame, m, at the instant.
    pub arm_b: Vec3,
    /// Orientations of A and B at the instant.
    pub orientations: [Quat; 2],
    /// Required coefficient of restitution; zero for an inelastic impact.
    pub restitution: f64,
    /// Impulse along the normal on B, N·s. The law is `u_n⁺ ≥ -e u_n⁻`, with equality where this is not zero.
    pub impulse: f64,
    /// Velocities of A and B before.
    pub before: [BodyVelocity; 2],
    /// Velocities of A and B after.
    pub after: [BodyVelocity; 2],
    /// False if the contact was taken with less restitution than asked: it is counted in
    /// [`ContactReport::inelastic_impacts`](super::ContactReport::inelastic_impacts).
    pub bounced: bool,
}

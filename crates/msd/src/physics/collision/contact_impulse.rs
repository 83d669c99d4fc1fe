//! Cached impulses of contacts, for warm starting.

use serde::{Deserialize, Serialize};

use crate::math::{Vec3, frame_of_normal};

/// Impulse of a contact in the last step, N·s.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ContactImpulse {
    /// Along the normal, ≥ 0.
    pub normal: f64,
    /// Along the two [`tangents`] of the normal.
    pub tangent: [f64; 2],
}

/// Two unit tangents that form a right-handed frame with the unit normal (t₁ × t₂ = n), those of
/// [`frame_of_normal`].
#[must_use]
pub fn tangents(normal: Vec3) -> [Vec3; 2] {
    let frame = frame_of_normal(normal);
    [frame.y_axis, frame.z_axis]
}

//! How a surface moves against its body, and on which side it is solid.

use serde::{Deserialize, Serialize};

use crate::digest::{Fingerprint, Hasher};
use crate::math::Vec3;

/// A belt, a one-way platform, or neither.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SurfaceMotion {
    /// Velocity of the surface relative to the body, body frame, m/s. Its part along a contact normal has no effect.
    pub velocity: Vec3,
    /// The side from which the body can be touched: the direction out of the body, of unit length, body frame. `None` for all sides.
    pub one_way: Option<Vec3>,
}

impl SurfaceMotion {
    /// True for neither.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.velocity == Vec3::ZERO && self.one_way.is_none()
    }
}

impl Fingerprint for SurfaceMotion {
    /// Nothing for an ordinary surface.
    fn fingerprint(&self, hasher: &mut Hasher) {
        let Self { velocity, one_way } = self;
        if !self.is_none() {
            hasher.text("surface motion");
            velocity.fingerprint(hasher);
            one_way.fingerprint(hasher);
        }
    }
}

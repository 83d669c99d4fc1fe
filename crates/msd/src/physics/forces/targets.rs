//! Target bodies of a field.

use serde::{Deserialize, Serialize};

use super::ActsOn;
use crate::digest::{Fingerprint, Hasher};
use crate::physics::rigid_body::BodyHandle;

/// Every dynamic body, or a list. The stored side of [`ActsOn`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Targets {
    /// Every dynamic body.
    #[default]
    Everything,
    /// These, in handle order, each once.
    Bodies(Vec<BodyHandle>),
}

impl Fingerprint for Targets {
    fn fingerprint(&self, hasher: &mut Hasher) {
        match self {
            Self::Everything => hasher.text("everything"),
            Self::Bodies(bodies) => {
                hasher.text("bodies");
                bodies.fingerprint(hasher);
            }
        }
    }
}

impl Targets {
    /// These bodies; one named twice is acted on once.
    #[must_use]
    pub fn bodies(handles: &[BodyHandle]) -> Self {
        let mut handles = handles.to_vec();
        handles.sort_unstable();
        handles.dedup();
        Targets::Bodies(handles)
    }

    /// The result of [`super::Field::acts_on`].
    #[must_use]
    pub fn acts_on(&self) -> ActsOn<'_> {
        match self {
            Targets::Everything => ActsOn::Everything,
            Targets::Bodies(handles) => ActsOn::Bodies(handles),
        }
    }
}

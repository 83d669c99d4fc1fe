//! How a world treats contact.

use std::fmt::Debug;
use std::sync::Arc;

use crate::physics::constraints::contact::LadderSettings;
use crate::physics::rigid_body::{Material, RigidBody};

/// How a world treats contact.
#[derive(Clone, Debug)]
pub struct ContactSettings {
    /// The method, what it aims at and how much it may cost.
    pub solver: LadderSettings,
    /// Refuse a step whose contact problem was not solved to the certified residual, instead of reporting it.
    pub require_exact: bool,
    /// What two surfaces have together.
    pub materials: Arc<dyn PairMaterials>,
}

impl Default for ContactSettings {
    fn default() -> Self {
        Self { solver: LadderSettings::default(), require_exact: false, materials: Arc::new(GeometricMean) }
    }
}

/// What two surfaces have together; a rule of one's own replaces [`GeometricMean`].
pub trait PairMaterials: Debug + Send + Sync {
    /// Friction, restitution and the rest of the pair. Must depend on the two bodies alone, and be the same when they
    /// are exchanged.
    fn combine(&self, a: &RigidBody, b: &RigidBody) -> Material;
}

/// The default: geometric means of all values.
#[derive(Clone, Copy, Debug, Default)]
pub struct GeometricMean;

impl PairMaterials for GeometricMean {
    fn combine(&self, a: &RigidBody, b: &RigidBody) -> Material {
        Material::combine(&a.material, &b.material)
    }
}

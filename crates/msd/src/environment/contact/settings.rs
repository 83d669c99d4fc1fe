//! How a world treats contact.

use std::fmt::Debug;
use std::sync::Arc;

use crate::physics::rigid_body::{Material, RigidBody};

/// The method that solves the contact problem.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ContactSolverKind {
    /// From the warm start over sweeps to Newton's method, as far as each island needs.
    #[default]
    Exact,
}

/// How a world treats contact.
#[derive(Clone, Debug)]
pub struct ContactSettings {
    /// The method.
    pub solver: ContactSolverKind,
    /// Refuse a step whose contact problem was not solved to the certified residual, instead of reporting it.
    pub require_exact: bool,
    /// What two surfaces have together.
    pub materials: Arc<dyn PairMaterials>,
}

impl Default for ContactSettings {
    fn default() -> Self {
        Self { solver: ContactSolverKind::Exact, require_exact: false, materials: Arc::new(GeometricMean) }
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

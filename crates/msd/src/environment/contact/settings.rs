//! How a world treats contact.

use std::fmt::Debug;
use std::sync::Arc;

use crate::physics::constraints::contact::LadderSettings;
use crate::physics::constraints::contact::soft::SoftSettings;
use crate::physics::rigid_body::{Material, RigidBody};
use crate::tolerance;

/// How a world treats contact.
#[derive(Clone, Debug)]
pub struct ContactSettings {
    /// Exact, fast, or by what each island costs.
    pub tier: ContactTier,
    /// Where `auto` leaves exactness.
    pub auto: AutoLimits,
    /// How the fast tier works.
    pub fast: SoftSettings,
    /// Of the exact tier: the method, what it aims at and how much it may cost.
    pub solver: LadderSettings,
    /// Refuse a step whose contact problem was not solved to the certified residual, instead of reporting it.
    pub require_exact: bool,
    /// What two surfaces have together.
    pub materials: Arc<dyn PairMaterials>,
}

impl Default for ContactSettings {
    fn default() -> Self {
        Self {
            tier: ContactTier::default(),
            auto: AutoLimits::default(),
            fast: SoftSettings::default(),
            solver: LadderSettings::default(),
            require_exact: false,
            materials: Arc::new(GeometricMean),
        }
    }
}

impl ContactSettings {
    /// The defaults with a tier of one's choice.
    #[must_use]
    pub fn with_tier(tier: ContactTier) -> Self {
        Self { tier, ..Self::default() }
    }
}

/// What an island may cost before `auto` takes it with the fast tier. Counts, so that a scene never changes its behaviour with the
/// machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AutoLimits {
    /// Contact points.
    pub contacts: usize,
    /// Contact points times the sweeps and factorisations of the last exact solution.
    pub work: usize,
}

impl Default for AutoLimits {
    fn default() -> Self {
        Self { contacts: tolerance::AUTO_CONTACTS, work: tolerance::AUTO_WORK }
    }
}

/// How islands are solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ContactTier {
    /// The laws of Signorini and Coulomb to the certified residual, impacts at their own times.
    #[default]
    Exact,
    /// Soft contact in substeps: a fixed cost a contact. The residual it leaves is reported.
    Fast,
    /// Exact, but fast for islands that are too large or whose last exact solution took too much work: [`AutoLimits`].
    Auto,
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

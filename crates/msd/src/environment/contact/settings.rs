//! Contact settings of a world.

use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::contact_hook::ContactHook;
use crate::digest::{Fingerprint, Hasher, parameters};
use crate::environment::WorldError;
use crate::environment::validate::Validator;
use crate::physics::constraints::contact::ExactSolverSettings;
use crate::physics::constraints::contact::soft::SoftSettings;
use crate::physics::rigid_body::{Material, RigidBody};

/// Contact points of an island above which `auto` uses the soft solver. tuned.
const AUTO_CONTACTS: usize = 3000;

/// Contact points of an island, times sweeps and factorisations of its last exact solution, above which
/// `auto` uses the soft solver. tuned: some tenths of a second.
const AUTO_WORK: usize = 500_000;

/// Contact settings of a world.
#[derive(Clone, Debug)]
pub struct ContactSettings {
    /// Exact, fast, or automatic by the cost of each island.
    pub tier: ContactTier,
    /// Limits above which `auto` uses the fast tier.
    pub auto: AutoLimits,
    /// Settings of the fast tier.
    pub fast: SoftSettings,
    /// Settings of the exact solver.
    pub solver: ExactSolverSettings,
    /// Scheme of lasting contact in the exact tier.
    pub scheme: ContactScheme,
    /// Rule that combines the materials of a pair.
    pub materials: Arc<dyn PairMaterials>,
    /// Decides on the contacts of pairs in every step; see [`ContactSettings::with_hook`].
    pub hook: Option<Arc<dyn ContactHook>>,
}

impl Fingerprint for ContactSettings {
    fn fingerprint(&self, hasher: &mut Hasher) {
        let Self { tier, auto, fast, solver, scheme, materials, hook } = self;
        hasher.text("contact");
        tier.fingerprint(hasher);
        auto.fingerprint(hasher);
        fast.fingerprint(hasher);
        solver.fingerprint(hasher);
        scheme.fingerprint(hasher);
        materials.fingerprint(hasher);
        if let Some(hook) = hook {
            hasher.text("hook");
            ContactHook::fingerprint(hook.as_ref(), hasher);
        }
    }
}

impl Default for ContactSettings {
    fn default() -> Self {
        Self {
            tier: ContactTier::default(),
            auto: AutoLimits::default(),
            fast: SoftSettings::default(),
            solver: ExactSolverSettings::default(),
            scheme: ContactScheme::default(),
            materials: Arc::new(GeometricMean),
            hook: None,
        }
    }
}

impl ContactSettings {
    /// The defaults with another tier.
    #[must_use]
    pub fn with_tier(tier: ContactTier) -> Self {
        Self { tier, ..Self::default() }
    }

    /// The same with a hook.
    #[must_use]
    pub fn with_hook(self, hook: impl ContactHook) -> Self {
        Self { hook: Some(Arc::new(hook)), ..self }
    }

    /// Checks every value against its range.
    ///
    /// # Errors
    /// Names the first value out of range.
    pub fn validate(&self) -> Result<(), WorldError> {
        let validator = Validator::world();
        let SoftSettings { substeps, cycles, damping_ratio } = self.fast;
        if !(1..=SoftSettings::MOST_SUBSTEPS).contains(&substeps) {
            return Err(validator.refuse("substeps of the fast tier", "from 1 to 256", substeps));
        }
        if !(cycles > 0.0 && cycles <= 0.5) {
            return Err(validator.refuse(
                "cycles a substep of the fast tier",
                "above 0 and at most 0.5",
                cycles,
            ));
        }
        if !(0.0..=1e3).contains(&damping_ratio) {
            return Err(validator.refuse("damping ratio of the fast tier", "from 0 to 1000", damping_ratio));
        }
        let ExactSolverSettings { accepted, target, .. } = self.solver;
        if !(0.0..=1.0).contains(&accepted) {
            return Err(validator.refuse("accepted residual of the solver", "from 0 to 1 m/s", accepted));
        }
        if !(target > 0.0 && target <= 1.0) {
            return Err(validator.refuse("target residual of the solver", "above 0 and at most 1", target));
        }
        Ok(())
    }
}

/// Cost of an island above which `auto` uses the fast tier. Counts, so that a scene never changes its behaviour with
/// the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AutoLimits {
    /// Contact points.
    pub contacts: usize,
    /// Contact points times the sweeps and factorisations of the last exact solution.
    pub work: usize,
}

impl AutoLimits {
    /// True for an island with so many contacts whose last exact solution took these iterations.
    pub(super) fn exceeded_by(&self, contacts: usize, iterations: usize) -> bool {
        contacts > self.contacts || contacts.saturating_mul(iterations) > self.work
    }
}

impl Fingerprint for AutoLimits {
    parameters!("limits of auto": contacts, work);
}

impl Default for AutoLimits {
    fn default() -> Self {
        Self { contacts: AUTO_CONTACTS, work: AUTO_WORK }
    }
}

/// How islands are solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ContactTier {
    /// The laws of Signorini and Coulomb to the certified residual, impacts at their own times.
    #[default]
    Exact,
    /// Soft contact in substeps: a fixed cost a contact. The residual it leaves is reported.
    Fast,
    /// Exact, but fast for islands that are too large or whose last exact solution cost too much: [`AutoLimits`].
    Auto,
}

impl Fingerprint for ContactTier {
    fn fingerprint(&self, hasher: &mut Hasher) {
        match self {
            Self::Exact => hasher.text("exact"),
            Self::Fast => hasher.text("fast"),
            Self::Auto => hasher.text("auto"),
        }
    }
}

/// Scheme of the exact tier for lasting contact over a step, or over the part of it between two impacts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum ContactScheme {
    /// From the end of free flight, joints held: velocities by Moreau-Jean time stepping with the geometry of the start, positions
    /// by the mean of old and new velocity, overlap removed afterwards. Curved bodies that roll fast gain or lose
    /// energy by the first order of the step.
    MoreauJean,
    /// From the start of the step: end positions by the implicit midpoint rule under the true gaps of the end, then
    /// velocities with the geometry of the end. Overlap is prevented instead of corrected, closed contacts keep no
    /// approach velocity, and contact does not raise the energy beyond round-off, whatever the length of the step. Joints of
    /// the island are part of both problems. A pyramid at rest costs a quarter more instructions, poured balls half as many again, and boxes
    /// that tumble over each other two fifths less.
    #[default]
    Midpoint,
}

impl Fingerprint for ContactScheme {
    fn fingerprint(&self, hasher: &mut Hasher) {
        match self {
            Self::MoreauJean => {}
            Self::Midpoint => hasher.text("midpoint"),
        }
    }
}

/// Combined material of a pair; a custom rule replaces [`GeometricMean`].
pub trait PairMaterials: Any + Debug + Send + Sync {
    /// Friction, restitution and the rest of the pair. Must depend on the two bodies alone, and be the same when they
    /// are exchanged. A step with a value out of the range of [`Material`] is refused.
    fn combine(&self, a: &RigidBody, b: &RigidBody) -> Material;

    /// True if materials in range give values in range, so that the result of the rule need not be checked in every
    /// step; false unless overridden.
    fn stays_in_range(&self) -> bool {
        false
    }

    /// Appends every parameter of the rule; its `Debug` text unless overridden, which must then show them all and no
    /// state.
    fn fingerprint(&self, hasher: &mut Hasher) {
        hasher.text(&format!("{self:?}"));
    }
}

impl Fingerprint for dyn PairMaterials {
    fn fingerprint(&self, hasher: &mut Hasher) {
        PairMaterials::fingerprint(self, hasher);
    }
}

/// The default: values that both surfaces state combine by their rules, geometric means unless they name others; a value that one
/// states holds for the pair ([`RigidBody::material_with`]).
#[derive(Clone, Copy, Debug, Default)]
pub struct GeometricMean;

impl PairMaterials for GeometricMean {
    fn combine(&self, a: &RigidBody, b: &RigidBody) -> Material {
        a.material_with(b)
    }

    fn stays_in_range(&self) -> bool {
        true
    }
}

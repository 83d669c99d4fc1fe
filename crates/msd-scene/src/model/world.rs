//! `[world]` and `[record]`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Triple, defaults};

/// Settings of the world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WorldSettings {
    /// Uniform gravity, m/s²; `[0, 0, 0]` is free space.
    #[serde(default = "defaults::gravity")]
    pub gravity: Triple,
    /// Step, s.
    #[serde(default = "defaults::dt")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub dt: f64,
    /// Time to simulate, s; met exactly, by a shortened last step where `dt` does not divide it.
    #[serde(default = "defaults::duration")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub duration: f64,
    /// Method that moves bodies.
    #[serde(default)]
    pub integrator: IntegratorName,
    /// Relative tolerance per component of the integrator `adaptive`; 1e-10 unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0, "exclusiveMaximum" = 1))]
    pub tolerance: Option<f64>,
    /// Contact solver.
    #[serde(default)]
    pub solver: SolverName,
    /// Threads to use; results never depend on it.
    #[serde(default = "defaults::threads")]
    #[schemars(range(min = 1, max = 1024))]
    pub threads: u32,
    /// Let bodies that have come to rest fall asleep until something reaches them.
    #[serde(default)]
    pub sleep: bool,
}

impl Default for WorldSettings {
    fn default() -> Self {
        Self {
            gravity: defaults::gravity(),
            dt: defaults::dt(),
            duration: defaults::duration(),
            integrator: IntegratorName::default(),
            tolerance: None,
            solver: SolverName::default(),
            threads: defaults::threads(),
            sleep: false,
        }
    }
}

/// Methods that move bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum IntegratorName {
    /// First order, as most game engines.
    SemiImplicitEuler,
    /// Second order, symplectic; the default.
    #[default]
    VelocityVerlet,
    /// Fourth order, on the rotation group.
    Rk4,
    /// Second order, keeps energy and angular momentum of free rotation.
    ImplicitMidpoint,
    /// First order and strongly damping, for very stiff forces.
    ImplicitEuler,
    /// Eighth order with step control to `tolerance`; `dt` is the output step.
    Adaptive,
    /// Closed form where nothing but uniform or point gravity acts.
    ExactFree,
}

impl IntegratorName {
    /// All methods.
    pub const ALL: [Self; 7] = [
        Self::SemiImplicitEuler,
        Self::VelocityVerlet,
        Self::Rk4,
        Self::ImplicitMidpoint,
        Self::ImplicitEuler,
        Self::Adaptive,
        Self::ExactFree,
    ];

    /// The name in scenes.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::SemiImplicitEuler => "semi-implicit-euler",
            Self::VelocityVerlet => "velocity-verlet",
            Self::Rk4 => "rk4",
            Self::ImplicitMidpoint => "implicit-midpoint",
            Self::ImplicitEuler => "implicit-euler",
            Self::Adaptive => "adaptive",
            Self::ExactFree => "exact-free",
        }
    }
}

/// Contact solvers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SolverName {
    /// Exact Coulomb contact.
    Exact,
    /// Soft contact in substeps, at a fixed cost a contact; says what residual it leaves.
    Fast,
    /// Exact, but fast for islands of thousands of contacts; the default.
    #[default]
    Auto,
}

impl SolverName {
    /// All solvers.
    pub const ALL: [Self; 3] = [Self::Exact, Self::Fast, Self::Auto];

    /// The name in scenes.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Fast => "fast",
            Self::Auto => "auto",
        }
    }
}

/// Contents of a recording.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Seconds between recorded frames; every step unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub every: Option<f64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_serde_and_the_engine_know() {
        for name in IntegratorName::ALL {
            assert_eq!(serde_json::to_value(name).unwrap(), name.as_str());
        }
        assert_eq!(
            IntegratorName::ALL.map(IntegratorName::as_str),
            msd::physics::integration::INTEGRATOR_NAMES
        );
        for name in SolverName::ALL {
            assert_eq!(serde_json::to_value(name).unwrap(), name.as_str());
        }
    }
}

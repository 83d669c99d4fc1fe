//! `[[field]]`: what acts on bodies besides the world's gravity.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Triple, defaults};

/// A field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Field {
    /// The same acceleration everywhere.
    UniformGravity(UniformGravity),
    /// Attraction to a centre, oblate if `radius` and `j2` are given.
    PointGravity(PointGravity),
    /// The torque and force by which gravity differs over the extent of a body, without the attraction itself.
    GravityGradient(GravityGradient),
    /// A linear spring between two points.
    Spring(Spring),
    /// A linear damper between two points.
    Damper(Damper),
    /// Quadratic drag in an atmosphere.
    Drag(Drag),
    /// Torque and force on magnetic bodies.
    MagneticDipole(MagneticDipole),
    /// Pull of a third body less its pull on the centre, exact.
    ThirdBody(ThirdBody),
    /// The same to first order in the distance from the centre.
    Tidal(ThirdBody),
    /// Constant thrust from a place on a body.
    Thruster(Thruster),
    /// Gravity of a planet of any shape, by spherical harmonics; instead of point gravity.
    Geopotential(Geopotential),
    /// Pressure of sunlight on a ball.
    SolarPressure(SolarPressure),
    /// Centrifugal, Coriolis and Euler forces of a world that turns.
    RotatingFrame(RotatingFrame),
}

/// The same acceleration everywhere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UniformGravity {
    /// m/s².
    pub acceleration: Triple,
    /// Names of the bodies it acts on; every dynamic body unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bodies: Option<Vec<String>>,
}

/// Attraction to a centre.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PointGravity {
    /// Gravitational parameter, m³/s².
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub mu: f64,
    /// m.
    #[serde(default)]
    pub center: Triple,
    /// Equatorial radius to which `j2` belongs, m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub radius: Option<f64>,
    /// Oblateness about world z; needs `radius`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub j2: Option<f64>,
    /// Whether it also turns bodies.
    #[serde(default, skip_serializing_if = "defaults::is_no")]
    pub gradient_torque: bool,
    /// Names of the bodies it acts on; every dynamic body unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bodies: Option<Vec<String>>,
}

/// How gravity differs over the extent of a body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GravityGradient {
    /// Gravitational parameter, m³/s².
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub mu: f64,
    /// m.
    #[serde(default)]
    pub center: Triple,
    /// Names of the bodies it acts on; every dynamic body unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bodies: Option<Vec<String>>,
}

/// A linear spring; ends in world coordinates at t = 0.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Spring {
    /// A body's name, or `world`.
    pub a: String,
    /// A body's name, or `world`.
    pub b: String,
    /// End on a, m.
    pub anchor_a: Triple,
    /// End on b, m.
    pub anchor_b: Triple,
    /// N/m.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub stiffness: f64,
    /// N·s/m.
    #[serde(default, skip_serializing_if = "defaults::is_zero")]
    #[schemars(range(min = 0.0))]
    pub damping: f64,
    /// Rest length, m; as placed unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub length: Option<f64>,
}

/// A linear damper; ends in world coordinates at t = 0.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Damper {
    /// A body's name, or `world`.
    pub a: String,
    /// A body's name, or `world`.
    pub b: String,
    /// End on a, m.
    pub anchor_a: Triple,
    /// End on b, m.
    pub anchor_b: Triple,
    /// N·s/m.
    #[schemars(range(min = 0.0))]
    pub damping: f64,
}

/// `F = -½ ρ C_d A |v| v`, v relative to the air.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Drag {
    /// Density of the air, kg/m³: everywhere, or at z = 0 or at `radius` where it thins out with
    /// `scale_height`.
    #[schemars(range(min = 0.0))]
    pub density: f64,
    /// Height over which the air thins out to 1/e, m; uniform air unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub scale_height: Option<f64>,
    /// Radius of the planet, m: height is then above that sphere instead of above z = 0; needs `scale_height`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub radius: Option<f64>,
    /// Centre of the planet, m.
    #[serde(default, skip_serializing_if = "defaults::is_origin")]
    pub center: Triple,
    /// Drag coefficient times area, m², of bodies without the property `drag-area`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub drag_area: Option<f64>,
    /// Velocity of the air, world frame, m/s.
    #[serde(default, skip_serializing_if = "defaults::is_origin")]
    pub wind: Triple,
    /// Rate at which the air turns about world z, rad/s.
    #[serde(default, skip_serializing_if = "defaults::is_zero")]
    pub turn_rate: f64,
    /// Names of the bodies it acts on; every dynamic body unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bodies: Option<Vec<String>>,
}

/// `τ = m × B`, `F = ∇(m·B)`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MagneticDipole {
    /// Uniform magnetic field, world frame, T; or give `source_moment`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flux_density: Option<Triple>,
    /// Moment of a planet's dipole, world frame, A·m² (Earth: 7.79e22 along -z).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_moment: Option<Triple>,
    /// Where that dipole is, m.
    #[serde(default, skip_serializing_if = "defaults::is_origin")]
    pub center: Triple,
    /// Moment, body frame, A·m², of bodies without the property `magnetic-dipole`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moment: Option<Triple>,
    /// Names of the bodies it acts on; every dynamic body unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bodies: Option<Vec<String>>,
}

/// Pull of a third body less its pull on the centre.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ThirdBody {
    /// Gravitational parameter of the third body, m³/s².
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub mu: f64,
    /// Position of the central body, m.
    #[serde(default)]
    pub center: Triple,
    /// Position of the third body at t = 0, m.
    pub position: Triple,
    /// Rate at which it circles the centre, world frame, rad/s; it stands still unless given.
    #[serde(default, skip_serializing_if = "defaults::is_origin")]
    pub angular_velocity: Triple,
    /// Names of the bodies it acts on; every dynamic body unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bodies: Option<Vec<String>>,
}

/// Constant thrust, turning with the body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Thruster {
    /// Name of a dynamic body.
    pub body: String,
    /// Where it pushes, body frame, m.
    #[serde(default)]
    pub position: Triple,
    /// Where it pushes to (opposite to the jet), body frame, of any length but zero.
    pub direction: Triple,
    /// N; or give `mass_flow` and `exhaust_velocity`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub thrust: Option<f64>,
    /// Propellant leaving, kg/s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub mass_flow: Option<f64>,
    /// m/s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub exhaust_velocity: Option<f64>,
    /// s.
    #[serde(default, skip_serializing_if = "defaults::is_zero")]
    pub from: f64,
    /// s; for ever unless given.
    #[serde(default = "defaults::forever", skip_serializing_if = "defaults::is_infinite")]
    #[schemars(extend("x-infinite" = true))]
    pub until: f64,
}

/// Spherical harmonics up to degree 8, axis along world z.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Geopotential {
    /// Gravitational parameter, m³/s².
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub mu: f64,
    /// Radius to which the coefficients belong, m.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub radius: f64,
    /// m.
    #[serde(default)]
    pub center: Triple,
    /// Coefficients; the central term is always there.
    pub harmonics: Vec<Harmonic>,
    /// Whether the coefficients are fully normalised, as published models list them.
    #[serde(default, skip_serializing_if = "defaults::is_no")]
    pub normalized: bool,
    /// Angle of the prime meridian from world x at t = 0, rad.
    #[serde(default, skip_serializing_if = "defaults::is_zero")]
    pub angle: f64,
    /// Rate at which the planet turns about world z, rad/s.
    #[serde(default, skip_serializing_if = "defaults::is_zero")]
    pub turn_rate: f64,
    /// Names of the bodies it acts on; every dynamic body unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bodies: Option<Vec<String>>,
}

/// The pair `C_nm`, `S_nm`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Harmonic {
    /// n.
    #[schemars(range(min = 1, max = 8))]
    pub degree: u32,
    /// m, at most n.
    #[schemars(range(min = 0, max = 8))]
    pub order: u32,
    /// `C_nm`; for order 0 it is -J_n.
    pub c: f64,
    /// `S_nm`.
    #[serde(default, skip_serializing_if = "defaults::is_zero")]
    pub s: f64,
}

/// 4.54e-6 N/m² at 1 au, falling with the square of the distance, away from the Sun.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SolarPressure {
    /// Where the Sun is, m.
    pub sun: Triple,
    /// Lit area, m².
    #[schemars(range(min = 0.0))]
    pub area: f64,
    /// 1 for a black body, up to 2 for a mirror facing the Sun.
    #[schemars(range(min = 0.0))]
    pub coefficient: f64,
    /// A sphere that hides the Sun.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shadow: Option<Shadow>,
    /// Names of the bodies it acts on; every dynamic body unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bodies: Option<Vec<String>>,
}

/// A sphere that hides the Sun.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Shadow {
    /// m.
    #[serde(default)]
    pub center: Triple,
    /// m.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub radius: f64,
    /// Radius of the Sun, m, for a shadow with penumbra; a sharp edge unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub sun_radius: Option<f64>,
}

/// Inertial forces of a rotating frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RotatingFrame {
    /// A point of the axis, m.
    #[serde(default)]
    pub center: Triple,
    /// rad/s.
    pub angular_velocity: Triple,
    /// rad/s².
    #[serde(default, skip_serializing_if = "defaults::is_origin")]
    pub angular_acceleration: Triple,
    /// Names of the bodies that feel it; every dynamic body unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bodies: Option<Vec<String>>,
}

impl Field {
    /// Its type as scenes say it.
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        match self {
            Field::UniformGravity(_) => "uniform-gravity",
            Field::PointGravity(_) => "point-gravity",
            Field::GravityGradient(_) => "gravity-gradient",
            Field::Spring(_) => "spring",
            Field::Damper(_) => "damper",
            Field::Drag(_) => "drag",
            Field::MagneticDipole(_) => "magnetic-dipole",
            Field::ThirdBody(_) => "third-body",
            Field::Tidal(_) => "tidal",
            Field::Thruster(_) => "thruster",
            Field::Geopotential(_) => "geopotential",
            Field::SolarPressure(_) => "solar-pressure",
            Field::RotatingFrame(_) => "rotating-frame",
        }
    }

    /// The bodies it is limited to, if it is.
    #[must_use]
    pub fn bodies(&self) -> Option<&Vec<String>> {
        match self {
            Field::UniformGravity(field) => field.bodies.as_ref(),
            Field::PointGravity(field) => field.bodies.as_ref(),
            Field::GravityGradient(field) => field.bodies.as_ref(),
            Field::Drag(field) => field.bodies.as_ref(),
            Field::MagneticDipole(field) => field.bodies.as_ref(),
            Field::ThirdBody(field) | Field::Tidal(field) => field.bodies.as_ref(),
            Field::Geopotential(field) => field.bodies.as_ref(),
            Field::SolarPressure(field) => field.bodies.as_ref(),
            Field::RotatingFrame(field) => field.bodies.as_ref(),
            Field::Spring(_) | Field::Damper(_) | Field::Thruster(_) => None,
        }
    }
}

//! Every tolerance of the engine, in one place: what it means, its unit, and what it is relative to.
//!
//! Nothing here is tuned to make a test pass. A number that looks arbitrary says where it comes from.

use std::f64::consts::PI;

// ── Math ────────────────────────────────────────────────────────────────────────────────────────────────────────

/// Default of [`crate::math::almost_equal::almost_equal`]: relative above one, absolute below.
pub const ALMOST_EQUAL: f64 = 1e-10;

/// An Euler angle is brought back to (-π, π] once it passes this; rad.
pub const ANGLE_WRAP_LIMIT: f64 = 100.0 * PI;

/// cos(pitch) below which yaw and roll cannot be told apart; dimensionless. The entries of a rotation matrix carry
/// errors of about 2e-16, so the angle of a vector this short is known to about 1e-8 rad.
pub const GIMBAL_LOCK: f64 = 1e-8;

/// Largest | ‖q‖ - 1 | of a quaternion that is accepted as an orientation; dimensionless. Text with seven digits
/// passes, a forgotten normalisation does not.
pub const UNIT_QUATERNION: f64 = 1e-6;

/// Largest | ‖n‖ - 1 | of a direction that must be a unit vector; dimensionless.
pub const UNIT_VECTOR: f64 = 1e-6;

// ── Geometry and mass ───────────────────────────────────────────────────────────────────────────────────────────

/// Asymmetry and triangle-inequality violation allowed in a given inertia tensor, relative to its largest moment.
/// Equality (a flat body) is legal, and the sum of two moments carries round-off.
pub const INERTIA: f64 = 1e-9;

/// Distance outside the surface up to which a point still counts as on it, relative to the largest length of the
/// shape. Points computed to be on a surface are off it by a few ulp (2e-16) of that length.
pub const ON_SURFACE: f64 = 1e-12;

/// How far a point may be outside a convex hull that was built from it, how far apart the triangles of one face may
/// be from a plane, and (a quarter of it) how thick a cloud must be to have a hull; relative to the largest absolute
/// coordinate. A rotation and a translation in f64 leave about 6 units of round-off in a coordinate, which a plane
/// through three such points carries to the others up to fourfold; sixteen ε cover that, four times for four builds.
pub const HULL_RESOLUTION: f64 = 64.0 * f64::EPSILON;

/// How far a vertex may be above the plane of a face of its hull, and | ‖n‖ - 1 | of a face; relative to the largest
/// absolute coordinate. The hull is exactly convex, so this is the rounding of a unit normal and of one dot product.
pub const HULL_CONVEXITY: f64 = 16.0 * f64::EPSILON;

// ── Integration ─────────────────────────────────────────────────────────────────────────────────────────────────

/// Largest error of velocities with which an implicit step is accepted; relative to each body's own, in the norm of
/// kinetic energy. A thousandth of the error a fourth-order method makes at a thousand steps a period.
pub const IMPLICIT_SOLVE: f64 = 1e-12;

/// Residual at which an implicit solve stops because nothing is left to gain; relative as above. Ten roundings of a sum
/// of a few forces.
pub const IMPLICIT_ROUND_OFF: f64 = 1e-15;

/// Passes of plain iteration, and of Newton's method after it, before an implicit step gives up; count. At half the
/// residual a pass, fifty reach round-off from anywhere.
pub const IMPLICIT_ITERATIONS: usize = 50;

/// Pivot below which the matrix `1 - ∂g/∂u` of an implicit step counts as singular; relative to the identity in it.
pub const SINGULAR_PIVOT: f64 = 1e-14;

// ── World ───────────────────────────────────────────────────────────────────────────────────────────────────────

/// Coarsest spacing of positions (one ulp) at which a body is still simulated, m. At 7 000 km one ulp is 9e-10 m;
/// it reaches this limit at about 4.5e9 m from the origin.
pub const POSITION_RESOLUTION: f64 = 1e-6;

// ── Broad phase ─────────────────────────────────────────────────────────────────────────────────────────────────────

/// How much a fat box exceeds the tight one on every side, relative to the longest edge of the tight box. Larger: fewer
/// insertions, more candidate pairs; the optimum is flat.
pub const FAT_BOX: f64 = 0.1;

/// How many steps of motion (relative to the tree's drift) a fat box covers ahead; dimensionless.
pub const FAT_BOX_STEPS: f64 = 4.0;

//! Tolerances of the engine: meaning, unit, reference scale and derivation.
//!
//! Each is derived from round-off, from the remainder of a series or from a stated accuracy, and its comment says
//! how. Public are those that a user meets: limits of inputs, defaults, and the bounds of the certificate. Constants
//! chosen by measurement are private to the code that uses them, marked `tuned:` with the scene that chose them.

use std::f64::consts::PI;

// ── Math ────────────────────────────────────────────────────────────────────────────────────────────────────────

/// Default of [`crate::math::almost_equal::almost_equal`]: relative above one, absolute below.
pub const ALMOST_EQUAL: f64 = 1e-10;

/// An Euler angle is wrapped to (-π, π] beyond this; rad.
pub const ANGLE_WRAP_LIMIT: f64 = 100.0 * PI;

/// cos(pitch) below which yaw and roll are not distinguished; dimensionless. The entries of a rotation matrix carry
/// errors of about 2e-16, so the angle of a vector this short is known to about 1e-8 rad.
pub(crate) const GIMBAL_LOCK: f64 = 1e-8;

/// Square of the half angle below which the exponential map uses its series; rad². The first omitted term is below
/// h¹⁰/3.6e6 = 3e-27.
pub(crate) const EXP_SERIES: f64 = 1e-4;

/// Sine of the half angle below which the logarithm uses its first term; the next is below (1e-8)²/3 = 3e-17.
pub(crate) const LOG_SERIES: f64 = 1e-8;

/// `| ‖q‖² - 1 |` up to which renormalisation uses the first term of its series; the next is below ⅜ (1e-8)² = 4e-17.
pub(crate) const RENORMALISE_SERIES: f64 = 1e-8;

/// `1 + a·b` below which two unit vectors count as opposite: the axis between them would be known to 1e-9 at best.
pub(crate) const OPPOSITE_DIRECTIONS: f64 = 1e-14;

/// `|e|` below which `R_C(1, 1+e)` uses its series; the first omitted term, e⁶/13, is below 1e-19.
pub(crate) const ELLIPTIC_SERIES: f64 = 1e-3;

/// Largest | ‖q‖ - 1 | of a quaternion that is accepted as an orientation; dimensionless. Text with seven digits
/// passes, a forgotten normalisation does not.
pub const UNIT_QUATERNION: f64 = 1e-6;

/// Largest | ‖n‖ - 1 | of a direction that must be a unit vector; dimensionless.
pub const UNIT_VECTOR: f64 = 1e-6;

/// Deviation of a quaternion's squared length from one at which its square is round-off.
pub(crate) const NEXT_TO_UNIT: f64 = 1e-8;

// ── Geometry and mass ───────────────────────────────────────────────────────────────────────────────────────────

/// Asymmetry and triangle-inequality violation allowed in a given inertia tensor, relative to its largest moment.
/// Equality (a flat body) is legal, and the sum of two moments carries round-off.
pub const INERTIA: f64 = 1e-9;

/// Distance outside the surface up to which a point still counts as on it, relative to the largest length of the
/// shape. Points computed to be on a surface are off it by a few ulp (2e-16) of that length.
pub const ON_SURFACE: f64 = 1e-12;

/// Sine of the widest angle of a triangle below which it has no area; dimensionless. The normal of a mesh triangle
/// carries round-off of 2e-16 over this sine, so one accepted is good to 2e-4 rad at worst. A needle with one short
/// side is no such case: its normal follows from that side.
pub const FLAT_TRIANGLE: f64 = 1e-12;

/// How far a point may be outside a convex hull built from it, how far the triangles of one face may be from its
/// plane, and (a quarter of it) the least thickness of a point cloud with a hull; relative to the largest absolute
/// coordinate. A rotation and a translation in f64 leave about 6 units of round-off in a coordinate, which a plane
/// through three such points carries to the others up to fourfold; sixteen ε cover that, four times for four builds.
pub const HULL_RESOLUTION: f64 = 64.0 * f64::EPSILON;

/// How far a vertex may be above the plane of a face of its hull, and | ‖n‖ - 1 | of a face; relative to the largest
/// absolute coordinate. The hull is exactly convex, so this is the rounding of a unit normal and of one dot product.
pub const HULL_CONVEXITY: f64 = 16.0 * f64::EPSILON;

// ── Integration ─────────────────────────────────────────────────────────────────────────────────────────────────

/// Largest error of velocities with which an implicit step is accepted; relative to each body's own, in the norm of
/// kinetic energy. A thousandth of the error a fourth-order method makes at a thousand steps a period.
pub(crate) const IMPLICIT_SOLVE: f64 = 1e-12;

/// Residual at which an implicit solve stops at round-off; relative as above. Ten roundings of a sum
/// of a few forces.
pub(crate) const IMPLICIT_ROUND_OFF: f64 = 1e-15;

/// Default of the `adaptive` integrator; relative, per component and substep. A satellite's position to a millimetre.
pub const ADAPTIVE_DEFAULT: f64 = 1e-10;

/// Tolerance of `exact-free` for bodies that have no closed form; relative, per component and substep. Round-off of closed
/// forms over some hundred radians.
pub(crate) const EXACT_FREE_FALLBACK: f64 = 1e-13;

/// Tightest tolerance `adaptive` works with; relative. Below it the error estimate is
/// round-off of the stages.
pub const ADAPTIVE_TIGHTEST: f64 = 1e-15;

/// Loosest tolerance `adaptive` works with; relative. Above it the error estimates are meaningless.
pub const ADAPTIVE_LOOSEST: f64 = 1e-2;

/// Residual to which GMRES solves the equations of a Newton step; relative to the right-hand side. Difference quotients
/// give the Jacobian to 1e-8 at best, and Newton's iteration reduces the remaining error.
pub(crate) const LINEAR_SOLVE: f64 = 1e-6;

/// Pivot below which the matrix `1 - ∂g/∂u` of an implicit step counts as singular; relative to the identity in it.
pub(crate) const SINGULAR_PIVOT: f64 = 1e-14;

/// How far inside a step forces at its ends are evaluated, relative to the time: four roundings, as the time of an
/// end carries a few.
pub(crate) const STEP_EDGE: f64 = 4.0 * f64::EPSILON;

// ── Constraints ─────────────────────────────────────────────────────────────────────────────────────────────────

/// Travel (m or rad) over which the default `J̇ v` of a constraint is differenced. Truncation of the fourth-order
/// formula is its fourth power, round-off its inverse times 1e-16: both are near 1e-12 here.
pub(crate) const BIAS_DIFFERENCE: f64 = 1e-3;

/// Pivot, relative to its diagonal entry, at or below which a constraint row counts as dependent on others. Dependent
/// rows leave about 1e-15; a joint between 1 kg and 1e6 kg at the end of a chain leaves about 1e-8.
pub(crate) const CONSTRAINT_RANK: f64 = 1e-11;

/// The same at stages of an integrator, where dependent rows are already left out: a guard against division by zero.
pub(crate) const STAGE_RANK: f64 = 1e-15;

/// Slack of a bound or of a complementary velocity, relative to the largest in the problem: a few thousand ulp.
pub(crate) const COMPLEMENTARITY: f64 = 1e-12;

/// Regularisation, relative to the diagonal, in sharing a load among redundant rows. The shares carry round-off of 1e-16
/// over this.
pub(crate) const SHARING: f64 = 1e-8;

/// Distance to a stop, m or rad, at which it counts as touched.
pub(crate) const LIMIT_TOUCH: f64 = 1e-9;

/// Joint error below which positions are left alone: per m of the coordinates involved (lengths) or in rad. A few ulp.
pub(crate) const JOINT_TIGHT: f64 = 2e-15;

/// Joint error accepted after position projection when round-off stops it, same unit as [`JOINT_TIGHT`].
pub(crate) const JOINT_POSITION: f64 = 1e-9;

/// Rate of violation of a joint accepted after velocity projection, relative to 1 m/s (rad/s) plus the speeds involved.
pub(crate) const JOINT_VELOCITY: f64 = 1e-8;

/// Difference of a motor's rate from its target at which the target is held, relative to 1 m/s (rad/s) plus the
/// speeds involved: the error of the previous velocity projection.
pub(crate) const MOTOR_HOLDS: f64 = 1e-8;

/// Round-off of a joint's rate after velocity projection, relative to its change by the impulse of the joint: a few
/// hundred ulp.
pub(crate) const IMPULSE_ROUND_OFF: f64 = 1e-13;

/// Joint error (m or rad) at which the RATTLE iteration may stop when round-off ends its contraction.
pub(crate) const JOINT_DRIFT_CLOSED: f64 = 1e-9;

/// Joint error that counts as round-off where an iteration stagnates, in units of [`JOINT_TIGHT`].
pub(crate) const JOINT_ROUND_OFF: f64 = 16.0;

/// A spring row is evaluated as an ordinary force while `dt ω` and `dt` times its damping rate stay below this, and
/// implicitly beyond. Explicit methods are stable up to 2.
pub(crate) const SPRING_RESOLVED: f64 = 0.5;

// ── Contact ─────────────────────────────────────────────────────────────────────────────────────────────────────

/// Residual of the contact law at which a step counts as solved and is certified; m/s, relative to the velocity scale of
/// the island where that is above 1 m/s. Over a day of resting contact it moves a body by less than a millimetre.
pub const CONTACT_CERTIFIED: f64 = 1e-8;

/// Compliance of contacts where the rigid law is not solved within the budget: relative to `tr W/3`, so that a contact
/// moves by this share of the velocity that its impulse gives its bodies. Eight cubes of half a metre on each other sink
/// 20 µm in a step of 1/60 s.
pub const COMPLIANCE: f64 = 1e-3;

/// Residual of the law of compliant contact at which it is certified, like [`CONTACT_CERTIFIED`].
pub const COMPLIANT_CERTIFIED: f64 = 1e-9;

/// Residual of the rigid law up to which the compliant law may replace it, like [`CONTACT_CERTIFIED`]: bodies that cannot
/// be separated, or a heavy one on a light one, would sink into each other by more.
pub const COMPLIANT_GIVES: f64 = 1e-2;

/// Residual the contact solvers aim at, same unit: the round-off of velocities of 1 m/s after sums of some thousand
/// impulses.
pub const CONTACT_TARGET: f64 = 1e-11;

/// Residual at which the warm start is accepted unchanged, m/s, whatever the velocity scale: a twentieth of 1e-9 m/s,
/// the accepted velocity of a body at rest, because errors add up from body to body in a stack.
pub const CONTACT_ACCEPTED: f64 = 5e-11;

/// Difference between the velocities stored by a solver and those of its impulses, relative to the largest velocity
/// or impulse per mass in the island: round-off of some thousand updates.
pub(crate) const CONTACT_BOOKKEEPING: f64 = 1e-10;

/// Linearly independent share (squared) that a difference of iterates must have to be used; round-off leaves 1e-16.
pub(crate) const ANDERSON_DEPENDENT: f64 = 1e-14;

/// See [`SOFTNESS_FIRST`].
pub(crate) const SOFTNESS_LEAST: f64 = 1e-9;

/// Speed of sliding contacts below which an island counts as at rest, m/s.
pub(crate) const CONTACT_STILL: f64 = 1e-7;

/// Residual that round-off leaves, relative to the largest velocity an impulse alone would cause: eight roundings.
pub(crate) const CONTACT_ROUND_OFF: f64 = 8.0 * f64::EPSILON;

/// Share of it at which the warm start is accepted unchanged: one rounding. Repeated acceptance adds the errors up.
pub(crate) const ROUND_OFF_ACCEPTED: f64 = 0.125;

/// Velocity of a contact below which its direction is undefined, relative to the fastest of the island.
pub(crate) const APEX: f64 = 1e-9;

/// Newton decrement at which a proximal step counts as solved, relative to its energy. Convergence is quadratic: the
/// last step leaves about its square.
pub(crate) const NEWTON_DECREMENT: f64 = 1e-14;

/// The same where round-off keeps it from falling any further.
pub(crate) const NEWTON_STALLED: f64 = 1e-12;

// ── World ───────────────────────────────────────────────────────────────────────────────────────────────────────

/// Largest coefficient of friction that a material may have: the residual of Coulomb's law is resolved relative to impulses that
/// grow with it, and at 1e6 a box that slides is no longer certified. Beyond, use a joint.
pub const FRICTION: f64 = 1e4;

/// Largest arm of rolling and torsional friction, m, for the same reason.
pub const FRICTION_ARM: f64 = 1e4;

/// Smallest and largest extent of a shape that collides, m. Gaps are resolved to about 1e-9 of the larger shape
/// ([`IMPACT_GAP`]), and below the smallest the squares and products of lengths, masses and inertias lose digits: a cube of
/// 1e-15 m sinks into a plane by 1e-3 of its size.
pub const SHAPE_EXTENT: [f64; 2] = [1e-9, 1e8];

/// Thickness of a convex shape that collides, relative to its largest extent, from which on gaps are resolved to a small part
/// of it.
pub const SHAPE_THICKNESS: f64 = 1e-6;

/// Coarsest spacing of positions (one ulp) at which a body is still simulated, m. At 7 000 km one ulp is 9e-10 m;
/// it reaches this limit at about 4.5e9 m from the origin.
pub const POSITION_RESOLUTION: f64 = 1e-6;

// ── Broad phase ─────────────────────────────────────────────────────────────────────────────────────────────────────

/// Round-off of a box transformed to another frame, relative to the largest coordinate; dimensionless. Conservative
/// boxes are enlarged by it.
pub const BOX_ROUND_OFF: f64 = 1e-13;

// ── Collision ───────────────────────────────────────────────────────────────────────────────────────────────────

/// Duality gap at which GJK stops, relative to the distance squared. Twenty times the round-off of a support point,
/// so that curved shapes converge before round-off stops them.
pub(crate) const GJK_RELATIVE_GAP: f64 = 1e-14;

/// Limit of support evaluations of GJK. Polytopes need about ten; the gap of curved shapes falls by at least half a
/// step, so 1e-14 is below fifty.
pub(crate) const GJK_ITERATIONS: u32 = 100;

/// Distance at which two sets count as touching in GJK, relative to the largest Minkowski vertex used: four
/// roundings of its coordinates.
pub(crate) const GJK_TOUCHING: f64 = 1e-15;

/// Gap between the upper and lower bound at which EPA stops, relative to the depth.
pub(crate) const EPA_RELATIVE_GAP: f64 = 1e-13;

/// Gap between the bounds of EPA at which Newton's method may finish the overlap of a cylinder or a cone,
/// relative to the largest Minkowski vertex. Where two directions are equal to within this, either may be returned.
pub const EPA_FINISH: f64 = 1e-8;

/// Height above a face that is round-off in EPA, relative to the largest Minkowski vertex: a plane through three
/// rounded points is known to a few units in the last place.
pub(crate) const EPA_ROUND_OFF: f64 = 4e-15;

/// Extent of a Minkowski difference across its thin direction below which it counts as flat, relative to its largest
/// extent.
pub(crate) const EPA_FLAT: f64 = 1e-13;

/// Distance below which the direction between the nearest points of two sets is unreliable, relative to the largest
/// Minkowski vertex. The points carry a few units of round-off (1e-15), so the direction is good to 1e-9 rad here.
pub(crate) const NORMAL_RELIABLE: f64 = 1e-6;

/// Distance of two parallel segments, relative to the longer, below which its direction is round-off.
pub(crate) const NORMAL_ROUND_OFF: f64 = 1e-14;

/// By how much (relative to the sizes) an axis of B must separate more than one of A, and one of two edges more than
/// one of a face, to be chosen: round-off must not decide between equals.
pub(crate) const SAT_BIAS: f64 = 1e-12;

/// Sine of the angle of two edges below which their cross product is no axis: it would be known to 1e-9 at best, and
/// the faces next to the edges separate as well to within that angle times the length of the edges.
pub(crate) const PARALLEL_EDGES: f64 = 1e-7;

/// Distance outside an edge or rim at which a point still counts as over a face, relative to the face.
pub(crate) const CLIP_SLACK: f64 = 1e-12;

/// Sine of the angle between a face normal and the contact normal up to which the face is a reference to clip
/// against.
pub(crate) const FEATURE_ALIGNED: f64 = 1e-6;

/// By how much (relative to the sizes) the contacts of faces or lines may be shallower than the signed distance
/// before its witness is used instead.
pub(crate) const WITNESS_MISSED: f64 = 1e-7;

/// Sine of the angle by which a contact normal at an edge or vertex of a mesh may lean over a triangle there: round-off. An
/// edge at which two triangles bend by less is flat.
pub(crate) const FLAT_EDGE: f64 = 1e-9;

/// Distance outside a face of a part of a compound at which another part may cover it, relative to the size of the
/// part; a seam may be open by as much.
pub(crate) const SEAM_STEP: f64 = 1e-6;

/// How far outside the covering part that point may be, relative to the distance: round-off of adjacent parts.
pub(crate) const SEAM_ROUND_OFF: f64 = 1e-3;

/// Added to the second derivative of the reach in Newton's method, relative to the scale of the pair.
pub(crate) const DIRECTION_FLOOR: f64 = 1e-9;

/// How far outside its set a witness point of Newton's method may be, relative to the scale of the pair: the round-off
/// of the closed forms that verify it.
pub(crate) const DIRECTION_WITNESS: f64 = 4e-15;

/// Overlap up to which Newton's method may decide, relative to the scale of the pair: there may be a lesser one in
/// another direction, but not by more than this.
pub(crate) const DIRECTION_TOUCHING: f64 = 1e-9;

/// How far a hull may reach beyond the plane that proves its nearest point, relative to its size: a few roundings.
pub(crate) const PROJECTION_PROVEN: f64 = 2e-15;

/// Difference of two successive unit normals at which an overlap that is tracked from step to step counts as
/// converged; its effect on the depth is of second order.
pub(crate) const SAME_NORMAL: f64 = 1e-9;

/// Mismatch of two ways to compute the projection of the origin on a triangle of GJK, relative to its distance, at
/// which the triangle counts as a line: far above round-off, far below that of a well-shaped triangle.
pub(crate) const GJK_SLIVER: f64 = 1e-12;

/// Sine of the angle under which a tetrahedron of GJK rises over a face at which it counts as flat.
pub(crate) const GJK_FLAT: f64 = 1e-12;

/// Height above a face, relative to the largest Minkowski vertex, below which a support point that is a vertex of the
/// polytope already means that the face is a sliver, not that it can be expanded.
pub(crate) const EPA_STALLED: f64 = 1e-9;

/// Difference of offsets (relative to the largest Minkowski vertex) and of the cosine of normals from one at which
/// two triangles of EPA count as parts of one facet.
pub(crate) const SAME_PLANE: f64 = 1e-12;

/// Sine of the tilt of a disc above which its lowest rim point is a contact in addition to its fixed pattern. Below,
/// it is lower than they are by less than 1e-9 of the radius and would wander about the rim with round-off.
pub(crate) const DISC_TILTED: f64 = 1e-9;

// ── Moving shapes ───────────────────────────────────────────────────────────────────────────────────────────────────

/// Gap at which a time of impact is reached, relative to the reach of the smaller shape. Distances of overlapping
/// and touching shapes are good to about 1e-12 of their size; this leaves room for conservative advancement to terminate.
pub const IMPACT_GAP: f64 = 1e-9;

// ── Agents ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/// How early an agent may be called, relative to its period: round-off of the time must not delay it by a step.
pub(crate) const AGENT_TURN: f64 = 1e-9;

// ── Contact in a world ──────────────────────────────────────────────────────────────────────────────────────────────

/// Gap up to which a contact is closed at an impact of its island, relative to its distance from the centre of mass:
/// corners of a flat landing face collide together in spite of rounding.
pub(crate) const CONTACT_CLOSED: f64 = 1e-9;

/// Remaining approach at which the contact points of an impact are those of its instant, relative to the distance of
/// the point from the centre of mass: normals then have this error, three digits below the limit of restitution.
pub(crate) const IMPACT_RESOLVED: f64 = 1e-12;

/// Approach speed below which a contact is no impact, m/s: velocities at rest are exact to ten times less.
pub(crate) const IMPACT_SPEED: f64 = 1e-7;

/// Velocity across a contact above which the motion of its point within the step is modelled, m/s: the residual of
/// velocities at rest.
pub(crate) const DRIFT_NOTICED: f64 = 1e-11;

/// Part of a small gap that lasting contact may close in a step. Positions follow the mean of old and new velocity,
/// so gaps obey `g⁺ = g - ½ β (g + g⁻)`; its roots are real, without overshoot, up to β = 6 - √32 = 0.343.
pub(crate) const GAP_SHRINKS: f64 = 1.0 / 3.0;

/// Bisections for the largest share of the rebounds of an impact that gains no energy; count.
pub(crate) const REBOUND_BISECTIONS: usize = 20;

/// Work of the contacts of an impact that is round-off or the residual of its solution, relative to `Σ ‖λ‖ (‖u⁻‖ + ‖u⁺‖)`.
pub(crate) const REBOUND_GAIN: f64 = 1e-11;

/// Relative error of the rebound velocity after an impact at which it counts as reached.
pub(crate) const REBOUND_OBTAINED: f64 = 1e-9;

/// Overlap that position correction leaves, relative to the distance of the contact from the centre of mass.
pub const POSITION_SLOP: f64 = 1e-7;

/// Displacement of a body by position correction below which no overlap must explain it, relative to its smallest
/// extent.
pub(crate) const PUSH_ROUND_OFF: f64 = 5e-7;

/// Difference of a share of the step from one half caused by the residual of velocities at rest. Shares that followed
/// it would push light bodies under heavy ones sideways.
pub(crate) const SHARE_ROUND_OFF: f64 = 1e-7;

/// Energy gain of lasting contact that is round-off, relative to the work of its support.
pub(crate) const GAIN_ROUND_OFF: f64 = 1e-11;

/// Joint error after position correction with contacts, m or rad: ten times the target of its solver.
pub(crate) const JOINT_CLOSED: f64 = 1e-10;

// ── The fast tier ───────────────────────────────────────────────────────────────────────────────────────────────────

/// Energy gain of soft contact in a group below which velocities are not damped, relative to the square of their
/// change by contact: round-off.
pub(crate) const SOFT_GAIN: f64 = 1e-12;

// ── Certificate ─────────────────────────────────────────────────────────────────────────────────────────────────

/// Difference between required and actual restitution at which an impact is certified; relative to the impact
/// velocity.
pub const RESTITUTION_CERTIFIED: f64 = 1e-9;

/// Overlap beyond that before the step, and displacement that velocities do not explain, at which a step is certified; relative to the
/// size of the smaller body (rad for rotations).
pub const OVERLAP_CERTIFIED: f64 = 1e-6;

/// Error of a joint at the end of a step at which it is certified; m, rad, and m/s or rad/s (relative above 1).
pub const JOINT_CERTIFIED: f64 = 1e-9;

/// Error of a joint before a step that is reported; m or rad.
pub const JOINT_REPORTED: f64 = 1e-6;

/// Unexplained energy beyond the order of the method at which a step is certified; relative to the energy of the world.
pub const ENERGY_CERTIFIED: f64 = 1e-9;

/// Negative dissipation of a step that is round-off of its sums; relative to the energy of the world.
pub const DISSIPATION_CERTIFIED: f64 = 1e-12;

//! Tolerances of the engine: meaning, unit, reference scale and derivation.
//!
//! A tolerance is derived from round-off, from the remainder of a series or from a stated accuracy, and its comment
//! says how. Constants chosen by measurement are private to the code that uses them and marked `tuned:`. Those of the
//! constraint and contact solvers (sections Constraints, Contact, Contact in a world, The fast tier) are still here:
//! all iteration limits, budgets, patience counts and growth factors there are tuned.

use std::f64::consts::PI;

// ── Math ────────────────────────────────────────────────────────────────────────────────────────────────────────

/// Default of [`crate::math::almost_equal::almost_equal`]: relative above one, absolute below.
pub const ALMOST_EQUAL: f64 = 1e-10;

/// An Euler angle is wrapped to (-π, π] beyond this; rad.
pub const ANGLE_WRAP_LIMIT: f64 = 100.0 * PI;

/// cos(pitch) below which yaw and roll are not distinguished; dimensionless. The entries of a rotation matrix carry
/// errors of about 2e-16, so the angle of a vector this short is known to about 1e-8 rad.
pub const GIMBAL_LOCK: f64 = 1e-8;

/// Square of the half angle below which the exponential map uses its series; rad². The first omitted term is below
/// h¹⁰/3.6e6 = 3e-27.
pub const EXP_SERIES: f64 = 1e-4;

/// Sine of the half angle below which the logarithm uses its first term; the next is below (1e-8)²/3 = 3e-17.
pub const LOG_SERIES: f64 = 1e-8;

/// `| ‖q‖² - 1 |` up to which renormalisation uses the first term of its series; the next is below ⅜ (1e-8)² = 4e-17.
pub const RENORMALISE_SERIES: f64 = 1e-8;

/// `1 + a·b` below which two unit vectors count as opposite: the axis between them would be known to 1e-9 at best.
pub const OPPOSITE_DIRECTIONS: f64 = 1e-14;

/// `|e|` below which `R_C(1, 1+e)` uses its series; the first omitted term, e⁶/13, is below 1e-19.
pub const ELLIPTIC_SERIES: f64 = 1e-3;

/// Largest | ‖q‖ - 1 | of a quaternion that is accepted as an orientation; dimensionless. Text with seven digits
/// passes, a forgotten normalisation does not.
pub const UNIT_QUATERNION: f64 = 1e-6;

/// Largest | ‖n‖ - 1 | of a direction that must be a unit vector; dimensionless.
pub const UNIT_VECTOR: f64 = 1e-6;

/// Deviation of a quaternion's squared length from one at which its square is round-off.
pub const NEXT_TO_UNIT: f64 = 1e-8;

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
pub const IMPLICIT_SOLVE: f64 = 1e-12;

/// Residual at which an implicit solve stops at round-off; relative as above. Ten roundings of a sum
/// of a few forces.
pub const IMPLICIT_ROUND_OFF: f64 = 1e-15;

/// Default of the `adaptive` integrator; relative, per component and substep. A satellite's position to a millimetre.
pub const ADAPTIVE_DEFAULT: f64 = 1e-10;

/// Tolerance of `exact-free` for bodies that have no closed form; relative, per component and substep. Round-off of closed
/// forms over some hundred radians.
pub const EXACT_FREE_FALLBACK: f64 = 1e-13;

/// Tightest tolerance `adaptive` works with; relative. Below it the error estimate is
/// round-off of the stages.
pub const ADAPTIVE_TIGHTEST: f64 = 1e-15;

/// Loosest tolerance `adaptive` works with; relative. Above it the error estimates are meaningless.
pub const ADAPTIVE_LOOSEST: f64 = 1e-2;

/// Residual to which GMRES solves the equations of a Newton step; relative to the right-hand side. Difference quotients
/// give the Jacobian to 1e-8 at best, and Newton's iteration reduces the remaining error.
pub const LINEAR_SOLVE: f64 = 1e-6;

/// Pivot below which the matrix `1 - ∂g/∂u` of an implicit step counts as singular; relative to the identity in it.
pub const SINGULAR_PIVOT: f64 = 1e-14;

/// How far inside a step forces at its ends are evaluated, relative to the time: four roundings, as the time of an
/// end carries a few.
pub const STEP_EDGE: f64 = 4.0 * f64::EPSILON;

// ── Constraints ─────────────────────────────────────────────────────────────────────────────────────────────────

/// Travel (m or rad) over which the default `J̇ v` of a constraint is differenced. Truncation of the fourth-order
/// formula is its fourth power, round-off its inverse times 1e-16: both are near 1e-12 here.
pub const BIAS_DIFFERENCE: f64 = 1e-3;

/// Pivot, relative to its diagonal entry, at or below which a constraint row counts as dependent on others. Dependent
/// rows leave about 1e-15; a joint between 1 kg and 1e6 kg at the end of a chain leaves about 1e-8.
pub const CONSTRAINT_RANK: f64 = 1e-11;

/// The same at stages of an integrator, where dependent rows are already left out: a guard against division by zero.
pub const STAGE_RANK: f64 = 1e-15;

/// Pivoting steps for limits and motors allowed beyond four times the number of rows.
pub const PIVOTING_STEPS: usize = 20;

/// Block pivoting steps without progress before pivoting goes on one row at a time.
pub const PIVOTING_PATIENCE: usize = 6;

/// Slack of a bound or of a complementary velocity, relative to the largest in the problem: a few thousand ulp.
pub const COMPLEMENTARITY: f64 = 1e-12;

/// Most steps of iterative refinement in a solve for multipliers; each gains about ten digits.
pub const REFINEMENT_STEPS: usize = 4;

/// Regularisation, relative to the diagonal, in sharing a load among redundant rows. The shares carry round-off of 1e-16
/// over this.
pub const SHARING: f64 = 1e-8;

/// Most proximal steps in sharing a load.
pub const SHARING_STEPS: usize = 20;

/// Distance to a stop, m or rad, at which it counts as touched.
pub const LIMIT_TOUCH: f64 = 1e-9;

/// Joint error below which positions are left alone: per m of the coordinates involved (lengths) or in rad. A few ulp.
pub const JOINT_TIGHT: f64 = 2e-15;

/// Joint error accepted after position projection when round-off stops it, same unit as [`JOINT_TIGHT`].
pub const JOINT_POSITION: f64 = 1e-9;

/// Rate of violation of a joint accepted after velocity projection, relative to 1 m/s (rad/s) plus the speeds involved.
pub const JOINT_VELOCITY: f64 = 1e-8;

/// Difference of a motor's rate from its target at which it holds it, relative to 1 m/s (rad/s) plus the speeds involved: what the
/// velocity projection of the step before leaves.
pub const MOTOR_HOLDS: f64 = 1e-8;

/// Round-off of a joint's rate after velocity projection, relative to what its impulse alone would change it by: a few
/// hundred ulp.
pub const IMPULSE_ROUND_OFF: f64 = 1e-13;

/// Most Newton iterations of position projection.
pub const JOINT_NEWTON: usize = 50;

/// Most iterations for the impulse that keeps joints closed over a drift. Each leaves about a tenth of the error where the step
/// resolves the motion; where more are needed, shorter drifts are cheaper and better.
pub const JOINT_DRIFT: usize = 20;

/// Share of the error left by such an iteration up to which the next one is accelerated, in a step that is taken in parts.
pub const JOINT_DRIFT_CONTRACTS: f64 = 0.1;

/// Joint error (m or rad) at which that iteration may stop when round-off ends its contraction.
pub const JOINT_DRIFT_CLOSED: f64 = 1e-9;

/// Pieces of a drift in which that iteration does not contract, at first and at most.
pub const JOINT_PIECES: usize = 8;
/// See [`JOINT_PIECES`].
pub const JOINT_MOST_PIECES: usize = 512;

/// Share of the error left by a Newton step of position projection (squared, of redundant joints) at more than which it does
/// not converge quadratically.
pub const JOINT_CLOSING: f64 = 0.02;

/// Share of the error left by a Newton step of position projection up to which the next one uses its matrix again.
pub const JOINT_CONTRACTS: f64 = 1e-3;

/// Joint error that counts as round-off where an iteration does not get any further, in units of [`JOINT_TIGHT`].
pub const JOINT_ROUND_OFF: f64 = 16.0;

/// Steps that leave more than 0.9 of the squared error after which redundant joints count as contradicting each other; a count.
pub const JOINT_STUCK: usize = 6;

/// Joint error, m or rad, at which closing redundant joints may stop where it does not get any further, and steps after which
/// it does: at a dead centre the error is the square of how far bodies are from it.
pub const JOINT_DEAD_CENTRE: f64 = 1e-6;
/// See [`JOINT_DEAD_CENTRE`].
pub const JOINT_DEAD_CENTRE_STEPS: usize = 8;

/// Least and most damping in closing redundant joints, relative to the diagonal; else it is as large as the error.
pub const JOINT_LEAST_DAMPING: f64 = 1e-13;
/// See [`JOINT_LEAST_DAMPING`].
pub const JOINT_MOST_DAMPING: f64 = 1e6;

/// Most halvings of a Newton step of position projection that makes the joints no better.
pub const JOINT_HALVINGS: usize = 10;

/// A spring row is evaluated as an ordinary force while `dt ω` and `dt` times its damping rate stay below this, and
/// implicitly beyond. Explicit methods are stable up to 2.
pub const SPRING_RESOLVED: f64 = 0.5;

// ── Contact ─────────────────────────────────────────────────────────────────────────────────────────────────────

/// Residual of the contact law at which a step counts as solved and is certified; m/s, relative to the velocity scale of
/// the island where that is above 1 m/s. Over a day of resting contact it moves a body by less than a millimetre.
pub const CONTACT_CERTIFIED: f64 = 1e-8;

/// Residual the contact solvers aim at, same unit. Beyond it the law is satisfied to what velocities of 1 m/s after sums
/// of some thousand impulses can show.
pub const CONTACT_TARGET: f64 = 1e-11;

/// Residual at which the impulses of the last step are taken as they are, m/s, whatever the velocity scale. A twentieth of 1e-9 m/s,
/// what bodies may move with where they should not: those on top of others move with the sum of what all below miss.
pub const CONTACT_ACCEPTED: f64 = 5e-11;

/// Difference between velocities a solver has kept and those its impulses give, relative to the largest velocity or
/// impulse per mass in the island: round-off of some thousand updates.
pub const CONTACT_BOOKKEEPING: f64 = 1e-10;

/// Changes of the active set allowed per contact before the dense solver gives up; it needs one or two.
pub const ACTIVE_SET_STEPS: usize = 10;

/// How many times the slack of complementarity a row may miss zero and still take part in sharing a load.
pub const SHARED_SLACK: f64 = 10.0;

/// Sweeps without friction that replace impulses which would have added energy; count.
pub const PASSIVE_SWEEPS: usize = 50;

/// Rounds of normals and friction in turn around the dense active set; count.
pub const STAGGERED_ROUNDS: usize = 200;

/// Iterates Anderson acceleration combines, and sweeps between two mixings; counts.
pub const ANDERSON_WINDOW: usize = 10;
/// See [`ANDERSON_WINDOW`].
pub const ANDERSON_PERIOD: usize = 10;

/// Residual of a mixed iterate relative to the plain one up to which it is taken. A little growth often precedes a fall.
pub const ANDERSON_GROWTH: f64 = 2.0;

/// Share of its square that a difference of iterates must have apart from newer ones to be used; round-off leaves 1e-16.
pub const ANDERSON_DEPENDENT: f64 = 1e-14;

/// Softness of the first proximal step of contact, its fall from step to step, and the least; relative to `tr W/3` of a
/// contact. A step reduces what is missing by about the softness over the relative eigenvalue of `J M⁻¹ Jᵀ`, and leaves
/// round-off of 1e-16 over the softness.
pub const SOFTNESS_FIRST: f64 = 1e-3;
/// See [`SOFTNESS_FIRST`].
pub const SOFTNESS_FALL: f64 = 1e-2;
/// See [`SOFTNESS_FIRST`].
pub const SOFTNESS_LEAST: f64 = 1e-9;

/// With moving shifts: the first softness, its fall after a step that converged, its rise after one that did not, and the
/// most; the Newton steps after which that is decided.
pub const MOVING_FIRST: f64 = 1e-4;
/// See [`MOVING_FIRST`].
pub const MOVING_FALL: f64 = 0.1;
/// See [`MOVING_FIRST`].
pub const SOFTNESS_RISE: f64 = 30.0;
/// See [`MOVING_FIRST`].
pub const SOFTNESS_MOST: f64 = 0.1;
/// See [`MOVING_FIRST`].
pub const MOVING_STEPS: usize = 10;

/// How much faster than at the start of a step contacts may be at its end for the impulses of the last step to be taken as they
/// are; dimensionless. What the impulses of a standing pile miss grows by less than a factor of two from step to step.
pub const START_GROWTH: f64 = 4.0;

/// Speed below which what friction at its limit lets slip counts as at rest, m/s.
pub const CONTACT_STILL: f64 = 1e-7;

/// Residual relative to the fastest contact of an island that is small beside its motion: enough where it takes much to get below.
pub const BESIDE_MOTION: f64 = 1e-5;

/// Residual that islands without slip are polished to, relative to the target, and the factorisations it may take.
pub const CONTACT_POLISHED: f64 = 1e-2;
/// See [`CONTACT_POLISHED`].
pub const POLISHING_FACTORISATIONS: usize = 4;

/// Residual relative to the velocity scale from which Newton steps with friction are tried before the interior point, and
/// their softness.
pub const NEAR_SOLUTION: f64 = 1e-3;
/// See [`NEAR_SOLUTION`].
pub const NEAR_SOFTNESS: f64 = 1e-4;

/// Newton steps in one attempt, the share of the residual that it must leave to be progress, how much more it may leave if it
/// solved its softened law, the attempts that may fail, and by how much the largest impulse may grow beyond the one at the start
/// or beyond what stops the largest velocity.
pub const ATTEMPT_STEPS: usize = 6;
/// See [`ATTEMPT_STEPS`].
pub const ATTEMPT_PROGRESS: f64 = 0.3;
/// See [`ATTEMPT_STEPS`].
pub const ATTEMPT_GROWTH: f64 = 5.0;
/// See [`ATTEMPT_STEPS`].
pub const ATTEMPT_FAILURES: usize = 3;
/// See [`ATTEMPT_STEPS`].
pub const ATTEMPT_LOAD: f64 = 10.0;

/// Halvings of a Newton step with friction that makes the equations worse; count.
pub const NEWTON_HALVINGS: usize = 4;

/// Contacts with friction from which methods that are strong and slow are left out where much moves; count.
pub const STRONG_CONTACTS: usize = 4000;

/// Contacts with friction up to which methods are tried first that share a load as symmetrically as the scene is; count.
pub const SYMMETRIC_CONTACTS: usize = 32;

/// Contacts with friction from which proximal Newton and sweeps take turns once only, and a little less is enough; count.
pub const FEW_CONTACTS: usize = 128;

/// Contacts in the factorisations of that turn, all together; a count.
pub const NEWTON_EFFORT: usize = 24_000;

/// Contacts in the factorisations after which Newton steps with friction and sweeps no longer take turns, all together; a count.
pub const ALTERNATION_EFFORT: usize = 40_000;

/// Contacts visited by the sweeps that replace them, all together; a count, so that results do not depend on the machine.
pub const SWEEP_EFFORT: usize = 100_000;

/// Residual that is left as it is when all that remains is proximal Newton and sweeps in turn, relative to what a start is
/// accepted for: a third of what is certified.
pub const ROUNDS_CONTENT: f64 = 15.0;

/// Rounds that do not halve the residual after which methods stop taking turns; count.
pub const ROUNDS_PATIENCE: usize = 3;

/// Residual that round-off leaves, relative to the largest velocity an impulse alone would cause: eight roundings.
pub const CONTACT_ROUND_OFF: f64 = 8.0 * f64::EPSILON;

/// Share of it at which the impulses of the last step are taken as they are: one rounding. Taken again and again, what they miss adds
/// up.
pub const ROUND_OFF_ACCEPTED: f64 = 0.125;

/// Velocity of a contact below which it has none, relative to the fastest of the island.
pub const APEX: f64 = 1e-9;

/// Newton decrement at which a proximal step counts as solved, relative to its energy. Convergence is quadratic: the step
/// just taken leaves about its square.
pub const NEWTON_DECREMENT: f64 = 1e-14;

/// The same where round-off keeps it from falling any further.
pub const NEWTON_STALLED: f64 = 1e-12;

/// Share of `μ λ_n` that friction of the last step must have had for a contact to count as slipping.
pub const ON_CONE: f64 = 0.999;

/// Largest ratio of masses in an island that starts with sweeps.
pub const SWEEP_MASS_RATIO: f64 = 1e3;

/// Newton steps in one proximal step, and proximal steps without halving the residual before Newton's method stops;
/// counts.
pub const NEWTON_STEPS: usize = 30;
/// See [`NEWTON_STEPS`].
pub const NEWTON_PATIENCE: usize = 12;

/// Evaluations in one exact line search; count.
pub const LINE_SEARCH_STEPS: usize = 30;

/// Share of the way to the nearest wall that a step of the interior-point method goes.
pub const INTERIOR_STEP: f64 = 0.99;

/// Steps of the interior-point method without progress after which it stops; count.
pub const INTERIOR_PATIENCE: usize = 12;
/// Share of the least residual so far that a step must fall below to be progress.
pub const INTERIOR_PROGRESS: f64 = 0.7;
/// Length of a step below which the method is jammed between walls, and the steps for which shifts are then held.
pub const INTERIOR_JAMMED: f64 = 0.25;
/// See [`INTERIOR_JAMMED`].
pub const INTERIOR_HELD: usize = 2;
/// How far inside the cones the interior-point method starts near a solution, relative to the residual there.
pub const INTERIOR_NEAR: f64 = 3.0;
/// Residual relative to the velocity scale at which Newton steps are tried instead of the interior point.
pub const INTERIOR_CLOSE: f64 = 1e-6;

/// Blur of the sliding speed in the interior-point method, squared, relative to the gap times `tr W/3`.
pub const INTERIOR_BLUR: f64 = 1e-8;

/// Softness of rows without bounds in the interior-point method, relative to `J M⁻¹ Jᵀ`.
pub const INTERIOR_PENALTY: f64 = 1e-8;

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
pub const GJK_RELATIVE_GAP: f64 = 1e-14;

/// Limit of support evaluations of GJK. Polytopes need about ten; the gap of curved shapes falls by at least half a
/// step, so 1e-14 is below fifty.
pub const GJK_ITERATIONS: u32 = 100;

/// Distance at which two sets count as touching in GJK, relative to the largest Minkowski vertex used: four
/// roundings of its coordinates.
pub const GJK_TOUCHING: f64 = 1e-15;

/// Gap between the upper and lower bound at which EPA stops, relative to the depth.
pub const EPA_RELATIVE_GAP: f64 = 1e-13;

/// Gap between the bounds of EPA at which Newton's method may finish the overlap of a cylinder or a cone,
/// relative to the largest Minkowski vertex. Where two directions are equal to within this, either may be returned.
pub const EPA_FINISH: f64 = 1e-8;

/// Height above a face that is round-off in EPA, relative to the largest Minkowski vertex: a plane through three
/// rounded points is known to a few units in the last place.
pub const EPA_ROUND_OFF: f64 = 4e-15;

/// Extent of a Minkowski difference across its thin direction below which it counts as flat, relative to its largest
/// extent.
pub const EPA_FLAT: f64 = 1e-13;

/// Distance below which the direction between the nearest points of two sets is unreliable, relative to the largest
/// Minkowski vertex. The points carry a few units of round-off (1e-15), so the direction is good to 1e-9 rad here.
pub const NORMAL_RELIABLE: f64 = 1e-6;

/// Distance of two parallel segments, relative to the longer, below which its direction is round-off.
pub const NORMAL_ROUND_OFF: f64 = 1e-14;

/// By how much (relative to the sizes) an axis of B must separate more than one of A, and one of two edges more than
/// one of a face, to be chosen: round-off must not decide between equals.
pub const SAT_BIAS: f64 = 1e-12;

/// Sine of the angle of two edges below which their cross product is no axis: it would be known to 1e-9 at best, and
/// the faces next to the edges separate as well to within that angle times the length of the edges.
pub const PARALLEL_EDGES: f64 = 1e-7;

/// Distance outside an edge or rim at which a point still counts as over a face, relative to the face.
pub const CLIP_SLACK: f64 = 1e-12;

/// Sine of the angle between a face normal and the contact normal up to which the face is a reference to clip
/// against.
pub const FEATURE_ALIGNED: f64 = 1e-6;

/// By how much (relative to the sizes) the contacts of faces or lines may be shallower than the signed distance
/// before its witness is used instead.
pub const WITNESS_MISSED: f64 = 1e-7;

/// Sine of the angle by which a contact normal at an edge or vertex of a mesh may lean over a triangle there: round-off. An
/// edge at which two triangles bend by less is flat.
pub const FLAT_EDGE: f64 = 1e-9;

/// Distance outside a face of a part of a compound at which another part may cover it, relative to the size of the
/// part; a seam may be open by as much.
pub const SEAM_STEP: f64 = 1e-6;

/// How far outside the covering part that point may be, relative to the distance: round-off of adjacent parts.
pub const SEAM_ROUND_OFF: f64 = 1e-3;

/// Added to the second derivative of the reach in Newton's method, relative to the scale of the pair.
pub const DIRECTION_FLOOR: f64 = 1e-9;

/// How far outside its set a witness point of Newton's method may be, relative to the scale of the pair: the round-off
/// of the closed forms that verify it.
pub const DIRECTION_WITNESS: f64 = 4e-15;

/// Overlap up to which Newton's method may decide, relative to the scale of the pair: there may be a lesser one in
/// another direction, but not by more than this.
pub const DIRECTION_TOUCHING: f64 = 1e-9;

/// How far a hull may reach beyond the plane that proves its nearest point, relative to its size: a few roundings.
pub const PROJECTION_PROVEN: f64 = 2e-15;

/// Difference of two unit normals found one from the other at which an overlap that is tracked from step to step
/// counts as converged; its effect on the depth is of second order.
pub const SAME_NORMAL: f64 = 1e-9;

/// Mismatch of two ways to compute the projection of the origin on a triangle of GJK, relative to its distance, at
/// which the triangle counts as a line: far above round-off, far below what a healthy triangle shows.
pub const GJK_SLIVER: f64 = 1e-12;

/// Sine of the angle under which a tetrahedron of GJK rises over a face at which it counts as flat.
pub const GJK_FLAT: f64 = 1e-12;

/// Height above a face, relative to the largest Minkowski vertex, below which a support point that is a vertex of the
/// polytope already means that the face is a sliver, not that it can be expanded.
pub const EPA_STALLED: f64 = 1e-9;

/// Difference of offsets (relative to the largest Minkowski vertex) and of the cosine of normals from one at which
/// two triangles of EPA count as parts of one facet.
pub const SAME_PLANE: f64 = 1e-12;

/// Sine of the tilt of a disc above which its lowest rim point is a contact in addition to its fixed pattern. Below,
/// it is lower than they are by less than 1e-9 of the radius and would wander about the rim with round-off.
pub const DISC_TILTED: f64 = 1e-9;

// ── Moving shapes ───────────────────────────────────────────────────────────────────────────────────────────────────

/// Gap at which a time of impact is reached, relative to the reach of the smaller shape. Distances of overlapping
/// and touching shapes are good to about 1e-12 of their size; this leaves room for conservative advancement to terminate.
pub const IMPACT_GAP: f64 = 1e-9;

/// Limit of conservative advancement iterations (tuned). Each closes a constant share of the gap or more; shapes
/// that graze while rotating need the most.
pub const IMPACT_ITERATIONS: u32 = 500;

/// Speculative margin of bodies at rest, relative to the smaller shape (tuned): the height by which a body at rest may
/// be lifted and still be in contact.
pub const CONTACT_MARGIN: f64 = 0.01;

// ── Agents ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/// How early an agent may be called, relative to its period: round-off of the time must not delay it by a step.
pub const AGENT_TURN: f64 = 1e-9;

// ── Contact in a world ──────────────────────────────────────────────────────────────────────────────────────────────

/// Rotation of a body within a step above which CCD is used, rad: below it the points of the body move along straight
/// lines to 5 %.
pub const FAST_TURN: f64 = 0.3;

/// Gap up to which a contact is closed when another one of its island meets, relative to its distance from the centre of
/// mass: corners of a face that lands flat meet together in spite of rounding.
pub const CONTACT_CLOSED: f64 = 1e-9;

/// Way that a pair may still have to go when the contact points of an impact are taken as those of its instant, relative to the distance of the
/// point from the centre of mass: normals are then right to as much, three digits better than restitution is asked to be.
pub const IMPACT_RESOLVED: f64 = 1e-12;

/// Times that contact points are detected for one impact. Newton's method ends after three to five; pairs that graze each other take more.
pub const IMPACT_LOOKS: usize = 32;

/// How far apart bodies are when the normal of an impact is looked at a moment before it, relative to the distance of the point from the centre of
/// mass, and the sine by which it may differ: a round surface turns it by as much as it approaches, a thousand times less.
pub const EARLY_LOOK: f64 = 1e-6;
/// See [`EARLY_LOOK`].
pub const NORMAL_JUMP: f64 = 1e-3;

/// How far apart bodies are set to find the normal of edges that meet along each other, relative to the same: the first that gives a normal of
/// the instant of the impact. An error of positions turns it by as much over this way.
pub const SEPARATED_LOOKS: [f64; 3] = [0.1, 0.01, 1e-3];

/// How far a contact point may have moved over its bodies since the start of the step to be the same contact, relative to its distance from the
/// centre of mass; the sine of the angle that its normal may have turned by.
pub const SAME_WITHIN_STEP: f64 = 0.1;

/// Parts of what is left of a step in which two bodies that have just been thrown apart are looked at until they are.
pub const PARTING_ADVANCES: u32 = 256;

/// Speed below which nothing is an impact, m/s: velocities at rest are exact to ten times less.
pub const IMPACT_SPEED: f64 = 1e-7;

/// Impacts at one instant of an island that are resolved one after the other, before all contacts take part together.
pub const IMPACT_SEQUENCE: usize = 64;

/// Impacts of an island in a step that are taken at their own times: as many as make this many contacts together, within
/// the two limits. If more pairs are about to meet, all are met at the end of the step. A count, so that results do not depend
/// on the machine.
pub const IMPACT_EFFORT: usize = 512;
/// At least this many, however large the island.
pub const IMPACTS_LEAST: usize = 1;
/// At most this many, however small.
pub const IMPACTS_MOST: usize = 256;

/// Velocity across a contact by which its point moving on within the step makes a difference, m/s: what solutions may miss at rest.
pub const DRIFT_NOTICED: f64 = 1e-11;

/// Part of a small gap that lasting contact may close in a step. Positions follow the mean of old and new velocity, so
/// gaps obey `g⁺ = g - ½ β (g + g⁻)`; its roots are real, and nothing overshoots, up to β = 6 - √32 = 0.343.
pub const GAP_SHRINKS: f64 = 1.0 / 3.0;

/// Velocity that forces give a contact below which they do not press it, relative to the largest in its island.
pub const SHARE_PRESSED: f64 = 1e-3;

/// Bisections for the largest share of the rebounds of an impact that gains no energy; count.
pub const REBOUND_BISECTIONS: usize = 20;

/// Work of the contacts of an impact that is round-off or the residual of its solution, relative to `Σ ‖λ‖ (‖u⁻‖ + ‖u⁺‖)`.
pub const REBOUND_GAIN: f64 = 1e-11;

/// How far the velocity after an impact may miss the rebound asked for and still count as obtained, relative to it.
pub const REBOUND_OBTAINED: f64 = 1e-9;

/// Overlap that position correction leaves, relative to the distance of the contact from the centre of mass.
pub const POSITION_SLOP: f64 = 1e-7;

/// Residual (m) up to which a displacement is made, relative to the deepest overlap: where nothing can make room the residual is
/// half the overlap.
pub const POSITION_GAINED: f64 = 0.25;

/// How far an open joint may make position correction move a body, relative to its error: leverage.
pub const POSITION_REACH: f64 = 10.0;

/// Speed at which overlap that was there at the start of a step is pushed out, in smallest extents of the body a second: a sixth of it in
/// a step of 1/60 s.
pub const PUSH_OUT_SPEED: f64 = 10.0;

/// Displacement of a body by position correction that needs no overlap to explain it, relative to its smallest extent.
pub const PUSH_ROUND_OFF: f64 = 5e-7;

/// How much heavier one body of a contact counts than the other when both are pushed apart. Tuned: sweeps have to get through light bodies
/// between heavy ones.
pub const PUSH_RATIO: f64 = 10.0;

/// Compliance of contacts that push bodies apart, relative to their own response: the part of an overlap that a round leaves, and how evenly
/// overlap is shared that nothing can remove. Tuned.
pub const PUSH_COMPLIANCE: f64 = 0.1;

/// Sweeps, forth and back, of a round in which bodies are pushed apart. Tuned.
pub const PUSH_SWEEPS: usize = 24;

/// Rounds of position correction in a step; each is a linearised problem.
pub const POSITION_ROUNDS: usize = 8;

/// Contacts that the rounds of position correction may have all together, the first round apart: the next step corrects what
/// this one leaves. A count.
pub const POSITION_EFFORT: usize = 1000;

/// Residual of a displacement, relative to the deepest overlap it removes; and in islands with more contacts than
/// [`POSITION_EFFORT`].
pub const POSITION_SOLVED: f64 = 1e-4;
/// See [`POSITION_SOLVED`].
pub const POSITION_SOLVED_MANY: f64 = 1e-2;

/// How far a contact point may move with its body within a step to be followed, relative to its distance from the centre of
/// mass; its course is taken as straight.
pub const POINT_TRAVEL: f64 = 0.3;

/// Part of their share of the step that supporting contacts may give up so that contact as a whole gains no energy. It covers
/// the error of the step; a gain that needs more is shown, not hidden.
pub const SHARE_GIVEN_UP: f64 = 0.25;

/// Difference of a share of the step from one half that the residual of velocities at rest makes. Shares that followed it would
/// push light bodies under heavy ones about.
pub const SHARE_ROUND_OFF: f64 = 1e-7;

/// Energy gained by lasting contact that is round-off, relative to what its support does.
pub const GAIN_ROUND_OFF: f64 = 1e-11;

/// Error of a joint that position correction beside contacts leaves, m or rad: ten times what its solver aims at.
pub const JOINT_CLOSED: f64 = 1e-10;

// ── The fast tier ───────────────────────────────────────────────────────────────────────────────────────────────────

/// Independent loops that joints of connected bodies may close for the fast tier to hold them exactly while nothing touches them.
/// A net of 4 x 4 bodies, with 10 loops, takes 0.7 ms a step exactly, one of 5 x 5 with 17 takes 6 ms, one of 6 x 6 with 26 takes 40 ms
/// while it leaves its plane; softly the last takes 0.1 ms. Trees take time in proportion to their joints, whatever their size.
pub const EXACT_LOOPS: usize = 16;

/// Contact points of an island above which `auto` takes it with the fast tier.
pub const AUTO_CONTACTS: usize = 3000;

/// Contact points of an island, times sweeps and factorisations of its last exact solution, above which `auto` takes it with the
/// fast tier: some tenths of a second.
pub const AUTO_WORK: usize = 500_000;

/// Energy that soft contact may gain in a group before it is scaled back, relative to the square of what contact changed:
/// round-off.
pub const SOFT_GAIN: f64 = 1e-12;

// ── Certificate ─────────────────────────────────────────────────────────────────────────────────────────────────

/// Difference between restitution asked and obtained at which an impact is certified; relative to the impact velocity.
pub const RESTITUTION_CERTIFIED: f64 = 1e-9;

/// Overlap beyond that before the step, and displacement that velocities do not explain, at which a step is certified; relative to the
/// size of the smaller body (rad for rotations).
pub const OVERLAP_CERTIFIED: f64 = 1e-6;

/// Error of a joint at the end of a step at which it is certified; m, rad, and m/s or rad/s (relative above 1).
pub const JOINT_CERTIFIED: f64 = 1e-9;

/// Error of a joint before a step that is reported; m or rad.
pub const JOINT_REPORTED: f64 = 1e-6;

/// How often a step is halved in which bodies would pass through each other, or may have: a body that turns by 40 rad in the whole turns by 0.08 rad
/// in the smallest part; and how often a step and its parts are tried before it is taken as it is. Counts.
pub const STEP_HALVINGS: u32 = 9;
/// See [`STEP_HALVINGS`].
pub const STEP_ATTEMPTS: u32 = 400;

/// Unexplained energy beyond the order of the method at which a step is certified; relative to the energy of the world.
pub const ENERGY_CERTIFIED: f64 = 1e-9;

/// How negative the dissipation of a step may be; relative to the energy of the world. Round-off of its bookings.
pub const DISSIPATION_CERTIFIED: f64 = 1e-12;

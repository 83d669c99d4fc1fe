//! Newton's method for the separating direction of two convex sets, one of them a cylinder, a cone, an ellipsoid or the hull
//! of a ball and a point, started from a few iterations of GJK.
//!
//! GJK approaches a curved surface by chords and converges linearly. The few iterations it takes to identify
//! the facing features are enough to finish in closed form or quadratically. With `s(n)` the support point of
//! `A ⊖ B`, the reach `h(n) = n·s(n)` over unit directions is least in the direction sought: minus the
//! distance there, or the overlap of touching sets. Its gradient on the sphere is the part of `s` across `n`
//! and its second derivative `Tᵀ H T - h`, with `H = r/ρ t tᵀ` for a rim of radius `r` (`ρ` the part of `n`
//! across its axis, `t` the direction around it), `(R² - s sᵀ)/h` for an ellipsoid of radii R, `r (1 - n nᵀ)`
//! for a ball of radius r, and zero for a polytope, for the apex of a cone and for a point.
//!
//! An edge `c` of either set that faces the other constrains the direction to `n·c = 0`, and so does the axis
//! `c` of a cylinder whose side faces it; the side of a cone constrains it to `n·c = k`, with `k` the sine of
//! the slope of its normals. One such constraint leaves a rotation about `c`: with `n = k c + q u`,
//! `t = c × u` and `q² = 1 - k²`, the derivatives of the reach are `q t·s` and `q (q tᵀ H t - u·s)`. Two
//! constraints determine the direction.
//!
//! Correctness does not depend on the guessed features: a result is accepted only if its witness points lie
//! in the sets, which bounds the distance from above as the reach does from below, and only if the sets
//! overlap by no more than round-off. Everything is in the frame of A.

use super::closed_form::nearest_on_surface;
use super::epa::{EpaResult, EpaStatus, NearFace};
use super::gjk::{GjkResult, GjkStart};
use super::simplex::Simplex;
use super::solid::{Core, is_tip, radial};
use super::support_function::{MinkowskiDifference, MinkowskiVertex, SupportFunction};
use super::witness::SignedDistance;
use crate::math::{Coordinate, Mat3, Vec3, outer_product, scalar};
use crate::tolerance;

/// Limit of Newton steps. tuned: from a few hundredths of a radian to round-off takes four.
const DIRECTION_STEPS: u32 = 8;

/// Square of the sine of the angle to its axis below which a direction may be that of a cylinder's flat end.
/// tuned.
const CAP_GUESS: f64 = 0.04;

type Difference<'a> = MinkowskiDifference<'a, Core<'a>, Core<'a>>;

/// True if Newton's method applies: a curved core with anything except a point.
pub(super) fn suits(a: &Core<'_>, b: &Core<'_>) -> bool {
    let point = |core: &Core<'_>| matches!(core, Core::Point);
    (a.is_curved() || b.is_curved()) && !point(a) && !point(b)
}

/// Constrains the direction to `n·axis = sine`; unit axis, frame of A.
#[derive(Clone, Copy, Debug, Default)]
struct DirectionConstraint {
    axis: Vec3,
    sine: f64,
}

impl DirectionConstraint {
    /// For an edge, or for the side of a cylinder by its axis.
    fn across(axis: Vec3) -> Self {
        Self { axis, sine: 0.0 }
    }

    /// The straight line of the feature that touches its supporting plane with normal `n`.
    fn line(&self, n: Vec3) -> Vec3 {
        self.axis - n * self.sine
    }

    /// The feasible direction nearest to the guess.
    fn nearest(&self, guess: Vec3) -> Option<Vec3> {
        let outward = (guess - self.axis * self.axis.dot(guess)).try_normalize()?;
        Some(self.axis * self.sine + outward * (1.0 - self.sine * self.sine).sqrt())
    }

    /// The direction that satisfies both, on the side of the guess: `α c + β d` along both and the rest
    /// across them.
    fn both(&self, other: &Self, guess: Vec3) -> Option<Vec3> {
        let (c, d) = (self.axis, other.axis);
        let cross = c.cross(d);
        let unit = cross.try_normalize()?;
        let (cosine, inverse) = (c.dot(d), 1.0 / cross.length_squared());
        let alpha = (self.sine - cosine * other.sine) * inverse;
        let beta = (other.sine - cosine * self.sine) * inverse;
        let rest = 1.0 - alpha * self.sine - beta * other.sine;
        let across = unit * if unit.dot(guess) < 0.0 { -rest.sqrt() } else { rest.sqrt() };
        (rest >= 0.0).then_some(c * alpha + d * beta + across)
    }
}

/// Constraints on the direction from the features that face each other.
#[derive(Clone, Copy, Debug, Default)]
struct DirectionConstraints {
    constraints: [DirectionConstraint; 2],
    len: usize,
}

impl DirectionConstraints {
    fn push(&mut self, along: Vec3, sine: f64) {
        let Some(axis) = along.try_normalize() else { return };
        let new = self.len < 2 && self.as_slice().iter().all(|h| h.axis.cross(axis).length() > 1e-6);
        if new {
            self.constraints[self.len] = DirectionConstraint { axis, sine };
            self.len += 1;
        }
    }

    fn as_slice(&self) -> &[DirectionConstraint] {
        &self.constraints[..self.len]
    }
}

/// The signed distance after a few iterations of GJK, if Newton's method converges to one that can be
/// verified. A local minimum of the reach proves a gap but not an overlap, whose global minimum may be lower,
/// so overlaps are accepted up to round-off only.
pub(super) fn finished(difference: &Difference<'_>, near: &GjkResult) -> Option<SignedDistance> {
    let guess = -near.separation.try_normalize()?;
    let touching = tolerance::DIRECTION_TOUCHING * near.scale;
    let from = InitialGuess {
        simplex: &near.simplex,
        on_a: near.on_a,
        on_b: near.on_b,
        scale: near.scale,
        deepest: touching,
    };
    attempts(difference, &from, guess)
}

/// A pair that touches to within round-off, from the result of GJK or EPA: a facet whose corners are δ apart on a curved surface of radius r
/// is within `δ²/8r` of it, so that a distance known to round-off ε leaves direction and witness points `√(8 r ε)` off. `None` unless
/// Newton's method converges to the same distance.
pub(super) fn refined(
    difference: &Difference<'_>,
    near: &GjkResult,
    found: &SignedDistance,
) -> Option<SignedDistance> {
    let from = InitialGuess {
        simplex: &near.simplex,
        on_a: found.on_a,
        on_b: found.on_b,
        scale: near.scale,
        deepest: tolerance::DIRECTION_TOUCHING * near.scale,
    };
    let refined = attempts(difference, &from, found.normal)?;
    let same = (refined.distance - found.distance).abs() <= tolerance::EPA_ROUND_OFF * near.scale;
    same.then_some(refined)
}

/// The overlap, from the face of EPA nearest to the origin. EPA has proven that the depth is not less than
/// the offset of the face; a result between that and the reach is the global minimum to within the
/// difference.
pub(super) fn deepest(difference: &Difference<'_>, face: &NearFace) -> Option<EpaResult> {
    let mut simplex = Simplex::default();
    face.corners.iter().for_each(|corner| simplex.push(*corner));
    simplex.reduce_to_nearest()?;
    let (on_a, on_b) = simplex.witnesses();
    let deepest = face.reach + tolerance::DIRECTION_WITNESS * face.scale;
    let from = InitialGuess { simplex: &simplex, on_a, on_b, scale: face.scale, deepest };
    let found = attempts(difference, &from, face.normal)?;
    let depth = -found.distance;
    (depth >= face.offset - tolerance::DIRECTION_WITNESS * face.scale).then_some(EpaResult {
        status: EpaStatus::Converged,
        normal: found.normal,
        depth,
        lower_bound: face.offset,
        on_a: found.on_a,
        on_b: found.on_b,
        iterations: 0,
    })
}

/// State of the search when Newton's method starts.
struct InitialGuess<'a> {
    /// Vertices on the features that face each other.
    simplex: &'a Simplex,
    on_a: Coordinate,
    on_b: Coordinate,
    scale: f64,
    /// Largest overlap accepted.
    deepest: f64,
}

/// Tries the features of the simplex, then the discs along the direction.
fn attempts(difference: &Difference<'_>, near: &InitialGuess<'_>, guess: Vec3) -> Option<SignedDistance> {
    let simplex = near.simplex;
    let of_a = constraints_of(difference.a, simplex, |v| (v.on_a, v.vertices[0]), |d| d, 1.0);
    let pose = &difference.pose;
    let seen_b = |v: &MinkowskiVertex| (pose.point_to_b(v.on_b), v.vertices[1]);
    let of_b = constraints_of(difference.b, simplex, seen_b, |d| pose.direction(d), -1.0);
    let attempt = |of_a: &DirectionConstraints, of_b: &DirectionConstraints| {
        NewtonSolve { difference, near, of_a, of_b }.solve(guess)
    };
    if let Some(found) = attempt(&of_a, &of_b) {
        return Some(found);
    }
    // A disc that faces the other set is identified by the direction alone.
    let cap_a = constraints_of_cap(difference.a, guess, |d| d);
    let cap_b = constraints_of_cap(difference.b, -pose.direction_to_b(guess), |d| pose.direction(d));
    cap_a.and_then(|cap| attempt(&cap, &of_b)).or_else(|| cap_b.and_then(|cap| attempt(&of_a, &cap)))
}

/// Constraints from the feature that the GJK simplex spans on one set; `side` is the sign of the outward
/// normal along `n`.
fn constraints_of(
    core: &Core<'_>,
    simplex: &Simplex,
    seen: impl Fn(&MinkowskiVertex) -> (Coordinate, u32),
    to_a: impl Fn(Vec3) -> Vec3,
    side: f64,
) -> DirectionConstraints {
    let mut constraints = DirectionConstraints::default();
    let mut first: Option<(Coordinate, u32)> = None;
    for vertex in simplex.vertices() {
        let (point, number) = seen(vertex);
        let Some((from, number_from)) = first else {
            first = Some((point, number));
            continue;
        };
        match core {
            Core::Cylinder { .. } if point.z * from.z < 0.0 => constraints.push(to_a(Vec3::Z), 0.0),
            Core::Cone { radius, half } if point.z * from.z < 0.0 => {
                constraints.push(to_a(Vec3::Z), side * radius / scalar::hypot(*radius, 2.0 * half));
            }
            Core::TwoBalls { radii, half } if is_tip(*radii, *half, point) != is_tip(*radii, *half, from) => {
                constraints.push(to_a(Vec3::Z), side * (radii[0] - radii[1]) / (2.0 * half));
            }
            Core::Cylinder { .. } | Core::Cone { .. } | Core::Ellipsoid(_) | Core::TwoBalls { .. } => {}
            _ if number != number_from => constraints.push(to_a(point - from), 0.0),
            _ => {}
        }
    }
    constraints
}

/// Constraints from a flat end, if it is the end that faces the direction (outward, local frame).
fn constraints_of_cap(
    core: &Core<'_>,
    outward: Vec3,
    to_a: impl Fn(Vec3) -> Vec3,
) -> Option<DirectionConstraints> {
    let steep = outward.x * outward.x + outward.y * outward.y < CAP_GUESS;
    let flat = match core {
        Core::Cylinder { .. } => true,
        Core::Cone { .. } => outward.z < 0.0,
        _ => false,
    };
    let constraints =
        [DirectionConstraint::across(to_a(Vec3::X)), DirectionConstraint::across(to_a(Vec3::Y))];
    (steep && flat).then_some(DirectionConstraints { constraints, len: 2 })
}

struct NewtonSolve<'a> {
    difference: &'a Difference<'a>,
    near: &'a InitialGuess<'a>,
    of_a: &'a DirectionConstraints,
    of_b: &'a DirectionConstraints,
}

impl NewtonSolve<'_> {
    fn solve(&self, guess: Vec3) -> Option<SignedDistance> {
        let mut constraint = *self.of_a;
        self.of_b.as_slice().iter().for_each(|h| constraint.push(h.axis, h.sine));
        let mut n = match constraint.as_slice() {
            [first, second] => return self.certified(first.both(second, guess)?),
            [hold] => hold.nearest(guess)?,
            _ => guess,
        };
        for _ in 0..DIRECTION_STEPS {
            let step = self.newton_step(n, constraint.as_slice().first())?;
            n = match constraint.as_slice() {
                [hold] => hold.nearest(n + step)?,
                _ => (n + step).try_normalize()?,
            };
            if step.length_squared() <= f64::EPSILON * f64::EPSILON {
                break;
            }
        }
        self.certified(n)
    }

    /// Newton step towards the direction of least reach, within the constraint if there is one.
    fn newton_step(&self, n: Vec3, constraint: Option<&DirectionConstraint>) -> Option<Vec3> {
        let at = self.difference.support(n, [0; 2]);
        let pose = &self.difference.pose;
        let bent_b = curvature(self.difference.b, -pose.direction_to_b(n));
        let bent = curvature(self.difference.a, n) + pose.rotation * bent_b * pose.rotation.transpose();
        // Regularization, just enough to avoid a zero curvature where the sets touch and a feature leaves the
        // direction free.
        let stiff = tolerance::DIRECTION_FLOOR * self.near.scale;
        if let Some(hold) = constraint {
            let outward = n - hold.axis * hold.sine;
            let across = outward.length();
            let t = hold.axis.cross(outward) / across;
            let curve = across * t.dot(bent * t) - (outward.dot(at.point) / across - stiff);
            return Some(t * (-across * t.dot(at.point) / curve));
        }
        let reach = n.dot(at.point);
        let curve = |p: Vec3, q: Vec3| p.dot(bent * q) - if p == q { reach - stiff } else { 0.0 };
        let (t, u) = n.any_orthonormal_pair();
        let (tt, tu, uu) = (curve(t, t), curve(t, u), curve(u, u));
        let determinant = tt * uu - tu * tu;
        let (gt, gu) = (t.dot(at.point), u.dot(at.point));
        let step = (t * (tu * gu - uu * gt) + u * (tu * gt - tt * gu)) / determinant;
        (step.length_squared() < 1.0).then_some(step)
    }

    /// Witness points of the direction, if they are in the sets.
    fn certified(&self, n: Vec3) -> Option<SignedDistance> {
        let at = self.difference.support(n, [0; 2]);
        let distance = -n.dot(at.point);
        if -distance > self.near.deepest {
            return None;
        }
        let pose = &self.difference.pose;
        let slack = tolerance::DIRECTION_WITNESS * self.near.scale;
        let inside = |on_a: Vec3, on_b: Vec3| {
            within(self.difference.a, on_a, slack) && within(self.difference.b, pose.point_to_b(on_b), slack)
        };
        let from_a = |on_a: Vec3| (on_a, on_a + n * distance);
        let from_b = |on_b: Vec3| (on_b - n * distance, on_b);
        // Witness points of GJK moved to the supporting planes.
        let level_a = self.near.on_a - n * n.dot(self.near.on_a - at.on_a);
        let level_b = self.near.on_b - n * n.dot(self.near.on_b - at.on_b);
        let candidates = match (self.of_a.as_slice(), self.of_b.as_slice()) {
            ([], _) => [from_a(at.on_a), from_b(level_b)],
            (_, []) => [from_b(at.on_b), from_a(level_a)],
            ([c], [d]) => {
                let (c, d) = (c.line(n), d.line(n));
                let along = c.dot(at.on_a - self.near.on_a) / c.length_squared();
                let (p, q) = (at.on_a - c * along, at.on_b);
                let normal_d = d.cross(n);
                let on_a = p + c * (normal_d.dot(q - p) / normal_d.dot(c));
                [from_a(on_a), from_a(p)]
            }
            _ => [from_a(level_a), from_b(level_b)],
        };
        // Where n is almost along the axis of a rim, its round-off is amplified in the position of the
        // support point along the rim. The line of the other feature determines the position on the tangent.
        let crossing = || {
            let constraint =
                |constraints: &DirectionConstraints| constraints.as_slice().first().map(|h| h.line(n));
            let c = constraint(self.of_a).or_else(|| rim_tangent(self.difference.a, n))?;
            let d = constraint(self.of_b).or_else(|| {
                rim_tangent(self.difference.b, -pose.direction_to_b(n)).map(|t| pose.direction(t))
            })?;
            let normal_d = d.cross(n);
            Some(from_a(at.on_a + c * (normal_d.dot(at.on_b - at.on_a) / normal_d.dot(c))))
        };
        let proven = |(on_a, on_b): &(Vec3, Vec3)| inside(*on_a, *on_b);
        let (on_a, on_b) = candidates.into_iter().find(proven).or_else(|| crossing().filter(proven))?;
        let start = GjkStart { direction: -n, depth: scalar::max(-distance, 0.0), ..GjkStart::COLD };
        Some(SignedDistance { normal: n, distance, on_a, on_b, start })
    }
}

/// Second derivative of the support function of a core at a direction of its local frame.
fn curvature(core: &Core<'_>, n: Vec3) -> Mat3 {
    if let Core::Ellipsoid(ellipsoid) = core {
        return ellipsoid.support_curvature(n);
    }
    if let Core::TwoBalls { radii, half } = core {
        let radius =
            if is_tip(*radii, *half, core.support(n)) { 0.0 } else { scalar::max(radii[0], radii[1]) };
        return (Mat3::IDENTITY - outer_product(n, n)) * radius;
    }
    let (Core::Cylinder { radius, .. } | Core::Cone { radius, .. }) = core else { return Mat3::ZERO };
    let Some(around) = rim_tangent(core, n) else { return Mat3::ZERO };
    outer_product(around, around) * (radius / radial(n).dot(n))
}

/// The direction around the axis at the support point of a direction of the local frame; none where that is no point of
/// a rim.
fn rim_tangent(core: &Core<'_>, n: Vec3) -> Option<Vec3> {
    let on_rim = match core {
        Core::Cylinder { .. } => true,
        Core::Cone { .. } => core.support(n).z < 0.0,
        _ => false,
    };
    let outward = radial(n);
    (on_rim && outward.dot(n) > 0.0).then_some(Vec3::new(-outward.y, outward.x, 0.0))
}

/// True if a point of the core's frame is in it, to within `slack`.
fn within(core: &Core<'_>, point: Coordinate, slack: f64) -> bool {
    match core {
        Core::Hull(hull) => hull.faces().iter().all(|face| hull.height_above(face, point) <= slack),
        _ => nearest_on_surface(core, point).is_some_and(|near| near.distance <= slack),
    }
}

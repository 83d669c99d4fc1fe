//! The direction between two convex sets, one of them with a cylinder's surface, by Newton's method from a few steps of
//! GJK.
//!
//! GJK approaches a curved surface by chords and gains a constant factor a step. But the few steps it takes to know the
//! features that face each other are enough to end the search in closed form or quadratically. With `s(n)` the support
//! point of `A ⊖ B`, the reach `h(n) = n·s(n)` of unit directions is least in the direction sought: minus the distance
//! there, or the overlap of sets that touch. Its gradient on the sphere is the part of `s` across `n` and its second
//! derivative `Tᵀ H T - h`, with `H = r/ρ t tᵀ` for a cylinder (`ρ` the part of `n` across its axis, `t` the
//! direction around it) and zero for a polytope. An edge or straight line `c` of either set that faces the other holds
//! the direction at `n·c = 0`; two such lines fix it.
//!
//! Nothing rests on the guess of features: the answer is taken only if its witness points lie in the sets, which bounds
//! the distance from above as the reach does from below, and only if the sets overlap by no more than round-off. Everything is in the frame of A.

use super::closed_form::nearest_on_surface;
use super::epa::{EpaResult, EpaStatus, NearFace};
use super::gjk::{GjkResult, GjkStart};
use super::separation::Separation;
use super::simplex::Simplex;
use super::solid::{Core, radial};
use super::support_function::{MinkowskiDifference, MinkowskiVertex};
use crate::math::{Coordinate, Mat3, Vec3, outer_product, real};
use crate::tolerance;

type Difference<'a> = MinkowskiDifference<'a, Core<'a>, Core<'a>>;

/// True if Newton's method is worth trying: a cylinder with a cylinder or with a polytope.
pub(super) fn suits(a: &Core<'_>, b: &Core<'_>) -> bool {
    let known = |core: &Core<'_>| !matches!(core, Core::Cone { .. } | Core::Point);
    let round = |core: &Core<'_>| matches!(core, Core::Cylinder { .. });
    (round(a) || round(b)) && known(a) && known(b)
}

/// Straight lines of a feature, which the direction must be across.
#[derive(Clone, Copy, Debug, Default)]
struct Lines {
    along: [Vec3; 2],
    len: usize,
}

impl Lines {
    fn push(&mut self, along: Vec3) {
        let Some(unit) = along.try_normalize() else { return };
        let new = self.len < 2 && self.along[..self.len].iter().all(|c| c.cross(unit).length() > 1e-6);
        if new {
            self.along[self.len] = unit;
            self.len += 1;
        }
    }

    fn as_slice(&self) -> &[Vec3] {
        &self.along[..self.len]
    }
}

/// The answer after a few steps of GJK, if Newton's method finds one that proves itself. A direction that is least among
/// its neighbours proves a gap, but no overlap: others may be less. So the sets may overlap by round-off only.
pub(super) fn finished(difference: &Difference<'_>, near: &GjkResult) -> Option<Separation> {
    let guess = -near.separation.try_normalize()?;
    let touching = tolerance::DIRECTION_TOUCHING * near.scale;
    let from = Nearby {
        simplex: &near.simplex,
        on_a: near.on_a,
        on_b: near.on_b,
        scale: near.scale,
        deepest: touching,
    };
    attempts(difference, &from, guess)
}

/// The overlap, from the face of EPA that is nearest to the origin. EPA has proven that it is not less than the offset of
/// the face; an answer between that and its reach is the least of all to the difference of the two.
pub(super) fn deepest(difference: &Difference<'_>, face: &NearFace) -> Option<EpaResult> {
    let mut simplex = Simplex::default();
    face.corners.iter().for_each(|corner| simplex.push(*corner));
    simplex.reduce_to_nearest()?;
    let (on_a, on_b) = simplex.witnesses();
    let deepest = face.reach + tolerance::DIRECTION_WITNESS * face.scale;
    let from = Nearby { simplex: &simplex, on_a, on_b, scale: face.scale, deepest };
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

/// What a search has come to when Newton's method takes over.
struct Nearby<'a> {
    /// Spans the features that face each other.
    simplex: &'a Simplex,
    on_a: Coordinate,
    on_b: Coordinate,
    scale: f64,
    /// Overlap up to which an answer is believed.
    deepest: f64,
}

/// With the features that the simplex shows, then with the discs that the direction shows.
fn attempts(difference: &Difference<'_>, near: &Nearby<'_>, guess: Vec3) -> Option<Separation> {
    let simplex = near.simplex;
    let of_a = lines_of(difference.a, simplex, |v| (v.on_a, v.vertices[0]), |d| d);
    let pose = &difference.pose;
    let of_b =
        lines_of(difference.b, simplex, |v| (pose.point_to_b(v.on_b), v.vertices[1]), |d| pose.direction(d));
    let attempt = |of_a: &Lines, of_b: &Lines| Attempt { difference, near, of_a, of_b }.solve(guess);
    if let Some(found) = attempt(&of_a, &of_b) {
        return Some(found);
    }
    // A disc that faces the other set shows itself by the direction alone.
    let cap_a = cap_lines(difference.a, guess, |d| d);
    let cap_b = cap_lines(difference.b, pose.direction_to_b(guess), |d| pose.direction(d));
    cap_a.and_then(|cap| attempt(&cap, &of_b)).or_else(|| cap_b.and_then(|cap| attempt(&of_a, &cap)))
}

/// Lines of the feature that the simplex of GJK spans on one set.
fn lines_of(
    core: &Core<'_>,
    simplex: &Simplex,
    seen: impl Fn(&MinkowskiVertex) -> (Coordinate, u32),
    to_a: impl Fn(Vec3) -> Vec3,
) -> Lines {
    let mut lines = Lines::default();
    let mut first: Option<(Coordinate, u32)> = None;
    for vertex in simplex.vertices() {
        let (point, number) = seen(vertex);
        let Some((from, number_from)) = first else {
            first = Some((point, number));
            continue;
        };
        match core {
            Core::Cylinder { .. } if point.z * from.z < 0.0 => lines.push(to_a(Vec3::Z)),
            Core::Cylinder { .. } => {}
            _ if number != number_from => lines.push(to_a(point - from)),
            _ => {}
        }
    }
    lines
}

/// The lines of a cylinder's end, if it is the end that faces the direction (local frame).
fn cap_lines(core: &Core<'_>, direction: Vec3, to_a: impl Fn(Vec3) -> Vec3) -> Option<Lines> {
    let steep = direction.x * direction.x + direction.y * direction.y < tolerance::CAP_GUESS;
    if !matches!(core, Core::Cylinder { .. }) || !steep {
        return None;
    }
    Some(Lines { along: [to_a(Vec3::X), to_a(Vec3::Y)], len: 2 })
}

struct Attempt<'a> {
    difference: &'a Difference<'a>,
    near: &'a Nearby<'a>,
    of_a: &'a Lines,
    of_b: &'a Lines,
}

impl Attempt<'_> {
    fn solve(&self, guess: Vec3) -> Option<Separation> {
        let mut held = *self.of_a;
        self.of_b.as_slice().iter().for_each(|c| held.push(*c));
        let mut n = match held.as_slice() {
            [c, d] => {
                let across = c.cross(*d).try_normalize()?;
                if across.dot(guess) < 0.0 { -across } else { across }
            }
            [c] => (guess - *c * c.dot(guess)).try_normalize()?,
            _ => guess,
        };
        for _ in 0..tolerance::DIRECTION_STEPS {
            let step = self.newton_step(n, &held)?;
            n = (n + step).try_normalize()?;
            if step.length_squared() <= f64::EPSILON * f64::EPSILON {
                break;
            }
        }
        self.certified(n)
    }

    /// The step towards the direction of least reach among those across the lines held.
    fn newton_step(&self, n: Vec3, held: &Lines) -> Option<Vec3> {
        if held.len == 2 {
            return Some(Vec3::ZERO);
        }
        let at = self.difference.support(n, [0; 2]);
        let reach = n.dot(at.point);
        let pose = &self.difference.pose;
        let bent_b = curvature(self.difference.b, -pose.direction_to_b(n));
        let bent = curvature(self.difference.a, n) + pose.rotation * bent_b * pose.rotation.transpose();
        // Just enough to stay clear of zero where the sets touch and a feature leaves the direction free.
        let stiff = tolerance::DIRECTION_FLOOR * self.near.scale;
        let curve = |p: Vec3, q: Vec3| p.dot(bent * q) - if p == q { reach - stiff } else { 0.0 };
        if let [c] = held.as_slice() {
            let t = c.cross(n);
            return Some(t * (-t.dot(at.point) / curve(t, t)));
        }
        let (t, u) = n.any_orthonormal_pair();
        let (tt, tu, uu) = (curve(t, t), curve(t, u), curve(u, u));
        let determinant = tt * uu - tu * tu;
        let (gt, gu) = (t.dot(at.point), u.dot(at.point));
        let step = (t * (tu * gu - uu * gt) + u * (tu * gt - tt * gu)) / determinant;
        (step.length_squared() < 1.0).then_some(step)
    }

    /// Witness points of the direction, if they are in the sets.
    fn certified(&self, n: Vec3) -> Option<Separation> {
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
        // On the supporting planes, where GJK has left off.
        let level_a = self.near.on_a - n * n.dot(self.near.on_a - at.on_a);
        let level_b = self.near.on_b - n * n.dot(self.near.on_b - at.on_b);
        let candidates = match (self.of_a.as_slice(), self.of_b.as_slice()) {
            ([], _) => [from_a(at.on_a), from_b(level_b)],
            (_, []) => [from_b(at.on_b), from_a(level_a)],
            ([c], [d]) => {
                let (p, q) = (at.on_a - *c * c.dot(at.on_a - self.near.on_a), at.on_b);
                let normal_d = d.cross(n);
                let on_a = p + *c * (normal_d.dot(q - p) / normal_d.dot(*c));
                [from_a(on_a), from_a(p)]
            }
            _ => [from_a(level_a), from_b(level_b)],
        };
        let (on_a, on_b) = candidates.into_iter().find(|(on_a, on_b)| inside(*on_a, *on_b))?;
        let start = GjkStart { direction: -n, depth: real::max(-distance, 0.0), ..GjkStart::COLD };
        Some(Separation { normal: n, distance, on_a, on_b, start })
    }
}

/// Second derivative of the support function of a core at a direction of its local frame.
fn curvature(core: &Core<'_>, n: Vec3) -> Mat3 {
    let Core::Cylinder { radius, .. } = core else { return Mat3::ZERO };
    let outward = radial(n);
    let across = outward.dot(n);
    if across == 0.0 {
        return Mat3::ZERO;
    }
    let around = Vec3::new(-outward.y, outward.x, 0.0);
    outer_product(around, around) * (radius / across)
}

/// True if a point of the core's frame is in it, to within `slack`.
fn within(core: &Core<'_>, point: Coordinate, slack: f64) -> bool {
    match core {
        Core::Hull(hull) => hull.faces().iter().all(|face| hull.height_above(face, point) <= slack),
        _ => nearest_on_surface(core, point).is_some_and(|near| near.distance <= slack),
    }
}

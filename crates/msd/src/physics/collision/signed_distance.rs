//! Signed distance of two convex solids: the number and direction behind every query.
//!
//! The signed distance is `-min_n h(n)` over unit directions, with `h` the reach of the Minkowski difference:
//! the distance of separated solids, minus the depth of overlapping ones. The method depends on the pair:
//!
//! 1. closed forms (spheres with anything simple, capsules with each other);
//! 2. GJK while the cores are clearly separated;
//! 3. where they overlap, or are so close that the direction would be round-off: the plane of the last GJK
//!    triangle, if it supports both sets; SAT for two boxes; EPA for everything else. The direction of least
//!    reach is returned, so that a touching pair has the normal of its faces on either side of zero gap.

use super::box_box;
use super::closed_form::{between_segments, nearest_on_surface};
use super::curved_pair;
use super::epa::{Epa, EpaResult, EpaStatus};
use super::gjk::{Gjk, GjkResult, GjkStart, GjkStatus};
use super::sat;
use super::sat_axis::SatAxis;
use super::simplex::Simplex;
use super::solid::{BoxCore, Core, CylinderCore, HullCore, OnSurface, Solid, is_tip, radial};
use super::support_function::{MinkowskiDifference, RelativePose, SupportFunction};
use super::witness::SignedDistance;
use crate::math::{Coordinate, Vec3, scalar};
use crate::physics::rigid_body::shape::slant_normal;
use crate::tolerance;

/// Number of edge pairs up to which SAT is used first: two boxes, in closed form. tuned: for hulls of any
/// size GJK and EPA are faster.
const SAT_EDGE_PAIRS: usize = 144;

/// GJK iterations after which Newton's method is tried for a cylinder or a cone, and tried again. tuned: few
/// enough to save most of the others, enough to identify the features.
const DIRECTION_AFTER: [u32; 2] = [7, 14];

/// Deepest overlap that is tracked from the last normal instead of being recomputed, relative to the smaller
/// core. tuned: covers resting contacts, whose side is not in doubt.
const FOLLOWED_DEPTH: f64 = 0.02;

/// Distance by which the cores are separated to track a shallow overlap, relative to the larger. tuned: the
/// normal of the separated pair is then accurate to 1e-14.
const FOLLOWED_LIFT: f64 = 0.05;

/// Signed distance of the cores of two solids (without their radii); `None` if it is certainly more than
/// `max_distance`. `start` is the warm start from the last query of this pair and is updated; with `None` its
/// gap is the proven one.
pub(super) fn between_cores(
    a: &Core<'_>,
    b: &Core<'_>,
    pose: &RelativePose,
    start: &mut GjkStart,
    max_distance: f64,
) -> Option<SignedDistance> {
    let found = search(a, b, pose, start, max_distance)?;
    *start = found.start;
    Some(found)
}

fn search(
    a: &Core<'_>,
    b: &Core<'_>,
    pose: &RelativePose,
    start: &mut GjkStart,
    max_distance: f64,
) -> Option<SignedDistance> {
    if let Some(found) = closed_form(a, b, pose) {
        start.gap = found.distance;
        return (found.distance <= max_distance).then_some(found);
    }
    let difference = MinkowskiDifference { a, b, pose: *pose };
    if let Some(found) = lifted(&difference, start) {
        return Some(found);
    }
    let gjk = Gjk { max_distance, ..Gjk::default() };
    let mut near = GjkResult::UNKNOWN;
    if !curved_pair::suits(a, b) {
        distance_of(&gjk, &difference, start, &mut near);
        return from_gjk(&difference, &gjk, &near, start);
    }
    match by_newton(&difference, &gjk, start, &mut near) {
        NewtonOutcome::Found(found) => return Some(found),
        NewtonOutcome::Ended => {}
        NewtonOutcome::Open(from) => {
            near = GjkResult::UNKNOWN;
            distance_of(&gjk, &difference, &from, &mut near);
        }
    }
    let found = from_gjk(&difference, &gjk, &near, start)?;
    let is_touching = found.distance.abs() <= tolerance::NORMAL_RELIABLE * near.scale;
    let refined = is_touching.then(|| curved_pair::refined(&difference, &near, &found));
    Some(refined.flatten().unwrap_or(found))
}

/// The result from the end of GJK.
fn from_gjk(
    difference: &MinkowskiDifference<'_, Core<'_>, Core<'_>>,
    gjk: &Gjk,
    near: &GjkResult,
    start: &mut GjkStart,
) -> Option<SignedDistance> {
    if near.status != GjkStatus::Overlapping {
        return apart_or_touching(difference, near, None, start);
    }
    if let Some(found) = across_simplex(difference, near) {
        return Some(found);
    }
    let deep = overlap(difference, near);
    if deep.distance <= tolerance::NORMAL_RELIABLE * near.scale {
        return apart_or_touching(difference, near, Some(deep), start);
    }
    // A flat simplex seemed to contain the origin, but this direction separates: restart from it.
    let apart = GjkStart { direction: -deep.normal, ..GjkStart::COLD };
    let mut near = GjkResult::UNKNOWN;
    distance_of(gjk, difference, &apart, &mut near);
    apart_or_touching(difference, &near, None, start)
}

/// The result of GJK where it is reliable; otherwise the better separating direction of it and of the
/// overlap, if that is known.
fn apart_or_touching(
    difference: &MinkowskiDifference<'_, Core<'_>, Core<'_>>,
    near: &GjkResult,
    known: Option<SignedDistance>,
    start: &mut GjkStart,
) -> Option<SignedDistance> {
    if near.status == GjkStatus::BeyondLimit {
        *start = GjkStart { direction: near.separation, gap: near.lower_bound, ..GjkStart::COLD };
        return None;
    }
    let apart = near.status != GjkStatus::Overlapping;
    let distance = near.distance();
    if apart && distance > tolerance::NORMAL_RELIABLE * near.scale {
        let normal = -near.separation / distance;
        return Some(SignedDistance {
            normal,
            distance,
            on_a: near.on_a,
            on_b: near.on_b,
            start: near.start(),
        });
    }
    if known.is_none()
        && let Some(found) = across_simplex(difference, near)
    {
        return Some(found);
    }
    let deep = known.unwrap_or_else(|| overlap(difference, near));
    let mut found = deep;
    if apart {
        // Touching to within round-off.
        let of_gjk = near.separation.try_normalize().map(|v| (-v, -difference.reach(-v)));
        let round_off = tolerance::EPA_ROUND_OFF * near.scale;
        if let Some((normal, gap)) = of_gjk
            && gap > deep.distance + round_off
        {
            found = SignedDistance::cold(normal, gap, near.on_a, near.on_b);
        }
        // Of an axis of separation it is not known which points of a face or edge lie over the other shape; these are of both shapes.
        (found.on_a, found.on_b) = (near.on_a, near.on_b);
        if near.lower_bound > found.distance + round_off {
            // The nearest features are vertices: every direction between them separates by less than the
            // distance.
            found.distance = distance;
        }
    }
    found.face_each_other();
    found.store_start();
    Some(found)
}

/// Outcome of Newton's method and of the GJK iterations before it.
enum NewtonOutcome {
    Found(SignedDistance),
    /// GJK has terminated.
    Ended,
    /// GJK continues from here.
    Open(GjkStart),
}

/// A few GJK iterations at a time, written to `near`, each followed by a Newton attempt.
fn by_newton(
    difference: &MinkowskiDifference<'_, Core<'_>, Core<'_>>,
    gjk: &Gjk,
    start: &GjkStart,
    near: &mut GjkResult,
) -> NewtonOutcome {
    let mut from = *start;
    for max_iterations in DIRECTION_AFTER {
        *near = GjkResult::UNKNOWN;
        distance_of(&Gjk { max_iterations, ..*gjk }, difference, &from, near);
        // A search stopped by round-off leaves a gap between its bounds.
        let stuck = near.status == GjkStatus::Separated
            && near.distance() - near.lower_bound > 2.0 * gjk.relative_gap * near.distance();
        if near.status != GjkStatus::IterationLimit && !stuck {
            // On a smooth surface a distance to round-off leaves the direction to the square root of that.
            let smooth = |core: &Core<'_>| matches!(core, Core::Ellipsoid(_) | Core::TwoBalls { .. });
            let smooth = smooth(difference.a) || smooth(difference.b);
            let polished = (smooth && near.status == GjkStatus::Separated)
                .then(|| curved_pair::finished(difference, near))
                .flatten();
            return polished.map_or(NewtonOutcome::Ended, NewtonOutcome::Found);
        }
        if let Some(found) = curved_pair::finished(difference, near) {
            return NewtonOutcome::Found(found);
        }
        if stuck {
            return NewtonOutcome::Ended;
        }
        from = near.start();
    }
    NewtonOutcome::Open(from)
}

/// GJK monomorphized for the most common pairs; the result is written to `found`, which is
/// [`GjkResult::UNKNOWN`].
fn distance_of(
    gjk: &Gjk,
    difference: &MinkowskiDifference<'_, Core<'_>, Core<'_>>,
    start: &GjkStart,
    found: &mut GjkResult,
) {
    let pose = difference.pose;
    match (difference.a, difference.b) {
        (Core::Cuboid { half: a }, Core::Cuboid { half: b }) => {
            gjk.distance_into(&MinkowskiDifference { a: &BoxCore(*a), b: &BoxCore(*b), pose }, start, found);
        }
        (Core::Cuboid { half: a }, Core::Hull(b)) => {
            gjk.distance_into(&MinkowskiDifference { a: &BoxCore(*a), b: &HullCore(b), pose }, start, found);
        }
        (Core::Cuboid { half: a }, Core::Cylinder { radius, half }) => {
            let b = CylinderCore { radius: *radius, half: *half };
            gjk.distance_into(&MinkowskiDifference { a: &BoxCore(*a), b: &b, pose }, start, found);
        }
        (Core::Hull(a), Core::Hull(b)) => {
            gjk.distance_into(&MinkowskiDifference { a: &HullCore(a), b: &HullCore(b), pose }, start, found);
        }
        _ => gjk.distance_into(difference, start, found),
    }
}

/// EPA monomorphized for the same pairs.
fn penetration_of(difference: &MinkowskiDifference<'_, Core<'_>, Core<'_>>, simplex: &Simplex) -> EpaResult {
    let (epa, pose) = (Epa::default(), difference.pose);
    match (difference.a, difference.b) {
        (Core::Cuboid { half: a }, Core::Hull(b)) => {
            epa.penetration(&MinkowskiDifference { a: &BoxCore(*a), b: &HullCore(b), pose }, simplex)
        }
        (Core::Hull(a), Core::Hull(b)) => {
            epa.penetration(&MinkowskiDifference { a: &HullCore(a), b: &HullCore(b), pose }, simplex)
        }
        _ => epa.penetration(difference, simplex),
    }
}

/// A pair that touches to within round-off, by the plane of the last GJK triangle: if it supports both sets
/// to within round-off, no direction separates them better.
fn across_simplex(
    difference: &MinkowskiDifference<'_, Core<'_>, Core<'_>>,
    near: &GjkResult,
) -> Option<SignedDistance> {
    let [a, b, c] = near.simplex.vertices() else { return None };
    let normal = (b.point - a.point).cross(c.point - a.point).try_normalize()?;
    let round_off = tolerance::EPA_ROUND_OFF * near.scale;
    let distance = near.distance();
    let towards = if near.separation.dot(normal) > 0.0 { -normal } else { normal };
    [towards, -towards].into_iter().find_map(|n| {
        let gap = -difference.reach(n);
        let mut found = SignedDistance::cold(n, gap, near.on_a, near.on_b);
        found.face_each_other();
        found.store_start();
        ((gap - distance).abs() <= round_off).then_some(found)
    })
}

/// The overlap of a pair that overlapped slightly in the last query as well. B is translated off A along the
/// last normal; if the nearest points are then opposite each other along that normal, it is a direction of
/// least overlap, and the depth is the translation less the remaining distance. If not, their direction is
/// tried next. The result is a local minimum: a shallow contact keeps its side, even where a sharp corner has
/// two equal ones.
fn lifted(
    difference: &MinkowskiDifference<'_, Core<'_>, Core<'_>>,
    start: &GjkStart,
) -> Option<SignedDistance> {
    // On curved surfaces GJK is as slow as EPA: polytopes only.
    if start.depth <= 0.0 || difference.a.is_curved() || difference.b.is_curved() {
        return None;
    }
    let (size_a, size_b) = (difference.a.size(), difference.b.size());
    let mut normal = -start.direction.try_normalize()?;
    let lift = start.depth + FOLLOWED_LIFT * scalar::max(size_a, size_b);
    if start.depth > FOLLOWED_DEPTH * scalar::min(size_a, size_b) {
        return None;
    }
    let mut from = GjkStart { depth: 0.0, ..*start };
    for _ in 0..4 {
        let mut apart = *difference;
        apart.pose.translation += normal * lift;
        let mut near = GjkResult::UNKNOWN;
        distance_of(&Gjk::default(), &apart, &from, &mut near);
        if near.status != GjkStatus::Separated || near.distance() <= tolerance::NORMAL_RELIABLE * near.scale {
            return None;
        }
        let found = -near.separation / near.distance();
        from = near.start();
        if (found - normal).length() <= tolerance::SAME_NORMAL {
            let distance = -difference.reach(found);
            let on_b = near.on_b - normal * lift;
            let opposite = (on_b - near.on_a - found * distance).length();
            if distance > 0.0 || opposite > tolerance::WITNESS_MISSED * near.scale {
                return None;
            }
            let start = GjkStart { depth: -distance, ..from };
            return Some(SignedDistance { normal: found, distance, on_a: near.on_a, on_b, start });
        }
        normal = found;
    }
    None
}

/// Signed distance of two solids with their radii, witness points on their surfaces.
pub(super) fn between(a: &Solid<'_>, b: &Solid<'_>, pose: &RelativePose) -> SignedDistance {
    if let (Core::Cuboid { half: of_a }, Core::Cuboid { half: of_b }) = (&a.core, &b.core)
        && a.radius == 0.0
        && b.radius == 0.0
    {
        return between_boxes(*of_a, *of_b, pose);
    }
    let found = search(&a.core, &b.core, pose, &mut GjkStart::default(), f64::INFINITY);
    // Fails only for numbers whose squares overflow.
    let mut found =
        found.unwrap_or(SignedDistance::cold(Vec3::Z, f64::INFINITY, Vec3::ZERO, pose.translation));
    found.round(a.radius, b.radius);
    found
}

/// Two boxes, by SAT: a gap along the best axis is the distance if the boxes have two points that far apart.
/// Where the nearest features are vertices or parallel edges there are none, and GJK is used.
fn between_boxes(half_a: Vec3, half_b: Vec3, pose: &RelativePose) -> SignedDistance {
    let (a, b) = (Core::Cuboid { half: half_a }, Core::Cuboid { half: half_b });
    let axis = box_box::greatest_separation(half_a, half_b, pose, f64::INFINITY);
    let (normal, distance) = (axis.normal, axis.separation);
    if distance <= 0.0 {
        return from_axis(&a, &b, pose, &axis);
    }
    if let Some((on_a, on_b)) = box_box::nearest_points(half_a, half_b, pose, &axis) {
        return SignedDistance::cold(normal, distance, on_a, on_b);
    }
    let mut start = GjkStart { direction: -normal, ..GjkStart::COLD };
    search(&a, &b, pose, &mut start, f64::INFINITY).unwrap_or_else(|| from_axis(&a, &b, pose, &axis))
}

fn closed_form(a: &Core<'_>, b: &Core<'_>, pose: &RelativePose) -> Option<SignedDistance> {
    match (a, b) {
        (_, Core::Point) => {
            let center = pose.translation;
            let near = nearest_on_surface(a, center)?;
            Some(SignedDistance::cold(near.normal, near.distance, near.point, center))
        }
        (Core::Point, _) => {
            let near = nearest_on_surface(b, pose.point_to_b(Vec3::ZERO))?;
            let normal = -pose.direction(near.normal);
            Some(SignedDistance::cold(normal, near.distance, Vec3::ZERO, pose.point(near.point)))
        }
        (Core::Segment { half }, Core::Segment { half: half_b }) => {
            let ends = [Vec3::Z * -*half, Vec3::Z * *half];
            let ends_b = [Vec3::Z * -*half_b, Vec3::Z * *half_b].map(|p| pose.point(p));
            let (on_a, on_b, normal, distance) = between_segments(ends, ends_b);
            Some(SignedDistance::cold(normal, distance, on_a, on_b))
        }
        (Core::TwoBalls { .. }, _) | (_, Core::TwoBalls { .. }) => {
            by_ball_of_a(a, b, pose).or_else(|| by_ball_of_b(a, b, pose))
        }
        _ => None,
    }
}

/// The signed distance if a ball of A touches.
fn by_ball_of_a(a: &Core<'_>, b: &Core<'_>, pose: &RelativePose) -> Option<SignedDistance> {
    let Core::TwoBalls { radii, half } = a else { return None };
    let nearest = |center: Coordinate| {
        let near = nearest_on_surface(b, pose.point_to_b(center))?;
        let (point, normal) = (pose.point(near.point), pose.direction(near.normal));
        Some(OnSurface { point, normal, distance: near.distance })
    };
    let found = of_one_ball(*radii, *half, nearest)?;
    Some(SignedDistance::cold(found.normal, found.distance, found.on_ball, found.on_other))
}

/// The same for B.
fn by_ball_of_b(a: &Core<'_>, b: &Core<'_>, pose: &RelativePose) -> Option<SignedDistance> {
    let Core::TwoBalls { radii, half } = b else { return None };
    let nearest = |center: Coordinate| {
        let near = nearest_on_surface(a, pose.point(center))?;
        let (point, normal) = (pose.point_to_b(near.point), pose.direction_to_b(near.normal));
        Some(OnSurface { point, normal, distance: near.distance })
    };
    let found = of_one_ball(*radii, *half, nearest)?;
    let (on_a, on_b) = (pose.point(found.on_other), pose.point(found.on_ball));
    Some(SignedDistance::cold(-pose.direction(found.normal), found.distance, on_a, on_b))
}

/// Where one of two balls touches another core; the frame of the balls.
struct OneBall {
    /// Outward from the ball.
    normal: Vec3,
    distance: f64,
    on_ball: Coordinate,
    on_other: Coordinate,
}

/// The signed distance of the hull of two balls from a core whose nearest points are known, if one of the balls touches.
///
/// The reach of the hull along any direction is at least that of each of its balls. Along the direction in which a ball reaches
/// least, both are equal if the ball is the farther one there: no direction is then less for the hull.
fn of_one_ball(
    radii: [f64; 2],
    half: f64,
    nearest: impl Fn(Coordinate) -> Option<OnSurface>,
) -> Option<OneBall> {
    for (radius, side) in [(radii[0], -1.0), (radii[1], 1.0)] {
        let center = Vec3::Z * (side * half);
        let near = nearest(center)?;
        let normal = -near.normal;
        if side * (normal.z * 2.0 * half - (radii[0] - radii[1])) >= 0.0 {
            let (on_ball, distance) = (center + normal * radius, near.distance - radius);
            return Some(OneBall { normal, distance, on_ball, on_other: near.point });
        }
    }
    None
}

/// True if SAT is faster than GJK for a pair of polytopes.
pub(super) fn suits_sat(a: &Core<'_>, b: &Core<'_>) -> bool {
    match (a.edge_count(), b.edge_count()) {
        (Some(ea), Some(eb)) => ea * eb <= SAT_EDGE_PAIRS,
        _ => false,
    }
}

fn overlap(difference: &MinkowskiDifference<'_, Core<'_>, Core<'_>>, near: &GjkResult) -> SignedDistance {
    let MinkowskiDifference { a, b, pose } = difference;
    let by_axes =
        || sat::greatest_separation(a, b, pose, f64::INFINITY).map(|axis| from_axis(a, b, pose, &axis));
    if suits_sat(a, b)
        && let Some(found) = by_axes()
    {
        return found;
    }
    let deep = if curved_pair::suits(a, b) {
        Epa::default().finished_by(difference, &near.simplex, |face| curved_pair::deepest(difference, face))
    } else {
        penetration_of(difference, &near.simplex)
    };
    if deep.status == EpaStatus::Bounded {
        return by_axes().unwrap_or_else(|| sharpened(a, b, difference, &deep));
    }
    if a.is_curved() || b.is_curved() {
        let on_a = witness_on_a(a, b, difference, &deep, deep.normal, deep.depth);
        return SignedDistance::cold(deep.normal, -deep.depth, on_a, on_a - deep.normal * deep.depth);
    }
    SignedDistance::cold(deep.normal, -deep.depth, deep.on_a, deep.on_b)
}

/// Improves an EPA result that was limited by storage or resolution, such as for two coaxial cylinders one
/// inside the other, where every direction across the axis is equal: the minimum is then at a direction near
/// the result that the symmetry of a shape singles out.
fn sharpened(
    a: &Core<'_>,
    b: &Core<'_>,
    difference: &MinkowskiDifference<'_, Core<'_>, Core<'_>>,
    deep: &EpaResult,
) -> SignedDistance {
    let mut best = (deep.depth, deep.normal);
    let mut offer = |normal: Option<Vec3>| {
        if let Some(normal) = normal {
            let reach = difference.reach(normal);
            if reach < best.0 {
                best = (reach, normal);
            }
        }
    };
    let pose = &difference.pose;
    let seen_by_b = -pose.direction_to_b(deep.normal);
    for normal in singular_directions(a, deep.normal).into_iter().chain(face_directions(a, deep.normal)) {
        offer(normal);
    }
    for normal in singular_directions(b, seen_by_b).into_iter().chain(face_directions(b, seen_by_b)) {
        offer(normal.map(|n| -pose.direction(n)));
    }
    let (depth, normal) = best;
    let on_a = witness_on_a(a, b, difference, deep, normal, depth);
    SignedDistance::cold(normal, -depth, on_a, on_a - normal * depth)
}

/// The directions in which a box has a face that are within a right angle of `d`, in its local frame.
fn face_directions(core: &Core<'_>, d: Vec3) -> [Option<Vec3>; 3] {
    let Core::Cuboid { .. } = core else { return [None; 3] };
    [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| Some(if axis.dot(d) < 0.0 { -axis } else { axis }))
}

/// The deepest point of A along a direction near that of EPA: the witness points, which are on a chord of a
/// curved surface, moved to the supporting planes of the direction; or, where one shape touches its plane in
/// a single point, that point and the one opposite. Returns the candidate closest to both surfaces.
fn witness_on_a(
    a: &Core<'_>,
    b: &Core<'_>,
    difference: &MinkowskiDifference<'_, Core<'_>, Core<'_>>,
    deep: &EpaResult,
    normal: Vec3,
    depth: f64,
) -> Coordinate {
    let pose = &difference.pose;
    let (extreme_a, extreme_b) = (a.support(normal), pose.point(b.support(-pose.direction_to_b(normal))));
    let (near_a, near_b) = (
        deep.on_a + normal * normal.dot(extreme_a - deep.on_a),
        deep.on_b + normal * normal.dot(extreme_b - deep.on_b),
    );
    let middle = near_a - (near_a - near_b - normal * depth) * 0.5;
    let off = |on_a: Vec3| {
        let on_b = on_a - normal * depth;
        let of = |core: &Core<'_>, p: Vec3| height_over(core, p).abs();
        scalar::max(of(a, on_a), of(b, pose.point_to_b(on_b)))
    };
    // A straight side touches its plane along a line: the place on it that is nearest.
    let on_side_a = on_side(a, extreme_a, middle);
    let (below, lowest) = (pose.point_to_b(middle - normal * depth), pose.point_to_b(extreme_b));
    let on_side_b = pose.point(on_side(b, lowest, below));
    [middle, extreme_a, extreme_b + normal * depth, on_side_a, on_side_b + normal * depth]
        .into_iter()
        .reduce(|p, q| if off(q) < off(p) { q } else { p })
        .unwrap_or(middle)
}

/// The point nearest to `near` on the line of the side of a cylinder or a cone that goes through one of its points; its local frame. Of any
/// other shape that point.
fn on_side(core: &Core<'_>, extreme: Coordinate, near: Coordinate) -> Coordinate {
    match core {
        Core::Cylinder { half, .. } => extreme.with_z(scalar::clamp(near.z, -*half, *half)),
        Core::Cone { radius, half } => {
            let apex = Vec3::Z * *half;
            let towards = if extreme.z < *half { extreme } else { near };
            let slant = radial(towards) * *radius - Vec3::Z * (2.0 * *half);
            apex + slant * scalar::clamp((near - apex).dot(slant) / slant.length_squared(), 0.0, 1.0)
        }
        Core::TwoBalls { radii, half } => {
            let (q, k) = slant_normal(radii[0], radii[1], *half);
            let normal =
                radial(if is_tip(*radii, *half, extreme) { near } else { extreme }) * q + Vec3::Z * k;
            let [from, to] = [(radii[0], -*half), (radii[1], *half)].map(|(r, z)| normal * r + Vec3::Z * z);
            let along = to - from;
            from + along * scalar::clamp((near - from).dot(along) / along.length_squared(), 0.0, 1.0)
        }
        _ => extreme,
    }
}

/// Directions near `d` in which a shape of revolution has a flat or straight part of surface, and the axes of an
/// ellipsoid; its local frame.
fn singular_directions(core: &Core<'_>, d: Vec3) -> [Option<Vec3>; 3] {
    let side = Vec3::new(d.x, d.y, 0.0).try_normalize();
    let end = Some(if d.z < 0.0 { -Vec3::Z } else { Vec3::Z });
    match core {
        Core::Segment { .. } | Core::Cylinder { .. } => [side, end, None],
        Core::Ellipsoid(_) => {
            [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| Some(if axis.dot(d) < 0.0 { -axis } else { axis }))
        }
        Core::Cone { radius, half } => {
            let slant = side.and_then(|s| (s * (2.0 * half) + Vec3::Z * *radius).try_normalize());
            [slant, Some(-Vec3::Z), side]
        }
        Core::TwoBalls { radii, half } => {
            let (q, k) = slant_normal(radii[0], radii[1], *half);
            [side.map(|s| s * q + Vec3::Z * k), side, end]
        }
        _ => [None; 3],
    }
}

/// Witness points of a separating axis: of the edges, or the deepest point over the reference face. Where
/// those are not opposite each other at the distance of the axis (edges that do not cross, a vertex over the
/// neighbour of a face that is coplanar with it to round-off): the support point of one and its projection on
/// the other.
pub(super) fn from_axis(a: &Core<'_>, b: &Core<'_>, pose: &RelativePose, axis: &SatAxis) -> SignedDistance {
    let (normal, distance) = (axis.normal, axis.separation);
    let missed = tolerance::WITNESS_MISSED * scalar::max(a.size(), b.size());
    let opposite = |on_a: Vec3, on_b: Vec3| (on_b - on_a - normal * distance).length() <= missed;
    let of_edges = axis.edge_witnesses().filter(|(on_a, on_b)| opposite(*on_a, *on_b));
    let of_faces = || {
        let over = super::manifold_builder::face_points(a, b, pose, normal, f64::INFINITY)?;
        Some(over.deepest_pair(distance)).filter(|(on_a, on_b)| opposite(*on_a, *on_b))
    };
    let (on_a, on_b) = of_edges.or_else(of_faces).unwrap_or_else(|| {
        let low = pose.point(b.support(-pose.direction_to_b(normal)));
        let below = low - normal * distance;
        let high = a.support(normal);
        let above = high + normal * distance;
        if height_over(a, below) <= height_over(b, pose.point_to_b(above)) {
            (below, low)
        } else {
            (high, above)
        }
    });
    let across = (on_b - on_a - normal * distance) * 0.5;
    SignedDistance::cold(normal, distance, on_a + across, on_b - across)
}

/// Height of a point over a core, in its frame; for a hull a lower bound; negative inside.
fn height_over(core: &Core<'_>, p: Coordinate) -> f64 {
    match core {
        Core::Hull(hull) => {
            hull.faces().iter().fold(f64::NEG_INFINITY, |h, f| scalar::max(h, hull.height_above(f, p)))
        }
        _ => nearest_on_surface(core, p).map_or(f64::INFINITY, |near| near.distance),
    }
}

//! Contact matching: transfers cached impulses from the contact points of the last step to those of this step
//! for warm starting.
//!
//! A point with the same features is the same contact, with a normal that rotated with the bodies: its normal
//! impulse is kept, and its friction impulse is kept as a vector that does not rotate with the normal.
//! Otherwise the nearest old point is matched, if it is near enough: an edge contact has become a face
//! contact, or a vertex contact an edge contact, so the normal differs but the force does not. In that case
//! the whole impulse is reprojected as a vector.

use super::contact_impulse::{ContactImpulse, tangents};
use super::manifold::{ContactPoint, MAX_POINTS, SAME_CONTACT};
use super::persistent_manifold::PersistentManifold;
use crate::math::{Vec3, scalar};

/// Largest number of manifolds of one pair of convex parts: the contact and those over adjacent faces.
const MOST: usize = 3;

/// A contact point: manifold and index.
type PointIndex = (usize, usize);

/// Transfers the impulses of the points of `before` to the matching points of `now`; both of one pair of
/// convex parts.
pub(super) fn match_contacts(now: &mut [PersistentManifold], before: &[PersistentManifold]) {
    let (count, before) = (now.len().min(MOST), &before[..before.len().min(MOST)]);
    let mut taken = [[false; MAX_POINTS]; MOST];
    let mut found = [[false; MAX_POINTS]; MOST];
    let mut all = true;
    for m in 0..count {
        for i in 0..now[m].manifold.points().len() {
            let feature = now[m].manifold.points()[i].feature;
            let old = point_indices(before)
                .find(|&(n, k)| !taken[n][k] && point(before, (n, k)).feature == feature);
            match old {
                Some((n, k)) => {
                    (taken[n][k], found[m][i]) = (true, true);
                    let (from, to) = (before[n].manifold.normal, now[m].manifold.normal);
                    now[m].impulses[i] = rotate_friction(&before[n].impulses[k], from, to);
                }
                None => all = false,
            }
        }
    }
    if all || before.is_empty() {
        return;
    }
    let near = SAME_CONTACT * scalar::max(extent(now), extent(before));
    for m in 0..count {
        for i in (0..now[m].manifold.points().len()).filter(|i| !found[m][*i]) {
            let place = now[m].manifold.points()[i].anchor_a;
            let mut best: Option<(PointIndex, f64)> = None;
            for (n, k) in point_indices(before).filter(|&(n, k)| !taken[n][k]) {
                let apart = point(before, (n, k)).anchor_a.distance(place);
                if apart <= near && best.is_none_or(|b| apart < b.1) {
                    best = Some(((n, k), apart));
                }
            }
            if let Some(((n, k), _)) = best {
                taken[n][k] = true;
                let (from, to) = (before[n].manifold.normal, now[m].manifold.normal);
                now[m].impulses[i] = reproject(&before[n].impulses[k], from, to);
            }
        }
    }
}

fn point_indices(manifolds: &[PersistentManifold]) -> impl Iterator<Item = PointIndex> {
    manifolds.iter().enumerate().flat_map(|(n, m)| (0..m.manifold.points().len()).map(move |k| (n, k)))
}

fn point(manifolds: &[PersistentManifold], (n, k): PointIndex) -> &ContactPoint {
    &manifolds[n].manifold.points()[k]
}

/// How far the points are from the first, m.
fn extent(manifolds: &[PersistentManifold]) -> f64 {
    let mut points = manifolds.iter().flat_map(|m| m.manifold.points());
    let Some(first) = points.next() else { return 0.0 };
    points.fold(0.0, |size, point| scalar::max(size, point.anchor_a.distance(first.anchor_a)))
}

/// The impulse of a contact whose normal rotated: the same normal impulse, and the same friction vector.
pub(super) fn rotate_friction(impulse: &ContactImpulse, from: Vec3, to: Vec3) -> ContactImpulse {
    if impulse.tangent == [0.0; 2] || from == to {
        return *impulse;
    }
    rotate_friction_between(impulse, tangents(from), tangents(to))
}

/// The same for the tangents before and after.
pub(super) fn rotate_friction_between(
    impulse: &ContactImpulse,
    from: [Vec3; 2],
    to: [Vec3; 2],
) -> ContactImpulse {
    let vector = along(impulse, from);
    ContactImpulse { normal: impulse.normal, tangent: to.map(|t| vector.dot(t)) }
}

/// The same impulse vector decomposed along another normal.
fn reproject(impulse: &ContactImpulse, from: Vec3, to: Vec3) -> ContactImpulse {
    let vector = from * impulse.normal + across(impulse, from);
    ContactImpulse { normal: scalar::max(vector.dot(to), 0.0), tangent: tangents(to).map(|t| vector.dot(t)) }
}

fn across(impulse: &ContactImpulse, normal: Vec3) -> Vec3 {
    along(impulse, tangents(normal))
}

/// Friction as a vector, given the tangents.
fn along(impulse: &ContactImpulse, [first, second]: [Vec3; 2]) -> Vec3 {
    first * impulse.tangent[0] + second * impulse.tangent[1]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Quat, frame_of_normal};
    use crate::physics::collision::{ContactManifold, FeatureId};

    fn with_point(normal: Vec3, place: Vec3, feature: u32, impulse: Vec3) -> PersistentManifold {
        let mut found = PersistentManifold::EMPTY;
        found.manifold = ContactManifold::with_normal(normal);
        let feature = FeatureId { a: feature, b: 0 };
        found.manifold.push(ContactPoint { anchor_a: place, feature, ..ContactPoint::default() });
        let own = frame_of_normal(normal).transpose() * impulse;
        found.impulses[0] = ContactImpulse { normal: own.x, tangent: [own.y, own.z] };
        found
    }

    fn impulse_of(manifold: &PersistentManifold, k: usize) -> Vec3 {
        let ContactImpulse { normal, tangent } = manifold.impulses[k];
        frame_of_normal(manifold.manifold.normal) * Vec3::new(normal, tangent[0], tangent[1])
    }

    const FORCE: Vec3 = Vec3::new(0.3, -0.2, 1.0);

    /// An edge contact that became a face contact: the normal differs, the force on the body does not.
    #[test]
    fn a_point_of_other_features_in_the_same_place_carries_the_same_force() {
        let before = [with_point(Vec3::Z, Vec3::X, 1, FORCE), with_point(Vec3::Z, -Vec3::X, 2, Vec3::ZERO)];
        let tilted = Quat::from_rotation_y(0.02) * Vec3::Z;
        let mut now = [with_point(tilted, Vec3::X * 1.01, 7, Vec3::ZERO)];
        match_contacts(&mut now, &before);
        assert!((impulse_of(&now[0], 0) - FORCE).length() < 1e-15, "{:?}", now[0].impulses[0]);
    }

    /// The same vertex on a face that rotated with its body: same normal impulse, same friction vector.
    #[test]
    fn a_point_of_the_same_features_keeps_its_load_along_the_normal() {
        let tilted = Quat::from_rotation_y(0.02) * Vec3::Z;
        let mut now = [with_point(tilted, Vec3::X, 1, Vec3::ZERO)];
        match_contacts(&mut now, &[with_point(Vec3::Z, Vec3::X, 1, FORCE)]);
        assert!((now[0].impulses[0].normal - 1.0).abs() < 1e-15);
        assert!((impulse_of(&now[0], 0) - FORCE).length() < 0.021, "the normal has rotated by 0.02 rad");
    }

    #[test]
    fn a_point_elsewhere_starts_from_nothing_and_no_force_is_taken_twice() {
        let before = [with_point(Vec3::Z, Vec3::X, 1, FORCE), with_point(Vec3::Z, -Vec3::X, 2, Vec3::ZERO)];
        let mut far = [with_point(Vec3::Z, Vec3::Y, 7, Vec3::ZERO)];
        match_contacts(&mut far, &before);
        assert_eq!(impulse_of(&far[0], 0), Vec3::ZERO);
        let mut two =
            [with_point(Vec3::Z, Vec3::X, 7, Vec3::ZERO), with_point(Vec3::Z, Vec3::X, 8, Vec3::ZERO)];
        match_contacts(&mut two, &before);
        let sum = impulse_of(&two[0], 0) + impulse_of(&two[1], 0);
        assert!((sum - FORCE).length() < 1e-15, "{sum}");
    }
}

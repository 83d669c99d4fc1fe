//! Contacts of any two shapes over a few poses: `ManifoldCache::update` returns; within the range of a world there are at
//! most `MAX_POINTS` points, all finite and no farther than the margin, with a unit normal, and the manifold of two
//! convex shapes is as deep as their distance says.

use msd::math::ReferenceFrame;
use msd::physics::collision::{MAX_POINTS, ManifoldCache, distance};

use crate::bytes::{Bytes, Range};
use crate::distance::Pair;
use crate::shapes;

pub fn check(bytes: &[u8]) {
    let bytes = &mut Bytes::new(bytes);
    let range = bytes.range();
    let mut pair = Pair::new(bytes, range);
    let margin = bytes.length(range) * 0.1;
    let mut cache = ManifoldCache::default();
    for step in 0..4 {
        let found = cache.update(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b, margin);
        if range == Range::World {
            for m in found {
                sound(&m.manifold, margin, step, &pair);
            }
            if let (0, Some(_), Some(_)) = (step, pair.a.as_convex(), pair.b.as_convex()) {
                let deepest = found.first().map_or(f64::INFINITY, |m| m.manifold.deepest());
                as_deep_as_the_distance(deepest, margin, &pair);
            }
        }
        move_a_little(bytes, range, &mut pair);
    }
}

fn move_a_little(bytes: &mut Bytes<'_>, range: Range, pair: &mut Pair) {
    let size = if bytes.choice(2) == 0 { 1e-4 } else { 0.1 };
    match bytes.choice(3) {
        0 => pair.pose_b.position += bytes.unit_vector() * size,
        1 => {
            pair.pose_b.orientation =
                msd::math::orientation::advanced(pair.pose_b.orientation, bytes.unit_vector(), size);
        }
        _ => pair.pose_a = if bytes.choice(4) == 0 { bytes.pose(range) } else { ReferenceFrame::IDENTITY },
    }
}

fn sound(manifold: &msd::physics::collision::ContactManifold, margin: f64, step: usize, pair: &Pair) {
    let text = || format!("step {step}, margin {margin}: {manifold:?}\n{}", pair.text());
    assert!(!manifold.is_empty() && manifold.points().len() <= MAX_POINTS, "{}", text());
    assert!((manifold.normal.length() - 1.0).abs() < 1e-9, "the normal is not a unit vector\n{}", text());
    let slack = 1e-9 * pair.scale();
    for p in manifold.points() {
        let finite =
            p.on_a.is_finite() && p.on_b.is_finite() && p.anchor_a.is_finite() && p.anchor_b.is_finite();
        assert!(finite && p.distance.is_finite(), "a contact is not finite\n{}", text());
        let gap = manifold.normal.dot(p.on_b - p.on_a);
        assert!(
            (gap - p.distance).abs() <= slack,
            "a gap of {gap} m is said to be {} m\n{}",
            p.distance,
            text()
        );
        assert!(p.distance <= margin * 1.1 + slack, "a contact beyond the margin\n{}", text());
    }
}

fn as_deep_as_the_distance(deepest: f64, margin: f64, pair: &Pair) {
    let found = distance(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b);
    let slack = 1e-6 * (shapes::reach(&pair.a) + shapes::reach(&pair.b)) + 1e-9 * pair.scale();
    let text = || format!("deepest contact {deepest}, margin {margin}, {found:?}\n{}", pair.text());
    if found.signed > margin + slack {
        assert!(deepest.is_infinite(), "contacts of shapes beyond the margin\n{}", text());
    } else if found.signed < margin - slack {
        assert!((deepest - found.signed).abs() <= slack, "manifold and distance disagree\n{}", text());
    }
}

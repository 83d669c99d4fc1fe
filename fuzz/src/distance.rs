//! Distance of any two shapes in any finite poses: no query panics or hangs. Within the range of a world the distance of
//! bounded shapes is finite, the normal a unit vector, the witness points are on the surfaces and a signed distance
//! along the normal apart, exchanging the shapes changes nothing, and `intersects` and `penetration` agree with it.

use msd::math::{ReferenceFrame, Vec3};
use msd::physics::collision::{Distance, distance, intersects, penetration};
use msd::physics::rigid_body::shape::{Geometry, Shape};

use crate::bytes::{Bytes, Range};
use crate::shapes;

/// How far a witness may be off a surface, relative to the same: on curved ones it is on a chord.
const SURFACE: f64 = 1e-7;

/// Round-off allowed, relative to sizes and distance from the origin.
const SLACK: f64 = 1e-9;

pub struct Pair {
    pub a: Shape,
    pub pose_a: ReferenceFrame,
    pub b: Shape,
    pub pose_b: ReferenceFrame,
}

impl Pair {
    pub fn new(bytes: &mut Bytes<'_>, range: Range) -> Self {
        let a = shapes::any(bytes, range);
        let b = if bytes.choice(8) == 0 { a.clone() } else { shapes::any(bytes, range) };
        let pose_a = bytes.pose(range);
        let pose_b = match bytes.choice(4) {
            0 => pose_a,
            1 => ReferenceFrame { position: pose_a.position + bytes.unit_vector(), ..pose_a },
            _ => bytes.pose(range),
        };
        Self { a, pose_a, b, pose_b }
    }

    /// Reference length of round-off: sizes, and distances of the shapes from each other and from the origin.
    pub fn scale(&self) -> f64 {
        shapes::reach(&self.a)
            + shapes::reach(&self.b)
            + self.pose_a.position.length()
            + self.pose_b.position.length()
    }

    pub fn text(&self) -> String {
        format!("A {:?}\n  at {:?}\nB {:?}\n  at {:?}", self.a, self.pose_a, self.b, self.pose_b)
    }
}

pub fn check(bytes: &[u8]) {
    let bytes = &mut Bytes::new(bytes);
    let range = bytes.range();
    let pair = Pair::new(bytes, range);
    let Pair { a, pose_a, b, pose_b } = &pair;
    let found = distance(a, pose_a, b, pose_b);
    let touching = intersects(a, pose_a, b, pose_b);
    let overlap = penetration(a, pose_a, b, pose_b);
    let swapped = distance(b, pose_b, a, pose_a);
    if range == Range::Finite {
        return;
    }
    let text = || format!("{found:?}\n{}", pair.text());
    let bounded = a.is_bounded() || b.is_bounded();
    assert!(found.signed.is_finite() || !bounded, "the distance is not finite\n{}", text());
    assert!(finite(&found), "a witness is not finite\n{}", text());
    let excess = (found.normal.length() - 1.0).abs();
    assert!(excess < 1e-12, "the normal is off unit length by {excess}\n{}", text());
    assert_eq!(overlap.is_some(), found.signed <= 0.0, "penetration and distance disagree\n{}", text());
    let slack = SLACK * pair.scale();
    if found.signed.is_finite() {
        let apart = (found.witness_b - found.witness_a - found.normal * found.signed).length();
        assert!(apart <= slack, "the witnesses are {apart} m off the normal, {slack} allowed\n{}", text());
    }
    assert!(touching || found.signed > -slack, "overlapping, but it does not intersect\n{}", text());
    assert!(!touching || found.signed < slack, "apart, but it intersects\n{}", text());
    on_surface("A", a, pose_a, found.witness_a, SURFACE * pair.scale(), &text);
    on_surface("B", b, pose_b, found.witness_b, SURFACE * pair.scale(), &text);
    if a == b && pose_a == pose_b {
        return; // A shape in its own place: every answer mirrors itself, no normal does.
    }
    let back = Distance {
        witness_a: swapped.witness_b,
        witness_b: swapped.witness_a,
        normal: -swapped.normal,
        ..swapped
    };
    assert_eq!(back, found, "exchanging the shapes changes the answer\n{}", text());
}

fn finite(found: &Distance) -> bool {
    found.witness_a.is_finite() && found.witness_b.is_finite() && found.normal.is_finite()
}

fn on_surface(
    which: &str,
    shape: &Shape,
    pose: &ReferenceFrame,
    witness: Vec3,
    slack: f64,
    text: &dyn Fn() -> String,
) {
    if matches!(shape, Shape::Compound(_) | Shape::HalfSpace(_)) {
        return;
    }
    let height = shape.signed_distance(pose.point_to_local(witness));
    assert!(
        height.abs() <= slack,
        "the witness on {which} is {height} m off its surface, {slack} allowed\n{}",
        text()
    );
}

//! The contact cache of a pair survives storage, rotation and recycling.

use msd::math::orientation::from_rotation_vector;
use msd::math::{ReferenceFrame, Vec3, frame_of_normal, scalar};
use msd::physics::collision::{ContactImpulse, ContactManifold, ManifoldCache, Recycling};
use msd::physics::rigid_body::shape::{
    Compound, CompoundPart, ConvexHull, Cuboid, Cylinder, HalfSpace, Shape, Sphere, TriangleMesh,
};

fn cube() -> Shape {
    Cuboid::new(Vec3::ONE).expect("positive").into()
}

fn grounds() -> Vec<Shape> {
    let part = |x: f64| CompoundPart { frame: ReferenceFrame::from_position(Vec3::X * x), shape: cube() };
    let points: Vec<Vec3> = (0..60)
        .map(|k| {
            let t = f64::from(k);
            let p = Vec3::new(scalar::sin(1.7 * t), scalar::cos(2.3 * t), scalar::sin(0.9 * t)).normalize();
            // With a flat top at 0.5 m.
            Vec3::new(p.x, p.y, scalar::min(p.z, 0.5))
        })
        .collect();
    let corners = [(-2.0, -2.0), (2.0, -2.0), (2.0, 2.0), (-2.0, 2.0)];
    let corners = corners.map(|(x, y)| Vec3::new(x, y, 0.5)).to_vec();
    vec![
        cube(),
        ConvexHull::from_points(&points).expect("a hull").into(),
        HalfSpace::new(Vec3::Z, 0.5).expect("a direction").into(),
        Cylinder::new(0.5, 1.0).expect("positive").into(),
        Compound::new(vec![part(-0.5), part(0.5)]).expect("parts").into(),
        TriangleMesh::new(corners, vec![[0, 1, 2], [0, 2, 3]]).expect("triangles").into(),
    ]
}

/// A cube that comes down, rests for some steps and slides off.
fn pose_at(step: u32) -> ReferenceFrame {
    let t = f64::from(step);
    let height = if step < 6 { 1.012 - 0.002 * t } else { 1.0 - 1e-6 * (t - 6.0) };
    let slide = if step < 12 { 0.0 } else { 0.01 * (t - 12.0) };
    ReferenceFrame::new(
        Vec3::new(0.1 + slide, 0.05, height),
        from_rotation_vector(Vec3::new(1e-3, 0.0, 0.02) * scalar::sin(0.3 * t)),
    )
}

fn advance(cache: &mut ManifoldCache, ground: &Shape, body: &Shape, step: u32) {
    cache.update(ground, &ReferenceFrame::IDENTITY, body, &pose_at(step), 0.005);
    for (k, m) in cache.manifolds_mut().iter_mut().enumerate() {
        for (i, impulse) in m.impulses.iter_mut().enumerate().take(m.manifold.points().len()) {
            // Impulses as a solver might store them, as a function of the contacts.
            impulse.normal = 0.9 * impulse.normal + 0.1 * f64::from(step) + 0.01 * (i + k) as f64;
            impulse.tangent = [impulse.tangent[0] + 0.02, impulse.tangent[1] - 0.01 * i as f64];
        }
    }
}

#[test]
fn a_restored_cache_goes_on_bit_by_bit_as_the_stored_one() {
    let bodies = [cube(), Sphere::new(0.5).expect("positive").into()];
    for ground in &grounds() {
        for body in &bodies {
            for stored_after in [0, 4, 8, 14, 20] {
                let mut cache = ManifoldCache::default();
                (0..stored_after).for_each(|step| advance(&mut cache, ground, body, step));
                let bytes = postcard::to_allocvec(&cache).expect("storable");
                let mut restored: ManifoldCache = postcard::from_bytes(&bytes).expect("restorable");
                assert_eq!(restored, cache);
                for step in stored_after..30 {
                    advance(&mut cache, ground, body, step);
                    advance(&mut restored, ground, body, step);
                    let (a, b) = (postcard::to_allocvec(&cache), postcard::to_allocvec(&restored));
                    let pair = format!("{} on {}", body.type_name(), ground.type_name());
                    assert_eq!(a, b, "{pair}, stored after {stored_after}, step {step}");
                }
                assert!(!cache.manifolds().is_empty(), "the pair of the test parted");
            }
        }
    }
}

#[test]
fn a_stored_manifold_with_too_many_points_is_refused() {
    let mut one = ContactManifold::with_normal(Vec3::Z);
    one.push(msd::physics::collision::ContactPoint::default());
    let mut value = serde_json::to_value(one).expect("storable");
    let point = value["points"][0].clone();
    value["points"] = serde_json::Value::Array(vec![point; 9]);
    let refused = serde_json::from_value::<ContactManifold>(value).expect_err("nine points");
    assert!(refused.to_string().contains("at most 8 points, got 9"), "{refused}");
}

/// The tangents of a normal jump where it crosses the horizontal plane; friction must not.
#[test]
fn friction_keeps_its_direction_when_a_recycled_normal_crosses_the_horizontal() {
    let tilted = |angle: f64| {
        let turn = from_rotation_vector(Vec3::Y * angle);
        (ReferenceFrame::new(Vec3::ZERO, turn), ReferenceFrame::new(turn * (Vec3::X * 1.0005), turn))
    };
    let force = |cache: &ManifoldCache| -> Vec3 {
        let m = &cache.manifolds()[0];
        let frame = frame_of_normal(m.manifold.normal);
        m.impulses.iter().map(|i| frame * Vec3::new(0.0, i.tangent[0], i.tangent[1])).sum()
    };
    let (pose_a, pose_b) = tilted(1e-6);
    let mut cache = ManifoldCache::default();
    cache.update(&cube(), &pose_a, &cube(), &pose_b, 0.002);
    let points = cache.manifolds()[0].manifold.points().len();
    cache.manifolds_mut()[0].impulses[..points].fill(ContactImpulse { normal: 1.0, tangent: [0.3, -0.2] });
    let before = force(&cache);
    let normal_before = cache.manifolds()[0].manifold.normal;
    let (pose_a, pose_b) = tilted(-1e-6);
    cache.update(&cube(), &pose_a, &cube(), &pose_b, 0.002);
    assert!(normal_before.z * cache.manifolds()[0].manifold.normal.z < 0.0);
    assert!((force(&cache) - before).length() < 1e-5 * before.length());
}

#[test]
fn contacts_moved_along_widely_are_off_by_the_second_order() {
    // A cube on a cube, turned by θ and shifted by d: a gap is off by at most what a turned face makes of the way along it,
    // θ (d + θ r), and 1 - cos θ of the depth. r = √3/2 reaches the corners.
    let (margin, distance, reach) = (0.02, 0.01, 0.75_f64.sqrt());
    for (k, turn) in [Vec3::X, Vec3::Y, Vec3::Z, Vec3::new(0.6, -0.8, 0.3)].into_iter().enumerate() {
        for shift in [Vec3::ZERO, Vec3::new(2e-3, -1e-3, 1e-3), Vec3::new(-1e-3, 2e-3, -2e-3)] {
            let turn = turn * 4e-3;
            let base = ReferenceFrame::from_position(Vec3::new(0.2, 0.1, 0.999));
            let moved = ReferenceFrame::new(base.position + shift, from_rotation_vector(turn));
            let (mut cache, mut anew) = (ManifoldCache::default(), ManifoldCache::default());
            let update = |cache: &mut ManifoldCache, pose: &ReferenceFrame| {
                let shapes = [&cube(), &cube()];
                cache.update_by(shapes, [&ReferenceFrame::IDENTITY, pose], margin, Recycling::Wide(distance));
            };
            update(&mut cache, &base);
            let before = cache.manifolds()[0].manifold;
            update(&mut cache, &moved);
            update(&mut anew, &moved);
            let (now, found) = (&cache.manifolds()[0].manifold, &anew.manifolds()[0].manifold);
            let kept = now.points().iter().zip(before.points()).all(|(p, q)| p.anchor_b == q.anchor_b);
            assert!(kept && now.points().len() == before.points().len(), "moved along, {k} {shift}");
            let theta = turn.length();
            let bound = theta * (shift.length() + theta * reach) + 0.5 * theta * theta * 0.02;
            assert!((now.deepest() - found.deepest()).abs() < bound, "{k} {shift}: {bound}");
            // Farther than that it is detected again.
            let far = ReferenceFrame::new(moved.position + Vec3::X * distance, moved.orientation);
            update(&mut cache, &far);
            assert!(cache.manifolds()[0].manifold.points()[0].anchor_b != before.points()[0].anchor_b);
        }
    }
}

#[test]
fn a_long_body_that_turns_about_a_contact_near_its_middle_is_looked_at_again() {
    // A beam of 4 m over a small block under its middle and a plate 5 mm below its end: turned by 3 mrad it meets the plate, though
    // the contacts at the block have hardly moved.
    let block = |size: Vec3| -> Shape { Cuboid::new(size).expect("positive").into() };
    let part =
        |at: Vec3, size: Vec3| CompoundPart { frame: ReferenceFrame::from_position(at), shape: block(size) };
    let ground: Shape = Compound::new(vec![
        part(Vec3::new(0.0, 0.0, -0.5), Vec3::new(0.1, 0.1, 1.0)),
        part(Vec3::new(1.8, 0.0, -0.505), Vec3::new(0.4, 0.4, 1.0)),
    ])
    .expect("parts")
    .into();
    let beam = block(Vec3::new(4.0, 0.1, 0.1));
    let mut cache = ManifoldCache::default();
    let mut manifolds = |turn: f64| {
        let pose = ReferenceFrame::new(Vec3::Z * 0.05, from_rotation_vector(Vec3::Y * turn));
        let shapes = [&ground, &beam];
        cache.update_by(shapes, [&ReferenceFrame::IDENTITY, &pose], 2e-3, Recycling::Wide(2e-3)).len()
    };
    assert_eq!(manifolds(0.0), 1);
    assert_eq!(manifolds(3e-3), 2);
}

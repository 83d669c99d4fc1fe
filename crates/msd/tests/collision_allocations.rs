//! The narrow phase asks for no memory: neither a single query nor, once warm, the cache of a pair.

mod counting_allocator;

use counting_allocator::allocations;
use msd::math::orientation::from_rotation_vector;
use msd::math::{ReferenceFrame, Vec3, scalar};
use msd::physics::collision::{ManifoldCache, distance, intersects, penetration};
use msd::physics::rigid_body::shape::{
    Capsule, Compound, CompoundPart, Cone, ConvexHull, Cuboid, Cylinder, HalfSpace, Shape, Sphere,
    TriangleMesh,
};

fn shapes() -> Vec<Shape> {
    let sphere: Shape = Sphere::new(0.5).expect("positive").into();
    let part =
        |x: f64| CompoundPart { frame: ReferenceFrame::from_position(Vec3::X * x), shape: sphere.clone() };
    let points: Vec<Vec3> = (0..60)
        .map(|k| {
            let t = f64::from(k);
            Vec3::new(scalar::sin(1.7 * t), scalar::cos(2.3 * t), scalar::sin(0.9 * t)).normalize()
        })
        .collect();
    let corners = vec![Vec3::ZERO, Vec3::X, Vec3::ONE, Vec3::Y];
    vec![
        sphere.clone(),
        Cuboid::new(Vec3::ONE).expect("positive").into(),
        Capsule::new(0.4, 1.0).expect("positive").into(),
        Cylinder::new(0.5, 1.0).expect("positive").into(),
        Cone::new(0.5, 1.0).expect("positive").into(),
        ConvexHull::from_points(&points).expect("a hull").into(),
        HalfSpace::new(Vec3::Z, 0.0).expect("a direction").into(),
        Compound::new(vec![part(-0.5), part(0.5)]).expect("parts").into(),
        TriangleMesh::new(corners, vec![[0, 1, 2], [0, 2, 3]]).expect("triangles").into(),
    ]
}

#[test]
fn queries_and_warm_caches_allocate_nothing() {
    for a in &shapes() {
        for b in &shapes() {
            let mut cache = ManifoldCache::default();
            for pass in 0..2 {
                for k in 0..40 {
                    let gap = 1.4 - 0.035 * f64::from(k);
                    let turn = Vec3::new(0.1, 0.2, -0.3) * f64::from(k % 5);
                    let pose = ReferenceFrame::new(Vec3::new(0.1, 0.2, gap), from_rotation_vector(turn));
                    let origin = ReferenceFrame::IDENTITY;
                    let single = allocations(|| {
                        std::hint::black_box(distance(a, &origin, b, &pose));
                        std::hint::black_box(penetration(a, &origin, b, &pose));
                        std::hint::black_box(intersects(a, &origin, b, &pose));
                    });
                    assert_eq!(single, 0, "{}-{}", a.type_name(), b.type_name());
                    let cached = allocations(|| {
                        cache.update(a, &origin, b, &pose, 0.01);
                    });
                    assert!(pass == 0 || cached == 0, "{}-{}: {cached}", a.type_name(), b.type_name());
                }
            }
        }
    }
}

//! Distances of shapes that touch to within round-off: the normal of a curved surface is that at the nearest point, although a facet within
//! round-off ε of a surface of radius r may be `√(8 r ε)` wide.

#![allow(clippy::unwrap_used, reason = "a test that cannot build its scene has failed")]

use msd::math::orientation::from_rotation_vector;
use msd::math::{ReferenceFrame, Vec3, scalar};
use msd::physics::collision::{ManifoldCache, distance};
use msd::physics::rigid_body::shape::{Cone, ConvexHull, Cuboid, Cylinder, Shape};

struct Random(u64);

impl Random {
    fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        low + (high - low) * ((self.0 >> 11) as f64 / (1_u64 << 53) as f64)
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.between(-1.0, 1.0), self.between(-1.0, 1.0), self.between(-1.0, 1.0))
    }

    fn shape(&mut self, kind: usize) -> Shape {
        let (x, y, z) = (self.between(0.2, 0.6), self.between(0.2, 0.6), self.between(0.2, 0.6));
        match kind {
            0 => Cylinder::new(0.5 * x, y).unwrap().into(),
            1 => Cone::new(0.5 * x, y).unwrap().into(),
            2 => Cuboid::new(Vec3::new(x, y, z)).unwrap().into(),
            _ => {
                let points: Vec<Vec3> = (0..10).map(|_| self.vector().normalize() * (0.5 * x)).collect();
                ConvexHull::from_points(&points).unwrap().into()
            }
        }
    }
}

/// By how much a normal is out of the plane of the axis and a point of a solid of revolution, times the distance of the point from the axis, m.
fn out_of_plane(frame: &ReferenceFrame, point: Vec3, normal: Vec3) -> f64 {
    let (p, n) = (frame.point_to_local(point), frame.direction_to_local(normal));
    (p.x * n.y - p.y * n.x).abs()
}

#[test]
fn a_curved_surface_has_its_normal_where_it_touches() {
    for seed in 0..4000 {
        let mut random = Random(seed);
        let kinds = [seed as usize % 2, seed as usize / 2 % 4];
        let shapes = kinds.map(|kind| random.shape(kind));
        let turns = [0; 2].map(|_| from_rotation_vector(random.vector() * 3.0));
        let (way, beside) = (random.vector().normalize(), random.vector() * 0.05);
        let frames = |apart: f64| {
            [ReferenceFrame::new(Vec3::ZERO, turns[0]), ReferenceFrame::new(way * apart + beside, turns[1])]
        };
        let at = |apart: f64| {
            let [a, b] = frames(apart);
            distance(&shapes[0], &a, &shapes[1], &b)
        };
        let (mut inside, mut outside) = (0.0, 2.0);
        if at(inside).signed > 0.0 {
            continue;
        }
        for _ in 0..60 {
            let middle = 0.5 * (inside + outside);
            if at(middle).signed > 0.0 { outside = middle } else { inside = middle }
        }
        let found = at(outside);
        for (k, point) in [found.witness_a, found.witness_b].into_iter().enumerate() {
            if kinds[k] < 2 {
                let off = out_of_plane(&frames(outside)[k], point, found.normal);
                assert!(off <= 1e-11, "seed {seed}: the normal is {off:.1e} m off");
            }
        }
        // The manifold has the same one.
        let [a, b] = frames(outside);
        let mut cache = ManifoldCache::default();
        let manifolds = cache.update(&shapes[0], &a, &shapes[1], &b, 1e-6);
        let deepest = manifolds.iter().map(|m| m.manifold.deepest()).fold(f64::INFINITY, scalar::min);
        assert!((deepest - found.signed).abs() <= 1e-9, "seed {seed}: {deepest:e} m, not {:e}", found.signed);
    }
}

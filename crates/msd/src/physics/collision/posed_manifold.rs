//! Evaluates a cached manifold at the current poses without modifying it.
//!
//! A recycled manifold stays as it was built: anchors on both bodies, the normal in A, and impulses along the
//! normal and tangents at which they were stored. The current positions, gaps and impulses along the current
//! normal follow from the poses. Recycling therefore costs nothing until the contact is read, and a failed
//! step needs no rollback.

use super::contact_impulse::{ContactImpulse, tangents};
use super::contact_matching::{rotate_friction, rotate_friction_between};
use super::manifold::{ContactPoint, Poses};
use super::persistent_manifold::PersistentManifold;
use crate::math::kernels::{Kernel, prefetch, run_over};
use crate::math::lanes::{Four, Frames, Lanes, Vectors, each, four};
use crate::math::{Mat3, Vec3, frame_of_normal};

/// A cached manifold evaluated at given poses.
pub(crate) struct PosedManifold<'a> {
    /// Columns n, t₁, t₂, world frame.
    pub(crate) frame: Mat3,
    recycled: bool,
    manifold: &'a PersistentManifold,
    poses: &'a Poses,
    /// The tangents at which the impulses were stored, if the normal has rotated since.
    stored: Option<[Vec3; 2]>,
    /// Maps components along the stored tangents to components along the current ones.
    turn: [[f64; 2]; 2],
}

/// One of its points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PosedPoint {
    /// From the origin of A to the midpoint of the points on A and on B, world frame, m.
    pub(crate) middle: Vec3,
    /// Gap along the normal, m; negative is overlap.
    pub(crate) gap: f64,
    /// Cached impulse, N·s, in the contact frame.
    pub(crate) impulse: Vec3,
}

impl PersistentManifold {
    /// The manifold at these poses; `recycled` if it was not built in this update.
    pub(crate) fn at_poses<'a>(&'a self, poses: &'a Poses, recycled: bool) -> PosedManifold<'a> {
        let stored = self.manifold.normal;
        let normal = if recycled { poses.rotation_a * self.normal_in_a } else { stored };
        let frame = frame_of_normal(normal);
        let stored = (normal != stored).then(|| tangents(stored));
        let turn = stored.map_or([[1.0, 0.0], [0.0, 1.0]], |before| {
            [frame.y_axis, frame.z_axis].map(|now| before.map(|then| now.dot(then)))
        });
        PosedManifold { frame, recycled, manifold: self, poses, stored, turn }
    }

    /// Rotates the cached impulses to the current normal, along which the first `stored` of them are stored
    /// next.
    pub(crate) fn rotate_impulses_to(&mut self, normal: Vec3, stored: usize) {
        let points = self.manifold.points().len();
        if stored < points && normal != self.manifold.normal {
            for impulse in &mut self.impulses[..points] {
                *impulse = rotate_friction(impulse, self.manifold.normal, normal);
            }
        }
        self.manifold.normal = normal;
    }

    /// Stores the impulses of its points along the current normal and its tangents.
    pub(crate) fn store_impulses(&mut self, normal: Vec3, impulses: &[ContactImpulse]) {
        self.manifold.normal = normal;
        self.impulses[..impulses.len()].copy_from_slice(impulses);
    }

    /// Prefetches the memory that [`PersistentManifold::store_impulses`] writes.
    pub(crate) fn prefetch_impulses(&self) {
        prefetch(&self.manifold.normal);
        prefetch(&self.impulses);
    }
}

impl PosedManifold<'_> {
    /// Number of points.
    pub(crate) fn len(&self) -> usize {
        self.manifold.manifold.points().len()
    }

    /// Its points.
    pub(crate) fn points(&self) -> impl Iterator<Item = PosedPoint> + Clone {
        let Self { frame, recycled, poses, turn, .. } = self;
        let points = self.manifold.manifold.points().iter().zip(&self.manifold.impulses);
        points.map(move |(point, known)| {
            let from_a = poses.rotation_a * point.anchor_a;
            let from_b = poses.between + poses.rotation_b * point.anchor_b;
            let gap = if *recycled { frame.x_axis.dot(from_b - from_a) } else { point.distance };
            let [t, s] = known.tangent;
            let [along_t, along_s] = turn.map(|[of_t, of_s]| of_t * t + of_s * s);
            let impulse = Vec3::new(known.normal, along_t, along_s);
            PosedPoint { middle: 0.5 * (from_a + from_b), gap, impulse }
        })
    }

    /// Gaps of up to four of its points, m, along the normal.
    pub(crate) fn gaps(&self, points: &[ContactPoint]) -> Four {
        if self.recycled {
            run_over(points.len(), GapKernel { normal: self.frame.x_axis, poses: self.poses, points })
        } else {
            each(four(points), |point| point.distance)
        }
    }

    /// Cached impulse of a point, N·s, in the contact frame: same normal impulse, same friction vector.
    pub(crate) fn impulse(&self, point: usize) -> Vec3 {
        let known = self.manifold.impulses[point];
        let ContactImpulse { normal, tangent: [t, s] } = match self.stored {
            Some(before) if known.tangent != [0.0; 2] => {
                rotate_friction_between(&known, before, [self.frame.y_axis, self.frame.z_axis])
            }
            _ => known,
        };
        Vec3::new(normal, t, s)
    }
}

struct GapKernel<'a> {
    normal: Vec3,
    poses: &'a Poses,
    points: &'a [ContactPoint],
}

impl Kernel for GapKernel<'_> {
    type Output = Four;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Four {
        let Poses { rotation_a, rotation_b, between, .. } = self.poses;
        let all = four(self.points);
        let from_a = Frames::<L>::all(rotation_a).world(Vectors::of(each(all, |point| point.anchor_a)));
        let from_b = Frames::<L>::all(rotation_b).world(Vectors::of(each(all, |point| point.anchor_b)));
        Vectors::all(self.normal).dot(Vectors::all(*between) + from_b - from_a).store()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Quat, ReferenceFrame};
    use crate::physics::collision::{ManifoldCache, Recycling};
    use crate::physics::rigid_body::shape::{Cuboid, Shape};

    /// Two stacked cubes after both have rotated by this angle, rad; with cached impulses of the step before.
    fn turned_by(
        angle: f64,
        look: impl Fn(&mut ManifoldCache, [&Shape; 2], [&ReferenceFrame; 2]),
    ) -> ManifoldCache {
        let cube: Shape = Cuboid::new(Vec3::ONE).unwrap().into();
        let mut cache = ManifoldCache::default();
        for turn in [0.0, angle] {
            let turn = Quat::from_scaled_axis(Vec3::new(turn, 0.3 + 2.0 * turn, -turn));
            let pose = |place: Vec3| ReferenceFrame::new(turn * place, turn);
            let poses = [pose(Vec3::new(0.1, 0.2, 0.0)), pose(Vec3::new(0.3, 0.1, 1.001))];
            look(&mut cache, [&cube, &cube], [&poses[0], &poses[1]]);
            if turn == Quat::from_scaled_axis(Vec3::new(0.0, 0.3, 0.0)) {
                for (k, impulse) in cache.manifolds_mut()[0].impulses[..4].iter_mut().enumerate() {
                    let tangent = if k == 2 { [0.0; 2] } else { [0.3, -0.1 * k as f64] };
                    *impulse = ContactImpulse { normal: 1.0 + k as f64, tangent };
                }
            }
        }
        cache
    }

    #[test]
    fn a_kept_manifold_is_seen_with_the_bits_it_has_where_it_is_moved_along() {
        let margin = 0.02;
        let moved = turned_by(0.4, |cache, shapes, poses| {
            cache.update_by(shapes, poses, margin, Recycling::Close);
        });
        let places = std::cell::RefCell::new(None);
        let recycled = turned_by(0.4, |cache, shapes, poses| {
            let recycled = cache.refresh(shapes, poses, margin, Recycling::Close);
            *places.borrow_mut() = Some((Poses::new(poses[0], poses[1]), recycled));
        });
        let (poses, is_recycled) = places.into_inner().unwrap();
        assert!(is_recycled);
        let (now, seen) = (&moved.manifolds()[0], recycled.manifolds()[0].at_poses(&poses, true));
        assert_eq!(seen.frame, frame_of_normal(now.manifold.normal));
        let gaps = seen.gaps(recycled.manifolds()[0].manifold.points());
        assert_eq!(gaps, each(four(now.manifold.points()), |point| point.distance));
        for (k, known) in now.impulses[..4].iter().enumerate() {
            assert_eq!(seen.impulse(k), Vec3::new(known.normal, known.tangent[0], known.tangent[1]), "{k}");
        }
        assert_ne!(
            now.impulses[0].tangent,
            recycled.manifolds()[0].impulses[0].tangent,
            "the normal has turned"
        );
    }

    #[test]
    fn points_that_are_not_noted_keep_their_friction_where_the_normal_turns() {
        let mut manifold = PersistentManifold::EMPTY;
        manifold.manifold.normal = Vec3::Z;
        (0..2).for_each(|_| manifold.manifold.push(ContactPoint::default()));
        let impulse = ContactImpulse { normal: 2.0, tangent: [0.3, -0.4] };
        manifold.impulses[..2].fill(impulse);
        let force = |manifold: &PersistentManifold| {
            let [t, s] = tangents(manifold.manifold.normal);
            t * manifold.impulses[1].tangent[0] + s * manifold.impulses[1].tangent[1]
        };
        let before = force(&manifold);
        manifold.rotate_impulses_to(Vec3::new(0.01, 0.0, 1.0).normalize(), 1);
        assert!((force(&manifold) - before).length() < 0.01 * 0.5 && manifold.impulses[1].normal == 2.0);
        let stored = manifold.impulses[1];
        manifold.rotate_impulses_to(Vec3::Z, 2);
        assert_eq!(manifold.impulses[1], stored, "all of them are stored along the new normal next");
    }
}

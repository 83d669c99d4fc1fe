//! Contacts as they are with the bodies where they are, without writing them down.
//!
//! A manifold that is kept while its bodies move a little stays as it was found: anchors on both bodies, the normal in A, and
//! impulses along the normal of when they were noted and its tangents. Where its points are now, how far apart, and
//! what their impulses are along the normal of now follows from the poses. So keeping a contact costs nothing until it is
//! looked at, and there is nothing to take back of a step that fails.

use super::manifold::Poses;
use super::manifold_cache::{ContactImpulse, PersistentManifold, tangents};
use crate::math::kernels::prefetch;
use crate::math::{Mat3, Vec3, frame_of_normal};

/// A manifold of a pair, seen with the shapes in some poses.
pub(crate) struct SeenManifold<'a> {
    /// Columns n, t₁, t₂, world frame.
    pub(crate) frame: Mat3,
    kept: bool,
    manifold: &'a PersistentManifold,
    poses: &'a Poses,
    /// Takes components along the tangents noted to those along the tangents of now.
    turn: [[f64; 2]; 2],
}

/// One of its points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SeenPoint {
    /// From the origin of A to the middle between the places on A and on B, world frame, m.
    pub(crate) middle: Vec3,
    /// Gap along the normal, m; negative is overlap.
    pub(crate) gap: f64,
    /// What it transmitted, N·s, in the frame.
    pub(crate) impulse: Vec3,
}

impl PersistentManifold {
    /// The manifold in these poses; `kept` if it is not of this update but moved along with the bodies.
    pub(crate) fn seen<'a>(&'a self, poses: &'a Poses, kept: bool) -> SeenManifold<'a> {
        let noted = self.manifold.normal;
        let normal = if kept { poses.turn_a * self.normal_in_a } else { noted };
        let frame = frame_of_normal(normal);
        let turn = if normal == noted {
            [[1.0, 0.0], [0.0, 1.0]]
        } else {
            let before = tangents(noted);
            [frame.y_axis, frame.z_axis].map(|now| before.map(|then| now.dot(then)))
        };
        SeenManifold { frame, kept, manifold: self, poses, turn }
    }

    /// Notes what its points transmitted along the normal that they were seen with, and its tangents.
    pub(crate) fn note(&mut self, normal: Vec3, impulses: &[ContactImpulse]) {
        self.manifold.normal = normal;
        self.impulses[..impulses.len()].copy_from_slice(impulses);
    }

    /// Asks for the memory that [`PersistentManifold::note`] writes.
    pub(crate) fn prefetch_impulses(&self) {
        prefetch(&self.manifold.normal);
        prefetch(&self.impulses);
    }
}

impl SeenManifold<'_> {
    /// How many points it has.
    pub(crate) fn len(&self) -> usize {
        self.manifold.manifold.points().len()
    }

    /// Its points.
    pub(crate) fn points(&self) -> impl Iterator<Item = SeenPoint> + Clone {
        let Self { frame, kept, poses, turn, .. } = self;
        let points = self.manifold.manifold.points().iter().zip(&self.manifold.impulses);
        points.map(move |(point, known)| {
            let from_a = poses.turn_a * point.anchor_a;
            let from_b = poses.between + poses.turn_b * point.anchor_b;
            let gap = if *kept { frame.x_axis.dot(from_b - from_a) } else { point.distance };
            let [t, s] = known.tangent;
            let [along_t, along_s] = turn.map(|[of_t, of_s]| of_t * t + of_s * s);
            let impulse = Vec3::new(known.normal, along_t, along_s);
            SeenPoint { middle: 0.5 * (from_a + from_b), gap, impulse }
        })
    }
}

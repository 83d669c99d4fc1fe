//! The manifold of two convex solids: separating axes where they are quickest, GJK and EPA elsewhere.

use super::assembly;
use super::gjk::GjkStart;
use super::manifold::ContactManifold;
use super::sat;
use super::separation::{self, Separation};
use super::solid::Solid;
use super::support_function::{MinkowskiDifference, RelativePose};
use crate::math::real;
use crate::tolerance;

/// Two solids, B in the frame of A; contacts are in the frame of A but for the anchors of B.
#[derive(Clone, Copy, Debug)]
pub(super) struct ConvexPair<'a> {
    pub a: &'a Solid<'a>,
    pub b: &'a Solid<'a>,
    pub pose: RelativePose,
}

impl ConvexPair<'_> {
    /// Contacts with gaps up to `margin`; `start` is what the last look at this pair has left, and is renewed.
    pub(super) fn contacts(&self, margin: f64, start: &mut GjkStart) -> ContactManifold {
        if start.depth == 0.0
            && let Some(gap) = self.gap_along(start).filter(|gap| *gap > margin)
        {
            start.gap = gap;
            return ContactManifold::EMPTY;
        }
        if separation::suits_sat(&self.a.core, &self.b.core) {
            return self.by_separating_axes(margin, start);
        }
        self.by_distance(margin, start)
    }

    /// The gap along the direction of the last look.
    fn gap_along(&self, start: &GjkStart) -> Option<f64> {
        let v = start.direction.try_normalize()?;
        let difference = MinkowskiDifference { a: &self.a.core, b: &self.b.core, pose: self.pose };
        Some(v.dot(difference.support(-v, start.vertices[0]).point) - self.a.radius - self.b.radius)
    }

    fn by_distance(&self, margin: f64, start: &mut GjkStart) -> ContactManifold {
        let (a, b) = (&self.a.core, &self.b.core);
        let radii = self.a.radius + self.b.radius;
        match separation::between_cores(a, b, &self.pose, start, margin + radii) {
            Some(at) => {
                start.gap = at.distance - radii;
                self.manifold(&at, margin)
            }
            None => {
                start.gap -= radii;
                ContactManifold::EMPTY
            }
        }
    }

    fn by_separating_axes(&self, margin: f64, start: &mut GjkStart) -> ContactManifold {
        let (a, b) = (&self.a.core, &self.b.core);
        let Some(axis) = sat::greatest_separation(a, b, &self.pose, margin) else {
            return self.by_distance(margin, start);
        };
        *start = GjkStart { direction: -axis.normal, gap: axis.separation, ..GjkStart::COLD };
        if axis.separation > margin {
            return ContactManifold::EMPTY;
        }
        if let Some((on_a, on_b)) = axis.edge_witnesses() {
            let at = Separation { normal: axis.normal, distance: axis.separation, on_a, on_b, start: *start };
            let size = real::max(a.size(), b.size());
            let crossed = (on_b - on_a).length() <= axis.separation.abs() + tolerance::WITNESS_MISSED * size;
            return if crossed { self.manifold(&at, margin) } else { self.by_distance(margin, start) };
        }
        let missed = axis.separation + tolerance::WITNESS_MISSED * real::max(a.size(), b.size());
        match assembly::face_points(a, b, &self.pose, axis.normal, margin) {
            Some(found) if found.deepest() <= missed => assembly::round(&found, [0.0; 2], &self.pose),
            // The nearest is not over the face: a corner or an edge, in another direction.
            _ => self.by_distance(margin, start),
        }
    }

    /// Contacts at a known separation of the cores.
    pub(super) fn manifold(&self, at: &Separation, margin: f64) -> ContactManifold {
        assembly::manifold(self.a, self.b, &self.pose, at, margin)
    }
}

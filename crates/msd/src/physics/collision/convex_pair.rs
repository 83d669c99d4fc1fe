//! The manifold of two convex solids: SAT for small polytopes, GJK and EPA elsewhere.

use super::box_box;
use super::box_faces::{self, BoxFace, Faces};
use super::gjk::GjkStart;
use super::manifold::ContactManifold;
use super::manifold_builder;
use super::sat;
use super::sat_axis::SatAxis;
use super::signed_distance;
use super::solid::Core;
use super::solid_pair::ConvexPair;
use super::support_function::MinkowskiDifference;
use super::witness::SignedDistance;
use crate::math::{Vec3, scalar};
use crate::tolerance;

/// Result of a query for two solids within the margin.
#[derive(Clone, Copy, Debug)]
pub(super) enum NearResult {
    /// The axis of greatest separation of two polytopes.
    Along(SatAxis),
    /// The signed distance of the cores and its witness points.
    At(SignedDistance),
}

impl ConvexPair<'_> {
    /// Contacts with gaps up to `margin`; `start` is the warm start from the last query of this pair and is
    /// updated.
    pub(super) fn contacts(&self, margin: f64, start: &mut GjkStart) -> ContactManifold {
        let mut found = ContactManifold::EMPTY;
        self.contacts_into(margin, start, &mut found);
        found
    }

    /// The same, written to `out`, which must be empty.
    pub(super) fn contacts_into(&self, margin: f64, start: &mut GjkStart, out: &mut ContactManifold) {
        if let Some(near) = self.query(margin, start) {
            self.contacts_at(&near, margin, start, out);
        }
    }

    /// The axis or distance of the solids; `None` if they are more than `margin` apart.
    pub(super) fn query(&self, margin: f64, start: &mut GjkStart) -> Option<NearResult> {
        // Temporal coherence: the last separating direction often still separates.
        if start.depth == 0.0
            && start.gap > margin
            && let Some(gap) = self.gap_along(start).filter(|gap| *gap > margin)
        {
            start.gap = gap;
            return None;
        }
        let (a, b) = (&self.a.core, &self.b.core);
        let mut along = |axis: SatAxis| {
            *start = GjkStart { direction: -axis.normal, gap: axis.separation, ..GjkStart::COLD };
            (axis.separation <= margin).then_some(NearResult::Along(axis))
        };
        // The most common pair, without copying its axis.
        let sharp = self.a.radius == 0.0 && self.b.radius == 0.0;
        if let (Core::Cuboid { half: of_a }, Core::Cuboid { half: of_b }) = (a, b)
            && sharp
        {
            return along(box_box::greatest_separation(*of_a, *of_b, &self.pose, margin));
        }
        if sharp
            && signed_distance::suits_sat(a, b)
            && let Some(axis) = sat::greatest_separation(a, b, &self.pose, margin)
        {
            return along(axis);
        }
        self.by_distance(margin, start).map(NearResult::At)
    }

    /// Contacts for a query result, written to `out`. True if they are the clipped points over the face that
    /// gave the separating axis, along its normal.
    pub(super) fn contacts_at(
        &self,
        near: &NearResult,
        margin: f64,
        start: &mut GjkStart,
        out: &mut ContactManifold,
    ) -> bool {
        match near {
            NearResult::Along(axis) => return self.along_axis(axis, margin, start, out),
            NearResult::At(at) => self.manifold_into(at, margin, out),
        }
        false
    }

    /// The gap along the direction of the last query.
    fn gap_along(&self, start: &GjkStart) -> Option<f64> {
        let v = start.direction.try_normalize()?;
        let difference = MinkowskiDifference { a: &self.a.core, b: &self.b.core, pose: self.pose };
        Some(v.dot(difference.support(-v, start.vertices[0]).point) - self.a.radius - self.b.radius)
    }

    fn by_distance(&self, margin: f64, start: &mut GjkStart) -> Option<SignedDistance> {
        let radii = self.a.radius + self.b.radius;
        let found =
            signed_distance::between_cores(&self.a.core, &self.b.core, &self.pose, start, margin + radii);
        match &found {
            Some(at) => start.gap = at.distance - radii,
            None => start.gap -= radii,
        }
        found
    }

    fn along_axis(
        &self,
        axis: &SatAxis,
        margin: f64,
        start: &mut GjkStart,
        out: &mut ContactManifold,
    ) -> bool {
        let size = scalar::max(self.a.core.size(), self.b.core.size());
        if let Some((on_a, on_b)) = axis.edge_witnesses() {
            let faces = self.faces_across(axis, size);
            if let Faces::Parallel(face, normal) = faces
                && self.over_parallel_faces(face, normal, axis.separation, size, margin, out)
            {
                return false;
            }
            let at =
                SignedDistance { normal: axis.normal, distance: axis.separation, on_a, on_b, start: *start };
            let off = on_b - on_a - axis.normal * axis.separation;
            if off.length() <= tolerance::WITNESS_MISSED * size {
                if matches!(faces, Faces::Across) {
                    self.manifold_into(&at, margin, out);
                } else {
                    manifold_builder::of_edges(&self.a.core, &self.b.core, &self.pose, &at, margin, out);
                }
                return false;
            }
        } else {
            self.over_face(axis, margin, out);
            if out.deepest() <= axis.separation + tolerance::WITNESS_MISSED * size {
                return true;
            }
            out.clear();
        }
        // The nearest corner is not over the face, or the edges do not cross: the closest features are a
        // corner or an edge, in another direction.
        if let Some(at) = self.by_distance(margin, start) {
            self.manifold_into(&at, margin, out);
        }
        false
    }

    /// Contacts over the reference face of an axis.
    fn over_face(&self, axis: &SatAxis, margin: f64, out: &mut ContactManifold) {
        let (a, b) = (&self.a.core, &self.b.core);
        if let (Some(face), Core::Cuboid { half: of_a }, Core::Cuboid { half: of_b }) = (axis.face, a, b) {
            out.normal = axis.normal;
            box_faces::contacts([*of_a, *of_b], &self.pose, face, margin, out);
        } else if let Some(found) = manifold_builder::face_points(a, b, &self.pose, axis.normal, margin) {
            manifold_builder::round(&found, [0.0; 2], &self.pose, out);
        }
    }

    /// Orientation of the faces of two boxes relative to an edge-edge axis.
    fn faces_across(&self, axis: &SatAxis, size: f64) -> Faces {
        match (&self.a.core, &self.b.core) {
            (Core::Cuboid { .. }, Core::Cuboid { .. }) => {
                match box_faces::facing_along(&self.pose, axis.normal, self.faces_parallel) {
                    Faces::Parallel(..)
                        if axis.separation.abs() > super::manifold_builder::SHALLOW * size =>
                    {
                        Faces::Oblique
                    }
                    faces => faces,
                }
            }
            _ => Faces::Across,
        }
    }

    /// Face contacts of two boxes although an edge-edge axis separates them best: the result of
    /// `manifold_builder` for any polytopes, computed faster. False if there are none.
    fn over_parallel_faces(
        &self,
        face: BoxFace,
        normal: Vec3,
        separation: f64,
        size: f64,
        margin: f64,
        out: &mut ContactManifold,
    ) -> bool {
        let (Core::Cuboid { half: of_a }, Core::Cuboid { half: of_b }) = (&self.a.core, &self.b.core) else {
            return false;
        };
        if manifold_builder::is_tilted(&self.a.core, &self.b.core, &self.pose, normal, separation) {
            return false;
        }
        out.normal = normal;
        box_faces::contacts([*of_a, *of_b], &self.pose, face, margin, out);
        let missed = (out.deepest() - separation).abs() > tolerance::WITNESS_MISSED * size;
        if missed || out.points().len() <= 2 {
            out.clear();
            return false;
        }
        true
    }

    /// Contacts at a known signed distance of the cores.
    pub(super) fn manifold(&self, at: &SignedDistance, margin: f64) -> ContactManifold {
        let mut found = ContactManifold::EMPTY;
        self.manifold_into(at, margin, &mut found);
        found
    }

    fn manifold_into(&self, at: &SignedDistance, margin: f64, out: &mut ContactManifold) {
        manifold_builder::manifold(self, at, margin, out);
    }
}

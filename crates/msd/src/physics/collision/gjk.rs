//! GJK: the distance between two convex sets, by Gilbert, Johnson & Keerthi ("A fast procedure for computing
//! the distance between complex objects in three-dimensional space", IEEE J. Robotics and Automation 4,
//! 1988).
//!
//! `v` is the point nearest to the origin of a simplex inside `A ⊖ B`; `w` is the support point along `-v`.
//! The true distance lies between `v·w/|v|` (the plane through `w` separates) and `|v|`. The iteration ends
//! when this gap is small *relative to the distance*, `|v|² - v·w ≤ ε |v|²`, or when round-off allows no more
//! progress, so that the result does not depend on the unit of length. The separating normal from A to B is
//! `-v/|v|`.

use serde::{Deserialize, Serialize};

use super::simplex::{Advance, Simplex};
use super::support_function::{MinkowskiDifference, SupportFunction};
use crate::math::{Coordinate, Vec3, scalar};
use crate::tolerance;

/// How a GJK query ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GjkStatus {
    /// The sets are apart and the distance is known to the relative tolerance, or to round-off.
    Separated,
    /// The sets are farther apart than `max_distance`; `lower_bound` is a proven lower bound of the distance.
    BeyondLimit,
    /// The sets share a point (to round-off): the simplex surrounds the origin or touches it.
    Overlapping,
    /// The iteration budget ran out; `distance` and `lower_bound` enclose the answer.
    IterationLimit,
}

/// Warm start of a query: the last separating direction and the last simplex.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GjkStart {
    /// Last nearest point `v` (frame of A), or any guess; zero for none.
    pub direction: Vec3,
    /// Vertex pairs of the last simplex, where both sets have numbered vertices.
    pub vertices: [[u32; 2]; 3],
    /// How many of them are valid.
    pub len: u8,
    /// Overlap along `-direction` in the last query, m; zero if the sets were apart.
    pub depth: f64,
    /// Gap of the shapes proven by the last query, m; zero if none was.
    pub gap: f64,
}

impl GjkStart {
    /// Cold start.
    pub const COLD: Self =
        Self { direction: Vec3::ZERO, vertices: [[0; 2]; 3], len: 0, depth: 0.0, gap: 0.0 };
}

impl Default for GjkStart {
    fn default() -> Self {
        Self::COLD
    }
}

/// Result of a GJK query; frame of A, m.
#[derive(Clone, Copy, Debug)]
pub struct GjkResult {
    /// How it ended.
    pub status: GjkStatus,
    /// Nearest point of A.
    pub on_a: Coordinate,
    /// Nearest point of B.
    pub on_b: Coordinate,
    /// `on_a - on_b`, computed without cancellation.
    pub separation: Vec3,
    /// Proven lower bound of the distance; negative if nothing is proven.
    pub lower_bound: f64,
    /// Largest distance from the origin of a vertex used: the scale to which round-off is relative.
    pub scale: f64,
    /// Support points evaluated.
    pub iterations: u32,
    /// The last simplex; EPA continues from it.
    pub simplex: Simplex,
}

impl GjkResult {
    /// Initial value.
    pub(super) const UNKNOWN: Self = Self {
        status: GjkStatus::IterationLimit,
        on_a: Vec3::ZERO,
        on_b: Vec3::ZERO,
        separation: Vec3::ZERO,
        lower_bound: f64::NEG_INFINITY,
        scale: 0.0,
        iterations: 0,
        simplex: Simplex::EMPTY,
    };

    /// Distance, m ≥ 0.
    #[must_use]
    pub fn distance(&self) -> f64 {
        self.separation.length()
    }

    /// Warm start for the next query of the same pair.
    #[must_use]
    pub fn start(&self) -> GjkStart {
        let mut start = GjkStart { direction: self.separation, ..GjkStart::COLD };
        if self.status == GjkStatus::Separated {
            for (slot, v) in start.vertices.iter_mut().zip(self.simplex.vertices()) {
                *slot = v.vertices;
                start.len += 1;
            }
        }
        start
    }
}

/// The distance query with its limits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gjk {
    /// Relative duality gap at convergence.
    pub relative_gap: f64,
    /// Largest number of support evaluations.
    pub max_iterations: u32,
    /// Distance beyond which the query may stop with [`GjkStatus::BeyondLimit`], m.
    pub max_distance: f64,
}

impl Default for Gjk {
    fn default() -> Self {
        Self {
            relative_gap: tolerance::GJK_RELATIVE_GAP,
            max_iterations: tolerance::GJK_ITERATIONS,
            max_distance: f64::INFINITY,
        }
    }
}

impl Gjk {
    /// True if the sets share a point.
    #[must_use]
    pub fn intersects<A, B>(&self, difference: &MinkowskiDifference<'_, A, B>) -> bool
    where
        A: SupportFunction + ?Sized,
        B: SupportFunction + ?Sized,
    {
        let nearest_only = Self { max_distance: 0.0, ..*self };
        nearest_only.distance(difference, &GjkStart::COLD).status == GjkStatus::Overlapping
    }

    /// Distance and nearest points, warm-started from the last result for the same pair or from
    /// [`GjkStart::COLD`].
    #[must_use]
    pub fn distance<A, B>(&self, difference: &MinkowskiDifference<'_, A, B>, start: &GjkStart) -> GjkResult
    where
        A: SupportFunction + ?Sized,
        B: SupportFunction + ?Sized,
    {
        let mut found = GjkResult::UNKNOWN;
        self.distance_into(difference, start, &mut found);
        found
    }

    /// The same, written to `found`, which is [`GjkResult::UNKNOWN`]: avoids copying a large struct.
    pub(super) fn distance_into<A, B>(
        &self,
        difference: &MinkowskiDifference<'_, A, B>,
        start: &GjkStart,
        found: &mut GjkResult,
    ) where
        A: SupportFunction + ?Sized,
        B: SupportFunction + ?Sized,
    {
        first_look(difference, start, found);
        if found.lower_bound > self.max_distance {
            (found.status, found.separation) = (GjkStatus::BeyondLimit, first_guess(difference, start));
        } else {
            self.search(difference, found);
        }
        (found.on_a, found.on_b) = found.simplex.witnesses();
    }

    /// Iterates until the query is answered.
    fn search<A, B>(&self, difference: &MinkowskiDifference<'_, A, B>, found: &mut GjkResult)
    where
        A: SupportFunction + ?Sized,
        B: SupportFunction + ?Sized,
    {
        let simplex = &mut found.simplex;
        let mut v = found.separation;
        let mut hints = simplex.vertices().last().map_or([0; 2], |s| s.vertices);
        let mut scale_squared = simplex.largest_norm_squared();
        // The best lower bound is along / √distance², compared without square roots and divisions.
        let (mut bound_along, mut bound_squared) = (0.0, 1.0);
        let enough = self.max_distance * self.max_distance;
        let mut iterations = 0;
        let mut status = GjkStatus::IterationLimit;
        let mut distance_squared = v.length_squared();
        while iterations < self.max_iterations {
            if distance_squared <= TOUCHING_SQUARED * scale_squared {
                status = GjkStatus::Overlapping;
                break;
            }
            let w = difference.support(-v, hints);
            hints = w.vertices;
            iterations += 1;
            scale_squared = scalar::max(scale_squared, w.point.length_squared());
            let along = v.dot(w.point);
            if along > 0.0 && along * along * bound_squared > bound_along * bound_along * distance_squared {
                (bound_along, bound_squared) = (along, distance_squared);
                if along * along > enough * distance_squared {
                    status = GjkStatus::BeyondLimit;
                    break;
                }
            }
            if distance_squared - along <= self.relative_gap * distance_squared || simplex.contains(&w) {
                status = GjkStatus::Separated;
                break;
            }
            simplex.push(w);
            match simplex.advance(distance_squared) {
                Advance::Nearer(nearest, squared) => (v, distance_squared) = (nearest, squared),
                Advance::Stuck => {
                    status = GjkStatus::Separated;
                    break;
                }
                Advance::Surrounded => {
                    status = GjkStatus::Overlapping;
                    v = Vec3::ZERO;
                    break;
                }
            }
        }
        if bound_along > 0.0 {
            found.lower_bound = scalar::max(found.lower_bound, bound_along / bound_squared.sqrt());
        }
        (found.status, found.separation) = (status, v);
        (found.iterations, found.scale) = (iterations, scale_squared.sqrt());
    }
}

/// Square of the distance relative to the scale at which the origin counts as in the simplex: a few roundings.
const TOUCHING_SQUARED: f64 = tolerance::GJK_TOUCHING * tolerance::GJK_TOUCHING;

/// First guess of the nearest point of the difference: the warm start, or the direction from B to A.
fn first_guess<A: ?Sized, B: ?Sized>(difference: &MinkowskiDifference<'_, A, B>, start: &GjkStart) -> Vec3 {
    let guess = if start.direction == Vec3::ZERO { -difference.pose.translation } else { start.direction };
    if guess == Vec3::ZERO { Vec3::X } else { guess }
}

/// First simplex: that of the warm start in the present pose, or one support point along the guess with the
/// lower bound it proves.
#[inline]
fn first_look<A, B>(difference: &MinkowskiDifference<'_, A, B>, start: &GjkStart, found: &mut GjkResult)
where
    A: SupportFunction + ?Sized,
    B: SupportFunction + ?Sized,
{
    for vertices in &start.vertices[..(start.len as usize).min(3)] {
        match difference.vertex(*vertices) {
            Some(vertex) if !found.simplex.contains(&vertex) => found.simplex.push(vertex),
            _ => {}
        }
    }
    if let Some(v) = found.simplex.reduce_to_nearest() {
        found.separation = v;
        return;
    }
    let direction = first_guess(difference, start);
    let w = difference.support(-direction, [0; 2]);
    let along = direction.dot(w.point);
    if along > 0.0 {
        found.lower_bound = along / direction.length();
    }
    found.simplex.push(w);
    found.simplex.reduce_to_nearest();
    found.separation = w.point;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::ReferenceFrame;
    use crate::math::orientation::from_rotation_vector;
    use crate::physics::collision::solid::Core;

    const CUBE: Core<'static> = Core::Cuboid { half: Vec3::splat(0.5) };

    fn at(position: Vec3) -> ReferenceFrame {
        ReferenceFrame::from_position(position)
    }

    #[test]
    fn corners_edges_and_faces_of_cubes_are_as_far_apart_as_their_coordinates_say() {
        for (offset, distance) in [
            (Vec3::new(3.0, 0.0, 0.0), 2.0),
            (Vec3::new(2.0, 2.0, 0.3), 2.0_f64.sqrt()),
            (Vec3::new(2.0, -2.0, 2.0), 3.0_f64.sqrt()),
        ] {
            let difference = MinkowskiDifference::new(&CUBE, &ReferenceFrame::IDENTITY, &CUBE, &at(offset));
            let found = Gjk::default().distance(&difference, &GjkStart::COLD);
            assert_eq!(found.status, GjkStatus::Separated);
            assert!((found.distance() - distance).abs() < 1e-15 * 4.0);
            assert!((found.on_a - found.on_b - found.separation).length() < 1e-15 * 4.0);
            assert!((found.lower_bound - distance).abs() < 1e-13);
        }
    }

    #[test]
    fn a_second_look_at_the_same_pair_takes_one_support_point() {
        let pose =
            ReferenceFrame::new(Vec3::new(2.0, 0.4, 0.7), from_rotation_vector(Vec3::new(0.3, 0.5, 0.9)));
        let difference = MinkowskiDifference::new(&CUBE, &ReferenceFrame::IDENTITY, &CUBE, &pose);
        let first = Gjk::default().distance(&difference, &GjkStart::COLD);
        let second = Gjk::default().distance(&difference, &first.start());
        assert!(first.iterations > 1 && second.iterations == 1, "{} {}", first.iterations, second.iterations);
        assert_eq!(second.distance(), first.distance());
    }

    #[test]
    fn a_limit_of_distance_ends_the_search_with_a_proof() {
        let difference =
            MinkowskiDifference::new(&CUBE, &ReferenceFrame::IDENTITY, &CUBE, &at(Vec3::X * 5.0));
        let near = Gjk { max_distance: 1.0, ..Gjk::default() }.distance(&difference, &GjkStart::COLD);
        assert_eq!(near.status, GjkStatus::BeyondLimit);
        assert!(near.lower_bound > 1.0 && near.lower_bound <= 4.0);
        assert!(!Gjk::default().intersects(&difference));
    }

    #[test]
    fn an_exhausted_budget_is_reported_and_its_bounds_enclose_the_answer() {
        let disc = Core::Cylinder { radius: 1.0, half: 0.1 };
        let pose =
            ReferenceFrame::new(Vec3::new(3.0, 1.0, 2.0), from_rotation_vector(Vec3::new(1.0, 0.2, 0.1)));
        let difference = MinkowskiDifference::new(&disc, &ReferenceFrame::IDENTITY, &disc, &pose);
        let exact = Gjk::default().distance(&difference, &GjkStart::COLD);
        let short = Gjk { max_iterations: 4, ..Gjk::default() }.distance(&difference, &GjkStart::COLD);
        assert_eq!(short.status, GjkStatus::IterationLimit);
        assert!(short.lower_bound <= exact.distance() && exact.distance() <= short.distance());
    }
}

//! EPA: the penetration depth of two convex sets, by expanding a polytope inside `A ⊖ B` (van den Bergen,
//! *Collision Detection in Interactive 3D Environments*, 2004, §4.3.8).
//!
//! The penetration depth is the least reach of the Minkowski difference over all unit directions,
//! `min_n h(n)` with `h(n) = max { n·x : x ∈ A ⊖ B }`: moving B by `h(n) n` separates the sets. For every
//! face of a polytope inside the difference, the offset of its plane bounds `h` from below over the
//! directions it faces, and `h(n)` along its own normal bounds the depth from above. Each step evaluates the
//! support along the normal of the face with the smallest offset; the two bounds enclose the depth at every
//! step, so the query can be stopped at any time.
//!
//! Departures from the book: the answer is the best *upper* bound met, a direction that provably separates by
//! the depth returned, never merely the last face; the origin may start on or slightly outside the polytope
//! (touching sets, round-off); a difference without volume is answered as touching along its thin direction;
//! storage has four fixed sizes, each copied to the next when it is full.

use super::polytope::{Patch, Polytope};
use super::simplex::Simplex;
use super::support_function::{MinkowskiDifference, MinkowskiVertex, SupportFunction};
use crate::math::{Coordinate, Vec3, scalar};
use crate::tolerance;

/// Sine of the angle under which the last tetrahedron of GJK must rise for EPA to start from it. tuned: a
/// thinner one is replaced by a better shaped one.
const EPA_THIN: f64 = 1e-2;

/// How an EPA query ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EpaStatus {
    /// Upper and lower bound agree to the tolerance.
    Converged,
    /// The difference is a point, a segment or flat: the sets touch along its thin direction.
    FlatDifference,
    /// Storage or numerical resolution ran out: `depth` separates for certain, and may exceed the least depth by
    /// `depth - lower_bound`.
    Bounded,
}

/// Answer of an EPA query; frame of A, m.
#[derive(Clone, Copy, Debug)]
pub struct EpaResult {
    /// How it ended.
    pub status: EpaStatus,
    /// Unit direction in which B leaves A, from A to B.
    pub normal: Vec3,
    /// Moving B by `depth · normal` separates the sets. Negative if they are apart by that much along the normal.
    pub depth: f64,
    /// The depth is not smaller than this.
    pub lower_bound: f64,
    /// Deepest point of A in B.
    pub on_a: Coordinate,
    /// Deepest point of B in A: `on_a - on_b = depth · normal`.
    pub on_b: Coordinate,
    /// Support points evaluated.
    pub iterations: u32,
}

/// The penetration query with its limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Epa {
    /// Relative gap of the bounds at convergence.
    pub relative_gap: f64,
}

impl Default for Epa {
    fn default() -> Self {
        Self { relative_gap: tolerance::EPA_RELATIVE_GAP }
    }
}

/// Sizes of the search; a polytope that outgrows one moves to the next. A closed triangulation has 2V - 4
/// faces. Shallow overlaps fit in the first, which is cheap to set up, and most pairs of polytopes in the
/// second; curved shapes need more.
type SmallSearch = Search<12, 20>;
type MediumSearch = Search<24, 44>;
type LargeSearch = Search<72, 140>;
type LargestSearch = Search<256, 508>;

impl Epa {
    /// Depth, direction and witness points of two overlapping (or touching) sets, from the simplex GJK ended with.
    #[must_use]
    pub fn penetration<A, B>(
        &self,
        difference: &MinkowskiDifference<'_, A, B>,
        simplex: &Simplex,
    ) -> EpaResult
    where
        A: SupportFunction + ?Sized,
        B: SupportFunction + ?Sized,
    {
        self.finished_by(difference, simplex, |_| None)
    }

    /// The same, finished by `finish` from the best face once the bounds agree to [`tolerance::EPA_FINISH`]:
    /// its result must be a direction whose reach is not larger than that of the face.
    pub(super) fn finished_by<A, B>(
        &self,
        difference: &MinkowskiDifference<'_, A, B>,
        simplex: &Simplex,
        finish: impl Fn(&NearFace) -> Option<EpaResult>,
    ) -> EpaResult
    where
        A: SupportFunction + ?Sized,
        B: SupportFunction + ?Sized,
    {
        let mut search = SmallSearch::NOTHING;
        match first_tetrahedron(difference, simplex) {
            InitialPolytope::Tetrahedron(tetrahedron) => {
                search.polytope.start_from(&tetrahedron);
                search.bounds.hints = tetrahedron[3].vertices;
            }
            InitialPolytope::FlatDifference(flat) => return flat.answer(difference),
        }
        match search.run(self.relative_gap, difference, &finish) {
            Some(found) => found,
            None => search.continue_search(self.relative_gap, difference, &finish),
        }
    }
}

/// A search in progress.
struct Search<const V: usize, const F: usize> {
    polytope: Polytope<V, F>,
    patch: Patch,
    bounds: Bounds,
}

/// Bounds of a search so far.
#[derive(Clone, Copy)]
struct Bounds {
    best: Best,
    hints: [u32; 2],
    iterations: u32,
    lower_bound: f64,
    /// Gap of the bounds, relative to the scale, at which `finish` is tried.
    finish_at: f64,
}

/// The face nearest to the origin when the bounds are close.
pub(super) struct NearFace {
    pub normal: Vec3,
    /// Reach of the difference along the normal: an upper bound of the depth.
    pub reach: f64,
    /// Lower bound of the depth.
    pub offset: f64,
    pub corners: [MinkowskiVertex; 3],
    pub scale: f64,
}

impl Bounds {
    const NOTHING: Self = Self {
        best: Best::NONE,
        hints: [0; 2],
        iterations: 0,
        lower_bound: f64::NEG_INFINITY,
        finish_at: tolerance::EPA_FINISH,
    };
}

impl SmallSearch {
    /// Continues a search that has outgrown its storage. A separate function keeps the stack frame of the
    /// first part small.
    #[inline(never)]
    fn continue_search<A, B>(
        &self,
        relative_gap: f64,
        difference: &MinkowskiDifference<'_, A, B>,
        finish: &impl Fn(&NearFace) -> Option<EpaResult>,
    ) -> EpaResult
    where
        A: SupportFunction + ?Sized,
        B: SupportFunction + ?Sized,
    {
        let mut medium = MediumSearch::enlarged(self);
        if let Some(found) = medium.run(relative_gap, difference, finish) {
            return found;
        }
        let mut large = LargeSearch::enlarged(&medium);
        if let Some(found) = large.run(relative_gap, difference, finish) {
            return found;
        }
        let mut largest = LargestSearch::enlarged(&large);
        largest.run(relative_gap, difference, finish).unwrap_or_else(|| largest.answer(EpaStatus::Bounded))
    }
}

impl<const V: usize, const F: usize> Search<V, F> {
    const NOTHING: Self = Self { polytope: Polytope::VACANT, patch: Patch::EMPTY, bounds: Bounds::NOTHING };

    fn enlarged<const U: usize, const G: usize>(smaller: &Search<U, G>) -> Self {
        let mut search = Self { bounds: smaller.bounds, ..Self::NOTHING };
        search.polytope.copy_from(&smaller.polytope);
        search
    }

    /// Expands until the bounds agree or no progress is possible; `None` if the storage is full.
    fn run<A, B>(
        &mut self,
        relative_gap: f64,
        difference: &MinkowskiDifference<'_, A, B>,
        finish: &impl Fn(&NearFace) -> Option<EpaResult>,
    ) -> Option<EpaResult>
    where
        A: SupportFunction + ?Sized,
        B: SupportFunction + ?Sized,
    {
        let (polytope, bounds) = (&mut self.polytope, &mut self.bounds);
        let status = loop {
            let Some((face, offset)) = polytope.nearest_face() else {
                bounds.lower_bound = f64::NEG_INFINITY;
                break EpaStatus::Bounded;
            };
            bounds.lower_bound = offset;
            let round_off = tolerance::EPA_ROUND_OFF * polytope.scale();
            let normal = polytope.normal(face);
            let w = difference.support(normal, bounds.hints);
            bounds.hints = w.vertices;
            bounds.iterations += 1;
            let reach = normal.dot(w.point);
            let converged = reach - offset <= relative_gap * reach.abs() + round_off;
            if reach < bounds.best.reach || converged {
                let corners = if converged { polytope.nearest_corners(face) } else { polytope.corners(face) };
                let (reach_a, reach_b) = (normal.dot(w.on_a), normal.dot(w.on_b));
                bounds.best = Best { reach, normal, corners, reach_a, reach_b };
            }
            if converged {
                // This face lies on the surface of the difference, and no other is nearer.
                break EpaStatus::Converged;
            }
            if reach - offset <= bounds.finish_at * polytope.scale() {
                // Tried again only after the bounds have improved markedly.
                bounds.finish_at *= 1e-2;
                let corners = polytope.corners(face).map(|k| polytope.vertex(k));
                let near = NearFace { normal, reach, offset, corners, scale: polytope.scale() };
                if let Some(found) = finish(&near) {
                    return Some(EpaResult { iterations: bounds.iterations, ..found });
                }
            }
            if reach - offset <= tolerance::EPA_STALLED * polytope.scale() && polytope.contains(&w) {
                // A sliver whose plane is limited by round-off: do not expand it.
                polytope.retire(face);
                continue;
            }
            if polytope.is_full() {
                return None;
            }
            if !polytope.expand(face, &w, round_off, &mut self.patch) {
                break EpaStatus::Bounded;
            }
        };
        Some(self.answer(status))
    }

    fn answer(&self, status: EpaStatus) -> EpaResult {
        let Bounds { best, lower_bound, iterations, .. } = self.bounds;
        best.answer(best.corners.map(|k| self.polytope.vertex(k)), status, lower_bound, iterations)
    }
}

/// The direction of least reach so far, the face it came from (as vertices of the polytope, which stay), and how far
/// A and B themselves reach along it.
#[derive(Clone, Copy)]
struct Best {
    reach: f64,
    normal: Vec3,
    corners: [u16; 3],
    reach_a: f64,
    reach_b: f64,
}

impl Best {
    const NONE: Self =
        Self { reach: f64::INFINITY, normal: Vec3::Z, corners: [0; 3], reach_a: 0.0, reach_b: 0.0 };

    /// Witness points by the barycentric coordinates of the origin's projection on the face, moved along the normal
    /// to the supporting planes of the two sets (a face of a curved difference lies slightly inside) and across it
    /// until they are opposite each other (by less than the size of the face, second order in distance to a curved
    /// surface).
    fn answer(
        &self,
        corners: [MinkowskiVertex; 3],
        status: EpaStatus,
        lower_bound: f64,
        iterations: u32,
    ) -> EpaResult {
        let mut triangle = Simplex::default();
        for corner in corners {
            triangle.push(corner);
        }
        triangle.reduce_to_nearest();
        let (on_a, on_b) = triangle.witnesses();
        let n = self.normal;
        let on_a = on_a + n * (self.reach_a - n.dot(on_a));
        let on_b = on_b + n * (self.reach_b - n.dot(on_b));
        let across = (on_a - on_b - n * self.reach) * 0.5;
        let (on_a, on_b) = (on_a - across, on_b + across);
        EpaResult { status, normal: n, depth: self.reach, lower_bound, on_a, on_b, iterations }
    }
}

/// Initial polytope of EPA.
enum InitialPolytope {
    Tetrahedron([MinkowskiVertex; 4]),
    FlatDifference(FlatDifference),
}

/// A difference without volume: the simplex that spans it and a direction perpendicular to it.
struct FlatDifference {
    simplex: Simplex,
    normal: Vec3,
}

impl FlatDifference {
    fn answer<A, B>(mut self, difference: &MinkowskiDifference<'_, A, B>) -> EpaResult
    where
        A: SupportFunction + ?Sized,
        B: SupportFunction + ?Sized,
    {
        let (up, down) = (difference.reach(self.normal), difference.reach(-self.normal));
        let (normal, depth) = if up <= down { (self.normal, up) } else { (-self.normal, down) };
        self.simplex.reduce_to_nearest();
        let (on_a, on_b) = self.simplex.witnesses();
        // Opposite each other, though round-off has left the simplex off the origin.
        let across = (on_a - on_b - normal * depth) * 0.5;
        let (on_a, on_b) = (on_a - across, on_b + across);
        EpaResult {
            status: EpaStatus::FlatDifference,
            normal,
            depth,
            lower_bound: 0.0,
            on_a,
            on_b,
            iterations: 0,
        }
    }
}

/// Completes a simplex to a tetrahedron with volume inside the difference.
fn first_tetrahedron<A, B>(difference: &MinkowskiDifference<'_, A, B>, simplex: &Simplex) -> InitialPolytope
where
    A: SupportFunction + ?Sized,
    B: SupportFunction + ?Sized,
{
    let given = simplex.vertices();
    if let [a, b, c, d] = given {
        let normal = (b.point - a.point).cross(c.point - a.point);
        let rise = d.point - a.point;
        let height = normal.dot(rise);
        // The tetrahedron of GJK is used if it is not thin.
        if height * height > EPA_THIN * EPA_THIN * normal.length_squared() * rise.length_squared() {
            return InitialPolytope::Tetrahedron(if height > 0.0 {
                [*a, *c, *b, *d]
            } else {
                [*a, *b, *c, *d]
            });
        }
    }
    let first = given.first().copied().unwrap_or_else(|| difference.support(Vec3::X, [0; 2]));
    let look = |direction: Vec3| difference.support(direction, first.vertices);
    let scale = [Vec3::X, Vec3::Y, Vec3::Z]
        .iter()
        .fold(first.point.length(), |s, d| scalar::max(s, (look(*d).point - look(-*d).point).dot(*d)));
    let negligible = tolerance::EPA_FLAT * scale;

    let axes = [Vec3::X, Vec3::Y, Vec3::Z].into_iter().flat_map(|d| [look(d), look(-d)]);
    let second = farthest(given.iter().copied().chain(axes), |p| (p - first.point).length());
    let along = second.point - first.point;
    let normal = along.any_orthonormal_vector_or_x();
    if along.length() <= negligible {
        return InitialPolytope::FlatDifference(FlatDifference { simplex: *simplex, normal });
    }
    let around = (0..6).map(|k| {
        let (s, c) = SIXTHS[k];
        look(normal * c + along.normalize().cross(normal) * s)
    });
    let axis = along.normalize();
    let third = farthest(given.iter().copied().chain(around), |p| {
        let from = p - first.point;
        (from - axis * axis.dot(from)).length()
    });
    let across = axis.cross(third.point - first.point);
    if across.length() <= negligible {
        return InitialPolytope::FlatDifference(FlatDifference {
            simplex: spanned(&[first, second]),
            normal,
        });
    }
    let normal = across.normalize();
    let fourth = farthest(given.iter().copied().chain([look(normal), look(-normal)]), |p| {
        normal.dot(p - first.point).abs()
    });
    let height = normal.dot(fourth.point - first.point);
    if height.abs() <= negligible {
        return InitialPolytope::FlatDifference(FlatDifference {
            simplex: spanned(&[first, second, third]),
            normal,
        });
    }
    // Counter-clockwise seen from outside: the fourth vertex below the first three.
    InitialPolytope::Tetrahedron(if height > 0.0 {
        [first, third, second, fourth]
    } else {
        [first, second, third, fourth]
    })
}

/// Sine and cosine of the multiples of 60°.
const SIXTHS: [(f64, f64); 6] = {
    const H: f64 = 0.866_025_403_784_438_6;
    [(0.0, 1.0), (H, 0.5), (H, -0.5), (0.0, -1.0), (-H, -0.5), (-H, 0.5)]
};

fn spanned(vertices: &[MinkowskiVertex]) -> Simplex {
    let mut simplex = Simplex::default();
    for v in vertices {
        simplex.push(*v);
    }
    simplex
}

/// The candidate with the largest measure; the first of equals.
fn farthest(
    candidates: impl Iterator<Item = MinkowskiVertex>,
    measure: impl Fn(Vec3) -> f64,
) -> MinkowskiVertex {
    let mut best = (MinkowskiVertex::default(), -1.0);
    for candidate in candidates {
        let m = measure(candidate.point);
        if m > best.1 {
            best = (candidate, m);
        }
    }
    best.0
}

/// A unit vector perpendicular to another of any length.
trait AnyOrthonormal {
    fn any_orthonormal_vector_or_x(self) -> Vec3;
}

impl AnyOrthonormal for Vec3 {
    fn any_orthonormal_vector_or_x(self) -> Vec3 {
        self.try_normalize().map_or(Vec3::X, |unit| unit.any_orthonormal_vector())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::ReferenceFrame;
    use crate::physics::collision::solid::Core;

    const CUBE: Core<'static> = Core::Cuboid { half: Vec3::splat(0.5) };

    #[test]
    fn any_simplex_will_do_to_start_from() {
        let pose = ReferenceFrame::from_position(Vec3::new(0.1, 0.2, 0.7));
        let difference = MinkowskiDifference::new(&CUBE, &ReferenceFrame::IDENTITY, &CUBE, &pose);
        let corners = [Vec3::ONE, -Vec3::ONE, Vec3::new(1.0, -1.0, 1.0), Vec3::new(-1.0, 1.0, 1.0)];
        for count in 0..=4 {
            let vertices: Vec<_> = corners[..count].iter().map(|d| difference.support(*d, [0; 2])).collect();
            let found = Epa::default().penetration(&difference, &spanned(&vertices));
            assert_eq!(found.status, EpaStatus::Converged);
            assert!((found.depth - 0.3).abs() < 1e-15 * 4.0, "{count}: {}", found.depth);
            assert!((found.normal - Vec3::Z).length() < 1e-15 * 4.0);
            assert!((found.on_a - found.on_b - found.normal * found.depth).length() < 1e-15 * 4.0);
        }
    }

    #[test]
    fn two_triangles_in_one_plane_touch_across_it() {
        let triangle = Core::Triangle([Vec3::ZERO, Vec3::X, Vec3::Y]);
        let pose = ReferenceFrame::from_position(Vec3::new(0.1, 0.1, 0.0));
        let difference = MinkowskiDifference::new(&triangle, &ReferenceFrame::IDENTITY, &triangle, &pose);
        let found = Epa::default().penetration(&difference, &Simplex::default());
        assert_eq!(found.status, EpaStatus::FlatDifference);
        assert!(found.depth.abs() < 1e-15 && found.normal.z.abs() > 1.0 - 1e-15);
    }

    #[test]
    fn the_bounds_of_a_curved_pair_enclose_its_depth() {
        // Two discs of radius 1, axes crossed at a right angle: they come apart along the thickness of one.
        let disc = Core::Cylinder { radius: 1.0, half: 0.25 };
        let turned = crate::math::orientation::from_rotation_vector(Vec3::X * std::f64::consts::FRAC_PI_2);
        let pose = ReferenceFrame::new(Vec3::new(0.05, 0.0, 0.9), turned);
        let difference = MinkowskiDifference::new(&disc, &ReferenceFrame::IDENTITY, &disc, &pose);
        let found = Epa::default().penetration(&difference, &Simplex::default());
        assert!((found.depth - 0.35).abs() < 1e-12, "{found:?}");
        assert!(found.lower_bound <= 0.35 + 1e-12);
    }
}

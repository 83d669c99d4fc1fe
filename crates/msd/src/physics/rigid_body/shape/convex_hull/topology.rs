//! From a triangulated surface and the outline of its faces to the flat, canonically numbered hull.
//!
//! Vertices are sorted by their coordinates. A face starts at the smallest vertex of the triangle that gives it its
//! plane, and faces are sorted by their first two vertices (a directed edge belongs to one face), so the numbering
//! depends on the solid alone.

use super::merging::Outline;
use super::quickhull::{EdgeRef, Quickhull};
use super::simplex::NONE;
use super::simplex::lexicographic;
use super::{ConvexHull, Face, HalfEdge};
use crate::math::Vec3;

/// Numbers and links everything; `points` are the coordinates the vertices get, `resolution` is in m.
pub(super) fn assemble(
    mut hull: Quickhull<'_>,
    outline: &Outline,
    points: &[Vec3],
    resolution: f64,
) -> ConvexHull {
    let vertices = number_vertices(&mut hull, points);
    let starts = starts(&hull, outline);
    let order = face_order(&starts, vertices.len());
    let mut slots = vec![NONE; 4 * hull.capacity()];
    let mut half_edges: Vec<HalfEdge> = Vec::with_capacity(outline.edge_count());
    let mut faces = Vec::with_capacity(order.len());
    let mut triangle = [EdgeRef::new(0, 0); 3];
    for &face in &order {
        let rim = outline.rim(face, &mut triangle);
        let first_edge = half_edges.len() as u32;
        let edge_count = rim.len() as u32;
        let (before, after) = rim.split_at(starts[face as usize].place as usize);
        for &code in after.iter().chain(before) {
            let (t, index) = (hull.triangle(code.triangle()), half_edges.len() as u32);
            // The second of two twins finds the first.
            let twin = slots[slot(t.across[code.edge()])];
            match half_edges.get_mut(twin as usize) {
                Some(half_edge) => half_edge.twin = index,
                None => slots[slot(code)] = index,
            }
            let origin = t.vertices[code.edge()];
            half_edges.push(HalfEdge { origin, twin, next: index + 1, face: faces.len() as u32 });
        }
        if let Some(last) = half_edges.last_mut() {
            last.next = first_edge;
        }
        let normal = hull.plane(outline.seeds[face as usize]).normal.normalize();
        let anchor = vertices[starts[face as usize].vertices[0] as usize];
        faces.push(Face { first_edge, edge_count, normal, offset: normal.dot(anchor) });
    }
    let (neighbour_starts, neighbours) = adjacency(&hull, vertices.len());
    ConvexHull::from_parts(vertices, faces, half_edges, neighbour_starts, neighbours, resolution)
}

/// The vertices in lexicographic order and the triangles, each from its smallest vertex on.
pub(super) fn triangles(mut hull: Quickhull<'_>, points: &[Vec3]) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let vertices = number_vertices(&mut hull, points);
    let from_smallest = |[a, b, c]: [u32; 3]| {
        if a < b && a < c {
            [a, b, c]
        } else if b < c {
            [b, c, a]
        } else {
            [c, a, b]
        }
    };
    let mut triangles = Vec::with_capacity(hull.count());
    triangles.extend(hull.live().map(|t| from_smallest(hull.triangle(t).vertices)));
    triangles.sort_unstable();
    (vertices, triangles)
}

fn slot(code: EdgeRef) -> usize {
    4 * code.triangle() as usize + code.edge()
}

/// The vertices in lexicographic order; the triangles then name them by their place in it.
fn number_vertices(hull: &mut Quickhull<'_>, points: &[Vec3]) -> Vec<Vec3> {
    let mut number = vec![NONE; points.len()];
    let mut used = Vec::with_capacity(hull.count() / 2 + 2);
    for t in hull.live() {
        for v in hull.triangle(t).vertices {
            if number[v as usize] == NONE {
                number[v as usize] = 0;
                used.push((ordered_bits(points[v as usize].x), v));
            }
        }
    }
    used.sort_unstable_by(|(x, a), (y, b)| {
        x.cmp(y).then_with(|| lexicographic(points[*a as usize], points[*b as usize]))
    });
    for (k, (_, v)) in used.iter().enumerate() {
        number[*v as usize] = k as u32;
    }
    hull.renumber(&number);
    // Adding zero turns -0.0 into 0.0: the choice between two equal points must not show.
    used.iter().map(|(_, v)| points[*v as usize] + Vec3::ZERO).collect()
}

/// An integer that orders as the number does, `-0.0` and `0.0` being equal; cheaper to compare.
fn ordered_bits(x: f64) -> u64 {
    let bits = (x + 0.0).to_bits();
    if bits >> 63 == 0 { bits | 1 << 63 } else { !bits }
}

/// Where the loop of a face starts.
struct LoopStart {
    /// Place in the face's loop.
    place: u32,
    /// The first two vertices from there on.
    vertices: [u32; 2],
}

/// For each face, its start: the smallest vertex of its seed triangle.
fn starts(hull: &Quickhull<'_>, outline: &Outline) -> Vec<LoopStart> {
    let origin = |code: &EdgeRef| hull.triangle(code.triangle()).vertices[code.edge()];
    let mut starts = Vec::with_capacity(outline.seeds.len());
    let mut triangle = [EdgeRef::new(0, 0); 3];
    for (face, &seed) in (0..).zip(&outline.seeds) {
        let [a, b, c] = hull.triangle(seed).vertices;
        let smallest = a.min(b).min(c);
        let rim = outline.rim(face, &mut triangle);
        let place = rim.iter().position(|code| origin(code) == smallest);
        let place = place.expect("every vertex of a triangle is on the rim of its face");
        let second = origin(rim.get(place + 1).unwrap_or(&rim[0]));
        starts.push(LoopStart { place: place as u32, vertices: [smallest, second] });
    }
    starts
}

/// The faces sorted by their first two vertices: a counting sort by the first, then the few of each bucket.
fn face_order(starts: &[LoopStart], vertices: usize) -> Vec<u32> {
    let mut places = vec![0_u32; vertices + 1];
    for start in starts {
        places[start.vertices[0] as usize + 1] += 1;
    }
    accumulate(&mut places);
    let mut order = vec![0; starts.len()];
    for (face, start) in (0..).zip(starts) {
        let place = &mut places[start.vertices[0] as usize];
        order[*place as usize] = face;
        *place += 1;
    }
    let mut rest = &mut order[..];
    let mut begin = 0;
    for &end in &places[..vertices] {
        let (bucket, after) = std::mem::take(&mut rest).split_at_mut((end - begin) as usize);
        if bucket.len() > 1 {
            bucket.sort_unstable_by_key(|&face| starts[face as usize].vertices[1]);
        }
        (rest, begin) = (after, end);
    }
    order
}

/// Neighbours of every vertex along the edges of the triangulation: where each vertex's start, and all of them.
fn adjacency(hull: &Quickhull<'_>, vertices: usize) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0_u32; vertices + 2];
    for t in hull.live() {
        for v in hull.triangle(t).vertices {
            starts[v as usize + 2] += 1;
        }
    }
    accumulate(&mut starts);
    let mut neighbours = vec![0; 3 * hull.count()];
    for t in hull.live() {
        let [a, b, c] = hull.triangle(t).vertices;
        for (from, to) in [(a, b), (b, c), (c, a)] {
            // Moves on through the list of `from`; at the end it stands where the next one starts.
            let place = &mut starts[from as usize + 1];
            neighbours[*place as usize] = to;
            *place += 1;
        }
    }
    starts.pop();
    (starts, neighbours)
}

/// Replaces counts by running sums.
fn accumulate(counts: &mut [u32]) {
    for k in 1..counts.len() {
        counts[k] += counts[k - 1];
    }
}

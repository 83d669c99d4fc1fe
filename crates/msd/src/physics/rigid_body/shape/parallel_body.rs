//! Moments of an outer parallel body: all points within r of a convex polytope K, in closed form.
//!
//! The body is K, a prism of height r on every face, a sector of a cylinder at every edge, and a sector of a ball at every
//! vertex (Steiner 1840). With A the area of a face, L the length of an edge and θ the angle between its face normals,
//! ```text
//! V = V_K + r ΣA + r²/2 ΣLθ + 4π r³/3,      S = ΣA + r ΣLθ + 4π r²
//! ```
//! A point of the sector at a vertex is `v + w`, with w in the cone spanned by the normals n of the adjacent faces. With Ω the
//! solid angle of that cone, and over its sides (p, q) from normal to normal with `ν ∥ p×q` and `∠(p, q) = θ`,
//! ```text
//! ∫ n dΩ = ½ Σ θ ν,      ∫ n nᵀ dΩ = ⅓ (Ω 1 + Σ tan(θ/2) (p+q) νᵀ)
//! ```
//! (Arvo 1995, axial moments of spherical polygons).

use crate::math::{Coordinate, Mat3, Vec3, outer_product, scalar};

/// Volume, centroid and second moments of a solid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SolidMoments {
    /// m³.
    pub(crate) volume: f64,
    /// m.
    pub(crate) centroid: Coordinate,
    /// About the centroid, `∫ x xᵀ dV / V`, m².
    pub(crate) covariance: Mat3,
}

/// `∫ dV`, `∫ x dV`, `∫ x xᵀ dV`.
#[derive(Clone, Copy, Debug, Default)]
struct Integrals {
    volume: f64,
    first: Vec3,
    second: Mat3,
}

impl Integrals {
    const ZERO: Self = Self { volume: 0.0, first: Vec3::ZERO, second: Mat3::ZERO };

    fn add(&mut self, volume: f64, first: Vec3, second: Mat3) {
        self.volume += volume;
        self.first += first;
        self.second += second;
    }
}

/// `a bᵀ + b aᵀ`.
fn symmetric(a: Vec3, b: Vec3) -> Mat3 {
    outer_product(a, b) + outer_product(b, a)
}

/// Of all points within `radius` of the polytope with these faces, corners counter-clockwise seen from outside, and their
/// outward unit normals.
pub(super) fn moments(
    vertices: &[Coordinate],
    faces: &[Vec<u32>],
    normals: &[Vec3],
    radius: f64,
) -> SolidMoments {
    // About the mean of the vertices, which is inside.
    let middle = vertices.iter().sum::<Vec3>() / vertices.len() as f64;
    let at = |vertex: u32| vertices[vertex as usize] - middle;
    let mut sum = Integrals::ZERO;
    for (face, normal) in faces.iter().zip(normals) {
        for corners in face[1..].windows(2) {
            triangle([at(face[0]), at(corners[0]), at(corners[1])], *normal, radius, &mut sum);
        }
    }
    let around = Adjacency::new(faces);
    for &(from, to, face) in &around.edges {
        if let Some(other) = around.face_of(to, from).filter(|_| from < to) {
            let normals = [normals[face as usize], normals[other as usize]];
            edge([at(from), at(to)], normals, radius, &mut sum);
        }
    }
    for vertex in 0..vertices.len() as u32 {
        let fan: Vec<Vec3> = around.fan(vertex, faces).map(|face| normals[face as usize]).collect();
        corner(at(vertex), &fan, radius, &mut sum);
    }
    let mean = sum.first / sum.volume;
    SolidMoments {
        volume: sum.volume,
        centroid: middle + mean,
        covariance: sum.second * (1.0 / sum.volume) - outer_product(mean, mean),
    }
}

/// `Σ L θ` over the edges, m.
pub(super) fn edge_angles(vertices: &[Coordinate], faces: &[Vec<u32>], normals: &[Vec3]) -> f64 {
    let around = Adjacency::new(faces);
    let angle = |&(from, to, face): &(u32, u32, u32)| {
        let other = around.face_of(to, from).filter(|_| from < to)?;
        let length = vertices[from as usize].distance(vertices[to as usize]);
        Some(length * between(normals[face as usize], normals[other as usize]).0)
    };
    around.edges.iter().filter_map(angle).sum()
}

/// The tetrahedron of a triangle and the origin, and the prism on the triangle.
fn triangle([a, b, c]: [Vec3; 3], normal: Vec3, radius: f64, sum: &mut Integrals) {
    let total = a + b + c;
    let squares =
        outer_product(total, total) + outer_product(a, a) + outer_product(b, b) + outer_product(c, c);
    let volume = a.dot(b.cross(c)) / 6.0;
    sum.add(volume, total * (0.25 * volume), squares * (volume / 20.0));
    let area = 0.5 * (b - a).cross(c - a).length();
    let (first, r2) = (total * (area / 3.0), radius * radius);
    let second = squares * (area / 12.0 * radius)
        + symmetric(first, normal) * (0.5 * r2)
        + outer_product(normal, normal) * (area * r2 * radius / 3.0);
    sum.add(area * radius, first * radius + normal * (0.5 * area * r2), second);
}

/// Angle between two unit vectors, and the unit vector across them; any one if they are parallel.
fn between(p: Vec3, q: Vec3) -> (f64, Vec3) {
    let cross = p.cross(q);
    let sine = cross.length();
    (scalar::atan2(sine, p.dot(q)), if sine > 0.0 { cross / sine } else { Vec3::ZERO })
}

/// The sector of a cylinder about an edge, between two normals.
fn edge([a, b]: [Vec3; 2], [p, q]: [Vec3; 2], radius: f64, sum: &mut Integrals) {
    let (angle, axis) = between(p, q);
    if angle == 0.0 {
        return;
    }
    let across = axis.cross(p);
    let (s, c) = scalar::sin_cos(angle);
    let (length, r2) = (a.distance(b), radius * radius);
    let area = 0.5 * angle * r2;
    let first = (p * s + across * (1.0 - c)) * (r2 * radius / 3.0);
    let second = (outer_product(p, p) * (angle + s * c)
        + outer_product(across, across) * (angle - s * c)
        + symmetric(p, across) * (s * s))
        * (r2 * r2 / 8.0);
    let line = outer_product(a + b, a + b) + outer_product(a, a) + outer_product(b, b);
    let middle = (a + b) * 0.5;
    sum.add(
        area * length,
        middle * (area * length) + first * length,
        line * (area * length / 6.0) + symmetric(middle, first) * length + second * length,
    );
}

/// The sector of a ball about a vertex, in the cone of these normals in counter-clockwise order.
fn corner(vertex: Vec3, normals: &[Vec3], radius: f64, sum: &mut Integrals) {
    let mut angle = 0.0;
    for pair in normals[1..].windows(2) {
        let (a, b, c) = (normals[0], pair[0], pair[1]);
        angle += 2.0 * scalar::atan2(a.dot(b.cross(c)), 1.0 + a.dot(b) + b.dot(c) + c.dot(a));
    }
    let (mut first, mut second) = (Vec3::ZERO, Mat3::from_diagonal(Vec3::splat(angle)));
    for (k, p) in normals.iter().enumerate() {
        let q = normals[(k + 1) % normals.len()];
        let (turn, across) = between(*p, q);
        first += across * (0.5 * turn);
        second += outer_product((*p + q) * scalar::tan(0.5 * turn), across);
    }
    let r3 = radius * radius * radius;
    let volume = angle * r3 / 3.0;
    let first = first * (0.25 * r3 * radius);
    // The sum over a closed polygon is symmetric but for round-off.
    let second = (second + second.transpose()) * (0.5 / 3.0 * r3 * radius * radius / 5.0);
    sum.add(
        volume,
        vertex * volume + first,
        outer_product(vertex, vertex) * volume + symmetric(vertex, first) + second,
    );
}

/// Directed edges of the faces.
struct Adjacency {
    /// From, to, face; sorted.
    edges: Vec<(u32, u32, u32)>,
}

impl Adjacency {
    fn new(faces: &[Vec<u32>]) -> Self {
        let sides = |(face, corners): (usize, &Vec<u32>)| {
            let next = corners.iter().cycle().skip(1);
            corners.iter().zip(next).map(|(from, to)| (*from, *to, face as u32)).collect::<Vec<_>>()
        };
        let mut edges: Vec<_> = faces.iter().enumerate().flat_map(sides).collect();
        edges.sort_unstable();
        Self { edges }
    }

    /// The face to the left of an edge.
    fn face_of(&self, from: u32, to: u32) -> Option<u32> {
        let found = self.edges.binary_search_by(|edge| (edge.0, edge.1).cmp(&(from, to)));
        found.ok().map(|index| self.edges[index].2)
    }

    /// The faces about a vertex, counter-clockwise seen from outside.
    fn fan<'a>(&'a self, vertex: u32, faces: &'a [Vec<u32>]) -> impl Iterator<Item = u32> + 'a {
        let first = self.edges.partition_point(|edge| edge.0 < vertex);
        let start = self.edges[first].2;
        let count = self.edges[first..].iter().take_while(|edge| edge.0 == vertex).count();
        let next = move |face: &u32| {
            let corners = &faces[*face as usize];
            let at = corners.iter().position(|corner| *corner == vertex)?;
            self.face_of(vertex, corners[(at + corners.len() - 1) % corners.len()])
        };
        std::iter::successors(Some(start), next).take(count)
    }
}

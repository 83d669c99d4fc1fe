//! Surfaces of revolution about z, and the icosphere. All are inscribed: their vertices lie on the true surface.

use std::{collections::HashMap, f64::consts::PI};

use msd::math::{Vec3, scalar};

use super::flat::{self, Surface};

pub(super) fn cylinder(radius: f64, length: f64, segments: u32) -> Surface {
    let h = length * 0.5;
    revolve(&[(0.0, -h), (radius, -h), (radius, h), (0.0, h)], segments)
}

pub(super) fn cone(radius: f64, length: f64, segments: u32) -> Surface {
    let h = length * 0.5;
    revolve(&[(0.0, -h), (radius, -h), (0.0, h)], segments)
}

pub(super) fn capsule(radius: f64, length: f64, segments: u32) -> Surface {
    let rings = segments.div_ceil(4);
    let quarter: Vec<(f64, f64)> = (0..=rings)
        .map(|i| {
            let (sin, cos) = sin_cos_of_turn(i, 4 * rings);
            (radius * cos, length * 0.5 + radius * sin)
        })
        .collect();
    let bottom = quarter.iter().rev().map(|&(rho, z)| (rho, -z));
    revolve(&bottom.chain(quarter.iter().copied()).collect::<Vec<_>>(), segments)
}

/// A stretched icosphere.
pub(super) fn ellipsoid(radii: Vec3, segments: u32) -> Surface {
    let (vertices, triangles) = icosphere(1.0, segments);
    (vertices.into_iter().map(|vertex| vertex * radii).collect(), triangles)
}

/// A tube of as many segments as the ring.
pub(super) fn torus(radius: f64, tube_radius: f64, segments: u32) -> Surface {
    let n = segments;
    let mut vertices = Vec::with_capacity((n * n) as usize);
    for ring in 0..n {
        let (sin, cos) = sin_cos_of_turn(ring, n);
        for i in 0..n {
            let (sin_tube, cos_tube) = sin_cos_of_turn(i, n);
            let rho = radius + tube_radius * cos_tube;
            vertices.push(Vec3::new(rho * cos, rho * sin, tube_radius * sin_tube));
        }
    }
    let vertex = |ring: u32, i: u32| (ring % n) * n + i % n;
    let triangles = (0..n)
        .flat_map(|ring| (0..n).map(move |i| (ring, i)))
        .flat_map(|(ring, i)| {
            let [a, b, c, d] =
                [vertex(ring, i), vertex(ring + 1, i), vertex(ring + 1, i + 1), vertex(ring, i + 1)];
            [[a, b, c], [a, c, d]]
        })
        .collect();
    (vertices, triangles)
}

/// An icosahedron whose triangles are cut in four, and their corners pushed out to the sphere, until a great circle
/// has at least `segments` edges (an icosahedron's has about five).
pub(super) fn icosphere(radius: f64, segments: u32) -> Surface {
    let (mut vertices, mut triangles) = flat::icosahedron(2.0);
    for vertex in &mut vertices {
        *vertex = vertex.normalize();
    }
    let mut edges_around = 5;
    while edges_around < segments {
        let mut midpoints: HashMap<(u32, u32), u32> = HashMap::new();
        let mut midpoint = |a: u32, b: u32| {
            *midpoints.entry(if a < b { (a, b) } else { (b, a) }).or_insert_with(|| {
                vertices.push((vertices[a as usize] + vertices[b as usize]).normalize());
                vertices.len() as u32 - 1
            })
        };
        triangles = triangles
            .iter()
            .flat_map(|&[a, b, c]| {
                let (ab, bc, ca) = (midpoint(a, b), midpoint(b, c), midpoint(c, a));
                [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
            })
            .collect();
        edges_around *= 2;
    }
    (vertices.into_iter().map(|v| v * radius).collect(), triangles)
}

/// The closed surface swept by a profile (ρ, z) that goes from the axis below to the axis above. Its first and last
/// points have ρ = 0 (or nearly, by rounding) and become one vertex each.
fn revolve(profile: &[(f64, f64)], segments: u32) -> Surface {
    let [(_, bottom), rings @ .., (_, top)] = profile else { return (Vec::new(), Vec::new()) };
    let mut vertices = vec![Vec3::Z * *bottom];
    for &(rho, z) in rings {
        vertices.extend((0..segments).map(|i| {
            let (sin, cos) = sin_cos_of_turn(i, segments);
            Vec3::new(rho * cos, rho * sin, z)
        }));
    }
    let last = vertices.len() as u32;
    vertices.push(Vec3::Z * *top);
    let vertex = |ring: u32, i: u32| 1 + ring * segments + i % segments;
    let top_ring = rings.len() as u32 - 1;
    let mut triangles = Vec::new();
    for i in 0..segments {
        triangles.push([0, vertex(0, i + 1), vertex(0, i)]);
        for ring in 0..top_ring {
            let [a, b] = [vertex(ring, i), vertex(ring, i + 1)];
            let [d, c] = [vertex(ring + 1, i), vertex(ring + 1, i + 1)];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
        triangles.push([last, vertex(top_ring, i), vertex(top_ring, i + 1)]);
    }
    (vertices, triangles)
}

/// Sine and cosine of `i / n` of a full turn, exact at the quarters, so that a round mesh reaches exactly its radius.
fn sin_cos_of_turn(i: u32, n: u32) -> (f64, f64) {
    match (4 * i / n, (4 * i).is_multiple_of(n)) {
        (0, true) => (0.0, 1.0),
        (1, true) => (1.0, 0.0),
        (2, true) => (0.0, -1.0),
        (3, true) => (-1.0, 0.0),
        _ => scalar::sin_cos(2.0 * PI * f64::from(i) / f64::from(n)),
    }
}

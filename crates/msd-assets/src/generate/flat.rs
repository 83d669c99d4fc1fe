//! Polyhedra.

use msd::math::{Coordinate, Vec3};

/// Vertices and outward triangles.
pub(super) type Surface = (Vec<Coordinate>, Vec<[u32; 3]>);

/// Corner `i` has +x where bit 0 of `i` is set, +y for bit 1, +z for bit 2.
pub(super) fn cuboid(size: Vec3) -> Surface {
    let sign = |i: u32, bit: u32| if i >> bit & 1 == 1 { 0.5 } else { -0.5 };
    let vertices = (0..8).map(|i| size * Vec3::new(sign(i, 0), sign(i, 1), sign(i, 2))).collect();
    let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    (vertices, faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect())
}

/// In the plane z = 0, facing up.
pub(super) fn square(size: f64) -> Surface {
    let h = size * 0.5;
    let corners = [(-h, -h), (h, -h), (h, h), (-h, h)];
    (corners.map(|(x, y)| Vec3::new(x, y, 0.0)).to_vec(), vec![[0, 1, 2], [0, 2, 3]])
}

/// Four alternate corners of a cube of edge `e/√2`.
pub(super) fn tetrahedron(edge: f64) -> Surface {
    let h = edge / 8.0_f64.sqrt();
    let corners = [(1.0, 1.0, 1.0), (1.0, -1.0, -1.0), (-1.0, 1.0, -1.0), (-1.0, -1.0, 1.0)];
    let vertices = corners.map(|(x, y, z)| Vec3::new(x, y, z) * h).to_vec();
    (vertices, vec![[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]])
}

/// Corners on the axes at `e/√2`.
pub(super) fn octahedron(edge: f64) -> Surface {
    let r = edge * std::f64::consts::FRAC_1_SQRT_2;
    let axes = [Vec3::X, Vec3::Y, Vec3::NEG_X, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z];
    let around = [(0, 1), (1, 2), (2, 3), (3, 0)];
    (axes.map(|v| v * r).to_vec(), around.iter().flat_map(|&(a, b)| [[a, b, 4], [b, a, 5]]).collect())
}

/// Corners (0, ±1, ±φ) and their cyclic permutations, which have edges of 2; φ the golden ratio.
pub(super) fn icosahedron(edge: f64) -> Surface {
    let phi = (1.0 + 5.0_f64.sqrt()) / 2.0;
    let corners = [
        (-1.0, phi, 0.0),
        (1.0, phi, 0.0),
        (-1.0, -phi, 0.0),
        (1.0, -phi, 0.0),
        (0.0, -1.0, phi),
        (0.0, 1.0, phi),
        (0.0, -1.0, -phi),
        (0.0, 1.0, -phi),
        (phi, 0.0, -1.0),
        (phi, 0.0, 1.0),
        (-phi, 0.0, -1.0),
        (-phi, 0.0, 1.0),
    ];
    let faces = [
        [0, 11, 5],
        [0, 5, 1],
        [0, 1, 7],
        [0, 7, 10],
        [0, 10, 11],
        [1, 5, 9],
        [5, 11, 4],
        [11, 10, 2],
        [10, 7, 6],
        [7, 1, 8],
        [3, 9, 4],
        [3, 4, 2],
        [3, 2, 6],
        [3, 6, 8],
        [3, 8, 9],
        [4, 9, 5],
        [2, 4, 11],
        [6, 2, 10],
        [8, 6, 7],
        [9, 8, 1],
    ];
    (corners.map(|(x, y, z)| Vec3::new(x, y, z) * (edge * 0.5)).to_vec(), faces.to_vec())
}

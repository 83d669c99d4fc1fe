//! Mass of meshes by the rules of MuJoCo, and the primitives that it fits to them.
//!
//! The pyramids between the triangles of a mesh and a point have the signed volumes `V = (c - p)·n A/3` (centroid c, unit normal n and
//! area A of the triangle, p the mean of the centroids weighted by area). With `Σ V (p + ¾ (c - p))/Σ V` as centre of mass and the second
//! moments of the pyramids about it this is the solid itself. The *legacy* rule, which MuJoCo follows unless a mesh or the compiler names another,
//! takes |V| instead: right for a body that p sees whole, too heavy for any other. A *shell* has its mass in the triangles.

use msd::math::{Coordinate, Mat3, Quat, ReferenceFrame, Vec3, orientation, symmetric_eigen};
use msd::physics::rigid_body::UniformSolid;

/// How a mesh gets its mass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MeshMass {
    Legacy,
    Exact,
    Convex,
    Shell,
}

impl MeshMass {
    pub(super) fn named(name: &str) -> Option<Self> {
        match name {
            "legacy" => Some(Self::Legacy),
            "exact" => Some(Self::Exact),
            "convex" => Some(Self::Convex),
            "shell" => Some(Self::Shell),
            _ => None,
        }
    }
}

/// `∫ r rᵀ` over a tetrahedron of volume V with one corner at the origin (divisor 20), or over a triangle of area V (divisor 12).
fn second_moments([a, b, c]: [Vec3; 3], measure: f64, divisor: f64) -> Mat3 {
    let outer = |u: Vec3, v: Vec3| Mat3::from_cols(u * v.x, u * v.y, u * v.z);
    let sum = a + b + c;
    (outer(a, a) + outer(b, b) + outer(c, c) + outer(sum, sum)) * (measure / divisor)
}

/// Legacy rule or shell. `None` for a mesh without area or volume.
pub(super) fn solid(vertices: &[Coordinate], triangles: &[[u32; 3]], rule: MeshMass) -> Option<UniformSolid> {
    let corners = |triangle: &[u32; 3]| triangle.map(|corner| vertices[corner as usize]);
    let normal = |[a, b, c]: [Vec3; 3]| (b - a).cross(c - a) * 0.5;
    let faces: Vec<[Vec3; 3]> = triangles.iter().map(corners).collect();
    let area: f64 = faces.iter().map(|face| normal(*face).length()).sum();
    let center = |[a, b, c]: [Vec3; 3], apex: Vec3| ((a - apex) + (b - apex) + (c - apex)) / 3.0;
    let middle =
        faces.iter().map(|face| center(*face, Vec3::ZERO) * normal(*face).length()).sum::<Vec3>() / area;
    let is_shell = rule == MeshMass::Shell;
    let measure = |face: [Vec3; 3], apex: Vec3| match is_shell {
        true => normal(face).length(),
        false => (center(face, apex).dot(normal(face)) / 3.0).abs(),
    };
    let total: f64 = faces.iter().map(|face| measure(*face, middle)).sum();
    if !(total > 0.0 && total.is_finite()) {
        return None;
    }
    let centroid = if is_shell {
        middle
    } else {
        let first = |face: &[Vec3; 3]| center(*face, middle) * (0.75 * measure(*face, middle));
        middle + faces.iter().map(first).sum::<Vec3>() / total
    };
    let divisor = if is_shell { 12.0 } else { 20.0 };
    let about = |face: &[Vec3; 3]| {
        second_moments(face.map(|corner| corner - centroid), measure(*face, centroid), divisor)
    };
    let moments = faces.iter().fold(Mat3::ZERO, |sum, face| sum + about(face)) * (1.0 / total);
    let trace = moments.x_axis.x + moments.y_axis.y + moments.z_axis.z;
    let inertia_per_mass = Mat3::IDENTITY * trace - moments;
    Some(UniformSolid { volume: total, centroid, inertia_per_mass })
}

/// Half sizes, in falling order of the moments about them, of the box of the same moments, and its frame.
pub(super) fn equivalent_box(solid: &UniformSolid) -> (Vec3, ReferenceFrame) {
    let eigen = symmetric_eigen(&solid.inertia_per_mass);
    let [a, b, c] = eigen.values.to_array();
    let half = |i: f64, j: f64, k: f64| 0.5 * (6.0 * (i + j - k)).max(0.0).sqrt();
    let (x, y) = (eigen.vectors.z_axis, eigen.vectors.y_axis);
    let axes = Mat3::from_cols(x, y, x.cross(y));
    let turn: Quat = orientation::normalized(Quat::from_mat3(&axes));
    (Vec3::new(half(a, b, c), half(a, c, b), half(b, c, a)), ReferenceFrame::new(solid.centroid, turn))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A box of these half sizes about a point.
    fn cuboid(half: Vec3, at: Vec3) -> (Vec<Vec3>, Vec<[u32; 3]>) {
        let sign = |i: u32, bit: u32| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
        let corners = (0..8).map(|i| at + half * Vec3::new(sign(i, 0), sign(i, 1), sign(i, 2))).collect();
        let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        (corners, sides.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]).collect())
    }

    #[test]
    fn a_box_has_its_own_mass_by_the_legacy_rule_and_is_its_own_equivalent_box() {
        let (half, at) = (Vec3::new(0.3, 0.2, 0.1), Vec3::new(1.0, -2.0, 0.5));
        let (vertices, triangles) = cuboid(half, at);
        let legacy = solid(&vertices, &triangles, MeshMass::Legacy).unwrap();
        assert!((legacy.volume - 8.0 * 0.006).abs() < 1e-15 && (legacy.centroid - at).length() < 1e-14);
        let (found, frame) = equivalent_box(&legacy);
        assert!((found - Vec3::new(0.1, 0.2, 0.3)).length() < 1e-13, "{found}");
        assert!(
            (frame.orientation * Vec3::Z).x.abs() > 1.0 - 1e-12 && (frame.position - at).length() < 1e-14
        );
    }

    #[test]
    fn the_legacy_rule_counts_what_is_hollow_twice() {
        // A cube of side 2 with a cube of side 1 taken out of its middle: 8 - 1, and by absolute volumes 8 + 1.
        let (mut vertices, mut triangles) = cuboid(Vec3::ONE, Vec3::ZERO);
        let (inner, turned) = cuboid(Vec3::splat(0.5), Vec3::ZERO);
        vertices.extend(inner);
        triangles.extend(turned.iter().map(|[a, b, c]| [a + 8, c + 8, b + 8]));
        let legacy = solid(&vertices, &triangles, MeshMass::Legacy).unwrap();
        assert!((legacy.volume - 9.0).abs() < 1e-14, "{}", legacy.volume);
    }

    #[test]
    fn a_shell_has_the_moments_of_its_faces() {
        let (vertices, triangles) = cuboid(Vec3::ONE, Vec3::ZERO);
        let shell = solid(&vertices, &triangles, MeshMass::Shell).unwrap();
        // Two faces at distance 1 and four seen edge-on: ∫ (y² + z²) dA = 2·(8/3) + 4·(4 + 4/3) over 24.
        let moment = (2.0 * 8.0 / 3.0 + 4.0 * (4.0 + 4.0 / 3.0)) / 24.0;
        assert!((shell.volume - 24.0).abs() < 1e-13);
        assert!((shell.inertia_per_mass.x_axis.x - moment).abs() < 1e-14);
    }
}

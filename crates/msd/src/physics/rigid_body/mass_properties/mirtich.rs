//! Mass integrals of a polyhedron, after Brian Mirtich, "Fast and accurate computation of polyhedral mass
//! properties", Journal of Graphics Tools 1(2), 1996.
//!
//! The divergence theorem turns each integral over the volume into integrals over the faces; each face is
//! projected along the largest component of its normal, and Green's theorem turns the integrals over the
//! projection into sums over its edges. The names of the integrals are those of the paper: π over
//! projections, F over faces, T over the volume; a, b, c stand for the coordinates α, β, γ, of which γ is the
//! projected one.
//!
//! Departures from the paper:
//! - Coordinates are first shifted to the middle of the polyhedron, rotated to the principal axes of its
//!   vertices (where that makes its box thinner) and scaled to unit size along each of them. Neither a
//!   distant origin nor tiny or huge lengths cost digits, and a needle or a plate is integrated as a body as
//!   thick as it is long; without that, opposite faces of a needle would cancel and leave nothing of its
//!   smallest moment.
//! - The volume is `⅓ Σ n·∫ x dA` over all three coordinates instead of one: a sum of positive terms for a
//!   convex body.
//! - Sums over faces are compensated, so that a million triangles are as exact as twelve.

use super::{UniformSolid, symmetrized};
use crate::math::{CompensatedSum, Coordinate, Mat3, Vec3, outer_product, symmetric_eigen};
use crate::physics::rigid_body::shape::Aabb;

/// ∫ over the projection of a face of 1, a, b, a², ab, b², a³, a²b, ab², b³.
#[derive(Default)]
struct ProjectionIntegrals {
    one: f64,
    a: f64,
    b: f64,
    aa: f64,
    ab: f64,
    bb: f64,
    aaa: f64,
    aab: f64,
    abb: f64,
    bbb: f64,
}

/// The integrals F of the paper.
struct FaceIntegrals {
    /// Unit, outward.
    normal: Vec3,
    /// ∫ (x, y, z) dA.
    first: Vec3,
    /// ∫ (x², y², z²) dA.
    squares: Vec3,
    /// ∫ (x³, y³, z³) dA.
    cubes: Vec3,
    /// ∫ (x²y, y²z, z²x) dA.
    mixed: Vec3,
}

/// The integrals T of the paper.
#[derive(Default)]
struct VolumeIntegrals {
    /// ∫ dV.
    volume: CompensatedSum<f64>,
    /// ∫ (x, y, z) dV.
    first: CompensatedSum<Vec3>,
    /// ∫ (x², y², z²) dV.
    squares: CompensatedSum<Vec3>,
    /// ∫ (xy, yz, zx) dV.
    products: CompensatedSum<Vec3>,
}

/// The frame in which a polyhedron is integrated: `x = middle + axes (center + size x')`, component by component.
struct UnitFrame {
    middle: Coordinate,
    axes: Mat3,
    center: Vec3,
    size: Vec3,
}

/// Volume, centroid and inertia per unit of mass; `None` if the faces enclose no positive volume.
pub(super) fn polyhedron<F: AsRef<[u32]>>(vertices: &[Coordinate], faces: &[F]) -> Option<UniformSolid> {
    let corner = |&index: &u32| vertices[index as usize];
    let frame = UnitFrame::around(|| faces.iter().flat_map(|face| face.as_ref().iter().map(corner)));
    let mut integrals = VolumeIntegrals::default();
    let mut corners = Vec::new();
    for face in faces {
        corners.clear();
        corners.extend(face.as_ref().iter().map(|index| frame.to_unit(corner(index))));
        if let Some(face) = FaceIntegrals::new(&corners) {
            integrals.add_face(&face);
        }
    }
    integrals.to_solid(&frame)
}

impl UnitFrame {
    /// Fitted to points that can be gone through several times.
    fn around<I: Iterator<Item = Coordinate>>(points: impl Fn() -> I) -> Self {
        let bounds = Aabb::from_points(points());
        let (middle, scale) = (bounds.center(), 1.0 / bounds.size().max_element());
        let scaled = || points().map(|point| (point - middle) * scale);
        let count = points().count() as f64;
        let mean = scaled().sum::<Vec3>() / count;
        let spread = scaled().map(|p| outer_product(p - mean, p - mean)).sum::<Mat3>() * (1.0 / count);
        let axes = symmetric_eigen(&spread).vectors;
        let turned = Aabb::from_points(points().map(|point| axes.transpose() * (point - middle)));
        // A rotation costs a rounding; it is skipped for a body that is not thin or is already aligned with
        // the axes.
        if turned.size().min_element() < 0.5 * bounds.size().min_element() {
            Self { middle, axes, center: turned.center(), size: turned.size() }
        } else {
            Self { middle, axes: Mat3::IDENTITY, center: Vec3::ZERO, size: bounds.size() }
        }
    }

    fn to_unit(&self, point: Coordinate) -> Vec3 {
        (self.axes.transpose() * (point - self.middle) - self.center) / self.size
    }
}

impl ProjectionIntegrals {
    /// Sums over the edges of a polygon in the plane (α, β).
    fn new(corners: &[Vec3], alpha: usize, beta: usize) -> Self {
        let mut sum = Self::default();
        for (i, from) in corners.iter().enumerate() {
            let to = corners[(i + 1) % corners.len()];
            sum.add_edge(from[alpha], from[beta], to[alpha], to[beta]);
        }
        Self {
            one: sum.one / 2.0,
            a: sum.a / 6.0,
            b: -sum.b / 6.0,
            aa: sum.aa / 12.0,
            ab: sum.ab / 24.0,
            bb: -sum.bb / 12.0,
            aaa: sum.aaa / 20.0,
            aab: sum.aab / 60.0,
            abb: -sum.abb / 60.0,
            bbb: -sum.bbb / 20.0,
        }
    }

    fn add_edge(&mut self, a0: f64, b0: f64, a1: f64, b1: f64) {
        let (da, db) = (a1 - a0, b1 - b0);
        let (a0_2, b0_2, a1_2, b1_2) = (a0 * a0, b0 * b0, a1 * a1, b1 * b1);
        let (a0_3, b0_3, a1_3, b1_3) = (a0 * a0_2, b0 * b0_2, a1 * a1_2, b1 * b1_2);
        // Sums of all monomials of both ends of degree 2, 3, 4.
        let c_a2 = a1_2 + a1 * a0 + a0_2;
        let c_a3 = a1 * c_a2 + a0_3;
        let c_a4 = a1 * c_a3 + a0 * a0_3;
        let c_b2 = b1_2 + b1 * b0 + b0_2;
        let c_b3 = b1 * c_b2 + b0_3;
        let c_b4 = b1 * c_b3 + b0 * b0_3;
        self.one += db * (a1 + a0);
        self.a += db * c_a2;
        self.aa += db * c_a3;
        self.aaa += db * c_a4;
        self.b += da * c_b2;
        self.bb += da * c_b3;
        self.bbb += da * c_b4;
        self.ab += db * (b1 * (3.0 * a1_2 + 2.0 * a1 * a0 + a0_2) + b0 * (a1_2 + 2.0 * a1 * a0 + 3.0 * a0_2));
        self.aab += db
            * (b1 * (4.0 * a1_3 + 3.0 * a1_2 * a0 + 2.0 * a1 * a0_2 + a0_3)
                + b0 * (a1_3 + 2.0 * a1_2 * a0 + 3.0 * a1 * a0_2 + 4.0 * a0_3));
        self.abb += da
            * (a1 * (4.0 * b1_3 + 3.0 * b1_2 * b0 + 2.0 * b1 * b0_2 + b0_3)
                + a0 * (b1_3 + 2.0 * b1_2 * b0 + 3.0 * b1 * b0_2 + 4.0 * b0_3));
    }
}

/// Sum of the cross products of a fan: the normal with twice the area as length, whatever the polygon's shape.
fn doubled_area(corners: &[Vec3]) -> Vec3 {
    corners.windows(2).map(|pair| (pair[0] - corners[0]).cross(pair[1] - corners[0])).sum()
}

impl FaceIntegrals {
    /// `None` for a face without area, which contributes nothing.
    fn new(corners: &[Vec3]) -> Option<Self> {
        let normal = doubled_area(corners).try_normalize()?;
        let size = normal.abs();
        let gamma = if size.x >= size.y && size.x >= size.z {
            0
        } else if size.y >= size.z {
            1
        } else {
            2
        };
        let (alpha, beta) = ((gamma + 1) % 3, (gamma + 2) % 3);
        let p = ProjectionIntegrals::new(corners, alpha, beta);
        let (na, nb, nc) = (normal[alpha], normal[beta], normal[gamma]);
        // The plane n·x + w = 0 through the mean of the corners gives c = -(n_a a + n_b b + w)/n_c; below are its
        // powers under the integral.
        let w = -corners.iter().map(|corner| normal.dot(*corner)).sum::<f64>() / corners.len() as f64;
        let linear = na * p.a + nb * p.b;
        let quadratic = na * na * p.aa + 2.0 * na * nb * p.ab + nb * nb * p.bb;
        let cubic = na * na * na * p.aaa + 3.0 * na * nb * (na * p.aab + nb * p.abb) + nb * nb * nb * p.bbb;
        let (nc2, nc3, nc4) = (nc * nc, nc * nc * nc, nc * nc * nc * nc);
        let f_c = -(linear + w * p.one) / nc2;
        let f_cc = (quadratic + w * (2.0 * linear + w * p.one)) / nc3;
        let f_ccc = -(cubic + w * (3.0 * quadratic + w * (3.0 * linear + w * p.one))) / nc4;
        let f_bbc = -(na * p.abb + nb * p.bbb + w * p.bb) / nc2;
        let f_cca = (na * na * p.aaa
            + 2.0 * na * nb * p.aab
            + nb * nb * p.abb
            + w * (2.0 * (na * p.aa + nb * p.ab) + w * p.a))
            / nc3;
        let from_axes = |a: f64, b: f64, c: f64| {
            let mut v = Vec3::ZERO;
            (v[alpha], v[beta], v[gamma]) = (a, b, c);
            v
        };
        Some(Self {
            normal,
            first: from_axes(p.a / nc, p.b / nc, f_c),
            squares: from_axes(p.aa / nc, p.bb / nc, f_cc),
            cubes: from_axes(p.aaa / nc, p.bbb / nc, f_ccc),
            mixed: from_axes(p.aab / nc, f_bbc, f_cca),
        })
    }
}

impl VolumeIntegrals {
    fn add_face(&mut self, face: &FaceIntegrals) {
        self.volume.add(face.normal.dot(face.first) / 3.0);
        self.first.add(face.normal * face.squares / 2.0);
        self.squares.add(face.normal * face.cubes / 3.0);
        self.products.add(face.normal * face.mixed / 2.0);
    }

    /// Moves the tensor to the centroid, and undoes scale, rotation and shift.
    fn to_solid(&self, frame: &UnitFrame) -> Option<UniformSolid> {
        let volume = self.volume.total();
        if !(volume > 0.0 && volume.is_finite()) {
            return None;
        }
        let size = frame.size;
        let c = self.first.total() / volume;
        let s = (self.squares.total() / volume - c * c) * size * size;
        let m = (self.products.total() / volume - Vec3::new(c.x * c.y, c.y * c.z, c.z * c.x))
            * Vec3::new(size.x * size.y, size.y * size.z, size.z * size.x);
        let tensor = Mat3::from_cols(
            Vec3::new(s.y + s.z, -m.x, -m.z),
            Vec3::new(-m.x, s.x + s.z, -m.y),
            Vec3::new(-m.z, -m.y, s.x + s.y),
        );
        Some(UniformSolid {
            volume: volume * size.x * size.y * size.z,
            centroid: frame.middle + frame.axes * (frame.center + c * size),
            inertia_per_mass: symmetrized(frame.axes * tensor * frame.axes.transpose()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tetrahedron() -> UniformSolid {
        let vertices = [Vec3::ZERO, Vec3::X * 5.0, Vec3::Y * 4.0, Vec3::Z * 3.0];
        polyhedron(&vertices, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]).unwrap()
    }

    #[test]
    fn a_right_tetrahedron_has_its_textbook_integrals() {
        let solid = tetrahedron();
        assert!((solid.volume / 10.0 - 1.0).abs() < 1e-14);
        assert!((solid.centroid - Vec3::new(1.25, 1.0, 0.75)).length() < 1e-15);
        // Tensor convention: ∫ xy dm about the centroid is -2.5, the entry is +2.5.
        let tensor = solid.inertia_per_mass * 10.0;
        assert!((tensor.x_axis - Vec3::new(9.375, 2.5, 1.875)).length() < 1e-13);
        assert!((tensor.y_axis - Vec3::new(2.5, 12.75, 1.5)).length() < 1e-13);
        assert!((tensor.z_axis - Vec3::new(1.875, 1.5, 15.375)).length() < 1e-13);
    }

    #[test]
    fn polygons_and_triangles_give_the_same() {
        let side = |i: u32, bit: u32| if i & bit == 0 { 0.0 } else { 1.0 };
        let corners: Vec<Vec3> =
            (0..8).map(|i| Vec3::new(side(i, 1), 2.0 * side(i, 2), 3.0 * side(i, 4))).collect();
        let quads: [[u32; 4]; 6] =
            [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let whole = polyhedron(&corners, &quads).unwrap();
        let triangles: Vec<[u32; 3]> =
            quads.iter().flat_map(|q| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]]).collect();
        let split = polyhedron(&corners, &triangles).unwrap();
        for solid in [whole, split] {
            assert!((solid.volume - 6.0).abs() < 1e-14);
            assert!((solid.centroid - Vec3::new(0.5, 1.0, 1.5)).length() < 1e-15);
            let expected = Mat3::from_diagonal(Vec3::new(13.0, 10.0, 5.0) / 12.0);
            assert!((solid.inertia_per_mass - expected).to_cols_array().iter().all(|d| d.abs() < 1e-14));
        }
    }

    #[test]
    fn a_polygon_may_be_concave() {
        // An L of three unit squares, one metre high.
        let outline = [(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (1.0, 1.0), (1.0, 2.0), (0.0, 2.0)];
        let mut vertices: Vec<Vec3> = outline.iter().map(|&(x, y)| Vec3::new(x, y, 0.0)).collect();
        vertices.extend(outline.iter().map(|&(x, y)| Vec3::new(x, y, 1.0)));
        let mut faces = vec![vec![5, 4, 3, 2, 1, 0], vec![6, 7, 8, 9, 10, 11]];
        faces.extend((0..6).map(|i| vec![i, (i + 1) % 6, (i + 1) % 6 + 6, i + 6]));
        let solid = polyhedron(&vertices, &faces).unwrap();
        assert!((solid.volume - 3.0).abs() < 1e-14);
        assert!((solid.centroid - Vec3::new(2.5 / 3.0, 2.5 / 3.0, 0.5)).length() < 1e-15);
    }

    #[test]
    fn faces_turned_inwards_enclose_nothing() {
        let vertices = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
        assert!(polyhedron(&vertices, &[[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]]).is_none());
    }
}

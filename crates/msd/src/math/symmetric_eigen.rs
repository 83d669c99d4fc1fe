//! Eigenvalues and eigenvectors of a symmetric 3×3 matrix by cyclic Jacobi rotations.
//!
//! Each rotation zeroes one off-diagonal entry; the sum of squares of the off-diagonal entries falls quadratically
//! once small, so a handful of sweeps reach round-off. Unlike the closed form through the cubic, eigenvectors stay
//! orthogonal to round-off when eigenvalues coincide, which is the usual case for inertia tensors.
//! (Golub & Van Loan, *Matrix Computations*, 4th ed., §8.5.)

use super::{Mat3, Vec3, scalar};

/// `m = V diag(values) Vᵀ`, eigenvalues ascending, columns of the rotation matrix `V` (determinant +1) the unit
/// eigenvectors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SymmetricEigen {
    /// Eigenvalues, ascending.
    pub values: Vec3,
    /// Unit eigenvectors as the columns of a proper rotation.
    pub vectors: Mat3,
}

/// Decomposes a symmetric matrix; only its upper triangle is read. A matrix that is diagonal already is not rotated,
/// only its axes are reordered.
#[must_use]
pub fn symmetric_eigen(m: &Mat3) -> SymmetricEigen {
    let mut a = [
        [m.x_axis.x, m.y_axis.x, m.z_axis.x],
        [m.y_axis.x, m.y_axis.y, m.z_axis.y],
        [m.z_axis.x, m.z_axis.y, m.z_axis.z],
    ];
    let mut v = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    // Quadratic convergence: 3×3 matrices need four to six sweeps; the bound only guards against NaN.
    for _sweep in 0..32 {
        let mut rotated = false;
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let off = a[p][q];
            if off == 0.0 || off.abs() <= 0.5 * f64::EPSILON * (a[p][p] * a[q][q]).abs().sqrt() {
                a[p][q] = 0.0;
                continue;
            }
            rotated = true;
            rotate(&mut a, &mut v, p, q);
        }
        if !rotated {
            break;
        }
    }
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| a[i][i].total_cmp(&a[j][j]));
    let column = |k: usize| Vec3::new(v[0][k], v[1][k], v[2][k]);
    let (first, second) = (column(order[0]), column(order[1]));
    SymmetricEigen {
        values: Vec3::new(a[order[0]][order[0]], a[order[1]][order[1]], a[order[2]][order[2]]),
        vectors: Mat3::from_cols(first, second, first.cross(second)),
    }
}

/// One Jacobi rotation in the plane (p, q), p < q, working on the upper triangle of `a`.
fn rotate(a: &mut [[f64; 3]; 3], v: &mut [[f64; 3]; 3], p: usize, q: usize) {
    let off = a[p][q];
    let theta = (a[q][q] - a[p][p]) / (2.0 * off);
    let t = if theta.is_finite() {
        (if theta < 0.0 { -1.0 } else { 1.0 }) / (theta.abs() + scalar::hypot(theta, 1.0))
    } else {
        0.0
    };
    let c = 1.0 / scalar::hypot(t, 1.0);
    let s = t * c;
    a[p][p] -= t * off;
    a[q][q] += t * off;
    a[p][q] = 0.0;
    let r = 3 - p - q;
    let (rp, rq) = ((r.min(p), r.max(p)), (r.min(q), r.max(q)));
    let (arp, arq) = (a[rp.0][rp.1], a[rq.0][rq.1]);
    a[rp.0][rp.1] = c * arp - s * arq;
    a[rq.0][rq.1] = s * arp + c * arq;
    for row in v.iter_mut() {
        let (vp, vq) = (row[p], row[q]);
        row[p] = c * vp - s * vq;
        row[q] = s * vp + c * vq;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::orientation::from_rotation_vector;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn eigen_decomposition_rebuilds_the_matrix(
            x in -3.0..3.0_f64, y in -3.0..3.0_f64, z in -3.0..3.0_f64,
            a in 1e-6..1e6_f64, b in 1e-6..1e6_f64, equal in proptest::bool::ANY
        ) {
            let r = Mat3::from_quat(from_rotation_vector(Vec3::new(x, y, z)));
            let values = Vec3::new(a, if equal { a } else { b }, b);
            let m = r * Mat3::from_diagonal(values) * r.transpose();
            let e = symmetric_eigen(&m);
            let rebuilt = e.vectors * Mat3::from_diagonal(e.values) * e.vectors.transpose();
            let scale = values.max_element();
            prop_assert!((rebuilt - m).to_cols_array().iter().all(|d| d.abs() < 1e-14 * scale * 10.0));
            prop_assert!(e.values.x <= e.values.y && e.values.y <= e.values.z);
            let gram = e.vectors.transpose() * e.vectors - Mat3::IDENTITY;
            prop_assert!(gram.to_cols_array().iter().all(|d| d.abs() < 1e-14));
            prop_assert!((e.vectors.determinant() - 1.0).abs() < 1e-14);
        }
    }

    #[test]
    fn a_diagonal_matrix_keeps_its_axes() {
        let e = symmetric_eigen(&Mat3::from_diagonal(Vec3::new(1.0, 2.0, 3.0)));
        assert_eq!(e.values, Vec3::new(1.0, 2.0, 3.0));
        assert_eq!(e.vectors, Mat3::IDENTITY);
    }
}

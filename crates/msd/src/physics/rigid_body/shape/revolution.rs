//! Solids of revolution about the z axis: directions across it, and moments by the profile.

use std::f64::consts::PI;

use super::parallel_body::SolidMoments;
use crate::math::{Mat3, Vec3, scalar};

/// Squares of components below this length may lose digits to underflow.
const SAFE_TO_SQUARE: f64 = 1e-140;

/// The unit vector along `(x, y, 0)`, whatever its length; `None` on the axis.
pub(super) fn radial_unit(v: Vec3) -> Option<Vec3> {
    let radial = Vec3::new(v.x, v.y, 0.0);
    let length = (v.x * v.x + v.y * v.y).sqrt();
    if length > SAFE_TO_SQUARE && length.is_finite() {
        return Some(radial / length);
    }
    let largest = radial.abs().max_element();
    (largest > 0.0).then(|| (radial / largest).normalize())
}

/// The unit vector along `v`, whatever its length; z if it is zero. A vector that is unit to round-off is
/// returned as it is, so that a stored vector reads back with the same bits.
pub(super) fn unit(v: Vec3) -> Vec3 {
    let length = v.length();
    if (length - 1.0).abs() <= 2.0 * f64::EPSILON {
        return v;
    }
    if length > SAFE_TO_SQUARE && length.is_finite() {
        return v / length;
    }
    let largest = v.abs().max_element();
    if largest > 0.0 { (v / largest).normalize() } else { Vec3::Z }
}

/// Distance from the z axis.
pub(super) fn radial_distance(point: Vec3) -> f64 {
    (point.x * point.x + point.y * point.y).sqrt()
}

/// How far a disc of unit radius about the local z axis reaches along each axis of the parent.
///
/// Along the parent axis e the disc reaches √(1 - (e·z)²), which is the length of e's part in the local xy plane;
/// in the second form nothing cancels when the disc is almost edge on.
pub(super) fn disc_reach(rotation: &Mat3) -> Vec3 {
    let (x, y) = (rotation.x_axis, rotation.y_axis);
    let reach = |a: f64, b: f64| (a * a + b * b).sqrt();
    Vec3::new(reach(x.x, y.x), reach(x.y, y.y), reach(x.z, y.z))
}

/// A part of a circle in the half-plane (ρ, z) of a profile: centre, radius, and angles from the ρ axis towards z.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arc {
    pub(super) rho: f64,
    pub(super) z: f64,
    pub(super) radius: f64,
    pub(super) from: f64,
    pub(super) to: f64,
}

/// Nodes and weights of Gauss and Legendre on [-1, 1], twelve points: exact for polynomials up to degree 23, and to
/// round-off for the trigonometric polynomials of degree 6 of a quarter circle.
const GAUSS: [(f64, f64); 6] = [
    (0.125_233_408_511_468_9, 0.249_147_045_813_402_78),
    (0.367_831_498_998_180_2, 0.233_492_536_538_354_8),
    (0.587_317_954_286_617_5, 0.203_167_426_723_065_92),
    (0.769_902_674_194_304_7, 0.160_078_328_543_346_22),
    (0.904_117_256_370_474_9, 0.106_939_325_995_318_43),
    (0.981_560_634_246_719_3, 0.047_175_336_386_511_83),
];

/// Of the solid swept by a profile of arcs and segments (ρ, z) from the bottom to the top of the axis.
///
/// ```text
/// V = π ∫ρ² dz,   ∫z dV = π ∫ρ² z dz,   ∫z² dV = π ∫ρ² z² dz,   ∫x² dV = ∫y² dV = π/4 ∫ρ⁴ dz
/// ```
pub(super) fn moments(arcs: &[Arc], segments: &[[(f64, f64); 2]]) -> SolidMoments {
    let (mut volume, mut first, mut along, mut across) = (0.0, 0.0, 0.0, 0.0);
    let mut add = |rho: f64, z: f64, dz: f64| {
        let square = PI * rho * rho * dz;
        volume += square;
        first += square * z;
        along += square * z * z;
        across += 0.25 * square * rho * rho;
    };
    for (node, weight) in GAUSS.into_iter().flat_map(|(node, weight)| [(node, weight), (-node, weight)]) {
        let share = 0.5 * (1.0 + node);
        for arc in arcs {
            let (s, c) = scalar::sin_cos(arc.from + (arc.to - arc.from) * share);
            let dz = arc.radius * c * 0.5 * (arc.to - arc.from) * weight;
            add(arc.rho + arc.radius * c, arc.z + arc.radius * s, dz);
        }
        for [(rho, z), (rho_end, z_end)] in segments {
            add(rho + (rho_end - rho) * share, z + (z_end - z) * share, 0.5 * (z_end - z) * weight);
        }
    }
    let middle = first / volume;
    SolidMoments {
        volume,
        centroid: Vec3::Z * middle,
        covariance: Mat3::from_diagonal(Vec3::new(across, across, along - first * middle) / volume),
    }
}

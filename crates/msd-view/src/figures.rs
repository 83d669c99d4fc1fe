//! Energy and certificate figures for the plots, one row a frame.

use crate::frame::{KIND_FIGURES, VERSION};

/// Names of the columns, in order. SI units; `certificate` is the worst ratio of a figure to its limit (at most 1 is
/// certified), NaN where it is not known.
pub const COLUMNS: [&str; 14] = [
    "time",
    "kinetic",
    "potential",
    "work_in",
    "dissipated",
    "correction",
    "error",
    "gain",
    "contacts",
    "penetration",
    "residual",
    "certificate",
    "joint_position_error",
    "joint_angle_error",
];

/// One row.
pub type FigureRow = [f64; COLUMNS.len()];

/// Rows of one message.
pub const MAX_ROWS: u32 = 4096;

/// Rows from number `from` on as a message: kind 3, version, `u16` 0, `u32` epoch, `u32` from, `u32` rows, then `f64`s.
#[must_use]
pub fn encode(epoch: u32, from: u32, rows: &[FigureRow]) -> Vec<u8> {
    let mut bytes = vec![KIND_FIGURES, VERSION, 0, 0];
    for number in [epoch, from, rows.len() as u32] {
        bytes.extend(number.to_le_bytes());
    }
    rows.as_flattened().iter().for_each(|number| bytes.extend(number.to_le_bytes()));
    bytes
}

/// Merges two rows: sums and energies of the later, the worst of figures "since the previous frame".
#[must_use]
pub fn merge(earlier: &FigureRow, later: &FigureRow) -> FigureRow {
    let mut row = *later;
    for column in [7, 9, 10, 11, 12, 13] {
        let (a, b) = (earlier[column], later[column]);
        row[column] = if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) };
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_has_sixteen_bytes_and_its_rows() {
        let row: FigureRow = std::array::from_fn(|i| i as f64);
        let bytes = encode(1, 5, &[row, row]);
        assert_eq!(bytes.len(), 16 + 2 * 14 * 8);
        assert_eq!(bytes[16 + 8..16 + 16], 1.0_f64.to_le_bytes());
    }

    #[test]
    fn merged_rows_keep_the_worst_and_the_latest() {
        let mut a: FigureRow = [1.0; 14];
        let b: FigureRow = [0.5; 14];
        a[9] = 3.0;
        let row = merge(&a, &b);
        assert_eq!((row[0], row[9], row[8]), (0.5, 3.0, 0.5));
        a[11] = f64::NAN;
        assert!(merge(&a, &b)[11].is_nan(), "unknown stays unknown");
    }
}

//! CSV (RFC 4180): one table, a header line, numbers that read back to the same bits.

use std::fmt::Write as _;
use std::io::Write;

use super::tables::{Cell, ExportTable};
use crate::{Recording, RecordingError};

pub(super) fn write(
    recording: &Recording,
    table: ExportTable,
    out: &mut dyn Write,
) -> Result<(), RecordingError> {
    let header: Vec<&str> = table.columns().iter().map(|(name, _)| *name).collect();
    writeln!(out, "{}", header.join(",")).map_err(RecordingError::Output)?;
    let mut line = String::new();
    table.for_each_row(recording, &mut |row| {
        line.clear();
        for (i, cell) in row.iter().enumerate() {
            if i > 0 {
                line.push(',');
            }
            push(&mut line, *cell);
        }
        line.push('\n');
        out.write_all(line.as_bytes()).map_err(RecordingError::Output)
    })
}

/// Writing to a string cannot fail.
fn push(line: &mut String, cell: Cell<'_>) {
    match cell {
        Cell::Integer(number) => {
            let _ = write!(line, "{number}");
        }
        Cell::Real(number) if number.is_nan() => {}
        Cell::Real(number) if number != 0.0 && !(1e-5..1e16).contains(&number.abs()) => {
            let _ = write!(line, "{number:e}");
        }
        Cell::Real(number) => {
            let _ = write!(line, "{number}");
        }
        Cell::Text(text) if text.contains(['"', ',', '\n', '\r']) => {
            let _ = write!(line, "\"{}\"", text.replace('"', "\"\""));
        }
        Cell::Text(text) => line.push_str(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(cell: Cell<'_>) -> String {
        let mut line = String::new();
        push(&mut line, cell);
        line
    }

    #[test]
    fn numbers_read_back_and_texts_are_quoted_where_they_must_be() {
        for x in [0.1, -1.0 / 3.0, 5e-324, f64::MAX, 1e16, 123_456.789, 0.0, 1e-5] {
            assert_eq!(cell(Cell::Real(x)).parse::<f64>().unwrap().to_bits(), x.to_bits(), "{x:e}");
            assert!(cell(Cell::Real(x)).len() < 26, "{x:e}");
        }
        assert_eq!(cell(Cell::Text("plain")), "plain");
        assert_eq!(cell(Cell::Text("a \"b\", c")), "\"a \"\"b\"\", c\"");
    }
}

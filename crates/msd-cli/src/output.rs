//! Standard output: text for people, JSON for programs.

use std::io::{ErrorKind, Write};

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

use crate::failure::Failure;

/// Writes to standard output. A reader that closes the pipe early (`… | head -1`) is not an error.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::Failed(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Writes one JSON document: members of objects on lines of their own, lists on one.
pub(crate) fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    print(&(to_json(value)? + "\n"))
}

/// The same as a text.
pub(crate) fn to_json(value: &impl Serialize) -> Result<String, Failure> {
    let failed = |error: String| Failure::Failed(format!("cannot write JSON: {error}"));
    let mut bytes = Vec::new();
    value
        .serialize(&mut Serializer::with_formatter(&mut bytes, MembersOnLines { depth: 0 }))
        .map_err(|error| failed(error.to_string()))?;
    String::from_utf8(bytes).map_err(|error| failed(error.to_string()))
}

/// A vector stays on one line, where three numbers belong.
struct MembersOnLines {
    depth: usize,
}

impl MembersOnLines {
    fn new_line<W: ?Sized + Write>(&self, writer: &mut W) -> std::io::Result<()> {
        write!(writer, "\n{:1$}", "", 2 * self.depth)
    }
}

impl Formatter for MembersOnLines {
    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> std::io::Result<()> {
        if first { Ok(()) } else { writer.write_all(b", ") }
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> std::io::Result<()> {
        self.depth += 1;
        writer.write_all(b"{")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> std::io::Result<()> {
        if !first {
            writer.write_all(b",")?;
        }
        self.new_line(writer)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> std::io::Result<()> {
        writer.write_all(b": ")
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> std::io::Result<()> {
        self.depth -= 1;
        self.new_line(writer)?;
        writer.write_all(b"}")
    }
}

/// A human-readable number: six significant digits, no trailing zeros.
pub(crate) fn number(x: f64) -> String {
    let magnitude = x.abs();
    if magnitude != 0.0 && !(1e-4..1e9).contains(&magnitude) {
        return trim_zeros(&format!("{x:.5e}"));
    }
    let digits_before = if magnitude < 1.0 { 0 } else { magnitude.log10() as usize + 1 };
    let leading_zeros = if magnitude < 1.0 && magnitude > 0.0 { (-magnitude.log10()) as usize } else { 0 };
    trim_zeros(&format!("{x:.*}", (6 + leading_zeros).saturating_sub(digits_before)))
}

/// A human-readable size.
pub(crate) fn bytes(count: u64) -> String {
    let scaled = |unit: f64, name: &str| format!("{:.1} {name}", count as f64 / unit);
    match count {
        0..1_000 => format!("{count} bytes"),
        1_000..1_000_000 => scaled(1e3, "kB"),
        1_000_000..1_000_000_000 => scaled(1e6, "MB"),
        _ => scaled(1e9, "GB"),
    }
}

fn trim_zeros(text: &str) -> String {
    let (digits, exponent) = text.split_at(text.find('e').unwrap_or(text.len()));
    let trimmed =
        if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits };
    format!("{trimmed}{exponent}")
}

/// Columns wide enough for their longest cell; those marked by `right` are right-aligned.
pub(crate) fn table(header: &[&str], right: &[bool], rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.chain([header[column].len()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..header.len()).map(width).collect();
    let mut text = String::new();
    let header: Vec<String> = header.iter().map(|name| (*name).to_string()).collect();
    for row in std::iter::once(&header).chain(rows) {
        let cells: Vec<String> = row
            .iter()
            .zip(widths.iter().zip(right))
            .map(
                |(cell, (&width, &right))| {
                    if right { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
                },
            )
            .collect();
        text.push_str(cells.join("  ").trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_six_significant_digits() {
        let cases = [
            (0.0, "0"),
            (1.0, "1"),
            (-0.5, "-0.5"),
            (0.123_456_789, "0.123457"),
            (0.001_234_567_89, "0.00123457"),
            (1_234.567_89, "1234.57"),
            (1_000_000.0, "1000000"),
            (7850.0, "7850"),
            (1.5e-7, "1.5e-7"),
            (3.0e12, "3e12"),
        ];
        for (x, expected) in cases {
            assert_eq!(number(x), expected);
        }
    }

    #[test]
    fn json_keeps_vectors_on_one_line() {
        let text =
            to_json(&serde_json::json!({ "a": [1.5, 2, null], "b": { "c": [{ "d": "x" }] } })).unwrap();
        let expected =
            "{\n  \"a\": [1.5, 2, null],\n  \"b\": {\n    \"c\": [{\n      \"d\": \"x\"\n    }]\n  }\n}";
        assert_eq!(text, expected);
    }

    #[test]
    fn tables_line_up() {
        let text = table(
            &["name", "n"],
            &[false, true],
            &[vec!["a".into(), "10".into()], vec!["longer".into(), "2".into()]],
        );
        assert_eq!(text, "name     n\na       10\nlonger   2\n");
    }
}

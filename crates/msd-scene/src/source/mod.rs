//! A scene file as a tree whose every value knows where it stands.
//!
//! TOML and JSON become the same tree. It is built before anything is believed: nesting is bounded, so that no file
//! can exhaust the stack, and nothing is allocated that the file itself does not hold.

mod json;
mod path;
mod sources;
mod toml_text;

use std::fmt;
use std::ops::Range;

pub use path::{Path, Segment};
pub(crate) use sources::{SourceText, Sources};

/// Deepest nesting of tables and lists that is read.
pub const MAX_DEPTH: usize = 128;

/// Bytes from the start of the text.
pub type Span = Range<usize>;

/// How a scene is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// TOML 1.0.
    Toml,
    /// JSON (RFC 8259).
    Json,
    /// A robot: URDF or MJCF, distinguished by the root element.
    Robot,
}

impl Format {
    /// JSON for names that end in `.json`, a robot for `.urdf`, `.xml` and `.mjcf`, TOML for all others.
    #[must_use]
    pub fn of_name(name: &str) -> Self {
        let ending = std::path::Path::new(name).extension().and_then(|ending| ending.to_str());
        match ending.unwrap_or_default().to_ascii_lowercase().as_str() {
            "json" => Self::Json,
            "urdf" | "xml" | "mjcf" | "xacro" => Self::Robot,
            _ => Self::Toml,
        }
    }
}

/// A value and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    pub(crate) span: Span,
    pub(crate) value: Value,
}

/// The value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Null,
    Flag(bool),
    Integer(i64),
    Number(f64),
    Text(String),
    /// A TOML date or time, which no scene has a use for.
    Date,
    List(Vec<Node>),
    Table(Vec<Entry>),
}

/// A key with its value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) key_span: Span,
    pub(crate) value: Node,
}

/// Text that is not TOML or JSON.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SyntaxError {
    pub(crate) span: Span,
    pub(crate) message: String,
}

/// Reads the text of a TOML or JSON scene; all syntax errors at once where the format allows to go on after one.
pub(crate) fn parse(text: &str, format: Format) -> Result<Node, Vec<SyntaxError>> {
    match format {
        Format::Toml => toml_text::parse(text),
        Format::Json => json::parse(text).map_err(|error| vec![error]),
        Format::Robot => unreachable!("robots are read by the import"),
    }
}

impl Node {
    /// The value of a key, if this is a table that has it.
    pub(crate) fn get(&self, key: &str) -> Option<&Node> {
        self.entry(key).map(|entry| &entry.value)
    }

    pub(crate) fn entry(&self, key: &str) -> Option<&Entry> {
        match &self.value {
            Value::Table(entries) => entries.iter().find(|entry| entry.key == key),
            _ => None,
        }
    }

    pub(crate) fn as_text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn as_list(&self) -> Option<&[Node]> {
        match &self.value {
            Value::List(items) => Some(items),
            _ => None,
        }
    }

    /// The number it is, whole or not.
    pub(crate) fn as_number(&self) -> Option<f64> {
        match self.value {
            Value::Integer(whole) => Some(whole as f64),
            Value::Number(number) => Some(number),
            _ => None,
        }
    }

    /// The node at a path, or the deepest one on the way to it that exists.
    pub(crate) fn nearest(&self, path: &Path) -> &Node {
        let mut node = self;
        for segment in path.segments() {
            let next = match segment {
                Segment::Key(key) => node.get(key),
                Segment::Index(index) => node.as_list().and_then(|items| items.get(*index)),
            };
            match next {
                Some(next) => node = next,
                None => break,
            }
        }
        node
    }

    /// Where the last key of a path stands, if its last segment is a key that exists.
    pub(crate) fn key_span(&self, path: &Path) -> Option<Span> {
        let (last, parent) = path.split_last()?;
        match last {
            Segment::Key(key) => self.nearest(&parent).entry(key).map(|entry| entry.key_span.clone()),
            Segment::Index(_) => None,
        }
    }
}

impl fmt::Display for Value {
    /// Kind of the value, for "got …".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Null => f.write_str("null"),
            Value::Flag(flag) => write!(f, "{flag}"),
            Value::Integer(whole) => write!(f, "{whole}"),
            Value::Number(number) => write!(f, "{number:?}"),
            Value::Text(text) if text.chars().count() > 40 => f.write_str("a long text"),
            Value::Text(text) => write!(f, "the text {text:?}"),
            Value::Date => f.write_str("a date"),
            Value::List(items) if items.len() == 1 => f.write_str("a list of 1 value"),
            Value::List(items) => write!(f, "a list of {} values", items.len()),
            Value::Table(_) => f.write_str("a table"),
        }
    }
}

/// Line and column of a byte offset, both from 1; columns count characters.
#[must_use]
pub fn line_and_column(text: &str, offset: usize) -> (usize, usize) {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    let before = &text[..offset];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

/// Lines and columns of many places, each found from the one before: places in the order of the text cost one walk over it together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineCursor {
    /// Number of the text.
    file: usize,
    offset: usize,
    line: usize,
    column: usize,
}

impl LineCursor {
    pub(crate) const START: Self = Self { file: 0, offset: 0, line: 1, column: 1 };

    /// As [`line_and_column`] of the text with that number.
    pub(crate) fn seek(&mut self, file: usize, text: &str, offset: usize) -> (usize, usize) {
        if file != self.file || offset < self.offset {
            *self = Self { file, ..Self::START };
        }
        for c in text[self.offset..].chars() {
            if self.offset + c.len_utf8() > offset {
                break;
            }
            self.offset += c.len_utf8();
            (self.line, self.column) =
                if c == '\n' { (self.line + 1, 1) } else { (self.line, self.column + 1) };
        }
        (self.line, self.column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_finds_the_same_places_in_any_order() {
        let texts = ["a\n  m² = x\n\ny", "one line"];
        let mut cursor = LineCursor::START;
        for (file, offset) in
            [(0, 0), (0, 5), (0, 6), (0, 7), (0, 3), (1, 4), (0, 12), (0, 13), (0, 99), (1, 0)]
        {
            let expected = line_and_column(texts[file], offset);
            assert_eq!(cursor.seek(file, texts[file], offset), expected, "{file} {offset}");
        }
    }

    #[test]
    fn columns_count_characters_not_bytes() {
        let text = "a\n  m² = x";
        assert_eq!(line_and_column(text, text.find('x').unwrap()), (2, 8));
        assert_eq!(line_and_column(text, 10_000), (2, 9));
    }

    #[test]
    fn the_same_scene_in_toml_and_json_is_the_same_tree_but_for_places() {
        fn without_places(node: &Node) -> String {
            match &node.value {
                Value::List(items) => items.iter().map(without_places).collect::<Vec<_>>().join(","),
                Value::Table(entries) => {
                    let mut keys: Vec<_> = entries
                        .iter()
                        .map(|entry| format!("{}:{}", entry.key, without_places(&entry.value)))
                        .collect();
                    keys.sort();
                    format!("{{{}}}", keys.join(";"))
                }
                other => other.to_string(),
            }
        }
        let toml = parse("format = 1\n[world]\ndt = 1e-3\n[[body]]\nname = \"ä\"\n", Format::Toml).unwrap();
        let json = r#"{"format": 1, "world": {"dt": 0.001}, "body": [{"name": "\u00e4"}]}"#;
        assert_eq!(without_places(&toml), without_places(&parse(json, Format::Json).unwrap()));
    }
}

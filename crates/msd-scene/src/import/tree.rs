//! An imported scene as the tree that a scene file would have given, with places in the imported file: so every check
//! and every message is that of any scene.

use std::collections::BTreeMap;

use crate::source::{Entry, Node, Path, Span, Value};

/// Where parts of a scene are in a file; what is not said is where the part around it is.
pub(super) struct Places(BTreeMap<String, Span>);

impl Places {
    pub(super) fn new(places: Vec<(Path, Span)>) -> Self {
        Self(places.into_iter().map(|(path, span)| (path.to_string(), span)).collect())
    }

    /// The tree of a value that stands at `path`.
    pub(super) fn tree(&self, value: &toml::Value, path: &Path, around: &Span) -> Node {
        let span = self.0.get(&path.to_string()).unwrap_or(around).clone();
        let value = match value {
            toml::Value::String(text) => Value::Text(text.clone()),
            toml::Value::Integer(whole) => Value::Integer(*whole),
            toml::Value::Float(number) => Value::Number(*number),
            toml::Value::Boolean(flag) => Value::Flag(*flag),
            toml::Value::Datetime(_) => Value::Date,
            toml::Value::Array(items) => Value::List(
                items.iter().enumerate().map(|(i, item)| self.tree(item, &path.index(i), &span)).collect(),
            ),
            toml::Value::Table(table) => Value::Table(
                table
                    .iter()
                    .map(|(key, value)| {
                        let value = self.tree(value, &path.key(key), &span);
                        Entry { key: key.clone(), key_span: value.span.clone(), value }
                    })
                    .collect(),
            ),
        };
        Node { span, value }
    }
}

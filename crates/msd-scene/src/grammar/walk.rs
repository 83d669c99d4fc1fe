//! The check of a tree against the schema. It goes on after a problem and finds all of them.

use serde_json::Value as Schema;
use toml::Value as Plain;

use super::alternatives::{Alternatives, expectation, in_range, may_be_infinite, resolved};
use super::near_name::{near_name, one_of};
use crate::error::Finding;
use crate::source::{Entry, Node, Path, Segment, Value};

/// Validates a tree against a schema.
pub(crate) struct Walk<'t> {
    tree: &'t Node,
    root: &'static Schema,
    pub(crate) findings: Vec<Finding>,
    /// Values that are missing, bad or under a misspelt key, with their problem already reported.
    unread: Vec<Path>,
}

/// Stands for a required text that is missing or bad, so that the rest of its body or joint can still be checked. No
/// file can hold it as a name.
pub(crate) const STAND_IN: &str = "\u{1}";

impl<'t> Walk<'t> {
    pub(crate) fn new(tree: &'t Node) -> Self {
        Self { tree, root: super::schema(), findings: Vec::new(), unread: Vec::new() }
    }

    /// The schema of a top-level key.
    pub(crate) fn section(&self, key: &str) -> &'static Schema {
        resolved(self.root, &self.root["properties"][key])
    }

    /// The keys of a scene.
    pub(crate) fn root_keys(&self) -> Vec<&'static str> {
        self.root["properties"]
            .as_object()
            .into_iter()
            .flat_map(|keys| keys.keys().map(String::as_str))
            .collect()
    }

    /// Reports the keys of a scene that are missing.
    pub(crate) fn root_required(&mut self) {
        self.required(self.tree, self.root, &Path::root());
    }

    /// Checks `node` and returns it as a plain value without its unknown keys; `None` if it cannot be used.
    pub(crate) fn check(&mut self, node: &Node, schema: &'static Schema, path: &Path) -> Option<Plain> {
        let schema = resolved(self.root, schema);
        match Alternatives::of(self.root, schema) {
            Some(Alternatives::Words(words)) => self.word(node, &words, path),
            Some(Alternatives::Tagged(forms)) => self.tagged(node, &forms, schema, path),
            Some(Alternatives::Keyed(forms)) => self.keyed(node, &forms, schema, path),
            Some(Alternatives::Forms(forms)) => self.forms(node, &forms, schema, path),
            None => self.single(node, schema, path),
        }
    }

    fn single(&mut self, node: &Node, schema: &'static Schema, path: &Path) -> Option<Plain> {
        let wanted = schema.get("type").and_then(Schema::as_str).unwrap_or("object");
        match (wanted, &node.value) {
            ("number", Value::Integer(_) | Value::Number(_)) => self.number(node, schema, path),
            ("integer", Value::Integer(whole)) if in_range(schema, *whole as f64) => {
                Some(Plain::Integer(*whole))
            }
            ("string", Value::Text(text)) => Some(Plain::String(text.clone())),
            ("boolean", Value::Flag(flag)) => Some(Plain::Boolean(*flag)),
            ("array", Value::List(items)) => self.list(node, items, schema, path),
            ("object", Value::Table(entries)) => self.table(node, entries, schema, path).map(Plain::Table),
            _ => self.unexpected(node, schema, path),
        }
    }

    fn number(&mut self, node: &Node, schema: &'static Schema, path: &Path) -> Option<Plain> {
        let number = node.as_number()?;
        let is_a_value = number.is_finite() || (number == f64::INFINITY && may_be_infinite(schema));
        if is_a_value && in_range(schema, number) {
            return Some(Plain::Float(number));
        }
        self.unexpected(node, schema, path)
    }

    fn list(&mut self, node: &Node, items: &[Node], schema: &'static Schema, path: &Path) -> Option<Plain> {
        let bound = |key| schema.get(key).and_then(Schema::as_u64).map(|count| count as usize);
        let too_few = bound("minItems").is_some_and(|least| items.len() < least);
        if too_few || bound("maxItems").is_some_and(|most| items.len() > most) {
            return self.unexpected(node, schema, path);
        }
        let item_schema = schema.get("items")?;
        let checked: Vec<Option<Plain>> =
            items.iter().enumerate().map(|(i, item)| self.check(item, item_schema, &path.index(i))).collect();
        checked.into_iter().collect::<Option<Vec<_>>>().map(Plain::Array)
    }

    /// True if the problem of the value at this path was already reported.
    pub(crate) fn is_unread(&self, path: &Path) -> bool {
        self.unread.iter().any(|unread| path.starts_with(unread))
    }

    /// Checks the keys of a table. Unknown keys and bad optional values are reported and skipped; in a body,
    /// joint, … bad or missing required ones are replaced by placeholders, so that the rest can be checked.
    pub(crate) fn table(
        &mut self,
        node: &Node,
        entries: &[Entry],
        schema: &'static Schema,
        path: &Path,
    ) -> Option<toml::Table> {
        self.required(node, schema, path);
        let mut table = toml::Table::new();
        for entry in entries {
            let at = path.key(&entry.key);
            let Some(value_schema) = self.value_schema(entry, schema, &at) else { continue };
            match self.check(&entry.value, value_schema, &at) {
                Some(value) => drop(table.insert(entry.key.clone(), value)),
                None => self.unread.push(at),
            }
        }
        let required = schema.get("required").and_then(Schema::as_array);
        for key in required.into_iter().flatten().filter_map(Schema::as_str) {
            if !table.contains_key(key) {
                let is_item = matches!(path.segments(), [Segment::Key(_), Segment::Index(_)]);
                let value = stand_in(resolved(self.root, &schema["properties"][key])).filter(|_| is_item)?;
                self.unread.push(path.key(key));
                table.insert(key.to_owned(), value);
            }
        }
        Some(table)
    }

    /// The schema of a key's value; an unknown key is reported.
    fn value_schema(&mut self, entry: &Entry, schema: &'static Schema, at: &Path) -> Option<&'static Schema> {
        let properties = schema.get("properties").and_then(Schema::as_object);
        if let Some(known) = properties.and_then(|properties| properties.get(&entry.key)) {
            return Some(known);
        }
        if let Some(any) = schema.get("additionalProperties").filter(|any| any.is_object()) {
            return Some(any);
        }
        let keys = properties.into_iter().flat_map(|properties| properties.keys().map(String::as_str));
        self.unknown_key(&entry.key, keys.collect(), at);
        None
    }

    pub(crate) fn unknown_key(&mut self, key: &str, known: Vec<&str>, at: &Path) {
        let message = format!("{}: unknown key `{key}`", self.subject(at));
        let finding = match near_name(key, known.iter().copied()) {
            Some(near) => {
                if let Some((_, table)) = at.split_last() {
                    self.unread.push(table.key(near));
                }
                let help = format!("keys here: {}", known.join(", "));
                Finding::at(at, message, format!("did you mean `{near}`?")).help(help)
            }
            None => Finding::at(at, message, format!("expected {}", one_of(known))),
        };
        self.findings.push(finding.at_key());
    }

    /// Reports keys that are missing.
    pub(crate) fn required(&mut self, node: &Node, schema: &'static Schema, path: &Path) {
        let required = schema.get("required").and_then(Schema::as_array);
        let missing: Vec<&str> = required
            .into_iter()
            .flatten()
            .filter_map(Schema::as_str)
            .filter(|key| node.entry(key).is_none() && !self.is_unread(&path.key(key)))
            .collect();
        for key in &missing {
            if self.is_misspelt(node, schema, key) {
                continue;
            }
            let of_key = &schema["properties"][*key];
            let message =
                format!("{}: the key `{}` is missing", self.subject(path), self.inner(&path.key(key)));
            let expected = format!("expected `{key}`: {}", expectation(self.root, of_key));
            self.findings.push(Finding::at(path, message, expected).help(description(of_key)));
        }
    }

    /// True if an unknown key of the table was meant to be `key`: that is reported where it stands.
    fn is_misspelt(&self, node: &Node, schema: &Schema, key: &str) -> bool {
        let (Value::Table(entries), Some(known)) = (&node.value, schema["properties"].as_object()) else {
            return false;
        };
        let unknown = entries.iter().filter(|entry| !known.contains_key(&entry.key));
        unknown.into_iter().any(|entry| near_name(&entry.key, known.keys().map(String::as_str)) == Some(key))
    }

    fn word(&mut self, node: &Node, words: &[&'static str], path: &Path) -> Option<Plain> {
        match node.as_text() {
            Some(text) if words.contains(&text) => Some(Plain::String(text.to_owned())),
            text => {
                let near = text.and_then(|text| near_name(text, words.iter().copied()));
                self.not_one_of(node, words, near, path);
                None
            }
        }
    }

    fn not_one_of(&mut self, node: &Node, words: &[&str], near: Option<&str>, path: &Path) {
        let message = format!("{}: `{}` is {}", self.subject(path), self.inner(path), node.value);
        let choices = format!("one of {}", one_of(words.iter().copied()));
        let finding = match near {
            Some(near) => Finding::at(path, message, format!("did you mean `{near}`?"))
                .help(format!("expected {choices}")),
            None => Finding::at(path, message, format!("expected {choices}")),
        };
        self.findings.push(finding);
    }

    fn tagged(
        &mut self,
        node: &Node,
        forms: &[(&'static str, &'static Schema)],
        schema: &'static Schema,
        path: &Path,
    ) -> Option<Plain> {
        let Value::Table(entries) = &node.value else { return self.unexpected(node, schema, path) };
        let names: Vec<&'static str> = forms.iter().map(|(name, _)| *name).collect();
        match node.get("type") {
            Some(tag) => {
                if let Some((_, form)) = forms.iter().find(|(name, _)| tag.as_text() == Some(name)) {
                    return self.table(node, entries, form, path).map(Plain::Table);
                }
                self.word(tag, &names, &path.key("type"));
            }
            None => {
                let message = format!("{}: the key `type` is missing", self.subject(path));
                let expected = format!("expected `type`: one of {}", one_of(names));
                self.findings.push(Finding::at(path, message, expected));
            }
        }
        let (name, form) = likeliest(node, entries, forms)?;
        let meant = with_type(node, entries, name);
        self.unread.push(path.key("type"));
        self.table(node, &meant, form, path).map(Plain::Table)
    }

    fn keyed(
        &mut self,
        node: &Node,
        forms: &[(&'static str, &'static Schema)],
        schema: &'static Schema,
        path: &Path,
    ) -> Option<Plain> {
        let Value::Table(entries) = &node.value else { return self.unexpected(node, schema, path) };
        let names: Vec<&'static str> = forms.iter().map(|(name, _)| *name).collect();
        let (known, unknown): (Vec<&Entry>, Vec<&Entry>) =
            entries.iter().partition(|entry| names.contains(&entry.key.as_str()));
        for entry in &unknown {
            self.unknown_key(&entry.key, names.clone(), &path.key(&entry.key));
        }
        match known.as_slice() {
            [only] => {
                let (_, form) = forms.iter().find(|(name, _)| *name == only.key)?;
                let value = self.check(&only.value, form, &path.key(&only.key))?;
                Some(Plain::Table(toml::Table::from_iter([(only.key.clone(), value)])))
            }
            [] if !unknown.is_empty() => None,
            _ => {
                let count = if known.is_empty() { "nothing in it" } else { "more than one key" };
                let message = format!("{}: `{}` has {count}", self.subject(path), self.inner(path));
                let expected = format!("expected exactly one of {}", one_of(names));
                self.findings.push(Finding::at(path, message, expected));
                None
            }
        }
    }

    /// Selects among forms by type, or, among tables, by the number of matching keys.
    fn forms(
        &mut self,
        node: &Node,
        forms: &[&'static Schema],
        schema: &'static Schema,
        path: &Path,
    ) -> Option<Plain> {
        let fits = |form: &&&Schema| -> usize {
            let wanted = form.get("type").and_then(Schema::as_str).unwrap_or("object");
            match (wanted, &node.value) {
                ("object", Value::Table(entries)) => {
                    let known = || form["properties"].as_object().into_iter().flat_map(|keys| keys.keys());
                    let near = |entry: &&Entry| near_name(&entry.key, known().map(String::as_str)).is_some();
                    if entries.is_empty() { 1 } else { entries.iter().filter(near).count() }
                }
                ("number", Value::Integer(_) | Value::Number(_)) | ("array", Value::List(_)) => 1,
                _ => 0,
            }
        };
        let complete = |form: &&&Schema| {
            let required = form.get("required").and_then(Schema::as_array);
            required.into_iter().flatten().filter_map(Schema::as_str).all(|key| node.entry(key).is_some())
        };
        // The last of equals wins in `max_by_key`, so earlier forms are put last.
        let best = forms.iter().rev().max_by_key(|form| (fits(form), complete(form)));
        match best {
            Some(form) if fits(&form) > 0 => self.single(node, form, path),
            _ => self.unexpected(node, schema, path),
        }
    }

    fn unexpected(&mut self, node: &Node, schema: &'static Schema, path: &Path) -> Option<Plain> {
        let message = format!("{}: `{}` is {}", self.subject(path), self.inner(path), node.value);
        let mut expected = format!("expected {}", expectation(self.root, schema));
        if node.as_number().is_some_and(|number| !number.is_finite()) {
            expected = expected.replacen("a number", "a finite number", 1);
        }
        let help = match (&node.value, path.segments()) {
            (Value::Table(_), [Segment::Key(key)]) => format!("write `[[{key}]]` with double brackets"),
            (Value::Null, _) => "leave out a key that has no value".to_owned(),
            _ => description(schema),
        };
        self.findings.push(Finding::at(path, message, expected).help(help));
        None
    }

    fn inner(&self, path: &Path) -> String {
        inner(path)
    }

    /// The subject of a path, such as "body `ball`".
    pub(crate) fn subject(&self, path: &Path) -> String {
        subject(self.tree, path)
    }
}

/// The form that a table without a known `type` was meant to be, if that is clear: the one of nearly that name, or one
/// that knows every key of the table and misses none.
fn likeliest<'f>(
    node: &Node,
    entries: &[Entry],
    forms: &'f [(&'static str, &'static Schema)],
) -> Option<&'f (&'static str, &'static Schema)> {
    let said = node.get("type").and_then(Node::as_text);
    if let Some(near) = said.and_then(|said| near_name(said, forms.iter().map(|(name, _)| *name))) {
        return forms.iter().find(|(name, _)| *name == near);
    }
    forms.iter().find(|(_, form)| {
        let knows = |key: &str| form["properties"].get(key).is_some();
        let required = form.get("required").and_then(Schema::as_array).into_iter().flatten();
        let misses = |key: &str| key != "type" && node.entry(key).is_none();
        entries.iter().all(|entry| knows(&entry.key)) && !required.filter_map(Schema::as_str).any(misses)
    })
}

/// The entries of a table with that `type`.
fn with_type(node: &Node, entries: &[Entry], name: &str) -> Vec<Entry> {
    let mut all: Vec<Entry> = entries.iter().filter(|entry| entry.key != "type").cloned().collect();
    let value = Node { span: node.span.clone(), value: Value::Text(name.to_owned()) };
    all.push(Entry { key: "type".to_owned(), key_span: node.span.clone(), value });
    all
}

/// A value that a schema accepts and that no other check complains about.
fn stand_in(schema: &Schema) -> Option<Plain> {
    match schema.get("type").and_then(Schema::as_str)? {
        "string" => Some(Plain::String(STAND_IN.to_owned())),
        "number" if in_range(schema, 1.0) => Some(Plain::Float(1.0)),
        "array" if schema.get("maxItems").and_then(Schema::as_u64) == Some(3) => {
            Some(Plain::Array([1.0, 0.0, 0.0].map(Plain::Float).to_vec()))
        }
        _ => None,
    }
}

/// The subject of a path, such as "body `ball`".
pub(crate) fn subject(tree: &Node, path: &Path) -> String {
    match path.segments() {
        [Segment::Key(section), Segment::Index(index), ..] => {
            let entry = tree.nearest(&Path::root().key(section).index(*index));
            let said = entry.get("name").or_else(|| entry.get("type")).and_then(Node::as_text);
            match said {
                Some(name) => format!("{section} `{name}`"),
                None => format!("{section} {}", index + 1),
            }
        }
        [Segment::Key(section), Segment::Key(name), ..] if section == "material" => {
            format!("material `{name}`")
        }
        [Segment::Key(section), _, ..] => section.clone(),
        _ => "scene".to_owned(),
    }
}

/// The part of a path inside its body, joint, … or section.
pub(crate) fn inner(path: &Path) -> String {
    let segments = path.segments();
    let skipped = match segments {
        [Segment::Key(_), Segment::Index(_), _, ..] => 2,
        [Segment::Key(section), Segment::Key(_), _, ..] if section == "material" => 2,
        [Segment::Key(_), Segment::Key(_), ..] => 1,
        _ => 0,
    };
    segments[skipped..]
        .iter()
        .fold(Path::root(), |path, segment| match segment {
            Segment::Key(key) => path.key(key),
            Segment::Index(index) => path.index(*index),
        })
        .to_string()
}

fn description(schema: &Schema) -> String {
    schema.get("description").and_then(Schema::as_str).unwrap_or_default().to_owned()
}

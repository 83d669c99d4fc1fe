//! XML elements with their positions, the attributes that were read, and how each was handled.
//!
//! The parser is `roxmltree`: it reads in place, gives the byte range of every element and attribute, has one
//! small dependency, no `unsafe`, walks nested elements without recursion, and refuses document type
//! declarations, so that no entity can expand without end. Limits that it lacks are checked before it runs:
//! nesting, elements, and attributes of one element, whose names it compares pair by pair.

use std::cell::{Cell, RefCell};

use super::listing::{ListedElement, Listing, Verdict};
use crate::error::Finding;
use crate::source::{LineCursor, Path, Sources, Span, line_and_column};

/// Most elements that are read from one file.
pub(super) const MOST_ELEMENTS: usize = 1_000_000;

/// Most elements in each other: a chain of that many links, each in the one before.
pub(super) const MOST_NESTED: usize = 256;

/// Most attributes of one element.
const MOST_ATTRIBUTES: usize = 256;

/// Problems of a file, each with its place.
#[derive(Debug, Default)]
pub(crate) struct Problems(RefCell<Vec<(Span, Finding)>>);

impl Problems {
    pub(super) fn add(&self, place: &Span, message: impl Into<String>, expected: impl Into<String>) {
        self.push(place, Finding::at(&Path::root(), message, expected));
    }

    pub(super) fn push(&self, place: &Span, finding: Finding) {
        self.0.borrow_mut().push((place.clone(), finding));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.borrow().is_empty()
    }

    pub(crate) fn take(&self) -> Vec<(Span, Finding)> {
        self.0.take()
    }
}

/// An attribute and whether it was read.
#[derive(Clone, Debug)]
pub(super) struct Attribute {
    name: String,
    pub(super) value: String,
    /// Position of the value in the text.
    pub(super) place: Span,
    used: Cell<bool>,
}

/// An element.
#[derive(Clone, Debug)]
pub(super) struct Element {
    pub(super) name: String,
    /// Position of the whole element in the text.
    pub(super) place: Span,
    attributes: Vec<Attribute>,
    pub(super) inner: Vec<Element>,
    fate: RefCell<Option<(Verdict, Vec<String>)>>,
}

impl Element {
    /// The elements in it; those of an included file stand where its `include` does.
    pub(super) fn children(&self) -> Box<dyn Iterator<Item = &Element> + '_> {
        Box::new(self.inner.iter().flat_map(|child| -> Box<dyn Iterator<Item = &Element>> {
            if child.name == "include" { child.children() } else { Box::new(std::iter::once(child)) }
        }))
    }

    pub(super) fn named<'e>(&'e self, name: &'e str) -> impl Iterator<Item = &'e Element> {
        self.children().filter(move |child| child.name == name)
    }

    pub(super) fn child(&self, name: &str) -> Option<&Element> {
        self.children().find(|child| child.name == name)
    }

    /// The element at that place, in this one or this one itself.
    pub(super) fn find(&self, place: &Span) -> Option<&Element> {
        if self.place == *place {
            return Some(self);
        }
        self.inner.iter().find_map(|child| child.find(place))
    }

    /// The value of an attribute, which counts as read.
    pub(super) fn attribute(&self, name: &str) -> Option<&Attribute> {
        let found = self.attributes.iter().find(|attribute| attribute.name == name)?;
        found.used.set(true);
        Some(found)
    }

    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.attribute(name).map(|attribute| attribute.value.as_str())
    }

    /// Attributes that need not be simulated to be true, such as names of materials.
    pub(super) fn skip(&self, names: &[&str]) {
        for name in names {
            self.attribute(name);
        }
    }

    /// Attributes that are read but have no counterpart, with the reason as a note that changes no verdict.
    pub(super) fn without_counterpart(&self, names: &[&str], why: &str) {
        let given: Vec<&str> = names.iter().copied().filter(|name| self.attribute(name).is_some()).collect();
        if !given.is_empty() {
            self.note(format!("`{}`: {why}", given.join("`, `")));
        }
    }

    /// Attributes that need no further look where they have the value that is given with them.
    pub(super) fn skip_where(&self, values: &[(&str, &str)]) {
        for (name, value) in values {
            if self.attributes.iter().any(|attribute| attribute.name == *name && attribute.value == *value) {
                self.attribute(name);
            }
        }
    }

    /// An element made from this one, in its place, with other attributes and contents.
    pub(super) fn derived(&self, name: &str, attributes: &[(&str, String)], inner: Vec<Self>) -> Self {
        let attribute = |(name, value): &(&str, String)| Attribute {
            name: (*name).to_owned(),
            value: value.clone(),
            place: self.place.clone(),
            used: Cell::new(false),
        };
        Self {
            name: name.to_owned(),
            place: self.place.clone(),
            attributes: attributes.iter().map(attribute).collect(),
            inner,
            fate: RefCell::default(),
        }
    }

    /// Appends a suffix to its name and to those of all elements in it.
    pub(super) fn append_to_names(&mut self, suffix: &str) {
        for attribute in self.attributes.iter_mut().filter(|attribute| attribute.name == "name") {
            attribute.value.push_str(suffix);
        }
        self.inner.iter_mut().for_each(|child| child.append_to_names(suffix));
    }

    /// `link "base"`.
    pub(super) fn subject(&self) -> String {
        let name = self.attributes.iter().find(|attribute| attribute.name == "name");
        name.map_or_else(|| format!("<{}>", self.name), |name| format!("{} `{}`", self.name, name.value))
    }

    pub(super) fn imported(&self) {
        self.decide(Verdict::Imported, "");
    }

    pub(super) fn approximated(&self, note: impl Into<String>) {
        self.decide(Verdict::Approximated, note);
    }

    pub(super) fn ignored(&self, note: impl Into<String>) {
        self.decide(Verdict::Ignored, note);
    }

    /// The worst verdict counts, every note is kept.
    pub(super) fn decide(&self, verdict: Verdict, note: impl Into<String>) {
        let mut fate = self.fate.borrow_mut();
        let (worst, notes) = fate.get_or_insert((verdict, Vec::new()));
        *worst = (*worst).max(verdict);
        let note = note.into();
        if !note.is_empty() && !notes.contains(&note) {
            notes.push(note);
        }
    }

    /// A note that changes no verdict.
    pub(super) fn note(&self, note: impl Into<String>) {
        self.decide(Verdict::Imported, note);
    }

    /// Adds this element and its children to a listing. An undecided element is unknown, an unread attribute
    /// is unused: everything is listed.
    pub(super) fn list(&self, sources: &Sources, cursor: &mut LineCursor, listing: &mut Listing) {
        let (mut verdict, mut notes) =
            self.fate.borrow().clone().unwrap_or((Verdict::Ignored, vec!["not known".to_owned()]));
        let unused: Vec<&str> = self
            .attributes
            .iter()
            .filter(|attribute| !attribute.used.get() && !attribute.name.starts_with("xmlns"))
            .map(|attribute| attribute.name.as_str())
            .collect();
        if verdict != Verdict::Ignored && !unused.is_empty() {
            verdict = Verdict::Approximated;
            notes.push(format!("not used: {}", unused.join(", ")));
        }
        let (number, source, span) = sources.locate(&self.place);
        let (line, column) = cursor.seek(number, &source.text, span.start);
        let element = self.opening_tag();
        let (file, note) = (source.name.clone(), notes.join("; "));
        listing.elements.push(ListedElement { file, line, column, element, verdict, note });
        if verdict != Verdict::Ignored {
            self.inner.iter().for_each(|child| child.list(sources, cursor, listing));
        }
    }

    /// The opening tag with the attributes that identify it among its siblings.
    fn opening_tag(&self) -> String {
        let telling = ["name", "class", "joint", "link", "file", "model"];
        let named = telling.iter().find_map(|key| {
            let found = self.attributes.iter().find(|attribute| attribute.name == *key)?;
            Some(format!(" {key}=\"{}\"", found.value))
        });
        format!("<{}{}>", self.name, named.unwrap_or_default())
    }
}

/// Reads a file whose first byte is at `start` of the sources; `None` if there are problems.
pub(super) fn parse(text: &str, start: usize, problems: &Problems) -> Option<Element> {
    // Published robots begin with empty lines and end with a zero byte, which other readers let pass.
    let empty = |c: char| c.is_whitespace() || c == '\0';
    let start = start + text.len() - text.trim_start_matches(empty).len();
    let text = text.trim_matches(empty);
    let place = |span: Span| span.start + start..span.end + start;
    if let Err((at, message)) = guard(text) {
        problems.add(&place(at..at + 1), format!("refused: {message}"), "");
        return None;
    }
    match roxmltree::Document::parse(text) {
        Ok(document) => Some(convert(document.root_element(), start)),
        Err(error) => {
            let (message, expected) = match error {
                roxmltree::Error::DtdDetected => (
                    "refused: it has a document type declaration, whose entities could expand without end"
                        .to_owned(),
                    "expected a file without <!DOCTYPE …>",
                ),
                other => (format!("syntax: {}", without_position(&other.to_string())), ""),
            };
            let (line, column) = error_position(text);
            let at = offset(text, line, column);
            problems.add(&place(at..at + 1), message, expected);
            None
        }
    }
}

/// Position where the parser stopped; computed separately because an error of a declaration has none.
fn error_position(text: &str) -> (usize, usize) {
    match roxmltree::Document::parse(text) {
        Err(roxmltree::Error::DtdDetected) => {
            let at = text.find("<!DOCTYPE").unwrap_or(0);
            line_and_column(text, at)
        }
        Err(error) => (error.pos().row as usize, error.pos().col as usize),
        Ok(_) => (1, 1),
    }
}

/// The parser says the place at the end of its messages; here the line is shown instead.
fn without_position(message: &str) -> &str {
    message.rfind(" at ").filter(|at| message[at + 4..].contains(':')).map_or(message, |at| &message[..at])
}

/// Byte offset of a line and a column (in characters), both from 1.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let line_start = match line {
        0 | 1 => 0,
        _ => text.match_indices('\n').nth(line - 2).map_or(text.len(), |(at, _)| at + 1),
    };
    let rest = &text[line_start..];
    line_start + rest.char_indices().nth(column.saturating_sub(1)).map_or(rest.len(), |(at, _)| at)
}

/// Depth is bounded by the guard.
fn convert(node: roxmltree::Node<'_, '_>, start: usize) -> Element {
    let moved = |range: Span| range.start + start..range.end + start;
    let attributes = node.attributes().map(|attribute| Attribute {
        name: attribute.name().to_owned(),
        value: attribute.value().to_owned(),
        place: moved(attribute.range_value()),
        used: Cell::new(false),
    });
    // A prefix, as of `xacro:macro`, is part of the name.
    let name = match node.tag_name().namespace() {
        Some(space) => format!("{}:{}", node.lookup_prefix(space).unwrap_or("ns"), node.tag_name().name()),
        None => node.tag_name().name().to_owned(),
    };
    Element {
        name,
        place: moved(node.range()),
        attributes: attributes.collect(),
        inner: node
            .children()
            .filter(roxmltree::Node::is_element)
            .map(|child| convert(child, start))
            .collect(),
        fate: RefCell::default(),
    }
}

/// Refuses what would take more memory or time than its size justifies, before the parser sees it.
fn guard(text: &str) -> Result<(), (usize, String)> {
    let bytes = text.as_bytes();
    let (mut at, mut depth, mut elements) = (0, 0_usize, 0_usize);
    while let Some(open) = bytes[at..].iter().position(|byte| *byte == b'<').map(|found| at + found) {
        let rest = &text[open..];
        let skipped = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")]
            .into_iter()
            .find(|(begin, _)| rest.starts_with(begin))
            .map(|(_, end)| rest.find(end).map_or(rest.len(), |found| found + end.len()));
        if let Some(length) = skipped {
            at = open + length;
            continue;
        }
        let (length, attributes, empty) = tag(&bytes[open..]);
        if rest.starts_with("</") {
            depth = depth.saturating_sub(1);
        } else {
            depth += usize::from(!empty);
            elements += 1;
        }
        let limits = [
            (depth > MOST_NESTED, format!("nested deeper than {MOST_NESTED} levels")),
            (attributes > MOST_ATTRIBUTES, format!("an element has more than {MOST_ATTRIBUTES} attributes")),
            (elements > MOST_ELEMENTS, format!("more than {MOST_ELEMENTS} elements")),
        ];
        if let Some((_, message)) = limits.into_iter().find(|(exceeded, _)| *exceeded) {
            return Err((open, message));
        }
        at = open + length;
    }
    Ok(())
}

/// Length of a tag, how many `=` stand outside quotes in it, and whether it closes itself.
fn tag(bytes: &[u8]) -> (usize, usize, bool) {
    let (mut quote, mut attributes) = (None, 0);
    for (at, byte) in bytes.iter().enumerate().skip(1) {
        match (quote, byte) {
            (Some(open), byte) if byte == open => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'=') => attributes += 1,
            (None, b'>') => return (at + 1, attributes, bytes[at - 1] == b'/'),
            _ => {}
        }
    }
    (bytes.len(), attributes, false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(text: &str) -> String {
        let problems = Problems::default();
        assert!(parse(text, 0, &problems).is_none());
        problems.take()[0].1.message.clone()
    }

    #[test]
    fn elements_know_their_places_and_included_ones_stand_where_the_include_does() {
        let text = "<a>\n  <b name='x'/><include><b/></include>\n</a>";
        let problems = Problems::default();
        let root = parse(text, 100, &problems).unwrap();
        assert_eq!(root.named("b").count(), 2);
        assert_eq!(root.child("b").unwrap().place, 106..119);
        assert_eq!(root.child("b").unwrap().attribute("name").unwrap().place, 115..116);
    }

    #[test]
    fn what_could_exhaust_memory_or_time_is_refused() {
        let laughs = "<!DOCTYPE r [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;&a;\">]><r>&b;</r>";
        assert!(refusal(laughs).contains("document type declaration"));
        let nested = |depth: usize| format!("{}{}", "<a>".repeat(depth), "</a>".repeat(depth));
        assert!(parse(&nested(256), 0, &Problems::default()).is_some());
        assert_eq!(refusal(&nested(257)), "refused: nested deeper than 256 levels");
        assert_eq!(refusal(&"<a>".repeat(1_000_000)), "refused: nested deeper than 256 levels");
        let attributes: String = (0..257).map(|i| format!(" a{i}=\"=\"")).collect();
        assert_eq!(refusal(&format!("<a{attributes}/>")), "refused: an element has more than 256 attributes");
        let many = format!("<a>{}</a>", "<b/>".repeat(MOST_ELEMENTS));
        assert_eq!(refusal(&many), "refused: more than 1000000 elements");
    }

    #[test]
    fn syntax_errors_have_a_place() {
        let problems = Problems::default();
        assert!(parse("<a>\n  <b></c>\n</a>", 0, &problems).is_none());
        let (place, finding) = problems.take().remove(0);
        assert_eq!((place.start, finding.message.as_str()), (9, "syntax: expected 'b' tag, not 'c'"));
    }
}

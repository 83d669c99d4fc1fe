//! How every element of an imported file was handled.

use std::fmt;

/// How an element was handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Simulated as the file says.
    Imported,
    /// Simulated, but not in every respect as the file says.
    Approximated,
    /// Not simulated.
    Ignored,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Imported => "imported",
            Self::Approximated => "approximated",
            Self::Ignored => "ignored",
        })
    }
}

/// One element and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedElement {
    /// The file it is in.
    pub file: String,
    /// From 1.
    pub line: usize,
    /// From 1.
    pub column: usize,
    /// As written, with its name: `<link name="base">`.
    pub element: String,
    /// How it was handled.
    pub verdict: Verdict,
    /// How it is simulated, or why not; may be empty.
    pub note: String,
}

impl fmt::Display for ListedElement {
    /// `file:line:column: verdict  element: note`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, column, element, verdict, note } = self;
        write!(f, "{file}:{line}:{column}: {verdict:<12} {element}")?;
        if note.is_empty() { Ok(()) } else { write!(f, ": {note}") }
    }
}

/// Every element of the imported files, in their order; what is inside an ignored element is ignored with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// The elements.
    pub elements: Vec<ListedElement>,
}

impl Listing {
    /// How many elements met that fate.
    #[must_use]
    pub fn count(&self, verdict: Verdict) -> usize {
        self.elements.iter().filter(|element| element.verdict == verdict).count()
    }

    /// `12 elements: 9 imported, 1 approximated, 2 ignored`.
    #[must_use]
    pub fn summary(&self) -> String {
        let [imported, approximated, ignored] =
            [Verdict::Imported, Verdict::Approximated, Verdict::Ignored].map(|verdict| self.count(verdict));
        format!(
            "{} elements: {imported} imported, {approximated} approximated, {ignored} ignored",
            self.elements.len()
        )
    }
}

//! Scene errors: every problem of a file, each with its position.

use std::fmt;
use std::sync::Arc;

use miette::{Diagnostic, LabeledSpan, NamedSource, SourceCode};

use crate::source::{LineCursor, Node, Path, Sources, Span};

/// A problem that knows its path, before it is known where that stands in a file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Finding {
    pub(crate) path: Path,
    /// True if it is the key that is wrong, not its value.
    pub(crate) at_key: bool,
    /// The problem, naming body and key.
    pub(crate) message: String,
    /// The expected value or the likely name.
    pub(crate) expected: String,
    pub(crate) help: Option<String>,
}

impl Finding {
    pub(crate) fn at(path: &Path, message: impl Into<String>, expected: impl Into<String>) -> Self {
        let (message, expected) = (message.into(), expected.into());
        Self { path: path.clone(), at_key: false, message, expected, help: None }
    }

    pub(crate) fn at_key(mut self) -> Self {
        self.at_key = true;
        self
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        let help = help.into();
        self.help = (!help.is_empty()).then_some(help);
        self
    }
}

/// One problem. As a `Diagnostic` it carries the source and marks the place in it.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The problem.
    pub message: String,
    /// The expected value or the likely name; may be empty.
    pub expected: String,
    /// Further help.
    pub help: Option<String>,
    /// Line and column from 1, if the scene came from a text.
    pub place: Option<(usize, usize)>,
    span: Span,
    source: Option<Arc<NamedSource<String>>>,
    file: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Problem {}

impl Diagnostic for Problem {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.source.as_deref().map(|source| source as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        self.source.as_ref()?;
        let label = (!self.expected.is_empty()).then(|| self.expected.clone());
        let label = LabeledSpan::new(label, self.span.start, self.span.len());
        Some(Box::new(std::iter::once(label)))
    }
}

impl Problem {
    /// `file:line:column: message; expected values`.
    #[must_use]
    pub fn one_line(&self) -> String {
        let place = match self.place {
            Some((line, column)) => format!("{}:{line}:{column}: ", self.file),
            None if self.file.is_empty() => String::new(),
            None => format!("{}: ", self.file),
        };
        let expected = if self.expected.is_empty() { String::new() } else { format!("; {}", self.expected) };
        format!("{place}{}{expected}", self.message)
    }
}

/// Every problem of a scene, in the order of the file. `Display` gives one line a problem.
#[derive(Clone, Debug)]
pub struct SceneErrors {
    /// Name of the scene, as given.
    pub scene: String,
    /// At least one.
    pub problems: Vec<Problem>,
}

impl fmt::Display for SceneErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, problem) in self.problems.iter().enumerate() {
            if i > 0 {
                f.write_str("\n")?;
            }
            f.write_str(&problem.one_line())?;
        }
        Ok(())
    }
}

impl std::error::Error for SceneErrors {}

impl SceneErrors {
    /// A file that could not be read at all.
    pub(crate) fn unreadable(file: &str, message: String) -> Self {
        let problem = Problem {
            message,
            expected: String::new(),
            help: None,
            place: None,
            span: 0..0,
            source: None,
            file: file.to_owned(),
        };
        Self { scene: file.to_owned(), problems: vec![problem] }
    }

    /// Problems at spans of texts.
    pub(crate) fn in_text(sources: &Sources, mut found: Vec<(Span, Finding)>) -> Self {
        let codes: Vec<_> = sources
            .iter()
            .map(|source| Arc::new(NamedSource::new(source.name.clone(), source.text.clone())))
            .collect();
        found.sort_by_key(|(span, _)| span.start);
        let mut cursor = LineCursor::START;
        let problem = |(span, finding): (Span, Finding)| {
            let (number, source, span) = sources.locate(&span);
            let span = shortened(&source.text, span);
            Problem {
                message: finding.message,
                expected: finding.expected,
                help: finding.help,
                place: Some(cursor.seek(number, &source.text, span.start)),
                source: can_be_shown(&source.text, &span).then(|| Arc::clone(&codes[number])),
                span,
                file: source.name.clone(),
            }
        };
        let problems = found.into_iter().map(problem).collect();
        Self { scene: sources.first().name.clone(), problems }
    }

    /// Problems of a scene that was read from a tree, and others whose place is known.
    pub(crate) fn in_tree(
        sources: &Sources,
        tree: &Node,
        findings: Vec<Finding>,
        others: Vec<(Span, Finding)>,
    ) -> Self {
        let located = findings.into_iter().map(|finding| {
            let key = if finding.at_key { tree.key_span(&finding.path) } else { None };
            (key.unwrap_or_else(|| tree.nearest(&finding.path).span.clone()), finding)
        });
        Self::in_text(sources, located.chain(others).collect())
    }

    /// Problems of a scene made by a program: paths take the place of lines.
    pub(crate) fn without_text(name: &str, findings: Vec<Finding>) -> Self {
        let problems = findings
            .into_iter()
            .map(|finding| Problem {
                message: format!("{}: {}", finding.path, finding.message),
                expected: finding.expected,
                help: finding.help,
                place: None,
                span: 0..0,
                source: None,
                file: name.to_owned(),
            })
            .collect();
        Self { scene: name.to_owned(), problems }
    }
}

/// Longest line shown around a problem, bytes: a whole scene may be one line.
const LONGEST_SHOWN_LINE: usize = 500;

/// True if the line of a span and its neighbours are short enough to be shown.
fn can_be_shown(text: &str, span: &Span) -> bool {
    let ahead = text[..span.start].rsplitn(3, '\n').take(2);
    let on = text[span.start..].splitn(3, '\n').take(2);
    ahead.chain(on).all(|line| line.len() <= LONGEST_SHOWN_LINE)
}

/// Only the first line of a span: a problem of a whole table is marked at its head.
fn shortened(text: &str, span: Span) -> Span {
    let line_end = text[span.start.min(text.len())..].find('\n').map_or(text.len(), |end| span.start + end);
    span.start..span.end.min(line_end).max(span.start)
}

//! `<include file="…">`: another file's elements in its place. Each file once, in the folder of the model only.

use std::collections::BTreeSet;

use crate::import::Context;
use crate::import::xml::{self, Element, MOST_ELEMENTS};
use crate::source::{MAX_DEPTH, SourceText};

/// Puts included elements into the `include` elements that name them.
pub(super) fn expand(root: &mut Element, context: &mut Context<'_>) {
    let mut included = Included { files: BTreeSet::new(), elements: size(root) };
    included.expand(root, 1, context);
}

/// Files included so far.
struct Included {
    files: BTreeSet<String>,
    elements: usize,
}

impl Included {
    fn expand(&mut self, element: &mut Element, depth: usize, context: &mut Context<'_>) {
        for child in &mut element.inner {
            if child.name == "include" {
                child.imported();
                if let Some(inner) = self.read(child, depth, context) {
                    child.inner = inner;
                }
            }
            self.expand(child, depth + 1, context);
        }
    }

    /// The elements of the file that an `include` names.
    fn read(&mut self, include: &Element, depth: usize, context: &mut Context<'_>) -> Option<Vec<Element>> {
        let file = include.required_text("file", context.problems)?;
        let refuse = |message: String, expected: &str| {
            context.problems.add(&include.place, format!("include: {message}"), expected);
        };
        if !self.files.insert(file.to_owned()) {
            refuse(format!("`{file}` is included twice"), "expected every file once");
            return None;
        }
        let path = context.folder.resolve(file);
        let text = path.and_then(|path| {
            context
                .folder
                .text(&path)
                .map(|text| (path, text))
                .map_err(|problem| format!("`{file}` {problem}"))
        });
        let (path, text) = match text {
            Ok(read) => read,
            Err(problem) => {
                refuse(problem, "expected a file in the folder of the model");
                return None;
            }
        };
        let start = context.sources.add(SourceText { name: path.display().to_string(), text: text.clone() });
        let root = xml::parse(&text, start, context.problems)?;
        self.elements += size(&root);
        if depth + nesting(&root) > MAX_DEPTH || self.elements > MOST_ELEMENTS {
            let limits = format!(
                "`{file}` makes the model nested deeper than {MAX_DEPTH} levels, or larger than {MOST_ELEMENTS} elements"
            );
            refuse(limits, "");
            return None;
        }
        Some(root.inner)
    }
}

fn nesting(element: &Element) -> usize {
    1 + element.inner.iter().map(nesting).max().unwrap_or(0)
}

fn size(element: &Element) -> usize {
    1 + element.inner.iter().map(size).sum::<usize>()
}

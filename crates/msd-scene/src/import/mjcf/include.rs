//! `<include file="…">`: another file's elements in its place. Each file once, in the folder of the model or next to the file that
//! includes it.

use std::collections::BTreeSet;

use crate::import::Context;
use crate::import::xml::{self, Element, MOST_ELEMENTS, MOST_NESTED};
use crate::source::SourceText;

/// Puts included elements into the `include` elements that name them.
pub(super) fn expand(root: &mut Element, context: &mut Context<'_>) {
    let mut included = Included { files: BTreeSet::new(), elements: size(root) };
    included.expand(root, "", 1, context);
}

/// Files included so far.
struct Included {
    files: BTreeSet<String>,
    elements: usize,
}

impl Included {
    /// `folder` is that of the file the element is in, from the folder of the model: empty, or ending in `/`.
    fn expand(&mut self, element: &mut Element, folder: &str, depth: usize, context: &mut Context<'_>) {
        for child in &mut element.inner {
            let mut inside = folder.to_owned();
            if child.name == "include" {
                child.imported();
                if let Some((name, inner)) = self.read(child, folder, depth, context) {
                    child.inner = inner;
                    inside = name.rfind('/').map_or_else(String::new, |slash| name[..=slash].to_owned());
                }
            }
            self.expand(child, &inside, depth + 1, context);
        }
    }

    /// The elements of the file that an `include` names, and its path from the folder of the model.
    fn read(
        &mut self,
        include: &Element,
        folder: &str,
        depth: usize,
        context: &mut Context<'_>,
    ) -> Option<(String, Vec<Element>)> {
        let given = include.required_text("file", context.problems)?;
        let nearby = format!("{folder}{given}");
        let exists = |file: &str| context.folder.resolve(file).is_ok_and(|path| path.exists());
        let file = if !exists(given) && exists(&nearby) { &nearby } else { given };
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
        if depth + nesting(&root) > MOST_NESTED || self.elements > MOST_ELEMENTS {
            let limits = format!(
                "`{file}` makes the model nested deeper than {MOST_NESTED} levels, or larger than {MOST_ELEMENTS} elements"
            );
            refuse(limits, "");
            return None;
        }
        Some((file.to_owned(), root.inner))
    }
}

fn nesting(element: &Element) -> usize {
    1 + element.inner.iter().map(nesting).max().unwrap_or(0)
}

fn size(element: &Element) -> usize {
    1 + element.inner.iter().map(size).sum::<usize>()
}

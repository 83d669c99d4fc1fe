//! Robots that a scene imports, put among its own bodies and joints.

use super::{Listing, Problems, robot};
use crate::files::FileAccess;
use crate::grammar::Walk;
use crate::model::Import;
use crate::source::{Entry, Node, Path, SourceText, Sources, Span, Value};

/// The tree of a scene with the bodies, joints and materials of the robots it imports. An import that is not written
/// as it must be is left to the check of the tree.
pub(crate) fn splice(
    tree: &mut Node,
    files: &FileAccess,
    sources: &mut Sources,
    problems: &Problems,
) -> Listing {
    let mut listing = Listing::default();
    let items: Vec<Node> = tree.get("import").and_then(Node::as_list).unwrap_or_default().to_vec();
    for (i, item) in items.iter().enumerate() {
        let Some(import) = well_formed(tree, item, i) else { continue };
        let file = item.get("file").map_or(&item.span, |node| &node.span).clone();
        let Some(source) = open(&import, files, &file, problems) else { continue };
        let Some((part, listed)) = robot(source, &import, files, false, sources, problems) else { continue };
        listing.elements.extend(listed.elements);
        merge(tree, part, &item.span);
    }
    listing
}

/// The import, if the grammar accepts it.
fn well_formed(tree: &Node, item: &Node, number: usize) -> Option<Import> {
    let mut walk = Walk::new(tree);
    let at = Path::root().key("import").index(number);
    let plain = walk.check(item, &walk.section("import")["items"], &at)?;
    if walk.findings.is_empty() { plain.try_into().ok() } else { None }
}

fn open(import: &Import, files: &FileAccess, place: &Span, problems: &Problems) -> Option<SourceText> {
    let text = files
        .resolve(&import.file)
        .and_then(|path| files.text(&path).map_err(|problem| format!("`{}` {problem}", import.file)));
    match text {
        Ok(text) => {
            let name = files.folder.join(&import.file).display().to_string();
            Some(SourceText { name, text })
        }
        Err(problem) => {
            problems.add(
                place,
                format!("import: {problem}"),
                "expected a URDF or MJCF file in the folder of the scene",
            );
            None
        }
    }
}

/// Adds lists to lists and tables to tables.
fn merge(tree: &mut Node, part: Node, place: &Span) {
    let (Value::Table(entries), Value::Table(parts)) = (&mut tree.value, part.value) else { return };
    for Entry { key, value, .. } in parts {
        if key == "format" || key == "world" {
            continue;
        }
        match (entries.iter_mut().find(|entry| entry.key == key), value.value) {
            (Some(own), Value::List(items)) => {
                if let Value::List(list) = &mut own.value.value {
                    list.extend(items);
                }
            }
            (Some(own), Value::Table(others)) => {
                if let Value::Table(table) = &mut own.value.value {
                    table.extend(others);
                }
            }
            (None, value) => {
                let span = place.clone();
                entries.push(Entry { key, key_span: span.clone(), value: Node { span, value } });
            }
            _ => {}
        }
    }
}

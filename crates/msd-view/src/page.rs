//! The page: built from `viewer/` and committed, so that no Node is needed to build this crate.

use std::borrow::Cow;

use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "page/"]
struct Page;

/// A file of the page and its media type.
pub(crate) fn file(path: &str) -> Option<(Cow<'static, [u8]>, &'static str)> {
    let path = if path.is_empty() { "index.html" } else { path };
    let (_, ending) = path.rsplit_once('.')?;
    let kind = match ending {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        _ => return None,
    };
    Some((Page::get(path)?.data, kind))
}

/// A file of the page as text.
pub(crate) fn text(path: &str) -> Option<String> {
    String::from_utf8(file(path)?.0.into_owned()).ok()
}

//! Buffers of a glTF: the binary chunk, `data:` URIs, and files next to the document.

use std::{
    borrow::Cow,
    path::{Component, Path, PathBuf},
};

use super::{
    super::{ImportProblem, base64, read_limited, stl::abbreviate},
    document::{Buffer, Document},
    missing,
};

pub(super) struct Buffers<'a> {
    loaded: Vec<Cow<'a, [u8]>>,
}

impl<'a> Buffers<'a> {
    /// Takes every buffer; the files read may have `max_bytes` together.
    pub(super) fn load(
        document: &Document,
        binary: Option<&'a [u8]>,
        folder: &Path,
        max_bytes: u64,
    ) -> Result<Self, ImportProblem> {
        let mut loaded = Vec::new();
        let mut left = max_bytes;
        for (index, buffer) in document.buffers.iter().enumerate() {
            let bytes = match (&buffer.uri, binary) {
                (None, Some(binary)) if index == 0 => Cow::Borrowed(binary),
                (None, _) => {
                    return Err(ImportProblem::malformed(format!(
                        "buffer {index} has neither a URI nor a binary chunk"
                    )));
                }
                (Some(uri), _) => Cow::Owned(match uri.strip_prefix("data:") {
                    Some(data) => decode_data_uri(data)?,
                    None => {
                        let bytes = read_limited(&resolve(uri, folder)?, left)?;
                        left -= bytes.len() as u64;
                        bytes
                    }
                }),
            };
            loaded.push(cut(bytes, buffer, index)?);
        }
        Ok(Self { loaded })
    }

    /// The bytes of a buffer view.
    pub(super) fn view(&self, document: &Document, index: usize) -> Result<&[u8], ImportProblem> {
        let views = &document.buffer_views;
        let view = views.get(index).ok_or_else(|| missing("buffer view", index, views.len()))?;
        let buffer =
            self.loaded.get(view.buffer).ok_or_else(|| missing("buffer", view.buffer, self.loaded.len()))?;
        buffer.get(view.byte_offset..).and_then(|rest| rest.get(..view.byte_length)).ok_or_else(|| {
            ImportProblem::Missing {
                what: format!("buffer view {index} at offset {}", view.byte_offset),
                declared: view.byte_length as u64,
                found: buffer.len().saturating_sub(view.byte_offset) as u64,
            }
        })
    }
}

/// A chunk may be padded, so longer is right; shorter is not.
fn cut<'a>(bytes: Cow<'a, [u8]>, buffer: &Buffer, index: usize) -> Result<Cow<'a, [u8]>, ImportProblem> {
    if bytes.len() < buffer.byte_length {
        return Err(ImportProblem::Missing {
            what: format!("buffer {index}"),
            declared: buffer.byte_length as u64,
            found: bytes.len() as u64,
        });
    }
    Ok(match bytes {
        Cow::Borrowed(bytes) => Cow::Borrowed(&bytes[..buffer.byte_length]),
        Cow::Owned(mut bytes) => {
            bytes.truncate(buffer.byte_length);
            Cow::Owned(bytes)
        }
    })
}

fn decode_data_uri(data: &str) -> Result<Vec<u8>, ImportProblem> {
    let encoded = data.split_once(";base64,").map(|(_, encoded)| encoded);
    encoded.and_then(base64::decode).ok_or_else(|| ImportProblem::malformed("a data: URI that is not base64"))
}

/// The file a relative URI means, if it lies inside the folder, links followed.
fn resolve(uri: &str, folder: &Path) -> Result<PathBuf, ImportProblem> {
    let outside = || ImportProblem::OutsideFolder(abbreviate(uri));
    let relative = percent_decode(uri).ok_or_else(outside)?;
    let plain =
        Path::new(&relative).components().all(|c| matches!(c, Component::Normal(_) | Component::CurDir));
    if !plain || relative.contains(['\\', ':', '\0']) || relative.is_empty() {
        return Err(outside());
    }
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let path = folder.join(&relative);
    let found = path
        .canonicalize()
        .map_err(|error| ImportProblem::malformed(format!("refers to {:?}: {error}", abbreviate(uri))))?;
    if !found.starts_with(folder.canonicalize()?) {
        return Err(outside());
    }
    Ok(found)
}

fn percent_decode(uri: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digit = |b: Option<u8>| char::from(b?).to_digit(16);
            bytes.push((digit(rest.next())? * 16 + digit(rest.next())?) as u8);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

//! A run as one HTML file that any browser opens from disk, without a network.

use std::io::Write;

use msd::digest::Hasher;
use serde_json::{Value, json};

use crate::ViewError;
use crate::blob::{Blob, BlobFrame, pack};
use crate::figures::merge;
use crate::page;
use crate::recorded::RecordingSource;
use crate::source::FrameSource;

/// How a run is packed.
#[derive(Clone, Copy, Debug)]
pub struct HtmlOptions {
    /// Frames at most, spread evenly over the run.
    pub max_frames: u32,
    /// A larger file is refused, bytes.
    pub max_bytes: u64,
    /// Largest position error, m; chosen by the size of the smallest body if not given.
    pub position_error: Option<f64>,
    /// Whether contacts and the loads of joints are in the file.
    pub contacts: bool,
}

impl Default for HtmlOptions {
    fn default() -> Self {
        Self { max_frames: 1200, max_bytes: 64_000_000, position_error: None, contacts: true }
    }
}

/// Result of the export.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HtmlReport {
    /// Of the file.
    pub bytes: u64,
    /// Of the run alone, before it was written as text.
    pub run_bytes: u64,
    /// Frames.
    pub frames: u32,
    /// Bodies that move.
    pub bodies: usize,
    /// Largest distance between a recorded position and the one on the page, m.
    pub position_error: f64,
    /// Largest angle between a recorded orientation and the one on the page, rad.
    pub angle_error: f64,
}

/// Positions are kept to this share of the smallest body.
const SHARE_OF_A_BODY: f64 = 1e-4;

/// Writes a recording as a page.
///
/// # Errors
/// If the recording is damaged, the file would be too large, or `out` fails.
pub fn write(
    source: &RecordingSource,
    options: &HtmlOptions,
    out: &mut dyn Write,
) -> Result<HtmlReport, ViewError> {
    let frames = gather(source, options)?;
    // The distance of a corner of a cube of edge `step` from its centre is √3/2 of it.
    let wanted = options.position_error.unwrap_or_else(|| SHARE_OF_A_BODY * smallest_body(source));
    let blob = pack(&frames, wanted * 2.0 / 3.0_f64.sqrt());
    let page = assemble(source, &blob)?;
    let bytes = page.len() as u64;
    if bytes > options.max_bytes {
        return Err(ViewError::TooLarge { bytes, limit: options.max_bytes });
    }
    out.write_all(page.as_bytes())?;
    Ok(HtmlReport {
        bytes,
        run_bytes: blob.bytes.len() as u64,
        frames: frames.len() as u32,
        bodies: source.viewed().moving.len(),
        position_error: blob.position_error,
        angle_error: blob.angle_error,
    })
}

/// Frames spread evenly, the first and the last among them, with the worst figures between.
fn gather(source: &RecordingSource, options: &HtmlOptions) -> Result<Vec<BlobFrame>, ViewError> {
    let total = source.extent().frames;
    let damaged = |reason: String| ViewError::Start(reason);
    let rows = source.figures(0, total).map_err(damaged)?;
    let count = total.min(options.max_frames.max(2));
    let mut frames = Vec::with_capacity(count as usize);
    let mut from = 0;
    for i in 0..count {
        let share = if count > 1 { f64::from(i) / f64::from(count - 1) } else { 0.0 };
        let index = (share * f64::from(total - 1)).round() as usize;
        let frame = source.frame(index as u32).map_err(damaged)?.ok_or(ViewError::NoFrames)?;
        let (_, poses) = frame.decode_poses().ok_or(ViewError::NoFrames)?;
        let merged = rows[from..=index].iter().copied().reduce(|a, b| merge(&a, &b));
        let details = if options.contacts { frame.details.clone() } else { Vec::new() };
        frames.push(BlobFrame {
            figures: merged.unwrap_or(rows[index]),
            poses,
            details,
            details_origin: frame.origin(),
        });
        from = (index + 1).min(rows.len() - 1);
    }
    Ok(frames)
}

/// Smallest extent of a body that moves, m; 1 if none has a size.
fn smallest_body(source: &RecordingSource) -> f64 {
    use crate::Geometry::{Box, Capsule, Cone, Cylinder, Ellipsoid, Mesh, Plane, Sphere};
    let header = source.viewed();
    let size = |geometry: &crate::Geometry| match geometry {
        Sphere { radius } => 2.0 * radius,
        Box { size } => size.iter().copied().fold(f64::INFINITY, f64::min),
        Capsule { radius, .. } => 2.0 * radius,
        Ellipsoid { radii } => 2.0 * radii.iter().copied().fold(f64::INFINITY, f64::min),
        Cylinder { radius, length } | Cone { radius, length } => length.min(2.0 * radius),
        Mesh { vertices, .. } => {
            let spread = |axis: usize| {
                let along = vertices.iter().skip(axis).step_by(3);
                let (low, high) = along
                    .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(*x), high.max(*x)));
                high - low
            };
            spread(0).min(spread(1)).min(spread(2))
        }
        Plane { .. } => f64::INFINITY,
    };
    let moving = header.moving.iter().flat_map(|number| &header.bodies[*number].shapes);
    let smallest =
        moving.map(|placed| size(&header.geometries[placed.geometry])).fold(f64::INFINITY, f64::min);
    if smallest.is_finite() && smallest > 0.0 { smallest } else { 1.0 }
}

/// The page with its script, its style and the run in it.
fn assemble(source: &RecordingSource, blob: &Blob) -> Result<String, ViewError> {
    let missing = || ViewError::Start("the page is not in this program".to_owned());
    let (index, script, style) = (
        page::text("index.html").ok_or_else(missing)?,
        page::text("app.js").ok_or_else(missing)?,
        page::text("app.css").ok_or_else(missing)?,
    );
    let icon = page::text("icon.svg").ok_or_else(missing)?;
    let run = json!({
        "header": serde_json::from_str::<Value>(&source.header())?,
        "status": source.status(),
        "position_error": blob.position_error,
        "bytes": blob.bytes.len(),
    });
    // A name with "</script" in it must not end the script; JSON reads \u003c as <.
    let run = run.to_string().replace('<', "\\u003c");
    let csp = format!(
        "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; img-src data: blob:; base-uri 'none'; form-action 'none'",
        base64(&digest(&script)),
        base64(&digest(&style))
    );
    let head = format!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"{csp}\">\n<link rel=\"icon\" href=\"data:image/svg+xml;base64,{}\">\n<style>{style}</style>",
        base64(icon.as_bytes())
    );
    let body = format!(
        "<script type=\"application/json\" id=\"msd-run\">{run}</script>\n<script type=\"text/plain\" id=\"msd-blob\">{}</script>\n<script type=\"module\">{script}</script>",
        base64(&blob.bytes)
    );
    let page = index
        .replace("<link rel=\"icon\" href=\"icon.svg\">\n", "")
        .replace("<link rel=\"stylesheet\" href=\"app.css\">", &head)
        .replace("<script type=\"module\" src=\"app.js\"></script>", &body);
    Ok(page)
}

fn digest(text: &str) -> [u8; 32] {
    let mut hasher = Hasher::new();
    hasher.bytes(text.as_bytes());
    hasher.finish().0
}

/// RFC 4648, with padding.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let bits = (u32::from(chunk[0]) << 16)
            | (u32::from(*chunk.get(1).unwrap_or(&0)) << 8)
            | u32::from(*chunk.get(2).unwrap_or(&0));
        for i in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * i)) as usize & 63];
            text.push(if i <= chunk.len() { digit as char } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_the_standard() {
        let cases = [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("foobar", "Zm9vYmFy"),
        ];
        for (text, expected) in cases {
            assert_eq!(base64(text.as_bytes()), expected);
        }
    }
}

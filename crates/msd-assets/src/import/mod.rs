//! Import of geometry files: STL (binary and ASCII), OBJ, glTF, GLB, and MSH of MuJoCo.
//!
//! Coordinates are interpreted as metres and multiplied by [`ImportOptions::scale`]. Vertices with equal
//! coordinates become one vertex, so that a surface whose file repeats its corners is closed; triangles with
//! two equal corners are dropped and counted. Files are not trusted: every count is compared with the
//! available bytes before memory is allocated for it.

mod base64;
mod gltf;
mod msh;
mod obj;
mod soup;
mod stl;

use std::{
    fs::File,
    io::{ErrorKind, Read},
    path::{Path, PathBuf},
};

use msd::math::Vec3;
use msd::physics::rigid_body::Color;
use thiserror::Error;

use crate::{Mesh, MeshError};
use soup::TriangleSoup;

/// Which axis of the file points up. The engine's is z.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpAxis {
    /// The file's (x, y, z) becomes (x, -z, y): a quarter turn about x.
    Y,
    /// Coordinates are unchanged.
    Z,
}

/// How a file is read.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportOptions {
    /// Metres per unit of the file; 0.001 for millimetres.
    pub scale: f64,
    /// `None` takes what the format says: y for glTF, whose standard fixes it, z for the others, which say nothing.
    pub up: Option<UpAxis>,
    /// Largest file (and largest sum of external buffers) that is read, bytes.
    pub max_bytes: u64,
    /// Largest number of triangles. glTF can use one mesh many times, so its file size does not bound them.
    pub max_triangles: usize,
}

impl Default for ImportOptions {
    fn default() -> Self {
        Self { scale: 1.0, up: None, max_bytes: 512 << 20, max_triangles: 10_000_000 }
    }
}

/// A geometry file's format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Stereolithography, binary.
    StlBinary,
    /// Stereolithography, text.
    StlAscii,
    /// Wavefront.
    Obj,
    /// glTF 2.0 as JSON.
    Gltf,
    /// glTF 2.0, binary container.
    Glb,
    /// MuJoCo's own.
    Msh,
}

impl std::fmt::Display for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::StlBinary => "binary STL",
            Self::StlAscii => "ASCII STL",
            Self::Obj => "OBJ",
            Self::Gltf => "glTF",
            Self::Glb => "GLB",
            Self::Msh => "MSH",
        })
    }
}

/// Contents of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Import {
    /// In metres, z up.
    pub mesh: Mesh,
    /// Detected format.
    pub format: Format,
    /// Colours of the triangles, in their order; empty if the file gives none.
    pub colors: Vec<ColorRun>,
    /// Triangles left out because two of their corners coincide.
    pub dropped: usize,
}

/// The colour of the triangles from one on, up to the next run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColorRun {
    /// Number of its first triangle.
    pub first: usize,
    /// Colour; `None` if the file gives these none.
    pub color: Option<Color>,
}

/// A file that could not be imported.
#[derive(Debug, Error)]
#[error("{}: {problem}", .path.display())]
pub struct ImportError {
    /// The file.
    pub path: PathBuf,
    /// The problem.
    pub problem: ImportProblem,
}

/// Problem of a geometry file.
#[derive(Debug, Error)]
pub enum ImportProblem {
    /// The scale is not a positive number.
    #[error("scale must be positive and finite, got {0}")]
    Scale(f64),
    /// The file extension is unknown.
    #[error("unknown kind of file: expected an ending of .stl, .obj, .gltf, .glb or .msh")]
    UnknownFormat,
    /// The file is larger than allowed.
    #[error("{found} bytes are more than the limit of {limit}")]
    TooLarge {
        /// Bytes there are (or more).
        found: u64,
        /// The limit.
        limit: u64,
    },
    /// More triangles than allowed.
    #[error("more than {0} triangles")]
    TooManyTriangles(usize),
    /// Something is declared that is not there.
    #[error("{what}: {declared} bytes declared, {found} there")]
    Missing {
        /// Kind of the element.
        what: String,
        /// Bytes it should have.
        declared: u64,
        /// Bytes it has.
        found: u64,
    },
    /// A line that cannot be read.
    #[error("line {line}: {message}")]
    Line {
        /// From 1.
        line: usize,
        /// The problem.
        message: String,
    },
    /// The file breaks the rules of its format.
    #[error("{0}")]
    Malformed(String),
    /// Right, but not read by this program.
    #[error("not supported: {0}")]
    Unsupported(String),
    /// An external file outside this file's folder.
    #[error("refers to {0:?}, which is not inside the file's folder")]
    OutsideFolder(String),
    /// The triangles do not make a mesh.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// The operating system refused.
    #[error("{0}")]
    Io(#[from] std::io::Error),
}

impl ImportProblem {
    fn malformed(message: impl Into<String>) -> Self {
        Self::Malformed(message.into())
    }
}

/// Reads a geometry file. The ending of its name (in any case) says which importer reads it.
///
/// # Errors
/// Names the file and the error.
pub fn load(path: &Path, options: &ImportOptions) -> Result<Import, ImportError> {
    load_file(path, options).map_err(|problem| ImportError { path: path.to_owned(), problem })
}

fn load_file(path: &Path, options: &ImportOptions) -> Result<Import, ImportProblem> {
    if !(options.scale > 0.0 && options.scale.is_finite()) {
        return Err(ImportProblem::Scale(options.scale));
    }
    let ending = path.extension().and_then(|e| e.to_str()).unwrap_or_default().to_ascii_lowercase();
    if !["stl", "obj", "gltf", "glb", "msh"].contains(&ending.as_str()) {
        return Err(ImportProblem::UnknownFormat);
    }
    let options =
        &ImportOptions { max_triangles: options.max_triangles.min(u32::MAX as usize / 3), ..options.clone() };
    let bytes = read_limited(path, options.max_bytes)?;
    let (soup, format) = match ending.as_str() {
        "stl" => stl::read(&bytes, options.max_triangles)?,
        "msh" => (msh::read(&bytes, options.max_triangles)?, Format::Msh),
        "obj" => (obj::read(&bytes, options.max_triangles)?, Format::Obj),
        _ => gltf::read(&bytes, path.parent().unwrap_or(Path::new("")), options)?,
    };
    finish(soup, format, options)
}

/// Scales, rotates, welds and validates the imported mesh.
fn finish(soup: TriangleSoup, format: Format, options: &ImportOptions) -> Result<Import, ImportProblem> {
    let default_up = if matches!(format, Format::Gltf | Format::Glb) { UpAxis::Y } else { UpAxis::Z };
    let place = |v: Vec3| {
        let v = v * options.scale;
        match options.up.unwrap_or(default_up) {
            UpAxis::Y => Vec3::new(v.x, -v.z, v.y),
            UpAxis::Z => v,
        }
    };
    let (mesh, colors, dropped) = soup.weld(place)?;
    Ok(Import { mesh, format, colors, dropped })
}

/// The whole file, refused when it is larger than the limit, even if it grows meanwhile or reports no size.
fn read_limited(path: &Path, limit: u64) -> Result<Vec<u8>, ImportProblem> {
    // Opening a pipe without a writer would block for ever.
    let metadata = path.metadata()?;
    if metadata.is_dir() {
        return Err(std::io::Error::from(ErrorKind::IsADirectory).into());
    }
    if !metadata.is_file() {
        let problem = "not a file but a pipe, a socket or a device";
        return Err(std::io::Error::new(ErrorKind::InvalidInput, problem).into());
    }
    let file = File::open(path)?;
    if metadata.len() > limit {
        return Err(ImportProblem::TooLarge { found: metadata.len(), limit });
    }
    let mut bytes = Vec::new();
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(ImportProblem::TooLarge { found: bytes.len() as u64, limit });
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRIANGLE_OBJ: &str = "v 0 0 0\nv 1 0 0\nv 0 2 0\nf 1 2 3\n";

    fn problem(path: &Path, options: &ImportOptions) -> String {
        load(path, options).unwrap_err().to_string()
    }

    #[test]
    fn scale_and_up_axis_apply_to_every_vertex() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.OBJ");
        std::fs::write(&path, TRIANGLE_OBJ).unwrap();
        let options = ImportOptions { scale: 0.001, up: Some(UpAxis::Y), ..ImportOptions::default() };
        let mesh = load(&path, &options).unwrap().mesh;
        assert_eq!(mesh.vertices(), [Vec3::ZERO, Vec3::X * 0.001, Vec3::Z * 0.002]);
    }

    #[test]
    fn limits_and_wrong_files_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.obj");
        std::fs::write(&path, TRIANGLE_OBJ).unwrap();
        let defaults = ImportOptions::default();
        let small = ImportOptions { max_bytes: 10, ..defaults.clone() };
        assert!(problem(&path, &small).ends_with("t.obj: 32 bytes are more than the limit of 10"));
        let none = ImportOptions { max_triangles: 0, ..defaults.clone() };
        assert!(problem(&path, &none).ends_with("more than 0 triangles"));
        let bad = ImportOptions { scale: f64::NAN, ..defaults.clone() };
        assert!(problem(&path, &bad).contains("scale must be positive"));
        assert!(
            problem(&folder.path().join("a.step"), &defaults).contains(".stl, .obj, .gltf, .glb or .msh")
        );
        assert!(problem(&folder.path().join("missing.stl"), &defaults).contains("No such file"));
        std::fs::create_dir(folder.path().join("d.stl")).unwrap();
        assert!(problem(&folder.path().join("d.stl"), &defaults).contains("directory"));
    }

    #[test]
    fn overflow_by_scale_is_refused_like_any_infinity() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.obj");
        std::fs::write(&path, "v 0 0 0\nv 1e300 0 0\nv 0 2 0\nf 1 2 3\n").unwrap();
        let options = ImportOptions { scale: 1e10, ..ImportOptions::default() };
        assert!(problem(&path, &options).contains("not finite"));
    }
}

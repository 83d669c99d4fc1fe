//! glTF 2.0: JSON (`.gltf`) and the binary container (`.glb`).
//!
//! Every triangle of the default scene is imported, with the transforms of its nodes applied:
//! `world = parent · local`, `local` = matrix, or translation · rotation · scale. A transform that mirrors
//! (negative determinant) turns the triangles inside out, so their order is reversed. Of materials the base
//! colour is read; textures, skins, animations and morph targets are not. (Khronos, glTF 2.0 specification,
//! sections 3.5.3, 3.6.2, 3.7.2, 3.9.2 and 4.4.)

mod accessor;
mod buffers;
mod document;

use std::path::Path;

use msd::math::{Mat3, Quat, Vec3};

use self::{
    accessor::{read_indices, read_positions},
    buffers::Buffers,
    document::{Document, Node, Primitive},
};
use super::{ColorRun, Format, ImportOptions, ImportProblem, soup::TriangleSoup};

const GLB_MAGIC: &[u8] = b"glTF";

/// Extensions a file may require because they change the looks only.
const HARMLESS_EXTENSIONS: [&str; 6] =
    ["KHR_materials_", "KHR_texture_", "EXT_texture_", "KHR_lights_", "EXT_lights_", "KHR_xmp"];

pub(super) fn read(
    bytes: &[u8],
    folder: &Path,
    options: &ImportOptions,
) -> Result<(TriangleSoup, Format), ImportProblem> {
    let (json, binary, format) = if bytes.starts_with(GLB_MAGIC) {
        let (json, binary) = split_glb(bytes)?;
        (json, binary, Format::Glb)
    } else {
        (bytes, None, Format::Gltf)
    };
    let document: Document = serde_json::from_slice(json)
        .map_err(|error| ImportProblem::malformed(format!("not a glTF document: {error}")))?;
    check_version_and_extensions(&document)?;
    let buffers = Buffers::load(&document, binary, folder, options.max_bytes)?;
    let mut soup = TriangleSoup::default();
    for (node, placement) in placed_nodes(&document)? {
        let Some(mesh) = node.mesh else { continue };
        let mesh = document.meshes.get(mesh).ok_or_else(|| missing("mesh", mesh, document.meshes.len()))?;
        for primitive in &mesh.primitives {
            append(&mut soup, &document, &buffers, primitive, &placement, options.max_triangles)?;
        }
    }
    Ok((soup, format))
}

/// The JSON and the binary chunk of a container; lengths are checked against the file.
fn split_glb(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), ImportProblem> {
    let u32_at = |at: usize| -> Option<u32> {
        let four = bytes.get(at..at + 4)?;
        Some(u32::from_le_bytes([four[0], four[1], four[2], four[3]]))
    };
    let too_short = || ImportProblem::malformed("GLB: the file ends inside its header");
    let (version, length) = (u32_at(4).ok_or_else(too_short)?, u32_at(8).ok_or_else(too_short)?);
    if version != 2 {
        return Err(ImportProblem::Unsupported(format!("GLB version {version}; version 2 is read")));
    }
    if length as usize != bytes.len() {
        return Err(ImportProblem::Missing {
            what: "GLB".into(),
            declared: u64::from(length),
            found: bytes.len() as u64,
        });
    }
    let (mut at, mut json, mut binary) = (12, None, None);
    while at < bytes.len() {
        let size = u32_at(at).ok_or_else(too_short)? as usize;
        let kind = bytes.get(at + 4..at + 8).ok_or_else(too_short)?;
        let chunk =
            bytes.get(at + 8..).and_then(|rest| rest.get(..size)).ok_or_else(|| ImportProblem::Missing {
                what: "GLB chunk".into(),
                declared: size as u64,
                found: (bytes.len() - at - 8) as u64,
            })?;
        match kind {
            b"JSON" if json.is_none() => json = Some(chunk),
            b"BIN\0" if binary.is_none() => binary = Some(chunk),
            _ => {}
        }
        at += 8 + size;
    }
    Ok((json.ok_or_else(|| ImportProblem::malformed("GLB: no JSON chunk"))?, binary))
}

fn check_version_and_extensions(document: &Document) -> Result<(), ImportProblem> {
    if !document.asset.version.starts_with("2.") {
        return Err(ImportProblem::Unsupported(format!(
            "glTF version {:?}; version 2.0 is read",
            document.asset.version
        )));
    }
    let harmless = |name: &&String| !HARMLESS_EXTENSIONS.iter().any(|prefix| name.starts_with(prefix));
    match document.extensions_required.iter().find(harmless) {
        Some(name) => Err(ImportProblem::Unsupported(format!("the glTF extension {name}"))),
        None => Ok(()),
    }
}

/// A rotation, scale and shear with a translation: `x ↦ linear · x + translation`.
#[derive(Clone, Copy)]
struct NodeTransform {
    linear: Mat3,
    translation: Vec3,
}

impl NodeTransform {
    const IDENTITY: Self = Self { linear: Mat3::IDENTITY, translation: Vec3::ZERO };

    fn of(node: &Node) -> Self {
        if let Some(m) = &node.matrix {
            return Self {
                linear: Mat3::from_cols(
                    Vec3::new(m[0], m[1], m[2]),
                    Vec3::new(m[4], m[5], m[6]),
                    Vec3::new(m[8], m[9], m[10]),
                ),
                translation: Vec3::new(m[12], m[13], m[14]),
            };
        }
        let [x, y, z, w] = node.rotation.unwrap_or([0.0, 0.0, 0.0, 1.0]);
        let rotation = Quat::from_xyzw(x, y, z, w).normalize();
        let scale = Vec3::from_array(node.scale.unwrap_or([1.0; 3]));
        Self {
            linear: Mat3::from_quat(rotation) * Mat3::from_diagonal(scale),
            translation: Vec3::from_array(node.translation.unwrap_or([0.0; 3])),
        }
    }

    /// This placement inside `parent`.
    fn within(&self, parent: &Self) -> Self {
        Self { linear: parent.linear * self.linear, translation: parent.apply(self.translation) }
    }

    fn apply(&self, point: Vec3) -> Vec3 {
        self.linear * point + self.translation
    }
}

/// Every node of the default scene with its place in the world. Nodes must form trees, as the standard demands; one
/// reached twice is an error, so neither a cycle nor a lattice of nodes can make the walk long.
fn placed_nodes(document: &Document) -> Result<Vec<(&Node, NodeTransform)>, ImportProblem> {
    let mut reached = vec![false; document.nodes.len()];
    let mut placed = Vec::new();
    let mut pending: Vec<(usize, NodeTransform)> =
        document.root_nodes()?.into_iter().map(|root| (root, NodeTransform::IDENTITY)).collect();
    pending.reverse();
    while let Some((index, parent)) = pending.pop() {
        let node = document.nodes.get(index).ok_or_else(|| missing("node", index, document.nodes.len()))?;
        if std::mem::replace(&mut reached[index], true) {
            return Err(ImportProblem::malformed(format!(
                "node {index} has two parents or is its own ancestor"
            )));
        }
        let placement = NodeTransform::of(node).within(&parent);
        placed.push((node, placement));
        pending.extend(node.children.iter().rev().map(|&child| (child, placement)));
    }
    Ok(placed)
}

fn append(
    soup: &mut TriangleSoup,
    document: &Document,
    buffers: &Buffers<'_>,
    primitive: &Primitive,
    placement: &NodeTransform,
    max_triangles: usize,
) -> Result<(), ImportProblem> {
    if !matches!(primitive.mode, 4..=6) {
        return Ok(());
    }
    let Some(position) = primitive.attributes.position else { return Ok(()) };
    let positions = read_positions(document, buffers, position)?;
    let indices = primitive.indices.map(|index| read_indices(document, buffers, index)).transpose()?;
    let count = indices.as_ref().map_or(positions.len(), |indices| indices.len());
    let triangles = if primitive.mode == 4 { count / 3 } else { count.saturating_sub(2) };
    let color = primitive.material.and_then(|material| document.base_color(material));
    if color.is_some() || !soup.colors.is_empty() {
        soup.colors.push(ColorRun { first: soup.triangles.len(), color });
    }
    let room = max_triangles - soup.triangles.len();
    if triangles > room || positions.len() > 3 * max_triangles - soup.vertices.len() {
        return Err(ImportProblem::TooManyTriangles(max_triangles));
    }
    let first = soup.vertices.len() as u32;
    let vertices = positions.len();
    soup.vertices.extend(positions.iter().map(|p| placement.apply(p)));
    let mirrored = placement.linear.determinant() < 0.0;
    let corner = |at: usize| -> Result<u32, ImportProblem> {
        let vertex = indices.as_ref().map_or(at as u32, |indices| indices.get(at));
        if vertex as usize >= vertices {
            return Err(ImportProblem::malformed(format!(
                "index {at} names vertex {vertex}, but there are only {vertices}"
            )));
        }
        Ok(first + vertex)
    };
    for triangle in 0..triangles {
        let [a, b, c] = match primitive.mode {
            4 => [3 * triangle, 3 * triangle + 1, 3 * triangle + 2],
            5 if triangle % 2 == 1 => [triangle + 1, triangle, triangle + 2],
            5 => [triangle, triangle + 1, triangle + 2],
            _ => [0, triangle + 1, triangle + 2],
        };
        let (a, b, c) = (corner(a)?, corner(b)?, corner(c)?);
        soup.triangles.push(if mirrored { [a, c, b] } else { [a, b, c] });
    }
    Ok(())
}

fn missing(what: &str, index: usize, count: usize) -> ImportProblem {
    ImportProblem::malformed(format!("{what} {index} does not exist: there are {count}"))
}

#[cfg(test)]
mod tests;

//! The parts of a glTF document that carry geometry.

use msd::physics::rigid_body::Color;
use serde::Deserialize;

use super::{super::ImportProblem, missing};

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Document {
    pub(super) asset: AssetInfo,
    #[serde(default)]
    pub(super) extensions_required: Vec<String>,
    pub(super) scene: Option<usize>,
    #[serde(default)]
    pub(super) scenes: Vec<Scene>,
    #[serde(default)]
    pub(super) nodes: Vec<Node>,
    #[serde(default)]
    pub(super) meshes: Vec<MeshEntry>,
    #[serde(default)]
    pub(super) materials: Vec<Material>,
    #[serde(default)]
    pub(super) accessors: Vec<Accessor>,
    #[serde(default)]
    pub(super) buffer_views: Vec<BufferView>,
    #[serde(default)]
    pub(super) buffers: Vec<Buffer>,
}

#[derive(Debug, Deserialize)]
pub(super) struct AssetInfo {
    pub(super) version: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Scene {
    #[serde(default)]
    pub(super) nodes: Vec<usize>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Node {
    #[serde(default)]
    pub(super) children: Vec<usize>,
    pub(super) mesh: Option<usize>,
    /// Column-major.
    pub(super) matrix: Option<[f64; 16]>,
    pub(super) translation: Option<[f64; 3]>,
    /// (x, y, z, w).
    pub(super) rotation: Option<[f64; 4]>,
    pub(super) scale: Option<[f64; 3]>,
}

#[derive(Debug, Deserialize)]
pub(super) struct MeshEntry {
    pub(super) primitives: Vec<Primitive>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Primitive {
    pub(super) attributes: Attributes,
    pub(super) indices: Option<usize>,
    pub(super) material: Option<usize>,
    /// 4 triangles, 5 strip, 6 fan; below are points and lines.
    #[serde(default = "triangles")]
    pub(super) mode: u32,
}

/// How a primitive looks.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Material {
    pbr_metallic_roughness: Surface,
    /// `OPAQUE` unless given: then the opacity of the base colour is ignored.
    alpha_mode: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Surface {
    /// Red, green, blue linear, and opacity; white unless given.
    base_color_factor: Option<[f64; 4]>,
}

/// A linear share of light as sRGB (IEC 61966-2-1).
fn encoded(linear: f64) -> f64 {
    if linear <= 0.003_130_8 { 12.92 * linear } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 }
}

fn triangles() -> u32 {
    4
}

#[derive(Debug, Deserialize)]
pub(super) struct Attributes {
    #[serde(rename = "POSITION")]
    pub(super) position: Option<usize>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    pub(super) buffer_view: Option<usize>,
    #[serde(default)]
    pub(super) byte_offset: usize,
    pub(super) component_type: u32,
    pub(super) count: usize,
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) sparse: Option<serde::de::IgnoredAny>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BufferView {
    pub(super) buffer: usize,
    #[serde(default)]
    pub(super) byte_offset: usize,
    pub(super) byte_length: usize,
    pub(super) byte_stride: Option<usize>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Buffer {
    pub(super) uri: Option<String>,
    pub(super) byte_length: usize,
}

impl Document {
    /// The base colour of a material, if it has one.
    pub(super) fn base_color(&self, material: usize) -> Option<Color> {
        let material = self.materials.get(material)?;
        let [r, g, b, opacity] = material.pbr_metallic_roughness.base_color_factor?;
        let opacity = if material.alpha_mode.as_deref() == Some("BLEND") { opacity } else { 1.0 };
        Some(Color::from_shares([encoded(r), encoded(g), encoded(b), opacity]))
    }

    /// The roots of the default scene, otherwise of the first; without scenes, every node without a parent.
    pub(super) fn root_nodes(&self) -> Result<Vec<usize>, ImportProblem> {
        if let Some(index) = self.scene {
            let scene = self.scenes.get(index).ok_or_else(|| missing("scene", index, self.scenes.len()))?;
            return Ok(scene.nodes.clone());
        }
        if let Some(scene) = self.scenes.first() {
            return Ok(scene.nodes.clone());
        }
        let mut is_child = vec![false; self.nodes.len()];
        for &child in self.nodes.iter().flat_map(|node| &node.children) {
            *is_child.get_mut(child).ok_or_else(|| missing("node", child, self.nodes.len()))? = true;
        }
        Ok((0..self.nodes.len()).filter(|&node| !is_child[node]).collect())
    }
}

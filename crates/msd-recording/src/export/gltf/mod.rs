//! glTF 2.0, binary container: a scene whose bodies move, for Blender, three.js and presentations.
//!
//! One node a body with its translation and rotation over time, child nodes for its geometry (visuals, or collision
//! shapes without them), materials by colour. The root turns z up to y up. Numbers are f32 as glTF demands, positions
//! relative to the mean of all bodies that move at the start: near the Earth's surface a satellite still keeps
//! millimetres as long as it stays within some kilometres. (Khronos, glTF 2.0 specification, sections 3.6, 3.7, 3.9,
//! 3.11 and 4.4.)

mod buffer;
mod surface;

use std::collections::BTreeMap;
use std::f64::consts::FRAC_1_SQRT_2;
use std::io::Write;

use msd::math::{Quat, ReferenceFrame, Vec3};
use msd::physics::rigid_body::{BodyKind, Color};
use serde_json::{Value, json};

use crate::{RecordedBody, Recording, RecordingError};
use buffer::Buffer;

/// Opaque colours of bodies without one.
fn default_color(kind: BodyKind) -> Color {
    match kind {
        BodyKind::Dynamic => Color::rgb(0x3f, 0x7f, 0xdc),
        BodyKind::Kinematic => Color::rgb(0xee, 0x84, 0x34),
        BodyKind::Static | BodyKind::Graphical => Color::rgb(0xaa, 0xb4, 0xc0),
    }
}

/// Nodes, meshes and materials as they are found.
struct Document {
    buffer: Buffer,
    nodes: Vec<Value>,
    meshes: Vec<Value>,
    materials: Vec<Value>,
    /// Accessors of position and normal by geometry.
    surfaces: BTreeMap<usize, [usize; 2]>,
    mesh_of: BTreeMap<(usize, String), usize>,
    material_of: BTreeMap<String, usize>,
}

pub(super) fn write(recording: &Recording, out: &mut dyn Write) -> Result<(), RecordingError> {
    let mut document = Document {
        buffer: Buffer::default(),
        nodes: Vec::new(),
        meshes: Vec::new(),
        materials: Vec::new(),
        surfaces: BTreeMap::new(),
        mesh_of: BTreeMap::new(),
        material_of: BTreeMap::new(),
    };
    let bodies = recording.bodies();
    let origin = origin_of(bodies);
    let mut children = Vec::new();
    for body in bodies {
        children.push(document.body(recording, body, origin)?);
    }
    let root = document.nodes.len();
    let up = [-FRAC_1_SQRT_2, 0.0, 0.0, FRAC_1_SQRT_2];
    document.nodes.push(json!({ "name": "world, z up", "rotation": up, "children": children }));
    let animation = document.animation(recording, &children, origin)?;
    let mut json = json!({
        "asset": { "version": "2.0", "generator": concat!("msd ", env!("CARGO_PKG_VERSION")) },
        "scene": 0,
        "scenes": [{ "nodes": [root] }],
        "nodes": document.nodes,
        "buffers": [{ "byteLength": document.buffer.bytes.len() }],
        "bufferViews": document.buffer.views,
        "accessors": document.buffer.accessors,
    });
    // Lists may be missing, but not empty.
    for (name, list) in [("meshes", document.meshes), ("materials", document.materials)] {
        if !list.is_empty() {
            json[name] = Value::Array(list);
        }
    }
    if let Some(animation) = animation {
        json["animations"] = json!([animation]);
    }
    container(&json, &document.buffer.bytes, out).map_err(RecordingError::Output)
}

/// Mean of the bodies that move at the start, if they are far from the world's origin.
fn origin_of(bodies: &[RecordedBody]) -> Vec3 {
    let places: Vec<Vec3> =
        bodies.iter().filter(|body| body.moves()).map(|body| body.initial.center_of_mass).collect();
    let mean = places.iter().fold(Vec3::ZERO, |sum, place| sum + *place / places.len().max(1) as f64);
    let spread = places.iter().map(|place| place.distance(mean)).fold(0.0, f64::max);
    if mean.length() > 1e3 * (1.0 + spread) { mean } else { Vec3::ZERO }
}

impl Document {
    /// The node of a body at its start.
    fn body(
        &mut self,
        recording: &Recording,
        body: &RecordedBody,
        origin: Vec3,
    ) -> Result<usize, RecordingError> {
        let given = body.appearance.color.unwrap_or(default_color(body.kind));
        let parts: Vec<(ReferenceFrame, usize, Color)> = if body.appearance.visuals.is_empty() {
            body.shapes.iter().map(|(frame, geometry)| (*frame, *geometry, given)).collect()
        } else {
            let visuals = body.appearance.visuals.iter();
            visuals.map(|visual| (visual.frame, visual.geometry, visual.color.unwrap_or(given))).collect()
        };
        let mut children = Vec::new();
        for (frame, geometry, color) in parts {
            let Some(mesh) = self.mesh(recording, geometry, color)? else { continue };
            let mut node = json!({ "mesh": mesh });
            place(&mut node, &frame, Vec3::ZERO);
            self.nodes.push(node);
            children.push(self.nodes.len() - 1);
        }
        let mut node = json!({ "name": body.name });
        if !children.is_empty() {
            node["children"] = json!(children);
        }
        place(&mut node, &body.frame(&body.initial), origin);
        self.nodes.push(node);
        Ok(self.nodes.len() - 1)
    }

    /// The mesh of a geometry in a colour; `None` for one without a surface.
    fn mesh(
        &mut self,
        recording: &Recording,
        geometry: usize,
        color: Color,
    ) -> Result<Option<usize>, RecordingError> {
        let key = (geometry, color.to_string());
        if let Some(mesh) = self.mesh_of.get(&key) {
            return Ok(Some(*mesh));
        }
        let [position, normal] = match self.surfaces.get(&geometry) {
            Some(accessors) => *accessors,
            None => {
                let Some(surface) = surface::of(&recording.geometry(geometry)?)? else { return Ok(None) };
                let accessors = [
                    self.buffer.vectors(&surface.positions, true),
                    self.buffer.vectors(&surface.normals, false),
                ];
                accessors.into_iter().for_each(|accessor| self.buffer.of_vertices(accessor));
                self.surfaces.insert(geometry, accessors);
                accessors
            }
        };
        let material = self.material(color);
        self.meshes.push(json!({
            "primitives": [{ "attributes": { "POSITION": position, "NORMAL": normal }, "material": material }],
        }));
        self.mesh_of.insert(key, self.meshes.len() - 1);
        Ok(Some(self.meshes.len() - 1))
    }

    fn material(&mut self, color: Color) -> usize {
        if let Some(known) = self.material_of.get(&color.to_string()) {
            return *known;
        }
        let [r, g, b, a] = color.to_shares();
        let mut material = json!({
            "name": color.to_string(),
            "doubleSided": true,
            "pbrMetallicRoughness": {
                "baseColorFactor": [linear(r), linear(g), linear(b), a],
                "metallicFactor": 0.0,
                "roughnessFactor": 0.6,
            },
        });
        if a < 1.0 {
            material["alphaMode"] = json!("BLEND");
        }
        self.materials.push(material);
        self.material_of.insert(color.to_string(), self.materials.len() - 1);
        self.materials.len() - 1
    }

    /// Poses over time of all bodies that move; `None` for a recording of one frame.
    fn animation(
        &mut self,
        recording: &Recording,
        nodes: &[usize],
        origin: Vec3,
    ) -> Result<Option<Value>, RecordingError> {
        let summaries = recording.summaries()?;
        let start = recording.span().0;
        let times: Vec<f32> = summaries.iter().map(|frame| (frame.time - start) as f32).collect();
        // Times must rise: frames that f32 cannot tell apart are left out.
        let kept: Vec<usize> = (0..times.len()).filter(|i| *i == 0 || times[*i] > times[i - 1]).collect();
        if kept.len() < 2 || !recording.bodies().iter().any(RecordedBody::moves) {
            return Ok(None);
        }
        let input = self.buffer.times(&kept.iter().map(|i| times[*i]).collect::<Vec<_>>());
        let (mut samplers, mut channels) = (Vec::new(), Vec::new());
        for (number, body) in recording.bodies().iter().enumerate().filter(|(_, body)| body.moves()) {
            let history = recording.history(number)?;
            let frames: Vec<ReferenceFrame> = kept.iter().map(|i| body.frame(&history[*i].1)).collect();
            let places: Vec<[f32; 3]> = frames.iter().map(|frame| single(frame.position - origin)).collect();
            let mut last = Quat::IDENTITY;
            let turns: Vec<[f32; 4]> = frames
                .iter()
                .map(|frame| {
                    let q = frame.orientation;
                    // q and -q are the same turn; players interpolate between neighbours.
                    last = if q.dot(last) < 0.0 { -q } else { q };
                    unit(last)
                })
                .collect();
            let outputs = [
                ("translation", self.buffer.vectors(&places, false)),
                ("rotation", self.buffer.quats(&turns)),
            ];
            for (path, output) in outputs {
                channels.push(json!({
                    "sampler": samplers.len(),
                    "target": { "node": nodes[number], "path": path },
                }));
                samplers.push(json!({ "input": input, "output": output, "interpolation": "LINEAR" }));
            }
        }
        Ok(Some(json!({ "name": "run", "samplers": samplers, "channels": channels })))
    }
}

fn single(v: Vec3) -> [f32; 3] {
    v.to_array().map(|x| x as f32)
}

/// x, y, z, w of length 1 in f32.
fn unit(q: Quat) -> [f32; 4] {
    let q = q.normalize();
    [q.x as f32, q.y as f32, q.z as f32, q.w as f32]
}

/// Puts a frame into a node.
fn place(node: &mut Value, frame: &ReferenceFrame, origin: Vec3) {
    node["translation"] = json!(single(frame.position - origin));
    node["rotation"] = json!(unit(frame.orientation));
}

/// A share of sRGB as linear light (IEC 61966-2-1).
fn linear(share: f64) -> f64 {
    if share <= 0.040_45 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
}

/// GLB: a header of 12 bytes, a chunk of JSON padded with spaces, a chunk of bytes padded with zeros.
fn container(json: &Value, binary: &[u8], out: &mut dyn Write) -> std::io::Result<()> {
    let mut text = json.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let padded = binary.len().next_multiple_of(4);
    let length = 12 + 8 + text.len() + 8 + padded;
    let too_long = |_| std::io::Error::other("a GLB file cannot be longer than 4 GB: record fewer frames");
    let length = u32::try_from(length).map_err(too_long)?;
    out.write_all(b"glTF")?;
    for number in [2, length, text.len() as u32] {
        out.write_all(&number.to_le_bytes())?;
    }
    out.write_all(b"JSON")?;
    out.write_all(&text)?;
    out.write_all(&(padded as u32).to_le_bytes())?;
    out.write_all(b"BIN\0")?;
    out.write_all(binary)?;
    out.write_all(&vec![0; padded - binary.len()])
}

//! The binary buffer of a glTF document with its views and accessors.

use serde_json::{Value, json};

/// GL_FLOAT.
const FLOAT: u32 = 5126;
/// GL_ARRAY_BUFFER.
const VERTICES: u32 = 34962;

#[derive(Default)]
pub(super) struct Buffer {
    pub(super) bytes: Vec<u8>,
    pub(super) views: Vec<Value>,
    pub(super) accessors: Vec<Value>,
}

impl Buffer {
    /// Vectors as an accessor; `bounded` with their least and greatest components, as positions of vertices need.
    pub(super) fn vectors(&mut self, vectors: &[[f32; 3]], bounded: bool) -> usize {
        let accessor = self.add(vectors.as_flattened(), "VEC3", vectors.len());
        if bounded {
            let fold = |start: f32, better: fn(f32, f32) -> f32| {
                vectors.iter().fold([start; 3], |so_far, vector| {
                    std::array::from_fn(|axis| better(so_far[axis], vector[axis]))
                })
            };
            let entry = &mut self.accessors[accessor];
            entry["min"] = json!(fold(f32::INFINITY, f32::min));
            entry["max"] = json!(fold(f32::NEG_INFINITY, f32::max));
        }
        accessor
    }

    /// Quaternions x, y, z, w.
    pub(super) fn quats(&mut self, quats: &[[f32; 4]]) -> usize {
        self.add(quats.as_flattened(), "VEC4", quats.len())
    }

    /// Times of an animation, rising, s.
    pub(super) fn times(&mut self, times: &[f32]) -> usize {
        let accessor = self.add(times, "SCALAR", times.len());
        let entry = &mut self.accessors[accessor];
        entry["min"] = json!([times.first()]);
        entry["max"] = json!([times.last()]);
        accessor
    }

    /// Marks the view of an accessor as one of vertices.
    pub(super) fn of_vertices(&mut self, accessor: usize) {
        self.views[accessor]["target"] = json!(VERTICES);
    }

    fn add(&mut self, numbers: &[f32], kind: &str, count: usize) -> usize {
        let offset = self.bytes.len();
        self.bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        // Every accessor has a view of its own of the same number.
        self.views
            .push(json!({ "buffer": 0, "byteOffset": offset, "byteLength": self.bytes.len() - offset }));
        let view = self.views.len() - 1;
        self.accessors
            .push(json!({ "bufferView": view, "componentType": FLOAT, "count": count, "type": kind }));
        view
    }
}

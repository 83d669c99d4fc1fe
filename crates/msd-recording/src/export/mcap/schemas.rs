//! JSON Schemas of the messages. Foxglove knows the first two by their names.

pub(super) const FRAME_TRANSFORMS: &str = r#"{
  "title": "foxglove.FrameTransforms",
  "type": "object",
  "properties": {
    "transforms": {
      "type": "array",
      "items": {
        "title": "foxglove.FrameTransform",
        "type": "object",
        "properties": {
          "timestamp": { "type": "object", "title": "time", "properties": { "sec": { "type": "integer" }, "nsec": { "type": "integer" } } },
          "parent_frame_id": { "type": "string" },
          "child_frame_id": { "type": "string" },
          "translation": { "title": "foxglove.Vector3", "type": "object", "properties": { "x": { "type": "number" }, "y": { "type": "number" }, "z": { "type": "number" } } },
          "rotation": { "title": "foxglove.Quaternion", "type": "object", "properties": { "x": { "type": "number" }, "y": { "type": "number" }, "z": { "type": "number" }, "w": { "type": "number" } } }
        }
      }
    }
  }
}"#;

pub(super) const SCENE_UPDATE: &str = r#"{
  "title": "foxglove.SceneUpdate",
  "type": "object",
  "properties": {
    "deletions": { "type": "array", "items": { "type": "object", "properties": { "timestamp": { "type": "object" }, "type": { "type": "integer" }, "id": { "type": "string" } } } },
    "entities": {
      "type": "array",
      "items": {
        "title": "foxglove.SceneEntity",
        "type": "object",
        "properties": {
          "timestamp": { "type": "object", "title": "time", "properties": { "sec": { "type": "integer" }, "nsec": { "type": "integer" } } },
          "frame_id": { "type": "string" },
          "id": { "type": "string" },
          "lifetime": { "type": "object", "title": "duration", "properties": { "sec": { "type": "integer" }, "nsec": { "type": "integer" } } },
          "frame_locked": { "type": "boolean" },
          "metadata": { "type": "array", "items": { "type": "object", "properties": { "key": { "type": "string" }, "value": { "type": "string" } } } },
          "arrows": { "type": "array", "items": { "type": "object" } },
          "cubes": { "type": "array", "items": { "title": "foxglove.CubePrimitive", "type": "object", "properties": { "pose": { "type": "object" }, "size": { "type": "object" }, "color": { "type": "object" } } } },
          "spheres": { "type": "array", "items": { "title": "foxglove.SpherePrimitive", "type": "object", "properties": { "pose": { "type": "object" }, "size": { "type": "object" }, "color": { "type": "object" } } } },
          "cylinders": { "type": "array", "items": { "title": "foxglove.CylinderPrimitive", "type": "object", "properties": { "pose": { "type": "object" }, "size": { "type": "object" }, "bottom_scale": { "type": "number" }, "top_scale": { "type": "number" }, "color": { "type": "object" } } } },
          "lines": { "type": "array", "items": { "type": "object" } },
          "triangles": { "type": "array", "items": { "title": "foxglove.TriangleListPrimitive", "type": "object", "properties": { "pose": { "type": "object" }, "points": { "type": "array", "items": { "type": "object" } }, "color": { "type": "object" }, "colors": { "type": "array", "items": { "type": "object" } }, "indices": { "type": "array", "items": { "type": "integer" } } } } },
          "texts": { "type": "array", "items": { "type": "object" } },
          "models": { "type": "array", "items": { "type": "object" } }
        }
      }
    }
  }
}"#;

pub(super) const ENERGY: &str = r#"{
  "title": "msd.Energy",
  "description": "Energies in J; the maxima are over the steps since the message before.",
  "type": "object",
  "properties": {
    "kinetic": { "type": "number" },
    "potential": { "type": "number" },
    "total": { "type": "number" },
    "work_in": { "type": "number" },
    "dissipated": { "type": "number" },
    "correction": { "type": "number" },
    "error": { "type": "number" },
    "max_gain": { "type": "number" },
    "max_penetration": { "type": "number" },
    "max_residual": { "type": "number" },
    "unconverged_steps": { "type": "integer" }
  }
}"#;

pub(super) const CONTACTS: &str = r#"{
  "title": "msd.Contacts",
  "description": "Contacts (normal from a to b, friction on b) and joint reactions (on b); m, N, N·m, world axes.",
  "type": "object",
  "properties": {
    "contacts": {
      "type": "array",
      "items": {
        "type": "object",
        "properties": {
          "a": { "type": "string" },
          "b": { "type": "string" },
          "position": { "type": "object", "properties": { "x": { "type": "number" }, "y": { "type": "number" }, "z": { "type": "number" } } },
          "normal": { "type": "object", "properties": { "x": { "type": "number" }, "y": { "type": "number" }, "z": { "type": "number" } } },
          "gap": { "type": "number" },
          "normal_force": { "type": "number" },
          "friction_force": { "type": "object", "properties": { "x": { "type": "number" }, "y": { "type": "number" }, "z": { "type": "number" } } }
        }
      }
    },
    "joints": {
      "type": "array",
      "items": {
        "type": "object",
        "properties": {
          "joint": { "type": "string" },
          "force": { "type": "object", "properties": { "x": { "type": "number" }, "y": { "type": "number" }, "z": { "type": "number" } } },
          "torque": { "type": "object", "properties": { "x": { "type": "number" }, "y": { "type": "number" }, "z": { "type": "number" } } }
        }
      }
    }
  }
}"#;

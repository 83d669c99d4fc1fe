//! The geometry of all bodies as one `foxglove.SceneUpdate`, each in the frame of its body.

use msd::math::{Coordinate, ReferenceFrame, Vec3, orientation};
use msd::physics::rigid_body::shape::ConvexHull;
use msd::physics::rigid_body::{BodyKind, Color};
use msd_assets::{Collision, Primitive, generate};
use serde_json::{Value, json};

use super::vector;
use crate::{RecordedBody, RecordedVisual, Recording, RecordingError};

/// A plane has no end; this much of it is drawn, m.
const PLANE_SIZE: f64 = 20.0;

#[derive(Default)]
struct Drawing {
    cubes: Vec<Value>,
    spheres: Vec<Value>,
    cylinders: Vec<Value>,
    triangles: Vec<Value>,
}

pub(super) fn update(recording: &Recording, time: Value) -> Result<Value, RecordingError> {
    let mut entities = Vec::new();
    for body in recording.bodies() {
        let mut drawing = Drawing::default();
        for (frame, geometry, color) in drawn(body) {
            drawing.add(&recording.geometry(geometry)?, &frame, &color);
        }
        entities.push(json!({
            "timestamp": time,
            "frame_id": body.name,
            "id": body.name,
            "lifetime": { "sec": 0, "nsec": 0 },
            "frame_locked": true,
            "metadata": [],
            "arrows": [],
            "cubes": drawing.cubes,
            "spheres": drawing.spheres,
            "cylinders": drawing.cylinders,
            "lines": [],
            "triangles": drawing.triangles,
            "texts": [],
            "models": [],
        }));
    }
    Ok(json!({ "deletions": [], "entities": entities }))
}

/// Geometry that represents a body: its visuals, or its collision shape if it has none.
fn drawn(body: &RecordedBody) -> Vec<(ReferenceFrame, usize, Value)> {
    let appearance = &body.appearance;
    if appearance.visuals.is_empty() {
        let color = color(body, appearance.color);
        return body.shapes.iter().map(|(frame, geometry)| (*frame, *geometry, color.clone())).collect();
    }
    let visual = |visual: &RecordedVisual| {
        (visual.frame, visual.geometry, color(body, visual.color.or(appearance.color)))
    };
    appearance.visuals.iter().map(visual).collect()
}

fn color(body: &RecordedBody, given: Option<Color>) -> Value {
    let [r, g, b, a] = match (given, body.kind) {
        (Some(color), _) => color.to_shares(),
        (None, BodyKind::Dynamic) => [0.20, 0.50, 0.85, 1.0],
        (None, BodyKind::Kinematic) => [0.85, 0.55, 0.20, 1.0],
        (None, BodyKind::Static | BodyKind::Graphical) => [0.65, 0.65, 0.65, 1.0],
    };
    json!({ "r": r, "g": g, "b": b, "a": a })
}

fn pose(frame: &ReferenceFrame) -> Value {
    let q = frame.orientation;
    json!({
        "position": vector(frame.position),
        "orientation": { "x": q.x, "y": q.y, "z": q.z, "w": q.w },
    })
}

impl Drawing {
    fn add(&mut self, geometry: &Collision, frame: &ReferenceFrame, color: &Value) {
        match geometry {
            Collision::Primitive(primitive) => self.primitive(primitive, frame, color),
            Collision::Mesh(mesh) => self.mesh(mesh.vertices(), mesh.triangles(), frame, color),
            Collision::Rounded { .. } => self.outline(geometry, frame, color),
            Collision::Points(points) => self.hull(points, frame, color),
            Collision::Parts(parts) => parts.iter().for_each(|points| self.hull(points, frame, color)),
        }
    }

    fn hull(&mut self, points: &[Coordinate], frame: &ReferenceFrame, color: &Value) {
        if let Ok((vertices, triangles)) = ConvexHull::triangulation(points) {
            self.mesh(&vertices, &triangles, frame, color);
        }
    }

    /// The hull of the farthest points of a curved shape.
    fn outline(&mut self, geometry: &Collision, frame: &ReferenceFrame, color: &Value) {
        let outline =
            geometry.shape().and_then(|shape| generate::outline(&shape, generate::DEFAULT_SEGMENTS));
        if let Ok((vertices, triangles)) = outline {
            self.mesh(&vertices, &triangles, frame, color);
        }
    }

    fn primitive(&mut self, primitive: &Primitive, frame: &ReferenceFrame, color: &Value) {
        let sphere = |radii: Vec3, frame: &ReferenceFrame| json!({ "pose": pose(frame), "size": vector(2.0 * radii), "color": color });
        let cylinder = |radius: f64, length: f64, top: f64| {
            json!({
                "pose": pose(frame),
                "size": vector(Vec3::new(2.0 * radius, 2.0 * radius, length)),
                "bottom_scale": 1.0,
                "top_scale": top,
                "color": color,
            })
        };
        match *primitive {
            Primitive::Sphere { radius } => self.spheres.push(sphere(Vec3::splat(radius), frame)),
            Primitive::TaperedCapsule { .. } => self.outline(&Collision::Primitive(*primitive), frame, color),
            Primitive::Ellipsoid { radii } => self.spheres.push(sphere(radii, frame)),
            Primitive::Box { size } => {
                self.cubes.push(json!({ "pose": pose(frame), "size": vector(size), "color": color }));
            }
            Primitive::Cylinder { radius, length } => self.cylinders.push(cylinder(radius, length, 1.0)),
            Primitive::Cone { radius, length } => self.cylinders.push(cylinder(radius, length, 0.0)),
            Primitive::Capsule { radius, length } => {
                self.cylinders.push(cylinder(radius, length, 1.0));
                for end in [-0.5 * length, 0.5 * length] {
                    let cap = ReferenceFrame {
                        position: frame.point_to_parent(Vec3::new(0.0, 0.0, end)),
                        orientation: frame.orientation,
                    };
                    self.spheres.push(sphere(Vec3::splat(radius), &cap));
                }
            }
            Primitive::Plane { normal, offset } => {
                let turn = orientation::between_directions(Vec3::Z, normal);
                let plate = ReferenceFrame { position: normal * offset, orientation: turn };
                let half = 0.5 * PLANE_SIZE;
                let corner = |x: f64, y: f64| plate.point_to_parent(Vec3::new(x * half, y * half, 0.0));
                let corners = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
                self.mesh(&corners, &[[0, 1, 2], [0, 2, 3]], frame, color);
            }
        }
    }

    fn mesh(
        &mut self,
        vertices: &[Coordinate],
        triangles: &[[u32; 3]],
        frame: &ReferenceFrame,
        color: &Value,
    ) {
        let points: Vec<Value> = vertices.iter().map(|vertex| vector(*vertex)).collect();
        self.triangles.push(json!({
            "pose": pose(frame),
            "points": points,
            "color": color,
            "colors": [],
            "indices": triangles.as_flattened(),
        }));
    }
}

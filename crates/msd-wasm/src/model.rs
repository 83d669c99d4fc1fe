//! A world as JSON, for a page that draws it.

use msd::math::ReferenceFrame;
use msd::physics::rigid_body::BodyKind;
use msd::physics::rigid_body::shape::{ConvexHull, Shape};
use msd_scene::Built;
use serde_json::{Value, json};

/// Bodies in the order of the scene, each with its name, kind and the parts of its shape.
pub(crate) fn json(built: &Built) -> Value {
    let world = built.engine.world();
    let bodies = built.bodies.iter().filter_map(|(name, handle)| {
        let body = world.body(*handle).ok()?.body;
        let mut parts = Vec::new();
        if let Some(shape) = &body.shape {
            add_parts(shape, &ReferenceFrame::IDENTITY, &mut parts);
        }
        Some(json!({ "name": name, "kind": kind(body.kind), "parts": parts }))
    });
    json!({
        "name": built.name,
        "dt": world.dt(),
        "duration": built.duration,
        "bodies": bodies.collect::<Vec<_>>(),
    })
}

/// Time, energies, contacts and the worst error of the energy ledger so far.
pub(crate) fn status(built: &Built) -> Value {
    let world = built.engine.world();
    let energy = world.energy();
    json!({
        "time": world.time(),
        "steps": world.steps(),
        "kinetic": energy.kinetic,
        "potential": energy.potential,
        "dissipated": energy.dissipated,
        "max_error": energy.max_error,
        "contacts": world.contacts().count(),
    })
}

fn kind(kind: BodyKind) -> &'static str {
    match kind {
        BodyKind::Dynamic => "dynamic",
        BodyKind::Static => "static",
        BodyKind::Kinematic => "kinematic",
        BodyKind::Graphical => "graphical",
    }
}

fn add_parts(shape: &Shape, frame: &ReferenceFrame, parts: &mut Vec<Value>) {
    let geometry = match shape {
        Shape::Compound(compound) => {
            for part in compound.parts() {
                add_parts(&part.shape, &frame.compose(&part.frame), parts);
            }
            return;
        }
        Shape::Hull(hull) => match ConvexHull::triangulation(hull.vertices()) {
            Ok((vertices, triangles)) => json!({ "mesh": { "vertices": vertices, "triangles": triangles } }),
            Err(_) => return,
        },
        Shape::Mesh(mesh) => {
            json!({ "mesh": { "vertices": mesh.vertices(), "triangles": mesh.triangles() } })
        }
        // The others are written by their own names and lengths.
        primitive => json!(primitive),
    };
    parts.push(json!({
        "geometry": geometry,
        "position": frame.position.to_array(),
        "quaternion": frame.orientation.to_array(),
    }));
}

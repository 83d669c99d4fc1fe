//! `msd assets DB show NAME`: everything about one asset.

use std::fmt::Write;

use clap::Args;
use msd::{
    math::{ReferenceFrame, Vec3},
    physics::rigid_body::shape::{Geometry, Shape},
};
use msd_assets::{Asset, AssetId, Collision, Mesh, Primitive};
use serde_json::{Value, json};

use super::Database;
use crate::{
    failure::Failure,
    output::{number, print, print_json},
};

/// Show one asset: counts, bounding box, volume, mass, material
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  msd assets parts.db show crate\n  msd assets parts.db show crate --json"
)]
pub(super) struct ShowArgs {
    /// Its name
    name: String,
    /// As a JSON object
    #[arg(long)]
    json: bool,
}

impl ShowArgs {
    pub(super) fn run(self, database: &Database) -> Result<(), Failure> {
        let registry = database.open_read_only()?;
        let found = registry.id_of(&self.name)?.zip(registry.get(&self.name)?);
        let Some((id, asset)) = found else { return Err(super::no_such_asset(&registry, &self.name)) };
        let shape = asset.collision.as_ref().map(|_| asset.collision_shape()).transpose()?;
        if self.json {
            print_json(&as_json(id, &asset, shape.as_ref()))
        } else {
            print(&as_text(id, &asset, shape.as_ref()))
        }
    }
}

/// Volume of the collision shape; `None` without one (a plane, an open mesh).
fn volume(shape: &Shape) -> Option<f64> {
    shape.centroid().map(|_| shape.volume()).filter(|volume| volume.is_finite())
}

fn as_text(id: AssetId, asset: &Asset, shape: Option<&Shape>) -> String {
    let mut lines: Vec<(&str, String)> = vec![("name", asset.name.clone()), ("id", id.0.to_string())];
    if let Some(mesh) = &asset.visual {
        let open = if mesh.is_closed() { "closed" } else { "open" };
        let (vertices, triangles) = (mesh.vertices().len(), mesh.triangles().len());
        lines.push(("visual", format!("{vertices} vertices, {triangles} triangles, {open}")));
        let bounds = mesh.bounding_box();
        lines.push(("  size", format!("{} m", triple(bounds.size(), " × "))));
        lines.push(("  from", format!("({}) m", triple(bounds.min, ", "))));
        lines.push(("  to", format!("({}) m", triple(bounds.max, ", "))));
    }
    if let (Some(collision), Some(shape)) = (&asset.collision, shape) {
        lines.push(("collision", describe(collision)));
        let volume = volume(shape).map_or("none".into(), |volume| format!("{} m³", number(volume)));
        lines.push(("  volume", volume));
    }
    lines.push(("mass", mass_text(asset, shape)));
    let material = asset.material;
    lines.push(("friction", number(material.friction)));
    lines.push(("restitution", number(material.restitution)));
    lines.push(("rolling friction", format!("{} m", number(material.rolling_friction))));
    lines.push(("torsional friction", format!("{} m", number(material.torsional_friction))));
    lines.push(("colour", asset.color.map_or("not given".into(), |color| color.to_string())));
    let mut text = String::new();
    for (key, value) in lines {
        let _ = writeln!(text, "{key:<19} {value}");
    }
    text
}

fn mass_text(asset: &Asset, shape: Option<&Shape>) -> String {
    match (asset.mass.mass(), asset.mass.density()) {
        (Some(mass), _) => format!("{} kg", number(mass)),
        (_, Some(density)) => {
            let mass =
                shape.and_then(volume).map_or("no volume".into(), |v| format!("{} kg", number(density * v)));
            format!("{mass} at {} kg/m³", number(density))
        }
        _ => "not given".into(),
    }
}

fn describe(collision: &Collision) -> String {
    match collision {
        Collision::Primitive(Primitive::Sphere { radius }) => format!("sphere, radius {} m", number(*radius)),
        Collision::Primitive(Primitive::Box { size }) => format!("box, {} m", triple(*size, " × ")),
        Collision::Primitive(
            Primitive::Capsule { radius, length }
            | Primitive::Cylinder { radius, length }
            | Primitive::Cone { radius, length },
        ) => format!("{}, radius {} m, length {} m", collision.kind(), number(*radius), number(*length)),
        Collision::Primitive(Primitive::Ellipsoid { radii }) => {
            format!("ellipsoid, radii {} m", triple(*radii, " × "))
        }
        Collision::Primitive(Primitive::TaperedCapsule { bottom_radius, top_radius, length }) => format!(
            "tapered capsule, radii {} m and {} m, length {} m",
            number(*bottom_radius),
            number(*top_radius),
            number(*length)
        ),
        Collision::Primitive(Primitive::Plane { normal, offset }) => {
            format!("plane, normal ({}), offset {} m", triple(*normal, ", "), number(*offset))
        }
        Collision::Points(points) => format!("hull of {} points", points.len()),
        Collision::Parts(parts) => {
            format!("{} convex parts of {} points", parts.len(), parts.iter().map(Vec::len).sum::<usize>())
        }
        Collision::Rounded { core, radius } => {
            format!("{}, rounded by {} m", describe(core), number(*radius))
        }
        Collision::Mesh(mesh) => format!("mesh, {} triangles", mesh.triangles().len()),
    }
}

fn triple(v: Vec3, between: &str) -> String {
    v.to_array().map(number).join(between)
}

fn as_json(id: AssetId, asset: &Asset, shape: Option<&Shape>) -> Value {
    json!({
        "id": id,
        "name": asset.name,
        "visual": asset.visual.as_ref().map(mesh_json),
        "collision": asset.collision.as_ref().zip(shape).map(|(collision, shape)| collision_json(collision, shape)),
        "mass": asset.mass.mass(),
        "density": asset.mass.density(),
        "material": asset.material,
        "color": asset.color.map(|color| color.to_string()),
    })
}

fn mesh_json(mesh: &Mesh) -> Value {
    let bounds = mesh.bounding_box();
    json!({
        "vertices": mesh.vertices().len(),
        "triangles": mesh.triangles().len(),
        "closed": mesh.is_closed(),
        "bounding_box": { "min": bounds.min.to_array(), "max": bounds.max.to_array() },
        "surface_area": mesh.surface_area(),
        "volume": mesh.is_closed().then(|| mesh.volume()),
    })
}

fn collision_json(collision: &Collision, shape: &Shape) -> Value {
    let bounds = shape.bounding_box(&ReferenceFrame::IDENTITY);
    let bounded = bounds.min.is_finite() && bounds.max.is_finite();
    let mut value = json!({
        "kind": collision.kind(),
        "volume": volume(shape),
        "bounding_box": bounded.then(|| json!({ "min": bounds.min.to_array(), "max": bounds.max.to_array() })),
    });
    match collision {
        Collision::Primitive(Primitive::Sphere { radius }) => value["radius"] = json!(radius),
        Collision::Primitive(Primitive::Box { size }) => value["size"] = json!(size.to_array()),
        Collision::Primitive(
            Primitive::Capsule { radius, length }
            | Primitive::Cylinder { radius, length }
            | Primitive::Cone { radius, length },
        ) => {
            value["radius"] = json!(radius);
            value["length"] = json!(length);
        }
        Collision::Primitive(Primitive::Ellipsoid { radii }) => value["radii"] = json!(radii.to_array()),
        Collision::Primitive(Primitive::TaperedCapsule { bottom_radius, top_radius, length }) => {
            value["bottom_radius"] = json!(bottom_radius);
            value["top_radius"] = json!(top_radius);
            value["length"] = json!(length);
        }
        Collision::Primitive(Primitive::Plane { normal, offset }) => {
            value["normal"] = json!(normal.to_array());
            value["offset"] = json!(offset);
        }
        Collision::Points(points) => value["points"] = json!(points.len()),
        Collision::Parts(parts) => {
            value["parts"] = json!(parts.len());
            value["points"] = json!(parts.iter().map(Vec::len).sum::<usize>());
        }
        Collision::Rounded { core, radius } => {
            value["core"] = json!(core.kind());
            value["radius"] = json!(radius);
        }
        Collision::Mesh(mesh) => value["triangles"] = json!(mesh.triangles().len()),
    }
    value
}

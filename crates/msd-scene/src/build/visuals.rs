//! How bodies of a scene look, as the engine carries it.

use std::sync::Arc;

use msd::math::{ReferenceFrame, Vec3};
use msd::physics::rigid_body::{self, Appearance, Color, VisualGeometry, VisualMesh};
use msd_assets::import::ColorRun;
use msd_assets::{Asset, Collision, Mesh};

use super::{quaternion, shapes};
use crate::files::FileAccess;
use crate::model::{Body, Shape, Visual};

/// The appearance of a body.
///
/// # Errors
/// Why a visual cannot be drawn, with its number.
pub(super) fn appearance(body: &Body, files: &FileAccess) -> Result<Appearance, (usize, String)> {
    // A colour that is none has been reported by the checks.
    let color = body.color.as_ref().and_then(|text| text.parse().ok());
    let mut visuals = Vec::new();
    for (number, visual) in body.visual.iter().enumerate() {
        visuals.extend(engine_visuals(visual, files).map_err(|problem| (number, problem))?);
    }
    Ok(Appearance { color, visuals })
}

/// A visual as the engine carries it: several where a file has several colours.
///
/// # Errors
/// Why it cannot be drawn.
pub fn engine_visuals(visual: &Visual, files: &FileAccess) -> Result<Vec<rigid_body::Visual>, String> {
    let frame = ReferenceFrame::new(visual.position.into(), quaternion(&visual.orientation));
    let color = visual.color.as_ref().and_then(|text| text.parse::<Color>().ok());
    let mut found = Vec::new();
    add(&visual.shape, &frame, color, files, &mut found)?;
    Ok(found)
}

fn add(
    shape: &Shape,
    frame: &ReferenceFrame,
    color: Option<Color>,
    files: &FileAccess,
    found: &mut Vec<rigid_body::Visual>,
) -> Result<(), String> {
    match shape {
        Shape::Mesh(mesh) => {
            let (mesh, colors) = shapes::surface_from_file(mesh, files)?;
            painted(&mesh, &colors, frame, color, found)
        }
        Shape::Asset(asset) => {
            let asset = shapes::asset(asset, files)?;
            let color = color.or(asset.appearance().color);
            of_asset(&asset, frame, color, found)
        }
        Shape::Compound(compound) => compound.parts.iter().try_for_each(|part| {
            let inner = ReferenceFrame::new(part.position.into(), quaternion(&part.orientation));
            add(&part.shape, &frame.compose(&inner), color, files, found)
        }),
        _ => {
            let geometry = VisualGeometry::Shape(shapes::shape(shape, files)?);
            found.push(rigid_body::Visual { geometry, frame: *frame, color });
            Ok(())
        }
    }
}

/// The visual mesh of an asset, otherwise its collision geometry.
fn of_asset(
    asset: &Asset,
    frame: &ReferenceFrame,
    color: Option<Color>,
    found: &mut Vec<rigid_body::Visual>,
) -> Result<(), String> {
    match (&asset.visual, &asset.collision) {
        (Some(mesh), _) | (None, Some(Collision::Mesh(mesh))) => painted(mesh, &[], frame, color, found),
        _ => {
            let shape = asset.collision_shape().map_err(|error| error.to_string())?;
            let geometry = VisualGeometry::Shape(shape);
            found.push(rigid_body::Visual { geometry, frame: *frame, color });
            Ok(())
        }
    }
}

/// A mesh in one piece if it has one colour, otherwise a piece for every colour.
fn painted(
    mesh: &Mesh,
    colors: &[ColorRun],
    frame: &ReferenceFrame,
    color: Option<Color>,
    found: &mut Vec<rigid_body::Visual>,
) -> Result<(), String> {
    let all = [ColorRun { first: 0, color }];
    let runs = if color.is_some() || colors.is_empty() { &all } else { colors };
    let mut pieces: Vec<(Option<Color>, Vec<[u32; 3]>)> = Vec::new();
    for (i, run) in runs.iter().enumerate() {
        let end = runs.get(i + 1).map_or(mesh.triangles().len(), |next| next.first);
        let triangles = &mesh.triangles()[run.first..end];
        match pieces.iter_mut().find(|(known, _)| *known == run.color) {
            Some((_, piece)) => piece.extend(triangles),
            None => pieces.push((run.color, triangles.to_vec())),
        }
    }
    for (color, triangles) in pieces {
        let piece = used_vertices(mesh.vertices(), triangles);
        let piece = VisualMesh::new(piece.0, piece.1).map_err(|error| error.to_string())?;
        let geometry = VisualGeometry::Mesh(Arc::new(piece));
        found.push(rigid_body::Visual { geometry, frame: *frame, color });
    }
    Ok(())
}

/// The vertices that triangles use, in their order, and the triangles over them.
fn used_vertices(vertices: &[Vec3], mut triangles: Vec<[u32; 3]>) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let mut number: Vec<Option<u32>> = vec![None; vertices.len()];
    for corner in triangles.as_flattened() {
        number[*corner as usize] = Some(0);
    }
    let mut used = Vec::new();
    for (vertex, number) in vertices.iter().zip(&mut number).filter(|(_, number)| number.is_some()) {
        *number = Some(used.len() as u32);
        used.push(*vertex);
    }
    for corner in triangles.as_flattened_mut() {
        *corner = number[*corner as usize].unwrap_or(0);
    }
    (used, triangles)
}

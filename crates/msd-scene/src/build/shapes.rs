//! Shapes of a scene as shapes of the engine.

use std::sync::Arc;

use msd::math::{Coordinate, ReferenceFrame, Vec3};
use msd::physics::rigid_body::shape::{self, GeometryError, RoundedCore};
#[cfg(feature = "registry")]
use msd_assets::AssetRegistry;
use msd_assets::import::{self, ColorRun, ImportOptions};
use msd_assets::{Asset, Collision, DecompositionLimits, Mesh, MeshError, Primitive};

use super::quaternion;
use crate::files::FileAccess;
#[cfg(feature = "registry")]
use crate::grammar::near_name;
use crate::model::{AssetShape, CompoundPart, CompoundShape, MeshShape, Shape};

/// The engine's shape, or a text that says why there is none.
pub(crate) fn shape(given: &Shape, files: &FileAccess) -> Result<shape::Shape, String> {
    let exact = |primitive: Primitive| primitive.shape().map_err(|error| error.to_string());
    match given {
        Shape::Sphere(ball) => exact(Primitive::Sphere { radius: ball.radius }),
        Shape::Box(cuboid) => exact(Primitive::Box { size: cuboid.size.into() }),
        Shape::Capsule(round) => exact(Primitive::Capsule { radius: round.radius, length: round.length }),
        Shape::Cylinder(round) => exact(Primitive::Cylinder { radius: round.radius, length: round.length }),
        Shape::Cone(round) => exact(Primitive::Cone { radius: round.radius, length: round.length }),
        Shape::TaperedCapsule(round) => exact(Primitive::TaperedCapsule {
            bottom_radius: round.bottom_radius,
            top_radius: round.top_radius,
            length: round.length,
        }),
        Shape::Ellipsoid(round) => exact(Primitive::Ellipsoid { radii: round.radii.into() }),
        Shape::Rounded(rounded) => {
            let core = match shape(&rounded.shape, files)? {
                shape::Shape::Box(core) => RoundedCore::Box(core),
                shape::Shape::Cylinder(core) => RoundedCore::Cylinder(core),
                shape::Shape::Hull(core) => RoundedCore::Hull(core),
                other => return Err(GeometryError::RoundedCore(other.type_name()).to_string()),
            };
            let rounded = shape::Rounded::new(core, rounded.radius).map_err(|error| error.to_string())?;
            Ok(rounded.into())
        }
        Shape::Plane(plane) => {
            let normal = Vec3::from(plane.normal).normalize_or_zero();
            exact(Primitive::Plane { normal, offset: plane.offset })
        }
        Shape::Hull(hull) => {
            let points: Vec<Coordinate> = hull.points.iter().map(|point| Vec3::from(*point)).collect();
            Collision::Points(points).shape().map_err(|error| error.to_string())
        }
        Shape::Heightfield(field) => {
            let mesh = shape::TriangleMesh::height_field(field.columns, &field.heights, field.spacing);
            Ok(mesh.map_err(|error| error.to_string())?.into())
        }
        Shape::Mesh(mesh) => {
            from_file(mesh, files)?.shape().map_err(|error| format!("`{}`: {error}", mesh.file))
        }
        Shape::Asset(asset) => {
            let named = |error| format!("asset \"{}\": no collision shape: {error}", asset.name);
            from_database(asset, files)?.shape().map_err(named)
        }
        Shape::Compound(compound) => self::compound(compound, files),
    }
}

/// The geometry that a shape reads from a file; `None` for a shape given in the scene itself. A shape built
/// from it elsewhere has the same bits.
///
/// # Errors
/// Why the file cannot be used.
pub fn geometry_from_file(given: &Shape, files: &FileAccess) -> Result<Option<Collision>, String> {
    match given {
        Shape::Mesh(mesh) => from_file(mesh, files).map(Some),
        Shape::Asset(asset) => from_database(asset, files).map(Some),
        _ => Ok(None),
    }
}

fn from_file(given: &MeshShape, files: &FileAccess) -> Result<Collision, String> {
    let (mesh, _) = surface_from_file(given, files)?;
    if let Some(parts) = given.parts {
        if !given.convex {
            return Err(format!(
                "`{}`: `parts` are convex: leave out `convex = false`, or `parts` for the triangles themselves",
                given.file
            ));
        }
        let limits = DecompositionLimits { error: parts.error, max_parts: parts.max_parts };
        let (parts, _) =
            Collision::parts_of(&mesh, &limits).map_err(|error| format!("`{}`: {error}", given.file))?;
        return Ok(parts);
    }
    Ok(if given.convex { Collision::Points(mesh.vertices().to_vec()) } else { Collision::Mesh(mesh) })
}

/// The triangles of a file and their colours.
pub(super) fn surface_from_file(
    given: &MeshShape,
    files: &FileAccess,
) -> Result<(Mesh, Vec<ColorRun>), String> {
    let path = files.resolve(&given.file)?;
    let read = import::load(&path, &ImportOptions::default()).map_err(|error| error.to_string())?;
    let mesh =
        scaled(&read.mesh, given.scale.into()).map_err(|error| format!("`{}`: {error}", given.file))?;
    Ok((mesh, read.colors))
}

/// The mesh with its axes stretched; a mirrored one is turned inside out, so that its outside stays outside.
fn scaled(mesh: &Mesh, factors: Vec3) -> Result<Mesh, MeshError> {
    let vertices = mesh.vertices().iter().map(|vertex| *vertex * factors).collect();
    let mirrored = factors.x * factors.y * factors.z < 0.0;
    let turn = |&[a, b, c]: &[u32; 3]| if mirrored { [a, c, b] } else { [a, b, c] };
    Mesh::new(vertices, mesh.triangles().iter().map(turn).collect())
}

fn from_database(given: &AssetShape, files: &FileAccess) -> Result<Collision, String> {
    let asset = asset(given, files)?;
    asset.collision.clone().ok_or_else(|| format!("asset \"{}\" has no collision geometry", given.name))
}

/// The asset of that name.
#[cfg(not(feature = "registry"))]
pub(super) fn asset(given: &AssetShape, _files: &FileAccess) -> Result<Arc<Asset>, String> {
    Err(format!(
        "asset \"{}\": this program was built without the asset registry (feature `registry`)",
        given.name
    ))
}

/// The asset of that name.
#[cfg(feature = "registry")]
pub(super) fn asset(given: &AssetShape, files: &FileAccess) -> Result<Arc<Asset>, String> {
    let path = files.resolve(&given.database)?;
    let registry = AssetRegistry::open_read_only(&path).map_err(|error| error.to_string())?;
    let found = registry.get(&given.name).map_err(|error| error.to_string())?;
    found.ok_or_else(|| no_such_asset(&registry, given))
}

#[cfg(feature = "registry")]
fn no_such_asset(registry: &AssetRegistry, given: &AssetShape) -> String {
    let known: Vec<String> = registry.list().into_iter().flatten().map(|summary| summary.name).collect();
    let near = near_name(&given.name, known.iter().map(String::as_str));
    let meant = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    format!("there is no asset named `{}` in `{}`{meant}", given.name, given.database)
}

fn compound(given: &CompoundShape, files: &FileAccess) -> Result<shape::Shape, String> {
    let part = |part: &CompoundPart| {
        let frame = ReferenceFrame::new(part.position.into(), quaternion(&part.orientation));
        Ok(shape::CompoundPart { frame, shape: shape(&part.shape, files)? })
    };
    let parts = given.parts.iter().map(part).collect::<Result<Vec<_>, String>>()?;
    let compound = shape::Compound::new(parts).map_err(|error| error.to_string())?;
    Ok(shape::Shape::Compound(Arc::new(compound)))
}

//! Shapes as a page draws them.

use std::collections::BTreeMap;

use msd::math::{Coordinate, ReferenceFrame};
use msd::physics::rigid_body::shape::{ConvexHull, Shape};
use msd::physics::rigid_body::{Visual, VisualGeometry};
use msd_assets::{Collision, Primitive, generate};
use serde::Serialize;

/// A geometry that several bodies may share. Metres, axis along z, centred, as in scenes.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Geometry {
    /// A ball.
    Sphere {
        /// m.
        radius: f64,
    },
    /// A box.
    Box {
        /// Full lengths, m.
        size: [f64; 3],
    },
    /// A cylinder with half-balls.
    Capsule {
        /// m.
        radius: f64,
        /// Of the cylinder part, m.
        length: f64,
    },
    /// A cylinder.
    Cylinder {
        /// m.
        radius: f64,
        /// m.
        length: f64,
    },
    /// A cone, apex up.
    Cone {
        /// m.
        radius: f64,
        /// m.
        length: f64,
    },
    /// An ellipsoid.
    Ellipsoid {
        /// Half lengths, m.
        radii: [f64; 3],
    },
    /// Everything below a plane.
    Plane {
        /// Unit, out of the solid.
        normal: [f64; 3],
        /// m.
        offset: f64,
    },
    /// Triangles.
    Mesh {
        /// x, y, z one after the other, m.
        vertices: Vec<f64>,
        /// Three numbers of vertices each.
        triangles: Vec<u32>,
        /// True if edges are sharp.
        flat: bool,
    },
}

/// A geometry in a body's frame.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlacedGeometry {
    /// Number of the geometry in the header.
    pub geometry: usize,
    /// m.
    pub position: [f64; 3],
    /// x, y, z, w.
    pub quat: [f64; 4],
    /// Of a visual, `#rrggbb` or `#rrggbbaa`; that of the body unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
}

/// Geometries collected without duplicates.
#[derive(Debug, Default)]
pub(crate) struct Collector {
    pub(crate) geometries: Vec<Geometry>,
    known: BTreeMap<String, usize>,
}

impl Collector {
    /// Adds a geometry in a frame.
    pub(crate) fn place(
        &mut self,
        geometry: Geometry,
        frame: &ReferenceFrame,
    ) -> Result<PlacedGeometry, serde_json::Error> {
        let key = serde_json::to_string(&geometry)?;
        let number = *self.known.entry(key).or_insert_with(|| {
            self.geometries.push(geometry);
            self.geometries.len() - 1
        });
        let q = frame.orientation;
        Ok(PlacedGeometry {
            geometry: number,
            position: frame.position.to_array(),
            quat: [q.x, q.y, q.z, q.w],
            color: None,
        })
    }

    /// Adds the visual geometry of a body.
    pub(crate) fn add_visual(
        &mut self,
        visual: &Visual,
        placed: &mut Vec<PlacedGeometry>,
    ) -> Result<(), String> {
        let first = placed.len();
        match &visual.geometry {
            VisualGeometry::Shape(shape) => self.add_shape(shape, visual.frame, placed)?,
            VisualGeometry::Mesh(mesh) => {
                let geometry = mesh_of(mesh.vertices(), mesh.triangles(), false);
                placed.push(self.place(geometry, &visual.frame).map_err(|error| error.to_string())?);
            }
        }
        let color = visual.color.map(|color| color.to_string());
        placed[first..].iter_mut().for_each(|part| part.color.clone_from(&color));
        Ok(())
    }

    /// Adds all parts of a shape.
    pub(crate) fn add_shape(
        &mut self,
        shape: &Shape,
        frame: ReferenceFrame,
        placed: &mut Vec<PlacedGeometry>,
    ) -> Result<(), String> {
        if let Shape::Compound(compound) = shape {
            return compound
                .parts()
                .iter()
                .try_for_each(|part| self.add_shape(&part.shape, frame.compose(&part.frame), placed));
        }
        let geometry = match shape {
            Shape::Sphere(ball) => Geometry::Sphere { radius: ball.radius() },
            Shape::Box(cuboid) => Geometry::Box { size: cuboid.size().to_array() },
            Shape::Capsule(round) => Geometry::Capsule { radius: round.radius(), length: round.length() },
            Shape::Cylinder(round) => Geometry::Cylinder { radius: round.radius(), length: round.length() },
            Shape::Cone(round) => Geometry::Cone { radius: round.radius(), length: round.length() },
            Shape::Ellipsoid(round) => Geometry::Ellipsoid { radii: round.radii().to_array() },
            Shape::Rounded(_) | Shape::TaperedCapsule(_) => outline_of(shape)?,
            Shape::HalfSpace(plane) => {
                Geometry::Plane { normal: plane.normal().to_array(), offset: plane.offset() }
            }
            Shape::Hull(hull) => hull_of(hull.vertices())?,
            Shape::Mesh(mesh) => mesh_of(mesh.vertices(), mesh.triangles(), false),
            Shape::Compound(_) => return Ok(()),
        };
        placed.push(self.place(geometry, &frame).map_err(|error| error.to_string())?);
        Ok(())
    }
}

/// A recorded geometry as it is drawn.
pub(crate) fn geometry_of(collision: &Collision) -> Result<Geometry, String> {
    Ok(match collision {
        Collision::Primitive(primitive) => match *primitive {
            Primitive::Sphere { radius } => Geometry::Sphere { radius },
            Primitive::Box { size } => Geometry::Box { size: size.to_array() },
            Primitive::Capsule { radius, length } => Geometry::Capsule { radius, length },
            Primitive::Cylinder { radius, length } => Geometry::Cylinder { radius, length },
            Primitive::Cone { radius, length } => Geometry::Cone { radius, length },
            Primitive::Ellipsoid { radii } => Geometry::Ellipsoid { radii: radii.to_array() },
            Primitive::TaperedCapsule { .. } => {
                outline_of(&collision.shape().map_err(|error| error.to_string())?)?
            }
            Primitive::Plane { normal, offset } => Geometry::Plane { normal: normal.to_array(), offset },
        },
        Collision::Mesh(mesh) => mesh_of(mesh.vertices(), mesh.triangles(), false),
        Collision::Points(points) => hull_of(points)?,
        Collision::Parts(parts) => hulls_of(parts)?,
        Collision::Rounded { .. } => outline_of(&collision.shape().map_err(|error| error.to_string())?)?,
    })
}

/// Several hulls as one surface.
fn hulls_of(parts: &[Vec<Coordinate>]) -> Result<Geometry, String> {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for points in parts {
        let (corners, faces) = ConvexHull::triangulation(points).map_err(|error| error.to_string())?;
        let first = u32::try_from(vertices.len()).map_err(|error| error.to_string())?;
        triangles.extend(faces.into_iter().map(|face| face.map(|corner| corner + first)));
        vertices.extend(corners);
    }
    Ok(mesh_of(&vertices, &triangles, true))
}

fn outline_of(shape: &Shape) -> Result<Geometry, String> {
    let (vertices, triangles) =
        generate::outline(shape, generate::DEFAULT_SEGMENTS).map_err(|error| error.to_string())?;
    Ok(mesh_of(&vertices, &triangles, false))
}

fn hull_of(points: &[Coordinate]) -> Result<Geometry, String> {
    let (vertices, triangles) = ConvexHull::triangulation(points).map_err(|error| error.to_string())?;
    Ok(mesh_of(&vertices, &triangles, true))
}

fn mesh_of(vertices: &[Coordinate], triangles: &[[u32; 3]], flat: bool) -> Geometry {
    Geometry::Mesh {
        vertices: vertices.iter().flat_map(|vertex| vertex.to_array()).collect(),
        triangles: triangles.as_flattened().to_vec(),
        flat,
    }
}

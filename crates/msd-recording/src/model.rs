//! The model of a run: bodies, their geometry, joints.

use std::collections::BTreeMap;
use std::path::Path;

use msd::environment::World;
use msd::math::{Coordinate, Mat3, ReferenceFrame, orientation};
use msd::physics::rigid_body::shape::{RoundedCore, Shape};
use msd::physics::rigid_body::{BodyKind, InertialState, RigidBody, VisualGeometry};
use msd_assets::{Collision, Mesh, Primitive, codec};
use rusqlite::Connection;
use rusqlite::types::Value;

use crate::RecordingError;
use crate::appearance::{RecordedAppearance, RecordedVisual};
use crate::format::commands::Numbering;
use crate::format::envelope::{self, BlockPosition, Kind};
use crate::format::rows::{Columns, integer, text};
use crate::format::schema;
use crate::frame::{state_from_numbers, state_to_numbers};

/// A recorded body: its constants, and its state at the start.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedBody {
    /// Unique in its recording.
    pub name: String,
    /// Its kind.
    pub kind: BodyKind,
    /// kg; infinite unless dynamic.
    pub mass: f64,
    /// Friction coefficient.
    pub friction: f64,
    /// Coefficient of restitution.
    pub restitution: f64,
    /// Centre of mass in the body's own frame, m.
    pub center_of_mass_local: Coordinate,
    /// About the centre of mass, body frame, kg·m²: xx, yy, zz, xy, xz, yz.
    pub inertia_body: [f64; 6],
    /// State at the start.
    pub initial: InertialState,
    /// Geometry and where it is in the body's frame, by the number of the geometry.
    pub shapes: Vec<(ReferenceFrame, usize)>,
    /// How it looks.
    pub appearance: RecordedAppearance,
}

impl RecordedBody {
    /// Pose of the body's frame in a state.
    #[must_use]
    pub fn frame(&self, state: &InertialState) -> ReferenceFrame {
        let position = state.center_of_mass - state.orientation * self.center_of_mass_local;
        ReferenceFrame { position, orientation: state.orientation }
    }

    /// False for a static body, of which only the start is stored.
    #[must_use]
    pub fn moves(&self) -> bool {
        self.kind != BodyKind::Static
    }
}

/// A recorded joint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedJoint {
    /// Unique in its recording.
    pub name: String,
    /// As scenes say it.
    pub kind: String,
    /// First body; `None` is the world.
    pub a: Option<usize>,
    /// Second body; `None` is the world.
    pub b: Option<usize>,
}

/// Everything that does not change.
#[derive(Clone, Debug, Default)]
pub(crate) struct Model {
    pub(crate) bodies: Vec<RecordedBody>,
    pub(crate) joints: Vec<RecordedJoint>,
    /// Geometry as [`codec`] encodes it, each with its kind.
    pub(crate) geometry: Vec<(String, Vec<u8>)>,
}

const KINDS: [(BodyKind, &str); 4] = [
    (BodyKind::Dynamic, "dynamic"),
    (BodyKind::Static, "static"),
    (BodyKind::Kinematic, "kinematic"),
    (BodyKind::Graphical, "graphical"),
];

/// The kind of a body as scenes say it.
pub(crate) fn kind_name(kind: BodyKind) -> &'static str {
    KINDS.iter().find(|(known, _)| *known == kind).map_or("dynamic", |(_, name)| name)
}

impl Model {
    /// The model of a world, and which of its handles has which number.
    pub(crate) fn of(world: &World) -> Result<(Self, Numbering), RecordingError> {
        let numbering = Numbering {
            bodies: world.handles().collect(),
            joints: world.joints().map(|(h, ..)| h).collect(),
        };
        let mut model = Self::default();
        let mut known = BTreeMap::new();
        for handle in &numbering.bodies {
            let view = world.body(*handle)?;
            let (body, inertia) = (view.body, view.inertia.tensor_body());
            let mut shapes = Vec::new();
            if let Some(shape) = &body.shape {
                model.add_shape(shape, ReferenceFrame::IDENTITY, &mut known, &mut shapes)?;
            }
            let appearance = model.appearance_of(body, &mut known)?;
            model.bodies.push(RecordedBody {
                name: body.name.clone(),
                kind: body.kind,
                mass: view.mass(),
                friction: body.material.friction,
                restitution: body.material.restitution,
                center_of_mass_local: body.center_of_mass_local,
                inertia_body: upper_triangle(&inertia),
                initial: *view.state,
                shapes,
                appearance,
            });
        }
        for (_, name, joint) in world.joints() {
            let [a, b] = joint
                .bodies()
                .map(|body| body.and_then(|handle| numbering.body(handle)).map(|number| number as usize));
            let (name, kind) = (name.to_owned(), joint.type_name().to_owned());
            model.joints.push(RecordedJoint { name, kind, a, b });
        }
        Ok((model, numbering))
    }

    fn add_shape(
        &mut self,
        shape: &Shape,
        frame: ReferenceFrame,
        known: &mut BTreeMap<Vec<u8>, usize>,
        shapes: &mut Vec<(ReferenceFrame, usize)>,
    ) -> Result<(), RecordingError> {
        if let Shape::Compound(compound) = shape {
            for part in compound.parts() {
                self.add_shape(&part.shape, frame.compose(&part.frame), known, shapes)?;
            }
            return Ok(());
        }
        let Some(collision) = collision_of(shape)? else { return Ok(()) };
        shapes.push((frame, self.add_geometry(&collision, known)?));
        Ok(())
    }

    /// The number of a geometry, which is stored once.
    fn add_geometry(
        &mut self,
        collision: &Collision,
        known: &mut BTreeMap<Vec<u8>, usize>,
    ) -> Result<usize, RecordingError> {
        let refused = |error: codec::CodecError| RecordingError::Invalid(error.to_string());
        let bytes = codec::encode_collision(collision).map_err(refused)?;
        let next = self.geometry.len();
        Ok(*known.entry(bytes).or_insert_with_key(|bytes| {
            self.geometry.push((collision.kind().to_owned(), bytes.clone()));
            next
        }))
    }

    /// The appearance of a body, its geometry stored.
    fn appearance_of(
        &mut self,
        body: &RigidBody,
        known: &mut BTreeMap<Vec<u8>, usize>,
    ) -> Result<RecordedAppearance, RecordingError> {
        let Some(given) = &body.appearance else { return Ok(RecordedAppearance::default()) };
        let mut appearance = RecordedAppearance { color: given.color, visuals: Vec::new() };
        for visual in &given.visuals {
            let mut placed = Vec::new();
            match &visual.geometry {
                VisualGeometry::Shape(shape) => self.add_shape(shape, visual.frame, known, &mut placed)?,
                VisualGeometry::Mesh(mesh) => {
                    let copy = mesh_of(mesh.vertices(), mesh.triangles())?;
                    placed.push((visual.frame, self.add_geometry(&Collision::Mesh(copy), known)?));
                }
            }
            let drawn = placed.into_iter();
            appearance.visuals.extend(drawn.map(|(frame, geometry)| RecordedVisual {
                frame,
                geometry,
                color: visual.color,
            }));
        }
        Ok(appearance)
    }

    /// Numbers of the bodies that have states in every frame.
    pub(crate) fn moving(&self) -> Vec<usize> {
        (0..self.bodies.len()).filter(|i| self.bodies[*i].moves()).collect()
    }

    pub(crate) fn write(&self, connection: &Connection) -> rusqlite::Result<()> {
        for (id, (kind, bytes)) in (0_u64..).zip(&self.geometry) {
            let blob = envelope::wrap(bytes, Kind::Geometry, BlockPosition::row(id));
            schema::GEOMETRY.insert(connection, vec![integer(id), text(kind), Value::Blob(blob)])?;
        }
        let mut shape_id = 0;
        for (id, body) in (0_u64..).zip(&self.bodies) {
            let mut row = vec![integer(id), text(&body.name), text(kind_name(body.kind))];
            let constants = [body.mass, body.friction, body.restitution];
            let numbers = constants.into_iter().chain(body.center_of_mass_local.to_array());
            let numbers = numbers.chain(body.inertia_body).chain(state_to_numbers(&body.initial));
            row.extend(numbers.map(Value::Real));
            schema::BODY.insert(connection, row)?;
            for (frame, geometry) in &body.shapes {
                let mut row = vec![integer(shape_id), integer(id), integer(*geometry as u64)];
                let pose =
                    frame.position.to_array().into_iter().chain(orientation::to_wxyz(frame.orientation));
                row.extend(pose.map(Value::Real));
                schema::SHAPE.insert(connection, row)?;
                shape_id += 1;
            }
        }
        for (id, joint) in (0_u64..).zip(&self.joints) {
            let end = |body: Option<usize>| body.map_or(Value::Null, |number| integer(number as u64));
            let row = vec![integer(id), text(&joint.name), text(&joint.kind), end(joint.a), end(joint.b)];
            schema::JOINT.insert(connection, row)?;
        }
        Ok(())
    }

    pub(crate) fn read(connection: &Connection, path: &Path) -> Result<Self, RecordingError> {
        let mut model = Self::default();
        for (row, id) in schema::GEOMETRY.select(connection, path, "")?.into_iter().zip(0_u64..) {
            let mut columns = Columns::new(row, schema::GEOMETRY, path);
            in_order(columns.integer()?, id, "geometry", path)?;
            let (kind, blob) = (columns.text()?, columns.blob()?);
            let bytes = envelope::open(&blob, Kind::Geometry, BlockPosition::row(id))
                .map_err(|error| RecordingError::envelope(path, &format!("geometry {id}"), &error))?;
            model.geometry.push((kind, bytes.to_vec()));
        }
        for (row, id) in schema::BODY.select(connection, path, "")?.into_iter().zip(0_u64..) {
            let mut columns = Columns::new(row, schema::BODY, path);
            in_order(columns.integer()?, id, "body", path)?;
            model.bodies.push(read_body(&mut columns, path)?);
        }
        for row in schema::SHAPE.select(connection, path, "")? {
            let mut columns = Columns::new(row, schema::SHAPE, path);
            let _id = columns.integer()?;
            let (body, geometry) = (columns.integer()? as usize, columns.integer()? as usize);
            let [x, y, z, qw, qx, qy, qz] = columns.reals()?;
            let frame = ReferenceFrame {
                position: [x, y, z].into(),
                orientation: orientation::from_wxyz([qw, qx, qy, qz]),
            };
            match model.bodies.get_mut(body).filter(|_| geometry < model.geometry.len()) {
                Some(body) => body.shapes.push((frame, geometry)),
                None => return Err(RecordingError::damaged(path, "a shape of a body that is not there")),
            }
        }
        for (row, id) in schema::JOINT.select(connection, path, "")?.into_iter().zip(0_u64..) {
            let mut columns = Columns::new(row, schema::JOINT, path);
            in_order(columns.integer()?, id, "joint", path)?;
            let (name, kind) = (columns.text()?, columns.text()?);
            let mut end =
                || Ok::<_, RecordingError>(columns.optional_integer()?.map(|number| number as usize));
            model.joints.push(RecordedJoint { name, kind, a: end()?, b: end()? });
        }
        Ok(model)
    }
}

fn read_body(columns: &mut Columns<'_>, path: &Path) -> Result<RecordedBody, RecordingError> {
    let (name, kind) = (columns.text()?, columns.text()?);
    let kind =
        KINDS.iter().find(|(_, known)| *known == kind).map(|(kind, _)| *kind).ok_or_else(|| {
            RecordingError::damaged(path, format!("body `{name}` is of unknown kind {kind:?}"))
        })?;
    let [mass, friction, restitution] = columns.reals()?;
    Ok(RecordedBody {
        name,
        kind,
        mass,
        friction,
        restitution,
        center_of_mass_local: columns.reals::<3>()?.into(),
        inertia_body: columns.reals()?,
        initial: state_from_numbers(&columns.reals()?),
        shapes: Vec::new(),
        appearance: RecordedAppearance::default(),
    })
}

/// Rows are numbered from 0 without a gap: one that is missing is seen.
pub(crate) fn in_order(found: u64, expected: u64, table: &str, path: &Path) -> Result<(), RecordingError> {
    if found == expected {
        return Ok(());
    }
    Err(RecordingError::damaged(path, format!("table {table}: row {expected} is missing")))
}

fn upper_triangle(tensor: &Mat3) -> [f64; 6] {
    let rows = tensor.to_cols_array_2d();
    [rows[0][0], rows[1][1], rows[2][2], rows[0][1], rows[0][2], rows[1][2]]
}

fn mesh_of(vertices: &[Coordinate], triangles: &[[u32; 3]]) -> Result<Mesh, RecordingError> {
    Mesh::new(vertices.to_vec(), triangles.to_vec())
        .map_err(|error| RecordingError::Invalid(error.to_string()))
}

/// The geometry of a shape that is not a compound.
fn collision_of(shape: &Shape) -> Result<Option<Collision>, RecordingError> {
    let primitive = |primitive| Some(Collision::Primitive(primitive));
    Ok(match shape {
        Shape::Sphere(ball) => primitive(Primitive::Sphere { radius: ball.radius() }),
        Shape::Box(cuboid) => primitive(Primitive::Box { size: cuboid.size() }),
        Shape::Capsule(round) => {
            primitive(Primitive::Capsule { radius: round.radius(), length: round.length() })
        }
        Shape::Cylinder(round) => {
            primitive(Primitive::Cylinder { radius: round.radius(), length: round.length() })
        }
        Shape::Cone(round) => primitive(Primitive::Cone { radius: round.radius(), length: round.length() }),
        Shape::Ellipsoid(ellipsoid) => primitive(Primitive::Ellipsoid { radii: ellipsoid.radii() }),
        Shape::TaperedCapsule(pear) => primitive(Primitive::TaperedCapsule {
            bottom_radius: pear.bottom_radius(),
            top_radius: pear.top_radius(),
            length: pear.length(),
        }),
        Shape::Rounded(rounded) => {
            let core = match rounded.core() {
                RoundedCore::Box(cuboid) => Collision::Primitive(Primitive::Box { size: cuboid.size() }),
                RoundedCore::Cylinder(round) => Collision::Primitive(Primitive::Cylinder {
                    radius: round.radius(),
                    length: round.length(),
                }),
                RoundedCore::Hull(hull) => Collision::Points(hull.vertices().to_vec()),
            };
            Some(Collision::Rounded { core: Box::new(core), radius: rounded.radius() })
        }
        Shape::HalfSpace(plane) => {
            primitive(Primitive::Plane { normal: plane.normal(), offset: plane.offset() })
        }
        Shape::Hull(hull) => Some(Collision::Points(hull.vertices().to_vec())),
        Shape::Mesh(mesh) => Some(Collision::Mesh(mesh_of(mesh.vertices(), mesh.triangles())?)),
        Shape::Compound(_) => None,
    })
}

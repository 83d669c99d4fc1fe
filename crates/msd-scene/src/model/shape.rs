//! Shapes: full lengths in metres.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Orientation, Triple, defaults};

/// A shape in the frame of its body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// About the origin.
    Sphere(SphereShape),
    /// Centred, edges along the axes.
    Box(BoxShape),
    /// Cylinder with round caps, centred, along z.
    Capsule(RoundShape),
    /// Centred, along z.
    Cylinder(RoundShape),
    /// Along z, apex up, the origin at half height.
    Cone(RoundShape),
    /// Along z, the origin midway between the centres of its balls.
    #[serde(rename = "tapered_capsule")]
    TaperedCapsule(TaperedCapsuleShape),
    /// Centred, axes along those of the frame.
    Ellipsoid(EllipsoidShape),
    /// A box, cylinder or hull with a margin around it.
    Rounded(RoundedShape),
    /// Everything below a plane; static bodies only.
    Plane(PlaneShape),
    /// Convex hull of points.
    Hull(HullShape),
    /// Triangles from a file.
    Mesh(MeshShape),
    /// Terrain from heights on a grid; bodies that do not move.
    Heightfield(HeightFieldShape),
    /// A shape from an asset database.
    Asset(AssetShape),
    /// Several shapes fixed to each other.
    Compound(CompoundShape),
}

/// A ball.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SphereShape {
    /// m.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub radius: f64,
}

/// A cuboid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BoxShape {
    /// Full edge lengths `[x, y, z]`, m, each above 0.
    #[schemars(extend("items" = { "type": "number", "exclusiveMinimum": 0 }))]
    pub size: Triple,
}

/// A round shape along z.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RoundShape {
    /// m.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub radius: f64,
    /// Full length along z, m; of a capsule, the length of its cylinder part.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub length: f64,
}

/// The convex hull of two balls.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TaperedCapsuleShape {
    /// Of the ball at -z, m.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub bottom_radius: f64,
    /// Of the ball at +z, m.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub top_radius: f64,
    /// From centre to centre, m; more than the difference of the radii.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub length: f64,
}

/// An ellipsoid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EllipsoidShape {
    /// Half of the full lengths along `[x, y, z]`, m, each above 0.
    #[schemars(extend("items" = { "type": "number", "exclusiveMinimum": 0 }))]
    pub radii: Triple,
}

/// All points within a radius of a shape.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RoundedShape {
    /// What is inside: a box, a cylinder, a hull, or a convex mesh.
    pub shape: Box<Shape>,
    /// Margin around it, m.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub radius: f64,
}

/// The points with `normal · x = offset`, solid below.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlaneShape {
    /// Out of the solid, of any length but zero.
    pub normal: Triple,
    /// Distance from the origin along the unit normal, m.
    #[serde(default)]
    pub offset: f64,
}

/// The convex hull of points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HullShape {
    /// m; at least four, not in one plane.
    #[schemars(length(min = 4))]
    pub points: Vec<Triple>,
}

/// Heights on a regular grid, centred on the origin of the body frame; each cell is two triangles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HeightFieldShape {
    /// Heights along x in each row.
    #[schemars(range(min = 2))]
    pub columns: usize,
    /// Distance between columns (x) and between rows (y), m, each above 0.
    #[schemars(extend("items" = { "type": "number", "exclusiveMinimum": 0 }))]
    pub spacing: [f64; 2],
    /// m; row after row, each from least x to greatest, the rows from least y to greatest.
    #[schemars(length(min = 4))]
    pub heights: Vec<f64>,
}

/// A file of triangles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MeshShape {
    /// Relative to the folder of the scene file; STL, OBJ, glTF or MSH, in metres.
    pub file: String,
    /// Factors along x, y and z, none of them zero; 0.001 each for a file in millimetres.
    #[serde(default = "defaults::ones", skip_serializing_if = "defaults::is_ones")]
    pub scale: Triple,
    /// True: the hull of its points. False: the triangles themselves, for static bodies.
    #[serde(default = "defaults::yes")]
    pub convex: bool,
    /// Convex parts that together are nearly the closed mesh, for bodies that move; instead of one hull.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parts: Option<PartsOfMesh>,
}

/// How near convex parts have to come to a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PartsOfMesh {
    /// Volume of the parts beyond that of the mesh, relative to it.
    #[schemars(range(min = 0.0))]
    pub error: f64,
    /// How many there may be.
    #[schemars(range(min = 1))]
    pub max_parts: usize,
}

impl Default for PartsOfMesh {
    fn default() -> Self {
        Self { error: 0.05, max_parts: 32 }
    }
}

/// A shape from an asset database.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AssetShape {
    /// Name of the asset.
    pub name: String,
    /// Relative to the folder of the scene file.
    pub database: String,
}

/// Several shapes fixed to each other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CompoundShape {
    /// The shapes and where they are.
    #[schemars(length(min = 1))]
    pub parts: Vec<CompoundPart>,
}

/// One shape of a compound.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CompoundPart {
    /// The shape; no plane and no concave mesh.
    pub shape: Shape,
    /// Position of the part's frame in the body frame, m.
    #[serde(default, skip_serializing_if = "defaults::is_origin")]
    pub position: Triple,
    /// Orientation of the part's frame in the body frame.
    #[serde(default, skip_serializing_if = "defaults::is_default")]
    pub orientation: Orientation,
}

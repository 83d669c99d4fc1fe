//! From stored collision geometry to a shape of the engine.

use std::sync::Arc;

use msd::math::{Coordinate, ReferenceFrame};
use msd::physics::rigid_body::shape::{
    Capsule, Compound, CompoundPart, Cone, ConvexHull, Cuboid, Cylinder, Ellipsoid, GeometryError, HalfSpace,
    Rounded, RoundedCore, Shape, Sphere, TaperedCapsule, TriangleMesh,
};

use crate::{Asset, AssetError, Collision, Decomposition, DecompositionLimits, Mesh, Primitive, decompose};

impl Asset {
    /// The shape contacts are computed on: exact for a primitive, the convex hull for points, the triangles for a
    /// mesh.
    ///
    /// # Errors
    /// The asset has no collision geometry, or points without a volume (all in one plane).
    pub fn collision_shape(&self) -> Result<Shape, AssetError> {
        match &self.collision {
            Some(collision) => {
                collision.shape().map_err(|source| AssetError::Shape { name: self.name.clone(), source })
            }
            None => Err(AssetError::NoCollision(self.name.clone())),
        }
    }
}

impl Collision {
    /// The convex hull of a mesh, as its corners only.
    ///
    /// # Errors
    /// [`AssetError::Invalid`] for a mesh without a volume.
    pub fn hull_of(mesh: &Mesh) -> Result<Self, AssetError> {
        let hull = ConvexHull::from_points(mesh.vertices()).map_err(|error| {
            AssetError::invalid(format!("no convex hull: {error}; a flat mesh can only collide as a mesh"))
        })?;
        Ok(Self::Points(hull.vertices().to_vec()))
    }

    /// The hulls of an approximate convex decomposition of a closed mesh, and its error.
    ///
    /// # Errors
    /// [`AssetError::Invalid`] with why there is none within the limits.
    pub fn parts_of(mesh: &Mesh, limits: &DecompositionLimits) -> Result<(Self, f64), AssetError> {
        let found = decompose(mesh, limits).and_then(Decomposition::within_limits);
        let found = found.map_err(|error| AssetError::invalid(error.to_string()))?;
        let parts = found.parts.iter().map(|hull| hull.vertices().to_vec()).collect();
        Ok((Self::Parts(parts), found.error()))
    }

    /// As [`Asset::collision_shape`].
    ///
    /// # Errors
    /// Shapes that the engine refuses.
    pub fn shape(&self) -> Result<Shape, GeometryError> {
        match self {
            Self::Primitive(primitive) => primitive.shape(),
            Self::Points(points) => Ok(Shape::Hull(Arc::new(ConvexHull::from_points(points)?))),
            Self::Mesh(mesh) => Ok(Shape::Mesh(Arc::new(triangles_with_area(mesh)?))),
            Self::Parts(parts) => {
                let part = |points: &Vec<Coordinate>| {
                    let shape = Shape::Hull(Arc::new(ConvexHull::from_points(points)?));
                    Ok(CompoundPart { frame: ReferenceFrame::IDENTITY, shape })
                };
                let parts: Result<Vec<_>, GeometryError> = parts.iter().map(part).collect();
                Ok(Shape::Compound(Arc::new(Compound::new(parts?)?)))
            }
            Self::Rounded { core, radius } => {
                let core = match core.shape()? {
                    Shape::Box(core) => RoundedCore::Box(core),
                    Shape::Cylinder(core) => RoundedCore::Cylinder(core),
                    Shape::Hull(core) => RoundedCore::Hull(core),
                    other => return Err(GeometryError::RoundedCore(other.type_name())),
                };
                Ok(Shape::Rounded(Rounded::new(core, *radius)?))
            }
        }
    }
}

impl Primitive {
    /// The same shape in the engine.
    ///
    /// # Errors
    /// A length that is not positive and finite.
    pub fn shape(&self) -> Result<Shape, GeometryError> {
        Ok(match *self {
            Self::Sphere { radius } => Shape::Sphere(Sphere::new(radius)?),
            Self::Box { size } => Shape::Box(Cuboid::new(size)?),
            Self::Capsule { radius, length } => Shape::Capsule(Capsule::new(radius, length)?),
            Self::Cylinder { radius, length } => Shape::Cylinder(Cylinder::new(radius, length)?),
            Self::Cone { radius, length } => Shape::Cone(Cone::new(radius, length)?),
            Self::Ellipsoid { radii } => Shape::Ellipsoid(Ellipsoid::new(radii)?),
            Self::TaperedCapsule { bottom_radius, top_radius, length } => {
                Shape::TaperedCapsule(TaperedCapsule::new(bottom_radius, top_radius, length)?)
            }
            Self::Plane { normal, offset } => Shape::HalfSpace(HalfSpace::new(normal, offset)?),
        })
    }
}

/// The engine's mesh of the triangles that have an area. Files hold slivers of three corners on one line; they add
/// nothing to the surface and have no normal.
fn triangles_with_area(mesh: &Mesh) -> Result<TriangleMesh, GeometryError> {
    let corner = |v: u32| mesh.vertices()[v as usize];
    let has_area =
        |&&[a, b, c]: &&[u32; 3]| (corner(b) - corner(a)).cross(corner(c) - corner(a)).length_squared() > 0.0;
    TriangleMesh::new(mesh.vertices().to_vec(), mesh.triangles().iter().filter(has_area).copied().collect())
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use msd::{
        math::{ReferenceFrame, Vec3},
        physics::rigid_body::shape::Geometry,
    };

    use super::*;
    use crate::generate::Solid;

    #[test]
    fn generated_shapes_collide_as_what_they_are() {
        let (r, l) = (0.5, 2.0);
        let ball = 4.0 / 3.0 * PI * r * r * r;
        let cases = [
            (Solid::Sphere { radius: r }, "sphere", ball),
            (Solid::Box { size: Vec3::new(1.0, 2.0, 3.0) }, "box", 6.0),
            (Solid::Cylinder { radius: r, length: l }, "cylinder", PI * r * r * l),
            (Solid::Cone { radius: r, length: l }, "cone", PI * r * r * l / 3.0),
            (Solid::Capsule { radius: r, length: l }, "capsule", PI * r * r * l + ball),
            (Solid::Ellipsoid { radii: Vec3::new(1.0, 0.5, 0.25) }, "ellipsoid", PI / 6.0),
            (Solid::Tetrahedron { edge: 1.0 }, "hull", 2.0_f64.sqrt() / 12.0),
            (Solid::Octahedron { edge: 1.0 }, "hull", 2.0_f64.sqrt() / 3.0),
            (Solid::Icosahedron { edge: 1.0 }, "hull", 5.0 * (3.0 + 5.0_f64.sqrt()) / 12.0),
        ];
        for (solid, name, volume) in cases {
            let asset = solid.asset("a").unwrap();
            let shape = asset.collision_shape().unwrap();
            assert_eq!(shape.type_name(), name);
            assert!((shape.volume() / volume - 1.0).abs() < 1e-12, "{name}: {}", shape.volume());
            let (seen, felt) =
                (asset.visual.unwrap().bounding_box(), shape.bounding_box(&ReferenceFrame::IDENTITY));
            assert!(felt.expanded(1e-12).encloses(&seen), "{name}: the picture stays inside what collides");
        }
        let plane = Solid::Plane { size: 4.0 }.asset("ground").unwrap().collision_shape().unwrap();
        assert!(plane.contains(Vec3::NEG_Z) && !plane.contains(Vec3::Z));
    }

    #[test]
    fn the_hull_of_a_torus_fills_its_hole() {
        let ring = Solid::Torus { radius: 1.0, tube_radius: 0.25 }.asset("ring").unwrap();
        assert!(ring.collision_shape().unwrap().contains(Vec3::ZERO));
        let exact = Asset { collision: ring.visual.clone().map(Collision::Mesh), ..ring };
        assert!(!exact.collision_shape().unwrap().contains(Vec3::ZERO));
    }

    #[test]
    fn the_hull_of_a_mesh_keeps_only_corners() {
        let cube = Solid::cube(1.0).asset("a").unwrap().visual.unwrap();
        let mut vertices = cube.vertices().to_vec();
        vertices.push(Vec3::splat(0.1));
        let mut triangles = cube.triangles().to_vec();
        triangles.push([8, 0, 1]);
        let mesh = Mesh::new(vertices, triangles).unwrap();
        let Collision::Points(points) = Collision::hull_of(&mesh).unwrap() else { panic!("points") };
        assert_eq!(points.len(), 8);
        let flat = Solid::Plane { size: 1.0 }.asset("a").unwrap().visual.unwrap();
        assert!(Collision::hull_of(&flat).unwrap_err().to_string().contains("a flat mesh"));
    }

    #[test]
    fn slivers_do_not_spoil_a_mesh_and_nothing_to_collide_with_is_said() {
        let cube = Solid::cube(1.0).asset("a").unwrap().visual.unwrap();
        let mut vertices = cube.vertices().to_vec();
        vertices.push((vertices[0] + vertices[1]) * 0.5);
        let triangles = [cube.triangles(), &[[0, 8, 1]]].concat();
        let collision = Some(Collision::Mesh(Mesh::new(vertices, triangles).unwrap()));
        let asset = Asset { collision, ..Asset::new("a") };
        assert!((asset.collision_shape().unwrap().volume() - 1.0).abs() < 1e-14);
        let ghost = Asset { visual: Some(cube), ..Asset::new("ghost") };
        assert_eq!(
            ghost.collision_shape().unwrap_err().to_string(),
            "asset \"ghost\" has no collision geometry"
        );
    }
}

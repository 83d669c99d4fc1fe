//! A surface of triangles: terrain, a hull of a ship seen from inside, any static scenery.
//!
//! A mesh is closed if every edge is shared by exactly two triangles that run along it in opposite directions and the
//! surface encloses a volume. A closed mesh is a solid and has an inside; an open one is only a surface.
//!
//! The sign of the distance to a closed mesh is that of `(p - c) · n`, c being the nearest point and n the
//! angle-weighted pseudonormal there: the normal of the face, the sum of both face normals on an edge, the sum of the
//! face normals weighted by their angles at a vertex. It is right everywhere, which a plain face normal is not
//! (J. A. Bærentzen, H. Aanæs, "Signed distance computation using the angle weighted pseudonormal", IEEE TVCG 11(3),
//! 2005).

mod bounding_tree;
mod height_field;
mod topology;
mod triangle;

use serde::{Deserialize, Serialize};

use super::geometry::inside_or_on;
use super::{Aabb, Geometry, GeometryError, Ray, RayHit};
use crate::digest::{Fingerprint, parameters};
use crate::math::{CompensatedSum, Coordinate, ReferenceFrame, Vec3};
use bounding_tree::BoundingTree;
use topology::Topology;
pub use triangle::Feature;
use triangle::SkewedRay;

/// Triangles over shared vertices, counter-clockwise seen from outside; for bodies that do not move.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "Fields")]
pub struct TriangleMesh {
    vertices: Vec<Coordinate>,
    triangles: Vec<[u32; 3]>,
    #[serde(skip)]
    derived: Derived,
}

impl Fingerprint for TriangleMesh {
    parameters!("mesh": vertices, triangles; derived);
}

/// Data derived from vertices and triangles.
#[derive(Clone, Debug)]
struct Derived {
    bounds: Aabb,
    tree: BoundingTree,
    topology: Topology,
    area: f64,
    /// Volume and centroid if closed.
    solid: Option<(f64, Coordinate)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    vertices: Vec<Coordinate>,
    triangles: Vec<[u32; 3]>,
}

impl TryFrom<Fields> for TriangleMesh {
    type Error = GeometryError;
    fn try_from(fields: Fields) -> Result<Self, GeometryError> {
        Self::new(fields.vertices, fields.triangles)
    }
}

impl PartialEq for TriangleMesh {
    fn eq(&self, other: &Self) -> bool {
        self.vertices == other.vertices && self.triangles == other.triangles
    }
}

/// The point of a mesh nearest to a given one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearestOnMesh {
    /// The nearest point, local frame.
    pub point: Coordinate,
    /// A triangle it lies on.
    pub triangle: usize,
    /// Where on that triangle.
    pub feature: Feature,
}

impl TriangleMesh {
    /// From vertices and triangles that index them. A closed mesh given inside out is flipped, so that its
    /// normals point outwards.
    ///
    /// # Errors
    /// If there is no triangle, a vertex is not finite, a triangle names a vertex that does not exist or has
    /// no area.
    pub fn new(vertices: Vec<Coordinate>, mut triangles: Vec<[u32; 3]>) -> Result<Self, GeometryError> {
        check(&vertices, &triangles)?;
        let bounds = Aabb::from_points(triangles.iter().flatten().map(|&vertex| vertices[vertex as usize]));
        let mut topology = Topology::new(&vertices, &triangles)?;
        let mut solid = None;
        if topology.open_edge().is_none() {
            let (volume, centroid) = enclosed(&vertices, &triangles, bounds.center());
            if volume < 0.0 {
                triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
                topology = Topology::new(&vertices, &triangles)?;
            }
            solid = (volume != 0.0).then_some((volume.abs(), centroid));
        }
        let corners = |t: &[u32; 3]| t.map(|vertex| vertices[vertex as usize]);
        let area = triangles.iter().map(|t| 0.5 * triangle::doubled_area(&corners(t)).length()).sum();
        let tree =
            BoundingTree::new(&triangles.iter().map(|t| Aabb::from_points(corners(t))).collect::<Vec<_>>());
        Ok(Self { vertices, triangles, derived: Derived { bounds, tree, topology, area, solid } })
    }

    /// All vertices, used or not.
    #[must_use]
    pub fn vertices(&self) -> &[Coordinate] {
        &self.vertices
    }

    /// Vertex indices of each triangle, counter-clockwise seen from outside.
    #[must_use]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The corners of one triangle.
    #[must_use]
    pub fn corners(&self, triangle: usize) -> [Coordinate; 3] {
        self.triangles[triangle].map(|vertex| self.vertices[vertex as usize])
    }

    /// Unit normal of one triangle.
    #[must_use]
    pub fn normal(&self, triangle: usize) -> Vec3 {
        self.derived.topology.normal(triangle)
    }

    /// The triangle across `edge`, which runs from corner `edge` to corner `edge + 1`; `None` on a border, or where
    /// the edge is not shared by exactly two triangles of the same orientation.
    #[must_use]
    pub fn neighbour(&self, triangle: usize, edge: usize) -> Option<usize> {
        self.derived.topology.neighbour(triangle, edge)
    }

    /// The box of the mesh in its own frame.
    #[must_use]
    pub fn local_bounding_box(&self) -> Aabb {
        self.derived.bounds
    }

    /// True if the mesh is a solid.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.derived.solid.is_some()
    }

    /// Why the mesh is not a solid, if it is not.
    ///
    /// # Errors
    /// Names the first open edge; for a closed surface that encloses nothing, its first edge.
    pub fn check_closed(&self) -> Result<(), GeometryError> {
        if self.is_closed() {
            return Ok(());
        }
        let [a, b, _] = self.triangles[0];
        let (a, b) = self.derived.topology.open_edge().unwrap_or((a, b));
        Err(GeometryError::NotClosed(a, b))
    }

    /// A vertex farthest along `direction`, local frame.
    #[must_use]
    pub fn support(&self, direction: Vec3) -> Coordinate {
        let used = self.triangles.iter().flatten().map(|&vertex| self.vertices[vertex as usize]);
        used.reduce(|a, b| if direction.dot(b) > direction.dot(a) { b } else { a }).unwrap_or(Vec3::ZERO)
    }

    /// The nearest point of the surface.
    #[must_use]
    pub fn nearest(&self, point: Coordinate) -> NearestOnMesh {
        let mut best = NearestOnMesh { point: Vec3::ZERO, triangle: 0, feature: Feature::Face };
        let mut limit = f64::INFINITY;
        self.derived.tree.visit_nearest(point, |triangle| {
            let (nearest, feature) =
                triangle::nearest_point(&self.corners(triangle), self.normal(triangle), point);
            let distance_squared = nearest.distance_squared(point);
            if distance_squared < limit {
                limit = distance_squared;
                best = NearestOnMesh { point: nearest, triangle, feature };
            }
            limit
        });
        best
    }

    /// True if a point (local frame) is on the back of the nearest triangle, by the pseudonormal there: inside a closed mesh.
    #[must_use]
    pub fn is_behind(&self, point: Coordinate) -> bool {
        self.is_behind_at(&self.nearest(point), point)
    }

    fn is_behind_at(&self, nearest: &NearestOnMesh, point: Coordinate) -> bool {
        let (triangle, vertices) = (nearest.triangle, self.triangles[nearest.triangle]);
        let outside = self.derived.topology.pseudonormal(triangle, vertices, nearest.feature);
        (point - nearest.point).dot(outside) < 0.0
    }

    /// Appends to `found` every triangle whose bounding box meets `region` (local frame), in a fixed order.
    pub fn triangles_in(&self, region: &Aabb, found: &mut Vec<usize>) {
        self.derived.tree.visit_overlapping(region, |triangle| {
            if Aabb::from_points(self.corners(triangle)).intersects(region) {
                found.push(triangle);
            }
        });
    }

    /// Calls `visit` with every triangle whose bounding box may meet `region` (local frame), in a fixed order.
    pub fn visit_triangles_in(&self, region: &Aabb, visit: impl FnMut(usize)) {
        self.derived.tree.visit_overlapping(region, visit);
    }

    /// The first triangle a ray meets, from either side, and how far away.
    fn first_triangle(&self, ray: &Ray, max_distance: f64) -> Option<(usize, f64)> {
        // From the point of the ray nearest to the middle of the mesh: a distant start costs nothing.
        let shift = (self.derived.bounds.center() - ray.origin).dot(ray.direction);
        let line = Ray { origin: ray.at(shift), direction: ray.direction };
        let skewed = SkewedRay::new(line.origin, line.direction);
        let mut first = None;
        self.derived.tree.visit_along(&line, -shift, max_distance - shift, |triangle, limit| {
            match skewed.meets(&self.corners(triangle)) {
                Some(t) if t >= -shift && t <= limit && first.is_none_or(|(_, earlier)| t < earlier) => {
                    first = Some((triangle, t));
                    t
                }
                _ => limit,
            }
        });
        first.map(|(triangle, t)| (triangle, t + shift))
    }
}

fn check(vertices: &[Coordinate], triangles: &[[u32; 3]]) -> Result<(), GeometryError> {
    if triangles.is_empty() {
        return Err(GeometryError::NoTriangles);
    }
    if let Some((index, &point)) = vertices.iter().enumerate().find(|(_, point)| !point.is_finite()) {
        return Err(GeometryError::NotFinite { index, point });
    }
    for (index, triangle) in triangles.iter().enumerate() {
        if let Some(&vertex) = triangle.iter().find(|&&vertex| vertex as usize >= vertices.len()) {
            return Err(GeometryError::IndexOutOfRange { triangle: index, vertex, vertices: vertices.len() });
        }
    }
    Ok(())
}

/// Signed volume (positive if the normals point outwards) and centroid of what a closed mesh encloses, from signed
/// tetrahedra over a point nearby, so that a mesh far from its origin loses nothing.
fn enclosed(vertices: &[Coordinate], triangles: &[[u32; 3]], reference: Coordinate) -> (f64, Coordinate) {
    let (mut volume, mut moment) = (CompensatedSum::default(), CompensatedSum::default());
    for triangle in triangles {
        let [a, b, c] = triangle.map(|vertex| vertices[vertex as usize] - reference);
        let tetrahedron = a.dot(b.cross(c)) / 6.0;
        volume.add(tetrahedron);
        moment.add((a + b + c) * (0.25 * tetrahedron));
    }
    (volume.total(), reference + moment.total() / volume.total())
}

impl Geometry for TriangleMesh {
    /// Over all vertices.
    fn bounding_box(&self, frame: &ReferenceFrame) -> Aabb {
        let used = self.triangles.iter().flatten().map(|&vertex| self.vertices[vertex as usize]);
        Aabb::from_points(used.map(|vertex| frame.point_to_parent(vertex)))
    }

    fn signed_distance(&self, point: Coordinate) -> f64 {
        let nearest = self.nearest(point);
        let distance = (point - nearest.point).length();
        if self.is_closed() && self.is_behind_at(&nearest, point) { -distance } else { distance }
    }

    /// For an open mesh: on the surface. Relative to the largest coordinate of the mesh.
    fn contains(&self, point: Coordinate) -> bool {
        let bounds = self.derived.bounds;
        let extent = bounds.min.abs().max(bounds.max.abs()).max_element();
        inside_or_on(self.signed_distance(point), extent)
    }

    /// A closed mesh is solid like any other shape. An open one is hit from both sides, with the normal on the side the
    /// ray comes from.
    fn cast_ray(&self, ray: &Ray, max_distance: f64) -> Option<RayHit> {
        let starts_inside = self.is_closed()
            && self.derived.bounds.contains(ray.origin)
            && self.signed_distance(ray.origin) < 0.0;
        if starts_inside {
            return (max_distance >= 0.0).then_some(RayHit { distance: 0.0, normal: -ray.direction });
        }
        let (triangle, distance) = self.first_triangle(ray, max_distance)?;
        let normal = self.normal(triangle);
        let from_behind = !self.is_closed() && normal.dot(ray.direction) > 0.0;
        Some(RayHit { distance, normal: if from_behind { -normal } else { normal } })
    }

    /// Zero for an open mesh.
    fn volume(&self) -> f64 {
        self.derived.solid.map_or(0.0, |(volume, _)| volume)
    }

    /// One side.
    fn surface_area(&self) -> f64 {
        self.derived.area
    }

    fn centroid(&self) -> Option<Coordinate> {
        self.derived.solid.map(|(_, centroid)| centroid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TETRAHEDRON: [[u32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];

    fn corners() -> Vec<Vec3> {
        vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z]
    }

    #[test]
    fn a_broken_mesh_is_refused_with_the_reason() {
        assert_eq!(TriangleMesh::new(corners(), vec![]), Err(GeometryError::NoTriangles));
        let error = TriangleMesh::new(corners(), vec![[0, 1, 2], [0, 1, 4]]).unwrap_err();
        assert_eq!(error, GeometryError::IndexOutOfRange { triangle: 1, vertex: 4, vertices: 4 });
        let mut points = corners();
        points[3].x = f64::NAN;
        assert!(matches!(
            TriangleMesh::new(points, TETRAHEDRON.to_vec()),
            Err(GeometryError::NotFinite { index: 3, .. })
        ));
        for flat in [[1, 1, 2], [0, 1, 4]] {
            let mut points = corners();
            points.push(Vec3::X * 3.0);
            let error = TriangleMesh::new(points, vec![[0, 1, 2], flat]).unwrap_err();
            assert!(error.to_string().starts_with("triangle 1 has no area"), "{error}");
        }
    }

    #[test]
    fn a_needle_has_an_exact_normal_however_thin_and_small() {
        for (length, width) in [(1.0, 1e-13), (1e-200, 1e-210), (1e150, 1.0)] {
            let points = vec![Vec3::X * length, Vec3::ZERO, Vec3::new(0.0, width * 0.6, width * 0.8)];
            let needle = TriangleMesh::new(points, vec![[0, 1, 2]]).unwrap();
            assert!((needle.normal(0) - Vec3::new(0.0, 0.8, -0.6)).length() < 1e-15, "{length} {width}");
        }
    }

    #[test]
    fn an_open_mesh_names_an_open_edge_and_has_no_inside() {
        let open = TriangleMesh::new(corners(), TETRAHEDRON[..3].to_vec()).unwrap();
        assert!(!open.is_closed());
        assert_eq!(open.check_closed(), Err(GeometryError::NotClosed(2, 1)));
        assert_eq!((open.volume(), open.centroid()), (0.0, None));
        let middle = Vec3::splat(0.1);
        assert_eq!(open.signed_distance(middle), 0.1);
        assert!(!open.contains(middle) && open.contains(Vec3::new(0.1, 0.1, 0.0)));
    }

    #[test]
    fn an_open_mesh_is_hit_from_both_sides() {
        let sheet = TriangleMesh::new(corners(), vec![[0, 1, 2]]).unwrap();
        let from = |z: f64| Ray::new(Vec3::new(0.2, 0.2, z), Vec3::Z * -z).unwrap();
        assert_eq!(sheet.cast_ray(&from(2.0), 9.0), Some(RayHit { distance: 2.0, normal: Vec3::Z }));
        assert_eq!(sheet.cast_ray(&from(-2.0), 9.0), Some(RayHit { distance: 2.0, normal: -Vec3::Z }));
        assert_eq!(sheet.cast_ray(&from(2.0), 1.9), None);
    }

    #[test]
    fn a_closed_mesh_given_inside_out_is_turned() {
        let inverted = TETRAHEDRON.map(|[a, b, c]| [a, c, b]).to_vec();
        let mesh = TriangleMesh::new(corners(), inverted).unwrap();
        assert!((mesh.volume() - 1.0 / 6.0).abs() < 1e-16);
        assert!((mesh.centroid().unwrap() - Vec3::splat(0.25)).length() < 1e-16);
        assert!(mesh.contains(Vec3::splat(0.1)) && !mesh.contains(Vec3::splat(0.5)));
        assert_eq!(mesh.normal(0), -Vec3::Z);
    }

    #[test]
    fn neighbours_are_mutual_and_missing_where_an_edge_is_open_or_shared_by_three() {
        let mesh = TriangleMesh::new(corners(), TETRAHEDRON.to_vec()).unwrap();
        for triangle in 0..4 {
            let across: Vec<usize> = (0..3).filter_map(|edge| mesh.neighbour(triangle, edge)).collect();
            assert_eq!(across.len(), 3);
            assert!(
                across.iter().all(|&other| (0..3).any(|edge| mesh.neighbour(other, edge) == Some(triangle)))
            );
        }
        let mut points = corners();
        points.push(-Vec3::Y);
        let fan = TriangleMesh::new(points, vec![[0, 1, 2], [1, 0, 3], [1, 0, 4]]).unwrap();
        assert!((0..3).all(|triangle| (0..3).all(|edge| fan.neighbour(triangle, edge).is_none())));
        assert!(!fan.is_closed());
    }

    #[test]
    fn triangles_in_a_region_are_those_whose_boxes_meet_it() {
        let mesh = TriangleMesh::new(corners(), TETRAHEDRON.to_vec()).unwrap();
        let mut found = Vec::new();
        mesh.triangles_in(&Aabb::new(Vec3::splat(2.0), Vec3::splat(3.0)), &mut found);
        assert!(found.is_empty());
        mesh.triangles_in(&Aabb::new(Vec3::splat(0.1), Vec3::splat(0.2)), &mut found);
        assert_eq!(found, [3]);
    }

    #[test]
    fn a_closed_surface_around_nothing_is_no_solid() {
        let mesh = TriangleMesh::new(corners(), vec![[0, 1, 2], [0, 2, 1]]).unwrap();
        assert!(!mesh.is_closed() && mesh.check_closed().is_err());
        assert_eq!(mesh.signed_distance(Vec3::Z), 1.0);
    }
}

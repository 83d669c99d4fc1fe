//! Shape queries of a hull: distance, containment, rays, volume, area, centroid.
//!
//! Heights over a face are measured from a corner of it, `n·(p - v)`, and volumes about the first vertex, so
//! that a hull far from its local origin loses nothing to the distance.

use super::closest::{distance_squared_to_polygon, nearest_on_triangle};
use super::tables::SCAN_LIMIT;
use super::{ConvexHull, Face};
use crate::math::{Coordinate, ReferenceFrame, Vec3, scalar};
use crate::physics::rigid_body::shape::{Aabb, Convex, Geometry, Ray, RayHit};

impl ConvexHull {
    /// Signed distance from a point to the plane of a face, m; positive outside.
    #[must_use]
    pub fn height_above(&self, face: &Face, point: Coordinate) -> f64 {
        face.normal.dot(point - self.anchor(face))
    }

    /// The corner of a face that its plane goes through.
    fn anchor(&self, face: &Face) -> Coordinate {
        self.vertices[self.half_edges[face.first_edge as usize].origin as usize]
    }

    /// The nearest point of the hull to a point outside of it.
    pub(in crate::physics::rigid_body::shape) fn nearest_point_outside(
        &self,
        point: Coordinate,
    ) -> Coordinate {
        let mut nearest = (f64::INFINITY, point);
        self.for_each_triangle(|face, corners, _| {
            if self.height_above(face, point) >= -2.0 * self.resolution {
                let found = nearest_on_triangle(point, corners);
                let distance = found.distance_squared(point);
                if distance < nearest.0 {
                    nearest = (distance, found);
                }
            }
        });
        nearest.1
    }

    /// Square of the distance from a point to the polygon of a face, `height` above its plane.
    fn distance_squared_to_face(&self, face: &Face, point: Coordinate, height: f64) -> f64 {
        let corners = self.face_edges(face).iter().map(|edge| self.vertices[edge.origin as usize]);
        let edges = corners.clone().zip(corners.clone().skip(1).chain(corners.take(1))).map(|(a, b)| [a, b]);
        distance_squared_to_polygon(point, edges, face.normal, height, self.resolution)
    }

    /// Calls `visit` for every triangle of every face, cut as a fan from its first corner: the face, the three
    /// corners, and twice the triangle's area.
    fn for_each_triangle(&self, mut visit: impl FnMut(&Face, [Coordinate; 3], f64)) {
        for face in &self.faces {
            let mut corners = self.face_vertices(face);
            let (Some(a), Some(mut b)) = (corners.next(), corners.next()) else { continue };
            for c in corners {
                // Along the normal, not by length: for a needle the other components are rounding.
                visit(face, [a, b, c], (b - a).cross(c - a).dot(face.normal));
                b = c;
            }
        }
    }

    /// Six times the volume, and the sum over tetrahedra of six times their volume times four times their centroid,
    /// both about the first vertex. The volume of a tetrahedron is area times height over three: none is negative,
    /// and a plate or a needle keeps the digits that its coordinates have, which triple products would cancel.
    fn volume_moments(&self) -> (f64, Vec3) {
        let origin = self.vertices[0];
        let mut volume = 0.0;
        let mut moment = Vec3::ZERO;
        self.for_each_triangle(|face, [a, b, c], double_area| {
            let six_volumes = double_area * face.normal.dot(a - origin);
            volume += six_volumes;
            moment += ((a - origin) + (b - origin) + (c - origin)) * six_volumes;
        });
        (volume, moment)
    }
}

impl Geometry for ConvexHull {
    fn bounding_box(&self, frame: &ReferenceFrame) -> Aabb {
        // Few vertices are turned sooner than searched along six directions.
        if self.vertices.len() <= SCAN_LIMIT {
            let turn = frame.rotation();
            let turned = Aabb::from_points(self.vertices.iter().map(|vertex| turn * *vertex));
            return Aabb::new(frame.position + turned.min, frame.position + turned.max);
        }
        let reach = |direction: Vec3| {
            let local = frame.direction_to_local(direction);
            frame.point_to_parent(self.vertices[self.support_index(local) as usize])
        };
        let min = Vec3::new(reach(-Vec3::X).x, reach(-Vec3::Y).y, reach(-Vec3::Z).z);
        let max = Vec3::new(reach(Vec3::X).x, reach(Vec3::Y).y, reach(Vec3::Z).z);
        Aabb::new(min, max)
    }

    /// Outside, the Euclidean distance to the closest point of the hull; inside, minus the distance to the closest
    /// face. Linear in the number of faces.
    fn signed_distance(&self, point: Coordinate) -> f64 {
        let mut highest = f64::NEG_INFINITY;
        let mut outside = f64::INFINITY;
        for face in &self.faces {
            let height = self.height_above(face, point);
            highest = scalar::max(highest, height);
            // The closest point of a convex solid is on a face that the point is above. Rounding, and corners that
            // are below the plane of their face by up to the resolution, may hide that.
            if height >= -2.0 * self.resolution {
                let squared = self.distance_squared_to_face(face, point, scalar::max(height, 0.0));
                outside = scalar::min(outside, squared);
            }
        }
        if highest > 0.0 { outside.sqrt() } else { highest }
    }

    /// True where the point is above no face by more than [`ConvexHull::resolution`]: inside, on the surface, and, so
    /// that all input points are contained, a little outside.
    fn contains(&self, point: Coordinate) -> bool {
        self.faces.iter().all(|face| self.height_above(face, point) <= self.resolution)
    }

    fn cast_ray(&self, ray: &Ray, max_distance: f64) -> Option<RayHit> {
        let mut enter = RayHit { distance: 0.0, normal: -ray.direction };
        let mut leave = max_distance;
        for face in &self.faces {
            let height = self.height_above(face, ray.origin);
            let descent = -face.normal.dot(ray.direction);
            if descent > 0.0 {
                let distance = height / descent;
                if distance > enter.distance {
                    enter = RayHit { distance, normal: face.normal };
                }
            } else if height > 0.0 {
                return None;
            } else if descent < 0.0 {
                leave = scalar::min(leave, height / descent);
            }
        }
        (enter.distance <= leave).then_some(enter)
    }

    fn volume(&self) -> f64 {
        self.volume_moments().0 / 6.0
    }

    fn surface_area(&self) -> f64 {
        let mut double_area = 0.0;
        self.for_each_triangle(|_, _, triangle| double_area += triangle);
        0.5 * double_area
    }

    fn centroid(&self) -> Option<Coordinate> {
        let (volume, moment) = self.volume_moments();
        Some(self.vertices[0] + moment / (4.0 * volume))
    }
}

impl Convex for ConvexHull {
    fn support(&self, direction: Vec3) -> Coordinate {
        self.vertices[self.support_index(direction) as usize]
    }
}

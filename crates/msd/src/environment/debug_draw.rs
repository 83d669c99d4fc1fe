//! A world as lines, for a renderer of one's own: outlines of shapes, bounding boxes, contacts, joints.
//!
//! Everything is in world coordinates at the present time. Round shapes are drawn by the curves in which they are seen along the
//! axes of their frame.

use std::f64::consts::TAU;

use super::World;
use crate::math::{Coordinate, ReferenceFrame, Vec3, orientation, scalar};
use crate::physics::constraints::ConstraintHandle;
use crate::physics::rigid_body::BodyHandle;
use crate::physics::rigid_body::shape::{ConvexHull, Geometry, Shape, TriangleMesh};

/// Lines of a circle.
const SEGMENTS: u32 = 32;

/// What a line belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DrawnPart {
    /// The outline of a body's shape.
    Shape(BodyHandle),
    /// The box around a body.
    Bounds(BodyHandle),
    /// The mean force of a contact in the last step on its second body, from the contact point.
    ContactForce(BodyHandle, BodyHandle),
    /// From the centre of mass of a body to the anchor of a joint.
    Joint(ConstraintHandle),
}

/// What is drawn, and how large.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawSettings {
    /// Outlines of shapes.
    pub shapes: bool,
    /// Boxes around bodies.
    pub bounds: bool,
    /// Contact forces of the last step.
    pub contacts: bool,
    /// Joints.
    pub joints: bool,
    /// Length of the line of a force, m/N.
    pub force_scale: f64,
    /// Half of the width in which half-spaces are drawn, m.
    pub plane_reach: f64,
}

impl Default for DrawSettings {
    /// Shapes, contacts and joints; 1 cm for each newton, planes 10 m to each side.
    fn default() -> Self {
        Self {
            shapes: true,
            bounds: false,
            contacts: true,
            joints: true,
            force_scale: 0.01,
            plane_reach: 10.0,
        }
    }
}

impl World {
    /// Calls `line` with both ends (m) of every line and what it belongs to.
    ///
    /// ```
    /// # use msd::environment::{BodyDescription, DrawSettings, DrawnPart, World};
    /// # use msd::prelude::*;
    /// let mut world = World::new();
    /// let cube = world.add_body(BodyDescription::dynamic("cube", Cuboid::new(Vec3::ONE)?).mass(1.0))?;
    /// let mut lines = Vec::new();
    /// world.draw(&DrawSettings::default(), |from, to, part| {
    ///     if part == DrawnPart::Shape(cube) {
    ///         lines.push([from, to]);
    ///     }
    /// });
    /// assert_eq!(lines.len(), 12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn draw(&self, settings: &DrawSettings, mut line: impl FnMut(Coordinate, Coordinate, DrawnPart)) {
        for (handle, view) in self.bodies() {
            let Some(shape) = &view.body.shape else { continue };
            let frame = view.body.frame(view.state);
            if settings.shapes {
                let mut visit = |a, b| line(a, b, DrawnPart::Shape(handle));
                outline(shape, &frame, settings.plane_reach, &mut visit);
            }
            if settings.bounds && shape.is_bounded() {
                let bounds = shape.bounding_box(&frame);
                let at = ReferenceFrame::from_position(bounds.center());
                edges_of_box(bounds.size(), &at, &mut |a, b| line(a, b, DrawnPart::Bounds(handle)));
            }
        }
        if settings.contacts {
            for contact in self.contacts() {
                let part = DrawnPart::ContactForce(contact.body_a, contact.body_b);
                line(contact.position, contact.position + contact.force() * settings.force_scale, part);
            }
        }
        if settings.joints {
            for (joint, _, constraint) in self.joints() {
                let Ok(anchor) = self.joint_anchor(joint) else { continue };
                for body in constraint.bodies().into_iter().flatten() {
                    if let Ok(view) = self.body(body) {
                        line(view.state.center_of_mass, anchor, DrawnPart::Joint(joint));
                    }
                }
            }
        }
    }
}

type Visit<'a> = &'a mut dyn FnMut(Coordinate, Coordinate);

fn outline(shape: &Shape, frame: &ReferenceFrame, plane_reach: f64, visit: Visit<'_>) {
    match shape {
        Shape::Box(cuboid) => edges_of_box(cuboid.size(), frame, visit),
        Shape::Cylinder(round) => tube(round.radius(), round.radius(), 0.5 * round.length(), frame, visit),
        Shape::Cone(round) => tube(round.radius(), 0.0, 0.5 * round.length(), frame, visit),
        Shape::HalfSpace(plane) => {
            let turn = orientation::between_directions(Vec3::Z, plane.normal());
            let at = frame.compose(&ReferenceFrame::new(plane.normal() * plane.offset(), turn));
            for k in -5..=5 {
                let s = f64::from(k) / 5.0 * plane_reach;
                for (a, b) in [
                    (Vec3::new(s, -plane_reach, 0.0), Vec3::new(s, plane_reach, 0.0)),
                    (Vec3::new(-plane_reach, s, 0.0), Vec3::new(plane_reach, s, 0.0)),
                ] {
                    visit(at.point_to_parent(a), at.point_to_parent(b));
                }
            }
        }
        Shape::Hull(hull) => edges_of_hull(hull, frame, visit),
        Shape::Compound(compound) => {
            compound
                .parts()
                .iter()
                .for_each(|part| outline(&part.shape, &frame.compose(&part.frame), plane_reach, visit));
        }
        Shape::Mesh(mesh) => edges_of_mesh(mesh, frame, visit),
        Shape::Sphere(_)
        | Shape::Capsule(_)
        | Shape::Ellipsoid(_)
        | Shape::Rounded(_)
        | Shape::TaperedCapsule(_) => {
            for (u, v) in [(Vec3::X, Vec3::Y), (Vec3::Y, Vec3::Z), (Vec3::Z, Vec3::X)] {
                curve(frame, visit, |c, s| shape.support(u * c + v * s).unwrap_or_default());
            }
        }
    }
}

/// A closed curve over the cosine and sine of an angle.
fn curve(frame: &ReferenceFrame, visit: Visit<'_>, point: impl Fn(f64, f64) -> Coordinate) {
    let at = |k: u32| {
        let (s, c) = scalar::sin_cos(TAU * f64::from(k % SEGMENTS) / f64::from(SEGMENTS));
        frame.point_to_parent(point(c, s))
    };
    (0..SEGMENTS).for_each(|k| visit(at(k), at(k + 1)));
}

fn edges_of_box(size: Vec3, frame: &ReferenceFrame, visit: Visit<'_>) {
    let corner = |k: u32| {
        let side = |bit: u32| if k >> bit & 1 == 0 { -0.5 } else { 0.5 };
        frame.point_to_parent(Vec3::new(side(0), side(1), side(2)) * size)
    };
    for from in 0..8 {
        for bit in [1, 2, 4] {
            if from & bit == 0 {
                visit(corner(from), corner(from | bit));
            }
        }
    }
}

/// Circles at the bottom and the top, and four lines between them.
fn tube(bottom: f64, top: f64, half: f64, frame: &ReferenceFrame, visit: Visit<'_>) {
    for (radius, z) in [(bottom, -half), (top, half)] {
        if radius > 0.0 {
            curve(frame, visit, |c, s| Vec3::new(radius * c, radius * s, z));
        }
    }
    for side in [Vec3::X, Vec3::Y, -Vec3::X, -Vec3::Y] {
        let [low, high] = [side * bottom - Vec3::Z * half, side * top + Vec3::Z * half];
        visit(frame.point_to_parent(low), frame.point_to_parent(high));
    }
}

fn edges_of_hull(hull: &ConvexHull, frame: &ReferenceFrame, visit: Visit<'_>) {
    for &edge in hull.edges() {
        let from = hull.half_edges()[edge as usize].origin;
        let [a, b] =
            [from, hull.destination(edge)].map(|k| frame.point_to_parent(hull.vertices()[k as usize]));
        visit(a, b);
    }
}

fn edges_of_mesh(mesh: &TriangleMesh, frame: &ReferenceFrame, visit: Visit<'_>) {
    let at = |k: u32| frame.point_to_parent(mesh.vertices()[k as usize]);
    for &[a, b, c] in mesh.triangles() {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            // Each edge of a closed mesh is drawn by one of its two triangles.
            if from < to || !mesh.is_closed() {
                visit(at(from), at(to));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environment::{BodyDescription, Ground};
    use crate::physics::rigid_body::shape::{
        Capsule, Compound, CompoundPart, Cone, Cuboid, Cylinder, Ellipsoid, HalfSpace, Rounded, Sphere,
    };

    #[test]
    fn lines_of_every_shape_are_on_its_surface() {
        let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
        let ball: Shape = Sphere::new(0.5).unwrap().into();
        let parts = vec![CompoundPart { frame: ReferenceFrame::from_position(Vec3::X), shape: ball.clone() }];
        let shapes: Vec<(Shape, usize)> = vec![
            (ball, 96),
            (Cuboid::new(Vec3::new(1.0, 2.0, 3.0)).unwrap().into(), 12),
            (Capsule::new(0.3, 1.0).unwrap().into(), 96),
            (Cylinder::new(0.3, 1.0).unwrap().into(), 68),
            (Cone::new(0.3, 1.0).unwrap().into(), 36),
            (Ellipsoid::new(Vec3::new(0.3, 0.2, 0.1)).unwrap().into(), 96),
            (Rounded::new(Cuboid::new(Vec3::ONE).unwrap(), 0.1).unwrap().into(), 96),
            (HalfSpace::new(Vec3::new(1.0, 2.0, 2.0), 0.3).unwrap().into(), 22),
            (ConvexHull::from_points(&corners).unwrap().into(), 6),
            (Compound::new(parts).unwrap().into(), 96),
            (
                TriangleMesh::new(corners.to_vec(), vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
                    .unwrap()
                    .into(),
                6,
            ),
        ];
        let turn = orientation::from_rotation_vector(Vec3::new(0.4, -0.7, 1.1));
        for (shape, count) in shapes {
            let frame = ReferenceFrame::new(Vec3::new(3.0, -2.0, 1.0), turn);
            let mut world = World::new();
            let body = BodyDescription::fixed("it", shape.clone()).position(frame.position).orientation(turn);
            let handle = world.add_body(body).unwrap();
            let mut lines = 0;
            world.draw(&DrawSettings::default(), |a, b, part| {
                assert_eq!(part, DrawnPart::Shape(handle));
                for end in [a, b] {
                    let off = shape.signed_distance(frame.point_to_local(end));
                    assert!(off.abs() < 1e-14, "{}: {off}", shape.type_name());
                }
                lines += 1;
            });
            assert_eq!(lines, count, "{}", shape.type_name());
        }
    }

    #[test]
    fn forces_bounds_and_joints_are_where_they_are() {
        let mut world = World::new();
        world.set_gravity(Vec3::Z * -10.0).unwrap();
        world.add_body(BodyDescription::fixed("floor", HalfSpace::new(Vec3::Z, 0.0).unwrap())).unwrap();
        let ball =
            BodyDescription::dynamic("ball", Sphere::new(0.5).unwrap()).mass(2.0).position(Vec3::Z * 0.5);
        let ball = world.add_body(ball).unwrap();
        let bob = BodyDescription::dynamic("bob", Sphere::new(0.1).unwrap())
            .mass(1.0)
            .position(Vec3::new(3.0, 0.0, 1.0));
        let bob = world.add_body(bob).unwrap();
        let pivot = world.add_ball_joint("pivot", Ground, bob, Vec3::new(3.0, 0.0, 2.0)).unwrap();
        world.step(0.01).unwrap();
        let settings =
            DrawSettings { shapes: false, bounds: true, force_scale: 0.1, ..DrawSettings::default() };
        let (mut forces, mut bounds, mut joints) = (0, 0, 0);
        world.draw(&settings, |a, b, part| match part {
            DrawnPart::ContactForce(_, on) => {
                assert_eq!(on, ball);
                assert!(a.length() < 1e-12 && (b - Vec3::Z * 2.0).length() < 1e-9, "{a} {b}");
                forces += 1;
            }
            DrawnPart::Bounds(_) => bounds += 1,
            DrawnPart::Joint(joint) => {
                assert_eq!(joint, pivot);
                assert!((b - Vec3::new(3.0, 0.0, 2.0)).length() < 1e-9 && (a - b).length() - 1.0 < 1e-9);
                joints += 1;
            }
            DrawnPart::Shape(_) => panic!("shapes were not asked for"),
        });
        assert_eq!((forces, bounds, joints), (1, 24, 1));
    }
}

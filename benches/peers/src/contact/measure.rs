//! How well a scene is held, measured the same way for every engine from the poses it gives.

use std::collections::HashSet;

use msd::math::{ReferenceFrame, Vec3};
use msd::physics::collision::distance;
use msd::physics::rigid_body::shape::{Geometry, Shape};

use super::ours::shape;
use super::scene::{Question, Scene};

pub struct Judge {
    shapes: Vec<Shape>,
    /// Ends of each joint in the frames of its bodies, m.
    anchors: Vec<[Vec3; 2]>,
    /// Bodies with a joint between them, which do not collide.
    joined: HashSet<(usize, usize)>,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Quality {
    /// Deepest overlap, m.
    pub overlap: f64,
    /// Drift or stretch, m.
    pub error: f64,
}

impl Quality {
    pub fn worse(self, other: Self) -> Self {
        let worst = |a: f64, b: f64| if b.is_nan() || b > a { b } else { a };
        Self { overlap: worst(self.overlap, other.overlap), error: worst(self.error, other.error) }
    }
}

impl Judge {
    pub fn new(scene: &Scene) -> Self {
        let local = |body: usize, point: Vec3| scene.bodies[body].frame.point_to_local(point);
        Self {
            shapes: scene.bodies.iter().map(|body| shape(&body.form)).collect(),
            anchors: scene.joints.iter().map(|j| [local(j.a, j.anchor), local(j.b, j.anchor)]).collect(),
            joined: scene.joints.iter().map(|j| (j.a.min(j.b), j.a.max(j.b))).collect(),
        }
    }

    pub fn judge(&self, scene: &Scene, poses: &[ReferenceFrame]) -> Quality {
        if poses.iter().any(|pose| !pose.position.is_finite()) {
            return Quality { overlap: f64::NAN, error: f64::NAN };
        }
        let overlap = if scene.collide { self.overlap(scene, poses) } else { 0.0 };
        let error = match scene.question {
            Question::Drift => drift(scene, poses),
            Question::Stretch => self.stretch(scene, poses),
            Question::Nothing => 0.0,
        };
        Quality { overlap, error }
    }

    /// Sweep along x over boxes, then the exact distance of every pair that meets.
    fn overlap(&self, scene: &Scene, poses: &[ReferenceFrame]) -> f64 {
        let boxes: Vec<_> = self.shapes.iter().zip(poses).map(|(s, pose)| s.bounding_box(pose)).collect();
        let mut order: Vec<usize> = (0..boxes.len()).collect();
        order.sort_by(|&a, &b| boxes[a].min.x.total_cmp(&boxes[b].min.x));
        let mut worst: f64 = 0.0;
        for (place, &a) in order.iter().enumerate() {
            for &b in order[place + 1..].iter().take_while(|&&b| boxes[b].min.x <= boxes[a].max.x) {
                let fixed = scene.bodies[a].mass.is_none() && scene.bodies[b].mass.is_none();
                let joined = self.joined.contains(&(a.min(b), a.max(b)));
                let apart = boxes[a].min.cmpgt(boxes[b].max).any() || boxes[b].min.cmpgt(boxes[a].max).any();
                if !fixed && !joined && !apart {
                    let gap = distance(&self.shapes[a], &poses[a], &self.shapes[b], &poses[b]).signed;
                    worst = worst.max(-gap);
                }
            }
        }
        worst
    }

    fn stretch(&self, scene: &Scene, poses: &[ReferenceFrame]) -> f64 {
        let apart = scene.joints.iter().zip(&self.anchors).map(|(joint, [a, b])| {
            (poses[joint.a].point_to_parent(*a) - poses[joint.b].point_to_parent(*b)).length()
        });
        apart.fold(0.0, f64::max)
    }
}

fn drift(scene: &Scene, poses: &[ReferenceFrame]) -> f64 {
    let moved = scene.bodies.iter().zip(poses).map(|(b, pose)| (pose.position - b.frame.position).length());
    moved.fold(0.0, f64::max)
}

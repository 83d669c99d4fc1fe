//! Displacement not explained by velocities.
//!
//! Contact displaces a body by `d` from the end of free flight to the end of the step. Impulses that change its
//! velocity by Δv at one time of the step displace it by `s Δv` with 0 ≤ s ≤ dt: d must lie on that segment. Impulses
//! of impacts, and of joints in a step with impacts, act at times of their own, and widen it by their sum over the mass times dt. The rest must not exceed
//! the overlap of the body before the step, out of which it may be pushed. Rotations alike, with the angular
//! velocity.

use super::evidence::Evidence;
use super::geometry::GeometryJudge;
use super::step_certificate::StepCertificate;
use crate::math::{Mat3, Vec3, orientation, scalar};
use crate::tolerance;

/// Distance of `d` from the segment between zero and `end`.
fn from_segment(d: Vec3, end: Vec3) -> f64 {
    let square = end.length_squared();
    let part = if square > 0.0 { scalar::clamp(d.dot(end) / square, 0.0, 1.0) } else { 0.0 };
    (d - end * part).length()
}

/// Displacement of a body beyond the one that its velocities explain, m and rad.
#[derive(Clone, Copy, Debug)]
struct Unexplained {
    slot: usize,
    distance: f64,
    angle: f64,
}

/// Workspace of the check.
#[derive(Clone, Debug, Default)]
pub(super) struct DisplacementJudge {
    /// Sums of the impulses of impacts and joints on each body and of their moments, by slot: N·s, N·m·s.
    impacts: Vec<[f64; 2]>,
    displaced: Vec<Unexplained>,
    marked: Vec<bool>,
}

impl DisplacementJudge {
    pub(super) fn judge(
        &mut self,
        step: &Evidence<'_>,
        geometry: &mut GeometryJudge,
        found: &mut StepCertificate,
    ) {
        self.collect(step, geometry);
        if self.displaced.is_empty() {
            return;
        }
        self.marked.clear();
        self.marked.resize(step.bodies.len(), false);
        self.displaced.iter().for_each(|body| self.marked[body.slot] = true);
        geometry.measure_overlaps_before(step, &self.marked);
        for &Unexplained { slot, distance, angle } in &self.displaced {
            let (size, before) = (geometry.size(slot), geometry.overlap_before(slot));
            found.displacement.worsen(scalar::max(0.0, distance - before) / size, [Some(slot), None]);
            found.rotation.worsen(scalar::max(0.0, angle - before / size), [Some(slot), None]);
        }
    }

    /// Lists bodies whose displacement by contact is not explained by their velocities.
    fn collect(&mut self, step: &Evidence<'_>, geometry: &GeometryJudge) {
        self.displaced.clear();
        self.impacts.clear();
        self.impacts.extend_from_slice(step.timed_joints);
        self.impacts.resize(step.bodies.len(), [0.0; 2]);
        for point in step.points.iter().filter(|point| point.timed > 0.0) {
            for (slot, arm) in [(point.a, point.arms[0]), (point.b, point.arms[1])] {
                let [linear, angular] = &mut self.impacts[slot];
                *linear += point.timed;
                *angular += point.timed * arm.length();
            }
        }
        for slot in 0..step.bodies.len() {
            let (flown, end, inertia) = (&step.flown[slot], &step.end[slot], &step.inertias[slot]);
            let d = end.center_of_mass - flown.center_of_mass;
            let same = d == Vec3::ZERO && end.orientation == flown.orientation;
            if same || !inertia.is_movable() || step.bodies[slot].shape.is_none() {
                continue;
            }
            let [linear, angular] = self.impacts[slot];
            let dv = (end.velocity - flown.velocity) * step.dt;
            let distance = from_segment(d, dv) - linear * inertia.inverse_mass() * step.dt;
            let turn = orientation::rotation_vector(end.orientation * flown.orientation.conjugate());
            let dw = (end.angular_velocity - flown.angular_velocity) * step.dt;
            let softest = inertia.inverse_tensor_world(&Mat3::from_quat(end.orientation));
            let softest = [softest.x_axis, softest.y_axis, softest.z_axis].map(Vec3::length);
            let softest = softest.into_iter().fold(0.0, scalar::max);
            // Rotations do not add: of a body that rotates by θ in the step, a share θ of an impulsive rotation is
            // not along it. In contact the orientation is integrated by a second-order rule, whose error against the
            // free rotation is of the order of θ³.
            let spin = scalar::max(flown.angular_velocity.length(), end.angular_velocity.length()) * step.dt;
            let angle = from_segment(turn, dw)
                - angular * softest * step.dt
                - spin * dw.length()
                - spin * spin * spin;
            let allowed = tolerance::OVERLAP_CERTIFIED;
            if !(distance <= allowed * geometry.size(slot) && angle <= allowed) {
                self.displaced.push(Unexplained { slot, distance, angle });
            }
        }
    }
}

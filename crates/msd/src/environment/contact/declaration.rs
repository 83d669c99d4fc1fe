//! Declarations of contact for the certificate: points with their impulses, and impacts at their instants.

use super::contact_constraint::ContactConstraint;
use super::contacts::Contacts;
use crate::certificate::{DeclaredImpact, DeclaredPoint, Motion};
use crate::math::Vec3;
use crate::physics::constraints::ConstraintSet;
use crate::physics::constraints::contact::BodyVelocity;
use crate::physics::rigid_body::InertialState;

/// A point with its bodies in the order of their slots.
fn ordered(point: DeclaredPoint) -> DeclaredPoint {
    if point.a <= point.b {
        return point;
    }
    let [arm_a, arm_b] = point.arms;
    let (normal, transmitted) = (-point.normal, -point.transmitted);
    DeclaredPoint { a: point.b, b: point.a, normal, transmitted, arms: [arm_b, arm_a], ..point }
}

fn motion(velocity: &BodyVelocity) -> Motion {
    Motion { linear: velocity.linear, angular: velocity.angular }
}

impl Contacts {
    /// Every point of the step with its lever arms at the end of it, `dt` seconds after the states `before`.
    pub(in crate::environment) fn declare_points(
        &self,
        before: &[InertialState],
        dt: f64,
        points: &mut Vec<DeclaredPoint>,
    ) {
        points.clear();
        // A point that was lost within the step has transmitted its impulse all the same.
        let there = |c: &&ContactConstraint| !c.is_vacant() || c.persistent + c.impact != Vec3::ZERO;
        points.extend(self.candidates.iter().filter(there).map(|c| {
            ordered(DeclaredPoint {
                a: c.a,
                b: c.b,
                normal: c.frame.x_axis,
                arms: c.arms_at(dt),
                gap: c.end_gap,
                impulse: c.persistent.x + c.impact.x,
                impact: c.impact.length(),
                transmitted: c.frame * (c.persistent + c.impact),
                restitution: c.material.restitution,
                timed: c.timed + c.impact.length(),
            })
        }));
        points.extend(self.fast.touching_points().map(|point| {
            let arm = |slot: usize| -> Vec3 { point.position - before[slot].center_of_mass };
            ordered(DeclaredPoint {
                a: point.a,
                b: point.b,
                normal: point.frame.x_axis,
                arms: [arm(point.a), arm(point.b)],
                gap: point.gap,
                impulse: point.impulse.x,
                impact: point.impulse.length(),
                transmitted: point.frame * point.impulse,
                restitution: point.material.restitution,
                timed: point.impulse.length(),
            })
        }));
    }

    /// Impulses of joints that acted at times of their own, and their moments, by slot.
    pub(in crate::environment) fn declare_joints(
        &self,
        joints: &ConstraintSet,
        slots: usize,
        timed: &mut Vec<[f64; 2]>,
    ) {
        timed.clear();
        if self.timed_impulses.is_empty() {
            return;
        }
        let impulses = (0..self.rows.end.len()).map(|number| self.timed_impulses[joints.row_of_part(number)]);
        for (row, impulse) in self.rows.end.iter().zip(impulses).filter(|(_, p)| *p > 0.0) {
            timed.resize(slots, [0.0; 2]);
            for (slot, wrench) in row.slots.into_iter().zip([row.jacobian.on_a(), row.jacobian.on_b()]) {
                if let Some([linear, angular]) = slot.map(|slot| &mut timed[slot]) {
                    *linear += impulse * wrench.force.length();
                    *angular += impulse * wrench.torque.length();
                }
            }
        }
    }

    /// Every struck contact with its required restitution.
    pub(in crate::environment) fn declare_impacts(&self, impacts: &mut Vec<DeclaredImpact>) {
        impacts.clear();
        let bounced = self.impact_records.iter().filter(|record| record.bounced);
        impacts.extend(bounced.map(|record| DeclaredImpact {
            a: record.a,
            b: record.b,
            normal: record.normal,
            arms: [record.arm_a, record.arm_b],
            time: record.time,
            orientations: record.orientations,
            restitution: record.restitution,
            transmitted: record.impulse > 0.0,
            before: record.before.each_ref().map(motion),
            after: record.after.each_ref().map(motion),
        }));
    }

    /// True if a joint or the user excludes collisions of two bodies.
    pub(in crate::environment) fn is_excluded(&self, a: usize, b: usize) -> bool {
        self.detector.filter().is_excluded(a as u32, b as u32) || self.responses.is_suspended(a, b)
    }
}

//! Joints of a batch: their tension stiffness, and their input to the solver.
//!
//! A ball joint is given by its held point at the start of the step and where velocities alone would move it by the
//! end; other joints by their active rows.

use super::super::joint_row::{JointRows, lasting_point, rate};
use super::fast_step::FastStep;
use super::island_batch::IslandBatch;
use super::pair_contacts::WORLD;
use crate::math::{Coordinate, Vec3};
use crate::physics::constraints::contact::BodyVelocity;
use crate::physics::constraints::contact::soft::{SoftBallJoint, SoftBody, SoftRotor, SoftRow};
use crate::physics::constraints::{ConstraintRow, JointPlace, RowLaw};

/// Independent loops that joints of connected bodies may close and still be held exactly in the fast tier
/// while nothing touches them. tuned: a net of 4 x 4 bodies (10 loops) takes 0.7 ms a step exactly, 5 x 5 (17
/// loops) 6 ms, 6 x 6 (26 loops) 40 ms; with soft joints the last takes 0.1 ms. Trees take time in proportion
/// to their joints.
pub(in crate::environment::contact) const EXACT_LOOPS: usize = 16;

impl IslandBatch {
    /// Geometric stiffness of joints under tension, as far as the step does not resolve it.
    ///
    /// A force f that a joint exerts at r from the centre of mass does not rotate with either: rotating the body by θ
    /// changes its torque by `-(f·r) θ`, less along f. Within a step lever arms are those at mid-step, and a body
    /// swings stably about them as long as `¼ dt² f·r` is less than its moment of inertia. A light link of a taut net
    /// has less: it gets `dt² f·r`, as an implicit method would add.
    pub(super) fn tension_stiffness(&mut self, step: &FastStep<'_>, local: &[u32]) {
        let FastStep { flight, joints, row_forces, .. } = *step;
        self.tensions.clear();
        self.starts.clear();
        if self.joints.is_empty() {
            return;
        }
        let (mut tensions, mut starts) =
            (std::mem::take(&mut self.tensions), std::mem::take(&mut self.starts));
        tensions.resize(self.slots.len(), 0.0);
        let mut pull = |end: Option<usize>, anchor: Coordinate, force: Vec3| {
            let Some(slot) = end.filter(|slot| flight.inertias[*slot].is_movable()) else { return };
            let arm = anchor - flight.before[slot].center_of_mass;
            tensions[self.index_of(slot, None, local) as usize] += force.dot(arm);
        };
        for &number in &self.joints {
            let place = &joints.places[number as usize];
            let force = |row: u32| row_forces.get((place.key + row) as usize).copied().unwrap_or(0.0);
            if let Some(start) = flight.joints.held_point(number as usize, flight.before) {
                let on_b = place.slots[1].map_or(Vec3::ZERO, |slot| flight.before[slot].center_of_mass);
                let (anchor, force) = (on_b + start.arms[1], Vec3::new(force(0), force(1), force(2)));
                pull(place.slots[0], anchor, -force);
                pull(place.slots[1], anchor, force);
                starts.push(start);
                continue;
            }
            for row in 0..place.rows {
                let ConstraintRow { law, jacobian, anchor, .. } = joints.start[(place.first + row) as usize];
                if law == RowLaw::Rigid {
                    pull(place.slots[0], anchor, jacobian.linear_a * force(row));
                    pull(place.slots[1], anchor, jacobian.linear_b * force(row));
                }
            }
        }
        (self.tensions, self.starts) = (tensions, starts);
    }

    /// Passes the joints to the solver, with the forces that warm-start their rows.
    pub(super) fn push_joints(&mut self, step: &FastStep<'_>, local: &[u32]) {
        let FastStep { flight, joints, row_forces, .. } = *step;
        if self.joints.is_empty() {
            return;
        }
        let world = self.solver.push_body(SoftBody::immovable(BodyVelocity::default()));
        self.slots.push(WORLD);
        for nth in 0..self.joints.len() {
            let number = self.joints[nth] as usize;
            let place = &joints.places[number];
            let of =
                |end: Option<usize>| end.map_or(BodyVelocity::default(), |slot| flight.after[slot].into());
            let index = |end: Option<usize>| end.map_or(world, |slot| self.index_of(slot, None, local));
            let forces = row_forces.get(place.key as usize..).unwrap_or(&[]);
            let joint = Joint {
                place,
                bodies: place.slots.map(index),
                free: place.slots.map(of),
                before: place
                    .slots
                    .map(|end| end.map_or(BodyVelocity::default(), |slot| flight.before[slot].into())),
                forces,
                dt: flight.dt,
                share: 1.0 / step.settings.fast.count() as f64,
            };
            match flight.joints.held_point(number, &joints.coasting) {
                Some(end) => {
                    let start = self.starts[self.points.len()];
                    let (arms, turning) = lasting_point(&start, &end, joint.free);
                    self.solver.push_ball_joint(joint.ball_joint(arms, turning, start.gap));
                    self.points.push(number as u32);
                }
                None => self.push_rows(&joint, joints),
            }
        }
    }

    fn push_rows(&mut self, joint: &Joint<'_>, joints: &JointRows) {
        let Self { solver, rows, .. } = self;
        let JointPlace { first, rows: count, .. } = *joint.place;
        solver.push_joint((0..count).filter_map(|nth| {
            let row = joint.row(nth, joints)?;
            rows.push((first + nth) as usize);
            Some(row)
        }));
    }
}

/// A joint as input of the solver.
struct Joint<'a> {
    place: &'a JointPlace,
    /// Indices of its bodies.
    bodies: [u32; 2],
    /// Their velocities in free flight.
    free: [BodyVelocity; 2],
    /// Their velocities where the step starts.
    before: [BodyVelocity; 2],
    /// Forces that warm-start its rows, N or N·m, followed by those of later rows; may be shorter.
    forces: &'a [f64],
    dt: f64,
    /// Fraction of the step in a substep.
    share: f64,
}

impl Joint<'_> {
    fn is_meshed(&self) -> bool {
        self.place.loops > EXACT_LOOPS
    }

    /// Impulse of a row in a substep that warm-starts it.
    fn warm_start(&self, row: u32) -> f64 {
        self.forces.get(row as usize).map_or(0.0, |force| force * (self.dt * self.share))
    }

    fn ball_joint(&self, arms: [Vec3; 2], turning: Vec3, gap: Vec3) -> SoftBallJoint {
        let warm_start = Vec3::new(self.warm_start(0), self.warm_start(1), self.warm_start(2));
        SoftBallJoint { bodies: self.bodies, arms, turning, gap, in_joint_mesh: self.is_meshed(), warm_start }
    }

    /// One of its rows; `None` if it is inactive in this step.
    fn row(&self, nth: u32, joints: &JointRows) -> Option<SoftRow> {
        let number = (self.place.first + nth) as usize;
        let row = joints.lasting(number, self.free, self.dt)?;
        let rotor = match joints.end[number].law {
            RowLaw::Rotor { inertia } => {
                let rate = rate(&joints.start[number].jacobian, self.before);
                Some(SoftRotor { inverse_inertia: 1.0 / inertia, rate })
            }
            _ => None,
        };
        let drives = rotor.is_some() || (row.lower.is_finite() && row.upper.is_finite());
        Some(SoftRow {
            body_a: self.bodies[0],
            body_b: self.bodies[1],
            jacobian: row.jacobian,
            target: row.target,
            turning: row.turning,
            lower: row.lower * self.share,
            upper: row.upper * self.share,
            value: (!drives).then_some(joints.start[number].value),
            in_joint_mesh: self.is_meshed(),
            warm_start: self.warm_start(nth),
            rotor,
        })
    }
}

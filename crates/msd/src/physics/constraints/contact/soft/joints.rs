//! All joints of a solve in the given order: ball joints as blocks, others as rows.

use super::bodies::{SoftBodies, row};
use super::point_block::{BallJointOutcome, PointBlock, SoftBallJoint};
use super::row_block::{Factor, Pass, PushPass, RowBlock};
use super::rows::{RowState, SoftRow};
use crate::math::Vec3;

/// Joints with their prepared data.
#[derive(Clone, Debug, Default)]
pub(super) struct SoftJoints {
    rows: Vec<RowState>,
    points: Vec<PointBlock>,
    factors: Vec<Factor>,
    blocks: Vec<RowBlock>,
    row_residuals: Vec<f64>,
}

impl SoftJoints {
    pub(super) fn clear(&mut self) {
        self.rows.clear();
        self.points.clear();
        self.factors.clear();
        self.blocks.clear();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    pub(super) fn push_ball_joint(&mut self, joint: SoftBallJoint, bodies: &SoftBodies) {
        self.blocks.push(RowBlock::Point(self.points.len() as u32));
        self.points.push(PointBlock::new(joint, &bodies.given));
    }

    /// Adds the rows of one joint.
    pub(super) fn push_joint(&mut self, rows: impl Iterator<Item = SoftRow>, bodies: &SoftBodies) {
        let first = self.rows.len();
        self.rows.extend(rows.map(|row| RowState::new(row, bodies)));
        RowBlock::divide(&self.rows, first, &mut self.blocks, &mut self.factors);
    }

    /// True if there are no impulses to start from.
    pub(super) fn is_cold(&self) -> bool {
        self.rows.iter().all(|row| row.impulse == 0.0)
            && self.points.iter().all(|point| point.impulse == Vec3::ZERO)
    }

    /// Applies the impulses that they start from.
    pub(super) fn warm_start(&mut self, bodies: &mut SoftBodies) {
        for block in &self.blocks {
            match block {
                RowBlock::Point(point) => self.points[*point as usize].warm_start(bodies),
                rows => self.rows[rows.range()].iter_mut().for_each(|row| row.warm_start(bodies)),
            }
        }
    }

    /// Push pass over all joints in order: limits as soft as contacts, rigid rows with stiffer springs.
    pub(super) fn push(&mut self, bodies: &mut SoftBodies, pass: &PushPass<'_>) {
        for nth in 0..self.blocks.len() {
            self.push_block(nth, bodies, pass);
        }
    }

    /// The same in reverse order, without joints in many loops.
    pub(super) fn push_back(&mut self, bodies: &mut SoftBodies, pass: &PushPass<'_>) {
        for nth in (0..self.blocks.len()).rev() {
            if !self.is_meshed(nth) {
                self.push_block(nth, bodies, pass);
            }
        }
    }

    fn is_meshed(&self, nth: usize) -> bool {
        match self.blocks[nth] {
            RowBlock::Point(point) => self.points[point as usize].given.in_joint_mesh,
            RowBlock::Rigid { first, .. } | RowBlock::Bounded(first) => {
                self.rows[first as usize].row.in_joint_mesh
            }
        }
    }

    fn push_block(&mut self, nth: usize, bodies: &mut SoftBodies, push: &PushPass<'_>) {
        let pass = if self.is_meshed(nth) { &push.meshed } else { &push.rigid };
        let block = self.blocks[nth];
        match block {
            RowBlock::Point(point) => self.points[point as usize].solve(bodies, pass),
            RowBlock::Rigid { factor, .. } => {
                self.factors[factor as usize].solve(&mut self.rows[block.range()], bodies, pass);
            }
            RowBlock::Bounded(row) => {
                self.rows[row as usize].push(bodies, push.limit, push.per_second, pass.share)
            }
        }
    }

    /// Relax pass over all joints in reverse order: velocities without springs.
    pub(super) fn relax(&mut self, bodies: &mut SoftBodies, pass: &Pass) {
        for block in self.blocks.iter().rev() {
            match *block {
                RowBlock::Point(point) => self.points[point as usize].relax(bodies, pass),
                RowBlock::Rigid { factor, .. } => {
                    let rows = &mut self.rows[block.range()];
                    self.factors[factor as usize].solve(rows, bodies, pass);
                    rows.iter_mut().for_each(|row| row.sum += row.impulse);
                }
                RowBlock::Bounded(row) => self.rows[row as usize].relax(bodies, pass.share),
            }
        }
    }

    /// Ends a substep.
    pub(super) fn end(&mut self, bodies: &SoftBodies) {
        self.rows.iter_mut().for_each(|row| row.end(bodies));
    }

    /// Forgets the impulses of substeps so far.
    pub(super) fn forget(&mut self) {
        self.rows.iter_mut().for_each(|row| row.sum = 0.0);
        self.points.iter_mut().for_each(PointBlock::forget);
    }

    /// Adds the last impulses to the velocities of the residual.
    pub(super) fn add_judged(&self, bodies: &mut SoftBodies) {
        for block in &self.blocks {
            if let RowBlock::Point(point) = block {
                self.points[*point as usize].add_judged(bodies);
                continue;
            }
            for state in &self.rows[block.range()] {
                let (j, p) = (state.row.jacobian * state.impulse, &state.row);
                bodies.add_judged(p.body_a as usize, [row(j.linear_a), row(j.angular_a)]);
                bodies.add_judged(p.body_b as usize, [row(j.linear_b), row(j.angular_b)]);
            }
        }
    }

    /// Evaluates the residual of the last substep.
    pub(super) fn judge(&mut self, bodies: &SoftBodies) {
        self.points.iter_mut().for_each(|point| point.judge(bodies));
        self.row_residuals.clear();
        self.row_residuals.extend(self.rows.iter().map(|row| row.residual(bodies)));
    }

    /// A row as it was given.
    pub(super) fn row(&self, nth: usize) -> &SoftRow {
        &self.rows[nth].row
    }

    /// A row with its prepared data.
    pub(super) fn state(&self, nth: usize) -> &RowState {
        &self.rows[nth]
    }

    /// Residual of a row, m/s.
    pub(super) fn row_residual(&self, nth: usize) -> f64 {
        self.row_residuals[nth]
    }

    /// A ball joint as it was given, and its result.
    pub(super) fn ball_joint(&self, nth: usize) -> (&SoftBallJoint, BallJointOutcome) {
        (&self.points[nth].given, self.points[nth].outcome())
    }
}

#[cfg(test)]
mod tests {
    use super::super::bodies::{SoftBody, vector};
    use super::super::settings::Softness;
    use super::*;
    use crate::math::Mat3;
    use crate::physics::constraints::JacobianRow;
    use crate::physics::constraints::contact::BodyVelocity;

    const ARMS: [Vec3; 2] = [Vec3::new(0.3, -0.2, 0.5), Vec3::new(-0.4, 0.1, 0.2)];
    const GAP: Vec3 = Vec3::new(1e-3, -2e-3, 5e-4);
    const TURNING: Vec3 = Vec3::new(0.02, -0.01, 0.03);
    const WARM: Vec3 = Vec3::new(0.4, -0.3, 0.8);

    const BALL_JOINT: SoftBallJoint = SoftBallJoint {
        bodies: [0, 1],
        arms: ARMS,
        turning: TURNING,
        gap: GAP,
        in_joint_mesh: false,
        warm_start: WARM,
    };

    fn two_bodies() -> SoftBodies {
        let mut bodies = SoftBodies::default();
        for (mass, moments, spin) in [(2.0, Vec3::new(0.1, 0.2, 0.25), 1.0), (0.5, Vec3::splat(0.05), -2.0)] {
            let inertia = Mat3::from_diagonal(moments);
            bodies.given.push(SoftBody {
                inverse_mass: 1.0 / mass,
                mass,
                inverse_inertia: inertia.inverse(),
                inertia,
                start: BodyVelocity { linear: Vec3::Y * spin, angular: Vec3::new(spin, 0.5, -spin) },
                acceleration: BodyVelocity::default(),
            });
        }
        bodies.start(0.004);
        bodies
    }

    /// The joint as three uncoupled rows.
    fn three_rows() -> impl Iterator<Item = SoftRow> {
        Vec3::AXES.into_iter().enumerate().map(|(nth, axis)| SoftRow {
            body_a: 0,
            body_b: 1,
            jacobian: JacobianRow {
                linear_a: -axis,
                angular_a: -ARMS[0].cross(axis),
                linear_b: axis,
                angular_b: ARMS[1].cross(axis),
            },
            target: 0.0,
            turning: TURNING[nth],
            lower: f64::NEG_INFINITY,
            upper: f64::INFINITY,
            value: Some(GAP[nth]),
            in_joint_mesh: false,
            warm_start: WARM[nth],
            rotor: None,
        })
    }

    fn sweep_scene(joints: &mut SoftJoints, bodies: &mut SoftBodies) {
        let spring = Softness::new(1.0, 2.0, 0.004);
        joints.warm_start(bodies);
        let push = |share| {
            let pass = Pass::pushing(&spring, share);
            PushPass { rigid: pass, meshed: pass, limit: &spring, per_second: 250.0 }
        };
        joints.push(bodies, &push(-0.5));
        bodies.all().displace(0.004);
        joints.push_back(bodies, &push(0.5));
        joints.relax(bodies, &Pass::relaxing(1.0));
    }

    #[test]
    fn a_ball_joint_does_what_its_three_rows_do() {
        let (mut point, mut rows) = (SoftJoints::default(), SoftJoints::default());
        let [mut by_point, mut by_rows] = [two_bodies(), two_bodies()];
        point.push_ball_joint(BALL_JOINT, &by_point);
        rows.push_joint(three_rows(), &by_rows);
        sweep_scene(&mut point, &mut by_point);
        sweep_scene(&mut rows, &mut by_rows);
        for (a, b) in by_point.velocity.iter().zip(&by_rows.velocity) {
            for part in 0..2 {
                let apart = vector(a[part]) - vector(b[part]);
                assert!(apart.length() < 1e-13 * (1.0 + vector(a[part]).length()), "{apart}");
            }
        }
        let last = point.ball_joint(0).1;
        for nth in 0..3 {
            assert!((last.last[nth] - rows.state(nth).impulse).abs() < 1e-13);
            assert!((last.sum[nth] - rows.state(nth).sum).abs() < 1e-13);
        }
    }

    #[test]
    fn a_relaxed_ball_joint_moves_as_its_target_asks() {
        let (mut joints, mut bodies) = (SoftJoints::default(), two_bodies());
        joints.push_ball_joint(BALL_JOINT, &bodies);
        sweep_scene(&mut joints, &mut bodies);
        let of = |body: usize| {
            vector(bodies.velocity[body][0]) + vector(bodies.velocity[body][1]).cross(ARMS[body])
        };
        assert!((of(1) - of(0) - TURNING).length() < 1e-14);
    }

    #[test]
    fn an_infinite_impulse_moves_no_immovable_body() {
        let (mut joints, mut bodies) = (SoftJoints::default(), two_bodies());
        bodies.given[0] = SoftBody::immovable(BodyVelocity::default());
        bodies.start(0.004);
        let warm_start = Vec3::splat(f64::INFINITY);
        joints.push_ball_joint(SoftBallJoint { warm_start, ..BALL_JOINT }, &bodies);
        bodies.all().begin();
        joints.warm_start(&mut bodies);
        bodies.all().end(0.004);
        bodies.finish();
        assert!(bodies.motion(0, 0.004, 0.004).is_none());
        let moved = bodies.motion(1, 0.004, 0.004).expect("pulled by the joint");
        assert!(!moved.change.linear.is_finite());
    }
}

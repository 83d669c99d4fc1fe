//! `SoftSolver`: bodies, contacts and joint rows in, body motions and impulses out.
//!
//! Contacts are grouped in regions, which form a binary tree: leaves share no movable body, and a region over two
//! halves holds the contacts between them (nested dissection). A push pass visits both halves first, in parallel if
//! there are threads, then the separator; a relax pass visits the separator first, so that neither half is favoured:
//! 5 000 boxes poured into a pit overlap by 0.10 m this way, as with a single region, and by 0.18 m if both passes
//! use the same order. A tree of one region is a plain Gauss-Seidel sweep. Regions are stored in post-order: each
//! follows its two halves. The caller builds the tree ([`SoftSolver::begin`]) from the contacts alone, so results do
//! not depend on the number of threads.

use super::bodies::{BodySpan, Motion, SoftBodies, SoftBody, untwist};
use super::joints::SoftJoints;
use super::manifold::SoftPoint;
use super::point_block::{BallJointOutcome, SoftBallJoint};
use super::region::SoftRegion;
use super::restitution_phase::bounce;
use super::row_block::{Pass, PushPass};
use super::rows::SoftRow;
use super::settings::{SoftSettings, Softness};
use crate::physics::constraints::contact::BodyVelocity;
use crate::threads::{BODIES_A_TASK, Threads};

/// Frequency of the springs that close joints, cycles a substep. tuned: stiff, because a joint far from the centre
/// of mass of a light body has a small effective mass and would open in proportion.
const JOINT_CYCLES: f64 = 1.0;
/// Their damping ratio. tuned.
const JOINT_DAMPING: f64 = 2.0;

/// Frequency of the springs of joints in many loops, cycles a substep. tuned: a net of 30 x 30 bodies is stable up
/// to 0.35.
const MESHED_CYCLES: f64 = 0.25;

/// Sweeps of a step without a warm start: as many as a few warm-started steps have. tuned: without them two tests
/// of a first step fail.
const COLD_SWEEPS: usize = 40;

/// Solves one step of soft contact. It owns its memory and allocates only for a step larger than all before.
#[derive(Clone, Debug, Default)]
pub struct SoftSolver {
    bodies: SoftBodies,
    /// Each after its two halves.
    regions: Vec<SoftRegion>,
    /// Regions in use now, and in the previous buffer.
    used: usize,
    used_aside: usize,
    joints: SoftJoints,
    h: f64,
    dt: f64,
}

/// An operation on a region and its bodies. Bodies belong to leaves; contacts to all regions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    LayOut,
    Begin,
    WarmStart,
    Push,
    Displace,
    Relax,
    ForgetSums,
    End,
    BeginJudging,
    AddImpulses,
    Respond,
    Judge,
}

impl SoftSolver {
    /// Swaps the results of the last step ([`SoftSolver::regions`], [`SoftSolver::end_gap`]) with the previous
    /// buffer.
    pub fn swap_buffers(&mut self) {
        std::mem::swap(&mut self.used, &mut self.used_aside);
        self.bodies.swap_buffers();
        self.regions.iter_mut().for_each(SoftRegion::swap_buffers);
    }

    /// Clears it, keeping its memory, for a number of leaves that is a power of two.
    pub fn begin(&mut self, leaves: usize) {
        self.bodies.clear();
        self.joints.clear();
        self.used = 2 * leaves - 1;
        self.regions.resize_with(self.regions.len().max(self.used), SoftRegion::default);
    }

    /// Adds a body that belongs to no leaf and returns its index.
    pub fn push_body(&mut self, body: SoftBody) -> u32 {
        self.bodies.given.push(body);
        self.bodies.given.len() as u32 - 1
    }

    /// Sets the first `count` bodies by a function of the index. Bodies of a leaf are contiguous; its first is a
    /// dummy, and static bodies are copied to every leaf that touches them.
    pub fn set_bodies(&mut self, threads: &Threads, count: usize, body: impl Fn(usize) -> SoftBody + Sync) {
        self.bodies.given.resize(count, SoftBody::immovable(BodyVelocity::default()));
        threads.for_each_chunk(&mut self.bodies.given, BODIES_A_TASK, |first, bodies| {
            (first..).zip(bodies).for_each(|(index, given)| *given = body(index));
        });
    }

    /// Adds the rows of a joint.
    pub fn push_joint(&mut self, rows: impl Iterator<Item = SoftRow>) {
        self.joints.push_joint(rows, &self.bodies);
    }

    /// Adds a ball joint.
    pub fn push_ball_joint(&mut self, joint: SoftBallJoint) {
        self.joints.push_ball_joint(joint, &self.bodies);
    }

    /// The regions, each after its two halves.
    #[must_use]
    pub fn regions(&self) -> &[SoftRegion] {
        &self.regions[..self.used]
    }

    /// The regions, to be begun and filled.
    pub fn regions_mut(&mut self) -> &mut [SoftRegion] {
        &mut self.regions[..self.used]
    }

    /// The bodies as they were given.
    #[must_use]
    pub fn bodies(&self) -> &[SoftBody] {
        &self.bodies.given
    }

    /// A row as it was given.
    #[must_use]
    pub fn row(&self, nth: usize) -> &SoftRow {
        self.joints.row(nth)
    }

    /// A ball joint as it was given, and its result.
    #[must_use]
    pub fn ball_joint(&self, nth: usize) -> (&SoftBallJoint, BallJointOutcome) {
        self.joints.ball_joint(nth)
    }

    /// Solves a step of `dt` seconds.
    pub fn solve(&mut self, settings: &SoftSettings, threads: &Threads, dt: f64) {
        let count = settings.count();
        self.dt = dt;
        self.h = dt / count as f64;
        self.bodies.start(self.h);
        let soft = Softness::new(settings.cycles, settings.damping_ratio, self.h);
        let work = Work { threads, soft, h: self.h, dt };
        self.sweep(&work, &[Stage::LayOut]);
        if self.joints.is_empty() {
            self.solve_contacts(&work, count);
        } else {
            self.solve_with_rows(&work, count);
        }
        self.bodies.finish();
        if self.regions().iter().any(|region| !region.bounces.is_empty()) {
            bounce(&mut self.regions[..self.used], &mut self.bodies, dt);
        }
        self.judge(&work);
    }

    /// Substeps without joint rows: the leaves run whole sequences of stages in parallel.
    fn solve_contacts(&mut self, work: &Work<'_>, count: usize) {
        use Stage::{Begin, Displace, End, ForgetSums, Push, Relax, WarmStart};
        if self.regions().iter().all(SoftRegion::is_cold) {
            self.sweep(work, &[Begin, Push]);
            (0..COLD_SWEEPS).for_each(|_| self.sweep_down(work, &[Relax], &[]));
            self.sweep(work, &[ForgetSums, Push]);
        } else {
            self.sweep(work, &[Begin, WarmStart]);
            self.sweep(work, &[Push]);
        }
        for _ in 1..count {
            self.sweep(work, &[Displace]);
            self.sweep_down(work, &[Relax], &[End, Begin, Push]);
        }
        self.sweep(work, &[Displace]);
        self.sweep_down(work, &[Relax], &[End]);
    }

    /// The substeps with rows of joints among the contacts.
    fn solve_with_rows(&mut self, work: &Work<'_>, count: usize) {
        use Stage::{Begin, Displace, End};
        let [rigid, meshed] =
            [JOINT_CYCLES, MESHED_CYCLES].map(|cycles| Softness::new(cycles, JOINT_DAMPING, self.h));
        for substep in 0..count {
            self.sweep(work, &[Begin]);
            // Velocities are those of the end of the substep.
            let share = (2 * (substep + 1)) as f64 / count as f64 - 1.0;
            let push = PushPass {
                rigid: Pass::pushing(&rigid, share),
                meshed: Pass::pushing(&meshed, share),
                limit: &work.soft,
                per_second: 1.0 / self.h,
            };
            let relax = Pass::relaxing(share);
            if substep == 0 {
                self.start_with_rows(work, &push, &relax);
            }
            self.push_with_rows(work, &push);
            self.sweep(work, &[Displace]);
            self.relax_with_rows(work, &relax);
            self.joints.end(&self.bodies);
            self.sweep(work, &[End]);
        }
    }

    /// Starts from the impulses of the last step; without any, runs Gauss-Seidel sweeps first.
    fn start_with_rows(&mut self, work: &Work<'_>, push: &PushPass<'_>, relax: &Pass) {
        let joints_are_cold = self.joints.is_cold();
        self.joints.warm_start(&mut self.bodies);
        let touches = self.regions().iter().any(|region| !region.manifolds().is_empty());
        if self.regions().iter().all(SoftRegion::is_cold) && (touches || joints_are_cold) {
            self.push_with_rows(work, push);
            (0..COLD_SWEEPS).for_each(|_| self.relax_with_rows(work, relax));
            self.sweep(work, &[Stage::ForgetSums]);
            self.joints.forget();
        } else {
            self.sweep(work, &[Stage::WarmStart]);
        }
    }

    fn push_with_rows(&mut self, work: &Work<'_>, push: &PushPass<'_>) {
        self.joints.push(&mut self.bodies, push);
        self.sweep(work, &[Stage::Push]);
        self.joints.push_back(&mut self.bodies, push);
    }

    fn relax_with_rows(&mut self, work: &Work<'_>, pass: &Pass) {
        self.joints.relax(&mut self.bodies, pass);
        self.sweep_down(work, &[Stage::Relax], &[]);
    }

    /// Evaluates the residual of the last substep, restitution included.
    fn judge(&mut self, work: &Work<'_>) {
        self.sweep(work, &[Stage::BeginJudging, Stage::AddImpulses]);
        self.joints.add_judged(&mut self.bodies);
        self.sweep(work, &[Stage::Respond, Stage::Judge]);
        self.joints.judge(&self.bodies);
    }

    /// Runs stages on every region, halves before their separator.
    fn sweep(&mut self, work: &Work<'_>, stages: &[Stage]) {
        self.sweep_down(work, &[], stages);
    }

    /// Runs stages on every region, separators before their halves, and further stages on the way back.
    fn sweep_down(&mut self, work: &Work<'_>, down: &[Stage], up: &[Stage]) {
        work.descend(&mut self.regions[..self.used], self.bodies.all(), down, up);
    }

    /// Motion of a body due to contact; `None` if no contact touched it.
    #[must_use]
    pub fn motion(&self, index: u32) -> Option<Motion> {
        self.bodies.motion(index as usize, self.h, self.dt)
    }

    /// Residual of a row, m/s.
    #[must_use]
    pub fn row_residual(&self, row: usize) -> f64 {
        self.joints.row_residual(row)
    }

    /// Impulse of a row in the last substep.
    #[must_use]
    pub fn last_row_impulse(&self, row: usize) -> f64 {
        self.joints.state(row).impulse
    }

    /// Impulse of a row over the whole step, its work, J, if it drives, and its rate at the end.
    #[must_use]
    pub fn row_outcome(&self, row: usize) -> (f64, f64, f64) {
        let state = self.joints.state(row);
        (state.sum, state.work, state.rate(&self.bodies.velocity))
    }

    /// Gap of a point of a region at the end of the step, m.
    #[must_use]
    pub fn end_gap(&self, region: &SoftRegion, manifold: usize, point: usize) -> f64 {
        let given = &region.manifolds()[manifold];
        let SoftPoint { arm, gap, .. } = region.points_of(manifold)[point];
        let [a, b] =
            [given.body_a, given.body_b].map(|index| untwist(&self.bodies.displacement[index as usize]));
        let apart = (b.linear - a.linear) + b.angular.cross(arm - given.between) - a.angular.cross(arm);
        gap + given.frame.x_axis.dot(apart)
    }
}

/// Inputs shared by all regions.
struct Work<'a> {
    threads: &'a Threads,
    soft: Softness,
    h: f64,
    dt: f64,
}

impl Work<'_> {
    /// Runs stages down the tree, from the last region to the leaves, and other stages back up; `bodies` are those of
    /// the last region.
    fn descend(&self, regions: &mut [SoftRegion], mut bodies: BodySpan<'_>, down: &[Stage], up: &[Stage]) {
        let Some((own, halves)) = regions.split_last_mut() else { return };
        let is_leaf = halves.is_empty();
        let mut act = |stages: &[Stage], bodies: &mut BodySpan<'_>| {
            let of_own = stages.iter().filter(|stage| is_leaf || stage.is_of_contacts());
            of_own.for_each(|stage| self.act(own, bodies, *stage));
        };
        act(down, &mut bodies);
        if !is_leaf {
            let (one, other) = halves.split_at_mut(halves.len() / 2);
            let count = one[one.len() - 1].bodies.len();
            let [left, right] = bodies.halves(count);
            self.threads.join(|| self.descend(one, left, down, up), || self.descend(other, right, down, up));
        }
        act(up, &mut bodies);
    }

    fn act(&self, region: &mut SoftRegion, bodies: &mut BodySpan<'_>, stage: Stage) {
        match stage {
            Stage::LayOut => region.lay_out(bodies.given, self.dt),
            Stage::Begin => bodies.begin(),
            Stage::WarmStart => region.warm_start(bodies),
            Stage::Push => region.push(bodies, &self.soft, self.h),
            Stage::Displace => bodies.displace(self.h),
            Stage::Relax => region.relax(bodies),
            Stage::ForgetSums => region.forget_sums(),
            Stage::End => bodies.end(self.h),
            Stage::BeginJudging => bodies.begin_judging(self.h),
            Stage::AddImpulses => region.add_impulses(bodies),
            Stage::Respond => bodies.respond(),
            Stage::Judge => region.judge(bodies),
        }
    }
}

impl Stage {
    fn is_of_contacts(self) -> bool {
        !matches!(self, Self::Begin | Self::Displace | Self::End | Self::BeginJudging | Self::Respond)
    }
}

//! What the solution of a part does to the world: states, energy, verdicts.
//!
//! Energy. Contact gave the bodies of a group the kinetic energy W, of which D came from bodies that are moved from outside and
//! from motors; `D - W` is dissipated. Were it negative (sweeps that have not converged may push too far), velocities are damped by as
//! much: in a group on the ground along what contact changed of each body, in one that hangs by joints all alike, in free space by
//! taking a part of all changes back, which keeps momentum. A body with three different moments that turns within
//! the step has another tensor at its end: what that would add to its energy is taken from its spin, what it takes is booked.

use super::super::contact_constraint::ContactConstraint;
use super::super::contacts::FreeFlight;
use super::super::impacts::ContactWork;
use super::super::joint_row::{self, JointRows};
use super::super::report::ContactReport;
use super::island_batch::IslandBatch;
use crate::math::{Coordinate, Mat3, Vec3, orientation, scalar};
use crate::physics::constraints::contact::soft::{
    ManifoldResidual, Motion, SoftBody, SoftManifold, SoftRegion, SoftSolver, Source,
};
use crate::physics::constraints::contact::{BodyVelocity, ContactProblemError};
use crate::physics::constraints::{HeldPoint, JacobianRow};
use crate::physics::integration::rotate_torque_free;
use crate::physics::rigid_body::{Acceleration, Inertia, InertialState};
use crate::threads::BODIES_A_TASK;
use crate::tolerance;

/// The books of a group.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct EnergyBalance {
    /// W.
    work: f64,
    /// D.
    driven: f64,
    /// `Δv·M v` and `Δv·M Δv`, Δv being what contact changed.
    along: f64,
    square: f64,
    /// Energy of the parts of v along Δv of each body.
    pressed: f64,
    /// Kinetic energy at the end.
    kinetic: f64,
    /// Touches a body that nothing moves, at rest or not.
    grounded: bool,
    /// Joints hold it to such a body.
    attached_to_ground: bool,
    /// Some of its joints are among many in loops.
    in_joint_mesh: bool,
    carried: bool,
    damping: Damping,
    residual: f64,
    scale: f64,
    touched: bool,
}

/// How a group is kept from gaining energy.
#[derive(Clone, Copy, Debug, Default)]
enum Damping {
    #[default]
    None,
    /// This part of Δv is taken back, of all bodies alike: momentum is kept.
    TakeBack(f64),
    /// The part of v along Δv of each body keeps this factor.
    Press(f64),
    /// All velocities keep this factor: what joints hold stays held.
    Slow(f64),
}

/// What a part leaves to the world, besides its bodies.
#[derive(Clone, Debug, Default)]
pub(super) struct Results {
    /// Impulses of its rows over the step, N·s or N·m·s.
    pub(super) row_sums: Vec<f64>,
    pub(super) work: ContactWork,
    pub(super) report: ContactReport,
    pub(super) failure: Option<ContactProblemError>,
}

/// What contact made of a body.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Moved {
    /// `None` if nothing touched it.
    motion: Option<Motion>,
    /// `Δv·M v` and `Δv·M Δv`, J.
    along: f64,
    square: f64,
    /// At the end, J.
    kinetic: f64,
    state: InertialState,
    /// J.
    correction: f64,
    dissipated: f64,
    /// How much of its velocity damping took after the solution was judged, m/s.
    damped: f64,
}

impl IslandBatch {
    /// Finds the new states of the bodies, energy and verdict.
    /// `course` has the accelerations of the bodies without their own turning, where they are known; there were so many substeps,
    /// and a step before this one if it has `begun`.
    pub(super) fn finish(
        &mut self,
        flight: &FreeFlight<'_>,
        joints: &JointRows,
        course: &[Acceleration],
        (substeps, begun): (usize, bool),
    ) {
        self.results.row_sums.clear();
        (self.results.report, self.results.failure) = (ContactReport::default(), None);
        self.find_motions(flight);
        self.balance_energy(substeps, begun);
        self.store_rows(flight, joints);
        self.store_points();
        for book in &mut self.balances {
            book.settle();
        }
        self.find_states(flight, course);
        let mut work = ContactWork::default();
        for (index, moved) in self.moved.iter().enumerate().filter(|(_, moved)| moved.motion.is_some()) {
            let (slot, book) = (&self.slots[index], &mut self.balances[self.roots[index] as usize]);
            book.residual = scalar::max(book.residual, moved.damped);
            work.correction += moved.correction;
            work.dissipated += moved.dissipated;
            if !moved.state.is_finite() {
                self.results.failure = Some(ContactProblemError::Diverged { slot: *slot });
                return;
            }
        }
        for book in &self.balances {
            work.work_in += book.driven;
            work.dissipated += book.driven - book.work;
        }
        self.results.work = work;
        self.report(2 * substeps);
    }

    /// The new states of the bodies that contact touched, with their slots.
    pub(super) fn new_states(&self) -> impl Iterator<Item = (usize, &InertialState)> {
        let touched = self.slots.iter().zip(&self.moved).filter(|(_, moved)| moved.motion.is_some());
        touched.map(|(slot, moved)| (*slot, &moved.state))
    }

    /// What contact changed of each body.
    fn find_motions(&mut self, flight: &FreeFlight<'_>) {
        self.moved.resize(self.slots.len(), Moved::default());
        let solver = &self.solver;
        flight.threads.for_each_chunk(&mut self.moved, BODIES_A_TASK, |first, bodies| {
            for (index, moved) in (first..).zip(bodies) {
                moved.motion = solver.motion(index as u32);
                let Some(motion) = &moved.motion else { continue };
                let body = &solver.bodies()[index];
                let end = end_of(body, motion, flight.dt);
                moved.along = body.power(&motion.change, &end);
                moved.kinetic = 0.5 * body.power(&end, &end);
                moved.square = body.power(&motion.change, &motion.change);
            }
        });
    }

    /// The new state of each body.
    fn find_states(&mut self, flight: &FreeFlight<'_>, course: &[Acceleration]) {
        let Self { solver, moved, slots, roots, balances, .. } = self;
        flight.threads.for_each_chunk(moved, BODIES_A_TASK, |first, bodies| {
            for (index, moved) in (first..).zip(bodies) {
                let Some(motion) = &moved.motion else { continue };
                let (slot, body) = (slots[index], &solver.bodies()[index]);
                let inertia = &flight.inertias[slot];
                let torque = match course.get(slot) {
                    Some(course) => body.inertia * course.angular,
                    None => torque(body, inertia, &flight.before[slot], flight.dt),
                };
                moved.correction = -(body.mass
                    * body.acceleration.linear.dot(motion.shift.linear - motion.explained.linear)
                    + torque.dot(motion.shift.angular - motion.explained.angular));
                moved.state = flight.after[slot];
                let book = &balances[roots[index] as usize];
                let back = book.back(moved.along, moved.square);
                moved.damped = (back * motion.change.linear).length();
                moved.dissipated = displace(&mut moved.state, inertia, body, motion, torque, back);
                if let Damping::Slow(keep) = book.damping {
                    moved.damped = (1.0 - keep) * moved.state.velocity.length();
                    moved.dissipated += (1.0 - keep * keep) * moved.state.kinetic_energy(inertia);
                    moved.state.velocity *= keep;
                    moved.state.angular_velocity *= keep;
                }
            }
        });
    }

    fn balance_energy(&mut self, substeps: usize, begun: bool) {
        self.balances.clear();
        self.balances.resize(self.slots.len(), EnergyBalance { scale: 1.0, ..EnergyBalance::default() });
        for (moved, root) in self.moved.iter().zip(&self.roots) {
            let Moved { motion: Some(motion), along, square, kinetic, .. } = *moved else { continue };
            let book = &mut self.balances[*root as usize];
            book.work += motion.linear_work + motion.angular_work;
            book.along += along;
            book.square += square;
            book.kinetic += kinetic;
            book.pressed += if square > 0.0 { 0.5 * along * along / square } else { 0.0 };
            book.touched = true;
        }
        let Self { solver, roots, balances, impulse_cache, .. } = self;
        impulse_cache.clear(substeps, begun);
        for (region, number, manifold) in manifolds(solver) {
            let ManifoldResidual { residual, scale, .. } = *region.verdict(number);
            impulse_cache.take(region, number);
            let driven = driven_work(solver, region, number);
            let [a, b] = [manifold.body_a, manifold.body_b].map(|index| &solver.bodies()[index as usize]);
            let ground = [a, b].into_iter().find(|body| !body.is_movable()).map(|body| body.start);
            let mover = if a.is_movable() { manifold.body_a } else { manifold.body_b };
            let book = &mut balances[roots[mover as usize] as usize];
            book.driven += driven;
            book.grounded |= ground.is_some();
            book.carried |= ground.is_some_and(|velocity| velocity != BodyVelocity::default());
            book.residual = scalar::max(book.residual, residual);
            book.scale = scalar::max(book.scale, scale);
            book.touched = true;
        }
    }

    /// Leaves the sums of rows, and books the work of motors.
    fn store_rows(&mut self, flight: &FreeFlight<'_>, joints: &JointRows) {
        for nth in 0..self.rows.len() {
            let number = self.rows[nth];
            let row = *self.solver.row(nth);
            let (sum, work, end) = self.solver.row_outcome(nth);
            self.results.row_sums.push(sum);
            let ends = [row.body_a, row.body_b].map(|index| &self.solver.bodies()[index as usize]);
            let ground = ends.iter().any(|body| !body.is_movable());
            let own = if row.value.is_some() { joints.end[number].time_derivative } else { 0.0 };
            let root = self.roots[if ends[0].is_movable() { row.body_a } else { row.body_b } as usize];
            let book = &mut self.balances[root as usize];
            book.residual = scalar::max(book.residual, self.solver.row_residual(nth));
            book.attached_to_ground |= ground;
            book.in_joint_mesh |= row.in_joint_mesh;
            book.driven -= sum * (driving_rate(&row.jacobian, ends) + own);
            if row.value.is_none() {
                let ends = joints.end[number].slots;
                let rate = |states: &[InertialState]| {
                    let of = |slot: Option<usize>| {
                        slot.map_or(BodyVelocity::default(), |slot| states[slot].into())
                    };
                    joint_row::rate(&row.jacobian, ends.map(of))
                };
                // What free flight has given already, if it was not left to contact, does its work along another course.
                let along = 0.5 * joints.end[number].multiplier * flight.dt * (end - rate(flight.after));
                book.driven += work + along;
                book.work += along;
            }
        }
    }

    /// Books the work of bodies that are moved from outside at ball joints.
    fn store_points(&mut self) {
        for nth in 0..self.points.len() {
            let (joint, outcome) = self.solver.ball_joint(nth);
            let ends = joint.bodies.map(|index| &self.solver.bodies()[index as usize]);
            let ground = ends.iter().any(|body| !body.is_movable());
            let root = self.roots[joint.bodies[usize::from(!ends[0].is_movable())] as usize];
            let book = &mut self.balances[root as usize];
            book.residual = scalar::max(book.residual, outcome.residual);
            book.attached_to_ground |= ground;
            book.in_joint_mesh |= joint.in_joint_mesh;
            if ground {
                let driving = ends.map(driving_velocity).map(|body| (body.linear, body.angular));
                book.driven -= outcome.sum.dot(HeldPoint::rate(joint.arms, driving));
            }
        }
    }

    /// All manifolds, with their regions and their numbers there.
    fn manifolds(&self) -> impl Iterator<Item = (&SoftRegion, usize, &SoftManifold)> {
        manifolds(&self.solver)
    }

    fn report(&mut self, sweeps: usize) {
        let report = &mut self.results.report;
        for book in self.balances.iter().filter(|book| book.touched) {
            let relative = book.residual / book.scale;
            report.islands += 1;
            report.residual = scalar::max(report.residual, relative);
            report.unconverged += usize::from(relative.is_nan() || relative > tolerance::CONTACT_CERTIFIED);
        }
        report.iterations = sweeps;
    }

    /// Leaves the impulses of contacts that came as candidates with them.
    pub(super) fn write_impulses(&self, candidates: &mut [ContactConstraint], substeps: usize) {
        for (region, number, manifold) in self.manifolds() {
            let Source::Candidates { first } = manifold.source else { continue };
            for place in 0..region.points_of(number).len() {
                let [sum, last] = region.impulses(number)[place];
                let candidate = &mut candidates[first as usize + place];
                candidate.persistent = last * substeps as f64;
                candidate.impact = sum - candidate.persistent;
                candidate.end_gap = self.solver.end_gap(region, number, place);
            }
        }
    }

    /// Points that transmitted something: slots of A and B, position, frame, impulse of the step, gap at its end.
    pub(super) fn touching_points(&self) -> impl Iterator<Item = TouchingPoint> {
        let direct = self.manifolds().filter(|(_, _, m)| !matches!(m.source, Source::Candidates { .. }));
        direct.flat_map(move |(region, number, manifold)| {
            let slot = |index: u32| self.slots[index as usize];
            let (a, b, frame) = (slot(manifold.body_a), slot(manifold.body_b), manifold.frame);
            let points = region.points_of(number).iter().enumerate();
            points.filter_map(move |(place, point)| {
                let impulse = region.impulses(number)[place][0];
                let gap = self.solver.end_gap(region, number, place);
                let position = self.centers[manifold.body_a as usize] + point.arm;
                (impulse.x > 0.0).then_some(TouchingPoint { a, b, position, frame, impulse, gap })
            })
        })
    }
}

fn manifolds(solver: &SoftSolver) -> impl Iterator<Item = (&SoftRegion, usize, &SoftManifold)> {
    solver.regions().iter().flat_map(|region| {
        region.manifolds().iter().enumerate().map(move |(number, manifold)| (region, number, manifold))
    })
}

/// Work done at a manifold by a body that is moved from outside, J.
fn driven_work(solver: &SoftSolver, region: &SoftRegion, number: usize) -> f64 {
    let manifold = &region.manifolds()[number];
    let mut work = 0.0;
    for (index, sign, arm) in [(manifold.body_a, 1.0, Vec3::ZERO), (manifold.body_b, -1.0, manifold.between)]
    {
        let body = &solver.bodies()[index as usize];
        let SoftBody { start, .. } = body;
        if body.is_movable() || (start.linear == Vec3::ZERO && start.angular == Vec3::ZERO) {
            continue;
        }
        for (point, [impulse, _]) in region.points_of(number).iter().zip(region.impulses(number)) {
            let impulse = manifold.frame * *impulse;
            work += sign * impulse.dot(start.linear + start.angular.cross(point.arm - arm));
        }
    }
    work
}

/// The part of `J v` that comes from bodies that nothing here moves.
fn driving_rate(jacobian: &JacobianRow, ends: [&SoftBody; 2]) -> f64 {
    joint_row::rate(jacobian, ends.map(driving_velocity))
}

/// The velocity of a body that nothing here moves, zero for others.
fn driving_velocity(body: &SoftBody) -> BodyVelocity {
    if body.is_movable() { BodyVelocity::default() } else { body.start }
}

/// A point that transmitted something.
#[derive(Clone, Copy, Debug)]
pub(in crate::environment) struct TouchingPoint {
    pub(in crate::environment) a: usize,
    pub(in crate::environment) b: usize,
    /// At the start of the step, world frame, m.
    pub(in crate::environment) position: Coordinate,
    pub(in crate::environment) frame: Mat3,
    /// Over the step, N·s, in the frame.
    pub(in crate::environment) impulse: Vec3,
    /// At the end, m.
    pub(in crate::environment) gap: f64,
}

impl EnergyBalance {
    /// Finds how much to damp so that contact gains nothing.
    fn settle(&mut self) {
        let gain = self.work - self.driven;
        if self.carried || gain.is_nan() || gain <= tolerance::SOFT_GAIN * self.square {
            return;
        }
        // What many loops hold would be torn by a damping that acts on each body by itself.
        if if self.grounded { self.in_joint_mesh } else { self.attached_to_ground } {
            let left = scalar::max(self.kinetic - gain, 0.0);
            self.damping = Damping::Slow(if self.kinetic > 0.0 { (left / self.kinetic).sqrt() } else { 1.0 });
            return;
        }
        if self.grounded {
            let left = scalar::max(self.pressed - gain, 0.0);
            if self.pressed > 0.0 {
                self.damping = Damping::Press((left / self.pressed).sqrt());
                self.work -= self.pressed - left;
            }
            return;
        }
        // Contact that changed no velocity in the end left nothing to take back.
        if self.square <= 0.0 {
            return;
        }
        // ½ s² square - s along = -gain, or as near as it gets.
        let discriminant = self.along * self.along - 2.0 * self.square * gain;
        let root = if discriminant > 0.0 { discriminant.sqrt() } else { 0.0 };
        let back = scalar::clamp((self.along - root) / self.square, 0.0, 1.0);
        self.damping = Damping::TakeBack(back);
        self.work += back * (0.5 * back * self.square - self.along);
    }

    /// The part of Δv of a body that is taken back, given its `Δv·M v` and `Δv·M Δv`.
    fn back(&self, along: f64, square: f64) -> f64 {
        match self.damping {
            Damping::None | Damping::Slow(_) => 0.0,
            Damping::TakeBack(back) => back,
            Damping::Press(keep) if square > 0.0 => (1.0 - keep) * along / square,
            Damping::Press(_) => 0.0,
        }
    }
}

/// Velocities of a body at the end of the step as the solver has them.
fn end_of(body: &SoftBody, motion: &Motion, dt: f64) -> BodyVelocity {
    BodyVelocity {
        linear: body.start.linear + body.acceleration.linear * dt + motion.change.linear,
        angular: body.start.angular + body.acceleration.angular * dt + motion.change.angular,
    }
}

/// The torque of free flight on a body, N·m: what turns it besides its own inertia.
fn torque(body: &SoftBody, inertia: &Inertia, before: &InertialState, dt: f64) -> Vec3 {
    if inertia.is_spherical() {
        return body.inertia * body.acceleration.angular;
    }
    let mut turned = *before;
    rotate_torque_free(inertia, &mut turned, dt);
    let after = before.angular_velocity + body.acceleration.angular * dt;
    body.inertia * (after - turned.angular_velocity) / dt
}

/// Gives a body its new state, a part of Δv taken back; returns energy that turning with another tensor took, J.
fn displace(
    state: &mut InertialState,
    inertia: &Inertia,
    body: &SoftBody,
    motion: &Motion,
    torque: Vec3,
    back: f64,
) -> f64 {
    let before = state.rotational_kinetic_energy(inertia);
    let end = state.angular_velocity + motion.change.angular;
    state.center_of_mass += motion.shift.linear;
    state.velocity += motion.change.linear * (1.0 - back);
    state.angular_velocity += motion.change.angular * (1.0 - back);
    if motion.shift.angular != Vec3::ZERO {
        state.orientation = orientation::advanced(state.orientation, motion.shift.angular, 1.0);
    }
    if inertia.is_spherical() {
        return 0.0;
    }
    let taken = back * (body.inertia * motion.change.angular).dot(end - 0.5 * back * motion.change.angular);
    let expected = before + motion.angular_work + torque.dot(motion.explained.angular) - taken;
    let found = state.rotational_kinetic_energy(inertia);
    if found > expected && found > 0.0 {
        state.angular_velocity *= (scalar::max(expected, 0.0) / found).sqrt();
        // Contact cannot have taken more than there was.
        return scalar::min(expected, 0.0);
    }
    expected - found
}

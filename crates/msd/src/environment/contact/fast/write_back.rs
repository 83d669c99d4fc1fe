//! Writes the solution of a batch back to the world: states, energy, residual.
//!
//! Energy. Contact gave the bodies of a group the kinetic energy W, of which D came from kinematic bodies and motors;
//! `D - W` is dissipated. If it is negative (unconverged sweeps may push too far), velocities are damped by as much:
//! in a group on the ground along the change of each body by contact, in one that hangs by joints all velocities
//! alike, in free space by undoing a part of all changes, which conserves momentum. A body with three different
//! moments of inertia that rotates within the step has another tensor at its end: the energy that this would add is
//! removed from its spin, the energy that it removes is entered as dissipation.

use super::super::contact_constraint::ContactConstraint;
use super::super::free_flight::FreeFlight;
use super::super::impacts::ContactWork;
use super::super::joint_row::{self, JointRows};
use super::super::report::ContactReport;
use super::fast_step::FastStep;
use super::island_batch::IslandBatch;
use super::results::{ContactMotion, Damping, EnergyBalance};
use crate::math::{Coordinate, Mat3, Vec3, orientation, scalar};
use crate::physics::constraints::contact::soft::{
    ManifoldResidual, Motion, SoftBody, SoftManifold, SoftRegion, SoftSolver, Source,
};
use crate::physics::constraints::contact::{BodyVelocity, ContactProblemError};
use crate::physics::constraints::{HeldPoint, JacobianRow};
use crate::physics::integration::rotate_torque_free;
use crate::physics::rigid_body::{Acceleration, Inertia, InertialState, Material};
use crate::threads::BODIES_A_TASK;
use crate::tolerance;

impl IslandBatch {
    /// Computes states, energy and residual.
    pub(super) fn finish(&mut self, step: &FastStep<'_>) {
        let FastStep { flight, joints, free_acceleration, .. } = *step;
        let (substeps, begun) = (step.settings.fast.count(), step.scale.is_some());
        self.results.row_sums.clear();
        (self.results.report, self.results.failure) = (ContactReport::default(), None);
        self.find_motions(flight);
        self.balance_energy(substeps, begun);
        self.store_rows(flight, joints);
        self.store_points();
        for balance in &mut self.balances {
            balance.settle();
        }
        self.find_states(flight, free_acceleration);
        let mut work = ContactWork::default();
        for (index, moved) in self.moved.iter().enumerate().filter(|(_, moved)| moved.motion.is_some()) {
            let (slot, balance) = (&self.slots[index], &mut self.balances[self.roots[index] as usize]);
            balance.residual = scalar::max(balance.residual, moved.damped);
            work.correction += moved.correction;
            work.dissipated += moved.dissipated;
            if !moved.state.is_finite() {
                self.results.failure = Some(ContactProblemError::Diverged { slot: *slot });
                return;
            }
        }
        for balance in &self.balances {
            work.work_in += balance.driven;
            work.dissipated += balance.driven - balance.work;
        }
        self.results.work = work;
        self.report(2 * substeps);
    }

    /// The new states of the bodies that contact touched, with their slots.
    pub(super) fn new_states(&self) -> impl Iterator<Item = (usize, &InertialState)> {
        let touched = self.slots.iter().zip(&self.moved).filter(|(_, moved)| moved.motion.is_some());
        touched.map(|(slot, moved)| (*slot, &moved.state))
    }

    /// Motion of each body due to contact.
    fn find_motions(&mut self, flight: &FreeFlight<'_>) {
        self.moved.resize(self.slots.len(), ContactMotion::default());
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
    fn find_states(&mut self, flight: &FreeFlight<'_>, free_acceleration: &[Acceleration]) {
        let Self { solver, moved, slots, roots, balances, .. } = self;
        flight.threads.for_each_chunk(moved, BODIES_A_TASK, |first, bodies| {
            for (index, moved) in (first..).zip(bodies) {
                let Some(motion) = &moved.motion else { continue };
                let (slot, body) = (slots[index], &solver.bodies()[index]);
                let inertia = &flight.inertias[slot];
                let torque = match free_acceleration.get(slot) {
                    Some(free_acceleration) => body.inertia * free_acceleration.angular,
                    None => torque(body, inertia, &flight.before[slot], flight.dt),
                };
                moved.correction = -(body.mass
                    * body.acceleration.linear.dot(motion.shift.linear - motion.explained.linear)
                    + torque.dot(motion.shift.angular - motion.explained.angular));
                moved.state = flight.after[slot];
                let balance = &balances[roots[index] as usize];
                let back = balance.back(moved.along, moved.square);
                moved.damped = (back * motion.change.linear).length();
                moved.dissipated = displace(&mut moved.state, inertia, body, motion, torque, back);
                if let Damping::Slow(keep) = balance.damping {
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
            let ContactMotion { motion: Some(motion), along, square, kinetic, .. } = *moved else { continue };
            let balance = &mut self.balances[*root as usize];
            balance.work += motion.linear_work + motion.angular_work;
            balance.along += along;
            balance.square += square;
            balance.kinetic += kinetic;
            balance.pressed += if square > 0.0 { 0.5 * along * along / square } else { 0.0 };
            balance.touched = true;
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
            let balance = &mut balances[roots[mover as usize] as usize];
            balance.driven += driven;
            balance.grounded |= ground.is_some();
            balance.carried |= ground.is_some_and(|velocity| velocity != BodyVelocity::default());
            balance.residual = scalar::max(balance.residual, residual);
            balance.scale = scalar::max(balance.scale, scale);
            balance.touched = true;
        }
    }

    /// Stores the impulse sums of rows, and enters the work of motors.
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
            let balance = &mut self.balances[root as usize];
            balance.residual = scalar::max(balance.residual, self.solver.row_residual(nth));
            balance.attached_to_ground |= ground;
            balance.in_joint_mesh |= row.in_joint_mesh;
            balance.driven -= sum * (driving_rate(&row.jacobian, ends) + own);
            if row.value.is_none() {
                let ends = joints.end[number].slots;
                let rate = |states: &[InertialState]| {
                    let of = |slot: Option<usize>| {
                        slot.map_or(BodyVelocity::default(), |slot| states[slot].into())
                    };
                    joint_row::rate(&row.jacobian, ends.map(of))
                };
                // The impulse that free flight has applied already does its work along another path.
                let along = 0.5 * joints.end[number].multiplier * flight.dt * (end - rate(flight.after));
                balance.driven += work + along;
                balance.work += along;
            }
        }
    }

    /// Enters the work of kinematic bodies at ball joints.
    fn store_points(&mut self) {
        for nth in 0..self.points.len() {
            let (joint, outcome) = self.solver.ball_joint(nth);
            let ends = joint.bodies.map(|index| &self.solver.bodies()[index as usize]);
            let ground = ends.iter().any(|body| !body.is_movable());
            let root = self.roots[joint.bodies[usize::from(!ends[0].is_movable())] as usize];
            let balance = &mut self.balances[root as usize];
            balance.residual = scalar::max(balance.residual, outcome.residual);
            balance.attached_to_ground |= ground;
            balance.in_joint_mesh |= joint.in_joint_mesh;
            if ground {
                let driving = ends.map(driving_velocity).map(|body| (body.linear, body.angular));
                balance.driven -= outcome.sum.dot(HeldPoint::rate(joint.arms, driving));
            }
        }
    }

    /// All manifolds, with their regions and their indices there.
    fn manifolds(&self) -> impl Iterator<Item = (&SoftRegion, usize, &SoftManifold)> {
        manifolds(&self.solver)
    }

    fn report(&mut self, sweeps: usize) {
        let report = &mut self.results.report;
        for balance in self.balances.iter().filter(|balance| balance.touched) {
            let relative = balance.residual / balance.scale;
            report.islands += 1;
            report.residual = scalar::max(report.residual, relative);
            report.unconverged += usize::from(relative.is_nan() || relative > tolerance::CONTACT_CERTIFIED);
        }
        report.iterations = sweeps;
    }

    /// Writes impulses back to the contact constraints they came from.
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

    /// Points with an impulse: slots of A and B, position, frame, impulse of the step, gap at its end.
    pub(super) fn touching_points(&self) -> impl Iterator<Item = TouchingPoint> {
        let direct = self.manifolds().filter(|(_, _, m)| !matches!(m.source, Source::Candidates { .. }));
        direct.flat_map(move |(region, number, manifold)| {
            let slot = |index: u32| self.slots[index as usize];
            let (a, b, frame) = (slot(manifold.body_a), slot(manifold.body_b), manifold.frame);
            let material = manifold.material;
            let points = region.points_of(number).iter().enumerate();
            points.filter_map(move |(place, point)| {
                let impulse = region.impulses(number)[place][0];
                let gap = self.solver.end_gap(region, number, place);
                let position = self.centers[manifold.body_a as usize] + point.arm;
                (impulse.x > 0.0).then_some(TouchingPoint { a, b, position, frame, impulse, gap, material })
            })
        })
    }
}

fn manifolds(solver: &SoftSolver) -> impl Iterator<Item = (&SoftRegion, usize, &SoftManifold)> {
    solver.regions().iter().flat_map(|region| {
        region.manifolds().iter().enumerate().map(move |(number, manifold)| (region, number, manifold))
    })
}

/// Work of a kinematic body at a manifold, J.
fn driven_work(solver: &SoftSolver, region: &SoftRegion, number: usize) -> f64 {
    let manifold = &region.manifolds()[number];
    let mut work = 0.0;
    if manifold.surface_velocity != Vec3::ZERO {
        // Belts: friction on B moves with the surface of A.
        for [impulse, _] in region.impulses(number) {
            let friction = manifold.frame * Vec3::new(0.0, impulse.y, impulse.z);
            work -= friction.dot(manifold.surface_velocity);
        }
    }
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

/// The part of `J v` due to bodies that contact cannot move.
fn driving_rate(jacobian: &JacobianRow, ends: [&SoftBody; 2]) -> f64 {
    joint_row::rate(jacobian, ends.map(driving_velocity))
}

/// Velocity of a body that contact cannot move, zero for others.
fn driving_velocity(body: &SoftBody) -> BodyVelocity {
    if body.is_movable() { BodyVelocity::default() } else { body.start }
}

/// A point with an impulse.
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
    /// Of the pair.
    pub(in crate::environment) material: Material,
}

impl EnergyBalance {
    /// Computes the damping with which contact gains no energy.
    fn settle(&mut self) {
        let gain = self.work - self.driven;
        if self.carried || gain.is_nan() || gain <= tolerance::SOFT_GAIN * self.square {
            return;
        }
        // Damping each body by itself would open joints in many loops.
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
        // Contact that changed no velocity in the end has no change to undo.
        if self.square <= 0.0 {
            return;
        }
        // ½ s² square - s along = -gain, or as near as possible.
        let discriminant = self.along * self.along - 2.0 * self.square * gain;
        let root = if discriminant > 0.0 { discriminant.sqrt() } else { 0.0 };
        let back = scalar::clamp((self.along - root) / self.square, 0.0, 1.0);
        self.damping = Damping::TakeBack(back);
        self.work += back * (0.5 * back * self.square - self.along);
    }

    /// The part of Δv of a body that is undone, from its `Δv·M v` and `Δv·M Δv`.
    fn back(&self, along: f64, square: f64) -> f64 {
        match self.damping {
            Damping::None | Damping::Slow(_) => 0.0,
            Damping::TakeBack(back) => back,
            Damping::Press(keep) if square > 0.0 => (1.0 - keep) * along / square,
            Damping::Press(_) => 0.0,
        }
    }
}

/// Velocities of a body at the end of the step.
fn end_of(body: &SoftBody, motion: &Motion, dt: f64) -> BodyVelocity {
    BodyVelocity {
        linear: body.start.linear + body.acceleration.linear * dt + motion.change.linear,
        angular: body.start.angular + body.acceleration.angular * dt + motion.change.angular,
    }
}

/// Torque of free flight on a body without its gyroscopic term, N·m.
fn torque(body: &SoftBody, inertia: &Inertia, before: &InertialState, dt: f64) -> Vec3 {
    if inertia.is_spherical() {
        return body.inertia * body.acceleration.angular;
    }
    let mut turned = *before;
    rotate_torque_free(inertia, &mut turned, dt);
    let after = before.angular_velocity + body.acceleration.angular * dt;
    body.inertia * (after - turned.angular_velocity) / dt
}

/// Sets the new state of a body with a part of Δv undone; returns the energy that the change of its tensor removed,
/// J.
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
        // Contact cannot have removed more than there was.
        return scalar::min(expected, 0.0);
    }
    expected - found
}

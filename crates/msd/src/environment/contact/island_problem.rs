//! The contact problem of one island at one instant: its contacts, bodies and rows, and the solution.

mod restitution;

use std::ops::Range;

use super::contact_constraint::ContactConstraint;
use super::displacement::Displacement;
use super::impact_record::ImpactRecord;
use super::impacts::ContactWork;
use super::joint_row::{self, Coupled, JointRows, RowTime};
use super::path::Path;
use super::report::ContactReport;
use crate::math::kernels::{Kernel, run_over};
use crate::math::lanes::{Frames, LANES, Lanes, Single, Vectors, each, four};
use crate::math::{Mat3, Quat, Vec3};
use crate::physics::constraints::contact::{
    BodyVelocity, Contact, ContactBody, ContactProblem, ContactProblemError, ContactSolver,
    ExactSolverSettings, Impulses,
};
use crate::physics::constraints::contact::{FurtherEnd, Row};
use crate::physics::constraints::{ConstraintSet, JacobianRow};
use crate::physics::rigid_body::{Acceleration, Inertia, InertialState, RigidBody, Wrench};

/// A row of the problem with all of its bodies.
#[derive(Clone, Copy, Debug)]
pub(super) struct ActiveRow<'a> {
    pub(super) row: &'a Row,
    further: &'a [FurtherEnd],
}

impl ActiveRow<'_> {
    /// Indices of its bodies in the problem, with the wrench of a unit impulse on each.
    pub(super) fn ends(&self) -> impl Iterator<Item = (usize, Wrench)> {
        let Row { body_a, body_b, ref jacobian, .. } = *self.row;
        let further = self.further.iter().map(|end| (end.body, end.wrench));
        [(body_a, jacobian.on_a()), (body_b, jacobian.on_b())].into_iter().chain(further)
    }
}

/// The movable bodies of an island and its joint rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Members<'a> {
    /// Slots of the bodies, ascending.
    pub(super) slots: &'a [usize],
    /// Numbers of the rows of its joints.
    pub(super) joined: &'a [usize],
}

/// All bodies over one step, by slot.
#[derive(Debug)]
pub(super) struct StepBodies<'a> {
    /// At the end; changes by contact are added here.
    pub(super) after: &'a mut [InertialState],
    /// Displacement of the bodies of an island in addition to free flight: by impulses or position correction.
    pub(super) displaced: &'a mut [Displacement],
    /// Mean acceleration of free flight.
    pub(super) free_acceleration: &'a [Acceleration],
    pub(super) bodies: &'a [RigidBody],
    pub(super) inertias: &'a [Inertia],
    pub(super) joints: &'a ConstraintSet,
    /// Length of the step and time at its end, s.
    pub(super) dt: f64,
    pub(super) end: f64,
}

impl StepBodies<'_> {
    /// The path of a body from the last impulse on.
    pub(super) fn path(&self, slot: usize) -> Path<'_> {
        let (end, free_acceleration, inertia) =
            (&self.after[slot], self.free_acceleration[slot], &self.inertias[slot]);
        Path { end, free_acceleration, inertia, dt: self.dt }
    }

    /// A movable body as input of the contact problem.
    pub(super) fn contact_body(&self, slot: usize, orientation: Quat, free: BodyVelocity) -> ContactBody {
        let inertia = &self.inertias[slot];
        ContactBody {
            inverse_mass: inertia.inverse_mass(),
            inverse_inertia: inertia.inverse_tensor_world(&Mat3::from_quat(orientation)),
            free,
        }
    }
}

const NONE: u32 = u32::MAX;

/// The world, where slots are listed.
const WORLD: usize = usize::MAX;

/// Two bodies: their slots, and their indices in a problem.
#[derive(Clone, Copy, Debug)]
struct Pair {
    slots: [usize; 2],
    indices: [usize; 2],
}

impl Default for Pair {
    /// None.
    fn default() -> Self {
        Self { slots: [WORLD; 2], indices: [0; 2] }
    }
}

/// Bodies and contacts of one problem, with its solution. Memory is reused.
#[derive(Clone, Debug, Default)]
pub(super) struct IslandProblem {
    pub(super) solver: ContactSolver,
    pub(super) settings: ExactSolverSettings,
    problem: ContactProblem,
    slots: Vec<usize>,
    /// Index of a slot among the bodies of the problem.
    local: Vec<u32>,
    /// The pair of bodies of the last contact.
    last: Pair,
    chosen: Vec<usize>,
    /// Numbers of the rows of joints that take part.
    joined: Vec<usize>,
    /// Parts of the row that is added.
    parts: Vec<Row>,
    /// Index of the world as the static end of joints.
    world: u32,
    impulses: Impulses,
    velocities: Vec<BodyVelocity>,
    /// Rows of joints by number; only those of the island count.
    pub(super) joints: JointRows,
    /// Sums over the step of the impulses of these rows, and of the magnitudes of those that act at times of their own, by number.
    pub(super) row_sums: Vec<[f64; 2]>,
    /// Least normal velocities of the contacts of an impact after it, m/s.
    rebounds: Vec<f64>,
    /// Impacts of the island in this step.
    pub(super) records: Vec<ImpactRecord>,
}

impl IslandProblem {
    /// Starts an island of a world with this number of bodies and joint rows; the caller sets its own rows.
    pub(super) fn begin(&mut self, slots: usize, rows: usize) {
        self.clear();
        self.records.clear();
        self.joints.resize(rows);
        self.row_sums.resize(rows, [0.0; 2]);
        self.local.resize(slots, NONE);
    }

    /// Reserves memory for the bodies and contacts of an island.
    pub(super) fn reserve(&mut self, bodies: usize, contacts: usize) {
        self.problem.reserve(bodies, contacts);
        self.solver.reserve(bodies);
        self.impulses.reserve(contacts);
        self.slots.reserve(bodies);
        self.velocities.reserve(bodies);
        self.chosen.reserve(contacts);
    }

    /// Clears bodies and contacts.
    pub(super) fn clear(&mut self) {
        for slot in self.slots.drain(..).filter(|slot| *slot != WORLD) {
            self.local[slot] = NONE;
        }
        self.problem.clear();
        self.last = Pair::default();
        self.chosen.clear();
        self.joined.clear();
        self.world = NONE;
        self.impulses.clear();
        self.velocities.clear();
    }

    /// Adds a candidate as `contact` (whose bodies are set here) with its warm start, and its bodies if they are new.
    pub(super) fn choose(
        &mut self,
        index: usize,
        candidate: &ContactConstraint,
        contact: Contact,
        start: Vec3,
        body: impl Fn(usize) -> ContactBody,
    ) -> Result<(), ContactProblemError> {
        self.stage(index, candidate, contact, start, body)?;
        self.problem.take_in_staged_patch()
    }

    /// The same for a contact of a manifold, staged to be added with others of it.
    #[inline]
    pub(super) fn stage(
        &mut self,
        index: usize,
        candidate: &ContactConstraint,
        mut contact: Contact,
        start: Vec3,
        body: impl Fn(usize) -> ContactBody,
    ) -> Result<(), ContactProblemError> {
        if self.last.slots != [candidate.a, candidate.b] {
            let indices = [self.index_of(candidate.a, &body)?, self.index_of(candidate.b, &body)?];
            self.last = Pair { slots: [candidate.a, candidate.b], indices };
        }
        [contact.body_a, contact.body_b] = self.last.indices;
        self.problem.stage(contact);
        self.chosen.push(index);
        self.impulses.contacts.push(start);
        Ok(())
    }

    /// Adds the staged contacts: up to four of one manifold.
    pub(super) fn take_in_staged(&mut self) -> Result<(), ContactProblemError> {
        self.problem.take_in_staged_patch()
    }

    #[inline]
    fn index_of(
        &mut self,
        slot: usize,
        body: &impl Fn(usize) -> ContactBody,
    ) -> Result<usize, ContactProblemError> {
        if self.local[slot] == NONE {
            self.local[slot] = self.problem.push_body(body(slot))? as u32;
            self.slots.push(slot);
        }
        Ok(self.local[slot] as usize)
    }

    /// Adds the joint rows, and their bodies if they are new.
    pub(super) fn join(
        &mut self,
        members: &Members<'_>,
        joints: &ConstraintSet,
        span: RowTime,
        dt: f64,
        body: impl Fn(usize) -> ContactBody,
    ) -> Result<(), ContactProblemError> {
        for &number in members.joined {
            if joints.row_of_part(number) != number {
                continue;
            }
            let [a, b] = self.joints.end[number].slots;
            let (body_a, body_b) = (self.end(a, &body)?, self.end(b, &body)?);
            let free = [body_a, body_b].map(|index| self.problem.bodies()[index].free);
            let mut coupled = Coupled::default();
            self.parts.clear();
            for part in joints.parts_of_row(number) {
                let [a, b] = self.joints.end[part].slots;
                let (body_a, body_b) = (self.end(a, &body)?, self.end(b, &body)?);
                let free = [body_a, body_b].map(|index| self.problem.bodies()[index].free);
                let jacobian = self.joints.add_part(part, free, span, dt, &mut coupled);
                self.parts.push(Row::rigid(body_a, body_b, jacobian, 0.0));
            }
            if let Some(row) = self.joints.row(number, free, coupled, span, dt) {
                self.problem.push_coupled_row(Row { body_a, body_b, ..row }, &self.parts)?;
                self.joined.push(number);
            }
        }
        Ok(())
    }

    /// Adds one row of a joint, with its parts over further bodies and its warm start, and its bodies if they are new.
    pub(super) fn push_joint(
        &mut self,
        number: usize,
        [a, b]: [Option<usize>; 2],
        row: Row,
        parts: impl Iterator<Item = ([Option<usize>; 2], JacobianRow)>,
        start: f64,
        body: impl Fn(usize) -> ContactBody,
    ) -> Result<(), ContactProblemError> {
        let (body_a, body_b) = (self.end(a, &body)?, self.end(b, &body)?);
        self.parts.clear();
        for ([a, b], jacobian) in parts {
            let part = Row::rigid(self.end(a, &body)?, self.end(b, &body)?, jacobian, 0.0);
            self.parts.push(part);
        }
        self.problem.push_coupled_row(Row { body_a, body_b, ..row }, &self.parts)?;
        self.joined.push(number);
        self.impulses.rows.push(start);
        Ok(())
    }

    /// Sets the rows of an island to where its bodies are at a time of the step, for an impact there.
    pub(super) fn place_joints(&mut self, members: &Members<'_>, bodies: &StepBodies<'_>, time: f64) {
        if members.joined.is_empty() {
            return;
        }
        let joints = &mut self.joints;
        joints.coasting.resize(bodies.after.len(), InertialState::AT_REST);
        for slot in members.joined.iter().flat_map(|number| joints.end[*number].slots).flatten() {
            joints.coasting[slot] = bodies.path(slot).at(time);
        }
        let at = bodies.end - bodies.dt + time;
        bodies.joints.update_rows(members.joined, &joints.coasting, at, &mut joints.end);
        for &number in members.joined {
            joints.start[number] = joints.end[number];
        }
        joints.since = time;
    }

    /// True if it has neither contacts nor rows.
    pub(super) fn is_empty(&self) -> bool {
        self.problem.contacts().is_empty() && self.problem.rows().is_empty()
    }

    /// Number of its contacts and rows.
    pub(super) fn len(&self) -> usize {
        self.problem.contacts().len() + self.problem.rows().len()
    }

    /// Updates the joints of an island after an impact at `time`, which has changed the end of the step.
    pub(super) fn follow_joints(&mut self, members: &Members<'_>, bodies: &StepBodies<'_>, time: f64) {
        if !members.joined.is_empty() {
            self.joints.start_from(members.joined, time, bodies.dt);
            self.joints.predict(members.joined, bodies, bodies.dt - time);
        }
    }

    /// Index of the end of a joint among the bodies.
    fn end(
        &mut self,
        slot: Option<usize>,
        body: &impl Fn(usize) -> ContactBody,
    ) -> Result<usize, ContactProblemError> {
        match slot {
            Some(slot) => self.index_of(slot, body),
            None if self.world != NONE => Ok(self.world as usize),
            None => {
                let index = self.problem.push_body(ContactBody::immovable(BodyVelocity::default()))?;
                self.slots.push(WORLD);
                self.world = index as u32;
                Ok(index)
            }
        }
    }

    /// The active rows, by number, with their impulses.
    pub(super) fn row_impulses(&self) -> impl Iterator<Item = (usize, ActiveRow<'_>, f64)> {
        let rows = self.problem.rows().iter().enumerate();
        self.joined.iter().zip(rows).zip(&self.impulses.rows).map(|((n, (index, row)), p)| {
            (*n, ActiveRow { row, further: self.problem.further_ends(index) }, *p)
        })
    }

    /// Adds the impulses of the rows to their sums over the step; `timed` if they act at a time of their own.
    pub(super) fn store_rows(&mut self, timed: bool) {
        for (number, impulse) in self.joined.iter().zip(&self.impulses.rows) {
            let [sum, magnitude] = &mut self.row_sums[*number];
            *sum += impulse;
            *magnitude += if timed { impulse.abs() } else { 0.0 };
        }
    }

    /// Rates of a row before and after.
    pub(super) fn row_rates(&self, active: &ActiveRow<'_>) -> (f64, f64) {
        let ActiveRow { row, further } = active;
        let ends = [row.body_a, row.body_b];
        let before = ends.map(|index| self.problem.bodies()[index].free);
        let after = ends.map(|index| self.velocities[index]);
        let mut rates = (joint_row::rate(&row.jacobian, before), joint_row::rate(&row.jacobian, after));
        for end in *further {
            let (before, after) = (self.problem.bodies()[end.body].free, self.velocities[end.body]);
            rates.0 += end.wrench.power(before.linear, before.angular);
            rates.1 += end.wrench.power(after.linear, after.angular);
        }
        rates
    }

    /// Solves without restitution, from the impulses so far; they are accepted unchanged only at a residual of
    /// `accepted` m/s.
    pub(super) fn solve_from(&mut self, accepted: f64, report: &mut ContactReport) {
        self.solve_by(self.settings, accepted, report);
    }

    /// The same with other settings.
    pub(super) fn solve_by(
        &mut self,
        settings: ExactSolverSettings,
        accepted: f64,
        report: &mut ContactReport,
    ) {
        let outcome = self.solver.solve_from(&self.problem, &mut self.impulses, &settings, accepted);
        report.judge(&outcome);
        self.velocities.clear();
        self.velocities.extend_from_slice(self.solver.velocities());
    }

    fn free_velocity(&self, contact: &Contact) -> Vec3 {
        alone(contact, [contact.body_a, contact.body_b].map(|body| &self.problem.bodies()[body].free))
    }

    /// Every chosen candidate with its contact and impulse.
    pub(super) fn impulses(&self) -> impl Iterator<Item = (usize, Vec3)> {
        self.chosen.iter().copied().zip(self.impulses.contacts.iter().copied())
    }

    /// One of them.
    #[inline]
    pub(super) fn impulse(&self, nth: usize) -> (usize, Vec3) {
        (self.chosen[nth], self.impulses.contacts[nth])
    }

    /// The contacts in parts of up to four of one manifold, with the sums of their relative velocities before and
    /// after, m/s, in their frame.
    pub(super) fn patches(&self) -> impl Iterator<Item = (Range<usize>, [Vec3; LANES])> {
        self.problem.patches().map(|patch| {
            let contacts = &self.problem.contacts()[patch.clone()];
            let ends = [contacts[0].body_a, contacts[0].body_b];
            let before = ends.map(|end| &self.problem.bodies()[end].free);
            let after = ends.map(|end| &self.velocities[end]);
            (patch, run_over(contacts.len(), BeforeAndAfter { contacts, before, after }))
        })
    }

    /// Relative velocities of a chosen contact before and after, m/s, in its frame.
    pub(super) fn velocities(&self, nth: usize) -> (Vec3, Vec3) {
        let contact = &self.problem.contacts()[nth];
        (self.free_velocity(contact), velocity(contact, &self.velocities))
    }

    /// The active bodies, with their slots, as they were given.
    pub(super) fn bodies(&self) -> impl Iterator<Item = (usize, &ContactBody, BodyVelocity)> {
        self.slots
            .iter()
            .zip(self.problem.bodies())
            .zip(&self.velocities)
            .map(|((slot, body), v)| (*slot, body, *v))
    }

    /// Slot of a body of the problem; `None` for the world.
    pub(super) fn slot(&self, index: usize) -> Option<usize> {
        Some(self.slots[index]).filter(|slot| *slot != WORLD)
    }

    /// Index and body of a slot in the problem, if it is active.
    pub(super) fn member(&self, slot: usize) -> Option<(usize, &ContactBody)> {
        let index = Some(self.local[slot]).filter(|local| *local != NONE)? as usize;
        Some((index, &self.problem.bodies()[index]))
    }

    /// Change of the velocity of a body by the solution; zero for an inactive one.
    pub(super) fn change_of(&self, slot: usize) -> BodyVelocity {
        match self.local[slot] {
            NONE => BodyVelocity::default(),
            local => {
                let (body, v) = (&self.problem.bodies()[local as usize], self.velocities[local as usize]);
                BodyVelocity { linear: v.linear - body.free.linear, angular: v.angular - body.free.angular }
            }
        }
    }

    /// Energy that the contacts transfer in an instant; their drift is that of belts.
    pub(super) fn instant_work(&self) -> ContactWork {
        let mut work = ContactWork::default();
        for (nth, (contact, impulse)) in
            self.problem.contacts().iter().zip(&self.impulses.contacts).enumerate()
        {
            let (before, after) = self.velocities(nth);
            let belt = -impulse.dot(contact.drift);
            work.dissipated += belt - (impulse.dot(0.5 * (before + after)) + self.moment_work(nth));
            work.work_in += belt + self.driven_work(contact, *impulse);
        }
        work
    }

    /// Work of rolling and torsional friction, J: `m·½(ω⁻ + ω⁺)` with the relative angular velocity.
    #[inline]
    pub(super) fn moment_work(&self, nth: usize) -> f64 {
        let moment = self.impulses.moments[nth];
        if moment == Vec3::ZERO {
            return 0.0;
        }
        let contact = &self.problem.contacts()[nth];
        let (a, b) = (&self.problem.bodies()[contact.body_a], &self.problem.bodies()[contact.body_b]);
        let before = contact.frame.transpose() * (b.free.angular - a.free.angular);
        moment.dot(0.5 * (before + self.problem.relative_spin(nth, &self.velocities)))
    }

    /// Moment on B of a chosen contact, N·m·s, world frame.
    pub(super) fn moment(&self, nth: usize) -> Vec3 {
        self.problem.contacts()[nth].frame * self.impulses.moments[nth]
    }

    /// Work of a kinematic body on the other one, J.
    pub(super) fn driven_work(&self, contact: &Contact, impulse: Vec3) -> f64 {
        let movable = |body: usize| self.problem.bodies()[body].is_movable();
        if movable(contact.body_a) && movable(contact.body_b) {
            return 0.0;
        }
        let impulse = contact.frame * impulse;
        let mut work = 0.0;
        for (body, arm, impulse) in
            [(contact.body_a, contact.arm_a, impulse), (contact.body_b, contact.arm_b, -impulse)]
        {
            let body = &self.problem.bodies()[body];
            if !body.is_movable() {
                work += impulse.dot(body.free.linear + body.free.angular.cross(arm));
            }
        }
        work
    }

    /// The contacts in the order they were chosen.
    pub(super) fn contacts(&self) -> &[Contact] {
        self.problem.contacts()
    }
}

/// `J v` of up to four contacts of one manifold, m/s, in their frame.
#[inline(always)]
fn between<L: Lanes>(contacts: [&Contact; LANES], [a, b]: [&BodyVelocity; 2]) -> Vectors<L> {
    let all = Vectors::<L>::all;
    let turning_a = all(a.angular).cross(Vectors::of(each(contacts, |contact| contact.arm_a)));
    let turning_b = all(b.angular).cross(Vectors::of(each(contacts, |contact| contact.arm_b)));
    Frames::all(&contacts[0].frame).local(all(b.linear - a.linear) + turning_b - turning_a)
}

/// The sum of `J v` before and after.
struct BeforeAndAfter<'a> {
    contacts: &'a [Contact],
    before: [&'a BodyVelocity; 2],
    after: [&'a BodyVelocity; 2],
}

impl Kernel for BeforeAndAfter<'_> {
    type Output = [Vec3; LANES];

    #[inline(always)]
    fn run<L: Lanes>(self) -> Self::Output {
        let contacts = four(self.contacts);
        (between::<L>(contacts, self.before) + between(contacts, self.after)).each()
    }
}

/// `J v` of one contact.
fn alone(contact: &Contact, ends: [&BodyVelocity; 2]) -> Vec3 {
    let [velocity, ..] = between::<Single>([contact; LANES], ends).each();
    velocity
}

fn velocity(contact: &Contact, velocities: &[BodyVelocity]) -> Vec3 {
    alone(contact, [&velocities[contact.body_a], &velocities[contact.body_b]])
}

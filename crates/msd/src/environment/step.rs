//! One step of the world.
//!
//! A step reads as its phases: forces, detect, integrate, contact, position, account, certify, commit. It works on copies and
//! swaps them in at the very end, so that a step that fails has changed nothing. A step in which bodies would pass through each other is
//! taken in parts (`subdivision`).

use super::certify::FlightEnergy;
use super::contact::{ContactTier, ContactWork, Contacts, FreeFlight};
use super::energy_ledger::{EnergyLedger, EnergySum, StepEnergy};
use super::simulation_time::SimulationTime;
use super::step_report::{Phase, PhaseTimes, StepReport};
use super::validate;
use super::workspace::Workspace;
use super::{World, WorldError};
use crate::certificate::StepCertificate;
use crate::math::{ReferenceFrame, Vec3, orientation, scalar};
use crate::physics::constraints::contact::ContactProblemError;
use crate::physics::integration::{StepWork, System, field_energy_not_finite, potential_energy};
use crate::physics::rigid_body::{Bodies, BodyKind, BodyView, InertialState, RigidBody, Wrench};
use crate::threads::BODIES_A_TASK;

/// How often a step is halved in which bodies pass, or may pass, through each other: a body that rotates by
/// 40 rad a step rotates by 0.08 rad in the smallest part. tuned: spinning rods.
const STEP_HALVINGS: u32 = 9;

/// Limit of attempts at a step and its parts, after which the last one is kept and reported. tuned: spinning
/// rods.
const STEP_ATTEMPTS: u32 = 400;

/// A step, or a part of one.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepPart {
    /// Its length, s.
    pub(super) dt: f64,
    /// From its start to the end of the whole step, s.
    pub(super) left: f64,
    /// How often it may still be halved.
    pub(super) halvings: u32,
}

/// Times the phases of a step with the world's clock, if it has one.
struct Stopwatch {
    clock: Option<fn() -> f64>,
    last: f64,
    times: PhaseTimes,
}

impl Stopwatch {
    fn start(clock: Option<fn() -> f64>) -> Self {
        Self { clock, last: clock.map_or(0.0, |now| now()), times: PhaseTimes::default() }
    }

    fn lap(&mut self, phase: Phase) {
        if let Some(now) = self.clock {
            let seconds = now();
            self.times.add(phase, seconds - self.last);
            self.last = seconds;
        }
    }
}

impl World {
    /// Advances the world by `dt` seconds.
    ///
    /// # Errors
    /// If `dt` is not positive and finite, or the step cannot be computed. The world is then unchanged.
    pub fn step(&mut self, dt: f64) -> Result<StepReport, WorldError> {
        validate::Validator::world().advances("dt", dt, self.time())?;
        let mut quarantined = Vec::new();
        loop {
            let outcome = self.account_for_changes().and_then(|()| self.try_step(dt));
            match outcome {
                Ok(report) => {
                    let energy = self.act_on_joints(report.energy);
                    self.find_triggered();
                    return Ok(StepReport { energy, quarantined, ..report });
                }
                Err(error) => match self.at_fault(&error) {
                    Some(slot) => quarantined.push(self.quarantine(slot, error)),
                    None => return Err(error),
                },
            }
        }
    }

    /// One step; on failure the world is unchanged.
    fn try_step(&mut self, dt: f64) -> Result<StepReport, WorldError> {
        let threads = std::mem::take(&mut self.threads);
        let outcome = if self.bodies.len() <= self.bodies_for_one_thread() {
            self.advance_whole(dt)
        } else {
            self.threads = threads.clone();
            threads.enter(|| self.advance_whole(dt))
        };
        self.threads = threads;
        outcome
    }

    /// One step, in one piece or, where bodies would pass through each other or may have, in parts.
    fn advance_whole(&mut self, dt: f64) -> Result<StepReport, WorldError> {
        let whole = StepPart { dt, left: dt, halvings: STEP_HALVINGS };
        self.workspace.attempts = 0;
        match self.advance(whole).inspect_err(|_| self.rollback())? {
            Some(report) => Ok(report),
            None => self.advance_in_parts(whole),
        }
    }

    /// Number of bodies below which threads do not pay off. An exact step may be expensive with few bodies;
    /// soft ones cost some microseconds a body.
    fn bodies_for_one_thread(&self) -> usize {
        match self.contacts.settings.tier {
            ContactTier::Fast => BODIES_A_TASK,
            ContactTier::Exact | ContactTier::Auto => BODIES_A_TASK / 8,
        }
    }

    /// Advances one step or part of a step. `None`, with the world unchanged, if smaller parts are needed.
    pub(super) fn advance(&mut self, span: StepPart) -> Result<Option<StepReport>, WorldError> {
        let dt = span.dt;
        let mut watch = Stopwatch::start(self.clock);
        self.wake_disturbed(dt);
        if self.everything_sleeps() {
            return Ok(Some(self.step_asleep(dt)));
        }

        let mut dissipated = self.forces(span);
        watch.lap(Phase::Forces);

        self.detect(dt);
        watch.lap(Phase::Detect);

        let work = self.integrate(dt).map_err(|error| self.cause(error, dt))?;
        dissipated += work.dissipated + self.damp(0.5 * dt);
        watch.lap(Phase::Integrate);

        let time = self.state.time.after(dt);
        let flight = FlightEnergy { work_in: work.work_in, dissipated, correction: work.correction };
        let contact = self.resolve_contacts(time, dt)?;
        dissipated += contact.dissipated;
        let (work_in, lost) = self.work_of_displacement(time, dt);
        dissipated += lost;
        watch.lap(Phase::Contact);

        let (number, began) = (self.state.steps + 1, self.time());
        let correction = self
            .correct_positions(time, dt)
            .map(|added| added + contact.correction + work.correction)
            .and_then(|added| {
                check_resolution(&self.bodies, &self.workspace.next, number, began).map(|()| added)
            })?;
        watch.lap(Phase::Position);

        dissipated += self.try_sleep(dt);
        let energy = self.account(time, work.work_in + contact.work_in + work_in, dissipated, correction)?;
        watch.lap(Phase::Account);

        let certificate = self.certify(time, dt, &energy, &flight);
        watch.lap(Phase::Certify);
        self.workspace.attempts += 1;
        let divides = span.halvings > 0 && self.workspace.attempts < STEP_ATTEMPTS;
        if certificate.may_have_crossed() && divides {
            self.rollback();
            return Ok(None);
        }
        self.require_certified(&certificate, time)?;

        self.commit(time, dt, &energy);
        watch.lap(Phase::Commit);
        let joints = *self.joints.report();
        let contacts = self.contacts.report;
        Ok(Some(StepReport {
            step: self.state.steps,
            time: self.time(),
            dt,
            parts: 1,
            energy,
            joints,
            contacts,
            certificate,
            quarantined: Vec::new(),
            phases: watch.times,
        }))
    }

    /// Kinetic and potential energy of the state as it is, J.
    pub(super) fn measure_energy(&self) -> EnergySum {
        self.energy_of(&self.state.states, self.time())
    }

    /// Potential energy of fields and springs, J.
    fn potential_energy(&self, bodies: &Bodies<'_>, time: f64) -> f64 {
        potential_energy(&self.fields, bodies, time) + self.joints.elastic_energy(bodies.states, time)
    }

    /// Records changes by the user since the last step in the ledger.
    fn account_for_changes(&mut self) -> Result<(), WorldError> {
        if self.state.modified {
            let energy = self.measure_energy();
            self.check_energy(&self.state.states, self.time(), energy)?;
            self.state.ledger.rebase(energy);
            self.state.modified = false;
            self.workspace.unjudged = true;
        }
        Ok(())
    }

    /// Refuses an energy that is not finite and names its source.
    fn check_energy(&self, states: &[InertialState], at: f64, sum: EnergySum) -> Result<(), WorldError> {
        if sum.total().is_finite() {
            return Ok(());
        }
        let (step, time) = (self.state.steps + 1, self.time());
        let bodies = Bodies { states, ..self.all_bodies() };
        let of_body = |what: String, slot: usize, value: f64| WorldError::EnergyNotFinite {
            step,
            time,
            what,
            body: self.bodies[slot].name.clone(),
            value,
        };
        if let Some((field, slot, value)) = field_energy_not_finite(&self.fields, &bodies, at) {
            return Err(of_body(format!("the energy of the field `{field}`"), slot, value));
        }
        let energy = |view: &BodyView<'_>| view.state.kinetic_energy(view.inertia);
        let (mut fastest, mut most) = (None, 0.0);
        for view in bodies.iter() {
            if energy(&view) > most || energy(&view).is_nan() {
                (fastest, most) = (Some(view.slot), energy(&view));
            }
        }
        let elastic = self.joints.elastic_energy(states, at);
        match fastest {
            Some(slot) if elastic.is_finite() => {
                Err(of_body("the kinetic energy, or the sum of all energies,".to_owned(), slot, most))
            }
            _ => Err(WorldError::JointEnergyNotFinite { step, time, value: elastic }),
        }
    }

    /// Phase 1: copies the states, aims kinematic bodies at their targets, and applies the first half of the damping.
    /// Returns the energy it dissipated.
    fn forces(&mut self, StepPart { dt, left, .. }: StepPart) -> f64 {
        self.workspace.next.clone_from(&self.state.states);
        self.workspace.inertias.clone_from(&self.state.inertias);
        self.joints.store_reactions();
        for (&slot, target) in &self.state.targets {
            let body = &self.bodies[slot];
            aim(&mut self.workspace.next[slot], body.center_of_mass(target), target, left);
        }
        let dissipated = self.damp(0.5 * dt);
        self.workspace.start.clone_from(&self.workspace.next);
        dissipated
    }

    /// Phase 2: collision detection for the step.
    fn detect(&mut self, dt: f64) {
        let bodies =
            Bodies { bodies: &self.bodies, inertias: &self.state.inertias, states: &self.workspace.start };
        self.contacts.detect(&bodies, self.gravity, dt, &self.threads, &mut self.state.sleep);
    }

    /// Exact exponential decay of velocities over `duration`, on the states being computed; returns the energy lost.
    fn damp(&mut self, duration: f64) -> f64 {
        let damped = |body: &RigidBody| {
            body.kind == BodyKind::Dynamic && (body.linear_damping != 0.0 || body.angular_damping != 0.0)
        };
        if !self.bodies.iter().any(damped) {
            return 0.0;
        }
        let time = self.time();
        let mut lost = self.joints.rotor_energy(&self.workspace.next, time);
        for ((state, body), inertia) in
            self.workspace.next.iter_mut().zip(&self.bodies).zip(&self.state.inertias)
        {
            if !damped(body) {
                continue;
            }
            let before = state.kinetic_energy(inertia);
            state.velocity *= scalar::exp(-body.linear_damping * duration);
            state.angular_velocity *= scalar::exp(-body.angular_damping * duration);
            lost += before - state.kinetic_energy(inertia);
        }
        lost - self.joints.rotor_energy(&self.workspace.next, time)
    }

    /// Phase 3: the equations of motion over dt.
    fn integrate(&mut self, dt: f64) -> Result<StepWork, WorldError> {
        let (step, time) = (self.state.steps + 1, self.time());
        let failed = |source| WorldError::Step { step, time, source };
        self.command_joints(dt);
        let states = &mut self.workspace.next;
        let asleep = self.state.sleep.asleep();
        self.joints.exclude(asleep);
        self.joints.arrange(&Bodies { bodies: &self.bodies, inertias: &self.state.inertias, states });
        self.contacts.claim_joints(&mut self.joints, &self.state.inertias);
        let mut system = System::new(
            &self.bodies,
            &mut self.state.inertias,
            states,
            &self.fields,
            &self.state.loads,
            time,
            dt,
        )
        .and_then(|system| {
            system.with_sleeping(asleep).with_threads(&self.threads).with_constraints(
                &mut self.joints,
                states,
                dt,
            )
        })
        .map_err(failed)?;
        let outcome = self
            .integrator
            .step(&mut system, states, time, dt)
            .and_then(|work| {
                let method = self.integrator.name();
                system.check_step(method, &self.workspace.start, states, &work, dt).map(|()| work)
            })
            .map_err(failed)
            .and_then(|work| check_resolution(&self.bodies, states, step, time).map(|()| work));
        match outcome {
            Ok(_) => system.set_time(time + dt),
            Err(_) => system.rewind(),
        }
        // Methods may round an orientation even of a body that does not move.
        for slot in (0..asleep.len()).filter(|slot| asleep[*slot]) {
            states[slot] = self.workspace.start[slot];
        }
        outcome
    }

    /// Cause of a failed integration: forces that are not finite or too large come first.
    fn cause(&mut self, error: WorldError, dt: f64) -> WorldError {
        if !matches!(error, WorldError::Step { .. }) {
            return error;
        }
        let (step, time) = (self.state.steps + 1, self.time());
        let (start, inertias) = (&self.workspace.start, &mut self.state.inertias);
        inertias.clone_from(&self.workspace.inertias);
        let system = System::new(&self.bodies, inertias, start, &self.fields, &self.state.loads, time, dt);
        let found = system.and_then(|mut system| {
            let found = system.check_forces(start, dt);
            system.rewind();
            found
        });
        found.err().map_or(error, |source| WorldError::Step { step, time, source })
    }

    /// A step in which all bodies sleep.
    fn step_asleep(&mut self, dt: f64) -> StepReport {
        let EnergyLedger { kinetic, potential, .. } = self.state.ledger;
        let energy = StepEnergy { kinetic, potential, ..StepEnergy::default() };
        self.state.ledger = self.state.ledger.after_step(&energy);
        self.state.time = self.state.time.after(dt);
        self.state.steps += 1;
        self.contacts.rest();
        self.workspace.last_dt = 0.0;
        StepReport {
            step: self.state.steps,
            time: self.time(),
            dt,
            parts: 1,
            energy,
            joints: *self.joints.report(),
            contacts: self.contacts.report,
            certificate: StepCertificate::at_rest(),
            quarantined: Vec::new(),
            phases: PhaseTimes::default(),
        }
    }

    /// Restores everything a failed step has changed.
    fn rollback(&mut self) {
        self.state.inertias.clone_from(&self.workspace.inertias);
        self.contacts.rollback();
        if self.sleeping.is_some() {
            self.state.sleep.clone_from(&self.workspace.sleep);
        }
        self.joints.restore_reactions();
        // Changes by the user before the step have not been checked yet.
        self.state.modified |= self.workspace.unjudged;
    }

    /// The contacts and the bodies that they act on.
    fn flight(&mut self, time: SimulationTime, dt: f64) -> (&mut Contacts, FreeFlight<'_>) {
        let Self { bodies, state, joints, threads, workspace, contacts, .. } = self;
        let flight = FreeFlight {
            bodies,
            inertias: &state.inertias,
            joints,
            before: &workspace.start,
            after: &mut workspace.next,
            dt,
            end: time.seconds(),
            threads,
        };
        (contacts, flight)
    }

    /// Phase 4: impacts and persistent contact, applied to the free motion.
    fn resolve_contacts(&mut self, time: SimulationTime, dt: f64) -> Result<ContactWork, WorldError> {
        let (step, now) = (self.state.steps + 1, self.time());
        let start =
            Bodies { bodies: &self.bodies, inertias: &self.state.inertias, states: &self.workspace.start };
        let after = &self.workspace.next;
        self.contacts.detect_accelerated(&start, after, dt, &self.threads, &mut self.state.sleep);
        self.workspace.flies = self.joints.is_empty() && self.contacts.detector.contacts().next().is_none();
        if !self.workspace.flies {
            self.workspace.flown.clone_from(&self.workspace.next);
        }
        let (contacts, mut flight) = self.flight(time, dt);
        let work = contacts.resolve(&mut flight).map_err(|source| match source {
            ContactProblemError::Diverged { slot } => {
                let body = flight.bodies[slot].name.clone();
                WorldError::ContactDiverged { step, time: now, body }
            }
            ContactProblemError::Material { a, b, source } => {
                let [a, b] = [a, b].map(|slot| flight.bodies[slot].name.clone());
                WorldError::PairMaterial { step, time: now, a, b, source }
            }
            source => WorldError::Contact { step, time: now, source },
        })?;
        self.contacts.load_joints(&mut self.joints, &self.workspace.next, dt, time.seconds());
        Ok(work)
    }

    /// The integrator has counted the work of loads and drag along the free motion; contact has displaced the
    /// bodies from there. Returns the additional work and dissipation.
    fn work_of_displacement(&mut self, time: SimulationTime, dt: f64) -> (f64, f64) {
        if self.contacts.report.islands == 0 {
            return (0.0, 0.0);
        }
        let Workspace { flown, next, loads, .. } = &mut self.workspace;
        let rows = self.joints.work_of_displacement(flown, next, time.seconds());
        let by_rows = (rows.work_in, rows.dissipated);
        let (start, inertias) = (time.seconds() - dt, &mut self.state.inertias);
        let system = System::new(&self.bodies, inertias, flown, &self.fields, &self.state.loads, start, dt);
        // A body about to run out of mass is refused by the next step, not here.
        let system = system.map(|system| system.with_sleeping(self.state.sleep.asleep()));
        let Some(mut system) = system.ok().filter(System::has_outside_loads) else { return by_rows };
        system.loads(time.seconds(), flown, loads);
        system.rewind();
        let along = |wrenches: &[Wrench]| -> f64 {
            let displaced = wrenches.iter().zip(flown.iter().zip(next.iter()));
            displaced.map(|(wrench, (from, to))| wrench.work_between(from, to)).sum()
        };
        (by_rows.0 + along(&loads.external), by_rows.1 - along(&loads.dissipative))
    }

    /// Phase 5: position correction without changing velocities; returns the energy it added.
    fn correct_positions(&mut self, time: SimulationTime, dt: f64) -> Result<f64, WorldError> {
        if !self.contacts.overlaps() {
            return Ok(0.0);
        }
        let before = self.energy_of(&self.workspace.next, time.seconds());
        let (step, now) = (self.state.steps + 1, self.time());
        let failed = |source| WorldError::Contact { step, time: now, source };
        let (contacts, mut flight) = self.flight(time, dt);
        contacts.correct_positions(&mut flight).map_err(failed)?;
        let after = self.energy_of(&self.workspace.next, time.seconds());
        Ok((after.kinetic - before.kinetic) + (after.potential - before.potential))
    }

    /// Phase 6: energy balance of the step.
    fn account(
        &self,
        time: SimulationTime,
        work_in: f64,
        dissipated: f64,
        correction: f64,
    ) -> Result<StepEnergy, WorldError> {
        let energy = self.energy_of(&self.workspace.next, time.seconds());
        self.check_energy(&self.workspace.next, time.seconds(), energy)?;
        let EnergySum { kinetic, potential } = energy;
        let step = StepEnergy { kinetic, potential, work_in, dissipated, correction, unexplained: 0.0 };
        Ok(self.state.ledger.with_unexplained(step))
    }

    /// Kinetic and potential energy with the bodies in `states`, J.
    pub(super) fn energy_of(&self, states: &[InertialState], time: f64) -> EnergySum {
        let bodies = Bodies { states, ..self.all_bodies() };
        let of_bodies: f64 = bodies.iter().map(|view| view.state.kinetic_energy(view.inertia)).sum();
        let kinetic = of_bodies + self.joints.rotor_energy(states, time);
        EnergySum { kinetic, potential: self.potential_energy(&bodies, time) }
    }

    /// Phase 8: commits the new states. This cannot fail.
    fn commit(&mut self, time: SimulationTime, dt: f64, energy: &StepEnergy) {
        self.workspace.body_tree.take();
        std::mem::swap(&mut self.state.states, &mut self.workspace.next);
        std::mem::swap(&mut self.workspace.next, &mut self.workspace.before);
        self.workspace.changed = false;
        for &slot in self.state.targets.keys() {
            self.state.states[slot].reset_motion();
        }
        self.state.targets.clear();
        self.state.loads.clear();
        self.state.ledger = self.state.ledger.after_step(energy);
        self.state.time = time;
        self.state.steps += 1;
        self.contacts.remember(dt, self.bodies.len(), &self.state.sleep, &self.threads);
        self.advance_drives(dt);
        self.workspace.last_dt = dt;
        (self.workspace.unjudged, self.state.modified) = (false, false);
    }
}

/// Refuses positions that f64 no longer resolves, after the step of that number and start time, s.
fn check_resolution(
    bodies: &[RigidBody],
    states: &[InertialState],
    step: u64,
    time: f64,
) -> Result<(), WorldError> {
    bodies
        .iter()
        .zip(states)
        .try_for_each(|(body, state)| validate::resolution(&body.name, state.center_of_mass))
        .map_err(|source| WorldError::StepOutOfResolution { step, time, source: Box::new(source) })
}

/// Constant velocities that bring a kinematic body to `target` in `dt` seconds.
fn aim(state: &mut InertialState, center_of_mass: Vec3, target: &ReferenceFrame, dt: f64) {
    state.velocity = (center_of_mass - state.center_of_mass) / dt;
    state.angular_velocity =
        orientation::rotation_vector(target.orientation * state.orientation.conjugate()) / dt;
}

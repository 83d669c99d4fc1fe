//! The equations of motion with constraints: RATTLE and projection for the integrators.
//!
//! Splittings update velocities with [`System::loads`], move the bodies with [`System::drift`] (RATTLE:
//! impulses before the position update close the joints after it) and end with [`System::project`]. Methods
//! with stages use [`System::constrained_loads`], which includes the joint forces with `J̇ v` at every stage,
//! and end with the same projection, which then removes a drift of the method's own order. Without
//! constraints all of these reduce to their unconstrained versions.

use super::{IntegrationError, Loads, StepWork, System};
use crate::math::scalar;
use crate::physics::constraints::{
    ConstraintError, ConstraintSet, ConstraintWork, DriftBodies, WorkAlong, WrenchSums,
};
use crate::physics::rigid_body::{Acceleration, Bodies, Inertia, InertialState, Wrench};

impl<'a> System<'a> {
    /// The same system with constraints, whose step begins here: `states` are those at the start.
    ///
    /// # Errors
    /// If a constraint is not finite, or limits and motors do not settle.
    pub fn with_constraints(
        mut self,
        constraints: &'a mut ConstraintSet,
        states: &[InertialState],
        dt: f64,
    ) -> Result<Self, IntegrationError> {
        if constraints.is_empty() {
            return Ok(self);
        }
        let predict = constraints.begin_step(&self.at(states), self.start, dt)?;
        if !constraints.has_acting() {
            return Ok(self);
        }
        self.parts.dissipative |= constraints.has_dampers();
        self.parts.external |= constraints.has_resolved_drives();
        self.depends_on_velocity |= constraints.depends_on_velocity();
        self.constraints = Some(constraints);
        if predict {
            self.predict(states)?;
        }
        Ok(self)
    }

    /// Lets the constraints decide on limits, motors and stiff springs, given the forces at the start.
    fn predict(&mut self, states: &[InertialState]) -> Result<(), IntegrationError> {
        let Some(constraints) = self.constraints.as_deref_mut() else { return Ok(()) };
        let [total, external, dissipative] = constraints.take_wrenches();
        let mut loads = Loads { total, external, dissipative };
        self.loads(self.start, states, &mut loads);
        let bodies = Bodies { bodies: self.bodies, inertias: self.inertias, states };
        if let Some(constraints) = self.constraints.as_deref_mut() {
            constraints.predict(&bodies, self.start, &loads.total)?;
            constraints.store_wrenches([loads.total, loads.external, loads.dissipative]);
        }
        Ok(())
    }

    /// The constraints, if there are any.
    #[must_use]
    pub fn constraints(&self) -> Option<&ConstraintSet> {
        self.constraints.as_deref()
    }

    /// Forces of springs and motors at this instant.
    pub(super) fn add_joint_forces(&self, time: f64, states: &[InertialState], out: &mut Loads) {
        if let Some(constraints) = self.constraints.as_deref() {
            let mut sums = WrenchSums {
                conservative: &mut out.total,
                external: &mut out.external,
                dissipative: &mut out.dissipative,
            };
            constraints.add_forces(&self.at(states), time, &mut sums);
        }
    }

    /// Bodies stay where they are until [`System::free_positions`], and only velocities change: forces of joints need their positions
    /// once.
    pub(super) fn fix_positions(&mut self, time: f64, states: &[InertialState]) {
        let bodies = Bodies { bodies: self.bodies, inertias: self.inertias, states };
        if let Some(constraints) = self.constraints.as_deref_mut() {
            constraints.place_forces(&bodies, time);
        }
    }

    /// With positions fixed: adds to the wrenches at the velocities in `states` their changes up to the velocities after `reach`
    /// seconds of them. False, with the wrenches as they were, where other forces than those of joints depend on velocity, or the
    /// iteration for velocities must find them.
    pub(super) fn add_implicit_forces(
        &mut self,
        states: &[InertialState],
        reach: f64,
        wrenches: &mut [Wrench],
    ) -> bool {
        let bodies = Bodies { bodies: self.bodies, inertias: self.inertias, states };
        match self.constraints.as_deref_mut() {
            Some(constraints) if !self.fields_depend_on_velocity => {
                constraints.add_implicit_forces(&bodies, reach, wrenches)
            }
            _ => false,
        }
    }

    /// Bodies move again.
    pub(super) fn free_positions(&mut self) {
        if let Some(constraints) = self.constraints.as_deref_mut() {
            constraints.free_forces();
        }
    }

    /// All wrenches at `time`, joint forces included. A failure is stored for [`System::check_finite`].
    pub fn constrained_loads(&mut self, time: f64, states: &[InertialState], out: &mut Loads) {
        self.loads(time, states, out);
        let bodies = Bodies { bodies: self.bodies, inertias: self.inertias, states };
        if let Some(constraints) = self.constraints.as_deref_mut()
            && let Err(error) = constraints.add_holding_wrenches(&bodies, time, &mut out.total)
        {
            self.failure = Some(error.into());
        }
    }

    /// Corrects accelerations to what the joints allow.
    pub(super) fn constrain(
        &mut self,
        time: f64,
        states: &[InertialState],
        accelerations: &mut [Acceleration],
    ) -> Result<(), IntegrationError> {
        let bodies = Bodies { bodies: self.bodies, inertias: self.inertias, states };
        match self.constraints.as_deref_mut() {
            Some(constraints) => Ok(constraints.constrain_accelerations(&bodies, time, accelerations)?),
            None => Ok(()),
        }
    }

    /// Power of driven constraints, W.
    pub(super) fn driven_power(&self, time: f64, states: &[InertialState]) -> f64 {
        self.constraints().map_or(0.0, |constraints| constraints.driven_power(&self.at(states), time))
    }

    /// Moves the bodies by `flight` for `dt` seconds from `time`, with impulses before it that close the
    /// joints after it (the position stage of RATTLE); `flight` receives its duration. The bodies must be
    /// where they were at the start of the step. Where no such impulses exist, the drift is damped.
    ///
    /// # Errors
    /// If a constraint is not finite, or joints cannot be closed.
    pub fn drift(
        &mut self,
        states: &mut [InertialState],
        time: f64,
        dt: f64,
        flight: impl Fn(&[Inertia], &mut [InertialState], f64),
    ) -> Result<StepWork, IntegrationError> {
        self.try_drift(states, time, dt, true, flight).map(Option::unwrap_or_default)
    }

    /// As [`System::drift`]; `None`, with unchanged velocities, where no such impulses exist and it must not
    /// be `damped`.
    ///
    /// # Errors
    /// If a constraint is not finite, or joints cannot be closed.
    pub fn try_drift(
        &mut self,
        states: &mut [InertialState],
        time: f64,
        dt: f64,
        damped: bool,
        flight: impl Fn(&[Inertia], &mut [InertialState], f64),
    ) -> Result<Option<StepWork>, IntegrationError> {
        let closed = self.close_open_joints(states, time)?;
        let inertias: &[Inertia] = self.inertias;
        let Some(constraints) = self.constraints.as_deref_mut() else {
            flight(inertias, states, dt);
            return Ok(Some(StepWork::default()));
        };
        let fixed = DriftBodies { bodies: self.bodies, inertias };
        let flight = |states: &mut [InertialState], span: f64| flight(inertias, states, span);
        let work = constraints.constrained_drift(fixed, states, time, dt, damped, flight)?;
        Ok(work.map(|work| StepWork { correction: closed, ..work.into() }))
    }

    /// Between two substeps: closes the joints and projects the velocities.
    ///
    /// # Errors
    /// If joints cannot be closed.
    pub(super) fn between_substeps(
        &mut self,
        states: &mut [InertialState],
        time: f64,
    ) -> Result<StepWork, IntegrationError> {
        self.set_time(time);
        self.closing(states, time, |constraints, fixed, states| {
            constraints.between_substeps(fixed, states, time)
        })
    }

    /// Stores the number of substeps for the report.
    pub(super) fn store_substep_count(&mut self, parts: usize) {
        if let Some(constraints) = self.constraints.as_deref_mut() {
            constraints.store_substep_count(parts);
        }
    }

    /// Closes joints that are open at the start of a drift because the user moved bodies: the drift would
    /// close them with velocities. Returns the energy that adds.
    fn close_open_joints(
        &mut self,
        states: &mut [InertialState],
        time: f64,
    ) -> Result<f64, IntegrationError> {
        if !self.constraints().is_some_and(ConstraintSet::starts_open) {
            return Ok(0.0);
        }
        self.closing(states, time, |constraints, fixed, states| {
            constraints.project_positions(fixed, states, time).map(|()| ConstraintWork::default())
        })
        .map(|work| work.correction)
    }

    /// Runs a constraint operation that may move bodies, and records the energy of that as a correction.
    fn closing(
        &mut self,
        states: &mut [InertialState],
        time: f64,
        close: impl FnOnce(
            &mut ConstraintSet,
            DriftBodies<'_>,
            &mut [InertialState],
        ) -> Result<ConstraintWork, ConstraintError>,
    ) -> Result<StepWork, IntegrationError> {
        let fixed = DriftBodies { bodies: self.bodies, inertias: self.inertias };
        let Some(constraints) = self.constraints.as_deref_mut() else { return Ok(StepWork::default()) };
        let before = constraints.copy_states(states);
        let closed = close(constraints, fixed, states);
        let stays = |(a, b): (&InertialState, &InertialState)| {
            a.center_of_mass == b.center_of_mass && a.orientation == b.orientation
        };
        let correction = if before.iter().zip(states.iter()).all(stays) {
            0.0
        } else {
            self.potential_energy(time, states) - self.potential_energy(time, &before)
        };
        if let Some(constraints) = self.constraints.as_deref_mut() {
            constraints.store_states(before);
        }
        Ok(StepWork { correction, ..closed?.into() })
    }

    /// Ends the step at `time`: projects positions, then velocities, onto the constraints.
    ///
    /// # Errors
    /// If joints contradict each other or cannot be closed, or a stage failed.
    pub fn project(&mut self, states: &mut [InertialState], time: f64) -> Result<StepWork, IntegrationError> {
        self.project_along(states, time, WorkAlong::Path)
    }

    /// As [`System::project`], for a method that moves bodies with the velocity of the end of the step.
    ///
    /// # Errors
    /// As [`System::project`].
    pub(super) fn project_euler(
        &mut self,
        states: &mut [InertialState],
        time: f64,
    ) -> Result<StepWork, IntegrationError> {
        self.project_along(states, time, WorkAlong::MeanRates)
    }

    fn project_along(
        &mut self,
        states: &mut [InertialState],
        time: f64,
        along: WorkAlong,
    ) -> Result<StepWork, IntegrationError> {
        if let Some(error) = self.failure.take() {
            return Err(error);
        }
        self.set_time(time);
        let Some(constraints) = self.constraints.as_deref_mut() else { return Ok(StepWork::default()) };
        let mut work = if constraints.has_passed_limits(states, time) {
            let flown = self.closing(states, time, |constraints, fixed, states| {
                constraints.end_flight(fixed, states, time)
            });
            let mut work = flown?;
            work += self.resolve_limit_impacts(states, time)?;
            work
        } else {
            self.closing(states, time, |constraints, fixed, states| {
                constraints.end_step(fixed, states, time)
            })?
        };
        if let Some(constraints) = self.constraints() {
            work += constraints.work_of_held_rows(states, time, along).into();
        }
        Ok(work)
    }

    /// Ends a step in which limits were hit, from the state past them. The integrator has counted the work of
    /// loads and drag along that motion: it is reduced to the part up to the limit. The rest of the loss is
    /// that of the impact.
    fn resolve_limit_impacts(
        &mut self,
        states: &mut [InertialState],
        time: f64,
    ) -> Result<StepWork, IntegrationError> {
        let energy = |system: &Self, states: &[InertialState]| {
            system.kinetic_energy(states) + system.potential_energy(time, states)
        };
        let before = energy(self, states);
        let Some(constraints) = self.constraints.as_deref_mut() else { return Ok(StepWork::default()) };
        let [total, external, dissipative] = constraints.take_wrenches();
        let flown = constraints.copy_states(states);
        let mut loads = Loads { total, external, dissipative };
        self.loads(time, &flown, &mut loads);
        let fixed = DriftBodies { bodies: self.bodies, inertias: self.inertias };
        let Some(constraints) = self.constraints.as_deref_mut() else { return Ok(StepWork::default()) };
        let struck = constraints.end_step(fixed, states, time);
        let along = |wrenches: &[Wrench]| -> f64 {
            let moved = wrenches.iter().zip(flown.iter().zip(states.iter()));
            moved.map(|(wrench, (from, to))| wrench.work_between(from, to)).sum()
        };
        let (by_loads, by_drag) = (along(&loads.external), along(&loads.dissipative));
        let [flown_past, held] =
            [&flown[..], states].map(|states| constraints.work_of_held_rows(states, time, WorkAlong::Path));
        let by_rows = (held.work_in - flown_past.work_in) - (held.dissipated - flown_past.dissipated);
        constraints.store_wrenches([loads.total, loads.external, loads.dissipative]);
        constraints.store_states(flown);
        let work_in = struck?.work_in + by_loads;
        let impact = before - energy(self, states) + work_in + by_drag + by_rows;
        Ok(StepWork { work_in, dissipated: scalar::max(impact, 0.0) - by_drag, correction: 0.0 })
    }
}

impl From<ConstraintWork> for StepWork {
    fn from(work: ConstraintWork) -> Self {
        Self { work_in: work.work_in, dissipated: work.dissipated, correction: 0.0 }
    }
}

//! Properties that hold after every step of a random world, checked from the states alone.
//!
//! 1. No panic, and all states, energies and reports are finite.
//! 2. A refused step changes nothing.
//! 3. A certified step is right, by code that imports no part of the certificate: no overlap grows by more than twice the
//!    limit (public distance queries without a cache), joints hold (anchors carried by the states), the ledger has the
//!    energy of the states, and no body without a drive gains energy.

use std::collections::BTreeSet;

use msd::environment::{StepReport, World};
use msd::math::{ReferenceFrame, Vec3, scalar};
use msd::physics::collision::distance;
use msd::physics::rigid_body::InertialState;
use msd::physics::rigid_body::shape::{Geometry, HalfSpace, Shape};

use super::plan::{BodyRole, Ground, JointKind, Plan, PlannedField};

/// Overlap that a certified step may add, relative to the smaller body: twice the limit of the certificate, for the accuracy of the
/// queries.
const OVERLAP: f64 = 2e-6;
/// Error of a joint of a certified step, m: twice the limit, and the round-off of positions.
const JOINT: f64 = 2e-9;

/// Result of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub steps: usize,
    pub certified: usize,
    pub reported: usize,
    pub refused: usize,
}

/// Runs a plan.
///
/// # Errors
/// Says which promise was broken, in which step.
pub fn run(plan: &Plan) -> Result<Tally, String> {
    let mut tally = Tally::default();
    let Ok(mut world) = plan.build() else { return Ok(tally) };
    let scratch = Scratch::new(plan, &world);
    let mut overlaps = scratch.overlaps(&world);
    let mut before = states(&world);
    for step in 1..=plan.steps {
        let hash = world.state_hash();
        let told = |what: String| format!("step {step}: {what}");
        let report = match world.step(plan.dt) {
            Ok(report) => report,
            Err(error) => {
                if error.to_string().is_empty() || world.state_hash() != hash {
                    return Err(told(format!("a refused step changed the state: {error}")));
                }
                tally.refused += 1;
                return Ok(tally);
            }
        };
        tally.steps += 1;
        let after = states(&world);
        finite(&world, &after, &report).map_err(told)?;
        let now = scratch.overlaps(&world);
        if report.certificate.is_certified() {
            tally.certified += 1;
            scratch.compare(&overlaps, &now).map_err(told)?;
            scratch.joints_hold(&world).map_err(told)?;
            scratch.energy(plan, (&before, &after), &world, &report).map_err(told)?;
        } else {
            tally.reported += 1;
        }
        (overlaps, before) = (now, after);
    }
    Ok(tally)
}

/// The smallest plan found that still breaks a promise, and how: bodies, joints and fields are left out, motion and turns are taken
/// away, and the run is shortened, as long as it still fails.
pub fn shrink(mut plan: Plan, fails: impl Fn(&Plan) -> Option<String>) -> (Plan, String) {
    let mut message = fails(&plan).unwrap_or_default();
    loop {
        let mut smaller: Vec<Plan> = (0..plan.bodies.len()).map(|k| plan.without_body(k)).collect();
        let with = |change: &dyn Fn(&mut Plan)| {
            let mut changed = plan.clone();
            change(&mut changed);
            changed
        };
        smaller.extend((0..plan.joints.len()).map(|k| with(&|plan| drop(plan.joints.remove(k)))));
        smaller.extend((0..plan.latches.len()).map(|k| with(&|plan| drop(plan.latches.remove(k)))));
        smaller.extend((0..plan.fields.len()).map(|k| with(&|plan| drop(plan.fields.remove(k)))));
        smaller.push(with(&|plan| plan.ground = Ground::None));
        smaller.push(with(&|plan| plan.steps /= 2));
        smaller.push(with(&|plan| plan.steps -= 1));
        smaller.push(with(&|plan| plan.gravity = Vec3::ZERO));
        smaller.push(with(&|plan| plan.integrator = "velocity-verlet"));
        for k in 0..plan.bodies.len() {
            smaller.push(with(&|plan| plan.bodies[k].velocity = Vec3::ZERO));
            smaller.push(with(&|plan| plan.bodies[k].spin = Vec3::ZERO));
            smaller.push(with(&|plan| plan.bodies[k].friction = 0.0));
            smaller.push(with(&|plan| plan.bodies[k].restitution = 0.0));
        }
        let fewer = |candidate: &Plan| candidate.steps > 0 && *candidate != plan;
        let found = smaller.into_iter().filter(fewer).find_map(|plan| Some((fails(&plan)?, plan)));
        match found {
            Some((told, smallest)) => (message, plan) = (told, smallest),
            None => return (plan, message),
        }
    }
}

fn states(world: &World) -> Vec<InertialState> {
    let bodies = world.handles().map(|handle| world.body(handle).expect("a listed handle"));
    bodies.map(|view| *view.state).collect()
}

fn finite(world: &World, states: &[InertialState], report: &StepReport) -> Result<(), String> {
    if let Some(state) = states.iter().find(|state| !state.is_finite()) {
        return Err(format!("a state is not finite: {state:?}"));
    }
    if let Some(state) = states.iter().find(|state| (state.orientation.length() - 1.0).abs() > 1e-9) {
        return Err(format!("an orientation is not a unit quaternion: {state:?}"));
    }
    let energy = &report.energy;
    let sums = [energy.kinetic, energy.potential, energy.work_in, energy.dissipated, energy.correction];
    if !(sums.iter().all(|joules| joules.is_finite()) && world.energy().error().is_finite()) {
        return Err(format!("an energy is not finite: {energy:?}"));
    }
    Ok(())
}

/// The bodies of a world with everything that is needed to check them without it.
struct Scratch {
    /// True if the ground is a sheet: a body that a reported step has let through is behind it, not inside.
    sheet: bool,
    /// Name, shape, whether it moves, size and radius about its frame; by handle order.
    bodies: Vec<(String, Shape, bool, f64, f64)>,
    /// Indices of pairs that joints keep from colliding.
    joined: BTreeSet<(usize, usize)>,
    /// Indices of bodies that touch nothing.
    triggers: BTreeSet<usize>,
    anchors: Vec<Anchors>,
}

/// Two points that a joint holds at a distance: name, indices of the bodies, the points in their frames, m.
type Anchors = (String, [Option<usize>; 2], [Vec3; 2], f64);

impl Scratch {
    fn new(plan: &Plan, world: &World) -> Self {
        let names: Vec<String> =
            world.handles().map(|handle| world.body(handle).expect("listed").body.name.clone()).collect();
        let index = |name: &str| names.iter().position(|other| other == name);
        let mut bodies = Vec::new();
        for name in &names {
            let planned = plan.bodies.iter().find(|body| body.name == *name);
            let moves = planned.is_some_and(|body| body.role == BodyRole::Dynamic);
            let shape = match (planned, &plan.ground) {
                (Some(body), _) => body.form.shape(),
                // The sheet is flat: above it, it is a half-space.
                (None, Ground::Mesh(slope)) => {
                    HalfSpace::new(Vec3::new(-slope, 0.0, 1.0), 0.0).expect("a plane").into()
                }
                (None, _) => plan.ground_shape().expect("a ground").0,
            };
            let (mut size, mut reach) = (f64::INFINITY, f64::INFINITY);
            if shape.is_bounded() {
                let bounds = shape.bounding_box(&ReferenceFrame::IDENTITY);
                size = bounds.size().max_element();
                reach = scalar::max(bounds.min.length(), bounds.max.length());
            }
            bodies.push((name.clone(), shape, moves, size, reach));
        }
        let mut joined = BTreeSet::new();
        let mut anchors = Vec::new();
        for joint in &plan.joints {
            let ends = [index(&joint.a), index(&joint.b)];
            if let [Some(a), Some(b)] = ends {
                joined.insert((a.min(b), a.max(b)));
            }
            let (points, length) = match joint.kind {
                JointKind::Sequence { slides, count } if !slides[..count].contains(&true) => {
                    ([joint.anchor; 2], 0.0)
                }
                JointKind::Sequence { .. } => continue,
                JointKind::Ball | JointKind::Hinge { .. } | JointKind::Fixed | JointKind::Universal => {
                    ([joint.anchor; 2], 0.0)
                }
                JointKind::Distance => (joint.ends(), 0.3),
                JointKind::Slider { .. } | JointKind::Spring { .. } => continue,
            };
            let local = |end: Option<usize>, point: Vec3| match end {
                Some(index) => {
                    let handle = world.find(&names[index]).expect("a body of the plan");
                    world.frame(handle).expect("a body of the plan").point_to_local(point)
                }
                None => point,
            };
            let local = [local(ends[0], points[0]), local(ends[1], points[1])];
            anchors.push((joint.name.clone(), ends, local, length));
        }
        for latch in &plan.latches {
            if let [Some(a), Some(b)] = [0, 1].map(|end| index(&latch[end])) {
                joined.insert((a.min(b), a.max(b)));
            }
        }
        let triggers = plan.bodies.iter().filter(|body| body.trigger);
        let triggers = triggers.filter_map(|body| index(&body.name)).collect();
        let sheet = matches!(plan.ground, Ground::Mesh(_) | Ground::Heights(..));
        Self { sheet, bodies, joined, triggers, anchors }
    }

    fn frames(&self, world: &World) -> Vec<ReferenceFrame> {
        world.handles().map(|handle| world.frame(handle).expect("a listed handle")).collect()
    }

    /// Pairs that overlap, with how deep, m.
    fn overlaps(&self, world: &World) -> Vec<(usize, usize, f64)> {
        let frames = self.frames(world);
        let mut found = Vec::new();
        for b in 0..self.bodies.len() {
            for a in 0..b {
                let ((_, shape_a, moves_a, _, reach_a), (_, shape_b, moves_b, _, reach_b)) =
                    (&self.bodies[a], &self.bodies[b]);
                let apart = (frames[a].position - frames[b].position).length();
                // The sheet ends 30 m from the origin, its half-space does not.
                let place = frames[b].position;
                if self.sheet && self.bodies[a].0 == "ground" && place.abs().max_element() > 28.0 {
                    continue;
                }
                if self.triggers.contains(&a) || self.triggers.contains(&b) {
                    continue;
                }
                if !(*moves_a || *moves_b) || self.joined.contains(&(a, b)) || apart > reach_a + reach_b {
                    continue;
                }
                let depth = -distance(shape_a, &frames[a], shape_b, &frames[b]).signed;
                if depth > 0.0 {
                    found.push((a, b, depth));
                }
            }
        }
        found
    }

    fn compare(&self, before: &[(usize, usize, f64)], now: &[(usize, usize, f64)]) -> Result<(), String> {
        for &(a, b, depth) in now {
            let earlier = before.iter().find(|(c, d, _)| (*c, *d) == (a, b)).map_or(0.0, |pair| pair.2);
            let size = scalar::min(self.bodies[a].3, self.bodies[b].3);
            if self.sheet && self.bodies[a].0 == "ground" && earlier > 1e-3 * size {
                continue;
            }
            if depth > earlier + OVERLAP * size {
                let (a, b) = (&self.bodies[a].0, &self.bodies[b].0);
                return Err(format!(
                    "certified, but `{a}` and `{b}` overlap by {depth:e} m, {earlier:e} m before, size {size} m"
                ));
            }
        }
        Ok(())
    }

    fn joints_hold(&self, world: &World) -> Result<(), String> {
        let frames = self.frames(world);
        for (name, ends, local, length) in &self.anchors {
            let place = |k: usize| match ends[k] {
                Some(index) => frames[index].point_to_parent(local[k]),
                None => local[k],
            };
            let (on_a, on_b) = (place(0), place(1));
            let off = ((on_b - on_a).length() - length).abs();
            if off > JOINT + 1e-14 * scalar::max(on_a.length(), on_b.length()) {
                return Err(format!("certified, but joint `{name}` is open by {off:e} m"));
            }
        }
        Ok(())
    }

    /// The ledger has the kinetic energy of the states; and where nothing drives, energy does not rise beyond the order of the
    /// method.
    fn energy(
        &self,
        plan: &Plan,
        (before, after): (&[InertialState], &[InertialState]),
        world: &World,
        report: &StepReport,
    ) -> Result<(), String> {
        let of = |states: &[InertialState]| {
            let (mut kinetic, mut potential, mut turn) = (0.0, 0.0, 0.0_f64);
            for (handle, state) in world.handles().zip(states) {
                let view = world.body(handle).expect("a listed handle");
                if !view.inertia.is_movable() {
                    continue;
                }
                let spin = state.orientation.conjugate() * state.angular_velocity;
                let momentum = view.inertia.tensor_body() * spin;
                kinetic += 0.5 * view.mass() * state.velocity.length_squared() + 0.5 * spin.dot(momentum);
                potential -= view.mass() * plan.gravity.dot(state.center_of_mass);
                turn = scalar::max(turn, state.angular_velocity.length() * plan.dt);
            }
            (kinetic, potential, turn)
        };
        let ((t0, v0, turn0), (t1, v1, turn1)) = (of(before), of(after));
        if (report.energy.kinetic - t1).abs() > 1e-9 * scalar::max(t1, 1e-9) {
            return Err(format!(
                "the ledger has {} J of kinetic energy, the states {t1} J",
                report.energy.kinetic
            ));
        }
        let driven = plan.joints.iter().any(|joint| {
            matches!(joint.kind, JointKind::Spring { .. })
                || matches!(
                    joint.kind,
                    JointKind::Hinge { motor: Some(_), .. } | JointKind::Slider { motor: Some(_), .. }
                )
        }) || plan.fields.iter().any(|field| !matches!(field, PlannedField::Drag { .. }))
            || plan.bodies.iter().any(|body| body.role == BodyRole::Kinematic);
        let conservative =
            matches!(plan.integrator, "velocity-verlet" | "rk4" | "exact-free" | "implicit-midpoint");
        if driven || !conservative || !plan.joints.is_empty() {
            return Ok(());
        }
        let gain = (t1 + v1) - (t0 + v0);
        let turn = scalar::min(scalar::max(turn0, turn1), 1.0);
        let scale = scalar::max(t0, t1) + (v1 - v0).abs();
        let allowed = 1e-8 * scale + scalar::max(t0, t1) * turn * turn * turn + 1e-12 * v1.abs();
        if gain > allowed {
            return Err(format!(
                "certified, but the energy rose by {gain:e} J, {allowed:e} J allowed of {scale} J"
            ));
        }
        Ok(())
    }
}

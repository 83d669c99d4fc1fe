//! `IslandBatch`: islands that are solved together; batches share no movable body.

use super::super::free_flight::FreeFlight;
use super::dissection::Dissection;
use super::fast_step::FastStep;
use super::impulse_cache::SoftImpulseCache;
use super::pair_contacts::{PairContacts, WORLD};
use super::results::{ContactMotion, EnergyBalance, Results};
use crate::math::{Coordinate, Mat3, Vec3, scalar};
use crate::physics::constraints::HeldPoint;
use crate::physics::constraints::contact::BodyVelocity;
use crate::physics::constraints::contact::soft::{SoftBody, SoftSolver};
use crate::physics::rigid_body::{Inertia, InertialState};

/// Workspace and solver of a batch; no result depends on its previous contents.
#[derive(Clone, Debug, Default)]
pub(super) struct IslandBatch {
    /// Contacts of the batch; sorted by region after dissection.
    pub(super) contacts: Vec<PairContacts>,
    /// Slots of the movable bodies; sorted by leaf after dissection.
    pub(super) movers: Vec<u32>,
    pub(super) dissection: Dissection,
    /// Work, about the number of manifolds.
    pub(super) load: usize,
    pub(super) solver: SoftSolver,
    /// Slots of the bodies by index; dummies have none.
    pub(super) slots: Vec<usize>,
    /// Their centres of mass at the start of the step, m.
    pub(super) centers: Vec<Coordinate>,
    /// Slots and centres of the previous step, restored if the next one fails.
    previous: (Vec<usize>, Vec<Coordinate>),
    /// Index of the body that represents each connected group, by index of body.
    pub(super) roots: Vec<u32>,
    /// Numbers of its joints.
    pub(super) joints: Vec<u32>,
    /// Of these, the ball joints, their held points at the start of the step, and the rows of the others.
    pub(super) points: Vec<u32>,
    pub(super) starts: Vec<HeldPoint>,
    pub(super) rows: Vec<usize>,
    /// By index: `Σ f·r` of the joints of a body, N m; empty without joints.
    pub(super) tensions: Vec<f64>,
    pub(super) moved: Vec<ContactMotion>,
    pub(super) balances: Vec<EnergyBalance>,
    pub(super) results: Results,
    pub(super) impulse_cache: SoftImpulseCache,
}

impl IslandBatch {
    /// Swaps the results with those of the previous step.
    pub(super) fn swap_buffers(&mut self) {
        std::mem::swap(&mut self.slots, &mut self.previous.0);
        std::mem::swap(&mut self.centers, &mut self.previous.1);
        self.solver.swap_buffers();
    }

    /// Clears it, keeping its memory.
    pub(super) fn begin(&mut self) {
        self.contacts.clear();
        self.movers.clear();
        self.load = 0;
        self.joints.clear();
        self.points.clear();
        self.rows.clear();
    }

    /// Solves the batch.
    pub(super) fn solve(&mut self, step: &FastStep<'_>, local: &[u32]) {
        let (settings, flight) = (&step.settings.fast, step.flight);
        self.centers.clear();
        self.centers.extend(self.slots.iter().map(|slot| match *slot {
            WORLD => Vec3::ZERO,
            slot => flight.before[slot].center_of_mass,
        }));
        self.tension_stiffness(step, local);
        let (slots, tensions) = (&self.slots, &self.tensions);
        self.solver.set_bodies(flight.threads, slots.len(), |index| {
            let body = body(slots[index], flight);
            let stiffness = flight.dt * flight.dt * tensions.get(index).unwrap_or(&0.0);
            SoftBody { inverse_inertia: stiffened(body.inverse_inertia, stiffness), ..body }
        });
        self.push_joints(step, local);
        self.solver.solve(settings, flight.threads, flight.dt);
    }
}

/// A body as input of the solver.
fn body(slot: usize, flight: &FreeFlight<'_>) -> SoftBody {
    if slot == WORLD {
        return SoftBody::immovable(BodyVelocity::default());
    }
    let (before, after) = (&flight.before[slot], &flight.after[slot]);
    let inertia = &flight.inertias[slot];
    if !inertia.is_movable() {
        return SoftBody::immovable((*before).into());
    }
    let per_second = 1.0 / flight.dt;
    let (inverse_inertia, tensor) = tensors(inertia, before, after);
    SoftBody {
        inverse_mass: inertia.inverse_mass(),
        mass: inertia.mass(),
        inverse_inertia,
        inertia: tensor,
        start: (*before).into(),
        acceleration: BodyVelocity {
            linear: (after.velocity - before.velocity) * per_second,
            angular: (after.angular_velocity - before.angular_velocity) * per_second,
        },
    }
}

/// The inverse of an inertia whose moments are raised to `least`, kg m².
fn stiffened(inverse: Mat3, least: f64) -> Mat3 {
    let most = scalar::max(scalar::max(inverse.x_axis.x, inverse.y_axis.y), inverse.z_axis.z);
    if least * most <= 1.0 {
        return inverse;
    }
    let missing = least - 1.0 / most;
    (inverse.inverse() + Mat3::from_diagonal(Vec3::splat(missing))).inverse()
}

/// Inverse inertia and inertia at mid-step, world frame.
fn tensors(inertia: &Inertia, before: &InertialState, after: &InertialState) -> (Mat3, Mat3) {
    if inertia.is_spherical() {
        return (inertia.inverse_tensor_body(), inertia.tensor_body());
    }
    let (p, q) = (before.orientation, after.orientation);
    let middle = if p.dot(q) < 0.0 { p - q } else { p + q };
    let rotation = Mat3::from_quat(middle.normalize());
    (inertia.inverse_tensor_world(&rotation), inertia.tensor_world(&rotation))
}

//! `IslandBatch`: some islands that are solved together, sharing nothing that moves with any other part.

use super::super::contacts::FreeFlight;
use super::super::joint_row::JointRows;
use super::dissection::Dissection;
use super::impulse_cache::SoftImpulseCache;
use super::write_back::{EnergyBalance, Moved, Results};
use crate::math::{Coordinate, Mat3, Vec3, scalar};
use crate::physics::constraints::HeldPoint;
use crate::physics::constraints::contact::BodyVelocity;
use crate::physics::constraints::contact::soft::{SoftBody, SoftSettings, SoftSolver};
use crate::physics::rigid_body::{Inertia, InertialState};

/// Contacts between two bodies.
#[derive(Clone, Copy, Debug)]
pub(super) struct PairContacts {
    pub(super) slots: [u32; 2],
    pub(super) found: ContactSource,
}

/// Where they are to be found.
#[derive(Clone, Copy, Debug)]
pub(super) enum ContactSource {
    /// All manifolds of a pair of the detector.
    Pair(u32),
    /// Consecutive candidates, one manifold.
    Candidates { first: u32, count: u32 },
}

/// Stands for the world, the immovable end of joints.
pub(super) const WORLD: usize = usize::MAX;

/// Memory and solver of some islands; no result depends on what it held before.
#[derive(Clone, Debug, Default)]
pub(super) struct IslandBatch {
    /// Contacts that are to be solved here; sorted by region once they are arranged.
    pub(super) contacts: Vec<PairContacts>,
    /// Slots of the bodies that move; by leaf once they are arranged.
    pub(super) movers: Vec<u32>,
    pub(super) dissection: Dissection,
    /// How much work it is: manifolds, about.
    pub(super) load: usize,
    pub(super) solver: SoftSolver,
    /// Slots of the bodies by index; those that are nowhere have none.
    pub(super) slots: Vec<usize>,
    /// Their centres of mass at the start of the step, m.
    pub(super) centers: Vec<Coordinate>,
    /// Slots and centres of the step before, which is gone back to if the next one fails.
    previous: (Vec<usize>, Vec<Coordinate>),
    /// Who stands for all that contacts and rows connect with a body, by index.
    pub(super) roots: Vec<u32>,
    /// Numbers of its joints.
    pub(super) joints: Vec<u32>,
    /// Of these, those that are ball joints, where they hold at the start of the step, and the rows of the others that take part.
    pub(super) points: Vec<u32>,
    pub(super) starts: Vec<HeldPoint>,
    pub(super) rows: Vec<usize>,
    /// By index: `Σ f·r` of the joints of a body, N m; empty without joints.
    pub(super) tensions: Vec<f64>,
    pub(super) moved: Vec<Moved>,
    pub(super) balances: Vec<EnergyBalance>,
    pub(super) results: Results,
    pub(super) impulse_cache: SoftImpulseCache,
}

impl IslandBatch {
    /// Puts what is asked for after a step aside, and takes up what was there.
    pub(super) fn swap_buffers(&mut self) {
        std::mem::swap(&mut self.slots, &mut self.previous.0);
        std::mem::swap(&mut self.centers, &mut self.previous.1);
        self.solver.swap_buffers();
    }

    /// Empty, with its memory kept.
    pub(super) fn begin(&mut self) {
        self.contacts.clear();
        self.movers.clear();
        self.load = 0;
        self.joints.clear();
        self.points.clear();
        self.rows.clear();
    }

    /// Solves what was collected; with the rows come the forces, N or N·m by key, that they start from.
    pub(super) fn solve(
        &mut self,
        settings: &SoftSettings,
        flight: &FreeFlight<'_>,
        joints: (&JointRows, &[f64]),
        local: &[u32],
    ) {
        self.centers.clear();
        self.centers.extend(self.slots.iter().map(|slot| match *slot {
            WORLD => Vec3::ZERO,
            slot => flight.before[slot].center_of_mass,
        }));
        self.tension_stiffness(flight, joints, local);
        let (slots, tensions) = (&self.slots, &self.tensions);
        self.solver.set_bodies(flight.threads, slots.len(), |index| {
            let body = body(slots[index], flight);
            let stiffness = flight.dt * flight.dt * tensions.get(index).unwrap_or(&0.0);
            SoftBody { inverse_inertia: stiffened(body.inverse_inertia, stiffness), ..body }
        });
        self.push_joints(settings.count(), flight, joints, local);
        self.solver.solve(settings, flight.threads, flight.dt);
    }
}

/// A body as the solver wants it.
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

/// The inverse of an inertia with moments of `least` kg m² at least.
fn stiffened(inverse: Mat3, least: f64) -> Mat3 {
    let most = scalar::max(scalar::max(inverse.x_axis.x, inverse.y_axis.y), inverse.z_axis.z);
    if least * most <= 1.0 {
        return inverse;
    }
    let missing = least - 1.0 / most;
    (inverse.inverse() + Mat3::from_diagonal(Vec3::splat(missing))).inverse()
}

/// Inverse inertia and inertia in the middle of the step, world frame.
fn tensors(inertia: &Inertia, before: &InertialState, after: &InertialState) -> (Mat3, Mat3) {
    if inertia.is_spherical() {
        return (inertia.inverse_tensor_body(), inertia.tensor_body());
    }
    let (p, q) = (before.orientation, after.orientation);
    let middle = if p.dot(q) < 0.0 { p - q } else { p + q };
    let rotation = Mat3::from_quat(middle.normalize());
    (inertia.inverse_tensor_world(&rotation), inertia.tensor_world(&rotation))
}

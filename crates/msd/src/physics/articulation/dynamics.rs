//! Mass matrix, bias forces, inverse dynamics, Jacobians and centre of mass of a tree.
//!
//! With `S` the motions of a link against its parent: velocities `V = V_p + S v`, accelerations `A = A_p + S v̇ + V_p × S v` (a free
//! link, whose v has world axes for its origin and body axes for its spin: `A = S v̇ + (0, ṗ × ω)`). Gravity is an acceleration of
//! the base, upwards. Forces `F = I A + V ×* I V`, summed from the leaves to the root; `τ = Sᵀ F`.

use super::spatial::{Spatial, SpatialInertia};
use super::{Articulation, Mobility};
use crate::math::{Coordinate, ReferenceFrame, Vec3, orientation};
use crate::physics::rigid_body::InertialState;

/// Where links are and how each may move, at one q.
struct Posture {
    frames: Vec<ReferenceFrame>,
    /// Common point of all spatial vectors, world.
    origin: Vec3,
    /// By number of v.
    columns: Vec<Spatial>,
    inertias: Vec<SpatialInertia>,
}

impl Articulation {
    fn posture(&self, q: &[f64], states: &[InertialState]) -> Posture {
        let frames = self.frames(q, states);
        let origin = frames.first().map_or(Vec3::ZERO, |frame| frame.position);
        let (mut columns, mut inertias) = (Vec::with_capacity(self.velocities()), Vec::new());
        for (link, frame) in self.links().iter().zip(&frames) {
            let parent = match link.parent {
                Some(parent) => frames[parent],
                None => self.parent_frame(link, states),
            };
            self.columns(link, frame, &parent, origin, &mut columns);
            let rotation = orientation::rotation_matrix(frame.orientation);
            let tensor = link.inertia.tensor_world(&rotation);
            inertias.push(SpatialInertia::new(link.inertia.mass(), frame.position - origin, tensor));
        }
        Posture { frames, origin, columns, inertias }
    }

    /// `M(q)`, symmetric, row by row: `½ vᵀ M v` is the kinetic energy. `states` are all bodies, by slot; what the tree hangs on is
    /// taken from there.
    #[must_use]
    pub fn mass_matrix(&self, q: &[f64], states: &[InertialState]) -> Vec<f64> {
        let n = self.velocities();
        let Posture { columns, mut inertias, .. } = self.posture(q, states);
        let mut matrix = vec![0.0; n * n];
        for (i, link) in self.links().iter().enumerate().rev() {
            let composite = inertias[i];
            if let Some(parent) = link.parent {
                inertias[parent] += composite;
            }
            let own = link.first_velocity..link.first_velocity + link.mobility.velocities();
            for j in own.clone() {
                let momentum = composite.apply(&columns[j]);
                let mut ancestor = Some(i);
                while let Some(at) = ancestor {
                    let other = &self.links()[at];
                    for k in other.first_velocity..other.first_velocity + other.mobility.velocities() {
                        let entry = columns[k].dot(&momentum);
                        (matrix[j * n + k], matrix[k * n + j]) = (entry, entry);
                    }
                    ancestor = other.parent;
                }
                matrix[j * n + j] += link.armature[j - own.start];
            }
        }
        matrix
    }

    /// Generalised forces τ for which the tree, at q and v, accelerates by `v̇` under gravity (m/s²) and nothing else:
    /// `M v̇ + h(q, v)`. With `v̇ = 0` they are the bias forces h.
    ///
    /// # Panics
    /// If an argument has another number of numbers than the articulation.
    #[must_use]
    pub fn inverse_dynamics(
        &self,
        q: &[f64],
        v: &[f64],
        acceleration: &[f64],
        gravity: Vec3,
        states: &[InertialState],
    ) -> Vec<f64> {
        let n = self.velocities();
        assert_eq!([q.len(), v.len(), acceleration.len()], [self.positions(), n, n], "numbers of q, v and v̇");
        let Posture { columns, inertias, origin, .. } = self.posture(q, states);
        let (mut velocities, mut accelerations) = (Vec::<Spatial>::new(), Vec::<Spatial>::new());
        let mut forces = Vec::with_capacity(self.links().len());
        for (i, link) in self.links().iter().enumerate() {
            let (from, rate) = match link.parent {
                Some(parent) => (velocities[parent], accelerations[parent]),
                None => {
                    let base = self.parent_state(link, states);
                    let motion = Spatial::new(base.angular_velocity, base.velocity_at(origin));
                    (motion, Spatial::new(Vec3::ZERO, -gravity))
                }
            };
            let own = link.first_velocity..link.first_velocity + link.mobility.velocities();
            let sum = |rates: &[f64]| own.clone().fold(Spatial::ZERO, |sum, j| sum + columns[j] * rates[j]);
            let relative = sum(v);
            let (velocity, bias) = if link.mobility == Mobility::Free {
                let origin_rate = Vec3::from_slice(&v[own.start..own.start + 3]);
                (relative, Spatial::new(Vec3::ZERO, origin_rate.cross(relative.angular)))
            } else if let Mobility::Sequence(_) = link.mobility {
                // Every axis is carried by the joints before it.
                let (mut velocity, mut bias) = (from, Spatial::ZERO);
                for j in own.clone() {
                    let step = columns[j] * v[j];
                    bias += velocity.cross_motion(&step);
                    velocity += step;
                }
                (velocity, bias)
            } else {
                (from + relative, from.cross_motion(&relative))
            };
            let rate = rate + sum(acceleration) + bias;
            let momentum = inertias[i].apply(&velocity);
            forces.push(inertias[i].apply(&rate) + velocity.cross_force(&momentum));
            velocities.push(velocity);
            accelerations.push(rate);
        }
        let mut tau = vec![0.0; n];
        for (i, link) in self.links().iter().enumerate().rev() {
            for (j, armature) in (link.first_velocity..).zip(&link.armature) {
                tau[j] = columns[j].dot(&forces[i]) + armature * acceleration[j];
            }
            if let Some(parent) = link.parent {
                let force = forces[i];
                forces[parent] += force;
            }
        }
        tau
    }

    /// Rows of the velocity (m/s, first three) and angular velocity (rad/s) of a point of a link, in world axes, over v; 6 × n, row by
    /// row. The point is given in the frame of the link's body.
    #[must_use]
    pub fn jacobian(
        &self,
        q: &[f64],
        link: usize,
        point_local: Coordinate,
        states: &[InertialState],
    ) -> Vec<f64> {
        let n = self.velocities();
        let Posture { frames, origin, columns, .. } = self.posture(q, states);
        let point = frames[link].point_to_parent(point_local - self.links()[link].center_local()) - origin;
        let mut rows = vec![0.0; 6 * n];
        let mut at = Some(link);
        while let Some(number) = at {
            let own = &self.links()[number];
            for j in own.first_velocity..own.first_velocity + own.mobility.velocities() {
                let linear = columns[j].linear + columns[j].angular.cross(point);
                for k in 0..3 {
                    rows[k * n + j] = linear[k];
                    rows[(3 + k) * n + j] = columns[j].angular[k];
                }
            }
            at = own.parent;
        }
        rows
    }

    /// Total mass (kg) and centre of mass (world, m) at q.
    #[must_use]
    pub fn center_of_mass(&self, q: &[f64], states: &[InertialState]) -> (f64, Coordinate) {
        let Posture { origin, inertias, .. } = self.posture(q, states);
        let mass: f64 = inertias.iter().map(SpatialInertia::mass).sum();
        let moment: Vec3 = inertias.iter().map(SpatialInertia::moment).sum();
        (mass, origin + moment / mass)
    }
}

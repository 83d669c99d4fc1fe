//! Articulations of a world: its bodies as trees of joints, with coordinates q and v.

use super::validate::Validator;
use super::{World, WorldError};
use crate::math::{Coordinate, Vec3};
use crate::physics::articulation::{Articulation, Mobility};
use crate::physics::constraints::{AxisMemory, ConstraintHandle, RowUnit};
use crate::physics::rigid_body::BodyHandle;
use crate::tolerance;

impl World {
    /// All bodies that forces move as trees. Take it after the last body and joint was added: it is a view of the model, and does not
    /// change with the state.
    #[must_use]
    pub fn articulation(&self) -> Articulation {
        Articulation::of(&self.all_bodies(), &self.joints, |slot| self.handle_of(slot), None)
    }

    /// The tree that a body is part of.
    ///
    /// # Errors
    /// If the handle is stale or foreign.
    pub fn articulation_of(&self, body: BodyHandle) -> Result<Articulation, WorldError> {
        self.slot(body)?;
        Ok(Articulation::of(&self.all_bodies(), &self.joints, |slot| self.handle_of(slot), Some(body)))
    }

    /// Positions q of an articulation now; full turns of hinges are counted.
    #[must_use]
    pub fn q(&self, articulation: &Articulation) -> Vec<f64> {
        let mut near = vec![0.0; articulation.positions()];
        for link in articulation.links() {
            for (at, joint) in (link.first_position..).zip(link.axis_joints()) {
                near[at] = self.joint_position(joint).unwrap_or(0.0);
            }
        }
        articulation.q(&self.state.states, &near)
    }

    /// Velocities v of an articulation now.
    #[must_use]
    pub fn v(&self, articulation: &Articulation) -> Vec<f64> {
        articulation.v(&self.state.states)
    }

    /// Sets positions (by q) and velocities (by v) of all links of an articulation: forward kinematics. The change of
    /// energy is work in the ledger.
    ///
    /// # Errors
    /// If q or v has the wrong number of numbers, or one that is not finite; if a quaternion has no length; or the articulation is
    /// of another world.
    pub fn set_qv(&mut self, articulation: &Articulation, q: &[f64], v: &[f64]) -> Result<(), WorldError> {
        let sizes = [("q", q, articulation.positions()), ("v", v, articulation.velocities())];
        for (field, given, size) in sizes {
            if given.len() != size {
                let value = format!("{} numbers where it has {size}", given.len());
                let expected = "as many numbers as the articulation has coordinates";
                let subject = "articulation".to_owned();
                return Err(WorldError::Invalid { subject, field, expected, value });
            }
            if let Some(bad) = given.iter().find(|number| !number.is_finite()) {
                return Err(Validator::world().refuse(field, "finite", *bad));
            }
        }
        for link in articulation.links() {
            self.slot(link.body)?;
            let at = match link.mobility {
                Mobility::Ball => link.first_position,
                Mobility::Free => link.first_position + 3,
                _ => continue,
            };
            let square: f64 = q[at..at + 4].iter().map(|part| part * part).sum();
            if square < tolerance::UNIT_VECTOR {
                let validator = Validator::joint(&link.joint_name);
                return Err(validator.refuse("quaternion in q", "of some length", &q[at..at + 4]));
            }
        }
        let mut states = self.state.states.clone();
        articulation.place(q, v, &mut states);
        for link in articulation.links() {
            Validator::body(&link.name).position(states[link.body.slot()].center_of_mass)?;
        }
        for link in articulation.links() {
            let slot = link.body.slot();
            self.modify_state(slot, |state| *state = states[slot]);
        }
        for link in articulation.links() {
            for (position, joint) in q[link.first_position..].iter().zip(link.axis_joints()) {
                self.remember_angle(joint, *position);
            }
        }
        self.count_turns();
        Ok(())
    }

    /// As [`World::set_qv`] with the velocities v they have.
    ///
    /// # Errors
    /// As [`World::set_qv`].
    pub fn set_q(&mut self, articulation: &Articulation, q: &[f64]) -> Result<(), WorldError> {
        let v = self.v(articulation);
        self.set_qv(articulation, q, &v)
    }

    /// As [`World::set_qv`] with the positions q they have.
    ///
    /// # Errors
    /// As [`World::set_qv`].
    pub fn set_v(&mut self, articulation: &Articulation, v: &[f64]) -> Result<(), WorldError> {
        let q = self.q(articulation);
        self.set_qv(articulation, &q, v)
    }

    /// Mass matrix of an articulation now, row by row.
    #[must_use]
    pub fn mass_matrix(&self, articulation: &Articulation) -> Vec<f64> {
        articulation.mass_matrix(&self.q(articulation), &self.state.states)
    }

    /// Bias forces h of an articulation now, `M v̇ + h = τ`: Coriolis and centrifugal forces, and uniform gravity.
    #[must_use]
    pub fn bias_forces(&self, articulation: &Articulation) -> Vec<f64> {
        self.inverse_dynamics(articulation, &vec![0.0; articulation.velocities()])
    }

    /// Generalised forces that would make an articulation accelerate by `acceleration` from the state it is in, under uniform gravity
    /// and nothing else.
    ///
    /// # Panics
    /// If `acceleration` has another number of numbers than v.
    #[must_use]
    pub fn inverse_dynamics(&self, articulation: &Articulation, acceleration: &[f64]) -> Vec<f64> {
        let (q, v) = (self.q(articulation), self.v(articulation));
        articulation.inverse_dynamics(&q, &v, acceleration, self.gravity, &self.state.states)
    }

    /// Jacobian of a point of a body (its own frame, m) over v: three rows of velocity, three of angular velocity, world axes; row by
    /// row. `None` if the body is no link of the articulation.
    #[must_use]
    pub fn jacobian(
        &self,
        articulation: &Articulation,
        body: BodyHandle,
        point_local: Coordinate,
    ) -> Option<Vec<f64>> {
        let link = articulation.link_of(body)?;
        Some(articulation.jacobian(&self.q(articulation), link, point_local, &self.state.states))
    }

    /// Mass (kg) and centre of mass (world, m) of an articulation now.
    #[must_use]
    pub fn center_of_mass(&self, articulation: &Articulation) -> (f64, Vec3) {
        articulation.center_of_mass(&self.q(articulation), &self.state.states)
    }

    /// Counts turns of a hinge from an angle that was set.
    fn remember_angle(&mut self, joint: ConstraintHandle, position: f64) {
        let axis = self.joints.get(joint).ok().and_then(|constraint| constraint.axis());
        if axis.is_none_or(|axis| axis.unit != RowUnit::Angle) {
            return;
        }
        let axes = &mut self.state.drives.axes;
        let limits = axes.get(&joint.slot()).and_then(|memory| memory.limits);
        axes.insert(joint.slot(), AxisMemory { position, limits });
    }
}

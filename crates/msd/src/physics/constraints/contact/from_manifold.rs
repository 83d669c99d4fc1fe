//! From collision to contact: the contacts of a manifold, for programs that assemble problems of their own.
//!
//! Lever arms go from the centres of mass to the point of each surface. A gap that is open may close within the step: its bias is
//! `gap/dt`; overlap has none. Restitution asks for `-e` times the approach velocity of the states that are given.

use super::body::{BodyVelocity, ContactBody};
use super::contact_point::{Contact, newton_rebound};
use crate::math::{Vec3, orientation};
use crate::physics::collision::ContactManifold;
use crate::physics::rigid_body::{Inertia, InertialState, Material};

/// A body of a manifold: its index in the problem, and its state where the manifold was found.
#[derive(Clone, Copy, Debug)]
pub struct ContactSide<'a> {
    /// Index among the bodies of the problem.
    pub body: usize,
    /// Its state.
    pub state: &'a InertialState,
}

impl Contact {
    /// One contact for each point of a manifold between A and B, for a step of `dt` seconds.
    ///
    /// ```
    /// use msd::math::ReferenceFrame;
    /// use msd::physics::collision::manifold;
    /// use msd::physics::constraints::contact::{
    ///     Contact, ContactBody, ContactProblem, ContactSide, ExactSolverSettings, solve_island,
    /// };
    /// use msd::physics::rigid_body::{Inertia, InertialState, MassProperties};
    /// use msd::prelude::*;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// // A cube of 6 kg falls on the ground at 2 m/s with restitution 0.5.
    /// let cube: Shape = Cuboid::new(Vec3::ONE)?.into();
    /// let ground: Shape = HalfSpace::new(Vec3::Z, 0.0)?.into();
    /// let inertia = MassProperties::from_shape_with_mass(&cube, 6.0)?.to_inertia()?;
    /// let state = InertialState { center_of_mass: Vec3::Z * 0.5, velocity: Vec3::Z * -2.0, ..InertialState::AT_REST };
    /// let at = ReferenceFrame::from_position(state.center_of_mass);
    /// let found = manifold(&ground, &ReferenceFrame::IDENTITY, &cube, &at, 1e-3);
    /// let sides = [ContactSide { body: 0, state: &InertialState::AT_REST }, ContactSide { body: 1, state: &state }];
    /// let material = Material { restitution: 0.5, ..Material::default() };
    /// let contacts = Contact::of_manifold(&found, sides, &material, 1e-3);
    /// assert_eq!(contacts.len(), 4);
    /// let bodies = vec![ContactBody::of(&Inertia::IMMOVABLE, sides[0].state), ContactBody::of(&inertia, &state)];
    /// let solution = solve_island(&ContactProblem::new(bodies, contacts)?, &[], &ExactSolverSettings::default());
    /// assert!((solution.velocities[1].linear - Vec3::Z).length() < 1e-9);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn of_manifold(
        manifold: &ContactManifold,
        [a, b]: [ContactSide<'_>; 2],
        material: &Material,
        dt: f64,
    ) -> Vec<Self> {
        let normal = manifold.normal;
        let points = manifold.points().iter();
        points
            .map(|point| {
                let (arm_a, arm_b) =
                    (point.on_a - a.state.center_of_mass, point.on_b - b.state.center_of_mass);
                let velocity =
                    |state: &InertialState, arm: Vec3| state.velocity + state.angular_velocity.cross(arm);
                let approach = normal.dot(velocity(b.state, arm_b) - velocity(a.state, arm_a));
                Self {
                    friction: material.friction,
                    rolling_friction: material.rolling_friction,
                    torsional_friction: material.torsional_friction,
                    speculative_bias: if point.distance > 0.0 { point.distance / dt } else { 0.0 },
                    rebound: newton_rebound(material.restitution, approach),
                    ..Self::touching(a.body, b.body, arm_a, arm_b, normal)
                }
            })
            .collect()
    }
}

impl ContactBody {
    /// A body with an inertia in a state, whose velocities are those it would have without contact.
    #[must_use]
    pub fn of(inertia: &Inertia, state: &InertialState) -> Self {
        let rotation = orientation::rotation_matrix(state.orientation);
        Self {
            inverse_mass: inertia.inverse_mass(),
            inverse_inertia: inertia.inverse_tensor_world(&rotation),
            free: BodyVelocity::from(*state),
        }
    }
}

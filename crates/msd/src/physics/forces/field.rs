//! The trait of force fields.

use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

use super::FieldError;
use crate::digest::Hasher;
use crate::math::{Coordinate, Vec3};
use crate::physics::rigid_body::{Bodies, BodyHandle, BodyView, RigidBody, Wrench};

/// Class of the force of a field: determines how integrators treat it and how the energy ledger counts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldClass {
    /// Has a potential `V(x, q)` that does not depend on time: `F = -∂V/∂x`. Its energy is part of the total.
    Conservative,
    /// Has a potential `V(x, q, t)`: energy enters the system at the rate `∂V/∂t`.
    TimeDependent,
    /// Depends on velocity and does no work (Coriolis force, magnetic force on a charge).
    Gyroscopic,
    /// Depends on velocity and only dissipates (drag, damper).
    Dissipative,
    /// Anything else: thrust, solar pressure, applied loads. It counts as external work.
    External,
}

impl FieldClass {
    /// True where the force is minus the gradient of a potential.
    #[must_use]
    pub fn has_potential(self) -> bool {
        matches!(self, FieldClass::Conservative | FieldClass::TimeDependent)
    }
}

/// Which bodies a field acts on.
#[derive(Clone, Copy, Debug)]
pub enum ActsOn<'a> {
    /// Every dynamic body.
    Everything,
    /// These, and no others.
    Bodies(&'a [BodyHandle]),
}

/// Motion that is known in closed form when this field acts alone; [`ClosedForm::Unknown`] for most fields.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ClosedForm {
    /// No closed form.
    Unknown,
    /// The same acceleration everywhere, m/s²: a parabola.
    Uniform(Vec3),
    /// Attraction `-mu r/|r|³` to a centre: a Kepler arc. No torque.
    PointMass {
        /// Gravitational parameter, m³/s².
        mu: f64,
        /// Attracting centre, world frame, m.
        center: Coordinate,
    },
}

/// A force field. Immutable: to change a parameter, replace the field.
pub trait Field: Any + Debug + Send + Sync {
    /// The name used in scenes and messages, such as `point-gravity`.
    fn type_name(&self) -> &'static str;

    /// Appends every parameter that changes a result: snapshots and recordings refuse a model whose fingerprint differs.
    ///
    /// Unless overridden, the type name and the `Debug` text, which must then show every parameter and nothing that changes while
    /// the field is in use (tables built when first needed, counters). Override it for a field that has such parts.
    fn fingerprint(&self, hasher: &mut Hasher) {
        hasher.text(self.type_name());
        hasher.text(&format!("{self:?}"));
    }

    /// Its class.
    fn class(&self) -> FieldClass;

    /// The bodies it acts on; every dynamic body unless overridden.
    fn acts_on(&self) -> ActsOn<'_> {
        ActsOn::Everything
    }

    /// Force through the centre of mass (N) and torque about it (N·m), world frame, on `body` at `time` (s). `bodies`
    /// gives the others at the same instant, for fields between bodies. Called for bodies in [`Field::acts_on`] only.
    fn wrench(&self, body: &BodyView<'_>, bodies: &Bodies<'_>, time: f64) -> Wrench;

    /// This body's share of the potential energy, J (shares of all bodies add up to the field's energy); `None` for a
    /// field that has no potential.
    fn energy(&self, body: &BodyView<'_>, bodies: &Bodies<'_>, time: f64) -> Option<f64>;

    /// Rate at which the field changes the total energy through this body, W: `F·v + τ·ω` for forces without a
    /// potential, `∂V/∂t` for a time-dependent one, nothing for a conservative or gyroscopic one.
    ///
    /// A time-dependent field must override this.
    fn power(&self, body: &BodyView<'_>, bodies: &Bodies<'_>, time: f64) -> f64 {
        match self.class() {
            FieldClass::Conservative | FieldClass::TimeDependent | FieldClass::Gyroscopic => 0.0,
            FieldClass::Dissipative | FieldClass::External => {
                self.wrench(body, bodies, time).power(body.state.velocity, body.state.angular_velocity)
            }
        }
    }

    /// True if the wrench depends on velocities: splitting integrators then solve the velocity update
    /// implicitly.
    fn depends_on_velocity(&self) -> bool {
        matches!(self.class(), FieldClass::Gyroscopic | FieldClass::Dissipative)
    }

    /// Rate of change of the body's mass, kg/s (negative where propellant leaves); constant during a step.
    fn mass_flow(&self, _body: &BodyView<'_>, _time: f64) -> f64 {
        0.0
    }

    /// True if force and energy are proportional to the body's mass (gravity): mass that leaves then carries
    /// its share of the potential energy away.
    fn is_proportional_to_mass(&self) -> bool {
        false
    }

    /// Refuses a body whose properties the field cannot use, such as a number where a vector is needed;
    /// called when a field or a body is added. A property that is absent is no error unless the field says
    /// so.
    ///
    /// # Errors
    /// Names the field, the body and the property.
    fn check_body(&self, _body: &RigidBody) -> Result<(), FieldError> {
        Ok(())
    }

    /// True if the force on one of its bodies depends on the others: such a field is removed with a
    /// quarantined body. By default true if it names more than one body.
    fn couples_bodies(&self) -> bool {
        matches!(self.acts_on(), ActsOn::Bodies(bodies) if bodies.len() > 1)
    }

    /// The closed form of motion under this field alone, if there is one.
    fn closed_form(&self) -> ClosedForm {
        ClosedForm::Unknown
    }
}
/// A field that is given away: itself, or shared already. Lets [`World::add_field`](crate::environment::World::add_field) take a field as it
/// is.
pub trait IntoField {
    /// Shared, as worlds keep it.
    fn into_field(self) -> Arc<dyn Field>;
}

impl<F: Field + 'static> IntoField for F {
    fn into_field(self) -> Arc<dyn Field> {
        Arc::new(self)
    }
}

impl<F: Field + 'static> IntoField for Arc<F> {
    fn into_field(self) -> Arc<dyn Field> {
        self
    }
}

impl IntoField for Arc<dyn Field> {
    fn into_field(self) -> Arc<dyn Field> {
        self
    }
}

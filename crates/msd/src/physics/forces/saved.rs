//! Delivered fields as data: how a world is written with its fields and read back.

use std::any::Any;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{
    ActsOn, Centrifugal, Coriolis, Damper, Drag, EulerForce, Field, Geopotential, GravityGradient,
    MAX_DEGREE, MagneticDipole, PointGravity, SolarPressure, Spring, ThirdBody, Thruster, UniformGravity,
};
use crate::physics::rigid_body::BodyHandle;

/// Defines the enum of delivered fields with the conversions from and to `dyn Field`.
macro_rules! saved_fields {
    ($($name:ident),*) => {
        /// A delivered field.
        #[derive(Serialize, Deserialize)]
        pub(crate) enum SavedField {
            $($name(Box<$name>),)*
        }

        impl SavedField {
            /// The field as data; `None` for a type of the user.
            pub(crate) fn of(field: &dyn Field) -> Option<Self> {
                let field: &dyn Any = field;
                $(if let Some(field) = field.downcast_ref::<$name>() {
                    return Some(Self::$name(Box::new(field.clone())));
                })*
                None
            }

            /// The field.
            pub(crate) fn into_field(self) -> Arc<dyn Field> {
                match self {
                    $(Self::$name(field) => Arc::new(*field),)*
                }
            }
        }
    };
}

saved_fields!(
    UniformGravity,
    PointGravity,
    Geopotential,
    GravityGradient,
    ThirdBody,
    MagneticDipole,
    Drag,
    SolarPressure,
    Spring,
    Damper,
    Thruster,
    Centrifugal,
    Coriolis,
    EulerForce
);

impl SavedField {
    /// False for tables and lists of bodies that no constructor makes.
    pub(crate) fn is_sound(&self) -> bool {
        match self {
            Self::Geopotential(field) => field.degree() <= MAX_DEGREE,
            Self::Spring(field) => field.is_sound(),
            Self::Damper(field) => field.is_sound(),
            _ => true,
        }
    }
}

/// The bodies that a field names.
pub(crate) fn named_bodies(field: &dyn Field) -> &[BodyHandle] {
    match field.acts_on() {
        ActsOn::Everything => &[],
        ActsOn::Bodies(bodies) => bodies,
    }
}

//! Why the parameters of a field, or the properties of a body it acts on, were refused.

use thiserror::Error;

use crate::math::Vec3;
use crate::tolerance;

/// Error of a field. Every message names the field, the parameter, the value and the limit.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum FieldError {
    /// A number outside its range.
    #[error("field `{field}`: {parameter} must be {limit}, got {value}")]
    Number {
        /// Type name of the field.
        field: &'static str,
        /// The value given.
        parameter: &'static str,
        /// Its value, SI.
        value: f64,
        /// The accepted range.
        limit: &'static str,
    },
    /// A vector outside its range.
    #[error("field `{field}`: {parameter} must be {limit}, got [{}, {}, {}]", value.x, value.y, value.z)]
    Vector {
        /// Type name of the field.
        field: &'static str,
        /// The value given.
        parameter: &'static str,
        /// Its value, SI.
        value: Vec3,
        /// The accepted range.
        limit: &'static str,
    },
    /// A degree or an order that the field does not reach.
    #[error("field `{field}`: {parameter} must be {limit}, got {value}")]
    Index {
        /// Type name of the field.
        field: &'static str,
        /// The value given.
        parameter: &'static str,
        /// Its value.
        value: usize,
        /// The accepted range.
        limit: &'static str,
    },
    /// Parameters that do not go together.
    #[error("field `{field}`: {problem}")]
    Conflict {
        /// Type name of the field.
        field: &'static str,
        /// The problem and its remedy.
        problem: &'static str,
    },
    /// A body carries a property the field cannot use.
    #[error("field `{field}` on body `{body}`: property `{property}` must be {limit}")]
    Property {
        /// Type name of the field.
        field: &'static str,
        /// Name of the body.
        body: String,
        /// Name of the property.
        property: &'static str,
        /// The accepted range.
        limit: &'static str,
    },
}

/// Parameter checks of one field; every error names the field.
#[derive(Clone, Copy, Debug)]
pub(super) struct Check(pub(super) &'static str);

impl Check {
    fn number(
        self,
        parameter: &'static str,
        value: f64,
        limit: &'static str,
        ok: bool,
    ) -> Result<f64, FieldError> {
        if ok { Ok(value) } else { Err(FieldError::Number { field: self.0, parameter, value, limit }) }
    }

    pub(super) fn finite(self, parameter: &'static str, value: f64) -> Result<f64, FieldError> {
        self.number(parameter, value, "finite", value.is_finite())
    }

    pub(super) fn positive(self, parameter: &'static str, value: f64) -> Result<f64, FieldError> {
        self.number(parameter, value, "positive and finite", value > 0.0 && value.is_finite())
    }

    pub(super) fn not_negative(self, parameter: &'static str, value: f64) -> Result<f64, FieldError> {
        self.number(parameter, value, "zero or positive, and finite", value >= 0.0 && value.is_finite())
    }

    pub(super) fn fraction(self, parameter: &'static str, value: f64) -> Result<f64, FieldError> {
        self.number(parameter, value, "between 0 and 1", (0.0..=1.0).contains(&value))
    }

    pub(super) fn finite_vector(self, parameter: &'static str, value: Vec3) -> Result<Vec3, FieldError> {
        if value.is_finite() {
            Ok(value)
        } else {
            Err(FieldError::Vector { field: self.0, parameter, value, limit: "finite" })
        }
    }

    /// The direction, scaled to length one to the last bit.
    pub(super) fn direction(self, parameter: &'static str, value: Vec3) -> Result<Vec3, FieldError> {
        let length = value.length();
        if (length - 1.0).abs() <= tolerance::UNIT_VECTOR {
            Ok(value / length)
        } else {
            Err(FieldError::Vector { field: self.0, parameter, value, limit: "a unit vector" })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_names_field_parameter_value_and_limit() {
        let refusal = Check("drag").positive("scale height", -7200.0).unwrap_err();
        assert_eq!(refusal.to_string(), "field `drag`: scale height must be positive and finite, got -7200");
        let refusal = Check("thruster").direction("direction", Vec3::new(1.0, 1.0, 0.0)).unwrap_err();
        assert_eq!(refusal.to_string(), "field `thruster`: direction must be a unit vector, got [1, 1, 0]");
    }

    #[test]
    fn nothing_that_is_not_a_number_passes() {
        let check = Check("drag");
        assert!(check.finite("x", f64::NAN).is_err() && check.positive("x", f64::NAN).is_err());
        assert!(check.not_negative("x", f64::INFINITY).is_err() && check.fraction("x", f64::NAN).is_err());
        assert!(check.finite_vector("x", Vec3::NAN).is_err() && check.direction("x", Vec3::NAN).is_err());
    }
}

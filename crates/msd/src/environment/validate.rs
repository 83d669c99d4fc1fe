//! Input validation: every value that enters the world is checked here, and never repaired or clamped.

use std::fmt::Debug;

use super::WorldError;
use crate::math::{Coordinate, Quat, ReferenceFrame, Vec3, scalar};
use crate::physics::rigid_body::SurfaceMotion;
use crate::tolerance;

/// Validates values for one subject, such as "body `lander`".
pub(super) struct Validator<'a> {
    kind: &'static str,
    name: &'a str,
}

impl<'a> Validator<'a> {
    pub(super) fn body(name: &'a str) -> Self {
        Self { kind: "body", name }
    }

    pub(super) fn world() -> Self {
        Self { kind: "world", name: "" }
    }

    pub(super) fn joint(name: &'a str) -> Self {
        Self { kind: "joint", name }
    }

    pub(super) fn actuator(name: &'a str) -> Self {
        Self { kind: "actuator", name }
    }

    pub(super) fn refuse<T: Debug>(
        &self,
        field: &'static str,
        expected: &'static str,
        value: T,
    ) -> WorldError {
        let subject =
            if self.name.is_empty() { self.kind.into() } else { format!("{} `{}`", self.kind, self.name) };
        WorldError::Invalid { subject, field, expected, value: format!("{value:?}") }
    }

    pub(super) fn finite(&self, field: &'static str, value: Vec3) -> Result<Vec3, WorldError> {
        if value.is_finite() { Ok(value) } else { Err(self.refuse(field, "finite", value.to_array())) }
    }

    /// A finite velocity, and a direction of unit length.
    pub(super) fn surface_motion(&self, motion: SurfaceMotion) -> Result<SurfaceMotion, WorldError> {
        let velocity = self.finite("surface_velocity", motion.velocity)?;
        let unit = |direction: Vec3| {
            let unit = direction.try_normalize().filter(|_| direction.is_finite());
            unit.ok_or_else(|| self.refuse("one_way", "a direction", direction.to_array()))
        };
        Ok(SurfaceMotion { velocity, one_way: motion.one_way.map(unit).transpose()? })
    }

    pub(super) fn positive(&self, field: &'static str, value: f64) -> Result<f64, WorldError> {
        if value > 0.0 && value.is_finite() {
            Ok(value)
        } else {
            Err(self.refuse(field, "positive and finite", value))
        }
    }

    pub(super) fn at_least_zero(&self, field: &'static str, value: f64) -> Result<f64, WorldError> {
        if value >= 0.0 && value.is_finite() {
            Ok(value)
        } else {
            Err(self.refuse(field, "finite and at least 0", value))
        }
    }

    /// A step or a duration: large enough to change `time`.
    pub(super) fn advances(&self, field: &'static str, dt: f64, time: f64) -> Result<f64, WorldError> {
        self.positive(field, dt)?;
        if time + dt > time {
            Ok(dt)
        } else {
            Err(self.refuse(field, "large enough to advance the time", dt))
        }
    }

    pub(super) fn name(&self) -> Result<(), WorldError> {
        let printable = !self.name.is_empty() && !self.name.chars().any(char::is_control);
        if printable { Ok(()) } else { Err(self.refuse("name", "not empty and printable", self.name)) }
    }

    /// Unit to within [`tolerance::UNIT_QUATERNION`]; returned normalised to round-off.
    pub(super) fn orientation(&self, value: Quat) -> Result<Quat, WorldError> {
        let length = value.length();
        if (length - 1.0).abs() <= tolerance::UNIT_QUATERNION {
            Ok(crate::math::orientation::normalized(value))
        } else {
            let wxyz = crate::math::orientation::to_wxyz(value);
            Err(self.refuse("orientation", "a unit quaternion (w, x, y, z) to within 1e-6", wxyz))
        }
    }

    /// Finite, and where f64 still resolves [`tolerance::POSITION_RESOLUTION`].
    pub(super) fn position(&self, value: Coordinate) -> Result<Coordinate, WorldError> {
        self.finite("position", value)?;
        resolution(self.name, value)?;
        Ok(value)
    }

    pub(super) fn frame(&self, value: &ReferenceFrame) -> Result<ReferenceFrame, WorldError> {
        Ok(ReferenceFrame::new(self.position(value.position)?, self.orientation(value.orientation)?))
    }
}

/// Refuses positions where one ulp exceeds [`tolerance::POSITION_RESOLUTION`].
pub(super) fn resolution(body: &str, position: Coordinate) -> Result<(), WorldError> {
    let distance = position.abs().max_element();
    let spacing = scalar::max(distance, f64::MIN_POSITIVE) * f64::EPSILON;
    if spacing <= tolerance::POSITION_RESOLUTION {
        return Ok(());
    }
    Err(WorldError::OutOfResolution {
        body: body.to_owned(),
        distance,
        spacing,
        limit: tolerance::POSITION_RESOLUTION,
    })
}

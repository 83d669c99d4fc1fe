//! The angle of a hinge: how far B has turned about the axis, from A, by the right-hand rule.
//!
//! With `e₁, e₂` on A perpendicular to the axis and `f` on B, equal to `e₁` when the joint is made: `x = f·e₁`, `y = f·e₂`,
//! `θ = atan2(y, x)`. Dot rows give `ẋ = ω·(f × e₁)`, `ẏ = ω·(f × e₂)` with `ω = ω_B - ω_A`, so that
//! `θ̇ = g·ω` with `g = (x (f × e₂) - y (f × e₁))/(x² + y²)`: the axis, where the hinge is closed. Bias:
//! `(x ÿ - y ẍ)/r² - 2 (x ẋ + y ẏ) θ̇/r²` with the biases of the dot rows for `ẍ, ÿ`.
//!
//! Orientation knows θ up to full turns. It is unwrapped without memory, to the value within half a turn of a given
//! centre: the middle of the limits. A hinge with limits less than a full turn apart is thus never in doubt, as long
//! as one step does not carry it across the forbidden range.

use std::f64::consts::PI;

use super::super::elementary_row::{Triads, dot_bias};
use super::super::{JacobianRow, Pair};
use crate::math::{Vec3, scalar};

/// The angle at one instant, with the inputs of its derivatives.
#[derive(Clone, Copy, Debug)]
pub(super) struct HingeAngle {
    e: [Vec3; 2],
    f: Vec3,
    x: f64,
    y: f64,
}

impl HingeAngle {
    pub(super) fn new(triads: &Triads, pair: &Pair<'_>) -> Self {
        let ([e1, e2], f) = triads.of_angle(pair);
        Self { e: [e1, e2], f, x: f.dot(e1), y: f.dot(e2) }
    }

    /// θ within half a turn of `center`, rad.
    pub(super) fn near(&self, center: f64) -> f64 {
        let angle = scalar::atan2(self.y, self.x);
        angle + 2.0 * PI * ((center - angle) / (2.0 * PI)).round()
    }

    pub(super) fn jacobian(&self) -> JacobianRow {
        let (dx, dy) = (self.f.cross(self.e[0]), self.f.cross(self.e[1]));
        JacobianRow::relative_rotation((dy * self.x - dx * self.y) / self.radius_squared())
    }

    pub(super) fn bias(&self, pair: &Pair<'_>) -> f64 {
        let spin = pair.b.angular_velocity - pair.a.angular_velocity;
        let (dx, dy) = (spin.dot(self.f.cross(self.e[0])), spin.dot(self.f.cross(self.e[1])));
        let (ddx, ddy) = (dot_bias(pair, self.e[0], self.f), dot_bias(pair, self.e[1], self.f));
        let r2 = self.radius_squared();
        let rate = (self.x * dy - self.y * dx) / r2;
        (self.x * ddy - self.y * ddx) / r2 - 2.0 * (self.x * dx + self.y * dy) * rate / r2
    }

    fn radius_squared(&self) -> f64 {
        self.x * self.x + self.y * self.y
    }
}

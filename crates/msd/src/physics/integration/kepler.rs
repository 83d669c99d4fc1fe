//! Motion about an attracting point in closed form: every conic, forwards and backwards in time.
//!
//! With `β = 2μ/r₀ - v₀²` (positive: ellipse), `η = r₀·v₀` and the universal variable s, `ds = dt/r`, the
//! functions `G_k = sᵏ c_k(β s²)` of Stumpff give
//!
//! ```text
//! t = r₀ G₁ + η G₂ + μ G₃,    r = r₀ G₀ + η G₁ + μ G₂ = dt/ds
//! x = x₀ - (μ G₂/r₀) x₀ + (t - μ G₃) v₀,    v = v₀ - (μ G₁/(r r₀)) x₀ - (μ G₂/r) v₀
//! ```
//!
//! The first equation, Kepler's, is solved for s by Newton's method inside a bracket: t grows with s because
//! r > 0, so the bracket always holds. Whole periods of an ellipse are subtracted first. A radial arc needs
//! no special case; where it meets the centre it is continued by reflection, the limit of ever thinner
//! ellipses.
//!
//! Danby, *Fundamentals of Celestial Mechanics*, 2nd ed., §6.9; Stiefel & Scheifele, *Linear and Regular
//! Celestial Mechanics*, 1971.

use std::f64::consts::PI;

use crate::math::stumpff::stumpff;
use crate::math::{Vec3, scalar};

/// Position (from the centre) and velocity after `dt` seconds about a centre of gravitational parameter `mu` (m³/s²).
/// `None` if the arc starts or ends in the centre itself, or the numbers leave the range of f64.
#[must_use]
pub fn kepler_arc(mu: f64, position: Vec3, velocity: Vec3, dt: f64) -> Option<(Vec3, Vec3)> {
    let conic = Conic::new(mu, position, velocity)?;
    let time = conic.without_whole_periods(dt);
    if time == 0.0 {
        return Some((position, velocity));
    }
    let s = conic.solve(time)?;
    let [_, g1, g2, g3] = conic.functions(s);
    let (r0, r) = (conic.r0, conic.radius(s));
    let position_end = position + (position * (-mu * g2 / r0) + velocity * (time - mu * g3));
    let velocity_end = velocity - (position * (mu * g1 / (r * r0)) + velocity * (mu * g2 / r));
    (position_end.is_finite() && velocity_end.is_finite()).then_some((position_end, velocity_end))
}

#[derive(Clone, Copy)]
struct Conic {
    mu: f64,
    r0: f64,
    eta: f64,
    beta: f64,
}

impl Conic {
    fn new(mu: f64, position: Vec3, velocity: Vec3) -> Option<Self> {
        let r0 = position.length();
        let beta = 2.0 * mu / r0 - velocity.length_squared();
        (r0 > 0.0 && beta.is_finite()).then_some(Self { mu, r0, eta: position.dot(velocity), beta })
    }

    fn period(&self) -> Option<f64> {
        let root = if self.beta > 0.0 { self.beta.sqrt() } else { return None };
        let period = 2.0 * PI * self.mu / (self.beta * root);
        period.is_finite().then_some(period)
    }

    /// The same place on the orbit at most half a period away.
    fn without_whole_periods(&self, dt: f64) -> f64 {
        self.period().map_or(dt, |period| dt - period * (dt / period).round())
    }

    fn functions(&self, s: f64) -> [f64; 4] {
        let [c0, c1, c2, c3] = stumpff(self.beta * s * s);
        [c0, s * c1, s * s * c2, s * s * s * c3]
    }

    fn time(&self, s: f64) -> f64 {
        let [_, g1, g2, g3] = self.functions(s);
        self.r0 * g1 + self.eta * g2 + self.mu * g3
    }

    fn radius(&self, s: f64) -> f64 {
        let [g0, g1, g2, _] = self.functions(s);
        self.r0 * g0 + self.eta * g1 + self.mu * g2
    }

    /// The s at which `time` has passed.
    fn solve(&self, time: f64) -> Option<f64> {
        let (mut low, mut high) = self.bracket(time)?;
        let mut s = 0.5 * (low + high);
        let first = time / self.r0;
        if first > low && first < high {
            s = first;
        }
        for _iteration in 0..200 {
            let error = self.time(s) - time;
            if error > 0.0 {
                high = s;
            } else if error < 0.0 {
                low = s;
            } else {
                return Some(s);
            }
            let newton = s - error / self.radius(s);
            let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
            if (next - s).abs() <= f64::EPSILON * s.abs() || next == low || next == high {
                return Some(next);
            }
            s = next;
        }
        Some(s)
    }

    /// An interval of s that holds the solution. Half a period takes the eccentric anomaly less than a whole turn on; an
    /// open conic is searched by doubling.
    fn bracket(&self, time: f64) -> Option<(f64, f64)> {
        let mut reach = if self.period().is_some() {
            2.0 * PI / self.beta.sqrt()
        } else {
            // Time grows at least like μ s³/6 on an open conic that leaves its centre.
            scalar::max(time.abs() / self.r0, scalar::cbrt(6.0 * time.abs() / self.mu))
        };
        let direction = time.signum();
        for _doubling in 0..64 {
            let at_end = self.time(direction * reach);
            if !at_end.is_finite() {
                reach *= 0.75;
                continue;
            }
            if at_end.abs() >= time.abs() {
                return Some(if direction > 0.0 { (0.0, reach) } else { (-reach, 0.0) });
            }
            reach *= 2.0;
        }
        None
    }
}

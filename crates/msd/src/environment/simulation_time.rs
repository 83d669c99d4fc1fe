//! Simulated time, counted and never summed.
//!
//! `t = base + n·dt`: after a million steps of 1 ms the time is 1000 s to the last bit, where summing would have
//! drifted. The base moves only when dt changes or when a run ends at a time that dt does not divide.

use serde::{Deserialize, Serialize};

/// Seconds since the start of the simulation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SimulationTime {
    base: f64,
    count: u64,
    dt: f64,
}

impl SimulationTime {
    /// Now, s.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.base + self.count as f64 * self.dt
    }

    /// One step later.
    #[must_use]
    pub fn after(&self, dt: f64) -> Self {
        if dt == self.dt {
            Self { count: self.count + 1, ..*self }
        } else {
            Self { base: self.seconds(), count: 1, dt }
        }
    }

    /// Exactly at `seconds`, for the end of a run.
    #[must_use]
    pub fn at(seconds: f64) -> Self {
        Self { base: seconds, count: 0, dt: 0.0 }
    }
}

/// The steps that cover `duration` exactly: how many of `dt`, and the shortened last one (0 if dt divides it).
#[must_use]
pub fn steps_to_cover(duration: f64, dt: f64) -> (u64, f64) {
    let nearest = (duration / dt).round();
    // A remainder of a few ulps of the duration is round-off of the division, not a step to take.
    if (duration - nearest * dt).abs() <= 4.0 * f64::EPSILON * duration {
        return (nearest as u64, 0.0);
    }
    let whole = (duration / dt).floor();
    (whole as u64, duration - whole * dt)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_million_steps_of_a_millisecond_are_a_thousand_seconds_to_the_last_bit() {
        let mut time = SimulationTime::default();
        for _ in 0..1_000_000 {
            time = time.after(0.001);
        }
        assert_eq!(time.seconds(), 1000.0);
    }

    #[test]
    fn a_changed_step_continues_from_now() {
        let time = SimulationTime::default().after(0.5).after(0.5).after(0.25);
        assert_eq!(time.seconds(), 1.25);
    }

    #[test]
    fn durations_are_covered_by_whole_steps_and_one_shorter() {
        assert_eq!(steps_to_cover(10.0, 0.001), (10_000, 0.0));
        assert_eq!(steps_to_cover(1.0, 1.0 / 60.0), (60, 0.0));
        let (whole, rest) = steps_to_cover(1.0, 0.3);
        assert_eq!(whole, 3);
        assert!((rest - 0.1).abs() < 1e-15);
        assert_eq!(steps_to_cover(0.1, 1.0), (0, 0.1));
    }
}

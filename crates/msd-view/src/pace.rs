//! How fast a run goes by the clock, and how fast it went.

use std::time::{Duration, Instant};

/// A run this far behind the clock begins to count again, s.
const MAX_LAG: f64 = 0.25;
/// The achieved speed is measured over this time, s.
const MEASURED_OVER: f64 = 0.5;

/// How fast a run goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pace {
    /// As fast as it can be computed.
    Unlimited,
    /// Simulated seconds per second, if it can be computed that fast.
    Times(f64),
}

/// Holds a run to its pace.
#[derive(Debug)]
pub(crate) struct Pacer {
    pace: Pace,
    /// Wall clock and simulated time from which the pace counts.
    anchor: (Instant, f64),
    /// The same for the measurement.
    measured_from: (Instant, f64),
    /// Simulated seconds per second; 0 before the first measurement.
    measured: f64,
}

impl Pacer {
    pub(crate) fn new(pace: Pace) -> Self {
        let now = (Instant::now(), 0.0);
        Self { pace, anchor: now, measured_from: now, measured: 0.0 }
    }

    pub(crate) fn pace(&self) -> Pace {
        self.pace
    }

    pub(crate) fn set(&mut self, pace: Pace, time: f64) {
        self.pace = pace;
        self.count_from(time);
    }

    /// The pace counts from now on, at a simulated time.
    pub(crate) fn count_from(&mut self, time: f64) {
        self.anchor = (Instant::now(), time);
    }

    /// The same for a run that begins.
    pub(crate) fn begin(&mut self, time: f64) {
        self.count_from(time);
        (self.measured_from, self.measured) = (self.anchor, 0.0);
    }

    /// How long a step at a simulated time has to wait; `None` if it is due.
    pub(crate) fn wait(&mut self, time: f64) -> Option<Duration> {
        let Pace::Times(speed) = self.pace else { return None };
        let (since, from) = self.anchor;
        let early = (time - from) / speed - since.elapsed().as_secs_f64();
        if early < -MAX_LAG {
            self.count_from(time);
        }
        (early > 0.0).then(|| Duration::from_secs_f64(early.min(0.1)))
    }

    /// Simulated seconds per second, as last measured.
    pub(crate) fn measured(&self) -> f64 {
        self.measured
    }

    /// Measures the speed, if enough time has passed.
    pub(crate) fn measure(&mut self, time: f64) {
        let (at, from) = self.measured_from;
        let elapsed = at.elapsed().as_secs_f64();
        if elapsed > MEASURED_OVER {
            (self.measured_from, self.measured) = ((Instant::now(), time), (time - from) / elapsed);
        }
    }
}

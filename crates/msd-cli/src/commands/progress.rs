//! The progress bar of a run: on standard error, if that is a terminal.

use std::cell::Cell;
use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use msd_scene::Progress;

/// Resolution of the bar.
const PARTS: f64 = 1000.0;

/// Seconds before a bar is shown, so that a short run shows none, and between two updates.
const PATIENCE: f64 = 0.5;
const PERIOD: f64 = 0.1;

/// Time simulated, speed and time left.
pub(super) struct Bar {
    bar: ProgressBar,
    clock: fn() -> f64,
    began: f64,
    due: Cell<f64>,
}

impl Bar {
    /// A bar on a terminal; `clock` returns seconds.
    pub(super) fn on_terminal(clock: fn() -> f64) -> Option<Self> {
        if !std::io::stderr().is_terminal() {
            return None;
        }
        let bar = ProgressBar::with_draw_target(Some(PARTS as u64), ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template("{wide_bar} {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        let began = clock();
        Some(Self { bar, clock, began, due: Cell::new(began + PATIENCE) })
    }

    pub(super) fn show(&self, progress: Progress) {
        let now = (self.clock)();
        if now < self.due.get() {
            return;
        }
        if self.bar.is_hidden() {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.due.set(now + PERIOD);
        let share = progress.time / progress.duration;
        let elapsed = now - self.began;
        let left = if share > 0.0 { elapsed * (1.0 - share) / share } else { f64::INFINITY };
        let speed = progress.time / elapsed;
        self.bar.set_position((share * PARTS) as u64);
        self.bar.set_message(format!(
            "{:>3.0} %  t = {:.3} s, {speed:.1} × real time, {} left",
            100.0 * share,
            progress.time,
            duration(left)
        ));
    }

    /// Clears it.
    pub(super) fn clear(self) {
        self.bar.finish_and_clear();
    }
}

/// A human-readable duration.
fn duration(seconds: f64) -> String {
    let whole = seconds.ceil();
    let (minutes, hours) = ((whole / 60.0).floor(), (whole / 3600.0).floor());
    if whole < 100.0 {
        format!("{whole} s")
    } else if minutes < 100.0 {
        format!("{minutes} min {:02} s", whole - 60.0 * minutes)
    } else if hours < 100.0 {
        format!("{hours} h {:02} min", minutes - 60.0 * hours)
    } else if seconds.is_finite() {
        format!("{} days", (hours / 24.0).round())
    } else {
        "?".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_left_is_said_in_units_that_fit() {
        let cases =
            [(0.2, "1 s"), (99.0, "99 s"), (100.5, "1 min 41 s"), (7265.0, "2 h 01 min"), (1e6, "12 days")];
        for (seconds, said) in cases {
            assert_eq!(duration(seconds), said);
        }
        assert_eq!(duration(5990.0), "99 min 50 s");
        assert_eq!(duration(f64::INFINITY), "?");
    }
}

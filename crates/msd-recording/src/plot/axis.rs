//! An axis: a range of numbers with ticks at round ones.

/// From `low` to `high`, with a tick every `step`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Axis {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) step: f64,
}

impl Axis {
    /// Covers all values that are numbers with about `ticks` ticks at 1, 2 or 5 times a power of ten. `tight` ends at
    /// the values, otherwise at ticks.
    pub(super) fn covering(values: impl Iterator<Item = f64>, ticks: f64, tight: bool) -> Self {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.filter(|value| value.is_finite()) {
            low = low.min(value);
            high = high.max(value);
        }
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        // A constant still gets room, so that its line does not lie on the frame.
        let least = 1e-12 * low.abs().max(high.abs());
        if high - low <= least {
            let room = if high == 0.0 { 1.0 } else { 0.5 * high.abs() };
            (low, high) = (low - room, high + room);
        }
        let step = round_step((high - low) / ticks);
        if tight {
            return Self { low, high, step };
        }
        Self { low: (low / step).floor() * step, high: (high / step).ceil() * step, step }
    }

    /// From its low to its high end.
    pub(super) fn extent(&self) -> f64 {
        self.high - self.low
    }

    /// Makes it `extent` long about its middle.
    pub(super) fn widen(&mut self, extent: f64) {
        let middle = 0.5 * (self.low + self.high);
        (self.low, self.high) = (middle - 0.5 * extent, middle + 0.5 * extent);
        self.step = round_step(extent / 6.0);
    }

    /// Where a value is, 0 at the low end and 1 at the high one.
    pub(super) fn position(&self, value: f64) -> f64 {
        (value - self.low) / (self.high - self.low)
    }

    /// Ticks with their labels, which have no more digits than the step needs.
    pub(super) fn ticks(&self) -> Vec<(f64, String)> {
        let (first, last) = ((self.low / self.step).ceil(), (self.high / self.step + 1e-9).floor());
        let largest = self.low.abs().max(self.high.abs());
        let scientific = largest >= 1e6 || (largest > 0.0 && largest < 1e-3);
        let decimals = (-self.step.log10().floor()).clamp(0.0, 12.0) as usize;
        let digits = (largest.log10().floor() - self.step.log10().floor()).clamp(0.0, 12.0) as usize;
        let count = ((last - first) as i64).clamp(0, 100);
        (0..=count)
            .map(|i| (first + i as f64) * self.step)
            .map(|value| {
                let value = if value.abs() < 1e-9 * self.step { 0.0 } else { value };
                let label = match (scientific, value == 0.0) {
                    (true, false) => format!("{value:.digits$e}"),
                    (true, true) => "0".to_owned(),
                    (false, _) => format!("{value:.decimals$}"),
                };
                (value, label.replace('-', "−"))
            })
            .collect()
    }
}

/// The smallest of 1, 2 and 5 times a power of ten that is not below `rough`.
fn round_step(rough: f64) -> f64 {
    let power = 10_f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= rough * (1.0 - 1e-9));
    factor.unwrap_or(10.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(values: &[f64]) -> Vec<String> {
        Axis::covering(values.iter().copied(), 5.0, false)
            .ticks()
            .into_iter()
            .map(|(_, label)| label)
            .collect()
    }

    #[test]
    fn ticks_are_round_and_cover_the_values() {
        assert_eq!(labels(&[0.0, 10.0]), ["0", "2", "4", "6", "8", "10"]);
        assert_eq!(labels(&[-0.3, 0.7]), ["−0.4", "−0.2", "0.0", "0.2", "0.4", "0.6", "0.8"]);
        assert_eq!(labels(&[0.0, 1e-12]), ["0", "2.0e−13", "4.0e−13", "6.0e−13", "8.0e−13", "1.0e−12"]);
        assert_eq!(labels(&[5.0, 5.0]).first().map(String::as_str), Some("2"));
        assert_eq!(labels(&[]), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert!(!labels(&[f64::NAN, 1.0, f64::INFINITY]).is_empty());
    }
}

//! Numbers in attributes: finite, separated by white space.

use msd::math::Vec3;

use super::xml::{Attribute, Element, Problems};

impl Attribute {
    /// All numbers in it.
    pub(super) fn list(&self, problems: &Problems) -> Option<Vec<f64>> {
        let parsed: Result<Vec<f64>, &str> = self
            .value
            .split_whitespace()
            .map(|word| word.parse().ok().filter(|number: &f64| number.is_finite()).ok_or(word))
            .collect();
        match parsed {
            Ok(numbers) => Some(numbers),
            Err(word) => {
                problems.add(&self.place, format!("`{word}` is not a finite number"), "expected numbers");
                None
            }
        }
    }

    /// Exactly `N` numbers.
    pub(super) fn array<const N: usize>(&self, problems: &Problems) -> Option<[f64; N]> {
        let numbers = self.list(problems)?;
        let count = numbers.len();
        let array = <[f64; N]>::try_from(numbers).ok();
        if array.is_none() {
            let expected =
                if N == 1 { "expected a number".to_owned() } else { format!("expected {N} numbers") };
            problems.add(&self.place, format!("{count} numbers"), expected);
        }
        array
    }
}

impl Element {
    pub(super) fn array<const N: usize>(&self, name: &str, problems: &Problems) -> Option<[f64; N]> {
        self.attribute(name)?.array(problems)
    }

    pub(super) fn number(&self, name: &str, problems: &Problems) -> Option<f64> {
        self.array::<1>(name, problems).map(|[number]| number)
    }

    pub(super) fn vector(&self, name: &str, problems: &Problems) -> Option<Vec3> {
        self.array::<3>(name, problems).map(Vec3::from)
    }

    /// A number that must be there; one, and a problem, if it is not.
    pub(super) fn required_number(&self, name: &str, problems: &Problems) -> f64 {
        if self.attribute(name).is_none() {
            self.missing(name, "a number", problems);
        }
        self.number(name, problems).unwrap_or(1.0)
    }

    pub(super) fn required_text(&self, name: &str, problems: &Problems) -> Option<&str> {
        let text = self.text(name);
        if text.is_none() {
            self.missing(name, "a text", problems);
        }
        text
    }

    pub(super) fn missing(&self, name: &str, what: &str, problems: &Problems) {
        let message = format!("{}: the attribute `{name}` is missing", self.subject());
        problems.add(&self.place, message, format!("expected {name}=\"…\": {what}"));
    }
}

//! Registry of integrators by the names used in scenes.

use thiserror::Error;

use super::{
    Adaptive, ExactFree, ImplicitEuler, ImplicitMidpoint, Integrator, Rk4, SemiImplicitEuler, VelocityVerlet,
};
use crate::tolerance;

/// All names, simplest method first.
pub const INTEGRATOR_NAMES: [&str; 7] = [
    "semi-implicit-euler",
    "velocity-verlet",
    "rk4",
    "implicit-midpoint",
    "implicit-euler",
    "adaptive",
    "exact-free",
];

/// Why no integrator was made.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum UnknownIntegrator {
    /// No integrator has this name.
    #[error("there is no integrator `{name}`; did you mean `{nearest}`? The names are {}", INTEGRATOR_NAMES.join(", "))]
    Name {
        /// The requested value.
        name: String,
        /// The name with the fewest differing letters.
        nearest: &'static str,
    },
    /// The tolerance is out of range.
    #[error(
        "integrator `{name}`: its tolerance must be between {:e} and {:e} (relative), got {value:e}",
        tolerance::ADAPTIVE_TIGHTEST,
        tolerance::ADAPTIVE_LOOSEST
    )]
    Tolerance {
        /// The integrator.
        name: &'static str,
        /// The requested value.
        value: f64,
    },
    /// This integrator has no tolerance.
    #[error(
        "integrator `{name}` works at the step it is given and has no tolerance; leave it out, or use `adaptive`"
    )]
    NoTolerance {
        /// The integrator.
        name: &'static str,
    },
}

/// The integrator of that name. `tolerance` is the relative tolerance of `adaptive`, or of `exact-free` where it has no
/// closed form; without it they use their defaults.
///
/// # Errors
/// If there is no such integrator, if the tolerance is out of range, or if the integrator has none.
pub fn by_name(name: &str, tolerance: Option<f64>) -> Result<Box<dyn Integrator>, UnknownIntegrator> {
    let integrator: Box<dyn Integrator> = match name {
        "semi-implicit-euler" => Box::new(SemiImplicitEuler::new()),
        "velocity-verlet" => Box::new(VelocityVerlet::new()),
        "rk4" => Box::new(Rk4::new()),
        "implicit-midpoint" => Box::new(ImplicitMidpoint::new()),
        "implicit-euler" => Box::new(ImplicitEuler::new()),
        "adaptive" => Box::new(tolerance.map_or_else(Adaptive::default, Adaptive::new)),
        "exact-free" => Box::new(tolerance.map_or_else(ExactFree::default, ExactFree::new)),
        _ => return Err(UnknownIntegrator::Name { name: name.to_owned(), nearest: nearest_name(name) }),
    };
    check_tolerance(integrator.name(), tolerance)?;
    Ok(integrator)
}

fn check_tolerance(name: &'static str, tolerance: Option<f64>) -> Result<(), UnknownIntegrator> {
    let Some(value) = tolerance else { return Ok(()) };
    if !matches!(name, "adaptive" | "exact-free") {
        return Err(UnknownIntegrator::NoTolerance { name });
    }
    if (tolerance::ADAPTIVE_TIGHTEST..=tolerance::ADAPTIVE_LOOSEST).contains(&value) {
        Ok(())
    } else {
        Err(UnknownIntegrator::Tolerance { name, value })
    }
}

/// The name at the smallest edit distance; the first of equals.
fn nearest_name(name: &str) -> &'static str {
    let mut best = (usize::MAX, INTEGRATOR_NAMES[0]);
    for candidate in INTEGRATOR_NAMES {
        let distance = edit_distance(name, candidate);
        if distance < best.0 {
            best = (distance, candidate);
        }
    }
    best.1
}

/// Levenshtein distance: insertions, deletions and substitutions that turn `a` into `b`.
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_makes_the_integrator_of_that_name() {
        for name in INTEGRATOR_NAMES {
            assert_eq!(by_name(name, None).unwrap().name(), name);
        }
    }

    #[test]
    fn a_wrong_name_is_answered_with_the_nearest_and_with_all() {
        let message = by_name("velocity-verlett", None).unwrap_err().to_string();
        assert!(message.contains("did you mean `velocity-verlet`"), "{message}");
        assert!(INTEGRATOR_NAMES.iter().all(|name| message.contains(name)), "{message}");
        assert!(by_name("rk45", None).unwrap_err().to_string().contains("did you mean `rk4`"));
    }

    #[test]
    fn a_tolerance_is_checked_and_refused_where_it_has_no_meaning() {
        assert!(by_name("adaptive", Some(1e-12)).unwrap().describe().contains("1e-12"));
        for value in [0.0, -1.0, 1.0, f64::NAN] {
            assert!(matches!(by_name("adaptive", Some(value)), Err(UnknownIntegrator::Tolerance { .. })));
        }
        assert!(matches!(by_name("rk4", Some(1e-9)), Err(UnknownIntegrator::NoTolerance { name: "rk4" })));
    }
}

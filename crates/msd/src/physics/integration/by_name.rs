//! Integrators by the names scenes use.

use thiserror::Error;

use super::{
    Adaptive, ExactFree, ImplicitEuler, ImplicitMidpoint, Integrator, Rk4, SemiImplicitEuler, VelocityVerlet,
};

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
        /// What was asked for.
        name: String,
        /// The name with the fewest differing letters.
        nearest: &'static str,
    },
}

/// The integrator of that name.
///
/// # Errors
/// If there is none.
pub fn by_name(name: &str, tolerance: Option<f64>) -> Result<Box<dyn Integrator>, UnknownIntegrator> {
    Ok(match name {
        "semi-implicit-euler" => Box::new(SemiImplicitEuler::new()),
        "velocity-verlet" => Box::new(VelocityVerlet::new()),
        "rk4" => Box::new(Rk4::new()),
        "implicit-midpoint" => Box::new(ImplicitMidpoint::new()),
        "implicit-euler" => Box::new(ImplicitEuler::new()),
        "adaptive" => Box::new(tolerance.map_or_else(Adaptive::default, Adaptive::new)),
        "exact-free" => Box::new(tolerance.map_or_else(ExactFree::default, ExactFree::new)),
        _ => return Err(UnknownIntegrator::Name { name: name.to_owned(), nearest: nearest_name(name) }),
    })
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

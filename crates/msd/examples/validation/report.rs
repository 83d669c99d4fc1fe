//! The report as markdown.

use std::fmt::Write as _;

use msd::math::scalar;

use super::cases::{Case, Series};

/// One case: plot, table of errors, measured orders.
pub(crate) fn section(case: &Case, results: &[Series]) -> String {
    let mut text = format!(
        "## {}\n\n![{}]({}.svg)\n\nError in {}.\n\n| dt (s) |",
        case.title, case.title, case.id, case.unit
    );
    for series in results {
        let _ = write!(text, " {} |", series.method);
    }
    text.push_str("\n|---|");
    text.push_str(&"---|".repeat(results.len()));
    for row in 0..case.steps.len() {
        let _ = write!(text, "\n| {} |", results[0].points[row].0);
        for series in results {
            let _ = write!(text, " {:.1e} |", series.points[row].1);
        }
    }
    text.push_str("\n| **order** |");
    for series in results {
        let _ = write!(text, " **{}** |", order(series));
    }
    text.push('\n');
    text
}

/// Median slope between neighbouring points whose error is below a tenth of the largest and above round-off.
fn order(series: &Series) -> String {
    let largest = series.points.iter().fold(0.0, |big, point| scalar::max(big, point.1));
    let is_useful = |error: f64| error < 0.3 * largest && error > 3e-10 * largest && error > 1e-10;
    let mut slopes: Vec<f64> = series
        .points
        .windows(2)
        .filter(|pair| is_useful(pair[0].1) && is_useful(pair[1].1))
        .map(|pair| scalar::ln(pair[0].1 / pair[1].1) / scalar::ln(pair[0].0 / pair[1].0))
        .collect();
    slopes.sort_by(f64::total_cmp);
    slopes.get(slopes.len() / 2).map_or_else(|| "–".to_owned(), |slope| format!("{slope:.2}"))
}

/// The whole document.
pub(crate) fn document(sections: &[String], tolerances: &[(String, f64, f64)]) -> String {
    let mut text = String::from(
        "# Integrators against closed forms\n\nWritten by `cargo run --release -p msd --example validation`. The expected \
         states are those of `crates/msd/tests/data/reference-cases.json`, correct to 17 digits.\n\n",
    );
    text.push_str(&sections.join("\n"));
    text.push_str(
        "\n## Methods without a step size\n\nFree triaxial body, one step of 100 s.\n\n| method | error (rad) | time (µs) |\n|---|---|---|\n",
    );
    for (name, error, seconds) in tolerances {
        let _ = writeln!(text, "| {name} | {error:.1e} | {:.1} |", seconds * 1e6);
    }
    text
}

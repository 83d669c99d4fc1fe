//! The book as markdown.

use std::fmt::Write as _;

use msd::environment::{ContactScheme, ContactSettings, ContactTier};

pub(crate) type Failure = Box<dyn std::error::Error>;

/// A motion with a known answer.
pub(crate) struct Case {
    /// What happens, with the law that gives the answer.
    pub(crate) law: &'static str,
    /// Of the error.
    pub(crate) unit: &'static str,
    /// Errors, one for each column.
    pub(crate) errors: Vec<f64>,
}

pub(crate) struct Chapter {
    pub(crate) title: &'static str,
    pub(crate) about: &'static str,
    pub(crate) columns: Vec<&'static str>,
    pub(crate) cases: Vec<Case>,
}

/// The tiers and schemes of contact, by the names of the columns.
pub(crate) fn tiers() -> [(&'static str, ContactSettings); 3] {
    let scheme = |scheme| ContactSettings { scheme, ..ContactSettings::default() };
    [
        ("`exact`, midpoint", scheme(ContactScheme::Midpoint)),
        ("`exact`, Moreau-Jean", scheme(ContactScheme::MoreauJean)),
        ("`fast`", ContactSettings::with_tier(ContactTier::Fast)),
    ]
}

/// A case computed in every tier.
pub(crate) fn in_all_tiers(
    law: &'static str,
    unit: &'static str,
    error: impl Fn(ContactSettings) -> Result<f64, Failure>,
) -> Result<Case, Failure> {
    let errors = tiers().into_iter().map(|(_, settings)| error(settings)).collect::<Result<_, _>>()?;
    Ok(Case { law, unit, errors })
}

/// One digit, and everything below round-off alike.
fn figure(error: f64) -> String {
    if error.abs() < 1e-11 { "< 1e-11".to_owned() } else { format!("{:.0e}", error.abs()) }
}

pub(crate) fn document(chapters: &[Chapter], peers: &str) -> String {
    let mut text = String::from(
        "# Validation book\n\nMotions whose answer is known in closed form, and the error that msd makes. Written by `validation/run`; do not \
         edit. `validation/run --check`, a part of CI, computes all figures of msd again and fails where one differs. Errors of the \
         integrators against step size are in [report.md](report.md), robots next to MuJoCo in\n[docs/robots.md](../docs/robots.md).\n",
    );
    for chapter in chapters {
        let _ = write!(text, "\n## {}\n\n{}\n\n| motion and law | unit |", chapter.title, chapter.about);
        for column in &chapter.columns {
            let _ = write!(text, " {column} |");
        }
        let _ = write!(text, "\n|---|---|{}", "---|".repeat(chapter.columns.len()));
        for case in &chapter.cases {
            let _ = write!(text, "\n| {} | {} |", case.law, case.unit);
            for error in &case.errors {
                let _ = write!(text, " {} |", figure(*error));
            }
        }
        text.push('\n');
    }
    text.push_str(peers);
    text
}

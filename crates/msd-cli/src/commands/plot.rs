//! `msd plot RECORDING WHAT [BODY]`: a recording as a picture.

use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;
use msd_recording::PlotKind;

use super::replay::open;
use crate::failure::Failure;
use crate::output::print;

/// Plot energies, heights, speeds, contacts or joint forces of a recording as SVG
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  msd plot run.msdr energy --out energy.svg
  msd plot run.msdr height ball --out height.svg
  msd plot run.msdr contacts > contacts.svg")]
pub(crate) struct PlotArgs {
    /// A recording made by `msd run --record`
    recording: PathBuf,
    /// Quantity to plot over time
    #[arg(value_parser = kinds())]
    what: String,
    /// Body; required for height, speed and spin
    body: Option<String>,
    /// File to write; standard output without it
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

fn kinds() -> PossibleValuesParser {
    PlotKind::ALL.map(|(name, _)| name).into()
}

impl PlotArgs {
    pub(crate) fn run(self) -> Result<(), Failure> {
        // The name is among those that clap lets through.
        let kind = PlotKind::ALL.iter().find(|(name, _)| *name == self.what).map(|(_, kind)| *kind);
        let kind = kind.unwrap_or(PlotKind::Energy);
        let recording = open(&self.recording)?;
        let body = match (&self.body, kind.needs_body()) {
            (Some(name), true) => Some(recording.body(name)?),
            (None, true) => {
                let names: Vec<&str> =
                    recording.bodies().iter().take(8).map(|body| body.name.as_str()).collect();
                let problem = format!("a plot of {} needs a body: {}", self.what, names.join(", "));
                return Err(Failure::BadInput(problem));
            }
            (Some(name), false) => {
                let problem = format!("a plot of {} is of the whole world, not of `{name}`", self.what);
                return Err(Failure::BadInput(problem));
            }
            (None, false) => None,
        };
        let svg = recording.plot(kind, body)?;
        match &self.out {
            None => print(&svg),
            Some(path) => std::fs::write(path, svg).map_err(|error| {
                Failure::BadInput(format!("{}: cannot be written: {error}", path.display()))
            }),
        }
    }
}

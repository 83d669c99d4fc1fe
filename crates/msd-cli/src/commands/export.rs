//! `msd export RECORDING --to FORMAT`: a recording for other programs.

use std::fs::File;
use std::io::{BufWriter, ErrorKind, IsTerminal, Write};
use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;
use msd_recording::{ExportFormat, ExportTable, RecordingError};

use super::replay::open;
use crate::failure::Failure;

/// Write a recording as CSV, JSON, MCAP (Foxglove) or Parquet
#[derive(Debug, Args)]
#[command(after_help = "\
CSV and Parquet hold one table: states (one row a frame and body), frames (energies and solver figures), contacts,
joints (forces and torques) or events. JSON and MCAP hold everything. Positions are of the body frame, in m;
orientations are quaternions qw, qx, qy, qz, body to world.

Examples:
  msd export run.msdr --to csv --out states.csv
  msd export run.msdr --to csv --table frames | head
  msd export run.msdr --to mcap --out run.mcap
  msd export run.msdr --to parquet --table contacts --out contacts.parquet")]
pub(crate) struct ExportArgs {
    /// A recording made by `msd run --record`
    recording: PathBuf,
    /// Format
    #[arg(long, value_name = "FORMAT", value_parser = formats())]
    to: String,
    /// Table, for the formats that hold one
    #[arg(long, value_name = "TABLE", value_parser = tables(), default_value = "states")]
    table: String,
    /// File to write; standard output without it
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

fn formats() -> PossibleValuesParser {
    ExportFormat::ALL.map(|(name, _)| name).into()
}

fn tables() -> PossibleValuesParser {
    ExportTable::ALL.map(|(name, _)| name).into()
}

impl ExportArgs {
    pub(crate) fn run(self) -> Result<(), Failure> {
        // Both names are among those that clap lets through.
        let format = ExportFormat::ALL.iter().find(|(name, _)| *name == self.to).map(|(_, format)| *format);
        let table = ExportTable::ALL.iter().find(|(name, _)| *name == self.table).map(|(_, table)| *table);
        let (format, table) = (format.unwrap_or(ExportFormat::Csv), table.unwrap_or_default());
        let recording = open(&self.recording)?;
        let result = match &self.out {
            Some(path) => {
                let file = File::create(path).map_err(|error| {
                    Failure::BadInput(format!("{}: cannot be written: {error}", path.display()))
                })?;
                let mut out = BufWriter::new(file);
                recording
                    .export(format, table, &mut out)
                    .and_then(|()| out.flush().map_err(RecordingError::Output))
            }
            None if !format.is_text() && std::io::stdout().is_terminal() => {
                let problem = format!("{} is not text: name a file with --out", self.to);
                return Err(Failure::BadInput(problem));
            }
            None => {
                let mut out = BufWriter::new(std::io::stdout().lock());
                recording
                    .export(format, table, &mut out)
                    .and_then(|()| out.flush().map_err(RecordingError::Output))
            }
        };
        match result {
            // A reader that closes the pipe early has what it wanted.
            Err(RecordingError::Output(error)) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            other => Ok(other?),
        }
    }
}

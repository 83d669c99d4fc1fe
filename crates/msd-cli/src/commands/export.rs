//! `msd export RECORDING --to FORMAT`: a recording for other programs.

use std::fs::File;
use std::io::{BufWriter, ErrorKind, IsTerminal, Write};
use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;
use msd_recording::{ExportFormat, ExportTable, Recording, RecordingError};
use msd_view::RecordingSource;
use msd_view::html::{self, HtmlOptions};

use super::replay::open;
use crate::failure::Failure;
use crate::output::bytes;

/// The HTML page, in addition to the formats of recordings.
const HTML: &str = "html";

/// Write a recording as one HTML page, a glTF animation, CSV, JSON, MCAP (Foxglove) or Parquet
#[derive(Debug, Args)]
#[command(after_help = "\
CSV and Parquet hold one table: states (one row a frame and body), frames (energies and solver figures), contacts,
joints (forces and torques) or events. JSON and MCAP hold everything. HTML is the viewer with the run in it: one file that
any browser opens from disk, without a network. GLB is glTF with geometry and motion, for Blender and others. Positions are of the body frame, in m;
orientations are quaternions qw, qx, qy, qz, body to world.

Examples:
  msd export run.msdr --to html --out run.html
  msd export run.msdr --to csv --out states.csv
  msd export run.msdr --to csv --table frames | head
  msd export run.msdr --to mcap --out run.mcap
  msd export run.msdr --to glb --out run.glb
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
    /// File to write; standard output without it or with `-`
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
    /// HTML: largest number of frames, spread over the run
    #[arg(long, value_name = "N", default_value_t = 1200, value_parser = clap::value_parser!(u32).range(2..=100_000))]
    max_frames: u32,
    /// HTML: refuse to write a larger file, MB
    #[arg(long, value_name = "MB", default_value_t = 64)]
    max_mb: u64,
    /// HTML: largest position error, m, instead of a ten-thousandth of the smallest body
    #[arg(long, value_name = "M", value_parser = super::run::positive, allow_negative_numbers = true)]
    position_error: Option<f64>,
    /// HTML: leave contacts and the loads of joints out
    #[arg(long)]
    no_contacts: bool,
}

fn formats() -> PossibleValuesParser {
    ExportFormat::ALL.iter().map(|(name, _)| *name).chain([HTML]).collect::<Vec<_>>().into()
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
        let is_text = format.is_text() || self.to == HTML;
        let recording = open(&self.recording)?;
        let mut out: BufWriter<Box<dyn Write>> =
            match self.out.as_ref().filter(|path| path.as_os_str() != "-") {
                Some(path) => {
                    let file = File::create(path).map_err(|error| {
                        Failure::BadInput(format!("{}: cannot be written: {error}", path.display()))
                    })?;
                    BufWriter::new(Box::new(file))
                }
                None if !is_text && std::io::stdout().is_terminal() => {
                    let problem = format!("{} is not text: name a file with --out", self.to);
                    return Err(Failure::BadInput(problem));
                }
                None => BufWriter::new(Box::new(std::io::stdout().lock())),
            };
        if self.to == HTML {
            return self.write_page(recording, &mut out).inspect_err(|_| self.remove_empty());
        }
        let result = recording
            .export(format, table, &mut out)
            .and_then(|()| out.flush().map_err(RecordingError::Output));
        match result {
            // The reader has closed the pipe.
            Err(RecordingError::Output(error)) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            other => Ok(other?),
        }
    }

    /// Removes the empty file of a refused export.
    fn remove_empty(&self) {
        if let Some(path) = &self.out
            && std::fs::metadata(path).is_ok_and(|file| file.len() == 0)
        {
            let _ = std::fs::remove_file(path);
        }
    }

    /// Writes the page, and its size and accuracy to standard error.
    fn write_page(&self, recording: Recording, out: &mut dyn Write) -> Result<(), Failure> {
        let options = HtmlOptions {
            max_frames: self.max_frames,
            max_bytes: self.max_mb.saturating_mul(1_000_000),
            position_error: self.position_error,
            contacts: !self.no_contacts,
        };
        let report = html::write(&RecordingSource::new(recording)?, &options, out)?;
        out.flush().map_err(|error| Failure::Failed(format!("cannot write the page: {error}")))?;
        let per_body = report.run_bytes as f64 / f64::from(report.frames) / report.bodies.max(1) as f64;
        eprintln!(
            "page        {}, of which {} for {} frames of {} bodies ({per_body:.2} bytes a body and frame)\naccuracy    positions to {:.1e} m, angles to {:.1e} rad",
            bytes(report.bytes),
            bytes(report.run_bytes),
            report.frames,
            report.bodies,
            report.position_error,
            report.angle_error
        );
        Ok(())
    }
}

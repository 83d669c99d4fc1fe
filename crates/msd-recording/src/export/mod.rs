//! Recordings for other programs: CSV, JSON, MCAP (Foxglove), Parquet and glTF (animation).
//!
//! Positions are of the body frame and world axes; orientations say their order in their names (`qw, qx, qy, qz`,
//! `quat_wxyz`). Parquet and glTF are written here, byte by byte, from their published specifications; MCAP by the
//! library of its makers.

mod csv;
mod gltf;
mod json;
mod mcap;
mod parquet;
mod tables;

use std::io::Write;

use crate::{Recording, RecordingError};
pub use tables::ExportTable;

/// Export formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportFormat {
    /// A table as text, with a header line.
    Csv,
    /// Everything, as one document.
    Json,
    /// Poses, geometry, energies and contacts over time, for Foxglove.
    Mcap,
    /// A table in columns.
    Parquet,
    /// Geometry and motion as a binary glTF file.
    Glb,
}

impl ExportFormat {
    /// All formats with their names.
    pub const ALL: [(&'static str, Self); 5] = [
        ("csv", Self::Csv),
        ("json", Self::Json),
        ("mcap", Self::Mcap),
        ("parquet", Self::Parquet),
        ("glb", Self::Glb),
    ];

    /// True if it is one table of the recording, false if it is everything.
    #[must_use]
    pub fn is_table(self) -> bool {
        matches!(self, Self::Csv | Self::Parquet)
    }

    /// True if a terminal can show it.
    #[must_use]
    pub fn is_text(self) -> bool {
        matches!(self, Self::Csv | Self::Json)
    }
}

impl Recording {
    /// Writes the recording, or one table of it where the format holds only one.
    ///
    /// # Errors
    /// If the recording is damaged or `out` fails.
    pub fn export(
        &self,
        format: ExportFormat,
        table: ExportTable,
        out: &mut dyn Write,
    ) -> Result<(), RecordingError> {
        match format {
            ExportFormat::Csv => csv::write(self, table, out),
            ExportFormat::Json => json::write(self, out),
            ExportFormat::Mcap => mcap::write(self, out),
            ExportFormat::Parquet => parquet::write(self, table, out),
            ExportFormat::Glb => gltf::write(self, out),
        }
    }
}

//! The MCAP container (mcap.dev/spec): chunks compressed by Zstandard, indexed, with checksums. The bytes depend on the
//! messages alone.

use std::collections::BTreeMap;
use std::io::Write;

use mcap::records::MessageHeader;
use mcap::write::NoSeek;
use mcap::{Compression, McapError, McapResult, WriteOptions, Writer};
use serde_json::Value;

use crate::RecordingError;

/// An MCAP file being written.
pub(super) struct Container<'a> {
    writer: Writer<NoSeek<&'a mut dyn Write>>,
    /// Messages of each channel so far.
    counts: BTreeMap<u16, u32>,
}

impl<'a> Container<'a> {
    pub(super) fn begin(out: &'a mut dyn Write) -> Result<Self, RecordingError> {
        let options = WriteOptions::new()
            .profile("")
            .library(concat!("msd ", env!("CARGO_PKG_VERSION")))
            .compression(Some(Compression::Zstd))
            // A pipe cannot go back; nor would threads help a file that one thread fills.
            .disable_seeking(true)
            .compression_threads(0);
        let writer = options.create(NoSeek::new(out));
        Ok(Self { writer: written(writer)?, counts: BTreeMap::new() })
    }

    /// A topic of JSON messages of one schema.
    pub(super) fn channel(&mut self, topic: &str, name: &str, schema: &str) -> Result<u16, RecordingError> {
        let schema = written(self.writer.add_schema(name, "jsonschema", schema.as_bytes()))?;
        written(self.writer.add_channel(schema, topic, "json", &BTreeMap::new()))
    }

    pub(super) fn message(&mut self, channel: u16, time: u64, message: &Value) -> Result<(), RecordingError> {
        let count = self.counts.entry(channel).or_insert(0);
        let header =
            MessageHeader { channel_id: channel, sequence: *count, log_time: time, publish_time: time };
        *count += 1;
        let data = serde_json::to_vec(message).map_err(|error| RecordingError::Output(error.into()))?;
        written(self.writer.write_to_known_channel(&header, &data))
    }

    pub(super) fn end(mut self) -> Result<(), RecordingError> {
        written(self.writer.finish()).map(|_| ())
    }
}

fn written<T>(result: McapResult<T>) -> Result<T, RecordingError> {
    result.map_err(|error| {
        RecordingError::Output(match error {
            McapError::Io(error) => error,
            other => std::io::Error::other(other),
        })
    })
}

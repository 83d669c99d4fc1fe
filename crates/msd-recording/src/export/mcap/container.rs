//! The MCAP container, after its specification (mcap.dev/spec): chunked, indexed, uncompressed, with checksums.

use std::collections::BTreeMap;
use std::io::Write;

use serde_json::Value;

use crate::RecordingError;

const MAGIC: [u8; 8] = [0x89, b'M', b'C', b'A', b'P', b'0', b'\r', b'\n'];
/// Bytes of messages in a chunk before it is written.
const CHUNK: usize = 1 << 20;

// Opcodes.
const HEADER: u8 = 0x01;
const FOOTER: u8 = 0x02;
const SCHEMA: u8 = 0x03;
const CHANNEL: u8 = 0x04;
const MESSAGE: u8 = 0x05;
const CHUNK_RECORD: u8 = 0x06;
const MESSAGE_INDEX: u8 = 0x07;
const CHUNK_INDEX: u8 = 0x08;
const STATISTICS: u8 = 0x0b;
const DATA_END: u8 = 0x0f;

/// An MCAP file being written.
pub(super) struct Container<'a> {
    out: &'a mut dyn Write,
    written: u64,
    /// Schema and channel records, written again in the summary.
    definitions: Vec<u8>,
    channels: u16,
    chunk: Vec<u8>,
    /// Time and place in the chunk of the messages of each channel.
    index: BTreeMap<u16, Vec<(u64, u64)>>,
    span: Option<(u64, u64)>,
    chunk_indexes: Vec<u8>,
    chunks: u32,
    counts: BTreeMap<u16, u64>,
    whole_span: Option<(u64, u64)>,
}

impl<'a> Container<'a> {
    pub(super) fn begin(out: &'a mut dyn Write) -> Result<Self, RecordingError> {
        let mut file = Self {
            out,
            written: 0,
            definitions: Vec::new(),
            channels: 0,
            chunk: Vec::new(),
            index: BTreeMap::new(),
            span: None,
            chunk_indexes: Vec::new(),
            chunks: 0,
            counts: BTreeMap::new(),
            whole_span: None,
        };
        file.put(&MAGIC)?;
        let mut header = McapRecord::new(HEADER);
        header.text("");
        header.text(concat!("msd ", env!("CARGO_PKG_VERSION")));
        file.put(&header.bytes())?;
        Ok(file)
    }

    /// A topic of JSON messages of one schema.
    pub(super) fn channel(&mut self, topic: &str, name: &str, schema: &str) -> Result<u16, RecordingError> {
        self.channels += 1;
        let id = self.channels;
        let mut record = McapRecord::new(SCHEMA);
        record.u16(id);
        record.text(name);
        record.text("jsonschema");
        record.text(schema);
        let mut definition = record.bytes();
        let mut record = McapRecord::new(CHANNEL);
        record.u16(id);
        record.u16(id);
        record.text(topic);
        record.text("json");
        record.u32(0);
        definition.extend(record.bytes());
        self.put(&definition)?;
        self.definitions.extend(definition);
        Ok(id)
    }

    pub(super) fn message(&mut self, channel: u16, time: u64, message: &Value) -> Result<(), RecordingError> {
        let count = self.counts.entry(channel).or_insert(0);
        let mut record = McapRecord::new(MESSAGE);
        record.u16(channel);
        record.u32(*count as u32);
        record.u64(time);
        record.u64(time);
        serde_json::to_writer(&mut record.content, message)
            .map_err(|error| RecordingError::Output(error.into()))?;
        *count += 1;
        self.index.entry(channel).or_default().push((time, self.chunk.len() as u64));
        self.chunk.extend(record.bytes());
        let widen = |span: Option<(u64, u64)>| match span {
            Some((first, last)) => Some((first.min(time), last.max(time))),
            None => Some((time, time)),
        };
        self.span = widen(self.span);
        self.whole_span = widen(self.whole_span);
        if self.chunk.len() >= CHUNK { self.write_chunk() } else { Ok(()) }
    }

    fn write_chunk(&mut self) -> Result<(), RecordingError> {
        let Some((first, last)) = self.span.take() else { return Ok(()) };
        let records = std::mem::take(&mut self.chunk);
        let start = self.written;
        let mut chunk = McapRecord::new(CHUNK_RECORD);
        chunk.u64(first);
        chunk.u64(last);
        chunk.u64(records.len() as u64);
        chunk.u32(crc32fast::hash(&records));
        chunk.text("");
        chunk.u64(records.len() as u64);
        chunk.content.extend(&records);
        self.put(&chunk.bytes())?;
        let (length, index_start) = (self.written - start, self.written);
        let mut offsets = Vec::new();
        for (channel, messages) in std::mem::take(&mut self.index) {
            offsets.extend(channel.to_le_bytes());
            offsets.extend(self.written.to_le_bytes());
            let mut index = McapRecord::new(MESSAGE_INDEX);
            index.u16(channel);
            index.u32(16 * messages.len() as u32);
            messages.iter().for_each(|(time, offset)| {
                index.u64(*time);
                index.u64(*offset);
            });
            self.put(&index.bytes())?;
        }
        let mut index = McapRecord::new(CHUNK_INDEX);
        index.u64(first);
        index.u64(last);
        index.u64(start);
        index.u64(length);
        index.u32(offsets.len() as u32);
        index.content.extend(offsets);
        index.u64(self.written - index_start);
        index.text("");
        index.u64(records.len() as u64);
        index.u64(records.len() as u64);
        self.chunk_indexes.extend(index.bytes());
        self.chunks += 1;
        Ok(())
    }

    pub(super) fn end(mut self) -> Result<(), RecordingError> {
        self.write_chunk()?;
        let mut data_end = McapRecord::new(DATA_END);
        data_end.u32(0);
        self.put(&data_end.bytes())?;
        let summary_start = self.written;
        let mut summary = std::mem::take(&mut self.definitions);
        summary.extend(std::mem::take(&mut self.chunk_indexes));
        summary.extend(self.statistics());
        // The checksum covers the summary and the footer up to the checksum itself.
        let mut footer = McapRecord::new(FOOTER);
        footer.u64(summary_start);
        footer.u64(0);
        footer.u32(0);
        let mut footer = footer.bytes();
        let mut crc = crc32fast::Hasher::new();
        crc.update(&summary);
        crc.update(&footer[..footer.len() - 4]);
        let at = footer.len() - 4;
        footer[at..].copy_from_slice(&crc.finalize().to_le_bytes());
        self.put(&summary)?;
        self.put(&footer)?;
        self.put(&MAGIC)
    }

    fn statistics(&self) -> Vec<u8> {
        let (first, last) = self.whole_span.unwrap_or((0, 0));
        let mut record = McapRecord::new(STATISTICS);
        record.u64(self.counts.values().sum());
        record.u16(self.channels);
        record.u32(u32::from(self.channels));
        record.u32(0);
        record.u32(0);
        record.u32(self.chunks);
        record.u64(first);
        record.u64(last);
        record.u32(10 * self.counts.len() as u32);
        for (channel, count) in &self.counts {
            record.u16(*channel);
            record.u64(*count);
        }
        record.bytes()
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), RecordingError> {
        self.written += bytes.len() as u64;
        self.out.write_all(bytes).map_err(RecordingError::Output)
    }
}

/// One record: an opcode, the length of its content, its content.
struct McapRecord {
    opcode: u8,
    content: Vec<u8>,
}

impl McapRecord {
    fn new(opcode: u8) -> Self {
        Self { opcode, content: Vec::new() }
    }

    fn u16(&mut self, number: u16) {
        self.content.extend(number.to_le_bytes());
    }

    fn u32(&mut self, number: u32) {
        self.content.extend(number.to_le_bytes());
    }

    fn u64(&mut self, number: u64) {
        self.content.extend(number.to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        self.u32(text.len() as u32);
        self.content.extend(text.as_bytes());
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(9 + self.content.len());
        bytes.push(self.opcode);
        bytes.extend((self.content.len() as u64).to_le_bytes());
        bytes.extend(&self.content);
        bytes
    }
}

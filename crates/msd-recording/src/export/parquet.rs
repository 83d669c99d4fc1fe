//! Parquet: one table in columns, uncompressed, plain encoding, every column required.
//!
//! After the file format of Apache Parquet ("File format", parquet.thrift) and the compact protocol of Apache Thrift.
//! A file is `PAR1`, row groups of column chunks of one data page each, the metadata, its length, `PAR1`.

use std::io::Write;

use super::tables::{Cell, ColumnType, ExportTable};
use crate::{Recording, RecordingError};

const MAGIC: &[u8; 4] = b"PAR1";
/// Rows in one row group.
const GROUP_ROWS: usize = 1 << 16;

// parquet.thrift: Type, Encoding, FieldRepetitionType, ConvertedType.
const INT64: i64 = 2;
const DOUBLE: i64 = 5;
const BYTE_ARRAY: i64 = 6;
const PLAIN: i64 = 0;
const RLE: i64 = 3;
const REQUIRED: i64 = 0;
const UTF8: i64 = 0;

struct ColumnChunk {
    offset: u64,
    size: u64,
}

struct RowGroup {
    rows: usize,
    columns: Vec<ColumnChunk>,
}

pub(super) fn write(
    recording: &Recording,
    table: ExportTable,
    out: &mut dyn Write,
) -> Result<(), RecordingError> {
    let columns = table.columns();
    let mut file = Counted { out, written: 0 };
    file.put(MAGIC)?;
    let mut groups = Vec::new();
    let mut pages: Vec<Vec<u8>> = vec![Vec::new(); columns.len()];
    let mut rows = 0;
    table.for_each_row(recording, &mut |row| {
        for (page, cell) in pages.iter_mut().zip(row) {
            match cell {
                Cell::Integer(number) => page.extend(number.to_le_bytes()),
                Cell::Real(number) => page.extend(number.to_le_bytes()),
                Cell::Text(text) => {
                    page.extend((text.len() as u32).to_le_bytes());
                    page.extend(text.as_bytes());
                }
            }
        }
        rows += 1;
        if rows == GROUP_ROWS {
            groups.push(file.row_group(&mut pages, rows)?);
            rows = 0;
        }
        Ok(())
    })?;
    if rows > 0 {
        groups.push(file.row_group(&mut pages, rows)?);
    }
    let footer = metadata(columns, &groups);
    file.put(&footer)?;
    file.put(&(footer.len() as u32).to_le_bytes())?;
    file.put(MAGIC)
}

/// Knows how far it has written.
struct Counted<'a> {
    out: &'a mut dyn Write,
    written: u64,
}

impl Counted<'_> {
    fn put(&mut self, bytes: &[u8]) -> Result<(), RecordingError> {
        self.written += bytes.len() as u64;
        self.out.write_all(bytes).map_err(RecordingError::Output)
    }

    /// Writes the pages as one row group and empties them.
    fn row_group(&mut self, pages: &mut [Vec<u8>], rows: usize) -> Result<RowGroup, RecordingError> {
        let mut columns = Vec::new();
        for page in pages {
            let offset = self.written;
            let mut header = Thrift::default();
            header.number(1, 0); // DATA_PAGE
            header.number(2, page.len() as i64);
            header.number(3, page.len() as i64);
            header.begin(5);
            header.number(1, rows as i64);
            header.number(2, PLAIN);
            header.number(3, RLE);
            header.number(4, RLE);
            header.end();
            header.end();
            self.put(&header.bytes)?;
            self.put(page)?;
            page.clear();
            columns.push(ColumnChunk { offset, size: self.written - offset });
        }
        Ok(RowGroup { rows, columns })
    }
}

fn physical_type(column: ColumnType) -> i64 {
    match column {
        ColumnType::Integer => INT64,
        ColumnType::Real => DOUBLE,
        ColumnType::Text => BYTE_ARRAY,
    }
}

fn metadata(columns: &[(&str, ColumnType)], groups: &[RowGroup]) -> Vec<u8> {
    let mut meta = Thrift::default();
    meta.number(1, 1);
    meta.list(2, STRUCT, columns.len() + 1);
    meta.open();
    meta.text(4, "recording");
    meta.number(5, columns.len() as i64);
    meta.end();
    for (name, kind) in columns {
        meta.open();
        meta.number(1, physical_type(*kind));
        meta.number(3, REQUIRED);
        meta.text(4, name);
        if *kind == ColumnType::Text {
            meta.number(6, UTF8);
        }
        meta.end();
    }
    meta.long(3, groups.iter().map(|group| group.rows as i64).sum());
    meta.list(4, STRUCT, groups.len());
    for group in groups {
        meta.open();
        meta.list(1, STRUCT, columns.len());
        for ((name, kind), chunk) in columns.iter().zip(&group.columns) {
            meta.open();
            meta.long(2, chunk.offset as i64);
            meta.begin(3);
            meta.number(1, physical_type(*kind));
            meta.list(2, I32, 2);
            meta.zigzag(PLAIN);
            meta.zigzag(RLE);
            meta.list(3, BINARY, 1);
            meta.bare_text(name);
            meta.number(4, 0); // UNCOMPRESSED
            meta.long(5, group.rows as i64);
            meta.long(6, chunk.size as i64);
            meta.long(7, chunk.size as i64);
            meta.long(9, chunk.offset as i64);
            meta.end();
            meta.end();
        }
        meta.long(2, group.columns.iter().map(|chunk| chunk.size as i64).sum());
        meta.long(3, group.rows as i64);
        meta.end();
    }
    meta.text(6, concat!("msd ", env!("CARGO_PKG_VERSION")));
    meta.end();
    meta.bytes
}

const I32: u8 = 5;
const I64: u8 = 6;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

/// The compact protocol: as much of it as Parquet's metadata needs.
#[derive(Default)]
struct Thrift {
    bytes: Vec<u8>,
    /// Last field of the struct being written.
    last: i64,
    /// Last fields of those around it.
    around: Vec<i64>,
}

impl Thrift {
    fn field(&mut self, id: i64, kind: u8) {
        // The difference of neighbouring ids is always below 16 here.
        self.bytes.push(((id - self.last) as u8) << 4 | kind);
        self.last = id;
    }

    fn number(&mut self, id: i64, value: i64) {
        self.field(id, I32);
        self.zigzag(value);
    }

    fn long(&mut self, id: i64, value: i64) {
        self.field(id, I64);
        self.zigzag(value);
    }

    fn text(&mut self, id: i64, text: &str) {
        self.field(id, BINARY);
        self.bare_text(text);
    }

    fn bare_text(&mut self, text: &str) {
        self.varint(text.len() as u64);
        self.bytes.extend(text.as_bytes());
    }

    fn list(&mut self, id: i64, kind: u8, length: usize) {
        self.field(id, LIST);
        if length < 15 {
            self.bytes.push((length as u8) << 4 | kind);
        } else {
            self.bytes.push(0xf0 | kind);
            self.varint(length as u64);
        }
    }

    /// A struct in a field.
    fn begin(&mut self, id: i64) {
        self.field(id, STRUCT);
        self.open();
    }

    /// A struct in a list.
    fn open(&mut self) {
        self.around.push(self.last);
        self.last = 0;
    }

    /// The end of a struct; the outermost one has nothing around it.
    fn end(&mut self) {
        self.bytes.push(0);
        self.last = self.around.pop().unwrap_or(0);
    }

    fn zigzag(&mut self, value: i64) {
        self.varint(((value << 1) ^ (value >> 63)) as u64);
    }

    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }
}

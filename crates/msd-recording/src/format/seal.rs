//! The seal: checksums of the whole file, appended when a recording is finished.
//!
//! The checksums of rows and BLOBs find damage in everything that is read. The seal finds it everywhere else too:
//! SQLite's own structures, bytes that hold nothing, the header. It stands after the last page, where SQLite does not
//! look (the number of pages is in the header of the file):
//!
//! | offset | type     | what                                                 |
//! |-------:|----------|------------------------------------------------------|
//! |      0 | 8 bytes  | magic `MSDSEAL` and 0x1a; zeros while it is written  |
//! |      8 | u32      | format version, 1                                    |
//! |     12 | u32      | bytes in a section, 65536                            |
//! |     16 | u64      | bytes sealed: everything before the seal             |
//! |     24 | u32 each | CRC-32 of each section of the file, in order         |
//! |    end | u32      | CRC-32 of the seal up to here                        |
//!
//! A run that was killed leaves no seal; its rows and BLOBs are still checked one by one.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use crate::RecordingError;

const MAGIC: [u8; 8] = *b"MSDSEAL\x1a";
const VERSION: u32 = 1;
const SECTION: usize = 1 << 16;
const HEADER: usize = 24;

/// The seal of a file, after its own checksum was verified.
#[derive(Clone, Debug)]
pub(crate) struct Seal {
    sections: Vec<u32>,
    sealed: u64,
}

/// Appends the seal to a file of `sealed` bytes.
pub(crate) fn append(path: &Path) -> std::io::Result<()> {
    let mut file = OpenOptions::new().read(true).write(true).open(path)?;
    let sealed = file.metadata()?.len();
    let mut seal = Vec::with_capacity(HEADER + 4 * (sealed as usize / SECTION + 2));
    seal.extend(MAGIC);
    seal.extend(VERSION.to_le_bytes());
    seal.extend((SECTION as u32).to_le_bytes());
    seal.extend(sealed.to_le_bytes());
    for checksum in checksums(&mut file, sealed)? {
        seal.extend(checksum.to_le_bytes());
    }
    let checksum = crc32fast::hash(&seal);
    seal.extend(checksum.to_le_bytes());
    // The magic last: a seal cut short by a kill is then seen as one that is not there.
    file.seek(SeekFrom::Start(sealed))?;
    file.write_all(&[0; MAGIC.len()])?;
    file.write_all(&seal[MAGIC.len()..])?;
    file.sync_data()?;
    file.seek(SeekFrom::Start(sealed))?;
    file.write_all(&MAGIC)?;
    file.sync_data()
}

fn checksums(file: &mut File, sealed: u64) -> std::io::Result<Vec<u32>> {
    let mut section = vec![0; SECTION];
    let mut all = Vec::with_capacity(sealed as usize / SECTION + 1);
    file.seek(SeekFrom::Start(0))?;
    let mut left = sealed;
    while left > 0 {
        let size = left.min(SECTION as u64) as usize;
        file.read_exact(&mut section[..size])?;
        all.push(crc32fast::hash(&section[..size]));
        left -= size as u64;
    }
    Ok(all)
}

/// The seal of a file whose pages end at `pages_end`; `None` if the run did not end or the file was copied by a
/// database tool. Only the seal itself and the first section are checked here.
pub(crate) fn read(path: &Path, pages_end: u64) -> Result<Option<Seal>, RecordingError> {
    let io = |error| RecordingError::io(path, error);
    let damaged = |detail: &str| RecordingError::damaged(path, detail);
    let mut file = File::open(path).map_err(io)?;
    let length = file.metadata().map_err(io)?.len();
    if length <= pages_end {
        return Ok(None);
    }
    // A seal is small: 4 bytes for each 64 KiB; further bytes behind the pages are not read.
    let expected = HEADER as u64 + 4 * pages_end.div_ceil(SECTION as u64) + 4;
    file.seek(SeekFrom::Start(pages_end)).map_err(io)?;
    let mut bytes = Vec::new();
    (&mut file).take(expected + 1).read_to_end(&mut bytes).map_err(io)?;
    if bytes.iter().take(MAGIC.len()).all(|byte| *byte == 0) {
        return Ok(None);
    }
    if bytes.len() as u64 != expected || bytes[..8] != MAGIC {
        return Err(damaged("what stands behind its pages is not its seal"));
    }
    let (body, checksum) = bytes.split_at(bytes.len() - 4);
    if crc32fast::hash(body).to_le_bytes() != *checksum {
        return Err(damaged("its seal does not match its own checksum"));
    }
    let field = |at: usize| u32::from_le_bytes([body[at], body[at + 1], body[at + 2], body[at + 3]]);
    let sealed = u64::from(field(16)) | u64::from(field(20)) << 32;
    if (field(8), field(12)) != (VERSION, SECTION as u32) || sealed != pages_end {
        return Err(damaged("its seal is of another file or version"));
    }
    let sections = body[HEADER..].chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]]));
    let seal = Seal { sections: sections.collect(), sealed };
    let first = seal.sealed.min(SECTION as u64);
    if let Some(problem) = seal.broken_sections(&mut file, first).map_err(io)?.into_iter().next() {
        return Err(RecordingError::damaged(path, problem));
    }
    Ok(Some(seal))
}

impl Seal {
    /// Every section of the file that is not as it was sealed, in words.
    pub(crate) fn problems(&self, path: &Path) -> std::io::Result<Vec<String>> {
        self.broken_sections(&mut File::open(path)?, self.sealed)
    }

    fn broken_sections(&self, file: &mut File, bytes: u64) -> std::io::Result<Vec<String>> {
        let found = checksums(file, bytes)?;
        let broken =
            found.iter().zip(&self.sections).enumerate().filter(|(_, (found, sealed))| found != sealed);
        Ok(broken
            .map(|(section, (found, sealed))| {
                let from = (section * SECTION) as u64;
                let to = (from + SECTION as u64).min(self.sealed);
                format!("bytes {from} to {to} were changed: checksum {found:#010x}, sealed {sealed:#010x}")
            })
            .collect())
    }
}

//! The envelope of every BLOB of a recording: kind, position and checksum.
//!
//! Everything is little-endian. A header of 48 bytes, then the payload, and nothing after:
//!
//! | offset | type    | what                                                                     |
//! |-------:|---------|--------------------------------------------------------------------------|
//! |      0 | 8 bytes | magic `MSDBLOB` and 0x1a                                                 |
//! |      8 | u16     | format version, 1                                                        |
//! |     10 | u8      | kind, see [`Kind`]                                                       |
//! |     11 | u8      | element type: 1 = f64, 2 = fixed records, 3 = bytes                      |
//! |     12 | u32     | size of one element in bytes (8 for f64, 1 for bytes)                    |
//! |     16 | u64     | key: the id of the row it is in, so that a BLOB in the wrong row is seen |
//! |     24 | u64     | first frame it covers (0 if it covers none)                              |
//! |     32 | u32     | frames it covers                                                         |
//! |     36 | u32     | 0                                                                        |
//! |     40 | u32     | elements in the payload                                                  |
//! |     44 | u32     | CRC-32 (IEEE 802.3) of bytes 0..44 and 48..end                           |
//!
//! Decoding compares the element count with the length and the checksum with the bytes before anything is made of
//! them. CRC-32 sees every change of up to 32 neighbouring bits.

use thiserror::Error;

const MAGIC: [u8; 8] = *b"MSDBLOB\x1a";
const VERSION: u16 = 1;
/// Bytes before the payload.
pub(crate) const HEADER: usize = 48;
const CHECKSUM_AT: usize = 44;

/// Kind of a BLOB; the number is in its header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Kind {
    /// Figures of each frame: [`crate::FrameSummary`].
    Frames = 1,
    /// Body states.
    States = 2,
    /// Contacts.
    Contacts = 3,
    /// Joint reactions.
    Reactions = 4,
    /// Events.
    Events = 5,
    /// Commands of agents.
    Commands = 6,
    /// A snapshot of the world.
    Snapshot = 7,
    /// The geometry of a body.
    Geometry = 8,
    /// A file.
    File = 9,
}

impl Kind {
    /// Element type and size.
    fn element(self) -> (u8, u32) {
        match self {
            Self::States | Self::Reactions => (1, 8),
            Self::Frames => (2, super::blocks::FRAME_BYTES as u32),
            Self::Contacts => (2, super::blocks::CONTACT_BYTES as u32),
            Self::Events => (2, super::blocks::EVENT_BYTES as u32),
            Self::Commands | Self::Snapshot | Self::Geometry | Self::File => (3, 1),
        }
    }
}

/// Errors of an envelope.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EnvelopeError {
    /// Shorter than a header.
    #[error("{0} bytes are too few for a header of {HEADER}")]
    NoHeader(usize),
    /// Does not begin as it should.
    #[error("it does not begin with the mark of a recorded BLOB")]
    Magic,
    /// Another version.
    #[error("format version {0}, expected {VERSION}")]
    Version(u16),
    /// Another kind or element type.
    #[error("kind {found:?} where {expected:?} was expected")]
    Kind {
        /// Kind, element type and element size by the header.
        found: (u8, u8, u32),
        /// The expected header.
        expected: (u8, u8, u32),
    },
    /// From another row.
    #[error("it belongs to row {found}, not to row {expected}")]
    Key {
        /// By the header.
        found: u64,
        /// The row it is in.
        expected: u64,
    },
    /// Other frames.
    #[error("it covers {found:?} (first frame, frames), expected {expected:?}")]
    Span {
        /// By the header.
        found: (u64, u32),
        /// By the index.
        expected: (u64, u32),
    },
    /// The count contradicts the length.
    #[error("{count} elements do not fill {bytes} bytes")]
    Length {
        /// Elements by the header.
        count: u32,
        /// Bytes of the payload.
        bytes: usize,
    },
    /// The checksum does not fit the bytes.
    #[error("checksum {found:#010x}, expected {expected:#010x}")]
    Checksum {
        /// In the header.
        found: u32,
        /// Checksum of the bytes.
        expected: u32,
    },
    /// A value that cannot be.
    #[error("{0}")]
    Value(String),
}

/// Where a BLOB belongs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct BlockPosition {
    /// Id of its row.
    pub(crate) key: u64,
    /// First frame it covers, and how many.
    pub(crate) frames: (u64, u32),
}

impl BlockPosition {
    /// A row without frames.
    pub(crate) fn row(key: u64) -> Self {
        Self { key, frames: (0, 0) }
    }
}

/// Makes room in `bytes` for a header, to be filled by [`close`], and for a payload, which is returned and holds
/// whatever was there before: every byte of it is to be written.
pub(crate) fn begin(bytes: &mut Vec<u8>, payload: usize) -> &mut [u8] {
    bytes.resize(HEADER + payload, 0);
    &mut bytes[HEADER..]
}

/// Writes the header of a BLOB begun with [`begin`].
pub(crate) fn close(bytes: &mut [u8], kind: Kind, place: BlockPosition) {
    let (element, size) = kind.element();
    let count = ((bytes.len() - HEADER) / size as usize) as u32;
    bytes[..8].copy_from_slice(&MAGIC);
    bytes[8..10].copy_from_slice(&VERSION.to_le_bytes());
    bytes[10] = kind as u8;
    bytes[11] = element;
    bytes[12..16].copy_from_slice(&size.to_le_bytes());
    bytes[16..24].copy_from_slice(&place.key.to_le_bytes());
    bytes[24..32].copy_from_slice(&place.frames.0.to_le_bytes());
    bytes[32..36].copy_from_slice(&place.frames.1.to_le_bytes());
    bytes[36..40].fill(0);
    bytes[40..44].copy_from_slice(&count.to_le_bytes());
    let checksum = checksum(bytes);
    bytes[CHECKSUM_AT..HEADER].copy_from_slice(&checksum.to_le_bytes());
}

/// A payload in its envelope.
pub(crate) fn wrap(payload: &[u8], kind: Kind, place: BlockPosition) -> Vec<u8> {
    let mut bytes = Vec::new();
    begin(&mut bytes, payload.len()).copy_from_slice(payload);
    close(&mut bytes, kind, place);
    bytes
}

/// The payload of a BLOB of the expected kind, at the expected position.
pub(crate) fn open(bytes: &[u8], kind: Kind, place: BlockPosition) -> Result<&[u8], EnvelopeError> {
    let Some(header) = bytes.first_chunk::<HEADER>() else {
        return Err(EnvelopeError::NoHeader(bytes.len()));
    };
    let u32_at = |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
    let u64_at = |at: usize| u64::from(u32_at(at)) | u64::from(u32_at(at + 4)) << 32;
    if header[..8] != MAGIC {
        return Err(EnvelopeError::Magic);
    }
    let version = u16::from_le_bytes([header[8], header[9]]);
    if version != VERSION {
        return Err(EnvelopeError::Version(version));
    }
    let payload = &bytes[HEADER..];
    let (element, size) = kind.element();
    let (found, expected) = ((header[10], header[11], u32_at(12)), (kind as u8, element, size));
    if found != expected {
        return Err(EnvelopeError::Kind { found, expected });
    }
    let count = u32_at(40);
    if u64::from(count) * u64::from(size) != payload.len() as u64 {
        return Err(EnvelopeError::Length { count, bytes: payload.len() });
    }
    let (found, expected) = (u32_at(CHECKSUM_AT), checksum(bytes));
    if found != expected {
        return Err(EnvelopeError::Checksum { found, expected });
    }
    let (found, expected) = (u64_at(16), place.key);
    if found != expected {
        return Err(EnvelopeError::Key { found, expected });
    }
    let (found, expected) = ((u64_at(24), u32_at(32)), place.frames);
    if found != expected {
        return Err(EnvelopeError::Span { found, expected });
    }
    Ok(payload)
}

fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = crc32fast::Hasher::new();
    crc.update(&bytes[..CHECKSUM_AT]);
    crc.update(&bytes[HEADER..]);
    crc.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_flipped_bit_is_seen() {
        let place = BlockPosition { key: 7, frames: (64, 32) };
        let good = wrap(&[1, 2, 3, 4, 5, 6, 7, 8], Kind::States, place);
        assert_eq!(open(&good, Kind::States, place), Ok(&[1, 2, 3, 4, 5, 6, 7, 8][..]));
        for bit in 0..8 * good.len() {
            let mut bad = good.clone();
            bad[bit / 8] ^= 1 << (bit % 8);
            assert!(open(&bad, Kind::States, place).is_err(), "bit {bit}");
        }
        for length in 0..good.len() {
            assert!(open(&good[..length], Kind::States, place).is_err(), "cut to {length}");
        }
    }

    #[test]
    fn a_blob_in_the_wrong_place_is_refused() {
        let place = BlockPosition { key: 7, frames: (64, 32) };
        let blob = wrap(&[0; 16], Kind::States, place);
        assert_eq!(
            open(&blob, Kind::States, BlockPosition { key: 8, ..place }),
            Err(EnvelopeError::Key { found: 7, expected: 8 })
        );
        assert!(matches!(
            open(&blob, Kind::States, BlockPosition { frames: (96, 32), ..place }),
            Err(EnvelopeError::Span { .. })
        ));
        assert!(matches!(open(&blob, Kind::Reactions, place), Err(EnvelopeError::Kind { .. })));
    }
}

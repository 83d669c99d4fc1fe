//! Sealed bytes: magic (8 bytes), format (u32), length of the payload (u64), payload, SHA-256 of everything before it (32 bytes), all
//! little-endian.
//!
//! The digest is checked before a byte of the payload is parsed, so a flipped bit or a forged length is refused, never read.

use crate::digest::Hasher;

const HEADER: usize = 8 + 4 + 8;
const DIGEST: usize = 32;

/// Reason for which bytes are refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Broken {
    /// Too short or without the magic bytes.
    Magic,
    /// Another format.
    Format(u32),
    /// Another length than the header says.
    Length { expected: u64, found: u64 },
    /// The digest does not match.
    Digest,
}

/// The payload under magic, format and digest.
pub(super) fn seal(magic: [u8; 8], format: u32, payload: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER + payload.len() + DIGEST);
    bytes.extend(magic);
    bytes.extend(format.to_le_bytes());
    bytes.extend((payload.len() as u64).to_le_bytes());
    bytes.extend(payload);
    let digest = Hasher::digest(&bytes);
    bytes.extend(digest.0);
    bytes
}

/// The payload of sealed bytes.
pub(super) fn open(magic: [u8; 8], format: u32, bytes: &[u8]) -> Result<&[u8], Broken> {
    if bytes.len() < HEADER || bytes[..8] != magic {
        return Err(Broken::Magic);
    }
    let found = u32::from_le_bytes([bytes[8], bytes[9], bytes[10], bytes[11]]);
    if found != format {
        return Err(Broken::Format(found));
    }
    let mut length = [0; 8];
    length.copy_from_slice(&bytes[12..HEADER]);
    let expected = u64::from_le_bytes(length).saturating_add((HEADER + DIGEST) as u64);
    if expected != bytes.len() as u64 {
        return Err(Broken::Length { expected, found: bytes.len() as u64 });
    }
    let (contents, digest) = bytes.split_at(bytes.len() - DIGEST);
    if Hasher::digest(contents).0 != *digest {
        return Err(Broken::Digest);
    }
    Ok(&contents[HEADER..])
}

//! How the states of bodies that move are cut into BLOBs, and the pages they lie in.
//!
//! A chunk is up to a few hundred neighbouring frames. Its states are in blocks of a few bodies: one body's history
//! and one frame both read few bytes they do not need. A block of a full chunk fills one page of the database, so that
//! SQLite has one page to look after where it would have sixteen; a recording of a handful of bodies keeps the usual
//! small pages, because each table takes at least one.

use super::blocks::STATE_BYTES;
use super::envelope::HEADER;

/// Most bodies in one block of states.
const MOST_BODIES: usize = 16;
/// Most frames in a chunk.
const MOST_FRAMES: usize = 256;
/// Bodies from which on pages are large.
const SOME_BODIES: usize = 10;
/// Number of bodies from which chunks are short: reading one frame reads all of its chunk.
const MANY_BODIES: usize = 256;
const SMALL_PAGE: usize = 4 << 10;
const BLOCK: usize = 64 << 10;
const SHORT_BLOCK: usize = 32 << 10;
/// Overhead of an SQLite page besides the BLOB of its only row ("Database File Format", section 1.6): the
/// header of the page and of the row.
const PAGE_OVERHEAD: usize = 64;

/// Which states are in which block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// Bodies that move.
    pub(crate) moving: usize,
    /// In every block but the last.
    pub(crate) bodies_per_block: usize,
}

impl Layout {
    /// For a new recording: as few blocks as may be, all of about the same size.
    pub(crate) fn of(moving: usize) -> Self {
        let blocks = moving.div_ceil(MOST_BODIES).max(1);
        Self { moving, bodies_per_block: moving.div_ceil(blocks).max(1) }
    }

    /// Bytes of a full block, with the overhead of SQLite.
    fn block_bytes(self) -> usize {
        if self.moving < MANY_BODIES { BLOCK } else { SHORT_BLOCK }
    }

    /// How many frames a chunk has when it is full.
    pub(crate) fn frames_per_chunk(self) -> usize {
        let room = self.block_bytes() - PAGE_OVERHEAD - HEADER;
        (room / (STATE_BYTES * self.bodies_per_block)).clamp(1, MOST_FRAMES)
    }

    /// Bytes of a page.
    pub(crate) fn page_size(self) -> usize {
        if self.moving < SOME_BODIES { SMALL_PAGE } else { self.block_bytes() }
    }

    /// Blocks of the states of a chunk.
    pub(crate) fn blocks(self) -> usize {
        self.moving.div_ceil(self.bodies_per_block)
    }

    /// The bodies in a block, by their index among the moving ones.
    pub(crate) fn bodies(self, block: usize) -> std::ops::Range<usize> {
        let first = block * self.bodies_per_block;
        first.min(self.moving)..(first + self.bodies_per_block).min(self.moving)
    }

    /// The block that a body is in, and its place there.
    pub(crate) fn place(self, body: usize) -> (usize, usize) {
        (body / self.bodies_per_block, body % self.bodies_per_block)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_blocks_fill_a_page_and_every_body_is_in_one() {
        for moving in 1..2000 {
            let layout = Layout::of(moving);
            let frames = layout.frames_per_chunk();
            let bytes = |block| HEADER + layout.bodies(block).len() * frames * STATE_BYTES;
            assert!((0..layout.blocks()).all(|block| bytes(block) + PAGE_OVERHEAD <= layout.block_bytes()));
            let bodies: Vec<usize> = (0..layout.blocks()).flat_map(|block| layout.bodies(block)).collect();
            assert!(bodies.into_iter().eq(0..moving));
            for body in 0..moving {
                let (block, place) = layout.place(body);
                assert_eq!(layout.bodies(block).start + place, body);
            }
            if moving >= SOME_BODIES {
                // At most 130 bytes a body and frame, its share of the frame's figures and of the rows included.
                let stored = layout.blocks() * layout.page_size();
                let each = stored as f64 / (moving * frames) as f64 + 160.0 / moving as f64;
                assert!(each < 130.0, "{moving} bodies: {each} bytes");
            }
        }
    }
}

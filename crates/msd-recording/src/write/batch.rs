//! Frames on their way to the file.
//!
//! The simulation fills a batch, the thread that writes gathers batches in a chunk and hands their memory back. A batch is
//! small, so that the few that go round stay in the cache of the core that steps: there, 100 states are copied in 0.2 µs,
//! to memory that has left the caches in 1.2 µs.

use msd::environment::World;
use msd::math::Vec3;
use msd::physics::rigid_body::InertialState;

use crate::format::blocks::ContactEntry;
use crate::format::commands::CommandEntry;
use crate::frame::{Event, FrameSummary};

/// Bytes from which on a batch is full.
pub(super) const BATCH_BYTES: usize = 64 << 10;
/// Most contacts in a chunk, 16 MiB; more end it before it has all its frames.
const CONTACT_LIMIT: usize = (16 << 20) / size_of::<ContactEntry>();

/// Size of a full chunk: frames, and states and reaction numbers in each of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChunkSize {
    pub(super) frames: usize,
    pub(super) states: usize,
    pub(super) reactions: usize,
}

impl ChunkSize {
    pub(super) fn is_full(self, frames: usize, contacts: usize) -> bool {
        frames >= self.frames || contacts >= CONTACT_LIMIT
    }

    /// Bytes of a frame without contacts.
    fn frame(self) -> usize {
        size_of::<FrameSummary>()
            + self.states * size_of::<InertialState>()
            + self.reactions * size_of::<f64>()
    }

    /// Frames without contacts that fill a batch.
    fn frames_of_batch(self) -> usize {
        BATCH_BYTES.div_ceil(self.frame()).min(self.frames)
    }

    /// Most bytes of a batch that has so many contacts.
    pub(super) fn batch(self, contacts: usize) -> usize {
        self.frames_of_batch() * self.frame() + contacts * size_of::<ContactEntry>()
    }
}

/// Neighbouring frames, in the order they were observed.
#[derive(Debug, Default)]
pub(super) struct Batch {
    /// Number of the first frame.
    pub(super) first: u64,
    pub(super) frames: Vec<FrameSummary>,
    /// States of the bodies that move, frame by frame.
    pub(super) states: Vec<InertialState>,
    /// Joint reactions, frame by frame.
    pub(super) reactions: Vec<f64>,
    /// Contacts with the number of their frame here.
    pub(super) contacts: Vec<ContactEntry>,
    pub(super) events: Vec<Event>,
    pub(super) commands: Vec<CommandEntry>,
    /// Copies of the world at some frames, from which the thread that writes makes snapshots.
    pub(super) keyframes: Vec<(u64, Box<World>)>,
    /// True if the next batch begins a chunk.
    pub(super) ends_chunk: bool,
}

impl Batch {
    /// True without data to write. Events and commands wait for the next frame.
    pub(super) fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// Bytes of the batch without events, commands and keyframes, which are few.
    pub(super) fn bytes(&self) -> usize {
        self.frames.len() * size_of::<FrameSummary>()
            + self.states.len() * size_of::<InertialState>()
            + self.reactions.len() * size_of::<f64>()
            + self.contacts.len() * size_of::<ContactEntry>()
    }

    /// Allocates the memory of a full batch, and empties it. The memory is written once, since the system
    /// maps a page on first touch, which would otherwise be in the middle of a step.
    pub(super) fn make_room(&mut self, size: ChunkSize, contacts: usize) {
        let frames = size.frames_of_batch();
        self.clear(0);
        self.frames.resize(frames, FrameSummary { dt: 1.0, ..FrameSummary::default() });
        self.states.resize(frames * size.states, InertialState::AT_REST);
        self.reactions.resize(frames * size.reactions, 1.0);
        let vector = Vec3::ONE;
        let filler = ContactEntry {
            frame: 1,
            a: 0,
            b: 0,
            position: vector,
            normal: vector,
            gap: 1.0,
            normal_force: 1.0,
            friction_force: vector,
        };
        self.contacts.resize(contacts, filler);
        self.clear(0);
    }

    /// Appends the frames of a later batch.
    pub(super) fn append(&mut self, next: &mut Self) {
        if self.is_empty() {
            self.first = next.first;
        }
        let before = self.frames.len() as u32;
        let shifted = |entry: ContactEntry| ContactEntry { frame: entry.frame + before, ..entry };
        self.contacts.extend(next.contacts.drain(..).map(shifted));
        self.frames.append(&mut next.frames);
        self.states.append(&mut next.states);
        self.reactions.append(&mut next.reactions);
        self.events.append(&mut next.events);
        self.commands.append(&mut next.commands);
        self.keyframes.append(&mut next.keyframes);
    }

    /// Empty again, with its memory; the next frame is number `first`.
    pub(super) fn clear(&mut self, first: u64) {
        self.first = first;
        self.frames.clear();
        self.states.clear();
        self.reactions.clear();
        self.contacts.clear();
        self.events.clear();
        self.commands.clear();
        self.keyframes.clear();
        self.ends_chunk = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A batch of `count` frames of two bodies with one contact each.
    fn frames(first: u64, count: u64) -> Batch {
        let mut batch = Batch { first, ..Batch::default() };
        for frame in 0..count {
            batch.frames.push(FrameSummary { step: first + frame, ..FrameSummary::default() });
            batch.states.extend([InertialState::AT_REST; 2]);
            let (vector, frame) = (Vec3::ONE, frame as u32);
            let (gap, normal_force) = (0.0, 1.0);
            let (position, normal, friction_force) = (vector, vector, vector);
            batch.contacts.push(ContactEntry {
                frame,
                a: 0,
                b: 1,
                position,
                normal,
                gap,
                normal_force,
                friction_force,
            });
        }
        batch
    }

    #[test]
    fn gathered_frames_follow_each_other_and_keep_their_contacts() {
        let mut chunk = frames(7, 3);
        let mut next = frames(10, 2);
        let room = next.states.capacity();
        chunk.append(&mut next);
        assert_eq!(chunk.first, 7);
        assert!(chunk.frames.iter().map(|frame| frame.step).eq(7..12));
        assert!(chunk.contacts.iter().map(|contact| contact.frame).eq(0..5));
        assert_eq!(chunk.states.len(), 10);
        assert_eq!((next.bytes(), next.states.capacity()), (0, room), "emptied, with its memory");
    }

    #[test]
    fn a_batch_is_a_fraction_of_a_cache() {
        for (states, reactions) in [(1, 0), (100, 0), (100, 600), (10_000, 0)] {
            let size = ChunkSize { frames: 256, states, reactions };
            assert!(size.batch(0) < BATCH_BYTES + size.frame());
            assert!(size.batch(0) >= BATCH_BYTES.min(size.frames * size.frame()));
        }
    }
}

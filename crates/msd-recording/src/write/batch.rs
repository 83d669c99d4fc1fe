//! Frames on their way to the file.

use msd::environment::World;

use crate::format::commands::CommandEntry;
use crate::frame::{Contact, Event, FrameSummary};

/// Most bytes of contacts in a batch; more make a batch full before it has all its frames.
const CONTACT_LIMIT: usize = (16 << 20) / size_of::<(u32, Contact)>();

/// Neighbouring frames, in the order they were observed.
#[derive(Debug, Default)]
pub(super) struct Batch {
    /// Number of the first frame.
    pub(super) first: u64,
    pub(super) frames: Vec<FrameSummary>,
    /// States of the bodies that move, frame by frame.
    pub(super) states: Vec<f64>,
    /// Joint reactions, frame by frame.
    pub(super) reactions: Vec<f64>,
    /// Contacts with the number of their frame in the batch.
    pub(super) contacts: Vec<(u32, Contact)>,
    pub(super) events: Vec<Event>,
    pub(super) commands: Vec<CommandEntry>,
    /// Copies of the world at some frames, from which the thread that writes makes snapshots.
    pub(super) keyframes: Vec<(u64, Box<World>)>,
}

impl Batch {
    pub(super) fn is_full(&self, frames: usize) -> bool {
        self.frames.len() >= frames || self.contacts.len() >= CONTACT_LIMIT
    }

    /// True if there is nothing to write. Events and commands wait for the next frame.
    pub(super) fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// Takes the memory that another batch needed, at once instead of bit by bit.
    pub(super) fn make_room_like(&mut self, other: &Self) {
        self.frames.reserve(other.frames.len());
        self.states.reserve(other.states.len());
        self.reactions.reserve(other.reactions.len());
        self.contacts.reserve(other.contacts.len());
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
    }
}

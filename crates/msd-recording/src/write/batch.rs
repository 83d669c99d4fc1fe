//! Frames on their way to the file.

use msd::environment::World;
use msd::math::Vec3;

use crate::format::commands::CommandEntry;
use crate::frame::{Contact, Event, FrameSummary};

/// Most bytes of contacts in a batch; more make a batch full before it has all its frames.
const CONTACT_LIMIT: usize = (16 << 20) / size_of::<(u32, Contact)>();

/// What a full batch holds: frames, and numbers in each of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct BatchSize {
    pub(super) frames: usize,
    pub(super) states: usize,
    pub(super) reactions: usize,
}

impl BatchSize {
    /// Bytes of a full batch with so many contacts.
    pub(super) fn bytes(self, contacts: usize) -> usize {
        let frame = size_of::<FrameSummary>() + size_of::<f64>() * (self.states + self.reactions);
        self.frames * frame + contacts * size_of::<(u32, Contact)>()
    }
}

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

    /// Bytes of what it holds, but for events, commands and keyframes, which are few.
    pub(super) fn bytes(&self) -> usize {
        self.frames.len() * size_of::<FrameSummary>()
            + (self.states.len() + self.reactions.len()) * size_of::<f64>()
            + self.contacts.len() * size_of::<(u32, Contact)>()
    }

    /// Takes the memory of a full batch, and empties it. The memory is written to, so that it is there: the system
    /// hands out a page when it is first touched, which would be in the middle of a step.
    pub(super) fn make_room(&mut self, size: BatchSize, contacts: usize) {
        self.clear(0);
        self.frames.resize(size.frames, FrameSummary { dt: 1.0, ..FrameSummary::default() });
        self.states.resize(size.frames * size.states, 1.0);
        self.reactions.resize(size.frames * size.reactions, 1.0);
        let vector = Vec3::ONE;
        let filler = Contact {
            a: 0,
            b: 0,
            position: vector,
            normal: vector,
            gap: 1.0,
            normal_force: 1.0,
            friction_force: vector,
        };
        self.contacts.resize(contacts, (1, filler));
        self.clear(0);
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

//! A chunk of frames as it was read, each BLOB checked.

use msd::physics::rigid_body::InertialState;

use super::recording::Recording;
use crate::RecordingError;
use crate::format::blocks;
use crate::format::envelope::{BlockPosition, EnvelopeError, HEADER};
use crate::format::layout::Layout;
use crate::frame::{Contact, Frame, FrameSummary, JointReaction, state_from_numbers};
use crate::model::Model;

/// A row of the index of frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ChunkRow {
    pub(super) first: u64,
    pub(super) frames: u32,
    pub(super) first_time: f64,
    pub(super) last_time: f64,
    pub(super) contacts: u64,
    pub(super) events: u64,
    pub(super) commands: u64,
}

impl ChunkRow {
    pub(super) fn place(&self, key: u64) -> BlockPosition {
        BlockPosition { key, frames: (self.first, self.frames) }
    }
}

/// Everything of some neighbouring frames.
#[derive(Clone, Debug)]
pub(crate) struct Chunk {
    first: u64,
    layout: Layout,
    pub(crate) summaries: Vec<FrameSummary>,
    /// Blocks of states, headers included.
    states: Vec<Vec<u8>>,
    contacts: Vec<(u32, Contact)>,
    reactions: Vec<Vec<JointReaction>>,
}

impl Recording {
    /// One chunk, whole.
    pub(crate) fn chunk(&self, number: usize) -> Result<Chunk, RecordingError> {
        let row = self.chunks[number];
        let key = number as u64;
        let place = row.place(key);
        let bad = |what: &str, error: &EnvelopeError| {
            let last = row.first + u64::from(row.frames) - 1;
            let what = format!("{what} of frames {} to {last}", row.first);
            RecordingError::envelope(self.path(), &what, error)
        };
        let summaries = self.summaries_of(number)?;
        let parts = self.layout.blocks();
        let mut states = Vec::with_capacity(parts);
        for part in 0..parts {
            let key = key * parts as u64 + part as u64;
            let blob = self.blob("state_block", key)?;
            blocks::open_states(&blob, self.layout, part, row.place(key))
                .map_err(|error| bad(&format!("states (block {part})"), &error))?;
            states.push(blob);
        }
        let contacts = self.contacts_of(number)?;
        let joints = self.joints().len();
        let reactions = if joints > 0 {
            blocks::decode_reactions(&self.blob("reaction_block", key)?, joints, place)
                .map_err(|error| bad("joint reactions", &error))?
        } else {
            Vec::new()
        };
        Ok(Chunk { first: row.first, layout: self.layout, summaries, states, contacts, reactions })
    }

    pub(super) fn summaries_of(&self, number: usize) -> Result<Vec<FrameSummary>, RecordingError> {
        let row = self.chunks[number];
        let blob = self.blob("frame_block", number as u64)?;
        blocks::decode_frames(&blob, row.place(number as u64)).map_err(|error| {
            RecordingError::envelope(
                self.path(),
                &format!("figures of the frames from {}", row.first),
                &error,
            )
        })
    }

    pub(super) fn contacts_of(&self, number: usize) -> Result<Vec<(u32, Contact)>, RecordingError> {
        let row = self.chunks[number];
        if row.contacts == 0 {
            return Ok(Vec::new());
        }
        let what = || format!("contacts of the frames from {}", row.first);
        let blob = self.blob("contact_block", number as u64)?;
        let contacts = blocks::decode_contacts(&blob, self.bodies().len(), row.place(number as u64))
            .map_err(|error| RecordingError::envelope(self.path(), &what(), &error))?;
        if contacts.len() as u64 != row.contacts {
            return Err(RecordingError::damaged(self.path(), format!("{}: some are missing", what())));
        }
        Ok(contacts)
    }

    /// States of one body in one chunk.
    pub(super) fn body_states_of(
        &self,
        number: usize,
        position: usize,
    ) -> Result<Vec<InertialState>, RecordingError> {
        let row = self.chunks[number];
        let (part, within) = self.layout.place(position);
        let key = number as u64 * self.layout.blocks() as u64 + part as u64;
        let blob = self.blob("state_block", key)?;
        let payload = blocks::open_states(&blob, self.layout, part, row.place(key)).map_err(|error| {
            let what = format!("states (block {part}) of the frames from {}", row.first);
            RecordingError::envelope(self.path(), &what, &error)
        })?;
        let frames = row.frames as usize;
        let state = |frame| blocks::state_at(payload, within, frame, frames);
        Ok((0..frames).map(|frame| state_from_numbers(&state(frame))).collect())
    }
}

impl Chunk {
    /// Frames it has.
    pub(crate) fn len(&self) -> usize {
        self.summaries.len()
    }

    /// Its `at`-th frame; `None` if the states do not fit the frame's checksum.
    pub(crate) fn frame(&self, at: usize, model: &Model) -> Option<Frame> {
        let mut moving = Vec::new();
        let mut states = Vec::with_capacity(model.bodies.len());
        let mut position = 0;
        for body in &model.bodies {
            if !body.moves() {
                states.push(body.initial);
                continue;
            }
            let (block, within) = self.layout.place(position);
            let numbers = blocks::state_at(&self.states[block][HEADER..], within, at, self.len());
            moving.push(state_from_numbers(&numbers));
            states.extend(moving.last());
            position += 1;
        }
        let summary = self.summaries[at];
        if position > 0 && blocks::frame_checksum(&moving) != summary.checksum {
            return None;
        }
        let contacts = self.contacts.iter().filter(|(frame, _)| *frame as usize == at);
        Some(Frame {
            index: self.first + at as u64,
            summary,
            states,
            contacts: contacts.map(|(_, contact)| *contact).collect(),
            reactions: self.reactions.iter().map(|joint| joint[at]).collect(),
        })
    }
}

//! Queries on a recording.

use msd::physics::rigid_body::InertialState;

use super::recording::Recording;
use crate::RecordingError;
use crate::format::commands::{self, CommandEntry, Numbering};
use crate::format::envelope::{self, Kind};
use crate::format::{EnvelopeError, blocks};
use crate::frame::{Contact, Event, Frame, FrameSummary, JointReaction};

impl Recording {
    /// Figures of every frame: energies, contacts, solver.
    ///
    /// # Errors
    /// If one is damaged.
    pub fn summaries(&self) -> Result<Vec<FrameSummary>, RecordingError> {
        let mut all = Vec::with_capacity(self.frames() as usize);
        for number in 0..self.chunks.len() {
            all.extend(self.summaries_of(number)?);
        }
        Ok(all)
    }

    /// The last frame at or before a time; frame 0 if there is none.
    ///
    /// # Errors
    /// If the figures of its chunk are damaged.
    pub fn frame_at(&self, time: f64) -> Result<u64, RecordingError> {
        let number = self.chunks.partition_point(|chunk| chunk.first_time <= time).saturating_sub(1);
        let Some(chunk) = self.chunks.get(number) else { return Ok(0) };
        let before = self.summaries_of(number)?.partition_point(|frame| frame.time <= time);
        Ok(chunk.first + (before as u64).saturating_sub(1))
    }

    /// Every frame in order; `visit` returns false to stop.
    ///
    /// # Errors
    /// If one is damaged.
    pub fn for_each_frame(
        &self,
        mut visit: impl FnMut(&Frame) -> Result<bool, RecordingError>,
    ) -> Result<(), RecordingError> {
        for index in 0..self.frames() {
            if !visit(&self.frame(index)?)? {
                break;
            }
        }
        Ok(())
    }

    /// Time and state of one body in every frame.
    ///
    /// # Errors
    /// If there is no such body, or its states are damaged.
    pub fn history(&self, body: usize) -> Result<Vec<(f64, InertialState)>, RecordingError> {
        let Some(recorded) = self.bodies().get(body) else {
            let known = format!("the recording has {} bodies", self.bodies().len());
            return Err(RecordingError::UnknownBody { name: format!("number {body}"), known });
        };
        let mut history = Vec::with_capacity(self.frames() as usize);
        let position = self.moving.binary_search(&body);
        for number in 0..self.chunks.len() {
            let times = self.summaries_of(number)?;
            match position {
                Ok(position) => {
                    let states = self.body_states_of(number, position)?;
                    history.extend(times.iter().map(|frame| frame.time).zip(states));
                }
                Err(_) => history.extend(times.iter().map(|frame| (frame.time, recorded.initial))),
            }
        }
        Ok(history)
    }

    /// All contacts between two bodies, in either order, with the number of their frame.
    ///
    /// # Errors
    /// If contacts are damaged.
    pub fn contacts_between(&self, a: usize, b: usize) -> Result<Vec<(u64, Contact)>, RecordingError> {
        self.contacts_where(|contact| [(a, b), (b, a)].contains(&(contact.a, contact.b)))
    }

    /// All contacts that fit, with the number of their frame.
    ///
    /// # Errors
    /// If contacts are damaged.
    pub fn contacts_where(
        &self,
        mut fits: impl FnMut(&Contact) -> bool,
    ) -> Result<Vec<(u64, Contact)>, RecordingError> {
        let mut found = Vec::new();
        for (number, row) in self.chunks.iter().enumerate() {
            let contacts = self.contacts_of(number)?.into_iter().filter(|(_, contact)| fits(contact));
            found.extend(contacts.map(|(frame, contact)| (row.first + u64::from(frame), contact)));
        }
        Ok(found)
    }

    /// Time and reaction of one joint in every frame.
    ///
    /// # Errors
    /// If there is no such joint, or its reactions are damaged.
    pub fn reactions(&self, joint: usize) -> Result<Vec<(f64, JointReaction)>, RecordingError> {
        let joints = self.joints().len();
        if joint >= joints {
            return Err(RecordingError::Invalid(format!(
                "there is no joint {joint}: the recording has {joints}"
            )));
        }
        let mut all = Vec::with_capacity(self.frames() as usize);
        for (number, row) in self.chunks.iter().enumerate() {
            let blob = self.blob("reaction_block", number as u64)?;
            let mut reactions = blocks::decode_reactions(&blob, joints, row.place(number as u64))
                .map_err(|error| self.bad_block("joint reactions", row.first, &error))?;
            let times = self.summaries_of(number)?;
            all.extend(times.iter().map(|frame| frame.time).zip(reactions.swap_remove(joint)));
        }
        Ok(all)
    }

    /// Everything that happened, in order.
    ///
    /// # Errors
    /// If events are damaged.
    pub fn events(&self) -> Result<Vec<Event>, RecordingError> {
        let mut all = Vec::new();
        for (number, row) in self.chunks.iter().enumerate().filter(|(_, row)| row.events > 0) {
            let blob = self.blob("event_block", number as u64)?;
            let events = blocks::decode_events(&blob, self.bodies().len(), row.place(number as u64))
                .map_err(|error| self.bad_block("events", row.first, &error))?;
            if events.len() as u64 != row.events {
                let missing = EnvelopeError::Value("some are missing".to_owned());
                return Err(self.bad_block("events", row.first, &missing));
            }
            all.extend(events);
        }
        Ok(all)
    }

    /// Commands of agents, with the handles of a world that `numbering` describes.
    pub(crate) fn commands(&self, numbering: &Numbering) -> Result<Vec<CommandEntry>, RecordingError> {
        let mut all = Vec::new();
        for (number, row) in self.chunks.iter().enumerate().filter(|(_, row)| row.commands > 0) {
            let blob = self.blob("command_block", number as u64)?;
            let entries = envelope::open(&blob, Kind::Commands, row.place(number as u64))
                .and_then(|payload| commands::decode(payload, numbering))
                .map_err(|error| self.bad_block("commands", row.first, &error))?;
            if entries.len() as u64 != row.commands {
                let missing = EnvelopeError::Value("some are missing".to_owned());
                return Err(self.bad_block("commands", row.first, &missing));
            }
            all.extend(entries);
        }
        Ok(all)
    }

    fn bad_block(&self, what: &str, first: u64, error: &EnvelopeError) -> RecordingError {
        RecordingError::envelope(self.path(), &format!("{what} of the frames from {first}"), error)
    }
}

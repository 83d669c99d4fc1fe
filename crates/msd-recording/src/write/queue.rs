//! Between the simulation and the thread that writes: a bounded queue of batches.
//!
//! The simulation appends to the current batch; a full one moves to the queue. The writer takes full batches as they
//! come, and the current one, however short, when it has waited long enough: a step that takes a minute does not keep
//! the frame before it from the file. When the queue is full the simulation waits: nothing is dropped, and memory
//! stays bounded.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::batch::Batch;
use super::recorder::Ending;
use crate::RecordingError;

/// Bytes of full batches that may wait: enough for a disk to take its time over a commit.
const QUEUE_BYTES: usize = 64 << 20;

#[derive(Debug)]
struct State {
    current: Batch,
    full: VecDeque<Batch>,
    spare: Vec<Batch>,
    closing: Option<Option<Ending>>,
    failure: Option<RecordingError>,
    writer_gone: bool,
}

#[derive(Debug)]
pub(super) struct Queue {
    state: Mutex<State>,
    /// To the writer: there is something to do.
    work: Condvar,
    /// To the simulation: there is room.
    room: Condvar,
    frames_per_batch: usize,
    /// Full batches that may wait.
    limit: usize,
}

/// What the writer is given.
#[derive(Debug)]
pub(super) struct Work {
    pub(super) batches: Vec<Batch>,
    /// Set with the last batches: how the run ended, if it did.
    pub(super) closing: Option<Option<Ending>>,
}

impl Queue {
    /// For batches of so many frames of so many bytes.
    pub(super) fn new(frames_per_batch: usize, frame_bytes: usize) -> Self {
        let state = State {
            current: Batch::default(),
            full: VecDeque::new(),
            spare: Vec::new(),
            closing: None,
            failure: None,
            writer_gone: false,
        };
        let limit = (QUEUE_BYTES / (frames_per_batch * frame_bytes).max(1)).clamp(4, 4096);
        let (state, work, room) = (Mutex::new(state), Condvar::new(), Condvar::new());
        Self { state, work, room, frames_per_batch, limit }
    }

    /// No change of the state can be left half done by a panic: each is one move.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds to the current batch, and waits for room if that fills it and the queue is full.
    pub(super) fn push(&self, add: impl FnOnce(&mut Batch)) -> Result<(), RecordingError> {
        let mut state = self.lock();
        state.check()?;
        add(&mut state.current);
        if !state.current.is_full(self.frames_per_batch) {
            return Ok(());
        }
        while state.full.len() >= self.limit && !state.writer_gone {
            state = self.room.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.check()?;
        // While this thread waited, the writer may have taken the current batch itself.
        if state.current.is_full(self.frames_per_batch) {
            let batch = state.take_current();
            state.full.push_back(batch);
            self.work.notify_one();
        }
        Ok(())
    }

    /// Waits for full batches until `deadline`, then takes the current one too. An idle queue is waited on for ever.
    pub(super) fn take(&self, deadline: Instant) -> Work {
        let mut state = self.lock();
        while state.full.is_empty() && state.closing.is_none() {
            let now = Instant::now();
            if now >= deadline && !state.current.is_empty() {
                break;
            }
            let wait = deadline.saturating_duration_since(now).max(std::time::Duration::from_millis(50));
            state = self.work.wait_timeout(state, wait).unwrap_or_else(PoisonError::into_inner).0;
        }
        let mut batches: Vec<Batch> = state.full.drain(..).collect();
        if (state.closing.is_some() || Instant::now() >= deadline) && !state.current.is_empty() {
            batches.push(state.take_current());
        }
        self.room.notify_one();
        Work { batches, closing: state.closing.take() }
    }

    /// Gives the memory of a written batch back.
    pub(super) fn recycle(&self, batch: Batch) {
        let mut state = self.lock();
        if state.spare.len() < self.limit {
            state.spare.push(batch);
        }
    }

    /// Nothing more will come.
    pub(super) fn close(&self, ending: Option<Ending>) {
        self.lock().closing = Some(ending);
        self.work.notify_one();
    }

    /// The writer ends, with an error if it failed.
    pub(super) fn writer_ends(&self, failure: Option<RecordingError>) {
        let mut state = self.lock();
        state.failure = failure;
        state.writer_gone = true;
        self.room.notify_all();
    }

    pub(super) fn failure(&self) -> Option<RecordingError> {
        self.lock().failure.take()
    }
}

impl State {
    fn check(&mut self) -> Result<(), RecordingError> {
        match self.failure.take() {
            Some(failure) => Err(failure),
            None if self.writer_gone => Err(RecordingError::WriterLost),
            None => Ok(()),
        }
    }

    fn take_current(&mut self) -> Batch {
        let mut next = self.spare.pop().unwrap_or_default();
        next.clear(self.current.first + self.current.frames.len() as u64);
        next.make_room_like(&self.current);
        std::mem::replace(&mut self.current, next)
    }
}

//! Between the simulation and the thread that writes: a bounded queue of batches.
//!
//! The simulation appends to the current batch; a full one moves to the queue. The writer takes full batches as they
//! come, and the current one, however short, when it has waited long enough: a step that takes a minute does not keep
//! the frame before it from the file. When the queue is full the simulation waits: nothing is dropped, and memory
//! stays bounded.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::batch::{Batch, BatchSize};
use super::recorder::Ending;
use crate::RecordingError;

/// Bytes of full batches that may wait, contacts included: enough for a disk to take its time over a commit.
const QUEUE_BYTES: usize = 64 << 20;
/// Bytes of batches made before they are needed.
const STOCK_BYTES: usize = 16 << 20;
/// Full batches that the writer is woken for; fewer wait for more, or for the deadline.
const WAKE: usize = 4;

#[derive(Debug)]
struct State {
    current: Batch,
    full: VecDeque<Batch>,
    /// Bytes of the full batches.
    waiting: usize,
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
    size: BatchSize,
}

/// What the writer is given.
#[derive(Debug)]
pub(super) struct Work {
    pub(super) batches: Vec<Batch>,
    /// Set with the last batches: how the run ended, if it did.
    pub(super) closing: Option<Option<Ending>>,
}

impl Queue {
    /// For batches of that size.
    pub(super) fn new(size: BatchSize) -> Self {
        let state = State {
            current: Batch::default(),
            full: VecDeque::new(),
            waiting: 0,
            spare: Vec::new(),
            closing: None,
            failure: None,
            writer_gone: false,
        };
        let (state, work, room) = (Mutex::new(state), Condvar::new(), Condvar::new());
        Self { state, work, room, size }
    }

    /// Makes spare batches with room for so many contacts, so that the simulation finds memory ready for its frames.
    pub(super) fn stock(&self, contacts: usize) {
        let wanted = (STOCK_BYTES / self.size.bytes(contacts)).clamp(2, 256);
        let mut old = std::mem::take(&mut self.lock().spare);
        for _ in 0..wanted {
            let mut batch = old.pop().unwrap_or_default();
            batch.make_room(self.size, contacts);
            self.lock().spare.push(batch);
        }
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
        if !state.current.is_full(self.size.frames) {
            return Ok(());
        }
        while state.waiting >= QUEUE_BYTES && !state.writer_gone {
            state = self.room.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.check()?;
        // While this thread waited, the writer may have taken the current batch itself.
        if state.current.is_full(self.size.frames) {
            let batch = state.take_current();
            state.waiting += batch.bytes();
            state.full.push_back(batch);
            if state.full.len() >= WAKE {
                self.work.notify_one();
            }
        }
        Ok(())
    }

    /// Waits for full batches until `deadline`, then takes the current one too. An idle queue is waited on for ever.
    pub(super) fn take(&self, deadline: Instant) -> Work {
        let mut state = self.lock();
        while state.full.len() < WAKE && state.closing.is_none() {
            let now = Instant::now();
            if now >= deadline && !(state.current.is_empty() && state.full.is_empty()) {
                break;
            }
            let wait = deadline.saturating_duration_since(now).max(std::time::Duration::from_millis(50));
            state = self.work.wait_timeout(state, wait).unwrap_or_else(PoisonError::into_inner).0;
        }
        let mut batches: Vec<Batch> = state.full.drain(..).collect();
        state.waiting = 0;
        if (state.closing.is_some() || Instant::now() >= deadline) && !state.current.is_empty() {
            batches.push(state.take_current());
        }
        self.room.notify_one();
        Work { batches, closing: state.closing.take() }
    }

    /// Gives the memory of a written batch back, unless there is plenty.
    pub(super) fn recycle(&self, batch: Batch) {
        let mut state = self.lock();
        if state.spare.len() * batch.bytes() < QUEUE_BYTES {
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
        std::mem::replace(&mut self.current, next)
    }
}

//! Between the simulation and the thread that gathers: a bounded queue of batches.
//!
//! The simulation appends to the current batch; a full one moves to the queue. The gatherer takes full batches as they
//! come, and the current one, however short, when it has waited long enough: a step that takes a minute does not keep
//! the frame before it from the file. When the queue is full the simulation waits: nothing is dropped, and memory
//! stays bounded.
//!
//! To wake a thread costs the one that wakes it some 5 µs, a fifth of a step of 100 free bodies. The gatherer therefore looks
//! for batches by itself, often while they come fast; it is woken only if many have come since it looked.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::batch::{BATCH_BYTES, Batch, ChunkSize};
use super::recorder::Ending;
use crate::RecordingError;

/// Bytes of full batches that may wait, contacts included.
const QUEUE_BYTES: usize = 32 << 20;
/// Bytes of batches made before they are needed.
const STOCK_BYTES: usize = 4 << 20;
/// How long the gatherer sleeps between two looks for batches while they come fast, and after how many in vain it sleeps longer.
const LOOK: Duration = Duration::from_micros(100);
const LOOKS: u32 = 10;
const LONG_LOOK: Duration = Duration::from_millis(5);
/// Bytes of full batches that wake it: fewer than are in stock.
const WAKE_BYTES: usize = STOCK_BYTES / 4;

#[derive(Debug)]
struct State {
    current: Batch,
    full: VecDeque<Batch>,
    /// Bytes of the full batches.
    waiting: usize,
    /// Frames and contacts of the current chunk that are not in the current batch.
    chunk: (usize, usize),
    /// Empty ones; the last was used last and is most likely in cache.
    spare: Vec<Batch>,
    /// True while the gatherer sleeps until it is woken or its time is over.
    sleeps_long: bool,
    closing: Option<Option<Ending>>,
    failure: Option<RecordingError>,
    writer_gone: bool,
}

#[derive(Debug)]
pub(super) struct Queue {
    state: Mutex<State>,
    /// To the gatherer: there is something to do.
    work: Condvar,
    /// To the simulation: there is room.
    room: Condvar,
    size: ChunkSize,
}

/// Work for the gatherer.
#[derive(Debug)]
pub(super) struct Work {
    pub(super) batches: VecDeque<Batch>,
    /// True if these are all frames there are, and they have waited long enough: the chunk ends with them.
    pub(super) all: bool,
    /// Set with the last batches: how the run ended, if it did.
    pub(super) closing: Option<Option<Ending>>,
}

impl Queue {
    /// For chunks of that size.
    pub(super) fn new(size: ChunkSize) -> Self {
        let mut current = Batch::default();
        current.make_room(size, 0);
        let state = State {
            current,
            full: VecDeque::new(),
            waiting: 0,
            chunk: (0, 0),
            spare: Vec::new(),
            sleeps_long: false,
            closing: None,
            failure: None,
            writer_gone: false,
        };
        let (state, work, room) = (Mutex::new(state), Condvar::new(), Condvar::new());
        Self { state, work, room, size }
    }

    /// Makes spare batches with room for so many contacts, so that the simulation finds memory ready for its frames.
    pub(super) fn stock(&self, contacts: usize) {
        let wanted = (STOCK_BYTES / self.size.batch(contacts)).clamp(2, 256);
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
        if !state.is_full(self.size) {
            return Ok(());
        }
        while state.waiting >= QUEUE_BYTES && !state.writer_gone {
            state = self.room.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.check()?;
        // While this thread waited, the gatherer may have removed the current batch itself.
        if state.is_full(self.size) {
            let batch = state.take_current(self.size);
            state.waiting += batch.bytes();
            state.full.push_back(batch);
            if state.sleeps_long && state.waiting >= WAKE_BYTES {
                self.work.notify_one();
            }
        }
        Ok(())
    }

    /// Waits for full batches until `deadline`, then takes the current one too. An idle queue is waited on for ever.
    pub(super) fn take(&self, deadline: Instant) -> Work {
        let mut state = self.lock();
        let mut looks = 0;
        while state.full.is_empty() && state.closing.is_none() {
            let now = Instant::now();
            if now >= deadline && state.has_frames() {
                break;
            }
            if looks < LOOKS {
                drop(state);
                std::thread::sleep(LOOK);
                state = self.lock();
                looks += 1;
                continue;
            }
            state.sleeps_long = true;
            state = self.work.wait_timeout(state, LONG_LOOK).unwrap_or_else(PoisonError::into_inner).0;
            state.sleeps_long = false;
        }
        let mut batches = std::mem::take(&mut state.full);
        state.waiting = 0;
        let all = state.closing.is_some() || Instant::now() >= deadline;
        if all {
            if !state.current.is_empty() {
                batches.push_back(state.take_current(self.size));
            }
            state.chunk = (0, 0);
        }
        self.room.notify_one();
        Work { batches, all, closing: state.closing.take() }
    }

    /// Gives the memory of a batch back, unless there is plenty.
    pub(super) fn recycle(&self, batch: Batch) {
        let mut state = self.lock();
        if state.spare.len() * BATCH_BYTES < QUEUE_BYTES {
            state.spare.push(batch);
        }
    }

    /// The end of the data.
    pub(super) fn close(&self, ending: Option<Ending>) {
        self.lock().closing = Some(ending);
        self.work.notify_one();
    }

    /// The threads behind end, with an error if one failed.
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

    /// True if some frames are not yet in a finished chunk.
    fn has_frames(&self) -> bool {
        !self.current.is_empty() || self.chunk.0 > 0
    }

    /// Frames and contacts of the current chunk.
    fn gathered(&self) -> (usize, usize) {
        (self.chunk.0 + self.current.frames.len(), self.chunk.1 + self.current.contacts.len())
    }

    fn is_full(&self, size: ChunkSize) -> bool {
        let (frames, contacts) = self.gathered();
        self.current.bytes() >= BATCH_BYTES || size.is_full(frames, contacts)
    }

    fn take_current(&mut self, size: ChunkSize) -> Batch {
        let (frames, contacts) = self.gathered();
        self.current.ends_chunk = size.is_full(frames, contacts);
        self.chunk = if self.current.ends_chunk { (0, 0) } else { (frames, contacts) };
        let mut next = self.spare.pop().unwrap_or_default();
        next.clear(self.current.first + self.current.frames.len() as u64);
        std::mem::replace(&mut self.current, next)
    }
}

//! The gathering thread: collects batches into chunks for the writer thread.
//!
//! It does little and never waits for the disk, so that batches come back to the simulation at once, while
//! they are still in the cache of its core. Data that waits for a commit waits here, in memory that the
//! simulation never touches.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};
use std::time::{Duration, Instant};

use super::batch::Batch;
use super::queue::Queue;
use super::recorder::Ending;

/// Longest time a frame waits for its chunk to end. A run that is killed loses no more than this and a commit.
const FLUSH: Duration = Duration::from_millis(400);

/// Bytes of chunks that may wait for the disk, contacts included: enough for it to take its time over a commit.
const CHUNKS_BYTES: usize = 32 << 20;

/// Work for the writer thread.
#[derive(Debug)]
pub(super) struct Delivery {
    pub(super) chunk: Batch,
    /// To be committed now.
    pub(super) flush: bool,
    /// Set with the last: how the run ended, if it did.
    pub(super) closing: Option<Option<Ending>>,
}

/// Everything the thread owns.
pub(super) struct Gatherer {
    pub(super) queue: Arc<Queue>,
    pub(super) chunks: Sender<Delivery>,
    /// Chunks come back when they were written.
    pub(super) written: Receiver<Batch>,
    /// Bytes of chunks that were not.
    pub(super) waiting: usize,
    /// Written chunks, for their memory.
    pub(super) spare: Vec<Batch>,
}

impl Gatherer {
    /// Runs until the queue is closed or the writer has ended.
    pub(super) fn run(mut self) {
        let mut chunk = Batch::default();
        let mut most_contacts = 0;
        self.queue.stock(most_contacts);
        let mut deadline = Instant::now() + FLUSH;
        loop {
            let work = self.queue.take(deadline);
            for mut batch in work.batches {
                let ends_chunk = batch.ends_chunk;
                if batch.contacts.len() > most_contacts {
                    most_contacts = batch.contacts.len() + batch.contacts.len() / 4;
                    self.queue.stock(most_contacts);
                }
                chunk.append(&mut batch);
                self.queue.recycle(batch);
                if ends_chunk && !self.deliver(&mut chunk, false, None) {
                    return;
                }
            }
            let closing = work.closing.is_some();
            if work.all {
                if !self.deliver(&mut chunk, true, work.closing) {
                    return;
                }
                deadline = Instant::now() + FLUSH;
            }
            if closing {
                return;
            }
        }
    }

    /// Sends the chunk to the writer and replaces it by an empty one. If the disk is slow it blocks: then
    /// batches wait in the queue, and at last the simulation waits. False if the writer has ended.
    fn deliver(&mut self, chunk: &mut Batch, flush: bool, closing: Option<Option<Ending>>) -> bool {
        while self.waiting >= CHUNKS_BYTES {
            let Ok(written) = self.written.recv() else { return false };
            self.reuse(written);
        }
        while let Ok(written) = self.written.try_recv() {
            self.reuse(written);
        }
        let chunk = std::mem::replace(chunk, self.spare.pop().unwrap_or_default());
        self.waiting += chunk.bytes();
        self.chunks.send(Delivery { chunk, flush, closing }).is_ok()
    }

    fn reuse(&mut self, mut written: Batch) {
        self.waiting -= written.bytes();
        written.clear(0);
        self.spare.push(written);
    }
}

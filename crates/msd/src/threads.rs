//! Threads: how much of a step is done at once.
//!
//! The number of threads never reaches a result. Work is cut into parts that share nothing; each part is computed by the
//! same code in the same order as on one thread, leaves its results in places of its own, and sums are taken over these
//! places in a fixed order afterwards. How work is cut depends on its amount alone, and what is too small is not cut.

use std::fmt;
use std::sync::Arc;

use rayon::prelude::*;
use thiserror::Error;

/// Bodies that are moved by one task at least.
pub(crate) const BODIES_A_TASK: usize = 256;
/// Pairs of bodies whose contacts are found by one task at least.
pub(crate) const PAIRS_A_TASK: usize = 128;
/// Manifolds of soft contact that are solved by one task at least.
pub(crate) const MANIFOLDS_A_TASK: usize = 64;
/// Contact points that are solved by one task at least.
pub(crate) const CONTACTS_A_TASK: usize = 64;

/// The threads a world may use. Copies share them.
#[derive(Clone, Default)]
pub struct Threads {
    /// None: the thread that calls, and no other.
    pool: Option<Arc<rayon::ThreadPool>>,
}

/// The system gave no threads.
#[derive(Debug, Error)]
#[error("{count} threads could not be started: {source}")]
pub struct ThreadsError {
    count: usize,
    source: rayon::ThreadPoolBuildError,
}

impl Threads {
    /// The thread that calls, and no other: the default.
    #[must_use]
    pub const fn one() -> Self {
        Self { pool: None }
    }

    /// So many threads, started now; one is [`Threads::one`], none stands for as many as there are cores.
    ///
    /// # Errors
    /// If the system does not give them.
    pub fn new(count: usize) -> Result<Self, ThreadsError> {
        if count == 1 {
            return Ok(Self::one());
        }
        let builder = rayon::ThreadPoolBuilder::new().num_threads(count);
        let pool = builder
            .thread_name(|index| format!("msd {index}"))
            .build()
            .map_err(|source| ThreadsError { count, source })?;
        Ok(Self::of(Arc::new(pool)))
    }

    /// The threads of a pool that is there already.
    #[must_use]
    pub fn of(pool: Arc<rayon::ThreadPool>) -> Self {
        Self { pool: Some(pool).filter(|pool| pool.current_num_threads() > 1) }
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.pool.as_ref().map_or(1, |pool| pool.current_num_threads())
    }

    /// Calls `work` with chunks of `items` and where each begins.
    pub(crate) fn for_each_chunk<T: Send>(
        &self,
        items: &mut [T],
        chunk: usize,
        work: impl Fn(usize, &mut [T]) + Sync,
    ) {
        self.for_each_part(Chunk { first: 0, items }, chunk, |part| work(part.first, part.items));
    }

    /// Calls `each` with parts of `work`; parts no larger than twice `least` are not cut.
    pub(crate) fn for_each_part<W: Divisible>(&self, work: W, least: usize, each: impl Fn(W) + Sync) {
        match &self.pool {
            Some(pool) if work.amount() > 2 * least => pool.install(|| divide(work, least, &each)),
            _ => each(work),
        }
    }

    /// Does both, at once if there are threads.
    pub(crate) fn join(&self, one: impl FnOnce() + Send, other: impl FnOnce() + Send) {
        match &self.pool {
            Some(pool) => pool.install(|| rayon::join(one, other)),
            None => (one(), other()),
        };
    }

    /// What `work` gives for every item and its index, in order; each item is one task.
    pub(crate) fn map<T: Send, R: Send>(
        &self,
        items: &mut [T],
        work: impl Fn(usize, &mut T) -> R + Sync + Send,
    ) -> Vec<R> {
        match &self.pool {
            Some(pool) => pool.install(|| {
                items.par_iter_mut().enumerate().map(|(index, item)| work(index, item)).collect()
            }),
            None => items.iter_mut().enumerate().map(|(index, item)| work(index, item)).collect(),
        }
    }

    /// Calls `work` on one of the threads, so that it need not hand over each of its parts; on the calling thread if it is
    /// one of them, or there is but one.
    pub(crate) fn enter<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.pool {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }
}

impl fmt::Debug for Threads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Threads").field("count", &self.count()).finish()
    }
}

/// The guide to threads, whose code is compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/threads.md")]
struct GuideToThreads;

/// Work that can be cut in two that share nothing.
pub(crate) trait Divisible: Send + Sized {
    /// How much it is.
    fn amount(&self) -> usize;

    /// The two parts; the second is `None` if it cannot be cut.
    fn divide(self) -> (Self, Option<Self>);
}

fn divide<W: Divisible>(work: W, least: usize, each: &(impl Fn(W) + Sync)) {
    if work.amount() <= 2 * least {
        return each(work);
    }
    match work.divide() {
        (one, Some(other)) => {
            rayon::join(|| divide(one, least, each), || divide(other, least, each));
        }
        (one, None) => each(one),
    }
}

/// A part of a slice and where it begins.
struct Chunk<'a, T> {
    first: usize,
    items: &'a mut [T],
}

impl<T: Send> Divisible for Chunk<'_, T> {
    fn amount(&self) -> usize {
        self.items.len()
    }

    fn divide(self) -> (Self, Option<Self>) {
        let middle = self.items.len() / 2;
        let (low, high) = self.items.split_at_mut(middle);
        (Self { first: self.first, items: low }, Some(Self { first: self.first + middle, items: high }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_visited_once_whatever_the_number_of_threads() {
        for count in [1, 2, 4] {
            let threads = Threads::new(count).unwrap();
            assert_eq!(threads.count(), count);
            for len in [0, 1, 7, 8, 1000] {
                let mut items = vec![0; len];
                threads.for_each_chunk(&mut items, 3, |first, part| {
                    for (index, item) in part.iter_mut().enumerate() {
                        *item += first + index + 1;
                    }
                });
                assert!(items.iter().enumerate().all(|(index, item)| *item == index + 1));
            }
        }
    }
}

//! Threads: parallel execution of steps.
//!
//! The number of threads never reaches a result. Work is cut into parts that share nothing; each part is
//! computed by the same code in the same order as on one thread and writes to its own storage, and sums over
//! the parts are computed in a fixed order afterwards. The division depends on the amount of work alone, and
//! small work is not divided.

use std::fmt;
use std::sync::Arc;

use rayon::prelude::*;
use thiserror::Error;

/// Smallest number of bodies in a task. tuned.
pub(crate) const BODIES_A_TASK: usize = 256;
/// Smallest number of pairs in a narrow-phase task. tuned.
pub(crate) const PAIRS_A_TASK: usize = 128;
/// Smallest number of manifolds in a soft-contact task. tuned.
pub(crate) const MANIFOLDS_A_TASK: usize = 64;
/// Smallest number of contact points in an exact-solver task. tuned.
pub(crate) const CONTACTS_A_TASK: usize = 64;

/// The threads a world may use. Copies share them.
#[derive(Clone, Default)]
pub struct Threads {
    /// `None`: the calling thread only.
    pool: Option<Arc<rayon::ThreadPool>>,
}

/// The threads could not be started.
#[derive(Debug, Error)]
#[error("{count} threads could not be started: {source}")]
pub struct ThreadsError {
    count: usize,
    source: rayon::ThreadPoolBuildError,
}

impl Threads {
    /// The calling thread only: the default.
    #[must_use]
    pub const fn one() -> Self {
        Self { pool: None }
    }

    /// Starts `count` threads; one is [`Threads::one`], zero means one a core.
    ///
    /// # Errors
    /// If they cannot be started.
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

    /// The threads of an existing pool.
    #[must_use]
    pub fn of(pool: Arc<rayon::ThreadPool>) -> Self {
        Self { pool: Some(pool).filter(|pool| pool.current_num_threads() > 1) }
    }

    /// Number of threads.
    #[must_use]
    pub fn count(&self) -> usize {
        self.pool.as_ref().map_or(1, |pool| pool.current_num_threads())
    }

    /// Calls `work` with chunks of `items` and the start index of each.
    pub(crate) fn for_each_chunk<T: Send>(
        &self,
        items: &mut [T],
        chunk: usize,
        work: impl Fn(usize, &mut [T]) + Sync,
    ) {
        self.for_each_part(Chunk { first: 0, items }, chunk, |part| work(part.first, part.items));
    }

    /// Calls `each` with parts of `work`; parts up to twice `least` are not divided.
    pub(crate) fn for_each_part<W: Divisible>(&self, work: W, least: usize, each: impl Fn(W) + Sync) {
        match &self.pool {
            Some(pool) if work.amount() > 2 * least => pool.install(|| divide(work, least, &each)),
            _ => each(work),
        }
    }

    /// Runs both, in parallel if there are threads.
    pub(crate) fn join(&self, one: impl FnOnce() + Send, other: impl FnOnce() + Send) {
        match &self.pool {
            Some(pool) => pool.install(|| rayon::join(one, other)),
            None => (one(), other()),
        };
    }

    /// Results of `work` for every item and its index, in order; each item is one task.
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

    /// Runs `work` on one of the pool's threads, which avoids crossing into the pool for each part; on the
    /// calling thread if it belongs to the pool or is the only one.
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

/// Work that can be divided into two independent parts.
pub(crate) trait Divisible: Send + Sized {
    /// Amount of work.
    fn amount(&self) -> usize;

    /// The two parts; the second is `None` if it cannot be divided.
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

/// A part of a slice and its start index.
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

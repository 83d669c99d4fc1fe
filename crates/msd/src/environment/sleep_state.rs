//! Sleep thresholds and the sleep state of a world.

use serde::{Deserialize, Serialize};

use super::contact::ContactTier;
use super::union_find::UnionFind;
use crate::digest::{Fingerprint, parameters};
use crate::math::Vec3;
use crate::physics::collision::ContactPair;

/// Sleep thresholds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SleepSettings {
    /// A body is still while none of its points is faster, m/s.
    pub speed: f64,
    /// Time for which all bodies of an island must have been still, s.
    pub time: f64,
}

impl Fingerprint for SleepSettings {
    parameters!("sleep": speed, time);
}

impl SleepSettings {
    /// Thresholds for a tier: the defaults, but 2 cm/s where contact is soft, since bodies under load creep
    /// there.
    #[must_use]
    pub fn for_tier(tier: ContactTier) -> Self {
        match tier {
            ContactTier::Fast => Self { speed: 0.02, ..Self::default() },
            ContactTier::Exact | ContactTier::Auto => Self::default(),
        }
    }
}

impl Default for SleepSettings {
    /// Still below 0.1 mm/s, for half a second.
    fn default() -> Self {
        Self { speed: 1e-4, time: 0.5 }
    }
}

/// Sleep state by slot; empty while sleeping is off.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Sleep {
    /// Time for which the body has been still, s.
    pub(super) still: Vec<f64>,
    pub(super) asleep: Vec<bool>,
    /// Smallest slot of its island when it fell asleep.
    pub(super) group: Vec<u32>,
    /// Wrench of the watched fields at falling asleep.
    pub(super) held: Vec<[Vec3; 2]>,
    /// True if all are known to be awake and still for no time, so that waking them is nothing to do: bodies and joints are added in constant
    /// time.
    #[serde(skip)]
    pub(super) woken: bool,
}

/// Workspace for the islands of awake bodies.
#[derive(Clone, Debug, Default)]
pub(super) struct SleepIslands {
    pub(super) union_find: UnionFind,
    pub(super) island_state: Vec<IslandState>,
}

/// State of an island.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct IslandState {
    /// It is supported by something that does not move.
    pub(super) held: bool,
    /// It must stay awake.
    pub(super) must_stay_awake: bool,
}

impl Sleep {
    /// True by slot for sleeping bodies; empty while sleeping is off.
    pub(super) fn asleep(&self) -> &[bool] {
        &self.asleep
    }

    pub(super) fn is_asleep(&self, slot: usize) -> bool {
        self.asleep.get(slot).copied().unwrap_or(false)
    }

    /// True while sleeping is on.
    pub(super) fn is_on(&self) -> bool {
        !self.asleep.is_empty()
    }

    pub(super) fn any_asleep(&self) -> bool {
        self.asleep.contains(&true)
    }

    pub(super) fn fit(&mut self, slots: usize) {
        self.still.resize(slots, 0.0);
        self.asleep.resize(slots, false);
        self.group.resize(slots, 0);
        self.held.resize(slots, [Vec3::ZERO; 2]);
    }

    /// While sleeping is on, a new slot gets an entry immediately: a snapshot may be made before the next
    /// step.
    pub(super) fn make_room(&mut self, slots: usize) {
        if self.is_on() {
            self.fit(slots);
        }
    }

    /// True if it has the lengths of a world with this number of slots.
    pub(super) fn fits(&self, slots: usize) -> bool {
        let lengths = [self.still.len(), self.asleep.len(), self.group.len(), self.held.len()];
        lengths == [0; 4] || lengths == [slots; 4]
    }

    /// Wakes a body and the rest of its island.
    pub(super) fn wake(&mut self, slot: usize) {
        if let Some(still) = self.still.get_mut(slot) {
            *still = 0.0;
        }
        if self.is_asleep(slot) {
            let group = self.group[slot];
            for other in (0..self.asleep.len()).filter(|other| self.group[*other] == group) {
                if std::mem::take(&mut self.asleep[other]) {
                    self.still[other] = 0.0;
                }
            }
        }
    }

    /// Wakes all bodies.
    pub(super) fn wake_all(&mut self) {
        if !self.woken {
            self.asleep.fill(false);
            self.still.fill(0.0);
            self.woken = true;
        }
    }

    /// Wakes bodies that an awake or driven body may touch; true if there were any.
    pub(super) fn wake_touched<'a>(&mut self, pairs: impl Iterator<Item = ContactPair<'a>>) -> bool {
        let mut woken = false;
        for pair in pairs {
            if self.is_asleep(pair.a) || self.is_asleep(pair.b) {
                self.wake(pair.a);
                self.wake(pair.b);
                woken = true;
            }
        }
        woken
    }
}

impl SleepIslands {
    pub(super) fn reset(&mut self, slots: usize) {
        self.union_find.reset(slots);
        self.island_state.clear();
        self.island_state.resize(slots, IslandState::default());
    }

    /// Merges the state of every body into the root of its island.
    pub(super) fn merge_into_roots(&mut self) {
        for slot in 0..self.island_state.len() {
            let (root, island_state) = (self.union_find.root(slot), self.island_state[slot]);
            self.island_state[root].held |= island_state.held;
            self.island_state[root].must_stay_awake |= island_state.must_stay_awake;
        }
    }
}

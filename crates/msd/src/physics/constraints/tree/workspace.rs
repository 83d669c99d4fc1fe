//! What a set keeps of its trees, and how their drifts end.

use super::elimination::Elimination;
use super::links::Rider;
use crate::physics::constraints::solver::Twist;

/// The trees of a set, and the workspace of steps along them.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct TreeStep {
    pub(in super::super) elimination: Elimination,
    /// Springs, actuators and rotors.
    pub(in super::super) riders: Vec<Rider>,
    /// Whether the step at hand goes along them.
    pub(in super::super) active: bool,
    /// Whether joints were closed where the elimination was last factorised.
    pub(in super::super) closed: bool,
    /// Change of velocity by the impulses of the drift.
    pub(in super::super) change: Vec<Twist>,
    pub(in super::super) best: Vec<Twist>,
    /// The correction before the one at hand, and their difference.
    pub(in super::super) last: Vec<Twist>,
    pub(in super::super) turn: Vec<Twist>,
}

/// How a drift along trees ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum TreeDrift {
    /// With the joints closed.
    Closed,
    /// Nowhere: states are those of its start, and the step may be divided.
    Open,
    /// Nowhere: rows are ready for it.
    ByRows,
}

impl TreeStep {
    /// Adds the correction found to the change of velocity; `accelerated`, without the part that the iteration reduces slowest.
    pub(in super::super) fn correct(&mut self, accelerated: bool) {
        let Self { elimination, change, best, last, turn, .. } = self;
        let now = &elimination.twists;
        let beyond = if accelerated {
            turn.clear();
            turn.extend(now.iter().zip(last.iter()).map(|(now, last)| now.minus(last)));
            let square = elimination.product(turn, turn);
            if square > 0.0 { elimination.product(now, turn) / square } else { 0.0 }
        } else {
            0.0
        };
        for (k, now) in now.iter().enumerate() {
            let mut next = change[k].plus(now, 1.0);
            if beyond != 0.0 {
                // The change and its correction since the iteration before, both along the slowest part.
                let back = change[k].minus(&best[k]).plus(&turn[k], 1.0);
                next = next.plus(&back, -beyond);
            }
            (best[k], change[k]) = (change[k], next);
        }
        last.clone_from(now);
    }
}

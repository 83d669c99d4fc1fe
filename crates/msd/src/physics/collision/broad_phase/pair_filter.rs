//! Collision filtering.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// Groups a shape belongs to and groups it collides with, as bit masks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Filter {
    /// Groups it belongs to.
    pub groups: u32,
    /// Groups it collides with. A pair collides only if each is in a group of the other's mask.
    pub mask: u32,
    /// False for shapes that never move of themselves: two of them never collide.
    pub moves: bool,
}

impl Default for Filter {
    /// In every group, colliding with every group, moving.
    fn default() -> Self {
        Self { groups: u32::MAX, mask: u32::MAX, moves: true }
    }
}

impl Filter {
    /// As the default, for a shape that never moves.
    #[must_use]
    pub fn fixed() -> Self {
        Self { moves: false, ..Self::default() }
    }

    /// Collides with nothing.
    #[must_use]
    pub fn nothing() -> Self {
        Self { groups: 0, mask: 0, moves: true }
    }
}

/// Pair filter: groups and masks, and a list of pairs that never collide (jointed bodies).
#[derive(Clone, Debug, Default)]
pub struct PairFilter {
    excluded: BTreeSet<(u32, u32)>,
}

impl PairFilter {
    /// This pair never collides.
    pub fn exclude(&mut self, a: u32, b: u32) {
        self.excluded.insert((a.min(b), a.max(b)));
    }

    /// This pair collides again if its groups say so.
    pub fn include(&mut self, a: u32, b: u32) {
        self.excluded.remove(&(a.min(b), a.max(b)));
    }

    /// True if the pair never collides.
    #[must_use]
    pub fn is_excluded(&self, a: u32, b: u32) -> bool {
        !self.excluded.is_empty() && self.excluded.contains(&(a.min(b), a.max(b)))
    }

    /// True if the pair may collide.
    #[must_use]
    pub fn collides(&self, a: u32, filter_a: &Filter, b: u32, filter_b: &Filter) -> bool {
        (filter_a.moves || filter_b.moves)
            && filter_a.groups & filter_b.mask != 0
            && filter_b.groups & filter_a.mask != 0
            && !self.is_excluded(a, b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_masks_must_agree() {
        let filter = PairFilter::default();
        let wheel = Filter { groups: 0b01, mask: 0b10, moves: true };
        let ground = Filter { groups: 0b10, mask: 0b11, moves: false };
        let deaf = Filter { groups: 0b10, mask: 0b10, moves: false };
        assert!(filter.collides(0, &wheel, 1, &ground));
        assert!(!filter.collides(0, &wheel, 1, &deaf));
        assert!(!filter.collides(0, &wheel, 1, &wheel));
        assert!(!filter.collides(0, &Filter::nothing(), 1, &Filter::default()));
    }

    #[test]
    fn excluded_pairs_never_collide_until_included_again() {
        let mut filter = PairFilter::default();
        let all = Filter::default();
        filter.exclude(7, 3);
        assert!(!filter.collides(3, &all, 7, &all) && !filter.collides(7, &all, 3, &all));
        filter.include(3, 7);
        assert!(filter.collides(3, &all, 7, &all));
    }
}

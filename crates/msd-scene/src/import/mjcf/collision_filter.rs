//! `contype` and `conaffinity` as groups and masks of a scene.
//!
//! Two geoms can touch if a bit of one's type is in the other's affinity, in either direction. Scenes require
//! both directions. Each pair of numbers that a model uses becomes a group, and its mask is written out: the
//! groups it can touch by that rule. A model in which all can touch all needs no groups.

use crate::import::mechanism::Link;

/// MuJoCo's default.
const DEFAULT: [u32; 2] = [1, 1];

fn touch(a: [u32; 2], b: [u32; 2]) -> bool {
    a[0] & b[1] != 0 || b[0] & a[1] != 0
}

fn name([contype, conaffinity]: [u32; 2]) -> String {
    format!("contype {contype} conaffinity {conaffinity}")
}

/// Gives each link its group and mask; `filters` has the numbers of each, if it touches anything.
pub(super) fn apply(links: &mut [Link], filters: &[Option<[u32; 2]>]) {
    let mut used: Vec<[u32; 2]> = filters.iter().flatten().copied().collect();
    used.sort_unstable();
    used.dedup();
    if used.iter().all(|a| used.iter().all(|b| touch(*a, *b))) {
        return;
    }
    for (link, filter) in links.iter_mut().zip(filters) {
        let Some(filter) = *filter else { continue };
        let mut mask: Vec<String> =
            used.iter().filter(|other| touch(filter, **other)).map(|other| name(*other)).collect();
        // Other bodies of the scene count as geoms that say nothing.
        if touch(filter, DEFAULT) {
            mask.push("default".to_owned());
        }
        link.groups = Some(vec![name(filter)]);
        link.mask = Some(mask);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn either_direction_is_enough() {
        assert!(touch([1, 0], [1, 1]) && touch([1, 1], [1, 0]) && touch([2, 0], [1, 2]));
        assert!(!touch([1, 0], [1, 0]) && !touch([2, 2], [1, 1]));
    }
}

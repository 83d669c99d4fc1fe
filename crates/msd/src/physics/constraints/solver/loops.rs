//! Which joints are part of loops.
//!
//! Bodies that joints connect form groups. A group of n bodies that forces move is a tree if it has n joints where one of them
//! holds it to the world or a body that forces do not move, and n - 1 if none does. More close loops: around the group, or
//! between two places of the world.

/// For each joint, given by the bodies it moves, whether its group has loops.
pub(super) fn in_loops(bodies: usize, joints: &[[Option<usize>; 2]]) -> Vec<bool> {
    let mut group: Vec<usize> = (0..bodies).collect();
    for ends in joints {
        if let [Some(a), Some(b)] = *ends {
            let (a, b) = (root(&group, a), root(&group, b));
            group[a.max(b)] = a.min(b);
        }
    }
    let place = |ends: &[Option<usize>; 2]| ends[0].or(ends[1]).map(|slot| root(&group, slot));
    let (mut members, mut seen) = (vec![0_usize; bodies], vec![false; bodies]);
    let (mut count, mut held) = (vec![0_usize; bodies], vec![0_usize; bodies]);
    for ends in joints {
        for slot in ends.iter().flatten() {
            members[root(&group, *slot)] += usize::from(!std::mem::replace(&mut seen[*slot], true));
        }
        let Some(place) = place(ends) else { continue };
        count[place] += 1;
        if ends.contains(&None) {
            held[place] = 1;
        }
    }
    joints
        .iter()
        .map(|ends| place(ends).is_some_and(|place| count[place] >= members[place] + held[place]))
        .collect()
}

fn root(group: &[usize], mut slot: usize) -> usize {
    while group[slot] != slot {
        slot = group[slot];
    }
    slot
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_has_no_loop_whether_it_hangs_or_floats() {
        let floating = [[Some(0), Some(1)], [Some(1), Some(2)]];
        assert_eq!(in_loops(3, &floating), [false; 2]);
        let hanging = [[None, Some(0)], [Some(0), Some(1)], [Some(1), Some(2)]];
        assert_eq!(in_loops(3, &hanging), [false; 3]);
    }

    #[test]
    fn a_ring_is_a_loop_whether_it_hangs_or_floats() {
        // As many joints as bodies, beside a chain with fewer: in all no more joints than bodies.
        let joints = [[Some(0), Some(1)], [Some(1), Some(2)], [Some(2), Some(0)], [Some(3), Some(4)]];
        assert_eq!(in_loops(5, &joints), [true, true, true, false]);
        let between_two_walls = [[None, Some(0)], [Some(0), Some(1)], [Some(1), None]];
        assert_eq!(in_loops(2, &between_two_walls), [true; 3]);
        let twice = [[Some(0), Some(1)], [Some(0), Some(1)]];
        assert_eq!(in_loops(2, &twice), [true; 2]);
    }
}

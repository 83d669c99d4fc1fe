//! How many loops joints form.
//!
//! Bodies that joints connect form groups. A group of n bodies that forces move is a tree if it has n joints where one of them
//! holds it to the world or a body that forces do not move, and n - 1 if none does. Each one more closes a loop: around the group,
//! or between two places of the world.

/// For each joint, given by the bodies it moves, how many independent loops its group has.
pub(super) fn loops(bodies: usize, joints: &[[Option<usize>; 2]]) -> Vec<usize> {
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
        .map(|ends| {
            place(ends).map_or(0, |place| (count[place] + 1).saturating_sub(members[place] + held[place]))
        })
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
        assert_eq!(loops(3, &floating), [0; 2]);
        let hanging = [[None, Some(0)], [Some(0), Some(1)], [Some(1), Some(2)]];
        assert_eq!(loops(3, &hanging), [0; 3]);
    }

    #[test]
    fn a_ring_is_a_loop_whether_it_hangs_or_floats() {
        // As many joints as bodies, next to a chain with fewer: in all no more joints than bodies.
        let joints = [[Some(0), Some(1)], [Some(1), Some(2)], [Some(2), Some(0)], [Some(3), Some(4)]];
        assert_eq!(loops(5, &joints), [1, 1, 1, 0]);
        let between_two_walls = [[None, Some(0)], [Some(0), Some(1)], [Some(1), None]];
        assert_eq!(loops(2, &between_two_walls), [1; 3]);
        let twice = [[Some(0), Some(1)], [Some(0), Some(1)]];
        assert_eq!(loops(2, &twice), [1; 2]);
    }

    #[test]
    fn a_net_has_a_loop_for_each_mesh_and_one_between_its_two_posts() {
        // Three by three bodies, two corners of a side held: four meshes.
        let held = |body: usize| Some(body).filter(|body| *body != 0 && *body != 2);
        let mut joints = Vec::new();
        for k in 0..9_usize {
            joints.extend((k % 3 > 0).then(|| [held(k - 1), held(k)]));
            joints.extend((k >= 3).then(|| [held(k - 3), held(k)]));
        }
        assert_eq!(loops(9, &joints), [4 + 1; 12]);
    }
}

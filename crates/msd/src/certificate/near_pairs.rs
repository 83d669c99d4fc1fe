//! Pairs of bounding spheres that meet, by sweep and prune, and the mean motion in whose frame they hold for many steps.

use super::evidence::Evidence;
use crate::math::{Vec3, scalar};

/// Mean motion of all bodies that can move, from the moment it was measured: `x̄(t) = v̄ t + ½ ā t²`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MeanMotion {
    /// m/s.
    drift: Vec3,
    /// m/s².
    acceleration: Vec3,
}

impl MeanMotion {
    /// At the end of a step. Bodies that fall together are at rest in it, and so are those that lie; what impacts add within the step is no
    /// acceleration of the next steps, so that it is bounded by that of free flight.
    pub(super) fn of(step: &Evidence<'_>) -> Self {
        let (mut drift, mut gained, mut free, mut count) = (Vec3::ZERO, Vec3::ZERO, Vec3::ZERO, 0.0);
        for (slot, inertia) in step.inertias.iter().enumerate() {
            if inertia.is_movable() {
                let start = step.start[slot].velocity;
                drift += step.end[slot].velocity;
                gained += step.end[slot].velocity - start;
                free += step.flown[slot].velocity - start;
                count += 1.0;
            }
        }
        if count == 0.0 || step.dt <= 0.0 {
            return Self::default();
        }
        let bounded = gained.clamp_length_max(free.length());
        Self { drift: drift / count, acceleration: bounded / (count * step.dt) }
    }

    /// From the moment it was measured to `time` seconds later, m.
    pub(super) fn way(&self, time: f64) -> Vec3 {
        (self.drift + self.acceleration * (0.5 * time)) * time
    }

    /// At that time, m/s.
    pub(super) fn velocity(&self, time: f64) -> Vec3 {
        self.drift + self.acceleration * time
    }
}

/// The bounding sphere of a body in a slot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sphere {
    pub(super) slot: u32,
    pub(super) center: Vec3,
    pub(super) radius: f64,
}

/// Spheres sorted by where they begin along the axis on which their centres are spread widest.
#[derive(Clone, Debug, Default)]
pub(super) struct Sweep {
    sorted: Vec<(f64, Sphere)>,
}

impl Sweep {
    /// Adds the pairs of spheres that meet, the smaller slot first.
    pub(super) fn pairs(&mut self, spheres: impl Iterator<Item = Sphere>, near: &mut Vec<(u32, u32)>) {
        self.sorted.clear();
        self.sorted.extend(spheres.map(|sphere| (0.0, sphere)));
        let axis = widest_axis(self.sorted.iter().map(|(_, sphere)| sphere.center));
        for (low, sphere) in &mut self.sorted {
            *low = sphere.center[axis] - sphere.radius;
        }
        self.sorted.sort_unstable_by(|(p, a), (q, b)| p.total_cmp(q).then(a.slot.cmp(&b.slot)));
        for (place, (_, one)) in self.sorted.iter().enumerate() {
            let high = one.center[axis] + one.radius;
            for (low, other) in &self.sorted[place + 1..] {
                if *low > high {
                    break;
                }
                let apart = (other.center - one.center).length_squared();
                if apart <= scalar::square(one.radius + other.radius) {
                    near.push((one.slot.min(other.slot), one.slot.max(other.slot)));
                }
            }
        }
    }

    /// Slots of the spheres of the last sweep.
    pub(super) fn slots(&self) -> impl Iterator<Item = u32> {
        self.sorted.iter().map(|(_, sphere)| sphere.slot)
    }
}

/// The axis along which points are spread widest.
fn widest_axis(points: impl Iterator<Item = Vec3> + Clone) -> usize {
    let Some(origin) = points.clone().next() else { return 0 };
    let (mut sum, mut squares, mut count) = (Vec3::ZERO, Vec3::ZERO, 0.0);
    for at in points.map(|point| point - origin) {
        (sum, squares, count) = (sum + at, squares + at * at, count + 1.0);
    }
    let spread = squares - sum * sum / count;
    if spread.x >= spread.y && spread.x >= spread.z {
        0
    } else if spread.y >= spread.z {
        1
    } else {
        2
    }
}

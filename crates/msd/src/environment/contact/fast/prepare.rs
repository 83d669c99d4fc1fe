//! Contact points of a batch: from the detector if all islands are in the fast tier, otherwise from contact
//! constraints.

use super::super::ccd::{self, Meeting, Moving};
use super::super::contact_constraint::ContactConstraint;
use super::fast_step::FastStep;
use super::island_batch::IslandBatch;
use super::pair_contacts::{ContactSource, PairContacts};
use crate::math::{Mat3, Vec3, frame_of_normal, scalar};
use crate::physics::collision::{ContactManifold, PosedManifold};
use crate::physics::constraints::contact::soft::{SoftManifold, SoftPoint, SoftRegion, Source};
use crate::physics::rigid_body::{Bodies, InertialState};
use crate::tolerance;

/// Pairs between a prefetch and its use. tuned: a pair costs 0.1 µs, so this covers the latency of memory.
const AHEAD: usize = 4;

impl IslandBatch {
    /// Collects the contacts, region by region.
    pub(super) fn collect(&mut self, step: &FastStep<'_>, local: &[u32]) {
        let mut solver = std::mem::take(&mut self.solver);
        let collector = Collector { batch: self, step, local };
        step.flight.threads.for_each_chunk(solver.regions_mut(), 1, |first, regions| {
            for (nth, region) in regions.iter_mut().enumerate() {
                collector.fill(first + nth, region);
            }
        });
        self.solver = solver;
    }
}

/// Read-only inputs of this phase.
struct Collector<'a> {
    batch: &'a IslandBatch,
    step: &'a FastStep<'a>,
    local: &'a [u32],
}

impl Collector<'_> {
    /// Collects the contacts of a region.
    fn fill(&self, number: usize, region: &mut SoftRegion) {
        let leaf = self.batch.dissection.leaf(number);
        let list = self.batch.contacts_of(number);
        for (nth, contacts) in list.iter().enumerate() {
            self.prefetch(&list[nth..]);
            let [body_a, body_b] =
                contacts.slots.map(|slot| self.batch.index_of(slot as usize, leaf, self.local));
            match contacts.found {
                ContactSource::Pair(pair) => self.push_pair(pair as usize, [body_a, body_b], region),
                ContactSource::Candidates { first, count } => {
                    self.push_candidates(first, count as usize, [body_a, body_b], region);
                }
            }
        }
    }

    /// Prefetches the data of later pairs.
    fn prefetch(&self, coming: &[PairContacts]) {
        if let Some(PairContacts { found: ContactSource::Pair(pair), .. }) = coming.get(2 * AHEAD) {
            self.step.detector.prefetch_pair(*pair as usize);
        }
        if let Some(PairContacts { found: ContactSource::Pair(pair), .. }) = coming.get(AHEAD) {
            self.step.detector.prefetch_manifolds(*pair as usize);
        }
    }

    /// The manifolds of a pair.
    fn push_pair(&self, pair: usize, [body_a, body_b]: [u32; 2], region: &mut SoftRegion) {
        let FastStep { detector, responses, settings, flight, scale, .. } = *self.step;
        let share = scale.unwrap_or(1.0) / settings.fast.count() as f64;
        let bodies = Bodies { bodies: flight.bodies, inertias: flight.inertias, states: flight.before };
        let pair = detector.pair(pair);
        let (a, b) = (bodies.view(pair.a), bodies.view(pair.b));
        let surface = responses.surface(settings, flight.bodies, pair.a, pair.b);
        let given = SoftManifold {
            source: Source::Uncached { pair: pair.index as u32 },
            body_a,
            body_b,
            frame: Mat3::IDENTITY,
            between: b.state.center_of_mass - a.state.center_of_mass,
            material: surface.material,
            surface_velocity: surface.velocity,
            first: 0,
            count: 0,
        };
        let thin = scalar::min(detector.thickness(pair.a), detector.thickness(pair.b));
        let end = [&flight.after[pair.a], &flight.after[pair.b]];
        let meeting = if ccd::is_fast([a.state, b.state], end, thin, flight.dt) {
            let moving = |slot: usize| {
                let states = [&flight.before[slot], &flight.after[slot]];
                Moving::new(&flight.bodies[slot], &flight.inertias[slot], states, flight.dt)
            };
            let both = moving(pair.a).zip(moving(pair.b));
            both.and_then(|(a, b)| ccd::first_meeting(&a, &b))
        } else {
            None
        };
        let (poses, kept) = detector.poses(&pair);
        let origin = -(poses.rotation_a * a.body.center_of_mass_local);
        for (number, manifold) in pair.manifolds.iter().enumerate() {
            let source = Source::Detector { pair: pair.index as u32, manifold: number as u32 };
            let seen = manifold.at_poses(&poses, kept);
            push_manifold(region, &seen, given, source, origin, share, meeting.is_some());
        }
        if let Some(meeting) = meeting {
            push_time_of_impact(region, given, &meeting);
        }
    }

    /// A manifold from contact constraints.
    fn push_candidates(&self, first: u32, count: usize, [body_a, body_b]: [u32; 2], region: &mut SoftRegion) {
        let share = 1.0 / self.step.settings.fast.count() as f64;
        let group = &self.step.candidates[first as usize..][..count];
        let ContactConstraint { a, b, frame, material, surface_velocity, .. } = group[0];
        let states = self.step.flight.before;
        let given = SoftManifold {
            source: Source::Candidates { first },
            body_a,
            body_b,
            frame,
            between: states[b].center_of_mass - states[a].center_of_mass,
            material,
            surface_velocity,
            first: 0,
            count: 0,
        };
        let points = group.iter().map(|c| SoftPoint {
            arm: c.arm_of_a(),
            gap: c.gap_at(0.0),
            warm_start: c.warm_start * share,
        });
        region.push_manifold(given, points);
    }
}

/// Pushes a manifold of a pair. `given` holds the pair without a cache entry, `source` is that entry, `origin` is the
/// origin of A from its centre of mass, and `meets` is true if the pair comes into contact within the step.
fn push_manifold(
    region: &mut SoftRegion,
    found: &PosedManifold<'_>,
    given: SoftManifold,
    source: Source,
    origin: Vec3,
    share: f64,
    meets: bool,
) {
    let given = SoftManifold { frame: found.frame, ..given };
    let points = found.points().map(|point| SoftPoint {
        arm: origin + point.middle,
        gap: point.gap,
        warm_start: point.impulse * share,
    });
    if !meets {
        region.push_manifold(SoftManifold { source, ..given }, points);
        return;
    }
    // Of a pair that approaches from a distance, only closed points have a known position at the contact.
    let closed = tolerance::CONTACT_CLOSED * given.between.length();
    let near = points.filter(|point| point.gap <= closed);
    if near.clone().count() < found.len() {
        let cold = near.map(|point| SoftPoint { warm_start: Vec3::ZERO, ..point });
        region.push_manifold(given, cold);
    } else {
        region.push_manifold(SoftManifold { source, ..given }, near);
    }
}

/// The points of a CCD pair at its time of impact, where the gap is zero.
fn push_time_of_impact(region: &mut SoftRegion, given: SoftManifold, meeting: &Meeting) {
    let Meeting { time, manifold, a, b } = meeting;
    let between = b.center_of_mass - a.center_of_mass;
    let given = SoftManifold { frame: frame_of_normal(manifold.normal), between, ..given };
    region.push_manifold(given, met_points(manifold, a, b, *time, between));
}

fn met_points<'m>(
    manifold: &'m ContactManifold,
    a: &'m InertialState,
    b: &'m InertialState,
    time: f64,
    between: Vec3,
) -> impl Iterator<Item = SoftPoint> + use<'m> {
    manifold.points().iter().map(move |point| {
        let arm = 0.5 * ((point.on_a - a.center_of_mass) + (point.on_b - a.center_of_mass));
        let velocity = (b.velocity - a.velocity) + b.angular_velocity.cross(arm - between)
            - a.angular_velocity.cross(arm);
        let gap = point.distance - time * manifold.normal.dot(velocity);
        SoftPoint { arm, gap, warm_start: Vec3::ZERO }
    })
}

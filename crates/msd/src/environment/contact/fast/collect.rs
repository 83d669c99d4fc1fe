//! Contact points of a part: from the detector where every island is fast, from candidates where some are.

use super::super::candidate::Candidate;
use super::super::contacts::FreeFlight;
use super::super::settings::ContactSettings;
use super::super::sweep::{self, Meeting};
use super::part::{Part, Source};
use crate::math::{Mat3, Vec3, frame_of_normal, real};
use crate::physics::collision::{CollisionDetector, ContactManifold, MAX_POINTS, SeenManifold};
use crate::physics::constraints::contact::soft::{SoftManifold, SoftPoint};
use crate::physics::rigid_body::{Bodies, InertialState};
use crate::tolerance;

impl Part {
    /// Takes the contacts of its pairs. `scale` turns remembered impulses into those of this step.
    pub(super) fn collect(
        &mut self,
        detector: &CollisionDetector,
        settings: &ContactSettings,
        flight: &FreeFlight<'_>,
        scale: f64,
        local: &[u32],
    ) {
        let share = scale / settings.fast.count() as f64;
        let bodies = Bodies { bodies: flight.bodies, inertias: flight.inertias, states: flight.before };
        for nth in 0..self.pairs.len() {
            let pair = detector.pair(self.pairs[nth] as usize);
            let (a, b) = (bodies.view(pair.a), bodies.view(pair.b));
            let between = b.state.center_of_mass - a.state.center_of_mass;
            let given = SoftManifold {
                body_a: self.index_of(pair.a, local),
                body_b: self.index_of(pair.b, local),
                frame: Mat3::IDENTITY,
                between,
                material: settings.materials.combine(a.body, b.body),
                first: 0,
                count: 0,
            };
            let thin = real::min(detector.thickness(pair.a), detector.thickness(pair.b));
            let fast = sweep::is_fast(&a, &b, thin, flight.dt);
            let meeting = if fast { sweep::first_meeting(&a, &b, flight.dt) } else { None };
            let (poses, kept) = detector.poses(&pair);
            let origin = -(poses.turn_a * a.body.center_of_mass_local);
            for (number, manifold) in pair.manifolds.iter().enumerate() {
                let source = Source::Detector { pair: pair.index as u32, manifold: number as u32 };
                self.take(&manifold.seen(&poses, kept), source, given, origin, share, meeting.is_some());
            }
            if let Some(meeting) = meeting {
                self.take_meeting(given, &meeting);
            }
        }
    }

    /// A manifold of a pair of bodies; `origin` is that of A from its centre of mass, `meets` if they meet anew within the step.
    fn take(
        &mut self,
        found: &SeenManifold<'_>,
        source: Source,
        given: SoftManifold,
        origin: Vec3,
        share: f64,
        meets: bool,
    ) {
        let given = SoftManifold { frame: found.frame, ..given };
        let points = found.points().map(|point| SoftPoint {
            arm: origin + point.middle,
            gap: point.gap,
            warm: point.impulse * share,
        });
        if !meets {
            self.push(given, source, points);
            return;
        }
        // Of a pair that comes from afar only what touches already is known where it will be.
        let closed = tolerance::CONTACT_CLOSED * given.between.length();
        let near = points.filter(|point| point.gap <= closed);
        if near.clone().count() < found.len() {
            self.push(given, Source::Passing, near.map(|point| SoftPoint { warm: Vec3::ZERO, ..point }));
        } else {
            self.push(given, source, near);
        }
    }

    /// The points of a fast pair where and when it meets: the gap closes then.
    fn take_meeting(&mut self, given: SoftManifold, meeting: &Meeting) {
        let Meeting { time, manifold, a, b } = meeting;
        let between = b.center_of_mass - a.center_of_mass;
        let given = SoftManifold { frame: frame_of_normal(manifold.normal), between, ..given };
        self.push(given, Source::Passing, met_points(manifold, a, b, *time, between));
    }

    /// Takes the contacts of an island as candidates show them.
    pub(super) fn take_candidates(
        &mut self,
        candidates: &[Candidate],
        first: usize,
        flight: &FreeFlight<'_>,
        substeps: usize,
        local: &[u32],
    ) {
        let share = 1.0 / substeps as f64;
        let mut start = 0;
        let same = |a: &Candidate, b: &Candidate| {
            let key = |c: &Candidate| (c.a, c.b, c.origin.pair, c.origin.manifold, c.is_remembered());
            key(a) == key(b)
        };
        for together in candidates.chunk_by(same) {
            // A manifold has at most eight points.
            for group in together.chunks(MAX_POINTS) {
                let Candidate { a, b, frame, material, .. } = group[0];
                let between = flight.before[b].center_of_mass - flight.before[a].center_of_mass;
                let given = SoftManifold {
                    body_a: self.index_of(a, local),
                    body_b: self.index_of(b, local),
                    frame,
                    between,
                    material,
                    first: 0,
                    count: 0,
                };
                let points = group.iter().map(|c| SoftPoint {
                    arm: c.arm_of_a(),
                    gap: c.gap_at(0.0),
                    warm: c.warm * share,
                });
                self.push(given, Source::Candidates { first: (first + start) as u32 }, points);
                start += group.len();
                self.load += 1;
            }
        }
    }
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
        SoftPoint { arm, gap, warm: Vec3::ZERO }
    })
}

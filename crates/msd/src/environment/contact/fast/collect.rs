//! Contact points of a part: from the detector where every island is fast, from candidates where some are.

use super::super::candidate::Candidate;
use super::super::contacts::FreeFlight;
use super::super::settings::ContactSettings;
use super::super::sweep::{self, Meeting};
use super::part::{Part, Source};
use crate::math::{Coordinate, Mat3, Vec3, frame_of_normal, real};
use crate::physics::collision::{
    CollisionDetector, ContactManifold, ContactPair, MAX_POINTS, PersistentManifold,
};
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
            for number in 0..pair.manifolds.len() {
                self.take(&pair, number, given, a.state.center_of_mass, share, meeting.is_some());
            }
            if let Some(meeting) = meeting {
                self.take_meeting(given, &meeting);
            }
        }
    }

    /// A manifold of a pair of bodies; `center` is the centre of mass of A, `meets` if they meet anew within the step.
    fn take(
        &mut self,
        pair: &ContactPair<'_>,
        number: usize,
        given: SoftManifold,
        center: Coordinate,
        share: f64,
        meets: bool,
    ) {
        let PersistentManifold { manifold: found, impulses, .. } = &pair.manifolds[number];
        let given = SoftManifold { frame: frame_of_normal(found.normal), ..given };
        // Of a pair that comes from afar only what touches already is known where it will be.
        let near = if meets { tolerance::CONTACT_CLOSED * given.between.length() } else { f64::INFINITY };
        let points = found.points().iter().zip(impulses).map(|(point, known)| SoftPoint {
            arm: 0.5 * ((point.on_a - center) + (point.on_b - center)),
            gap: if point.distance <= near { point.distance } else { f64::INFINITY },
            warm: Vec3::new(known.normal, known.tangent[0], known.tangent[1]) * share,
        });
        let source = Source::Detector { pair: pair.index as u32, manifold: number as u32 };
        if meets {
            let near = points.filter(|point| point.gap < f64::INFINITY);
            if near.clone().count() < found.points().len() {
                self.push(given, Source::Passing, near.map(|point| SoftPoint { warm: Vec3::ZERO, ..point }));
                return;
            }
            self.push(given, source, near);
        } else {
            self.push(given, source, points);
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

//! A region: contacts that are swept sequentially, and their bodies.
//!
//! A solve has one region or, if it is large, a tree of them ([`super::solver`]): leaf regions share no movable body,
//! and the region over two halves holds the contacts between them. Its bodies are those of both halves.

use std::ops::Range;

use super::bodies::{BodySpan, SoftBody, Twist, accumulate, row, untwist};
use super::chunk::{Chunk, FrictionPoint, NormalPoint, PointLane, RegionBodies};
use super::colouring::Colouring;
use super::manifold::{SoftManifold, SoftPoint};
use super::moments::Moment;
use super::prepare::prepare;
use super::residual::{self, ManifoldResidual};
use super::restitution::Bounce;
use super::settings::Softness;
use super::sweep;
use crate::math::kernels::{self, WideKernel};
use crate::math::wide_lanes::WideLanes;
use crate::math::{Vec3, scalar};

/// Contacts in the order of their solution. It owns its memory and allocates only for a step larger than all before.
#[derive(Clone, Debug, Default)]
pub struct SoftRegion {
    /// Indices of its bodies; the first is nowhere.
    pub(super) bodies: Range<usize>,
    manifolds: Vec<SoftManifold>,
    points: Vec<SoftPoint>,
    colouring: Colouring,
    pub(super) chunks: Vec<Chunk>,
    pub(super) normals: Vec<NormalPoint>,
    pub(super) frictions: Vec<FrictionPoint>,
    moments: Vec<Moment>,
    pub(super) bounces: Vec<Bounce>,
    /// Chunk and lane of every manifold.
    places: Vec<(u32, u32)>,
    verdicts: Vec<ManifoldResidual>,
    /// By point as given: impulses of the whole step and of the last substep, N·s, in the frame.
    outcomes: Vec<[Vec3; 2]>,
    previous: Aside,
}

/// Results of the previous step: restored if the next one fails.
#[derive(Clone, Debug, Default)]
struct Aside {
    manifolds: Vec<SoftManifold>,
    points: Vec<SoftPoint>,
    outcomes: Vec<[Vec3; 2]>,
}

impl SoftRegion {
    /// Swaps contacts and impulses with the previous buffer.
    pub(super) fn swap_buffers(&mut self) {
        let Aside { manifolds, points, outcomes } = &mut self.previous;
        std::mem::swap(&mut self.manifolds, manifolds);
        std::mem::swap(&mut self.points, points);
        std::mem::swap(&mut self.outcomes, outcomes);
    }

    /// Clears it, keeping its memory, for contacts between these bodies.
    pub fn begin(&mut self, bodies: Range<usize>) {
        self.bodies = bodies;
        self.manifolds.clear();
        self.points.clear();
    }

    /// Adds a manifold; its points are counted here.
    pub fn push_manifold(&mut self, manifold: SoftManifold, points: impl Iterator<Item = SoftPoint>) {
        let first = self.points.len();
        self.points.extend(points);
        let count = (self.points.len() - first) as u32;
        self.manifolds.push(SoftManifold { first: first as u32, count, ..manifold });
    }

    /// The manifolds as they were given.
    #[must_use]
    pub fn manifolds(&self) -> &[SoftManifold] {
        &self.manifolds
    }

    /// The points of a manifold as they were given.
    #[must_use]
    pub fn points_of(&self, manifold: usize) -> &[SoftPoint] {
        let given = &self.manifolds[manifold];
        &self.points[given.first as usize..][..given.count as usize]
    }

    /// True if no point has a warm start.
    pub(super) fn is_cold(&self) -> bool {
        self.points.iter().all(|point| point.warm_start == Vec3::ZERO)
    }

    /// Orders the contacts for a step of `dt` seconds; `bodies` are those of the region.
    pub(super) fn lay_out(&mut self, bodies: &[SoftBody], dt: f64) {
        let first = self.bodies.start;
        let moves = |index: u32| bodies[index as usize - first].is_movable();
        self.colouring.assign(&self.manifolds, moves, self.bodies.clone());
        self.places.clear();
        self.places.resize(self.manifolds.len(), (0, 0));
        self.chunks.clear();
        self.normals.clear();
        self.frictions.clear();
        kernels::run_wide(LayOut { region: self, bodies });
        self.lay_out_rare(bodies, dt);
    }

    /// Data that few contacts need: restitution, rolling and torsional friction.
    fn lay_out_rare(&mut self, bodies: &[SoftBody], dt: f64) {
        self.moments.clear();
        self.bounces.clear();
        for (number, manifold) in self.manifolds.iter().enumerate() {
            let material = &manifold.material;
            let turning = [material.rolling_friction, material.torsional_friction];
            if material.restitution == 0.0 && turning == [0.0; 2] {
                continue;
            }
            let (nth, lane) = self.places[number];
            let chunk = &self.chunks[nth as usize];
            let [a, b] = chunk.pair(lane as usize);
            let inverse = bodies[a].inverse_inertia + bodies[b].inverse_inertia;
            for point in chunk.points().take(manifold.count as usize) {
                let place = PointLane { chunk: nth, point: point as u32, lane };
                if turning != [0.0; 2] {
                    self.moments.push(Moment::new(place, number as u32, turning, inverse));
                }
                if material.restitution > 0.0 {
                    let (normal, friction) = (&self.normals[point], &self.frictions[point]);
                    let restitution = material.restitution;
                    let bounce = Bounce::new(place, restitution, chunk, normal, friction, bodies, dt);
                    self.bounces.extend(bounce);
                }
            }
        }
    }

    /// Applies the impulses of the last step (warm start).
    pub(super) fn warm_start(&mut self, bodies: &mut BodySpan<'_>) {
        kernels::run_wide(WarmStart { region: self, velocity: bodies.velocity });
    }

    /// Push pass: one sweep over the normals with springs at overlaps, in a substep of `h` seconds.
    pub(super) fn push(&mut self, bodies: &mut BodySpan<'_>, soft: &Softness, h: f64) {
        let BodySpan { velocity, displacement, .. } = bodies;
        kernels::run_wide(Push { region: self, velocity, displacement, soft, per_second: 1.0 / h });
    }

    /// Relax pass: one sweep over normals and friction.
    pub(super) fn relax(&mut self, bodies: &mut BodySpan<'_>) {
        for moment in &mut self.moments {
            moment.relax(&self.chunks, &self.normals, bodies);
        }
        kernels::run_wide(Relax { region: self, velocity: bodies.velocity });
    }

    /// Clears the impulse sums.
    pub(super) fn forget_sums(&mut self) {
        self.frictions.iter_mut().for_each(|friction| friction.sum = Default::default());
    }

    /// Adds the impulses of the last substep, restitution included, to the velocities of the residual.
    pub(super) fn add_impulses(&mut self, bodies: &mut BodySpan<'_>) {
        self.add_bounces(1.0);
        kernels::run_wide(AddImpulses { region: self, sums: bodies.judged });
        for moment in &self.moments {
            let (chunk, lane) = (&self.chunks[moment.place.chunk as usize], moment.place.lane as usize);
            let [a, b] = chunk.pair(lane);
            let on_b = chunk.frame_of(lane) * moment.moment;
            accumulate(&mut bodies.judged[a], [[0.0; 4], row(-on_b)]);
            accumulate(&mut bodies.judged[b], [[0.0; 4], row(on_b)]);
        }
    }

    /// Evaluates the residual of the last substep.
    pub(super) fn judge(&mut self, bodies: &BodySpan<'_>) {
        self.verdicts.clear();
        self.verdicts.resize(self.manifolds.len(), ManifoldResidual::default());
        self.outcomes.resize(self.points.len(), [Vec3::ZERO; 2]);
        kernels::run_wide(Judge { region: self, motions: [bodies.free, bodies.judged, bodies.displacement] });
        self.judge_moments(bodies);
        self.undo_bounces();
    }

    fn judge_moments(&mut self, bodies: &BodySpan<'_>) {
        for moment in &self.moments {
            let (chunk, lane) = (&self.chunks[moment.place.chunk as usize], moment.place.lane as usize);
            let [a, b] = chunk.pair(lane);
            let (body_a, body_b) = (&bodies.given[a], &bodies.given[b]);
            let inverse = body_a.inverse_inertia + body_b.inverse_inertia;
            let w = (inverse.x_axis.x + inverse.y_axis.y + inverse.z_axis.z) / 3.0;
            if w <= 0.0 {
                continue;
            }
            let length = ((body_a.inverse_mass + body_b.inverse_mass) / w).sqrt();
            let spin = untwist(&bodies.judged[b]).angular - untwist(&bodies.judged[a]).angular;
            let normal = self.normals[moment.place.point as usize].impulse[lane];
            let allowed = moment.within(moment.moment - chunk.frame_of(lane).transpose() * spin / w, normal);
            let own = (moment.moment - allowed).length() * w * length;
            let verdict = &mut self.verdicts[moment.manifold as usize];
            verdict.residual =
                scalar::max(verdict.residual, if own.is_finite() { own } else { f64::INFINITY });
        }
    }

    fn undo_bounces(&mut self) {
        self.add_bounces(-1.0);
        for bounce in &self.bounces {
            let PointLane { chunk, point, lane } = bounce.place;
            let (chunk, place, lane) = (&self.chunks[chunk as usize], point as usize, lane as usize);
            let number = chunk.manifolds[lane] as usize;
            let first = self.manifolds[number].first;
            let residual = &mut self.verdicts[number].residual;
            *residual = scalar::max(*residual, bounce.impact_error);
            self.outcomes[(first + point - chunk.first) as usize] =
                outcome(&self.normals[place], &self.frictions[place], lane);
        }
    }

    fn add_bounces(&mut self, sign: f64) {
        for bounce in &self.bounces {
            let PointLane { point, lane, .. } = bounce.place;
            let (point, lane, own) = (point as usize, lane as usize, bounce.impulse * sign);
            self.normals[point].impulse[lane] += own.x;
            self.frictions[point].impulse[0][lane] += own.y;
            self.frictions[point].impulse[1][lane] += own.z;
        }
    }

    /// Residual of a manifold.
    #[must_use]
    pub fn verdict(&self, manifold: usize) -> &ManifoldResidual {
        &self.verdicts[manifold]
    }

    /// Impulses of the points of a manifold: of the whole step, and of the last substep. N·s, in the frame.
    #[must_use]
    pub fn impulses(&self, manifold: usize) -> &[[Vec3; 2]] {
        let SoftManifold { first, count, .. } = self.manifolds[manifold];
        &self.outcomes[first as usize..][..count as usize]
    }
}

/// Impulses of a point over the whole step and in the last substep.
fn outcome(normal: &NormalPoint, friction: &FrictionPoint, lane: usize) -> [Vec3; 2] {
    let last = Vec3::new(normal.impulse[lane], friction.impulse[0][lane], friction.impulse[1][lane]);
    [Vec3::from_array(friction.sum.map(|sum| sum[lane])), last]
}

struct LayOut<'a> {
    region: &'a mut SoftRegion,
    bodies: &'a [SoftBody],
}

impl WideKernel for LayOut<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: WideLanes>(self) {
        let SoftRegion { manifolds, points, colouring, chunks, normals, frictions, places, .. } = self.region;
        let bodies = RegionBodies { given: self.bodies, first: self.region.bodies.start };
        for (nth, group) in colouring.groups().enumerate() {
            for (lane, &number) in group.iter().enumerate() {
                places[number as usize] = (nth as u32, lane as u32);
            }
            chunks.push(Chunk::EMPTY);
            let chunk = &mut chunks[nth];
            chunk.fill(group, manifolds, points, &bodies, normals, frictions);
            let range = chunk.points();
            prepare::<L>(chunk, &mut normals[range.clone()], &mut frictions[range]);
        }
    }
}

struct WarmStart<'a> {
    region: &'a SoftRegion,
    velocity: &'a mut [Twist],
}

impl WideKernel for WarmStart<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: WideLanes>(self) {
        let SoftRegion { chunks, normals, frictions, .. } = self.region;
        for chunk in chunks {
            let range = chunk.points();
            sweep::warm_start::<L>(chunk, &normals[range.clone()], &frictions[range], self.velocity);
        }
    }
}

struct Push<'a> {
    region: &'a mut SoftRegion,
    velocity: &'a mut [Twist],
    displacement: &'a [Twist],
    soft: &'a Softness,
    per_second: f64,
}

impl WideKernel for Push<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: WideLanes>(self) {
        let Self { region, velocity, displacement, soft, per_second } = self;
        for chunk in &region.chunks {
            let normals = &mut region.normals[chunk.points()];
            sweep::push::<L>(chunk, normals, velocity, displacement, soft, per_second);
        }
    }
}

struct Relax<'a> {
    region: &'a mut SoftRegion,
    velocity: &'a mut [Twist],
}

impl WideKernel for Relax<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: WideLanes>(self) {
        let SoftRegion { chunks, normals, frictions, .. } = self.region;
        for chunk in chunks.iter() {
            let range = chunk.points();
            sweep::relax::<L>(chunk, &mut normals[range.clone()], &mut frictions[range], self.velocity);
        }
    }
}

struct AddImpulses<'a> {
    region: &'a SoftRegion,
    sums: &'a mut [Twist],
}

impl WideKernel for AddImpulses<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: WideLanes>(self) {
        let SoftRegion { chunks, normals, frictions, .. } = self.region;
        for chunk in chunks {
            let range = chunk.points();
            residual::add_impulses::<L>(chunk, &normals[range.clone()], &frictions[range], self.sums);
        }
    }
}

struct Judge<'a> {
    region: &'a mut SoftRegion,
    motions: [&'a [Twist]; 3],
}

impl WideKernel for Judge<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: WideLanes>(self) {
        let SoftRegion { manifolds, chunks, normals, frictions, verdicts, outcomes, .. } = self.region;
        for chunk in chunks.iter() {
            let range = chunk.points();
            let (normals, frictions) = (&normals[range.clone()], &frictions[range]);
            let four = residual::judge::<L>(chunk, normals, frictions, self.motions);
            for (lane, verdict) in four.into_iter().enumerate() {
                let number = chunk.manifolds[lane] as usize;
                let Some(manifold) = manifolds.get(number) else { continue };
                verdicts[number] = verdict;
                let points = normals.iter().zip(frictions);
                let to = &mut outcomes[manifold.first as usize..][..manifold.count as usize];
                for (to, (normal, friction)) in to.iter_mut().zip(points) {
                    *to = outcome(normal, friction, lane);
                }
            }
        }
    }
}

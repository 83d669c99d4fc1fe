//! The fast tier as a whole: bodies, contacts and rows in, motions and impulses out.

use wide::f64x4;

use super::bodies::{Motion, SoftBodies, SoftBody, row, untwist};
use super::chunk::{Chunk, FrictionPoint, NormalPoint, Place};
use super::colouring::Colouring;
use super::manifold::{SoftManifold, SoftPoint};
use super::moments::Moment;
use super::prepare::prepare;
use super::residual::{Judged, Verdict};
use super::restitution::{Bounce, bounce};
use super::row_block::RowBlock;
use super::rows::{RowState, SoftRow};
use super::settings::{SoftSettings, Softness};
use super::sweep;
use crate::math::{Vec3, real};

/// Oscillations in a substep of the springs that close joints, and their damping ratio. They are stiff: a joint far from the centre of
/// mass of a light body feels little mass, and would give in proportion.
const JOINT_CYCLES: f64 = 1.0;
const JOINT_DAMPING: f64 = 2.0;

/// Sweeps of a first step, which has no impulses to start from: as many as a few warm steps have.
const COLD_SWEEPS: usize = 40;

/// Solves one step of soft contact. It owns all memory: no step larger than those before asks for more.
#[derive(Clone, Debug, Default)]
pub struct SoftSolver {
    bodies: SoftBodies,
    manifolds: Vec<SoftManifold>,
    points: Vec<SoftPoint>,
    rows: Vec<RowState>,
    blocks: Vec<RowBlock>,
    colouring: Colouring,
    chunks: Vec<Chunk>,
    normals: Vec<NormalPoint>,
    frictions: Vec<FrictionPoint>,
    moments: Vec<Moment>,
    bounces: Vec<Bounce>,
    /// Chunk and lane of every manifold.
    places: Vec<(u32, u32)>,
    judged: Judged,
    verdicts: Vec<Verdict>,
    /// By point as given: impulses of the whole step and of the last substep, N·s, in the frame.
    outcomes: Vec<[Vec3; 2]>,
    row_residuals: Vec<f64>,
    h: f64,
    dt: f64,
}

impl SoftSolver {
    /// Empty, with its memory kept.
    pub fn clear(&mut self) {
        self.bodies.clear();
        self.manifolds.clear();
        self.points.clear();
        self.rows.clear();
    }

    /// Adds a body and returns its index.
    pub fn push_body(&mut self, body: SoftBody) -> u32 {
        self.bodies.given.push(body);
        self.bodies.given.len() as u32 - 1
    }

    /// Adds a manifold; its points are counted here.
    pub fn push_manifold(&mut self, manifold: SoftManifold, points: impl Iterator<Item = SoftPoint>) {
        let first = self.points.len();
        self.points.extend(points);
        let count = (self.points.len() - first) as u32;
        self.manifolds.push(SoftManifold { first: first as u32, count, ..manifold });
    }

    /// Adds a row.
    pub fn push_row(&mut self, row: SoftRow) {
        self.rows.push(RowState::new(row, &self.bodies));
    }

    /// The manifolds as they were given.
    #[must_use]
    pub fn manifolds(&self) -> &[SoftManifold] {
        &self.manifolds
    }

    /// The bodies as they were given; the first is nowhere.
    #[must_use]
    pub fn bodies(&self) -> &[SoftBody] {
        &self.bodies.given
    }

    /// The rows as they were given.
    pub fn rows(&self) -> impl Iterator<Item = &SoftRow> {
        self.rows.iter().map(|state| &state.row)
    }

    /// A row as it was given.
    #[must_use]
    pub fn row(&self, nth: usize) -> &SoftRow {
        &self.rows[nth].row
    }

    /// Takes all through a step of `dt` seconds.
    pub fn solve(&mut self, settings: &SoftSettings, dt: f64) {
        let count = settings.count();
        self.dt = dt;
        self.h = dt / count as f64;
        self.lay_out();
        RowBlock::divide(&self.rows, &mut self.blocks);
        self.bodies.start(self.h);
        let soft = Softness::new(settings.cycles, settings.damping_ratio, self.h);
        let joint = Softness::new(JOINT_CYCLES, JOINT_DAMPING, self.h);
        for substep in 0..count {
            self.bodies.begin();
            if substep == 0 {
                self.warm_start(&soft, &joint);
            }
            self.push(&soft, &joint);
            self.bodies.displace(self.h);
            self.relax();
            self.rows.iter_mut().for_each(|row| row.end(&self.bodies));
            self.bodies.end(self.h);
        }
        self.bodies.finish();
        if !self.bounces.is_empty() {
            let Self { bounces, chunks, normals, frictions, bodies, .. } = self;
            bounce(bounces, chunks, normals, frictions, bodies);
        }
        self.judge();
    }

    fn lay_out(&mut self) {
        let Self { bodies, manifolds, points, colouring, chunks, normals, frictions, places, .. } = self;
        colouring.assign(manifolds, |index| bodies.given[index as usize].is_movable(), bodies.given.len());
        chunks.clear();
        normals.clear();
        frictions.clear();
        places.clear();
        places.resize(manifolds.len(), (0, 0));
        self.moments.clear();
        self.bounces.clear();
        for group in colouring.groups() {
            let mut chunk = Chunk::fill(group, manifolds, points, &bodies.given, normals, frictions);
            let range = chunk.points();
            prepare::<f64x4>(&mut chunk, &mut normals[range.clone()], &mut frictions[range]);
            for (lane, &number) in group.iter().enumerate() {
                places[number as usize] = (chunks.len() as u32, lane as u32);
            }
            chunks.push(chunk);
        }
        self.lay_out_rare();
    }

    /// What few contacts have: restitution, and friction against rolling and spinning.
    fn lay_out_rare(&mut self) {
        for (number, manifold) in self.manifolds.iter().enumerate() {
            let material = &manifold.material;
            let turning = [material.rolling_friction, material.torsional_friction];
            if material.restitution == 0.0 && turning == [0.0; 2] {
                continue;
            }
            let (chunk, lane) = self.places[number];
            let [a, b] = self.chunks[chunk as usize].pair(lane as usize);
            let inverse = self.bodies.given[a].inverse_inertia + self.bodies.given[b].inverse_inertia;
            for point in self.chunks[chunk as usize].points().take(manifold.count as usize) {
                let place = Place { chunk, point: point as u32, lane };
                if turning != [0.0; 2] {
                    self.moments.push(Moment::new(place, number as u32, turning, inverse));
                }
                if material.restitution > 0.0 {
                    let (e, chunk) = (material.restitution, &self.chunks[chunk as usize]);
                    self.bounces.extend(Bounce::new(
                        place,
                        e,
                        chunk,
                        (&self.normals[point], &self.frictions[point]),
                        &self.bodies,
                        self.dt,
                    ));
                }
            }
        }
    }

    /// Starts from the impulses of the last step; where there are none at all, from those that sweeps give.
    fn warm_start(&mut self, soft: &Softness, joint: &Softness) {
        self.rows.iter_mut().for_each(|row| row.warm_start(&mut self.bodies));
        if self.points.iter().all(|point| point.warm == Vec3::ZERO) {
            self.push(soft, joint);
            (0..COLD_SWEEPS).for_each(|_| self.relax());
            self.frictions.iter_mut().for_each(|friction| friction.sum = Default::default());
            self.rows.iter_mut().for_each(|row| row.sum = 0.0);
            return;
        }
        let Self { chunks, normals, frictions, bodies, .. } = self;
        for chunk in chunks {
            let range = chunk.points();
            let (normals, frictions) = (&normals[range.clone()], &frictions[range]);
            sweep::warm_start::<f64x4>(chunk, normals, frictions, &mut bodies.velocity);
        }
    }

    fn push(&mut self, soft: &Softness, joint: &Softness) {
        let per_second = 1.0 / self.h;
        let Self { chunks, normals, bodies, rows, blocks, .. } = self;
        for block in blocks.iter() {
            block.push(rows, bodies, [soft, joint], per_second);
        }
        let SoftBodies { velocity, displacement, .. } = &mut *bodies;
        for chunk in chunks {
            let normals = &mut normals[chunk.points()];
            sweep::push::<f64x4>(chunk, normals, velocity, displacement, soft, per_second);
        }
        for block in blocks.iter().rev() {
            block.push(rows, bodies, [soft, joint], per_second);
        }
    }

    fn relax(&mut self) {
        let Self { chunks, normals, frictions, bodies, rows, blocks, moments, .. } = self;
        for block in blocks.iter().rev() {
            block.relax(rows, bodies);
        }
        for moment in moments {
            moment.relax(chunks, normals, bodies);
        }
        for chunk in chunks {
            let range = chunk.points();
            let (normals, frictions) = (&mut normals[range.clone()], &mut frictions[range]);
            sweep::relax::<f64x4>(chunk, normals, frictions, &mut bodies.velocity);
        }
    }

    /// Judges the last substep, what bounced included.
    fn judge(&mut self) {
        self.add_bounces(1.0);
        let Self { chunks, normals, frictions, bodies, judged, verdicts, manifolds, outcomes, .. } = self;
        judged.begin(bodies, self.h);
        for chunk in chunks.iter() {
            let range = chunk.points();
            judged.add_chunk::<f64x4>(chunk, &normals[range.clone()], &frictions[range]);
        }
        for moment in &self.moments {
            let (chunk, lane) = (&chunks[moment.place.chunk as usize], moment.place.lane as usize);
            let [a, b] = chunk.pair(lane);
            let on_b = chunk.frame_of(lane) * moment.moment;
            judged.add(a, [[0.0; 4], row(-on_b)]);
            judged.add(b, [[0.0; 4], row(on_b)]);
        }
        for state in &self.rows {
            let (j, p) = (state.row.jacobian * state.impulse, &state.row);
            judged.add(p.body_a as usize, [row(j.linear_a), row(j.angular_a)]);
            judged.add(p.body_b as usize, [row(j.linear_b), row(j.angular_b)]);
        }
        judged.respond(bodies);
        verdicts.clear();
        verdicts.resize(manifolds.len(), Verdict::default());
        outcomes.resize(self.points.len(), [Vec3::ZERO; 2]);
        for chunk in chunks.iter() {
            let range = chunk.points();
            let (normals, frictions) = (&normals[range.clone()], &frictions[range]);
            let four = judged.judge::<f64x4>(chunk, normals, frictions, &bodies.displacement);
            for (lane, verdict) in four.into_iter().enumerate() {
                let Some(manifold) = manifolds.get(chunk.manifolds[lane] as usize) else { continue };
                verdicts[chunk.manifolds[lane] as usize] = verdict;
                let points = normals.iter().zip(frictions);
                let to = &mut outcomes[manifold.first as usize..][..manifold.count as usize];
                to.iter_mut().zip(points).for_each(|(to, point)| *to = outcome(point, lane));
            }
        }
        self.judge_moments();
        self.judge_rows();
        self.take_bounces_back();
    }

    fn take_bounces_back(&mut self) {
        self.add_bounces(-1.0);
        for bounce in &self.bounces {
            let Place { chunk, point, lane } = bounce.place;
            let (chunk, place, lane) = (&self.chunks[chunk as usize], point as usize, lane as usize);
            let first = self.manifolds[chunk.manifolds[lane] as usize].first;
            self.outcomes[(first + point - chunk.first) as usize] =
                outcome((&self.normals[place], &self.frictions[place]), lane);
        }
    }

    fn add_bounces(&mut self, sign: f64) {
        for bounce in &self.bounces {
            let Place { point, lane, .. } = bounce.place;
            self.normals[point as usize].impulse[lane as usize] += sign * bounce.impulse;
        }
    }

    fn judge_moments(&mut self) {
        for moment in &self.moments {
            let (chunk, lane) = (&self.chunks[moment.place.chunk as usize], moment.place.lane as usize);
            let [a, b] = chunk.pair(lane);
            let (body_a, body_b) = (&self.bodies.given[a], &self.bodies.given[b]);
            let inverse = body_a.inverse_inertia + body_b.inverse_inertia;
            let w = (inverse.x_axis.x + inverse.y_axis.y + inverse.z_axis.z) / 3.0;
            if w <= 0.0 {
                continue;
            }
            let length = ((body_a.inverse_mass + body_b.inverse_mass) / w).sqrt();
            let spin = untwist(&self.judged.velocity[b]).angular - untwist(&self.judged.velocity[a]).angular;
            let normal = self.normals[moment.place.point as usize].impulse[lane];
            let allowed = moment.within(moment.moment - chunk.frame_of(lane).transpose() * spin / w, normal);
            let own = (moment.moment - allowed).length() * w * length;
            let verdict = &mut self.verdicts[moment.manifold as usize];
            verdict.residual = real::max(verdict.residual, if own.is_finite() { own } else { f64::INFINITY });
        }
    }

    fn judge_rows(&mut self) {
        self.row_residuals.clear();
        for state in &self.rows {
            let bodies = [state.row.body_a, state.row.body_b].map(|index| &self.bodies.given[index as usize]);
            let length = ((bodies[0].inverse_mass + bodies[1].inverse_mass) / state.weight).sqrt();
            let off = state.rate(&self.judged.velocity) - state.row.target + state.offset;
            let wanted = real::clamp(state.impulse - off / state.weight, state.row.lower, state.row.upper);
            let own = (state.impulse - wanted).abs() * state.weight * length;
            let idle = state.weight <= 0.0;
            self.row_residuals.push(if idle {
                0.0
            } else if own.is_finite() {
                own
            } else {
                f64::INFINITY
            });
        }
    }

    /// What contact made of a body; `None` if nothing touched it.
    #[must_use]
    pub fn motion(&self, index: u32) -> Option<Motion> {
        self.bodies.motion(index as usize, self.h, self.dt)
    }

    /// Residual (m/s), velocity scale (m/s) and smallest gap at the end (m) of a manifold.
    #[must_use]
    pub fn verdict(&self, manifold: usize) -> (f64, f64, f64) {
        let Verdict { residual, scale, gap } = self.verdicts[manifold];
        (residual, scale, gap)
    }

    /// Residual of a row, m/s.
    #[must_use]
    pub fn row_residual(&self, row: usize) -> f64 {
        self.row_residuals[row]
    }

    /// Impulse of a row in the last substep.
    #[must_use]
    pub fn last_row_impulse(&self, row: usize) -> f64 {
        self.rows[row].impulse
    }

    /// Impulse of a row over the whole step, its work, J, if it drives, and its rate at the end.
    #[must_use]
    pub fn row_outcome(&self, row: usize) -> (f64, f64, f64) {
        let state = &self.rows[row];
        (state.sum, state.work, state.rate(&self.bodies.velocity))
    }

    /// Impulses of a point, by its place in its manifold: of the whole step, and of the last substep. N·s, in the frame.
    #[must_use]
    pub fn impulses(&self, manifold: usize, point: usize) -> (Vec3, Vec3) {
        let [sum, last] = self.outcomes[self.manifolds[manifold].first as usize + point];
        (sum, last)
    }

    /// Gap of a point at the end of the step, m.
    #[must_use]
    pub fn end_gap(&self, manifold: usize, point: usize) -> f64 {
        let given = &self.manifolds[manifold];
        let SoftPoint { arm, gap, .. } = self.points[given.first as usize + point];
        let [a, b] =
            [given.body_a, given.body_b].map(|index| untwist(&self.bodies.displacement[index as usize]));
        let apart = (b.linear - a.linear) + b.angular.cross(arm - given.between) - a.angular.cross(arm);
        gap + given.frame.x_axis.dot(apart)
    }

    /// The points of a manifold as they were given.
    #[must_use]
    pub fn points_of(&self, manifold: usize) -> &[SoftPoint] {
        let given = &self.manifolds[manifold];
        &self.points[given.first as usize..][..given.count as usize]
    }
}

/// Impulses of a point over the whole step and in the last substep.
fn outcome((normal, friction): (&NormalPoint, &FrictionPoint), lane: usize) -> [Vec3; 2] {
    let last = Vec3::new(normal.impulse[lane], friction.impulse[0][lane], friction.impulse[1][lane]);
    [Vec3::from_array(friction.sum.map(|sum| sum[lane])), last]
}

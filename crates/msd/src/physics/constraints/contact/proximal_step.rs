//! One proximal step of the contact problem, by semismooth Newton in velocity space.
//!
//! Given impulses `λ_k` with velocities `u_k` (drift, bias and target included), the step is the solution of the law softened
//! by `ε_i` (1/kg):
//! ```text
//! λ_i(z) = Π_K( λ_k - (u_k + B z + s e_n)_i / ε_i ),      g(z) = z - Bᵀ (λ(z) - λ_k) = 0
//! ```
//! with z the change of velocity in units of energy, K the cone of a contact, the disc and interval of its moments, or the
//! interval of a row. Everything is a difference to the state at `λ_k`, so round-off is relative to what is still missing
//! and repeated steps refine like iterative refinement.
//!
//! **Frozen** (`s_i` given, moments bounded by the normal impulses of `λ_k`): g is the gradient of the convex function
//! `½‖z‖² + λ_k·B z + Σ ½ ε_i ‖λ_i(z)‖²`, its generalised Hessian is `H = 1 + Bᵀ diag(P_i/ε_i) B` with P the derivative of
//! the projection. Newton with a line search on the slope converges from anywhere.
//!
//! Where no contact slips g is piecewise linear, and a step that changes no region ends the iteration.
//!
//! From nothing, contacts without velocity are at the apex of their cone, where every derivative between open and closed is
//! a generalised one. The first step takes them as closed: bodies that fall together would otherwise learn of the floor one
//! layer a step.
//!
//! **Moving** (`s_i = μ ‖(u_k + B z)_t‖` and moments bounded by `λ_n(z)` at elements marked so): Coulomb's own, not convex.
//! The derivative is not symmetric:
//! ```text
//! D = (P/ε)(1 + e_n μ t̂ᵀ),      ∂m_t = (r/‖x‖)(1 - ê êᵀ) ∂x + ρ ê ∂λ_n
//! ```
//! There is no convex function to search along: full steps are taken, halved where ‖g‖ would grow, which converge
//! quadratically or, where contacts open and close in turn, not at all. The caller then takes more softness.

use super::constraint_rows::{ConstraintBlock, ConstraintRows};
use super::friction_cone::{ConeRegion, project_with_derivative, project_with_region};
use super::newton_matrix::VelocityMatrix;
use crate::math::{Mat3, Vec3, scalar};
use crate::tolerance;

/// Halvings of a Newton step with friction that increases the residual. tuned.
const NEWTON_HALVINGS: usize = 4;

/// Evaluations in one exact line search. tuned.
const LINE_SEARCH_STEPS: usize = 30;

/// What does not change during the step, and its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct ProximalStep {
    /// `λ_k`.
    pub(super) known: Vec<f64>,
    /// `u_k`.
    pub(super) velocities: Vec<f64>,
    /// `s_i` of every element, m/s.
    pub(super) shifts: Vec<f64>,
    /// ConstraintRows whose shift and bounds move with the velocity.
    pub(super) moving: Vec<bool>,
    /// ε relative to the weight of an element.
    pub(super) regularisation: f64,
    pub(super) at: Point,
    next: Point,
    middle: Point,
    direction: Vec<f64>,
    /// Places by which the next matrix is made.
    assumed: Vec<ConeState>,
    factored: Factored,
}

/// The softened law at one z.
#[derive(Clone, Debug, Default)]
pub(super) struct Point {
    z: Vec<f64>,
    /// `u_k + B z`.
    pub(super) velocities: Vec<f64>,
    pub(super) impulses: Vec<f64>,
    /// Which formula applied, by element: see [`ConeState`].
    pub(super) places: Vec<ConeState>,
    gradient: Vec<f64>,
    /// `‖z‖² + Σ ε ‖λ - λ_k‖²`.
    energy: f64,
}

/// Where an element is on its set: the cone (or the interval of a row: open is the lower end, slip the upper), the sign of a
/// moment about the normal that is at its bound, and whether the moment across it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ConeState {
    pub(super) cone: ConeRegion,
    pub(super) torsion: i8,
    pub(super) rolls: bool,
}

const OPEN: ConeState = ConeState { cone: ConeRegion::Open, torsion: 0, rolls: false };

/// What the last factor is of.
#[derive(Clone, Debug, Default)]
struct Factored {
    valid: bool,
    regularisation: f64,
    places: Vec<ConeState>,
}

/// How a step ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stepped {
    pub(super) factorisations: usize,
    pub(super) solved: bool,
}

impl ProximalStep {
    /// Forgets the last factor, which is another matrix's.
    pub(super) fn forget(&mut self) {
        self.factored.valid = false;
    }

    /// Newton's method from z = 0; the end is in `at`.
    pub(super) fn solve(
        &mut self,
        elements: &ConstraintRows,
        matrix: &mut VelocityMatrix,
        most: usize,
    ) -> Stepped {
        let moving = self.moving.contains(&true);
        let mut last = f64::INFINITY;
        let mut factorisations = 0;
        let mut at = std::mem::take(&mut self.at);
        let mut next = std::mem::take(&mut self.next);
        at.z.clear();
        at.z.resize(elements.size(), 0.0);
        self.evaluate(elements, &mut at);
        let mut solved = false;
        for step in 0..most {
            self.assume(elements, &at, step == 0 && !moving);
            factorisations += self.factorise(elements, matrix, &at, !moving);
            self.direction.clear();
            self.direction.extend(at.gradient.iter().map(|g| -g));
            matrix.solve(&mut self.direction);
            let size = if moving {
                dot(&self.direction, &self.direction)
            } else {
                -dot(&self.direction, &at.gradient)
            };
            self.moved(elements, &at, 1.0, &mut next);
            let full = if moving {
                self.damp(elements, &at, &mut next)
            } else {
                self.search(elements, &at, &mut next, -size)
            };
            let exact = full && next.places == self.assumed && self.is_linear(elements, &next.places);
            std::mem::swap(&mut at, &mut next);
            let small = size <= tolerance::NEWTON_DECREMENT * at.energy;
            // Round-off ends the fall of the decrement before its limit where the softness is small.
            let ended = size <= tolerance::NEWTON_STALLED * at.energy && size > 0.25 * last;
            solved = small || ended || exact;
            if solved || !size.is_finite() {
                break;
            }
            last = size;
        }
        (self.at, self.next) = (at, next);
        Stepped { factorisations, solved }
    }

    /// True if the softened law is linear around a point: every contact open, sticking, or without friction, and every
    /// moment below its bound. A full step that changes no place is then exact.
    fn is_linear(&self, elements: &ConstraintRows, places: &[ConeState]) -> bool {
        places.iter().zip(&elements.list).all(|(place, element)| {
            (place.cone != ConeRegion::Slip || element.friction == 0.0) && !place.rolls
        })
    }

    /// The law at `point.z`.
    fn evaluate(&self, elements: &ConstraintRows, point: &mut Point) {
        let Point { z, velocities, impulses, places, gradient, energy } = point;
        gradient.clone_from(z);
        *energy = dot(z, z);
        velocities.clear();
        impulses.clear();
        places.clear();
        for (index, element) in elements.list.iter().enumerate() {
            let rows = element.first..element.first + element.size;
            if element.weight <= 0.0 {
                velocities.extend_from_slice(&self.velocities[rows.clone()]);
                impulses.extend_from_slice(&self.known[rows]);
                places.push(OPEN);
                continue;
            }
            for row in rows.clone() {
                velocities.push(self.velocities[row] + elements.velocity(row, element.ends, z));
            }
            places.push(self.respond(element, index, &velocities[rows.clone()], impulses));
            for (k, row) in rows.enumerate() {
                let change = impulses[row] - self.known[row];
                if change != 0.0 {
                    elements.add_impulse(row, element.ends, -change, gradient);
                    *energy += self.softness_of(element, k) * change * change;
                }
            }
        }
    }

    fn softness_of(&self, element: &ConstraintBlock, k: usize) -> f64 {
        // A soft row gives way by itself, and the iteration softens it further.
        self.regularisation * if k < 3 { element.weight } else { element.moment_weight }
            + element.regularisation
    }

    /// The softened impulses of one element for its velocities u.
    fn respond(
        &self,
        element: &ConstraintBlock,
        index: usize,
        u: &[f64],
        impulses: &mut Vec<f64>,
    ) -> ConeState {
        let known = &self.known[element.first..];
        let regularisation = self.regularisation * element.weight;
        if element.size == 1 {
            let wanted = known[0] - (u[0] + element.regularisation * known[0]) / self.softness_of(element, 0);
            let p = scalar::clamp(wanted, element.lower, element.upper);
            impulses.push(p);
            let cone = if wanted < p {
                ConeRegion::Open
            } else if wanted > p {
                ConeRegion::Slip
            } else {
                ConeRegion::Stick
            };
            return ConeState { cone, ..OPEN };
        }
        let (velocity, softened, moves) = self.softened(element, index, u);
        let (mut impulse, cone) = project_with_region(softened, element.friction);
        if moves && cone == ConeRegion::Slip {
            impulse = sliding_impulse(known, velocity, softened, element.friction, regularisation);
        }
        impulses.extend(impulse.to_array());
        let mut place = ConeState { cone, ..OPEN };
        if element.size == 6 {
            let normal = if self.moving[index] { impulse.x } else { known[0] };
            let wanted = self.softened_moment(element, u);
            let moment = element.bounded(wanted, normal);
            place.torsion = if moment.x < wanted.x {
                1
            } else if moment.x > wanted.x {
                -1
            } else {
                0
            };
            place.rolls = moment.y != wanted.y || moment.z != wanted.z;
            impulses.extend(moment.to_array());
        }
        place
    }

    /// u, `λ_k - (u + s e_n)/ε`, and whether s moves with u.
    fn softened(&self, element: &ConstraintBlock, index: usize, u: &[f64]) -> (Vec3, Vec3, bool) {
        let known = &self.known[element.first..];
        let u = Vec3::new(u[0], u[1], u[2]);
        let sliding = (u.y * u.y + u.z * u.z).sqrt();
        let moves = self.moving[index] && sliding > 0.0;
        let shift = if moves { element.friction * sliding } else { self.shifts[index] };
        let shifted = Vec3::new(u.x + shift, u.y, u.z) / (self.regularisation * element.weight);
        (u, Vec3::new(known[0], known[1], known[2]) - shifted, moves)
    }

    fn softened_moment(&self, element: &ConstraintBlock, u: &[f64]) -> Vec3 {
        let known = &self.known[element.first..];
        if element.moment_weight <= 0.0 {
            return Vec3::ZERO;
        }
        let regularisation = self.regularisation * element.moment_weight;
        Vec3::new(known[3], known[4], known[5]) - Vec3::new(u[3], u[4], u[5]) / regularisation
    }

    /// Notes the places at a point. With `touching`, contacts at the apex of their cone count as closed.
    fn assume(&mut self, elements: &ConstraintRows, at: &Point, touching: bool) {
        self.assumed.clone_from(&at.places);
        if !touching {
            return;
        }
        let fastest = at.velocities.iter().fold(0.0, |fastest, u| scalar::max(fastest, u.abs()));
        let still = tolerance::APEX * fastest;
        for (place, element) in self.assumed.iter_mut().zip(&elements.list) {
            let rows = element.first..element.first + element.size;
            let at_apex = element.size == 3
                && element.weight > 0.0
                && at.velocities[rows.clone()].iter().all(|u| u.abs() <= still)
                && self.known[rows].iter().all(|known| *known == 0.0);
            if at_apex {
                place.cone = if element.friction > 0.0 { ConeRegion::Stick } else { ConeRegion::Slip };
            }
        }
    }

    /// Factorises the derivative at a point, with the places assumed, unless it is the one of the last factor; returns how often.
    fn factorise(
        &mut self,
        elements: &ConstraintRows,
        matrix: &mut VelocityMatrix,
        at: &Point,
        symmetric: bool,
    ) -> usize {
        let linear = self.is_linear(elements, &self.assumed);
        let known = self.factored.valid && self.factored.regularisation == self.regularisation;
        if known && linear && symmetric && self.factored.places == self.assumed {
            return 0;
        }
        matrix.clear(symmetric);
        for (index, element) in elements.list.iter().enumerate().filter(|(_, e)| e.weight > 0.0) {
            let place = self.assumed[index];
            let u = &at.velocities[element.first..element.first + element.size];
            match element.size {
                1 if place.cone == ConeRegion::Stick => {
                    matrix.add(elements, element, &[[1.0 / self.softness_of(element, 0)]]);
                }
                1 => {}
                3 if place.cone == ConeRegion::Open => {}
                3 if place != at.places[index] => {
                    let stiff = 1.0 / (self.regularisation * element.weight);
                    let across = if place.cone == ConeRegion::Stick { stiff } else { 0.0 };
                    let d = [[stiff, 0.0, 0.0], [0.0, across, 0.0], [0.0, 0.0, across]];
                    matrix.add(elements, element, &d);
                }
                3 => matrix.add(elements, element, &rows_of(&self.stiffness(element, index, u))),
                _ => matrix.add(elements, element, &self.stiffness_with_moment(element, index, u, place, at)),
            }
        }
        matrix.factorise();
        self.factored.valid = linear && symmetric;
        self.factored.regularisation = self.regularisation;
        self.factored.places.clone_from(&self.assumed);
        1
    }

    /// `D = (P/ε)(1 + e_n μ t̂ᵀ)` of a contact.
    fn stiffness(&self, element: &ConstraintBlock, index: usize, u: &[f64]) -> Mat3 {
        let (u, softened, moves) = self.softened(element, index, u);
        let derivative = project_with_derivative(softened, element.friction).derivative;
        let d = derivative * (1.0 / (self.regularisation * element.weight));
        if !moves {
            return d;
        }
        let slope = element.friction / (u.y * u.y + u.z * u.z).sqrt();
        Mat3::from_cols(d.x_axis, d.y_axis + d.x_axis * (u.y * slope), d.z_axis + d.x_axis * (u.z * slope))
    }

    fn stiffness_with_moment(
        &self,
        element: &ConstraintBlock,
        index: usize,
        u: &[f64],
        place: ConeState,
        at: &Point,
    ) -> [[f64; 6]; 6] {
        let contact = rows_of(&self.stiffness(element, index, u));
        let mut d = [[0.0; 6]; 6];
        for i in 0..3 {
            d[i][..3].copy_from_slice(&contact[i]);
        }
        if element.moment_weight <= 0.0 {
            return d;
        }
        let stiff = 1.0 / (self.regularisation * element.moment_weight);
        let follows = if self.moving[index] { 1.0 } else { 0.0 };
        if place.torsion == 0 {
            d[3][3] = stiff;
        } else {
            let factor = follows * element.torsion * f64::from(place.torsion);
            (0..3).for_each(|j| d[3][j] = factor * contact[0][j]);
        }
        if !place.rolls {
            (d[4][4], d[5][5]) = (stiff, stiff);
            return d;
        }
        let wanted = self.softened_moment(element, u);
        let across = (wanted.y * wanted.y + wanted.z * wanted.z).sqrt();
        let e = [wanted.y / across, wanted.z / across];
        let own = &at.impulses[element.first..];
        let radius = (own[4] * own[4] + own[5] * own[5]).sqrt();
        let turning = stiff * radius / across;
        for i in 0..2 {
            for j in 0..2 {
                d[4 + i][4 + j] = turning * (if i == j { 1.0 } else { 0.0 } - e[i] * e[j]);
            }
            (0..3).for_each(|j| d[4 + i][j] = follows * element.rolling * e[i] * contact[0][j]);
        }
        d
    }

    fn moved(&self, elements: &ConstraintRows, at: &Point, length: f64, to: &mut Point) {
        to.z.clear();
        to.z.extend(at.z.iter().zip(&self.direction).map(|(z, d)| z + length * d));
        self.evaluate(elements, to);
    }

    /// Halves a step that makes the equations worse, a few times; the best is kept. True if that is the full step.
    fn damp(&mut self, elements: &ConstraintRows, at: &Point, next: &mut Point) -> bool {
        let known = dot(&at.gradient, &at.gradient);
        let mut best = dot(&next.gradient, &next.gradient);
        let (mut full, mut length) = (true, 1.0);
        let mut middle = std::mem::take(&mut self.middle);
        for _ in 0..NEWTON_HALVINGS {
            if best <= known {
                break;
            }
            length *= 0.5;
            self.moved(elements, at, length, &mut middle);
            let size = dot(&middle.gradient, &middle.gradient);
            if size < best {
                (best, full) = (size, false);
                std::mem::swap(next, &mut middle);
            }
        }
        self.middle = middle;
        full
    }

    /// Keeps the full step `next` if the slope along it has not turned up steeply, else finds a point where it is nearly
    /// level, by regula falsi with the Illinois rule. True if the full step was kept.
    fn search(&mut self, elements: &ConstraintRows, at: &Point, next: &mut Point, slope: f64) -> bool {
        let mut full = true;
        let mut end = dot(&self.direction, &next.gradient);
        let (mut low, mut low_slope, mut high) = (0.0, slope, 1.0);
        let mut middle = std::mem::take(&mut self.middle);
        for _ in 0..LINE_SEARCH_STEPS {
            if end <= -0.5 * slope {
                break;
            }
            full = false;
            let length = low + (high - low) * low_slope / (low_slope - end);
            self.moved(elements, at, length, &mut middle);
            let level = dot(&self.direction, &middle.gradient);
            if level > 0.0 {
                (high, end) = (length, level);
                std::mem::swap(next, &mut middle);
                low_slope *= 0.5;
            } else if level >= 0.5 * slope {
                std::mem::swap(next, &mut middle);
                break;
            } else {
                (low, low_slope) = (length, level);
                end *= 0.5;
                if end <= -0.5 * slope {
                    std::mem::swap(next, &mut middle);
                    break;
                }
            }
        }
        self.middle = middle;
        full
    }
}

/// The projection of `x = λ_k - (u + μ ‖u_t‖ e_n)/ε` onto the side of the cone, without the cancellation of
/// `μ ‖u_t‖/ε` in `x_n + μ ‖x_t‖`: `‖x_t‖ - ‖u_t‖/ε` is the difference of the squares over the sum.
fn sliding_impulse(known: &[f64], u: Vec3, x: Vec3, friction: f64, regularisation: f64) -> Vec3 {
    let far = (x.y * x.y + x.z * x.z).sqrt();
    let sliding = (u.y * u.y + u.z * u.z).sqrt() / regularisation;
    let along = known[1] * u.y + known[2] * u.z;
    let squares = known[1] * known[1] + known[2] * known[2] - 2.0 * along / regularisation;
    let alpha = (known[0] - u.x / regularisation + friction * squares / (far + sliding))
        / (1.0 + friction * friction);
    Vec3::new(alpha, friction * alpha * x.y / far, friction * alpha * x.z / far)
}

fn rows_of(m: &Mat3) -> [[f64; 3]; 3] {
    m.transpose().to_cols_array_2d()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

//! Nonlinear block Gauss-Seidel (NSGS) with Anderson acceleration: each contact is solved exactly while the others
//! are fixed.
//!
//! A sweep visits elements in their order, computes `q = u - W λ` from the current velocities, solves the element
//! alone and adds the change of impulse to y. A contact is solved with its whole cone ([`LocalContact`]), then its
//! moments with the bounds of its new normal impulse; a row is moved to `p - u/w` inside its bounds. A fixed point
//! satisfies the law everywhere. Sweeps handle slip well, because every contact sees its own cone; they converge
//! slowly where impulses must travel far or from heavy to light bodies.
//!
//! Every [`ANDERSON_PERIOD`] sweeps the last iterates are extrapolated and projected on the cones; the result is
//! accepted if its residual is not much worse. Steps are weighted by `w_i`, so that they are velocities. Velocities
//! are recomputed at every extrapolation, so that round-off of many sweeps does not add up.

use super::anderson::Anderson;
use super::constraint_rows::{ConstraintBlock, ConstraintRows};
use super::friction_cone::project;
use super::one_contact_solver::{LocalContact, LocalPlane};
use crate::math::{Mat3, Vec3, scalar};
use crate::tolerance;

/// Sweeps between two extrapolations. tuned, as the window.
pub(super) const ANDERSON_PERIOD: usize = 10;

/// Residual of an extrapolated iterate, relative to the plain one, up to which it is accepted. tuned: a
/// little growth often precedes a fall.
const ANDERSON_GROWTH: f64 = 2.0;

/// Result of a run of sweeps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Swept {
    /// Residual of the best impulses found, m/s.
    pub(super) residual: f64,
    pub(super) sweeps: usize,
}

/// Method of a sweep at each contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SweepKind {
    /// Exact local solve with the cone; with Anderson acceleration.
    Exact,
    /// One step along the normal, then one along the tangents clipped to the disc.
    Projected,
    /// As if there were no friction: every step lowers the energy of the relative motion.
    Frictionless,
    /// Keeps the normal impulse and solves for the rest.
    GivenNormals,
}

/// One element alone.
#[derive(Clone, Copy, Debug)]
struct Local {
    block: Mat3,
    contact: LocalContact,
    tangents: LocalPlane,
    torsion: f64,
    plane_block: [f64; 3],
    plane: LocalPlane,
}

/// Workspace of the method.
#[derive(Clone, Debug, Default)]
pub(super) struct Sweeps {
    local: Vec<Local>,
    weights: Vec<f64>,
    anderson: Anderson,
    before: Vec<f64>,
    y: Vec<f64>,
    u: Vec<f64>,
    mixed: Vec<f64>,
    current: Vec<f64>,
    /// Largest velocity that an impulse alone would have caused when y was last recomputed, m/s.
    peak: f64,
}

impl Sweeps {
    /// Prepares the data of every sweep.
    pub(super) fn prepare(&mut self, elements: &ConstraintRows) {
        self.local.clear();
        self.weights.clear();
        for element in &elements.list {
            self.local.push(Local::new(elements, element));
            self.weights.push(element.weight);
            for row in 1..element.size {
                self.weights.push(if row < 3 { element.weight } else { element.moment_weight });
            }
        }
    }

    /// Sweeps from `impulses` until the residual is at most `target` (m/s), or the sweeps are used up; returns the
    /// best in place.
    pub(super) fn run(
        &mut self,
        elements: &ConstraintRows,
        impulses: &mut [f64],
        target: f64,
        most: usize,
        kind: SweepKind,
    ) -> Swept {
        self.current.clear();
        self.current.extend_from_slice(impulses);
        elements.respond(&self.current, &mut self.y);
        self.peak = elements.largest(&self.current);
        self.anderson.clear();
        let mut best = Swept { residual: f64::INFINITY, sweeps: 0 };
        for sweep in 1..=most {
            self.before.clone_from(&self.current);
            self.sweep(elements, kind);
            best.sweeps = sweep;
            let checks = sweep % ANDERSON_PERIOD == 0;
            if kind == SweepKind::Exact {
                self.anderson.push(&self.current, &self.before, &self.weights);
            }
            if !checks && sweep != 1 && sweep != most {
                continue;
            }
            debug_assert!(self.books_balance(elements), "a sweep forgot an update of its velocities");
            let plain = self.refresh(elements);
            if kind == SweepKind::Exact {
                best.keep(plain, &self.current, impulses);
                if checks && best.residual > target {
                    self.mix(elements, plain);
                    best.keep(elements.residual(&self.current, &self.u), &self.current, impulses);
                }
            } else {
                // Other kinds are parts of a larger iteration or for comparison: the last iterate counts.
                best.residual = plain;
                impulses.copy_from_slice(&self.current);
            }
            if best.residual <= target || (kind == SweepKind::GivenNormals && self.is_settled()) {
                break;
            }
        }
        best
    }

    /// True if a sweep changed the impulses by round-off only.
    fn is_settled(&self) -> bool {
        let (mut change, mut size) = (0.0, 0.0);
        for ((now, before), w) in self.current.iter().zip(&self.before).zip(&self.weights) {
            change = scalar::max(change, (now - before).abs() * w);
            size = scalar::max(size, now.abs() * w);
        }
        change <= f64::EPSILON * size
    }

    /// True if y is `Bᵀ λ`, to round-off of the sums since it was last recomputed.
    fn books_balance(&mut self, elements: &ConstraintRows) -> bool {
        let mut own = std::mem::take(&mut self.mixed);
        elements.respond(&self.current, &mut own);
        let (mut off, mut size) = (0.0, self.peak);
        for element in &elements.list {
            for row in element.first..element.first + element.size {
                let kept = elements.velocity(row, element.ends, &self.y);
                off = scalar::max(off, (elements.velocity(row, element.ends, &own) - kept).abs());
                size = scalar::max(size, kept.abs());
                size = scalar::max(size, self.current[row].abs() * self.weights[row]);
            }
        }
        self.mixed = own;
        off <= tolerance::CONTACT_BOOKKEEPING * size
    }

    /// Velocities from the impulses alone, and the residual.
    fn refresh(&mut self, elements: &ConstraintRows) -> f64 {
        elements.respond(&self.current, &mut self.y);
        self.peak = elements.largest(&self.current);
        elements.velocities(&self.y, &mut self.u);
        elements.residual(&self.current, &self.u)
    }

    fn mix(&mut self, elements: &ConstraintRows, plain: f64) {
        if !self.anderson.extrapolate(&mut self.mixed) {
            return;
        }
        self.anderson.clear();
        for (mixed, w) in self.mixed.iter_mut().zip(&self.weights) {
            *mixed = if *w > 0.0 { *mixed / w } else { 0.0 };
        }
        for element in &elements.list {
            allow(element, &mut self.mixed[element.first..]);
        }
        std::mem::swap(&mut self.mixed, &mut self.current);
        if self.refresh(elements) > ANDERSON_GROWTH * plain {
            std::mem::swap(&mut self.mixed, &mut self.current);
            self.refresh(elements);
        }
    }

    fn sweep(&mut self, elements: &ConstraintRows, kind: SweepKind) {
        for (element, local) in elements.list.iter().zip(&self.local) {
            if element.weight <= 0.0 {
                continue;
            }
            let own = &mut self.current[element.first..element.first + element.size];
            if element.size == 1 {
                let u =
                    elements.free[element.first] + elements.velocity(element.first, element.ends, &self.y);
                let (u, weight) =
                    (u + element.regularisation * own[0], element.weight + element.regularisation);
                let new = scalar::clamp(own[0] - u / weight, element.lower, element.upper);
                elements.add_impulse(element.first, element.ends, new - own[0], &mut self.y);
                own[0] = new;
                continue;
            }
            local.turn_contact(elements, element, own, &mut self.y, kind);
            if element.size == 6 && element.moment_weight > 0.0 {
                local.turn_moment(elements, element, own, &mut self.y, kind);
            }
        }
    }
}

impl Swept {
    fn keep(&mut self, residual: f64, from: &[f64], to: &mut [f64]) {
        if residual < self.residual {
            self.residual = residual;
            to.copy_from_slice(from);
        }
    }
}

impl Local {
    fn new(elements: &ConstraintRows, element: &ConstraintBlock) -> Self {
        let entry = |i: usize, j: usize| {
            let [left, right] = [&elements.rows[element.first + i], &elements.rows[element.first + j]];
            let mut sum = 0.0;
            for end in 0..2 {
                for k in 0..6 {
                    sum += left[end][k] * right[end][k];
                }
            }
            sum
        };
        let block = if element.size >= 3 {
            let (w01, w02, w12) = (entry(0, 1), entry(0, 2), entry(1, 2));
            Mat3::from_cols_array(&[entry(0, 0), w01, w02, w01, entry(1, 1), w12, w02, w12, entry(2, 2)])
        } else {
            Mat3::ZERO
        };
        let moments = element.size == 6;
        let plane_block = if moments { [entry(4, 4), entry(4, 5), entry(5, 5)] } else { [0.0; 3] };
        Self {
            block,
            contact: LocalContact::new(&block),
            tangents: LocalPlane::new(block.y_axis.y, block.y_axis.z, block.z_axis.z),
            torsion: if moments { entry(3, 3) } else { 0.0 },
            plane_block,
            plane: LocalPlane::new(plane_block[0], plane_block[1], plane_block[2]),
        }
    }

    fn turn_contact(
        &self,
        elements: &ConstraintRows,
        element: &ConstraintBlock,
        own: &mut [f64],
        y: &mut [f64],
        kind: SweepKind,
    ) {
        let first = element.first;
        let old = Vec3::new(own[0], own[1], own[2]);
        let normal = elements.free[first] + elements.velocity(first, element.ends, y);
        if old == Vec3::ZERO && normal >= 0.0 {
            return;
        }
        let across = |row: usize| elements.free[row] + elements.velocity(row, element.ends, y);
        let u = Vec3::new(normal, across(first + 1), across(first + 2));
        let held = old.y * old.y + old.z * old.z;
        let gamma = if held > 0.0 { ((u.y * u.y + u.z * u.z) / held).sqrt() } else { 0.0 };
        let new = match kind {
            SweepKind::Exact => self.contact.solve(u - self.block * old, element.friction, gamma),
            SweepKind::Frictionless => self.contact.solve(u - self.block * old, 0.0, 0.0),
            SweepKind::Projected => {
                let diagonal = &self.block;
                let normal = scalar::max(0.0, old.x - u.x / diagonal.x_axis.x);
                let (y, z) = (old.y - u.y / diagonal.y_axis.y, old.z - u.z / diagonal.z_axis.z);
                clipped(normal, y, z, element.friction * normal)
            }
            SweepKind::GivenNormals => {
                let q = u - self.block * Vec3::new(0.0, old.y, old.z);
                let [y, z] = self.tangents.solve([q.y, q.z], element.friction * old.x);
                Vec3::new(old.x, y, z)
            }
        };
        if new != old {
            elements.add_impulse3(first, element.ends, new - old, y);
            own[..3].copy_from_slice(&new.to_array());
        }
    }

    fn turn_moment(
        &self,
        elements: &ConstraintRows,
        element: &ConstraintBlock,
        own: &mut [f64],
        y: &mut [f64],
        kind: SweepKind,
    ) {
        let normal = if kind == SweepKind::Frictionless { 0.0 } else { own[0] };
        let at = |row: usize, y: &[f64]| elements.free[row] + elements.velocity(row, element.ends, y);
        let (row, most) = (element.first + 3, element.torsion * normal);
        let wanted = if self.torsion > 0.0 { own[3] - at(row, y) / self.torsion } else { 0.0 };
        let new = scalar::clamp(wanted, -most, most);
        elements.add_impulse(row, element.ends, new - own[3], y);
        own[3] = new;
        let [s11, s12, s22] = self.plane_block;
        let q = [at(row + 1, y) - s11 * own[4] - s12 * own[5], at(row + 2, y) - s12 * own[4] - s22 * own[5]];
        let new = self.plane.solve(q, element.rolling * normal);
        for k in 0..2 {
            elements.add_impulse(row + 1 + k, element.ends, new[k] - own[4 + k], y);
            own[4 + k] = new[k];
        }
    }
}

fn clipped(normal: f64, y: f64, z: f64, radius: f64) -> Vec3 {
    let length = (y * y + z * z).sqrt();
    let shrink = if length > radius { radius / length } else { 1.0 };
    Vec3::new(normal, y * shrink, z * shrink)
}

/// Projects the impulses of an element on the set that the law allows.
fn allow(element: &ConstraintBlock, own: &mut [f64]) {
    if element.size == 1 {
        own[0] = scalar::clamp(own[0], element.lower, element.upper);
        return;
    }
    let impulse = project(Vec3::new(own[0], own[1], own[2]), element.friction);
    own[..3].copy_from_slice(&impulse.to_array());
    if element.size == 6 {
        let moment = element.bounded(Vec3::new(own[3], own[4], own[5]), impulse.x);
        own[3..6].copy_from_slice(&moment.to_array());
    }
}

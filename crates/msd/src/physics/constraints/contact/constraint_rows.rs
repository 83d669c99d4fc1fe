//! The problem scaled by M^-½, in units of kinetic energy, in flat arrays for the solvers.
//!
//! Write `M⁻¹ = S Sᵀ` body by body (Cholesky, which stands a singular inverse inertia). Every velocity contacts can
//! cause is `v = v* + S y`, and with `B = J S`
//! ```text
//! y = Bᵀ λ,    u = u* + B y,    J M⁻¹ Jᵀ = B Bᵀ,    ½ (v - v*)ᵀ M (v - v*) = ½ ‖y‖²
//! ```
//! Mass ratios are gone from the metric. A movable body is a node with six entries of y; all others share one last
//! node whose entries stay zero, because their rows are zero.
//!
//! Contacts come first, each an element of three scalar rows (n, t₁, t₂) or, with a moment, of six (then m_n, m_t₁, m_t₂);
//! joint rows follow, each an element of one. u* contains drift and bias, and minus the target of a row.

use super::body::ContactBody;
use super::contact_point::{Contact, Row};
use super::friction_cone::{ConeRegion, project, project_with_region};
use super::impulses::Impulses;
use super::problem::ContactProblem;
use crate::math::{Mat3, Vec3, scalar};

/// A scalar row of B on the nodes of bodies A and B.
pub(super) type ScaledRow = [[f64; 6]; 2];

/// The nodes of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ends {
    /// Of A and B.
    pub(super) pair: [usize; 2],
    /// First and last of further ones, of a row over more bodies.
    further: [u32; 2],
}

impl Ends {
    fn pair(pair: [usize; 2]) -> Self {
        Self { pair, further: [0; 2] }
    }

    pub(super) fn further(self) -> std::ops::Range<usize> {
        self.further[0] as usize..self.further[1] as usize
    }
}

/// One contact or one row of a joint.
#[derive(Clone, Copy, Debug)]
pub(super) struct ConstraintBlock {
    /// First scalar row.
    pub(super) first: usize,
    /// 1, 3 or 6 scalar rows.
    pub(super) size: usize,
    pub(super) ends: Ends,
    pub(super) friction: f64,
    pub(super) torsion: f64,
    pub(super) rolling: f64,
    pub(super) lower: f64,
    pub(super) upper: f64,
    /// Of a row: its compliance.
    pub(super) regularisation: f64,
    /// Converts impulses into velocities; zero between static bodies, where an element is inactive.
    pub(super) weight: f64,
    pub(super) moment_weight: f64,
    /// Makes the residual of a row or of a moment one in m/s.
    pub(super) length: f64,
}

/// All of them.
#[derive(Clone, Debug, Default)]
pub(super) struct ConstraintRows {
    /// Bodies that move.
    pub(super) nodes: usize,
    pub(super) list: Vec<ConstraintBlock>,
    pub(super) rows: Vec<ScaledRow>,
    /// Further nodes of rows, each with its part of the scalar row.
    pub(super) further: Vec<(usize, [f64; 6])>,
    /// `u*`.
    pub(super) free: Vec<f64>,
    node_of: Vec<usize>,
    roots: Vec<(f64, Mat3)>,
}

impl ConstraintRows {
    /// Builds it from a problem.
    pub(super) fn prepare(&mut self, problem: &ContactProblem) {
        self.nodes = problem.bodies().iter().filter(|body| body.is_movable()).count();
        self.node_of.clear();
        self.roots.clear();
        let mut node = 0;
        for body in problem.bodies() {
            self.node_of.push(if body.is_movable() { node } else { self.nodes });
            self.roots.push(root(body));
            node += usize::from(body.is_movable());
        }
        self.list.clear();
        self.rows.clear();
        self.further.clear();
        self.free.clear();
        for (index, contact) in problem.contacts().iter().enumerate() {
            self.push_contact(problem, index, contact);
        }
        for (index, row) in problem.rows().iter().enumerate() {
            self.push_row(problem, index, row);
        }
    }

    fn push_contact(&mut self, problem: &ContactProblem, index: usize, contact: &Contact) {
        let (a, b) = (contact.body_a, contact.body_b);
        let bodies = problem.bodies();
        let relative = |a: Vec3, b: Vec3| contact.frame.transpose() * (b - a);
        let at = |body: usize, arm: Vec3| bodies[body].free.linear + bodies[body].free.angular.cross(arm);
        let moments = contact.has_moment();
        self.list.push(ConstraintBlock {
            first: self.rows.len(),
            size: if moments { 6 } else { 3 },
            ends: Ends::pair([self.node_of[a], self.node_of[b]]),
            friction: contact.friction,
            torsion: contact.torsional_friction,
            rolling: contact.rolling_friction,
            lower: 0.0,
            upper: 0.0,
            regularisation: 0.0,
            weight: problem.weight(index),
            moment_weight: if moments { problem.moment_weight(index) } else { 0.0 },
            length: if moments { problem.moment_length(index) } else { 1.0 },
        });
        for k in 0..3 {
            let d = contact.frame.col(k);
            let row = [
                position_weights(self.roots[a], -d, -contact.arm_a.cross(d)),
                position_weights(self.roots[b], d, contact.arm_b.cross(d)),
            ];
            self.rows.push(row);
        }
        let u = relative(at(a, contact.arm_a), at(b, contact.arm_b)) + contact.offset();
        self.free.extend(u.to_array());
        if moments {
            for k in 0..3 {
                let d = contact.frame.col(k);
                self.rows.push([
                    position_weights(self.roots[a], Vec3::ZERO, -d),
                    position_weights(self.roots[b], Vec3::ZERO, d),
                ]);
            }
            let spin = relative(bodies[a].free.angular, bodies[b].free.angular);
            self.free.extend(spin.to_array());
        }
    }

    fn push_row(&mut self, problem: &ContactProblem, index: usize, row: &Row) {
        let (a, b) = (row.body_a, row.body_b);
        let mut ends = Ends::pair([self.node_of[a], self.node_of[b]]);
        let mut v = 0.0;
        ends.further[0] = self.further.len() as u32;
        for end in problem.further_ends(index) {
            let (body, free) = (end.body, problem.bodies()[end.body].free);
            v += end.wrench.power(free.linear, free.angular);
            if self.node_of[body] < self.nodes {
                let part = position_weights(self.roots[body], end.wrench.force, end.wrench.torque);
                self.further.push((self.node_of[body], part));
            }
        }
        ends.further[1] = self.further.len() as u32;
        self.list.push(ConstraintBlock {
            first: self.rows.len(),
            size: 1,
            ends,
            friction: 0.0,
            torsion: 0.0,
            rolling: 0.0,
            lower: row.lower,
            upper: row.upper,
            regularisation: row.regularisation,
            weight: problem.row_weight(index),
            moment_weight: 0.0,
            length: problem.row_length(index),
        });
        let j = &row.jacobian;
        self.rows.push([
            position_weights(self.roots[a], j.linear_a, j.angular_a),
            position_weights(self.roots[b], j.linear_b, j.angular_b),
        ]);
        let (free_a, free_b) = (problem.bodies()[a].free, problem.bodies()[b].free);
        v += j.linear_a.dot(free_a.linear)
            + j.angular_a.dot(free_a.angular)
            + j.linear_b.dot(free_b.linear)
            + j.angular_b.dot(free_b.angular);
        self.free.push(v - row.target);
    }

    /// All nodes of an element that move, each with its part of the first scalar row.
    pub(super) fn parts(
        &self,
        element: &ConstraintBlock,
    ) -> impl Iterator<Item = (usize, &[f64; 6])> + Clone {
        let pair = element.ends.pair.into_iter().zip(&self.rows[element.first]);
        let further = self.further[element.ends.further()].iter().map(|(node, part)| (*node, part));
        pair.filter(|(node, _)| *node < self.nodes).chain(further)
    }

    /// Pairs of nodes that elements connect, once or several times.
    pub(super) fn edges(&self) -> impl Iterator<Item = (usize, usize)> {
        self.list.iter().flat_map(|element| {
            let [a, b] = element.ends.pair;
            let coupled = element.ends.further().start < element.ends.further().end;
            let parts = coupled.then(|| self.parts(element)).into_iter().flatten();
            let between = parts.clone().flat_map(move |(one, _)| {
                parts.clone().filter(move |(other, _)| one < *other).map(move |(other, _)| (one, other))
            });
            std::iter::once((a, b)).chain(between)
        })
    }

    /// Length of y, the last node included.
    pub(super) fn size(&self) -> usize {
        6 * (self.nodes + 1)
    }

    /// `B_r y` of one scalar row.
    pub(super) fn velocity(&self, row: usize, ends: Ends, y: &[f64]) -> f64 {
        let further = ends.further();
        let ends = ends.pair;
        let [on_a, on_b] = &self.rows[row];
        let (y_a, y_b) = (&y[6 * ends[0]..6 * ends[0] + 6], &y[6 * ends[1]..6 * ends[1] + 6]);
        let (mut sum_a, mut sum_b) = (0.0, 0.0);
        for k in 0..6 {
            sum_a += on_a[k] * y_a[k];
            sum_b += on_b[k] * y_b[k];
        }
        for (node, part) in &self.further[further] {
            for k in 0..6 {
                sum_a += part[k] * y[6 * node + k];
            }
        }
        sum_a + sum_b
    }

    /// `B y` of three scalar rows from `first` on.
    pub(super) fn velocity3(&self, first: usize, ends: Ends, y: &[f64]) -> Vec3 {
        Vec3::new(
            self.velocity(first, ends, y),
            self.velocity(first + 1, ends, y),
            self.velocity(first + 2, ends, y),
        )
    }

    /// Adds `B_rᵀ λ` of one scalar row to y.
    pub(super) fn add_impulse(&self, row: usize, ends: Ends, impulse: f64, y: &mut [f64]) {
        for (node, part) in &self.further[ends.further()] {
            for k in 0..6 {
                y[6 * node + k] += impulse * part[k];
            }
        }
        let ends = ends.pair;
        let [on_a, on_b] = &self.rows[row];
        for (y, entry) in y[6 * ends[0]..6 * ends[0] + 6].iter_mut().zip(on_a) {
            *y += impulse * entry;
        }
        for (y, entry) in y[6 * ends[1]..6 * ends[1] + 6].iter_mut().zip(on_b) {
            *y += impulse * entry;
        }
    }

    /// The same for three scalar rows.
    pub(super) fn add_impulse3(&self, first: usize, ends: Ends, impulse: Vec3, y: &mut [f64]) {
        self.add_impulse(first, ends, impulse.x, y);
        self.add_impulse(first + 1, ends, impulse.y, y);
        self.add_impulse(first + 2, ends, impulse.z, y);
    }

    /// `y = Bᵀ λ`.
    pub(super) fn respond(&self, impulses: &[f64], y: &mut Vec<f64>) {
        y.clear();
        y.resize(self.size(), 0.0);
        for element in &self.list {
            for row in element.first..element.first + element.size {
                if impulses[row] != 0.0 {
                    self.add_impulse(row, element.ends, impulses[row], y);
                }
            }
        }
    }

    /// `u = u* + B y` of all rows.
    pub(super) fn velocities(&self, y: &[f64], u: &mut Vec<f64>) {
        u.clear();
        for element in &self.list {
            for row in element.first..element.first + element.size {
                u.push(self.free[row] + self.velocity(row, element.ends, y));
            }
        }
    }

    /// The largest residual of the law, m/s, as the certificate measures it; infinite if a number is not finite.
    pub(super) fn residual(&self, impulses: &[f64], u: &[f64]) -> f64 {
        let mut worst = 0.0;
        for element in self.list.iter().filter(|element| element.weight > 0.0) {
            let own = element.residual(&impulses[element.first..], &u[element.first..]);
            worst = if own.is_finite() { scalar::max(worst, own) } else { f64::INFINITY };
        }
        worst
    }

    /// How fast the fastest contact that carries something slides, m/s.
    pub(super) fn fastest_slip(&self, impulses: &[f64], u: &[f64]) -> f64 {
        let loaded = self.list.iter().filter(|element| element.size >= 3 && impulses[element.first] > 0.0);
        loaded.fold(0.0, |most, element| {
            scalar::max(most, scalar::hypot(u[element.first + 1], u[element.first + 2]))
        })
    }

    /// How fast the fastest contact that carries something slides or closes its gap, m/s. Contacts are the first elements.
    pub(super) fn fastest(&self, problem: &ContactProblem, impulses: &[f64], u: &[f64]) -> f64 {
        let contacts = problem.contacts().iter().zip(&self.list);
        let loaded = contacts.filter(|(_, element)| impulses[element.first] > 0.0);
        loaded.fold(self.fastest_slip(impulses, u), |most, (contact, _)| {
            scalar::max(most, contact.speculative_bias)
        })
    }

    /// The largest velocity that one of the impulses alone would cause, m/s.
    pub(super) fn largest(&self, impulses: &[f64]) -> f64 {
        let mut largest = 0.0;
        for element in &self.list {
            let own = &impulses[element.first..];
            let size = match element.size {
                1 => own[0].abs() * element.length,
                _ => (own[0] * own[0] + own[1] * own[1] + own[2] * own[2]).sqrt(),
            };
            largest = scalar::max(largest, element.weight * size);
        }
        largest
    }

    /// The impulses nearest to none: zero, or the nearer bound of a row that must push.
    pub(super) fn idle(&self, flat: &mut Vec<f64>) {
        flat.clear();
        flat.resize(self.rows.len(), 0.0);
        for element in self.list.iter().filter(|element| element.size == 1) {
            flat[element.first] = scalar::clamp(0.0, element.lower, element.upper);
        }
    }

    /// Flat impulses from given ones, moved into what the law allows; zero where an element takes no part.
    pub(super) fn load(&self, impulses: &Impulses, flat: &mut Vec<f64>) {
        flat.clear();
        flat.resize(self.rows.len(), 0.0);
        let contacts = impulses.contacts.len();
        for (index, element) in self.list.iter().enumerate() {
            let first = element.first;
            if index >= contacts {
                let idle = scalar::clamp(0.0, element.lower, element.upper);
                let p = impulses.rows[index - contacts];
                flat[first] =
                    if element.weight > 0.0 { scalar::clamp(p, element.lower, element.upper) } else { idle };
            } else if element.weight > 0.0 {
                let impulse = project(impulses.contacts[index], element.friction);
                flat[first..first + 3].copy_from_slice(&impulse.to_array());
                if element.size == 6 {
                    let moment = element.bounded(impulses.moments[index], impulse.x);
                    flat[first + 3..first + 6].copy_from_slice(&moment.to_array());
                }
            }
        }
    }

    /// The reverse of [`Self::load`].
    pub(super) fn store(&self, flat: &[f64], impulses: &mut Impulses) {
        let contacts = impulses.contacts.len();
        for (index, element) in self.list.iter().enumerate() {
            let own = &flat[element.first..];
            if index >= contacts {
                impulses.rows[index - contacts] = own[0];
            } else {
                impulses.contacts[index] = Vec3::new(own[0], own[1], own[2]);
                impulses.moments[index] =
                    if element.size == 6 { Vec3::new(own[3], own[4], own[5]) } else { Vec3::ZERO };
            }
        }
    }
}

impl ConstraintBlock {
    /// The nearest moment that a normal impulse allows.
    pub(super) fn bounded(&self, moment: Vec3, normal: f64) -> Vec3 {
        let (most, widest) = (self.torsion * normal, self.rolling * normal);
        let across = (moment.y * moment.y + moment.z * moment.z).sqrt();
        let shrink = if across > widest { widest / across } else { 1.0 };
        Vec3::new(scalar::clamp(moment.x, -most, most), moment.y * shrink, moment.z * shrink)
    }

    /// `λ w - ũ` of a contact: its nearest point of the cone is `λ w` where the law holds.
    fn wanted(&self, impulses: &[f64], u: &[f64]) -> Vec3 {
        let sliding = (u[1] * u[1] + u[2] * u[2]).sqrt();
        let shifted = Vec3::new(u[0] + self.friction * sliding, u[1], u[2]);
        Vec3::new(impulses[0], impulses[1], impulses[2]) * self.weight - shifted
    }

    /// True if a contact sticks: the law asks for an impulse inside the cone.
    pub(super) fn sticks(&self, impulses: &[f64], u: &[f64]) -> bool {
        project_with_region(self.wanted(impulses, u), self.friction).1 == ConeRegion::Stick
    }

    fn residual(&self, impulses: &[f64], u: &[f64]) -> f64 {
        let w = self.weight;
        if self.size == 1 {
            let u = u[0] + self.regularisation * impulses[0];
            let wanted = scalar::clamp(impulses[0] - u / w, self.lower, self.upper);
            return (impulses[0] - wanted).abs() * w * self.length;
        }
        let impulse = Vec3::new(impulses[0], impulses[1], impulses[2]) * w;
        let own = (impulse - project(self.wanted(impulses, u), self.friction)).length();
        if self.size == 3 || self.moment_weight <= 0.0 {
            return own;
        }
        let moment = Vec3::new(impulses[3], impulses[4], impulses[5]);
        let wanted = moment - Vec3::new(u[3], u[4], u[5]) / self.moment_weight;
        let allowed = self.bounded(wanted, scalar::max(0.0, impulses[0]));
        scalar::max(own, (moment - allowed).length() * self.moment_weight * self.length)
    }
}

/// `√(1/m)` and the lower Cholesky factor of the inverse inertia; columns without a pivot are zero.
fn root(body: &ContactBody) -> (f64, Mat3) {
    let a = body.inverse_inertia;
    let mut l = [[0.0; 3]; 3];
    for j in 0..3 {
        let mut pivot = a.col(j)[j];
        for k in 0..j {
            pivot -= l[j][k] * l[j][k];
        }
        if pivot <= f64::EPSILON * a.col(j)[j] {
            continue;
        }
        l[j][j] = pivot.sqrt();
        for i in j + 1..3 {
            let mut entry = a.col(j)[i];
            for k in 0..j {
                entry -= l[i][k] * l[j][k];
            }
            l[i][j] = entry / l[j][j];
        }
    }
    (body.inverse_mass.sqrt(), Mat3::from_cols_array_2d(&l).transpose())
}

/// One row on one body, times S.
fn position_weights((linear, angular): (f64, Mat3), on_linear: Vec3, on_angular: Vec3) -> [f64; 6] {
    let l = on_linear * linear;
    let a = Vec3::new(
        angular.x_axis.dot(on_angular),
        angular.y_axis.dot(on_angular),
        angular.z_axis.dot(on_angular),
    );
    [l.x, l.y, l.z, a.x, a.y, a.z]
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::physics::constraints::JacobianRow;
    use crate::physics::constraints::contact::body::BodyVelocity;

    /// Three bodies over four decades of mass and an immovable one, with a moment and a row.
    pub(in super::super) fn chain() -> ContactProblem {
        let body = |inverse_mass: f64| ContactBody {
            inverse_mass,
            inverse_inertia: Mat3::from_cols(
                Vec3::new(3.0, 0.5, 0.2),
                Vec3::new(0.5, 2.0, -0.3),
                Vec3::new(0.2, -0.3, 4.0),
            ) * inverse_mass,
            free: BodyVelocity { linear: Vec3::new(0.1, 0.2, -0.3), angular: Vec3::new(0.3, 0.0, 0.1) },
        };
        let bodies = vec![body(1.0), body(1e-4), ContactBody::immovable(BodyVelocity::default()), body(7.0)];
        let arm = Vec3::new(0.3, -0.4, 0.5);
        let mut turning = Contact::touching(2, 0, Vec3::ZERO, Vec3::new(0.1, 0.2, -0.5), Vec3::X);
        (turning.rolling_friction, turning.torsional_friction) = (0.1, 0.2);
        let contacts = vec![
            Contact::touching(0, 1, arm, -arm, Vec3::Z),
            turning,
            Contact::touching(1, 3, Vec3::new(-0.2, 0.2, 0.5), arm, Vec3::Y).with_friction(0.4),
        ];
        let jacobian = JacobianRow {
            linear_a: -Vec3::X,
            angular_a: Vec3::new(0.0, 0.2, 0.3),
            linear_b: Vec3::X,
            angular_b: Vec3::new(0.1, 0.0, -0.2),
        };
        let row = Row { lower: -1.0, upper: 2.0, ..Row::rigid(3, 0, jacobian, 0.25) };
        ContactProblem::with_rows(bodies, contacts, vec![row]).unwrap()
    }

    #[test]
    fn velocities_and_residuals_are_those_of_the_problem() {
        let problem = chain();
        let mut elements = ConstraintRows::default();
        elements.prepare(&problem);
        let impulses = Impulses {
            contacts: vec![Vec3::X, Vec3::new(0.5, 0.0, 0.0), Vec3::new(2.0, -0.3, 0.2)],
            moments: vec![Vec3::ZERO, Vec3::new(0.02, -0.01, 0.03), Vec3::ZERO],
            rows: vec![0.7],
        };
        let (mut flat, mut y, mut u) = (Vec::new(), Vec::new(), Vec::new());
        elements.load(&impulses, &mut flat);
        let mut stored = Impulses::none(&problem);
        elements.store(&flat, &mut stored);
        assert_eq!(stored, impulses);
        elements.respond(&flat, &mut y);
        elements.velocities(&y, &mut u);
        let mut v = Vec::new();
        let certificate = crate::physics::constraints::contact::judge(&problem, &impulses, &mut v);
        for (index, element) in elements.list[..3].iter().enumerate() {
            let own = Vec3::new(u[element.first], u[element.first + 1], u[element.first + 2]);
            let offset = problem.contacts()[index].offset();
            assert!((own - problem.contact_velocity(index, &v) - offset).length() < 1e-13);
        }
        assert!((u[12] - problem.row_velocity(0, &v) + 0.25).abs() < 1e-13);
        assert!((elements.residual(&flat, &u) - certificate.residual).abs() < 1e-13);
    }
}

//! Velocities in units of kinetic energy.
//!
//! Write `M⁻¹ = S Sᵀ` body by body (Cholesky, which stands a singular inverse inertia). Every velocity contacts can
//! cause is `v = v* + S y`, and with `B = J S`
//! ```text
//! y = Bᵀ λ,    u = u* + B y,    J M⁻¹ Jᵀ = B Bᵀ,    ½ (v - v*)ᵀ M (v - v*) = ½ ‖y‖²
//! ```
//! Mass ratios are gone from the metric, and immovable bodies have no y. [`EnergyMatrix`] is `1 + Σ B_iᵀ D_i B_i` for
//! symmetric 3×3 matrices `D_i ≥ 0`, one for each contact: 6×6 blocks on the graph of bodies, never singular however many
//! contacts a face has; further contacts of a pair add no fill.

use super::problem::{BodyVelocity, Contact, ContactBody, ContactProblem};
use crate::math::{Mat3, Vec3};
use crate::physics::constraints::solver::BlockCholesky;

/// Three rows of B on one body.
pub(super) type Rows = [[f64; 6]; 3];

/// B, sparse: the rows of each contact on its bodies that can move.
#[derive(Clone, Debug)]
pub(super) struct MassWeighted {
    bodies: usize,
    contacts: Vec<[Option<(usize, Rows)>; 2]>,
}

impl MassWeighted {
    pub(super) fn new(problem: &ContactProblem) -> Self {
        let mut bodies = 0;
        let node: Vec<Option<usize>> = problem
            .bodies()
            .iter()
            .map(|body| {
                body.is_movable().then(|| {
                    bodies += 1;
                    bodies - 1
                })
            })
            .collect();
        let roots: Vec<(f64, Mat3)> = problem.bodies().iter().map(root).collect();
        let rows = |contact: &Contact, body: usize, arm: Vec3, sign: f64| {
            node[body].map(|node| (node, rows_on(contact, arm, sign, roots[body])))
        };
        let contacts = problem
            .contacts()
            .iter()
            .map(|c| [rows(c, c.body_a, c.arm_a, -1.0), rows(c, c.body_b, c.arm_b, 1.0)])
            .collect();
        Self { bodies, contacts }
    }

    /// Length of y.
    pub(super) fn size(&self) -> usize {
        6 * self.bodies
    }

    /// `B_i y` of a contact.
    pub(super) fn velocity(&self, contact: usize, y: &[f64]) -> Vec3 {
        let mut u = [0.0; 3];
        for (body, rows) in self.contacts[contact].iter().flatten() {
            for (u, row) in u.iter_mut().zip(rows) {
                for (entry, y) in row.iter().zip(&y[6 * body..]) {
                    *u += entry * y;
                }
            }
        }
        Vec3::from_array(u)
    }

    /// Adds `factor B_iᵀ λ` to y.
    pub(super) fn add_impulse(&self, contact: usize, impulse: Vec3, y: &mut [f64]) {
        for (body, rows) in self.contacts[contact].iter().flatten() {
            for (row, l) in rows.iter().zip(impulse.to_array()) {
                for (y, entry) in y[6 * body..].iter_mut().zip(row) {
                    *y += l * entry;
                }
            }
        }
    }
}

/// `1 + Σ B_iᵀ D_i B_i` and its factor.
#[derive(Clone, Debug)]
pub(super) struct EnergyMatrix {
    cholesky: BlockCholesky,
    used: Vec<bool>,
    softness: Vec<f64>,
}

impl EnergyMatrix {
    pub(super) fn new(space: &MassWeighted) -> Self {
        let nodes: Vec<(usize, usize)> = (0..space.bodies).map(|body| (6 * body, 6)).collect();
        let pair = |ends: &[Option<(usize, Rows)>; 2]| match ends {
            [Some((a, _)), Some((b, _))] => Some((*a, *b)),
            _ => None,
        };
        let edges: Vec<(usize, usize)> = space.contacts.iter().filter_map(pair).collect();
        let size = space.size();
        Self {
            cholesky: BlockCholesky::new(&nodes, &edges),
            used: vec![true; size],
            softness: vec![1.0; size],
        }
    }

    /// Factorises for these `D_i`.
    pub(super) fn factorise(&mut self, space: &MassWeighted, stiffness: &[Mat3]) {
        self.cholesky.clear();
        for (ends, d) in space.contacts.iter().zip(stiffness).filter(|(_, d)| **d != Mat3::ZERO) {
            let scaled = |rows: &Rows| {
                let mut product = [[0.0; 6]; 3];
                for c in 0..6 {
                    let column = *d * Vec3::new(rows[0][c], rows[1][c], rows[2][c]);
                    (product[0][c], product[1][c], product[2][c]) = (column.x, column.y, column.z);
                }
                product
            };
            let entry = |left: &Rows, right: &Rows, r: usize, c: usize| {
                left[0][r] * right[0][c] + left[1][r] * right[1][c] + left[2][r] * right[2][c]
            };
            for (body, rows) in ends.iter().flatten() {
                let right = scaled(rows);
                self.cholesky.add_block(*body, *body, |r, c| entry(rows, &right, r, c));
            }
            if let [Some((a, rows_a)), Some((b, rows_b))] = ends {
                let right = scaled(rows_b);
                self.cholesky.add_block(*a, *b, |r, c| entry(rows_a, &right, r, c));
            }
        }
        self.used.fill(true);
        self.cholesky.factorise(&mut self.used, &self.softness, 0.0);
    }

    /// Solves in place with the last factor.
    pub(super) fn solve(&self, x: &mut [f64]) {
        self.cholesky.solve(x);
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

fn rows_on(contact: &Contact, arm: Vec3, sign: f64, (linear, angular): (f64, Mat3)) -> Rows {
    let mut rows = [[0.0; 6]; 3];
    for (k, row) in rows.iter_mut().enumerate() {
        let d = contact.frame.col(k) * sign;
        row[..3].copy_from_slice(&(d * linear).to_array());
        row[3..].copy_from_slice(&(angular.transpose() * arm.cross(d)).to_array());
    }
    rows
}

/// `u + b e_n` of every contact for given velocities.
pub(super) fn biased_velocities(problem: &ContactProblem, velocities: &[BodyVelocity]) -> Vec<Vec3> {
    let biased = |(i, c): (usize, &Contact)| problem.contact_velocity(i, velocities) + Vec3::X * c.bias();
    problem.contacts().iter().enumerate().map(biased).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain() -> ContactProblem {
        let body = |inverse_mass: f64| ContactBody {
            inverse_mass,
            inverse_inertia: Mat3::from_cols(
                Vec3::new(3.0, 0.5, 0.2),
                Vec3::new(0.5, 2.0, -0.3),
                Vec3::new(0.2, -0.3, 4.0),
            ) * inverse_mass,
            free: BodyVelocity::default(),
        };
        let bodies = vec![body(1.0), body(1e-4), ContactBody::immovable(BodyVelocity::default()), body(7.0)];
        let arm = Vec3::new(0.3, -0.4, 0.5);
        let contacts = vec![
            Contact::touching(0, 1, arm, -arm, Vec3::Z),
            Contact::touching(2, 0, Vec3::ZERO, Vec3::new(0.1, 0.2, -0.5), Vec3::X),
            Contact::touching(1, 3, Vec3::new(-0.2, 0.2, 0.5), arm, Vec3::Y),
        ];
        ContactProblem::new(bodies, contacts).unwrap()
    }

    #[test]
    fn the_response_is_that_of_the_problem() {
        let problem = chain();
        let space = MassWeighted::new(&problem);
        let impulses = [Vec3::new(1.0, 0.2, -0.3), Vec3::new(0.5, 0.1, 0.4), Vec3::new(2.0, -1.0, 0.0)];
        let mut y = vec![0.0; space.size()];
        for (i, &impulse) in impulses.iter().enumerate() {
            space.add_impulse(i, impulse, &mut y);
        }
        let v = problem.velocities(&impulses);
        for i in 0..3 {
            assert!((space.velocity(i, &y) - problem.contact_velocity(i, &v)).length() < 1e-13);
        }
    }

    #[test]
    fn the_factor_solves_the_matrix() {
        let problem = chain();
        let space = MassWeighted::new(&problem);
        let mut matrix = EnergyMatrix::new(&space);
        let d = [1e6, 3.0, 40.0].map(|k| Mat3::from_diagonal(Vec3::new(k, 0.5 * k, 0.0)));
        matrix.factorise(&space, &d);
        let wanted: Vec<f64> = (0..space.size()).map(|i| 1.0 - 0.1 * i as f64).collect();
        let mut x = wanted.clone();
        for (i, d) in d.iter().enumerate() {
            space.add_impulse(i, *d * space.velocity(i, &wanted), &mut x);
        }
        matrix.solve(&mut x);
        for (x, w) in x.iter().zip(&wanted) {
            assert!((x - w).abs() < 1e-8, "{x} {w}");
        }
    }
}

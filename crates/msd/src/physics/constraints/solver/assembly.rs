//! The rows of all constraints at one instant, and the matrix `A = J M⁻¹ Jᵀ` they give.

use std::collections::BTreeMap;

use super::super::{Constraint, JacobianRow, Pair, RowLaw, RowUnit};
use super::block_cholesky::{BlockCholesky, Pivoting};
use super::loops::loops;
use crate::math::{Mat3, Vec3};
use crate::physics::rigid_body::{Bodies, InertialState};

/// The rows of one constraint among all rows.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Block {
    /// Slot of the constraint in its set.
    pub(in super::super) constraint: usize,
    pub(in super::super) first: usize,
    pub(in super::super) rows: usize,
    /// Slots of the bodies; `None` is the world.
    pub(in super::super) bodies: [Option<usize>; 2],
    /// Which of the bodies forces move.
    pub(in super::super) movable: [bool; 2],
    /// Whether it only holds a point of both together.
    pub(in super::super) point: bool,
}

impl Block {
    /// Its rows.
    pub(in super::super) fn range(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.rows
    }
}

/// A change of velocity of one body (or an acceleration, or a displacement).
#[derive(Clone, Copy, Debug, Default)]
pub(in super::super) struct Twist {
    pub(in super::super) linear: Vec3,
    pub(in super::super) angular: Vec3,
}

impl Twist {
    /// The sum with so much of another.
    pub(in super::super) fn plus(&self, other: &Self, share: f64) -> Self {
        Self { linear: self.linear + other.linear * share, angular: self.angular + other.angular * share }
    }

    /// The difference.
    pub(in super::super) fn minus(&self, other: &Self) -> Self {
        Self { linear: self.linear - other.linear, angular: self.angular - other.angular }
    }
}

/// Rows, matrix and workspace. The pattern is made once per topology, the numbers as often as wanted.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Assembly {
    pub(in super::super) blocks: Vec<Block>,
    /// Blocks that are left to contact, and blocks of which some row is not: only these are filled in and solved.
    pub(in super::super) left: Vec<bool>,
    pub(in super::super) acts: Vec<bool>,
    pub(in super::super) laws: Vec<RowLaw>,
    pub(in super::super) units: Vec<RowUnit>,
    /// Block of each row.
    pub(in super::super) block_of: Vec<usize>,
    /// Row that each row is a part of; its own number for most.
    pub(in super::super) leader: Vec<usize>,
    /// Rows with the parts that lead over other bodies, sorted.
    pub(in super::super) parts: Vec<(usize, usize)>,
    pub(in super::super) jacobian: Vec<JacobianRow>,
    /// `M⁻¹ Jᵀ`: velocities a unit impulse of the row causes.
    pub(in super::super) response: Vec<JacobianRow>,
    /// Diagonal of A.
    pub(in super::super) diagonal: Vec<f64>,
    /// Rows known to depend on no others.
    independent: Vec<bool>,
    couplings: Vec<(usize, usize)>,
    patterned: bool,
    pub(super) cholesky: BlockCholesky,
    /// Sum of responses, by body slot; only `touched` entries are ever non-zero.
    twists: Vec<Twist>,
    pub(in super::super) touched: Vec<usize>,
    /// How many loops the joints of the group of each block close.
    pub(in super::super) loops: Vec<usize>,
    /// Effective inverse inertia tensors (world axes), by body slot; empty for those of the bodies.
    pub(in super::super) stiffened: Vec<Mat3>,
}

/// The two states of a block; the world is at rest at the origin.
pub(in super::super) fn pair_of<'a>(block: &Block, states: &'a [InertialState]) -> Pair<'a> {
    let state = |slot: Option<usize>| slot.map_or(&InertialState::AT_REST, |slot| &states[slot]);
    Pair { a: state(block.bodies[0]), b: state(block.bodies[1]) }
}

impl Assembly {
    /// The pattern for these constraints, given with their slots in the set.
    pub(in super::super) fn new<'c>(
        constraints: impl Iterator<Item = (usize, &'c dyn Constraint)>,
        bodies: &Bodies<'_>,
    ) -> Self {
        let mut assembly = Self { twists: vec![Twist::default(); bodies.len()], ..Self::default() };
        let mut leaders = Vec::new();
        for (slot, constraint) in constraints {
            let first = assembly.laws.len();
            let ends = constraint.bodies().map(|body| body.map(|handle| handle.slot()));
            let movable = ends.map(|body| body.is_some_and(|slot| bodies.inertias[slot].is_movable()));
            let rows = constraint.dimension();
            assembly.laws.extend((0..rows).map(|row| constraint.law(row)));
            assembly.units.extend((0..rows).map(|row| constraint.unit(row)));
            assembly.block_of.extend((0..rows).map(|_| assembly.blocks.len()));
            leaders.extend((0..rows).map(|_| constraint.leader().map(|leader| leader.slot())));
            let anywhere = Pair { a: &InertialState::AT_REST, b: &InertialState::AT_REST };
            let point = constraint.held_point(&anywhere).is_some();
            assembly.blocks.push(Block { constraint: slot, first, rows, bodies: ends, movable, point });
        }
        assembly.find_parts(&leaders);
        assembly.left = vec![false; assembly.blocks.len()];
        assembly.acts = vec![true; assembly.blocks.len()];
        let rows = assembly.laws.len();
        assembly.jacobian = vec![JacobianRow::ZERO; rows];
        assembly.response = vec![JacobianRow::ZERO; rows];
        assembly.diagonal = vec![0.0; rows];
        assembly.find_independent_rows();
        assembly
    }

    /// Finds the row that each part is added to, from the slots of the constraints that lead.
    fn find_parts(&mut self, leaders: &[Option<usize>]) {
        self.leader.extend(0..leaders.len());
        for (row, leader) in leaders.iter().enumerate() {
            let Some(leader) = leader else { continue };
            if let Some(block) = self.blocks.iter().find(|block| block.constraint == *leader) {
                self.leader[row] = block.first;
                self.parts.push((block.first, row));
            }
        }
        self.parts.sort_unstable();
    }

    /// The row and its parts.
    pub(in super::super) fn with_parts(&self, row: usize) -> impl Iterator<Item = usize> + use<'_> {
        let first = self.parts.partition_point(|(leader, _)| *leader < row);
        let parts = self.parts[first..].iter().take_while(move |(leader, _)| *leader == row);
        std::iter::once(row).chain(parts.map(|(_, part)| *part))
    }

    /// Adds the numbers of parts to those of their rows.
    pub(in super::super) fn add_parts(&self, values: &mut [f64]) {
        for &(leader, part) in &self.parts {
            values[leader] += std::mem::take(&mut values[part]);
        }
    }

    /// The block whose rows the matrix has for a block.
    pub(in super::super) fn node(&self, block: usize) -> usize {
        self.block_of[self.leader[self.blocks[block].first]]
    }

    /// The pattern of the matrix, made when it is first filled: constraints that contact always holds need none.
    fn find_couplings(&mut self) {
        let mut hanging = vec![Vec::new(); self.twists.len()];
        for (index, block) in self.blocks.iter().enumerate() {
            for (body, movable) in block.bodies.iter().zip(block.movable) {
                if let (Some(slot), true) = (*body, movable) {
                    hanging[slot].push(index);
                }
            }
        }
        for (slot, list) in hanging.iter().enumerate().filter(|(_, list)| !list.is_empty()) {
            self.touched.push(slot);
            for (k, &i) in list.iter().enumerate() {
                self.couplings.extend(list[k + 1..].iter().map(|&j| (i, j)));
            }
        }
        self.couplings.sort_unstable();
        self.couplings.dedup();
        let nodes: Vec<_> = self.blocks.iter().map(|block| (block.first, block.rows)).collect();
        let ordered = |(i, j): (usize, usize)| (i.min(j), i.max(j));
        let between = self.couplings.iter().map(|&(i, j)| ordered((self.node(i), self.node(j))));
        let mut edges: Vec<_> = between.filter(|(i, j)| i != j).collect();
        edges.sort_unstable();
        edges.dedup();
        self.cholesky = BlockCholesky::new(&nodes, &edges);
        self.patterned = true;
    }

    /// Marks rigid rows of joints without loops: each joint of a tree moves a body that the joints before it leave free, so
    /// its rows depend on no others.
    fn find_independent_rows(&mut self) {
        let moved: Vec<_> = self
            .blocks
            .iter()
            .map(|block| {
                // Springs and motors alone close no loop.
                let holds = self.laws[block.range()].contains(&RowLaw::Rigid);
                [0, 1].map(|end| block.bodies[end].filter(|_| holds && block.movable[end]))
            })
            .collect();
        self.loops = loops(self.twists.len(), &moved);
        for (block, &loops) in self.blocks.iter().zip(&self.loops) {
            for row in block.range() {
                self.independent.push(loops == 0 && self.laws[row] == RowLaw::Rigid);
            }
        }
    }

    /// True if the pattern still fits: same number of bodies, same bodies movable.
    pub(in super::super) fn fits(&self, bodies: &Bodies<'_>) -> bool {
        let movable = |body: Option<usize>| body.is_some_and(|slot| bodies.inertias[slot].is_movable());
        self.twists.len() == bodies.len()
            && self.blocks.iter().all(|block| block.bodies.map(movable) == block.movable)
    }

    /// Gives motors other velocities to reach, by slot of their constraint.
    pub(in super::super) fn command_motors(&mut self, velocities: &BTreeMap<usize, f64>) {
        for block in self.blocks.iter().filter(|_| !velocities.is_empty()) {
            let Some(wanted) = velocities.get(&block.constraint) else { continue };
            for law in &mut self.laws[block.range()] {
                if let RowLaw::Motor { velocity: own, .. } | RowLaw::Drive { force: own, .. } = law {
                    *own = *wanted;
                }
            }
        }
    }

    /// True if some joints close loops.
    pub(in super::super) fn has_loops(&self) -> bool {
        self.loops.iter().any(|loops| *loops > 0)
    }

    /// The active blocks.
    pub(in super::super) fn acting(&self) -> impl Iterator<Item = &Block> {
        self.blocks.iter().zip(&self.acts).filter_map(|(block, acts)| acts.then_some(block))
    }

    /// Number of rows.
    pub(in super::super) fn rows(&self) -> usize {
        self.laws.len()
    }

    /// Fills Jacobians, responses and the matrix. Returns the first row that is not finite.
    pub(in super::super) fn fill<'c>(
        &mut self,
        constraint: impl Fn(usize) -> &'c dyn Constraint,
        bodies: &Bodies<'_>,
        time: f64,
    ) -> Option<usize> {
        if !self.patterned {
            self.find_couplings();
        }
        for (block, _) in self.blocks.iter().zip(&self.acts).filter(|(_, acts)| **acts) {
            let pair = pair_of(block, bodies.states);
            constraint(block.constraint).jacobian(&pair, time, &mut self.jacobian[block.range()]);
            for row in block.range() {
                if !self.jacobian[row].is_finite() {
                    return Some(row);
                }
                self.response[row] = response(&self.jacobian[row], block, bodies, &self.stiffened);
            }
        }
        self.fill_matrix();
        None
    }

    /// Fills Jacobians, responses and diagonal entries of one block, not the matrix. False if a row is not finite.
    pub(in super::super) fn fill_block(
        &mut self,
        number: usize,
        constraint: &dyn Constraint,
        bodies: &Bodies<'_>,
        time: f64,
    ) -> bool {
        let block = &self.blocks[number];
        constraint.jacobian(&pair_of(block, bodies.states), time, &mut self.jacobian[block.range()]);
        for row in block.range() {
            self.response[row] = response(&self.jacobian[row], block, bodies, &self.stiffened);
            self.diagonal[row] = both(&self.jacobian[row], &self.response[row]);
        }
        self.jacobian[block.range()].iter().all(JacobianRow::is_finite)
    }

    /// `M⁻¹ Jᵀ` of a row of a block.
    pub(in super::super) fn response_of(
        &self,
        row: &JacobianRow,
        block: &Block,
        bodies: &Bodies<'_>,
    ) -> JacobianRow {
        response(row, block, bodies, &self.stiffened)
    }

    fn fill_matrix(&mut self) {
        self.cholesky.clear();
        let (jacobian, response, acts) = (&self.jacobian, &self.response, &self.acts);
        for (index, block) in self.blocks.iter().enumerate().filter(|(index, _)| acts[*index]) {
            let (first, node) = (block.first, self.block_of[self.leader[block.first]]);
            debug_assert!(node == index || block.rows == 1);
            self.cholesky.add_block(node, node, |r, c| both(&jacobian[first + r], &response[first + c]));
        }
        for &(i, j) in self.couplings.iter().filter(|(i, j)| acts[*i] && acts[*j]) {
            let (bi, bj) = (self.blocks[i], self.blocks[j]);
            let ends = shared_ends(&bi, &bj);
            let entry = |r: usize, c: usize| shared(&ends, &jacobian[bi.first + r], &response[bj.first + c]);
            let [ni, nj] = [bi, bj].map(|block| self.block_of[self.leader[block.first]]);
            if ni == nj {
                self.cholesky.add_block(ni, ni, |r, c| 2.0 * entry(r, c));
            } else {
                self.cholesky.add_block(ni, nj, entry);
            }
        }
        self.cholesky.diagonal(&mut self.diagonal);
    }

    /// Factorises the rows marked in `used`; see [`BlockCholesky::factorise`].
    pub(in super::super) fn factorise(
        &mut self,
        used: &mut [bool],
        regularisation: &[f64],
        threshold: f64,
    ) -> Pivoting {
        self.cholesky.factorise(used, regularisation, &self.independent, threshold)
    }

    /// `out = A x`, matrix-free: multipliers to velocities to rows.
    pub(in super::super) fn apply(&mut self, x: &[f64], out: &mut [f64]) {
        self.gather(x);
        for block in &self.blocks {
            for row in block.range() {
                out[row] = self.row_of_twists(block, row);
            }
        }
        self.add_parts(out);
    }

    fn row_of_twists(&self, block: &Block, row: usize) -> f64 {
        let j = &self.jacobian[row];
        let mut sum = 0.0;
        if let (Some(slot), true) = (block.bodies[0], block.movable[0]) {
            sum += j.linear_a.dot(self.twists[slot].linear) + j.angular_a.dot(self.twists[slot].angular);
        }
        if let (Some(slot), true) = (block.bodies[1], block.movable[1]) {
            sum += j.linear_b.dot(self.twists[slot].linear) + j.angular_b.dot(self.twists[slot].angular);
        }
        sum
    }

    /// Sums `M⁻¹ Jᵀ x` over the bodies.
    fn gather(&mut self, x: &[f64]) {
        for &slot in &self.touched {
            self.twists[slot] = Twist::default();
        }
        for (block, _) in self.blocks.iter().zip(&self.acts).filter(|(_, acts)| **acts) {
            for row in block.range() {
                let w = self.response[row] * x[self.leader[row]];
                if let (Some(slot), true) = (block.bodies[0], block.movable[0]) {
                    self.twists[slot].linear += w.linear_a;
                    self.twists[slot].angular += w.angular_a;
                }
                if let (Some(slot), true) = (block.bodies[1], block.movable[1]) {
                    self.twists[slot].linear += w.linear_b;
                    self.twists[slot].angular += w.angular_b;
                }
            }
        }
    }

    /// Calls `visit` with every body that `x` moves and its `M⁻¹ Jᵀ x`.
    pub(in super::super) fn scatter(&mut self, x: &[f64], mut visit: impl FnMut(usize, Twist)) {
        self.gather(x);
        for &slot in &self.touched {
            visit(slot, self.twists[slot]);
        }
    }

    /// `J v` of a row, immovable bodies included.
    pub(in super::super) fn row_velocity(&self, row: usize, states: &[InertialState]) -> f64 {
        let of = |row: usize| {
            let pair = pair_of(&self.blocks[self.block_of[row]], states);
            self.jacobian[row].velocity(pair.a, pair.b)
        };
        if self.parts.is_empty() { of(row) } else { self.with_parts(row).map(of).sum() }
    }

    /// `J_i M⁻¹ J_jᵀ` of two rows of the same bodies.
    pub(in super::super) fn coupling(&self, i: usize, j: usize) -> f64 {
        both(&self.jacobian[i], &self.response[j])
    }

    /// The part of `J v` due to bodies that forces do not move: the driving velocity.
    pub(in super::super) fn driving_velocity(&self, row: usize, states: &[InertialState]) -> f64 {
        self.with_parts(row).map(|row| self.own_driving_velocity(row, states)).sum()
    }

    fn own_driving_velocity(&self, row: usize, states: &[InertialState]) -> f64 {
        let block = &self.blocks[self.block_of[row]];
        let pair = pair_of(block, states);
        let j = &self.jacobian[row];
        let mut drive = 0.0;
        if !block.movable[0] {
            drive += j.on_a().power(pair.a.velocity, pair.a.angular_velocity);
        }
        if !block.movable[1] {
            drive += j.on_b().power(pair.b.velocity, pair.b.angular_velocity);
        }
        drive
    }
}

fn response(row: &JacobianRow, block: &Block, bodies: &Bodies<'_>, stiffened: &[Mat3]) -> JacobianRow {
    let mut out = JacobianRow::ZERO;
    if let (Some(slot), true) = (block.bodies[0], block.movable[0]) {
        (out.linear_a, out.angular_a) = respond(row.linear_a, row.angular_a, slot, bodies, stiffened);
    }
    if let (Some(slot), true) = (block.bodies[1], block.movable[1]) {
        (out.linear_b, out.angular_b) = respond(row.linear_b, row.angular_b, slot, bodies, stiffened);
    }
    out
}

fn respond(
    linear: Vec3,
    angular: Vec3,
    slot: usize,
    bodies: &Bodies<'_>,
    stiffened: &[Mat3],
) -> (Vec3, Vec3) {
    let inertia = &bodies.inertias[slot];
    let q = bodies.states[slot].orientation;
    let turned = match stiffened.get(slot) {
        None => q * (inertia.inverse_tensor_body() * (q.conjugate() * angular)),
        Some(inverse) => *inverse * angular,
    };
    (linear * inertia.inverse_mass(), turned)
}

fn both(j: &JacobianRow, w: &JacobianRow) -> f64 {
    j.linear_a.dot(w.linear_a)
        + j.angular_a.dot(w.angular_a)
        + j.linear_b.dot(w.linear_b)
        + j.angular_b.dot(w.angular_b)
}

/// For both ends of one constraint: whether it is a movable body that is an end of the other, and which.
fn shared_ends(bi: &Block, bj: &Block) -> [[bool; 2]; 2] {
    [0, 1].map(|i| [0, 1].map(|j| bi.movable[i] && bi.bodies[i] == bj.bodies[j]))
}

/// `J_i M⁻¹ J_jᵀ` over the movable bodies two different constraints share.
fn shared(ends: &[[bool; 2]; 2], ji: &JacobianRow, wj: &JacobianRow) -> f64 {
    let mut sum = 0.0;
    for (shared, j) in ends.iter().zip([ji.on_a(), ji.on_b()]) {
        for (shared, w) in shared.iter().zip([wj.on_a(), wj.on_b()]) {
            if *shared {
                sum += j.power(w.force, w.torque);
            }
        }
    }
    sum
}

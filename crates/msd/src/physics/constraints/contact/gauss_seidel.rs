//! Contact after contact, each solved exactly while the others stand (nonlinear block Gauss-Seidel), with Anderson
//! acceleration.
//!
//! A sweep visits contacts in their order, takes `q = u + b e_n - W λ` from the velocities kept so far, solves the contact
//! alone by [`solve_contact`] and books the change of impulse in the velocities of its two bodies. A fixed point
//! satisfies the law at every contact. Sweeps handle slip well, because every contact sees its own cone; they converge
//! slowly where impulses must travel far or from heavy to light bodies.
//!
//! Every [`tolerance::ANDERSON_PERIOD`] sweeps the iterates of the last ones are extrapolated and moved into the cones;
//! the result is taken if its residual is not much worse. Steps are weighed by `w_i`, so that they are velocities.
//! Velocities are computed anew at every mixing, so that round-off of many sweeps does not add up.

use super::anderson::Anderson;
use super::certificate::certify;
use super::friction_cone::project;
use super::local_solve::solve_contact;
use super::problem::{BodyVelocity, ContactProblem};
use crate::math::Vec3;
use crate::tolerance;

/// What the sweeps gave.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepResult {
    /// Best impulses found, N·s, in the contact frames.
    pub impulses: Vec<Vec3>,
    /// Their residual relative to the velocity scale.
    pub relative_residual: f64,
    /// Sweeps done.
    pub sweeps: usize,
}

/// Sweeps from `start` until the relative residual is at most `target`, or the sweeps are used up.
#[must_use]
pub fn gauss_seidel(
    problem: &ContactProblem,
    start: &[Vec3],
    target: f64,
    most_sweeps: usize,
) -> SweepResult {
    let mut impulses = start.to_vec();
    let mut velocities = problem.velocities(&impulses);
    let mut best = SweepResult { impulses: impulses.clone(), relative_residual: f64::INFINITY, sweeps: 0 };
    let mut anderson = Anderson::default();
    for sweep in 1..=most_sweeps {
        let before = flat(problem, &impulses);
        sweep_once(problem, &mut impulses, &mut velocities);
        let after = flat(problem, &impulses);
        let step = after.iter().zip(&before).map(|(a, b)| a - b).collect();
        anderson.push(after, step);
        best.sweeps = sweep;
        let mixes = sweep % tolerance::ANDERSON_PERIOD == 0;
        if !mixes && sweep != 1 && sweep != most_sweeps {
            continue;
        }
        debug_assert!(problem.agrees(&impulses, &velocities), "a sweep forgot an update of its velocities");
        let plain = certify(problem, &impulses).relative();
        keep(&mut best, &impulses, plain);
        if best.relative_residual <= target {
            break;
        }
        if !mixes {
            continue;
        }
        if let Some(mixed) = anderson.extrapolate().map(|x| unflatten(problem, &x)) {
            let residual = certify(problem, &mixed).relative();
            if residual <= tolerance::ANDERSON_GROWTH * plain {
                impulses = mixed;
                keep(&mut best, &impulses, residual);
            }
            anderson.clear();
        }
        velocities = problem.velocities(&impulses);
        if best.relative_residual <= target {
            break;
        }
    }
    best
}

fn sweep_once(problem: &ContactProblem, impulses: &mut [Vec3], velocities: &mut [BodyVelocity]) {
    for (index, impulse) in impulses.iter_mut().enumerate() {
        let contact = &problem.contacts()[index];
        let block = problem.block(index);
        let u = problem.contact_velocity(index, velocities) + Vec3::X * contact.bias();
        let new = solve_contact(&block, u - block * *impulse, contact.friction);
        problem.apply(index, new - *impulse, velocities);
        *impulse = new;
    }
}

fn keep(best: &mut SweepResult, impulses: &[Vec3], residual: f64) {
    if residual < best.relative_residual {
        best.relative_residual = residual;
        best.impulses.copy_from_slice(impulses);
    }
}

fn flat(problem: &ContactProblem, impulses: &[Vec3]) -> Vec<f64> {
    let weighed = |(i, impulse): (usize, &Vec3)| (*impulse * problem.weight(i)).to_array();
    impulses.iter().enumerate().flat_map(weighed).collect()
}

fn unflatten(problem: &ContactProblem, x: &[f64]) -> Vec<Vec3> {
    let contact = |(i, x): (usize, &[f64])| {
        let w = problem.weight(i);
        let impulse = if w > 0.0 { Vec3::new(x[0], x[1], x[2]) / w } else { Vec3::ZERO };
        project(impulse, problem.contacts()[i].friction)
    };
    x.chunks_exact(3).enumerate().map(contact).collect()
}

//! Coulomb's law by exhaustion, against the solver: every contact open, sticking or slipping, in all combinations.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use crate::contact_scenes::random_problem;
use msd::math::Vec3;
use msd::physics::constraints::contact::{ContactProblem, ExactSolverSettings, solve_island};

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    Stick,
    Slip,
}

const STATES: [State; 3] = [State::Open, State::Stick, State::Slip];

/// Unknowns to impulses: three for sticking, the normal impulse and the angle of slip for slipping.
fn impulses(problem: &ContactProblem, states: &[State], x: &[f64]) -> Vec<Vec3> {
    let mut x = x.iter().copied();
    let mut next = || x.next().unwrap();
    let contact = |(k, state): (usize, &State)| match state {
        State::Open => Vec3::ZERO,
        State::Stick => Vec3::new(next(), next(), next()),
        State::Slip => {
            let (normal, angle) = (next(), next());
            let friction = -problem.contacts()[k].friction * normal;
            Vec3::new(normal, friction * angle.cos(), friction * angle.sin())
        }
    };
    states.iter().enumerate().map(contact).collect()
}

/// The equations of the states: no velocity where a contact sticks, none along n and none across the slip where it slips.
fn equations(problem: &ContactProblem, states: &[State], x: &[f64]) -> Vec<f64> {
    let velocities = problem.velocities(&impulses(problem, states, x));
    let mut rows = Vec::new();
    let mut at = 0;
    for (k, state) in states.iter().enumerate() {
        let u = problem.contact_velocity(k, &velocities) + Vec3::X * problem.contacts()[k].bias();
        match state {
            State::Open => {}
            State::Stick => {
                rows.extend(u.to_array());
                at += 3;
            }
            State::Slip => {
                let angle = x[at + 1];
                rows.extend([u.x, u.z * angle.cos() - u.y * angle.sin()]);
                at += 2;
            }
        }
    }
    rows
}

/// Newton's method with differences for derivatives.
fn newton(problem: &ContactProblem, states: &[State], mut x: Vec<f64>) -> Option<Vec<f64>> {
    for _ in 0..30 {
        let f = equations(problem, states, &x);
        if f.iter().all(|f| f.abs() < 1e-13) {
            return Some(x);
        }
        let n = x.len();
        let mut rows: Vec<Vec<f64>> = f.iter().map(|&f| [vec![0.0; n], vec![-f]].concat()).collect();
        for j in 0..n {
            let mut moved = x.clone();
            moved[j] += 1e-6;
            let mut back = x.clone();
            back[j] -= 1e-6;
            let (plus, minus) = (equations(problem, states, &moved), equations(problem, states, &back));
            (0..n).for_each(|i| rows[i][j] = (plus[i] - minus[i]) / 2e-6);
        }
        let step = eliminate(rows)?;
        x.iter_mut().zip(&step).for_each(|(x, s)| *x += s);
    }
    None
}

fn eliminate(mut rows: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let n = rows.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|&a, &b| rows[a][k].abs().total_cmp(&rows[b][k].abs()))?;
        rows.swap(k, pivot);
        if rows[k][k].is_nan() || rows[k][k].abs() <= 1e-9 {
            return None;
        }
        for i in (0..n).filter(|&i| i != k) {
            let factor = rows[i][k] / rows[k][k];
            (k..=n).for_each(|j| rows[i][j] -= factor * rows[k][j]);
        }
    }
    Some((0..n).map(|k| rows[k][n] / rows[k][k]).collect())
}

/// The inequalities that make a solution of the equations one of the law.
fn is_lawful(problem: &ContactProblem, states: &[State], impulses: &[Vec3]) -> bool {
    let velocities = problem.velocities(impulses);
    states.iter().enumerate().all(|(k, state)| {
        let (l, mu) = (impulses[k], problem.contacts()[k].friction);
        let u = problem.contact_velocity(k, &velocities) + Vec3::X * problem.contacts()[k].bias();
        match state {
            State::Open => u.x >= -1e-10,
            State::Stick => l.x >= 0.0 && l.y.hypot(l.z) <= mu * l.x + 1e-10,
            State::Slip => l.x >= 0.0 && l.y * u.y + l.z * u.z <= 1e-12,
        }
    })
}

/// All solutions of the law that Newton's method finds from eight angles of slip at each contact.
fn exhaust(problem: &ContactProblem) -> Vec<Vec<Vec3>> {
    let n = problem.contacts().len() as u32;
    let mut found = Vec::new();
    for code in 0..3usize.pow(n) {
        let states: Vec<State> = (0..n).map(|k| STATES[code / 3usize.pow(k) % 3]).collect();
        let slips = states.iter().filter(|&&state| state == State::Slip).count() as u32;
        for start in 0..8usize.pow(slips) {
            let (mut x, mut digit) = (Vec::new(), start);
            for state in &states {
                match state {
                    State::Open => {}
                    State::Stick => x.extend([0.1, 0.0, 0.0]),
                    State::Slip => {
                        x.extend([0.1, (digit % 8) as f64 * 0.785 + 0.1]);
                        digit /= 8;
                    }
                }
            }
            if let Some(x) = newton(problem, &states, x) {
                let impulses = impulses(problem, &states, &x);
                if is_lawful(problem, &states, &impulses) {
                    found.push(impulses);
                    break;
                }
            }
        }
    }
    found
}

#[test]
fn the_ladder_finds_a_solution_that_exhaustion_finds() {
    let mut kinds = [0; 3];
    for seed in 0..60 {
        let contacts = 1 + seed as usize % 3;
        let problem = random_problem(500 + seed, contacts.min(2), contacts, 0.5, 1.0);
        let solved = solve_island(&problem, &[], &ExactSolverSettings::default());
        assert!(solved.converged, "seed {seed}: {}", solved.residual);
        let all = exhaust(&problem);
        assert!(!all.is_empty(), "seed {seed}: the law has a solution");
        let nearest = all
            .iter()
            .map(|other| {
                let velocities = problem.velocities(other);
                solved.velocities.iter().zip(&velocities).fold(0.0, |worst: f64, (a, b)| {
                    worst.max((a.linear - b.linear).length()).max((a.angular - b.angular).length())
                })
            })
            .fold(f64::INFINITY, f64::min);
        assert!(nearest < 1e-8, "seed {seed}: {nearest} from the nearest of {}", all.len());
        for l in &solved.impulses {
            let friction = l.y.hypot(l.z);
            kinds[if l.x == 0.0 { 0 } else { 1 + usize::from(friction > 0.499_999 * l.x) }] += 1;
        }
    }
    assert!(kinds.iter().all(|&count| count > 5), "open, sticking and slipping all occur: {kinds:?}");
}

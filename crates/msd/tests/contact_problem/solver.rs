//! Contact solvers against each other, against enumeration, and on hard problems.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use crate::contact_scenes::{DT, GRAVITY, Random, random_problem, stack, wall};
use msd::math::Vec3;
use msd::physics::constraints::JacobianRow;
use msd::physics::constraints::contact::{
    BodyVelocity, Contact, ContactBody, ContactLaw, ContactMethod, ContactProblem, ContactSolution,
    ContactSolver, ExactSolverSettings, Impulses, LinearComplementarity, Row, active_set, certify, judge,
    projected_gauss_seidel, solve_island,
};

fn solve_by(method: ContactMethod, problem: &ContactProblem, target: f64, sweeps: usize) -> ContactSolution {
    let settings = ExactSolverSettings {
        method,
        target,
        accepted: target,
        sweeps,
        rounds: 1,
        ..ExactSolverSettings::default()
    };
    solve_island(problem, &[], &settings)
}

fn none(problem: &ContactProblem) -> Vec<Vec3> {
    vec![Vec3::ZERO; problem.contacts().len()]
}

fn largest_difference(problem: &ContactProblem, a: &[Vec3], b: &[Vec3]) -> f64 {
    let (a, b) = (problem.velocities(a), problem.velocities(b));
    a.iter().zip(&b).fold(0.0, |worst: f64, (a, b)| {
        worst.max((a.linear - b.linear).length()).max((a.angular - b.angular).length())
    })
}

/// Solves the rows in `active` by Gauss elimination with pivoting; `None` if they are dependent.
fn solve_rows(problem: &LinearComplementarity, active: &[usize]) -> Option<Vec<f64>> {
    let n = active.len();
    let mut rows: Vec<Vec<f64>> = active
        .iter()
        .map(|&i| active.iter().map(|&j| problem.entry(i, j)).chain([problem.rhs()[i]]).collect())
        .collect();
    for k in 0..n {
        let pivot = (k..n).max_by(|&a, &b| rows[a][k].abs().total_cmp(&rows[b][k].abs()))?;
        rows.swap(k, pivot);
        if rows[k][k].abs() < 1e-11 {
            return None;
        }
        for i in (0..n).filter(|&i| i != k) {
            let factor = rows[i][k] / rows[k][k];
            for j in k..=n {
                rows[i][j] -= factor * rows[k][j];
            }
        }
    }
    Some((0..n).map(|k| rows[k][n] / rows[k][k]).collect())
}

/// Every subset of rows as active set; the first that satisfies all conditions.
fn enumerate(problem: &LinearComplementarity) -> Option<Vec<f64>> {
    let n = problem.size();
    (0..1usize << n).find_map(|subset| {
        let active: Vec<usize> = (0..n).filter(|i| subset >> i & 1 == 1).collect();
        let solved = solve_rows(problem, &active)?;
        let mut lambda = vec![0.0; n];
        active.iter().zip(&solved).for_each(|(&i, &l)| lambda[i] = l);
        (problem.violation(&lambda) < 1e-10).then_some(lambda)
    })
}

#[test]
fn the_active_set_is_that_of_enumeration() {
    let (mut active, mut open) = (0, 0);
    for seed in 0..300 {
        let problem = random_problem(seed, 2, 1 + seed as usize % 4, 0.0, 2.0);
        let lcp = LinearComplementarity::of_normals(&problem);
        let (found, wanted) = (active_set(&lcp), enumerate(&lcp).unwrap());
        assert!(found.converged && lcp.violation(&found.lambda) < 1e-11, "seed {seed}");
        let impulses = |lambda: &[f64]| lambda.iter().map(|&l| Vec3::X * l).collect::<Vec<_>>();
        let off = largest_difference(&problem, &impulses(&found.lambda), &impulses(&wanted));
        assert!(off < 1e-9, "seed {seed}: {off}");
        active += found.active_set_size;
        open += lcp.size() - found.active_set_size;
    }
    assert!(active > 100 && open > 100, "both kinds of contact occur: {active} {open}");
}

#[test]
fn every_frictionless_solver_finds_the_same_velocities() {
    for seed in 0..60 {
        let problem = random_problem(seed, 5, 14, 0.0, 2.0);
        let lcp = LinearComplementarity::of_normals(&problem);
        let dense = active_set(&lcp);
        let swept = projected_gauss_seidel(&lcp, &[], 20_000, 1e-15);
        assert!(dense.converged && swept.converged, "seed {seed}");
        let normal = |lambda: &[f64]| lambda.iter().map(|&l| Vec3::X * l).collect::<Vec<_>>();
        let newton = solve_by(ContactMethod::ProximalNewton, &problem, 1e-12, 0);
        let blocks = solve_by(ContactMethod::GaussSeidel, &problem, 1e-12, 20_000);
        let relative = |solved: &ContactSolution| solved.residual / solved.velocity_scale;
        assert!(relative(&newton) <= 1.1e-12 && relative(&blocks) <= 1.1e-12, "seed {seed}");
        assert!(certify(&problem, &normal(&dense.lambda)).residual < 1e-11);
        for other in [normal(&dense.lambda), normal(&swept.lambda), blocks.impulses] {
            let off = largest_difference(&problem, &newton.impulses, &other);
            assert!(off < 1e-9, "seed {seed}: {off}");
        }
    }
}

#[test]
fn newton_and_gauss_seidel_agree_with_friction() {
    for seed in 0..40 {
        let problem = random_problem(seed, 4, 8, 0.3, 1.0);
        let swept = solve_by(ContactMethod::GaussSeidel, &problem, 1e-13, 5000);
        let solved = solve_island(&problem, &[], &ExactSolverSettings::default());
        assert!(swept.residual < 1e-11 && solved.converged, "seed {seed}: {swept:?}");
        assert_eq!(solved.problem, ContactLaw::Coulomb);
        let off = largest_difference(&problem, &swept.impulses, &solved.impulses);
        assert!(off < 1e-9, "seed {seed}: {off}");
    }
}

#[test]
fn random_islands_with_friction_reach_the_target() {
    for (friction, decades) in [(0.3, 4.0), (0.8, 0.0), (0.8, 4.0), (1.5, 0.0)] {
        for seed in 100..110 {
            let problem = random_problem(seed, 5, 12, friction, decades);
            let solved = solve_island(&problem, &[], &ExactSolverSettings::default());
            let relative = solved.residual / solved.velocity_scale;
            assert!(
                relative <= 1e-9,
                "μ {friction}, 1e{decades}, seed {seed}: {relative} {:?}",
                solved.iterations
            );
        }
    }
}

#[test]
fn friction_never_adds_energy_at_resting_contacts() {
    for seed in 0..40 {
        let mut problem = random_problem(seed, 4, 8, 0.6, 1.0);
        let contacts = problem.contacts().iter().map(|c| Contact { speculative_bias: 0.0, ..*c });
        problem = ContactProblem::new(problem.bodies().to_vec(), contacts.collect()).unwrap();
        let solved = solve_island(&problem, &[], &ExactSolverSettings::default());
        let (before, after) = (problem.velocities(&none(&problem)), &solved.velocities);
        let gained = problem.kinetic_energy(after) - problem.kinetic_energy(&before);
        assert!(gained <= 1e-9, "seed {seed}: {gained} J");
    }
}

#[test]
fn stacks_of_any_mass_ratio_rest_exactly() {
    for friction in [0.0, 0.5] {
        for ratio in [1.0, 1e2, 1e4, 1e6] {
            for boxes in [2, 5, 10] {
                let top: Vec<f64> = (1..=boxes).map(|k| if k == boxes { ratio } else { 1.0 }).collect();
                let alternating: Vec<f64> =
                    (0..boxes).map(|k| if k % 2 == 1 { ratio } else { 1.0 }).collect();
                for masses in [top, alternating] {
                    let problem = stack(&masses, friction, Vec3::ZERO);
                    let solved = solve_island(&problem, &[], &ExactSolverSettings::default());
                    assert!(solved.residual < 1e-9, "μ {friction}, {ratio}, {boxes}: {}", solved.residual);
                    let swept = friction > 0.0 && ratio < 1e3;
                    assert!(swept || solved.iterations.sweeps == 0, "Newton alone");
                    let weight: f64 = masses.iter().sum::<f64>() * GRAVITY * DT;
                    let ground: f64 = solved.impulses[..4].iter().map(|impulse| impulse.x).sum();
                    // A velocity of 1e-9 m/s is 1e-8 of the change by gravity in the step.
                    assert!((ground - weight).abs() < 1e-8 * weight, "{ground} {weight}");
                    for velocity in &solved.velocities {
                        assert!(velocity.linear.length() < 1e-8);
                    }
                }
            }
        }
    }
}

#[test]
fn sliding_stacks_lose_friction_times_gravity_whatever_their_masses() {
    for ratio in [1.0, 1e2, 1e4, 1e6] {
        // The centre of mass is at most 1.5 m high: at μ = 0.2 the stack does not tip over its edge 0.5 m ahead.
        let problem = stack(&[1.0, ratio], 0.2, Vec3::new(1.0, 0.3, 0.0));
        let solved = solve_island(&problem, &[], &ExactSolverSettings::default());
        assert!(solved.converged, "{ratio}: {} {:?}", solved.residual, solved.iterations);
        let expected = Vec3::new(1.0, 0.3, 0.0) * (1.0 - 0.2 * GRAVITY * DT / 1.09f64.sqrt());
        let (light, heavy) = (solved.velocities[1].linear, solved.velocities[2].linear);
        let whole = (light + ratio * heavy) / (1.0 + ratio);
        assert!((whole - expected).length() < 1e-9, "{ratio}: {whole} {expected}");
        // Both boxes lose the same, so the faces between them are exactly at the limit of sticking, where a slip s costs a
        // residual of second order: velocities of the single boxes follow from a residual of 1e-11 only to its root.
        assert!(
            (light - expected).length() < 3e-6 && (heavy - expected).length() < 3e-6,
            "{ratio}: {light} {heavy}"
        );
    }
}

#[test]
fn stacks_that_slide_and_tip_are_certified() {
    for ratio in [1.0, 1e2, 1e4] {
        let problem = stack(&[1.0, ratio], 0.5, Vec3::new(1.0, 0.3, 0.0));
        let solved = solve_island(&problem, &[], &ExactSolverSettings::default());
        assert!(solved.converged, "{ratio}: {} {:?}", solved.residual, solved.iterations);
    }
}

#[test]
fn a_wall_of_boxes_at_rest_is_certified() {
    for friction in [0.0, 0.5] {
        let problem = wall(5, 5, friction, Vec3::ZERO);
        let solved = solve_island(&problem, &[], &ExactSolverSettings::default());
        assert!(solved.converged, "{} {:?}", solved.residual, solved.iterations);
        assert!(solved.velocities.iter().all(|v| v.linear.length() < 1e-7));
        let again = solve_island(&problem, &solved.impulses, &ExactSolverSettings::default());
        assert!(again.residual <= solved.residual);
    }
}

#[test]
fn permuted_contacts_carry_the_same_impulses() {
    let problems = [stack(&[1.0, 3.0, 2.0], 0.0, Vec3::ZERO), stack(&[1.0, 3.0, 2.0], 0.4, Vec3::ZERO)];
    for (which, problem) in problems.iter().enumerate() {
        let settings = ExactSolverSettings { target: 1e-14, ..ExactSolverSettings::default() };
        let reference = solve_island(problem, &[], &settings);
        let mut random = Random(7 + which as u64);
        for _ in 0..10 {
            let mut order: Vec<usize> = (0..problem.contacts().len()).collect();
            for k in (1..order.len()).rev() {
                order.swap(k, ((random.number() + 1.0) * 0.5 * (k + 1) as f64) as usize);
            }
            let contacts = order.iter().map(|&i| problem.contacts()[i]).collect();
            let permuted = ContactProblem::new(problem.bodies().to_vec(), contacts).unwrap();
            let solved = solve_island(&permuted, &[], &settings);
            for (k, &i) in order.iter().enumerate() {
                let off = (solved.impulses[k] - reference.impulses[i]).length();
                assert!(off < 1e-12, "{off}");
            }
        }
    }
}

/// The same problem seen in a mirror across y.
fn mirrored(problem: &ContactProblem) -> ContactProblem {
    let across = |v: Vec3| Vec3::new(v.x, -v.y, v.z);
    // An angular velocity is an axial vector.
    let axial = |v: Vec3| -across(v);
    let bodies = problem.bodies().iter().map(|body| ContactBody {
        free: BodyVelocity { linear: across(body.free.linear), angular: axial(body.free.angular) },
        ..*body
    });
    let contacts = problem.contacts().iter().map(|c| {
        let normal = across(c.frame.x_axis);
        let (arm_a, arm_b) = (across(c.arm_a), across(c.arm_b));
        let turned = Contact::touching(c.body_a, c.body_b, arm_a, arm_b, normal);
        Contact { frame: turned.frame, arm_a, arm_b, ..*c }
    });
    ContactProblem::new(bodies.collect(), contacts.collect()).unwrap()
}

#[test]
fn a_mirrored_problem_has_the_mirrored_solution() {
    for seed in 0..30 {
        let problem = random_problem(seed, 4, 8, 0.4, 1.0);
        let settings =
            ExactSolverSettings { target: 1e-13, accepted: 1e-13, ..ExactSolverSettings::default() };
        let (here, there) =
            (solve_island(&problem, &[], &settings), solve_island(&mirrored(&problem), &[], &settings));
        for (a, b) in here.velocities.iter().zip(&there.velocities) {
            let b = Vec3::new(b.linear.x, -b.linear.y, b.linear.z);
            assert!((a.linear - b).length() < 1e-9, "seed {seed}: {} {b}", a.linear);
        }
    }
}

#[test]
fn the_same_problem_gives_the_same_bits() {
    let problem = random_problem(3, 5, 12, 0.5, 2.0);
    let (a, b) = (
        solve_island(&problem, &[], &ExactSolverSettings::default()),
        solve_island(&problem, &[], &ExactSolverSettings::default()),
    );
    assert_eq!(a, b);
}

#[test]
fn a_useless_start_does_no_harm() {
    let problem = stack(&[1.0, 2.0], 0.4, Vec3::ZERO);
    let wild = vec![Vec3::new(f64::NAN, 1.0, f64::INFINITY); problem.contacts().len()];
    assert!(solve_island(&problem, &wild, &ExactSolverSettings::default()).converged);
    let pulling = vec![Vec3::new(-5.0, 3.0, 1.0); problem.contacts().len()];
    assert!(solve_island(&problem, &pulling, &ExactSolverSettings::default()).converged);
}

#[test]
fn what_is_not_solved_says_so() {
    let problem = stack(&[1.0, 1e4, 1.0, 1e4], 0.0, Vec3::ZERO);
    let settings =
        ExactSolverSettings { first_factorisations: 1, rounds: 0, ..ExactSolverSettings::default() };
    let solved = solve_island(&problem, &[], &settings);
    assert!(!solved.converged && solved.residual > 1e-8);
}

#[test]
fn what_is_not_solved_adds_no_energy() {
    let none = ExactSolverSettings {
        opening_sweeps: 0,
        first_factorisations: 0,
        interior_steps: 0,
        alternations: 0,
        rounds: 0,
        ..ExactSolverSettings::default()
    };
    let mut replaced = 0;
    for seed in 0..60 {
        let mut problem = random_problem(seed, 4, 8, 0.6, 2.0);
        let contacts = problem.contacts().iter().map(|c| Contact { speculative_bias: 0.0, ..*c });
        problem = ContactProblem::new(problem.bodies().to_vec(), contacts.collect()).unwrap();
        let mut random = Random(seed);
        let wild = problem.contacts().iter().map(|_| 20.0 * random.vector()).collect();
        let mut impulses = Impulses { contacts: wild, ..Impulses::default() };
        let mut solver = ContactSolver::default();
        let report = solver.solve(&problem, &mut impulses, &none);
        let before = problem.kinetic_energy(&problem.velocities(&[]));
        let after = problem.kinetic_energy(solver.velocities());
        assert!(!report.converged && after <= before * (1.0 + 1e-12), "seed {seed}: {before} {after}");
        replaced += usize::from(report.made_passive);
    }
    assert!(replaced > 30, "wild impulses mostly add energy: {replaced}");
}

/// Every assignment of contacts (open or closed) and rows (at a bound or free); the first that satisfies all conditions.
fn enumerate_with_rows(problem: &ContactProblem) -> Option<Impulses> {
    let (contacts, rows) = (problem.contacts().len(), problem.rows().len());
    let count = contacts + rows;
    let all = |x: &[f64]| Impulses {
        contacts: x[..contacts].iter().map(|&l| Vec3::X * l).collect(),
        moments: vec![Vec3::ZERO; contacts],
        rows: x[contacts..].to_vec(),
    };
    let velocities = |x: &[f64]| {
        let mut v = Vec::new();
        problem.velocities_of(&all(x), &mut v);
        let normal = (0..contacts).map(|i| problem.contact_velocity(i, &v).x + problem.contacts()[i].bias());
        let along = (0..rows).map(|i| problem.row_velocity(i, &v) - problem.rows()[i].target);
        normal.chain(along).collect::<Vec<f64>>()
    };
    (0..3usize.pow(count as u32)).find_map(|code| {
        let place = |k: usize| code / 3usize.pow(k as u32) % 3;
        let mut x = vec![0.0; count];
        for k in 0..rows {
            let row = &problem.rows()[k];
            x[contacts + k] = [0.0, row.lower, row.upper][place(contacts + k)];
        }
        if x.iter().any(|x| !x.is_finite()) || (0..contacts).any(|k| place(k) == 2) {
            return None;
        }
        let free: Vec<usize> =
            (0..count).filter(|&k| if k < contacts { place(k) == 1 } else { place(k) == 0 }).collect();
        let base = velocities(&x);
        let matrix: Vec<Vec<f64>> = free
            .iter()
            .map(|&j| {
                let mut moved = x.clone();
                moved[j] += 1.0;
                velocities(&moved).iter().zip(&base).map(|(m, b)| m - b).collect()
            })
            .collect();
        let square: Vec<Vec<f64>> =
            free.iter().map(|&i| (0..free.len()).map(|j| matrix[j][i]).collect()).collect();
        let rhs: Vec<f64> = free.iter().map(|&i| -base[i]).collect();
        let lcp = LinearComplementarity::new(&square, &rhs)?;
        let solved = solve_rows(&lcp, &(0..free.len()).collect::<Vec<usize>>())?;
        free.iter().zip(&solved).for_each(|(&i, &l)| x[i] = l);
        let found = all(&x);
        (judge(problem, &found, &mut Vec::new()).residual < 1e-10).then_some(found)
    })
}

#[test]
fn rows_and_contacts_together_are_those_of_enumeration() {
    let mut bounded = 0;
    for seed in 0..60 {
        let base = random_problem(seed, 2, 3, 0.0, 1.0);
        let mut random = Random(seed + 1000);
        let mut row = |a: usize, b: usize, lower: f64, upper: f64| Row {
            lower,
            upper,
            ..Row::rigid(
                a,
                b,
                JacobianRow {
                    linear_a: random.vector(),
                    angular_a: random.vector(),
                    linear_b: random.vector(),
                    angular_b: random.vector(),
                },
                random.number(),
            )
        };
        let rows = vec![
            row(1, 2, f64::NEG_INFINITY, f64::INFINITY),
            row(0, 1, 0.0, f64::INFINITY),
            row(0, 2, -0.1, 0.2),
        ];
        let problem =
            ContactProblem::with_rows(base.bodies().to_vec(), base.contacts().to_vec(), rows).unwrap();
        let wanted = enumerate_with_rows(&problem).unwrap();
        let (mut solver, mut impulses) = (ContactSolver::default(), Impulses::default());
        let report = solver.solve(&problem, &mut impulses, &ExactSolverSettings::default());
        assert!(report.converged, "seed {seed}: {report:?}");
        let mut v = Vec::new();
        problem.velocities_of(&wanted, &mut v);
        for (a, b) in solver.velocities().iter().zip(&v) {
            let off = (a.linear - b.linear).length() + (a.angular - b.angular).length();
            assert!(off < 1e-9, "seed {seed}: {off}");
        }
        bounded += usize::from(wanted.rows[2].abs() >= 0.1);
    }
    assert!(bounded > 10, "motors at their strength occur: {bounded}");
}

#[test]
fn a_body_squeezed_by_walls_that_close_is_reported_and_stays_finite() {
    let wall = |x: f64| ContactBody::immovable(BodyVelocity { linear: Vec3::X * x, angular: Vec3::ZERO });
    let bodies = vec![wall(1.0), wall(-1.0), crate::contact_scenes::solid_box(1.0, Vec3::ONE, Vec3::ZERO)];
    let contacts = vec![
        Contact::touching(0, 2, Vec3::ZERO, Vec3::X * -0.5, Vec3::X),
        Contact::touching(2, 1, Vec3::X * 0.5, Vec3::ZERO, Vec3::X),
    ];
    let problem = ContactProblem::new(bodies, contacts).unwrap();
    assert!(!active_set(&LinearComplementarity::of_normals(&problem)).converged);
    let solved = solve_island(&problem, &[], &ExactSolverSettings::default());
    assert!(!solved.converged && solved.residual >= 1.0);
    assert!(solved.velocities.iter().all(|v| v.linear.is_finite() && v.linear.length() < 2.0));
}

#[test]
fn contact_between_immovable_bodies_asks_for_nothing() {
    let wall = |x: f64| ContactBody::immovable(BodyVelocity { linear: Vec3::X * x, angular: Vec3::ZERO });
    let contact = Contact::touching(0, 1, Vec3::ZERO, Vec3::ZERO, Vec3::X).with_friction(0.5);
    let problem = ContactProblem::new(vec![wall(1.0), wall(-1.0)], vec![contact]).unwrap();
    let solved = solve_island(&problem, &[], &ExactSolverSettings::default());
    assert!(solved.converged && solved.impulses == [Vec3::ZERO]);
}

#[test]
fn small_changes_cost_less_than_a_cold_start() {
    let cold = solve_island(&wall(5, 4, 0.0, Vec3::ZERO), &[], &ExactSolverSettings::default());
    let moved = wall(5, 4, 0.0, Vec3::new(1e-9, 0.0, 0.0));
    let mut bodies = moved.bodies().to_vec();
    bodies[3].free.linear.z -= 1e-6;
    let moved = ContactProblem::new(bodies, moved.contacts().to_vec()).unwrap();
    let warm = solve_island(&moved, &cold.impulses, &ExactSolverSettings::default());
    assert!(warm.converged && cold.converged);
    assert!(
        2 * warm.iterations.factorisations <= cold.iterations.factorisations,
        "{:?} {:?}",
        warm.iterations,
        cold.iterations
    );
}

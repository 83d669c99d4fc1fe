//! Physics "GJK", "EPA", "collision handler", "manifold".

use msd::math::{Quat, ReferenceFrame, Vec3};
use msd::physics::collision::{
    CollisionHandler, CollisionResult, Epa, EpaStatus, Gjk, GjkStart, GjkStatus, MinkowskiDifference,
    SupportFunction, penetration,
};
use msd::physics::rigid_body::shape::{ConvexHull, Cuboid, Shape};

use super::Random;

/// Iterations of GJK and EPA over random pairs of one shape, in sorted order; and of EPA those that did not converge.
struct Counts {
    gjk: Vec<u32>,
    epa: Vec<u32>,
}

fn counts<S: SupportFunction>(shape: &S, pairs: usize) -> Counts {
    let mut random = Random(11);
    let mut counts = Counts { gjk: Vec::new(), epa: Vec::new() };
    for _ in 0..pairs {
        let turn = |random: &mut Random| {
            Quat::from_xyzw(random.next(), random.next(), random.next(), random.next()).normalize()
        };
        let pose_a = ReferenceFrame::new(Vec3::ZERO, turn(&mut random));
        let pose_b = ReferenceFrame::new(random.vector() * 1.5, turn(&mut random));
        let difference = MinkowskiDifference::new(shape, &pose_a, shape, &pose_b);
        let near = Gjk::default().distance(&difference, &GjkStart::COLD);
        assert!(matches!(near.status, GjkStatus::Separated | GjkStatus::Overlapping), "{:?}", near.status);
        counts.gjk.push(near.iterations);
        if near.status == GjkStatus::Overlapping {
            let deep = Epa::default().penetration(&difference, &near.simplex);
            assert_eq!(deep.status, EpaStatus::Converged);
            counts.epa.push(deep.iterations);
        }
    }
    counts.gjk.sort_unstable();
    counts.epa.sort_unstable();
    counts
}

fn sphere_points(count: usize) -> Vec<Vec3> {
    let mut random = Random(5);
    let mut points = Vec::new();
    while points.len() < count {
        points.extend(random.vector().try_normalize().map(|unit| unit * 0.5));
    }
    points
}

/// Promised: typically fewer than 20 iterations of GJK. Held for every one of 2 000 pairs of each shape.
#[test]
fn gjk_takes_fewer_than_twenty_iterations() {
    let cube = Cuboid::new(Vec3::ONE).unwrap();
    assert!(counts(&cube, 2000).gjk.last().is_some_and(|most| *most < 20));
    for corners in [8, 20, 200] {
        let hull = ConvexHull::from_points(&sphere_points(corners)).unwrap();
        let most = *counts(&hull, 2000).gjk.last().unwrap();
        assert!(most < 20, "{corners} corners: {most}");
    }
}

/// Promised: 4 to 11 iterations of EPA for simple shapes, 64 at most. Held for the middle nine tenths of pairs of boxes and for the
/// median of hulls with 20 corners; no pair of either takes 64. (Hulls with 200 corners, which are not simple, take up to 100.)
#[test]
fn epa_takes_four_to_eleven_iterations_for_simple_shapes() {
    let cube = counts(&Cuboid::new(Vec3::ONE).unwrap(), 3000).epa;
    assert!(cube.len() > 500);
    assert!(cube[cube.len() * 95 / 100] <= 11, "{}", cube[cube.len() * 95 / 100]);
    assert!(*cube.last().unwrap() < 64);
    let hull = counts(&ConvexHull::from_points(&sphere_points(20)).unwrap(), 3000).epa;
    assert!((4..=11).contains(&hull[hull.len() / 2]), "{}", hull[hull.len() / 2]);
    assert!(*hull.last().unwrap() < 64);
    let fine = counts(&ConvexHull::from_points(&sphere_points(200)).unwrap(), 1000).epa;
    assert!(*fine.last().unwrap() <= 100);
}

/// Promised: 80 bytes for a result; normal from A to B, depth and a witness on each body. The handler and the queries of the engine
/// agree.
#[test]
fn the_handler_reports_depth_normal_and_witnesses() {
    assert_eq!(size_of::<CollisionResult>(), 80);
    let cube = Cuboid::new(Vec3::ONE).unwrap();
    let (a, b) = (ReferenceFrame::IDENTITY, ReferenceFrame::from_position(Vec3::new(0.75, 0.1, 0.0)));
    let found = CollisionHandler::default().check_collision(&cube, &a, &cube, &b).unwrap();
    assert!((found.penetration_depth - 0.25).abs() < 1e-14);
    assert!((found.normal - Vec3::X).length() < 1e-14);
    let between = found.contact_point_a - found.contact_point_b;
    assert!((between - found.normal * found.penetration_depth).length() < 1e-14);
    let shape = Shape::from(cube);
    let direct = penetration(&shape, &a, &shape, &b).unwrap();
    assert!((direct.penetration_depth - found.penetration_depth).abs() < 1e-14);
    let apart = ReferenceFrame::from_position(Vec3::X * 1.001);
    assert!(CollisionHandler::default().check_collision(&cube, &a, &cube, &apart).is_none());
}

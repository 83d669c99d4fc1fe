//! The scenes, from one generator.

use msd::math::{Quat, ReferenceFrame, Vec3};

use super::scene::{Form, Joint, Question, Random, Scene};

/// All scenes.
pub fn all() -> Vec<Scene> {
    let cube = |_: &mut Random| Form::Cuboid(Vec3::splat(0.5));
    vec![
        pyramid(20),
        pyramid(40),
        pyramid(100),
        small_pyramids(10, 6),
        stack(),
        chain(),
        grid(30),
        ragdolls(200),
        pour("200 boxes poured", 200, 7, cube),
        pour("1 000 boxes poured", 1000, 10, cube),
        pour("5 000 boxes poured", 5000, 18, cube),
        pour("500 hulls of 12 points poured", 500, 9, |r| hull(12, r)),
        pour("500 hulls of 32 points poured", 500, 9, |r| hull(32, r)),
        pour("500 spheres poured", 500, 9, |_| Form::Ball(0.25)),
        drum(2000),
        free(10_000),
    ]
}

/// A wall of 1 m cubes in rows of one less each, touching upward and 0.1 m apart sideways.
pub fn pyramid(rows: usize) -> Scene {
    let mut scene = Scene::new(&format!("pyramid of {rows} rows"), Question::Drift);
    scene.floor(4.0 * rows as f64);
    for row in 0..rows {
        let count = rows - row;
        for k in 0..count {
            let x = 1.1 * (k as f64 - 0.5 * (count - 1) as f64);
            scene.add(Form::Cuboid(Vec3::ONE), Vec3::new(x, 0.0, row as f64 + 0.5), Some(1000.0));
        }
    }
    scene
}

/// `wide` × `wide` walls of `rows` rows, far enough apart never to meet: as many islands.
fn small_pyramids(wide: usize, rows: usize) -> Scene {
    let mut scene = Scene::new(&format!("{} pyramids of {rows} rows", wide * wide), Question::Drift);
    let width = 1.5 * rows as f64;
    scene.floor(2.0 * width * wide as f64);
    for place in 0..wide * wide {
        let corner = 0.5 * (wide - 1) as f64;
        let at = Vec3::new((place % wide) as f64 - corner, (place / wide) as f64 - corner, 0.0) * width;
        for row in 0..rows {
            let count = rows - row;
            for k in 0..count {
                let x = 1.1 * (k as f64 - 0.5 * (count - 1) as f64);
                let shape = Form::Cuboid(Vec3::ONE);
                scene.add(shape, at + Vec3::new(x, 0.0, row as f64 + 0.5), Some(1000.0));
            }
        }
    }
    scene
}

/// Nine 1 m cubes of 1 kg with one of 1 000 kg on top.
fn stack() -> Scene {
    let mut scene = Scene::new("stack of ten, 1 000 kg on nine of 1 kg", Question::Drift);
    scene.floor(20.0);
    for k in 0..10 {
        let mass = if k == 9 { 1000.0 } else { 1.0 };
        scene.add(Form::Cuboid(Vec3::ONE), Vec3::new(0.0, 0.0, f64::from(k) + 0.5), Some(mass));
    }
    scene
}

/// Fifty links of 1 kg, 0.5 m apart, held out sideways and let go; the last weighs 1 000 kg. Links do not collide.
fn chain() -> Scene {
    let mut scene = Scene::new("chain of 50, 1 000 kg at the end", Question::Stretch);
    scene.collide = false;
    let mut last = scene.add(Form::Cuboid(Vec3::splat(0.2)), Vec3::ZERO, None);
    for k in 1..=50 {
        let mass = if k == 50 { 1000.0 } else { 1.0 };
        let x = 0.5 * f64::from(k);
        let link = scene.add(Form::Cuboid(Vec3::new(0.4, 0.2, 0.2)), Vec3::new(x, 0.0, 0.0), Some(mass));
        scene.joints.push(Joint { a: last, b: link, anchor: Vec3::new(x - 0.25, 0.0, 0.0) });
        last = link;
    }
    scene
}

/// A net of `wide` × `wide` balls, each joined to its neighbours, hung up by two corners and let go from level. Loops
/// everywhere; balls do not collide.
fn grid(wide: usize) -> Scene {
    let mut scene = Scene::new(&format!("net of {wide} x {wide} joints"), Question::Stretch);
    (scene.collide, scene.steps) = (false, 180);
    for k in 0..wide * wide {
        let (x, y) = ((k % wide) as f64, (k / wide) as f64);
        let held = k == 0 || k == wide - 1;
        scene.add(Form::Ball(0.2), Vec3::new(x, y, 0.0), (!held).then_some(1.0));
        if k % wide > 0 {
            scene.joints.push(Joint { a: k - 1, b: k, anchor: Vec3::new(x - 0.5, y, 0.0) });
        }
        if k >= wide {
            scene.joints.push(Joint { a: k - wide, b: k, anchor: Vec3::new(x, y - 0.5, 0.0) });
        }
    }
    scene
}

/// Figures of eleven boxes and ten ball joints that fall on a floor in rows.
fn ragdolls(count: usize) -> Scene {
    // Middle, full lengths, mass; then which is joined to which, and where.
    const PARTS: [([f64; 3], [f64; 3], f64); 11] = [
        ([0.0, 0.0, 0.0], [0.30, 0.20, 0.20], 10.0),
        ([0.0, 0.0, 0.40], [0.36, 0.22, 0.48], 25.0),
        ([0.0, 0.0, 0.82], [0.20, 0.20, 0.24], 5.0),
        ([0.36, 0.0, 0.56], [0.28, 0.10, 0.10], 2.5),
        ([0.66, 0.0, 0.56], [0.26, 0.08, 0.08], 1.5),
        ([-0.36, 0.0, 0.56], [0.28, 0.10, 0.10], 2.5),
        ([-0.66, 0.0, 0.56], [0.26, 0.08, 0.08], 1.5),
        ([0.10, 0.0, -0.34], [0.15, 0.15, 0.40], 8.0),
        ([0.10, 0.0, -0.80], [0.12, 0.12, 0.44], 4.0),
        ([-0.10, 0.0, -0.34], [0.15, 0.15, 0.40], 8.0),
        ([-0.10, 0.0, -0.80], [0.12, 0.12, 0.44], 4.0),
    ];
    const JOINTS: [(usize, usize, [f64; 3]); 10] = [
        (0, 1, [0.0, 0.0, 0.13]),
        (1, 2, [0.0, 0.0, 0.67]),
        (1, 3, [0.20, 0.0, 0.56]),
        (3, 4, [0.515, 0.0, 0.56]),
        (1, 5, [-0.20, 0.0, 0.56]),
        (5, 6, [-0.515, 0.0, 0.56]),
        (0, 7, [0.10, 0.0, -0.12]),
        (7, 8, [0.10, 0.0, -0.56]),
        (0, 9, [-0.10, 0.0, -0.12]),
        (9, 10, [-0.10, 0.0, -0.56]),
    ];
    let mut scene = Scene::new(&format!("{count} figures of 11 boxes"), Question::Stretch);
    (scene.moving, scene.steps) = (120, 420);
    let wide = (count as f64).sqrt().ceil() as usize;
    scene.floor(4.0 * wide as f64);
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    for k in 0..count {
        let corner = 0.5 * (wide - 1) as f64;
        let at = Vec3::new((k % wide) as f64 - corner, (k / wide) as f64 - corner, 0.0) * 2.0;
        let turn = Quat::from_scaled_axis(random.direction() * 0.5);
        let frame = ReferenceFrame::new(at + Vec3::Z * 2.0, turn);
        let first = scene.bodies.len();
        for (middle, size, mass) in PARTS {
            let place = frame.point_to_parent(middle.into());
            let part = scene.add(Form::Cuboid(size.into()), place, Some(mass));
            scene.bodies[part].frame.orientation = turn;
        }
        for (a, b, anchor) in JOINTS {
            let anchor = frame.point_to_parent(anchor.into());
            scene.joints.push(Joint { a: first + a, b: first + b, anchor });
        }
    }
    scene
}

fn hull(count: usize, random: &mut Random) -> Form {
    Form::Hull((0..count).map(|_| random.direction() * 0.3).collect())
}

/// Bodies in layers of `wide` × `wide`, each a little out of place and turned at random, let fall into an open box.
fn pour(name: &str, count: usize, wide: usize, mut form: impl FnMut(&mut Random) -> Form) -> Scene {
    const SPACING: f64 = 1.0;
    let mut scene = Scene::new(name, Question::Nothing);
    (scene.moving, scene.steps) = (150, 420);
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    let width = wide as f64 * SPACING;
    scene.floor(width + 4.0);
    for (x, y) in [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)] {
        let side = Vec3::new(x, y, 0.0);
        let size =
            Vec3::new(if x == 0.0 { width + 2.0 } else { 1.0 }, if y == 0.0 { width } else { 1.0 }, width);
        scene.add(Form::Cuboid(size), side * (0.5 * width + 0.5) + Vec3::Z * (0.5 * width), None);
    }
    for k in 0..count {
        let (layer, place) = (k / (wide * wide), k % (wide * wide));
        let grid = Vec3::new((place % wide) as f64, (place / wide) as f64, layer as f64 + 0.5);
        let corner = Vec3::new(0.5 - 0.5 * wide as f64, 0.5 - 0.5 * wide as f64, 0.5);
        let shape = form(&mut random);
        let body = scene.add(shape, (grid + corner) * SPACING + random.vector() * 0.04, Some(50.0));
        scene.bodies[body].frame.orientation = Quat::from_scaled_axis(random.direction() * 2.0);
    }
    scene
}

/// Boxes in a closed drum of 24 planks that turns about its level axis, once in 9 s.
fn drum(count: usize) -> Scene {
    const RADIUS: f64 = 6.0;
    const LENGTH: f64 = 8.0;
    const PLANKS: usize = 24;
    let mut scene = Scene::new(&format!("drum with {count} boxes"), Question::Nothing);
    (scene.moving, scene.settled, scene.steps) = (150, 60, 300);
    let step = std::f64::consts::TAU / PLANKS as f64;
    let plank = Vec3::new(1.0, LENGTH, 2.0 * (RADIUS + 1.0) * (0.5 * step).tan());
    let mut parts: Vec<(ReferenceFrame, Vec3)> = (0..PLANKS)
        .map(|k| {
            let turn = Quat::from_rotation_y(step * k as f64);
            (ReferenceFrame::new(turn * Vec3::X * (RADIUS + 0.5), turn), plank)
        })
        .collect();
    for side in [-1.0, 1.0] {
        let end = ReferenceFrame::new(Vec3::Y * side * (0.5 * LENGTH + 0.5), Quat::IDENTITY);
        parts.push((end, Vec3::new(2.0 * RADIUS + 2.0, 1.0, 2.0 * RADIUS + 2.0)));
    }
    let drum = scene.add(Form::Cuboids(parts), Vec3::ZERO, None);
    scene.bodies[drum].angular_velocity = Vec3::Y * 0.7;
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    // Layers upward from the bottom, as wide as the drum is there, with room between.
    const PITCH: f64 = 0.55;
    let (mut z, mut left) = (-0.8 * RADIUS, count);
    while left > 0 {
        let half = (0.9 * RADIUS * RADIUS - z * z).sqrt();
        let (wide, deep) = ((2.0 * half / PITCH) as usize, (LENGTH / PITCH) as usize - 1);
        for place in 0..(wide * deep).min(left) {
            let x = PITCH * ((place % wide) as f64 - 0.5 * (wide - 1) as f64);
            let y = PITCH * ((place / wide) as f64 - 0.5 * (deep - 1) as f64);
            let at = Vec3::new(x, y, z) + random.vector() * 0.02;
            let body = scene.add(Form::Cuboid(Vec3::splat(0.3)), at, Some(20.0));
            scene.bodies[body].frame.orientation = Quat::from_scaled_axis(random.direction() * 2.0);
        }
        left -= (wide * deep).min(left);
        z += PITCH;
    }
    scene
}

/// Boxes on a floor, each alone: as many islands of four contacts.
pub fn scattered(count: usize) -> Scene {
    let mut scene = Scene::new(&format!("{count} boxes apart"), Question::Drift);
    let wide = (count as f64).sqrt().ceil() as usize;
    scene.floor(3.0 * wide as f64);
    for k in 0..count {
        let corner = 0.5 * (wide - 1) as f64;
        let at = Vec3::new((k % wide) as f64 - corner, (k / wide) as f64 - corner, 0.0) * 2.0;
        scene.add(Form::Cuboid(Vec3::ONE), at + Vec3::Z * 0.5, Some(1000.0));
    }
    scene
}

/// Boxes that turn and drift apart and never meet, without gravity.
pub fn free(count: usize) -> Scene {
    let mut scene = Scene::new(&format!("{count} free bodies"), Question::Nothing);
    (scene.gravity, scene.moving, scene.settled, scene.steps) = (0.0, 20, 20, 60);
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let wide = (count as f64).cbrt().ceil() as usize;
    for k in 0..count {
        let cell = Vec3::new((k % wide) as f64, (k / wide % wide) as f64, (k / wide / wide) as f64);
        let place = (cell - Vec3::splat(0.5 * wide as f64)) * 3.0;
        let body = scene.add(Form::Cuboid(Vec3::new(0.3, 0.5, 0.7)), place, Some(10.0));
        scene.bodies[body].velocity = place * 0.02;
        scene.bodies[body].angular_velocity = random.vector() * 2.0;
    }
    scene
}

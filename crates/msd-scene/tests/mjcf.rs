//! MJCF: half sizes, degrees, classes and joints mean what they mean in MuJoCo, and nothing is dropped silently.

#![expect(clippy::unwrap_used, reason = "a test ends where a promise is broken")]

use std::f64::consts::PI;

use msd_scene::model::{Joint, Orientation, Shape};
use msd_scene::report::Report;
use msd_scene::source::Format;
use msd_scene::{LoadOptions, Scene, Simulation, Verdict};

mod support;

use support::{assert_close, body};

fn model(inner: &str) -> String {
    format!("<mujoco model=\"m\">\n{inner}\n</mujoco>")
}

fn scene(inner: &str) -> Scene {
    Scene::parse_str("m.xml", &model(inner), Format::Robot).unwrap_or_else(|errors| panic!("{errors}"))
}

fn problems(inner: &str) -> String {
    Scene::parse_str("m.xml", &model(inner), Format::Robot).unwrap_err().to_string()
}

fn run(scene: &Scene) -> Report {
    let outcome = Simulation::new(scene.build().unwrap()).run(|_, _| true);
    assert_eq!(outcome.ending, msd_scene::Ending::Done);
    outcome.report
}

#[test]
fn a_pendulum_stands_on_the_other_side_after_half_a_period() {
    // 2 kg in a ball of 0.1 m, 1 m from the hinge: I = m (1 + 0.4 · 0.01), so the length that counts is 1.004 m. Half a
    // period from 60° is 2 √(l/g) K(sin 30°); for 1 m it is 1.076437333440258 s.
    let mut scene = scene(
        r#"<option timestep="0.001"/><worldbody><body name="bob"><joint type="hinge" axis="0 1 0"/>
        <geom size="0.1" pos="0.8660254037844386 0 -0.5" mass="2"/></body></worldbody>"#,
    );
    assert_eq!((scene.world.dt, scene.world.gravity), (0.001, [0.0, 0.0, -9.81]));
    scene.world.duration = 1.076437333440258 * 1.004_f64.sqrt();
    scene.world.integrator = msd_scene::model::IntegratorName::Rk4;
    let end = run(&scene).bodies[0].1.clone();
    assert_close(&end.center_of_mass, &[-0.75_f64.sqrt(), 0.0, -0.5], 1e-9);
    assert_close(&end.angular_velocity, &[0.0; 3], 1e-8);
}

#[test]
fn geoms_of_different_matter_make_the_body_of_the_hand_calculation() {
    let scene = scene(
        r#"<worldbody><body name="b"><freejoint/>
        <geom type="box" size="0.1 0.2 0.3" pos="1 0 0" density="500"/>
        <geom type="sphere" size="0.1" mass="12" pos="-1 0 0"/>
        <geom type="cylinder" size="0.2" fromto="0 0 0 0 0.4 0" mass="3" contype="0" conaffinity="0"/>
        </body></worldbody>"#,
    );
    let b = body(&scene, "b");
    // Box 0.2 × 0.4 × 0.6 m of 500 kg/m³: 24 kg. Centre: (24 - 12, 3 · 0.2, 0) / 39.
    let (cx, cy) = (12.0 / 39.0, 0.6 / 39.0);
    assert!((b.mass.unwrap() - 39.0).abs() < 1e-13);
    assert_close(&b.center_of_mass.unwrap(), &[cx, cy, 0.0], 1e-15);
    // About z: box 24/12 (0.04 + 0.16), ball 0.4 · 12 · 0.01, cylinder along y 3 (3 · 0.04 + 0.16)/12, and Steiner.
    let steiner = 24.0 * ((1.0 - cx).powi(2) + cy * cy)
        + 12.0 * ((1.0 + cx).powi(2) + cy * cy)
        + 3.0 * (cx * cx + (0.2 - cy).powi(2));
    let zz = 2.0 * 0.2 + 0.048 + 0.07 + steiner;
    assert!((b.inertia.unwrap()[2][2] - zz).abs() < 1e-12, "{} {zz}", b.inertia.unwrap()[2][2]);
    // The cylinder weighs, but touches nothing.
    let Some(Shape::Compound(compound)) = &b.shape else { panic!("a compound") };
    assert_eq!(compound.parts.len(), 2);
    assert!(matches!(&compound.parts[0].shape, Shape::Box(cuboid) if cuboid.size == [0.2, 0.4, 0.6]));
}

#[test]
fn ellipsoids_and_capsules_weigh_what_they_should() {
    let scene = scene(
        r#"<worldbody><body name="e"><freejoint/><geom type="ellipsoid" size="0.1 0.2 0.3"/></body>
        <body name="c" pos="5 0 0"><freejoint/><geom type="capsule" size="0.1" fromto="0 0 0 1 0 0"/></body></worldbody>"#,
    );
    let (e, c) = (body(&scene, "e"), body(&scene, "c"));
    let mass = 1000.0 * 4.0 / 3.0 * PI * 0.006;
    assert!((e.mass.unwrap() / mass - 1.0).abs() < 1e-14);
    let moments = [0, 1, 2].map(|i| e.inertia.unwrap()[i][i]);
    assert_close(&moments, &[0.13, 0.10, 0.05].map(|sum| 0.2 * mass * sum), 1e-12);
    let mass = 1000.0 * (PI * 0.01 + 4.0 / 3.0 * PI * 0.001);
    assert!((c.mass.unwrap() / mass - 1.0).abs() < 1e-13);
    assert_close(&c.center_of_mass.unwrap(), &[0.5, 0.0, 0.0], 1e-15);
}

#[test]
fn an_inertial_in_a_turned_frame_goes_before_geoms() {
    let text = r#"<worldbody><body name="b" euler="0 0 90"><freejoint/>
        <inertial pos="0.1 0.2 0.3" euler="0 0 30" mass="3" diaginertia="1 2 2.5"/><geom size="1"/></body>
        <body name="f"><freejoint/><inertial pos="0 0 0" mass="1" fullinertia="2 3 4 0.1 0.2 0.3"/></body></worldbody>"#;
    let whole = scene(text);
    let (b, xy) = (body(&whole, "b"), -3.0_f64.sqrt() / 4.0);
    assert_close(b.inertia.unwrap().as_flattened(), &[1.25, xy, 0.0, xy, 1.75, 0.0, 0.0, 0.0, 2.5], 1e-15);
    assert_eq!((b.mass, b.center_of_mass), (Some(3.0), Some([0.1, 0.2, 0.3])));
    let Orientation::Quaternion(q) = b.orientation else { panic!("a quaternion") };
    assert_close(&[q.w, q.z], &[0.5_f64.sqrt(); 2], 1e-15);
    assert_eq!(body(&whole, "f").inertia.unwrap(), [[2.0, 0.1, 0.2], [0.1, 3.0, 0.3], [0.2, 0.3, 4.0]]);
    let of_geoms = scene(&format!(
        "<compiler inertiafromgeom=\"true\"/>{}",
        text.replace("name=\"f\">", "name=\"f\"><geom size=\"1\"/>")
    ));
    assert!((body(&of_geoms, "b").mass.unwrap() / (4000.0 / 3.0 * PI) - 1.0).abs() < 1e-14);
}

#[test]
fn ranges_are_degrees_unless_said_otherwise() {
    let hinge = |compiler: &str, joint: &str| {
        let geom = "<geom size=\"0.1\" pos=\"1 0 0\"/>";
        let text = format!(
            "{compiler}<worldbody><body name=\"b\"><joint name=\"j\" {joint}/>{geom}</body></worldbody>"
        );
        match &scene(&text).joint[0] {
            Joint::Hinge(joint) | Joint::Slider(joint) => joint.limits,
            other => panic!("{other:?}"),
        }
    };
    assert_close(&hinge("", "range=\"-90 180\"").unwrap(), &[-PI / 2.0, PI], 1e-15);
    assert_close(&hinge("", "range=\"-90 180\" ref=\"90\"").unwrap(), &[-PI / 2.0, PI], 1e-15);
    assert_close(&hinge("<compiler angle=\"radian\"/>", "range=\"-1 2\"").unwrap(), &[-1.0, 2.0], 1e-15);
    assert_close(&hinge("", "type=\"slide\" range=\"-1 2\"").unwrap(), &[-1.0, 2.0], 1e-15);
    // Out of its range it starts at the nearest limit.
    assert_close(&hinge("", "range=\"30 60\"").unwrap(), &[PI / 6.0, PI / 3.0], 1e-15);
    assert_eq!(hinge("<compiler autolimits=\"false\"/>", "range=\"-1 2\""), None);
    assert_eq!(hinge("", "range=\"-1 2\" limited=\"false\""), None);
}

#[test]
fn classes_are_inherited_and_the_nearest_one_counts() {
    let scene = scene(
        r#"<default><geom density="100" friction="0.3"/>
          <default class="heavy"><geom density="200"/><joint axis="1 0 0"/>
            <default class="heavier"><geom density="400" euler="0 90 0"/></default></default></default>
        <worldbody>
          <body name="plain"><freejoint/><geom size="1"/></body>
          <body name="named"><freejoint/><geom size="1" class="heavy"/></body>
          <body name="child" childclass="heavy"><joint/><geom size="1"/>
            <body name="inner" pos="3 0 0"><joint name="i"/><geom size="1" class="heavier"/></body>
            <body name="own" pos="0 3 0"><joint/><geom size="1" density="800" class="heavier" quat="1 0 0 0"/></body></body>
        </worldbody>"#,
    );
    let ball = 4.0 / 3.0 * PI;
    for (name, density) in
        [("plain", 100.0), ("named", 200.0), ("child", 200.0), ("inner", 400.0), ("own", 800.0)]
    {
        assert!((body(&scene, name).mass.unwrap() / (density * ball) - 1.0).abs() < 1e-13, "{name}");
        assert_eq!(scene.material[name].friction, Some(0.3));
    }
    let Joint::Hinge(inner) = scene.joint.iter().find(|joint| joint.name() == "i").unwrap() else {
        panic!("a hinge")
    };
    assert_eq!(inner.axis, [1.0, 0.0, 0.0]);
    // The orientation of the class, and the element's own in another way of writing.
    assert!(matches!(body(&scene, "inner").shape, Some(Shape::Compound(_))));
    assert!(matches!(body(&scene, "own").shape, Some(Shape::Sphere(_))));
}

#[test]
fn several_joints_of_a_body_leave_the_freedom_they_should() {
    let joints = |joints: &str| {
        let text = format!(
            "<worldbody><body name=\"b\">{joints}<geom size=\"0.1\" pos=\"1 0 0\" mass=\"2\"/></body></worldbody>"
        );
        scene(&text)
    };
    let two = joints("<joint axis=\"0 1 0\"/><joint axis=\"0 0 1\"/>");
    assert!(matches!(two.joint.as_slice(), [Joint::Universal(_)]));
    let three = joints("<joint axis=\"1 0 0\"/><joint axis=\"0 1 0\"/><joint axis=\"0 0 1\"/>");
    assert!(matches!(three.joint.as_slice(), [Joint::Ball(_)]));
    // A sled on a rail with a pendulum: x is free, so the centre of mass only falls; energy is kept.
    let mut sled = joints(
        "<joint name=\"rail\" type=\"slide\" axis=\"1 0 0\"/><joint name=\"turn\" axis=\"0 1 0\" range=\"-170 170\"/>",
    );
    assert_eq!((sled.body.len(), sled.joint.len()), (1, 2));
    sled.world.duration = 0.3;
    sled.world.dt = 0.001;
    let report = run(&sled);
    let bob = report.bodies.iter().find(|(name, _)| name == "b").unwrap().1.clone();
    // With nothing to push along x, the centre of mass falls straight down.
    assert!((bob.center_of_mass[0] - 1.0).abs() < 1e-12, "{bob:?}");
    // Let go level, it falls as a ring on a frictionless rail: (I + m d² cos² θ) θ¨ = m g d cos θ + …; less than free
    // fall by the inertia of the ball, 0.4 · 0.01.
    let fallen = -bob.center_of_mass[2];
    assert!(fallen > 0.98 * 0.5 * 9.81 * 0.09 && fallen < 0.5 * 9.81 * 0.09, "{fallen}");
    assert!(report.energy.max_error < 1e-5, "{}", report.energy.max_error);
}

#[test]
fn friction_in_a_chain_takes_the_work_of_its_torque() {
    // A hinge with friction of 0.5 N·m under a sliding arm: its work is the torque times the angle.
    let mut scene = scene(
        r#"<option timestep="0.001"/><worldbody><body name="b"><joint axis="0 1 0" frictionloss="0.5"/>
        <joint type="slide" axis="1 0 0"/><geom size="0.1" pos="1 0 0" mass="2"/></body></worldbody>"#,
    );
    scene.world.duration = 0.1;
    let report = run(&scene);
    let [w, _, y, _] = report.bodies.iter().find(|(name, _)| name == "b").unwrap().1.quat_wxyz;
    let angle = 2.0 * y.atan2(w);
    assert!(
        angle > 0.04 && (report.energy.dissipated - 0.5 * angle).abs() < 1e-6,
        "{angle} {:?}",
        report.energy
    );
    assert!(report.energy.max_error < 1e-5);
}

#[test]
fn a_connection_to_the_world_is_a_pendulum_and_a_weld_holds() {
    let free = r#"<option timestep="0.001"/><worldbody><body name="bob" pos="1 0 0"><freejoint/><geom size="0.1" mass="2"/></body></worldbody>"#;
    let connected =
        run(&scene(&format!("{free}<equality><connect body1=\"bob\" anchor=\"-1 0 0\"/></equality>")));
    let hinged = run(&scene(
        r#"<option timestep="0.001"/><worldbody><body name="bob" pos="1 0 0"><joint type="ball" pos="-1 0 0"/><geom size="0.1" mass="2"/></body></worldbody>"#,
    ));
    assert_close(&connected.bodies[0].1.center_of_mass, &hinged.bodies[0].1.center_of_mass, 1e-12);
    assert!(connected.bodies[0].1.center_of_mass[0] < -0.5);
    // Two balls welded turn about their common centre: 1 kg and 3 kg, 2 m apart.
    let mut pair = scene(
        r#"<option gravity="0 0 0"/><worldbody><body name="a"><freejoint/><geom size="0.1" mass="1"/></body>
        <body name="b" pos="2 0 0"><freejoint/><geom size="0.1" mass="3"/></body></worldbody>
        <equality><weld body1="a" body2="b"/></equality>"#,
    );
    pair.body[0].velocity = [0.0, -1.5, 0.0];
    pair.body[1].velocity = [0.0, 0.5, 0.0];
    pair.body.iter_mut().for_each(|body| body.angular_velocity = [0.0, 0.0, 1.0]);
    let report = run(&pair);
    let (s, c) = 1.0_f64.sin_cos();
    assert_close(&report.bodies[0].1.center_of_mass, &[1.5 - 1.5 * c, -1.5 * s, 0.0], 1e-5);
    assert_close(&report.bodies[1].1.angular_velocity, &[0.0, 0.0, 1.0], 1e-9);
}

#[test]
fn frames_nest_and_bodies_without_joints_are_part_of_their_parents() {
    let scene = scene(
        r#"<worldbody><frame pos="0 0 1" euler="0 0 90"><body name="a" pos="1 0 0"><joint type="slide" axis="1 0 0"/><geom size="0.1"/>
        <body name="tip" pos="1 0 0"><geom size="0.1"/></body></body></frame>
        <geom name="floor" type="plane" size="1 1 1" pos="0 0 -1"/><body name="post" pos="5 0 0"><geom type="box" size="1 1 1"/></body></worldbody>"#,
    );
    let names: Vec<&str> = scene.body.iter().map(|body| body.name.as_str()).collect();
    assert_eq!(names, ["a", "floor", "post"]);
    assert_close(&body(&scene, "a").position, &[0.0, 1.0, 1.0], 1e-15);
    assert_close(&body(&scene, "a").center_of_mass.unwrap(), &[0.5, 0.0, 0.0], 1e-15);
    let Joint::Slider(slider) = &scene.joint[0] else { panic!("a slider") };
    assert_close(&slider.axis, &[0.0, 1.0, 0.0], 1e-15);
    assert_eq!(body(&scene, "floor").position, [0.0, 0.0, -1.0]);
}

#[test]
fn who_touches_whom_is_as_contype_and_conaffinity_say() {
    let scene = scene(
        r#"<worldbody><geom name="floor" type="plane" size="1 1 1"/>
        <body name="a"><freejoint/><geom size="1" contype="2" conaffinity="1"/></body>
        <body name="b"><freejoint/><geom size="1" contype="2" conaffinity="1"/></body>
        <body name="c"><freejoint/><geom size="1" contype="4" conaffinity="2"/></body></worldbody>
        <contact><exclude body1="a" body2="c"/></contact>"#,
    );
    let built = scene.build().unwrap();
    let filter = |name: &str| {
        let handle = built.bodies.iter().find(|(body, _)| body == name).unwrap().1;
        built.engine.world().body(handle).unwrap().body.collision
    };
    let touch = |a: &str, b: &str| {
        let (a, b) = (filter(a), filter(b));
        a.groups & b.mask != 0 && b.groups & a.mask != 0
    };
    // The floor (1, 1) is looked for by a and b; c looks for type 2 and nobody for type 4.
    assert!(touch("floor", "a") && touch("floor", "b") && !touch("floor", "c"));
    assert!(!touch("a", "b") && touch("a", "c") && touch("b", "c"));
    assert_eq!(body(&scene, "a").ignores, ["c"]);
}

#[test]
fn meshes_come_with_their_frame_scale_and_enclosed_mass() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("parts")).unwrap();
    let tetrahedron = "v 0 0 0\nv 1000 0 0\nv 0 1000 0\nv 0 0 1000\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    std::fs::write(folder.path().join("parts/t.obj"), tetrahedron).unwrap();
    let text = model(
        r#"<compiler meshdir="parts"/><asset><mesh file="t.obj" scale="0.001 0.001 0.001" refpos="1 0 0"/><texture/></asset>
        <worldbody><body name="b"><freejoint/><geom type="mesh" mesh="t" density="6"/></body></worldbody>"#,
    );
    let path = folder.path().join("m.xml");
    std::fs::write(&path, &text).unwrap();
    let scene = Scene::load(&path).unwrap();
    let b = body(&scene, "b");
    assert!((b.mass.unwrap() - 1.0).abs() < 1e-14);
    assert_close(&b.center_of_mass.unwrap(), &[-0.75, 0.25, 0.25], 1e-14);
    std::fs::write(&path, text.replace("mesh=\"t\"", "mesh=\"tt\"").replace("t.obj", "../t.obj")).unwrap();
    let told = Scene::load(&path).unwrap_err().to_string();
    assert!(told.contains("m.xml:2:47: `parts/../t.obj` is not inside the folder"), "{told}");
    assert!(told.contains("there is no mesh named `tt`"), "{told}");
}

#[test]
fn a_mesh_without_a_name_is_called_by_its_file_up_to_the_last_dot() {
    let folder = tempfile::tempdir().unwrap();
    let tetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    for (file, name) in [("link.v2.obj", "link.v2"), ("a.b.c.d.obj", "a.b.c.d"), ("plain.obj", "plain")] {
        std::fs::write(folder.path().join(file), tetrahedron).unwrap();
        let text = model(&format!(
            r#"<asset><mesh file="{file}"/></asset>
            <worldbody><body name="b"><freejoint/><geom type="mesh" mesh="{name}" density="6"/></body></worldbody>"#
        ));
        let path = folder.path().join("m.xml");
        std::fs::write(&path, text).unwrap();
        let scene = Scene::load(&path).unwrap_or_else(|errors| panic!("{file}: {errors}"));
        assert!((body(&scene, "b").mass.unwrap() - 1.0).abs() < 1e-14, "{file}");
    }
}

#[test]
fn files_are_included_once_and_from_the_folder_only() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.xml");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write(
        "body.xml",
        "<mujocoinclude>\n<body name=\"b\"><freejoint/><geom size=\"1\"/></body>\n</mujocoinclude>",
    );
    write("m.xml", &model("<worldbody><include file=\"body.xml\"/></worldbody>"));
    let loaded = Scene::load_listed(&path, &LoadOptions::default()).unwrap();
    assert_eq!(loaded.scene.body[0].name, "b");
    assert!(
        loaded.listing.elements.iter().any(|element| element.file.ends_with("body.xml") && element.line == 2)
    );
    let refusal = |inner: &str| {
        write("m.xml", &model(inner));
        Scene::load(&path).unwrap_err().to_string()
    };
    let told = refusal("<worldbody><include file=\"body.xml\"/><include file=\"body.xml\"/></worldbody>");
    assert!(told.contains("include: `body.xml` is included twice"), "{told}");
    assert!(
        refusal("<include file=\"../x.xml\"/>")
            .contains("m.xml:2:1: include: `../x.xml` is not inside the folder")
    );
    assert!(refusal("<include file=\"/dev/zero\"/>").contains("is not inside the folder"));
    // A file that includes itself ends, and problems in an included file are reported there.
    write("loop.xml", "<mujocoinclude><include file=\"loop.xml\"/><include file=\"m.xml\"/></mujocoinclude>");
    assert!(refusal("<include file=\"loop.xml\"/>").contains("is included twice"));
    write(
        "body.xml",
        "<mujocoinclude>\n<body name=\"b\"><freejoint/><geom size=\"x\"/></body>\n</mujocoinclude>",
    );
    let told = refusal("<worldbody><include file=\"body.xml\"/></worldbody>");
    assert!(told.contains("body.xml:2:40: `x` is not a finite number"), "{told}");
    // Nesting counts across files.
    let deep = format!("<mujocoinclude>{}{}</mujocoinclude>", "<body>".repeat(248), "</body>".repeat(248));
    write("deep.xml", &deep);
    let outer = format!(
        "<worldbody>{}<include file=\"deep.xml\"/>{}</worldbody>",
        "<body>".repeat(10),
        "</body>".repeat(10)
    );
    assert!(refusal(&outer).contains("nested deeper than 256 levels"));
}

#[test]
fn a_file_that_an_included_file_names_is_found_next_to_it() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    std::fs::create_dir(folder.path().join("parts")).unwrap();
    write("m.xml", &model("<include file=\"parts/all.xml\"/>"));
    write(
        "parts/all.xml",
        "<mujocoinclude><worldbody><include file=\"arm.xml\"/></worldbody></mujocoinclude>",
    );
    write(
        "parts/arm.xml",
        "<mujocoinclude><body name=\"arm\"><freejoint/><geom size=\"1\"/></body></mujocoinclude>",
    );
    let scene = Scene::load(folder.path().join("m.xml")).unwrap();
    assert_eq!(scene.body[0].name, "arm");
}

#[test]
fn a_chain_of_two_hundred_links_is_read() {
    let link = r#"<body pos="0.1 0 0"><joint axis="0 1 0"/><geom size="0.02" mass="0.1"/>"#;
    let scene = scene(&format!("<worldbody>{}{}</worldbody>", link.repeat(200), "</body>".repeat(200)));
    assert_eq!((scene.body.len(), scene.joint.len()), (200, 200));
}

#[test]
fn the_compiler_sets_the_total_mass() {
    let scene = scene(
        r#"<compiler settotalmass="14"/><worldbody><geom type="plane" size="1 1 1"/>
        <body name="a"><freejoint/><geom size="0.1" mass="2"/>
        <body name="b"><joint/><inertial pos="0 0 0" mass="5" diaginertia="1 2 3"/></body></body></worldbody>"#,
    );
    assert_close(&[body(&scene, "a").mass.unwrap(), body(&scene, "b").mass.unwrap()], &[4.0, 10.0], 1e-14);
    let tensor = body(&scene, "b").inertia.unwrap();
    assert_close(&[tensor[0][0], tensor[1][1], tensor[2][2]], &[2.0, 4.0, 6.0], 1e-14);
}

/// A leg with three hinges in one body, not through one point, with everything a joint may have.
const LEG: &str = r#"<option timestep="0.0005" gravity="0 0 -9.81"/><worldbody><body name="leg" pos="0 0 1">
    <joint name="x" axis="1 0 0" range="-30 40" armature="0.01" damping="0.2"/>
    <joint name="z" pos="0 0 0.02" axis="0 0 1" stiffness="3" springref="10" armature="0.02"/>
    <joint name="y" pos="0.03 0 0" axis="0 1 0.1" armature="0.05"/>
    <geom type="capsule" fromto="0 0 0 0.4 0 -0.3" size="0.05" mass="2"/></body></worldbody>
    <actuator><position name="s" joint="y" kp="20" kv="1"/></actuator>
    <keyframe><key name="k" qpos="0.2 -0.3 0.4" qvel="0.5 -0.6 0.7" ctrl="0.3"/></keyframe>"#;

#[test]
fn several_hinges_of_a_body_need_no_body_between_them() {
    let scene = scene(LEG);
    assert_eq!((scene.body.len(), scene.joint.len()), (1, 3));
    let mut built = scene.build().unwrap();
    built.set_keyframe("k").unwrap();
    let world = built.engine.world();
    let tree = world.articulation();
    assert_eq!(tree.velocity_names(), ["x", "z", "y"]);
    assert_close(&world.q(&tree), &[0.2, -0.3, 0.4], 1e-14);
    assert_close(&world.v(&tree), &[0.5, -0.6, 0.7], 1e-13);
    // Mass matrix of MuJoCo 4.0.0 at this keyframe.
    let mass = world.mass_matrix(&tree);
    assert_close(&mass, &MASS_MATRIX, 1e-9);
}

/// `mj_fullM` of the leg at its keyframe.
const MASS_MATRIX: [f64; 9] = [
    0.13791589449962977,
    0.07297605582841168,
    0.0525354085160569,
    0.07297605582841168,
    0.06891233461835829,
    0.007487846476545577,
    0.0525354085160569,
    0.007487846476545577,
    0.2071817705299942,
];

#[test]
fn a_leg_of_three_hinges_moves_as_in_mujoco() {
    let mut scene = scene(LEG);
    scene.world.keyframe = Some("k".to_owned());
    scene.world.integrator = msd_scene::model::IntegratorName::Rk4;
    let mut built = scene.build().unwrap();
    let world = built.engine.world_mut();
    world.run(0.5).unwrap();
    let tree = world.articulation();
    // MuJoCo 4.0.0, RK4 at 1e-5 s.
    assert_close(&world.q(&tree), &[-0.271263893909037, 0.622196451545563, 0.38781745455363353], 1e-7);
}

#[test]
fn what_is_not_simulated_is_listed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.xml");
    let text = model(
        r#"<compiler angle="radian" boundmass="1"/><option timestep="0.01" integrator="RK4" density="1.2"/><default><geom solref="1 2"/><site/></default>
<worldbody><light/><body name="b"><joint name="j" damping="3" armature="1"/><joint type="ball" range="0 1"/><site/>
<geom size="1" rgba="1 1 1 1"/><geom type="hfield" hfield="x"/><composite count="3"/></body></worldbody>
<actuator><motor joint="j"/></actuator><sensor/><tendon><spatial/></tendon><keyframe/><equality><distance/></equality><whatever/>"#,
    );
    std::fs::write(&path, text).unwrap();
    let listing = Scene::load_listed(&path, &LoadOptions::default()).unwrap().listing;
    let told: Vec<String> = listing
        .elements
        .iter()
        .filter(|element| element.verdict != Verdict::Imported)
        .map(|element| format!("{} {} {}: {}", element.line, element.verdict, element.element, element.note))
        .collect();
    let expected = [
        "2 approximated <compiler>: not used: boundmass",
        "2 approximated <option>: `integrator`: of MuJoCo's solver; not used: density",
        "3 ignored <light>: looks are not simulated",
        "3 approximated <joint name=\"j\">: carried by `b on j`, which weighs 1e-3 of `b`; friction that holds may creep",
        "3 approximated <joint>: the limit of a ball joint is not held",
        "4 ignored <geom>: geoms of type `hfield` are not simulated",
        "4 ignored <composite>: bodies that MuJoCo makes are not read: save the compiled model",
        "5 ignored <sensor>: a recording has every quantity",
        "5 ignored <spatial>: only fixed tendons are simulated",
        "5 ignored <distance>: only `connect`, `weld`, `joint` and `tendon` are simulated",
        "5 ignored <whatever>: not known",
    ];
    assert_eq!(told, expected);
}

#[test]
fn replicated_bodies_stand_each_a_frame_further_on() {
    // Positions and orientations of MuJoCo 4.0.0.
    let scene = scene(
        r#"<worldbody><replicate count="11" offset="0.3 0 0.1" euler="0 0 30" sep="-"><body name="b" pos="1 0 0">
        <freejoint/><geom size="0.1"/></body></replicate></worldbody>"#,
    );
    assert_eq!(scene.body.len(), 11);
    assert_close(&body(&scene, "b-00").position, &[1.0, 0.0, 0.0], 1e-15);
    assert_close(&body(&scene, "b-02").position, &[1.05980762, 1.0160254, 0.2], 1e-8);
    let Orientation::Quaternion(q) = body(&scene, "b-02").orientation else { panic!("a quaternion") };
    assert_close(&[q.w, q.z], &[0.8660254, 0.5], 1e-7);
    assert!(problems(r#"<worldbody><replicate count="1000000000"/></worldbody>"#).contains("its count is"));
}

#[test]
fn a_damping_ratio_is_that_of_the_inertia_a_servo_feels() {
    let scene = scene(
        r#"<compiler angle="radian"/><worldbody><body name="a">
        <joint name="j" axis="0 1 0" pos="0 0 0.1" armature="0.03" ref="0.2"/>
        <geom type="box" size=".1 .2 .3" pos="0.2 0 0" mass="2"/><body name="b" pos="0.4 0 0">
        <joint name="k" type="slide" axis="0 0 1"/><geom size=".1" mass="1.5" pos="0 0.1 0.2"/></body></body></worldbody>
        <actuator><position name="p" joint="j" kp="50" dampratio="0.7" gear="3"/>
        <position name="s" joint="k" kp="80" dampratio="1"/></actuator>"#,
    );
    // `actuator_biasprm` of MuJoCo 4.0.0.
    let dampers: Vec<f64> = scene.actuator.iter().map(|actuator| actuator.kv.unwrap()).collect();
    assert_close(&dampers, &[1.53952855, 15.10921638], 1e-8);
}

#[test]
fn a_spring_of_a_time_constant_is_that_of_the_inertia_its_joint_feels() {
    let found = scene(
        r#"<compiler angle="radian"/><worldbody><body name="a"><joint name="a" axis="0 1 0" armature="0.01" springdamper="0.2 0.7" springref="0.3"/><inertial pos="0.3 0 0" mass="1" diaginertia="0.01 0.02 0.02"/>
<body name="b" pos="0.5 0 0"><joint name="b" axis="0 1 0" springdamper="0.1 1"/><inertial pos="0.1 0 0" mass="0.5" diaginertia="0.004 0.004 0.004"/></body></body></worldbody>"#,
    );
    // MuJoCo 4.0.0.
    let wanted = [[8.956916099773242, 1.7555555555555558], [0.519736842105263, 0.10394736842105264]];
    for (joint, wanted) in found.joint.iter().zip(wanted) {
        let Joint::Hinge(joint) = joint else { panic!("{joint:?}") };
        assert_close(&[joint.stiffness, joint.damping], &wanted, 1e-9);
    }
}

#[test]
fn bodies_rest_as_far_apart_as_their_margins_say() {
    let found = scene(
        r#"<worldbody><geom type="plane" size="1 1 1" margin="0.01"/><body name="b" pos="0 0 0.2"><freejoint/>
<geom type="box" size="0.1 0.1 0.1" margin="0.02"/></body></worldbody>"#,
    );
    let mut built = found.build().unwrap();
    let world = built.engine.world_mut();
    world.run(1.0).unwrap();
    let height = world.body(world.find("b").unwrap()).unwrap().state.center_of_mass.z;
    assert!((height - 0.13).abs() < 1e-6, "{height}");
}

#[test]
fn a_body_whose_weight_is_carried_does_not_fall() {
    let mut scene = scene(
        r#"<option gravity="0 0 -3.7"/><worldbody><body name="up" gravcomp="1"><freejoint/><geom size="0.1"/></body>
        <body name="half" pos="1 0 0" gravcomp="0.5"><freejoint/><geom size="0.1"/></body></worldbody>"#,
    );
    scene.world.duration = 1.0;
    let end = run(&scene);
    let height = |name: &str| end.bodies.iter().find(|(own, _)| own == name).unwrap().1.center_of_mass[2];
    assert_close(&[height("up"), height("half")], &[0.0, -0.25 * 3.7], 1e-12);
}

#[test]
fn ties_of_sites_hold_the_points_they_name() {
    let scene = scene(
        r#"<worldbody><site name="hook" pos="0 0 1"/><body name="bob" pos="0.6 0 1"><freejoint/><geom size="0.1"/>
        <frame pos="-0.2 0 0"><site name="eye" pos="-0.4 0 0"/></frame></body></worldbody>
        <equality><connect site1="hook" site2="eye"/></equality>"#,
    );
    let Joint::Ball(joint) = &scene.joint[0] else { panic!("a ball joint") };
    assert_eq!((joint.a.as_str(), joint.b.as_str()), ("world", "bob"));
    assert_close(&joint.anchor, &[0.0, 0.0, 1.0], 1e-15);
}

#[test]
fn a_primitive_is_fitted_to_its_mesh_by_the_moments() {
    // A box of 0.2 × 0.4 × 0.6 m about (1, 2, 3) as mesh: the box is itself, the capsule has the mean of the two smaller half sizes as
    // radius and the largest, less half of the radius, as half length.
    let corners: Vec<String> = (0..8)
        .map(|i| {
            let side = |bit: usize, half: f64| if i >> bit & 1 == 1 { half } else { -half };
            format!("{} {} {}", 1.0 + side(0, 0.1), 2.0 + side(1, 0.2), 3.0 + side(2, 0.3))
        })
        .collect();
    let text = |kind: &str| {
        format!(
            r#"<asset><mesh name="m" vertex="{}"/></asset><worldbody><body name="b"><freejoint/>
            <geom type="{kind}" mesh="m"/></body></worldbody>"#,
            corners.join(" ")
        )
    };
    let shape = |kind: &str| {
        let scene = scene(&text(kind));
        let Some(Shape::Compound(compound)) = &body(&scene, "b").shape else { panic!("a compound") };
        assert_close(&compound.parts[0].position, &[1.0, 2.0, 3.0], 1e-13);
        compound.parts[0].shape.clone()
    };
    let Shape::Box(found) = shape("box") else { panic!("a box") };
    let mut size = found.size;
    size.sort_by(f64::total_cmp);
    assert_close(&size, &[0.2, 0.4, 0.6], 1e-12);
    let Shape::Capsule(found) = shape("capsule") else { panic!("a capsule") };
    assert_close(&[found.radius, found.length], &[0.15, 0.45], 1e-12);
}

#[test]
fn a_pair_rubs_with_the_larger_friction_or_with_that_of_higher_priority() {
    let scene = scene(
        r#"<worldbody><geom name="floor" type="plane" size="1 1 1" friction="0.9"/>
        <body name="slick" pos="0 0 1"><freejoint/><geom size="0.1" friction="0.3"/></body>
        <body name="first" pos="3 0 1"><freejoint/><geom size="0.1" friction="0.2" priority="1"/></body></worldbody>"#,
    );
    let built = scene.build().unwrap();
    let world = built.engine.world();
    let body = |name: &str| world.body(world.find(name).unwrap()).unwrap().body;
    let friction = |a: &str, b: &str| body(a).material_with(body(b)).friction;
    assert_eq!((friction("floor", "slick"), friction("slick", "floor")), (0.9, 0.9));
    assert_eq!((friction("floor", "first"), friction("first", "slick")), (0.2, 0.2));
}

#[test]
fn a_keyframe_with_a_zero_quaternion_is_upright() {
    let scene = scene(
        r#"<worldbody><body name="b" pos="0 0 1"><freejoint/><geom size="0.1"/></body></worldbody>
        <keyframe><key name="home" qpos="0 0 2 0 0 0 0"/></keyframe>"#,
    );
    assert!(scene.build().unwrap().set_keyframe("home").is_ok());
}

#[test]
fn broken_models_are_told_with_places() {
    let told = problems(
        r#"<compiler coordinate="global" angle="grad"/><worldbody><body name="b"><joint type="hinges"/><geom type="box" size="1 1"/>
<geom type="cube" size="1"/><body name="c"><freejoint/><geom size="1" class="none"/></body></body></worldbody>
<equality><weld body1="b" body2="d"/></equality>"#,
    );
    for line in [
        "m.xml:2:23: coordinate is `global`; expected `local`",
        "m.xml:2:38: angle is `grad`; expected `radian` or `degree`",
        "`hinges` is no type of joint; expected `hinge`, `slide`, `ball` or `free`",
        "number 3 of its size is missing or not above 0; expected half sizes in metres",
        "m.xml:3:13: `cube` is no type of geom",
        "a free joint in a body that is not at the top level",
        "there is no default class named `none`",
        "there is no body named `d`",
    ] {
        assert!(told.contains(line), "{line}\n{told}");
    }
}

#[test]
fn a_model_in_a_scene_keeps_the_scenes_world_and_is_moved_as_a_whole() {
    let folder = tempfile::tempdir().unwrap();
    let text = r#"<option gravity="0 0 -1"/><worldbody><geom type="plane" size="1 1 1"/><body name="b" pos="1 0 0"><joint name="j" axis="0 0 1"/><geom size="0.1" pos="1 0 0"/></body></worldbody>"#;
    std::fs::write(folder.path().join("m.xml"), model(text)).unwrap();
    let path = folder.path().join("s.toml");
    std::fs::write(&path, "format = 1\n[world]\ngravity = [0, 0, -2]\n[[import]]\nfile = \"m.xml\"\nposition = [0, 0, 3]\nprefix = \"p-\"\npose = { j = 1.5707963267948966 }\n").unwrap();
    let scene = Scene::load(&path).unwrap();
    assert_eq!((scene.world.gravity, scene.world.dt), ([0.0, 0.0, -2.0], 0.001));
    assert_close(&body(&scene, "p-b").position, &[1.0, 0.0, 3.0], 1e-15);
    assert_close(&body(&scene, "p-geom 1").position, &[0.0, 0.0, 3.0], 1e-15);
    let built = scene.build().unwrap();
    let handle = built.bodies.iter().find(|(name, _)| name == "p-b").unwrap().1;
    // Turned by a quarter about its hinge, the ball is along y.
    let center = built.engine.world().body(handle).unwrap().state.center_of_mass;
    assert_close(&center.to_array(), &[1.0, 1.0, 3.0], 1e-15);
}

#[test]
fn groups_materials_and_classes_say_what_is_shown_and_how() {
    let scene = scene(
        r#"<default><default class="visual"><geom contype="0" conaffinity="0" group="2" material="steel"/></default>
        <default class="collision"><geom group="3"/></default></default>
        <asset><material name="steel" rgba="0.5 0.5 1 1"/></asset>
        <worldbody><geom type="plane" size="1 1 1" rgba="0 1 0 1"/>
        <body name="leg"><freejoint/><geom class="visual" size="0.1"/>
        <geom class="visual" size="0.2" pos="0 0 1" rgba="1 0 0 1"/><geom class="collision" type="capsule" size="0.1 0.5"/></body>
        <body name="ball"><freejoint/><geom size="0.3" rgba="1 1 0 1"/></body>
        <body name="hidden"><freejoint/><geom size="0.3" group="4"/></body></worldbody>"#,
    );
    let leg = body(&scene, "leg");
    assert!(matches!(leg.shape, Some(Shape::Capsule(_))), "only the geom that collides: {:?}", leg.shape);
    let shown: Vec<_> =
        leg.visual.iter().map(|visual| (visual.position[2], visual.color.as_deref())).collect();
    assert_eq!(shown, [(0.0, Some("#8080ff")), (1.0, Some("#ff0000"))]);
    let ball = body(&scene, "ball");
    assert_eq!((ball.color.as_deref(), ball.visual.len()), (Some("#ffff00"), 0));
    let hidden = body(&scene, "hidden");
    assert_eq!((hidden.color.as_deref(), hidden.visual.len()), (None, 0));
    let floor = scene.body.iter().find(|body| matches!(body.shape, Some(Shape::Plane(_)))).unwrap();
    assert_eq!(floor.color.as_deref(), Some("#00ff00"));
}

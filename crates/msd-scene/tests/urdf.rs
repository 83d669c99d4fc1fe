//! URDF: the same physics as the scene a person would write, and nothing read silently wrong.

#![expect(clippy::unwrap_used, reason = "a test ends where a promise is broken")]

use msd::physics::rigid_body::VisualGeometry;
use msd_scene::model::{BodyKind, Joint, Orientation, Shape};
use msd_scene::source::Format;
use msd_scene::{LoadOptions, Scene, Simulation, Verdict};

mod support;

use support::{assert_close, body};

fn robot(inner: &str) -> String {
    format!("<robot name=\"r\">\n{inner}\n</robot>")
}

fn scene(inner: &str) -> Scene {
    Scene::parse_str("r.urdf", &robot(inner), Format::Robot).unwrap_or_else(|errors| panic!("{errors}"))
}

fn problems(text: &str) -> String {
    Scene::parse_str("r.urdf", text, Format::Robot).unwrap_err().to_string()
}

const UNIT_MASS: &str =
    r#"<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>"#;

fn link(name: &str, inner: &str) -> String {
    format!("<link name=\"{name}\">{inner}</link>\n")
}

fn joint(name: &str, kind: &str, parent: &str, child: &str, inner: &str) -> String {
    format!(
        "<joint name=\"{name}\" type=\"{kind}\"><parent link=\"{parent}\"/><child link=\"{child}\"/>{inner}</joint>\n"
    )
}

#[test]
fn an_arm_moves_like_the_scene_a_person_would_write_of_it() {
    let inertial = |x: f64, m: f64| {
        format!(
            r#"<inertial><origin xyz="{x} 0 0"/><mass value="{m}"/><inertia ixx="0.001" iyy="0.02" izz="0.02"/></inertial>"#
        )
    };
    let arm = [
        link("base", ""),
        link("upper", &inertial(0.25, 2.0)),
        link("fore", &inertial(0.2, 1.0)),
        joint(
            "shoulder",
            "continuous",
            "base",
            "upper",
            r#"<origin xyz="0 0 1" rpy="0 0.3 0"/><axis xyz="0 1 0"/>"#,
        ),
        joint(
            "elbow",
            "continuous",
            "upper",
            "fore",
            r#"<origin xyz="0.5 0 0" rpy="0 -0.8 0.4"/><axis xyz="0 0 1"/>"#,
        ),
    ];
    // The elbow is at (0.5 cos 0.3, 0, 1 - 0.5 sin 0.3); the forearm is turned by Ry(0.3) Rz(0.4) Ry(-0.8).
    let (s, c) = 0.3_f64.sin_cos();
    let (elbow, half) = ([0.5 * c, 0.0, 1.0 - 0.5 * s], 0.15_f64);
    let product = |a: [f64; 4], b: [f64; 4]| {
        [
            a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
            a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
            a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
            a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
        ]
    };
    let shoulder = [half.cos(), 0.0, half.sin(), 0.0];
    let turn = product([0.2_f64.cos(), 0.0, 0.0, 0.2_f64.sin()], [0.4_f64.cos(), 0.0, (-0.4_f64).sin(), 0.0]);
    let fore = product(shoulder, turn);
    // The elbow's axis is the forearm's z, in the world.
    let [w, x, y, z] = fore;
    let axis = [2.0 * (x * z + w * y), 2.0 * (y * z - w * x), w * w - x * x - y * y + z * z];
    let quaternion = |[w, x, y, z]: [f64; 4]| format!("{{ w = {w:?}, x = {x:?}, y = {y:?}, z = {z:?} }}");
    let by_hand = format!(
        r#"format = 1
[[body]]
name = "upper"
mass = 2
inertia = [[0.001, 0, 0], [0, 0.02, 0], [0, 0, 0.02]]
center_of_mass = [0.25, 0, 0]
position = [0, 0, 1]
orientation = {}
[[body]]
name = "fore"
mass = 1
inertia = [[0.001, 0, 0], [0, 0.02, 0], [0, 0, 0.02]]
center_of_mass = [0.2, 0, 0]
position = {elbow:?}
orientation = {}
[[joint]]
type = "hinge"
name = "shoulder"
a = "world"
b = "upper"
anchor = [0, 0, 1]
axis = [0, 1, 0]
[[joint]]
type = "hinge"
name = "elbow"
a = "upper"
b = "fore"
anchor = {elbow:?}
axis = {axis:?}
"#,
        quaternion(shoulder),
        quaternion(fore)
    );
    let written = Scene::parse_str("arm.toml", &by_hand, Format::Toml).unwrap();
    let end = |scene: &Scene| Simulation::new(scene.build().unwrap()).run(|_, _| true).report;
    let (imported, written) = (end(&scene(&arm.concat())), end(&written));
    for ((name, a), (other, b)) in imported.bodies.iter().zip(&written.bodies) {
        assert_eq!(name, other);
        assert_close(&a.center_of_mass, &b.center_of_mass, 1e-12);
        assert_close(&a.angular_velocity, &b.angular_velocity, 1e-11);
    }
    // It did swing.
    assert!(imported.bodies[0].1.angular_velocity[1].abs() > 1.0);
}

#[test]
fn a_tensor_in_turned_axes_off_the_centre_is_that_of_the_hand_calculation() {
    // diag(1, 2, 2.5) along axes turned by 30° about z: c² = 3/4, s² = 1/4, s c = √3/4.
    let inner = r#"<inertial><origin xyz="0.1 0.2 0.3" rpy="0 0 0.5235987755982988"/><mass value="3"/>
        <inertia ixx="1" iyy="2" izz="2.5" ixy="0" ixz="0" iyz="0"/></inertial>"#;
    let scene = Scene::parse_str(
        "r.urdf",
        &robot(&[link("world", ""), link("a", inner), joint("j", "floating", "world", "a", "")].concat()),
        Format::Robot,
    )
    .unwrap();
    let a = body(&scene, "a");
    let xy = -3.0_f64.sqrt() / 4.0;
    assert_close(a.inertia.unwrap().as_flattened(), &[1.25, xy, 0.0, xy, 1.75, 0.0, 0.0, 0.0, 2.5], 1e-15);
    assert_eq!((a.mass, a.center_of_mass), (Some(3.0), Some([0.1, 0.2, 0.3])));
    assert!(a.shape.is_none() && scene.joint.is_empty());
}

#[test]
fn links_held_to_each_other_are_one_body_by_steiner() {
    let part = |x: f64, m: f64| {
        format!(
            r#"<inertial><origin xyz="{x} 0 0"/><mass value="{m}"/><inertia ixx="0.1" iyy="0.2" izz="0.25"/></inertial>
            <collision><origin xyz="{x} 0 0"/><geometry><sphere radius="0.1"/></geometry></collision>"#
        )
    };
    let text = [
        link("base", ""),
        link("a", &part(1.0, 2.0)),
        link("tool", ""),
        link("b", &part(0.5, 1.0)),
        joint("turn", "continuous", "base", "a", ""),
        joint("fix", "fixed", "a", "tool", r#"<origin xyz="1 0 0" rpy="0 0 1.5707963267948966"/>"#),
        joint("fix2", "fixed", "tool", "b", r#"<origin xyz="1 0 0"/>"#),
    ];
    let scene = scene(&text.concat());
    assert_eq!(scene.body.len(), 1);
    let a = body(&scene, "a");
    // b's centre is at (1, 1.5, 0) of a: 2 kg at (1, 0) and 1 kg at (1, 1.5) have it at (1, 0.5), and the reduced mass
    // 2/3 kg at 1.5 m adds 1.5 about x and z. b's tensor is turned by 90° about z.
    assert_eq!(a.mass, Some(3.0));
    assert_close(&a.center_of_mass.unwrap(), &[1.0, 0.5, 0.0], 1e-15);
    assert_close(a.inertia.unwrap().as_flattened(), &[1.8, 0.0, 0.0, 0.0, 0.3, 0.0, 0.0, 0.0, 2.0], 1e-14);
    let Some(Shape::Compound(compound)) = &a.shape else { panic!("a compound") };
    assert_close(&compound.parts[1].position, &[1.0, 1.5, 0.0], 1e-15);
    assert_eq!(scene.joint[0].ends(), ["world", "a"]);
}

#[test]
fn limits_friction_and_start_go_to_the_joint() {
    let text = [
        link("base", ""),
        link("a", UNIT_MASS),
        link("b", UNIT_MASS),
        joint(
            "j",
            "revolute",
            "base",
            "a",
            r#"<axis xyz="0 0 2"/><limit lower="0.5" upper="1.5"/><dynamics friction="0.7" damping="0.1"/>"#,
        ),
        joint("k", "prismatic", "a", "b", r#"<axis xyz="1 0 0"/><limit lower="-1" upper="2"/>"#),
    ];
    let scene = scene(&text.concat());
    let Joint::Hinge(hinge) = &scene.joint[0] else { panic!("a hinge") };
    // It starts at 0.5 rad, the nearest to zero.
    assert_eq!((hinge.position, hinge.limits), (0.5, Some([0.5, 1.5])));
    let motor = hinge.motor.unwrap();
    assert_eq!((motor.velocity, motor.max_force), (0.0, 0.7));
    assert_eq!((hinge.stiffness, hinge.damping), (0.0, 0.1));
    let Orientation::Quaternion(q) = body(&scene, "a").orientation else { panic!("a quaternion") };
    assert_close(&[q.w, q.z], &[0.25_f64.cos(), 0.25_f64.sin()], 1e-15);
    let Joint::Slider(slider) = &scene.joint[1] else { panic!("a slider") };
    assert_close(&slider.axis, &[0.5_f64.cos(), 0.5_f64.sin(), 0.0], 1e-15);
    assert_eq!(slider.limits, Some([-1.0, 2.0]));
}

#[test]
fn friction_stops_a_joint_as_coulomb_says() {
    let text = [
        link("base", ""),
        link("a", UNIT_MASS),
        joint(
            "j",
            "prismatic",
            "base",
            "a",
            r#"<origin rpy="0 0.2 0"/><axis xyz="1 0 0"/><limit lower="-9" upper="9"/><dynamics friction="1.9"/>"#,
        ),
    ];
    // The slope pulls 1 kg with g sin 0.2 = 1.949 N: it slides against 1.9 N of friction, and stays against 2 N.
    let sliding = scene(&text.concat());
    let report = Simulation::new(sliding.build().unwrap()).run(|_, _| true).report;
    let speed = 9.81 * 0.2_f64.sin() - 1.9;
    let [x, _, z] = report.bodies[0].1.velocity;
    assert_close(&[x, z], &[speed * 0.2_f64.cos(), -speed * 0.2_f64.sin()], 1e-9);
    let held = scene(&text.concat().replace("1.9", "2.0"));
    let report = Simulation::new(held.build().unwrap()).run(|_, _| true).report;
    assert_close(&report.bodies[0].1.velocity, &[0.0; 3], 1e-12);
}

#[test]
fn a_planar_joint_leaves_two_slides_and_a_turn() {
    let text = [
        link("base", ""),
        link("puck", r#"<inertial><mass value="2"/><inertia ixx="0.1" iyy="0.1" izz="0.1"/></inertial>"#),
        joint("table", "planar", "base", "puck", r#"<origin rpy="0 0.5 0"/><axis xyz="0 0 1"/>"#),
    ];
    let mut scene = scene(&text.concat());
    assert_eq!((scene.body.len(), scene.joint.len()), (1, 3));
    let puck = scene.body.iter().position(|body| body.name == "puck").unwrap();
    let (s, c) = 0.5_f64.sin_cos();
    // Spinning about the normal of the slope and pushed across it.
    scene.body[puck].angular_velocity = [3.0 * s, 0.0, 3.0 * c];
    scene.body[puck].velocity = [0.0, 1.0, 0.0];
    let report = Simulation::new(scene.build().unwrap()).run(|_, _| true).report;
    let puck = &report.bodies.iter().find(|(name, _)| name == "puck").unwrap().1;
    // Down the slope with g sin 0.5, along y with 1 m/s, turning with 3 rad/s.
    let down = 9.81 * s;
    assert_close(&puck.velocity, &[down * c, 1.0, -down * s], 1e-9);
    assert_close(&puck.angular_velocity, &[3.0 * s, 0.0, 3.0 * c], 1e-9);
}

#[test]
fn the_base_is_held_unless_told_otherwise() {
    let text = robot(
        &[
            link(
                "base",
                &format!("{UNIT_MASS}<collision><geometry><box size='1 1 1'/></geometry></collision>"),
            ),
            link("a", UNIT_MASS),
            joint("j", "continuous", "base", "a", ""),
        ]
        .concat(),
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.urdf");
    std::fs::write(&path, text).unwrap();
    let load =
        |free_base| Scene::load_listed(&path, &LoadOptions { free_base, ..LoadOptions::default() }).unwrap();
    assert_eq!(body(&load(false).scene, "base").kind, BodyKind::Static);
    assert_eq!(body(&load(true).scene, "base").kind, BodyKind::Dynamic);
    let note = |free| load(free).listing.elements[1].note.clone();
    assert_eq!((note(false).as_str(), note(true).as_str()), ("held to the world", "free"));
}

#[test]
fn every_element_and_attribute_is_accounted_for() {
    let text = robot(
        &[
            link("base", ""),
            link("a", &format!("{UNIT_MASS}<visual><geometry/></visual><unheard/>")),
            joint(
                "j",
                "continuous",
                "base",
                "a",
                r#"<mimic joint="x"/><dynamics damping="2"/><axis xyz="1 0 0" odd="1"/>"#,
            ),
            "<transmission name=\"t\"/><gazebo/>".to_owned(),
        ]
        .concat(),
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.urdf");
    std::fs::write(&path, text).unwrap();
    let listing = Scene::load_listed(&path, &LoadOptions::default()).unwrap().listing;
    let told: Vec<String> = listing
        .elements
        .iter()
        .filter(|element| element.verdict != Verdict::Imported)
        .map(|element| {
            format!(
                "{}:{} {} {}: {}",
                element.line, element.column, element.verdict, element.element, element.note
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            "3:120 ignored <geometry>: nothing is in it",
            "3:140 ignored <unheard>: not known",
            "4:73 ignored <mimic joint=\"x\">: `x` is no joint that turns or slides",
            "4:114 approximated <axis>: not used: odd",
            "5:1 ignored <transmission name=\"t\">: no actuator is made of it; `[[actuator]]` of a scene drives a joint",
            "5:25 ignored <gazebo>: an extension for another simulator",
        ]
    );
    assert_eq!(listing.summary(), "17 elements: 11 imported, 1 approximated, 5 ignored");
}

#[test]
fn broken_robots_are_told_all_their_problems_with_places() {
    let text = "<robot name=\"r\">
<link name=\"a\"/>
<link name=\"a\"/>
<link name=\"b\"><inertial><mass value=\"heavy\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"nan\"/></inertial></link>
<joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/></joint>
<joint name=\"k\" type=\"hinge\"><parent link=\"aa\"/><child link=\"c\"/></joint>
</robot>";
    let told = "r.urdf:3:1: there are two links named `a`; expected another name
r.urdf:4:39: `heavy` is not a finite number; expected numbers
r.urdf:4:77: `nan` is not a finite number; expected numbers
r.urdf:5:1: joint `j`: a joint of this type has limits; expected <limit lower=\"…\" upper=\"…\"/>, or type=\"continuous\"
r.urdf:6:30: joint `k`: there is no link named `aa`; expected `a` or `b`
r.urdf:6:49: joint `k`: there is no link named `c`; expected `a` or `b`";
    assert_eq!(problems(text), told);
    // Elements that the engine cannot simulate are refused by the checks of any scene, at their position in the file.
    let impossible = robot(
        &[
            link("base", ""),
            link("a", r#"<inertial><mass value="-1"/><inertia ixx="1" iyy="1" izz="3"/></inertial>"#),
            joint("j", "continuous", "base", "a", ""),
        ]
        .concat(),
    );
    let told = problems(&impossible);
    assert!(told.contains("r.urdf:3:16: body `a`: `mass` is -1.0; expected a number above 0"), "{told}");
    assert!(told.contains("r.urdf:3:16: body `a`: inertia tensor breaks the triangle inequality"), "{told}");
    let moving =
        robot(&[link("base", ""), link("a", ""), joint("j", "continuous", "base", "a", "")].concat());
    assert!(
        problems(&moving).starts_with("r.urdf:3:1: `a` can move but has no mass"),
        "{}",
        problems(&moving)
    );
    let ring = robot(
        &[
            link("a", UNIT_MASS),
            link("b", UNIT_MASS),
            joint("j", "fixed", "a", "b", ""),
            joint("k", "fixed", "b", "a", ""),
        ]
        .concat(),
    );
    assert!(problems(&ring).contains("the joints form a ring"), "{}", problems(&ring));
    assert!(problems("<sdf/>").contains("expected <robot> (URDF) or <mujoco> (MJCF)"));
}

#[test]
fn a_scene_imports_robots_twice_where_it_wants_them() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("robots")).unwrap();
    let tetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    std::fs::write(folder.path().join("robots/part.obj"), tetrahedron).unwrap();
    let collision = r#"<collision><geometry><mesh filename="package://any/part.obj" scale="2 1 1"/></geometry></collision>"#;
    let arm = [
        link("base", ""),
        link("a", &format!("{UNIT_MASS}{collision}")),
        joint("j", "continuous", "base", "a", r#"<origin xyz="0 0 1"/><axis xyz="0 0 1"/>"#),
    ];
    std::fs::write(folder.path().join("robots/arm.urdf"), robot(&arm.concat())).unwrap();
    let text = r#"format = 1
[[import]]
file = "robots/arm.urdf"
prefix = "left_"
position = [0, 5, 0]
[[import]]
file = "robots/arm.urdf"
prefix = "right_"
orientation = { axis = [1, 0, 0], angle_deg = 90 }
pose = { j = 1.5707963267948966 }
[[agent]]
type = "constant-wrench"
body = "right_a"
"#;
    let path = folder.path().join("two.toml");
    std::fs::write(&path, text).unwrap();
    let scene = Scene::load(&path).unwrap();
    let names: Vec<&str> = scene.body.iter().map(|body| body.name.as_str()).collect();
    assert_eq!((names, scene.joint.len(), scene.import.len()), (vec!["left_a", "right_a"], 2, 0));
    assert_close(&scene.body[0].position, &[0.0, 5.0, 1.0], 1e-15);
    assert_close(&scene.body[1].position, &[0.0, -1.0, 0.0], 1e-15);
    assert!(
        matches!(&scene.body[0].shape, Some(Shape::Mesh(mesh)) if mesh.file == "robots/part.obj" && mesh.scale == [2.0, 1.0, 1.0])
    );
    // A program may import too.
    let mut made = Scene { files: scene.files.clone(), ..Scene::default() };
    made.import = vec![msd_scene::model::Import {
        prefix: "x".into(),
        ..msd_scene::model::Import::of_file("robots/arm.urdf")
    }];
    assert_eq!(made.build().unwrap().bodies[0].0, "xa");
    // Problems of an imported file are reported in that file, next to those of the scene.
    std::fs::write(
        folder.path().join("robots/arm.urdf"),
        robot(&arm.concat()).replace("<mass value=\"1\"/>", "<mass value=\"0.0x\"/>"),
    )
    .unwrap();
    std::fs::write(&path, text.replace("right_a", "right_b")).unwrap();
    let told = Scene::load(&path).unwrap_err().to_string();
    assert!(told.contains("arm.urdf:3:39: `0.0x` is not a finite number"), "{told}");
    assert!(
        told.contains("two.toml:13:8: agent `constant-wrench`: there is no body named `right_b`"),
        "{told}"
    );
    std::fs::write(&path, "format = 1\n[[import]]\nfile = \"../arm.urdf\"\n[[import]]\nfile = \"none.urdf\"\n[[import]]\nfil = 3\n").unwrap();
    let told = Scene::load(&path).unwrap_err().to_string();
    for line in [
        "two.toml:3:8: import: `../arm.urdf` is not inside the folder of the scene",
        "two.toml:5:8: import: `none.urdf` cannot be read",
        "two.toml:7:1: import 3: unknown key `fil`; did you mean `file`?",
    ] {
        assert!(told.contains(line), "{told}");
    }
}

#[test]
fn elements_of_other_programs_are_ignored_and_only_macros_refused() {
    let robot = |extra: &str| {
        let text = format!(
            "<robot name=\"r\" xmlns:drake=\"http://drake\" xmlns:xacro=\"http://xacro\"><link name=\"base\"><inertial><mass value=\"1\"/>\
             <inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>{extra}</robot>"
        );
        Scene::parse_str("r.urdf", &text, Format::Robot)
    };
    assert!(robot("<drake:collision_filter_group name=\"g\"/>").is_ok());
    assert!(
        robot("<xacro:property name=\"p\" value=\"1\"/>").unwrap_err().to_string().contains("is a macro")
    );
}

#[test]
fn visuals_and_colours_come_with_the_links() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("sheet.obj"), "v 0 0 0\nv 1 0 0\nv 0 2 0\nf 1 2 3\n").unwrap();
    let mesh = |file: &str| format!("<geometry><mesh filename=\"{file}\" scale=\"2 2 2\"/></geometry>");
    let cube = r#"<geometry><box size="1 2 3"/></geometry>"#;
    let red = r#"<material name="red"/>"#;
    let text = robot(
        &[
            r#"<material name="red"><color rgba="1 0 0 1"/></material>"#.to_owned(),
            link("base", ""),
            link("plain", &format!("{UNIT_MASS}<collision>{cube}</collision><visual>{cube}{red}</visual>")),
            link(
                "shown",
                &format!(
                    "{UNIT_MASS}<collision>{cube}</collision><visual><origin xyz=\"0 0 1\"/>{}{red}</visual>\
             <visual>{cube}<material name=\"\"><color rgba=\"0 0 1 0.5\"/></material></visual>",
                    mesh("sheet.obj")
                ),
            ),
            link(
                "bare",
                &format!(
                    "{UNIT_MASS}<visual>{}</visual><visual>{}</visual>",
                    mesh("gone.stl"),
                    mesh("a.dae")
                ),
            ),
            joint("a", "floating", "base", "plain", ""),
            joint("b", "floating", "base", "shown", ""),
            joint("c", "floating", "base", "bare", ""),
        ]
        .concat(),
    );
    std::fs::write(folder.path().join("r.urdf"), text).unwrap();
    let loaded = Scene::load_listed(folder.path().join("r.urdf"), &LoadOptions::default()).unwrap();
    let scene = &loaded.scene;
    let plain = body(scene, "plain");
    assert_eq!((plain.color.as_deref(), plain.visual.len()), (Some("#ff0000"), 0), "a colour is enough");
    let shown = body(scene, "shown");
    assert_eq!(shown.visual[0].position, [0.0, 0.0, 1.0]);
    let colors: Vec<_> = shown.visual.iter().map(|visual| visual.color.as_deref()).collect();
    assert_eq!(colors, [Some("#ff0000"), Some("#0000ff80")]);
    assert!(body(scene, "bare").visual.is_empty(), "files that cannot be read are not drawn");
    let notes = format!("{:?}", loaded.listing);
    assert!(notes.contains("not drawn") && notes.contains("gone.stl") && notes.contains(".dae"), "{notes}");
    // The engine carries it, and the model is the same without it.
    let world = scene.build().unwrap().engine.world().clone();
    let looks = world.body(world.find("shown").unwrap()).unwrap().body.appearance.clone().unwrap();
    let VisualGeometry::Mesh(sheet) = &looks.visuals[0].geometry else { panic!("{looks:?}") };
    assert_eq!(sheet.vertices()[2].to_array(), [0.0, 4.0, 0.0], "an open sheet, scaled");
    let mut bare = scene.clone();
    bare.body.iter_mut().for_each(|body| (body.color, body.visual) = (None, Vec::new()));
    assert_eq!(bare.build().unwrap().engine.world().model_hash(), world.model_hash());
}

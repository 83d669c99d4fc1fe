//! What files of real robots hold and a textbook does not: limits of several turns, placeholders for tensors, links
//! without mass, parts that overlap. They run, and the listing says what was changed.

#![expect(clippy::unwrap_used, reason = "a test ends where a promise is broken")]

use msd_scene::model::{BodyKind, Joint};
use msd_scene::{LoadOptions, Scene, Simulation, Verdict};

mod support;

use support::{assert_close, body};

/// The scene of a file, and the import of each of its elements.
fn load(name: &str, text: &str) -> (Scene, Vec<(String, Verdict, String)>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    let loaded =
        Scene::load_listed(&path, &LoadOptions::default()).unwrap_or_else(|errors| panic!("{errors}"));
    let elements = loaded.listing.elements.into_iter();
    (loaded.scene, elements.map(|listed| (listed.element, listed.verdict, listed.note)).collect())
}

fn urdf(inner: &str) -> (Scene, Vec<(String, Verdict, String)>) {
    load("r.urdf", &format!("<robot name=\"r\">\n{inner}\n</robot>"))
}

fn fate<'l>(listing: &'l [(String, Verdict, String)], element: &str) -> (Verdict, &'l str) {
    let found = listing.iter().find(|(listed, ..)| listed == element);
    let (_, verdict, note) = found.unwrap_or_else(|| panic!("{element} is not listed: {listing:#?}"));
    (*verdict, note)
}

fn link(name: &str, mass: f64, moments: [f64; 3], more: &str) -> String {
    let [x, y, z] = moments;
    format!(
        r#"<link name="{name}"><inertial><mass value="{mass}"/><inertia ixx="{x}" iyy="{y}" izz="{z}"/></inertial>{more}</link>"#
    )
}

fn joint(name: &str, kind: &str, parent: &str, child: &str, inner: &str) -> String {
    format!(
        r#"<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{inner}</joint>"#
    )
}

fn limits(scene: &Scene, name: &str) -> Option<[f64; 2]> {
    scene.joint.iter().find_map(|joint| match joint {
        Joint::Hinge(joint) if joint.name == name => Some(joint.limits),
        _ => None,
    })?
}

fn runs(mut scene: Scene, seconds: f64) {
    scene.world.duration = seconds;
    let outcome = Simulation::new(scene.build().unwrap()).run(|_, _| true);
    assert_eq!(outcome.ending, msd_scene::Ending::Done);
}

#[test]
fn a_hinge_that_may_turn_more_than_once_is_limited_all_the_same() {
    let hinge = |limit: &str| {
        urdf(
            &[
                r#"<link name="base"/>"#,
                &link("arm", 1.0, [1.0; 3], ""),
                &joint("turn", "revolute", "base", "arm", limit),
            ]
            .concat(),
        )
    };
    let (scene, listing) = hinge(r#"<limit lower="-7.0" upper="7.0" effort="1" velocity="1"/>"#);
    assert_eq!(limits(&scene, "turn"), Some([-7.0, 7.0]));
    assert_eq!(fate(&listing, r#"<joint name="turn">"#).0, Verdict::Imported);
    let (scene, _) = hinge(r#"<limit lower="-3.1" upper="3.1" effort="1" velocity="1"/>"#);
    assert_eq!(limits(&scene, "turn"), Some([-3.1, 3.1]));
    let (scene, listing) = hinge(r#"<limit effort="1" velocity="1"/>"#);
    assert_eq!(limits(&scene, "turn"), None);
    assert_eq!(fate(&listing, r#"<joint name="turn">"#).0, Verdict::Approximated);
}

#[test]
fn a_joint_whose_limits_leave_it_no_travel_holds_its_links_together_where_they_say() {
    // 1 kg at the base and 1 kg a metre off, after a quarter turn about z: together 2 kg at (0, 0.5, 0).
    let arm =
        r#"<inertial><origin xyz="1 0 0"/><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>"#;
    let (scene, listing) = load(
        "r.urdf",
        &format!(
            r#"<robot name="r"><link name="base"/>{}<link name="arm">{arm}</link>{}{}</robot>"#,
            link("hub", 1.0, [1.0; 3], ""),
            joint("free", "continuous", "base", "hub", r#"<axis xyz="0 0 1"/>"#),
            joint(
                "stuck",
                "revolute",
                "hub",
                "arm",
                r#"<axis xyz="0 0 1"/><limit lower="1.5707963267948966" upper="1.5707963267948966"/>"#
            ),
        ),
    );
    assert_eq!(scene.body.len(), 1);
    let hub = body(&scene, "hub");
    assert_eq!(hub.mass, Some(2.0));
    assert_close(&hub.center_of_mass.unwrap(), &[0.0, 0.5, 0.0], 1e-15);
    // About z: 1 + 1 + 2 · 1 kg · (0.5 m)².
    assert!((hub.inertia.unwrap()[2][2] - 2.5).abs() < 1e-15);
    assert_eq!(fate(&listing, r#"<joint name="stuck">"#).0, Verdict::Approximated);
}

#[test]
fn a_tensor_that_no_body_has_becomes_that_of_the_nearest_flat_body() {
    let falling = |moments: [f64; 3]| {
        let text = [
            r#"<link name="base"/>"#,
            &link("part", 2.0, moments, ""),
            &joint("loose", "floating", "base", "part", ""),
        ]
        .concat();
        urdf(&text)
    };
    // 5 is 3 more than 1 + 1: the flat body with the same 5 has 1 + 1.5 about both other axes.
    let (scene, listing) = falling([5.0, 1.0, 1.0]);
    let inertia = body(&scene, "part").inertia.unwrap();
    assert_close(&[inertia[0][0], inertia[1][1], inertia[2][2]], &[5.0, 2.5, 2.5], 1e-14);
    let (verdict, note) = fate(&listing, "<inertial>");
    assert_eq!(verdict, Verdict::Approximated);
    assert!(note.contains("no body has the principal moments 1.000e0, 1.000e0, 5.000e0 kg·m²"), "{note}");
    runs(scene, 0.1);
    // A point: 2/5 · 2 kg · (1 cm)².
    let (scene, _) = falling([0.0; 3]);
    let inertia = body(&scene, "part").inertia.unwrap();
    assert_close(&[inertia[0][0], inertia[1][1], inertia[2][2]], &[8e-5; 3], 1e-18);
    runs(scene, 0.1);
    // Round-off of a CAD program, positive definite by chance: 2 kg that no ball of 0.1 mm holds.
    let (scene, listing) = falling([2.7e-20, 5.4e-20, 3.1e-20]);
    let inertia = body(&scene, "part").inertia.unwrap();
    assert_close(&[inertia[0][0], inertia[1][1], inertia[2][2]], &[8e-5; 3], 1e-18);
    assert_eq!(fate(&listing, "<inertial>").0, Verdict::Approximated);
    runs(scene, 0.1);
    // One that bodies have is left alone, to the last bit.
    let (scene, listing) = falling([0.1, 0.2, 0.3]);
    assert_eq!(body(&scene, "part").inertia.unwrap()[2][2], 0.3);
    assert_eq!(fate(&listing, "<inertial>").0, Verdict::Imported);
    let negative = format!(
        r#"<robot name="r"><link name="base"/>{}{}</robot>"#,
        link("part", 2.0, [-0.1, 0.2, 0.2], ""),
        joint("loose", "floating", "base", "part", "")
    );
    let told =
        Scene::parse_str("r.urdf", &negative, msd_scene::source::Format::Robot).unwrap_err().to_string();
    assert!(told.contains("must be positive definite"), "{told}");
}

#[test]
fn masses_without_tensors_count_where_they_are_held_to_a_body_that_has_one() {
    // A sensor of 0.5 kg, a point, 1 m along x: it adds 0.5 · (2/3)² + 1 · (1/3)² = 1/3 kg·m² about y and z.
    let (scene, listing) = urdf(
        &[
            r#"<link name="base"/>"#,
            &link("arm", 1.0, [1.0; 3], ""),
            &link("sensor", 0.5, [0.0; 3], ""),
            &joint("shoulder", "continuous", "base", "arm", ""),
            &joint("mount", "fixed", "arm", "sensor", r#"<origin xyz="1 0 0"/>"#),
        ]
        .concat(),
    );
    let inertia = body(&scene, "arm").inertia.unwrap();
    assert_close(&[inertia[0][0], inertia[1][1], inertia[2][2]], &[1.0, 4.0 / 3.0, 4.0 / 3.0], 1e-15);
    assert!(listing.iter().all(|(_, verdict, _)| *verdict == Verdict::Imported), "{listing:?}");
}

#[test]
fn a_link_without_mass_between_two_joints_carries_almost_nothing() {
    let (scene, listing) = urdf(
        &[
            r#"<link name="base"/><link name="cross"/><link name="tip"/>"#,
            &link("arm", 2.0, [0.1, 0.2, 0.25], ""),
            &joint("pitch", "continuous", "base", "cross", r#"<axis xyz="0 1 0"/>"#),
            &joint("yaw", "continuous", "cross", "arm", r#"<axis xyz="0 0 1"/>"#),
            &joint("finger", "continuous", "arm", "tip", r#"<axis xyz="0 1 0"/>"#),
        ]
        .concat(),
    );
    assert_eq!(body(&scene, "cross").mass, Some(2e-6));
    assert_eq!(body(&scene, "tip").mass, Some(2e-3));
    let (verdict, note) = fate(&listing, r#"<link name="cross">"#);
    assert_eq!((verdict, note), (Verdict::Approximated, "no mass: weighs 1e-6 of what it carries, `arm`"));
    assert!(fate(&listing, r#"<link name="tip">"#).1.contains("1e-3 of what holds it"));
    runs(scene, 0.05);
}

#[test]
fn links_that_overlap_where_the_robot_starts_do_not_touch_each_other() {
    let ball = |x: f64| {
        format!(
            r#"<collision><origin xyz="{x} 0 0"/><geometry><sphere radius="0.6"/></geometry></collision>"#
        )
    };
    // Balls of 0.6 m at x = 0, 0.5, 1 and 2.5: the first three overlap one another, the last touches nobody.
    let (scene, listing) = urdf(
        &[
            link("base", 1.0, [1.0; 3], &ball(0.0)),
            link("hip", 1.0, [1.0; 3], &ball(0.5)),
            link("thigh", 1.0, [1.0; 3], &ball(1.0)),
            link("foot", 1.0, [1.0; 3], &ball(2.5)),
            joint("a", "continuous", "base", "hip", ""),
            joint("b", "continuous", "hip", "thigh", ""),
            joint("c", "continuous", "thigh", "foot", ""),
        ]
        .concat(),
    );
    let ignored = |name: &str| body(&scene, name).ignores.clone();
    assert_eq!(body(&scene, "base").kind, BodyKind::Static);
    // The hip is joined to its neighbours, which keeps them apart already.
    assert_eq!(
        (ignored("hip"), ignored("thigh"), ignored("foot")),
        (vec![], vec!["base".to_owned()], vec![])
    );
    let (verdict, note) = fate(&listing, r#"<link name="thigh">"#);
    assert_eq!(verdict, Verdict::Approximated);
    assert!(note.contains("overlaps `base` where it starts"), "{note}");
}

#[test]
fn parts_of_one_model_that_overlap_do_not_touch_but_what_stands_on_the_floor_does() {
    // The floor is at z = 0 and the trunk 1 mm in it. Along x, balls of 0.6 m at 0, 0.5 and 1: neighbours are joined.
    let (scene, listing) = load(
        "m.xml",
        r#"<mujoco><worldbody><geom name="floor" type="plane" size="9 9 1"/>
        <body name="trunk" pos="0 0 0.599"><freejoint/><geom size="0.6"/>
        <body name="thigh" pos="0.5 0 0.1"><joint name="hip"/><geom size="0.6"/>
        <body name="shin" pos="0.5 0 0"><joint name="knee"/><geom size="0.6"/></body></body></body>
        <body name="other" pos="-0.5 0 1"><freejoint/><geom size="0.6"/></body></worldbody></mujoco>"#,
    );
    let ignored = |name: &str| body(&scene, name).ignores.clone();
    assert_eq!((ignored("trunk"), ignored("thigh")), (vec![], vec![]));
    assert_eq!((ignored("shin"), ignored("other")), (vec!["trunk".to_owned()], vec![]));
    let (verdict, note) = fate(&listing, r#"<body name="shin">"#);
    assert_eq!(verdict, Verdict::Approximated);
    assert_eq!(note, "overlaps `trunk` where it starts: the two do not touch each other");
}

#[test]
fn a_link_that_touches_the_base_it_is_joined_to_does_not_push_on_it() {
    // A turntable on a post, face to face; a second post next to it may be touched.
    let (scene, listing) = load(
        "m.xml",
        r#"<mujoco><worldbody><body name="post"><geom type="cylinder" size="0.1 0.5"/>
        <body name="table" pos="0 0 0.6"><joint name="turn" axis="0 0 1"/><geom type="cylinder" size="0.3 0.1"/></body>
        </body><body name="beside" pos="0.4 0 0.6"><geom type="box" size="0.1 0.1 0.1"/></body></worldbody></mujoco>"#,
    );
    assert_eq!(body(&scene, "table").ignores, ["post"]);
    assert!(body(&scene, "beside").ignores.is_empty());
    let (verdict, note) = fate(&listing, r#"<body name="table">"#);
    assert_eq!(verdict, Verdict::Approximated);
    assert_eq!(note, "touches `post` where it starts: the two do not touch each other");
}

#[test]
fn pairs_that_could_not_touch_anyway_are_not_listed() {
    let balls = |joint: &str, filter: &str, exclude: &str| {
        let text = format!(
            r#"<mujoco><worldbody><body name="a"><freejoint/><geom size="0.6" {filter}/>
            <body name="b"><joint name="j"/>{joint}<geom size="0.1" contype="0" conaffinity="0"/>
            <body name="c"><joint name="k"/><geom size="0.6" {filter}/></body></body></body></worldbody>{exclude}</mujoco>"#
        );
        load("m.xml", &text).0
    };
    let exclude = r#"<contact><exclude body1="a" body2="c"/></contact>"#;
    assert_eq!(body(&balls("", "", exclude), "a").ignores, ["c"]);
    assert!(body(&balls("", "", exclude), "c").ignores.is_empty());
    assert_eq!(body(&balls("", "", ""), "c").ignores, ["a"]);
    let alone = r#"contype="2" conaffinity="1""#;
    assert!(body(&balls("", alone, ""), "c").ignores.is_empty());
}

#[test]
fn files_that_other_readers_let_pass_are_read() {
    // Empty lines before the declaration, a zero byte at the end.
    let robot = format!(
        "\n\n<?xml version=\"1.0\"?>\n<robot name=\"r\"><link name=\"base\"/>{}{}</robot>\r\n\0",
        link("head", 1.0, [1.0; 3], ""),
        joint("neck", "spherical", "base", "head", "")
    );
    let (scene, listing) = load("r.urdf", &robot);
    assert!(matches!(&scene.joint[..], [Joint::Ball(joint)] if joint.name == "neck"));
    assert_eq!(
        fate(&listing, r#"<joint name="neck">"#),
        (Verdict::Imported, "not a type of URDF: a ball joint")
    );
    // Problems are still reported at their position.
    let broken = robot.replace("type=\"spherical\"", "type=\"hinge\"");
    let told = Scene::parse_str("r.urdf", &broken, msd_scene::source::Format::Robot).unwrap_err().to_string();
    assert!(told.contains("r.urdf:4:"), "{told}");
    // A mass without a tensor is a ball of a centimetre.
    let (scene, listing) = load(
        "m.xml",
        r#"<mujoco><worldbody><body name="b"><freejoint/><inertial mass="10"/></body></worldbody></mujoco>"#,
    );
    assert_close(&body(&scene, "b").inertia.unwrap()[1], &[0.0, 4e-4, 0.0], 1e-18);
    assert_eq!(fate(&listing, "<inertial>").0, Verdict::Approximated);
}

#[test]
fn a_mesh_that_only_shows_what_a_body_looks_like_needs_no_volume() {
    let sheet = r#"<mesh name="sheet" vertex="0 0 0  1 0 0  0 1 0  1 1 0"/>"#;
    let geom = r#"<geom type="mesh" mesh="sheet" contype="0" conaffinity="0"/>"#;
    let model = |inertial: &str| {
        format!(
            r#"<mujoco><asset>{sheet}</asset><worldbody><body name="b"><freejoint/>{inertial}{geom}</body></worldbody></mujoco>"#
        )
    };
    let (scene, _) = load("m.xml", &model(r#"<inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/>"#));
    assert_eq!(body(&scene, "b").mass, Some(2.0));
    runs(scene, 0.01);
    let told =
        Scene::parse_str("m.xml", &model(""), msd_scene::source::Format::Robot).unwrap_err().to_string();
    assert!(told.contains("no volume"), "{told}");
}

//! Hostile scenes and robots are refused with their position, before memory is allocated for them.

#![expect(clippy::unwrap_used, reason = "a test ends where a promise is broken")]

mod support;

use support::{Folder, text};

/// Standard error of `msd check`, with at most 1 GB of address space where that can be limited.
fn refusal(folder: &Folder, file: &str) -> String {
    let output = if cfg!(target_os = "linux") {
        let script = format!("ulimit -v 1000000; exec '{}' check '{file}'", env!("CARGO_BIN_EXE_msd"));
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", &script]).current_dir(folder.path(".")).output().unwrap()
    } else {
        folder.run(&["check", file])
    };
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{file}: {told}");
    assert!(output.stdout.is_empty());
    told
}

fn assert_refused(folder: &Folder, cases: &[(&str, String, &str)]) {
    for (file, content, expected) in cases {
        folder.write(file, content);
        let told = refusal(folder, file);
        assert!(
            told.contains(expected),
            "{file}: expected {expected:?} in\n{}",
            &told[..told.len().min(2000)]
        );
    }
}

fn mesh_scene(file: &str) -> String {
    format!("format = 1\n[[body]]\nname = \"b\"\nmass = 1\nshape = {{ mesh = {{ file = \"{file}\" }} }}\n")
}

#[test]
fn nesting_beyond_the_limit_is_refused() {
    let nested =
        |open: &str, close: &str, depth: usize| format!("{}{}", open.repeat(depth), close.repeat(depth));
    let parts = "{ compound = { parts = [{ shape = ".repeat(60)
        + "{ sphere = { radius = 1 } }"
        + &" }] } }".repeat(60);
    let compounds = format!("format = 1\n[[body]]\nname = \"b\"\nmass = 1\nshape = {parts}\n");
    assert_refused(
        &Folder::new(),
        &[
            ("list.json", nested("[", "]", 100_000), "nested deeper than 128 levels"),
            ("table.json", nested("{\"a\":", "}", 100_000), "nested deeper than 128 levels"),
            ("list.toml", format!("a = {}", nested("[", "]", 100_000)), "syntax: "),
            ("dots.toml", format!("{}a = 1", "a.".repeat(100_000)), "syntax: "),
            ("compounds.toml", compounds, "syntax: "),
            ("robot.urdf", nested("<robot>", "</robot>", 100_000), "nested deeper than 256 levels"),
            (
                "model.xml",
                format!("<mujoco><worldbody>{}</worldbody></mujoco>", nested("<body>", "</body>", 300)),
                "nested deeper than 256 levels",
            ),
        ],
    );
}

#[test]
fn entities_do_not_expand_and_elements_are_counted_first() {
    let mut laughs = "<!DOCTYPE r [<!ENTITY a0 \"ha\">".to_owned();
    for i in 1..30 {
        laughs += &format!("<!ENTITY a{i} \"{}\">", format!("&a{};", i - 1).repeat(10));
    }
    let outside = "<!DOCTYPE r [<!ENTITY x SYSTEM \"/etc/hostname\">]><robot name=\"&x;\"/>".to_owned();
    let attributes: String = (0..100_000).map(|i| format!(" a{i}=\"\"")).collect();
    assert_refused(
        &Folder::new(),
        &[
            ("laughs.urdf", laughs + "]><robot name=\"&a29;\"/>", "it has a document type declaration"),
            ("outside.xml", outside, "it has a document type declaration"),
            (
                "many.urdf",
                format!("<robot>{}</robot>", "<a/>".repeat(3_000_000)),
                "more than 1000000 elements",
            ),
            ("wide.urdf", format!("<robot{attributes}/>"), "more than 256 attributes"),
        ],
    );
}

#[test]
fn counts_larger_than_the_file_could_hold_are_refused() {
    let folder = Folder::new();
    let mut stl = vec![0; 80];
    stl.extend(u32::MAX.to_le_bytes());
    stl.extend([0; 50]);
    std::fs::write(folder.path("claims.stl"), stl).unwrap();
    let gltf = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"buffers":[{"byteLength":4000000000000}],
        "bufferViews":[{"buffer":0,"byteLength":4000000000000}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":300000000000,"type":"VEC3"}]}"#;
    folder.write("claims.gltf", gltf);
    for (file, expected) in [("claims.stl", "bytes declared"), ("claims.gltf", "claims.gltf")] {
        folder.write("scene.toml", &mesh_scene(file));
        let told = refusal(&folder, "scene.toml");
        assert!(told.contains(expected) && told.contains("scene.toml:5:9"), "{told}");
    }
    // Nor is memory allocated for copies that a robot asks for.
    let replicate = "<mujoco><worldbody><replicate count=\"1000000000\"><geom size=\"1\"/></replicate></worldbody></mujoco>";
    folder.write("count.xml", replicate);
    let output = folder.run(&["check", "count.xml"]);
    let told = text(&output.stderr);
    assert!(told.contains("count.xml:1:20") && told.contains("its count is 1000000000"), "{told}");
}

#[test]
fn mesh_indices_out_of_range_are_refused() {
    let folder = Folder::new();
    folder.write("far.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n");
    folder.write("scene.toml", &mesh_scene("far.obj"));
    let told = refusal(&folder, "scene.toml");
    assert!(told.contains("far.obj: line 4"), "{told}");
    let robot = "<robot name=\"r\"><link name=\"a\"><collision><geometry><mesh filename=\"far.obj\"/></geometry></collision></link></robot>";
    folder.write("robot.urdf", robot);
    assert!(refusal(&folder, "robot.urdf").contains("far.obj: line 4"));
}

#[test]
fn nothing_outside_the_folder_is_read_without_being_asked_for() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("inner")).unwrap();
    let tetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    folder.write("part.obj", tetrahedron);
    folder.write("arm.urdf", "<robot name=\"r\"><link name=\"a\"/></robot>");
    let absolute = folder.path("part.obj").display().to_string();
    let urdf = |file: &str| {
        format!(
            "<robot name=\"r\"><link name=\"a\"><collision><geometry><mesh filename=\"{file}\"/></geometry></collision></link></robot>"
        )
    };
    let mjcf = |file: &str| format!("<mujoco><asset><mesh name=\"m\" file=\"{file}\"/></asset></mujoco>");
    let outside = "is not inside the folder";
    let cases = [
        ("inner/mesh.toml", mesh_scene("../part.obj"), outside),
        ("inner/absolute.toml", mesh_scene(&absolute), outside),
        ("inner/database.toml", "format = 1\n[[body]]\nname = \"b\"\nmass = 1\nshape = { asset = { name = \"x\", database = \"../x.db\" } }\n".to_owned(), outside),
        ("inner/import.toml", "format = 1\n[[import]]\nfile = \"../arm.urdf\"\n".to_owned(), outside),
        ("inner/mesh.urdf", urdf("../part.obj"), outside),
        ("inner/file.urdf", urdf(&format!("file://{absolute}")), outside),
        ("inner/package.urdf", urdf("package://x/../../part.obj"), outside),
        ("inner/mesh.xml", mjcf("../part.obj"), outside),
        ("inner/include.xml", "<mujoco><include file=\"../part.obj\"/></mujoco>".to_owned(), outside),
    ];
    assert_refused(&folder, &cases);
    // An explicit request reads it.
    for file in ["inner/mesh.toml", "inner/import.toml", "inner/mesh.urdf", "inner/mesh.xml"] {
        let output = folder.run(&["check", file, "--allow-outside-files"]);
        assert_eq!(output.status.code(), Some(0), "{file}: {}", text(&output.stderr));
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(folder.path("part.obj"), folder.path("inner/link.obj")).unwrap();
        assert_refused(
            &folder,
            &[
                ("inner/link.toml", mesh_scene("link.obj"), "leads out of the folder"),
                ("inner/link.urdf", urdf("link.obj"), "leads out of the folder"),
            ],
        );
    }
}

//! A C program compiled with the C compiler of the machine against the header and linked with the library; and the header
//! against the functions of the library.

#![allow(clippy::unwrap_used, reason = "a test that cannot build its program has failed")]

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use msd_scene::Scene;
use msd_scene::source::Format;

fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_header_declares_each_function_once_and_no_other() {
    let header = std::fs::read_to_string(package().join("include/msd.h")).unwrap();
    let source = std::fs::read_to_string(package().join("src/abi.rs")).unwrap();
    let exported: BTreeSet<&str> = source
        .split("#[unsafe(no_mangle)]")
        .skip(1)
        .map(|after| after.split("fn ").nth(1).unwrap().split('(').next().unwrap())
        .collect();
    // Comments name functions too; declarations are lines that end with a semicolon.
    let declared: Vec<&str> = header
        .lines()
        .filter(|line| line.ends_with(';') && line.contains('('))
        .map(|line| line.split('(').next().unwrap().rsplit([' ', '*']).next().unwrap())
        .collect();
    assert_eq!(declared.iter().copied().collect::<BTreeSet<_>>(), exported);
    assert_eq!(declared.len(), exported.len());
}

#[test]
fn a_c_program_drops_a_ball_with_the_bits_of_the_library() {
    // The library is beside the test or one folder above, where cargo puts it.
    let beside = std::env::current_exe().unwrap();
    let library = format!("{}msd_capi{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let folder = beside.ancestors().skip(1).take(2).find(|folder| folder.join(&library).exists()).unwrap();
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("program");
    let compiled = Command::new("cc")
        .args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-D_DEFAULT_SOURCE"])
        .arg("-I")
        .arg(package().join("include"))
        .arg(package().join("tests/program.c"))
        .arg("-o")
        .arg(&program)
        .arg("-L")
        .arg(folder)
        .arg(format!("-Wl,-rpath,{}", folder.display()))
        .args(["-lmsd_capi", "-lm"])
        .output()
        .unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let scene = package().join("../../scenes/arm.urdf");
    let run = Command::new(&program).arg(&scene).output().unwrap();
    let printed = String::from_utf8(run.stdout).unwrap();
    assert!(run.status.success(), "{printed}{}", String::from_utf8_lossy(&run.stderr));

    // The same ball from Rust.
    let text = "format = 1\n[world]\ndt = 0.001\nduration = 1.0\n[[body]]\nname = \"floor\"\nkind = \"static\"\n\
        shape = { plane = { normal = [0, 0, 1] } }\n[[body]]\nname = \"ball\"\nshape = { sphere = { radius = 0.1 } }\n\
        mass = 2.0\nposition = [0, 0, 10]\n";
    let mut engine = Scene::parse_str("drop.toml", text, Format::Toml).unwrap().build().unwrap().engine;
    for _ in 0..1000 {
        engine.step(0.001).unwrap();
    }
    assert!(printed.contains(&format!("hash {}\n", engine.world().state_hash())), "{printed}");
    assert!(printed.contains("refused: bad.toml:4:"), "{printed}");
    assert!(printed.contains("arm.urdf: "), "{printed}");
}

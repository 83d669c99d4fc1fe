//! Random worlds written as scene files are the worlds they were written from: they start with the same bits and go the same way, so that a
//! case that a campaign has shrunk can be run by anybody.
#![allow(dead_code, unreachable_pub, reason = "the plan is shared with the campaigns of the engine")]

#[path = "../../msd/tests/random_worlds/plan.rs"]
mod plan;

use msd::environment::{ContactScheme, World};
use msd_scene::Scene;
use plan::{Plan, Random};

#[test]
fn a_plan_written_as_a_scene_is_the_same_world() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut compared, mut meshes) = (0, 0);
    for seed in 0..180 {
        let make = if seed < 120 { Plan::random } else { Plan::wider };
        let plan = make(&mut Random::from_seed(seed), 10, 10);
        // Scene files do not choose the scheme.
        if plan.scheme != ContactScheme::default() {
            continue;
        }
        let Ok(mut world) = plan.build() else { continue };
        let (text, sheet) = plan.scene();
        let file = folder.path().join(format!("{seed}.json"));
        std::fs::write(&file, text).expect("a file");
        if let Some(sheet) = sheet {
            std::fs::write(folder.path().join("sheet.obj"), sheet).expect("a file");
            meshes += 1;
        }
        let scene = Scene::load(&file).unwrap_or_else(|errors| panic!("seed {seed}: {errors:?}"));
        let mut built = scene.build().unwrap_or_else(|errors| panic!("seed {seed}: {errors:?}")).engine;
        assert_eq!(built.world().state_hash(), world.state_hash(), "seed {seed}: another start");
        for step in 1..=plan.steps.min(5) {
            let (ours, theirs) = (world.step(plan.dt), built.step(plan.dt));
            assert_eq!(ours.is_ok(), theirs.is_ok(), "seed {seed}, step {step}");
            let apart = world.handles().zip(built.world().handles()).map(|(one, other)| {
                let place = |world: &World, body| world.body(body).expect("a body").state.center_of_mass;
                (place(&world, one) - place(built.world(), other)).length()
            });
            let apart = apart.fold(0.0, f64::max);
            assert!(apart < 1e-9, "seed {seed}, step {step}: {apart:e} m apart");
        }
        compared += 1;
    }
    assert!(compared > 140 && meshes > 10, "{compared} worlds, {meshes} with a mesh");
}

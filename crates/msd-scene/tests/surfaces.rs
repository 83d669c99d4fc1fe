//! Belts and one-way bodies in scenes.

use msd::math::Vec3;
use msd_scene::Scene;
use msd_scene::source::Format;

fn scene(floor: &str) -> String {
    format!(
        r#"format = 1
[[body]]
name = "floor"
kind = "static"
shape = {{ box = {{ size = [8, 8, 0.2] }} }}
friction = 0.5
{floor}
[[body]]
name = "parcel"
shape = {{ box = {{ size = [0.2, 0.2, 0.2] }} }}
mass = 1
position = [0, 0, 0.2]
"#
    )
}

#[test]
fn a_belt_carries_and_a_floor_open_from_above_does_not() {
    for (floor, velocity) in [
        ("surface_velocity = [0, 0.5, 0]", Vec3::Y * 0.5),
        ("one_way = [0, 0, 2]", Vec3::ZERO),
        ("one_way = [0, 0, -1]", -Vec3::Z * 9.81),
    ] {
        let scene = Scene::parse_str("s.toml", &scene(floor), Format::Toml).unwrap_or_else(|e| panic!("{e}"));
        let mut built = scene.build().unwrap();
        let world = built.engine.world_mut();
        world.run(1.0).unwrap();
        let parcel = world.body(world.find("parcel").unwrap()).unwrap().state.velocity;
        assert!((parcel - velocity).length() < 1e-6, "{floor}: {parcel}");
    }
}

#[test]
fn a_direction_of_no_length_is_refused_where_it_stands() {
    let text = scene("one_way = [0, 0, 0]");
    let errors =
        match Scene::parse_str("s.toml", &text, Format::Toml).and_then(|scene| scene.build().map(drop)) {
            Ok(()) => panic!("accepted"),
            Err(errors) => errors.to_string(),
        };
    assert!(errors.contains("one_way") && errors.contains("floor"), "{errors}");
}

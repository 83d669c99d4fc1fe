//! The looks of bodies come back from a recording, and reach other programs through MCAP and glTF.

#![expect(clippy::unwrap_used, reason = "a test ends where a promise is broken")]

use std::sync::Arc;

use msd::environment::{BodyDescription, World};
use msd::math::{ReferenceFrame, Vec3};
use msd::physics::rigid_body::shape::{Shape, Sphere};
use msd::physics::rigid_body::{Appearance, Color, Visual, VisualGeometry, VisualMesh};
use msd_recording::{ExportFormat, ExportTable, RecordOptions, Recorder, Recording};

const BODY: Color = Color::rgb(0x12, 0xab, 0x34);
const SHEET: Color = Color { r: 255, g: 0, b: 0, a: 128 };

/// A ball that looks like a red sheet with a smaller ball, falling for 0.1 s.
fn recorded(folder: &std::path::Path) -> Recording {
    let ball = |radius: f64| Shape::Sphere(Sphere::new(radius).unwrap());
    let sheet = VisualMesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]]).unwrap();
    let visual = |geometry, color| Visual { geometry, frame: ReferenceFrame::from_position(Vec3::Z), color };
    let appearance = Appearance {
        color: Some(BODY),
        visuals: vec![
            visual(VisualGeometry::Mesh(Arc::new(sheet)), Some(SHEET)),
            visual(VisualGeometry::Shape(ball(0.05)), None),
        ],
    };
    let mut world = World::new();
    let body = BodyDescription::dynamic("ball", ball(0.1)).mass(1.0).appearance(appearance);
    world.add_body(body).unwrap();
    world.add_body(BodyDescription::fixed("plain", ball(0.2)).position(Vec3::X * 3.0)).unwrap();
    let path = folder.join("run.msdr");
    let mut recorder = Recorder::create(&path, &world, &RecordOptions::new().every(0.01)).unwrap();
    for _ in 0..100 {
        let step = world.step(0.001).unwrap();
        recorder.observe(&world, &step, [].iter()).unwrap();
    }
    recorder.finish(&world, "done", None, None).unwrap();
    Recording::open(&path).unwrap()
}

fn exported(recording: &Recording, format: ExportFormat) -> Vec<u8> {
    let mut bytes = Vec::new();
    recording.export(format, ExportTable::default(), &mut bytes).unwrap();
    bytes
}

#[test]
fn a_recording_without_a_scene_keeps_colours_and_visuals() {
    let folder = tempfile::tempdir().unwrap();
    let recording = recorded(folder.path());
    let looks = &recording.bodies()[0].appearance;
    assert_eq!(looks.color, Some(BODY));
    assert_eq!(looks.visuals.iter().map(|visual| visual.color).collect::<Vec<_>>(), [Some(SHEET), None]);
    assert_eq!(looks.visuals[0].frame.position, Vec3::Z);
    assert!(looks.visuals.iter().all(|visual| recording.geometry(visual.geometry).is_ok()));
    assert_eq!(recording.bodies()[1].appearance, Default::default());
    assert!(recording.property("appearance").is_none(), "it is no setting of the run");
}

#[test]
fn mcap_is_compressed_indexed_and_has_the_colours() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = exported(&recorded(folder.path()), ExportFormat::Mcap);
    let summary = mcap::Summary::read(&bytes).unwrap().unwrap();
    assert!(summary.chunk_indexes.iter().all(|chunk| chunk.compression == "zstd"));
    let messages: Vec<_> = mcap::MessageStream::new(&bytes).unwrap().map(Result::unwrap).collect();
    assert_eq!(summary.stats.unwrap().message_count, messages.len() as u64);
    let count = |topic: &str| messages.iter().filter(|message| message.channel.topic == topic).count();
    assert_eq!((count("/tf"), count("/energy"), count("/scene")), (11, 11, 1));
    let scene = messages.iter().find(|message| message.channel.topic == "/scene").unwrap();
    let scene: serde_json::Value = serde_json::from_slice(&scene.data).unwrap();
    let sheet = &scene["entities"][0]["triangles"][0]["color"];
    assert_eq!((sheet["r"].as_f64(), sheet["g"].as_f64()), (Some(1.0), Some(0.0)));
    assert!((sheet["a"].as_f64().unwrap() - 128.0 / 255.0).abs() < 1e-12);
    assert_eq!(scene["entities"][0]["spheres"].as_array().unwrap().len(), 1, "visuals instead of the shape");
}

#[test]
fn gltf_has_a_node_a_body_its_materials_and_its_motion() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = exported(&recorded(folder.path()), ExportFormat::Glb);
    let length = u32::from_le_bytes(bytes[8..12].try_into().unwrap()) as usize;
    let text = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    assert_eq!((&bytes[..4], length, &bytes[16..20]), (&b"glTF"[..], bytes.len(), &b"JSON"[..]));
    let json: serde_json::Value = serde_json::from_slice(&bytes[20..20 + text]).unwrap();
    let names: Vec<_> =
        json["nodes"].as_array().unwrap().iter().filter_map(|node| node["name"].as_str()).collect();
    assert_eq!(names, ["ball", "plain", "world, z up"]);
    let materials = json["materials"].as_array().unwrap();
    assert_eq!(materials.len(), 3);
    assert_eq!(materials[0]["alphaMode"], "BLEND");
    assert_eq!(json["animations"][0]["channels"].as_array().unwrap().len(), 2, "only what moves");
    // The last translation is where the ball is: 9.81/2 · 0.1² below its start.
    let sampler = &json["animations"][0]["samplers"][0];
    let number = |value: &serde_json::Value| value.as_u64().unwrap() as usize;
    let view = &json["bufferViews"][number(&sampler["output"])];
    let end = 20 + text + 8 + number(&view["byteOffset"]) + number(&view["byteLength"]);
    let z = f32::from_le_bytes(bytes[end - 4..end].try_into().unwrap());
    assert!((f64::from(z) + 0.5 * 9.81 * 0.01).abs() < 1e-6, "{z}");
}

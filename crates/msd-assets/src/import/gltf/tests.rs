//! Tiny documents, right and wrong.

use serde_json::{Value, json};

use super::*;
use crate::import::{Import, ImportError, load};

/// Corners of the tetrahedron (0, x, y, z) and its faces, outwards.
const POSITIONS: [f32; 12] = [0., 0., 0., 1., 0., 0., 0., 1., 0., 0., 0., 1.];
const INDICES: [u16; 12] = [0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3];

fn payload() -> Vec<u8> {
    let mut bytes: Vec<u8> = POSITIONS.iter().flat_map(|x| x.to_le_bytes()).collect();
    bytes.extend(INDICES.iter().flat_map(|i| i.to_le_bytes()));
    bytes
}

fn document(uri: Option<&str>) -> Value {
    let mut document = json!({
        "asset": { "version": "2.0" },
        "scene": 0,
        "scenes": [{ "nodes": [0] }],
        "nodes": [{ "mesh": 0 }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0, "NORMAL": 9 }, "indices": 1 }] }],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3" },
            { "bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR" }
        ],
        "bufferViews": [
            { "buffer": 0, "byteLength": 48 },
            { "buffer": 0, "byteOffset": 48, "byteLength": 24 }
        ],
        "buffers": [{ "byteLength": 72 }]
    });
    if let Some(uri) = uri {
        document["buffers"][0]["uri"] = json!(uri);
    }
    document
}

fn data_uri() -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits = payload()
        .chunks(3)
        .flat_map(|c| {
            let word = u32::from_be_bytes([0, c[0], c[1], c[2]]);
            [18, 12, 6, 0].map(|shift| char::from(DIGITS[(word >> shift & 63) as usize]))
        })
        .collect::<String>();
    format!("data:application/octet-stream;base64,{digits}")
}

fn glb(document: &Value, binary: &[u8]) -> Vec<u8> {
    let mut json = document.to_string().into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut bytes = b"glTF".to_vec();
    bytes.extend(2_u32.to_le_bytes());
    bytes.extend(((12 + 8 + json.len() + 8 + binary.len()) as u32).to_le_bytes());
    bytes.extend((json.len() as u32).to_le_bytes());
    bytes.extend(b"JSON");
    bytes.extend(json);
    bytes.extend((binary.len() as u32).to_le_bytes());
    bytes.extend(b"BIN\0");
    bytes.extend(binary);
    bytes
}

fn load_as(name: &str, bytes: &[u8], options: &ImportOptions) -> Result<Import, ImportError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    load(&path, options)
}

fn load_json(document: &Value) -> Result<Import, ImportError> {
    load_as("part.gltf", document.to_string().as_bytes(), &ImportOptions::default())
}

fn refusal(document: &Value) -> String {
    load_json(document).unwrap_err().problem.to_string()
}

#[test]
fn y_up_becomes_z_up_in_every_container() {
    let inside = load_as("part.glb", &glb(&document(None), &payload()), &ImportOptions::default()).unwrap();
    let embedded = load_json(&document(Some(&data_uri()))).unwrap();
    assert_eq!((inside.format, embedded.format), (Format::Glb, Format::Gltf));
    assert_eq!(inside.mesh, embedded.mesh);
    let mesh = inside.mesh;
    assert!(mesh.is_closed() && (mesh.volume() - 1.0 / 6.0).abs() < 1e-15);
    assert!(mesh.vertices().contains(&Vec3::Z) && mesh.vertices().contains(&Vec3::NEG_Y));
}

#[test]
fn node_transforms_multiply_down_the_tree_and_mirrors_keep_the_outside_out() {
    let mut nested = document(Some(&data_uri()));
    nested["nodes"] = json!([
        { "children": [1], "translation": [10.0, 0.0, 0.0], "rotation": [0.0, 0.0, std::f64::consts::FRAC_1_SQRT_2, std::f64::consts::FRAC_1_SQRT_2] },
        { "children": [2], "scale": [2.0, 3.0, -4.0] },
        { "mesh": 0, "matrix": [1,0,0,0, 0,1,0,0, 0,0,1,0, 1,0,0,1] }
    ]);
    let options = ImportOptions { up: Some(crate::import::UpAxis::Z), ..ImportOptions::default() };
    let mesh = load_as("a.gltf", nested.to_string().as_bytes(), &options).unwrap().mesh;
    // (0,0,0) → (1,0,0) → (2,0,0) → a quarter turn about z: (0,2,0) → (10,2,0).
    assert!(mesh.vertices().iter().any(|v| v.abs_diff_eq(Vec3::new(10.0, 2.0, 0.0), 1e-15)));
    assert!(mesh.vertices().iter().any(|v| v.abs_diff_eq(Vec3::new(10.0, 2.0, -4.0), 1e-14)));
    assert!(mesh.is_closed());
    assert!((mesh.volume() - 4.0).abs() < 1e-13, "24 × 1/6 m³, positive: {}", mesh.volume());
}

#[test]
fn buffers_beside_the_file_are_read_and_others_refused() {
    let outer = tempfile::tempdir().unwrap();
    let folder = outer.path().join("model");
    std::fs::create_dir_all(folder.join("my data")).unwrap();
    std::fs::write(outer.path().join("secret.bin"), payload()).unwrap();
    std::fs::write(folder.join("my data/part.bin"), payload()).unwrap();
    let load_uri = |uri: &str, options: &ImportOptions| {
        let path = folder.join("part.gltf");
        std::fs::write(&path, document(Some(uri)).to_string()).unwrap();
        load(&path, options).map_err(|e| e.problem.to_string())
    };
    let defaults = ImportOptions::default();
    assert!(load_uri("my%20data/part.bin", &defaults).is_ok());
    let tiny = ImportOptions { max_bytes: 900, ..defaults.clone() };
    assert!(load_uri("my%20data/part.bin", &tiny).is_ok());
    let absolute = outer.path().join("secret.bin").display().to_string();
    for uri in [
        "../secret.bin",
        "%2e%2e/secret.bin",
        "my data/../../secret.bin",
        &absolute,
        "file:///etc/passwd",
        "",
    ] {
        let refused = load_uri(uri, &defaults).unwrap_err();
        assert!(refused.contains("not inside the file's folder"), "{uri}: {refused}");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(outer.path().join("secret.bin"), folder.join("link.bin")).unwrap();
        assert!(load_uri("link.bin", &defaults).unwrap_err().contains("not inside"));
    }
    assert!(load_uri("absent.bin", &defaults).unwrap_err().contains("absent.bin"));
    assert!(load_uri("data:,hello", &defaults).unwrap_err().contains("base64"));
}

#[test]
fn strips_fans_and_byte_indices_are_triangles_too() {
    let mut strip = document(Some(&data_uri()));
    strip["meshes"][0]["primitives"] = json!([{ "attributes": { "POSITION": 0 }, "mode": 5 }, { "attributes": { "POSITION": 0 }, "mode": 1 }]);
    assert_eq!(load_json(&strip).unwrap().mesh.triangles(), [[0, 1, 2], [2, 1, 3]]);
    strip["meshes"][0]["primitives"][0]["mode"] = json!(6);
    assert_eq!(load_json(&strip).unwrap().mesh.triangles(), [[0, 1, 2], [0, 2, 3]]);
    let mut bytes = document(Some(&data_uri()));
    bytes["accessors"][1] = json!({ "bufferView": 1, "componentType": 5121, "count": 6, "type": "SCALAR" });
    // u16 0, 2, 1 read as bytes: 0 0 2 0 1 0, two triangles that collapse.
    assert!(load_json(&bytes).unwrap_err().to_string().contains("at least one triangle"));
}

#[test]
fn every_lie_in_the_document_is_refused_before_memory_is_taken() {
    let sound = document(Some(&data_uri()));
    let refused = |pointer: &str, value: Value, expected: &str| {
        let mut broken = sound.clone();
        *broken.pointer_mut(pointer).unwrap() = value;
        let message = refusal(&broken);
        assert!(message.contains(expected), "{pointer}: {message}");
    };
    refused(
        "/accessors/0/count",
        json!(4_000_000_000_u64),
        "accessor 0 of 4000000000 elements: 48000000000 bytes",
    );
    refused("/accessors/0/count", json!(u64::MAX), "accessor 0");
    refused("/accessors/0/count", json!(-1), "not a glTF document");
    refused("/accessors/1/count", json!(13), "26 bytes declared, 24 there");
    refused("/accessors/0/count", json!(3), "names vertex 3, but there are only 3");
    refused("/accessors/0/componentType", json!(5123), "not supported: positions");
    refused("/accessors/1/componentType", json!(5126), "indices of component type 5126");
    refused("/accessors/0/bufferView", json!(7), "buffer view 7 does not exist: there are 2");
    refused("/bufferViews/1/byteOffset", json!(u64::MAX), "buffer view 1");
    refused("/bufferViews/1/byteLength", json!(25), "25 bytes declared, 24 there");
    refused("/bufferViews/0/buffer", json!(1), "buffer 1 does not exist");
    refused("/buffers/0/byteLength", json!(73), "buffer 0: 73 bytes declared, 72 there");
    refused("/nodes/0/mesh", json!(1), "mesh 1 does not exist: there are 1");
    refused("/scenes/0/nodes", json!([0, 0]), "two parents");
    refused("/scenes/0/nodes", json!([5]), "node 5 does not exist");
    refused("/scene", json!(3), "scene 3 does not exist");
    refused("/asset/version", json!("1.0"), "glTF version");
    refused("/nodes", json!([{ "children": [0], "mesh": 0 }]), "its own ancestor");
    refused(
        "/nodes/0",
        json!({ "mesh": 0, "scale": [1e308, 1e308, 1e308], "translation": [1e308, 1e308, 1e308] }),
        "not finite",
    );
    refused("/nodes/0", json!({ "mesh": 0, "rotation": [0.0, 0.0, 0.0, 0.0] }), "not finite");
    refused("/nodes/0", json!({}), "at least one triangle");
    let mut needs = sound.clone();
    needs["extensionsRequired"] = json!(["KHR_materials_unlit", "KHR_draco_mesh_compression"]);
    assert_eq!(refusal(&needs), "not supported: the glTF extension KHR_draco_mesh_compression");
    let mut sparse = sound.clone();
    sparse["accessors"][0]["sparse"] = json!({ "count": 1 });
    assert!(refusal(&sparse).contains("sparse"));
}

#[test]
fn a_mesh_used_many_times_meets_the_triangle_limit() {
    let mut many = document(Some(&data_uri()));
    many["nodes"] = json!(vec![json!({ "mesh": 0 }); 100]);
    many["scenes"][0]["nodes"] = json!((0..100).collect::<Vec<_>>());
    let options = ImportOptions { max_triangles: 300, ..ImportOptions::default() };
    let refused = load_as("a.gltf", many.to_string().as_bytes(), &options).unwrap_err();
    assert!(refused.to_string().ends_with("more than 300 triangles"));
}

#[test]
fn a_container_cut_anywhere_is_refused_without_a_panic() {
    let whole = glb(&document(None), &payload());
    for length in 0..whole.len() {
        assert!(load_glb(&whole[..length]).is_err(), "{length} bytes");
        let mut relabelled = whole[..length].to_vec();
        if length >= 12 {
            relabelled[8..12].copy_from_slice(&(length as u32).to_le_bytes());
            assert!(load_glb(&relabelled).is_err(), "{length} bytes, length forged");
        }
    }
    let mut forged = whole.clone();
    forged[12..16].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(load_glb(&forged).unwrap_err().to_string().contains("GLB chunk: 4294967295 bytes declared"));
}

fn load_glb(bytes: &[u8]) -> Result<(TriangleSoup, Format), ImportProblem> {
    read(bytes, Path::new(""), &ImportOptions::default())
}

#[test]
fn base_colours_come_with_their_triangles() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.gltf");
    let mut document = document(Some(&data_uri()));
    let primitive =
        |material: usize| json!({ "attributes": { "POSITION": 0 }, "indices": 1, "material": material });
    document["meshes"][0]["primitives"] = json!([primitive(0), primitive(1), primitive(2)]);
    let color = |rgba: [f64; 4]| json!({ "baseColorFactor": rgba });
    document["materials"] = json!([
        { "pbrMetallicRoughness": color([1.0, 0.215_860_5, 0.0, 0.5]) },
        { "pbrMetallicRoughness": color([0.0, 0.0, 1.0, 0.5]), "alphaMode": "BLEND" },
        {},
    ]);
    std::fs::write(&path, document.to_string()).unwrap();
    let import = load(&path, &ImportOptions::default()).unwrap();
    let shown: Vec<_> =
        import.colors.iter().map(|run| (run.first, run.color.map(|color| color.to_string()))).collect();
    // 0.216 of linear light is 128 of 255 in sRGB; an opaque material ignores its opacity.
    let expected = [(0, Some("#ff8000".to_owned())), (4, Some("#0000ff80".to_owned())), (8, None)];
    assert_eq!(shown, expected);
}

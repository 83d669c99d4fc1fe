//! Files that were damaged on purpose: an importer may refuse them or read them, but never panics, and what it reads is
//! a sound mesh.

use std::fs;

use msd_assets::import::{ImportOptions, load};
use proptest::prelude::*;

const GLTF: &str = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],
"nodes":[{"mesh":0,"children":[1],"scale":[1,2,3]},{"mesh":0,"rotation":[0,0,1,0],"translation":[4,0,0]}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1,"mode":4}]}],
"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},
{"bufferView":1,"componentType":5121,"count":3,"type":"SCALAR"}],
"bufferViews":[{"buffer":0,"byteLength":36,"byteStride":12},{"buffer":0,"byteOffset":36,"byteLength":3}],
"buffers":[{"byteLength":39,"uri":"data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAEC"}]}"#;

const OBJ: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1/1 2/2 4/3\nf -1 -2 -3\nf 3 1 4 2\n";

const ASCII_STL: &str = "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\n\
                         endfacet\nendsolid a\n";

fn binary_stl() -> Vec<u8> {
    let mut bytes = vec![b' '; 80];
    bytes.extend(2_u32.to_le_bytes());
    for height in [0.0_f32, 1.0] {
        bytes.extend([0; 12]);
        let corners = [0.0, 0.0, height, 1.0, 0.0, height, 0.0, 1.0, height];
        bytes.extend(corners.iter().flat_map(|x| x.to_le_bytes()));
        bytes.extend([0; 2]);
    }
    bytes
}

fn glb() -> Vec<u8> {
    let mut json = GLTF.as_bytes().to_vec();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut bytes = b"glTF\x02\0\0\0".to_vec();
    bytes.extend((20 + json.len() as u32).to_le_bytes());
    bytes.extend((json.len() as u32).to_le_bytes());
    bytes.extend(b"JSON");
    bytes.extend(json);
    bytes
}

/// Three vertices, no normals, no texture, one face.
fn msh() -> Vec<u8> {
    let mut bytes: Vec<u8> = [3_i32, 0, 0, 1].iter().flat_map(|n| n.to_le_bytes()).collect();
    bytes.extend([0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0].iter().flat_map(|x| x.to_le_bytes()));
    bytes.extend([0_i32, 1, 2].iter().flat_map(|n| n.to_le_bytes()));
    bytes
}

fn files() -> [(&'static str, Vec<u8>); 6] {
    [
        ("a.stl", binary_stl()),
        ("a.stl", ASCII_STL.into()),
        ("a.obj", OBJ.into()),
        ("a.gltf", GLTF.into()),
        ("a.glb", glb()),
        ("a.msh", msh()),
    ]
}

/// Bytes that mean something to one of the formats are more dangerous than others.
fn dangerous_byte() -> impl Strategy<Value = u8> {
    prop_oneof![any::<u8>(), prop::sample::select(b"0123456789-+eE/\\[]{},:\"\n \0\xff\x7f\x80".to_vec())]
}

#[test]
fn the_files_themselves_are_read() {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files() {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        load(&path, &ImportOptions::default()).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn damaged_files_never_panic_and_never_give_an_unsound_mesh(
        which in 0..6_usize,
        changes in prop::collection::vec((any::<prop::sample::Index>(), dangerous_byte()), 1..6),
        cut in prop::option::weighted(0.2, any::<prop::sample::Index>()),
    ) {
        let (name, mut bytes) = files()[which].clone();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        let options = ImportOptions { max_triangles: 1000, ..ImportOptions::default() };
        if let Ok(import) = load(&path, &options) {
            prop_assert!(import.mesh.vertices().iter().all(|v| v.is_finite()));
            let count = import.mesh.vertices().len();
            prop_assert!(import.mesh.triangles().as_flattened().iter().all(|&v| (v as usize) < count));
        }
    }
}

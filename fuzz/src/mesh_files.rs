//! Geometry files and stored geometries: no bytes make an importer or a decoder panic, what is read is a sound mesh within
//! the limits asked for, and what is decoded is encoded to the same bytes. Memory is watched from outside
//! (`-malloc_limit_mb`): counts in a file are worth nothing until the bytes are there.

use std::path::PathBuf;

use msd_assets::codec::{decode_collision, decode_mesh, encode_collision, encode_mesh};
use msd_assets::import::{ImportOptions, load};

const MAX_TRIANGLES: usize = 100_000;

/// The first byte says which reader; the rest is the file.
pub fn check(bytes: &[u8]) {
    let Some((kind, contents)) = bytes.split_first() else { return };
    match kind % 5 {
        4 => decode(contents),
        kind => import(["stl", "obj", "gltf", "glb"][usize::from(kind)], contents),
    }
}

fn import(ending: &str, contents: &[u8]) {
    let path = scratch_file(ending);
    if std::fs::write(&path, contents).is_err() {
        return;
    }
    let options =
        ImportOptions { max_bytes: 1 << 20, max_triangles: MAX_TRIANGLES, ..ImportOptions::default() };
    if let Ok(import) = load(&path, &options) {
        let mesh = import.mesh;
        assert!(mesh.triangles().len() <= MAX_TRIANGLES);
        assert!(mesh.vertices().iter().all(|v| v.is_finite()));
        assert!(mesh.triangles().iter().flatten().all(|v| (*v as usize) < mesh.vertices().len()));
        let bytes = encode_mesh(&mesh).expect("an imported mesh can be stored");
        assert_eq!(decode_mesh(&bytes).as_ref(), Ok(&mesh), "a stored mesh is not read back");
        let _ = (mesh.volume(), mesh.surface_area(), mesh.is_closed(), mesh.bounding_box());
    }
}

fn decode(contents: &[u8]) {
    if let Ok(mesh) = decode_mesh(contents) {
        assert_eq!(encode_mesh(&mesh).as_deref(), Ok(contents), "a mesh has two encodings");
    }
    if let Ok(collision) = decode_collision(contents) {
        assert_eq!(encode_collision(&collision).as_deref(), Ok(contents), "a shape has two encodings");
    }
}

/// One file a process, in memory where the system has such a folder.
fn scratch_file(ending: &str) -> PathBuf {
    let memory = PathBuf::from("/dev/shm");
    let folder = if memory.is_dir() { memory } else { std::env::temp_dir() };
    folder.join(format!("msd-fuzz-{}.{ending}", std::process::id()))
}

const OBJ: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1/1 2/2 4/3\nf -1 -2 -3\nf 3 1 4 2\n";

const ASCII_STL: &str = "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n\
                         endloop\nendfacet\nendsolid a\n";

const GLTF: &str = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],
"nodes":[{"mesh":0,"children":[1],"scale":[1,2,3]},{"mesh":0,"rotation":[0,0,1,0],"translation":[4,0,0]}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1,"mode":4}]}],
"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},
{"bufferView":1,"componentType":5121,"count":3,"type":"SCALAR"}],
"bufferViews":[{"buffer":0,"byteLength":36,"byteStride":12},{"buffer":0,"byteOffset":36,"byteLength":3}],
"buffers":[{"byteLength":39,"uri":"data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAEC"}]}"#;

/// One small file of every format.
pub fn seeds() -> Vec<Vec<u8>> {
    let of = |kind: u8, contents: &[u8]| [&[kind], contents].concat();
    let mesh = msd_assets::generate::Solid::cube(1.0).asset("cube").ok().and_then(|asset| asset.visual);
    let stored = mesh.and_then(|mesh| encode_mesh(&mesh).ok()).unwrap_or_default();
    vec![
        of(0, &binary_stl()),
        of(0, ASCII_STL.as_bytes()),
        of(1, OBJ.as_bytes()),
        of(2, GLTF.as_bytes()),
        of(3, &glb()),
        of(4, &stored),
    ]
}

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

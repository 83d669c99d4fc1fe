//! MSH, the binary mesh of MuJoCo: numbers of vertices, normals, texture coordinates and faces as i32, then vertices
//! and normals (three f32 each), texture coordinates (two f32), and faces (three i32, from 0), all little-endian.
//! Only vertices and faces are read.

use msd::math::Vec3;

use super::{ImportProblem, soup::TriangleSoup};

const HEADER: usize = 16;

pub(super) fn read(bytes: &[u8], max_triangles: usize) -> Result<TriangleSoup, ImportProblem> {
    let Some((header, body)) = bytes.split_at_checked(HEADER) else {
        return Err(ImportProblem::malformed(format!(
            "no MSH: {} bytes, a header takes {HEADER}",
            bytes.len()
        )));
    };
    let mut counts = [0_u64; 4];
    for (count, word) in counts.iter_mut().zip(words(header)) {
        *count = u64::try_from(i32::from_le_bytes(word))
            .map_err(|_| ImportProblem::malformed("no MSH: a count in its header is negative"))?;
    }
    let [vertices, normals, texture, faces] = counts;
    let declared = HEADER as u64 + 12 * (vertices + normals + faces) + 8 * texture;
    if declared != bytes.len() as u64 {
        let what = format!("MSH of {vertices} vertices and {faces} faces");
        return Err(ImportProblem::Missing { what, declared, found: bytes.len() as u64 });
    }
    if faces > max_triangles as u64 {
        return Err(ImportProblem::TooManyTriangles(max_triangles));
    }
    let (points, rest) = body.split_at(12 * vertices as usize);
    let indices = &rest[rest.len() - 12 * faces as usize..];
    let point = |xyz: &[u8]| {
        let mut numbers = words(xyz).map(|word| f64::from(f32::from_le_bytes(word)));
        Vec3::from([(); 3].map(|()| numbers.next().unwrap_or_default()))
    };
    // A negative number becomes an invalid index, which is reported when the mesh is built.
    let face = |abc: &[u8]| {
        let mut corners = words(abc).map(u32::from_le_bytes);
        [(); 3].map(|()| corners.next().unwrap_or_default())
    };
    Ok(TriangleSoup {
        colors: Vec::new(),
        vertices: points.chunks_exact(12).map(point).collect(),
        triangles: indices.chunks_exact(12).map(face).collect(),
    })
}

fn words(bytes: &[u8]) -> impl Iterator<Item = [u8; 4]> + '_ {
    bytes.chunks_exact(4).map(|word| [word[0], word[1], word[2], word[3]])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tetrahedron with a normal and two texture coordinates that are ignored.
    fn tetrahedron(last: i32) -> Vec<u8> {
        let mut bytes: Vec<u8> = [4_i32, 1, 2, 4].iter().flat_map(|n| n.to_le_bytes()).collect();
        let points = [[0.0_f32; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        bytes.extend(points.iter().flatten().flat_map(|x| x.to_le_bytes()));
        bytes.extend([9.0_f32; 7].iter().flat_map(|x| x.to_le_bytes()));
        let faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, last]];
        bytes.extend(faces.iter().flatten().flat_map(|n| n.to_le_bytes()));
        bytes
    }

    #[test]
    fn vertices_and_faces_make_a_closed_tetrahedron() {
        let (mesh, _, dropped) = read(&tetrahedron(3), 4).unwrap().weld(|v| v).unwrap();
        assert!(mesh.is_closed() && dropped == 0);
        assert!((mesh.volume() - 1.0 / 6.0).abs() < 1e-15);
    }

    #[test]
    fn wrong_files_are_refused_before_memory_is_taken() {
        let refusal = |bytes: &[u8]| match read(bytes, 1000) {
            Ok(soup) => soup.weld(|v| v).unwrap_err().to_string(),
            Err(problem) => problem.to_string(),
        };
        assert_eq!(refusal(&[0; 15]), "no MSH: 15 bytes, a header takes 16");
        assert_eq!(refusal(&[0xff; 16]), "no MSH: a count in its header is negative");
        let mut huge = tetrahedron(3);
        huge[..4].copy_from_slice(&i32::MAX.to_le_bytes());
        assert!(
            refusal(&huge).starts_with("MSH of 2147483647 vertices and 4 faces: 25769803"),
            "{}",
            refusal(&huge)
        );
        let short = tetrahedron(3);
        assert!(refusal(&short[..short.len() - 1]).contains("bytes declared"));
        assert!(refusal(&tetrahedron(4)).contains("vertex 4"));
        assert!(refusal(&tetrahedron(-1)).contains("vertex 4294967295"));
        assert!(matches!(read(&short, 3), Err(ImportProblem::TooManyTriangles(3))));
    }
}

//! STL, binary and ASCII.
//!
//! Binary: 80 bytes of anything, the number of triangles as u32, then 50 bytes each: normal, three corners (f32,
//! little-endian) and two bytes that mean nothing. ASCII: `solid … facet normal … outer loop … vertex x y z …`.
//! Many binary files begin with the word `solid` too, so a file is binary when its length is exactly what its count
//! says, and text only if it then begins with `solid` and holds no byte that text cannot. Normals are not read:
//! they follow from the order of the corners.

use msd::math::Vec3;

use super::{Format, ImportProblem, soup::TriangleSoup};

const HEADER: usize = 84;
const RECORD: usize = 50;

pub(super) fn read(bytes: &[u8], max_triangles: usize) -> Result<(TriangleSoup, Format), ImportProblem> {
    let declared = declared_length(bytes);
    if declared != Some(bytes.len() as u64) && looks_like_text(bytes) {
        return Ok((read_ascii(bytes, max_triangles)?, Format::StlAscii));
    }
    match declared {
        None => Err(ImportProblem::malformed(format!(
            "neither ASCII STL (no \"solid\" at its beginning) nor binary ({} bytes, a header takes {HEADER})",
            bytes.len()
        ))),
        Some(declared) if declared != bytes.len() as u64 => Err(ImportProblem::Missing {
            what: format!("binary STL of {} triangles", (declared - HEADER as u64) / RECORD as u64),
            declared,
            found: bytes.len() as u64,
        }),
        Some(_) => Ok((read_binary(&bytes[HEADER..], max_triangles)?, Format::StlBinary)),
    }
}

/// Length of a binary file by its count; `None` if there is no room for one.
fn declared_length(bytes: &[u8]) -> Option<u64> {
    let count = bytes.get(80..HEADER)?;
    let count = u32::from_le_bytes([count[0], count[1], count[2], count[3]]);
    Some(HEADER as u64 + RECORD as u64 * u64::from(count))
}

fn looks_like_text(bytes: &[u8]) -> bool {
    let word = bytes.trim_ascii_start();
    let is_text_byte = |b: &u8| *b >= 0x20 || matches!(b, b'\t' | b'\n' | b'\r' | 0x0c);
    word.len() >= 5 && word[..5].eq_ignore_ascii_case(b"solid") && bytes.iter().all(is_text_byte)
}

fn read_binary(records: &[u8], max_triangles: usize) -> Result<TriangleSoup, ImportProblem> {
    let count = records.len() / RECORD;
    if count > max_triangles {
        return Err(ImportProblem::TooManyTriangles(max_triangles));
    }
    let float = |b: &[u8]| f64::from(f32::from_le_bytes([b[0], b[1], b[2], b[3]]));
    let corner = |b: &[u8]| Vec3::new(float(&b[0..4]), float(&b[4..8]), float(&b[8..12]));
    let mut soup = TriangleSoup::default();
    for record in records.chunks_exact(RECORD) {
        push_triangle(&mut soup, [corner(&record[12..24]), corner(&record[24..36]), corner(&record[36..48])]);
    }
    Ok(soup)
}

fn push_triangle(soup: &mut TriangleSoup, corners: [Vec3; 3]) {
    let first = soup.vertices.len() as u32;
    soup.vertices.extend(corners);
    soup.triangles.push([first, first + 1, first + 2]);
}

fn read_ascii(bytes: &[u8], max_triangles: usize) -> Result<TriangleSoup, ImportProblem> {
    let text = String::from_utf8_lossy(bytes);
    let mut soup = TriangleSoup::default();
    let mut corners: Vec<Vec3> = Vec::with_capacity(3);
    let mut inside_loop = false;
    let mut last_line = 0;
    for (index, line) in text.lines().enumerate() {
        last_line = index + 1;
        let refuse = |message: String| ImportProblem::Line { line: index + 1, message };
        let mut words = line.split_ascii_whitespace();
        let Some(keyword) = words.next() else { continue };
        match keyword.to_ascii_lowercase().as_str() {
            "outer" if inside_loop => return Err(refuse("a loop inside a loop".into())),
            "outer" => (inside_loop, corners) = (true, Vec::with_capacity(3)),
            "vertex" if !inside_loop => return Err(refuse("a vertex outside of a loop".into())),
            "vertex" => corners.push(read_vertex(words).map_err(refuse)?),
            "endloop" => {
                let [a, b, c] = corners[..] else {
                    return Err(refuse(format!("a facet has 3 vertices, this one {}", corners.len())));
                };
                if soup.triangles.len() == max_triangles {
                    return Err(ImportProblem::TooManyTriangles(max_triangles));
                }
                push_triangle(&mut soup, [a, b, c]);
                corners.clear();
                inside_loop = false;
            }
            "solid" | "facet" | "endfacet" | "endsolid" => {}
            other => return Err(refuse(format!("unexpected {:?}", abbreviate(other)))),
        }
    }
    if inside_loop {
        return Err(ImportProblem::Line { line: last_line, message: "the file ends inside a facet".into() });
    }
    Ok(soup)
}

fn read_vertex<'a>(words: impl Iterator<Item = &'a str>) -> Result<Vec3, String> {
    let numbers = words
        .map(|w| w.parse::<f64>().map_err(|_| format!("expected a number, got {:?}", abbreviate(w))))
        .collect::<Result<Vec<_>, _>>()?;
    let [x, y, z] = numbers[..] else {
        return Err(format!("a vertex has 3 coordinates, got {}", numbers.len()));
    };
    let point = Vec3::new(x, y, z);
    if !point.is_finite() {
        return Err(format!("coordinates must be finite, got ({x}, {y}, {z})"));
    }
    Ok(point)
}

/// The first characters of a quotation for a message: a file may have a word of a megabyte.
pub(super) fn abbreviate(word: &str) -> String {
    word.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TETRAHEDRON: [[[f32; 3]; 3]; 4] = [
        [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]],
        [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]],
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        [[0.0, 1.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 1.0]],
    ];

    fn binary(header: &str, triangles: &[[[f32; 3]; 3]]) -> Vec<u8> {
        let mut bytes = header.as_bytes().to_vec();
        bytes.resize(80, b' ');
        bytes.extend((triangles.len() as u32).to_le_bytes());
        for triangle in triangles {
            bytes.extend([0; 12]);
            bytes.extend(triangle.as_flattened().iter().flat_map(|x| x.to_le_bytes()));
            bytes.extend([0; 2]);
        }
        bytes
    }

    fn ascii(triangles: &[[[f32; 3]; 3]]) -> String {
        let mut text = String::from("solid part\n");
        for triangle in triangles {
            text += "facet normal 0 0 0\n outer loop\n";
            for [x, y, z] in triangle {
                text += &format!("  vertex {x:e} {y} {z}\r\n");
            }
            text += " endloop\nendfacet\n";
        }
        text + "endsolid part\n"
    }

    fn refusal(bytes: &[u8]) -> String {
        read(bytes, 1000).unwrap_err().to_string()
    }

    #[test]
    fn both_encodings_give_the_same_closed_solid() {
        for (bytes, expected) in [
            (binary("exported by something", &TETRAHEDRON), Format::StlBinary),
            (ascii(&TETRAHEDRON).into_bytes(), Format::StlAscii),
        ] {
            let (soup, format) = read(&bytes, 4).unwrap();
            let (mesh, _, dropped) = soup.weld(|v| v).unwrap();
            assert_eq!((format, dropped, mesh.vertices().len(), mesh.triangles().len()), (expected, 0, 4, 4));
            assert!(mesh.is_closed() && (mesh.volume() - 1.0 / 6.0).abs() < 1e-15);
        }
    }

    #[test]
    fn a_binary_file_that_begins_with_solid_is_binary() {
        let bytes = binary("solid part made of text only", &TETRAHEDRON);
        assert_eq!(read(&bytes, 10).unwrap().1, Format::StlBinary);
    }

    #[test]
    fn a_text_whose_bytes_80_to_84_are_a_count_is_text() {
        let text = ascii(&TETRAHEDRON);
        assert!(declared_length(text.as_bytes()).is_some());
        assert_eq!(read(text.as_bytes(), 10).unwrap().1, Format::StlAscii);
        let short = "solid a\nendsolid a\n";
        assert_eq!(read(short.as_bytes(), 10).unwrap().0.triangles.len(), 0);
    }

    #[test]
    fn a_claim_of_four_thousand_million_triangles_is_refused() {
        let mut bytes = binary("", &[]);
        bytes[80..84].copy_from_slice(&4_000_000_000_u32.to_le_bytes());
        assert_eq!(
            refusal(&bytes),
            "binary STL of 4000000000 triangles: 200000000084 bytes declared, 84 there"
        );
        assert!(refusal(&[7; 50]).contains("neither ASCII STL"));
        assert!(refusal(&[]).contains("0 bytes"));
        let mut cut = binary("", &TETRAHEDRON);
        cut.pop();
        assert!(refusal(&cut).contains("284 bytes declared, 283 there"));
        cut.extend([0; 2]);
        assert!(refusal(&cut).contains("284 bytes declared, 285 there"));
    }

    #[test]
    fn numbers_that_are_not_finite_are_refused_with_their_place() {
        let mut bad = TETRAHEDRON;
        bad[1][2][0] = f32::INFINITY;
        let (soup, _) = read(&binary("", &bad), 10).unwrap();
        let refused = soup.weld(|v| v).unwrap_err().to_string();
        assert_eq!(refused, "vertex 5 is not finite: (inf, 0, 1)");
        assert!(refusal(ascii(&bad).as_bytes()).starts_with("line 13: coordinates must be finite"));
    }

    #[test]
    fn broken_text_is_refused_with_its_line() {
        let text = ascii(&TETRAHEDRON);
        let cases = [
            (
                text.replacen("vertex 0e0 0 0", "vertex 0e0 zero 0", 1),
                "line 4: expected a number, got \"zero\"",
            ),
            (text.replacen("vertex 0e0 0 0", "vertex 0e0 0", 1), "line 4: a vertex has 3 coordinates, got 2"),
            (text.replacen("  vertex 0e0 0 0\r\n", "", 1), "line 6: a facet has 3 vertices, this one 2"),
            (text.replacen(" outer loop\n", "", 1), "line 3: a vertex outside of a loop"),
            (text.replacen("endfacet", "garbage", 1), "line 8: unexpected \"garbage\""),
            (text[..text.find(" endloop").unwrap()].to_string(), "line 6: the file ends inside a facet"),
        ];
        for (broken, expected) in cases {
            assert_eq!(refusal(broken.as_bytes()), expected);
        }
        assert!(matches!(read(text.as_bytes(), 3), Err(ImportProblem::TooManyTriangles(3))));
        assert!(matches!(read(&binary("", &TETRAHEDRON), 3), Err(ImportProblem::TooManyTriangles(3))));
    }
}

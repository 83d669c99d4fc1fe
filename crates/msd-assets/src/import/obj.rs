//! Wavefront OBJ: the vertices (`v`) and faces (`f`) only.
//!
//! Indices count from 1, negative ones back from the last vertex so far. A face of more than three corners is cut
//! into a fan from its first corner, which is right for convex faces. A line may go on after a backslash at its end.

use msd::math::Vec3;

use super::{ImportProblem, soup::TriangleSoup, stl::abbreviate};

pub(super) fn read(bytes: &[u8], max_triangles: usize) -> Result<TriangleSoup, ImportProblem> {
    let text = String::from_utf8_lossy(bytes);
    let mut soup = TriangleSoup::default();
    for (line, statement) in statements(&text) {
        let refuse = |message: String| ImportProblem::Line { line, message };
        let statement = statement.split('#').next().unwrap_or_default();
        let mut words = statement.split_ascii_whitespace();
        match words.next() {
            Some("v") => soup.vertices.push(read_vertex(words).map_err(refuse)?),
            Some("f") => {
                let corners = words
                    .map(|word| corner(word, soup.vertices.len()).map_err(refuse))
                    .collect::<Result<Vec<_>, _>>()?;
                let [first, rest @ ..] = corners.as_slice() else {
                    return Err(refuse("a face has at least 3 corners, got 0".into()));
                };
                if rest.len() < 2 {
                    return Err(refuse(format!("a face has at least 3 corners, got {}", corners.len())));
                }
                if rest.len() - 1 > max_triangles - soup.triangles.len() {
                    return Err(ImportProblem::TooManyTriangles(max_triangles));
                }
                soup.triangles.extend(rest.windows(2).map(|pair| [*first, pair[0], pair[1]]));
            }
            _ => {}
        }
    }
    if soup.vertices.is_empty() && soup.triangles.is_empty() {
        return Err(ImportProblem::malformed("no vertices (\"v x y z\") and no faces (\"f a b c\") found"));
    }
    Ok(soup)
}

/// Lines with their number, those that end in a backslash joined with the next.
fn statements(text: &str) -> impl Iterator<Item = (usize, String)> + '_ {
    let mut lines = text.lines().enumerate();
    std::iter::from_fn(move || {
        let (index, line) = lines.next()?;
        let mut statement = line.trim_end().to_string();
        while statement.ends_with('\\') {
            statement.pop();
            let Some((_, next)) = lines.next() else { break };
            statement.push(' ');
            statement.push_str(next.trim_end());
        }
        Some((index + 1, statement))
    })
}

/// x y z, with a weight or a colour after them in some files.
fn read_vertex<'a>(words: impl Iterator<Item = &'a str>) -> Result<Vec3, String> {
    let numbers = words
        .take(8)
        .map(|w| w.parse::<f64>().map_err(|_| format!("expected a number, got {:?}", abbreviate(w))))
        .collect::<Result<Vec<_>, _>>()?;
    let [x, y, z, ..] = numbers[..] else {
        return Err(format!("a vertex has at least 3 coordinates, got {}", numbers.len()));
    };
    let point = Vec3::new(x, y, z);
    if !point.is_finite() {
        return Err(format!("coordinates must be finite, got ({x}, {y}, {z})"));
    }
    Ok(point)
}

/// The vertex of `7`, `7/1`, `7//3` or `-1/…`.
fn corner(word: &str, vertices: usize) -> Result<u32, String> {
    let index = word.split('/').next().unwrap_or_default();
    let number: i64 =
        index.parse().map_err(|_| format!("expected a vertex number, got {:?}", abbreviate(word)))?;
    let from_zero = if number > 0 { number - 1 } else { vertices as i64 + number };
    if number == 0 || from_zero < 0 || from_zero >= vertices as i64 {
        return Err(format!("vertex {number} does not exist: there are {vertices} so far"));
    }
    u32::try_from(from_zero).map_err(|_| format!("vertex {number} is beyond what can be counted"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(text: &str) -> String {
        read(text.as_bytes(), 1000).unwrap_err().to_string()
    }

    #[test]
    fn quads_negative_indices_and_texture_indices_make_a_closed_cube() {
        let text = "# cube\no cube\nv 0 0 0\nv 1 0 0 1.0\nv 1 1 0\nv 0 1 0 # four\nv 0 0 1 0.5 0.5 0.5\nv 1 0 1\n\
                    v 1 1 1\nv 0 1 1\nvn 0 0 1\nvt 0 0\nusemtl red\ns off\n\
                    f 4 3 2 1\nf 5/1 6/1 7/1 8/1\nf 1//1 2//1 6//1 5//1\nf 2/1/1 3/1/1 \\\n 7/1/1 6/1/1\n\
                    f -6 -5 -1 -2\nf 4 1 5 8";
        let (mesh, _, dropped) = read(text.as_bytes(), 12).unwrap().weld(|v| v).unwrap();
        assert_eq!((mesh.vertices().len(), mesh.triangles().len(), dropped), (8, 12, 0));
        assert!(mesh.is_closed());
        assert!((mesh.volume() - 1.0).abs() < 1e-15);
    }

    #[test]
    fn digits_of_double_precision_survive() {
        let text = "v 0.1234567890123456 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
        assert_eq!(read(text.as_bytes(), 1).unwrap().vertices[0].x, 0.123_456_789_012_345_6);
    }

    #[test]
    fn bad_lines_are_refused_with_their_number() {
        let three = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
        let cases = [
            (format!("{three}f 1 2 4"), "line 4: vertex 4 does not exist: there are 3 so far"),
            (format!("{three}f 1 2 0"), "line 4: vertex 0 does not exist: there are 3 so far"),
            (format!("{three}f 1 2 -4"), "line 4: vertex -4 does not exist: there are 3 so far"),
            (format!("{three}f 1 2"), "line 4: a face has at least 3 corners, got 2"),
            (format!("{three}f"), "line 4: a face has at least 3 corners, got 0"),
            (format!("{three}f 1 2 x"), "line 4: expected a vertex number, got \"x\""),
            (
                format!("{three}f 1 2 99999999999999999999"),
                "line 4: expected a vertex number, got \"99999999999999999999\"",
            ),
            ("v 0 0".into(), "line 1: a vertex has at least 3 coordinates, got 2"),
            ("v 0 nan 0".into(), "line 1: coordinates must be finite, got (0, NaN, 0)"),
            ("v 0 1e999 0".into(), "line 1: coordinates must be finite, got (0, inf, 0)"),
            ("hello".into(), "no vertices (\"v x y z\") and no faces (\"f a b c\") found"),
        ];
        for (text, expected) in cases {
            assert_eq!(refusal(&text), expected);
        }
        let five = "v 0 0 0\n".repeat(5) + "f 1 2 3 4 5\n";
        assert!(matches!(read(five.as_bytes(), 2), Err(ImportProblem::TooManyTriangles(2))));
    }
}

//! Orientations: `quat`, `axisangle`, `euler`, `xyaxes` or `zaxis`.

use msd::math::{Mat3, Quat, Vec3, orientation};

use super::compiler::Compiler;
use super::defaults::Styled;
use crate::import::xml::{Attribute, Problems};

/// The orientation an element is given, identity if none.
pub(super) fn read(styled: &Styled<'_>, compiler: &Compiler, problems: &Problems) -> Quat {
    let ways = ["quat", "axisangle", "euler", "xyaxes", "zaxis"];
    let Some((way, attribute)) = styled.first_of(&ways) else { return Quat::IDENTITY };
    let turned = match way {
        "quat" => attribute
            .array(problems)
            .map(orientation::from_wxyz)
            .filter(|q| q.length() > 0.0)
            .map(orientation::normalized),
        "axisangle" => attribute.array(problems).map(|[x, y, z, angle]| {
            orientation::from_rotation_vector(
                Vec3::new(x, y, z).normalize_or_zero() * (angle * compiler.angle),
            )
        }),
        "euler" => attribute.array(problems).map(|angles| euler(angles, compiler)),
        "xyaxes" => attribute.array(problems).and_then(from_axes),
        _ => attribute.array(problems).and_then(|axis| {
            Vec3::from(axis).try_normalize().map(|axis| orientation::between_directions(Vec3::Z, axis))
        }),
    };
    turned.unwrap_or_else(|| {
        no_direction(way, attribute, problems);
        Quat::IDENTITY
    })
}

/// Reports a zero direction; unreadable numbers were reported already.
fn no_direction(way: &str, attribute: &Attribute, problems: &Problems) {
    let numbers = attribute.value.split_whitespace().all(|word| word.parse::<f64>().is_ok());
    if numbers {
        problems.add(&attribute.place, format!("`{way}` has no direction"), "");
    }
}

/// A turn by Euler angles in the unit of the file.
pub(super) fn euler(angles: [f64; 3], compiler: &Compiler) -> Quat {
    let mut turned = Quat::IDENTITY;
    for (letter, angle) in compiler.euler.iter().zip(angles) {
        let axis = match letter.to_ascii_lowercase() {
            b'x' => Vec3::X,
            b'y' => Vec3::Y,
            _ => Vec3::Z,
        };
        let turn = orientation::from_rotation_vector(axis * (angle * compiler.angle));
        // Lower case: about the axis as turned so far; upper case: about the axis as it was.
        turned = if letter.is_ascii_lowercase() { turned * turn } else { turn * turned };
    }
    turned
}

fn from_axes([a, b, c, d, e, f]: [f64; 6]) -> Option<Quat> {
    let x = Vec3::new(a, b, c).try_normalize()?;
    let y = Vec3::new(d, e, f);
    let y = (y - x * x.dot(y)).try_normalize()?;
    Some(orientation::normalized(Quat::from_mat3(&Mat3::from_cols(x, y, x.cross(y)))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turned(attribute: &str, compiler: &Compiler) -> Quat {
        let (text, problems) = (format!("<geom {attribute}/>"), Problems::default());
        let element = crate::import::xml::parse(&text, 0, &problems).unwrap();
        let q = read(&Styled::plain(&element), compiler, &problems);
        assert!(problems.take().is_empty());
        q
    }

    #[test]
    fn every_way_to_write_a_quarter_turn_about_z_is_one() {
        let compiler = Compiler::default();
        let ways = ["quat='1 0 0 1'", "axisangle='0 0 5 90'", "euler='0 0 90'", "xyaxes='0 2 0 -1 1 0'"];
        for way in ways {
            let q = turned(way, &compiler);
            assert!(
                (q * Vec3::X - Vec3::Y).length() < 1e-15 && (q * Vec3::Z - Vec3::Z).length() < 1e-15,
                "{way}"
            );
        }
        assert!((turned("zaxis='3 0 0'", &compiler) * Vec3::Z - Vec3::X).length() < 1e-15);
    }

    #[test]
    fn euler_angles_turn_with_the_body_in_lower_case_and_about_fixed_axes_in_upper_case() {
        let radians = |euler: &[u8; 3]| Compiler { angle: 1.0, euler: *euler, ..Compiler::default() };
        let quarter = "euler='1.5707963267948966 1.5707963267948966 0'";
        // x then the new y: z goes to -y by the first turn, and that is left alone by one about the new y = old z … by
        // hand, Rx Ry takes z to x, and Ry Rx takes z to -y.
        assert!((turned(quarter, &radians(b"xyz")) * Vec3::Z - Vec3::X).length() < 1e-15);
        assert!((turned(quarter, &radians(b"XYZ")) * Vec3::Z + Vec3::Y).length() < 1e-15);
    }
}

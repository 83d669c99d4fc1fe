//! How a body looks: colours, and geometry that is drawn instead of its collision shape.
//!
//! No result depends on an appearance: it is no part of the state, of the model's fingerprint or of a step. It is
//! carried with the body so that recordings, exports and the viewer have it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::shape::Shape;
use crate::math::{Coordinate, ReferenceFrame, scalar};

/// A colour in sRGB with opacity, each from 0 to 255.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Color {
    /// Red.
    pub r: u8,
    /// Green.
    pub g: u8,
    /// Blue.
    pub b: u8,
    /// Opacity; 255 hides everything behind it.
    pub a: u8,
}

impl Color {
    /// An opaque colour.
    #[must_use]
    pub const fn rgb(r: u8, g: u8, b: u8) -> Self {
        Self { r, g, b, a: u8::MAX }
    }

    /// From four shares of 1 in sRGB, as robot files give them; values outside of 0 to 1 count as the nearest of them.
    #[must_use]
    pub fn from_shares(shares: [f64; 4]) -> Self {
        let byte = |share: f64| (scalar::clamp(share, 0.0, 1.0) * 255.0 + 0.5) as u8;
        let [r, g, b, a] = shares.map(byte);
        Self { r, g, b, a }
    }

    /// Red, green, blue and opacity as shares of 1 in sRGB.
    #[must_use]
    pub fn to_shares(self) -> [f64; 4] {
        [self.r, self.g, self.b, self.a].map(|byte| f64::from(byte) / 255.0)
    }
}

impl std::fmt::Display for Color {
    /// `#rrggbb`, with `aa` behind it unless opaque.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.r, self.g, self.b)?;
        if self.a == u8::MAX { Ok(()) } else { write!(f, "{:02x}", self.a) }
    }
}

impl std::str::FromStr for Color {
    type Err = AppearanceError;

    fn from_str(text: &str) -> Result<Self, AppearanceError> {
        let refused = || AppearanceError::Color(text.to_owned());
        let digits = text.strip_prefix('#').filter(|digits| matches!(digits.len(), 6 | 8));
        let digits = digits.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let number = u32::from_str_radix(digits.ok_or_else(refused)?, 16).map_err(|_| refused())?;
        let opaque = if text.len() == 7 { number << 8 | 0xff } else { number };
        let [r, g, b, a] = opaque.to_be_bytes();
        Ok(Self { r, g, b, a })
    }
}

impl TryFrom<String> for Color {
    type Error = AppearanceError;

    fn try_from(text: String) -> Result<Self, AppearanceError> {
        text.parse()
    }
}

impl From<Color> for String {
    fn from(color: Color) -> Self {
        color.to_string()
    }
}

/// Why something cannot be drawn.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum AppearanceError {
    /// A text that is no colour.
    #[error("{0:?} is no colour: expected `#rrggbb` or `#rrggbbaa`")]
    Color(String),
    /// A vertex is NaN or infinite.
    #[error("visual mesh: vertex {0} is not finite")]
    NotFinite(usize),
    /// A triangle names a vertex that does not exist.
    #[error("visual mesh: triangle {triangle} names vertex {vertex}, but there are only {vertices}")]
    IndexOutOfRange {
        /// Which triangle.
        triangle: usize,
        /// The vertex it names.
        vertex: u32,
        /// How many vertices there are.
        vertices: usize,
    },
}

/// Triangles for drawing; they need not be closed.
#[derive(Clone, Debug, PartialEq)]
pub struct VisualMesh {
    vertices: Vec<Coordinate>,
    triangles: Vec<[u32; 3]>,
}

impl VisualMesh {
    /// Triangles over vertices, m; counter-clockwise from outside.
    ///
    /// # Errors
    /// A vertex that is not finite, or an index out of range.
    pub fn new(vertices: Vec<Coordinate>, triangles: Vec<[u32; 3]>) -> Result<Self, AppearanceError> {
        if let Some(index) = vertices.iter().position(|vertex| !vertex.is_finite()) {
            return Err(AppearanceError::NotFinite(index));
        }
        for (triangle, corners) in triangles.iter().enumerate() {
            if let Some(&vertex) = corners.iter().find(|vertex| **vertex as usize >= vertices.len()) {
                return Err(AppearanceError::IndexOutOfRange { triangle, vertex, vertices: vertices.len() });
            }
        }
        Ok(Self { vertices, triangles })
    }

    /// m.
    #[must_use]
    pub fn vertices(&self) -> &[Coordinate] {
        &self.vertices
    }

    /// Numbers of vertices.
    #[must_use]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }
}

/// Geometry of a visual.
#[derive(Clone, Debug, PartialEq)]
pub enum VisualGeometry {
    /// A shape that could also collide.
    Shape(Shape),
    /// Triangles.
    Mesh(Arc<VisualMesh>),
}

/// One geometry that is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Visual {
    /// Geometry.
    pub geometry: VisualGeometry,
    /// Its frame in the frame of the body.
    pub frame: ReferenceFrame,
    /// Its colour; that of the body unless given.
    pub color: Option<Color>,
}

/// How a body looks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Appearance {
    /// Colour of everything without a colour of its own; chosen by the viewer unless given.
    pub color: Option<Color>,
    /// Drawn instead of the collision shape; the collision shape is drawn if there are none.
    pub visuals: Vec<Visual>,
}

impl Appearance {
    /// Only a colour.
    #[must_use]
    pub fn of_color(color: Color) -> Self {
        Self { color: Some(color), visuals: Vec::new() }
    }

    /// True if nothing is said.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.color.is_none() && self.visuals.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec3;

    #[test]
    fn colours_read_as_they_are_written() {
        for text in ["#3f7fdc", "#3f7fdc80", "#000000", "#ffffff00"] {
            assert_eq!(text.parse::<Color>().unwrap().to_string(), text);
        }
        assert_eq!("#102030".parse::<Color>().unwrap(), Color::rgb(16, 32, 48));
        assert_eq!(Color::from_shares([1.0, 0.5, -3.0, 2.0]), Color::rgb(255, 128, 0));
        for bad in ["102030", "#1020", "#10203g", "#+02030", "#é2030", ""] {
            assert!(bad.parse::<Color>().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn meshes_that_cannot_be_drawn_are_refused() {
        let corner = |x: f64| vec![Vec3::ZERO, Vec3::X * x, Vec3::Y];
        assert!(VisualMesh::new(corner(1.0), vec![[0, 1, 2]]).is_ok());
        assert_eq!(
            VisualMesh::new(corner(f64::NAN), vec![[0, 1, 2]]).unwrap_err(),
            AppearanceError::NotFinite(1)
        );
        let refused = VisualMesh::new(corner(1.0), vec![[0, 1, 3]]).unwrap_err();
        assert!(refused.to_string().contains("names vertex 3"), "{refused}");
    }
}

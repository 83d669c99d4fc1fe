//! An asset: everything needed to make a body, under one name.

use std::sync::Arc;

use msd::math::ReferenceFrame;
use msd::physics::rigid_body::{self, Appearance, Material, Visual, VisualGeometry, VisualMesh};
use serde::Serialize;

use crate::{Collision, Mesh, error::AssetError};

/// Longest name of an asset, bytes.
pub const NAME_LIMIT: usize = 128;

/// How heavy a body made from the asset is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MassTemplate {
    /// The user of the asset says.
    #[default]
    Unspecified,
    /// kg.
    Mass(f64),
    /// kg/m³, times the volume of the collision shape.
    Density(f64),
}

impl MassTemplate {
    /// From two optional values of which at most one may be given, kg and kg/m³.
    ///
    /// # Errors
    /// [`AssetError::Invalid`] if both are given, or one is not positive and finite.
    pub fn from_options(mass: Option<f64>, density: Option<f64>) -> Result<Self, AssetError> {
        let template = match (mass, density) {
            (None, None) => Self::Unspecified,
            (Some(mass), None) => Self::Mass(mass),
            (None, Some(density)) => Self::Density(density),
            (Some(mass), Some(density)) => {
                return Err(AssetError::invalid(format!(
                    "give a mass or a density, not both (got {mass} kg and {density} kg/m³)"
                )));
            }
        };
        template.validate()?;
        Ok(template)
    }

    /// kg, if given.
    #[must_use]
    pub fn mass(&self) -> Option<f64> {
        if let Self::Mass(mass) = self { Some(*mass) } else { None }
    }

    /// kg/m³, if given.
    #[must_use]
    pub fn density(&self) -> Option<f64> {
        if let Self::Density(density) = self { Some(*density) } else { None }
    }

    fn validate(&self) -> Result<(), AssetError> {
        let (field, value, unit) = match *self {
            Self::Unspecified => return Ok(()),
            Self::Mass(mass) => ("mass", mass, "kg"),
            Self::Density(density) => ("density", density, "kg/m³"),
        };
        if value > 0.0 && value.is_finite() {
            return Ok(());
        }
        Err(AssetError::invalid(format!("{field} must be positive and finite, got {value} {unit}")))
    }
}

/// sRGB colour for pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Color {
    /// Red.
    pub r: u8,
    /// Green.
    pub g: u8,
    /// Blue.
    pub b: u8,
}

impl Color {
    /// The three bytes as `0xRRGGBB`.
    #[must_use]
    pub fn to_rgb(self) -> u32 {
        u32::from_be_bytes([0, self.r, self.g, self.b])
    }

    /// From `0xRRGGBB`; `None` above that.
    #[must_use]
    pub fn from_rgb(rgb: u32) -> Option<Self> {
        let [0, r, g, b] = rgb.to_be_bytes() else { return None };
        Some(Self { r, g, b })
    }
}

impl std::fmt::Display for Color {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "#{:06x}", self.to_rgb())
    }
}

impl std::str::FromStr for Color {
    type Err = AssetError;

    fn from_str(text: &str) -> Result<Self, AssetError> {
        let bad = || AssetError::invalid(format!("a colour is written #rrggbb, got {text:?}"));
        let digits = text.strip_prefix('#').filter(|d| d.len() == 6).ok_or_else(bad)?;
        if !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Err(bad());
        }
        u32::from_str_radix(digits, 16).ok().and_then(Self::from_rgb).ok_or_else(bad)
    }
}

/// Everything a body is made from.
#[derive(Clone, Debug, PartialEq)]
pub struct Asset {
    /// Unique in its registry; 1 to [`NAME_LIMIT`] bytes, no control characters.
    pub name: String,
    /// Visual mesh, m.
    pub visual: Option<Mesh>,
    /// Collision geometry.
    pub collision: Option<Collision>,
    /// How the surface rubs and bounces.
    pub material: Material,
    /// How heavy it is.
    pub mass: MassTemplate,
    /// How it is painted; `None` leaves it to the viewer.
    pub color: Option<Color>,
}

impl Asset {
    /// A name with no geometry yet, the default material and no mass.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            visual: None,
            collision: None,
            material: Material::default(),
            mass: MassTemplate::Unspecified,
            color: None,
        }
    }

    /// How bodies made from it look: its visual mesh, if it has one, and its colour.
    #[must_use]
    pub fn appearance(&self) -> Appearance {
        let mesh = |mesh: &Mesh| VisualMesh::new(mesh.vertices().to_vec(), mesh.triangles().to_vec()).ok();
        let visual = self.visual.as_ref().and_then(mesh).map(|mesh| Visual {
            geometry: VisualGeometry::Mesh(Arc::new(mesh)),
            frame: ReferenceFrame::IDENTITY,
            color: None,
        });
        Appearance {
            color: self.color.map(|Color { r, g, b }| rigid_body::Color::rgb(r, g, b)),
            visuals: visual.into_iter().collect(),
        }
    }

    /// Checks the name, the geometry and every number. The registry does so on the way in and on the way out.
    ///
    /// # Errors
    /// [`AssetError::Invalid`] with the first thing that does not hold.
    pub fn validate(&self) -> Result<(), AssetError> {
        validate_name(&self.name)?;
        if self.visual.is_none() && self.collision.is_none() {
            return Err(AssetError::invalid("an asset needs visual or collision geometry, got neither"));
        }
        if let Some(collision) = &self.collision {
            collision.validate()?;
        }
        self.material.validate().map_err(|error| AssetError::invalid(error.to_string()))?;
        self.mass.validate()
    }
}

fn validate_name(name: &str) -> Result<(), AssetError> {
    if name.is_empty() || name.len() > NAME_LIMIT {
        return Err(AssetError::invalid(format!(
            "a name has 1 to {NAME_LIMIT} bytes, got {} ({})",
            name.len(),
            if name.is_empty() { "empty" } else { "too long" }
        )));
    }
    if name.chars().any(char::is_control) || name.trim() != name {
        return Err(AssetError::invalid(format!(
            "a name has no control characters and no space at its ends, got {name:?}"
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Primitive;

    #[test]
    fn mass_and_density_exclude_each_other() {
        assert_eq!(MassTemplate::from_options(None, None).unwrap(), MassTemplate::Unspecified);
        assert_eq!(MassTemplate::from_options(Some(2.0), None).unwrap().mass(), Some(2.0));
        let both = MassTemplate::from_options(Some(2.0), Some(1000.0)).unwrap_err();
        assert!(both.to_string().contains("not both"), "{both}");
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(MassTemplate::from_options(Some(bad), None).is_err());
            assert!(MassTemplate::from_options(None, Some(bad)).is_err());
        }
    }

    #[test]
    fn colours_read_as_they_are_written() {
        let color: Color = "#ff8000".parse().unwrap();
        assert_eq!((color.r, color.g, color.b, color.to_string().as_str()), (255, 128, 0, "#ff8000"));
        for bad in ["ff8000", "#ff80", "#ff80zz", "#+f8000", ""] {
            assert!(bad.parse::<Color>().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn names_and_numbers_are_checked() {
        let ball = |name: &str| Asset {
            collision: Some(Collision::Primitive(Primitive::Sphere { radius: 0.1 })),
            ..Asset::new(name)
        };
        assert!(ball("ball 1").validate().is_ok());
        for bad in ["", " ball", "a\nb", "a\0b", &"x".repeat(129)] {
            assert!(ball(bad).validate().is_err(), "{bad:?}");
        }
        assert!(Asset::new("nothing").validate().unwrap_err().to_string().contains("neither"));
        let mut bad = ball("ball");
        bad.material.restitution = 2.0;
        assert!(bad.validate().unwrap_err().to_string().contains("restitution"));
    }
}

//! Bodies at the centre of point gravity, for drawing.

use msd_scene::model::Field;
use serde::Serialize;

/// A body at the centre of a field of gravity.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Planet {
    /// A known body of that gravitational parameter, or "centre of gravity".
    pub name: &'static str,
    /// World, m.
    pub center: [f64; 3],
    /// Mean radius, m; from the field if it says so, otherwise of the known body.
    pub radius: f64,
    /// m³/s².
    pub mu: f64,
    /// `#rrggbb`.
    pub color: &'static str,
}

/// Gravitational parameter (m³/s²), mean radius (m) and colour of bodies people simulate near: IAU and JPL values.
const KNOWN: [(&str, f64, f64, &str); 8] = [
    ("Sun", 1.327_124_400_18e20, 6.957e8, "#ffdf9e"),
    ("Jupiter", 1.266_865_34e17, 6.9911e7, "#c9a27e"),
    ("Saturn", 3.793_118_7e16, 5.8232e7, "#d8c28f"),
    ("Earth", 3.986_004_418e14, 6.371e6, "#3f78b5"),
    ("Venus", 3.248_59e14, 6.0518e6, "#d9b98c"),
    ("Mars", 4.282_837e13, 3.3895e6, "#b5653f"),
    ("Mercury", 2.2032e13, 2.4397e6, "#9c948c"),
    ("Moon", 4.904_869_5e12, 1.7374e6, "#a5a5a5"),
];

/// How near a gravitational parameter must be to be taken for that of a known body.
const SAME_BODY: f64 = 5e-3;

/// The planets of a scene.
pub(crate) fn planets_of(fields: &[Field]) -> Vec<Planet> {
    let mut found = Vec::new();
    for field in fields {
        let (mu, center, radius) = match field {
            Field::PointGravity(gravity) => (gravity.mu, gravity.center, gravity.radius),
            Field::Geopotential(gravity) => (gravity.mu, gravity.center, Some(gravity.radius)),
            _ => continue,
        };
        let known = KNOWN.iter().find(|(_, known, ..)| (mu / known - 1.0).abs() < SAME_BODY);
        let Some(radius) = radius.or(known.map(|(_, _, radius, _)| *radius)) else { continue };
        found.push(Planet {
            name: known.map_or("centre of gravity", |(name, ..)| name),
            center,
            radius,
            mu,
            color: known.map_or("#8a8f98", |(.., color)| color),
        });
    }
    found
}

//! Body options of `add` and `generate`: mass, surface, colour.

use clap::Args;
use msd_assets::{Asset, Color, MassTemplate};

use crate::failure::Failure;

#[derive(Debug, Args)]
#[command(next_help_heading = "Body")]
pub(super) struct BodyOptions {
    /// Mass, kg
    #[arg(long, value_name = "KG", conflicts_with = "density", allow_negative_numbers = true)]
    mass: Option<f64>,
    /// Density, kg/m³; the mass follows from the volume of the collision shape
    #[arg(long, value_name = "KG/M3", allow_negative_numbers = true)]
    density: Option<f64>,
    /// Coulomb friction coefficient, at least 0 [default: 0.5]
    #[arg(long, value_name = "MU", allow_negative_numbers = true)]
    friction: Option<f64>,
    /// Coefficient of restitution, 0 to 1 [default: 0]
    #[arg(long, value_name = "E", allow_negative_numbers = true)]
    restitution: Option<f64>,
    /// Resistance to rolling, m [default: 0]
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    rolling_friction: Option<f64>,
    /// Resistance to spinning about the contact normal, m [default: 0]
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    torsional_friction: Option<f64>,
    /// Colour in pictures
    #[arg(long, value_name = "#RRGGBB")]
    color: Option<String>,
}

impl BodyOptions {
    /// Writes the given options into the asset and validates it.
    pub(super) fn apply(&self, asset: &mut Asset) -> Result<(), Failure> {
        asset.mass = MassTemplate::from_options(self.mass, self.density)?;
        let given = [
            (self.friction, &mut asset.material.friction),
            (self.restitution, &mut asset.material.restitution),
            (self.rolling_friction, &mut asset.material.rolling_friction),
            (self.torsional_friction, &mut asset.material.torsional_friction),
        ];
        for (value, field) in given {
            if let Some(value) = value {
                *field = value;
            }
        }
        asset.color = self.color.as_deref().map(str::parse::<Color>).transpose()?;
        Ok(asset.validate()?)
    }
}

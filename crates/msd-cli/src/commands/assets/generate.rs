//! `msd assets DB generate KIND NAME`: the usual shapes from their measures.

use clap::{Args, ValueEnum};
use msd::math::Vec3;
use msd_assets::generate::{DEFAULT_SEGMENTS, Solid};

use super::{Database, body_options::BodyOptions};
use crate::failure::Failure;

const EXAMPLES: &str = "\
Examples:
  msd assets parts.db generate cube crate --size 0.5 --density 600
  msd assets parts.db generate box plank --size 2,0.2,0.05 --mass 4
  msd assets parts.db generate sphere ball --radius 0.11 --mass 0.45 --restitution 0.7
  msd assets parts.db generate torus ring --radius 0.3 --tube-radius 0.05

Measures, full lengths in metres, with their defaults:
  cube                                  --size 1
  box                                   --size 1,1,1
  sphere                                --radius 0.5
  cylinder, cone                        --radius 0.5 --length 1
  capsule                               --radius 0.5 --length 1 (of the cylinder part)
  ellipsoid                             --radii 0.5,0.4,0.3
  tetrahedron, octahedron, icosahedron  --edge 1
  torus                                 --radius 0.5 --tube-radius 0.1
  plane                                 --size 10 (of the picture; it collides as all below z = 0)";

/// Make an asset from measures
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct GenerateArgs {
    /// Kind of solid
    kind: Kind,
    /// Its name, unique in the database
    name: String,
    #[command(flatten)]
    measures: Measures,
    /// Segments of a circle in the picture
    #[arg(long, default_value_t = DEFAULT_SEGMENTS)]
    segments: u32,
    #[command(flatten)]
    body: BodyOptions,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Kind {
    Cube,
    Box,
    Sphere,
    Cylinder,
    Cone,
    Capsule,
    Ellipsoid,
    Tetrahedron,
    Octahedron,
    Icosahedron,
    Torus,
    Plane,
}

#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Measures")]
struct Measures {
    /// Edge lengths: one number, or three for a box
    #[arg(long, value_name = "M[,M,M]", value_delimiter = ',', allow_negative_numbers = true)]
    size: Option<Vec<f64>>,
    /// Radius
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    radius: Option<f64>,
    /// Half lengths of an ellipsoid
    #[arg(long, value_name = "M,M,M", value_delimiter = ',', allow_negative_numbers = true)]
    radii: Option<Vec<f64>>,
    /// Length along z
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    length: Option<f64>,
    /// Edge length
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    edge: Option<f64>,
    /// Radius of a torus' tube
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    tube_radius: Option<f64>,
}

impl GenerateArgs {
    pub(super) fn run(self, database: &Database) -> Result<(), Failure> {
        let solid = self.measures.solid(self.kind)?;
        let mut asset = solid.asset_with_segments(self.name, self.segments)?;
        self.body.apply(&mut asset)?;
        database.insert(&asset)
    }
}

impl Measures {
    /// The solid of these measures; one the kind does not have is an error, not a thing to ignore.
    fn solid(self, kind: Kind) -> Result<Solid, Failure> {
        self.refuse_others(kind)?;
        let radius = self.radius.unwrap_or(0.5);
        let length = self.length.unwrap_or(1.0);
        let edge = self.edge.unwrap_or(1.0);
        let one_size = |default: f64| match self.size.as_deref() {
            None => Ok(default),
            Some([size]) => Ok(*size),
            Some(sizes) => {
                Err(Failure::BadInput(format!("{} takes one --size, got {}", name(kind), sizes.len())))
            }
        };
        Ok(match kind {
            Kind::Cube => Solid::cube(one_size(1.0)?),
            Kind::Box => Solid::Box { size: self.box_size()? },
            Kind::Sphere => Solid::Sphere { radius },
            Kind::Cylinder => Solid::Cylinder { radius, length },
            Kind::Cone => Solid::Cone { radius, length },
            Kind::Capsule => Solid::Capsule { radius, length },
            Kind::Ellipsoid => Solid::Ellipsoid { radii: self.radii()? },
            Kind::Tetrahedron => Solid::Tetrahedron { edge },
            Kind::Octahedron => Solid::Octahedron { edge },
            Kind::Icosahedron => Solid::Icosahedron { edge },
            Kind::Torus => Solid::Torus { radius, tube_radius: self.tube_radius.unwrap_or(0.1) },
            Kind::Plane => Solid::Plane { size: one_size(10.0)? },
        })
    }

    fn box_size(&self) -> Result<Vec3, Failure> {
        match self.size.as_deref() {
            None => Ok(Vec3::ONE),
            Some([size]) => Ok(Vec3::splat(*size)),
            Some([x, y, z]) => Ok(Vec3::new(*x, *y, *z)),
            Some(sizes) => {
                Err(Failure::BadInput(format!("box takes a --size of 1 or 3 numbers, got {}", sizes.len())))
            }
        }
    }

    fn radii(&self) -> Result<Vec3, Failure> {
        match self.radii.as_deref() {
            None => Ok(Vec3::new(0.5, 0.4, 0.3)),
            Some([x, y, z]) => Ok(Vec3::new(*x, *y, *z)),
            Some(radii) => {
                Err(Failure::BadInput(format!("ellipsoid takes --radii of 3 numbers, got {}", radii.len())))
            }
        }
    }

    fn refuse_others(&self, kind: Kind) -> Result<(), Failure> {
        let given = [
            ("--size", self.size.is_some()),
            ("--radii", self.radii.is_some()),
            ("--radius", self.radius.is_some()),
            ("--length", self.length.is_some()),
            ("--edge", self.edge.is_some()),
            ("--tube-radius", self.tube_radius.is_some()),
        ];
        let taken: &[&str] = match kind {
            Kind::Cube | Kind::Box | Kind::Plane => &["--size"],
            Kind::Sphere => &["--radius"],
            Kind::Cylinder | Kind::Cone | Kind::Capsule => &["--radius", "--length"],
            Kind::Ellipsoid => &["--radii"],
            Kind::Tetrahedron | Kind::Octahedron | Kind::Icosahedron => &["--edge"],
            Kind::Torus => &["--radius", "--tube-radius"],
        };
        match given.iter().find(|(option, given)| *given && !taken.contains(option)) {
            None => Ok(()),
            Some((option, _)) => Err(Failure::BadInput(format!(
                "{} has no {option}: it takes {}",
                name(kind),
                taken.join(" and ")
            ))),
        }
    }
}

fn name(kind: Kind) -> String {
    kind.to_possible_value().map(|value| value.get_name().to_string()).unwrap_or_default()
}

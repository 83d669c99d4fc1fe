//! How far apart two shapes are, where, and which way: the narrow phase from the command line.
//!
//! ```text
//! cargo run --example collide -- box 1 1 1 and cylinder 0.5 2 at 0 0 1.49
//! ```
//!
//! Run it without arguments for the words it knows.

use std::iter::Peekable;
use std::process::ExitCode;

use msd::math::orientation::from_rotation_vector;
use msd::math::{Angle, ReferenceFrame, Vec3};
use msd::physics::collision::{distance, manifold};
use msd::physics::rigid_body::shape::{Capsule, Cone, Cuboid, Cylinder, HalfSpace, Shape, Sphere};

const USAGE: &str = "\
usage: collide SHAPE [at X Y Z] [turned X Y Z] and SHAPE [at X Y Z] [turned X Y Z] [margin M]

  SHAPE   box X Y Z             full edge lengths
          sphere RADIUS
          capsule RADIUS LENGTH     LENGTH of the cylindrical part, along z
          cylinder RADIUS LENGTH    along z
          cone RADIUS LENGTH        along z, apex up, origin at half height
          plane X Y Z OFFSET        everything below n·x = OFFSET
  at      position, m (default 0 0 0)
  turned  rotation vector, degrees: its direction is the axis, its length the angle (default 0 0 0)
  margin  gap up to which contact points are listed, m (default 0.01)

Everything is in metres, in a right-handed frame with z up. The normal points from the first shape to the second;
a positive distance is a gap, a negative one an overlap.";

type Words = Peekable<std::vec::IntoIter<String>>;

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1).collect::<Vec<_>>().into_iter().peekable();
    if words.peek().is_none_or(|w| w == "--help" || w == "-h") {
        println!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    match run(&mut words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}\n(run without arguments for the words it knows)");
            ExitCode::FAILURE
        }
    }
}

fn run(words: &mut Words) -> Result<(), String> {
    let (a, pose_a) = placed_shape(words)?;
    match words.next().as_deref() {
        Some("and") => {}
        Some(word) => return Err(format!("expected `and` and a second shape, got `{word}`")),
        None => return Err("expected `and` and a second shape".to_string()),
    }
    let (b, pose_b) = placed_shape(words)?;
    let mut margin = 0.01;
    if words.next_if(|w| w == "margin").is_some() {
        margin = number(words, "margin")?;
    }
    if let Some(word) = words.next() {
        return Err(format!("`{word}` is one word too many"));
    }
    answer(&a, &pose_a, &b, &pose_b, margin);
    Ok(())
}

fn answer(a: &Shape, pose_a: &ReferenceFrame, b: &Shape, pose_b: &ReferenceFrame, margin: f64) {
    let found = distance(a, pose_a, b, pose_b);
    let state = match found.signed {
        gap if gap > 0.0 => "apart",
        depth if depth < 0.0 => "overlapping",
        _ => "touching",
    };
    println!("{} and {}: {state}", a.type_name(), b.type_name());
    println!("  distance  {:+.9e} m", found.signed);
    println!("  normal    {}", row(found.normal));
    println!("  on first  {}", row(found.witness_a));
    println!("  on second {}", row(found.witness_b));
    let contacts = manifold(a, pose_a, b, pose_b, margin);
    println!("contact points within {margin} m: {}", contacts.points().len());
    for p in contacts.points() {
        println!("  {:+.9e} m  {}  {}", p.distance, row(p.on_a), row(p.on_b));
    }
}

fn row(v: Vec3) -> String {
    // Rounded before it is printed, so that there are no negative zeros.
    let [x, y, z] = v.to_array().map(|c| (c * 1e9).round() / 1e9 + 0.0);
    format!("[{x:>12.9} {y:>12.9} {z:>12.9}]")
}

fn placed_shape(words: &mut Words) -> Result<(Shape, ReferenceFrame), String> {
    let kind = words.next().ok_or("expected a shape")?;
    let shape = match kind.as_str() {
        "box" => Cuboid::new(vector(words, "box")?).map(Shape::from),
        "sphere" => Sphere::new(number(words, "sphere radius")?).map(Shape::from),
        "capsule" => {
            Capsule::new(number(words, "capsule radius")?, number(words, "capsule length")?).map(Shape::from)
        }
        "cylinder" => Cylinder::new(number(words, "cylinder radius")?, number(words, "cylinder length")?)
            .map(Shape::from),
        "cone" => Cone::new(number(words, "cone radius")?, number(words, "cone length")?).map(Shape::from),
        "plane" => {
            HalfSpace::new(vector(words, "plane normal")?, number(words, "plane offset")?).map(Shape::from)
        }
        other => return Err(format!("`{other}` is no shape")),
    };
    let mut frame = ReferenceFrame::IDENTITY;
    while let Some(word) = words.next_if(|w| w == "at" || w == "turned") {
        let value = vector(words, &word)?;
        if word == "at" {
            frame.position = value;
        } else {
            frame.orientation = from_rotation_vector(value * Angle::from_degrees(1.0).radians());
        }
    }
    Ok((shape.map_err(|error| error.to_string())?, frame))
}

fn vector(words: &mut Words, what: &str) -> Result<Vec3, String> {
    Ok(Vec3::new(number(words, what)?, number(words, what)?, number(words, what)?))
}

fn number(words: &mut Words, what: &str) -> Result<f64, String> {
    let word = words.next().ok_or_else(|| format!("{what}: a number is missing"))?;
    word.parse().ok().filter(|x: &f64| x.is_finite()).ok_or_else(|| format!("{what}: `{word}` is no number"))
}

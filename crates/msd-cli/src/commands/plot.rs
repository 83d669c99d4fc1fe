//! `msd plot RECORDING WHAT [NAME…]`: a recording as a picture.

use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;
use msd_recording::{PlotKind, Recording};

use super::replay::open;
use crate::failure::Failure;
use crate::output::print;

/// Draw energies, heights, speeds, contacts, joints, trajectories or any quantities of a recording as SVG
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  msd plot run.msdr energy --out energy.svg
  msd plot run.msdr height ball cube --out height.svg
  msd plot run.msdr height ball --formula '10 - 0.5*9.81*t^2'
  msd plot run.msdr trajectory moon craft --plane xy
  msd plot run.msdr joint                       # every hinge and slider
  msd plot run.msdr joint elbow wrist --out arm.svg
  msd plot run.msdr phase elbow                 # velocity against position
  msd plot run.msdr phase ball.z
  msd plot run.msdr of kinetic residual ball.vx --out any.svg
  msd plot run.msdr of ball.z --against ball.x --formula 'x^2'
  msd plot run.msdr contacts > contacts.svg

`of` takes columns of the frames (kinetic, error, penetration, …), BODY.x y z vx vy vz wx wy wz speed spin, and
JOINT.position or velocity.")]
pub(crate) struct PlotArgs {
    /// A recording made by `msd run --record`
    recording: PathBuf,
    /// Plot
    #[arg(value_parser = kinds())]
    what: String,
    /// Which bodies (height, speed, spin, trajectory), joints (joint, phase) or quantities (of)
    names: Vec<String>,
    /// Plane of a trajectory: two of x, y and z
    #[arg(long, value_name = "AXES", default_value = "xz")]
    plane: String,
    /// Quantity along the horizontal axis, instead of time
    #[arg(long, value_name = "QUANTITY")]
    against: Option<String>,
    /// A formula over t (or over x with --against) to compare with; may be given several times
    #[arg(long, value_name = "FORMULA", allow_hyphen_values = true)]
    formula: Vec<String>,
    /// File to write; standard output without it or with `-`
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Plots that are not a [`PlotKind`].
const OTHERS: [&str; 3] = ["trajectory", "phase", "of"];

fn kinds() -> PossibleValuesParser {
    PlotKind::ALL.iter().map(|(name, _)| *name).chain(OTHERS).collect::<Vec<_>>().into()
}

impl PlotArgs {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let over_quantity = ["of", "phase", "height", "speed", "spin"].contains(&self.what.as_str());
        if !self.formula.is_empty() && !over_quantity {
            let problem = format!("a plot of {} takes no --formula: use `of` with quantities", self.what);
            return Err(Failure::BadInput(problem));
        }
        if self.against.is_some() && self.what != "of" {
            return Err(Failure::BadInput("--against belongs to a plot `of` quantities".to_owned()));
        }
        let recording = open(&self.recording)?;
        let svg = self.draw(&recording)?;
        self.write(&svg)
    }

    fn draw(&self, recording: &Recording) -> Result<String, Failure> {
        let kind = PlotKind::ALL.iter().find(|(name, _)| *name == self.what).map(|(_, kind)| *kind);
        match (kind, self.what.as_str()) {
            (Some(PlotKind::Joint), _) => Ok(recording.plot_joint_positions(&self.names)?),
            (Some(kind), what) if kind.needs_body() => {
                self.need_names("a body", recording.bodies().iter().map(|body| body.name.as_str()))?;
                if let ([body], []) = (self.names.as_slice(), self.formula.as_slice()) {
                    return Ok(recording.plot(kind, Some(recording.body(body)?))?);
                }
                for body in &self.names {
                    recording.body(body)?;
                }
                let names: Vec<String> = self.names.iter().map(|body| format!("{body}.{what}")).collect();
                Ok(recording.plot_quantities(&names, None, &self.formula)?)
            }
            (Some(kind), what) => match self.names.first() {
                Some(name) => {
                    Err(Failure::BadInput(format!("a plot of {what} is of the whole world, not of `{name}`")))
                }
                None => Ok(recording.plot(kind, None)?),
            },
            (None, "trajectory") => {
                self.need_names("a body", recording.bodies().iter().map(|body| body.name.as_str()))?;
                Ok(recording.plot_trajectories(&self.names, &self.plane)?)
            }
            (None, "phase") => self.phase(recording),
            (None, _) => {
                self.need_names("quantities", ["kinetic", "error", "BODY.z", "JOINT.position"].into_iter())?;
                let against = self.against.as_deref();
                Ok(recording.plot_quantities(&self.names, against, &self.formula)?)
            }
        }
    }

    /// Velocity against position, of a joint or along an axis of a body.
    fn phase(&self, recording: &Recording) -> Result<String, Failure> {
        let joints = recording.joints_with_axes()?;
        let coordinates = recording.bodies().iter().map(|body| format!("{}.x", body.name));
        let names: Vec<String> = joints.into_iter().chain(coordinates).collect();
        self.need_names("a hinge, a slider or a coordinate", names.iter().map(String::as_str))?;
        let [name] = self.names.as_slice() else {
            return Err(Failure::BadInput("a phase portrait is of one joint or one coordinate".to_owned()));
        };
        let (position, velocity) = match name.rsplit_once('.') {
            Some((body, axis)) if ["x", "y", "z"].contains(&axis) => {
                (name.clone(), format!("{body}.v{axis}"))
            }
            _ => (format!("{name}.position"), format!("{name}.velocity")),
        };
        Ok(recording.plot_quantities(&[velocity], Some(&position), &self.formula)?)
    }

    fn need_names<'n>(&self, what: &str, known: impl Iterator<Item = &'n str>) -> Result<(), Failure> {
        if !self.names.is_empty() {
            return Ok(());
        }
        let names: Vec<&str> = known.take(8).collect();
        let problem = format!("a plot of {} needs {what}: {}", self.what, names.join(", "));
        Err(Failure::BadInput(problem))
    }

    fn write(&self, svg: &str) -> Result<(), Failure> {
        match self.out.as_ref().filter(|path| path.as_os_str() != "-") {
            None => print(svg),
            Some(path) => std::fs::write(path, svg).map_err(|error| {
                Failure::BadInput(format!("{}: cannot be written: {error}", path.display()))
            }),
        }
    }
}

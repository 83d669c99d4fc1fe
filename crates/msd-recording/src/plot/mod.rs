//! SVG plots of a recording.

mod axis;
mod chart;

use msd::physics::rigid_body::InertialState;

use crate::{FrameSummary, RecordedBody, Recording, RecordingError};
use chart::{Chart, Panel, Series};

/// Quantity to plot over time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlotKind {
    /// Kinetic, potential and total energy, and below them the error of the energy ledger.
    Energy,
    /// z of a body's frame.
    Height,
    /// Speed of a body's centre of mass.
    Speed,
    /// Angular speed of a body.
    Spin,
    /// Number of contacts, and below it the deepest overlap.
    Contacts,
    /// Force and torque of every joint.
    Joints,
}

impl PlotKind {
    /// All kinds with their names.
    pub const ALL: [(&'static str, Self); 6] = [
        ("energy", Self::Energy),
        ("height", Self::Height),
        ("speed", Self::Speed),
        ("spin", Self::Spin),
        ("contacts", Self::Contacts),
        ("joints", Self::Joints),
    ];

    /// True if it is of one body, which must then be named.
    #[must_use]
    pub fn needs_body(self) -> bool {
        matches!(self, Self::Height | Self::Speed | Self::Spin)
    }
}

impl Recording {
    /// A plot as an SVG document. `body` is the number of the body, where the plot is of one.
    ///
    /// # Errors
    /// If a body is needed and not given, there is nothing to plot, or the recording is damaged.
    pub fn plot(&self, kind: PlotKind, body: Option<usize>) -> Result<String, RecordingError> {
        let of_body = |title: &str, unit: &str, value: fn(&RecordedBody, &InertialState) -> f64| {
            let Some(body) = body else {
                return Err(RecordingError::Invalid(format!("a plot of {title} needs the name of a body")));
            };
            let recorded = &self.bodies()[body];
            let points = self.history(body)?.iter().map(|(t, state)| (*t, value(recorded, state))).collect();
            let panel = Panel::new(&format!("{title} ({unit})"), vec![Series::new(&recorded.name, points)]);
            Ok(Chart::new(&format!("{title} of {}", recorded.name), vec![panel]).svg())
        };
        match kind {
            PlotKind::Energy => self.plot_energy(),
            PlotKind::Height => of_body("height", "m", |body, state| body.frame(state).position.z),
            PlotKind::Speed => of_body("speed", "m/s", |_, state| state.speed()),
            PlotKind::Spin => of_body("angular speed", "rad/s", |_, state| state.angular_velocity.length()),
            PlotKind::Contacts => self.plot_contacts(),
            PlotKind::Joints => self.plot_joints(),
        }
    }

    fn plot_energy(&self) -> Result<String, RecordingError> {
        let frames = self.summaries()?;
        let series = |name: &str, value: fn(&FrameSummary) -> f64| series_of(&frames, name, value);
        let mut energies = vec![
            series("kinetic", |frame| frame.kinetic),
            series("potential", |frame| frame.potential),
            series("total", FrameSummary::total),
        ];
        if frames.iter().any(|frame| frame.work_in != 0.0) {
            energies.push(series("work in", |frame| frame.work_in));
        }
        if frames.iter().any(|frame| frame.dissipated != 0.0) {
            energies.push(series("dissipated", |frame| frame.dissipated));
        }
        let error = vec![series("total − expected", |frame| frame.error)];
        let panels = vec![Panel::new("energy (J)", energies), Panel::new("energy error (J)", error)];
        Ok(Chart::new("energy", panels).svg())
    }

    fn plot_contacts(&self) -> Result<String, RecordingError> {
        let frames = self.summaries()?;
        let count = series_of(&frames, "contacts", |frame| frame.contacts as f64);
        let depth = series_of(&frames, "deepest overlap", |frame| frame.penetration);
        let panels = vec![Panel::new("contacts", vec![count]), Panel::new("overlap (m)", vec![depth])];
        Ok(Chart::new("contacts", panels).svg())
    }

    fn plot_joints(&self) -> Result<String, RecordingError> {
        if self.joints().is_empty() {
            return Err(RecordingError::Invalid("the recording has no joints to plot".to_owned()));
        }
        let (mut forces, mut torques) = (Vec::new(), Vec::new());
        for (number, joint) in self.joints().iter().enumerate().take(chart::COLORS.len()) {
            // Before the first step no joint has done anything.
            let reactions = self.reactions(number)?.split_off(1);
            let force = reactions.iter().map(|(t, reaction)| (*t, reaction.force.length())).collect();
            let torque = reactions.iter().map(|(t, reaction)| (*t, reaction.torque.length())).collect();
            forces.push(Series::new(&joint.name, force));
            torques.push(Series::new(&joint.name, torque));
        }
        let panels = vec![Panel::new("force (N)", forces), Panel::new("torque (N·m)", torques)];
        Ok(Chart::new("joint reactions", panels).svg())
    }
}

fn series_of(frames: &[FrameSummary], name: &str, value: fn(&FrameSummary) -> f64) -> Series {
    Series::new(name, frames.iter().map(|frame| (frame.time, value(frame))).collect())
}

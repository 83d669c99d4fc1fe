//! SVG plots of a recording.

mod axis;
mod chart;
mod formula;
mod quantity;

use msd::physics::rigid_body::InertialState;

use crate::{FrameSummary, JointSample, RecordedBody, Recording, RecordingError};
use chart::{Chart, Panel, Series};
use formula::Formula;
use quantity::Quantity;

/// A longer list of names in a title is cut, characters.
const LONGEST_TITLE: usize = 44;

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
    /// Position and velocity of one hinge or slider.
    Joint,
}

impl PlotKind {
    /// All kinds with their names.
    pub const ALL: [(&'static str, Self); 7] = [
        ("energy", Self::Energy),
        ("height", Self::Height),
        ("speed", Self::Speed),
        ("spin", Self::Spin),
        ("contacts", Self::Contacts),
        ("joints", Self::Joints),
        ("joint", Self::Joint),
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
            PlotKind::Joint => {
                Err(RecordingError::Invalid("a plot of a joint needs the name of the joint".to_owned()))
            }
        }
    }

    /// A plot of any quantities over time, or against another one, as an SVG document.
    ///
    /// A quantity is a column of the frames (`kinetic`, `error`, `contacts`, …), `BODY.COMPONENT` (`ball.z`, `ball.vx`,
    /// `ball.speed`, …), or `JOINT.position` and `JOINT.velocity`. Quantities of one kind share a panel. Formulas over
    /// `t` (or over `x` against a quantity) are drawn in the first panel.
    ///
    /// # Errors
    /// If a name or a formula is not understood, or the recording is damaged.
    pub fn plot_quantities(
        &self,
        names: &[String],
        against: Option<&str>,
        formulas: &[String],
    ) -> Result<String, RecordingError> {
        let across = against.map(|name| self.quantity(name)).transpose()?;
        let mut panels: Vec<(String, Vec<Series>)> = Vec::new();
        for name in names {
            let Quantity { name, label, points } = self.quantity(name)?;
            let points = match &across {
                None => points,
                Some(across) => across.points.iter().zip(points).map(|((_, x), (_, y))| (*x, y)).collect(),
            };
            let series = Series::new(&name, points);
            match panels.iter_mut().find(|(known, _)| *known == label) {
                Some((_, panel)) => panel.push(series),
                None => panels.push((label, vec![series])),
            }
        }
        self.add_formulas(formulas, across.as_ref(), &mut panels)?;
        let title = match against {
            None => title_of(names),
            Some(against) => format!("{} against {against}", title_of(names)),
        };
        let panels = panels.into_iter().map(|(label, series)| Panel::new(&label, series)).collect();
        let chart = Chart::new(&title, panels);
        Ok(match &across {
            None => chart.svg(),
            Some(across) => chart.against(&across.label, false).svg(),
        })
    }

    /// A plot of the paths of bodies in a plane of the world, such as `xz`, as an SVG document. A metre is as long along
    /// both axes.
    ///
    /// # Errors
    /// If the plane is not one, there is no such body, or the recording is damaged.
    pub fn plot_trajectories(&self, bodies: &[String], plane: &str) -> Result<String, RecordingError> {
        let axes: Vec<char> = plane.chars().collect();
        let [across, up] = axes.as_slice() else { return Err(no_plane(plane)) };
        if across == up || ![across, up].into_iter().all(|axis| "xyz".contains(*axis)) {
            return Err(no_plane(plane));
        }
        let mut lines = Vec::new();
        for body in bodies {
            let xs = self.quantity(&format!("{body}.{across}"))?.points;
            let ys = self.quantity(&format!("{body}.{up}"))?.points;
            lines.push(Series::new(body, xs.iter().zip(ys).map(|((_, x), (_, y))| (*x, y)).collect()));
        }
        let panel = Panel::new(&format!("{up} (m)"), lines);
        let title = format!("trajectory of {}", listed(bodies));
        Ok(Chart::new(&title, vec![panel]).against(&format!("{across} (m)"), true).svg())
    }

    /// Positions and velocities of several hinges and sliders as an SVG document; of all of them if none is named.
    ///
    /// # Errors
    /// As [`Recording::joint_history`], or if there is none.
    pub fn plot_joint_positions(&self, names: &[String]) -> Result<String, RecordingError> {
        let all: Vec<String> = self.joints_with_axes()?;
        let names = if names.is_empty() { &all } else { names };
        if names.is_empty() {
            return Err(RecordingError::Invalid("the recording has no hinge and no slider".to_owned()));
        }
        let (mut positions, mut velocities) = (Vec::new(), Vec::new());
        for name in names {
            let history = self.joint_history(name)?;
            let series = |value: fn(&JointSample) -> f64| {
                Series::new(name, history.iter().map(|sample| (sample.time, value(sample))).collect())
            };
            positions.push(series(|sample| sample.position));
            velocities.push(series(|sample| sample.velocity));
        }
        let panels = vec![
            Panel::new("position (rad or m)", positions),
            Panel::new("velocity (rad/s or m/s)", velocities),
        ];
        let title = if names.len() == 1 { format!("joint {}", names[0]) } else { "joints".to_owned() };
        Ok(Chart::new(&title, panels).svg())
    }

    /// Formulas as lines of the first panel, at the places of the quantities.
    fn add_formulas(
        &self,
        formulas: &[String],
        across: Option<&Quantity>,
        panels: &mut [(String, Vec<Series>)],
    ) -> Result<(), RecordingError> {
        let Some((_, first)) = panels.first_mut() else { return Ok(()) };
        let mut places: Vec<f64> = match across {
            None => self.summaries()?.iter().map(|frame| frame.time).collect(),
            Some(across) => across.points.iter().map(|(_, x)| *x).filter(|x| x.is_finite()).collect(),
        };
        places.sort_by(f64::total_cmp);
        places.dedup();
        let variable = if across.is_some() { "x" } else { "t" };
        for text in formulas {
            let formula = Formula::parse(text, variable).map_err(RecordingError::Invalid)?;
            let points = places.iter().map(|place| (*place, formula.at(*place))).collect();
            first.push(Series::new(text, points).reference());
        }
        Ok(())
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
        for (number, joint) in self.joints().iter().enumerate() {
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

/// Of quantities: what they have in common after the names of bodies or joints, and whose it is.
fn title_of(quantities: &[String]) -> String {
    let parts: Vec<(&str, &str)> = quantities.iter().filter_map(|name| name.rsplit_once('.')).collect();
    match parts.first() {
        Some((_, component))
            if quantities.len() > 1
                && parts.len() == quantities.len()
                && parts.iter().all(|part| part.1 == *component) =>
        {
            let owners: Vec<String> = parts.iter().map(|part| part.0.to_owned()).collect();
            format!("{component} of {}", listed(&owners))
        }
        _ => listed(quantities),
    }
}

/// Names as far as they fit beside a legend, and how many there are.
fn listed(names: &[String]) -> String {
    let all = names.join(", ");
    if all.chars().count() <= LONGEST_TITLE {
        return all;
    }
    let fits = |count: &usize| names[..*count].join(", ").chars().count() <= LONGEST_TITLE;
    let count = (1..names.len()).take_while(fits).last().unwrap_or(1);
    format!("{}, … ({})", names[..count].join(", "), names.len())
}

fn no_plane(plane: &str) -> RecordingError {
    RecordingError::Invalid(format!("`{plane}` is no plane: expected two of x, y and z, such as xz"))
}

fn series_of(frames: &[FrameSummary], name: &str, value: fn(&FrameSummary) -> f64) -> Series {
    Series::new(name, frames.iter().map(|frame| (frame.time, value(frame))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_names_what_quantities_share_and_stays_short() {
        let names = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        assert_eq!(title_of(&names(&["ball.z"])), "ball.z");
        assert_eq!(title_of(&names(&["ball.height", "v1.2 box.height"])), "height of ball, v1.2 box");
        assert_eq!(title_of(&names(&["kinetic", "ball.vx"])), "kinetic, ball.vx");
        let dominoes: Vec<String> = (0..80).map(|i| format!("domino {i}.height")).collect();
        let title = title_of(&dominoes);
        assert_eq!(title, "height of domino 0, domino 1, domino 2, domino 3, … (80)");
    }
}

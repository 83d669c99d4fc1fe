//! Quantities of a recording by name: a column of the frames, `BODY.COMPONENT`, or `JOINT.position` and `JOINT.velocity`.

use msd::physics::rigid_body::InertialState;

use crate::{FrameSummary, RecordedBody, Recording, RecordingError};

/// A quantity over time.
#[derive(Clone, Debug)]
pub(super) struct Quantity {
    /// For the legend.
    pub(super) name: String,
    /// Quantity and unit; quantities of one label share a panel.
    pub(super) label: String,
    /// Time (s) and value.
    pub(super) points: Vec<(f64, f64)>,
}

type Column = (&'static str, &'static str, fn(&FrameSummary) -> f64);

/// Columns of the frames with their labels.
pub(super) const COLUMNS: [Column; 16] = [
    ("dt", "step (s)", |frame| frame.dt),
    ("kinetic", "energy (J)", |frame| frame.kinetic),
    ("potential", "energy (J)", |frame| frame.potential),
    ("total", "energy (J)", FrameSummary::total),
    ("work_in", "energy (J)", |frame| frame.work_in),
    ("dissipated", "energy (J)", |frame| frame.dissipated),
    ("correction", "position correction (J)", |frame| frame.correction),
    ("error", "energy error (J)", |frame| frame.error),
    ("gain", "unexplained energy (J)", |frame| frame.gain),
    ("contacts", "contacts", |frame| frame.contacts as f64),
    ("penetration", "overlap (m)", |frame| frame.penetration),
    ("residual", "contact residual", |frame| frame.residual),
    ("iterations", "iterations", |frame| frame.iterations as f64),
    ("unconverged", "unconverged steps", |frame| frame.unconverged as f64),
    ("joint_position_error", "joint error (m)", |frame| frame.joint_position_error),
    ("joint_angle_error", "joint error (rad)", |frame| frame.joint_angle_error),
];

type Component = (&'static str, &'static str, fn(&RecordedBody, &InertialState) -> f64);

/// Components of a body: position of its frame, orientation, velocities.
pub(super) const COMPONENTS: [Component; 16] = [
    ("x", "x (m)", |body, state| body.frame(state).position.x),
    ("y", "y (m)", |body, state| body.frame(state).position.y),
    ("z", "z (m)", |body, state| body.frame(state).position.z),
    ("vx", "velocity x (m/s)", |_, state| state.velocity.x),
    ("vy", "velocity y (m/s)", |_, state| state.velocity.y),
    ("vz", "velocity z (m/s)", |_, state| state.velocity.z),
    ("wx", "angular velocity x (rad/s)", |_, state| state.angular_velocity.x),
    ("wy", "angular velocity y (rad/s)", |_, state| state.angular_velocity.y),
    ("wz", "angular velocity z (rad/s)", |_, state| state.angular_velocity.z),
    ("qw", "orientation", |_, state| state.orientation.w),
    ("qx", "orientation", |_, state| state.orientation.x),
    ("qy", "orientation", |_, state| state.orientation.y),
    ("qz", "orientation", |_, state| state.orientation.z),
    ("height", "height (m)", |body, state| body.frame(state).position.z),
    ("speed", "speed (m/s)", |_, state| state.speed()),
    ("spin", "angular speed (rad/s)", |_, state| state.angular_velocity.length()),
];

impl Recording {
    /// The quantity of that name.
    pub(super) fn quantity(&self, name: &str) -> Result<Quantity, RecordingError> {
        if let Some((_, label, value)) = COLUMNS.iter().find(|(known, ..)| *known == name) {
            let points = self.summaries()?.iter().map(|frame| (frame.time, value(frame))).collect();
            return Ok(Quantity { name: name.to_owned(), label: (*label).to_owned(), points });
        }
        let Some((owner, part)) = name.rsplit_once('.') else { return Err(unknown(name)) };
        let is_joint = self.joints().iter().any(|joint| joint.name == owner);
        if is_joint && ["position", "velocity"].contains(&part) {
            let of_position = part == "position";
            let points = self
                .joint_history(owner)?
                .into_iter()
                .map(|sample| (sample.time, if of_position { sample.position } else { sample.velocity }));
            let unit = if of_position { "(rad or m)" } else { "(rad/s or m/s)" };
            let label = format!("{part} {unit}");
            return Ok(Quantity { name: owner.to_owned(), label, points: points.collect() });
        }
        let Some((_, label, value)) = COMPONENTS.iter().find(|(known, ..)| *known == part) else {
            return Err(unknown(name));
        };
        let number = self.body(owner)?;
        let recorded = &self.bodies()[number];
        let points =
            self.history(number)?.iter().map(|(time, state)| (*time, value(recorded, state))).collect();
        let shown = if part.starts_with('q') { name } else { owner };
        Ok(Quantity { name: shown.to_owned(), label: (*label).to_owned(), points })
    }
}

fn unknown(name: &str) -> RecordingError {
    let columns = COLUMNS.map(|(name, ..)| name).join(", ");
    let components = COMPONENTS.map(|(name, ..)| name).join(", ");
    RecordingError::Invalid(format!(
        "there is no quantity named `{name}`; expected a column ({columns}), `BODY.` with {components}, or `JOINT.` \
         with position or velocity"
    ))
}

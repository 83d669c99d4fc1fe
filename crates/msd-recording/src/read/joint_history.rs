//! Positions and velocities of joints, from the recorded states of their bodies and the recorded scene.

use msd::physics::constraints::Pair;
use msd::physics::rigid_body::InertialState;

use crate::{Recording, RecordingError, source};

/// Where a hinge or slider was at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointSample {
    /// s.
    pub time: f64,
    /// rad, full turns counted, or m.
    pub position: f64,
    /// rad/s or m/s.
    pub velocity: f64,
}

impl Recording {
    /// Names of the joints with an axis: hinges and sliders, without the actuators and springs on them.
    ///
    /// # Errors
    /// If the recording holds no scene.
    pub fn joints_with_axes(&self) -> Result<Vec<String>, RecordingError> {
        let (scene, _folder) = source::scene(&self.files()?, self.path())?;
        let built = scene.build().map_err(|errors| RecordingError::Scene(Box::new(errors)))?;
        let joints = built.engine.world().joints().filter(|(_, _, joint)| joint.axis().is_some());
        Ok(joints.map(|(_, name, _)| name.to_owned()).collect())
    }

    /// Position and velocity of a hinge or slider in every frame.
    ///
    /// # Errors
    /// If there is no such joint, it has no axis, the recording holds no scene, or it is damaged.
    pub fn joint_history(&self, name: &str) -> Result<Vec<JointSample>, RecordingError> {
        let invalid = |problem: String| RecordingError::Invalid(problem);
        let number = self.joints().iter().position(|joint| joint.name == name).ok_or_else(|| {
            let names: Vec<&str> = self.joints().iter().take(12).map(|joint| joint.name.as_str()).collect();
            invalid(format!("there is no joint named `{name}`; the recording has {}", names.join(", ")))
        })?;
        let (scene, _folder) = source::scene(&self.files()?, self.path())?;
        let built = scene.build().map_err(|errors| RecordingError::Scene(Box::new(errors)))?;
        let world = built.engine.world();
        let joint = world.joints().find(|(_, known, _)| *known == name).map(|(_, _, joint)| joint);
        let axis = joint.and_then(|joint| Some((joint, joint.axis()?)));
        let (joint, axis) = axis.ok_or_else(|| {
            let others: Vec<&str> =
                world.joints().filter(|(_, _, joint)| joint.axis().is_some()).map(|(_, known, _)| known).take(12).collect();
            let others = if others.is_empty() { "no joint".to_owned() } else { others.join(", ") };
            invalid(format!("the joint `{name}` is no hinge or slider and has no position; of this recording {others} has one"))
        })?;
        let ends = [self.joints()[number].a, self.joints()[number].b];
        let mut histories = Vec::new();
        for end in ends {
            histories.push(end.map(|body| self.history(body)).transpose()?);
        }
        let times =
            histories.iter().flatten().next().map(|history| history.iter().map(|(t, _)| *t).collect());
        let times: Vec<f64> = times.unwrap_or_default();
        let mut near = axis.placed_at;
        let sample = |(i, time): (usize, f64)| {
            let state =
                |end: usize| histories[end].as_ref().map_or(InertialState::AT_REST, |history| history[i].1);
            let (a, b) = (state(0), state(1));
            let pair = Pair { a: &a, b: &b };
            near = joint.axis_position(&pair, near);
            JointSample { time, position: near, velocity: joint.axis_row(&pair).0.velocity(&a, &b) }
        };
        Ok(times.into_iter().enumerate().map(sample).collect())
    }
}

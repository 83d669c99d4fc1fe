//! A scene written from the world it was made into: as the scene says, and a keyframe with the present state to start from.
//!
//! Joints and fields keep the places at which they were made, so the world that is read back has the same model (the same
//! hash) and every body the same state to the last bit. Time, contact memory and the filters of actuators start anew.

use msd::environment::World;
use msd::math::orientation;
use msd::physics::rigid_body::BodyKind;
use thiserror::Error;

use crate::error::SceneErrors;
use crate::model::{BodyState, Joint, Keyframe, Quaternion, Scene};
use crate::source::Format;

/// Why a world cannot be written as a scene.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ExportError {
    /// A program has changed what the scene says.
    #[error("the world is no longer the one that its scene makes: {0}; write it with `World::to_bytes`")]
    Changed(String),
    /// It cannot be built again.
    #[error(transparent)]
    Scene(#[from] SceneErrors),
    /// It cannot be expressed in the format.
    #[error("the scene cannot be written: {0}")]
    Format(String),
}

impl Scene {
    /// The scene that starts from the state that `world`, which was made from this scene, is in. The state is a keyframe of that
    /// name, and the scene starts from it.
    ///
    /// # Errors
    /// If bodies, joints, fields or settings are no longer those of the scene, or a joint has broken, closed or been disabled.
    pub fn with_state_of(&self, world: &World, name: &str) -> Result<Scene, ExportError> {
        let mut scene = self.with_imports()?;
        let mut keyframe = Keyframe::default();
        for (joint, named, _) in world.joints() {
            let enabled =
                world.is_joint_enabled(joint).map_err(|error| ExportError::Changed(error.to_string()))?;
            // A latch that is open starts open again.
            let open_latch =
                scene.joint.iter().any(|joint| matches!(joint, Joint::Latch(latch) if latch.name == named));
            if enabled == open_latch {
                return Err(ExportError::Changed(format!(
                    "joint `{named}` has broken, closed or been disabled"
                )));
            }
        }
        for joint in scene.joint.iter().filter(|joint| joint.has_axis()) {
            let handle = world.find_joint(joint.name());
            let position = handle.and_then(|handle| world.joint_position(handle).ok());
            keyframe.joint.extend(position.map(|position| (joint.name().to_owned(), position)));
        }
        for body in &scene.body {
            let missing = || ExportError::Changed(format!("body `{}` is gone", body.name));
            let handle = world.find(&body.name).ok_or_else(missing)?;
            let view = world.body(handle).map_err(|_| missing())?;
            if matches!(view.body.kind, BodyKind::Dynamic | BodyKind::Kinematic) {
                keyframe.state.insert(body.name.clone(), BodyState::of(view.state));
            }
        }
        for (handle, named, _) in world.actuators() {
            keyframe.control.extend(world.control(handle).ok().map(|control| (named.to_owned(), control)));
        }
        scene.keyframe.insert(name.to_owned(), keyframe);
        scene.world.keyframe = Some(name.to_owned());
        scene.world.dt = world.dt();
        let read = scene.build()?;
        let read = read.engine.world();
        if read.model_hash() != world.model_hash() {
            let what = "bodies, joints, fields or settings were added, removed or changed";
            return Err(ExportError::Changed(what.to_owned()));
        }
        for (_, view) in world.bodies() {
            let same = read.find(&view.body.name).and_then(|handle| read.body(handle).ok());
            if same.is_none_or(|same| same.state != view.state) {
                return Err(ExportError::Changed(format!(
                    "body `{}` is not where the scene puts it",
                    view.body.name
                )));
            }
        }
        Ok(scene)
    }

    /// The text of a scene file.
    ///
    /// # Errors
    /// Numbers that the format does not have.
    pub fn to_text(&self, format: Format) -> Result<String, ExportError> {
        let failed = |error: &dyn std::fmt::Display| ExportError::Format(error.to_string());
        match format {
            Format::Json => serde_json::to_string_pretty(self).map_err(|error| failed(&error)),
            _ => toml::to_string(self).map_err(|error| failed(&error)),
        }
    }
}

impl BodyState {
    fn of(state: &msd::physics::rigid_body::InertialState) -> Self {
        let [w, x, y, z] = orientation::to_wxyz(state.orientation);
        Self {
            center_of_mass: state.center_of_mass.to_array(),
            orientation: Quaternion { w, x, y, z },
            velocity: state.velocity.to_array(),
            angular_velocity: state.angular_velocity.to_array(),
        }
    }
}

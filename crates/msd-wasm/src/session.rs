//! One simulation of a page.

use std::collections::BTreeMap;
use std::path::PathBuf;

use msd::environment::World;
use msd::math::ReferenceFrame;
use msd_scene::source::Format;
use msd_scene::{Built, FileAccess, Scene};

use crate::model;

/// How [`Session::step`] ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepOutcome {
    /// All steps were taken.
    Done,
    /// A step was refused; the world is as before it, and the output has the reason.
    Refused,
    /// The duration of the scene is over.
    End,
}

/// A scene with its files, its world and the text of the last answer.
#[derive(Debug, Default)]
pub struct Session {
    files: BTreeMap<PathBuf, String>,
    built: Option<Built>,
    output: String,
    poses: Vec<f64>,
}

impl Session {
    /// A session without files and without a scene.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a text file that scenes may name, by its path from the scene.
    pub fn add_file(&mut self, path: &str, text: &str) {
        self.files.insert(PathBuf::from(path), text.to_owned());
    }

    /// Reads a scene and makes its world. False if it has problems, which the output then lists.
    pub fn load(&mut self, name: &str, text: &str) -> bool {
        self.built = None;
        let files = FileAccess::in_memory(self.files.clone());
        let scene = Scene::parse_with(name, text, Format::of_name(name), files);
        match scene.and_then(|scene| scene.build()) {
            Ok(built) => {
                self.output.clear();
                self.built = Some(built);
                true
            }
            Err(errors) => {
                self.output = errors.to_string();
                false
            }
        }
    }

    /// Takes up to `count` steps.
    pub fn step(&mut self, count: u32) -> StepOutcome {
        let Some(built) = &mut self.built else {
            self.output = "no scene is loaded".to_owned();
            return StepOutcome::Refused;
        };
        let dt = built.engine.world().dt();
        // Half a step: round-off of the duration must not add one.
        let end = built.duration - 0.5 * dt;
        for _ in 0..count {
            if built.engine.world().time() >= end {
                return StepOutcome::End;
            }
            if let Err(error) = built.engine.step(dt) {
                self.output = error.to_string();
                return StepOutcome::Refused;
            }
        }
        StepOutcome::Done
    }

    /// The world, once a scene is loaded.
    #[must_use]
    pub fn world(&self) -> Option<&World> {
        self.built.as_ref().map(|built| built.engine.world())
    }

    /// The text of the last answer.
    #[must_use]
    pub fn output(&self) -> &str {
        &self.output
    }

    /// Writes the bodies and their geometry to the output, as JSON.
    pub fn write_model(&mut self) {
        let Some(built) = &self.built else { return };
        self.output = model::json(built).to_string();
    }

    /// Writes time, energies and contacts to the output, as JSON.
    pub fn write_status(&mut self) {
        let Some(built) = &self.built else { return };
        self.output = model::status(built).to_string();
    }

    /// Writes the state hash to the output.
    pub fn write_hash(&mut self) {
        self.output = self.world().map(|world| world.state_hash().to_string()).unwrap_or_default();
    }

    /// Position (m) and quaternion (x, y, z, w) of each body's frame, in the order of the model.
    pub fn poses(&mut self) -> &[f64] {
        self.poses.clear();
        let Some(built) = &self.built else { return &self.poses };
        let world = built.engine.world();
        for (_, handle) in &built.bodies {
            // A quarantined body is drawn at the origin.
            let frame = world.frame(*handle).unwrap_or(ReferenceFrame::IDENTITY);
            self.poses.extend(frame.position.to_array());
            self.poses.extend(frame.orientation.to_array());
        }
        &self.poses
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DROP: &str = "format = 1\n[world]\nduration = 0.01\n[[body]]\nname = \"ball\"\n\
        shape = { sphere = { radius = 0.1 } }\nmass = 1.0\nposition = [0, 0, 10]\n";

    #[test]
    fn a_scene_is_loaded_stepped_to_its_end_and_read() {
        let mut session = Session::new();
        assert!(session.load("drop.toml", DROP), "{}", session.output());
        assert_eq!(session.step(9), StepOutcome::Done);
        assert_eq!(session.step(9), StepOutcome::End);
        let world = session.world().expect("a world");
        assert_eq!((world.steps(), world.time()), (10, 0.01));
        let height = session.poses()[2];
        assert!((height - (10.0 - 0.5 * 9.81 * 1e-4)).abs() < 1e-14, "{height}");
        session.write_hash();
        assert_eq!(session.output().len(), 64);
        session.write_model();
        assert!(session.output().contains("\"sphere\""), "{}", session.output());
    }

    #[test]
    fn problems_of_a_scene_are_in_the_output() {
        let mut session = Session::new();
        assert!(!session.load("drop.toml", &DROP.replace("mass = 1.0", "mass = -1.0")));
        assert!(session.output().contains("mass"), "{}", session.output());
        assert_eq!(session.step(1), StepOutcome::Refused);
    }

    #[test]
    fn files_come_from_memory_only() {
        let mut session = Session::new();
        let robot = "format = 1\n[world]\nduration = 0.1\n[[import]]\nfile = \"r.urdf\"\n";
        assert!(!session.load("robot.toml", robot));
        assert!(session.output().contains("not among the files in memory"), "{}", session.output());
        let link = "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>";
        session.add_file("r.urdf", &format!("<robot name='r'><link name='base'>{link}</link></robot>"));
        assert!(session.load("robot.toml", robot), "{}", session.output());
    }
}

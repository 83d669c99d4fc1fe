//! Verification: the run is computed again from the recording, and every frame compared.
//!
//! From the start, scene and agents are rebuilt and run again. From a keyframe, and for interactive runs, the
//! world is restored from its snapshot and the recorded commands replace the agents. Either way each recorded
//! frame must come out with the same bits (positions, orientations, velocities, energies), each keyframe with
//! the same state hash, and the end with the hash that was recorded for it.

use msd::agent::Command;
use msd::engine::EngineError;
use msd::environment::World;
use msd::physics::rigid_body::BodyHandle;
use msd_scene::Built;

use crate::format::commands::Numbering;
use crate::frame::{Frame, state_to_numbers};
use crate::write::OUTSIDE_INPUTS;
use crate::{Keyframe, Recording, RecordingError, source};

/// The first thing that came out otherwise.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Number of the frame.
    pub frame: u64,
    /// Its time, s.
    pub time: f64,
    /// The difference: body and number, recorded and computed.
    pub what: String,
}

/// Result of a verification.
#[derive(Clone, Debug, PartialEq)]
pub struct Verification {
    /// Time it began from, s.
    pub from: f64,
    /// Frames compared.
    pub frames: u64,
    /// State hashes compared.
    pub hashes: u64,
    /// The first difference; `None` if the recording equals the computed run.
    pub difference: Option<Difference>,
}

const COMPONENTS: [&str; 13] = [
    "center_of_mass.x",
    "center_of_mass.y",
    "center_of_mass.z",
    "orientation.w",
    "orientation.x",
    "orientation.y",
    "orientation.z",
    "velocity.x",
    "velocity.y",
    "velocity.z",
    "angular_velocity.x",
    "angular_velocity.y",
    "angular_velocity.z",
];

impl Recording {
    /// Runs the recording again from its start, or from the last keyframe at or before `from` seconds, and compares.
    /// `observe` is given the time after each frame.
    ///
    /// # Errors
    /// If it holds no scene, was recorded by another version, or is damaged.
    pub fn verify(
        &self,
        from: Option<f64>,
        observe: impl FnMut(f64) -> bool,
    ) -> Result<Verification, RecordingError> {
        let found = self.version();
        if found != env!("CARGO_PKG_VERSION") {
            let (path, found) = (self.path().to_owned(), found.to_owned());
            return Err(RecordingError::OtherVersion { path, found });
        }
        let (scene, _folder) = source::scene(&self.files()?, self.path())?;
        let mut built = scene.build().map_err(|errors| RecordingError::Scene(Box::new(errors)))?;
        let model = built.engine.world().model_hash().to_string();
        if self.property("model_hash").and_then(|hash| hash.as_str()) != Some(&model) {
            let detail = "the recorded scene does not make the world that was recorded";
            return Err(RecordingError::damaged(self.path(), detail));
        }
        let keyframe = from.and_then(|from| self.keyframes().iter().rev().find(|key| key.time <= from));
        let outside_inputs = self.property(OUTSIDE_INPUTS).is_some();
        let keyframe = if outside_inputs { keyframe.or_else(|| self.keyframes().first()) } else { keyframe };
        match keyframe.filter(|key| key.frame > 0 || outside_inputs) {
            None => self.run_again(&mut built, observe),
            Some(keyframe) => self.run_on(built.engine.world_mut(), keyframe, observe),
        }
    }

    /// Takes the run up in a world of the same model, from the last keyframe at or before `from` seconds, with the
    /// recorded step lengths and commands instead of agents, and compares. For recordings that a program made without
    /// a scene.
    ///
    /// # Errors
    /// If the world has another model, the recording is of another version, or it is damaged.
    pub fn verify_in(
        &self,
        world: &mut World,
        from: f64,
        observe: impl FnMut(f64) -> bool,
    ) -> Result<Verification, RecordingError> {
        let keyframe = self.keyframes().iter().rev().find(|key| key.time <= from);
        let keyframe = keyframe.or_else(|| self.keyframes().first());
        let none = || RecordingError::damaged(self.path(), "it has no keyframe to begin from");
        self.run_on(world, keyframe.ok_or_else(none)?, observe)
    }

    fn run_again(
        &self,
        built: &mut Built,
        observe: impl FnMut(f64) -> bool,
    ) -> Result<Verification, RecordingError> {
        let mut comparison = Comparison::new(self, built.engine.world(), 0, observe);
        let mut going = comparison.compare_frame(built.engine.world());
        if going {
            let outcome = built.engine.run(built.duration, |world, _| {
                going = comparison.compare_frame(world);
                going
            });
            comparison.ended(outcome.err().map(|error| error.to_string()));
        }
        comparison.finish(built.engine.world())
    }

    /// From a keyframe on, with the recorded inputs.
    fn run_on(
        &self,
        world: &mut World,
        keyframe: &Keyframe,
        observe: impl FnMut(f64) -> bool,
    ) -> Result<Verification, RecordingError> {
        world.restore(&self.snapshot(keyframe)?)?;
        let numbering = Numbering {
            bodies: world.handles().collect(),
            joints: world.joints().map(|(h, ..)| h).collect(),
        };
        let entries = self.commands(&numbering)?;
        let last = self.frames().saturating_sub(1);
        let mut comparison = Comparison::new(self, world, keyframe.frame, observe);
        let mut going = comparison.compare_frame(world);
        while going {
            let step = world.steps() + 1;
            let Some(held) = entries.partition_point(|entry| entry.step <= step).checked_sub(1) else {
                return Err(RecordingError::damaged(
                    self.path(),
                    format!("the inputs of step {step} are missing"),
                ));
            };
            if let Err(error) = step_with_commands(world, &entries[held].commands, entries[held].dt) {
                comparison.ended(Some(error.to_string()));
                break;
            }
            // A run puts the clock right after its last step; there, only the states can be compared.
            comparison.clock_is_exact = comparison.next < last;
            going = comparison.compare_frame(world);
        }
        comparison.finish(world)
    }
}

fn step_with_commands(world: &mut World, commands: &[Command], dt: f64) -> Result<(), EngineError> {
    for command in commands {
        command.apply(world)?;
    }
    world.step(dt)?;
    Ok(())
}

/// Compares the run with the frames as they come.
struct Comparison<'a, F> {
    recording: &'a Recording,
    handles: Vec<BodyHandle>,
    next: u64,
    expected: Option<Frame>,
    clock_is_exact: bool,
    failure: Option<String>,
    error: Option<RecordingError>,
    observe: F,
    result: Verification,
}

impl<'a, F: FnMut(f64) -> bool> Comparison<'a, F> {
    fn new(recording: &'a Recording, world: &World, first: u64, observe: F) -> Self {
        let result = Verification { from: world.time(), frames: 0, hashes: 0, difference: None };
        let (next, handles) = (first, world.handles().collect());
        let (expected, failure, error) = (None, None, None);
        Self { recording, handles, next, expected, clock_is_exact: true, failure, error, observe, result }
    }

    /// Compares the world if it stands at the next recorded frame; false when there is nothing more to compare.
    fn compare_frame(&mut self, world: &World) -> bool {
        match self.compare(world) {
            Ok(going) => going,
            Err(error) => {
                self.error = Some(error);
                false
            }
        }
    }

    fn compare(&mut self, world: &World) -> Result<bool, RecordingError> {
        if self.next >= self.recording.frames() {
            return Ok(false);
        }
        let expected = match self.expected.take() {
            Some(frame) => frame,
            None => self.recording.frame(self.next)?,
        };
        if world.steps() < expected.summary.step {
            self.expected = Some(expected);
            return Ok(true);
        }
        self.result.difference = self.difference(world, &expected);
        self.result.frames += 1;
        if self.clock_is_exact
            && self.result.difference.is_none()
            && let Some(key) = self.recording.keyframes().iter().find(|key| key.frame == expected.index)
        {
            self.result.hashes += 1;
            let found = world.state_hash().to_string();
            if found != key.state_hash {
                let what = format!("state hash {} recorded, {found} computed", key.state_hash);
                self.result.difference = Some(Difference { frame: key.frame, time: key.time, what });
            }
        }
        self.next += 1;
        let going = (self.observe)(expected.summary.time);
        Ok(going && self.result.difference.is_none() && self.next < self.recording.frames())
    }

    fn difference(&self, world: &World, expected: &Frame) -> Option<Difference> {
        let summary = &expected.summary;
        let at = |what: String| Some(Difference { frame: expected.index, time: summary.time, what });
        if world.steps() != summary.step {
            return at(format!("step {} recorded, {} computed", summary.step, world.steps()));
        }
        let bodies = world.all_bodies();
        for ((handle, state), body) in self.handles.iter().zip(&expected.states).zip(self.recording.bodies())
        {
            let (recorded, computed) = (state_to_numbers(state), state_to_numbers(bodies.get(*handle).state));
            let differs = |i: &usize| recorded[*i].to_bits() != computed[*i].to_bits();
            if let Some(i) = (0..COMPONENTS.len()).find(differs) {
                let (name, component) = (&body.name, COMPONENTS[i]);
                return at(format!(
                    "body `{name}`: {component} {} recorded, {} computed",
                    recorded[i], computed[i]
                ));
            }
        }
        if let Some(what) = self.contact_difference(world, expected) {
            return at(what);
        }
        let energy = world.energy();
        let figures = [
            ("time", summary.time, if self.clock_is_exact { world.time() } else { summary.time }),
            ("kinetic energy", summary.kinetic, energy.kinetic),
            ("potential energy", summary.potential, energy.potential),
            ("work in", summary.work_in, energy.work_in),
            ("dissipated", summary.dissipated, energy.dissipated),
            ("correction", summary.correction, energy.correction),
        ];
        let other = figures.iter().find(|(_, recorded, computed)| recorded.to_bits() != computed.to_bits());
        other.and_then(|(name, recorded, computed)| {
            at(format!("{name} {recorded} recorded, {computed} computed"))
        })
    }

    /// Contacts and their forces belong to the step before; a world just restored has none.
    fn contact_difference(&self, world: &World, expected: &Frame) -> Option<String> {
        if self.result.frames == 0 {
            return None;
        }
        let computed: Vec<_> = world.contacts().collect();
        let (there, here) = (expected.contacts.len(), computed.len());
        if there != here {
            return Some(format!("{there} contacts recorded, {here} computed"));
        }
        let name = |body: usize| &self.recording.bodies()[body].name;
        for (recorded, computed) in expected.contacts.iter().zip(&computed) {
            let pairs = [
                ("position x", recorded.position.x, computed.position.x),
                ("position y", recorded.position.y, computed.position.y),
                ("position z", recorded.position.z, computed.position.z),
                ("gap", recorded.gap, computed.gap),
                ("normal force", recorded.normal_force, computed.normal_force),
                ("friction", recorded.friction_force.length(), computed.friction_force.length()),
            ];
            if let Some((what, recorded_value, computed_value)) =
                pairs.iter().find(|(_, recorded, computed)| recorded.to_bits() != computed.to_bits())
            {
                let (a, b) = (name(recorded.a), name(recorded.b));
                return Some(format!(
                    "contact of `{a}` and `{b}`: {what} {recorded_value} recorded, {computed_value} computed"
                ));
            }
        }
        None
    }

    fn ended(&mut self, failure: Option<String>) {
        self.failure = failure;
    }

    /// The verdict, with the hash of the end if the run came to it.
    fn finish(mut self, world: &World) -> Result<Verification, RecordingError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        let last = self.recording.frames();
        if self.result.difference.is_none() && self.next < last {
            if let Some(failure) = self.failure {
                let time = world.time();
                let what = format!("the run recorded it, the run again failed before: {failure}");
                self.result.difference = Some(Difference { frame: self.next, time, what });
            }
        } else if let Some(ending) = self.recording.ending()
            && self.clock_is_exact
            && self.result.difference.is_none()
        {
            self.result.hashes += 1;
            let found = world.state_hash().to_string();
            if found != ending.state_hash {
                let what = format!("final state hash {} recorded, {found} computed", ending.state_hash);
                self.result.difference =
                    Some(Difference { frame: last.saturating_sub(1), time: ending.time, what });
            }
        }
        Ok(self.result)
    }
}

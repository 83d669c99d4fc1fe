//! A recorder as part of an engine: [`Engine::start_recording`](msd::engine::Engine::start_recording).

use msd::engine::{Commands, StepRecorder};
use msd::environment::{StepReport, World};

use super::Recorder;

impl StepRecorder for Recorder {
    fn record(&mut self, world: &World, step: &StepReport, commands: Commands<'_>) -> Result<(), String> {
        self.observe(world, step, commands.iter()).map_err(|error| error.to_string())
    }

    /// Ends the recording as `done`, without a report.
    fn finish(self: Box<Self>, world: &World) -> Result<(), String> {
        Recorder::finish(*self, world, "done", None, None).map(drop).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use msd::engine::Engine;
    use msd::environment::BodyDescription;
    use msd::physics::rigid_body::shape::{Shape, Sphere};

    use crate::{RecordOptions, Recorder, Recording};

    #[test]
    fn an_engine_records_what_it_does_until_told_to_stop() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.msdr");
        let mut engine = Engine::default();
        let ball = Shape::Sphere(Sphere::new(0.1).unwrap());
        engine.world_mut().add_body(BodyDescription::dynamic("ball", ball).mass(1.0)).unwrap();
        engine.world_mut().set_dt(0.01).unwrap();
        let recorder = Recorder::create(&path, engine.world(), &RecordOptions::new()).unwrap();
        engine.start_recording(Box::new(recorder));
        engine.update(0.5).unwrap();
        engine.step(0.01).unwrap();
        // A copy goes its own way and is not recorded.
        engine.clone().update(2.0).unwrap();
        engine.stop_recording().unwrap();
        engine.update(1.0).unwrap();
        let recording = Recording::open(&path).unwrap();
        let history = recording.history(0).unwrap();
        assert_eq!(history.len(), 52);
        let (time, state) = history[51];
        assert!((time - 0.51).abs() < 1e-12);
        assert!((state.center_of_mass.z + 0.5 * 9.81 * time * time).abs() < 1e-12);
        assert!(recording.is_sealed());
    }
}

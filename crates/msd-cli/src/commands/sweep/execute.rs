//! One run of a sweep.

use std::path::Path;

use msd::engine::EngineError;
use msd_recording::{RecordOptions, Recorder};

use super::plan::{Plan, Record};
use super::quantity::{End, Tally};
use super::table::Row;
use crate::failure::Failure;

/// Computes a run, and records it if the sweep requires it or `record` names a file.
pub(super) fn execute(plan: &Plan, run: u64, folder: &Path, record: Option<&Path>) -> Result<Row, Failure> {
    let automatic = folder.join("recordings").join(format!("run-{run:06}.msdr"));
    match (record, plan.record) {
        (Some(path), _) => compute(plan, run, Some(path)),
        (None, Record::All) => compute(plan, run, Some(&automatic)),
        (None, Record::None) => compute(plan, run, None),
        (None, Record::Failed) => {
            let row = compute(plan, run, None)?;
            // Computed again: the bits are the same, and only runs that fail pay for a recording.
            if row.failed() && !row.state_hash.is_empty() {
                compute(plan, run, Some(&automatic))
            } else {
                Ok(row)
            }
        }
    }
}

fn compute(plan: &Plan, run: u64, record: Option<&Path>) -> Result<Row, Failure> {
    let mut row = Row { run, varied: plan.values(run), ..Row::default() };
    let scene = plan.scene_of(run)?;
    let mut built = match scene.build() {
        Ok(built) => built,
        Err(errors) => {
            row.kept = vec![f64::NAN; plan.columns.len()];
            row.verdicts = vec![false; plan.judges.len()];
            row.error = errors.to_string();
            return Ok(row);
        }
    };
    let mut recorder = match record {
        None => None,
        Some(path) => {
            let options = RecordOptions::new().replace(true).scene(&scene, None)?;
            Some(Recorder::create(path, built.engine.world(), &options)?)
        }
    };
    let (mut tally, mut unrecorded) = (Tally::default(), None);
    let outcome = built.engine.run_watched(built.duration, |world, step, commands| {
        tally.observe(world, step);
        if let Some(recorder) = &mut recorder {
            unrecorded = recorder.observe(world, step, commands.iter()).err();
        }
        unrecorded.is_none()
    });
    if let Some(error) = unrecorded {
        return Err(error.into());
    }
    let error: Option<EngineError> = outcome.err();
    let world = built.engine.world();
    if let Some(recorder) = recorder {
        let how = if error.is_some() { "failed" } else { "done" };
        recorder.finish(world, how, error.as_ref().map(ToString::to_string), None)?;
    }
    let end = End { world, tally: &tally, error: error.as_ref() };
    row.kept = plan.columns.iter().map(|(_, quantity)| quantity.value(&end)).collect();
    row.verdicts = plan.judges.iter().map(|(_, verdict)| error.is_none() && verdict.holds(&end)).collect();
    row.state_hash = world.state_hash().to_string();
    row.error = error.map(|error| error.to_string()).unwrap_or_default();
    Ok(row)
}

//! Scripted commands.

use super::{Agent, AgentError, Command};
use crate::environment::World;

/// Plays a list of commands: those of the last entry whose time has come are given before every step.
#[derive(Clone, Debug)]
pub struct Scripted {
    entries: Vec<(f64, Vec<Command>)>,
}

impl Scripted {
    /// From times (s, ascending) and the commands that hold from then on; an entry without commands ends the last.
    ///
    /// # Errors
    /// If the times are not finite and ascending.
    pub fn new(entries: Vec<(f64, Vec<Command>)>) -> Result<Self, AgentError> {
        let ascending = entries.windows(2).all(|pair| pair[0].0 < pair[1].0);
        if !ascending || entries.iter().any(|(time, _)| !time.is_finite()) {
            let value = format!("{:?}", entries.iter().map(|(time, _)| *time).collect::<Vec<_>>());
            return Err(AgentError {
                agent: "scripted",
                field: "times",
                expected: "finite and ascending",
                value,
            });
        }
        Ok(Self { entries })
    }
}

impl Agent for Scripted {
    fn type_name(&self) -> &'static str {
        "scripted"
    }

    fn act(&mut self, world: &World, commands: &mut Vec<Command>) {
        let begun = self.entries.partition_point(|(time, _)| *time <= world.time());
        if let Some((_, current)) = begun.checked_sub(1).map(|last| &self.entries[last]) {
            commands.extend(current.iter().cloned());
        }
    }

    fn clone_box(&self) -> Box<dyn Agent> {
        Box::new(self.clone())
    }
}

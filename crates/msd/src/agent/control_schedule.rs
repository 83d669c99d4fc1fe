//! Controls of an actuator over time, given as points that are joined by straight lines.

use super::{Agent, AgentError, Command};
use crate::environment::World;
use crate::physics::constraints::ConstraintHandle;

const NAME: &str = "control-schedule";

/// Drives one actuator open loop.
#[derive(Clone, Debug)]
pub struct ControlSchedule {
    actuator: ConstraintHandle,
    times: Vec<f64>,
    controls: Vec<f64>,
    repeats: bool,
}

impl ControlSchedule {
    /// The control at each time (s); before the first and after the last it stays. In between it is interpolated linearly.
    ///
    /// # Errors
    /// If the lists are empty or not of one length, a number is not finite, or times do not rise.
    pub fn new(actuator: ConstraintHandle, times: Vec<f64>, controls: Vec<f64>) -> Result<Self, AgentError> {
        let refuse = |field, expected, value: String| Err(AgentError { agent: NAME, field, expected, value });
        if times.is_empty() || times.len() != controls.len() {
            let value = format!("{} times and {} controls", times.len(), controls.len());
            return refuse("times", "as many as controls, and at least one", value);
        }
        if let Some(bad) = times.iter().chain(&controls).find(|number| !number.is_finite()) {
            return refuse("times and controls", "finite", bad.to_string());
        }
        if let Some(pair) = times.windows(2).find(|pair| pair[0] >= pair[1]) {
            return refuse("times", "rising", format!("{} after {}", pair[1], pair[0]));
        }
        Ok(Self { actuator, times, controls, repeats: false })
    }

    /// From the last time on the schedule begins again at its first.
    #[must_use]
    pub fn repeated(mut self) -> Self {
        self.repeats = self.times.len() > 1;
        self
    }

    /// The control at a time, s.
    #[must_use]
    pub fn at(&self, time: f64) -> f64 {
        let (first, last) = (self.times[0], self.times[self.times.len() - 1]);
        let time = if self.repeats && time >= last {
            let span = last - first;
            let passed = (time - first) / span;
            first + (passed - passed.floor()) * span
        } else {
            time
        };
        let next = self.times.partition_point(|known| *known <= time);
        match (next.checked_sub(1), self.times.get(next)) {
            (None, _) => self.controls[0],
            (Some(before), None) => self.controls[before],
            (Some(before), Some(after)) => {
                let share = (time - self.times[before]) / (after - self.times[before]);
                self.controls[before] + share * (self.controls[next] - self.controls[before])
            }
        }
    }
}

impl Agent for ControlSchedule {
    fn type_name(&self) -> &'static str {
        NAME
    }

    fn act(&mut self, world: &World, commands: &mut Vec<Command>) {
        commands.push(Command::Control { actuator: self.actuator, control: self.at(world.time()) });
    }

    fn clone_box(&self) -> Box<dyn Agent> {
        Box::new(self.clone())
    }
}

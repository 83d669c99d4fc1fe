//! Agents: controllers that observe the world and return commands.
//!
//! Before each step (or at its own slower rate) an agent sees the world read-only and returns [`Command`]s;
//! between its calls its last commands are held. It never touches the world itself, so the order of agents
//! matters only where two command the same thing.

mod command;
mod constant_wrench;
mod control_schedule;
mod docking;
mod pd_attitude;
mod scripted;
mod velocity_command;

use std::any::Any;
use std::fmt::Debug;

use thiserror::Error;

use crate::environment::World;

pub use command::Command;
pub use constant_wrench::ConstantWrench;
pub use control_schedule::ControlSchedule;
pub use docking::{Approach, Docking, DockingControl, DockingPorts};
pub use pd_attitude::PdAttitude;
pub use scripted::Scripted;
pub use velocity_command::VelocityCommand;

/// A parameter of an agent out of its range.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("agent `{agent}`: {field} must be {expected}, got {value}")]
pub struct AgentError {
    /// Type name of the agent.
    pub agent: &'static str,
    /// Which parameter.
    pub field: &'static str,
    /// The accepted values.
    pub expected: &'static str,
    /// The value given.
    pub value: String,
}

/// A controller.
pub trait Agent: Any + Debug + Send + Sync {
    /// The name used in scenes, such as `pd-attitude`.
    fn type_name(&self) -> &'static str;

    /// Seconds between its calls, positive and finite; `None` for a call before every step. A step with an
    /// agent whose period is anything else is refused.
    fn period(&self) -> Option<f64> {
        None
    }

    /// Observes the world before a step and appends its commands.
    fn act(&mut self, world: &World, commands: &mut Vec<Command>);

    /// Called after [`Agent::act`]: why the agent could not act, if it could not. The step is then refused.
    fn failure(&mut self) -> Option<String> {
        None
    }

    /// A copy, for deep copies of an engine.
    fn clone_box(&self) -> Box<dyn Agent>;
}

/// An agent that is given away: itself, or boxed already. Lets [`Engine::add_agent`](crate::engine::Engine::add_agent) take an agent as it
/// is.
pub trait IntoAgent {
    /// Boxed, as engines keep it.
    fn into_agent(self) -> Box<dyn Agent>;
}

impl<A: Agent> IntoAgent for A {
    fn into_agent(self) -> Box<dyn Agent> {
        Box::new(self)
    }
}

impl IntoAgent for Box<dyn Agent> {
    fn into_agent(self) -> Box<dyn Agent> {
        self
    }
}

impl Clone for Box<dyn Agent> {
    fn clone(&self) -> Self {
        self.clone_box()
    }
}

/// A parameter that must be finite and at least zero.
fn at_least_zero(agent: &'static str, field: &'static str, value: f64) -> Result<f64, AgentError> {
    if value >= 0.0 && value.is_finite() {
        return Ok(value);
    }
    Err(AgentError { agent, field, expected: "finite and at least 0", value: value.to_string() })
}

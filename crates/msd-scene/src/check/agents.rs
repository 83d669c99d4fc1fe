//! Checks of one agent.

use super::bodies::orientation;
use super::{Context, fields};
use crate::error::Finding;
use crate::model::Agent;
use crate::source::Path;

pub(crate) fn agent(agent: &Agent, at: &Path, context: &Context, found: &mut Vec<Finding>) {
    let subject = format!("agent `{}`", agent.type_name());
    let body = match agent {
        Agent::ConstantWrench(wrench) => {
            fields::span(&subject, wrench.from, wrench.until, at, found);
            &wrench.body
        }
        Agent::PdAttitude(controller) => {
            orientation(&controller.target, &subject, &at.key("target"), found);
            &controller.body
        }
        Agent::VelocityCommand(command) => &command.body,
        Agent::Docking(guidance) => {
            orientation(&guidance.orientation, &subject, &at.key("orientation"), found);
            context.known_body(&subject, &guidance.target, None, &at.key("target"), found);
            &guidance.body
        }
        Agent::ControlSchedule(schedule) => {
            return context.known_actuator(&subject, &schedule.actuator, &at.key("actuator"), found);
        }
    };
    context.dynamic_body(&subject, body, &at.key("body"), found);
}

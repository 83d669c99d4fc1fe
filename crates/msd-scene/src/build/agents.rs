//! Agents of a scene as agents of the engine.

use std::collections::BTreeMap;

use msd::agent;
use msd::engine::Engine;
use msd::physics::constraints::ConstraintHandle;
use msd::physics::integration::LoadFrame;
use msd::physics::rigid_body::BodyHandle;

use super::quaternion;
use crate::error::Finding;
use crate::model::{
    Agent, ConstantWrench, ControlSchedule, Docking, PdAttitude, VelocityCommand, WrenchFrame,
};
use crate::source::Path;

pub(crate) fn add(
    given: &Agent,
    at: &Path,
    engine: &mut Engine,
    bodies: &BTreeMap<String, BodyHandle>,
) -> Result<(), Finding> {
    let made = match given {
        Agent::ConstantWrench(wrench) => constant_wrench(wrench, bodies[&wrench.body]),
        Agent::PdAttitude(controller) => pd_attitude(controller, bodies[&controller.body]),
        Agent::VelocityCommand(command) => velocity_command(command, bodies[&command.body]),
        Agent::Docking(guidance) => docking(guidance, [bodies[&guidance.body], bodies[&guidance.target]]),
        Agent::ControlSchedule(schedule) => match engine.world().find_actuator(&schedule.actuator) {
            Some(actuator) => control_schedule(schedule, actuator),
            None => {
                let problem = format!("there is no actuator named `{}`", schedule.actuator);
                return Err(Finding::at(at, problem, ""));
            }
        },
    };
    engine.add_agent(made.map_err(|refusal| Finding::at(at, refusal.to_string(), ""))?);
    Ok(())
}

type Made = Result<Box<dyn agent::Agent>, agent::AgentError>;

fn constant_wrench(given: &ConstantWrench, body: BodyHandle) -> Made {
    let wrench =
        agent::ConstantWrench::new(body, given.force.into(), given.torque.into(), frame(given.frame))?;
    Ok(Box::new(wrench.during(given.from, given.until)?))
}

fn pd_attitude(given: &PdAttitude, body: BodyHandle) -> Made {
    let mut controller =
        agent::PdAttitude::new(body, quaternion(&given.target), given.stiffness, given.damping)?
            .with_max_torque(given.max_torque)?;
    if let Some(period) = given.period {
        controller = controller.with_period(period)?;
    }
    Ok(Box::new(controller))
}

fn velocity_command(given: &VelocityCommand, body: BodyHandle) -> Made {
    let mut command =
        agent::VelocityCommand::new(body, frame(given.frame), given.gain, given.max_force, given.max_torque)?;
    command.set_target_velocity(given.velocity.into(), given.angular_velocity.into());
    Ok(Box::new(command))
}

fn docking(given: &Docking, bodies: [BodyHandle; 2]) -> Made {
    let ports = agent::DockingPorts {
        chaser: given.port.into(),
        target: given.target_port.into(),
        axis: given.axis.into(),
        orientation: quaternion(&given.orientation),
    };
    let approach = agent::Approach {
        max_speed: given.max_speed,
        contact_speed: given.contact_speed,
        rate: given.rate,
        corridor: given.corridor,
        standoff: given.standoff,
        capture_distance: given.capture_distance,
    };
    let control = agent::DockingControl {
        gain: given.gain,
        max_force: given.max_force,
        stiffness: given.stiffness,
        damping: given.damping,
        max_torque: given.max_torque,
    };
    let guidance = agent::Docking::new(bodies, ports, approach, control)?;
    Ok(Box::new(match given.period {
        Some(period) => guidance.with_period(period)?,
        None => guidance,
    }))
}

fn control_schedule(given: &ControlSchedule, actuator: ConstraintHandle) -> Made {
    let schedule = agent::ControlSchedule::new(actuator, given.times.clone(), given.controls.clone())?;
    Ok(Box::new(if given.repeat { schedule.repeated() } else { schedule }))
}

fn frame(given: WrenchFrame) -> LoadFrame {
    match given {
        WrenchFrame::World => LoadFrame::World,
        WrenchFrame::Body => LoadFrame::Body,
    }
}

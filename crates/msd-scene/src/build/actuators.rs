//! Actuators of a scene as actuators of the engine.

use msd::environment::World;
use msd::physics::constraints::{Actuator, ConstraintError};

use crate::error::Finding;
use crate::model::{self, ActuatorKind};
use crate::source::Path;

/// Adds an actuator, with its control at the start.
pub(crate) fn add(
    given: &model::Actuator,
    couplings: &[model::Coupling],
    at: &Path,
    world: &mut World,
) -> Result<(), Finding> {
    let refused = |problem: String| Finding::at(at, format!("actuator `{}`: {problem}", given.name), "");
    let made = make(given).map_err(|error| refused(error.to_string()))?;
    let handle = if let Some(name) = &given.coupling {
        let unknown = || refused(format!("there is no coupling named `{name}`"));
        let coupling = couplings.iter().find(|coupling| coupling.name == *name).ok_or_else(unknown)?;
        let terms = super::couplings::terms(coupling, world).map_err(refused)?;
        world.add_tendon_actuator(&given.name, &terms, made)
    } else {
        let unknown = || refused(format!("there is no joint named `{}`", given.joint));
        let joint = world.find_joint(&given.joint).ok_or_else(unknown)?;
        world.add_actuator(&given.name, joint, made)
    };
    let handle = handle.map_err(|error| refused(error.to_string()))?;
    if given.control != 0.0 {
        world.set_control(handle, given.control).map_err(|error| refused(error.to_string()))?;
    }
    Ok(())
}

fn make(given: &model::Actuator) -> Result<Actuator, ConstraintError> {
    let made = match given.kind {
        ActuatorKind::Motor => Actuator::motor(),
        ActuatorKind::Position => Actuator::position(given.kp.unwrap_or(1.0), given.kv.unwrap_or(0.0))?,
        ActuatorKind::Velocity => Actuator::velocity(given.kv.unwrap_or(1.0))?,
        ActuatorKind::General => {
            Actuator::general(given.gain.unwrap_or(1.0), given.bias.unwrap_or_default())?
        }
    };
    let made = made.with_gear(given.gear)?.with_filter(given.time_constant)?;
    let made = given.control_range.map_or(Ok(made), |range| made.with_control_range(range))?;
    given.force_range.map_or(Ok(made), |range| made.with_force_range(range))
}

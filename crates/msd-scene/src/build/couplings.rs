//! Couplings of a scene as couplings of the engine.

use msd::environment::{World, WorldError};
use msd::physics::constraints::{JointTerm, RowLaw};

use crate::error::Finding;
use crate::model;
use crate::source::Path;

/// Adds a coupling: one constraint for each thing that it does, named after it.
pub(crate) fn add(given: &model::Coupling, at: &Path, world: &mut World) -> Result<(), Finding> {
    let refused = |problem: String| Finding::at(at, format!("coupling `{}`: {problem}", given.name), "");
    let terms = terms(given, world).map_err(refused)?;
    make(given, &terms, world).map_err(|error| refused(error.to_string()))
}

/// The sum that it is about, or the joint that is missing.
pub(crate) fn terms(given: &model::Coupling, world: &World) -> Result<Vec<JointTerm>, String> {
    let joints = given.joints.iter().zip(given.coefficients());
    joints
        .map(|(name, coefficients)| {
            let joint = world.find_joint(name).ok_or_else(|| format!("there is no joint named `{name}`"))?;
            Ok(JointTerm { joint, coefficients })
        })
        .collect()
}

fn make(given: &model::Coupling, terms: &[JointTerm], world: &mut World) -> Result<(), WorldError> {
    // The sum times a sign, counted from an origin.
    let from = |sign: f64, origin: f64| {
        let mut terms: Vec<_> = terms.iter().map(|term| term.scaled(sign)).collect();
        terms[0].coefficients[0] -= sign * origin;
        terms
    };
    let name = &given.name;
    if let Some(value) = given.value {
        world.add_coupling(name, &from(1.0, value), RowLaw::Rigid)?;
    }
    if let Some([low, high]) = given.limits {
        world.add_coupling(&format!("{name} lower limit"), &from(1.0, low), RowLaw::Unilateral)?;
        world.add_coupling(&format!("{name} upper limit"), &from(-1.0, high), RowLaw::Unilateral)?;
    }
    if given.stiffness > 0.0 || given.damping > 0.0 {
        let law = RowLaw::Soft { stiffness: given.stiffness, damping: given.damping };
        world.add_coupling(&format!("{name} spring"), &from(1.0, given.rest), law)?;
    }
    if given.friction > 0.0 {
        let law = RowLaw::Motor { velocity: 0.0, max_force: given.friction };
        world.add_coupling(&format!("{name} friction"), terms, law)?;
    }
    Ok(())
}

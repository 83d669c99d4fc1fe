//! Bodies of a scene as bodies of the engine.

use std::collections::BTreeMap;

use msd::environment::BodyDescription;
use msd::math::{Mat3, Vec3};
use msd::physics::rigid_body::{CombineRule, Material, PropertyValue, SurfaceRules};

use super::{quaternion, shapes, visuals};
use crate::error::Finding;
use crate::files::FileAccess;
use crate::model::{self, Body, BodyKind};
use crate::source::Path;

/// The engine's description of a body. A missing material counts as the default one: it has been reported
/// already.
pub(crate) fn describe(
    body: &Body,
    at: &Path,
    materials: &BTreeMap<String, model::Material>,
    files: &FileAccess,
) -> Result<BodyDescription, Finding> {
    let (material, surface) = material(body, materials);
    let mut described = new(body, at, files)?
        .position(body.position.into())
        .orientation(quaternion(&body.orientation))
        .velocity(body.velocity.into())
        .angular_velocity(body.angular_velocity.into())
        .material(material)
        .surface(surface)
        .surface_velocity(body.surface_velocity.into())
        .damping(body.linear_damping, body.angular_damping);
    described = match (body.mass, body.density) {
        (Some(mass), _) => described.mass(mass),
        (None, Some(density)) => described.density(density),
        (None, None) => described,
    };
    if let Some(rows) = body.inertia {
        described = described.inertia(Mat3::from_cols_array_2d(&rows).transpose());
    }
    if let Some(center) = body.center_of_mass {
        described = described.center_of_mass(Vec3::from(center));
    }
    if let Some(direction) = body.one_way {
        described = described.one_way(direction.into());
    }
    if body.trigger {
        described = described.trigger();
    }
    let appearance = visuals::appearance(body, files).map_err(|(number, problem)| {
        let at = at.key("visual").index(number).key("shape");
        Finding::at(&at, format!("body `{}`: visual: {problem}", body.name), "")
    })?;
    described = described.appearance(appearance);
    for (name, value) in &body.properties {
        let value = match *value {
            model::PropertyValue::Scalar(number) => PropertyValue::Scalar(number),
            model::PropertyValue::Vector(vector) => PropertyValue::Vector(vector.into()),
        };
        described = described.property(name, value);
    }
    Ok(described)
}

/// A body with its shape, or a mass without one.
fn new(body: &Body, at: &Path, files: &FileAccess) -> Result<BodyDescription, Finding> {
    let Some(shape) = &body.shape else {
        // Mass and tensor are set below like those of any body.
        return Ok(BodyDescription::without_shape(&body.name, 1.0, Mat3::IDENTITY));
    };
    let shape = shapes::shape(shape, files)
        .map_err(|problem| Finding::at(&at.key("shape"), format!("body `{}`: {problem}", body.name), ""))?;
    let new = match body.kind {
        BodyKind::Dynamic => BodyDescription::dynamic,
        BodyKind::Static => BodyDescription::fixed,
        BodyKind::Kinematic => BodyDescription::kinematic,
        BodyKind::Graphical => BodyDescription::graphical,
    };
    Ok(new(&body.name, shape))
}

/// True if other bodies can touch it, or be inside it.
pub(super) fn meets_others(body: &Body) -> bool {
    body.collides && body.shape.is_some() && body.kind != BodyKind::Graphical
}

/// The material and which of its values the scene states.
fn material(body: &Body, materials: &BTreeMap<String, model::Material>) -> (Material, SurfaceRules) {
    let named = body.material.as_ref().and_then(|name| materials.get(name)).cloned().unwrap_or_default();
    let friction = body.friction.or(named.friction);
    let restitution = body.restitution.or(named.restitution);
    let default = Material::default();
    let material = Material {
        friction: friction.unwrap_or(default.friction),
        restitution: restitution.unwrap_or(default.restitution),
        rolling_friction: named.rolling_friction,
        torsional_friction: named.torsional_friction,
    };
    let surface = SurfaceRules {
        states_friction: friction.is_some(),
        states_restitution: restitution.is_some(),
        states_rolling: named.rolling_friction != 0.0 || named.torsional_friction != 0.0,
        friction_rule: rule(named.friction_rule),
        restitution_rule: rule(named.restitution_rule),
    };
    (material, surface)
}

fn rule(given: model::Combine) -> CombineRule {
    match given {
        model::Combine::GeometricMean => CombineRule::GeometricMean,
        model::Combine::Mean => CombineRule::Mean,
        model::Combine::Min => CombineRule::Min,
        model::Combine::Product => CombineRule::Product,
        model::Combine::Max => CombineRule::Max,
        model::Combine::Own => CombineRule::Own,
    }
}

//! From a scene to a world that can run.

mod actuators;
mod agents;
mod bodies;
mod collision_groups;
mod couplings;
mod fields;
mod joints;
mod keyframes;
mod shapes;
mod visuals;

use std::collections::BTreeMap;

use msd::engine::Engine;
use msd::environment::{ContactSettings, ContactTier, SleepSettings, World};
use msd::math::{Quat, Vec3, orientation};
use msd::physics::integration;
use msd::physics::rigid_body::BodyHandle;
use msd::threads::Threads;

use crate::check;
use crate::error::{Finding, SceneErrors};
use crate::model::{Body, Keyframe, Orientation, Scene, SolverName};
use crate::source::Path;

pub(crate) use actuators::add as add_actuator;
pub(crate) use agents::add as add_agent;
pub(crate) use bodies::describe as describe_body;
use collision_groups::CollisionGroups;
pub(crate) use fields::add as add_field;
pub(crate) use joints::add as add_joint;
pub use shapes::geometry_from_file;
pub(crate) use shapes::shape as engine_shape;
pub use visuals::engine_visuals;

/// A scene ready to run.
#[derive(Clone, Debug)]
pub struct Built {
    /// World and agents at t = 0.
    pub engine: Engine,
    /// Names and handles of all bodies, in the order of the scene.
    pub bodies: Vec<(String, BodyHandle)>,
    /// Contact solver.
    pub solver: SolverName,
    /// Threads to use, from 1 to 1024; results never depend on it.
    pub threads: usize,
    /// Time to simulate, s.
    pub duration: f64,
    /// Name of the scene.
    pub name: String,
    /// States to go to, by name.
    keyframes: BTreeMap<String, Keyframe>,
}

impl Scene {
    /// Makes the world that the scene describes.
    ///
    /// # Errors
    /// Every problem that is found; a scene that was loaded from a file has been through this already.
    pub fn build(&self) -> Result<Built, SceneErrors> {
        if !self.import.is_empty() {
            return self.with_imports()?.build();
        }
        let found = check::scene(self);
        let built = if found.is_empty() { self.assemble() } else { Err(found) };
        built.map_err(|found| SceneErrors::without_text(&self.name, found))
    }

    /// Makes the world of a scene that has been checked.
    pub(crate) fn assemble(&self) -> Result<Built, Vec<Finding>> {
        let root = Path::root();
        let mut world = self.empty_world().map_err(|finding| vec![finding])?;
        let groups = CollisionGroups::of(self).map_err(|finding| vec![finding])?;
        let mut handles = BTreeMap::new();
        let mut bodies = Vec::new();
        let mut found = Vec::new();
        for (i, body) in self.body.iter().enumerate() {
            let at = root.key("body").index(i);
            let added = bodies::describe(body, &at, &self.material, &self.files).and_then(|described| {
                world
                    .add_body(described.collision(groups.of_body(body)))
                    .map_err(|e| Finding::at(&at, e.to_string(), ""))
            });
            match added {
                Ok(handle) => {
                    handles.insert(body.name.clone(), handle);
                    bodies.push((body.name.clone(), handle));
                }
                Err(finding) => found.push(finding),
            }
        }
        if !found.is_empty() {
            return Err(found);
        }
        let mut collect = |result: Result<(), Finding>| result.unwrap_or_else(|finding| found.push(finding));
        for (i, field) in self.field.iter().enumerate() {
            collect(fields::add(field, &root.key("field").index(i), &mut world, &handles).map(drop));
        }
        for (a, b) in self.ignored_pairs(&handles) {
            collect(world.set_collision(a, b, false).map_err(|e| Finding::at(&root, e.to_string(), "")));
        }
        found.extend(joints::add_all(&self.joint, &root.key("joint"), &mut world, &handles));
        let mut collect = |result: Result<(), Finding>| result.unwrap_or_else(|finding| found.push(finding));
        for (i, coupling) in self.coupling.iter().enumerate() {
            collect(couplings::add(coupling, &root.key("coupling").index(i), &mut world));
        }
        for (i, actuator) in self.actuator.iter().enumerate() {
            collect(actuators::add(actuator, &self.coupling, &root.key("actuator").index(i), &mut world));
        }
        if found.is_empty() {
            self.start(&mut world).unwrap_or_else(|finding| found.push(finding));
        }
        let mut collect = |result: Result<(), Finding>| result.unwrap_or_else(|finding| found.push(finding));
        let mut engine = Engine::new(world);
        for (i, agent) in self.agent.iter().enumerate() {
            collect(agents::add(agent, &root.key("agent").index(i), &mut engine, &handles));
        }
        if found.is_empty() {
            Ok(Built {
                engine,
                bodies,
                solver: self.world.solver,
                threads: self.world.threads as usize,
                duration: self.world.duration,
                name: self.name.clone(),
                keyframes: self.keyframe.clone(),
            })
        } else {
            Err(found)
        }
    }

    /// Bodies that say they pass through each other.
    fn ignored_pairs(&self, handles: &BTreeMap<String, BodyHandle>) -> Vec<(BodyHandle, BodyHandle)> {
        let pair = |a: &str, b: &str| {
            let (a, b) = (*handles.get(a)?, *handles.get(b)?);
            Some((a.min(b), a.max(b)))
        };
        let pairs = self
            .body
            .iter()
            .flat_map(|body| body.ignores.iter().filter_map(move |other| pair(&body.name, other)));
        pairs.collect()
    }

    fn empty_world(&self) -> Result<World, Finding> {
        let at = Path::root().key("world");
        let refused = |key: &str, problem: String| Finding::at(&at.key(key), format!("world: {problem}"), "");
        let mut world = World::new();
        world.set_gravity(self.world.gravity.into()).map_err(|e| refused("gravity", e.to_string()))?;
        world.set_dt(self.world.dt).map_err(|e| refused("dt", e.to_string()))?;
        let integrator = integration::by_name(self.world.integrator.as_str(), self.world.tolerance)
            .map_err(|e| refused("integrator", e.to_string()))?;
        world.set_integrator(integrator);
        let threads =
            Threads::new(self.world.threads as usize).map_err(|e| refused("threads", e.to_string()))?;
        world.set_threads(threads);
        let tier = match self.world.solver {
            SolverName::Exact => ContactTier::Exact,
            SolverName::Fast => ContactTier::Fast,
            SolverName::Auto => ContactTier::Auto,
        };
        let settings = ContactSettings::with_tier(tier);
        world.set_contact_settings(settings).map_err(|e| refused("solver", e.to_string()))?;
        let sleep = self.world.sleep.then(|| SleepSettings::for_tier(tier));
        world.set_sleeping(sleep).map_err(|e| refused("sleep", e.to_string()))?;
        Ok(world)
    }
}

/// Adds a body of a scene to the world of that scene.
pub(crate) fn add_body(
    scene: &Scene,
    body: &Body,
    at: &Path,
    world: &mut World,
) -> Result<BodyHandle, Finding> {
    let refused = |problem: String| Finding::at(at, problem, "");
    let groups = CollisionGroups::of(scene)?.of_body(body);
    let described = bodies::describe(body, at, &scene.material, &scene.files)?.collision(groups);
    let handle = world.add_body(described).map_err(|error| refused(error.to_string()))?;
    for other in body.ignores.iter().filter_map(|name| world.find(name)).collect::<Vec<_>>() {
        world.set_collision(handle, other, false).map_err(|error| refused(error.to_string()))?;
    }
    Ok(handle)
}

/// The quaternion of an orientation that has been checked.
pub(crate) fn quaternion(given: &Orientation) -> Quat {
    match given {
        Orientation::AxisAngle(turn) => {
            let axis = Vec3::from(turn.axis).normalize_or_zero();
            orientation::from_rotation_vector(axis * turn.angle_deg.to_radians())
        }
        Orientation::Quaternion(q) => orientation::from_wxyz([q.w, q.x, q.y, q.z]),
        Orientation::Angles(angles) => {
            let turn =
                |degrees: f64, about: Vec3| orientation::from_rotation_vector(about * degrees.to_radians());
            turn(angles.yaw_deg, Vec3::Z) * turn(angles.pitch_deg, Vec3::Y) * turn(angles.roll_deg, Vec3::X)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{AxisAngle, YawPitchRoll};

    #[test]
    fn yaw_turns_x_to_y_and_pitch_turns_x_down() {
        let yaw = Orientation::Angles(YawPitchRoll { yaw_deg: 90.0, ..Default::default() });
        assert!((quaternion(&yaw) * Vec3::X).abs_diff_eq(Vec3::Y, 1e-15));
        let pitch = Orientation::Angles(YawPitchRoll { pitch_deg: 90.0, ..Default::default() });
        assert!((quaternion(&pitch) * Vec3::X).abs_diff_eq(-Vec3::Z, 1e-15));
        // Yaw first, then pitch about the turned y: x goes to y by the yaw and then down.
        let both = Orientation::Angles(YawPitchRoll { yaw_deg: 90.0, pitch_deg: 90.0, roll_deg: 0.0 });
        assert!((quaternion(&both) * Vec3::X).abs_diff_eq(-Vec3::Z, 1e-15));
        assert!((quaternion(&both) * Vec3::Y).abs_diff_eq(-Vec3::X, 1e-15));
    }

    #[test]
    fn an_axis_may_have_any_length() {
        let turn = Orientation::AxisAngle(AxisAngle { axis: [0.0, 0.0, 7.0], angle_deg: 90.0 });
        assert!((quaternion(&turn) * Vec3::X).abs_diff_eq(Vec3::Y, 1e-15));
    }
}

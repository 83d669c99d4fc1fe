//! Keyframes of a scene: coordinates of its articulation, set by name.

use msd::environment::World;
use msd::math::{Vec3, orientation};
use msd::physics::articulation::Mobility;
use msd::physics::rigid_body::InertialState;

use super::{Built, quaternion};
use crate::error::Finding;
use crate::grammar::near_name;
use crate::model::{Keyframe, Scene};
use crate::source::Path;

impl Built {
    /// Names of the keyframes.
    pub fn keyframes(&self) -> impl Iterator<Item = &str> {
        self.keyframes.keys().map(String::as_str)
    }

    /// Brings the world to a keyframe: joints, free bodies and controls; time and everything else stay as they are.
    ///
    /// # Errors
    /// If there is no such keyframe, or it does not fit the world.
    pub fn set_keyframe(&mut self, name: &str) -> Result<(), String> {
        let keyframe = self.keyframes.get(name).ok_or_else(|| unknown(name, self.keyframes()))?;
        set(keyframe, &Path::root(), self.engine.world_mut()).map_err(|finding| finding.message)
    }

    /// Back to the start of the scene, then to a keyframe.
    ///
    /// # Errors
    /// As [`Built::set_keyframe`].
    pub fn reset_to_keyframe(&mut self, name: &str) -> Result<(), String> {
        self.engine.world_mut().reset();
        self.set_keyframe(name)
    }
}

impl Scene {
    /// Brings a world that was made from this scene to one of its keyframes, as [`Built::set_keyframe`] does.
    ///
    /// # Errors
    /// If there is no such keyframe, or it does not fit the world.
    pub fn set_keyframe(&self, name: &str, world: &mut World) -> Result<(), String> {
        let names = self.keyframe.keys().map(String::as_str);
        let keyframe = self.keyframe.get(name).ok_or_else(|| unknown(name, names))?;
        set(keyframe, &Path::root(), world).map_err(|finding| finding.message)
    }

    /// Brings a world to the keyframe that the scene starts from, if it names one.
    pub(super) fn start(&self, world: &mut World) -> Result<(), Finding> {
        let Some(name) = &self.world.keyframe else { return Ok(()) };
        let at = Path::root().key("world").key("keyframe");
        let keyframe = self.keyframe.get(name);
        let names = self.keyframe.keys().map(String::as_str);
        let keyframe =
            keyframe.ok_or_else(|| Finding::at(&at, format!("world: {}", unknown(name, names)), ""))?;
        set(keyframe, &Path::root().key("keyframe").key(name), world)
    }
}

fn unknown<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<&str> = names.collect();
    match near_name(name, names.iter().copied()) {
        Some(near) => format!("there is no keyframe named `{name}`; did you mean `{near}`?"),
        None if names.is_empty() => format!("there is no keyframe named `{name}`: the scene has none"),
        None => format!("there is no keyframe named `{name}`; the scene has {}", names.join(", ")),
    }
}

fn set(keyframe: &Keyframe, at: &Path, world: &mut World) -> Result<(), Finding> {
    let tree = world.articulation();
    let (mut q, mut v) = (world.q(&tree), vec![0.0; tree.velocities()]);
    let find = |what: &str, name: &str, key: &str, fits: &dyn Fn(Mobility) -> bool| {
        let link = tree.links().iter().find(|link| fits(link.mobility) && link.joint_name == name);
        link.ok_or_else(|| {
            Finding::at(&at.key(key).key(name), format!("keyframe: there is no {what} named `{name}`"), "")
        })
    };
    let coordinate = |name: &str, key: &str| {
        tree.coordinate(name).ok_or_else(|| {
            let message = format!("keyframe: there is no hinge or slider named `{name}`");
            Finding::at(&at.key(key).key(name), message, "")
        })
    };
    for (name, position) in &keyframe.joint {
        q[coordinate(name, "joint")?.0] = *position;
    }
    for (name, velocity) in &keyframe.joint_velocity {
        v[coordinate(name, "joint_velocity")?.1] = *velocity;
    }
    for (name, pose) in &keyframe.body {
        let link = find("free body", name, "body", &|mobility| mobility == Mobility::Free)?;
        let turn = quaternion(&pose.orientation);
        q[link.first_position..link.first_position + 3].copy_from_slice(&pose.position);
        q[link.first_position + 3..link.first_position + 7].copy_from_slice(&orientation::to_wxyz(turn));
        let spin = turn.conjugate() * Vec3::from(pose.angular_velocity);
        v[link.first_velocity..link.first_velocity + 3].copy_from_slice(&pose.velocity);
        v[link.first_velocity + 3..link.first_velocity + 6].copy_from_slice(&spin.to_array());
    }
    let refused = |problem: String| Finding::at(at, format!("keyframe: {problem}"), "");
    world.set_qv(&tree, &q, &v).map_err(|error| refused(error.to_string()))?;
    for (name, given) in &keyframe.state {
        let unknown = || {
            let message = format!("keyframe: there is no body named `{name}`");
            Finding::at(&at.key("state").key(name), message, "")
        };
        let body = world.find(name).ok_or_else(unknown)?;
        let q = &given.orientation;
        let state = InertialState {
            center_of_mass: given.center_of_mass.into(),
            orientation: orientation::from_wxyz([q.w, q.x, q.y, q.z]),
            velocity: given.velocity.into(),
            angular_velocity: given.angular_velocity.into(),
        };
        world.set_body_state(body, state).map_err(|error| refused(error.to_string()))?;
    }
    for (name, control) in &keyframe.control {
        let unknown = || {
            let message = format!("keyframe: there is no actuator named `{name}`");
            Finding::at(&at.key("control").key(name), message, "")
        };
        let actuator = world.find_actuator(name).ok_or_else(unknown)?;
        world.set_control(actuator, *control).map_err(|error| refused(error.to_string()))?;
    }
    Ok(())
}

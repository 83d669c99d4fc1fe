//! The hand of a page: it pulls at a body with a spring between a point of it and where the mouse is, and sets drives.
//!
//! `F = m (ω² (target - p) - 2 ω v)` at the point p with velocity v, critically damped for a point mass, limited to
//! [`MAX_ACCELERATION`]. An agent's commands are recorded, so that a replay of the recording has the same force.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use msd::agent::{Agent, Command};
use msd::environment::World;
use msd::math::{Coordinate, Vec3};
use msd::physics::rigid_body::BodyHandle;

use crate::drives::{self, DriveHandle, SharedDrives};

/// rad/s.
const SPRING_RATE: f64 = 8.0;
/// The force is at most this times the body's mass, m/s².
const MAX_ACCELERATION: f64 = 200.0;

/// Body, point and target of the drag.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Drag {
    pub(crate) body: BodyHandle,
    /// Body frame, m.
    pub(crate) point: Coordinate,
    /// World, m.
    pub(crate) target: Coordinate,
}

pub(crate) type SharedDrag = Arc<Mutex<Option<Drag>>>;

/// The agent that pulls while a page drags a body, sets the drives that it moves, and does nothing otherwise.
#[derive(Clone, Debug, Default)]
pub struct HandAgent {
    pub(crate) drag: SharedDrag,
    pub(crate) drives: SharedDrives,
    /// Motor velocities commanded so far.
    pub(crate) sent: BTreeMap<DriveHandle, f64>,
}

impl HandAgent {
    /// The force in body axes, N; `None` for a body that cannot be moved.
    fn force(drag: &Drag, world: &World) -> Option<Vec3> {
        let view = world.body(drag.body).ok()?;
        if !view.inertia.is_movable() {
            return None;
        }
        let frame = view.body.frame(view.state);
        let point = frame.point_to_parent(drag.point);
        // A stiffer spring than the step resolves would add energy.
        let rate = SPRING_RATE.min(0.5 / world.dt());
        let wanted = (drag.target - point) * (rate * rate) - view.state.velocity_at(point) * (2.0 * rate);
        // Gravity and other fields must not make the body lag behind.
        let acceleration = wanted.clamp_length_max(MAX_ACCELERATION);
        Some(frame.orientation.inverse() * (acceleration * view.mass()))
    }
}

impl Agent for HandAgent {
    fn type_name(&self) -> &'static str {
        "hand"
    }

    fn act(&mut self, world: &World, commands: &mut Vec<Command>) {
        {
            let drives = self.drives.lock().unwrap_or_else(PoisonError::into_inner);
            drives::command(&drives, &mut self.sent, world, commands);
        }
        let Some(drag) = *self.drag.lock().unwrap_or_else(PoisonError::into_inner) else { return };
        if let Some(force_body) = Self::force(&drag, world).filter(|force| force.is_finite()) {
            commands.push(Command::ForceAt { body: drag.body, force_body, point_local: drag.point });
        }
    }

    fn clone_box(&self) -> Box<dyn Agent> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use msd::engine::Engine;
    use msd::environment::BodyDescription;
    use msd::physics::rigid_body::shape::{Shape, Sphere};

    use super::*;

    #[test]
    fn a_dragged_ball_comes_to_the_mouse_and_stays() {
        let mut world = World::new();
        world.set_gravity(Vec3::ZERO).unwrap();
        let ball = Shape::Sphere(Sphere::new(0.1).unwrap());
        let body = world.add_body(BodyDescription::dynamic("ball", ball).mass(2.0)).unwrap();
        let agent = HandAgent::default();
        let target = Vec3::new(0.3, 0.0, 1.0);
        *agent.drag.lock().unwrap() = Some(Drag { body, point: Vec3::ZERO, target });
        let mut engine = Engine::new(world);
        engine.add_agent(agent);
        engine.run(3.0, |_, _| true).unwrap();
        let state = engine.world().body(body).unwrap().state;
        assert!(state.center_of_mass.distance(target) < 1e-6, "{:?}", state.center_of_mass);
        let ledger = engine.world().energy();
        assert!(ledger.error().abs() < 1e-9, "its work is booked: {:e} J", ledger.error());
    }

    #[test]
    fn the_force_is_limited_and_what_is_fixed_is_left_alone() {
        let mut world = World::new();
        let shape = || Shape::Sphere(Sphere::new(0.1).unwrap());
        let free = world.add_body(BodyDescription::dynamic("free", shape()).mass(2.0)).unwrap();
        let fixed = world.add_body(BodyDescription::fixed("fixed", shape()).position(Vec3::X)).unwrap();
        let far = |body| Drag { body, point: Vec3::ZERO, target: Vec3::splat(1e9) };
        let force = HandAgent::force(&far(free), &world).unwrap();
        assert!((force.length() - 400.0).abs() < 1e-9);
        assert_eq!(HandAgent::force(&far(fixed), &world), None);
    }
}

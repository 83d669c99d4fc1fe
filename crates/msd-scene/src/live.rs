//! Parts of a scene added to an engine that exists already: bodies, joints, fields and agents in the words of scene files, for
//! programs that build their world step by step.
//!
//! The scene and the engine must belong together: the engine was built from the scene, or both were empty. Poses, anchors and axes
//! are in world coordinates at the time of the call.

use std::collections::BTreeMap;

use msd::engine::Engine;
use msd::environment::{FieldHandle, World};
use msd::physics::constraints::ConstraintHandle;
use msd::physics::rigid_body::BodyHandle;

use crate::build;
use crate::check::{self, Context};
use crate::error::{Finding, SceneErrors};
use crate::model::{Actuator, Agent, Body, Field, Joint, Scene};
use crate::source::Path;

impl Scene {
    /// Adds a body to the scene and to its engine.
    ///
    /// # Errors
    /// Every problem of the body; scene and engine are then as they were.
    pub fn add_body(&mut self, engine: &mut Engine, body: Body) -> Result<BodyHandle, SceneErrors> {
        let at = Path::root().key("body").index(self.body.len());
        let mut found = Vec::new();
        self.body.push(body);
        let body = &self.body[self.body.len() - 1];
        check::body(body, &at, &Context::of(self), &mut found);
        let added = if found.is_empty() {
            build::add_body(self, body, &at, engine.world_mut()).map_err(|finding| vec![finding])
        } else {
            Err(found)
        };
        added.map_err(|found| {
            self.body.pop();
            SceneErrors::without_text(&self.name, found)
        })
    }

    /// Adds a joint to the scene and to its engine, with the spring about or along its axis, if it has one.
    ///
    /// # Errors
    /// Every problem of the joint; scene and engine are then as they were.
    pub fn add_joint(&mut self, engine: &mut Engine, joint: Joint) -> Result<ConstraintHandle, SceneErrors> {
        let at = Path::root().key("joint").index(self.joint.len());
        self.checked(|context, found| check::joint(&joint, &at, context, found))?;
        if joint.as_axis().is_some_and(|(axis, _)| axis.after.is_some()) {
            let message = format!("joint `{}`: a sequence is made with its scene", joint.name());
            return Err(self.refused(Finding::at(&at.key("after"), message, "expected no `after`")));
        }
        let world = engine.world_mut();
        build::add_joint(&joint, &at, world, &names(world)).map_err(|found| self.refused(found))?;
        let handle = world.find_joint(joint.name());
        self.joint.push(joint);
        handle.ok_or_else(|| self.refused(Finding::at(&at, "the joint was not added", "")))
    }

    /// Adds an actuator to the scene and to its engine.
    ///
    /// # Errors
    /// Every problem of the actuator; scene and engine are then as they were.
    pub fn add_actuator(
        &mut self,
        engine: &mut Engine,
        actuator: Actuator,
    ) -> Result<ConstraintHandle, SceneErrors> {
        let at = Path::root().key("actuator").index(self.actuator.len());
        self.checked(|context, found| check::actuator(&actuator, &at, context, found))?;
        let world = engine.world_mut();
        build::add_actuator(&actuator, &self.coupling, &at, world).map_err(|found| self.refused(found))?;
        let handle = world.find_actuator(&actuator.name);
        self.actuator.push(actuator);
        handle.ok_or_else(|| self.refused(Finding::at(&at, "the actuator was not added", "")))
    }

    /// Adds a field to the scene and to its engine; a field of a scene may be several of the engine.
    ///
    /// # Errors
    /// Every problem of the field; scene and engine are then as they were.
    pub fn add_field(&mut self, engine: &mut Engine, field: Field) -> Result<Vec<FieldHandle>, SceneErrors> {
        let at = Path::root().key("field").index(self.field.len());
        self.checked(|context, found| check::field(&field, &at, context, found))?;
        let world = engine.world_mut();
        let added =
            build::add_field(&field, &at, world, &names(world)).map_err(|found| self.refused(found))?;
        self.field.push(field);
        Ok(added)
    }

    /// Adds an agent to the scene and to its engine.
    ///
    /// # Errors
    /// Every problem of the agent; scene and engine are then as they were.
    pub fn add_agent(&mut self, engine: &mut Engine, agent: Agent) -> Result<(), SceneErrors> {
        let at = Path::root().key("agent").index(self.agent.len());
        self.checked(|context, found| check::agent(&agent, &at, context, found))?;
        let names = names(engine.world());
        build::add_agent(&agent, &at, engine, &names).map_err(|found| self.refused(found))?;
        self.agent.push(agent);
        Ok(())
    }

    fn checked(&self, check: impl FnOnce(&Context, &mut Vec<Finding>)) -> Result<(), SceneErrors> {
        let mut found = Vec::new();
        check(&Context::of(self), &mut found);
        if found.is_empty() { Ok(()) } else { Err(SceneErrors::without_text(&self.name, found)) }
    }

    fn refused(&self, finding: Finding) -> SceneErrors {
        SceneErrors::without_text(&self.name, vec![finding])
    }
}

fn names(world: &World) -> BTreeMap<String, BodyHandle> {
    let name = |handle| Some((world.body(handle).ok()?.body.name.clone(), handle));
    world.handles().filter_map(name).collect()
}

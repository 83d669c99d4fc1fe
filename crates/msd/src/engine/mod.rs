//! The engine: a world with its agents, assets and recorder.

mod step_recorder;

use std::any::Any;
use std::cell::RefCell;
use std::sync::Arc;

use thiserror::Error;

use crate::agent::{Agent, Command, IntoAgent};
use crate::environment::{BodyDescription, RunReport, State, StepReport, World, WorldError};
use crate::math::ReferenceFrame;
use crate::physics::rigid_body::BodyHandle;
use crate::tolerance;
use step_recorder::RecorderSlot;
pub use step_recorder::StepRecorder;

/// Source of bodies by name. The asset registry implements it; a test or a program may provide its own.
pub trait AssetSource: std::fmt::Debug + Send + Sync {
    /// A description of the asset's body named `body`, at the origin and at rest; `None` if there is no such asset.
    ///
    /// # Errors
    /// A text that says why an asset that is there cannot be used.
    fn describe(&self, asset: &str, body: &str) -> Result<Option<BodyDescription>, String>;
}

/// Errors of the engine.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum EngineError {
    /// The world refused it.
    #[error(transparent)]
    World(#[from] WorldError),
    /// No asset of that name.
    #[error("there is no asset named `{0}`")]
    UnknownAsset(String),
    /// The asset is there but cannot be used.
    #[error("asset `{asset}`: {reason}")]
    Asset {
        /// Name of the asset.
        asset: String,
        /// Why.
        reason: String,
    },
    /// The engine has no asset source.
    #[error(
        "asset `{0}` was requested, but the engine has no asset source; give it one with `Engine::with_assets`"
    )]
    NoAssets(String),
    /// The recorder failed.
    #[error("recording at t = {time} s: {reason}")]
    Recording {
        /// Time of the world, s.
        time: f64,
        /// Why.
        reason: String,
    },
    /// An agent that is not there.
    #[error("there is no agent {0}")]
    UnknownAgent(String),
    /// The name of an agent is in use.
    #[error("there is already an agent named `{0}`: remove or replace it, or choose another name")]
    DuplicateAgent(String),
    /// A request to go back in time.
    #[error("cannot update to t = {wanted} s: the world is at t = {now} s already")]
    Past {
        /// Requested time, s.
        wanted: f64,
        /// Time of the world, s.
        now: f64,
    },
}

/// Identifies an agent of an engine for as long as it is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AgentHandle(u64);

/// An agent by its handle or by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AgentKey<'a> {
    /// By handle.
    Handle(AgentHandle),
    /// By name.
    Name(&'a str),
}

impl From<AgentHandle> for AgentKey<'_> {
    fn from(handle: AgentHandle) -> Self {
        Self::Handle(handle)
    }
}

impl<'a> From<&'a str> for AgentKey<'a> {
    fn from(name: &'a str) -> Self {
        Self::Name(name)
    }
}

/// An agent with its last commands and its number of calls.
#[derive(Clone, Debug)]
struct AgentSlot {
    handle: AgentHandle,
    name: String,
    agent: Box<dyn Agent>,
    held: Vec<Command>,
    calls: u64,
}

impl AgentSlot {
    /// Calls the agent if it is due, and returns the commands that hold now.
    fn commands(&mut self, world: &World) -> Result<&[Command], WorldError> {
        let period = self.agent.period();
        if let Some(seconds) = period.filter(|seconds| !(*seconds > 0.0 && seconds.is_finite())) {
            return Err(WorldError::Invalid {
                subject: format!("agent `{}`", self.agent.type_name()),
                field: "period",
                expected: "positive and finite",
                value: format!("{seconds:?} s"),
            });
        }
        let due = match period {
            // Its n-th call is due at n periods; a call is never early, and round-off of the time must not
            // delay it by a whole step.
            Some(period) => world.time() >= (self.calls as f64 - tolerance::AGENT_TURN) * period,
            None => true,
        };
        if due {
            self.calls = match period {
                Some(period) => (world.time() / period + tolerance::AGENT_TURN).floor() as u64 + 1,
                None => self.calls + 1,
            };
            self.held.clear();
            self.agent.act(world, &mut self.held);
            if let Some(reason) = self.agent.failure() {
                let (agent, time) = (self.agent.type_name(), world.time());
                return Err(WorldError::Agent { agent, time, reason });
            }
        }
        Ok(&self.held)
    }
}

/// The moving state of an engine at one instant: that of its world, and its agents.
#[derive(Clone, Debug)]
pub struct EngineState {
    world: State,
    agents: Vec<AgentSlot>,
}

impl EngineState {
    /// The state of the world.
    #[must_use]
    pub fn world(&self) -> &State {
        &self.world
    }
}

/// Commands of all agents for a step, in the order of application.
#[derive(Clone, Copy, Debug)]
pub struct Commands<'a>(&'a [AgentSlot]);

impl<'a> Commands<'a> {
    /// One by one.
    pub fn iter(&self) -> impl Iterator<Item = &'a Command> + Clone + use<'a> {
        self.0.iter().flat_map(|seat| &seat.held)
    }
}

/// World, agents, assets and recorder in one object. `clone` is a deep copy, which is not recorded.
#[derive(Clone, Debug, Default)]
pub struct Engine {
    world: World,
    agents: Vec<AgentSlot>,
    next_agent: u64,
    assets: Option<Arc<dyn AssetSource>>,
    recorder: RecorderSlot,
}

impl Engine {
    /// An engine around a world, without agents or assets.
    #[must_use]
    pub fn new(world: World) -> Self {
        Self { world, ..Self::default() }
    }

    /// The same with an asset source.
    #[must_use]
    pub fn with_assets(mut self, assets: Arc<dyn AssetSource>) -> Self {
        self.assets = Some(assets);
        self
    }

    /// The world.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The world, mutable.
    pub fn world_mut(&mut self) -> &mut World {
        &mut self.world
    }

    /// Adds an agent under a name of its type and a number, such as `pd-attitude 1`; agents act in the order they were added.
    pub fn add_agent(&mut self, agent: impl IntoAgent) -> AgentHandle {
        let agent = agent.into_agent();
        let numbers = 1..;
        let name = numbers
            .map(|number: u64| format!("{} {number}", agent.type_name()))
            .find(|name| self.find_agent(name).is_none())
            .unwrap_or_default();
        self.push_agent(name, agent)
    }

    /// Adds an agent under a name.
    ///
    /// ```
    /// # use msd::prelude::*;
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut world = World::new();
    /// let craft = world.add_body(BodyDescription::dynamic("craft", Sphere::new(1.0)?).mass(10.0))?;
    /// let mut engine = Engine::new(world);
    /// engine.add_named_agent("attitude", PdAttitude::new(craft, Quat::IDENTITY, 20.0, 40.0)?)?;
    /// engine.update(1.0)?;
    /// let attitude = engine.agent_mut::<PdAttitude>("attitude").expect("added above");
    /// attitude.set_target(Quat::from_rotation_z(0.5));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// If the name is in use.
    pub fn add_named_agent(&mut self, name: &str, agent: impl IntoAgent) -> Result<AgentHandle, EngineError> {
        if self.find_agent(name).is_some() {
            return Err(EngineError::DuplicateAgent(name.to_owned()));
        }
        Ok(self.push_agent(name.to_owned(), agent.into_agent()))
    }

    fn push_agent(&mut self, name: String, agent: Box<dyn Agent>) -> AgentHandle {
        let handle = AgentHandle(self.next_agent);
        self.next_agent += 1;
        self.agents.push(AgentSlot { handle, name, agent, held: Vec::new(), calls: 0 });
        handle
    }

    /// Replaces an agent by another, of any type, which keeps its name, its handle and its turn. Commands that the old one gave no longer
    /// hold. Returns the old one.
    ///
    /// # Errors
    /// If there is no such agent.
    pub fn replace_agent<'a>(
        &mut self,
        agent: impl Into<AgentKey<'a>>,
        by: impl IntoAgent,
    ) -> Result<Box<dyn Agent>, EngineError> {
        let slot = self.agent_index(agent.into())?;
        let slot = &mut self.agents[slot];
        slot.held.clear();
        slot.calls = 0;
        Ok(std::mem::replace(&mut slot.agent, by.into_agent()))
    }

    /// Removes an agent with its commands, and returns it.
    ///
    /// # Errors
    /// If there is no such agent.
    pub fn remove_agent<'a>(
        &mut self,
        agent: impl Into<AgentKey<'a>>,
    ) -> Result<Box<dyn Agent>, EngineError> {
        let slot = self.agent_index(agent.into())?;
        Ok(self.agents.remove(slot).agent)
    }

    /// The agent of that name.
    #[must_use]
    pub fn find_agent(&self, name: &str) -> Option<AgentHandle> {
        self.agents.iter().find(|slot| slot.name == name).map(|slot| slot.handle)
    }

    /// All agents with their names, in the order in which they act.
    pub fn agents(&self) -> impl Iterator<Item = (AgentHandle, &str, &dyn Agent)> {
        self.agents.iter().map(|slot| (slot.handle, slot.name.as_str(), slot.agent.as_ref()))
    }

    /// An agent as the type it was added as; `None` if there is no such agent or it is of another type.
    #[must_use]
    pub fn agent<'a, A: Agent>(&self, agent: impl Into<AgentKey<'a>>) -> Option<&A> {
        let slot = self.agent_index(agent.into()).ok()?;
        let any: &dyn Any = self.agents[slot].agent.as_ref();
        any.downcast_ref()
    }

    /// The same, mutable: to steer it. Commands are recorded, not the agents themselves, so that a run that was steered replays exactly.
    #[must_use]
    pub fn agent_mut<'a, A: Agent>(&mut self, agent: impl Into<AgentKey<'a>>) -> Option<&mut A> {
        let slot = self.agent_index(agent.into()).ok()?;
        let any: &mut dyn Any = self.agents[slot].agent.as_mut();
        any.downcast_mut()
    }

    fn agent_index(&self, agent: AgentKey<'_>) -> Result<usize, EngineError> {
        let found = self.agents.iter().position(|slot| match agent {
            AgentKey::Handle(handle) => slot.handle == handle,
            AgentKey::Name(name) => slot.name == name,
        });
        found.ok_or_else(|| {
            EngineError::UnknownAgent(match agent {
                AgentKey::Handle(_) => "with this handle: it was removed, or is of another engine".to_owned(),
                AgentKey::Name(name) => format!("named `{name}`"),
            })
        })
    }

    /// Where bodies come from by name, if the engine was given a source: the asset registry, for an engine from `Engine::open`.
    #[must_use]
    pub fn assets(&self) -> Option<&dyn AssetSource> {
        self.assets.as_deref()
    }

    /// Passes every further step to a recorder, which replaces any previous one.
    pub fn start_recording(&mut self, recorder: Box<dyn StepRecorder>) {
        self.recorder = RecorderSlot(Some(recorder));
    }

    /// Finishes the recorder, if there is one.
    ///
    /// # Errors
    /// If the record is not complete.
    pub fn stop_recording(&mut self) -> Result<(), EngineError> {
        let Some(recorder) = self.recorder.0.take() else { return Ok(()) };
        let time = self.world.time();
        recorder.finish(&self.world).map_err(|reason| EngineError::Recording { time, reason })
    }

    /// A copy of the moving state of the world ([`World::state`]) and of the agents.
    #[must_use]
    pub fn state(&self) -> EngineState {
        EngineState { world: self.world.state(), agents: self.agents.clone() }
    }

    /// Sets a state of this engine or of a copy of it; the run continues with the same bits as after [`Engine::state`].
    ///
    /// # Errors
    /// As [`World::set_state`].
    pub fn set_state(&mut self, state: &EngineState) -> Result<(), WorldError> {
        self.world.set_state(&state.world)?;
        self.agents.clone_from(&state.agents);
        Ok(())
    }

    /// Adds a body made from an asset.
    ///
    /// # Errors
    /// If the asset is unknown or the world refuses the body.
    pub fn spawn(
        &mut self,
        asset: &str,
        name: &str,
        frame: ReferenceFrame,
    ) -> Result<BodyHandle, EngineError> {
        self.spawn_with(asset, name, |described| {
            described.position(frame.position).orientation(frame.orientation)
        })
    }

    /// Adds a body made from an asset, described further by `describe`: its pose, a velocity, another material or mass.
    ///
    /// # Errors
    /// If the asset is unknown or the world refuses the body.
    pub fn spawn_with(
        &mut self,
        asset: &str,
        name: &str,
        describe: impl FnOnce(BodyDescription) -> BodyDescription,
    ) -> Result<BodyHandle, EngineError> {
        let assets = self.assets.as_ref().ok_or_else(|| EngineError::NoAssets(asset.to_owned()))?;
        let described = assets
            .describe(asset, name)
            .map_err(|reason| EngineError::Asset { asset: asset.to_owned(), reason })?
            .ok_or_else(|| EngineError::UnknownAsset(asset.to_owned()))?;
        Ok(self.world.add_body(describe(described))?)
    }

    /// Calls the agents, then performs one step.
    ///
    /// # Errors
    /// If the world refuses a command or cannot compute the step, it is then unchanged; or if the step cannot
    /// be recorded.
    pub fn step(&mut self, dt: f64) -> Result<StepReport, EngineError> {
        let Self { world, agents, recorder, .. } = self;
        let report = step_with_agents(world, agents, dt)?;
        record(recorder, world, &report, Commands(agents))?;
        Ok(report)
    }

    /// Runs for `seconds`, met exactly, calling `observe` after every step; `observe` returns false to stop early.
    ///
    /// # Errors
    /// As [`Engine::step`]; the steps before the failed one stand.
    pub fn run(
        &mut self,
        seconds: f64,
        mut observe: impl FnMut(&World, &StepReport) -> bool,
    ) -> Result<RunReport, EngineError> {
        self.run_watched(seconds, |world, report, _| observe(world, report))
    }

    /// As [`Engine::run`]; `observe` also receives the commands of the agents.
    ///
    /// # Errors
    /// As [`Engine::run`].
    pub fn run_watched(
        &mut self,
        seconds: f64,
        mut observe: impl FnMut(&World, &StepReport, Commands<'_>) -> bool,
    ) -> Result<RunReport, EngineError> {
        let Self { world, agents, recorder, .. } = self;
        // The two closures alternate: one steps, the other observes.
        let agents = RefCell::new(agents);
        let mut failure = None;
        let report = world.drive(
            seconds,
            |world, dt| step_with_agents(world, &mut agents.borrow_mut(), dt),
            |world, report| {
                let agents = agents.borrow();
                failure = record(recorder, world, report, Commands(&agents)).err();
                observe(world, report, Commands(&agents)) && failure.is_none()
            },
        )?;
        failure.map_or(Ok(report), Err)
    }

    /// Runs until the world's time is `time` seconds; does nothing if it is there already.
    ///
    /// # Errors
    /// If `time` has passed, or as [`Engine::run`].
    pub fn update(&mut self, time: f64) -> Result<(), EngineError> {
        let now = self.world.time();
        if time == now {
            return Ok(());
        }
        if time < now {
            return Err(EngineError::Past { wanted: time, now });
        }
        self.run(time - now, |_, _| true)?;
        Ok(())
    }
}

/// Passes a step to the recorder, if there is one.
fn record(
    recorder: &mut RecorderSlot,
    world: &World,
    step: &StepReport,
    commands: Commands<'_>,
) -> Result<(), EngineError> {
    match &mut recorder.0 {
        Some(recorder) => recorder
            .record(world, step, commands)
            .map_err(|reason| EngineError::Recording { time: step.time, reason }),
        None => Ok(()),
    }
}

/// One step with the commands of the agents; if a command or the step is refused, all of them are undone.
fn step_with_agents(world: &mut World, agents: &mut [AgentSlot], dt: f64) -> Result<StepReport, WorldError> {
    if agents.is_empty() {
        return world.step(dt);
    }
    let pending = world.pending();
    let outcome = command(world, agents).and_then(|()| world.step(dt));
    match outcome {
        Ok(_) => world.keep_commands(),
        Err(_) => world.restore_pending(pending),
    }
    outcome
}

fn command(world: &mut World, agents: &mut [AgentSlot]) -> Result<(), WorldError> {
    for seat in agents {
        for command in seat.commands(world)? {
            command.apply(world)?;
        }
    }
    Ok(())
}

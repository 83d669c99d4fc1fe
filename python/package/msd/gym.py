"""Gymnasium environments of spacecraft: `pip install msd-sim[gym]`, then `import msd.gym`.

    env = gymnasium.make("msd/Detumble-v0")
    envs = gymnasium.make_vec("msd/Docking-v0", num_envs=64)

A task is written once, over arrays of worlds; the environment for one world and the vector environment over `msd.Batch` share it and
give the same observations. Observations and actions are float32, actions are in [-1, 1].
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from ._msd import Batch, World

__all__ = ["Detumble", "Docking", "SpaceEnv", "Task", "VectorSpaceEnv"]

Array = NDArray[np.float64]


def _to_body(quaternion: Array, vector: Array) -> Array:
    """World vectors in body axes, row by row; quaternions (w, x, y, z) map body to world."""
    w, q = quaternion[:, :1], -quaternion[:, 1:]
    return vector + 2 * np.cross(q, np.cross(q, vector) + w * vector)


class Task:
    """What a spacecraft is to do: a world, how it begins, what is seen, what an action does, and what it is worth."""

    #: Name of the body that is driven.
    body = "craft"
    #: Physics steps between two actions.
    frames = 5
    #: Actions after which an episode is cut off.
    limit = 200
    #: Numbers of an observation and of an action.
    sizes = (3, 3)

    def world(self) -> World:
        """The world at the start."""
        raise NotImplementedError

    def start(self, random: np.random.Generator) -> dict[str, Array]:
        """Pose and velocities of one episode, as `Batch.set` takes them."""
        raise NotImplementedError

    def loads(self, action: Array) -> dict[str, Any]:
        """Force and torque of actions, as `Batch.step` takes them."""
        raise NotImplementedError

    def observe(self, states: Array) -> Array:
        """Observations of the states (worlds, 13) of the body."""
        raise NotImplementedError

    def judge(self, states: Array, action: Array) -> tuple[Array, NDArray[np.bool_], NDArray[np.bool_]]:
        """Reward, whether the episode is over, and whether it was a success."""
        raise NotImplementedError


class Detumble(Task):
    """Stop the rotation of a satellite with three torques of at most 2 N·m in body axes.

    Observation: angular velocity in body axes, in units of 0.5 rad/s. Reward: minus its square, minus 0.01 times the square of the
    action, and 10 for success: below 5 mrad/s.
    """

    torque, scale, still = 2.0, 0.5, 5e-3

    def world(self) -> World:
        world = World(dt=0.02, gravity=(0, 0, 0))
        world.add_box(self.body, (1.0, 0.8, 1.4), mass=50)
        return world

    def start(self, random: np.random.Generator) -> dict[str, Array]:
        direction = random.normal(size=3)
        speed = random.uniform(0.1, self.scale)
        quaternion = random.normal(size=4)
        return {
            "angular_velocity": speed * direction / np.linalg.norm(direction),
            "orientation": quaternion / np.linalg.norm(quaternion),
        }

    def loads(self, action: Array) -> dict[str, Any]:
        return {"torque": self.torque * action, "frame": "body"}

    def observe(self, states: Array) -> Array:
        return _to_body(states[:, 3:7], states[:, 10:]) / self.scale

    def judge(self, states: Array, action: Array) -> tuple[Array, NDArray[np.bool_], NDArray[np.bool_]]:
        spin = np.linalg.norm(states[:, 10:], axis=1)
        success = spin < self.still
        reward = -((spin / self.scale) ** 2) - 0.01 * (action**2).sum(axis=1) + 10.0 * success
        return reward, success, success


class Docking(Task):
    """Bring a chaser from 5 to 10 m to a docking port at the origin with thrusters of at most 20 N along world axes.

    Observation: position in units of 10 m, velocity in units of 1 m/s. Reward: minus the distance in units of 10 m, minus 0.01 times the
    square of the action; 50 for success, within 0.1 m at less than 0.1 m/s; -50 for leaving 20 m.
    """

    thrust, reach, capture, slow, lost = 20.0, 10.0, 0.1, 0.1, 20.0
    sizes = (6, 3)
    frames = 10
    limit = 300

    def world(self) -> World:
        world = World(dt=0.02, gravity=(0, 0, 0))
        world.add_box(self.body, (1.0, 1.0, 1.0), mass=100)
        return world

    def start(self, random: np.random.Generator) -> dict[str, Array]:
        direction = random.normal(size=3)
        distance = random.uniform(5.0, 10.0)
        return {"position": distance * direction / np.linalg.norm(direction), "velocity": random.normal(0, 0.05, 3)}

    def loads(self, action: Array) -> dict[str, Any]:
        return {"force": self.thrust * action}

    def observe(self, states: Array) -> Array:
        return np.hstack([states[:, :3] / self.reach, states[:, 7:10]])

    def judge(self, states: Array, action: Array) -> tuple[Array, NDArray[np.bool_], NDArray[np.bool_]]:
        distance = np.linalg.norm(states[:, :3], axis=1)
        speed = np.linalg.norm(states[:, 7:10], axis=1)
        success = (distance < self.capture) & (speed < self.slow)
        lost = distance > self.lost
        reward = -distance / self.reach - 0.01 * (action**2).sum(axis=1) + 50.0 * success - 50.0 * lost
        return reward, success | lost, success


TASKS: dict[str, type[Task]] = {"detumble": Detumble, "docking": Docking}


def _task(task: str | Task) -> Task:
    if isinstance(task, Task):
        return task
    if task not in TASKS:
        raise ValueError(f"there is no task '{task}'; there is {', '.join(TASKS)}")
    return TASKS[task]()


def _spaces(task: Task) -> tuple[gymnasium.spaces.Box, gymnasium.spaces.Box]:
    seen, done = task.sizes
    return (
        gymnasium.spaces.Box(-np.inf, np.inf, (seen,), np.float32),
        gymnasium.spaces.Box(-1.0, 1.0, (done,), np.float32),
    )


class _Worlds:
    """The worlds of a task, stepped together."""

    def __init__(self, task: Task, count: int, threads: int) -> None:
        self.task, self.batch = task, Batch(task.world(), count, threads=threads)
        self.index = self.batch.names.index(task.body)
        self.actions = np.zeros(count, dtype=np.int64)

    def states(self) -> Array:
        return self.batch.states[:, self.index]

    def observe(self) -> NDArray[np.float32]:
        return self.task.observe(self.states()).astype(np.float32)

    def reset(self, world: int, random: np.random.Generator) -> None:
        self.batch.reset([world])
        self.batch.set(self.task.body, worlds=[world], **self.task.start(random))
        self.actions[world] = 0

    def step(self, action: Any) -> tuple[Array, NDArray[np.bool_], NDArray[np.bool_], NDArray[np.bool_]]:
        """Reward, terminated, truncated, success."""
        action = np.clip(np.asarray(action, dtype=np.float64), -1.0, 1.0)
        self.batch.step(self.task.frames, body=self.task.body, **self.task.loads(action))
        self.actions += 1
        reward, terminated, success = self.task.judge(self.states(), action)
        return reward, terminated, (self.actions >= self.task.limit) & ~terminated, success


class SpaceEnv(gymnasium.Env[NDArray[np.float32], NDArray[np.float32]]):
    """One world of a task."""

    metadata = {"render_modes": []}

    def __init__(self, task: str | Task = "detumble", render_mode: None = None) -> None:
        self.render_mode = render_mode
        self.task = _task(task)
        self.observation_space, self.action_space = _spaces(self.task)
        self._worlds = _Worlds(self.task, 1, 1)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begins an episode; the same seed gives the same episode."""
        super().reset(seed=seed)
        self._worlds.reset(0, self.np_random)
        return self._worlds.observe()[0], {}

    def step(
        self, action: NDArray[np.float32]
    ) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Acts for `frames` physics steps."""
        reward, terminated, truncated, success = self._worlds.step(np.asarray(action)[None])
        info = {"success": bool(success[0])}
        return self._worlds.observe()[0], float(reward[0]), bool(terminated[0]), bool(truncated[0]), info


class VectorSpaceEnv(gymnasium.vector.VectorEnv[NDArray[np.float32], NDArray[np.float32], Any]):
    """Many worlds of a task on all cores, with autoreset NEXT_STEP or SAME_STEP. World i of seed s is episode by episode that of
    `SpaceEnv` with seed s + i."""

    def __init__(
        self,
        num_envs: int = 1,
        task: str | Task = "detumble",
        autoreset_mode: AutoresetMode = AutoresetMode.NEXT_STEP,
        threads: int = 0,
        render_mode: None = None,
    ) -> None:
        if autoreset_mode not in (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP):
            raise ValueError(f"autoreset_mode must be NEXT_STEP or SAME_STEP, got {autoreset_mode}")
        self.task, self.num_envs, self.render_mode = _task(task), num_envs, render_mode
        self.metadata = {"render_modes": [], "autoreset_mode": autoreset_mode}
        self.single_observation_space, self.single_action_space = _spaces(self.task)
        self.observation_space = gymnasium.vector.utils.batch_space(self.single_observation_space, num_envs)
        self.action_space = gymnasium.vector.utils.batch_space(self.single_action_space, num_envs)
        self._mode, self._worlds = autoreset_mode, _Worlds(self.task, num_envs, threads)
        self._random = [np.random.default_rng() for _ in range(num_envs)]
        self._over = np.zeros(num_envs, dtype=bool)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begins an episode in every world."""
        super().reset(seed=seed if isinstance(seed, int) else None)
        seeds = [seed + i for i in range(self.num_envs)] if isinstance(seed, int) else seed or [None] * self.num_envs
        for world, own in enumerate(seeds):
            if own is not None:
                self._random[world] = gymnasium.utils.seeding.np_random(own)[0]
            self._worlds.reset(world, self._random[world])
        self._over[:] = False
        return self._worlds.observe(), {}

    def step(
        self, actions: NDArray[np.float32]
    ) -> tuple[NDArray[np.float32], Array, NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Acts in every world; a world whose episode is over begins the next one."""
        begins = self._over.copy()
        reward, terminated, truncated, success = self._worlds.step(actions)
        info: dict[str, Any] = {"success": success}
        if self._mode is AutoresetMode.NEXT_STEP:
            # The action after an end is ignored: what is returned is the start of the next episode.
            for world in np.flatnonzero(begins):
                self._worlds.reset(int(world), self._random[world])
            for values in (reward, terminated, truncated, success):
                values[begins] = 0
            self._over = terminated | truncated
        elif (ended := terminated | truncated).any():
            info["final_obs"] = self._worlds.observe()
            info["_final_obs"] = ended
            for world in np.flatnonzero(ended):
                self._worlds.reset(int(world), self._random[world])
        return self._worlds.observe(), reward, terminated, truncated, info


for _name in TASKS:
    _id = f"msd/{_name.capitalize()}-v0"
    if _id not in gymnasium.registry:
        gymnasium.register(
            _id, entry_point="msd.gym:SpaceEnv", vector_entry_point="msd.gym:VectorSpaceEnv", kwargs={"task": _name}
        )

"""Gymnasium environments of spacecraft and robots: `pip install msd-sim[gym]`, then `import msd.gym`.

    env = gymnasium.make("msd/Detumble-v0")
    envs = gymnasium.make_vec("msd/Docking-v0", num_envs=64)
    env = gymnasium.make("msd/Hopper-v0")

A task is written once, over arrays of worlds; the environment for one world and the vector environment over `msd.Batch` share it and
give the same observations. Observations and actions of spacecraft are float32, actions are in [-1, 1]; robots have the spaces of
gymnasium's own environments.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from .robots import Ant, HalfCheetah, Hopper, Humanoid, InvertedPendulum, Robot, RobotWorlds, Walker2d
from .tasks import Capture, Detumble, Docking, Landing, Task, TaskWorlds, to_body, to_world

__all__ = [
    "Ant",
    "Capture",
    "Detumble",
    "Docking",
    "HalfCheetah",
    "Hopper",
    "Humanoid",
    "InvertedPendulum",
    "Landing",
    "Robot",
    "RobotWorlds",
    "SpaceEnv",
    "Task",
    "TaskWorlds",
    "VectorSpaceEnv",
    "Walker2d",
    "to_body",
    "to_world",
]

Array = NDArray[np.float64]

TASKS: dict[str, type[Task] | type[Robot]] = {
    "Detumble": Detumble,
    "Docking": Docking,
    "Capture": Capture,
    "Landing": Landing,
    "InvertedPendulum": InvertedPendulum,
    "Hopper": Hopper,
    "HalfCheetah": HalfCheetah,
    "Walker2d": Walker2d,
    "Ant": Ant,
    "Humanoid": Humanoid,
}


def _task(task: str | Task | Robot) -> Task | Robot:
    if not isinstance(task, str):
        return task
    for name, kind in TASKS.items():
        if name.lower() == task.lower():
            return kind()
    raise ValueError(f"there is no task '{task}'; there is {', '.join(TASKS)}")


def _worlds(task: Task | Robot, count: int, threads: int) -> TaskWorlds | RobotWorlds:
    return RobotWorlds(task, count, threads) if isinstance(task, Robot) else TaskWorlds(task, count, threads)


def _spaces(worlds: TaskWorlds | RobotWorlds) -> tuple[Any, Any]:
    Box = gymnasium.spaces.Box
    if isinstance(worlds, RobotWorlds):
        low, high = worlds.bounds.T.astype(np.float32)
        return Box(-np.inf, np.inf, (worlds.robot.size,), np.float64), Box(low, high, dtype=np.float32)
    seen, done = worlds.task.sizes
    return Box(-np.inf, np.inf, (seen,), np.float32), Box(-1.0, 1.0, (done,), np.float32)


class SpaceEnv(gymnasium.Env[NDArray[Any], NDArray[np.float32]]):
    """One world of a task."""

    metadata = {"render_modes": []}

    def __init__(self, task: str | Task | Robot = "detumble", render_mode: None = None) -> None:
        self.render_mode = render_mode
        self.task = _task(task)
        self._worlds = _worlds(self.task, 1, 1)
        self.observation_space, self.action_space = _spaces(self._worlds)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begins an episode; the same seed gives the same episode."""
        super().reset(seed=seed)
        self._worlds.reset(0, self.np_random)
        return self._worlds.observe()[0], {}

    def step(self, action: NDArray[np.float32]) -> tuple[NDArray[Any], float, bool, bool, dict[str, Any]]:
        """Acts for `frames` physics steps."""
        reward, terminated, truncated, success = self._worlds.step(np.asarray(action)[None])
        info = {"success": bool(success[0])}
        return self._worlds.observe()[0], float(reward[0]), bool(terminated[0]), bool(truncated[0]), info


class VectorSpaceEnv(gymnasium.vector.VectorEnv[NDArray[Any], NDArray[np.float32], Any]):
    """Many worlds of a task on all cores, with autoreset NEXT_STEP or SAME_STEP. World i of seed s is episode by episode that of
    `SpaceEnv` with seed s + i."""

    def __init__(
        self,
        num_envs: int = 1,
        task: str | Task | Robot = "detumble",
        autoreset_mode: AutoresetMode = AutoresetMode.NEXT_STEP,
        threads: int = 0,
        render_mode: None = None,
    ) -> None:
        if autoreset_mode not in (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP):
            raise ValueError(f"autoreset_mode must be NEXT_STEP or SAME_STEP, got {autoreset_mode}")
        self.task, self.num_envs, self.render_mode = _task(task), num_envs, render_mode
        self.metadata = {"render_modes": [], "autoreset_mode": autoreset_mode}
        self._mode, self._worlds = autoreset_mode, _worlds(self.task, num_envs, threads)
        self.single_observation_space, self.single_action_space = _spaces(self._worlds)
        self.observation_space = gymnasium.vector.utils.batch_space(self.single_observation_space, num_envs)
        self.action_space = gymnasium.vector.utils.batch_space(self.single_action_space, num_envs)
        self._random = [np.random.default_rng() for _ in range(num_envs)]
        self._over = np.zeros(num_envs, dtype=bool)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
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
    ) -> tuple[NDArray[Any], Array, NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
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
    _id = f"msd/{_name}-v0"
    if _id not in gymnasium.registry:
        gymnasium.register(
            _id, entry_point="msd.gym:SpaceEnv", vector_entry_point="msd.gym:VectorSpaceEnv", kwargs={"task": _name}
        )

"""Tasks of spacecraft, written over arrays of worlds: detumbling, docking, capture of debris, landing on a small body."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._msd import Batch, World

__all__ = ["Capture", "Detumble", "Docking", "Landing", "Task", "TaskWorlds", "to_body", "to_world"]

Array = NDArray[np.float64]
Judged = tuple[Array, NDArray[np.bool_], NDArray[np.bool_]]


def to_world(quaternion: Array, vector: Array) -> Array:
    """Vectors in body axes in world axes, row by row; quaternions (w, x, y, z) map body to world."""
    w, q = quaternion[:, :1], quaternion[:, 1:]
    return vector + 2 * np.cross(q, np.cross(q, vector) + w * vector)


def to_body(quaternion: Array, vector: Array) -> Array:
    """World vectors in body axes, row by row."""
    return to_world(quaternion * (1, -1, -1, -1), vector)


def _direction(random: np.random.Generator) -> Array:
    """A direction, uniform over the sphere."""
    vector = random.normal(size=3)
    return vector / np.linalg.norm(vector)


def _orientation(random: np.random.Generator) -> Array:
    """An orientation, uniform over all."""
    quaternion = random.normal(size=4)
    return quaternion / np.linalg.norm(quaternion)


class Task:
    """The goal of a spacecraft: a world, how it begins, what is observed, what an action does, and the reward.

    States are arrays (worlds, 13) of the body that is driven: position, orientation, velocity, angular velocity. Where `others` names
    more bodies, their 13 columns follow.
    """

    #: Name of the body that is driven.
    body = "craft"
    #: Names of other bodies that are observed.
    others: tuple[str, ...] = ()
    #: Physics steps between two actions.
    frames = 5
    #: Actions after which an episode is cut off.
    limit = 200
    #: Numbers of an observation and of an action.
    sizes = (3, 3)

    def world(self) -> World:
        """The world at the start."""
        raise NotImplementedError

    def start(self, random: np.random.Generator) -> dict[str, Any]:
        """Pose and velocities of the body in one episode, as `Batch.set` takes them, and dicts of such for other bodies by name."""
        raise NotImplementedError

    def loads(self, action: Array, states: Array) -> dict[str, Any]:
        """Force and torque of actions, as `Batch.step` takes them."""
        raise NotImplementedError

    def observe(self, states: Array) -> Array:
        """Observations of states."""
        raise NotImplementedError

    def judge(self, states: Array, action: Array) -> Judged:
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

    def start(self, random: np.random.Generator) -> dict[str, Any]:
        direction = random.normal(size=3)
        speed = random.uniform(0.1, self.scale)
        return {
            "angular_velocity": speed * direction / np.linalg.norm(direction),
            "orientation": _orientation(random),
        }

    def loads(self, action: Array, states: Array) -> dict[str, Any]:
        return {"torque": self.torque * action, "frame": "body"}

    def observe(self, states: Array) -> Array:
        return to_body(states[:, 3:7], states[:, 10:13]) / self.scale

    def judge(self, states: Array, action: Array) -> Judged:
        spin = np.linalg.norm(states[:, 10:13], axis=1)
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

    def start(self, random: np.random.Generator) -> dict[str, Any]:
        direction = random.normal(size=3)
        distance = random.uniform(5.0, 10.0)
        return {"position": distance * direction / np.linalg.norm(direction), "velocity": random.normal(0, 0.05, 3)}

    def loads(self, action: Array, states: Array) -> dict[str, Any]:
        return {"force": self.thrust * action}

    def observe(self, states: Array) -> Array:
        return np.hstack([states[:, :3] / self.reach, states[:, 7:10]])

    def judge(self, states: Array, action: Array) -> Judged:
        distance = np.linalg.norm(states[:, :3], axis=1)
        speed = np.linalg.norm(states[:, 7:10], axis=1)
        success = (distance < self.capture) & (speed < self.slow)
        lost = distance > self.lost
        reward = -distance / self.reach - 0.01 * (action**2).sum(axis=1) + 50.0 * success - 50.0 * lost
        return reward, success | lost, success


class Capture(Task):
    """Bring the gripper of a chaser to the handle of tumbling debris and move with it; the two bodies collide if they meet elsewhere.

    The chaser (1 m cube, 100 kg) has thrusters of at most 20 N along world axes and torques of at most 5 N·m about body axes; its gripper
    is a point 0.6 m ahead of its centre along body x. The debris (0.6 m x 0.6 m x 1 m, 40 kg) tumbles freely at up to 0.1 rad/s; its
    handle is a point 0.6 m from its centre along body z. Observation, 18 numbers: from gripper to handle in units of 5 m, their relative
    velocity in m/s, the x axis of the chaser, the z axis of the debris, and both angular velocities in units of 0.2 rad/s, world axes.
    Reward: minus the distance of gripper and handle in units of 5 m, minus a quarter of how far the gripper looks away from against the
    handle, minus 0.01 times the square of the action; 50 for success, within 0.1 m at less than 0.05 m/s and 30 degrees; -50 for
    leaving 15 m.
    """

    others = ("debris",)
    sizes = (18, 6)
    frames = 10
    limit = 400
    thrust, torque, reach, grip, slow, lost = 20.0, 5.0, 5.0, 0.1, 0.05, 15.0
    gripper, handle = np.array([0.6, 0.0, 0.0]), np.array([0.0, 0.0, 0.6])

    def world(self) -> World:
        world = World(dt=0.02, gravity=(0, 0, 0))
        world.add_box(self.body, (1.0, 1.0, 1.0), mass=100, friction=0.3, restitution=0.1, position=(-4, 0, 0))
        world.add_box("debris", (0.6, 0.6, 1.0), mass=40, friction=0.3, restitution=0.1)
        return world

    def start(self, random: np.random.Generator) -> dict[str, Any]:
        return {
            "position": random.uniform(3.0, 5.0) * _direction(random),
            "velocity": random.normal(0, 0.02, 3),
            "orientation": _orientation(random),
            "debris": {
                "orientation": _orientation(random),
                "angular_velocity": random.uniform(0.0, 0.1) * _direction(random),
            },
        }

    def loads(self, action: Array, states: Array) -> dict[str, Any]:
        torque = to_world(states[:, 3:7], self.torque * action[:, 3:])
        return {"force": self.thrust * action[:, :3], "torque": torque}

    def grasp(self, states: Array) -> tuple[Array, Array, Array, Array]:
        """From gripper to handle, velocity of the handle against the gripper, and the axes of both; world axes."""
        count = len(states)
        arm = to_world(states[:, 3:7], np.broadcast_to(self.gripper, (count, 3)))
        lever = to_world(states[:, 16:20], np.broadcast_to(self.handle, (count, 3)))
        between = states[:, 13:16] + lever - states[:, :3] - arm
        speed = states[:, 20:23] + np.cross(states[:, 23:26], lever) - states[:, 7:10] - np.cross(states[:, 10:13], arm)
        return between, speed, arm / np.linalg.norm(self.gripper), lever / np.linalg.norm(self.handle)

    def observe(self, states: Array) -> Array:
        between, speed, arm, lever = self.grasp(states)
        return np.hstack([between / self.reach, speed, arm, lever, states[:, 10:13] / 0.2, states[:, 23:26] / 0.2])

    def judge(self, states: Array, action: Array) -> Judged:
        between, speed, arm, lever = self.grasp(states)
        distance = np.linalg.norm(between, axis=1)
        # Against each other: the cosine is -1 where the gripper looks straight at the handle.
        cosine = (arm * lever).sum(axis=1)
        success = (distance < self.grip) & (np.linalg.norm(speed, axis=1) < self.slow) & (cosine < -np.cos(np.pi / 6))
        lost = np.linalg.norm(states[:, :3] - states[:, 13:16], axis=1) > self.lost
        reward = -distance / self.reach - 0.125 * (1 + cosine) - 0.01 * (action**2).sum(axis=1)
        return reward + 50.0 * success - 50.0 * lost, success | lost, success


class Landing(Task):
    """Land on a small body of 500 m radius and 40 m³/s² with thrusters of at most 2 N along world axes, within 5 m of a place.

    The lander (1 m x 1 m x 0.6 m, 50 kg) begins 15 to 25 m above the ground. Observation: position of its lower face against the place in
    units of 10 m, velocity in m/s. Reward: minus the height and a tenth of the distance across in units of 10 m, minus 0.01 times the
    square of the action; 50 for success: on the ground at less than 0.05 m/s and within 5 m; -50 for touching the ground at more than
    0.3 m/s, or leaving 60 m.
    """

    radius, mu, half = 500.0, 40.0, 0.3
    thrust, near, slow, hard, lost = 2.0, 5.0, 0.05, 0.3, 60.0
    sizes = (6, 3)
    frames = 10
    limit = 500

    def world(self) -> World:
        world = World(dt=0.05, gravity=(0, 0, 0))
        center = (0.0, 0.0, -self.radius)
        world.add_field("point-gravity", mu=self.mu, center=center)
        world.add_sphere("asteroid", self.radius, kind="static", position=center, friction=0.8, restitution=0.2)
        world.add_box(self.body, (1.0, 1.0, 2 * self.half), mass=50, position=(0, 0, 20), friction=0.8, restitution=0.2)
        return world

    def start(self, random: np.random.Generator) -> dict[str, Any]:
        across, height = random.uniform(-8.0, 8.0, 2), random.uniform(15.0, 25.0)
        return {"position": (*across, height), "velocity": random.normal(0, 0.05, 3)}

    def loads(self, action: Array, states: Array) -> dict[str, Any]:
        return {"force": self.thrust * action}

    def _height(self, states: Array) -> Array:
        """Of the lower face above the ground, m; the lander stays upright."""
        return np.linalg.norm(states[:, :3] + (0, 0, self.radius), axis=1) - self.radius - self.half

    def observe(self, states: Array) -> Array:
        place = states[:, :3].copy()
        place[:, 2] = self._height(states)
        return np.hstack([place / 10.0, states[:, 7:10]])

    def judge(self, states: Array, action: Array) -> Judged:
        height, across = self._height(states), np.linalg.norm(states[:, :2], axis=1)
        speed = np.linalg.norm(states[:, 7:10], axis=1)
        landed = height < 0.02
        success = landed & (speed < self.slow) & (across < self.near)
        crashed = (landed & (speed > self.hard)) | (np.linalg.norm(states[:, :3], axis=1) > self.lost)
        reward = -(height + 0.1 * across) / 10.0 - 0.01 * (action**2).sum(axis=1)
        return reward + 50.0 * success - 50.0 * crashed, success | crashed, success


class TaskWorlds:
    """The worlds of a task, stepped together."""

    def __init__(self, task: Task, count: int, threads: int) -> None:
        self.task, self.batch = task, Batch(task.world(), count, threads=threads)
        self.index = [self.batch.names.index(name) for name in (task.body, *task.others)]
        self.actions = np.zeros(count, dtype=np.int64)

    def states(self) -> Array:
        """States of the body that is driven, then of the others, (worlds, 13 a body)."""
        states = self.batch.states[:, self.index]
        return states.reshape(len(states), -1)

    def observe(self) -> NDArray[np.float32]:
        """Observations of all worlds."""
        return self.task.observe(self.states()).astype(np.float32)

    def reset(self, world: int, random: np.random.Generator) -> None:
        """Begins an episode in one world."""
        self.batch.reset([world])
        start = self.task.start(random)
        for name in self.task.others:
            self.batch.set(name, worlds=[world], **start.pop(name, {}))
        self.batch.set(self.task.body, worlds=[world], **start)
        self.actions[world] = 0

    def step(self, action: Any) -> tuple[Array, NDArray[np.bool_], NDArray[np.bool_], NDArray[np.bool_]]:
        """Reward, terminated, truncated, success."""
        action = np.clip(np.asarray(action, dtype=np.float64), -1.0, 1.0)
        self.batch.step(self.task.frames, body=self.task.body, **self.task.loads(action, self.states()))
        self.actions += 1
        reward, terminated, success = self.task.judge(self.states(), action)
        return reward, terminated, (self.actions >= self.task.limit) & ~terminated, success

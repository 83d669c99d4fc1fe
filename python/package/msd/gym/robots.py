"""Gymnasium's robot models, simulated by msd: the observation and action spaces, rewards and ends of gymnasium's own environments (version 5
of InvertedPendulum, Hopper, HalfCheetah, Walker2d, Ant and Humanoid).

The models are the MJCF files that gymnasium installs. msd does not simulate armature, and its contact is exact Coulomb friction, so that
motions differ from MuJoCo's and policies do not carry over. Bodies that MuJoCo welds to another (feet of the humanoid, hips of the ant) are
part of that other body here: their rows of `cinert`, `cvel` and `cfrc_ext` are zero.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from .._msd import Batch, World, load

__all__ = ["Ant", "HalfCheetah", "Hopper", "Humanoid", "InvertedPendulum", "Robot", "RobotWorlds", "Walker2d"]

Array = NDArray[np.float64]
Judged = tuple[Array, NDArray[np.bool_]]
ASSETS = Path(gymnasium.__file__).parent / "envs" / "mujoco" / "assets"


class Robot:
    """A robot, how it begins, what is observed, and the reward. q and v are arrays (worlds, numbers), as those of `Batch`."""

    #: File among the models of gymnasium.
    file = ""
    #: Physics steps between two actions.
    frames = 5
    #: Actions after which an episode is cut off.
    limit = 1000
    #: Numbers of an observation.
    size = 0
    #: Half width of the uniform noise of the start.
    noise = 5e-3

    def world(self) -> World:
        """The world at the start."""
        return load(ASSETS / self.file)

    def start(self, q: Array, v: Array, random: np.random.Generator) -> tuple[Array, Array]:
        """q and v of one episode from those of the model."""
        low, high = -self.noise, self.noise
        return q + random.uniform(low, high, q.shape), v + random.uniform(low, high, v.shape)

    def observe(self, worlds: RobotWorlds) -> Array:
        """Observations of all worlds."""
        raise NotImplementedError

    def judge(self, worlds: RobotWorlds, before: Array, action: Array) -> Judged:
        """Reward, and whether the episode is over; `before` is q before the action."""
        raise NotImplementedError


class InvertedPendulum(Robot):
    """Keep a pole on a cart upright."""

    file, frames, size, noise = "inverted_pendulum.xml", 2, 4, 0.01

    def observe(self, worlds: RobotWorlds) -> Array:
        return np.hstack([worlds.q, worlds.v])

    def judge(self, worlds: RobotWorlds, before: Array, action: Array) -> Judged:
        over = np.abs(worlds.q[:, 1]) > 0.2
        return np.where(over, 0.0, 1.0), over


class _Planar(Robot):
    """A robot in the x-z plane whose q begins with x, z and pitch."""

    heights, pitches, control_cost, healthy_reward = (-np.inf, np.inf), np.inf, 1e-3, 1.0

    def observe(self, worlds: RobotWorlds) -> Array:
        return np.hstack([worlds.q[:, 1:], np.clip(worlds.v, -10, 10)])

    def healthy(self, worlds: RobotWorlds) -> NDArray[np.bool_]:
        """Worlds in which the robot has not fallen."""
        z, pitch = worlds.q[:, 1], worlds.q[:, 2]
        return (self.heights[0] < z) & (z < self.heights[1]) & (np.abs(pitch) < self.pitches)

    def judge(self, worlds: RobotWorlds, before: Array, action: Array) -> Judged:
        healthy = self.healthy(worlds)
        forward = (worlds.q[:, 0] - before[:, 0]) / worlds.interval
        return forward + self.healthy_reward * healthy - self.control_cost * (action**2).sum(axis=1), ~healthy


class Hopper(_Planar):
    """Hop forward on one leg."""

    file, frames, size, heights, pitches = "hopper.xml", 4, 11, (0.7, np.inf), 0.2

    def healthy(self, worlds: RobotWorlds) -> NDArray[np.bool_]:
        state = np.hstack([worlds.q[:, 2:], worlds.v])
        return super().healthy(worlds) & (np.abs(state) < 100).all(axis=1)


class Walker2d(_Planar):
    """Walk forward on two legs."""

    file, frames, size, heights, pitches = "walker2d_v5.xml", 4, 17, (0.8, 2.0), 1.0


class HalfCheetah(_Planar):
    """Run forward."""

    file, size, noise, control_cost, healthy_reward = "half_cheetah.xml", 17, 0.1, 0.1, 0.0

    def start(self, q: Array, v: Array, random: np.random.Generator) -> tuple[Array, Array]:
        return q + random.uniform(-self.noise, self.noise, q.shape), v + self.noise * random.standard_normal(v.shape)

    def observe(self, worlds: RobotWorlds) -> Array:
        return np.hstack([worlds.q[:, 1:], worlds.v])

    def healthy(self, worlds: RobotWorlds) -> NDArray[np.bool_]:
        return np.ones(len(worlds.q), dtype=bool)


class Ant(Robot):
    """Walk forward on four legs."""

    file, size, noise = "ant.xml", 105, 0.1
    #: Bodies of MuJoCo's model in its order; empty for those without a name.
    bodies = (
        "torso", "front_left_leg", "aux_1", "", "front_right_leg", "aux_2", "", "back_leg", "aux_3", "",
        "right_back_leg", "aux_4", "",
    )  # fmt: skip
    heights, control_cost, contact_cost = (0.2, 1.0), 0.5, 5e-4

    def start(self, q: Array, v: Array, random: np.random.Generator) -> tuple[Array, Array]:
        return q + random.uniform(-self.noise, self.noise, q.shape), v + self.noise * random.standard_normal(v.shape)

    def observe(self, worlds: RobotWorlds) -> Array:
        forces = np.clip(worlds.contact_forces(self.bodies), -1, 1)
        return np.hstack([worlds.q[:, 2:], worlds.v, forces])

    def judge(self, worlds: RobotWorlds, before: Array, action: Array) -> Judged:
        z = worlds.q[:, 2]
        healthy = np.isfinite(worlds.q).all(axis=1) & (self.heights[0] <= z) & (z <= self.heights[1])
        forward = (worlds.q[:, 0] - before[:, 0]) / worlds.interval
        forces = np.clip(worlds.contact_forces(self.bodies), -1, 1)
        costs = self.control_cost * (action**2).sum(axis=1) + self.contact_cost * (forces**2).sum(axis=1)
        return forward + healthy - costs, ~healthy


class Humanoid(Robot):
    """Walk forward on two legs, with arms."""

    file, size, noise = "humanoid.xml", 348, 1e-2
    bodies = (
        "torso", "lwaist", "pelvis", "right_thigh", "right_shin", "right_foot", "left_thigh", "left_shin", "left_foot",
        "right_upper_arm", "right_lower_arm", "left_upper_arm", "left_lower_arm",
    )  # fmt: skip
    heights, control_cost, contact_cost, healthy_reward, forward_weight = (1.0, 2.0), 0.1, 5e-7, 5.0, 1.25

    def observe(self, worlds: RobotWorlds) -> Array:
        inertias, velocities = worlds.inertias(self.bodies)
        torques = worlds.v_forces[:, 6:]
        forces = worlds.contact_forces(self.bodies)
        return np.hstack([worlds.q[:, 2:], worlds.v, inertias, velocities, torques, forces])

    def judge(self, worlds: RobotWorlds, before: Array, action: Array) -> Judged:
        healthy = (self.heights[0] < worlds.q[:, 2]) & (worlds.q[:, 2] < self.heights[1])
        forward = (worlds.center[:, 0] - worlds.center_before[:, 0]) / worlds.interval
        forces = worlds.contact_forces(self.bodies)
        contact = np.clip(self.contact_cost * (forces**2).sum(axis=1), -np.inf, 10.0)
        reward = self.forward_weight * forward + self.healthy_reward * healthy
        return reward - self.control_cost * (action**2).sum(axis=1) - contact, ~healthy


class RobotWorlds:
    """The worlds of a robot, stepped together."""

    def __init__(self, robot: Robot, count: int, threads: int) -> None:
        world = robot.world()
        tree = world.articulation()
        self.robot, self.batch = robot, Batch(world, count, threads=threads)
        self.start, self.interval = (tree.q, tree.v), robot.frames * world.dt
        self.bounds = _control_ranges(robot.file)
        if len(self.bounds) != len(self.batch.actuators):
            raise RuntimeError(f"{robot.file}: {len(self.bounds)} motors, but {len(self.batch.actuators)} actuators")
        # Numbers of v that the actuators drive, for their generalised forces.
        self._names = self.batch.names
        self._masses = np.array([body.mass for body in world.bodies])
        self._inertias = np.array([body.inertia for body in world.bodies])
        arms = np.array([body.center_of_mass - body.position for body in world.bodies])
        self._centers = np.einsum("bji,bj->bi", _rotations(world.states[:, 3:7]), arms)
        self._columns = [tree.velocity_names.index(_joint_of(robot.file, name)) for name in self.batch.actuators]
        self._gears = _gears(robot.file)
        self._controls = np.zeros((count, len(self.bounds)))
        self.actions = np.zeros(count, dtype=np.int64)
        self._moved()

    def _moved(self) -> None:
        """Forgets everything that was read of the worlds."""
        self._q: Array | None = None
        self._v: Array | None = None
        self._forces: dict[tuple[str, ...], Array] = {}

    @property
    def q(self) -> Array:
        """Positions now, (worlds, q)."""
        if self._q is None:
            self._q = self.batch.q
        return self._q

    @property
    def v(self) -> Array:
        """Velocities now, (worlds, v)."""
        if self._v is None:
            self._v = self.batch.v
        return self._v

    @property
    def v_forces(self) -> Array:
        """Generalised forces of the actuators, (worlds, v)."""
        forces = np.zeros_like(self.v)
        for column, gear, control in zip(self._columns, self._gears, self._controls.T):
            forces[:, column] += gear * control
        return forces

    def observe(self) -> NDArray[np.float64]:
        """Observations of all worlds."""
        return self.robot.observe(self)

    def reset(self, world: int, random: np.random.Generator) -> None:
        """Begins an episode in one world."""
        self.batch.reset([world])
        q, v = self.robot.start(self.start[0].copy(), self.start[1].copy(), random)
        self.batch.set_qv(q[None], v[None], worlds=[world])
        self.actions[world], self._controls[world] = 0, 0.0
        self._moved()

    def step(self, action: Any) -> tuple[Array, NDArray[np.bool_], NDArray[np.bool_], NDArray[np.bool_]]:
        """Reward, terminated, truncated, success (none has any)."""
        action = np.asarray(action, dtype=np.float64)
        self._controls = np.clip(action, self.bounds[:, 0], self.bounds[:, 1])
        before = self.q
        # Only the humanoid is judged by its centre of mass.
        self.center_before = self.center if isinstance(self.robot, Humanoid) else before[:, :3]
        self.batch.step(self.robot.frames, controls=self._controls)
        self.actions += 1
        self._moved()
        reward, terminated = self.robot.judge(self, before, action)
        # A world whose step failed has no next one.
        terminated = terminated | np.array([failure is not None for failure in self.batch.failures])
        truncated = (self.actions >= self.robot.limit) & ~terminated
        return reward, terminated, truncated, np.zeros(len(reward), dtype=bool)

    def contact_forces(self, bodies: tuple[str, ...]) -> Array:
        """Torque about the centre of mass of the robot and force on each body in the last step, (worlds, 6 a body), world axes."""
        if bodies not in self._forces:
            rows = np.zeros((len(self.q), len(bodies), 6))
            number = {name: i for i, name in enumerate(bodies) if name}
            for row, center in zip(range(len(rows)), self.center):
                for contact in self.batch.contacts(row):
                    lever = contact.position - center
                    for name, sign in ((contact.a, -1.0), (contact.b, 1.0)):
                        if name in number:
                            force = sign * contact.force
                            rows[row, number[name]] += np.hstack([np.cross(lever, force), force])
            self._forces[bodies] = rows.reshape(len(rows), -1)
        return self._forces[bodies]

    @property
    def center(self) -> Array:
        """Centre of mass of the robot, (worlds, 3)."""
        centers = self._body_centers()[0]
        movable = np.isfinite(self._masses)
        masses = self._masses[movable]
        return np.einsum("b,wbi->wi", masses, centers[:, movable]) / masses.sum()

    def _body_centers(self) -> tuple[Array, Array]:
        """Centres of mass and rotations of all bodies."""
        states = self.batch.states
        rotations = _rotations(states[:, :, 3:7])
        return states[:, :, :3] + np.einsum("wbij,bj->wbi", rotations, self._centers), rotations

    def inertias(self, bodies: tuple[str, ...]) -> tuple[Array, Array]:
        """Inertia (10 numbers) and velocity (6 numbers) of each body about the centre of mass of the robot, world axes."""
        states, (centers, rotations), middle = self.batch.states, self._body_centers(), self.center
        count = len(states)
        inertias, velocities = np.zeros((count, len(bodies), 10)), np.zeros((count, len(bodies), 6))
        for i, name in enumerate(bodies):
            if name not in self._names:
                continue
            body = self._names.index(name)
            mass, arm = self._masses[body], centers[:, body] - middle
            turned = rotations[:, body] @ self._inertias[body] @ rotations[:, body].transpose(0, 2, 1)
            square = (arm**2).sum(axis=1)[:, None, None] * np.eye(3) - arm[:, :, None] * arm[:, None, :]
            tensor = turned + mass * square
            upper = np.stack([tensor[:, a, b] for a, b in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))], axis=1)
            inertias[:, i] = np.hstack([upper, mass * arm, np.full((count, 1), mass)])
            spin = states[:, body, 10:13]
            velocities[:, i] = np.hstack([spin, states[:, body, 7:10] - np.cross(spin, arm)])
        return inertias.reshape(count, -1), velocities.reshape(count, -1)


def _rotations(quaternions: Array) -> Array:
    """Rotation matrices of quaternions (w, x, y, z) in the last axis."""
    w, x, y, z = np.moveaxis(quaternions, -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))


def _motors(file: str) -> list[dict[str, str]]:
    """Attributes of the motors of a model, with those of its defaults."""
    import xml.etree.ElementTree as xml

    root = xml.parse(ASSETS / file).getroot()
    default = root.find("default/motor")
    common = dict(default.attrib) if default is not None else {}
    return [{**common, **motor.attrib} for motor in root.findall("actuator/motor")]


def _control_ranges(file: str) -> Array:
    return np.array([[float(end) for end in motor["ctrlrange"].split()] for motor in _motors(file)])


def _gears(file: str) -> list[float]:
    return [float(motor.get("gear", "1").split()[0]) for motor in _motors(file)]


def _joint_of(file: str, actuator: str) -> str:
    for motor in _motors(file):
        if actuator in (motor.get("name"), motor["joint"]):
            return motor["joint"]
    raise RuntimeError(f"{file}: there is no motor named {actuator}")

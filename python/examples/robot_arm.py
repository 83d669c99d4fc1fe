"""Roboticist: drive an arm, read its joints, check its torques, reset it.

    pip install ./python
    python python/examples/robot_arm.py

An arm of two links under gravity: servos bring it to a posture, inverse dynamics says which torques hold it there, a rate controller
written in Python follows a path, and a state that was kept is restored a thousand times.
"""

import numpy as np

import msd


def arm():
    world = msd.World(dt=1e-3)
    turned = {"axis": (0, 1, 0), "angle_deg": 90}
    upper = world.add_capsule("upper", 0.05, 0.5, mass=2, position=(0.3, 0, 0), orientation=turned)
    lower = world.add_capsule("lower", 0.05, 0.5, mass=2, position=(0.9, 0, 0), orientation=turned)
    world.set_collision(upper, lower)
    shoulder = world.add_joint("shoulder", "hinge", "world", upper, anchor=(0, 0, 0), axis=(0, -1, 0), limits=(-2, 2))
    elbow = world.add_joint("elbow", "hinge", upper, lower, anchor=(0.6, 0, 0), axis=(0, -1, 0), limits=(-2.5, 2.5))
    for joint in (shoulder, elbow):
        world.add_actuator(joint.name, joint, "position", kp=400.0, kv=60.0, force_range=(-80, 80))
    return world


def hold():
    """Servos sag by the torque over their stiffness, and that torque is that of inverse dynamics."""
    world = arm()
    world.controls = (0.7, -0.4)
    world.run(4.0)
    tree = world.articulation()
    needed = tree.inverse_dynamics(np.zeros(2))
    measured = np.array([joint.axis_force for joint in world.joints])
    print("positions, rad:", tree.q, "torques, N·m:", measured, "by inverse dynamics:", needed)
    return tree.q, measured, needed, world


def follow():
    """Computed torques along a path: the error is that of a step, not of a gain."""
    world = arm()
    for actuator in world.actuators:
        actuator.remove()
    for joint in world.joints:
        world.add_actuator(joint.name, joint, "motor")
    tree = world.articulation()
    worst = 0.0
    while world.time < 2.0:
        t = world.time
        wanted = np.array([np.sin(t), 0.5 * np.sin(2 * t)])
        rate, acceleration = np.array([np.cos(t), np.cos(2 * t)]), np.array([-np.sin(t), -2 * np.sin(2 * t)])
        if world.steps == 0:
            tree.set(wanted, rate)
        error = wanted - tree.q
        world.controls = tree.inverse_dynamics(acceleration + 100 * error + 20 * (rate - tree.v))
        world.step()
        worst = max(worst, np.abs(error).max())
    print("largest error along the path, rad:", worst)
    return worst


def again(world):
    """From the same state the same future, to the last bit."""
    start, ends = world.state(), set()
    for _ in range(20):
        world.set_state(start)
        world.step(50)
        ends.add(world.state_hash)
    print("different futures:", len(ends))
    return ends


if __name__ == "__main__":
    *_, world = hold()
    follow()
    again(world)

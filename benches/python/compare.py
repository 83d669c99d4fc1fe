"""Time of a step from Python, next to MuJoCo's binding, in one process: CPU microseconds, best of several rounds.

    pip install ./python mujoco
    python benches/python/compare.py            # prints the table of benches/results/python.md

The models are as alike as the two engines allow: a free ball, and a ball on a hinge. An msd step also judges itself
(certificate) and keeps the energy ledger; a MuJoCo step computes what `mj_step` does.
"""

import time

import mujoco
import numpy as np

import msd

ROUNDS, STEPS = 15, 4000
BALL = """<mujoco><option timestep="0.001"/><worldbody><body pos="0 0 1e4"><freejoint/>
<geom type="sphere" size="0.1" mass="1"/></body></worldbody></mujoco>"""
PENDULUM = """<mujoco><option timestep="0.001"/><worldbody><body><joint type="hinge" axis="0 1 0"/>
<geom type="sphere" size="0.1" mass="1" pos="1 0 0"/></body></worldbody></mujoco>"""


def best(function, calls):
    """Least CPU time of a call, in microseconds."""
    times = []
    for _ in range(ROUNDS):
        began = time.process_time_ns()
        for _ in range(calls):
            function()
        times.append((time.process_time_ns() - began) / calls)
    return min(times) / 1000


def ball():
    world = msd.World(dt=1e-3)
    world.add_sphere("ball", 0.1, mass=1, position=(0, 0, 1e4))
    return world


def pendulum():
    world = msd.World(dt=1e-3)
    bob = world.add_sphere("bob", 0.1, mass=1, position=(1, 0, 0))
    world.add_joint("hinge", "hinge", "world", bob, anchor=(0, 0, 0), axis=(0, 1, 0))
    return world


def stack():
    world = msd.World(dt=1e-3)
    world.add_plane()
    for k in range(21):
        world.add_box(f"brick {k}", (0.4, 0.2, 0.1), density=1500, position=(0, 0, 0.05 + 0.1 * k))
    world.run(0.1)
    return world


def msd_times(make):
    world = make()
    single = best(world.step, STEPS)
    world = make()
    many = best(lambda: world.step(STEPS), 1) / STEPS
    return single, many


def mujoco_times(text):
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    single = best(lambda: mujoco.mj_step(model, data), STEPS)
    data = mujoco.MjData(model)
    many = best(lambda: mujoco.mj_step(model, data, STEPS), 1) / STEPS
    return single, many


def batch_time(n=256, steps=100):
    batch = msd.Batch(ball(), n, threads=1)
    batch.step(10)
    return best(lambda: batch.step(steps), 1) / (n * steps)


def main():
    print(f"msd {msd.__version__}, MuJoCo {mujoco.__version__}, NumPy {np.__version__}\n")
    print("| CPU µs a step | msd, `step()` | msd, `step(n)` | overhead of a call | MuJoCo, `mj_step` | MuJoCo, `nstep` | ratio of calls |")
    print("|---|---|---|---|---|---|---|")
    for name, make, text in (("free ball", ball, BALL), ("pendulum, one hinge", pendulum, PENDULUM)):
        (one, many), (theirs, theirs_many) = msd_times(make), mujoco_times(text)
        print(f"| {name} | {one:.2f} | {many:.2f} | {one - many:.2f} | {theirs:.2f} | {theirs_many:.2f} | {one / theirs:.2f} |")
    print(f"| ball in a batch of 256, one thread | – | {batch_time():.2f} | – | – | – | – |")
    print("\n| CPU µs | 1 ball | 21 bricks in contact |")
    print("|---|---|---|")
    one, many = ball(), stack()
    for name, make in (
        ("`world.time`", lambda world: lambda: world.time),
        ("`world.states`", lambda world: lambda: world.states),
        ("`world.state()`", lambda world: world.state),
        ("`world.set_state(state)`", lambda world: (lambda state: lambda: world.set_state(state))(world.state())),
        ("`world.snapshot()`", lambda world: world.snapshot),
    ):
        print(f"| {name} | {best(make(one), 500):.2f} | {best(make(many), 200):.2f} |")


if __name__ == "__main__":
    main()

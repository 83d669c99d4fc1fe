"""Student: a bouncing ball and a pendulum, against theory.

    pip install ./python
    python python/examples/bounce_and_pendulum.py
"""

import numpy as np

import msd


def bounce(restitution=0.8, height=1.0):
    """Heights of the bounces: each is the square of the restitution times the one before."""
    world = msd.World(dt=1e-3)
    world.add_plane(restitution=restitution)
    ball = world.add_sphere("ball", 0.1, mass=1, restitution=restitution, position=(0, 0, 0.1 + height))
    z = [ball.position[2] - 0.1]
    for _ in range(3000):
        world.step()
        z.append(ball.position[2] - 0.1)
    z = np.array(z)
    tops = z[1:-1][(z[1:-1] > z[:-2]) & (z[1:-1] >= z[2:])]
    theory = height * restitution ** (2 * np.arange(1, len(tops) + 1))
    print("bounce  height, m  theory, m")
    for number, (top, expected) in enumerate(zip(tops, theory), 1):
        print(f"{number:6}  {top:9.5f}  {expected:9.5f}")
    print("dissipated:", world.energy.dissipated, "J; error of the ledger:", world.energy.error, "J;", world.certificate)
    return tops, theory, world


def pendulum(amplitude=np.pi / 2):
    """The period at a large amplitude: 4 K(sin(θ/2)) √(I / m g l), K by the arithmetic-geometric mean."""
    world = msd.World(dt=1e-3)
    bob = world.add_sphere("bob", 0.05, mass=1, position=(0, 0, -1))
    hinge = world.add_joint("hinge", "hinge", "world", bob, anchor=(0, 0, 0), axis=(0, 1, 0))
    hinge.position = amplitude
    times, before = [], (0.0, hinge.position)
    while len(times) < 4:
        world.step()
        now = (world.time, hinge.position)
        if before[1] > 0 >= now[1]:
            times.append(before[0] + world.dt * before[1] / (before[1] - now[1]))
        before = now
    period = np.diff(times).mean()
    a, g = 1.0, np.cos(amplitude / 2)
    for _ in range(20):
        a, g = (a + g) / 2, np.sqrt(a * g)
    theory = 2 * np.pi / a * np.sqrt((1 + 0.4 * 0.05**2) / 9.81)
    print(f"period {period:.6f} s, theory {theory:.6f} s, small amplitudes {2 * np.pi / np.sqrt(9.81):.6f} s")
    return period, theory


if __name__ == "__main__":
    bounce()
    pendulum()

"""Time of a step of jointed bodies in free flight, next to MuJoCo's binding in the same process: CPU microseconds, best of several
rounds, each of many steps in one call.

    pip install ./python mujoco
    python benches/robots/joints.py            # prints the tables of benches/results/joints.md

Both engines read the same MJCF text, without contact. MuJoCo's integrators are `Euler`, its default, of first order, and `RK4`; msd's is
`velocity-verlet`, of second order, with joints closed to round-off. An msd step also judges itself (certificate) and keeps the energy
ledger.
"""

import tempfile
import time
from pathlib import Path

import mujoco

import msd

ROUNDS = 9


def best(function):
    """Least CPU time of a call, in microseconds."""
    times = []
    for _ in range(ROUNDS):
        began = time.process_time_ns()
        function()
        times.append(time.process_time_ns() - began)
    return min(times) / 1000


def model(bodies, dt, extra=""):
    return (
        f'<mujoco><compiler angle="radian"/><option timestep="{dt}"/>'
        f'<default><geom contype="0" conaffinity="0"/></default>'
        f"<worldbody>{bodies}</worldbody>{extra}</mujoco>"
    )


def pendulum():
    return model('<body name="bob"><joint name="hinge" type="hinge" axis="0 1 0"/><geom type="sphere" size="0.1" mass="1" pos="1 0 0"/></body>', 1e-3)


def chain(links):
    """Rods of 0.2 m and 1 kg on hinges whose axes alternate."""
    text = ""
    for k in range(links):
        axis = "0 1 0" if k % 2 == 0 else "0 1 0.3"
        text += (
            f'<body name="link{k}" pos="{0.2 if k else 0} 0 0"><joint name="hinge{k}" type="hinge" axis="{axis}"/>'
            '<geom type="box" size="0.1 0.025 0.025" pos="0.1 0 0" mass="1"/>'
        )
    return model(text + "</body>" * links, 1e-3)


def arm(servos):
    """Seven hinges in the proportions of a Panda, with armature and damping, with or without soft servos."""
    axes = ["0 0 1", "0 1 0", "0 0 1", "0 -1 0", "0 0 1", "0 -1 0", "0 0 -1"]
    masses = [4.97, 0.65, 3.23, 3.59, 1.23, 1.67, 0.74]
    offsets = ["0 0 0.33", "0 0 0", "0 0 0.32", "0.08 0 0", "-0.08 0 0.38", "0 0 0", "0.09 0 0"]
    text = ""
    for k in range(7):
        text += (
            f'<body name="link{k}" pos="{offsets[k]}"><joint name="joint{k}" type="hinge" axis="{axes[k]}" armature="0.1" damping="1"/>'
            f'<geom type="capsule" size="0.05" fromto="0 0 0 0.05 0.02 0.1" mass="{masses[k]}"/>'
        )
    actuators = "".join(f'<position name="servo{k}" joint="joint{k}" kp="100" kv="10"/>' for k in range(7))
    return model(text + "</body>" * 7, 1e-3, f"<actuator>{actuators}</actuator>" if servos else "")


def humanoid():
    """A free trunk with a head, a pelvis, two arms and two legs of hinges with limits: 13 links, 18 degrees of freedom."""
    limbs = [("head", 1, 3.0, 0.3), ("pelvis", 1, 6.0, -0.3)]
    limbs += [(f"leg{side}", 3, 3.0, -0.35) for side in "lr"] + [(f"arm{side}", 2, 1.5, -0.3) for side in "lr"]
    axes = ["0 1 0", "1 0 0", "0.7 0.7 0"]
    text = '<body name="trunk" pos="0 0 2"><freejoint name="root"/><geom type="box" size="0.15 0.1 0.2" mass="8"/>'
    for number, (name, links, mass, down) in enumerate(limbs):
        side = 0.1 * (number - 2.5)
        for k in range(links):
            at = f"0 {side} {down / 2}" if k == 0 else f"0 0 {down}"
            text += (
                f'<body name="{name}{k}" pos="{at}"><joint name="{name}joint{k}" type="hinge" axis="{axes[k]}" range="-2 2" limited="true"/>'
                f'<geom type="capsule" size="0.04" fromto="0 0 0 0 0 {down}" mass="{mass}"/>'
            )
        text += "</body>" * links
    return model(text + "</body>", 1e-3)


def mujoco_time(text, integrator, steps):
    compiled = mujoco.MjModel.from_xml_string(text.replace("<option ", f'<option integrator="{integrator}" '))
    data = mujoco.MjData(compiled)
    return best(lambda: mujoco.mj_step(compiled, data, steps)) / steps


def imported(text):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.xml"
        path.write_text(text)
        return msd.load(path)


def msd_time(world, steps):
    world.step(20)
    return best(lambda: world.step(steps)) / steps


def net(side):
    """Balls of 0.1 kg, 0.1 m apart, joined to their neighbours half way and held at four corners; from level, 1/240 s."""
    world = msd.World(dt=1 / 240)
    knots = {}
    for row in range(side):
        for column in range(side):
            held = row % (side - 1) == 0 and column % (side - 1) == 0
            how = {"kind": "static"} if held else {"mass": 0.1}
            place = (0.1 * row, 0.1 * column, 0)
            knots[row, column] = world.add_sphere(f"knot {row} {column}", 0.02, position=place, **how)
    for (row, column), body in knots.items():
        for other in ((row + 1, column), (row, column + 1)):
            if other in knots:
                middle = (0.05 * (row + other[0]), 0.05 * (column + other[1]), 0)
                world.add_joint(f"{row} {column} {other}", "ball", body, knots[other], anchor=middle)
    return world


def main():
    print(f"msd {msd.__version__}, MuJoCo {mujoco.__version__}\n")
    print("| CPU µs a step | msd | MuJoCo Euler | MuJoCo RK4 | msd ÷ Euler | msd ÷ RK4 |")
    print("|---|---|---|---|---|---|")
    rows = [
        ("pendulum, one hinge", pendulum(), 4000),
        ("chain of 7 hinges", chain(7), 2000),
        ("chain of 50 hinges", chain(50), 300),
        ("arm of 7 hinges with armature and damping", arm(False), 500),
        ("the same with servos", arm(True), 500),
        ("falling tree of 13 links, 12 hinges with limits", humanoid(), 500),
    ]
    for name, text, steps in rows:
        own = msd_time(imported(text), steps)
        euler, rk4 = (mujoco_time(text, integrator, steps) for integrator in ("Euler", "RK4"))
        print(f"| {name} | {own:.2f} | {euler:.2f} | {rk4:.2f} | {own / euler:.1f} | {own / rk4:.1f} |")
    print("\n| net of ball joints, CPU ms a step | msd |\n|---|---|")
    for side in (10, 30):
        print(f"| {side} × {side} | {msd_time(net(side), 4) / 1000:.1f} |")


if __name__ == "__main__":
    main()

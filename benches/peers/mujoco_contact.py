"""Steps a scene in MuJoCo when told to; see src/contact/mujoco.rs.

Standard input: the length of an MJCF model in characters, a newline, the model; then one order a line: `velocity BODY v w`
(world linear, body-frame angular), `step` (answered by its time in seconds), `poses` (answered by position and quaternion
w x y z of every body in the order of its name), `quit`.
"""

import sys
import time

import mujoco


def main():
    length = int(sys.stdin.readline())
    model = mujoco.MjModel.from_xml_string(sys.stdin.read(length))
    data = mujoco.MjData(model)
    bodies = model.nbody - 1
    ids = [model.body(str(k)).id for k in range(bodies)]
    print("ready", flush=True)
    for line in sys.stdin:
        order, *words = line.split()
        if order == "velocity":
            start = model.body_dofadr[ids[int(words[0])]]
            data.qvel[start : start + 6] = [float(word) for word in words[1:]]
        elif order == "step":
            clock = time.perf_counter()
            mujoco.mj_step(model, data)
            print(time.perf_counter() - clock, flush=True)
        elif order == "poses":
            mujoco.mj_kinematics(model, data)
            numbers = []
            for body in ids:
                numbers.extend(data.xpos[body].tolist() + data.xquat[body].tolist())
            print(*numbers, flush=True)
        else:
            break


main()

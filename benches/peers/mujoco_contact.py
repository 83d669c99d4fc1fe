"""Steps a scene in MuJoCo when told to; see src/contact/mujoco.rs.

Standard input: the length of an MJCF model in characters, a newline, the model; then one order a line: `velocity BODY v w`
(world linear, body-frame angular), `step` (answered by its time in seconds), `poses` (answered by position and quaternion
w x y z of every body in the order of its name), `memory` (answered by the bytes of its model and data), `quit`.
"""

import math
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
            body = ids[int(words[0])]
            start, v = model.body_dofadr[body], [float(word) for word in words[1:]]
            if model.body_dofnum[body] == 1:
                data.qvel[start] = math.hypot(*v[3:])
            else:
                data.qvel[start : start + 6] = v
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
        elif order == "memory":
            print(mujoco.mj_sizeModel(model) + data.nbuffer + int(data.maxuse_arena), flush=True)
        else:
            break


main()

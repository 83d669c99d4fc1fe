"""Environment steps a CPU second of `msd.gym`, one world and many of them, next to gymnasium's own robots; best of several rounds.

    pip install "./python[gym]" mujoco
    python benches/python/environments.py

Actions are those of the action space at random, the same for both engines. The models are the same files; contact and armature are not the
same, and an msd step judges itself and keeps the ledger.
"""

import time

import gymnasium
import numpy as np

import msd.gym

CRAFT = ("Detumble", "Docking", "Capture", "Landing")
ROBOTS = ("InvertedPendulum", "Hopper", "HalfCheetah", "Walker2d", "Ant", "Humanoid")


def rate(play, steps, rounds):
    """Most steps a CPU second."""
    best = 0.0
    for _ in range(rounds):
        began = time.process_time()
        play()
        best = max(best, steps / (time.process_time() - began))
    return best


def single(name, steps, rounds):
    env = gymnasium.make(name)
    env.reset(seed=0)
    env.action_space.seed(0)
    actions = [env.action_space.sample() for _ in range(steps)]

    def play():
        for action in actions:
            *_, terminated, truncated, _ = env.step(action)
            if terminated or truncated:
                env.reset()

    return rate(play, steps, rounds)


def many(name, worlds, rounds):
    envs = gymnasium.make_vec(name, num_envs=worlds)
    envs.reset(seed=0)
    envs.action_space.seed(0)
    actions = [envs.action_space.sample() for _ in range(10)]
    return rate(lambda: [envs.step(action) for action in actions], 10 * worlds, rounds)


def main():
    print("| spacecraft | one world | 256 worlds | physics steps an action |\n|---|---|---|---|")
    for name in CRAFT:
        task = msd.gym.SpaceEnv(name).task
        print(f"| {name} | {single(f'msd/{name}-v0', 500, 5):.0f} | {many(f'msd/{name}-v0', 256, 5):.0f} | {task.frames} |", flush=True)
    print("\n| robot | msd, one world | msd, 16 worlds | gymnasium with MuJoCo | ratio |\n|---|---|---|---|---|")
    for name in ROBOTS:
        steps = 50 if name == "Humanoid" else 200
        own, theirs = single(f"msd/{name}-v0", steps, 3), single(f"{name}-v5", steps, 5)
        wide = many(f"msd/{name}-v0", 16, 2)
        print(f"| {name} | {own:.0f} | {wide:.0f} | {theirs:.0f} | {theirs / own:.1f} |", flush=True)


if __name__ == "__main__":
    main()

"""Environment steps a CPU second of `msd.gym`, one world and 256 of them; best of 5 rounds.

    pip install ./python[gym]
    python benches/python/environments.py
"""

import time

import gymnasium
import numpy as np

import msd.gym


def rate(play, steps):
    """Most steps a CPU second."""
    best = 0.0
    for _ in range(5):
        began = time.process_time()
        play()
        best = max(best, steps / (time.process_time() - began))
    return best


def main():
    print("| environment | one world | 256 worlds | physics steps an action |\n|---|---|---|---|")
    for name in ("msd/Detumble-v0", "msd/Docking-v0"):
        env = gymnasium.make(name)
        envs = gymnasium.make_vec(name, num_envs=256)
        env.reset(seed=0)
        envs.reset(seed=0)

        def single():
            for _ in range(500):
                *_, terminated, truncated, _ = env.step(np.zeros(3, np.float32))
                if terminated or truncated:
                    env.reset()

        def many():
            for _ in range(10):
                envs.step(np.zeros((256, 3), np.float32))

        print(f"| {name} | {rate(single, 500):.0f} | {rate(many, 2560):.0f} | {env.unwrapped.task.frames} |")


if __name__ == "__main__":
    main()

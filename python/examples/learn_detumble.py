"""Learns to stop a tumbling satellite, in plain NumPy: augmented random search (H. Mania, A. Guy and B. Recht, NeurIPS 2018) over a
linear policy, all directions of a generation in one batch of worlds.

    pip install ./python[gym]
    python python/examples/learn_detumble.py [generations]

Prints the learning curve: mean return and share of successes of the policy in 32 episodes that it was not trained on.
"""

import sys

import numpy as np

import msd.gym

DIRECTIONS, EPISODES, STEP, NOISE = 8, 4, 0.3, 0.5


def play(envs, policies, seed):
    """Returns and successes of one episode in every world, each driven by its own policy (worlds, actions, observations)."""
    observations, _ = envs.reset(seed=seed)
    total, alive = np.zeros(envs.num_envs), np.ones(envs.num_envs, dtype=bool)
    success = np.zeros(envs.num_envs, dtype=bool)
    for _ in range(envs.task.limit):
        actions = np.clip(np.einsum("waj,wj->wa", policies, observations), -1, 1).astype(np.float32)
        observations, rewards, terminated, truncated, info = envs.step(actions)
        total += rewards * alive
        success |= info["success"] & alive
        alive &= ~(terminated | truncated)
        if not alive.any():
            break
    return total, success


def main(generations=25):
    random = np.random.default_rng(1)
    policy = np.zeros((3, 3))
    training = msd.gym.VectorSpaceEnv(2 * DIRECTIONS * EPISODES, "detumble")
    test = msd.gym.VectorSpaceEnv(32, "detumble")
    curve = []
    print("generation  return  success")
    for generation in range(generations + 1):
        returns, success = play(test, np.broadcast_to(policy, (32, 3, 3)), seed=10_000)
        curve.append((returns.mean(), success.mean()))
        print(f"{generation:10}  {returns.mean():6.1f}  {success.mean():7.2f}", flush=True)
        deltas = random.normal(size=(DIRECTIONS, 3, 3))
        tried = np.concatenate([policy + NOISE * deltas, policy - NOISE * deltas])
        found, _ = play(training, np.repeat(tried, EPISODES, axis=0), seed=1000 * generation)
        plus, minus = found.reshape(2, DIRECTIONS, EPISODES).mean(axis=2)
        spread = np.concatenate([plus, minus]).std() + 1e-9
        policy += STEP / (DIRECTIONS * spread) * np.einsum("d,dij->ij", plus - minus, deltas)
    return curve


if __name__ == "__main__":
    curve = main(*map(int, sys.argv[1:]))
    print("solved" if curve[-1][1] == 1.0 else "not solved")

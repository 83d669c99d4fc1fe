"""Spacecraft engineer: how hard is the docking, when navigation and thrusters have errors?

    pip install ./python
    python python/examples/docking_monte_carlo.py [runs]

Varies the approach of the chaser of scenes/docking.toml over all cores and prints the distribution of its spin after contact and the share
of runs that stay below a limit, with its 95 % interval. The same study as a file, resumable and on clusters: `msd sweep sweeps/docking.toml`.
"""

import sys
from pathlib import Path

import numpy as np

import msd

SCENE = Path(__file__).resolve().parents[2] / "scenes" / "docking.toml"
LIMIT = 4e-4  # rad/s


def main(runs=200, seed=7):
    random = np.random.default_rng(seed)
    batch = msd.Batch(SCENE, runs)
    vary = {
        "body.chaser.velocity.x": random.normal(7546.1033, 0.01, runs),  # m/s; the station's is 7546.053
        "body.chaser.velocity.y": random.normal(0, 0.005, runs),
        "body.chaser.position.z": random.uniform(-0.2, 0.2, runs),
        "body.chaser.friction": random.uniform(0.05, 0.5, runs),
    }
    states = batch.run(4.0, vary=vary)
    spin = np.linalg.norm(states[:, batch.names.index("chaser"), 10:], axis=1)
    good = spin < LIMIT
    share, z = good.mean(), 1.96
    middle = (share + z**2 / (2 * runs)) / (1 + z**2 / runs)
    reach = z * np.sqrt(share * (1 - share) / runs + z**2 / (4 * runs**2)) / (1 + z**2 / runs)
    print(f"{runs} runs, {sum(failure is not None for failure in batch.failures)} failed, all certified: {batch.certified.all()}")
    print("spin after contact, rad/s: " + ", ".join(f"{p} % {np.percentile(spin, p):.1e}" for p in (5, 50, 95)))
    print(f"below {LIMIT} rad/s: {share:.3f}, 95 % interval {middle - reach:.3f} to {middle + reach:.3f}")
    worst = int(spin.argmax())
    print(f"worst run: {worst}, " + ", ".join(f"{path} = {values[worst]:.6g}" for path, values in vary.items()))
    return spin, batch


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))

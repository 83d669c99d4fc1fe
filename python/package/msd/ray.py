"""Sweeps on a Ray cluster: `pip install msd-sim[ray]`.

    python -m msd.ray sweep.toml --out results --address ray://head:10001

Each part of the sweep is a Ray task that calls the command line `msd`, which must be on the path of every node, as must be the files of
the sweep. Tasks whose worker or node dies are repeated; parts that are there already are not computed again. Results are those of
`msd sweep` on one machine, to the byte. The dashboard of Ray is never started.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import tempfile
from pathlib import Path

__all__ = ["sweep"]


class _Failed(Exception):
    """A part that cannot be computed anywhere."""


def _part(command: str, file: str, part: int, parts: int) -> dict[str, bytes]:
    """Computes a part and returns the files that it made."""
    with tempfile.TemporaryDirectory() as folder:
        arguments = [command, "sweep", file, "--shard", f"{part + 1}/{parts}", "--out", folder, "--threads", "1", "--quiet"]
        done = subprocess.run(arguments, capture_output=True, text=True)
        if done.returncode < 0:
            os.abort()  # Killed with its worker, or by the system: Ray repeats the task.
        if done.returncode != 0:
            raise _Failed(f"part {part}: {done.stderr.strip()}")
        made = [*Path(folder, "parts").glob("*.parquet"), *Path(folder, "recordings").glob("*.msdr")]
        return {str(path.relative_to(folder)): path.read_bytes() for path in made}


def sweep(
    file: str | os.PathLike[str],
    out: str | os.PathLike[str],
    *,
    address: str | None = None,
    command: str = "msd",
    local_command: str | None = None,
    retries: int = 5,
    quiet: bool = False,
) -> None:
    """Computes the missing parts of a sweep on a Ray cluster, puts them into the folder `out`, and writes table and summary there.

    `address` is that of the cluster; without it, Ray runs on this machine. `command` is the command line on the nodes, `local_command`
    that on this machine, if it is another. `retries` is how often a part may lose its worker.
    """
    import ray

    path, folder, local = str(Path(file).resolve()), Path(out), local_command or command
    plan = json.loads(subprocess.run([local, "sweep", path, "--plan"], check=True, capture_output=True, text=True).stdout)
    parts: int = plan["parts"]
    (folder / "parts").mkdir(parents=True, exist_ok=True)
    manifest = folder / "manifest.json"
    if manifest.exists() and json.loads(manifest.read_text()) != plan:
        raise ValueError(f"{folder} holds results of another sweep, scene or version; choose another folder, or remove it")
    manifest.write_text(json.dumps(plan, indent=2) + "\n")
    missing = [part for part in range(parts) if not (folder / "parts" / f"part-{part:05}.parquet").exists()]
    if missing:
        own = not ray.is_initialized()
        if own:
            started = {} if address else {"include_dashboard": False}
            ray.init(address=address, log_to_driver=False, **started)
        try:
            task = ray.remote(_part).options(max_retries=retries, num_cpus=1)
            running = [task.remote(command, path, part, parts) for part in missing]
            while running:
                done, running = ray.wait(running)
                for made in ray.get(done):
                    # Recordings before parts, each whole or not at all: a part that is there is complete.
                    for name, content in sorted(made.items(), reverse=True):
                        whole = folder / name
                        whole.parent.mkdir(parents=True, exist_ok=True)
                        cut = whole.with_suffix(".tmp")
                        cut.write_bytes(content)
                        cut.rename(whole)
        finally:
            if own:
                ray.shutdown()
    subprocess.run([local, "sweep", path, "--out", str(folder), *(["--quiet"] if quiet else [])], check=True)


def main() -> None:
    """The command line of this module."""
    parser = argparse.ArgumentParser(prog="python -m msd.ray", description="A sweep on a Ray cluster.")
    parser.add_argument("file", help="a sweep in TOML")
    parser.add_argument("--out", required=True, help="folder of the results")
    parser.add_argument("--address", help="of the cluster; without it, Ray runs on this machine")
    parser.add_argument("--command", default="msd", help="the command line msd on the nodes")
    parser.add_argument("--local-command", help="the command line msd on this machine, if it is another")
    parser.add_argument("--quiet", action="store_true", help="no summary")
    given = parser.parse_args()
    sweep(
        given.file,
        given.out,
        address=given.address,
        command=given.command,
        local_command=given.local_command,
        quiet=given.quiet,
    )


if __name__ == "__main__":
    main()

"""Sweeps on Ray: the bytes of one machine, also when workers and a node are killed.

Ray looks for its own address on the network, so these tests run only where there is nothing but loopback:

    MSD_TEST_RAY=1 RAY_USAGE_STATS_ENABLED=0 unshare -n sh -c 'ip link set lo up && python -m pytest python/tests/test_ray.py'
"""

import os
import socket
import stat
import subprocess
import sys
import threading
import time

import pytest

if not os.environ.get("MSD_TEST_RAY"):
    pytest.skip("needs a network namespace with loopback only, and MSD_TEST_RAY=1", allow_module_level=True)
# The clusters of these tests are reached over loopback alone. Without this, Ray 2.60 leaves a token in the home folder, asks for it from
# then on, and clients do not send it.
os.environ["RAY_AUTH_MODE"] = "disabled"
ray = pytest.importorskip("ray")
from ray.cluster_utils import Cluster  # noqa: E402

import msd.ray  # noqa: E402

SWEEP = """
scene = "{scenes}/bouncing-ball.toml"
samples = 40
seed = 3
until = 0.5
[vary]
"body.ball.position.z" = {{ uniform = [0.5, 2.0] }}
[keep]
columns = ["body.ball.position", "contacts.max_force"]
record = "failed"
[judge]
low = "body.ball.position.z < 1"
"""


@pytest.fixture
def sweep(tmp_path, scenes, command):
    """A sweep, and the table that one machine makes of it."""
    file = tmp_path / "sweep.toml"
    file.write_text(SWEEP.format(scenes=scenes))
    subprocess.run([command, "sweep", file, "--out", tmp_path / "local", "--quiet"], check=True)
    return file, (tmp_path / "local" / "runs.parquet").read_bytes()


def wrapper(tmp_path, command, lines):
    """The command line behind a script that does something first."""
    script = tmp_path / "wrapped"
    script.write_text(f"#!/bin/sh\n{lines}\nexec {command} \"$@\"\n")
    script.chmod(script.stat().st_mode | stat.S_IEXEC)
    return str(script)


def test_killed_workers_are_replaced_and_what_is_there_is_kept(tmp_path, sweep, command):
    file, expected = sweep
    # The first and the second task that get here kill their worker.
    marks = tmp_path / "marks"
    marks.mkdir()
    kill = f'case "$*" in *--shard*) for n in 1 2; do if mkdir {marks}/$n 2>/dev/null; then kill -9 $PPID; exit 1; fi; done;; esac'
    out = tmp_path / "ray"
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        msd.ray.sweep(file, out, command=wrapper(tmp_path, command, kill))
        assert len(list(marks.iterdir())) == 2, "two workers were killed"
        assert (out / "runs.parquet").read_bytes() == expected
        assert sorted(path.name for path in (out / "recordings").iterdir()) == sorted(
            path.name for path in (tmp_path / "local" / "recordings").iterdir()
        )
        # One part is lost: only that one is computed again.
        (out / "parts" / "part-00005.parquet").unlink()
        log = tmp_path / "log"
        msd.ray.sweep(file, out, command=wrapper(tmp_path, command, f'case "$*" in *--shard*) echo "$*" >> {log};; esac'))
        assert log.read_text().count("\n") == 1 and "--shard 6/40" in log.read_text()
        assert (out / "runs.parquet").read_bytes() == expected
    finally:
        ray.shutdown()


def test_a_killed_node_is_survived(tmp_path, sweep, command):
    file, expected = sweep
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    try:
        node = cluster.add_node(num_cpus=1)
        ray.init(address=cluster.address, log_to_driver=False)
        slow = wrapper(tmp_path, command, 'case "$*" in *--shard*) sleep 0.4;; esac')
        killer = threading.Thread(target=lambda: (time.sleep(3), cluster.remove_node(node, allow_graceful=False)))
        killer.start()
        msd.ray.sweep(file, tmp_path / "ray", command=slow)
        killer.join()
        assert (tmp_path / "ray" / "runs.parquet").read_bytes() == expected
    finally:
        ray.shutdown()
        cluster.shutdown()


def test_the_command_line_computes_on_a_cluster_by_address(tmp_path, sweep, command):
    """`msd sweep --on ray://HOST:PORT` through the client server of a head node, then `--on ray` for what is missing."""
    file, expected = sweep
    out = tmp_path / "on"
    port, client = free_port(), free_port()
    folder = ["--temp-dir", str(tmp_path / "ray")] if len(str(tmp_path)) < 60 else []
    start = ["ray", "start", "--head", f"--port={port}", f"--ray-client-server-port={client}", "--include-dashboard=false"]
    binaries = os.path.dirname(sys.executable)
    environment = {
        **os.environ,
        "PATH": os.pathsep.join([binaries, os.path.dirname(command), os.environ["PATH"]]),
        "MSD_PYTHON": sys.executable,
    }
    subprocess.run([*start, "--num-cpus=2", *folder], check=True, env=environment, capture_output=True)
    try:
        on = [command, "sweep", file, "--on", f"ray://127.0.0.1:{client}", "--out", out, "--quiet"]
        done = subprocess.run(on, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert (out / "runs.parquet").read_bytes() == expected
    finally:
        subprocess.run(["ray", "stop", "--force"], env=environment, capture_output=True)
    (out / "parts" / "part-00002.parquet").unlink()
    local = [command, "sweep", file, "--on", "ray", "--out", out, "--quiet"]
    done = subprocess.run(local, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (out / "runs.parquet").read_bytes() == expected
    environment["MSD_PYTHON"] = str(tmp_path / "python")
    done = subprocess.run(local, env=environment, capture_output=True, text=True)
    assert done.returncode == 1 and "msd-sim[ray]" in done.stderr


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]

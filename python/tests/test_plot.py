"""Plots show the numbers of recordings and sweeps."""

import subprocess

import numpy as np
import pytest

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

import msd  # noqa: E402
import msd.plot  # noqa: E402


@pytest.fixture
def recording(tmp_path):
    world = msd.World(dt=1e-2)
    world.add_sphere("ball", 0.1, mass=2, velocity=(1, 0, 3))
    with world.record(tmp_path / "ball.msdr"):
        world.run(0.5)
    return msd.open(tmp_path / "ball.msdr")


def test_plots_of_a_recording(recording):
    axes = msd.plot.body(recording, "ball", "velocity")
    lines = {line.get_label(): line.get_ydata() for line in axes.get_lines()}
    np.testing.assert_allclose(lines["z"], 3 - 9.81 * recording.times, atol=1e-9)
    assert axes.get_ylabel() == "velocity, m/s"
    axes = msd.plot.energy(recording)
    total = axes.get_lines()[0].get_ydata()
    np.testing.assert_allclose(total, total[0], rtol=1e-9)
    assert msd.plot.figure(recording, "kinetic", axes=axes) is axes
    with pytest.raises(KeyError, match="there is no quantity `speed`"):
        msd.plot.body(recording, "ball", "speed")
    with pytest.raises(KeyError, match="there is no figure `heat`"):
        msd.plot.figure(recording, "heat")


def test_plots_of_a_sweep(tmp_path, scenes, command):
    pytest.importorskip("pyarrow")
    sweep = tmp_path / "sweep.toml"
    sweep.write_text(
        f'scene = "{scenes}/bouncing-ball.toml"\nsamples = 20\nuntil = 0.3\n[vary]\n"body.ball.position.z" = {{ uniform = [0.5, 2] }}\n'
        '[keep]\ncolumns = ["body.ball.position"]\n[judge]\nlow = "body.ball.position.z < 1"\n'
    )
    subprocess.run([command, "sweep", sweep, "--out", tmp_path / "out", "--quiet"], check=True)
    out, column = tmp_path / "out", "body.ball.position.z"
    assert sum(patch.get_height() for patch in msd.plot.histogram(out, column).patches) == 20
    [line] = msd.plot.cumulative(out, column).get_lines()
    assert line.get_ydata()[-1] == 1 and (np.diff(line.get_xdata()) >= 0).all()
    axes = msd.plot.scatter(out / "runs.parquet", f"vary.{column}", column, judge="low")
    colors = {tuple(color) for color in axes.collections[0].get_facecolors()}
    assert len(axes.collections[0].get_offsets()) == 20 and len(colors) == 2
    with pytest.raises(KeyError, match="has no column `height`"):
        msd.plot.histogram(out, "height")

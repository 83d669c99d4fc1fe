"""Plots by Matplotlib: `pip install msd-sim[plot]`.

    import msd.plot
    msd.plot.energy(msd.open("run.msdr"))
    msd.plot.body(msd.open("run.msdr"), "ball", "position")

Every function draws into the axes it is given, or new ones, and returns them.
"""

from __future__ import annotations

from os import PathLike, fspath
from pathlib import Path
from typing import Any

import numpy as np

from ._msd import Recording

__all__ = ["body", "cumulative", "energy", "figure", "histogram", "scatter"]

#: Columns of a state: first, last, names and unit.
QUANTITIES = {
    "position": (0, 3, ("x", "y", "z"), "m"),
    "orientation": (3, 7, ("w", "x", "y", "z"), ""),
    "velocity": (7, 10, ("x", "y", "z"), "m/s"),
    "angular_velocity": (10, 13, ("x", "y", "z"), "rad/s"),
}


def _axes(axes: Any) -> Any:
    if axes is not None:
        return axes
    import matplotlib.pyplot as plt

    return plt.subplots(layout="constrained")[1]


def energy(recording: Recording, axes: Any = None) -> Any:
    """The energy ledger of a recording over time: kinetic, potential, their sum, work in, dissipated (J)."""
    axes, figures = _axes(axes), recording.figures
    axes.plot(figures["time"], figures["kinetic"] + figures["potential"], "k", label="kinetic + potential")
    for name in ("kinetic", "potential", "work_in", "dissipated"):
        axes.plot(figures["time"], figures[name], label=name.replace("_", " "))
    axes.set(xlabel="time, s", ylabel="energy, J", title=f"largest error {np.abs(figures['error']).max():.1e} J")
    axes.legend()
    return axes


def figure(recording: Recording, name: str, axes: Any = None) -> Any:
    """One of `Recording.figures` over time."""
    axes, figures = _axes(axes), recording.figures
    if name not in figures:
        raise KeyError(f"there is no figure `{name}`; there is {', '.join(figures)}")
    axes.plot(figures["time"], figures[name])
    axes.set(xlabel="time, s", ylabel=name)
    return axes


def body(recording: Recording, name: str, quantity: str = "position", axes: Any = None) -> Any:
    """Position, orientation, velocity or angular velocity of a body over time, component by component."""
    if quantity not in QUANTITIES:
        raise KeyError(f"there is no quantity `{quantity}`; there is {', '.join(QUANTITIES)}")
    axes = _axes(axes)
    first, last, names, unit = QUANTITIES[quantity]
    lines = axes.plot(recording.times, recording[name][:, first:last])
    for line, component in zip(lines, names):
        line.set_label(component)
    quantity = quantity.replace("_", " ")
    axes.set(xlabel="time, s", ylabel=f"{quantity}, {unit}" if unit else quantity, title=name)
    axes.legend()
    return axes


def _column(results: str | PathLike[str], column: str) -> Any:
    """A column of the table of a sweep, by PyArrow."""
    import pyarrow.parquet

    path = Path(fspath(results))
    path = path / "runs.parquet" if path.is_dir() else path
    known = pyarrow.parquet.read_schema(path).names
    if column not in known:
        raise KeyError(f"{path} has no column `{column}`; it has {', '.join(known)}")
    # The file itself: given a path, PyArrow looks for folders that are partitions.
    with path.open("rb") as file:
        return pyarrow.parquet.read_table(file, columns=[column])[column].to_numpy()


def histogram(results: str | PathLike[str], column: str, axes: Any = None, bins: Any = "auto") -> Any:
    """Histogram of a column of a sweep; `results` is its folder or table. Needs PyArrow."""
    axes = _axes(axes)
    axes.hist(_column(results, column), bins=bins)
    axes.set(xlabel=column, ylabel="runs")
    return axes


def cumulative(results: str | PathLike[str], column: str, axes: Any = None) -> Any:
    """Share of the runs of a sweep up to a value of a column."""
    axes, values = _axes(axes), np.sort(_column(results, column))
    axes.step(values, np.arange(1, len(values) + 1) / len(values), where="post")
    axes.set(xlabel=column, ylabel="share of runs", ylim=(0, 1))
    return axes


def scatter(results: str | PathLike[str], x: str, y: str, axes: Any = None, judge: str | None = None) -> Any:
    """One column of a sweep over another; with `judge`, runs that it fails are red."""
    axes, failed = _axes(axes), None
    if judge is not None:
        failed = np.where(_column(results, f"judge.{judge}"), "tab:blue", "tab:red")
    axes.scatter(_column(results, x), _column(results, y), c=failed, s=6)
    axes.set(xlabel=x, ylabel=y)
    return axes

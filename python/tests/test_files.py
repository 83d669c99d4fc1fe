"""Scenes, robots and recordings; agreement with the command line."""

import json
import subprocess

import numpy as np
import pytest

import msd


@pytest.mark.parametrize(
    "name", ["bouncing-ball", "pendulum", "docking", "satellite", "attitude-control", "chain", "pouring", "tumbling-t-handle"]
)
def test_states_are_those_of_the_command_line(scenes, command, name):
    path = scenes / f"{name}.toml"
    told = subprocess.run(
        [command, "run", path, "--until", "0.5", "--quiet", "--report", "-"], check=True, capture_output=True, text=True
    )
    report = json.loads(told.stdout)
    world = msd.load(path)
    world.run(0.5)
    assert world.state_hash == report["state_hash"]
    assert world.steps == report["steps"]
    assert world.energy.max_error == report["energy"]["max_error"]


def test_robots_are_loaded(scenes):
    world = msd.load(scenes / "arm.urdf")
    assert len(world.joints) > 1
    world.run(0.1)
    assert world.certificate


def test_every_scene_of_the_gallery_is_read(scenes):
    for path in scenes.glob("*.toml"):
        if "scene =" in path.read_text():
            continue
        world = msd.load(path)
        world.step()
        assert world.steps == 1, path


def test_a_recording_is_arrays(scenes, tmp_path):
    world = msd.load(scenes / "bouncing-ball.toml")
    with world.record(tmp_path / "run.msdr"):
        world.run(1.0)
    recording = msd.open(tmp_path / "run.msdr")
    times, states = recording.times, recording.states
    assert states.shape == (len(times), len(recording.names), 13)
    assert times[-1] == 1.0
    np.testing.assert_array_equal(states[-1, recording.names.index("ball")], world.states[world.names.index("ball")])
    np.testing.assert_array_equal(recording["ball"], states[:, recording.names.index("ball")])
    assert recording.figures["error"].shape == times.shape
    assert recording.verify() is None
    assert any(kind == "contact-began" for _, kind, _, _ in recording.events)
    assert recording.plot("height", "ball").startswith("<svg")
    recording.export(tmp_path / "run.csv")
    assert (tmp_path / "run.csv").read_text().count("\n") > len(times)
    with pytest.raises(msd.RecordingError, match="bal"):
        recording["bal"]
    with pytest.raises(ValueError, match="mcap"):
        recording.export(tmp_path / "run.xyz")


def test_a_recording_of_a_program_is_verified(tmp_path):
    world = msd.World()
    a = world.add_sphere("a", 0.1, mass=1)
    world.record(tmp_path / "run.msdr", every=0.01)
    world.run(0.1)
    world.stop_recording()
    recording = msd.open(tmp_path / "run.msdr")
    assert recording.frames == 11 and recording.verify() is None
    with pytest.raises(msd.RecordingError):
        world.record(tmp_path / "run.msdr")
    # From a state that no scene describes, with an agent that is Python's.
    a.velocity = (1, 0, 0)
    world.add_agent(lambda view: {"a": {"force": (0, view.time, 0)}})
    with world.record(tmp_path / "later.msdr"):
        world.run(0.1)
    assert msd.open(tmp_path / "later.msdr").verify() is None
    # A force by hand is no command: the recording says where it differs.
    with world.record(tmp_path / "hand.msdr"):
        world.step(5)
        a.apply_force((0, 0, 50))
        world.step(5)
    assert "at t = " in msd.open(tmp_path / "hand.msdr").verify()
    # Two bodies that pass through each other by hand are no part of a scene.
    b = world.add_sphere("b", 0.1, mass=1, position=(5, 0, 0))
    world.set_collision(a, b)
    with world.record(tmp_path / "model.msdr"):
        world.run(0.01)
    with pytest.raises(msd.RecordingError):
        msd.open(tmp_path / "model.msdr").verify()

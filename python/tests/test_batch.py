"""Batches: the bits of a world alone, on any number of threads."""

import numpy as np
import pytest

import msd


def test_every_world_has_the_bits_it_has_alone(scenes):
    batch = msd.Batch(scenes / "bouncing-ball.toml", 5)
    heights = np.linspace(1.0, 3.0, 5)
    states = batch.run(0.7, vary={"body.ball.position.z": heights})
    assert states.shape == (5, len(batch.names), 13)
    other = msd.Batch(scenes / "bouncing-ball.toml", 5, threads=1)
    other.run(0.7, vary={"body.ball.position.z": heights})
    assert batch.state_hashes == other.state_hashes
    alone = msd.load(scenes / "bouncing-ball.toml")
    ball = alone["ball"]
    ball.position = (*ball.position[:2], heights[3])
    alone.run(0.7)
    assert alone.state_hash == batch.state_hashes[3]
    assert batch.world(3).state_hash == alone.state_hash
    assert batch.certified[3] == alone.certificate.certified
    assert batch.energy_errors[3] == alone.energy.max_error < 1e-6
    np.testing.assert_allclose(batch.times, 0.7)


def test_vectors_and_numbers_can_be_varied(scenes):
    batch = msd.Batch(scenes / "docking.toml", 3)
    velocity = np.array([[7546.1, 0, 0], [7546.1, 0.01, 0], [7546.1, 0, 0.02]])
    states = batch.run(0.0, vary={"body.chaser.velocity": velocity, "body.chaser.friction": 0.3})
    np.testing.assert_array_equal(states[:, batch.names.index("chaser"), 7:10], velocity)


def test_worlds_are_reset_set_and_driven():
    world = msd.World(gravity=(0, 0, 0), dt=0.1)
    world.add_sphere("ball", 0.5, mass=2.0)
    batch = msd.Batch(world, 4)
    batch.apply("ball", force=np.arange(12).reshape(4, 3))
    batch.step()
    np.testing.assert_allclose(batch.states[:, 0, 7:10], 0.05 * np.arange(12).reshape(4, 3))
    twin = msd.Batch(world, 4)
    twin.step(3, body="ball", force=np.arange(12).reshape(4, 3), torque=(0, 0, 1))
    other = twin.states
    np.testing.assert_allclose(other[:, 0, 7:10], 0.15 * np.arange(12).reshape(4, 3))
    np.testing.assert_allclose(other[:, 0, 12], 0.3 / 0.2)
    with pytest.raises(KeyError, match="ball"):
        twin.step(body="bal", force=(1, 0, 0))
    with pytest.raises(TypeError, match="body"):
        twin.step(force=(1, 0, 0))
    batch.reset([1, -1])
    np.testing.assert_array_equal(batch.times, [0.1, 0, 0.1, 0])
    batch.set("ball", velocity=(1, 0, 0), worlds=np.array([True, False, False, True]))
    np.testing.assert_array_equal(batch.states[[0, 3], 0, 7:10], [[1, 0, 0], [1, 0, 0]])
    batch.reset(np.zeros(4, bool))
    assert batch.times[0] == 0.1


def test_a_world_that_fails_leaves_the_others(scenes):
    world = msd.World(dt=1.0)
    world.add_sphere("ball", 0.5, mass=1.0)
    batch = msd.Batch(world, 2)
    batch.set("ball", velocity=[[0, 0, 0], [1e12, 0, 0]])
    batch.step()
    assert batch.failures[0] is None and "ball" in batch.failures[1]
    np.testing.assert_array_equal(batch.times, [1, 0])


def test_python_agents_act_in_batches():
    world = msd.World(gravity=(0, 0, 0))
    world.add_box("satellite", (1, 2, 3), mass=50, spin=(0.1, -0.2, 0.3))
    world.add_agent(lambda view: {"satellite": {"torque": -40 * view["satellite"].angular_velocity}}, period=0.05)
    batch = msd.Batch(world, 3)
    states = batch.run(20.0)
    assert np.abs(states[:, 0, 10:]).max() < 1e-3

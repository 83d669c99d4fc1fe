"""Errors name the culprit and what would have been right, whatever is given."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import msd

ANYTHING = st.one_of(
    st.none(),
    st.booleans(),
    st.floats(),
    st.integers(),
    st.text(max_size=5),
    st.lists(st.floats(), max_size=4),
    st.tuples(st.floats(), st.floats(), st.floats()),
    st.dictionaries(st.text(max_size=3), st.floats(), max_size=2),
)
KEYS = ["mass", "density", "position", "orientation", "velocity", "spin", "friction", "restitution", "kind", "material", "inertia", "groups"]
REFUSED = (msd.Error, TypeError, ValueError, OverflowError)


@settings(max_examples=300, deadline=None)
@given(st.dictionaries(st.sampled_from(KEYS), ANYTHING, max_size=4))
def test_a_body_is_added_or_refused_by_name(keys):
    world = msd.World()
    try:
        body = world.add_sphere("probe", 0.5, **keys)
    except REFUSED as error:
        assert str(error)
        assert len(world) == 0
        return
    assert math.isfinite(sum(body.position)) and "probe" in world
    before = world.state_hash
    try:
        world.step()
    except msd.WorldError as error:
        # A speed that leads beyond what the engine resolves: named, and nothing has changed.
        assert "probe" in str(error) and world.state_hash == before


@settings(max_examples=200, deadline=None)
@given(ANYTHING)
def test_vectors_are_set_or_refused(value):
    world = msd.World()
    body = world.add_sphere("probe", 0.5, mass=1)
    for name in ("position", "velocity", "angular_velocity", "orientation"):
        before = world.state_hash
        try:
            setattr(body, name, value)
        except REFUSED as error:
            assert name.split("_")[0] in str(error) or "numbers" in str(error)
            assert world.state_hash == before


@settings(max_examples=100, deadline=None)
@given(st.floats())
def test_steps_are_positive_and_finite(dt):
    try:
        world = msd.World(dt=dt)
    except msd.Error as error:
        assert "dt" in str(error)
        return
    assert world.dt == dt > 0


@pytest.mark.parametrize(
    "make, error, text",
    [
        (lambda w: w.add_sphere("a", -1, mass=1), msd.SceneError, "a"),
        (lambda w: w.add_sphere("a", 1), msd.SceneError, "mass"),
        (lambda w: w.add_sphere("a", 1, mass=-2), msd.Error, "-2"),
        (lambda w: w.add_sphere("a", 1, masss=2), msd.SceneError, "masss"),
        (lambda w: w.add_sphere("ball", 1, mass=2), msd.SceneError, "ball"),
        (lambda w: w.add_sphere("a", 1, mass=2, material="ice"), msd.SceneError, "ice"),
        (lambda w: w.add_joint("j", "hing", "world", "ball", axis=(0, 0, 1)), msd.SceneError, "hinge"),
        (lambda w: w.add_joint("j", "hinge", "world", "bal", axis=(0, 0, 1)), msd.SceneError, "did you mean `ball`"),
        (lambda w: w.add_field("drag"), msd.SceneError, "drag"),
        (lambda w: w["bal"], KeyError, "ball"),
        (lambda w: w.joint("axle"), KeyError, "axle"),
        (lambda w: w.add_agent(3), TypeError, "callable"),
        (lambda w: msd.World(integrator="rk5"), ValueError, "rk4"),
        (lambda w: msd.World(solver="quick"), ValueError, "fast"),
        (lambda w: w.cast_ray((0, 0, 0), (0, 0, 0)), ValueError, "direction"),
        (lambda w: w.run(-1.0), msd.WorldError, "-1"),
        (lambda w: w.restore(b"abc"), msd.WorldError, "not a snapshot"),
        (lambda w: w.set_state(msd.World().state()), msd.WorldError, "other bodies or joints"),
        (lambda w: msd.load("nowhere.toml"), msd.SceneError, "nowhere.toml"),
        (lambda w: msd.open("nowhere.msdr"), msd.RecordingError, "nowhere.msdr"),
        (lambda w: msd.Batch(w, 0), ValueError, "at least one"),
        (lambda w: msd.Batch(w, 2).run(1.0, vary={"body.ball.velocity": [1, 2, 3]}), ValueError, "2 worlds"),
        (lambda w: msd.Batch(w, 2).run(1.0, vary={"body.bal.mass": 1.0}), msd.SceneError, "did you mean `ball`"),
        (lambda w: msd.Batch(w, 2).run(1.0, vary={"body.ball.mass": [1, -1]}), msd.SceneError, "mass"),
        (lambda w: msd.Batch(w, 2).set("ball", velocity=[[1, 2]]), ValueError, "shape"),
        (lambda w: msd.Batch(w, 2).world(2), IndexError, "2"),
    ],
)
def test_messages(make, error, text):
    world = msd.World()
    world.add_sphere("ball", 1, mass=1)
    with pytest.raises(error, match=text):
        make(world)


def test_problems_of_a_scene_have_places(tmp_path):
    scene = tmp_path / "broken.toml"
    scene.write_text('format = 1\n[[body]]\nname = "a"\nmas = 1.0\n')
    with pytest.raises(msd.SceneError, match="broken.toml:4") as caught:
        msd.load(scene)
    assert caught.value.problems[0]["line"] == 4

"""The programs of python/examples, as four users run them."""

import runpy

import numpy as np
import pytest
from conftest import ROOT


def example(name):
    return runpy.run_path(str(ROOT / "python" / "examples" / f"{name}.py"))


def test_the_engineer_gets_a_distribution_that_repeats():
    main = example("docking_monte_carlo")["main"]
    spin, batch = main(60)
    assert batch.certified.all() and batch.failures == [None] * 60
    assert 0 < np.percentile(spin, 50) < np.percentile(spin, 95) < 2e-3
    np.testing.assert_array_equal(spin, main(60)[0])


def test_the_arm_holds_follows_and_repeats():
    program = example("robot_arm")
    q, measured, needed, world = program["hold"]()
    np.testing.assert_allclose(measured, needed, rtol=1e-6)
    # A servo sags by its torque over its stiffness.
    np.testing.assert_allclose(q, (0.7, -0.4) - measured / 400, atol=1e-6)
    assert program["follow"]() < 1e-3
    assert len(program["again"](world)) == 1


def test_bounce_and_pendulum_agree_with_theory():
    program = example("bounce_and_pendulum")
    tops, theory, world = program["bounce"]()
    assert len(tops) >= 5
    np.testing.assert_allclose(tops, theory, rtol=2e-3)
    assert abs(world.energy.error) < 1e-9 and world.certificate
    period, expected = program["pendulum"]()
    assert period == pytest.approx(expected, rel=1e-5)


def test_detumbling_is_learnt():
    pytest.importorskip("gymnasium")
    curve = example("learn_detumble")["main"](8)
    assert curve[0][1] == 0.0 and curve[-1][1] == 1.0

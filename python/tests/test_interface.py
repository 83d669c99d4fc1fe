"""Contact hooks, triggers, joints that break and latch, queries at a point, and properties: each against its law."""

import numpy as np
import pytest

import msd


def floor_and_block(**keys):
    world = msd.World(dt=1e-3)
    world.add_plane(friction=0.5)
    return world, world.add_box("block", (0.2, 0.2, 0.2), mass=1, position=(0, 0, 0.1), velocity=(2, 0, 0), **keys)


def test_a_hook_decides_on_friction():
    world, block = floor_and_block(friction=0.5)
    seen = []

    def ice(pair):
        seen.append((pair.a, pair.b, pair.gap, tuple(pair.normal)))
        pair.friction = 0.1

    world.set_contact_hook(ice)
    world.run(0.5)
    assert {pair[:2] for pair in seen} in ({("ground", "block")}, {("block", "ground")})
    assert all(abs(normal[2]) == 1 for *_, normal in seen)
    # Coulomb's law: v = 2 - 0.1 g t.
    assert block.velocity[0] == pytest.approx(2 - 0.1 * 9.81 * 0.5, abs=1e-6)
    world.set_contact_hook(None)
    before = len(seen)
    world.run(0.1)
    assert len(seen) == before
    assert block.velocity[0] == pytest.approx(2 - 0.1 * 9.81 * 0.5 - 0.5 * 9.81 * 0.1, abs=1e-3)


def test_a_hook_lets_bodies_through_and_moves_surfaces():
    world, block = floor_and_block()

    def through(pair):
        pair.enabled = False

    world.set_contact_hook(through)
    world.run(0.5)
    assert block.position[2] == pytest.approx(0.1 - 0.5 * 9.81 * 0.25, abs=1e-6)

    world, block = floor_and_block(friction=0.5)
    block.velocity = (0, 0, 0)

    def belt(pair):
        pair.surface_velocity = (0.3, 0, 0) if pair.b == "ground" else (-0.3, 0, 0)

    world.set_contact_hook(belt)
    world.run(1.0)
    assert block.velocity[0] == pytest.approx(0.3, abs=1e-6)


def test_an_exception_of_a_hook_refuses_the_step():
    world, _ = floor_and_block()
    world.run(0.01)
    before = world.state_hash

    def broken(pair):
        raise RuntimeError("no answer")

    world.set_contact_hook(broken)
    with pytest.raises(RuntimeError, match="no answer"):
        world.step()
    assert world.state_hash == before
    with pytest.raises(TypeError, match="callable"):
        world.set_contact_hook(3)


def test_triggers_report_who_enters_and_leaves():
    world = msd.World(dt=1e-3)
    gate = world.add_box("gate", (1, 1, 0.2), kind="static", trigger=True, position=(0, 0, 0))
    world.add_sphere("ball", 0.05, mass=1, position=(0, 0, 0.5))
    events = []
    for _ in range(500):
        world.step()
        events += world.trigger_events
        if events and events[-1][0] == "enter":
            assert world.inside(gate) == ["ball"] == world.inside("gate")
    assert [event[0] for event in events] == ["enter", "leave"]
    assert all(event[1:] == ("gate", "ball") for event in events)


def test_a_joint_breaks_at_its_load_and_can_be_switched():
    world = msd.World(dt=1e-3)
    ball = world.add_sphere("ball", 0.1, mass=1)
    rod = world.add_joint("rod", "fixed", "world", ball, anchor=(0, 0, 0))
    rod.break_at(force=20.0)
    world.run(0.1)
    assert rod.enabled and abs(ball.velocity[2]) < 1e-9
    ball.apply_force((0, 0, -15))                            # 15 + 9.81 > 20
    world.step()
    assert world.joint_events == [("broken", "rod")] and not rod.enabled
    world.run(0.1)
    assert ball.velocity[2] == pytest.approx(-0.981, rel=0.02)
    with pytest.raises(msd.WorldError, match="positive"):
        rod.break_at(force=-1.0)

    world = msd.World(dt=1e-3)
    ball = world.add_sphere("ball", 0.1, mass=1)
    rod = world.add_joint("rod", "fixed", "world", ball, anchor=(0, 0, 0))
    rod.enabled = False
    world.run(0.1)
    assert ball.velocity[2] == pytest.approx(-0.981, abs=1e-6)


def test_a_latch_holds_what_touched_until_it_is_opened():
    world = msd.World(dt=1e-3, gravity=(0, 0, 0))
    left = world.add_box("left", (0.2, 0.2, 0.2), mass=1, restitution=0)
    right = world.add_box("right", (0.2, 0.2, 0.2), mass=1, position=(0.3, 0, 0), velocity=(-1, 0, 0), restitution=0)
    latch = world.add_joint("latch", "latch", left, right)
    world.run(0.2)
    assert latch.enabled
    right.apply_impulse((1.0, 0, 0))
    world.run(0.2)
    # Momentum -1 + 1 N·s: both rest, together.
    assert np.allclose([left.velocity, right.velocity], 0, atol=1e-9)
    latch.open()
    right.apply_impulse((1.0, 0, 0))
    world.run(0.2)
    assert right.velocity[0] == pytest.approx(1.0) and left.velocity[0] == pytest.approx(0.0, abs=1e-12)
    with pytest.raises(msd.WorldError, match="add_latch"):
        world.add_joint("weld", "fixed", "world", left, anchor=(0, 0, 0)).open()


def test_queries_at_a_point_and_along_a_ray():
    world = msd.World()
    world.add_sphere("near", 0.5, mass=1, position=(2, 0, 0))
    world.add_box("far", (1, 1, 1), mass=1, position=(5, 0, 0))
    hits = world.cast_ray_all((0, 0, 0), (1, 0, 0))
    assert [(hit.body, hit.distance) for hit in hits] == [("near", pytest.approx(1.5)), ("far", pytest.approx(4.5))]
    assert [hit.body for hit in world.cast_ray_all((0, 0, 0), (1, 0, 0), exclude=["near"])] == ["far"]
    assert world.containing((2.3, 0, 0)) == ["near"] and world.containing((0, 0, 0)) == []
    name, distance, point, normal = world.nearest_point((0, 0, 0))
    assert name == "near" and distance == pytest.approx(1.5)
    assert point == pytest.approx((1.5, 0, 0)) and normal == pytest.approx((-1, 0, 0))
    assert world.nearest_point((2, 0, 0.4))[1] == pytest.approx(-0.1)
    assert world.nearest_point((0, 0, 0), 1.0) is None


def test_mass_damping_and_properties_can_be_changed():
    world = msd.World(dt=1e-4, gravity=(0, 0, 0))
    ball = world.add_sphere("ball", 0.1, mass=1, velocity=(1, 0, 0))
    ball.mass = 4
    assert ball.mass == 4
    ball.apply_impulse((4, 0, 0))
    assert ball.velocity[0] == pytest.approx(2)
    ball.damping = (0.5, 0)
    assert ball.damping == (0.5, 0)
    world.run(1.0)
    assert ball.velocity[0] == pytest.approx(2 * np.exp(-0.5), rel=1e-3)
    assert ball.get_property("magnetic-dipole") is None
    ball.set_property("magnetic-dipole", (0, 0, 1.5))
    assert ball.get_property("magnetic-dipole") == pytest.approx((0, 0, 1.5))
    ball.set_property("temperature", 280)
    assert ball.get_property("temperature") == 280
    with pytest.raises(msd.WorldError, match="ball"):
        ball.mass = -1

"""Worlds: bodies, joints, fields, contacts, queries, states."""

import copy
import threading
import time

import numpy as np
import pytest

import msd


def ball(**keys):
    world = msd.World(**keys)
    world.add_sphere("ball", 0.1, mass=1.0, position=(0, 0, 10))
    return world


def heap(**keys):
    world = msd.World(dt=1 / 120, **keys)
    world.add_plane(friction=0.6)
    for k in range(6):
        world.add_box(f"box {k}", (0.4, 0.3, 0.2), density=700, position=(0.03 * k, 0.02 * k, 0.2 + 0.3 * k), spin=(0, 0.1, 0.2))
    return world


def test_readme_program(capsys):
    world = msd.World(dt=1e-3)
    world.add_plane()
    racket = world.add_box(
        "racket", size=(0.6, 0.25, 0.02), density=600, position=(0, 0, 2), velocity=(1, 0, 9.81), spin=(0.01, 12, 0)
    )
    for _ in range(2000):
        world.step()
    print(racket.position, world.energy.error, world.certificate)
    assert world.time == 2.0
    assert "certified" in capsys.readouterr().out
    np.testing.assert_allclose(racket.position, (2, 0, 2), atol=1e-9)
    assert abs(world.energy.error) < 1e-4 * world.energy.total


def test_free_fall_is_a_parabola():
    world = ball()
    assert world.run(1.0) == 1000
    body = world["ball"]
    np.testing.assert_allclose(body.position, (0, 0, 10 - 9.81 / 2), atol=1e-12)
    np.testing.assert_allclose(body.acceleration, (0, 0, -9.81), atol=1e-9)
    np.testing.assert_allclose(world.momentum, (0, 0, -9.81), atol=1e-12)
    assert world.certificate and world.certificate.steps == 1000
    assert world.energy.max_error < 1e-10


def test_states_are_one_read_only_array_that_follows_the_world():
    world = ball()
    states = world.states
    assert states.shape == (1, 13)
    before = states.copy()
    world.step(10)
    assert world.states is states
    assert states[0, 2] < before[0, 2]
    np.testing.assert_array_equal(states[0, :3], world["ball"].position)
    np.testing.assert_array_equal(states[0, 3:7], world["ball"].orientation)
    world["ball"].velocity = (1, 2, 3)
    np.testing.assert_array_equal(states[0, 7:10], (1, 2, 3))
    with pytest.raises(ValueError):
        states[0, 0] = 1.0
    world.add_sphere("second", 0.1, mass=1)
    assert world.states.shape == (2, 13)


def test_contacts_carry_the_weight():
    world = msd.World()
    world.add_plane()
    world.add_box("block", (1, 1, 1), mass=2.0, position=(0, 0, 0.5))
    world.run(0.5)
    force = sum(contact.force for contact in world.contacts)
    np.testing.assert_allclose(force, (0, 0, 2 * 9.81), rtol=1e-6, atol=1e-6)
    assert {contact.a for contact in world.contacts} == {"ground"}
    assert world.contact_events == [("persist", "ground", "block")]


def test_restitution_and_friction_are_those_asked_for():
    world = msd.World(dt=1e-3)
    world.add_plane(restitution=0.81)
    body = world.add_sphere("ball", 0.1, mass=1, position=(0, 0, 1.1), restitution=1.0)
    world.run(np.sqrt(2 / 9.81) + 0.001)
    assert body.velocity[2] == pytest.approx(0.9 * np.sqrt(2 * 9.81), abs=0.02)


def test_pendulum_has_its_period():
    world = msd.World(dt=1e-3)
    angle = 0.01
    bob = world.add_sphere("bob", 0.01, mass=1.0, position=(np.sin(angle), 0, -np.cos(angle)))
    hinge = world.add_joint("hinge", "hinge", "world", bob, anchor=(0, 0, 0), axis=(0, 1, 0))
    crossings, before = [], bob.position[0]
    while len(crossings) < 3:
        world.step()
        now = bob.position[0]
        if before > 0 >= now:
            crossings.append(world.time + world.dt * now / (before - now))
        before = now
    # Compound pendulum: T = 2π √((l² + 2/5 r²)/(g l)), (1 + θ²/16) for the amplitude.
    expected = 2 * np.pi * np.sqrt((1 + 0.4 * 1e-4) / 9.81) * (1 + angle**2 / 16)
    assert np.diff(crossings) == pytest.approx(expected, rel=1e-5)
    assert np.linalg.norm(hinge.force) == pytest.approx(9.81, rel=1e-3)
    assert hinge.kind == "hinge"


def test_a_motor_drives_a_hinge():
    world = msd.World(gravity=(0, 0, 0))
    wheel = world.add_cylinder("wheel", 0.5, 0.1, mass=10)
    hinge = world.add_joint("axle", "hinge", "world", wheel, axis=(0, 0, 1), motor={"velocity": 0, "max_force": 100})
    hinge.drive(3.0)
    world.run(1.0)
    np.testing.assert_allclose(wheel.angular_velocity, (0, 0, 3), atol=1e-9)


def test_fields_act():
    world = msd.World(gravity=(0, 0, 0), dt=1.0, integrator="rk4")
    world.add_field("point-gravity", mu=3.986004418e14)
    radius = 7e6
    speed = np.sqrt(3.986004418e14 / radius)
    craft = world.add_body("craft", mass=100, inertia=np.eye(3), position=(radius, 0, 0), velocity=(0, speed, 0))
    world.run(2 * np.pi * radius / speed)
    np.testing.assert_allclose(craft.position, (radius, 0, 0), atol=2.0)


def test_forces_torques_and_impulses():
    world = msd.World(gravity=(0, 0, 0))
    body = world.add_sphere("ball", 0.5, mass=2.0)
    body.apply_force((2, 0, 0))
    world.step()
    np.testing.assert_allclose(body.velocity, (1e-3, 0, 0))
    body.apply_impulse((0, 2, 0), at=body.position + (0.5, 0, 0))
    inertia = 0.4 * 2 * 0.25
    np.testing.assert_allclose(body.inertia, inertia * np.eye(3), rtol=1e-12)
    np.testing.assert_allclose(body.angular_velocity, (0, 0, 1 / inertia), rtol=1e-9)
    before = body.angular_velocity
    body.apply_torque((0, 0, 0.2), frame="body")
    world.step()
    np.testing.assert_allclose(body.angular_velocity - before, (0, 0, 1e-3), atol=1e-9)


def test_kinematic_bodies_go_where_they_are_told():
    world = msd.World()
    lift = world.add_box("lift", (1, 1, 0.1), kind="kinematic")
    load = world.add_box("load", (0.2, 0.2, 0.2), mass=1, position=(0, 0, 0.15))
    for step in range(1, 101):
        lift.move_to((0, 0, 0.001 * step))
        world.step()
    assert lift.position[2] == pytest.approx(0.1)
    assert load.position[2] == pytest.approx(0.25, abs=1e-4)


@pytest.mark.parametrize("keys", [{"solver": "exact"}, {"solver": "fast"}, {"sleep": True}])
def test_a_state_set_again_gives_the_same_bits(keys):
    world = heap(**keys)
    world.run(0.8)
    state = world.state()
    assert state.time == world.time
    world.run(0.5)
    first = world.state_hash
    world.set_state(state)
    world.run(0.5)
    assert world.state_hash == first
    twin = world.copy()
    twin.set_state(state)
    twin.run(0.5)
    assert twin.state_hash == first


def test_a_snapshot_is_checked_bytes():
    world = heap()
    world.run(0.5)
    data = world.snapshot()
    assert isinstance(data, bytes)
    hash_then = world.state_hash
    world.run(0.5)
    world.restore(data)
    assert world.state_hash == hash_then
    with pytest.raises(msd.WorldError, match="damaged"):
        world.restore(data[:-1] + bytes([data[-1] ^ 1]))
    with pytest.raises(msd.WorldError, match="another model"):
        ball().restore(data)


def test_copies_are_deep():
    world = ball()
    for twin in (world.copy(), copy.copy(world), copy.deepcopy(world)):
        twin.run(0.1)
        assert world.time == 0
        assert twin["ball"].position[2] < 10


def test_reset_goes_back_to_the_start():
    world = ball()
    start = world.state_hash
    world.run(0.3)
    world.reset()
    assert (world.time, world.steps, world.state_hash) == (0, 0, start)
    assert world.certificate.steps == 0


def test_rays_and_boxes():
    world = heap()
    hit = world.cast_ray((0, 0, 20), (0, 0, -1))
    assert hit.body == "box 5" and hit.distance == pytest.approx(20 - 1.8, abs=0.05)
    np.testing.assert_allclose(hit.position, (0, 0, 20 - hit.distance), atol=1e-12)
    assert world.cast_ray((0, 0, 20), (0, 0, -1), exclude=["box 5"]).body == "box 4"
    assert world.cast_ray((0, 0, 20), (0, 0, 1)) is None
    assert "box 0" in world.bodies_in_box((-1, -1, 0.1), (1, 1, 0.3))


def test_agents_as_callables_hold_a_body():
    world = msd.World(gravity=(0, 0, 0))
    world.add_box("satellite", (1, 2, 3), mass=50, spin=(0.1, -0.2, 0.3))
    seen = []

    def damp(view):
        seen.append(view.time)
        return {"satellite": {"torque": -40 * view["satellite"].angular_velocity}}

    world.add_agent(damp, period=0.01)
    world.run(10.0)
    assert np.linalg.norm(world["satellite"].angular_velocity) < 1e-2
    assert len(seen) == 1000 and seen[1] == pytest.approx(0.01)


def test_an_exception_of_an_agent_refuses_the_step():
    world = ball()

    def fail(view):
        raise RuntimeError("no signal")

    world.add_agent(fail)
    before = world.state_hash
    with pytest.raises(RuntimeError, match="no signal"):
        world.step()
    with pytest.raises(RuntimeError, match="no signal"):
        world.run(1.0)
    assert world.state_hash == before


@pytest.mark.parametrize(
    "answer, error, text",
    [
        ({"bal": {"force": (0, 0, 1)}}, KeyError, "there is `ball`"),
        ({"ball": {"forse": (0, 0, 1)}}, KeyError, "forse"),
        ({"ball": {"force": (0, 1)}}, ValueError, "3 numbers"),
        ({"ball": {"force": (0, 0, float("nan"))}}, msd.WorldError, "finite"),
        ("hover", TypeError, "dict"),
    ],
)
def test_commands_that_make_no_sense_are_named(answer, error, text):
    world = ball()
    world.add_agent(lambda view: answer)
    with pytest.raises(error, match=text):
        world.step()


def test_agents_of_scene_files():
    world = msd.World(gravity=(0, 0, 0))
    world.add_box("satellite", (1, 2, 3), mass=50, spin=(0.1, -0.2, 0.3))
    world.add_agent("pd-attitude", body="satellite", stiffness=20, damping=60)
    world.run(60.0)
    assert np.linalg.norm(world["satellite"].angular_velocity) < 1e-2


def test_other_threads_run_while_a_world_steps():
    world = heap(solver="exact")
    count, stop = [0], threading.Event()

    def work():
        while not stop.is_set():
            count[0] += 1
            time.sleep(0)

    thread = threading.Thread(target=work)
    thread.start()
    world.run(2.0)
    during = count[0]
    stop.set()
    thread.join()
    assert during > 100


def test_bodies_and_joints_can_be_removed():
    world = heap()
    world["box 3"].remove()
    assert "box 3" not in world and len(world) == 6
    bob = world.add_sphere("bob", 0.1, mass=1, position=(5, 0, 5))
    joint = world.add_joint("rod", "distance", "world", bob, anchor_a=(5, 0, 6), anchor_b=(5, 0, 5))
    with pytest.raises(msd.WorldError, match="rod"):
        bob.remove()
    joint.remove()
    bob.remove()
    with pytest.raises(msd.WorldError, match="stale"):
        bob.position


def test_shapes():
    world = msd.World()
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
    assert world.add_hull("hull", corners, density=1).mass == pytest.approx(1)
    assert world.add_capsule("capsule", 0.5, 1.0, density=1).mass == pytest.approx(np.pi * (0.25 + 4 / 3 * 0.125))
    assert world.add_cone("cone", 0.5, 1.0, density=1).mass == pytest.approx(np.pi * 0.25 / 3)
    assert world.add_cylinder("cylinder", 0.5, 1.0, density=1).mass == pytest.approx(np.pi * 0.25)
    assert world.add_ellipsoid("ellipsoid", (0.5, 1.0, 2.0), density=1).mass == pytest.approx(np.pi * 4 / 3)
    assert world.add_tapered_capsule("pear", 0.5, 0.5, 1.0, density=1).mass == pytest.approx(np.pi * (0.25 + 4 / 3 * 0.125))
    body = world.add_body(
        "dumbbell",
        shape={"compound": {"parts": [{"shape": {"sphere": {"radius": 0.1}}, "position": (x, 0, 0)} for x in (-1, 1)]}},
        mass=2,
        orientation={"axis": (0, 0, 1), "angle_deg": 90},
    )
    np.testing.assert_allclose(body.orientation, (np.sqrt(0.5), 0, 0, np.sqrt(0.5)), atol=1e-12)
    turned = world.add_sphere("turned", 1, mass=1, orientation=(0, 1, 0, 0))
    np.testing.assert_array_equal(turned.orientation, (0, 1, 0, 0))


def test_a_belt_carries_a_parcel_and_its_weight_is_an_event():
    world = msd.World(dt=0.005)
    belt = world.add_box(
        "belt", (8, 1, 0.2), kind="static", position=(0, 0, -0.1), friction=0.5, surface_velocity=(1, 0, 0)
    )
    world.add_box("gate", (1, 1, 0.1), kind="static", position=(0, 3, 1), one_way=(0, 0, 1))
    parcel = world.add_box("parcel", (0.2, 0.2, 0.2), mass=2, position=(0, 0, 0.1), friction=0.5)
    ball = world.add_sphere("ball", 0.1, mass=1, position=(0, 3, 0.5), velocity=(0, 0, 5))
    world.run(2.0)
    # It stays v^2 / (2 mu g) behind the belt.
    assert parcel.position[0] == pytest.approx(2 - 1 / (2 * 0.5 * 9.81), abs=1e-4)
    assert parcel.velocity == pytest.approx([1, 0, 0], abs=1e-9)
    assert ball.position[2] == pytest.approx(1.15, abs=1e-8)
    heavy = world.contact_force_events(15.0)
    assert [event[:2] for event in heavy] == [("belt", "parcel")]
    assert heavy[0][2] == pytest.approx(2 * 9.81)
    belt.surface_velocity = (0, 0, 0)
    assert belt.surface_velocity == pytest.approx([0, 0, 0])
    world.run(1.0)
    assert parcel.velocity == pytest.approx([0, 0, 0], abs=1e-9)


def test_a_scene_written_from_a_world_starts_with_the_same_bits(tmp_path):
    world = msd.World(dt=0.01)
    world.add_box("floor", (4, 4, 0.2), kind="static", position=(0, 0, -0.1))
    world.add_ellipsoid("stone", (0.3, 0.2, 0.1), mass=1, position=(0, 0, 1), spin=(3, 2, 1))
    world.run(0.3)
    for form in ("toml", "json"):
        file = tmp_path / f"later.{form}"
        file.write_text(world.to_scene(form))
        again = msd.load(file)
        assert (again.states == world.states).all()
    with pytest.raises(ValueError, match="format must be 'toml' or 'json'"):
        world.to_scene("yaml")

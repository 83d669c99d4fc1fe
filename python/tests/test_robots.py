"""Joints, actuators, sensors, trees of joints and keyframes, against theory and against each other."""

import numpy as np
import pytest

import msd


def pendulum(**joint):
    world = msd.World(dt=1e-3)
    bob = world.add_sphere("bob", 0.1, mass=2, position=(1, 0, 0))
    return world, bob, world.add_joint("hinge", "hinge", "world", bob, anchor=(0, 0, 0), axis=(0, 1, 0), **joint)


@pytest.fixture
def quadruped(scenes):
    return msd.load(scenes / "quadruped.xml")


def test_a_hinge_is_read_and_placed():
    world, bob, hinge = pendulum(limits=(-4, 4))
    assert (hinge.position, hinge.velocity, hinge.kind) == (0, 0, "hinge")
    assert hinge.bodies == (None, "bob") and hinge.limits == (-4, 4)
    hinge.position = np.pi / 2
    np.testing.assert_allclose(bob.position, (0, 0, -1), atol=1e-12)
    hinge.velocity = 0.5
    np.testing.assert_allclose(np.linalg.norm(bob.velocity), 0.5, rtol=1e-12)
    hinge.limits = (-1, 2)
    assert hinge.limits == (-1, 2)
    np.testing.assert_allclose(hinge.anchor, 0, atol=1e-12)
    with pytest.raises(msd.WorldError, match="limits"):
        hinge.limits = (2, -1)


def test_an_actuator_holds_a_pendulum_and_its_force_is_the_weight():
    world, _, hinge = pendulum()
    servo = world.add_actuator("servo", hinge, "position", kp=4000.0, kv=400.0)
    assert [actuator.name for actuator in world.actuators] == ["servo"]
    assert [joint.name for joint in world.joints] == ["hinge"]
    servo.control = 0.0
    world.run(3.0)
    # Stiffness times sag is the moment of the weight.
    np.testing.assert_allclose(4000 * hinge.position, 2 * 9.81 * np.cos(hinge.position), rtol=1e-6)
    np.testing.assert_allclose(servo.force, -4000 * hinge.position, rtol=1e-6)
    np.testing.assert_allclose(world.sensor("joint-force", joint=hinge).read(), hinge.axis_force)
    world.controls = [0.25]
    assert world.actuator("servo").control == 0.25
    with pytest.raises(ValueError, match="controls must have the shape"):
        world.controls = [1, 2]
    with pytest.raises(KeyError, match="no actuator named `srvo`"):
        world.actuator("srvo")
    servo.remove()
    assert world.actuators == []


def test_a_joint_spring_swings_with_its_own_period():
    world, _, hinge = pendulum()
    world.gravity = (0, 0, 0)
    hinge.add_spring("spring", 50.0)
    hinge.position = 0.3
    inertia = world.articulation().mass_matrix[0, 0]
    np.testing.assert_allclose(inertia, 2 * (1 + 0.4 * 0.1**2), rtol=1e-12)
    world.run(np.pi * np.sqrt(inertia / 50.0))  # half a period
    np.testing.assert_allclose(hinge.position, -0.3, rtol=1e-4)


def test_a_tree_obeys_its_own_equations(quadruped):
    tree = quadruped.articulation()
    assert len(tree.position_names) == 19 and len(tree.velocity_names) == 18
    mass, random = tree.mass_matrix, np.random.default_rng(1)
    np.testing.assert_allclose(mass, mass.T)
    tree.v = random.normal(size=18)
    np.testing.assert_allclose(0.5 * tree.v @ mass @ tree.v, quadruped.energy.kinetic, rtol=1e-9)
    wanted = random.normal(size=18)
    np.testing.assert_allclose(tree.inverse_dynamics(wanted), mass @ wanted + tree.bias_forces, atol=1e-9)
    trunk = quadruped["trunk"]
    np.testing.assert_allclose((tree.jacobian("trunk") @ tree.v)[3:], trunk.angular_velocity, atol=1e-9)
    np.testing.assert_allclose(tree.mass, sum(quadruped[name].mass for name in tree.bodies))
    q = tree.q
    q[0] += 0.5
    tree.set(q, np.zeros(18))
    np.testing.assert_allclose(tree.q, q, atol=1e-12)
    with pytest.raises(ValueError, match=r"q must have the shape \(19,\)"):
        tree.q = [0, 1]
    quadruped.add_sphere("new", 0.1, mass=1, position=(9, 0, 0))
    with pytest.raises(msd.WorldError, match="articulation"):
        tree.q  # noqa: B018


def test_keyframes(quadruped):
    assert quadruped.keyframes == ["stand"]
    quadruped.run(0.1)
    quadruped.reset("stand")
    assert quadruped.time == 0 and quadruped.actuator("fl knee").control == pytest.approx(-1.6)
    quadruped.run(0.3)
    assert quadruped["trunk"].position[2] > 0.2
    before = quadruped.state_hash
    with pytest.raises(msd.WorldError, match="there is no keyframe named `stnd`; did you mean `stand`"):
        quadruped.reset("stnd")
    assert quadruped.state_hash == before


def test_sensors_at_rest_read_gravity():
    world = msd.World(dt=1e-3)
    world.add_plane()
    block = world.add_box("block", (0.2, 0.2, 0.2), mass=3, position=(0, 0, 0.1))
    world.run(0.2)
    np.testing.assert_allclose(world.sensor("accelerometer", body=block).read(), (0, 0, 9.81), atol=1e-6)
    np.testing.assert_allclose(world.sensor("touch", body="block").read(), 3 * 9.81, rtol=1e-6)
    down = world.sensor("rangefinder", body=block, position=(0, 0, 1), orientation=(0, 1, 0, 0), range=5)
    assert down.read() == pytest.approx(1.1, abs=1e-6)
    assert world.sensor("rangefinder", body=block, range=5).read() == -1
    with pytest.raises(TypeError, match="needs a body"):
        world.sensor("gyro")
    with pytest.raises(ValueError, match="there is no sensor `gyroscope`"):
        world.sensor("gyroscope", body=block)
    with pytest.raises(KeyError, match="no joint named `knee`"):
        world.sensor("joint-force", joint="knee")


def test_agents_read_joints_and_command_actuators():
    world, _, hinge = pendulum()
    world.add_actuator("motor", hinge)
    seen = []

    def hold(view):
        position, velocity = view.joints["hinge"]
        seen.append(position)
        return {"motor": -4000 * position - 400 * velocity}

    world.add_agent(hold)
    world.run(2.0)
    assert len(seen) == 2000 and 4e-3 < hinge.position < 6e-3
    assert world.actuator("motor").control == pytest.approx(-2 * 9.81, rel=1e-3)


def test_a_batch_of_robots_has_the_bits_of_single_ones(quadruped):
    quadruped.reset("stand")
    batch = msd.Batch(quadruped, 3, threads=2)
    random = np.random.default_rng(2)
    controls = random.normal(0, 0.3, (3, 12))
    assert batch.actuators == [actuator.name for actuator in quadruped.actuators]
    for _ in range(4):
        batch.step(5, controls=controls)
    for row in range(3):
        single = quadruped.copy()
        single.controls = controls[row]
        single.step(20)
        assert single.state_hash == batch.state_hashes[row]
        np.testing.assert_array_equal(single.articulation().q, batch.q[row])
        np.testing.assert_array_equal(single.sensor("gyro", body="trunk").read(), batch.sense("gyro", body="trunk")[row])
    batch.reset([1])
    np.testing.assert_array_equal(batch.q[1], quadruped.articulation().q)
    batch.set_qv(batch.q[1], np.ones(18), worlds=[0, 2])
    np.testing.assert_allclose(batch.v[[0, 2]], 1)
    with pytest.raises(ValueError, match="controls must have the shape"):
        batch.step(controls=[1, 2])


def test_worlds_with_agents_run_in_batches():
    world, _, hinge = pendulum()
    world.add_actuator("motor", hinge)
    world.add_agent(lambda view: {"motor": -4000 * view.joints["hinge"][0] - 400 * view.joints["hinge"][1]})
    world.add_agent("constant-wrench", body="bob", force=(0, 0, -5))
    batch = msd.Batch(world, 4, threads=2)
    batch.run(1.0)
    world.run(1.0)
    assert set(batch.state_hashes) == {world.state_hash}


def test_varied_worlds_have_their_own_trees(tmp_path):
    scene = tmp_path / "arm.toml"
    scene.write_text(
        'format = 1\n[[body]]\nname = "bob"\nmass = 1\nshape = { sphere = { radius = 0.1 } }\nposition = [1, 0, 0]\n'
        '[[joint]]\nname = "hinge"\ntype = "hinge"\na = "world"\nb = "bob"\nanchor = [0, 0, 0]\naxis = [0, 1, 0]\n'
        '[[actuator]]\nname = "motor"\njoint = "hinge"\n'
    )
    batch = msd.Batch(scene, 2)
    batch.run(0.01, vary={"body.bob.mass": [1.0, 2.0]})
    batch.step(100, controls=[[9.81], [2 * 9.81]])
    # Both are lifted against their weight as well as they are heavy.
    np.testing.assert_allclose(batch.q[0], batch.q[1], rtol=1e-6)
    batch.set_qv([7.0], [0.0])
    np.testing.assert_allclose(batch.q, 7.0)


def test_fields_are_removed_again():
    world = msd.World(gravity=(0, 0, 0))
    ball = world.add_sphere("ball", 0.1, mass=1, position=(0, 0, 1))
    field = world.add_field("uniform-gravity", acceleration=(1, 0, 0))
    assert field.kind == "uniform-gravity" and world.fields == ["uniform-gravity"]
    world.run(1.0)
    speed = ball.velocity[0]
    assert speed == pytest.approx(1)
    field.remove()
    world.run(1.0)
    assert ball.velocity[0] == speed and world.fields == []
    with pytest.raises(msd.WorldError):
        field.remove()


def test_the_last_step_impacts_and_settings_are_seen():
    world = msd.World(dt=1e-3)
    assert world.last_step is None
    world.add_plane(restitution=0.5)
    ball = world.add_sphere("ball", 0.1, mass=2, restitution=0.5, position=(0, 0, 0.2))
    impulse = 0.0
    while not world.impacts:
        speed = -ball.velocity[2]
        world.step()
    [impact] = world.impacts
    impulse = impact.impulse
    assert {impact.a, impact.b} == {"ground", "ball"} and impact.bounced
    assert impulse == pytest.approx(2 * speed * 1.5, rel=2e-2)
    step = world.last_step
    assert step.step == world.steps and step.time == world.time and step.impacts == 1 and step.certified
    assert world.integrator == "velocity-verlet" and world.fault_policy == "halt" and world.sleeping is None
    world.sleeping = True
    assert world.sleeping[0] > 0
    world.sleeping = (0.01, 0.3)
    assert world.sleeping == (0.01, 0.3)
    world.fault_policy = "quarantine"
    ball.apply_force((1e300, 0, 0))
    world.step()
    assert world.last_step.quarantined[0][0] == "ball"
    with pytest.raises(ValueError, match="'halt' or 'quarantine'"):
        world.fault_policy = "stop"


def test_queries_filter():
    world = msd.World()
    world.add_plane()
    world.add_box("near", (1, 1, 1), mass=1, position=(0, 0, 2))
    world.add_body("ghost", kind="graphical", shape={"sphere": {"radius": 0.3}}, position=(0, 0, 4))
    hit = world.cast_ray((0, 0, 9), (0, 0, -1))
    assert hit.body == "near"
    assert world.cast_ray((0, 0, 9), (0, 0, -1), intangible=True).body == "ghost"
    assert world.cast_ray((0, 0, 9), (0, 0, -1), exclude=["near"]).body == "ground"
    assert world.cast_ray((0, 0, 9), (0, 0, -1), mask=0) is None
    assert world.bodies_in_box((-1, -1, 1), (1, 1, 5), intangible=True) == ["near", "ghost"]


def test_loads_are_cleared_and_impulses_turn():
    world = msd.World(gravity=(0, 0, 0))
    box = world.add_box("box", (1, 1, 1), mass=6)
    box.apply_force((1, 0, 0))
    box.clear_loads()
    world.step()
    assert not box.velocity.any()
    box.apply_angular_impulse((0, 0, 2))
    np.testing.assert_allclose(box.angular_velocity, (0, 0, 2))
    box.apply_torque((0, 0, 3))
    world.step()
    np.testing.assert_allclose(box.angular_acceleration, (0, 0, 3), rtol=1e-9)


def test_bodies_and_joints_stand_for_their_names():
    world = msd.World(gravity=(0, 0, 0))
    a = world.add_sphere("a", 0.5, mass=1)
    b = world.add_sphere("b", 0.5, mass=1, position=(0.5, 0, 0))
    world.set_collision(a, b)
    world.add_agent("constant-wrench", body=a, force=(0, 1, 0))
    world.run(1.0)
    assert not world.contacts and a.velocity[1] == pytest.approx(1) and world.cast_ray((0, 9, 0), (0, -1, 0)).body == "a"
    assert len(world.articulation(b).bodies) == 1
    with pytest.raises(TypeError, match="a must be a name or an object with one"):
        world.set_collision(3, b)


def test_a_recording_of_a_robot_has_its_joints_and_is_verified(tmp_path):
    world, _, hinge = pendulum()
    world.add_actuator("motor", hinge)
    world.add_agent(lambda view: {"motor": -5 * view.joints["hinge"][1]})
    seen = [(hinge.position, hinge.velocity)]
    with world.record(tmp_path / "arm.msdr"):
        for _ in range(200):
            world.step()
            seen.append((hinge.position, hinge.velocity))
    recording = msd.open(tmp_path / "arm.msdr")
    assert recording.joint_names[0] == "hinge" and recording.verify() is None
    np.testing.assert_allclose(recording.joint("hinge"), seen, atol=1e-12)
    np.testing.assert_allclose(recording.reactions("hinge")[-1, :3], hinge.force)
    assert "<svg" in recording.plot("joint", "hinge")
    with pytest.raises(KeyError, match="no joint named `hing`"):
        recording.reactions("hing")
    with pytest.raises(msd.RecordingError, match="no joint named `hing`"):
        recording.joint("hing")


def test_a_recording_has_its_contacts(tmp_path):
    world = msd.World(dt=1e-3)
    world.add_plane()
    world.add_sphere("ball", 0.1, mass=2, position=(0, 0, 0.1))
    with world.record(tmp_path / "ball.msdr"):
        world.run(0.1)
    contacts = msd.open(tmp_path / "ball.msdr").contacts
    assert contacts["frame"][-1] == 100 and contacts["position"].shape == (len(contacts["gap"]), 3)
    np.testing.assert_allclose(contacts["normal_force"][-1], 2 * 9.81, rtol=1e-6)

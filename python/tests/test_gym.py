"""Gymnasium environments: the contract of gymnasium, and one world as many."""

import warnings

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.utils.env_checker import check_env  # noqa: E402
from gymnasium.vector import AutoresetMode  # noqa: E402

import msd.gym  # noqa: E402

CRAFT = ["msd/Detumble-v0", "msd/Docking-v0", "msd/Capture-v0", "msd/Landing-v0"]
ROBOTS = ["msd/InvertedPendulum-v0", "msd/Hopper-v0", "msd/HalfCheetah-v0", "msd/Walker2d-v0", "msd/Ant-v0", "msd/Humanoid-v0"]


@pytest.mark.parametrize("name", CRAFT + ROBOTS)
def test_check_env_finds_nothing(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Observations have no bounds, which gymnasium mentions.
        warnings.filterwarnings("ignore", message=".*infinity.*")
        if name in ROBOTS:
            # Actions are those of gymnasium's own environments, some of which go to 3 N·m.
            warnings.filterwarnings("ignore", message=".*normalized space.*")
        check_env(gymnasium.make(name).unwrapped, skip_render_check=True)


def damp(observation):
    return np.clip(-8 * observation, -1, 1)


def test_rates_fed_back_detumble():
    env = gymnasium.make("msd/Detumble-v0")
    observation, _ = env.reset(seed=3)
    for _ in range(400):
        observation, _, terminated, truncated, info = env.step(damp(observation).astype(np.float32))
        if terminated or truncated:
            break
    assert terminated and info["success"]


def test_a_docking_can_succeed_and_be_lost():
    env = gymnasium.make("msd/Docking-v0")
    observation, _ = env.reset(seed=1)
    for _ in range(300):
        observation, reward, terminated, truncated, info = env.step(
            np.clip(-(12 * observation[:3] + 5 * observation[3:]), -1, 1).astype(np.float32)
        )
        if terminated or truncated:
            break
    assert terminated and info["success"] and reward > 40
    env.reset(seed=1)
    for _ in range(300):
        _, reward, terminated, _, info = env.step(np.ones(3, np.float32))
        if terminated:
            break
    assert terminated and not info["success"] and reward < -40


@pytest.mark.parametrize("name", [*CRAFT, "msd/Hopper-v0"])
@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_every_world_of_a_vector_is_the_environment_alone(name, mode):
    task = name.split("/")[1].split("-")[0].lower()
    envs = msd.gym.VectorSpaceEnv(3, task, mode)
    envs.task.limit = 7
    random = np.random.default_rng(0)
    # Small enough that no episode ends before its limit.
    actions = 0.1 * random.uniform(-1, 1, (20, 3, envs.single_action_space.shape[0])).astype(np.float32)
    observations, _ = envs.reset(seed=11)
    seen = [observations.copy()]
    final = {}
    for k in range(20):
        observations, rewards, terminated, truncated, info = envs.step(actions[k])
        assert observations.dtype == envs.observation_space.dtype and observations.shape == envs.observation_space.shape
        seen.append(observations.copy())
        if "final_obs" in info:
            final[k + 1] = info["final_obs"]
        assert not terminated.any()
    assert seen[0] is not observations
    for world in range(3):
        env = msd.gym.SpaceEnv(task)
        env.task.limit = 7
        observation, _ = env.reset(seed=11 + world)
        over = False
        for k in range(21):
            if k > 0:
                if over and mode is AutoresetMode.NEXT_STEP:
                    observation, _ = env.reset()
                    over = False
                else:
                    observation, _, _, over, _ = env.step(actions[k - 1, world])
                if over and mode is AutoresetMode.SAME_STEP:
                    np.testing.assert_array_equal(final[k][world], observation)
                    observation, _ = env.reset()
                    over = False
            np.testing.assert_array_equal(seen[k][world], observation, err_msg=f"world {world}, action {k}")


def test_make_vec_knows_the_ids():
    envs = gymnasium.make_vec("msd/Docking-v0", num_envs=4)
    observations, _ = envs.reset(seed=0)
    assert observations.shape == (4, 6)
    envs.step(envs.action_space.sample())
    with pytest.raises(ValueError, match="there is Detumble, Docking"):
        msd.gym.SpaceEnv("dokcing")


def fly(name, policy, seed):
    """The last reward and info of an episode."""
    env = gymnasium.make(name)
    observation, _ = env.reset(seed=seed)
    while True:
        observation, reward, terminated, truncated, info = env.step(policy(observation.astype(float)).astype(np.float32))
        if terminated or truncated:
            return reward, terminated, info


def catch(observation):
    """Force and torque, world axes: turns the gripper against the handle, waits ahead of it, then closes in along its axis."""
    between, speed, arm, lever, spin, tumble = observation.reshape(6, 3) * np.array([5, 1, 1, 1, 0.2, 0.2])[:, None]
    if arm @ lever > -0.95 or np.linalg.norm(np.cross(between, lever)) > 0.15:
        between, speed = between + 1.2 * lever, speed + np.cross(tumble, 1.2 * lever)
    turn = np.cross(arm, -lever)
    return 100 * (0.12 * between + 0.7 * speed), 16.7 * (0.35 * turn - 1.2 * (spin - tumble + (tumble @ arm) * arm))


def test_debris_is_captured_by_feedback_and_lost_without():
    task = msd.gym.Capture()
    worlds = msd.gym.TaskWorlds(task, 6, 2)
    random = [np.random.default_rng(seed) for seed in range(6)]
    for world in range(6):
        worlds.reset(world, random[world])
    done = np.zeros(6, dtype=bool)
    for _ in range(task.limit):
        states = worlds.states()
        observed = task.observe(states)
        pairs = [catch(row) for row in observed]
        force = np.array([pair[0] for pair in pairs]) / task.thrust
        torque = msd.gym.to_body(states[:, 3:7], np.array([pair[1] for pair in pairs])) / task.torque
        _, _, _, success = worlds.step(np.hstack([force, torque]))
        done |= success
    assert done.all(), done
    reward, terminated, info = fly("msd/Capture-v0", lambda observation: np.ones(6), 1)
    assert terminated and not info["success"] and reward < -40


def descend(observation):
    """Slow in proportion to the height, over the place."""
    place, velocity = 10 * observation[:3], observation[3:]
    wanted = -0.12 * place
    wanted[2] = -0.02 - 0.06 * max(place[2], 0.0)
    return np.clip(50 * 0.8 * (wanted - velocity) / 2.0, -1, 1)


def test_a_landing_can_succeed_and_crash():
    for seed in range(3):
        reward, terminated, info = fly("msd/Landing-v0", descend, seed)
        assert terminated and info["success"] and reward > 40
    reward, terminated, info = fly("msd/Landing-v0", lambda observation: np.array([0.0, 0.0, -1.0]), 1)
    assert terminated and not info["success"] and reward < -40


@pytest.mark.parametrize("name", ROBOTS)
def test_robots_have_the_spaces_and_the_coordinates_of_gymnasium(name):
    pytest.importorskip("mujoco")
    theirs = gymnasium.make(name.replace("msd/", "").replace("-v0", "-v5")).unwrapped
    ours = gymnasium.make(name).unwrapped
    assert ours.observation_space == theirs.observation_space and ours.action_space == theirs.action_space
    worlds = ours._worlds
    assert worlds.interval == pytest.approx(theirs.dt)
    # The same q and v, the same observation: of positions, velocities, inertias and torques; contact is each engine's own.
    random = np.random.default_rng(4)
    q, v = theirs.init_qpos + random.uniform(-0.02, 0.02, theirs.model.nq), random.uniform(-0.1, 0.1, theirs.model.nv)
    if len(q) != len(v):
        q[3:7] /= np.linalg.norm(q[3:7])
    theirs.set_state(q, v)
    ours.reset(seed=0)
    worlds.batch.set_qv(q, v)
    worlds._moved()
    mine, known = worlds.observe()[0], theirs._get_obs()
    count = {"msd/Ant-v0": 27, "msd/Humanoid-v0": 45}.get(name, len(known))
    np.testing.assert_allclose(mine[:count], known[:count], atol=1e-6)
    if name == "msd/Humanoid-v0":
        # Rows of bodies that are not welded to another; MuJoCo's densities give the same masses.
        rows = [i for i, body in enumerate(worlds.robot.bodies) if body in worlds.batch.names]
        kept = [i for i in rows if "shin" not in worlds.robot.bodies[i]]
        ours_inertia, theirs_inertia = mine[45:175].reshape(13, 10), known[45:175].reshape(13, 10)
        np.testing.assert_allclose(ours_inertia[kept], theirs_inertia[kept], rtol=1e-3, atol=1e-3)
        np.testing.assert_allclose(mine[175:253].reshape(13, 6)[kept], known[175:253].reshape(13, 6)[kept], atol=1e-3)


def test_robots_stand_fall_and_are_paid():
    env = gymnasium.make("msd/InvertedPendulum-v0")
    observation, _ = env.reset(seed=2)
    total = 0.0
    for _ in range(200):
        action = np.clip([-(-1.0 * observation[0] - 20 * observation[1] - 1.5 * observation[2] - 4 * observation[3])], -3, 3)
        observation, reward, terminated, *_ = env.step(action.astype(np.float32))
        total += reward
        assert not terminated
    assert total == 200
    env.reset(seed=2)
    for _ in range(100):
        _, reward, terminated, *_ = env.step(np.array([3.0], np.float32))
        if terminated:
            break
    assert terminated and reward == 0
    hopper = gymnasium.make("msd/Hopper-v0")
    hopper.reset(seed=0)
    rewards = []
    for _ in range(400):
        _, reward, terminated, *_ = hopper.step(np.zeros(3, np.float32))
        rewards.append(reward)
        if terminated:
            break
    assert terminated, "without control it falls"
    assert rewards[0] == pytest.approx(1.0, abs=0.2) and rewards[-1] < 0.5 + max(rewards)

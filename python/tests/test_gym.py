"""Gymnasium environments: the contract of gymnasium, and one world as many."""

import warnings

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.utils.env_checker import check_env  # noqa: E402
from gymnasium.vector import AutoresetMode  # noqa: E402

import msd.gym  # noqa: E402

IDS = ["msd/Detumble-v0", "msd/Docking-v0"]


@pytest.mark.parametrize("name", IDS)
def test_check_env_finds_nothing(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Observations have no bounds, which gymnasium mentions.
        warnings.filterwarnings("ignore", message=".*infinity.*")
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


@pytest.mark.parametrize("name", IDS)
@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_every_world_of_a_vector_is_the_environment_alone(name, mode):
    task = name.split("/")[1].split("-")[0].lower()
    envs = msd.gym.VectorSpaceEnv(3, task, mode)
    envs.task.limit = 7
    random = np.random.default_rng(0)
    actions = random.uniform(-1, 1, (20, 3, envs.single_action_space.shape[0])).astype(np.float32)
    observations, _ = envs.reset(seed=11)
    seen = [observations.copy()]
    final = {}
    for k in range(20):
        observations, rewards, terminated, truncated, info = envs.step(actions[k])
        assert observations.dtype == np.float32 and observations.shape == envs.observation_space.shape
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
    with pytest.raises(ValueError, match="docking"):
        msd.gym.SpaceEnv("dokcing")

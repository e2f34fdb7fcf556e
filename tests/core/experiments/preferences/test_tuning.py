"""Tuning: the reference stays, the policy moves where it is paid, the penalty holds it back, and a run resumes."""

from dataclasses import replace

import pytest
import torch

from lm_core.errors import CheckpointError, SettingError
from lm_core.experiments.preferences import comparisons
from lm_core.experiments.preferences.evaluation import evaluate_writer
from lm_core.experiments.preferences.prompts import HELD_OUT, vocabulary
from lm_core.experiments.preferences.rules import RULES, SHORT, Rule
from lm_core.experiments.preferences.settings import DPO, PPO, REINFORCE, RULE, TuningConfig
from lm_core.experiments.preferences.tuning import PreferencePairs, Rewarding, Tuning
from lm_core.models.reward_model import RewardModel
from lm_core.models.transformer import TransformerLanguageModel, TransformerLanguageModelConfig
from lm_core.rng import generator

E_SHARE = Rule("e", "", "", lambda text: text.count("e") / max(1, len(text)))
QUICK = TuningConfig(SHORT, REINFORCE, RULE, 0.0, steps=10, prompts=3, learning_rate=0.03)


@pytest.fixture(scope="module")
def writer():
    size = len(vocabulary())
    model = TransformerLanguageModel(TransformerLanguageModelConfig(size, 8, 2, 1, context=32))
    model.initialise(generator(1))
    torch.nn.init.normal_(model.output.weight, generator=generator(2))  # far from even
    return model.requires_grad_(False)


def tuning(writer, config, pairs=None):
    return Tuning(writer, config, Rewarding(E_SHARE, 0.1, 0.02), pairs)


def pairs_of(n=6):
    rng = generator(4)
    return PreferencePairs(*torch.randint(1, 500, (2, n, 24), generator=rng))


def weights_of(model):
    return torch.cat([p.detach().flatten() for p in model.parameters()]).clone()


@pytest.mark.parametrize("method", [REINFORCE, PPO])
def test_the_reward_rises_and_the_reference_stays(writer, method):
    before = weights_of(writer)
    run = tuning(writer, replace(QUICK, method=method))
    steps = list(run)
    rewards = [step.reward for step in steps]
    assert sum(rewards[-3:]) > sum(rewards[:3]) + 1.5
    assert [step.step for step in steps] == list(range(1, 11))
    assert steps[0].kl == pytest.approx(0.0, abs=1e-4)
    assert steps[-1].kl > 1.0
    assert torch.equal(weights_of(writer), before)


def test_the_penalty_holds_the_policy_back(writer):
    slower = replace(QUICK, learning_rate=0.01, steps=8)
    free, held = (list(tuning(writer, replace(slower, kl_weight=w))) for w in (0.0, 10.0))
    assert held[-1].kl < free[-1].kl / 2


def test_dpo_prefers_what_was_preferred(writer):
    run = tuning(writer, replace(QUICK, method=DPO, kl_weight=0.1, steps=5), pairs_of())
    steps = list(run)
    losses = [step.loss for step in steps]
    assert losses[0] == pytest.approx(0.6931, abs=1e-3)
    assert losses[-1] < losses[0]
    assert all(step.kl is None for step in steps)


@pytest.mark.parametrize("method", [REINFORCE, PPO, DPO])
def test_a_run_that_stopped_goes_on_as_if_it_had_not(writer, method):
    config = replace(QUICK, method=method, kl_weight=0.1, steps=3, learning_rate=0.001)
    straight, first, second = (tuning(writer, config, pairs_of()) for _ in range(3))
    whole = list(straight)
    begun = iter(first)
    next(begun)
    second.load_state_dict(first.state_dict())
    rest = list(second)
    assert [step.step for step in rest] == [2, 3]
    assert [s.loss for s in rest] == pytest.approx([s.loss for s in whole[1:]], abs=1e-4)
    with pytest.raises(CheckpointError, match="does not fit"):
        second.load_state_dict({"loop": {}})


def test_a_reward_model_may_pay_instead_of_the_rule(writer):
    model = RewardModel(torch.ones(8))
    rewarding = Rewarding(E_SHARE, 0.1, 0.02, model)
    hidden = torch.arange(24.0)[None, :, None].expand(1, 24, 8)
    assert float(rewarding.of(torch.ones(1, 20, dtype=torch.int64), hidden)) == 8 * 13.5


def test_what_cannot_be_tuned_is_refused(writer):
    with pytest.raises(SettingError, match="at least one judged pair"):
        tuning(writer, replace(QUICK, method=DPO, kl_weight=0.1))
    for wrong, message in (
        ({"method": "SGD"}, "method must be one of"),
        ({"method": DPO}, "above 0 for DPO"),
        ({"kl_weight": -1.0}, "at least 0"),
        ({"kl_weight": float("nan")}, "at least 0"),
        ({"texts": 1}, "texts must be at least 2"),
        ({"steps": 0}, "steps must be at least 1"),
    ):
        with pytest.raises(SettingError, match=message):
            replace(QUICK, **wrong)


def test_an_evaluation_of_the_writer_itself_has_no_kl(writer):
    rewarding = Rewarding(E_SHARE, 0.0, 1.0)
    found = evaluate_writer(
        writer, writer, rewarding, RewardModel(torch.ones(8)), step=0, texts_each=1
    )
    assert found.kl == pytest.approx(0.0, abs=1e-5)
    assert [prompt for prompt, _ in found.texts] == [HELD_OUT[i] for i in (0, 5, 10, 15)]
    assert found.reward_error > 0


def test_pairs_with_equal_scores_are_left_out():
    scores = torch.tensor([[1.0, 2.0, 0.0, 0.0], [5.0, 4.0, 3.0, 9.0]])
    judged = comparisons.judge_pairs(scores)
    assert judged.preferred.tolist() == [1, 4, 7]
    assert judged.rejected.tolist() == [0, 5, 6]


def test_a_pool_comes_back_and_its_reward_model_is_normalised(writer):
    pool = comparisons.write_pool(writer, HELD_OUT[:3], 4, generator(2))
    again = comparisons.Pool.of_tensors(pool.tensors())
    assert again.texts == pool.texts
    assert pool.tokens.shape == (3, 4, 24)
    features = pool.features.flatten(0, 1)
    model = comparisons.fit_reward_model(
        features, comparisons.judge_pairs(pool.judged(RULES[SHORT])), features
    )
    assert model.rewards(features).mean() == pytest.approx(0.0, abs=1e-4)

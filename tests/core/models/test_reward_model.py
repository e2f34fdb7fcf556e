"""The reward model's features are the writer's hidden states, and its rewards are normalised."""

import pytest
import torch

from lm_core.errors import ShapeError
from lm_core.models import reward_model
from lm_core.models.transformer import TransformerLanguageModel, TransformerLanguageModelConfig
from lm_core.rng import generator


def test_the_hidden_states_are_what_the_logits_are_computed_from():
    model = TransformerLanguageModel(TransformerLanguageModelConfig(9, 8, 2, 2, context=16))
    model.initialise(generator(1))
    tokens = torch.tensor([[1, 4, 2, 7], [3, 3, 0, 8]])
    logits, hidden = reward_model.read_with_hidden_states(model, tokens)
    torch.testing.assert_close(logits, model(tokens, model.initial_state(2))[0])
    torch.testing.assert_close(logits, model.output(hidden))


def test_features_are_the_mean_after_the_prompt():
    hidden = torch.tensor([[[9.0], [1.0], [3.0]]])
    assert reward_model.continuation_features(hidden, 1).tolist() == [[2.0]]
    with pytest.raises(ShapeError, match="leaves nothing"):
        reward_model.continuation_features(hidden, 3)


def test_rewards_are_standard_deviations_from_the_writers_mean():
    model = reward_model.RewardModel(torch.tensor([2.0, 0.0]))
    own = torch.tensor([[1.0, 5.0], [3.0, 5.0]])
    normalised = model.normalised_on(own)
    rewards = normalised.rewards(own)
    assert float(rewards.mean()) == pytest.approx(0.0)
    assert float(rewards.std()) == pytest.approx(1.0)
    torch.testing.assert_close(normalised.scores(own), torch.tensor([2.0, 6.0]))


def test_one_text_and_equal_texts_have_a_deviation_of_one():
    for own in (torch.ones(1, 2), torch.ones(3, 2)):
        assert reward_model.RewardModel(torch.ones(2)).normalised_on(own).deviation == 1.0

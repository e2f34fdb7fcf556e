"""Rollouts: each prompt goes on by itself, with the probabilities of what was written."""

import pytest
import torch

from lm_core.errors import SettingError, ShapeError
from lm_core.generation.rollouts import roll_out
from lm_core.models.transformer import TransformerLanguageModel, TransformerLanguageModelConfig
from lm_core.rng import generator
from tests.core.toy_models import SpellingModel, random_pair_model


def test_each_text_goes_on_after_its_own_prompt():
    table = torch.full((3, 3), -50.0)
    table[0, 1] = table[1, 2] = table[2, 0] = 50.0
    model = random_pair_model(3)
    model.table.copy_(table)
    rollouts = roll_out(model, torch.tensor([[0, 0], [0, 1]]), 3, generator(1))
    assert rollouts.tokens.tolist() == [[0, 0, 1, 2, 0], [0, 1, 2, 0, 1]]
    assert rollouts.written.tolist() == [[1, 2, 0], [2, 0, 1]]


def test_the_state_goes_along():
    rollouts = roll_out(SpellingModel([3, 1, 2], 4), torch.tensor([[0]]), 4, generator(1))
    assert rollouts.written.tolist() == [[3, 1, 2, 3]]


def test_probabilities_are_those_of_one_pass_over_the_whole():
    model = TransformerLanguageModel(TransformerLanguageModelConfig(11, 8, 2, 1, context=16))
    model.initialise(generator(1))
    rollouts = roll_out(model, torch.tensor([[1, 2], [3, 4], [1, 2]]), 6, generator(2))
    with torch.no_grad():
        logits, _ = model(rollouts.tokens[:, :-1], model.initial_state(3))
    log_p = logits[:, 1:].log_softmax(-1).gather(-1, rollouts.written.unsqueeze(-1)).squeeze(-1)
    torch.testing.assert_close(rollouts.log_probabilities, log_p)


def test_they_are_samples_of_the_model():
    model = random_pair_model(4)
    prompts = torch.zeros(4_000, 1, dtype=torch.int64)
    drawn = roll_out(model, prompts, 1, generator(3)).written[:, 0]
    shares = drawn.bincount(minlength=4) / len(drawn)
    torch.testing.assert_close(shares, model.table[0].softmax(0), atol=0.03, rtol=0)


def test_what_cannot_be_is_refused():
    with pytest.raises(SettingError, match="length must be at least 1"):
        roll_out(random_pair_model(), torch.tensor([[0]]), 0, generator(1))
    with pytest.raises(ShapeError, match="P >= 1"):
        roll_out(random_pair_model(), torch.zeros(2, 0, dtype=torch.int64), 1, generator(1))

"""Gradients of a prediction beside finite differences, and occlusion beside texts read one by one."""

import copy

import numpy as np
import pytest
import torch

from lm_core.analysis import connectivity
from lm_core.errors import ShapeError
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.models.transformer_config import TransformerLanguageModelConfig
from lm_core.rng import generator
from lm_core.text.character_vocabulary import FULL
from tests.core.toy_models import random_lstm

SIZE, LENGTH = 11, 24


def transformer():
    model = TransformerLanguageModel(
        TransformerLanguageModelConfig(
            vocabulary_size=SIZE, width=16, layers=2, heads=2, context=64, position="rotary"
        )
    )
    model.initialise(generator(0))
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(1.5)
    return model


@pytest.fixture(scope="module", params=["lstm", "transformer"])
def model(request):
    return (random_lstm(SIZE) if request.param == "lstm" else transformer()).eval().double()


@pytest.fixture(scope="module")
def ids():
    return torch.randint(1, SIZE, (LENGTH + 5,), generator=generator(3))


def moved(model, ids, state, target, place, change):
    """The log-probability with one place's vector moved."""
    other = copy.deepcopy(model)
    vectors = model.embedding.weight.detach()[ids].clone()
    vectors[place] += change
    other.embedding = torch.nn.Embedding.from_pretrained(vectors)
    return float(connectivity.log_probabilities(other, torch.arange(len(ids)), state)[target])


def test_the_gradient_is_what_finite_differences_say(model, ids):
    state, read, target, step = connectivity.state_before(model, ids, 5), ids[5:], 4, 1e-5
    found = connectivity.input_gradient(model, read, state, target)
    assert found.norm.shape == found.times_input.shape == (LENGTH,)
    for place in (0, LENGTH // 2, LENGTH - 1):
        width = model.embedding.weight.shape[1]
        slopes = torch.tensor(
            [
                (
                    moved(model, read, state, target, place, step * axis)
                    - moved(model, read, state, target, place, -step * axis)
                )
                / (2 * step)
                for axis in torch.eye(width).double()
            ],
            dtype=torch.float64,
        )
        vector = model.embedding.weight.detach()[read[place]]
        assert found.norm[place] == pytest.approx(float(slopes.norm()), rel=1e-3)
        assert found.times_input[place] == pytest.approx(float(slopes @ vector), rel=1e-3)


def test_the_model_is_left_as_it_was(model, ids):
    embedding = model.embedding
    connectivity.input_gradient(model, ids, connectivity.state_before(model, ids, 0), 1)
    assert model.embedding is embedding
    assert all(parameter.grad is None for parameter in model.parameters())


def test_occlusion_is_the_fall_of_the_log_probability_of_each_text_read_by_itself(model, ids):
    state, read, target = connectivity.state_before(model, ids, 5), ids[5:], 4
    replacements = torch.where(read == 2, 3, 2)
    found = connectivity.occlusion(model, read, replacements, state, target)
    whole = float(connectivity.log_probabilities(model, read, state)[target])
    for place in range(LENGTH):
        changed = read.clone()
        changed[place] = replacements[place]
        fall = whole - float(connectivity.log_probabilities(model, changed, state)[target])
        assert found[place] == pytest.approx(fall, abs=1e-9)
    assert np.abs(found).max() > 0.01


def test_a_token_replaced_by_itself_costs_nothing(model, ids):
    state = connectivity.state_before(model, ids, 0)
    np.testing.assert_allclose(connectivity.occlusion(model, ids, ids, state, 1), 0.0, atol=1e-9)
    with pytest.raises(ShapeError):
        connectivity.occlusion(model, ids, ids[:-1], state, 1)


def test_every_token_is_replaced_by_another():
    ids = FULL.encode('So "e" is it.')
    replaced = FULL.decode(connectivity.replacements_for(ids, FULL))
    assert replaced == "  e   e  e   "
    assert (connectivity.replacements_for(ids, FULL) != ids).all()

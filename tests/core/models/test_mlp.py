"""Bengio's model: eq. (1) by hand, its size, its starts, and what it refuses."""

import math

import pytest
import torch

from lm_core.errors import SettingError, ShapeError
from lm_core.models.mlp import INITIALISATIONS, SCALED, MLPLanguageModel, MLPLanguageModelConfig
from lm_core.models.registry import build, config_from_dict, config_to_dict
from lm_core.rng import generator

TOKENS = torch.tensor([[2, 0, 1, 1, 2, 3]])


def model(**settings):
    found = MLPLanguageModel(MLPLanguageModelConfig(**{"vocabulary_size": 5, **settings})).double()
    found.initialise(generator(0))
    return found


@pytest.mark.parametrize("has_direct_connections", [False, True])
def test_the_logits_are_those_of_equation_1(has_direct_connections):
    mlp = model(
        context_size=3,
        embedding_size=2,
        hidden_size=4,
        has_direct_connections=has_direct_connections,
    )
    if mlp.direct is not None:
        torch.nn.init.normal_(mlp.direct.weight, generator=generator(1))
    logits, _ = mlp(TOKENS, mlp.initial_state(1))
    history = [0, 0, *TOKENS[0].tolist()]
    for t in range(TOKENS.shape[1]):
        x = torch.cat([mlp.embedding.weight[token] for token in history[t : t + 3]])
        y = mlp.output.bias + mlp.output.weight @ torch.tanh(
            mlp.hidden.bias + mlp.hidden.weight @ x
        )
        if mlp.direct is not None:
            y = y + mlp.direct.weight @ x
        torch.testing.assert_close(logits[0, t], y)


@pytest.mark.parametrize("context_size", [1, 3])
def test_reading_in_pieces_changes_nothing(context_size):
    mlp = model(context_size=context_size)
    whole, last = mlp(TOKENS, mlp.initial_state(1))
    first, state = mlp(TOKENS[:, :2], mlp.initial_state(1))
    second, end = mlp(TOKENS[:, 2:], state)
    torch.testing.assert_close(torch.cat([first, second], 1), whole)
    assert torch.equal(end[0], last[0])
    assert end[0].tolist() == [TOKENS[0, TOKENS.shape[1] - (context_size - 1) :].tolist()]


def test_the_future_and_what_is_further_back_than_the_context_change_nothing():
    mlp = model(context_size=2)
    other = TOKENS.clone()
    other[0, 5], other[0, 0] = 4, 4
    a, b = (mlp(tokens, mlp.initial_state(1))[0] for tokens in (TOKENS, other))
    torch.testing.assert_close(a[:, 2:5], b[:, 2:5])
    assert not torch.allclose(a[:, 5], b[:, 5])


def test_it_has_as_many_numbers_as_the_published_network():
    assert build(MLPLanguageModelConfig(27, 3, 10, 200)).parameter_count == 11_897


@pytest.mark.parametrize("has_direct_connections", [False, True])
def test_the_formula_counts_every_weight(has_direct_connections):
    config = MLPLanguageModelConfig(27, 4, 3, 7, has_direct_connections)
    assert build(config).parameter_count == config.parameter_count


def test_a_config_is_read_as_it_was_written():
    config = MLPLanguageModelConfig(27, 5, 2, 50, has_direct_connections=True)
    assert config_from_dict(config_to_dict(config)) == config


def losses_and_saturation(initialisation):
    mlp = model(vocabulary_size=27, initialisation=initialisation)
    contexts = torch.randint(27, (2000, 3), generator=generator(1))
    targets = torch.randint(27, (2000,), generator=generator(2))
    with torch.no_grad():
        trace = mlp.trace(contexts)
        loss = torch.nn.functional.cross_entropy(trace.logits, targets).item()
        return loss, float((trace.hidden.abs() > 0.99).double().mean())


def test_the_starts_differ_in_the_first_loss_and_in_saturation():
    normal, small, scaled = map(losses_and_saturation, INITIALISATIONS)
    assert normal[0] > 10
    assert small[0] == pytest.approx(math.log(27), abs=0.05)
    assert scaled[0] == pytest.approx(math.log(27), abs=0.05)
    assert small[1] == pytest.approx(normal[1], abs=0.05)
    assert normal[1] > 0.5
    assert scaled[1] < 0.15


def test_the_seed_decides_the_start_and_the_scale_only_the_embedding():
    a, b, c = model(), model(), model(embedding_scale=0.1)
    assert torch.equal(a.hidden.weight, b.hidden.weight)
    torch.testing.assert_close(c.embedding.weight, 0.1 * a.embedding.weight)
    torch.testing.assert_close(c.hidden.weight, a.hidden.weight)


@pytest.mark.parametrize(
    "wrong",
    [
        {"vocabulary_size": 0},
        {"context_size": 0},
        {"embedding_size": 0},
        {"hidden_size": 0},
        {"initialisation": "good"},
        {"embedding_scale": 0.0},
    ],
)
def test_a_size_or_a_start_that_is_none_is_an_error(wrong):
    with pytest.raises(SettingError):
        MLPLanguageModelConfig(**{"vocabulary_size": 27, "initialisation": SCALED, **wrong})


def test_contexts_of_another_length_are_an_error():
    with pytest.raises(ShapeError):
        model(context_size=3).trace(torch.zeros(4, 2, dtype=torch.int64))

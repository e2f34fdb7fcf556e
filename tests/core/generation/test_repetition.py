"""Loops: found where they are, by brute force's definition, and explained by states that recur."""

from itertools import pairwise

import numpy as np
import pytest
import torch
from torch import nn

from lm_core.errors import SettingError, ShapeError
from lm_core.generation.repetition import Loop, Recurrence, find_loop, recurrence
from lm_core.models.language_model import LanguageModel
from lm_core.models.ngram import estimate
from lm_core.models.recurrent_language_model import LSTMLanguageModel, LSTMLanguageModelConfig
from lm_core.rng import generator


def ids_of(text):
    return np.frombuffer(text.encode(), np.uint8)


def loop_by_trying(ids, minimum_repeats, minimum_length):
    for period in range(1, len(ids) // minimum_repeats + 1):
        length = period
        while length < len(ids) and ids[-1 - length] == ids[-1 - length + period]:
            length += 1
        if length >= max(minimum_repeats * period, minimum_length):
            return Loop(len(ids) - length, period, length // period)
    return None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("xy" + "abc" * 4, Loop(2, 3, 4)),
        ("xyc" + "abc" * 4 + "a", Loop(2, 3, 4)),  # the tail may begin and end within a round
        ("aaaaaaaa", Loop(0, 1, 8)),
        ("abababab", Loop(0, 2, 4)),  # not period 4
        ("abcabcabc!", None),  # over before the end
        ("ball", None),  # a doubled letter is no loop
        ("", None),
    ],
)
def test_hand_examples(text, expected):
    assert find_loop(ids_of(text), minimum_length=8) == expected


@pytest.mark.parametrize("minimum_repeats", [2, 3])
@pytest.mark.parametrize("minimum_length", [0, 5, 12])
def test_equals_trying_every_period(minimum_repeats, minimum_length):
    rng = np.random.default_rng(0)
    found = 0
    for _ in range(300):
        rounds = np.tile(rng.integers(0, 2, rng.integers(1, 7)), rng.integers(1, 6))
        ids = np.concatenate([rng.integers(0, 2, rng.integers(0, 9)), rounds])
        expected = loop_by_trying(ids, minimum_repeats, minimum_length)
        assert find_loop(ids, minimum_repeats, minimum_length) == expected
        found += expected is not None
    assert found > 50


def test_window_bounds_what_is_seen():
    ids = np.tile([1, 2, 3, 4], 50)
    assert find_loop(ids, window=40) == Loop(160, 4, 10)
    assert find_loop(np.tile(np.arange(30), 3), window=50) is None


def test_minimum_repeats_is_at_least_two():
    with pytest.raises(SettingError, match="minimum_repeats must be at least 2, got 1"):
        find_loop(np.zeros(9), minimum_repeats=1)


# Why it cannot stop ----------------------------------------------------------------------------


LOOPING = np.array([4, 0, 3] + [0, 1, 2, 3] * 8)


def test_count_table_returns_to_the_very_same_state():
    model = estimate(np.tile([0, 1, 2, 3, 4], 20), 5, 3)
    evidence = recurrence(model, LOOPING, find_loop(LOOPING))
    assert evidence.is_exact
    assert evidence.distances[1:] == (0.0,) * 7  # the very first round still saw the text before
    assert evidence.distances[0] > 0


def test_recurrent_network_is_drawn_nearer_each_round():
    model = LSTMLanguageModel(LSTMLanguageModelConfig(5, 4, 8, 1)).double()
    model.initialise(generator(3))
    loop = Loop(3, 4, 8)
    evidence = recurrence(model, LOOPING, loop)
    assert len(evidence.distances) == loop.repeats
    assert not evidence.is_exact
    assert evidence.distances[-1] < 0.2 * evidence.distances[0]


def test_distances_are_those_of_the_states():
    """Against states collected one character at a time."""
    model = LSTMLanguageModel(LSTMLanguageModelConfig(5, 4, 8, 1))
    model.initialise(generator(3))
    state, vectors = model.initial_state(1), []
    with torch.no_grad():
        for token in [None, *LOOPING.tolist()]:
            if token is not None:
                _, state = model(torch.tensor([[token]]), state)
            vectors.append(torch.cat([tensor.flatten() for tensor in state]))
    rounds = [vectors[3 + 4 * j] for j in range(9)]
    expected = [float((b - a).norm() / b.norm()) for a, b in pairwise(rounds)]
    found = recurrence(model, LOOPING, Loop(3, 4, 8)).distances
    assert found == pytest.approx(expected, rel=1e-3)


def test_verdicts():
    assert Recurrence((0.5, 0.1, 0.0)).is_exact
    assert not Recurrence((0.5, 1e-9)).is_exact


class GrowingMemory(LanguageModel):
    """Remembers every token, as a key-value cache does."""

    vocabulary_size = 5

    def __init__(self):
        super().__init__()
        self.output = nn.Linear(1, 5)

    def initial_state(self, batch):
        return (torch.zeros(batch, 0),)

    def forward(self, tokens, state):
        return torch.zeros(*tokens.shape, 5), (torch.cat([state[0], tokens.float()], 1),)


def test_growing_memory_is_refused():
    with pytest.raises(ShapeError, match="got 3 and then 7 numbers"):
        recurrence(GrowingMemory(), LOOPING, Loop(3, 4, 8))

import math

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from lm_core.errors import TextError
from lm_core.models.language_model import LanguageModel
from lm_core.models.recurrent_language_model import LSTMLanguageModelConfig
from lm_core.models.registry import build
from lm_core.rng import generator
from lm_core.training import evaluation


class CountsWhatItRead(LanguageModel):
    """After n tokens, gives the next token that is n % V a probability of nearly one."""

    vocabulary_size = 5

    def initial_state(self, batch):
        return (torch.zeros(batch, 1, dtype=torch.int64),)

    def forward(self, tokens, state):
        n_read = state[0] + torch.arange(1, tokens.shape[1] + 1)
        return 30.0 * F.one_hot(n_read % 5, 5).double(), (n_read[:, -1:],)


@pytest.fixture
def lstm():
    model = build(LSTMLanguageModelConfig(7, 4, 6, 2))
    model.initialise(generator(1))
    return model.double().eval()


def test_carried_losses_are_the_losses_of_one_uncut_reading(lstm):
    tokens = torch.randint(0, 7, (101,), generator=generator(0))
    logits, _ = lstm(tokens[None, :-1], lstm.initial_state(1))
    expected = F.cross_entropy(logits[0], tokens[1:], reduction="none").detach().numpy()
    for chunk in (1, 17, 100, 5000):
        np.testing.assert_allclose(evaluation.carried_losses(lstm, tokens, chunk=chunk), expected)


def test_the_state_is_carried_and_windows_start_cold():
    tokens = torch.arange(60) % 5
    assert evaluation.carried_losses(CountsWhatItRead(), tokens, chunk=7).max() < 1e-9
    cold = evaluation.cold_window_losses(CountsWhatItRead(), tokens, window=9, stride=1)
    assert cold.shape == (51, 9)
    # Only windows that begin at a multiple of 5 are in step with the counter.
    assert cold[::5].max() < 1e-9
    assert cold[1::5].min() > 20.0


def test_cold_windows_equal_reading_each_on_its_own(lstm):
    tokens = torch.randint(0, 7, (50,), generator=generator(0))
    losses = evaluation.cold_window_losses(lstm, tokens, window=8, stride=5, batch=3)
    assert losses.shape == (9, 8)
    for row, start in enumerate(range(0, 42, 5)):
        alone = evaluation.carried_losses(lstm, tokens[start : start + 9])
        np.testing.assert_allclose(losses[row], alone)


def test_a_mixture_is_the_mean_of_probabilities():
    first, second = -np.log([0.5, 0.1]), -np.log([0.1, 0.7])
    np.testing.assert_allclose(evaluation.mixed_losses(first, second, 0.25), -np.log([0.2, 0.55]))


def test_score_is_the_mean_with_an_error_from_blocks():
    losses = np.repeat([1.0, 2.0, 3.0], 10)
    result = evaluation.score(losses, block=10)
    assert result.nats == pytest.approx(2.0)
    assert result.bits == pytest.approx(2.0 / math.log(2))
    assert result.standard_error == pytest.approx(1.0 / math.sqrt(3))
    assert math.isnan(evaluation.score(losses[:10], block=10).standard_error)


def test_progress_is_told_up_to_the_end(lstm):
    told = []
    evaluation.carried_losses(
        lstm, torch.zeros(50, dtype=torch.int64), chunk=20, on_progress=told.append
    )
    assert told == sorted(told)
    assert told[-1] == 1.0


def test_too_short_a_text_is_refused(lstm):
    with pytest.raises(TextError, match="at least 65 characters, it has 64"):
        evaluation.cold_window_losses(lstm, torch.zeros(64, dtype=torch.int64))


def test_short_contexts_are_read_alone_and_end_at_the_place(lstm):
    tokens = torch.randint(7, (60,), generator=generator(5))
    places = torch.tensor([7, 30, 59])
    found = evaluation.short_context_losses(lstm, tokens, places, 4, batch=2)
    for place, loss in zip(places.tolist(), found.tolist(), strict=True):
        alone = evaluation.carried_losses(lstm, tokens[place - 4 : place + 1])
        assert loss == pytest.approx(alone[-1])

"""Hand-made heads read random tokens twice."""

import pytest
import torch

from lm_core.analysis import repeated_tokens
from lm_core.analysis.attention_trace import trace_attention
from lm_core.analysis.repeated_tokens import score_repetition
from lm_core.errors import SettingError
from lm_core.rng import generator
from tests.core.models.test_transformer import make

LENGTH = 6


class HandMade:
    """A trace of four heads: induction, same token, previous token, uniform."""

    def __init__(self, tokens):
        n = len(tokens)
        same = (tokens[:, None] == tokens).tril(-1).float()
        after = torch.zeros(n, n)
        after[:, 1:] = same[:, :-1]
        previous = torch.diag(torch.ones(n - 1), -1)
        itself = torch.eye(n)
        heads = [
            torch.where(exact.any(-1, keepdim=True), exact, itself)
            for exact in (after, same, previous)
        ]
        uniform = torch.ones(n, n).tril()
        self.weights = torch.stack([*heads, uniform / uniform.sum(-1, keepdim=True)])[None]
        # A model that knows what was read before: no surprise in the second half but its first.
        self.losses = torch.full((n - 1,), 3.0)
        if same.any():
            self.losses[LENGTH:] = 1.0


@pytest.fixture
def scores(monkeypatch):
    monkeypatch.setattr(repeated_tokens, "trace_attention", lambda _, tokens: HandMade(tokens))
    model = make(vocabulary_size=40, context=20)
    return score_repetition(model, generator(0), length=LENGTH, n_sequences=3)


def test_an_exact_head_scores_one_where_tokens_repeat_and_nothing_where_they_do_not(scores):
    chance = sum(1 / n for n in range(LENGTH + 1, 2 * LENGTH + 1)) / LENGTH
    assert scores.induction[0].tolist() == pytest.approx([1.0, 0.0, 0.0, chance])
    assert scores.induction_control[0].tolist() == pytest.approx([0.0, 0.0, 0.0, chance])
    assert scores.same_token[0].tolist() == pytest.approx([0.0, 1.0, 0.0, chance])
    assert scores.same_token_control[0].tolist() == pytest.approx([0.0, 0.0, 0.0, chance])


def test_only_what_can_be_known_counts_for_the_losses(scores):
    assert scores.losses == pytest.approx((3.0, 1.0))


def test_a_model_that_knows_nothing_is_no_better_at_the_second_reading():
    model = make(vocabulary_size=40, context=20)
    scores = score_repetition(model, generator(0), length=10, n_sequences=2)
    assert scores.induction.shape == (2, 2)
    assert float(scores.induction.max()) < 0.5
    drawn = 1 + torch.randperm(39, generator=generator(0))[:10]
    expected = trace_attention(model, torch.cat([drawn, drawn])).losses
    one = score_repetition(model, generator(0), length=10, n_sequences=1)
    assert one.losses == pytest.approx((float(expected[:9].mean()), float(expected[10:].mean())))


@pytest.mark.parametrize("length", [1, 11, 20])
def test_what_does_not_fit_is_refused(length):
    with pytest.raises(SettingError, match=r"\[2, 10\]"):
        score_repetition(make(vocabulary_size=40, context=20), generator(0), length=length)

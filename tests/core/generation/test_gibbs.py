"""Gibbs sampling: where the conditional distributions belong to one joint, that one is drawn from."""

from itertools import islice

import pytest
import torch
from torch import nn

from lm_core.errors import SettingError
from lm_core.generation.gibbs import gibbs_sampling
from lm_core.models.masked_language_model import MaskedLanguageModelConfig
from lm_core.rng import generator

JOINT = torch.tensor([[0.5, 0.1, 0.0], [0.05, 0.05, 0.1], [0.1, 0.0, 0.1]])
V = 3


class TableModel(nn.Module):
    """Knows the joint distribution of a text of two tokens; which one is covered, it predicts from the other."""

    config = MaskedLanguageModelConfig(V, width=4, heads=1, layers=1)

    def hidden_states(self, tokens, lengths):
        rows = []
        for _, a, b, _ in tokens.tolist():
            assert self.config.mask_id in (a, b), "nothing is covered"
            first = JOINT.sum(1) if b == self.config.mask_id else JOINT[:, b]
            second = JOINT.sum(0) if a == self.config.mask_id else JOINT[a]
            edge = torch.full((V,), 1.0)
            rows.append(torch.stack([edge, first / first.sum(), second / second.sum(), edge]))
        return torch.stack(rows)

    def predict(self, hidden):
        return hidden.log()


MASK = TableModel.config.mask_id


def steps(n, free=(0, 1), start=(MASK, MASK), temperature=1.0, seed=0):
    chain = gibbs_sampling(TableModel(), start, free, temperature=temperature, rng=generator(seed))
    return list(islice(chain, n))


def test_texts_are_drawn_from_the_joint_distribution():
    counts = torch.zeros(V, V)
    for step in steps(1_500)[1:]:
        counts[step.tokens] += 1
    torch.testing.assert_close(counts / counts.sum(), JOINT, atol=0.05, rtol=0.0)


def test_each_sweep_visits_every_free_place_once():
    found = steps(20)
    for sweep in range(10):
        pair = found[2 * sweep : 2 * sweep + 2]
        assert {step.place for step in pair} == {0, 1}
        assert {step.sweep for step in pair} == {sweep + 1}
    assert {step.before for step in found[:2]} == {MASK}


def test_a_step_says_what_was_there_and_how_probable_the_drawn_token_was():
    text = [MASK, MASK]
    for step in steps(30):
        assert step.before == text[step.place]
        other = text[1 - step.place]
        given = JOINT if step.place == 0 else JOINT.T
        known = given.sum(1) if other == MASK else given[:, other]
        assert step.probability == pytest.approx(float((known / known.sum())[step.after]), rel=1e-5)
        text[step.place] = step.after
        assert step.tokens == tuple(text)


def test_what_is_not_free_stays():
    assert {step.tokens[1] for step in steps(20, free=(0,), start=(MASK, 2))} == {2}


def test_a_low_temperature_takes_the_most_probable():
    found = steps(200, free=(0,), start=(MASK, 0), temperature=0.05)
    assert {step.after for step in found} == {0}


def test_equal_seeds_draw_equal_texts():
    assert steps(20, seed=4) == steps(20, seed=4)
    assert steps(20, seed=4) != steps(20, seed=5)


@pytest.mark.parametrize(
    ("settings", "said"), [({"free": ()}, "free"), ({"temperature": 0.0}, "temperature")]
)
def test_impossible_settings_are_refused(settings, said):
    with pytest.raises(SettingError, match=said):
        steps(1, **settings)

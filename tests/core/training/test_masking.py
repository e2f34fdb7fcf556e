"""Masking: how many are chosen, what stands in their place, and that words stay whole."""

import pytest
import torch

from lm_core.errors import SettingError
from lm_core.models.masked_language_model import MaskedLanguageModelConfig
from lm_core.rng import generator
from lm_core.training.masking import MaskingConfig, mask_tokens

V = 50
MODEL = MaskedLanguageModelConfig(V, width=8, heads=2, layers=1)
TOKENS = torch.randint(V, (64, 200), generator=generator(2))
STARTS = torch.rand(TOKENS.shape, generator=generator(3)) < 0.6


def masked(masking, tokens=TOKENS, starts=STARTS, seed=0):
    return mask_tokens(tokens, starts, masking, MODEL, generator(seed))


@pytest.mark.parametrize("whole_words", [True, False])
def test_shares_are_those_of_the_setting(whole_words):
    found = masked(MaskingConfig(whole_words=whole_words))
    assert found.is_target.float().mean() == pytest.approx(0.15, abs=0.015)
    chosen, original = found.inputs[found.is_target], TOKENS[found.is_target]
    assert (chosen == MODEL.mask_id).float().mean() == pytest.approx(0.8, abs=0.03)
    # Of the tokens drawn at random, one in V is the one that was there.
    assert (chosen == original).float().mean() == pytest.approx(0.1 + 0.1 / V, abs=0.02)


def test_what_is_not_chosen_stays():
    found = masked(MaskingConfig())
    assert torch.equal(found.inputs[~found.is_target], TOKENS[~found.is_target])


def test_words_are_chosen_whole():
    continues = ~STARTS[:, 1:]
    whole = masked(MaskingConfig()).is_target
    assert torch.equal(whole[:, 1:][continues], whole[:, :-1][continues])
    single = masked(MaskingConfig(whole_words=False)).is_target
    assert not torch.equal(single[:, 1:][continues], single[:, :-1][continues])


@pytest.mark.parametrize(
    ("masking", "allowed"),
    [
        (MaskingConfig(masked=1.0, random=0.0), "mask"),
        (MaskingConfig(masked=0.0, random=0.0), "same"),
        (MaskingConfig(masked=0.0, random=1.0), "random"),
    ],
)
def test_the_three_extremes(masking, allowed):
    found = masked(masking)
    chosen, original = found.inputs[found.is_target], TOKENS[found.is_target]
    if allowed == "mask":
        assert (chosen == MODEL.mask_id).all()
    elif allowed == "same":
        assert torch.equal(chosen, original)
    else:
        assert (chosen < V).all()
        assert (chosen == original).float().mean() < 0.1


def test_special_symbols_are_never_chosen():
    tokens = TOKENS.clone()
    tokens[:, 0], tokens[:, -1] = MODEL.first_id, MODEL.separator_id
    tokens[:, -30:-1] = MODEL.padding_id
    found = masked(MaskingConfig(share=1.0), tokens)
    assert torch.equal(found.is_target, tokens < V)


def test_nothing_given_is_changed():
    tokens = TOKENS.clone()
    masked(MaskingConfig(), tokens)
    assert torch.equal(tokens, TOKENS)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"share": 0.0}, "share"),
        ({"masked": 0.8, "random": 0.3}, "at most 1"),
        ({"random": -0.1}, "negative"),
    ],
)
def test_impossible_shares_are_refused(fields, said):
    with pytest.raises(SettingError, match=said):
        MaskingConfig(**fields)

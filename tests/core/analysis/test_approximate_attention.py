"""A trained transformer with approximate attention: exact at full size, and limited below it."""

from dataclasses import replace

import pytest
import torch

from lm_core.analysis.approximate_attention import ApproximateTransformer, with_kernel, with_window
from lm_core.errors import SettingError
from lm_core.models.efficient_attention import draw_features
from lm_core.models.registry import build
from lm_core.models.transformer_config import TransformerLanguageModelConfig
from lm_core.rng import generator

SMALL = TransformerLanguageModelConfig(20, 16, 2, 2, context=12)
TOKENS = torch.randint(0, 20, (3, 12), generator=generator(3))


def drawn(**changes):
    model = build(replace(SMALL, **changes))
    model.initialise(generator(1))
    return model.eval()


@torch.no_grad()
def logits_of(model, tokens=TOKENS):
    return model(tokens, model.initial_state(len(tokens)))[0]


@pytest.mark.parametrize("position", ["rotary", "learned", "none"])
def test_a_window_as_long_as_the_text_changes_nothing(position):
    model = drawn(position=position)
    torch.testing.assert_close(logits_of(with_window(model, 12)), logits_of(model))


def test_a_short_window_reaches_back_one_step_a_layer():
    """Two layers of a window of 2: the last place hears of the two before it, and of no other."""
    model = with_window(drawn(), 2)
    before = logits_of(model)[:, -1]
    for place, is_heard in ((11 - 3, False), (11 - 2, True)):
        edited = TOKENS.clone()
        edited[:, place] = (edited[:, place] + 1) % 20
        assert (not torch.equal(logits_of(model, edited)[:, -1], before)) == is_heard


def test_a_kernel_of_many_features_comes_near():
    model = drawn()
    exact = logits_of(model)
    errors = [
        float((logits_of(with_kernel(model, n, generator(0))) - exact).norm()) for n in (16, 4096)
    ]
    assert errors[1] < 0.3 * errors[0]
    assert errors[1] < 0.1 * float(exact.norm())


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ApproximateTransformer(drawn()), "either a window or features"),
        (
            lambda: ApproximateTransformer(
                drawn(), window=2, features=draw_features(8, 4, generator(0))
            ),
            "not both",
        ),
        (lambda: with_window(drawn(causal=False), 2), "causal=False"),
        (lambda: with_window(drawn(position="alibi"), 2), "'alibi'"),
    ],
)
def test_what_cannot_be_is_refused(call, message):
    with pytest.raises(SettingError, match=message):
        call()

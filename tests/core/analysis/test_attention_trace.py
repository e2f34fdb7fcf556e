"""Every stage of every head, and what interventions do to a model."""

import pytest
import torch

from lm_core.analysis.attention_trace import (
    Intervention,
    entropies,
    parts_of_mix,
    peaks,
    softmax_slopes,
    trace_attention,
    without_sink,
)
from lm_core.errors import SettingError, ShapeError, TextError
from lm_core.models.attention import attend
from lm_core.models.transformer_config import POSITIONS
from lm_core.rng import generator
from tests.core.models.test_transformer import make, tokens_of

TOKENS = tokens_of(1, 6)[0]


def logits_of(model, **changes):
    return trace_attention(model, TOKENS, Intervention(**changes)).logits


@pytest.mark.parametrize("position", POSITIONS)
@pytest.mark.parametrize("norm", ["pre", "post", "none"])
@pytest.mark.parametrize("query_key_norm", [False, True])
def test_what_is_shown_is_what_the_model_computes(position, norm, query_key_norm):
    model = make(position=position, norm=norm, query_key_norm=query_key_norm).double()
    with torch.no_grad():
        expected, state = model(TOKENS[None], model.initial_state(1))
    shown = trace_attention(model, TOKENS)
    torch.testing.assert_close(shown.logits, expected[0])
    assert shown.weights.shape == (2, 2, 6, 6)
    torch.testing.assert_close(shown.weights.sum(-1), torch.ones(2, 2, 6, dtype=torch.float64))
    assert shown.weights.triu(1).abs().max() == 0.0
    for layer, values in zip(shown.layers, state[1::2], strict=True):
        kept = values.shape[1]  # the cache of a sliding window has let go of the first
        flat = layer.attention.values.transpose(0, 1).flatten(1)
        torch.testing.assert_close(flat[len(flat) - kept :], values[0])
    expected_loss = torch.nn.functional.cross_entropy(expected[0, :-1], TOKENS[1:])
    torch.testing.assert_close(shown.losses.mean(), expected_loss)


def test_the_stream_runs_from_block_to_block():
    shown = trace_attention(make(), TOKENS)
    torch.testing.assert_close(shown.layers[1].before, shown.layers[0].after)
    assert not torch.allclose(shown.layers[0].after_attention, shown.layers[0].before)


@torch.no_grad()
def test_a_ablated_head_adds_nothing():
    model, other = make(), make()
    other.blocks[1].attention.output.weight[:, 4:8] = 0.0  # where the second head's output comes in
    expected, _ = other(TOKENS[None], other.initial_state(1))
    torch.testing.assert_close(logits_of(model, heads=frozenset({(1, 1)})), expected[0])
    assert not torch.allclose(logits_of(model), expected[0])


@torch.no_grad()
def test_a_ablated_layer_is_passed_by():
    model, shorter = make(), make(layers=1)
    shorter.load_state_dict(model.state_dict(), strict=False)
    expected, _ = shorter(TOKENS[None], shorter.initial_state(1))
    torch.testing.assert_close(logits_of(model, layers=frozenset({1})), expected[0])


def test_scale_and_temperature_undo_each_other():
    model = make()
    torch.testing.assert_close(
        logits_of(model, is_scaled=False, temperature=model.config.head_width**0.5),
        logits_of(model),
    )
    assert not torch.allclose(logits_of(model, is_scaled=False), logits_of(model))


def test_the_mask_off_lets_the_future_in_and_on_keeps_it_out():
    model = make()
    weights = trace_attention(model, TOKENS, Intervention(is_causal=False)).weights
    assert (weights > 0.0).all()
    cheater = make(causal=False)
    assert trace_attention(cheater, TOKENS).weights.triu(1).max() > 0.0
    assert (
        trace_attention(cheater, TOKENS, Intervention(is_causal=True)).weights.triu(1).max() == 0.0
    )
    torch.testing.assert_close(logits_of(model, is_causal=True), logits_of(model))


@pytest.mark.parametrize(
    ("tokens", "changes", "error", "message"),
    [
        (TOKENS[:0], {}, TextError, "it has 0"),
        (tokens_of(1, 7)[0], {}, TextError, "1 to 6 tokens, it has 7"),
        (TOKENS[None], {}, ShapeError, "tokens"),
        (TOKENS, {"layers": frozenset({2})}, SettingError, r"\[0, 1\], got \[2\]"),
        (TOKENS, {"heads": frozenset({(0, 5)})}, SettingError, "heads"),
        (TOKENS, {"heads": frozenset({(-1, 0)})}, SettingError, "layers of heads"),
        (TOKENS, {"temperature": 0.0}, SettingError, "temperature"),
    ],
)
def test_bad_input_is_refused(tokens, changes, error, message):
    with pytest.raises(error, match=message):
        trace_attention(make(), tokens, Intervention(**changes))


def test_read_outs_by_hand():
    weights = torch.tensor([[0.25, 0.25, 0.25, 0.25], [1.0, 0.0, 0.0, 0.0], [0.5, 0.4, 0.1, 0.0]])
    assert entropies(weights)[:2].tolist() == [2.0, 0.0]
    best, keys = peaks(weights)
    assert best.tolist() == [0.25, 1.0, 0.5]
    assert keys[1:].tolist() == [0, 0]
    rest = without_sink(weights)
    torch.testing.assert_close(rest[2], torch.tensor([0.0, 0.8, 0.2, 0.0]))
    assert rest[1].tolist() == [0.0] * 4
    torch.testing.assert_close(without_sink(weights, renormalised=False)[2, 1], torch.tensor(0.4))
    assert weights[2, 0] == 0.5


def test_the_slope_is_the_norm_of_the_softmaxs_jacobian():
    scores = torch.randn(7, generator=generator(0), dtype=torch.float64)
    for strength in (0.1, 1.0, 30.0):
        jacobian = torch.autograd.functional.jacobian(lambda s: s.softmax(-1), scores * strength)
        slope = softmax_slopes((scores * strength).softmax(-1))
        assert slope.item() == pytest.approx(jacobian.norm().item(), abs=1e-9)


def test_a_key_adds_to_the_output_by_its_weight_and_the_length_of_its_value():
    values = torch.tensor([[3.0, 4.0], [0.0, 1.0], [9.0, 9.0]])
    queries, keys = torch.zeros(1, 2), torch.zeros(3, 2)
    mask = torch.tensor([[True, True, False]])
    parts = parts_of_mix(attend(queries, keys, values, mask))
    torch.testing.assert_close(parts, torch.tensor([[5 / 6, 1 / 6, 0.0]]))

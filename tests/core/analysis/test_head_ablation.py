"""What a sentence loses with each head and layer."""

import pytest
import torch

from lm_core.analysis.attention_trace import Intervention, trace_attention
from lm_core.analysis.head_ablation import ablate_heads
from lm_core.errors import TextError
from tests.core.models.test_transformer import make, tokens_of

TOKENS = tokens_of(1, 6)[0]


def test_each_head_and_layer_is_ablated_alone():
    model = make()
    before = trace_attention(model, TOKENS).losses.mean()
    found = ablate_heads(model, TOKENS)
    assert found.heads.shape == (2, 2)
    one = trace_attention(model, TOKENS, Intervention(heads=frozenset({(1, 0)}))).losses.mean()
    torch.testing.assert_close(found.heads[1, 0], one - before)
    layer = trace_attention(model, TOKENS, Intervention(layers=frozenset({0}))).losses.mean()
    torch.testing.assert_close(found.layers[0], layer - before)


def test_what_is_out_already_stays_out_and_costs_nothing_more():
    model, out = make(), Intervention(heads=frozenset({(0, 1)}))
    found = ablate_heads(model, TOKENS, out)
    assert float(found.heads[0, 1]) == 0.0
    both = trace_attention(
        model, TOKENS, Intervention(heads=frozenset({(0, 0), (0, 1)}))
    ).losses.mean()
    torch.testing.assert_close(
        found.heads[0, 0], both - trace_attention(model, TOKENS, out).losses.mean()
    )


def test_one_token_predicts_nothing():
    with pytest.raises(TextError, match="at least 2 tokens, it has 1"):
        ablate_heads(make(), TOKENS[:1])

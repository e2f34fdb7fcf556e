import itertools
import math

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from lm_core.errors import SettingError, ShapeError
from lm_core.models.attention import attend, fused_attention
from lm_core.models.attention_scores import AdditiveScores, dot_product_scores
from lm_core.models.masks import causal_mask, distances, for_torch_multihead, padding_mask
from lm_core.models.multi_head_attention import (
    AttentionHead,
    FusedMultiHeadAttention,
    MultiHeadAttention,
    fused_from_heads,
    heads_of_torch,
    projection_parameters,
)
from lm_core.rng import generator


def draw(*shape, seed=0):
    return torch.randn(*shape, generator=generator(seed), dtype=torch.float64)


def queries_keys_values(batch=2, heads=3, n_queries=5, n_keys=7, width=4, value_width=6):
    return (
        draw(batch, heads, n_queries, width, seed=1),
        draw(batch, heads, n_keys, width, seed=2),
        draw(batch, heads, n_keys, value_width, seed=3),
    )


def layer(width=8, heads=2, seed=0, **sizes):
    made = MultiHeadAttention(width, heads, **sizes).double()
    made.initialise(generator(seed))
    return made


MASKS = {
    "none": None,
    "causal": causal_mask(5, 7),
    "window": causal_mask(5, 7, window=2),
    "padding": padding_mask(torch.tensor([7, 3]), 7).unsqueeze(1),
    "arbitrary": torch.rand(2, 1, 5, 7, generator=generator(4)) < 0.6,
}


def test_by_hand_three_tokens():
    eye = torch.eye(2)
    queries, keys, values = eye[[0, 1, 0]], eye[[0, 1, 0]], torch.tensor([[1.0], [2.0], [4.0]])
    trace = attend(queries, keys, values, causal_mask(3), scale=math.log(3.0))
    torch.testing.assert_close(
        trace.weights,
        torch.tensor([[1.0, 0.0, 0.0], [0.25, 0.75, 0.0], [3 / 7, 1 / 7, 3 / 7]]),
    )
    torch.testing.assert_close(trace.output, torch.tensor([[1.0], [1.75], [17 / 7]]))


def test_the_lecture_notes_weights_belong_to_a_five_in_fifth_place():
    printed = torch.tensor([0.05, 0.36, 0.40, 0.06, 0.13, 0.0, 0.0, 0.0, 0.0])

    def weights(fifth):
        scores = torch.tensor([4, 6, 6.1, 4, fifth, 1, -3, -4, -3])
        return attend(torch.ones(1, 1), scores[:, None], torch.zeros(9, 1)).weights[0]

    assert (weights(5.0) - printed).abs().max() < 0.015  # the fourth is 0.049, printed as 0.06
    assert (weights(6.0) - printed).abs().max() > 0.1


@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("with_bias", [False, True])
def test_the_shown_and_the_fused_path_agree_with_torch(mask, with_bias):
    tensors, allowed = queries_keys_values(), MASKS[mask]
    bias = draw(3, 5, 7, seed=9) if with_bias else None
    additive = (
        torch.zeros(2, 3, 5, 7, dtype=torch.float64) if bias is None else bias.expand(2, -1, -1, -1)
    )
    if allowed is not None:
        additive = additive.masked_fill(~allowed, float("-inf"))
    shown = attend(*tensors, allowed, bias=bias).output
    expected = F.scaled_dot_product_attention(*tensors, attn_mask=additive)
    has_something = additive.isfinite().any(-1, keepdim=True)
    torch.testing.assert_close(shown, expected.masked_fill(~has_something, 0.0))
    torch.testing.assert_close(fused_attention(*tensors, allowed, bias=bias), shown)


@pytest.mark.parametrize("mask", MASKS)
def test_rows_sum_to_one_and_what_may_not_be_seen_has_no_weight(mask):
    trace = attend(*queries_keys_values(), MASKS[mask])
    torch.testing.assert_close(trace.weights.sum(-1), torch.ones(2, 3, 5, dtype=torch.float64))
    assert trace.weights.min() >= 0.0
    if MASKS[mask] is not None:
        hidden = ~MASKS[mask].expand(2, 3, 5, 7)
        assert trace.weights[hidden].abs().max() == 0.0
        assert trace.masked_scores[hidden].max() == float("-inf")


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
def test_a_row_that_may_look_at_nothing_is_zero_in_both_paths(dtype):
    queries, keys, values = (tensor.to(dtype) for tensor in queries_keys_values(value_width=4))
    allowed = causal_mask(5, 7)
    allowed[3] = False
    trace = attend(queries, keys, values, allowed)
    fused = fused_attention(queries, keys, values, allowed)
    for zero in (trace.weights[:, :, 3], trace.output[:, :, 3], fused[:, :, 3]):
        assert zero.abs().max() == 0.0
    assert trace.output.isfinite().all()
    assert fused.isfinite().all()
    assert trace.weights[:, :, 2].sum() > 0.0


def test_stages_follow_from_one_another():
    queries, keys, values = queries_keys_values()
    trace = attend(queries, keys, values, causal_mask(5, 7), temperature=2.0)
    torch.testing.assert_close(trace.scores, queries @ keys.mT)
    torch.testing.assert_close(trace.scaled_scores, trace.scores / 2.0 / 2.0)  # sqrt(4), and T
    torch.testing.assert_close(trace.masked_scores.softmax(-1), trace.weights)
    torch.testing.assert_close(trace.weights @ values, trace.output)


def test_without_the_scale_the_softmax_is_sharper():
    tensors = queries_keys_values()
    entropy = {}
    for scale in (None, 1.0):
        weights = attend(*tensors, scale=scale).weights
        entropy[scale] = -(weights * weights.log()).sum(-1)
    assert (entropy[1.0] < entropy[None]).all()


def test_additive_scores_by_hand_and_pair_by_pair():
    scores = AdditiveScores(2, 3, 4).double()
    scores.initialise(generator(0))
    queries, keys = draw(5, 2), draw(6, 3, seed=1)
    matrix = scores(queries, keys)
    for i, j in itertools.product(range(5), range(6)):
        hidden = torch.tanh(queries[i] @ scores.query + keys[j] @ scores.key)
        torch.testing.assert_close(matrix[i, j], hidden @ scores.direction)


@pytest.mark.parametrize("heads", [1, 2, 4])
@pytest.mark.parametrize("bias", [False, True])
def test_heads_recovered_from_torch_repeat_its_layer(heads, bias):
    torchs = nn.MultiheadAttention(8, heads, bias=bias, batch_first=True).double()
    with torch.no_grad():
        for parameter in torchs.parameters():
            parameter.copy_(draw(*parameter.shape, seed=parameter.numel()))
    x, allowed = draw(2, 6, 8), causal_mask(6)
    outputs, weights = [], []
    for head in heads_of_torch(torchs):
        trace = attend(
            x @ head.query + head.query_bias,
            x @ head.key + head.key_bias,
            x @ head.value + head.value_bias,
            allowed,
        )
        outputs.append(trace.output)
        weights.append(trace.weights)
    ours = torchs.out_proj(torch.cat(outputs, -1))
    theirs, their_weights = torchs(
        x, x, x, attn_mask=for_torch_multihead(allowed), average_attn_weights=False
    )
    torch.testing.assert_close(ours, theirs)
    torch.testing.assert_close(torch.stack(weights, 1), their_weights)


def test_our_heads_put_into_torchs_layer_give_the_same():
    ours = layer(8, 2)
    torchs = nn.MultiheadAttention(8, 2, bias=False, batch_first=True).double()
    with torch.no_grad():
        rows = [getattr(head, n).T for n in ("query", "key", "value") for head in ours.heads]
        torchs.in_proj_weight.copy_(torch.cat(rows))
        torchs.out_proj.weight.copy_(ours.output.T)
    x, allowed = draw(2, 6, 8), causal_mask(6)
    theirs, _ = torchs(x, x, x, attn_mask=for_torch_multihead(allowed))
    torch.testing.assert_close(ours(x, allowed=allowed), theirs)


@pytest.mark.parametrize("sizes", [{}, {"key_width": 3, "value_width": 5}, {"context_width": 6}])
def test_the_fused_form_is_the_heads_side_by_side(sizes):
    ours = layer(8, 2, **sizes)
    fused = fused_from_heads(ours)
    x, context = draw(2, 5, 8), draw(2, 7, sizes.get("context_width", 8), seed=1)
    allowed = padding_mask(torch.tensor([7, 3]), 7)
    torch.testing.assert_close(fused(x, context, allowed), ours(x, context, allowed))
    trace = fused.trace(x, context, allowed)
    for head, alone in enumerate(ours.trace(x, context, allowed)):
        for name, stage in alone._asdict().items():
            torch.testing.assert_close(getattr(trace, name)[:, head], stage)


def test_cross_attention_looks_at_the_other_text_only():
    ours, x, context = layer(8, 2), draw(1, 4, 8), draw(1, 6, 8, seed=1)
    reordered = context[:, [3, 1, 5, 0, 2, 4]]
    torch.testing.assert_close(ours(x, reordered), ours(x, context))  # a set, not a sequence
    assert ours.trace(x, context)[0].weights.shape == (1, 4, 6)
    assert not torch.allclose(ours(x, context), ours(x))


@pytest.mark.parametrize("heads", [1, 2, 4, 8])
def test_the_number_of_heads_does_not_change_the_number_of_parameters(heads):
    ours = MultiHeadAttention(16, heads)
    in_heads = sum(parameter.numel() for parameter in ours.heads.parameters())
    assert in_heads == projection_parameters(16, heads) == 3 * 16 * 16


def test_editing_the_future_leaves_the_past_unchanged():
    ours, x, allowed = layer(), draw(1, 6, 8), causal_mask(6)
    edited = x.clone()
    edited[0, 4] += 1.0
    before, after = ours(x, allowed=allowed), ours(edited, allowed=allowed)
    torch.testing.assert_close(after[:, :4], before[:, :4])
    assert not torch.allclose(after[:, 4:], before[:, 4:])
    assert not torch.allclose(ours(edited)[:, :4], ours(x)[:, :4])  # without the mask it shows


def test_without_positions_the_order_does_not_matter_and_with_them_it_does():
    ours, x = layer(), draw(1, 6, 8)
    order = torch.tensor([4, 2, 0, 5, 1, 3])
    torch.testing.assert_close(ours(x[:, order]), ours(x)[:, order])
    positions = draw(6, 8, seed=5)
    moved, left = ours(x[:, order] + positions), ours(x + positions)[:, order]
    assert not torch.allclose(moved, left)


def test_masks():
    assert causal_mask(3).int().tolist() == [[1, 0, 0], [1, 1, 0], [1, 1, 1]]
    assert causal_mask(2, 4, window=2).int().tolist() == [[0, 1, 1, 0], [0, 0, 1, 1]]
    assert distances(2, 3).tolist() == [[1, 0, -1], [2, 1, 0]]
    assert padding_mask(torch.tensor([0, 2]), 3).int().tolist() == [[[0, 0, 0]], [[1, 1, 0]]]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: causal_mask(3, 2), SettingError, "3 queries and 2 keys"),
        (lambda: causal_mask(3, window=0), SettingError, "window must be at least 1"),
        (lambda: padding_mask(torch.tensor([4]), 3), SettingError, r"\[0, 3\]"),
        (lambda: padding_mask(torch.tensor(4), 3), ShapeError, "lengths"),
        (lambda: dot_product_scores(draw(2, 3), draw(2, 4)), ShapeError, "3 and 4"),
        (lambda: attend(draw(2, 3), draw(2, 3), draw(1, 3)), ShapeError, "2 keys and 1 values"),
        (lambda: attend(*[draw(2, 3)] * 3, temperature=0.0), SettingError, "temperature"),
        (lambda: attend(*[draw(2, 3)] * 3, causal_mask(3)), ShapeError, "broadcast"),
        (lambda: attend(*[draw(2, 3)] * 3, torch.zeros(2, 2)), ShapeError, "boolean"),
        (lambda: MultiHeadAttention(8, 3), SettingError, "multiple of heads"),
        (lambda: FusedMultiHeadAttention(8, 0), SettingError, "heads must be at least 1"),
        (lambda: AttentionHead(8, 0, 2), SettingError, "key_width"),
        (
            lambda: heads_of_torch(nn.MultiheadAttention(8, 2, kdim=4)),
            SettingError,
            "embed_dim",
        ),
    ],
)
def test_bad_input_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()

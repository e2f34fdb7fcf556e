import itertools
import math

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from lm_core.errors import SettingError, ShapeError
from lm_core.models.attention import (
    AdditiveScores,
    additive_mask,
    attend,
    causal_mask,
    distances,
    dot_product_scores,
    fused_attention,
    padding_mask,
    unfused_attention,
)
from lm_core.models.multi_head_attention import (
    AttentionMask,
    MultiHeadAttention,
    head_by_head,
    head_weights,
    projection_parameters,
    recording,
)
from lm_core.models.positional_encoding.relative import rotary_tables, rotate
from lm_core.rng import generator


def draw(*shape, seed=0):
    return torch.randn(*shape, generator=generator(seed), dtype=torch.float64)


def queries_keys_values(batch=2, heads=3, n_queries=5, n_keys=7, width=4, value_width=6):
    return (
        draw(batch, heads, n_queries, width, seed=1),
        draw(batch, heads, n_keys, width, seed=2),
        draw(batch, heads, n_keys, value_width, seed=3),
    )


def layer(width=8, heads=2, seed=0, **settings):
    made = MultiHeadAttention(width, heads, **settings).double()
    made.initialise(generator(seed))
    if made.query_norm is not None:
        with torch.no_grad():
            made.query_norm.weight.uniform_(0.5, 2.0, generator=generator(seed + 1))
            made.key_norm.weight.uniform_(0.5, 2.0, generator=generator(seed + 2))
    return made


def output_of(made, x, mask=None):
    """Return a layer's output under a mask, by default none."""
    return made(x, attention_mask(mask))[0]


def attention_mask(mask=None):
    visible = torch.ones(1, 1, dtype=torch.bool) if mask is None else mask
    return AttentionMask(visible, dtype=torch.float64)


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
        trace.weights, torch.tensor([[1.0, 0.0, 0.0], [0.25, 0.75, 0.0], [3 / 7, 1 / 7, 3 / 7]])
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
def test_all_ways_to_attend_agree_with_torch(mask, with_bias):
    tensors, visible = queries_keys_values(), MASKS[mask]
    bias = draw(3, 5, 7, seed=9) if with_bias else None
    expected_mask = (
        torch.zeros(2, 3, 5, 7, dtype=torch.float64) if bias is None else bias.expand(2, -1, -1, -1)
    )
    if visible is not None:
        expected_mask = expected_mask.masked_fill(~visible, float("-inf"))
    traced = attend(*tensors, visible, bias=bias).output
    expected = F.scaled_dot_product_attention(*tensors, attn_mask=expected_mask)
    has_something = expected_mask.isfinite().any(-1, keepdim=True)
    torch.testing.assert_close(traced, expected.masked_fill(~has_something, 0.0))
    if bias is None:
        torch.testing.assert_close(fused_attention(*tensors, visible), traced)
    if visible is not None:
        added = additive_mask(visible, bias, torch.float64)
        torch.testing.assert_close(fused_attention(*tensors, added), traced)
        unfused = unfused_attention(*tensors, added)
        torch.testing.assert_close(unfused.masked_fill(~has_something, 0.0), traced)


@pytest.mark.parametrize("mask", MASKS)
def test_rows_sum_to_one_and_masked_keys_have_no_weight(mask):
    trace = attend(*queries_keys_values(), MASKS[mask])
    torch.testing.assert_close(trace.weights.sum(-1), torch.ones(2, 3, 5, dtype=torch.float64))
    assert trace.weights.min() >= 0.0
    if MASKS[mask] is not None:
        hidden = ~MASKS[mask].expand(2, 3, 5, 7)
        assert trace.weights[hidden].abs().max() == 0.0
        assert trace.masked_scores[hidden].max() == float("-inf")


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
def test_a_row_that_is_masked_throughout_is_zero_in_both_paths(dtype):
    queries, keys, values = (tensor.to(dtype) for tensor in queries_keys_values(value_width=4))
    mask = causal_mask(5, 7)
    mask[3] = False
    trace = attend(queries, keys, values, mask)
    fused = fused_attention(queries, keys, values, mask)
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
def test_the_layer_with_torchs_weights_gives_torchs_output_and_weights(heads):
    torchs = nn.MultiheadAttention(8, heads, bias=False, batch_first=True).double()
    ours = layer(8, heads)
    with torch.no_grad():
        torchs.in_proj_weight.copy_(ours.projections.weight)  # the same order of rows
        torchs.out_proj.weight.copy_(ours.output.weight)
    x, mask, traces = draw(2, 6, 8), causal_mask(6), []
    theirs, their_weights = torchs(x, x, x, attn_mask=~mask, average_attn_weights=False)
    torch.testing.assert_close(output_of(ours, x, mask), theirs)
    traced, _ = ours(x, attention_mask(mask), attention=recording(traces))
    torch.testing.assert_close(traced, theirs)
    torch.testing.assert_close(traces[0].weights, their_weights)


@pytest.mark.parametrize("heads", [1, 2, 4])
@pytest.mark.parametrize("head_width", [None, 3])
@pytest.mark.parametrize("query_key_norm", [False, True])
def test_the_layer_is_its_heads_one_after_the_other(heads, head_width, query_key_norm):
    ours = layer(8, heads, head_width=head_width, query_key_norm=query_key_norm)
    x, mask, traces = draw(2, 6, 8), causal_mask(6), []
    torch.testing.assert_close(output_of(ours, x, mask), head_by_head(ours, x, mask))
    torch.testing.assert_close(output_of(ours, x), head_by_head(ours, x))
    if query_key_norm:
        return  # the formula of the stages is below
    ours(x, attention_mask(mask), attention=recording(traces, temperature=2.0))
    for head, weights in enumerate(head_weights(ours)):
        alone = attend(x @ weights.query, x @ weights.key, x @ weights.value, mask, temperature=2.0)
        for name, stage in alone._asdict().items():
            torch.testing.assert_close(getattr(traces[0], name)[:, head], stage)


@torch.no_grad()
@pytest.mark.parametrize("shared", [1, 2, 4])
@pytest.mark.parametrize("query_key_norm", [False, True])
def test_grouped_queries_are_torchs(shared, query_key_norm):
    ours = layer(8, 4, key_value_heads=shared, query_key_norm=query_key_norm, bias=True)
    ours.projections.bias.uniform_(-1.0, 1.0, generator=generator(5))
    x, mask, given = draw(2, 6, 8), causal_mask(6), []

    def attention(q, k, v, _):
        given.append((q, k, v))
        return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)

    rotation = rotary_tables(6, 2, dtype=torch.float64)
    output, (keys, values) = ours(
        x, AttentionMask(mask, rotation=rotation, dtype=torch.float64), attention=attention
    )
    assert keys.shape == values.shape == (2, 6, 2 * shared)
    k, v = (kept.unflatten(-1, (shared, 2)).transpose(1, 2) for kept in (keys, values))
    mixed = F.scaled_dot_product_attention(
        given[0][0], rotate(k, rotation), v, attn_mask=mask, enable_gqa=True
    )
    torch.testing.assert_close(output, ours.output(mixed.transpose(1, 2).flatten(2)))
    torch.testing.assert_close(output_of(ours, x, mask), head_by_head(ours, x, mask))


@torch.no_grad()
@pytest.mark.parametrize("shared", [1, 2])
def test_grouped_queries_are_heads_whose_keys_and_values_are_repeated(shared):
    grouped, whole = layer(8, 4, key_value_heads=shared), layer(8, 4)
    queries, *rest = grouped.projections.weight.split([8, 2 * shared, 2 * shared])
    repeated = [
        w.unflatten(0, (shared, 2)).repeat_interleave(4 // shared, 0).flatten(0, 1) for w in rest
    ]
    whole.projections.weight.copy_(torch.cat([queries, *repeated]))
    whole.output.load_state_dict(grouped.output.state_dict())
    x, mask = draw(2, 6, 8), causal_mask(6)
    torch.testing.assert_close(output_of(grouped, x, mask), output_of(whole, x, mask))
    other = draw(2, 5, 8, seed=7)
    crossed = [
        made.cross(x, made.keys_values(other), attention_mask()) for made in (grouped, whole)
    ]
    torch.testing.assert_close(*crossed)


def test_keys_cannot_be_shared_unevenly():
    with pytest.raises(SettingError, match="multiple of key_value_heads"):
        MultiHeadAttention(12, 6, key_value_heads=4)
    with pytest.raises(SettingError, match="key_value_heads must be at least 1"):
        MultiHeadAttention(12, 6, key_value_heads=0)


@torch.no_grad()
def test_normalised_queries_and_keys_have_the_length_of_their_gains():
    """Against the formula: x / sqrt(mean(x^2)) * gain, each head by itself, before any rotation."""
    ours, x, traces = layer(query_key_norm=True), draw(2, 6, 8), []
    rotation = rotary_tables(6, 4, dtype=torch.float64)
    mask = AttentionMask(causal_mask(6), rotation=rotation, dtype=torch.float64)
    output, (keys, values) = ours(x, mask, attention=recording(traces))
    torch.testing.assert_close(ours(x, mask)[0], output)
    for i, head in enumerate(head_weights(ours)):
        q, k = x @ head.query, x @ head.key
        q = q / q.square().mean(-1, keepdim=True).sqrt() * ours.query_norm.weight
        k = k / k.square().mean(-1, keepdim=True).sqrt() * ours.key_norm.weight
        close = {"rtol": 1e-3, "atol": 1e-3}  # but for epsilon
        torch.testing.assert_close(traces[0].queries[:, i], rotate(q, rotation), **close)
        torch.testing.assert_close(traces[0].keys[:, i], rotate(k, rotation), **close)
        torch.testing.assert_close(keys[..., 4 * i : 4 * i + 4], k, **close)  # not yet rotated
        torch.testing.assert_close(values[..., 4 * i : 4 * i + 4], x @ head.value)


@torch.no_grad()
@pytest.mark.parametrize("query_key_norm", [False, True])
def test_the_norm_of_queries_and_keys_bounds_the_scores(query_key_norm):
    ours, x, traces = layer(query_key_norm=query_key_norm), draw(2, 6, 8), []
    for size in (1.0, 1_000.0):
        ours(size * x, attention_mask(), attention=recording(traces))
    largest = [float(trace.scaled_scores.abs().max()) for trace in traces]
    if not query_key_norm:
        assert largest[1] == pytest.approx(1e6 * largest[0])
        return
    bound = 2.0 * float((ours.query_norm.weight * ours.key_norm.weight).max())  # sqrt(d) = 2
    assert largest[1] == pytest.approx(largest[0], rel=1e-4)
    assert 0.1 * bound < largest[1] <= bound


@pytest.mark.parametrize("shared", [1, 2])
@pytest.mark.parametrize("query_key_norm", [False, True])
def test_a_layer_reads_on_from_its_past(query_key_norm, shared):
    ours, x = layer(query_key_norm=query_key_norm, key_value_heads=shared), draw(2, 6, 8)
    whole, cache = ours(x, attention_mask(causal_mask(6)))
    _, past = ours(x[:, :4], attention_mask(causal_mask(4)))
    rest, after = ours(x[:, 4:], attention_mask(causal_mask(2, 6)), past)
    torch.testing.assert_close(rest, whole[:, 4:])
    torch.testing.assert_close(after, cache)


@pytest.mark.parametrize("heads", [1, 2, 4, 8])
def test_the_number_of_heads_does_not_change_the_number_of_parameters(heads):
    ours = MultiHeadAttention(16, heads)
    in_heads = sum(matrix.numel() for head in head_weights(ours) for matrix in head)
    assert in_heads == projection_parameters(16, heads) == 3 * 16 * 16
    assert ours.projections.weight.numel() == in_heads


def test_editing_the_future_leaves_the_past_unchanged():
    ours, x, mask = layer(), draw(1, 6, 8), causal_mask(6)
    edited = x.clone()
    edited[0, 4] += 1.0
    before, after = output_of(ours, x, mask), output_of(ours, edited, mask)
    torch.testing.assert_close(after[:, :4], before[:, :4])
    assert not torch.allclose(after[:, 4:], before[:, 4:])
    # without the mask it shows
    assert not torch.allclose(output_of(ours, edited)[:, :4], output_of(ours, x)[:, :4])


def test_without_positions_the_order_does_not_matter_and_with_them_it_does():
    ours, x = layer(), draw(1, 6, 8)
    order = torch.tensor([4, 2, 0, 5, 1, 3])
    torch.testing.assert_close(output_of(ours, x[:, order]), output_of(ours, x)[:, order])
    positions = draw(6, 8, seed=5)
    moved = output_of(ours, x[:, order] + positions)
    left = output_of(ours, x + positions)[:, order]
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
        (lambda: MultiHeadAttention(8, 0), SettingError, "heads must be at least 1"),
        (lambda: MultiHeadAttention(8, 2, 0), SettingError, "head_width"),
    ],
)
def test_bad_input_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()

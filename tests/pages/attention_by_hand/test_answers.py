"""What the page's answers for teachers say, held to its own computations."""

import pytest
import torch

from lm_core.analysis.attention_trace import peaks
from lm_core.experiments.attention_by_hand.head_parameters import count_heads
from lm_core.experiments.attention_by_hand.head_shapes import Split, split_into_heads
from lm_core.experiments.attention_by_hand.head_times import HEADS
from lm_core.experiments.attention_by_hand.printed_example import (
    FOX,
    PRINTED_SCORES,
    PRINTED_WEIGHTS,
    WORDS,
    read_matrix,
    single_edits,
    weights_of,
)
from lm_core.experiments.attention_by_hand.scaling import WIDTHS, scale_effects, spread_over_queries
from lm_core.experiments.attention_by_hand.typed_projections import project
from lm_core.models.attention import attend
from lm_core.rng import generator
from pages.attention_by_hand.dragged_query import _ARRANGEMENTS
from pages.attention_by_hand.typed_matrices import DEFAULTS, PROJECTED
from pages.shared.components.query_pad import QUERY_REACH
from pages.shared.numbers import percent
from tests.pages.answering import assert_says, suggestion

HERE = "attention-by-hand"


def medians(n_keys, field, *, is_scaled, seed=1):
    found = scale_effects(n_keys, generator(seed), n_queries=100)
    return {
        e.width: spread_over_queries(getattr(e, field)).median
        for e in found
        if e.is_scaled == is_scaled
    }


def test_a_short_key_wins_in_a_fifth_of_the_pad():
    keys, values = (torch.tensor(p).double() for p in _ARRANGEMENTS["one long, one short"])
    steps = torch.linspace(-QUERY_REACH, QUERY_REACH, 61).double()
    weights = attend(torch.cartesian_prod(steps, steps), keys, values).weights
    assert keys.norm(dim=1).argmax() == 0
    assert keys.norm(dim=1).argmin() == 1
    assert 0.15 < (weights.argmax(1) == 1).double().mean() < 0.25
    down = attend(torch.tensor([[0.0, -2.0]]).double(), keys, values)
    assert down.weights.argmax() == 1
    assert down.scores[0, 0] < 0 < down.scores[0, 1]
    assert_says(HERE, "Choose *one long", "(0, −2)", "a fifth")


def test_a_longer_query_moves_the_output_to_the_best_value():
    for keys, values in (map(torch.tensor, found) for found in _ARRANGEMENTS.values()):
        query = torch.tensor([[1.2, 0.8]])
        far = [attend(query * f, keys, values) for f in (1.0, 4.0, 64.0)]
        best = values[far[0].weights.argmax()]
        gaps = [float((found.output - best).norm()) for found in far]
        assert gaps[-1] < min(gaps[:-1])
        assert gaps[-1] < 0.01


def test_the_misprint_is_the_single_change_that_fits_best():
    best = min(single_edits(PRINTED_SCORES, PRINTED_WEIGHTS), key=lambda edit: edit.distance)
    printed = (PRINTED_WEIGHTS[best.place], PRINTED_WEIGHTS[1])
    scores = (f"{best.score:g}", f"{PRINTED_SCORES[best.place]:g}")
    assert_says(HERE, "Find the misprinted", f"*{WORDS[best.place]}*", *map(str, printed), *scores)


def test_adding_one_changes_no_weight_and_the_mask_hides_five_words():
    raised = weights_of([score + 1 for score in PRINTED_SCORES], FOX)
    assert torch.allclose(raised, weights_of(PRINTED_SCORES, FOX))
    assert weights_of(PRINTED_SCORES, FOX, is_causal=True)[-5:].tolist() == [0.0] * 5


def test_the_division_by_the_root_of_64_flattens_the_printed_weights():
    before, after = (weights_of(PRINTED_SCORES, FOX, divisor=d).tolist() for d in (1.0, 8.0))
    assert {percent(weight) for weight in after[-3:]} == {percent(0.05)}
    shares = percent(max(after)), percent(max(before)), percent(0.05), percent(1 / len(WORDS))
    assert_says(HERE, "Under *More*, let the scores", *shares)


def test_ten_times_the_queries_sharpen_all_rows_but_the_tied_one():
    queries, keys, values = (read_matrix(typed, name) for name, typed in DEFAULTS.items())
    once, ten = (attend(factor * queries, keys, values).weights for factor in (1, 10))
    assert (ten[1:].max(1).values > 0.99).all()
    assert ten[0, 0] == ten[0, 2]
    assert_says(HERE, "Open *Q, K and V* and multiply", percent(once[0, 0]), percent(ten[0, 0]))


def test_equal_keys_have_equal_columns_and_the_mask_leaves_the_first_query_one_key():
    queries, keys, values = (read_matrix(typed, name) for name, typed in DEFAULTS.items())
    keys[1] = keys[0]
    weights = attend(queries, keys, values).weights
    assert torch.equal(weights[:, 0], weights[:, 1])
    wide = attend(queries, keys, torch.cat([values, values[:, :1]], 1))
    assert wide.output.shape[1] == 3
    assert wide.weights.shape == weights.shape


def test_without_the_division_the_slope_vanishes_at_a_width_that_the_answer_names():
    for seed in (1, 2, 3):
        slopes = medians(16, "slope", is_scaled=False, seed=seed)
        first = min(width for width, slope in slopes.items() if slope < 1e-3)
        assert all(0.25 < s < 0.35 for s in medians(16, "slope", is_scaled=True).values())
        found = scale_effects(16, generator(seed), widths=[first])
        if seed == 1:
            deviation = f"{found[1].deviation:.0f}"
        assert_says(HERE, "Show *Slope*", str(first), deviation, "0.3")


def test_more_keys_share_the_weight():
    few, many = (
        {field: medians(n, field, is_scaled=True)[64] for field in ("peak", "slope", "entropy")}
        for n in (4, 32)
    )
    assert few["peak"] / many["peak"] > max(
        few["slope"] / many["slope"], many["entropy"] / few["entropy"]
    )
    assert few["slope"] / many["slope"] == pytest.approx(2, abs=0.3)
    shares = (percent(found["peak"]) for found in (few, many))
    bits = (f"{found['entropy']:.1f}" for found in (few, many))
    assert_says(HERE, "Take 4 keys", *shares, *bits)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_under_every_seed_the_lines_are_level_with_the_division_and_not_without(seed):
    wide = [width for width in WIDTHS if width >= 8]
    for field, level in (("peak", 0.04), ("slope", 0.03), ("entropy", 0.15)):
        values = [medians(16, field, is_scaled=True, seed=seed)[width] for width in wide]
        assert max(values) - min(values) < level
    without = {f: medians(16, f, is_scaled=False, seed=seed) for f in ("peak", "slope", "entropy")}
    assert without["peak"][1024] > 0.98
    for field in ("slope", "entropy"):
        assert without[field][1024] < 0.05 * without[field][8]
    assert_says(HERE, "Change the seed", "8", "1")


def test_heads_of_one_number_find_an_extreme_and_twice_the_width_is_four_times_the_numbers():
    assert count_heads(16, 16, generator(1)).head_width == 1
    keys = torch.randn(20, 1, generator=generator(1))
    found = attend(torch.tensor([[3.0], [-3.0]]), keys, keys)
    assert peaks(found.weights)[1].tolist() == [int(keys.argmax()), int(keys.argmin())]
    for heads in (1, 4, 16):
        numbers = [count_heads(width, heads, generator(1)).in_heads for width in (32, 64)]
        assert numbers[1] == 4 * numbers[0]


def test_reshape_gives_each_of_four_heads_one_token_and_leaves_the_ends_where_they_are():
    tokens = torch.arange(1, 5)
    of_four = split_into_heads(tokens[:, None].expand(4, 4).contiguous(), 4, Split.RESHAPE)
    assert [set(head.flatten().tolist()) for head in of_four] == [{1}, {2}, {3}, {4}]
    assert_says(HERE, "Choose four heads", "head 3")
    found = split_into_heads(10 * tokens[:, None] + tokens, 2, Split.RESHAPE)
    in_place = found[found // 10 == tokens[None, :, None]]
    assert in_place.tolist() == [11, 12, 43, 44]
    assert len(in_place) / found.numel() == 0.25
    assert_says(HERE, "Which of the numbers stand", "quarter", "1 and 2", "3 and 4")


NOT_COMPUTED = {
    "Put 16 heads on a width": "64 and 128 are widths of other people's models",
    "Find a place where": "a product of 0 is what a right angle means",
    "Add 1 to every score": "its 4 is an example; that no weight changes is held above",
    "Switch the causal mask on": "weights of 0 are held above, the four words are the rest of the nine",
}


def test_a_query_that_fits_one_key_far_best_looks_it_up():
    suggestion(HERE, "In which sense is attention a dictionary")
    keys, values = torch.eye(3, dtype=torch.float64), torch.tensor([[5.0], [7.0], [9.0]]).double()
    assert attend(100 * keys[1:2], keys, values).output.item() == pytest.approx(7.0)
    assert attend(0 * keys[1:2], keys, values).output.item() == pytest.approx(values.mean().item())


def test_a_hard_maximum_has_no_gradient():
    scores = torch.tensor(PRINTED_SCORES, dtype=torch.float64)
    best = int(scores.argmax())
    said = WORDS[best].capitalize(), str(PRINTED_SCORES[best]), f"{PRINTED_SCORES[1]:g}"
    assert_says(HERE, "What would the *hard maximum*", *said)
    assert not scores.argmax().is_floating_point()
    slopes = torch.func.jacrev(lambda s: s.softmax(-1)[best])(scores)
    assert (slopes != 0).all()


def test_keys_and_values_of_another_width():
    assert_says(HERE, "May keys and values", "width 16", "width 24")
    layer = torch.nn.MultiheadAttention(16, 2, kdim=24, vdim=24, batch_first=True)
    found, _ = layer(torch.randn(1, 3, 16), torch.randn(1, 5, 24), torch.randn(1, 5, 24))
    assert found.shape == (1, 3, 16)


def test_a_printed_reshape_is_right_for_one_token_of_two_units():
    suggestion(HERE, "A lecture joins its heads")
    for heads, tokens in ((2, 1), (1, 2)):
        assert torch.randn(heads, tokens, 1).transpose(0, 1).reshape(1, 2).shape == (1, 2)
    with pytest.raises(RuntimeError, match="invalid for input"):
        torch.randn(2, 3, 4).transpose(0, 1).reshape(1, 2)


def test_with_one_matrix_for_queries_and_keys_the_scores_are_symmetric():
    x, w, _, to_values = (read_matrix(text, name) for name, text in PROJECTED.items())
    queries, keys, _ = project(x, w, w, to_values)
    scores = queries @ keys.T
    assert torch.equal(scores, scores.T)
    queries, keys, _ = project(*(read_matrix(text, name) for name, text in PROJECTED.items()))
    assert not torch.equal(queries @ keys.T, keys @ queries.T)
    assert_says(HERE, "Compute *Q, K and V from X*", "symmetric")


def test_the_most_heads_that_are_timed_are_those_of_the_answer():
    assert_says(HERE, "Open *Head by head", f"{HEADS[-1]} heads")

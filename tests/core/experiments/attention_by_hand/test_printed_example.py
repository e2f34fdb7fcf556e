import math

import pytest
import torch

from lm_core.errors import SettingError, TextError
from lm_core.experiments.attention_by_hand.head_parameters import count_heads
from lm_core.experiments.attention_by_hand.printed_example import (
    FOX,
    PRINTED_SCORES,
    PRINTED_WEIGHTS,
    WORDS,
    distance,
    read_matrix,
    single_edits,
    weights_of,
)
from lm_core.experiments.attention_by_hand.scaling import scale_effects, spread_over_queries
from lm_core.rng import generator

PRINTED = torch.tensor(PRINTED_WEIGHTS, dtype=torch.float64)


def test_weights_by_the_formula():
    powers = [math.exp(score / 2.0) for score in PRINTED_SCORES]
    weights = weights_of(PRINTED_SCORES, FOX, divisor=2.0)
    assert weights.tolist() == pytest.approx([power / sum(powers) for power in powers])


def test_with_the_mask_a_word_sees_itself_and_what_came_before():
    weights = weights_of(PRINTED_SCORES, FOX, is_causal=True)
    assert weights[FOX + 1 :].tolist() == [0.0] * 5
    assert weights[: FOX + 1].tolist() == pytest.approx(
        weights_of(PRINTED_SCORES[: FOX + 1], FOX).tolist()
    )
    assert weights.sum() == pytest.approx(1.0)


def test_only_a_five_for_jumps_brings_the_printed_weights_near():
    edits = sorted(single_edits(PRINTED_SCORES, PRINTED_WEIGHTS), key=lambda edit: edit.distance)
    best, second = edits[:2]
    assert (WORDS[best.place], best.score) == ("jumps", 5.0)
    assert best.distance < 0.012
    assert second.distance > 0.13
    mended = [*PRINTED_SCORES[:4], 5.0, *PRINTED_SCORES[5:]]
    assert distance(weights_of(mended, FOX), PRINTED) == pytest.approx(best.distance)


def test_no_edit_is_worse_than_none_at_all():
    scores, wanted = (0.0, 1.0, 2.0), (0.2, 0.3, 0.5)
    before = distance(weights_of(scores, 0), torch.tensor(wanted, dtype=torch.float64))
    assert all(edit.distance <= before for edit in single_edits(scores, wanted))


def test_distance_is_the_share_that_moves():
    one, other = torch.tensor([0.5, 0.5, 0.0]), torch.tensor([0.5, 0.25, 0.25])
    assert distance(one, other) == pytest.approx(0.25)
    assert distance(torch.tensor([1.0, 0.0]), torch.tensor([0.0, 1.0])) == 1.0


@pytest.mark.parametrize("typed", ["1 -2\n3 .5", " 1, -2 ;\n\n[3\t0.5]", "1 −2\r\n3 5e-1"])
def test_matrices_are_read_however_they_are_typed(typed):
    assert read_matrix(typed, "Q").tolist() == [[1.0, -2.0], [3.0, 0.5]]


def test_the_largest_matrix_is_read():
    assert read_matrix("1 -100 100 4\n" * 4, "Q").shape == (4, 4)


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        (" \n", "Q needs at least one row of numbers, got none"),
        ("1 2\n3", "rows of Q must be of one length, got rows of 1 and 2 numbers"),
        ("1 two", "Q must hold numbers, got 'two'"),
        ("1 nan", "numbers of Q must lie within ±100, got 'nan'"),
        ("1 101", "within ±100, got '101'"),
        ("1\n" * 5, "at most 4 rows of 4 numbers, got 5 rows"),
        ("1 2 3 4 5", "the longest of 5"),
    ],
)
def test_what_is_no_small_matrix_is_refused(typed, message):
    with pytest.raises(TextError, match=message):
        read_matrix(typed, "Q")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: weights_of((1.0, 2.0), 2), r"place must lie in \[0, 1\], got 2"),
        (lambda: weights_of((1.0, 2.0), 0, divisor=0.0), "divisor must be positive"),
        (lambda: scale_effects(1, generator(0)), "n_keys must be at least 2"),
        (lambda: count_heads(6, 4, generator(0)), "multiple of heads"),
    ],
)
def test_bad_settings_are_refused(call, message):
    with pytest.raises(SettingError, match=message):
        call()


def test_the_scale_keeps_the_softmax_as_it_is_at_width_one():
    effects = scale_effects(8, generator(0), widths=(1, 64, 1024), n_queries=60)
    by = {(effect.width, effect.is_scaled): effect for effect in effects}
    torch.testing.assert_close(by[1, True].weights, by[1, False].weights)
    for width in (64, 1024):
        assert by[width, True].deviation == pytest.approx(1.0, abs=0.15)
        assert by[width, False].deviation == pytest.approx(math.sqrt(width), rel=0.15)
    assert by[1024, True].slope.median() > 0.2
    assert by[1024, False].slope.median() < 0.001
    assert by[1024, False].peak.median() > 0.99 > 0.5 > by[1024, True].peak.median()
    assert by[1024, True].entropy.mean() > 2.0 > 0.5 > by[1024, False].entropy.mean()


def test_two_keys_are_enough_to_share_the_weight():
    effects = scale_effects(2, generator(0), widths=(4,), n_queries=3)
    assert [effect.peak.numel() for effect in effects] == [3, 3]


def test_narrower_vectors_are_the_beginning_of_wider_ones():
    effects = scale_effects(4, generator(3), widths=(2, 8), n_queries=5)
    assert [effect.width for effect in effects] == [2, 2, 8, 8]
    rng = generator(3)
    query, keys = torch.randn(5, 1, 8, generator=rng), torch.randn(5, 4, 8, generator=rng)
    for effect in effects:
        scores = (query * keys)[0, :, : effect.width].double().sum(-1)
        divisor = math.sqrt(effect.width) if effect.is_scaled else 1.0
        torch.testing.assert_close(effect.weights, (scores / divisor).softmax(-1))


@pytest.mark.parametrize("heads", [1, 2, 8])
def test_heads_share_the_width_out_and_both_forms_agree(heads):
    count = count_heads(16, heads, generator(0))
    assert count.in_heads == count.in_projections == 3 * 16 * 16
    assert (count.head_width, count.in_output) == (16 // heads, 16 * 16)
    assert count.difference < 1e-5
    wide = count_heads(16, heads, generator(0), head_width=16)
    assert wide.in_heads == wide.in_projections == heads * count.in_heads
    assert wide.in_output == heads * count.in_output


def test_a_spread_is_the_median_and_the_middle_four_fifths():
    spread = spread_over_queries(torch.arange(11, dtype=torch.float64).flip(0))
    assert spread == pytest.approx((1.0, 5.0, 9.0))

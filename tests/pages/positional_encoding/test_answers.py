"""What the answers for teachers say of positions, held to what the page computes and to the trainings."""

from math import exp, pi

import pytest
import torch

from lm_core.experiments.ablations.variants import FULL
from lm_core.experiments.positional_encoding.equal_words import (
    compare_equal_words,
    split_into_words,
    word_ids,
)
from lm_core.experiments.positional_encoding.results import BeyondLengthResults
from lm_core.experiments.positional_encoding.scores_by_distance import (
    ALIBI_HEADS,
    position_scores,
    scores_by_distance,
)
from lm_core.models.attention import distances
from lm_core.models.positional_encoding import absolute
from lm_core.models.positional_encoding.relative import alibi_slopes, t5_buckets
from lm_core.rng import generator
from pages.positional_encoding.words_by_encoding import TITLES
from tests.pages.answering import assert_says

PAGE = "positional-encoding"
POSITIONS, WIDTH, BASE = 60, 32, 10_000
RELATIVE = ("rotary", "t5", "alibi")


# Equal words ----------------------------------------------------------------------------------


def compared(sentence, encoding, *, is_causal=False, shuffle_seed=1):
    tokens = word_ids(split_into_words(sentence))
    order = torch.randperm(len(tokens), generator=generator(shuffle_seed))
    return compare_equal_words(tokens, order, encoding, 1, is_causal=is_causal)


def test_the_mask_alone_tells_words_apart_unless_all_are_equal():
    assert compared("Can a canner can a can?", "none", is_causal=True).distinguished == (0, 1)
    told = {name for name in TITLES if compared("ha " * 4, name, is_causal=True).distinguished}
    assert told == set(TITLES) - {"none", *RELATIVE}
    rotary, t5, alibi = (TITLES[name] for name in RELATIVE)
    assert_says(PAGE, "Type *ha ha", f"{rotary.title()}, {t5} and {alibi}")


def test_alibi_takes_left_for_right():
    equal = {name for name in TITLES if compared("no can no", name).identical}
    assert equal == {"none", "alibi"}


def test_a_shuffle_changes_nothing_only_without_encoding_and_mask():
    def least(name, is_causal):
        every = (
            compared("Can a canner can a can?", name, is_causal=is_causal, shuffle_seed=s)
            for s in range(1, 9)
        )
        return min(found.change for found in every)

    changed = {(name, mask): least(name, mask) > 0.05 for name in TITLES for mask in (False, True)}
    assert [case for case, differs in changed.items() if not differs] == [("none", False)]


# Shift as rotation ----------------------------------------------------------------------------


def test_shifts_that_nearly_turn_the_fastest_hand_round():
    period = 2 * pi / float(absolute.wave_frequencies(8, 100)[0])
    apart = {n: 360 * (n / period - round(n / period)) for n in range(1, 21)}
    best = sorted(apart, key=lambda n: abs(apart[n]))[:3]
    assert best == [19, 6, 13]
    said = (f"{n}" for n in best), (f"{abs(apart[n]):.0f}°" for n in best)
    assert_says(PAGE, "Find a shift", f"{period:.2f}", *said[0], *said[1])


def test_the_slowest_hand_of_a_small_base():
    slowest = 1 / float(absolute.wave_frequencies(8, 10)[-1])
    assert_says(PAGE, "Set *Base C* to 10", f"{2 * pi * slowest:.0f}", f"{slowest:.1f}")


# Encoding vectors -----------------------------------------------------------------------------


def test_cosines_of_neighbours_in_both_encodings():
    digits = absolute.binary_positions(POSITIONS, 6)
    assert [int((digits[i] != digits[i + 1]).sum()) for i in (31, 32)] == [6, 1]
    waves = absolute.sinusoidal_positions(POSITIONS, WIDTH, BASE)
    binary, sinusoidal = (
        [f"{float(absolute.position_similarity(codes)[i, i + 1]):.3f}" for i in (31, 32)]
        for codes in (digits, waves)
    )
    assert sinusoidal[0] == sinusoidal[1]
    assert_says(PAGE, "Compare 31", " and ".join(binary), sinusoidal[0])


def test_with_a_small_base_the_cosine_forgets_the_distance():
    small, large = (
        absolute.position_similarity(absolute.sinusoidal_positions(POSITIONS, WIDTH, base))[20]
        for base in (2, BASE)
    )
    near = (f"{float(small[20 + n]):.2f}".replace("-", "−") for n in (2, 4, 8))
    far = f"{float(large[59]):.2f}"
    periods = 2 * pi / absolute.wave_frequencies(WIDTH, 2)
    waves = f"All {len(periods)}", f"between {float(periods[0]):.0f} and {float(periods[-1]):.0f}"
    assert_says(PAGE, "Set *Base C* to 2", *near, f"{far} there", *waves)
    assert float(small[30:].abs().max()) == pytest.approx(0.2, abs=0.025)
    assert large[21] > large[30] > large[59]


def test_the_slowest_wave_of_64_columns():
    codes = absolute.sinusoidal_positions(POSITIONS, 64, BASE)[:, -2:]
    assert 0.005 < float((codes.amax(0) - codes.amin(0)).max()) < 0.01
    period = 2 * pi / float(absolute.wave_frequencies(64, BASE)[-1])
    assert_says(PAGE, "Set *Width d*", f"{round(period, -3):,.0f}")


# Scores by distance ---------------------------------------------------------------------------


def test_heads_of_alibi_at_forty_positions():
    first, *_, last = (
        -float(position_scores("alibi", 64, WIDTH, 1, head=head)[63, 63 - 40])
        for head in range(ALIBI_HEADS)
    )
    assert alibi_slopes(ALIBI_HEADS).diff().tolist() == (-alibi_slopes(ALIBI_HEADS)[1:]).tolist()
    said = f"head 1 loses {first:.0f}", f"head {ALIBI_HEADS} loses {last:.2f}"
    assert_says(PAGE, "Choose *ALiBi*", *said, f"{100 * exp(-last):.0f} %")
    assert_says(PAGE, "Choose *ALiBi*", f"{exp(-first) * 1e9:.0f} in a billion")


def test_no_vector_is_more_like_itself_after_a_turn():
    for seed in range(50):
        assert scores_by_distance(position_scores("rotary", 64, WIDTH, seed), 63).argmax() == 0
    first = scores_by_distance(position_scores("rotary", 64, WIDTH, 1), 63)[:41]
    assert_says(PAGE, "Choose *rotary*", f"{int((first.diff() > 0).sum())} of the 40 steps")


def test_distances_that_share_a_bucket():
    buckets = t5_buckets(-torch.arange(64), bidirectional=False)
    alone = int((buckets.bincount() == 1).cumprod(0).sum())
    assert_says(PAGE, "Choose *T5 buckets*", f"{alone} and {alone + 1}", f"up to {alone - 1}")
    for inside in (alone, 37):
        shared = (buckets == buckets[inside]).nonzero().flatten().tolist()
        assert_says(PAGE, "Choose *T5 buckets*", f"{shared[0]} to {shared[-1]}")
    assert buckets[60] == buckets[61]


# T5 buckets -----------------------------------------------------------------------------------


def differing(maximum, n=24, **directions):
    """Return the offsets at which the rule with the error gives another bucket, and those buckets."""
    offsets = -distances(n, n)
    right, wrong = (t5_buckets(offsets, 8, maximum, cap=cap, **directions) for cap in (None, 7))
    return offsets[right != wrong], wrong[right != wrong]


def test_the_rule_with_the_error_differs_in_two_corners():
    offsets, buckets = differing(16)
    behind = offsets < 0
    assert set(buckets[behind].tolist()) == {4}, "the first bucket of the keys ahead"
    assert set(buckets[~behind].tolist()) == {8}, "which does not exist"
    assert behind.sum() == (~behind).sum()
    said = f"{int(offsets.abs().min())} or more", f"{int(behind.sum())} keys"
    assert_says(PAGE, "Switch the *Rule", *said, f"{int((~behind).sum())} get one")
    assert len(differing(16, bidirectional=False)[0]) == 0


def test_a_maximum_beyond_the_chart_makes_both_rules_agree():
    counts = {maximum: len(differing(maximum)[0]) for maximum in (16, 20, 32, 64)}
    assert [counts[maximum] for maximum in (32, 64)] == [0, 0]
    said = f"at 20 they still differ in {counts[20]}", "from 32 on", "at most 23"
    assert_says(PAGE, "Raise the", *said)


# Beyond the trained length --------------------------------------------------------------------


@pytest.fixture(scope="module")
def results():
    return BeyondLengthResults.load()


def loss(results, position, place, *, is_limited=False):
    groups = results.losses(position, is_limited=is_limited)
    return next(group.mean for group in groups if group.last >= place)


def test_limited_to_the_trained_distance_all_models_but_one_stay_as_good(results):
    for position in ("rotary", "alibi", "learned", "sinusoidal", "none"):
        before, after = (loss(results, position, place, is_limited=True) for place in (64, 256))
        assert_says(PAGE, "Choose *The last 64*", f"from {before:.2f} to {after:.2f}")
        assert (after > before + 0.05) == (position == "none")
    for position in ("learned", "sinusoidal"):
        (one,) = results.of(position)
        block = torch.tensor(one.attending_to_last).reshape(-1, 64)[1:].mean(0)
        assert float(block[0]) == pytest.approx(2.5, abs=0.02)
        assert float(block[3:16].mean() - block[16:].mean()) < 0.01


def test_a_code_that_can_be_computed_is_worse_than_none(results):
    said = [f"{loss(results, position, 200):.2f}" for position in ("sinusoidal", "none")]
    assert_says(PAGE, "Sinusoidal codes can", *said)


def test_without_positions_the_loss_rises_within_the_trained_length_too(results):
    def of(place, **limit):
        return f"{loss(results, 'none', place, **limit):.2f}"

    said = f"{of(256, is_limited=True)} nats instead of {of(256)}", f"from {of(16)}", f"to {of(64)}"
    assert_says(PAGE, "Does the model without", *said)
    for position in ("learned", "sinusoidal", "rotary", "alibi"):
        assert loss(results, position, 64) < loss(results, position, 16) + 0.01


def test_alibi_gains_nothing_from_more_text(results):
    trained, middle, end = (f"{loss(results, 'alibi', place):.2f}" for place in (64, 256, 512))
    slopes = alibi_slopes(FULL.heads).tolist()
    weights = [f"{exp(-128 * slope):.2f}" for slope in slopes[-2:]]
    said = f"1/{1 / slopes[0]:.0f} to 1/{1 / slopes[-1]:.0f}", *weights
    assert_says(PAGE, "ALiBi is hardly", f"{trained} nats", middle, end, *said)
    everything, limited = (results.losses("alibi", is_limited=limit) for limit in (False, True))
    apart = (abs(a.mean - b.mean) for a, b in zip(everything, limited, strict=True))
    assert max(apart) < 0.01


# Waves ----------------------------------------------------------------------------------------


def test_fast_waves_come_back_and_slow_ones_tell_no_neighbours_apart():
    periods = (2 * pi / absolute.wave_frequencies(WIDTH, BASE)).tolist()
    assert_says(
        PAGE,
        "Set *First pair j* to 0 ",
        f"{6 / periods[0]:.0%}".replace("%", " %"),
        f"{periods[1]:.0f}",
    )
    assert 0.5 < 6 / periods[1] < 0.6
    slow = absolute.sinusoidal_positions(81, WIDTH, BASE)[:, 12:16].diff(dim=0).abs().max()
    said = [f"{periods[6]:.0f}", f"{periods[7]:.0f}", f"{slow:.2f}"]
    assert_says(PAGE, "Set *First pair j* to 6.", *said)

import math

import pytest
import torch

from lm_core.errors import SettingError, TextError
from lm_core.experiments.positional_encoding.equal_words import (
    attend_to_words,
    compare_equal_words,
    less_their_mean,
    split_into_words,
    word_ids,
)
from lm_core.experiments.positional_encoding.scores_by_distance import (
    KINDS,
    learned_codes,
    position_scores,
    scores_by_distance,
    spread_at_equal_distance,
)
from lm_core.models.positional_encoding.relative import t5_buckets
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.models.transformer_config import POSITIONS, TransformerLanguageModelConfig
from lm_core.rng import generator

CANNER = word_ids(("can", "a", "canner", "can", "a", "can"))
ORDER = torch.tensor([1, 5, 2, 0, 3, 4])


def test_what_tells_equal_words_apart_is_their_row_less_their_mean():
    rows = torch.tensor([[1.0, 2.0], [7.0, 0.0], [3.0, 2.0]])
    parts = less_their_mean(rows, torch.tensor([0, 1, 0]))
    assert parts.tolist() == [[-1.0, 0.0], [0.0, 0.0], [1.0, 0.0]]


def compared(sentence, position, *, is_causal=False):
    tokens = word_ids(split_into_words(sentence))
    order = torch.arange(len(tokens)).flip(0)
    return compare_equal_words(tokens, order, position, 1, is_causal=is_causal)


# Equal words ----------------------------------------------------------------------------------


def test_words_are_read_without_what_stands_between_them():
    assert split_into_words("  Can a CANNER—can, a can?!") == (
        "can",
        "a",
        "canner",
        "can",
        "a",
        "can",
    )
    assert split_into_words("don't <b>mother-in-law</b>") == ("don't", "b", "mother-in-law", "b")
    assert word_ids(("b", "a", "b")).tolist() == [0, 1, 0]


@pytest.mark.parametrize(
    ("sentence", "message"),
    [
        ("", "2 to 12 words here, got 0"),
        ("alone!", "got 1"),
        ("no " * 13, "got 13"),
        (f"a {'b' * 21}", "at most 20 letters here, got bbbbbbbbbbbbbbbbbbbb…: shorten it"),
    ],
)
def test_what_is_no_short_sentence_is_refused(sentence, message):
    with pytest.raises(TextError, match=message):
        split_into_words(sentence)


def test_without_positions_equal_words_are_alike_and_outputs_move_along():
    comparison = compare_equal_words(CANNER, ORDER, "none", 1)
    assert comparison.identical == (0, 1)
    assert not comparison.distinguished
    assert comparison.change < 1e-5


@pytest.mark.parametrize("position", [kind for kind in POSITIONS if kind != "none"])
@pytest.mark.parametrize("is_causal", [False, True])
def test_with_any_positions_they_are_told_apart_and_order_counts(position, is_causal):
    comparison = compare_equal_words(CANNER, ORDER, position, 1, is_causal=is_causal)
    assert comparison.distinguished == (0, 1)
    assert comparison.change > 0.05


def test_the_causal_mask_alone_tells_words_apart_unless_all_before_are_the_same():
    assert compared("can a canner can", "none", is_causal=True).distinguished == (0,)
    assert compared("ha ha ha ha", "none", is_causal=True).identical == (0,)


def test_alibi_without_a_mask_cannot_tell_a_word_from_its_mirror_image():
    assert compared("no can no", "alibi").identical == (0,)
    assert compared("no can no", "t5").distinguished == (0,)
    assert compared("no can no", "rotary").distinguished == (0,)


def test_the_head_is_the_same_for_every_kind_and_each_word_keeps_its_vector():
    plain, shuffled = (
        attend_to_words(t, "none", 3, is_causal=False) for t in (CANNER, CANNER[ORDER])
    )
    torch.testing.assert_close(plain.values[ORDER], shuffled.values)
    alibi = attend_to_words(CANNER, "alibi", 3, is_causal=False)
    torch.testing.assert_close(alibi.queries, plain.queries)
    expected = plain.scaled_scores - 0.5 * (torch.arange(6)[:, None] - torch.arange(6)).abs()
    torch.testing.assert_close(alibi.scaled_scores, expected)
    assert attend_to_words(CANNER, "none", 4, is_causal=False).output[0, 0] != plain.output[0, 0]


# By distance ----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_only_of_binary_digits_more_than_the_distance_counts(kind):
    spread = spread_at_equal_distance(position_scores(kind, 40, 16, 1))
    assert spread > 1.0 if kind == "binary" else spread < 1e-4


def test_scores_by_the_formulas():
    waves = position_scores("sinusoidal", 20, 4, 1, base=100.0)
    assert waves[12, 5].item() == pytest.approx(math.cos(7) + math.cos(0.7), abs=1e-5)
    assert position_scores("alibi", 5, 4, 1, head=1)[4, 1].item() == pytest.approx(-3 / 4)
    assert position_scores("binary", 8, 4, 1)[7, 5].item() == 2.0
    assert position_scores("rotary", 9, 8, 1).diagonal().tolist() == pytest.approx([1.0] * 9)
    t5 = position_scores("t5", 200, 4, 1)
    assert len(t5[-1].unique()) == 32
    assert t5[199, 0] == t5[199, 50]  # both beyond the maximum of 128


def test_a_query_is_followed_from_itself_backwards():
    scores = torch.arange(9.0).view(3, 3)
    assert scores_by_distance(scores, 2).tolist() == [8.0, 7.0, 6.0]
    assert scores_by_distance(scores, 0).tolist() == [0.0]
    assert spread_at_equal_distance(scores) == 8.0  # the diagonal: 0, 4, 8
    ahead_differs = torch.tensor([[0.0, 9.0, 1.0], [1.0, 0.0, 5.0], [2.0, 1.0, 0.0]])
    assert spread_at_equal_distance(ahead_differs) == 0.0


def test_an_unknown_kind_is_refused():
    with pytest.raises(SettingError, match="kind must be one of"):
        position_scores("tea leaves", 5, 4, 1)


# Learned codes, and the published rule of buckets ------------------------------------------------------


def test_learned_codes_are_those_of_a_model_that_has_some():
    models = {}
    for position in ("learned", "rotary"):
        config = TransformerLanguageModelConfig(
            5, 8, heads=2, layers=1, context=6, position=position
        )
        models[position] = TransformerLanguageModel(config)
        models[position].initialise(generator(0))
    codes = learned_codes(models["learned"])
    assert codes.shape == (6, 8)
    assert torch.equal(codes, models["learned"].codes.weight)
    assert not codes.requires_grad
    with pytest.raises(SettingError, match="got 'rotary'"):
        learned_codes(models["rotary"])


def test_the_published_rule_differs_beyond_the_maximum_only():
    offsets = torch.arange(-40, 41)
    ours, published = (t5_buckets(offsets, 8, 16, cap=cap) for cap in (None, 7))
    within = offsets.abs() < 16
    assert torch.equal(ours[within], published[within])
    assert ours.max() == 7
    assert published.max() == 8
    assert set(published[offsets < -16].tolist()) == {4}
    assert set(ours[offsets < -16].tolist()) == {3}

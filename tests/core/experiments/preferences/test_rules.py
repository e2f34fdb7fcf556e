"""The rules, counted by hand."""

import pytest

from lm_core.experiments.preferences import rules
from lm_core.experiments.preferences.prompts import ALL, HELD_OUT, TRAINING, encode_prompts


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("", 0.0),
        ("abcd", 0.0),
        ('ab"cd"', 0.5),
        ('"abcd', 1.0),
        ('"ab"cd"ef', 2 / 3),
        ('""', 0.0),
        ("“ab”cd", 0.5),
    ],
)
def test_dialogue_is_the_share_of_characters_in_quotes(text, share):
    assert rules.dialogue_share(text) == pytest.approx(share)


@pytest.mark.parametrize(
    ("text", "calm"),
    [
        ("", 0.0),
        ("!!!", 0.0),
        ("He sat quietly and slowly", 2 / 5),
        ("He shouted!", -1.0),
        ("Quiet, quiet, quiet!", 2 / 3),
        ("no! no! no! no!", -1.0),
    ],
)
def test_calm_words_less_agitated_ones(text, calm):
    assert rules.calmness(text) == pytest.approx(calm)


@pytest.mark.parametrize(
    ("text", "ends"), [("", 0.0), ("He sat.", 0.5), ("No... no", 1.0), ("Who? I!", 1.0), ("a b", 0)]
)
def test_sentence_ends_per_word(text, ends):
    assert rules.sentence_ends(text) == pytest.approx(ends)


def test_words_have_no_marks_but_apostrophes():
    assert rules.words_of('Don\'t--go, he’s "HERE"!') == ["don't", "go", "he’s", "here"]


def test_every_rule_is_offered_with_its_formula():
    for name, rule in rules.RULES.items():
        assert name == rule.name
        assert rule.formula
        assert rule.latex
        assert rule.score("") == 0.0
    assert not rules.CALM_WORDS & rules.AGITATED_WORDS


def test_beginnings_are_of_one_length_and_some_are_held_out():
    assert encode_prompts(ALL).shape == (150, 4)
    assert not set(TRAINING) & set(HELD_OUT)
    assert len(TRAINING) + len(HELD_OUT) == len(ALL)

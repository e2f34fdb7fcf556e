"""Word overlap: each word counts as often as both texts have it."""

import pytest

from lm_core.analysis.word_overlap import share_kept, shared_places


@pytest.mark.parametrize(
    ("words", "other", "shared"),
    [
        ("un chien noir", "un chien blanc", [True, True, False]),
        ("la la la", "la la", [True, True, False]),
        ("un chien", "chien un", [True, True]),
        ("Un chien", "un chien", [False, True]),
        ("un chien", "", [False, False]),
    ],
)
def test_a_word_is_shared_as_often_as_the_other_text_has_it(words, other, shared):
    assert shared_places(words.split(), other.split()) == shared
    assert share_kept(words.split(), other.split()) == sum(shared) / len(shared)


def test_nothing_loses_nothing():
    assert share_kept([], ["un"]) == 1.0

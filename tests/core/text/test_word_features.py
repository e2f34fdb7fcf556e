"""A word's features: a new word shares its endings with known ones."""

import numpy as np
import pytest

from lm_core.text import word_features

COUNTS = {"walking": 9, "Walking": 2, "talking": 3, "1961": 5, "1820": 4, "a": 1}


@pytest.fixture
def vocabulary():
    return word_features.FeatureVocabulary.learn(COUNTS, least_count=3, least_words=2)


@pytest.mark.parametrize(
    ("word", "shape"),
    [
        ("owl", "^a"),
        ("Owl", "^Aa"),
        ("OWL", "^AA"),
        ("I", "^A"),
        ("eBay", "^aA"),
        ("B-52", "^AA0_"),
        ("well-known", "^a_"),
        ("1961", "^.0"),
        ("!", "^."),
        ("-", "^."),
    ],
)
def test_the_last_feature_is_how_a_word_is_written(word, shape):
    assert word_features.features_of(word)[-1] == shape
    assert len(word_features.features_of(word)) == word_features.N_FEATURES


def test_prefixes_and_suffixes_leave_a_letter_of_the_word():
    assert word_features.features_of("at")[1:-1] == ("<a", "", "", "", ">t", "", "", "")
    assert word_features.features_of("I")[1:-1] == ("",) * 8


def test_words_are_counted_in_any_case_and_with_any_digits(vocabulary):
    assert set(vocabulary.words) == {"walking", "talking", "0000"}
    assert vocabulary.has_word("WALKING")
    assert vocabulary.has_word("1789")
    assert not vocabulary.has_word("a")


def test_a_new_word_keeps_the_features_that_it_shares(vocabulary):
    new, known = vocabulary.encode(["stalking", "talking"])
    assert new[0] == word_features.UNKNOWN_WORD
    assert known[0] not in (word_features.UNKNOWN_WORD, word_features.PADDING)
    assert new[5:9].tolist() == known[5:9].tolist()
    assert word_features.PADDING not in known[5:9]


def test_what_few_words_have_is_left_out(vocabulary):
    assert "<walk" in vocabulary.names  # of walking and of Walking
    assert "<talk" not in vocabulary.names
    assert vocabulary.encode(["talking"])[0, 4] == word_features.PADDING


def test_the_names_alone_make_the_same_vocabulary_again(vocabulary):
    again = word_features.FeatureVocabulary(vocabulary.names)
    words = ["Walking", "1066", "emoji", "\N{GRINNING FACE}", "слово"]
    np.testing.assert_array_equal(again.encode(words), vocabulary.encode(words))
    assert len(again) == len(vocabulary) > vocabulary.encode(words).max()
    assert vocabulary.encode([]).shape == (0, word_features.N_FEATURES)

"""Where characters stand in words, and what is worth how much there."""

import numpy as np
import pytest

from lm_core.analysis.places_in_words import (
    BETWEEN,
    FIRST_LETTER,
    LATER_LETTER,
    PLACES,
    means_by_place,
    places_in_words,
)


def test_each_word_has_one_first_letter():
    text = "The prince, 12 men."
    places = [PLACES[i] for i in places_in_words(text)]
    assert [c for c, place in zip(text, places, strict=True) if place == FIRST_LETTER] == list(
        "Tp1m"
    )
    assert [c for c, place in zip(text, places, strict=True) if place == BETWEEN] == list(" ,  .")


def test_means_weighted_by_their_numbers_are_the_mean_of_all():
    text, values = "Well, Prince", np.arange(12.0)
    found = means_by_place(text, values)
    assert sum(m.mean * m.n_characters for m in found.values()) == pytest.approx(values.sum())
    assert found[FIRST_LETTER] == (3.0, 2)


def test_a_place_that_a_text_lacks_has_no_mean():
    assert set(means_by_place("a b", np.zeros(3))) == {FIRST_LETTER, BETWEEN}
    assert LATER_LETTER not in means_by_place(". ", np.zeros(2))
    with pytest.raises(ValueError, match="3 characters, 2 numbers"):
        means_by_place("abc", np.zeros(2))

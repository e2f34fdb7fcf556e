"""Which subwords make up a word, and where sentences end."""

import numpy as np
import pytest

from lm_core.errors import TextError
from lm_core.text import whole_words
from lm_core.text.vocabularies import FULL_SUBWORDS, vocabulary_named

VOCABULARY = vocabulary_named(FULL_SUBWORDS)


def test_words_are_joined_again_from_their_subwords():
    text = whole_words.read_subwords(
        "Anatole Kuragin, don't smile-- said Rostopchin.", VOCABULARY, 60
    )
    assert text.spellings == (
        "Anatole", "Kuragin", ",", "don", "'", "t", "smile", "--", "said", "Rostopchin", ".",
    ) or text.spellings == (
        "Anatole", "Kuragin", ",", "don", "'t", "smile", "--", "said", "Rostopchin", ".",
    )  # fmt: skip
    assert [place for word in text.words for place in word] == list(range(1, len(text.ids)))
    assert any(len(word) > 1 for word in text.words)
    assert text.word_at(text.words[1].stop - 1) == 1
    assert "".join(text.spelled) == "\nAnatole Kuragin, don't smile-- said Rostopchin."


def test_a_mark_or_a_space_begins_a_word_and_a_letter_behind_a_letter_does_not():
    symbols = [" Ros", "tov", ",", " and", "9", "!", "t"]
    assert whole_words.word_starts(np.arange(7), symbols).tolist() == [
        True, False, True, True, False, True, True,
    ]  # fmt: skip
    assert whole_words.words_of(np.array([True, False, True])) == [range(2), range(2, 3)]
    assert whole_words.words_of(np.array([], bool)) == []


def test_a_sentence_ends_at_a_stop_before_white_space():
    symbols = ["He", ".", ' "', "Go", '!"', "\n", "1"]
    assert whole_words.sentence_ends(np.array([0, 1, 2, 3, 4, 5]), symbols).tolist() == [
        False, True, False, False, True, False,
    ]  # fmt: skip
    assert whole_words.sentence_ends(np.array([6, 1, 6]), symbols).tolist() == [False, False, False]
    assert whole_words.sentence_ends(np.array([0, 1]), symbols).tolist() == [False, True]


def test_lines_become_one_and_strange_signs_go():
    text = whole_words.read_subwords("  He\n\nsaid  “no” 語 ", VOCABULARY, 60)
    assert "".join(text.spelled) == '\nHe said "no"'


@pytest.mark.parametrize(
    ("text", "said"), [("語", "empty"), ("", "empty"), ("a " * 70, "at most 60")]
)
def test_what_cannot_be_read_is_refused(text, said):
    with pytest.raises(TextError, match=said):
        whole_words.read_subwords(text, VOCABULARY, 60)


def test_backwards_twice_is_the_text():
    line = "He said nothing."
    assert whole_words.backwards(line) == "nothing. said He"
    assert whole_words.backwards(whole_words.backwards(line)) == line

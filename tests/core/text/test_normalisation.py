"""A normalised text knows where each of its characters comes from."""

import re

import pytest

from lm_core.text.character_vocabulary import FULL, SOURCE
from lm_core.text.normalisation import Normaliser, Rule
from tests.core.text.tokenizers.test_tokenizers import STRANGE

VOCABULARIES = pytest.mark.parametrize("vocabulary", [SOURCE, FULL], ids=lambda a: a.name)


@VOCABULARIES
@pytest.mark.parametrize("text", [*STRANGE, "“Pétya,\r\n my  dear—”\n\n\n\nhe\t said ﬁne½."])
def test_the_trace_is_the_normalised_text_and_follows_the_text(vocabulary, text):
    text_after, starts, ends = vocabulary.normalise.trace(text)
    assert text_after == vocabulary.normalise(text)
    assert len(starts) == len(ends) == len(text_after)
    assert all(0 <= start < end <= len(text) for start, end in zip(starts, ends, strict=True))
    assert starts == sorted(starts)
    assert ends == sorted(ends)


@VOCABULARIES
def test_what_is_kept_comes_from_itself(vocabulary):
    text = "Well — «so»   much, \n\n then?"
    after, starts, ends = vocabulary.normalise.trace(text)
    for i, character in enumerate(after):
        if character.isalpha():
            assert text[starts[i] : ends[i]] == character


def test_one_character_becomes_several_and_several_become_one():
    after = FULL.normalise.trace("a—b\n\n\nc")
    assert after.text == "a--b\nc"
    assert after.starts == [0, 1, 1, 2, 3, 6]
    assert after.ends == [1, 2, 2, 3, 6, 7]


def test_a_replacement_is_taken_as_it_is_written():
    normalisation = Normaliser(Rule(re.compile("a"), r"\g<0>"))
    assert normalisation("ab") == normalisation.trace("ab").text == r"\g<0>b"

"""Passages have the length that was asked for, and copies of the book are found in them."""

import pytest

from lm_core.analysis.text_quality import TextQuality
from lm_core.experiments.text_quality.measuring import book_passages, measured, passages_of
from lm_core.experiments.text_quality.results import COPIED, MEASURES
from lm_core.generation.memorisation import BookIndex
from lm_core.text.character_vocabulary import FULL
from lm_core.text.vocabularies import FULL_SUBWORDS, vocabulary_named
from tests.core.toy_models import random_lstm

SENTENCE = "The prince answered nothing, but he looked at Natasha and smiled. "


def test_every_measure_of_a_passage_has_a_name_for_people():
    assert set(MEASURES) == {*TextQuality._fields, COPIED}


def test_every_passage_has_as_many_characters_as_were_asked_for():
    vocabulary = vocabulary_named(FULL_SUBWORDS)
    model = random_lstm(len(vocabulary))
    passages = passages_of(model, vocabulary, 1.0, n_passages=3, n_characters=50)
    assert [len(passage) for passage in passages] == [50] * 3
    assert len(set(passages)) == 3


def test_passages_of_the_book_lie_over_all_of_it():
    text = "".join(chr(97 + i % 26) for i in range(100))
    assert book_passages(text, 3, 10) == [text[:10], text[45:55], text[90:]]


def test_what_the_book_says_letter_by_letter_is_a_copy_and_the_mean_is_over_passages():
    book = BookIndex.build(FULL.encode(SENTENCE))
    fresh = "Nobody has ever written this down, and nobody ever will again. "
    found = measured([SENTENCE + fresh, fresh], frozenset(), book)[COPIED]
    assert found.mean == pytest.approx(len(SENTENCE) / len(SENTENCE + fresh) / 2, abs=0.01)
    assert found.n_passages == 2
    assert found.standard_error > 0


def test_a_measure_is_taken_of_the_passages_that_have_something_to_measure():
    found = measured(['"Yes," he said. ', "He said nothing. "], frozenset(["he", "said"]))
    assert found["closed_quotations"].n_passages == 1
    assert found["real_words"].n_passages == 2
    assert COPIED not in found

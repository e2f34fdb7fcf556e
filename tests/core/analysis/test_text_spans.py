"""Targets by hand: where quotations, names, words, sentences and paragraphs begin and end."""

import numpy as np
import pytest

from lm_core.analysis import text_spans


def marked(target, text):
    return [text[start:end] for start, end in text_spans.spans_of(target)]


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ('He said: "I see," and left. "No."', ['"I see,', '"No.']),
        ('"Never closed.\nNext day "it" came.', ['"Never closed.', '"it']),
        ('A stray" mark, "and" more.', ['"and']),
        ("none at all", []),
    ],
)
def test_a_quotation_reaches_from_its_mark_to_the_closing_one_or_the_end_of_the_paragraph(
    text, inside
):
    assert marked(text_spans.inside_quotation(text), text) == inside


def test_names_are_capitalised_words_that_begin_nothing():
    text = 'The prince saw Natasha. "Pierre," said Prince Andrew, "I am at Borodino."\nHe left.'
    assert marked(text_spans.in_name(text), text) == ["Natasha", "Prince", "Andrew", "Borodino"]


def test_words_end_with_their_last_letter_and_letters_count():
    text = "I don't, so."
    assert [i for i, x in enumerate(text_spans.end_of_word(text)) if x] == [0, 6, 10]
    assert text_spans.letters_into_word(text).tolist() == [1, 0, 1, 2, 3, 4, 5, 0, 0, 1, 2, 0]


def test_sentences_and_paragraphs_count_from_their_first_character():
    text = 'Go. "No!" he\nsaid'
    counts = np.expm1(text_spans.into_sentence(text)).round().astype(int).tolist()
    assert counts == [0, 1, 2, 0, 1, 2, 3, 4, 5, 0, 1, 2, 0, 1, 2, 3, 4]
    paragraphs = np.expm1(text_spans.into_paragraph(text)).round().astype(int).tolist()
    assert paragraphs == [*range(12), 0, 1, 2, 3, 4]


@pytest.mark.parametrize("kind", text_spans.KINDS)
@pytest.mark.parametrize("text", ["", "a", "\n", '"', "So it is."])
def test_every_kind_has_a_number_for_each_character(kind, text):
    target = text_spans.KINDS[kind](text)
    assert target.shape == (len(text),)
    assert np.isfinite(target).all()

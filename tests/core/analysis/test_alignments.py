"""Alignments: which pairs of words swap, and how widely each class of words looks."""

import pytest
import torch

from lm_core.analysis import alignments
from lm_core.generation.translated_words import Swap

RED_CAR = ["une", "voiture", "rouge", "."]


def looking_at(*columns, n=4):
    """Rows with most of their weight in the given columns."""
    return 0.1 + 0.6 * torch.eye(n)[list(columns)]


def test_a_noun_before_its_adjective_is_a_swap():
    assert alignments.content_swaps(looking_at(0, 2, 1, 3), RED_CAR) == [Swap(target=1, source=1)]


@pytest.mark.parametrize(
    "columns",
    [
        (0, 1, 2, 3),  # the order of the sentence
        (0, 3, 1, 3),  # crossing, but not of neighbours
        (0, 2, 2, 3),  # both look at the same word
        (1, 0, 2, 3),  # an article crosses
        (0, 1, 3, 2),  # a sign crosses
    ],
)
def test_other_orders_are_no_swap(columns):
    assert alignments.content_swaps(looking_at(*columns), RED_CAR) == []


def test_every_swap_of_a_sentence_is_found():
    words = ["chien", "noir", "sur", "herbe", "verte"]
    found = alignments.content_swaps(looking_at(1, 0, 2, 4, 3, n=5), words)
    assert found == [Swap(0, 0), Swap(3, 3)]


def test_a_sentence_of_one_word_has_no_swap():
    assert alignments.content_swaps(torch.ones(1, 1), ["chien"]) == []


def test_classes_are_told_by_their_lists_whatever_the_case():
    assert [alignments.word_class(w) for w in ("LA", "l'", "À", "rouge", "2", "...", "")] == [
        alignments.ARTICLE,
        alignments.ARTICLE,
        alignments.PREPOSITION,
        alignments.OTHER,
        alignments.OTHER,
        alignments.SIGN,
        alignments.SIGN,
    ]


def test_entropies_are_averaged_within_their_class_only():
    found = alignments.entropies_by_class(
        ["un", "chien", "dans", "la", "rue"], [1.0, 0.2, 3.0, 2.0, 0.4]
    )
    assert found == [
        alignments.ClassEntropy(alignments.ARTICLE, 2, 1.5),
        alignments.ClassEntropy(alignments.PREPOSITION, 1, 3.0),
        alignments.ClassEntropy(alignments.OTHER, 2, pytest.approx(0.3)),
    ]

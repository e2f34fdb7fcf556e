"""Word families: base forms by their endings, and vectors that a family shares."""

import pytest
import torch

from lm_core.analysis.word_families import base_form, with_families
from lm_core.text.word_vocabulary import WordVocabulary

WORDS = ("city", "box", "bake", "stop", "pass", "bus", "sing", "king", "cat", "cats")
VOCABULARY = WordVocabulary(WORDS, tuple(range(20, 10, -1)))


@pytest.mark.parametrize(
    ("word", "base"),
    [
        ("cities", "city"),
        ("boxes", "box"),
        ("bakes", "bake"),
        ("baked", "bake"),
        ("baking", "bake"),
        ("stopped", "stop"),
        ("stopping", "stop"),
        ("passed", "pass"),
        ("cat's", "cat"),
        ("cats", "cat"),
    ],
)
def test_a_regular_form_has_its_base_form(word, base):
    assert base_form(word, VOCABULARY) == base


@pytest.mark.parametrize("word", ["bus", "sing", "king", "dogs", "his"])
def test_a_word_without_a_known_base_form_stands_for_itself(word):
    assert base_form(word, VOCABULARY) == word


def test_forms_share_half_of_their_vectors_and_others_keep_their_direction():
    vectors = torch.eye(len(WORDS), dtype=torch.float64) * 3.0
    found = with_families(vectors, VOCABULARY)
    half = 0.5**0.5
    assert found[8, 8:].tolist() == pytest.approx([1.0 + half, half])
    assert found[9, 8:].tolist() == pytest.approx([half, 1.0 + half])
    torch.testing.assert_close(found[:8], vectors[:8] * 2 / 3)

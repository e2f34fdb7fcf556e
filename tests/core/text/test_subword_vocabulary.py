"""Subwords as a vocabulary: the same text underneath, and losses per character."""

import numpy as np
import pytest

from lm_core.text import vocabularies
from lm_core.text.catalogue import WAR_AND_PEACE
from lm_core.text.character_vocabulary import SOURCE
from lm_core.text.corpora import locate
from lm_core.text.library import load_library
from lm_core.text.training_text import TrainingText, load_book

TEXT = SOURCE.normalise("The count had counted the counts; the counts had counted the count. " * 40)


@pytest.fixture(scope="module")
def pairs():
    return vocabularies.SubwordVocabulary.learn("few-pairs", SOURCE, TEXT, 84)


def test_the_text_underneath_is_the_same(pairs):
    assert pairs.decode(pairs.encode(TEXT)) == TEXT
    assert len(pairs) == 84
    assert set(SOURCE.symbols) <= set(pairs.symbols)
    assert pairs.lengths[pairs.encode(TEXT)].sum() == len(TEXT)
    assert (SOURCE.unit, pairs.unit) == ("character", "token")


def test_a_visitors_text_is_prepared_as_by_the_characters(pairs):
    raw = "The «count» – naïve"
    ours, theirs = pairs.prepare(raw), SOURCE.prepare(raw)
    assert (ours.text, ours.dropped) == (theirs.text, theirs.dropped)
    assert pairs.decode(ours.ids) == theirs.text


def test_a_text_is_split_by_characters(pairs):
    text = TrainingText(pairs.encode(TEXT), pairs, "t", "0" * 64)
    n_learned = int(0.9 * len(TEXT))
    learned = pairs.lengths[text.train].sum()
    assert learned <= n_learned < learned + pairs.lengths[text.validation[0]]
    assert text.characters_per_token == pytest.approx(len(TEXT) / len(text.ids))
    characters = TrainingText(SOURCE.encode(TEXT), SOURCE, "t", "0" * 64)
    assert characters.split == n_learned
    assert characters.characters_per_token == 1.0


@pytest.mark.slow
@pytest.mark.skipif(not locate(WAR_AND_PEACE.name), reason="War and Peace is not on this machine")
@pytest.mark.parametrize("name", vocabularies.SUBWORD_VOCABULARIES)
def test_the_shipped_vocabularies_are_what_their_texts_give(name):
    shipped = vocabularies.vocabulary_named(name)
    base, size = vocabularies.SUBWORD_VOCABULARIES[name]
    characters, parts = load_book(base), load_book(shipped)
    corpus = load_library(base) if name == vocabularies.LIBRARY_SUBWORDS else characters
    text = base.decode(corpus.train)
    assert vocabularies.SubwordVocabulary.learn(name, base, text, size) == shipped
    assert vocabularies.characters_of(shipped) is base
    for part in ("train", "validation"):
        assert shipped.decode(getattr(parts, part)) == base.decode(getattr(characters, part))
    novel = characters.ids[: characters.licence_start]
    assert np.array_equal(base.encode(shipped.decode(parts.ids[: parts.licence_start])), novel)


def test_a_text_of_other_characters_is_not_the_books():
    assert vocabularies.characters_of(vocabularies.vocabulary_of_characters("abc")) is None

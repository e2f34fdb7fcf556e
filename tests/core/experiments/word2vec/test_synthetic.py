"""The shipped vectors of the synthetic text: of its words, and what they have learned."""

from dataclasses import replace

import pytest

from lm_core.analysis.word_space import unit_vectors
from lm_core.experiments.word2vec.short_text import GROUPS, centre_word_probabilities
from lm_core.experiments.word2vec.synthetic import CONFIG, SyntheticVectors, synthetic_short_text


def test_the_vectors_are_those_of_the_synthetic_text():
    found = SyntheticVectors.load()
    words, vectors = found.words, found.vectors
    assert words == synthetic_short_text().vocabulary.words
    assert vectors.input.shape == vectors.output.shape == (len(words), CONFIG.width)


def test_words_that_never_meet_are_alike_and_share_the_probability():
    found = SyntheticVectors.load()
    words, vectors = found.words, found.vectors
    unit = unit_vectors(vectors.input)
    king, *others = (unit[words.index(word)] for word in GROUPS["rulers"])
    assert all(float(king @ other) > 0.9 for other in others)
    assert float(king @ unit[words.index("dog")]) < 0.7
    ids = synthetic_short_text().ids
    place = next(i for i in range(4, len(ids)) if words[int(ids[i])] in GROUPS["rulers"])
    shares = centre_word_probabilities(vectors, ids, place, CONFIG)
    assert {words[i] for i in shares.topk(4).indices.tolist()} == set(GROUPS["rulers"])


def test_vectors_of_another_width_are_refused():
    found = SyntheticVectors.load()
    with pytest.raises(ValueError, match="two rows of 8 numbers"):
        replace(found, input=found.output[1:])

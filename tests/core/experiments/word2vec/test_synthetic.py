"""The shipped vectors of the synthetic text: of its words, and what they have learned."""

import pytest

from lm_core.analysis.word_space import unit_vectors
from lm_core.errors import ResultError
from lm_core.experiments.word2vec.short_text import GROUPS, centre_word_probabilities
from lm_core.experiments.word2vec.synthetic import (
    CONFIG,
    SHIPPED,
    load_synthetic,
    synthetic_short_text,
)


def test_the_vectors_are_those_of_the_synthetic_text():
    words, vectors = load_synthetic()
    assert words == synthetic_short_text().vocabulary.words
    assert vectors.input.shape == vectors.output.shape == (len(words), CONFIG.width)


def test_words_that_never_meet_are_alike_and_share_the_probability():
    words, vectors = load_synthetic()
    unit = unit_vectors(vectors.input)
    king, *others = (unit[words.index(word)] for word in GROUPS["rulers"])
    assert all(float(king @ other) > 0.9 for other in others)
    assert float(king @ unit[words.index("dog")]) < 0.7
    ids = synthetic_short_text().ids
    place = next(i for i in range(4, len(ids)) if words[int(ids[i])] in GROUPS["rulers"])
    found = centre_word_probabilities(vectors, ids, place, CONFIG)
    assert {words[i] for i in found.topk(4).indices.tolist()} == set(GROUPS["rulers"])


def test_a_damaged_file_is_refused(tmp_path):
    with pytest.raises(ResultError, match="missing"):
        load_synthetic(tmp_path / "word2vec.json")
    damaged = tmp_path / "word2vec.json"
    damaged.write_text(SHIPPED.read_text().replace('"ruler"', '"rulr"'))
    with pytest.raises(ResultError, match="altered"):
        load_synthetic(damaged)

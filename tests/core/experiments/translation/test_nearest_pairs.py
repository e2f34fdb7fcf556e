"""The nearest training pairs of a sentence, on a handful of them."""

import pytest

from lm_core.experiments.translation.nearest_pairs import PairIndex
from lm_core.text.sentence_pairs import SentencePair

PAIRS = [
    SentencePair(source, source.upper())
    for source in ("A man sleeps.", "A man runs.", "A dog runs.", "A zebra eats.", "The end")
]


def test_the_same_sentence_is_nearest_with_a_similarity_of_one():
    for pair in PAIRS:
        nearest = PairIndex(PAIRS).nearest(pair.source.lower(), n=2)
        assert nearest[0].pair == pair
        assert nearest[0].similarity == pytest.approx(1.0)
        assert all(0.0 < near.similarity < 0.999 for near in nearest[1:])


def test_a_rare_word_counts_for_more_than_a_frequent_one():
    first, *_ = PairIndex(PAIRS).nearest("A zebra runs")
    assert first.pair.source == "A zebra eats."
    assert first.shared == ("zebra", "a")


def test_similarities_fall_and_nothing_is_shared_with_strangers():
    similarities = [near.similarity for near in PairIndex(PAIRS).nearest("a man runs", n=5)]
    assert similarities == sorted(similarities, reverse=True)
    assert len(similarities) == 4  # all that have one of its words
    assert PairIndex(PAIRS).nearest("Bonjour") == []
    assert PairIndex(PAIRS).nearest("") == []

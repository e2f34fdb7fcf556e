"""The pattern that names each head: on the sentence, or else on the book."""

from collections.abc import Iterable

import streamlit as st

from lm_core.analysis.head_patterns import PATTERNS, HeadPattern
from lm_core.errors import ResultError
from lm_core.experiments.attention.head_scores import HeadScores
from pages.attention.traces import patterns_of, scores_on_the_book
from pages.shared.models.read_sentences import Sentence

_LEAST_HERE = 0.4  # a pattern names a head if it gets this share of its attention on the sentence
_LEAST_ON_THE_BOOK = 0.2
"""The same on the book: over thousands of tokens, less is no accident."""

Named = list[list[HeadPattern | None]]
"""The pattern of each head, layers rows of H; None where none is clear."""


def clear_patterns(sentence: Sentence) -> Named:
    """Return the pattern that names each head on the sentence; shared by all visitors."""
    return _here(*sentence.key, sentence)


def clear_patterns_on_the_book(sentence: Sentence) -> Named:
    """Return the pattern that names each head on the book; none where the model was not scored."""
    try:
        scores = scores_on_the_book(sentence.meta)
    except ResultError:
        scores = None
    if scores is None:
        return _by_head(sentence, [], _LEAST_ON_THE_BOOK)
    return _on_the_book(*sentence.key[:2], sentence, scores)


@st.cache_resource(max_entries=64, show_spinner=False)
def _here(name: str, weights_sha256: str, text: str, _sentence: Sentence) -> Named:
    del name, weights_sha256, text  # by which it is kept
    return _by_head(_sentence, patterns_of(_sentence), _LEAST_HERE)


@st.cache_resource(max_entries=64, show_spinner=False)
def _on_the_book(name: str, weights_sha256: str, _sentence: Sentence, _scores: HeadScores) -> Named:
    del name, weights_sha256
    scored = [p for p in _scores.patterns if p.pattern in PATTERNS]
    clearest_first = sorted(scored, key=lambda p: -p.excess)
    return _by_head(_sentence, clearest_first, _LEAST_ON_THE_BOOK)


def _by_head(sentence: Sentence, patterns: Iterable[HeadPattern], least: float) -> Named:
    """Return each head's first pattern with a share of `least`, twice that of its controls."""
    best: dict[tuple[int, int], HeadPattern] = {}
    for pattern in patterns:
        if pattern.share >= least and pattern.excess >= pattern.share / 2:
            best.setdefault((pattern.layer, pattern.head), pattern)
    config = sentence.config
    return [[best.get((i, j)) for j in range(config.heads)] for i in range(config.layers)]

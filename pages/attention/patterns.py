"""The pattern that names each head: on the sentence, or else on the book."""

from collections.abc import Iterable

from lm_core.analysis.head_patterns import PATTERNS, HeadPattern
from lm_core.errors import ResultError
from pages.attention.traces import patterns_of, scores_on_the_book
from pages.shared.models.read_sentences import Sentence

_LEAST_HERE = 0.4
"""A head is named by a pattern that gets so much of its attention on the sentence."""
_LEAST_ON_THE_BOOK = 0.2
"""The same on the book: over thousands of tokens, less is no accident."""

Named = list[list[HeadPattern | None]]
"""The pattern of each head, layers rows of H; None where none is clear."""


def clear_patterns(sentence: Sentence) -> Named:
    """Return the pattern that names each head on the sentence."""
    return _by_head(sentence, patterns_of(sentence), _LEAST_HERE)


def clear_patterns_on_the_book(sentence: Sentence) -> Named:
    """Return the pattern that names each head on the book; none where the model was not scored."""
    try:
        scores = scores_on_the_book(sentence.meta)
    except ResultError:
        scores = None
    scored = [p for p in scores.patterns if p.pattern in PATTERNS] if scores else []
    clearest_first = sorted(scored, key=lambda p: -p.excess)
    return _by_head(sentence, clearest_first, _LEAST_ON_THE_BOOK)


def _by_head(sentence: Sentence, patterns: Iterable[HeadPattern], least: float) -> Named:
    """Return each head's first pattern with a share of `least`, twice that of its controls."""
    best: dict[tuple[int, int], HeadPattern] = {}
    for pattern in patterns:
        if pattern.share >= least and pattern.excess >= pattern.share / 2:
            best.setdefault((pattern.layer, pattern.head), pattern)
    config = sentence.config
    return [[best.get((i, j)) for j in range(config.heads)] for i in range(config.layers)]

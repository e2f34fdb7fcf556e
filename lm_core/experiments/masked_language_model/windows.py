"""Pieces of the book's validation part on which models are measured, their words tagged."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch

from lm_core.errors import TextError
from lm_core.experiments.part_of_speech_tagging.inference import (
    tag_probabilities,
    words_of_sentence,
)
from lm_core.experiments.part_of_speech_tagging.results import TaggingResults
from lm_core.experiments.part_of_speech_tagging.settings import RECURRENT
from lm_core.rng import generator
from lm_core.text.character_vocabulary import CharacterVocabulary
from lm_core.text.tagged_sentences import TAGS
from lm_core.text.whole_words import SubwordText, as_subword_text, sentence_ends

SHORTEST, LONGEST = 30, 118
"""Subwords of a window; with the symbols around it, it is as long as the longest segment of the training."""

_QUOTES = {"``": '"', "''": '"'}


class Window(NamedTuple):
    """Whole sentences from the beginning of a paragraph on."""

    text: SubwordText
    tags: tuple[str | None, ...]
    """The part of speech of each word; None where our words and the tagger's are not the same."""


def draw_windows(
    ids: np.ndarray,
    vocabulary: CharacterVocabulary,
    n: int,
    *,
    seed: int = 0,
    sizes: tuple[int, int] = (SHORTEST, LONGEST),
) -> list[SubwordText]:
    """Return n windows of the text, in its order: as many whole sentences as fit.

    Parameters
    ----------
    ids : ndarray of int64, shape (N,)
    n : int, fewer are returned where there are fewer
    sizes : pair of int, fewest and most subwords
    """
    ends = np.flatnonzero(sentence_ends(ids, vocabulary.symbols)) + 1
    breaks = np.array([symbol.startswith("\n") for symbol in vocabulary.symbols])
    starts = np.flatnonzero(breaks[ids])
    # A window ends with its paragraph, too: the line break of the next one begins another.
    limits = np.append(starts[1:], len(ids))
    found = []
    for start, limit in zip(starts.tolist(), limits.tolist(), strict=True):
        i = np.searchsorted(ends, min(limit, start + sizes[1]), side="right") - 1
        if i >= 0 and ends[i] - start >= sizes[0]:
            found.append(ids[start : ends[i]])
    chosen = torch.randperm(len(found), generator=generator(seed))[:n].sort().values
    return [as_subword_text(found[i], vocabulary) for i in chosen.tolist()]


def tag_windows(texts: Sequence[SubwordText], tagging: TaggingResults) -> list[Window]:
    """Return windows with the tags of the shipped bidirectional LSTM, where the words agree."""
    return [Window(text, _tags(text, tagging)) for text in texts]


def _tags(text: SubwordText, tagging: TaggingResults) -> tuple[str | None, ...]:
    """Tag sentence by sentence, and match words by where they lie in the text."""
    tags: list[str | None] = []
    sentence: list[int] = []
    for i, word in enumerate(text.words):
        sentence.append(i)
        following = text.words[i + 1] if i + 1 < len(text.words) else None
        ends = set(".!?") & set(text.spelled[word.stop - 1])
        if following is None or (ends and text.spelled[following.start][:1].isspace()):
            tags += _sentence_tags(text, sentence, tagging)
            sentence = []
    return tuple(tags)


def _sentence_tags(
    text: SubwordText, words: Sequence[int], tagging: TaggingResults
) -> list[str | None]:
    places = [i for word in words for i in text.words[word]]
    line = "".join(text.spelled[i] for i in places)
    try:
        found = words_of_sentence(line)
    except TextError:  # longer than the tagger's sentences
        return [None] * len(words)
    best = tag_probabilities(tagging.models[RECURRENT].build(), tagging.vocabulary, found).argmax(1)
    tag_at, cursor = {}, 0
    for word, tag in zip(found, best.tolist(), strict=True):
        spelled = _QUOTES.get(word, word)
        start = line.find(spelled, cursor)
        if start < 0:
            continue
        cursor = start + len(spelled)
        tag_at[start, cursor] = TAGS[tag]
    tags: list[str | None] = []
    end = 0
    for number in words:
        spelled = "".join(text.spelled[i] for i in text.words[number])
        start, end = end + len(spelled) - len(spelled.lstrip()), end + len(spelled)
        tags.append(tag_at.get((start, end)))
    return tags

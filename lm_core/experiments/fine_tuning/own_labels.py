"""A class's own sentences and labels: how many there may be, and what is read off them."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Self

from lm_core.errors import SettingError, TextError
from lm_core.experiments.fine_tuning.asking import read_text
from lm_core.text.character_vocabulary import CharacterVocabulary
from lm_core.text.what_was_read import WhatWasRead, what_a_model_reads

FOR_TUNING, LEAST_OF_EACH = 20, 4
"""Labelled sentences that a tuning waits for, and how many of each label must be among them."""
LEAST_SENTENCES, MOST_SENTENCES = 30, 120
MOST_SUBWORDS, MOST_CHARACTERS = 40, 200
"""Of one sentence."""
_PREVIEWED = 5
_MARKED = re.compile(r"\s*(?:\d+[.)]|[-*•–])\s")


def read_sentences(text: str, vocabulary: CharacterVocabulary) -> tuple[str, ...]:
    """Return the sentences of a text, one a line, as the encoder knows them; equal ones once.

    Raises TextError if there are too few or too many, or one of them is too long.
    """
    sentences = tuple(dict.fromkeys(read for _, read in _lines(text, vocabulary)))
    if not LEAST_SENTENCES <= len(sentences) <= MOST_SENTENCES:
        raise TextError(
            f"there must be {LEAST_SENTENCES} to {MOST_SENTENCES} different sentences, one a line,"
            f" got {len(sentences)}. {' '.join((*_remedy(sentences), *_lost(text, vocabulary)))}".strip()
        )
    _require_short(sentences, vocabulary)
    return sentences


def what_was_read(text: str, vocabulary: CharacterVocabulary) -> WhatWasRead:
    """Return what the encoder reads of a list of sentences, for the visitor."""
    sentences = dict.fromkeys(read for _, read in _lines(text, vocabulary))
    facts = (f"a list of {len(sentences)} different sentences, one a line",)
    n_marked = len([line for line in text.splitlines() if _MARKED.match(line)])
    marked = (
        (
            f"{n_marked} lines begin with a number or a dash, which is read as a part of the sentence.",
        )
        if n_marked > len(sentences) / 2
        else ()
    )
    preview = (("sentence",), *((sentence,) for sentence in [*sentences][:_PREVIEWED]))
    return WhatWasRead(facts, (*marked, *_lost(text, vocabulary)), preview)


def _remedy(sentences: Sequence[str]) -> tuple[str, ...]:
    """Return what to do where all sentences stand in one line."""
    together = sum(sentence.count(". ") for sentence in sentences)
    if len(sentences) < LEAST_SENTENCES <= len(sentences) + together:
        return ("Write each sentence in a line of its own.",)
    return ()


def _lines(text: str, vocabulary: CharacterVocabulary) -> list[tuple[int, str]]:
    """Return the lines that hold something, counted from 1, as the encoder knows them."""
    read = (" ".join(vocabulary.normalise(line).split()) for line in text.splitlines())
    return [(number, line) for number, line in enumerate(read, 1) if line]


def _lost(text: str, vocabulary: CharacterVocabulary) -> tuple[str, ...]:
    """Return what of a list of sentences does not count, and why."""
    foreign = what_a_model_reads(text, vocabulary).notes
    first: dict[str, int] = {}
    again = [
        (number, first[line])
        for number, line in _lines(text, vocabulary)
        if first.setdefault(line, number) != number
    ]
    if not again:
        return foreign
    number, before = again[0]
    lines = "1 line says" if len(again) == 1 else f"{len(again)} lines say"
    count = "counts" if len(again) == 1 else "count"
    why = ", once those characters are gone" if foreign else ""
    return (
        *foreign,
        f"{lines} the same as one before{why}, and {count} once; the first is line {number}, like line"
        f" {before}.",
    )


def _require_short(sentences: Sequence[str], vocabulary: CharacterVocabulary) -> None:
    for number, sentence in enumerate(sentences, 1):
        if len(sentence) > MOST_CHARACTERS:
            raise TextError(
                f"sentence {number} may have at most {MOST_CHARACTERS} characters, got {len(sentence)}"
            )
        read_text(sentence, vocabulary, MOST_SUBWORDS, f"sentence {number}")


@dataclass(frozen=True)
class OwnLabels:
    """Sentences, and which of two labels the first of them have."""

    labelled: tuple[str, ...]
    labels: tuple[int, ...]
    """0 or 1 for each of them."""
    others: tuple[str, ...]
    """Sentences without a label, whose label the tuned model is to tell."""

    def __post_init__(self) -> None:
        if len(self.labels) != len(self.labelled):
            raise SettingError(
                f"there must be a label for each sentence, got {len(self.labels)} for"
                f" {len(self.labelled)}"
            )
        n_each = [self.labels.count(label) for label in (0, 1)]
        if min(n_each) < LEAST_OF_EACH or sum(n_each) != len(self.labels):
            raise SettingError(
                f"each of the labels 0 and 1 must be given to at least {LEAST_OF_EACH} sentences, got"
                f" {n_each[0]} and {n_each[1]} of {len(self.labels)}"
            )
        if not self.others or len(self.labelled) + len(self.others) > MOST_SENTENCES:
            raise SettingError(
                f"there must be sentences without a label, and at most {MOST_SENTENCES} in all, got"
                f" {len(self.others)} and {len(self.labelled) + len(self.others)}"
            )

    def to_text(self) -> str:
        """Return all of it as the text of a run, which is deleted once the run is over."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def from_text(cls, text: str, vocabulary: CharacterVocabulary) -> Self:
        """Read what `to_text` wrote.

        Raises SettingError if it is something else, and TextError if a sentence cannot be read.
        """
        try:
            data = json.loads(text)
            found = cls(
                tuple(map(str, data["labelled"])),
                tuple(map(int, data["labels"])),
                tuple(map(str, data["others"])),
            )
        except (ValueError, TypeError, KeyError) as error:
            raise SettingError(f"these are no labelled sentences: {error}") from error
        _require_short((*found.labelled, *found.others), vocabulary)
        return found


def is_enough(labels: Sequence[int]) -> bool:
    """Return whether a tuning can begin with these labels, each 0 or 1."""
    return len(labels) >= FOR_TUNING and min(map(labels.count, (0, 1))) >= LEAST_OF_EACH


def unsure_first(probabilities: Mapping[str, float]) -> list[str]:
    """Return sentences by the probability of label 1, those nearest to one half first.

    Examples
    --------
    >>> unsure_first({"a": 0.9, "b": 0.45, "c": 0.2})
    ['b', 'c', 'a']
    """
    return sorted(probabilities, key=lambda sentence: abs(probabilities[sentence] - 0.5))


def agreements(probabilities: Mapping[str, float], checked: Mapping[str, int]) -> int:
    """Return of how many checked sentences the more probable label is the one that people gave."""
    return sum((probabilities[s] > 0.5) == bool(label) for s, label in checked.items())

"""Measures of what each model writes at each temperature, beside the book's, as they are shipped."""

from dataclasses import dataclass
from typing import Annotated, NamedTuple

from lm_core.results import NOT_EMPTY, Count, NonNegative, Recorded, one_of

COPIED = "copied"
MEASURES = {
    "real_words": "real words",
    "distinct_trigrams": "distinct trigrams",
    "capitals": "sentences that begin with a capital",
    "repeated_sentences": "repeated sentences",
    "sentence_words": "words a sentence",
    "dialogue": "dialogue",
    "closed_quotations": "quotations that close",
    COPIED: "copied from the book",
}
"""What is measured: the fields of a `TextQuality`, and the share of characters in copied passages."""

BOOK = "book"
"""In the place of a model's name: the book itself, the part that no model has read."""
PUBLISHED = "published"
"""In the place of a model's name: the two samples that the blog series prints."""


class Mean(NamedTuple):
    """Of the passages in which there was something to be measured."""

    mean: NonNegative
    standard_error: float  # none (nan) of a single passage
    n_passages: Count


@dataclass(frozen=True)
class WriterQuality:
    """One model at one temperature."""

    writer: str  # name of the checkpoint, or `BOOK`
    temperature: NonNegative | None  # none of the book
    measures: dict[Annotated[str, one_of(MEASURES)], Mean]  # without those that it has nothing for


@dataclass(frozen=True)
class QualityResults(Recorded, name="text-quality"):
    """All models beside the book."""

    writers: Annotated[tuple[WriterQuality, ...], NOT_EMPTY]

    def of(self, writer: str) -> tuple[WriterQuality, ...]:
        """Return what was measured of a writer, by temperature; empty for one that was not."""
        return tuple(found for found in self.writers if found.writer == writer)

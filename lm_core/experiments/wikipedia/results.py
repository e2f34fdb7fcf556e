"""What was measured of the transformer that reads Wikipedia, in units that other vocabularies have too."""

import math
from dataclasses import dataclass
from typing import Annotated

from lm_core.results import NOT_EMPTY, NonNegative, Positive, Recorded


@dataclass(frozen=True)
class Length:
    """How long a text is."""

    articles: Positive
    subwords: Positive
    words: Positive  # what stands between spaces, as in the published notebook
    characters: Positive

    def per_word(self, nats: float) -> float:
        """Return nats a word from nats a subword: each text is cut into another number of subwords a word."""
        return nats * self.subwords / self.words


@dataclass(frozen=True)
class Point:
    """Where a training had come to; losses in nats a subword."""

    step: Positive
    passes: NonNegative  # over the text
    training: NonNegative  # mean since the point before, with dropout
    held_out: NonNegative  # on articles that nothing was learned from, without dropout
    text: str  # that the model writes after the prompt


@dataclass(frozen=True)
class WikipediaResults(Recorded, name="wikipedia"):
    """One training."""

    learned: Length
    held_out: Length
    trigram: NonNegative  # nats a held-out subword of counts of three, smoothed by Kneser and Ney
    seconds: NonNegative  # of the steps, on one core beside other work
    points: Annotated[tuple[Point, ...], NOT_EMPTY]

    def per_word(self, nats: float) -> float:
        """Return nats a word of the held-out articles from nats a subword."""
        return self.held_out.per_word(nats)

    def bits_per_character(self, nats: float) -> float:
        """Return bits a character of the held-out articles from nats a subword."""
        return nats * self.held_out.subwords / self.held_out.characters / math.log(2.0)


@dataclass(frozen=True)
class PublishedReading:
    """The published training: christianb93/MLLM, notebook wiki/WikiTextTransformer."""

    subwords: int = 2_360_047
    all_subwords: int = 2_622_275  # held-out ones included
    all_words: int = 2_007_146
    loss: float = 4.8143  # held out, nats a subword
    training: float = 3.7  # the last losses, about
    passes: int = 144  # 3 epochs of all windows, each subword in 48 of them

    @property
    def words(self) -> int:
        """That were learned from, about."""
        return round(self.subwords * self.all_words / self.all_subwords)

    def per_word(self, nats: float) -> float:
        """Return nats a word, so that trainings with other subwords can stand beside it."""
        return nats * self.all_subwords / self.all_words


PUBLISHED = PublishedReading()

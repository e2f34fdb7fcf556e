"""Surprisal by model and kind of text, as it is shipped."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from lm_core.results import Count, NonNegative, Recorded, Share, one_of

BOOK, NOVELS, OWN, OWN_COOL = "book", "novels", "own", "own-cool"
WORDS, CHARACTERS = "shuffled-words", "shuffled-characters"
KINDS = {
    OWN_COOL: "its own text, at temperature 0.5",
    OWN: "its own text, at temperature 1",
    BOOK: "War and Peace, the part it never saw",
    NOVELS: "novels by others",
    WORDS: "War and Peace, words shuffled",
    CHARACTERS: "War and Peace, characters shuffled",
}
"""Kinds of text by name."""


@dataclass(frozen=True)
class KindScore:
    """How surprised one model was by texts of one kind."""

    model: str  # name of the checkpoint
    kind: Annotated[str, one_of(KINDS)]
    bits: NonNegative  # mean surprisal of a character
    standard_error: float  # of the mean, from texts or stretches of a text as observations
    rank_shares: Annotated[tuple[Share, ...], Field(min_length=4, max_length=4)]  # of the tokens
    n_characters: Count


@dataclass(frozen=True)
class SurprisalResults(Recorded, name="surprisal"):
    """All scores, and the beginnings of texts that the models have written."""

    scores: tuple[KindScore, ...]
    written: dict[str, str]  # what each model wrote at temperature 1, by its name

    def of_model(self, model: str) -> dict[str, KindScore]:
        """Return a model's scores by kind; empty for one that was not scored."""
        return {score.kind: score for score in self.scores if score.model == model}

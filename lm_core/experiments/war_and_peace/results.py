"""What models of the book lose on its last tenth, one beside the other."""

import math
from dataclasses import dataclass
from typing import Annotated, NamedTuple

from lm_core.errors import ResultError
from lm_core.results import NOT_EMPTY, Count, NonNegative, Recorded, one_of

TRAINED, COUNTED, MIXTURE = "trained", "counted", "mixture"
NOVEL_ONLY = "B'"
PROTOCOLS = ("A", "B", NOVEL_ONLY)
"""As `lm_core.training.evaluation` describes them; the last one leaves the licence out."""


class Loss(NamedTuple):
    """A mean loss, in nats per character."""

    nats: NonNegative
    standard_error: float  # from blocks of characters; none (nan) from a single one

    @property
    def bits(self) -> float:
        """The loss in bits."""
        return self.nats / math.log(2.0)


class Difference(NamedTuple):
    """By how much a model loses more than another one, character by character."""

    to: str  # name of the other
    nats: float
    standard_error: float


@dataclass(frozen=True)
class ModelRow:
    """One model on the last tenth of the book."""

    name: str  # of the checkpoint; of a mixture its weight and its parts
    kind: Annotated[str, one_of((TRAINED, COUNTED, MIXTURE))]
    text: str  # which text the book is to it: the name of the characters that it reads
    losses: dict[Annotated[str, one_of(PROTOCOLS)], Loss]  # A of models of characters alone
    title: str = ""  # for people; a mixture has none
    parameters: Count | None = None
    characters_seen: Count | None = None
    seconds: NonNegative | None = None  # of its training
    difference: Difference | None = None  # none of the first model of a text


@dataclass(frozen=True)
class BookLosses(Recorded, name="war-and-peace"):
    """All models, the first one that to which the others are compared."""

    rows: Annotated[tuple[ModelRow, ...], NOT_EMPTY]

    def of(self, name: str) -> ModelRow:
        """Return a model's row; ResultError if there is none."""
        if found := [row for row in self.rows if row.name == name]:
            return found[0]
        raise ResultError(f"war-and-peace.json must have {name}, it does not: make it again")

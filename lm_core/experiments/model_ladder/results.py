"""The rungs of the ladder: what each model costs on the same held-out characters, and how it is read."""

import math
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

import numpy as np
from pydantic import Field

from lm_core.experiments.model_ladder.families import NGRAM
from lm_core.results import NOT_EMPTY, Count, NonNegative, Positive, Recorded
from lm_core.text.character_vocabulary import SOURCE
from lm_core.training.checkpoints import CheckpointMeta
from lm_core.training.evaluation import score

UNIFORM = math.log(len(SOURCE))
"""Nats per character of the model that expects every character alike."""

CONTEXTS = (1, 2, 4, 8, 16, 32, 64, 128, 256)
"""Characters that a model may see."""


class Difference(NamedTuple):
    """How much more one model needs than another, in nats per character, and its standard error."""

    nats: float
    standard_error: float

    @property
    def is_sure(self) -> bool:
        """Whether it is at least two standard errors away from 0."""
        return abs(self.nats) >= 2.0 * self.standard_error


@dataclass(frozen=True)
class Rung:
    """One model on the held-out characters; losses are mean nats a character."""

    name: str
    title: str
    family: str  # one of `FAMILIES`, or the class of its config
    parameters: Positive
    characters_seen: Count  # characters learned from, repeats included
    seconds: float  # of the training
    weights_sha256: str
    """Of the checkpoint; empty for a model that was counted or mixed on the spot."""
    loss: NonNegative
    # Of each 5,000 neighbouring characters.
    blocks: Annotated[tuple[float, ...], Field(min_length=2)]
    # Where only so many characters may be seen as the last of `CONTEXTS` say: a model of subwords has no
    # loss for those that are shorter than its tokens.
    by_context: Annotated[tuple[float, ...], Field(max_length=len(CONTEXTS))] = ()

    @property
    def of_contexts(self) -> dict[int, float]:
        """The losses `by_context`, each under its number of characters."""
        return dict(zip(CONTEXTS[::-1], self.by_context[::-1], strict=False))

    @property
    def standard_error(self) -> float:
        """Of the loss, from blocks of neighbouring characters."""
        return score(np.array(self.blocks), block=1).standard_error

    def minus(self, other: "Rung") -> Difference:
        """Return this loss minus another's, block by block of the same characters.

        Raises ValueError if they were not scored on the same blocks.
        """
        pairs = np.array(list(zip(self.blocks, other.blocks, strict=True)))
        apart = score(pairs[:, 0] - pairs[:, 1], block=1)
        return Difference(self.loss - other.loss, apart.standard_error)


@dataclass(frozen=True)
class LadderResults(Recorded, name="model-ladder"):
    """All rungs."""

    rungs: Annotated[tuple[Rung, ...], NOT_EMPTY]  # the largest loss first
    contexts: tuple[int, ...] = CONTEXTS  # to which `Rung.by_context` belongs

    def __post_init__(self) -> None:
        if self.contexts != CONTEXTS:
            raise ValueError(f"contexts must be {CONTEXTS}, got {self.contexts}")
        if len({rung.name for rung in self.rungs}) < len(self.rungs):
            raise ValueError("each model has one rung")
        if len({len(rung.blocks) for rung in self.rungs}) > 1:
            raise ValueError("all rungs have the same number of blocks")

    def with_rung(self, rung: Rung, provenance: dict[str, Any]) -> "LadderResults":
        """Return these results with one more rung, which replaces an earlier one of that name."""
        others = (other for other in self.rungs if other.name != rung.name)
        by_loss = sorted((*others, rung), key=lambda rung: -rung.loss)
        return LadderResults(provenance, tuple(by_loss))

    def named(self, name: str) -> Rung:
        """Return a rung; KeyError if there is none of that name."""
        return {rung.name: rung for rung in self.rungs}[name]

    def best_counted(self) -> tuple[float, ...]:
        """Return the loss for each of `CONTEXTS` of the n-gram that does best with so many characters."""
        counted = [rung.by_context for rung in self.rungs if rung.family == NGRAM]
        return tuple(min(losses) for losses in zip(*filter(None, counted), strict=True))

    def leads_from(self, rung: Rung) -> int | None:
        """Return the context from which on a model stays ahead of every n-gram; None if it never does."""
        leads_from = None
        for context, theirs in zip(CONTEXTS[::-1], self.best_counted()[::-1], strict=True):
            if rung.of_contexts.get(context, math.inf) >= theirs:
                break
            leads_from = context
        return leads_from

    def missing(self, models: list[CheckpointMeta]) -> list[CheckpointMeta]:
        """Return those models that were not scored with the weights that they have now."""
        scored = {(rung.name, rung.weights_sha256) for rung in self.rungs}
        return [meta for meta in models if (meta.name, meta.weights_sha256) not in scored]

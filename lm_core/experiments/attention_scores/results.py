"""The losses of small translators with one vector, additive scores and dot products, as they are shipped."""

from dataclasses import dataclass
from typing import Annotated

from lm_core.results import NOT_EMPTY, Count, NonNegative, Positive, Recorded

WIDTH, STEPS, SEEDS = 128, 400, (1, 2)
SCORES = ("none", "additive", "dot")


@dataclass(frozen=True)
class ScoredTraining:
    """One training."""

    attention: str  # of `SCORES`
    seed: Count
    parameters: Positive
    seconds: NonNegative  # of the steps, on one core beside other work
    losses: Annotated[tuple[tuple[Positive, NonNegative], ...], NOT_EMPTY]
    # steps, and nats a subword of captions that were not learned from


@dataclass(frozen=True)
class AttentionScoreResults(Recorded, name="attention-scores"):
    """All trainings."""

    trainings: Annotated[tuple[ScoredTraining, ...], NOT_EMPTY]

    def of(self, attention: str) -> tuple[ScoredTraining, ...]:
        """Return the trainings with one kind of scores, by seed."""
        return tuple(t for t in self.trainings if t.attention == attention)

    def band(self, attention: str) -> list[tuple[int, float, float, float]]:
        """Return steps, and the mean, the lowest and the highest loss of all seeds there."""
        found = zip(*(training.losses for training in self.of(attention)), strict=True)
        return [
            (seeds[0][0], sum(losses) / len(losses), min(losses), max(losses))
            for seeds in found
            for losses in [[loss for _, loss in seeds]]
        ]

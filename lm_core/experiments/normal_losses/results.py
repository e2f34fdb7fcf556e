"""The losses of one recipe from several seeds, as they are shipped, and the band that they lie in."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Self

from lm_core.jobs.records import RunConfig
from lm_core.results import NOT_EMPTY, NonNegative, Positive, Recorded

Losses = Annotated[tuple[tuple[NonNegative, ...], ...], NOT_EMPTY]
"""Nats, by seed and by place on the way."""


@dataclass(frozen=True)
class RecipeLosses:
    """One training on one text."""

    experiment: str  # as a run has it, like the three below
    corpus: str
    model: dict[str, Any]  # its config, as a run has it
    training: dict[str, Any]  # its config, but for the seed and the arithmetic
    steps: Annotated[tuple[Positive, ...], NOT_EMPTY]  # the last of those that a mean is over
    losses: Losses
    seconds: NonNegative  # of one seed's steps, on one core beside other work

    def __post_init__(self) -> None:
        if any(len(of_seed) != len(self.steps) for of_seed in self.losses):
            raise ValueError("each seed must have a loss for each of the steps")

    @classmethod
    def of(cls, config: RunConfig, seconds: float, steps: Sequence[int], losses: Losses) -> Self:
        """Return the losses of a run from several seeds as they are stored."""
        training = cls._but_for_chance(config.training)
        asked = (config.experiment, config.corpus, config.model, training)
        return cls(*asked, tuple(steps), losses, round(seconds, 1))

    def are_normal_for(self, config: RunConfig) -> bool:
        """Whether a run is the same training, whatever its seed and its arithmetic."""
        if config.start or config.teachers:
            return False
        training = self._but_for_chance(config.training)
        asked = (config.experiment, config.corpus, config.model, training)
        return asked == (self.experiment, self.corpus, self.model, self.training)

    @staticmethod
    def _but_for_chance(training: dict[str, Any]) -> dict[str, Any]:
        """Return what of a training decides which losses are normal: neither the seed nor the arithmetic."""
        return {name: value for name, value in training.items() if name not in ("seed", "dtype")}

    @property
    def band(self) -> list[tuple[int, float, float]]:
        """Steps, and the lowest and the highest loss of all seeds there."""
        return [
            (step, min(found), max(found))
            for step, *found in zip(self.steps, *self.losses, strict=True)
        ]


@dataclass(frozen=True)
class NormalLossResults(Recorded, name="normal-losses"):
    """All recipes that were trained from several seeds."""

    recipes: Annotated[tuple[RecipeLosses, ...], NOT_EMPTY]

    def of_run(self, config: RunConfig) -> RecipeLosses | None:
        """Return the losses of other seeds of the same training; None if there are none."""
        return next((r for r in self.recipes if r.are_normal_for(config)), None)

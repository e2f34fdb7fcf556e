"""What was measured of the masked language models, as the page reads it."""

from dataclasses import dataclass
from typing import Annotated, NamedTuple

from lm_core.experiments.masked_language_model.settings import EXPERIMENT
from lm_core.experiments.masked_language_model.split_scores import SplitScore
from lm_core.experiments.masked_language_model.text_scores import OrderScore, PairScore, SweepScore
from lm_core.experiments.masked_language_model.word_classes import EVERY, ClassScore
from lm_core.results import NOT_EMPTY, Count, Recorded


class CurvePoint(NamedTuple):
    """A moment of a training."""

    model: str  # of the recipe
    step: Count
    held_out: float  # nats a chosen subword of the part of the training text that is never learned


@dataclass(frozen=True)
class MaskedResults(Recorded, name=EXPERIMENT):
    """What was measured of the main model."""

    classes: Annotated[tuple[ClassScore, ...], NOT_EMPTY]  # all words first, then by tag
    pairs: Annotated[tuple[PairScore, ...], NOT_EMPTY]
    orders: Annotated[tuple[OrderScore, ...], NOT_EMPTY]
    sweeps: Annotated[tuple[SweepScore, ...], NOT_EMPTY]
    references: dict[str, float]
    """Bits a character of such texts: the book's, the causal model's own."""
    curve: Annotated[tuple[CurvePoint, ...], NOT_EMPTY]

    def of_class(self, tag: str = EVERY) -> ClassScore:
        """Return the score of a class of words; of all words without a tag."""
        return next(score for score in self.classes if score.tag == tag)

    def of_pairs(self, order: str) -> PairScore:
        """Return the score of one way to fill two gaps."""
        return next(score for score in self.pairs if score.order == order)

    def of_order(self, order: str) -> OrderScore:
        """Return the score of sentences with their words in some order."""
        return next(score for score in self.orders if score.order == order)


@dataclass(frozen=True)
class SplitResults(
    Recorded, name=f"{EXPERIMENT}-splits", experiment=f"{EXPERIMENT} --measure-splits"
):
    """What was measured of the models that learned under different splits."""

    scores: Annotated[tuple[SplitScore, ...], NOT_EMPTY]
    curves: Annotated[tuple[CurvePoint, ...], NOT_EMPTY]

    def of(self, model: str, condition: str) -> SplitScore:
        """Return the score of a model asked in one way."""
        return next(s for s in self.scores if (s.model, s.condition) == (model, condition))

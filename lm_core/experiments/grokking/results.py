"""How much was right by step, of pairs that were learned and of others, and the waves in the vectors."""

from dataclasses import dataclass
from typing import Annotated, NamedTuple

from lm_core.results import NOT_EMPTY, Count, NonNegative, Positive, Recorded, Share


class Evaluation(NamedTuple):
    """A network after some steps; losses in nats a pair."""

    step: Count
    training_loss: NonNegative
    held_out_loss: NonNegative
    training_right: Share
    held_out_right: Share
    spectrum: tuple[Share, ...]  # of the power of the vectors, by frequency from 1 on

    def strongest(self, n: int) -> float:
        """Return which share of the power the n strongest frequencies hold together."""
        return sum(sorted(self.spectrum)[-n:])


@dataclass(frozen=True)
class Curve:
    """One training."""

    share: Share
    """Of all pairs, those in training."""
    weight_decay: NonNegative
    seed: int
    training: Positive
    held_out: Positive
    """`training` and `held_out`: numbers of pairs."""
    evaluations: Annotated[tuple[Evaluation, ...], NOT_EMPTY]

    def steps_until(self, half: str, right: float) -> int | None:
        """Return after how many steps that share of a half is right, "training" or "held_out"; None if never."""
        shares = ((e.step, getattr(e, f"{half}_right")) for e in self.evaluations)
        return next((step for step, share in shares if share >= right), None)


@dataclass(frozen=True)
class GrokkingResults(Recorded, name="grokking"):
    """All trainings."""

    modulus: Positive
    curves: Annotated[tuple[Curve, ...], NOT_EMPTY]

    def curve(self, share: float, weight_decay: float) -> Curve:
        """Return one training; StopIteration if there is none."""
        wanted = (share, weight_decay)
        return next(c for c in self.curves if (c.share, c.weight_decay) == wanted)

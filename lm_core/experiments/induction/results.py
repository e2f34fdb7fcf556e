"""The curves of all lessons, as they are shipped: how induction heads formed, or did not."""

from dataclasses import dataclass

from lm_core.experiments.induction.training import InductionStep
from lm_core.results import Recorded


@dataclass(frozen=True)
class InductionResults(Recorded, name="induction"):
    """What each lesson came to."""

    curves: dict[str, tuple[InductionStep, ...]]  # by title, the first before any training

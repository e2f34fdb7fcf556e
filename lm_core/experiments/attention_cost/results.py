"""What attention cost on one machine, and what its approximations cost a trained model in nats."""

from dataclasses import dataclass
from typing import NamedTuple

from lm_core.experiments.attention_cost.measurement import AttentionCost, GenerationCost
from lm_core.results import Recorded


class Approximation(NamedTuple):
    """One approximation of exact attention."""

    method: str  # the local window, or the linear kernel
    size: int  # the window in tokens, or the number of features
    seconds: float  # as in an `AttentionCost`, at length `study.COMPARED_LENGTH`
    loss: float  # nats a character of a trained model with this in place of its own attention


@dataclass(frozen=True)
class CostResults(Recorded, name="attention-cost"):
    """All that was measured on a machine; the provenance's device is its processor's name."""

    costs: tuple[AttentionCost, ...]  # of all methods, by length
    generation: tuple[GenerationCost, ...]
    approximations: tuple[Approximation, ...]
    exact_loss: float  # of the same model with its own attention
    model: str  # title of that model

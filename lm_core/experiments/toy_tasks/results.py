"""How many whole answers each model gets right, by task and length, and the models that the page asks."""

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, NamedTuple

from lm_core.experiments.toy_tasks.tasks import TASKS
from lm_core.models.encoder_decoder import RecurrentEncoderDecoder
from lm_core.results import NOT_EMPTY, Count, Positive, Recorded, Share, one_of
from lm_core.training.weight_storage import StoredModel

ONE_VECTOR, ATTENTION = "one vector", "attention"
MODELS = {ONE_VECTOR: "none", ATTENTION: "additive"}
"""What its config calls the attention of each model."""
STORAGE = "float16"


class Step(NamedTuple):
    """One sign of an answer."""

    sign: str  # empty where the answer ends
    probability: Share


class LengthScore(NamedTuple):
    """A test on strings of one length."""

    length: Positive
    tested: Positive
    right: Count

    @property
    def share(self) -> float:
        """Of whole answers that are right."""
        return self.right / self.tested


@dataclass(frozen=True)
class ToyTraining:
    """One training, and its test."""

    task: Annotated[str, one_of(TASKS)]
    model: Annotated[str, one_of(MODELS)]
    seed: int
    parameters: Positive
    seconds: float
    """Of the processor, for the training."""
    scores: Annotated[tuple[LengthScore, ...], NOT_EMPTY]


@dataclass(frozen=True)
class ToyResults(Recorded, name="toy-tasks"):
    """All trainings, and of each task and model the first seed's weights."""

    batch: Positive
    trainings: tuple[ToyTraining, ...]
    stored: dict[str, StoredModel]

    @cached_property
    def models(self) -> dict[str, RecurrentEncoderDecoder]:
        """The first seed's, by `key_of`."""
        return {key: stored.build() for key, stored in self.stored.items()}

    def of(self, task: str, model: str) -> tuple[ToyTraining, ...]:
        """Return the trainings of one model on a task, a seed each."""
        return tuple(t for t in self.trainings if (t.task, t.model) == (task, model))

    def by_length(self, task: str, model: str) -> dict[int, tuple[float, float, float]]:
        """Return the mean share of whole answers right, by length, and its least and greatest of all seeds."""
        tests = zip(*(training.scores for training in self.of(task, model)), strict=True)
        shares = {test[0].length: [score.share for score in test] for test in tests}
        return {n: (sum(s) / len(s), min(s), max(s)) for n, s in shares.items()}


def key_of(task: str, model: str) -> str:
    """Return under which name the weights of a model lie."""
    return f"{task}, {model}"

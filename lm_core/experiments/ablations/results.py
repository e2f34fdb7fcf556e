"""The results of all variants that have been trained, and the checkpoints of those that generate."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from statistics import fmean

from lm_core.experiments.ablations.training import Snapshot, TrainedVariant, unigram_loss
from lm_core.experiments.ablations.variants import NAME, TRAINING, VARIANTS
from lm_core.results import NonNegative, Recorded, provenance
from lm_core.text.training_text import TrainingText

SEEDS = ("full", "full-seed-2", "full-seed-3")
"""Trainings of the full model of 4 layers."""
DEEP = "deep"
"""The full model of 8 layers; what its variants are called begins so."""


@dataclass(frozen=True)
class AblationResults(Recorded, name=NAME):
    """What was measured of the variants that have been trained.

    The provenance has ``corpus``, ``corpus_sha256`` and ``training`` besides.
    """

    unigram_loss: NonNegative  # the least that a variant must beat, in nats per character
    trainings: dict[str, TrainedVariant]  # by variant, in the order of `VARIANTS`
    # processor time of a training step, measured side by side, by variant; not of all
    step_seconds: dict[str, NonNegative] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.provenance.get("training") != asdict(TRAINING):
            raise ValueError("the variants were trained with other settings than TRAINING")

    @classmethod
    def begin(cls, text: TrainingText) -> "AblationResults":
        """Return the results of no variant so far."""
        made = provenance(
            device="",
            seconds=0.0,
            training=asdict(TRAINING),
            corpus=text.corpus,
            corpus_sha256=text.sha256,
        )
        return cls(made, unigram_loss(text), {})

    def add(self, name: str, record: TrainedVariant, device: str) -> "AblationResults":
        """Return results with one more variant; a record of the same variant is replaced."""
        records = {**self.trainings, name: record}
        trainings = {name: records[name] for name in VARIANTS if name in records}
        seconds = sum(record.seconds for record in trainings.values())
        made = self.provenance | provenance(device=device, seconds=seconds)
        return replace(self, trainings=trainings, provenance=made)

    @property
    def losses(self) -> dict[str, float]:
        """Of each variant on the last tenth of the book, in nats per character."""
        return {name: found.validation.loss for name, found in self.trainings.items()}

    @property
    def full_losses(self) -> list[float]:
        """Those of the full model, one for each seed."""
        return [loss for name, loss in self.losses.items() if name in SEEDS]

    @property
    def noise(self) -> float:
        """How far a seed of the full model ends from the mean of all of them, at most."""
        return max(abs(loss - fmean(self.full_losses)) for loss in self.full_losses)

    def above_full(self, names: Iterable[str]) -> dict[str, float]:
        """Return how much worse each variant is than the full model of the same depth."""
        mean = fmean(self.full_losses)
        return {
            name: self.losses[name]
            - (self.losses.get(DEEP, mean) if name.startswith(f"{DEEP}-") else mean)
            for name in names
        }

    @property
    def snapshot_steps(self) -> list[int]:
        """The training steps at which the full model was evaluated."""
        return [snapshot.step for snapshot in self.trainings["full"].snapshots]

    def snapshot(self, name: str, step: int) -> Snapshot | None:
        """Return a variant's snapshot at a training step; None if it had diverged by then."""
        snapshots = self.trainings[name].snapshots
        return next((snapshot for snapshot in snapshots if snapshot.step == step), None)

"""The results of all variants that have been trained, and the checkpoints of those that generate."""

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from lm_core.experiments.ablations.training import Snapshot, TrainedVariant, unigram_loss
from lm_core.experiments.ablations.variants import NAME, TRAINING, VARIANTS, Variant
from lm_core.models.registry import config_to_dict
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.results import NonNegative, Recorded, provenance
from lm_core.text.training_text import TrainingText
from lm_core.training.checkpoints import CheckpointMeta, save_checkpoint
from lm_core.training.model_vocabulary import vocabulary_fields


@dataclass(frozen=True)
class AblationResults(Recorded, name=NAME):
    """What was measured of the variants that have been trained.

    The provenance has ``corpus``, ``corpus_sha256`` and ``training`` besides.
    """

    unigram_loss: NonNegative  # the least that a variant must beat, in nats per character
    trainings: dict[str, TrainedVariant]  # by variant, in the order of `VARIANTS`

    def __post_init__(self) -> None:
        if self.provenance.get("training") != asdict(TRAINING):
            raise ValueError("the variants were trained with other settings than TRAINING")

    @classmethod
    def begin(cls, text: TrainingText) -> "AblationResults":
        """Return the results of no variant so far."""
        facts = {"corpus": text.corpus, "corpus_sha256": text.sha256}
        return cls(_provenance({}, "", **facts), unigram_loss(text), {})

    def add(self, name: str, record: TrainedVariant, device: str) -> "AblationResults":
        """Return results with one more variant; a record of the same variant is replaced."""
        records = {**self.trainings, name: record}
        trainings = {name: records[name] for name in VARIANTS if name in records}
        facts = {key: self.provenance[key] for key in ("corpus", "corpus_sha256")}
        return replace(
            self, trainings=trainings, provenance=_provenance(trainings, device, **facts)
        )

    @property
    def snapshot_steps(self) -> list[int]:
        """The training steps at which the full model was evaluated."""
        return [snapshot.step for snapshot in self.trainings["full"].snapshots]

    def snapshot(self, name: str, step: int) -> Snapshot | None:
        """Return a variant's snapshot at a training step; None if it had diverged by then."""
        snapshots = self.trainings[name].snapshots
        return next((snapshot for snapshot in snapshots if snapshot.step == step), None)


def save_variant(
    root: Path,
    variant: Variant,
    model: TransformerLanguageModel,
    record: TrainedVariant,
    text: TrainingText,
    device: str,
) -> Path:
    """Write the checkpoint of a variant into a folder of checkpoints.

    Raises
    ------
    CheckpointError
        If it cannot be written.
    """
    training = variant.training
    meta = CheckpointMeta(
        name=variant.checkpoint,
        title=f"Transformer 4 x 128, {variant.title}",
        config=config_to_dict(variant.model),
        **vocabulary_fields(text.vocabulary),
        corpus=text.corpus,
        corpus_sha256=text.sha256,
        seed=variant.seed,
        steps=training.steps,
        characters_seen=training.steps * training.batch * training.window,
        seconds=record.seconds,
        device=device,
        parameter_count=model.parameter_count,
        losses={"validation": record.validation.loss},
        recipe=asdict(training),
        storage="int8_rows",
        experiment=NAME,
    )
    return save_checkpoint(root, model, meta)


def _provenance(trainings: dict[str, TrainedVariant], device: str, **facts: str) -> dict[str, Any]:
    seconds = sum(record.seconds for record in trainings.values())
    return provenance(device=device, seconds=seconds, training=asdict(TRAINING), **facts)

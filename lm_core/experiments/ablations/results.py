"""The variants as they come with the project: trained by a command, kept with their provenance.

    python -m lm_core without

trains what the folder does not hold yet. It holds ``results.json``, and a checkpoint of each model
that a page lets write.
"""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from lm_core.assets import RESULTS
from lm_core.errors import ResultError
from lm_core.experiments.ablations.variants import TRAINING, VARIANTS, Variant
from lm_core.files import write_whole
from lm_core.jobs.records import now
from lm_core.models.registry import config_to_dict
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.text.training_text import TrainingText
from lm_core.training.checkpoints import CheckpointMeta, save_checkpoint
from lm_core.training.model_vocabulary import vocabulary_fields

SCHEMA = 1
RESULTS_FILE = "results.json"
SHIPPED = RESULTS / "ablations"


class WithoutResults:
    """What is known of the variants that have been trained.

    Parameters
    ----------
    corpus, corpus_sha256 : str
        What they were trained on.
    letter_frequency_loss : float
        What they are to be better than; see the function of that name.

    Attributes
    ----------
    device, date : str
        Where and when the last of them was trained.
    """

    def __init__(
        self,
        corpus: str,
        corpus_sha256: str,
        letter_frequency_loss: float,
        *,
        device: str = "",
        date: str = "",
    ) -> None:
        self.corpus, self.corpus_sha256 = corpus, corpus_sha256
        self.letter_frequency_loss = letter_frequency_loss
        self.device, self.date = device, date
        self._records: dict[str, dict[str, Any]] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._records

    def __getitem__(self, name: str) -> dict[str, Any]:
        """Return the record that `train_variant` made of a variant.

        Raises
        ------
        ResultError
            If it has not been trained.
        """
        if name not in self._records:
            raise ResultError(f"{name!r} has not been trained, only {self.names}")
        return self._records[name]

    @property
    def names(self) -> list[str]:
        """The variants that have been trained, in their order."""
        return [name for name in VARIANTS if name in self._records]

    @property
    def seconds(self) -> float:
        """Training time of all of them together."""
        return sum(record["seconds"] for record in self._records.values())

    def add(self, variant: Variant, record: dict[str, Any], device: str) -> None:
        """Take in a record; one of the same variant is replaced."""
        self._records[variant.name] = record
        self.device, self.date = device, now()

    def save(self, folder: Path) -> None:
        """Write the folder's file of results, whole or not at all.

        Raises
        ------
        OSError
            If it cannot be written.
        """
        document = {
            "schema": SCHEMA,
            "corpus": self.corpus,
            "corpus_sha256": self.corpus_sha256,
            "letter_frequency_loss": self.letter_frequency_loss,
            "device": self.device,
            "date": self.date,
            "training": asdict(TRAINING),
            "records": {name: self._records[name] for name in self.names},
        }
        write_whole(folder / RESULTS_FILE, (json.dumps(document) + "\n").encode())

    @classmethod
    def load(cls, folder: Path = SHIPPED) -> "WithoutResults":
        """Read a folder that `save` wrote.

        Raises
        ------
        ResultError
            If it is missing, of another schema, or holds models trained in another way.
        """
        try:
            document = json.loads((folder / RESULTS_FILE).read_text(encoding="utf-8"))
            if document["schema"] != SCHEMA:
                raise ResultError(f"{folder} is of another schema than {SCHEMA}: train it again")
            if document["training"] != asdict(TRAINING):
                raise ResultError(f"{folder} was trained with other settings: train it again")
            results = cls(
                document["corpus"],
                document["corpus_sha256"],
                document["letter_frequency_loss"],
                device=document["device"],
                date=document["date"],
            )
            results._records = dict(document["records"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ResultError(f"no readable results in {folder}: {error}") from error
        return results


def save_model(
    folder: Path,
    variant: Variant,
    model: TransformerLanguageModel,
    record: dict[str, Any],
    text: TrainingText,
    device: str,
) -> Path:
    """Write the checkpoint of a variant into the folder of results.

    Raises
    ------
    CheckpointError
        If it cannot be written.
    """
    training = variant.training
    meta = CheckpointMeta(
        name=variant.name,
        title=f"Transformer 4 x 128, {variant.title}",
        config=config_to_dict(variant.model),
        **vocabulary_fields(text.vocabulary),
        corpus=text.corpus,
        corpus_sha256=text.sha256,
        seed=variant.seed,
        steps=training.steps,
        characters_seen=training.steps * training.batch * training.window,
        seconds=record["seconds"],
        device=device,
        parameter_count=model.parameter_count,
        losses={"validation": record["validation"]["loss"]},
        recipe=asdict(training),
        storage="int8_rows",
    )
    return save_checkpoint(folder, model, meta)

"""A tuning on a class's own labels, and beside it the same from scratch: two models that take turns."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from lm_core.errors import CheckpointError, SettingError, require_at_least_1
from lm_core.experiments.fine_tuning import settings
from lm_core.experiments.fine_tuning.asking import class_probabilities
from lm_core.experiments.fine_tuning.labelled_texts import between_separators, labelled_texts
from lm_core.experiments.fine_tuning.own_labels import OwnLabels
from lm_core.experiments.fine_tuning.prose import encode_text
from lm_core.experiments.fine_tuning.training import FineTuning
from lm_core.models.masked_language_model import MaskedLanguageModel
from lm_core.text.character_vocabulary import CharacterVocabulary

OWN_METHODS = (settings.TUNED, settings.LORA, settings.FROZEN)
_KIND_OF_TASK = settings.AUTHOR  # a class of a text is asked for, as there


@dataclass(frozen=True)
class OwnTuningConfig:
    """Settings of a tuning on a class's own labels."""

    method: str = settings.TUNED
    """Of `OWN_METHODS`."""
    steps: int = 20
    """Optimizer steps, of either model."""
    seed: int = 0
    dtype: str = "float32"
    """Of the encoder's arithmetic; ``float32`` is quick on every processor."""

    def __post_init__(self) -> None:
        if self.method not in OWN_METHODS:
            raise SettingError(f"method must be one of {OWN_METHODS}, got {self.method!r}")
        require_at_least_1(steps=self.steps)
        self.of(self.method, 1)

    def of(self, method: str, n_labelled: int) -> settings.FineTuningConfig:
        """Return the settings of one of the two models."""
        return settings.FineTuningConfig(
            _KIND_OF_TASK, method, n_labelled, self.seed, steps=self.steps, dtype=self.dtype
        )


class OwnTuningStep(NamedTuple):
    """What a step of both models did."""

    step: int
    """From 1."""
    loss: float
    scratch_loss: float
    """`loss` and `scratch_loss`: nats per sentence, of the pretrained model and of the one from
    scratch."""
    seconds: float
    """Spent in steps so far."""

    @property
    def is_news(self) -> bool:
        """Whether it must not wait for the next line: there are few steps, and two losses."""
        return True


class OwnTuning:
    """Two tunings side by side; iterate over it for their steps.

    `encoder`: MaskedLanguageModel, the pretrained one; it is not changed.
    """

    def __init__(
        self,
        encoder: MaskedLanguageModel,
        config: OwnTuningConfig,
        labels: OwnLabels,
        vocabulary: CharacterVocabulary,
    ) -> None:
        self._others = [[encode_text(text, vocabulary)] for text in labels.others]
        rows = [
            between_separators([encode_text(text, vocabulary)], encoder.config)
            for text in labels.labelled
        ]
        texts = labelled_texts(rows, labels.labels, encoder.config)
        n = len(rows)
        self._tunings = {
            method: FineTuning(encoder, config.of(method, n), texts, 2)
            for method in (config.method, settings.SCRATCH)
        }

    def __iter__(self) -> Iterator[OwnTuningStep]:
        """Yield the remaining steps."""
        for pretrained, scratch in zip(*self._tunings.values(), strict=True):
            seconds = pretrained.seconds + scratch.seconds
            yield OwnTuningStep(pretrained.step, pretrained.loss, scratch.loss, seconds)

    def predict(self) -> dict[str, list[float]]:
        """Return the probability of label 1 for each sentence without a label, by method."""
        return {
            method: class_probabilities(tuning.model.eval(), self._others)[:, 1].tolist()
            for method, tuning in self._tunings.items()
        }

    def state_dict(self) -> dict[str, Any]:
        """Return all that `load_state_dict` needs to go on as if nothing had happened."""
        states = [tuning.state_dict() for tuning in self._tunings.values()]
        return {
            "tunings": states,
            "step": states[0]["step"],
            "seconds": sum(state["seconds"] for state in states),
        }

    def load_state_dict(self, saved: dict[str, Any]) -> None:
        """Go on from `state_dict`'s record of the same run.

        Raises CheckpointError if the record is of another run.
        """
        try:
            for tuning, state in zip(self._tunings.values(), saved["tunings"], strict=True):
                tuning.load_state_dict(state)
        except (KeyError, ValueError) as error:
            raise CheckpointError(f"the saved run does not fit this tuning: {error}") from error

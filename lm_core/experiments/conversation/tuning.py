"""Tuning on dialogues: low-rank updates of the model that has read 33 books, by the loss of replies.

References
----------
Zhang et al. 2020, "DialoGPT: Large-Scale Generative Pre-training for Conversational Response
Generation". https://arxiv.org/abs/1911.00536
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from lm_core.experiments.assistant.tuning import Row, answer_losses
from lm_core.experiments.commands import progress
from lm_core.experiments.conversation.dialogues import Dialogue, reply_row
from lm_core.experiments.conversation.study import WRITER
from lm_core.jobs.resume import ResumeFile
from lm_core.jobs.run_folder import home
from lm_core.models.low_rank import (
    add_low_rank_updates,
    computed_once,
    load_thin_matrices,
    thin_matrices,
)
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.rng import generator
from lm_core.text.character_vocabulary import CharacterVocabulary
from lm_core.training.checkpoints import load_shipped
from lm_core.training.eager_optimizers import Adam
from lm_core.training.loop import TrainingLoop, TrainStep, clip_by_norm
from lm_core.training.optimizers import learning_rate_at
from lm_core.training.resumable import Parts, Resumable, Value

TURNS = 4
"""Of a dialogue that are read at once, at most."""


@dataclass(frozen=True)
class TuningSettings:
    """How long is tuned, and how fast."""

    steps: int = 1_000
    batch: int = 16
    """Dialogues of a step."""
    peak: float = 2e-3
    """The highest learning rate, Adam's."""
    rank: int = 8
    """Of the updates."""
    dtype: str = "bfloat16"
    """Of the products."""
    seed: int = 1


def draw_row(
    dialogues: Sequence[Dialogue], vocabulary: CharacterVocabulary, rng: torch.Generator
) -> Row:
    """Draw a dialogue and a stretch of it: all its turns but the first are replies."""
    dialogue = dialogues[int(torch.randint(len(dialogues), (), generator=rng))]
    first = int(torch.randint(len(dialogue) - 1, (), generator=rng))
    return reply_row(vocabulary, dialogue[first : first + 1], dialogue[first + 1 : first + TURNS])


class ReplyTuning(Resumable):
    """Low-rank updates that learn to reply; iterate over it for its steps.

    Parameters
    ----------
    model : TransformerLanguageModel, which is changed
    """

    def __init__(
        self,
        model: TransformerLanguageModel,
        dialogues: Sequence[Dialogue],
        vocabulary: CharacterVocabulary,
        settings: TuningSettings,
    ) -> None:
        self._rng = generator(settings.seed)
        self.updates = add_low_rank_updates(model, settings.rank, self._rng)
        learned = [p for update in self.updates.values() for p in update.parameters()]
        dtype = getattr(torch, settings.dtype)

        def next_loss() -> Tensor:
            rows = [draw_row(dialogues, vocabulary, self._rng) for _ in range(settings.batch)]
            rows.sort(
                key=lambda row: len(row.ids)
            )  # so that little is read that only fills rows up
            halves = (rows[: settings.batch // 2], rows[settings.batch // 2 :])
            with computed_once(), torch.autocast("cpu", dtype, enabled=dtype != torch.float32):
                return torch.cat([answer_losses(model, half)[0] for half in halves]).mean()

        self.loop = TrainingLoop(
            learned,
            next_loss,
            Adam(learned),
            steps=settings.steps,
            learning_rate=lambda step: learning_rate_at(
                step, steps=settings.steps, peak=settings.peak, warmup_steps=settings.steps // 20
            ),
            clip=clip_by_norm(1.0),
        )

    def __iter__(self) -> Iterator[TrainStep]:
        """Yield the remaining steps."""
        return iter(self.loop)

    def _parts(self) -> Parts:
        updates = Value(
            lambda: thin_matrices(self.updates),
            lambda saved: load_thin_matrices(self.updates, saved),
        )
        return {"updates": updates, "rng": self._rng}


def learned_updates(
    dialogues: Sequence[Dialogue], vocabulary: CharacterVocabulary, settings: TuningSettings
) -> tuple[dict[str, Tensor], float]:
    """Tune the shipped model; return its updates in half precision, and the seconds of the steps.

    What a stopped tuning has learned lies in the lab's home folder, and is gone on from.
    """
    file = ResumeFile(home() / "conversation.safetensors")
    tuning = ReplyTuning(load_shipped(WRITER).model, dialogues, vocabulary, settings)
    if saved := file.load():
        tuning.load_state_dict(saved)
    for step in progress(tuning, "conversation", settings.steps, every=25):
        if step.step % 25 == 0:
            file.save(tuning.state_dict(), step.seconds)
    file.remove()
    updates = {name: matrix.half() for name, matrix in thin_matrices(tuning.updates).items()}
    return updates, round(tuning.loop.seconds, 1)

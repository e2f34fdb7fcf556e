"""Windows from anywhere in the text, in an order of chance, each begun without memory."""

from collections.abc import Iterable, Iterator

import torch
from torch import Tensor
from torch.nn import functional

from lm_core.experiments.commands import progress
from lm_core.experiments.published_schedule.results import Point
from lm_core.jobs.resume import ResumeFile
from lm_core.jobs.run_folder import home
from lm_core.models.recurrent_language_model import LSTMLanguageModel, LSTMLanguageModelConfig
from lm_core.rng import generator
from lm_core.training.eager_optimizers import Adam
from lm_core.training.evaluation import cold_window_losses
from lm_core.training.loop import TrainingLoop, TrainStep
from lm_core.training.resumable import Part, Parts, Resumable, Value

EVERY, VALIDATED_EVERY, STRIDE = 20, 200, 500
BATCH, WINDOW, LEARNING_RATE = 1_024, 64, 1e-3
"""As published; the rate stays as it is. The products are computed in bfloat16, which theirs were not."""
MODEL = LSTMLanguageModelConfig(
    vocabulary_size=70,
    embedding_size=32,
    hidden_size=128,
    layers=4,
    hidden_dropout=0.2,
    dropout_mask="step",
)


class WindowTraining(Resumable):
    """A training on all windows of a text, one pass after another; iterate over it for its steps.

    `tokens`: int64 Tensor of shape (N,), longer than a window.
    """

    def __init__(
        self,
        tokens: Tensor,
        config: LSTMLanguageModelConfig = MODEL,
        *,
        steps: int,
        batch: int = BATCH,
        seed: int = 1,
    ) -> None:
        self._windows, self._batch = tokens.unfold(0, WINDOW + 1, 1), batch
        self._rng = generator(seed)
        self.model = LSTMLanguageModel(config)
        self.model.initialise(self._rng)
        self._order = torch.empty(0, dtype=torch.int64)
        self.loop = TrainingLoop(
            self.model.parameters(),
            self._next_loss,
            Adam(self.model.parameters()),
            steps=steps,
            learning_rate=lambda _: LEARNING_RATE,
        )

    def _next_loss(self) -> Tensor:
        if len(self._order) < self._batch:
            self._order = torch.randperm(len(self._windows), generator=self._rng)
        drawn, self._order = self._order[: self._batch], self._order[self._batch :]
        windows = self._windows[drawn]
        start = self.model.initial_state(self._batch)
        logits, _ = self.model.training_logits(
            windows[:, :-1], start, rng=self._rng, dtype=torch.bfloat16
        )
        return functional.cross_entropy(logits.flatten(0, 1), windows[:, 1:].flatten())

    def _parts(self) -> Parts:
        order = Value(lambda: self._order.clone(), lambda saved: setattr(self, "_order", saved))
        return {"model": self.model, "rng": self._rng, "order": order}

    def _beside(self) -> tuple[Part, ...]:
        return (self.loop,)


def points(
    training: WindowTraining, steps: Iterable[TrainStep], validation: Tensor
) -> Iterator[Point]:
    """Yield where a training has come to, after every `EVERY` steps.

    Parameters
    ----------
    steps : of the loop, watched by whoever waits
    validation : int64 Tensor of shape (N,), of which every `STRIDE`-th window is read now and then
    """
    losses: list[float] = []
    for step in steps:
        losses.append(step.loss)
        if step.step % EVERY:
            continue
        unseen = None
        if step.step % VALIDATED_EVERY == 0:
            cold = cold_window_losses(training.model, validation, window=WINDOW, stride=STRIDE)
            unseen = round(float(cold.mean()), 4)
        yield Point(step.step, round(sum(losses) / len(losses), 4), unseen)
        losses.clear()


def kept_points(training: WindowTraining, steps: int, validation: Tensor) -> Iterator[Point]:
    """Yield the points of a training that goes on where an earlier one was stopped, in the lab's home folder."""
    file = ResumeFile(home() / "published-schedule.safetensors")
    if saved := file.load():
        training.load_state_dict(saved)
    watched = progress(training.loop, "published schedule", steps, EVERY)
    for point in points(training, watched, validation):
        yield point
        file.save(training.state_dict(), training.loop.seconds)
    file.wait()

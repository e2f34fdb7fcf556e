"""One tuning: from scratch, of a head alone, of all weights, or of low-rank updates."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import partial

import torch
from torch import Tensor, nn

from lm_core.experiments.fine_tuning.labelled_texts import LabelledTexts
from lm_core.experiments.fine_tuning.settings import FROZEN, KIND, LORA, SCRATCH, FineTuningConfig
from lm_core.models.low_rank import add_low_rank_updates
from lm_core.models.masked_language_model import MaskedLanguageModel
from lm_core.models.placement import device_of, moved
from lm_core.models.task_heads import TaskModel, right_answers, task_loss
from lm_core.rng import generator
from lm_core.training.eager_optimizers import Adam
from lm_core.training.loop import TrainingLoop, TrainStep, clip_by_norm
from lm_core.training.optimizers import learning_rate_at
from lm_core.training.resumable import Parts, Resumable, weights_in_place

_DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16}
_LONGEST_GRADIENT = 1.0
_READ_AT_ONCE = 64


def prepared_model(
    encoder: MaskedLanguageModel, config: FineTuningConfig, n_labels: int, rng: torch.Generator
) -> TaskModel:
    """Return a model of its own for a method: which weights it has, and which of them are learned.

    Parameters
    ----------
    encoder : MaskedLanguageModel, the pretrained one; it is not changed
    rng : torch.Generator, draws the head, and all that is new
    """
    if config.method == SCRATCH:
        own = MaskedLanguageModel(encoder.config)
        own.initialise(rng)
        own.to(device_of(encoder))
    else:
        own = deepcopy(encoder).requires_grad_(config.method != FROZEN)
    if config.method == LORA:
        add_low_rank_updates(own, config.rank, rng)
    return TaskModel(own, KIND[config.task], n_labels, rng)


def tuning_loop(
    config: FineTuningConfig, learned: list[nn.Parameter], next_loss: Callable[[], Tensor]
) -> TrainingLoop:
    """Return the loop of a tuning: Adam, a tenth of the steps to warm up, then a cosine to zero."""
    return TrainingLoop(
        learned,
        next_loss,
        Adam(learned),
        steps=config.n_steps,
        learning_rate=partial(
            learning_rate_at,
            steps=config.n_steps,
            peak=config.peak,
            warmup_steps=config.n_steps // 10,
        ),
        clip=clip_by_norm(_LONGEST_GRADIENT),
    )


class FineTuning(Resumable):
    """A tuning in progress; iterate over it for its steps.

    Parameters
    ----------
    encoder : MaskedLanguageModel, the pretrained one; it is not changed, and learned is where it lies
    labelled : LabelledTexts, to learn from: `config.n_labelled` are drawn
    """

    def __init__(
        self,
        encoder: MaskedLanguageModel,
        config: FineTuningConfig,
        labelled: LabelledTexts,
        n_labels: int,
    ) -> None:
        self.config, self._rng = config, generator(config.seed)
        order = torch.randperm(len(labelled.lengths), generator=self._rng)
        self._labelled = labelled.take(order[: config.n_labelled])
        self.model = prepared_model(encoder, config, n_labels, self._rng)
        self._dtype = _DTYPES[config.dtype]
        learned = [weight for weight in self.model.used_parameters() if weight.requires_grad]
        self.loop = tuning_loop(config, learned, self._next_loss)

    def __iter__(self) -> Iterator[TrainStep]:
        """Yield the remaining steps; losses are nats per answer."""
        yield from self.loop

    def _parts(self) -> Parts:
        return {"learned": weights_in_place(self.loop.parameters), "rng": self._rng}

    def _next_loss(self) -> Tensor:
        n = len(self._labelled.lengths)
        drawn = torch.randperm(n, generator=self._rng)[: self.config.batch]
        batch = moved(self._labelled.take(drawn), device_of(self.model))
        logits = self.model(batch.tokens, batch.lengths, dtype=self._dtype)
        return task_loss(logits, batch.targets)


@torch.no_grad()
def accuracy(model: TaskModel, texts: LabelledTexts, *, dtype: torch.dtype | None = None) -> float:
    """Return the share of answers that are right: texts, or for tags the words of all texts."""
    right = []
    for chosen in torch.arange(len(texts.lengths)).split(_READ_AT_ONCE):
        part = moved(texts.take(chosen), device_of(model))
        logits = model(part.tokens, part.lengths, dtype=dtype)
        right.append(right_answers(logits, part.targets, model.kind))
    return float(torch.cat(right).double().mean())


def learned_weights(model: nn.Module) -> dict[str, Tensor]:
    """Return what was learned, by name: what has to be stored besides the pretrained model."""
    return {name: w.detach() for name, w in model.named_parameters() if w.requires_grad}

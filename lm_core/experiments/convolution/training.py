"""Training the digit networks and the networks on names, each beside a multilayer perceptron of equal size."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as F

from lm_core.experiments.convolution.digits import MARGIN, Digits, on_canvas
from lm_core.models.image_networks import ImageNetwork
from lm_core.models.language_model import LanguageModel
from lm_core.text.names import encode_name
from lm_core.training.eager_optimizers import AdamW
from lm_core.training.loop import TrainingLoop, TrainStep
from lm_core.training.optimizers import learning_rate_at

CENTRED, SHIFTED = "centred", "shifted"
PLACES = (CENTRED, SHIFTED)
"""Where the digits lie that a network learns from: in the middle, or at random within the margin."""


@dataclass(frozen=True)
class BatchTraining:
    """How a network is trained: AdamW, its rate falling to 0 along half a cosine."""

    steps: int
    batch: int
    """`steps` and `batch`: A batch is drawn with replacement."""
    learning_rate: float
    """Of the first step."""
    weight_decay: float = 0.01

    def rate(self, step: int) -> float:
        """Return the learning rate of a step, counted from 0."""
        return learning_rate_at(step, steps=self.steps, peak=self.learning_rate)


DIGIT_TRAINING = BatchTraining(steps=1_500, batch=32, learning_rate=0.003)
NAME_TRAINING = BatchTraining(steps=5_000, batch=64, learning_rate=0.005)


# Digits ---------------------------------------------------------------------------------------


def train_on_digits(
    network: ImageNetwork,
    digits: Digits,
    places: str,
    rng: torch.Generator,
    training: BatchTraining = DIGIT_TRAINING,
) -> Iterator[TrainStep]:
    """Train a network on digits; its weights are those after the step that was yielded last.

    Parameters
    ----------
    places : str, `CENTRED`, or `SHIFTED`: each batch is moved by up to the margin
    rng : torch.Generator, draws batches and moves
    """

    def next_loss() -> Tensor:
        drawn = torch.randint(len(digits.labels), (training.batch,), generator=rng)
        rows, columns = 0, 0
        if places == SHIFTED:
            rows, columns = torch.randint(-MARGIN, MARGIN + 1, (2,), generator=rng).tolist()
        images = on_canvas(digits.images[drawn], rows, columns)
        return F.cross_entropy(network(images), digits.labels[drawn])

    yield from _loop(network, next_loss, training)


@torch.no_grad()
def accuracies_by_shift(network: ImageNetwork, digits: Digits) -> list[list[float]]:
    """Return the share of digits that are named rightly, by how they are moved.

    Returns
    -------
    list of lists of float
        A row for each move down from -2 to 2 pixels, in it one for each move to the right.
    """
    reach = range(-MARGIN, MARGIN + 1)
    return [
        [
            float(
                (network(on_canvas(digits.images, r, c)).argmax(1) == digits.labels).float().mean()
            )
            for c in reach
        ]
        for r in reach
    ]


# Names ----------------------------------------------------------------------------------------


class NameBatch(NamedTuple):
    """Names side by side, each after an end and with one behind it."""

    tokens: Tensor
    """int64, of shape (B, T). What is read."""
    targets: Tensor
    """int64, of shape (B, T). What follows; -100 beyond a name's end."""


IGNORED = -100


def name_batch(names: Sequence[str]) -> NameBatch:
    """Return names of different lengths as one batch."""
    width = 1 + max(map(len, names))
    tokens = torch.zeros(len(names), width, dtype=torch.int64)
    targets = torch.full((len(names), width), IGNORED)
    for row, name in enumerate(names):
        ids = torch.from_numpy(encode_name(name))
        tokens[row, 1 : len(name) + 1] = ids
        targets[row, : len(name)] = ids
        targets[row, len(name)] = 0
    return NameBatch(tokens, targets)


def name_loss(model: LanguageModel, batch: NameBatch, reduction: str = "mean") -> Tensor:
    """Return the nats of every letter of a batch, and of the end of each name: mean or sum."""
    logits, _ = model(batch.tokens, model.initial_state(len(batch.tokens)))
    return F.cross_entropy(
        logits.flatten(0, 1), batch.targets.flatten(), ignore_index=IGNORED, reduction=reduction
    )


def train_on_names(
    model: LanguageModel,
    names: Sequence[str],
    rng: torch.Generator,
    training: BatchTraining = NAME_TRAINING,
) -> Iterator[TrainStep]:
    """Train a model on batches of whole names; its weights are those after the step that was yielded last."""

    def next_loss() -> Tensor:
        drawn = torch.randint(len(names), (training.batch,), generator=rng).tolist()
        return name_loss(model, name_batch([names[i] for i in drawn]))

    yield from _loop(model, next_loss, training)


@torch.no_grad()
def loss_on_names(model: LanguageModel, names: Sequence[str], batch: int = 500) -> float:
    """Return the mean nats of every letter of some names, and of the end of each."""
    total, n = 0.0, 0
    for start in range(0, len(names), batch):
        part = name_batch(names[start : start + batch])
        total += float(name_loss(model, part, "sum"))
        n += int((part.targets != IGNORED).sum())
    return total / n


def _loop(
    network: torch.nn.Module, next_loss: Callable[[], Tensor], training: BatchTraining
) -> Iterator[TrainStep]:
    parameters = list(network.parameters())
    optimizer = AdamW(parameters, lr=training.learning_rate, weight_decay=training.weight_decay)
    yield from TrainingLoop(
        parameters, next_loss, optimizer, steps=training.steps, learning_rate=training.rate
    )

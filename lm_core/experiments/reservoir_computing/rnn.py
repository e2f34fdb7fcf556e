"""A recurrent network of a reservoir's size whose weights are all learned, by backpropagation through time.

It is scored twice: with the read-out that it learned by gradient, and with one solved by ridge regression
from its states, as a reservoir's is. The second shows what learning the recurrent weights is worth by itself.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from torch import Generator, Tensor, nn

from lm_core.experiments.reservoir_computing.memory import (
    MemoryTask,
    recall_by_delay,
    squared_correlations,
)
from lm_core.experiments.reservoir_computing.series import (
    Forecasts,
    SeriesTask,
    forecast,
    learn_series,
    score_forecasts,
    states_of,
)
from lm_core.models.fast.recurrent import FusedCell
from lm_core.models.recurrent import RNNCell
from lm_core.models.reservoir import Reservoir, run_reservoir
from lm_core.models.ridge import Readout
from lm_core.rng import generator
from lm_core.training.eager_optimizers import AdamW
from lm_core.training.loop import TrainingLoop, TrainStep, clip_by_norm
from lm_core.training.optimizers import learning_rate_at


@dataclass(frozen=True)
class RNNTraining:
    """How the network is trained: AdamW on windows drawn at random, its rate falling to 0 along half a cosine."""

    units: int = 100
    outputs: int = 1
    steps: int = 4_000
    batch: int = 32
    window: int = 150
    """Values that are read in a step, from a state of 0."""
    skipped: int = 50
    """First outputs of a window that do not count."""
    learning_rate: float = 3e-3
    """Of the first step."""
    clip: float = 1.0
    """Largest norm of a gradient."""

    def rate(self, step: int) -> float:
        """Return the learning rate of a step, counted from 0."""
        return learning_rate_at(step, steps=self.steps, peak=self.learning_rate)


class TrainableRNN(nn.Module):
    """One layer with tanh and a linear read-out.

    Parameters
    ----------
    units, outputs : int, N and O
    rng : Generator, draws the weights: W_hh orthogonal, all others uniform within 1/sqrt(N)
    """

    def __init__(self, units: int, outputs: int, rng: Generator) -> None:
        super().__init__()
        cell = RNNCell(1, units)
        cell.initialise(rng)
        with torch.no_grad():
            nn.init.orthogonal_(cell.weight_hh, generator=rng)
        self.recurrent = FusedCell(cell)
        self.output = nn.Linear(units, outputs)
        with torch.no_grad():
            for parameter in self.output.parameters():
                parameter.uniform_(-(units**-0.5), units**-0.5, generator=rng)

    def forward(self, inputs: Tensor) -> Tensor:
        """Read (B, T, 1) from a state of 0; return the outputs (B, T, O)."""
        hidden, _ = self.recurrent(inputs)
        return self.output(hidden)

    def as_reservoir(self) -> Reservoir:
        """Return the learned recurrent weights in the place of fixed ones."""
        cell = RNNCell(1, self.output.in_features)
        self.recurrent.copy_to(cell)
        bias = cell.bias_ih + cell.bias_hh
        w_in, w, b = (
            part.detach().double().numpy() for part in (cell.weight_ih, cell.weight_hh, bias)
        )
        return Reservoir(w_in, w, b)

    def readout(self) -> Readout:
        """Return the learned read-out."""
        weights, constant = self.output.weight.detach(), self.output.bias.detach()
        return Readout(weights.double().numpy().T.copy(), constant.double().numpy())


def train_rnn(
    network: TrainableRNN,
    inputs: np.ndarray,
    targets: np.ndarray,
    training: RNNTraining,
    rng: Generator,
) -> Iterator[TrainStep]:
    """Train to say each row of targets after the input of that step; squared error.

    Parameters
    ----------
    network : TrainableRNN, its weights are those after the step that was yielded last
    inputs : ndarray of shape (T,)
    targets : ndarray of shape (T, O)
    rng : Generator, draws the windows
    """
    window = training.window
    # Of shape (T - window + 1, window).
    read = torch.from_numpy(inputs.astype(np.float32)).unfold(0, window, 1)
    said = torch.from_numpy(targets.astype(np.float32)).unfold(0, window, 1)  # (..., O, window)

    def next_loss() -> Tensor:
        drawn = torch.randint(len(read), (training.batch,), generator=rng)
        wrong = network(read[drawn][..., None]) - said[drawn].mT
        return wrong[:, training.skipped :].square().mean()

    parameters = list(network.parameters())
    yield from TrainingLoop(
        parameters,
        next_loss,
        AdamW(parameters, lr=training.learning_rate, weight_decay=0.0),
        steps=training.steps,
        learning_rate=training.rate,
        clip=clip_by_norm(training.clip),
    )


class TrainedRNN(NamedTuple):
    """A trained network, what it cost, and how it learned."""

    network: TrainableRNN
    seconds: float
    """Of the processor."""
    losses: list[float]
    """Mean squared error, of ten equal parts of the training."""


def trained_rnn(
    inputs: np.ndarray,
    targets: np.ndarray,
    training: RNNTraining,
    seed: int,
    on_step: Callable[[TrainStep], object] | None = None,
) -> TrainedRNN:
    """Train a network from a seed."""
    rng = generator(seed)
    network = TrainableRNN(training.units, training.outputs, rng)
    began, losses = time.process_time(), []
    for step in train_rnn(network, inputs, targets, training, rng):
        losses.append(step.loss)
        if on_step is not None:
            on_step(step)
    seconds = time.process_time() - began
    parts = np.array_split(np.array(losses), 10)
    return TrainedRNN(network, seconds, [float(part.mean()) for part in parts if len(part)])


# Tasks ----------------------------------------------------------------------------------------


def train_on_series(task: SeriesTask, training: RNNTraining, seed: int) -> TrainedRNN:
    """Train to say the next value, on what a reservoir's read-out learns from, the washout included."""
    learned = task.series[: task.end]
    return trained_rnn(learned[:-1], learned[1:, None], training, seed)


def score_on_series(
    network: TrainableRNN, task: SeriesTask, penalty: float
) -> tuple[Forecasts, Forecasts]:
    """Return the forecasts with the learned read-out, and with one solved from the network's states."""
    weights = network.as_reservoir()
    states = states_of(weights, task)
    own, solved = network.readout(), learn_series(states, task, penalty)
    first, second = (
        score_forecasts(task, forecast(weights, readout, states[task.starts - 1], task.horizon))
        for readout in (own, solved)
    )
    return first, second


def train_on_memory(task: MemoryTask, training: RNNTraining, seed: int) -> TrainedRNN:
    """Train to say the last `outputs` inputs, on what a reservoir's read-out learns from."""
    targets = task.targets[: task.n_train, : training.outputs]
    return trained_rnn(task.inputs[task.start : task.end], targets, training, seed)


def score_on_memory(
    network: TrainableRNN, task: MemoryTask, penalty: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return r^2 by delay with the learned read-out, and with one solved from the network's states."""
    states = run_reservoir(network.as_reservoir(), task.inputs[:, None])
    said = network.readout()(states[task.end :])
    own = np.zeros(task.delays)
    own[: said.shape[1]] = squared_correlations(said, task.targets[task.n_train :, : said.shape[1]])
    return own, recall_by_delay(states, task, penalty)

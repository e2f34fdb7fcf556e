"""Recurrent networks that learn the tasks of reservoirs, and read-outs of letters, as they are stored."""

import time
from dataclasses import replace
from typing import Any

import numpy as np
import torch

from lm_core.experiments.reservoir_computing import rnn
from lm_core.experiments.reservoir_computing.letters import (
    N_TRAIN,
    RNN,
    learn_letters,
    letter_draws,
)
from lm_core.experiments.reservoir_computing.memory import memory_task
from lm_core.experiments.reservoir_computing.results import LetterScore
from lm_core.experiments.reservoir_computing.series import series_task
from lm_core.experiments.reservoir_computing.study import LETTERS, RADII, GridPoint
from lm_core.models.reservoir import SPARSE
from lm_core.text.training_text import Book
from lm_core.training.checkpoints import load_shipped
from lm_core.training.evaluation import carried_losses

TRAINING = rnn.RNNTraining(steps=2_000, batch=16, window=120, skipped=40)
MEMORY_TRAINING = replace(TRAINING, outputs=100, window=200, skipped=100)
PENALTY = 1e-8
"""Of the read-out that is solved from a trained network's states."""


def _rounded(values: np.ndarray, digits: int = 5) -> list[Any]:
    return [float(f"{value:.{digits}g}") for value in np.nan_to_num(values, nan=1e9)]


def _learning(trained: rnn.TrainedRNN) -> list[Any]:
    """Return seconds, losses and eigenvalues as they are stored."""
    values = np.linalg.eigvals(trained.network.as_reservoir().weight_hh)
    pairs = [_rounded(np.array([value.real, value.imag]), 4) for value in values]
    return [round(trained.seconds, 1), _rounded(np.array(trained.losses), 4), pairs]


def learn_memory(seed: int) -> list[Any]:
    """Train on the memory task, and return its row."""
    task = memory_task()
    trained = rnn.train_on_memory(task, MEMORY_TRAINING, seed)
    own, solved = rnn.score_on_memory(trained.network, task, PENALTY)
    return [seed, *_learning(trained), _rounded(own, 4), _rounded(solved, 4)]


def learn_series(name: str, seed: int) -> list[Any]:
    """Train on a series, and return its row."""
    task = series_task(name)
    trained = rnn.train_on_series(task, TRAINING, seed)
    own, solved = rnn.score_on_series(trained.network, task, PENALTY)
    rows = (own.errors, solved.errors, own.values[0], solved.values[0])
    return [name, seed, *_learning(trained), *map(_rounded, rows)]


def solve_letters(
    book: Book, grid: list[GridPoint]
) -> tuple[list[LetterScore], dict[float, np.ndarray]]:
    """Solve the read-outs that are shipped; their losses are those on the grid."""
    draws, scores, readouts = letter_draws(1), [], {}
    losses = {p.radius: p.score for p in grid if (p.task, p.kind, p.seed) == (LETTERS, SPARSE, 1)}
    for radius in RADII:
        began = time.process_time()
        readout = learn_letters(draws, radius, book.train[:N_TRAIN]).readout
        readouts[radius] = np.vstack([readout.weights, readout.constant]).astype(np.float32)
        scores.append(LetterScore(radius, losses[radius], round(time.process_time() - began, 1)))
    return scores, readouts


def loss_of_rnn(text: np.ndarray) -> float:
    """Return the shipped network's loss on a text."""
    return float(carried_losses(load_shipped(RNN).model, torch.from_numpy(text)).mean())

"""Train recurrent networks on the tasks, and score them and reservoirs of the same size."""

import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch

from lm_core.experiments.commands import Report, experiment, made_once, option
from lm_core.experiments.reservoir_computing import rnn
from lm_core.experiments.reservoir_computing.letters import (
    N_SCORED,
    N_TRAIN,
    RNN,
    learn_letters,
    letter_draws,
)
from lm_core.experiments.reservoir_computing.memory import memory_task
from lm_core.experiments.reservoir_computing.results import (
    LearnedMemory,
    LearnedSeries,
    LetterScore,
    ReservoirResults,
    StoredDraws,
)
from lm_core.experiments.reservoir_computing.series import SERIES, series_task
from lm_core.experiments.reservoir_computing.study import (
    CHOSEN,
    LETTERS,
    RADII,
    SEEDS,
    GridPoint,
    study_grid,
    study_letters,
)
from lm_core.models.reservoir import SPARSE
from lm_core.text.character_vocabulary import SOURCE
from lm_core.text.training_text import Book, load_book
from lm_core.training.checkpoints import load_shipped
from lm_core.training.evaluation import carried_losses

TRAINING = rnn.RNNTraining(steps=2_000, batch=16, window=120, skipped=40)
MEMORY_TRAINING = replace(TRAINING, outputs=100, window=200, skipped=100)
RNN_SEEDS = 2
PENALTY = 1e-8
"""Of the read-out that is solved from a trained network's states."""


@experiment(
    "train recurrent networks on memory and series, and score them beside reservoirs of their size",
    ReservoirResults,
    option("--runs", Path("runs/reservoirs"), help="folder of what is already done"),
    option("--rnn-seeds", RNN_SEEDS),
    option("--seeds", SEEDS, help="reservoirs at each point of the grid"),
)
def run(report: Report) -> ReservoirResults:
    """Train what is not there yet, score everything, and write it."""
    arguments = report.options
    book = load_book(SOURCE)  # first: without it nothing is trained in vain
    runs = arguments.runs
    grid = made_once(runs / "grid.json", lambda: [list(p) for p in study_grid(arguments.seeds)])
    report(f"{len(grid)} reservoirs on the grid")
    text, scored = book.train[:N_TRAIN], book.validation[:N_SCORED]
    grid += made_once(runs / "letters.json", lambda: [list(p) for p in study_letters(text, scored)])
    memory, series = [], []
    for seed in range(1, arguments.rnn_seeds + 1):
        memory.append(made_once(runs / f"memory-{seed}.json", partial(_on_memory, seed)))
        report(LearnedMemory(*memory[-1]))
        for name in SERIES:
            path = runs / f"{name.lower().replace(' ', '-')}-{seed}.json"
            series.append(made_once(path, partial(_on_series, name, seed)))
            report(LearnedSeries(*series[-1]))
    points = tuple(GridPoint(*row) for row in grid)
    letters, readouts = _letters(book, list(points))
    made = report.provenance(
        book,
        seconds=sum(row[1] for row in memory) + sum(row[2] for row in series),
        training=TRAINING,
        memory_training=MEMORY_TRAINING,
        chosen={task: chosen._asdict() for task, chosen in CHOSEN.items()},
        characters=N_TRAIN,
        characters_scored=N_SCORED,
        rnn=RNN,
    )
    return ReservoirResults(
        made,
        tuple(LearnedSeries(*row) for row in series),
        tuple(LearnedMemory(*row) for row in memory),
        points,
        tuple(letters),
        round(_loss_of_rnn(scored), 4),
        StoredDraws.of(letter_draws(1)),
        readouts,
    )


def _rounded(values: np.ndarray, digits: int = 5) -> list[Any]:
    return [float(f"{value:.{digits}g}") for value in np.nan_to_num(values, nan=1e9)]


def _learning(trained: rnn.TrainedRNN) -> list[Any]:
    """Return seconds, losses and eigenvalues as they are stored."""
    values = np.linalg.eigvals(trained.network.as_reservoir().weight_hh)
    pairs = [_rounded(np.array([value.real, value.imag]), 4) for value in values]
    return [round(trained.seconds, 1), _rounded(np.array(trained.losses), 4), pairs]


def _on_memory(seed: int) -> list[Any]:
    task = memory_task()
    trained = rnn.train_on_memory(task, MEMORY_TRAINING, seed)
    own, solved = rnn.score_on_memory(trained.network, task, PENALTY)
    return [seed, *_learning(trained), _rounded(own, 4), _rounded(solved, 4)]


def _on_series(name: str, seed: int) -> list[Any]:
    task = series_task(name)
    trained = rnn.train_on_series(task, TRAINING, seed)
    own, solved = rnn.score_on_series(trained.network, task, PENALTY)
    rows = (own.errors, solved.errors, own.values[0], solved.values[0])
    return [name, seed, *_learning(trained), *map(_rounded, rows)]


def _letters(
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


def _loss_of_rnn(text: np.ndarray) -> float:
    return float(carried_losses(load_shipped(RNN).model, torch.from_numpy(text)).mean())

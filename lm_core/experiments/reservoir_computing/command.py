"""Train recurrent networks on the tasks, and score them and reservoirs of the same size."""

from functools import partial
from pathlib import Path

from lm_core.experiments.commands import Report, experiment, made_once, option
from lm_core.experiments.reservoir_computing import results
from lm_core.experiments.reservoir_computing.learned import (
    MEMORY_TRAINING,
    TRAINING,
    learn_memory,
    learn_series,
    loss_of_rnn,
    solve_letters,
)
from lm_core.experiments.reservoir_computing.letters import N_SCORED, N_TRAIN, RNN, letter_draws
from lm_core.experiments.reservoir_computing.series import SERIES
from lm_core.experiments.reservoir_computing.study import (
    CHOSEN,
    SEEDS,
    GridPoint,
    study_grid,
    study_letters,
)
from lm_core.text.training_text import load_book

RNN_SEEDS = 2


@experiment(
    "train recurrent networks on memory and series, and score them beside reservoirs of their size",
    results.ReservoirResults,
    option("--runs", Path("runs/reservoirs"), help="folder of what is already done"),
    option("--rnn-seeds", RNN_SEEDS),
    option("--seeds", SEEDS, help="reservoirs at each point of the grid"),
)
def run(report: Report) -> results.ReservoirResults:
    """Train what is not there yet, score everything, and write it."""
    arguments = report.options
    book = load_book()  # first: without it nothing is trained in vain
    runs = arguments.runs
    grid = made_once(runs / "grid.json", lambda: [list(p) for p in study_grid(arguments.seeds)])
    report(f"{len(grid)} reservoirs on the grid")
    text, scored = book.train[:N_TRAIN], book.validation[:N_SCORED]
    grid += made_once(runs / "letters.json", lambda: [list(p) for p in study_letters(text, scored)])
    memory, series = [], []
    for seed in range(1, arguments.rnn_seeds + 1):
        memory.append(made_once(runs / f"memory-{seed}.json", partial(learn_memory, seed)))
        report(results.LearnedMemory(*memory[-1]))
        for name in SERIES:
            path = runs / f"{name.lower().replace(' ', '-')}-{seed}.json"
            series.append(made_once(path, partial(learn_series, name, seed)))
            report(results.LearnedSeries(*series[-1]))
    points = tuple(GridPoint(*row) for row in grid)
    letters, readouts = solve_letters(book, list(points))
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
    return results.ReservoirResults(
        made,
        tuple(results.LearnedSeries(*row) for row in series),
        tuple(results.LearnedMemory(*row) for row in memory),
        points,
        tuple(letters),
        round(loss_of_rnn(scored), 4),
        results.StoredDraws.of(letter_draws(1)),
        readouts,
    )
